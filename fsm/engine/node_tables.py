"""Nodes as numbers: how a language is written into the tables of an automaton.

A `Node` becomes a record of the table NODES, behind the records of the nodes that it is made of. A lazy node is written
down as such, and unfolded when a walk first reaches it.

The file is long because a draft of records, the node store and the fragments that are kept refer to each other.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Any

import numpy as np

from ..language.nodes import EMPTY, VOID, Alt, Cat, Class, Lazy, Node, Ranges, Repeat, charset_number, size, union
from ..language.terms import Charset
from ..language.tries import Branches, Words
from ..patterns.characters import CHARACTERS
from ..patterns.json_strings import TEXT_SPELLINGS, Escaped, Unlike
from . import layout
from .layout import CLASSES, HEAP, NODES, TERMS
from .tables import Blueprint, Tables

_BYTES, _BYTE_NODES = 256, 257  # how many classes and nodes there are to begin with


class Ground(Blueprint):
    """What automata begin with: empty tables, and the nodes that are written down already.

    Class b and node 1 + b are the byte b; node 0 is the empty string, and term 0 what matches it.

    Args:
        like: an automaton whose nodes are to be there from the start.
        factor: how many times the usual room there is.
    """

    def __init__(self, like: NodeTables | None = None, factor: int = 1):
        records = {TERMS: np.array([[layout.END, -1, 0, 0, 1, 0, -1, -1]], np.int64)}
        self.numbers: dict[Node, int] = {EMPTY: layout.END}
        self.lazy_nodes: dict[int, Lazy] = {}
        self.excluding: dict[int, Unlike] = {}
        self.class_numbers: dict[Ranges, int] = {}
        if like is None:
            nodes = np.full((_BYTE_NODES, 8), -1, np.int64)
            nodes[:, : layout.MEMO] = 0
            nodes[1:, layout.KIND], nodes[1:, layout.A] = layout.CLASS, np.arange(256)
            nodes[0, layout.NULLABLE] = 1
            records |= {CLASSES: np.eye(_BYTES, dtype=np.uint8), NODES: nodes, HEAP: np.empty(0, np.int64)}
        else:
            assert not (like.bounded or like._reserved), "these nodes are not carried over"
            records |= {table: like._table(table)[: like.memory[table + 1]].copy() for table in (CLASSES, NODES, HEAP)}
            self.numbers, self.lazy_nodes = dict(like._numbers), dict(like._lazy_nodes)
            self.excluding, self.class_numbers = dict(like._excluding), dict(like._class_numbers)
        super().__init__(records, factor)
        if like is not None:
            spelled = [(t.characters(CHARACTERS), t.in_names(CHARACTERS)) for t in TEXT_SPELLINGS.values()]
            for number, nodes in zip((layout.ANY_SPELLED, layout.ANY_NAMED), zip(*spelled, strict=True), strict=True):
                self._memory[number] = max(self.numbers.get(node, -1) for node in nodes)  # it has one spelling


class NodeTables(Tables):
    """The tables of an automaton, and the nodes that are written in them.

    Attributes:
        bounded: whether a lazy node has a bound on its length (see `Automaton.unbounded`).
    """

    def __init__(self, ground: Ground | None, scratch: dict[int, np.ndarray]):
        ground = _BARE_GROUND if ground is None else ground
        super().__init__(ground, scratch)
        self._numbers = dict(ground.numbers)
        self._lazy_nodes = dict(ground.lazy_nodes)
        self._reserved: list[tuple[int, Branches]] = []  # (the node after its first word, whose)
        self._excluding = dict(ground.excluding)  # by where in the heap their words are
        self._class_numbers = dict(ground.class_numbers)
        self.bounded = False

    def lazy_node(self, number: int) -> Lazy | None:
        """The node of a number, if it is a lazy one."""
        node = self._lazy_nodes.get(number)
        if node is None and self._reserved:
            i = bisect_right(self._reserved, number, key=itemgetter(0)) - 1
            first, branches = self._reserved[max(i, 0)]
            if 0 <= number - first < len(branches.words):
                node = self._lazy_nodes[number] = branches.after(number - first)
                self._numbers.setdefault(node, number)
        return node

    def _number(self, node: Node) -> int:
        """The number of a node, which is written down with all it is made of."""
        number = self._numbers.get(node)
        if number is None:
            draft = _DraftedTable(self)
            number = draft.number(node)
            draft.end()
        return number

    def _number_charset(self, x: Charset) -> None:
        number = _charset_key(x)
        beyond = all(low >= 0x80 for low, _ in x.ranges[:1])
        if isinstance(x, Escaped) or len(x.ranges) <= 8 or not beyond:  # the latter: ASCII, or what lies beyond
            spelled, split = self._number(x.spelling), self._split(x.spelling) if beyond else 0
            record = array("q", (layout.CHARSET, spelled, split, 0, size(x.ranges), 0, -1, number))
            self._numbers[x] = self._append(NODES, record)
        else:  # hundreds of nodes, perhaps: copied, not written anew
            records, references, heap, classes = _fragment(x)
            first = self.cells[NODES + 1]
            heap = heap + (first - _BYTE_NODES) * (heap >= _BYTE_NODES)  # the nodes of single bytes are where they are
            place = self._append(HEAP, _quads(heap))
            bases = np.array([first, place, self._append(CLASSES, classes.ravel().data)])
            records = records + references @ bases
            records[-1, layout.D], records[-1, layout.CHARS] = size(x.ranges), number
            self._numbers[x] = self._append(NODES, _quads(records)) + len(records) - 1

    def _split(self, x: Node) -> int:
        """The number of a SPLIT for a node that is written down, a choice between sequences; 0 for any other."""
        ways = [(y.first, y.rest) for y in _options(x) if isinstance(y, Cat) and isinstance(y.first, Class)]
        if len(ways) < 2 or len(ways) < len(_options(x)):
            return 0
        heap = [len(ways)]
        for first, behind in ways:
            heap += [self.class_of(first.ranges), self._number(behind)]
        place = self._append(HEAP, array("q", heap))
        every = self.class_of(union(*(first.ranges for first, _ in ways)))
        return self._append(NODES, array("q", (layout.SPLIT, place, every, 0, 0, 0, -1, -1)))

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
        node = self.lazy_node(number)
        if node is None:
            self._unfold_digits(number)
            return
        edges, numbers, draft = node.edges, self._numbers.get, _DraftedTable(self)
        heap = [len(edges)]
        for edge in edges:
            for part in edge:
                number_of_part = numbers(part)
                heap.append(draft.number(part) if number_of_part is None else number_of_part)
        at = draft.place(heap)
        draft.end()
        self._flat_of(NODES)[8 * number + layout.MEMO] = at

    def _unfold_digits(self, number: int) -> None:
        """The node within an UNLIKE of what escapes of printable ASCII end with."""
        nodes, heap = self._table(NODES), self._table(HEAP)
        owner = int(nodes[number, layout.A])
        starts, at = int(nodes[owner, layout.A]), int(nodes[owner, layout.MEMO])
        edges = heap[at + 1 : at + 1 + 2 * int(heap[at])].reshape(-1, 2).tolist()
        after = {label - 1: tail for label, tail in edges if 0 < label <= 256 and label - 1 not in b'"\\'}
        others, after_other = self._excluding[starts], int(heap[starts - layout.HEADER + layout.REST_OF])
        listed = array("q", [0])
        for codes, tail in (*(((b,), tail) for b, tail in after.items()), (_PRINTABLE - after.keys(), after_other)):
            listed.extend((self._number(others.hexadecimal(codes)), tail))
        listed[0] = len(listed) // 2
        at = self._append(HEAP, listed)
        self._table(NODES)[number, layout.MEMO] = at


class _DraftedTable:
    """Nodes on the way into the tables of an automaton. They are there when all is written, or not at all."""

    __slots__ = ("base", "heap", "made", "next", "numbers", "of_kind", "records", "tables")

    def __init__(self, tables: NodeTables):
        self.tables, self.numbers = tables, tables._numbers
        self._begin()

    def _begin(self) -> None:
        cells = self.tables.cells
        self.next, self.base = cells[NODES + 1], cells[HEAP + 1]
        self.records, self.heap = array("q"), array("q")
        self.made: dict[Node, int] = {}
        self.of_kind: list[tuple[int, int, Any]] = []  # (kind, number, node) of those to be found by their numbers

    def end(self) -> None:
        """Write down what there is."""
        tables = self.tables
        if self.heap:
            tables._append(HEAP, self.heap)
        if self.records:
            tables._append(NODES, self.records)
            for kind, number, node in self.of_kind:
                if kind == layout.FOLDED:
                    tables._lazy_nodes[number] = node
                elif kind == layout.BRANCHES:
                    tables._reserved.append((number, node))
                else:
                    tables._excluding[number] = node
            self.numbers.update(self.made)

    def place(self, numbers: Iterable[int]) -> int:
        """Where in the heap these numbers will lie."""
        place = self.base + len(self.heap)
        self.heap.extend(numbers)
        return place

    def number(self, node: Node) -> int:
        """The number of a node: what it is made of comes first."""
        number = self._known(node)
        if number is not None:
            return number
        if type(node) is Cat:
            return self._chain(node)
        kind = _kind(node)
        return self._write(node) if kind in _MADE_OF_PARTS else self._add(node, kind)

    def _known(self, node: Node) -> int | None:
        number = self.made.get(node)
        return self.numbers.get(node) if number is None else number

    def _at(self, node: Node) -> int:
        number = self.made.get(node)
        return self.numbers[node] if number is None else number

    def _chain(self, node: Cat) -> int:
        """`number` of a sequence: its parts, from the last to the first."""
        chain, behind = [node], node.rest
        while type(behind) is Cat and behind not in self.made and behind not in self.numbers:
            chain.append(behind)
            behind = behind.rest
        chain.reverse()
        after, firsts = self.number(behind), [self.number(part.first) for part in chain]
        for part, first in zip(chain, firsts, strict=True):
            self.records.extend((layout.CAT, first, after, 0, 0, part.nullable, -1, -1))
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
            lacking = [x for x in _parts(part, kind) if x not in self.made and x not in self.numbers]
            if lacking:
                todo += lacking
            elif kind == layout.CHARSET:
                self.end()
                self.tables._number_charset(part)  # type: ignore[arg-type]
                self._begin()
            else:
                self._add(part, kind)
        return self._at(node)

    def _add(self, x: Any, kind: int) -> int:
        """Write down a node whose parts have numbers."""
        if kind == layout.FOLDED:
            return self._add_lazy(x)
        if kind == layout.CLASS:
            return self._add_class(x)
        if kind == layout.CAT:
            return self._record(x, kind, self._at(x.first), self._at(x.rest))
        if kind == layout.ALT:
            return self._record(x, kind, self.place(map(self._at, x.options)), len(x.options))
        if kind == layout.REPEAT:
            return self._record(x, kind, self._at(x.body), x.low, layout.NO_LIMIT if x.high is None else x.high)
        return self._add_words(x, kind)

    def _add_lazy(self, x: Lazy) -> int:
        self.of_kind.append((layout.FOLDED, self.next, x))
        self.tables.bounded |= x.bounded
        charset_key = most = 0
        if x.run is not None:
            body, most = x.run
            charset = next((part for part in _options(body) if isinstance(part, (Charset, Class))), None)
            ascii_ = isinstance(charset, Charset) or (charset is not None and charset.ranges[-1][1] < 0x80)
            charset_key = 1 + _charset_key(charset) if charset is not None and ascii_ else 0
        return self._record(x, layout.FOLDED, 0, charset_key, most, x.weight)

    def _add_class(self, x: Class) -> int:
        ranges = x.ranges
        if ranges and ranges[0][0] == ranges[-1][1]:  # one byte
            number = self.made[x] = 1 + ranges[0][0]
            return number
        which = self.tables.class_of(ranges)
        if ranges and ranges[-1][1] < 0x80:  # bytes that are characters
            return self._record(x, layout.CLASS, which, d=size(ranges), charset=2 * charset_number(ranges))
        return self._record(x, layout.CLASS, which)

    def _add_words(self, x: Any, kind: int) -> int:
        """Write down a WORDS, an UNLIKE or a BRANCHES: their words lie in the heap."""
        number = self.next
        if kind == layout.UNLIKE:
            self.place([-1 if part is VOID else self._at(part) for part in x.parts])
            self.place([-1] * (layout.HEADER - len(x.parts)))
        elif kind == layout.BRANCHES:
            self.place((number + 1,))  # each word has a node behind it, made when a walk gets there
        place, count = self.base + len(self.heap), len(x.words)
        self.heap += _spelled(x.words, place)
        self._record(x, kind, place, 0, count, x.depth if kind == layout.WORDS else 0)
        if kind == layout.BRANCHES:
            self.records += _UNFOLDED * count
            self.of_kind.append((kind, number + 1, x))
            self.next += count
        elif kind == layout.UNLIKE:
            self.of_kind.append((kind, place, x))
        return number

    def _record(self, x: Node, kind: int, a: int, b: int = 0, c: int = 0, d: int = 0, charset: int = -1) -> int:
        """Write down the record of a node; the letters are the engine's names for its fields."""
        self.records.extend((kind, a, b, c, d, x.nullable, -1, charset))
        number = self.made[x] = self.next
        self.next += 1
        return number


_KINDS: dict[type, int] = {
    Class: layout.CLASS,
    Cat: layout.CAT,
    Alt: layout.ALT,
    Repeat: layout.REPEAT,
    Words: layout.WORDS,
}


_MADE_OF_PARTS = (layout.CAT, layout.ALT, layout.REPEAT, layout.UNLIKE, layout.CHARSET)


def _kind(x: Node) -> int:
    """The kind of node that the engine takes it for."""
    kind = _KINDS.get(type(x))
    if kind is None:
        which = ((Charset, layout.CHARSET), (Branches, layout.BRANCHES), (Unlike, layout.UNLIKE))
        kind = next((number for cls, number in which if isinstance(x, cls)), layout.FOLDED)
        _KINDS[type(x)] = kind
    return layout.FOLDED if kind == layout.UNLIKE and x.words is None else kind  # type: ignore[attr-defined]


def _parts(x: Any, kind: int) -> Sequence[Node]:
    """What a node is made of, that has to be written down before it."""
    if kind == layout.CAT:
        return x.first, x.rest
    if kind == layout.ALT:
        return x.options
    if kind == layout.REPEAT:
        return (x.body,)
    return [part for part in x.parts if part is not VOID] if kind == layout.UNLIKE else ()


def _spelled(words: Sequence[bytes], place: int) -> array[int]:
    """Words as they lie in the heap, from `place` on: where each begins, and the last ends; and their bytes."""
    heap = array("q", accumulate(map(len, words), initial=place + len(words) + 1))
    heap.frombytes(np.frombuffer(b"".join(words), np.uint8).astype(np.int64).tobytes())
    return heap


def _options(x: Node) -> Sequence[Node]:
    return x.options if isinstance(x, Alt) else (x,)


def _charset_key(x: Charset | Class) -> int:
    return 2 * charset_number(x.ranges) + isinstance(x, Escaped)


def _quads(numbers: np.ndarray) -> memoryview:
    """int64 numbers, as `_append` takes them."""
    return np.ravel(numbers).data.cast("B").cast("q")


_UNFOLDED = array("q", (layout.FOLDED, 0, 0, 0, 0, 0, -1, -1))  # a node that Python has to unfold
_PRINTABLE = frozenset(range(0x20, 0x7F)) - set(b'"\\')


@lru_cache(maxsize=256)
def _fragment(x: Charset) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The records of a charset's nodes, the charset itself last, as if they were the first; its heap and classes.

    Returns:
        records: int64 [n, 8]. references: int64 [n, 8, 3], 1 where a number counts from the first node, the first of
        the heap, or the first class. heap: int64, numbers of nodes. classes: uint8 [k, 256].
    """
    whole = NodeTables(None, {})
    number = whole._number(x.spelling)
    nodes, heap, classes = (whole._table(t)[: whole.memory[t + 1]] for t in (NODES, HEAP, CLASSES))
    records = nodes[_BYTE_NODES:].copy()
    records[:, 7] = -1  # what is repeated is the whole, not its ASCII part
    records = np.concatenate([records, [(layout.CHARSET, number, 0, 0, 0, 0, -1, -1)]])
    references = np.zeros((*records.shape, 3), np.int64)
    for kind, field, base in _REFERENCES:
        references[(records[:, layout.KIND] == kind) & (records[:, field] >= _FIRST[base]), field, base] = 1
    return records - references @ _FIRST, references, heap, classes[_BYTES:].copy()


_FIRST = np.array([_BYTE_NODES, 0, _BYTES])
_REFERENCES = (  # kind, the field that refers, and to what: 0 nodes, 1 the heap, 2 classes
    (layout.CAT, 1, 0),
    (layout.CAT, 2, 0),
    (layout.CHARSET, 1, 0),
    (layout.ALT, 1, 1),
    (layout.CLASS, 1, 2),
)

_BARE_GROUND = Ground()
