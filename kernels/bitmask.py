"""Packed token masks: int32 `[rows, (V + 31) // 32]`, bit `t % 32` of word `t // 32` says whether token t is allowed.

The layout is the one xgrammar and llguidance share. Bits beyond V have no meaning. Three operations: `apply`, `unpack`
and `pack`, each a kernel beside its reference; and `penalties`, for laws on the host.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from torch import Tensor

from .launch import constexpr, jit, or_reference, tl, triton

COLUMNS = 4096  # so many columns of a row go to one program


def _apply(logits: Tensor, packed: Tensor) -> Tensor:
    _must_be("logits", logits, logits.is_floating_point(), "of a float dtype")
    checked(packed, logits.shape[-1], logits.shape[:-1])
    return logits.masked_fill_(~unpack(packed, logits.shape[-1]), -torch.inf)


@or_reference(_apply)
def apply(logits: Tensor, packed: Tensor) -> Tensor:
    """Write −inf where a token is not allowed, in place: logits `[rows, V]` of any float dtype and any strides.

    packed: int32 `[rows, (V + 31) // 32]`, or `[1, …]` for one mask that all rows share. Returns the logits.
    """
    rows, size = logits.shape
    checked(packed, size, (rows,))
    _must_be("logits", logits, logits.is_floating_point(), "of a float dtype")
    if logits.numel():
        grid = (rows, triton.cdiv(size, COLUMNS))
        shared = 0 if len(packed) == 1 else packed.stride(0)
        _apply_kernel[grid](logits, packed, size, *logits.stride(), shared, packed.stride(1), COLUMNS)
    return logits


@jit
def load_allowed(mask, group, size, word_stride):
    """Which tokens a mask allows, of some groups of 32: bool `[groups, 32]`. Each word is read once."""
    word = tl.load(mask + group * word_stride, mask=group * 32 < size, other=0)
    return ((word[:, None] >> tl.arange(0, 32)[None, :]) & 1) != 0


@jit
def _apply_kernel(logits, packed, size, row_stride, column_stride, mask_stride, word_stride, COLUMNS: constexpr):
    row = tl.program_id(0).to(tl.int64)
    group = tl.program_id(1) * (COLUMNS // 32) + tl.arange(0, COLUMNS // 32)
    column = group[:, None] * 32 + tl.arange(0, 32)[None, :]
    allowed = load_allowed(packed + row * mask_stride, group, size, word_stride)
    # all are read and written: stores of single logits, here and there, take three times as long
    at = logits + row * row_stride + column.to(tl.int64) * column_stride
    x = tl.load(at, mask=column < size, other=0.0)
    tl.store(at, tl.where(allowed, x, float("-inf")), mask=column < size)


def _unpack(packed: Tensor, size: int) -> Tensor:
    checked(packed, size)
    if packed.device.type == "cpu":  # numpy unpacks bytes some thirty times as fast
        octets = packed.contiguous().numpy().view(np.uint8)
        return torch.from_numpy(np.unpackbits(octets, axis=-1, count=size, bitorder="little").view(bool))
    bits = torch.arange(32, dtype=torch.int32, device=packed.device)
    return ((packed[..., None] >> bits) & 1).flatten(-2)[..., :size].bool()


@or_reference(_unpack)
def unpack(packed: Tensor, size: int) -> Tensor:
    """int32 `[rows, (size + 31) // 32]` → bool `[rows, size]`."""
    checked(packed, size)
    allowed = torch.empty(len(packed), size, dtype=torch.bool, device=packed.device)
    if allowed.numel():
        grid = (len(packed), triton.cdiv(size, COLUMNS))
        _unpack_kernel[grid](packed, allowed.view(torch.uint8), size, *packed.stride(), COLUMNS)
    return allowed


@jit
def _unpack_kernel(packed, allowed, size, mask_stride, word_stride, COLUMNS: constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = column < size
    word = tl.load(packed + row * mask_stride + (column >> 5) * word_stride, mask=inside, other=0)
    tl.store(allowed + row * size + column, ((word >> (column & 31)) & 1).to(tl.uint8), mask=inside)


def _pack(allowed: Tensor) -> Tensor:
    _must_be("allowed", allowed, allowed.dtype == torch.bool, "bool")
    rows, size = allowed.shape
    bits = torch.zeros(rows, (size + 31) // 32 * 32, dtype=torch.int64, device=allowed.device)
    bits[:, :size] = allowed
    words = (bits.view(rows, -1, 32) << torch.arange(32, device=allowed.device)).sum(-1)
    return ((words + 2**31) % 2**32 - 2**31).int()


@or_reference(_pack)
def pack(allowed: Tensor) -> Tensor:
    """bool `[rows, V]` → int32 `[rows, (V + 31) // 32]`; the bits beyond V are 0."""
    _must_be("allowed", allowed, allowed.dtype == torch.bool, "bool")
    rows, size = allowed.shape
    words = (size + 31) // 32
    packed = torch.empty(rows, words, dtype=torch.int32, device=allowed.device)
    if packed.numel():
        grid = (rows, triton.cdiv(words, COLUMNS // 32))
        _pack_kernel[grid](allowed.view(torch.uint8), packed, size, words, *allowed.stride(), COLUMNS // 32)
    return packed


@jit
def _pack_kernel(allowed, packed, size, words, row_stride, column_stride, WORDS: constexpr):
    row = tl.program_id(0).to(tl.int64)
    word = tl.program_id(1) * WORDS + tl.arange(0, WORDS)
    bit = tl.arange(0, 32)
    column = word[:, None] * 32 + bit[None, :]
    at = allowed + row * row_stride + column.to(tl.int64) * column_stride
    octets = tl.load(at, mask=column < size, other=0).to(tl.int32)
    tl.store(packed + row * words + word, tl.sum(octets << bit[None, :], axis=1), mask=word < words)


def _must_be(name: str, tensor: Tensor, right: bool, expected: str) -> None:
    if not right:
        raise ValueError(f"{name} are {tensor.dtype}: they must be {expected}")


def checked(packed: Tensor, size: int, rows: tuple[int, ...] | None = None) -> None:
    """ValueError if these are not masks for `size` tokens and for these rows (or one mask for all rows)."""
    words = (size + 31) // 32
    right = packed.dtype == torch.int32 and packed.ndim == 2 and packed.shape[1] == words
    if not right or (rows is not None and len(packed) != 1 and (len(packed),) != tuple(rows)):
        asked = "rows" if rows is None else f"1 or {rows[0]}"
        raise ValueError(
            f"masks of {packed.dtype} {list(packed.shape)} for {size} tokens: they must be int32 [{asked}, {words}]"
        )


def penalties(packed: np.ndarray, out: Tensor) -> Tensor:
    """int32 `[rows, words]` → out, float32 `[rows, W]`, W ≥ 32 * words: 0 where a token is allowed, −inf where not.

    Looking penalties up by octets and adding them to logits takes a tenth of the time of `masked_fill`, which branches
    at every token.
    """
    octets = np.zeros((len(packed), out.shape[1] // 8), np.int32)
    octets[:, : 4 * packed.shape[1]] = packed.view(np.uint8)
    index = torch.from_numpy(octets).to(out.device).flatten()
    torch.index_select(_penalties_of_octets(out.device), 0, index, out=out.view(-1, 8))
    return out


@cache
def _penalties_of_octets(device: torch.device) -> Tensor:
    """float32 `[256, 8]`."""
    allowed = _unpack(torch.arange(256, dtype=torch.int32)[:, None], 8)
    return torch.zeros(256, 8).masked_fill(~allowed, -torch.inf).to(device)
