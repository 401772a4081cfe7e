"""Laws over candidates: what samplers draw from, and hooks look at.

A *candidate* is a token or the stop. A `Law` is arrays of W columns: token t stands in column t and the stop in column
V; the columns beyond are never drawn, and make W a multiple of `BLOCK`. `constrain.py` makes it from logits and masks.
A `FusedLaw` (`fused_law.py`) answers the same questions by kernels, and makes no array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Protocol

import torch
from torch import Tensor

from .draw import draw
from .log_sum_exp import softmax_totals
from .philox import Key, uniforms
from .rows import NEG_INF
from .warp import warp

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
        """The given candidates of each row, int64 `[rows, n]`, with both log-probabilities. `rows`: only of these."""
        all_logits, all_scores, totals, norms = self.logits, self.scores, self.totals, self.norms
        if rows is not None:
            rows = list(rows)
            all_logits, all_scores = all_logits[rows], all_scores[rows]
            totals, norms = [totals[row] for row in rows], [norms[row] for row in rows]
        logits = all_logits.gather(-1, candidates).tolist()
        scores = logits if self.scores is self.logits else all_scores.gather(-1, candidates).tolist()
        each = zip(candidates.tolist(), logits, totals, scores, norms, strict=True)
        return [
            [(candidate, x - total, score - norm) for candidate, x, score in zip(ids, row, row_scores, strict=True)]
            for ids, row, total, row_scores, norm in each
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
        """The law as the constraint would leave it if these candidates were not allowed either, in arrays of its own
        and without the warp. ValueError if no candidate is left in some row."""
        logits = self.logits.clone()
        logits[:, list(candidates)] = NEG_INF
        probabilities = torch.empty_like(logits)
        norms, likeliest = softmax_totals(logits, out=probabilities)
        if -inf in norms:
            raise ValueError("no candidate is left")
        return Law(logits, self.totals, logits, probabilities, norms, likeliest, self.stop, torch.empty_like(logits))

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> Law:
        if temperature == 1.0 and top_k is None and top_p is None and not min_p:
            return self
        scores = warp(self.scores, temperature, top_k, top_p, min_p, out=self.spare)
        norms, likeliest = softmax_totals(scores, out=self.probabilities)
        return replace(self, scores=scores, norms=norms, likeliest=likeliest)


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
