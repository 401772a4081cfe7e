"""Grafts: tokens that stand in the tree with keys and values which were computed after other tokens.

A graft is a node that is no child of the node it hangs on. So a row that holds no claim on it never reads it, however
its tokens agree; what is computed below it is found from its own claims only.

Its slots are those of its source, if the tokens stand at the same positions there: nothing is copied. Else they are
copies, whose keys have been moved.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from outlines_cont.kv.change_guard import Torn
from outlines_cont.kv.radix_tree import Claim, NodeRemains, Tree, above

# (attention call, keys [kv heads, n, head size], by how many positions) → the keys as they are at their new positions
KeyShift = Callable[[int, Tensor, int], Tensor]


@dataclass(frozen=True, slots=True)
class GraftPlan:
    """What one graft is made of.

    Attributes:
        base: a claim on all tokens before it.
        source: a claim on the tokens whose keys and values it takes, and on what stands before these.
        ids: the tokens of the source, from its first one to the last one that is taken.
        skip: so many of the source's first tokens are not taken.
    """

    base: Claim
    source: Claim
    ids: tuple[int, ...]
    skip: int

    @property
    def depth(self) -> int:
        """At which position its first token stands."""
        return self.base.depth

    @property
    def shift(self) -> int:
        """By how many positions its tokens move."""
        return self.base.depth - self.skip


class LentSlots:
    """Slots with shifted keys, which all grafts that move the same tokens to the same positions read."""

    __slots__ = ("__weakref__", "slots", "tree")

    def __init__(self, tree: Tree, slots: np.ndarray):
        self.tree, self.slots = tree, array("q", slots.tobytes())
        tree.register(self.slots)

    def __del__(self, exiting: Callable[[], bool] = sys.is_finalizing) -> None:
        if not exiting():
            self.tree.release(NodeRemains(self.slots, {}))


def graft_all(tree: Tree, plans: Sequence[GraftPlan], shift_keys: KeyShift | None) -> list[Claim]:
    """Make the grafts, and give a claim on each. Torn if a claim was evicted meanwhile.

    Where tokens move, the source's slots are copied, and their keys shifted; a copy that an earlier graft has made of
    exact keys for the same positions is read again. `shift_keys`: None if no tokens move.
    """
    with tree.planning():
        for plan in plans:
            plan.base.stamp = plan.source.stamp = tree.clock  # in use
            if plan.source.depth < len(plan.ids) or (not plan.depth and plan.skip):
                raise Torn
        return [_graft(tree, plan, shift_keys) for plan in plans]


def _graft(tree: Tree, plan: GraftPlan, shift_keys: KeyShift | None) -> Claim:
    if not plan.shift:
        with tree.lock, tree.changing:
            source = Claim(tree, above(plan.source.point, len(plan.ids)))  # no row's: it is not evicted
            return _hung(tree, plan, source, tree.slots(source.point)[plan.skip :].tolist())
    assert shift_keys is not None
    lender = _shifted(tree, plan, shift_keys)
    with tree.lock, tree.changing:
        return _hung(tree, plan, lender, lender.slots)


def _shifted(tree: Tree, plan: GraftPlan, shift_keys: KeyShift) -> LentSlots:
    """The slots with the moved keys: those that are there already, or new ones."""
    key = (plan.ids, plan.skip, plan.shift)
    exact = plan.source.exact_depth is None  # what grafts hold is not known by its tokens
    lender = tree.lenders.get(key) if exact else None
    if lender is None:
        source = tree.slots(plan.source.point)[plan.skip : len(plan.ids)]
        target = tree.take(len(source))
        tree.pool.copy_shifted(source, target, lambda call, keys: shift_keys(call, keys, plan.shift))  # type: ignore[attr-defined]
        with tree.lock, tree.changing:
            lender = LentSlots(tree, target)
            tree.stored()
        if exact:
            tree.lenders[key] = lender
    return lender


def _hung(tree: Tree, plan: GraftPlan, lender: Claim | LentSlots, slots: Iterable[int]) -> Claim:
    """A claim on a new graft with these slots. The caller holds the lock."""
    node = tree.new_node(plan.base.point, lender)
    node.exact = plan.depth if node.exact is None else node.exact
    node.ids = list(plan.ids[plan.skip :])
    node.slots.extend(slots)
    return tree.hold((node, len(node.ids)))
