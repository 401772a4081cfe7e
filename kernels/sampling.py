"""From logits and a token mask to laws over candidates, in plain torch.

A *candidate* is a token or the stop: every law here is over V + 1 columns, the last of which is the stop.
"""

from __future__ import annotations

import torch
from torch import Tensor

NEG_INF = float("-inf")


def candidate_logprobs(logits: Tensor, allowed: Tensor, may_stop: Tensor, stop_ids: Tensor | None = None) -> Tensor:
    """The model's own log-probabilities of every token and, in the last column, of the stop.

    logits `[rows, V]`, allowed bool `[rows, V]`, may_stop bool `[rows]` → float32 `[rows, V + 1]`. Tokens keep their
    value whether allowed or not; the stop is −inf where a row may not stop.

    The stop's probability is the model's probability of going elsewhere: of all tokens that would not continue the
    span. It is a log-sum-exp over those tokens, never one minus the others, so that small ones stay exact. With
    `stop_ids` (the eos ids) it is the probability of those tokens instead.
    """
    logits = logits.detach().float()
    total = logits.logsumexp(-1, keepdim=True)
    if not torch.isfinite(total).all():
        raise ValueError("the model's logits hold NaN or +inf, or are all −inf: nothing can be drawn from them")
    candidates = logits.new_empty(logits.shape[0], logits.shape[1] + 1)
    torch.sub(logits, total, out=candidates[:, :-1])
    candidates[:, -1] = NEG_INF
    ending = may_stop.nonzero()[:, 0]  # most rows of most steps may not
    if len(ending):
        logprobs = candidates[ending, :-1]
        others = logprobs.masked_fill(allowed[ending], NEG_INF) if stop_ids is None else logprobs[:, stop_ids]
        candidates[ending, -1] = others.logsumexp(-1).clamp(max=0.0)
    return candidates


def restrict(logprobs: Tensor, allowed: Tensor) -> Tensor:
    """The law that remains when only the allowed tokens and the stop (the last column) may be drawn.

    logprobs `[rows, V + 1]`, allowed bool `[rows, V]` → `[rows, V + 1]`, each row a normalised log law.
    """
    masked = logprobs.clone()
    masked[:, :-1].masked_fill_(~allowed, NEG_INF)
    return masked.sub_(masked.logsumexp(-1, keepdim=True))


def warp(
    law: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Tensor:
    """Temperature, top-k, top-p and min-p, in the order in which transformers applies them.

    law `[rows, candidates]` of log-probabilities → the same shape, normalised. Every filter keeps at least the
    likeliest candidate.
    """
    if temperature == 1.0 and top_k is None and top_p is None and not min_p:
        return law
    # from the top down, so that a tiny temperature sends the others to −inf and not the top to infinity
    law = torch.log_softmax((law - law.amax(-1, keepdim=True)) / temperature, dim=-1)
    if top_k is not None and top_k < law.shape[-1]:
        kth = law.topk(top_k, dim=-1).values[:, -1:]
        law = law.masked_fill(law < kth, NEG_INF)
    if top_p is not None and top_p < 1.0:
        ordered, order = torch.softmax(law, dim=-1).sort(dim=-1, descending=True, stable=True)
        # a candidate goes when those likelier than it already hold top_p together
        gone = (ordered.cumsum(-1) - ordered) >= top_p
        gone[:, 0] = False
        law = law.masked_fill(torch.zeros_like(gone).scatter(-1, order, gone), NEG_INF)
    if min_p is not None and min_p > 0.0:
        probabilities = torch.softmax(law, dim=-1)
        law = law.masked_fill(probabilities < min_p * probabilities.amax(-1, keepdim=True), NEG_INF)
    return torch.log_softmax(law, dim=-1)


def draw(law: Tensor, uniforms: Tensor) -> Tensor:
    """One candidate per row by inverting the cumulative law: law `[rows, candidates]`, uniforms `[rows]` in [0, 1).

    Returns int64 `[rows]`. The same uniform and the same law give the same candidate whatever else is in the batch.
    """
    cumulative = law.double().exp().cumsum(-1)
    targets = uniforms.to(cumulative) * cumulative[:, -1]
    drawn = torch.searchsorted(cumulative, targets[:, None], right=True)[:, 0]
    # rounding may point past the last candidate that has any probability
    last = law.shape[-1] - 1 - (law > NEG_INF).flip(-1).int().argmax(-1)
    return torch.minimum(drawn, last)
