"""The log-sum-exp of rows of logits, on the host: faster than `torch.logsumexp`."""

from __future__ import annotations

from math import exp, inf, log, log1p

import numpy as np
import torch
from torch import Tensor


def log_sum_exp(logits: Tensor, out: Tensor | None = None) -> list[float]:
    """The log-sum-exp of each row of `[rows, n]`. `out`, float32 of the same shape, is overwritten."""
    if not logits.shape[-1]:
        return [-inf] * len(logits)
    return exponentials(logits.float(), torch.empty_like(logits, dtype=torch.float32) if out is None else out)


def exponentials(logits: Tensor, out: Tensor) -> list[float]:
    """exp(logit − the largest of its row) is left in `out`, float32 `[rows, n]`; gives the log-sum-exp of each row.

    On the host by numpy: for a row of a small vocabulary torch would take longer to be called than to compute.
    """
    if logits.device.type == "cpu":
        return _exponentials_on_host(logits.numpy(), out.numpy())
    return _exponentials(logits, out)


def _exponentials(logits: Tensor, out: Tensor) -> list[float]:
    tops = logits.amax(-1, keepdim=True)
    sums = torch.sub(logits, tops, out=out).exp_().sum(-1)
    return (tops[:, 0] + sums.log()).where(tops[:, 0] > -inf, tops[:, 0]).tolist()


def _exponentials_on_host(logits: np.ndarray, out: np.ndarray) -> list[float]:
    tops = np.maximum.reduce(logits, -1, keepdims=True)
    with np.errstate(invalid="ignore"):  # rows that are all −inf, or hold +inf
        np.subtract(logits, tops, out=out)
    np.exp(out, out=out)
    pairs = zip(tops.ravel().tolist(), np.add.reduce(out, -1).tolist(), strict=True)
    return [top + log(total) if top > -inf else top for top, total in pairs]


def log_add_exp(a: float, b: float) -> float:
    """log(exp(a) + exp(b)) of two numbers."""
    return max(a, b) + log1p(exp(-abs(a - b))) if a != b else a + log(2)
