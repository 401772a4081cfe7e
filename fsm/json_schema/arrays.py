"""The arrays of a JSON Schema, as a language that is made item by item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

from ..engine.memory import Marked, Part
from ..language.nodes import EMPTY, VOID, Bounds, Node, cat
from . import limits, numerals
from .conjunction import Conjunction, Subschemas, both, by_subschemas, key_of, refuse
from .context import AfterPart, SchemaContext, numbers_in
from .strings import Once

# --- which of several conjunctions an array may still fit, item by item, and whether it can still come to an end

#: Which conjunction; how many items fitted each of its `contains`; which excluded arrays it may still turn out to be.
ArrayBranch = tuple[int, tuple[int, ...], frozenset[int]]
Seen = int  # the items that may not come again, a set of `Listings`
NONE_SEEN: Seen = 0
#: What some items fit, in whatever order: pairs of a key of subschemas, and how many items fit these.
Choices = frozenset[tuple[Any, int]]
#: A place in a search for an end: the branch, how many items there are, what they fit, and whether all can differ.
ArraySearch = tuple[ArrayBranch, int, Choices, bool]


class Arrays:
    """The arrays that fit one of several conjunctions, which are told apart only as far as it matters.

    Attributes:
        branches: those of all arrays, before the first item.
        unique: whether items must differ under some conjunction.
        far: a count of items beyond all prefixes and bounds: from there on, one more changes nothing.
    """

    def __init__(self, context: SchemaContext, conjunctions: Sequence[Conjunction]):
        self.context, self.conjunctions, self.spelling = context, conjunctions, context.spelling
        self.closing = self.spelling.right_bracket
        self.unique = any(conjunction.unique and conjunction.counts[1] not in (0, 1) for conjunction in conjunctions)
        self.excluded = [[value for value in c.excluded if isinstance(value, list)] for c in conjunctions]
        far = 1 + max(max(len(c.prefix), c.counts[0], c.counts[1] or 0, _last_start(c)) for c in conjunctions)
        self.far = max(far, *(1 + len(value) for values in self.excluded for value in values), 0)
        self._made: dict[Any, Items] = {}
        self._ending: set[tuple[ArrayBranch, int]] = set()  # from where they can end, of those that may repeat items
        self.branches: list[ArrayBranch] = [
            (a, (0,) * len(conjunction.contains), frozenset(range(len(self.excluded[a]))))
            for a, conjunction in enumerate(conjunctions)
        ]

    def start(self) -> Node:
        """From the opening bracket on; VOID if there are none."""
        first = self.items(self.branches, 0, NONE_SEEN)
        return VOID if first is VOID else cat(self.spelling.left_bracket, first)

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

    def alive(self, branches: Sequence[ArrayBranch], count: int, seen: Seen) -> tuple[ArrayBranch, ...]:
        """The branches that can come to an end after `count` items."""
        return tuple(dict.fromkeys(branch for branch in branches if self.can_end(branch, count, seen)))

    def can_go_on(self, branch: ArrayBranch, count: int, seen: Seen) -> bool:
        """Whether one more item can come, and the array can end after it."""
        after = min(count + 1, self.far)
        return any(
            self.context.inhabited(subschemas) and self.can_end(then, after, seen)
            for subschemas, then in self.ways(branch, count, seen)
        )

    def ends(self, branch: ArrayBranch, count: int) -> bool:
        """Whether there may be no more items."""
        a, fitted, rivals = branch
        conjunction = self.conjunctions[a]
        low, high = conjunction.counts
        if any(len(self.excluded[a][e]) == count for e in rivals):
            return False
        enough = all(rule.counts[0] <= n for rule, n in zip(conjunction.contains, fitted, strict=True))
        return enough and low <= count and (high is None or count <= high)

    def least(self, branches: Sequence[ArrayBranch], count: int) -> int:
        """A bound on the bytes of the items that must still come."""
        counts = [self.conjunctions[a].counts[0] for a, *_ in branches]
        return 2 * max(0, min(counts) - count)

    # --------------------------------------------------------------------------------------- whether there is a way

    def can_end(self, branch: ArrayBranch, count: int, seen: Seen) -> bool:
        """Whether some items can follow after which there may be no more."""
        conjunction = self.conjunctions[branch[0]]
        high, room = conjunction.counts[1], _Room(self.context, conjunction, self._enough(branch, count), seen)
        todo: list[ArraySearch] = [(branch, count, frozenset(), True)]
        done: set[Any] = set()
        came_from: dict[Any, Any] = {}
        while todo:  # depth first: the end is near, nearly always
            here, n, chosen, is_checked = todo.pop()
            surely = (here, n) in self._ending
            ended = surely or self.ends(here, n)
            if surely or (ended and (is_checked or room.is_enough(chosen))):
                if not conjunction.unique:
                    self._note_ending((here, n), came_from)
                return True
            if not ended and n < room.enough and (high is None or n + self._lacking(here) <= high):
                for way in self._longer(here, n, chosen, room):
                    if way[:3] not in done:
                        done.add(way[:3])
                        came_from.setdefault(way[:2], (here, n))
                        todo.append(way)
                if len(done) > limits.ITEMS_TRIED:
                    refuse(
                        conjunction.path,
                        f"whether items suffice for `contains` is not told by {limits.ITEMS_TRIED:,} counts",
                    )
        return False

    def _note_ending(self, place: Any, came_from: dict[Any, Any]) -> None:
        """Note that arrays can end from a place, and from all on the way to it, where items need not differ."""
        while place is not None and place not in self._ending:
            self._ending.add(place)
            place = came_from.get(place)

    def _longer(self, here: ArrayBranch, n: int, chosen: Choices, room: _Room) -> Iterator[ArraySearch]:
        """Arrays with more items than n: what has to be there comes last."""
        ways = self.ways(here, n, NONE_SEEN)
        for subschemas, after in reversed(ways):
            # where there is but one way, whether all can differ is asked once, at the end of it
            check = self.context.inhabited if len(ways) == 1 else partial(room.there_is_one_more, chosen)
            if check(subschemas):
                repeated = self._repeated(here, n, after)
                for times, then in repeated if len(ways) > 1 else repeated[-1:]:
                    more = room.with_another(chosen, subschemas, times)
                    yield then, n + times, more, times == 1 and len(ways) > 1

    def _repeated(self, branch: ArrayBranch, n: int, after: ArrayBranch) -> list[tuple[int, ArrayBranch]]:
        """Items n, n + 1, … that go one way, of which one leads from `branch` to `after`: one of them; and as many as
        come before the ways are others, where these are two or more. (Counts in schemas may be in the billions.)"""
        (a, fitted, rivals), counts = branch, after[1]
        conjunction = self.conjunctions[a]
        if rivals or n < max(len(conjunction.prefix), _last_start(conjunction)):
            return [(1, after)]
        counted = [(n, conjunction.counts)]
        counted += [
            (m, rule.counts) for m, then, rule in zip(fitted, counts, conjunction.contains, strict=True) if then > m
        ]
        nearest = ((low if m < low else high, m) for m, (low, high) in counted)
        times = min((bound - m for bound, m in nearest if bound is not None), default=1)
        later = tuple(m + times * (then - m) for m, then in zip(fitted, counts, strict=True))
        return [(1, after), (times, (a, later, rivals))] if times > 1 else [(1, after)]

    def _lacking(self, branch: ArrayBranch) -> int:
        """How many items have to come at least: one, and those that a `contains` waits for."""
        rules = zip(self.conjunctions[branch[0]].contains, branch[1], strict=True)
        return max([1, *(rule.counts[0] - fitted for rule, fitted in rules)])

    def _enough(self, branch: ArrayBranch, count: int) -> int:
        """A count of items that no array needs to exceed that goes on from `count` of them."""
        conjunction = self.conjunctions[branch[0]]
        far = max(len(conjunction.prefix), conjunction.counts[0], _last_start(conjunction)) + 1
        far = max(far, *(1 + len(self.excluded[branch[0]][e]) for e in branch[2]), 0)
        return max(far, count) + sum(rule.counts[0] for rule in conjunction.contains)

    def has_few_values(self, branches: Iterable[ArrayBranch], i: int) -> bool:
        """Whether there may be few values for item i."""
        conjunctions = (self.conjunctions[branch[0]] for branch in branches)
        return any(c.contains or self.context.listed(c.item(i)) is not None for c in conjunctions)

    def needed(self, branches: Sequence[ArrayBranch], count: int, seen: Seen) -> int:
        """What the last of `count` items may not be, since a later one has to be it: those before it are `seen`.

        Returns:
            A set of `Listings`.
        """
        choices: dict[int, None] = {}
        for branch in branches:
            conjunction = self.conjunctions[branch[0]]
            if not conjunction.unique:
                continue
            # Only what is no more than the items that have to come can be used up by them.
            last = _last_start(conjunction)
            most = max(conjunction.counts[0], last) - count + sum(rule.counts[0] for rule in conjunction.contains)
            for i in range(count, max(count, len(conjunction.prefix), last) + 1) if most > 0 else ():
                for subschemas, _ in self.ways(branch, i, NONE_SEEN):
                    choices[(self.context.listed_set(subschemas, most + seen.bit_count()) or 0) & ~seen] = None
        needed = 0
        for values in _alike(list(choices), any(branch[2] for branch in branches)):
            if not self.alive(branches, count, seen | (values & -values)):
                needed |= values
        return needed

    def resolved(self, branches: Sequence[ArrayBranch], count: int, seen: Seen, text: bytes) -> Node:
        """What follows an item, and a comma. text: the item, as it is written."""
        written = self.spelling.written(text)
        item = json.loads(written, parse_float=numerals.read, parse_int=numerals.read)
        return self.items(branches, count, seen | self.context.listings.set_of([item]), between=False)

    # ------------------------------------------------------------------------------------------- what may come next

    def ways(self, branch: ArrayBranch, i: int, seen: Seen) -> list[tuple[Subschemas, ArrayBranch]]:
        """What item i may be, and the branch after it; nothing if there is no room for it."""
        a, fitted, rivals = branch
        conjunction = self.conjunctions[a]
        item, high = conjunction.item(i), conjunction.counts[1]
        if high is not None and i >= high:
            return []
        if seen and conjunction.unique:
            item = both(item, (self.context.listings.of_set(seen).negated(),))
        ways = _by_contains(conjunction, i, item, fitted)
        same = {e: self.excluded[a][e][i] for e in sorted(rivals) if len(self.excluded[a][e]) > i}
        if not same:
            return [(subschemas, (a, counts, frozenset())) for subschemas, counts in ways]
        told = self.context.listings.told_apart(same)
        return [(both(subschemas, part), (a, counts, left)) for subschemas, counts in ways for part, left in told]


class _Room:
    """Whether there are values enough for items that must all differ.

    Args:
        enough: so many different values never run out. seen: the items that may not come again.
    """

    def __init__(self, context: SchemaContext, conjunction: Conjunction, enough: int, seen: Seen):
        self.context, self.unique, self.enough, self.seen = context, conjunction.unique, enough, seen
        self._subschemas: dict[Any, Subschemas] = {}  # by key
        self._values: dict[Any, int | None] = {}  # those that are not seen; None if there are enough

    def with_another(self, chosen: Choices, subschemas: Subschemas, more: int) -> Choices:
        """So many more items that fit `subschemas`."""
        if not self.unique:
            return chosen
        key = key_of(subschemas)
        self._subschemas[key] = subschemas
        times = next((n for of, n in chosen if of == key), 0)
        return chosen - {(key, times)} | {(key, times + more)}

    def there_is_one_more(self, chosen: Choices, subschemas: Subschemas) -> bool:
        """Whether there can be items that fit what is `chosen`, and one that fits `subschemas`."""
        if not self.context.inhabited(subschemas):
            return False
        if not self.unique or (not chosen and not self.seen):
            return True
        return self.is_enough(self.with_another(chosen, subschemas, 1))

    def is_enough(self, chosen: Iterable[tuple[Any, int]]) -> bool:
        """Whether there can be items that fit what is `chosen`."""
        sets = [(self._listed(of), n) for of, n in chosen]
        return _can_all_differ([(values, n) for values, n in sets if values is not None])

    def _listed(self, key: Any) -> int | None:
        if key not in self._values:
            values = self.context.listed_set(self._subschemas[key], self.enough + self.seen.bit_count())
            self._values[key] = None if values is None else values & ~self.seen
        return self._values[key]


def _by_contains(
    conjunction: Conjunction, i: int, item: Subschemas, fitted: tuple[int, ...]
) -> list[tuple[Subschemas, tuple[int, ...]]]:
    """What item i may be, told apart by which `contains` it fits; and how many items have fitted each of them then."""
    ways = [(item, fitted)]
    for r, ((part, *_), (low, high), start) in enumerate(conjunction.contains):
        if i < start or (high is None and fitted[r] >= low):
            continue
        more = []
        for subschemas, counts in ways:
            if high is None or counts[r] < high:
                more.append((both(subschemas, (part,)), (*counts[:r], counts[r] + 1, *counts[r + 1 :])))
            more.append((both(subschemas, (part.negated(),)) if high is not None else subschemas, counts))
        ways = more
    return ways


def _last_start(conjunction: Conjunction) -> int:
    """The last item from which on some `contains` counts."""
    return max((rule.start for rule in conjunction.contains), default=0)


def _alike(choices: list[int], each: bool) -> list[int]:
    """The values of some sets, in groups: those of one lie in the same of the sets. each: one by one."""
    if each:
        return [1 << i for i in numbers_in(reduce(or_, choices, 0))]
    groups: list[int] = []
    for values in choices:
        parts = [part for group in groups for part in (group & values, group & ~values) if part]
        new = values & ~reduce(or_, groups, 0)
        groups = [*parts, new] if new else parts
    return groups


def _can_all_differ(choices: list[tuple[int, int]]) -> bool:
    """Whether so many items as each set is given with can have values of it, all different."""
    total, simple = 0, True
    for values, times in sorted(choices, key=lambda choice: choice[0].bit_count()):
        if values.bit_count() < times:
            return False
        total += times
        simple = simple and values.bit_count() >= total
    return simple or _matching([values for values, times in choices for _ in range(times)])


def _matching(choices: list[int]) -> bool:
    """Whether each can have a value of its own (a bipartite matching, by augmenting paths)."""
    every = reduce(or_, choices, 0)
    free, owner, value_of = every, dict[int, int](), dict[int, int]()
    for first in range(len(choices)):
        todo, wanted_by, left = [first], dict[int, int](), every
        for i in todo:  # grows while it is read: breadth first
            if choices[i] & free:
                break
            for value in numbers_in(choices[i] & left):
                wanted_by[value] = i
                todo.append(owner[value])
            left &= ~choices[i]
        else:
            return False
        value = next(numbers_in(choices[i] & free))
        free ^= 1 << value
        while True:  # those on the way leave what they had to the one that wanted it
            former = value_of.get(i)
            owner[value], value_of[i] = i, value
            if former is None:
                break
            value, i = former, wanted_by[former]
    return True


# --- items as nodes of a language


class Items(Part):
    """What follows `count` items, up to the closing bracket."""

    __slots__ = ("arrays", "between", "branches", "count", "seen")
    forgets = ("seen",)

    def __init__(self, arrays: Arrays, branches: tuple[ArrayBranch, ...], count: int, seen: Seen, between: bool):
        self.nullable, self.arrays, self.branches, self.count = False, arrays, branches, count
        self.seen, self.between = seen, between

    def lengths(self) -> Bounds:
        return 1 + self.arrays.least(self.branches, self.count), None

    def unfold(self) -> Iterator[tuple[Node, Node]]:
        arrays, count, context = self.arrays, self.count, self.arrays.context
        if self.between and any(arrays.ends(branch, count) for branch in self.branches):
            yield context.spelling.right_bracket, EMPTY
        lead = context.spelling.comma if count and self.between else context.spelling.space
        ways = (way for branch in self.branches for way in arrays.ways(branch, count, self.seen))
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
                    yield cat(lead, self._beside_unique(value)), following

    def _beside_unique(self, value: Node) -> Node:
        """An item that may come again, marked where other arrays remember theirs: so names in it lie equally deep."""
        plain = isinstance(value, Once) or not self.arrays.context.normalizer.keywords.unique
        return value if plain else Marked(value)

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
            yield cat(lead, Marked(value)), AfterPart(arrays, alive, (count,), seen)
