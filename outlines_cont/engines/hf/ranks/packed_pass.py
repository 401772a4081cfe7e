"""One pass as it travels: what rank 0's tree decided, without the tree. And the pools that follow."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import Any
from weakref import finalize

import numpy as np

from outlines_cont.engines.hf.attention_layout import AttentionItem, AttentionLayout, PackedGroups
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.read_plan import TokenRun

_numbers = count()


class LeadingPool(Pool):
    """Rank 0's pool. What happens to its buffers besides passes is noted, and told with the next command: garbage
    collection may bring it about at any moment, in any thread."""

    def __init__(self, notes: deque[tuple[Any, ...]]):
        super().__init__()
        self.number, self._notes = next(_numbers), notes
        finalize(self, notes.append, ("drop", self.number)).atexit = False

    def clear(self) -> None:
        super().clear()
        self._notes.append(("clear", self.number))

    def squeeze(self) -> np.ndarray:
        self._notes.append(("squeeze", self.number, bytes(self._live)))
        return super().squeeze()


class FollowingPools:
    """The pools of a follower, by the number of rank 0's. Only their buffers are used."""

    def __init__(self) -> None:
        self._pools: dict[int, Pool] = {}

    def obey(self, note: tuple[Any, ...]) -> None:
        """Do what a pool of rank 0 has noted."""
        kind, number, *more = note
        pool = self._pools.get(number)
        if kind == "drop":
            self._pools.pop(number, None)
        elif pool is None:  # nothing was written to it
            return
        elif kind == "clear":
            pool.clear()
        else:
            pool._live = bytearray(more[0])
            pool.squeeze()

    def of(self, packed: LayoutMessage) -> Pool:
        """The pool that a pass writes to, as large as rank 0's is now."""
        pool = self._pools.setdefault(packed.pool, Pool())
        pool.capacity = packed.capacity
        return pool


@dataclass(frozen=True)
class LayoutMessage:
    """A pass: its runs without their nodes, who attends to what, and which positions get logits."""

    pool: int
    capacity: int  # slots
    runs: list[tuple[list[int], int, bool, np.ndarray | None]]  # token ids, depth, whether it is stored, slots
    items: list[AttentionItem]
    groups: list[PackedGroups]
    wanted: list[int]

    @classmethod
    def of(cls, pool: LeadingPool, layout: AttentionLayout, wanted: list[int]) -> LayoutMessage:
        runs = [(list(run.ids), run.depth, run.stored, run.slots) for run in layout.runs]
        return cls(pool.number, pool.capacity, runs, layout.items, layout.groups, wanted)

    def layout(self) -> AttentionLayout:
        """The layout again. Its runs hang on nothing."""
        nowhere: Any = (None, 0)
        runs = [TokenRun(ids, nowhere, depth, stored, slots=slots) for ids, depth, stored, slots in self.runs]
        first, at = dict[int, int](), 0
        for run in runs:
            first[id(run)] = at
            at += len(run.ids)
        return AttentionLayout(runs, first, self.items, self.groups)
