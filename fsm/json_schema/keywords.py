"""Schema objects: the keywords of each are read once, checked, and set down in a `Conjunction`."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, TypeVar

from outlines_cont.errors import ConstraintError

from ..language.nodes import Bounds
from ..patterns.parser import parse
from . import drafts, limits, numerals
from .conjunction import (
    DESCRIBING,
    DIGITS,
    EVERY_KEY,
    Conjunction,
    Contains,
    Keys,
    MadeSchema,
    SchemaObject,
    Subschema,
    Subschemas,
    escape,
    refuse,
    tighter,
)
from .references import References, refs_stand_alone
from .strings import is_irregular, read_format, read_grammar, read_quote
from .values_and_keywords import (
    ALL,
    COMBINING,
    DEFINITIONS,
    GROUPS,
    IDENTIFIERS,
    KEYWORDS,
    NUMBERS,
    SCALARS,
    SPEAKS_OF,
    TYPES,
    UNEVALUATED,
    canonical,
    equal,
    kind_of,
)

# --- the values of keywords: a list, an object, a number, a bound … or a refusal that says where it stands

TOO_LARGE = 10**numerals.DIGITS_PER_SIDE  # a number


def given(subschema: Subschema, keyword: str, kind: type[T]) -> T:
    """The value of a keyword, if it is of this kind; an empty one if the keyword is not there."""
    value = subschema.schema[keyword] if keyword in subschema.schema else kind()
    if not isinstance(value, kind):
        refuse(f"{subschema.path}/{keyword}", f"must be {_KINDS[kind]}, not {json.dumps(value)}")
    return value


_KINDS: dict[type, str] = {list: "a list", dict: "an object of schemas", str: "a string", bool: "true or false"}
T = TypeVar("T")


def names(subschema: Subschema, keyword: str) -> tuple[str, ...]:
    """A list of names, each once."""
    value = subschema.schema.get(keyword, [])
    if not isinstance(value, list) or not {str}.issuperset(map(type, value)):
        refuse(f"{subschema.path}/{keyword}", f"must be a list of names, not {json.dumps(value)}")
    return tuple(dict.fromkeys(value))


def number(subschema: Subschema, keyword: str) -> Fraction | None:
    """A number; None if the keyword is not there."""
    value = subschema.schema.get(keyword)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value in (float("inf"), float("-inf")):
        refuse(f"{subschema.path}/{keyword}", f"must be a number, not {json.dumps(value)}")
    refuse_large([value], subschema, keyword)
    return Fraction(repr(value))


def bound(subschema: Subschema, plain: str, exclusive: str, sign: int) -> tuple[Fraction | None, bool]:
    """A bound, and whether it is exclusive; sign: 1 for a lower one, −1 for an upper one."""
    if isinstance(subschema.schema.get(exclusive), bool):  # draft 4: whether the plain bound is exclusive
        return number(subschema, plain), subschema.schema[exclusive]
    if exclusive not in subschema.schema:
        return number(subschema, plain), False
    return tighter((number(subschema, plain), False), (number(subschema, exclusive), True), sign)


def span(subschema: Subschema, low: str, high: str) -> Bounds:
    """The least and the greatest count; None for no greatest one."""
    schema = subschema.schema
    if low not in schema and high not in schema:
        return (0, None)
    least = _natural(subschema, low) or 0
    most = _natural(subschema, high)
    if least > limits.ENDLESS:
        refuse(f"{subschema.path}/{low}", f"nobody writes so much: it is more than {limits.ENDLESS}")
    return least, None if most is not None and most > limits.ENDLESS else most


def _natural(subschema: Subschema, keyword: str) -> int | None:
    value = subschema.schema.get(keyword, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
        refuse(f"{subschema.path}/{keyword}", f"must be a natural number, not {json.dumps(value)}")
    return int(value) if keyword in subschema.schema else None


def supported(pattern: Any, subschema: Subschema, *place: str) -> str:
    """A pattern, if it is supported. place: where it stands in the schema, as keys."""
    try:
        parse(pattern, search=True)
    except (ConstraintError, TypeError) as error:
        refuse("/".join((subschema.path, *map(escape, place))), str(error))
    return pattern


def refuse_large(values: list[Any], subschema: Subschema, keyword: str) -> None:
    """Refuse a number that is too long to be told from others, or one in a list or an object; and what nests deeply."""
    layer, depth = values, 0
    while layer:
        if depth > limits.DEEPEST_CONSTANT:
            refuse(f"{subschema.path}/{keyword}", f"values nested more than {limits.DEEPEST_CONSTANT} levels deep")
        inside: list[Any] = []
        for x in layer:
            if isinstance(x, int) and abs(x) >= TOO_LARGE:  # no float is
                refuse(f"{subschema.path}/{keyword}", f"numbers have at most {numerals.DIGITS_PER_SIDE} digits")
            if isinstance(x, (dict, list)):
                inside += x.values() if isinstance(x, dict) else x
        layer, depth = inside, depth + 1


# --- `type`, `enum` and `const`
def kinds_of(subschema: Subschema) -> frozenset[str]:
    """The kinds of values that `type` allows."""
    types = subschema.schema.get("type")
    if types is None:
        return ALL
    kinds: frozenset[str] = frozenset()
    for name in types if isinstance(types, list) else (types,):
        if not isinstance(name, str) or name not in TYPES:
            problem = f"'type' is one of, or a list of, {', '.join(TYPES)}; not {json.dumps(types)}"
            refuse(f"{subschema.path}/type", problem)
        kinds = kinds | TYPES[name] if kinds else TYPES[name]
    return kinds


def read_type(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read `type`. In draft 4 it depends on the spelling what an integer is: 1.0 is none."""
    conjunction.kinds = kinds_of(subschema)
    if conjunction.kinds & NUMBERS == TYPES["integer"] and subschema.draft == "04":
        conjunction.integers = frozenset([DIGITS])


def read_constants(schema_object: SchemaObject) -> None:
    """Read `enum` and `const`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    values = given(subschema, "enum", list) if "enum" in schema else [schema["const"]]
    if "enum" in schema and "const" in schema:
        values = [value for value in values if equal(value, schema["const"])]
    refuse_large(values, subschema, "enum" if "enum" in schema else "const")
    scalars = []
    for value in values:
        if not isinstance(value, (list, dict)):
            scalars.append(value)
        elif kind_of(value) in conjunction.kinds:
            schema_object.compounds.append(Subschema(_only(value), subschema.path, None))
            schema_object.compound_values.append(value)
    conjunction.values = tuple(scalars)
    conjunction.kinds = conjunction.kinds & SCALARS


def _only(value: Any) -> dict[str, Any]:
    """A schema that a list or an object fits, and nothing else."""
    if isinstance(value, list):
        items = [{"const": item} for item in value]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(value)}
    members = {name: {"const": item} for name, item in value.items()}
    return {"type": "object", "properties": members, "required": list(value), "additionalProperties": False}


# --- the keywords of strings: `minLength`, `maxLength`, `pattern`; and of numbers: `minimum`, `multipleOf` …


def read_strings(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read what strings are: their lengths and pattern, quotes of a document, texts of a grammar."""
    conjunction.lengths = span(subschema, "minLength", "maxLength")
    if "pattern" in subschema.schema:
        conjunction.patterns = (supported(subschema.schema["pattern"], subschema, "pattern"),)
    for keyword, read in (("x-quote", read_quote), ("x-grammar", read_grammar)):
        if keyword in subschema.schema:
            read(subschema, conjunction)


def read_numbers(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read the bounds of numbers and what they are multiples of."""
    conjunction.low, conjunction.low_open = bound(subschema, "minimum", "exclusiveMinimum", 1)
    conjunction.high, conjunction.high_open = bound(subschema, "maximum", "exclusiveMaximum", -1)
    multiple = number(subschema, "multipleOf")
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
    conjunction.counts = span(subschema, "minItems", "maxItems")
    conjunction.unique = given(subschema, "uniqueItems", bool)
    # Drafts before 2020-12 had a list in `items`, and `additionalItems` for the rest.
    older = isinstance(schema.get("items"), list)
    first, others = ("items", "additionalItems") if older else ("prefixItems", "items")
    conjunction.prefix = tuple((subschema.at(first, i),) for i in range(len(given(subschema, first, list))))
    conjunction.evaluated_items = len(conjunction.prefix)
    if others in schema:
        conjunction.items = (subschema.at(others),) if schema[others] not in (True, {}) else ()
        conjunction.evaluated_items = None
    schema_object.inside += [part for subschemas in conjunction.prefix for part in subschemas] + list(conjunction.items)
    return _read_contains(schema_object) if "contains" in schema else []


def _read_contains(schema_object: SchemaObject) -> list[Subschema]:
    subschema, conjunction = schema_object.subschema, schema_object.conjunction
    low, high = span(subschema, "minContains", "maxContains")
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
    conjunction.required = names(subschema, "required")
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
        name = discriminator["propertyName"]  # it tells the branches apart
        if for_generation and name not in conjunction.required:
            conjunction.required = (*conjunction.required, name)
    conjunction.sizes = span(subschema, "minProperties", "maxProperties")
    if for_generation:
        conjunction.declares = bool("properties" in schema or schema.get("patternProperties") or conjunction.required)


def _read_members(schema_object: SchemaObject) -> None:
    """Read `properties`, `patternProperties` and `additionalProperties`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    members: list[tuple[Keys, Subschemas]] = []
    properties = given(subschema, "properties", dict)
    patterns = given(subschema, "patternProperties", dict)
    for name in properties:
        members.append((Keys(frozenset([name])), (subschema.at("properties", name),)))
    for pattern in patterns:
        supported(pattern, subschema, "patternProperties", pattern)
        members.append((Keys(patterns=frozenset([pattern])), (subschema.at("patternProperties", pattern),)))
    evaluated = [Keys(frozenset(properties), frozenset(patterns))] if properties or patterns else []
    if "additionalProperties" in schema:
        evaluated = [EVERY_KEY]
        if schema["additionalProperties"] not in (True, {}):
            keys = Keys(frozenset(properties), frozenset(patterns), others=True)
            members.append((keys, (subschema.at("additionalProperties"),)))
    conjunction.members, conjunction.evaluated = tuple(members), tuple(evaluated)


# --- the keywords that combine schemas: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`, `dependentSchemas`, …

_ONLY_A_CONSTANT = DESCRIBING | {"const"}


def read_combined(schema_object: SchemaObject, references: References) -> None:
    """Read those that are there, in the order of the table."""
    combined = schema_object.combined
    for keyword in COMBINING:
        if keyword not in schema_object.subschema.schema:
            continue
        if keyword.startswith("depend"):
            _read_dependencies(schema_object, keyword)
        elif (values := _constants(schema_object.subschema, keyword)) is not None:
            path = f"{schema_object.subschema.path}/{keyword}"
            combined.append(("anyOf", [Subschema({"enum": values}, path, schema_object.subschema.resource)]))
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
    if keyword not in ("anyOf", "oneOf") or not isinstance(parts, list) or len(parts) < limits.MANY_CONSTANTS:
        return None
    values: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, dict) or not {"const"} <= part.keys() <= _ONLY_A_CONSTANT:
            return None
        if isinstance(part["const"], (list, dict)):
            return None
        values[canonical(part["const"])] = part["const"]
    return list(values.values()) if len(values) == len(parts) else None


def _schemas_of(subschema: Subschema, keyword: str, references: References) -> list[Subschema]:
    """The schemas that a keyword combines; of `if`: the condition, `then`, `else`."""
    schema = subschema.schema
    looked_up = {"$ref": references.target, "$dynamicRef": references.dynamic, "$recursiveRef": references.recursive}
    if keyword in looked_up:
        return [looked_up[keyword](subschema, schema[keyword])]
    if keyword == "not":
        return [subschema.at("not")]
    if keyword == "if":
        true = Subschema(True, subschema.path, None)
        return [subschema.at("if"), *(subschema.at(k) if k in schema else true for k in ("then", "else"))]
    return [subschema.at(keyword, i) for i in range(len(given(subschema, keyword, list)))]


def _read_dependencies(schema_object: SchemaObject, keyword: str) -> None:
    """Read what an object fits if it has some property; its name is taken for a schema here."""
    subschema = schema_object.subschema
    for name, then in given(subschema, keyword, dict).items():
        if isinstance(then, list) and keyword != "dependentSchemas":
            part = Subschema({"required": then}, f"{subschema.path}/{keyword}/{escape(name)}", subschema.resource)
            names(part, "required")
        elif keyword == "dependentRequired":
            refuse(f"{subschema.path}/{keyword}/{escape(name)}", f"must be a list of names, not {json.dumps(then)}")
        else:
            part = subschema.at(keyword, name)
        schema_object.inside.append(part)
        schema_object.combined.append((keyword, [Subschema(name, f"{subschema.path}/{keyword}", None), part]))


# --- reader

#: What may stand beside a `$ref` in a schema that only refers to another.
_SAYS_NOTHING_ELSE = DESCRIBING | DEFINITIONS | {"$ref", "$schema", *IDENTIFIERS}


class KeywordReader:
    """Schema objects, each read once.

    Args:
        root: the schema.
        asserts_formats: whether `format` restricts strings; else it only describes them.
        for_generation: whether values are meant to be of the type that a schema speaks of, where it does not say one.

    Attributes:
        unique: whether some array has `uniqueItems`. tracks: whether something asks what was evaluated.
        nested_texts: whether some string holds JSON. irregular: whether some is of a format that is (`strings.py`).
        negated: schemas that something must not fit.
    """

    def __init__(self, root: Any, asserts_formats: bool, for_generation: bool):
        self.references = References(root)
        self.asserts_formats, self.for_generation = asserts_formats, for_generation
        self.root = Subschema(root, "#", self.references.root)
        self.unique = self.tracks = self.nested_texts = self.irregular = False
        self.negated: list[Subschema] = []
        self._read: dict[Any, SchemaObject] = {}  # by the key of the subschema, whether it fits or not
        self._listings: list[Subschema] = []  # so that the ids in their keys remain their own

    def read(self, subschema: Subschema) -> SchemaObject:
        """A schema object's keywords, checked; of one that only refers to another, those of the other."""
        schema_object = self._read.get(subschema.key[0])
        if schema_object is not None:
            return schema_object
        referring: dict[Any, None] = {}  # the keys of those that only refer to others
        while (key := subschema.key[0]) not in self._read:
            subschema = self._with_its_keywords(subschema)
            target = self._only_target(subschema) if "$ref" in subschema.schema else None
            if target is None:
                self._read[key] = self._read_object(subschema)
            else:
                referring[key] = None
                if target.key[0] in referring:
                    refuse(target.path, "leads back to itself")
                subschema = target
        schema_object = self._read[key]
        self._read.update(dict.fromkeys(referring, schema_object))
        return schema_object

    def _only_target(self, subschema: Subschema) -> Subschema | None:
        """The schema object that a schema with a `$ref` refers to, if it says nothing else."""
        if not subschema.schema.keys() <= _SAYS_NOTHING_ELSE:
            return None
        _check_names(subschema)
        target = self.references.target(subschema, subschema.schema["$ref"])
        return None if isinstance(target.schema, bool) else target

    def _with_its_keywords(self, subschema: Subschema) -> Subschema:
        """A schema with the keywords that count in its draft, and its resource."""
        schema = subschema.schema
        if not isinstance(schema, dict):
            refuse(subschema.path, f"a schema is an object or a boolean, not {json.dumps(schema)}")
        if subschema.resource is not None and ("$id" in schema or "id" in schema):
            subschema = subschema.read_as(schema, self.references.resource_of(subschema))
        if "$ref" in schema and refs_stand_alone(subschema.draft):
            subschema = subschema.read_as({"$ref": schema["$ref"]}, subschema.resource)
        elif subschema.draft is not None:
            keywords = drafts.own_keywords(subschema, subschema.draft, self.for_generation)
            subschema = subschema.read_as(keywords, subschema.resource)
        if self.for_generation and given(subschema, "nullable", bool):
            subschema = subschema.read_as(drafts.with_null(subschema), subschema.resource)
        return subschema

    def _read_object(self, subschema: Subschema) -> SchemaObject:
        conjunction = Conjunction(origin=subschema)
        schema_object = SchemaObject(subschema if subschema.fits else subschema.negated(), conjunction)
        self._read_keywords(schema_object)
        self.irregular = self.irregular or any(map(is_irregular, conjunction.formats))
        if self.for_generation:
            present = subschema.schema.keys()
            if not present <= KEYWORDS.keys():
                drafts.refuse_misspelt(subschema, kinds_of(subschema))
            kinds = (SPEAKS_OF[keyword] for keyword in present & SPEAKS_OF.keys())
            conjunction.mentioned = frozenset().union(*kinds)
        schema_object.plain = not (schema_object.combined or schema_object.compounds or schema_object.evaluates)
        return schema_object

    def _read_keywords(self, schema_object: SchemaObject) -> None:
        subschema, conjunction = schema_object.subschema, schema_object.conjunction
        groups = set(map(GROUPS.get, subschema.schema))
        if "names" in groups:
            _check_names(subschema)
        if "type" in groups:
            read_type(subschema, conjunction)
        if "constants" in groups:
            read_constants(schema_object)
        if "numbers" in groups:
            read_numbers(subschema, conjunction)
        if "strings" in groups:
            read_strings(subschema, conjunction)
        if "format" in groups and self.asserts_formats:
            self._read_format(schema_object)
        if "arrays" in groups:
            self.negated += read_arrays(schema_object)
            self.unique = self.unique or conjunction.unique
        if "objects" in groups:
            read_objects(schema_object, self.for_generation)
        if groups & {"combining", "depending"}:
            read_combined(schema_object, self.references)
        if "unevaluated" in groups:
            self.tracks = schema_object.evaluates = True
            schema_object.inside += [subschema.at(word) for word in UNEVALUATED if word in subschema.schema]

    def _read_format(self, schema_object: SchemaObject) -> None:
        """Read `format`, and note whether strings hold JSON."""
        conjunction = schema_object.conjunction
        read_format(schema_object.subschema, conjunction, self.for_generation)
        if conjunction.contents is not None:
            self.nested_texts = True
            schema_object.inside += conjunction.contents

    def either(self, subschemas: list[Subschema]) -> Subschema:
        """A schema for the values that fit at least one of these."""
        schema = {"anyOf": [subschema.schema for subschema in subschemas]}
        whole = Subschema(schema, subschemas[-1].path, subschemas[-1].resource)
        schema_object = self._read[whole.key[0]] = SchemaObject(whole, Conjunction(origin=whole))
        schema_object.combined.append(("anyOf", subschemas))
        return whole

    def listing(self, values: list[Any]) -> Subschema:
        """A schema that these values fit, and no others; their numbers, if unspelled, in every spelling (`Scalars`)."""
        subschema = Subschema(MadeSchema(enum=values), "#", None)
        self._listings.append(subschema)
        return subschema


def _check_names(subschema: Subschema) -> None:
    """Refuse a name of a schema that is no string, and definitions that are no schemas by name."""
    for keyword in IDENTIFIERS:
        if keyword in subschema.schema:
            given(subschema, keyword, str)
    for keyword in DEFINITIONS:
        given(subschema, keyword, dict)
