"""Samplers for which the samples have nothing to do with each other: the likeliest candidate, and random draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import chain, starmap
from operator import attrgetter
from typing import cast

import torch

from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.hooks import HookedStep, noted, vetted
from outlines_cont.decode.hypothesis import FILTERS, IS_READY, PREDICATE, Hypothesis
from outlines_cont.decode.samplers.filters import LogitFilter, filtered
from outlines_cont.decode.samplers.protocol import Honour, HypothesisGroups, M_co, One, SamplerDefaults, shown_sampler
from outlines_cont.decode.samplers.rejection import all_drawn_by_rejection, drawn_by_rejection, likeliest_accepted
from outlines_cont.errors import SampleMismatch
from outlines_cont.kernels.draw import BLOCK, draw
from outlines_cont.kernels.laws import Candidates, Law, Option
from outlines_cont.kernels.philox import Key, random_key
from outlines_cont.kernels.warp import warp
from outlines_cont.state.random_keys import copied, uniform
from outlines_cont.state.row import Row

KEEPS_LAW = attrgetter("settings.inspection.keeps_law")


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
    logit_filters: tuple[LogitFilter, ...] = ()

    def __repr__(self) -> str:
        """The options of a sampler that is a dataclass, without filters where there are none."""
        return shown_sampler(self) if is_dataclass(self) else super().__repr__()

    @abstractmethod
    def draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        """The candidate that each of these hypotheses takes, with its log-probabilities, from their rows of the law."""
        ...

    def draw_vetted(self, h: Hypothesis, law: Law, seed: int) -> Option:
        """The candidate that a hypothesis with a predicate takes (`where`), of those that this accepts.

        Unsatisfied if it accepts none. Default: a TypeError; `honours_where` says who has it.
        """
        raise TypeError(f"{self!r} cannot ask a predicate (where=…): it has no draw_vetted()")

    @property
    def _vets_together(self) -> bool:
        """Whether `draw_vetted` draws by rejection, so that rows with predicates may share what they work out."""
        return False

    @property
    def filters(self) -> Filters:
        """What it draws by. Hooks and branches may change some of it for a draw. Default: nothing."""
        return PLAIN

    def warped(self, law: Candidates, live: Sequence[Hypothesis], filters: Filters = PLAIN) -> Candidates:
        """The law drawn from, of these hypotheses. Default: that of its filters, or of others where there are some."""
        before, after = [], []
        for each in self.logit_filters:
            (after if getattr(each, "after_warp", False) else before).append(each)
        if before:
            law = filtered(cast(Law, law), live, before)
        filters = self.filters if filters is PLAIN else filters.over(self.filters)
        if filters is not PLAIN:
            law = filters.applied(law)
        return filtered(cast(Law, law), live, after) if after else law

    def draw_by(self, h: Hypothesis, law: Candidates, filters: Filters, seed: int) -> tuple[Candidates, Option]:
        """The law that a hypothesis draws from, of one row, and what it takes. With filters of its own it is drawn at
        random, whatever the sampler does elsewhere."""
        law = self.warped(law, [h], filters)
        return law, self.taken(h, law, filters, seed)

    def taken(self, h: Hypothesis, law: Candidates, filters: Filters, seed: int) -> Option:
        """What a hypothesis takes of a law, of one row, that these filters have changed already."""
        if vetted(h):
            draw = self.draw_vetted if filters is PLAIN else drawn_by_rejection
            return draw(h, cast(Law, law), seed)
        if filters is PLAIN:
            return self.draw([h], law, seed)[0]
        return law.drawn([random_key(seed, h.lineage, h.position, h.attempt)])[0]

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        live = [*filter(IS_READY, chain.from_iterable(groups))]
        try:
            laws, options = self._drawn(live, law, seed)
        except Exception as error:
            if not self.logit_filters:
                raise
            if len(live) == 1:
                return in_place_of_ready(groups, [failing(live[0], error)])
            return self._chosen_alone(groups, law, seed, hooks)
        if any(map(KEEPS_LAW, live)):
            live = [noted(h, cast(Law, laws(i))) for i, h in enumerate(live)]
        if hooks is None:
            extended = starmap(_extended, zip(live, options, strict=True))
        else:

            def redraw(h: Hypothesis, law: Law, filters: Filters) -> tuple[Law, Option]:
                filters = filters.over(h.at.followed.filters)
                return cast("tuple[Law, Option]", self.draw_by(h, law, filters, seed))

            extended = []
            for i, (h, option) in enumerate(zip(live, options, strict=True)):
                if isinstance(option, Exception):
                    extended.append(failing(h, option))
                    continue
                try:
                    extended.append(hooks.extend(h, i, option, cast(Law, laws(i)), redraw))
                except Exception as error:
                    extended.append(failing(h, error))
        return in_place_of_ready(groups, extended)

    def _chosen_alone(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None
    ) -> HypothesisGroups:
        """The hypotheses after each row's own draw: a filter, which is a user's function, has failed at one of them."""
        live = [*filter(IS_READY, chain.from_iterable(groups))]
        extended = []
        for i, h in enumerate(live):
            beside = None if hooks is None else HookedStep(hooks.logits[i : i + 1])
            [[*rows]] = RowByRow.choose(self, ((h,),), law.row(i), seed, beside)
            extended.append(tuple(rows))
        return in_place_of_ready(groups, extended)

    def _drawn(
        self, live: Sequence[Hypothesis], law: Candidates, seed: int
    ) -> tuple[Callable[[int], Candidates], Sequence[Option | Exception]]:
        """The law of each row, and what these hypotheses take. Some follow branches with filters of their own, or have
        predicates: in place of what one of these takes there may be an error."""
        if any(map(PREDICATE, live)):
            return self._drawn_vetted(live, law, seed)
        if [*map(FILTERS, live)].count(PLAIN) == len(live):
            law = self.warped(law, live)
            return law.row, self.draw(live, law, seed)
        each = [self.draw_by(h, law.row(i), h.at.followed.filters, seed) for i, h in enumerate(live)]
        laws, options = zip(*each, strict=True)
        return laws.__getitem__, options

    def _drawn_vetted(
        self, live: Sequence[Hypothesis], law: Candidates, seed: int
    ) -> tuple[Callable[[int], Candidates], Sequence[Option | Exception]]:
        if self._vets_together and all(vetted(h) and h.at.followed.filters is PLAIN for h in live):
            law = self.warped(law, live)
            return law.row, all_drawn_by_rejection(live, cast(Law, law), seed)
        laws, options = [], []
        for i, h in enumerate(live):
            row: Candidates = law.row(i)
            try:
                row, option = self.draw_by(h, row, h.at.followed.filters, seed)
            except Exception as error:
                option = error
            laws.append(row)
            options.append(option)
        return laws.__getitem__, options


def in_place_of_ready(groups: HypothesisGroups, extended: Iterable[tuple[Hypothesis, ...]]) -> HypothesisGroups:
    """The hypotheses, in which each that was ready has become some others, or none."""
    next_ones, after = iter(extended), []
    for group in groups:
        grown: list[Hypothesis] = []
        for h in group:
            grown += next(next_ones) if h.status.ready else (h,)
        after.append(tuple(grown))
    return tuple(after)


def _extended(h: Hypothesis, option: Option | Exception) -> tuple[Hypothesis, ...]:
    if isinstance(option, Exception):
        return failing(h, option)
    try:
        return h.extend(*option)
    except Exception as error:
        return failing(h, error)


@dataclass(frozen=True, repr=False)
class Greedy(RowByRow[One]):
    """The likeliest candidate, for every row by itself; of equal ones the smallest token id, and the stop last."""

    logit_filters: tuple[LogitFilter, ...] = ()

    @property
    def honours_where(self) -> Honour:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "predicates" if type(self).draw is Greedy.draw else "nothing"

    @property
    def chooses(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "greedy()" if type(self).draw is Greedy.draw else None

    def draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        return law.greedy()

    def draw_vetted(self, h: Hypothesis, law: Law, seed: int) -> Option:
        return likeliest_accepted(h, law)

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        return values, [values.index(max(values))]


@dataclass(frozen=True, repr=False)
class Multinomial(RowByRow[M_co]):
    """Random draws, for every row by itself; see `multinomial`."""

    samples: M_co = 1  # type: ignore[assignment]
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    logit_filters: tuple[LogitFilter, ...] = ()

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
        if self.temperature == 1.0 and self.top_k is self.top_p is None and not self.min_p:
            return PLAIN
        return Filters(self.temperature, self.top_k, self.top_p, self.min_p)

    @property
    def honours_where(self) -> Honour:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "potentials" if type(self).draw is Multinomial.draw else "nothing"

    def draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        keys: list[Key] = []
        for h in live:
            keys.append(random_key(seed, h.lineage, h.position, h.attempt))
        return law.drawn(keys)

    def draw_vetted(self, h: Hypothesis, law: Law, seed: int) -> Option:
        return drawn_by_rejection(h, law, seed)

    @property
    def _vets_together(self) -> bool:
        kind = type(self)
        stock = kind.draw_vetted is Multinomial.draw_vetted and kind.draw_by is Multinomial.draw_by
        return stock and not self.logit_filters  # a filter is somebody's function, and may fail at one row

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        number = uniform(seed, h.lineage, h.position, h.attempt)
        if h.settings.constraint.kind == "ways":  # not the number of a token, or a stop, that is drawn there
            number = uniform(seed, h.lineage, h.position, len(h.row.stops_at(h.position)), "way")
        scores = warp(torch.tensor([values], dtype=torch.float64), self.temperature, self.top_k, self.top_p, self.min_p)
        law = torch.log_softmax(scores, dim=-1)
        padded = torch.nn.functional.pad(law.exp(), (0, -len(values) % BLOCK))
        drawn = draw(padded, [number])
        return law[0].tolist(), drawn.tolist()
