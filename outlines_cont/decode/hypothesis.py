"""A growing row as the frontier and the samplers have it: it begins, takes a candidate, and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, nan
from operator import attrgetter
from typing import Any, Self, TypeVar

from outlines_cont.arguments import brief
from outlines_cont.decode.branch import Branch, Branching, branches_of, forks
from outlines_cont.decode.branch_guides import BranchGuide
from outlines_cont.decode.canonical import Beginnings, forced_run, reopened
from outlines_cont.decode.growing_row import (
    Fed,
    GrowingRow,
    Sent,
    change,
    cut_at_stop_string,
    ended_now,
    row_of,
    stop_string_end,
    text_so_far,
    uncut,
)
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.long_values import LONG, warn_if_unlimited
from outlines_cont.decode.option_scoring import option_scoring
from outlines_cont.decode.same_text import History, only_end, text_on_the_way
from outlines_cont.decode.settings import ALONE, ChainFunction, Cursor, SpanSettings, Turn
from outlines_cont.decode.status import DRAWING, ELECTING, ENDED, GIVEN, INACTIVE, READY, WAITING, WHOLE
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.fsm.endings import endings_of
from outlines_cont.fsm.within import Within, unlimited, within
from outlines_cont.kv.needs import Need
from outlines_cont.state.failed_row import OF_NO_ROW, FailedRow
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Segment, SpanStop

# --- all that follows of a row without logits: until it waits for some, or has ended
#
# drawn      a candidate further; then
#     settled    a stop string? the constraint's end? no room? a forced run? Or it waits for its next draw.
#     ended      over, once its tokens are scored; then
#     crossed    past the border to the next link of its chain, where it has begun, or waits for others; or it has
#     ended.
#     asked      its controller says how it goes on, wherever its guide has ended. In lock-step it waits for the others.
#
# Mostly a row stays one row, but a controller may fork it, so each of these gives a tuple. The frontier calls `scored`
# when it has logits for tokens that were given; samplers and hooks call the others.

R = TypeVar("R", bound=GrowingRow)

CERTAIN = SpanStop(0.0, 0.0)


# --- where a span begins


def begun(kind: type[R], settings: SpanSettings, row: Row, before: GrowingRow | None = None) -> tuple[R, ...]:
    """A new span after a row. `before`: what wrote that row's end, a moment ago."""
    row = row.sealed().ready(settings.encoder)
    settings = settings.within(row)
    if settings.constraint.bans:
        settings = replace(settings, constraint=settings.constraint.after(settings.encoder.spell(row.ids)))
    if settings.limits.max_tokens != 0 and (count := _reopened(settings, row)):
        healed, row = row.ids[-count:], row.take(range(len(row) - count))
        row = row.resampled_before(len(row))  # what is taken back weighs nothing
        settings = replace(settings, healed=settings.encoder.vocabulary.decode(healed))
    guide = settings.constraint.guide_after(settings.healed)
    h = closing(kind.fresh(settings, row, Cursor(guide, guide.initial)))
    if before is not None:
        h = h.after(before)
    if settings.inspection.where is not None and not settings.constraint.options:
        return satisfied(h)
    if settings.constraint.options:
        return waiting_for_options(h)
    return settled(h) if settings.constraint.controller is None else asked(h)


def closing(h: R) -> R:
    """The row, whose value closes within the room that it has if it is to be whole. ConstraintError: too little."""
    span, constraint = h.span, h.span.settings.constraint
    if not constraint.whole or constraint.options or span.at.freed is not None:
        return h
    guide = within(span.at.guide, max(0, int(span.room)), span.at.state)
    return h.changed(span=span.changed(at=span.at._replace(guide=guide, state=guide.initial)))


def _reopened(settings: SpanSettings, row: Row) -> int:
    """How many tokens of the text before a span are taken back; under seam="auto" none before a guide that cannot
    follow a text, which is an error under "heal". None where a value can only be whole without: those that heal are
    free, and a known ending counts them."""
    constraint = settings.constraint
    if constraint.controller is not None:  # it names a constraint for each branch
        return 0
    count = reopened(settings.encoder, Beginnings.of_guide(constraint.guide, settings.encoder), row, settings.seam)
    if count and constraint.whole and not constraint.options:
        plain, healed = constraint.guide, constraint.guide_after(settings.encoder.vocabulary.decode(row.ids[-count:]))
        if (least := endings_of(healed).need(healed.initial)) > (settings.limits.max_tokens or inf):
            count *= least <= endings_of(plain).need(plain.initial)
    return 0 if count and settings.seam == "auto" and not constraint.may_follow_text else count


def satisfied(h: R, weighed: bool = True) -> tuple[R, ...]:
    """A row whose span has a predicate, before its first draw. Unsatisfied if the predicate refuses it.

    weighed: whether what it says by then is weighed; else its text was weighed before.
    """
    where, before = h.span.settings.inspection.where, text_so_far(h.span)
    assert where is not None
    [after] = settled(alone(h))
    if where.potential(before, False) == -inf or (added := change(h.span, after)) == -inf:
        raise Unsatisfied
    return settled(h, charge=added if weighed else 0.0)


def alone(h: R) -> R:
    """The row as if nothing came after its span in the chain."""
    settings = h.span.settings
    return h.changed(span=h.span.changed(settings=replace(settings, chain=ALONE))) if settings.chain.goes_on else h


def waiting_for_options(h: R) -> tuple[R, ...]:
    """The row with the options for the rest of its span; ended, if there are none or no room for them."""
    span, settings = h.span, h.span.settings
    if span.row.beside is not None:
        raise TypeError(
            "a choice by='sequence', or between ways of a chain, is made by the model's own law, and the row has "
            "contexts beside it (beside=): draw token by token, by='token', or leave the contexts out, beside=[]"
        )
    here = span.row.ids + span.ids
    scoring = option_scoring(settings.constraint, settings.encoder, settings.healed, here, span.ids)
    if scoring is None:
        return _after_guide(h, _only_option(span))
    if settings.constraint.whole:
        scoring = scoring.within(span.room)
    longest = max(map(len, scoring.law.branches if scoring.law else scoring.options)) + len(here)
    if span.room <= 0 or (settings.limits.context_length is not None and longest > settings.limits.context_length):
        return ended(h, "length")
    return (h.changed(status=ELECTING, scoring=scoring),)


def _only_option(span: GrowingSpan) -> SpanStop:
    """The end of a span that says the only option that there is. Unsatisfied if its predicate refuses that."""
    where = span.settings.inspection.where
    added = 0.0 if where is None else where.change("", span.value.decode("utf-8", "replace"), True)
    if added == -inf:
        raise Unsatisfied
    return SpanStop(0.0, -added)


# --- a token further


def drawn(h: R, candidate: int, logprob: float, proposal: float) -> tuple[R, ...]:
    """One candidate further: a token that the constraint allows, or the stop; and all that follows of it."""
    span, retries = h.span, h.retries
    if candidate == len(span.settings.encoder.vocabulary.tokens):
        stop = SpanStop(logprob, nan if retries.edited else proposal, by=span.end_token)
        return _after_guide(h.changed(draws=h.draws + 1), stop)
    if retries.edited and not retries.law_known:
        proposal = nan
    longer = span.longer((candidate,), (logprob,), (proposal,))
    if retries.edited:
        if retries.law_known:
            longer = longer.changed(notes=longer.notes.with_edited(len(span.ids)))
        retries = retries.accepted(span.drew)
    if not len(longer.ids) % LONG:
        warn_if_unlimited(longer)
    further = h.changed(span=longer, status=DRAWING, retries=retries, draws=h.draws + 1)
    return settled(further, len(span.text))


def settled(h: R, searched: int = 0, charge: float = 0.0) -> tuple[R, ...]:
    """After all that follows without a draw: a stop string, a segment's end, the end of its room, a forced run.

    No stop string ends in the `searched` first bytes of the text. charge: the log-potential of what follows, which
    becomes part of its importance.
    """
    while h.status.drawing:
        span = h.span
        settings, at = span.settings, span.at
        if settings.limits.stop_bytes and (end := stop_string_end(span, searched)) is not None:
            return crossed(cut_at_stop_string(h, *end))
        room = span.room
        if span.guide_ended:
            return _after_guide(h, SpanStop(0.0, -charge) if charge else None)
        if room <= 0 and not _may_still_stop(span):
            return ended(h, "length")
        run = at.guide.run(at.state) if isinstance(at.guide, BranchGuide) else ()
        if not run:
            if settings.constraint.pace and _in_pace(span, settings.constraint.pace):
                return asked(h)
            run = _forced(span)
            if not run:
                break
        run = run[: int(min(room, len(run)))]
        zeros = [0.0] * len(run)
        searched, h = len(span.text), h.longer(run, zeros, [-charge, *zeros[1:]] if charge else zeros, len(run))
        warn_if_unlimited(h.span, len(run))
        charge = 0.0
    return (h,)


def _may_still_stop(span: GrowingSpan) -> bool:
    """Whether a value that is to be whole may end here, though it has no more room: it is asked how likely that is."""
    return type(span.at.guide) is Within and span.at.guide.accepting(span.at.state)


def _forced(span: GrowingSpan) -> tuple[int, ...]:
    """The run that its constraint forces, if such runs are appended."""
    at, settings = span.at, span.settings
    guide, state = unlimited(at.guide, at.state)
    if not settings.appends_runs or not guide.forced(state):
        return ()
    run = forced_run(settings.encoder, guide, state, span.tail)
    return _unbanned(span, at.guide.fitting(at.state, run) if type(at.guide) is Within else run)


def _unbanned(span: GrowingSpan, run: tuple[int, ...]) -> tuple[int, ...]:
    """A forced run, as far as the filters of the sampler let it be appended."""
    for each in getattr(span.settings.sampler, "logit_filters", ()):
        if hasattr(each, "allowed_run"):
            run = run[: each.allowed_run(span, run)]
    return run


def _in_pace(span: GrowingSpan, pace: int) -> bool:
    """Whether it has got as many tokens as it gets before its controller is asked about it and others."""
    return span.controlled and len(span.ids) - span.at.followed.place >= pace


def scored(
    h: R, logprobs: list[float], branching: Branching = branches_of, proposals: list[float] | None = None
) -> tuple[R, ...]:
    """The row with the log-probabilities of its unscored tokens, and then of those that its stop dropped.

    branching: asks its controller, or knows its answer already. proposals: those of a combined law.
    """
    asking = h.asking
    span = h.span.scored(logprobs, proposals) if proposals else h.span.scored(logprobs)
    h = h.changed(span=span, uncut=None, status=ENDED if h.end else READY)
    return asked(h, branching) if asking else crossed(h)


# --- its controller


def _after_guide(h: R, stop: SpanStop | None) -> tuple[R, ...]:
    """Its guide has ended: with a stop that was drawn, or (None) because the guide allows nothing else."""
    span, at = h.span, h.span.at
    if not span.controlled:
        return ended(h, "stop", stop or CERTAIN)
    if stop is not None:
        retries = h.retries.accepted(span.drew)
        at = at._replace(segments=(*at.segments, Segment(at.begin, len(span.ids), stop, at.guide)))
        h = h.changed(span=span.changed(at=at, weight=span.weight + stop.logprob), retries=retries)
        if isinstance(at.guide, BranchGuide) and at.guide.ends_span:
            return ended(h, "stop", CERTAIN)
    return asked(h if len(span.ids) > at.followed.place else h.sent_back())


def asked(h: R, branching: Branching = branches_of) -> tuple[R, ...]:
    """The rows that its controller makes of it, once all is scored. In lock-step it waits for the others."""
    if h.span.unscored:
        return (h.changed(status=GIVEN),)
    if h.span.settings.constraint.together:
        return (h.changed(status=WAITING),)
    return branched(h, branching(h.span))


def branched(h: R, branches: Sequence[Branch]) -> tuple[R, ...]:
    """A row for each of these branches; without any the span has ended."""
    if not branches:
        return ended(h, "stop", CERTAIN)
    return tuple(x for fork in forks(h, branches) for x in settled(fork, len(fork.span.text)))


# --- its end


def ended(h: R, how: Finished, stop: SpanStop | None = None) -> tuple[R, ...]:
    """The row at the end of its span, once its tokens are scored."""
    span = h.span.changed(stop=stop, weight=h.span.weight + (stop.logprob if stop else 0.0))
    if span.unscored:
        return (h.changed(span=span, status=GIVEN, end=how),)
    return crossed(h.changed(span=span, status=ENDED, end=how))


def stopped_by_hook(h: R, stop: SpanStop) -> tuple[R, ...]:
    """The row ended by a hook: with a stop if the constraint accepts its text, else cut short."""
    if h.at.guide.accepting(h.at.state) and not h.span.controlled:
        return ended(h, "stop", stop)
    return ended(h, "interrupted")


def crossed(h: R) -> tuple[R, ...]:
    """The row in the next link of its chain, if its span has ended as it should. Compared rows wait for all."""
    settings, finished = h.span.settings, h.finished
    if finished is None or not settings.chain.goes_on or settings.compares_rows or not settings.passes(finished):
        return (h,)
    return past(h)


def past(h: R) -> tuple[R, ...]:
    """The row after a span that has ended as it should, and after the text there: in the next span, or waiting."""
    settings, row = h.span.settings, row_of(h)
    longer = row.append(settings.text_after(row.ids))
    if settings.chain.next is not None and not settings.has_room_for(longer):
        return (_without_room(h, settings.chain.next),)
    waiting = turned(_whole(h, longer), settings.chain.next)
    turn = waiting.onward
    if turn is None or settings.compares_rows or turn.settings.sampler != settings.sampler:
        return (waiting,)
    return turn.start(waiting.span.row, waiting)


def turned(h: R, following: SpanSettings | ChainFunction | None) -> R:
    """A row that has all of its span and of the text after it: it waits for its turn in what comes then, if anything
    does. A function that fails ends it."""
    if isinstance(following, ChainFunction):
        row = h.span.row
        try:
            answer = following.answer(row)
        except OF_NO_ROW:
            raise
        except Exception as error:
            return h.changed(span=h.span.changed(row=FailedRow.of(error, (row,))), status=INACTIVE, end="stop")
        for text in answer.texts:
            row = row.append(text)
        if answer.next is not None and not answer.next.has_room_for(row):
            return _without_room(h, answer.next)
        spoken = h.span.encoder.vocabulary.decode([token for text in answer.texts for token in text])
        h = h.changed(span=h.span.changed(row=row), sent=h.sent._replace(prior=h.sent.prior + spoken))
        following = answer.next
    if following is None:
        return h
    return h.changed(onward=Turn(following, partial(begun, type(h), following)))


def _whole(h: R, row: Row) -> R:
    """The row with its span, and the text after that, moved into its prefix `row`."""
    span = h.span.changed(row=row, ids=(), logprobs=(), proposals=(), text=b"")
    return h.changed(span=span, status=WHOLE, fed=h.fed._replace(claim=row.held)).after(h)


def _without_room(h: R, following: SpanSettings | ChainFunction) -> R:
    """The end of a row whose context has no room for the text that comes next: without that, and with an empty span of
    the next link, which says so."""
    settings = h.span.settings
    if isinstance(following, ChainFunction):  # nobody knows which span comes next
        following = replace(settings, name=None, chain=settings.chain._replace(link=(settings.chain.link or 0) + 1))
    guide = following.constraint.guide
    last = type(h).fresh(following, row_of(h), Cursor(guide, guide.initial), ENDED, "length")
    row = row_of(last)
    sent = Sent(h.written, h.sent.size)
    return last.changed(span=last.span.changed(row=row), status=INACTIVE, sent=sent)


# --- hypothesis


@dataclass(frozen=True, eq=False)
class Hypothesis(GrowingRow):
    """A growing row that ends, forks, and goes on along its chain."""

    __repr__ = brief

    begin = classmethod(begun)

    @classmethod
    def keep(cls, settings: SpanSettings, row: Row) -> Hypothesis:
        """A row that is none of this stage."""
        return cls.fresh(settings, row, Cursor(settings.constraint.guide, None), INACTIVE, "stop")

    extend = drawn  # one candidate further, and all that follows of it

    @property
    def attempt(self) -> int:
        """How many draws were made at its position before."""
        here, retries, segments = len(self.span.ids), self.retries, self.span.at.segments
        ended_here = sum(segment.end == here for segment in segments) if segments else 0
        return retries.of_row.get(here, 0) + retries.tries.get(here, 0) + ended_here

    # --- the logits that it needs, and gets

    @property
    def may_draw(self) -> bool:
        """Whether it draws as soon as it has the logits after its last token, if its controller lets it."""
        return self.status.drawing or self.asking

    @property
    def needs_nothing(self) -> bool:
        """Whether it has ended, or waits for other rows before anything was read of it."""
        return self.status.ended or (self.status.waiting and not self.fed.keep)

    def need(self, place: int) -> Need:
        """The logits that it needs: at its unscored tokens and, if it goes on, after its last one. place: of that."""
        span, fed, ending = self.span, self.fed, self.end is not None
        if self.status.waiting:  # nothing, but it is still there
            return Need((), (), fed.claim, (span.row.ids + span.ids)[: fed.keep], place, fed.parent, fed.keep)
        head, ids = span.row.ids, span.ids
        length = len(head) + len(ids)
        begin, end = length - span.unscored - 1, length
        if ending:
            tail = span.dropped
            ids, end = ids + tail, length + len(tail) - 1
        wanted = (begin,) if end - begin == 1 else tuple(range(begin, end))
        return Need(ids, wanted, fed.claim, head, place, fed.parent, min(fed.keep, begin))

    def read(self, place: int, keep: int, claim: Any) -> Self:
        """Its first `keep` tokens were read, as the pending row of this place.

        claim: on their keys and values; without a new one it keeps its own.
        """
        fed = Fed(place, keep, claim or self.fed.claim)
        return self.changed(fed=fed, status=READY if self.status.drawing else self.status)

    def waited(self, need: Need) -> Self:
        """The row after a pass in which this need was not answered: it is asked again."""
        if self.fed.parent is None:
            return self
        return self.changed(fed=self.fed._replace(parent=need.row, keep=need.keep))

    def forgotten(self) -> Self:
        """The row for a model that may have forgotten what it had read of it."""
        return self if self.fed.parent is None else self.changed(fed=Fed(claim=self.fed.claim))

    # --- what it is among others

    @property
    def same_text(self) -> History:
        """Equal for those that are the same text, in whatever tokens. Those that have ended are none that go on."""
        return self.texts if self.status.ended else (*self.history, text_on_the_way(self.span, self.ending))

    @property
    def only_end(self) -> History | None:
        """What it will be when it has ended, if it comes to its end; None if that may be several texts."""
        end = None if self.end else only_end(self.span)
        return end and (*self.history, end)

    @property
    def cut_short(self) -> bool:
        """Whether it ended before its time: its text is no value, or its chain did not come to the end."""
        cut = self.finished == "length"
        return cut and (self.status.inactive or not self.span.settings.passes("length"))

    @property
    def out(self) -> bool:
        """Whether it was cut short in an earlier link of its chain."""
        return self.status.inactive and self.end == "length"

    @property
    def is_padding(self) -> bool:
        """Whether it stands for no row at all, neither for one that has died in this call nor for one that failed."""
        return self.row.dead and self.lost != "died" and not isinstance(self.row, FailedRow)

    def past_border(self) -> tuple[Hypothesis, ...]:
        """A row that has ended, at the border of its chain where others come. Its status says what it goes on with."""
        settings = self.span.settings
        if self.row.dead:
            return (self.keep(settings, self.row),)
        if self.status.whole:
            return (self,)
        if not settings.passes(self.finished):
            return (self.keep(settings, self.as_row()).after(self).changed(end="length"),)
        return past(self)

    def end_now(self, how: Finished) -> Hypothesis:
        """End it here if it has not ended: as far as it was drawn, without what was given and is not scored yet."""
        return ended_now(uncut(self), how)

    def cut_now(self) -> Hypothesis:
        """End it here for want of time, if it has not ended: by its length, unless that would be the end of a text
        after which something comes, so that its chain would go past it."""
        settings = self.settings
        passes = settings.chain.goes_on and settings.passes("length") and not settings.compares_rows
        return self.end_now("interrupted" if passes else "length").changed(onward=None)

    as_row = row_of

    @property
    def scored_row(self) -> Row:
        """Its row, up to where all is scored: of one that had its span before, without the text that follows that."""
        row = row_of(ended_now(self, "interrupted"))
        after = 0
        while self.status.whole and after < len(row.pieces) and row.pieces[-1 - after].kind != "generated":
            after += 1
        return row.before(len(row.pieces) - after) if after else row


# --- what is asked of many rows at every step, without a call of Python's for each

IS_READY, HAS_ENDED, IS_LOST = map(attrgetter, ("status.ready", "status.ended", "lost"))
INSPECTION, PREDICATE = map(attrgetter, ("settings.inspection", "settings.inspection.where"))
FILTERS = attrgetter("at.followed.filters")
