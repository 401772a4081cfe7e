"""Finite automata over characters, as `interegular` has them, and ours: to nodes, and from tables over bytes.

A *listing* is such an automaton as JSON, which saved states hold: for each state, whether a text may end there, and its
edges, each a list of ranges of code points and the number of the next state. The first state is the initial one.
Equal automata, whatever their states are called, have equal listings: states that reach no end are left out, and the
others are numbered in the order in which the smallest characters reach them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError

from ..language.graph import graph, leading_to
from ..language.nodes import Node, Ranges, chars, complement, overlap, points, union
from .characters import CHARACTERS, SURROGATES, TOP, utf8

if TYPE_CHECKING:
    from interegular import FSM

Listing = list[Any]
Run = tuple[int, int, int]  # the first and the last of some numbers in a row, and the state that they lead to
Digits = list[tuple[int, int]]  # values, each with the state after it
Edges = list[tuple[Ranges, Any]]  # of one state: characters, and the next state

MOST_SYMBOLS = 2**18  # characters that an alphabet may list one by one
LONE = 0xDC00  # a byte that is part of no character is a lone surrogate, as Python's surrogateescape has it
#: The least code point of a character of so many bytes more: below it, the spelling is too long.
_LEAST = {1: 0x80, 2: 0x800, 3: 0x10000}


def is_machine(given: Any) -> bool:
    """Whether something is an `interegular.FSM`."""
    module = sys.modules.get("interegular.fsm")
    return module is not None and isinstance(given, module.FSM)


# ---------------------------------------------------------------------------------------------------- from interegular


def listing(machine: FSM) -> Listing:
    """An automaton as JSON.

    Raises:
        TypeError: a symbol of its alphabet is no character.

    >>> import interegular
    >>> from outlines_cont.fsm.patterns.character_machines import listing
    >>> listing(interegular.parse_pattern("[ab]c?").to_fsm())
    [[False, [[[[97, 98]], 1]]], [True, [[[[99, 99]], 2]]], [True, []]]
    """
    classes = _classes(machine)
    edges = {state: _joined(machine.map.get(state, {}), classes) for state in machine.states}
    live = leading_to(machine.finals, {state: [after for _, after in out] for state, out in edges.items()})
    numbers, order, listed = {machine.initial: 0}, [machine.initial], []
    for state in order:
        out = [(ranges, after) for ranges, after in edges[state] if after in live]
        for _, after in out:
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
        ways = [[[list(ends) for ends in ranges], numbers[after]] for ranges, after in out]
        listed.append([state in machine.finals, ways])
    return listed


def _classes(machine: FSM) -> dict[Any, Ranges]:
    """The characters of each transition of an automaton."""
    from interegular.fsm import anything_else

    listed: dict[Any, list[int]] = {}
    others = None
    for transition, symbols in machine.alphabet.by_transition.items():
        codes = listed[transition] = []
        for symbol in symbols:
            if symbol is anything_else:
                others = transition
            elif isinstance(symbol, str) and len(symbol) == 1:
                codes.append(ord(symbol))
            else:
                raise TypeError(f"the alphabet of an FSM holds characters, not {shown(symbol)}")
    classes = {transition: points(codes) for transition, codes in listed.items()}
    if others is not None:
        classes[others] = union(classes[others], complement(union(*classes.values()), TOP))
    return {transition: overlap(ranges, CHARACTERS) for transition, ranges in classes.items()}


def _joined(row: Mapping[Any, Any], classes: dict[Any, Ranges]) -> Edges:
    """The edges of a state, one for each next state, by their smallest characters."""
    ways: dict[Any, list[Ranges]] = {}
    for transition, after in row.items():
        ways.setdefault(after, []).append(classes.get(transition, ()))
    edges = [(union(*parts), after) for after, parts in ways.items()]
    return sorted(((ranges, after) for ranges, after in edges if ranges), key=lambda edge: edge[0])


def language(listed: Listing) -> Node:
    """The texts of an automaton, in UTF-8.

    Raises:
        ValueError: the listing has another shape.
    """
    if not isinstance(listed, list) or not listed:
        raise ValueError(f"an automaton is a list of states, not {shown(listed)}")
    ends, edges = [], []
    for state in listed:
        end, ways = state
        if not isinstance(end, bool):
            raise ValueError(f"{shown(state)} is no state of an automaton")
        ends.append(end)
        edges.append([(chars(_checked(ranges)), _state(after, len(listed))) for ranges, after in ways])
    return utf8(graph(edges, ends))


def _checked(ranges: Any) -> Ranges:
    """Ranges of code points, from a file perhaps."""
    checked = tuple((low, high) for low, high in ranges)
    if union(checked) != checked or not all(_is_range(*pair) for pair in checked):
        raise ValueError(f"{shown(ranges)} are no ranges of code points")
    return checked


def _is_range(low: Any, high: Any) -> bool:
    return type(low) is type(high) is int and 0 <= low <= high <= TOP


def _state(after: Any, count: int) -> int:
    if type(after) is not int or not 0 <= after < count:
        raise ValueError(f"{shown(after)} is none of {count} states")
    return after


# ------------------------------------------------------------------------------------------------------ to interegular


def machine(following: np.ndarray, accepting: np.ndarray, name: str) -> FSM:
    """The automaton over characters of one over bytes, whose state 0 is the initial one.

    following: int [states, 256], −1 where there is no next state. accepting: bool [states]. name: for errors.

    Raises:
        ConstraintError: it reads bytes that are no text, or too many characters would have to be listed.
    """
    table = CharacterTable(following, accepting)
    runs: dict[int, list[Run]] = {}
    order = [0]
    for state in order:
        if state not in runs:
            ways = table.characters(state)
            if any(overlap(ranges, SURROGATES) for ranges in ways.values()):
                raise ConstraintError(f"{name} allows bytes that are no UTF-8, and an FSM is over characters")
            runs[state] = sorted((low, high, after) for after, ranges in ways.items() for low, high in ranges)
            order += dict.fromkeys(after for _, _, after in runs[state])
    return _over_classes(runs, [state for state in runs if accepting[state]], name)


def _over_classes(runs: dict[int, list[Run]], ends: list[int], name: str) -> FSM:
    """An automaton over the classes of characters that all of its states read alike."""
    from interegular import FSM
    from interegular.fsm import Alphabet, anything_else

    ((first, last),) = SURROGATES
    edges = {0, first, last + 1, TOP + 1} | {
        end for out in runs.values() for low, high, _ in out for end in (low, high + 1)
    }
    cuts = np.array(sorted(edges))
    numbers = {state: number for number, state in enumerate(runs)}
    table = np.full((len(runs), len(cuts) - 1), -1)
    for state, out in runs.items():
        for low, high, after in out:
            table[numbers[state], np.searchsorted(cuts, low) : np.searchsorted(cuts, high + 1)] = numbers[after]
    kept = cuts[:-1] != first
    columns, classes = np.unique(table[:, kept], axis=1, return_inverse=True)
    lows, highs = cuts[:-1][kept], cuts[1:][kept]
    sizes = np.bincount(classes.ravel(), weights=highs - lows, minlength=columns.shape[1])
    others = int(sizes.argmax())
    if sizes.sum() - sizes[others] > MOST_SYMBOLS:
        raise ConstraintError(
            f"{name}: an FSM would have to list {int(sizes.sum() - sizes[others]):,} characters one by one; at most "
            f"{MOST_SYMBOLS:,} may be listed"
        )
    symbols: dict[Any, Any] = {anything_else: others}
    for low, high, number in zip(lows.tolist(), highs.tolist(), classes.ravel().tolist(), strict=True):
        if number != others:
            symbols |= dict.fromkeys(map(chr, range(low, high)), number)
    rows = {
        state: {key: after for key, after in enumerate(row) if after >= 0} for state, row in enumerate(columns.tolist())
    }
    states: Any = set(numbers.values())  # `State` is a name for int
    return FSM(Alphabet(symbols), states, numbers[0], {numbers[state] for state in ends}, rows)


class CharacterTable:
    """An automaton over bytes, read character by character where what it reads is UTF-8. Any other byte counts as the
    code point LONE + byte.

    following: int [states, 256], −1 where there is no next state. accepting: bool [states].
    """

    def __init__(self, following: np.ndarray, accepting: np.ndarray):
        self.following, self.accepting = following, accepting
        self._characters: dict[int, dict[int, Ranges]] = {}
        self._numbers: dict[tuple[int, int, int], dict[int, Ranges] | None] = {}

    def characters(self, state: int) -> dict[int, Ranges]:
        """The states that come next, and after which characters each."""
        if state not in self._characters:
            self._characters[state] = gathered(self._single(state))
        return self._characters[state]

    def _single(self, state: int) -> Iterator[tuple[int, Ranges]]:
        for byte, after in self.leads(state):
            more = (byte >= 0xC2) + (byte >= 0xE0) + (byte >= 0xF0) if byte < 0xF5 else 0
            whole = self._whole(byte, after, more) if more else None
            code = byte if byte < 0x80 else LONE + byte
            yield from ({after: ((code, code),)} if whole is None else whole).items()

    def leads(self, state: int) -> Digits:
        """(byte, the state after it)"""
        row = self.following[state]
        taken = np.flatnonzero(row >= 0)
        return list(zip(taken.tolist(), row[taken].tolist(), strict=True))

    def _whole(self, byte: int, after: int, more: int) -> dict[int, Ranges] | None:
        """The characters that begin with a byte that `more` bytes follow, by the states after them; None if it begins
        something else, too."""
        tails = self.read(after, more, 6)
        if tails is None:
            return None
        whole = {target: shifted(ranges, (byte & (0x3F >> more)) << 6 * more) for target, ranges in tails.items()}
        for ranges in whole.values():
            if ranges[0][0] < _LEAST[more] or ranges[-1][1] > TOP or overlap(ranges, SURROGATES):
                return None  # bytes that look like UTF-8 and are none
        return whole

    def read(self, state: int, more: int, bits: int) -> dict[int, Ranges] | None:
        """The numbers of `more` digits of so many bits, by the states after them; None if anything else can happen."""
        key = state, more, bits
        if key not in self._numbers:
            self._numbers[key] = {state: ((0, 0),)} if not more else self._read_further(*key)
        return self._numbers[key]

    def _read_further(self, state: int, more: int, bits: int) -> dict[int, Ranges] | None:
        digits = self.digits(state, bits)
        if self.accepting[state] or not digits:
            return None
        endings: list[tuple[int, Ranges]] = []
        for value, after in digits:
            tails = self.read(after, more - 1, bits)
            if tails is None:
                return None
            endings += ((target, shifted(ranges, value << bits * (more - 1))) for target, ranges in tails.items())
        return gathered(endings)

    def digits(self, state: int, bits: int) -> Digits:
        """The digits that come next, if nothing else does: of 6 bits, the bytes of a character but its first."""
        leads = self.leads(state)
        return [(byte & 0x3F, after) for byte, after in leads] if all(byte >> 6 == 0b10 for byte, _ in leads) else []


def gathered(parts: Iterable[tuple[int, Ranges]]) -> dict[int, Ranges]:
    """The union of all that leads to each state."""
    by_state: dict[int, list[Ranges]] = {}
    for state, ranges in parts:
        by_state.setdefault(state, []).append(ranges)
    return {state: union(*each) for state, each in by_state.items()}


def shifted(ranges: Ranges, by: int) -> Ranges:
    """These numbers, each larger by so much."""
    return tuple((low + by, high + by) for low, high in ranges)
