"""Who attends to what in one pass: the tokens that the tree holds and the new runs, cut into work items.

The paths from the root to the runs of a pass form a trie of *branches*, each with keys that all queries below it see.
Laid out depth first, the queries below a branch are one contiguous range. A branch is either attended once for all of
them (`Shared`), or packed with all that is below it into a group with an ancestor mask (`Groups`, many in one batch).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from outlines_cont.kv.forward import Run
from outlines_cont.kv.radix_tree import Node, Tree

GROUP_SHARE = 16  # a group in a batch of groups costs this fraction of a work item by itself


@dataclass(slots=True, eq=False)
class Branch:
    """Keys that the tree holds, then those of a run if one begins there: all seen by every query below."""

    parent: Branch | None
    depth: int  # of its first key
    first: int  # query
    pieces: list[tuple[Node, int, int]] = field(default_factory=list)  # node, from, to
    run: Run | None = None
    past: int = 0  # keys of its pieces
    own: int = 0  # queries of its run
    queries: int = 0  # in it and below
    keys: int = 0  # in it and below
    size: int = 1  # branches in it and below
    cost: float = 0.0  # of what is below it; then with itself
    packed: bool = True

    def past_slots(self) -> array[int]:
        """The slots of its pieces."""
        slots = array("q")
        for node, lo, hi in self.pieces:
            slots += node.slots[lo:hi]
        return slots

    def slots(self) -> array[int]:
        """The slots of all its keys."""
        slots = self.past_slots()
        if self.run is not None:
            assert self.run.slots is not None
            slots.frombytes(self.run.slots.tobytes())
        return slots


@dataclass(slots=True)
class Item:
    """Queries `first … last − 1` see the keys in these slots, whose depths begin at `depth`: all of them, or, where a
    run attends to itself, `causal`."""

    first: int
    last: int
    slots: np.ndarray  # int64
    depth: int
    causal: bool


@dataclass(slots=True)
class Groups:
    """A batch of groups with as many queries and keys each: smaller ones are filled up with some of their own, and a
    mask leaves out what is not there."""

    queries: np.ndarray  # int64 [B, n]
    filled: np.ndarray | None  # bool [B, n]: which queries count; None if all do
    slots: np.ndarray  # int64 [B, L]
    depths: np.ndarray  # int64 [B, L]: of the keys
    mask: np.ndarray | None  # bool [B, n, L]; None if everybody sees everything


@dataclass(slots=True)
class Layout:
    """One pass: its runs in the order of the queries, and who attends to what.

    Every query has its own key in exactly one of the causal items and the groups, and stands in any number of others.
    """

    runs: list[Run]
    first: dict[int, int]  # id of a run → its first query
    items: list[Item]  # those that are causal first
    groups: list[Groups]

    @property
    def cells(self) -> int:
        """How many scores are computed, for each head and layer."""
        items = sum((item.last - item.first) * len(item.slots) for item in self.items)
        return items + sum(batch.queries.size * batch.slots.shape[1] for batch in self.groups)


def lay_out(tree: Tree, batch: Sequence[Run], item_cost: float) -> Layout:
    """Work items for the runs of one pass. `item_cost`: how many scores cost as much as one more work item."""
    branches = _branches(tree, batch)
    _choose(branches, item_cost)
    causal: list[Item] = []
    shared: list[Item] = []
    packed: list[list[Branch]] = []
    at = 0
    while at < len(branches):
        branch = branches[at]
        if branch.packed:
            packed.append(branches[at : at + branch.size])
            at += branch.size
            continue
        at += 1
        own, end = branch.first + branch.own, branch.first + branch.queries
        if branch.past:
            shared.append(Item(branch.first, end, np.frombuffer(branch.past_slots(), np.int64), branch.depth, False))
        if branch.run is not None:
            assert branch.run.slots is not None
            depth = branch.depth + branch.past
            causal.append(Item(branch.first, own, branch.run.slots, depth, True))
            if own < end:
                shared.append(Item(own, end, branch.run.slots, depth, False))
    runs = [(branch.run, branch.first) for branch in branches if branch.run is not None]
    return Layout(
        [run for run, _ in runs],
        {id(run): first for run, first in runs},
        causal + shared,
        [_batched(alike) for alike in _alike(packed, item_cost)],
    )


def _branches(tree: Tree, batch: Sequence[Run]) -> list[Branch]:
    """The trie of all that the runs of a pass see, depth first."""
    inside = set(map(id, batch))
    hung: dict[Node, list[tuple[int, Node | Run]]] = {tree.root: []}  # on a node: after which token, what
    for run in batch:
        if isinstance(run.parent, Run) and run.parent.place is None:
            continue  # below another run of this pass
        node, size = run.base
        below: Node | Run = run
        while node not in hung:
            hung[node] = [(size, below)]
            assert node.base is not None
            below, (node, size) = node, node.base.point
        hung[node].append((size, below))
    for things in hung.values():
        things.sort(key=lambda thing: thing[0])

    order: list[Branch] = []
    queries = 0
    # (branch, what goes on in it, after which token, and which of the things that hang on it comes next)
    stack: list[tuple[Branch, Node | Run, int, int]] = [(Branch(None, 0, 0), tree.root, 0, 0)]
    while stack:
        branch, what, start, at = stack.pop()
        if not order or order[-1] is not branch:
            order.append(branch)
            branch.first = queries
        going: list[tuple[Node | Run, int, int]]
        if isinstance(what, Run):
            branch.run, branch.own = what, len(what.ids)
            queries += branch.own
            going = [(child, 0, 0) for child in what.children.values() if id(child) in inside]
        else:
            things = hung[what]
            end = things[at][0]
            if end > start:
                branch.pieces.append((what, start, end))
                branch.past += end - start
            going = []
            while at < len(things) and things[at][0] == end:
                going.append((things[at][1], 0, 0))
                at += 1
            if at < len(things):
                going.append((what, end, at))
            if len(going) == 1:
                stack.append((branch, *going[0]))
                continue
        depth = branch.depth + branch.past + branch.own
        stack += [(Branch(branch, depth, 0), *each) for each in reversed(going)]
    return order


def _choose(branches: Sequence[Branch], item_cost: float) -> None:
    """Decide from the leaves up which branches are packed with all below them: whatever computes less."""
    for branch in reversed(branches):
        branch.queries += branch.own
        branch.keys += branch.past + branch.own
        below = branch.queries - branch.own
        split = branch.cost + (item_cost + branch.queries * branch.past) * (branch.past > 0)
        if branch.own:
            split += item_cost + branch.own**2 / 2 + (item_cost + below * branch.own) * (below > 0)
        packed = item_cost / GROUP_SHARE + branch.queries * branch.keys
        branch.packed = packed <= split
        branch.cost = min(packed, split)
        if branch.parent is not None:
            branch.parent.queries += branch.queries
            branch.parent.keys += branch.keys
            branch.parent.size += branch.size
            branch.parent.cost += branch.cost


def _alike(packed: Sequence[list[Branch]], item_cost: float) -> list[list[list[Branch]]]:
    """Groups in batches, in which filling up costs less than another work item."""
    batches: list[list[list[Branch]]] = []
    n = cells = 0
    for group in sorted(packed, key=lambda group: -group[0].keys):
        n, cells = max(n, group[0].queries), cells + group[0].queries * group[0].keys
        if not batches or (len(batches[-1]) + 1) * n * batches[-1][0][0].keys - cells > item_cost:
            batches.append([])
            n, cells = group[0].queries, group[0].queries * group[0].keys
        batches[-1].append(group)
    return batches


def _batched(groups: Sequence[list[Branch]]) -> Groups:
    """Groups side by side: their queries, keys and ancestor masks, filled up to one size."""
    first = np.array([[group[0].first] for group in groups])
    lengths = np.array([[group[0].keys] for group in groups])
    count, length = len(groups), int(lengths.max())
    if all(len(group) == 1 and group[0].own == 1 for group in groups):  # rows with one query and no branches
        parts = [group[0].slots() for group in groups]
        starts = np.array([[group[0].depth] for group in groups])
        mask = None
        if (lengths < length).any():
            mask = (np.arange(length) < lengths)[:, None]
            for part in parts:
                part.extend(part[:1] * (length - len(part)))
        slots = np.frombuffer(array("q", b"".join(parts)), np.int64).reshape(count, length)
        return Groups(first, None, slots, starts + np.minimum(np.arange(length), lengths - 1), mask)
    n = max(group[0].queries for group in groups)
    slots = np.empty((count, length), np.int64)
    depths = np.empty((count, length), np.int64)
    mask = np.zeros((count, n, length), bool)
    for i, group in enumerate(groups):
        at = 0
        for branch in group:
            end, lo = at + branch.past + branch.own, branch.first - group[0].first
            slots[i, at:end] = branch.slots()
            depths[i, at:end] = np.arange(branch.depth, branch.depth + end - at)
            mask[i, lo : lo + branch.queries, at:end] = True
            if branch.own > 1:
                mask[i, lo : lo + branch.own, end - branch.own : end] = np.tri(branch.own, dtype=bool)
            at = end
        slots[i, at:] = slots[i, 0]
        depths[i, at:] = depths[i, 0]
    steps = np.arange(n)
    filled = steps < np.array([[group[0].queries] for group in groups])
    mask = np.where(filled[..., None], mask, mask[:, :1])  # a filler sees what the first query sees
    return Groups(
        first + np.where(filled, steps, 0),
        None if filled.all() else filled,
        slots,
        depths,
        None if mask.all() else mask,
    )
