"""One packed forward through transformers' attention interface.

All new tokens of a pass stand once each in one sequence `[1, T]`; a token's position is its depth. The model's own
attention and masks are replaced, for this forward only, by an `AttentionPlan`: it puts the new keys and values into the
pool, and attends as the layout says, to older keys as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from outlines_cont.engines.hf.attention_layout import AttentionLayout, PackedGroups, lay_out
from outlines_cont.engines.hf.attention_plan import ATTENTION, CURRENT_PLAN, STOCK, AnyPlan, AttentionPlan, WorkKey
from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.kernels.prefix_attention import attend_tree
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree

# --- the layout of a decode step from that of the step before: every row is one token longer, and sees one key more
#
# To lay a step out anew means to walk from every row up to the root. Where the rows are those of the pass before, each
# with one more token, all that they see is known but for their new keys.

# After so many steps, or with so much waste, a pass is laid out anew. (64 rows of the shipped model: where 16 work
# items may be wasted instead of one, a forward takes 0.90 to 0.98 of the time, and planning it less, too.)
GROWN_AT_MOST = 32  # steps
WASTED_AT_MOST = 16  # work items: their cost in scores that nobody sees


class GrowingLayout:
    """The layouts of the passes of one tree, one after the other. It has to be asked for every pass.

    A row is known by the slot of its last token: until the next pass nobody else gets it, but for grafts, and what
    stands before a token never changes. Only when the pool is squeezed do slots move.
    """

    def __init__(self) -> None:
        self._last: AttentionLayout | None = None  # without its runs, which would keep their nodes alive
        self._queries: dict[int, int] = {}  # by slot
        self._moves = 0  # of the pool, then
        self._steps = 0  # since all was decided anew
        self._unseen = 0  # scores that nobody sees
        self._wasted = 0  # more of them than there were when all was decided

    def of(self, tree: Tree, batch: Sequence[TokenRun], item_cost: float) -> AttentionLayout:
        """The layout of a pass; `item_cost` as of `lay_out`."""
        last, self._last = self._last, None  # an interrupt from here on leaves nothing to grow from
        if len(batch) == 1:  # laid out in no time
            return _one_query(tree, batch[0]) if len(batch[0].ids) == 1 else lay_out(tree, batch, item_cost)
        layout = None if last is None else self._grown(last, tree, batch, item_cost)
        if layout is None:
            self._steps = self._wasted = 0
            layout = lay_out(tree, batch, item_cost)
        self._remember(tree, layout)
        return layout

    def _remember(self, tree: Tree, layout: AttentionLayout) -> None:
        alone = not any(item.causal for item in layout.items)  # every query stands in a group, with its own key
        if alone and all(len(run.ids) == 1 and run.stored for run in layout.runs):
            self._queries = {slot: query for query, slot in enumerate(_slots(layout.runs).tolist())}
            self._moves = cast(Pool, tree.pool).moves
            self._unseen = _unseen(layout)
            self._last = AttentionLayout([], {}, layout.items, layout.groups)  # at the end: now the others belong to it

    def _grown(
        self, last: AttentionLayout, tree: Tree, batch: Sequence[TokenRun], item_cost: float
    ) -> AttentionLayout | None:
        """The last layout with the rows of this pass, if these go on from its rows."""
        if self._steps == GROWN_AT_MOST or self._moves != cast(Pool, tree.pool).moves:
            return None
        queries = [self._query_before(run) for run in batch]
        if None in queries:
            return None
        self._steps += 1
        if len(last.groups) == 1 and last.groups[0].queries.shape == (1, len(self._queries)):
            forked = _forked(last, batch, np.array(queries), len(self._queries))
            if forked is None:
                return None
            self._wasted += _unseen(forked) - self._unseen
            return forked if self._wasted <= WASTED_AT_MOST * item_cost else None
        runs = dict(zip(queries, batch, strict=True))
        return self._lengthened(last, runs, item_cost) if len(runs) == len(batch) == len(self._queries) else None

    def _lengthened(
        self, last: AttentionLayout, runs: dict[int | None, TokenRun], item_cost: float
    ) -> AttentionLayout | None:
        """Every query with one more key, if that still pays: n queries of one group get n keys, of which each sees its
        own. `runs`: by the query that each goes on from."""
        self._wasted += self._steps * sum(groups.queries.size * (groups.queries.shape[1] - 1) for groups in last.groups)
        if self._wasted > WASTED_AT_MOST * item_cost:
            return None
        ordered = [runs[query] for query in range(len(runs))]
        slots, depths = _slots(ordered), np.array([run.depth for run in ordered])
        first = {id(run): query for query, run in enumerate(ordered)}
        return AttentionLayout(ordered, first, last.items, [_longer(groups, slots, depths) for groups in last.groups])

    def _query_before(self, run: TokenRun) -> int | None:
        """Of which query of the last pass a run is the next token; None if it is something else."""
        if len(run.ids) != 1 or not run.stored or isinstance(run.parent, TokenRun):
            return None
        node, size = run.parent
        return self._queries.get(node.slots[size - 1]) if size and node.lender is None else None


def _one_query(tree: Tree, run: TokenRun) -> AttentionLayout:
    """One token after one row: the layout without a trie."""
    assert run.slots is not None
    slots = np.concatenate([tree.slots(run.base), run.slots])[None]
    seen = PackedGroups(np.zeros((1, 1), np.int64), None, slots, np.arange(slots.size)[None], None)
    return AttentionLayout([run], {id(run): 0}, [], [seen])


def _slots(runs: Sequence[TokenRun]) -> np.ndarray:
    """The slot of each run's only token, int64."""
    return np.concatenate([run.slots for run in runs if run.slots is not None])


def _forked(
    last: AttentionLayout, runs: Sequence[TokenRun], parents: np.ndarray, before: int
) -> AttentionLayout | None:
    """All queries are one group, of which some go on, each in one row or several. The keys that nobody sees any more
    are left out. `parents`: int64, the query that each run goes on from."""
    if any(item.first or item.last != before for item in last.items):
        return None
    [group] = last.groups
    seen = np.ones((before, group.slots.shape[1]), bool) if group.mask is None else group.mask[0]
    seen = np.concatenate([seen[parents], np.eye(len(runs), dtype=bool)], axis=1)
    kept = seen.any(axis=0)
    depths = np.array([run.depth for run in runs])
    packed = PackedGroups(
        np.arange(len(runs))[None],
        None,
        np.concatenate([group.slots[0], _slots(runs)])[None, kept],
        np.concatenate([group.depths[0], depths])[None, kept],
        seen[None, :, kept],
    )
    items = [replace(item, last=len(runs)) for item in last.items]
    return AttentionLayout(list(runs), {id(run): query for query, run in enumerate(runs)}, items, [packed])


def _unseen(layout: AttentionLayout) -> int:
    """Of the scores of the groups, those that nobody sees."""
    return sum(
        groups.mask.size - int(np.count_nonzero(groups.mask)) for groups in layout.groups if groups.mask is not None
    )


def _longer(groups: PackedGroups, slots: np.ndarray, depths: np.ndarray) -> PackedGroups:
    """The groups with one more key for every query, which no other sees. slots, depths: int64, of these new keys."""
    queries = groups.queries
    count, n = queries.shape
    mask = groups.mask
    if mask is not None or n > 1:
        before = np.ones((count, n, groups.slots.shape[1]), bool) if mask is None else mask
        mask = np.concatenate([before, np.broadcast_to(np.eye(n, dtype=bool), (count, n, n))], axis=2)
    return PackedGroups(
        queries,
        groups.filled,
        np.concatenate([groups.slots, slots[queries]], axis=1),
        np.concatenate([groups.depths, depths[queries]], axis=1),
        mask,
    )


# --- attention hook

# One more work item costs as much as so many scores at hidden size 1: with torch an attention call and its merge, some
# 80 µs on either device; in a kernel one more program, and what it writes.
ITEM_COST = {"cpu": 1e6, "cuda": 1e8}
KERNEL_ITEM_COST = 1e6


def forward(hf: PreTrainedModel, tree: Tree, batch: Sequence[TokenRun]) -> tuple[Tensor, int]:
    """The logits `[wanted, V]` at the runs' marks, and how many forwards they took: one. Fills the runs' slots."""
    where = where_computed(hf)
    layout, wanted = planned(hf, tree, batch, where)
    return compute(hf, cast(Pool, tree.pool), layout, wanted, where, where[0].type in REPLAYED), 1


REPLAYED = {"cuda"}  # where passes may become CUDA graphs
Where = tuple[torch.device, bool]  # where the model takes its token ids, and whether a kernel computes attention there


def where_computed(hf: PreTrainedModel) -> Where:
    device = device_of(hf)
    return device, attend_tree.chosen(device)


def planned(
    hf: PreTrainedModel, tree: Tree, batch: Sequence[TokenRun], where: Where
) -> tuple[AttentionLayout, list[int]]:
    """How a pass is laid out, and at which of its positions logits are wanted."""
    device, kernel = where
    cost = KERNEL_ITEM_COST if kernel and device.type == "cuda" else ITEM_COST.get(device.type, ITEM_COST["cuda"])
    layouts = _layouts.get(tree) or _layouts.setdefault(tree, GrowingLayout())
    layout = layouts.of(tree, batch, cost / model_facts(hf).width)
    wanted: list[int] = []
    for run in batch:
        wanted += map(layout.first[id(run)].__add__, run.wanted_tokens())
    return layout, wanted


def compute(
    hf: PreTrainedModel, pool: Pool, layout: AttentionLayout, wanted: list[int], where: Where, replayed: bool = False
) -> Tensor:
    """The logits `[wanted, V]` of a pass that is laid out. It needs no tree, so another process may compute it, too.

    replayed: where a kernel computes the attention, passes of one shape become CUDA graphs.
    """
    device, kernel = where
    plan = AttentionPlan(pool, layout, {device: kernel})
    ids = np.array([*chain.from_iterable(map(attrgetter("ids"), layout.runs))])

    def through(plan: AttentionPlan, ids: Tensor, depths: Tensor, wanted: list[int]) -> Tensor:
        ids = ids[None]
        with attention(hf, plan):
            logits: Tensor = hf(
                input_ids=ids,
                position_ids=depths[None],
                attention_mask=torch.ones_like(ids),
                use_cache=False,
                logits_to_keep=_kept(wanted, len(depths)),
            ).logits[0]
        return logits if wanted else logits[:0]

    def launched() -> Tensor:
        placed, depths = plan.sent(device, _asked.get(hf, ()), [ids, plan.depths])
        logits = through(plan, placed, depths, wanted)
        _asked[hf] = [*plan.works]
        return logits

    if replayed and kernel and 2 * len(wanted) >= len(ids):
        from outlines_cont.cuda_graphs import computed

        return computed(hf, plan, ids, wanted, device, through, launched)
    return launched()


def _kept(wanted: list[int], count: int) -> int | Tensor:
    """Which positions, of so many, get logits, as models take it: a number for the last ones, which costs no copy."""
    if wanted == list(range(count - len(wanted), count)):
        return len(wanted) or 1
    return torch.tensor(wanted)  # on the host: the last layer may be on another device


@dataclass(frozen=True)
class ModelFacts:
    """What every forward needs to know of a model: its hidden size, and the attributes of the distinct configs of its
    parts, each of which says which attention its part uses."""

    width: int
    configs: list[dict[str, Any]]


_layouts: WeakKeyDictionary[Tree, GrowingLayout] = WeakKeyDictionary()
_facts: WeakKeyDictionary[nn.Module, ModelFacts] = WeakKeyDictionary()
_asked: WeakKeyDictionary[nn.Module, list[WorkKey]] = WeakKeyDictionary()  # works of the last pass, if a kernel made it


def model_facts(hf: PreTrainedModel) -> ModelFacts:
    if hf not in _facts:
        configs = {id(m.config): vars(m.config) for m in hf.modules() if isinstance(m, PreTrainedModel)}
        _facts[hf] = ModelFacts(hf.config.get_text_config().hidden_size, list(configs.values()))
    return _facts[hf]


@contextmanager
def attention(hf: PreTrainedModel, plan: AnyPlan) -> Iterator[None]:
    """Route the model's attention through the plan for one forward, and put its own implementation back."""
    # through attribute dicts: a config's own attribute access takes longer than everything else here
    configs = model_facts(hf).configs
    for config in configs:
        if config["_attn_implementation_internal"] != ATTENTION:  # it is, where an interrupt hit our own last line
            STOCK[id(config)] = config["_attn_implementation_internal"]
    try:
        CURRENT_PLAN.set(plan)
        for config in configs:
            config["_attn_implementation_internal"] = ATTENTION
        yield
    finally:
        CURRENT_PLAN.set(None)
        for config in configs:
            config["_attn_implementation_internal"] = STOCK[id(config)]
