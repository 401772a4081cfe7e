"""A finite set of numbers, in every spelling: a trie of the digits that each spelling begins with.

    1200   is   1200(\\.0+)?   or   1.2 0* [eE] an exponent of the value 3
    0.25   is   0.25 0*        or   2.5 0* [eE] an exponent of the value -1

Law:   L(some_numbers(values)) == the union of L(equal(value))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from ...language.measures import alphabet, shortest
from ...language.nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, SpellWord, cat, opt, repeat, symbol
from ...language.substitution import substitute
from .digits import POINT, ZERO, ZEROS, digits_of
from .exponents import exponents_between, mantissa

_SOME_ZEROS = repeat(ZERO, 1, None)
_POINT_AND_ZEROS = cat(POINT, _SOME_ZEROS)

#: What may follow the digits of a number: whether nothing may, and what else.
Ending = tuple[bool, Node]


def some_numbers(values: Iterable[Fraction]) -> Node:
    """The spellings of some numbers; VOID if there are none."""
    endings: dict[bytes, dict[Ending, None]] = {}
    for value in values:
        for digits, ending in _spellings(value):
            endings.setdefault(digits, {})[ending] = None
    return _trie(endings)


def _spellings(value: Fraction) -> Iterable[tuple[bytes, Ending]]:
    """The digits that spellings of a number begin with, the sign included, and how these go on."""
    if not value:
        for digits in (b"0", b"-0"):
            yield digits, (True, _POINT_AND_ZEROS)
            yield digits, (False, _with_exponent(None, False))
        return
    sign = "-" * (value < 0)
    whole, places = digits_of(abs(value))
    digits, exponent = mantissa(whole, places)
    if places:
        yield f"{sign}{whole}.{places}".encode(), (True, _SOME_ZEROS)
    else:
        yield f"{sign}{whole}".encode(), (True, _POINT_AND_ZEROS)
    first, others = digits[0], digits[1:]
    yield f"{sign}{first}{'.' * bool(others)}{others}".encode(), (False, _with_exponent(exponent, bool(others)))


@lru_cache(maxsize=4096)
def _with_exponent(exponent: int | None, places: bool) -> Node:
    """What follows the digits of a mantissa, which has decimal places, or none."""
    return cat(ZEROS if places else opt(_POINT_AND_ZEROS), exponents_between(exponent, exponent))


def _trie(endings: dict[bytes, dict[Ending, None]]) -> Node:
    return SomeNumbers(endings, sorted(endings), 0) if endings else VOID


class SomeNumbers(Lazy):
    """What follows the first `depth` bytes of sorted words, on which they agree; each of them has endings."""

    __slots__ = ("depth", "endings", "words")

    def __init__(self, endings: dict[bytes, dict[Ending, None]], words: list[bytes], depth: int):
        self.endings, self.words, self.depth = endings, words, depth
        self.nullable = len(words[0]) == depth and any(whole for whole, _ in endings[words[0]])

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        words, depth, start = self.words, self.depth, 0
        if len(words[0]) == depth:
            start = 1
            yield from ((more, EMPTY) for _, more in self.endings[words[0]] if more is not VOID)
        while start < len(words):
            byte = words[start][depth]
            stop = bisect_left(words, words[start][:depth] + bytes([byte + 1]), start)
            yield symbol(byte), SomeNumbers(self.endings, words[start:stop], depth + 1)
            start = stop

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        spelled: dict[bytes, dict[Ending, None]] = {}
        for word in self.words:
            tail = spell_word(word[self.depth :])
            if tail is not None:
                ends = ((whole, substitute(more, leaf, spell_word)) for whole, more in self.endings[word])
                some = {ending: None for ending in ends if ending != (False, VOID)}
                if some:
                    spelled[tail] = some
        return _trie(spelled)

    def symbols(self) -> set[int]:
        endings = dict.fromkeys(more for word in self.words for _, more in self.endings[word])
        return set().union(*(word[self.depth :] for word in self.words), *map(alphabet, endings))

    def lengths(self) -> Bounds:
        return min(
            len(word) - self.depth + (0 if whole else shortest(more))
            for word in self.words
            for whole, more in self.endings[word]
        ), None
