"""Reading a JSON Schema: keywords checked, references followed, combinations multiplied out.

A schema comes to a list of `Flat`s, any one of which a valid value fits. A `Flat` is one conjunction of keywords;
`merge` is its law:   fits(v, merge(a, b))  <=>  fits(v, a) and fits(v, b)
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any, NoReturn
from urllib.parse import unquote

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import formats, numerals
from outlines_cont.fsm.json_text import accepts, decoded_string
from outlines_cont.fsm.language import VOID, Node, Span
from outlines_cont.fsm.pattern import parse

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
BRANCH_LIMIT = 2_000

#: What restricts nothing.
ANNOTATIONS = frozenset(
    """
    $schema $id id $comment $defs definitions $anchor $vocabulary title description default example examples deprecated
    readOnly writeOnly discriminator nullable xml externalDocs links
    """.split()  # noqa: SIM905
)
#: The type of value that a keyword speaks of.
SPEAKS_OF = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
    **dict.fromkeys(("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"), "array"),
    **dict.fromkeys(("properties", "required", "additionalProperties", "minProperties", "maxProperties"), "object"),
}
#: What is refused by name.
NOT_YET = frozenset(
    """
    not if then else contains minContains maxContains propertyNames patternProperties dependentRequired dependentSchemas
    dependencies unevaluatedItems unevaluatedProperties $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor
    """.split()  # noqa: SIM905
)
#: OpenAPI's formats of numbers, as bounds.
NUMERIC_FORMATS = {
    "int32": (Fraction(-(2**31)), Fraction(2**31 - 1)),
    "int64": (Fraction(-(2**63)), Fraction(2**63 - 1)),
    "float": (None, None),
    "double": (None, None),
}


KNOWN = frozenset({"type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf", *ANNOTATIONS, *SPEAKS_OF, *NOT_YET})


@dataclass(frozen=True, eq=False)
class Place:
    """A schema, where it stands, and the references that were followed to get there."""

    schema: Any
    path: str
    refs: frozenset[str]

    def at(self, *keys: Any) -> Place:
        schema, path = self.schema, self.path
        for key in keys:
            schema = schema[key]
            path += "/" + str(key).replace("~", "~0").replace("/", "~1")
        return Place(schema, path, self.refs)


Places = tuple[Place, ...]  # all of them hold


@dataclass(frozen=True)
class Flat:
    """One conjunction of keywords, without references and combinations: what `Places` come to, branch by branch."""

    path: str
    said: frozenset[str] = frozenset()  # the keywords that were given
    types: frozenset[str] | None = None
    values: tuple[Any, ...] | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    multiple: Fraction | None = None
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    lengths: Span = (0, None)
    prefix: tuple[Places, ...] = ()
    items: Places = ()  # of what comes after the prefix
    counts: Span = (0, None)
    unique: bool = False
    properties: dict[str, Places] = field(default_factory=dict)
    additional: Places = ()  # of the other properties
    required: tuple[str, ...] = ()
    sizes: Span = (0, None)


def merge(a: Flat, b: Flat) -> Flat:
    """Both hold."""
    types = b.types if a.types is None else a.types if b.types is None else _both_types(a.types, b.types)
    values = b.values if a.values is None else a.values
    if a.values is not None and b.values is not None:
        values = tuple(x for x in a.values if any(equal(x, y) for y in b.values))
    low, low_open = _tighter((a.low, a.low_open), (b.low, b.low_open), 1)
    high, high_open = _tighter((a.high, a.high_open), (b.high, b.high_open), -1)
    multiple = b.multiple if a.multiple is None else a.multiple
    if a.multiple is not None and b.multiple is not None:
        multiple = Fraction(
            lcm(a.multiple.numerator, b.multiple.numerator), gcd(a.multiple.denominator, b.multiple.denominator)
        )
    return Flat(
        a.path,
        a.said | b.said,
        types,
        values,
        low,
        high,
        low_open,
        high_open,
        multiple,
        _together(a.patterns, b.patterns),
        _together(a.formats, b.formats),
        _narrower(a.lengths, b.lengths),
        tuple(item_at(a, i) + item_at(b, i) for i in range(max(len(a.prefix), len(b.prefix)))),
        a.items + b.items,
        _narrower(a.counts, b.counts),
        a.unique or b.unique,
        {name: property_of(a, name) + property_of(b, name) for name in {**a.properties, **b.properties}},
        a.additional + b.additional,
        _together(a.required, b.required),
        _narrower(a.sizes, b.sizes),
    )


def implied(flat: Flat) -> frozenset[str] | None:
    """The types of the values that are generated; None if nothing is said of types."""
    spoken = frozenset(SPEAKS_OF[keyword] for keyword in flat.said if keyword in SPEAKS_OF)
    return flat.types if flat.types is not None or not spoken else spoken


def with_types(flat: Flat, context: Flat) -> Flat:
    """A flat that says the types that are implied where it stands."""
    both = merge(context, flat)
    return flat if both.types is not None else replace(flat, types=implied(both))


def item_at(flat: Flat, i: int) -> Places:
    return flat.prefix[i] if i < len(flat.prefix) else flat.items


def property_of(flat: Flat, name: str) -> Places:
    return flat.properties.get(name, flat.additional)


def equal(a: Any, b: Any) -> bool:
    """JSON equality: 1 is 1.0, and true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def _both_types(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    either = {"integer"} if ("integer" in a and "number" in b) or ("number" in a and "integer" in b) else set()
    return frozenset(a & b | either)


def _tighter(a: tuple[Any, bool], b: tuple[Any, bool], sign: int) -> tuple[Any, bool]:
    if a[0] is None or b[0] is None:
        return b if a[0] is None else a
    return max(a, b, key=lambda bound: (sign * bound[0], bound[1]))


def _together(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(a + b))


def _narrower(a: Span, b: Span) -> Span:
    highs = [x for x in (a[1], b[1]) if x is not None]
    return max(a[0], b[0]), min(highs, default=None)


class Reader:
    """Schemas as `Flat`s: references followed, combinations multiplied out."""

    def __init__(self, root: Any):
        self.root = root

    def flats(self, places: Places) -> list[Flat]:
        """The branches of what `places` come to; a value is valid if it fits one of them."""
        return self.all_of([self.options(place) for place in places], places[0].path if places else "#")

    def all_of(self, parts: list[list[Flat]], path: str) -> list[Flat]:
        result = [Flat(path)]
        for part in parts:
            if len(result) * len(part) > BRANCH_LIMIT:
                refuse(path, f"the combinations come to more than {BRANCH_LIMIT} branches")
            result = [merge(a, b) for a in result for b in part]
        return result

    def options(self, place: Place) -> list[Flat]:
        schema = place.schema
        if schema is True:
            return [Flat(place.path)]
        if schema is False:
            return []
        if not isinstance(schema, dict):
            refuse(place.path, f"a schema is an object or a boolean, not {json.dumps(schema)}")
        own = self.own(place)
        parts = [[own]]
        if "$ref" in schema:
            parts.append(self.options(self.target(place)))
        for i in range(len(self.listed(place, "allOf"))):
            parts.append(self.options(place.at("allOf", i)))
        if "anyOf" in schema:
            branches = [self.options(place.at("anyOf", i)) for i in range(len(self.listed(place, "anyOf")))]
            parts.append([flat for branch in branches for flat in branch])
        if "oneOf" in schema:
            branches = [
                [with_types(flat, own) for flat in self.options(place.at("oneOf", i))]
                for i in range(len(self.listed(place, "oneOf")))
            ]
            for i, j in combinations(range(len(branches)), 2):
                if not all(self.empty(merge(own, merge(a, b))) for a in branches[i] for b in branches[j]):
                    refuse(place.at("oneOf").path, f"branches {i} and {j} may both match, which is not supported yet")
            parts.append([flat for branch in branches for flat in branch])
        return self.all_of(parts, place.path)

    def listed(self, place: Place, keyword: str) -> list[Any]:
        schemas = place.schema.get(keyword, [])
        if not isinstance(schemas, list):
            refuse(f"{place.path}/{keyword}", "must be a list of schemas")
        return schemas

    def target(self, place: Place) -> Place:
        ref = place.schema["$ref"]
        here = f"{place.path}/$ref"
        if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
            refuse(here, f"only references within the schema, as JSON pointers, are supported, not {ref!r}")
        if ref in place.refs:
            refuse(here, f"recursive schemas are not supported yet: {ref!r} leads back to itself")
        found = self.root
        for key in ref.split("/")[1:]:
            key = unquote(key).replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(key)] if isinstance(found, list) else found[key]
            except (KeyError, IndexError, ValueError, TypeError):
                refuse(here, f"{ref!r} leads nowhere")
        return Place(found, ref, place.refs | {ref})

    def own(self, place: Place) -> Flat:
        """The keywords of one schema object itself."""
        schema, path, get = place.schema, place.path, place.schema.get
        for keyword in schema:
            if keyword in NOT_YET and not (keyword.startswith("unevaluated") and schema[keyword] in (True, {})):
                refuse(f"{path}/{keyword}", f"{keyword!r} is not supported yet")
            if keyword not in KNOWN and not keyword.startswith("x-"):
                refuse(f"{path}/{keyword}", f"{keyword!r} is not a keyword of JSON Schema that is enforced here")
        types = get("type")
        if types is not None:
            types = frozenset([types] if isinstance(types, str) else types if isinstance(types, list) else ["?"])
            if not types <= set(TYPES):
                refuse(f"{path}/type", f"is one of, or a list of, {', '.join(TYPES)}; not {json.dumps(get('type'))}")
        values = None
        if "enum" in schema:
            values = tuple(self.listed(place, "enum"))
        if "const" in schema:
            values = tuple(v for v in (schema["const"],) if values is None or any(equal(v, x) for x in values))
        low, low_open = self.bound(place, "minimum", "exclusiveMinimum", 1)
        high, high_open = self.bound(place, "maximum", "exclusiveMaximum", -1)
        multiple = self.number(place, "multipleOf")
        if multiple is not None and multiple <= 0:
            refuse(f"{path}/multipleOf", "must be greater than 0")
        names: tuple[str, ...] = ()
        if "format" in schema:
            name = schema["format"]
            if name in NUMERIC_FORMATS:
                low, low_open = _tighter((low, low_open), (NUMERIC_FORMATS[name][0], False), 1)
                high, high_open = _tighter((high, high_open), (NUMERIC_FORMATS[name][1], False), -1)
            elif not isinstance(name, str) or formats.language(name) is None:
                refuse(f"{path}/format", f"the format {name!r} is not supported")
            else:
                names = (name,)
        patterns = (schema["pattern"],) if "pattern" in schema else ()
        for text in patterns:
            try:
                parse(text, search=True)
            except (ConstraintError, TypeError) as error:
                refuse(f"{path}/pattern", str(error))
        items = get("items")
        prefix: tuple[Places, ...] = ()
        rest: Places = ()
        first = "items" if isinstance(items, list) else "prefixItems"  # drafts before 2020-12 had a list in `items`
        prefix = tuple((place.at(first, i),) for i in range(len(self.listed(place, first))))
        for keyword in ("additionalItems",) if first == "items" else ("items",):
            if get(keyword, True) is not True:
                rest = (place.at(keyword),)
        properties = get("properties", {})
        if not isinstance(properties, dict):
            refuse(f"{path}/properties", "must be an object of schemas")
        required = self.strings(place, "required")
        discriminator = get("discriminator")
        if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
            required = _together(required, (discriminator["propertyName"],))  # it tells the branches apart
        unique = get("uniqueItems", False)
        return Flat(
            path,
            frozenset(schema),
            types,
            values,
            low,
            high,
            low_open,
            high_open,
            multiple,
            patterns,
            names,
            self.span(place, "minLength", "maxLength"),
            prefix,
            rest,
            self.span(place, "minItems", "maxItems"),
            bool(unique),
            {name: (place.at("properties", name),) for name in properties},
            (place.at("additionalProperties"),) if get("additionalProperties", True) not in (True, {}) else (),
            required,
            self.span(place, "minProperties", "maxProperties"),
        )

    def bound(self, place: Place, plain: str, exclusive: str, sign: int) -> tuple[Fraction | None, bool]:
        if isinstance(place.schema.get(exclusive), bool):  # draft 4: whether the plain bound is exclusive
            return self.number(place, plain), place.schema[exclusive]
        return _tighter((self.number(place, plain), False), (self.number(place, exclusive), True), sign)

    def number(self, place: Place, keyword: str) -> Fraction | None:
        value = place.schema.get(keyword)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value in (float("inf"), float("-inf")):
            refuse(f"{place.path}/{keyword}", f"must be a number, not {json.dumps(value)}")
        return Fraction(repr(value))

    def span(self, place: Place, low: str, high: str) -> Span:
        for keyword in (low, high):
            value = place.schema.get(keyword, 0)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
                refuse(f"{place.path}/{keyword}", f"must be a natural number, not {json.dumps(value)}")
        return int(place.schema.get(low, 0)), int(place.schema[high]) if high in place.schema else None

    def strings(self, place: Place, keyword: str) -> tuple[str, ...]:
        value = place.schema.get(keyword, [])
        if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
            refuse(f"{place.path}/{keyword}", f"must be a list of names, not {json.dumps(value)}")
        return tuple(dict.fromkeys(value))

    # What the standard says of a value or of all values, whatever is generated

    def fits(self, value: Any, flat: Flat) -> bool:
        """Whether a value is valid."""
        kind = kind_of(value)
        if flat.values is not None and not any(equal(value, x) for x in flat.values):
            return False
        if flat.types is not None and kind not in flat.types and not (kind == "integer" and "number" in flat.types):
            return False
        if kind == "string":
            if not flat.patterns and not flat.formats:
                return within(len(value), flat.lengths)
            return accepts(decoded_string(flat.patterns, flat.formats, *flat.lengths), value)
        if kind in ("integer", "number"):
            x, low, high = Fraction(repr(value)), flat.low, flat.high
            return (
                (low is None or x > low or (x == low and not flat.low_open))
                and (high is None or x < high or (x == high and not flat.high_open))
                and (flat.multiple is None or (x / flat.multiple).denominator == 1)
            )
        if kind == "array":
            if flat.unique and any(equal(x, y) for x, y in combinations(value, 2)):
                return False
            return within(len(value), flat.counts) and all(
                any(self.fits(x, f) for f in self.flats(item_at(flat, i))) for i, x in enumerate(value)
            )
        if kind == "object":
            return (
                within(len(value), flat.sizes)
                and all(name in value for name in flat.required)
                and all(any(self.fits(x, f) for f in self.flats(property_of(flat, name))) for name, x in value.items())
            )
        return True

    def empty(self, flat: Flat) -> bool:
        """Whether no value at all can be valid: True only if that is proven."""
        if flat.values is not None:
            return not any(self.fits(value, flat) for value in flat.values)
        if flat.types is None:
            return False
        return all(self.empty_as(kind, flat) for kind in flat.types)

    def empty_as(self, kind: str, flat: Flat) -> bool:
        def nothing(places: Places) -> bool:
            return all(map(self.empty, self.flats(places)))

        if kind == "string":
            return decoded_string(flat.patterns, flat.formats, *flat.lengths) is VOID
        if kind in ("integer", "number"):
            return numeral(kind, flat) is VOID
        low, high = flat.counts if kind == "array" else flat.sizes if kind == "object" else (0, None)
        if high is not None and low > high:
            return True
        if kind == "array":
            return any(nothing(item_at(flat, i)) for i in range(min(low, len(flat.prefix) + 1)))
        if kind == "object":
            return any(nothing(property_of(flat, name)) for name in flat.required) or len(flat.required) > (high or 1e9)
        return False


def refuse(path: str, what: str) -> NoReturn:
    raise ConstraintError(f"JSON Schema, at {path}: {what}")


def kind_of(value: Any) -> str:
    """The narrowest JSON type of a value: 2.0 is an integer."""
    if value is None:
        return "null"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    for python_type, name in ((bool, "boolean"), (int, "integer"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, python_type):
            return name
    raise ConstraintError(f"{value!r} is no JSON value")


def numeral(kind: str, flat: Flat) -> Node:
    """The JSON numbers within the bounds of `flat`."""
    low, high, multiple = flat.low, flat.high, flat.multiple
    if multiple is not None and not numerals.manageable(multiple):
        refuse(f"{flat.path}/multipleOf", f"multiples of {float(multiple):g} need too many states")
    if kind == "number":
        return numerals.decimals(low, high, flat.low_open, flat.high_open, multiple)
    if low is not None and flat.low_open and low.denominator == 1:
        low += 1
    if high is not None and flat.high_open and high.denominator == 1:
        high -= 1
    return numerals.integers(low, high, multiple)


def within(count: int, span: Span) -> bool:
    return span[0] <= count and (span[1] is None or count <= span[1])
