"""The parts of a chain, linked: what comes after each span, and where in the chain a row stands that goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from outlines_cont.decode.hypothesis import Hypothesis, turned
from outlines_cont.decode.settings import Answer, ChainFunction, ChainPlace, SpanSettings, Turn, text_after
from outlines_cont.decode.stage import standing
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.generate.starts import NO_SPAN, gone_on, made_by, whole_characters
from outlines_cont.state.failed_row import OF_NO_ROW
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece

#: A function of a chain: the parts that a row goes on with, or None if it ends there.
Question = Callable[[Row], "Sequence[Part] | None"]
Part = SpanSettings | str | Question
Ids = tuple[int, ...]


class PlacedPart(NamedTuple):
    """A part, and its place in the chain.

    What a function says stands at places below that of the function. Wherever a function comes before, the place has
    more than one number: there each batch row goes its own way.
    """

    part: Part
    place: tuple[int, ...]


class ChainLinks(NamedTuple):
    """The parts of a chain in a call of it.

    Attributes:
        parts: of the chain, in order.
        first: the settings of its first span, which rows have that do not go on.
    """

    parts: tuple[PlacedPart, ...]
    first: SpanSettings

    @classmethod
    def of(cls, parts: Sequence[Part]) -> ChainLinks:
        """The links of a chain that has a step."""
        functions = [i for i, part in enumerate(parts) if not isinstance(part, (str, SpanSettings))]
        first = min(functions, default=len(parts))
        placed = tuple(PlacedPart(part, (i, 0) if i > first else (i,)) for i, part in enumerate(parts))
        return cls(placed, next(part for part in parts if isinstance(part, SpanSettings)))

    @property
    def numbered(self) -> int | None:
        """The number of its first span; None if it has one span only, and no function that may give others."""
        several = sum(not isinstance(part, str) for part, _ in self.parts) > 1
        return 0 if several else None

    def linked(self) -> SpanSettings | ChainFunction | None:
        """The first span or function after the text that it may begin with, which knows what comes after it."""
        parts = self.parts[isinstance(self.parts[0].part, str) :]
        return _linked(parts, self.numbered, self.first.encoder)

    def begins(self) -> Callable[[Row], Hypothesis]:
        """How a row stands at the beginning, after the text that the chain may begin with."""
        first = self.linked()
        if isinstance(first, SpanSettings):
            turn = Turn(first, partial(Hypothesis.begin, first))
            return lambda row: standing(first, row, turn)
        return lambda row: turned(standing(self.first, row, None), first)

    # --- where a row stands

    def stands(self, given_out: bool, row: Row) -> Hypothesis:
        """A row where it stands in the chain. ValueError if it does not end in the chain.

        given_out: as of `gone_on`.
        """
        spans = self._own_spans(row)
        if not spans:
            raise ValueError(
                f"resume() of a chain: a row has no span of it ({NO_SPAN}); to begin it, call the chain instead"
            )
        if _may_lack_its_text(row, spans[-1]):
            before = row.before(spans[-1].index)
            again = self.stands(given_out, before) if len(spans) > 1 else self.begins()(before)
            if again.out:
                return again.with_row(row)
            if again.row.ids != row.ids:
                return again
        settings, (piece, index, _, end) = self._last(row, spans), spans[-1]
        last = not settings.chain.goes_on
        passed = piece.origin.finished == "stop" or (settings.passes(piece.origin.finished) and not last)
        if not piece.whole or not passed:
            turn = Turn(settings, partial(gone_on, settings, index, given_out), midway=True)
            return standing(settings, row, turn)
        return _after_span(settings, row, index, end)

    def _own_spans(self, row: Row) -> list[_PlacedSpan]:
        """The generated spans of a row. Of those that were cut off only the last one counts, if it is of this chain."""
        *earlier, last = [None, *(span for span in _spans(row) if span.piece.kind == "generated")]
        spans = [span for span in earlier if span is not None and not span.piece.emptied]
        if last is None or (last.piece.emptied and self._writer(row, [*spans, last], []) is None):
            return spans
        return [*spans, last]

    def _last(self, row: Row, spans: Sequence[_PlacedSpan]) -> SpanSettings:
        """The link that has written the last of these spans of a row, linked to what comes after it."""
        errors: list[Exception] = []
        if writer := self._writer(row, spans, errors):
            return writer
        origin = spans[-1].piece.origin
        kind = origin.constraint and origin.constraint.kind
        which = "" if self.numbered is None or origin.link is None else f"link {origin.link} of a chain, "
        raise ValueError(
            f"resume() of a chain: the last span of a row is {which}{kind} {origin.name!r}; "
            f"this chain has {[_shown(part) for part, _ in self.parts if not isinstance(part, str)]}"
        ) from next(iter(errors), None)

    def _writer(self, row: Row, spans: Sequence[_PlacedSpan], errors: list[Exception]) -> SpanSettings | None:
        """The link that has written the last of these spans, or None. errors: gets those of the chain's functions."""
        origin = spans[-1].piece.origin
        number = origin.link if self.numbered is not None else None
        if number is not None:
            links = list(self._links_before_functions())
            if number < len(links) and made_by(links[number], origin):
                return links[number]
            if len(spans) > number >= len(links) and (walked := self._walked(row, spans[-1 - number :], errors)):
                return walked
        # steps, or another chain, have written it
        walks = (self._walked(row, spans[first:], errors) for first in range(len(spans)))
        return next(filter(None, walks), None)

    def _links_before_functions(self) -> Iterator[SpanSettings]:
        link = self.linked()
        while isinstance(link, SpanSettings):
            yield link
            link = link.chain.next

    def _walked(self, row: Row, spans: Sequence[_PlacedSpan], errors: list[Exception]) -> SpanSettings | None:
        """The link that has written the last of these spans, if the first link has written the first, and so on."""
        first = self.linked()
        # a function at the beginning was asked before the texts that it gave
        starts = _text_starts(row, spans[0]) if isinstance(first, ChainFunction) else iter([spans[0].begin])
        for start in starts:
            try:
                link = first
                if isinstance(link, ChainFunction):
                    written = _written_before(spans[0], row, start, link.encoder)
                    answer = _answered(link, row.take(range(start)), written)
                    link = answer and answer.next
                if walked := _walked_from(link, row, spans):
                    return walked
            except OF_NO_ROW:
                raise
            except Exception as error:  # of a row that the function was not asked about before
                errors.append(error)
        return None


def _walked_from(
    link: SpanSettings | ChainFunction | None, row: Row, spans: Sequence[_PlacedSpan]
) -> SpanSettings | None:
    """The link that has written the last of these spans, if `link` has written the first, and so on; else None."""
    for span, following in zip(spans, [*spans[1:], None], strict=True):
        if not isinstance(link, SpanSettings) or not made_by(link, span.piece.origin):
            return None
        if following is None:
            return link
        if not span.piece.whole or not link.passes(span.piece.origin.finished):
            return None
        text, before = link.text_after(row.ids[: span.end]), _written_before(following, row, span.end, link.encoder)
        written, asked_at = _bytes(link.encoder, text), _with_text(link, row, span, text)
        link = link.chain.next
        if isinstance(link, ChainFunction):
            answer = _answered(link, asked_at, before.removeprefix(written)) if before.startswith(written) else None
            link = answer and answer.next
        elif before != written:
            return None
    return None


class _PlacedSpan(NamedTuple):
    """A piece of a row, its index, and its place."""

    piece: Piece
    index: int
    begin: int
    end: int


def _spans(row: Row) -> list[_PlacedSpan]:
    return [_PlacedSpan(piece, index, begin, end) for index, (begin, end, piece) in enumerate(row.placed)]


def _linked(parts: Sequence[PlacedPart], number: int | None, encoder: Encoder) -> SpanSettings | ChainFunction | None:
    """The first of these parts, which is no text, and which knows what comes after it.

    number: that of the first span; None: the chain has no other.
    """
    if not parts:
        return None
    first, *later = parts
    if isinstance(first.part, SpanSettings):
        return _linked_span(first.part, first.place, later, number, encoder)
    return ChainFunction(partial(_answer, parts, number, encoder), encoder)


def _linked_span(
    settings: SpanSettings, place: tuple[int, ...], later: Sequence[PlacedPart], number: int | None, encoder: Encoder
) -> SpanSettings:
    """A span that knows what comes after it: the text and the parts that these are."""
    text = ""
    if later and isinstance(later[0].part, str):
        text, later = later[0].part, later[1:]
    following = _linked(later, None if number is None else number + 1, encoder)
    chain = ChainPlace(number, place, next=following)
    return replace(settings, chain=chain.followed_by(text, settings.encoder))


def _answer(parts: Sequence[PlacedPart], number: int | None, encoder: Encoder, row: Row) -> Answer:
    """What a row goes on with, where the first of these parts is a function."""
    texts: list[Ids] = []
    left = list(parts)
    while left:
        part, place = left.pop(0)
        if isinstance(part, SpanSettings):
            return Answer(tuple(texts), _linked_span(part, place, left, number, encoder))
        if isinstance(part, str):
            texts.append(text_after(encoder, part, row.ids))
            row = row.append(texts[-1])
            continue
        given = part(row)
        if given is None:
            return Answer(tuple(texts))
        left = [*(PlacedPart(each, (*place, i)) for i, each in enumerate(given)), *left]
    return Answer(tuple(texts))


def _answered(link: ChainFunction, row: Row, written: bytes) -> Answer | None:
    """What a function says of a row; None if it gives other texts than those that were written after it."""
    answer = link.answer(row)
    texts = (_bytes(link.encoder, text) for text in answer.texts)
    return answer if b"".join(texts) == written else None


def _written_before(span: _PlacedSpan, row: Row, begin: int, encoder: Encoder) -> bytes:
    """The texts before a span, from a token of its row on: with those of their bytes that the span has taken back."""
    return _bytes(encoder, row.ids[begin : span.begin]) + span.piece.origin.healed


def _reads_as(encoder: Encoder, ids: Ids, text: Ids) -> bool:
    """Whether tokens say a text, which may be spelled by others after a cut inside a token."""
    return ids == text or _bytes(encoder, ids) == _bytes(encoder, text)


def _with_text(settings: SpanSettings, row: Row, span: _PlacedSpan, text: Ids) -> Row:
    """A row up to the end of a span, and the text after that, of which the next span may have taken back a part; or
    which is spelled by other tokens after a cut inside a token."""
    last = _text_end(settings, row, span.end)
    return row.before(span.index + 1).append(text) if last in (None, span.end) else row.take(range(last))


def _text_end(settings: SpanSettings, row: Row, begin: int) -> int | None:
    """Where the text after a span ends that a row has from there on; None if it has another one, or a part of it."""
    text = settings.text_after(row.ids[:begin])
    last, wanted = begin + len(text), _bytes(settings.encoder, text)
    if row.ids[begin:last] == text:
        return last
    sizes = accumulate(len(_bytes(settings.encoder, (token,))) for token in row.ids[begin:])
    end = next((begin + count for count, size in enumerate(sizes, 1) if size >= len(wanted)), begin)
    return end if _bytes(settings.encoder, row.ids[begin:end]) == wanted else None


def _text_starts(row: Row, span: _PlacedSpan) -> Iterator[int]:
    """Where the texts before a span may begin, the last one first."""
    yield span.begin
    for each in reversed(_spans(row)[: span.index]):
        if each.piece.kind == "generated":
            return
        yield each.begin


def _after_span(settings: SpanSettings, row: Row, index: int, end: int) -> Hypothesis:
    """A row whose last span, the piece of this index, is whole: with all of the text after it, and what comes then.

    ValueError if it has another text there.
    """
    text = settings.text_after(row.ids[:end])
    given = (text,) if text else ()
    answer: Answer | None = None
    asked_at = _text_end(settings, row, end)
    if isinstance(settings.chain.next, ChainFunction) and asked_at is not None and asked_at < len(row):
        answer = settings.chain.next.answer(row.take(range(asked_at)))
        given = (row.ids[end:asked_at], *answer.texts)
    longer = _with_texts(settings, row, index, end, given)
    written = whole_characters(_bytes(settings.encoder, row.ids[end:]))
    missing = _bytes(settings.encoder, longer.ids[end:])[written:]
    following = settings.chain.next
    if following is not None and not settings.has_room_for(longer):
        return standing(settings, row, None).changed(end="length")
    h = standing(settings, longer, None)
    h = h.changed(sent=h.sent._replace(prior=missing))
    return turned(h, following if answer is None else answer.next)


def _with_texts(settings: SpanSettings, row: Row, index: int, end: int, given: Sequence[Ids]) -> Row:
    """A row with all of these texts after the span that is the piece of this index, where it has a part of them."""
    present, whole = row.ids[end:], sum(given, ())
    if _reads_as(settings.encoder, present, whole):
        return row
    if present == whole[: len(present)]:
        longer = row.before(index + 1) if index + 1 < len(row.pieces) else row
        for text in filter(None, given):
            longer = longer.append(text)
        return longer
    # After a cut inside a token the same text is spelled by other tokens.
    written, wanted = _bytes(settings.encoder, present), _bytes(settings.encoder, whole)
    if not wanted.startswith(written):
        raise ValueError(
            f"resume() of a chain: {settings.encoder.decode(present)!r} follows link {settings.chain.link or 0}, where "
            f"the chain has {wanted.decode('utf-8', 'replace')!r}"
        )
    return row.append(settings.encoder.encode_bytes(wanted[len(written) :]))


def _bytes(encoder: Encoder, ids: Ids) -> bytes:
    return encoder.vocabulary.decode(ids, special=True)


def _may_lack_its_text(row: Row, last: _PlacedSpan) -> bool:
    """Whether a row may have ended before the text that leads to its last link, for want of room in the context."""
    origin: Origin = last.piece.origin
    empty = not origin.length and not origin.healed and origin.finished == "length"
    return empty and origin.link is not None and last.piece is row.pieces[-1]


def _shown(part: Part) -> Any:
    """A part, as an error names it."""
    if isinstance(part, SpanSettings):
        return part.constraint.kind, part.name
    return part.args[0] if isinstance(part, partial) else part
