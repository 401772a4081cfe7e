"""The draws of a step that were made elsewhere: one for each need, and no logits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan
from numbers import Real
from typing import Any, NamedTuple

from outlines_cont.arguments import is_number, plain, shown, whole_number
from outlines_cont.decode.branch import Branching
from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.growing_row import with_end_token
from outlines_cont.decode.hooks import accepts
from outlines_cont.decode.hypothesis import Hypothesis, scored
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.settings import Cursor
from outlines_cont.engines.protocol import AnsweredNeed
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import ROUNDING
from outlines_cont.kv.needs import Need
from outlines_cont.state.ends import replay

Draw = tuple[int | None, float | None]  # a token, or None for the stop; the model's log-probability of it, or None


def unread_needs(pending: Sequence[Need]) -> Iterator[AnsweredNeed]:
    """Each need, with its place for its line, and the claim that it has noted."""
    return ((need, at, at + 1, need.computed[0] if need.computed else None) for at, need in enumerate(pending))


def given_ids(h: Hypothesis) -> tuple[int, ...]:
    """The tokens of a row that were given and have no scores, and then those that its stop dropped."""
    return (*h.ids[len(h.ids) - h.unscored :], *(h.span.dropped if h.end else ()))


class GivenDraws(NamedTuple):
    """What stands in the place of `StepDraws` in such a step.

    Attributes:
        draws: one for each need, in their order.
        rows: of each need, its row, as errors name it.
    """

    draws: Sequence[Draw]
    rows: Sequence[str]

    @classmethod
    def of(cls, groups: HypothesisGroups, needs: int, ids: Any, logprobs: Any, vocabulary: Vocabulary) -> GivenDraws:
        """TypeError or ValueError where a token alone does not say how these rows go on, for what is no draw of this
        vocabulary, and for a row that draws nothing."""
        special = {t for group in groups for h in group for t in h.settings.constraint.special_tokens}
        draws = _checked_draws(ids, logprobs, needs, vocabulary, special)
        _refuse_what_needs_logits(groups)
        each = [(h, f"row ({b}, {s})") for b, group in enumerate(groups) for s, h in enumerate(group)]
        asking = [(h, row) for h, row in each if not h.needs_nothing]
        for place, (draw, (h, row)) in enumerate(zip(draws, asking, strict=True)):
            if not h.may_draw and draw != (None, None):
                raise ValueError(
                    f"ids[{place}]={draw[0]}: {row} draws nothing now; give None, as wherever frontier.drawing is False"
                )
        return cls(draws, [row for _, row in asking])

    def given(self, h: Hypothesis, line: int, branching: Branching) -> tuple[Hypothesis, ...]:
        """A row whose given tokens get no scores, since there are no logits."""
        try:
            return scored(h, [nan] * len(given_ids(h)), branching)
        except Exception as error:
            return failing(h, error)

    def drawn(self, groups: HypothesisGroups, live: Sequence[Hypothesis], places: Sequence[int]) -> HypothesisGroups:
        """The hypotheses after a draw for each that is ready. places: of each of these, the need that it draws from."""
        after: dict[int, tuple[Hypothesis, ...]] = {}
        for h, place in zip(live, places, strict=True):
            if (count := places.count(place)) > 1:
                raise TypeError(
                    f"accept(): a controller forks {self.rows[place]} into {count} rows that draw now, and "
                    f"ids[{place}] is one token: give logits, frontier.step(logits)"
                )
            after[id(h)] = self._taken(h, place)
        return tuple(tuple(x for h in group for x in after.get(id(h), (h,))) for group in groups)

    def _taken(self, h: Hypothesis, place: int) -> tuple[Hypothesis, ...]:
        """A ready row, one candidate further. ConstraintError if its constraint does not allow that."""
        (token, logprob), row = self.draws[place], self.rows[place]
        vocabulary = h.encoder.vocabulary
        if token is None or token in vocabulary.eos:
            candidate, name = len(vocabulary), "the stop"
        else:
            candidate, name = token, f"{vocabulary.tokens[token]!r}"
        h = _reading(h, candidate)
        if not _allows(h.at, candidate):
            raise ConstraintError(
                f"ids[{place}]={token}: the {h.settings.constraint.kind} constraint of {row} does not allow {name} "
                f"after {h.value!r}"
            )
        try:
            if h.settings.inspection.where is None or accepts(h, candidate):
                after = h.extend(candidate, nan if logprob is None else logprob, nan)
                ended_by = token if candidate == len(vocabulary) else None
                return tuple(with_end_token(x, {id(h.row)}, lambda _: ended_by) for x in after)
        except Exception as error:
            return failing(h, error)
        raise ConstraintError(
            f"ids[{place}]={token}: {h.settings.inspection.where.name} of {row} refuses {name} after {h.value!r}"
        )


def _allows(at: Cursor, candidate: int) -> bool:
    stop = candidate == len(at.guide.vocabulary)
    return at.guide.accepting(at.state) if stop else at.guide.advance(at.state, candidate) is not None


def _reading(h: Hypothesis, candidate: int) -> Hypothesis:
    """The row under the first reading of its constraint that has what it wrote, and this candidate; else as it is."""
    if _allows(h.at, candidate) or h.span.controlled:
        return h
    for reading in h.settings.constraint.readings[1:]:
        state = replay(guide := reading.guide_after(h.settings.healed), h.ids)
        if state is not None and _allows(other := h.at._replace(guide=guide, state=state), candidate):
            return h.changed(span=h.span.changed(at=other))
    return h


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
        "Keep(candidates=n) and Keep(entropies=True) keep something of its law": any(
            h.settings.inspection.keeps_law for h in going
        ),
        "a branch names the law of its draws": any(h.at.followed.filters is not PLAIN for h in going),
    }
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    if reason:
        raise TypeError(f"accept(): {reason}. Give logits: frontier.step(logits)")


def _checked_draws(ids: Any, logprobs: Any, count: int, vocabulary: Vocabulary, special: set[int]) -> list[Draw]:
    """One draw for each need. special: the special tokens that some row may have."""
    tokens = _listed("ids", ids, count)
    values = [None] * count if logprobs is None else _listed("logprobs", logprobs, count)
    return [
        (_checked_token(place, token, vocabulary, special), _checked_logprob(place, value))
        for place, (token, value) in enumerate(zip(tokens, values, strict=True))
    ]


def _listed(name: str, values: Any, count: int) -> list[Any]:
    values = plain(values)
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"accept() takes a list of {name}, one for each need, not {shown(values)}")
    if len(values) != count:
        raise ValueError(f"accept() got {len(values)} {name}; pending has {count} needs, and each takes one")
    return list(values)


def _checked_token(place: int, token: Any, vocabulary: Vocabulary, special: set[int]) -> int | None:
    """A token of text, one that ends a text, or None."""
    if token is None:
        return None
    token = whole_number(token, f"ids[{place}]", "a token id, or None for the stop")
    if not 0 <= token < len(vocabulary):
        raise ValueError(f"ids[{place}]={token} is outside the vocabulary of {len(vocabulary)} tokens")
    if (
        token not in vocabulary.eos
        and token not in special
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
