"""The strings of a language but for a few, made as they are walked.

Law:   L(difference(x, texts)) == L(x) - texts
"""

from __future__ import annotations

from collections.abc import Iterable

from .measures import alphabet, longest
from .nodes import VOID, Bounds, Lazy, Node, SpellClass, SpellWord
from .ranges import complement, overlap, union
from .substitution import substitute
from .terms import Term, Terms, strings


class Except(Lazy):
    """The strings of a term that are none of `tails`; `family.leaf` spells a symbol."""

    __slots__ = ("family", "tails", "term")

    def __init__(self, family: _Exceptions, term: Term, tails: tuple[str, ...]):
        family.terms.open(term)
        self.nullable, self.family, self.term, self.tails = term.nullable and "" not in tails, family, term, tails

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        family, groups = self.family, {}
        for tail in self.tails:
            if tail:
                groups.setdefault(ord(tail[0]), []).append(tail[1:])
        others = complement(union(*(((c, c),) for c in groups)), 0x10FFFF)
        edges: list[tuple[Node, Node]] = []
        for first, after in family.terms.open(self.term):
            for c, tails in groups.items():
                if overlap(first.ranges, ((c, c),)):
                    remaining = family.get(after, tuple(tails))
                    if remaining is not VOID:
                        edges.append((family.leaf(((c, c),)), remaining))
            label = family.leaf(overlap(first.ranges, others))
            if label is not VOID:
                edges.append((label, family.whole(after)))
        return [(label, remaining) for label, remaining in edges if label is not VOID]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        old = self.family.leaf
        return _Exceptions(self.family.terms, lambda r: substitute(old(r), leaf, spell_word)).get(self.term, self.tails)

    def symbols(self) -> set[int]:
        return alphabet(self.family.whole(self.term))

    def lengths(self) -> Bounds:
        return 0, longest(self.family.whole(self.term))


class _Exceptions:
    """All the `Except` nodes that come from one; equal ones are the same object."""

    def __init__(self, terms: Terms, leaf: SpellClass):
        self.terms, self.leaf = terms, leaf
        self.made: dict[tuple[Term, tuple[str, ...]], Node] = {}
        self.plain: dict[Term, Node] = {}

    def get(self, term: Term, tails: tuple[str, ...]) -> Node:
        node = self.made.get((term, tails))
        if node is None:
            there = Except(self, term, tails) if self.more(term, tails) else VOID
            node = self.made.setdefault((term, tails), there)
        return node

    def more(self, term: Term, tails: tuple[str, ...]) -> bool:
        """Whether a term has a string that is none of these."""
        plain = self.terms.node(term)
        some = None if longest(plain) is None else strings(plain, len(tails))
        return some is None or any(text not in tails for text in some)

    def whole(self, term: Term) -> Node:
        """A term, spelled."""
        node = self.plain.get(term)
        if node is None:
            node = self.plain[term] = substitute(self.terms.node(term), self.leaf)
        return node


def difference(node: Node, texts: Iterable[str], leaf: SpellClass) -> Node:
    """The strings of a language of code points that are none of `texts`, spelled by `leaf`."""
    terms = Terms()
    return _Exceptions(terms, leaf).get(terms.push(node, terms.end), tuple(sorted(set(texts))))
