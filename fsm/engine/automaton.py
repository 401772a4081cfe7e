"""A deterministic automaton over bytes that is built as it is walked.

`language.Node`s say what to match; `machine.py` determinises them as far as somebody walks. This file is what stands
between: it writes nodes down as numbers, lets the machine's tables grow, and unfolds a node when a walk first reaches
it (as a page fault loads a page), so that what is never reached costs nothing.
"""

from __future__ import annotations

import mmap
import threading
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Any

import numpy as np

from ..language.nodes import (
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
    union,
)
from ..patterns.json_characters import Escaped
from ..patterns.json_strings import Unlike
from . import machine
from .machine import CLASSES, DEAD, HEAP, NEED, NODES, RESULT, SLOTS, STATE_SLOTS, STATES, TERMS, serve
from .trie import Trie

_ROOM = {  # table: records at first, their shape and type; those that begin with something come first
    CLASSES: (320, (256,), np.uint8),
    NODES: (512, (8,), np.int64),
    TERMS: (512, (8,), np.int64),
    HEAP: (2048, (), np.int64),
    SLOTS: (1024, (), np.int32),
    STATE_SLOTS: (512, (), np.int32),
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
_BYTES_OF_ONE = 12  # an escape of two
_BYTES, _BYTE_NODES = 256, 257  # how many classes and nodes there are to begin with


class Ground:
    """What automata begin with: where each table lies in one block, and which nodes are written down already.

    Class b and node 1 + b are the byte b; node 0 is the empty string, and term 0 what matches it.

    Args:
        like: an automaton whose nodes are to be there from the start. factor: how much more room there is than usual.
    """

    def __init__(self, like: Automaton | None = None, factor: int = 1):
        self.places: dict[int, tuple[int, int, Any, tuple[int, ...]]] = {}
        start = 0
        room = {table: count if table in _FIXED else factor * count for table, (count, *_) in _ROOM.items()}
        for table, (_, shape, kind) in _ROOM.items():
            stop = start + room[table] * int(np.prod(shape)) * np.dtype(kind).itemsize
            self.places[table], start = (start, stop, kind, (room[table], *shape)), stop
        self.size = start
        begin = {TERMS: np.array([[machine.END, -1, 0, 0, 1, 0, -1, -1]], np.int64)}
        self.numbers: dict[Node, int] = {EMPTY: machine.END}
        self.folded: dict[int, Unfolding] = {}
        self.excluding: dict[int, Unlike] = {}
        self.class_numbers: dict[Ranges, int] = {}
        if like is None:
            nodes = np.full((_BYTE_NODES, 8), -1, np.int64)
            nodes[:, : machine.MEMO] = 0
            nodes[1:, machine.KIND], nodes[1:, machine.A] = machine.CLASS, np.arange(256)
            nodes[0, machine.NULLABLE] = 1
            begin |= {CLASSES: np.eye(_BYTES, dtype=np.uint8), NODES: nodes, HEAP: np.empty(0, np.int64)}
        else:
            assert not (like.bounded or like._reserved), "what is not carried over"
            begin |= {table: like._table(table)[: like.memory[table + 1]].copy() for table in (CLASSES, NODES, HEAP)}
            self.numbers, self.folded = dict(like._numbers), dict(like._folded)
            self.excluding, self.class_numbers = dict(like._excluding), dict(like._class_numbers)
        self._begin = [(self.places[table][0], np.ravel(x).view(np.uint8)) for table, x in begin.items()]
        self.memory = np.zeros(machine.MEMORY, np.int64)
        for table, (start, _, _, shape) in self.places.items():
            used = len(begin[table]) if table in begin else 0
            self.memory[table : table + 3] = (start, used, shape[0])
            if used > shape[0]:
                raise ValueError(f"table {table} needs room for {used} records from the start, not {shape[0]}")
        for one in (machine.SPACE, machine.ANY_SPELLED, machine.ANY_NAMED):
            self.memory[one] = -1
        for table in (machine.EXCLUDED, machine.LEFT):
            self.memory[table], self.memory[table + 2] = _NONE.__array_interface__["data"][0], 256

    def begin(self) -> tuple[np.ndarray, np.ndarray]:
        """A new block, and the memory that is about it."""
        block, memory = np.empty(self.size, np.uint8), self.memory.copy()
        for start, data in self._begin:
            block[start : start + len(data)] = data
        block[self.places[SLOTS][0] : self.places[STATE_SLOTS][1]] = 0
        memory[_ADDRESSES] += block.__array_interface__["data"][0]
        return block, memory


_ADDRESSES = np.array(list(_ROOM))
_WIDTH = {table: int(np.prod(shape)) for table, (_, shape, _) in _ROOM.items()}
_BARE = Ground()


class Automaton:
    """A deterministic automaton over bytes, built as it is walked.

    States are ints, numbered in the order in which they are first met. Every state can still reach an accepting one, as
    far as the language keeps the promise of `language.py` (a state at a wall, see `recall.py`, once its text is known).
    Safe to share between threads: it holds only caches, which grow under a lock.

    Attributes:
        initial: the state before the first byte.
        memory: what `machine` works on.
        bounded: whether `unbounded` may find anything.
    """

    def __init__(self, node: Node, trie: Trie | None = None, ground: Ground | None = None):
        """Read `node`, a language of bytes; `trie` is for walking tokens.

        Raises:
            ValueError: the language is empty.
        """
        if node is VOID:
            raise ValueError("an automaton needs a language with at least one string")
        machine.ready()
        self.lock = threading.RLock() if trie is None else trie.lock
        self._ground = ground = _BARE if ground is None else ground
        self._block, self.memory = ground.begin()
        if trie is not None:
            self.memory[RESULT : RESULT + len(trie.places)] = trie.places
            self.memory[machine.TWINS], self.memory[machine.DEEPEST] = trie.twins, trie.depth
        self._said = self.memory.data  # the same; read and written number by number
        self._trie = trie  # which keeps its arrays where they are
        self._arrays: dict[int, np.ndarray] = {} if trie is None else {RESULT: trie.result, machine.QUEUE: trie.queue}
        self._flat: dict[int, tuple[int, memoryview]] = {}
        self._growing: tuple[int, np.ndarray] | None = None
        self._unhashed: set[int] = set()
        self._numbers = dict(ground.numbers)
        self._folded = dict(ground.folded)
        self._reserved: list[tuple[int, Branches]] = []  # (the node after its first word, whose)
        self._excluding = dict(ground.excluding)  # by where in the heap their words are
        self._class_numbers = dict(ground.class_numbers)
        self.bounded = False
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
            if grown.base is not self._block and id(grown) not in shared:
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
        if not 0 <= state < self._said[STATES + 1]:
            raise ValueError(f"{state!r} is no state of this automaton, which has met {len(self)}")
        return state

    def step(self, state: int, byte: int) -> int:
        """The state after one byte, or DEAD."""
        return self.run(state, bytes((byte,)))

    def run(self, state: int, data: bytes) -> int:
        """The state after all of `data`, or DEAD."""
        with self.lock:
            self._settle()
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

    def unbounded(self, state: int) -> int | None:
        """A state of which the tokens are the same, and simpler to find: without a bound that no token reaches.

        None if none is known. The lock must be held.
        """
        deepest, repeated = self._said[machine.DEEPEST], self._flat_of(STATES)[8 * state + machine.TERM]
        number = self._flat_of(TERMS)[8 * repeated] if repeated >= 0 else machine.END
        node = self._folded.get(number)
        if node is None:
            return None
        plain = node.unbounded(deepest)
        if plain is not None and plain is not VOID and self.join([repeated]) == state:
            return self.join([self.push(plain, self.top(repeated)[1])])
        here: list[int] = []
        there: list[int] = []
        ways = self._afters(state)
        seen = {machine.END}
        for term in ways:
            for _ in range(_BYTES_OF_ONE):  # what is left of a character may come first
                if term in seen:
                    break
                seen.add(term)
                number, term = self.top(term)
                node = self.folded(number)
                again = None if node is None else node.again()
                if again is not None:
                    whole = self.push(again, term)
                    if whole not in here and ways >= self._afters(self.join([whole])):
                        plain = again.unbounded(deepest)
                        if plain is None or plain is VOID:
                            return None
                        here.append(whole)
                        there.append(self.push(plain, term))
                    break
        return self.join(there) if here and self.join(here) == state else None

    def _leaves(self, state: int) -> np.ndarray:
        """The ways to go on: the class's number << 32 | the term after it. int64 [n]"""
        states = self._flat_of(STATES)
        at, count = states[8 * state + machine.AT], states[8 * state + machine.COUNT]
        return self._table(machine.LEAVES)[at : at + count]

    def _afters(self, state: int) -> set[int]:
        """The terms of `ways`."""
        return set((self._leaves(state) & 0xFFFFFFFF).tolist())

    def known(self, node: Node) -> int:
        """The number of a node, if it is written down already; or −1."""
        return self._numbers.get(node, -1)

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

    def complete(self, limit: int) -> bool:
        """Meet every state that there is, if there are at most `limit`; else some of them, and False.

        False also where a text has to be known (`recall.py`): at a wall there is no byte to ask about.
        """
        with self.lock:
            state = 0
            while state < len(self) <= limit:
                if self.marked(state):
                    return False
                while (byte := self._unasked(state)) is not None:
                    self.step(state, byte)
                state += 1
            return len(self) <= limit

    def _unasked(self, state: int) -> int | None:
        """The first byte of a state after which nobody has asked yet."""
        record = self._table(STATES)[state]
        count, row = int(record[machine.COUNT]), int(record[machine.ROW])
        if count == 1:  # then `row` is the class of the bytes that lead on
            return int(self._table(CLASSES)[row].argmax()) if record[machine.NEXT] == machine.UNKNOWN else None
        if count == 0:
            return None
        unknown = np.flatnonzero(self._table(machine.ROWS)[row] < DEAD) if row >= 0 else [0]
        return int(unknown[0]) if len(unknown) else None

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
            known[filled] = np.maximum(self._table(machine.ROWS)[row[filled]], machine.UNKNOWN)
            return known, states[:, machine.ACCEPTS] & 1 != 0

    # What remains to be matched, for those who have to look into it (`recall.py`). The lock must be held.

    def ways(self, state: int) -> Iterator[tuple[np.ndarray, int]]:
        """(which bytes, the term after one of them: `follow` says which), for each way to go on. uint8 [256], int"""
        classes = self._table(CLASSES)
        for leaf in self._leaves(state).tolist():
            yield classes[leaf >> 32], leaf & 0xFFFFFFFF

    def follow(self, term: int, byte: int) -> int:
        """The term that remains after one of `ways`, of whose bytes it was this one."""
        number, rest = self.top(term) if term != machine.END else (machine.END, machine.END)
        kind, place = self._table(NODES)[number, : machine.A + 1].tolist()
        if kind != machine.SPLIT:
            return term
        heap = self._table(HEAP)
        ways = heap[place + 1 : place + 1 + 2 * int(heap[place])].reshape(-1, 2).tolist()
        return self.push(next(node for which, node in ways if self._table(CLASSES)[which, byte]), rest)

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
        self._settle()
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
        said = self._said
        said[machine.PAUSED] = 0
        while (answer := serve(self.memory, what, x, y)) == NEED:
            lacking = said[machine.LACKING]
            if lacking == machine.FAULT:
                self._unfold(said[machine.FAULT])
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
            start, stop, kind, shape = self._ground.places[table]
            array = self._arrays[table] = self._block[start:stop].view(kind).reshape(shape)
        return array

    def _grow(self, table: int, room: int = 0) -> None:
        """Give a table more room, a lot of it: what is not written to takes no memory. (But slots are, all of them.)

        Ctrl-C may come between any two lines: `_settle` then ends what was begun.
        """
        self._settle()
        old = self._table(table)
        used = self._said[table + 1]
        new = _untouched((max((8 if used else 4) * len(old), room), *old.shape[1:]), old.dtype)
        kept = used or len(old)
        new[:kept] = old[:kept]
        self._place(table, new)
        self._settle()

    def _place(self, table: int, array: np.ndarray) -> None:
        self._growing = (table, array)  # which keeps it, until it has its place
        if table in _SLOTS_OF:
            self._unhashed.add(table)
        self.memory[table : table + 3] = (array.__array_interface__["data"][0], self._said[table + 1], len(array))
        self._arrays[table] = array
        self._growing = None

    def _settle(self) -> None:
        if self._growing is not None:
            table, array = self._growing
            if self._said[table] == array.__array_interface__["data"][0]:
                self._arrays[table] = array
            self._growing = None
        for owner in tuple(self._unhashed):
            slots, room = _SLOTS_OF[owner], 2 * self._said[owner + 2]
            if self._said[slots + 2] != room:
                self._place(slots, _untouched((room,), np.dtype(np.int32), zeros=True))
            serve(self.memory, machine.REHASH, owner, 0)
            self._unhashed.discard(owner)

    def _append(self, table: int, data: Any) -> int:
        """Write records behind those that there are; the number of the first.

        Args:
            data: numbers of the table's type, so many for each record, in a buffer of format "q" (classes: "B").
        """
        if self._growing is not None:
            self._settle()
        said, width = self._said, _WIDTH[table]
        used, count = said[table + 1], len(data) // width
        if used + count > said[table + 2]:
            self._grow(table, used + count)
        self._flat_of(table)[used * width : (used + count) * width] = data
        said[table + 1] = used + count
        return used

    def _flat_of(self, table: int) -> memoryview:
        """A table's numbers, one after the other."""
        known = self._flat.get(table)
        if known is None or known[0] != self._said[table]:
            plain = self._table(table).data.cast("B")
            known = self._flat[table] = (self._said[table], plain if table == CLASSES else plain.cast("q"))
        return known[1]

    # ------------------------------------------------------------------------------------------------------- nodes

    def _number(self, node: Node) -> int:
        """The number of a node, which is written down with all it is made of."""
        number = self._numbers.get(node)
        if number is None:
            draft = _Draft(self)
            number = draft.number(node)
            draft.end()
        return number

    def _number_charset(self, x: Charset) -> None:
        number = _charset_key(x)
        beyond = all(low >= 0x80 for low, _ in x.ranges[:1])
        if isinstance(x, Escaped) or len(x.ranges) <= 8 or not beyond:  # the latter: ASCII, or what lies beyond
            spelled, split = self._number(x.spelling), self._split(x.spelling) if beyond else 0
            record = array("q", (machine.CHARSET, spelled, split, 0, size(x.ranges), 0, -1, number))
            self._numbers[x] = self._append(NODES, record)
        else:  # hundreds of nodes, perhaps: copied, not written anew
            records, references, heap, classes = _fragment(x)
            first = self._said[NODES + 1]
            heap = heap + (first - _BYTE_NODES) * (heap >= _BYTE_NODES)  # the nodes of single bytes are where they are
            place = self._append(HEAP, _quads(heap))
            bases = np.array([first, place, self._append(CLASSES, classes.ravel().data)])
            records = records + references @ bases
            records[-1, machine.D], records[-1, machine.CHARS] = size(x.ranges), number
            self._numbers[x] = self._append(NODES, _quads(records)) + len(records) - 1

    def _split(self, x: Node) -> int:
        """The number of a SPLIT for a node that is written down, a choice between sequences; 0 for any other."""
        ways = [(y.first, y.rest) for y in _options(x) if isinstance(y, Cat) and isinstance(y.first, Class)]
        if len(ways) < 2 or len(ways) < len(_options(x)):
            return 0
        heap = [len(ways)]
        for first, rest in ways:
            heap += [self.class_of(first.ranges), self._number(rest)]
        place = self._append(HEAP, array("q", heap))
        every = self.class_of(union(tuple(pair for first, _ in ways for pair in first.ranges)))
        return self._append(NODES, array("q", (machine.SPLIT, place, every, 0, 0, 0, -1, -1)))

    def class_of(self, ranges: Ranges) -> int:
        """The number of a set of bytes."""
        number = self._class_numbers.get(ranges)
        if number is None:
            row = bytearray(256)
            for low, high in ranges:
                row[low : high + 1] = b"\1" * (high + 1 - low)
            number = self._class_numbers[ranges] = self._append(CLASSES, row)
        return number

    def _unfold(self, number: int) -> None:
        node = self.folded(number)
        if node is None:
            self._unfold_digits(number)
            return
        edges, numbers, draft = node.edges, self._numbers.get, _Draft(self)
        found = [len(edges)]
        for edge in edges:
            for part in edge:
                known = numbers(part)
                found.append(draft.number(part) if known is None else known)
        at = draft.place(found)
        draft.end()
        self._flat_of(NODES)[8 * number + machine.MEMO] = at

    def _unfold_digits(self, number: int) -> None:
        """The node within an UNLIKE of what escapes of printable ASCII end with."""
        nodes, heap = self._table(NODES), self._table(HEAP)
        owner = int(nodes[number, machine.A])
        starts, at = int(nodes[owner, machine.A]), int(nodes[owner, machine.MEMO])
        edges = heap[at + 1 : at + 1 + 2 * int(heap[at])].reshape(-1, 2).tolist()
        after = {label - 1: tail for label, tail in edges if 0 < label <= 256 and label - 1 not in b'"\\'}
        others, rest = self._excluding[starts], int(heap[starts - machine.HEADER + machine.REST_OF])
        found = array("q", [0])
        for codes, tail in (*(((b,), tail) for b, tail in after.items()), (_PRINTABLE - after.keys(), rest)):
            found.extend((self._number(others.hexadecimal(codes)), tail))
        found[0] = len(found) // 2
        at = self._append(HEAP, found)
        self._table(NODES)[number, machine.MEMO] = at


class _Draft:
    """Nodes on the way into an automaton's tables. They are there when all is written, or not at all."""

    __slots__ = ("automaton", "base", "heap", "made", "next", "numbers", "of_kind", "records")

    def __init__(self, automaton: Automaton):
        self.automaton, self.numbers = automaton, automaton._numbers
        self._begin()

    def _begin(self) -> None:
        said = self.automaton._said
        self.next, self.base = said[NODES + 1], said[HEAP + 1]
        self.records, self.heap = array("q"), array("q")
        self.made: dict[Node, int] = {}
        self.of_kind: list[tuple[int, int, Any]] = []  # (kind, number, node) of those to be found by their numbers

    def end(self) -> None:
        """Write down what there is."""
        automaton = self.automaton
        if self.heap:
            automaton._append(HEAP, self.heap)
        if self.records:
            automaton._append(NODES, self.records)
            for kind, number, node in self.of_kind:
                if kind == machine.FOLDED:
                    automaton._folded[number] = node
                elif kind == machine.BRANCHES:
                    automaton._reserved.append((number, node))
                else:
                    automaton._excluding[number] = node
            self.numbers.update(self.made)

    def place(self, numbers: Iterable[int]) -> int:
        """Where in the heap these numbers will lie."""
        place = self.base + len(self.heap)
        self.heap.extend(numbers)
        return place

    def number(self, node: Node) -> int:
        """The number of a node: what it is made of comes first."""
        known = self._known(node)
        if known is not None:
            return known
        if type(node) is Cat:
            return self._chain(node)
        kind = _kind(node)
        return self._write(node) if kind in _MADE_OF_PARTS else self._add(node, kind)

    def _known(self, node: Node) -> int | None:
        found = self.made.get(node)
        return self.numbers.get(node) if found is None else found

    def _at(self, node: Node) -> int:
        found = self.made.get(node)
        return self.numbers[node] if found is None else found

    def _chain(self, node: Cat) -> int:
        """`number` of a sequence: its parts, from the last to the first."""
        chain, rest = [node], node.rest
        while type(rest) is Cat and self._known(rest) is None:
            chain.append(rest)
            rest = rest.rest
        chain.reverse()
        after, firsts = self.number(rest), [self.number(part.first) for part in chain]
        for part, first in zip(chain, firsts, strict=True):
            self.records.extend((machine.CAT, first, after, 0, 0, part.nullable, -1, -1))
            after = self.made[part] = self.next
            self.next += 1
        return after

    def _write(self, node: Node) -> int:
        """`number` of any node (a loop: nodes lie within nodes deeper than Python's stack)."""
        todo: list[Node] = [node]
        while todo:
            part = todo[-1]
            if self._known(part) is not None:
                todo.pop()
                continue
            kind = _kind(part)
            lacking = [x for x in _parts(part, kind) if self._known(x) is None]
            if lacking:
                todo += lacking
            elif kind == machine.CHARSET:
                self.end()
                self.automaton._number_charset(part)  # type: ignore[arg-type]
                self._begin()
            else:
                self._add(part, kind)
        return self._at(node)

    def _add(self, x: Any, kind: int) -> int:
        """Write down a node whose parts have numbers."""
        number, a, b, c, d, charset = self.next, 0, 0, 0, 0, -1
        if kind == machine.FOLDED:
            self.of_kind.append((kind, number, x))
            self.automaton.bounded |= x.bounded
            d = x.weight
            if x.run is not None:
                body, c = x.run
                one = next((part for part in _options(body) if isinstance(part, Charset)), None)
                b = 0 if one is None else 1 + _charset_key(one)
        elif kind == machine.CAT:
            a, b = self._at(x.first), self._at(x.rest)
        elif kind == machine.CLASS:
            ranges = x.ranges
            if ranges and ranges[0][0] == ranges[-1][1]:
                self.made[x] = 1 + ranges[0][0]
                return self.made[x]
            a = self.automaton.class_of(ranges)
            if ranges and ranges[-1][1] < 0x80:  # bytes that are characters
                charset, d = 2 * charset_number(ranges), size(ranges)
        elif kind == machine.ALT:
            a, b = self.place(map(self._at, x.options)), len(x.options)
        elif kind == machine.REPEAT:
            a, b = self._at(x.body), x.low
            c = machine.NO_LIMIT if x.high is None else x.high
        else:
            if kind == machine.UNLIKE:
                self.place(map(self._at, x.parts))
                self.place([-1] * (machine.HEADER - len(x.parts)))
            elif kind == machine.BRANCHES:
                self.place((number + 1,))  # each word has a node behind it, made when a walk gets there
            a, c = self.base + len(self.heap), len(x.words)
            d = x.depth if kind == machine.WORDS else 0
            self.heap += _spelled(x.words, a)
        self.records.extend((kind, a, b, c, d, x.nullable, -1, charset))
        if kind == machine.BRANCHES:
            self.records += _UNFOLDED * c
            self.of_kind.append((kind, number + 1, x))
            self.next += c
        elif kind == machine.UNLIKE:
            self.of_kind.append((kind, a, x))
        self.made[x] = number
        self.next += 1
        return number


_KINDS: dict[type, int] = {
    Class: machine.CLASS,
    Cat: machine.CAT,
    Alt: machine.ALT,
    Repeat: machine.REPEAT,
    Words: machine.WORDS,
}


_MADE_OF_PARTS = (machine.CAT, machine.ALT, machine.REPEAT, machine.UNLIKE, machine.CHARSET)


def _kind(x: Node) -> int:
    """The kind of node that the machine takes it for."""
    kind = _KINDS.get(type(x))
    if kind is None:
        which = ((Charset, machine.CHARSET), (Branches, machine.BRANCHES), (Unlike, machine.UNLIKE))
        kind = next((number for some, number in which if isinstance(x, some)), machine.FOLDED)
        _KINDS[type(x)] = kind
    return machine.FOLDED if kind == machine.UNLIKE and x.words is None else kind  # type: ignore[attr-defined]


def _parts(x: Any, kind: int) -> Sequence[Node]:
    """What a node is made of, that has to be written down before it."""
    if kind == machine.CAT:
        return x.first, x.rest
    if kind == machine.ALT:
        return x.options
    if kind == machine.REPEAT:
        return (x.body,)
    return x.parts if kind == machine.UNLIKE else ()


def _spelled(words: Sequence[bytes], place: int) -> array[int]:
    """Words as they lie in the heap, from `place` on: where each begins, and the last ends; and their bytes."""
    heap = array("q", accumulate(map(len, words), initial=place + len(words) + 1))
    heap.frombytes(np.frombuffer(b"".join(words), np.uint8).astype(np.int64).tobytes())
    return heap


def _options(x: Node) -> Sequence[Node]:
    return x.options if isinstance(x, Alt) else (x,)


def _charset_key(x: Charset) -> int:
    return 2 * charset_number(x.ranges) + isinstance(x, Escaped)


#: A process that was forked has its own. (Elsewhere there is no fork, and no such flag.)
_PRIVATE: dict[str, Any] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def _untouched(shape: tuple[int, ...], kind: np.dtype, zeros: bool = False) -> np.ndarray:
    """A new array. What is not written to takes no memory: page by page (numpy's own may come in huge ones)."""
    size = int(np.prod(shape)) * kind.itemsize
    if size < 1 << 24:  # memory that was used before, often: the first touch of a page takes microseconds
        return (np.zeros if zeros else np.empty)(shape, kind)
    return np.frombuffer(mmap.mmap(-1, size, **_PRIVATE), kind).reshape(shape)


def _quads(numbers: np.ndarray) -> memoryview:
    """int64 numbers, as `_append` takes them."""
    return np.ravel(numbers).data.cast("B").cast("q")


_UNFOLDED = array("q", (machine.FOLDED, 0, 0, 0, 0, 0, -1, -1))  # a node that Python has to unfold
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
