"""One object of a JSON Schema: its keywords, checked and brought into a `Conjunction`; and the schemas within it."""

from __future__ import annotations

import json
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.nodes import Span
from ..patterns.parser import parse
from . import formats, numerals
from .conjunction import (
    ALL,
    EVERY_KEY,
    NUMBERS,
    SCALARS,
    Conjunction,
    Contains,
    Keys,
    Place,
    Places,
    equal,
    escape,
    kind_of,
    tighter,
)
from .references import Library, refuse

TYPES = {
    **{kind: frozenset([kind]) for kind in ("null", "boolean", "integer", "string", "array", "object")},
    "number": NUMBERS,
}
#: The kinds of values that a keyword speaks of.
SPEAKS_OF = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), frozenset(["string"])),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), NUMBERS),
    **dict.fromkeys(("items", "prefixItems", "additionalItems", "minItems", "maxItems"), frozenset(["array"])),
    **dict.fromkeys(("uniqueItems", "contains", "unevaluatedItems"), frozenset(["array"])),
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties", "required"), frozenset(["object"])),
    **dict.fromkeys(("minProperties", "maxProperties", "propertyNames", "dependencies"), frozenset(["object"])),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "unevaluatedProperties"), frozenset(["object"])),
}
_NUMERIC = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_STRINGS = ("minLength", "maxLength", "pattern")
_ARRAYS = ("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains")
_OBJECTS = ("properties", "patternProperties", "additionalProperties", "required", "minProperties", "maxProperties")
_OBJECTS = (*_OBJECTS, "propertyNames", "discriminator")
#: What combines other schemas, in place.
_APPLICATORS = ("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if")
_APPLICATORS = (*_APPLICATORS, "dependentSchemas", "dependentRequired", "dependencies")
UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
#: OpenAPI's formats of numbers, as bounds.
NUMERIC_FORMATS = {
    "int32": (Fraction(-(2**31)), Fraction(2**31 - 1)),
    "int64": (Fraction(-(2**63)), Fraction(2**63 - 1)),
    "float": (None, None),
    "double": (None, None),
}


#: All that the standard, its older drafts and OpenAPI know.
KNOWN = frozenset(
    """
    $schema $id id $comment $defs definitions $anchor $vocabulary title description default example examples deprecated
    readOnly writeOnly nullable xml externalDocs links contentEncoding contentMediaType contentSchema $dynamicAnchor
    $recursiveAnchor then else minContains maxContains type enum const
    """.split()  # noqa: SIM905
) | {*SPEAKS_OF, *_OBJECTS, *_APPLICATORS, *UNEVALUATED}


ENDLESS = 2**31  # what has more characters, items or properties than this is not held to a bound


class Read:
    """One schema object, read.

    Attributes:
        own: its own keywords, without those that combine schemas.
        values: the lists and objects of its `enum`, each as a schema; a value may also be one of them.
        listed: the same, as they are.
        parts: what it combines, (keyword, places).
        inside: all the schemas within it.
    """

    __slots__ = ("inside", "listed", "own", "parts", "place", "values")

    def __init__(self, place: Place, own: Conjunction):
        self.place, self.own = place, own
        self.values: list[Place] = []
        self.listed: list[Any] = []
        self.parts: list[tuple[str, list[Place]]] = []
        self.inside: list[Place] = []


class Keywords:
    """Schema objects, each read once.

    Args:
        root: the schema.
        assertive: whether `format` restricts strings; else it only describes them.
        plainly: whether values are meant to be of the type that a schema speaks of, where it does not say one.

    Attributes:
        root: the place of the schema.
        unique: whether some array has `uniqueItems`. tracks: whether something asks what was evaluated.
        negated: schemas that something must not fit.
    """

    def __init__(self, root: Any, assertive: bool, plainly: bool):
        self.library, self.assertive, self.plainly = Library(root), assertive, plainly
        self.root = Place(root, "#", self.library.root)
        self.unique = self.tracks = False
        self.negated: list[Place] = []
        self.objects: dict[Any, Read] = {}  # by what places have in common that mean the same
        self._kept: list[Any] = []  # so that the ids in the keys of places remain their own

    def read(self, place: Place) -> Read:
        """A schema object's keywords, checked."""
        schema = place.schema
        found = self.objects.get(place.key[0])
        if found is not None:
            return found
        if not isinstance(schema, dict):
            refuse(place.path, f"a schema is an object or a boolean, not {json.dumps(schema)}")
        if place.home is not None and ("$id" in schema or "id" in schema):
            place = Place(schema, place.path, self.library.home(schema, place.path, place.home), place.fits)
        read = self.objects[place.key[0]] = Read(place if place.fits else place.no(), Conjunction(place.path))
        if "$ref" in schema and place.home is not None and place.home.legacy:  # where it stands alone
            self._combined(read, ("$ref",))
            return read
        present = schema.keys()
        conjunction = read.own
        if "type" in schema:
            conjunction.kinds = self._types(place)
        if "enum" in schema or "const" in schema:
            self._values(read)
        if not present.isdisjoint(_NUMERIC):
            self._numbers(read.place, conjunction)
        if not present.isdisjoint(_STRINGS):
            self._strings(read.place, conjunction)
        if "format" in schema and self.assertive:
            self._format(read.place, conjunction)
        if not present.isdisjoint(_ARRAYS):
            self._arrays(read, conjunction)
        if not present.isdisjoint(_OBJECTS):
            self._objects(read, conjunction)
        if not present.isdisjoint(_APPLICATORS):
            self._combined(read, _APPLICATORS)
        for keyword in UNEVALUATED:
            if keyword in schema:
                self.tracks = True
                read.inside.append(read.place.at(keyword))
        if self.plainly:
            for keyword in present - KNOWN:
                meant = _misspelt(keyword)
                if meant is not None:
                    refuse(f"{place.path}/{escape(keyword)}", f"{keyword!r} is no keyword of JSON Schema: {meant!r}?")
            conjunction.said = frozenset().union(*(SPEAKS_OF[keyword] for keyword in present & SPEAKS_OF.keys()))
        return read

    def _types(self, place: Place) -> frozenset[str]:
        types = place.schema.get("type")
        if types is None:
            return ALL
        types = types if isinstance(types, list) else [types]
        if not all(isinstance(t, str) and t in TYPES for t in types):
            what = f"'type' is one of, or a list of, {', '.join(TYPES)}; not {json.dumps(place.schema['type'])}"
            refuse(f"{place.path}/type", what)
        return frozenset().union(*(TYPES[t] for t in types))

    def _values(self, read: Read) -> None:
        place, schema = read.place, read.place.schema
        values = self.listed(place, "enum") if "enum" in schema else [schema["const"]]
        if "enum" in schema and "const" in schema:
            values = [value for value in values if equal(value, schema["const"])]
        scalars = []
        for value in values:
            if _has_long(value):
                what = f"numbers have at most {numerals.DIGITS_PER_SIDE} digits"
                refuse(f"{place.path}/{'enum' if 'enum' in schema else 'const'}", what)
            if isinstance(value, (list, dict)):
                if kind_of(value) in read.own.kinds:
                    read.values.append(self._constant(value, place))
                    read.listed.append(value)
            else:
                scalars.append(value)
        read.own.values = tuple(scalars)
        read.own.kinds = read.own.kinds & SCALARS

    def _constant(self, value: Any, place: Place) -> Place:
        """A list or an object as a schema that nothing else fits."""
        if isinstance(value, list):
            items = [{"const": item} for item in value]
            schema = {"type": "array", "prefixItems": items, "items": False, "minItems": len(value)}
        else:
            members = {name: {"const": item} for name, item in value.items()}
            schema = {"type": "object", "properties": members, "required": list(value), "additionalProperties": False}
        return Place(self.keep(schema), place.path, None)

    def listing(self, values: list[Any]) -> Place:
        """A schema that these values fit, and no others."""
        return Place(self.keep({"enum": values}), "#", None)

    def keep(self, schema: Any) -> Any:
        self._kept.append(schema)
        return schema

    def _numbers(self, place: Place, conjunction: Conjunction) -> None:
        conjunction.low, conjunction.low_open = self.bound(place, "minimum", "exclusiveMinimum", 1)
        conjunction.high, conjunction.high_open = self.bound(place, "maximum", "exclusiveMaximum", -1)
        multiple = self.number(place, "multipleOf")
        if multiple is not None:
            if multiple <= 0:
                refuse(f"{place.path}/multipleOf", "must be greater than 0")
            conjunction.multiples = (multiple,)

    def _strings(self, place: Place, conjunction: Conjunction) -> None:
        conjunction.lengths = self.span(place, "minLength", "maxLength")
        if "pattern" in place.schema:
            conjunction.patterns = (self.pattern(place.schema["pattern"], f"{place.path}/pattern"),)

    def pattern(self, pattern: Any, path: str) -> str:
        """A pattern, if it is supported."""
        try:
            parse(pattern, search=True)
        except (ConstraintError, TypeError) as error:
            refuse(path, str(error))
        return pattern

    def _format(self, place: Place, conjunction: Conjunction) -> None:
        name, path = place.schema["format"], f"{place.path}/format"
        if not isinstance(name, str):
            refuse(path, f"must be a string, not {json.dumps(name)}")
        if name in NUMERIC_FORMATS:
            low, high = NUMERIC_FORMATS[name]
            conjunction.low, conjunction.low_open = tighter((conjunction.low, conjunction.low_open), (low, False), 1)
            conjunction.high, conjunction.high_open = tighter(
                (conjunction.high, conjunction.high_open), (high, False), -1
            )
        elif name in formats.REFUSED:
            refuse(path, f"the format {name!r} is not supported")
        elif formats.language(name) is not None:
            conjunction.formats = (name,)

    def _arrays(self, read: Read, conjunction: Conjunction) -> None:
        place, schema = read.place, read.place.schema
        conjunction.counts = self.span(place, "minItems", "maxItems")
        conjunction.unique = schema.get("uniqueItems", False) is True
        self.unique = self.unique or conjunction.unique
        # Drafts before 2020-12 had a list in `items`, and `additionalItems` for the rest.
        first, rest = (
            ("items", "additionalItems") if isinstance(schema.get("items"), list) else ("prefixItems", "items")
        )
        conjunction.prefix = tuple((place.at(first, i),) for i in range(len(self.listed(place, first))))
        conjunction.evaluated_items = len(conjunction.prefix)
        if rest in schema:
            conjunction.items = (place.at(rest),) if schema[rest] not in (True, {}) else ()
            conjunction.evaluated_items = None
        read.inside += [part for places in conjunction.prefix for part in places] + list(conjunction.items)
        if "contains" in schema:
            low, high = self.span(place, "minContains", "maxContains")
            low = low if "minContains" in schema else 1
            part = place.at("contains")
            read.inside.append(part)
            conjunction.matched = (part,)
            if low > 0 or high is not None:
                conjunction.contains = (Contains((part,), (low, high), 0),)
            if high is not None:
                self.negated.append(part)

    def _objects(self, read: Read, conjunction: Conjunction) -> None:
        place, schema = read.place, read.place.schema
        members: list[tuple[Keys, Places]] = []
        properties, patterns = self.mapped(place, "properties"), self.mapped(place, "patternProperties")
        for name in properties:
            members.append((Keys(frozenset([name])), (place.at("properties", name),)))
        for pattern in patterns:
            self.pattern(pattern, f"{place.path}/patternProperties/{escape(pattern)}")
            members.append((Keys(patterns=frozenset([pattern])), (place.at("patternProperties", pattern),)))
        evaluated = [Keys(frozenset(properties), frozenset(patterns))] if properties or patterns else []
        if "additionalProperties" in schema:
            evaluated = [EVERY_KEY]
            if schema["additionalProperties"] not in (True, {}):
                keys = Keys(frozenset(properties), frozenset(patterns), others=True)
                members.append((keys, (place.at("additionalProperties"),)))
                conjunction.extras = schema["additionalProperties"] is not False
        conjunction.members, conjunction.evaluated = tuple(members), tuple(evaluated)
        if "propertyNames" in schema:
            conjunction.names = (place.at("propertyNames"),)
        read.inside += [part for _, places in members for part in places] + list(conjunction.names)
        conjunction.required = self.strings(place, "required")
        discriminator = schema.get("discriminator")
        if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
            name = discriminator["propertyName"]  # it tells the branches apart
            if self.plainly and name not in conjunction.required:
                conjunction.required = (*conjunction.required, name)
        conjunction.sizes = self.span(place, "minProperties", "maxProperties")
        conjunction.declares = "properties" in schema or bool(patterns) or bool(conjunction.required)
        conjunction.extras = conjunction.extras or bool(patterns)

    def _combined(self, read: Read, keywords: tuple[str, ...]) -> None:
        place, schema, parts = read.place, read.place.schema, read.parts
        for keyword in keywords:
            if keyword not in schema:
                continue
            if keyword == "$ref":
                parts.append((keyword, [self.library.target(place, schema[keyword])]))
            elif keyword == "$dynamicRef":
                parts.append((keyword, [self.library.dynamic(place, schema[keyword])]))
            elif keyword == "$recursiveRef":
                refuse(f"{place.path}/{keyword}", f"{keyword!r}, of draft 2019-09, is not supported")
            elif keyword in ("allOf", "anyOf", "oneOf"):
                parts.append((keyword, [place.at(keyword, i) for i in range(len(self.listed(place, keyword)))]))
            elif keyword == "not":
                parts.append((keyword, [place.at("not")]))
            elif keyword == "if":
                true = Place(True, place.path, None)
                branches = [place.at(k) if k in schema else true for k in ("then", "else")]
                parts.append((keyword, [place.at("if"), *branches]))
            else:
                self._dependencies(read, keyword)
                continue
            if parts:
                read.inside += [part for part in parts[-1][1] if not isinstance(part.schema, bool)]

    def _dependencies(self, read: Read, keyword: str) -> None:
        place = read.place
        for name, then in self.mapped(place, keyword).items():
            if isinstance(then, list) and keyword != "dependentSchemas":
                schema = self.keep({"required": then})
                part = Place(schema, f"{place.path}/{keyword}/{escape(name)}", place.home)
                self.strings(part, "required")
            elif keyword == "dependentRequired":
                refuse(f"{place.path}/{keyword}/{escape(name)}", f"must be a list of names, not {json.dumps(then)}")
            else:
                part = place.at(keyword, name)
            read.inside.append(part)
            read.parts.append((keyword, [Place(name, f"{place.path}/{keyword}", None), part]))

    # ------------------------------------------------------------------------------------- the values of keywords

    def listed(self, place: Place, keyword: str) -> list[Any]:
        schemas = place.schema.get(keyword, [])
        if not isinstance(schemas, list):
            refuse(f"{place.path}/{keyword}", f"must be a list, not {json.dumps(schemas)}")
        return schemas

    def mapped(self, place: Place, keyword: str) -> dict[str, Any]:
        schemas = place.schema.get(keyword, {})
        if not isinstance(schemas, dict):
            refuse(f"{place.path}/{keyword}", f"must be an object of schemas, not {json.dumps(schemas)}")
        return schemas

    def bound(self, place: Place, plain: str, exclusive: str, sign: int) -> tuple[Fraction | None, bool]:
        if isinstance(place.schema.get(exclusive), bool):  # draft 4: whether the plain bound is exclusive
            return self.number(place, plain), place.schema[exclusive]
        return tighter((self.number(place, plain), False), (self.number(place, exclusive), True), sign)

    def number(self, place: Place, keyword: str) -> Fraction | None:
        value = place.schema.get(keyword)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value in (float("inf"), float("-inf")):
            refuse(f"{place.path}/{keyword}", f"must be a number, not {json.dumps(value)}")
        if _has_long(value):
            refuse(f"{place.path}/{keyword}", f"numbers have at most {numerals.DIGITS_PER_SIDE} digits")
        return Fraction(repr(value))

    def span(self, place: Place, low: str, high: str) -> Span:
        schema = place.schema
        if low not in schema and high not in schema:
            return (0, None)
        for keyword in (low, high):
            value = schema.get(keyword, 0)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
                refuse(f"{place.path}/{keyword}", f"must be a natural number, not {json.dumps(value)}")
        least, most = int(schema.get(low, 0)), int(schema[high]) if high in schema else None
        if least > ENDLESS:
            refuse(f"{place.path}/{low}", f"nobody writes so much: {least:.3g} is more than {ENDLESS}")
        return least, None if most is not None and most > ENDLESS else most

    def strings(self, place: Place, keyword: str) -> tuple[str, ...]:
        value = place.schema.get(keyword, [])
        if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
            refuse(f"{place.path}/{keyword}", f"must be a list of names, not {json.dumps(value)}")
        return tuple(dict.fromkeys(value))


def _has_long(value: Any) -> bool:
    """Whether a number, or one in a list or an object, is too long to be told from others. (No float is.)"""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(map(_has_long, value))
    return isinstance(value, int) and abs(value) >= _TOO_LARGE


_TOO_LARGE = 10**numerals.DIGITS_PER_SIDE


@lru_cache(maxsize=4096)
def _misspelt(keyword: str) -> str | None:
    """The keyword that somebody meant, perhaps, who wrote this one."""
    return next(iter(get_close_matches(keyword, KNOWN, 1, 0.85)), None)
