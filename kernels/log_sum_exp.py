"""The log-sum-exp of rows of logits: on the host by numpy."""

from __future__ import annotations

from math import exp, inf, log, log1p
from typing import Any

import numpy as np
import torch
from torch import Tensor

Array = Any  # a numpy array on the host, a tensor elsewhere
#: Wider rows torch computes faster, although it takes longer to be called. (The width decides, never the number of
#: rows: what comes out for a row must not depend on the others.)
NARROW = 1 << 12


def log_sum_exp(logits: Tensor) -> list[float]:
    """The log-sum-exp of each row of `[rows, n]`."""
    logits = logits.detach().float()
    return exponentials(array_of(logits), array_of(torch.empty_like(logits)))


def array_of(tensor: Tensor) -> Array:
    """The same memory for numpy, if it lies on the host: for the rows of a small vocabulary torch takes longer to be
    called than to compute, and numpy a fraction of that."""
    return tensor.numpy() if tensor.device.type == "cpu" else tensor


def fastest(*arrays: Array) -> tuple[Array, ...]:
    """Arrays of one kind and width, for whoever computes with them faster, numpy or torch; the same memory."""
    if isinstance(arrays[0], np.ndarray) and arrays[0].shape[-1] > NARROW:
        return tuple(map(torch.from_numpy, arrays))
    return arrays


@np.errstate(invalid="ignore")  # rows that are all −inf, or hold +inf
def exponentials(logits: Array, out: Array) -> list[float]:
    """The log-sum-exp of each row. Numbers that are proportional to the softmax are left in `out`, float32 `[rows, n]`,
    which may be the logits themselves. The two arrays are of one kind."""
    return bare_exponentials(logits, out)


def bare_exponentials(logits: Array, out: Array) -> list[float]:
    """`exponentials` for a caller that has switched numpy's warnings off already: that takes a microsecond."""
    if not logits.shape[-1]:
        return [-inf] * len(logits)
    if isinstance(logits, np.ndarray) and logits.shape[-1] > NARROW:
        return _softmax_sums(logits, out)
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


def _softmax_sums(logits: np.ndarray, out: np.ndarray) -> list[float]:
    """`exponentials` of wide rows: torch's softmax makes one pass of three."""
    rows = np.arange(len(logits))
    largest = logits.argmax(-1)
    tops = logits[rows, largest].tolist()
    torch.softmax(torch.from_numpy(logits), -1, out=torch.from_numpy(out))
    shares = out[rows, largest].tolist()  # exp(top) over the sum
    return [top - log(share) if top > -inf else top for top, share in zip(tops, shares, strict=True)]


def log_add_exp(a: float, b: float) -> float:
    """log(exp(a) + exp(b)) of two numbers."""
    return max(a, b) + log1p(exp(-abs(a - b))) if a != b else a + log(2)
