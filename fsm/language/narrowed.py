"""The strings of a language that an automaton accepts, too, made as they are walked.

The language may be infinite in its states (a grammar with recursion), and so may the automaton. Of each state it is
searched whether some string goes on from there: the way that is found, the states on it included, is remembered, so
nothing leads to a dead end. The search goes where the language's own rest is shortest. One that takes more than
`SEARCHED` states finds nothing, as if there were no way.

Laws:   L(narrowed(x, a)) == L(x) & L(a)
        L(ReadTexts(x)) == L(x)    L(ReadTexts(x, but=True)) == all strings of bytes but those of L(x)
        L(Without(words)) == the strings of bytes in which none of `words` stands
        L(difference(x, texts)) == L(x) - texts
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from math import inf
from typing import Any, NamedTuple, Protocol

from .graph import graph
from .nodes import (
    EMPTY,
    VOID,
    Bounds,
    Lazy,
    Node,
    Ranges,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    complement,
    overlap,
    points,
    symbol,
)
from .terms import Term, Terms, alphabet, longest, substitute
from .tries import literal

SEARCHED = 20_000  # states at most, for one question
BYTES: Ranges = ((0, 255),)
DONE = "done"  # a state from which on everything is accepted
_IN_MARK = b"\xff", b"\xff"  # a state of `Without`

Ways = Sequence[tuple[Ranges, Any]]  # sets of symbols that are apart, each with the state after one of them


class StringReader(Protocol):
    """A deterministic automaton over bytes, or over code points. Its states can be hashed."""

    start: Any

    def split(self, state: Any, symbols: Ranges) -> Ways:
        """Where some symbols lead. Those that lead nowhere are left out."""
        ...

    def ends(self, state: Any) -> bool:
        """Whether a string may end in a state."""
        ...


class Narrowed(Lazy):
    """The strings of a term that an automaton accepts from a state on."""

    __slots__ = ("family", "state", "term")

    def __init__(self, family: _Narrowings, term: Term, state: Any):
        family.terms.open(term)
        self.nullable = term.nullable and family.automaton.ends(state)
        self.family, self.term, self.state = family, term, state

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        family = self.family
        return [(family.leaf(symbols), family.get(*after)) for symbols, after in family.steps(self.term, self.state)]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self.family.substituted(leaf, spell_word).get(self.term, self.state)

    def symbols(self) -> set[int]:
        return alphabet(self.family.whole(self.term))

    def lengths(self) -> Bounds:
        return self.family.terms.shortest(self.term), longest(self.family.whole(self.term))


Place = tuple[Term, Any]  # a term, and a state of the automaton


class _Narrowings:
    """All the `Narrowed` nodes that come from one; equal ones are the same object.

    leaf, spell_word: spell symbols and words; see `terms.substitute`. most: states at most, for one question.
    """

    def __init__(
        self,
        terms: Terms,
        automaton: StringReader,
        most: float = SEARCHED,
        leaf: SpellClass = chars,
        spell_word: SpellWord = lambda word: word,
    ):
        self.terms, self.automaton, self.most, self.leaf, self.spell_word = terms, automaton, most, leaf, spell_word
        self._whole: dict[Term, Node] = {}
        self.made: dict[Place, Node] = {}
        self.leads_on: dict[Place, bool] = {}

    def get(self, term: Term, state: Any) -> Node:
        place = term, state
        node = self.made.get(place)
        if node is None:
            new: Node = VOID
            if self.live(place):
                free = term is self.terms.end or state == DONE
                new = self.whole(term) if free else Narrowed(self, term, state)
            node = self.made.setdefault(place, new)
        return node

    def whole(self, term: Term) -> Node:
        """All that a term matches, spelled."""
        if term not in self._whole:
            node = self.terms.node(term)
            self._whole[term] = node if self.leaf is chars else substitute(node, self.leaf, self.spell_word)
        return self._whole[term]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> _Narrowings:
        """These nodes, with what they are spelled by substituted."""
        old, old_word = self.leaf, self.spell_word

        def spelled(word: bytes) -> bytes | None:
            before = old_word(word)
            return None if before is None else spell_word(before)

        new = cache(lambda symbols: substitute(old(symbols), leaf, spell_word))
        return _Narrowings(self.terms, self.automaton, self.most, new, spelled)

    def steps(self, term: Term, state: Any) -> list[tuple[Ranges, Place]]:
        """(symbols that are spelled, the place after one of them)."""
        return [
            (symbols, (after, following))
            for first, after in self.terms.open(term)
            for symbols, following in self.automaton.split(state, first.ranges)
            if self.leaf(symbols) is not VOID
        ]

    def live(self, start: Place) -> bool:
        """Whether some string goes on from a place to an end."""
        if start in self.leads_on:
            return self.leads_on[start]
        order = count()
        before: dict[Place, Place | None] = {start: None}
        queue = [(self.terms.shortest(start[0]), next(order), 0, start)]
        while queue:
            _, _, length, place = heapq.heappop(queue)
            self.terms.open(place[0])  # which finds out whether it may end
            ends = place[0].nullable and self.automaton.ends(place[1])
            if ends or self.leads_on.get(place) or (place[1] == DONE and self.whole(place[0]) is not VOID):
                at: Place | None = place
                while at is not None:
                    self.leads_on[at] = True
                    at = before[at]
                return True
            if len(before) > self.most:
                self.leads_on[start] = False
                return False
            for _, after in self.steps(*place):
                if after not in before and self.leads_on.get(after, True):
                    before[after] = place
                    further = length + 1 + self.terms.shortest(after[0])
                    heapq.heappush(queue, (further, next(order), length + 1, after))
        self.leads_on.update(dict.fromkeys(before, False))
        return False


def narrowed(node: Node, automaton: StringReader) -> Node:
    """The strings of a language of bytes that an automaton accepts."""
    terms = Terms()
    return VOID if node is VOID else _Narrowings(terms, automaton).get(terms.push(node, terms.end), automaton.start)


def difference(node: Node, texts: Iterable[str], leaf: SpellClass) -> Node:
    """The strings of a language of code points that are none of `texts`, spelled by `leaf`."""
    terms, others = Terms(), NoneOf(texts)
    return _Narrowings(terms, others, inf, leaf).get(terms.push(node, terms.end), others.start)


class NoneOf:
    """The strings of code points that are none of some texts. A state is what is left of those that begin so."""

    def __init__(self, texts: Iterable[str]):
        self.start = tuple(sorted(set(texts)))

    def split(self, state: Any, symbols: Ranges) -> Ways:
        if state == DONE:
            return [(symbols, DONE)]
        tails: dict[int, list[str]] = {}
        for text in filter(None, state):
            tails.setdefault(ord(text[0]), []).append(text[1:])
        ways: list[tuple[Ranges, Any]] = [
            (((c, c),), tuple(texts)) for c, texts in tails.items() if overlap(symbols, ((c, c),))
        ]
        others = overlap(symbols, complement(points(tails), 0x10FFFF))
        return [*ways, (others, DONE)] if others else ways

    def ends(self, state: Any) -> bool:
        return state == DONE or "" not in state


class ReadTexts:
    """The strings of a language of bytes as a deterministic automaton; if `but`, all other strings of bytes.

    A state is the set of terms that some bytes lead to.
    """

    def __init__(self, node: Node, but: bool = False):
        self.but, self.terms = but, Terms()
        self.start: frozenset[Term] = frozenset([self.terms.push(node, self.terms.end)] if node is not VOID else [])
        self._ways: dict[tuple[frozenset[Term], Ranges], Ways] = {}

    def split(self, state: frozenset[Term], symbols: Ranges) -> Ways:
        key = state, symbols
        if key not in self._ways:
            self._ways[key] = self._split(*key)
        return self._ways[key]

    def _split(self, state: frozenset[Term], symbols: Ranges) -> Ways:
        pieces: list[tuple[Ranges, frozenset[Term]]] = [(symbols, frozenset())]
        for term in state:
            for leaf, after in self.terms.open(term):
                cut: list[tuple[Ranges, frozenset[Term]]] = []
                for piece, terms in pieces:
                    inside = overlap(piece, leaf.ranges)
                    outside = overlap(piece, complement(leaf.ranges, 255))
                    cut += [(inside, terms | {after})] if inside else []
                    cut += [(outside, terms)] if outside else []
                pieces = cut
        if not self.but:
            return [(piece, terms) for piece, terms in pieces if terms]
        return [(piece, terms) for piece, terms in pieces if not any(self.terms.has_all(t, BYTES) for t in terms)]

    def ends(self, state: frozenset[Term]) -> bool:
        for term in state:
            self.terms.open(term)
        return any(term.nullable for term in state) != self.but


class Without:
    """The strings of bytes in which none of some words stands.

    Args:
        words: what stands in none of them.
        before: what stands before them: a word counts if it ends in the string.
        stops: strings at which a text ends: where one of them is complete, whatever comes is accepted. What a stop
            string completes by its last byte stands in the text only if stop strings are `kept`.
        marked: marks that are special tokens (`as_token`) hold no words.

    A state is the longest end of what was read that begins a word, and that which begins a stop string.
    """

    def __init__(
        self,
        words: Sequence[bytes],
        before: bytes = b"",
        stops: Sequence[bytes] = (),
        kept: bool = False,
        marked: bool = False,
    ):
        self.words, self.stops, self.kept, self.marked = tuple(words), tuple(stops), kept, marked
        self.start = (begun(before, self.words), b"")
        self._steps: dict[tuple[bytes, bytes], dict[int, Any]] = {}
        if marked:
            self._steps[_IN_MARK] = dict.fromkeys(range(255), _IN_MARK) | {255: (b"", b"")}

    def split(self, state: Any, symbols: Ranges) -> Ways:
        if state == DONE:
            return [(symbols, state)]
        special = self._special(state)
        others = overlap(symbols, complement(points(special), 255))
        ways: dict[Any, list[int]] = {}
        for byte, after in special.items():
            if after is not None and overlap(symbols, ((byte, byte),)):
                ways.setdefault(after, []).append(byte)
        further = [(points(taken), after) for after, taken in ways.items()]
        return [*further, (others, (b"", b""))] if others else further

    def _special(self, state: tuple[bytes, bytes]) -> dict[int, Any]:
        """The bytes that go on with a word or a stop string, each with the state after it (None: there is none)."""
        if state not in self._steps:
            word, stop = state
            following = {
                text[size]
                for read, texts in ((word, self.words), (stop, self.stops))
                for text in texts
                for size in range(len(text))
                if read.endswith(text[:size])
            }
            self._steps[state] = {byte: self._after(word, stop, bytes([byte])) for byte in sorted(following)}
            if self.marked:
                self._steps[state][255] = _IN_MARK
        return self._steps[state]

    def _after(self, word: bytes, stop: bytes, byte: bytes) -> Any:
        banned, stopped = (word + byte).endswith(self.words), (stop + byte).endswith(self.stops)
        if stopped:
            return None if banned and self.kept else DONE
        return None if banned else (begun(word + byte, self.words), begun(stop + byte, self.stops))

    def ends(self, state: Any) -> bool:
        return True


# --- text with triggers: marks in a text, after each of which something else comes, and then text again

#: What stands around a mark that is written as one special token. (No UTF-8 has this byte.)
SPECIAL = b"\xff"


def as_token(mark: bytes) -> bytes:
    """How a mark is spelled that is one special token. None of these begins with another one.

    >>> from outlines_cont.fsm.language.narrowed import as_token
    >>> as_token(b"<call>")
    b'\\xff<call>\\xff'
    """
    return SPECIAL + mark + SPECIAL


class Trigger(NamedTuple):
    """A mark in a text, and what comes after it. special: whether it may be written as a special token, too."""

    mark: bytes
    after: Node
    special: bool = False


def with_triggers(triggers: Sequence[Trigger], least: int, most: int | None, symbols: Ranges) -> Node:
    """Text of some symbols in which each mark is followed by what comes after it; it may end anywhere but there.

    It is read from left to right: where a mark is complete, what comes after it begins, or else a longer mark goes on
    and then what comes after that.

    Args:
        least, most: how many marks there are (None: any number).
    """
    states, last = _beginnings(triggers), least if most is None else most
    edges: list[list[tuple[Node, int]]] = []
    for number in range(last + 1):
        following = None if number == most else min(number + 1, last) * len(states)
        edges += _reading(triggers, states, symbols, number * len(states), following)
    return graph(edges, [number >= least for number in range(last + 1) for _ in states])


def up_to(end: bytes, special: bool, symbols: Ranges) -> Node:
    """Any text of some symbols, and then an end mark, which is nowhere in it. special: see `Trigger`."""
    mark = [Trigger(end, EMPTY, special)]
    states = _beginnings(mark)
    edges = _reading(mark, states, symbols, 0, len(states))
    return graph([*edges, []], [*[False] * len(states), True])


def _beginnings(triggers: Sequence[Trigger]) -> list[bytes]:
    """The beginnings of marks in which no whole mark stands: each is what was read of one."""
    marks = [trigger.mark for trigger in triggers]
    beginnings = dict.fromkeys(mark[:size] for mark in marks for size in range(len(mark)))
    return [read for read in beginnings if not any(mark in read for mark in marks)]


def _reading(
    triggers: Sequence[Trigger], states: Sequence[bytes], symbols: Ranges, here: int, following: int | None
) -> list[list[tuple[Node, int]]]:
    """The edges of each state. here: the number of the first; following: the state after a mark and what comes after
    it; None: no mark may come."""
    marks, edges = tuple(trigger.mark for trigger in triggers), []
    for read in states:
        longer = _going_on(read, marks)
        others = overlap(symbols, complement(points(longer), 255))
        out = [(chars(others), here)] if others else []
        begins = [(byte, data) for byte, data in longer.items() if not data.endswith(marks)]
        out += [(symbol(byte), here + states.index(begun(data, marks))) for byte, data in begins]
        if following is not None:
            ends = [(symbol(byte), _after(data, triggers)) for byte, data in longer.items() if data.endswith(marks)]
            tokens = [trigger.mark for trigger in triggers if trigger.special]
            ends += [(literal(as_token(mark)), _after_token(read, mark, triggers)) for mark in tokens]
            out += [(cat(last, after), following) for last, after in ends]
        edges.append(out)
    return edges


def _going_on(read: bytes, marks: Sequence[bytes]) -> dict[int, bytes]:
    """The bytes with which a mark goes on, or begins, each with what was read then."""
    following = {mark[n] for mark in marks for n in range(len(mark)) if read.endswith(mark[:n])}
    return {byte: read + bytes([byte]) for byte in sorted(following)}


def _after_token(read: bytes, mark: bytes, triggers: Sequence[Trigger]) -> Node:
    """What comes after a mark that is a special token, where this was read before it; VOID: it may not come there."""
    text, marks = read + mark, [trigger.mark for trigger in triggers]
    first = min(place + len(other) for other in marks if (place := text.find(other)) >= 0)  # where one is complete
    if first == len(text):
        return _after(text, triggers)
    if text[len(read) : first] not in marks:  # the one that is complete before does not begin this one
        return VOID
    return _after(mark, [trigger for trigger in triggers if trigger.mark.startswith(mark)])


def _after(read: bytes, triggers: Sequence[Trigger]) -> Node:
    """What comes after a text that ends with marks, or after longer marks that begin with these."""
    ended = [trigger for trigger in triggers if read.endswith(trigger.mark)]
    longer = [
        cat(literal(other.mark[len(one.mark) :]), other.after)
        for one in ended
        for other in triggers
        if other.mark.startswith(one.mark) and other is not one
    ]
    return alt(*(trigger.after for trigger in ended), *longer)


def begun(data: bytes, words: Sequence[bytes]) -> bytes:
    """The longest end of some bytes with which one of the words begins, short of the whole word.

    >>> from outlines_cont.fsm.language.narrowed import begun
    >>> begun(b"in Lis", [b"Lisbon", b"sea"]), begun(b"Lisbon", [b"Lisbon"])
    (b'Lis', b'')
    """
    longest_word = max(map(len, words), default=0)
    ends = (data[len(data) - size :] for size in range(min(len(data), longest_word - 1), 0, -1))
    return next((end for end in ends if any(len(word) > len(end) and word.startswith(end) for word in words)), b"")
