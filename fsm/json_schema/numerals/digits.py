"""Decimal digits as languages, and the decimal digits of exact fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from outlines_cont.errors import ConstraintError

from ...language.nodes import VOID, Node, alt, cat, chars, star
from ...language.words import literal

#: At most so many significant decimal places, then zeros; None: any number of them; NO_POINT: not even the point.
DecimalPlaces = int | None
NO_POINT = -1
Digits = tuple[str, str]  # before and after the point

MINUS, POINT, ZERO = literal(b"-"), literal(b"."), literal(b"0")


@cache
def digit(low: int = 0, high: int = 9) -> Node:
    return chars(((48 + low, 48 + high),)) if low <= high else VOID


DIGITS = star(digit())
ZEROS = star(ZERO)
NOT_ZEROS = cat(ZEROS, digit(1), DIGITS)
WHOLE = alt(ZERO, cat(digit(1), DIGITS))


def twos_fives_others(n: int) -> tuple[int, int, int]:
    """How often 2 and 5 divide a positive number, and the product of its other prime factors."""
    twos, fives = (n & -n).bit_length() - 1, 0
    n >>= twos
    while n % 5 == 0:
        n, fives = n // 5, fives + 1
    return twos, fives, n


def digits_of(x: Fraction) -> Digits:
    """The whole part of a magnitude, and its decimal places without trailing zeros."""
    twos, fives, others = twos_fives_others(x.denominator)
    if others != 1:
        raise ConstraintError(f"the bound {x} has no finite decimal spelling")
    places = max(twos, fives)
    whole, fraction = divmod((x * 10**places).numerator, 10**places)
    return str(whole), str(fraction).zfill(places) if places else ""


def shown(x: Fraction) -> str:
    """A number in an error message."""
    try:
        if x.denominator == 1 and abs(x) < 10**16:
            return str(x.numerator)
        return repr(float(x)) if float(x) else "a number next to 0"
    except OverflowError:
        return "a number over 1e308"
