"""Whole options under a predicate: it is asked about each, as a whole value."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.option_scoring import OptionScoring, log_sum
from outlines_cont.decode.where import Unsatisfied


def option_potential(h: GrowingRow, scoring: OptionScoring, place: int) -> float:
    """The log-potential of one of the options that a row waits for; −inf if it is refused, 0 without a predicate."""
    where = h.span.settings.where
    if where is None:
        return 0.0
    return where.change("", h.span.settings.constraint.options[scoring.numbers[place]], True)


def vetted_shares(h: GrowingRow, shares: Sequence[float]) -> list[float]:
    """The log-probabilities of the options that a row waits for, among those that its predicate accepts, by their
    potentials: with those of the model, which are `shares`.

    Raises:
        Unsatisfied: it accepts none.
    """
    scoring = h.status.scoring
    if h.span.settings.where is None or scoring is None:
        return list(shares)
    weighed = [share + option_potential(h, scoring, place) for place, share in enumerate(shares)]
    if (norm := log_sum(weighed)) == -inf:
        raise Unsatisfied
    return [share - norm for share in weighed]
