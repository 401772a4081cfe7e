"""A row that takes one of its options: what they score, and what becomes of it with each that is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from torch import Tensor

from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.onward import crossed
from outlines_cont.decode.option_scoring import ChooseOptions, OptionScores, proposals, scored_options
from outlines_cont.decode.span_ends import shortened
from outlines_cont.decode.status import DRAWING, ENDED
from outlines_cont.decode.vetted_options import option_potential
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.spans import SpanStop

R = TypeVar("R", bound=GrowingRow)


def option_needs(h: GrowingRow, place: int) -> list[Need]:
    """The logits that its options need: the pending rows from this place on."""
    scoring, fed = h.status.scoring, h.fed
    assert scoring is not None
    needs = []
    for at, need in enumerate(scoring.needs, place):
        of_row = need.head == scoring.context  # others are of no row
        claim, parent, keep = (fed.claim, fed.parent, min(fed.keep, need.wanted[0])) if of_row else (None, None, 0)
        needs.append(Need(need.ids, need.wanted, claim, need.head, at, parent, keep))
    return needs


def option_scores(h: GrowingRow, logits: Tensor) -> OptionScores:
    """What its options score, from the logits `[lines, V]` that their needs asked for."""
    assert h.status.scoring is not None
    return scored_options(h.status.scoring, h.span.settings.constraint, logits, h.span.logprobs)


def elected(
    h: R, scores: OptionScores, choose: ChooseOptions, reads: Sequence[tuple[int, Claim | None]]
) -> Iterator[R]:
    """The row with each option that is chosen.

    Tokens' proposals are those of drawing them one by one by the same law of the options. `reads`: for each need,
    as which pending row it was read, and a claim on its keys and values.
    """
    scoring = h.status.scoring
    assert scoring is not None
    law, places = choose(scores.shares)
    for place in places:
        ids, (logprobs, stop) = scoring.options[place], scores.scores[place]
        token_proposals, stop_proposal = proposals(scoring.options, law, place)
        need, size = scoring.read(ids)
        row, claim = reads[need]
        longer = h.changed(status=DRAWING).longer(ids, logprobs, token_proposals)
        read = longer.read(row, size, claim and claim.crop(size))
        stop_proposal -= option_potential(h, scoring, place)
        yield from _ended_by_option(read, SpanStop(stop, stop_proposal))


def _ended_by_option(h: R, stop: SpanStop) -> tuple[R, ...]:
    """Ended with the option that was chosen for it, as far as there is room."""
    span, limit = h.span, h.span.settings.max_tokens
    ended = h.changed(span=span.changed(stop=stop, weight=span.weight + stop.logprob), status=ENDED["stop"])
    over = 0 if limit is None else span.spent - limit
    return crossed(shortened(ended, over) if over > 0 else ended)
