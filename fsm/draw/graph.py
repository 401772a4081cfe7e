"""The graph that a picture of an automaton shows: characters in place of bytes, strings in place of runs of states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..language.ranges import Ranges, union
from .json_spelling import BACKSLASH, Way, json_characters

Leaving = dict[int, list[Way]]  # the edges of one node, by their targets
WAYS_REPEATED = 4  # ways that may go on with the same string, each by itself
DETOUR_NODES, DETOUR_WAYS = 16, 16  # of what may become a loop
LONE = 0xDC00  # a byte that is part of no character here is the code point LONE + byte, as in `picture.characters`
_FIRST = {1: 0x80, 2: 0x800, 3: 0x10000}  # the first character with so many bytes after its leading one
_SURROGATES, _LAST = (0xD800, 0xDFFF), 0x10FFFF


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
    edges: list[Edge] = []
    met = {initial: None}  # in the order in which they are met
    todo = [initial]
    for source in todo:  # which grows
        targets = spelled.leaving(source)
        edges += [Edge(source, target, ((ranges,),)) for target, ranges in targets.items()]
        todo += [target for target in targets if target not in met]
        met.update(dict.fromkeys(targets))
    ends = frozenset(node for node in met if accepting[node])
    useful = _reaching(ends, edges)
    edges = _contracted([edge for edge in edges if edge.target in useful], ends | {initial})
    kept = {initial, *ends, *(edge.source for edge in edges)}
    return CharacterGraph(initial, tuple(node for node in met if node in kept), ends, tuple(edges))


class _Characters:
    """An automaton over bytes, read character by character where what it reads is UTF-8."""

    def __init__(self, next_states: np.ndarray, accepting: np.ndarray):
        self.next_states, self.accepting = next_states, accepting
        self._tails: dict[tuple[int, int], dict[int, Ranges] | None] = {}

    def leaving(self, state: int) -> dict[int, Ranges]:
        """The states that come next, and after which characters each."""
        leaving: dict[int, list[Ranges]] = {}
        for byte, after in self._leads(state):
            more = (byte >= 0xC2) + (byte >= 0xE0) + (byte >= 0xF0) if byte < 0xF5 else 0
            whole = self._whole(byte, after, more) if more else None
            if whole is None:
                code = byte if byte < 0x80 else LONE + byte
                whole = {after: ((code, code),)}
            for target, ranges in whole.items():
                leaving.setdefault(target, []).append(ranges)
        return {target: union(*parts) for target, parts in leaving.items()}

    def _leads(self, state: int) -> list[tuple[int, int]]:
        """(byte, the state after it)"""
        row = self.next_states[state]
        taken = np.flatnonzero(row >= 0)
        return list(zip(taken.tolist(), row[taken].tolist(), strict=True))

    def _whole(self, byte: int, after: int, more: int) -> dict[int, Ranges] | None:
        """The characters that begin with a byte that `more` bytes follow, by the states after them; None if it begins
        something else, too."""
        tails = self._tail(after, more)
        if tails is None:
            return None
        first = (byte & (0x3F >> more)) << 6 * more
        whole = {target: tuple((first + low, first + high) for low, high in ranges) for target, ranges in tails.items()}
        for low, high in (part for ranges in whole.values() for part in ranges):
            if low < _FIRST[more] or high > _LAST or (low <= _SURROGATES[1] and high >= _SURROGATES[0]):
                return None  # bytes that look like UTF-8 and are none
        return whole

    def _tail(self, state: int, more: int) -> dict[int, Ranges] | None:
        """The last 6 · `more` bits of characters whose other bytes led to `state`, by the states after them; None if
        anything else can happen here."""
        if (state, more) not in self._tails:
            self._tails[state, more] = self._read_tail(state, more)
        return self._tails[state, more]

    def _read_tail(self, state: int, more: int) -> dict[int, Ranges] | None:
        if not more:
            return {state: ((0, 0),)}
        leads = self._leads(state)
        if self.accepting[state] or not leads or any(byte >> 6 != 0b10 for byte, _ in leads):
            return None
        endings: dict[int, list[Ranges]] = {}
        for byte, after in leads:
            tails = self._tail(after, more - 1)
            if tails is None:
                return None
            first = (byte & 0x3F) << 6 * (more - 1)
            for target, ranges in tails.items():
                endings.setdefault(target, []).append(tuple((first + low, first + high) for low, high in ranges))
        return {target: union(*parts) for target, parts in endings.items()}


def _reaching(ends: frozenset[int], edges: list[Edge]) -> set[int]:
    """The nodes from which some of `ends` can be reached."""
    before: dict[int, list[int]] = {}
    for edge in edges:
        before.setdefault(edge.target, []).append(edge.source)
    todo = list(ends)
    seen = set(todo)
    for node in todo:  # which grows
        new = [source for source in before.get(node, ()) if source not in seen]
        todo += new
        seen.update(new)
    return seen


def _contracted(edges: list[Edge], kept: frozenset[int]) -> list[Edge]:
    """One edge between any two nodes, and only nodes at which something is decided; `kept` stay."""
    leaving: dict[int, Leaving] = {}
    arriving: dict[int, set[int]] = {}
    for source, target, ways in edges:
        leaving.setdefault(source, {}).setdefault(target, []).extend(ways)
        leaving.setdefault(target, {})
        arriving.setdefault(target, set()).add(source)
    _pass_nodes(leaving, arriving, kept)
    _unroll_detours(leaving, arriving, kept)
    _join_spellings(leaving, kept)
    return [
        Edge(source, target, tuple(sorted(ways))) for source, out in leaving.items() for target, ways in out.items()
    ]


def _pass_nodes(leaving: dict[int, Leaving], arriving: dict[int, set[int]], kept: frozenset[int]) -> None:
    """Take out the nodes that `_passed` can take out, until there are none left."""
    changed = True
    while changed:
        changed = False
        for node in [node for node in leaving if node not in kept]:
            if len(arriving[node]) == len(leaving[node]) == 1 and node not in leaving[node]:
                changed |= _passed(node, leaving, arriving)


def _unroll_detours(leaving: dict[int, Leaving], arriving: dict[int, set[int]], kept: frozenset[int]) -> None:
    """Replace each detour that nothing else leads into by loops."""
    for node in list(leaving):
        for target in list(leaving.get(node, ())):
            detour = _detour(node, target, leaving, kept) if target in leaving else set()
            if detour and all(arriving[inner] <= detour | {node} for inner in detour):
                _unrolled(node, detour, leaving)


def _join_spellings(leaving: dict[int, Leaving], kept: frozenset[int]) -> None:
    """Replace an escape in a JSON string by ways to where the character itself leads, if together these are all
    spellings of some characters. Several strings may share the nodes of their escapes."""
    for home in list(leaving):
        escapes = [node for node, ways in leaving[home].items() if all(way[:1] == (BACKSLASH,) for way in ways)]
        for first in escapes:
            for target in [target for target in leaving[home] if target != first]:
                if first in leaving[home] and (ways := _spellings(home, first, target, leaving, kept)):
                    del leaving[home][first]
                    leaving[home][target] = list(ways)
    for node in leaving.keys() - _reached(leaving, kept):
        del leaving[node]


def _spellings(home: int, first: int, target: int, leaving: dict[int, Leaving], kept: frozenset[int]) -> list[Way]:
    """The ways from `home` to `target`, by themselves and through `first`, if they are all spellings of characters."""
    ways = list(leaving[home][target])
    todo = [(way, first) for way in leaving[home][first]]
    while todo and len(ways) + len(todo) <= DETOUR_WAYS:
        way, node = todo.pop(0)
        if node == home or node in kept:
            return []
        for after, on in leaving[node].items():
            longer = [way + more for more in on]
            if after == target:
                ways += longer
            else:
                todo += [(way, after) for way in longer]
    return ways if not todo and json_characters(tuple(sorted(ways))) else []


def _reached(leaving: dict[int, Leaving], kept: frozenset[int]) -> set[int]:
    """The nodes to which some of `kept` lead, and these."""
    reached, todo = set(kept), list(kept)
    while todo:
        new = leaving.get(todo.pop(), {}).keys() - reached
        reached |= new
        todo += new
    return reached


def _passed(node: int, leaving: dict[int, Leaving], arriving: dict[int, set[int]]) -> bool:
    """Take out a node that has one edge to it and one from it, if its ways can be written without repeating much."""
    (source,), ((target, after),) = arriving[node], leaving[node].items()
    before = leaving[source][node]
    if len(after) > 1 or (len(before) > 1 and not (len(before) <= WAYS_REPEATED and _literal(after[0]))):
        return False
    del leaving[source][node], leaving[node]
    leaving[source].setdefault(target, []).extend(way + after[0] for way in before)
    arriving[target] = arriving[target] - {node} | {source}
    return True


def _literal(way: Way) -> bool:
    return all(len(ranges) == 1 and ranges[0][0] == ranges[0][1] for ranges in way)


def _detour(home: int, first: int, leaving: dict[int, Leaving], kept: frozenset[int]) -> set[int]:
    """The nodes after `home`, from `first` on, if few, and if all that they lead to is `home` again: an escape in a
    string, say. Else none."""
    detour, todo = {first}, [first]
    while todo:
        node = todo.pop()
        if node == home or node in kept or len(detour) > DETOUR_NODES:
            return set()
        new = leaving[node].keys() - detour - {home}
        detour |= new
        todo += new
    return detour


def _unrolled(home: int, detour: set[int], leaving: dict[int, Leaving]) -> None:
    """Replace a detour by the ways through it, unless they are too many, or without end."""
    ways: list[Way] = []
    todo: list[tuple[Way, int]] = [((), home)]
    while todo and len(ways) + len(todo) <= DETOUR_WAYS:
        way, node = todo.pop(0)
        for target, on in leaving[node].items():
            if target in detour:
                todo += [(way + more, target) for more in on]
            elif target == home and node != home:
                ways += [way + more for more in on]
    if not todo:
        for node in detour:
            leaving[home].pop(node, None)
            del leaving[node]
        leaving[home].setdefault(home, []).extend(ways)
