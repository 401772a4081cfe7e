"""Stock forwards on transient caches: for models that keep plain keys and values but do not let their attention be
replaced.

Runs that begin equally deep and are equally long go together in one batch `[B, n]`, with a cache filled from the pool
and thrown away afterwards. A run below another run of the pass waits for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree


def forward(hf: PreTrainedModel, tree: Tree, batch: Sequence[TokenRun]) -> tuple[Tensor, int]:
    """The logits `[wanted, V]` at the runs' marks, and how many forwards they took. Fills the runs' slots."""
    waves = _waves(tree, batch)
    logits: dict[tuple[int, int], Tensor] = {}  # (id of a run, token of it) → [V]
    for runs, past in waves:
        forward_runs(hf, cast(Pool, tree.pool), runs, past, logits)
    lines = [logits[id(run), token] for run in batch for token in run.wanted_tokens()]
    return torch.stack(lines) if lines else torch.empty(0), len(waves)


def _waves(tree: Tree, batch: Sequence[TokenRun]) -> list[tuple[list[TokenRun], np.ndarray]]:
    """The runs in batches, one forward each, in order; and the slots of all that each run sees above itself: int64
    `[B, depth]`."""
    waves: dict[tuple[int, int, int], list[TokenRun]] = {}  # (how many runs of this pass are above, depth, tokens)
    level: dict[int, int] = {}
    past: dict[int, np.ndarray] = {}
    for run in batch:
        above = run.parent if isinstance(run.parent, TokenRun) and run.parent.place is None else None
        if above is None:
            level[id(run)], past[id(run)] = 0, tree.slots(run.base)
        else:
            assert above.slots is not None
            level[id(run)] = level[id(above)] + 1
            past[id(run)] = np.concatenate([past[id(above)], above.slots])
        waves.setdefault((level[id(run)], run.depth, len(run.ids)), []).append(run)
    return [(runs, np.stack([past[id(run)] for run in runs])) for _, runs in sorted(waves.items())]


def forward_runs(
    hf: PreTrainedModel,
    pool: Pool,
    runs: Sequence[TokenRun],
    past: np.ndarray,
    logits_of: dict[tuple[int, int], Tensor],
) -> None:
    """One forward of runs of n tokens, each after its own past: int64 slots `[B, depth]`. Adds to `logits_of`."""
    device = device_of(hf)
    (count, depth), n = past.shape, len(runs[0].ids)
    cache = _filled_cache(pool, past)
    wanted = sorted({token for run in runs for token in run.wanted_tokens()})
    options: dict[str, Any] = {}
    if "logits_to_keep" in inspect.signature(hf.forward).parameters:
        options["logits_to_keep"] = torch.tensor(wanted or [0])
    # no position_ids: the models count for themselves, and some of them from another number than 0
    logits: Tensor = hf(
        input_ids=torch.tensor([list(run.ids) for run in runs], device=device),
        attention_mask=torch.ones(count, depth + n, dtype=torch.long, device=device),
        past_key_values=cache,
        use_cache=True,
        **options,
    ).logits
    layers = _layers_of(cache)
    if not layers or any(keys.shape[-2] != depth + n for keys, _ in layers.values()):
        raise NotImplementedError("it does not keep its keys and values in a DynamicCache")
    _store(pool, runs, layers, depth)
    column = {token: i if options else token for i, token in enumerate(wanted)}
    for line, run in zip(logits, runs, strict=True):
        logits_of.update({(id(run), token): line[column[token]] for token in run.wanted_tokens()})


def _filled_cache(pool: Pool, past: np.ndarray) -> DynamicCache:
    """A cache that holds the keys and values in slots `[B, depth]`."""
    cache = DynamicCache()  # without a config: one with it forgets what a window does not see
    count, depth = past.shape
    if depth:
        for call in sorted(pool.buffers):
            slots = torch.from_numpy(past.reshape(-1)).to(pool.buffers[call][0].device)
            keys, values = pool.read(call, slots)
            cache.update(_rows(keys, count), _rows(values, count), call)
    return cache


def _rows(slots: Tensor, count: int) -> Tensor:
    """`[kv heads, B · depth, head size]` → `[B, kv heads, depth, head size]`."""
    return slots.view(slots.shape[0], count, -1, slots.shape[-1]).transpose(0, 1)


def _layers_of(cache: DynamicCache) -> dict[int, tuple[Tensor, Tensor]]:
    """The keys and values of each attention call. Layers that borrow another layer's keys have none."""
    layers: dict[int, tuple[Tensor, Tensor]] = {}
    for call, layer in enumerate(cache.layers):
        keys, values = getattr(layer, "keys", None), getattr(layer, "values", None)
        if keys is not None and values is not None and keys.numel():
            layers[call] = keys, values
    return layers


def _store(pool: Pool, runs: Sequence[TokenRun], layers: dict[int, tuple[Tensor, Tensor]], depth: int) -> None:
    """Put the new keys and values, those from `depth` on, into the runs' slots."""
    stored = [i for i, run in enumerate(runs) if run.stored]
    if not stored:
        return
    slots = torch.from_numpy(np.concatenate([new for i in stored if (new := runs[i].slots) is not None]))
    for call, pair in layers.items():
        keys, values = (t[stored][:, :, depth:].transpose(0, 1).flatten(1, 2) for t in pair)
        pool.write(call, slots.to(keys.device), keys, values)
