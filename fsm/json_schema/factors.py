"""Products of alternatives of objects that are not multiplied out.

A `Conjunction` may have factors. Each factor is a list of conjunctions that speak of objects only:

    fits(v, c)  <=>  fits(v, c without factors) and, for each factor, fits(v, a) for some a of the factor

if v is an object. Twelve factors of three conjunctions stand for 531,441 branches. `object_products.py` writes such
objects. Here a product of lists of conjunctions is made smaller, and split into factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from .conjunction import ALL, NEVER, NO_SPAN, Conjunction, Keys, Origin, Subschema, canonical, key_of, merge, refuse

OBJECT = frozenset(["object"])
#: What a conjunction says of objects alone, besides the excluded ones.
OF_OBJECTS = ("members", "names", "required", "sizes", "exists", "factors", "declares", "extras")
#: Whether an alternative says a kind, and what else it says of the values that are no objects.
Saying = tuple[bool, frozenset[Any]]
SAYS_KINDS_ONLY: Saying = (True, frozenset())
SAYS_NOTHING: Saying = (False, frozenset())
_NOT_OF_OTHERS = {name: getattr(Conjunction, name) for name in (*OF_OBJECTS, "evaluated")}


class Factored(NamedTuple):
    """Some conjunctions, of which one of each part holds, too. None of the parts has fewer than two."""

    base: Conjunction
    parts: list[list[Conjunction]]

    def count(self, enough: int) -> int:
        """How many conjunctions this comes to; not more than enough are counted."""
        count = 1
        for part in self.parts:
            count = min(count * len(part), enough)
        return count


def reduced(parts: list[list[Conjunction]], origin: Origin, empty: Callable[[Conjunction], bool]) -> Factored | None:
    """The conjunctions of one of each part, as factors; None if plainly nothing fits.

    What cannot be beside the parts that have one conjunction only is left out, until no more can be.

    Args:
        empty: says whether plainly nothing fits a conjunction.
    """
    base, left, stable = Conjunction(origin=origin), parts, False
    while not stable:
        stable, remaining = True, []
        for part in left:
            possible = part if len(part) == 1 else [one for one in part if not empty(merge(base, one))]
            if not possible:
                return None
            if len(possible) == 1:
                base, stable = merge(base, possible[0]), False
            else:
                remaining.append(possible)
        left = remaining
        if not stable and empty(base):
            return None
    return Factored(base, left)


class Factors:
    """Products split into what they say of objects, as factors, and of other values.

    Args:
        for_generation: see `KeywordReader`: then it counts which names an alternative declares.
    """

    def __init__(self, for_generation: bool):
        self.for_generation = for_generation
        self._of_objects: dict[int, tuple[Conjunction, Conjunction]] = {}  # by the id of the first
        self._same: dict[Any, Conjunction] = {}  # one for those that say the same
        self._conditions: dict[int, tuple[Conjunction, frozenset[Any]]] = {}

    def split(self, product: Factored) -> tuple[list[Conjunction], Factored | None]:
        """The conjunctions of the objects that fit; and the product of the other values, None if none fit.

        If the parts of a product tell nothing but objects apart, one conjunction is for both. A product of the others
        may come to conjunctions of objects, too: these are to be left out.
        """
        base, parts = product
        objects = self._objects(base, parts) if "object" in base.kinds and base.values is None else []
        kinds = frozenset().union(*(one.kinds for one in _all(parts))) & base.kinds - OBJECT
        if not kinds:
            return objects, None
        mentioned = base.mentioned.union(*(one.mentioned for one in _all(parts)))
        others = _not_objects(base, kinds, parts, by_mention=base.kinds == ALL and bool(mentioned))
        if objects and others is not None and not others.parts:
            return [_of_all_kinds(objects[0], others.base, mentioned)], None
        return objects if _speaks_of_objects(product, mentioned) else [], others

    def _objects(self, base: Conjunction, parts: list[list[Conjunction]]) -> list[Conjunction]:
        """The conjunction of the objects that fit, if there is one."""
        factors: list[tuple[Conjunction, ...]] = []
        conditions = self._conditions_of(base)
        for part in parts:
            alternatives = [self.of_objects(one) for one in part if "object" in one.kinds and one.values is None]
            if not alternatives:
                return []
            adds_names = self.for_generation and any(adds_names_to(base, one) for one in alternatives)
            if not adds_names:
                alternatives = self._without_presence(alternatives)
            weakest = self._weakest(alternatives, adds_names)
            if len(weakest) == 1:
                base = merge(base, weakest[0])
                conditions = self._conditions_of(base)
            elif adds_names or not any(self._conditions_of(one) <= conditions for one in weakest):
                factors.append(tuple(weakest))
        return [base.but(kinds=base.kinds & OBJECT, factors=(*base.factors, *factors))]

    def _without_presence(self, alternatives: list[Conjunction]) -> list[Conjunction]:
        """The alternatives, which need not say that a name is there if another one says only that it is not."""
        said = {self._conditions_of(one) for one in alternatives}
        result: list[Conjunction] = []
        for one in alternatives:
            absences = ((name, (Keys(frozenset([name])), NEVER[0].key)) for name in one.required)
            left = tuple([name for name, absence in absences if frozenset([absence]) not in said])
            result.append(one if left == one.required else self.of_objects(one.but(required=left)))
        return result

    def _weakest(self, alternatives: list[Conjunction], adds_names: bool) -> list[Conjunction]:
        """The alternatives without those that hold only where another one does.

        adds_names: whether it matters which one holds, because of the names that it declares.
        """
        kept: dict[Any, Conjunction] = {}
        for one in alternatives:
            kept.setdefault((self._conditions_of(one), adds_names and (one.declares, one.extras)), one)
        if adds_names:
            return list(kept.values())
        return [one for (more, _), one in kept.items() if not any(fewer < more for fewer, _ in kept)]

    def of_objects(self, conjunction: Conjunction) -> Conjunction:
        """What a conjunction says of objects; the same each time."""
        made = self._of_objects.get(id(conjunction))
        if made is None:
            fields = {name: conjunction.__dict__[name] for name in OF_OBJECTS if name in conjunction.__dict__}
            excluded = tuple(value for value in conjunction.excluded if isinstance(value, dict))
            if excluded:
                fields["excluded"] = excluded
            restricted = Conjunction(origin=conjunction.path, **fields)
            key = (self._conditions_of(restricted), restricted.declares, restricted.extras)
            made = self._of_objects[id(conjunction)] = conjunction, self._same.setdefault(key, restricted)
        return made[1]

    def _conditions_of(self, conjunction: Conjunction) -> frozenset[Any]:
        made = self._conditions.get(id(conjunction))
        if made is None:
            made = self._conditions[id(conjunction)] = conjunction, frozenset(_conditions(conjunction))
        return made[1]


def with_factors(conjunctions: list[Conjunction]) -> list[Conjunction]:
    """Some conjunctions, and those of their factors, each once."""
    todo = [conjunction for conjunction in conjunctions if conjunction.factors]
    if not todo:
        return conjunctions
    each = {id(conjunction): conjunction for conjunction in conjunctions}
    while todo:
        for factor in todo.pop().factors:
            for one in factor:
                if id(one) not in each:
                    each[id(one)] = one
                    todo.append(one)
    return list(each.values())


def adds_names_to(base: Conjunction, other: Conjunction) -> bool:
    """Whether an object that is closed, as it fits both, may have names that it may not have if it fits the base.

    So it is if only both close it: then it may have the names of which both speak. A name that no value fits is none.
    """
    if other.extras or (other.declares and not base.declares):
        return True
    names = frozenset(base.required).union(*(keys.names for keys, _ in base.members if keys.one_name))
    spoken_of = (keys for keys, subschemas in other.members if subschemas is not NEVER)
    if not names.issuperset(other.required) or not all(keys.one_name and keys.names <= names for keys in spoken_of):
        return True
    return any(adds_names_to(base, one) for factor in other.factors for one in factor)


def _all(parts: list[list[Conjunction]]) -> Iterator[Conjunction]:
    return (one for part in parts for one in part)


def _conditions(conjunction: Conjunction) -> Iterator[Any]:
    """What a conjunction says of objects, as conditions of which each holds; equal for those that mean the same."""
    for keys, subschemas in conjunction.members:
        yield from ((keys, subschema.key) for subschema in subschemas)
    yield from (("name", subschema.key) for subschema in conjunction.names)
    yield from conjunction.required
    if conjunction.sizes != NO_SPAN:
        yield "sizes", conjunction.sizes
    for exists in conjunction.exists:
        yield "exists", exists.keys, key_of(exists.names), key_of(exists.subschemas)
    yield from (("factor", frozenset(map(id, factor))) for factor in conjunction.factors)
    yield from (("excluded", canonical(value)) for value in conjunction.excluded if isinstance(value, dict))


def _of_all_kinds(objects: Conjunction, others: Conjunction, mentioned: frozenset[str]) -> Conjunction:
    """One conjunction for two, of which one is of objects and the other of other values.

    mentioned: the kinds that keywords speak of; they count if none says a kind, and then the other is of objects, too.
    """
    kinds, mentioned = others.kinds | OBJECT, mentioned if others.kinds >= OBJECT else frozenset()
    of_objects = {name: getattr(objects, name) for name in (*OF_OBJECTS, "excluded")}
    return others.but(kinds=kinds, mentioned=mentioned, **of_objects)


def _speaks_of_objects(product: Factored, mentioned: frozenset[str]) -> bool:
    """Whether objects may fit: if nothing says a kind, values are of the kinds that keywords speak of."""
    if product.base.kinds != ALL or not mentioned or "object" in mentioned:
        return True
    return any(one.kinds != ALL and "object" in one.kinds for one in _all(product.parts))


def _not_objects(
    base: Conjunction, kinds: frozenset[str], parts: list[list[Conjunction]], by_mention: bool
) -> Factored | None:
    """What a product says of the values that are no objects; None if there are none. kinds: of these.

    by_mention: whether values are of the kinds that keywords speak of, where no alternative says a kind. Conjunctions
        of such alternatives are of all kinds here, objects among them.
    """
    base = base.but(kinds=ALL if by_mention else kinds, **_NOT_OF_OTHERS)
    different: list[list[Conjunction]] = []
    typed: dict[Any, Conjunction] = {}  # alternatives that say a kind, beside ones that say nothing at all
    mentioned = base.mentioned
    for part in parts:
        others = _without_objects(part, kinds, by_mention)
        if not others:
            return None
        if SAYS_KINDS_ONLY in others:
            base = base.but(kinds=base.kinds & kinds)
        elif SAYS_NOTHING in others:  # of those that say a kind, one at most: two leave fewer values
            mentioned = mentioned.union(*(one.mentioned for key, one in others.items() if not key[0]))
            typed |= {key: one for key, one in others.items() if key[0]}
        else:
            different.append(list(others.values()))
    base = base.but(mentioned=mentioned)
    return Factored(base, [*different, [Conjunction(origin=base.path), *typed.values()]] if typed else different)


def _without_objects(part: list[Conjunction], kinds: frozenset[str], by_mention: bool) -> dict[Saying, Conjunction]:
    """What alternatives say of the values that are no objects.

    by_mention: whether it counts that an alternative says no kind; else each says some.
    """
    others: dict[Saying, Conjunction] = {}
    for one in part:
        if one.kinds & kinds:
            of_a_kind = not by_mention or one.kinds != ALL or one.values is not None
            changed = {"kinds": one.kinds & kinds, "mentioned": frozenset()} if of_a_kind else {}
            plain = one.but(**changed, **_NOT_OF_OTHERS)
            others.setdefault((of_a_kind, _meaning(plain, kinds if of_a_kind else ALL)), plain)
    return others


def _meaning(conjunction: Conjunction, kinds: frozenset[str]) -> frozenset[Any]:
    """Equal for conjunctions that say the same of values of some kinds; empty if that is nothing."""
    conditions = [] if conjunction.kinds == kinds else [("kinds", conjunction.kinds)]
    for name, value in conjunction.__dict__.items():
        if name in ("origin", "kinds", "mentioned") or value == getattr(Conjunction, name):
            continue
        if name == "excluded":
            value = frozenset(canonical(x) for x in value if not isinstance(x, dict))
            if not value:
                continue
        conditions.append((name, _key(value)))
    return frozenset(conditions)


def _key(value: Any) -> Any:
    """Equal for values of a field that mean the same."""
    if isinstance(value, Subschema):
        return value.key
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    return value if isinstance(value, (frozenset, str)) else repr(value)


# --- a conjunction with factors as a formula: which of its conjunctions can still hold, and which of these matter


FEW_TRIED, MOST_TRIED = 500, 300_000  # alternatives, for one object; besides one for each leaf
KEPT = 20_000  # answers about the factors of one object
#: Leaves, or factors, by number: a set of bits.
Bits = int
NOTHING_MISSING: frozenset[tuple[int, int]] = frozenset()


class Alive(NamedTuple):
    """What can still hold of a formula, and matters.

    Attributes:
        leaves: these. settled: the factors that hold in any case.
        missing: which `exists` of these leaves are still to come: pairs of a leaf, and its number there.
    """

    leaves: Bits
    settled: Bits = 0
    missing: frozenset[tuple[int, int]] = NOTHING_MISSING


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
        self._made: dict[int, Alternative] = {}  # by the id of the conjunction
        self._factors: dict[tuple[int, ...], Factor] = {}  # by the ids of the conjunctions
        self.root = self._alternative(conjunction)
        self._matters_within = lru_cache(KEPT)(self._of_factor)

    def _alternative(self, conjunction: Conjunction) -> Alternative:
        made = self._made.get(id(conjunction))
        if made is None:
            leaf = len(self.leaves)
            self.leaves.append(conjunction.but(factors=()))
            factors = {factor.settled: factor for factor in map(self._factor, conjunction.factors)}
            made = self._made[id(conjunction)] = Alternative(leaf, tuple(factors.values()))
        return made

    def _factor(self, conjunctions: tuple[Conjunction, ...]) -> Factor:
        key = tuple(map(id, conjunctions))
        factor = self._factors.get(key)
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
            self._factors[key] = factor
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

        A factor of which an alternative is chosen already, for another one, asks for no more.

        Args:
            begin: what is chosen before the first leaf.
            add: gives what is chosen with one more leaf; None if that leaf cannot be chosen as well.
            leaves: the ones that can hold. settled: the factors that hold in any case.
            first: leaves that are tried first.
            carefully: whether the factor with the fewest alternatives left is taken each time, and much is tried.

        Raises:
            Spent: few leaves were tried, and it is not known whether there is another way.
            ConstraintError: `MOST_TRIED` leaves were tried, and it is not known either.
        """
        few = FEW_TRIED + len(self.leaves)
        try:
            counted = _counted(add, MOST_TRIED if carefully else few)
            yield from self._choices(begin, counted, leaves, settled, first, carefully)
        except Spent:
            if not carefully:
                raise
            most = f"more than {MOST_TRIED} tries"
            refuse(self._base.path, f"to see whether some object fits all alternatives took {most}")

    def _choices(
        self, begin: Chosen, add: Add, leaves: Bits, settled: Bits, first: Bits, carefully: bool
    ) -> Iterator[Chosen]:
        """What `choices` gives."""
        #: What is chosen so far, what is to be chosen next, and the factors that are left besides those of that one.
        todo: list[tuple[Chosen, Alternative, tuple[Factor, ...]]] = [(begin, self.root, ())]
        while todo:
            before, alternative, factors = todo.pop()
            chosen = before if before.leaves >> alternative.leaf & 1 else add(before, alternative.leaf)
            if chosen is None:
                continue
            held = chosen.leaves
            within = [one for one in alternative.factors if not one.settled & settled and not one.plain & held]
            if carefully:
                factors = tuple([one for one in factors if not one.plain & held])
            elif not within:
                factors = factors[next((i for i, one in enumerate(factors) if not one.plain & held), len(factors)) :]
            factors = (*within, *factors)
            if not factors:
                yield chosen
                continue
            which, possible = 0, [one for one in factors[0].alternatives if leaves >> one.leaf & 1]
            if carefully:
                which, possible = _fewest(factors, chosen, add, leaves)
            others = factors[:which] + factors[which + 1 :]
            tried = sorted(possible, key=lambda one: first >> one.leaf & 1)  # the last is the next
            todo += ((chosen, one, others) for one in tried)


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


def _counted(add: Add, most: int) -> Add:
    """The function `add`, which raises `Spent` when it is called more than `most` times."""
    left = most

    def counted(chosen: Chosen, leaf: int) -> Chosen | None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Spent
        return add(chosen, leaf)

    return counted


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
