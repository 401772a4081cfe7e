"""The objects of a JSON Schema, as a language that is made property by property.

What matters of the properties that were written is which names are taken, how many they are, and what still has to
come. All conjunctions that an object may fit are followed at once; they branch only where a value tells them apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from ..engine.memory import Marked
from ..language.narrowed import difference
from ..language.nodes import VOID, Node, cat
from ..language.terms import shortest
from ..language.tries import literal
from . import limits
from .conjunction import NO_SPAN, Conjunction, Exists, Subschemas, beyond, both, key_of, refuse
from .context import SchemaContext, numbers_in
from .object_members import Members, Names, ObjectBranch, Undeclared, UndeclaredNames, told_apart
from .object_names import DeclaredNames, covers, declared_names

MEMBER = 3  # bytes of a property beside its name and its value, at least: `"":`


class Objects:
    """The objects that fit one of several conjunctions.

    Args that come again in the methods below:
        branch: which conjunction is followed, and what it still needs.
        passed: a set of bits: the declared names that may come no more.
        count: how many properties there are, as far as it matters.
        taken: the undeclared names that there are.

    Attributes:
        names: the declared names of all the conjunctions. in_order: those that come in this order, as a set of bits.
        free_names: the others.
        required: for each conjunction, the declared names that must be there, as a set of bits.
        words: the declared names as they are spelled; None for those (odd) that are spelled in more than one way.
        far: a count of properties from which on one more changes nothing.
        simple: whether every branch can always end: properties are not counted, and none has to be found.
    """

    def __init__(self, context: SchemaContext, conjunctions: Sequence[Conjunction], names: DeclaredNames | None = None):
        """names: the first two attributes, if they are those of an object with other conjunctions."""
        self.context, self.conjunctions, self.spelling = context, conjunctions, context.spelling
        self.closing = self.spelling.right_brace
        self.excluded = [[value for value in c.excluded if isinstance(value, dict)] for c in conjunctions]
        self.names, self.in_order = names or declared_names(conjunctions, context.any_order)
        self.free_names = UndeclaredNames(context, conjunctions, self.names)
        self._bits = {name: 1 << i for i, name in enumerate(self.names)}
        self.required = [sum(self._bits[name] for name in conjunction.required) for conjunction in conjunctions]
        self.words = [self.spelling.texts.word(name) for name in self.names]
        self.odd = tuple(i for i, word in enumerate(self.words) if word is None)
        self.far = max(beyond(conjunction.sizes) for conjunction in conjunctions)
        self.simple = not any(self.excluded) and all(c.sizes == NO_SPAN and not c.exists for c in conjunctions)
        self._said_of: Callable[[Conjunction, str], Subschemas] = context.normalizer.properties.of
        self._properties: dict[tuple[int, int], Subschemas | None] = {}
        self._plain: dict[int, list[tuple[bytes, int]]] = {}
        self._made: dict[Any, dict[int, Members]] = {}
        self._labels: dict[Any, Node] = {}
        self._sizes: dict[tuple[int, int], int] = {}
        self._undeclared_edges: dict[Any, list[tuple[Node, tuple[ObjectBranch, ...]]]] = {}
        self._kept = 0  # names in the keys of these

    def start(self) -> Node:
        """From the opening brace on; VOID if there are none."""
        first = self.members(self.branches, 0, 0, False, frozenset())
        return VOID if first is VOID else cat(self.spelling.left_brace, first)

    def members(
        self, branches: Sequence[ObjectBranch], passed: int, count: int, begun: bool, taken: frozenset[str]
    ) -> Node:
        """What follows some properties. begun: whether there are any. For the others, see above."""
        count = min(count, self.far)
        alive = self.alive(branches, passed, count, taken)
        if not alive:
            return VOID
        alike = self.alike(alive, count, begun, taken)
        node = alike.get(passed)
        if node is None:
            node = alike[passed] = Members(self, alive, passed, count, begun, taken)
        return node

    def alike(
        self, alive: tuple[ObjectBranch, ...], count: int, begun: bool, taken: frozenset[str]
    ) -> dict[int, Members]:
        """What follows some properties, by which names have passed."""
        key = (alive, count, begun, taken)
        alike = self._made.get(key)
        if alike is None:
            self._kept += 1 + len(taken)
            if self._kept > limits.KEPT_NAMES:  # another node for the same costs a state
                self._made.clear()
                self._undeclared_edges.clear()
                self._labels.clear()
                self._kept = 1 + len(taken)
            alike = self._made.setdefault(key, {})
        return alike

    def resolved(
        self, branches: Sequence[ObjectBranch], passed: int, count: int, taken: frozenset[str], text: bytes
    ) -> Node:
        """What follows an undeclared property. text: its name, as it is written, with the second quote."""
        name = json.loads(b'"' + self.spelling.written(text))
        return self.members(branches, passed, count, True, taken | {name})

    # ------------------------------------------------------------------------------------- names, with their values

    def plain(self, a: int) -> list[tuple[bytes, int]]:
        """The declared names of conjunction a, but odd ones, as they stand behind the first quote; sorted."""
        if a not in self._plain:
            words = enumerate(self.words)
            self._plain[a] = sorted([(word[1:], i) for i, word in words if word and self.property(a, i) is not None])
        return self._plain[a]

    def declared(self, i: int, subschemas: Subschemas, begun: bool | None) -> Node:
        """A declared name, and its value; or its value alone (begun: None)."""
        key = (i, begun, key_of(subschemas))
        node = self._labels.get(key)
        if node is None:
            if begun is None:
                node = cat(self.spelling.colon, self.context.spelled(subschemas))
            else:
                lead = self.spelling.comma if begun else self.spelling.space
                name = self.spelling.spell(self.spelling.texts.quoted(self.names[i]))
                node = cat(lead, name, self.spelling.colon, self.context.value(subschemas))
            self._labels[key] = node
        return node

    def undeclared_edges(
        self, branches: Sequence[ObjectBranch], passed: int, count: int, begun: bool, taken: frozenset[str]
    ) -> list[tuple[Node, tuple[ObjectBranch, ...]]]:
        """All the undeclared names, with their values, that may come next; and the branches after them."""
        key = (branches, begun, taken)
        edges = self._undeclared_edges.get(key)
        if edges is None:
            edges, classes = [], dict[Any, tuple[Undeclared, list[ObjectBranch]]]()
            for branch in branches:
                for one in self.undeclared(branch, passed):
                    classes.setdefault((one.names, key_of(one.subschemas)), (one, []))[1].append(one.after)
            for (names, subschemas, _), after in classes.values():
                if alive := self.alive(after, passed, count, taken, names):
                    label = self.free(names, subschemas, begun, taken)
                    edges += [(label, alive)] if label is not VOID else []
            if self.simple:  # then these are all that matters
                self._undeclared_edges[key] = edges
        return edges

    def free(self, names: Names, subschemas: Subschemas, begun: bool, taken: frozenset[str]) -> Node:
        """An undeclared name, and its value. A mark stands behind the name."""
        key = (names, taken, key_of(subschemas))
        label = self._labels.get((begun, key))
        if label is None:
            text = self._labels.get(key)
            if text is None:  # kept, and not read again: another thread may have forgotten it
                text = self._labels[key] = self._free(names, subschemas, taken)
            label = self._labels[begun, key] = cat(self.spelling.opening(begun), text)
        return label

    def _free(self, names: Names, subschemas: Subschemas, taken: frozenset[str]) -> Node:
        """An undeclared name behind its first quote, and its value."""
        gone, texts = [*self.names, *sorted(taken)], self.spelling.texts
        if not names.anything and names.language is VOID:
            return VOID
        if names.anything:
            text = texts.others(gone)
        else:
            gone = [name for name in gone if names.has(name)]
            spelled = names.spelled(texts.in_names) if not gone else difference(names.language, gone, texts.in_names)
            text = cat(spelled, literal(b'"'))
        text = self.spelling.spell(text)
        value = cat(self.spelling.colon, self.context.value(subschemas))
        if text is VOID or value is VOID:
            return VOID
        return Marked(text, value, (names, key_of(subschemas)))

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
            subschemas: Subschemas | None = self._said_of(conjunction, name)
            if (
                conjunction.names and not self.context.scalars.fits_text(name, conjunction.names)
            ) or not self.context.inhabited(subschemas or ()):
                subschemas = None
                if self.context.looking:  # what seems to have no value may lack one only here, within itself
                    return None
            self._properties[key] = subschemas
        return self._properties[key]

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
        excluded = self.excluded[a]
        same = {(e, left - 1): excluded[e][name] for e, left in sorted(rivals) if name in excluded[e]}
        wanted = [(e, one) for e in sorted(missing) if self._is_one(one := self.conjunctions[a].exists[e], name)]
        ways = ((p, still) for _, p, still in told_apart(self.context, ((), subschemas, missing), wanted))
        if not same:
            return ((p, (a, still, frozenset())) for p, still in ways)
        told = self.context.listings.told_apart(same)
        return ((both(p, part), (a, still, left)) for p, still in ways for part, left in told)

    def _is_one(self, exists: Exists, name: str) -> bool:
        """Whether a name is one that has to exist."""
        return covers(exists.keys, name) and self.context.scalars.fits_text(name, exists.names)

    # ---------------------------------------------------------------------------------------- undeclared properties

    def undeclared(self, branch: ObjectBranch, passed: int = 0) -> list[Undeclared]:
        """The classes of undeclared names, what their values fit, and the branch after one of them."""
        classes = self.free_names.after(branch[0], branch[1])
        return [one for one in classes if self.context.inhabited(one.subschemas)]

    # --------------------------------------------------------------------------------------- whether there is a way

    def surely_next(self, branches: Sequence[ObjectBranch], passed: int, count: int, taken: frozenset[str]) -> int:
        """Declared names, as a set of bits, that may plainly come next: after each of them some branch can end."""
        return 0

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
        """What `can_end` gives. tried: the steps that were begun so far, none of which can end."""
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
                if len(tried) > limits.MEMBERS_TRIED:
                    refuse(
                        self.conjunctions[a].path,
                        f"what must exist in an object took more than {limits.MEMBERS_TRIED} tries",
                    )
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
        few = len(branch[1]) <= limits.FEW_MISSING
        a, missing, _ = branch
        for names, subschemas, after in self.undeclared(branch) if few else self.free_names.ways(a, missing):
            if after != branch and self.context.inhabited(subschemas):
                free = names.free(taken, self._enough)
                if free is None:
                    yield after, passed, taken
                for name in (free or [])[: len(missing) + 1]:  # so many leave one for each of the others
                    yield after, passed, taken | {name}

    def least(self, branches: Sequence[ObjectBranch], passed: int, count: int) -> int:
        """A bound on the bytes of the properties that must still come."""
        bounds: list[int] = []
        for a, missing, _ in branches:
            sizes = [self._size(a, i) for i in numbers_in(self.required[a] & ~passed)]
            others = max(len(missing), self.conjunctions[a].sizes[0] - count - len(sizes), 0)
            bounds.append(sum(sizes) + (MEMBER + 2) * others)
        return min(bounds)

    def _size(self, a: int, i: int) -> int:
        """How many bytes a declared property has at least."""
        if (a, i) not in self._sizes:
            beside = len(self.names[i]) + MEMBER
            self._sizes[a, i] = beside + 1  # a value may hold such an object again; far within, that is the bound
            self.context.sizing += 1
            try:
                if self.context.sizing <= limits.SIZED:
                    subschemas = self.property(a, i)
                    assert subschemas is not None, "a branch begins if it has what it requires"
                    self._sizes[a, i] = beside + shortest(self.declared(i, subschemas, None))
            finally:
                self.context.sizing -= 1
        return self._sizes[a, i]

    def left(self, passed: int) -> Iterable[int]:
        """The declared names that may still come."""
        return (i for i in range(len(self.names)) if not passed >> i & 1)

    def passed_after(self, passed: int, i: int) -> int:
        """The declared names that may come no more once name i has come."""
        return passed | 1 << i | (self.in_order & ((2 << i) - 1))
