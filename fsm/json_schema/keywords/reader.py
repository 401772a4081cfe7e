"""Schema objects: the keywords of each are read once, and checked."""

from __future__ import annotations

import json
from typing import Any

from ..conjunction import Conjunction
from ..formats import REGEX
from ..subschema import Subschema, escape, refuse
from . import checks, drafts, known
from .arrays import read_arrays
from .combined import read_combined
from .constants import kinds_of, read_constants, read_type
from .misspelt import keyword_meant
from .numeric import read_numeric
from .objects import read_objects
from .places import DEFINITIONS
from .references import References
from .schema_object import SchemaObject
from .strings import read_format, read_strings


class KeywordReader:
    """Schema objects, each read once.

    Args:
        root: the schema.
        asserts_formats: whether `format` restricts strings; else it only describes them.
        for_generation: whether values are meant to be of the type that a schema speaks of, where it does not say one.

    Attributes:
        root: the whole schema.
        unique: whether some array has `uniqueItems`. tracks: whether something asks what was evaluated.
        nested_texts: whether some string holds JSON. expressions: whether some is a regular expression.
        negated: schemas that something must not fit.
    """

    def __init__(self, root: Any, asserts_formats: bool, for_generation: bool):
        self.references = References(root)
        self.asserts_formats, self.for_generation = asserts_formats, for_generation
        self.root = Subschema(root, "#", self.references.root)
        self.unique = self.tracks = self.nested_texts = self.expressions = False
        self.negated: list[Subschema] = []
        self._read: dict[Any, SchemaObject] = {}  # by the key of the subschema, whether it fits or not
        self._kept: list[Any] = []  # so that the ids in the keys of subschemas remain their own

    def read(self, subschema: Subschema) -> SchemaObject:
        """A schema object's keywords, checked."""
        schema = subschema.schema
        schema_object = self._read.get(subschema.key[0])
        if schema_object is not None:
            return schema_object
        if not isinstance(schema, dict):
            refuse(subschema.path, f"a schema is an object or a boolean, not {json.dumps(schema)}")
        if subschema.resource is not None and ("$id" in schema or "id" in schema):
            subschema = subschema.read_as(schema, self.references.resource_of(subschema))
        draft = subschema.draft
        ref_alone = "$ref" in schema and drafts.refs_stand_alone(draft)
        if ref_alone:
            subschema = subschema.read_as(self.keep({"$ref": schema["$ref"]}), subschema.resource)
        elif draft is not None:
            subschema = subschema.read_as(self._own_keywords(subschema, draft), subschema.resource)
        if self.for_generation and "nullable" in subschema.schema:
            subschema = subschema.read_as(self._with_null(subschema), subschema.resource)
        schema_object = SchemaObject(subschema if subschema.fits else subschema.negated(), Conjunction(subschema))
        self._read[subschema.key[0]] = schema_object
        if ref_alone:
            read_combined(schema_object, ("$ref",), self.references, self.keep)
        else:
            self._read_keywords(schema_object)
            if self.for_generation:
                self._read_for_generation(schema_object)
        return schema_object

    def _own_keywords(self, subschema: Subschema, draft: str) -> dict[str, Any]:
        """A schema object without the keywords of other drafts. For generation these are refused: they were meant."""
        schema = subschema.schema
        drafts.check_forms(subschema, draft)
        if drafts.FOREIGN[draft].isdisjoint(schema):
            return schema
        foreign = drafts.FOREIGN[draft] & schema.keys()
        if self.for_generation and (meant := min(foreign & known.RESTRICTING, default=None)):
            problem = f"{meant!r} is no keyword of {drafts.name_of(draft)}: say another draft in '$schema', or none"
            refuse(f"{subschema.path}/{escape(meant)}", problem)
        return {keyword: schema[keyword] for keyword in schema if keyword not in foreign}

    def _with_null(self, subschema: Subschema) -> dict[str, Any]:
        """A schema object with OpenAPI's `nullable` written as the standard has it: null is one of its types.

        OpenAPI 3.0 gives it a meaning beside `type` only; and an `enum` has null only if it lists it. Where somebody
        may have meant more than that, it is refused.
        """
        schema = subschema.schema
        if not checks.boolean(subschema, "nullable"):
            return schema
        path = f"{subschema.path}/nullable"
        types = schema.get("type")
        if types is None and not known.RESTRICTING.isdisjoint(schema):
            right = '{"anyOf": [{…}, {"type": "null"}]}'
            refuse(
                path, f"'nullable' means nothing without 'type' beside it: for a value that may be null, write {right}"
            )
        values = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if isinstance(values, list) and None not in values:
            refuse(path, "'nullable' does not add null to the values that are listed: write null among those of 'enum'")
        if types is None:
            return schema
        return self.keep({**schema, "type": [*(types if isinstance(types, list) else [types]), "null"]})

    def _read_keywords(self, schema_object: SchemaObject) -> None:
        subschema, conjunction = schema_object.subschema, schema_object.conjunction
        schema = subschema.schema
        present = set(map(known.READ_TOGETHER.get, schema))
        if known.IDENTIFIERS[0] in present:
            _check_names(subschema)
        if "type" in present:
            read_type(subschema, conjunction)
        if "enum" in present:
            read_constants(schema_object, self.keep)
        if known.NUMERIC[0] in present:
            read_numeric(subschema, conjunction)
        if known.STRINGS[0] in present:
            read_strings(subschema, conjunction)
        if "format" in present and self.asserts_formats:
            self._read_format(schema_object)
        if known.ARRAYS[0] in present:
            self.negated += read_arrays(schema_object)
            self.unique = self.unique or conjunction.unique
        if known.OBJECTS[0] in present:
            read_objects(schema_object, self.for_generation)
        if known.APPLICATORS[0] in present:
            read_combined(schema_object, known.APPLICATORS, self.references, self.keep)
        if known.UNEVALUATED[0] in present:
            self.tracks = schema_object.evaluates = True
            schema_object.inside += [subschema.at(keyword) for keyword in known.UNEVALUATED if keyword in schema]

    def _read_format(self, schema_object: SchemaObject) -> None:
        """Read `format`, and note whether strings hold JSON, or are regular expressions."""
        conjunction = schema_object.conjunction
        read_format(schema_object.subschema, conjunction, self.for_generation)
        self.expressions = self.expressions or REGEX in conjunction.formats
        if conjunction.contents is not None:
            self.nested_texts = True
            schema_object.inside += conjunction.contents

    def _read_for_generation(self, schema_object: SchemaObject) -> None:
        """Refuse what looks like a keyword misspelt, and note which kinds of values the keywords speak of."""
        subschema = schema_object.subschema
        present = subschema.schema.keys()
        kinds = kinds_of(subschema)
        for word in sorted(present - known.KNOWN):
            meant = keyword_meant(word, subschema.schema[word], kinds)
            if meant is not None:
                problem = f"{word!r} is no keyword of JSON Schema: {meant!r}? (A word of your own is 'x-…'.)"
                refuse(f"{subschema.path}/{escape(word)}", problem)
        if subschema.path == "#" and present and not any(map(known.may_be_meant, present)):
            names = ", ".join(sorted(map(repr, present)))
            right = '{"type": "object", "properties": {…}}'
            refuse("#", f"no key is a keyword of JSON Schema: {names}; for an object with these properties, {right}")
        kinds = (known.SPEAKS_OF[keyword] for keyword in present & known.SPEAKS_OF.keys())
        schema_object.conjunction.mentioned = frozenset().union(*kinds)

    def either(self, subschemas: list[Subschema]) -> Subschema:
        """A schema for the values that fit at least one of these."""
        schema = self.keep({"anyOf": [subschema.schema for subschema in subschemas]})
        whole = Subschema(schema, subschemas[-1].path, subschemas[-1].resource)
        schema_object = self._read[whole.key[0]] = SchemaObject(whole, Conjunction(whole))
        schema_object.combined.append(("anyOf", subschemas))
        return whole

    def listing(self, values: list[Any]) -> Subschema:
        """A schema that these values fit, and no others; their numbers, if unspelled, in every spelling (`Scalars`)."""
        return Subschema(self.keep({"enum": values}), "#", None)

    def keep(self, schema: Any) -> Any:
        """Keep a schema that was made here as long as this reader: keys of subschemas have its id."""
        self._kept.append(schema)
        return schema


def _check_names(subschema: Subschema) -> None:
    """Refuse a name of a schema that is no string, and definitions that are no schemas by name."""
    for keyword in known.IDENTIFIERS:
        if keyword in subschema.schema:
            checks.string(subschema, keyword)
    for keyword in DEFINITIONS:
        checks.schemas_by_name(subschema, keyword)
