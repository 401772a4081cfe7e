"""Ballots: a choice made at once. All options are scored, and one is elected by its probability.

Each candidate is a hypothesis that has its option's tokens, spelled canonically, and waits for their scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, fsum, inf, log, nan
from typing import TYPE_CHECKING, NamedTuple

from outlines_cont.row import Row, Stop

if TYPE_CHECKING:
    from outlines_cont.hypothesis import Hypothesis

# From a candidate (for the key of its randomness) and the log-probabilities of all of them: the log-probabilities that
# they are drawn by, and which are elected.
Elect = Callable[["Hypothesis", list[float]], tuple[list[float], list[int]]]


class Candidate(NamedTuple):
    """ballot: an object of its own for each; option: its number; begin: how many of the span's tokens stood before;
    alone: it is scored without what stands before it, and cannot be elected."""

    ballot: object
    option: int
    begin: int
    alone: bool = False


def candidates(fresh: Hypothesis) -> tuple[Hypothesis, ...]:
    """All options whose spelling begins with what this span has; none, if there is none.

    ValueError if the model cannot read one to its end.
    """
    job, ballot, begin = fresh.job, object(), len(fresh.ids)
    encoder, found = job.encoder, []
    for number, option in enumerate(job.maker.options):
        ids = tuple(encoder.encode_bytes(job.healed + option.encode()))
        if ids[:begin] != fresh.ids:
            continue
        if job.context_length is not None and len(fresh.row) + len(ids) > job.context_length:
            raise ValueError(
                f"choice(by='sequence'): the option {option!r} takes {len(ids)} tokens after a row of "
                f"{len(fresh.row)}; the model's context is {job.context_length}"
            )
        starts = [(fresh, False)]
        if job.maker.normalize == "unconditional":
            blank = replace(fresh, row=Row(ids=encoder.blank), claim=None, parent=None, fed=0, weight=0.0, generated=0)
            starts.append((blank, True))
        for start, alone in starts:
            zeros = [0.0] * (len(ids) - begin)
            h = start.longer(ids[begin:], zeros, zeros, unscored=len(zeros))
            certain = job.maker.must_stop(h.at.guide, h.at.state)
            h = h.changed(candidate=Candidate(ballot, number, begin, alone), stop=Stop(0.0, nan) if certain else None)
            found.append(h.changed(ending="stop") if zeros or not certain else h.changed(finished="stop"))
    if found and all(h.finished for h in found):  # it has been spelled to its end, so there is only one
        return found[0].changed(candidate=None, stop=Stop(0.0, 0.0)).crossed()
    return tuple(found)


def _ballots(group: Sequence[Hypothesis]) -> list[list[Hypothesis]]:
    """The hypotheses of each ballot together, and all others by themselves."""
    found: dict[object, list[Hypothesis]] = {}
    for h in group:
        found.setdefault(h.candidate.ballot if h.candidate else h, []).append(h)
    return list(found.values())


def present(group: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses, one for each ballot."""
    return [ballot[0] for ballot in _ballots(group)]


def probabilities(ballot: Sequence[Hypothesis]) -> dict[int, float]:
    """The log-probability of each option of a ballot that was scored."""
    own: dict[int, float] = {}
    alone: dict[int, float] = {}
    for h in ballot:
        assert h.candidate is not None and h.stop is not None
        begin = h.candidate.begin
        total = fsum([*(value for value in h.logprobs[begin:] if value is not None), h.stop.logprob])
        (alone if h.candidate.alone else own)[h.candidate.option] = total
        if h.job.maker.normalize == "mean" and not h.candidate.alone:
            own[h.candidate.option] = total / (len(h.ids) - begin + 1)
    values = {option: total if total == -inf else total - alone.get(option, 0.0) for option, total in own.items()}
    norm = _log_sum(values.values())
    if norm == -inf:
        raise ValueError("the model gives probability 0 to every option")
    return {option: value - norm for option, value in values.items()}


def _log_sum(values: Iterable[float]) -> float:
    """The log of the sum of exp(values)."""
    values = list(values)
    top = max(values)
    return top if top == -inf else top + log(fsum(exp(value - top) for value in values))


def ballots(group: Sequence[Hypothesis]) -> list[dict[int, float]]:
    """The log-probabilities of each row's options: none after a dead row; 0 where there is but one, and no ballot."""

    def known(ballot: list[Hypothesis]) -> dict[int, float]:
        if ballot[0].candidate is None:
            return {} if ballot[0].row.dead else {0: 0.0}
        return probabilities(ballot)

    return [known(ballot) for ballot in _ballots(group)]


def elected(group: Sequence[Hypothesis], elect: Elect) -> tuple[Hypothesis, ...]:
    """The hypotheses after their ballots, all of which are scored."""
    if all(h.candidate is None for h in group):
        return tuple(group)
    found: list[Hypothesis] = []
    for ballot in _ballots(group):
        if ballot[0].candidate is None:
            found += ballot
            continue
        known = probabilities(ballot)
        running = [h for h in ballot if h.candidate and not h.candidate.alone]
        law, chosen = elect(running[0], list(known.values()))
        for place in chosen:
            found += _winner(running[place], running, law, place)
    return tuple(found)


def _winner(h: Hypothesis, running: Sequence[Hypothesis], law: Sequence[float], place: int) -> tuple[Hypothesis, ...]:
    """Elected. Its tokens' proposals are those of drawing them one by one by the same law of the options."""
    assert h.candidate is not None and h.stop is not None
    begin, ids = h.candidate.begin, h.ids
    masses = [
        _log_sum(p for other, p in zip(running, law, strict=True) if other.ids[:size] == ids[:size])
        for size in range(begin, len(ids) + 1)
    ]
    steps = [min(0.0, b - a) for a, b in pairwise(masses)]
    stop = replace(h.stop, proposal=min(0.0, law[place] - masses[-1]))
    h = h.changed(candidate=None, proposals=(*h.proposals[:begin], *steps), stop=stop)
    over = 0 if h.job.max_tokens is None else h.spent - h.job.max_tokens
    return h.shortened(over).crossed() if over > 0 else h.crossed()
