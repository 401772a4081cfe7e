"""Finite automata over characters, as `interegular` has them, and ours: to nodes, and from tables over bytes.

A *listing* is such an automaton as JSON, which saved states hold: for each state, whether a text may end there, and its
edges, each a list of ranges of code points and the number of the next state. The first state is the initial one.
Equal automata, whatever their states are called, have equal listings: states that reach no end are left out, and the
others are numbered in the order in which the smallest characters reach them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
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
Edges = list[tuple[Ranges, Any]]  # of one state: characters, and the next state

MOST_SYMBOLS = 2**18  # characters that an alphabet may list one by one
#: The bytes that begin a character of several: the first, the last, and how many bytes follow.
_LEADS = ((0xC0, 0xDF, 1), (0xE0, 0xEF, 2), (0xF0, 0xF7, 3))
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
    table = _ByteTable(following, accepting, name)
    runs: dict[int, list[Run]] = {}
    order = [0]
    for state in order:
        if state not in runs:
            runs[state] = table.characters(state)
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


class _ByteTable:
    """A table over bytes, read character by character."""

    def __init__(self, following: np.ndarray, accepting: np.ndarray, name: str):
        self._following, self._accepting, self._name = following, accepting, name
        self._blocks: dict[tuple[int, int], list[Run]] = {}

    def characters(self, state: int) -> list[Run]:
        """The code points that may come next, in ascending order."""
        row = self._following[state]
        self._refuse_bytes(row, 0x80, 0xBF)
        self._refuse_bytes(row, 0xF8, 0xFF)
        runs = [(byte, byte, int(row[byte])) for byte in range(0x80) if row[byte] >= 0]
        for first, last, more in _LEADS:
            for lead in range(first, last + 1):
                if row[lead] >= 0:
                    offset = (lead - first) << 6 * more
                    block = [
                        (low + offset, high + offset, after) for low, high, after in self._block(int(row[lead]), more)
                    ]
                    if block[0][0] < _LEAST[more] or block[-1][1] > TOP or any(map(_has_surrogates, block)):
                        raise self._no_text()
                    runs += block
        return _merged(runs)

    def _block(self, state: int, more: int) -> list[Run]:
        """What so many bytes of a character that was begun may add to its code point."""
        if (state, more) not in self._blocks:
            row = self._following[state]
            self._refuse_bytes(row, 0x00, 0x7F)
            self._refuse_bytes(row, 0xC0, 0xFF)
            if self._accepting[state]:
                raise self._no_text()
            runs: list[Run] = []
            for byte in range(0x40):
                after = int(row[0x80 + byte])
                if after >= 0:
                    inside = [(0, 0, after)] if more == 1 else self._block(after, more - 1)
                    offset = byte << 6 * (more - 1)
                    runs += [(low + offset, high + offset, target) for low, high, target in inside]
            self._blocks[state, more] = _merged(runs)
        return self._blocks[state, more]

    def _refuse_bytes(self, row: np.ndarray, first: int, last: int) -> None:
        if (row[first : last + 1] >= 0).any():
            raise self._no_text()

    def _no_text(self) -> ConstraintError:
        return ConstraintError(f"{self._name} allows bytes that are no UTF-8, and an FSM is over characters")


def _has_surrogates(run: Run) -> bool:
    return bool(overlap(((run[0], run[1]),), SURROGATES))


def _merged(runs: list[Run]) -> list[Run]:
    """Runs in ascending order, those that touch and lead to one state as one."""
    merged: list[Run] = []
    for low, high, after in runs:
        if merged and merged[-1][1] + 1 == low and merged[-1][2] == after:
            merged[-1] = (merged[-1][0], high, after)
        else:
            merged.append((low, high, after))
    return merged
