"""Masked sampling: logits and packed masks in, one candidate a row out, with its log-probabilities.

A row's logits are read once (`survey.py`); where top-k, top-p or min-p is asked for, the largest of them again, in a
search for the smallest logit that they leave (`warp.py`); then one chunk of them (`draw.py`).

Randomness is one uniform number a row (see `philox.py`), at which the cumulative law is inverted: first over chunks of
the vocabulary, and then in one of them. So a seed draws the same tokens on any device, wherever the logits agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .draw import BLOCK, DRAW_NUMBERS, draw, draw_from_survey
from .launch import or_reference
from .philox import Key, uniforms
from .rows import Rows
from .survey import candidate_logits, survey
from .warp import clamped_temperature, filter_floors, min_p_floor, warp


def _sample(
    rows: Rows,
    keys: Sequence[Key] | Tensor | None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Tensor:
    scores, total, norm = candidate_logits(rows)
    if keys is None:
        law, candidate = scores - norm, scores.argmax(-1, keepdim=True)
    else:
        law = torch.log_softmax(warp(scores, temperature, top_k, top_p, min_p), -1)
        keys = [(a % 2**64, b, c) for a, b, c in keys.tolist()] if isinstance(keys, Tensor) else keys
        padded = torch.nn.functional.pad(law.exp(), (0, -law.shape[1] % BLOCK))
        candidate = draw(padded.nan_to_num(0.0), uniforms(keys))[:, None].clamp(max=scores.shape[1] - 1)
    logprob = scores.gather(-1, candidate) - total
    return torch.cat([candidate, logprob, law.gather(-1, candidate), total, norm], -1)


@or_reference(_sample)
def sample(
    rows: Rows,
    keys: Sequence[Key] | Tensor | None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Tensor:
    """One candidate for each row: float64 `[rows, DRAW_NUMBERS]`, on the rows' device.

    Drawn by the rows' keys (as they are, or by `philox.keys_on`) from the law after `warp`; or without keys (greedy,
    the limit at temperature 0) the likeliest, of equal ones the first, whose law is that of the constraint alone.
    """
    rows = rows.checked()
    count = len(rows.logits)
    if keys is not None and len(keys) != count:
        raise ValueError(f"{len(keys)} keys for {count} rows")
    if not count:
        return rows.logits.new_empty(0, DRAW_NUMBERS, dtype=torch.float64)
    temperature = clamped_temperature(temperature)
    if keys is None:
        temperature, top_k, top_p, min_p = 1.0, None, None, None
    surveyed = survey(rows, temperature, grouped=any(each is not None for each in (top_k, top_p, min_p)))
    floors = filter_floors(rows, surveyed, temperature, top_k, top_p, min_p)
    return draw_from_survey(rows, surveyed, keys, temperature, floors, min_p_floor(min_p))
