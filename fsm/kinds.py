"""The kinds of constraints by their names: what the argument of each is, as JSON, and what makes a guide of it.

A new kind is one more entry of `KINDS`. Files of states name kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import guide as guides
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


KINDS = {
    "text": ConstraintKind((type(None),), _text),
    "control": ConstraintKind((type(None),), _text),  # the controller says what constrains the span
    "choice": ConstraintKind((list,), guides.choice),  # the options
    "regex": ConstraintKind((str,), guides.regex),  # the pattern
    "cfg": ConstraintKind((str,), _grammar),  # the grammar
    "fsm": ConstraintKind((list,), guides.fsm),  # an automaton over characters: `fsm/patterns/character_machines.py`
    "quote": ConstraintKind((list,), lambda given, v: guides.quote(given[0], v, given[1:])),  # document, least, most
    "json": ConstraintKind((dict, bool), guides.json_schema),  # the schema
    "format": ConstraintKind((str,), guides.regex),  # the pattern of a type
    "guide": ConstraintKind((str,), _text),  # the name of the user's own, which no file holds
}
