"""Masked sampling: logits and packed masks in, one candidate a row out, with what there is to say of it.

A *candidate* is a token or the stop, which is candidate V. A row's logits are read once; where top-k or top-p is asked
for, some sixteen times more, by a search for the smallest logit that they leave.

Randomness is one uniform number a row (see `philox.py`), at which the cumulative law is inverted: first over chunks of
the vocabulary, and then in one of them. So a seed draws the same tokens on any device, wherever the logits agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log
from typing import NamedTuple

import torch
from torch import Tensor

from . import bitmask
from .launch import constexpr, jit, or_reference, power_of_2, tl, triton
from .philox import Key, uniform_of, uniforms

NEG_INF = -inf
BLOCK = 128  # columns: on the host, a draw looks for the block first, and then into it
COLUMNS = 4096  # of a row, to one program

NO_STOP, ELSEWHERE, GIVEN = 0, 1, 2  # what a row's stop is worth: nothing, all that no token allows, a logit of its own
#: What is said of a row, in this order: the candidate, the model's own log-probability of it, that of the law, and two
#: log-sum-exps: over everything that the model may do, and over what is allowed. Not finite where that is wrong.
SAID = 5
WIDEST = 64  # so many of the likeliest come from a kernel: for more, a sort takes no longer
COOLEST, HOTTEST = 1e-30, 1e30  # temperatures: beyond, float32 has no numbers; the laws are the same


class Rows(NamedTuple):
    """What is to be drawn from. Everything is on one device.

    logits: `[rows, V]`, any float dtype and any strides.
    masks: int32 `[masks, (V + 31) // 32]`, see `bitmask`.
    places: int64 `[rows]`: each row's mask.
    ending: int64 `[rows]`: NO_STOP, ELSEWHERE or GIVEN.
    stops: float32 `[rows]`: the stop's own logit, where it is GIVEN.
    """

    logits: Tensor
    masks: Tensor
    places: Tensor
    ending: Tensor
    stops: Tensor

    @property
    def device(self) -> torch.device:
        return self.logits.device

    def checked(self) -> Rows:
        """The same, the vectors contiguous. ValueError if something has another shape or type than is said here."""
        count, size = self.logits.shape
        bitmask.checked(self.masks, size)
        wanted = {"places": torch.int64, "ending": torch.int64, "stops": torch.float32}
        for name, dtype in wanted.items():
            vector = getattr(self, name)
            if vector.shape != (count,) or vector.dtype != dtype:
                raise ValueError(f"{name} are {vector.dtype} {list(vector.shape)}: they must be {dtype} [{count}]")
        return Rows(self.logits, self.masks, *(getattr(self, name).contiguous() for name in wanted))


def _sample(
    rows: Rows,
    keys: Sequence[Key] | Tensor | None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Tensor:
    scores, total, norm = _candidates(rows)
    if keys is None:
        law, candidate = scores - norm, scores.argmax(-1, keepdim=True)
    else:
        law = torch.log_softmax(warp(scores, temperature, top_k, top_p, min_p), -1)
        keys = [(a % 2**64, b, c) for a, b, c in keys.tolist()] if isinstance(keys, Tensor) else keys
        numbers = torch.tensor(uniforms(keys), dtype=torch.float64, device=scores.device)
        padded = torch.nn.functional.pad(law.exp(), (0, -law.shape[1] % BLOCK))
        candidate = draw(padded.nan_to_num(0.0), numbers)[:, None].clamp(max=scores.shape[1] - 1)
    own = scores.gather(-1, candidate) - total
    return torch.cat([candidate, own, law.gather(-1, candidate), total, norm], -1)


@or_reference(_sample)
def sample(
    rows: Rows,
    keys: Sequence[Key] | Tensor | None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Tensor:
    """One candidate for each row, and what is `SAID` of it: float64 `[rows, 5]`, on the rows' device.

    Drawn by the rows' keys (as they are, or by `keys_on`) from the law after `warp`; or without keys (greedy, the limit
    at temperature 0) the likeliest, of equal ones the first, whose law is that of the constraint alone.
    """
    logits, masks, places, ending, stops = rows = rows.checked()
    count, size = logits.shape
    said = logits.new_empty(count, SAID, dtype=torch.float64)
    if keys is not None and len(keys) != count:
        raise ValueError(f"{len(keys)} keys for {count} rows")
    if not count:
        return said
    temperature = _within(temperature)
    partials, _, chunks = _surveyed(rows, temperature)
    strides, some = (*logits.stride(), *masks.stride()), power_of_2(chunks)
    floors, least = torch.full((count,), NEG_INF, dtype=torch.float32, device=logits.device), NEG_INF
    if keys is not None:
        least = log(min_p) if min_p else NEG_INF
        by_rank, by_mass = top_k is not None and top_k <= size, top_p is not None and top_p < 1.0
        if by_rank or by_mass or min_p:
            filters = (temperature, float(top_k or 0), float(top_p or 0), least, by_rank, by_mass)
            given = (logits, masks, places, ending, stops, partials, floors, size, chunks, *strides)
            _floor_kernel[(count,)](*given, *filters, COLUMNS, some, num_warps=16)
    noise = floors if keys is None else keys_on(keys, logits.device)
    given = (logits, masks, places, ending, stops, partials, floors, noise, said, size, chunks, *strides)
    _draw_kernel[(count,)](*given, temperature, least, keys is None, SAID, COLUMNS, some, num_warps=8)
    return said


def _likeliest(rows: Rows, width: int) -> tuple[Tensor, Tensor]:
    scores, total, norm = _candidates(rows)
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
    said = logits.new_empty(count, width + 3, dtype=torch.float64)
    if not count:
        return ids, said
    partials, tops, chunks = _surveyed(rows, 1.0, width)
    given = (partials, tops, ending, stops, ids, said, size, width, chunks)
    _merge_kernel[(count,)](*given, power_of_2(chunks), power_of_2(chunks * width), num_warps=8)
    return ids, said


def _within(temperature: float) -> float:
    return min(max(temperature, COOLEST), HOTTEST)


def keys_on(keys: Sequence[Key] | Tensor, device: torch.device) -> Tensor:
    """Keys as int64 `[rows, 3]`, the bits of their streams as they are."""
    if isinstance(keys, Tensor):
        return keys.contiguous()
    signed = [((stream + 2**63) % 2**64 - 2**63, position, attempt) for stream, position, attempt in keys]
    return torch.tensor(signed, device=device)


# --------------------------------------------------------------------------------------------------------- references


def _candidates(rows: Rows) -> tuple[Tensor, Tensor, Tensor]:
    """The logits of every candidate, float64 `[rows, V + 1]`, −inf where it is not allowed; and both log-sum-exps."""
    logits = rows.logits.double()
    allowed = bitmask.unpack(rows.masks, logits.shape[1])[rows.places]
    others = logits.masked_fill(allowed, NEG_INF).logsumexp(-1, keepdim=True)
    ending = rows.ending[:, None]
    stop = torch.where(ending == ELSEWHERE, others, torch.where(ending == GIVEN, rows.stops.double()[:, None], NEG_INF))
    scores = torch.cat([logits.masked_fill(~allowed, NEG_INF), stop], -1)
    norm = scores.logsumexp(-1, keepdim=True)
    return scores, torch.maximum(logits.logsumexp(-1, keepdim=True), norm), norm


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
    scores = torch.sub(scores, scores.amax(-1, keepdim=True), out=out).div_(_within(temperature))
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


def draw(probabilities: Tensor, uniforms: Tensor) -> Tensor:
    """One candidate per row by inverting the cumulative law: `[rows, W]` and `[rows]` in [0, 1) → int64 `[rows]`.

    The same uniform and the same law give the same candidate whatever else is in the batch; one of probability 0 is
    never drawn. W is a multiple of `BLOCK`.
    """
    blocks = probabilities.unflatten(-1, (-1, BLOCK))
    block, left = _invert(blocks.sum(-1), uniforms.to(probabilities.device)[:, None])
    index, _ = _invert(blocks.take_along_dim(block[..., None], 1)[:, 0], left)
    return (block * BLOCK + index)[:, 0]


def _invert(weights: Tensor, fractions: Tensor) -> tuple[Tensor, Tensor]:
    """Where the cumulative weights pass a fraction of their sum, and which fraction of the weight there is left of it.

    weights `[rows, n]`, fractions float64 `[rows, 1]` → both `[rows, 1]`.
    """
    weights = weights.double()
    cumulative = weights.cumsum(-1)
    # a product that rounding cannot take up to the sum: the first to lie above it has a weight of its own
    targets = fractions.clamp(0, 1 - 2**-52) * cumulative[:, -1:]
    index = torch.searchsorted(cumulative, targets, right=True).clamp(max=weights.shape[-1] - 1)
    weight = weights.gather(-1, index)
    return index, (targets - cumulative.gather(-1, index) + weight) / weight


# ------------------------------------------------------------------------------------------------------------ kernels

# What a survey says of each chunk of a row, float32 [rows, 6, chunks]: 0, the largest logit that is allowed, and 3, in
# which column; 1 and 2, the sums of exp(x − largest) and of exp((x − largest) / temperature) over what is allowed;
# 4 and 5, the largest of the others, and the sum of exp(x − largest) over them.
SURVEYED = 6


def _surveyed(rows: Rows, temperature: float, width: int = 0) -> tuple[Tensor, Tensor, int]:
    """A survey; so many of each chunk's likeliest tokens, as keys that order by logit and then by id, int64
    `[rows, chunks, width]`; and how many chunks there are."""
    logits, masks, places, *_ = rows
    count, size = logits.shape
    chunks = triton.cdiv(size, COLUMNS)
    partials = logits.new_empty(count, SURVEYED, chunks, dtype=torch.float32)
    tops = logits.new_empty(count, chunks, width, dtype=torch.int64)
    strides = (*logits.stride(), *masks.stride())
    _survey_kernel[(count, chunks)](
        logits, masks, places, partials, tops, size, chunks, *strides, temperature, width, COLUMNS, num_warps=8
    )
    return partials, tops, chunks


@jit
def _loaded(logits, mask, column, size, column_stride, word_stride):
    """Of one row: logits, float32, and which columns are allowed; −inf and False beyond the end."""
    inside = column < size
    x = tl.load(logits + column.to(tl.int64) * column_stride, mask=inside, other=float("-inf")).to(tl.float32)
    word = tl.load(mask + (column >> 5) * word_stride, mask=inside, other=0)
    # −0 is 0: the same order as that of the bits
    return tl.where(x == 0, 0.0, x), inside & (((word >> (column & 31)) & 1) != 0)


@jit
def _below(x, top):
    """x − top for x ≤ top, −inf where both are −inf."""
    return x - tl.where(top == float("-inf"), 0.0, top)


@jit
def _ordered(x):
    """float32 → int64 of 32 bits in the same order."""
    bits = x.to(tl.int32, bitcast=True)
    return (bits ^ ((bits >> 31) & 0x7FFFFFFF)).to(tl.int64)


@jit
def _unordered(key):
    bits = key.to(tl.int32)
    return (bits ^ ((bits >> 31) & 0x7FFFFFFF)).to(tl.float32, bitcast=True)


@jit
def _survey_kernel(
    logits,
    masks,
    places,
    partials,
    tops,
    size,
    chunks,
    row_stride,
    column_stride,
    mask_stride,
    word_stride,
    temperature,
    width,
    COLUMNS: constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    chunk = tl.program_id(1)
    column = chunk * COLUMNS + tl.arange(0, COLUMNS)
    x, allowed = _loaded(logits, mask, column, size, column_stride, word_stride)
    own = tl.where(allowed, x, float("-inf"))
    other = tl.where(allowed, float("-inf"), x)
    top, place = tl.max(own, axis=0, return_indices=True)
    other_top = tl.max(other, axis=0)
    below = _below(own, top)
    at = partials + row * 6 * chunks + chunk
    tl.store(at, top)
    tl.store(at + chunks, tl.sum(tl.exp(below), axis=0))
    tl.store(at + 2 * chunks, tl.sum(tl.exp(below / temperature), axis=0))
    tl.store(at + 3 * chunks, (chunk * COLUMNS + place).to(tl.float32))  # exact below 2²⁴
    tl.store(at + 4 * chunks, other_top)
    tl.store(at + 5 * chunks, tl.sum(tl.exp(_below(other, other_top)), axis=0))
    key = (_ordered(own) << 32) | (0x7FFFFFFF - column).to(tl.int64)
    key = tl.where(column < size, key, -0x7FFFFFFFFFFFFFFF)
    for i in range(width):
        best = tl.max(key, axis=0)
        tl.store(tops + (row * chunks + chunk) * width + i, best)
        key = tl.where(key == best, -0x7FFFFFFFFFFFFFFF, key)


@jit
def _log_sum_exp(tops, sums):
    """Of chunks: float64."""
    top = tl.max(tops, axis=0).to(tl.float64)
    return top + tl.log(tl.sum(sums.to(tl.float64) * tl.exp(_below(tops.to(tl.float64), top)), axis=0))


@jit
def _log_add_exp(a, b):
    top = tl.maximum(a, b)
    return top + tl.log(tl.exp(_below(a, top)) + tl.exp(_below(b, top)))


@jit
def _whole(partials, ending, stops, row, chunks, CHUNKS: constexpr):
    """Of a row: each chunk's largest logit; the stop's logit, float32; and float64 both log-sum-exps, over everything
    and over what is allowed."""
    chunk = tl.arange(0, CHUNKS)
    inside = chunk < chunks
    at = partials + row * 6 * chunks + chunk
    tops = tl.load(at, mask=inside, other=float("-inf"))
    norm = _log_sum_exp(tops, tl.load(at + chunks, mask=inside, other=0.0))
    other_tops = tl.load(at + 4 * chunks, mask=inside, other=float("-inf"))
    others = _log_sum_exp(other_tops, tl.load(at + 5 * chunks, mask=inside, other=0.0))
    how = tl.load(ending + row)
    stop = tl.where(how == 1, others.to(tl.float32), float("-inf"))
    stop = tl.where(how == 2, tl.load(stops + row), stop)
    total = _log_add_exp(norm, others)
    norm = tl.where(how == 1, total, _log_add_exp(norm, stop.to(tl.float64)))
    # rounding must not make a candidate likelier than 1; NaN stays
    return tops, stop, tl.where(norm > total, norm, total), norm


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
    """How many candidates, or how much weight, there is at or above each of the keys a ≤ b ≤ c, float64; of those
    whose key is `lowest` or more."""
    total_a = tl.zeros([], tl.float64)
    total_b = tl.zeros([], tl.float64)
    total_c = tl.zeros([], tl.float64)
    for start in range(0, size, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        x, allowed = _loaded(logits, mask, column, size, column_stride, word_stride)
        key = _ordered(x)
        weight = tl.where(allowed & (key >= lowest), tl.exp((x - top) / temperature) if BY_MASS else 1.0, 0.0)
        total_a += tl.sum(tl.where(key >= a, weight, 0.0), axis=0).to(tl.float64)
        total_b += tl.sum(tl.where(key >= b, weight, 0.0), axis=0).to(tl.float64)
        total_c += tl.sum(tl.where(key >= c, weight, 0.0), axis=0).to(tl.float64)
    key = _ordered(stop)
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
    """The smallest logit that top-k and top-p leave; and the warped sums of a survey once more, of what is left.

    What is at or above a key grows as the key falls: the last key where it reaches the mark is looked for by quarters.
    """
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    tops, stop, _, _ = _whole(partials, ending, stops, row, chunks, CHUNKS)
    top = tl.maximum(tl.max(tops, axis=0), stop)
    lowest = _ordered(tl.full([], float("-inf"), tl.float32))
    for by_mass in tl.static_range(2):
        if (by_mass == 0 and BY_RANK) or (by_mass == 1 and BY_MASS):
            low, high = lowest, _ordered(top) + 1
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
    floor = _unordered(lowest)
    tl.store(floors + row, floor)
    for chunk in range(0, chunks):
        column = chunk * COLUMNS + tl.arange(0, COLUMNS)
        x, allowed = _loaded(logits, mask, column, size, column_stride, word_stride)
        kept = allowed & (x >= floor) & ((x - top) / temperature >= least)
        at = partials + row * 6 * chunks + chunk
        weights = tl.exp(_below(tl.where(kept, x, float("-inf")), tl.load(at)) / temperature)
        tl.store(at + 2 * chunks, tl.sum(weights, axis=0))


@jit
def _draw_kernel(
    logits,
    masks,
    places,
    ending,
    stops,
    partials,
    floors,
    noise,
    said,
    size,
    chunks,
    row_stride,
    column_stride,
    mask_stride,
    word_stride,
    temperature,
    least,
    GREEDY: constexpr,
    SAID: constexpr,
    COLUMNS: constexpr,
    CHUNKS: constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    tops, stop, total, norm = _whole(partials, ending, stops, row, chunks, CHUNKS)
    chunk = tl.arange(0, CHUNKS)
    largest = tl.max(tops, axis=0)
    at = partials + row * 6 * chunks + chunk
    if GREEDY:
        places_of = tl.load(at + 3 * chunks, mask=chunk < chunks, other=0.0).to(tl.int64)
        first = tl.min(tl.where(tops == largest, places_of, size), axis=0)
        candidate = tl.where(stop > largest, size, first)
        logit = tl.maximum(largest, stop).to(tl.float64)
        proposal = logit - norm
    else:
        top = tl.maximum(largest, stop)
        floor = tl.load(floors + row)
        sums = tl.load(at + 2 * chunks, mask=chunk < chunks, other=0.0).to(tl.float64)
        weights = sums * tl.exp(_below(tops, top).to(tl.float64) / temperature)
        rest = (stop - top) / temperature
        kept = (stop >= floor) & (rest >= least) & (stop > float("-inf"))
        stop_weight = tl.where(kept, tl.exp(rest.to(tl.float64)), 0.0)
        cumulative = tl.cumsum(weights, axis=0)
        tokens = tl.max(cumulative, axis=0)
        stream, position, attempt = tl.load(noise + row * 3), tl.load(noise + row * 3 + 1), tl.load(noise + row * 3 + 2)
        # a product that rounding cannot take up to the sum
        target = tl.minimum(uniform_of(stream, position, attempt), 1 - 2.220446049250313e-16) * (tokens + stop_weight)
        stopped = (target >= tokens) & (stop_weight > 0)
        # the first that lies above it, of those with a weight of their own: a scan may be off by a rounding
        last = tl.max(tl.where(weights > 0, chunk, 0), axis=0)
        here = tl.min(tl.where((cumulative > target) & (weights > 0), chunk, last), axis=0)
        before = tl.max(tl.where(chunk < here, cumulative, 0.0), axis=0)
        weight = tl.sum(tl.where(chunk == here, weights, 0.0), axis=0)
        left = tl.maximum((target - before) / tl.where(weight > 0, weight, 1.0), 0.0)
        left = tl.minimum(left, 1 - 2.220446049250313e-16)

        column = here * COLUMNS + tl.arange(0, COLUMNS)
        x, allowed = _loaded(logits, mask, column, size, column_stride, word_stride)
        kept = allowed & (x >= floor) & ((x - top) / temperature >= least)
        chunk_top = tl.load(partials + row * 6 * chunks + here)
        each = tl.exp(_below(tl.where(kept, x, float("-inf")), chunk_top) / temperature)
        within = tl.cumsum(each.to(tl.float64), axis=0)
        place = tl.arange(0, COLUMNS)
        last = tl.max(tl.where(each > 0, place, 0), axis=0)
        above = (within > left * tl.max(within, axis=0)) & (each > 0)
        index = tl.min(tl.where(above, place, last), axis=0)
        drawn = tl.sum(tl.where(column == here * COLUMNS + index, x, 0.0), axis=0)
        candidate = tl.where(stopped, size, here * COLUMNS + index).to(tl.int64)
        logit = tl.where(stopped, stop, drawn).to(tl.float64)
        proposal = (logit - top) / temperature - tl.log(tokens + stop_weight)
    out = said + row * SAID
    tl.store(out, candidate.to(tl.float64))
    tl.store(out + 1, logit - total)
    tl.store(out + 2, proposal)
    tl.store(out + 3, total)
    tl.store(out + 4, norm)


@jit
def _merge_kernel(
    partials,
    tops,
    ending,
    stops,
    ids,
    said,
    size,
    width,
    chunks,
    CHUNKS: constexpr,
    KEYS: constexpr,
):
    """The likeliest of the chunks' likeliest."""
    row = tl.program_id(0).to(tl.int64)
    _, stop, total, norm = _whole(partials, ending, stops, row, chunks, CHUNKS)
    at = tl.arange(0, KEYS)
    keys = tl.load(tops + row * chunks * width + at, mask=at < chunks * width, other=-0x7FFFFFFFFFFFFFFF)
    ids += row * (width + 1)
    said += row * (width + 3)
    for i in range(width):
        best = tl.max(keys, axis=0)
        tl.store(ids + i, 0x7FFFFFFF - (best & 0xFFFFFFFF))
        tl.store(said + i, _unordered(best >> 32).to(tl.float64))
        keys = tl.where(keys == best, -0x7FFFFFFFFFFFFFFF, keys)
    tl.store(ids + width, tl.zeros([], tl.int64) + size)
    tl.store(said + width, stop.to(tl.float64))
    tl.store(said + width + 1, total)
    tl.store(said + width + 2, norm)
