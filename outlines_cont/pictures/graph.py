"""The graph that a picture of an automaton shows: characters in place of bytes and of escapes in JSON strings, and
strings in place of runs of states.

It is the automaton that tells: whoever wrote it, and from which schema, does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from outlines_cont.fsm.language.nodes import Ranges, complement, overlap, size, union
from outlines_cont.fsm.patterns.json_strings import MAY_STAND_PLAINLY

Way = tuple[Ranges, ...]  # one character of each class, one after the other
Leaving = dict[int, list[Way]]  # the edges of one node, by their targets
Digits = list[tuple[int, int]]  # values, each with the state after it
WAYS_REPEATED = 4  # ways that may go on with the same string, each by itself
LONE = 0xDC00  # a byte that is part of no character here is the code point LONE + byte, as in `picture.characters`
JSON = 0x200000  # a character in each of its spellings in a JSON string is the code point JSON + character
LAST = 0x10FFFF
HIGH, LOW = (0xD800, 0xDBFF), (0xDC00, 0xDFFF)  # surrogates
SHORT = {'"': 0x22, "\\": 0x5C, "/": 0x2F, "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09}
_SHORT = union(tuple((code, code) for code in sorted(SHORT.values())))
_BACKSLASH: Ranges = ((0x5C, 0x5C),)
_FIRST = {1: 0x80, 2: 0x800, 3: 0x10000}  # the first character with so many bytes after its leading one


class Edge(NamedTuple):
    """The ways from one node to another that lead through no third."""

    source: int
    target: int
    ways: tuple[Way, ...]


class CharacterGraph(NamedTuple):
    """A deterministic automaton. It accepts what is spelled along the paths from `initial` to a node of `accepting`."""

    initial: int
    nodes: tuple[int, ...]
    accepting: frozenset[int]
    edges: tuple[Edge, ...]


def character_graph(next_states: np.ndarray, accepting: np.ndarray, initial: int) -> CharacterGraph:
    """The graph of an automaton over bytes. Nodes keep their numbers.

    Args:
        next_states: int [states, 256], −1 where there is none. accepting: bool [states].
    """
    spelled = _Characters(next_states, accepting)
    met = reached([initial], spelled.leaving)
    ends = frozenset(node for node in met if accepting[node])
    useful = set(reached(ends, _arriving({node: spelled.leaving(node) for node in met}).__getitem__))
    leaving = {node: _ways(spelled.leaving(node), useful) for node in met}
    _pass_nodes(leaving, _arriving(leaving), ends | {initial})
    nodes = {*reached([initial], leaving.__getitem__), *ends}
    ordered = tuple(node for node in met if node in nodes)
    edges = (Edge(node, to, tuple(sorted(ways))) for node in ordered for to, ways in leaving[node].items())
    return CharacterGraph(initial, ordered, ends, tuple(edges))


def reached(start: Iterable[int], following: Callable[[int], Iterable[int]]) -> list[int]:
    """These nodes and all that follow, in the order in which they are met."""
    nodes = dict.fromkeys(start)
    todo = list(nodes)
    for node in todo:  # which grows
        new = [after for after in following(node) if after not in nodes]
        nodes.update(dict.fromkeys(new))
        todo += new
    return todo


def _arriving(leaving: Mapping[int, Iterable[int]]) -> dict[int, set[int]]:
    """For each node those that lead to it."""
    arriving: dict[int, set[int]] = {node: set() for node in leaving}
    for source, targets in leaving.items():
        for target in targets:
            arriving[target].add(source)
    return arriving


def _ways(leaving: dict[int, Ranges], useful: set[int]) -> Leaving:
    return {target: [(ranges,)] for target, ranges in leaving.items() if target in useful}


def _gathered(parts: Iterable[tuple[int, Ranges]]) -> dict[int, Ranges]:
    """The union of all that leads to each state."""
    gathered: dict[int, list[Ranges]] = {}
    for state, ranges in parts:
        gathered.setdefault(state, []).append(ranges)
    return {state: union(*each) for state, each in gathered.items()}


class _Characters:
    """An automaton over bytes, read character by character where what it reads is UTF-8, or spelled as in JSON."""

    def __init__(self, next_states: np.ndarray, accepting: np.ndarray):
        self.next_states, self.accepting = next_states, accepting
        self._plain: dict[int, dict[int, Ranges]] = {}
        self._numbers: dict[tuple[int, int, int], dict[int, Ranges] | None] = {}

    def leaving(self, state: int) -> dict[int, Ranges]:
        """The states that come next, and after which characters each."""
        plain = self.plain(state)
        escape = next((target for target, ranges in plain.items() if ranges == _BACKSLASH), None)
        spelled = None if escape is None else self._escaped(escape)
        for target, ranges in (spelled or {}).items():
            stands = overlap(ranges, MAY_STAND_PLAINLY)
            if overlap(plain.get(target, ()), stands) != stands:
                return plain
        leaving = {target: ranges for target, ranges in plain.items() if target != escape or spelled is None}
        for target, ranges in (spelled or {}).items():
            others = overlap(leaving.get(target, ()), complement(ranges, LAST))
            leaving[target] = union(others, _shifted(ranges, JSON))
        return leaving

    def plain(self, state: int) -> dict[int, Ranges]:
        """The states that come next, and after which characters each, as they are."""
        if state not in self._plain:
            self._plain[state] = _gathered(self._single(state))
        return self._plain[state]

    def _single(self, state: int) -> Iterator[tuple[int, Ranges]]:
        for byte, after in self._leads(state):
            more = (byte >= 0xC2) + (byte >= 0xE0) + (byte >= 0xF0) if byte < 0xF5 else 0
            whole = self._whole(byte, after, more) if more else None
            code = byte if byte < 0x80 else LONE + byte
            yield from ({after: ((code, code),)} if whole is None else whole).items()

    def _leads(self, state: int) -> Digits:
        """(byte, the state after it)"""
        row = self.next_states[state]
        taken = np.flatnonzero(row >= 0)
        return list(zip(taken.tolist(), row[taken].tolist(), strict=True))

    def _whole(self, byte: int, after: int, more: int) -> dict[int, Ranges] | None:
        """The characters that begin with a byte that `more` bytes follow, by the states after them; None if it begins
        something else, too."""
        tails = self._read(after, more, 6)
        if tails is None:
            return None
        whole = {target: _shifted(ranges, (byte & (0x3F >> more)) << 6 * more) for target, ranges in tails.items()}
        for low, high in (part for ranges in whole.values() for part in ranges):
            if low < _FIRST[more] or high > LAST or (low <= LOW[1] and high >= HIGH[0]):
                return None  # bytes that look like UTF-8 and are none
        return whole

    def _escaped(self, state: int) -> dict[int, Ranges] | None:
        r"""The characters that are spelled after a backslash, by the states after them, if each is by all of its
        escapes: the short one, and `\uXXXX` with digits of either case, or two of these that are a surrogate pair."""
        short: dict[int, Ranges] = {}
        units: dict[int, Ranges] | None = None
        for target, ranges in self.plain(state).items():
            letters = {chr(code) for code in _codes(ranges)} if size(ranges) <= len(SHORT) else {""}
            if letters == {"u"}:
                units = self._read(target, 4, 4)
            elif letters <= SHORT.keys():
                short[target] = union(*(((SHORT[letter], SHORT[letter]),) for letter in letters))
            else:
                return None
        characters = None if self.accepting[state] else self._characters_of(units or {})
        wanted = {target: both for target, ranges in (characters or {}).items() if (both := overlap(ranges, _SHORT))}
        return characters if wanted == short else None

    def _characters_of(self, units: dict[int, Ranges]) -> dict[int, Ranges] | None:
        r"""The characters whose first `\uXXXX` is one of these numbers, by the states after them."""
        parts: list[tuple[int, Ranges]] = []
        for state, numbers in units.items():
            pairs = self._pairs(state, numbers) if overlap(numbers, (HIGH,)) == numbers else None
            whole = pairs if overlap(numbers, (HIGH, LOW)) else {state: numbers}
            if whole is None:
                return None
            parts += whole.items()
        return _gathered(parts) or None

    def _pairs(self, state: int, high: Ranges) -> dict[int, Ranges] | None:
        """The characters whose first surrogates these are, by the states after them; None if there is anything else."""
        for wanted in (_BACKSLASH, ((0x75, 0x75),)):
            follow = self.plain(state)
            if self.accepting[state] or list(follow.values()) != [wanted]:
                return None
            (state,) = follow
        numbers = self._read(state, 4, 4)
        if numbers is None or any(overlap(ranges, (LOW,)) != ranges for ranges in numbers.values()):
            return None
        begins = [0x10000 + ((code - HIGH[0]) << 10) - LOW[0] for code in _codes(high)]
        return {to: union(*(_shifted(ranges, begin) for begin in begins)) for to, ranges in numbers.items()}

    def _read(self, state: int, more: int, bits: int) -> dict[int, Ranges] | None:
        """The numbers of `more` digits, by the states after them; None if anything else can happen here. The digits
        have so many bits: 6 of each byte of a character that is not its first, 4 of hexadecimal ones."""
        key = state, more, bits
        if key not in self._numbers:
            self._numbers[key] = {state: ((0, 0),)} if not more else self._read_further(*key)
        return self._numbers[key]

    def _read_further(self, state: int, more: int, bits: int) -> dict[int, Ranges] | None:
        digits = (self._continuing if bits == 6 else self._hexadecimal)(state)
        if self.accepting[state] or not digits:
            return None
        endings: list[tuple[int, Ranges]] = []
        for value, after in digits:
            tails = self._read(after, more - 1, bits)
            if tails is None:
                return None
            endings += ((target, _shifted(ranges, value << bits * (more - 1))) for target, ranges in tails.items())
        return _gathered(endings)

    def _continuing(self, state: int) -> Digits:
        leads = self._leads(state)
        return [(byte & 0x3F, after) for byte, after in leads] if all(byte >> 6 == 0b10 for byte, _ in leads) else []

    def _hexadecimal(self, state: int) -> Digits:
        """None unless letters have both cases."""
        leads = dict(self._leads(state))
        values = {int(chr(byte), 16): after for byte, after in leads.items() if chr(byte) in "0123456789abcdefABCDEF"}
        both = {ord(digit): after for value, after in values.items() for digit in (f"{value:x}", f"{value:X}")}
        return list(values.items()) if both == leads else []


def _shifted(ranges: Ranges, by: int) -> Ranges:
    return tuple((low + by, high + by) for low, high in ranges)


def _codes(ranges: Ranges) -> Iterator[int]:
    return (code for low, high in ranges for code in range(low, high + 1))


def _pass_nodes(leaving: dict[int, Leaving], arriving: dict[int, set[int]], kept: frozenset[int]) -> None:
    """Take out the nodes that `_passed` can take out, until there are none left: only those stay at which something is
    decided, and `kept`."""
    changed = True
    while changed:
        changed = False
        for node in [node for node in leaving if node not in kept]:
            if len(arriving[node]) == len(leaving[node]) == 1 and node not in leaving[node]:
                changed |= _passed(node, leaving, arriving)


def _passed(node: int, leaving: dict[int, Leaving], arriving: dict[int, set[int]]) -> bool:
    """Take out a node that has one edge to it and one from it, if its ways can be written without repeating much."""
    (source,), ((target, after),) = arriving[node], leaving[node].items()
    before = leaving[source][node]
    if any(ranges[-1][1] >= JSON for way in (*before, *after) for ranges in way):
        return False  # its label is long
    if len(after) > 1 or (len(before) > 1 and not (len(before) <= WAYS_REPEATED and _literal(after[0]))):
        return False
    del leaving[source][node]
    leaving[node], arriving[node] = {}, set()
    leaving[source].setdefault(target, []).extend(way + after[0] for way in before)
    arriving[target] = arriving[target] - {node} | {source}
    return True


def _literal(way: Way) -> bool:
    return all(len(ranges) == 1 and ranges[0][0] == ranges[0][1] for ranges in way)
