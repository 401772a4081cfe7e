"""Regular languages as small immutable nodes. Patterns, choices, schemas and grammars are built of them.

A `Node` is a language over small integers: code points while a pattern is being read, bytes after `substitute`. Nodes
are built by the functions below, by `tries.py`, `graph.py` and `terms.py`. They keep two promises, on which everything
above relies:

    every node's language is non-empty, except VOID itself     (so nothing reachable is ever a dead end: law 10)
    the body of a `Repeat` does not match the empty string      (so following empty moves always ends)

Laws:

    cat(VOID, x) == VOID    cat(EMPTY, x) == x    alt(VOID, x) == x    repeat(VOID, 0, n) == EMPTY
    L(cat(x, y)) == L(x) L(y)    L(alt(x, y)) == L(x) | L(y)    L(repeat(x, m, n)) == L(x)^m | ... | L(x)^n
    L(restrict(x, symbols)) == L(x) & symbols*
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from outlines_cont.errors import ConstraintError
from outlines_cont.processes import whole_at_fork

# --- sets of symbols as sorted ranges, and the operations on them
#
# A symbol is a small integer: a code point, or a byte.

Ranges = tuple[tuple[int, int], ...]  # inclusive, sorted, neither overlapping nor touching


def size(ranges: Ranges) -> int:
    """How many symbols there are."""
    return sum(high - low + 1 for low, high in ranges)


def union(*parts: Iterable[tuple[int, int]]) -> Ranges:
    """The ranges that cover all the parts, in normal form."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(r for part in parts for r in part):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def points(symbols: Iterable[int]) -> Ranges:
    """These symbols."""
    return union([(symbol, symbol) for symbol in symbols])


def overlap(a: Ranges, b: Ranges) -> Ranges:
    """The symbols that are in both."""
    common, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            common.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(common)


def complement(ranges: Ranges, top: int) -> Ranges:
    """The symbols from 0 to `top` that are not in `ranges`."""
    gaps, start = [], 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= top:
        gaps.append((start, top))
    return tuple(gaps)


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


_numbering = whole_at_fork(threading.Lock())


# --- nodes

MOST_TIMES = 2**62  # that one `Repeat` may count

Bounds = tuple[int, int | None]  # at least, at most (None: any number)


class Node:
    """A language. Immutable; compared by identity."""

    __slots__ = ("nullable",)
    nullable: bool  # whether the empty string belongs to it

    def __or__(self, other: Node) -> Node:
        return alt(self, other)

    def __add__(self, other: Node) -> Node:
        return cat(self, other)


_nullable = attrgetter("nullable")


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

    def __init__(self, first: Node, remaining: Node):
        self.nullable, self.first, self.rest = first.nullable and remaining.nullable, first, remaining


class Alt(Node):
    """The strings of any of `options`."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Node, ...]):
        self.nullable, self.options = any(map(_nullable, options)), options


class Repeat(Node):
    """From `low` to `high` (None: any number) times `body`, which is not nullable."""

    __slots__ = ("_less", "body", "high", "low")

    def __init__(self, body: Node, low: int, high: int | None):
        self.nullable, self.body, self.low, self.high = low == 0, body, low, high
        self._less: Node | None = None

    @property
    def less(self) -> Node:
        """The node that remains after one `body`: the same object each time, so that equal states are one state."""
        if self._less is None:
            if self.high is None:
                self._less = self if self.low == 0 else Repeat(self.body, self.low - 1, None)
            else:
                self._less = EMPTY if self.high == 1 else Repeat(self.body, max(self.low - 1, 0), self.high - 1)
        return self._less


SpellClass = Callable[[Ranges], Node]  # gives the node that takes the place of a `Class` of these ranges
SpellWord = Callable[[bytes], bytes | None]  # gives the word that takes the place of a word; None if there is none


class Lazy(Node):
    """A node that is made as it is walked: `unfold` says what its strings begin with, and what remains then.

    Attributes:
        weight: how much it adds to the depth of a stack, see `engine/memory.py`.
        bounded: whether it may be `unbounded`.
        loop: a `Repeat` with the same strings, if that is plain.
        forgets: what tells nodes of one kind apart: the texts that may not come again. None: it is of no such kind.
        run: (one character, n) if any n of such characters may come next; None if that is not so, or not known.
    """

    __slots__ = ("_edges",)
    _edges: Sequence[tuple[Node, Node]]
    weight = 0
    bounded = False
    run: tuple[Node, int] | None = None
    loop: Node | None = None
    forgets: tuple[str, ...] | None = None

    @property
    def edges(self) -> Sequence[tuple[Node, Node]]:
        """Its non-empty strings, as (a node to match, the node that remains after it), neither VOID. Made once.

        ConstraintError: it takes more of Python's stack than there is.
        """
        made = getattr(self, "_edges", None)
        if made is None:
            try:
                made = tuple(self.unfold())
                for label, remaining in made:
                    if label is VOID or remaining is VOID:
                        made = tuple(edge for edge in made if edge[0] is not VOID and edge[1] is not VOID)
                        break
                self._edges = made  # whole or not at all, if Ctrl-C comes
            except RecursionError:
                raise ConstraintError("the constraint is nested too deeply") from None
        return made

    @abstractmethod
    def unfold(self) -> Iterable[tuple[Node, Node]]:
        """Make the `edges`; those with VOID are left out."""

    def furthest(self) -> int | None:
        """See `measures.furthest`."""
        return None

    def unbounded(self, most: int) -> Node | None:
        """A simpler node whose strings have the same beginnings of at most `most` symbols; None if there is none."""
        return None

    def without_minimum(self) -> Node | None:
        """A simpler node of more strings, with the same beginnings but those that are whole; None if there is none."""
        return None

    def again(self) -> Lazy | None:
        """A node that repeats a symbol and of which this node may remain after one symbol; None if none is known."""
        return None

    @abstractmethod
    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        """See `terms.substitute`."""

    @abstractmethod
    def symbols(self) -> set[int]:
        """Every symbol that may occur."""

    @abstractmethod
    def lengths(self) -> Bounds:
        """The length of the shortest string; a bound on the longest, or None."""


VOID: Node = _Constant(False)  # no string at all
EMPTY: Node = _Constant(True)  # the empty string


# ---------------------------------------------------------------------------------------------------------- building


@lru_cache(maxsize=65536)
def chars(ranges: Ranges) -> Node:
    """One symbol of `ranges`; VOID if there is none."""
    return Class(ranges) if ranges else VOID


@lru_cache(maxsize=4096)
def symbol(value: int) -> Class:
    """One symbol."""
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
    options = dict.fromkeys(nodes)
    options.pop(VOID, None)
    if len(options) < 2:
        return next(iter(options), VOID)
    return Alt(tuple(options))


def opt(node: Node) -> Node:
    """The node, or nothing."""
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
        node, low = nonempty(node), 0
        if node is VOID:
            return EMPTY
    if isinstance(node, Repeat) and _closes(node, low, high):
        most = None if high is None or node.high is None else high * node.high
        return Repeat(node.body, low * node.low, most)
    return node if low == high == 1 else Repeat(node, low, high)


def _closes(node: Repeat, low: int, high: int | None) -> bool:
    """Whether `low` to `high` rounds of a repeat leave out no number in between: (x{2,3}){2,5} is x{4,15}.

    n rounds are from n * node.low to n * node.high times its body. (A counter of counters costs their product.) What is
    more than the engine can count stays two counters.
    """
    if max(low * node.low, (high or 0) * (node.high or 0)) > MOST_TIMES:
        return False
    if low == high:
        return True
    if node.high is None:
        return low > 0 or node.low <= 1
    return low * node.high + 1 >= (low + 1) * node.low


def star(node: Node) -> Node:
    """Any number of times `node`."""
    return repeat(node, 0, None)


def nonempty(node: Node) -> Node:
    """The language without the empty string."""
    if not node.nullable:
        return node
    if isinstance(node, Alt):
        return alt(*map(nonempty, node.options))
    if isinstance(node, Cat):
        result, after = VOID, EMPTY
        for item in reversed(list(spine(node))):
            result = alt(cat(nonempty(item), after), result)
            after = cat(item, after)
        return result
    if isinstance(node, Repeat):
        return repeat(node.body, 1, node.high)
    if isinstance(node, Lazy):
        return alt(*(cat(label, tail) for label, tail in node.edges))
    return VOID


def spine(node: Node) -> Iterator[Node]:
    """The nodes that a chain of `Cat`s is made of."""
    while isinstance(node, Cat):
        yield node.first
        node = node.rest
    yield node


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
