"""Log-probabilities of tokens in rows of token ids, with gradients: what rows begin with in common is read once.

The rows of a pass form a trie. Its nodes stand in one sequence, depth first, so those below a node are its neighbours:
node k sees node j if j ≤ k < ends[j]. A model of the tier `hook` takes its positions and its mask from us, and computes
attention itself, which is how it has gradients. Any other model gets plain padded rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint
from transformers.masking_utils import causal_mask_function

from outlines_cont.engines.hf.attention_hook import attention, model_facts
from outlines_cont.engines.hf.attention_plan import ATTENTION, STOCK, MaskRule, OwnMask
from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.errors import warn
from outlines_cont.prefixes import common_length

MASKED = ("sdpa", "eager")  # what takes any mask, and is called by its own name where a layer is computed once more


class LearnedRow(NamedTuple):
    """A row, and the positions of its tokens whose log-probabilities are wanted: ascending, at least one, and none is
    0, because the first token of a row has no context."""

    ids: tuple[int, ...]
    wanted: tuple[int, ...]

    @property
    def context(self) -> tuple[int, ...]:
        """All tokens that are read: those before the last wanted one."""
        return self.ids[: self.wanted[-1]]


@dataclass(frozen=True, eq=False)
class TrainingPass:
    """One forward, and which of its logits give the values.

    ids: int64 `[1, nodes]`, or `[rows, tokens]` where rows are padded; depths: int64, of the nodes of a trie, or the
    number of tokens of each padded row; ends: int64, after the last node below each node; None where rows are padded.
    places: int64, the tokens of `ids`, flattened, after which logits are wanted, ascending. lines, tokens: int64, of
    each value: which of these places, and the token that comes next.
    """

    ids: np.ndarray
    depths: np.ndarray
    ends: np.ndarray | None
    places: np.ndarray
    lines: np.ndarray
    tokens: np.ndarray

    @classmethod
    def of(cls, ids: Any, depths: Any, ends: Any, places: list[int], tokens: list[int]) -> TrainingPass:
        """places: of each value."""
        distinct, lines = np.unique(np.array(places), return_inverse=True)
        ends = None if ends is None else np.array(ends)
        return cls(np.array(ids), np.array(depths), ends, distinct, lines.reshape(-1), np.array(tokens))

    def logits(self, hf: Any, device: torch.device) -> Tensor:
        """The logits `[places, V]`, by the model's own forward. The model's lock is held."""
        ids, places = torch.from_numpy(self.ids).to(device), torch.from_numpy(self.places)
        depths = torch.from_numpy(self.depths).to(device)
        if self.ends is not None:
            with attention(hf, OwnMask(self.mask)):
                return hf(
                    input_ids=ids,
                    position_ids=depths[None],
                    attention_mask=torch.ones_like(ids),
                    use_cache=False,
                    logits_to_keep=places,
                ).logits[0]
        shown = (torch.arange(ids.shape[1], device=device) < depths[:, None]).long()
        logits = hf(input_ids=ids, attention_mask=shown, use_cache=False).logits
        return logits.flatten(0, 1)[places.to(logits.device)]

    def mask(self, rule: MaskRule, stock: str, dtype: torch.dtype, device: torch.device) -> Tensor:
        """Who sees whom, `[1, 1, nodes, nodes]`: the nodes above it and itself, as far as the model's own rule goes
        (causal, sliding, chunked). bool, or for eager attention what is added to scores."""
        assert self.ends is not None
        order = torch.arange(len(self.ends), device=device)
        ends, depths = (torch.from_numpy(each).to(device) for each in (self.ends, self.depths))
        sees = (order <= order[:, None]) & (order[:, None] < ends)
        if rule is not causal_mask_function:
            zero = torch.zeros((), dtype=torch.long, device=device)
            sees = sees & rule(zero, zero, depths[:, None], depths[None])
        if stock == "eager":
            sees = torch.zeros(sees.shape, dtype=dtype, device=device).masked_fill_(~sees, torch.finfo(dtype).min)
        return sees[None, None]


def packed(rows: Sequence[LearnedRow]) -> TrainingPass:
    """The trie of some rows, whose contexts are in order.

    >>> from outlines_cont.train.packed import LearnedRow, packed
    >>> one = packed([LearnedRow((5, 6, 7), (1, 2)), LearnedRow((5, 8, 9), (1, 2))])
    >>> one.ids.tolist(), one.depths.tolist(), one.ends.tolist(), one.lines.tolist(), one.tokens.tolist()
    ([[5, 6, 8]], [0, 1, 1], [3, 2, 3], [0, 1, 0, 2], [6, 7, 8, 9])
    """
    ids, depths, ends = list[int](), list[int](), list[int]()
    places, tokens, path = list[int](), list[int](), list[int]()
    before: tuple[int, ...] = ()
    for row in rows:
        context = row.context
        common = common_length(before, context)
        for node in path[common:]:
            ends[node] = len(ids)
        path[common:] = range(len(ids), len(ids) + len(context) - common)
        ids += context[common:]
        depths += range(common, len(context))
        ends += [0] * (len(context) - common)
        places += [path[at - 1] for at in row.wanted]
        tokens += [row.ids[at] for at in row.wanted]
        before = context
    for node in path:
        ends[node] = len(ids)
    return TrainingPass.of([ids], depths, ends, places, tokens)


def padded(rows: Sequence[LearnedRow]) -> TrainingPass:
    """Rows, whose contexts are in order, beside each other. A row that another one begins with is read with it.

    >>> from outlines_cont.train.packed import LearnedRow, padded
    >>> one = padded([LearnedRow((5, 6), (1,)), LearnedRow((5, 6, 7), (2,)), LearnedRow((8, 9), (1,))])
    >>> one.ids.tolist(), one.depths.tolist(), one.places.tolist(), one.lines.tolist(), one.tokens.tolist()
    ([[5, 6], [8, 0]], [2, 1], [0, 1, 2], [0, 1, 2], [6, 7, 9])
    """
    following = [*(row.context for row in rows[1:]), ()]
    last = [next_one[: len(row.context)] != row.context for row, next_one in zip(rows, following, strict=True)]
    alone = [row.context for row, is_last in zip(rows, last, strict=True) if is_last]
    longest = max(map(len, alone))
    places, tokens, line = list[int](), list[int](), 0
    for row, is_last in zip(rows, last, strict=True):
        places += [line * longest + at - 1 for at in row.wanted]
        tokens += [row.ids[at] for at in row.wanted]
        line += is_last
    ids = [[*context, *[0] * (longest - len(context))] for context in alone]
    return TrainingPass.of(ids, [*map(len, alone)], None, places, tokens)


def _parts(rows: Sequence[LearnedRow], chunk: int | None, as_tree: bool) -> Iterator[list[LearnedRow]]:
    """The rows, whose contexts are in order, in parts of at most `chunk` positions each."""
    part: list[LearnedRow] = []
    nodes = alone = longest = 0  # of the part
    for row in rows:
        context, above = row.context, part[-1].context if part else ()
        common = common_length(above, context)
        nodes += len(context) - common
        alone += common < len(above) or not part
        longest = max(longest, len(context))
        if part and chunk is not None and context != above and (nodes if as_tree else alone * longest) > chunk:
            yield part
            part, nodes, alone, longest = [], len(context), 1, len(context)
        part.append(row)
    yield part


def reason_against(hf: nn.Module, tier: Any) -> str:
    """Why a model does not read the rows as a tree; empty if it does."""
    if tier.name != "hook":
        return f"its tier is {tier}"
    for config in model_facts(hf).configs:  # pyright: ignore[reportArgumentType]
        name = config["_attn_implementation_internal"]
        name = STOCK[id(config)] if name == ATTENTION else name
        if name not in MASKED:
            return f"its attention, {name!r}, takes no mask of ours: load it with attn_implementation='sdpa'"
    return ""


def values_of(
    model: Any, rows: Sequence[LearnedRow], *, grad: bool = True, chunk: int | None = None, entropies: bool = False
) -> Tensor:
    """The log-probabilities `[1, values]` of all wanted tokens, row by row; `[2, values]` with the entropies of the
    laws that they were drawn from. float32, or float64 for a model in float64, on the device of the model's logits.

    model: a `Model` of a transformers model; the other arguments are those of `tree_logprobs`.
    """
    hf, lock, tier = model.hf, model.engine.lock, model.tier
    reason = reason_against(hf, tier)
    order = sorted(range(len(rows)), key=lambda i: rows[i].context)
    in_order = [rows[i] for i in order]
    make = padded if reason else packed
    most = 1 if tier.alone else chunk
    passes = [make(part) for part in _parts(in_order, most, not reason)]
    if reason:
        positions, nodes = sum(each.ids.size for each in passes), packed(in_order).ids.size
        warn(
            f"{type(hf).__name__} reads every row by itself, {positions:,} positions with padding, where a tree of the "
            f"rows has {nodes:,}: {reason}"
        )
    device = device_of(hf)

    def computed(one: TrainingPass) -> Tensor:
        with lock:
            logits = one.logits(hf, device)
        return _values(logits, one, entropies)

    again = chunk is not None and len(passes) > 1 and grad and torch.is_grad_enabled()
    with torch.set_grad_enabled(grad and torch.is_grad_enabled()):
        parts = [checkpoint(computed, one, use_reentrant=False) if again else computed(one) for one in passes]
        values = torch.cat(parts, 1)
        with lock:
            model.stats.tokens += sum(one.ids.size for one in passes)
            model.stats.passes += len(passes)
        starts = np.concatenate([[0], np.cumsum([len(row.wanted) for row in in_order])])
        places = np.empty(len(rows), np.int64)
        places[order] = starts[:-1]
        back = np.concatenate([np.arange(at, at + len(row.wanted)) for at, row in zip(places, rows, strict=True)])
        return values[:, torch.from_numpy(back).to(values.device)]


def _values(logits: Tensor, one: TrainingPass, entropies: bool) -> Tensor:
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    lines, tokens = (torch.from_numpy(each).to(logits.device) for each in (one.lines, one.tokens))
    totals = logits.logsumexp(-1)
    logprobs = logits[lines, tokens] - totals[lines]
    if not entropies:
        return logprobs[None]
    every = (logits - totals[:, None]).clamp_min(torch.finfo(logits.dtype).min)  # 0 · −inf is no number
    return torch.stack([logprobs, -(every.exp() * every).sum(-1)[lines]])
