"""The strings that several languages have in common, and that others lack.

Laws:  L(intersection(xs, ys)) == all of L(x) & none of L(y)
       L(memberships(xs, y).language(s)) == L(y) & all of L(xs[i]) for i in s & none of the others

An intersection has up to 200,000 states, and fewer where many languages make each of them dear. Terms, sets of terms
and sets of symbols have numbers, and a state is a tuple of ints: see `graph.py` for why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from outlines_cont.errors import ConstraintError

from .graph import FlatEdges, trimmed
from .nodes import Class, Lazy, Node, Ranges, chars, complement, inside_out, overlap, star, union
from .terms import Term, Terms

PRODUCT_STATES = 200_000  # at most
FEW_STATES = 200
PRODUCT_CUTS = 8_000_000  # at most: how often a set of symbols is cut by what an excluded language goes on with
MEMBERSHIP_STATES = 250_000  # at most: the states of the automata of all kinds of strings
NO_SYMBOL, ALL_SYMBOLS = 0, 1  # two sets of symbols, by number
DROPPED = -1  # in place of a state in which no string is left

ProductState = tuple[int, ...]  # a term of each language, by number; then a set of terms of each excluded language
End = TypeVar("End")  # what a state says of the strings that end in it
Leaf = tuple[int, int]  # a set of symbols that a term begins with, and the term that remains after one of them


def intersection(nodes: Sequence[Node], excluded: Sequence[Node] = ()) -> Node:
    """The strings that all of `nodes` have and none of `excluded`. It is built at once: any way may be a dead end.

    Raises:
        ConstraintError: it needs too many states.
    """
    if len(nodes) == 1 and not excluded:
        return nodes[0]
    return _Product(nodes or [star(chars(((0, 0x10FFFF),)))], excluded).language()


def plainly_apart(nodes: Sequence[Node]) -> bool:
    """Whether no string is in all of `nodes`; False if that takes more than a few states to see."""
    product = _Product(nodes, ())
    states = [product.start()]
    seen = set(states)
    for state in states:  # grows while it is read
        after = {following for _, following in product.steps(state)} - seen
        if product.may_end(state) or len(seen) + len(after) > FEW_STATES:
            return False
        seen |= after
        states += after
    return True


def memberships(nodes: Sequence[Node], within: Node, most: int, steps: int, subject: str) -> Memberships | None:
    """The strings of `within`, told apart by which of `nodes` have them; None if there are more than `most` kinds.

    Raises:
        ConstraintError: it takes more than so many steps, or too large an automaton for so many kinds. The message
            begins with `subject`.
    """
    product = _Product([within], nodes)
    sets: dict[frozenset[int], None] = {}
    states = count(1)

    def having(state: ProductState) -> frozenset[int]:
        languages = product.having(state)
        sets[languages] = None
        if next(states) * len(sets) > MEMBERSHIP_STATES:
            raise ConstraintError(f"{subject}, taken together, need over {MEMBERSHIP_STATES} states")
        if len(sets) > most:
            raise _TooManyKinds
        return languages

    try:
        labels, edges, of_states = product.explored(having, drops=False, cuts=steps, subject=subject)
    except _TooManyKinds:
        return None
    return Memberships(list(sets), labels, edges, of_states)


@dataclass
class Memberships:
    """Strings, told apart by which of some languages have them: one automaton for all kinds.

    Attributes:
        sets: the sets of languages, by index, that have some string which the others lack.
        having: for each state, the languages that have the strings which end there.
    """

    sets: list[frozenset[int]]
    labels: list[Node]
    edges: list[FlatEdges]
    having: list[frozenset[int]]

    def language(self, languages: frozenset[int]) -> Node:
        """The strings that all these languages have, and none of the others."""
        return trimmed(self.labels, self.edges, [having == languages for having in self.having])


class _TooManyKinds(Exception):
    """There are more kinds of strings than were asked for."""


class _Product:
    """The automaton of one intersection: in a state, each language has come to a term.

    Of an excluded language all ways are followed together, because a string is excluded if any way takes it.
    """

    def __init__(self, nodes: Sequence[Node], excluded: Sequence[Node]):
        self.nodes, self.excluded = nodes, excluded
        self.terms, self.symbol_sets = Terms(), _SymbolSets()
        self.alphabet = _symbols(nodes)
        self._members: list[Term] = []  # the terms, by number
        self._term_numbers: dict[Term, int] = {}
        self._leaves: list[list[Leaf] | None] = []  # of each term
        self._ways: list[tuple[int, ...]] = []  # the sets of terms, by number: ascending
        self._ways_numbers: dict[tuple[int, ...], int] = {}
        self._takes_all: list[bool] = []  # whether each of these sets plainly takes every string
        self.cuts = 0

    def language(self) -> Node:
        return trimmed(*self.explored(self.may_end))

    def explored(
        self,
        end: Callable[[ProductState], End],
        drops: bool = True,
        cuts: int = PRODUCT_CUTS,
        subject: str = "the conditions on one value",
    ) -> tuple[list[Node], list[FlatEdges], list[End]]:
        """The labels, the edges and the ends of all states: see `trimmed`. `drops`: without those of `is_dropped`."""
        start = self.start()
        numbers, states = {start: 0}, [start]
        labels: dict[int, int] = {}  # the sets of symbols that edges have: the index of each
        edges: list[FlatEdges] = []
        ends: list[End] = []
        for state in states:  # grows while it is read
            targets: dict[int, int] = {}  # the next states, each with the set of symbols that lead to it
            for symbols, after in self.steps(state):
                target = numbers.get(after)
                if target is None:
                    target = numbers[after] = DROPPED if drops and self.is_dropped(after) else len(states)
                    if target != DROPPED:
                        states.append(after)
                if target != DROPPED:
                    number = targets.get(target)
                    targets[target] = symbols if number is None else self.symbol_sets.either(number, symbols)
            edges.append(
                tuple(n for j, symbols in targets.items() for n in (labels.setdefault(symbols, len(labels)), j))
            )
            ends.append(end(state))
            if len(states) > PRODUCT_STATES or self.cuts > cuts:
                most = f"{PRODUCT_STATES} states" if len(states) > PRODUCT_STATES else f"{cuts} steps"
                raise ConstraintError(f"{subject}, taken together, need over {most}")
        return [self.symbol_sets.classes[symbols] for symbols in labels], edges, ends

    def start(self) -> ProductState:
        terms = [self.term_number(self.terms.push(node, self.terms.end)) for node in self.nodes]
        ways = [(self.term_number(self.terms.push(node, self.terms.end)),) for node in self.excluded]
        return (*terms, *map(self.ways_number, ways))

    def steps(self, state: ProductState) -> Iterator[tuple[int, ProductState]]:
        """(the number of a set of symbols, the state after one of them)."""
        common: list[tuple[int, tuple[int, ...]]] = [(ALL_SYMBOLS, ())]
        both = self.symbol_sets.both
        for term in state[: len(self.nodes)]:
            leaves = self.leaves(term)
            common = [
                (shared, (*afters, after))
                for symbols, afters in common
                for leaf, after in leaves
                if (shared := both(symbols, leaf)) != NO_SYMBOL
            ]
        excluded = [
            [leaf for term in self._ways[ways] for leaf in self.leaves(term)] for ways in state[len(self.nodes) :]
        ]
        for symbols, afters in common:
            pieces = [(symbols, afters)]
            for leaves in excluded:
                pieces = [(part, (*done, ways)) for piece, done in pieces for part, ways in self.split(piece, leaves)]
            yield from pieces

    def split(self, symbols: int, leaves: Sequence[Leaf]) -> list[tuple[int, int]]:
        """Cut a set where the leaves tell symbols from each other: (each part, all terms that remain after it)."""
        both, but, numbers = self.symbol_sets.both, self.symbol_sets.but, self._ways_numbers
        self.cuts += 1 + len(leaves)
        pieces: list[tuple[int, tuple[int, ...]]] = [(symbols, ())]
        for leaf, after in leaves:
            cut: list[tuple[int, tuple[int, ...]]] = []
            for piece, ways in pieces:
                inside = both(piece, leaf)
                if inside == NO_SYMBOL:
                    cut.append((piece, ways))
                    continue
                cut.append((inside, (*ways, after)))
                if inside != piece:
                    cut.append((but(piece, inside), ways))
            pieces = cut
        return [(piece, numbers[x] if x in numbers else self.ways_number(x)) for piece, x in pieces]

    def may_end(self, state: ProductState) -> bool:
        """Whether a string may end in a state of which `steps` has been asked: that finds out which terms may."""
        count = len(self.nodes)
        return all(self._members[term].nullable for term in state[:count]) and not any(
            self._members[term].nullable for ways in state[count:] for term in self._ways[ways]
        )

    def having(self, state: ProductState) -> frozenset[int]:
        """The excluded languages that have a string which ends in a state, by index. (See `may_end` for when.)"""
        sets = enumerate(state[len(self.nodes) :])
        return frozenset(i for i, ways in sets if any(self._members[term].nullable for term in self._ways[ways]))

    def is_dropped(self, state: ProductState) -> bool:
        """Whether an excluded language plainly takes all that may come."""
        return any(self._takes_all[ways] for ways in state[len(self.nodes) :])

    def leaves(self, term: int) -> list[Leaf]:
        leaves = self._leaves[term]
        if leaves is None:
            opened = self.terms.opened(self._members[term])
            leaves = [(self.symbol_sets.number(label.ranges), self.term_number(after)) for label, after in opened]
            self._leaves[term] = leaves
        return leaves

    def term_number(self, term: Term) -> int:
        number = self._term_numbers.get(term)
        if number is None:
            number = self._term_numbers[term] = len(self._members)
            self._members.append(term)
            self._leaves.append(None)
        return number

    def ways_number(self, ways: tuple[int, ...]) -> int:
        """The number of a set of terms, which are given in any order and perhaps more than once."""
        number = self._ways_numbers.get(ways)
        if number is None:
            ordered = tuple(sorted(set(ways)))
            all_strings = [x for x in ordered if self.terms.has_all(self._members[x], self.alphabet)]
            ordered = tuple(all_strings[:1]) or ordered  # the others add nothing to it
            number = self._ways_numbers.get(ordered)
            if number is None:
                number = self._ways_numbers[ordered] = len(self._ways)
                self._ways.append(ordered)
                self._takes_all.append(bool(all_strings))
            self._ways_numbers[ways] = number
        return number


def _symbols(nodes: Sequence[Node]) -> Ranges | None:
    """The symbols of one of some languages; None if that is not plain."""
    for node in nodes:
        parts = inside_out(node)
        if not any(isinstance(part, Lazy) for part in parts):
            return union(*(part.ranges for part in parts if isinstance(part, Class)))
    return None


class _SymbolSets:
    """Sets of symbols, by number. They are few, so that each operation on two of them is done once."""

    def __init__(self) -> None:
        self._ranges: list[Ranges] = []
        self.classes: list[Node] = []
        self._numbers: dict[Ranges, int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._but: dict[tuple[int, int], int] = {}
        self._either: dict[tuple[int, int], int] = {}
        self.number(())  # NO_SYMBOL
        self.number(((0, 0x10FFFF),))  # ALL_SYMBOLS

    def number(self, ranges: Ranges) -> int:
        number = self._numbers.get(ranges)
        if number is None:
            number = self._numbers[ranges] = len(self._ranges)
            self._ranges.append(ranges)
            self.classes.append(chars(ranges))
        return number

    def both(self, a: int, b: int) -> int:
        """The symbols that are in both sets."""
        if a in (ALL_SYMBOLS, b):
            return b
        number = self._both.get((a, b))
        if number is None:
            number = self._both[a, b] = self.number(overlap(self._ranges[a], self._ranges[b]))
        return number

    def but(self, a: int, b: int) -> int:
        """The symbols of `a` that are not in `b`."""
        number = self._but.get((a, b))
        if number is None:
            others = complement(self._ranges[b], 0x10FFFF)
            number = self._but[a, b] = self.number(overlap(self._ranges[a], others))
        return number

    def either(self, a: int, b: int) -> int:
        """The symbols that are in one of the sets or in both."""
        number = self._either.get((a, b))
        if number is None:
            number = self._either[a, b] = self.number(union(self._ranges[a], self._ranges[b]))
        return number
