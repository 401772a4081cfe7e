"""Which characters the ways of an edge spell, if they are all spellings of some characters in a JSON string.

It is the ways that tell: whoever wrote the automaton, and from which schema, does not matter.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..language.ranges import Ranges, complement, overlap, union
from ..patterns.json_characters import MAY_STAND_PLAINLY

Way = tuple[Ranges, ...]  # one character of each class, one after the other
BACKSLASH: Ranges = ((0x5C, 0x5C),)
LETTER_U: Ranges = ((0x75, 0x75),)
SHORT = {'"': 0x22, "\\": 0x5C, "/": 0x2F, "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09}
TOP = 0x10FFFF
EVERY = complement(((0xD800, 0xDFFF),), TOP)
HIGH, LOW = np.arange(0xD800, 0xDC00), np.arange(0xDC00, 0xE000)


@lru_cache(maxsize=1024)
def json_characters(ways: tuple[Way, ...]) -> Ranges | None:
    r"""The characters of which the ways are all spellings: plainly where JSON allows it, by their short escapes, and
    as `\uXXXX` with digits of either case. None if the ways are no such set.

    >>> letter = ((0x61, 0x62),)
    >>> json_characters(((letter,),)) is None  # no escapes
    True
    """
    plain: Ranges = ()
    short: set[int] = set()
    escaped = np.zeros(TOP + 1, bool)
    for way in ways:
        if len(way) == 1 and way[0] == overlap(way[0], MAY_STAND_PLAINLY):
            plain = union(plain, way[0])
        elif len(way) == 2 and way[0] == BACKSLASH and (codes := _short(way[1])) is not None:
            short |= codes
        elif (codes := _hexadecimal(way)) is not None:
            escaped[codes] = True
        else:
            return None
    spelled = _ranges(escaped)
    wanted = {code for code in SHORT.values() if escaped[code]}
    return spelled if spelled and plain == overlap(spelled, MAY_STAND_PLAINLY) and short == wanted else None


def _short(letters: Ranges) -> set[int] | None:
    """The characters of these short escapes; None if there is another letter among them."""
    codes = [SHORT.get(chr(code)) for low, high in letters for code in range(low, min(high, low + 99) + 1)]
    return None if None in codes else {code for code in codes if code is not None}


def _hexadecimal(way: Way) -> np.ndarray | None:
    r"""The characters of `\uXXXX`, or of two of these that are a surrogate pair; None if a way is no such thing."""
    first, second = _unit(way[:6]), _unit(way[6:])
    if first is None:
        return None
    if len(way) == 6:
        return None if np.isin(first, np.r_[HIGH, LOW]).any() else first
    if second is None or not (np.isin(first, HIGH).all() and np.isin(second, LOW).all()):
        return None
    return (0x10000 + ((first[:, None] - 0xD800) << 10) + (second - 0xDC00)).ravel()


def _unit(way: Way) -> np.ndarray | None:
    r"""The numbers that `\uXXXX` writes, with digits of either case; None if a way is no such thing."""
    if len(way) != 6 or way[:2] != (BACKSLASH, LETTER_U):
        return None
    numbers = np.zeros(1, int)
    for digits in way[2:]:
        values = _digits(digits)
        if values is None:
            return None
        numbers = (16 * numbers[:, None] + values).ravel()
    return numbers


def _digits(digits: Ranges) -> np.ndarray | None:
    """The values of hexadecimal digits; None if there is anything else, or a letter in one case only."""
    codes = {code for low, high in digits for code in range(low, min(high, low + 99) + 1)}
    values = {int(chr(code), 16) for code in codes if chr(code) in "0123456789abcdefABCDEF"}
    both = {ord(digit) for value in values for digit in (f"{value:x}", f"{value:X}")}
    return np.array(sorted(values)) if codes == both and values else None


def _ranges(present: np.ndarray) -> Ranges:
    edges = np.flatnonzero(np.diff(np.r_[False, present, False].astype(np.int8)))
    return tuple((int(low), int(high) - 1) for low, high in edges.reshape(-1, 2))
