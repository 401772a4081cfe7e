"""Ballots: a choice made at once. All options are scored, and one is elected by its probability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum, inf, log
from typing import NamedTuple

from torch import Tensor

from outlines_cont.decode.prefix_queries import Ids, Spellings, common
from outlines_cont.engines.encoding import Encoder
from outlines_cont.kv.query import Query
from outlines_cont.state.constraint import Constraint, Guide, GuideState, replay
from outlines_cont.state.rescore import logprobs_of, stop_logprob

REMEMBERED = 16  # ballots of a constraint

# From the log-probabilities of all options: those that they are drawn by, and which are elected.
Elect = Callable[[list[float]], tuple[list[float], list[int]]]


@dataclass(frozen=True, eq=False)
class Ballot:
    """What has to be known before the option of a span is elected; spans after the same row share one.

    context: the row, and the tokens that the span has; options: what those still take that begin like the span, in
    order; numbers: theirs; states: of the constraint at their ends; alone: the same context where a document begins,
    if that counts, else (); tree: the logits that it needs.
    """

    context: Ids
    options: tuple[Ids, ...]
    numbers: tuple[int, ...]
    states: tuple[GuideState, ...]
    alone: Ids
    tree: Spellings

    @property
    def queries(self) -> Sequence[Query]:
        return self.tree.queries

    def read(self, option: Ids) -> tuple[int, int]:
        """Which query reads the most of the context and this option, and how many tokens that are."""
        own = (i for i, query in enumerate(self.tree.queries) if query.head == self.context)
        count, place = max((common(option, self.tree.queries[i].ids), -i) for i in own)
        return -place, len(self.context) + count


def ballot_of(constraint: Constraint, encoder: Encoder, healed: bytes, context: Ids, kept: Ids) -> Ballot | None:
    """The ballot for a span after a row, `kept` being those tokens of the context that it has; None if it is over.

    The same one for equal rows, which are many where samples begin.
    """
    key, known = (healed, context, kept), constraint.ballots
    found = known.get(key, known)
    if found is known:
        for old in list(known)[: max(0, len(known) - REMEMBERED + 1)]:  # (other threads may do the same)
            known.pop(old, None)
        found = known[key] = _made(constraint, encoder, *key)
    return found


def _made(constraint: Constraint, encoder: Encoder, healed: bytes, context: Ids, kept: Ids) -> Ballot | None:
    guide, tokens = constraint.guide_after(healed), encoder.vocabulary.tokens
    said = b"".join(tokens[token] for token in kept)
    found: dict[Ids, tuple[int, GuideState]] = {}
    for number, option in enumerate(constraint.options):
        data = healed + option.encode()
        if data.startswith(said):
            ids = tuple(encoder.encode_bytes(data))
            rest = ids[len(kept) :] if ids[: len(kept)] == kept else tuple(encoder.encode_bytes(data[len(said) :]))
            found[rest] = number, replay(guide, kept + rest)
    # whether to stop is a question only where something could follow
    asked = {rest: not constraint.must_stop(guide, state) for rest, (_, state) in found.items()}
    if not asked.get((), True):
        return None
    tree = Spellings()
    tree.add(context, asked)
    alone = encoder.blank + kept if constraint.normalize == "unconditional" else ()
    if alone and alone != context:
        tree.add(alone, asked)
    numbers, states = zip(*found.values(), strict=True)
    return Ballot(context, tuple(found), numbers, states, alone, tree)


class OptionScores(NamedTuple):
    """Each option's log-probability among all options, and the model's own of its tokens and of its stop."""

    shares: list[float]
    scores: list[tuple[list[float], float]]


def scored_options(
    ballot: Ballot, constraint: Constraint, guide: Guide, logits: Tensor, begun: Sequence[float | None]
) -> OptionScores:
    """From the logits `[lines, V]` that a span's ballot asked for.

    begun: the log-probabilities of the tokens that the span has already.
    """
    logprobs, _ = logprobs_of(logits, ballot.tree.following)

    def scores(context: Ids) -> list[tuple[list[float], float]]:
        tokens_and_stops = []
        for ids, state in zip(ballot.options, ballot.states, strict=True):
            path = ballot.tree.paths[context][ids]
            stop = stop_logprob(constraint, guide, state, logits[path[-1]]) if len(path) > len(ids) else 0.0
            tokens_and_stops.append(([logprobs[line][token] for line, token in zip(path, ids, strict=False)], stop))
        return tokens_and_stops

    scored = scores(ballot.context)
    values = [fsum(tokens) + stop for tokens, stop in scored]
    if constraint.normalize == "mean":
        size, so_far = len(begun) + 1, fsum(value or 0.0 for value in begun)
        values = [(so_far + value) / (size + len(ids)) for value, ids in zip(values, ballot.options, strict=True)]
    elif ballot.alone:
        alone = scores(ballot.alone)
        values = [value - fsum(tokens) - stop for value, (tokens, stop) in zip(values, alone, strict=True)]
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
