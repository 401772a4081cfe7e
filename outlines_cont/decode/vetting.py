"""Candidates under a predicate: what each would make of its row, and whether it may come."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import inf

from outlines_cont.decode.asked_texts import change
from outlines_cont.decode.canonical import LOOKBACK
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.onward import alone, drawn, stopped_by_hook
from outlines_cont.state.spans import SpanStop


def vetted(h: Hypothesis) -> bool:
    """Whether there is a predicate that has a say in what comes next."""
    return h.settings.where is not None and h.at.freed is None


class Standing:
    """Where rows stand of which every candidate makes the same: what each would add is worked out once."""

    def __init__(self, h: Hypothesis):
        self._h = alone(h) if vetted(h) else None
        self._changes: dict[int, float] = {}

    def change_by(self, candidate: int) -> float:
        """What a candidate, and all that follows of it without a draw, adds to the log-potential of a row; −inf if the
        predicate refuses it. The constraint must allow it."""
        if self._h is None:
            return 0.0
        added = self._changes.get(candidate)
        if added is None:
            added = self._changes[candidate] = _change_by(self._h, candidate)
        return added

    def accepts(self, candidate: int) -> bool:
        """Whether the predicate lets a candidate come, which the constraint allows."""
        return self.change_by(candidate) > -inf


def standings(live: Sequence[Hypothesis]) -> list[Standing]:
    """Where each of some rows stands: those that stand alike have it in common."""
    made: dict[Hashable, Standing] = {}
    each = []
    for h in live:
        place = _place(h)
        if place not in made:
            made[place] = Standing(h)
        each.append(made[place])
    return each


def _place(h: Hypothesis) -> Hashable:
    """All that decides what a candidate makes of a row, but for log-probabilities: the tokens of its span, how much
    room it has, and the tokens before it that a forced run is spelled by. Of objects, while rows have them, the ids."""
    span = h.span
    row = span.row
    before = row.ids if len(row.ids) <= LOOKBACK else row.ids[-LOOKBACK:]
    return (
        id(span.settings),
        id(row.beside),
        len(row.ids),
        before,
        span.ids,
        span.spent,
        span.notes.unfed,
        span.at.freed,
    )


def _change_by(h: Hypothesis, candidate: int) -> float:
    [after] = drawn(h, candidate, 0.0, 0.0)
    added = change(h.span, after)
    if added == -inf or not after.status.drawing:
        return added
    at, settings = after.span.at, h.span.settings
    if not at.guide.complete(at.state):
        return added
    # Nothing but its end can come of it. (No hook is asked about a row that has no candidate.)
    [ended] = drawn(after, len(settings.encoder.vocabulary.tokens), 0.0, 0.0)
    return -inf if change(after.span, ended) == -inf else added


def change_by(h: Hypothesis, candidate: int) -> float:
    """`Standing.change_by` of one row."""
    return Standing(h).change_by(candidate)


def accepts(h: Hypothesis, candidate: int) -> bool:
    """`Standing.accepts` of one row."""
    return Standing(h).accepts(candidate)


def may_end(h: Hypothesis) -> bool:
    """Whether the predicate of a row lets it end where it is."""
    if not vetted(h):
        return True
    [after] = stopped_by_hook(alone(h), SpanStop(0.0, 0.0))
    return after.status.finished != "stop" or change(h.span, after) > -inf
