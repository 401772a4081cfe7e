"""The arrays of a JSON Schema, as a language that is made item by item."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.memory import Marked, Part, Pending, Wall
from ..language.nodes import EMPTY, VOID, Node, cat, literal
from . import numerals
from .conjunction import Conjunction, Places, both, canonical

if TYPE_CHECKING:
    from .writer import Writer

#: Which conjunction; how many items fitted each of its `contains`; which excluded arrays it may still turn out to be.
Branch = tuple[int, tuple[int, ...], frozenset[int]]


Seen = tuple[Any, ...]  # the items that may not come again, in the order in which they came
Choices = tuple[Places, ...]  # what each of some items fits


class Arrays:
    """The arrays that fit one of several conjunctions, which are told apart only as far as it matters."""

    def __init__(self, writer: Writer, conjunctions: Sequence[Conjunction]):
        self.writer, self.conjunctions = writer, conjunctions
        self.unique = any(conjunction.unique and conjunction.counts[1] not in (0, 1) for conjunction in conjunctions)
        self.excluded = [[value for value in f.excluded if isinstance(value, list)] for f in conjunctions]
        # Beyond the prefixes and the bounds, one item more changes nothing.
        self.far = 1 + max(max(len(f.prefix), f.counts[0], f.counts[1] or 0, *_starts(f)) for f in conjunctions)
        self.far = max(self.far, *(1 + len(value) for values in self.excluded for value in values), 0)
        self._made: dict[Any, Items] = {}
        self.branches: list[Branch] = [
            (a, (0,) * len(conjunction.contains), frozenset(range(len(self.excluded[a]))))
            for a, conjunction in enumerate(conjunctions)
        ]

    def start(self) -> Node:
        """From the opening bracket on; VOID if there are none."""
        first = self.items(self.branches, 0, ())
        return VOID if first is VOID else cat(self.writer.left_bracket, first)

    def items(self, branches: Sequence[Branch], count: int, seen: Seen, between: bool = True) -> Node:
        """What follows `count` items; not `between` two of them, but after the comma."""
        count = min(count, self.far)
        if not between:  # there is one more, then
            branches = [branch for branch in branches if self._another(branch, count, seen)]
        alive = self.alive(branches, count, seen)
        if not alive:
            return VOID
        key = (alive, count, tuple(map(canonical, seen)), between)
        if key not in self._made:
            self._made[key] = Items(self, alive, count, seen, between)
        return self._made[key]

    def alive(self, branches: Sequence[Branch], count: int, seen: Seen) -> tuple[Branch, ...]:
        return tuple(dict.fromkeys(branch for branch in branches if self.hope(branch, count, seen)))

    def _another(self, branch: Branch, count: int, seen: Seen) -> bool:
        """Whether one more item can come, and the end after it."""
        high = self.conjunctions[branch[0]].counts[1]
        if high is not None and count >= high:
            return False
        after = min(count + 1, self.far)
        return any(
            self.writer.inhabited(places) and self.hope(then, after, seen)
            for places, then in self.ways(branch, count, seen)
        )

    def ends(self, branch: Branch, count: int) -> bool:
        """Whether there may be no more items."""
        a, fitted, rivals = branch
        conjunction = self.conjunctions[a]
        low, high = conjunction.counts
        if any(len(self.excluded[a][e]) == count for e in rivals):
            return False
        enough = all(rule.counts[0] <= n for rule, n in zip(conjunction.contains, fitted, strict=True))
        return enough and low <= count and (high is None or count <= high)

    def hope(self, branch: Branch, count: int, seen: Seen) -> bool:
        """Whether there is some way to the end."""
        conjunction = self.conjunctions[branch[0]]
        high, far = (
            conjunction.counts[1],
            max(len(conjunction.prefix), conjunction.counts[0], *_starts(conjunction)) + 1,
        )
        far = max(far, *(1 + len(self.excluded[branch[0]][e]) for e in branch[2]), 0)
        enough = max(far, count) + sum(rule.counts[0] for rule in conjunction.contains)
        todo: list[tuple[Branch, int, Choices]] = [(branch, count, ())]
        done: set[Any] = set()
        while todo:  # depth first: the end is near, nearly always
            here, n, chosen = todo.pop()
            if self.ends(here, n):
                return True
            low = conjunction.counts[0]
            if self._only_more(here, n):  # all alike from here on
                places = self.ways(here, n, ())[0][0]
                if (high is None or low <= high) and self._room(conjunction, chosen, places, low - n, enough, seen):
                    return True
                continue
            if n < enough and (high is None or n < high):
                for places, after in reversed(self.ways(here, n, ())):  # what has to be there, first
                    more = (*chosen, places) if conjunction.unique else ()
                    fitted = Counter(frozenset(place.key for place in some) for some in more)  # in whatever order
                    key = (after, n + 1, frozenset(fitted.items()))
                    if key not in done and self._room(conjunction, chosen, places, 1, enough, seen):
                        done.add(key)
                        todo.append((after, n + 1, more))
        return False

    def _only_more(self, branch: Branch, n: int) -> bool:
        """Whether nothing lacks but more items, which are all of one kind."""
        a, fitted, rivals = branch
        conjunction = self.conjunctions[a]
        found = all(
            low <= m and high is None for (_, (low, high), _), m in zip(conjunction.contains, fitted, strict=True)
        )
        return found and not rivals and n >= len(conjunction.prefix) and n < conjunction.counts[0]

    def _room(
        self, conjunction: Conjunction, chosen: Choices, places: Places, times: int, enough: int, seen: Seen
    ) -> bool:
        """Whether there can be items that fit what is `chosen`, and some more that fit `places`, all different.

        Args:
            enough: so many different values never run out.
        """
        if not self.writer.inhabited(places):
            return False
        if not conjunction.unique or (times == 1 and not chosen and not seen):
            return True
        gone, few = set(map(canonical, seen)), list[set[str]]()
        for some, n in (*((some, 1) for some in chosen), (places, times)):
            listed = self.writer.listed(some, enough + len(seen))
            if listed is not None:
                values = set(map(canonical, listed)) - gone
                if len(values) < n:
                    return False
                few += [values] * n
        return _matched(few)

    def few(self, branches: Iterable[Branch], i: int) -> bool:
        """Whether item i may be one of few."""
        conjunctions = (self.conjunctions[branch[0]] for branch in branches)
        return any(
            conjunction.contains or self.writer.listed(conjunction.item(i)) is not None for conjunction in conjunctions
        )

    def needed(self, branches: Sequence[Branch], count: int, seen: Seen) -> list[Any]:
        """What the last of `count` items may not be, since a later one has to be it: those before it are `seen`."""
        values: dict[str, Any] = {}
        for branch in branches:
            conjunction = self.conjunctions[branch[0]]
            # Only what is no more than the items that have to come can be used up by them.
            least = max(conjunction.counts[0], *_starts(conjunction))
            most = least - count + sum(rule.counts[0] for rule in conjunction.contains) if conjunction.unique else 0
            for i in range(count, max(count, len(conjunction.prefix), *_starts(conjunction)) + 1) if most > 0 else ():
                for places, _ in self.ways(branch, i, ()):
                    values |= {canonical(x): x for x in self.writer.listed(places, most + len(seen)) or ()}
        return [x for x in values.values() if not self.alive(branches, count, (*seen, x))]

    def ways(self, branch: Branch, i: int, seen: Seen) -> list[tuple[Places, Branch]]:
        """What item i may be, and the branch after it."""
        a, fitted, rivals = branch
        conjunction = self.conjunctions[a]
        item = conjunction.item(i)
        if seen and conjunction.unique:
            item = both(item, (self.writer.listing(seen).no(),))
        ways: list[tuple[Places, tuple[int, ...]]] = [(item, fitted)]
        for r, ((part, *_), (low, high), start) in enumerate(conjunction.contains):
            if i < start or (high is None and fitted[r] >= low):
                continue
            more = []
            for places, counts in ways:
                if high is None or counts[r] < high:
                    more.append((both(places, (part,)), (*counts[:r], counts[r] + 1, *counts[r + 1 :])))
                more.append((both(places, (part.no(),)) if high is not None else places, counts))
            ways = more
        same = [e for e in sorted(rivals) if len(self.excluded[a][e]) > i]
        if not same:
            return [(places, (a, counts, frozenset())) for places, counts in ways]
        told = self.writer.told_apart([self.excluded[a][e][i] for e in same])
        return [
            (both(places, (part,)), (a, counts, frozenset(same[j] for j in which)))
            for places, counts in ways
            for part, which in told
        ]


def _matched(choices: list[set[str]]) -> bool:
    """Whether each can have a value of its own (a bipartite matching, by augmenting paths)."""
    if all(len(values) > i for i, values in enumerate(sorted(choices, key=len))):
        return True
    owner: dict[str, int] = {}

    def place(i: int, tried: set[str]) -> bool:
        for value in choices[i] - tried:
            tried.add(value)
            if value not in owner or place(owner[value], tried):
                owner[value] = i
                return True
        return False

    return all(place(i, set()) for i in range(len(choices)))


def _starts(conjunction: Conjunction) -> list[int]:
    return [0, *(rule.start for rule in conjunction.contains)]


class Items(Part):
    """What follows `count` items, up to the closing bracket."""

    __slots__ = ("arrays", "between", "branches", "count", "seen")

    def __init__(self, arrays: Arrays, branches: tuple[Branch, ...], count: int, seen: Seen, between: bool):
        self.nullable, self.arrays, self.branches, self.count = False, arrays, branches, count
        self.seen, self.between = seen, between

    def unfold(self) -> Iterator[tuple[Node, Node]]:
        arrays, count, seen = self.arrays, self.count, self.seen
        writer = arrays.writer
        if self.between and any(arrays.ends(branch, count) for branch in self.branches):
            yield writer.right_bracket, EMPTY
        highs = ((branch, arrays.conjunctions[branch[0]].counts[1]) for branch in self.branches)
        room = [branch for branch, high in highs if high is None or count < high]
        lead = writer.comma if count and self.between else writer.space
        for places, branches in writer.grouped(way for b in room for way in arrays.ways(b, count, seen)):
            value = writer.value(places)
            if value is VOID:
                continue
            listed = writer.listed(places) if arrays.unique and arrays.few(branches, count) else None
            if listed is not None:  # one by one: what is left for the next ones can then be told
                for item in listed:
                    one = writer.value(both(places, (writer.listing([item]),)))
                    rest = arrays.items(branches, count + 1, (*seen, item)) if one is not VOID else VOID
                    if rest is not VOID:
                        yield cat(lead, one), rest
            elif arrays.unique:
                alive = arrays.alive(branches, min(count + 1, arrays.far), seen)
                if needed := arrays.needed(alive, min(count + 1, arrays.far), seen):
                    value = writer.value(both(places, (writer.listing(needed).no(),)))
                if alive and value is not VOID:
                    yield cat(lead, Marked(value)), Item(arrays, alive, min(count + 1, arrays.far), seen)
            else:
                rest = arrays.items(branches, count + 1, seen)
                if rest is not VOID:
                    yield cat(lead, value), rest


class Item(Pending):
    """What follows an item that may not come again, and is not known yet."""

    __slots__ = ("_after", "arrays", "branches", "count", "seen")

    def __init__(self, arrays: Arrays, branches: tuple[Branch, ...], count: int, seen: Seen):
        self.nullable, self.arrays, self.branches, self.count, self.seen = False, arrays, branches, count, seen
        self._after: tuple[bytes, Node] | None = None  # the text that was asked about last

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        arrays, writer = self.arrays, self.arrays.writer
        edges: list[tuple[Node, Node]] = [(cat(writer.space, writer.spell(literal(b","))), Wall(self.resolved))]
        if any(arrays.ends(branch, self.count) for branch in self.branches):
            edges.append((writer.right_bracket, EMPTY))
        return edges

    def resolved(self, text: bytes) -> Node:
        known = self._after
        if known is None or known[0] != text:
            known = self._after = (text, self._resolved(text))
        return known[1]

    def _resolved(self, text: bytes) -> Node:
        seen = (*self.seen, json.loads(text, parse_float=numerals.read, parse_int=numerals.read))
        return self.arrays.items(self.branches, self.count, seen, between=False)
