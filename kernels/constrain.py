"""From logits and token masks to the law that a constraint leaves, on the host.

`constrain` makes a whole `Law` from packed masks. `candidate_logprobs` is its definition, in a few lines of torch.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from math import inf

import numpy as np
import torch
from torch import Tensor

from .bitmask import penalties
from .draw import BLOCK
from .laws import Array, Law, array_of, bare_exponentials, check_totals, fastest, log_add_exp
from .rows import ELSEWHERE, GIVEN, NEG_INF, endings_of

NO_STOPS: Mapping[int, Tensor] = {}
FEW_WORDS = 512  # of a mask: the tokens outside are gathered if they stand in no more


class Scratch(threading.local):
    """Three arrays that each step of a generation writes anew: to allocate them would take longer than the arithmetic.

    Each thread has its own. `with scratch as free:` gives a scratch that nobody else gets until the block ends: itself,
    or within such a block another one. (A hook, in the middle of a step, may make a step of its own.)
    """

    arrays: list[Tensor] | None = None
    blocks: int = 0

    def __enter__(self) -> Scratch:
        self.blocks += 1
        return self if self.blocks == 1 else Scratch()

    def __exit__(self, *_: object) -> None:
        self.blocks -= 1

    def take(self, rows: int, columns: int, device: torch.device) -> list[Tensor]:
        """Three arrays, float32 `[rows, columns]`, with any content. Arrays that were taken before are overwritten."""
        if self.arrays is None or len(self.arrays[0]) < rows or self.arrays[0].shape[1:] != (columns,):
            with torch.inference_mode(False):
                self.arrays = [torch.empty(rows, columns, device=device) for _ in range(3)]
        return self.arrays if len(self.arrays[0]) == rows else [array[:rows] for array in self.arrays]


@np.errstate(invalid="ignore")  # +inf among the logits: `check_totals` says so
def constrain(
    logits: Tensor,
    masks: np.ndarray,
    may_stop: Sequence[bool],
    stop_ids: Tensor | None = None,
    scratch: Scratch | None = None,
    at_ids: Sequence[bool] | None = None,
    stops: Mapping[int, Tensor] = NO_STOPS,
) -> Law:
    """The law that remains when only the allowed tokens and, where a row may stop, the stop may be drawn.

    logits `[rows, V]`; masks int32 `[rows, (V + 31) // 32]`, or `[1, …]` for one mask that all rows share; stop_ids:
    see `candidate_logprobs`; at_ids: for which rows these ids are the stop (None: for all); stops: the logit of the
    stop of other rows, where it is given. The law lies in the scratch, and is valid until the scratch is used again.

    The log-sum-exps, one a row, are plain floats: torch would take longer over them.
    """
    rows, stop = logits.shape
    room = (scratch or Scratch()).take(rows, (stop // BLOCK + 1) * BLOCK, logits.device)
    given, candidates, weights = map(array_of, (logits.detach().float(), *room[:2]))
    spare = room[2]
    endings = endings_of(may_stop, at_ids if stop_ids is not None else [False] * rows, stops)
    shared = len(masks) == 1
    if shared:
        penalty = _shared(masks.tobytes(), stop, logits.device)
    elsewhere = _elsewhere(given, masks, endings, candidates[:, :stop], spare)
    if not shared:
        penalty = array_of(penalties(masks, out=spare))[:, :stop]
    of_ids = elsewhere if stop_ids is None else _log_sums(given[:, array_of(stop_ids)])
    # What the norm of a row does not count: nothing, where the stop holds all other tokens; few tokens in a free text.
    beside = _beside(given, masks, endings, stop_ids, stops, spare.device)
    others = [row for row, how in enumerate(endings) if how != ELSEWHERE and row not in beside]
    some = given if len(others) == rows else given[others]
    whole = dict(zip(others, bare_exponentials(some, weights[: len(others), :stop]), strict=True)) if others else {}
    _add(given, penalty, candidates[:, :stop])
    candidates[:, stop] = _stop_logits(endings, elsewhere, of_ids, stops, candidates)
    candidates[:, stop + 1 :] = NEG_INF
    norms = bare_exponentials(candidates, weights)
    # the larger one: rounding must not make a candidate likelier than 1
    totals = [max(norm, whole.get(row, norm)) for row, norm in enumerate(norms)]
    for row, left_out in beside.items():
        totals[row] = log_add_exp(norms[row], left_out)
    check_totals(totals, norms)
    return Law(room[0], totals, room[0], room[1], norms, stop, spare)


def _add(logits: Array, penalty: Array, out: Array) -> None:
    logits, out = fastest(logits, out)
    if isinstance(out, np.ndarray):
        np.add(logits, penalty, out=out)
    else:
        torch.add(logits, torch.as_tensor(penalty), out=out)


def _columns(given: Array, places: Array) -> Array:
    """The logits of some tokens, `[rows, n]`, one row after the other: how they lie decides how they are added up."""
    (logits,) = fastest(given)
    if isinstance(logits, np.ndarray):
        return np.ascontiguousarray(logits[:, places])
    return array_of(logits.index_select(-1, torch.as_tensor(places)))


def _log_sums(logits: Array) -> list[float]:
    """The log-sum-exps of rows `[rows, n]`, which are overwritten."""
    return bare_exponentials(logits, logits)


def _elsewhere(given: Array, masks: np.ndarray, endings: Sequence[int], room: Array, spare: Tensor) -> list[float]:
    """The log-sum-exp over the tokens that its mask does not allow, of each row whose stop holds them. What comes out
    for a row does not depend on the others. room `[rows, V]` and spare `[rows, W]` are overwritten."""
    rows = [row for row, how in enumerate(endings) if how == ELSEWHERE]
    values = _outside_sums(given, masks, rows, spare.device)
    if wide := [row for row in rows if row not in values]:
        outside, stop = room[: len(wide)], room.shape[1]
        of_them = masks if len(masks) == 1 else masks[wide]
        _add(given[wide], array_of(penalties(~of_them, out=spare[: len(of_them)]))[:, :stop], outside)
        values |= zip(wide, _log_sums(outside), strict=True)
    return [values.get(row, -inf) for row in range(len(endings))]


def _beside(
    given: Array,
    masks: np.ndarray,
    endings: Sequence[int],
    stop_ids: Tensor | None,
    stops: Container[int],
    device: torch.device,
) -> dict[int, float]:
    """The log-sum-exp over the tokens that are neither allowed nor in `stop_ids`, by row: of the rows that these ids
    end, where such tokens are few."""
    if stop_ids is None:
        return {}
    rows = [row for row, how in enumerate(endings) if how == GIVEN and row not in stops]
    return _outside_sums(given, masks, rows, device, tuple(stop_ids.tolist()))


def _outside_sums(
    given: Array, masks: np.ndarray, rows: list[int], device: torch.device, besides: tuple[int, ...] = ()
) -> dict[int, float]:
    """The log-sum-exp over the tokens that its mask does not allow, besides some, by row: of rows with few of them."""
    values: dict[int, float] = {}
    for mask, alike in _by_mask(masks, rows).items():
        places = _outside(mask, given.shape[-1], device, besides)
        if places is not None:
            some = given if len(alike) == len(given) else given[alike]
            values |= zip(alike, _log_sums(_columns(some, places)), strict=True)
    return values


def _by_mask(masks: np.ndarray, rows: list[int]) -> dict[bytes, list[int]]:
    """Some rows by their masks."""
    if len(masks) == 1:
        return {masks.tobytes(): rows} if rows else {}
    groups: dict[bytes, list[int]] = {}
    for row in rows:
        groups.setdefault(masks[row].tobytes(), []).append(row)
    return groups


def _stop_logits(
    endings: Sequence[int],
    elsewhere: Sequence[float],
    of_ids: Sequence[float],
    given: Mapping[int, Tensor],
    like: Array,
) -> Sequence[float] | Tensor:
    """The logit of each row's stop, to be written to an array. given: those of some rows."""
    choices = zip(endings, elsewhere, of_ids, strict=True)
    stops = [other if how == ELSEWHERE else ids if how == GIVEN else -inf for how, other, ids in choices]
    for row, stop in given.items():
        stops[row] = stop.item() if endings[row] == GIVEN else -inf
    return stops if isinstance(like, np.ndarray) else torch.tensor(stops)


@lru_cache(maxsize=16)
def _shared(mask: bytes, size: int, device: torch.device) -> Array:
    """A mask as penalties `[1, V]`. (A free text has one mask all the time.)"""
    packed = np.frombuffer(mask, np.int32)[None]
    return array_of(penalties(packed, out=torch.empty(1, (size // BLOCK + 1) * BLOCK, device=device)))[:, :size]


@lru_cache(maxsize=16)
def _outside(mask: bytes, size: int, device: torch.device, besides: tuple[int, ...] = ()) -> Array | None:
    """The ids that a mask does not allow, as in free texts, besides some; None if they are more than a few."""
    if np.count_nonzero(np.frombuffer(mask, np.int32) != -1) > FEW_WORDS:
        return None
    others = np.flatnonzero(np.unpackbits(~np.frombuffer(mask, np.uint8), count=size, bitorder="little"))
    others = np.setdiff1d(others, besides)
    return array_of(torch.from_numpy(others).to(device))


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
