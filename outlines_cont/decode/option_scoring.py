"""Ballots: a choice made at once. All options are scored, and one is elected by its probability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum, inf, log
from typing import TYPE_CHECKING, NamedTuple

from torch import Tensor

from outlines_cont.decode.prefix_queries import Ids, Spellings, common
from outlines_cont.engines.encoding import Encoder
from outlines_cont.kv.query import Query
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.constraint import Maker, State, replay
from outlines_cont.state.rescore import logprobs_of, stop_logprob
from outlines_cont.state.row import Stop

if TYPE_CHECKING:
    from outlines_cont.decode.hypothesis import Hypothesis

REMEMBERED = 16  # ballots of a maker

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
    states: tuple[State, ...]
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


def ballot_of(maker: Maker, encoder: Encoder, healed: bytes, context: Ids, kept: Ids) -> Ballot | None:
    """The ballot for a span after a row, `kept` being those tokens of the context that it has; None if it is over.

    The same one for equal rows, which are many where samples begin.
    """
    key, known = (healed, context, kept), maker.ballots
    found = known.get(key, known)
    if found is known:
        for old in list(known)[: max(0, len(known) - REMEMBERED + 1)]:  # (other threads may do the same)
            known.pop(old, None)
        found = known[key] = _made(maker, encoder, *key)
    return found


def _made(maker: Maker, encoder: Encoder, healed: bytes, context: Ids, kept: Ids) -> Ballot | None:
    guide, tokens = maker.guide_after(healed), encoder.vocabulary.tokens
    said = b"".join(tokens[token] for token in kept)
    found: dict[Ids, tuple[int, State]] = {}
    for number, option in enumerate(maker.options):
        data = healed + option.encode()
        if data.startswith(said):
            ids = tuple(encoder.encode_bytes(data))
            rest = ids[len(kept) :] if ids[: len(kept)] == kept else tuple(encoder.encode_bytes(data[len(said) :]))
            found[rest] = number, replay(guide, kept + rest)
    # whether to stop is a question only where something could follow
    asked = {rest: not maker.must_stop(guide, state) for rest, (_, state) in found.items()}
    if not asked.get((), True):
        return None
    tree = Spellings()
    tree.add(context, asked)
    alone = encoder.blank + kept if maker.normalize == "unconditional" else ()
    if alone and alone != context:
        tree.add(alone, asked)
    numbers, states = zip(*found.values(), strict=True)
    return Ballot(context, tuple(found), numbers, states, alone, tree)


class Count(NamedTuple):
    """known: each option's log-probability among all; scores: the model's own, of its tokens, and of its stop."""

    known: list[float]
    scores: list[tuple[list[float], float]]


def counted(h: Hypothesis, logits: Tensor) -> Count:
    """From the logits `[lines, V]` that a span's ballot asked for."""
    own, maker, guide = h.ballot, h.job.maker, h.at.guide
    assert own is not None
    logprobs, _ = logprobs_of(logits, own.tree.following)

    def scores(context: Ids) -> list[tuple[list[float], float]]:
        found = []
        for ids, state in zip(own.options, own.states, strict=True):
            path = own.tree.paths[context][ids]
            stop = stop_logprob(maker, guide, state, logits[path[-1]]) if len(path) > len(ids) else 0.0
            found.append(([logprobs[line][token] for line, token in zip(path, ids, strict=False)], stop))
        return found

    found = scores(own.context)
    values = [fsum(tokens) + stop for tokens, stop in found]
    if maker.normalize == "mean":
        begun, size = fsum(value or 0.0 for value in h.logprobs), len(h.ids) + 1
        values = [(begun + value) / (size + len(ids)) for value, ids in zip(values, own.options, strict=True)]
    elif own.alone:
        values = [value - fsum(tokens) - stop for value, (tokens, stop) in zip(values, scores(own.alone), strict=True)]
    norm = _log_sum(values)
    if norm == -inf:
        raise ValueError("the model gives probability 0 to every option")
    return Count([value - norm for value in values], found)


def elected(
    h: Hypothesis, count: Count, elect: Elect, reads: Sequence[tuple[int, Claim | None]]
) -> Iterator[Hypothesis]:
    """The span with the option, or with each of those, that its ballot elects.

    Tokens' proposals are those of drawing them one by one by the same law of the options. `reads`: for each query, as
    which pending row it was read, and a claim on its keys and values.
    """
    own = h.ballot
    assert own is not None
    law, chosen = elect(count.known)
    for place in chosen:
        ids, (logprobs, stop) = own.options[place], count.scores[place]
        masses = [
            _log_sum(p for other, p in zip(own.options, law, strict=True) if other[:size] == ids[:size])
            for size in range(len(ids) + 1)
        ]
        proposals = [min(0.0, after - before) for before, after in pairwise(masses)]
        query, size = own.read(ids)
        row, claim = reads[query]
        longer = h.changed(ballot=None).longer(ids, logprobs, proposals).read(row, size, claim and claim.crop(size))
        yield from longer.chosen(Stop(stop, min(0.0, law[place] - masses[-1])))


def _log_sum(values: Iterable[float]) -> float:
    """The log of the sum of exp(values)."""
    values = list(values)
    top = max(values)
    return top if top == -inf else top + log(fsum(exp(value - top) for value in values))
