"""Conditions on divisibility, brought to one form: multiples of one number that are multiples of no other numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from outlines_cont.errors import ConstraintError

from .digits import twos_fives_others


def as_multiples(
    kinds: frozenset[str], multiples: Sequence[Fraction], not_multiples: Sequence[Fraction]
) -> tuple[Fraction | None, tuple[Fraction, ...]] | None:
    """(m, others): the multiples of m (None: all numbers) that are multiples of no other. None if there is none.

    The others are themselves multiples of m, and none is a multiple of another.
    """
    for x in (*multiples, *not_multiples):
        if x == 0:
            raise ConstraintError("0 has no multiples")
    one = (Fraction(1),)
    multiple: Fraction | None = None
    for x in (*map(decimal_part, multiples), *(() if "fraction" in kinds else one)):
        multiple = x if multiple is None else least_common(multiple, x)
    others = {
        x if multiple is None else least_common(multiple, x)
        for x in (*map(decimal_part, not_multiples), *(() if "integer" in kinds else one))
    }
    if not kinds or multiple in others:
        return None
    return multiple, tuple(sorted(x for x in others if not any(x != y and (x / y).denominator == 1 for y in others)))


def least_common(x: Fraction, y: Fraction) -> Fraction:
    return Fraction(lcm(x.numerator, y.numerator), gcd(x.denominator, y.denominator))


def decimal_part(x: Fraction) -> Fraction:
    """Has the same multiples among the numbers that have a finite decimal spelling."""
    return abs(x) * twos_fives_others(x.denominator)[2]


def is_decimal_places(multiple: Fraction | None) -> bool:
    """Whether the decimal places alone say what is a multiple: all numbers (None), or those of so many places."""
    return multiple is None or (multiple <= 1 and multiple == Fraction(10) ** (power_of_ten(multiple) or 0))


def power_of_ten(multiple: Fraction) -> int | None:
    """The exponent of the smallest power of ten that is a multiple."""
    twos, fives, others = twos_fives_others(multiple.numerator)
    twos_below, fives_below, _ = twos_fives_others(multiple.denominator)
    return max(twos - twos_below, fives - fives_below) if others == 1 else None
