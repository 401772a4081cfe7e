"""Lineages: paths of ints (which prompt, which sample, which copy) that key each row's randomness.

Within a state no two live rows have the same lineage: they would draw the same tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import count

import torch

from outlines_cont.arguments import whole_number
from outlines_cont.kernels import philox
from outlines_cont.kernels.philox import random_key
from outlines_cont.state.row import Row


def seeded(seed: int | None) -> int:
    """The seed, or one from torch's global generator."""
    return int(torch.randint(2**63 - 1, ())) if seed is None else whole_number(seed, "seed", "an int or None")


def uniform(seed: int, lineage: tuple[int, ...], position: int, attempt: int, purpose: str = "at") -> float:
    """A number in [0, 1) that is a function of its key alone."""
    return philox.uniform(random_key(seed, lineage, position, attempt, purpose))


def copied(row: Row, index: int) -> Row:
    """A copy of a row that draws its own random numbers."""
    return row if row.dead else row.keyed((*row.lineage, index))


def rekeyed_copies(rows: list[list[Row]]) -> list[list[Row]]:
    """The rows; those that stand there several times become copies with lineages that no other row has."""
    counts = Counter([row.lineage for group in rows for row in group if not row.dead])
    if len(counts) == counts.total():
        return rows
    copies = {lineage: _free_copies(lineage, counts) for lineage, times in counts.items() if times > 1}
    return [
        [row.keyed(next(copies[row.lineage])) if row.lineage in copies and not row.dead else row for row in group]
        for group in rows
    ]


def _free_copies(lineage: tuple[int, ...], taken: Container[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The lineages of copies of a row of this lineage, except those that are taken."""
    for index in count():
        if (copy := (*lineage, index)) not in taken:
            yield copy


def rekeyed(rows: list[list[Row]]) -> list[list[Row]]:
    """The rows; one whose lineage an earlier row has gets a new lineage that no other row has."""
    original = {row.lineage for group in rows for row in group if not row.dead}
    taken: set[tuple[int, ...]] = set()

    def keyed(row: Row) -> Row:
        if row.dead:
            return row
        copy, index = row, 0
        while copy.lineage in taken or (index and copy.lineage in original):
            index += 1
            copy = copied(row, index)
        taken.add(copy.lineage)
        return copy

    return [[keyed(row) for row in group] for group in rows]


def may_collide(rows: Sequence[Sequence[Row]]) -> bool:
    """Whether a copy of a row may get the lineage of a row of another batch row: one begins with the other."""
    of = {row.lineage: b for b, group in enumerate(rows) for row in group if not row.dead}
    return len(rows) > 1 and any(of.get(path[:n], b) != b for path, b in of.items() for n in range(len(path)))
