"""The values of keywords: a list, an object, a number, a bound … or a refusal that names the place."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from outlines_cont.errors import ConstraintError

from ...language.nodes import Span
from ...patterns.parser import parse
from .. import numerals
from ..conjunction import tighter
from ..place import Place, refuse

ENDLESS = 2**31  # a bound above this is dropped: nobody writes so many characters, items or properties


def list_of(place: Place, keyword: str) -> list[Any]:
    """A list; an empty one if the keyword is not there."""
    value = place.schema.get(keyword, [])
    if not isinstance(value, list):
        refuse(f"{place.path}/{keyword}", f"must be a list, not {json.dumps(value)}")
    return value


def schemas_by_name(place: Place, keyword: str) -> dict[str, Any]:
    """An object of schemas; an empty one if the keyword is not there."""
    value = place.schema.get(keyword, {})
    if not isinstance(value, dict):
        refuse(f"{place.path}/{keyword}", f"must be an object of schemas, not {json.dumps(value)}")
    return value


def names(place: Place, keyword: str) -> tuple[str, ...]:
    """A list of names, each once."""
    value = place.schema.get(keyword, [])
    if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
        refuse(f"{place.path}/{keyword}", f"must be a list of names, not {json.dumps(value)}")
    return tuple(dict.fromkeys(value))


def number(place: Place, keyword: str) -> Fraction | None:
    """A number; None if the keyword is not there."""
    value = place.schema.get(keyword)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value in (float("inf"), float("-inf")):
        refuse(f"{place.path}/{keyword}", f"must be a number, not {json.dumps(value)}")
    refuse_long(value, f"{place.path}/{keyword}")
    return Fraction(repr(value))


def bound(place: Place, plain: str, exclusive: str, sign: int) -> tuple[Fraction | None, bool]:
    """A bound, and whether it is exclusive; sign: 1 for a lower one, −1 for an upper one."""
    if isinstance(place.schema.get(exclusive), bool):  # draft 4: whether the plain bound is exclusive
        return number(place, plain), place.schema[exclusive]
    return tighter((number(place, plain), False), (number(place, exclusive), True), sign)


def span(place: Place, low: str, high: str) -> Span:
    """The least and the greatest count; None for no greatest one."""
    schema = place.schema
    if low not in schema and high not in schema:
        return (0, None)
    least = _natural(place, low) or 0
    most = _natural(place, high)
    if least > ENDLESS:
        refuse(f"{place.path}/{low}", f"nobody writes so much: {least:.3g} is more than {ENDLESS}")
    return least, None if most is not None and most > ENDLESS else most


def _natural(place: Place, keyword: str) -> int | None:
    value = place.schema.get(keyword, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
        refuse(f"{place.path}/{keyword}", f"must be a natural number, not {json.dumps(value)}")
    return int(value) if keyword in place.schema else None


def pattern(value: Any, path: str) -> str:
    """A pattern, if it is supported."""
    try:
        parse(value, search=True)
    except (ConstraintError, TypeError) as error:
        refuse(path, str(error))
    return value


def refuse_long(value: Any, path: str) -> None:
    """Refuse a number that is too long to be told from others, or one in a list or an object. (No float is.)"""
    if _has_long(value):
        refuse(path, f"numbers have at most {numerals.DIGITS_PER_SIDE} digits")


def _has_long(value: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(map(_has_long, value))
    return isinstance(value, int) and abs(value) >= _TOO_LARGE


_TOO_LARGE = 10**numerals.DIGITS_PER_SIDE
