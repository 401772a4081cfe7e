"""Sequential Monte Carlo: random draws, as particles that are resampled where all have come as far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers import progress_points
from outlines_cont.decode.samplers.progress_points import Every
from outlines_cont.decode.samplers.protocol import HypothesisGroups, M_co
from outlines_cont.decode.samplers.row_by_row import Multinomial
from outlines_cont.kernels.laws import Candidates
from outlines_cont.state import particles
from outlines_cont.state.importance import importances_of
from outlines_cont.state.row import Row


@dataclass(frozen=True, repr=False)
class Particles(Multinomial[M_co]):
    """Random draws, and resampling on the way; see `smc`."""

    threshold: float = 0.5
    every: Every = "span"
    forced = False
    joint = True
    weighs_draws = True

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if any(row.reads_graft for row in rows):
            raise ValueError(
                "smc() on a graft, whose log-probabilities are approximate: it weighs samples by the model's own; "
                "state.drop_kv() is read exactly"
            )
        importances_of(rows, f"{self._call(self.samples)} weighs its samples", drawn_next=True)
        return super().widen(rows)

    @staticmethod
    def _call(samples: int) -> str:
        return f"smc(particles={samples})"

    def begun(self, group: tuple[Hypothesis, ...], seed: int) -> tuple[Hypothesis, ...]:
        """Where all begin a span, particles that have come from spans before it are drawn anew if their weights have
        grown apart. Of a search that goes on, those that were ahead of others wait for them."""
        here = [h for h in group if not h.status.elsewhere]
        if here and self.every is not None and all(len(h.ids) == h.unscored and not h.status.kept for h in here):
            group = tuple(self._drawn_anew(group, seed, attrgetter("row")))
        return progress_points.held(group, self.every)

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        grown = zip(groups, super().choose(groups, law, seed, hooks), strict=True)
        # nothing of one batch row may depend on how long another takes
        return tuple(self._selected(new, seed, old) if any(h.status.ready for h in old) else new for old, new in grown)

    def _selected(
        self, group: tuple[Hypothesis, ...], seed: int, before: tuple[Hypothesis, ...]
    ) -> tuple[Hypothesis, ...]:
        try:
            return self.selected(group, seed, before)
        except Exception as error:
            return failing(next(h for h in group if not h.row.dead), error)

    def selected(self, group: Sequence[Hypothesis], seed: int, before: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """One batch row's particles, the finished ones among them. Where all have come as far, they are drawn anew if
        their weights have grown apart. Those that are ahead wait."""
        if progress_points.arrived(before, group, self.every):
            group = self._drawn_anew(group, seed)
        return progress_points.held(group, self.every)

    def _drawn_anew(
        self,
        group: Sequence[Hypothesis],
        seed: int,
        row_of: Callable[[Hypothesis], Row] = attrgetter("scored_row"),
    ) -> Sequence[Hypothesis]:
        """The particles, drawn anew by the importance of their rows, if their weights have grown apart."""
        places = [place for place, h in enumerate(group) if _weighed(h)]
        live = [group[place] for place in places]
        rows = list(map(row_of, live))
        importance = [row.log_importance for row in rows]
        level, longest = particles.log_mean(importance), max(map(len, rows))  # ValueError if one is not known
        # equal weights are not told from each other by rounding
        if particles.effective_sample_size(importance) >= self.threshold * len(live) * (1 - 1e-6):
            return group
        first = next(h for h in live if not h.row.dead)
        chosen = particles.drawn(importance, seed, first.lineage, longest, "systematic")
        marks = [row.resampled(level, places[i]).resamplings[-1] for i, row in enumerate(rows)]
        new = iter([live[i].resampled(marks[i], copy) for i, copy in particles.numbered(chosen)])
        return [next(new) if _weighed(h) else h for h in group]


def _weighed(h: Hypothesis) -> bool:
    """Whether it is a particle. One that has died is, and weighs nothing; one that was dead before stays so."""
    return h.status.died or h.cut_short or not h.status.elsewhere
