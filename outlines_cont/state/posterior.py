"""What weighed samples estimate: how likely it is that anything right is written, and which texts, with what shares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import exp, fsum, inf, isnan, log, nan

import torch
from torch import Tensor

from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.grid import Grid
from outlines_cont.state.particles import all_drawn, importances_of
from outlines_cont.state.row import Row


class WeighedGrid(Grid):
    """A grid whose samples are particles: each batch row's stand, by their importance, for one law of texts."""

    __slots__ = ()

    @property
    def log_evidence(self) -> Tensor:
        """The log of the mean of exp(`log_importance`) over all S samples of each batch row: float64 `(B,)`.

        The mean is an unbiased estimate of the probability that the model writes a text that constraint and predicate
        accept (for a product of experts: of its mass). Dead rows count in S, with weight 0: also those that were dead
        before the last call, and those that only fill up the grid (`best`, `oc.cat`). −inf if all are dead. NaN where
        the importance of a sample is not known, where a row failed (`errors`), for nobody knows what it would have
        weighed, without samples, and where samples were not drawn at random (greedy decoding, beams, controllers). A
        selection of samples (`state[:, :8]`) is estimated as if it were all of them.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> [round(value, 2) for value in state.log_evidence.tolist()]
        [-3.25]
        """
        values = [_log_evidence(rows) for rows in self.rows]
        return torch.tensor(values, dtype=torch.float64, device=self.model.device)

    def posterior(self) -> list[dict[str, float]]:
        """Of each batch row the texts that its samples wrote, with their probabilities, likeliest first.

        Each live sample counts by its `log_importance`; the spellings of a text are summed, and the probabilities sum
        to 1. The text is what stands from the row's first generated span on: texts that were appended since then are
        part of it, what was healed and special tokens are not. A generated span whose beginning was sliced away is
        text that was given. Samples that were cut short count with what they have. Dead rows, those that failed
        among them, are left out; a batch row of nothing else, or of samples of weight 0, has an empty dict.

        Raises:
            ValueError: the importance of a live sample is not known (NaN); or one was not drawn at random, but made by
                greedy decoding, beams or a controller (a beginning that all samples share is taken as given).

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> [texts] = oc.continuous(drawn)("Mira lives in ", seed=0).posterior()
        >>> {text: round(share, 3) for text, share in texts.items()}
        {'Lima': 0.5, 'Lisbon': 0.5}
        """
        return [_posterior(rows, b, self.model.vocabulary) for b, rows in enumerate(self.rows)]


def _log_evidence(rows: Sequence[Row]) -> float:
    """The log of the mean of exp(importance); NaN of no rows, of rows that failed or were not drawn, and where one is
    not known."""
    values = [nan if isinstance(row, FailedRow) else row.log_importance for row in rows]
    if not values or any(map(isnan, values)) or not all_drawn(rows):
        return nan
    top = max(values)
    if top == -inf:
        return -inf
    return top + log(fsum(exp(value - top) for value in values) / len(values))


def _posterior(rows: Sequence[Row], batch: int, vocabulary: Vocabulary) -> dict[str, float]:
    importances = importances_of(rows, f"posterior() of batch row {batch}")
    weighed = list(zip((row for row in rows if not row.dead), importances, strict=True))
    top = max(importances, default=-inf)
    if top == -inf:
        return {}
    parts: dict[str, list[float]] = defaultdict(list)
    for row, value in weighed:
        parts[_written(row, vocabulary)].append(exp(value - top))
    total = fsum(weight for weights in parts.values() for weight in weights)
    shares = {text: fsum(weights) / total for text, weights in parts.items()}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _written(row: Row, vocabulary: Vocabulary) -> str:
    """What a row says from its first generated span on, without the bytes that this had taken back."""
    for start, _, piece in row.placed:
        if piece.kind == "generated":
            return vocabulary.decode(row.ids[start:])[len(piece.origin.healed) :].decode(errors="replace")
    return ""
