"""Lazy nodes that hold one other node: a character by its spelling in bytes, a node that is made when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .nodes import EMPTY, VOID, Bounds, Lazy, Node, Ranges, SpellClass, SpellWord
from .substitution import substitute
from .terms import alphabet, bounds, longest, shortest


class Charset(Lazy):
    """One character of `ranges` (code points, some beyond ASCII), by its `spelling` in bytes."""

    __slots__ = ("ranges", "spelling")

    def __init__(self, ranges: Ranges, spelling: Node):
        self.nullable, self.ranges, self.spelling = False, ranges, spelling

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(self.spelling, EMPTY)]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return substitute(self.spelling, leaf, spell_word)

    def symbols(self) -> set[int]:
        return alphabet(self.spelling)

    def lengths(self) -> Bounds:
        return bounds(self.spelling)


class Deferred(Lazy):
    """A node that is not nullable, made when a walk first reaches it.

    Args:
        make: makes it.
        sample: one of its strings. If it is given and remains where symbols are substituted, so does something of the
            node, which is made and substituted when a walk reaches it. Else that is done at once.
    """

    __slots__ = ("_make", "_node", "_sample")

    def __init__(self, make: Callable[[], Node], sample: tuple[int, ...] = ()):
        self.nullable, self._make, self._sample = False, make, sample
        self._node: Node | None = None

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = self._make()
        return self._node

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(self.node, EMPTY)]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        if self._sample and all(leaf(((symbol, symbol),)) is not VOID for symbol in self._sample):
            return Deferred(lambda: substitute(self.node, leaf, spell_word))
        return substitute(self.node, leaf, spell_word)  # now: there may be nothing left of it

    def symbols(self) -> set[int]:
        return alphabet(self.node)

    def lengths(self) -> Bounds:
        return shortest(self.node), longest(self.node)
