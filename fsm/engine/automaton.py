"""A deterministic automaton over bytes that is built as it is walked.

A language is a `Node`. The engine makes it deterministic as far as somebody walks. This file stands between the two:
it asks the engine for states. A node is unfolded when a walk first reaches it (as a page fault loads a page), so parts
that are never reached cost nothing. `node_tables.py` writes nodes down as numbers; `tables.py` keeps the tables of the
engine and lets them grow.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from outlines_cont.processes import whole_at_fork

from ..language.nodes import VOID, Cat, Lazy, Node
from ..language.terms import Deferred
from . import layout
from .layout import CLASSES, DEAD, HEAP, NODES, RESULT, STATES, TERMS
from .node_tables import Ground, NodeTables
from .trie import Trie

MOST_FORCED = 2**16  # bytes that are said to be forced: `a{1000000000}` has more than anybody reads
_SINGLE = 256  # so many classes are of one byte: their own number
_BYTES_OF_ONE = 12  # an escape of two


class TransitionTable(NamedTuple):
    """A deterministic automaton over bytes.

    Attributes:
        next: int32 [states, 256]. The next state for each byte; −1 where there is none.
        ends: uint8 [states]. 1 if a token may end there, because tokens can spell a way to the end of some string; 2
            more if the string may end there.

    >>> from outlines_cont.fsm.guide import literal
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> table = literal(b"ab", Vocabulary([b"<eos>", b"a", b"b"], eos=[0])).table(limit=10)
    >>> table.next[:, [ord("a"), ord("b")]].tolist(), table.ends.tolist()
    ([[1, -1], [-1, 2], [-1, -1]], [1, 1, 3])
    """

    next: np.ndarray
    ends: np.ndarray


class Automaton(NodeTables):
    """A deterministic automaton over bytes, built as it is walked.

    States are ints, numbered in the order in which they are first met. Every state can still reach an accepting one, as
    far as the language keeps the promise of `language.nodes` (at a wall, see `memory.py`, once its text is known).
    Safe to share between threads: it holds only caches, which grow under a lock.

    Attributes:
        initial: the state before the first byte.
        memory: what the engine works on.
        bounded: whether `unbounded` may find anything.
    """

    def __init__(self, node: Node, trie: Trie | None = None, ground: Ground | None = None):
        """Read `node`, a language of bytes; `trie` is for walking tokens.

        Raises:
            ValueError: the language is empty.
        """
        if node is VOID:
            raise ValueError("an automaton needs a language with at least one string")
        self.lock = whole_at_fork(threading.RLock()) if trie is None else trie.lock
        self._trie = trie  # which keeps its arrays where they are
        super().__init__(ground, {} if trie is None else {RESULT: trie.result, layout.QUEUE: trie.queue})
        if trie is not None:
            self.memory[RESULT : RESULT + len(trie.places)] = trie.places
            self.cells[layout.TWINS], self.cells[layout.DEEPEST] = trie.twins, trie.depth
        with self.lock:
            self.initial: int = self.ask(layout.START, self._number(node))

    def accepting(self, state: int) -> bool:
        """Whether the string may end here."""
        return bool(self._table(STATES)[self.valid(state), layout.ACCEPTS] & 1)

    def dead_end(self, state: int) -> bool:
        """Whether no byte can follow."""
        return not self._table(STATES)[self.valid(state), layout.COUNT]

    def step(self, state: int, byte: int) -> int:
        """The state after one byte, or DEAD."""
        return self.run(state, bytes((byte,)))

    def run(self, state: int, data: bytes) -> int:
        """The state after all of `data`, or DEAD."""
        with self.lock:
            for start in range(0, len(data), room := len(self._table(layout.INPUT))):
                state = self.ask(layout.READ, state, self._put(data[start : start + room]))
                if state == DEAD:
                    break
        return state

    def _put(self, data: bytes) -> int:
        """Give the engine as many of some bytes as it has room for; how many. The lock must be held."""
        self._settle()
        table = self._table(layout.INPUT)
        count = min(len(data), len(table))
        table[:count] = np.frombuffer(data, np.uint8, count)
        return count

    def run_on(self, state: int, data: bytes, start: int, depth: int) -> tuple[int, int]:
        """The state after the bytes from `start` on, before the first one after which there are not just so many marks
        on the stack; and where that one is. The lock must be held."""
        while start < len(data):
            count = self._put(data[start : start + len(self._table(layout.INPUT))])
            read, state = divmod(self.ask(layout.RUN_ON, state, depth << 32 | count), 1 << 32)
            start += read
            if read < count:
                break
        return state, start

    def unbounded(self, state: int, reach: int | None = None) -> int | None:
        """A state that allows the same tokens and is simpler to walk: it leaves out a bound that no token reaches.

        reach: only the tokens of so many bytes are the same; None, the default: all. None if none is known. The lock
        must be held.
        """
        most = self.cells[layout.DEEPEST] if reach is None else reach
        node, behind = self.whole(state)
        if node is None and behind == DEAD:
            return None
        plain = None if node is None else node.unbounded(most)
        if plain is not None and plain is not VOID:
            return self.join([self.push(plain, behind)])
        here: list[int] = []
        there: list[int] = []
        ways = self._afters(state)
        for again, term in self._repeating(ways):
            whole = self.push(again, term)
            if whole not in here and ways >= self._afters(self.join([whole])):
                plain = again.unbounded(most)
                if plain is None or plain is VOID:
                    return None
                here.append(whole)
                there.append(self.push(plain, term))
        return self.join(there) if here and self.join(here) == state else None

    def closing(self, behind: int) -> int | None:
        """The only byte that a term begins with; DEAD if nothing is behind; None of others. The lock must be held."""
        if behind == layout.END:
            return DEAD
        leaves = self._leaves(self.join([behind])).tolist()
        return leaves[0] >> 32 if len(leaves) == 1 and leaves[0] >> 32 < _SINGLE else None

    def whole(self, state: int) -> tuple[Lazy | None, int]:
        """The lazy node of a state that is nothing else, and the term behind it; or None, and DEAD if it has none."""
        repeated = self._flat_of(STATES)[8 * state + layout.TERM]
        number, behind = self.top(repeated) if repeated >= 0 else (layout.END, layout.END)
        node: Node | None = self._lazy_nodes.get(number)
        if node is None:
            return None, DEAD
        while isinstance(node, (Deferred, Cat)):
            behind = self.push(node.rest, behind) if isinstance(node, Cat) else behind
            node = node.first if isinstance(node, Cat) else node.node
        whole = isinstance(node, Lazy) and self.join([repeated]) == state
        return node if whole and isinstance(node, Lazy) else None, behind

    def _repeating(self, terms: set[int]) -> Iterator[tuple[Lazy, int]]:
        """The nodes that some terms came out of and may come back to, each with the term behind it."""
        seen = {layout.END}
        for term in terms:
            for _ in range(_BYTES_OF_ONE):  # the end of a character may come first
                if term in seen:
                    break
                seen.add(term)
                number, term = self.top(term)
                node = self.lazy_node(number)
                again = None if node is None else node.again()
                if again is not None:
                    yield again, term
                    break

    def _leaves(self, state: int) -> np.ndarray:
        """The ways to go on: the class's number << 32 | the term after it. int64 [n]"""
        states = self._flat_of(STATES)
        at, count = states[8 * state + layout.AT], states[8 * state + layout.COUNT]
        return self._table(layout.LEAVES)[at : at + count]

    def _afters(self, state: int) -> set[int]:
        """The terms of `ways`."""
        return set((self._leaves(state) & 0xFFFFFFFF).tolist())

    def results(self, count: int) -> np.ndarray:
        """What was last asked for, where the answer was so many results. int32 [n]

        The lock must be held, from asking for them until they are no longer used: the next call overwrites them.
        """
        return self._table(RESULT)[:count]

    def survey(self, root: int) -> np.ndarray:
        """What `layout.SURVEY` says of this automaton, which must be of any number of characters. int32 [n, 3]"""
        with self.lock:
            nodes = int(self.memory[layout.BYTE + 2])
            self._place(RESULT, np.empty(3 * nodes, np.int32))  # its own, so that the answer need not be copied
            self._place(layout.QUEUE, np.empty(2 * nodes, np.int64))
            return self.results(self.ask(layout.SURVEY, self.initial, root)).reshape(-1, 3)

    def ends(self, state: int) -> np.ndarray:
        """The entries of `Trie.token` that can be read from a state, and the state after each. int32 [n, 2]"""
        with self.lock:
            return self.results(self.ask(layout.ENDS, state)).reshape(-1, 2).copy()

    def complete(self, limit: int) -> bool:
        """Meet every state that there is, if there are at most `limit`; else some of them, and False.

        False also where a text has to be known (`memory.py`): at a wall there is no byte to ask about.
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
        count, row = int(record[layout.COUNT]), int(record[layout.ROW])
        if count == 1:  # then `row` is the class of the bytes that lead on
            return int(self._table(CLASSES)[row].argmax()) if record[layout.NEXT] == layout.UNKNOWN else None
        if count == 0:
            return None
        unknown = np.flatnonzero(self._table(layout.ROWS)[row] < DEAD) if row >= 0 else [0]
        return int(unknown[0]) if len(unknown) else None

    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """The next states of every state met so far, and which of them accept. int32 [states, 256], bool [states]

        DEAD (−1) where there is none; UNKNOWN (−2) where nobody has asked yet.
        """
        with self.lock:
            states = self._table(STATES)[: len(self)]
            row, count = states[:, layout.ROW], states[:, layout.COUNT]
            following = np.full((len(states), 256), DEAD, np.int32)
            one = count == 1  # then `row` is the class of the bytes that lead on
            following[one] = np.where(self._table(CLASSES)[row[one]], states[one, layout.NEXT, None], DEAD)
            following[count > 1] = layout.UNKNOWN
            filled = (count > 1) & (row >= 0)
            following[filled] = np.maximum(self._table(layout.ROWS)[row[filled]], layout.UNKNOWN)
            return following, states[:, layout.ACCEPTS] & 1 != 0

    # What remains to be matched, for those who have to look into it (`memory.py`). The lock must be held.

    def ways(self, state: int) -> Iterator[tuple[np.ndarray, int]]:
        """(which bytes, the term after one of them: `follow` says which), for each way to go on. uint8 [256], int"""
        classes = self._table(CLASSES)
        for leaf in self._leaves(state).tolist():
            yield classes[leaf >> 32], leaf & 0xFFFFFFFF

    def follow(self, term: int, byte: int) -> int:
        """The term that remains after one of `ways`, of whose bytes it was this one."""
        number, behind = self.top(term) if term != layout.END else (layout.END, layout.END)
        kind, place = self._table(NODES)[number, : layout.A + 1].tolist()
        if kind != layout.SPLIT:
            return term
        heap = self._table(HEAP)
        ways = heap[place + 1 : place + 1 + 2 * int(heap[place])].reshape(-1, 2).tolist()
        return self.push(next(node for of, node in ways if self._table(CLASSES)[of, byte]), behind)

    def walled(self, state: int) -> bool:
        """Whether one of them stands at a wall (`memory.py`), which has ways on that no byte shows."""
        return self.marked(state) and any(not bytes_.any() for bytes_, _ in self.ways(state))

    def marked(self, state: int) -> bool:
        """Whether one of them leads on with marks or pending nodes on the stack."""
        return bool(self._table(STATES)[state, layout.ACCEPTS] & layout.MARKED)

    def depth(self, term: int) -> tuple[int, int]:
        """How many marks and how many pending nodes lie on the stack of a term."""
        depth = 0 if term == layout.END else int(self._table(layout.DEPTHS)[term])
        return depth & 0xFFFFFFFF, depth >> 32

    def top(self, term: int) -> tuple[int, int]:
        """The number of the first node of a term, and the term after it."""
        node, behind = self._table(TERMS)[term, : layout.REST + 1].tolist()
        return node, behind

    def folded(self, term: int, of_terms: dict[int, int], longer: Callable[[int, int], int]) -> int:
        """`of_terms` of a term, filled in with `longer(the first node, that of the term after it)`. It has the END."""
        above: list[tuple[int, int]] = []
        while term not in of_terms:
            number, behind = self.top(term)
            above.append((term, number))
            term = behind
        value = of_terms[term]
        for link, number in reversed(above):
            value = of_terms[link] = longer(number, value)
        return value

    def push(self, node: Node | int, term: int) -> int:
        """The term of a node, and then `term`."""
        return self.ask(layout.PUSH, node if isinstance(node, int) else self._number(node), term)

    def join(self, terms: list[int]) -> int:
        """The state in which one of these terms remains."""
        self._settle()
        while len(terms) > len(self._table(layout.AFTERS)):
            self._grow(layout.AFTERS)
        self._table(layout.AFTERS)[: len(terms)] = terms
        return self.ask(layout.JOIN, len(terms))

    def forced(self, state: int) -> bytes:
        """The bytes with which every way on from here begins, up to `MOST_FORCED`; none where the string may end."""
        with self.lock:
            while (count := self.ask(layout.FORCED, self.valid(state))) == len(self._table(RESULT)) < MOST_FORCED:
                self._grow(RESULT)
            return self.results(min(count, MOST_FORCED)).astype(np.uint8).tobytes()
