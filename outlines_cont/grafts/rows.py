"""Grafts of an engine with slots: what is computed for them, and what is taken over."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from outlines_cont.engines.protocol import read
from outlines_cont.engines.slot_model import SlotModel, name_of, plain_arithmetic
from outlines_cont.errors import ContextFull
from outlines_cont.kv.forward import KeyShift, bounds_of
from outlines_cont.kv.needs import Need, check_needs
from outlines_cont.kv.pool import Torn
from outlines_cont.kv.radix_tree import Claim, NodeRemains, Tree, above


@dataclass(frozen=True, slots=True)
class RowGraft:
    """A row that goes on with tokens whose keys and values another row has.

    Attributes:
        ids: the whole row.
        claim: on the keys and values of its beginning, if there is one.
        computed: so many of its first tokens are read as they stand there; the others are taken over.
        source: the other row, up to the last token that is taken over.
        source_claim: on the keys and values of its beginning, if there is one.
    """

    ids: tuple[int, ...]
    claim: Claim | None
    computed: int
    source: tuple[int, ...]
    source_claim: Claim | None

    @property
    def taken(self) -> int:
        """How many tokens are taken over."""
        return len(self.ids) - self.computed

    @property
    def moves(self) -> bool:
        """Whether the tokens after its beginning stand at other positions than in the other row."""
        return len(self.ids) != len(self.source)


def graft_rows(model: Any, rows: Sequence[RowGraft]) -> list[Claim]:
    """A claim on the keys and values of all tokens of each row. One pass reads what the tree lacks, of the rows before
    their grafts and of the other rows.

    model: what a `Model` is made of. ValueError for one that cannot do it, with the reason; for rows longer than its
    context. ContextFull: its memory has no room for all rows together.
    """
    _check_keeps(model)
    shift_keys = _key_shift(model, [row for row in rows if row.moves])
    with model._lock, plain_arithmetic(model.device.type):
        check_needs([Need(row.ids) for row in rows], len(model.vocabulary), model.context_length)
        while True:
            _check_keeps(model)
            heads = [Need(row.ids[: row.computed], (), row.claim) for row in rows]
            sources = [Need(row.source, (), row.source_claim) for row in rows if row.taken]
            _, claims = read(model, [*heads, *sources])
            bases, held = claims[: len(heads)], iter(claims[len(heads) :])
            with suppress(Torn):
                return _claims(model, rows, bases, [next(held) if row.taken else None for row in rows], shift_keys)


def _claims(
    model: SlotModel,
    rows: Sequence[RowGraft],
    bases: Sequence[Claim | None],
    sources: Sequence[Claim | None],
    shift_keys: KeyShift | None,
) -> list[Claim]:
    """The claims on the rows, by those on their beginnings and on what they take over. Torn if one was evicted, or if
    the tree is gone."""
    _check_room(model, rows, bases, sources)
    plans: dict[int, GraftPlan] = {}
    for place, (row, base, source) in enumerate(zip(rows, bases, sources, strict=True)):
        if base is None or base.depth != row.computed or base.tree is not model.tree:
            raise Torn
        if row.taken:
            if source is None or source.tree is not model.tree:
                raise Torn
            plans[place] = GraftPlan(base, source, row.source, len(row.source) - row.taken)
    grafts = dict(zip(plans, graft_all(model.tree, list(plans.values()), shift_keys), strict=True)) if plans else {}
    model.stats.grafted += sum(rows[place].taken for place in plans)
    return [grafts.get(place) or base for place, base in enumerate(bases) if base is not None]


def _check_room(
    model: SlotModel, rows: Sequence[RowGraft], bases: Sequence[Claim | None], sources: Sequence[Claim | None]
) -> None:
    """ContextFull if a memory of a fixed size gave up some of the claims for the others: it would do so again."""
    most_slots, _, _ = bounds_of(model.tree)
    if model.tree.dead or most_slots is None:
        return
    read = zip(bases, (row.computed for row in rows), strict=True)
    taken = zip(sources, (len(row.source) for row in rows), strict=True)
    if any(claim and claim.tree is model.tree and claim.depth < length for claim, length in (*read, *taken)):
        larger = getattr(model.tree.pool, "larger", "graft fewer rows")
        raise ContextFull(
            f"graft() of {len(rows)} rows: the tokens before the grafts, and those that are taken over, do not fit "
            f"into the engine's {most_slots} slots together; {larger}"
        )


def _check_keeps(model: Any) -> None:
    """ValueError for a model that has no keys and values to take over, or does not keep them now."""
    if not isinstance(model, SlotModel):
        raise ValueError(
            f"{type(model).__name__} takes no grafts: its keys and values are not kept here; left + right is exact"
        )
    with model._lock:
        model._check_version()
    if not model._keeps:
        tier = getattr(model.engine, "tier", "recompute")
        raise ValueError(
            f"{name_of(model.engine)} takes no grafts: it keeps no keys and values ({tier}); left + right is exact"
        )
    if getattr(model.engine, "batch_invariant", False):
        raise ValueError(
            f"{name_of(model.engine)} takes no grafts: it is batch-invariant, so that its logits depend on a row's "
            "tokens alone, and those after a graft do not; left + right is exact"
        )
    if model._fresh.get():
        raise ValueError("graft() under model.fresh(): nothing is kept here, and so there is nothing to take over")


def _key_shift(model: SlotModel, moving: Sequence[RowGraft]) -> KeyShift | None:
    """What moves the keys of this model; None if nothing moves. ValueError if they cannot be moved, for these rows."""
    if not moving:
        return None
    engine: Any = model.engine
    instead = "tokens that keep their positions can be taken over (skip=left.lengths), and left + right is exact"
    if not hasattr(engine, "key_shift"):
        raise ValueError(
            f"{name_of(engine)} takes no grafts: it has no way to move keys to other positions (transformers models "
            f"have one); {instead}"
        )
    with model._lock, plain_arithmetic(model.device.type):
        if model._check is not None:
            model._check()
        longest = max(max(len(row.ids), len(row.source)) for row in moving)
        window: int | None = getattr(engine, "window", None)
        if window is not None and longest > window:
            raise ValueError(
                f"{name_of(engine)} takes no grafts: its layers attend in windows of {window} tokens, and a row of "
                f"{longest} is longer, so that a token's keys hold what the window saw at its old place; {instead}"
            )
        return engine.key_shift()


# --- grafts: tokens that stand in the tree with keys and values which were computed after other tokens
#
# A graft is a node that is no child of the node it hangs on. So a row that holds no claim on it never reads it, however
# its tokens agree; what is computed below it is found from its own claims only.
#
# Its slots are those of its source, if the tokens stand at the same positions there: nothing is copied. Else they are
# copies, whose keys have been moved.


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

    __slots__ = ("__weakref__", "slots")

    def __init__(self, tree: Tree, slots: np.ndarray):
        self.slots = array("q", slots.tobytes())
        tree.register(self, NodeRemains(self.slots, {}))


def graft_all(tree: Tree, plans: Sequence[GraftPlan], shift_keys: KeyShift | None) -> list[Claim]:
    """Make the grafts, and give a claim on each. Torn if a claim was evicted meanwhile.

    Where tokens move, the source's slots are copied, and their keys shifted; a copy that an earlier graft has made of
    exact keys for the same positions is read again. `shift_keys`: None if no tokens move.
    """
    with tree.planning():
        with tree.lock:
            for plan in plans:
                plan.base.stamp = plan.source.stamp = tree.memory.clock  # in use
        if any(plan.source.depth < len(plan.ids) or (not plan.depth and plan.skip) for plan in plans):
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
