"""Which samples are random draws, so that they weigh something as particles; and why others are not, or it is unknown.

A sample's importance is the model's own probability of what was written over that of the law it was drawn from. What a
sampler chose (greedy, beams), or a controller wrote, was not drawn from that law.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece

DRAW = "Draw with oc.samplers.multinomial(samples=…) or oc.samplers.smc(…)"
SAY = "Say what it wants by a constraint and a predicate (where=…), which are weighed"


class Undrawn(NamedTuple):
    """A span that is no random draw: of which sample, which one, why, and what to do instead."""

    sample: int
    span: str
    reason: str
    instead: str


def undrawn(rows: Sequence[Row], drawn_next: bool = False) -> Undrawn | None:
    """The first span, of the samples of one batch row, that is no random draw. None: their weights compare them.

    A beginning that all live samples share is given to them, as a prompt is, if each has drawn something after it, or
    is about to (`drawn_next`). What stands before a resampling counts no more: where samples were chosen, that took all
    as equal (`reset`).
    """
    live = [(place, row) for place, row in enumerate(rows) if not row.dead]
    given = _given([row.pieces for _, row in live])
    for place, row in live:
        for piece in _weighed(row, given, drawn_next):
            if reason := _reason(piece):
                return Undrawn(place, repr(piece.name) if piece.name else f"of {piece.generator}", *reason)
    return None


def _weighed(row: Row, given: int, drawn_next: bool) -> list[Piece]:
    """The spans that a row's weight depends on: behind its first pieces that are given, and its last resampling."""
    placed = list(row.placed)
    if drawn_next or any(piece.kind == "generated" for _, _, piece in placed[given:]):
        placed = placed[given:]
    forgotten = row.resamplings[-1].position if row.resamplings else -1
    return [piece for _, end, piece in placed if end > forgotten]


def check_drawn(rows: Sequence[Row], doing: str, drawn_next: bool = False) -> None:
    """ValueError, that says what was to be done, if samples of a batch row are no random draws; see `undrawn`."""
    if wrong := undrawn(rows, drawn_next):
        raise ValueError(
            f"{doing}: the span {wrong.span} of sample {wrong.sample} is no random draw: {wrong.reason}, so that its "
            f"weight says nothing. {wrong.instead}; or take all samples as equal with state.resample(reset=True)"
        )


def importances_of(rows: Sequence[Row], doing: str) -> list[float]:
    """The log importances of the live samples of a batch row. ValueError, as of `check_drawn`, if they say nothing."""
    check_drawn(rows, doing)
    return [row.log_importance for row in rows if not row.dead]


def all_drawn(rows: Sequence[Row]) -> bool:
    """Whether everything that was generated in the live ones of these rows is a random draw."""
    return not any(_reason(piece) for row in rows if not row.dead for piece in row.pieces)


def ancestor(row: Row, place: int) -> int:
    """Which sample a row came from that stands at this place now: −1 if it is dead, or that is not known."""
    if row.dead:
        return -1
    return row.resamplings[0].ancestor if row.resamplings else place


def why_unknown(row: Row) -> str:
    """Why the importance of a row is NaN, and what to do."""
    stops = [stop for _, stop in row.stops]
    if row.on_graft[1]:
        return "its log-probabilities were measured on a graft: state.rescore() takes them anew"
    if any(value is not None and isnan(value) for value in (*row.logprobs, *(stop.logprob for stop in stops))):
        return "its log-probabilities are not known under this model: state.rescore() takes them anew"
    if any(value is not None and isnan(value) for value in (*row.proposals, *(stop.proposal for stop in stops))) or any(
        True for piece in row.pieces for _ in piece.edited
    ):
        return (
            "a hook has declined or replaced its draws, or they were made elsewhere: nobody knows by which law. What a "
            "hook declines by the text alone is weighed as a predicate, where=…; a hook that only looks is oc.Watch"
        )
    if not row.resamplings:
        return "the model and the law that it was drawn from both say that it cannot be written"
    return (
        "tokens or stops were sliced away by which it had been resampled: join them again, or take all as equal with "
        "state.resample(reset=True)"
    )


def _given(pieces: Sequence[tuple[Piece, ...]]) -> int:
    """How many pieces are given: up to the last one of those that all rows begin with that is no random draw."""
    given = 0
    for number, (first, *others) in enumerate(zip(*pieces, strict=False), 1):
        if any((piece.origin, piece.lo, piece.hi) != (first.origin, first.lo, first.hi) for piece in others):
            break
        given = number if _reason(first) else given
    return given


def _reason(piece: Piece) -> tuple[str, str] | None:
    """Why a span is no random draw by the law that its proposals say, and what to do instead; None if it is one, or was
    given."""
    if piece.kind != "generated":
        return None
    if piece.origin.chosen_by is not None:
        return f"{piece.origin.chosen_by} took the best candidates and drew none", DRAW
    if piece.generator == "control":
        return "its controller may have given up draws, forked rows and dropped them", SAY
    return None
