"""A deterministic automaton over bytes that is built as it is walked.

`language.Node`s say what to match; `machine.py` determinises them as far as somebody walks. This file is what stands
between: it writes nodes down as numbers, lets the machine's tables grow, and unfolds a node when a walk first reaches
it (as a page fault loads a page), so that what is never reached costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import lru_cache

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
)
from outlines_cont.fsm.machine import CLASSES, DEAD, HEAP, NEED, NODES, RESULT, SLOTS, STATE_SLOTS, STATES, TERMS, serve
from outlines_cont.fsm.trie import Trie

_ROOM = {  # table: records at first, their shape and type
    NODES: (512, (8,), np.int64),
    HEAP: (2048, (), np.int64),
    TERMS: (512, (8,), np.int64),
    SLOTS: (2048, (), np.int64),
    machine.LEAVES: (2048, (), np.int64),
    STATES: (256, (8,), np.int64),
    STATE_SLOTS: (1024, (), np.int64),
    machine.ROWS: (32, (256,), np.int32),
    CLASSES: (320, (256,), np.uint8),
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

# What every automaton begins with: class b and node 1 + b are the byte b; node 0 is the empty string, and term 0.
_BYTES = np.eye(256, dtype=np.uint8)
_BYTE_NODES = np.full((257, 8), -1, np.int64)
_BYTE_NODES[:, :6] = 0
_BYTE_NODES[1:, 0], _BYTE_NODES[1:, 1] = machine.CLASS, np.arange(256)
_BYTE_NODES[0, 5] = 1
_NONE = np.zeros(256, np.uint8)
_END = np.array([machine.END, -1, 0, 0, 1, 0, -1, 0], np.int64)


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
        self.lock = threading.RLock()
        self.memory = np.zeros(machine.MEMORY, np.int64)
        self._tables: dict[int, np.ndarray] = {}
        for table, (room, shape, kind) in _ROOM.items():
            self._place(table, np.empty((room, *shape), kind))
        for slots in _SLOTS_OF.values():
            self._tables[slots].fill(-1)
        for table, begin in ((NODES, _BYTE_NODES), (CLASSES, _BYTES), (TERMS, _END[None])):
            self._tables[table][: len(begin)] = begin
            self.memory[table + 1] = len(begin)
        if trie is not None:
            self.memory[machine.TWINS] = trie.twins
            self._place(machine.BYTE, trie.byte)
            self._place(machine.FIRST, trie.first)
            self._place(machine.TOKEN, trie.token)
            self._place(machine.TWIN, trie.twin)
            self._place(machine.SPELLING, trie.spelling)
            self._place(machine.SPELLED, trie.spelled)
            self._place(machine.PARENT, trie.parent)
            self._place(machine.EXCLUDED, _NONE)
            self._place(machine.LEFT, _NONE)
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
        return sum(array.nbytes for table, array in self._tables.items() if table in _ROOM)

    def accepting(self, state: int) -> bool:
        """Whether the string may end here."""
        return bool(self._tables[STATES][self._valid(state), machine.ACCEPTS])

    def dead_end(self, state: int) -> bool:
        """Whether no byte can follow."""
        return not self._tables[STATES][self._valid(state), machine.COUNT]

    def _valid(self, state: int) -> int:
        if not 0 <= state < self.memory[STATES + 1]:
            raise ValueError(f"{state!r} is no state of this automaton, which has met {len(self)}")
        return state

    def step(self, state: int, byte: int) -> int:
        """The state after one byte, or DEAD."""
        return self.run(state, bytes((byte,)))

    def run(self, state: int, data: bytes) -> int:
        """The state after all of `data`, or DEAD."""
        with self.lock:
            room = len(self._tables[machine.INPUT])
            for start in range(0, len(data), room):
                piece = data[start : start + room]
                self._tables[machine.INPUT][: len(piece)] = np.frombuffer(piece, np.uint8)
                state = self.ask(machine.READ, state, len(piece))
                if state == DEAD:
                    break
        return state

    def advance(self, state: int, token: int) -> int:
        """The state after a text token, or DEAD; DEAD for any other token."""
        after = serve(self.memory, machine.ADVANCE, state, token)
        if after <= NEED:
            with self.lock:
                after = self.ask(machine.ADVANCE, state, token)
        return after

    def results(self, count: int) -> np.ndarray:
        """What was last asked for, where the answer was so many results. int32 [n]

        The lock must be held, from asking for them until they are no longer used: the next call overwrites them.
        """
        return self._tables[RESULT][:count]

    def survey(self) -> np.ndarray:
        """What `machine.SURVEY` says of this automaton, which must be of any number of characters. int32 [n, 3]"""
        with self.lock:
            nodes = len(self._tables[machine.BYTE])
            self._grow(RESULT, 3 * nodes)
            self._grow(machine.QUEUE, 2 * nodes)
            return self.results(self.ask(machine.SURVEY, self.initial)).reshape(-1, 3).copy()

    def ends(self, state: int) -> np.ndarray:
        """Of each spelling that can be read from a state, one token and the state after it. int32 [n, 2]"""
        with self.lock:
            return self.results(self.ask(machine.ENDS, state)).reshape(-1, 2).copy()

    def row(self, state: int) -> np.ndarray:
        """The next state for each byte, DEAD where there is none. int32 [256]"""
        return np.array([self.step(state, byte) for byte in range(256)], np.int32)

    def table(self) -> np.ndarray:
        """The next states of every state met so far, for kernels that walk it. int32 [states, 256]

        DEAD (−1) where there is none; UNKNOWN (−2) where nobody has asked yet.
        """
        with self.lock:
            states = self._tables[STATES][: len(self)]
            place, after = states[:, machine.ROW, None], states[:, machine.NEXT, None]
            one = np.where(self._tables[CLASSES][np.maximum(place[:, 0], 0)] != 0, after, DEAD)
            several = np.where(place >= 0, self._tables[machine.ROWS][np.maximum(place[:, 0], 0)], machine.UNKNOWN)
            count = states[:, machine.COUNT, None]
            return np.where(count > 1, several, np.where(count == 1, one, DEAD)).astype(np.int32)

    def accepting_states(self) -> np.ndarray:
        """Which of the states met so far accept. bool [states]"""
        with self.lock:
            return self._tables[STATES][: len(self), machine.ACCEPTS] != 0

    def forced(self, state: int) -> bytes:
        """The bytes with which every way on from here begins; none where the string may end."""
        with self.lock:
            while (count := self.ask(machine.FORCED, state)) == len(self._tables[RESULT]):
                self._grow(RESULT)
            return self.results(count).astype(np.uint8).tobytes()

    def ask(self, what: int, x: int = 0, y: int = 0) -> int:
        """What `machine.serve` says, after giving it all it needs. The lock must be held."""
        self.memory[machine.PAUSED] = 0
        while (answer := serve(self.memory, what, x, y)) == NEED:
            lacking = int(self.memory[machine.LACKING])
            if lacking == machine.FAULT:
                self._unfold(int(self.memory[machine.FAULT]))
            elif lacking == RESULT:
                self._grow(RESULT, len(self._tables[machine.TWIN]) if machine.TWIN in self._tables else 0)
            else:
                self._grow(lacking)
        if answer == machine.INVALID:
            self._valid(x)
        return answer

    # ------------------------------------------------------------------------------------------------------ tables

    def _place(self, table: int, array: np.ndarray) -> None:
        self._tables[table] = array
        self.memory[table], self.memory[table + 2] = array.__array_interface__["data"][0], len(array)

    def _grow(self, table: int, room: int = 0) -> None:
        old = self._tables[table]
        new = np.empty((max(2 * len(old), room), *old.shape[1:]), old.dtype)
        new[: len(old)] = old
        self._place(table, new)
        if table in _SLOTS_OF:
            for slots in _SLOTS_OF.values():
                self._place(slots, np.empty(4 * len(self._tables[TERMS if slots == SLOTS else STATES]), np.int64))
            serve(self.memory, machine.REHASH, 0, 0)

    def _append(self, table: int, records: np.ndarray) -> int:
        used = int(self.memory[table + 1])
        if used + len(records) > len(self._tables[table]):
            self._grow(table, used + len(records))
        self._tables[table][used : used + len(records)] = records
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
        for x in parts:
            if x in numbers:
                continue
            number = first + len(records) // 8
            a = b = c = d = 0
            charset = -1
            if isinstance(x, Class):
                kind, a = machine.CLASS, self._class(x.ranges)
                if x.ranges[-1][1] < 0x80:  # bytes that are characters
                    charset = charset_number(x.ranges)
            elif isinstance(x, Cat):
                kind, a, b = machine.CAT, numbers.get(x.first) or made[x.first], numbers.get(x.rest) or made[x.rest]
            elif isinstance(x, Alt):
                kind, a, b = machine.ALT, base + len(heap), len(x.options)
                heap += [made[y] if y in made else numbers[y] for y in x.options]
            elif isinstance(x, Repeat):
                kind, a, b = machine.REPEAT, numbers.get(x.body) or made[x.body], x.low
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
        if len(x.ranges) <= 8:
            records = np.array([(machine.CHARSET, self._number(x.spelling), 0, 0, 0, 0, -1, number)])
        else:  # hundreds of nodes, perhaps: copied, not written anew
            records, references, heap, classes = _fragment(x)
            bases = np.array([int(self.memory[NODES + 1]), self._append(HEAP, heap), self._append(CLASSES, classes)])
            self._tables[HEAP][bases[1] : bases[1] + len(heap)] += bases[0]
            records = records + references @ bases
            records[-1, 7] = number
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
        self._tables[NODES][number, machine.MEMO] = self._append(HEAP, np.array(heap, np.int64))


@lru_cache(maxsize=256)
def _fragment(x: Charset) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The records of a charset's nodes, the charset itself last, as if they were the first; its heap and classes.

    Returns:
        records: int64 [n, 8]. references: int64 [n, 8, 3], 1 where a number counts from the first node, the first of
        the heap, or the first class. heap: int64, numbers of nodes. classes: uint8 [k, 256].
    """
    whole = Automaton(x.spelling)
    nodes, heap, classes = (whole._tables[t][: whole.memory[t + 1]] for t in (NODES, HEAP, CLASSES))
    records = nodes[len(_BYTE_NODES) :].copy()
    records[:, 7] = -1  # what is repeated is the whole, not its ASCII part
    records = np.concatenate([records, [(machine.CHARSET, whole._numbers[x.spelling], 0, 0, 0, 0, -1, -1)]])
    references = np.zeros((*records.shape, 3), np.int64)
    for kind, field, what in _REFERENCES:
        references[records[:, 0] == kind, field, what] = 1
    return records - references @ _FIRST, references, heap - _FIRST[0], classes[len(_BYTES) :].copy()


_FIRST = np.array([len(_BYTE_NODES), 0, len(_BYTES)])
_REFERENCES = (  # kind, the field that refers, and to what: 0 nodes, 1 the heap, 2 classes
    (machine.CAT, 1, 0),
    (machine.CAT, 2, 0),
    (machine.CHARSET, 1, 0),
    (machine.ALT, 1, 1),
    (machine.CLASS, 1, 2),
)

__all__ = ["DEAD", "Automaton"]
