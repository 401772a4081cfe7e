"""A conjunction with factors (see `factors.py`) as a formula: which of its conjunctions can still hold, and matter.
And objects whose properties are split by conditions: both are what an `ObjectProduct` is made of.

Each conjunction is a leaf, by number, and a set of leaves is an int, of one bit each. So are the factors.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID
from . import limits
from .conjunction import NEVER, Conjunction, Exists, Keys, Subschema, Subschemas, both, key_of, refuse
from .context import SchemaContext, numbers_in
from .factors import adds_names_to
from .object_names import DeclaredNames
from .objects import Objects

#: Leaves, or factors, by number: a set of bits.
Bits = int


class Alive(NamedTuple):
    """What can still hold of a formula, and matters.

    Attributes:
        leaves: these. settled: the factors that hold in any case.
        missing: which `exists` of these leaves are still to come: pairs of a leaf, and its number there.
    """

    leaves: Bits
    settled: Bits = 0
    missing: frozenset[tuple[int, int]] = frozenset()


class Factor(NamedTuple):
    """Alternatives, of which one holds.

    Attributes:
        settled: the bit of its number.
        alternatives, deep: all of them; and those that have factors. plain: the leaves of the others.
        quiet: whether it does not matter which alternative holds, once one does for sure.
        demands: whether each alternative requires some property: these are chosen before others.
        leaves, factors: the leaves of it and of all within it; and it and the factors within it.
    """

    settled: Bits
    alternatives: tuple[Alternative, ...]
    deep: tuple[Alternative, ...]
    plain: Bits
    quiet: bool
    demands: bool
    leaves: Bits
    factors: Bits


class Alternative(NamedTuple):
    """A conjunction (by its index among the leaves, without its factors), and its factors."""

    leaf: int
    factors: tuple[Factor, ...]


class Chosen(NamedTuple):
    """Leaves that are to hold together. required, needed: the names that they ask for; and those that have to come."""

    leaves: Bits = 0
    required: int = 0
    needed: int = 0
    low: int = 0
    high: int | None = None


Add = Callable[[Chosen, int], Chosen | None]


class Formula:
    """A conjunction with factors, which may have factors.

    Args:
        for_generation: see `KeywordReader`. Then it matters which names an alternative declares.

    Attributes:
        leaves: the conjunctions that it is made of, without factors. Each is there once.
        root: the formula: the first leaf, and one alternative of each of its factors, and so on.
    """

    def __init__(self, conjunction: Conjunction, for_generation: bool):
        self.leaves: list[Conjunction] = []
        self._base, self._for_generation = conjunction, for_generation
        self._made: dict[Any, Alternative] = {}  # by the conjunction
        self._factors: dict[Any, Factor] = {}  # by the conjunctions
        self.root = self._alternative(conjunction)
        self._matters_within = lru_cache(limits.KEPT)(self._of_factor)

    def _alternative(self, conjunction: Conjunction) -> Alternative:
        made = self._made.get(conjunction)
        if made is None:
            leaf = len(self.leaves)
            self.leaves.append(conjunction.but(factors=()))
            factors = {factor.settled: factor for factor in map(self._factor, conjunction.factors)}
            made = self._made[conjunction] = Alternative(leaf, tuple(factors.values()))
        return made

    def _factor(self, conjunctions: tuple[Conjunction, ...]) -> Factor:
        factor = self._factors.get(conjunctions)
        if factor is None:
            quiet = not self._for_generation or not any(adds_names_to(self._base, one) for one in conjunctions)
            alternatives = tuple(map(self._alternative, conjunctions))
            demands, settled = all(one.required for one in conjunctions), 1 << len(self._factors)
            plain = sum({1 << one.leaf for one in alternatives if not one.factors})
            deep, leaves, factors = tuple(one for one in alternatives if one.factors), plain, settled
            for one in deep:
                leaves |= 1 << one.leaf
                for inner in one.factors:
                    leaves, factors = leaves | inner.leaves, factors | inner.factors
            factor = Factor(settled, alternatives, deep, plain, quiet, demands, leaves, factors)
            self._factors[conjunctions] = factor
        return factor

    def holds(self, leaves: Bits, settled: Bits) -> bool:
        """Whether the formula holds, if some leaves do, and some factors in any case."""
        return _Answers(leaves, settled).holds(self.root)

    def relevant(self, leaves: Bits, settled: Bits, surely: Bits) -> tuple[Bits, Bits, Bits] | None:
        """What it depends on whether the formula holds.

        Args:
            leaves: the ones that can hold. settled: the factors that hold in any case.
            surely: the leaves that hold for sure.

        Returns:
            The leaves, the factors that are settled, and the leaves that have to hold. None if it cannot hold. A factor
            is settled, too, if an alternative of it has to hold because of another one.
        """
        relevant = needed = held = 1 << self.root.leaf  # held: what others have to hold by themselves
        if not leaves & held:
            return None
        over, left = 0, list[tuple[Factor, Bits, Bits]]()
        for i, factor in enumerate(self.root.factors):
            if settled & factor.settled or (factor.quiet and factor.plain & (surely | held)):
                over |= factor.settled
            elif factor.deep:
                of_leaves = leaves & factor.leaves, settled & factor.factors, surely & factor.leaves
                matters = self._matters_within(i, *of_leaves)
                if matters is None:
                    return None
                left.append((factor, *matters[:2]))
                needed |= matters[2]
            else:
                of_factor = leaves & factor.plain
                if not of_factor:
                    return None
                if of_factor & (of_factor - 1):
                    left.append((factor, of_factor, 0))
                else:
                    relevant, held = relevant | of_factor, held | of_factor
        for factor, of_factor, over_within in left:
            if factor.quiet and factor.plain & held:
                over |= factor.settled
            else:
                relevant, over = relevant | of_factor, over | over_within
        return relevant, over, needed | held

    def _of_factor(self, i: int, leaves: Bits, settled: Bits, surely: Bits) -> tuple[Bits, Bits, Bits] | None:
        """What matters of factor i of the root, which depends on its own leaves only. surely: those that hold."""
        whole = self.root.factors[i]
        can, sure = _Answers(leaves, settled), _Answers(surely, settled)
        if not can.some(whole):
            return None
        relevant = over = needed = 0
        todo, seen = [(whole, True)], set[tuple[int, bool]]()
        while todo:
            factor, must_hold = todo.pop()
            if factor.settled & settled or (factor.quiet and any(map(sure.holds, factor.alternatives))):
                over |= factor.settled
                continue
            possible = [one for one in factor.alternatives if can.holds(one)]
            must_hold = must_hold and len(possible) == 1
            for one in possible:
                if (one.leaf, must_hold) not in seen:
                    seen.add((one.leaf, must_hold))
                    relevant |= 1 << one.leaf
                    needed |= must_hold << one.leaf
                    todo += ((inner, must_hold) for inner in one.factors)
        return relevant, over, needed

    def choices(
        self, begin: Chosen, add: Add, leaves: Bits, settled: Bits, first: Bits, carefully: bool
    ) -> Iterator[Chosen]:
        """All ways to choose one alternative of each factor, one after the other; some may come again.

        A quiet factor of which an alternative is chosen already, for another one, asks for no more.

        Args:
            begin: what is chosen before the first leaf.
            add: gives what is chosen with one more leaf; None if that leaf cannot be chosen as well.
            leaves: the ones that can hold. settled: the factors that hold in any case.
            first: leaves that are tried first.
            carefully: whether the factor with the fewest alternatives left is taken each time, and much is tried.

        Raises:
            Spent: few leaves were tried, and it is not known whether there is another way.
            ConstraintError: `limits.LEAVES_TRIED` leaves were tried, and it is not known either.
        """
        count, most = 0, limits.LEAVES_TRIED if carefully else limits.FEW_LEAVES_TRIED + len(self.leaves)
        #: What is chosen so far, what is to be chosen next, and the factors that are left besides those of that one.
        todo: list[tuple[Chosen, Alternative, tuple[Factor, ...]]] = [(begin, self.root, ())]
        while todo:
            before, alternative, factors = todo.pop()
            count += 1 + carefully * len(factors)
            if count > most:
                self._give_up(carefully)
            chosen = before if before.leaves >> alternative.leaf & 1 else add(before, alternative.leaf)
            if chosen is None:
                continue
            within = [one for one in alternative.factors if not one.settled & settled]
            factors = _open((*within, *factors), chosen.leaves, carefully or bool(within))
            if not factors:
                yield chosen
                continue
            which, possible = 0, [one for one in factors[0].alternatives if leaves >> one.leaf & 1]
            if carefully:
                which, possible = _fewest(factors, chosen, add, leaves)
            others = factors[:which] + factors[which + 1 :]
            tried = sorted(possible, key=lambda one: first >> one.leaf & 1)  # the last is the next
            todo += ((chosen, one, others) for one in tried)

    def _give_up(self, carefully: bool) -> NoReturn:
        if not carefully:
            raise Spent
        too_many = f"took more than {limits.LEAVES_TRIED} tries"
        refuse(self._base.path, f"to see whether some object fits all alternatives {too_many}")


def _open(factors: tuple[Factor, ...], chosen: Bits, all_of_them: bool) -> tuple[Factor, ...]:
    """The factors that ask for a leaf that is not chosen yet: all of them, or from the first one on."""
    if all_of_them:
        return tuple([one for one in factors if not (one.quiet and one.plain & chosen)])
    held = (i for i, one in enumerate(factors) if not (one.quiet and one.plain & chosen))
    return factors[next(held, len(factors)) :]


def _fewest(factors: tuple[Factor, ...], chosen: Chosen, add: Add, leaves: Bits) -> tuple[int, list[Alternative]]:
    """Which of some factors leaves the fewest alternatives, and these; those that demand something come before."""
    best: tuple[tuple[bool, int], int, list[Alternative]] | None = None
    for i, factor in enumerate(factors):
        possible = [one for one in factor.alternatives if leaves >> one.leaf & 1 and add(chosen, one.leaf) is not None]
        rank = (len(possible) > 1 and not factor.demands, len(possible))
        if best is None or rank < best[0]:
            best = rank, i, possible
        if len(possible) < 2:
            break
    assert best is not None, "there is a factor"
    return best[1:]


class Spent(Exception):
    """So many leaves were tried as may be."""


class _Answers:
    """Which alternatives hold, if some leaves do, and some factors in any case; each is found out once."""

    def __init__(self, leaves: Bits, settled: Bits):
        self._leaves, self._settled = leaves, settled
        self._holds: dict[int, bool] = {}

    def holds(self, alternative: Alternative) -> bool:
        if not alternative.factors:
            return bool(self._leaves >> alternative.leaf & 1)
        holds = self._holds.get(alternative.leaf)
        if holds is None:
            holds = bool(self._leaves >> alternative.leaf & 1) and all(map(self.some, alternative.factors))
            self._holds[alternative.leaf] = holds
        return holds

    def some(self, factor: Factor) -> bool:
        if self._settled & factor.settled or self._leaves & factor.plain:
            return True
        return any(map(self.holds, factor.deep))


class Differing:
    """Conjunctions with a factor for each excluded object: an object differs from it in one of its names."""

    def __init__(self, context: SchemaContext):
        self._listings = context.listings
        self._made: dict[Any, Conjunction] = {}  # by the conjunction

    def of(self, conjunction: Conjunction) -> Conjunction:
        excluded = [value for value in conjunction.excluded if isinstance(value, dict)]
        if not excluded and not conjunction.factors:
            return conjunction
        made = self._made.get(conjunction)
        if made is None:
            factors = [tuple(map(self.of, factor)) for factor in conjunction.factors]
            factors += [tuple(self._from(value, conjunction.path)) for value in excluded]
            made = self._made[conjunction] = conjunction.but(excluded=(), factors=tuple(factors))
        return made

    def _from(self, value: dict[str, Any], path: str) -> Iterator[Conjunction]:
        """The objects that are not equal to a value."""
        for name in value:
            keys, different = Keys(frozenset([name])), (self._listings.of([value[name]]).negated(),)
            yield Conjunction(origin=path, members=((keys, NEVER),))
            yield Conjunction(origin=path, required=(name,), members=((keys, different),))
        yield Conjunction(origin=path, exists=(Exists(Keys(frozenset(value), others=True), (), ()),))


# --- properties are split: into those whose values, or names, meet a condition, and the others


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
