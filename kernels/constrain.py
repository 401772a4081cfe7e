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
from .log_sum_exp import log_add_exp, log_sum_exp, softmax_totals
from .rows import NEG_INF


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
    candidates, probabilities, spare = (scratch or Scratch()).take(rows, (stop // BLOCK + 1) * BLOCK, logits.device)

    tail = np.full((rows, candidates.shape[1] - stop), NEG_INF, np.float32)

    def cut_down(penalty: Tensor) -> None:
        torch.add(logits, penalty, out=candidates[:, :stop])
        candidates[:, stop:] = torch.from_numpy(tail)

    if len(masks) == 1:
        penalty, others = _shared(masks.tobytes(), stop, logits.device)
        elsewhere = log_sum_exp(logits.index_select(-1, others))
    else:
        cut_down(penalties(~masks, out=spare)[:, :stop])
        elsewhere = log_sum_exp(candidates, out=probabilities)
        penalty = penalties(masks, out=spare)[:, :stop]
    if stop_ids is None:
        stops = elsewhere
    else:
        at_ids = [True] * rows if at_ids is None else at_ids
        choices = zip(at_ids, log_sum_exp(logits[:, stop_ids]), elsewhere, strict=True)
        stops = [of_ids if at else other for at, of_ids, other in choices]
    tail[:, 0] = [value if may else -inf for value, may in zip(stops, may_stop, strict=True)]
    cut_down(penalty)
    norms, likeliest = softmax_totals(candidates, out=probabilities)
    if stop_ids is None:  # the stop holds all tokens that are not allowed: where a row may stop, the norm counts them
        each = zip(norms, elsewhere, may_stop, strict=True)
        totals = [norm if may else log_add_exp(norm, value) for norm, value, may in each]
    else:
        totals = list(map(max, log_sum_exp(logits), norms))  # rounding must not make a candidate likelier than 1
    check_totals(totals, norms)
    return Law(candidates, totals, candidates, probabilities, norms, likeliest, stop, spare)


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
