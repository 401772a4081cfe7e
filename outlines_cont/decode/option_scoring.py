"""A choice made at once: all options are scored by the model, and one is taken by its probability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, fsum, inf, log
from typing import Any, NamedTuple

from torch import Tensor

from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.kv.given_tokens import GivenTexts, Ids, logprobs_of
from outlines_cont.kv.needs import Need
from outlines_cont.prefixes import common_length
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.ends import replay
from outlines_cont.state.rescore import stop_logprob

REMEMBERED = 16  # scorings of a constraint


@dataclass(frozen=True, eq=False)
class OptionScoring:
    """The options that a span may go on with, and the logits that score them; spans after the same row share one.

    Attributes:
        context: the row, and the tokens that the span has.
        options: the tokens that are left of each option that begins like the span, in order.
        numbers: the places of these options in the choice.
        ends: the guide and the state at the end of each, whose tokens are not its stop's.
        alone: the same context where a document begins, if the choice is normalised by that; else ().
        prefixes: the logits that are needed.
        law: of a decision between ways, whose options have no tokens: how likely each way is (`WayLaw`).
    """

    context: Ids
    options: tuple[Ids, ...]
    numbers: tuple[int, ...]
    ends: tuple[tuple[FullGuide, GuideState], ...]
    alone: Ids
    prefixes: GivenTexts
    law: Any = None

    @property
    def needs(self) -> Sequence[Need]:
        return self.prefixes.needs

    def within(self, room: float) -> OptionScoring:
        """The options for which there is room. ConstraintError if there are none."""
        fitting = [place for place, option in enumerate(self.options) if len(option) <= room]
        if len(fitting) == len(self.options):
            return self
        if not fitting:
            least = min(map(len, self.options))
            raise ConstraintError(f"a choice by='sequence' within {room} tokens: the shortest option takes {least}")
        fields = (self.options, self.numbers, self.ends)
        options, numbers, ends = (tuple(field[place] for place in fitting) for field in fields)
        return replace(self, options=options, numbers=numbers, ends=ends)

    def read(self, option: Ids) -> tuple[int, int]:
        """Which need reads the most of the context and this option, and how many tokens that are."""
        places = (i for i, need in enumerate(self.prefixes.needs) if need.head == self.context)
        count, place = max((common_length(option, self.prefixes.needs[i].ids), -i) for i in places)
        return -place, len(self.context) + count


def option_scoring(
    constraint: Constraint, encoder: Encoder, healed: bytes, context: Ids, kept: Ids
) -> OptionScoring | None:
    """The options for a span after a row; None if the span is over. `kept`: the last tokens of the context, its own.

    The same one for equal rows, which are many where samples begin.
    """
    key, memory = (healed, context, kept), constraint.option_scores
    scoring = memory.get(key, memory)
    if scoring is memory:
        for old in list(memory)[: max(0, len(memory) - REMEMBERED + 1)]:  # (other threads may do the same)
            memory.pop(old, None)
        scoring = memory[key] = _option_scoring(constraint, encoder, *key)
    return scoring


def _option_scoring(
    constraint: Constraint, encoder: Encoder, healed: bytes, context: Ids, kept: Ids
) -> OptionScoring | None:
    if constraint.kind == "ways":
        from outlines_cont.ways import law_of

        law = law_of(constraint, encoder, context)
        ways = len(law)
        return OptionScoring(context, ((),) * ways, tuple(range(ways)), (), (), law.asked_after(context), law)
    guide, tokens = constraint.guide_after(healed), encoder.vocabulary.tokens
    written = b"".join(tokens[token] for token in kept)
    options: dict[Ids, tuple[int, GuideState]] = {}
    for number, option in enumerate(constraint.options):
        data = healed + option.encode()
        if data.startswith(written):
            ids = tuple(encoder.encode_bytes(data))
            left = ids[len(kept) :] if ids[: len(kept)] == kept else tuple(encoder.encode_bytes(data[len(written) :]))
            state = replay(guide, kept + left)
            if state is not None or not constraint.bans:
                options[left] = number, state
    # whether to stop is a question only where something could follow
    asked = {
        option: not constraint.must_stop(guide, state, kept + option, healed) for option, (_, state) in options.items()
    }
    if not asked.get((), True):
        return None
    prefixes = GivenTexts()
    prefixes.add(context, asked)
    alone = encoder.blank + kept if constraint.normalize == "unconditional" else ()
    if alone and alone != context:
        prefixes.add(alone, asked)
    numbers = tuple(number for number, _ in options.values())
    ends = tuple(constraint.going_on(guide, state, kept + left, healed) for left, (_, state) in options.items())
    return OptionScoring(context, tuple(options), numbers, ends, alone, prefixes)


class OptionScores(NamedTuple):
    """Each option's log-probability among all options, and the model's own of its tokens and of its stop."""

    shares: list[float]
    scores: list[tuple[list[float], float]]


def scored_options(
    scoring: OptionScoring, constraint: Constraint, logits: Tensor, begun: Sequence[float | None]
) -> OptionScores:
    """From the logits `[lines, V]` that a scoring asked for.

    begun: the log-probabilities of the tokens that the span has already.
    """
    if scoring.law is not None:
        ways = scoring.law.logprobs(scoring.context, scoring.prefixes, logits)
        norm = log_sum(ways)
        return OptionScores([way - norm for way in ways], [([], way) for way in ways])
    logprobs, _ = logprobs_of(logits, scoring.prefixes.following)

    def scores(context: Ids) -> list[tuple[list[float], float]]:
        tokens_and_stops = []
        for ids, end in zip(scoring.options, scoring.ends, strict=True):
            path = scoring.prefixes.paths[context][ids]
            of_stop = stop_logprob(constraint, *end, logits[path[-1]]) if len(path) > len(ids) else 0.0
            tokens_and_stops.append(([logprobs[line][t] for line, t in zip(path, ids, strict=False)], of_stop))
        return tokens_and_stops

    scored = scores(scoring.context)
    values = [fsum(of_tokens) + of_stop for of_tokens, of_stop in scored]
    if constraint.normalize == "mean":
        size, so_far = len(begun) + 1, fsum(value or 0.0 for value in begun)
        values = [(so_far + value) / (size + len(ids)) for value, ids in zip(values, scoring.options, strict=True)]
    elif scoring.alone:
        alone = scores(scoring.alone)
        values = [value - fsum(each) - of_stop for value, (each, of_stop) in zip(values, alone, strict=True)]
    norm = log_sum(values)
    if norm == -inf:
        raise ValueError("the model gives probability 0 to every option")
    return OptionScores([value - norm for value in values], scored)


def proposals(options: Sequence[Ids], law: Sequence[float], place: int) -> tuple[list[float], float]:
    """The log-probabilities of drawing an option's tokens one by one by a law of whole options, and then its stop."""
    ids = options[place]
    masses = [
        log_sum(p for other, p in zip(options, law, strict=True) if other[:size] == ids[:size])
        for size in range(len(ids) + 1)
    ]
    return [min(0.0, after - before) for before, after in pairwise(masses)], min(0.0, law[place] - masses[-1])


def log_sum(values: Iterable[float]) -> float:
    """The log of the sum of exp(values)."""
    values = list(values)
    top = max(values)
    return top if top == -inf else top + log(fsum(exp(value - top) for value in values))
