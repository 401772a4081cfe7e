"""The numbers that meet some conditions: plain decimals and forms with exponents, put together."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from outlines_cont.errors import ConstraintError

from ...language.nodes import VOID, Node, alt
from .decimals import plain_decimals
from .digits import digits_of, shown
from .exponents import any_magnitudes, scientific
from .intervals import Interval, by_magnitude
from .multiples import as_multiples, is_decimal_places, least_common, power_of_ten
from .remainders import with_remainders

NUMBER_KINDS = frozenset({"integer", "fraction"})
BIT_LIMIT = 3_650  # of the parts of a number that is given: 1,100 digits, more than any double has
#: Digits before the point, and decimal places, of the numbers that `read` tells apart: any double has fewer.
DIGITS_PER_SIDE = 400
DIGITS_BESIDE_REMAINDERS = 8  # instead, where digits are counted beside remainders: within PAIR_LIMIT, then
TOO_LONG = Fraction(1, 3)  # no JSON number is that: it stands for all those that have more digits


@lru_cache(maxsize=4096)
def number(
    kinds: frozenset[str],
    low: Fraction | None = None,
    high: Fraction | None = None,
    low_open: bool = False,
    high_open: bool = False,
    multiples: tuple[Fraction, ...] = (),
    not_multiples: tuple[Fraction, ...] = (),
    excluded: tuple[Fraction, ...] = (),
    exponents: bool = True,
) -> Node:
    """The numbers of some `kinds` that meet the conditions; VOID if there is none. Without `exponents`, plain decimals.

    They lie between `low` and `high`, each exclusive if open; are multiples of all `multiples`, and of none of
    `not_multiples`; and are none of the `excluded` ones. With `TOO_LONG` among these they have at most
    `DIGITS_PER_SIDE` digits before the point and, as multiples have, `DIGITS_PER_SIDE` decimal places (where remainders
    tell what is a multiple, `DIGITS_BESIDE_REMAINDERS`).

    Raises:
        ConstraintError: this takes too many states.
        ValueError: `kinds` has something else than "integer" and "fraction".
    """
    if not kinds <= NUMBER_KINDS:
        raise ValueError(f"no kinds of numbers: {sorted(kinds - NUMBER_KINDS)}")
    _refuse_long((*(x for x in (low, high) if x is not None), *multiples, *not_multiples, *excluded))
    conditions = as_multiples(kinds, multiples, not_multiples)
    if conditions is None:
        return VOID
    bounds = Interval(low, high, low_open and low is not None, high_open and high is not None)
    return _multiples(*conditions, bounds, excluded, exponents)


def _multiples(
    multiple: Fraction | None,
    others: tuple[Fraction, ...],
    bounds: Interval,
    excluded: tuple[Fraction, ...],
    exponents: bool,
) -> Node:
    """The multiples of one number (None: all numbers) and of no other, within bounds."""
    step = multiple  # what all of the numbers are multiples of
    if TOO_LONG in excluded:
        by_remainder = others or not is_decimal_places(multiple)
        limit = Fraction(10) ** (DIGITS_BESIDE_REMAINDERS if by_remainder else DIGITS_PER_SIDE)
        bounds = _narrowed(bounds, limit)
        step = 1 / limit if multiple is None else least_common(multiple, 1 / limit)
        excluded = tuple(x for x in excluded if x != TOO_LONG)
    if step is None and not others and exponents:
        return by_magnitude(bounds, excluded, None, any_magnitudes)
    plain = _plain(multiple, others, bounds, excluded, step)
    return alt(plain, _scientific(others, bounds, excluded, step)) if exponents else plain


def _plain(
    multiple: Fraction | None,
    others: tuple[Fraction, ...],
    bounds: Interval,
    excluded: tuple[Fraction, ...],
    step: Fraction | None,
) -> Node:
    """Those that are spelled as plain decimals."""
    places = None
    if step is not None and is_decimal_places(step):
        places = -(power_of_ten(step) or 0)
    if not others and is_decimal_places(multiple):
        return by_magnitude(bounds, excluded, step, lambda part: plain_decimals(part, places))
    # Here the excluded numbers are no ends of intervals: the digits of all ends are counted.
    plain = by_magnitude(bounds, (), step, lambda part: plain_decimals(part, places))
    gone = [alt(*map(equal, excluded))] if excluded and plain is not VOID else []
    return with_remainders(plain, bounds, gone, multiple, others)


def _scientific(
    others: tuple[Fraction, ...], bounds: Interval, excluded: tuple[Fraction, ...], step: Fraction | None
) -> Node:
    """Those that are spelled with an exponent; VOID if such forms do not tell what is a multiple."""
    power = None if step is None else power_of_ten(step)
    if (step is not None and power is None) or any(x.denominator != 1 for x in others):
        return VOID
    ten = None if power is None else Fraction(10) ** power
    return by_magnitude(bounds, excluded, ten, lambda part: scientific(part, power, bool(others)))


def equal(value: Fraction) -> Node:
    """The spellings of one number."""
    return number(NUMBER_KINDS, value, value)


def _refuse_long(given: Iterable[Fraction]) -> None:
    for x in given:
        if max(abs(x.numerator), x.denominator).bit_length() > BIT_LIMIT:
            raise ConstraintError(f"the number {shown(x)} has too many digits to compare with: over {BIT_LIMIT} bits")


def _narrowed(bounds: Interval, limit: Fraction) -> Interval:
    """What lies within `bounds` and is smaller than `limit`, with either sign."""
    low, high, low_open, high_open = bounds
    low, low_open = (-limit, True) if low is None or low <= -limit else (low, low_open)
    high, high_open = (limit, True) if high is None or high >= limit else (high, high_open)
    return Interval(low, high, low_open, high_open)


def read(text: str) -> Fraction:
    """The value of a JSON number.

    It is `TOO_LONG` for a number of more than `DIGITS_PER_SIDE` digits before the point, or of more decimal places.
    """
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, places = mantissa.removeprefix("-").partition(".")
    digits = (whole + places).rstrip("0")
    if not digits:
        return Fraction(0)
    size = exponent.lstrip("+-0")
    if len(size) > 18:  # more than a text has digits to make up for
        return TOO_LONG
    power = len(whole) - len(digits) + int(size or 0) * (-1 if exponent.startswith("-") else 1)  # of the last digit
    digits = digits.lstrip("0")
    if power < -DIGITS_PER_SIDE or len(digits) + power > DIGITS_PER_SIDE:
        return TOO_LONG
    return (-1 if mantissa.startswith("-") else 1) * int(digits) * Fraction(10) ** power


def is_too_long(x: Fraction) -> bool:
    """Whether `read` gives `TOO_LONG` for a number."""
    if x == TOO_LONG or abs(x) >= 10**DIGITS_PER_SIDE:
        return True
    return x.denominator > 1 and len(digits_of(abs(x))[1]) > DIGITS_PER_SIDE
