"""`model.next`: where a generator's next token comes in each row, and the law of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.decode.combined import frontier_kind
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import HypothesisGroups, Sampler, SamplerDefaults
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.decode.settings import SpanSettings, Turn
from outlines_cont.decode.stage import standing
from outlines_cont.decode.status import DRAWING
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.generate.call_options import Call
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.starts import check_carried, gone_on, started
from outlines_cont.generate.steps import Chain, Step
from outlines_cont.kernels.laws import Candidates, Law, Scratch
from outlines_cont.state.errors import with_told_errors
from outlines_cont.state.next_law import NOTHING_DRAWN, NextLaw
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece
from outlines_cont.state.state import SequenceState

# --- the law of the next token of a frontier's rows: one pass, and no draw

Place = tuple[int, int]  # a batch row, and a sample


def next_law(frontier: Frontier, sampler: Sampler) -> NextLaw:
    """The law of the next token of every row. The rows stay where they are; what is read of them is kept.

    sampler: what draws them. TypeError if a row waits for whole options. The error of the first row that fails.
    """
    looking = _Looking(sampler)
    groups, forced = _before_forced(frontier.groups, looking)
    there = replace(frontier, groups=groups, scratch=Scratch())
    claims = None
    if not there.done:
        logits, claims = read(there.model, there.pending)
        there = there.step(logits, claims)
    state, failures = with_told_errors(there.state)
    del claims  # until now they kept the new keys and values alive
    if failures:
        raise failures[0]
    rows = {place: _RowLaw.of(sampler, h, law, forced.get(place)) for place, h, law in looking.looked}
    size, (batch, samples, _) = len(there.model.vocabulary) + 1, state.shape
    logprobs, proposals = (
        torch.full((batch, samples, size), -inf, dtype=torch.float64, device=there.model.device) for _ in range(2)
    )
    for place, row in rows.items():
        logprobs[place], proposals[place] = row.logprobs, row.proposals

    def draw(seed: int) -> Tensor:
        if not isinstance(sampler, RowByRow):
            raise TypeError(
                f"sample() under {sampler!r}: it compares rows, and takes several candidates of a row, or "
                "none; law.top(n) has the likeliest"
            )
        drawn = torch.full((batch, samples), NOTHING_DRAWN, device=logprobs.device)
        for place, row in rows.items():
            drawn[place] = row.drawn(sampler, seed)
        return drawn

    return NextLaw(state, logprobs, proposals, draw)


def _before_forced(groups: HypothesisGroups, sampler: Sampler) -> tuple[HypothesisGroups, dict[Place, int]]:
    """The hypotheses under this sampler, without what was appended to them and is not scored, and the first token of
    that in each."""
    forced: dict[Place, int] = {}
    changed: list[tuple[Hypothesis, ...]] = []
    for b, group in enumerate(groups):
        before = []
        for s, h in enumerate(group):
            if h.scoring is not None:
                raise TypeError(
                    "next() of a choice by='sequence': it draws no token, but a whole option; "
                    "generator.probabilities(state) has the probability of each"
                )
            if h.unscored and h.uncut is None and not h.status.ended:
                forced[b, s] = h.ids[-h.unscored]
                h = h.changed(span=h.span.back(h.unscored), status=DRAWING, end=None)
            before.append(h.changed(span=h.span.changed(settings=replace(h.settings, sampler=sampler))))
        changed.append(tuple(before))
    return tuple(changed), forced


class _Looking(SamplerDefaults):
    """Takes the place of a sampler for one step, keeps the laws of the rows, and leaves these as they are."""

    def __init__(self, sampler: Sampler):
        self.joint, self.filters, self.length_penalty = sampler.joint, sampler.filters, sampler.length_penalty
        self.ranks_by_logprobs = sampler.ranks_by_logprobs
        self.logit_filters = (lambda row, logits: logits,)  # so that the law is a `Law`
        self.looked: list[tuple[Place, Hypothesis, Law]] = []

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        live = [((b, s), h) for b, group in enumerate(groups) for s, h in enumerate(group) if h.status.ready]
        self.looked = [(*each, cast(Law, law.row(i))) for i, each in enumerate(live)]
        return groups


class _RowLaw(NamedTuple):
    """What a row draws from, as its sampler warps it. forced: what comes next without a draw."""

    h: Hypothesis
    law: Law
    forced: int | None

    @classmethod
    def of(cls, sampler: Sampler, h: Hypothesis, law: Law, forced: int | None) -> _RowLaw:
        if isinstance(sampler, RowByRow) and forced is None:
            law = cast(Law, sampler.warped(law, [h], h.at.followed.filters))
        return cls(h, law, forced)

    @property
    def logprobs(self) -> Tensor:
        return self._only_forced(self._of(self.law.logits, self.law.totals))

    @property
    def proposals(self) -> Tensor:
        if self.forced is not None:
            return self._only_forced(torch.zeros(self.law.stop + 1, dtype=torch.float64, device=self.law.logits.device))
        return self._of(self.law.scores, self.law.norms)

    def _of(self, logits: Tensor, totals: Sequence[float]) -> Tensor:
        return logits[0, : self.law.stop + 1].double() - totals[0]

    def _only_forced(self, values: Tensor) -> Tensor:
        if self.forced is None:
            return values
        alone = torch.full_like(values, -inf)
        alone[self.forced] = values[self.forced]
        return alone

    def drawn(self, sampler: RowByRow, seed: int) -> int:
        """The candidate that the sampler takes."""
        if self.forced is not None:
            return self.forced
        candidate, *_ = sampler.taken(self.h, self.law, self.h.at.followed.filters, seed)
        return candidate


# --- next token


def next_of(model: LanguageModel, prompts: Prompts | SequenceState, step: Any) -> NextLaw:
    """The law of the next token of each row under a generator or a step; see `Model.next`."""
    generator, call = _parts(model, step)
    # (a span of which one token is looked at has all the room that there is)
    settings = generator.settings(replace(call, max_tokens=sys.maxsize))
    if (where := settings.inspection.where) is not None:
        raise TypeError(
            f"next() of a generator with a predicate, {where.name} (where=): it is asked about single draws, so that "
            "nobody knows the law of all candidates; step(state, keep=oc.Keep(candidates=n)) keeps those of each draw"
        )
    if generator.sampler.draws_texts:
        raise TypeError(f"next() under {generator.sampler!r}: it draws whole texts, and no token by itself")
    state, failures = with_told_errors(started(generator.model, prompts))
    if failures:
        raise failures[0]
    check_carried(state, call)

    begins = Turn(settings, partial(Hypothesis.begin, settings))

    def place(row: Row) -> Hypothesis:
        index = unfinished(row, settings)
        if index is None:
            return standing(settings, row, begins)
        goes_on = Turn(settings, partial(gone_on, settings, index, False), midway=True)
        return standing(settings, row, None if row.pieces[index].finished == "stop" else goes_on)

    return next_law(frontier_kind(state).begin(state, settings, place), generator.sampler)


def _parts(model: LanguageModel, step: Any) -> tuple[Generator[Any, Any], Call]:
    if isinstance(step, Chain):
        raise TypeError(
            f"next() of a chain, {shown(step)}: it looks at one span. Give it the step that writes next, "
            "chain.steps[i], and a state that ends in the text before that step"
        )
    if not isinstance(step, (Generator, Step)):
        raise TypeError(f"next() takes a generator or a step, not {shown(step)}: oc.Generator(model, output_type)")
    generator = step.generator if isinstance(step, Step) else step
    if generator.model is not model:
        raise ValueError(f"next() of {model!r} got a generator of another model, {generator.model!r}")
    return generator, step.filled(Call()) if isinstance(step, Step) else Call()


def unfinished(row: Row, settings: SpanSettings) -> int | None:
    """The index of the span with these settings that a row ends in, or that it goes on with; None if it begins one.

    Text that was put after a constrained value that was cut belongs to the value, as for `resume`.
    """
    last = len(row.pieces) - 1
    index = next((i for i in range(last, -1, -1) if row.pieces[i].kind == "generated"), None)
    if index is None or not _made_by(settings, row.pieces[index]):
        return None
    joined = settings.constraint.constrained and row.pieces[index].finished != "stop"
    return index if index == last or joined else None


def _made_by(settings: SpanSettings, piece: Piece) -> bool:
    made = piece.origin.constraint
    if piece.origin.name != settings.name or made is None:
        return False
    texts = made.kind == settings.constraint.kind == "text"  # whatever strings they end at
    return texts or settings.constraint.allows_the_same(made)
