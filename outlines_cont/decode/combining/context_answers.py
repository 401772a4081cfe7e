"""What a step asks of the contexts beside rows, and what is answered: from logits to the mixture of each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from typing import Any, NamedTuple

from torch import Tensor

from outlines_cont.decode.answers import AnsweredNeed
from outlines_cont.decode.combining.context_reads import FedContexts, asked_contexts
from outlines_cont.decode.combining.mixture import Mixture, Mixtures, WeighedLogits, combined_logprobs
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.engines.answer_checks import are_logits, logits_refused
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.combination import Combination


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
            sources.append((model, _in_order(needs, of_model, claims)))
    return sources


def _in_order(needs: Sequence[Need], logits: Tensor, claims: Sequence[Claim | None]) -> Iterator[ContextAnswer]:
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
