"""The strings of a language that are at most, or at least, so long.

Law:   L(at_most(x, n)) == {s in L(x): len(s) <= n}    (at_least likewise)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

from .graph import GraphState, graph
from .intersection import intersection
from .nodes import VOID, Bounds, Class, Lazy, Node, Repeat, SpellClass, SpellWord, chars, complement, overlap, repeat
from .terms import Term, Terms, alphabet, furthest, longest, shortest, substitute


class AtMost(Lazy):
    """The strings of a term that have at most `room` symbols; `family.leaf` spells a symbol."""

    __slots__ = ("family", "room", "run", "term")
    bounded = True

    def __init__(self, family: _Family, term: Term, room: int):
        family.terms.open(term)
        self.nullable, self.family, self.term, self.room = term.nullable, family, term, room
        node, spare = term.node, room - family.terms.shortest(term)
        self.run = None
        if isinstance(node, Repeat) and isinstance(node.body, Class):
            most = spare + node.low if node.high is None else min(spare + node.low, node.high)
            self.run = (family.leaf(node.body.ranges), most) if most > 0 else None

    @property
    def edges(self) -> Sequence[tuple[Node, Node]]:
        """See `Lazy.edges`. They are not kept: `unfold` gives the same nodes again, and there may be very many."""
        return self.unfold()

    def unfold(self) -> Sequence[tuple[Node, Node]]:
        """See `Lazy.unfold`. That of the run comes first."""
        family, room = self.family, self.room - 1
        edges, node = family.terms.open(self.term), self.term.node
        if self.run is not None and isinstance(node, Repeat):
            again = family.terms.push(node.less, self.term.rest or family.terms.end)
            edges = sorted(edges, key=lambda edge: edge != (node.body, again))
        return [
            (label, family.get(after, room))
            for first, after in edges
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

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        old = self.family.leaf
        new = leaf if old is chars else cache(lambda ranges: substitute(old(ranges), leaf, spell_word))
        return _Family(self.family.root, self.family.terms, new).get(self.term, self.room)

    def symbols(self) -> set[int]:
        return alphabet(substitute(self.family.root, self.family.leaf))

    def lengths(self) -> Bounds:
        return self.family.terms.shortest(self.term), self.room


class _Family:
    """All the `AtMost` nodes that come from one; equal ones are the same object."""

    def __init__(self, root: Node, terms: Terms, leaf: SpellClass):
        self.root, self.terms, self.leaf = root, terms, leaf
        self.made: dict[Term, dict[int, AtMost]] = {}  # by term and room
        self.plain: dict[Term, Node] = {}  # what a term matches, of any length, spelled

    @cached_property
    def furthest(self) -> int | None:
        return furthest(self.root)

    def get(self, term: Term, room: int) -> AtMost:
        rooms = self.made.get(term)
        if rooms is None:
            rooms = self.made.setdefault(term, {})
        node = rooms.get(room)
        return rooms.setdefault(room, AtMost(self, term, room)) if node is None else node


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
    old, separator = node.graph, ((symbol, symbol),)
    ranges = [label.ranges for label in old.labels if isinstance(label, Class)]
    assert len(ranges) == len(old.labels), "an automaton over symbols"
    before = [chars(overlap(label, complement(separator, 0x10FFFF))) for label in ranges]
    takes = [bool(overlap(label, separator)) for label in ranges]
    states, end = range(len(old.edges)), len(old.edges)
    edges = [[(before[label], j) for label, j in old.numbered(i) if before[label] is not VOID] for i in states]
    edges.append([])
    behind: dict[int, int] = {}  # the state after the separator, for each state to which it leads in the old graph
    for i in states:
        for label, j in old.numbered(i):
            if takes[label]:
                if j not in behind:
                    bounded = at_most(old.node(j), count)
                    behind[j] = j if bounded is old.node(j) else len(edges)
                    if behind[j] != j:
                        edges.append([(bounded, end)])
                edges[i].append((chars(separator), behind[j]))
    ends = [*old.ends, True] + [False] * (len(edges) - end - 1)
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
