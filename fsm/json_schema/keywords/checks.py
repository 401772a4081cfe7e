"""The values of keywords: a list, an object, a number, a bound … or a refusal that says where it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from outlines_cont.errors import ConstraintError

from ...language.nodes import Bounds
from ...patterns.parser import parse
from .. import formats, numerals
from ..conjunction import ALL, DIGITS, NUMBERS, SCALARS, Conjunction, Subschema, equal, kind_of, refuse, tighter
from ..strings import Strings, refuse_beside_expressions

ENDLESS = 2**31  # a bound above this is dropped: nobody writes so many characters, items or properties
DEEPEST_CONSTANT = 32  # levels of lists and objects in `enum` and `const`


def list_of(subschema: Subschema, keyword: str) -> list[Any]:
    """A list; an empty one if the keyword is not there."""
    value = subschema.schema.get(keyword, [])
    if not isinstance(value, list):
        refuse(f"{subschema.path}/{keyword}", f"must be a list, not {json.dumps(value)}")
    return value


def schemas_by_name(subschema: Subschema, keyword: str) -> dict[str, Any]:
    """An object of schemas; an empty one if the keyword is not there."""
    value = subschema.schema.get(keyword, {})
    if not isinstance(value, dict):
        refuse(f"{subschema.path}/{keyword}", f"must be an object of schemas, not {json.dumps(value)}")
    return value


def string(subschema: Subschema, keyword: str) -> str:
    """A string."""
    value = subschema.schema[keyword]
    if not isinstance(value, str):
        refuse(f"{subschema.path}/{keyword}", f"must be a string, not {json.dumps(value)}")
    return value


def boolean(subschema: Subschema, keyword: str) -> bool:
    """Whether a keyword is true; False if it is not there."""
    value = subschema.schema.get(keyword, False)
    if not isinstance(value, bool):
        refuse(f"{subschema.path}/{keyword}", f"must be true or false, not {json.dumps(value)}")
    return value


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
    return tighter((number(subschema, plain), False), (number(subschema, exclusive), True), sign)


def span(subschema: Subschema, low: str, high: str) -> Bounds:
    """The least and the greatest count; None for no greatest one."""
    schema = subschema.schema
    if low not in schema and high not in schema:
        return (0, None)
    least = _natural(subschema, low) or 0
    most = _natural(subschema, high)
    if least > ENDLESS:
        refuse(f"{subschema.path}/{low}", f"nobody writes so much: it is more than {ENDLESS}")
    return least, None if most is not None and most > ENDLESS else most


def _natural(subschema: Subschema, keyword: str) -> int | None:
    value = subschema.schema.get(keyword, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
        refuse(f"{subschema.path}/{keyword}", f"must be a natural number, not {json.dumps(value)}")
    return int(value) if keyword in subschema.schema else None


def pattern(value: Any, path: str) -> str:
    """A pattern, if it is supported."""
    try:
        parse(value, search=True)
    except (ConstraintError, TypeError) as error:
        refuse(path, str(error))
    return value


def refuse_large(values: list[Any], subschema: Subschema, keyword: str) -> None:
    """Refuse a number that is too long to be told from others, or one in a list or an object; and what nests deeply."""
    layer, depth = values, 0
    while layer:
        if depth > DEEPEST_CONSTANT:
            refuse(f"{subschema.path}/{keyword}", f"values nested more than {DEEPEST_CONSTANT} levels deep")
        inside: list[Any] = []
        for x in layer:
            if isinstance(x, int) and abs(x) >= _TOO_LARGE:  # no float is
                refuse(f"{subschema.path}/{keyword}", f"numbers have at most {numerals.DIGITS_PER_SIDE} digits")
            if isinstance(x, (dict, list)):
                inside += x.values() if isinstance(x, dict) else x
        layer, depth = inside, depth + 1


_TOO_LARGE = 10**numerals.DIGITS_PER_SIDE


# --- `type`, `enum` and `const`

TYPES = {
    **{kind: frozenset([kind]) for kind in ("null", "boolean", "integer", "string", "array", "object")},
    "number": NUMBERS,
}
_ONLY_INTEGERS = frozenset(["integer"])


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
    if conjunction.kinds & NUMBERS == _ONLY_INTEGERS and subschema.draft == "04":
        conjunction.integers = frozenset([DIGITS])


def read_constants(schema_object: SchemaObject, keep: Callable[[Any], Any]) -> None:
    """Read `enum` and `const`. keep: see `KeywordReader.keep`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    values = list_of(subschema, "enum") if "enum" in schema else [schema["const"]]
    if "enum" in schema and "const" in schema:
        values = [value for value in values if equal(value, schema["const"])]
    refuse_large(values, subschema, "enum" if "enum" in schema else "const")
    scalars = []
    for value in values:
        if not isinstance(value, (list, dict)):
            scalars.append(value)
        elif kind_of(value) in conjunction.kinds:
            schema_object.compounds.append(Subschema(keep(_only(value)), subschema.path, None))
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


# --- the keywords of strings: `minLength`, `maxLength`, `pattern`; and `format`, which may also speak of numbers

#: OpenAPI's formats of numbers, as bounds.
NUMERIC_FORMATS = {
    "int32": (Fraction(-(2**31)), Fraction(2**31 - 1)),
    "int64": (Fraction(-(2**63)), Fraction(2**63 - 1)),
    "float": (None, None),
    "double": (None, None),
}


#: The format, of pydantic 1, of a string that holds JSON: of what kind says `contentSchema`, which else only describes.
JSON_STRING = "json-string"


def read_strings(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read the lengths and the pattern of strings."""
    conjunction.lengths = span(subschema, "minLength", "maxLength")
    if "pattern" in subschema.schema:
        conjunction.patterns = (pattern(subschema.schema["pattern"], f"{subschema.path}/pattern"),)


def read_format(subschema: Subschema, conjunction: Conjunction, for_generation: bool) -> None:
    """Read `format` as an assertion. A name that the standard does not know only describes.

    for_generation: see `KeywordReader`; then texts are of the part that readers understand.
    """
    name, path = subschema.schema["format"], f"{subschema.path}/format"
    if name == JSON_STRING:
        conjunction.contents = (subschema.at("contentSchema"),) if "contentSchema" in subschema.schema else ()
        return
    if not isinstance(name, str):
        refuse(path, f"must be a string, not {json.dumps(name)}")
    if name in NUMERIC_FORMATS:
        low, high = NUMERIC_FORMATS[name]
        conjunction.low, conjunction.low_open = tighter((conjunction.low, conjunction.low_open), (low, False), 1)
        conjunction.high, conjunction.high_open = tighter((conjunction.high, conjunction.high_open), (high, False), -1)
    elif name in formats.REFUSED_FORMATS:
        refuse(path, f"the format {name!r} is not supported")
    elif formats.is_known(name):
        conjunction.formats = (formats.readable(name) if for_generation else name,)
        try:
            refuse_beside_expressions(Strings.of(conjunction))
        except ConstraintError as error:
            refuse(subschema.path, str(error))


# --- what one schema object says, after its keywords were read


class SchemaObject:
    """One schema object, read.

    Attributes:
        subschema: the schema, and where it stands; not negated.
        conjunction: its own keywords, without those that combine schemas.
        compounds: the lists and objects of its `enum`, each as a schema; a value may also fit one of these.
        compound_values: the same, as they are.
        combined: the schemas that it combines, as (keyword, subschemas).
        inside: all the schemas within it.
        evaluates: whether it has a keyword of what is unevaluated.
    """

    __slots__ = ("combined", "compound_values", "compounds", "conjunction", "evaluates", "inside", "subschema")

    def __init__(self, subschema: Subschema, conjunction: Conjunction):
        self.subschema, self.conjunction = subschema, conjunction
        self.compounds: list[Subschema] = []
        self.compound_values: list[Any] = []
        self.combined: list[tuple[str, list[Subschema]]] = []
        self.inside: list[Subschema] = []
        self.evaluates = False

    @property
    def plain(self) -> bool:
        """Whether its conjunction says all that it says."""
        return not (self.combined or self.compounds or self.evaluates)
