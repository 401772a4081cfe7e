"""Sets of symbols as sorted ranges, and the operations on them.

A symbol is a small integer: a code point, or a byte.
"""

from __future__ import annotations

import threading

from outlines_cont.processes import whole_at_fork

Ranges = tuple[tuple[int, int], ...]  # inclusive, sorted, neither overlapping nor touching


def size(ranges: Ranges) -> int:
    """How many symbols there are."""
    return sum(high - low + 1 for low, high in ranges)


def union(*parts: Ranges) -> Ranges:
    """The ranges that cover all the parts, in normal form."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(r for part in parts for r in part):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def overlap(a: Ranges, b: Ranges) -> Ranges:
    """The symbols that are in both."""
    common, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            common.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(common)


def complement(ranges: Ranges, top: int) -> Ranges:
    """The symbols from 0 to `top` that are not in `ranges`."""
    gaps, start = [], 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= top:
        gaps.append((start, top))
    return tuple(gaps)


charsets: list[Ranges] = []  # the character classes of this process, by number
_charset_numbers: dict[Ranges, int] = {}


def charset_number(ranges: Ranges) -> int:
    """A number for a class of characters, one for equal ones. (Hundreds of ranges are slow to hash again and again.)"""
    number = _charset_numbers.get(ranges)
    if number is None:
        with _numbering:
            number = _charset_numbers.get(ranges)
            if number is None:
                charsets.append(ranges)
                number = _charset_numbers[ranges] = len(charsets) - 1
    return number


_numbering = whole_at_fork(threading.Lock())
