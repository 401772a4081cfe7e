"""Going on with a span that was cut: where its tokens lead to.

Rollback is slicing (law 7), so the tokens that were kept say where the constraint stood. Where a controller stood, its
span remembers in memory; of one that was loaded, the controller is asked again all along its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.settings import Cursor, SpanSettings, TooManyRetries
from outlines_cont.state.constraint import Controller
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece, Segment


def resumed(settings: SpanSettings, row: Row, index: int) -> tuple[Hypothesis, ...]:
    """The span that is the piece of this index goes on from the end of the row; () if its tokens do not fit."""
    row = row.sealed()
    head, piece = row.before(index), row.pieces[index]
    here = slice(len(head), None)
    ids, logprobs, proposals = row.ids[here], row.logprobs[here], row.proposals[here]
    freed = piece.origin.freed if piece.origin.freed is not None and piece.origin.freed < piece.hi else len(ids)
    held, free = ids[:freed], ids[freed:]  # what was written under the constraint, and after it was given up
    vocabulary = settings.encoder.vocabulary
    if not vocabulary.special.isdisjoint(ids):
        return ()
    bare = replace(settings, max_tokens=None, context_length=None, stop_bytes=(), forced=False, text="", next=None)
    guide = settings.constraint.guide_after(settings.healed)
    start = Hypothesis(bare, replace(head, claim=None), Cursor(guide, guide.initial))
    start = start.changed(weight=head.weight, generated=head.generated)
    if settings.constraint.controller is not None:
        scores = [(own or 0.0, law or 0.0) for own, law in zip(logprobs, proposals, strict=True)]
        segments = tuple(piece.segments)
        known = _remembered(start, piece, held, scores, settings.constraint.controller)
        found = _retraced(start, known or start.asked(), held, scores, segments)
    else:
        at, trail = start.at, start.trail
        for token in held:
            if (state := guide.advance(at.state, token)) is None:
                return ()
            at, trail = at._replace(state=state), (at, trail)
        found = (start.changed(ids=held, text=vocabulary.decode(held), at=at, trail=trail),)
    if free:
        blank = [0.0] * (len(free) - 1)
        found = tuple(h.freed(free[0], 0.0, 0.0).longer(free[1:], blank, blank) for h in found[:1])
    again = [
        h.changed(
            settings=settings,
            logprobs=logprobs + h.logprobs[len(ids) :],
            proposals=proposals + h.proposals[len(ids) :],
            weight=row.weight,
            generated=row.generated + len(h.ids) - len(ids),
            claim=row.claim,
            unscored=len(h.ids) - len(ids),
            spent=len(h.ids) - len(ids),
            retries=0,
        )
        for h in found
    ]
    if settings.constraint.options and not free:
        return tuple(x for h in again for x in h.balloted())
    return tuple(x for h in again for x in h.settled())


def _remembered(
    start: Hypothesis, piece: Piece, ids: tuple[int, ...], scores: Sequence[tuple[float, float]], controller: Controller
) -> tuple[Hypothesis, ...]:
    """Where a span stood at the end of a piece of it, if that is known: not of one that was loaded, or reopened."""
    origin = piece.origin
    if origin.trail is None or origin.constraint is None or origin.constraint.controller is not controller:
        return ()
    at, trail = origin.trail
    for _ in range(origin.length - piece.hi):
        at, trail = trail
    kept = tuple(piece.segments)
    if at.freed is not None or len(at.segments) != len(kept):
        return ()
    ids, scores = ids[: piece.hi], scores[: piece.hi]
    text = start.settings.encoder.vocabulary.decode(ids)
    own, laws = tuple(own for own, _ in scores), tuple(law for _, law in scores)
    weight = start.weight + sum(own) + sum(segment.stop.logprob for segment in kept)
    at = at._replace(segments=kept)  # they may have been scored anew
    there = start.changed(at=at, trail=trail, ids=ids, text=text, logprobs=own, proposals=laws, weight=weight)
    return there.changed(generated=start.generated + len(ids)).settled()


def _retraced(
    start: Hypothesis,
    first: tuple[Hypothesis, ...],
    ids: tuple[int, ...],
    scores: Sequence[tuple[float, float]],
    segments: Sequence[Segment],
) -> tuple[Hypothesis, ...]:
    """Where a controlled span stands after these tokens and ends of parts, as if they were drawn; () if nowhere.

    Of the branches of a fork the first is taken that leads on; if the tokens end at the fork, all are.
    """
    stop = len(start.settings.encoder.vocabulary.tokens)

    def known(h: Hypothesis) -> tuple[Hypothesis, ...]:
        here, drawn = len(h.ids), len(h.ids) - h.unscored
        if h.unscored and drawn < len(ids):  # it has gone on since it was forked, and the row's lineage tells that
            h = h.changed(row=start.row)
        return h.scored([own for own, _ in scores[drawn:here]]) if h.unscored and here <= len(ids) else (h,)

    def further(h: Hypothesis) -> tuple[Hypothesis, ...]:
        here, due = len(h.ids), next(iter(segments[len(h.at.segments) :]), None)
        if h.finished:
            return ()
        if due is not None and due.end == here:
            return h.extend(stop, due.stop.logprob, due.stop.proposal) if h.at.guide.accepting(h.at.state) else ()
        fits = here < len(ids) and h.at.guide.advance(h.at.state, ids[here]) is not None
        return h.extend(ids[here], *scores[here]) if fits else ()

    stack = [first]
    while stack:
        group = stack.pop()
        try:
            while any(h.unscored and len(h.ids) <= len(ids) for h in group):
                group = tuple(x for h in group for x in known(h))
        except TooManyRetries:
            continue
        group = [x for h in group if h.ids[: len(ids)] == ids[: len(h.ids)] for x in known(h)]
        there = tuple(h for h in group if len(h.ids) >= len(ids) and len(h.at.segments) >= len(segments))
        if there:
            return there
        for h in reversed(group):
            with suppress(TooManyRetries):
                stack.append(further(h.changed(row=start.row)))
    return ()
