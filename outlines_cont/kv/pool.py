"""The memory of a KV tree: slots for keys and values, one a token, in tensors that grow; and remembered logits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from weakref import ref

import numpy as np
import torch
from torch import Tensor

from outlines_cont.kernels.attention_work import copied_to

# --- a mark around changes of shared data, so that a change that was cut short does not go unnoticed
#
# An interrupt or a failed allocation may strike at any line. A change that does not end leaves the mark open; the next
# change finds it, and drops the data.


class Torn(Exception):
    """The tree was dropped, because an interrupt or an error had cut a change of it short: try again with a new one."""


class ChangeGuard:
    """`with lock, guard:` around every change. `on_torn` is called at the next change after one that was cut short."""

    def __init__(self, on_torn: Callable[[], None]):
        self._open, self._on_torn = False, on_torn

    def __enter__(self) -> None:
        if self._open:
            self._on_torn()
        self._open = True

    def __exit__(self, kind: object, *_: object) -> None:
        self._open = kind is not None


# --- pool

GROWTH = 8  # a full pool grows by an eighth, and gives memory back when more than two eighths lie idle
SLOTS_AT_ONCE = 64  # capacities are multiples of it


class SlotPool(Protocol):
    """The memory of one KV tree, in slots: one slot holds the keys and values of one token, at its place in a row.

    The tree takes slots before a pass, and gives them back when no claim reaches their tokens any more. It calls all
    members under its lock. `give` and `close` may be called by any thread at any time, for garbage collection calls
    them: an engine whose memory belongs to one thread notes what was given back, and frees it at its next pass.
    """

    limit: int | None  # how many slots the budget allows; the tree says so before it takes some

    @property
    def used(self) -> int:
        """How many slots are taken."""
        ...

    @property
    def slot_bytes(self) -> int:
        """Bytes of one slot; 0 as long as nobody knows."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of all slots that there are, free ones included."""
        ...

    @property
    def most_slots(self) -> int | None:
        """How many slots there can be at most now; None for a memory that grows.

        It is never exceeded: claims that nobody uses are evicted first, then needs are read in smaller groups. What
        another pool of the same engine has taken is not counted here.
        """
        ...

    @property
    def most_nodes(self) -> int | None:
        """How many nodes the tree may have at most now, if the engine keeps something for each; None for any number.

        A node is a run of tokens that hangs on a token of another node. Runs that continue the last token of a node
        belong to it, the first of a pass only: all others are nodes of their own.
        """
        ...

    def take(self, count: int, /) -> np.ndarray:
        """Free slots, now taken: int64 `[count]`."""
        ...

    def give(self, slots: Sequence[int] | np.ndarray, /) -> None:
        """The slots are free again."""
        ...

    @property
    def roomy(self) -> bool:
        """Whether so much is free that `squeeze` pays. Always False where tokens cannot move."""
        ...

    def squeeze(self) -> np.ndarray:
        """Move what is taken together, and give memory back: old slot → new one, int64."""
        ...

    def close(self) -> None:
        """The tree is dropped, and all its slots are free. A pass that runs now may use them until it ends."""
        ...


class Pool:
    """Slots of tensors that grow: for each attention call two buffers `[kv heads, capacity, head size]`.

    Not thread-safe: the tree's lock guards it.

    Runs of tokens get neighbouring slots wherever there is room, so that most of what a pass reads is a slice.
    """

    def __init__(self) -> None:
        self.buffers: dict[int, tuple[Tensor, Tensor]] = {}
        self.used = 0
        self.limit: int | None = None  # slots; exceeded only where more than that is taken
        self.moves = 0  # how often what is taken was moved
        self.ahead = 0  # slots that a full pool grows by at least
        self.slot_bytes = 0  # of one token's keys and values, over all calls
        self.capacity = 0  # slots, free ones included
        self.most_slots: int | None = None
        self.most_nodes: int | None = None
        self._live = bytearray()  # per slot: 1 if it is taken
        self.batched: dict[int, tuple[Tensor, Tensor]] = {}  # the buffers with a leading axis of 1, as views

    @property
    def nbytes(self) -> int:
        """Bytes of all buffers, free slots included."""
        return sum(t.nbytes for pair in list(self.buffers.values()) for t in pair)

    def take(self, count: int) -> np.ndarray:
        """Free slots, now taken: int64 `[count]`, neighbours if there are so many in one place."""
        start, end = self._live.find(bytes(count)), len(self._live.rstrip(b"\0")) + count
        growth = max(self.capacity // GROWTH, self.ahead)
        least = self.capacity // GROWTH if self.limit is None or end <= self.limit else 0
        if start < 0 and self.capacity - self.used >= max(count, least):
            slots = np.flatnonzero(np.frombuffer(self._live, np.uint8) == 0)[:count]  # in the gaps
        else:
            if start < 0:
                start, larger = end - count, self.capacity + growth
                self._grow_to(max(end, larger if self.limit is None else min(larger, self.limit)))
            slots = np.arange(start, start + count)
        np.frombuffer(self._live, np.uint8)[slots] = 1
        self.used += count
        return slots

    def give(self, slots: Sequence[int] | np.ndarray) -> None:
        """The slots are free again; the last ones free all memory."""
        np.frombuffer(self._live, np.uint8)[np.asarray(slots, np.int64)] = 0
        self.used -= len(slots)
        if not self.used:
            self.clear()

    def clear(self) -> None:
        """Give all memory back. What was taken stays taken, for nobody."""
        self.buffers.clear()
        self.batched.clear()
        self.slot_bytes = 0
        if not self.used:
            self._live, self.capacity = bytearray(), 0

    def close(self) -> None:
        """Nothing to do: the buffers go with the pool, when the last pass that uses them has ended."""

    def write(self, call: int, slots: slice | Tensor, keys: Tensor, values: Tensor) -> None:
        """Put keys and values `[kv heads, len(slots), head size]` of one attention call into slots."""
        pair = self.buffers.get(call)
        if pair is None:
            self.slot_bytes += sum(t.shape[0] * t.shape[2] * t.element_size() for t in (keys, values))
            pair = self.buffers[call] = self._widened(keys[:, :0]), self._widened(values[:, :0])
        elif pair[0].shape[1] < self.capacity:
            pair = self._widen(call)
        for buffer, new in zip(pair, (keys, values), strict=True):
            if isinstance(slots, slice):
                buffer.narrow(1, slots.start, slots.stop - slots.start).copy_(new)
            else:
                buffer.index_copy_(1, slots, new)

    def widen(self) -> None:
        """Grow all buffers at once, as `write` does one by one."""
        for call in [call for call, pair in self.buffers.items() if pair[0].shape[1] < self.capacity]:
            self._widen(call)

    def _widen(self, call: int) -> tuple[Tensor, Tensor]:
        self.batched.pop(call, None)
        keys, values = self.buffers[call]
        self.buffers[call] = pair = self._widened(keys), self._widened(values)
        return pair

    def copy_shifted(self, source: np.ndarray, target: np.ndarray, shifted: Callable[[int, Tensor], Tensor]) -> None:
        """Copy values as they are, and keys as `shifted(call, keys [kv heads, n, head size])`, to other slots."""
        for call, (keys, values) in list(self.buffers.items()):
            at, to = copied_to(keys.device, [source, target])
            self.write(call, to, shifted(call, keys.index_select(1, at)), values.index_select(1, at))

    def read(self, call: int, slots: slice | Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values `[kv heads, len(slots), head size]`: views for a slice, copies for a tensor of slots."""
        keys, values = self.buffers[call]
        if isinstance(slots, slice):
            size = slots.stop - slots.start
            return keys.narrow(1, slots.start, size), values.narrow(1, slots.start, size)
        return keys.index_select(1, slots), values.index_select(1, slots)

    @property
    def roomy(self) -> bool:
        """Whether so much is free that squeezing pays."""
        return self.capacity > self.used + 2 * max(self.used // GROWTH, self.ahead) + 4 * SLOTS_AT_ONCE

    def squeeze(self) -> np.ndarray:
        """Move what is taken to the front, order kept, and give the rest back: old slot → new one, int64."""
        live = np.flatnonzero(np.frombuffer(self._live, np.uint8))
        moved = np.cumsum(np.frombuffer(self._live, np.uint8), dtype=np.int64) - 1
        self._live, self.capacity = bytearray(b"\1" * len(live)), len(live)
        self._grow_to(len(live))
        self.moves += 1
        self.batched.clear()
        for call, pair in self.buffers.items():
            index = torch.from_numpy(live).to(pair[0].device)
            self.buffers[call] = (self._packed(pair[0], index), self._packed(pair[1], index))
        return moved

    def _grow_to(self, capacity: int) -> None:
        self._live.extend(bytes(-(-capacity // SLOTS_AT_ONCE) * SLOTS_AT_ONCE - len(self._live)))
        self.capacity = len(self._live)

    def _packed(self, old: Tensor, index: Tensor) -> Tensor:
        new = old.new_empty(old.shape[0], self.capacity, old.shape[2])
        torch.index_select(old, 1, index, out=new[:, : len(index)])
        return new

    def _widened(self, old: Tensor) -> Tensor:
        new = old.new_empty(old.shape[0], self.capacity, old.shape[2])
        new[:, : old.shape[1]] = old
        return new


# --- logits that are remembered, so that going on from a crop or a fork reads no token twice
#
# They are kept in blocks as a pass computed them, `[lines, V]`: a block lives as long as somebody owns one of its
# lines. All blocks together take at most 64 MiB; the oldest block goes first.

KEPT_LOGITS_BYTES = 64 << 20


class LogitOwner(Protocol):
    """A run of tokens that may own lines of logits: `logits[n]` is the line after its first n tokens."""

    logits: dict[int, LogitLine]


@dataclass(slots=True, eq=False)
class LogitBlock:
    """The logits of one pass, `[lines, V]`, and the owner of each line: who, and after how many of its tokens."""

    logits: Tensor
    owners: dict[int, tuple[ref[LogitOwner], int]] = field(default_factory=dict)


LogitLine = tuple[LogitBlock, int]  # a block, and the index of a line in it


class LogitCache:
    """All blocks of a tree; each node of the tree knows its own lines. Not thread-safe: the tree's lock guards it."""

    def __init__(self) -> None:
        self._blocks: dict[int, LogitBlock] = {}  # by id, oldest first
        self._bytes = 0

    def keep(self, lines: Iterable[tuple[tuple[LogitOwner, int], int]], logits: Tensor) -> None:
        """Remember logits `[lines, V]`. lines: (owner, after how many of its tokens) and the index of its line."""
        block = LogitBlock(logits)
        for (owner, size), line in lines:
            if size in owner.logits:
                self.drop(owner.logits[size])
            owner.logits[size] = block, line
            block.owners[line] = ref(owner), size
        self._blocks[id(block)] = block
        self._bytes += logits.nbytes
        while self._bytes > KEPT_LOGITS_BYTES:
            self._drop_oldest()

    def drop(self, kept: LogitLine) -> None:
        """Nobody will ask for this line any more."""
        block, line = kept
        if block.owners.pop(line, None) and not block.owners and self._blocks.pop(id(block), None):
            self._bytes -= block.logits.nbytes

    def _drop_oldest(self) -> None:
        block = next(iter(self._blocks.values()))
        for line, (owner_ref, size) in list(block.owners.items()):
            if (owner := owner_ref()) is not None:
                owner.logits.pop(size, None)
            self.drop((block, line))
