"""The arrays of a JSON Schema, as a language that is made item by item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..engine.memory import Marked, Part, Pending, Wall
from ..language.nodes import EMPTY, VOID, Node, cat
from ..language.words import literal
from . import numerals
from .array_branches import NONE_SEEN, ArrayBranch, ArrayBranches, Seen
from .conjunction import Conjunction
from .context import SchemaContext
from .subschema import Subschemas, both, by_subschemas


class Arrays(ArrayBranches):
    """The arrays that fit one of several conjunctions."""

    def __init__(self, context: SchemaContext, conjunctions: Sequence[Conjunction]):
        super().__init__(context, conjunctions)
        self._made: dict[Any, Items] = {}

    def start(self) -> Node:
        """From the opening bracket on; VOID if there are none."""
        first = self.items(self.branches, 0, NONE_SEEN)
        return VOID if first is VOID else cat(self.context.spelling.left_bracket, first)

    def items(self, branches: Sequence[ArrayBranch], count: int, seen: Seen, between: bool = True) -> Node:
        """What follows `count` items; not `between` two of them, but after the comma."""
        count = min(count, self.far)
        if not between:  # there is one more, then
            branches = [branch for branch in branches if self.can_go_on(branch, count, seen)]
        alive = self.alive(branches, count, seen)
        if not alive:
            return VOID
        key = (alive, count, seen, between)
        if key not in self._made:
            self._made[key] = Items(self, alive, count, seen, between)
        return self._made[key]


class Items(Part):
    """What follows `count` items, up to the closing bracket."""

    __slots__ = ("arrays", "between", "branches", "count", "seen")

    def __init__(self, arrays: Arrays, branches: tuple[ArrayBranch, ...], count: int, seen: Seen, between: bool):
        self.nullable, self.arrays, self.branches, self.count = False, arrays, branches, count
        self.seen, self.between = seen, between

    def unfold(self) -> Iterator[tuple[Node, Node]]:
        arrays, count, context = self.arrays, self.count, self.arrays.context
        if self.between and any(arrays.ends(branch, count) for branch in self.branches):
            yield context.spelling.right_bracket, EMPTY
        lead = context.spelling.comma if count and self.between else context.spelling.space
        with_room = arrays.with_room(self.branches, count)
        ways = (way for branch in with_room for way in arrays.ways(branch, count, self.seen))
        for subschemas, branches in by_subschemas(ways):
            value = context.value(subschemas)
            if value is VOID:
                continue
            listed = context.listed(subschemas) if arrays.unique and arrays.has_few_values(branches, count) else None
            if listed is not None:  # one by one: what is left for the next ones can then be told
                yield from self._one_by_one(lead, subschemas, branches, listed)
            elif arrays.unique:
                yield from self._different(lead, subschemas, branches, value)
            else:
                following = arrays.items(branches, count + 1, self.seen)
                if following is not VOID:
                    yield cat(lead, value), following

    def _one_by_one(
        self, lead: Node, subschemas: Subschemas, branches: list[ArrayBranch], values: list[Any]
    ) -> Iterator[tuple[Node, Node]]:
        """The next item is one of a few values, each of which must not come again."""
        arrays, context, listings = self.arrays, self.arrays.context, self.arrays.context.listings
        for item in map(listings.set_of, ([item] for item in values)):
            value = context.value(both(subschemas, (listings.of_set(item),)))
            if value is not VOID:
                following = arrays.items(branches, self.count + 1, self.seen | item)
                if following is not VOID:
                    yield cat(lead, value), following

    def _different(
        self, lead: Node, subschemas: Subschemas, branches: list[ArrayBranch], value: Node
    ) -> Iterator[tuple[Node, Node]]:
        """The next item is one of many values, which must not come again: which one is known when it is written."""
        arrays, context, seen = self.arrays, self.arrays.context, self.seen
        count = min(self.count + 1, arrays.far)
        alive = arrays.alive(branches, count, seen)
        if needed := arrays.needed(alive, count, seen):
            value = context.value(both(subschemas, (context.listings.of_set(needed).negated(),)))
        if alive and value is not VOID:
            yield cat(lead, Marked(value)), AfterItem(arrays, alive, count, seen)


class AfterItem(Pending):
    """What follows an item that may not come again, and is not known yet."""

    __slots__ = ("_last_resolved", "arrays", "branches", "count", "seen")

    def __init__(self, arrays: Arrays, branches: tuple[ArrayBranch, ...], count: int, seen: Seen):
        self.nullable, self.arrays, self.branches, self.count, self.seen = False, arrays, branches, count, seen
        self._last_resolved: tuple[bytes, Node] | None = None  # the text that was asked about last

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        arrays, spelling = self.arrays, self.arrays.context.spelling
        edges: list[tuple[Node, Node]] = [(cat(spelling.space, spelling.spell(literal(b","))), Wall(self.resolved))]
        if any(arrays.ends(branch, self.count) for branch in self.branches):
            edges.append((spelling.right_bracket, EMPTY))
        return edges

    def resolved(self, text: bytes) -> Node:
        last = self._last_resolved
        if last is None or last[0] != text:
            last = self._last_resolved = (text, self._resolved(text))
        return last[1]

    def _resolved(self, text: bytes) -> Node:
        written = self.arrays.context.spelling.written(text)
        item = json.loads(written, parse_float=numerals.read, parse_int=numerals.read)
        seen = self.seen | self.arrays.context.listings.set_of([item])
        return self.arrays.items(self.branches, self.count, seen, between=False)
