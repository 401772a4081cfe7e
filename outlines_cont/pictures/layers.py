"""Where the nodes and the edges of a directed graph are drawn: layers from left to right, and no label over another.

Columns alternate: nodes, labels, nodes, labels, … An edge has a place of its own in every column that it passes, so it
crosses no node. In each column, places are ordered by where their neighbours are, and moved as near to them as fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

SWEEPS = 16


class Box(NamedTuple):
    """How much room there is to be to the left and right of a place together, and above and below it."""

    width: float
    above: float
    below: float


class Placement(NamedTuple):
    """Where all of a graph is drawn.

    Attributes:
        nodes: the centre of each node. half: half the width of its column; edges turn up or down beyond it.
        edges: for each edge, from its source to its target: from where to where it is to run level, as (x, x, y).
        labels: where the label of each edge stands.
        back: the edges that lead to the left.
        width, height: of the whole.
    """

    nodes: dict[int, tuple[float, float]]
    half: dict[int, float]
    edges: list[list[tuple[float, float, float]]]
    labels: list[tuple[float, float]]
    back: set[int]
    width: float
    height: float


def layout(
    nodes: dict[int, Box], edges: Sequence[tuple[int, int]], labels: Sequence[Box], start: int, gap: float
) -> Placement:
    """Place a graph of which all can be reached from `start`.

    Args:
        nodes: their boxes. edges: (source, target), no loops. labels: the boxes of their labels. gap: between boxes.
    """
    rank, back = _ranks(list(nodes), edges, start)
    columns = _Columns(2 * max(rank.values()) + 1, gap)
    at = {node: columns.place(2 * rank[node], box) for node, box in nodes.items()}
    paths = []
    for i, (ends, label) in enumerate(zip(edges, labels, strict=True)):
        step = -1 if i in back else 1
        inner = range(2 * rank[ends[0]] + step, 2 * rank[ends[1]], step)
        paths.append(columns.lead(at[ends[0]], at[ends[1]], inner, label))
    columns.order()
    columns.set_heights({place for path in paths for place in path})
    width = columns.set_middles()
    top = min(y - box.above for y, box in zip(columns.y, columns.boxes, strict=True))
    low = max(y + box.below for y, box in zip(columns.y, columns.boxes, strict=True))
    spots = [(x, y - top) for x, y in zip(columns.x, columns.y, strict=True)]
    level = [[_level(spots[j], columns.widths[j], i in back) for j in path] for i, path in enumerate(paths)]
    centres = {node: spots[i] for node, i in at.items()}
    half = {node: columns.widths[i] / 2 for node, i in at.items()}
    return Placement(centres, half, level, [spots[path[0]] for path in paths], back, width, low - top)


def _level(spot: tuple[float, float], width: float, back: bool) -> tuple[float, float, float]:
    (x, y), half = spot, -width / 2 if back else width / 2
    return x - half, x + half, y


def _ranks(nodes: list[int], edges: Sequence[tuple[int, int]], start: int) -> tuple[dict[int, int], set[int]]:
    """How far to the right each node is: as far as the longest way to it, without the edges that lead back to where one
    came from; and which these are."""
    leaving: dict[int, list[int]] = {node: [] for node in nodes}
    for i, (source, _) in enumerate(edges):
        leaving[source].append(i)
    back: set[int] = set()
    done: list[int] = []
    on_the_way = {start: iter(leaving[start])}  # in order
    while on_the_way:
        node = next(reversed(on_the_way))
        i = next(on_the_way[node], None)
        if i is None:
            del on_the_way[node]
            done.append(node)
        elif edges[i][1] in on_the_way:
            back.add(i)
        elif edges[i][1] not in done:
            on_the_way[edges[i][1]] = iter(leaving[edges[i][1]])
    rank = dict.fromkeys(nodes, 0)
    for node in reversed(done):
        for i in leaving[node]:
            if i not in back:
                rank[edges[i][1]] = max(rank[edges[i][1]], rank[node] + 1)
    return rank, back


class _Columns:
    """Places in columns, by number.

    Attributes:
        columns: the places of each column, from above. boxes: the box of each place.
        beside: the places that each is joined to, on the left and on the right.
        x, y: the middle of each place. widths: of its column.
    """

    def __init__(self, count: int, gap: float):
        self.columns: list[list[int]] = [[] for _ in range(count)]
        self.boxes: list[Box] = []
        self.beside: list[tuple[list[int], list[int]]] = []
        self.x: list[float] = []
        self.y: list[float] = []
        self.widths: list[float] = []
        self.gap = gap

    def place(self, column: int, box: Box) -> int:
        """A new place, at the end of a column."""
        self.columns[column].append(len(self.boxes))
        self.boxes.append(box)
        self.beside.append(([], []))
        for numbers in (self.x, self.y, self.widths):
            numbers.append(0.0)
        return len(self.boxes) - 1

    def lead(self, start: int, end: int, inner: range, label: Box) -> list[int]:
        """Give an edge between two places a place in every column between them: its label stands at the first."""
        through = Box(0, self.gap / 3, self.gap / 3)  # where an edge passes a column
        path = [self.place(column, label if column == inner[0] else through) for column in inner]
        for one, other in pairwise([start, *path, end]):
            left, right = (one, other) if inner.step > 0 else (other, one)
            self.beside[left][1].append(right)
            self.beside[right][0].append(left)
        return path

    def order(self) -> None:
        """Order the places of each column so that few edges cross."""
        best, fewest = [list(column) for column in self.columns], self._crossings()
        for sweep in range(SWEEPS):
            side = sweep % 2  # 0: look to the left
            for column in self.columns[1:] if side == 0 else self.columns[-2::-1]:
                rank = self._rank()
                wanted = {i: fmean([rank[j] for j in self.beside[i][side]] or [rank[i]]) for i in column}
                column.sort(key=wanted.__getitem__)
            if (crossings := self._crossings()) < fewest:
                best, fewest = [list(column) for column in self.columns], crossings
        self.columns[:] = best

    def _rank(self) -> dict[int, int]:
        return {i: n for column in self.columns for n, i in enumerate(column)}

    def _crossings(self) -> int:
        rank, count = self._rank(), 0
        for column in self.columns:
            lines = [(rank[i], rank[j]) for i in column for j in self.beside[i][1]]
            count += sum(a < c and b > d for a, b in lines for c, d in lines)
        return count

    def set_heights(self, inner: set[int]) -> None:
        """The height of each place: as near to those of its neighbours as the order and the boxes allow. inner: the
        places of edges."""
        for column in self.columns:
            self._spread(column, [0.0] * len(column))
        # First look left and right in turns, then to both sides; at last straighten edges.
        for sweep in range(3 * SWEEPS):
            for column in self.columns if sweep % 2 == 0 else self.columns[::-1]:
                wanted = []
                for i in column:
                    left, right = self.beside[i]
                    side = left + right
                    if sweep < SWEEPS:
                        side = self.beside[i][sweep % 2] or side
                    elif sweep >= 2 * SWEEPS:
                        side = left if i in inner or len(left) == 1 else []
                    wanted.append(fmean([self.y[j] for j in side] or [self.y[i]]))
                self._spread(column, wanted)

    def _spread(self, column: list[int], wanted: list[float]) -> None:
        """Give the places of a column the heights nearest to the wanted ones, by least squares, without overlap."""
        offsets = [0.0]
        for i, j in pairwise(column):
            offsets.append(offsets[-1] + self.boxes[i].below + self.boxes[j].above + self.gap / 3)
        blocks: list[list[float]] = []  # what the places that touch one another want, each by itself
        for want, offset in zip(wanted, offsets, strict=True):
            blocks.append([want - offset])
            while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
                last = blocks.pop()
                blocks[-1] += last
        level = [fmean(block) for block in blocks for _ in block]
        for i, base, offset in zip(column, level, offsets, strict=True):
            self.y[i] = base + offset

    def set_middles(self) -> float:
        """The middle of each place and the width of its column; returns the width of all.

        An edge runs level as far as anything in its column reaches, and columns between which edges are steep stand
        apart.
        """
        right = 0.0
        for column in self.columns:
            width = max(self.boxes[i].width for i in column)
            steepest = max((abs(self.y[i] - self.y[j]) for i in column for j in self.beside[i][1]), default=0)
            for i in column:
                self.x[i], self.widths[i] = right + width / 2, width
            right += width + self.gap + min(steepest / 5, 2 * self.gap)
        return right - self.gap
