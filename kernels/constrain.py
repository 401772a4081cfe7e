"""From logits and token masks to the law that a constraint leaves, on the host.

`constrain` makes a whole `Law` from packed masks. `candidate_logprobs` is its definition, in a few lines of torch.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from math import inf

import numpy as np
import torch
from torch import Tensor

from .bitmask import penalties
from .draw import BLOCK
from .laws import Law, check_totals
from .log_sum_exp import exponentials, log_add_exp, log_sum_exp
from .rows import ELSEWHERE, GIVEN, NEG_INF, endings_of


class Scratch(threading.local):
    """Three arrays that each step of a generation writes anew: to allocate them would take longer than the arithmetic.

    Each thread has its own.
    """

    arrays: list[Tensor] | None = None

    def take(self, rows: int, columns: int, device: torch.device) -> list[Tensor]:
        """Three arrays, float32 `[rows, columns]`, with any content. Arrays that were taken before are overwritten."""
        if self.arrays is None or len(self.arrays[0]) < rows or self.arrays[0].shape[1:] != (columns,):
            with torch.inference_mode(False):
                self.arrays = [torch.empty(rows, columns, device=device) for _ in range(3)]
        return self.arrays if len(self.arrays[0]) == rows else [array[:rows] for array in self.arrays]


def constrain(
    logits: Tensor,
    masks: np.ndarray,
    may_stop: Sequence[bool],
    stop_ids: Tensor | None = None,
    scratch: Scratch | None = None,
    at_ids: Sequence[bool] | None = None,
) -> Law:
    """The law that remains when only the allowed tokens and, where a row may stop, the stop may be drawn.

    logits `[rows, V]`; masks int32 `[rows, (V + 31) // 32]`, or `[1, …]` for one mask that all rows share; stop_ids:
    see `candidate_logprobs`; at_ids: for which rows these ids are the stop (None: for all). The law lies in the
    scratch, and is valid until the scratch is used again.

    The log-sum-exps, one a row, are plain floats: torch would take longer over them.
    """
    logits = logits.detach()
    rows, stop = logits.shape
    candidates, weights, spare = (scratch or Scratch()).take(rows, (stop // BLOCK + 1) * BLOCK, logits.device)
    endings = endings_of(may_stop, at_ids if stop_ids is not None else [False] * rows)
    shared = len(masks) == 1
    if shared:
        penalty, others = _shared(masks.tobytes(), stop, logits.device)
        elsewhere = log_sum_exp(logits.index_select(-1, others))
    else:
        elsewhere = _elsewhere(logits, masks, endings, candidates[:, :stop], weights[:, :stop], spare)
        penalty = penalties(masks, out=spare)[:, :stop]
    given = elsewhere if stop_ids is None else log_sum_exp(logits.index_select(-1, stop_ids))
    choices = zip(endings, elsewhere, given, strict=True)
    stops = [other if how == ELSEWHERE else of_ids if how == GIVEN else -inf for how, other, of_ids in choices]
    # the norm of such a row counts everything; of any other row too, with what its mask does not allow
    counted = set(endings) == {ELSEWHERE} or (shared and GIVEN not in endings)
    whole = elsewhere if counted else log_sum_exp(logits, out=weights[:, :stop])
    tail = np.full((rows, candidates.shape[1] - stop), NEG_INF, np.float32)
    tail[:, 0] = stops
    torch.add(logits, penalty, out=candidates[:, :stop])
    candidates[:, stop:] = torch.from_numpy(tail)
    norms = exponentials(candidates, out=weights)
    other_total = log_add_exp if counted else max  # rounding must not make a candidate likelier than 1
    each = zip(endings, norms, whole, strict=True)
    totals = [norm if how == ELSEWHERE else other_total(norm, other) for how, norm, other in each]
    check_totals(totals, norms)
    return Law(candidates, totals, candidates, weights, norms, stop, spare)


def _elsewhere(
    logits: Tensor, masks: np.ndarray, endings: Sequence[int], candidates: Tensor, weights: Tensor, spare: Tensor
) -> list[float]:
    """The log-sum-exp over the tokens that its mask does not allow, of each row whose stop holds them. The last three
    are overwritten."""
    values = [-inf] * len(endings)
    rows = [row for row, how in enumerate(endings) if how == ELSEWHERE]
    if rows:
        count = len(rows)
        penalty = penalties(~masks[rows], out=spare[:count])[:, : logits.shape[1]]
        torch.add(logits[rows], penalty, out=candidates[:count])
        for row, value in zip(rows, log_sum_exp(candidates[:count], out=weights[:count]), strict=True):
            values[row] = value
    return values


@lru_cache(maxsize=16)
def _shared(mask: bytes, size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """A mask as penalties `[1, V]` and as the ids that it does not allow. (A free text has one mask all the time.)"""
    packed = np.frombuffer(mask, np.int32)[None]
    others = np.flatnonzero(np.unpackbits(~packed.view(np.uint8)[0], count=size, bitorder="little"))
    penalty = torch.empty(1, (size // BLOCK + 1) * BLOCK, device=device)
    return penalties(packed, out=penalty)[:, :size], torch.from_numpy(others).to(device)


def candidate_logprobs(logits: Tensor, allowed: Tensor, may_stop: Tensor, stop_ids: Tensor | None = None) -> Tensor:
    """The model's own log-probabilities of every token and, in the last column, of the stop.

    logits `[rows, V]`, allowed bool `[rows, V]`, may_stop bool `[rows]` → float32 `[rows, V + 1]`. Tokens keep their
    value whether allowed or not; the stop is −inf where a row may not stop.

    The stop's probability is the model's probability of going elsewhere: of all tokens that would not continue the
    span. It is a log-sum-exp over those tokens, never one minus the others, so that small ones stay exact. With
    `stop_ids` (the eos ids) it is the probability of those tokens instead.
    """
    logits = logits.detach().float()
    total = logits.logsumexp(-1, keepdim=True)
    if not torch.isfinite(total).all():
        raise ValueError("the model's logits hold NaN or +inf, or are all −inf: nothing can be drawn from them")
    candidates = logits.new_empty(logits.shape[0], logits.shape[1] + 1)
    torch.sub(logits, total, out=candidates[:, :-1])
    candidates[:, -1] = NEG_INF
    ending = may_stop.nonzero()[:, 0]  # most rows of most steps may not
    if len(ending):
        logprobs = candidates[ending, :-1]
        others = logprobs.masked_fill(allowed[ending], NEG_INF) if stop_ids is None else logprobs[:, stop_ids]
        candidates[ending, -1] = others.logsumexp(-1).clamp(max=0.0)
    return candidates
