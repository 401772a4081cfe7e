"""The objects of a JSON Schema, as a language that is made property by property.

What matters of the properties that were written is which names are taken, how many they are, and what still has to
come. All conjunctions that an object may fit are followed at once; they branch only where a value tells them apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.memory import Marked, Part, Pending, Wall
from ..language.nodes import EMPTY, VOID, Branches, Node, Unfolding, cat, literal, longest, star, substitute
from ..language.product import meet, strings, without
from ..patterns.json_characters import key_class
from ..patterns.json_strings import is_odd, other_strings, quoted
from ..patterns.parser import ANY, parse
from .conjunction import Conjunction, Exists, Places, both
from .normalize import covers, refuse
from .strings import accepts

if TYPE_CHECKING:
    from .writer import Writer

PATTERNS_LIMIT = 8  # of one object; every combination of them is a class of names
KEPT = 20_000  # undeclared names, in all the sets that one shape has met, of which is known what follows
Rivals = frozenset[tuple[int, int]]
#: Which conjunction; which of its `exists` are still to come; and which excluded objects it may still turn out to be,
#: with how many of their properties are still to come.
Branch = tuple[int, frozenset[int], Rivals]


class Names:
    """Some undeclared names: those that match these patterns and none of the others, and fit."""

    def __init__(self, shape: Objects, patterns: frozenset[str], fitting: Places):
        self.shape, self.patterns, self.fitting = shape, patterns, fitting
        self._known: dict[str, bool] = {}

    @cached_property
    def language(self) -> Node:
        """Over code points. The declared names are not left out yet."""
        yes = [parse(pattern, search=True) for pattern in sorted(self.patterns)]
        no = [parse(pattern, search=True) for pattern in sorted(self.shape.patterns - self.patterns)]
        if self.fitting:
            yes.append(self.shape.writer.texts(self.fitting))
        return VOID if VOID in yes else meet(yes or [star(ANY)], [node for node in no if node is not VOID])

    @property
    def anything(self) -> bool:
        """Whether any name is one of these."""
        return not self.shape.patterns and not self.fitting

    @cached_property
    def spelled(self) -> Node:
        return substitute(self.language, key_class)

    def has(self, name: str) -> bool:
        """Whether it is one of them, declared or not."""
        if name not in self._known:
            self._known[name] = accepts(self.language, name)
        return self._known[name]

    def count(self, taken: frozenset[str], enough: int) -> int:
        """How many there are, of those that are neither declared nor taken; no more than enough are counted."""
        if self.anything:
            return enough
        if self.language is VOID:
            return 0
        gone = taken.union(self.shape.names)
        some = None if longest(self.language) is None else strings(self.language, enough + len(gone))
        return enough if some is None else min(enough, sum(text not in gone for text in some))


class Class(NamedTuple):
    """Names that an object may have undeclared, what their values fit, and the branch after one of them."""

    names: Names
    places: Places
    after: Branch


class Objects:
    """The objects that fit one of several conjunctions."""

    def __init__(self, writer: Writer, conjunctions: Sequence[Conjunction]):
        self.writer, self.conjunctions = writer, conjunctions
        self.excluded = [[value for value in f.excluded if isinstance(value, dict)] for f in conjunctions]
        declared = chain(
            *(keys.names for f in conjunctions for keys, _ in f.members), *(f.required for f in conjunctions)
        )
        declared = chain(declared, *(value for values in self.excluded for value in values))
        self.names = tuple(dict.fromkeys(declared))
        self.patterns: frozenset[str] = frozenset().union(
            *(keys.patterns for f in conjunctions for keys, _ in f.members),
            *(e.keys.patterns for f in conjunctions for e in f.exists),
        )
        if len(self.patterns) > PATTERNS_LIMIT:
            refuse(
                conjunctions[0].path, f"more than {PATTERNS_LIMIT} patterns for the names of one object's properties"
            )
        place = {name: i for i, name in enumerate(self.names)}
        self.required = [sum(1 << place[name] for name in conjunction.required) for conjunction in conjunctions]
        self.far = max(max(f.sizes[0], f.sizes[1] + 1 if f.sizes[1] is not None else 0) for f in conjunctions)
        #: Whether there is a way to the end from wherever one gets to: nothing is counted, and nothing has to be found.
        self.simple = all(
            conjunction.sizes == (0, None) and not conjunction.exists for conjunction in conjunctions
        ) and not any(self.excluded)
        self._properties: dict[tuple[int, int], Places | None] = {}
        self._made: dict[Any, dict[int, Members]] = {}
        self._kept = 0
        self._plain: dict[int, list[tuple[bytes, int]]] = {}
        self.odd = tuple(i for i, name in enumerate(self.names) if is_odd(name))
        self._labels: dict[Any, Node] = {}
        self._classes: dict[Any, Names] = {}
        self._others: dict[Any, list[tuple[Node, tuple[Branch]]]] = {}
        self._open: dict[tuple[int, frozenset[int]], list[Class]] = {}

    @property
    def branches(self) -> list[Branch]:
        """Of all objects."""
        rivals = [frozenset((e, len(value)) for e, value in enumerate(values)) for values in self.excluded]
        branches = (
            (a, frozenset(range(len(conjunction.exists))), rivals[a]) for a, conjunction in enumerate(self.conjunctions)
        )
        return [branch for branch in branches if self.can_begin(branch[0])]

    def start(self) -> Node:
        """From the opening brace on; VOID if there are none."""
        first = self.members(self.branches, 0, 0, False, frozenset())
        return VOID if first is VOID else cat(self.writer.left_brace, first)

    def members(self, branches: Sequence[Branch], passed: int, count: int, begun: bool, taken: frozenset[str]) -> Node:
        """What follows some properties.

        Args:
            passed: a set of bits: the declared names that may come no more.
            count: how many there are, as far as it matters. begun: whether there are any.
            taken: the undeclared names that there are.
        """
        count = min(count, self.far)
        alive = self.alive(branches, passed, count, taken)
        if not alive:
            return VOID
        alike = self.alike(alive, count, begun, taken)
        node = alike.get(passed)
        if node is None:
            node = alike[passed] = Members(self, alive, passed, count, begun, taken)
        return node

    def alike(self, alive: tuple[Branch, ...], count: int, begun: bool, taken: frozenset[str]) -> dict[int, Members]:
        """What follows some properties, by which names have passed."""
        key = (alive, count, begun, taken)
        found = self._made.get(key)
        if found is None:
            self._kept += 1 + len(taken)
            if self._kept > KEPT:  # another node for the same costs a state
                self._made.clear()
                self._others.clear()
                self._labels.clear()
                self._kept = 1 + len(taken)
            found = self._made.setdefault(key, {})
        return found

    def alive(
        self, branches: Sequence[Branch], passed: int, count: int, taken: frozenset[str], used: Names | None = None
    ) -> tuple[Branch, ...]:
        """The branches that can come to an end. `used`: the class of a name that is taken as well."""
        if self.simple:
            return tuple(dict.fromkeys(branches))
        return tuple(dict.fromkeys(b for b in branches if self.hope(b, passed, count, taken, used)))

    # --------------------------------------------------------------------------------------- whether there is a way

    def can_begin(self, a: int) -> bool:
        """Whether all that is required may be there."""
        needed = self.required[a]
        return all(self.property(a, i) is not None for i in range(len(self.names)) if needed >> i & 1)

    def property(self, a: int, i: int) -> Places | None:
        """What the value of declared name i fits; None if nothing does, or the name itself does not fit."""
        key = (a, i)
        if key not in self._properties:
            conjunction, name = self.conjunctions[a], self.names[i]
            places: Places | None = self.writer.reader.property_of(conjunction, name)
            if (
                not self._allowed(a, name)
                or not self.writer.fits_text(name, conjunction.names)
                or not self.writer.inhabited(places or ())
            ):
                places = None
                if self.writer.looking:  # what seems to have no value may lack one only here, within itself
                    return None
            self._properties[key] = places
        return self._properties[key]

    def _allowed(self, a: int, name: str) -> bool:
        """Whether a conjunction has this name at all."""
        conjunction = self.conjunctions[a]
        if not self.writer.reader.plainly or not conjunction.declares or name in conjunction.required:
            return True
        return self.writer.reader.declares(conjunction, name)

    def open(self, a: int) -> bool:
        """Whether a conjunction has undeclared names that match no pattern."""
        conjunction = self.conjunctions[a]
        return not self.writer.reader.plainly or not conjunction.declares or conjunction.extras

    def ends(self, branch: Branch, passed: int, count: int) -> bool:
        """Whether there may be no more properties."""
        a, missing, rivals = branch
        low, high = self.conjunctions[a].sizes
        enough = not missing and not self.required[a] & ~passed and low <= count and (high is None or count <= high)
        return enough and all(left for _, left in rivals)

    def hope(self, branch: Branch, passed: int, count: int, taken: frozenset[str], used: Names | None = None) -> bool:
        """Whether there is some way to the end."""
        a, missing, rivals = branch
        low, high = self.conjunctions[a].sizes
        if high is not None and low > high:
            return False
        needed = self.required[a] & ~passed
        total = count + needed.bit_count()
        if high is not None and total > high:
            return False
        if missing or (rivals and not self.ends(branch, passed, count)):  # something has to come, or to differ
            return any(
                self.hope(after, then, min(count + 1, self.far), taken, used)
                for after, then in self._steps(branch, passed, taken)
            )
        lacking = low - total
        if lacking > 0:
            others = ~passed & ~self.required[a]
            lacking -= sum(others >> i & 1 and self.property(a, i) is not None for i in range(len(self.names)))
        if lacking > 0:
            for names, _, _ in self.classes((a, missing, rivals)):
                lacking -= names.count(taken, lacking + (names is used)) - (names is used)
        return lacking <= 0

    def _steps(self, branch: Branch, passed: int, taken: frozenset[str]) -> Iterator[tuple[Branch, int]]:
        """Ways to have one more of what must exist, or of what tells an object from others."""
        for i in range(len(self.names)):
            if not passed >> i & 1:
                for places, after in self.ways(branch, i):
                    if after != branch and self.writer.inhabited(places):
                        yield after, passed | (1 << i if self.writer.anywhere else (2 << i) - 1)
                if not self.writer.anywhere and self.required[branch[0]] >> i & 1:
                    return
        for names, places, after in self.classes(branch):
            if after != branch and names.count(taken, 1) and self.writer.inhabited(places):
                yield after, passed

    # ------------------------------------------------------------------------------------------- what may come next

    def ways(self, branch: Branch, i: int) -> list[tuple[Places, Branch]]:
        """What declared name i may have for a value, and the branch after it."""
        a, missing, rivals = branch
        places = self.property(a, i)
        if places is None:
            return []
        name = self.names[i]
        same = [(e, left - 1) for e, left in sorted(rivals) if name in self.excluded[a][e]]
        found = [(places, missing)]
        for e in missing:
            what = self.conjunctions[a].exists[e]
            if covers(what.keys, self.names[i]) and self.writer.fits_text(self.names[i], what.names):
                found += [(both(p, what.places), rest - {e}) for p, rest in found]
        if not same:
            return [(p, (a, rest, frozenset())) for p, rest in found]
        told = self.writer.told_apart([self.excluded[a][e][name] for e, _ in same])
        return [
            (both(p, (part,)), (a, rest, frozenset(same[j] for j in which)))
            for p, rest in found
            for part, which in told
        ]

    def classes(self, branch: Branch) -> list[Class]:
        """The classes of undeclared names, what their values fit, and the branch after one of them."""
        a, missing, _ = branch
        found = self._open.get((a, missing))
        if found is None:
            found = self._open[a, missing] = list(self._classes_of(a, missing))
        return [one for one in found if self.writer.inhabited(one.places)]

    def undeclared(self, branch: Branch, name: str) -> list[tuple[Places, Branch]]:
        """What an undeclared name may have for a value, and the branch after it."""
        return [(places, after) for names, places, after in self.classes(branch) if names.has(name)]

    def _classes_of(self, a: int, missing: frozenset[int]) -> Iterator[Class]:
        conjunction = self.conjunctions[a]
        for patterns in _subsets(self.patterns):
            if not patterns and not self.open(a):
                continue
            places: Places = ()
            spoken = not self.writer.reader.plainly or not conjunction.declares
            for keys, part in conjunction.members:
                if keys.patterns.isdisjoint(patterns) is keys.others:
                    places = both(places, part)
                    spoken = True
            if not spoken:
                continue
            found: list[tuple[Places, Places, frozenset[int]]] = [(conjunction.names, places, missing)]
            for e in missing:
                what: Exists = conjunction.exists[e]
                if what.keys.patterns.isdisjoint(patterns) is what.keys.others:
                    found += [(both(n, what.names), both(p, what.places), rest - {e}) for n, p, rest in found]
            for fitting, p, rest in found:
                yield Class(self._class(patterns, fitting), p, (a, rest, frozenset()))

    def _class(self, patterns: frozenset[str], fitting: Places) -> Names:
        key = (patterns, frozenset(place.key for place in fitting))
        if key not in self._classes:
            self._classes[key] = Names(self, patterns, fitting)
        return self._classes[key]

    def label(self, i: int, places: Places, begun: bool) -> Node:
        """A declared name, and its value."""
        key = (i, begun, frozenset(place.key for place in places))
        node = self._labels.get(key)
        if node is None:
            writer = self.writer
            lead = writer.comma if begun else writer.space
            name = writer.spell(quoted(self.names[i]))
            node = self._labels[key] = cat(lead, name, writer.colon, writer.value(places))
        return node

    def plain(self, a: int) -> list[tuple[bytes, int]]:
        """The declared names that a conjunction may have, as they stand behind the first quote, sorted."""
        if a not in self._plain:
            some = (i for i in range(len(self.names)) if i not in self.odd and self.property(a, i) is not None)
            self._plain[a] = sorted((self.names[i].encode() + b'"', i) for i in some)
        return self._plain[a]

    def value(self, a: int, i: int) -> Node:
        """What stands behind a declared name."""
        places = self.property(a, i)
        assert places is not None
        key = (i, frozenset(place.key for place in places))
        label = self._labels.get(key)
        if label is None:
            label = self._labels[key] = cat(self.writer.colon, self.writer.spelled(places))
        return label

    def free(self, names: Names, places: Places, begun: bool, taken: frozenset[str]) -> Node:
        """An undeclared name, and its value. A mark stands behind the name."""
        key = (names, taken, frozenset(place.key for place in places))
        label = self._labels.get((begun, key))
        if label is None:
            text = self._labels.get(key)
            if text is None:  # kept, and not read again: another thread may have forgotten it
                text = self._labels[key] = self._free(names, places, taken)
            label = self._labels[begun, key] = cat(self.writer.opening(begun), text)
        return label

    def others(self, branch: Branch, begun: bool, taken: frozenset[str]) -> list[tuple[Node, tuple[Branch]]]:
        """All the undeclared names, with their values, that a branch may have next; and the branches after them."""
        key = (branch, begun, taken)
        found = self._others.get(key)
        if found is None:
            labels = ((self.free(one.names, one.places, begun, taken), one) for one in self.classes(branch))
            found = self._others[key] = [(label, (one.after,)) for label, one in labels if label is not VOID]
        return found

    def _free(self, names: Names, places: Places, taken: frozenset[str]) -> Node:
        """The same, behind the first quote."""
        writer, gone = self.writer, [*self.names, *sorted(taken)]
        if not names.anything and names.language is VOID:
            return VOID
        if names.anything:
            text = other_strings(gone)
        else:
            gone = [name for name in gone if names.has(name)]
            text = cat(without(names.language, gone, key_class) if gone else names.spelled, literal(b'"'))
        text = writer.spell(text)
        rest = cat(writer.colon, writer.value(places))
        if text is VOID or rest is VOID:
            return VOID
        return Marked(text, rest)


class Named(Pending):
    """What follows an undeclared property, whose name is not known yet."""

    __slots__ = ("branches", "count", "passed", "shape", "taken")

    def __init__(self, shape: Objects, branches: Sequence[Branch], passed: int, count: int, taken: frozenset[str]):
        self.nullable, self.shape, self.branches, self.passed = False, shape, branches, passed
        self.count, self.taken = count, taken

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape, writer = self.shape, self.shape.writer
        edges: list[tuple[Node, Node]] = [(cat(writer.space, writer.spell(literal(b","))), Wall())]
        if any(shape.ends(branch, self.passed, self.count) for branch in self.branches):
            edges.append((writer.right_brace, EMPTY))
        return edges

    def resolved(self, text: bytes) -> Node:
        taken = self.taken | {json.loads(b'"' + text)}
        return self.shape.members(self.branches, self.passed, self.count, True, taken)


class Declared(Part, Branches):
    """The declared names that are left, where nothing but their names tells what follows."""

    __slots__ = ("_which", "members")

    def __init__(self, members: Members, left: list[tuple[bytes, int]]):
        self.nullable, self.members = False, members
        self.words, self._which = [word for word, _ in left], [i for _, i in left]

    def after(self, i: int) -> Unfolding:
        members, which = self.members, self._which[i]
        shape, branches = members.shape, members.branches
        then = members.passed | (1 << which if shape.writer.anywhere else (2 << which) - 1)
        count = min(members.count + 1, shape.far)
        alike = shape.alike(branches, count, True, members.taken)
        if then not in alike:
            alike[then] = Members(shape, branches, then, count, True, members.taken)
        return Property(shape.value(branches[0][0], which), alike[then])


class Property(Part):
    """What stands behind a name: its value, and what follows."""

    __slots__ = ("rest", "value")

    def __init__(self, value: Node, rest: Node):
        self.nullable, self.value, self.rest = False, value, rest

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((self.value, self.rest),)


class Members(Part):
    """What follows some properties, up to the closing brace."""

    __slots__ = ("begun", "branches", "count", "passed", "shape", "taken")

    def __init__(self, shape: Objects, branches: tuple[Branch, ...], passed: int, count: int, begun: bool, taken: Any):
        self.nullable, self.shape, self.branches, self.passed = False, shape, branches, passed
        self.count, self.begun, self.taken = count, begun, taken

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape = self.shape
        plain = shape.simple and len(self.branches) == 1 and shape.writer.spells_all
        if plain and (shape.writer.anywhere or not shape.odd):  # nearly always
            return self._plainly()
        return self._unfold()

    def _plainly(self) -> Iterable[tuple[Node, Node]]:
        """The same, where nothing is counted or looked for: all declared names that are left (but odd) are one node."""
        shape, passed, begun, (branch,) = self.shape, self.passed, self.begun, self.branches
        writer, a, names = shape.writer, branch[0], len(shape.names)
        needed, edges = shape.required[a] & ~passed, []
        if not needed:
            edges.append((writer.right_brace, EMPTY))
        in_order = not writer.anywhere
        last = (needed & -needed).bit_length() - 1 if needed and in_order else names  # it may not be passed over
        left = [(word, i) for word, i in shape.plain(a) if i <= last and not passed >> i & 1]
        if left:
            edges.append((writer.opening(begun), Declared(self, left)))
        for i in shape.odd:
            places = None if passed >> i & 1 else shape.property(a, i)
            label = VOID if places is None else shape.label(i, places, begun)
            if label is not VOID:
                edges.append((label, shape.members(self.branches, passed | 1 << i, 0, True, self.taken)))
        if not needed or not in_order:
            then = (1 << names) - 1 if in_order else passed
            for label, after in shape.others(branch, begun, self.taken):
                edges.append((label, Named(shape, after, then, 0, self.taken)))
        return edges

    def _unfold(self) -> Iterator[tuple[Node, Node]]:
        shape, passed, begun = self.shape, self.passed, self.begun
        if any(shape.ends(branch, passed, self.count) for branch in self.branches):
            yield shape.writer.right_brace, EMPTY
        anywhere, branches, count = shape.writer.anywhere, self.branches, min(self.count + 1, shape.far)
        for i in range(len(shape.names)):
            if passed >> i & 1 or not branches:
                continue
            then = passed | (1 << i if anywhere else (2 << i) - 1)
            for places, some in shape.writer.grouped(way for branch in branches for way in shape.ways(branch, i)):
                rest = shape.members(some, then, count, True, self.taken)
                if rest is not VOID:
                    label = shape.label(i, places, begun)
                    if label is not VOID:
                        yield label, rest
            if not anywhere:  # what is required may not be passed over
                branches = tuple(b for b in branches if not shape.required[b[0]] >> i & 1)
        then = passed if anywhere else (1 << len(shape.names)) - 1
        free: dict[Any, tuple[Class, list[Branch]]] = {}
        for branch in branches:
            for one in shape.classes(branch):
                key = (one.names, frozenset(p.key for p in one.places))
                free.setdefault(key, (one, []))[1].append(one.after)
        for (names, places, _), some in free.values():
            alive = shape.alive(some, then, count, self.taken, names)
            if alive:
                label = shape.free(names, places, begun, self.taken)
                if label is not VOID:
                    yield label, Named(shape, alive, then, count, self.taken)


def _subsets(patterns: frozenset[str]) -> list[frozenset[str]]:
    found: list[frozenset[str]] = [frozenset()]
    for pattern in sorted(patterns):
        found += [some | {pattern} for some in found]
    return found
