"""Intervals of numbers: with values left out, rounded to multiples, and split by the sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ...language.nodes import VOID, Node, alt, cat, opt
from .digits import MINUS, twos_fives_others


class Interval(NamedTuple):
    """The numbers from `low` to `high` (None: no bound)."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool
    high_open: bool


def by_magnitude(
    bounds: Interval,
    excluded: Sequence[Fraction],
    step: Fraction | None,
    magnitudes: Callable[[Interval], Node],
    minus_zero: bool = True,
) -> Node:
    """The numbers within `bounds`, by their sign and their magnitude.

    Args:
        excluded: numbers that are left out.
        step: if not None, only its multiples count: then all bounds that `magnitudes` gets are multiples of it.
        magnitudes: gives the language of an interval that is not negative.
        minus_zero: whether 0 may have a sign; if not, there must be a step.
    """
    least = Fraction(0) if minus_zero or step is None else step
    return alt(*(_signed(part, magnitudes, least) for part in without(bounds, excluded, step)))


def without(bounds: Interval, excluded: Sequence[Fraction], step: Fraction | None) -> list[Interval]:
    """What the excluded numbers leave of the bounds. If only multiples of `step` count, each part is cut to them."""
    low, low_open, parts = bounds.low, bounds.low_open, []
    for x in sorted(set(excluded)):
        inside = (bounds.low is None or x >= bounds.low) and (bounds.high is None or x <= bounds.high)
        if inside and (twos_fives_others(x.denominator)[2] == 1 if step is None else (x / step).denominator == 1):
            parts.append(Interval(low, x, low_open, True))
            low, low_open = x, True
    parts.append(Interval(low, bounds.high, low_open, bounds.high_open))
    if step is not None:
        parts = [_rounded(part, step) for part in parts]
    return [part for part in parts if not _is_empty(part)]


def _rounded(part: Interval, step: Fraction) -> Interval:
    low = high = None
    if part.low is not None:
        low = (floor(part.low / step) + 1 if part.low_open else ceil(part.low / step)) * step
    if part.high is not None:
        high = (ceil(part.high / step) - 1 if part.high_open else floor(part.high / step)) * step
    return Interval(low, high, False, False)


def _is_empty(part: Interval) -> bool:
    low, high, low_open, high_open = part
    return low is not None and high is not None and (low > high or (low == high and (low_open or high_open)))


def _signed(part: Interval, magnitudes: Callable[[Interval], Node], least: Fraction) -> Node:
    """A part, with its sign. least: the smallest magnitude that a minus may stand before."""
    mirrored = Interval(
        None if part.high is None else -part.high,
        None if part.low is None else -part.low,
        part.high_open,
        part.low_open,
    )
    upper, lower = _at_least(Fraction(0), part), _at_least(least, mirrored)
    if upper == lower and upper is not None:
        return cat(opt(MINUS), magnitudes(upper))
    return alt(
        VOID if upper is None else magnitudes(upper),
        VOID if lower is None else cat(MINUS, magnitudes(lower)),
    )


def _at_least(least: Fraction, part: Interval) -> Interval | None:
    low, high, _, high_open = part
    if high is not None and (high < least or (high == least and high_open)):
        return None
    return part if low is not None and low >= least else Interval(least, high, False, high_open)
