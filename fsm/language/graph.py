"""Explicit automata as languages.

A `Graph` may have a hundred thousand states, so it is kept in few objects that hold others: labels have numbers, and
the edges of a state are one tuple of ints, which Python's garbage collector stops tracking at once. (With a tuple for
each edge and a list for each state, the collector took half of the time of a large intersection.)
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from .nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, SpellWord, alt, repeat, star
from .terms import alphabet, furthest, longest, shortest, substitute

S = TypeVar("S", bound=Hashable)

FlatEdges = tuple[int, ...]  # of one state: label, next state, label, next state, …


class Graph:
    """An explicit automaton. Every state reaches an end.

    Attributes:
        labels: what the edges match.
        edges: those of each state: the index of a label, the next state, the index of a label, the next state, …
        ends: whether a string may end in each state.
    """

    __slots__ = ("_furthest", "_longest", "_nodes", "_shortest", "_spelled", "edges", "ends", "labels")

    def __init__(self, labels: Sequence[Node], edges: list[FlatEdges], ends: Sequence[bool]):
        self.labels, self.edges, self.ends = labels, edges, ends
        self._nodes: dict[int, GraphState] = {}
        self._longest: list[int | None] | None = None
        self._shortest: list[int] | None = None
        self._furthest: int | None = None  # -1: no bound is known
        self._spelled: tuple[SpellClass, SpellWord, Graph] | None = None  # the last one that lacks no edge

    def node(self, index: int) -> GraphState:
        """The language that is matched from a state on; the same node each time."""
        node = self._nodes.get(index)
        return self._nodes.setdefault(index, GraphState(self, index)) if node is None else node

    def leaving(self, index: int) -> list[tuple[Node, int]]:
        """(what to match, next state) of each edge of a state."""
        return [(self.labels[label], target) for label, target in self.numbered(index)]

    def numbered(self, index: int) -> Iterator[tuple[int, int]]:
        """(the index of a label, next state) of each edge of a state."""
        return _pairs(self.edges[index])

    @property
    def furthest(self) -> int | None:
        """The greatest of its states' `furthest`; None if no bound is known."""
        if self._furthest is None:
            used = {pair for flat in self.edges for pair in _pairs(flat)}
            of_labels = {label: furthest(self.labels[label]) for label, _ in used}
            steps = [-1 if (far := of_labels[label]) is None else far + self.shortest(j) for label, j in used]
            self._furthest = -1 if -1 in steps else max(steps, default=0)
        return None if self._furthest < 0 else self._furthest

    def shortest(self, index: int) -> int:
        """The length of the shortest string from a state."""
        if self._shortest is None:
            self._shortest = self._distances()
        return self._shortest[index]

    def _distances(self) -> list[int]:
        """How far each state is from an end: Dijkstra, from the ends backwards. (States that nothing leads to: 0.)"""
        lengths = [shortest(label) for label in self.labels]
        before: list[list[tuple[int, int]]] = [[] for _ in self.edges]
        for i, flat in enumerate(self.edges):
            for label, j in zip(flat[::2], flat[1::2], strict=True):
                before[j].append((lengths[label], i))
        distances = [-1] * len(self.edges)
        queue = [(0, i) for i, end in enumerate(self.ends) if end]
        while queue:
            length, j = heapq.heappop(queue)
            if distances[j] < 0:
                distances[j] = length
                for more, i in before[j]:
                    if distances[i] < 0:
                        heapq.heappush(queue, (length + more, i))
        return distances

    def longest(self, index: int) -> int | None:
        """The length of the longest string from a state; None if there is none."""
        if self._longest is None:
            self._longest = self._longest_strings()
        return self._longest[index]

    def _longest_strings(self) -> list[int | None]:
        """The longest string of each state that leads into no cycle, from the ends backwards; None for the others."""
        lengths = [longest(label) for label in self.labels]
        before = _before(self.edges)
        unsettled = [len(flat) // 2 for flat in self.edges]  # edges to states whose longest string is not known yet
        longest_strings: list[int | None] = [None] * len(self.edges)
        todo = [i for i, count in enumerate(unsettled) if not count]
        while todo:
            j = todo.pop()
            longest_strings[j] = _longest_way(
                (lengths[label], longest_strings[target]) for label, target in _pairs(self.edges[j])
            )
            for i in before[j]:
                unsettled[i] -= 1
                if not unsettled[i]:
                    todo.append(i)
        return longest_strings


class GraphState(Lazy):
    """What a `Graph` still matches from one of its states; if `leaving`, it does not come back to it at once.

    What leads back at once is a `Repeat`, so that masks know it.
    """

    __slots__ = ("graph", "index", "leaving")

    def __init__(self, graph: Graph, index: int, leaving: bool = False):
        self.nullable, self.graph, self.index, self.leaving = graph.ends[index], graph, index, leaving

    @property
    def edges(self) -> Sequence[tuple[Node, Node]]:
        """See `Lazy.edges`. They are kept only if `unfold` makes nodes for them: a graph may have very many states."""
        return super().edges if self.index in self.graph.edges[self.index][1::2] else self.unfold()

    def unfold(self) -> Sequence[tuple[Node, Node]]:
        out, node = self.graph.leaving(self.index), self.graph.node
        edges: list[tuple[Node, Node]] = [(label, node(j)) for label, j in out if j != self.index]
        back = [label for label, j in out if j == self.index]
        if back and not self.leaving:
            others = GraphState(self.graph, self.index, leaving=True) if edges else EMPTY
            edges.append((repeat(alt(*back), 1, None), others))
        return edges

    @property
    def loop(self) -> Node | None:  # type: ignore[override]
        """See `Lazy.loop`."""
        flat = self.graph.edges[self.index]
        return star(self.graph.labels[flat[0]]) if self.nullable and flat[1:] == (self.index,) else None

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        old, kept = self.graph, self.graph._spelled  # read once: another thread may spell it otherwise
        if kept is not None and kept[:2] == (leaf, spell_word):
            node: Node = kept[2].node(self.index)
        else:
            labels = [substitute(label, leaf, spell_word) for label in old.labels]
            node = trimmed(labels, old.edges, old.ends, self.index)
            if isinstance(node, GraphState) and node.graph.edges is old.edges:
                old._spelled = leaf, spell_word, node.graph
        if self.leaving and isinstance(node, GraphState):
            return GraphState(node.graph, self.index, leaving=True)
        return node

    def furthest(self) -> int | None:
        return self.graph.furthest

    def symbols(self) -> set[int]:
        used = {label for flat in self.graph.edges for label in flat[::2]}
        return set().union(*(alphabet(self.graph.labels[label]) for label in used))

    def lengths(self) -> Bounds:
        return self.graph.shortest(self.index), self.graph.longest(self.index)


def graph(edges: Sequence[Iterable[tuple[Node, int]]], ends: Sequence[bool], start: int = 0) -> Node:
    """The language of an explicit automaton.

    Args:
        edges: (what to match, next state) of each state. ends: whether a string may end in each state.
    """
    numbers: dict[Node, int] = {}
    flat = [
        tuple(number for label, j in out for number in (numbers.setdefault(label, len(numbers)), j)) for out in edges
    ]
    return trimmed(list(numbers), flat, ends, start)


def trimmed(labels: Sequence[Node], edges: list[FlatEdges], ends: Sequence[bool], start: int = 0) -> Node:
    """The language of an explicit automaton as `Graph` keeps it, without the edges that lead to no end."""
    void = {number for number, label in enumerate(labels) if label is VOID}
    if void:
        edges = [_kept(flat, [label not in void for label in flat[::2]]) for flat in edges]
    live = _live(edges, ends)
    if not live[start]:
        return VOID
    if not all(live):
        edges = [_kept(flat, [live[j] for j in flat[1::2]]) for flat in edges]
    return Graph(labels, edges, ends).node(start)


def _kept(flat: FlatEdges, kept: list[bool]) -> FlatEdges:
    if all(kept):
        return flat
    return tuple(number for pair, keep in zip(_pairs(flat), kept, strict=True) if keep for number in pair)


def _live(edges: list[FlatEdges], ends: Sequence[bool]) -> list[bool]:
    """Whether each state reaches an end."""
    before = _before(edges)
    live = [bool(end) for end in ends]
    todo = [i for i, end in enumerate(live) if end]
    while todo:
        for i in before[todo.pop()]:
            if not live[i]:
                live[i] = True
                todo.append(i)
    return live


def _before(edges: list[FlatEdges]) -> list[list[int]]:
    """The states from which an edge leads to each state."""
    before: list[list[int]] = [[] for _ in edges]
    for i, flat in enumerate(edges):
        for j in flat[1::2]:
            before[j].append(i)
    return before


def leading_to(ends: Iterable[S], following: Mapping[S, Iterable[S]]) -> set[S]:
    """The states from which a way leads to an end, the ends included. following: the states after each."""
    before: dict[S, set[S]] = {}
    for state, afters in following.items():
        for after in afters:
            before.setdefault(after, set()).add(state)
    live = set(ends)
    todo = list(live)
    while todo:
        new = before.get(todo.pop(), set()) - live
        live |= new
        todo += new
    return live


def _pairs(flat: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(flat[::2], flat[1::2], strict=True)


def _longest_way(ways: Iterable[tuple[int | None, int | None]]) -> int | None:
    """The longest string that begins with a label and goes on from a state; None if there is none."""
    most = 0
    for of_label, of_state in ways:
        if of_label is None or of_state is None:
            return None
        most = max(most, of_label + of_state)
    return most
