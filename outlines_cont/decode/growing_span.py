"""The span that is being written after a row: its tokens, their scores, and where they lead in the constraint.

`longer` goes forward, `back` goes back. Both give a new span and leave this one as it is.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from math import fsum, inf, isnan, nan
from typing import Any, Self

from outlines_cont.arguments import brief, is_whole, shown
from outlines_cont.decode.branch_guides import BranchGuide
from outlines_cont.decode.canonical import LOOKBACK
from outlines_cont.decode.settings import Cursor, SpanSettings, Trail
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.within import spent, unlimited
from outlines_cont.state.draw_notes import DREW, NO_NOTES, NONE_GIVEN_UP, RETURNED, GivenUp, Moment, TokenNotes
from outlines_cont.state.row import Row, score
from outlines_cont.state.spans import LIKELIEST, SpanStop

# --- values of which a generation makes another one at every token


class Value:
    """A frozen dataclass that is changed by a copy."""

    def changed(self, **changes: Any) -> Self:
        """`dataclasses.replace` in a tenth of its time: every token of every row comes by here."""
        changed = _new(self.__class__)
        _set_members(changed, self.__dict__ | changes)
        return changed


_new, _set_members = object.__new__, vars(Value)["__dict__"].__set__


# --- what a row remembers of the draws that were given up: each draw there takes another random number


class TooManyRetries(Exception):
    """A row was sent back more often than its settings let it, or further; the frontier makes a `HookLimit` of it."""


@dataclass(frozen=True, eq=False)
class Retries(Value):
    """How often a row was sent back, and what its next draws must know of that. Places count the span's tokens.

    Attributes:
        of_row: place → how many draws the row before the span had given up there.
        tries: place → how many draws the span has given up there.
        given_up: the same, and since when, for the span that will be resumed; without the next draw's part.
        edited: a hook declined a draw here, so that nobody can tell how likely the next one is.
        since: it did so by going back, to this moment; None: it did not.
        law_known: it is at least known what law that one is drawn from.
        banned: what a hook does not let it draw next.
        count: how often it was sent back since it was `furthest` tokens long.
    """

    of_row: Mapping[int, int] = field(default_factory=dict)
    tries: Mapping[int, int] = field(default_factory=dict)
    given_up: GivenUp = NONE_GIVEN_UP
    edited: bool = False
    since: Moment | None = None
    law_known: bool = False
    banned: frozenset[int] = frozenset()
    count: int = 0
    furthest: int = 0

    def sent_back(self, length: int, limit: int) -> Self:
        """One more retry, of a span of `length` tokens. TooManyRetries if it has not grown in `limit` retries."""
        furthest = max(self.furthest, length)
        count = self.count + 1 if length <= self.furthest else 1
        if count > limit:
            raise TooManyRetries(
                f"a row was sent back, or given branches that add nothing, {limit} times (retries), "
                f"and is no longer than {furthest} tokens"
            )
        return self.changed(count=count, furthest=furthest)

    def giving_up(self, places: Iterable[int], moment: Moment) -> Self:
        """The counts after one draw was given up at each of these places; the span is then at this moment."""
        tries, places = dict(self.tries), tuple(places)
        for place in places:
            tries[place] = tries.get(place, 0) + 1
        since = self.since and min(self.since, moment)
        return self.changed(tries=tries, given_up=self.given_up.and_also(places, moment), since=since)

    def gone_back(self, moment: Moment, banned: frozenset[int]) -> Self:
        """After a hook has sent the row back to this moment: its next draw takes none of what is banned."""
        return self.changed(given_up=self.kept(moment), edited=True, since=moment, law_known=False, banned=banned)

    def accepted(self, after: Moment) -> Self:
        """After a draw that was accepted, and led there: the next one may take anything."""
        if not self.edited:
            return self
        return self.changed(given_up=self.kept(after), edited=False, since=None, law_known=False, banned=frozenset())

    def kept(self, end: Moment) -> GivenUp:
        """What a span keeps of it; what holds for the next draw holds up to that moment."""
        return self.given_up if self.since is None else self.given_up.edited(self.since, end, self.banned)

    def resumed(self, given_up: GivenUp, moment: Moment) -> Self:
        """Of a span that goes on from this moment. given_up: all that it gave up, also later."""
        given_up = given_up.at(moment)
        edit = next((each for each in given_up.edits if moment < each[1]), None)
        since, banned = (None, ()) if edit is None else (edit[0], edit[2])
        past = given_up._replace(edits=tuple(each for each in given_up.edits if each is not edit))
        return self.changed(
            tries=given_up.counts,
            given_up=past,
            edited=edit is not None,
            since=since,
            banned=frozenset(banned),
            count=0,
        )


NEVER_SENT_BACK = Retries()


# --- growing span


@dataclass(frozen=True, eq=False)
class GrowingSpan(Value):
    """A row, and the tokens of the span after it.

    Attributes:
        settings: what it shares with all that write the same span.
        row: what stands before it.
        at: where the constraint and the controller stand after its tokens.
        ids, logprobs, proposals, text: its tokens, their two log-probabilities, and their bytes.
        trail: the cursors from which the tokens were drawn, the last one first.
        spent: how many of its tokens count for max_tokens.
        weight: Σ log-probabilities of all that the row and the span generated, stops included.
        generated: how many tokens the row and the span generated.
        unscored: so many of its last tokens were given, not drawn, and still have to be scored.
        stop: the decision that ended it.
        notes: of single tokens.
    """

    settings: SpanSettings
    row: Row
    at: Cursor
    ids: tuple[int, ...] = ()
    logprobs: tuple[float | None, ...] = ()
    proposals: tuple[float | None, ...] = ()
    text: bytes = b""
    trail: Trail = field(default=None, repr=False)
    spent: int = 0
    weight: float = 0.0
    generated: int = 0
    unscored: int = 0
    stop: SpanStop | None = None
    notes: TokenNotes = NO_NOTES

    __repr__ = brief

    # --- what it is now

    @property
    def encoder(self) -> Encoder:
        return self.settings.encoder

    @property
    def position(self) -> int:
        """Where the next token will stand."""
        return len(self.row.ids) + len(self.ids)

    @property
    def returned(self) -> Moment:
        """The moment at which it has gone back to where it is."""
        return len(self.ids), len(self.at.segments), RETURNED

    @property
    def drew(self) -> Moment:
        """The moment at which its next draw was made."""
        return len(self.ids), len(self.at.segments), DREW

    @property
    def tail(self) -> tuple[int, ...]:
        """The last tokens of row and span: enough to see how the tokenizer would go on."""
        return (*self.row.ids[-LOOKBACK:], *self.ids[-LOOKBACK:])[-LOOKBACK:]

    @property
    def value(self) -> bytes:
        """Its text, without what healing took back from the row."""
        healed = len(self.settings.healed)
        return self.text[healed:] if healed else self.text

    @property
    def dropped(self) -> tuple[int, ...]:
        """The tokens of a stop string that were taken out of the row."""
        return (self.stop and self.stop.dropped) or ()

    @property
    def guide_ended(self) -> bool:
        """Whether its guide has come to the end, whatever the model thinks."""
        at = self.at
        if isinstance(at.guide, BranchGuide) and at.guide.ends_branch:
            return at.guide.over(at.state)
        if at.freed is not None:
            return at.guide.complete(at.state) and self.settings.constraint.stop == "elsewhere"
        constraint = self.settings.constraint
        if constraint.stop != "elsewhere" or not at.guide.complete(at.state):
            return False
        return constraint.must_stop(at.guide, at.state, self.ids, self.settings.healed)

    @property
    def end_token(self) -> int | None:
        """The end token for which a drawn stop stands here, or `LIKELIEST` of several; None where it is the end of a
        value, or of a controller's branch."""
        constraint, eos = self.settings.constraint, self.encoder.vocabulary.eos
        freed = self.at.freed is not None
        if self.controlled or (constraint.constrained and constraint.stop == "elsewhere" and not freed):
            return None
        return eos[0] if len(eos) == 1 else LIKELIEST

    @property
    def going_on(self) -> tuple[FullGuide, GuideState]:
        """The guide and the state whose tokens go on with its value, so that they are no stop."""
        at, settings = self.at, self.settings
        place = unlimited(at.guide, at.state)
        return place if at.freed is not None else settings.constraint.going_on(*place, self.ids, settings.healed)

    @property
    def branch_ended(self) -> bool:
        """Whether it is on no branch of its controller, or on one that has come to its end, or to its stop."""
        at, last = self.at, self.at.segments[-1] if self.at.segments else None
        stopped = last is not None and (last.begin, last.end) == (at.begin, len(self.ids))
        return at.followed.index is None or stopped or self.guide_ended

    @property
    def controlled(self) -> bool:
        """Whether a controller says what comes next."""
        return self.settings.constraint.controller is not None and self.at.freed is None

    @property
    def room(self) -> float:
        """How many more tokens it may get."""
        longest, most = self.settings.limits.context_length, self.settings.limits.max_tokens
        context = inf if longest is None else longest - len(self.row.ids) - len(self.ids)
        return context if most is None else min(context, most - self.spent)

    @property
    def score(self) -> float:
        """The weight over (generated tokens) ^ length penalty."""
        return score(self.ranking, self.generated, self.settings.sampler.length_penalty)

    @property
    def ranks_by_proposals(self) -> bool:
        """Whether it is compared by a law that is combined of several contexts'."""
        return self.settings.ranked_from is not None

    @property
    def ranking(self) -> float:
        """What it is compared by: its weight; of a search with contexts beside its rows, their combined one."""
        if self.settings.ranked_from is None:
            return self.weight
        stops = [segment.stop.proposal for segment in self.at.segments] + ([self.stop.proposal] if self.stop else [])
        ranking = self.settings.ranked_from + fsum([*(value or 0.0 for value in self.proposals), *stops])
        if isnan(ranking):
            raise ValueError(
                "beams with contexts beside their rows (beside=) are compared by the combined law, which nobody knows "
                "of a token that a hook put there, or that was moved to another model: hooks may decline, Resample()"
            )
        return ranking

    # --- forward

    def longer(
        self, ids: Sequence[int], logprobs: Sequence[float], proposals: Sequence[float], unscored: int = 0
    ) -> Self:
        """The span with more tokens, which its guide allows; the last ones may be unscored."""
        at, trail, guide = self.at, self.trail, self.at.guide
        for token in ids:
            state = guide.advance(at.state, token)
            assert state is not None, f"token {token} was drawn against the constraint"
            trail = (at, trail)
            at = Cursor(guide, state, at.memory, at.labels, at.segments, at.begin, at.freed, at.followed)
        tokens = self.settings.encoder.vocabulary.tokens
        longer = self.changed(
            at=at,
            trail=trail,
            ids=self.ids + tuple(ids),
            logprobs=self.logprobs + tuple(logprobs),
            proposals=self.proposals + tuple(proposals),
            text=self.text + (tokens[ids[0]] if len(ids) == 1 else b"".join([tokens[token] for token in ids])),
            spent=self.spent + len(ids),
            weight=self.weight + sum(logprobs),
            generated=self.generated + len(ids),
            unscored=self.unscored + unscored,
        )
        if unscored:
            longer = longer.changed(notes=longer.notes.with_forced(len(longer.ids) - unscored, len(longer.ids)))
        if not self.settings.healed:
            return longer
        charged = longer._charged(len(self.text), len(self.ids))
        state = spent(longer.at.guide, longer.at.state, charged - len(ids))  # what heals is given back
        at = longer.at if state is None else longer.at._replace(state=state)
        return longer.changed(spent=self.spent + charged, at=at)

    def freed(self, token: int, logprob: float, proposal: float) -> Self:
        """One token further, whether its constraint allows it or not; from there on the span is text."""
        if len(self.text) < len(self.settings.healed):
            raise ValueError(f"Replace({token}, unconstrained=True) before {self.settings.healed!r} is healed")
        guide = guides.text(self.settings.encoder.vocabulary)
        freed = len(self.ids) if self.at.freed is None else self.at.freed
        free = self.changed(at=self.at._replace(guide=guide, state=guide.initial, freed=freed))
        return free.longer((token,), (logprob,), (proposal,)).changed(trail=(self.at, self.trail))

    def unfed(self, token: int, logprob: float | None) -> Self:
        """One token further that the constraint is not told of. Without a log-probability it counts as given."""
        place, drawn = len(self.ids), logprob is not None
        longer = self.changed(
            trail=(self.at, self.trail),
            ids=(*self.ids, token),
            logprobs=(*self.logprobs, logprob),
            proposals=(*self.proposals, nan if drawn else None),
            weight=self.weight + (logprob or 0.0),
            generated=self.generated + drawn,
            notes=self.notes.with_unfed(place),
        )
        charged = longer._charged(len(self.text), place)
        at = spent(self.at.guide, self.at.state, charged)
        return longer.changed(spent=self.spent + charged, at=self.at if at is None else self.at._replace(state=at))

    def scored(self, logprobs: Sequence[float], proposals: Sequence[float] = ()) -> Self:
        """The span with the log-probabilities of its unscored tokens, and then of those that its stop dropped.

        proposals: those of a combined law; without any, what was given is certain. They add to what a predicate has
        already charged (`where`).
        """
        given, dropped, stop = logprobs[: self.unscored], logprobs[self.unscored :], self.stop
        if stop is not None and stop.dropped is not None:
            stop = replace(stop, logprob=sum(dropped))
            if proposals:
                stop = replace(stop, proposal=sum(proposals[self.unscored :]))
        drawn = len(self.ids) - self.unscored
        charged = zip(self.proposals[drawn:], proposals, strict=False)
        added = [(charge or 0.0) + value for charge, value in charged]
        return self.changed(
            logprobs=(*self.logprobs[:drawn], *given),
            proposals=(*self.proposals[:drawn], *added) if proposals else self.proposals,
            weight=self.weight + sum(logprobs),
            unscored=0,
            stop=stop,
        )

    def sizes(self, place: int = 0) -> list[int]:
        """How many bytes of its text each of its tokens has, from this place on."""
        tokens, unfed = self.settings.encoder.vocabulary.tokens, self.notes.unfed
        if not unfed:
            return [len(tokens[token]) for token in self.ids[place:]]
        return [0 if at in unfed else len(tokens[token]) for at, token in enumerate(self.ids[place:], place)]

    def _charged(self, begin: int, place: int) -> int:
        """How many tokens from this place on, `begin` bytes after the span's beginning, count for max_tokens: not those
        that heal."""
        healed, sizes = len(self.settings.healed), self.sizes(place)
        ends = islice(accumulate(sizes, initial=begin), 1, None)
        return sum(end > healed or not size for size, end in zip(sizes, ends, strict=True))

    # --- back

    def back(self, n: int, segments: int | None = None) -> Self:
        """Without its last n tokens: constraint, scores and text go back to where they were drawn.

        segments: how many segments are left, of those that end there (None: all).
        """
        count = len(self.ids) - n
        at, trail = walked_back(self.at, self.trail, n)
        at = at._replace(segments=at.segments[:segments])
        size = len(self.text) - sum(self.sizes(count))
        logprobs = self.logprobs[:count]
        drawn_logprobs = [value for value in logprobs if value is not None]
        return self.changed(
            row=self.row.sealed(len(self.row) + count),
            at=at,
            trail=trail,
            ids=self.ids[:count],
            logprobs=logprobs,
            proposals=self.proposals[:count],
            text=self.text[:size],
            weight=fsum([self.row.weight, *drawn_logprobs, *(segment.stop.logprob for segment in at.segments)]),
            generated=self.row.generated + len(drawn_logprobs),
            spent=self.spent - self._charged(size, count),
            unscored=max(0, self.unscored - n),
            notes=self.notes.before(count),
        )

    def checked_count(self, n: int) -> int:
        """How many tokens to go back: an int, and no more than the span has."""
        if not is_whole(n) or (n := operator.index(n)) < 0:
            raise ValueError(f"to go back {shown(n)} tokens: it must be an int ≥ 0")
        if n > len(self.ids):
            raise ValueError(
                f"to go back {n} tokens: the span has only {len(self.ids)} so far; what stands before it is cut from "
                f"the state, state[..., :-{n - len(self.ids)}]"
            )
        if n == self.position:
            raise ValueError(f"to go back {n} tokens: nothing of the row is left to go on from")
        return n

    # --- among others

    def score_with(self, logprob: float) -> float:
        """The score after one more token."""
        return score(self.ranking + logprob, self.generated + 1, self.settings.sampler.length_penalty)

    @property
    def bound(self) -> float:
        """The best score still to be reached: weights only fall; a penalty helps the longest, a bonus the shortest."""
        if self.ranks_by_proposals and self.row.beside is not None and not self.row.beside.only_falls:
            return inf
        longest = self.generated + self.settings.reach(self.room)
        if self.settings.sampler.length_penalty > 0:
            return score(self.ranking, longest, self.settings.sampler.length_penalty) if longest < inf else 0.0
        return self.score


def walked_back(at: Cursor, trail: Trail, steps: int) -> tuple[Cursor, Trail]:
    """The cursor so many tokens before, and the trail that leads to it."""
    for _ in range(steps):
        assert trail is not None
        at, trail = trail
    return at, trail
