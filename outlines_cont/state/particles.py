"""Particles: samples that are weighed by their importance, and resampled by it (sequential Monte Carlo)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import exp, fsum, inf, isnan, log, nan

from outlines_cont.state.random_keys import uniform

METHODS = ("multinomial", "systematic")


def weights(log_importance: Sequence[float]) -> list[float]:
    """exp(log importance), up to a factor: the largest is 1. ValueError if one is NaN, or all are −inf."""
    if any(map(isnan, log_importance)):
        raise ValueError(
            "the importance of some rows is not known (NaN): hooks have edited them, their scores were taken under "
            "another model, or tokens were sliced away by which they had been resampled; reset=True takes all as equal"
        )
    top = max(log_importance)
    if top == -inf:
        raise ValueError("all rows have importance 0: none can be drawn")
    return [exp(value - top) for value in log_importance]


def log_mean(log_importance: Sequence[float]) -> float:
    """The log of the mean of exp(log importance)."""
    return max(log_importance) + log(fsum(weights(log_importance)) / len(log_importance))


def effective_sample_size(log_importance: Sequence[float]) -> float:
    """(Σ w)² / Σ w²: so many equally weighted samples would tell as much (Kong, 1992); NaN if not known."""
    if not log_importance or any(map(isnan, log_importance)) or max(log_importance) == -inf:
        return nan
    relative = weights(log_importance)
    return fsum(relative) ** 2 / fsum(weight * weight for weight in relative)


def drawn(
    log_importance: Sequence[float], seed: int, lineage: tuple[int, ...], position: int, method: str = "multinomial"
) -> list[int]:
    """As many places as there are values, in ascending order, each drawn in proportion to its importance.

    "multinomial" draws them one by one; "systematic" at even distances with one random offset, so that each comes up as
    often as expected, rounded up or down (Kitagawa, 1996). The key of the randomness is (seed, lineage, position).
    """
    ends = list(accumulate(weights(log_importance)))
    count = len(ends)
    if method == "systematic":
        offset = uniform(seed, lineage, position, 0, "resample")
        points = [(i + offset) / count for i in range(count)]
    else:
        points = sorted(uniform(seed, lineage, position, i, "resample") for i in range(count))
    return [min(bisect_right(ends, point * ends[-1]), count - 1) for point in points]


def numbered(places: Sequence[int]) -> list[tuple[int, int]]:
    """Each place with the number of times that it came before: the number of its copy."""
    counts: Counter[int] = Counter()
    copies = []
    for place in places:
        copies.append((place, counts[place]))
        counts[place] += 1
    return copies
