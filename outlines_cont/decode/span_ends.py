"""How a growing span ends: at a stop string, cut short, or without the tokens that are not scored yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum, nan
from typing import TypeVar

from outlines_cont.decode.combining.context_reads import claiming
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.growing_span import GrowingSpan, walked_back
from outlines_cont.decode.status import DRAWING, ENDED, ENDING
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Origin, Piece, SpanStop, total

R = TypeVar("R", bound=GrowingRow)


def stop_string_end(span: GrowingSpan, searched: int) -> int | None:
    """How many bytes of the text are left where a stop string ends the span; None if it holds none.

    No stop string ends in the `searched` first bytes of the text.
    """
    begin = len(span.settings.healed)
    stops = span.settings.stop_bytes
    starts = ((span.text.find(stop, max(begin, searched - len(stop) + 1)), -len(stop)) for stop in stops)
    hits = [hit for hit in starts if hit[0] >= 0]
    if not hits:
        return None
    start, length = min(hits)
    return start - length if span.settings.constraint.include_stop else start


def stop_begun(text: bytes, stops: Sequence[bytes]) -> int:
    """The length of the longest beginning of a stop string, short of the whole, with which a text ends."""
    return max((_overlap(text, stop) for stop in stops), default=0)


def _overlap(text: bytes, stop: bytes) -> int:
    return next((n for n in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:n])), 0)


def cut_at_stop(h: R, size: int) -> R:
    """End the span after `size` bytes of its text; the tokens beyond them are the stop's."""
    span = h.span
    count, length = _whole_tokens(span, size)
    gone = slice(count, None)
    edited = any(place >= count for place in span.notes.edited)
    decided = SpanStop(
        total(value or 0.0 for value in span.logprobs[gone]),
        nan if edited else total(value or 0.0 for value in span.proposals[gone]),
        span.ids[gone],
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
        return h.changed(span=cut, fed=fed, status=ENDED["stop"])
    lead, dropped = _spelled_apart(span, count, size - length)
    length, beside = len(span.row) + count + len(lead) + len(dropped), span.row.beside
    if min(span.settings.room(length, 0), beside.room(length, span.settings.context_length) if beside else 0) < 0:
        # the model cannot read that far to score it: its context is what ends the row, stop string and all
        return h.changed(status=ENDED["length"])
    cut = cut.changed(
        ids=(*cut.ids, *lead),
        logprobs=(*cut.logprobs, *[0.0] * len(lead)),
        proposals=(*cut.proposals, *[0.0] * len(lead)),
        stop=replace(decided, dropped=dropped),
        generated=cut.generated + len(lead),
        weight=span.weight - decided.logprob,
        unscored=len(lead),
        uncut=span,
    )
    return h.changed(span=cut, fed=fed, status=ENDING["stop"])


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
    """As it was drawn, if it waits for the scores of what a stop string has left of it: `resume` finds that again."""
    return h if h.span.uncut is None else h.changed(span=h.span.uncut, status=DRAWING)


def ended_now(h: R, how: Finished) -> R:
    """End it here if it has not ended: without what is not scored yet."""
    if h.status.finished:
        return h
    span = h.span
    if not span.unscored:
        return h.changed(status=ENDED[how])
    # (no cursors lead to what a stop string left of a token: that was spelled anew)
    spelled_anew = h.status.ending is not None and span.dropped != ()
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
    return h.changed(span=span, status=ENDED[how])


def shortened(h: R, n: int) -> R:
    """Ended for want of room, without its last n tokens."""
    tokens, text = h.encoder.vocabulary.tokens, h.text
    text = text[: len(text) - sum(len(tokens[token]) for token in h.ids[-n:])]
    short = ended_now(h.changed(span=h.span.changed(unscored=n), status=ENDING["length"]), "length")
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
        h.status.finished,
        span.stop,
        settings.length_penalty,
        link=settings.link,
        segments=span.at.segments,
        healed=settings.healed,
        freed=span.at.freed,
        given_up=h.retries.kept(span.drew),
        notes=span.notes.ended(len(span.ids), span.stop is not None),
        combined=settings.combined or span.row.beside is not None,
        chosen_by=settings.chosen_by,
        trail=(span.at, span.trail) if settings.constraint.controller is not None else None,
    )
    ids, claim, beside = span.row.ids + span.ids, h.fed.claim, span.row.beside
    return replace(
        span.row,
        ids=ids,
        logprobs=span.row.logprobs + span.logprobs,
        proposals=span.row.proposals + span.proposals,
        pieces=(*span.row.pieces, Piece(origin, 0, len(span.ids))),
        claim=claim.crop(len(ids)) if claim else None,
        beside=beside and claiming(beside, h.fed.contexts, len(ids)),
    )
