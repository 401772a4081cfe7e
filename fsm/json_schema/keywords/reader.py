"""Schema objects: the keywords of each are read once, and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ..conjunction import (
    ALL,
    EVERY_KEY,
    Conjunction,
    Contains,
    Keys,
    Subschema,
    Subschemas,
    canonical,
    escape,
    kind_of,
    refuse,
)
from ..formats import REGEX, is_known
from . import checks, drafts
from .checks import TYPES, SchemaObject, kinds_of, read_constants, read_format, read_strings, read_type
from .drafts import DEFINITIONS, KNOWN, LISTS_OF_SCHEMAS, NUMERIC, RESTRICTING, SCHEMAS_BY_NAME, SPEAKS_OF
from .references import References

# --- the keywords of numbers: `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`


def read_numeric(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read the bounds of numbers and what they are multiples of."""
    conjunction.low, conjunction.low_open = checks.bound(subschema, "minimum", "exclusiveMinimum", 1)
    conjunction.high, conjunction.high_open = checks.bound(subschema, "maximum", "exclusiveMaximum", -1)
    multiple = checks.number(subschema, "multipleOf")
    if multiple is not None:
        if multiple <= 0:
            refuse(f"{subschema.path}/multipleOf", "must be greater than 0")
        conjunction.multiples = (multiple,)


# --- the keywords of arrays: `prefixItems`, `items`, `minItems`, `maxItems`, `uniqueItems`, `contains` and its counts


def read_arrays(schema_object: SchemaObject) -> list[Subschema]:
    """Read the keywords of arrays.

    Returns:
        The schemas that some items must not fit, because `maxContains` counts those that do.
    """
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    conjunction.counts = checks.span(subschema, "minItems", "maxItems")
    conjunction.unique = checks.boolean(subschema, "uniqueItems")
    # Drafts before 2020-12 had a list in `items`, and `additionalItems` for the rest.
    older = isinstance(schema.get("items"), list)
    first, others = ("items", "additionalItems") if older else ("prefixItems", "items")
    conjunction.prefix = tuple((subschema.at(first, i),) for i in range(len(checks.list_of(subschema, first))))
    conjunction.evaluated_items = len(conjunction.prefix)
    if others in schema:
        conjunction.items = (subschema.at(others),) if schema[others] not in (True, {}) else ()
        conjunction.evaluated_items = None
    schema_object.inside += [part for subschemas in conjunction.prefix for part in subschemas] + list(conjunction.items)
    return _read_contains(schema_object) if "contains" in schema else []


def _read_contains(schema_object: SchemaObject) -> list[Subschema]:
    subschema, conjunction = schema_object.subschema, schema_object.conjunction
    low, high = checks.span(subschema, "minContains", "maxContains")
    low = low if "minContains" in subschema.schema else 1
    part = subschema.at("contains")
    schema_object.inside.append(part)
    conjunction.matched = (part,)
    if low > 0 or high is not None:
        conjunction.contains = (Contains((part,), (low, high), 0),)
    return [part] if high is not None else []


# --- the keywords of objects: `properties`, `additionalProperties`, `required`, `propertyNames`, `maxProperties`, …


def read_objects(schema_object: SchemaObject, for_generation: bool) -> None:
    """Read the keywords of objects. for_generation: see `KeywordReader`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    _read_members(schema_object)
    if "propertyNames" in schema:
        conjunction.names = (subschema.at("propertyNames"),)
    members = [part for _, subschemas in conjunction.members for part in subschemas]
    schema_object.inside += members + list(conjunction.names)
    conjunction.required = checks.names(subschema, "required")
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
        name = discriminator["propertyName"]  # it tells the branches apart
        if for_generation and name not in conjunction.required:
            conjunction.required = (*conjunction.required, name)
    conjunction.sizes = checks.span(subschema, "minProperties", "maxProperties")
    patterned = bool(schema.get("patternProperties"))
    conjunction.declares = "properties" in schema or patterned or bool(conjunction.required)
    conjunction.extras = conjunction.extras or patterned


def _read_members(schema_object: SchemaObject) -> None:
    """Read `properties`, `patternProperties` and `additionalProperties`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    members: list[tuple[Keys, Subschemas]] = []
    properties = checks.schemas_by_name(subschema, "properties")
    patterns = checks.schemas_by_name(subschema, "patternProperties")
    for name in properties:
        members.append((Keys(frozenset([name])), (subschema.at("properties", name),)))
    for pattern in patterns:
        checks.pattern(pattern, f"{subschema.path}/patternProperties/{escape(pattern)}")
        members.append((Keys(patterns=frozenset([pattern])), (subschema.at("patternProperties", pattern),)))
    evaluated = [Keys(frozenset(properties), frozenset(patterns))] if properties or patterns else []
    if "additionalProperties" in schema:
        evaluated = [EVERY_KEY]
        if schema["additionalProperties"] not in (True, {}):
            keys = Keys(frozenset(properties), frozenset(patterns), others=True)
            members.append((keys, (subschema.at("additionalProperties"),)))
            conjunction.extras = schema["additionalProperties"] is not False
    conjunction.members, conjunction.evaluated = tuple(members), tuple(evaluated)


# --- the keywords that combine schemas: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`, `dependentSchemas`, …

MANY_CONSTANTS = 32  # alternatives: of fewer, each is read by itself
BESIDE_CONSTANTS = frozenset(["const", "title", "description", "$comment", "deprecated"])


def read_combined(
    schema_object: SchemaObject, keywords: Iterable[str], references: References, keep: Callable[[Any], Any]
) -> None:
    """Read those `keywords` that are there. keep: see `KeywordReader.keep`."""
    combined = schema_object.combined
    for keyword in keywords:
        if keyword not in schema_object.subschema.schema:
            continue
        if keyword.startswith("depend"):
            _read_dependencies(schema_object, keyword, keep)
        elif (values := _constants(schema_object.subschema, keyword)) is not None:
            path = f"{schema_object.subschema.path}/{keyword}"
            combined.append(("anyOf", [Subschema(keep({"enum": values}), path, schema_object.subschema.resource)]))
            schema_object.inside += combined[-1][1]
        else:
            combined.append((keyword, _schemas_of(schema_object.subschema, keyword, references)))
            schema_object.inside += [part for part in combined[-1][1] if not isinstance(part.schema, bool)]


def _constants(subschema: Subschema, keyword: str) -> list[Any] | None:
    """The scalars that an `anyOf` or `oneOf` lists, each as a `const` of its own, all different; None if it does not.

    Told apart two by two, a thousand of them take seconds.
    """
    parts = subschema.schema[keyword]
    if subschema.draft is not None and "const" in drafts.FOREIGN[subschema.draft]:
        return None
    if keyword not in ("anyOf", "oneOf") or not isinstance(parts, list) or len(parts) < MANY_CONSTANTS:
        return None
    values: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, dict) or "const" not in part or not part.keys() <= BESIDE_CONSTANTS:
            return None
        if isinstance(part["const"], (list, dict)):
            return None
        values[canonical(part["const"])] = part["const"]
    return list(values.values()) if len(values) == len(parts) else None


def _schemas_of(subschema: Subschema, keyword: str, references: References) -> list[Subschema]:
    """The schemas that a keyword combines; of `if`: the condition, `then`, `else`."""
    schema = subschema.schema
    if keyword == "$ref":
        return [references.target(subschema, schema[keyword])]
    if keyword == "$dynamicRef":
        return [references.dynamic(subschema, schema[keyword])]
    if keyword == "$recursiveRef":
        return [references.recursive(subschema, schema[keyword])]
    if keyword == "not":
        return [subschema.at("not")]
    if keyword == "if":
        true = Subschema(True, subschema.path, None)
        return [subschema.at("if"), *(subschema.at(k) if k in schema else true for k in ("then", "else"))]
    return [subschema.at(keyword, i) for i in range(len(checks.list_of(subschema, keyword)))]


def _read_dependencies(schema_object: SchemaObject, keyword: str, keep: Callable[[Any], Any]) -> None:
    """Read what an object fits if it has some property; its name is taken for a schema here."""
    subschema = schema_object.subschema
    for name, then in checks.schemas_by_name(subschema, keyword).items():
        if isinstance(then, list) and keyword != "dependentSchemas":
            part = Subschema(keep({"required": then}), f"{subschema.path}/{keyword}/{escape(name)}", subschema.resource)
            checks.names(part, "required")
        elif keyword == "dependentRequired":
            refuse(f"{subschema.path}/{keyword}/{escape(name)}", f"must be a list of names, not {json.dumps(then)}")
        else:
            part = subschema.at(keyword, name)
        schema_object.inside.append(part)
        schema_object.combined.append((keyword, [Subschema(name, f"{subschema.path}/{keyword}", None), part]))


# --- words that look like a keyword misspelt: what somebody meant to restrict would be free, without a word

#: The words of other schema languages, and of people, for a keyword: of several, that which applies counts.
SYNONYMS = {
    "property": ("properties",),
    "constant": ("const",),
    "enumeration": ("enum",),
    **dict.fromkeys(("regex", "regexp"), ("pattern",)),
    **dict.fromkeys(("min", "minvalue"), ("minimum", "minLength", "minItems")),
    **dict.fromkeys(("max", "maxvalue"), ("maximum", "maxLength", "maxItems")),
    "unique": ("uniqueItems",),
}
#: All that would restrict something.
_CANDIDATES = sorted(RESTRICTING | {"then", "else", "minContains", "maxContains", "discriminator", "nullable"})
_WITHIN = {"then": ALL, "else": ALL, "minContains": frozenset(["array"]), "maxContains": frozenset(["array"])}
#: Keywords of one short word, which many other words resemble: these are meant only by what may be their value.
LONG = 7


def keyword_meant(word: str, value: Any, kinds: frozenset[str]) -> str | None:
    """The keyword that somebody meant who wrote this word, no keyword, beside it its value; None if none was meant.

    A word that differs from a keyword in at most two letters (a swap counts as one), or in case and separators only.
    Words that are marked as one's own (`x-…`, `_…`, `@…`, or with a `$` that the keyword lacks) are no keyword's.

    Args:
        kinds: the kinds of values that the schema allows: a keyword that speaks of others would not apply.
    """
    if word in KNOWN or word.startswith(("x-", "X-", "_", "@", "/", "#")):
        return None
    for keyword in _resembling(word):
        if SPEAKS_OF.get(keyword, _WITHIN.get(keyword, ALL)) & kinds and _may_have(keyword, value, word, kinds):
            return keyword
    return None


@lru_cache(maxsize=4096)
def _resembling(word: str) -> tuple[str, ...]:
    """The keywords that a word resembles, the nearest first."""
    plain = _plain(word)
    near = []
    for keyword in _CANDIDATES:
        if not word.startswith("$") or keyword.startswith("$"):
            meant = _plain(keyword)
            distance = _distance(plain, meant, 1 if meant in ("not", "if", "const") else 2)
            if distance is not None:
                near.append((distance, keyword))
    return (*(keyword for _, keyword in sorted(near)), *SYNONYMS.get(plain, ()))


def _plain(word: str) -> str:
    """A word without case and separators."""
    return "".join(filter(str.isalnum, word)).lower()


def _distance(a: str, b: str, most: int) -> int | None:
    """In how many letters two words differ, a swap of neighbours being one; None if in more than `most`."""
    if abs(len(a) - len(b)) > most:
        return None
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
            if i > 1 and j > 1 and (x, a[i - 2]) == (b[j - 2], y):
                row[-1] = min(row[-1], last[j - 2] + 1)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _may_have(keyword: str, value: Any, word: str, kinds: frozenset[str]) -> bool:
    """Whether a word with this value may be this keyword: a long word is, whatever its value."""
    if keyword == "const":
        return kind_of(value) in kinds
    return (len(keyword) >= LONG and _plain(word) not in SYNONYMS) or _form(keyword)(value)


def _form(keyword: str) -> Callable[[Any], bool]:
    """What a keyword's values look like."""
    if keyword in NUMERIC or keyword.startswith(("min", "max")):
        return lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    if keyword in ("nullable", "uniqueItems"):
        return lambda value: isinstance(value, bool)
    if keyword in SCHEMAS_BY_NAME:
        return lambda value: isinstance(value, dict) and all(isinstance(part, (dict, bool)) for part in value.values())
    if keyword in LISTS_OF_SCHEMAS:
        return lambda value: _is_schemas(value) or (keyword == "items" and isinstance(value, dict))
    return _FORMS.get(keyword, lambda value: isinstance(value, dict))


def _is_schemas(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, (dict, bool)) for part in value)


def _is_type(value: Any) -> bool:
    return all(isinstance(name, str) and name in TYPES for name in (value if isinstance(value, list) else [value]))


_FORMS: dict[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "enum": lambda value: isinstance(value, list),
    "pattern": lambda value: isinstance(value, str),
    "format": lambda value: isinstance(value, str) and is_known(value),
    "$ref": lambda value: isinstance(value, str) and ("#" in value or "/" in value),
}


# --- reader


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
        if self.for_generation and (meant := min(foreign & drafts.RESTRICTING, default=None)):
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
        if types is None and not drafts.RESTRICTING.isdisjoint(schema):
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
        present = set(map(drafts.READ_TOGETHER.get, schema))
        if drafts.IDENTIFIERS[0] in present:
            _check_names(subschema)
        if "type" in present:
            read_type(subschema, conjunction)
        if "enum" in present:
            read_constants(schema_object, self.keep)
        if drafts.NUMERIC[0] in present:
            read_numeric(subschema, conjunction)
        if drafts.STRINGS[0] in present:
            read_strings(subschema, conjunction)
        if "format" in present and self.asserts_formats:
            self._read_format(schema_object)
        if drafts.ARRAYS[0] in present:
            self.negated += read_arrays(schema_object)
            self.unique = self.unique or conjunction.unique
        if drafts.OBJECTS[0] in present:
            read_objects(schema_object, self.for_generation)
        if drafts.APPLICATORS[0] in present:
            read_combined(schema_object, drafts.APPLICATORS, self.references, self.keep)
        if drafts.UNEVALUATED[0] in present:
            self.tracks = schema_object.evaluates = True
            schema_object.inside += [subschema.at(keyword) for keyword in drafts.UNEVALUATED if keyword in schema]

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
        for word in sorted(present - drafts.KNOWN):
            meant = keyword_meant(word, subschema.schema[word], kinds)
            if meant is not None:
                problem = f"{word!r} is no keyword of JSON Schema: {meant!r}? (A word of your own is 'x-…'.)"
                refuse(f"{subschema.path}/{escape(word)}", problem)
        if subschema.path == "#" and present and not any(map(drafts.may_be_meant, present)):
            names = ", ".join(sorted(map(repr, present)))
            right = '{"type": "object", "properties": {…}}'
            refuse("#", f"no key is a keyword of JSON Schema: {names}; for an object with these properties, {right}")
        kinds = (drafts.SPEAKS_OF[keyword] for keyword in present & drafts.SPEAKS_OF.keys())
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
    for keyword in drafts.IDENTIFIERS:
        if keyword in subschema.schema:
            checks.string(subschema, keyword)
    for keyword in DEFINITIONS:
        checks.schemas_by_name(subschema, keyword)
