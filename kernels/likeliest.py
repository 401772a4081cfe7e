"""The likeliest candidates of each row, as beam search asks for them."""

from __future__ import annotations

import torch
from torch import Tensor

from .launch import constexpr, jit, or_reference, power_of_2, tl
from .rows import Rows
from .survey import candidate_logits, logit_of_key, row_totals, survey

WIDEST = 64  # so many of the likeliest come from a kernel: for more, a sort takes no longer


def _likeliest(rows: Rows, width: int) -> tuple[Tensor, Tensor]:
    scores, total, norm = candidate_logits(rows)
    size = rows.logits.shape[1]
    order = scores[:, :size].sort(dim=-1, descending=True, stable=True).indices[:, :width]
    order = torch.cat([order, torch.full_like(order[:, :1], size)], -1)
    return order, torch.cat([scores.gather(-1, order), total, norm], -1)


@or_reference(_likeliest)
def likeliest(rows: Rows, width: int) -> tuple[Tensor, Tensor]:
    """The likeliest tokens of each row and then its stop: int64 `[rows, width + 1]`, best first, of equal ones the
    first id first; and their logits, the log-sum-exp over everything that the model may do, and that over what is
    allowed: float64 `[rows, width + 3]`. `width` is at most V; a logit of what is not allowed is −inf."""
    logits, _, _, ending, stops = rows = rows.checked()
    count, size = logits.shape
    if not 1 <= width <= size:
        raise ValueError(f"width={width}: it must be in 1 … {size}")
    if width > WIDEST:
        return _likeliest(rows, width)
    ids = logits.new_empty(count, width + 1, dtype=torch.int64)
    numbers = logits.new_empty(count, width + 3, dtype=torch.float64)
    if not count:
        return ids, numbers
    surveyed = survey(rows, 1.0, width)
    chunks = surveyed.chunks
    given = (surveyed.partials, surveyed.tops, ending, stops, ids, numbers, size, width, chunks)
    _likeliest_kernel[(count,)](*given, surveyed.chunk_block, power_of_2(chunks * width), num_warps=8)
    return ids, numbers


@jit
def _likeliest_kernel(
    partials,
    tops,
    ending,
    stops,
    ids,
    numbers,
    size,
    width,
    chunks,
    CHUNKS: constexpr,
    KEYS: constexpr,
):
    """The likeliest of the chunks' likeliest."""
    row = tl.program_id(0).to(tl.int64)
    _, stop, total, norm = row_totals(partials, ending, stops, row, chunks, CHUNKS)
    at = tl.arange(0, KEYS)
    keys = tl.load(tops + row * chunks * width + at, mask=at < chunks * width, other=-0x7FFFFFFFFFFFFFFF)
    ids += row * (width + 1)
    numbers += row * (width + 3)
    for i in range(width):
        best = tl.max(keys, axis=0)
        tl.store(ids + i, 0x7FFFFFFF - (best & 0xFFFFFFFF))
        tl.store(numbers + i, logit_of_key(best >> 32).to(tl.float64))
        keys = tl.where(keys == best, -0x7FFFFFFFFFFFFFFF, keys)
    tl.store(ids + width, tl.zeros([], tl.int64) + size)
    tl.store(numbers + width, stop.to(tl.float64))
    tl.store(numbers + width + 1, total)
    tl.store(numbers + width + 2, norm)
