"""Rows go on with tokens that were drawn elsewhere: one for each need, and no logits."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from numbers import Real
from typing import Any, NamedTuple

from outlines_cont.arguments import is_number, plain, shown, whole_number
from outlines_cont.decode.branch import branches_of
from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.hooks import accepts
from outlines_cont.decode.hypothesis import Hypothesis, scored
from outlines_cont.decode.logits import Prepared
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import ROUNDING
from outlines_cont.kv.needs import Need


class DrawnElsewhere(NamedTuple):
    """What somebody drew for a need: a token, or None for the stop; and the model's log-probability of it, or None."""

    place: int
    token: int | None
    logprob: float | None

    def taken(self, h: Hypothesis, row: str) -> tuple[Hypothesis, ...]:
        """A ready row, one candidate further. ConstraintError if its constraint does not allow that."""
        vocabulary, at = h.encoder.vocabulary, h.at
        if self.token is None or self.token in vocabulary.eos:
            candidate, allowed, name = len(vocabulary), at.guide.accepting(at.state), "the stop"
        else:
            candidate, allowed = self.token, at.guide.advance(at.state, self.token) is not None
            name = f"{vocabulary.tokens[self.token]!r}"
        if not allowed:
            raise ConstraintError(
                f"ids[{self.place}]={self.token}: the {h.settings.constraint.kind} constraint of {row} does not allow "
                f"{name} after {h.value!r}"
            )
        try:
            refused = h.settings.inspection.where is not None and not accepts(h, candidate)
        except Exception as error:
            return failing(h, error)
        if refused:
            where = h.settings.inspection.where and h.settings.inspection.where.name
            raise ConstraintError(f"ids[{self.place}]={self.token}: {where} of {row} refuses {name} after {h.value!r}")
        try:
            return h.extend(candidate, nan if self.logprob is None else self.logprob, nan)
        except Exception as error:
            return failing(h, error)


def accepted(
    groups: HypothesisGroups, draws: Iterator[tuple[Need, DrawnElsewhere]], prepared: Prepared
) -> HypothesisGroups:
    """The hypotheses after these draws, one for each need."""
    _refuse_what_needs_logits(groups)
    grown: list[tuple[Hypothesis, ...]] = []
    for b, group in enumerate(groups):
        after: list[Hypothesis] = []
        for s, h in enumerate(group):
            if h.needs_nothing:
                after.append(h.forgotten())
                continue
            need, draw = next(draws)
            row, forks = f"row ({b}, {s})", _read(h, need, prepared)
            count = sum(x.status.ready for x in forks)
            if count > 1:
                raise TypeError(
                    f"accept(): a controller forks {row} into {count} rows that draw now, and ids[{draw.place}] is "
                    "one token: give logits, frontier.step(logits)"
                )
            if not h.may_draw and (draw.token, draw.logprob) != (None, None):
                raise ValueError(
                    f"ids[{draw.place}]={draw.token}: {row} draws nothing now; give None, as wherever "
                    "frontier.drawing is False"
                )
            for x in forks:
                after += draw.taken(x, row) if x.status.ready else (x,)
        grown.append(tuple(after))
    return tuple(grown)


def _read(h: Hypothesis, need: Need, prepared: Prepared) -> tuple[Hypothesis, ...]:
    """The row once its need is answered, without logits: the scores of what was forced are not known."""
    branching = prepared.answers.pop(h, branches_of)
    h = h.read(need.row, need.length, need.computed[0] if need.computed else None)
    if not h.unscored and not h.ending:
        return (h,)
    dropped = h.span.dropped if h.ending else ()
    try:
        return scored(h, [nan] * (h.unscored + len(dropped)), branching)
    except Exception as error:
        return failing(h, error)


def _refuse_what_needs_logits(groups: HypothesisGroups) -> None:
    """TypeError where a token alone does not say how the rows go on."""
    going = [h for group in groups for h in group if not h.status.ended]
    comparing = [h.settings.sampler for h in going if h.settings.sampler.joint]
    reasons = {
        f"{[*comparing, None][0]!r} compares the rows, by what they draw and by what they could": bool(comparing),
        "a choice by sequence compares the scores of all its options": any(h.scoring for h in going),
        "the law of a row with contexts beside it is combined of the logits of all": any(h.row.beside for h in going),
        "hooks are shown the law of each draw": any(h.settings.inspection.hooks for h in going),
        "Keep(alternatives=n) keeps likely tokens": any(h.settings.inspection.alternatives for h in going),
        "Keep(candidates=n) keeps the likeliest candidates": any(h.settings.inspection.candidates for h in going),
        "a branch names the law of its draws": any(h.at.followed.filters is not PLAIN for h in going),
    }
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    if reason:
        raise TypeError(f"accept(): {reason}. Give logits: frontier.step(logits)")


def checked_draws(
    ids: Any, logprobs: Any, count: int, vocabulary: Vocabulary, stop_tokens: frozenset[int]
) -> list[DrawnElsewhere]:
    """One draw for each need; TypeError or ValueError for what is none of this vocabulary.

    stop_tokens: the special tokens at which some row's text ends.
    """
    tokens = _listed("ids", ids, count)
    values = [None] * count if logprobs is None else _listed("logprobs", logprobs, count)
    return [
        DrawnElsewhere(place, _checked_token(place, token, vocabulary, stop_tokens), _checked_logprob(place, value))
        for place, (token, value) in enumerate(zip(tokens, values, strict=True))
    ]


def _listed(name: str, values: Any, count: int) -> list[Any]:
    values = plain(values)
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"accept() takes a list of {name}, one for each need, not {shown(values)}")
    if len(values) != count:
        raise ValueError(f"accept() got {len(values)} {name}; pending has {count} needs, and each takes one")
    return list(values)


def _checked_token(place: int, token: Any, vocabulary: Vocabulary, stop_tokens: frozenset[int]) -> int | None:
    """A token of text, one that ends a text, or None."""
    if token is None:
        return None
    token = whole_number(token, f"ids[{place}]", "a token id, or None for the stop")
    if not 0 <= token < len(vocabulary):
        raise ValueError(f"ids[{place}]={token} is outside the vocabulary of {len(vocabulary)} tokens")
    if (
        token not in vocabulary.eos
        and token not in stop_tokens
        and (token in vocabulary.special or not vocabulary.tokens[token])
    ):
        raise ValueError(f"ids[{place}]={token} is no token of text; None, or an eos id, is the stop")
    return token


def _checked_logprob(place: int, value: Any) -> float | None:
    if value is None:
        return None
    fits = isinstance(value, Real) and not isinstance(value, bool) and (value != value or value <= ROUNDING)
    if not fits or (isinstance(value, int) and not is_number(value)):
        raise ValueError(f"logprobs[{place}]={shown(value)}: it must be a log-probability, ≤ 0, or None")
    return float(value)
