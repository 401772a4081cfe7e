"""Drawing one candidate a row: the cumulative law is inverted at one uniform number.

`draw` is the reference, and what laws on the host use. `draw_from_survey` is the kernel: it inverts the
cumulative law first over the chunks of a row, and then within one chunk, so that it reads only that chunk again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from .launch import constexpr, jit, tl
from .philox import Key, keys_on, uniform_of
from .rows import Rows
from .survey import LogitSurvey, below, load_logits, row_totals

BLOCK = 128  # columns: on the host, a draw looks for the block first, and then for the candidate within it
#: The numbers that describe a draw, in this order: the candidate, the model's own log-probability of it, its
#: log-probability under the law, and two log-sum-exps: over everything that the model may do, and over what is allowed.
#: The log-sum-exps are not finite where the logits are wrong.
DRAW_NUMBERS = 5


def draw(weights: Tensor, uniforms: Tensor | Sequence[float]) -> Tensor:
    """One candidate per row by inverting the cumulative law: weights `[rows, W]`, proportional to the probabilities,
    and float64 `[rows]` in [0, 1) → int64 `[rows]`.

    The same uniform and the same law give the same candidate whatever else is in the batch; one of weight 0 is never
    drawn. W is a multiple of `BLOCK`. On the host by numpy, whose calls take a fraction of torch's.
    """
    if weights.device.type == "cpu":
        return torch.from_numpy(_draw_on_host(weights.numpy(), np.asarray(uniforms, np.float64)))
    return _draw(weights, torch.as_tensor(uniforms, dtype=torch.float64, device=weights.device))


def _draw(weights: Tensor, uniforms: Tensor) -> Tensor:
    blocks = weights.unflatten(-1, (-1, BLOCK))
    block, fraction = _invert(blocks.sum(-1), uniforms[:, None])
    index, _ = _invert(blocks.take_along_dim(block[..., None], 1)[:, 0], fraction)
    return (block * BLOCK + index)[:, 0]


def _invert(weights: Tensor, fractions: Tensor) -> tuple[Tensor, Tensor]:
    """The index at which the cumulative weights pass a fraction of their sum, and how far into that weight it lies.

    weights `[rows, n]`, fractions float64 `[rows, 1]` → index and fraction, both `[rows, 1]`.
    """
    weights = weights.double()
    cumulative = weights.cumsum(-1)
    # a product that rounding cannot take up to the sum: the first to lie above it has a weight of its own
    targets = fractions.clamp(0, 1 - 2**-52) * cumulative[:, -1:]
    index = torch.searchsorted(cumulative, targets, right=True).clamp(max=weights.shape[-1] - 1)
    weight = weights.gather(-1, index)
    return index, (targets - cumulative.gather(-1, index) + weight) / weight


@np.errstate(invalid="ignore")  # a row that nothing can be drawn from
def _draw_on_host(weights: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    blocks = weights.reshape(len(weights), -1, BLOCK)
    if len(weights) == 1:
        at, fraction = _invert_row(np.add.reduce(blocks[0], -1), uniforms[0])
        return np.array([at * BLOCK + _invert_row(blocks[0, at], fraction)[0]])
    rows = np.arange(len(weights))
    block, fractions = _invert_on_host(np.add.reduce(blocks, -1), uniforms, rows)
    index, _ = _invert_on_host(blocks[rows, block], fractions, rows)
    return block * BLOCK + index


def _invert_on_host(weights: np.ndarray, fractions: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`_invert` by numpy: fractions float64 `[rows]` → index and fraction, both `[rows]`."""
    cumulative = weights.cumsum(-1, np.float64)
    targets = np.minimum(np.maximum(fractions, 0.0), 1 - 2**-52) * cumulative[:, -1]
    index = np.minimum(np.add.reduce(cumulative <= targets[:, None], -1), weights.shape[-1] - 1)
    weight = weights[rows, index].astype(np.float64)
    return index, (targets - cumulative[rows, index] + weight) / weight


def _invert_row(weights: np.ndarray, fraction: float) -> tuple[int, float]:
    """`_invert_on_host` of one row `[n]`: the same numbers, in fewer calls."""
    cumulative = weights.cumsum(dtype=np.float64)
    target = min(max(fraction, 0.0), 1 - 2**-52) * cumulative[-1]
    index = min(int(cumulative.searchsorted(target, "right")), len(weights) - 1)
    weight = np.float64(weights[index])
    return index, (target - cumulative[index] + weight) / weight


def draw_from_survey(
    rows: Rows,
    surveyed: LogitSurvey,
    keys: Sequence[Key] | Tensor | None,
    temperature: float,
    floors: Tensor,
    min_p_floor: float,
) -> Tensor:
    """One candidate a row and the numbers that describe it: float64 `[rows, DRAW_NUMBERS]`.

    Drawn by the rows' keys from what `floors` and `min_p_floor` leave; or without keys the likeliest candidate.
    """
    logits, masks, places, ending, stops = rows
    count, size = logits.shape
    draws = logits.new_empty(count, DRAW_NUMBERS, dtype=torch.float64)
    noise = floors if keys is None else keys_on(keys, logits.device)
    partials, _, chunks, columns = surveyed
    strides = (*logits.stride(), *masks.stride())
    given = (logits, masks, places, ending, stops, partials, floors, noise, draws, size, chunks, *strides)
    constants = (keys is None, DRAW_NUMBERS, columns, surveyed.chunk_block)
    _draw_kernel[(count,)](*given, temperature, min_p_floor, *constants, num_warps=8)
    return draws


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
    draws,
    size,
    chunks,
    row_stride,
    column_stride,
    mask_stride,
    word_stride,
    temperature,
    least,
    GREEDY: constexpr,
    DRAW_NUMBERS: constexpr,
    COLUMNS: constexpr,
    CHUNKS: constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    logits += row * row_stride
    mask = masks + tl.load(places + row) * mask_stride
    tops, stop, total, norm = row_totals(partials, ending, stops, row, chunks, CHUNKS)
    chunk = tl.arange(0, CHUNKS)
    largest = tl.max(tops, axis=0)
    at = partials + row * 6 * chunks + chunk
    if GREEDY:
        columns_of_tops = tl.load(at + 3 * chunks, mask=chunk < chunks, other=0.0).to(tl.int64)
        first = tl.min(tl.where(tops == largest, columns_of_tops, size), axis=0)
        candidate = tl.where(stop > largest, size, first)
        logit = tl.maximum(largest, stop).to(tl.float64)
        proposal = logit - norm
    else:
        top = tl.maximum(largest, stop)
        floor = tl.load(floors + row)
        sums = tl.load(at + 2 * chunks, mask=chunk < chunks, other=0.0).to(tl.float64)
        weights = sums * tl.exp(below(tops, top).to(tl.float64) / temperature)
        stop_score = (stop - top) / temperature
        kept = (stop >= floor) & (stop_score >= least) & (stop > float("-inf"))
        stop_weight = tl.where(kept, tl.exp(stop_score.to(tl.float64)), 0.0)
        cumulative = tl.cumsum(weights, axis=0)
        tokens = tl.max(cumulative, axis=0)
        stream, position, attempt = tl.load(noise + row * 3), tl.load(noise + row * 3 + 1), tl.load(noise + row * 3 + 2)
        # a product that rounding cannot take up to the sum
        target = tl.minimum(uniform_of(stream, position, attempt), 1 - 2.220446049250313e-16) * (tokens + stop_weight)
        stopped = (target >= tokens) & (stop_weight > 0)
        # the first that lies above it, of those with a weight of their own: a scan may be off by a rounding
        last = tl.max(tl.where(weights > 0, chunk, 0), axis=0)
        drawn_chunk = tl.min(tl.where((cumulative > target) & (weights > 0), chunk, last), axis=0)
        before = tl.max(tl.where(chunk < drawn_chunk, cumulative, 0.0), axis=0)
        weight = tl.sum(tl.where(chunk == drawn_chunk, weights, 0.0), axis=0)
        fraction = tl.maximum((target - before) / tl.where(weight > 0, weight, 1.0), 0.0)
        fraction = tl.minimum(fraction, 1 - 2.220446049250313e-16)

        column = drawn_chunk * COLUMNS + tl.arange(0, COLUMNS)
        x, allowed = load_logits(logits, mask, column, size, column_stride, word_stride)
        kept = allowed & (x >= floor) & ((x - top) / temperature >= least)
        chunk_top = tl.load(partials + row * 6 * chunks + drawn_chunk)
        each = tl.exp(below(tl.where(kept, x, float("-inf")), chunk_top) / temperature)
        within = tl.cumsum(each.to(tl.float64), axis=0)
        place = tl.arange(0, COLUMNS)
        last = tl.max(tl.where(each > 0, place, 0), axis=0)
        above = (within > fraction * tl.max(within, axis=0)) & (each > 0)
        index = tl.min(tl.where(above, place, last), axis=0)
        drawn = tl.sum(tl.where(column == drawn_chunk * COLUMNS + index, x, 0.0), axis=0)
        candidate = tl.where(stopped, size, drawn_chunk * COLUMNS + index).to(tl.int64)
        logit = tl.where(stopped, stop, drawn).to(tl.float64)
        proposal = (logit - top) / temperature - tl.log(tokens + stop_weight)
    out = draws + row * DRAW_NUMBERS
    tl.store(out, candidate.to(tl.float64))
    tl.store(out + 1, logit - total)
    tl.store(out + 2, proposal)
    tl.store(out + 3, total)
    tl.store(out + 4, norm)
