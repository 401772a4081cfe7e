"""A row in the making, as pure data: its span, its status, what it was fed, its retries, and what was sent of it.

Every change is one step by itself. What follows from it (the end of a link, a controller's answer) is in
`hypothesis.py`.
"""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from math import fsum, nan
from operator import attrgetter
from typing import Any, NamedTuple, Self, TypeVar

from outlines_cont.decode.growing_span import NEVER_SENT_BACK, GrowingSpan, Retries, TooManyRetries, Value, walked_back
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.same_text import History, text_of_span
from outlines_cont.decode.settings import Cursor, SpanSettings, Turn
from outlines_cont.decode.status import DRAWING, ENDED, GIVEN, Lost, Status
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.kernels.laws import Option
from outlines_cont.state.draw_notes import NO_NOTES
from outlines_cont.state.random_keys import copied
from outlines_cont.state.resampling import Resampling
from outlines_cont.state.row import Row
from outlines_cont.state.spans import LIKELIEST, Finished, Origin, Piece, SpanStop, total


class Fed(NamedTuple):
    """What a model has read of a row.

    Attributes:
        parent: the pending row of the frontier before that it continues.
        keep: how many tokens of that one are its own.
        claim: on the keys and values of its first tokens in the KV tree, or whatever the row holds (`Row.held`).
    """

    parent: int | None = None
    keep: int = 0
    claim: Any = None

    def cropped(self, length: int) -> Fed:
        """Of a row that keeps only so many tokens."""
        return Fed(self.parent, min(self.keep, length), self.claim and self.claim.crop(length))


class Sent(NamedTuple):
    """What was given out of a row's text as final.

    Attributes:
        prior: what its chain wrote before this span, in this call.
        size: how many bytes were given out, of that and of the span's value.
        delta: the last text of these.
    """

    prior: bytes = b""
    size: int = 0
    delta: str = ""


UNFED, NOTHING_SENT = Fed(), Sent()


def _of_span(path: str) -> Any:
    """An attribute of the span, read without a call of Python's: others look at these for each token."""
    return property(attrgetter(f"span.{path}"))


class SpanMembers:
    """What samplers, hooks and laws ask a row about its span."""

    settings: SpanSettings = _of_span("settings")
    row: Row = _of_span("row")
    at: Cursor = _of_span("at")
    ids: tuple[int, ...] = _of_span("ids")
    logprobs: tuple[float | None, ...] = _of_span("logprobs")
    proposals: tuple[float | None, ...] = _of_span("proposals")
    text: bytes = _of_span("text")
    value: bytes = _of_span("value")
    weight: float = _of_span("weight")
    generated: int = _of_span("generated")
    unscored: int = _of_span("unscored")
    position: int = _of_span("position")
    score: float = _of_span("score")
    bound: float = _of_span("bound")
    score_with: Callable[[float], float] = _of_span("score_with")
    lineage: tuple[int, ...] = _of_span("row.lineage")
    encoder: Encoder = _of_span("settings.encoder")


@dataclass(frozen=True, eq=False)
class GrowingRow(SpanMembers, Value):
    """A row in the making, between two steps of its frontier.

    Attributes:
        status: what it waits for, or that it has ended.
        end: how it ends as soon as all its tokens are scored, or how it has ended.
        draws: those that were made for this row, also in earlier links, and also those that were given up.
        began: where it stood in its chain when the call began: the place of a span, and whether it had begun that.
        history: of its search, before what it writes: by this a row is the same text as another.
        scoring: the options of which it takes one, as soon as they are scored.
        uncut: the span as it was drawn, while what a stop string has left of it waits for its scores.
        onward: how it goes on in its chain, once the rows that it waits for have come to the border, too.
        seen: the controller of all rows has been told that it ended, and has kept it.
        lost: why nothing is left of it.
    """

    span: GrowingSpan
    status: Status = DRAWING
    end: Finished | None = None
    fed: Fed = UNFED
    retries: Retries = NEVER_SENT_BACK
    sent: Sent = NOTHING_SENT
    draws: int = 0
    began: tuple[tuple[int, ...], bool] = ((), False)
    history: History = ()
    scoring: OptionScoring | None = None
    uncut: GrowingSpan | None = None
    onward: Turn | None = None
    seen: bool = False
    lost: Lost | None = None

    @classmethod
    def fresh(
        cls, settings: SpanSettings, row: Row, at: Cursor, status: Status = DRAWING, end: Finished | None = None
    ) -> Self:
        """A span without tokens after a row."""
        if row.beside is not None and settings.sampler.ranks_by_logprobs:
            settings = replace(settings, ranked_from=row.combined_weight)
        span = GrowingSpan(settings, row, at, weight=row.weight, generated=row.generated)
        if row.reads_graft:
            span = span.changed(notes=NO_NOTES.going_on(0, True))
        given_up = row.attempts_behind()
        retries = Retries(given_up) if given_up else NEVER_SENT_BACK
        return cls(span, status, end, Fed(claim=row.held), retries)

    def after(self, before: GrowingRow) -> Self:
        """The row as the successor of `before`: with its keys and values, and with what it has streamed."""
        settings, prior = before.span.settings, before.written
        if settings.chain.text and settings.passes(before.finished) and not before.status.whole:
            prior += settings.chain.text.encode()
        fed = Fed(before.fed.parent, min(before.fed.keep, len(self.span.row)), self.fed.claim)
        return self.changed(fed=fed, sent=Sent(prior, before.sent.size), draws=before.draws, began=before.began)

    # --- what it is now

    @property
    def finished(self) -> Finished | None:
        """How it has ended."""
        return self.end if self.status.ended else None

    @property
    def ending(self) -> Finished | None:
        """How it ends, as soon as all its tokens are scored."""
        return None if self.status.ended else self.end

    @property
    def asking(self) -> bool:
        """Whether its controller is asked as soon as all its tokens are scored."""
        return self.status is GIVEN and self.end is None

    @property
    def written(self) -> bytes:
        """All that was written by this call."""
        return self.sent.prior + self.span.value if self.sent.prior else self.span.value

    @property
    def texts(self) -> History:
        """What its search has written so far, span by span, in whatever tokens."""
        return self.history if self.status.whole else (*self.history, text_of_span(self.span, self.finished))

    # --- a change of its span

    def longer(
        self, ids: Sequence[int], logprobs: Sequence[float], proposals: Sequence[float], unscored: int = 0
    ) -> Self:
        """The row with more tokens, which its guide allows; the last ones may be unscored."""
        longer = self.span.longer(ids, logprobs, proposals, unscored)
        return self.changed(span=longer, status=DRAWING if self.status.ready else self.status)

    def unfed(self, token: int, logprob: float | None) -> Self:
        """One token further that the constraint is not told of."""
        return self._instead_of_draw(self.span.unfed(token, logprob))

    def freed(self, token: int, logprob: float, proposal: float) -> Self:
        """One token further, whether its constraint allows it or not; from there on the span is text."""
        return self._instead_of_draw(self.span.freed(token, logprob, proposal))

    def _instead_of_draw(self, longer: GrowingSpan) -> Self:
        """The row with a span that a hook made one token longer, in place of a draw."""
        status = DRAWING if self.status.ready else self.status
        retries = self.retries.accepted(self.span.drew)
        return self.changed(span=longer, status=status, retries=retries, draws=self.draws + 1)

    def with_law(self, options: Sequence[Option], entropy: float | None) -> Self:
        """The row with a note of the likeliest candidates of its next draw, and of the entropy of its law."""
        notes = self.span.notes.with_law(len(self.span.ids), options, entropy)
        return self.changed(span=self.span.changed(notes=notes))

    def back(self, n: int, drawn: bool = False, segments: int | None = None) -> Self:
        """Without its last n tokens: constraint, keys and values, scores and text go back to where they were drawn.

        drawn: another draw, after them, is given up with them; segments: how many segments are left, of those that
        end there (None: all).
        """
        span, horizon = self.span, self.span.settings.going_back.horizon
        n = span.checked_count(n)
        count = len(span.ids) - n
        retries = self.retries.sent_back(len(span.ids), span.settings.going_back.retries)
        if horizon is not None and count < retries.furthest - horizon:
            raise TooManyRetries(
                f"to go back {n} tokens: the text before the last {horizon} was given out already (horizon)"
            )
        shorter = span.back(n, segments)
        if len(self.sent.prior) + len(shorter.value) < self.sent.size:
            raise TooManyRetries(f"to go back {n} tokens: some of their text was given out already (resume=True)")
        gone = [segment.end for segment in span.at.segments[len(shorter.at.segments) :]]
        return self.changed(
            span=shorter,
            status=DRAWING if n and self.status.ready else self.status,
            fed=self.fed.cropped(len(span.row) + count),
            retries=retries.giving_up([*range(count, len(span.ids) + drawn), *gone], shorter.returned),
            draws=self.draws + drawn,
        )

    def declined(self, law_known: bool = False) -> Self:
        """What was drawn next is given up: it draws anew, at the same place, by a law that may be known."""
        here, limit = len(self.span.ids), self.span.settings.going_back.retries
        retries = self.retries.giving_up([here], self.span.drew).sent_back(here, limit)
        retries = retries.changed(edited=True, law_known=law_known)
        return self.changed(retries=retries, draws=self.draws + 1)

    def sent_back(self) -> Self:
        """The row with one more retry counted. TooManyRetries if it was sent back too often without getting longer."""
        return self.changed(retries=self.retries.sent_back(len(self.span.ids), self.span.settings.going_back.retries))

    # --- its row among others

    def with_row(self, row: Row) -> Self:
        """The growing row after a row of equal tokens, with another lineage or other resamplings."""
        return self.changed(span=self.span.changed(row=row), uncut=self.uncut and self.uncut.changed(row=row))

    def resampled(self, mark: Resampling, copy: int) -> Self:
        """Drawn among the particles, as this copy of it."""
        row = copied(self.span.row, copy)
        return self.with_row(replace(row, resamplings=(*row.resamplings, mark)))


# --- how a growing span ends: at a stop string, cut short, or without the tokens that are not scored yet

R = TypeVar("R", bound=GrowingRow)


def stop_string_end(span: GrowingSpan, searched: int) -> tuple[int, str] | None:
    """How many bytes of the text are left where a stop string ends the span, and that string; None if it holds none.

    No stop string ends in the `searched` first bytes of the text.
    """
    begin = len(span.settings.healed)
    strings = span.settings.limits.stop_bytes
    starts = ((span.text.find(each, max(begin, searched - len(each) + 1)), -len(each), each) for each in strings)
    hits = [hit for hit in starts if hit[0] >= 0]
    if not hits:
        return None
    start, length, string = min(hits)
    return start - length if span.settings.constraint.include_stop else start, string.decode()


def stop_string_begun(text: bytes, strings: Sequence[bytes]) -> int:
    """The length of the longest beginning of a stop string, short of the whole, with which a text ends."""
    return max((_overlap(text, each) for each in strings), default=0)


def _overlap(text: bytes, string: bytes) -> int:
    return next((n for n in range(min(len(string) - 1, len(text)), 0, -1) if text.endswith(string[:n])), 0)


def cut_at_stop_string(h: R, size: int, string: str) -> R:
    """End the span after `size` bytes of its text, at this string; the tokens beyond them are the stop's."""
    span = h.span
    count, length = _whole_tokens(span, size)
    gone = slice(count, None)
    edited = any(place >= count for place in span.notes.edited)
    decided = SpanStop(
        total(value or 0.0 for value in span.logprobs[gone]),
        nan if edited else total(value or 0.0 for value in span.proposals[gone]),
        span.ids[gone],
        string,
    )
    cut = span.changed(
        row=_resampled_before(span, count),
        ids=span.ids[:count],
        logprobs=span.logprobs[:count],
        proposals=span.proposals[:count],
        text=_text_of(span, count, size),
        stop=decided,
        generated=span.generated - sum(value is not None for value in span.logprobs[gone]),
        notes=span.notes.before(count),
    )
    fed = h.fed.cropped(len(span.row) + count)
    inserted = any(place >= count and span.logprobs[place] is None for place in span.notes.unfed)
    if length == size and not inserted:
        return h.changed(span=cut, fed=fed, status=ENDED, end="stop")
    lead, dropped = _spelled_apart(span, count, size - length)
    longest, read = span.settings.limits.context_length, len(span.row) + count + len(lead) + len(dropped)
    if longest is not None and read > longest:
        # the model cannot read that far to score it: its context is what ends the row, stop string and all
        return h.changed(status=ENDED, end="length")
    cut = cut.changed(
        ids=(*cut.ids, *lead),
        logprobs=(*cut.logprobs, *[0.0] * len(lead)),
        proposals=(*cut.proposals, *[0.0] * len(lead)),
        stop=replace(decided, dropped=dropped),
        generated=cut.generated + len(lead),
        notes=cut.notes.with_forced(count, count + len(lead)),
        weight=span.weight - decided.logprob,
        unscored=len(lead),
    )
    return h.changed(span=cut, uncut=span, fed=fed, status=GIVEN, end="stop")


def with_end_token(h: R, before: Collection[int], token_of: Callable[[tuple[int, ...]], int | None]) -> R:
    """The row after a draw, with the token that ended its span, if that is one of several.

    before: the `id` of the rows before the draw. token_of: the end token at the end of these ids; None if not known.
    """
    span = h.span
    if span.stop is not None and span.stop.by == LIKELIEST:
        token = token_of(span.row.ids + span.ids)
        return h if token is None else h.changed(span=span.changed(stop=replace(span.stop, by=token)))
    if id(span.row) in before:
        return h
    pieces = list(span.row.pieces)
    for place, (_, end, piece) in enumerate(span.row.placed):
        stop = piece.stop
        if stop is not None and stop.by == LIKELIEST and (token := token_of(span.row.ids[:end])) is not None:
            pieces[place] = replace(piece, origin=replace(piece.origin, stop=replace(stop, by=token)))
    return h if pieces == [*span.row.pieces] else h.with_row(replace(span.row, pieces=tuple(pieces)))


def _text_of(span: GrowingSpan, count: int, size: int) -> bytes:
    """The first bytes of the text, so many: without a special token that ends them, which is no text of the row."""
    ends_special = count > 0 and span.ids[count - 1] in span.settings.constraint.stop_tokens
    return (
        span.text[: size - len(span.encoder.vocabulary.tokens[span.ids[count - 1]])]
        if ends_special
        else span.text[:size]
    )


def _whole_tokens(span: GrowingSpan, size: int) -> tuple[int, int]:
    """How many tokens lie within so many bytes of the text, and how many bytes they have."""
    count = length = 0
    for token_size in span.sizes():
        if length + token_size > size:
            break
        length += token_size
        count += 1
    return count, length


def _spelled_apart(span: GrowingSpan, count: int, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tokens after the first ones, so many, that say the next bytes, so many, and those that say the rest. Where a
    stop string begins inside a token, that token's two parts are spelled anew, and scored."""
    if not size:
        return (), span.ids[count:]
    spell, crossing = span.settings.encoder.encode_bytes, span.encoder.vocabulary.tokens[span.ids[count]]
    return tuple(spell(crossing[:size])), (*spell(crossing[size:]), *span.ids[count + 1 :])


def _resampled_before(span: GrowingSpan, count: int) -> Row:
    """The row for a span that is cut after `count` tokens: what a stop string drops is weighed with the stop."""
    end, marks = len(span.row) + count, span.row.resamplings
    if not marks or marks[-1].position <= end:
        return span.row
    gone = slice(count, marks[-1].position - len(span.row))
    pairs = zip(span.logprobs[gone], span.proposals[gone], strict=True)
    return span.row.resampled_before(end, fsum((logprob or 0.0) - (proposal or 0.0) for logprob, proposal in pairs))


def uncut(h: R) -> R:
    """The row before a stop string cut it, while the scores of what is left are open: `resume` finds the cut again."""
    return h if h.uncut is None else h.changed(span=h.uncut, uncut=None, status=DRAWING, end=None)


def ended_now(h: R, how: Finished) -> R:
    """End it here if it has not ended: without what is not scored yet."""
    if h.status.ended:
        return h
    span = h.span
    if not span.unscored:
        return h.changed(status=ENDED, end=how, scoring=None)
    # (no cursors lead to what a stop string left of a token: that was spelled anew)
    spelled_anew = h.end is not None and span.dropped != ()
    at, trail = walked_back(span.at, span.trail, 0 if spelled_anew else span.unscored)
    scored = slice(-span.unscored)
    span = span.changed(
        at=at,
        trail=trail,
        ids=span.ids[scored],
        logprobs=span.logprobs[scored],
        proposals=span.proposals[scored],
        stop=None,
        unscored=0,
    )
    return h.changed(span=span, status=ENDED, end=how)


def shortened(h: R, n: int) -> R:
    """Ended for want of room, without its last n tokens."""
    tokens, text = h.encoder.vocabulary.tokens, h.text
    text = text[: len(text) - sum(len(tokens[token]) for token in h.ids[-n:])]
    short = ended_now(h.changed(span=h.span.changed(unscored=n), status=GIVEN, end="length"), "length")
    weight = fsum([h.row.weight, *(value for value in short.logprobs if value is not None)])
    return short.changed(span=short.span.changed(text=text, weight=weight, generated=h.generated - n))


def row_of(h: GrowingRow) -> Row:
    """The row with its new span. Without tokens or a decision there is still a span: it says how it ended."""
    span, settings = h.span, h.span.settings
    if h.status.whole:
        return span.row
    origin = Origin(
        "generated",
        len(span.ids),
        settings.name,
        settings.constraint,
        h.finished,
        span.stop,
        settings.sampler.length_penalty,
        link=settings.chain.link,
        segments=span.at.segments,
        healed=settings.healed,
        freed=span.at.freed,
        given_up=h.retries.kept(span.drew),
        notes=span.notes.ended(len(span.ids), span.stop is not None),
        combined=settings.noted.combined or span.row.beside is not None,
        chosen_by=settings.noted.chosen_by,
        mass=settings.noted.mass,
        seed=settings.noted.seed,
        trail=(span.at, span.trail) if settings.constraint.controller is not None else None,
    )
    ids, claim = span.row.ids + span.ids, h.fed.claim
    return replace(
        span.row,
        ids=ids,
        logprobs=span.row.logprobs + span.logprobs,
        proposals=span.row.proposals + span.proposals,
        pieces=(*span.row.pieces, Piece(origin, 0, len(span.ids))),
        **span.row.holding(claim and claim.crop(len(ids))),
    )


# --- the texts that a predicate is asked about: what a span says so far, and what it becomes


def text_so_far(span: GrowingSpan) -> str:
    """The whole characters of a span's value, without the beginning of what may become a stop string."""
    data, constraint = span.value, span.settings.constraint
    if span.settings.limits.stop_bytes and not constraint.include_stop:
        data = data[: len(data) - stop_string_begun(data, span.settings.limits.stop_bytes)]
    return utf_8_decode(data, "replace", False)[0]


def change(before: GrowingSpan, after: GrowingRow) -> float:
    """What a span adds to its log-potential by going on to where it is afterwards; −inf if that is refused.

    Where a span has no predicate, or its constraint was given up, it adds nothing.
    """
    where = before.settings.inspection.where
    if where is None or before.at.freed is not None:
        return 0.0
    if after.end == "stop":
        return where.change(text_so_far(before), after.span.value.decode("utf-8", "replace"), True)
    return where.change(text_so_far(before), text_so_far(after.span), False)
