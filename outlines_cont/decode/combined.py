"""Rows with other contexts beside them (`beside=`): a frontier that reads these, too, and draws from the combined law.

It stands between the models and a plain frontier, which knows one law for each row. Here a step reads the contexts,
combines the laws, and gives the plain step the rows' own logits with the combined law as a proposal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from math import inf
from typing import NamedTuple

import torch
from torch import Tensor

from outlines_cont.decode.blocks import Places
from outlines_cont.decode.combined_law import Densities
from outlines_cont.decode.frontier import Frontier, asking
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.engines.protocol import AnsweredNeed, LanguageModel, answered_needs, read
from outlines_cont.kernels.rows import NEG_INF
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.beside import Claims, Combination, OtherContext
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


def frontier_kind(state: SequenceState) -> type[Frontier]:
    """What steps the rows of a state: a plain frontier, or one that reads contexts, too."""
    return CombinedFrontier if any(row.beside for group in state.rows for row in group) else Frontier


Given = dict[int, tuple[Tensor, Sequence[AnsweredNeed]]]  # by the id of each model: logits, and what answers each need


class ReadBeside(NamedTuple):
    """What a row with contexts beside it needs, what is held of it, and what is needed of each context that has a
    weight: its place beside the row, itself, and the need, which wants what the row wants."""

    need: Need
    beside: Combination
    held: Claims
    contexts: list[tuple[int, OtherContext, Need]]

    def read(self, answer: AnsweredNeed, given: Given) -> AnsweredNeed:
        """The answer about the row, with all that is held now. Of what was not claimed anew the old claims are kept."""
        _, begin, end, claim = answer
        others = list(self.held.others)
        for i, context, need in self.contexts:
            others[i] = given[id(context.model)][1][need.row][3] or others[i]
        return self.need, begin, end, self.held._replace(main=claim or self.held.main, others=tuple(others))


@dataclass(frozen=True, eq=False)
class CombinedFrontier(Frontier):
    """A frontier of which some rows have contexts beside them.

    contexts_before: in the frontier before, by the places of a row's need and of a context beside it, the place of the
        context's need among those of its model.
    """

    contexts_before: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @cached_property
    def _needs(self) -> tuple[tuple[Need, ...], list[ReadBeside]]:
        """The needs of all rows, and what is read of those that have contexts."""
        needs, asked, place = list(Frontier.pending.func(self)), list[ReadBeside](), 0
        for h in asking(self.groups):
            if h.row.beside is not None:
                needs[place] = replace(needs[place], claim=h.fed.claim.main)
                asked.append(ReadBeside(needs[place], h.row.beside, h.fed.claim, []))
            place += 1 if h.scoring is None else len(h.scoring.needs)
        rows = {id(None): count(len(needs))}  # the places of the needs of each model
        heads: dict[tuple[int, int], tuple[int, ...]] = {}  # equal ones are one, so that they are read once
        for need, beside, held, contexts in asked:
            for i, (context, claim, more) in enumerate(zip(beside.contexts, held.others, held.longer, strict=True)):
                if context.weight:
                    head = heads.setdefault((id(context.ids), id(need.head)), beside.tokens(context, need.head))
                    row = next(rows.setdefault(id(context.model), count()))
                    parent = None if need.parent is None else self.contexts_before.get((need.parent, i))
                    keep = 0 if parent is None else need.keep + more
                    wanted = tuple(position + more for position in need.wanted)
                    contexts.append((i, context, Need(need.ids, wanted, claim, head, row, parent, keep)))
        return tuple(needs), asked

    @cached_property
    def pending(self) -> tuple[Need, ...]:
        return self._needs[0] + self.pending_of(None)

    def pending_of(self, model: LanguageModel | None) -> tuple[Need, ...]:
        return tuple(need for each in self._needs[1] for _, context, need in each.contexts if context.model is model)

    @property
    def drawing(self) -> tuple[bool, ...]:
        return super().drawing + (False,) * len(self.pending_of(None))

    @cached_property
    def blocks(self) -> tuple[Places, ...]:
        """All needs are one block: other models are asked about all rows at once."""
        return (tuple(range(len(self.pending))),) if self.pending else ()

    def answered(
        self,
        logits: Tensor,
        claims: Sequence[Claim | None] | None = None,
        rows: Sequence[int] | None = None,
        proposal: Tensor | None = None,
    ) -> HypothesisGroups:
        needs, asked = self._needs
        if not asked:
            return super().answered(logits, claims, rows, proposal)
        if proposal is not None:
            raise TypeError(
                "step(proposal=…) of rows with contexts beside them (beside=, proposal=): the step combines their laws "
                "itself"
            )
        logits, of_needs = answered_needs(logits, claims, self.pending, len(self.model.vocabulary), rows)
        answers = list(of_needs)
        given: Given = {id(None): (logits, answers)}
        for model in (context.model for row in asked for _, context, _ in row.contexts):
            if model is not None and id(model) not in given:
                of_model = self.pending_of(model)
                lines, its_answers = answered_needs(*read(model, of_model), of_model, len(model.vocabulary))
                given[id(model)] = lines, list(its_answers)
        logits = logits[: answers[len(needs) - 1][2]]  # those of contexts stand behind
        laws = combined(logits, asked, answers, given)
        for row in asked:
            answers[row.need.row] = row.read(answers[row.need.row], given)
        return self._stepped(answers[: len(needs)], self._draws(logits, answers[: len(needs)], laws))

    def after(self, groups: HypothesisGroups, some_wait: bool = False) -> Frontier:
        read = {(row.need.row, i): need.row for row in self._needs[1] for i, _, need in row.contexts}
        return replace(super().after(groups, some_wait), contexts_before=read)

    def _claim(self, row: Row) -> None:
        super()._claim(row)
        for model, context in row.beside.given_rows() if row.beside is not None else ():
            (model or self.model).claimed(context)


# --- the combined law: ∝ exp(main_weight · main + Σ weight · other), before any constraint


def combined(logits: Tensor, rows: Sequence[ReadBeside], answers: Sequence[AnsweredNeed], given: Given) -> Densities:
    """The laws at all lines of the rows' logits `[lines, V]`: of rows without contexts, their own."""
    lines, main_weights, weighed = list[int](), list[float](), [False] * len(logits)
    parts: dict[tuple[int, int], tuple[list[int], list[int], list[float]]] = {}  # what stands at a place, of a model
    for need, beside, _, contexts in rows:
        _, begin, end, _ = answers[need.row]
        for i, context, of_context in contexts:
            here, others, weights = parts.setdefault((i, id(context.model)), ([], [], []))
            here += range(len(lines), len(lines) + end - begin)
            others += range(*given[id(context.model)][1][of_context.row][1:3])
            weights += [context.weight] * (end - begin)
        lines += range(begin, end)
        main_weights += [beside.main_weight] * (end - begin)
        weighed[begin:end] = [beside.product] * (end - begin)
    density = logits.detach().float().clone()
    main = torch.log_softmax(density[lines], -1)
    refused, infinite = main == NEG_INF, torch.zeros_like(main, dtype=torch.bool)
    sums = main * _column(main_weights, main)
    for (_, model), (here, others, weights) in sorted(parts.items()):
        other = torch.log_softmax(given[model][0][others].detach().to(main.device).float(), -1)
        impossible, weight = other == NEG_INF, _column(weights, main)
        sums[here] += other.masked_fill(impossible, 0.0) * weight
        refused[here] |= impossible & (weight > 0)
        infinite[here] |= impossible & (weight < 0)
    density[lines] = sums.masked_fill(infinite, inf).masked_fill(refused, NEG_INF)
    return Densities(density, weighed)


def _column(weights: Sequence[float], like: Tensor) -> Tensor:
    return torch.tensor(weights, dtype=like.dtype, device=like.device)[:, None]
