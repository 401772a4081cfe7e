"""Rounding of another machine: what a product of matrices gives depends on how many rows it has.

Libraries choose kernels by shape, by the number of threads, and by the processor; and so equal rows may give other last
bits beside other rows. On some machines they never do, and a test that compares them bit for bit passes there alone.
`python -m pytest --other-rounding` runs the suite with products whose last bits depend on the number of rows.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

#: Of the largest value of a row: about a unit in the last place.
SIZE = {torch.float32: 1e-7, torch.float64: 2e-16}


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


def install() -> None:
    """Let products of matrices round otherwise in this process, from now on. (A product with zeros is exact.)"""
    linear, addmm = torch.nn.functional.linear, torch.addmm

    def other_linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        product = rounded_otherwise(linear(input, weight))
        return product if bias is None else product + bias

    def other_addmm(input: Tensor, mat1: Tensor, mat2: Tensor, **named: Any) -> Tensor:
        return addmm(input, mat1, mat2, **named) if named else rounded_otherwise(mat1 @ mat2) + input

    torch.nn.functional.linear, torch.addmm = other_linear, other_addmm
