"""Lineages: paths of ints (which prompt, which sample, which copy) that key each row's randomness.

Within a state no two live rows have the same one, or they would draw the same tokens.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from outlines_cont.row import Row


def copied(row: Row, index: int) -> Row:
    """A copy of a row that draws its own random numbers."""
    return row if row.dead else replace(row, lineage=(*row.lineage, index))


def rekeyed_copies(rows: list[list[Row]]) -> list[list[Row]]:
    """Rows that were selected several times become copies of their own."""
    counts = Counter(row.lineage for group in rows for row in group if not row.dead)
    if max(counts.values(), default=0) < 2:
        return rows
    seen: Counter[tuple[int, ...]] = Counter()

    def keyed(row: Row) -> Row:
        if row.dead or counts[row.lineage] < 2:
            return row
        seen[row.lineage] += 1
        return copied(row, seen[row.lineage] - 1)

    return rekeyed([[keyed(row) for row in group] for group in rows])


def rekeyed(rows: list[list[Row]]) -> list[list[Row]]:
    """Give rows whose lineage an earlier row has a lineage of their own, one that no other row has."""
    given = {row.lineage for group in rows for row in group if not row.dead}
    taken: set[tuple[int, ...]] = set()

    def keyed(row: Row) -> Row:
        if row.dead:
            return row
        copy, index = row, 0
        while copy.lineage in taken or (index and copy.lineage in given):
            index += 1
            copy = copied(row, index)
        taken.add(copy.lineage)
        return copy

    return [[keyed(row) for row in group] for group in rows]
