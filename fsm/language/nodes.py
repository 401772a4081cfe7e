"""Regular languages as small immutable nodes: what patterns, choices and schemas are built of.

A `Node` is a language over small integers: code points while a pattern is being read, bytes once it is `substitute`d.
Nodes are built by the functions below and by nothing else, which keep two promises that everything above rests on:

    every node's language is non-empty, except VOID itself     (so nothing reachable is ever a dead end: law 10)
    the body of a `Repeat` does not match the empty string      (so following empty moves always ends)

Laws:

    cat(VOID, x) == VOID    cat(EMPTY, x) == x    alt(VOID, x) == x    repeat(VOID, 0, n) == EMPTY
    L(cat(x, y)) == L(x) L(y)    L(alt(x, y)) == L(x) | L(y)    L(repeat(x, m, n)) == L(x)^m | ... | L(x)^n
    L(restrict(x, symbols)) == L(x) & symbols*
"""

from __future__ import annotations

import gc
import heapq
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

Ranges = tuple[tuple[int, int], ...]  # inclusive, sorted, neither overlapping nor touching
Span = tuple[int, int | None]  # at least, at most (None: any number)


@contextmanager
def uncollected() -> Iterator[None]:
    """For what makes very many objects and drops none: the collector would look through all of them, time and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Node:
    """A language. Immutable; compared by identity."""

    __slots__ = ("nullable",)
    nullable: bool  # whether the empty string belongs to it

    def __or__(self, other: Node) -> Node:
        return alt(self, other)

    def __add__(self, other: Node) -> Node:
        return cat(self, other)


class _Constant(Node):
    __slots__ = ()

    def __init__(self, nullable: bool):
        self.nullable = nullable


class Class(Node):
    """One symbol of `ranges`."""

    __slots__ = ("ranges",)

    def __init__(self, ranges: Ranges):
        self.nullable, self.ranges = False, ranges


class Cat(Node):
    """`first` followed by `rest`; chains lean to the right."""

    __slots__ = ("first", "rest")

    def __init__(self, first: Node, rest: Node):
        self.nullable, self.first, self.rest = first.nullable and rest.nullable, first, rest


class Alt(Node):
    __slots__ = ("options",)

    def __init__(self, options: tuple[Node, ...]):
        self.nullable, self.options = any(x.nullable for x in options), options


class Repeat(Node):
    """From `low` to `high` (None: any number) times `body`, which is not nullable."""

    __slots__ = ("_less", "body", "high", "low")

    def __init__(self, body: Node, low: int, high: int | None):
        self.nullable, self.body, self.low, self.high = low == 0, body, low, high
        self._less: Node | None = None

    @property
    def less(self) -> Node:
        """What remains after one `body`: the same object each time, so that equal states are one state."""
        if self._less is None:
            if self.high is None:
                self._less = self if self.low == 0 else Repeat(self.body, self.low - 1, None)
            else:
                self._less = EMPTY if self.high == 1 else Repeat(self.body, max(self.low - 1, 0), self.high - 1)
        return self._less


Leaf = Callable[[Ranges], Node]  # what takes the place of a class
Keep = Callable[[bytes], bool]  # which words remain


class Unfolding(Node):
    """A node that is made as it is walked: it says itself what its strings begin with.

    Attributes:
        weight: what it adds to the depth of a stack, see `recall.py`.
        bounded: whether it may be `unbounded`.
        run: (one character, n) if any n of such characters may come next; or None, also if nobody found out.
    """

    __slots__ = ("_edges",)
    _edges: Sequence[tuple[Node, Node]]
    weight = 0
    bounded = False
    run: tuple[Node, int] | None = None

    @property
    def edges(self) -> Sequence[tuple[Node, Node]]:
        """(what to match, what remains after it): its non-empty strings. Made once."""
        made = getattr(self, "_edges", None)
        if made is None:
            made = self._edges = tuple(self.unfold())  # whole or not at all, if Ctrl-C comes
        return made

    @abstractmethod
    def unfold(self) -> Iterable[tuple[Node, Node]]:
        """See `edges`."""

    def furthest(self) -> int | None:
        """See `furthest`."""
        return None

    def unbounded(self, most: int) -> Node | None:
        """What matches the same beginnings of at most so many symbols, if that is simpler."""
        return None

    def again(self) -> Unfolding | None:
        """What repeats a symbol, and of which this may be what remains after one; None if nobody found out."""
        return None

    @abstractmethod
    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        """See `substitute`."""

    @abstractmethod
    def symbols(self) -> set[int]:
        """Every symbol that may occur."""

    @abstractmethod
    def lengths(self) -> Span:
        """The length of the shortest string; a bound on the longest, or None."""


class Branches(Unfolding):
    """Several words, each with what follows it; that is only made when a walk gets there.

    Attributes:
        words: sorted; none begins with another.
    """

    __slots__ = ("words",)
    words: Sequence[bytes]

    @abstractmethod
    def after(self, i: int) -> Unfolding:
        """What follows word i: not nullable."""

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(literal(word), self.after(i)) for i, word in enumerate(self.words)]


class Charset(Unfolding):
    """One character of `ranges` (code points, some beyond ASCII), by its `spelling` in bytes."""

    __slots__ = ("ranges", "spelling")

    def __init__(self, ranges: Ranges, spelling: Node):
        self.nullable, self.ranges, self.spelling = False, ranges, spelling

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(self.spelling, EMPTY)]

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        return substitute(self.spelling, leaf, keep)

    def symbols(self) -> set[int]:
        return alphabet(self.spelling)

    def lengths(self) -> Span:
        return _lengths(self.spelling)


class Words(Unfolding):
    """The tails, from `depth` on, of sorted distinct byte strings that agree before it: a trie."""

    __slots__ = ("depth", "words")

    def __init__(self, words: Sequence[bytes], depth: int):
        self.nullable, self.words, self.depth = len(words[0]) == depth, words, depth

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        words, depth, edges = self.words, self.depth, []
        start = int(self.nullable)
        while start < len(words):
            byte, stop = words[start][depth], start + 1
            while stop < len(words) and words[stop][depth] == byte:
                stop += 1
            ends = stop == start + 1 and len(words[start]) == depth + 1
            edges.append((symbol(byte), EMPTY if ends else Words(words[start:stop], depth + 1)))
            start = stop
        return edges

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        kept = [word[self.depth :] for word in self.words if keep(word)]
        return self if len(kept) == len(self.words) else words(kept)

    def symbols(self) -> set[int]:
        return set().union(*(word[self.depth :] for word in self.words))

    def lengths(self) -> Span:
        sizes = [len(word) - self.depth for word in self.words]
        return min(sizes), max(sizes)


class Graph:
    """An explicit automaton: `edges[i]` lists (what to match, next state), `ends[i]` whether it may stop in i.

    Every state reaches an end.
    """

    __slots__ = ("_furthest", "_longest", "_shortest", "edges", "ends", "nodes")

    def __init__(self, edges: list[list[tuple[Node, int]]], ends: list[bool]):
        self.edges, self.ends = edges, ends
        self.nodes = [At(self, i) for i in range(len(edges))]
        self._longest: dict[int, int | None] | None = None
        self._shortest: dict[int, int] | None = None
        self._furthest: int | None = None

    @property
    def furthest(self) -> int | None:
        """The greatest of its states' `furthest`."""
        if self._furthest is None:
            far = [(furthest(label), j) for out in self.edges for label, j in out]
            steps = [None if most is None else most + self.nodes[j].lengths()[0] for most, j in far]
            self._furthest = -1 if None in steps else max((x for x in steps if x is not None), default=0)
        return None if self._furthest < 0 else self._furthest

    def shortest(self, index: int) -> int:
        """The length of the shortest string from a state."""
        if self._shortest is None:
            self._shortest = self._distances()
        return self._shortest[index]

    @uncollected()
    def _distances(self) -> dict[int, int]:
        """How far each state is from an end: Dijkstra, from the ends backwards."""
        back: list[list[tuple[int, int]]] = [[] for _ in self.edges]
        for i, out in enumerate(self.edges):
            for label, j in out:
                back[j].append((shortest(label), i))
        found: dict[int, int] = {}
        queue = [(0, i) for i, end in enumerate(self.ends) if end]
        while queue:
            length, j = heapq.heappop(queue)
            if j not in found:
                found[j] = length
                for more, i in back[j]:
                    heapq.heappush(queue, (length + more, i))
        return found

    def longest(self, index: int) -> int | None:
        """The length of the longest string from a state; None if there is none."""
        if self._longest is None:
            self._longest = self._lengths()
        return self._longest.get(index)

    def _lengths(self) -> dict[int, int | None]:
        """Those of the states that lead into no cycle: from the ends backwards."""
        back: list[list[int]] = [[] for _ in self.edges]
        left = [len(out) for out in self.edges]
        for i, out in enumerate(self.edges):
            for _, j in out:
                back[j].append(i)
        found: dict[int, int | None] = {}
        todo = [i for i, count in enumerate(left) if not count]
        while todo:
            j = todo.pop()
            steps = [(longest(label), found[k]) for label, k in self.edges[j]]
            sums = [None if a is None or b is None else a + b for a, b in steps]
            found[j] = None if None in sums else max((x for x in sums if x is not None), default=0)
            for i in back[j]:
                left[i] -= 1
                if not left[i]:
                    todo.append(i)
        return found


class At(Unfolding):
    """What a `Graph` still matches from one of its states; if `leaving`, it does not come back to it at once.

    What leads back at once is a `Repeat`, so that masks know it.
    """

    __slots__ = ("graph", "index", "leaving")

    def __init__(self, graph: Graph, index: int, leaving: bool = False):
        self.nullable, self.graph, self.index, self.leaving = graph.ends[index], graph, index, leaving

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        out, nodes = self.graph.edges[self.index], self.graph.nodes
        edges: list[tuple[Node, Node]] = [(label, nodes[j]) for label, j in out if j != self.index]
        back = [label for label, j in out if j == self.index]
        if back and not self.leaving:
            rest = At(self.graph, self.index, leaving=True) if edges else EMPTY
            edges.append((repeat(alt(*back), 1, None), rest))
        return edges

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        edges = [[(substitute(label, leaf, keep), j) for label, j in out] for out in self.graph.edges]
        node = graph(edges, self.graph.ends, start=self.index)
        return At(node.graph, self.index, leaving=True) if self.leaving and isinstance(node, At) else node

    def furthest(self) -> int | None:
        return self.graph.furthest

    def symbols(self) -> set[int]:
        labels = {label for out in self.graph.edges for label, _ in out}
        return set().union(*map(alphabet, labels))

    def lengths(self) -> Span:
        return self.graph.shortest(self.index), self.graph.longest(self.index)


class Deferred(Unfolding):
    """A node that is not nullable, made when a walk first reaches it."""

    __slots__ = ("_make", "_node")

    def __init__(self, make: Callable[[], Node]):
        self.nullable, self._make = False, make
        self._node: Node | None = None

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = self._make()
        return self._node

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(self.node, EMPTY)]

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        return substitute(self.node, leaf, keep)  # now: there may be nothing left of it

    def symbols(self) -> set[int]:
        return alphabet(self.node)

    def lengths(self) -> Span:
        return shortest(self.node), longest(self.node)


VOID: Node = _Constant(False)  # no string at all
EMPTY: Node = _Constant(True)  # the empty string


# ---------------------------------------------------------------------------------------------------------- building


@lru_cache(maxsize=65536)
def chars(ranges: Ranges) -> Node:
    """One symbol of `ranges`; VOID if there is none."""
    return Class(ranges) if ranges else VOID


@lru_cache(maxsize=4096)
def symbol(value: int) -> Class:
    return Class(((value, value),))


def cat(*nodes: Node) -> Node:
    """The nodes one after the other."""
    result = EMPTY
    for node in reversed(nodes):
        if node is VOID or result is VOID:
            return VOID
        if node is EMPTY:
            continue
        if result is EMPTY:
            result = node
        elif isinstance(node, Cat):  # lean to the right, so that a walk down a chain is a loop
            items = list(spine(node))
            for item in reversed(items):
                result = Cat(item, result)
        else:
            result = Cat(node, result)
    return result


def alt(*nodes: Node) -> Node:
    """Any one of the nodes."""
    options = dict.fromkeys(node for node in nodes if node is not VOID)
    if len(options) < 2:
        return next(iter(options), VOID)
    return Alt(tuple(options))


def opt(node: Node) -> Node:
    return node if node.nullable else alt(EMPTY, node)


def repeat(node: Node, low: int, high: int | None) -> Node:
    """From `low` to `high` times `node`; `high=None` is without bound."""
    if high is not None and high < low:
        return VOID
    if node is VOID:
        return EMPTY if low == 0 else VOID
    if node is EMPTY or high == 0:
        return EMPTY
    if node.nullable:  # fewer non-empty rounds do the same as rounds that match nothing
        node, low = _nonempty(node), 0
        if node is VOID:
            return EMPTY
    if isinstance(node, Repeat) and _closes(node, low, high):
        most = None if high is None or node.high is None else high * node.high
        return Repeat(node.body, low * node.low, most)
    return node if low == high == 1 else Repeat(node, low, high)


def _closes(node: Repeat, low: int, high: int | None) -> bool:
    """Whether `low` to `high` rounds of a repeat leave out no number in between: (x{2,3}){2,5} is x{4,15}.

    n rounds are from n * node.low to n * node.high times its body. (A counter of counters costs their product.)
    """
    if low == high:
        return True
    if node.high is None:
        return low > 0 or node.low <= 1
    return low * node.high + 1 >= (low + 1) * node.low


def star(node: Node) -> Node:
    return repeat(node, 0, None)


@lru_cache(maxsize=4096)
def literal(data: bytes) -> Node:
    """These bytes."""
    return Words((data,), 0) if data else EMPTY


def words(options: Iterable[bytes]) -> Node:
    """Any one of these byte strings, as a trie: sorting is all the work done now."""
    ordered = sorted(set(options))
    if not ordered:
        return VOID
    if ordered[0]:
        return Words(ordered, 0)
    return alt(EMPTY, Words(ordered[1:], 0)) if len(ordered) > 1 else EMPTY


def graph(edges: list[list[tuple[Node, int]]], ends: list[bool], start: int = 0) -> Node:
    """The language of an explicit automaton, trimmed of what cannot reach an end."""
    back: list[list[int]] = [[] for _ in edges]
    for i, out in enumerate(edges):
        for label, j in out:
            if label is not VOID:
                back[j].append(i)
    live = {i for i, end in enumerate(ends) if end}
    todo = list(live)
    while todo:
        for i in back[todo.pop()]:
            if i not in live:
                live.add(i)
                todo.append(i)
    if start not in live:
        return VOID
    kept = [[(x, j) for x, j in out if x is not VOID and j in live] if i in live else [] for i, out in enumerate(edges)]
    return Graph(kept, ends).nodes[start]


def spine(node: Node) -> Iterator[Node]:
    """The nodes that a chain of `Cat`s is made of."""
    while isinstance(node, Cat):
        yield node.first
        node = node.rest
    yield node


def _nonempty(node: Node) -> Node:
    """The language without the empty string."""
    if not node.nullable:
        return node
    if isinstance(node, Alt):
        return alt(*map(_nonempty, node.options))
    if isinstance(node, Cat):
        result, after = VOID, EMPTY
        for item in reversed(list(spine(node))):
            result = alt(cat(_nonempty(item), after), result)
            after = cat(item, after)
        return result
    if isinstance(node, Repeat):
        return repeat(node.body, 1, node.high)
    if isinstance(node, Unfolding):
        return alt(*(cat(label, tail) for label, tail in node.edges))
    return VOID


def shortest(node: Node) -> int:
    """The length of the shortest string."""
    return _lengths(node)[0]


def longest(node: Node) -> int | None:
    """A bound on the length of the longest string; None if there is none, or none is known."""
    return _lengths(node)[1]


def furthest(node: Node) -> int | None:
    """How far from an end one can get: the greatest `shortest` of what remains after any beginning of a string.

    A bound; None if none is known.
    """
    done: dict[Node, tuple[int, int]] = {}  # (shortest, furthest)
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = (1, 1)
        elif isinstance(x, Cat):
            (low, far), (more, further) = done[x.first], done[x.rest]
            done[x] = (low + more, max(far + more, further))
        elif isinstance(x, Alt):
            done[x] = (min(done[y][0] for y in x.options), max(done[y][1] for y in x.options))
        elif isinstance(x, Repeat):
            low, far = done[x.body]
            done[x] = (low * x.low, far + low * max(x.low - 1, 0))
        elif isinstance(x, Unfolding):
            known = x.furthest()
            if known is None:
                return None
            done[x] = (x.lengths()[0], known)
        else:
            done[x] = (0, 0)
    return done[node][1]


def _lengths(node: Node) -> Span:
    if isinstance(node, Class):  # as nearly all labels of a `Graph`
        return 1, 1
    done: dict[Node, Span] = {}
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = (1, 1)
        elif isinstance(x, Cat):
            (low, high), (more, most) = done[x.first], done[x.rest]
            done[x] = (low + more, None if high is None or most is None else high + most)
        elif isinstance(x, Alt):
            highs = [done[y][1] for y in x.options]
            done[x] = (min(done[y][0] for y in x.options), None if None in highs else max(h or 0 for h in highs))
        elif isinstance(x, Repeat):
            low, high = done[x.body]
            done[x] = (low * x.low, None if high is None or x.high is None else high * x.high)
        else:
            done[x] = x.lengths() if isinstance(x, Unfolding) else (0, 0)
    return done[node]


def substitute(node: Node, leaf: Leaf, keep: Keep = lambda word: True) -> Node:
    """Replace every class by `leaf(ranges)`, and drop the words that `keep` refuses.

    With `leaf` the UTF-8 (or JSON) spelling of one character, it turns a language of code points into one of bytes.
    Where `leaf` gives VOID within a `product.AtMost`, dead ends may appear there.
    """
    if isinstance(node, Class):
        return leaf(node.ranges)
    done: dict[Node, Node] = {}
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = leaf(x.ranges)
        elif isinstance(x, Cat):
            done[x] = cat(done[x.first], done[x.rest])
        elif isinstance(x, Alt):
            done[x] = alt(*(done[y] for y in x.options))
        elif isinstance(x, Repeat):
            done[x] = repeat(done[x.body], x.low, x.high)
        else:
            done[x] = x.substituted(leaf, keep) if isinstance(x, Unfolding) else x
    return done[node]


def alphabet(node: Node) -> set[int]:
    """Every symbol that occurs in some string of a language of bytes (or, after `substitute`, might)."""
    found: set[int] = set()
    for x in inside_out(node):
        if isinstance(x, Class):
            for low, high in x.ranges:
                found.update(range(low, high + 1))
        elif isinstance(x, Unfolding):
            found |= x.symbols()
    return found


def inside_out(node: Node) -> list[Node]:
    """A node and all it is made of, parts first, each once (a loop: chains are longer than Python's stack)."""
    order: dict[Node, None] = {}
    seen: set[Node] = set()
    todo = [node]
    while todo:
        node = todo[-1]
        if node in seen:
            order.setdefault(todo.pop())
            continue
        seen.add(node)
        if isinstance(node, Cat):
            todo += (node.first, node.rest)
        elif isinstance(node, Alt):
            todo += node.options
        elif isinstance(node, Repeat):
            todo.append(node.body)
    return list(order)


def restrict(node: Node, symbols: set[int]) -> Node:
    """The strings of a language of bytes that use no byte outside `symbols`."""
    if alphabet(node) <= symbols:
        return node
    allowed = union(*(((s, s),) for s in symbols))
    return substitute(node, lambda r: chars(overlap(r, allowed)), lambda word: symbols.issuperset(word))


# ------------------------------------------------------------------------------------------------------------ ranges

charsets: list[Ranges] = []  # the character classes of this process, by number
_charset_numbers: dict[Ranges, int] = {}


def charset_number(ranges: Ranges) -> int:
    """A number for a class of characters, one for equal ones. (Hundreds of ranges are slow to hash again and again.)"""
    number = _charset_numbers.get(ranges)
    if number is None:
        with _numbering:
            number = _charset_numbers.get(ranges)
            if number is None:
                charsets.append(ranges)
                number = _charset_numbers[ranges] = len(charsets) - 1
    return number


_numbering = threading.Lock()


def size(ranges: Ranges) -> int:
    """How many symbols there are."""
    return sum(high - low + 1 for low, high in ranges)


def union(*parts: Ranges) -> Ranges:
    """The ranges that cover all the parts, in normal form."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(r for part in parts for r in part):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def overlap(a: Ranges, b: Ranges) -> Ranges:
    """What both have."""
    found, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            found.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def complement(ranges: Ranges, top: int) -> Ranges:
    """Everything from 0 to `top` that is not in `ranges`."""
    gaps, start = [], 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= top:
        gaps.append((start, top))
    return tuple(gaps)
