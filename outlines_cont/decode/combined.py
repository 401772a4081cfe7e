"""Rows with other contexts beside them (`beside=`): a frontier that reads these, too, and draws from the combined law.

It stands between the models and a plain frontier, which knows one law for each row. Here a step reads the contexts,
combines the laws, and gives the plain step the rows' own logits with the combined law as a proposal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import NamedTuple

import torch
from torch import Tensor

from outlines_cont.decode.answers import AnsweredNeed, Places, answered_needs, asking
from outlines_cont.decode.drawing import Proposal
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.kernels.survey import NEG_INF
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.combination import Claims, Combination, OtherContext
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


def frontier_kind(state: SequenceState) -> type[Frontier]:
    """What steps the rows of a state: a plain frontier, or one that reads contexts, too."""
    return CombinedFrontier if any(row.beside for group in state.rows for row in group) else Frontier


class RowNeed(NamedTuple):
    """What a row with contexts beside it needs, and what is held of it."""

    need: Need
    beside: Combination
    held: Claims


class ContextNeed(NamedTuple):
    """What is needed of one context: the place of its row's need, its own place beside the row, itself, the need."""

    row: int
    place: int
    context: OtherContext
    need: Need


Answers = tuple[Tensor, Sequence[AnsweredNeed]]  # of one model: the logits, and what of these answers each need


@dataclass(frozen=True, eq=False)
class CombinedFrontier(Frontier):
    """A frontier of which some rows have contexts beside them.

    contexts_before: in the frontier before, by the places of a row's need and of a context beside it, the place of the
        context's need among those of its model.
    """

    contexts_before: Mapping[tuple[int, int], int] = field(default_factory=dict)

    # --- needs

    @cached_property
    def _own(self) -> tuple[tuple[Need, ...], tuple[RowNeed, ...]]:
        """The needs of all rows, and those of the rows that have contexts."""
        needs, of_rows, place = list(Frontier.pending.func(self)), list[RowNeed](), 0
        for h in asking(self.groups):
            if h.row.beside is not None:
                needs[place] = replace(needs[place], claim=h.fed.claim.own)
                of_rows.append(RowNeed(needs[place], h.row.beside, h.fed.claim))
            place += 1 if h.status.scoring is None else len(h.status.scoring.needs)
        return tuple(needs), tuple(of_rows)

    @cached_property
    def _contexts(self) -> tuple[ContextNeed, ...]:
        """The needs of contexts, of all models: they want what their rows want. One of weight 0 is not read."""
        own, of_rows = self._own
        count = {id(None): len(own)}  # of the needs of each model
        heads: dict[tuple[int, int], tuple[int, ...]] = {}  # equal ones are one, so that they are read once
        needs: list[ContextNeed] = []
        for of_row, beside, held in of_rows:
            for place, (context, claim, more) in enumerate(zip(beside.contexts, held.others, held.longer, strict=True)):
                if not context.weight:
                    continue
                head = heads.setdefault((id(context.ids), id(of_row.head)), beside.tokens(context, of_row.head))
                row = count.get(id(context.model), 0)
                count[id(context.model)] = row + 1
                parent = None if of_row.parent is None else self.contexts_before[of_row.parent, place]
                keep = 0 if parent is None else of_row.keep + more
                wanted = tuple(position + more for position in of_row.wanted)
                need = Need(of_row.ids, wanted, claim, head, row, parent, keep)
                needs.append(ContextNeed(of_row.row, place, context, need))
        return tuple(needs)

    @cached_property
    def pending(self) -> tuple[Need, ...]:
        return self._own[0] + tuple(each.need for each in self._contexts if each.context.model is None)

    def pending_of(self, model: LanguageModel) -> tuple[Need, ...]:
        return tuple(each.need for each in self._contexts if each.context.model is model)

    @property
    def drawing(self) -> tuple[bool, ...]:
        return super().drawing + (False,) * (len(self.pending) - len(self._own[0]))

    @cached_property
    def blocks(self) -> tuple[Places, ...]:
        """All needs are one block: other models are asked about all rows at once."""
        return (tuple(range(len(self.pending))),) if self.pending else ()

    # --- a step

    def answered(
        self,
        logits: Tensor,
        claims: Sequence[Claim | None] | None = None,
        rows: Sequence[int] | None = None,
        proposal: Tensor | None = None,
    ) -> HypothesisGroups:
        own, of_rows = self._own
        if not of_rows:
            return super().answered(logits, claims, rows, proposal)
        if proposal is not None:
            raise TypeError(
                "step(proposal=…) of rows with contexts beside them (beside=, proposal=): the step combines their laws "
                "itself"
            )
        logits, answers = answered_needs(logits, claims, self.pending, len(self.model.vocabulary), rows)
        answers = list(answers)
        of_contexts = list(self._answers(logits, answers))
        read_now = {(each.row, each.place): claim for each, _, (*_, claim) in of_contexts}
        for need, _, held in of_rows:
            *answer, claim = answers[need.row]
            others = (read_now.get((need.row, place)) or old for place, old in enumerate(held.others))
            answers[need.row] = (*answer, held._replace(own=claim or held.own, others=tuple(others)))
        answers = answers[: len(own)]
        logits = logits[: answers[-1][2]]  # those of contexts stand behind
        return self._stepped(logits, answers, combined(logits, answers, of_rows, of_contexts))

    def _answers(self, logits: Tensor, answers: Sequence[AnsweredNeed]) -> Iterator[ContextAnswer]:
        """What is answered about each context: by the model of the rows, with these; by other models, which are asked
        now."""
        given: dict[int, Answers] = {id(None): (logits, answers)}
        for each in self._contexts:
            model = each.context.model
            if model is not None and id(model) not in given:
                needs = self.pending_of(model)
                lines, of_needs = answered_needs(*read(model, needs), needs, len(model.vocabulary))
                given[id(model)] = lines, list(of_needs)
            lines, of_needs = given[id(model)]
            yield each, lines, of_needs[each.need.row]

    def _after(self, groups: HypothesisGroups, some_wait: bool = False) -> Frontier:
        read = {(each.row, each.place): each.need.row for each in self._contexts}
        return replace(super()._after(groups, some_wait), contexts_before=read)

    def _claim(self, row: Row) -> None:
        super()._claim(row)
        for model, context in row.beside.given_rows() if row.beside is not None else ():
            (model or self.model).claimed(context)


# --- the combined law: ∝ exp(main_weight · main + Σ weight · other), before any constraint

ContextAnswer = tuple[ContextNeed, Tensor, AnsweredNeed]  # of a context: its need, the logits of its model, the answer


def combined(
    logits: Tensor, answers: Sequence[AnsweredNeed], rows: Sequence[RowNeed], contexts: Sequence[ContextAnswer]
) -> Proposal:
    """The laws of all lines of the logits `[lines, V]`. One without contexts is the row's own.

    answers: of the rows; rows: which have contexts; contexts: what was answered about these.
    """
    density, weighed = logits.detach().float().clone(), [False] * len(logits)
    lines, main_weights, first = list[int](), list[float](), dict[int, int]()
    for need, beside, _ in rows:
        _, begin, end, _ = answers[need.row]
        first[need.row] = len(lines)
        lines += range(begin, end)
        main_weights += [beside.main_weight] * (end - begin)
        weighed[begin:end] = [not beside.normalize] * (end - begin)
    main = torch.log_softmax(density[lines], -1)
    refused, infinite = main == NEG_INF, torch.zeros_like(main, dtype=torch.bool)
    sums = main * _column(main_weights, main)
    for here, others, weights in _by_model(contexts, first):
        other, weight = torch.log_softmax(others.to(main.device).float(), -1), _column(weights, main)
        impossible = other == NEG_INF
        sums[here] += other.masked_fill(impossible, 0.0) * weight
        refused[here] |= impossible & (weight > 0)
        infinite[here] |= impossible & (weight < 0)
    density[lines] = sums.masked_fill(infinite, inf).masked_fill(refused, NEG_INF)
    return Proposal(density, weighed)


def _by_model(
    contexts: Sequence[ContextAnswer], first: Mapping[int, int]
) -> Iterator[tuple[list[int], Tensor, list[float]]]:
    """The logits of the contexts that stand at one place beside their rows and have one model, the lines of the rows
    that they belong to, and their weights. first: where the lines of each row begin."""
    parts: dict[tuple[int, int], tuple[Tensor, list[int], list[int], list[float]]] = {}
    for each, logits, (_, begin, end, _) in contexts:
        _, lines, here, weights = parts.setdefault((each.place, id(logits)), (logits, [], [], []))
        lines += range(begin, end)
        here += range(first[each.row], first[each.row] + end - begin)
        weights += [each.context.weight] * (end - begin)
    for _, (logits, lines, here, weights) in sorted(parts.items(), key=lambda item: item[0]):
        yield here, logits[lines].detach(), weights


def _column(weights: Sequence[float], like: Tensor) -> Tensor:
    return torch.tensor(weights, dtype=like.dtype, device=like.device)[:, None]
