"""Attention in parts, by torch: each part sees some of the keys, and parts merge by their log-sum-exp.

A shared prefix is then attended once for all queries below it (Hydragen, Juravsky et al. 2024; cascade attention in
FlashInfer), and the merge is that of flash-decoding: softmax over all keys is the mean of the parts' softmaxes,
weighted by the exponentials of their log-sum-exps.
"""

from __future__ import annotations

from functools import cached_property

import torch
from torch import Tensor

NEG_INF = float("-inf")
SCORES_AT_ONCE = 1 << 26  # a product writes down no more scores than that
# The blockwise kernel behind scaled_dot_product_attention: asked directly, it gives the log-sum-exp too.
_flash_on_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default


class VisibleKeys:
    """Which query sees which key: bool `[B or 1, 1, n, L]`. What `attend` makes of it serves all layers of a pass."""

    def __init__(self, mask: Tensor):
        self.mask = mask
        self._biases: dict[torch.dtype, Tensor] = {}

    @cached_property
    def blind(self) -> Tensor | None:
        """Queries that see nothing, if there are some."""
        blind = ~self.mask.any(-1)
        return blind if blind.any() else None

    def bias(self, dtype: torch.dtype) -> Tensor:
        """0 where a query sees a key, −inf where not."""
        if dtype not in self._biases:
            zeros = torch.zeros(self.mask.shape, dtype=dtype, device=self.mask.device)
            self._biases[dtype] = zeros.masked_fill_(~self.mask, NEG_INF)
        return self._biases[dtype]


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    mask: Tensor | VisibleKeys | None = None,
    causal: bool = False,
    softcap: float | None = None,
) -> tuple[Tensor, Tensor]:
    """One part: query `[B, H, n, D]`, key `[B, H, L, D]`, value `[B, H, L, Dv]` → out `[B, H, n, Dv]` and the
    log-sum-exp of its scores, float32 (float64 for float64) `[B, H, n]`.

    mask: bool `[B or 1, 1, n, L]`, True where a query sees a key. `causal`: n == L and query i sees keys 0…i. A query
    that sees nothing gives out 0 and −inf. `softcap`: scores are softcap · tanh(score / softcap), before the mask.
    """
    if query.device.type == "cpu" and softcap is None and query.shape[-1] == value.shape[-1]:
        seen = VisibleKeys(mask) if isinstance(mask, Tensor) else mask
        bias = seen and seen.bias(query.dtype)
        out, lse = _flash_on_cpu(query, key, value, 0.0, causal, attn_mask=bias, scale=scale)
        return out, lse if seen is None or seen.blind is None else lse.masked_fill(seen.blind, NEG_INF)
    if isinstance(mask, VisibleKeys):
        mask = mask.mask
    block = max(1, SCORES_AT_ONCE // (key.shape[-2] * query.shape[0] * query.shape[1]))
    if query.shape[-2] > block:
        return _attend_in_blocks(query, key, value, scale, mask, causal, softcap, block)
    scores = (query @ key.transpose(-1, -2)) * scale
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    if scores.dtype != torch.float64:
        scores = scores.float()
    if causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril_()
    if mask is not None:
        scores = scores.masked_fill(~mask, NEG_INF)
    lse = scores.logsumexp(-1)
    weights = (scores - lse.masked_fill(lse == NEG_INF, 0.0)[..., None]).exp_()
    return weights.to(value.dtype) @ value, lse


def _attend_in_blocks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    mask: Tensor | None,
    causal: bool,
    softcap: float | None,
    block: int,
) -> tuple[Tensor, Tensor]:
    """`attend`, for so many queries at a time: the scores of a long run do not fit into memory all at once."""
    parts = []
    for at in range(0, query.shape[-2], block):
        rows, end = slice(at, at + block), min(at + block, key.shape[-2]) if causal else key.shape[-2]
        rows_mask = None if mask is None else mask[:, :, rows]
        if causal:
            rows_mask = torch.ones(1, 1, len(range(*rows.indices(query.shape[-2]))), end, dtype=torch.bool).tril_(at)
            rows_mask = rows_mask.to(query.device)
        parts.append(attend(query[:, :, rows], key[:, :, :end], value[:, :, :end], scale, rows_mask, False, softcap))
    return torch.cat([out for out, _ in parts], 2), torch.cat([lse for _, lse in parts], 2)


def merge(out: Tensor, lse: Tensor, other: Tensor, other_lse: Tensor) -> tuple[Tensor, Tensor]:
    """Two parts of one query → the part that sees the keys of both: out `[…, Dv]`, lse `[…]`."""
    both = torch.logaddexp(lse, other_lse)
    safe = both.masked_fill(both == NEG_INF, 0.0)
    mixed = out * (lse - safe).exp_()[..., None] + other * (other_lse - safe).exp_()[..., None]
    return mixed, both


def sink(out: Tensor, lse: Tensor, logits: Tensor) -> Tensor:
    """The part with attention sinks: logits, broadcast to lse `[…]`, join the softmax's denominator and no value."""
    return out * torch.sigmoid(lse - logits.to(lse.dtype))[..., None]
