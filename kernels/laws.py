"""From logits and token masks to laws over candidates: what samplers draw from, and hooks look at.

A *candidate* is a token or the stop. A `Law` is arrays of W columns: token t stands in column t and the stop in column
V; what is beyond them is never drawn, and makes W a multiple of `BLOCK`. A `FusedLaw` answers the same questions by the
kernels of `sampling.py`, and makes no array.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, inf, isfinite, log, log1p
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from .bitmask import penalties
from .philox import Key, uniforms
from .sampling import BLOCK, ELSEWHERE, GIVEN, NEG_INF, NO_STOP, Rows, draw, likeliest, sample, warp

Option = tuple[int, float, float]  # a candidate, the model's own log-probability of it, and that of the law


class Candidates(Protocol):
    """What samplers ask: which candidate comes next in each row."""

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
        """The law after `warp`, which takes the place of this one."""
        ...

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        """The likeliest tokens of each row, best first, and then its stop. `rows`: not of all."""
        ...


@dataclass(frozen=True, eq=False)
class Law:
    """Which candidate comes next in each row: the law to choose by, and the model's own log-probabilities.

    logits: float32 `[rows, W]`, of the candidates that are allowed, −inf elsewhere.
    totals: for each row the log-sum-exp over everything that the model may do.
    scores: float32 `[rows, W]`, the law's own logits: the model's, or what `warp` made of them.
    probabilities: float32 `[rows, W]`, their softmax; norms: for each row their log-sum-exp.
    likeliest: int64 `[rows]`, of equal ones the first.
    stop: the column of the stop, V.
    spare: float32 `[rows, W]`, room for other scores.
    """

    logits: Tensor
    totals: list[float]
    scores: Tensor
    probabilities: Tensor
    norms: list[float]
    likeliest: Tensor
    stop: int
    spare: Tensor

    def __len__(self) -> int:
        return len(self.totals)

    def greedy(self) -> list[Option]:
        return [option for [option] in self.options(self.likeliest[:, None])]

    def drawn(self, keys: Sequence[Key]) -> list[Option]:
        numbers = torch.tensor(uniforms(keys), dtype=torch.float64)
        return [option for [option] in self.options(draw(self.probabilities, numbers)[:, None])]

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        rows = None if rows is None or len(rows) == len(self) else list(rows)
        tokens = (self.logits if rows is None else self.logits[rows])[:, : self.stop]
        best = tokens.topk(min(width, self.stop), dim=-1).indices
        return self.options(torch.cat([best, torch.full_like(best[:, :1], self.stop)], dim=-1), rows)

    def options(self, candidates: Tensor, rows: Sequence[int] | None = None) -> list[list[Option]]:
        """Some candidates of each row, int64 `[rows, n]`, with their two log-probabilities. `rows`: not of all."""
        own, law, totals, norms = self.logits, self.scores, self.totals, self.norms
        if rows is not None:
            rows = list(rows)
            own, law = own[rows], law[rows]
            totals, norms = [totals[row] for row in rows], [norms[row] for row in rows]
        logits = own.gather(-1, candidates).tolist()
        scores = logits if self.scores is self.logits else law.gather(-1, candidates).tolist()
        each = zip(candidates.tolist(), logits, totals, scores, norms, strict=True)
        return [
            [(candidate, logit - total, score - norm) for candidate, logit, score in zip(ids, own, law, strict=True)]
            for ids, own, total, law, norm in each
        ]

    def logprob(self, candidate: int) -> float:
        """The model's own log-probability of a candidate, of a law of one row; −inf where it is not allowed."""
        return self.logits[0, candidate].item() - self.totals[0]

    def row(self, index: int) -> Law:
        """The law of one row, `[1, W]`."""
        here = slice(index, index + 1)
        return Law(
            self.logits[here],
            self.totals[here],
            self.scores[here],
            self.probabilities[here],
            self.norms[here],
            self.likeliest[here],
            self.stop,
            self.spare[here],
        )

    def without(self, candidates: Iterable[int]) -> Law:
        """The law as the constraint would leave it if these were not allowed, in arrays of its own; what was warped is
        not any more. ValueError if nothing is left in some row."""
        logits = self.logits.clone()
        logits[:, list(candidates)] = NEG_INF
        probabilities = torch.empty_like(logits)
        norms, likeliest = _measured(logits, out=probabilities)
        if -inf in norms:
            raise ValueError("no candidate is left")
        return Law(logits, self.totals, logits, probabilities, norms, likeliest, self.stop, torch.empty_like(logits))

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> Law:
        if temperature == 1.0 and top_k is None and top_p is None and not min_p:
            return self
        scores = warp(self.scores, temperature, top_k, top_p, min_p, out=self.spare)
        norms, likeliest = _measured(scores, out=self.probabilities)
        return replace(self, scores=scores, norms=norms, likeliest=likeliest)


@dataclass(frozen=True, eq=False)
class FusedLaw:
    """The same, of logits and masks that stay on their device: a few numbers a row come to the host, in one copy.

    filters: temperature, top_k, top_p, min_p, of `drawn` alone; `warped` sets them.
    """

    rows: Rows
    filters: tuple[float, int | None, float | None, float | None] = (1.0, None, None, None)

    @property
    def stop(self) -> int:
        return self.rows.logits.shape[1]

    def __len__(self) -> int:
        return len(self.rows.logits)

    def greedy(self) -> list[Option]:
        return self._said(sample(self.rows, None))

    def drawn(self, keys: Sequence[Key]) -> list[Option]:
        return self._said(sample(self.rows, keys, *self.filters))

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> FusedLaw:
        return FusedLaw(self.rows, (temperature, top_k, top_p, min_p))

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        asked = self.rows
        if rows is not None and len(rows) < len(self):
            at = torch.tensor(rows, device=asked.device)
            asked = Rows(asked.logits[at], asked.masks, asked.places[at], asked.ending[at], asked.stops[at])
        ids, said = likeliest(asked, min(width, self.stop))
        lines = torch.cat([ids.double(), said], -1).tolist()
        _checked([line[-2] for line in lines], [line[-1] for line in lines])
        found = []
        for line in lines:
            candidates, logits, (total, norm) = line[: ids.shape[1]], line[ids.shape[1] : -2], line[-2:]
            each = zip(map(int, candidates), logits, strict=True)
            found.append([(candidate, logit - total, logit - norm) for candidate, logit in each])
        return found

    @staticmethod
    def _said(said: Tensor) -> list[Option]:
        """The one copy to the host, and so the one wait for the device."""
        lines = said.tolist()
        _checked([line[3] for line in lines], [line[4] for line in lines])
        return [(int(candidate), own, proposal) for candidate, own, proposal, *_ in lines]


def fused(
    logits: Tensor,
    masks: Tensor,
    places: Sequence[int],
    may_stop: Sequence[bool],
    stop_ids: Tensor | None = None,
    at_ids: Sequence[bool] | None = None,
) -> FusedLaw:
    """What `constrain` says, by kernels: masks int32 `[masks, (V + 31) // 32]`, on the device of the logits; places:
    which of them is each row's."""
    logits = logits.detach()
    at_ids = [stop_ids is not None] * len(logits) if at_ids is None else at_ids
    ending = [(GIVEN if at else ELSEWHERE) if may else NO_STOP for may, at in zip(may_stop, at_ids, strict=True)]
    told = torch.tensor([list(places), ending], device=logits.device)
    if stop_ids is None:
        stops = torch.full((len(logits),), NEG_INF, dtype=torch.float32, device=logits.device)
    else:
        stops = logits[:, stop_ids].float().logsumexp(-1)
    return FusedLaw(Rows(logits, masks, told[0], told[1], stops))


def _checked(totals: Sequence[float], norms: Sequence[float]) -> None:
    for row, (total, norm) in enumerate(zip(totals, norms, strict=True)):
        if not isfinite(total):
            what = "the model's logits hold NaN or +inf, or are all −inf: nothing can be drawn from them"
            raise ValueError(f"row {row}: {what}")
        if norm == -inf:
            raise ValueError(f"row {row}: the model gives probability 0 to every token that the constraint allows")


class Scratch(threading.local):
    """Three arrays that the steps of a generation write anew: fresh pages would take longer than the arithmetic.

    Each thread has its own.
    """

    arrays: list[Tensor] | None = None

    def take(self, rows: int, columns: int, device: torch.device) -> list[Tensor]:
        """float32 `[rows, columns]`, three times, with anything in them; what was taken before is lost."""
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

    logits `[rows, V]`; masks int32 `[rows, (V + 31) // 32]`, or `[1, …]` for one that all rows share; stop_ids: see
    `candidate_logprobs`; at_ids: of which rows these are the stop (None: of all). The law lies in the scratch, and
    stands until that is used again.

    Numbers of which there is one a row are plain floats: torch would take longer over them.
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
        chosen = zip(at_ids, log_sum_exp(logits[:, stop_ids]), elsewhere, strict=True)
        stops = [own if at else other for at, own, other in chosen]
    tail[:, 0] = [value if may else -inf for value, may in zip(stops, may_stop, strict=True)]
    cut_down(penalty)
    norms, likeliest = _measured(candidates, out=probabilities)
    if stop_ids is None:  # then the stop is all that no token is, and in the norm already where a row may stop
        rest = zip(norms, elsewhere, may_stop, strict=True)
        totals = [norm if may else _log_add_exp(norm, value) for norm, value, may in rest]
    else:
        totals = list(map(max, log_sum_exp(logits), norms))  # rounding must not make a candidate likelier than 1
    _checked(totals, norms)
    return Law(candidates, totals, candidates, probabilities, norms, likeliest, stop, spare)


@lru_cache(maxsize=16)
def _shared(mask: bytes, size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """A mask as penalties `[1, V]` and as the ids that it does not allow: `text` has one mask all the time."""
    packed = np.frombuffer(mask, np.int32)[None]
    others = np.flatnonzero(np.unpackbits(~packed.view(np.uint8)[0], count=size, bitorder="little"))
    penalty = torch.empty(1, (size // BLOCK + 1) * BLOCK, device=device)
    return penalties(packed, out=penalty)[:, :size], torch.from_numpy(others).to(device)


def log_sum_exp(logits: Tensor, out: Tensor | None = None) -> list[float]:
    """That of each row of `[rows, n]`, in half the time of `logsumexp`. It leaves anything in `out`."""
    return _measured(logits.float(), out)[0] if logits.shape[-1] else [-inf] * len(logits)


def _measured(logits: Tensor, out: Tensor | None) -> tuple[list[float], Tensor]:
    """The log-sum-exp of each row, and where its first largest is, int64 `[rows]`. The softmax is left in `out`."""
    on_host = logits.device.type == "cpu"  # where numpy is some ten times as fast
    largest = torch.from_numpy(logits.numpy().argmax(-1)) if on_host else logits.argmax(-1)
    at = largest[:, None]
    tops = logits.gather(-1, at).tolist()
    probabilities = torch.softmax(logits, -1, out=out).gather(-1, at).tolist()  # exp(top) over the sum asked for
    return [top - log(p) if top > -inf else top for [top], [p] in zip(tops, probabilities, strict=True)], largest


def _log_add_exp(a: float, b: float) -> float:
    return max(a, b) + log1p(exp(-abs(a - b))) if a != b else a + log(2)


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
