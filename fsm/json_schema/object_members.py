"""The properties of an object as nodes of a language; and the names that they may have besides the declared ones.

Undeclared names fall into classes, which fit the same schemas. What follows some properties goes on to the brace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from typing import Any, NamedTuple

from ..engine.memory import Part
from ..language.intersection import Memberships, intersection, memberships
from ..language.nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, star
from ..language.terms import longest, strings, substitute
from ..language.tries import Branches
from ..patterns.characters import ANY
from ..patterns.parser import parse
from . import limits
from .conjunction import NEVER, Conjunction, Exists, Subschemas, both, by_subschemas, key_of, refuse
from .context import AfterPart, SchemaContext
from .strings import Once, accepts


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
        if len(patterns := self._patterns | self._others) > limits.FEW_PATTERNS:
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
    return memberships(nodes, star(ANY), limits.NAME_CLASSES, limits.NAME_STEPS, "the patterns for names")


@lru_cache(maxsize=64)
def name_classes(patterns: frozenset[str]) -> list[frozenset[str]] | None:
    """The sets of these patterns that a name may match, it matching none of the others; None if they are too many.

    Of few patterns these are all sets, whether there are such names or not. Of many, most sets have no name.
    """
    subsets: list[frozenset[str]] = [frozenset()]
    if len(patterns) <= limits.FEW_PATTERNS:
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
        refuse(conjunctions[0].path, f"the patterns for names make more than {limits.NAME_CLASSES} classes of names")
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
            exists = [(e, conjunction.exists[e]) for e in sorted(missing)] if missing else []
            wanted = [x for x in exists if x[1].keys.patterns.isdisjoint(patterns) is x[1].keys.others]
            way = (conjunction.names, reduce(both, members, ()), missing)
            for fitting, p, still in told_apart(self.context, way, wanted) if wanted else [way]:
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
    if len(missing) <= limits.FEW_MISSING or context.inhabited(fitting):
        yield from told_apart(context, (both(names, exists.names), fitting, missing - {e}), others)
    yield from told_apart(context, way, others)


# --- what follows some properties

AT_ONCE = 8  # names in order, which one node is for


class Members(Part):
    """What follows some properties, up to the closing brace. shape: the `Objects`, which say what the others mean."""

    __slots__ = ("begun", "branches", "count", "passed", "shape", "taken")
    forgets = ("taken",)

    def __init__(
        self, shape: Any, branches: tuple[ObjectBranch, ...], passed: int, count: int, begun: bool, taken: Any
    ):
        self.nullable, self.shape, self.branches, self.passed = False, shape, branches, passed
        self.count, self.begun, self.taken = count, begun, taken

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape = self.shape
        simple = shape.simple and len(self.branches) == 1 and shape.spelling.spells_all
        if simple and (shape.context.any_order or not shape.odd):  # nearly always
            return self._simply()
        return self._by_branches()

    def lengths(self) -> Bounds:
        return 1 + self.shape.least(self.branches, self.passed, self.count), None

    def _simply(self) -> list[tuple[Node, Node]]:
        """The edges if nothing is counted or looked for: the declared names that are left (but odd) are one node."""
        shape, passed, begun, (a, *_) = self.shape, self.passed, self.begun, self.branches[0]
        needed = shape.required[a] & ~passed
        edges: list[tuple[Node, Node]] = [] if needed else [(shape.spelling.right_brace, EMPTY)]
        in_order = needed and not shape.context.any_order
        last = (needed & -needed).bit_length() - 1 if in_order else len(shape.names)  # it may not be passed over
        if left := [(word, i) for word, i in shape.plain(a) if i <= last and not passed >> i & 1]:
            edges.append((shape.spelling.opening(begun), Declared(self, left)))
        for i in shape.odd:  # in any order
            edges += self.declared(i, self.branches) if not passed >> i & 1 else ()
        if not in_order:
            then = passed | shape.in_order
            for label, alive in shape.undeclared_edges(self.branches, then, 0, begun, self.taken):
                edges.append((label, AfterPart(shape, alive, (then, 0), self.taken)))
        return edges

    def _by_branches(self) -> Iterator[tuple[Node, Node]]:
        """The edges, whatever there is to count, to look for, or to tell apart."""
        shape, passed, branches = self.shape, self.passed, self.branches
        if any(shape.ends(branch, passed, self.count) for branch in branches):
            yield shape.spelling.right_brace, EMPTY
        count, over, surely = min(self.count + 1, shape.far), passed, None
        left: list[tuple[bytes, int]] = []
        before: dict[int, Any] = {}
        for k, i in enumerate(shape.left(passed)):
            if k and shape.in_order >> i & (i % AT_ONCE == 0):  # one node for all that pass over as much
                further = shape.members(branches, over, self.count, self.begun, self.taken)
                if further is not VOID:
                    yield further, EMPTY
                branches = ()
            if not branches:
                break
            if surely is None:
                surely = shape.surely_next(branches, over, self.count, self.taken)
            if surely >> i & 1 and (word := shape.words[i]):
                left.append((word[1:], i))
                before[i] = branches
            else:
                yield from self.declared(i, branches)
            if shape.in_order >> i & 1:  # what is required may not be passed over
                alive, branches, over = branches, shape.passing_over(branches, i), over | 1 << i
                surely = surely if branches == alive else None
        if left:
            yield shape.spelling.opening(self.begun), Declared(self, sorted(left), before)
        then = passed | shape.in_order
        for label, alive in shape.undeclared_edges(branches, then, count, self.begun, self.taken):
            yield label, AfterPart(shape, alive, (then, count), self.taken)

    def declared(self, i: int, branches: tuple[ObjectBranch, ...], named: bool = False) -> Iterator[tuple[Node, Node]]:
        """Declared name i comes next. named: whether it stands there already."""
        shape, then = self.shape, self.shape.passed_after(self.passed, i)
        count = min(self.count + 1, shape.far)
        for subschemas, after in by_subschemas(
            way for branch in branches for way in shape.ways(branch, i, self.passed)
        ):
            following = shape.members(after, then, count, True, self.taken)
            if following is not VOID:
                label = shape.declared(i, subschemas, None if named else self.begun)
                if label is not VOID:
                    yield label, following


class Declared(Part, Branches):
    """The declared names that are left, where nothing but their names tells what follows."""

    __slots__ = ("_before", "_which", "members")
    forgets = ("_before", "_which")

    def __init__(self, members: Members, left: list[tuple[bytes, int]], before: dict[int, Any] | None = None):
        """before: by name, the branches that are left where it comes next; None if nothing tells them apart."""
        self.nullable, self.members, self._before = False, members, before
        self.words, self._which = [word for word, _ in left], [i for _, i in left]

    def lengths(self) -> Bounds:
        return self.members.lengths()

    def after(self, i: int) -> Lazy:
        members, which = self.members, self._which[i]
        if self._before is not None:
            return AfterDeclared(members, which, self._before[which])
        shape, branches = members.shape, members.branches
        then = shape.passed_after(members.passed, which)
        count = min(members.count + 1, shape.far)
        alike = shape.alike(branches, count, True, members.taken)
        if then not in alike:
            alike[then] = Members(shape, branches, then, count, True, members.taken)
        subschemas = shape.property(branches[0][0], which)
        return Once(shape.declared(which, subschemas, None), alike[then])


class AfterDeclared(Part):
    """What follows a declared name. branches: those that are left where it comes next."""

    __slots__ = ("branches", "i", "members")
    forgets = ()

    def __init__(self, members: Members, i: int, branches: tuple[ObjectBranch, ...]):
        self.nullable, self.members, self.i, self.branches = False, members, i, branches

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return self.members.declared(self.i, self.branches, named=True)
