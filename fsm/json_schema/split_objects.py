"""Objects whose properties are split by conditions: into those whose values, or names, meet one, and the others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID
from . import limits
from .conjunction import Conjunction, Subschema, Subschemas, both, key_of
from .context import SchemaContext, numbers_in
from .formulas import Bits
from .object_names import DeclaredNames
from .objects import Objects


class Condition:
    """Something that a value fits or not; or a name, if `of_name`. Compared by identity."""

    __slots__ = ("key", "of_name", "subschemas")

    def __init__(self, subschemas: Subschemas, of_name: bool):
        self.key, self.subschemas, self.of_name = key_of(subschemas), subschemas, of_name


class Says(NamedTuple):
    """What a leaf says of one property: what it has to fit; and what it fits if it is one of those that must exist."""

    must: tuple[Condition, ...]
    exists: tuple[tuple[int, tuple[Condition, ...]], ...] = ()


class Undivided(NamedTuple):
    """Properties on which some leaves are not decided yet: a cell in the making.

    Attributes:
        names, subschemas: what their names and their values fit.
        truth: for each condition that is decided, whether they meet it.
    """

    names: Subschemas = ()
    subschemas: Subschemas = ()
    truth: Mapping[Condition, bool] = {}

    def divided(self, condition: Condition, met: bool, fitting: Subschemas) -> Undivided:
        """The properties among these that meet a condition, or do not. fitting: what their names or values fit then."""
        names, subschemas = (fitting, self.subschemas) if condition.of_name else (self.names, fitting)
        return Undivided(names, subschemas, {**self.truth, condition: met})


class SplitObjects(Objects):
    """Objects whose properties are split by conditions."""

    def __init__(self, context: SchemaContext, conjunctions: Sequence[Conjunction], names: DeclaredNames):
        super().__init__(context, conjunctions, names)
        self.generates = context.normalizer.keywords.for_generation
        self._negations: dict[Any, Subschemas | None] = {}
        self._first: dict[Any, Subschema] = {}  # by the keys of positive subschemas
        self._texts: dict[Any, Subschema] = {}
        self._conditions: dict[Any, tuple[Condition]] = {}

    def _without_copies(self, subschemas: Subschemas) -> Subschemas:
        """The subschemas, one for all that have equal texts: alternatives often hold copies of one."""
        return tuple({(one := self._first_like(subschema)).key: one for subschema in subschemas}.values())

    def _first_like(self, subschema: Subschema) -> Subschema:
        if subschema.resource is None:  # made here: its text does not say all
            return subschema
        first = self._first.get(subschema.key[0])
        if first is None:
            text = (json.dumps(subschema.schema, sort_keys=True), id(subschema.resource))
            first = self._texts.setdefault(text, subschema if subschema.fits else subschema.negated())
            self._first[subschema.key[0]] = first
        return first if subschema.fits else first.negated()

    def _of(self, subschemas: Subschemas, of_name: bool = False) -> tuple[Condition, ...]:
        """The condition to fit all of these, if it is one: the same object for the same."""
        if not subschemas:
            return ()
        subschemas = self._without_copies(subschemas)
        key = (key_of(subschemas), of_name)
        if key not in self._conditions:
            self._conditions[key] = (Condition(subschemas, of_name),)
        return self._conditions[key]

    def _split(
        self, so_far: Subschemas, condition: Condition, must: bool, patterns: frozenset[str]
    ) -> list[tuple[bool, Subschemas]]:
        """Values (or names) that fit so much, split by a condition: whether they fit it, and what they fit then."""
        keys = key_of(so_far)
        if condition.key <= keys:
            return [(True, so_far)]
        fitting = both(so_far, condition.subschemas)
        fits = self._some(fitting, condition.of_name, patterns)
        if must:
            return [(True, fitting)] if fits else []
        if not fits:
            return [(False, so_far)]
        negation = self._negated(condition.subschemas)
        if negation is None or not self._complementary(condition, negation):  # these may fit it, too
            return [(True, fitting), (False, so_far)]
        if key_of(negation) <= keys:
            return [(False, so_far)]
        others = both(so_far, negation)
        return [(True, fitting), *([(False, others)] if self._some(others, condition.of_name, patterns) else [])]

    def _some(self, subschemas: Subschemas, of_name: bool, patterns: frozenset[str]) -> bool:
        """Whether some value fits, or some undeclared name that matches some patterns and no others."""
        if not of_name:
            return self.context.inhabited(subschemas)
        names = self.free_names.names_of(patterns, subschemas)
        return names.anything or (names.language is not VOID and names.count(frozenset(), 1) > 0)

    def _complementary(self, condition: Condition, negation: Subschemas) -> bool:
        """Whether each value fits a condition or its negation: for generation, both may leave out values."""
        if not self.generates or condition.of_name:
            return True
        exact = self.context.normalizer.is_exact
        return exact(condition.subschemas) and exact(negation)

    def _negated(self, subschemas: Subschemas) -> Subschemas | None:
        """What fits not all of these; None if that is not supported, or long."""
        key = key_of(subschemas)
        if key not in self._negations:
            normalizer = self.context.normalizer
            negations = [subschema.negated() for subschema in subschemas]
            negation = (negations[0] if len(negations) == 1 else normalizer.keywords.either(negations),)
            try:
                few = len(normalizer.conjunctions(negation)) <= limits.FEW_NEGATED
            except ConstraintError:
                few = False
            self._negations[key] = negation if few else None
        return self._negations[key]

    def _constants_apart(self, says: Mapping[int, Says | None]) -> list[Undivided]:
        """All properties, split by the constants that conditions name; nothing if these are few."""
        conditions = dict.fromkeys(one for of_leaf in says.values() if of_leaf for one in of_leaf.must)
        listed = [(one, *values) for one in conditions if (values := self._constants_of(one))]
        if len(listed) < limits.MANY_LISTED:
            return []
        fitted: dict[int, Bits] = {}  # by the number of a constant, the conditions that list it
        for k, (_, constants, _) in enumerate(listed):
            for number in numbers_in(constants):
                fitted[number] = fitted.get(number, 0) | 1 << k
        groups: dict[Bits, int] = {}
        for number, by in fitted.items():
            groups[by] = groups.get(by, 0) | 1 << number
        of_set, every = self.context.listings.of_set, sum(groups.values())
        ways = [(by, of_set(constants)) for by, constants in groups.items()] + [(0, of_set(every).negated())]
        return [
            Undivided((), (values,), {one: (by >> k & 1) == fits for k, (one, _, fits) in enumerate(listed)})
            for by, values in reversed(ways)
            if self.context.inhabited((values,))
        ]

    def _constants_of(self, condition: Condition) -> tuple[int, bool] | None:
        """A set of constants, and whether these are all that fit a condition, or all that do not; None if neither."""
        normalizer, negation = self.context.normalizer, self._negated(condition.subschemas)
        for subschemas, fits in ((condition.subschemas, True), (negation, False)):
            if subschemas and not condition.of_name and negation and self._complementary(condition, negation):
                conjunctions = normalizer.conjunctions(subschemas)
                if conjunctions and all(one.values is not None for one in conjunctions):
                    constants = (x for one in conjunctions for x in self.context.scalars.fitting(one))
                    return self.context.listings.set_of(constants), fits
        return None
