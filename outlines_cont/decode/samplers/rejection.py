"""Draws under a predicate that can only be asked: by rejection, with an estimate of how much it accepts.

Adaptive weighted rejection sampling, in its recursive form: Lipkin et al. 2025, "Fast Controlled Generation from
Language Models with Adaptive Weighted Rejection Sampling" (arXiv:2504.05410).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log

import numpy as np
import torch

from outlines_cont.decode.hooks import Standing, accepts, standings
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.kernels.laws import Law, Option
from outlines_cont.kernels.philox import uniforms
from outlines_cont.state.random_keys import random_key, uniform

SMALLEST = 1e-200  # a mass, relative to the largest weight, below which the weights are taken anew
FEW = 512  # candidates: an urn of so many remembers what is left after each
ALWAYS = 2  # random numbers that a row takes, as a rule: the candidate's, and one to see how rare it is


class _Urn:
    """Candidates that are drawn without replacement, in proportion to exp(score), as a value: what is left after a draw
    is another urn. Rows that draw from equal laws share it.

    The mass that is left is summed, and never got by subtraction: it is right however small it becomes.
    """

    __slots__ = ("_ends", "_gone", "_left", "_places", "_scores", "_top", "_weights", "log_mass")

    def __init__(self, scores: np.ndarray):
        self._places = np.flatnonzero(scores > -inf)
        self._scores = scores[self._places].astype(np.float64)
        self._gone: tuple[int, ...] = ()
        self._left: dict[int, _Urn] = {}
        self._weigh()

    def _weigh(self) -> None:
        """Take the weights relative to the largest that is left."""
        scores = self._scores
        if self._gone:
            scores = scores.copy()
            scores[list(self._gone)] = -inf
        self._top = float(scores.max()) if len(self) else 0.0
        self._set_weights(np.exp(scores - self._top))

    def _set_weights(self, weights: np.ndarray) -> None:
        self._weights, self._ends = weights, weights.cumsum()
        mass = float(self._ends[-1]) if len(self) else 0.0
        #: The log of the mass that is left, in units of exp(score); −inf if there is none.
        self.log_mass = self._top + log(mass) if mass else -inf

    def __len__(self) -> int:
        return len(self._places) - len(self._gone)

    def pull(self, number: float) -> int:
        """At which place of the urn a candidate is drawn. number: in [0, 1)."""
        ends = self._ends
        at = int(ends.searchsorted(number * ends[-1], "right"))
        return at if at < len(ends) else int(np.flatnonzero(self._weights)[-1])  # (by rounding)

    def candidate(self, at: int) -> int:
        """The candidate at a place."""
        return int(self._places[at])

    def share(self, at: int) -> float:
        """The log of the share that the candidate at a place has of the mass."""
        return log(float(self._weights[at]) / float(self._ends[-1]))

    def without(self, at: int) -> _Urn:
        """What is left without the candidate at a place."""
        left = self._left.get(at)
        if left is None:
            left = object.__new__(_Urn)
            left._places, left._scores, left._gone, left._top = self._places, self._scores, (*self._gone, at), self._top
            left._left, weights = {}, self._weights.copy()
            weights[at] = 0.0
            left._set_weights(weights)
            if left._ends[-1] < SMALLEST and len(left):
                left._weigh()
            if len(self._places) <= FEW:
                self._left[at] = left
        return left


def drawn(urn: _Urn, accepted: Callable[[int], bool], numbers: Callable[[int], float]) -> tuple[int | None, float]:
    """A candidate that is accepted, and the log of a weight W; (None, −inf) if none is.

    E[W · 1(candidate = x)] = p(x) · accepted(x), where p is the softmax of the urn's scores.

    Args:
        accepted: whether a candidate may be taken; asked about each at most once.
        numbers: the n-th random number, in [0, 1).
    """
    weight, tries = 0.0, 0
    while len(urn):
        at = urn.pull(numbers(tries))
        left, tries = urn.without(at), tries + 1
        if accepted(urn.candidate(at)):
            if not len(left) or accepted(left.candidate(left.pull(numbers(tries)))):
                return urn.candidate(at), weight
            return urn.candidate(at), weight + urn.share(at)
        weight += left.log_mass - urn.log_mass
        urn = left
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
            place, log_weight = drawn(urns.of(standing, scores[row]), standing.accepts, numbers)
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
        """The urn of a row's scores. Rows that stand alike share one, unless a filter changed their scores."""
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
    """The scores of a law, float32 `[rows, candidates]`."""
    return law.scores.detach().cpu().numpy()
