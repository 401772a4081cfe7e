"""Stock forwards on transient caches: for models that keep plain keys and values but do not let their attention be
replaced.

Runs that begin equally deep and are equally long go together in one batch `[B, n]`, with a cache filled from the pool
and thrown away afterwards. A run below another run of the pass waits for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.kv.forward import Run, device_of, wanted_tokens
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree


def forward(hf: PreTrainedModel, tree: Tree, batch: Sequence[Run]) -> tuple[Tensor, int]:
    """The logits `[wanted, V]` at the runs' marks, and how many forwards they took. Fills the runs' slots."""
    waves: dict[tuple[int, int, int], list[Run]] = {}  # (how many runs of this pass are above, depth, tokens)
    level: dict[int, int] = {}
    before: dict[int, np.ndarray] = {}  # slots of all that a run sees above itself
    for run in batch:
        above = run.parent if isinstance(run.parent, Run) and run.parent.place is None else None
        if above is None:
            level[id(run)], before[id(run)] = 0, tree.slots(run.base)
        else:
            assert above.slots is not None
            level[id(run)] = level[id(above)] + 1
            before[id(run)] = np.concatenate([before[id(above)], above.slots])
        waves.setdefault((level[id(run)], run.depth, len(run.ids)), []).append(run)
    found: dict[tuple[int, int], Tensor] = {}
    for _, runs in sorted(waves.items()):
        _forward(hf, tree.pool, runs, np.stack([before[id(run)] for run in runs]), found)
    lines = [found[id(run), token] for run in batch for token in wanted_tokens(run)]
    return torch.stack(lines) if lines else torch.empty(0), len(waves)


def _forward(
    hf: PreTrainedModel, pool: Pool, runs: Sequence[Run], past: np.ndarray, found: dict[tuple[int, int], Tensor]
) -> None:
    """Runs of n tokens, each after its own past: int64 slots `[B, depth]`."""
    device = device_of(hf)
    (count, depth), n = past.shape, len(runs[0].ids)
    cache = DynamicCache()  # without a config: one with it forgets what a window does not see
    if depth:
        for call in sorted(pool.buffers):
            slots = torch.from_numpy(past.reshape(-1)).to(pool.buffers[call][0].device)
            keys, values = pool.read(call, slots)
            cache.update(_rows(keys, count), _rows(values, count), call)
    wanted = sorted({token for run in runs for token in wanted_tokens(run)})
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
    kept: dict[int, tuple[Tensor, Tensor]] = {}  # layers that borrow another's keys have none
    for call, layer in enumerate(cache.layers):
        keys, values = getattr(layer, "keys", None), getattr(layer, "values", None)
        if keys is not None and values is not None and keys.numel():
            kept[call] = keys, values
    if not kept or any(keys.shape[-2] != depth + n for keys, _ in kept.values()):
        raise NotImplementedError(f"{type(hf).__name__} does not keep its keys and values in a DynamicCache")
    stored = [i for i, run in enumerate(runs) if run.stored]
    if stored:
        new = np.concatenate([slots for i in stored if (slots := runs[i].slots) is not None])
        for call, pair in kept.items():
            keys, values = (t[stored][:, :, depth:].transpose(0, 1).flatten(1, 2) for t in pair)
            pool.write(call, torch.from_numpy(new).to(keys.device), keys, values)
    column = {token: i if options else token for i, token in enumerate(wanted)}
    for line, run in zip(logits, runs, strict=True):
        found.update({(id(run), token): line[column[token]] for token in wanted_tokens(run)})


def _rows(slots: Tensor, count: int) -> Tensor:
    """`[kv heads, B · depth, head size]` → `[B, kv heads, depth, head size]`."""
    return slots.view(slots.shape[0], count, -1, slots.shape[-1]).transpose(0, 1)
