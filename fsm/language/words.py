"""Literal byte strings, and sets of them as tries that are made as they are walked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, SpellWord, alt, symbol


class Words(Lazy):
    """The tails, from `depth` on, of sorted distinct byte strings that agree before it: a trie."""

    __slots__ = ("depth", "words")

    def __init__(self, words: Sequence[bytes], depth: int):
        self.nullable, self.words, self.depth = len(words[0]) == depth, words, depth

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        words, depth, edges = self.words, self.depth, []
        start = int(self.nullable)
        while start < len(words):
            byte, stop = words[start][depth], start + 1
            while stop < len(words) and words[stop][depth] == byte:
                stop += 1
            ends = stop == start + 1 and len(words[start]) == depth + 1
            edges.append((symbol(byte), EMPTY if ends else Words(words[start:stop], depth + 1)))
            start = stop
        return edges

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        tails = [word[self.depth :] for word in self.words]
        spelled = [new for tail in tails if (new := spell_word(tail)) is not None]
        return self if spelled == tails else words(spelled)

    def symbols(self) -> set[int]:
        return set().union(*(word[self.depth :] for word in self.words))

    def lengths(self) -> Bounds:
        sizes = [len(word) - self.depth for word in self.words]
        return min(sizes), max(sizes)


class Branches(Lazy):
    """Several words, each with what follows it; that is only made when a walk gets there.

    Attributes:
        words: sorted; none begins with another.
    """

    __slots__ = ("words",)
    words: Sequence[bytes]

    @abstractmethod
    def after(self, i: int) -> Lazy:
        """What follows word i: not nullable."""

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(literal(word), self.after(i)) for i, word in enumerate(self.words)]


@lru_cache(maxsize=4096)
def literal(data: bytes) -> Node:
    """These bytes."""
    return Words((data,), 0) if data else EMPTY


def words(options: Iterable[bytes]) -> Node:
    """Any one of these byte strings, as a trie: sorting is all the work done now."""
    ordered = sorted(set(options))
    if not ordered:
        return VOID
    if ordered[0]:
        return Words(ordered, 0)
    return alt(EMPTY, Words(ordered[1:], 0)) if len(ordered) > 1 else EMPTY
