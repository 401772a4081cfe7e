"""Numbers with exponents, as in `2.5e-3`: those of an interval, by the exponent first, then by the mantissa."""

from __future__ import annotations

from functools import lru_cache

from ...language.lazy import Deferred
from ...language.nodes import VOID, Node, alt, cat, chars, opt
from ...language.words import literal
from .decimals import between, digitwise, fraction_part, plain_decimals
from .digits import DIGITS, MINUS, NO_POINT, NOT_ZEROS, POINT, WHOLE, ZERO, ZEROS, digit, digits_of
from .intervals import Interval

SIGNIFICANT_PLACES = 17  # places that are counted against an exponent
EXPONENT = chars(((ord("E"), ord("E")), (ord("e"), ord("e"))))


def any_magnitudes(part: Interval) -> Node:
    """The numbers of both kinds of an interval that is not negative."""
    low, high, low_open, _ = part
    if high is not None or low != 0:
        return alt(plain_decimals(part, None), scientific(part, None))
    exponent = opt(exponents_between(None, None))
    if not low_open:
        return cat(WHOLE, fraction_part(None), exponent)
    positive = alt(cat(digit(1), DIGITS, fraction_part(None)), cat(ZERO, POINT, NOT_ZEROS))
    return cat(positive, exponent)


def scientific(part: Interval, power: int | None, below_one: bool = False) -> Node:
    """The forms with exponents of an interval that is not negative; the multiples of 10^power."""
    low, high, low_open, high_open = part
    assert low is not None
    most = -1 if below_one else None
    shift = None if power is None else -power
    options, start, stop = [], None, None
    if low == 0 and not low_open and not below_one:
        options.append(cat(ZERO, fraction_part(0), exponents_between(None, None)))
    bottom, top = "1", None
    if high is not None:
        if high == 0:
            return alt(*options)
        top, stop = mantissa(*digits_of(high))
    if low > 0:
        bottom, start = mantissa(*digits_of(low))
        if start == stop:
            return alt(*options, _at_exponent(start, most, bottom, low_open, top, high_open, shift))
        options.append(_at_exponent(start, most, bottom, low_open, None, False, shift))
        start += 1
    if stop is not None:
        options.append(_at_exponent(stop, most, "1", False, top, high_open, shift))
        stop -= 1
    if below_one:
        stop = -1 if stop is None else min(stop, -1)
    return alt(*options, _any_mantissa(start, stop, shift))


def mantissa(whole: str, places: str) -> tuple[str, int]:
    """The digits d… and the exponent e of a number d.… × 10^e, which is not 0, by its decimal digits."""
    digits = (whole + places).lstrip("0")
    return digits.rstrip("0"), len(whole) - 1 if whole != "0" else len(digits) - len(places) - 1


def _at_exponent(
    exponent: int, most: int | None, low: str, low_open: bool, high: str | None, high_open: bool, shift: int | None
) -> Node:
    """The forms with one exponent (and none greater than `most`), whose mantissas lie between two."""
    if most is not None and exponent > most:
        return VOID
    places = None
    if shift is not None:
        places = min(exponent + shift, SIGNIFICANT_PLACES)
        if places < 0:
            return VOID
        if len(low) > places + 1:
            low = str(int(low[: places + 1]) + 1)
            if len(low) > places + 1:
                return VOID
        if high is not None and len(high) > places + 1:
            high, high_open = high[: places + 1], False
            if low.ljust(places + 1, "0") > high:
                return VOID
    return cat(digitwise(1, low, low_open, high, high_open, places), exponents_between(exponent, exponent))


@lru_cache(maxsize=256)
def _any_mantissa(low: int | None, high: int | None, shift: int | None) -> Node:
    """The forms with an exponent from `low` to `high`, and at most `shift` places more than it says."""
    if low is not None and high is not None and low > high:
        return VOID
    if shift is None:
        return cat(digit(1), fraction_part(None), exponents_between(low, high))
    low = -shift if low is None else max(low, -shift)
    if high is not None and low > high:
        return VOID
    most = SIGNIFICANT_PLACES if high is None else min(SIGNIFICANT_PLACES, high + shift)
    places = Deferred(lambda: _counted_places(low, high, shift, 1, most))
    least = exponents_between(low, high)
    some = cat(ZERO, ZEROS, least) if most < 1 else places
    return cat(digit(1), alt(least, cat(POINT, some)))


def _counted_places(low: int, high: int | None, shift: int, count: int, most: int) -> Node:
    """The places of a mantissa from the `count`-th on: where one is not 0, the exponent says that it may be."""
    exponents = cat(ZEROS, exponents_between(max(low, count - shift), high))
    following = VOID
    if count < most:
        following = Deferred(lambda: _counted_places(low, high, shift, count + 1, most))
    # a first 0 needs no greater exponent, nor do the zeros after it
    spare = cat(ZERO, ZEROS, exponents_between(low, high)) if count == 1 else VOID
    return alt(spare, cat(digit(1), alt(exponents, following)), cat(ZERO, following))


PLUS_OR_MINUS = chars(((ord("+"), ord("+")), (ord("-"), ord("-"))))
ANY_EXPONENT = cat(EXPONENT, opt(PLUS_OR_MINUS), digit(), DIGITS)


@lru_cache(maxsize=1024)
def exponents_between(low: int | None, high: int | None) -> Node:
    """An exponent from `low` to `high`, in every spelling."""
    if low is None and high is None:
        return ANY_EXPONENT
    return cat(EXPONENT, Deferred(lambda: _integers(low, high)))


def _integers(low: int | None, high: int | None) -> Node:
    """Integers with a sign, or none, and leading zeros."""
    options = []
    if high is None or high >= 0:
        natural = _natural(low, high) if low is not None and low > 0 else _natural(0, high)
        options.append(cat(opt(literal(b"+")), ZEROS, natural))
    if (low is None or low <= 0) and (high is None or high >= 0):
        options.append(cat(MINUS, ZERO, ZEROS))
    if low is None or low < 0:
        least = 1 if high is None else max(1, -high)
        options.append(cat(MINUS, ZEROS, _natural(least, None if low is None else -low)))
    return alt(*options)


def _natural(low: int, high: int | None) -> Node:
    return between((str(low), ""), False, None if high is None else (str(high), ""), False, NO_POINT)
