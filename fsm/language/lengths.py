"""The strings of a language that are at most, or at least, so long.

Law:   L(at_most(x, n)) == {s in L(x): len(s) <= n}    (at_least likewise)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property

from .graph import GraphState, graph
from .intersection import intersection
from .measures import alphabet, furthest, longest, shortest
from .nodes import VOID, Bounds, Class, KeepWord, Lazy, Node, Repeat, SpellClass, chars, repeat
from .ranges import complement, overlap
from .substitution import substitute
from .terms import Term, Terms


class AtMost(Lazy):
    """The strings of a term that have at most `room` symbols; `label` spells a symbol."""

    __slots__ = ("family", "room", "run", "term")
    bounded = True

    def __init__(self, family: _Family, term: Term, room: int):
        family.terms.open(term)
        self.nullable, self.family, self.term, self.room = term.nullable, family, term, room
        node, spare = term.node, room - family.terms.shortest(term)
        self.run = None
        if spare > 0 and isinstance(node, Repeat) and node.high is None and isinstance(node.body, Class):
            self.run = (family.leaf(node.body.ranges), spare)

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        family, room = self.family, self.room - 1
        return [
            (label, family.get(after, room))
            for first, after in family.terms.open(self.term)
            if family.terms.shortest(after) <= room  # then its shortest string fits: never a dead end
            if (label := family.leaf(first.ranges)) is not VOID
        ]

    def unbounded(self, most: int) -> Node | None:
        family = self.family
        if family.furthest is None or self.room < most + family.furthest:  # else one can still get home from there
            return None
        node = family.plain.get(self.term)
        if node is None:
            node = family.plain[self.term] = substitute(family.terms.node(self.term), family.leaf)
        return node

    def again(self) -> AtMost | None:
        return None if self.run is None else self.family.get(self.term, self.room + 1)

    def substituted(self, leaf: SpellClass, keep: KeepWord) -> Node:
        old = self.family.leaf
        new = leaf if old is chars else cache(lambda ranges: substitute(old(ranges), leaf, keep))
        return _Family(self.family.root, self.family.terms, new).get(self.term, self.room)

    def symbols(self) -> set[int]:
        return alphabet(substitute(self.family.root, self.family.leaf))

    def lengths(self) -> Bounds:
        return self.family.terms.shortest(self.term), self.room


class _Family:
    """All the `AtMost`s that come from one: equal is identical."""

    def __init__(self, root: Node, terms: Terms, leaf: SpellClass):
        self.root, self.terms, self.leaf = root, terms, leaf
        self.made: dict[tuple[Term, int], AtMost] = {}
        self.plain: dict[Term, Node] = {}  # what a term matches, of any length, spelled

    @cached_property
    def furthest(self) -> int | None:
        return furthest(self.root)

    def get(self, term: Term, room: int) -> AtMost:
        node = self.made.get((term, room))
        if node is None:
            node = self.made.setdefault((term, room), AtMost(self, term, room))
        return node


def at_most(node: Node, count: int) -> Node:
    """The strings of at most `count` symbols."""
    if shortest(node) > count:
        return VOID
    most = longest(node)
    if most is not None and most <= count:
        return node
    if isinstance(node, Repeat) and isinstance(node.body, Class):
        return repeat(node.body, node.low, count)
    if isinstance(node, AtMost):
        return node.family.get(node.term, min(node.room, count))
    terms = Terms()
    return _Family(node, terms, chars).get(terms.push(node, terms.end), count)


def at_most_behind(node: GraphState, symbol: int, count: int) -> Node:
    """The strings of at most `count` symbols behind `symbol`, which each of the node's strings has once."""
    old, only = node.graph, ((symbol, symbol),)
    edges: list[list[tuple[Node, int]]] = [[] for _ in old.edges]
    end, behind = len(edges), dict[int, int]()
    edges.append([])
    for i, out in enumerate(old.edges):
        for label, j in out:
            assert isinstance(label, Class), "an automaton over symbols"
            edges[i].append((chars(overlap(label.ranges, complement(only, 0x10FFFF))), j))
            if overlap(label.ranges, only):
                if j not in behind:
                    rest = at_most(old.nodes[j], count)
                    behind[j] = j if rest is old.nodes[j] else len(edges)
                    if behind[j] != j:
                        edges.append([(rest, end)])
                edges[i].append((chars(only), behind[j]))
    ends = old.ends + [False] * (len(edges) - len(old.ends))
    ends[end] = True
    return graph(edges, ends, start=node.index)


def at_least(node: Node, count: int) -> Node:
    """The strings of at least `count` symbols.

    Raises:
        ConstraintError: too large.
    """
    if shortest(node) >= count:
        return node
    if isinstance(node, Repeat) and isinstance(node.body, Class):
        return repeat(node.body, max(node.low, count), node.high)
    everything = chars(((0, 0x10FFFF),))
    return intersection([node, repeat(everything, count, None)])
