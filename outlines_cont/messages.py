"""What messages say while they are written: thoughts, text and calls, each part as events, and nothing twice.

Nothing is remembered between two states of a stream: what the text of a row says, as far as it was final before, is
compared with what it says now. Spans tell the parts of a row; in text with triggers, marks do. Only what is final is
read (`partial.delta`), without what may be the beginning of a mark, so no event is taken back. Rows that are one search
are read as far as all of them agree, also on where their spans end.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder, utf_8_decode
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple, get_args, get_origin, overload

from outlines_cont.arguments import shown
from outlines_cont.decode.growing_row import Sent
from outlines_cont.decode.stream import Streamed
from outlines_cont.fsm.partial_json import NOTHING, Partial, loads
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.asked import asked_of
from outlines_cont.schemas.sources import schema_and_parser
from outlines_cont.schemas.tools import Tools
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece

Kind = Literal["text", "thought", "given", "name", "arguments", "call", "partial", "value", "broken", "end"]
Chunk = Streamed | str | bytes
Told = dict[Any, Any]  # by kinds of events, what a part says so far
Said = tuple[str | None, Told]  # a part, with its name
Segment = tuple[int, Piece | None]  # of what a call wrote in a row: where it ends; None: the chain gave that


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

    >>> next(oc.stepping.events(["Hi", "!"]))
    Event(kind='text', value='Hi', part=0, name=None, row=(0, 0))
    """

    kind: Kind
    value: Any
    part: int
    name: str | None = None
    row: tuple[int, int] = (0, 0)


@overload
def events(source: AsyncIterable[Chunk], output_type: Any = None) -> AsyncIterator[Event]: ...


@overload
def events(source: Iterable[Chunk], output_type: Any = None) -> Iterator[Event]: ...


def events(source: Any, output_type: Any = None) -> Any:
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
    reader = _MessageReader(_parts(kind, argument, parse, values))
    if hasattr(source, "__aiter__"):
        return _read_async(reader, source)
    return chain.from_iterable(map(reader.read, chain(source, [None])))


async def _read_async(reader: _MessageReader, source: AsyncIterable[Chunk]) -> AsyncIterator[Event]:
    async for chunk in source:
        for event in reader.read(chunk):
            yield event
    for event in reader.read(None):
        yield event


# --- what a text says


class _MessagePart(NamedTuple):
    """How a part is written. kind: that of a text, or "calls" (one, or a list), "json" or "other"; begin, end: its
    marks, if it has any; parse: of a value."""

    kind: str
    begin: str = ""
    end: str = ""
    parse: Callable[[str], Any] = str


GIVEN, TEXTS = (_MessagePart("given"),), ("text", "thought", "given")
_UP_TO_BRACES = re.compile(r"[^}]*\}|[^}]+")


def _parts(kind: str, argument: Any, parse: Callable[[str], Any], values: Any) -> tuple[_MessagePart, ...]:
    """What may come in a text of a constraint: the parts that triggers begin, or one that is all of it."""
    if kind != "triggered":
        return (_part("", argument[1] if kind == "thought" else "", kind, values, parse),)
    kinds = values or [(mark, part[0], None) for mark, _, part in argument[2]]
    parts = tuple(_part(mark, end, *each[1:], parse) for (mark, end, _), each in zip(argument[2], kinds, strict=True))
    for one, other in ((x.begin, y.begin) for x in parts for y in parts if x is not y):
        if one in other:
            raise ValueError(f"events(): the trigger {one!r} stands within {other!r}: either may be meant by it")
    return parts


def _part(begin: str, end: str, kind: str, values: Any, parse: Callable[[str], Any]) -> _MessagePart:
    tools = get_args(values)[0] if get_origin(values) is list else values
    if isinstance(tools, Tools):
        return _MessagePart("calls", begin, end, tools.parse)
    if kind == "json":  # after a mark it may be spelled as others spell it
        read = loads if values is None else schema_and_parser(values, "events()")[1]
        return _MessagePart("json", begin, end, read if begin else parse)
    if kind == "thought":
        return _MessagePart("thought", "", end)
    if kind == "text" or not begin:
        return _MessagePart("thought" if begin else "text", begin, end)
    return _MessagePart("other", begin, end, lambda raw: parse(begin + raw + end)[0][1])


def _read(
    text: str, name: str | None, parts: Sequence[_MessagePart], closed: bool, whole: bool = True
) -> Iterator[Said]:
    """The parts of a text. closed: nothing comes after it; whole: it ended as it should."""
    starts = [each.begin for each in parts]
    at, inside = 0, None if starts[0] else parts[0]
    while True:
        part = inside or _MessagePart("text")
        marks = [each for each in ([part.end] if inside else starts) if each]
        end, mark = min(_places(part, marks, text, at), default=(len(text), ""))
        border = end - _begun(marks, text[at:]) * (not mark)
        read = {"calls": _calls, "json": _value, "other": _value}.get(part.kind, _text)
        ended = bool(mark) or (whole and not part.end)
        for told in read(part, text[at:border], text[border:end], bool(mark) or closed, ended):
            yield part.begin or name, told
        if not mark:
            return
        at, inside = end + len(mark), None if inside else parts[starts.index(mark)]


def _begun(marks: Sequence[str], text: str) -> int:
    """How long the longest beginning of a mark is with which a text ends."""
    return max((n for each in marks for n in range(1, len(each)) if text.endswith(each[:n])), default=0)


def _places(part: _MessagePart, marks: Sequence[str], text: str, begin: int) -> Iterator[tuple[int, str]]:
    """Where marks stand that begin the next part, or end this one. In a value, that is no piece of it."""
    value: Partial | None = Partial()
    for mark in marks:
        at, goes_on = begin, True
        while goes_on and (place := text.find(mark, at)) >= 0:
            if part.kind == "other":
                goes_on = "broken" in _parsed(part, "value", text[begin:place])
            elif part.kind in TEXTS:
                goes_on = False
            else:
                value = _fed(value, text[at:place])
                goes_on = bool(value and not value.complete and _fed(value, mark))
                value = _fed(value, text[place])
            if not goes_on:
                yield place, mark
            at = place + 1


def _text(part: _MessagePart, raw: str, tail: str, over: bool, ended: bool) -> Iterator[Told]:
    """What is certain of a text. tail: what may be the beginning of its end mark; over: nothing more comes."""
    if raw or (tail and over):
        yield {part.kind: raw + tail * over}


def _value(part: _MessagePart, raw: str, tail: str, over: bool, ended: bool) -> Iterator[Told]:
    """What is certain of a value. ended: if it is over, it ended as it should."""
    value = _fed(Partial(), raw) if part.kind == "json" else None
    told: Told = {"partial": value.value} if value and value.value is not NOTHING else {}
    if over:
        complete = ended and (part.kind == "other" or bool(value and value.complete))
        told |= _parsed(part, "value", raw) if complete else {"broken": raw + tail}
    yield told


def _calls(part: _MessagePart, raw: str, tail: str, over: bool, ended: bool) -> Iterator[Told]:
    """What is certain of each of some calls. A call is whole with its last brace."""
    call, between, count = "", "", 0
    value: Partial | None = Partial()
    for text in _UP_TO_BRACES.findall(raw):
        begun = text if call else text.lstrip(" \t\n\r,[]")
        between += "".join(text[: len(text) - len(begun)].split())
        call, value = call + begun, _fed(value, begun)
        if value and value.complete and isinstance(value.value, dict):
            yield _call(value) | _parsed(part, "call", call)
            call, value, count = "", Partial(), count + 1
    if call or not (count or between == "[]"):
        yield _call(value) | ({"broken": call + tail} if over else {})


def _call(value: Partial | None) -> Told:
    """The name of a call and its arguments so far."""
    if value is None or not isinstance(value.value, dict) or "name" not in value.certain:
        return {}
    return {key: value.value[key] for key in ("name", "arguments") if key in value.value}


def _parsed(part: _MessagePart, kind: Kind, raw: str) -> Told:
    try:
        return {kind: part.parse(raw)}
    except ValueError:
        return {"broken": raw}


def _fed(value: Partial | None, text: str) -> Partial | None:
    """A value with more of its text; None: it is no JSON."""
    try:
        return value and value.feed(text)
    except ValueError:
        return None


# --- what is new of it


class _FinalText(NamedTuple):
    """What a call has written in a row, as far as it is final. joint: it is one search with others; over: it is known
    that nothing comes after it."""

    text: str
    segments: list[Segment]
    joint: bool
    over: bool

    @property
    def borders(self) -> tuple[Any, ...]:
        """What rows of one search have to agree on: the text, and where spans end in it."""
        return (self.text, *(end for end, _ in self.segments[:-1]))

    @classmethod
    def of(cls, state: Streamed, b: int, s: int) -> _FinalText:
        """In this row of a state."""
        (data, sent, joint), row = state._written[b][s], state.rows[b][s]
        ended = row.finished not in (None, "interrupted") and row.pieces[-1].origin.link is None
        over = ended and not joint and sent.size == len(data)
        text = data[: sent.size].decode("utf-8", "replace")
        return cls(text, _segments(row, data, sent, state.model.vocabulary), joint, over)


class _MessageReader:
    """Reads the states of a stream, or the text of one message.

    Attributes:
        parts: those of text without a constraint. last: the last state, or the text so far; told: what that says.
        read_of: of batch rows that are one search, how much was read. ended: the rows that have ended.
    """

    def __init__(self, parts: tuple[_MessagePart, ...]):
        self.parts = parts
        self.last: Streamed | str | None = None
        self.told: list[Said] = []
        self.read_of: dict[int, int] = {}
        self.ended: set[tuple[int, ...]] = set()
        self.decoder = getincrementaldecoder("utf-8")("replace")

    def read(self, chunk: Chunk | None) -> Iterator[Event]:
        """The events of what comes next; None: nothing does."""
        if isinstance(self.last, Streamed) and chunk is None:
            return self._of_state(self.last, True)
        if isinstance(chunk, Streamed) and not isinstance(self.last, str):
            self.last = chunk
            return self._of_state(chunk, False)
        if isinstance(chunk, (str, bytes, type(None))) and not isinstance(self.last, Streamed):
            return self._of_text(self.last or "", chunk)
        raise TypeError(f"events() takes the states of a stream, or pieces of text (str, bytes), not {shown(chunk)}")

    def _of_text(self, before: str, chunk: str | bytes | None) -> Iterator[Event]:
        over = chunk is None
        self.last = before + (chunk if isinstance(chunk, str) else self.decoder.decode(chunk or b"", over))
        told, self.told = self.told, [each for each in _read(self.last, None, self.parts, over) if each[1]]
        yield from _news(told, self.told, (0, 0))
        if over:
            yield Event("end", None, len(self.told))

    def _of_state(self, state: Streamed, last: bool) -> Iterator[Event]:
        deltas = state.delta if isinstance(state.delta, list) else [[state.delta]]
        for b, rows in enumerate(state.rows):
            written = {s: _FinalText.of(state, b, s) for s, row in enumerate(rows) if not row.dead}
            agree = len({each.borders for each in written.values()}) == 1
            for s, each in written.items():
                before = len(each.text) - len(deltas[b][s]) * (not last)
                before = self.read_of.setdefault(b, before) if each.joint else before
                if agree or last or not each.joint:
                    yield from self._of_row(each, before, last or each.over, rows[s], (b, s))
            if agree and b in self.read_of:
                self.read_of[b] = len(max(each.text for each in written.values()))

    def _of_row(self, now: _FinalText, before: int, over: bool, row: Row, place: tuple[int, int]) -> Iterator[Event]:
        if (key := (place[0], *row.lineage)) in self.ended:
            return
        told = self._told(now, len(now.text), over)
        yield from _news(self._told(now, before, False), told, place)
        if over:
            self.ended.add(key)
            ends = [piece.ended_by for piece in row.pieces if piece.kind == "generated"]
            yield Event("end", ends[-1], len(told), None, place)

    def _told(self, written: _FinalText, size: int, over: bool) -> list[Said]:
        """What the first characters say, so many. over: nothing comes after them."""
        told, begin, text = list[Said](), 0, written.text[:size]
        for end, piece in written.segments:
            if begin > size - (not over):
                break
            constraint = piece.origin.constraint if piece else None
            parts = self._parts_of(constraint) if constraint else GIVEN
            whole = piece is None or constraint is None or constraint.is_value(piece.finished)
            told += _read(text[begin:end], piece and piece.name, parts, over or size > end, whole)
            begin = end
        return [each for each in told if each[1]]

    def _parts_of(self, constraint: Constraint) -> tuple[_MessagePart, ...]:
        if constraint.kind != "text":
            return _parts_of(constraint)
        marks = (_MessagePart("text", mark) for mark in constraint.stop_at if constraint.include_stop)
        return (*(part for part in self.parts if part.begin), *marks) or self.parts


@lru_cache(maxsize=64)
def _parts_of(constraint: Constraint) -> tuple[_MessagePart, ...]:
    return _parts(constraint.kind, json.loads(constraint.spec)["argument"], constraint.parse, constraint.values)


def _news(before: Sequence[Said], now: Sequence[Said], row: tuple[int, int]) -> Iterator[Event]:
    """What parts say now and did not say before."""
    for number, (name, told) in enumerate(now):
        old = before[number][1] if number < len(before) else {}
        for kind, value in told.items():
            if kind in TEXTS and (new := value[len(old.get(kind, "")) :]):
                yield Event(kind, new, number, name, row)
            elif kind not in old or (kind in ("arguments", "partial") and value != old[kind]):
                yield Event(kind, value, number, name, row)


def _segments(row: Row, data: bytes, sent: Sent, vocabulary: Vocabulary) -> list[Segment]:
    """The spans of what was written in a row, which may lack the end of it, as long as that is not scored."""
    sizes = list[tuple[int, Piece | None]]()
    end, healed = -1, 0
    for begin, stop, piece in reversed(list(row.placed)):
        ids = row.ids[begin:stop]
        if piece.kind == "generated":
            sizes += [(healed, None)] * (healed > 0)  # all of the text between was taken back
            sizes.append((len(piece.value(ids, vocabulary)), piece))
        else:
            sizes.append((len(vocabulary.decode(ids)) + healed, None))
        healed = len(piece.origin.healed)
        end = min(len(data), len(sent.prior) + sizes[0][0]) if end < 0 else end
        if sum(size for size, _ in sizes) >= end:
            break
    segments = list[Segment]()
    for size, piece in sizes:
        at = len(utf_8_decode(data[:end], "replace", end == len(data))[0])
        segments += [(at, piece)] * (end > 0)
        end -= size
    return segments[::-1]
