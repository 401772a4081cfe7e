"""The values of keywords: a list, an object, a number, a bound … or a refusal that says where it stands."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from outlines_cont.errors import ConstraintError

from ...language.nodes import Bounds
from ...patterns.parser import parse
from .. import numerals
from ..conjunction import tighter
from ..subschema import Subschema, refuse

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
