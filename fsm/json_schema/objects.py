"""The objects of a JSON Schema, as a language that is made property by property."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..engine.memory import Marked, Part, Pending, Wall
from ..language.intersection import difference
from ..language.nodes import EMPTY, VOID, Lazy, Node, cat
from ..language.tries import Branches, literal
from ..patterns.json_strings import is_odd, key_class, other_strings, quoted
from .conjunction import Conjunction, Subschemas, by_subschemas, key_of
from .context import SchemaContext
from .document import DeclaredNames
from .object_branches import Names, ObjectBranch, ObjectBranches, Undeclared

#: Undeclared names, in all the sets that one shape has met, of which is known what follows.
KEPT_NAMES = 20_000


class Objects(ObjectBranches):
    """The objects that fit one of several conjunctions."""

    def __init__(self, context: SchemaContext, conjunctions: Sequence[Conjunction], names: DeclaredNames | None = None):
        super().__init__(context, conjunctions, names)
        self.spelling = context.spelling
        #: The declared names that JSON spells in more than one way.
        self.odd = tuple(i for i, name in enumerate(self.names) if is_odd(name))
        self._plain: dict[int, list[tuple[bytes, int]]] = {}
        self._made: dict[Any, dict[int, Members]] = {}
        self._labels: dict[Any, Node] = {}
        self._undeclared_edges: dict[Any, list[tuple[Node, tuple[ObjectBranch]]]] = {}
        self._kept = 0  # names in the keys of these

    def start(self) -> Node:
        """From the opening brace on; VOID if there are none."""
        first = self.members(self.branches, 0, 0, False, frozenset())
        return VOID if first is VOID else cat(self.spelling.left_brace, first)

    def members(
        self, branches: Sequence[ObjectBranch], passed: int, count: int, begun: bool, taken: frozenset[str]
    ) -> Node:
        """What follows some properties. begun: whether there are any. For the others, see `ObjectBranches`."""
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
            if self._kept > KEPT_NAMES:  # another node for the same costs a state
                self._made.clear()
                self._undeclared_edges.clear()
                self._labels.clear()
                self._kept = 1 + len(taken)
            alike = self._made.setdefault(key, {})
        return alike

    # ------------------------------------------------------------------------------------- names, with their values

    def plain(self, a: int) -> list[tuple[bytes, int]]:
        """The declared names of conjunction a, but odd ones, as they stand behind the first quote; sorted."""
        if a not in self._plain:
            plain = (i for i in range(len(self.names)) if i not in self.odd and self.property(a, i) is not None)
            self._plain[a] = sorted((self.names[i].encode() + b'"', i) for i in plain)
        return self._plain[a]

    def value(self, a: int, i: int) -> Node:
        """What stands behind a declared name."""
        subschemas = self.property(a, i)
        assert subschemas is not None
        key = (i, key_of(subschemas))
        label = self._labels.get(key)
        if label is None:
            label = self._labels[key] = cat(self.spelling.colon, self.context.spelled(subschemas))
        return label

    def declared(self, i: int, subschemas: Subschemas, begun: bool) -> Node:
        """A declared name, and its value."""
        key = (i, begun, key_of(subschemas))
        node = self._labels.get(key)
        if node is None:
            lead = self.spelling.comma if begun else self.spelling.space
            name = self.spelling.spell(quoted(self.names[i]))
            node = self._labels[key] = cat(lead, name, self.spelling.colon, self.context.value(subschemas))
        return node

    def undeclared_edges(
        self, branch: ObjectBranch, begun: bool, taken: frozenset[str]
    ) -> list[tuple[Node, tuple[ObjectBranch]]]:
        """All the undeclared names, with their values, that a branch may have next; and the branches after them."""
        key = (branch, begun, taken)
        edges = self._undeclared_edges.get(key)
        if edges is None:
            classes = self.undeclared(branch)
            labels = ((self.free(one.names, one.subschemas, begun, taken), one) for one in classes)
            edges = [(label, (one.after,)) for label, one in labels if label is not VOID]
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
        """The same, behind the first quote."""
        gone = [*self.names, *sorted(taken)]
        if not names.anything and names.language is VOID:
            return VOID
        if names.anything:
            text = other_strings(gone)
        else:
            gone = [name for name in gone if names.has(name)]
            text = cat(difference(names.language, gone, key_class) if gone else names.spelled, literal(b'"'))
        text = self.spelling.spell(text)
        value = cat(self.spelling.colon, self.context.value(subschemas))
        if text is VOID or value is VOID:
            return VOID
        return Marked(text, value)


class Members(Part):
    """What follows some properties, up to the closing brace."""

    __slots__ = ("begun", "branches", "count", "passed", "shape", "taken")

    def __init__(
        self, shape: Objects, branches: tuple[ObjectBranch, ...], passed: int, count: int, begun: bool, taken: Any
    ):
        self.nullable, self.shape, self.branches, self.passed = False, shape, branches, passed
        self.count, self.begun, self.taken = count, begun, taken

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape = self.shape
        simple = shape.simple and len(self.branches) == 1 and shape.spelling.spells_all
        if simple and (shape.context.any_order or not shape.odd):  # nearly always
            return self._simply()
        return self._by_branches()

    def _simply(self) -> list[tuple[Node, Node]]:
        """The same, where nothing is counted or looked for: all declared names that are left (but odd) are one node."""
        shape, passed, begun, (branch,) = self.shape, self.passed, self.begun, self.branches
        needed = shape.required[branch[0]] & ~passed
        edges: list[tuple[Node, Node]] = [] if needed else [(shape.spelling.right_brace, EMPTY)]
        left = self._plain_left(branch[0], needed)
        if left:
            edges.append((shape.spelling.opening(begun), Declared(self, left)))
        edges += self._odd(branch[0])
        any_order = shape.context.any_order
        if not needed or any_order:
            then = passed | shape.in_order
            for label, after in shape.undeclared_edges(branch, begun, self.taken):
                edges.append((label, AfterUndeclared(shape, after, then, 0, self.taken)))
        return edges

    def _plain_left(self, a: int, needed: int) -> list[tuple[bytes, int]]:
        """The declared names that may come next, but odd ones. needed: those that have to come, as a set of bits."""
        shape, passed = self.shape, self.passed
        in_order = needed and not shape.context.any_order
        last = (needed & -needed).bit_length() - 1 if in_order else len(shape.names)  # it may not be passed over
        return [(word, i) for word, i in shape.plain(a) if i <= last and not passed >> i & 1]

    def _odd(self, a: int) -> Iterator[tuple[Node, Node]]:
        """The odd declared names that are left, in any order."""
        shape, passed = self.shape, self.passed
        for i in shape.odd:
            subschemas = None if passed >> i & 1 else shape.property(a, i)
            label = VOID if subschemas is None else shape.declared(i, subschemas, self.begun)
            if label is not VOID:
                yield label, shape.members(self.branches, passed | 1 << i, 0, True, self.taken)

    def _by_branches(self) -> Iterator[tuple[Node, Node]]:
        """The same, whatever there is to count, to look for, or to tell apart."""
        shape, passed, branches = self.shape, self.passed, self.branches
        if any(shape.ends(branch, passed, self.count) for branch in branches):
            yield shape.spelling.right_brace, EMPTY
        count = min(self.count + 1, shape.far)
        for i in shape.left(passed):
            if not branches:
                return
            yield from self._declared(i, branches, count)
            if shape.in_order >> i & 1:  # what is required may not be passed over
                branches = shape.passing_over(branches, i)
        yield from self._undeclared(branches, passed | shape.in_order, count)

    def _declared(self, i: int, branches: tuple[ObjectBranch, ...], count: int) -> Iterator[tuple[Node, Node]]:
        """Declared name i comes next. count: of the properties, with this one."""
        shape, then = self.shape, self.shape.passed_after(self.passed, i)
        for subschemas, after in by_subschemas(
            way for branch in branches for way in shape.ways(branch, i, self.passed)
        ):
            following = shape.members(after, then, count, True, self.taken)
            if following is not VOID:
                label = shape.declared(i, subschemas, self.begun)
                if label is not VOID:
                    yield label, following

    def _undeclared(self, branches: tuple[ObjectBranch, ...], then: int, count: int) -> Iterator[tuple[Node, Node]]:
        """An undeclared name comes next. then: the declared names that may come no more after it."""
        shape = self.shape
        classes: dict[Any, tuple[Undeclared, list[ObjectBranch]]] = {}
        for branch in branches:
            for one in shape.undeclared(branch, then):
                key = (one.names, key_of(one.subschemas))
                classes.setdefault(key, (one, []))[1].append(one.after)
        for (names, subschemas, _), after in classes.values():
            alive = shape.alive(after, then, count, self.taken, names)
            if alive:
                label = shape.free(names, subschemas, self.begun, self.taken)
                if label is not VOID:
                    yield label, AfterUndeclared(shape, alive, then, count, self.taken)


class Declared(Part, Branches):
    """The declared names that are left, where nothing but their names tells what follows."""

    __slots__ = ("_which", "members")

    def __init__(self, members: Members, left: list[tuple[bytes, int]]):
        self.nullable, self.members = False, members
        self.words, self._which = [word for word, _ in left], [i for _, i in left]

    def after(self, i: int) -> Lazy:
        members, which = self.members, self._which[i]
        shape, branches = members.shape, members.branches
        then = shape.passed_after(members.passed, which)
        count = min(members.count + 1, shape.far)
        alike = shape.alike(branches, count, True, members.taken)
        if then not in alike:
            alike[then] = Members(shape, branches, then, count, True, members.taken)
        return Property(shape.value(branches[0][0], which), alike[then])


class Property(Part):
    """What stands behind a name: its value, and what follows."""

    __slots__ = ("following", "value")

    def __init__(self, value: Node, following: Node):
        self.nullable, self.value, self.following = False, value, following

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((self.value, self.following),)


class AfterUndeclared(Pending):
    """What follows an undeclared property, whose name is not known yet."""

    __slots__ = ("branches", "count", "passed", "shape", "taken")

    def __init__(
        self, shape: Objects, branches: Sequence[ObjectBranch], passed: int, count: int, taken: frozenset[str]
    ):
        self.nullable, self.shape, self.branches, self.passed = False, shape, branches, passed
        self.count, self.taken = count, taken

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape, spelling = self.shape, self.shape.spelling
        edges: list[tuple[Node, Node]] = [(cat(spelling.space, spelling.spell(literal(b","))), Wall())]
        if any(shape.ends(branch, self.passed, self.count) for branch in self.branches):
            edges.append((spelling.right_brace, EMPTY))
        return edges

    def resolved(self, text: bytes) -> Node:
        taken = self.taken | {json.loads(b'"' + self.shape.spelling.written(text))}
        return self.shape.members(self.branches, self.passed, self.count, True, taken)
