"""The draws of a step: the law of each row that is ready, and the candidates that the samplers take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from outlines_cont.decode.alternatives import with_alternatives
from outlines_cont.decode.branch_filters import check_branch_filters
from outlines_cont.decode.combining.mixture import PURE, Mixtures
from outlines_cont.decode.failed_rows import lawful, lawless
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.logits import PreparedMasks
from outlines_cont.decode.same_laws import law_of_rows
from outlines_cont.decode.samplers.protocol import HypothesisGroups, Sampler
from outlines_cont.decode.stage import sampler_of
from outlines_cont.kernels.constrain import Scratch
from outlines_cont.kernels.laws import Candidates


class StepDraws(NamedTuple):
    """The draws of one step.

    Attributes:
        seed: of all random choices.
        scratch: memory that steps use again.
        masks: those that were prepared.
    """

    seed: int
    scratch: Scratch
    masks: PreparedMasks

    def drawn(
        self, groups: HypothesisGroups, live: Sequence[Hypothesis], logits: Tensor, mixtures: Mixtures
    ) -> HypothesisGroups:
        """The hypotheses after a draw for each that is ready. Batch rows may stand in links with different samplers.

        live: those that are ready, in order; logits: `[live, V]`; mixtures: what laws are combined of, by their places.
        """
        batches = _by_sampler(groups)
        if len(batches) == 1:
            return self._drawn_by(batches[0][0], groups, live, logits, mixtures)
        after, place_of = list(groups), {id(h): place for place, h in enumerate(live)}
        for sampler, batch in batches:
            places = [place_of[id(h)] for b in batch for h in groups[b] if h.status.ready]
            mixed = {i: mixtures[place] for i, place in enumerate(places) if place in mixtures}
            ready, theirs = [live[place] for place in places], tuple(groups[b] for b in batch)
            for b, group in zip(batch, self._drawn_by(sampler, theirs, ready, logits[places], mixed), strict=True):
                after[b] = group
        return tuple(after)

    def _drawn_by(
        self,
        sampler: Sampler,
        groups: HypothesisGroups,
        live: Sequence[Hypothesis],
        logits: Tensor,
        mixtures: Mixtures,
    ) -> HypothesisGroups:
        """As `drawn`, of batch rows that have one sampler."""
        with self.scratch as scratch:

            def law(places: list[int]) -> Candidates:
                each = [live[place] for place in places]
                check_branch_filters(sampler, each)
                lines = logits if len(each) == len(live) else logits[places]
                mixed = [mixtures.get(place, PURE) for place in places] if mixtures else []
                plain = bool(sampler.logit_filters) or any(h.settings.shows_law for h in each)
                return law_of_rows(each, lines, mixed, scratch, plain, self.masks)

            candidates, errors = lawful(len(live), law)
            if errors:
                failed = {id(live[at]): lawless(live[at], error) for at, error in errors.items()}
                groups = tuple(tuple(x for h in group for x in failed.get(id(h), (h,))) for group in groups)
                logits = logits[[place for place in range(len(live)) if place not in errors]]
            if candidates is None:
                return groups
            hooks = HookedStep(logits) if any(h.settings.hooks for h in live) else None
            return sampler.choose(with_alternatives(groups, logits), candidates, self.seed, hooks)


def _by_sampler(groups: HypothesisGroups) -> list[tuple[Sampler, list[int]]]:
    """The batch rows in which some draw now, by their samplers."""
    batches: list[tuple[Sampler, list[int]]] = []
    for b, group in enumerate(groups):
        if not any(h.status.ready for h in group):
            continue
        sampler = sampler_of(group)
        batch = next((places for other, places in batches if other == sampler), None)
        if batch is None:
            batches.append((sampler, [b]))
        else:
            batch.append(b)
    return batches
