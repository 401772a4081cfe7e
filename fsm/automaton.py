"""A deterministic automaton over bytes that is built as it is walked.

`language.Node`s say what to match; `machine.py` determinises them as far as somebody walks. This file is what stands
between: it writes nodes down as numbers, lets the machine's tables grow, and unfolds a node when a walk first reaches
it (as a page fault loads a page), so that what is never reached costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from outlines_cont.fsm import machine
from outlines_cont.fsm.language import (
    EMPTY,
    VOID,
    Alt,
    Cat,
    Charset,
    Class,
    Node,
    Ranges,
    Repeat,
    Unfolding,
    Words,
    charset_number,
    inside_out,
    size,
)
from outlines_cont.fsm.machine import CLASSES, DEAD, HEAP, NEED, NODES, RESULT, SLOTS, STATE_SLOTS, STATES, TERMS, serve
from outlines_cont.fsm.trie import Trie

_ROOM = {  # table: records at first, their shape and type; those that begin with something come first
    CLASSES: (320, (256,), np.uint8),
    SLOTS: (2048, (), np.int64),
    STATE_SLOTS: (1024, (), np.int64),
    NODES: (512, (8,), np.int64),
    TERMS: (512, (8,), np.int64),
    HEAP: (2048, (), np.int64),
    machine.LEAVES: (2048, (), np.int64),
    STATES: (256, (8,), np.int64),
    machine.ROWS: (32, (256,), np.int32),
    machine.STACK: (512, (), np.int64),
    machine.AFTERS: (512, (), np.int64),
    machine.OUT: (512, (), np.int64),
    machine.ALIKE: (256, (), np.uint8),
    machine.LEAVING: (256, (), np.uint8),
    machine.CHAIN: (257, (), np.int64),
    machine.INPUT: (512, (), np.uint8),
    machine.QUEUE: (2048, (), np.int64),
    RESULT: (4096, (), np.int32),
}
_SLOTS_OF = {TERMS: SLOTS, STATES: STATE_SLOTS}
_NONE = np.zeros(256, np.uint8)


def _beginning() -> tuple[dict[int, tuple[int, int, Any, tuple[int, ...]]], np.ndarray, np.ndarray]:
    """Where each table lies in one block; what the block begins with; and the memory, addresses counted from its start.

    Class b and node 1 + b are the byte b; node 0 is the empty string, and term 0 what matches it.
    """
    places, start = {}, 0
    for table, (room, shape, kind) in _ROOM.items():
        stop = start + room * int(np.prod(shape)) * np.dtype(kind).itemsize
        places[table], start = (start, stop, kind, (room, *shape)), stop
    nodes = np.full((512, 8), -1, np.int64)
    nodes[:257, : machine.MEMO] = 0
    nodes[1:257, machine.KIND], nodes[1:257, machine.A] = machine.CLASS, np.arange(256)
    nodes[0, machine.NULLABLE] = 1
    end = np.array([machine.END, -1, 0, 0, 1, 0, -1, -1], np.int64)
    slots = np.full(2048 + 1024, -1, np.int64)
    begin = (np.eye(320, 256, dtype=np.uint8), slots, nodes, end)
    memory = np.zeros(machine.MEMORY, np.int64)
    for table, (start, _, _, shape) in places.items():
        memory[table], memory[table + 2] = start, shape[0]
    memory[CLASSES + 1], memory[NODES + 1], memory[TERMS + 1] = 256, 257, 1
    memory[machine.SPACE] = -1
    for table in (machine.EXCLUDED, machine.LEFT):
        memory[table], memory[table + 2] = _NONE.__array_interface__["data"][0], 256
    return places, np.concatenate([np.ravel(x).view(np.uint8) for x in begin]), memory


_PLACES, _BEGIN, _MEMORY = _beginning()
_BLOCK = max(stop for _, stop, *_ in _PLACES.values())
_ADDRESSES = np.array(list(_ROOM))
_BYTES, _BYTE_NODES = 256, 257  # how many classes and nodes there are to begin with


class Automaton:
    """A deterministic automaton over bytes, built as it is walked.

    States are ints, numbered in the order in which they are first met. Every state can still reach an accepting one, as
    far as the language keeps the promise of `language.py`. Safe to share between threads: it holds only caches, which
    grow under a lock.

    Attributes:
        initial: the state before the first byte.
        memory: what `machine` works on.
    """

    def __init__(self, node: Node, trie: Trie | None = None):
        """Read `node`, a language of bytes; `trie` is for walking tokens.

        Raises:
            ValueError: the language is empty.
        """
        if node is VOID:
            raise ValueError("an automaton needs a language with at least one string")
        machine.ready()
        self.lock = threading.RLock() if trie is None else trie.lock
        self._block = np.empty(_BLOCK, np.uint8)
        self._block[: len(_BEGIN)] = _BEGIN
        self.memory = _MEMORY.copy()
        self.memory[_ADDRESSES] += self._block.__array_interface__["data"][0]
        if trie is not None:
            self.memory[RESULT : RESULT + len(trie.places)] = trie.places
            self.memory[machine.TWINS] = trie.twins
        self._trie = trie  # which keeps its arrays where they are
        self._arrays: dict[int, np.ndarray] = {} if trie is None else {RESULT: trie.result, machine.QUEUE: trie.queue}
        self._growing: tuple[int, np.ndarray] | None = None
        self._unhashed = False
        self._numbers: dict[Node, int] = {EMPTY: machine.END}
        self._folded: dict[int, Unfolding] = {}
        self._class_numbers: dict[Ranges, int] = {}
        with self.lock:
            self.initial: int = self.ask(machine.START, self._number(node))

    def __len__(self) -> int:
        """How many states have been met."""
        return int(self.memory[STATES + 1])

    @property
    def nbytes(self) -> int:
        """The memory of the tables, in bytes; the vocabulary's own not counted."""
        shared = () if self._trie is None else (id(self._trie.result), id(self._trie.queue))
        grown = (array for array in self._arrays.values() if array.base is None and id(array) not in shared)
        return self._block.nbytes + sum(array.nbytes for array in grown)

    def accepting(self, state: int) -> bool:
        """Whether the string may end here."""
        return bool(self._table(STATES)[self.valid(state), machine.ACCEPTS])

    def dead_end(self, state: int) -> bool:
        """Whether no byte can follow."""
        return not self._table(STATES)[self.valid(state), machine.COUNT]

    def valid(self, state: int) -> int:
        """The state, if it is one.

        Raises:
            ValueError: it is not.
        """
        if not 0 <= state < self.memory[STATES + 1]:
            raise ValueError(f"{state!r} is no state of this automaton, which has met {len(self)}")
        return state

    def step(self, state: int, byte: int) -> int:
        """The state after one byte, or DEAD."""
        return self.run(state, bytes((byte,)))

    def run(self, state: int, data: bytes) -> int:
        """The state after all of `data`, or DEAD."""
        with self.lock:
            room = len(self._table(machine.INPUT))
            for start in range(0, len(data), room):
                piece = data[start : start + room]
                self._table(machine.INPUT)[: len(piece)] = np.frombuffer(piece, np.uint8)
                state = self.ask(machine.READ, state, len(piece))
                if state == DEAD:
                    break
        return state

    def advance(self, state: int, token: int) -> int:
        """The state after a text token, or DEAD; DEAD for any other token."""
        with self.lock:
            if self._growing is None and not self._unhashed:
                try:
                    after = serve(self.memory, machine.ADVANCE, state, token)
                except OverflowError:
                    after = self.valid(state)
                if after >= DEAD:
                    return after
            return self.ask(machine.ADVANCE, state, token)

    def results(self, count: int) -> np.ndarray:
        """What was last asked for, where the answer was so many results. int32 [n]

        The lock must be held, from asking for them until they are no longer used: the next call overwrites them.
        """
        return self._table(RESULT)[:count]

    def survey(self, root: int) -> np.ndarray:
        """What `machine.SURVEY` says of this automaton, which must be of any number of characters. int32 [n, 3]"""
        with self.lock:
            nodes = int(self.memory[machine.BYTE + 2])
            self._grow(RESULT, 3 * nodes)
            self._grow(machine.QUEUE, 2 * nodes)
            return self.results(self.ask(machine.SURVEY, self.initial, root)).reshape(-1, 3).copy()

    def ends(self, state: int) -> np.ndarray:
        """The entries of `Trie.token` that can be read from a state, and the state after each. int32 [n, 2]"""
        with self.lock:
            return self.results(self.ask(machine.ENDS, state)).reshape(-1, 2).copy()

    def row(self, state: int) -> np.ndarray:
        """The next state for each byte, DEAD where there is none. int32 [256]"""
        return np.array([self.step(state, byte) for byte in range(256)], np.int32)

    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """The next states of every state met so far, and which of them accept. int32 [states, 256], bool [states]

        DEAD (−1) where there is none; UNKNOWN (−2) where nobody has asked yet.
        """
        with self.lock:
            states = self._table(STATES)[: len(self)]
            row, count = states[:, machine.ROW], states[:, machine.COUNT]
            known = np.full((len(states), 256), DEAD, np.int32)
            one = count == 1  # then `row` is the class of the bytes that lead on
            known[one] = np.where(self._table(CLASSES)[row[one]], states[one, machine.NEXT, None], DEAD)
            known[count > 1] = machine.UNKNOWN
            filled = (count > 1) & (row >= 0)
            known[filled] = self._table(machine.ROWS)[row[filled]]
            return known, states[:, machine.ACCEPTS] != 0

    def forced(self, state: int) -> bytes:
        """The bytes with which every way on from here begins; none where the string may end."""
        with self.lock:
            while (count := self.ask(machine.FORCED, self.valid(state))) == len(self._table(RESULT)):
                self._grow(RESULT)
            return self.results(count).astype(np.uint8).tobytes()

    def ask(self, what: int, x: int = 0, y: int = 0) -> int:
        """What `machine.serve` says, after giving it all it needs. The lock must be held."""
        if self._growing is not None or self._unhashed:
            self._settle()
        self.memory[machine.PAUSED] = 0
        while (answer := serve(self.memory, what, x, y)) == NEED:
            lacking = int(self.memory[machine.LACKING])
            if lacking == machine.FAULT:
                self._unfold(int(self.memory[machine.FAULT]))
            else:
                self._grow(lacking)
        if answer == machine.INVALID:
            self.valid(x)
        return answer

    # ------------------------------------------------------------------------------------------------------ tables

    def _table(self, table: int) -> np.ndarray:
        """A table as an array."""
        array = self._arrays.get(table)
        if array is None:
            start, stop, kind, shape = _PLACES[table]
            array = self._arrays[table] = self._block[start:stop].view(kind).reshape(shape)
        return array

    def _grow(self, table: int, room: int = 0) -> None:
        """Give a table twice the room. Ctrl-C may come between any two lines: `_settle` then ends what was begun."""
        self._settle()
        old = self._table(table)
        new = np.empty((max(2 * len(old), room), *old.shape[1:]), old.dtype)
        new[: len(old)] = old
        self._place(table, new)

    def _place(self, table: int, array: np.ndarray) -> None:
        self._unhashed |= table in _SLOTS_OF
        self._growing = (table, array)
        place = slice(table, table + 3)
        self.memory[place] = (array.__array_interface__["data"][0], self.memory[table + 1], len(array))
        self._settle()

    def _settle(self) -> None:
        if self._growing is not None:
            table, array = self._growing  # it keeps the array, until it has its place
            if self.memory[table] == array.__array_interface__["data"][0]:
                self._arrays[table] = array
            self._growing = None
        if self._unhashed:
            try:
                self._unhashed = False
                for owner, slots in _SLOTS_OF.items():
                    room = 4 * int(self.memory[owner + 2])
                    if self.memory[slots + 2] != room:
                        self._place(slots, np.full(room, -1, np.int64))
                serve(self.memory, machine.REHASH, 0, 0)
            except BaseException:
                self._unhashed = True
                raise

    def _append(self, table: int, records: np.ndarray) -> int:
        used = int(self.memory[table + 1])
        if used + len(records) > len(self._table(table)):
            self._grow(table, used + len(records))
        self._table(table)[used : used + len(records)] = records
        self.memory[table + 1] = used + len(records)
        return used

    # ------------------------------------------------------------------------------------------------------- nodes

    def _number(self, node: Node) -> int:
        """The number of a node, which is written down with all it is made of."""
        numbers = self._numbers
        if node in numbers:
            return numbers[node]
        parts = [x for x in inside_out(node) if x not in numbers]
        for x in parts:
            if isinstance(x, Charset):
                self._number_charset(x)
        first, base = int(self.memory[NODES + 1]), int(self.memory[HEAP + 1])
        records: list[int] = []
        heap: list[int] = []
        folded: dict[int, Unfolding] = {}
        made: dict[Node, int] = {}

        def at(part: Node) -> int:
            return made[part] if part in made else numbers[part]

        for x in parts:
            if x in numbers:
                continue
            if isinstance(x, Class) and x.ranges[0][0] == x.ranges[-1][1]:
                made[x] = 1 + x.ranges[0][0]
                continue
            number = first + len(records) // 8
            a = b = c = d = 0
            charset = -1
            if isinstance(x, Class):
                kind, a = machine.CLASS, self._class(x.ranges)
                if x.ranges[-1][1] < 0x80:  # bytes that are characters
                    charset, d = charset_number(x.ranges), size(x.ranges)
            elif isinstance(x, Cat):
                kind, a, b = machine.CAT, at(x.first), at(x.rest)
            elif isinstance(x, Alt):
                kind, a, b = machine.ALT, base + len(heap), len(x.options)
                heap += map(at, x.options)
            elif isinstance(x, Repeat):
                kind, a, b = machine.REPEAT, at(x.body), x.low
                c = machine.NO_LIMIT if x.high is None else x.high
            elif isinstance(x, Words):
                kind, b, c, d = machine.WORDS, 0, len(x.words), x.depth
                starts = base + len(heap) + len(x.words) + 1
                for word in x.words:
                    heap.append(starts)
                    starts += len(word)
                heap.append(starts)
                a = starts - sum(map(len, x.words)) - len(x.words) - 1
                for word in x.words:
                    heap += word
            else:
                assert isinstance(x, Unfolding)
                kind, folded[number] = machine.FOLDED, x
            made[x] = number
            records += (kind, a, b, c, d, int(x.nullable), -1, charset)
        self._append(HEAP, np.array(heap, np.int64))
        self._append(NODES, np.array(records, np.int64).reshape(-1, 8))
        self._folded |= folded
        numbers |= made
        return numbers[node]

    def _number_charset(self, x: Charset) -> None:
        number = charset_number(x.ranges)
        if len(x.ranges) <= 8 or x.ranges[0][0] < 0x80:  # the latter: ASCII, or what lies beyond
            records = np.array([(machine.CHARSET, self._number(x.spelling), 0, 0, size(x.ranges), 0, -1, number)])
        else:  # hundreds of nodes, perhaps: copied, not written anew
            records, references, heap, classes = _fragment(x)
            bases = np.array([int(self.memory[NODES + 1]), self._append(HEAP, heap), self._append(CLASSES, classes)])
            moved = self._table(HEAP)[bases[1] : bases[1] + len(heap)]
            moved += (bases[0] - _BYTE_NODES) * (moved >= _BYTE_NODES)  # the nodes of single bytes are where they are
            records = records + references @ bases
            records[-1, machine.D], records[-1, machine.CHARS] = size(x.ranges), number
        self._numbers[x] = self._append(NODES, records) + len(records) - 1

    def _class(self, ranges: Ranges) -> int:
        number = self._class_numbers.get(ranges)
        if number is None:
            row = np.zeros((1, 256), np.uint8)
            for low, high in ranges:
                row[0, low : high + 1] = 1
            number = self._class_numbers[ranges] = self._append(CLASSES, row)
        return number

    def _unfold(self, number: int) -> None:
        edges: Iterable[tuple[Node, Node]] = self._folded[number].edges
        heap = [0]
        for label, tail in edges:
            heap += (self._number(label), self._number(tail))
        heap[0] = len(heap) // 2
        self._table(NODES)[number, machine.MEMO] = self._append(HEAP, np.array(heap, np.int64))


@lru_cache(maxsize=256)
def _fragment(x: Charset) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The records of a charset's nodes, the charset itself last, as if they were the first; its heap and classes.

    Returns:
        records: int64 [n, 8]. references: int64 [n, 8, 3], 1 where a number counts from the first node, the first of
        the heap, or the first class. heap: int64, numbers of nodes. classes: uint8 [k, 256].
    """
    whole = Automaton(x.spelling)
    nodes, heap, classes = (whole._table(t)[: whole.memory[t + 1]] for t in (NODES, HEAP, CLASSES))
    records = nodes[_BYTE_NODES:].copy()
    records[:, 7] = -1  # what is repeated is the whole, not its ASCII part
    records = np.concatenate([records, [(machine.CHARSET, whole._numbers[x.spelling], 0, 0, 0, 0, -1, -1)]])
    references = np.zeros((*records.shape, 3), np.int64)
    for kind, field, what in _REFERENCES:
        references[(records[:, machine.KIND] == kind) & (records[:, field] >= _FIRST[what]), field, what] = 1
    return records - references @ _FIRST, references, heap, classes[_BYTES:].copy()


_FIRST = np.array([_BYTE_NODES, 0, _BYTES])
_REFERENCES = (  # kind, the field that refers, and to what: 0 nodes, 1 the heap, 2 classes
    (machine.CAT, 1, 0),
    (machine.CAT, 2, 0),
    (machine.CHARSET, 1, 0),
    (machine.ALT, 1, 1),
    (machine.CLASS, 1, 2),
)
