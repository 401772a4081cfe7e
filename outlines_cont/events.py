"""What a message says while it is written: thoughts, text and calls, each part as events, and nothing twice.

A `_Message` is what was read of one row. It reads text in whatever pieces it comes, and holds back what may be the
beginning of a mark. The spans of a row say which of its text is a thought, a call or text; in text with triggers, marks
say it. A row is read as far as it is final (`partial.delta`), so no event is taken back. Rows that are one search are
read as far as they agree, and only while they agree on the borders of their spans, too.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder, utf_8_decode
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple, cast, get_args, get_origin, overload

from outlines_cont.arguments import shown
from outlines_cont.decode.growing_row import Sent
from outlines_cont.decode.stream import Streamed
from outlines_cont.fsm.partial_json import NOTHING, Partial, loads
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.asked import asked_of
from outlines_cont.prefixes import common_length
from outlines_cont.schemas.sources import schema_and_parser
from outlines_cont.schemas.tools import Tools
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece

Kind = Literal["text", "thought", "given", "name", "arguments", "call", "partial", "value", "broken", "end"]
Chunk = Streamed | str | bytes
Said = Iterator[tuple[Kind, Any]]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has become certain of a message.

    Attributes:
        kind: what `value` is:
            "text", "thought", "given": the next piece (str) of a text, of a thought, of what a chain puts in between.
            "name", "arguments", "call": of a call, its name; its arguments so far (dict); the `ToolCall`.
            "partial", "value": what another value says so far, as `oc.types.partial` has it; the value.
            "broken": all that was written (str) of a value that was cut off, or is none of its type.
            "end": the `SpanEnd` that ended the message, None where it came as text.
        part: which part of the message it belongs to, counted from 0. Each call is a part.
        name: the trigger that began the part; without one, the name of the step.
        row: the batch row and the sample.

    >>> [event] = oc.stepping.events(["Hi", "!"])[:1]
    """

    kind: Kind
    value: Any
    part: int
    name: str | None = None
    row: tuple[int, int] = (0, 0)


@overload
def events(source: AsyncIterable[Chunk], output_type: Any = str) -> AsyncIterator[Event]: ...


@overload
def events(source: Iterable[Chunk], output_type: Any = str) -> Iterator[Event]: ...


def events(source: Any, output_type: Any = str) -> Any:
    """The `Event`s of messages that are being written, each as soon as it is certain; see docs/chats.md.

    source: what `stream` or `astream` gives; or one message as pieces of text, str or bytes.
    output_type: of text that was written without one: what `oc.types.triggered` gives, or a type of `oc.Generator`.

    Raises:
        TypeError: the source gives something else.
        ValueError: one trigger stands within another, so a mark may turn out to be a longer one.

    >>> def add(a: int, b: int): ...
    >>> calls = oc.types.triggered({"<call>": (oc.types.tools([add]), "</call>")})
    >>> message = ["Wait.<ca", 'll>{"name": "add", "argu', 'ments": {"a": 3, "b": 4}}</call>']
    >>> [(event.kind, event.value) for event in oc.stepping.events(message, calls)][:3]
    [('text', 'Wait.'), ('name', 'add'), ('arguments', {'a': 3, 'b': 4})]
    """
    kind, argument, parse, values, _ = asked_of(output_type, "events()")
    reader = _Reader(_parts(kind, argument, parse, values))
    if hasattr(source, "__aiter__"):
        return _read_async(reader, source)
    return chain.from_iterable(map(reader.read, chain(source, [None])))


async def _read_async(reader: _Reader, source: AsyncIterable[Chunk]) -> AsyncIterator[Event]:
    async for chunk in source:
        for event in reader.read(chunk):
            yield event
    for event in reader.read(None):
        yield event


class _Part(NamedTuple):
    """How a part of a message is written: a trigger and an end, or neither, where it is all of a span.

    kind: of its events; "json", "calls" (one, or a list) or "other" for values; parse: of a value.
    """

    kind: str
    begin: str = ""
    ends: tuple[str, ...] = ()
    parse: Callable[[str], Any] = str


def _parts(kind: str, argument: Any, parse: Callable[[str], Any], values: Any) -> tuple[_Part, ...]:
    """The parts that may come in a text of a constraint: those of its triggers, or one that is all of it."""
    if kind == "triggered":
        given = zip(argument[2], values or [(mark, part[0], None) for mark, _, part in argument[2]], strict=True)
        triggers = tuple(_part(mark, end, *each[1:], parse) for (mark, end, _), each in given)
        for one, other in ((x.begin, y.begin) for x in triggers for y in triggers if x is not y):
            if one in other:
                raise ValueError(f"events(): the trigger {one!r} stands within {other!r}: either may be meant by it")
        return triggers
    return (_part("", "", kind, values, parse),)


def _part(begin: str, end: str, kind: str, values: Any, parse: Callable[[str], Any]) -> _Part:
    ends = (end,) if end else ()
    if kind == "json":
        tools = get_args(values)[0] if get_origin(values) is list else values
        if isinstance(tools, Tools):
            return _Part("calls", begin, ends, tools.parse)
        if begin:  # what was not generated here may have other spaces than texts of the constraint
            parse = loads if values is None else schema_and_parser(values, "events()")[1]
        return _Part("json", begin, ends, parse)
    if kind == "text" or not begin:
        return _Part("thought" if begin else "text", begin, ends)
    return _Part("other", begin, ends, lambda raw: parse(begin + raw + end)[0][1])


GIVEN = (_Part("given"),)
TEXTS = ("text", "thought", "given")
_UP_TO_BRACES = re.compile(r"[^}]*\}|[^}]+")
_BETWEEN_CALLS = " \t\n\r,[]"


@dataclass
class _Message:
    """What was read of one message. Copied where a row goes on: all that it holds is immutable.

    Attributes:
        row, lineage: of the row, its place and its lineage. read: all text of it that was read.
        spans: how many of its spans are over. in_span: whether the next one has begun. ended: whether it has ended.
        name: of the span. triggers: what may begin in its text. inside: the part that it is in; None: text.
        held: what may be the beginning of a mark. number: of the part; counted: whether it has events.
        raw, value: what was written of a value, and that read; None: it is no JSON. shown: what was given out of it.
        calls, between: how many calls of a part are whole, and what stands around them.
    """

    row: tuple[int, int] = (0, 0)
    lineage: tuple[int, ...] = ()
    read: str = ""
    spans: int = 0
    in_span: bool = False
    ended: bool = False
    name: str | None = None
    triggers: tuple[_Part, ...] = ()
    inside: _Part | None = None
    held: str = ""
    number: int = -1
    counted: bool = False
    raw: str = ""
    value: Partial | None = None
    shown: Any = NOTHING
    calls: int = 0
    between: str = ""

    def begin(self, name: str | None, parts: tuple[_Part, ...]) -> None:
        """A text of these parts begins."""
        self.name, self.in_span, self.triggers = name, True, parts if parts[0].begin else ()
        self._enter(None if self.triggers else parts[0])

    def feed(self, text: str) -> Iterator[Event]:
        """What is certain with this text."""
        self.held += text
        mark: str | None = ""
        while mark is not None:
            part = self.inside
            text, mark = self._up_to_mark(part.ends if part else [each.begin for each in self.triggers])
            yield from self._written(text)
            if part is None and mark:
                self._enter(next(each for each in self.triggers if each.begin == mark))
            elif part and mark and self._goes_on(part, mark):
                self.held = mark[1:] + self.held
                yield from self._written(mark[0])
            elif mark:
                yield from self._over(True)

    def close(self, whole: bool) -> Iterator[Event]:
        """What is certain where nothing follows. whole: the span ended as it should."""
        text, self.held, self.in_span = self.held, "", False
        if self.inside is not None and self.inside.begin and self.inside.kind not in TEXTS:
            self.raw += text if self.raw or not self.calls else ""  # the end mark is missing, or its end
            yield from self._over(False)
        else:
            yield from self._written(text)
            yield from self._over(whole)

    def event(self, kind: Kind, value: Any) -> Event:
        """An event of the part."""
        self.number += not self.counted
        self.counted = True
        name = self.inside.begin if self.inside and self.inside.begin else self.name
        return Event(kind, value, self.number, name, self.row)

    def _enter(self, part: _Part | None) -> None:
        self.inside, self.counted, self.calls, self.between = part, False, 0, ""
        self.raw, self.value, self.shown = "", Partial(), NOTHING

    def _up_to_mark(self, marks: Sequence[str]) -> tuple[str, str | None]:
        """Take the text up to the first of these marks, and that; None: it is not there, nor is its beginning taken."""
        held = self.held
        ends = [(at + len(mark), at, mark) for mark in marks if (at := held.find(mark)) >= 0]
        end, at, mark = min(ends, default=(0, 0, None))
        if mark is None:
            begun = (n for mark in marks for n in range(1, len(mark)) if held.endswith(mark[:n]))
            end = at = len(held) - max(begun, default=0)
        self.held = held[end:]
        return held[:at], mark

    def _written(self, text: str) -> Iterator[Event]:
        """What is certain with this text of the part."""
        kind = self.inside.kind if self.inside else "text"
        if kind in TEXTS:
            if text:
                yield self.event(cast(Kind, kind), text)
        elif kind == "calls":
            for piece in _UP_TO_BRACES.findall(text):
                yield from self._of_calls(piece)
        else:
            self._take(text)
            if kind == "json" and self.value and (value := self.value.value) not in (NOTHING, self.shown):
                self.shown = value
                yield self.event("partial", value)

    def _take(self, text: str) -> None:
        self.raw += text
        try:
            self.value = self.value and self.value.feed(text)
        except ValueError:
            self.value = None

    def _of_calls(self, text: str) -> Iterator[Event]:
        """What is certain with this text of one call or a list of them, which goes as far as a brace at most."""
        if not self.raw:
            begun = text.lstrip(_BETWEEN_CALLS)
            self.between += "".join(text[: len(text) - len(begun)].split())
            text = begun
        if text:
            self._take(text)
        if not text or self.value is None or not isinstance(value := self.value.value, dict):
            return
        if self.shown is NOTHING and "name" in self.value.certain:
            self.shown = None
            yield self.event("name", value["name"])
        if self.shown is not NOTHING and value.get("arguments") != self.shown:
            self.shown = value["arguments"]
            yield self.event("arguments", self.shown)
        if self.value.complete:
            yield self._parsed("call")
            self.raw, self.value, self.shown, self.counted = "", Partial(), NOTHING, False
            self.calls += 1

    def _parsed(self, kind: Kind) -> Event:
        """The value of what was written, or that it is none."""
        assert self.inside is not None
        try:
            return self.event(kind, self.inside.parse(self.raw))
        except ValueError:
            return self.event("broken", self.raw)

    def _goes_on(self, part: _Part, mark: str) -> bool:
        """Whether an end mark is a piece of the value, and does not end it."""
        if part.kind == "other":
            return self._parsed("value").kind == "broken"
        if part.kind in TEXTS or self.value is None or not self.raw or self.value.complete:
            return False
        try:
            return bool(self.value.feed(mark))
        except ValueError:
            return False

    def _over(self, whole: bool) -> Iterator[Event]:
        """The end of the part."""
        kind = self.inside.kind if self.inside else "text"
        if kind == "calls":
            if self.raw or (not self.calls and self.between != "[]"):
                yield self.event("broken", self.raw)
        elif kind not in TEXTS:
            complete = whole and (kind == "other" or (self.value is not None and self.value.complete))
            yield self._parsed("value") if complete else self.event("broken", self.raw)
        self._enter(None)


class _Segment(NamedTuple):
    """A stretch of what a call has written in a row, in characters; piece: None for a text that the chain gives."""

    begin: int
    end: int
    piece: Piece | None


class _Reader:
    """Reads the states of a stream, or the text of one message. parts: those of text without a constraint."""

    def __init__(self, parts: tuple[_Part, ...]):
        self.parts = parts
        self.messages: list[list[_Message]] = []  # of each batch row
        self.state: Streamed | None = None
        self.decoder = getincrementaldecoder("utf-8")("replace")

    def read(self, chunk: Chunk | None) -> Iterator[Event]:
        """The events of what comes next; None: nothing does."""
        if isinstance(chunk, Streamed):
            self.state = chunk
        if self.state is not None and (chunk is None or isinstance(chunk, Streamed)):
            return self._of_state(self.state, chunk is None)
        if self.state is None and (chunk is None or isinstance(chunk, (str, bytes))):
            return self._of_text(chunk)
        raise TypeError(f"events() takes the states of a stream, or pieces of text (str, bytes), not {shown(chunk)}")

    def _of_text(self, chunk: str | bytes | None) -> Iterator[Event]:
        if not self.messages:
            self.messages = [[_Message()]]
            self.messages[0][0].begin(None, self.parts)
        [[message]] = self.messages
        yield from message.feed(chunk if isinstance(chunk, str) else self.decoder.decode(chunk or b"", chunk is None))
        if chunk is None:
            yield from message.close(True)
            yield message.event("end", None)

    def _of_state(self, state: Streamed, last: bool) -> Iterator[Event]:
        before, deltas = self.messages, state.delta if isinstance(state.delta, list) else [[state.delta]]
        self.messages = []
        for b, rows in enumerate(state.rows):
            self.messages.append([])
            live = [s for s, row in enumerate(rows) if not row.dead]
            segments = {s: _segments(rows[s], *state._written[b][s][:2], state.model.vocabulary) for s in live}
            agree = len({tuple(_borders(each)) for each in segments.values()}) == 1
            for s in live:
                data, sent, joint = state._written[b][s]
                text = data[: sent.size].decode("utf-8", "replace")
                message = _going_on(rows[s], text, before[b] if before else [])
                if not before:  # of a span that goes on, what stands before the cut was given out
                    deque(self._to(message, segments[s], text[: len(text) - len(deltas[b][s])], False), 0)
                message.row, message.lineage = (b, s), rows[s].lineage
                self.messages[b].append(message)
                over = last or (not joint and sent.size == len(data) and _has_ended(rows[s]))
                if (last or agree or not joint) and not message.ended:
                    yield from self._to(message, segments[s], text, over)
                    message.ended = over
                    if over:
                        yield message.event("end", _generated(rows[s])[-1].ended_by)

    def _to(self, message: _Message, segments: Sequence[_Segment], text: str, over: bool) -> Iterator[Event]:
        """Read the text of a row that is new. over: nothing comes after it."""
        for _, end, piece in segments[message.spans :]:
            constraint = piece.origin.constraint if piece else None
            if not message.in_span:
                message.begin(piece.name if piece else None, self._parts_of(constraint) if constraint else GIVEN)
            new = text[len(message.read) : end]
            message.read += new
            yield from message.feed(new)
            if len(text) < end or not (over or message.spans + 1 < len(segments)):
                return
            message.spans += 1
            yield from message.close(piece is None or constraint is None or constraint.is_value(piece.finished))

    def _parts_of(self, constraint: Constraint) -> tuple[_Part, ...]:
        if constraint.kind != "text":
            return _parts_of(constraint)
        marks = tuple(_Part("text", each) for each in constraint.stop_at if constraint.include_stop)
        return (*(each for each in self.parts if each.begin), *marks) or self.parts


@lru_cache(maxsize=64)
def _parts_of(constraint: Constraint) -> tuple[_Part, ...]:
    return _parts(constraint.kind, json.loads(constraint.spec)["argument"], constraint.parse, constraint.values)


def _going_on(row: Row, text: str, before: Sequence[_Message]) -> _Message:
    """What was read of a row, or of the one that it came from: of those that it goes on, the nearest of kin."""
    fitting = [message for message in before if text.startswith(message.read)]
    kin = [(common_length(each.lineage, row.lineage), -len(each.lineage)) for each in fitting]
    return copy(fitting[kin.index(max(kin))]) if kin else _Message()


def _generated(row: Row) -> list[Piece]:
    return [piece for piece in row.pieces if piece.kind == "generated"]


def _has_ended(row: Row) -> bool:
    """Whether a row that a single step writes has ended; of a chain nobody knows it before the stream is over."""
    return row.finished not in (None, "interrupted") and row.pieces[-1].origin.link is None


def _borders(segments: Sequence[_Segment]) -> Iterator[int]:
    """Where spans end before the last one begins."""
    return (each.end for each in segments[:-1])


def _segments(row: Row, data: bytes, sent: Sent, vocabulary: Vocabulary) -> list[_Segment]:
    """The stretches of what was written in a row. The row may lack the end of it, which is not scored yet."""
    segments, at, healed = list[_Segment](), -1, 0

    def add(size: int, piece: Piece | None) -> None:
        nonlocal at
        at = min(len(data), len(sent.prior) + size) if at < 0 else at
        begin, end = (len(utf_8_decode(data[: max(0, n)], "replace", n == len(data))[0]) for n in (at - size, at))
        segments.extend([_Segment(begin, end, piece)] * (at > 0))
        at = max(0, at - size)

    for start, end, piece in reversed(list(row.placed)):
        ids = row.ids[start:end]
        if piece.kind != "generated":
            add(len(vocabulary.decode(ids)) + healed, None)
            healed = 0
        else:
            if healed:  # all of the text between was taken back
                add(healed, None)
            add(len(piece.value(ids, vocabulary)), piece)
            healed = len(piece.origin.healed)
        if at <= 0:
            break
    return segments[::-1]
