"""What pydantic reads into a set, or as the keys of a dict: whether it is hashable, and whether two may be equal.

JSON's `uniqueItems` says that values differ as JSON. Python has fewer values: `True == 1`, and two spellings of a UUID
are one UUID. A set of at least two such values may come out too small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any

Schema = dict[str, Any]
Resolve = Callable[[Any], Any]  # gives the core schema that a reference leads to; any other as it is

SCALARS = ["string", "number", "boolean", "null"]
#: Types of pydantic's whose values are not hashable.
_NOT_HASHABLE = frozenset(["list", "dict", "set", "typed-dict", "generator"])
#: Kinds of pydantic's of which any two texts are two values.
_APART = {"int": "number", "bool": "bool", "none": "none", "date": "date", "uuid": "uuid"}
_FLOATS = frozenset(["float", "decimal"])
_MULTIPLES = 10**12  # of one number, which are different floats
_LOWER_CASE = {"pattern": "^[^A-F]*$"}  # of UUIDs
#: Floats as texts, each in one way.
FLOAT_KEYS = r"(?:0|-?(?:[1-9][0-9]{0,8}(?:\.[0-9]{0,5}[1-9])?|0\.[0-9]{0,5}[1-9]))"


def hashable(schema: Any, resolve: Resolve, inside: bool = False) -> bool:
    """Whether all values of a core schema can be in a set, if those of `Any` are scalars. inside: within a tuple."""
    schema = unwrapped(schema, resolve)
    kind = schema["type"]
    if kind == "any":
        return not inside
    if kind in ("model", "dataclass"):
        fields = unwrapped(schema["schema"], resolve).get("fields", [])
        parts = [field["schema"] for field in (fields.values() if isinstance(fields, dict) else fields)]
        return schema["cls"].__hash__ is not None and all(hashable(part, resolve, True) for part in parts)
    if kind in _NOT_HASHABLE:
        return False
    parts = _choices(schema) if kind in ("union", "tagged-union") else _items(schema)
    return all(hashable(part, resolve, inside or kind == "tuple") for part in parts)


def has(kind: str, schema: Any, resolve: Resolve) -> bool:
    """Whether a value, or what lies within it, may be of a kind of core schemas."""
    schema = unwrapped(schema, resolve)
    return schema["type"] == kind or any(has(kind, x, resolve) for x in (*_choices(schema), *_items(schema)))


def told_apart(schema: Any, resolve: Resolve) -> list[Schema] | None:
    """What JSON values have to fit besides, so that no two of them are read as equal values; None if nothing is known.

    A union that tries its types from left to right may read a text as a number.
    """
    families = _Families(resolve)
    if not families.add(schema):
        return None
    every: list[Schema] = []
    if families.mixed:
        every.append({"not": {"enum": [0, 1]}})
    every += [bounds for one in families.floats for bounds in _apart_as_floats(one)]
    if "uuid" in families.kinds:
        every.append(_LOWER_CASE)
    return every


class _Families:
    """Of which families values are: those of two different ones are never equal, but for True and 1.

    Attributes:
        kinds: the families. floats: the core schemas of floats.
    """

    def __init__(self, resolve: Resolve):
        self.kinds: set[str] = set()
        self.floats: list[Any] = []
        self._resolve = resolve

    @property
    def mixed(self) -> bool:
        """Whether there are bools and numbers."""
        return "bool" in self.kinds and ("number" in self.kinds or bool(self.floats))

    def add(self, schema: Any) -> bool:
        """Add the values of a core schema. False if two different texts may be read as one of them."""
        schema = unwrapped(schema, self._resolve)
        kind = schema["type"]
        if kind in _APART:
            self.kinds.add(_APART[kind])
            return True
        if kind in _FLOATS:
            self.floats.append(schema)
            return True
        other = _OTHER_FAMILIES.get(kind)
        return other is not None and other(self, schema)

    def anything(self, schema: Any) -> bool:
        self.kinds.update(("bool", "none", "text"))
        self.floats.append(schema)
        return True

    def text(self, schema: Any) -> bool:
        return not any(schema.get(change) for change in ("to_lower", "to_upper", "strip_whitespace"))

    def constants(self, schema: Any) -> bool:
        values = schema.get("expected") or [member.value for member in schema["members"]]
        self.kinds.update("bool" if isinstance(x, bool) else "text" if isinstance(x, str) else "number" for x in values)
        return True

    def tuples(self, schema: Any) -> bool:
        inside = _Families(self._resolve)
        apart = all(inside.add(part) for part in _items(schema))
        return apart and not inside.mixed and not inside.floats and "uuid" not in inside.kinds

    def unions(self, schema: Any) -> bool:
        return schema.get("mode") != "left_to_right" and all(self.add(choice) for choice in _choices(schema))

    def addresses(self, schema: Any) -> bool:
        return schema["function"]["function"].__name__ == "ip_v4_address_validator"


_OTHER_FAMILIES: dict[str, Callable[[_Families, Any], bool]] = {
    "any": _Families.anything,
    "str": _Families.text,
    "literal": _Families.constants,
    "enum": _Families.constants,
    "tuple": _Families.tuples,
    "nullable": _Families.unions,
    "union": _Families.unions,
    "function-plain": _Families.addresses,
}


def _apart_as_floats(schema: Any) -> list[Schema]:
    """Which numbers of a core schema are floats that differ if the numbers do.

    All are, where numbers are written as Python writes them (see `numerals/python.py`), but for large multiples.
    """
    if schema.get("multiple_of") is None:
        return []
    most = abs(float(schema["multiple_of"])) * _MULTIPLES
    return [{"minimum": -most, "maximum": most}]


def unwrapped(schema: Any, resolve: Resolve) -> Any:
    """The core schema that says what a value is, behind those that only look at it, or say what errors say."""
    while True:
        schema = resolve(schema)
        kind = schema["type"]
        if kind in ("default", "custom-error", "function-after", "function-before", "function-wrap"):
            if kind.startswith("function") and not _passed_over(schema["function"]["function"]):
                return schema
            schema = schema["schema"]
        elif kind == "lax-or-strict":
            schema = schema["lax_schema"]
        elif kind == "json-or-python":
            schema = schema["json_schema"]
        elif kind == "chain":
            schema = schema["steps"][0]
        else:
            return schema


def _passed_over(function: Any) -> bool:
    """Whether a function is the user's, who knows what it does; or is pydantic's, and changes no value."""
    if isinstance(function, partial):
        return function.func.__module__ == "pydantic._internal._validators"  # bounds
    return isinstance(function, (FunctionType, MethodType)) and not function.__module__.startswith("pydantic")


def _choices(schema: Any) -> Iterator[Any]:
    """The core schemas one of which a value fits."""
    if schema["type"] == "nullable":
        yield schema["schema"]
    for choice in schema.get("choices", ()) if schema["type"] == "union" else schema.get("choices", {}).values():
        yield choice[0] if isinstance(choice, tuple) else choice


def _items(schema: Any) -> Iterator[Any]:
    """The core schemas of what lies within a value."""
    if schema["type"] in ("tuple", "frozenset"):
        items = schema.get("items_schema", {"type": "any"})
        yield from items if isinstance(items, list) else [items]
    elif schema["type"] == "nullable":
        yield schema["schema"]
