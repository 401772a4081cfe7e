"""Candidates under a predicate: what each would make of its row, and whether it may come."""

from __future__ import annotations

from math import inf

from outlines_cont.decode.asked_texts import change
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.onward import alone, drawn, stopped_by_hook
from outlines_cont.state.spans import SpanStop


def vetted(h: Hypothesis) -> bool:
    """Whether there is a predicate that has a say in what comes next."""
    return h.settings.where is not None and h.at.freed is None


def change_by(h: Hypothesis, candidate: int) -> float:
    """What a candidate, and all that follows of it without a draw, adds to the log-potential of a row; −inf if the
    predicate refuses it. The constraint must allow it."""
    if not vetted(h):
        return 0.0
    [after] = drawn(alone(h), candidate, 0.0, 0.0)
    return change(h.span, after)


def accepts(h: Hypothesis, candidate: int) -> bool:
    """Whether the predicate of a row lets a candidate come, which the constraint allows."""
    return change_by(h, candidate) > -inf


def may_end(h: Hypothesis) -> bool:
    """Whether the predicate of a row lets it end where it is."""
    if not vetted(h):
        return True
    [after] = stopped_by_hook(alone(h), SpanStop(0.0, 0.0))
    return after.status.finished != "stop" or change(h.span, after) > -inf
