"""Laws over candidates: what samplers draw from, and hooks look at.

A *candidate* is a token or the stop. A `Law` is arrays of W columns: token t stands in column t and the stop in column
V; the columns beyond are never drawn, and make W a multiple of `BLOCK`. `constrain.py` makes it from logits and masks.
A `FusedLaw` (`fused_law.py`) answers the same questions by kernels, and makes no array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, isfinite, log, log1p
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from .draw import draw
from .philox import Key, uniforms
from .rows import NEG_INF
from .warp import warp

# --- the log-sum-exp of rows of logits: on the host by numpy

Array = Any  # a numpy array on the host, a tensor elsewhere
#: Wider rows torch computes faster, although it takes longer to be called. (The width decides, never the number of
#: rows: what comes out for a row must not depend on the others.)
NARROW = 1 << 12


AT_ONCE = 1 << 18  # numbers whose exponentials stay in the caches of a host


def in_parts(logits: Tensor) -> Sequence[Tensor]:
    """The rows of `[rows, n]`, on the host some at a time: who makes arrays of each part has them in its caches."""
    host, width = logits.device.type == "cpu", max(logits.shape[-1], 1)
    return logits.split(max(AT_ONCE // width, 1) if host else max(len(logits), 1))


def log_sum_exp(logits: Tensor) -> list[float]:
    """The log-sum-exp of each row of `[rows, n]`."""
    parts = in_parts(logits.detach().float())
    out = array_of(torch.empty_like(parts[0]))
    return [each for part in parts for each in exponentials(array_of(part), out[: len(part)])]


def array_of(tensor: Tensor) -> Array:
    """The same memory for numpy, if it lies on the host: for the rows of a small vocabulary torch takes longer to be
    called than to compute, and numpy a fraction of that."""
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
    pairs = zip(tops.ravel().tolist(), sums.tolist(), strict=True)
    return [top + log(total) if top > -inf else top for top, total in pairs]


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
        places = _places(range(len(self)), candidates)
        logits = array_of(self.logits)[places].tolist()
        scores = logits if self.scores is self.logits else array_of(self.scores)[places].tolist()
        each = zip(candidates.tolist(), logits, self.totals, scores, self.norms, strict=True)
        return [(candidate, x - total, score - norm) for candidate, x, total, score, norm in each]

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
