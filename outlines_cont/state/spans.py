"""Spans: the stretches of a row that were made at once, such as a prompt, an appended text, or a generated value.

A span is made whole, once: that is its `Origin`. A row holds `Piece`s of origins. To cut a row is to cut pieces; where
pieces of one origin meet again, `joined_pieces` makes them one piece. `Span` is the read-only view that users see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import repeat
from math import fsum
from typing import Any, Literal

from outlines_cont.arguments import brief
from outlines_cont.fsm.kinds import end_of_value
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.draw_notes import NO_NOTES, NONE_GIVEN_UP, GivenUp, NoteKind, TokenNotes

Kind = Literal["prompt", "text", "generated"]
Finished = Literal["stop", "length", "interrupted", "dead"]


@dataclass(frozen=True, slots=True)
class SpanStop:
    """The decision that a span ends: the model's log-probability of it, and the one of the law drawn from.

    `dropped`: of a stop string, the tokens that were taken out of the row again; None for any other stop. `by`: the
    stop string; or the id of the end token (`LIKELIEST`: until somebody looks at the logits); or "hook"; or, of a
    decision between ways of a chain, the number of the way.
    """

    logprob: float
    proposal: float
    dropped: tuple[int, ...] | None = None
    by: str | int | None = None

    def facts(self) -> tuple[object, ...]:
        """What two equal stops share."""
        return (*comparable((self.logprob, self.proposal)), self.dropped, self.by)


UNDRAWN: dict[str, Literal["controller", "value"]] = {"control": "controller", "ways": "value"}
LIKELIEST = -1  # of several end tokens, which are one event: the likeliest


@dataclass(frozen=True, slots=True)
class SpanEnd:
    """What ended a span.

    Attributes:
        kind: "eos" (an end token), "stop" (a stop string, or a special token of `stop_at`), "mark" (one that stays in
            the text, `include_stop=True`, or that of a thought), "budget" (of a thought whose mark was written for the
            model), "value" (the constraint has all that it asks for), "controller", "hook"; or how a span ended that
            was cut short, "length" or "interrupted".
        text: of a stop, a mark or a budget, the string that ended it.
        token: of eos, the id. Of several end tokens it is the one that the model found likeliest there; None if they
            are several and nobody saw its logits.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    >>> text("The sky is", stop_at=[".", "\\n"]).spans[0][0][-1].ended_by
    SpanEnd(kind='stop', text='.', token=None)
    """

    kind: Literal["eos", "stop", "mark", "budget", "value", "controller", "hook", "length", "interrupted"]
    text: str | None = None
    token: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Of a controlled span: its tokens begin … end − 1, written under one guide, which ended where the stop was drawn.

    `guide`: None if the span was loaded from disk, which holds no guides.
    """

    begin: int
    end: int
    stop: SpanStop
    guide: FullGuide | None = None


@dataclass(frozen=True, eq=False)
class Origin:
    """A span as it was made: its kind, its length in tokens, what made it, and how it ended.

    Compared by identity: two spans with equal tokens are two spans.

    Attributes:
        kind: where its tokens come from.
        length: how many tokens it had when it was made.
        name: the name of the step that made it.
        constraint: what a generated span was drawn under.
        finished: how it ended.
        stop: the decision that it ends, if that was drawn.
        length_penalty: that of the beam search that made it.
        bos: how many tokens at its beginning were added by the tokenizer.
        from_ids: whether its tokens were given as ids, and not as a text.
        link: how many spans its chain had written before it in the row, by which `resume` finds where it goes on; None
            if a step made it.
        segments: of a controlled span, in order.
        healed: the bytes that it begins with and that are not part of its value: they were taken back from the text
            before it.
        freed: how many of its tokens were written before its constraint was given up (it is no value then); None if
            the constraint held to the end.
        given_up: the draws that hooks and controllers gave up, also behind its end.
        notes: of single tokens.
        chat: of a span that a chat template wrote, the conversation up to its end (`conversation.py`), as JSON.
        combined: whether the law that it was drawn from was combined of several contexts'.
        mass: of an exact sample, a bound of the probability that its constraint is fulfilled, proved when it was drawn;
            its proposals do not count that.
        seed: that of the last call that wrote at it.
        chosen_by: the sampler that took the best candidates for it, as users write it; None: it was drawn at random.
        trail: of a controlled span, the cursor at its end and those that lead there, linked from the last one back.
    """

    kind: Kind
    length: int
    name: str | None = None
    constraint: Constraint | None = None
    finished: Finished | None = None
    stop: SpanStop | None = None
    length_penalty: float = 0.0
    bos: int = 0
    from_ids: bool = False
    link: int | None = None
    segments: tuple[Segment, ...] = ()
    healed: bytes = b""
    freed: int | None = None
    given_up: GivenUp = NONE_GIVEN_UP
    notes: TokenNotes = NO_NOTES
    chat: str | None = None
    combined: bool = False
    chosen_by: str | None = None
    mass: float | None = None
    seed: int | None = None
    trail: Any = field(default=None, repr=False)

    __repr__ = brief

    def facts(self) -> tuple[object, ...]:
        """What two equal spans share, whether a step or a chain made them; a constraint is its specification."""
        told = {
            "constraint": self.constraint and self.constraint.record,
            "stop": self.stop and self.stop.facts(),
            "segments": tuple((segment.begin, segment.end, segment.stop.facts()) for segment in self.segments),
        }
        names = (member.name for member in fields(self) if member.name not in ("link", "mass", "seed", "trail"))
        return tuple(told[name] if name in told else getattr(self, name) for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Tokens lo … hi − 1 of an origin.

    begun: whether the span began after the token that stands before it, if the piece has its first token. A slice with
        a step puts other tokens there.
    """

    origin: Origin
    lo: int
    hi: int
    begun: bool = True

    __repr__ = brief

    @property
    def kind(self) -> Kind:
        """Where the tokens come from.

        A generated span whose beginning was cut off is text: nobody can say what constraint state it began in.
        """
        return "text" if self.lo and self.origin.kind == "generated" else self.origin.kind

    @property
    def whole(self) -> bool:
        """Whether nothing of the span was cut off."""
        return self.lo == 0 and self.hi == self.origin.length

    @property
    def emptied(self) -> bool:
        """Whether all tokens of the span were cut off, and only its place is left, where `resume` begins it anew."""
        return self.hi == 0 < self.origin.length

    @property
    def begins(self) -> bool:
        """Whether a generated span begins here, after the token that stands before it."""
        return self.lo == 0 and self.begun and self.origin.kind == "generated"

    @property
    def stop(self) -> SpanStop | None:
        """The stop of the span. It belongs to the span's end: a piece without that end has no stop."""
        return self.origin.stop if self.hi == self.origin.length else None

    @property
    def segments(self) -> Iterator[Segment]:
        """The segments whose ends lie in the piece, with positions counted from the beginning of the origin."""
        segments = () if self.emptied else self.origin.segments
        return (segment for segment in segments if self.lo < segment.end <= self.hi or segment.end == self.lo == 0)

    @property
    def stops(self) -> Sequence[tuple[int, SpanStop]]:
        """Every stop in the piece, with the number of the piece's tokens before it: its segments', then the span's."""
        stop, size = self.stop, self.hi - self.lo
        if not self.origin.segments:  # as in most spans; rows ask again and again
            return ((size, stop),) if stop else ()
        stops = [(segment.end - self.lo, segment.stop) for segment in self.segments]
        return [*stops, (size, stop)] if stop else stops

    @property
    def finished(self) -> Finished | None:
        """How the span ended; None if it was given, or cut."""
        return self.origin.finished if self.whole and self.origin.kind == "generated" else None

    @property
    def way(self) -> int | None:
        """Of a decision between ways of a chain, the number of the one that was taken."""
        by = self.stop.by if self.generator == "ways" and self.stop else None
        return by if isinstance(by, int) else None

    @property
    def ended_by(self) -> SpanEnd | None:
        """What ended the span; None if it was given, or cut."""
        finished, constraint, stop = self.finished, self.origin.constraint, self.origin.stop
        if finished is None or finished == "dead":
            return None
        if finished != "stop" or constraint is None or stop is None:
            return SpanEnd("value" if finished == "stop" else finished)
        if stop.dropped is not None:
            return SpanEnd(
                "mark" if constraint.include_stop else "stop", text=None if stop.by is None else str(stop.by)
            )
        if stop.by == "hook":
            return SpanEnd("hook")
        if constraint.kind in UNDRAWN and self.origin.freed is None:  # (a file holds no controller)
            return SpanEnd(UNDRAWN[constraint.kind])
        if stop.by is None:
            tokens = self.origin.length - len(self.origin.notes.unfed)
            return SpanEnd(*end_of_value(constraint.kind, constraint.spec, tokens))
        return SpanEnd("eos", token=None if stop.by == LIKELIEST else int(stop.by))

    @property
    def name(self) -> str | None:
        """The name of the step that made the span."""
        return self.origin.name

    @property
    def generator(self) -> str | None:
        """The kind of the generator that made the span."""
        return self.origin.constraint.kind if self.origin.constraint else None

    @property
    def length(self) -> int:
        """How many tokens the span had when it was made."""
        return self.origin.length

    @property
    def unfed(self) -> tuple[int, ...]:
        """The tokens of the piece that its constraint was not told of, counted from its beginning."""
        return tuple(place - self.lo for place in self.origin.notes.unfed if self.lo <= place < self.hi)

    @property
    def edited(self) -> Iterator[int]:
        """The tokens of the piece whose draw a hook had a hand in, counted from its beginning."""
        return (place - self.lo for place in self.origin.notes.edited if self.lo <= place < self.hi)

    @property
    def forced(self) -> Iterator[int]:
        """The tokens of the piece that were appended without a draw, counted from its beginning."""
        return (place - self.lo for place in self.origin.notes.forced if self.lo <= place < self.hi)

    @property
    def grafted(self) -> Iterator[tuple[int, int]]:
        """Where the piece's draws were made on a graft: (begin, end), counted from its beginning. The place of a stop
        is that after the last token."""
        places = self.hi + any(at == self.hi - self.lo for at, _ in self.stops)
        ranges = ((max(begin, self.lo), min(end, places)) for begin, end in self.origin.notes.grafted)
        return ((begin - self.lo, end - self.lo) for begin, end in ranges if begin < end)

    def noted(self, kind: NoteKind) -> Iterator[tuple[int, Any]]:
        """What was noted of this kind of the piece's draws, its stop's, too, by the number of its tokens before."""
        last = self.hi if self.stop else self.hi - 1
        return ((place - self.lo, each) for place, each in getattr(self.origin.notes, kind) if self.lo <= place <= last)

    def told(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """Of these tokens, the piece's own, those that its constraint was told of."""
        return self.origin.notes.told(ids, self.lo)

    def value(self, ids: tuple[int, ...], vocabulary: Vocabulary) -> bytes:
        """What these tokens say, the span's own from its beginning on: without what was healed, or not told."""
        return self.text(ids, vocabulary)[len(self.origin.healed) :]

    def text(self, ids: tuple[int, ...], vocabulary: Vocabulary) -> bytes:
        """What these tokens say, with what was healed."""
        told, constraint = self.told(ids), self.origin.constraint
        return vocabulary.decode(told) if constraint is None else constraint.text_of(told, vocabulary)

    def contexts(self, ids: tuple[int, ...]) -> Iterator[tuple[FullGuide, GuideState] | None]:
        """For each token the guide and the state that it was drawn under; None where that is not known.

        ids: the tokens of this piece.
        """
        constraint = self.origin.constraint
        if self.kind != "generated" or constraint is None:
            return repeat(None, len(ids))
        if constraint.controller is None:
            return self._replayed_contexts(constraint, ids)
        if self.origin.trail is None:
            return repeat(None, len(ids))
        return self._remembered_contexts()

    def _replayed_contexts(
        self, constraint: Constraint, ids: tuple[int, ...]
    ) -> Iterator[tuple[FullGuide, GuideState] | None]:
        """The guide and its state before each token of a span with one guide: the tokens are replayed."""
        freed, unfed = self.origin.freed, self.origin.notes.unfed
        guide = constraint.guide_of(self.told(ids[:freed]), self.origin.healed)
        state = guide.initial
        for at, token in enumerate(ids):
            if at in unfed:
                yield None
                continue
            free = state is None or (freed is not None and at >= freed)
            yield None if free else (guide, state)
            state = None if free else guide.advance(state, token)

    def _remembered_contexts(self) -> Iterator[tuple[FullGuide, GuideState] | None]:
        """The guide and its state before each token of a controlled span, from the cursors that were remembered."""
        _, before_end = self.origin.trail
        contexts = []  # before each token, from the last one on
        while before_end is not None:
            cursor, before_end = before_end
            contexts.append(None if cursor.freed is not None else (cursor.guide, cursor.state))
        unfed = self.origin.notes.unfed
        in_order = enumerate(reversed(contexts[len(contexts) - self.hi :]))
        return (None if place in unfed else context for place, context in in_order)


@dataclass(frozen=True, slots=True)
class Span:
    """A span as it stands in a row: tokens `start` … `end` − 1, how it ended if its end is still there, its weight.

    unfed: the positions of the tokens that its constraint was not told of (`oc.steer.Insert`).
    combined: whether its law was combined of several contexts' (`beside=`); `rescore()` restores only the model's own
        log-probabilities.
    exact: whether all its log-probabilities are the model's own; False if some were drawn on a graft
    (`oc.grafts.graft`).
    ended_by: what ended it: `SpanEnd(kind, text, token)`; None if it was given, or its end was cut off.
    seed: that of the call that wrote it, or went on with it last, also if none was given: the call with this seed, from
        what it went on from, gives equal rows. None if it was given.
    """

    kind: Kind
    start: int
    end: int
    name: str | None = None
    generator: str | None = None
    finished: Finished | None = None
    stop_logprob: float | None = None
    weight: float = 0.0
    unfed: tuple[int, ...] = ()
    combined: bool = False
    exact: bool = True
    ended_by: SpanEnd | None = None
    seed: int | None = field(default=None, compare=False)


def joined_pieces(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces in order; those of one origin that meet again become one piece.

    Where another span begins, the empty piece of one that was cut off there goes.
    """
    joined: list[Piece] = []
    for piece in pieces:
        if joined:
            last = joined[-1]
            if last.origin is piece.origin and piece.origin.length and piece.lo == last.hi:
                piece = Piece(piece.origin, last.lo, piece.hi, last.begun)
                joined.pop()
            elif last.emptied and piece.begins:
                joined.pop()
        joined.append(piece)
    return tuple(joined)


def total(values: Iterable[float]) -> float:
    """The sum of log-probabilities, whatever their order. Of infinite ones it is what floats give: ∞ − ∞ is NaN."""
    each = list(values)
    try:
        return fsum(each)
    except (OverflowError, ValueError):
        return sum(each)


def comparable(values: Iterable[float | None]) -> tuple[object, ...]:
    """The values for a comparison in which NaN ("not known") equals itself."""
    return tuple("nan" if value != value else value for value in values)
