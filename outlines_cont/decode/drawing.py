"""The draws of a step: the law of each row that is ready, and the candidates that the samplers take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from outlines_cont.decode.failed_rows import lawful, lawless
from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.logits import PreparedMasks, law_of
from outlines_cont.decode.samplers.protocol import HypothesisGroups, Sampler
from outlines_cont.decode.settings import Cursor, Trail
from outlines_cont.decode.stage import sampler_of
from outlines_cont.engines.protocol import are_logits, logits_refused
from outlines_cont.fsm.protocol import allows
from outlines_cont.kernels.constrain import Scratch
from outlines_cont.kernels.laws import Candidates, Law, Option, array_of, exponentials
from outlines_cont.kernels.survey import NEG_INF
from outlines_cont.state.token_notes import NotedToken

# --- a law that is not the model's own: drawn from here, while log-probabilities stay the model's


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
        """With what is combined in these rows beside the law of them."""
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
        """Those of these lines."""
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
        if h.status.ending is not None and h.span.uncut is not None:  # a stop string's, which were spelled anew
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
    ranked = any(h.settings.ranks_by_logprobs for h in live)
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


# --- branches of controllers that change the law of a draw, and samplers that have none to change


def check_branch_filters(sampler: Sampler, live: Sequence[Hypothesis]) -> None:
    """ValueError for a branch that changes the sampler's law where the sampler has none that could be changed."""
    if sampler.filters is not None:
        return
    for h in live:
        if h.at.followed.filters is not PLAIN:
            raise ValueError(
                f"a branch with {h.at.followed.filters} under {sampler!r}: this sampler draws nothing at random by a "
                "law that could be changed"
            )


# --- rows that draw from the same law, as copies of a prompt do until they have drawn different tokens

WORTH = 2  # rows for each law: with fewer it takes as long to see that laws are the same as to make them


def law_of_rows(
    live: Sequence[Hypothesis],
    logits: Tensor,
    proposal: Densities | None,
    scratch: Scratch,
    plain: bool,
    prepared: PreparedMasks,
) -> Candidates:
    """The law of what comes next in each of these rows: by its own logits `[live, V]`, or by the proposal, if there is
    one. A law that many rows share is made once. `plain`: as a `Law`."""

    def law(rows: Sequence[Hypothesis], lines: Tensor, others: Densities | None) -> Candidates:
        if others is not None:
            return combined_law(rows, lines, others, scratch, prepared)
        return law_of(rows, lines, scratch, plain, prepared)

    firsts = first_of_same_law(live, logits, proposal)
    if not firsts:
        return law(live, logits, proposal)
    distinct = sorted(set(firsts))
    shared = law([live[row] for row in distinct], logits[distinct], proposal and proposal.at(distinct))
    at = {row: place for place, row in enumerate(distinct)}
    return shared.repeated([at[row] for row in firsts]) if isinstance(shared, Law) else law(live, logits, proposal)


def first_of_same_law(live: Sequence[Hypothesis], logits: Tensor, proposal: Densities | None) -> list[int]:
    """For each row the place of the first one that draws from the same law; [] where it is not worth while.

    logits: of the rows, `[live, V]`. Whoever gives them may give different ones to rows of the same tokens, so they are
    compared, and those of the proposal as well.
    """
    if len(live) < WORTH:
        return []
    places: dict[Hashable, int] = {}
    firsts = [
        places.setdefault((*_standing(h), proposal and proposal.weighed[place]), place) for place, h in enumerate(live)
    ]
    if WORTH * len(places) > len(live) or logits.device.type != "cpu":
        return []
    copies = [place for place, first in enumerate(firsts) if first != place]
    of_first = [firsts[place] for place in copies]
    each = [logits] if proposal is None else [logits, proposal.density]
    return firsts if all(torch.equal(lines[copies], lines[of_first]) for lines in each) else []


def _standing(h: Hypothesis) -> tuple[Hashable, ...]:
    span = h.span
    return id(span.settings), id(span.row.ids), span.ids, id(span.at.guide), span.at.state


# --- the model's likeliest tokens at each position, for rows that keep them (`alternatives=n`)


def with_alternatives(groups: HypothesisGroups, logits: Tensor) -> HypothesisGroups:
    """The hypotheses, of which each that draws now keeps the likeliest tokens, if it was asked to.

    logits: the model's own, `[those that are ready, V]`. One topk for all of them.
    """
    ready = [h for group in groups for h in group if h.status.ready]
    asking = [(line, h) for line, h in enumerate(ready) if h.settings.alternatives]
    if not asking:
        return groups
    lines = logits if len(asking) == len(logits) else logits[[line for line, _ in asking]]
    likeliest = _likeliest(lines, max(h.settings.alternatives for _, h in asking))
    noted = {id(h): _noted(h, each) for (_, h), each in zip(asking, likeliest, strict=True)}
    return tuple(tuple(noted.get(id(h), h) for h in group) for group in groups)


def with_alternatives_of_given(h: Hypothesis, logits: Tensor) -> Hypothesis:
    """A row that keeps the likeliest tokens at the places of its unscored ones; logits: before each, `[n, V]`."""
    span, count = h.span, len(logits)
    notes = span.notes
    cursors = _cursors_before(span.trail, count)
    for place, at, likeliest in zip(
        range(len(span.ids) - count, len(span.ids)), cursors, _likeliest(logits, h.settings.alternatives), strict=True
    ):
        notes = notes.with_alternatives(place, _judged(at, likeliest))
    return h.changed(span=span.changed(notes=notes))


def _noted(h: Hypothesis, likeliest: Sequence[tuple[int, float]]) -> Hypothesis:
    span: GrowingSpan = h.span
    judged = _judged(span.at, likeliest[: h.settings.alternatives])
    return h.changed(span=span.changed(notes=span.notes.with_alternatives(len(span.ids), judged)))


def _likeliest(logits: Tensor, count: int) -> list[list[tuple[int, float]]]:
    """For each line of logits its likeliest tokens, best first, with their log-probabilities."""
    values, tokens = logits.float().topk(min(count, logits.shape[-1]), dim=-1)
    logprobs = values - torch.logsumexp(logits.float(), dim=-1, keepdim=True)
    return [list(zip(*row, strict=True)) for row in zip(tokens.tolist(), logprobs.tolist(), strict=True)]


def _judged(at: Cursor, likeliest: Sequence[tuple[int, float]]) -> list[NotedToken]:
    """The tokens, with whether the constraint lets each come there; an eos token stands for the end of the span."""
    return [(token, logprob, allows(at.guide, at.state, token)) for token, logprob in likeliest]


def _cursors_before(trail: Trail, count: int) -> list[Cursor]:
    """Where the span stood before each of its last tokens, so many, in order."""
    cursors: list[Cursor] = []
    while len(cursors) < count:
        assert trail is not None
        at, trail = trail
        cursors.append(at)
    return cursors[::-1]


# --- drawing


class StepDraws(NamedTuple):
    """The draws of one step.

    Attributes:
        seed: of all random choices.
        scratch: memory that steps use again.
        masks: those that were prepared.
    """

    seed: int
    scratch: Scratch
    masks: PreparedMasks

    def drawn(
        self,
        groups: HypothesisGroups,
        live: Sequence[Hypothesis],
        lines: list[int],
        logits: Tensor,
        proposal: Densities | None,
    ) -> HypothesisGroups:
        """The hypotheses after a draw for each that is ready. Batch rows may stand in links with different samplers.

        live: those that are ready, in order; lines: of each of these the line of the logits `[lines, V]`, and of the
        proposal, from which it draws; proposal: None for the model's own laws.
        """
        if not live:
            return groups
        if lines != list(range(len(logits))):
            logits, proposal = logits[lines], proposal and proposal.at(lines)
        batches = _by_sampler(groups)
        if len(batches) == 1:
            return self._drawn_by(batches[0][0], groups, live, logits, proposal)
        after, place_of = list(groups), {id(h): place for place, h in enumerate(live)}
        for sampler, batch in batches:
            places = [place_of[id(h)] for b in batch for h in groups[b] if h.status.ready]
            ready, theirs = [live[place] for place in places], tuple(groups[b] for b in batch)
            drawn = self._drawn_by(sampler, theirs, ready, logits[places], proposal and proposal.at(places))
            for b, group in zip(batch, drawn, strict=True):
                after[b] = group
        return tuple(after)

    def _drawn_by(
        self,
        sampler: Sampler,
        groups: HypothesisGroups,
        live: Sequence[Hypothesis],
        logits: Tensor,
        proposal: Densities | None,
    ) -> HypothesisGroups:
        """As `drawn`, of batch rows that have one sampler."""
        with self.scratch as scratch:

            def law(places: list[int]) -> Candidates:
                each = [live[place] for place in places]
                check_branch_filters(sampler, each)
                lines = logits if len(each) == len(live) else logits[places]
                others = proposal and (proposal if len(each) == len(live) else proposal.at(places))
                plain = bool(sampler.logit_filters) or any(h.settings.shows_law for h in each)
                return law_of_rows(each, lines, others, scratch, plain, self.masks)

            candidates, errors = lawful(len(live), law)
            if errors:
                failed = {id(live[at]): lawless(live[at], error) for at, error in errors.items()}
                groups = tuple(tuple(x for h in group for x in failed.get(id(h), (h,))) for group in groups)
                logits = logits[[place for place in range(len(live)) if place not in errors]]
            if candidates is None:
                return groups
            hooks = HookedStep(logits) if any(h.settings.hooks for h in live) else None
            return sampler.choose(with_alternatives(groups, logits), candidates, self.seed, hooks)


def _by_sampler(groups: HypothesisGroups) -> list[tuple[Sampler, list[int]]]:
    """The batch rows in which some draw now, by their samplers."""
    batches: list[tuple[Sampler, list[int]]] = []
    for b, group in enumerate(groups):
        if not any(h.status.ready for h in group):
            continue
        sampler = sampler_of(group)
        batch = next((places for other, places in batches if other == sampler), None)
        if batch is None:
            batches.append((sampler, [b]))
        else:
            batch.append(b)
    return batches
