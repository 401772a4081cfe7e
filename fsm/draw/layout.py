"""Where the nodes and the edges of a directed graph are drawn: layers from left to right, and no label over another.

Columns alternate: nodes, labels, nodes, labels, … An edge has a place of its own in every column that it passes, so it
crosses no node. In each column, places are ordered by where their neighbours are, and moved as near to them as fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
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
    columns = _Columns(2 * max(rank.values()) + 1)
    at = {node: columns.place(2 * rank[node], box) for node, box in nodes.items()}
    through = Box(0, gap / 3, gap / 3)  # where an edge passes a column
    paths = [
        _path(columns, (target, source) if i in back else (source, target), rank, at, (label, through), i in back)
        for i, ((source, target), label) in enumerate(zip(edges, labels, strict=True))
    ]
    _order(columns.columns, columns.beside)
    y = _heights(columns.columns, columns.boxes, columns.beside, {i for path in paths for i in path}, gap)
    x, widths, width = _across(columns, y, gap)
    top = min(y[i] - box.above for i, box in enumerate(columns.boxes))
    low = max(y[i] + box.below for i, box in enumerate(columns.boxes))
    spots = [(x[i], y[i] - top) for i in range(len(y))]
    level = [[_level(spots[i], widths[i], number in back) for i in path] for number, path in enumerate(paths)]
    centres = {node: spots[i] for node, i in at.items()}
    half = {node: widths[i] / 2 for node, i in at.items()}
    return Placement(centres, half, level, [spots[path[0]] for path in paths], back, width, low - top)


def _path(
    columns: _Columns,
    ends: tuple[int, int],
    rank: dict[int, int],
    at: dict[int, int],
    boxes: tuple[Box, Box],
    back: bool,
) -> list[int]:
    """Give an edge a place in every column between its ends, and join these.

    Args:
        ends: the nodes on its left and on its right. at: the places of the nodes. boxes: of its label, of other places.
        back: whether it leads to the left.

    Returns:
        Its places, from its source on: the label stands at the first.
    """
    (left, right), (label, through) = ends, boxes
    inner = range(2 * rank[left] + 1, 2 * rank[right])
    shown = inner[-1] if back else inner[0]
    path = [columns.place(column, label if column == shown else through) for column in inner]
    columns.join([at[left], *path, at[right]])
    return path[::-1] if back else path


class _Columns:
    """Places in columns, by number.

    Attributes:
        columns: the places of each column, from above. boxes: the box of each place.
        beside: the places that each is joined to, on the left and on the right.
    """

    def __init__(self, count: int):
        self.columns: list[list[int]] = [[] for _ in range(count)]
        self.boxes: list[Box] = []
        self.beside: list[tuple[list[int], list[int]]] = []

    def place(self, column: int, box: Box) -> int:
        """A new place, at the end of a column."""
        self.columns[column].append(len(self.boxes))
        self.boxes.append(box)
        self.beside.append(([], []))
        return len(self.boxes) - 1

    def join(self, path: list[int]) -> None:
        """Join places, from left to right."""
        for left, right in pairwise(path):
            self.beside[left][1].append(right)
            self.beside[right][0].append(left)


def _across(columns: _Columns, y: list[float], gap: float) -> tuple[list[float], list[float], float]:
    """The middle of each place, the width of its column, and the width of all.

    An edge runs level as far as anything in its column reaches, and columns between which edges are steep stand apart.
    """
    x, widths, right = [0.0] * len(y), [0.0] * len(y), 0.0
    for column in columns.columns:
        width = max(columns.boxes[i].width for i in column)
        steepest = max((abs(y[i] - y[j]) for i in column for j in columns.beside[i][1]), default=0)
        for i in column:
            x[i], widths[i] = right + width / 2, width
        right += width + gap + min(steepest / 5, 2 * gap)
    return x, widths, right - gap


def _level(spot: tuple[float, float], width: float, back: bool) -> tuple[float, float, float]:
    x, y = spot
    return (x + width / 2, x - width / 2, y) if back else (x - width / 2, x + width / 2, y)


def _ranks(nodes: list[int], edges: Sequence[tuple[int, int]], start: int) -> tuple[dict[int, int], set[int]]:
    """How far to the right each node is: as far as the longest way to it, without the edges that lead back to where one
    came from; and which these are."""
    leaving: dict[int, list[int]] = {node: [] for node in nodes}
    for i, (source, _) in enumerate(edges):
        leaving[source].append(i)
    back: set[int] = set()
    on_the_way, done = {start}, []
    stack = [(start, iter(leaving[start]))]
    seen = {start}
    while stack:
        node, remaining = stack[-1]
        for i in remaining:
            target = edges[i][1]
            if target in on_the_way:
                back.add(i)
            elif target not in seen:
                seen.add(target)
                on_the_way.add(target)
                stack.append((target, iter(leaving[target])))
                break
        else:
            stack.pop()
            on_the_way.discard(node)
            done.append(node)
    rank = dict.fromkeys(nodes, 0)
    for node in reversed(done):
        for i in leaving[node]:
            if i not in back:
                rank[edges[i][1]] = max(rank[edges[i][1]], rank[node] + 1)
    return rank, back


def _order(columns: list[list[int]], beside: list[tuple[list[int], list[int]]]) -> None:
    """Order the places of each column so that few edges cross."""
    best, fewest = [list(column) for column in columns], _crossings(columns, beside)
    for sweep in range(SWEEPS):
        side = sweep % 2  # 0: look to the left
        for column in columns[1:] if side == 0 else columns[-2::-1]:
            rank = {i: n for other in columns for n, i in enumerate(other)}
            wanted = {i: _mean([rank[j] for j in beside[i][side]], rank[i]) for i in column}
            column.sort(key=wanted.__getitem__)
        crossings = _crossings(columns, beside)
        if crossings < fewest:
            best, fewest = [list(column) for column in columns], crossings
    columns[:] = best


def _mean(values: Iterable[float], otherwise: float) -> float:
    values = list(values)
    return sum(values) / len(values) if values else otherwise


def _crossings(columns: list[list[int]], beside: list[tuple[list[int], list[int]]]) -> int:
    rank = {i: n for column in columns for n, i in enumerate(column)}
    count = 0
    for column in columns:
        lines = [(rank[i], rank[j]) for i in column for j in beside[i][1]]
        count += sum(a < c and b > d for a, b in lines for c, d in lines)
    return count


def _heights(
    columns: list[list[int]], boxes: list[Box], beside: list[tuple[list[int], list[int]]], inner: set[int], gap: float
) -> list[float]:
    """The height of each place: as near to those of its neighbours as the order and the boxes allow."""
    y = [0.0] * len(boxes)
    for column in columns:
        _spread(column, [0.0] * len(column), boxes, gap, y)
    # First look left and right in turns, then to both sides; at last straighten edges, from where they are alone.
    for sweep in range(3 * SWEEPS):
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            wanted = []
            for i in column:
                left, right = beside[i]
                side = left + right
                if sweep < SWEEPS:
                    side = beside[i][sweep % 2] or side
                elif sweep >= 2 * SWEEPS:
                    side = _alone(i, beside, inner) if i in inner else left * (len(left) == 1)
                wanted.append(_mean([y[j] for j in side], y[i]))
            _spread(column, wanted, boxes, gap, y)
    return y


def _alone(i: int, beside: list[tuple[list[int], list[int]]], inner: set[int]) -> list[int]:
    """The neighbour of a place of an edge that the edge is to be level with: its left one, but if only on the right it
    meets no other."""
    ends = []
    for side in (0, 1):
        j = i
        while j in inner:
            (j,) = beside[j][side]
        ends.append(len(beside[j][1 - side]))
    return beside[i][1 if ends[0] > 1 and ends[1] == 1 else 0]


def _spread(column: list[int], wanted: list[float], boxes: list[Box], gap: float, y: list[float]) -> None:
    """Give the places of a column the heights nearest to the wanted ones, by least squares, without overlap."""
    offsets = [0.0]
    for i, j in pairwise(column):
        offsets.append(offsets[-1] + boxes[i].below + boxes[j].above + gap / 3)
    blocks: list[list[float]] = []  # (the sum of what its places want, how many): they touch one another
    for want, offset in zip(wanted, offsets, strict=True):
        blocks.append([want - offset, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    settled = [total / count for total, count in blocks for _ in range(int(count))]
    for i, base, offset in zip(column, settled, offsets, strict=True):
        y[i] = base + offset
