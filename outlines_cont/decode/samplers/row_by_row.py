"""Samplers for which the samples have nothing to do with each other: the likeliest candidate, and random draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import torch

from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.hooks import HookedStep, noted
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import HypothesisGroups, M_co, One, SamplerDefaults
from outlines_cont.errors import SampleMismatch
from outlines_cont.kernels.draw import BLOCK, draw
from outlines_cont.kernels.laws import Candidates, Law, Option
from outlines_cont.kernels.warp import warp
from outlines_cont.state.random_keys import copied, random_key, uniform
from outlines_cont.state.row import Row


class RowByRow(SamplerDefaults[M_co], ABC):
    """A sampler that draws for every row by itself. `draw` has to be written; hooks are seen to.

    >>> from outlines_cont.decode.samplers.row_by_row import RowByRow
    >>> class SecondBest(RowByRow):
    ...     def draw(self, live, law, seed):
    ...         return [options[1] for options in law.best(2)]
    >>> oc.generate.text(model, SecondBest())("The sky is", max_tokens=1)
    ' white'
    """

    notes_candidates = True

    @abstractmethod
    def draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        """The candidate that each of these hypotheses takes, with its log-probabilities, from their rows of the law."""
        ...

    @property
    def filters(self) -> Filters:
        """What it draws by. Hooks and branches may change some of it for a draw. Default: nothing."""
        return PLAIN

    def warped(self, law: Candidates) -> Candidates:
        """The law drawn from. Default: that of its filters."""
        filters = self.filters
        return law if filters is PLAIN else filters.applied(law)

    def draw_by(self, h: Hypothesis, law: Candidates, filters: Filters, seed: int) -> tuple[Candidates, Option]:
        """The law that a hypothesis draws from, of one row, and what it takes. With filters of its own it is drawn at
        random, whatever the sampler does elsewhere."""
        if filters is PLAIN:
            law = self.warped(law)
            return law, self.draw([h], law, seed)[0]
        law = filters.over(self.filters).applied(law)
        return law, law.drawn([random_key(seed, h.lineage, h.position, h.attempt)])[0]

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        live = [h for group in groups for h in group if h.status.ready]
        laws, options = self._drawn(live, law, seed)
        if any(h.settings.top for h in live):
            live = [noted(h, cast(Law, laws(i))) for i, h in enumerate(live)]
        if hooks is None:
            extended = [h.extend(*option) for h, option in zip(live, options, strict=True)]
        else:

            def redraw(h: Hypothesis, law: Law, filters: Filters) -> tuple[Law, Option]:
                filters = filters.over(h.at.followed.filters)
                return cast("tuple[Law, Option]", self.draw_by(h, law, filters, seed))

            drawn = enumerate(zip(live, options, strict=True))
            extended = [hooks.settle(h, i, option, cast(Law, laws(i)), redraw) for i, (h, option) in drawn]
        next_ones, grown = iter(extended), []
        for group in groups:
            row: list[Hypothesis] = []
            for h in group:
                row.extend(next(next_ones) if h.status.ready else (h,))
            grown.append(tuple(row))
        return tuple(grown)

    def _drawn(
        self, live: Sequence[Hypothesis], law: Candidates, seed: int
    ) -> tuple[Callable[[int], Candidates], Sequence[Option]]:
        """The law of each row, and what these hypotheses take. Some follow branches with filters of their own."""
        if all(h.at.followed.filters is PLAIN for h in live):
            law = self.warped(law)
            return law.row, self.draw(live, law, seed)
        each = [self.draw_by(h, law.row(i), h.at.followed.filters, seed) for i, h in enumerate(live)]
        laws, options = zip(*each, strict=True)
        return laws.__getitem__, options


@dataclass(frozen=True)
class Greedy(RowByRow[One]):
    """The likeliest candidate, for every row by itself; of equal ones the smallest token id, and the stop last."""

    def draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        return law.greedy()

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        return values, [values.index(max(values))]


@dataclass(frozen=True)
class Multinomial(RowByRow[M_co]):
    """Random draws, for every row by itself; see `multinomial`."""

    samples: M_co = 1  # type: ignore[assignment]
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if self.samples == 1 or len(rows) == self.samples:
            return list(enumerate(rows))
        if len(rows) == 1:
            return [(0, copied(rows[0], i)) for i in range(self.samples)]
        raise SampleMismatch(
            f"{self._call(self.samples)} on a state of {len(rows)} samples: it takes 1 or {self.samples}"
        )

    def resumed(self, rows: Sequence[Row], ended: Sequence[bool]) -> list[tuple[int, Row]]:
        """Several as they are: a controller may have forked or dropped some. (None goes where draws are weighed.)"""
        return list(enumerate(rows)) if len(rows) > 1 and not self.weighs_draws else self.widen(rows)

    @staticmethod
    def _call(samples: int) -> str:
        """How the user made it."""
        return f"multinomial(samples={samples})"

    @property
    def filters(self) -> Filters:
        return Filters(self.temperature, self.top_k, self.top_p, self.min_p)

    def draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        return law.drawn([random_key(seed, h.lineage, h.position, h.attempt) for h in live])

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        number = uniform(seed, h.lineage, h.position, h.attempt)
        scores = warp(torch.tensor([values], dtype=torch.float64), self.temperature, self.top_k, self.top_p, self.min_p)
        law = torch.log_softmax(scores, dim=-1)
        padded = torch.nn.functional.pad(law.exp(), (0, -len(values) % BLOCK))
        drawn = draw(padded, [number])
        return law[0].tolist(), drawn.tolist()
