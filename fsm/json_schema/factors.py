"""Products of alternatives of objects that are not multiplied out.

A `Conjunction` may have factors. Each factor is a list of conjunctions that speak of objects only:

    fits(v, c)  <=>  fits(v, c without factors) and, for each factor, fits(v, a) for some a of the factor

if v is an object. Twelve factors of three conjunctions stand for 531,441 branches. `object_products.py` writes such
objects. Here a product of lists of conjunctions is made smaller, and split into factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .conjunction import NEVER, NO_SPAN, Conjunction, Keys, Origin, Subschema, fields_of, key_of, merge
from .values_and_keywords import ALL, OBJECT, canonical

#: What a conjunction says of objects alone, besides the excluded ones.
OF_OBJECTS = fields_of(OBJECT)
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
        self._of_objects: dict[Any, Conjunction] = {}  # by the conjunction, of which no two are equal
        self._same: dict[Any, Conjunction] = {}  # one for those that say the same
        self._conditions: dict[Any, frozenset[Any]] = {}

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
        conditions = {self._conditions_of(one) for one in alternatives}
        result: list[Conjunction] = []
        for one in alternatives:
            absences = ((name, (Keys(frozenset([name])), NEVER[0].key)) for name in one.required)
            left = tuple([name for name, absence in absences if frozenset([absence]) not in conditions])
            result.append(one if left == one.required else self.of_objects(one.but(required=left)))
        return result

    def _weakest(self, alternatives: list[Conjunction], adds_names: bool) -> list[Conjunction]:
        """The alternatives without those that hold only where another one does.

        adds_names: whether it matters which one holds, because of the names that it declares.
        """
        kept: dict[Any, Conjunction] = {}
        for one in alternatives:
            kept.setdefault((self._conditions_of(one), adds_names and one.declares), one)
        if adds_names:
            return list(kept.values())
        return [one for (more, _), one in kept.items() if not any(fewer < more for fewer, _ in kept)]

    def of_objects(self, conjunction: Conjunction) -> Conjunction:
        """What a conjunction says of objects; the same each time."""
        made = self._of_objects.get(conjunction)
        if made is None:
            fields = {name: conjunction.__dict__[name] for name in OF_OBJECTS if name in conjunction.__dict__}
            excluded = tuple(value for value in conjunction.excluded if isinstance(value, dict))
            if excluded:
                fields["excluded"] = excluded
            restricted = Conjunction(origin=conjunction.path, **fields)
            key = (self._conditions_of(restricted), restricted.declares)
            made = self._of_objects[conjunction] = self._same.setdefault(key, restricted)
        return made

    def _conditions_of(self, conjunction: Conjunction) -> frozenset[Any]:
        if conjunction not in self._conditions:
            self._conditions[conjunction] = frozenset(_conditions(conjunction))
        return self._conditions[conjunction]


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
    if other.declares and not base.declares:
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
