"""Laws that are not the model's own: drawn from here, while log-probabilities stay the model's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.logits import PreparedMasks, law_of
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.engines.protocol import are_logits, logits_refused
from outlines_cont.kernels.laws import Law, Option, Scratch, array_of, exponentials
from outlines_cont.kernels.rows import NEG_INF


@dataclass(frozen=True, eq=False)
class CombinedLaw(Law):
    """A law to choose by that was combined of several; `logits` and `totals` are the model's own, as in any law.

    combined: float32 `[rows, W]`, the log-densities that the law is made of, −inf where a candidate is not allowed.
        Those of rows that are not weighed are normalized over everything, allowed or not.
    weighed: for each row whether the densities themselves are the target. Then the log-probability of an option under
        the law is moved, so that what the model's own exceeds it by is what the option has to be weighed by.
    ranked: whether the options of `best` have, in place of that, the combined log-probability before the constraint.
    """

    combined: Tensor
    weighed: list[bool]
    ranked: bool = False

    @classmethod
    def of(cls, main: Law, drawn: Law, weighed: list[bool], ranked: bool) -> CombinedLaw:
        """The candidates of `drawn`, with the log-probabilities of `main`."""
        logits = main.logits.masked_fill_(drawn.logits == NEG_INF, NEG_INF)
        totals = [0.0 if whole else total for total, whole in zip(drawn.totals, weighed, strict=True)]
        combined = drawn.logits - drawn.logits.new_tensor(totals)[:, None]
        law = replace(drawn, logits=logits, totals=main.totals)
        return cls(*_members(law), combined, weighed, ranked)

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
        return [
            [(token, logprob, density) for (token, logprob, _), density in zip(row, densities, strict=True)]
            for row, densities in zip(options, self._densities(candidates, rows), strict=True)
        ]

    def _densities(self, candidates: Tensor, rows: Sequence[int]) -> list[list[float]]:
        places = torch.tensor(rows, device=self.combined.device)[:, None], candidates.to(self.combined.device)
        return self.combined[places].tolist()

    def row(self, index: int) -> CombinedLaw:
        return self if len(self) == 1 else self._beside(super().row(index), [index])

    def repeated(self, rows: Sequence[int]) -> CombinedLaw:
        return self._beside(super().repeated(rows), list(rows))

    def _beside(self, law: Law, rows: list[int]) -> CombinedLaw:
        """The combined law of these rows, of which `law` is the main model's part."""
        return CombinedLaw(*_members(law), self.combined[rows], [self.weighed[row] for row in rows], self.ranked)

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


def _members(law: Law) -> tuple[Tensor, list[float], Tensor, Tensor, list[float], int, Tensor]:
    return law.logits, law.totals, law.scores, law.weights, law.norms, law.stop, law.spare


def _weighed(option: Option, density: float) -> Option:
    """An option whose own log-probability exceeds what stands for the law's by what it has to be weighed by."""
    candidate, logprob, proposal = option
    return candidate, logprob, float(np.float64(logprob) - (density - proposal)) if logprob > -inf else proposal


# --- laws to draw from that are not the model's own


class Densities(NamedTuple):
    """Other laws to draw from, line by line beside the model's own logits.

    Attributes:
        density: float32 `[lines, V]`, the log-densities of the tokens before any constraint: NaN where there is no law,
            +inf where a density is infinite.
        weighed: for each line whether the densities themselves are the target, as in `CombinedLaw`.
    """

    density: Tensor
    weighed: Sequence[bool]

    def at(self, lines: Sequence[int]) -> Densities:
        """The densities of these lines."""
        return Densities(self.density[list(lines)], [self.weighed[line] for line in lines])

    def of_given(
        self, h: Hypothesis, line: int, tokens: Sequence[int], logprobs: Sequence[float]
    ) -> list[float] | None:
        """What stands for the law of tokens that were given, not drawn: nothing is drawn, but a target weighs them.

        line: the one before the first of these tokens.
        """
        weighed = self.weighed[line] if tokens else False
        if not (weighed or h.span.ranks_by_proposals):
            return None
        density = self.density[line : line + len(tokens)]
        density = density.masked_fill(density == inf, NEG_INF)
        values = density.gather(-1, torch.tensor(tokens, device=density.device)[:, None])[:, 0]
        combined = (values if weighed else values - density.logsumexp(-1)).tolist()
        if h.span.ranks_by_proposals:
            return combined
        if h.uncut is not None:  # a stop string's, which were spelled anew
            return [nan] * len(combined)
        return [logprob - value for logprob, value in zip(logprobs, combined, strict=True)]


def given_proposal(proposal: Any, logits: Tensor, samplers: Sequence[Sampler]) -> Densities:
    """The laws of `step(logits, proposal=…)`. TypeError or ValueError for what is none, and where nothing is drawn."""
    if not are_logits(proposal, logits.shape[1], len(logits)):
        raise logits_refused(proposal, "step(proposal=…) got", f"beside the logits they are {tuple(logits.shape)}")
    if ranking := [sampler for sampler in samplers if sampler.ranks_by_logprobs]:
        raise TypeError(f"step(proposal=…) under {ranking[0]!r}: it compares rows and draws nothing")
    return Densities(torch.log_softmax(proposal.detach().to(logits.device).float(), -1), [False] * len(logits))


def combined_law(
    live: Sequence[Hypothesis], logits: Tensor, proposal: Densities, scratch: Scratch, prepared: PreparedMasks
) -> CombinedLaw:
    """The law of what comes next in each of these rows, drawn from the proposal; logits: the rows' own, `[live, V]`.

    ValueError for the first row that cannot be drawn from it.
    """
    density = proposal.density.masked_fill(logits == NEG_INF, NEG_INF)
    undefined = density == inf
    main = law_of(live, logits, scratch, True, prepared)
    if bool((lawless := density.isnan().any(-1)).any()):
        raise ValueError(
            f"row {int(lawless.nonzero()[0])}: the logits of a context beside it, or those that step(proposal=…) was "
            "given, hold NaN or +inf, or are all −inf"
        )
    drawn = law_of(live, density.masked_fill_(undefined, NEG_INF), Scratch(), True, prepared)
    assert isinstance(main, Law) and isinstance(drawn, Law)
    if bool(undefined.any()):
        _check_defined(live, drawn, main, undefined)
    ranked = any(h.settings.sampler.ranks_by_logprobs for h in live)
    return CombinedLaw.of(main, drawn, list(proposal.weighed), ranked)


def _check_defined(live: Sequence[Hypothesis], drawn: Law, main: Law, undefined: Tensor) -> None:
    """ValueError if what is not defined may be drawn, as a token or in the mass of the stop."""
    for row, h in enumerate(live):
        allowed = main.logits[row, : drawn.stop] > NEG_INF
        stops = h.at.guide.accepting(h.at.state)
        wrong = undefined[row] if stops else undefined[row] & allowed
        if bool(wrong.any()):
            token = h.encoder.vocabulary.tokens[int(wrong.nonzero()[0])]
            raise ValueError(
                f"row {row}: a context of negative weight gives probability 0 to {token!r}, which the model's own law "
                "does not: their difference is infinite. Give that context a weight ≥ 0, or logits without −inf"
            )
