"""`graft`: states joined along the token axis, whose right part reads the keys and values that it had elsewhere.

They depend on what stood before them there, so they are not exact here. What is computed from them is marked, and no
row that holds no graft ever reads them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, nan
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import plain, shown, whole_number
from outlines_cont.engines.protocol import read
from outlines_cont.engines.slot_model import SlotModel, name_of, plain_arithmetic
from outlines_cont.errors import ContextFull
from outlines_cont.explained import explained
from outlines_cont.kv.forward import KeyShift, bounds_of
from outlines_cont.kv.needs import Need, check_needs
from outlines_cont.kv.pool import Torn
from outlines_cont.kv.radix_tree import Claim, NodeRemains, Tree, above
from outlines_cont.state.beside import warn_of_lost_contexts
from outlines_cont.state.grid import check_same_model, check_same_shape
from outlines_cont.state.keys_and_values import check_graft
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


@explained
def graft(
    left: SequenceState,
    right: SequenceState,
    recompute: float = 0.15,
    *,
    skip: int | Sequence[Sequence[int]] | Tensor = 0,
) -> SequenceState:
    """`left + right[..., skip:]`, but with the keys and values that `right` already has; few are computed again.

    They are moved to their new positions. But they were computed after other tokens than `left`, so they are
    approximate, and so are all numbers that are computed after them. The share `recompute` of the right part's tokens,
    the first ones, which matter most, is computed again, exactly. `recompute=1` computes the same as `left + right`.

    The result is marked: `kv.exact` shows which tokens are exact, `kv.logprobs_exact` and `span.exact` which
    log-probabilities are. `oc.grafts.graft_error(state)` measures the error. `rescore()` computes exact
    log-probabilities, and its result has no graft. Rows without a graft never read one. To graft several states, write
    `oc.grafts.graft(oc.grafts.graft(left, a), b)`.

    If `right` has no keys and values, it is read first, in its own context, and keeps them: keep it, and graft it as
    often as you like. Grafted keys and values are copies, shared by all grafts of the same tokens at the same
    positions. They are kept as long as a state has them, whatever the budget. A row that has lost them (`kv.drop()`,
    saved and loaded, changed parameters) is computed exactly. A bos that the tokenizer had added to `right` is dropped,
    as by `+`.

    With `skip=left.lengths`, each token keeps the position that it has in `right`. Then nothing is moved or copied: the
    rows share their keys and values, and any engine whose keys and values are kept here can do it.

    If there is nothing to take over (an empty row on either side, a dead row), or if the skipped tokens are those of
    `left`, the row is as in `left + right[..., skip:]`.

    Args:
        left: a state `(B, S, T₁)`; keys and values that it lacks are computed now.
        right: a state `(B, S, T₂)` of the same model.
        recompute: 0 to 1; of n tokens, the first ⌈recompute · n⌉ are computed again.
        skip: how many of the first tokens of `right` are left out, for all rows, or for each `[B][S]`. A negative
            number counts from the end, as in a slice.

    Returns:
        A state `(B, S, T)`, equal to `left + right[..., skip:]`.

    Raises:
        TypeError: something else than two states and numbers. ValueError: `recompute` outside 0 … 1; `skip` for other
            rows; states of two models; tokens that move, of a model whose keys cannot be moved (see docs/grafts.md);
            under `model.fresh()`; a row longer than the model's context. BatchMismatch, SampleMismatch: as
            `left + right`. ContextFull: a memory of a fixed size has no room for all rows.
        SlicingError: under `oc.stepping.strict_kv()`.

    >>> facts = model.state(" Mira is a pilot. Tom is a cook.").kv.prefill()
    >>> state = oc.grafts.graft(model.state("Read this."), facts, recompute=0.25)
    >>> state == model.state("Read this.") + facts, state.kv.exact.sum().item(), state.shape[2]
    (True, 8, 17)
    >>> before = model.state("Look here. Mira is a pilot.").kv.prefill()
    >>> start = model.state("Read this.")
    >>> oc.grafts.graft(start, before, recompute=0, skip=start.lengths) == start + before[..., start.shape[2] :]
    True
    """
    _check_states(left, right)
    share = _checked_share(recompute)
    check_same_model(left, right)
    check_same_shape(left, right, "graft(left, right)")
    check_graft()
    warn_of_lost_contexts(left.rows, right.rows)
    pairs = [pair for groups in zip(left.rows, right.rows, strict=True) for pair in zip(*groups, strict=True)]
    rows = iter(_grafted(left.model, pairs, _starts(skip, right), share))
    return SequenceState(left.model, [[next(rows) for _ in group] for group in left.rows], samples=left.shape[1])


def _check_states(left: Any, right: Any) -> None:
    for side, state in (("left", left), ("right", right)):
        if not isinstance(state, SequenceState):
            text = (
                ": a text has no keys and values to take over, left + text appends it" if isinstance(state, str) else ""
            )
            raise TypeError(f"graft(left, right) takes two SequenceStates; {side} is {shown(state)}{text}")


def _checked_share(recompute: Any) -> float:
    if isinstance(recompute, SequenceState):
        raise TypeError(
            "graft(left, right, recompute) takes two states, and got three: graft one right after the other, "
            "oc.grafts.graft(oc.grafts.graft(a, b), c)"
        )
    if isinstance(recompute, bool) or not isinstance(recompute, Real):
        raise TypeError(f"graft(recompute={shown(recompute)}): it is a share of the right part's tokens, 0 to 1")
    share = float(recompute)
    if not 0 <= share <= 1:
        raise ValueError(f"graft(recompute={recompute}): it is a share of the right part's tokens, 0 to 1")
    return share


def _starts(skip: Any, right: SequenceState) -> list[int]:
    """The index of the first token that is taken of each row of `right`, in the order of the rows."""
    rows = [row for group in right.rows for row in group]
    given = plain(skip)
    wanted = "the number of tokens of right that are left out, an int for all rows, or one for each, as left.lengths"
    if not isinstance(given, (list, tuple)):
        numbers = [whole_number(given, "skip", wanted)] * len(rows)
    else:
        groups = [plain(group) for group in given]
        if any(not isinstance(group, (list, tuple)) for group in groups):
            raise TypeError(f"skip={shown(skip)}: it must be {wanted}")
        sizes, shape = [len(group) for group in groups], right.shape[:2]
        if sizes != [shape[1]] * shape[0]:
            raise ValueError(f"skip={shown(skip)}: there are {shape[0]} × {shape[1]} rows; it must be {wanted}")
        numbers = [whole_number(number, "skip", wanted) for group in groups for number in group]
    return [range(len(row))[number:].start for row, number in zip(rows, numbers, strict=True)]


def _grafted(model: Any, pairs: Sequence[tuple[Row, Row]], starts: Sequence[int], share: float) -> list[Row]:
    """Each left row, and then the right one from its start on, as a graft."""
    parts = [right.take(range(start, len(right))) for (_, right), start in zip(pairs, starts, strict=True)]
    rows = [left.join(part) for (left, _), part in zip(pairs, parts, strict=True)]
    asked: dict[int, RowGraft] = {}
    for place, ((left, right), row) in enumerate(zip(pairs, rows, strict=True)):
        part = parts[place]
        if row.dead or len(row) == len(left):
            rows[place] = left if not part.pieces and not part.dead else row
        elif not len(left):
            rows[place] = replace(row, claim=part.claim)
        else:
            asked[place] = _planned(left, model.claimed(right), row.ids, share)
    if asked:
        inner = getattr(model, "language_model", model)
        for (place, each), claim in zip(asked.items(), graft_rows(inner, list(asked.values())), strict=True):
            rows[place] = replace(rows[place], claim=claim)
            if each.taken:
                model.claimed(pairs[place][1])  # what was read of it stays with it
            model.claimed(pairs[place][0])
    return [row if place in asked else model.claimed(row) for place, row in enumerate(rows)]


def _planned(left: Row, right: Row, ids: tuple[int, ...], share: float) -> RowGraft:
    """How a row with these tokens is made of a left and a right one."""
    computed = len(left) + ceil(round(share * (len(ids) - len(left)), 6))  # 0.15 · 20 is a little more than 3
    if right.ids == ids and not left.reads_graft and not right.reads_graft:
        computed = len(ids)  # right's keys and values are exactly those of the row
    return RowGraft(ids, left.claim, computed, right.ids, right.claim)


class GraftDifference(NamedTuple):
    """What grafts change in the law of the next token, for each row: float64 `(B, S)` each, NaN for rows that have no
    next token (dead or empty).

    Attributes:
        total_variation: half the sum of the differences of all probabilities, 0 … 1.
        logprob: the largest difference of a token's log-probability, in nats.

    >>> oc.grafts.graft_error(model.state("No graft here"))
    GraftDifference(total_variation=tensor([[0.]], dtype=torch.float64), logprob=tensor([[0.]], dtype=torch.float64))
    """

    total_variation: Tensor
    logprob: Tensor


@explained
def graft_error(state: SequenceState) -> GraftDifference:
    """Measure how much grafts change the model's law of the next token, in one pass.

    The pass reads each row with its graft, and also exactly. That costs as much as the graft had saved, and the exact
    keys and values are dropped again. Rows without a graft have the error 0.

    Raises:
        TypeError: the argument is not a state.

    >>> facts = model.state(" The sky is blue. The sun is yellow. The sky is").kv.prefill()
    >>> half = oc.grafts.graft_error(oc.grafts.graft(model.state("Look up."), facts, recompute=0.5))
    >>> whole = oc.grafts.graft_error(oc.grafts.graft(model.state("Look up."), facts, recompute=1))
    >>> half.total_variation.shape, 0 < half.total_variation.item() < 1, whole.total_variation.item()
    (torch.Size([1, 1]), True, 0.0)
    """
    if not isinstance(state, SequenceState):
        raise TypeError(f"graft_error() takes a SequenceState, not {shown(state)}")
    model = state.model
    model.kv_lengths([])  # after a change of the parameters nothing is a graft any more
    rows = [row for group in state.rows for row in group]
    inexact = [row for row in rows if row.exact_length < len(row)]
    needs = []
    for row in inexact:
        assert row.claim is not None
        wanted = (len(row) - 1,)
        needs += [Need(row.ids, wanted, row.claim), Need(row.ids, wanted, row.claim.exact_part())]
    logits, claims = read(model, needs)
    laws = torch.log_softmax(logits.double(), -1)
    for row in inexact:
        model.claimed(row)
    del claims  # until now they kept the new keys and values alive
    errors = {id(row): _difference(*laws[2 * i : 2 * i + 2]) for i, row in enumerate(inexact)}
    values = [errors.get(id(row), (nan, nan) if row.dead or not len(row) else (0.0, 0.0)) for row in rows]
    table = torch.tensor(values, dtype=torch.float64, device=model.device).view(*state.shape[:2], 2)
    return GraftDifference(table[..., 0], table[..., 1])


def _difference(law: Tensor, exact: Tensor) -> tuple[float, float]:
    """Of two lines of log-probabilities: the total variation, and the largest difference of a number."""
    both = torch.stack([law, exact])
    least = both[both.isfinite()].min()  # a token that is impossible is as likely as the least likely one
    gap = (law.clamp_min(least) - exact.clamp_min(least)).abs().max()
    return float((law.exp() - exact.exp()).abs().sum() / 2), float(gap)


# --- rows of an engine with slots: what is computed for a graft, and what is taken over


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
