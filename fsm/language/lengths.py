"""The strings of a language that are at most, or at least, so long.

Law:   L(at_most(x, n)) == {s in L(x): len(s) <= n}    (at_least likewise)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache

from .graph import Graph, GraphState, graph
from .intersection import intersection
from .nodes import (
    VOID,
    Bounds,
    Class,
    Lazy,
    Node,
    Ranges,
    Repeat,
    SpellClass,
    SpellWord,
    alt,
    chars,
    complement,
    overlap,
    repeat,
    star,
    union,
)
from .terms import Term, Terms, alphabet, furthest, longest, shortest, substitute

MOST_SETS = 32  # of states that are looked at, to see whether only the symbols of a string matter
Way = tuple[frozenset[int], Ranges]  # the states after some symbols, and these
SURROGATES = ((0xD800, 0xDFFF),)  # which may have no spelling


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
        far = self.term.node.furthest() if isinstance(self.term.node, AtLeast) else family.furthest
        if far is None or self.room < most + far:  # else one can still get home from there
            return None
        node = family.plain.get(self.term)
        if node is None:
            node = family.plain[self.term] = substitute(family.terms.node(self.term), family.leaf)
        return node

    def without_minimum(self) -> Node | None:
        family, node = self.family, self.term.node
        if not isinstance(node, AtLeast) or not node.need:
            return None
        return family.get(family.terms.push(node.family.get(node.states, 0), family.terms.end), self.room)

    def lasting(self) -> Sequence[tuple[Ranges, int]]:
        """What `_Minimums._lasting` says of its states; but of a string up to there, how many symbols it may have."""
        node, behind = self.term.node, self.term.rest
        if not isinstance(node, AtLeast) or behind not in (None, self.family.terms.end):
            return ()
        return [(kept, self.room - left) for kept, left in node.family.lasting(node.states)]

    def again(self) -> AtMost | None:
        return None if self.run is None else self.family.get(self.term, self.room + 1)

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        new = _spelled_again(self.family.leaf, leaf, spell_word)
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


def _spelled_again(old: SpellClass, leaf: SpellClass, spell_word: SpellWord) -> SpellClass:
    return leaf if old is chars else cache(lambda ranges: substitute(old(ranges), leaf, spell_word))


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
    if isinstance(node, GraphState) and all(isinstance(label, Class) for label in node.graph.labels):
        minimums, start = _Minimums(node.graph), frozenset([node.index])
        node = minimums.get(start, 0) if minimums.lasting(start) else node
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


class AtLeast(Lazy):
    """The strings of a graph from some of its states on that have at least `need` symbols.

    They begin as all strings from there do, but for those that are whole: see `_grows`. All ways are followed together,
    so that a walk meets few nodes; masks are those of the graph, which shows what it repeats.
    """

    __slots__ = ("family", "need", "states")
    bounded = True

    def __init__(self, family: _Minimums, states: frozenset[int], need: int):
        self.nullable = not need and any(family.graph.ends[i] for i in states)
        self.family, self.states, self.need = family, states, need

    def unfold(self) -> Sequence[tuple[Node, Node]]:
        family, need = self.family, self.need - 1
        ways = ((family.leaf(symbols), after) for after, symbols in family.ways(self.states))
        return [(label, family.get(after, need)) for label, after in ways if label is not VOID]

    def unbounded(self, most: int) -> Node | None:
        return None if self.need else self.family.plain(self.states)

    def without_minimum(self) -> Node | None:
        return self.family.plain(self.states) if self.need else None

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self.family.spelled(leaf, spell_word).get(self.states, self.need)

    def furthest(self) -> int | None:
        most = self.family.graph.furthest
        return None if most is None else max(most, self.need)

    def symbols(self) -> set[int]:
        return alphabet(self.family.plain(self.states))

    def lengths(self) -> Bounds:
        return max(self.need, self.family.nearest(self.states)), None


class _Minimums:
    """All the `AtLeast` nodes that come from one; equal ones are the same object."""

    def __init__(self, graph: Graph, leaf: SpellClass = chars):
        self.graph, self.leaf = graph, leaf
        self.made: dict[tuple[frozenset[int], int], AtLeast] = {}
        self.plain, self.ways, self.spelled = cache(self._plain), cache(self._ways), lru_cache(2)(self._spelled)
        self.onto, self.lasting = cache(self._onto), cache(self._lasting)
        self.nearest = cache(lambda states: min(map(graph.shortest, states)))

    def get(self, states: frozenset[int], need: int) -> AtLeast:
        need = need if need > self.nearest(states) else 0
        node = self.made.get((states, need))
        return self.made.setdefault((states, need), AtLeast(self, states, need)) if node is None else node

    def _lasting(self, states: frozenset[int]) -> Sequence[tuple[Ranges, int]]:
        """Of some states, and of each set that comes after them: the symbols after which it is the same, and how many
        are left from there at least; most from the last. () if more matters than which symbols came.

        A string leads to the last set that has all its symbols, or to one of which as many are left.
        """
        sets = [states]
        for one in sets:  # grows
            ways = self.ways(one)
            if max(len(sets), len(ways)) > MOST_SETS or not all(self._commutes(way, one, ways) for way in ways):
                return ()
            sets += [after for after, _ in ways if after not in sets]
        sets.sort(key=self.nearest)
        return [(symbols, self.nearest(one)) for one in sets for after, symbols in self.ways(one) if after == one]

    def _commutes(self, way: Way, states: frozenset[int], ways: list[Way]) -> bool:
        """Whether, after a way, its symbols change no more, and others do what they do before it, and less is left."""
        after, symbols = way
        if self.onto(after, symbols) != after or self.nearest(after) > self.nearest(states):
            return False
        orders = ((self.onto(after, others), self.onto(other, symbols)) for other, others in ways)
        if any(one is None or one != other for one, other in orders):
            return False
        return union(*(x for _, x in self.ways(after))) == union(*(x for _, x in ways))

    def _onto(self, states: frozenset[int], symbols: Ranges) -> frozenset[int] | None:
        """The states after whichever of these symbols; None if that depends."""
        return next((after for after, x in self.ways(states) if overlap(x, symbols) == symbols), None)

    def _plain(self, states: frozenset[int]) -> Node:
        """What some states match, of any length, spelled."""
        return alt(*(substitute(self.graph.node(i), self.leaf) for i in sorted(states)))

    def _ways(self, states: frozenset[int]) -> list[Way]:
        """(the states after a symbol, those symbols)."""
        changes: list[tuple[int, int, int]] = []  # where edges to a state begin and end
        for label, after in (edge for i in states for edge in self.graph.leaving(i)):
            assert isinstance(label, Class)
            changes += [change for low, high in label.ranges for change in ((low, after, 1), (high + 1, after, -1))]
        ways: dict[frozenset[int], list[tuple[int, int]]] = {}
        count, begun = Counter[int](), 0
        for point, after, more in sorted(changes):
            if point > begun and count:
                ways.setdefault(frozenset(count), []).append((begun, point - 1))
            count[after], begun = count[after] + more, point
            if not count[after]:
                del count[after]
        return [(afters, union(symbols)) for afters, symbols in ways.items()]

    def _spelled(self, leaf: SpellClass, spell_word: SpellWord) -> _Minimums:
        return _Minimums(self.graph, _spelled_again(self.leaf, leaf, spell_word))


def _grows(graph: Graph) -> bool:
    """Whether a minimum takes nothing from the beginnings of a graph's strings, even beside a maximum.

    So it is if strings of every length above the shortest go on from each state from which any do; and if whatever
    leads to where none do leads to such a state, too, which is at most one symbol from an end.
    """
    ranges = [label.ranges for label in graph.labels if isinstance(label, Class)]
    if len(ranges) < len(graph.labels) or any(overlap(of, SURROGATES) == of for of in ranges):
        return False
    return all(_grows_from(i, graph, ranges) for i, flat in enumerate(graph.edges) if flat)


def _grows_from(i: int, graph: Graph, ranges: list[Ranges]) -> bool:
    shortest, ways = graph.shortest, [(ranges[label], j) for label, j in graph.numbered(i)]
    near = union(*(of for of, j in ways if graph.edges[j] and shortest(j) <= 1))
    last = union(*(of for of, j in ways if not graph.edges[j]))
    return any(graph.edges[j] and shortest(j) <= shortest(i) for _, j in ways) and overlap(last, near) == last


def conjunction(nodes: Sequence[Node], excluded: Sequence[Node] = ()) -> Node:
    """What `intersection` says. The counts of nodes that only count a symbol are no part of its automaton.

    Raises:
        ConstraintError: too large.
    """
    low, highs, plain = 0, list[int](), list[Node]()
    if len(nodes) == 1 and not excluded:
        return nodes[0]
    for node in nodes:
        if isinstance(node, Repeat) and isinstance(node.body, Class):
            low, highs = max(low, node.low), highs if node.high is None else [*highs, node.high]
            node = star(node.body)
        if isinstance(node, AtMost):
            highs, node = [*highs, node.room], node.family.terms.node(node.term)
        if isinstance(node, AtLeast):
            low, node = max(low, node.need), node.family.plain(node.states)
        plain.append(node)
    node = intersection(plain, excluded)
    node = at_least(node, low) if low and node is not VOID else node
    return at_most(node, min(highs)) if highs and node is not VOID else node


def at_least(node: Node, count: int) -> Node:
    """The strings of at least `count` symbols.

    Raises:
        ConstraintError: too large.
    """
    if shortest(node) >= count:
        return node
    if isinstance(node, Repeat) and isinstance(node.body, Class):
        return repeat(node.body, max(node.low, count), node.high)
    if isinstance(node, AtMost):
        return at_most(at_least(node.family.terms.node(node.term), count), node.room)
    if isinstance(node, AtLeast):
        return node.family.get(node.states, max(count, node.need))
    everything = chars(((0, 0x10FFFF),))
    whole = node if isinstance(node, GraphState) else intersection([node, star(everything)])
    if isinstance(whole, GraphState) and whole.edges and _grows(whole.graph):
        return _Minimums(whole.graph).get(frozenset([whole.index]), count)
    return intersection([node, repeat(everything, count, None)])
