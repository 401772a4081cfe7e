"""Plain decimals, as in `-0.25`: those of an interval, digit by digit."""

from __future__ import annotations

from functools import cache, lru_cache

from ...language.lazy import Deferred
from ...language.nodes import EMPTY, VOID, Node, alt, cat, opt, repeat
from ...language.words import literal
from .digits import DIGITS, NO_POINT, NOT_ZEROS, POINT, WHOLE, ZERO, ZEROS, DecimalPlaces, Digits, digit, digits_of
from .intervals import Interval

DIGITS_AT_ONCE = 8  # digits of a bound that are compared before a walk asks for more


@cache
def fraction_part(places: DecimalPlaces) -> Node:
    """What may follow the whole part."""
    if places == NO_POINT:
        return EMPTY
    return opt(cat(POINT, repeat(ZERO, 1, None) if places == 0 else cat(digit(), more_places(places, 1))))


@cache
def more_places(places: DecimalPlaces, used: int) -> Node:
    """What may follow so many decimal places."""
    return DIGITS if places is None else cat(repeat(digit(), 0, places - used), ZEROS)


@lru_cache(maxsize=4096)
def _any_decimal(whole: int, places: DecimalPlaces) -> Node:
    """So many digits, and any fraction."""
    return cat(repeat(digit(), whole, whole), fraction_part(places))


def plain_decimals(part: Interval, places: DecimalPlaces) -> Node:
    """The plain decimals of an interval that is not negative."""
    low, high, low_open, high_open = part
    assert low is not None
    if low == 0 and high is None and not low_open:
        return cat(WHOLE, fraction_part(places))
    return between(digits_of(low), low_open, None if high is None else digits_of(high), high_open, places)


def between(low: Digits, low_open: bool, high: Digits | None, high_open: bool, places: DecimalPlaces) -> Node:
    """The plain decimals between two: first by how many whole digits they have."""
    size = len(low[0])
    if high is None:
        return alt(
            digitwise(size, "".join(low), low_open, None, False, places),
            cat(digit(1), repeat(digit(), size, None), fraction_part(places)),
        )
    most = len(high[0])
    if size == most:
        return digitwise(size, "".join(low), low_open, "".join(high), high_open, places)
    return alt(
        digitwise(size, "".join(low), low_open, None, False, places),
        cat(digit(1), repeat(digit(), size, most - 2), fraction_part(places)),
        digitwise(most, "1", False, "".join(high), high_open, places),
    )


def digitwise(size: int, low: str, low_open: bool, high: str | None, high_open: bool, places: DecimalPlaces) -> Node:
    """The decimals of `size` whole digits between two, each given by its digits without the point (and without its last
    zeros, if need be): digit by digit, as long as they agree with a bound's.

    With a number of `places`, the bounds must not be open, nor have more.
    """
    low = low.rstrip("0").ljust(size if low_open else 0, "0")

    def free(i: int) -> Node:
        """What may follow i digits if anything may."""
        return _any_decimal(size - i, places) if i <= size else more_places(places, i - size)

    def point(i: int) -> Node:
        return POINT if i == size else EMPTY

    def above(i: int) -> Node:
        """What may follow the first i digits of `low`. Never VOID."""
        if i >= len(low):
            return cat(point(i), NOT_ZEROS) if low_open else free(i)
        d, after = int(low[i]), i + 1
        if after == len(low) and not low_open:
            return cat(point(i), digit(d), free(after))
        tail = Deferred(lambda: above(after)) if after % DIGITS_AT_ONCE == 0 and after < len(low) else above(after)
        return cat(point(i), alt(cat(digit(d, d), tail), cat(digit(d + 1), free(after))))

    def below(i: int) -> Node:
        """What may follow the first i digits of `high`."""
        assert high is not None
        if i == len(high):
            return VOID if high_open else ZEROS if i > size else EMPTY if places == NO_POINT else fraction_part(0)
        if high_open and not high[i:].strip("0"):
            return VOID
        more = Deferred(lambda: at_most(i)) if i % DIGITS_AT_ONCE == 0 else at_most(i)
        return more if i < size else alt(EMPTY, more)  # the bound's last place is not 0: fewer are less

    def at_most(i: int) -> Node:
        assert high is not None
        d = int(high[i])
        return cat(point(i), alt(cat(digit(0, d - 1), free(i + 1)), cat(digit(d, d), below(i + 1))))

    if high is None:
        return above(0)
    high = high[:size].ljust(size, "0") + high[size:].rstrip("0")
    i = 0
    while i < len(high) and low[i : i + 1].ljust(low_open, "0") == high[i]:
        i += 1
    same = literal((high[:i] if i <= size else f"{high[:size]}.{high[size:i]}").encode())
    if i >= len(low) and not low_open:
        return cat(same, below(i))
    first, last = int(low[i : i + 1] or "0"), int(high[i : i + 1] or "-1")
    if first > last:
        return VOID
    between = cat(digit(first + 1, last - 1), free(i + 1))
    return cat(
        same, point(i), alt(cat(digit(first, first), above(i + 1)), between, cat(digit(last, last), below(i + 1)))
    )
