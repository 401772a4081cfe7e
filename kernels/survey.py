"""One pass over logits and masks: the largest logit and the log-sum-exp of each row, of allowed and of all tokens.

`candidate_logits` is the reference, by torch. `survey` is the kernel: it leaves partial results for each chunk of a
row, and `row_totals` puts them together inside the kernels that follow it (`warp.py`, `draw.py`, `likeliest.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from . import bitmask
from .launch import constexpr, jit, power_of_2, tl, triton
from .rows import ELSEWHERE, GIVEN, NEG_INF, Rows

COLUMNS = 4096  # the length of a chunk: so many columns of a row go to one program
# The partial results of a chunk, the middle axis of `LogitSurvey.partials`:
# 0, the largest allowed logit, and 3, its column;
# 1 and 2, the sums of exp(x − largest) and of exp((x − largest) / temperature) over the allowed logits;
# 4 and 5, the largest of the other logits, and the sum of exp(x − largest) over them.
PARTIALS = 6


def candidate_logits(rows: Rows) -> tuple[Tensor, Tensor, Tensor]:
    """The logits of every candidate, float64 `[rows, V + 1]`, −inf where it is not allowed; and two log-sum-exps, over
    everything that the model may do and over what is allowed, float64 `[rows, 1]`."""
    logits = rows.logits.double()
    allowed = bitmask.unpack(rows.masks, logits.shape[1])[rows.places]
    others = logits.masked_fill(allowed, NEG_INF).logsumexp(-1, keepdim=True)
    ending = rows.ending[:, None]
    stop = torch.where(ending == ELSEWHERE, others, torch.where(ending == GIVEN, rows.stops.double()[:, None], NEG_INF))
    scores = torch.cat([logits.masked_fill(~allowed, NEG_INF), stop], -1)
    norm = scores.logsumexp(-1, keepdim=True)
    return scores, torch.maximum(logits.logsumexp(-1, keepdim=True), norm), norm


class LogitSurvey(NamedTuple):
    """The results of `survey`.

    partials: float32 `[rows, PARTIALS, chunks]`.
    tops: int64 `[rows, chunks, width]`, each chunk's likeliest tokens, as keys that order by logit and then by id.
    chunks: how many chunks a row has; columns: how many columns a chunk has.
    """

    partials: Tensor
    tops: Tensor
    chunks: int
    columns: int

    @property
    def chunk_block(self) -> int:
        """The power of two that holds all chunks of a row, as kernels need it."""
        return power_of_2(self.chunks)


def survey(rows: Rows, temperature: float, width: int = 0) -> LogitSurvey:
    """Read all logits once. `width`: how many of each chunk's likeliest tokens to keep."""
    logits, masks, places, *_ = rows
    count, size = logits.shape
    columns = COLUMNS
    chunks = triton.cdiv(size, columns)
    partials = logits.new_empty(count, PARTIALS, chunks, dtype=torch.float32)
    tops = logits.new_empty(count, chunks, width, dtype=torch.int64)
    strides = (*logits.stride(), *masks.stride())
    _survey_kernel[(count, chunks)](
        logits, masks, places, partials, tops, size, chunks, *strides, temperature, width, columns, num_warps=8
    )
    return LogitSurvey(partials, tops, chunks, columns)


@jit
def load_logits(logits, mask, column, size, column_stride, word_stride):
    """Some columns of one row: the logits, float32, and which of them are allowed; −inf and False beyond the end."""
    inside = column < size
    x = tl.load(logits + column.to(tl.int64) * column_stride, mask=inside, other=float("-inf")).to(tl.float32)
    word = tl.load(mask + (column >> 5) * word_stride, mask=inside, other=0)
    # −0 is 0: the same order as that of the bits
    return tl.where(x == 0, 0.0, x), inside & (((word >> (column & 31)) & 1) != 0)


@jit
def below(x, top):
    """x − top for x ≤ top, −inf where both are −inf."""
    return x - tl.where(top == float("-inf"), 0.0, top)


@jit
def sort_key(x):
    """float32 → int64 of 32 bits in the same order."""
    bits = x.to(tl.int32, bitcast=True)
    return (bits ^ ((bits >> 31) & 0x7FFFFFFF)).to(tl.int64)


@jit
def logit_of_key(key):
    """The inverse of `sort_key`."""
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
    x, allowed = load_logits(logits, mask, column, size, column_stride, word_stride)
    inner = tl.where(allowed, x, float("-inf"))
    outer = tl.where(allowed, float("-inf"), x)
    top, place = tl.max(inner, axis=0, return_indices=True)
    outer_top = tl.max(outer, axis=0)
    difference = below(inner, top)
    at = partials + row * 6 * chunks + chunk
    tl.store(at, top)
    tl.store(at + chunks, tl.sum(tl.exp(difference), axis=0))
    tl.store(at + 2 * chunks, tl.sum(tl.exp(difference / temperature), axis=0))
    tl.store(at + 3 * chunks, (chunk * COLUMNS + place).to(tl.float32))  # exact below 2²⁴
    tl.store(at + 4 * chunks, outer_top)
    tl.store(at + 5 * chunks, tl.sum(tl.exp(below(outer, outer_top)), axis=0))
    key = (sort_key(inner) << 32) | (0x7FFFFFFF - column).to(tl.int64)
    key = tl.where(column < size, key, -0x7FFFFFFFFFFFFFFF)
    for i in range(width):
        best = tl.max(key, axis=0)
        tl.store(tops + (row * chunks + chunk) * width + i, best)
        key = tl.where(key == best, -0x7FFFFFFFFFFFFFFF, key)


@jit
def _log_sum_exp(tops, sums):
    """The log-sum-exp of a row from the partial results of its chunks: float64."""
    top = tl.max(tops, axis=0).to(tl.float64)
    return top + tl.log(tl.sum(sums.to(tl.float64) * tl.exp(below(tops.to(tl.float64), top)), axis=0))


@jit
def _log_add_exp(a, b):
    top = tl.maximum(a, b)
    return top + tl.log(tl.exp(below(a, top)) + tl.exp(below(b, top)))


@jit
def row_totals(partials, ending, stops, row, chunks, CHUNKS: constexpr):
    """One row's survey put together: each chunk's largest logit; the stop's logit, float32; and two log-sum-exps,
    float64, over everything that the model may do and over what is allowed."""
    chunk = tl.arange(0, CHUNKS)
    inside = chunk < chunks
    at = partials + row * 6 * chunks + chunk
    tops = tl.load(at, mask=inside, other=float("-inf"))
    norm = _log_sum_exp(tops, tl.load(at + chunks, mask=inside, other=0.0))
    outer_tops = tl.load(at + 4 * chunks, mask=inside, other=float("-inf"))
    others = _log_sum_exp(outer_tops, tl.load(at + 5 * chunks, mask=inside, other=0.0))
    how = tl.load(ending + row)
    stop = tl.where(how == 1, others.to(tl.float32), float("-inf"))
    stop = tl.where(how == 2, tl.load(stops + row), stop)
    total = _log_add_exp(norm, others)
    norm = tl.where(how == 1, total, _log_add_exp(norm, stop.to(tl.float64)))
    # rounding must not make a candidate likelier than 1; NaN stays
    return tops, stop, tl.where(norm > total, norm, total), norm
