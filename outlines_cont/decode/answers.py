"""Logits and claims as they are given for needs: checked, in the order of the needs, for all rows or for some."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import nan
from typing import Any, NamedTuple

from torch import Tensor

from outlines_cont.arguments import plain, shown, whole_number
from outlines_cont.decode.context_reads import FedContexts, asked_contexts
from outlines_cont.decode.drawing import Mixture, Mixtures, WeighedLogits, combined_logprobs
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.samplers.protocol import HypothesisGroups, Sampler
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.engines.protocol import LanguageModel, are_logits, check_claims, logits_refused, read
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.combination import Combination

# a need, its lines of the logits (from, to), and a claim; from −1 on where it is not answered
AnsweredNeed = tuple[Need, int, int, Claim | None]


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
        return logits, zip(pending, ends, ends[1:], claims, strict=True)
    return _in_order(logits, claims, pending, rows, ends)


def _checked_claims(claims: Any, answered: Sequence[Need]) -> Sequence[Claim | None]:
    """A claim, or None, for each need; where none are given, those that the needs have noted."""
    if claims is None:
        return [need.computed[0] if need.computed else None for need in answered]
    check_claims(claims, len(answered), "step() got")
    return claims


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
    scoring = h.status.scoring
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


# --- what a step asks of the contexts beside rows, and what is answered: from logits to the mixture of each row


class ContextAnswer(NamedTuple):
    """A need, the logits of its model, its lines of these (from, to), and a claim."""

    need: Need
    logits: Tensor
    begin: int
    end: int
    claim: Claim | None


Sources = list[tuple[LanguageModel | None, Iterator[ContextAnswer]]]  # of each model, in the order of its needs


def context_needs(h: GrowingRow, of_row: Need, model: LanguageModel | None, place: int) -> list[Need]:
    """What a model is asked about the contexts beside a row that needs this: the pending rows from this place on."""
    contexts = h.fed.contexts
    asked = asked_contexts(contexts, model)
    return [contexts[i].need(of_row, at) for at, i in enumerate(asked, place)]


def answered(h: GrowingRow, sources: Sources) -> ContextAnswers:
    """What was answered about the contexts of a row."""
    contexts, parts = list(h.fed.contexts), dict[int, ContextAnswer]()
    for model, of_model in sources:
        for i in asked_contexts(h.fed.contexts, model):
            answer = parts[i] = next(of_model)
            contexts[i] = contexts[i].read(answer.need, answer.claim)
    return ContextAnswers(h.row.beside, tuple(contexts), [(i, parts[i]) for i in sorted(parts)])


def model_answers(
    answers: Iterator[AnsweredNeed],
    logits: Tensor,
    models: Sequence[LanguageModel],
    pending_of: Callable[[LanguageModel], Sequence[Need]],
) -> Sources:
    """Where the answers about contexts come from. answers: about the needs of the rows' own model, which are taken as
    they are asked for, with these logits; the other models are asked now."""
    sources: Sources = [(None, (ContextAnswer(need, logits, begin, end, claim) for need, begin, end, claim in answers))]
    for model in models:
        if needs := pending_of(model):
            of_model, claims = read(model, needs)
            sources.append((model, _context_order(needs, of_model, claims)))
    return sources


def _context_order(needs: Sequence[Need], logits: Tensor, claims: Sequence[Claim | None]) -> Iterator[ContextAnswer]:
    begin = 0
    for need, claim in zip(needs, claims, strict=True):
        yield ContextAnswer(need, logits, begin, begin + len(need.wanted), claim)
        begin += len(need.wanted)


def drawn_from(
    proposal: Any, logits: Tensor, samplers: Sequence[Sampler], mixtures: Mixtures, lines: Sequence[int]
) -> Mixtures:
    """The laws of `step(logits, proposal=…)`, by the places of the rows that draw; lines: of these.

    TypeError or ValueError for a proposal that is none, and where nothing can be drawn from it.
    """
    lines_given, size = logits.shape
    if not are_logits(proposal, size, lines_given):
        raise logits_refused(proposal, "step(proposal=…) got", f"beside the logits they are {tuple(logits.shape)}")
    if mixtures:
        raise TypeError(
            "step(proposal=…) of rows with contexts beside them (beside=, proposal=): the step combines their laws "
            "itself"
        )
    if ranking := [sampler for sampler in samplers if sampler.ranks_by_logprobs]:
        raise TypeError(f"step(proposal=…) under {ranking[0]!r}: it compares rows and draws nothing")
    return {place: Mixture(0.0, True, (WeighedLogits(1.0, proposal, line),)) for place, line in enumerate(lines)}


class ContextAnswers(NamedTuple):
    """What was read of the contexts of a row, and the answers about those that have a weight, with their places.

    beside: what stands beside the row; None where nothing does.
    """

    beside: Combination | None
    contexts: FedContexts
    answers: list[tuple[int, ContextAnswer]]

    def mixture_at(self, place: int) -> Mixtures:
        """What the law after the last token that was read is combined of, by the place of its row; else nothing."""
        return {} if self.beside is None else {place: self._mixture(self.beside, 0)}

    def _mixture(self, beside: Combination, back: int) -> Mixture:
        """That of the law so many tokens before the last one."""
        parts = [
            WeighedLogits(beside.contexts[i].weight, answer.logits, answer.end - 1 - back) for i, answer in self.answers
        ]
        return Mixture.of(beside, parts)

    def proposals(
        self, h: GrowingRow, logits: Tensor, begin: int, tokens: Sequence[int], logprobs: Sequence[float]
    ) -> list[float]:
        """What stands for the law of tokens that were given, not drawn: nothing is drawn, but a product weighs them.

        logits: those of the rows, of which the lines from `begin` on are this row's.
        """
        beside = self.beside
        if beside is None or (beside.normalize and not h.settings.ranks_by_logprobs):
            return []
        lines = len(self.answers[0][1].need.wanted) if self.answers else len(tokens)
        mixtures = [self._mixture(beside, lines - 1 - at) for at in range(len(tokens))]
        combined = combined_logprobs(logits[begin : begin + len(tokens)], mixtures, tokens)
        if h.settings.ranks_by_logprobs:
            return combined
        weighed = [logprob - value for logprob, value in zip(logprobs, combined, strict=True)]
        spelled_anew = h.status.ending is not None and h.span.uncut is not None
        return [nan] * len(weighed) if spelled_anew else weighed


NO_CONTEXTS = ContextAnswers(None, (), [])  # of a row with nothing beside it
