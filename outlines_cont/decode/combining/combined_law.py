"""A law that is not the model's own: drawn from here, while log-probabilities stay the model's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import torch
from torch import Tensor

from outlines_cont.kernels.laws import Law, Option
from outlines_cont.kernels.log_sum_exp import array_of, exponentials
from outlines_cont.kernels.rows import NEG_INF


@dataclass(frozen=True, eq=False)
class CombinedLaw(Law):
    """A law to choose by that was combined of several; `logits` and `totals` are the model's own, as in any law.

    combined: float32 `[rows, W]`, the log-densities that the law is made of, −inf where a candidate is not allowed.
    combined_totals: for each row their log-sum-exp over everything, allowed or not.
    weighed: for each row whether the densities themselves are the target. Then the log-probability of an option under
        the law is moved, so that what the model's own exceeds it by is what the option has to be weighed by.
    ranked: whether the options of `best` have, in place of that, the combined log-probability before the constraint.
    """

    combined: Tensor
    combined_totals: list[float]
    weighed: list[bool]
    ranked: bool = False

    @classmethod
    def of(cls, main: Law, drawn: Law, weighed: list[bool], ranked: bool) -> CombinedLaw:
        """The candidates of `drawn`, with the log-probabilities of `main`."""
        logits = main.logits.masked_fill_(drawn.logits == NEG_INF, NEG_INF)
        scores, weights, norms, spare = drawn.scores, drawn.weights, drawn.norms, drawn.spare
        law = logits, main.totals, scores, weights, norms, drawn.stop, spare
        return cls(*law, drawn.logits, drawn.totals, weighed, ranked)

    def _chosen(self, candidates: Tensor) -> list[Option]:
        return [option for [option] in self.options(candidates[:, None])]

    def options(self, candidates: Tensor, rows: Sequence[int] | None = None) -> list[list[Option]]:
        options = super().options(candidates, rows)
        rows = list(range(len(self)) if rows is None else rows)
        if not any(self.weighed[row] for row in rows):
            return options
        densities = self._densities(candidates, rows)
        return [
            [_weighed(option, density) for option, density in zip(row_options, row_densities, strict=True)]
            if self.weighed[row]
            else row_options
            for row, row_options, row_densities in zip(rows, options, densities, strict=True)
        ]

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        rows = list(range(len(self)) if rows is None else rows)
        tokens = self.combined[rows][:, : self.stop]
        best = tokens.topk(min(width, self.stop), dim=-1).indices
        candidates = torch.cat([best, torch.full_like(best[:, :1], self.stop)], dim=-1)
        options = self.options(candidates, rows)
        if not self.ranked:
            return options
        totals = [0.0 if self.weighed[row] else self.combined_totals[row] for row in rows]
        each = zip(options, self._densities(candidates, rows), totals, strict=True)
        return [
            [(token, logprob, density - total) for (token, logprob, _), density in zip(row, densities, strict=True)]
            for row, densities, total in each
        ]

    def _densities(self, candidates: Tensor, rows: Sequence[int]) -> list[list[float]]:
        places = torch.tensor(rows, device=self.combined.device)[:, None], candidates.to(self.combined.device)
        return self.combined[places].tolist()

    def row(self, index: int) -> CombinedLaw:
        if len(self) == 1:
            return self
        here = slice(index, index + 1)
        return replace(
            self,
            logits=self.logits[here],
            totals=self.totals[here],
            scores=self.scores[here],
            weights=self.weights[here],
            norms=self.norms[here],
            spare=self.spare[here],
            combined=self.combined[here],
            combined_totals=self.combined_totals[here],
            weighed=self.weighed[here],
        )

    def repeated(self, rows: Sequence[int]) -> CombinedLaw:
        law = Law.repeated(self, rows)
        plain = law.logits, law.totals, law.scores, law.weights, law.norms, law.stop, law.spare
        totals, weighed = [self.combined_totals[row] for row in rows], [self.weighed[row] for row in rows]
        return CombinedLaw(*plain, self.combined[rows], totals, weighed, self.ranked)

    def without(self, candidates: Iterable[int]) -> CombinedLaw:
        banned = list(candidates)
        logits, combined = self.logits.clone(), self.combined.clone()
        logits[:, banned] = combined[:, banned] = NEG_INF
        weights = torch.empty_like(combined)
        norms = exponentials(array_of(combined), array_of(weights))
        if -inf in norms:
            raise ValueError("no candidate is left")
        law = replace(self, logits=logits, scores=combined, combined=combined, weights=weights, norms=norms)
        return replace(law, spare=torch.empty_like(combined))


def _weighed(option: Option, density: float) -> Option:
    """An option whose own log-probability exceeds what stands for the law's by what it has to be weighed by."""
    candidate, logprob, proposal = option
    return candidate, logprob, float(np.float64(logprob) - (density - proposal)) if logprob > -inf else proposal
