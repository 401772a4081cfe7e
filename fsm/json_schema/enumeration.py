"""The values of a JSON Schema, one by one, where there are few: what items that must differ can run out of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from math import ceil, floor, gcd, lcm
from typing import Any, NamedTuple

from ..language.nodes import VOID
from ..language.terms import strings
from . import numerals
from .arrays import NONE_SEEN, ArrayBranch, ArrayBranches
from .conjunction import NUMBERS, SCALARS, Conjunction, Subschemas, canonical, key_of
from .context import FEW_VALUES, SchemaContext
from .objects import Objects
from .strings import Strings, decoded_string
from .undeclared_names import ObjectBranch

SHORTER = 10  # times: above a power of ten, what Python writes has one place less
SIEVE = 64  # times as many multiples as values are looked for are tried, and no more


class TooMany(Exception):
    """There are more values than somebody wanted to see."""


class Listed(NamedTuple):
    """The values that there are; None for more than `most`. used: the keys whose unfinished values were used."""

    most: int
    values: list[Any] | None
    used: frozenset[Any]


class SoFar(NamedTuple):
    """Values that were found; and a number than which there are more."""

    values: list[Any]
    more_than: int

    def within(self, most: int) -> list[Any] | None:
        """The values; None if there are more than `most`."""
        return None if most <= self.more_than else self.values


NOTHING_YET = SoFar([], -1)


class Enumeration:
    """The values that fit, listed.

    Everything here grows by what is alive: each thing begun can be finished, and in its own way. So the things begun
    count as values, and listing ends as soon as they are too many, however many there are.

    Args:
        context: what the parts of a schema's language know of the whole.
        arrays, objects: give the arrays, and the objects, that fit one of some conjunctions.

    Attributes:
        begun: the keys of what is being listed.
    """

    def __init__(
        self,
        context: SchemaContext,
        arrays: Callable[[list[Conjunction]], ArrayBranches],
        objects: Callable[[list[Conjunction]], Objects],
    ):
        self.context, self._arrays_of, self._objects_of = context, arrays, objects
        self._listed: dict[Any, Listed] = {}
        self._sets: dict[Any, tuple[list[Any], int]] = {}  # the same values as sets, by the same keys
        # Values within themselves are a least fixed point, found in rounds: what is being listed; which of that was
        # asked for; what was found in this round; and in all so far, and how often that grew.
        self.begun: set[Any] = set()
        self._used: set[Any] = set()
        self._this_round: dict[Any, Listed] = {}
        self._so_far: dict[Any, SoFar] = {}
        self._grown = 0

    def listed(self, subschemas: Subschemas, most: int = FEW_VALUES) -> list[Any] | None:
        """All values that fit all of `subschemas`, one for equal ones; None if there are more than `most`."""
        others, excluded = self.context.listings.without_excluded(subschemas)
        values = self._values(others, most + excluded.bit_count())
        if values is not None and excluded:
            set_of = self.context.listings.set_of
            values = [x for x in values if not set_of([x]) & excluded]
        return values if values is None or len(values) <= most else None

    def listed_set(self, subschemas: Subschemas, most: int = FEW_VALUES) -> int | None:
        """The set, by `Listings`, of all values that fit all of `subschemas`; None if there are more than `most`."""
        others, excluded = self.context.listings.without_excluded(subschemas)
        values = self._values(others, most + excluded.bit_count())
        if values is None:
            return None
        key = key_of(others)
        listed, members = self._sets.get(key, (None, 0))
        if listed is not values:
            members = self.context.listings.set_of(values)
            self._sets[key] = values, members
        members &= ~excluded
        return members if members.bit_count() <= most else None

    # ------------------------------------------------------------------------------------- values within themselves

    def _values(self, subschemas: Subschemas, most: int) -> list[Any] | None:
        """All values that fit subschemas which exclude no single values. The outermost call works in rounds.

        In a round everything is listed once, with what the round before found of that within which it is listed.
        """
        key = key_of(subschemas)
        if key in self.begun:
            self._used.add(key)
            return self._so_far.get(key, NOTHING_YET).within(most)
        sought = frozenset() if self._only_scalars(subschemas) else self.context.searched_for
        for earlier in (self._listed.get(key), self._this_round.get((key, sought))):
            if earlier is not None and (earlier.values is not None or earlier.most >= most):
                self._used |= earlier.used
                return earlier.values
        most = 1 << (most - 1).bit_length()  # who asks for ever more asks seldom
        used_before, values = self._used, None
        self.begun.add(key)
        try:
            values = self._in_rounds(key, subschemas, most)
        finally:
            self.begun.discard(key)
            leans_on = self._used & self.begun
            self._used = leans_on | used_before
            self._end(key, None if values is None else leans_on)
        self._keep(key, sought, Listed(most, values, frozenset(leans_on)))
        return values

    def _in_rounds(self, key: Any, subschemas: Subschemas, most: int) -> list[Any] | None:
        """All values that fit. A schema that contains itself, and only itself, is listed until a round adds none."""
        while True:
            self._used, grown_before = set(), self._grown
            try:
                values = self._all(subschemas, most)
            except TooMany:
                values = None
            self._note(key, most, values)
            only_itself = self._used & self.begun == {key}
            if values is None or not only_itself or self._grown == grown_before:
                return values
            # What was found with the values of the round before may be more now.
            self._this_round = {k: listed for k, listed in self._this_round.items() if key not in listed.used}

    def _keep(self, key: Any, sought: frozenset[Any], listed: Listed) -> None:
        """Keep what was found: for good, or for this round if some values may be missing only here."""
        if listed.values is None or (not listed.used and not sought):
            self._listed[key] = listed._replace(used=frozenset())  # that there are more is true however it was found
        elif self.begun:
            self._this_round[key, sought] = listed

    def _end(self, key: Any, used: set[Any] | None) -> None:
        """What was found in this round with the help of a key leans on what that one used; None: it lacks values."""
        this_round, self._this_round = self._this_round, {}
        for k, listed in this_round.items() if self.begun else ():
            if key not in listed.used:
                self._this_round[k] = listed
            elif used is not None:
                self._this_round[k] = listed._replace(used=listed.used - {key} | used)

    def _note(self, key: Any, most: int, values: list[Any] | None) -> None:
        """Note the values that were found (None: more than `most`), if they are more than before."""
        before = self._so_far.get(key, NOTHING_YET)
        if values is None:
            after = before._replace(more_than=max(before.more_than, most))
        else:
            after = before._replace(values=max(before.values, values, key=len))
        self._grown += after.more_than > before.more_than or after.values is not before.values
        self._so_far[key] = after

    def _only_scalars(self, subschemas: Subschemas) -> bool:
        """Whether only scalars fit, and are spelled: then it depends on nothing else whether there are some."""
        conjunctions = self.context.normalizer.conjunctions(subschemas)
        return self.context.spelling.spells_all and all(conjunction.kinds <= SCALARS for conjunction in conjunctions)

    def _all(self, subschemas: Subschemas, most: int) -> list[Any]:
        context = self.context
        if not self._only_scalars(subschemas) and not context.inhabited(subschemas):
            return []
        values: dict[str, Any] = {}
        for conjunction in context.normalizer.conjunctions(subschemas):
            for value in self._fitting(conjunction, most):
                values[canonical(value)] = value
            if len(values) > most:
                raise TooMany
        if context.spelling.complete:
            return list(values.values())
        return [x for x in values.values() if context.inhabited((*subschemas, context.listings.of([x])))]

    # --------------------------------------------------------------------------------------- the values of each kind

    def _fitting(self, conjunction: Conjunction, most: int) -> Iterable[Any]:
        fits = self.context.scalars.fits
        if conjunction.values is not None:
            return self.context.scalars.fitting(conjunction)
        values: list[Any] = [x for x in (None, True, False) if fits(x, conjunction)]
        if conjunction.kinds & NUMBERS:
            values += self._numbers(conjunction, most)
        if "string" in conjunction.kinds:
            values += self._strings(conjunction, most)
        if "array" in conjunction.kinds:
            values += self._arrays(conjunction, most)
        if "object" in conjunction.kinds:
            values += self._objects(conjunction, most)
        return values

    def _numbers(self, conjunction: Conjunction, most: int) -> list[Any]:
        low, high, scalars = conjunction.low, conjunction.high, self.context.scalars
        steps = [*conjunction.multiples, *([1] if "fraction" not in conjunction.kinds else [])]
        given, steps = len(steps), steps + self._steps_of_python(conjunction)
        if low is not None and low == high:
            numbers = [low]
        elif low is None or high is None or not steps:
            if scalars.number(conjunction) is VOID:
                return []
            raise TooMany
        else:
            times = SIEVE if conjunction.not_multiples else SHORTER if len(steps) > given else 1
            excluded = len(conjunction.excluded) + 2  # by open bounds
            numbers = _multiples_between(low, high, steps, most * times + excluded)
        fitting = (x for x in numbers if scalars.fits(x, conjunction) and scalars.writes(x, conjunction))
        return [int(x) if x.denominator == 1 else x for x in fitting]

    def _steps_of_python(self, conjunction: Conjunction) -> list[Fraction]:
        """What fractions between bounds are multiples of as well, if they are to be as Python writes them."""
        low, high, python = conjunction.low, conjunction.high, self.context.spelling.texts.plain
        if not python or "fraction" not in conjunction.kinds or low is None or high is None:
            return []
        step = numerals.python_step(low, high)
        return [] if step is None else [step]

    def _strings(self, conjunction: Conjunction, most: int) -> list[str]:
        if conjunction.contents is not None:
            raise TooMany  # nearly always
        conditions = Strings.of(conjunction)
        texts = None if conditions.endless else strings(decoded_string(conditions), most)
        if texts is None:
            raise TooMany
        return texts

    def _arrays(self, conjunction: Conjunction, most: int) -> list[list[Any]]:
        shape = self._arrays_of([conjunction])
        finished: dict[str, tuple[Any, ...]] = {}
        begun: dict[tuple[str, ArrayBranch], tuple[Any, ...]] = {
            ("[]", branch): () for branch in shape.alive(shape.branches, 0, NONE_SEEN)
        }
        count = 0
        while begun:
            finished |= {text: items for (text, branch), items in begun.items() if shape.ends(branch, count)}
            begun = self._one_more_item(shape, begun, count, set(finished), most)
            count = min(count + 1, shape.far)
        return [[*items] for items in finished.values()]

    def _one_more_item(
        self,
        shape: ArrayBranches,
        begun: dict[tuple[str, ArrayBranch], tuple[Any, ...]],
        count: int,
        texts: set[str],
        most: int,
    ) -> dict[tuple[str, ArrayBranch], tuple[Any, ...]]:
        """The arrays that are begun, with one more item each. texts: of what counts against `most`."""
        after, high = min(count + 1, shape.far), shape.conjunctions[0].counts[1]
        longer: dict[tuple[str, ArrayBranch], tuple[Any, ...]] = {}
        if high is not None and count >= high:
            return longer
        set_of = self.context.listings.set_of
        for (text, branch), items in begun.items():
            seen = set_of(items)
            for subschemas, then in shape.ways(branch, count, seen):
                for x in self._each(subschemas, most, shape.can_end(then, after, seen)):
                    if shape.can_end(then, after, seen | set_of([x])):
                        written = f"{text[:-1]}{',' if items else ''}{canonical(x)}]"
                        longer[written, then] = (*items, x)
                        _count(texts, written, most)
        return longer

    def _objects(self, conjunction: Conjunction, most: int) -> list[dict[str, Any]]:
        shape = self._objects_of([conjunction])
        begun: dict[tuple[str, ObjectBranch], dict[str, Any]] = {
            ("{}", branch): {} for branch in shape.alive(shape.branches, 0, 0, frozenset())
        }
        passed, taken = 0, frozenset()

        def named(
            name: str,
            ways: Callable[[Any], Iterable[tuple[Subschemas, Any]]],
            without: Callable[[Any], Iterable[Any]] = lambda branches: branches,
        ) -> Any:
            """What is begun, with this name and (unless it is needed) without."""
            more, texts = {}, set()
            for (text, branch), value in begun.items():
                for other in without((branch,)):
                    if shape.can_end(other, passed, min(len(value), shape.far), taken):
                        more[text, other] = value
                        _count(texts, text, most)
                for subschemas, then in ways(branch):
                    alive = shape.can_end(then, passed, min(len(value) + 1, shape.far), taken)
                    for x in self._each(subschemas, most, alive):
                        larger = {**value, name: x}
                        text = canonical(larger)
                        more[text, then] = larger
                        _count(texts, text, most)
            return more

        for i, name in enumerate(shape.names):  # in this order only: so each object is made once
            passed |= 1 << i
            begun = named(name, partial(shape.ways, i=i), partial(shape.passing_over, i=i))
        for name in self._undeclared(shape, begun, passed, most):
            taken |= {name}
            begun = named(
                name, lambda branch, name=name: [x[1:] for x in shape.undeclared(branch) if x.names.has(name)]
            )
        return [value for (_, b), value in begun.items() if shape.ends(b, passed, min(len(value), shape.far))]

    @staticmethod
    def _undeclared(shape: Objects, begun: Any, passed: int, most: int) -> list[str]:
        """The undeclared names that what is begun may have."""
        undeclared: set[str] = set()
        for (_, branch), value in begun.items():
            for names, _, then in shape.undeclared(branch):
                if shape.can_end(then, passed, min(len(value) + 1, shape.far), shape.with_one(frozenset(), names)):
                    if names.count(frozenset(), most + 1) > most:
                        raise TooMany
                    undeclared.update(strings(names.language, most + len(shape.names)) or ())
        return sorted(undeclared.difference(shape.names))

    def _each(self, subschemas: Subschemas, most: int, alive: bool) -> list[Any]:
        """The values of a part, if it can be a part of anything."""
        values = self.listed(subschemas, most) if alive else []
        if values is None:
            raise TooMany
        return values


def _multiples_between(low: Fraction, high: Fraction, steps: list[Any], most: int) -> list[Fraction]:
    """The numbers from `low` to `high` that are multiples of all the steps.

    Raises:
        TooMany: there are more than `most`.
    """
    ratios = [step.as_integer_ratio() for step in steps]
    # The least common multiple of fractions in lowest terms.
    up, down = lcm(*(ratio[0] for ratio in ratios)), gcd(*(ratio[1] for ratio in ratios))
    first, last = ceil(low * down / up), floor(high * down / up)
    if last - first + 1 > most:
        raise TooMany
    return [Fraction(k * up, down) for k in range(first, last + 1)]


def _count(texts: set[str], text: str, most: int) -> None:
    texts.add(text)
    if len(texts) > most:
        raise TooMany
