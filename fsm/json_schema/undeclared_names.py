"""The names that properties may have besides the declared ones: classes of names that fit the same schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ..language.intersection import Memberships, intersection, memberships
from ..language.nodes import VOID, Node, SpellClass, star
from ..language.terms import longest, shortest, strings, substitute
from ..patterns.characters import ANY
from ..patterns.parser import parse
from .conjunction import NEVER, Conjunction, Exists, Subschemas, both, key_of, refuse
from .context import SchemaContext, numbers_in
from .formulas import Alive
from .strings import accepts

FEW_MISSING = 4  # of the properties that must exist: then every set of them is taken for one that may be given
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
        """The names over code points, the declared ones among them."""
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

    def spelled(self, leaf: SpellClass) -> Node:
        """The language, spelled by `leaf`."""
        return substitute(self.language, leaf)

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
        """The names that are neither declared nor taken; None if there are more than `most`."""
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


def patterns_for_names(conjunctions: Sequence[Conjunction]) -> tuple[frozenset[str], list[frozenset[str]]]:
    """The patterns by which some conjunctions speak of names, and the sets of these that a name may match."""
    patterns = frozenset().union(
        *(keys.patterns for conjunction in conjunctions for keys, _ in conjunction.members),
        *(exists.keys.patterns for conjunction in conjunctions for exists in conjunction.exists),
    )
    classes = name_classes(patterns)
    if classes is None:
        refuse(conjunctions[0].path, f"the patterns for names make more than {MANY_CLASSES} classes of names")
    return patterns, classes


#: Excluded objects that an object may still turn out to be, each with how many of its properties are still to come.
Rivals = frozenset[tuple[int, int]]
#: Which conjunction; which of its `exists` are still to come; which excluded objects it may still turn out to be.
ObjectBranch = tuple[int, frozenset[int], Rivals]
#: What a name fits, what its value fits, and what must still exist then.
Way = tuple[Subschemas, Subschemas, frozenset[int]]


class Undeclared(NamedTuple):
    """Names that an object may have undeclared, what their values fit, and the branch after one of them."""

    names: Names
    subschemas: Subschemas
    after: ObjectBranch


class UndeclaredNames:
    """The undeclared names that objects may have.

    Args:
        conjunctions: what the objects may fit.
        declared: the declared names.

    Attributes:
        patterns: all the patterns for names. classes: the sets of them that a name may match.
    """

    def __init__(self, context: SchemaContext, conjunctions: Sequence[Conjunction], declared: tuple[str, ...]):
        self.context, self.conjunctions, self._declared = context, conjunctions, declared
        self.patterns, self.classes = patterns_for_names(conjunctions)
        self._names: dict[Any, Names] = {}
        self._after: dict[tuple[int, frozenset[int]], list[Undeclared]] = {}

    def after(self, a: int, missing: frozenset[int]) -> list[Undeclared]:
        """The undeclared names that may come under conjunction `a`, of whose `exists` these are missing."""
        if (a, missing) not in self._after:
            self._after[a, missing] = list(self.ways(a, missing))
        return self._after[a, missing]

    def ways(self, a: int, missing: frozenset[int]) -> Iterator[Undeclared]:
        """The undeclared names that may come, one class after the other: they may be many."""
        conjunction = self.conjunctions[a]
        for patterns in self.classes:
            members = [part for keys, part in conjunction.members if keys.patterns.isdisjoint(patterns) is keys.others]
            if NEVER in members:
                continue
            subschemas: Subschemas = ()
            for part in members:
                subschemas = both(subschemas, part)
            if not missing:
                yield Undeclared(self.names_of(patterns, conjunction.names), subschemas, (a, missing, frozenset()))
                continue
            exists = ((e, conjunction.exists[e]) for e in sorted(missing))
            wanted = [(e, one) for e, one in exists if one.keys.patterns.isdisjoint(patterns) is one.keys.others]
            for fitting, p, still in told_apart(self.context, (conjunction.names, subschemas, missing), wanted):
                yield Undeclared(self.names_of(patterns, fitting), p, (a, still, frozenset()))

    def names_of(self, patterns: frozenset[str], fitting: Subschemas) -> Names:
        """The names that match these patterns and no others, and as values fit some schemas."""
        key = (patterns, key_of(fitting))
        if key not in self._names:
            others, texts = self.patterns - patterns, self.context.scalars.texts
            self._names[key] = Names(patterns, others, fitting, texts, self._declared)
        return self._names[key]


def told_apart(context: SchemaContext, way: Way, wanted: list[tuple[int, Exists]]) -> Iterator[Way]:
    """The ways to give some of what must exist, and not to give the others: those that give much come first."""
    if not wanted:
        yield way
        return
    (e, exists), *others = wanted
    names, subschemas, missing = way
    fitting = both(subschemas, exists.subschemas)
    if len(missing) <= FEW_MISSING or context.inhabited(fitting):
        yield from told_apart(context, (both(names, exists.names), fitting, missing - {e}), others)
    yield from told_apart(context, way, others)


MEMBER = 3  # bytes of a member beside its name and its value, at least: `"":`


class MemberSizes:
    """How many bytes the members of objects have at least; for the arguments see `Objects`.

    value: gives what stands behind a declared name.
    """

    def __init__(
        self,
        names: Sequence[str],
        required: Sequence[int],
        conjunctions: Sequence[Conjunction],
        value: Callable[[int, int], Node],
    ):
        self._names, self._required, self._conjunctions, self._value = names, required, conjunctions, value
        self._known: dict[tuple[int, int], int] = {}

    def least(self, branches: Sequence[Any], passed: int, count: int) -> int:
        """A bound on the bytes of the members that must still come."""
        if any(isinstance(branch, Alive) for branch in branches):  # of a product, of which nobody says it
            return 0
        bounds: list[int] = []
        for a, missing, _ in branches:
            sizes = [self._of(a, i) for i in numbers_in(self._required[a] & ~passed)]
            others = max(len(missing), self._conjunctions[a].sizes[0] - count - len(sizes), 0)
            bounds.append(sum(sizes) + (MEMBER + 2) * others)
        return min(bounds)

    def _of(self, a: int, i: int) -> int:
        if (a, i) not in self._known:
            beside = len(self._names[i]) + MEMBER
            self._known[a, i] = beside + 1  # a value may hold such an object again
            self._known[a, i] = beside + shortest(self._value(a, i))
        return self._known[a, i]
