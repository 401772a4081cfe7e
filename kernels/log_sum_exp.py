"""The log-sum-exp of rows of logits: on the host by numpy."""

from __future__ import annotations

from math import exp, inf, log, log1p
from typing import Any

import numpy as np
import torch
from torch import Tensor

Array = Any  # a numpy array on the host, a tensor elsewhere


def log_sum_exp(logits: Tensor) -> list[float]:
    """The log-sum-exp of each row of `[rows, n]`."""
    logits = logits.detach().float()
    return exponentials(array_of(logits), array_of(torch.empty_like(logits)))


def array_of(tensor: Tensor) -> Array:
    """The same memory for numpy, if it lies on the host: for the rows of a small vocabulary torch takes longer to be
    called than to compute, and numpy a fraction of that."""
    return tensor.numpy() if tensor.device.type == "cpu" else tensor


@np.errstate(invalid="ignore")  # rows that are all −inf, or hold +inf
def exponentials(logits: Array, out: Array) -> list[float]:
    """exp(logit − the largest of its row) is left in `out`, float32 `[rows, n]`, which may be the logits themselves;
    gives the log-sum-exp of each row. The two arrays are of one kind."""
    if not logits.shape[-1]:
        return [-inf] * len(logits)
    if isinstance(logits, np.ndarray):
        tops = np.maximum.reduce(logits, -1, keepdims=True)
        np.subtract(logits, tops, out=out)
        np.exp(out, out=out)
        sums = np.add.reduce(out, -1)
    else:
        tops = logits.amax(-1, keepdim=True)
        sums = torch.sub(logits, tops, out=out).exp_().sum(-1)
    pairs = zip(tops.ravel().tolist(), sums.tolist(), strict=True)
    return [top + log(total) if top > -inf else top for top, total in pairs]


def log_add_exp(a: float, b: float) -> float:
    """log(exp(a) + exp(b)) of two numbers."""
    return max(a, b) + log1p(exp(-abs(a - b))) if a != b else a + log(2)
