"""Rounding of another machine: what a product of matrices gives depends on how many rows it has.

Libraries choose kernels by shape, by the number of threads, and by the processor; and so equal rows may give other last
bits beside other rows. On some machines they never do, and a test that compares them bit for bit passes there alone.
`python -m pytest --other-rounding` runs the suite with products, softmaxes and sums of exponentials whose last bits
depend on the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import torch
from torch import Tensor

#: Of the largest value of a row: a few units in the last place.
SIZE = {torch.float32: 3e-7, torch.float64: 5e-16}


@cache
def _noise(rows: int, width: int, dtype: torch.dtype) -> Tensor:
    """What is added for results `[rows, width]`, relative to the largest of its row."""
    dice = torch.Generator().manual_seed(1_000_003 * rows + width)
    return (torch.rand(rows, width, generator=dice, dtype=torch.float64) * 2 - 1).mul_(SIZE[dtype]).to(dtype)


def rounded_otherwise(result: Tensor) -> Tensor:
    """These values `[..., N]`, with other last bits, by their number of rows and the place of each."""
    if result.dtype not in SIZE or not result.numel() or result.device.type != "cpu":
        return result
    width = result.shape[-1] if result.dim() else 1
    flat = result.detach().reshape(-1, width)
    largest = flat.abs().nan_to_num(0.0, 0.0, 0.0).amax(-1, keepdim=True)
    return result + (_noise(len(flat), width, result.dtype) * largest).reshape(result.shape)


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def other(*args: Any, **named: Any) -> Any:
        result = function(*args, **named)
        return rounded_otherwise(result) if isinstance(result, Tensor) else result

    return other


def install() -> None:
    """Let this process round otherwise, from now on."""
    torch.nn.functional.linear = _wrapped(torch.nn.functional.linear)
    torch.addmm = _wrapped(torch.addmm)
