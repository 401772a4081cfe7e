"""How the keys of a transformers model change when its tokens move to other positions, found by a probe.

Rotary embeddings turn pairs of a key's numbers by angles that grow with the position. So a key is moved by turning it
further. Which pairs, and how fast, differs between models, and between the layers of one: every way that the model's
own frequencies allow is tried on some tokens that are read at several positions, where nothing stands before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.backends import Backend
from outlines_cont.kv.forward import KeyShift
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree

Pairs = Literal["halves", "neighbours"]
PROBED_POSITIONS = (0, 9, 61)
PROBED_TOKENS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Rotation:
    """Turns pairs of numbers at the beginning of a key: pair i by `frequencies[i]` a position.

    pairs: pair i are the numbers i and i + n ("halves"), or 2i and 2i + 1 ("neighbours"), of n pairs.
    """

    frequencies: Tensor  # float64 [n], on the host
    pairs: Pairs

    def turned(self, keys: Tensor, by: int) -> Tensor:
        """Keys `[kv heads, tokens, head size]`, moved by so many positions."""
        n = len(self.frequencies)
        angles = self.frequencies * by
        cos, sin = torch.stack([angles.cos(), angles.sin()]).float().to(keys.device)
        turning, fixed = keys[..., : 2 * n].float(), keys[..., 2 * n :]
        first, second = turning.chunk(2, -1) if self.pairs == "halves" else (turning[..., ::2], turning[..., 1::2])
        both = first * cos - second * sin, second * cos + first * sin
        turned = torch.cat(both, -1) if self.pairs == "halves" else torch.stack(both, -1).flatten(-2)
        return torch.cat([turned.to(keys.dtype), fixed], -1)


def key_shift(hf: PreTrainedModel, backend: Backend, ids: Sequence[int]) -> KeyShift:
    """What moves the keys of this model. ValueError, with the reason, for a model whose keys nobody can move exactly.

    ids: some different token ids for the probe.
    """
    if reason := _obstacle(hf, backend):
        raise ValueError(f"{type(hf).__name__} takes no grafts: {reason}")
    line = tuple(ids[i * (i + 2) % len(ids)] for i in range(PROBED_TOKENS))
    read = [_keys_and_values(hf, line, position) for position in PROBED_POSITIONS]
    frequencies = [each for name, each in hf.named_buffers() if name.endswith("inv_freq") and each.dim() == 1]
    host = iter(_on_host([*frequencies, *(part for each in read for pair in each.values() for part in pair)]))
    frequencies = [next(host).double() for _ in frequencies]
    read = [{call: (next(host), next(host)) for call in each} for each in read]
    ways = [_way(type(hf).__name__, call, read, _candidates(frequencies, read[0][call][0])) for call in read[0]]
    return partial(_shifted, ways)


def _on_host(tensors: Sequence[Tensor]) -> list[Tensor]:
    """They come in one copy, for which the host waits once."""
    flat = torch.cat([each.detach().flatten().to(tensors[-1].device) for each in tensors]).cpu()
    parts = zip(tensors, flat.split([each.numel() for each in tensors]), strict=True)
    return [part.view(each.shape).to(each.dtype) for each, part in parts]


def _shifted(ways: Sequence[Rotation | None], call: int, keys: Tensor, by: int) -> Tensor:
    """The keys of one attention call, moved by so many positions."""
    way = ways[call]
    return keys if way is None or not by else way.turned(keys, by)


def _obstacle(hf: PreTrainedModel, backend: Backend) -> str:
    """Why keys cannot be moved, as far as it is known before anything is tried."""
    config = hf.config.get_text_config()
    if backend.name != "hook":
        return f"its keys and values are not kept by the attention hook ({backend})"
    if getattr(config, "kv_lora_rank", None):
        return "its attention is latent: its keys are made of what several heads share"
    if "chunked_attention" in (getattr(config, "layer_types", None) or ()):
        return "its layers attend in chunks, which begin at fixed positions"
    layers = {type(layer).__name__ for layer in DynamicCache(config=config).layers}
    if not layers <= {"DynamicLayer", "DynamicSlidingWindowLayer"}:
        return f"it caches its layers in {', '.join(sorted(layers))}"
    spread = any(type(parameter).__name__ == "DTensor" for parameter in hf.parameters())
    if spread or (getattr(hf, "tp_size", None) or 1) > 1:
        return "its heads are spread over processes (tensor parallelism)"
    return ""


def _keys_and_values(hf: PreTrainedModel, ids: tuple[int, ...], position: int) -> dict[int, tuple[Tensor, Tensor]]:
    """By attention call, the keys and values `[kv heads, tokens, head size]` of tokens of which the first one stands
    at this position, with nothing before it."""
    tree = Tree()
    pool = cast(Pool, tree.pool)
    run = TokenRun(ids, (tree.root, 0), position, slots=pool.take(len(ids)))
    attention_hook.forward(hf, tree, [run])
    slots = torch.from_numpy(cast(np.ndarray, run.slots))
    return {call: pool.read(call, slots.to(keys.device)) for call, (keys, _) in pool.buffers.items()}


def _candidates(frequencies: Sequence[Tensor], keys: Tensor) -> Iterator[Rotation | None]:
    """The ways in which these keys might move; None: not at all."""
    yield None
    tried: list[Tensor] = []
    for each in frequencies:
        if 2 * len(each) <= keys.shape[-1] and not any(each.equal(other) for other in tried):
            tried.append(each)
            yield Rotation(each, "halves")
            yield Rotation(each, "neighbours")


def _way(
    name: str, call: int, read: Sequence[dict[int, tuple[Tensor, Tensor]]], candidates: Iterator[Rotation | None]
) -> Rotation | None:
    """The way in which the keys of one attention call move. ValueError if none of the candidates is it."""
    keys, values = zip(*(each[call] for each in read), strict=True)

    def error(way: Rotation | None) -> float:
        moves = [(0, at) for at in range(1, len(keys))] + [(len(keys) - 1, 0)]
        positions = PROBED_POSITIONS
        errors = [
            _difference(_shifted([way], 0, keys[a], positions[b] - positions[a]), keys[b], values[a], values[b])
            for a, b in moves
        ]
        return max(errors)

    errors = [(error(way), place, way) for place, way in enumerate(candidates)]
    least, _, way = min(errors, key=lambda each: each[:2])
    if not least <= (1e-4 if keys[0].dtype in (torch.float32, torch.float64) else 5e-2):
        raise ValueError(
            f"{name} takes no grafts: the keys of attention call {call} at one position are not those of another "
            "position, turned by a rotary embedding of the model. (Learned positions, as those of GPT-2, are in "
            "everything that is computed from them.)"
        )
    return way


def _difference(keys: Tensor, other_keys: Tensor, values: Tensor, other_values: Tensor) -> float:
    """The largest difference, as a share of the largest number; in half precision the mean difference."""
    differences = []
    for a, b in ((keys, other_keys), (values, other_values)):
        gap, scale = (a.float() - b.float()).abs(), b.float().abs().max().clamp_min(1e-12)
        exact = keys.dtype in (torch.float32, torch.float64)
        differences.append(float((gap.max() if exact else gap.mean()) / scale))
    return max(differences)
