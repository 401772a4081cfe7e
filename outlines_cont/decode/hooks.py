"""Hooks at work: what becomes of a draw, before it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, nan

import torch
from torch import Tensor

from outlines_cont.arguments import is_whole, shown, whole_number
from outlines_cont.decode.canonical import LOOKBACK
from outlines_cont.decode.draws import Answer, Backtrack, Draw, Insert, Replace, Resample, Stop
from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.growing_span import TooManyRetries
from outlines_cont.decode.hypothesis import Hypothesis, alone, change, drawn, ended, settled, stopped_by_hook
from outlines_cont.errors import ConstraintError
from outlines_cont.kernels.laws import Law, Option
from outlines_cont.kv.given_tokens import logprob_of
from outlines_cont.state.spans import SpanStop

# --- candidates under a predicate: what each would make of its row, and whether it may come


def vetted(h: Hypothesis) -> bool:
    """Whether there is a predicate that has a say in what comes next."""
    return h.settings.inspection.where is not None and h.at.freed is None


class Standing:
    """Where rows stand of which every candidate makes the same: what each would add is worked out once."""

    def __init__(self, h: Hypothesis):
        self._h = alone(h) if vetted(h) else None
        self._changes: dict[int, float] = {}

    def change_by(self, candidate: int) -> float:
        """What a candidate, and all that follows of it without a draw, adds to the log-potential of a row; −inf if the
        predicate refuses it. The constraint must allow it."""
        if self._h is None:
            return 0.0
        added = self._changes.get(candidate)
        if added is None:
            added = self._changes[candidate] = _change_by(self._h, candidate)
        return added

    def accepts(self, candidate: int) -> bool:
        """Whether the predicate lets a candidate come, which the constraint allows."""
        return self.change_by(candidate) > -inf


def standings(live: Sequence[Hypothesis]) -> list[Standing]:
    """Where each of some rows stands: those that stand alike have it in common."""
    made: dict[Hashable, Standing] = {}
    each = []
    for h in live:
        place = _place(h)
        if place not in made:
            made[place] = Standing(h)
        each.append(made[place])
    return each


def _place(h: Hypothesis) -> Hashable:
    """All that decides what a candidate makes of a row, but for log-probabilities: the tokens of its span, how much
    room it has, and the tokens before it that a forced run is spelled by. Of objects, while rows have them, the ids."""
    span = h.span
    row = span.row
    before = row.ids if len(row.ids) <= LOOKBACK else row.ids[-LOOKBACK:]
    return (
        id(span.settings),
        id(row.beside),
        len(row.ids),
        before,
        span.ids,
        span.spent,
        span.notes.unfed,
        span.at.freed,
    )


def _change_by(h: Hypothesis, candidate: int) -> float:
    [after] = drawn(h, candidate, 0.0, 0.0)
    added = change(h.span, after)
    if added == -inf or not after.status.drawing:
        return added
    at, settings = after.span.at, h.span.settings
    if not at.guide.complete(at.state):
        return added
    # Nothing but its end can come of it. (No hook is asked about a row that has no candidate.)
    [ended] = drawn(after, len(settings.encoder.vocabulary.tokens), 0.0, 0.0)
    return -inf if change(after.span, ended) == -inf else added


def accepts(h: Hypothesis, candidate: int) -> bool:
    """`Standing.accepts` of one row."""
    return Standing(h).accepts(candidate)


def may_end(h: Hypothesis) -> bool:
    """Whether the predicate of a row lets it end where it is."""
    if not vetted(h):
        return True
    [after] = stopped_by_hook(alone(h), SpanStop(0.0, 0.0))
    return after.finished != "stop" or change(h.span, after) > -inf


# --- hooks

Hook = Callable[[Draw], Answer]
Redraw = Callable[[Hypothesis, Law, Filters], tuple[Law, Option]]  # from a law, which it may warp


def noted(h: Hypothesis, law: Law) -> Hypothesis:
    """A row that keeps the likeliest candidates of its next draw and, if asked, the entropy. `law`: its own."""
    asked = h.settings.inspection
    if not asked.keeps_law:
        return h
    entropy = max(0.0, torch.special.entr(law.probabilities.double()).sum().item()) if asked.entropies else None
    return h.with_law(law.top(asked.candidates)[0] if asked.candidates else (), entropy)


@dataclass(frozen=True, eq=False)
class HookedStep:
    """One step of a generation with hooks: it asks each row's own about every draw, and does what they answer.

    logits: the model's own, `[rows, V]`.

    Hooks are asked in order; the first answer that is not None counts.
    """

    logits: Tensor

    def ask(self, h: Hypothesis, row: int, option: Option, law: Law) -> Answer:
        """What the hooks answer about an option of a row; `law` is that row's."""
        if not h.settings.inspection.hooks:
            return None
        draw = Draw(option, law, self.logits[row], h)
        try:
            for hook in h.settings.inspection.hooks:
                answer = hook(draw)
                if isinstance(answer, Replace) and not self._fits(h, answer, draw, law):
                    answer = Resample() if answer.otherwise == "resample" else None
                if answer is not None:
                    if isinstance(answer, (Replace, Insert, Resample, Backtrack, Stop)):
                        return answer
                    raise TypeError(
                        "a hook returns None (accept), Replace(token), Insert(token), Resample(), Backtrack(n) or "
                        f"Stop(); {getattr(hook, '__name__', hook)} returned {shown(answer)}"
                    )
        finally:
            draw.close()
        return None

    def _fits(self, h: Hypothesis, answer: Replace, draw: Draw, law: Law) -> bool:
        """Whether it can be taken, or has to be said to be wrong."""
        if answer.otherwise == "raise" or answer.unconstrained or not answer.fed:
            return True
        [token] = self._candidates([answer.token], law)
        return draw.allows(None if token == law.stop else token) and accepts(h, token)

    def extend(self, h: Hypothesis, row: int, option: Option, law: Law, redraw: Redraw) -> tuple[Hypothesis, ...]:
        """The row after its draw was accepted, replaced, or drawn again until it was; or sent back, or ended."""
        banned, law_left = set(h.retries.banned), law
        if banned:
            h, law_left, option = self._redrawn(h, law, banned, redraw)
        while True:
            answer = self.ask(h, row, option, law_left)
            if not isinstance(answer, Resample):
                return self.follow(h, row, option, law, answer)
            banned |= self.banned(answer, option, law)
            h, filters = h.declined(law_known=answer.filters is not PLAIN), answer.filters
            h, law_left, option = self._redrawn(h, law, banned, redraw, filters)

    def follow(self, h: Hypothesis, row: int, option: Option, law: Law, answer: Answer) -> tuple[Hypothesis, ...]:
        """The row after an answer that is no `Resample`; `law` is without bans."""
        if answer is None:
            return h.extend(*option)
        if isinstance(answer, Replace):
            return self._replaced(h, row, law, answer)
        if isinstance(answer, Insert):
            return self._beside(h, row, law, answer)
        if isinstance(answer, Backtrack):
            if not is_whole(answer.n) or answer.n < 1:
                raise ValueError(
                    f"{shown(answer)}: n counts the tokens before what was drawn: at least 1, else Resample()"
                )
            banned = frozenset(self._candidates(answer.ban, law))
            back = h.back(answer.n, drawn=True)
            return settled(back.changed(retries=back.retries.gone_back(back.span.returned, banned)))
        assert isinstance(answer, Stop)
        if not may_end(h):
            return ended(h, "interrupted")
        return stopped_by_hook(h, SpanStop(law.logprob(law.stop), nan, by="hook"))

    def banned(self, answer: Resample, option: Option, law: Law) -> set[int]:
        """What may not be drawn again."""
        return {option[0]} if answer.ban is None else self._candidates(answer.ban, law)

    def _replaced(self, h: Hypothesis, row: int, law: Law, answer: Replace) -> tuple[Hypothesis, ...]:
        if not answer.fed:
            return self._beside(h, row, law, answer)
        [token] = self._candidates([answer.token], law)
        if token == law.stop:
            logprob = law.logprob(token)
            if logprob == -inf:
                raise ConstraintError(f"{shown(answer)}: the constraint does not let the span end here")
        else:
            vocabulary = h.settings.encoder.vocabulary
            no_text = token in vocabulary.special or not vocabulary.tokens[token]
            if no_text and token not in h.settings.constraint.special_tokens:
                raise ValueError(f"{shown(answer)}: it is no token of text; for the stop, Replace(None) or Stop()")
            logprob = logprob_of(self.logits[row], token)
            if answer.unconstrained:
                return settled(h.freed(token, logprob, nan), len(h.text))
            if h.at.guide.advance(h.at.state, token) is None:
                raise ConstraintError(
                    f"{shown(answer)}: the constraint does not allow {vocabulary.tokens[token]!r} here; "
                    "Replace(token, unconstrained=True) gives it up"
                )
        if not accepts(h, token):
            where = h.settings.inspection.where and h.settings.inspection.where.name
            raise ConstraintError(f"{shown(answer)}: {where} refuses it after {h.value!r}")
        return h.extend(token, logprob, nan)

    def _beside(self, h: Hypothesis, row: int, law: Law, answer: Replace | Insert) -> tuple[Hypothesis, ...]:
        """The row with a token that its constraint is not told of. One that is inserted has no score."""
        [token] = self._candidates([answer.token], law)
        if token == law.stop:
            raise ValueError(f"{shown(answer)}: it is no token; the stop cannot be inserted")
        logprob = logprob_of(self.logits[row], token) if isinstance(answer, Replace) else None
        return settled(h.unfed(token, logprob), len(h.text))

    @staticmethod
    def _redrawn(
        h: Hypothesis, law: Law, banned: Iterable[int], redraw: Redraw, filters: Filters = PLAIN
    ) -> tuple[Hypothesis, Law, Option]:
        try:
            law = law.without(banned)
        except ValueError:
            raise TooManyRetries("the hooks have banned all that the constraint allows") from None
        law, option = redraw(h, law, filters)
        return noted(h, law), law, option

    @staticmethod
    def _candidates(tokens: Iterable[int | None], law: Law) -> set[int]:
        """Token ids, and None for the stop, as columns of a law."""
        try:
            ids: Sequence[int | None] = [None if t is None else whole_number(t, "token", "an id") for t in tokens]
        except TypeError:
            raise TypeError(
                f"a hook's answer names tokens by their ids (None is the stop), not by {shown(tokens)}"
            ) from None
        for token in ids:
            if token is not None and not 0 <= token < law.stop:
                raise ValueError(f"token {token} is not in a vocabulary of {law.stop} tokens (None is the stop)")
        return {law.stop if token is None else token for token in ids}
