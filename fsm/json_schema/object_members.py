"""The properties of an object as nodes of a language: what follows some of them, up to the closing brace."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..engine.memory import Part, Pending, Wall
from ..language.nodes import EMPTY, VOID, Bounds, Lazy, Node, cat
from ..language.tries import Branches, literal
from .conjunction import by_subschemas, key_of
from .strings import Once
from .undeclared_names import ObjectBranch, Undeclared

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
        return 1 + self.shape.member_sizes.least(self.branches, self.passed, self.count), None

    def _simply(self) -> list[tuple[Node, Node]]:
        """The edges if nothing is counted or looked for: the declared names that are left (but odd) are one node."""
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
        """The edges, whatever there is to count, to look for, or to tell apart."""
        shape, passed, branches = self.shape, self.passed, self.branches
        if any(shape.ends(branch, passed, self.count) for branch in branches):
            yield shape.spelling.right_brace, EMPTY
        count, over, surely = min(self.count + 1, shape.far), passed, None
        left: list[tuple[bytes, int]] = []
        before: dict[int, Any] = {}
        for k, i in enumerate(shape.left(passed)):
            if k and i % AT_ONCE == 0 and shape.in_order >> i & 1:  # one node for all that pass over as much
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
        yield from self._undeclared(branches, passed | shape.in_order, count)

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
        return Once(shape.value(branches[0][0], which), alike[then])


class AfterDeclared(Part):
    """What follows a declared name. branches: those that are left where it comes next."""

    __slots__ = ("branches", "i", "members")
    forgets = ()

    def __init__(self, members: Members, i: int, branches: tuple[ObjectBranch, ...]):
        self.nullable, self.members, self.i, self.branches = False, members, i, branches

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return self.members.declared(self.i, self.branches, named=True)


class AfterUndeclared(Pending):
    """What follows an undeclared property, whose name is not known yet."""

    __slots__ = ("branches", "count", "passed", "shape", "taken")
    forgets = ("taken",)

    def __init__(self, shape: Any, branches: Sequence[ObjectBranch], passed: int, count: int, taken: frozenset[str]):
        self.nullable, self.shape, self.branches, self.passed = False, shape, branches, passed
        self.count, self.taken = count, taken

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape, spelling = self.shape, self.shape.spelling
        edges: list[tuple[Node, Node]] = [(cat(spelling.space, spelling.spell(literal(b","))), Wall(self.lengths()[0]))]
        if any(shape.ends(branch, self.passed, self.count) for branch in self.branches):
            edges.append((spelling.right_brace, EMPTY))
        return edges

    lengths = Members.lengths

    def resolved(self, text: bytes) -> Node:
        taken = self.taken | {json.loads(b'"' + self.shape.spelling.written(text))}
        return self.shape.members(self.branches, self.passed, self.count, True, taken)
