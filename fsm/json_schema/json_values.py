"""JSON values: their kinds, when two are equal, and one text for equal ones."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from outlines_cont.errors import ConstraintError

#: The kinds of JSON values. A "number" is an integer (1, 1.0, 1e2) or a fraction.
KINDS = ("null", "boolean", "integer", "fraction", "string", "array", "object")
ALL = frozenset(KINDS)
NUMBERS = frozenset(("integer", "fraction"))
SCALARS = ALL - {"array", "object"}


def equal(a: Any, b: Any) -> bool:
    """JSON equality: 1 is 1.0, and true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if type(a) is type(b) or not (isinstance(a, _NUMBER) and isinstance(b, _NUMBER)):
        return type(a) is type(b) and a == b
    return exactly(a) == exactly(b)


_NUMBER = (int, float, Fraction)


def exactly(value: Any) -> Fraction:
    """A number as it is written, not as it is rounded."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def unspelled(value: Any) -> Any:
    """The same value with every number as a `Fraction`, which has no spelling of its own."""
    if isinstance(value, list):
        return [unspelled(x) for x in value]
    if isinstance(value, dict):
        return {name: unspelled(x) for name, x in value.items()}
    return exactly(value) if isinstance(value, _NUMBER) and not isinstance(value, bool) else value


def canonical(value: Any) -> str:
    """One text for equal values."""
    if isinstance(value, (float, Fraction)):
        return str(exactly(value))
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(name)}:{canonical(value[name])}' for name in sorted(value))}}}"
    return json.dumps(value)


def kind_of(value: Any) -> str:
    """What a value is: 2.0 is an integer."""
    kind = _KIND_OF.get(type(value))
    if kind is None:
        if isinstance(value, float):
            return "integer" if value.is_integer() else "fraction"
        if isinstance(value, Fraction):
            return "integer" if value.denominator == 1 else "fraction"
        raise ConstraintError(f"{value!r} is no JSON value")
    return kind


_KIND_OF: dict[type, str] = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
_KIND_OF[type(None)] = "null"
