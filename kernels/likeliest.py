"""The likeliest candidates of each row, as beam search asks for them."""

from __future__ import annotations

import torch
from torch import Tensor

from .launch import constexpr, jit, or_reference, power_of_2, tl
from .rows import Rows
from .survey import candidate_key, candidate_logits, id_of_key, load_groups, logit_of_key, row_totals, survey

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
    logits, masks, places, ending, stops = rows = rows.checked()
    count, size = logits.shape
    if not 1 <= width <= size:
        raise ValueError(f"width={width}: it must be in 1 … {size}")
    if width > WIDEST:
        return _likeliest(rows, width)
    ids = logits.new_empty(count, width + 1, dtype=torch.int64)
    numbers = logits.new_empty(count, width + 3, dtype=torch.float64)
    if not count:
        return ids, numbers
    surveyed = survey(rows, grouped=True)
    strides = (*logits.stride(), *masks.stride())
    given = (logits, masks, places, ending, stops, surveyed.partials, surveyed.tops, ids, numbers)
    sizes = (power_of_2(width), power_of_2(surveyed.tops.shape[1]), surveyed.chunk_block)
    _likeliest_kernel[(count,)](*given, size, width, surveyed.chunks, *strides, *sizes, num_warps=8)
    return ids, numbers


@jit
def _likeliest_kernel(
    logits,
    masks,
    places,
    ending,
    stops,
    partials,
    tops,
    ids,
    numbers,
    size,
    width,
    chunks,
    row_stride,
    column_stride,
    mask_stride,
    word_stride,
    WIDTH: constexpr,
    GROUPS: constexpr,
    CHUNKS: constexpr,
):
    """The likeliest tokens lie in the `width` groups whose likeliest tokens are the likeliest."""
    row = tl.program_id(0).to(tl.int64)
    _, stop, total, norm = row_totals(partials, ending, stops, row, chunks, CHUNKS)
    at, groups = tl.arange(0, GROUPS), (size + 31) // 32
    keys = tl.load(tops + row * groups + at, mask=at < groups, other=-0x7FFFFFFFFFFFFFFF)
    slot = tl.arange(0, WIDTH)
    read = slot * 0 + groups  # beyond the end
    for i in range(width):
        best = tl.max(keys, axis=0)
        read = tl.where(slot == i, id_of_key(best) // 32, read)
        keys = tl.where(keys == best, -0x7FFFFFFFFFFFFFFF, keys)
    mask = masks + tl.load(places + row) * mask_stride
    x, allowed, column = load_groups(logits + row * row_stride, mask, read, size, column_stride, word_stride)
    keys = candidate_key(tl.where(allowed, x, float("-inf")), column, size)
    ids += row * (width + 1)
    numbers += row * (width + 3)
    for i in range(width):
        best = tl.max(tl.max(keys, axis=1), axis=0)
        tl.store(ids + i, id_of_key(best).to(tl.int64))
        tl.store(numbers + i, logit_of_key(best >> 32).to(tl.float64))
        keys = tl.where(keys == best, -0x7FFFFFFFFFFFFFFF, keys)
    tl.store(ids + width, tl.zeros([], tl.int64) + size)
    tl.store(numbers + width, stop.to(tl.float64))
    tl.store(numbers + width + 1, total)
    tl.store(numbers + width + 2, norm)
