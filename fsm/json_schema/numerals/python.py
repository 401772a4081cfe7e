"""Numbers as Python writes them: the spellings that `json.dumps` gives to ints and floats.

    integers   `0` or `-?[1-9]\\d*`; without a bound of at most 19 digits, or of as many as the other bound has
    decimals   as `repr` writes floats: at most 17 significant digits, the last of which is no 0 (but `2.0`); with a
               point from 0.0001 up to 10^16, and beyond with an exponent of at least two digits, `1e-07`, `2.5e+16`

What must be integral is written as an integer. What may also be a fraction is written in either way, and its integers
have at most 19 digits.

Whoever reads a decimal makes the nearest float of it. So decimals are `0.0`, `-0.0`, and those from 5e-324 to
1.7976931348623157e+308, as Python writes the floats at either end. And no number that may be a fraction is read as a
bound that is open, or as a number that is left out. (The greatest below 1 is 0.9999999999999999.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import floor, inf, isinf, nextafter

from ...language.intersection import intersection
from ...language.lengths import at_most
from ...language.nodes import EMPTY, VOID, Node, alt, cat, opt, repeat
from ...language.tries import literal
from .decimals import (
    DIGITS,
    MINUS,
    NO_POINT,
    POINT,
    WHOLE,
    ZERO,
    Interval,
    between,
    by_magnitude,
    digit,
    digits_of,
    mantissa,
    plain_decimals,
    without,
)
from .number import NUMBER_KINDS, TOO_LONG, as_multiples, large_divisor, multiples_within, narrowed, number

INTEGER_DIGITS = 19  # where nothing asks for more
NINES = Fraction(10**INTEGER_DIGITS - 1)
PLACES = 17  # significant digits: they tell all floats apart
EXACT_DIGITS = 15  # of integers, each of which is a float
LEAST, LARGEST = Fraction("5e-324"), Fraction("1.7976931348623157e+308")  # of the positive floats
WITH_POINT = range(-4, 16)  # the exponents of the decimals that are written with a point alone


@lru_cache(maxsize=4096)
def python_number(
    kinds: frozenset[str],
    low: Fraction | None = None,
    high: Fraction | None = None,
    low_open: bool = False,
    high_open: bool = False,
    multiples: tuple[Fraction, ...] = (),
    not_multiples: tuple[Fraction, ...] = (),
    excluded: tuple[Fraction, ...] = (),
) -> Node:
    """What Python writes of the numbers that `number` gives for the same conditions; VOID if that is nothing.

    Raises:
        ConstraintError: as `number` does.
    """
    bounds = Interval(low, high, low_open and low is not None, high_open and high is not None)
    if multiples or not_multiples or kinds == {"fraction"}:
        return _multiples(kinds, bounds, multiples, not_multiples, excluded)
    excluded = tuple(x for x in excluded if x != TOO_LONG)  # nothing is written here that is too long to be told apart
    if kinds == {"integer"}:
        return _integers(bounds, excluded)
    return alt(*(_floats(part) for part in without(bounds, excluded, None))) if kinds else VOID


def python_step(low: Fraction, high: Fraction) -> Fraction | None:
    """What all numbers between two are multiples of that Python writes; None if they go through zero."""
    if low <= 0 <= high:
        return None
    least = min(abs(low), abs(high))
    exponent = len(str(least.numerator)) - len(str(least.denominator))
    exponent -= Fraction(10) ** exponent > least  # of its first digit
    return Fraction(10) ** min(0, exponent + 1 - PLACES)


def _floats(part: Interval) -> Node:
    """The integers and decimals that, as floats, lie in an interval."""
    low, high, *_ = _as_read(part)
    low, high = -LARGEST if low is None else low, LARGEST if high is None else high
    if low > high:
        return VOID
    return alt(
        _integers(Interval(max(low, -NINES), min(high, NINES), False, False)),
        VOID if high < 0 else _decimals(max(low, Fraction(0)), high),
        VOID if low > 0 else cat(MINUS, _decimals(max(-high, Fraction(0)), -low)),
    )


# ---------------------------------------------------------------------------------------------------------- integers


def _integers(
    bounds: Interval,
    excluded: Sequence[Fraction] = (),
    step: Fraction = Fraction(1),
    spelled: Callable[[Interval], Node] | None = None,
) -> Node:
    """The integers within bounds, but for some, that are multiples of `step`. spelled: gives those of an interval."""
    low, high, *_ = bounds
    if high is None:
        bounds = bounds._replace(high=NINES if low is None else _as_many_nines(low))
    if low is None:
        bounds = bounds._replace(low=-NINES if high is None else -_as_many_nines(-high))
    spelled = spelled or partial(plain_decimals, places=NO_POINT)
    return by_magnitude(bounds, excluded, step, spelled, minus_zero=False)


def _as_many_nines(low: Fraction) -> Fraction:
    """The greatest number of as many digits as the first integer that is greater than a bound."""
    return max(NINES, Fraction(10 ** len(str(max(floor(low) + 1, 0))) - 1))


# ---------------------------------------------------------------------------------------------------------- decimals

_UPWARDS = Context(prec=PLACES, rounding=ROUND_CEILING)


def _as_read(bounds: Interval) -> Interval:
    """From the first to the last decimal that, as floats, lie within bounds."""
    low, high, low_open, high_open = bounds
    first = None if low is None else _least(low, low_open)
    last = None if high is None else -_least(-high, high_open)
    return Interval(first, last, False, False)


def _least(low: Fraction, is_open: bool) -> Fraction:
    """The first decimal that as a float lies within a lower bound; one beyond all floats if there is none."""
    if abs(low) > LARGEST:
        return max(low, -LARGEST)
    if not is_open:
        return Fraction(_UPWARDS.divide(Decimal(low.numerator), Decimal(low.denominator)))
    following = nextafter(float(low), inf)
    return LARGEST + 1 if isinf(following) else Fraction(repr(following))


@lru_cache(maxsize=1024)
def _decimals(low: Fraction, high: Fraction) -> Node:
    """The decimals from `low`, which is not negative, to `high`."""
    zero = VOID if low > 0 else literal(b"0.0")
    low = max(low, LEAST)
    if low > high:
        return zero
    (bottom, first), (top, last) = mantissa(*digits_of(low)), mantissa(*digits_of(high))
    if first == last:
        return alt(zero, _at_exponent(first, bottom, top))
    some = _between_exponents(first + 1, last - 1)
    return alt(zero, _at_exponent(first, bottom, None), some, _at_exponent(last, "1", top))


def _at_exponent(exponent: int, low: str, high: str | None) -> Node:
    """The decimals with one exponent whose digits lie between two; `_digits` says how these are given."""
    if exponent not in WITH_POINT:
        return cat(_digits(low, high, 1, EMPTY), _exponents(exponent, exponent))
    if exponent < 0:
        return cat(literal(b"0." + b"0" * (-exponent - 1)), _digits(low, high, 0, EMPTY))
    return _digits(low, high, exponent + 1, cat(POINT, ZERO))


@lru_cache(maxsize=256)
def _between_exponents(first: int, last: int) -> Node:
    """The decimals with exponents from `first` to `last`."""
    below_one = (_at_exponent(exponent, "1", None) for exponent in WITH_POINT if first <= exponent <= min(last, -1))
    whole = cat(digit(1), _more_whole(1, max(first, 0) + 1, min(last, WITH_POINT[-1]) + 1))
    return alt(*below_one, whole, cat(_digits("1", None, 1, EMPTY), _exponents(first, last)))


@cache
def _more_whole(size: int, least: int, most: int) -> Node:
    """What follows `size` whole digits, where there are from `least` to `most` of them."""
    if size > most:
        return VOID
    ends = VOID if size < least else cat(POINT, alt(ZERO, _places(PLACES - size)))
    return alt(ends, cat(digit(), _more_whole(size + 1, least, most)))


@cache
def _places(most: int) -> Node:
    """From one digit to `most`, the last of which is no 0."""
    if most < 1:
        return VOID
    more = _places(most - 1)
    return alt(cat(digit(1), opt(more)), cat(ZERO, more))


def _digits(low: str, high: str | None, point: int, whole: Node) -> Node:
    """The digits of decimals, with a point behind the first `point` of them.

    Args:
        low, high: the decimals lie between these two, each given by its digits without its last zeros.
        whole: what follows the first digits if all others are 0.
    """

    def after(i: int, at_low: bool, at_high: bool, zero: bool) -> Node:
        """What may follow i digits. at_low, at_high: whether they are the bound's; zero: whether the last is 0."""
        at_low = at_low and i < len(low)
        if at_high and i == len(high or ""):  # only zeros may follow
            return VOID if at_low else EMPTY if i > point else cat(*[ZERO] * (point - i), whole)
        if not at_low and not at_high:
            return free(i, zero)
        first = int(low[i]) if at_low else 0
        last = int(high[i]) if high is not None and at_high else 9
        ways = [cat(ZERO, free(i + 1, True))] * (last > 0 and not at_low)
        ways.append(cat(digit(max(first + at_low, 1), last - at_high), free(i + 1, False)))
        if at_low:
            ways.append(cat(digit(first, min(first, last)), after(i + 1, True, at_high and first == last, first == 0)))
        if at_high and not (at_low and first >= last):
            ways.append(cat(digit(last, last), after(i + 1, False, True, last == 0)))
        ends = VOID if at_low or i < point else whole if i == point else VOID if zero else EMPTY
        return alt(ends, cat(POINT if 0 < i == point else EMPTY, alt(*ways)))

    def free(i: int, zero: bool) -> Node:
        """What may follow i digits if anything may."""
        if i < point:
            return cat(repeat(digit(), point - i, point - i), free(point, False))
        if i == point:
            return alt(whole, cat(POINT, _places(PLACES - i)))
        return _places(PLACES - i) if zero else opt(_places(PLACES - i))

    return after(0, True, high is not None, False)


def _exponents(low: int, high: int) -> Node:
    """The exponents from `low` to `high` that are written."""
    rising = _two_digits(max(low, WITH_POINT.stop), high)
    falling = _two_digits(max(-high, -WITH_POINT.start + 1), -low)
    return alt(cat(literal(b"e+"), rising), cat(literal(b"e-"), falling))


def _two_digits(low: int, high: int) -> Node:
    """The numbers between two, of at least two digits."""
    tens = max(low, 10)
    longer = VOID if tens > high else between((str(tens), ""), False, (str(high), ""), False, NO_POINT)
    return alt(cat(ZERO, digit(low, min(high, 9))), longer)


# --------------------------------------------------------------------------------------------------------- multiples

_INTEGERS = alt(ZERO, cat(opt(MINUS), digit(1), DIGITS))
_SMALL = cat(ZERO, POINT, repeat(ZERO, 0, 3))  # before the digits of what is not less than 0.0001
_FRACTIONS = alt(cat(digit(1), DIGITS, POINT, DIGITS, digit(1)), cat(_SMALL, digit(1), opt(cat(DIGITS, digit(1)))))
_NUMBERS = alt(_INTEGERS, cat(opt(MINUS), alt(_FRACTIONS, cat(WHOLE, POINT, ZERO))))


def _multiples(
    kinds: frozenset[str],
    bounds: Interval,
    multiples: tuple[Fraction, ...],
    not_multiples: tuple[Fraction, ...],
    excluded: tuple[Fraction, ...],
) -> Node:
    """The multiples of some numbers and of no others, without exponents where all can do without; and fractions."""
    whole = kinds == {"integer"}
    if not whole:
        bounds = _as_read(bounds)
    conditions = as_multiples(kinds, multiples, not_multiples)
    if conditions and (divisor := large_divisor(*conditions)) is not None:
        step, spelled, exact = Fraction(divisor), partial(multiples_within, divisor), Fraction(10**EXACT_DIGITS)
        floats = VOID if whole else cat(by_magnitude(narrowed(bounds, exact), excluded, step, spelled), POINT, ZERO)
        return alt(_integers(bounds, excluded, step, spelled), floats)
    if kinds == {"fraction"} or min(multiples + not_multiples) < Fraction(10) ** WITH_POINT.start:
        every = number(kinds, *bounds, multiples, not_multiples, excluded)
        return VOID if every is VOID else intersection([every, python_number(NUMBER_KINDS, *bounds)])
    every = number(kinds, *bounds, multiples, not_multiples, excluded, exponents=False)
    if every is VOID:
        return VOID
    written = intersection([every, _INTEGERS if whole else _NUMBERS])
    needed = max(len(str(floor(x))) for x in (bounds.low or 0, bounds.high or 0)) + 1
    most = max(INTEGER_DIGITS, needed) if whole else PLACES + 1  # symbols: digits and a point
    return VOID if written is VOID else at_most(written, most)
