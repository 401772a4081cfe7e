"""Two plain references for exact samples: rejection, and the rule of CARS (Parys et al. 2025, arXiv:2510.01902).

Both write a text token by token by the model's own law, as if nothing were known of it, and throw it away where the
constraint does not let it go on. `CarsReference` remembers, for each prefix, how likely what follows it can still
become a text of the constraint, and draws the next try by that. Each token of each try is a position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

Ids = tuple[int, ...]
#: Of the tokens after the prompt: the probability of each token [V], which of them may follow, and that it ends here.
Law = Callable[[Ids], tuple[np.ndarray, np.ndarray, float]]


@dataclass
class RejectionReference:
    """Tries until one is accepted. law: see `Law`; a text of `most` tokens that has not ended is rejected."""

    law: Law
    most: int
    random: Random
    positions: int = 0
    tries: int = 0

    def draw(self) -> Ids:
        while True:
            self.tries += 1
            if (text := self._try()) is not None:
                return text

    def _try(self) -> Ids | None:
        ids: Ids = ()
        while True:
            probabilities, allowed, stop = self.law(ids)
            self.positions += 1
            number = self.random.random()
            if number < stop:
                return ids
            left = probabilities.copy()
            if stop:
                left[~allowed] = 0  # of which the stop is made
            token = int(np.searchsorted(np.cumsum(left), number - stop, side="right"))
            if token >= len(left) or not allowed[token] or len(ids) == self.most:
                return None
            ids = (*ids, token)


@dataclass
class CarsReference(RejectionReference):
    """Constrained adaptive rejection sampling. What was rejected, and all that is known not to be allowed beside the
    prefixes of a try, is taken out of the next tries."""

    left: dict[Ids, float] = field(default_factory=dict)  # of a prefix: the mass of what may still become a text
    seen: dict[Ids, tuple[np.ndarray, float]] = field(default_factory=dict)

    def _try(self) -> Ids | None:
        """One try by the law that is adjusted with what earlier tries have seen. The root's mass is exact for it."""
        ids: Ids = ()
        given = self.left.get((), 1.0)
        while True:
            self.positions += 1  # a forward: nothing of an earlier try is kept but masses
            first = ids not in self.seen
            if first:
                probabilities, allowed, stop = self.law(ids)
                self.seen[ids] = np.where(allowed & (len(ids) < self.most), probabilities, 0.0), stop
            masses, stop = self._masses(ids)
            total = float(masses.sum()) + stop
            if first:
                self._settle(ids)
                if self.random.random() * given >= total:
                    return None
            number = self.random.random() * total
            if number < stop:
                return ids
            token = min(int(np.searchsorted(np.cumsum(masses), number - stop, side="right")), len(masses) - 1)
            ids = (*ids, token)
            given = self.left.get(ids, 1.0)

    def _masses(self, ids: Ids) -> tuple[np.ndarray, float]:
        probabilities, stop = self.seen[ids]
        masses = probabilities.copy()
        for child, mass in ((child, self.left[child]) for child in self._children(ids)):
            masses[child[-1]] *= mass
        return masses, stop

    def _children(self, ids: Ids) -> Sequence[Ids]:
        return [(*ids, token) for token in np.flatnonzero(self.seen[ids][0]).tolist() if (*ids, token) in self.left]

    def _settle(self, ids: Ids) -> None:
        for size in range(len(ids), -1, -1):
            masses, stop = self._masses(ids[:size])
            self.left[ids[:size]] = float(masses.sum()) + stop


def chi_square(counts: Sequence[int], shares: Sequence[float]) -> float:
    """The probability that counts lie as far from these shares by chance; rare ones are put together."""
    import torch

    total = sum(counts)
    pairs = sorted(zip(shares, counts, strict=True))
    rare = 0
    while rare < len(pairs) and pairs[rare][0] * total < 5:
        rare += 1
    bins = [(math.fsum(share for share, _ in pairs[:rare]), sum(n for _, n in pairs[:rare])), *pairs[rare:]]
    bins = [(share, n) for share, n in bins if share or n]
    if any(not share for share, _ in bins):
        return 0.0
    if len(bins) < 2:
        return 1.0
    statistic = sum((n - share * total) ** 2 / (share * total) for share, n in bins)
    half = torch.tensor([(len(bins) - 1) / 2, statistic / 2], dtype=torch.float64)
    return float(torch.special.gammaincc(half[0], half[1]))
