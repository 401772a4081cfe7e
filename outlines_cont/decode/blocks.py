"""Which needs of a step are answered together, and which may wait while others go on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from outlines_cont.arguments import plain, shown, whole_number
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.kv.needs import Need

Places = tuple[int, ...]


def checked_rows(rows: Any, pending: Sequence[Need], blocks: Sequence[Places]) -> list[int]:
    """The places of needs that are answered, as they were given.

    TypeError for what is no list of ints; ValueError for places that there are not, for the same one twice, for none at
    all, and for a part of a block.
    """
    rows = plain(rows)
    if not isinstance(rows, (list, tuple, range)):
        raise TypeError(f"rows={shown(rows)}: it is a list of places in pending, or None for all")
    places = [whole_number(row, f"rows[{i}]", "a place in pending, an int") for i, row in enumerate(rows)]
    for place in places:
        if not 0 <= place < len(pending):
            raise ValueError(f"rows={shown(rows)}: pending has {len(pending)} needs, and no place {place}")
    answered = set(places)
    if not places or len(answered) < len(places):
        raise ValueError(f"rows={shown(rows)}: it names at least one need, and none twice")
    for block in blocks:
        if 0 < len(answered.intersection(block)) < len(block):
            raise ValueError(
                f"rows={shown(rows)}: the needs {list(block)} are answered together (one search, rows in lock-step, or "
                "the same options); frontier.blocks says which are"
            )
    return places


def blocks_of(groups: HypothesisGroups) -> tuple[Places, ...]:
    """The places of the needs of some rows, in blocks: those of a block are answered at the same step.

    One search (beams, particles), rows in lock-step, and rows that wait for the same options are a block. Other rows
    are blocks of their own. In ascending order.
    """
    above: dict[Hashable, Hashable] = {}  # of sets that grow together, each member but one: another of its set

    def leader(member: Hashable) -> Hashable:
        while member in above:
            member = above[member]
        return member

    owners: list[Hashable] = []  # of each need
    scorings: set[OptionScoring] = set()
    for b, group in enumerate(groups):
        whole = any(h.settings.compares_rows or not isinstance(h.settings.sampler, RowByRow) for h in group)
        for s, h in enumerate(group):
            owner, scoring = (b if whole else (b, s)), h.scoring
            if scoring is not None:
                if (one := leader(scoring)) != (other := leader(owner)):
                    above[one] = other
                owners += [scoring] * len(scoring.needs) * (scoring not in scorings)
                scorings.add(scoring)
            elif not h.needs_nothing:
                owners.append(owner)
    blocks: dict[Hashable, list[int]] = {}
    for place, owner in enumerate(owners):
        blocks.setdefault(leader(owner), []).append(place)
    return tuple(map(tuple, blocks.values()))
