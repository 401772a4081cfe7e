"""The graph that a picture of an automaton shows: characters in place of bytes and of escapes in JSON strings, and
strings in place of runs of states.

It is the automaton that tells: whoever wrote it, and from which schema, does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from outlines_cont.fsm.language.graph import leading_to
from outlines_cont.fsm.language.nodes import Ranges, complement, overlap, size, union
from outlines_cont.fsm.patterns.character_machines import CharacterTable, Digits, gathered, shifted
from outlines_cont.fsm.patterns.json_strings import MAY_STAND_PLAINLY

Way = tuple[Ranges, ...]  # one character of each class, one after the other
Leaving = dict[int, list[Way]]  # the edges of one node, by their targets
WAYS_REPEATED = 4  # ways that may go on with the same string, each by itself
JSON = 0x200000  # a character in each of its spellings in a JSON string is the code point JSON + character
LAST = 0x10FFFF
HIGH, LOW = (0xD800, 0xDBFF), (0xDC00, 0xDFFF)  # surrogates
SHORT = {'"': 0x22, "\\": 0x5C, "/": 0x2F, "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09}
_SHORT = union(tuple((code, code) for code in sorted(SHORT.values())))
_BACKSLASH: Ranges = ((0x5C, 0x5C),)


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
    useful = leading_to(ends, {node: spelled.leaving(node) for node in met})
    leaving: dict[int, Leaving] = {
        node: {after: [(ranges,)] for after, ranges in spelled.leaving(node).items() if after in useful} for node in met
    }
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
    arriving: dict[int, set[int]] = {node: set() for node in leaving}
    for source, targets in leaving.items():
        for target in targets:
            arriving[target].add(source)
    return arriving


class _Characters(CharacterTable):
    """An automaton over bytes, read character by character where what it reads is UTF-8, or spelled as in JSON."""

    def leaving(self, state: int) -> dict[int, Ranges]:
        """The states that come next, and after which characters each."""
        plain = self.characters(state)
        escape = next((target for target, ranges in plain.items() if ranges == _BACKSLASH), None)
        spelled = None if escape is None else self._escaped(escape)
        for target, ranges in (spelled or {}).items():
            stands = overlap(ranges, MAY_STAND_PLAINLY)
            if overlap(plain.get(target, ()), stands) != stands:
                return plain
        leaving = {target: ranges for target, ranges in plain.items() if target != escape or spelled is None}
        for target, ranges in (spelled or {}).items():
            others = overlap(leaving.get(target, ()), complement(ranges, LAST))
            leaving[target] = union(others, shifted(ranges, JSON))
        return leaving

    def _escaped(self, state: int) -> dict[int, Ranges] | None:
        r"""The characters that are spelled after a backslash, by the states after them, if each is by all of its
        escapes: the short one, and `\uXXXX` with digits of either case, or two of these that are a surrogate pair."""
        short: dict[int, Ranges] = {}
        units: dict[int, Ranges] | None = None
        for target, ranges in self.characters(state).items():
            letters = {chr(code) for code in _codes(ranges)} if size(ranges) <= len(SHORT) else {""}
            if letters == {"u"}:
                units = self.read(target, 4, 4)
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
        return gathered(parts) or None

    def _pairs(self, state: int, high: Ranges) -> dict[int, Ranges] | None:
        """The characters whose first surrogates these are, by the states after them; None if there is anything else."""
        for wanted in (_BACKSLASH, ((0x75, 0x75),)):
            follow = self.characters(state)
            if self.accepting[state] or list(follow.values()) != [wanted]:
                return None
            (state,) = follow
        numbers = self.read(state, 4, 4)
        if numbers is None or any(overlap(ranges, (LOW,)) != ranges for ranges in numbers.values()):
            return None
        begins = [0x10000 + ((code - HIGH[0]) << 10) - LOW[0] for code in _codes(high)]
        return {to: union(*(shifted(ranges, begin) for begin in begins)) for to, ranges in numbers.items()}

    def digits(self, state: int, bits: int) -> Digits:
        """See `CharacterTable`; 4 bits are those of hexadecimal digits."""
        return self._hexadecimal(state) if bits == 4 else super().digits(state, bits)

    def _hexadecimal(self, state: int) -> Digits:
        """None unless letters have both cases."""
        leads = dict(self.leads(state))
        values = {int(chr(byte), 16): after for byte, after in leads.items() if chr(byte) in "0123456789abcdefABCDEF"}
        both = {ord(digit): after for value, after in values.items() for digit in (f"{value:x}", f"{value:X}")}
        return list(values.items()) if both == leads else []


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
