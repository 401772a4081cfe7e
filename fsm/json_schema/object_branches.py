"""Which of several conjunctions an object may still fit, property by property, and whether it can come to an end.

What matters of the properties that were written is which names are taken, how many they are, and what still has to
come. All conjunctions that an object may fit are followed at once; they branch only where a value tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ..language.intersection import Memberships, intersection, memberships
from ..language.nodes import VOID, Node, star
from ..language.substitution import substitute
from ..language.terms import longest, strings
from ..patterns.characters import ANY
from ..patterns.json_strings import key_class
from ..patterns.parser import parse
from .conjunction import NO_SPAN, Conjunction, Exists, Subschemas, both, key_of, refuse
from .context import SchemaContext
from .document import DeclaredNames, declared_names
from .property_schemas import covers
from .strings import accepts

# --- the undeclared names that the properties of an object may have, as classes of names that fit the same schemas

FEW_PATTERNS = 4  # of so many, every set is taken for one that names may match
MANY_CLASSES = 256  # of the names of one object
MANY_STEPS = 1_000_000  # to tell them apart


class Names:
    """Some undeclared names: those that match these patterns and none of the others, and fit.

    Args:
        patterns, others: those that the names match, and those that they do not.
        fitting: what the names, as values, fit.
        texts: gives the texts that fit some subschemas (see `Scalars.texts`).
        declared: the names that are declared. They are not among these, but `language` and `has` do not leave them out.
    """

    def __init__(
        self,
        patterns: frozenset[str],
        others: frozenset[str],
        fitting: Subschemas,
        texts: Callable[[Subschemas], Node],
        declared: tuple[str, ...],
    ):
        self._patterns, self._others, self._fitting = patterns, others, fitting
        self._texts, self._declared = texts, declared
        #: Whether any name is one of these.
        self.anything = not patterns and not others and not fitting
        self._has: dict[str, bool] = {}

    @cached_property
    def language(self) -> Node:
        """Over code points. The declared names are not left out yet."""
        told = None
        if len(patterns := self._patterns | self._others) > FEW_PATTERNS:
            told = _told_apart(patterns)
        if told is not None:
            languages = frozenset(i for i, pattern in enumerate(sorted(patterns)) if pattern in self._patterns)
            required, forbidden = [told.language(languages)], []
        else:
            required = [parse(pattern, search=True) for pattern in sorted(self._patterns)]
            forbidden = [parse(pattern, search=True) for pattern in sorted(self._others)]
        if self._fitting:
            required.append(self._texts(self._fitting))
        if VOID in required:
            return VOID
        return intersection(required or [star(ANY)], [node for node in forbidden if node is not VOID])

    @cached_property
    def spelled(self) -> Node:
        """The language, as JSON spells the names of properties, without quotes."""
        return substitute(self.language, key_class)

    def has(self, name: str) -> bool:
        """Whether a name is one of them, declared or not."""
        if name not in self._has:
            self._has[name] = accepts(self.language, name)
        return self._has[name]

    def count(self, taken: frozenset[str], enough: int) -> int:
        """How many there are, of those that are neither declared nor taken; no more than enough are counted."""
        free = self.free(taken, enough)
        return enough if free is None else len(free)

    def free(self, taken: frozenset[str], most: int) -> list[str] | None:
        """Those that are neither declared nor taken; None if there are more than `most`."""
        if self.anything:
            return None
        if self.language is VOID:
            return []
        gone = taken.union(self._declared)
        listed = None if longest(self.language) is None else strings(self.language, most + len(gone))
        free = None if listed is None else [text for text in listed if text not in gone]
        return None if free is None or len(free) > most else free


@lru_cache(maxsize=16)
def _told_apart(patterns: frozenset[str]) -> Memberships | None:
    """All names, told apart by the patterns (in alphabetical order) that they match; None if the kinds are too many."""
    nodes = [parse(pattern, search=True) for pattern in sorted(patterns)]
    return memberships(nodes, star(ANY), MANY_CLASSES, MANY_STEPS, "the patterns for names")


@lru_cache(maxsize=64)
def name_classes(patterns: frozenset[str]) -> list[frozenset[str]] | None:
    """The sets of these patterns that a name may match, it matching none of the others; None if they are too many.

    Of few patterns these are all sets, whether there are such names or not. Of many, most sets have no name.
    """
    subsets: list[frozenset[str]] = [frozenset()]
    if len(patterns) <= FEW_PATTERNS:
        for pattern in sorted(patterns):
            subsets += [subset | {pattern} for subset in subsets]
        return subsets
    told = _told_apart(patterns)
    ordered = sorted(patterns)
    return None if told is None else [frozenset(ordered[i] for i in one) for one in told.sets]


# --- object branches

FEW_MISSING = 4  # of the properties that must exist: then every set of them is taken for one that may be given
MOST_TRIED = 20_000  # properties that may be the next, to see whether an object can end

#: Excluded objects that an object may still turn out to be, each with how many of its properties are still to come.
Rivals = frozenset[tuple[int, int]]
#: Which conjunction; which of its `exists` are still to come; which excluded objects it may still turn out to be.
ObjectBranch = tuple[int, frozenset[int], Rivals]


#: What a name fits, what its value fits, and what must still exist then.
_Way = tuple[Subschemas, Subschemas, frozenset[int]]


class Undeclared(NamedTuple):
    """Names that an object may have undeclared, what their values fit, and the branch after one of them."""

    names: Names
    subschemas: Subschemas
    after: ObjectBranch


class ObjectBranches:
    """The objects that fit one of several conjunctions.

    Args that come again in the methods below:
        branch: which conjunction is followed, and what it still needs.
        passed: a set of bits: the declared names that may come no more.
        count: how many properties there are, as far as it matters.
        taken: the undeclared names that there are.

    Attributes:
        names: the declared names of all the conjunctions. in_order: those that come in this order, as a set of bits.
        patterns: all the patterns for names. name_classes: the sets of them that a name may match.
        required: for each conjunction, the declared names that must be there, as a set of bits.
        far: a count of properties from which on one more changes nothing.
        simple: whether every branch can always end: properties are not counted, and none has to be found.
    """

    def __init__(
        self,
        context: SchemaContext,
        conjunctions: Sequence[Conjunction],
        names: DeclaredNames | None = None,
    ):
        """names: the first two attributes, if they are those of an object with other conjunctions."""
        self.context, self.conjunctions = context, conjunctions
        self.excluded = [[value for value in c.excluded if isinstance(value, dict)] for c in conjunctions]
        self.names, self.in_order = names or declared_names(conjunctions, context.any_order)
        self.patterns = _all_patterns(conjunctions)
        self.name_classes = _name_classes(self.patterns, conjunctions[0])
        bits = {name: 1 << i for i, name in enumerate(self.names)}
        self.required = [sum(bits[name] for name in conjunction.required) for conjunction in conjunctions]
        self.far = _far(conjunctions)
        counted = any(conjunction.sizes != NO_SPAN or conjunction.exists for conjunction in conjunctions)
        self.simple = not counted and not any(self.excluded)
        self._properties: dict[tuple[int, int], Subschemas | None] = {}
        self._names: dict[Any, Names] = {}
        self._undeclared: dict[tuple[int, frozenset[int]], list[Undeclared]] = {}

    @property
    def branches(self) -> list[ObjectBranch]:
        """Of all objects."""
        rivals = [frozenset((e, len(value)) for e, value in enumerate(values)) for values in self.excluded]
        branches = ((a, frozenset(range(len(c.exists))), rivals[a]) for a, c in enumerate(self.conjunctions))
        return [branch for branch in branches if self._can_begin(branch[0])]

    def alive(
        self,
        branches: Sequence[ObjectBranch],
        passed: int,
        count: int,
        taken: frozenset[str],
        used: Names | None = None,
    ) -> tuple[ObjectBranch, ...]:
        """The branches that can come to an end. used: the class of a name that is taken as well, whichever it is."""
        if self.simple:
            return tuple(dict.fromkeys(branches))
        taken = self.with_one(taken, used)
        return tuple(dict.fromkeys(b for b in branches if self.can_end(b, passed, count, taken)))

    @cached_property
    def _enough(self) -> int:
        """Of so many free names, there is one for whatever may have to come."""
        return self.far + max(len(conjunction.exists) + len(conjunction.excluded) for conjunction in self.conjunctions)

    def with_one(self, taken: frozenset[str], names: Names | None) -> frozenset[str]:
        """The names that are taken, with one more of a class; the same if there are enough names of it in any case."""
        free = None if names is None else names.free(taken, self._enough)
        return taken | {free[0]} if free else taken

    # ------------------------------------------------------------------------------------------ declared properties

    def _can_begin(self, a: int) -> bool:
        """Whether all that is required may be there."""
        needed = self.required[a]
        return all(self.property(a, i) is not None for i in range(len(self.names)) if needed >> i & 1)

    def property(self, a: int, i: int) -> Subschemas | None:
        """What the value of declared name i fits; None if nothing does, or the name itself does not fit."""
        key = (a, i)
        if key not in self._properties:
            conjunction, name = self.conjunctions[a], self.names[i]
            subschemas: Subschemas | None = self.context.normalizer.properties.of(conjunction, name)
            if (
                not self._allowed(conjunction, name)
                or not self.context.scalars.fits_text(name, conjunction.names)
                or not self.context.inhabited(subschemas or ())
            ):
                subschemas = None
                if self.context.looking:  # what seems to have no value may lack one only here, within itself
                    return None
            self._properties[key] = subschemas
        return self._properties[key]

    def _closed(self, conjunction: Conjunction) -> bool:
        """Whether an object has only the properties that the conjunction speaks of."""
        return self.context.normalizer.keywords.for_generation and conjunction.declares

    def _allowed(self, conjunction: Conjunction, name: str) -> bool:
        """Whether an object may have this name at all."""
        if not self._closed(conjunction) or name in conjunction.required:
            return True
        return self.context.normalizer.properties.declares(conjunction, name)

    def passing_over(self, branches: Sequence[ObjectBranch], i: int) -> tuple[ObjectBranch, ...]:
        """The branches once it is settled that declared name i does not come."""
        return tuple(branch for branch in branches if not self.required[branch[0]] >> i & 1)

    def ways(self, branch: ObjectBranch, i: int, passed: int = 0) -> Iterable[tuple[Subschemas, ObjectBranch]]:
        """What declared name i may have for a value, and the branch after it."""
        a, missing, rivals = branch
        subschemas = self.property(a, i)
        if subschemas is None:
            return []
        if not missing and not rivals:
            return [(subschemas, branch)]
        name = self.names[i]
        same = [(e, left - 1) for e, left in sorted(rivals) if name in self.excluded[a][e]]
        ways = self._by_exists(a, missing, name, subschemas)
        if not same:
            return ((p, (a, still, frozenset())) for p, still in ways)
        told = self.context.listings.told_apart([self.excluded[a][e][name] for e, _ in same])
        return (
            (both(p, (part,)), (a, still, frozenset(same[j] for j in which)))
            for p, still in ways
            for part, which in told
        )

    def _by_exists(
        self, a: int, missing: frozenset[int], name: str, subschemas: Subschemas
    ) -> Iterator[tuple[Subschemas, frozenset[int]]]:
        """What a value of this name fits, told apart by which missing `exists` it gives; and which are missing then."""
        exists = ((e, self.conjunctions[a].exists[e]) for e in sorted(missing))
        wanted = [
            (e, one) for e, one in exists if covers(one.keys, name) and self.context.scalars.fits_text(name, one.names)
        ]
        return ((p, still) for _, p, still in self._told_apart(((), subschemas, missing), wanted))

    def _told_apart(self, way: _Way, wanted: list[tuple[int, Exists]]) -> Iterator[_Way]:
        """The ways to give some of what must exist, and not to give the others: those that give much come first."""
        if not wanted:
            yield way
            return
        (e, exists), *others = wanted
        names, subschemas, missing = way
        fitting = both(subschemas, exists.subschemas)
        if len(missing) <= FEW_MISSING or self.context.inhabited(fitting):
            yield from self._told_apart((both(names, exists.names), fitting, missing - {e}), others)
        yield from self._told_apart(way, others)

    # ---------------------------------------------------------------------------------------- undeclared properties

    def undeclared(self, branch: ObjectBranch, passed: int = 0) -> list[Undeclared]:
        """The classes of undeclared names, what their values fit, and the branch after one of them."""
        a, missing, _ = branch
        classes = self._undeclared.get((a, missing))
        if classes is None:
            classes = self._undeclared[a, missing] = list(self._undeclared_of(self.conjunctions[a], a, missing))
        return [one for one in classes if self.context.inhabited(one.subschemas)]

    def undeclared_ways(self, branch: ObjectBranch, name: str) -> list[tuple[Subschemas, ObjectBranch]]:
        """What an undeclared name may have for a value, and the branch after it."""
        return [(subschemas, after) for names, subschemas, after in self.undeclared(branch) if names.has(name)]

    def _undeclared_of(self, conjunction: Conjunction, a: int, missing: frozenset[int]) -> Iterator[Undeclared]:
        closed = self._closed(conjunction)
        for patterns in self.name_classes:
            if not patterns and closed and not conjunction.extras:
                continue
            members = [part for keys, part in conjunction.members if keys.patterns.isdisjoint(patterns) is keys.others]
            if closed and not members:
                continue
            subschemas: Subschemas = ()
            for part in members:
                subschemas = both(subschemas, part)
            if not missing:
                yield Undeclared(self._names_of(patterns, conjunction.names), subschemas, (a, missing, frozenset()))
                continue
            exists = ((e, conjunction.exists[e]) for e in sorted(missing))
            wanted = [(e, one) for e, one in exists if one.keys.patterns.isdisjoint(patterns) is one.keys.others]
            for fitting, p, still in self._told_apart((conjunction.names, subschemas, missing), wanted):
                yield Undeclared(self._names_of(patterns, fitting), p, (a, still, frozenset()))

    def _names_of(self, patterns: frozenset[str], fitting: Subschemas) -> Names:
        key = (patterns, key_of(fitting))
        if key not in self._names:
            others, texts = self.patterns - patterns, self.context.scalars.texts
            self._names[key] = Names(patterns, others, fitting, texts, self.names)
        return self._names[key]

    # --------------------------------------------------------------------------------------- whether there is a way

    def ends(self, branch: ObjectBranch, passed: int, count: int) -> bool:
        """Whether there may be no more properties."""
        a, missing, rivals = branch
        low, high = self.conjunctions[a].sizes
        enough = not missing and not self.required[a] & ~passed and low <= count and (high is None or count <= high)
        return enough and all(left for _, left in rivals)

    def can_end(self, branch: ObjectBranch, passed: int, count: int, taken: frozenset[str]) -> bool:
        """Whether some properties can follow after which there may be no more."""
        return self._can_end(branch, passed, count, taken, set())

    def _can_end(self, branch: ObjectBranch, passed: int, count: int, taken: frozenset[str], tried: set[Any]) -> bool:
        """The same. tried: what was begun so far; none of it can end."""
        a, missing, rivals = branch
        low, high = self.conjunctions[a].sizes
        total = count + (self.required[a] & ~passed).bit_count()
        if high is not None and (low > high or total > high):
            return False
        if missing or (rivals and not self.ends(branch, passed, count)):  # something has to come, or to differ
            longer = min(count + 1, self.far)
            for step in self._steps(branch, passed, taken):
                if (step, longer) in tried:
                    continue
                tried.add((step, longer))
                if len(tried) > MOST_TRIED:
                    refuse(self.conjunctions[a].path, f"what must exist in an object took more than {MOST_TRIED} tries")
                after, then, names = step
                if self._can_end(after, then, longer, names, tried):
                    return True
            return False
        return low <= total or self._enough_names(branch, passed, low - total, taken)

    def _enough_names(self, branch: ObjectBranch, passed: int, lacking: int, taken: frozenset[str]) -> bool:
        """Whether so many properties that are not required can still come."""
        a = branch[0]
        others = ~passed & ~self.required[a]
        lacking -= sum(others >> i & 1 and self.property(a, i) is not None for i in range(len(self.names)))
        if lacking > 0:
            for names, _, _ in self.undeclared(branch):
                lacking -= names.count(taken, lacking)
        return lacking <= 0

    def _steps(
        self, branch: ObjectBranch, passed: int, taken: frozenset[str]
    ) -> Iterator[tuple[ObjectBranch, int, frozenset[str]]]:
        """Ways to have one more of what must exist, or of what tells an object from others; or what may not be passed.

        These are the branch, the declared names that may come no more, and the undeclared names that there are then.
        """
        for i in self.left(passed):
            comes_now = self.required[branch[0]] & self.in_order & 1 << i
            for subschemas, after in self.ways(branch, i):
                if (after != branch or comes_now) and self.context.inhabited(subschemas):
                    yield after, self.passed_after(passed, i), taken
            if comes_now:
                return
        few = len(branch[1]) <= FEW_MISSING
        a, missing, _ = branch
        for names, subschemas, after in (
            self.undeclared(branch) if few else self._undeclared_of(self.conjunctions[a], a, missing)
        ):
            if after != branch and self.context.inhabited(subschemas):
                free = names.free(taken, self._enough)
                if free is None:
                    yield after, passed, taken
                for name in (free or [])[: len(missing) + 1]:  # so many leave one for each of the others
                    yield after, passed, taken | {name}

    def left(self, passed: int) -> Iterable[int]:
        """The declared names that may still come."""
        return (i for i in range(len(self.names)) if not passed >> i & 1)

    def passed_after(self, passed: int, i: int) -> int:
        """The declared names that may come no more once name i has come."""
        return passed | 1 << i | (self.in_order & ((2 << i) - 1))


def _far(conjunctions: Sequence[Conjunction]) -> int:
    """A count of properties from which on one more changes nothing."""
    far = 0
    for conjunction in conjunctions:
        low, high = conjunction.sizes
        far = max(far, low, 0 if high is None else high + 1)
    return far


def _name_classes(patterns: frozenset[str], conjunction: Conjunction) -> list[frozenset[str]]:
    classes = name_classes(patterns)
    if classes is None:
        refuse(conjunction.path, f"the patterns for names make more than {MANY_CLASSES} classes of names")
    return classes


def _all_patterns(conjunctions: Sequence[Conjunction]) -> frozenset[str]:
    """The patterns by which some schema speaks of names."""
    return frozenset().union(
        *(keys.patterns for conjunction in conjunctions for keys, _ in conjunction.members),
        *(exists.keys.patterns for conjunction in conjunctions for exists in conjunction.exists),
    )
