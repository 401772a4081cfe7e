"""The tables of an automaton: where they lie in memory, and how they grow.

The compiled engine (`program/`, `native.py`) works on tables that it knows by their addresses. A new automaton has all
its tables in one block, copied from a `Blueprint`; a table that gets full moves to an array of its own. `Tables.ask`
calls the engine, and gives it what it lacks until it has an answer.
"""

from __future__ import annotations

import ctypes
import mmap
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any

import numpy as np

from outlines_cont.errors import ConstraintError
from outlines_cont.processes import uncollected

from . import layout
from .layout import CLASSES, HEAP, LACKS, NO_STATE, NODES, RESULT, SLOTS, STATE_SLOTS, STATES, TAG_BITS, TERMS
from .native import engine

_ROOM = {  # table: records at first, their shape and type; those that begin with something come first
    CLASSES: (320, (256,), np.uint8),
    NODES: (512, (8,), np.int64),
    TERMS: (512, (8,), np.int64),
    HEAP: (2048, (), np.int64),
    SLOTS: (1024, (), np.int32),
    STATE_SLOTS: (512, (), np.int32),
    layout.DEPTHS: (512, (), np.int64),
    layout.LEAVES: (2048, (), np.int64),
    STATES: (256, (8,), np.int64),
    layout.ROWS: (32, (256,), np.int32),
    layout.STACK: (512, (), np.int64),
    layout.AFTERS: (512, (), np.int64),
    layout.OUT: (512, (), np.int64),
    layout.ALIKE: (256, (), np.uint8),
    layout.LEAVING: (256, (), np.uint8),
    layout.CHAIN: (257, (), np.int64),
    layout.INPUT: (512, (), np.uint8),
    layout.QUEUE: (2048, (), np.int64),
    RESULT: (4096, (), np.int32),
}
_SLOTS_OF = {TERMS: SLOTS, STATES: STATE_SLOTS}  # the hash tables by which terms and states are found
_PLACES = (layout.STACK, layout.AFTERS, layout.OUT)  # what one state is made of, while it is made
MOST_PLACES = 2_000_000  # terms of one state, or of those after it
MOST_BYTES = 1 << 30  # of one table
_OF_FIXED_SIZE = (layout.ALIKE, layout.LEAVING, layout.CHAIN, RESULT, layout.QUEUE)
_WIDTH = {table: int(np.prod(shape)) for table, (_, shape, _) in _ROOM.items()}
TAG = (1 << TAG_BITS) - 1  # of an answer
_NO_BYTES = np.zeros(256, np.uint8)


class Blueprint:
    """What the tables of a new automaton are copied from.

    Args:
        records: the records that tables begin with; the others begin empty.
        factor: how many times the usual room there is for each table that grows.

    Attributes:
        places: of each table, in the block: (start, stop, type, shape).
    """

    def __init__(self, records: dict[int, np.ndarray], factor: int = 1):
        self.places: dict[int, tuple[int, int, Any, tuple[int, ...]]] = {}
        self._memory = np.zeros(layout.MEMORY, np.int64)
        start = self._memory.nbytes  # which comes first
        room = {table: count if table in _OF_FIXED_SIZE else factor * count for table, (count, *_) in _ROOM.items()}
        for table, (_, shape, kind) in _ROOM.items():
            stop = start + room[table] * int(np.prod(shape)) * np.dtype(kind).itemsize
            used = len(records[table]) if table in records else 0
            if used > room[table]:
                raise ValueError(f"table {table} needs room for {used} records from the start, not {room[table]}")
            self._memory[table : table + 3] = (start, used, room[table])
            self.places[table], start = (start, stop, kind, (room[table], *shape)), stop
        self.size = start
        slots = self.places[SLOTS][0], self.places[STATE_SLOTS][1]
        starts = {self.places[table][0]: x for table, x in records.items()}
        starts |= {0: self._memory, slots[0]: np.zeros(slots[1] - slots[0], np.uint8)}
        self._contents = [(slice(at, at + x.nbytes), np.ravel(x).view(np.uint8).data) for at, x in starts.items()]
        for number in (layout.SPACE, layout.ANY_SPELLED, layout.ANY_NAMED):
            self._memory[number] = -1
        for table in (layout.EXCLUDED, layout.LEFT):
            self._memory[table], self._memory[table + 2] = _NO_BYTES.__array_interface__["data"][0], 256

    def copied(self) -> tuple[np.ndarray, np.ndarray, int]:
        """A new block of tables; the memory that says where they lie, its beginning; and its address.

        (ctypes gives it: numpy takes 25 µs for that, or for an addition, when nothing is in the processor's caches.)
        """
        view = (block := np.empty(self.size, np.uint8)).data
        address = ctypes.addressof(ctypes.c_char.from_buffer(view))
        for place, data in self._contents:
            view[place] = data
        memory = block[: self._memory.nbytes].view(np.int64)
        cells = memory.data
        for table, (start, *_) in self.places.items():
            cells[table] = address + start
        return block, memory, address


class Tables(ABC):
    """The tables of one automaton, which grow as the engine fills them.

    Args:
        scratch: tables that lie elsewhere and are shared: the vocabulary's.

    Attributes:
        memory: what the engine works on (`layout.py`). address: where it lies. cells: the same, number by number.
    """

    def __init__(self, blueprint: Blueprint, scratch: dict[int, np.ndarray]):
        self._blueprint = blueprint
        self._block, self.memory, self.address = blueprint.copied()
        self.cells = self.memory.data
        self._serve = engine().serve
        self._arrays = scratch
        self._flat: dict[int, tuple[int, memoryview]] = {}
        self._growing: tuple[int, np.ndarray] | None = None
        self._unhashed: set[int] = set()

    def __len__(self) -> int:
        """How many states have been met."""
        return int(self.memory[STATES + 1])

    @abstractmethod
    def _unfold(self, number: int) -> None:
        """Write down what a node is made of: the engine has come to it."""

    def valid(self, state: int) -> int:
        """The state, if it is one.

        Raises:
            ValueError: it is not.
        """
        if not 0 <= state < self.cells[STATES + 1]:
            raise ValueError(f"{state!r} is no state of this automaton, which has met {len(self)}")
        return state

    def ask(self, request: int, x: int = 0, y: int = 0) -> int:
        """The value that the engine answers with, or DEAD, after giving it all it needs. The lock must be held."""
        tag, value = self.answer(request, x, y)
        return value if tag == layout.DONE else layout.DEAD

    def answer(self, request: int, x: int, y: int = 0) -> tuple[int, int]:
        """What the engine answers, tag and value (`layout.py`), after giving it all it needs. The lock must be held."""
        if self.cells[layout.UNSETTLED]:
            self._settle()
        self.cells[layout.PAUSED] = 0
        while (answer := self._serve(self.address, request, x, y)) & TAG == LACKS:
            self.supply()
        if answer & TAG == NO_STATE:
            self.valid(x)
        return answer & TAG, answer >> TAG_BITS

    def supply(self) -> None:
        """Give the engine what it lacks. The lock must be held."""
        if self.cells[layout.UNSETTLED]:
            self._settle()
        elif (lacking := self.cells[layout.LACKING]) == layout.UNFOLD:
            uncollected(self._unfold, self.cells[layout.FAULT])
        else:
            self._grow(lacking)

    def _table(self, table: int) -> np.ndarray:
        array = self._arrays.get(table)
        if array is None:
            start, stop, kind, shape = self._blueprint.places[table]
            array = self._arrays[table] = self._block[start:stop].view(kind).reshape(shape)
        return array

    def _grow(self, table: int, room: int = 0) -> None:
        """Give a table more room, a lot of it: what is not written to takes no memory. (But slots are, all of them.)

        Ctrl-C may come between any two lines: `_settle` then ends what was begun.

        Raises:
            ConstraintError: it is full, and large enough; or there is no memory for more.
        """
        self._settle()
        old = self._table(table)
        used = self.cells[table + 1]
        if table in _PLACES and len(old) >= MOST_PLACES:
            raise ConstraintError(
                f"the constraint may be in over {MOST_PLACES:,} places at once after this text: is it ambiguous?"
            )
        if old.nbytes >= MOST_BYTES:
            raise ConstraintError(
                f"the constraint has come to {len(self):,} states, with {old.nbytes / 1e9:.1f} GB in one table: is it "
                "ambiguous, or in use for very long?"
            )
        new = self._larger(old, 8 if used else 4, room)
        kept = used or len(old)
        new[:kept] = old[:kept]
        self._place(table, new)
        self._settle()

    def _larger(self, old: np.ndarray, factor: int, room: int) -> np.ndarray:
        """A new array in place of an old one, so many times as long, or twice if there is no memory for that."""
        for times in (factor, 2):
            with suppress(OSError, MemoryError):
                return _untouched((max(times * len(old), room), *old.shape[1:]), old.dtype)
        raise ConstraintError(
            f"the constraint has come to {len(self):,} states, and there is no memory for more: is it ambiguous, or in "
            "use for very long?"
        )

    def _place(self, table: int, array: np.ndarray) -> None:
        self.cells[layout.UNSETTLED] = 1
        self._growing = (table, array)  # which keeps it, until it has its place
        if table in _SLOTS_OF:
            self._unhashed.add(table)
        self.memory[table : table + 3] = (array.__array_interface__["data"][0], self.cells[table + 1], len(array))
        self._arrays[table] = array
        self._growing = None

    def _settle(self) -> None:
        if self._growing is not None:
            table, array = self._growing
            if self.cells[table] == array.__array_interface__["data"][0]:
                self._arrays[table] = array
            self._growing = None
        for owner in tuple(self._unhashed):
            slots, room = _SLOTS_OF[owner], 2 * self.cells[owner + 2]
            if self.cells[slots + 2] != room:
                try:
                    self._place(slots, _untouched((room,), np.dtype(np.int32), zeros=True))
                except (OSError, MemoryError):
                    raise ConstraintError(f"there is no memory for more than {len(self):,} states") from None
            self._serve(self.address, layout.REHASH, owner, 0)
            self._unhashed.discard(owner)
        self.cells[layout.UNSETTLED] = 0

    def _append(self, table: int, data: Any) -> int:
        """Write records behind those that there are; the number of the first.

        Args:
            data: numbers of the table's type, so many for each record, in a buffer of format "q" (classes: "B").
        """
        if self._growing is not None:
            self._settle()
        cells, width = self.cells, _WIDTH[table]
        used, count = cells[table + 1], len(data) // width
        if used + count > cells[table + 2]:
            self._grow(table, used + count)
        self._flat_of(table)[used * width : (used + count) * width] = data
        cells[table + 1] = used + count
        return used

    def _flat_of(self, table: int) -> memoryview:
        """A table's numbers, one after the other."""
        kept = self._flat.get(table)
        if kept is None or kept[0] != self.cells[table]:
            plain = self._table(table).data.cast("B")
            kept = self._flat[table] = (self.cells[table], plain if table == CLASSES else plain.cast("q"))
        return kept[1]


#: A process that was forked has its own. (Elsewhere there is no fork, and no such flag.)
_PRIVATE: dict[str, Any] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def _untouched(shape: tuple[int, ...], kind: np.dtype, zeros: bool = False) -> np.ndarray:
    """A new array. What is not written to takes no memory: page by page (numpy's own may come in huge ones)."""
    size = int(np.prod(shape)) * kind.itemsize
    if size < 1 << 24:  # memory that was used before, often: the first touch of a page takes microseconds
        return (np.zeros if zeros else np.empty)(shape, kind)
    return np.frombuffer(mmap.mmap(-1, size, **_PRIVATE), kind).reshape(shape)
