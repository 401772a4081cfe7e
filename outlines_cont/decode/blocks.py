"""Which rows get their logits at the same step, and which may wait while others go on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from outlines_cont.decode.combining.context_reads import asked_contexts
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.samplers.row_by_row import RowByRow

Places = tuple[int, ...]


def asking(groups: HypothesisGroups) -> Iterator[Hypothesis]:
    """The hypotheses that have needs; one of those that wait for the same options."""
    electing: set[OptionScoring] = set()
    for group in groups:
        for h in group:
            scoring = h.status.scoring
            if scoring is not None:
                if scoring not in electing:
                    electing.add(scoring)
                    yield h
            elif not h.needs_nothing:
                yield h


def blocks_of(groups: HypothesisGroups) -> tuple[Places, ...]:
    """The places of the needs of some rows, in blocks: those of a block are answered at the same step.

    One search (beams, particles), rows in lock-step, and rows that wait for the same options are a block. Where
    contexts stand beside a row, all rows are one: other models are asked about all of them at once. Other rows are
    blocks of their own. In ascending order.
    """
    leaders = _Leaders()
    owners: list[Hashable] = []  # of each need
    scorings: set[OptionScoring] = set()
    for b, group in enumerate(groups):
        whole = any(h.settings.compares_rows or not isinstance(h.settings.sampler, RowByRow) for h in group)
        for s, h in enumerate(group):
            owner, scoring = (b if whole else (b, s)), h.status.scoring
            if scoring is not None:
                leaders.join(scoring, owner)
                owners += [scoring] * len(scoring.needs) * (scoring not in scorings)
                scorings.add(scoring)
            elif not h.needs_nothing:
                owners += [owner] * (1 + len(asked_contexts(h.fed.contexts, None)))
    if any(h.fed.contexts for group in groups for h in group):
        return (tuple(range(len(owners))),) if owners else ()
    blocks: dict[Hashable, list[int]] = {}
    for place, owner in enumerate(owners):
        blocks.setdefault(leaders.of(owner), []).append(place)
    return tuple(map(tuple, blocks.values()))


class _Leaders:
    """Sets that grow together: each has a leader."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def of(self, member: Hashable) -> Hashable:
        while (above := self._above.get(member, member)) is not member:
            member = above
        return member

    def join(self, one: Hashable, other: Hashable) -> None:
        one, other = self.of(one), self.of(other)
        if one != other:
            self._above[one] = other
