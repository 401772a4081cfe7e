"""The characters of JSON strings, by their spelling: one may stand plainly or as an escape, and both mean the same.

Law:   text is in L(x)  <=>  every JSON string that decodes to text is in L(substitute(x, string_class))
"""

from __future__ import annotations

from functools import cache, lru_cache

from ..language.lazy import Charset
from ..language.nodes import EMPTY, VOID, Class, Node, alt, cat, chars
from ..language.ranges import Ranges, overlap, union
from ..language.words import literal, words
from .characters import TOP
from .parser import parse
from .utf8 import utf8_class

U = literal(b"u")
BEYOND_ASCII: Ranges = ((0x80, TOP),)
_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
_HAVE_SHORT_ESCAPES = union(tuple((code, code) for code in sorted(_SHORT_ESCAPES)))
MAY_STAND_PLAINLY = union(((0x20, 0x21), (0x23, 0x5B), (0x5D, TOP)))
_ESCAPED_IN_KEYS = union(((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C), (0x7F, TOP)))

#: The classes of characters whose JSON spellings are surveyed once for each vocabulary: `(?s:.)`, `.` and `\S` of JSON
#: Schema's patterns.
SURVEYED = tuple(
    x.ranges for p in ("(?s:.)", ".", r"[\S\x00-\x7f]") if isinstance(x := parse(f"^{p}$", search=True), Class)
)
_SURVEYED_BEYOND_ASCII = [overlap(ranges, BEYOND_ASCII) for ranges in SURVEYED]


class Escaped(Charset):
    """One character of `ranges` inside a JSON string, plainly or as an escape. Surveys tell it from other charsets."""

    __slots__ = ()


@lru_cache(maxsize=4096)
def string_class(ranges: Ranges) -> Node:
    """Every spelling of one of these characters inside a JSON string: itself, or an escape of it."""
    spelled = alt(utf8_class(overlap(ranges, MAY_STAND_PLAINLY)), escapes(ranges))
    return Escaped(ranges, spelled) if overlap(ranges, BEYOND_ASCII) in _SURVEYED_BEYOND_ASCII else spelled


@lru_cache(maxsize=4096)
def key_class(ranges: Ranges) -> Node:
    """Every spelling of one of these characters inside the name of a property: printable ASCII stands plainly."""
    plain = overlap(ranges, MAY_STAND_PLAINLY)
    return alt(utf8_class(plain), escapes(overlap(ranges, _ESCAPED_IN_KEYS)))


@lru_cache(maxsize=4096)
def escapes(ranges: Ranges) -> Node:
    """Every escape of one of these characters."""
    shortened = overlap(ranges, _HAVE_SHORT_ESCAPES)
    short = "".join([_SHORT_ESCAPES[code] for low, high in shortened for code in range(low, high + 1)])
    spelled = [letters(short), cat(U, hexadecimal(overlap(ranges, ((0, 0xFFFF),))))]
    for low, high in overlap(ranges, ((0x10000, TOP),)):
        spelled.append(surrogate_pairs(low - 0x10000, high - 0x10000))
    return cat(literal(b"\\"), alt(*spelled))


@lru_cache(maxsize=4096)
def letters(options: str) -> Node:
    """One of these ASCII letters."""
    return words(c.encode() for c in options)


@lru_cache(maxsize=4096)  # most of what several classes have is the same
def hexadecimal(ranges: Ranges, places: int = 4) -> Node:
    """So many hexadecimal digits, of either case, of a number in `ranges`."""
    if not places:
        return EMPTY if ranges else VOID
    size = 16 ** (places - 1)
    if ranges and ranges[-1][1] < size:
        return cat(_digit((0,)), hexadecimal(ranges, places - 1))
    inside: dict[int, list[tuple[int, int]]] = {}
    for low, high in ranges:
        for d in range(low // size, high // size + 1):
            inside.setdefault(d, []).append((max(low - d * size, 0), min(high - d * size, size - 1)))
    tails: dict[Ranges, list[int]] = {}
    for d, tail in inside.items():
        tails.setdefault(tuple(tail), []).append(d)
    return alt(*(cat(_digit(tuple(firsts)), hexadecimal(tail, places - 1)) for tail, firsts in tails.items()))


@cache
def _digit(values: tuple[int, ...]) -> Node:
    """A hexadecimal digit of one of these values."""
    return chars(union(*(((ord(c), ord(c)),) for d in values for c in (f"{d:x}", f"{d:X}"))))


@lru_cache(maxsize=4096)
def surrogate_pairs(low: int, high: int) -> Node:
    """Surrogate pairs, as escapes without the first backslash, of the code points 0x10000 + low to 0x10000 + high."""
    (first, c), (last, d) = divmod(low, 0x400), divmod(high, 0x400)
    if first == last:
        blocks = [(first, first, c, d)]
    else:
        blocks = [(first, first, c, 0x3FF), (first + 1, last - 1, 0, 0x3FF), (last, last, 0, d)]
    return alt(
        *(
            cat(U, hexadecimal(((0xD800 + a, 0xD800 + b),)), literal(b"\\u"), hexadecimal(((0xDC00 + c, 0xDC00 + d),)))
            for a, b, c, d in blocks
            if a <= b
        )
    )
