"""The UTF-8 spelling of characters, and of languages of characters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..language.lazy import Charset
from ..language.nodes import EMPTY, Node, alt, cat, chars
from ..language.ranges import Ranges, overlap, union
from ..language.substitution import substitute
from .characters import CHARACTERS, TOP

_ASCII: Ranges = ((0, 0x7F),)
_BEYOND = overlap(CHARACTERS, ((0x80, TOP),))
_LENGTHS = (0x7F, 0x7FF, 0xFFFF, TOP)  # the last character that takes 1, 2, 3, 4 bytes
Bytes = tuple[tuple[int, int], ...]  # a range for each byte of a spelling


def utf8(node: Node) -> Node:
    """The UTF-8 spelling of a language of code points."""
    return substitute(node, utf8_class)


@lru_cache(maxsize=65536)
def utf8_class(ranges: Ranges) -> Node:
    """The UTF-8 spellings of the characters in `ranges` (surrogates, if any, are left out)."""
    plain, beyond = overlap(ranges, _ASCII), overlap(ranges, _BEYOND)
    if not beyond:
        return chars(plain)
    return Charset(ranges, alt(chars(plain), _beyond(beyond))) if plain else _beyond(beyond)


@lru_cache(maxsize=4096)
def _beyond(ranges: Ranges) -> Charset:
    """The spellings of characters beyond ASCII. (Classes that differ in ASCII share them: there may be hundreds.)"""
    spellings: list[Bytes] = []
    for low, high in ranges:
        for last in _LENGTHS:
            if low <= last:
                spellings += _split(chr(low).encode(), chr(min(high, last)).encode())
                low = last + 1
                if low > high:
                    break
    return Charset(ranges, _tree(tuple(spellings)))


def _split(low: bytes, high: bytes) -> Iterator[Bytes]:
    """Byte ranges whose products are exactly the spellings from `low` to `high`, which are equally long."""
    if low[0] == high[0] or len(low) == 1:
        remainders = _split(low[1:], high[1:]) if len(low) > 1 else iter(((),))
        for remaining in remainders:
            yield ((low[0], high[0]), *remaining)
        return
    first, last, tail = low[0], high[0], len(low) - 1
    if low[1:] != b"\x80" * tail:
        yield from _split(low, low[:1] + b"\xbf" * tail)
        first += 1
    if high[1:] != b"\xbf" * tail:
        last -= 1
    if first <= last:
        yield ((first, last), *(((0x80, 0xBF),) * tail))
    if last < high[0]:
        yield from _split(high[:1] + b"\x80" * tail, high)


@lru_cache(maxsize=65536)
def _tree(spellings: tuple[Bytes, ...]) -> Node:
    """One node for all of the spellings; equal tails are the same node."""
    if spellings == ((),):
        return EMPTY
    tails: dict[tuple[int, int], list[Bytes]] = {}
    for first, *remaining in spellings:
        tails.setdefault(first, []).append(tuple(remaining))
    firsts: dict[tuple[Bytes, ...], list[tuple[int, int]]] = {}
    for first, rests in tails.items():
        firsts.setdefault(tuple(rests), []).append(first)
    return alt(*(cat(chars(union(tuple(group))), _tree(rests)) for rests, group in firsts.items()))
