"""Draws under a predicate that can only be asked: by rejection, with an estimate of how much it accepts.

Adaptive weighted rejection sampling, in its recursive form: Lipkin et al. 2025, "Fast Controlled Generation from
Language Models with Adaptive Weighted Rejection Sampling" (arXiv:2504.05410).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log

import numpy as np
import torch

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.vetting import accepts, change_by
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.kernels.laws import Law, Option
from outlines_cont.state.random_keys import uniform

SMALLEST = 1e-200  # a mass, relative to the largest weight, below which the weights are taken anew


class _Urn:
    """Candidates that are drawn without replacement, in proportion to exp(score).

    The mass that is left is summed, and never got by subtraction: it is right however small it becomes.
    """

    def __init__(self, scores: np.ndarray):
        self._places = np.flatnonzero(scores > -inf)
        self._scores, self._left = scores[self._places], len(self._places)
        self._weigh()

    def _weigh(self) -> None:
        """Take the weights relative to the largest that is left."""
        self._top = float(self._scores.max()) if self._left else -inf
        self._weights = np.exp(self._scores - self._top) if self._left else self._scores

    def __len__(self) -> int:
        return self._left

    def pull(self, number: float) -> tuple[int, float, float]:
        """A candidate; the logs of its share of the mass, and of the share without it. number: in [0, 1)."""
        ends = self._weights.cumsum()
        mass = float(ends[-1])
        at = int(np.searchsorted(ends, number * mass, side="right"))
        if at == len(ends):  # by rounding
            at = int(np.flatnonzero(self._weights)[-1])
        share, whole = log(float(self._weights[at]) / mass), self._top + log(mass)
        self._scores[at], self._weights[at], self._left = -inf, 0.0, self._left - 1
        candidate = int(self._places[at])
        if not self._left:
            return candidate, share, -inf
        if (left := float(self._weights.sum())) < SMALLEST:
            self._weigh()
            left = float(self._weights.sum())
        return candidate, share, self._top + log(left) - whole


def drawn(
    scores: np.ndarray, accepted: Callable[[int], bool], numbers: Callable[[int], float]
) -> tuple[int | None, float]:
    """A candidate that is accepted, and the log of a weight W; (None, −inf) if none is.

    E[W · 1(candidate = x)] = p(x) · accepted(x), where p is the softmax of the scores.

    Args:
        scores: float64 `[candidates]`, −inf where nothing is to be drawn.
        accepted: whether a candidate may be taken; asked about each at most once.
        numbers: the n-th random number, in [0, 1).

    >>> import numpy as np
    >>> from outlines_cont.decode.samplers.rejection import drawn
    >>> drawn(np.log([0.5, 0.25, 0.25]), lambda candidate: candidate > 0, lambda n: 0.6)
    (1, -1.3862943611198906)
    """
    urn, weight, tries = _Urn(scores), 0.0, 0
    while len(urn):
        candidate, share, left = urn.pull(numbers(tries))
        tries += 1
        if accepted(candidate):
            if not len(urn) or accepted(urn.pull(numbers(tries))[0]):
                return candidate, weight
            return candidate, weight + share
        weight += left
    return None, -inf


def drawn_by_rejection(h: Hypothesis, law: Law, seed: int) -> Option:
    """What a row draws that its predicate accepts, with a proposal by which its importance is right in expectation.

    Raises:
        Unsatisfied: nothing is accepted.
    """

    def number(tries: int) -> float:
        return uniform(seed, h.lineage, h.position, h.attempt, f"where {tries}")

    place, log_weight = drawn(_scores(law), lambda candidate: accepts(h, candidate), number)
    if place is None:
        raise Unsatisfied
    candidate, logprob, proposal = _option(law, place)
    return candidate, logprob, proposal - log_weight - change_by(h, place)


def likeliest_accepted(h: Hypothesis, law: Law) -> Option:
    """The likeliest candidate that the predicate of a row accepts; of equal ones the first.

    Raises:
        Unsatisfied: nothing is accepted.
    """
    first = law.likeliest.tolist()[0]
    if accepts(h, first):
        return _option(law, first)
    scores = _scores(law)
    for place in np.argsort(-scores, kind="stable").tolist():
        if scores[place] == -inf:
            break
        if place != first and accepts(h, place):
            return _option(law, place)
    raise Unsatisfied


def _scores(law: Law) -> np.ndarray:
    """Those of a law of one row, float64 `[candidates]`."""
    return law.scores[0].detach().to("cpu", torch.float64).numpy()


def _option(law: Law, place: int) -> Option:
    [[option]] = law.options(torch.tensor([[place]], device=law.scores.device))
    return option
