"""The values of a JSON Schema, one by one, where there are few: what items that must differ can run out of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from ..language.nodes import VOID
from ..language.product import strings
from .conjunction import NUMBERS, Conjunction, Places, canonical, kind_of
from .strings import Strings, decoded_string

if TYPE_CHECKING:
    from .objects import Objects
    from .writer import Writer

SIEVE = 64  # times as many multiples as values are looked for are tried, and no more


class TooMany(Exception):
    """There are more values than somebody wanted to see."""


class Found(NamedTuple):
    """The values that there are; None for more than `most`. `used`: what was taken as it was known so far."""

    most: int
    values: list[Any] | None
    used: frozenset[Any]


class Values:
    """What fits, listed.

    Everything here grows by what is alive: each thing begun can be finished, and in its own way. So the things begun
    count as values, and listing ends as soon as they are too many, however many there are.
    """

    def __init__(self, writer: Writer):
        self.writer = writer
        self._found: dict[Any, Found] = {}
        # Values within themselves are a least fixed point: what is being listed, and what of it was found so far; of
        # those, which were asked for; and what was found with their help, as long as they do not grow.
        self._begun: dict[Any, list[Any]] = {}
        self._used: set[Any] = set()
        self._meanwhile: dict[Any, Found] = {}

    @property
    def listing(self) -> bool:
        """Whether something is being listed."""
        return bool(self._begun)

    def listed(self, places: Places, most: int) -> list[Any] | None:
        """All values that fit all of `places`, one for equal ones; None if there are more than `most`."""
        rest, gone = self.writer.without(places)
        found = self._listed(rest, most + len(gone))
        if found is not None and gone:
            found = [x for x in found if canonical(x) not in gone]
        return found if found is None or len(found) <= most else None

    def _listed(self, places: Places, most: int) -> list[Any] | None:
        key = frozenset(place.key for place in places)
        sought = self.writer.sought
        if key in self._begun:
            self._used.add(key)
            return self._begun[key]
        for known in (self._found.get(key), self._meanwhile.get((key, sought))):
            if known is not None and (known.values is not None or known.most >= most):
                self._used |= known.used
                return known.values
        outer, self._used = self._used, set()
        found: list[Any] | None = None
        grown: list[Any] | None = []
        try:
            while grown is not None and (found is None or len(grown) > len(found)):
                if found is not None:
                    self._meanwhile.clear()
                self._used.discard(key)
                found = self._begun[key] = grown
                grown = self._once(places, most)
                if key not in self._used:
                    break
        finally:
            del self._begun[key]
            self._used.discard(key)
            used, self._used = self._used, outer | self._used
            # What was found with the help of this one may lack what is known now.
            kept = {k: known for k, known in self._meanwhile.items() if key not in known.used}
            self._meanwhile = kept if self._begun else {}
        if not used and not sought:
            self._found[key] = Found(most, grown, frozenset())
        elif self._begun:  # some values may be missing only here, within themselves
            self._meanwhile[key, sought] = Found(most, grown, frozenset(used))
        return grown

    def _once(self, places: Places, most: int) -> list[Any] | None:
        try:
            return self._all(places, most)
        except TooMany:
            return None

    def _all(self, places: Places, most: int) -> list[Any]:
        writer = self.writer
        if not writer.inhabited(places):
            return []
        found: dict[str, Any] = {}
        for conjunction in writer.reader.conjunctions(places):
            for value in self._fitting(conjunction, most):
                found[canonical(value)] = value
            if len(found) > most:
                raise TooMany
        if writer.spells_all:
            return list(found.values())
        return [x for x in found.values() if writer.inhabited((*places, writer.listing([x])))]

    def _fitting(self, conjunction: Conjunction, most: int) -> Iterable[Any]:
        writer = self.writer
        if conjunction.values is not None:
            return [x for x in conjunction.values if writer.fits(x, conjunction)]
        found = [x for x in (None, True, False) if writer.fits(x, conjunction)]
        if conjunction.kinds & NUMBERS:
            found += self._numbers(conjunction, most)
        if "string" in conjunction.kinds:
            found += self._strings(conjunction, most)
        if "array" in conjunction.kinds:
            found += self._arrays(conjunction, most)
        if "object" in conjunction.kinds:
            found += self._objects(conjunction, most)
        return found

    def _numbers(self, conjunction: Conjunction, most: int) -> list[Any]:
        low, high, writer = conjunction.low, conjunction.high, self.writer
        steps = [*conjunction.multiples, *([1] if "fraction" not in conjunction.kinds else [])]
        if low is not None and low == high:
            found = [low]
        elif low is None or high is None or not steps:
            if writer.number(conjunction) is VOID:
                return []
            raise TooMany
        else:
            ratios = [step.as_integer_ratio() for step in steps]
            # The least common multiple of fractions in lowest terms.
            up, down = lcm(*(ratio[0] for ratio in ratios)), gcd(*(ratio[1] for ratio in ratios))
            first, last = ceil(low * down / up), floor(high * down / up)
            excluded = sum(kind_of(x) in NUMBERS for x in conjunction.excluded) + 2  # by open bounds
            if last - first + 1 - excluded > (most * SIEVE if conjunction.not_multiples else most):
                raise TooMany
            found = [Fraction(k * up, down) for k in range(first, last + 1)]
        return [int(x) if x.denominator == 1 else x for x in found if writer.fits(x, conjunction)]

    def _strings(self, conjunction: Conjunction, most: int) -> list[str]:
        what = Strings.of(conjunction)
        found = None if what.endless else strings(decoded_string(what), most)
        if found is None:
            raise TooMany
        return found

    def _arrays(self, conjunction: Conjunction, most: int) -> list[list[Any]]:
        shape, high = self.writer.arrays([conjunction]), conjunction.counts[1]
        found: dict[str, tuple[Any, ...]] = {}
        begun: dict[tuple[str, Any], tuple[Any, ...]] = {("[]", b): () for b in shape.alive(shape.branches, 0, ())}
        count = 0
        while begun:
            found |= {text: items for (text, branch), items in begun.items() if shape.ends(branch, count)}
            more, texts, after = {}, set(found), min(count + 1, shape.far)
            for (text, branch), items in begun.items() if high is None or count < high else ():
                for places, then in shape.ways(branch, count, items):
                    for x in self._each(places, most, shape.hope(then, after, items)):
                        longer = (*items, x)
                        if shape.hope(then, after, longer):
                            written = f"{text[:-1]}{',' if items else ''}{canonical(x)}]"
                            more[written, then] = longer
                            _count(texts, written, most)
            begun, count = more, after
        return [[*items] for items in found.values()]

    def _objects(self, conjunction: Conjunction, most: int) -> list[dict[str, Any]]:
        shape = self.writer.objects([conjunction])
        begun: dict[tuple[str, Any], dict[str, Any]] = {
            ("{}", b): {} for b in shape.alive(shape.branches, 0, 0, frozenset())
        }
        passed, taken = 0, frozenset()

        def named(name: str, ways: Callable[[Any], Iterable[tuple[Places, Any]]], needed: int = 0) -> Any:
            """What is begun, with this name and (unless it is needed) without."""
            more, texts = {}, set()
            for (text, branch), value in begun.items():
                if not needed and shape.hope(branch, passed, min(len(value), shape.far), taken):
                    more[text, branch] = value
                    _count(texts, text, most)
                for places, then in ways(branch):
                    alive = shape.hope(then, passed, min(len(value) + 1, shape.far), taken)
                    for x in self._each(places, most, alive):
                        larger = {**value, name: x}
                        text = canonical(larger)
                        more[text, then] = larger
                        _count(texts, text, most)
            return more

        for i, name in enumerate(shape.names):  # in this order only: so each object is made once
            passed |= 1 << i
            begun = named(name, partial(shape.ways, i=i), shape.required[0] >> i & 1)
        for name in self._undeclared(shape, begun, passed, most):
            taken |= {name}
            begun = named(name, partial(shape.undeclared, name=name))
        return [value for (_, b), value in begun.items() if shape.ends(b, passed, min(len(value), shape.far))]

    @staticmethod
    def _undeclared(shape: Objects, begun: Any, passed: int, most: int) -> list[str]:
        """The undeclared names that what is begun may have."""
        found: set[str] = set()
        for (_, branch), value in begun.items():
            for names, _, then in shape.classes(branch):
                if shape.hope(then, passed, min(len(value) + 1, shape.far), frozenset(), names):
                    if names.count(frozenset(), most + 1) > most:
                        raise TooMany
                    found.update(strings(names.language, most + len(shape.names)) or ())
        return sorted(found.difference(shape.names))

    def _each(self, places: Places, most: int, alive: bool) -> list[Any]:
        """The values of a part, if it can be a part of anything."""
        found = self.listed(places, most) if alive else []
        if found is None:
            raise TooMany
        return found


def _count(texts: set[str], text: str, most: int) -> None:
    texts.add(text)
    if len(texts) > most:
        raise TooMany
