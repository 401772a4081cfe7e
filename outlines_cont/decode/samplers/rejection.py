"""Draws under a predicate that can only be asked: by rejection, with an estimate of how much it accepts.

Adaptive weighted rejection sampling, in its recursive form: Lipkin et al. 2025, "Fast Controlled Generation from
Language Models with Adaptive Weighted Rejection Sampling" (arXiv:2504.05410).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log
from typing import NamedTuple

import numpy as np
import torch

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.vetting import Standing, accepts, standings
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.kernels.laws import Law, Option
from outlines_cont.kernels.philox import uniforms
from outlines_cont.state.random_keys import random_key, uniform

SMALLEST = 1e-200  # a mass, relative to the largest weight, below which the weights are taken anew
FEW = 512  # candidates: an urn of so many remembers what is left after each
ALWAYS = 2  # random numbers that a row takes, as a rule: the candidate's, and one to see how rare it is


class _Pull(NamedTuple):
    """A candidate; the logs of its share of the mass, and of the share without it; what is left in the urn."""

    candidate: int
    share: float
    left: float
    urn: _Urn


class _Urn:
    """Candidates that are drawn without replacement, in proportion to exp(score), as a value: what is left after a draw
    is another urn. Rows that draw from equal laws share it.

    The mass that is left is summed, and never got by subtraction: it is right however small it becomes.
    """

    __slots__ = ("_ends", "_gone", "_places", "_pulls", "_scores", "_top", "_weights")

    def __init__(self, scores: np.ndarray):
        self._places = np.flatnonzero(scores > -inf)
        self._scores, self._gone = scores[self._places].astype(np.float64), ()
        self._weigh()
        self._pulls: dict[int, _Pull] = {}

    def _weigh(self) -> None:
        """Take the weights relative to the largest that is left."""
        scores = self._scores
        if self._gone:
            scores = scores.copy()
            scores[list(self._gone)] = -inf
        self._top = float(scores.max()) if len(self) else -inf
        self._weights = np.exp(scores - self._top) if len(self) else np.zeros(len(scores))
        self._ends = self._weights.cumsum()

    def __len__(self) -> int:
        return len(self._places) - len(self._gone)

    def pull(self, number: float) -> _Pull:
        """A candidate, and what is left. number: in [0, 1)."""
        ends = self._ends
        at = int(ends.searchsorted(number * ends[-1], "right"))
        if at == len(ends):  # by rounding
            at = int(np.flatnonzero(self._weights)[-1])
        return self._pulls.get(at) or self._pulled(at)

    def _pulled(self, at: int) -> _Pull:
        mass, urn = float(self._ends[-1]), self._without(at)
        share, left = log(float(self._weights[at]) / mass), -inf
        if len(urn):
            left = urn._top + log(float(urn._ends[-1])) - self._top - log(mass)
        pull = _Pull(int(self._places[at]), share, left, urn)
        if len(self._places) <= FEW:
            self._pulls[at] = pull
        return pull

    def _without(self, at: int) -> _Urn:
        urn = object.__new__(_Urn)
        urn._places, urn._scores, urn._gone, urn._top = self._places, self._scores, (*self._gone, at), self._top
        urn._pulls, urn._weights = {}, self._weights.copy()
        urn._weights[at] = 0.0
        urn._ends = urn._weights.cumsum()
        if urn._ends[-1] < SMALLEST:
            urn._weigh()
        return urn


def drawn(
    scores: np.ndarray, accepted: Callable[[int], bool], numbers: Callable[[int], float]
) -> tuple[int | None, float]:
    """A candidate that is accepted, and the log of a weight W; (None, −inf) if none is.

    E[W · 1(candidate = x)] = p(x) · accepted(x), where p is the softmax of the scores.

    Args:
        scores: `[candidates]`, −inf where nothing is to be drawn.
        accepted: whether a candidate may be taken; asked about each at most once.
        numbers: the n-th random number, in [0, 1).

    >>> import numpy as np
    >>> from outlines_cont.decode.samplers.rejection import drawn
    >>> drawn(np.log([0.5, 0.25, 0.25]), lambda candidate: candidate > 0, lambda n: 0.6)
    (1, -1.3862943611198906)
    """
    return _drawn_from(_Urn(scores), accepted, numbers)


def _drawn_from(
    urn: _Urn, accepted: Callable[[int], bool], numbers: Callable[[int], float]
) -> tuple[int | None, float]:
    weight, tries = 0.0, 0
    while len(urn):
        candidate, share, left, urn = urn.pull(numbers(tries))
        tries += 1
        if accepted(candidate):
            if not len(urn) or accepted(urn.pull(numbers(tries)).candidate):
                return candidate, weight
            return candidate, weight + share
        weight += left
    return None, -inf


def drawn_by_rejection(h: Hypothesis, law: Law, seed: int) -> Option:
    """What a row draws that its predicate accepts, with a proposal by which its importance is right in expectation.

    Raises:
        Unsatisfied: nothing is accepted.
    """
    [option] = all_drawn_by_rejection([h], law, seed)
    if isinstance(option, Exception):
        raise option
    return option


def all_drawn_by_rejection(live: Sequence[Hypothesis], law: Law, seed: int) -> list[Option | Exception]:
    """`drawn_by_rejection` for many rows; in place of what one of them draws there may be an error.

    Rows that stand alike share what is worked out about their candidates, and rows of equal laws an urn. What one
    draws has nothing to do with what others draw.
    """
    scores, first, urns = _scores(law), _first_numbers(live, seed), _Urns()
    draws: list[tuple[int, float] | Exception] = []  # a candidate, and what its proposal is moved by
    for row, (h, standing) in enumerate(zip(live, standings(live), strict=True)):
        numbers = _numbers(h, seed, first[ALWAYS * row : ALWAYS * (row + 1)])
        try:
            place, log_weight = _drawn_from(urns.of(standing, scores[row]), standing.accepts, numbers)
            if place is None:
                raise Unsatisfied
            draws.append((place, log_weight + standing.change_by(place)))
        except Exception as error:
            draws.append(error)
    rows = [row for row, drawn in enumerate(draws) if not isinstance(drawn, Exception)]
    places = [[drawn[0]] for drawn in draws if not isinstance(drawn, Exception)]
    options = iter(law.options(torch.tensor(places, device=law.scores.device), rows) if rows else [])
    return [drawn if isinstance(drawn, Exception) else _moved(next(options)[0], drawn[1]) for drawn in draws]


def _moved(option: Option, by: float) -> Option:
    candidate, logprob, proposal = option
    return candidate, logprob, proposal - by


class _Urns:
    """The urns of one step."""

    def __init__(self) -> None:
        self._made: dict[Standing, tuple[np.ndarray, _Urn]] = {}

    def of(self, standing: Standing, scores: np.ndarray) -> _Urn:
        """That of a row, by its scores. Rows that stand alike have equal ones, unless somebody changed them."""
        made = self._made.get(standing)
        if made is None or not np.array_equal(made[0], scores):
            made = self._made[standing] = scores, _Urn(scores)
        return made[1]


def _first_numbers(live: Sequence[Hypothesis], seed: int) -> list[float]:
    """The first random numbers of each row, `ALWAYS` of them."""
    return uniforms(
        [random_key(seed, h.lineage, h.position, h.attempt, f"where {n}") for h in live for n in range(ALWAYS)]
    )


def _numbers(h: Hypothesis, seed: int, first: Sequence[float]) -> Callable[[int], float]:
    """The n-th random number of a row, of which some are given."""

    def number(tries: int) -> float:
        if tries < len(first):
            return first[tries]
        return uniform(seed, h.lineage, h.position, h.attempt, f"where {tries}")

    return number


def likeliest_accepted(h: Hypothesis, law: Law) -> Option:
    """The likeliest candidate that the predicate of a row accepts; of equal ones the first.

    Raises:
        Unsatisfied: nothing is accepted.
    """
    first = law.likeliest.tolist()[0]
    if accepts(h, first):
        return _option(law, first)
    scores = _scores(law)[0]
    for place in np.argsort(-scores, kind="stable").tolist():
        if scores[place] == -inf:
            break
        if place != first and accepts(h, place):
            return _option(law, place)
    raise Unsatisfied


def _option(law: Law, place: int) -> Option:
    [[option]] = law.options(torch.tensor([[place]], device=law.scores.device))
    return option


def _scores(law: Law) -> np.ndarray:
    """Those of a law, float32 `[rows, candidates]`."""
    return law.scores.detach().cpu().numpy()
