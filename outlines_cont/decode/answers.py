"""Logits and claims as they are given for needs: checked, in the order of the needs, for all rows or for some."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from torch import Tensor

from outlines_cont.arguments import plain, shown, whole_number
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.engines.protocol import are_logits, check_claims, logits_refused
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim

# a need, its lines of the logits (from, to), and a claim, or what its row holds; from −1 on where it is not answered
AnsweredNeed = tuple[Need, int, int, Any]


def answered_needs(
    logits: Any, claims: Any, pending: Sequence[Need], size: int, rows: Sequence[int] | None = None
) -> tuple[Tensor, Iterable[AnsweredNeed]]:
    """The logits, their lines in the order of the needs; and each need with its own.

    size: of the vocabulary; rows: the places of the needs that are answered, None for all.
    """
    answered = pending if rows is None else [pending[row] for row in rows]
    ends = [0]
    for need in answered:
        ends.append(ends[-1] + len(need.wanted))
    if not are_logits(logits, size, ends[-1]):
        asks = "pending asks" if rows is None else f"rows={shown(list(rows))} of pending ask"
        raise logits_refused(logits, "step() got", f"{asks} for ({ends[-1]}, {size})")
    claims = _checked_claims(claims, answered)
    if rows is None:
        return logits, zip(pending, ends[:-1], ends[1:], claims, strict=True)
    return _in_order(logits, claims, pending, rows, ends)


def _checked_claims(claims: Any, answered: Sequence[Need]) -> Sequence[Claim | None]:
    """A claim, or None, for each need; where none are given, those that the needs have noted."""
    if claims is None:
        return [need.computed[0] if need.computed else None for need in answered]
    check_claims(claims, len(answered), "step() got")
    return claims


def unread_needs(pending: Sequence[Need]) -> Iterator[AnsweredNeed]:
    """Each need, where no logits are given, with its place for its line, and what it has noted."""
    claims = _checked_claims(None, pending)
    return ((need, place, place + 1, claim) for place, (need, claim) in enumerate(zip(pending, claims, strict=True)))


def _in_order(
    logits: Tensor, claims: Sequence[Claim | None], pending: Sequence[Need], rows: Sequence[int], ends: Sequence[int]
) -> tuple[Tensor, Iterable[AnsweredNeed]]:
    """Answers of some needs, given in any order. ends: of their lines, after a 0."""
    order = sorted(range(len(rows)), key=rows.__getitem__)
    lines = [line for i in order for line in range(ends[i], ends[i + 1])]
    if lines != list(range(len(lines))):
        logits = logits[lines]
    answers: list[AnsweredNeed] = [(need, -1, -1, None) for need in pending]
    begin = 0
    for i in order:
        need = pending[rows[i]]
        answers[rows[i]] = need, begin, begin + len(need.wanted), claims[i]
        begin += len(need.wanted)
    return logits, answers


def need_of_row(h: GrowingRow, needs: Sequence[Need]) -> Need:
    """Of the needs that a row asks for: the one that keeps the most of the row itself. (Others read what its options
    are compared with.)"""
    scoring = h.scoring
    of_row = needs if scoring is None else [need for need in needs if need.head == scoring.context]
    return max(of_row, key=lambda need: need.keep)


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


# --- which rows get their logits at the same step, and which may wait while others go on

Places = tuple[int, ...]


def asking(groups: HypothesisGroups) -> Iterator[Hypothesis]:
    """The hypotheses that have needs; one of those that wait for the same options."""
    electing: set[OptionScoring] = set()
    for group in groups:
        for h in group:
            scoring = h.scoring
            if scoring is not None:
                if scoring not in electing:
                    electing.add(scoring)
                    yield h
            elif not h.needs_nothing:
                yield h


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
