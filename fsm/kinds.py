"""The kinds of constraints by their names: what the argument of each is, as JSON, and what makes a guide of it; and
how a text with triggers is read.

A new kind is one more entry of `KINDS`. Files of states name kinds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from outlines_cont.arguments import shown

from . import guide as guides
from .partial_json import loads
from .protocol import FullGuide
from .vocabulary import Vocabulary


class ConstraintKind(NamedTuple):
    """What the argument of a kind of constraints is, as JSON; and what makes the guide, of the argument and the
    vocabulary. The options of a schema, or of a grammar, are passed on, too."""

    argument: tuple[type, ...]
    guide: Callable[..., FullGuide]


def _text(_: Any, vocabulary: Vocabulary) -> FullGuide:
    return guides.text(vocabulary)


def _grammar(grammar: str, vocabulary: Vocabulary, parts: dict[str, Any], **options: str) -> FullGuide:
    given: Any = {name: part_guide(part, vocabulary) for name, part in parts.items()}
    return guides.grammar(grammar, vocabulary, parts=given, **options)


def part_guide(part: list[Any], vocabulary: Vocabulary) -> FullGuide:
    """The guide of a part of a constraint: its kind, its argument and its options."""
    kind, argument, options = part
    return KINDS[kind].guide(argument, vocabulary, **options)


def _triggered(given: list[Any], vocabulary: Vocabulary) -> FullGuide:
    at_least, at_most, triggers = given
    guides_of: Any = {mark: (part_guide(part, vocabulary), end) for mark, end, part in triggers}
    return guides.triggered(guides_of, vocabulary, at_least, at_most)


KINDS = {
    "text": ConstraintKind((type(None),), _text),
    "control": ConstraintKind((type(None),), _text),  # the controller says what constrains the span
    "choice": ConstraintKind((list,), guides.choice),  # the options
    "regex": ConstraintKind((str,), guides.regex),  # the pattern
    "cfg": ConstraintKind((str,), _grammar),  # the grammar
    "fsm": ConstraintKind((list,), guides.fsm),  # an automaton over characters: `fsm/patterns/character_machines.py`
    "quote": ConstraintKind((list,), lambda given, v: guides.quote(given[0], v, given[1:])),  # document, least, most
    "triggered": ConstraintKind((list,), _triggered),  # how many, and of each trigger the mark, the end and the part
    "thought": ConstraintKind((list,), lambda given, v: guides.thought(given[0], v, given[1])),  # budget, mark
    "json": ConstraintKind((dict, bool), guides.json_schema),  # the schema
    "format": ConstraintKind((str,), guides.regex),  # the pattern of a type
    "ways": ConstraintKind((list,), lambda _, v: guides.choice([""], v)),  # how each way of a chain begins
    "guide": ConstraintKind((str,), _text),  # the name of the user's own, which no file holds
}


# --- what is read of a text, by the kind and the argument alone


def plain_values(kind: str, argument: Any) -> Callable[[str], Any]:
    """What reads values that are plain: a str, or what JSON says. ValueError for what is no argument of a thought."""
    if kind != "thought":
        return loads if isinstance(argument, dict | bool) else str
    if not isinstance(argument, list) or [type(each) for each in argument] != [int, str]:
        raise ValueError(f"{shown(argument)} is no budget with a mark")
    return lambda text: text.removesuffix(argument[1])


def end_of_value(kind: str, spec: str, tokens: int) -> tuple[Any, str | None]:
    """What ends a value of so many tokens: a thought's mark, or its budget. The mark is the second."""
    if kind != "thought":
        return "value", None
    budget, mark = json.loads(spec)["argument"]
    return "budget" if tokens > budget else "mark", mark


# --- the parts of a text with triggers, read back


class Section(NamedTuple):
    """A trigger of a text that is read: its mark; the guide of its values, over `BYTES`; and what ends them."""

    mark: bytes
    guide: Any
    end: bytes


#: Token b is the byte b.
BYTES = Vocabulary([*(bytes([byte]) for byte in range(256)), b"<eos>"], eos=[256])


ReadParts = list[tuple[int | None, bytes]]  # the number of a trigger, or None for text; the value, or the text


def sections(data: bytes, triggers: Sequence[Section]) -> ReadParts:
    """The parts of a text of `guide.triggered`.

    Of several ways to read it, that whose longest mark counts, and in which the first value is the shortest. Parts of
    text are left out where they are empty.

    ValueError: it is no such text.

    >>> trigger = Section(b"<n>", guides.regex("[0-9]+", BYTES), b"</n>")
    >>> sections(b"a <n>12</n><n", [trigger])
    [(None, b'a '), (0, b'12'), (None, b'<n')]
    """
    ways: list[tuple[ReadParts, Iterator[tuple[ReadParts, int]]]] = []
    read, at, failed = ReadParts(), 0, set[int]()
    while (onward := _next_sections(data, at, triggers)) is not None:
        ways.append((read, onward))
        while ways:
            read, onward = ways[-1]
            step = next((step for step in onward if step[1] not in failed), None)
            if step is not None:
                read, at = read + step[0], step[1]
                failed.add(at)
                break
            ways.pop()
        if not ways:
            raise ValueError(f"{data.decode('utf-8', 'replace')!r} is no text with whole values of its triggers")
    return read + ([(None, data[at:])] if at < len(data) else [])


def _next_sections(data: bytes, at: int, triggers: Sequence[Section]) -> Iterator[tuple[ReadParts, int]] | None:
    """The ways to read the text before the next trigger, and its value, each with the place behind. None: there is no
    trigger."""
    ends = [place + len(one.mark) for one in triggers if (place := data.find(one.mark, at)) >= 0]
    if not ends:
        return None
    first = min(ends)
    begins = {first - len(one.mark) for one in triggers if data.endswith(one.mark, at, first)}
    places = [(begin, n) for begin in begins for n, one in enumerate(triggers) if data.startswith(one.mark, begin)]
    places = [(begin, n) for begin, n in places if begin + len(triggers[n].mark) >= first]
    places.sort(key=lambda place: -len(triggers[place[1]].mark))
    return (
        (_parts(data[at:begin], n, value), behind)
        for begin, n in places
        for value, behind in _values(data, begin + len(triggers[n].mark), triggers[n])
    )


def _parts(text: bytes, number: int, value: bytes) -> ReadParts:
    return [(None, text), (number, value)] if text else [(number, value)]


def _values(data: bytes, begin: int, trigger: Section) -> Iterator[tuple[bytes, int]]:
    """The values that may begin at a place, the shortest first, each with the place behind its end."""
    guide, state = trigger.guide, trigger.guide.initial
    for at in range(begin, len(data)):
        if data.startswith(trigger.end, at) and guide.accepting(state):
            yield data[begin:at], at + len(trigger.end)
            if guide._any_text:
                return
        if (state := guide.advance(state, data[at])) is None:
            return
