"""What a row would go on with if another model's logits were its own: under its constraint, by its sampler, with its
random numbers. A draft that draws like this draws what the row draws wherever the two models agree well enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torch import Tensor

from outlines_cont.decode.drafts.ahead import Ahead
from outlines_cont.decode.failed_rows import lawful
from outlines_cont.decode.logits import law_of
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.kernels.constrain import Scratch
from outlines_cont.kernels.laws import Candidates

if TYPE_CHECKING:
    from outlines_cont.decode.drafts.protocol import DraftRow


def likely(points: Sequence[Ahead], logits: Tensor, rows: Sequence[DraftRow], width: int) -> list[list[int]]:
    """For each point the token that its row would draw there, and then the likeliest others, `width` at most.

    logits: `[points, V]`; rows: that of each point. None where the row would stop, or where nothing can be drawn:
    where a predicate refuses all, or a filter raises.
    """

    def law(places: list[int]) -> Candidates:
        return law_of([points[place].h for place in places], logits[places], Scratch(), True, {})

    candidates, errors = lawful(len(points), law)
    choices: list[list[int]] = [[] for _ in points]
    places = [place for place in range(len(points)) if place not in errors]
    if candidates is None:
        return choices
    others = candidates.best(width) if width > 1 else [[] for _ in places]
    for i, place in enumerate(places):
        try:
            first = _drawn(points[place], candidates.row(i), rows[place])
        except Exception:  # of a filter or a predicate, or it refuses all: if the row gets there, its step raises it
            continue
        tokens = dict.fromkeys([first, *(token for token, _, proposal in others[i] if proposal > float("-inf"))])
        choices[place] = [token for token in tokens if token != candidates.stop][:width]
    return choices


def _drawn(point: Ahead, law: Candidates, row: DraftRow) -> int:
    """What a row would draw from the law at a point; the likeliest candidate, if its sampler compares rows."""
    if not isinstance(row.sampler, RowByRow):
        return law.greedy()[0][0]
    return row.sampler.draw_by(point.h, law, point.h.at.followed.filters, row.seed)[1][0]
