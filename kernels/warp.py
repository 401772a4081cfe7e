"""Temperature, top-k, top-p and min-p: which candidates remain, and with what logits.

`warp` is the reference, by torch, and what laws on the host use. `filter_floors` is the kernel for the filters:
it makes no new logits, but finds the smallest logit that remains in each row.
"""

from __future__ import annotations

from math import log

import torch
from torch import Tensor

from .launch import constexpr, jit, power_of_2, tl
from .rows import NEG_INF, Rows
from .survey import LogitSurvey, below, id_of_key, load_groups, load_logits, logit_of_key, row_totals, sort_key

COOLEST, HOTTEST = 1e-30, 1e30  # temperatures: beyond, float32 has no numbers; the laws are the same
READ = 128  # groups of columns, those with the largest logits, that are read again for top-k and top-p


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

    Where there is a filter, the survey's sums under the temperature are taken anew, over what remains. The survey has
    the likeliest token of each group.
    """
    logits, masks, places, ending, stops = rows
    count, size = logits.shape
    floors = torch.full((count,), NEG_INF, dtype=torch.float32, device=logits.device)
    by_rank, by_mass = top_k is not None and top_k <= size, top_p is not None and top_p < 1.0
    if by_rank or by_mass or min_p:
        strides, tops = (*logits.stride(), *masks.stride()), surveyed.tops
        read = torch.empty(count, READ, dtype=torch.int32, device=logits.device)
        given = (logits, masks, places, ending, stops, surveyed.partials, tops, read, floors, size, surveyed.chunks)
        filters = (temperature, float(top_k or 0), float(top_p or 0), min_p_floor(min_p), by_rank, by_mass)
        sizes = (READ, power_of_2(tops.shape[1]), surveyed.columns, surveyed.chunk_block)
        _floor_kernel[(count,)](*given, *strides, *filters, *sizes, num_warps=16)
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
def _searched_floor(
    logits,
    mask,
    partials,
    row,
    size,
    chunks,
    column_stride,
    word_stride,
    top,
    stop,
    temperature,
    top_k,
    top_p,
    least,
    BY_RANK: constexpr,
    BY_MASS: constexpr,
    COLUMNS: constexpr,
):
    """The key of the smallest logit that top-k and top-p leave, by a search over all logits; and the survey's sums
    under the temperature, of what remains.

    The number (or weight) of candidates at or above a key grows as the key falls. The largest key at which it reaches
    the mark is found by dividing the range of keys into quarters.
    """
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
    for chunk in range(0, chunks):
        column = chunk * COLUMNS + tl.arange(0, COLUMNS)
        x, allowed = load_logits(logits, mask, column, size, column_stride, word_stride)
        kept = allowed & (x >= floor) & ((x - top) / temperature >= least)
        at = partials + row * 6 * chunks + chunk
        weights = tl.exp(below(tl.where(kept, x, float("-inf")), tl.load(at)) / temperature)
        tl.store(at + 2 * chunks, tl.sum(weights, axis=0))
    return lowest


@jit
def _reached(keys, weights, mark, low, high):
    """The largest key in low … high − 1 at which the keys at or above it weigh no less than the mark; low if none do.
    keys int64 and weights of the same shape, of one axis."""
    while high - low > 1:
        middle = low + (high - low) // 2
        enough = tl.sum(tl.where(keys >= middle, weights, 0.0), axis=0) >= mark
        low, high = tl.where(enough, middle, low), tl.where(enough, high, middle)
    return low


@jit
def _floor_kernel(
    logits,
    masks,
    places,
    ending,
    stops,
    partials,
    tops,
    read,
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
    READ: constexpr,
    GROUPS: constexpr,
    COLUMNS: constexpr,
    CHUNKS: constexpr,
):
    """The smallest logit that the filters leave; and the survey's sums under the temperature, of what remains.

    Let t be the READ-th largest of the groups' largest logits. All logits above t lie in fewer than READ groups. These
    are read again. If the filters leave nothing else, they say where the floor is; if not, all logits are searched.
    """
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    chunk_tops, stop, _, _ = row_totals(partials, ending, stops, row, chunks, CHUNKS)
    top = tl.maximum(tl.max(chunk_tops, axis=0), stop)
    nothing = sort_key(tl.full([], float("-inf"), tl.float32))
    highest = sort_key(top) + 1

    at, groups = tl.arange(0, GROUPS), (size + 31) // 32
    best = tl.load(tops + row * groups + at, mask=at < groups, other=-0x7FFFFFFFFFFFFFFF)
    of_groups = tl.minimum(tl.maximum(best >> 32, nothing), highest - 1)  # NaN has a key, too
    border = _reached(of_groups, tl.full([GROUPS], 1.0, tl.float32), READ, nothing, highest)
    chosen = of_groups > border
    tl.store(read + row * READ + tl.cumsum(chosen.to(tl.int32), axis=0) - 1, id_of_key(best) // 32, mask=chosen)
    tl.debug_barrier()  # other threads have written what this one reads
    slot = tl.arange(0, READ)
    listed = slot < tl.sum(chosen.to(tl.int32), axis=0)
    group = tl.load(read + row * READ + slot, mask=listed, other=0)
    x, allowed, column = load_groups(logits, mask, group, size, column_stride, word_stride)
    is_stop = (slot == READ - 1)[:, None] & (column == 0)  # the last place is free
    x = tl.where(is_stop, stop, x)
    there = (is_stop | (allowed & listed[:, None])) & (sort_key(x) > border)
    table = tl.where(there, sort_key(x), nothing)
    keys = tl.reshape(table, [READ * 32])

    lowest = border
    sure = True
    if BY_RANK:
        ones = tl.where(keys > border, 1.0, 0.0)
        sure = tl.sum(ones, axis=0) >= top_k
        lowest = _reached(keys, ones, top_k, border, highest)
    if BY_MASS:
        weights = tl.where(keys > border, tl.exp(below(logit_of_key(keys), top) / temperature), 0.0)
        if BY_RANK:
            weights = tl.where(keys >= lowest, weights, 0.0)
            whole = tl.sum(weights, axis=0)
        else:
            chunk = tl.arange(0, CHUNKS)
            sums = tl.load(partials + (row * 6 + 2) * chunks + chunk, mask=chunk < chunks, other=0.0)
            whole = tl.sum(sums * tl.exp(below(chunk_tops, top) / temperature), axis=0)
            whole += tl.exp(below(stop, top) / temperature)
        sure = sure & (tl.sum(weights, axis=0) >= whole * top_p)
        lowest = _reached(keys, weights, whole * top_p, lowest, highest)
    if not (BY_RANK or BY_MASS):
        sure = (logit_of_key(border) - top) / temperature < least

    if sure | (border == nothing):
        kept = there & (table >= lowest) & ((x - top) / temperature >= least) & (is_stop == 0)
        chunk_of = group * 32 // COLUMNS
        chunk_top = tl.load(partials + row * 6 * chunks + chunk_of)
        each = tl.exp(below(tl.where(kept, x, float("-inf")), chunk_top[:, None]) / temperature)
        chunk = tl.arange(0, CHUNKS)
        here = listed[:, None] & (chunk_of[:, None] == chunk[None, :])
        sums = tl.sum(tl.where(here, tl.sum(each, axis=1)[:, None], 0.0), axis=0)
        tl.store(partials + (row * 6 + 2) * chunks + chunk, sums, mask=chunk < chunks)
    else:
        lowest = _searched_floor(
            logits,
            mask,
            partials,
            row,
            size,
            chunks,
            column_stride,
            word_stride,
            top,
            stop,
            temperature,
            top_k,
            top_p,
            least,
            BY_RANK,
            BY_MASS,
            COLUMNS,
        )
    tl.store(floors + row, logit_of_key(lowest))
