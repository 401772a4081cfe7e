"""What travels between ranks: a pass as plain values, and the stream of commands and answers."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any
from weakref import finalize

import numpy as np
import torch.distributed as dist
from torch.distributed import TCPStore  # pyright: ignore[reportPrivateImportUsage]

from outlines_cont.engines.hf.attention_layout import AttentionItem, AttentionLayout, PackedGroups
from outlines_cont.errors import RankError
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool

# --- one pass as it travels: what rank 0's tree decided, without the tree. And the pools that follow

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


# --- the stream of commands from rank 0 to its followers, and their answers, through a `TCPStore` of rank 0
#
# A follower that waits for a command waits for a key of the store. So no collective is pending while rank 0 is idle,
# and none runs into its timeout.

POLL = timedelta(days=1)  # a follower asks again after so long
STARTING = timedelta(seconds=300)
BEAT = 1.0  # seconds between signs of life of a follower
DEAD_AFTER = 30.0  # seconds without one
LAST_WORDS = 5.0  # seconds in which a follower that failed says why, and one that lives has given a sign of it


class CommandStream:
    """Commands, numbered, from rank 0 to all others. Not thread-safe: the engine's lock guards it.

    Attributes:
        rank, size: which process this is, of how many.
    """

    def __init__(self) -> None:
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        host = os.environ.get("MASTER_ADDR", "localhost")
        if self.rank == 0:
            self._store = TCPStore(host, 0, is_master=True, timeout=STARTING, wait_for_workers=False)
        port = self.gathered(self._store.port if self.rank == 0 else None)[0]
        if self.rank:
            self._store = TCPStore(host, port, is_master=False, timeout=STARTING)
        self._address = host, port
        self._count = 0

    def gathered(self, value: Any) -> list[Any]:
        """The values that all ranks give, by rank. All ranks must call it together: only while a model is loaded."""
        values: list[Any] = [None] * self.size
        dist.all_gather_object(values, value)
        return values

    # --- rank 0

    def send(self, name: str, payload: Any = None) -> int:
        """Tell all followers a command. Its number. RankError if the store does not answer, or a follower failed."""
        self._count += 1
        self._store.set(f"command {self._count}", _packed((name, payload)))
        return self._count

    def answers(self, number: int, dead_after: float | None = None) -> list[Any]:
        """What the followers answer to a command, by rank from 1 on. RankError if one ends before it answers.

        dead_after: seconds without a sign of life; None for `DEAD_AFTER`.
        """
        patience = DEAD_AFTER if dead_after is None else dead_after
        return [pickle.loads(self._answer(number, rank, patience)) for rank in range(1, self.size)]

    def _answer(self, number: int, rank: int, patience: float) -> bytes:
        key, beats, seen = f"answer {number} {rank}", -1, time.monotonic()
        pause = 0.0005
        while not self._store.check([key]):
            time.sleep(pause := min(2 * pause, 0.1))
            if failures := self._failures():
                raise RankError(failures)
            if (now := self._store.add(f"beats {rank}", 0)) != beats:
                beats, seen = now, time.monotonic()
            elif time.monotonic() - seen > patience:
                raise RankError(f"rank {rank} has given no sign of life for {patience:g} s")
        data = self._store.get(key)
        self._store.delete_key(key)
        return data

    def last_words(self) -> str:
        """Which followers failed, and why, or give no sign of life for `LAST_WORDS` seconds. In words, or empty."""
        silent = {rank: self._store.add(f"beats {rank}", 0) for rank in range(1, self.size)}
        end = time.monotonic() + LAST_WORDS
        while not (failures := self._failures()) and time.monotonic() < end:
            time.sleep(0.05)
            silent = {rank: beats for rank, beats in silent.items() if self._store.add(f"beats {rank}", 0) == beats}
        return failures or "; ".join(f"rank {rank} gives no sign of life" for rank in silent)

    def _failures(self) -> str:
        """Which followers have said that they failed, and why, in words."""
        ranks = [rank for rank in range(1, self.size) if self._store.check([f"failed {rank}"])]
        return "; ".join(f"rank {rank} failed: {self._store.get(f'failed {rank}').decode()}" for rank in ranks)

    # --- followers

    def receive(self) -> tuple[str, Any, int]:
        """The next command, its payload and its number. RankError if rank 0 is gone."""
        self._count += 1
        key = f"command {self._count}"
        while True:
            try:
                self._store.wait([key], POLL)
                name, payload = pickle.loads(self._store.get(key))
                return name, payload, self._count
            except dist.DistStoreError:  # nothing came in this time
                continue
            except (dist.DistNetworkError, RuntimeError) as error:
                raise RankError(f"rank {self.rank} lost rank 0, which ended without a word ({error})") from error

    def beat(self) -> None:
        """Give signs of life from now on, in a thread with its own connection, for as long as this process lives."""

        def beating() -> None:
            with suppress(Exception):  # rank 0 is gone: `receive` says so
                store = TCPStore(*self._address, is_master=False, timeout=STARTING)
                while True:
                    store.add(f"beats {self.rank}", 1)
                    time.sleep(BEAT)

        threading.Thread(target=beating, name="outlines_cont signs of life", daemon=True).start()

    def done(self, number: int) -> None:
        """A command is obeyed. The last follower removes it."""
        if self._store.add(f"done {number}", 1) == self.size - 1:
            self._store.delete_key(f"command {number}")
            self._store.delete_key(f"done {number}")

    def answer(self, number: int, value: Any) -> None:
        """Answer a command."""
        self._store.set(f"answer {number} {self.rank}", _packed(value))

    def fail(self, error: BaseException) -> None:
        """Tell rank 0 why this follower ends."""
        with suppress(Exception):
            self._store.set(f"failed {self.rank}", f"{type(error).__name__}: {error}")


def _packed(value: Any) -> Any:
    """Bytes, as the store takes them, though its type says str."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
