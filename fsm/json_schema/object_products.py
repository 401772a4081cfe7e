"""Objects under a product of alternatives that is not multiplied out: it is followed as far as an object has come.

Of a conjunction with factors, each part (a leaf of its `Formula`) is followed by itself: which of them the properties
so far do not break. Where leaves say different things of a value, the value is split: those that fit this, and those
that do not. Then each leaf's part is settled, and leaves that no longer matter are forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Any

from . import limits
from .conjunction import NO_SPAN, Conjunction, Subschemas, both, merge, narrower, refuse, within
from .context import SchemaContext, numbers_in
from .factors import with_factors
from .formulas import Alive, Bits, Chosen, Condition, Differing, Formula, Says, Spent, SplitObjects, Undivided
from .negation import closed
from .object_members import ObjectBranch, Undeclared
from .object_names import DeclaredNames, declared_names
from .objects import Objects

#: Properties on which each leaf is decided: what their names and values fit, and the branch after one of them.
Cell = tuple[Subschemas, Subschemas, Alive]


class ObjectProduct(SplitObjects):
    """The objects that fit a conjunction with factors. A branch is an `Alive`."""

    def __init__(self, context: SchemaContext, conjunction: Conjunction):
        self.formula = Formula(Differing(context).of(conjunction), context.normalizer.keywords.for_generation)
        self.leaves = self.formula.leaves
        super().__init__(context, self.leaves, declared_names(with_factors([conjunction]), context.any_order))
        self.simple, self.path = False, conjunction.path
        said_of = self._said_of
        self._said_of = lambda leaf, name: self._without_copies(said_of(leaf, name))
        self._mentions = [self._mentioned(leaf) for leaf in self.leaves]
        finished = [self._finished_by(a) for a in range(len(self.leaves))]
        self._finishing = sum(1 << a for a, names in enumerate(finished) if names is not None)
        #: By declared name: the leaves that say something of it, that require it, and that are not done before it.
        self._speaking, self._requiring, self._awaiting = (
            self._by_name(some) for some in (self._mentions, self.required, [names or 0 for names in finished])
        )
        self._declaring = sum(1 << a for a, leaf in enumerate(self.leaves) if leaf.declares)
        of_others = (a for a, leaf in enumerate(self.leaves) if leaf.exists or _is_wide(leaf))
        self._of_others = sum(1 << a for a in of_others)
        self._declaring_name = cache(self._that_declare)
        self._done, self._closes = lru_cache(limits.KEPT)(self._done_after), lru_cache(limits.KEPT)(self._is_closed)
        self._agreed, self._few_cells = lru_cache(limits.KEPT)(self._all_agree), cache(self._in_few_cells)
        self._values: dict[tuple[int, Bits], bool] = {}
        self._settled: dict[tuple[Alive, int], Bits] = {}  # what has to hold, of branches without what does not matter
        self._known_ways: dict[Any, Chosen | None] = {}
        self._together: dict[Any, Objects] = {}
        self._last = Chosen()  # the leaves that held together when that was last looked for

    def _by_name(self, names: Sequence[int]) -> list[Bits]:
        """For each declared name, the leaves in whose set of names it is."""
        leaves = [0] * len(self.names)
        for a, of_leaf in enumerate(names):
            for i in numbers_in(of_leaf):
                leaves[i] |= 1 << a
        return leaves

    def _mentioned(self, leaf: Conjunction) -> int:
        """The declared names of which a leaf says something, as a set of bits."""
        if _is_wide(leaf):
            return (1 << len(self.names)) - 1
        return reduce(or_, (self._bits[name] for keys, _ in leaf.members for name in keys.names), 0)

    def _finished_by(self, a: int) -> int | None:
        """The declared names after which nothing can break a leaf, as a set of bits; None if something always can."""
        endless = self.leaves[a].sizes != NO_SPAN or _is_wide(self.leaves[a])
        return None if endless else self._mentions[a] | self.required[a]

    # ------------------------------------------------------------------------------------------------ what is alive

    @property
    def branches(self) -> list[Any]:
        missing = frozenset((a, e) for a, leaf in enumerate(self.leaves) for e in range(len(leaf.exists)))
        return [Alive((1 << len(self.leaves)) - 1, 0, missing)]

    def alive(self, branches: Sequence[Any], passed: int, count: int, taken: frozenset[str], used: Any = None) -> Any:
        alive = (self._relevant(branch, passed)[0] for branch in branches)
        possible = dict.fromkeys(branch for branch in alive if branch is not None)
        taken = self.with_one(taken, used)
        return tuple(branch for branch in possible if self.can_end(branch, passed, count, taken))

    def _relevant(self, branch: Alive, passed: int, undecided: Bits = 0) -> tuple[Alive | None, Bits]:
        """The branch without leaves that do not matter (None if the formula cannot hold); and those that have to hold.

        undecided: the leaves of which it is not settled yet whether the last property breaks them.
        """
        needed = None if undecided else self._settled.get((branch, passed))
        if needed is not None:
            return branch, needed
        leaves, settled, missing = branch
        surely = leaves & self._done(passed) & ~undecided
        for a, _ in missing:
            surely &= ~(1 << a)
        matters = self.formula.relevant(leaves, settled, surely)
        if matters is None:
            return None, 0
        leaves, settled, needed = matters
        branch = Alive(leaves, settled, _of_leaves(missing, leaves))
        if not undecided:
            if len(self._settled) > limits.KEPT:
                self._settled.clear()
            self._settled[branch, passed] = needed
        return branch, needed

    def _done_after(self, passed: int) -> Bits:
        """The leaves that no further declared name can break."""
        left = (self._awaiting[i] for i in range(len(self.names)) if not passed >> i & 1)
        return self._finishing & ~reduce(or_, left, 0)

    def passing_over(self, branches: Sequence[Any], i: int) -> Any:
        broken, left = self._requiring[i], list[Any]()
        for branch in branches:
            leaves, settled, missing = branch
            if not leaves & broken:
                left.append(branch)
            elif self.formula.holds(leaves & ~broken, settled):
                left.append(Alive(leaves & ~broken, settled, _of_leaves(missing, ~broken)))
        return tuple(left)

    def _is_closed(self, branch: Alive) -> bool:
        """Whether an object has only the properties that the leaves speak of which are alive."""
        return bool(self._declaring) and not self.formula.holds(branch.leaves & ~self._declaring, branch.settled)

    # ------------------------------------------------------------------------------------------- what comes next

    def _that_declare(self, i: int) -> Bits:
        """The leaves that require declared name i, or declare it."""
        declares = self.context.normalizer.properties.declares
        declaring = (1 << a for a in numbers_in(self._speaking[i]) if declares(self.leaves[a], self.names[i]))
        return self._requiring[i] | sum(declaring)

    def ways(self, branch: Any, i: int, passed: int = 0) -> list[tuple[Subschemas, Any]]:
        name, (leaves, _, missing) = self.names[i], branch
        if self._closes(branch) and not leaves & self._declaring_name(i):
            return []
        says, then = dict[int, Says | None](), self.passed_after(passed, i)
        for a in numbers_in(leaves & self._speaking[i] | _lacking(missing)):
            subschemas = self.property(a, i)
            wanted = ((e, self.leaves[a].exists[e]) for e in _of_leaf(missing, a))
            exists = ((e, self._of(one.subschemas)) for e, one in wanted if self._is_one(one, name))
            says[a] = None if subschemas is None else Says(self._of(subschemas), tuple(exists))
        return [cell[1:] for cell in self._cells(branch, says, then, frozenset())]

    def undeclared(self, branch: Any, passed: int = 0) -> list[Undeclared]:
        closes, result = self._closes(branch), list[Undeclared]()
        after: Any
        for patterns in self.free_names.classes:
            says = {a: self._says(a, branch.missing, patterns) for a in numbers_in(branch.leaves & self._of_others)}
            keys_of_leaves = (keys for a in says for keys, _ in self.leaves[a].members)
            if closes and not any(keys.patterns.isdisjoint(patterns) is keys.others for keys in keys_of_leaves):
                continue
            for names, subschemas, after in self._cells(branch, says, passed, patterns):
                result.append(Undeclared(self.free_names.names_of(patterns, names), subschemas, after))
        return result

    def _says(self, a: int, missing: frozenset[tuple[int, int]], patterns: frozenset[str]) -> Says:
        """What leaf a says of the undeclared names that match some patterns and no others."""
        leaf = self.leaves[a]
        members = (some for keys, some in leaf.members if keys.patterns.isdisjoint(patterns) is keys.others)
        wanted = ((e, leaf.exists[e]) for e in _of_leaf(missing, a))
        exists = tuple(
            (e, (*self._of(one.names, True), *self._of(one.subschemas)))
            for e, one in wanted
            if one.keys.patterns.isdisjoint(patterns) is one.keys.others
        )
        return Says((*self._of(leaf.names, True), *self._of(reduce(both, members, ()))), exists)

    # --------------------------------------------------------------------------------------------- values are split

    def _cells(
        self, branch: Alive, says: Mapping[int, Says | None], passed: int, patterns: frozenset[str]
    ) -> list[Cell]:
        """All properties that may come, split by conditions until each leaf that matters is decided on each part.

        Args:
            says: what each leaf says of them, if anything; None for one that they break.
            passed: the declared names that may come no more, with this one.
            patterns: those that the name matches, if it is an undeclared one.
        """
        cells: list[Cell] = []
        todo = self._constants_apart(says) or [Undivided()]
        while todo:
            some = todo.pop()
            alive, needed = self._relevant_after(branch, says, some.truth, passed)
            if alive is None:
                continue
            undecided = self._undecided(alive, needed, says, some.truth)
            if not undecided:
                cells.append((some.names, some.subschemas, alive))
                if len(cells) > limits.CELLS:
                    refuse(self.path, f"the values of one property fall into more than {limits.CELLS} cases")
            else:
                condition = undecided[0]
                so_far = some.names if condition.of_name else some.subschemas
                ways = self._split(so_far, condition, condition in _musts(needed, says), patterns)
                todo += [some.divided(condition, met, fitting) for met, fitting in reversed(ways)]
        return cells

    def _relevant_after(
        self, branch: Alive, says: Mapping[int, Says | None], truth: Mapping[Condition, bool], passed: int
    ) -> tuple[Alive | None, Bits]:
        """The branch, once so much is settled of a property, but for what does not matter; and what has to hold."""
        leaves, settled, missing = branch
        undecided, come = 0, set[tuple[int, int]]()
        for a, of_leaf in says.items():
            if of_leaf is None or not all(truth.get(condition, True) for condition in of_leaf.must):
                leaves &= ~(1 << a)
            elif any(condition not in truth for condition in of_leaf.must):
                undecided |= 1 << a
            if of_leaf and of_leaf.exists:
                come |= {(a, e) for e, ones in of_leaf.exists if all(truth.get(one, False) for one in ones)}
        return self._relevant(Alive(leaves, settled, _of_leaves(missing - come, leaves)), passed, undecided)

    def _undecided(
        self, alive: Alive, needed: Bits, says: Mapping[int, Says | None], truth: Mapping[Condition, bool]
    ) -> list[Condition]:
        """The conditions that matter and are not settled yet: first those that have to hold, those of names before."""
        left = [one for one in _musts(needed, says) if one not in truth]
        for of_leaf in (one for a, one in says.items() if one and alive.leaves >> a & 1) if not left else ():
            left += (condition for condition in of_leaf.must if condition not in truth)
            for _, conditions in of_leaf.exists:
                if all(truth.get(condition, True) for condition in conditions):
                    left += (condition for condition in conditions if condition not in truth)
        return sorted(dict.fromkeys(left), key=lambda condition: not condition.of_name)

    # ----------------------------------------------------------------------------------------- whether there is a way

    def least(self, branches: Sequence[Any], passed: int, count: int) -> int:
        return 0  # nobody says it

    def ends(self, branch: Any, passed: int, count: int) -> bool:
        leaves, settled, missing = branch
        enough = (a for a in numbers_in(leaves & ~_lacking(missing)) if within(count, self.leaves[a].sizes))
        return self.formula.holds(sum(1 << a for a in enough if not self.required[a] & ~passed), settled)

    def can_end(self, branch: Any, passed: int, count: int, taken: frozenset[str]) -> bool:
        return self._way(branch, passed, count, taken) is not None

    def _way(self, branch: Alive, passed: int, count: int, taken: frozenset[str]) -> Chosen | None:
        """Leaves that can hold together in the end, if there are some; none of them, if the object may end now."""
        key = (branch, passed, count, taken)
        way = self._known_ways.get(key)
        if way is None and key not in self._known_ways:
            surviving = self._surviving(branch, passed, count)
            for begin, carefully in ((surviving, False), (Chosen(), False), (Chosen(), True)):
                if carefully and self.ends(branch, passed, count):
                    way = Chosen()
                    break
                try:
                    way = self._find_way(begin, branch, passed, count, taken, carefully)
                except Spent:
                    continue
                if way is not None or not begin.leaves:
                    break
            if way is not None or not self.context.looking:  # what seems to have no value may lack one only here
                if len(self._known_ways) > limits.KEPT:
                    self._known_ways.clear()
                self._known_ways[key] = way
            self._last = way or self._last
        return way

    def _surviving(self, branch: Alive, passed: int, count: int) -> Chosen:
        """Of the leaves that held together last, those that still can."""
        leaves, required, needed, low, high = self._last
        leaves, needed = leaves & branch.leaves & ~_lacking(branch.missing), needed & ~passed
        if unseen := required & ~passed & ~needed:
            leaves = sum(1 << a for a in numbers_in(leaves) if not self.required[a] & unseen)
        fits = leaves and low <= count and (high is None or count + needed.bit_count() <= high)
        return Chosen(leaves, required, needed, low, high) if fits else Chosen()

    def _find_way(
        self, begin: Chosen, branch: Alive, passed: int, count: int, taken: frozenset[str], carefully: bool
    ) -> Chosen | None:
        """What `_way` gives. begin: leaves that can hold together. carefully: see `Formula.choices`."""

        def add(chosen: Chosen, a: int) -> Chosen | None:
            return self._with(chosen, a, passed, count)

        leaves, settled, missing = branch
        lacking = _lacking(missing)
        for chosen in self.formula.choices(begin, add, leaves, settled, self._last.leaves, carefully):
            come = count if begin.leaves else count + chosen.needed.bit_count()
            if chosen.leaves & lacking or chosen.low > come:
                branches = self._conjoined(chosen.leaves, _of_leaves(missing, chosen.leaves))
                whole: ObjectBranch = (0, frozenset(range(len(branches.conjunctions[0].exists))), frozenset())
                if not branches.can_end(whole, passed, count, taken):
                    continue
            return chosen
        return None

    def surely_next(self, branches: Sequence[Any], passed: int, count: int, taken: frozenset[str]) -> int:
        result = 0
        for branch in branches if self.spelling.spells_all else ():
            leaves, _, needed, low, high = self._way(branch, passed, count, taken) or Chosen()
            total, needed = count + needed.bit_count(), needed & ~passed
            if leaves and count >= low and not leaves & _lacking(branch.missing):
                names = self._agreed(leaves, self._closes(branch)) & ~passed
                if total == high:
                    names &= needed
                if first := needed & self.in_order:  # it may not be passed over
                    names &= ((first & -first) << 1) - 1 | ~self.in_order
                result |= names
        return result

    def _all_agree(self, leaves: Bits, closes: bool) -> int:
        """The declared names that may come under some leaves which hold together, as a set of bits."""
        names = (i for i in range(len(self.names)) if not closes or leaves & self._declaring_name(i))
        return sum(1 << i for i in names if self._few_cells(i) and self._has_value(i, leaves & self._speaking[i]))

    def _in_few_cells(self, i: int) -> bool:
        """Whether the values of declared name i fall into few cells, which may be made when it has come. Else they are
        made before, because they may be refused."""
        conditions = {one for a in numbers_in(self._speaking[i]) for one in self._of(self.property(a, i) or ())}
        others = sum(len(leaf.exists) for leaf in self.leaves)
        if others + len(conditions) > limits.FEW_CONDITIONS:
            of_constants = sum(self._constants_of(one) is not None for one in conditions)
            others += len(conditions) - (of_constants if of_constants >= limits.MANY_LISTED else 0)
        return others <= limits.FEW_CONDITIONS

    def _with(self, chosen: Chosen, a: int, passed: int, count: int) -> Chosen | None:
        """The chosen leaves and one more; None if these plainly cannot hold together."""
        low, high = narrower(self.leaves[a].sizes, (chosen.low, chosen.high))
        new = self.required[a] & ~passed
        leaves, needed = chosen.leaves | 1 << a, chosen.needed | new
        if high is not None and max(low, count + needed.bit_count()) > high:
            return None
        touched = new & ~chosen.needed | self._mentions[a] & needed
        if not all(self._has_value(i, leaves & self._speaking[i]) for i in numbers_in(touched)):
            return None
        return Chosen(leaves, chosen.required | self.required[a], needed, low, high)

    def _has_value(self, i: int, leaves: Bits) -> bool:
        """Whether declared name i has a value that fits some leaves."""
        has_one = self._values.get((i, leaves))
        if has_one is None:
            allowed = [self.property(a, i) for a in numbers_in(leaves)]
            each = {one.key: one for subschemas in allowed for one in subschemas or ()}
            has_one = None not in allowed and self.context.inhabited(tuple(each.values()))
            if has_one or not self.context.looking:
                self._values[i, leaves] = has_one
        return has_one

    def _conjoined(self, leaves: Bits, missing: frozenset[tuple[int, int]]) -> Objects:
        """The objects that fit some leaves, with those of their `exists` that are still to come."""
        branches = self._together.get((leaves, missing))
        if branches is None:
            conjunctions = (
                self.leaves[a].but(exists=tuple(self.leaves[a].exists[e] for e in _of_leaf(missing, a)))
                for a in numbers_in(leaves)
            )
            whole = closed(reduce(merge, conjunctions))
            branches = Objects(self.context, [whole], DeclaredNames(self.names, self.in_order))
            if len(self._together) > limits.KEPT:
                self._together.clear()
            self._together[leaves, missing] = branches
        return branches


def _is_wide(leaf: Conjunction) -> bool:
    """Whether a leaf says something of more names than it lists one by one."""
    return bool(leaf.names) or any(not keys.one_name for keys, _ in leaf.members)


def _lacking(missing: frozenset[tuple[int, int]]) -> Bits:
    """The leaves of which some `exists` is still to come."""
    return reduce(or_, (1 << a for a, _ in missing), 0)


def _of_leaf(missing: frozenset[tuple[int, int]], a: int) -> list[int]:
    """Which `exists` of a leaf are still to come."""
    return sorted(e for of, e in missing if of == a)


def _of_leaves(missing: frozenset[tuple[int, int]], leaves: Bits) -> frozenset[tuple[int, int]]:
    """What is still to come of some leaves."""
    return frozenset(one for one in missing if leaves >> one[0] & 1) if missing else missing


def _musts(needed: Bits, says: Mapping[int, Says | None]) -> list[Condition]:
    """What has to hold of a property in any case."""
    return [condition for a, of_leaf in says.items() if needed >> a & 1 and of_leaf for condition in of_leaf.must]
