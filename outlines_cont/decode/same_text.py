"""Which rows of a search are the same text, in whatever tokens.

Two texts are the same if they begin after the same row and say the same bytes. The borders between segments of a
controlled span, and around tokens that no constraint was told of, are compared as numbers of bytes. Of a row that goes
on, the place in its constraint and the memory of its controller count, too.
What the constraint leaves no choice about counts as said: `Li` is `Lisbon`, if nothing else can begin so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.fsm.guide import AutomatonGuide
from outlines_cont.fsm.within import plain_place
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Piece, Segment


class SpanText(NamedTuple):
    """What a span says.

    Attributes:
        text: its bytes.
        details: how it ended, or where it stands, and its inner borders.
    """

    text: bytes
    details: Hashable


#: The number of the row that a search began from, and then the `SpanText` of its span.
History = tuple[Hashable, ...]


def text_of_span(span: GrowingSpan, finished: Finished | None) -> SpanText:
    """What a span says that has ended."""
    at = span.at
    borders = _borders(span.sizes, span.ids, at.segments, at.freed, span.notes.unfed)
    memory = ByValue(at.memory) if span.controlled and finished != "stop" else None
    way = span.stop.by if span.stop and span.settings.constraint.kind == "ways" else None
    return SpanText(span.text, (finished, borders, memory, way))


def text_of_piece(piece: Piece, ids: tuple[int, ...], tokens: Sequence[bytes]) -> SpanText:
    """What a span of a finished row says. `ids`: its tokens; `tokens`: the bytes of each token of the vocabulary."""
    origin = piece.origin
    unfed = origin.notes.unfed

    def sizes() -> list[int]:
        return [0 if place in unfed else len(tokens[token]) for place, token in enumerate(ids)]

    borders = _borders(sizes, ids, origin.segments, origin.freed, unfed)
    memory = ByValue(origin.trail[0].memory) if origin.trail and origin.finished != "stop" else None
    text = b"".join(tokens[token] for token in piece.told(ids))
    return SpanText(text, (origin.finished, borders, memory, piece.way))


def text_on_the_way(span: GrowingSpan, ending: Finished | None) -> SpanText:
    """What a span says that goes on, and where it stands in its constraint and its controller."""
    at, text = span.at, span.text
    guide, state = plain_place(at.guide, at.state)
    place: Hashable = state
    if isinstance(guide, AutomatonGuide):  # the bytes say where it stands
        text, place = text + guide.forced(state), None
    controlled: Hashable = None
    if span.controlled or span.notes.unfed or at.freed is not None:
        ends = [0, *accumulate(span.sizes())]
        borders = _borders(span.sizes, span.ids, at.segments, at.freed, span.notes.unfed)
        labels = tuple((name, ends[place], segments) for name, place, segments in at.labels)
        controlled = borders, ends[at.begin], labels, ByValue(at.memory)
    return SpanText(text, (ending, id(guide), place, controlled))


def only_end(span: GrowingSpan) -> SpanText | None:
    """What a span, the last of its search, will say at its end; None if that may be one of several texts."""
    at, settings = span.at, span.settings
    if span.controlled or span.notes.unfed or at.freed is not None or settings.limits.stop_bytes:
        return None
    if settings.constraint.kind == "ways":
        return None
    guide, state = plain_place(at.guide, at.state)
    text = guide.only(state) if isinstance(guide, AutomatonGuide) else None
    return None if text is None else SpanText(span.text + text, ("stop", (), None, None))


def beginning(row: Row, wrote: bool, tokens: Sequence[bytes]) -> tuple[Hashable, tuple[SpanText, ...]]:
    """Which row a search began from, and what the last span of this row says, if the search wrote that."""
    made = ((index, piece) for index, piece in enumerate(row.pieces) if piece.kind == "generated")
    pieces = [index for index, piece in made if not piece.emptied] if wrote else []
    if not pieces:
        return (row.ids, row.borders), ()
    start, (begin, end, piece) = row.before(pieces[-1]), [*row.placed][pieces[-1]]
    return (start.ids, start.borders), (text_of_piece(piece, row.ids[begin:end], tokens),)


def _borders(
    sizes: Callable[[], list[int]],
    ids: Sequence[int],
    segments: Sequence[Segment],
    freed: int | None,
    unfed: Sequence[int],
) -> Hashable:
    """The borders inside a span, in bytes. Mostly there are none."""
    if not segments and freed is None and not unfed:
        return ()
    ends = [0, *accumulate(sizes())]
    return (
        tuple(ends[segment.end] for segment in segments),
        None if freed is None else ends[freed],
        tuple((ends[place], ids[place]) for place in unfed),
    )


class ByValue:
    """A controller's memory, or a sampler, compared by value: somebody else's, which may have no hash."""

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ByValue):
            return NotImplemented
        if self.value is other.value:
            return True
        try:
            return bool(self.value == other.value)
        except Exception:  # arrays do not say
            return False

    def __hash__(self) -> int:
        try:
            return hash(self.value)
        except TypeError:
            return hash(type(self.value))
