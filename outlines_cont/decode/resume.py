"""Going on with a span that was cut: where its tokens lead to.

Rollback is slicing (law 7), so the tokens that were kept say where the constraint stood. Where a controller stood, its
span remembers in memory; of one that was loaded, the controller is asked again all along its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf

from outlines_cont.decode.growing_span import Retries, TooManyRetries, walked_back
from outlines_cont.decode.hypothesis import (
    Hypothesis,
    asked,
    closing,
    satisfied,
    scored,
    settled,
    text_so_far,
    waiting_for_options,
)
from outlines_cont.decode.settings import ALONE, NO_LIMITS, Cursor, SpanSettings
from outlines_cont.errors import ConstraintError
from outlines_cont.state.draw_notes import CAME, DREW, NONE_GIVEN_UP, RETURNED, TokenNotes
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece, Segment


def resumed(settings: SpanSettings, row: Row, index: int) -> tuple[Hypothesis, ...]:
    """The span that is the piece of this index goes on from the end of the row; () if its tokens do not fit."""
    row = row.sealed()
    head, piece = _head(row, index), row.pieces[index]
    settings = settings.within(row)
    here = slice(len(head), None)
    ids, logprobs, proposals = row.ids[here], row.logprobs[here], row.proposals[here]
    notes = piece.origin.notes.before(piece.hi)
    constrained, free = _divided(piece, ids)
    never_text = settings.encoder.vocabulary.special - settings.constraint.special_tokens
    if not never_text.isdisjoint(notes.told(ids)):
        return ()
    bare = replace(settings, limits=NO_LIMITS, appends_runs=False, chain=ALONE)
    scores = [(logprob or 0.0, proposal or 0.0) for logprob, proposal in zip(logprobs, proposals, strict=True)]
    at_end: tuple[Hypothesis, ...] = ()
    for constraint in settings.constraint.readings:
        guide = constraint.guide_after(settings.healed)
        start = Hypothesis.fresh(bare, replace(head, claim=None), Cursor(guide, guide.initial))
        start = start.changed(span=start.span.changed(notes=notes))
        if constraint.controller is not None:
            at_end = _controlled(start, piece, constrained, scores)
        else:
            retries = _retries(start, piece, len(ids), cut=piece.finished is None)
            if at_end := _replayed(start.changed(retries=retries), constrained):
                break
    if free:
        at_end = tuple(_freed(h, free, notes) for h in at_end[:1])
    going_on = []
    for h in at_end:
        more = len(h.ids) - len(ids)
        span = h.span.changed(
            settings=replace(settings, ranked_from=h.settings.ranked_from),
            logprobs=logprobs + h.logprobs[len(ids) :],
            proposals=proposals + h.proposals[len(ids) :],
            weight=row.weight,
            generated=row.generated + more,
            unscored=more,
            spent=more,
            notes=(notes.with_forced(len(ids), len(h.ids)) if more else notes).going_on(len(ids), row.reads_graft),
        )
        fed = h.fed._replace(claim=row.held)
        going_on.append(closing(h.changed(span=span, fed=fed, retries=h.retries.changed(count=0), draws=0)))
    return tuple(x for h in going_on for x in (settled(h) if free else _constrained(h, proposals)))


def _head(row: Row, index: int) -> Row:
    """What stands before a piece. ValueError if contexts beside the row do not have all tokens of that."""
    head = row.before(index)
    if row.beside is not None and head.beside is None:
        raise ValueError(
            "resume() of a span that began before the contexts beside its row (state.beside) share its tokens: leave "
            "them out, beside=[], or give others"
        )
    return head


def _retries(start: Hypothesis, piece: Piece, length: int, cut: bool) -> Retries:
    """What a span had given up when it came to where the piece ends, for good.

    length: of the span that goes on, with what was appended to the piece. cut: without what it gave up after that, and
    before it went on from there.
    """
    if piece.origin.given_up == NONE_GIVEN_UP:
        return start.retries
    here = piece.hi, len(tuple(piece.segments))
    retries = start.retries.resumed(piece.origin.given_up, (*here, CAME if cut else RETURNED))
    return retries if length == piece.hi else retries.accepted((*here, DREW))


def _constrained(h: Hypothesis, proposals: Sequence[float | None]) -> tuple[Hypothesis, ...]:
    """A span that goes on under its constraint. proposals: of the tokens that were kept."""
    if h.settings.constraint.options:
        return waiting_for_options(h)
    return settled(h) if h.settings.inspection.where is None else _satisfied(h, proposals)


def _satisfied(h: Hypothesis, proposals: Sequence[float | None]) -> tuple[Hypothesis, ...]:
    """A span that goes on under its predicate. ConstraintError if that refuses what was kept.

    proposals: of the tokens that were kept. What follows of one that was drawn was weighed when it was drawn.
    """
    where, text = h.settings.inspection.where, text_so_far(h.span)
    assert where is not None
    if text and where.potential(text, False) == -inf:
        raise ConstraintError(f"{where.name} refuses {text!r}, which the span says where it was cut")
    return satisfied(h, weighed=not proposals or proposals[-1] is None)


def _divided(piece: Piece, ids: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tokens under the constraint, and those after it was given up."""
    freed = piece.origin.freed
    if freed is None or freed >= piece.hi:
        return ids, ()
    return ids[:freed], ids[freed:]


def _freed(h: Hypothesis, ids: tuple[int, ...], notes: TokenNotes) -> Hypothesis:
    """The row with tokens that were written after the constraint was given up."""
    retries, h = h.retries, h.freed(ids[0], 0.0, 0.0)
    for token in ids[1:]:
        h = h.unfed(token, 0.0) if len(h.ids) in notes.unfed else h.longer((token,), (0.0,), (0.0,))
    return h.changed(retries=retries)


def _replayed(start: Hypothesis, ids: tuple[int, ...]) -> tuple[Hypothesis, ...]:
    """Where a span without a controller stands after these tokens; () if they do not fit its constraint."""
    at, trail, notes = start.at, start.span.trail, start.span.notes
    for place, token in enumerate(ids):
        if place in notes.unfed:
            trail = (at, trail)
            continue
        if (state := at.guide.advance(at.state, token)) is None:
            return ()
        at, trail = at._replace(state=state), (at, trail)
    text = start.settings.constraint.text_of(notes.told(ids), start.settings.encoder.vocabulary)
    return (start.changed(span=start.span.changed(ids=ids, text=text, at=at, trail=trail)),)


def _controlled(
    start: Hypothesis, piece: Piece, ids: tuple[int, ...], scores: Sequence[tuple[float, float]]
) -> tuple[Hypothesis, ...]:
    """Where a span with a controller stands after these tokens; () if they do not fit."""
    length, segments = max(piece.hi, len(ids)), tuple(piece.segments)
    at_end = _remembered(start.changed(retries=_retries(start, piece, length, cut=False)), piece, ids, scores)
    if start.settings.constraint.together and not at_end and (ids or not piece.emptied):
        raise ConstraintError(
            "a span whose controller is asked about several rows goes on only in the process in which it was made, by "
            "that controller, and from where it was cut (not reopened, and with its constraint): nobody can tell what "
            "the other rows were"
        )
    if at_end:
        return _retraced(start, at_end, ids, scores, segments)
    at_end = _retraced(start, asked(start), ids, scores, segments)
    if piece.origin.given_up == NONE_GIVEN_UP:
        return at_end
    return tuple(h.changed(retries=_retries(start, piece, length, cut=True)) for h in at_end)


def _remembered(
    start: Hypothesis, piece: Piece, ids: tuple[int, ...], scores: Sequence[tuple[float, float]]
) -> tuple[Hypothesis, ...]:
    """Where a span stood at the end of a piece of it, if that is known: not of one that was loaded, or reopened."""
    origin, controller = piece.origin, start.settings.constraint.controller
    if origin.trail is None or origin.constraint is None or origin.constraint.controller is not controller:
        return ()
    at, trail = origin.trail
    ids = ids[: piece.hi]  # of one whose constraint was given up, fewer
    at, trail = walked_back(at, trail, origin.length - len(ids))
    scores, segments = scores[: len(ids)], tuple(piece.segments)
    if len(at.segments) != len(segments):
        return ()
    text = start.settings.constraint.text_of(start.span.notes.told(ids), start.settings.encoder.vocabulary)
    logprobs, proposals = tuple(logprob for logprob, _ in scores), tuple(proposal for _, proposal in scores)
    weight = start.weight + sum(logprobs) + sum(segment.stop.logprob for segment in segments)
    at = at._replace(segments=segments)  # they may have been scored anew
    span = start.span.changed(
        at=at,
        trail=trail,
        ids=ids,
        text=text,
        logprobs=logprobs,
        proposals=proposals,
        weight=weight,
        generated=start.generated + len(ids),
    )
    return settled(start.changed(span=span))


def _retraced(
    start: Hypothesis,
    first: tuple[Hypothesis, ...],
    ids: tuple[int, ...],
    scores: Sequence[tuple[float, float]],
    segments: Sequence[Segment],
) -> tuple[Hypothesis, ...]:
    """Where a controlled span stands after these tokens and ends of segments, as if they were drawn; () if nowhere.

    Of the branches of a fork the first is taken that leads on; if the tokens end at the fork, all are.
    """
    stack = [first]
    while stack:
        group = stack.pop()
        try:
            while any(h.unscored and len(h.ids) <= len(ids) for h in group):
                group = tuple(x for h in group for x in _scored(h, start, ids, scores))
        except TooManyRetries:
            continue
        group = [x for h in _agreeing(group, ids) for x in _scored(h, start, ids, scores)]
        there = tuple(h for h in group if len(h.ids) >= len(ids) and len(h.at.segments) >= len(segments))
        if there:
            return there
        for h in reversed(group):
            with suppress(TooManyRetries):
                stack.append(_further(h.with_row(start.row), start, ids, scores, segments))
    return ()


def _agreeing(group: Sequence[Hypothesis], ids: tuple[int, ...]) -> list[Hypothesis]:
    """The hypotheses whose tokens begin these, or begin with all of them."""
    return [h for h in group if h.ids[: len(ids)] == ids[: len(h.ids)]]


def _scored(
    h: Hypothesis, start: Hypothesis, ids: tuple[int, ...], scores: Sequence[tuple[float, float]]
) -> tuple[Hypothesis, ...]:
    """The hypothesis with the scores of its unscored tokens, if all its tokens are among the row's."""
    here, drawn = len(h.ids), len(h.ids) - h.unscored
    if h.unscored and drawn < len(ids):  # it has gone on since it was forked, and the row's lineage tells that
        h = h.with_row(start.row)
    given = [logprob for logprob, _ in scores[drawn:here]]
    return scored(h, given) if h.unscored and here <= len(ids) else (h,)


def _further(
    h: Hypothesis,
    start: Hypothesis,
    ids: tuple[int, ...],
    scores: Sequence[tuple[float, float]],
    segments: Sequence[Segment],
) -> tuple[Hypothesis, ...]:
    """One token further, or past the end of a segment, as in the row that is resumed; () if that does not fit."""
    if h.status.ended:
        return ()
    here, due = len(h.ids), next(iter(segments[len(h.at.segments) :]), None)
    if due is not None and due.end == here:
        candidate = len(h.settings.encoder.vocabulary.tokens)
        return h.extend(candidate, due.stop.logprob, due.stop.proposal) if h.at.guide.accepting(h.at.state) else ()
    if here < len(ids) and here in start.span.notes.unfed:
        return settled(h.unfed(ids[here], scores[here][0]), len(h.text))
    fits = here < len(ids) and h.at.guide.advance(h.at.state, ids[here]) is not None
    return h.extend(ids[here], *scores[here]) if fits else ()
