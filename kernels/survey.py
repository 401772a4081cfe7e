"""One pass over logits and masks: the largest logit and the log-sum-exp of each row, of allowed and of all tokens.

`candidate_logits` is the reference, by torch. `survey` is the kernel: it leaves partial results for each chunk of a
row, and `row_totals` puts them together inside the kernels that follow it (`warp.py`, `draw.py`, `likeliest.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from . import bitmask
from .bitmask import load_allowed
from .launch import constexpr, jit, power_of_2, tl, triton
from .rows import ELSEWHERE, GIVEN, NEG_INF, Rows

COLUMNS = 2048  # the length of a chunk: so many columns of a row go to one program
GROUP = 32  # columns: those that share a word of the mask
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
    tops: int64 `[rows, groups]`, the likeliest token of each group of 32 columns, as keys that order by logit and then
    by id; or `[rows, 0]`.
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


def survey(rows: Rows, temperature: float = 1.0, grouped: bool = False) -> LogitSurvey:
    """Read all logits once. grouped: whether to keep the likeliest token of each group."""
    logits, masks, places, *_ = rows
    count, size = logits.shape
    columns = COLUMNS
    chunks = triton.cdiv(size, columns)
    partials = logits.new_empty(count, PARTIALS, chunks, dtype=torch.float32)
    tops = logits.new_empty(count, triton.cdiv(size, GROUP) if grouped else 0, dtype=torch.int64)
    given = (logits, masks, places, partials, tops, size, chunks, *logits.stride(), *masks.stride(), 1 / temperature)
    _survey_kernel[(count, chunks)](*given, temperature != 1.0, grouped, columns, num_warps=4)
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
def load_groups(logits, mask, group, size, column_stride, word_stride):
    """Some groups of one row, as `load_logits`, `[groups, 32]`; and their columns."""
    column = group[:, None] * 32 + tl.arange(0, 32)[None, :]
    inside = column < size
    x = tl.load(logits + column.to(tl.int64) * column_stride, mask=inside, other=float("-inf")).to(tl.float32)
    return tl.where(x == 0, 0.0, x), inside & load_allowed(mask, group, size, word_stride), column


@jit
def candidate_key(x, column, size):
    """int64, in the order of the logits, and then of the ids; −0x7FFFFFFFFFFFFFFF where there is no column."""
    key = (sort_key(x) << 32) | (0x7FFFFFFF - column).to(tl.int64)
    return tl.where(column < size, key, -0x7FFFFFFFFFFFFFFF)


@jit
def id_of_key(key):
    """The id in a candidate's key."""
    return (0x7FFFFFFF - (key & 0xFFFFFFFF)).to(tl.int32)


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
    coldness,
    TEMPERED: constexpr,
    GROUPED: constexpr,
    COLUMNS: constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    chunk = tl.program_id(1)
    group = chunk * (COLUMNS // 32) + tl.arange(0, COLUMNS // 32)
    x, allowed, column = load_groups(logits, mask, group, size, column_stride, word_stride)
    inner = tl.where(allowed, x, float("-inf"))
    top, outer_top = tl.max(inner), tl.max(tl.where(allowed, float("-inf"), x))
    place = tl.min(tl.where(inner == top, column, size - 1))
    weight = tl.exp(tl.where(allowed, below(x, top), below(x, outer_top)))
    whole = tl.sum(tl.where(allowed, weight, 0.0))
    at = partials + row * 6 * chunks + chunk
    tl.store(at, top)
    tl.store(at + chunks, whole)
    tl.store(at + 2 * chunks, tl.sum(tl.exp(below(inner, top) * coldness)) if TEMPERED else whole)
    tl.store(at + 3 * chunks, place.to(tl.float32))  # exact below 2²⁴
    tl.store(at + 4 * chunks, outer_top)
    tl.store(at + 5 * chunks, tl.sum(tl.where(allowed, 0.0, weight)))
    if GROUPED:
        groups = (size + 31) // 32
        best = tl.max(candidate_key(inner, column, size), axis=1)
        tl.store(tops + row * groups + group, best, mask=group < groups)


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
