"""Where the tokens of a KV tree are in llama.cpp's memory: in which sequence, at which position.

llama.cpp keeps one cell for each token. A cell belongs to one or more sequences, of which there are at most 256. A
sequence sees all of its cells: so a branch is a sequence that shares the cells of the tokens above it. A slot of the
tree is no place in that memory: it is a number, under which the sequence and the position are noted.

What the tree gives back is only marked as given back, because garbage collection may do it in any thread. The engine
takes it out of the memory at its next pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from outlines_cont.errors import EngineError

# --- the sequences of one context: which are in use, where each begins, and how far it reaches
#
# A sequence is a path of the tree. Its first tokens, before `begins`, are shared with the sequence that it branched
# off; those from there on are of its own. They are needed as long as somebody needs one below them: so what is given
# back of a sequence is always its end.
#
# In a model with sliding windows llama.cpp overwrites cells that only one sequence has, and that its window does not
# see any more. We still need them: rows are cropped and branched there. So each sequence has a twin, with the same
# cells.
#
# Where every sequence has cells of its own (a stream of llama.cpp), a new one copies them. Then a row's tokens lie in
# its stream one after the other from the first cell on, however the row came about.
#
# A lane is a stream in a second context (see `Lanes`). It has a number behind those of the sequences, the tokens of its
# row from `begins` on, and copies of those before.


class Sequences:
    """The sequences, and the tables of all trees whose tokens are in them. The engine's lock guards it.

    Args:
        library, memory: llama.cpp's functions, and the context's memory.
        most: how many there are, twins not counted.
        twins: the twin of a sequence has its number and this; 0 if there are none.
        streams: whether every sequence has cells of its own.

    Attributes:
        begins: of each sequence in use, the position of its first own token: int32.
        length: of each sequence in use, the position after its last token: int32.
        free: the numbers of those that are not in use.
        tables: of all trees that live.
        most, lanes: as given, and the rows that are in a second context.
    """

    def __init__(self, library: Any, memory: Any, most: int, twins: int = 0, streams: bool = False):
        self._library, self._memory, self._twins, self.streams = library, memory, twins, streams
        self.most = most
        self.lanes: Any = None
        self.begins, self.length = np.zeros((2, most), np.int32)
        self.free = list(range(most))[::-1]
        self.tables: list[CellTable] = []

    def branch(self, base: int, shared: int, begins: int) -> int:
        """A new sequence, whose own tokens begin at a position. It shares the first `shared` tokens of `base`, or has a
        copy of them."""
        if not self.free:
            raise EngineError(f"llama.cpp keeps {self.most} sequences at once, and all are in use: drop some states")
        sequence = self.free.pop()
        self.begins[sequence] = self.length[sequence] = begins
        if shared and self.streams:  # llama.cpp copies whole streams only
            self._library.llama_memory_seq_cp(self._memory, base, sequence, -1, -1)
            self.remove(sequence, shared)
        elif shared:
            self.share(base, sequence, 0, shared)
        return sequence

    def share(self, base: int, sequence: int, begin: int, end: int) -> None:
        """The cells of a sequence from one position to before another belong to a second sequence, too."""
        for each in self._with_twin(sequence):
            self._library.llama_memory_seq_cp(self._memory, base, each, begin, end)

    def gather(self, of: np.ndarray, sequence: int, begin: int) -> None:
        """The cells of tokens from a position on belong to a second sequence, too. of: the sequence of each."""
        borders = [0, *(np.flatnonzero(np.diff(of)) + 1).tolist(), len(of)]
        for first, last in pairwise(borders):
            self.share(int(of[first]), sequence, begin + first, begin + last)

    def drop(self, sequence: int) -> None:
        """Nobody needs a sequence any more."""
        self.remove(sequence, -1)
        if sequence < self.most:
            self.free.append(sequence)
        else:
            self.length[sequence] = 0

    def make_lanes(self, count: int) -> None:
        """So many lanes, which are free, in place of those that there were."""
        none = np.zeros(count, np.int32)
        self.begins, self.length = (np.append(each[: self.most], none) for each in (self.begins, self.length))

    def crop(self, sequence: int, length: int) -> None:
        """Only the first tokens of a sequence are needed any more; none of its own ones, then it is dropped."""
        if length <= self.begins[sequence]:
            self.drop(sequence)
        else:
            self.remove(sequence, length)
            self.length[sequence] = length

    def forget(self, in_a_pass: bool = False) -> None:
        """Take out of the memory what was given back. Within a pass, what belongs to trees that are gone stays.

        numpy marks many slots without the interpreter's lock. So another thread may be giving back just now what is
        seen here in part; what does not reach to the end of its sequence yet is taken out at the next pass.
        """
        for table in self.tables[:]:
            if table.closed and in_a_pass:
                continue
            if len(slots := table.given()):
                sequence, position = table.sequence[slots], table.position[slots]
                whole = sequence < 0
                for each in np.unique(sequence[sequence >= 0]).tolist():
                    of_it = sequence == each
                    begins = int(position[of_it].min())
                    if begins + np.count_nonzero(of_it) == self.length[each]:
                        self.crop(each, begins)
                        whole |= of_it
                table.free(slots[whole])
            elif table.closed:
                self.tables.remove(table)

    def repair(self) -> None:
        """Bring everything to what the tables say, after a pass that ended at any line: its tokens leave the memory.

        It may be cut short itself, and begun again.
        """
        lowest, highest = np.full(len(self.begins), 1 << 30, np.int32), np.full(len(self.begins), -1, np.int32)
        for table in self.tables:
            given, needed = table.given(), table.computed()
            np.minimum.at(lowest, table.sequence[needed], table.position[needed])
            np.maximum.at(highest, table.sequence[needed], table.position[needed])
            table.free(given)
        self.begins, self.length = lowest, highest + 1
        for sequence, length in enumerate(self.length.tolist()):
            self.remove(sequence, length or -1)
        self.free = np.flatnonzero(highest[: self.most] < 0)[::-1].tolist()

    def remove(self, sequence: int, begin: int, end: int = -1) -> None:
        """Take the cells from a position on, or to before another, out of a sequence; all, if they are −1."""
        memory, numbers = self._memory, self._with_twin(sequence)
        if sequence >= self.most:
            memory, numbers = self.lanes.context.memory, (sequence - self.most,)
        for each in numbers:
            self._library.llama_memory_seq_rm(memory, each, begin, end)

    def _with_twin(self, sequence: int) -> tuple[int, ...]:
        return (sequence, sequence + self._twins) if self._twins else (sequence,)


# --- cells

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
        """Note that the tokens of these slots are in the memory now, in this sequence at this position."""
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
