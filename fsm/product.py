"""The operations on languages that need a walk: both, at most so long, at least so long. Over any symbols.

A *term* is a persistent stack of nodes that are still to be matched; taking one symbol off it gives other terms. (The
same terms, for bytes and compiled, are in `machine.py`.)

Laws:   L(intersect(x, y)) == L(x) & L(y)    L(at_most(x, n)) == {s in L(x): len(s) <= n}    (at_least likewise)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.language import (
    EMPTY,
    VOID,
    Alt,
    Cat,
    Class,
    Keep,
    Leaf,
    Node,
    Ranges,
    Repeat,
    Span,
    Unfolding,
    alphabet,
    chars,
    graph,
    longest,
    overlap,
    repeat,
    shortest,
    substitute,
    union,
)

_PRODUCT_LIMIT = 200_000


class Term:
    """A persistent stack of nodes that are still to be matched, one after the other. Interned: equal is identical."""

    __slots__ = ("leaves", "node", "nullable", "rest")

    def __init__(self, node: Node, rest: Term | None):
        self.node, self.rest = node, rest
        self.leaves: tuple[tuple[Class, Term], ...] | None = None  # filled by `Terms.open`
        self.nullable = False


class Terms:
    """The terms of one automaton, and what each does next."""

    def __init__(self) -> None:
        self.end = Term(EMPTY, None)
        self.end.leaves, self.end.nullable = (), True
        self._made: dict[tuple[Node, Term], Term] = {}
        self._shortest: dict[Term, int] = {self.end: 0}

    def push(self, node: Node, rest: Term) -> Term:
        if node is EMPTY:
            return rest
        term = self._made.get((node, rest))
        if term is None:
            term = self._made[node, rest] = Term(node, rest)
        return term

    def open(self, term: Term) -> tuple[tuple[Class, Term], ...]:
        """(class, term after it) for every first symbol. `term.nullable` then says whether it matches nothing, too."""
        if term.leaves is not None:
            return term.leaves
        leaves: dict[tuple[Class, Term], None] = {}
        nullable = False
        push, todo = self.push, [(term.node, term.rest or self.end)]
        seen = set(todo)
        while todo:
            node, rest = todo.pop()
            if isinstance(node, Class):
                leaves[node, rest] = None
            else:
                more: list[tuple[Node, Term]] = []
                if isinstance(node, Cat):
                    more = [(node.first, push(node.rest, rest))]
                elif isinstance(node, Alt):
                    more = [(option, rest) for option in node.options]
                elif isinstance(node, Repeat):
                    more = [(node.body, push(node.less, rest))]
                elif isinstance(node, Unfolding):
                    more = [(label, push(tail, rest)) for label, tail in node.edges]
                if node.nullable and not isinstance(node, (Alt, Cat)):  # these two find it out in their parts
                    if rest is self.end:
                        nullable = True
                    else:
                        more.append((rest.node, rest.rest or self.end))
                for pair in more:
                    if pair not in seen:
                        seen.add(pair)
                        todo.append(pair)
        term.nullable, term.leaves = nullable, tuple(leaves)
        return term.leaves

    def shortest(self, term: Term) -> int:
        """The length of the shortest string that a term matches."""
        chain = []
        while term not in self._shortest:
            chain.append(term)
            term = term.rest or self.end
        total = self._shortest[term]
        for link in reversed(chain):
            total = self._shortest[link] = total + shortest(link.node)
        return total


def intersect(a: Node, b: Node) -> Node:
    """The strings of both. Built at once, pair by pair, because a pair may turn out to be a dead end.

    Raises:
        ConstraintError: the two together are too large.
    """
    terms = Terms()
    start = (terms.push(a, terms.end), terms.push(b, terms.end))
    index, pairs = {start: 0}, [start]
    edges: list[list[tuple[Node, int]]] = []
    ends: list[bool] = []
    for left, right in pairs:  # grows while it is read
        out: dict[int, Ranges] = {}
        ones, twos = terms.open(left), terms.open(right)
        for one, after_one in ones:
            for two, after_two in twos:
                common = overlap(one.ranges, two.ranges)
                if common:
                    pair = (after_one, after_two)
                    if pair not in index:
                        index[pair] = len(pairs)
                        pairs.append(pair)
                    out[index[pair]] = union(out.get(index[pair], ()), common)
        edges.append([(chars(ranges), j) for j, ranges in out.items()])
        ends.append(left.nullable and right.nullable)
        if len(pairs) > _PRODUCT_LIMIT:
            raise ConstraintError(f"the conditions on one value, taken together, need over {_PRODUCT_LIMIT} states")
    return graph(edges, ends)


class AtMost(Unfolding):
    """The strings of a term that have at most `room` symbols; `label` spells a symbol."""

    __slots__ = ("_edges", "family", "room", "term")

    def __init__(self, family: _Family, term: Term, room: int):
        family.terms.open(term)
        self.nullable, self.family, self.term, self.room = term.nullable, family, term, room
        self._edges: list[tuple[Node, Node]] | None = None

    @property
    def edges(self) -> Sequence[tuple[Node, Node]]:
        if self._edges is None:
            family, room = self.family, self.room - 1
            self._edges = [
                (label, family.get(after, room))
                for first, after in family.terms.open(self.term)
                if family.terms.shortest(after) <= room  # then its shortest string fits: never a dead end
                if (label := family.leaf(first.ranges)) is not VOID
            ]
        return self._edges

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        old = self.family.leaf
        new = leaf if old is chars else cache(lambda ranges: substitute(old(ranges), leaf, keep))
        return _Family(self.family.root, self.family.terms, new).get(self.term, self.room)

    def symbols(self) -> set[int]:
        return alphabet(substitute(self.family.root, self.family.leaf))

    def lengths(self) -> Span:
        return self.family.terms.shortest(self.term), self.room


class _Family:
    """All the `AtMost`s that come from one: equal is identical."""

    def __init__(self, root: Node, terms: Terms, leaf: Leaf):
        self.root, self.terms, self.leaf = root, terms, leaf
        self.made: dict[tuple[Term, int], AtMost] = {}

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
    terms = Terms()
    return _Family(node, terms, chars).get(terms.push(node, terms.end), count)


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
    return intersect(node, repeat(everything, count, None))
