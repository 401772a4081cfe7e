"""Whether any value of a JSON Schema fits; and where there are few, which: items that must differ can run out of these.

Values may lie within values of their own kind. So both answers are a least fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from math import ceil, floor, gcd, lcm
from typing import Any

from ..language.nodes import VOID, Node
from ..language.terms import strings
from . import limits, numerals
from .arrays import NONE_SEEN, ArrayBranch, Arrays
from .conjunction import Conjunction, Subschema, Subschemas, key_of
from .context import SchemaContext
from .object_members import ObjectBranch
from .objects import Objects
from .strings import Strings, decoded_string
from .values_and_keywords import ALL, NUMBERS, canonical

SHORTER = 10  # times: above a power of ten, what Python writes has one place less
SIEVE = 64  # times as many multiples as values are looked for are tried, and no more


class TooMany(Exception):
    """There are more values than somebody wanted to see."""


class LeastFixedPoint:
    """Lists of values that lean on one another, and on themselves: the shortest ones that agree.

    A question that is under way is answered by the values found so far, at first none. So the outermost one is asked in
    rounds, in each of which everything is found out once, until a round finds no more. A list is kept when it leans on
    none that may grow. That there are more values than somebody wants (None) is true however it was found: who asked
    keeps it.

    Attributes:
        under_way: the questions that are being answered.
    """

    def __init__(self) -> None:
        self.under_way: set[Any] = set()
        self._kept: dict[Any, list[Any]] = {}
        self._so_far: dict[Any, list[Any]] = {}
        self._this_round: set[Any] = set()  # what was found out in it, and may grow
        self._leans = False  # whether the answer under way leans on one that may grow
        self._grown = False  # whether this round found more than the one before

    def answer(self, question: Any, find: Callable[..., list[Any] | None], *arguments: Any) -> list[Any] | None:
        """The values that a question asks for; None for more than it wants. find: gives them, and asks others."""
        values = self._kept.get(question)
        if values is not None:
            return values
        if question in self.under_way or question in self._this_round:
            self._leans = True
            return self._so_far.get(question, [])
        if self.under_way:
            return self._once(question, find, *arguments)
        try:
            while True:
                self._leans = self._grown = False
                values = self._once(question, find, *arguments)
                if values is None or not self._leans:
                    return values
                if not self._grown:
                    self._kept |= {one: self._so_far.pop(one) for one in self._this_round}
                    return values
                self._this_round.clear()
        finally:
            self._this_round.clear()

    def _once(self, question: Any, find: Callable[..., list[Any] | None], *arguments: Any) -> list[Any] | None:
        """The values, by what is known in this round."""
        leans_before, self._leans = self._leans, False
        self.under_way.add(question)
        try:
            values = find(*arguments)
        finally:
            self.under_way.discard(question)
        if values is None:
            self._grown, self._leans = True, leans_before
        elif not self._leans:
            self._kept[question], self._leans = values, leans_before
        else:
            self._this_round.add(question)
            self._grown = self._grown or len(values) > len(self._so_far.get(question, ()))
            self._so_far[question] = values
        return values


class Enumeration:
    """Whether there are values that fit, and which.

    What is listed grows by what is alive: each thing begun can be finished, and in its own way. So the things begun
    count as values, and listing ends as soon as they are too many, however many there are.

    Args:
        context: what the parts of a schema's language know of the whole.
        arrays, objects: give the arrays, and the objects, that fit one of some conjunctions.
        start: gives their texts, by "array" or "object"; VOID if there are none.
    """

    def __init__(
        self,
        context: SchemaContext,
        arrays: Callable[[list[Conjunction]], Arrays],
        objects: Callable[[list[Conjunction]], Objects],
        start: Callable[[str, list[Conjunction]], Node],
    ):
        self.context, self._arrays_of, self._objects_of, self._start = context, arrays, objects, start
        self._fixed_point = LeastFixedPoint()
        self.under_way = self._fixed_point.under_way
        self._more_than: dict[Any, int] = {}  # by the keys of subschemas: than so many values there are more
        self._surely: dict[Any, bool] = {}  # by the keys of single subschemas
        self._sets: dict[Any, tuple[list[Any], int]] = {}  # what was listed as sets, by the keys of subschemas

    # ------------------------------------------------------------------------------------------ whether there are any

    def inhabited(self, subschemas: Subschemas) -> bool:
        """Whether some value fits all of `subschemas`."""
        if not subschemas:
            return True
        if len(subschemas) == 1 and self.context.spelling.complete:
            surely = self._surely.get(subschemas[0].key)
            if surely is None:
                surely = self._surely[subschemas[0].key] = self._surely_inhabited(subschemas[0])
            if surely:
                return True
        key = key_of(subschemas)
        if key not in self._more_than:
            if self._fixed_point.answer(key, self._none_but_some, subschemas) is not None:
                return False
            self._more_than.setdefault(key, 0)
        return True

    def _none_but_some(self, subschemas: Subschemas) -> list[Any] | None:
        """No values; None if there are more than that."""
        others, excluded = self.context.listings.without_excluded(subschemas)
        if excluded:
            values = self.listed_set(others, excluded.bit_count())
            return None if values is None or values & ~excluded else []
        for conjunction in self.context.normalizer.conjunctions(subschemas):
            if self._possible(conjunction):
                return None
        return []

    def _possible(self, conjunction: Conjunction) -> bool:
        """Whether some value fits one conjunction."""
        if self.context.scalars.possible(conjunction):
            return True
        for kind in ("array", "object"):
            if kind in conjunction.kinds and self._start(kind, [conjunction]) is not VOID:
                return True
        return False

    def _surely_inhabited(self, subschema: Subschema) -> bool:
        """Whether some value fits one schema, seen at a glance."""
        if isinstance(subschema.schema, bool):
            return subschema.schema is subschema.fits
        if not subschema.fits:
            return False
        schema_object = self.context.normalizer.keywords.read(subschema)
        conjunction = schema_object.conjunction
        if schema_object.lists_compounds:
            return True
        if schema_object.combined or schema_object.compounds or conjunction.values is not None or conjunction.excluded:
            return False
        kinds = conjunction.kinds if not conjunction.mentioned or conjunction.kinds != ALL else conjunction.mentioned
        return any(_surely_some(kind, conjunction) for kind in kinds)

    # ------------------------------------------------------------------------------------------------ which there are

    def listed(self, subschemas: Subschemas, most: int = limits.FEW_VALUES) -> list[Any] | None:
        """All values that fit all of `subschemas`, one for equal ones; None if there are more than `most`."""
        others, excluded = self.context.listings.without_excluded(subschemas)
        values = self._values(others, most + excluded.bit_count())
        if values is not None and excluded:
            set_of = self.context.listings.set_of
            values = [x for x in values if not set_of([x]) & excluded]
        return values if values is None or len(values) <= most else None

    def listed_set(self, subschemas: Subschemas, most: int = limits.FEW_VALUES) -> int | None:
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

    def _values(self, subschemas: Subschemas, most: int) -> list[Any] | None:
        """All values that fit subschemas which exclude no single values."""
        key = key_of(subschemas)
        if most <= self._more_than.get(key, -1):
            return None
        most = 1 << (most - 1).bit_length()  # who asks for ever more asks seldom
        values = self._fixed_point.answer((key, "all"), self._all, subschemas, most)
        if values is None:
            self._more_than[key] = most
        return values

    def _all(self, subschemas: Subschemas, most: int) -> list[Any] | None:
        context, values = self.context, dict[str, Any]()
        try:
            for conjunction in context.normalizer.conjunctions(subschemas):
                for value in self._fitting(conjunction, most):
                    values[canonical(value)] = value
                if len(values) > most:
                    return None
        except TooMany:
            return None
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
        shape, set_of, count = self._arrays_of([conjunction]), self.context.listings.set_of, 0
        finished: dict[str, tuple[Any, ...]] = {}
        begun: dict[tuple[str, ArrayBranch], tuple[Any, ...]] = {
            ("[]", branch): () for branch in shape.alive(shape.branches, 0, NONE_SEEN)
        }
        while begun:
            finished |= {text: items for (text, branch), items in begun.items() if shape.ends(branch, count)}
            texts, after, longer = set(finished), min(count + 1, shape.far), dict[Any, tuple[Any, ...]]()
            for (text, branch), items in begun.items():
                seen = set_of(items)
                for subschemas, then in shape.ways(branch, count, seen):
                    for x in self._each(subschemas, most, shape.can_end(then, after, seen)):
                        if shape.can_end(then, after, seen | set_of([x])):
                            written = f"{text[:-1]}{',' if items else ''}{canonical(x)}]"
                            longer[written, then] = (*items, x)
                            _count(texts, written, most)
            begun, count = longer, after
        return [[*items] for items in finished.values()]

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


# --- whether some value fits, seen at a glance

LARGE = 10**15  # integers up to here are written in every way


def _surely_some(kind: str, conjunction: Conjunction) -> bool:
    """Whether some value of a kind fits, seen at a glance."""
    if kind == "string":
        return conjunction.contents is None and Strings.of(conjunction).surely_some
    if kind in NUMBERS:
        return not conjunction.restricts_numbers or _surely_wide(conjunction)
    if kind == "array":
        return conjunction.counts[0] == 0 and not conjunction.contains
    if kind == "object":
        return not conjunction.required and conjunction.sizes[0] == 0 and not conjunction.exists
    return True  # null, boolean


def _surely_wide(conjunction: Conjunction) -> bool:
    """Whether there are integers and fractions within bounds, seen at a glance."""
    low, high = conjunction.low, conjunction.high
    if conjunction.multiples or conjunction.not_multiples or any(x and abs(x) > LARGE for x in (low, high)):
        return False
    return low is None or high is None or high - low > 1
