"""Temperature, top-k, top-p and min-p: which candidates remain, and with what logits.

`warp` is the reference, by torch, and what laws on the host use. `filter_floors` is the kernel for top-k and top-p:
it makes no new logits, but finds the smallest logit that remains in each row.
"""

from __future__ import annotations

from math import log

import torch
from torch import Tensor

from .launch import constexpr, jit, tl
from .rows import NEG_INF, Rows
from .survey import LogitSurvey, below, load_logits, logit_of_key, row_totals, sort_key

COOLEST, HOTTEST = 1e-30, 1e30  # temperatures: beyond, float32 has no numbers; the laws are the same


def clamped_temperature(temperature: float) -> float:
    """A temperature that float32 can divide by."""
    return min(max(temperature, COOLEST), HOTTEST)


def warp(
    scores: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Temperature, top-k, top-p and min-p, in the order in which transformers applies them.

    scores `[rows, candidates]`, logits or log-probabilities → the same shape, not normalised; the largest is 0. Every
    filter keeps at least the likeliest candidate, and keeps or drops equal ones together.
    """
    # from the top down, so that a tiny temperature sends the others to −inf and not the top to infinity
    scores = torch.sub(scores, scores.amax(-1, keepdim=True), out=out).div_(clamped_temperature(temperature))
    if top_k is not None and top_k < scores.shape[-1]:
        scores.masked_fill_(scores < scores.topk(top_k, dim=-1).values[:, -1:], NEG_INF)
    if top_p is not None and top_p < 1.0:
        ordered = scores.sort(dim=-1, descending=True).values
        weights = torch.softmax(ordered, -1)
        # a candidate goes when those likelier than it already hold top_p together
        kept = (weights.cumsum(-1) - weights) < top_p
        kept[:, 0] = True
        last = kept.sum(-1, keepdim=True) - 1
        scores.masked_fill_(scores < ordered.gather(-1, last), NEG_INF)
    if min_p:
        scores.masked_fill_(scores < log(min_p), NEG_INF)
    return scores


def min_p_floor(min_p: float | None) -> float:
    """The smallest warped logit, relative to the largest, that min-p leaves."""
    return log(min_p) if min_p else NEG_INF


def filter_floors(
    rows: Rows,
    surveyed: LogitSurvey,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Tensor:
    """The smallest logit that top-k and top-p leave: float32 `[rows]`, −inf where they leave everything.

    Where there is a filter, the survey's sums under the temperature are taken anew, over what remains.
    """
    logits, masks, places, ending, stops = rows
    count, size = logits.shape
    floors = torch.full((count,), NEG_INF, dtype=torch.float32, device=logits.device)
    by_rank, by_mass = top_k is not None and top_k <= size, top_p is not None and top_p < 1.0
    if by_rank or by_mass or min_p:
        strides = (*logits.stride(), *masks.stride())
        given = (logits, masks, places, ending, stops, surveyed.partials, floors, size, surveyed.chunks, *strides)
        filters = (temperature, float(top_k or 0), float(top_p or 0), min_p_floor(min_p), by_rank, by_mass)
        _floor_kernel[(count,)](*given, *filters, surveyed.columns, surveyed.chunk_block, num_warps=16)
    return floors


@jit
def _mass(
    logits,
    mask,
    size,
    column_stride,
    word_stride,
    top,
    stop,
    temperature,
    lowest,
    a,
    b,
    c,
    BY_MASS: constexpr,
    COLUMNS: constexpr,
):
    """The number of candidates, or their weight, at or above each of the keys a ≤ b ≤ c, float64. Candidates whose key
    is below `lowest` do not count."""
    total_a = tl.zeros([], tl.float64)
    total_b = tl.zeros([], tl.float64)
    total_c = tl.zeros([], tl.float64)
    for start in range(0, size, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        x, allowed = load_logits(logits, mask, column, size, column_stride, word_stride)
        key = sort_key(x)
        weight = tl.where(allowed & (key >= lowest), tl.exp((x - top) / temperature) if BY_MASS else 1.0, 0.0)
        total_a += tl.sum(tl.where(key >= a, weight, 0.0), axis=0).to(tl.float64)
        total_b += tl.sum(tl.where(key >= b, weight, 0.0), axis=0).to(tl.float64)
        total_c += tl.sum(tl.where(key >= c, weight, 0.0), axis=0).to(tl.float64)
    key = sort_key(stop)
    weight = tl.where(
        (stop > float("-inf")) & (key >= lowest), tl.exp((stop - top) / temperature) if BY_MASS else 1.0, 0.0
    )
    total_a += tl.where(key >= a, weight, 0.0)
    total_b += tl.where(key >= b, weight, 0.0)
    total_c += tl.where(key >= c, weight, 0.0)
    return total_a, total_b, total_c


@jit
def _floor_kernel(
    logits,
    masks,
    places,
    ending,
    stops,
    partials,
    floors,
    size,
    chunks,
    row_stride,
    column_stride,
    mask_stride,
    word_stride,
    temperature,
    top_k,
    top_p,
    least,
    BY_RANK: constexpr,
    BY_MASS: constexpr,
    COLUMNS: constexpr,
    CHUNKS: constexpr,
):
    """The smallest logit that top-k and top-p leave; and the survey's sums under the temperature, of what remains.

    The number (or weight) of candidates at or above a key grows as the key falls. The largest key at which it reaches
    the mark is found by dividing the range of keys into quarters.
    """
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    tops, stop, _, _ = row_totals(partials, ending, stops, row, chunks, CHUNKS)
    top = tl.maximum(tl.max(tops, axis=0), stop)
    lowest = sort_key(tl.full([], float("-inf"), tl.float32))
    for by_mass in tl.static_range(2):
        if (by_mass == 0 and BY_RANK) or (by_mass == 1 and BY_MASS):
            low, high = lowest, sort_key(top) + 1
            mark = top_k + tl.zeros([], tl.float64)
            if by_mass == 1:
                whole, _, _ = _mass(
                    logits,
                    mask,
                    size,
                    column_stride,
                    word_stride,
                    top,
                    stop,
                    temperature,
                    lowest,
                    low,
                    low,
                    low,
                    True,
                    COLUMNS,
                )
                mark = whole * top_p
            while high - low > 1:
                width = high - low
                a, b, c = low + width // 4, low + width // 2, low + width - width // 4
                a, b = tl.maximum(a, low + 1), tl.maximum(b, low + 1)
                x, y, z = _mass(
                    logits,
                    mask,
                    size,
                    column_stride,
                    word_stride,
                    top,
                    stop,
                    temperature,
                    lowest,
                    a,
                    b,
                    c,
                    by_mass == 1,
                    COLUMNS,
                )
                old = low
                low = tl.where(z >= mark, c, tl.where(y >= mark, b, tl.where(x >= mark, a, old)))
                high = tl.where(z >= mark, high, tl.where(y >= mark, c, tl.where(x >= mark, b, a)))
            lowest = low
    floor = logit_of_key(lowest)
    tl.store(floors + row, floor)
    for chunk in range(0, chunks):
        column = chunk * COLUMNS + tl.arange(0, COLUMNS)
        x, allowed = load_logits(logits, mask, column, size, column_stride, word_stride)
        kept = allowed & (x >= floor) & ((x - top) / temperature >= least)
        at = partials + row * 6 * chunks + chunk
        weights = tl.exp(below(tl.where(kept, x, float("-inf")), tl.load(at)) / temperature)
        tl.store(at + 2 * chunks, tl.sum(weights, axis=0))
