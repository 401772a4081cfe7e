"""What the rows of a state share: a tree for each batch row, with the share of each branch in the probability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from math import exp, inf, isnan

from outlines_cont.display.marks import live
from outlines_cont.display.protocol import DrawnRow, DrawnState
from outlines_cont.prefixes import common_length


@dataclass(frozen=True, slots=True, eq=False)
class TreeRow:
    """A row, its place, and how many of its tokens have their keys and values in the tree."""

    b: int
    s: int
    row: DrawnRow
    kept: int

    @property
    def ids(self) -> tuple[int, ...]:
        return self.row.ids


@dataclass(slots=True, eq=False)
class Stem:
    """Tokens that some rows share, with the stems that go on from there.

    Attributes:
        first: of the rows that share the tokens the one with the most generated ones.
        begin: where the tokens begin in these rows.
        end: where they end.
        leaves: the rows that end here.
        rows: how many rows share the tokens.
        branches: the stems that go on.
        mass: the share of these rows in the probability of all rows of the tree.
        weights_known: whether the weights of all rows of the tree are known.
        drawn: the positions of those tokens that were generated in any of the rows.
    """

    first: TreeRow
    begin: int
    end: int
    leaves: list[TreeRow]
    rows: int
    branches: list[Stem] = field(default_factory=list)
    mass: float = 1.0
    weights_known: bool = True
    drawn: frozenset[int] = frozenset()

    @property
    def leaf_mass(self) -> float:
        """The share of the rows that end here."""
        return max(0.0, self.mass - sum(below.mass for below in self.branches))


def forest(state: DrawnState, rows: int) -> list[Stem]:
    """A tree for each batch row, of the first so many live rows of the state."""
    shown = live(state)[:rows]
    kept = state.model.kv_lengths(row for _, _, row in shown)
    leaves = [TreeRow(*place, count) for place, count in zip(shown, kept, strict=True)]
    roots = [_tree(list(group), 0) for _, group in groupby(leaves, key=lambda leaf: leaf.b)]
    for root in roots:
        _weigh(root)
    return roots


def every_stem(root: Stem) -> list[Stem]:
    """A stem and all stems below it; each stands before those that go on from it."""
    stems, order = [root], []
    while stems:
        order.append(stem := stems.pop())
        stems += reversed(stem.branches)
    return order


def _tree(leaves: list[TreeRow], begin: int) -> Stem:
    """The tree of rows that agree before `begin`: what they have in common from there on, and then how each goes on."""
    first, last = min(leaf.ids for leaf in leaves), max(leaf.ids for leaf in leaves)  # all rows share what these do
    end = common_length(first, last)
    most_generated = max(leaves, key=lambda leaf: leaf.row.generated)  # tokens given to one row may be drawn in another
    stem = Stem(most_generated, begin, end, [leaf for leaf in leaves if len(leaf.ids) == end], len(leaves))
    stem.drawn = frozenset(at for leaf in leaves for at in _drawn(leaf.row, begin, end))
    further: dict[int, list[TreeRow]] = {}
    for leaf in leaves:
        if len(leaf.ids) > end:
            further.setdefault(leaf.ids[end], []).append(leaf)
    stem.branches = [_tree(group, end) for group in further.values()]
    return stem


def _drawn(row: DrawnRow, begin: int, end: int) -> Iterator[int]:
    """Which of the tokens begin … end − 1 were generated."""
    for start, stop, piece in row.placed:
        if piece.kind == "generated":
            yield from range(max(start, begin), min(stop, end))


def _weigh(root: Stem) -> None:
    """Set the share of each stem in the probability of the rows of its tree.

    Rows of equal tokens count once. Where a weight is not known, or nothing was generated, all count alike.
    """
    order = every_stem(root)
    weights = {id(stem): stem.leaves[0].row.weight for stem in order if stem.leaves}
    all_known = root.first.row.generated > 0 and not any(isnan(each) or each == inf for each in weights.values())
    top = max((weight for weight in weights.values() if weight > -inf), default=0.0)
    for stem in reversed(order):
        weight = weights.get(id(stem))
        mass = 0.0 if weight is None else exp(weight - top) if all_known else 1.0
        stem.mass = mass + sum(below.mass for below in stem.branches)
    total = root.mass or 1.0
    for stem in order:
        stem.mass, stem.weights_known = stem.mass / total, all_known
