"""Walks through languages, one symbol at a time; languages with other symbols.

A *term* is a persistent stack of nodes that are still to be matched; taking one symbol off it gives other terms. (The
same terms, for bytes and compiled, are in `engine/program/terms.py`.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .nodes import (
    EMPTY,
    Alt,
    Bounds,
    Cat,
    Class,
    Lazy,
    Node,
    Ranges,
    Repeat,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    inside_out,
    overlap,
    points,
    repeat,
)


class Term:
    """A persistent stack of nodes that are still to be matched, one after the other. Interned: equal is identical."""

    __slots__ = ("above", "leaves", "node", "nullable", "rest")

    def __init__(self, node: Node, remaining: Term | None):
        self.node, self.rest = node, remaining
        self.above: dict[Node, Term] | None = None  # the terms that have one node more
        self.leaves: list[tuple[Class, Term]] | None = None  # filled by `Terms.open`
        self.nullable = False  # set by `Terms.open` and `Terms.opened`


class Terms:
    """The terms of one automaton, and what each does next."""

    def __init__(self) -> None:
        self.end = Term(EMPTY, None)
        self.end.leaves, self.end.nullable = [], True
        self._repeats: dict[tuple[Node, int, int | None], Repeat] = {}
        self._shortest: dict[Term, int] = {self.end: 0}

    def push(self, node: Node, remaining: Term) -> Term:
        """The term that matches `node` and then `rest`."""
        if node is EMPTY:
            return remaining
        if isinstance(node, Repeat):  # of equal ones, the first: what counts down from 9 comes to what counts from 8
            node = self._repeats.setdefault((node.body, node.low, node.high), node)
        above = remaining.above
        if above is None:
            above = remaining.above = {}
        term = above.get(node)
        return above.setdefault(node, Term(node, remaining)) if term is None else term

    def open(self, term: Term) -> list[tuple[Class, Term]]:
        """See `opened`. Each term is opened once."""
        if term.leaves is None:
            term.leaves = self.opened(term)
        return term.leaves

    def opened(self, term: Term) -> list[tuple[Class, Term]]:
        """(class, term after it) for every first symbol. `term.nullable` then says whether it matches nothing, too."""
        if term is self.end:
            return []
        leaves: dict[tuple[Class, Term], None] = {}
        nullable = False
        todo = [(term.node, term.rest or self.end)]
        seen = set(todo)
        while todo:
            node, remaining = todo.pop()
            if isinstance(node, Class):
                leaves[node, remaining] = None
                continue
            more = self._parts(node, remaining)
            if node.nullable and not isinstance(node, (Alt, Cat)):  # these two find it out in their parts
                if remaining is self.end:
                    nullable = True
                else:
                    more.append((remaining.node, remaining.rest or self.end))
            for pair in more:
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
        term.nullable = nullable
        return list(leaves)

    def _parts(self, node: Node, remaining: Term) -> list[tuple[Node, Term]]:
        """(a node that the strings of a node begin with, the term behind that); `rest` is behind the node."""
        if isinstance(node, Lazy):
            return [(label, self.push(tail, remaining)) for label, tail in node.edges]
        if isinstance(node, Cat):
            return [(node.first, self.push(node.rest, remaining))]
        if isinstance(node, Alt):
            return [(option, remaining) for option in node.options]
        if isinstance(node, Repeat):
            return [(node.body, self.push(node.less, remaining))]
        return []

    def has_all(self, term: Term, symbols: Ranges | None) -> bool:
        """Whether a term plainly matches all strings of some symbols (None: nobody knows which)."""
        node = term.node
        if isinstance(node, Lazy):
            node = node.loop or node
        if symbols is None or term.rest is not self.end or not isinstance(node, Repeat):
            return False
        body = node.body if node.low == 0 and node.high is None else None
        return isinstance(body, Class) and overlap(body.ranges, symbols) == symbols

    def node(self, term: Term) -> Node:
        """What a term matches, as one node."""
        parts = []
        while term is not self.end:
            parts.append(term.node)
            term = term.rest or self.end
        return cat(*parts)

    def shortest(self, term: Term) -> int:
        """The length of the shortest string that a term matches."""
        chain = []
        while term not in self._shortest:
            chain.append(term)
            term = term.rest or self.end
        total = self._shortest[term]
        for link in reversed(chain):
            total = self._shortest[link] = total + shortest(link.node)
        return total


def strings(node: Node, most: int) -> list[str] | None:
    """All strings of a language of code points, the shortest first; None if there are more than `most`."""
    terms, texts = Terms(), dict[str, None]()
    layer: dict[tuple[str, Term], None] = {("", terms.push(node, terms.end)): None}
    while layer:
        if len(texts) + len({text for text, _ in layer}) > most:  # each of these leads to a string of its own
            return None
        after: dict[tuple[str, Term], None] = {}
        for text, term in layer:
            leaves = terms.open(term)
            if term.nullable:
                texts[text] = None
            for leaf, remaining in leaves:
                for low, high in leaf.ranges:
                    if high - low >= most:
                        return None
                    for code in range(low, high + 1):
                        after[text + chr(code), remaining] = None
        layer = after
    return list(texts)


# --- how long the strings of a language are, and which symbols occur in them


def shortest(node: Node) -> int:
    """The length of the shortest string."""
    return bounds(node)[0]


def longest(node: Node) -> int | None:
    """A bound on the length of the longest string; None if there is none, or none is known."""
    return bounds(node)[1]


def furthest(node: Node) -> int | None:
    """How far from an end one can get: the greatest `shortest` of what remains after any beginning of a string.

    An upper bound; None if none is known.
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
        elif isinstance(x, Lazy):
            of_lazy = x.furthest()
            if of_lazy is None:
                return None
            done[x] = (x.lengths()[0], of_lazy)
        else:
            done[x] = (0, 0)
    return done[node][1]


def bounds(node: Node) -> Bounds:
    """(`shortest`, `longest`) of a node."""
    if isinstance(node, Class):  # as nearly all labels of a `Graph`
        return 1, 1
    done: dict[Node, Bounds] = {}
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = (1, 1)
        elif isinstance(x, Cat):
            (low, high), (more, most) = done[x.first], done[x.rest]
            done[x] = (low + more, None if high is None or most is None else high + most)
        elif isinstance(x, Alt):
            done[x] = _of_any([done[option] for option in x.options])
        elif isinstance(x, Repeat):
            low, high = done[x.body]
            done[x] = (low * x.low, None if high is None or x.high is None else high * x.high)
        else:
            done[x] = x.lengths() if isinstance(x, Lazy) else (0, 0)
    return done[node]


def _of_any(options: list[Bounds]) -> Bounds:
    highs = [high for _, high in options if high is not None]
    return min(low for low, _ in options), max(highs) if len(highs) == len(options) else None


def alphabet(node: Node) -> set[int]:
    """Every symbol that occurs in some string of a language of bytes (or, after `substitute`, might)."""
    symbols: set[int] = set()
    for x in inside_out(node):
        if isinstance(x, Class):
            for low, high in x.ranges:
                symbols.update(range(low, high + 1))
        elif isinstance(x, Lazy):
            symbols |= x.symbols()
    return symbols


# --- languages with other symbols: every class of symbols replaced by a language


def substitute(node: Node, leaf: SpellClass, spell_word: SpellWord = lambda word: word) -> Node:
    """Replace every class by `leaf(ranges)`, and every word by `spell_word(word)`.

    With `leaf` the UTF-8 (or JSON) spelling of one character, it turns a language of code points into one of bytes.
    Where `leaf` gives VOID within `lengths.AtMost` or `AtLeast`, dead ends may appear there.
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
            done[x] = x.substituted(leaf, spell_word) if isinstance(x, Lazy) else x
    return done[node]


def restrict(node: Node, symbols: set[int]) -> Node:
    """The strings of a language of bytes that use no byte outside `symbols`."""
    if alphabet(node) <= symbols:
        return node
    allowed = points(symbols)
    return substitute(
        node, lambda r: chars(overlap(r, allowed)), lambda word: word if symbols.issuperset(word) else None
    )


# --- lazy nodes that hold one other node: a character by its spelling in bytes, a node that is made when needed


class Charset(Lazy):
    """One character of `ranges` (code points, some beyond ASCII), by its `spelling` in bytes."""

    __slots__ = ("ranges", "spelling")

    def __init__(self, ranges: Ranges, spelling: Node):
        self.nullable, self.ranges, self.spelling = False, ranges, spelling

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(self.spelling, EMPTY)]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return substitute(self.spelling, leaf, spell_word)

    def symbols(self) -> set[int]:
        return alphabet(self.spelling)

    def lengths(self) -> Bounds:
        return bounds(self.spelling)


class Deferred(Lazy):
    """A node that is not nullable, made when a walk first reaches it, or when symbols are substituted in it."""

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

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return substitute(self.node, leaf, spell_word)  # now: there may be nothing left of it

    def symbols(self) -> set[int]:
        return alphabet(self.node)

    def lengths(self) -> Bounds:
        return bounds(self.node)
