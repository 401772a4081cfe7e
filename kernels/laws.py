"""Laws over candidates: what samplers draw from, and hooks look at.

A *candidate* is a token or the stop. A `Law` is arrays of W columns: token t stands in column t and the stop in column
V; the columns beyond are never drawn, and make W a multiple of `BLOCK`. `constrain` makes it from logits and masks.
A `FusedLaw` (`fused_law.py`) answers the same questions by kernels, and makes no array.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, inf, isfinite, log, log1p
from operator import sub
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from .bitmask import penalties
from .draw import BLOCK, draw
from .philox import Key, uniforms
from .rows import ELSEWHERE, GIVEN, NEG_INF, NO_STOP, in_parts
from .warp import warp

# --- the log-sum-exp of rows of logits: on the host by numpy

Array = Any  # a numpy array on the host, a tensor elsewhere
#: Wider rows torch computes faster, although it takes longer to be called. (The width decides, never the number of
#: rows: what comes out for a row must not depend on the others.)
NARROW = 1 << 12


def log_sum_exp(logits: Tensor) -> list[float]:
    """The log-sum-exp of each row of `[rows, n]`."""
    parts = in_parts(logits.detach().float())
    out = array_of(torch.empty_like(parts[0]))
    return [each for part in parts for each in exponentials(array_of(part), out[: len(part)])]


def array_of(tensor: Tensor) -> Array:
    """A tensor, which numpy gets without a copy if it lies on the host: for the rows of a small vocabulary torch takes
    longer to be called than to compute, and numpy a fraction of that."""
    return tensor.numpy() if tensor.device.type == "cpu" else tensor


def fastest(*arrays: Array) -> tuple[Array, ...]:
    """Arrays of one kind and width, for whoever computes with them faster, numpy or torch; the same memory."""
    if isinstance(arrays[0], np.ndarray) and arrays[0].shape[-1] > NARROW:
        return tuple(map(torch.from_numpy, arrays))
    return arrays


@np.errstate(invalid="ignore")  # rows that are all −inf, or hold +inf
def exponentials(logits: Array, out: Array) -> list[float]:
    """The log-sum-exp of each row. Numbers that are proportional to the softmax are left in `out`, float32 `[rows, n]`,
    which may be the logits themselves. The two arrays are of one kind."""
    return bare_exponentials(logits, out)


def bare_exponentials(logits: Array, out: Array) -> list[float]:
    """`exponentials` for a caller that has switched numpy's warnings off already: that takes a microsecond."""
    if not logits.shape[-1]:
        return [-inf] * len(logits)
    if isinstance(logits, np.ndarray) and logits.shape[-1] > NARROW:
        return _softmax_sums(logits, out)
    if isinstance(logits, np.ndarray):
        tops = np.maximum.reduce(logits, -1, keepdims=True)
        np.subtract(logits, tops, out=out)
        np.exp(out, out=out)
        sums = np.add.reduce(out, -1)
    else:
        tops = logits.amax(-1, keepdim=True)
        sums = torch.sub(logits, tops, out=out).exp_().sum(-1)
    values = tops.ravel().tolist()
    for row, (top, total) in enumerate(zip(values, sums.tolist(), strict=True)):
        if top > -inf:
            values[row] = top + log(total)
    return values


def _softmax_sums(logits: np.ndarray, out: np.ndarray) -> list[float]:
    """`exponentials` of wide rows: torch's softmax makes one pass of three."""
    rows = np.arange(len(logits))
    largest = logits.argmax(-1)
    tops = logits[rows, largest].tolist()
    torch.softmax(torch.from_numpy(logits), -1, out=torch.from_numpy(out))
    shares = out[rows, largest].tolist()  # exp(top) over the sum
    return [top - log(share) if top > -inf else top for top, share in zip(tops, shares, strict=True)]


def log_add_exp(a: float, b: float) -> float:
    """log(exp(a) + exp(b)) of two numbers."""
    return max(a, b) + log1p(exp(-abs(a - b))) if a != b else a + log(2)


# --- laws

ROUNDING = 1e-3  # by so much a log-probability of 0 may be too large
Option = tuple[int, float, float]  # a candidate, the model's own log-probability of it, and that of the law


class Candidates(Protocol):
    """The questions that samplers ask of a law: which candidate comes next in each row."""

    @property
    def stop(self) -> int:
        """The candidate after the last token."""
        ...

    def __len__(self) -> int:
        """How many rows."""
        ...

    def greedy(self) -> list[Option]:
        """The likeliest candidate of each row, of equal ones the first."""
        ...

    def drawn(self, keys: Sequence[Key]) -> list[Option]:
        """A candidate of each row, drawn with that row's random key."""
        ...

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> Candidates:
        """The law after `warp`. It may reuse this law's memory: do not use this law afterwards."""
        ...

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        """The likeliest tokens of each row, best first, and then its stop. `rows`: only of these."""
        ...

    def row(self, index: int) -> Candidates:
        """The law of one row."""
        ...


@dataclass(frozen=True, eq=False)
class Law:
    """Which candidate comes next in each row: the law to choose by, and the model's own log-probabilities.

    logits: float32 `[rows, W]`, of the candidates that are allowed, −inf elsewhere.
    totals: for each row the log-sum-exp over everything that the model may do.
    scores: float32 `[rows, W]`, the law's own logits: the model's, or what `warp` made of them.
    weights: float32 `[rows, W]`, proportional to their softmax; norms: for each row their log-sum-exp.
    stop: the column of the stop, V.
    spare: float32 `[rows, W]`, room for other scores.
    """

    logits: Tensor
    totals: list[float]
    scores: Tensor
    weights: Tensor
    norms: list[float]
    stop: int
    spare: Tensor

    def __len__(self) -> int:
        return len(self.totals)

    @property
    def probabilities(self) -> Tensor:
        """The softmax of the scores: float32 `[rows, W]`."""
        return self.weights / self.weights.sum(-1, keepdim=True)

    @property
    def likeliest(self) -> Tensor:
        """The candidate of largest score of each row, of equal ones the first: int64 `[rows]`."""
        return torch.as_tensor(array_of(self.scores).argmax(-1))

    def greedy(self) -> list[Option]:
        return self._chosen(self.likeliest)

    def drawn(self, keys: Sequence[Key]) -> list[Option]:
        return self._chosen(draw(self.weights, uniforms(keys)))

    def _chosen(self, candidates: Tensor) -> list[Option]:
        """One candidate of each row, int64 `[rows]`."""
        places = _places(range(len(self.totals)), candidates)
        logits = array_of(self.logits)[places].tolist()
        scores = logits if self.scores is self.logits else array_of(self.scores)[places].tolist()
        logprobs = map(sub, logits, self.totals)
        return list(zip(candidates.tolist(), logprobs, map(sub, scores, self.norms), strict=True))

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        rows = None if rows is None or len(rows) == len(self) else list(rows)
        tokens = (self.logits if rows is None else self.logits[rows])[:, : self.stop]
        best = tokens.topk(min(width, self.stop), dim=-1).indices
        return self.options(torch.cat([best, torch.full_like(best[:, :1], self.stop)], dim=-1), rows)

    def top(self, n: int) -> list[list[Option]]:
        """The n likeliest candidates of each row under the law, best first; fewer where it allows fewer."""
        candidates = self.scores.topk(min(n, self.stop + 1), dim=-1).indices
        return [[option for option in options if option[2] > -inf] for options in self.options(candidates)]

    def options(self, candidates: Tensor, rows: Sequence[int] | None = None) -> list[list[Option]]:
        """The given candidates of each row, int64 `[rows, n]`, with both log-probabilities. `rows`: only of these."""
        rows = list(range(len(self)) if rows is None else rows)
        places = _places(rows, candidates)
        logits = _float64(array_of(self.logits)[places])
        scores = logits if self.scores is self.logits else _float64(array_of(self.scores)[places])
        logprobs = logits - np.array([[self.totals[row]] for row in rows])
        proposals = scores - np.array([[self.norms[row]] for row in rows])
        each = zip(candidates.tolist(), logprobs.tolist(), proposals.tolist(), strict=True)
        return [list(zip(*columns, strict=True)) for columns in each]

    def logprob(self, candidate: int) -> float:
        """The model's own log-probability of a candidate, of a law of one row; −inf where it is not allowed."""
        return self.logits[0, candidate].item() - self.totals[0]

    def row(self, index: int) -> Law:
        """The law of one row, `[1, W]`."""
        if len(self) == 1:
            return self
        here = slice(index, index + 1)
        logits = self.logits[here]
        return Law(
            logits,
            self.totals[here],
            logits if self.scores is self.logits else self.scores[here],
            self.weights[here],
            self.norms[here],
            self.stop,
            self.spare[here],
        )

    def repeated(self, rows: Sequence[int]) -> Law:
        """The laws of these rows, any of them several times, in arrays of its own."""
        logits = self.logits[rows]
        scores = logits if self.scores is self.logits else self.scores[rows]
        totals, norms = [self.totals[row] for row in rows], [self.norms[row] for row in rows]
        return Law(logits, totals, scores, self.weights[rows], norms, self.stop, torch.empty_like(logits))

    def without(self, candidates: Iterable[int]) -> Law:
        """The law as the constraint would leave it if these candidates were not allowed either, in arrays of its own
        and without the warp. ValueError if no candidate is left in some row."""
        logits = self.logits.clone()
        logits[:, list(candidates)] = NEG_INF
        weights = torch.empty_like(logits)
        norms = exponentials(array_of(logits), array_of(weights))
        if -inf in norms:
            raise ValueError("no candidate is left")
        return Law(logits, self.totals, logits, weights, norms, self.stop, torch.empty_like(logits))

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> Law:
        if temperature == 1.0 and top_k is None and top_p is None and not min_p:
            return self
        scores = warp(self.scores, temperature, top_k, top_p, min_p, out=self.spare)
        return replace(self, scores=scores, norms=exponentials(array_of(scores), array_of(self.weights)))


def _places(rows: Sequence[int], candidates: Tensor) -> tuple[Array, Array]:
    """Indices of the candidates of these rows, int64 `[rows]` or `[rows, n]`, in arrays that lie where these do."""
    columns = array_of(candidates)
    if isinstance(columns, np.ndarray):
        return np.array(rows).reshape(-1, *[1] * (columns.ndim - 1)), columns
    return torch.tensor(rows, device=columns.device).view(-1, *[1] * (columns.ndim - 1)), columns


def _float64(values: Array) -> np.ndarray:
    return (values if isinstance(values, np.ndarray) else values.cpu().numpy()).astype(np.float64)


def check_totals(totals: Sequence[float], norms: Sequence[float]) -> None:
    """ValueError if nothing can be drawn from some row. totals, norms: the log-sum-exps over everything that the model
    may do, and over what is allowed."""
    for row, (total, norm) in enumerate(zip(totals, norms, strict=True)):
        if not isfinite(total):
            problem = "the model's logits hold NaN or +inf, or are all −inf: nothing can be drawn from them"
            raise ValueError(f"row {row}: {problem}")
        if norm == -inf:
            raise ValueError(
                f"row {row}: nothing can be drawn. The constraint allows no token and no stop (a dead end), or the "
                "model gives probability 0 to all that it allows"
            )


# --- the law that a constraint leaves, from logits and packed token masks, on the host
#
# `candidate_logprobs` is its definition, in a few lines of torch.

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
    # What the norm of a row does not count: nothing, where the stop holds all other tokens; few tokens in a free text.
    worths, beside = _worths(given, masks, endings, stop_ids, stops, candidates[:, :stop], spare)
    if not shared:
        penalty = array_of(penalties(masks, out=spare))[:, :stop]
    others = [row for row, how in enumerate(endings) if how != ELSEWHERE and row not in beside]
    some = given if len(others) == rows else given[others]
    whole = dict(zip(others, bare_exponentials(some, weights[: len(others), :stop]), strict=True)) if others else {}
    _add(given, penalty, candidates[:, :stop])
    candidates[:, stop] = worths if isinstance(candidates, np.ndarray) else torch.tensor(worths)
    candidates[:, stop + 1 :] = NEG_INF
    norms = bare_exponentials(candidates, weights)
    # the larger one: rounding must not make a candidate likelier than 1
    totals = [max(norm, whole.get(row, norm)) for row, norm in enumerate(norms)]
    for row, left_out in beside.items():
        totals[row] = log_add_exp(norms[row], left_out)
    check_totals(totals, norms)
    return Law(room[0], totals, room[0], room[1], norms, stop, spare)


def endings_of(may_stop: Sequence[bool], at_ids: Sequence[bool] | None, given: Container[int] = ()) -> list[int]:
    """How each row's stop is valued. at_ids: where by the logit of ids (None: everywhere); given: where by a number."""
    at_ids = [True] * len(may_stop) if at_ids is None else at_ids
    places = enumerate(zip(may_stop, at_ids, strict=True))
    return [(GIVEN if at or row in given else ELSEWHERE) if may else NO_STOP for row, (may, at) in places]


@lru_cache(maxsize=64)
def ids_on(ids: tuple[int, ...], device: torch.device) -> Tensor:
    """Some ids, int64, on a device: sent there once."""
    with torch.inference_mode(False):
        return torch.tensor(ids, dtype=torch.long, device=device)


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


def _worths(
    given: Array,
    masks: np.ndarray,
    endings: Sequence[int],
    stop_ids: Tensor | None,
    stops: Mapping[int, Tensor],
    room: Array,
    spare: Tensor,
) -> tuple[list[float], dict[int, float]]:
    """The logit of each row's stop; and, of the rows that `stop_ids` end, the log-sum-exp over the tokens that are
    neither allowed nor among these, by row, where such tokens are few. room `[rows, V]` and spare `[rows, W]` are
    overwritten."""
    worths, beside = [-inf] * len(endings), dict[int, float]()
    if ELSEWHERE in endings:
        _elsewhere(worths, given, masks, endings, room, spare)
    if GIVEN in endings and stop_ids is not None:
        logits = given[:, array_of(stop_ids)]
        values = bare_exponentials(logits, logits)
        at_ids = [row for row, how in enumerate(endings) if how == GIVEN and row not in stops]
        for row in at_ids:
            worths[row] = values[row]
        beside = _outside_sums(given, masks, at_ids, spare.device, tuple(stop_ids.tolist()))
    for row, stop in stops.items():
        worths[row] = stop.item() if endings[row] == GIVEN else -inf
    return worths, beside


def _elsewhere(
    worths: list[float], given: Array, masks: np.ndarray, endings: Sequence[int], room: Array, spare: Tensor
) -> None:
    """Put the log-sum-exp over the tokens that its mask does not allow among the worths, for each row whose stop holds
    them. What comes out for a row does not depend on the others. room and spare are overwritten."""
    rows = [row for row, how in enumerate(endings) if how == ELSEWHERE]
    values = _outside_sums(given, masks, rows, spare.device)
    if wide := [row for row in rows if row not in values]:
        outside, stop = room[: len(wide)], room.shape[1]
        of_them = masks if len(masks) == 1 else masks[wide]
        _add(given[wide], array_of(penalties(~of_them, out=spare[: len(of_them)]))[:, :stop], outside)
        values |= zip(wide, bare_exponentials(outside, outside), strict=True)
    for row, value in values.items():
        worths[row] = value


def _outside_sums(
    given: Array, masks: np.ndarray, rows: list[int], device: torch.device, besides: tuple[int, ...] = ()
) -> dict[int, float]:
    """The log-sum-exp over the tokens that its mask does not allow, besides some, by row: of rows with few of them."""
    values: dict[int, float] = {}
    for mask, alike in _by_mask(masks, rows).items():
        places = _outside(mask, given.shape[-1], device, besides)
        if places is not None:
            some = given if len(alike) == len(given) else given[alike]
            columns = _columns(some, places)
            values |= zip(alike, bare_exponentials(columns, columns), strict=True)
    return values


def _by_mask(masks: np.ndarray, rows: list[int]) -> dict[bytes, list[int]]:
    if len(masks) == 1:
        return {masks.tobytes(): rows} if rows else {}
    groups: dict[bytes, list[int]] = {}
    for row in rows:
        groups.setdefault(masks[row].tobytes(), []).append(row)
    return groups


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
