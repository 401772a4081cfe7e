"""A row that takes one of its options: what they score, and what becomes of it with each that is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import TypeVar

from torch import Tensor

from outlines_cont.decode.answers import need_of_row
from outlines_cont.decode.branch import Branching
from outlines_cont.decode.combined_law import Densities
from outlines_cont.decode.drawing import with_alternatives_of_given
from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.growing_row import GrowingRow, shortened
from outlines_cont.decode.hypothesis import Hypothesis, crossed, scored
from outlines_cont.decode.option_scoring import (
    ChooseOptions,
    OptionScores,
    OptionScoring,
    log_sum,
    proposals,
    scored_options,
)
from outlines_cont.decode.status import DRAWING, ENDED
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import AnsweredNeed
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.rescore import logprob_of
from outlines_cont.state.spans import SpanStop

# --- what logits say of tokens that were given, and of options that are compared: the answers of needs, as scores

# What options score; and for each of their needs, as which pending row it was read, and a claim.
Election = tuple[OptionScores, list[tuple[int, Claim | None]]]


def election_of(h: Hypothesis, answers: Iterable[AnsweredNeed], logits: Tensor) -> Election | Need:
    """What the options score that this row waits for, and maybe others; the need of the row, if it has to wait on.

    `answers`: of their needs.
    """
    each = list(answers)
    if each[0][1] < 0:
        return need_of_row(h, [need for need, _, _, _ in each])
    return option_scores(h, logits[each[0][1] : each[-1][2]]), [(need.row, claim) for need, _, _, claim in each]


def given_scored(
    h: Hypothesis, logits: Tensor, line: int, branching: Branching, proposal: Densities | None
) -> tuple[Hypothesis, ...]:
    """A row with its tokens scored that were given; `line`: of the logits before the first of these; proposal: the laws
    to draw from, where these are others."""
    ids = (*h.ids[len(h.ids) - h.unscored :], *(h.span.dropped if h.ending else ()))
    try:
        logprobs = [logprob_of(logits[line + at], token) for at, token in enumerate(ids)]
        if h.settings.inspection.alternatives and h.unscored:
            h = with_alternatives_of_given(h, logits[line : line + h.unscored])
        return scored(h, logprobs, branching, proposal and proposal.of_given(h, line, ids, logprobs))
    except Exception as error:
        return failing(h, error)


# --- whole options under a predicate: it is asked about each, as a whole value


def option_potential(h: GrowingRow, scoring: OptionScoring, place: int) -> float:
    """The log-potential of one of the options that a row waits for; −inf if it is refused, 0 without a predicate."""
    where = h.span.settings.inspection.where
    if where is None:
        return 0.0
    return where.change("", h.span.settings.constraint.options[scoring.numbers[place]], True)


def vetted_shares(h: GrowingRow, shares: Sequence[float]) -> list[float]:
    """The log-probabilities of the options that a row waits for, among those that its predicate accepts, by their
    potentials: with those of the model, which are `shares`.

    Raises:
        Unsatisfied: it accepts none.
    """
    scoring = h.scoring
    if h.span.settings.inspection.where is None or scoring is None:
        return list(shares)
    weighed = [share + option_potential(h, scoring, place) for place, share in enumerate(shares)]
    if (norm := log_sum(weighed)) == -inf:
        raise Unsatisfied
    return [share - norm for share in weighed]


# --- electing

R = TypeVar("R", bound=Hypothesis)


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


def elected(
    h: R, scores: OptionScores, choose: ChooseOptions, reads: Sequence[tuple[int, Claim | None]]
) -> Iterator[R]:
    """The row with each option that is chosen.

    Tokens' proposals are those of drawing them one by one by the same law of the options. `reads`: for each need,
    as which pending row it was read, and a claim on its keys and values.
    """
    scoring = h.scoring
    assert scoring is not None
    law, places = choose(scores.shares)
    for place in places:
        ids, (logprobs, stop) = scoring.options[place], scores.scores[place]
        token_proposals, stop_proposal = proposals(scoring.options, law, place)
        need, size = scoring.read(ids)
        row, claim = reads[need]
        longer = h.changed(status=DRAWING, scoring=None).longer(ids, logprobs, token_proposals)
        read = longer.read(row, size, claim and claim.crop(size))
        stop_proposal -= option_potential(h, scoring, place)
        yield from _ended_by_option(read, SpanStop(stop, stop_proposal))


def _ended_by_option(h: R, stop: SpanStop) -> tuple[R, ...]:
    """Ended with the option that was chosen for it, as far as there is room."""
    span, limit = h.span, h.span.settings.limits.max_tokens
    ended = h.changed(span=span.changed(stop=stop, weight=span.weight + stop.logprob), status=ENDED, end="stop")
    over = 0 if limit is None else span.spent - limit
    return crossed(shortened(ended, over) if over > 0 else ended)
