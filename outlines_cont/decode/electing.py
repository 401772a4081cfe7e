"""A row that takes one of its options: what they score, and what becomes of it with each that is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from torch import Tensor

from outlines_cont.decode.accepting import GivenDraws
from outlines_cont.decode.drawing import StepDraws
from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.growing_row import GrowingRow, shortened
from outlines_cont.decode.hypothesis import Hypothesis, crossed, ended
from outlines_cont.decode.option_scoring import OptionScores, log_sum, proposals, scored_options
from outlines_cont.decode.status import DRAWING
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import AnsweredNeed
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.spans import SpanStop


def option_needs(h: GrowingRow, place: int) -> list[Need]:
    """The logits that its options need: the pending rows from this place on."""
    scoring, fed = h.scoring, h.fed
    assert scoring is not None
    needs = []
    for at, need in enumerate(scoring.needs, place):
        of_row = need.head == scoring.context  # others are of no row
        claim, parent, keep = (fed.claim, fed.parent, min(fed.keep, need.wanted[0])) if of_row else (None, None, 0)
        needs.append(Need(need.ids, need.wanted, claim, need.head, at, parent, keep))
    return needs


def option_scores(h: GrowingRow, logits: Tensor) -> OptionScores:
    """What its options score, from the logits `[lines, V]` that their needs asked for."""
    assert h.scoring is not None
    return scored_options(h.scoring, h.span.settings.constraint, logits, h.span.logprobs)


def option_potential(h: GrowingRow, place: int) -> float:
    """The log-potential of one of its options, as a whole value; −inf if it is refused, 0 without a predicate."""
    where, scoring = h.span.settings.inspection.where, h.scoring
    if where is None or scoring is None:
        return 0.0
    return where.change("", h.span.settings.constraint.options[scoring.numbers[place]], True)


def vetted_shares(h: GrowingRow, shares: Sequence[float]) -> list[float]:
    """The log-probabilities of its options among those that its predicate accepts, by their potentials; shares: by the
    model. Unsatisfied if it accepts none."""
    if h.span.settings.inspection.where is None:
        return list(shares)
    weighed = [share + option_potential(h, place) for place, share in enumerate(shares)]
    if (norm := log_sum(weighed)) == -inf:
        raise Unsatisfied
    return [share - norm for share in weighed]


class Election(NamedTuple):
    """What the options score that rows wait for.

    Attributes:
        need: the one of their needs that keeps the most of the row.
        scores: None if the rows have to wait on.
        reads: for each of their needs, as which pending row it was read, and a claim.
    """

    need: Need
    scores: OptionScores | None
    reads: Sequence[tuple[int, Claim | None]]

    @classmethod
    def of(cls, h: Hypothesis, answers: Iterable[AnsweredNeed], draws: StepDraws | GivenDraws) -> Election:
        """Of the options that a row waits for, and maybe others. answers: of the needs of these options."""
        each, scoring = list(answers), h.scoring
        assert scoring is not None
        need = max((need for need, *_ in each if need.head == scoring.context), key=lambda need: need.keep)
        reads = [(need.row, claim) for need, _, _, claim in each]
        if each[0][1] < 0:
            return cls(need, None, reads)
        assert isinstance(draws, StepDraws)
        return cls(need, option_scores(h, draws.logits[each[0][1] : each[-1][2]]), reads)

    def elected(self, h: Hypothesis, seed: int) -> Sequence[Hypothesis]:
        """The row with each option that its sampler chooses; the same row, if it waits on."""
        if self.scores is None:
            return [h.waited(self.need)]
        try:
            shares = vetted_shares(h, self.scores.shares)
        except Exception as error:
            return failing(h, error)
        law, places = h.settings.sampler.choose_options(h, shares, seed)
        try:
            return [x for place in places for x in self._with_option(h, self.scores, law, place)]
        except Exception as error:
            return failing(h, error)

    def _with_option(
        self, h: Hypothesis, scores: OptionScores, law: Sequence[float], place: int
    ) -> tuple[Hypothesis, ...]:
        """Ended with an option, as far as there is room. law: the log-probabilities by which options are drawn; the
        proposals of the tokens are those of drawing them one by one by this law."""
        scoring, limit = h.scoring, h.settings.limits.max_tokens
        assert scoring is not None
        ids, (logprobs, stop) = scoring.options[place], scores.scores[place]
        token_proposals, stop_proposal = proposals(scoring.options, law, place)
        need, size = scoring.read(ids)
        row, claim = self.reads[need]
        longer = h.changed(status=DRAWING, scoring=None).longer(ids, logprobs, token_proposals)
        longer = longer.read(row, size, claim and claim.crop(size))
        if limit is not None and (over := longer.span.spent - limit) > 0:
            return crossed(shortened(longer, over))
        return ended(longer, "stop", SpanStop(stop, stop_proposal - option_potential(h, place)))
