"""The operations on languages that need a walk: both, at most so long, at least so long. Over any symbols.

A *term* is a persistent stack of nodes that are still to be matched; taking one symbol off it gives other terms. (The
same terms, for bytes and compiled, are in `machine.py`.)

Laws:   L(meet(xs, ys)) == all of L(x) & none of L(y)    L(without(x, texts)) == L(x) - texts
        L(at_most(x, n)) == {s in L(x): len(s) <= n}    (at_least likewise)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property

from outlines_cont.errors import ConstraintError

from .nodes import (
    EMPTY,
    VOID,
    Alt,
    At,
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
    cat,
    chars,
    complement,
    furthest,
    graph,
    inside_out,
    longest,
    overlap,
    repeat,
    shortest,
    star,
    substitute,
    uncollected,
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
        self._repeats: dict[tuple[Node, int, int | None], Repeat] = {}
        self._shortest: dict[Term, int] = {self.end: 0}

    def push(self, node: Node, rest: Term) -> Term:
        if node is EMPTY:
            return rest
        if isinstance(node, Repeat):  # of equal ones, the first: what counts down from 9 comes to what counts from 8
            node = self._repeats.setdefault((node.body, node.low, node.high), node)
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

    def has_all(self, term: Term, symbols: Ranges | None) -> bool:
        """Whether a term plainly matches all strings of some symbols (None: nobody knows which)."""
        node = term.node
        if symbols is None or term.rest is not self.end or not isinstance(node, Repeat):
            return False
        body = node.body if node.low == 0 and node.high is None else None
        return isinstance(body, Class) and overlap(body.ranges, symbols) == symbols

    def node(self, term: Term) -> Node:
        """What a term matches, as one node."""
        parts = []
        while term is not self.end:
            parts.append(term.node)
            term = term.rest or self.end
        return cat(*parts)

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
    """The strings of both."""
    return meet([a, b])


@uncollected()
def meet(yes: Sequence[Node], no: Sequence[Node] = ()) -> Node:
    """The strings that all of `yes` have and none of `no`. Built at once, because a way may turn out to be a dead end.

    Raises:
        ConstraintError: all together are too large.
    """
    if len(yes) == 1 and not no:
        return yes[0]
    yes = yes or [star(chars(((0, 0x10FFFF),)))]
    terms, sets = Terms(), _Sets()
    start: _Meeting = (
        tuple(terms.push(node, terms.end) for node in yes),
        tuple(frozenset([terms.push(node, terms.end)]) for node in no),
    )
    index, meetings = {start: 0}, [start]
    symbols = _symbols(yes)
    edges: list[list[tuple[Node, int]]] = []
    ends: list[bool] = []
    for meeting in meetings:  # grows while it is read
        out: dict[int, int] = {}
        for some, after in _together(terms, sets, meeting):
            j = index.get(after)
            if j is None:
                refused = any(terms.has_all(t, symbols) for ways in after[1] for t in ways)  # whatever comes
                j = index[after] = -1 if refused else len(meetings)
                if not refused:
                    meetings.append(after)
            if j >= 0:
                out[j] = sets.either(out[j], some) if j in out else some
        edges.append([(sets.classes[some], j) for j, some in out.items()])
        ends.append(all(t.nullable for t in meeting[0]) and not any(t.nullable for some in meeting[1] for t in some))
        if len(meetings) > _PRODUCT_LIMIT:
            raise ConstraintError(f"the conditions on one value, taken together, need over {_PRODUCT_LIMIT} states")
    return graph(edges, ends)


_Remaining = tuple[frozenset[Term], ...]  # every way through each of `no`
_Meeting = tuple[tuple[Term, ...], _Remaining]  # one way through each of `yes`


def _symbols(nodes: Sequence[Node]) -> Ranges | None:
    """The symbols of one of some languages; None if that is not plain."""
    for node in nodes:
        parts = inside_out(node)
        if not any(isinstance(part, Unfolding) for part in parts):
            return union(*(part.ranges for part in parts if isinstance(part, Class)))
    return None


class _Sets:
    """Sets of symbols, by number (NONE is the empty one, ALL has every symbol): few, so that all is worked out once."""

    def __init__(self) -> None:
        self._ranges: list[Ranges] = []
        self.classes: list[Node] = []
        self._numbers: dict[Ranges, int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._but: dict[tuple[int, int], int] = {}
        self._either: dict[tuple[int, int], int] = {}
        self._leaves: dict[Term, list[tuple[int, Term]]] = {}
        self.number(())
        self.number(((0, 0x10FFFF),))

    def number(self, ranges: Ranges) -> int:
        found = self._numbers.get(ranges)
        if found is None:
            found = self._numbers[ranges] = len(self._ranges)
            self._ranges.append(ranges)
            self.classes.append(chars(ranges))
        return found

    def both(self, a: int, b: int) -> int:
        """What two have in common."""
        if a in (ALL, b):
            return b
        found = self._both.get((a, b))
        if found is None:
            found = self._both[a, b] = self.number(overlap(self._ranges[a], self._ranges[b]))
        return found

    def but(self, a: int, b: int) -> int:
        """What one has and the other does not."""
        found = self._but.get((a, b))
        if found is None:
            others = complement(self._ranges[b], 0x10FFFF)
            found = self._but[a, b] = self.number(overlap(self._ranges[a], others))
        return found

    def either(self, a: int, b: int) -> int:
        """What one of two has."""
        found = self._either.get((a, b))
        if found is None:
            found = self._either[a, b] = self.number(union(self._ranges[a], self._ranges[b]))
        return found

    def leaves(self, terms: Terms, term: Term) -> list[tuple[int, Term]]:
        """What a term begins with, and what remains of it then."""
        found = self._leaves.get(term)
        if found is None:
            found = self._leaves[term] = [(self.number(leaf.ranges), after) for leaf, after in terms.open(term)]
        return found


NONE, ALL = 0, 1


def _together(terms: Terms, sets: _Sets, meeting: _Meeting) -> Iterator[tuple[int, _Meeting]]:
    """What may come next, and what remains after it."""
    ways: list[tuple[int, tuple[Term, ...]]] = [(ALL, ())]
    for term in meeting[0]:
        leaves = sets.leaves(terms, term)
        ways = [
            (common, (*afters, after))
            for some, afters in ways
            for leaf, after in leaves
            if (common := sets.both(some, leaf)) != NONE
        ]
    refused = [[leaf for term in some for leaf in sets.leaves(terms, term)] for some in meeting[1]]
    for some, afters in ways:
        pieces: list[tuple[int, _Remaining]] = [(some, ())]
        for leaves in refused:
            pieces = [(part, (*done, then)) for piece, done in pieces for part, then in _split(sets, piece, leaves)]
        for part, remaining in pieces:
            yield part, (afters, remaining)


def _split(sets: _Sets, symbols: int, leaves: Sequence[tuple[int, Term]]) -> list[tuple[int, frozenset[Term]]]:
    """Cut a set where the leaves tell symbols from each other; each part with all that remains after it."""
    pieces: list[tuple[int, frozenset[Term]]] = [(symbols, frozenset())]
    for leaf, after in leaves:
        cut: list[tuple[int, frozenset[Term]]] = []
        for piece, some in pieces:
            inside = sets.both(piece, leaf)
            if inside == NONE:
                cut.append((piece, some))
                continue
            cut.append((inside, some | {after}))
            if inside != piece:
                cut.append((sets.but(piece, inside), some))
        pieces = cut
    return pieces


def strings(node: Node, most: int) -> list[str] | None:
    """All strings of a language of code points, the shortest first; None if there are more than `most`."""
    terms, found = Terms(), dict[str, None]()
    layer: dict[tuple[str, Term], None] = {("", terms.push(node, terms.end)): None}
    while layer:
        if len(found) + len({text for text, _ in layer}) > most:  # each of these leads to a string of its own
            return None
        after: dict[tuple[str, Term], None] = {}
        for text, term in layer:
            leaves = terms.open(term)
            if term.nullable:
                found[text] = None
            for leaf, rest in leaves:
                for low, high in leaf.ranges:
                    if high - low >= most:
                        return None
                    for code in range(low, high + 1):
                        after[text + chr(code), rest] = None
        layer = after
    return list(found)


class AtMost(Unfolding):
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
        self.plain: dict[Term, Node] = {}  # what a term matches, of any length, spelled

    @cached_property
    def furthest(self) -> int | None:
        return furthest(self.root)

    def get(self, term: Term, room: int) -> AtMost:
        node = self.made.get((term, room))
        if node is None:
            node = self.made.setdefault((term, room), AtMost(self, term, room))
        return node


class Except(Unfolding):
    """The strings of a term that are none of `tails`; `leaf` spells a symbol. Made where it is walked."""

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
                    rest = family.get(after, tuple(tails))
                    if rest is not VOID:
                        edges.append((family.leaf(((c, c),)), rest))
            label = family.leaf(overlap(first.ranges, others))
            if label is not VOID:
                edges.append((label, family.whole(after)))
        return [(label, rest) for label, rest in edges if label is not VOID]

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        old = self.family.leaf
        return _Exceptions(self.family.terms, lambda r: substitute(old(r), leaf, keep)).get(self.term, self.tails)

    def symbols(self) -> set[int]:
        return alphabet(self.family.whole(self.term))

    def lengths(self) -> Span:
        return 0, longest(self.family.whole(self.term))


class _Exceptions:
    """All the `Except`s that come from one: equal is identical."""

    def __init__(self, terms: Terms, leaf: Leaf):
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


def without(node: Node, texts: Iterable[str], leaf: Leaf) -> Node:
    """The strings of a language of code points that are none of `texts`, spelled by `leaf`."""
    terms = Terms()
    return _Exceptions(terms, leaf).get(terms.push(node, terms.end), tuple(sorted(set(texts))))


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


def at_most_behind(node: At, symbol: int, count: int) -> Node:
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
    return intersect(node, repeat(everything, count, None))
