"""Where the tokens of a KV tree are in llama.cpp's memory: in which sequence, at which position.

llama.cpp keeps one cell for each token. A cell belongs to one or more sequences, of which there are at most 256. A
sequence sees all of its cells: so a branch is a sequence that shares the cells of the tokens above it. A slot of the
tree is no place in that memory: it is a number, under which the sequence and the position are noted.

What the tree gives back is only marked as given back, because garbage collection may do it in any thread. The engine
takes it out of the memory at its next pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

FREE, TAKEN, GIVEN = 0, 1, 2  # what a slot is; one that was given back is free after the next pass
NOWHERE = -1  # the sequence of a slot whose token is not in the memory


class CellTable:
    """The slots of one tree. The engine knows it as long as something of it is in the memory, the tree's pool does not.

    Its size never changes, so that several threads may look at it.

    Attributes:
        used: how many slots are taken.
        closed: whether the tree is gone, with all its slots.
        sequence, position: of the token of each slot, int32.
    """

    def __init__(self, size: int):
        self.used = 0
        self.closed = False
        self.sequence = np.full(size, NOWHERE, np.int32)
        self.position = np.zeros(size, np.int32)
        self._state = bytearray(size)
        self._states = np.frombuffer(self._state, np.uint8)  # the same, as an array

    def take(self, count: int) -> np.ndarray:
        """Free slots, now taken: int64 `[count]`."""
        start = self._state.find(bytes(count))
        if start >= 0:
            slots = np.arange(start, start + count)
        else:
            slots = np.flatnonzero(self._states == FREE)[:count]
            assert len(slots) == count, "the tree takes more slots than there are"
        self._states[slots] = TAKEN
        self.used += count
        return slots

    def give(self, slots: Sequence[int] | np.ndarray) -> None:
        """The tree needs these tokens no more. From any thread."""
        slots = np.asarray(slots, np.int64)
        self._states[slots] = np.where(self.sequence[slots] == NOWHERE, FREE, GIVEN)
        self.used -= len(slots)

    def close(self) -> None:
        """The tree is gone. From any thread."""
        self.closed = True

    def note(self, slots: np.ndarray, sequence: np.ndarray, position: np.ndarray) -> None:
        """These tokens are in the memory now, and this is where."""
        self.sequence[slots], self.position[slots] = sequence, position

    def given(self) -> np.ndarray:
        """The slots that are not free, and whose tokens nobody needs: int64, mostly none."""
        if self.closed:
            return np.flatnonzero(self._states)
        return np.flatnonzero(self._states == GIVEN) if GIVEN in self._state else _NONE

    def free(self, slots: np.ndarray) -> None:
        """What was `given` is out of the memory."""
        self.sequence[slots] = NOWHERE
        self._states[slots] = FREE

    def computed(self) -> np.ndarray:
        """The slots whose tokens are in the memory and needed: int64."""
        needed = (self._states == TAKEN) & (self.sequence != NOWHERE)
        return _NONE if self.closed else np.flatnonzero(needed)


class Cells:
    """The pool of one tree (see `outlines_cont.kv.pool.SlotPool`): its slots in a memory of a fixed size.

    `bounds` gives, for a table, how many slots and nodes its tree may have now.
    """

    roomy = False  # cells do not move
    larger = "load it with a larger n_ctx"

    def __init__(self, table: CellTable, slot_bytes: int, cells: int, bounds: Callable[[CellTable], tuple[int, int]]):
        self.table = table
        self.limit: int | None = None
        self.slot_bytes = slot_bytes
        self.capacity = cells
        self._bounds = bounds

    @property
    def used(self) -> int:
        """How many slots are taken."""
        return self.table.used

    @property
    def nbytes(self) -> int:
        """Bytes of the whole memory: llama.cpp takes it at once."""
        return self.capacity * self.slot_bytes

    @property
    def most_slots(self) -> int:
        """How many slots there can be, beside those of other trees."""
        return self._bounds(self.table)[0]

    @property
    def most_nodes(self) -> int:
        """How many nodes the tree may have, beside those of other trees: each needs a sequence of its own."""
        return self._bounds(self.table)[1]

    def take(self, count: int) -> np.ndarray:
        """Free slots, now taken: int64 `[count]`."""
        return self.table.take(count)

    def give(self, slots: Sequence[int] | np.ndarray) -> None:
        """The tree needs these tokens no more. From any thread."""
        self.table.give(slots)

    def squeeze(self) -> np.ndarray:
        """Nothing moves."""
        return np.arange(len(self.table.sequence))

    def close(self) -> None:
        """The tree is dropped, with all its slots. From any thread."""
        self.table.close()

    def __del__(self) -> None:
        self.table.close()


_NONE: Any = np.empty(0, np.int64)
