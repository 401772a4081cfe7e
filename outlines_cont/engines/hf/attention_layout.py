"""Who attends to what in one pass: the tokens that the tree holds and the new runs, cut into work items.

The paths from the root to the runs of a pass form a trie of *branches*, each with keys that all queries below it see.
Laid out depth first, the queries below a branch are one contiguous range. A branch is either attended once for all of
them (an `AttentionItem`), or packed with all branches below it into a group with an ancestor mask (`PackedGroups`, many
in one batch).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.radix_tree import Tree, TreeNode

GROUP_SHARE = 16  # a group in a batch of groups costs this fraction of a work item by itself


@dataclass(slots=True, eq=False)
class PrefixBranch:
    """Keys that the tree holds, then those of a run if one begins there: all seen by every query below."""

    parent: PrefixBranch | None
    depth: int  # of its first key
    first: int  # query
    pieces: list[tuple[TreeNode, int, int]] = field(default_factory=list)  # node, from, to
    run: TokenRun | None = None
    past: int = 0  # keys of its pieces
    run_size: int = 0  # queries of its run
    queries: int = 0  # in it and below
    keys: int = 0  # in it and below
    size: int = 1  # branches in it and below
    cost: float = 0.0  # of the branches below it; then its own cost is added
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
class AttentionItem:
    """Queries `first … last − 1` see the keys in `slots`, whose depths begin at `depth`: all keys, or, where a run
    attends to itself, `causal`."""

    first: int
    last: int
    slots: np.ndarray  # int64
    depth: int
    causal: bool


@dataclass(slots=True)
class PackedGroups:
    """A batch of groups of n queries and L keys each. Smaller groups are filled up with copies of their own queries and
    keys, and a mask leaves the copies out."""

    queries: np.ndarray  # int64 [B, n]
    filled: np.ndarray | None  # bool [B, n]: which queries count; None if all do
    slots: np.ndarray  # int64 [B, L]
    depths: np.ndarray  # int64 [B, L]: of the keys
    mask: np.ndarray | None  # bool [B, n, L]; None if every query sees every key


@dataclass(slots=True)
class AttentionLayout:
    """One pass: its runs in the order of the queries, and who attends to what.

    Every query has its own key in exactly one of the causal items and the groups, and stands in any number of others.
    """

    runs: list[TokenRun]
    first: dict[int, int]  # id of a run → its first query
    items: list[AttentionItem]  # those that are causal first
    groups: list[PackedGroups]

    @property
    def cells(self) -> int:
        """How many scores are computed, for each head and layer."""
        items = sum((item.last - item.first) * len(item.slots) for item in self.items)
        return items + sum(batch.queries.size * batch.slots.shape[1] for batch in self.groups)


def lay_out(tree: Tree, batch: Sequence[TokenRun], item_cost: float) -> AttentionLayout:
    """Work items for the runs of one pass. `item_cost`: how many scores cost as much as one more work item."""
    branches = _branches(tree, batch)
    _choose(branches, item_cost)
    causal: list[AttentionItem] = []
    shared: list[AttentionItem] = []
    packed: list[list[PrefixBranch]] = []
    at = 0
    while at < len(branches):
        branch = branches[at]
        if branch.packed:
            packed.append(branches[at : at + branch.size])
            at += branch.size
            continue
        at += 1
        run_end, end = branch.first + branch.run_size, branch.first + branch.queries
        if branch.past:
            past_slots = np.frombuffer(branch.past_slots(), np.int64)
            shared.append(AttentionItem(branch.first, end, past_slots, branch.depth, False))
        if branch.run is not None:
            assert branch.run.slots is not None
            depth = branch.depth + branch.past
            causal.append(AttentionItem(branch.first, run_end, branch.run.slots, depth, True))
            if run_end < end:
                shared.append(AttentionItem(run_end, end, branch.run.slots, depth, False))
    runs = [(branch.run, branch.first) for branch in branches if branch.run is not None]
    return AttentionLayout(
        [run for run, _ in runs],
        {id(run): first for run, first in runs},
        causal + shared,
        [_batched(alike) for alike in _alike(packed, item_cost)],
    )


def _branches(tree: Tree, batch: Sequence[TokenRun]) -> list[PrefixBranch]:
    """The trie of all tokens that the runs of a pass see, depth first."""
    inside = set(map(id, batch))
    hanging = _hanging(tree, batch)
    order: list[PrefixBranch] = []
    queries = 0
    # (branch, a node or run that goes on in it, after which token, and which of the things that hang there comes next)
    stack: list[tuple[PrefixBranch, TreeNode | TokenRun, int, int]] = [(PrefixBranch(None, 0, 0), tree.root, 0, 0)]
    while stack:
        branch, part, start, at = stack.pop()
        if not order or order[-1] is not branch:
            order.append(branch)
            branch.first = queries
        if isinstance(part, TokenRun):
            branch.run, branch.run_size = part, len(part.ids)
            branch.depth = part.depth - branch.past  # it is already, but for a probe that begins at another position
            queries += branch.run_size
            below = [(child, 0, 0) for child in part.children.values() if id(child) in inside]
        else:
            below = _along(branch, part, hanging[part], start, at)
            if len(below) == 1:
                stack.append((branch, *below[0]))
                continue
        depth = branch.depth + branch.past + branch.run_size
        stack += [(PrefixBranch(branch, depth, 0), *each) for each in reversed(below)]
    return order


def _hanging(tree: Tree, batch: Sequence[TokenRun]) -> dict[TreeNode, list[tuple[int, TreeNode | TokenRun]]]:
    """The nodes on the paths to the runs of a pass; and what hangs on each, after which of its tokens, in order."""
    hanging: dict[TreeNode, list[tuple[int, TreeNode | TokenRun]]] = {tree.root: []}
    for run in batch:
        if isinstance(run.parent, TokenRun) and run.parent.place is None:
            continue  # below another run of this pass
        node, size = run.base
        below: TreeNode | TokenRun = run
        while node not in hanging:
            hanging[node] = [(size, below)]
            assert node.base is not None
            below, (node, size) = node, node.base.point
        hanging[node].append((size, below))
    for things in hanging.values():
        things.sort(key=lambda thing: thing[0])
    return hanging


def _along(
    branch: PrefixBranch, node: TreeNode, things: list[tuple[int, TreeNode | TokenRun]], start: int, at: int
) -> list[tuple[TreeNode | TokenRun, int, int]]:
    """Follow a node from its token `start` to where the thing number `at` hangs, and add this piece to the branch. What
    goes on from there: all things that hang there, and the node itself if others hang further down."""
    end = things[at][0]
    if end > start:
        branch.pieces.append((node, start, end))
        branch.past += end - start
    below: list[tuple[TreeNode | TokenRun, int, int]] = []
    while at < len(things) and things[at][0] == end:
        below.append((things[at][1], 0, 0))
        at += 1
    if at < len(things):
        below.append((node, end, at))
    return below


def _choose(branches: Sequence[PrefixBranch], item_cost: float) -> None:
    """Decide from the leaves up which branches are packed with all branches below them: the cheaper choice."""
    for branch in reversed(branches):
        branch.queries += branch.run_size
        branch.keys += branch.past + branch.run_size
        below = branch.queries - branch.run_size
        split = branch.cost + (item_cost + branch.queries * branch.past) * (branch.past > 0)
        if branch.run_size:
            split += item_cost + branch.run_size**2 / 2 + (item_cost + below * branch.run_size) * (below > 0)
        packed = item_cost / GROUP_SHARE + branch.queries * branch.keys
        branch.packed = packed <= split
        branch.cost = min(packed, split)
        if branch.parent is not None:
            branch.parent.queries += branch.queries
            branch.parent.keys += branch.keys
            branch.parent.size += branch.size
            branch.parent.cost += branch.cost


def _alike(packed: Sequence[list[PrefixBranch]], item_cost: float) -> list[list[list[PrefixBranch]]]:
    """Groups in batches, in which filling up costs less than another work item."""
    batches: list[list[list[PrefixBranch]]] = []
    n = cells = 0
    for group in sorted(packed, key=lambda group: -group[0].keys):
        n, cells = max(n, group[0].queries), cells + group[0].queries * group[0].keys
        if not batches or (len(batches[-1]) + 1) * n * batches[-1][0][0].keys - cells > item_cost:
            batches.append([])
            n, cells = group[0].queries, group[0].queries * group[0].keys
        batches[-1].append(group)
    return batches


def _batched(groups: Sequence[list[PrefixBranch]]) -> PackedGroups:
    """Groups side by side: their queries, keys and ancestor masks, filled up to one size."""
    if all(len(group) == 1 and group[0].run_size == 1 for group in groups):
        return _batched_single_queries([group[0] for group in groups])
    first = np.array([[group[0].first] for group in groups])
    n, length = max(group[0].queries for group in groups), max(group[0].keys for group in groups)
    slots = np.empty((len(groups), length), np.int64)
    depths = np.empty((len(groups), length), np.int64)
    mask = np.zeros((len(groups), n, length), bool)
    for i, group in enumerate(groups):
        _fill_group(group, slots[i], depths[i], mask[i])
    steps = np.arange(n)
    filled = steps < np.array([[group[0].queries] for group in groups])
    mask = np.where(filled[..., None], mask, mask[:, :1])  # a filler sees what the first query sees
    return PackedGroups(
        first + np.where(filled, steps, 0),
        None if filled.all() else filled,
        slots,
        depths,
        None if mask.all() else mask,
    )


def _batched_single_queries(branches: Sequence[PrefixBranch]) -> PackedGroups:
    """Rows with one query and no branches side by side, as in most decode steps."""
    lengths = np.array([[branch.keys] for branch in branches])
    count, length = len(branches), int(lengths.max())
    rows = [branch.slots() for branch in branches]
    mask = None
    if (lengths < length).any():
        mask = (np.arange(length) < lengths)[:, None]
        for row in rows:
            row.extend(row[:1] * (length - len(row)))
    slots = np.frombuffer(array("q", b"".join(rows)), np.int64).reshape(count, length)
    starts = np.array([[branch.depth] for branch in branches])
    depths = starts + np.minimum(np.arange(length), lengths - 1)
    return PackedGroups(np.array([[branch.first] for branch in branches]), None, slots, depths, mask)


def _fill_group(group: Sequence[PrefixBranch], slots: np.ndarray, depths: np.ndarray, mask: np.ndarray) -> None:
    """Write the keys `[L]` of one group and its ancestor mask `[n, L]`; keys beyond are copies of the first."""
    at = 0
    for branch in group:
        end, lo = at + branch.past + branch.run_size, branch.first - group[0].first
        slots[at:end] = branch.slots()
        depths[at:end] = np.arange(branch.depth, branch.depth + end - at)
        mask[lo : lo + branch.queries, at:end] = True
        if branch.run_size > 1:
            mask[lo : lo + branch.run_size, end - branch.run_size : end] = np.tri(branch.run_size, dtype=bool)
        at = end
    slots[at:] = slots[0]
    depths[at:] = depths[0]
