"""Attention of one sequence that is a trie, by a model's own attention, which has gradients.

The nodes are cut into blocks of neighbours. All that a block sees is itself and the nodes above its first node: so each
block is one call, with a mask, and no score is computed between rows that have nothing in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from outlines_cont.engines.hf.attention_hook import ITEM_COST, attention, model_facts
from outlines_cont.engines.hf.attention_plan import CURRENT_PLAN, MaskRule, OwnAttention, attention_of

CHECKPOINT = "_gradient_checkpointing_func"  # where transformers' layers have what calls them
Block = tuple[int, int, Tensor, Tensor]  # its first node, the end of its nodes, the nodes that it sees, and its mask


def cheapest(count: int, cost: Callable[[int], np.ndarray]) -> list[int]:
    """Where the pieces end into which so many things in order are cut at the least cost.

    cost: of the pieces that end at a place, by the place where each begins.
    """
    least, begins = np.zeros(count + 1), [0] * (count + 1)
    for end in range(1, count + 1):
        sums = least[:end] + cost(end)
        begins[end] = int(sums.argmin())
        least[end] = sums[begins[end]]
    ends = [count]
    while begins[ends[-1]]:
        ends.append(begins[ends[-1]])
    return ends[::-1]


def blocks_of(depths: np.ndarray, item_cost: float) -> list[tuple[int, int]]:
    """The blocks with the fewest scores; one more block costs as much as `item_cost` scores."""
    starts = np.append(np.flatnonzero(np.append(True, np.diff(depths) != 1)), len(depths))
    above = depths[starts[:-1]]

    def cost(end: int) -> np.ndarray:
        sizes = starts[end] - starts[:end]
        return sizes * (above[:end] + sizes) + item_cost

    ends = starts[cheapest(len(above), cost)].tolist()
    return [*zip([0, *ends], ends, strict=False)]


class TrieAttention(OwnAttention):
    """The attention of one pass, also where gradient checkpointing computes a layer of it once more."""

    def __init__(self, hf: Any, lock: Any, depths: np.ndarray, ends: np.ndarray):
        """lock: of the model, in whose config the attention is switched on. depths: int64, of each node; ends: int64,
        after the last node below each node."""
        self._hf, self._lock, self._depths, self._ends = hf, lock, depths, ends
        self._blocks: dict[tuple[MaskRule, torch.device], list[Block]] = {}

    @contextmanager
    def used(self) -> Iterator[None]:
        """For one forward."""
        with self._lock, attention(self._hf, self):
            layers = [vars(m) for m in self._hf.modules() if CHECKPOINT in vars(m)]
            before = [layer[CHECKPOINT] for layer in layers]
            try:
                for layer in layers:
                    layer[CHECKPOINT] = partial(self._checkpointed, layer[CHECKPOINT])
                yield
            finally:
                for layer, checkpoint in zip(layers, before, strict=True):
                    layer[CHECKPOINT] = checkpoint

    def _checkpointed(self, checkpoint: Callable[..., Any], function: Callable[..., Any], *args: Any, **kw: Any) -> Any:
        """What gradient checkpointing calls a layer by, with this attention in `backward()` too."""

        if CURRENT_PLAN.get() is not self:  # another thread's layer
            return checkpoint(function, *args, **kw)

        def layer(*given: Any, **named: Any) -> Any:
            if CURRENT_PLAN.get() is self:
                return function(*given, **named)
            with self._lock, attention(self._hf, self):
                return function(*given, **named)

        return checkpoint(layer, *args, **kw)

    def attend(
        self, name: str, module: nn.Module, query: Tensor, key: Tensor, value: Tensor, rule: MaskRule, **kwargs: Any
    ) -> tuple[Tensor, None]:
        if name not in ("sdpa", "eager"):  # it takes no mask; sdpa knows no softcap and no sinks
            name = "sdpa" if kwargs.get("softcap") is None and kwargs.get("s_aux") is None else "eager"
        call, parts = attention_of(module, name), list[Tensor]()
        for first, end, seen, sees in self._blocks_under(rule, query.device):
            mask = sees
            if name == "eager":
                mask = torch.zeros_like(sees, dtype=query.dtype).masked_fill_(~sees, torch.finfo(query.dtype).min)
            keys, values = (key, value) if len(seen) == key.shape[2] else (key[:, :, seen], value[:, :, seen])
            parts.append(call(module, query[:, :, first:end], keys, values, mask, **kwargs)[0])
        return torch.cat(parts, 1), None

    def _blocks_under(self, rule: MaskRule, device: torch.device) -> Sequence[Block]:
        """The blocks, under the model's own rule (causal, sliding, chunked), with masks `[1, 1, nodes, seen]`."""
        if (rule, device) not in self._blocks:
            cost = ITEM_COST.get(device.type, ITEM_COST["cuda"]) / model_facts(self._hf).width
            ends, depths = (torch.from_numpy(each).to(device) for each in (self._ends, self._depths))
            zero, blocks = torch.zeros((), dtype=torch.long, device=device), list[Block]()
            for first, end in blocks_of(self._depths, cost):
                nodes = torch.arange(first, end, device=device)
                seen = torch.cat([torch.nonzero(ends[:first] > first)[:, 0], nodes])
                sees = (seen <= nodes[:, None]) & (nodes[:, None] < ends[seen])
                sees = sees & rule(zero, zero, depths[nodes][:, None], depths[seen])
                blocks.append((first, end, seen, sees[None, None]))
            self._blocks[rule, device] = blocks
        return self._blocks[rule, device]
