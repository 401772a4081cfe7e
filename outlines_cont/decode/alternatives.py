"""The model's likeliest tokens at each position, for rows that keep them (`alternatives=n`)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.settings import Cursor, Trail
from outlines_cont.fsm.protocol import allows
from outlines_cont.state.token_notes import NotedToken


def with_alternatives(groups: HypothesisGroups, logits: Tensor) -> HypothesisGroups:
    """The hypotheses, of which each that draws now keeps the likeliest tokens, if it was asked to.

    logits: the model's own, `[those that are ready, V]`. One topk for all of them.
    """
    ready = [h for group in groups for h in group if h.status.ready]
    asking = [(line, h) for line, h in enumerate(ready) if h.settings.alternatives]
    if not asking:
        return groups
    lines = logits if len(asking) == len(logits) else logits[[line for line, _ in asking]]
    likeliest = _likeliest(lines, max(h.settings.alternatives for _, h in asking))
    noted = {id(h): _noted(h, each) for (_, h), each in zip(asking, likeliest, strict=True)}
    return tuple(tuple(noted.get(id(h), h) for h in group) for group in groups)


def with_alternatives_of_given(h: Hypothesis, logits: Tensor) -> Hypothesis:
    """A row that keeps the likeliest tokens at the places of its unscored ones; logits: before each, `[n, V]`."""
    span, count = h.span, len(logits)
    notes = span.notes
    cursors = _cursors_before(span.trail, count)
    for place, at, likeliest in zip(
        range(len(span.ids) - count, len(span.ids)), cursors, _likeliest(logits, h.settings.alternatives), strict=True
    ):
        notes = notes.with_alternatives(place, _judged(at, likeliest))
    return h.changed(span=span.changed(notes=notes))


def _noted(h: Hypothesis, likeliest: Sequence[tuple[int, float]]) -> Hypothesis:
    span: GrowingSpan = h.span
    judged = _judged(span.at, likeliest[: h.settings.alternatives])
    return h.changed(span=span.changed(notes=span.notes.with_alternatives(len(span.ids), judged)))


def _likeliest(logits: Tensor, count: int) -> list[list[tuple[int, float]]]:
    """For each line of logits its likeliest tokens, best first, with their log-probabilities."""
    values, tokens = logits.float().topk(min(count, logits.shape[-1]), dim=-1)
    logprobs = values - torch.logsumexp(logits.float(), dim=-1, keepdim=True)
    return [list(zip(*row, strict=True)) for row in zip(tokens.tolist(), logprobs.tolist(), strict=True)]


def _judged(at: Cursor, likeliest: Sequence[tuple[int, float]]) -> list[NotedToken]:
    """The tokens, with whether the constraint lets each come there; an eos token stands for the end of the span."""
    return [(token, logprob, allows(at.guide, at.state, token)) for token, logprob in likeliest]


def _cursors_before(trail: Trail, count: int) -> list[Cursor]:
    """Where the span stood before each of its last tokens, so many, in order."""
    cursors: list[Cursor] = []
    while len(cursors) < count:
        assert trail is not None
        at, trail = trail
        cursors.append(at)
    return cursors[::-1]
