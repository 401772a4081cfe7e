"""Explicit automata as languages."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from .measures import alphabet, furthest, longest, shortest
from .nodes import EMPTY, VOID, Bounds, KeepWord, Lazy, Node, SpellClass, alt, repeat, uncollected
from .substitution import substitute


class Graph:
    """An explicit automaton: `edges[i]` lists (what to match, next state), `ends[i]` whether it may stop in i.

    Every state reaches an end.
    """

    __slots__ = ("_furthest", "_longest", "_shortest", "edges", "ends", "nodes")

    def __init__(self, edges: list[list[tuple[Node, int]]], ends: list[bool]):
        self.edges, self.ends = edges, ends
        self.nodes = [GraphState(self, i) for i in range(len(edges))]
        self._longest: dict[int, int | None] | None = None
        self._shortest: dict[int, int] | None = None
        self._furthest: int | None = None

    @property
    def furthest(self) -> int | None:
        """The greatest of its states' `furthest`."""
        if self._furthest is None:
            far = [(furthest(label), j) for out in self.edges for label, j in out]
            steps = [None if most is None else most + self.nodes[j].lengths()[0] for most, j in far]
            self._furthest = -1 if None in steps else max((x for x in steps if x is not None), default=0)
        return None if self._furthest < 0 else self._furthest

    def shortest(self, index: int) -> int:
        """The length of the shortest string from a state."""
        if self._shortest is None:
            self._shortest = self._distances()
        return self._shortest[index]

    @uncollected()
    def _distances(self) -> dict[int, int]:
        """How far each state is from an end: Dijkstra, from the ends backwards."""
        back: list[list[tuple[int, int]]] = [[] for _ in self.edges]
        for i, out in enumerate(self.edges):
            for label, j in out:
                back[j].append((shortest(label), i))
        found: dict[int, int] = {}
        queue = [(0, i) for i, end in enumerate(self.ends) if end]
        while queue:
            length, j = heapq.heappop(queue)
            if j not in found:
                found[j] = length
                for more, i in back[j]:
                    heapq.heappush(queue, (length + more, i))
        return found

    def longest(self, index: int) -> int | None:
        """The length of the longest string from a state; None if there is none."""
        if self._longest is None:
            self._longest = self._lengths()
        return self._longest.get(index)

    def _lengths(self) -> dict[int, int | None]:
        """Those of the states that lead into no cycle: from the ends backwards."""
        back: list[list[int]] = [[] for _ in self.edges]
        left = [len(out) for out in self.edges]
        for i, out in enumerate(self.edges):
            for _, j in out:
                back[j].append(i)
        found: dict[int, int | None] = {}
        todo = [i for i, count in enumerate(left) if not count]
        while todo:
            j = todo.pop()
            steps = [(longest(label), found[k]) for label, k in self.edges[j]]
            sums = [None if a is None or b is None else a + b for a, b in steps]
            found[j] = None if None in sums else max((x for x in sums if x is not None), default=0)
            for i in back[j]:
                left[i] -= 1
                if not left[i]:
                    todo.append(i)
        return found


class GraphState(Lazy):
    """What a `Graph` still matches from one of its states; if `leaving`, it does not come back to it at once.

    What leads back at once is a `Repeat`, so that masks know it.
    """

    __slots__ = ("graph", "index", "leaving")

    def __init__(self, graph: Graph, index: int, leaving: bool = False):
        self.nullable, self.graph, self.index, self.leaving = graph.ends[index], graph, index, leaving

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        out, nodes = self.graph.edges[self.index], self.graph.nodes
        edges: list[tuple[Node, Node]] = [(label, nodes[j]) for label, j in out if j != self.index]
        back = [label for label, j in out if j == self.index]
        if back and not self.leaving:
            rest = GraphState(self.graph, self.index, leaving=True) if edges else EMPTY
            edges.append((repeat(alt(*back), 1, None), rest))
        return edges

    def substituted(self, leaf: SpellClass, keep: KeepWord) -> Node:
        edges = [[(substitute(label, leaf, keep), j) for label, j in out] for out in self.graph.edges]
        node = graph(edges, self.graph.ends, start=self.index)
        return (
            GraphState(node.graph, self.index, leaving=True) if self.leaving and isinstance(node, GraphState) else node
        )

    def furthest(self) -> int | None:
        return self.graph.furthest

    def symbols(self) -> set[int]:
        labels = {label for out in self.graph.edges for label, _ in out}
        return set().union(*map(alphabet, labels))

    def lengths(self) -> Bounds:
        return self.graph.shortest(self.index), self.graph.longest(self.index)


def graph(edges: list[list[tuple[Node, int]]], ends: list[bool], start: int = 0) -> Node:
    """The language of an explicit automaton, trimmed of what cannot reach an end."""
    back: list[list[int]] = [[] for _ in edges]
    for i, out in enumerate(edges):
        for label, j in out:
            if label is not VOID:
                back[j].append(i)
    live = {i for i, end in enumerate(ends) if end}
    todo = list(live)
    while todo:
        for i in back[todo.pop()]:
            if i not in live:
                live.add(i)
                todo.append(i)
    if start not in live:
        return VOID
    kept = [[(x, j) for x, j in out if x is not VOID and j in live] if i in live else [] for i, out in enumerate(edges)]
    return Graph(kept, ends).nodes[start]
