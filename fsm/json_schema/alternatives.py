"""A conjunction with factors as a formula: which of its conjunctions can still hold, and which of these matter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple, TypeVar

from .conjunction import Conjunction, refuse
from .factors import adds_names_to

FEW_TRIED, MOST_TRIED = 500, 300_000  # alternatives, for one object
KEPT = 2_000  # answers about one object
C = TypeVar("C")
Add = Callable[[C, int], C | None]


class Factor(NamedTuple):
    """Alternatives, of which one holds.

    Attributes:
        settled: a negative number for it, which stands among the leaves that hold where the factor holds for sure.
        quiet: whether it does not matter which alternative holds, once one does for sure.
        demands: whether each alternative requires some property: these are chosen before others.
    """

    settled: int
    alternatives: tuple[Alternative, ...]
    quiet: bool
    demands: bool


class Alternative(NamedTuple):
    """A conjunction (by its index among the leaves, without its factors), and its factors."""

    leaf: int
    factors: tuple[Factor, ...]


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
        self._made: dict[int, Alternative] = {}  # by the id of the conjunction
        self._relevant: dict[Any, tuple[set[int], set[int]] | None] = {}
        self._factors: dict[tuple[int, ...], Factor] = {}  # by the ids of the conjunctions
        self.root = self._alternative(conjunction)

    def _alternative(self, conjunction: Conjunction) -> Alternative:
        made = self._made.get(id(conjunction))
        if made is None:
            leaf = len(self.leaves)
            self.leaves.append(conjunction.but(factors=()))
            factors = tuple(map(self._factor, conjunction.factors))
            made = self._made[id(conjunction)] = Alternative(leaf, factors)
        return made

    def _factor(self, conjunctions: tuple[Conjunction, ...]) -> Factor:
        key = tuple(map(id, conjunctions))
        factor = self._factors.get(key)
        if factor is None:
            quiet = not self._for_generation or not any(adds_names_to(self._base, one) for one in conjunctions)
            alternatives = tuple(map(self._alternative, conjunctions))
            demands = all(one.required for one in conjunctions)
            factor = self._factors[key] = Factor(~len(self._factors), alternatives, quiet, demands)
        return factor

    def holds(self, leaf_holds: Callable[[int], bool]) -> bool:
        """Whether the formula holds, if some leaves do. It is asked for `Factor.settled`, too."""
        return _Answers(leaf_holds).holds(self.root)

    def relevant(self, alive: Collection[int], done: Callable[[int], bool]) -> tuple[set[int], set[int]] | None:
        """The leaves on which it depends whether the formula holds; and those that have to hold.

        Args:
            alive: the leaves that can hold, and the numbers of factors that are settled.
            done: says whether a leaf that can hold holds for sure.

        Returns:
            The leaves, and the numbers of settled factors. None if the formula cannot hold.
        """
        surely = frozenset(leaf for leaf in alive if leaf < 0 or done(leaf))
        key = (frozenset(alive), surely)
        if key not in self._relevant:
            if len(self._relevant) > KEPT:
                self._relevant.clear()
            self._relevant[key] = self._relevant_of(*key)
        return self._relevant[key]

    def _relevant_of(self, alive: frozenset[int], surely: frozenset[int]) -> tuple[set[int], set[int]] | None:
        """The same. surely: what holds for sure."""
        can, sure = _Answers(alive.__contains__), _Answers(surely.__contains__)
        if not can.holds(self.root):
            return None
        relevant: set[int] = set()
        needed: set[int] = set()
        todo, seen = [(self.root, True)], set[tuple[int, bool]]()
        while todo:
            alternative, must_hold = todo.pop()
            if (alternative.leaf, must_hold) in seen:
                continue
            seen.add((alternative.leaf, must_hold))
            relevant.add(alternative.leaf)
            needed.update([alternative.leaf] * must_hold)
            for factor in alternative.factors:
                if factor.settled in alive or (factor.quiet and any(map(sure.holds, factor.alternatives))):
                    relevant.add(factor.settled)
                else:
                    possible = [one for one in factor.alternatives if can.holds(one)]
                    todo += ((one, must_hold and len(possible) == 1) for one in possible)
        return relevant, needed

    def choices(self, begin: C, add: Add[C], alive: Collection[int], first: Collection[int]) -> Iterator[C]:
        """All ways to choose one alternative of each factor, one after the other; some may come again.

        Args:
            begin: what is chosen before the first leaf.
            add: gives what is chosen with one more leaf; None if that leaf cannot be chosen as well.
            alive: the leaves that can hold, and the numbers of factors that are settled.
            first: leaves that are tried first.

        Raises:
            ConstraintError: `MOST_TRIED` leaves were tried, and it is not known whether there is another way.
        """
        for tried, carefully in ((FEW_TRIED, False), (MOST_TRIED, True)):
            try:
                yield from self._choices(begin, _counted(add, tried), alive, first, carefully)
            except _Spent:
                continue
            return
        refuse(self._base.path, f"to see whether some object fits all alternatives took more than {MOST_TRIED} tries")

    def _choices(
        self, begin: C, add: Add[C], alive: Collection[int], first: Collection[int], carefully: bool
    ) -> Iterator[C]:
        """The same. carefully: whether the factor that leaves the fewest alternatives is looked for each time."""
        #: What is chosen so far, what is to be chosen next, and the factors that are left besides those of that one.
        todo: list[tuple[C, Alternative, tuple[Factor, ...]]] = [(begin, self.root, ())]
        while todo:
            before, alternative, factors = todo.pop()
            chosen = add(before, alternative.leaf)
            if chosen is None:
                continue
            factors = tuple(factor for factor in alternative.factors + factors if factor.settled not in alive)
            if not factors:
                yield chosen
                continue
            which, possible = 0, [one for one in factors[0].alternatives if one.leaf in alive]
            if carefully:
                which, possible = _fewest(factors, chosen, add, alive)
            others = factors[:which] + factors[which + 1 :]
            tried = sorted(possible, key=lambda one: one.leaf in first)  # the last is the next
            todo += ((chosen, one, others) for one in tried)


def _fewest(
    factors: tuple[Factor, ...], chosen: C, add: Add[C], alive: Collection[int]
) -> tuple[int, list[Alternative]]:
    """Which of some factors leaves the fewest alternatives, and these; those that demand something come before."""
    best: tuple[tuple[bool, int], int, list[Alternative]] | None = None
    for i, factor in enumerate(factors):
        possible = [one for one in factor.alternatives if one.leaf in alive and add(chosen, one.leaf) is not None]
        rank = (len(possible) > 1 and not factor.demands, len(possible))
        if best is None or rank < best[0]:
            best = rank, i, possible
        if len(possible) < 2:
            break
    assert best is not None, "there is a factor"
    return best[1:]


class _Spent(Exception):
    """So many leaves were tried as may be."""


def _counted(add: Add[C], most: int) -> Add[C]:
    """The same, which raises `_Spent` when it is called more often."""
    left = most

    def counted(chosen: C, leaf: int) -> C | None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Spent
        return add(chosen, leaf)

    return counted


class _Answers:
    """Which alternatives hold, if some leaves do; each is found out once."""

    def __init__(self, leaf_holds: Callable[[int], bool]):
        self._leaf_holds = leaf_holds
        self._holds: dict[int, bool] = {}

    def holds(self, alternative: Alternative) -> bool:
        holds = self._holds.get(alternative.leaf)
        if holds is None:
            holds = self._leaf_holds(alternative.leaf) and all(map(self._some, alternative.factors))
            self._holds[alternative.leaf] = holds
        return holds

    def _some(self, factor: Factor) -> bool:
        holds = self._holds.get(factor.settled)
        if holds is None:
            holds = self._leaf_holds(factor.settled) or any(map(self.holds, factor.alternatives))
            self._holds[factor.settled] = holds
        return holds
