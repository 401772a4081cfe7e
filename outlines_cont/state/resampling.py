"""Resamplings: the points of a row at which it was drawn, by its importance, among the samples of its batch row.

A row holds them in order. One that lies beyond the row's end was sliced away: it is back when the row is joined with
the part that was cut off, and lost for good when something else is put there (`sealed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

from outlines_cont.state.spans import SpanStop, total

Logprobs = tuple[float | None, ...]
PlacedStops = Sequence[tuple[int, SpanStop]]  # each stop of a row, with the number of the row's tokens before it


class Resampling(NamedTuple):
    """A point of a row at which it was drawn among the samples by its importance.

    Attributes:
        position: how many tokens stand before it.
        stops: how many stops stood at that position then.
        level: the log of the samples' mean importance. It takes the place of everything between `begin` and the
            position. NaN where the point was sliced away, so that the reason for the choice is not known any more.
        begin: where the row begins that was resampled, if another one was put before it later.
        ancestor: which of the samples it was then; −1 where that is not known.
    """

    position: int
    stops: int
    level: float
    begin: int = 0
    ancestor: int = -1


START = Resampling(0, 0, 0.0)  # a row that was never resampled counts from its beginning on


def sealed(resamplings: tuple[Resampling, ...], end: int) -> tuple[Resampling, ...]:
    """The resamplings up to `end`. If some lie beyond it, one of an unknown level stands for them."""
    kept = tuple(resampling for resampling in resamplings if resampling.position <= end)
    return resamplings if len(kept) == len(resamplings) else (*kept, Resampling(end, 0, nan))


def taken(resamplings: tuple[Resampling, ...], positions: range) -> tuple[Resampling, ...]:
    """The resamplings of a row of which the tokens at these positions are taken.

    One that lies at the first position belongs to the tokens before it. Tokens that are taken with a step, or
    backwards, leave one of an unknown level.
    """
    if not resamplings:
        return ()
    if positions.step != 1:
        return (Resampling(len(positions), 0, nan),)
    start = positions.start
    return tuple(
        resampling._replace(position=resampling.position - start, begin=max(0, resampling.begin - start))
        for resampling in resamplings
        if resampling.position > start
    )


def joined(left: tuple[Resampling, ...], length: int, right: tuple[Resampling, ...]) -> tuple[Resampling, ...]:
    """The resamplings of two joined rows: the left one's, of this length, and then the right one's."""
    moved = tuple(r._replace(position=r.position + length, begin=r.begin + length) for r in right)
    beyond = [resampling[:3] for resampling in left if resampling.position > length]
    if beyond == [resampling[:3] for resampling in moved[: len(beyond)]]:  # what was sliced away is back
        return left + moved[len(beyond) :]
    return sealed(left, length) + moved


def brought_forward(
    resamplings: tuple[Resampling, ...], end: int, stops_at_end: int, removed: float
) -> tuple[Resampling, ...]:
    """The resamplings, those behind `end` as one at `end`, with the last level less the `removed` log importance."""
    behind = sum(resampling.position > end for resampling in resamplings)
    if not behind:
        return resamplings
    last = resamplings[-1]
    first = resamplings[-behind].ancestor
    moved = last._replace(position=end, stops=stops_at_end, level=last.level - removed, ancestor=first)
    return (*resamplings[:-behind], moved)


def replaced_logprob(resampling: Resampling, logprobs: Logprobs, stops: PlacedStops) -> float:
    """The log-probability of the tokens and stops whose importance a resampling's level replaces."""
    position, counted, _, begin, _ = resampling
    between = [stop for at, stop in stops if (begin < at or not begin) and at < position]
    here = [stop for at, stop in stops if at == position][:counted]
    drawn = (value for value in logprobs[begin:position] if value is not None)
    return total([*drawn, *(stop.logprob for stop in (*between, *here))])


def log_importance(
    resamplings: tuple[Resampling, ...], logprobs: Logprobs, proposals: Logprobs, stops: PlacedStops
) -> float:
    """Σ (logprob − proposal) over tokens and stops since the last resampling, and its level; NaN if not known.

    Where another row was put before the one that was resampled, that row's own importance is added.
    """
    end = len(logprobs)
    if not resamplings:
        return total([*_differences(logprobs, proposals), *(stop.logprob - stop.proposal for _, stop in stops)])
    earlier = list(resamplings)
    if earlier and earlier[-1].position > end:
        return nan
    terms: list[float] = []
    while True:
        while earlier and earlier[-1].position > end:
            earlier.pop()
        last = earlier.pop() if earlier else START
        stops_since = _stops_since(last, end, stops)
        if stops_since is None:
            return nan
        terms.append(last.level)
        terms += _differences(logprobs[last.position : end], proposals[last.position : end])
        terms += [stop.logprob - stop.proposal for stop in stops_since]
        if not last.begin:
            return total(terms)
        end = last.begin


def _differences(logprobs: Logprobs, proposals: Logprobs) -> list[float]:
    """Logprob − proposal of the tokens that were drawn."""
    pairs = zip(logprobs, proposals, strict=True)
    return [logprob - law for logprob, law in pairs if logprob is not None and law is not None]


def _stops_since(resampling: Resampling, end: int, stops: PlacedStops) -> list[SpanStop] | None:
    """The stops from a resampling up to `end`; None if a stop that stood before the resampling is gone."""
    here = [stop for at, stop in stops if at == resampling.position]
    if len(here) < resampling.stops:
        return None
    return [*here[resampling.stops :], *(stop for at, stop in stops if resampling.position < at <= end)]
