"""A deterministic automaton over bytes that is built as it is walked.

`language.Node`s say what to match; `machine.py` determinises them as far as somebody walks. This file is what stands
between: it writes nodes down as numbers, lets the machine's tables grow, and unfolds a node when a walk first reaches
it (as a page fault loads a page), so that what is never reached costs nothing.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np

from outlines_cont.fsm import machine
from outlines_cont.fsm.language import (
    EMPTY,
    VOID,
    Alt,
    Branches,
    Cat,
    Charset,
    Class,
    Node,
    Ranges,
    Repeat,
    Unfolding,
    Words,
    charset_number,
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
    machine.DEPTHS: (512, (), np.int64),
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
_FIXED = (machine.ALIKE, machine.LEAVING, machine.CHAIN, RESULT, machine.QUEUE)
_NONE = np.zeros(256, np.uint8)


class _Layout:
    """Where each table lies in one block, and what it begins with.

    Class b and node 1 + b are the byte b; node 0 is the empty string, and term 0 what matches it.

    Args:
        room: of each table, in records.
    """

    def __init__(self, room: dict[int, int]):
        self.places: dict[int, tuple[int, int, Any, tuple[int, ...]]] = {}
        start = 0
        for table, (_, shape, kind) in _ROOM.items():
            stop = start + room[table] * int(np.prod(shape)) * np.dtype(kind).itemsize
            self.places[table], start = (start, stop, kind, (room[table], *shape)), stop
        self.size = start
        nodes = np.full((_BYTE_NODES, 8), -1, np.int64)
        nodes[:, : machine.MEMO] = 0
        nodes[1:, machine.KIND], nodes[1:, machine.A] = machine.CLASS, np.arange(256)
        nodes[0, machine.NULLABLE] = 1
        begin = {
            CLASSES: np.eye(_BYTES, dtype=np.uint8),
            SLOTS: np.full(room[SLOTS], -1, np.int64),
            STATE_SLOTS: np.full(room[STATE_SLOTS], -1, np.int64),
            NODES: nodes,
            TERMS: np.array([machine.END, -1, 0, 0, 1, 0, -1, -1], np.int64),
        }
        self._begin = [(self.places[table][0], np.ravel(x).view(np.uint8)) for table, x in begin.items()]
        self.memory = np.zeros(machine.MEMORY, np.int64)
        for table, (start, _, _, shape) in self.places.items():
            self.memory[table], self.memory[table + 2] = start, shape[0]
        self.memory[CLASSES + 1], self.memory[NODES + 1], self.memory[TERMS + 1] = _BYTES, _BYTE_NODES, 1
        self.memory[machine.SPACE] = -1
        for table in (machine.EXCLUDED, machine.LEFT):
            self.memory[table], self.memory[table + 2] = _NONE.__array_interface__["data"][0], 256

    def begin(self) -> tuple[np.ndarray, np.ndarray]:
        """A new block, and the memory that is about it."""
        block, memory = np.empty(self.size, np.uint8), self.memory.copy()
        for start, data in self._begin:
            block[start : start + len(data)] = data
        memory[_ADDRESSES] += block.__array_interface__["data"][0]
        return block, memory


_ADDRESSES = np.array(list(_ROOM))
_BYTES, _BYTE_NODES = 256, 257  # how many classes and nodes there are to begin with
_SMALL = _Layout({table: room for table, (room, *_) in _ROOM.items()})
#: For languages that unfold without end: what is not written to takes no memory.
_LARGE = _Layout({table: room if table in _FIXED else 16 * room for table, (room, *_) in _ROOM.items()})


class Escaped(Charset):
    """One character of `ranges` inside a JSON string, by itself or by an escape: a class of its own for the surveys."""

    __slots__ = ()


class Unlike(Unfolding):
    """Strings as JSON spells them, up to the closing quote, that are none of some `words`: the machine unfolds it.

    Attributes:
        words: sorted, distinct, of printable ASCII without quote and backslash. None: it is unfolded like any other.
        parts: what any string goes on with to its end, one character beyond ASCII, the escapes of what is not
            printable ASCII, what begins the other escapes, an escaped slash.
    """

    __slots__ = ("parts", "words")
    words: Sequence[bytes] | None
    parts: tuple[Node, ...]

    @abstractmethod
    def hexadecimal(self, codes: Iterable[int]) -> Node:
        """How the escape of one of these characters ends: VOID for none."""


class Automaton:
    """A deterministic automaton over bytes, built as it is walked.

    States are ints, numbered in the order in which they are first met. Every state can still reach an accepting one, as
    far as the language keeps the promise of `language.py` (a state at a wall, see `recall.py`, once its text is known).
    Safe to share between threads: it holds only caches, which grow under a lock.

    Attributes:
        initial: the state before the first byte.
        memory: what `machine` works on.
    """

    def __init__(self, node: Node, trie: Trie | None = None, large: bool = False):
        """Read `node`, a language of bytes; `trie` is for walking tokens. `large`: many states are to be expected.

        Raises:
            ValueError: the language is empty.
        """
        if node is VOID:
            raise ValueError("an automaton needs a language with at least one string")
        machine.ready()
        self.lock = threading.RLock() if trie is None else trie.lock
        self._layout = _LARGE if large else _SMALL
        self._block, self.memory = self._layout.begin()
        if trie is not None:
            self.memory[RESULT : RESULT + len(trie.places)] = trie.places
            self.memory[machine.TWINS] = trie.twins
        self._trie = trie  # which keeps its arrays where they are
        self._arrays: dict[int, np.ndarray] = {} if trie is None else {RESULT: trie.result, machine.QUEUE: trie.queue}
        self._growing: tuple[int, np.ndarray] | None = None
        self._unhashed = False
        self._numbers: dict[Node, int] = {EMPTY: machine.END}
        self._folded: dict[int, Unfolding] = {}
        self._reserved: list[tuple[int, Branches]] = []  # (the node after its first word, whose)
        self._excluding: dict[int, Unlike] = {}  # by where in the heap their words are
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
        total = self._block.nbytes
        for table, grown in self._arrays.items():
            if grown.base is None and id(grown) not in shared:
                total += int(self.memory[table + 1]) * grown[:1].nbytes or grown.nbytes  # (of scratch, all is used)
        return total

    def accepting(self, state: int) -> bool:
        """Whether the string may end here."""
        return bool(self._table(STATES)[self.valid(state), machine.ACCEPTS] & 1)

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
            return known, states[:, machine.ACCEPTS] & 1 != 0

    # What remains to be matched, for those who have to look into it (`recall.py`). The lock must be held.

    def ways(self, state: int) -> Iterator[tuple[np.ndarray, int]]:
        """(which bytes, the term that remains after one of them), for each way to go on. uint8 [256], int"""
        states = self._table(STATES)
        at, count = int(states[state, machine.AT]), int(states[state, machine.COUNT])
        classes = self._table(CLASSES)
        for leaf in self._table(machine.LEAVES)[at : at + count].tolist():
            yield classes[leaf >> 32], leaf & 0xFFFFFFFF

    def walled(self, state: int) -> bool:
        """Whether one of them stands at a wall (`recall.py`), which has ways on that no byte shows."""
        return self.marked(state) and any(not bytes_.any() for bytes_, _ in self.ways(state))

    def marked(self, state: int) -> bool:
        """Whether one of them leads on with marks or pending nodes on the stack."""
        return bool(self._table(STATES)[state, machine.ACCEPTS] & machine.MARKED)

    def depth(self, term: int) -> tuple[int, int]:
        """How many marks and how many pending nodes lie on the stack of a term."""
        depth = 0 if term == machine.END else int(self._table(machine.DEPTHS)[term])
        return depth & 0xFFFFFFFF, depth >> 32

    def recall(self, state: int, token: int, active: bool) -> tuple[int, int | None]:
        """The state after a token; and where in it the text began that is being written then, see `machine._recall`."""
        memory = self.memory
        memory[machine.ACTIVE] = active
        after = machine.NEED
        if self._growing is None and not self._unhashed:
            after = serve(memory, machine.RECALL, state, token)
        if after == machine.NEED or after == machine.INVALID:
            after = self.ask(machine.RECALL, state, token)
        return after, int(memory[machine.BEGUN]) if after >= 0 and memory[machine.ACTIVE] else None

    def top(self, term: int) -> tuple[int, int]:
        """The number of the first node of a term, and the term after it."""
        node, rest = self._table(TERMS)[term, : machine.REST + 1].tolist()
        return node, rest

    def folded(self, number: int) -> Unfolding | None:
        """The node of a number, if it is one that unfolds."""
        found = self._folded.get(number)
        if found is None and self._reserved:
            i = bisect_right(self._reserved, number, key=itemgetter(0)) - 1
            first, branches = self._reserved[max(i, 0)]
            if 0 <= number - first < len(branches.words):
                found = self._folded[number] = branches.after(number - first)
                self._numbers.setdefault(found, number)
        return found

    def push(self, node: Node | int, term: int) -> int:
        """The term of a node, and then `term`."""
        return self.ask(machine.PUSH, node if isinstance(node, int) else self._number(node), term)

    def join(self, terms: list[int]) -> int:
        """The state in which one of these terms remains."""
        while len(terms) > len(self._table(machine.AFTERS)):
            self._grow(machine.AFTERS)
        self._table(machine.AFTERS)[: len(terms)] = terms
        return self.ask(machine.JOIN, len(terms))

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
            start, stop, kind, shape = self._layout.places[table]
            array = self._arrays[table] = self._block[start:stop].view(kind).reshape(shape)
        return array

    def _grow(self, table: int, room: int = 0) -> None:
        """Give a table more room, a lot of it: what is not written to takes no memory. (But slots are, all of them.)

        Ctrl-C may come between any two lines: `_settle` then ends what was begun.
        """
        self._settle()
        old = self._table(table)
        factor = 16 if self.memory[table + 1] and table not in _SLOTS_OF else 4
        new = np.empty((max(factor * len(old), room), *old.shape[1:]), old.dtype)
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
        if node not in self._numbers:
            self._write([node])
        return self._numbers[node]

    def _parts(self, nodes: Iterable[Node]) -> list[Node]:
        """The nodes and all they are made of that have no number yet, parts first."""
        numbers, order, todo = self._numbers, dict[Node, None](), list(nodes)
        while todo:
            node = todo[-1]
            if node in numbers or node in order:
                todo.pop()
                continue
            new: list[Node] = []
            if isinstance(node, Cat):
                new = [x for x in (node.rest, node.first) if x not in numbers and x not in order]
            elif isinstance(node, Alt):
                new = [x for x in node.options if x not in numbers and x not in order]
            elif isinstance(node, Repeat) and node.body not in numbers and node.body not in order:
                new = [node.body]
            elif isinstance(node, Unlike) and node.words is not None:
                new = [x for x in node.parts if x not in numbers and x not in order]
            if new:
                todo += new
            else:
                order[todo.pop()] = None
        return list(order)

    def _write(self, nodes: Iterable[Node]) -> None:
        """Give nodes, and all they are made of, their numbers."""
        numbers, parts = self._numbers, self._parts(nodes)
        for x in parts:
            if isinstance(x, Charset):
                self._number_charset(x)
        first, base = int(self.memory[NODES + 1]), int(self.memory[HEAP + 1])
        number = first
        records, heap = array("q"), array("q")
        folded: dict[int, Unfolding] = {}
        excluding: dict[int, Unlike] = {}
        made: dict[Node, int] = {}
        reserved: list[tuple[int, Branches]] = []

        def at(part: Node) -> int:
            return made[part] if part in made else numbers[part]

        for x in parts:
            a = b = c = d = 0
            charset = -1
            if isinstance(x, Unfolding):
                words = x.words if isinstance(x, (Words, Unlike, Branches)) else None
                if words is not None:
                    kind, c, d = machine.WORDS, len(words), 0
                    if isinstance(x, Words):
                        d = x.depth
                    elif isinstance(x, Branches):
                        kind = machine.BRANCHES
                        heap.append(number + 1)
                        reserved.append((number + 1, x))
                    elif isinstance(x, Unlike):
                        kind, excluding[base + len(heap) + machine.HEADER] = machine.UNLIKE, x
                        heap.extend(map(at, x.parts))
                        heap.extend([-1] * (machine.HEADER - len(x.parts)))
                    a = starts = base + len(heap)
                    starts += len(words) + 1
                    for word in words:
                        heap.append(starts)
                        starts += len(word)
                    heap.append(starts)
                    for word in words:
                        heap.extend(word)
                elif x in numbers:  # a charset
                    continue
                else:
                    kind, d, folded[number] = machine.FOLDED, x.weight, x
            elif isinstance(x, Class):
                if x.ranges and x.ranges[0][0] == x.ranges[-1][1]:
                    made[x] = 1 + x.ranges[0][0]
                    continue
                kind, a = machine.CLASS, self._class(x.ranges)
                if x.ranges and x.ranges[-1][1] < 0x80:  # bytes that are characters
                    charset, d = 2 * charset_number(x.ranges), size(x.ranges)
            elif isinstance(x, Cat):
                kind, a, b = machine.CAT, at(x.first), at(x.rest)
            elif isinstance(x, Alt):
                kind, a, b = machine.ALT, base + len(heap), len(x.options)
                heap.extend(map(at, x.options))
            else:
                assert isinstance(x, Repeat)
                kind, a, b = machine.REPEAT, at(x.body), x.low
                c = machine.NO_LIMIT if x.high is None else x.high
            made[x] = number
            number += 1
            records.extend((kind, a, b, c, d, x.nullable, -1, charset))
            if kind == machine.BRANCHES:
                number += c
                records.extend(_UNFOLDED * c)
        self._append(HEAP, np.frombuffer(heap, np.int64))
        self._append(NODES, np.frombuffer(records, np.int64).reshape(-1, 8))
        self._folded |= folded
        self._excluding |= excluding
        self._reserved += reserved
        numbers |= made

    def _number_charset(self, x: Charset) -> None:
        number = 2 * charset_number(x.ranges) + isinstance(x, Escaped)
        if (
            isinstance(x, Escaped) or len(x.ranges) <= 8 or x.ranges[0][0] < 0x80
        ):  # the latter: ASCII, or what lies beyond
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
        node = self.folded(number)
        if node is None:
            self._unfold_escapes(number)
            return
        edges, numbers = node.edges, self._numbers
        flat = [node for edge in edges for node in edge]
        self._write([node for node in flat if node not in numbers])
        heap = array("q", [len(edges)])
        heap.extend(map(numbers.__getitem__, flat))
        self._table(NODES)[number, machine.MEMO] = self._append(HEAP, np.frombuffer(heap, np.int64))

    def _unfold_escapes(self, number: int) -> None:
        """The node within an UNLIKE of what escapes of printable ASCII end with."""
        nodes, heap = self._table(NODES), self._table(HEAP)
        owner = int(nodes[number, machine.A])
        starts, at = int(nodes[owner, machine.A]), int(nodes[owner, machine.MEMO])
        edges = heap[at + 1 : at + 1 + 2 * int(heap[at])].reshape(-1, 2).tolist()
        rest = int(heap[starts - machine.HEADER + machine.REST_OF])
        after = {label - 1: tail for label, tail in edges if 0 < label <= 256 and label != 1 + 0x22}
        others = self._excluding[starts]
        found = array("q", [0])
        for codes, tail in (*(((b,), tail) for b, tail in after.items()), (_PRINTABLE - after.keys(), rest)):
            found.extend((self._number(others.hexadecimal(codes)), tail))
        found[0] = len(found) // 2
        self._table(NODES)[number, machine.MEMO] = self._append(HEAP, np.frombuffer(found, np.int64))


_UNFOLDED = (machine.FOLDED, 0, 0, 0, 0, 0, -1, -1)  # a node that Python has to unfold
_PRINTABLE = frozenset(range(0x20, 0x7F)) - set(b'"\\')


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
