"""Terms of Outlines, as its users write them: `outlines.types.Regex`, `JsonSchema`, `CFG`, `Choice`, and its DSL.

They are known by the names of their classes. Outlines is not imported, and need not be installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from types import NoneType
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError
from outlines_cont.schemas import python_types

PACKAGE = "outlines"
#: Values that a choice gives back as they are; what is written of them is what Python prints.
_PLAIN = (str, bool, int, float, NoneType, Enum)


def is_term(given: Any) -> bool:
    """Whether something is a term of Outlines.

    >>> from outlines_cont.schemas.outlines_terms import is_term
    >>> is_term("[0-9]+")
    False
    """
    return any(cls.__name__ == "Term" and _is_of_outlines(cls) for cls in type(given).__mro__)


def is_schema_builder(given: Any) -> bool:
    """Whether something is a `genson.SchemaBuilder`, which Outlines takes for a schema."""
    return any(
        cls.__name__ == "SchemaBuilder" and cls.__module__.partition(".")[0] == "genson" for cls in type(given).__mro__
    )


def _is_of_outlines(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == PACKAGE


def kind_of(term: Any) -> str:
    """The name of a term's class, without those that users derive from it."""
    names = (cls.__name__ for cls in type(term).__mro__ if cls.__name__ != "Term" and _is_of_outlines(cls))
    return next(names, type(term).__name__)


def is_choice_of_values(given: Any) -> bool:
    """Whether something is a `Choice` that lists values, and no terms or types."""
    return is_term(given) and kind_of(given) == "Choice" and all(isinstance(item, _PLAIN) for item in given.items)


def term_behind(function: Any) -> Any:
    """The term whose `validate` a function is that pydantic calls for a field of this type; None: it is none."""
    if getattr(function, "__module__", None) is None or function.__module__.partition(".")[0] != PACKAGE:
        return None
    cells = getattr(function, "__closure__", None) or ()
    return next((cell.cell_contents for cell in cells if is_term(cell.cell_contents)), None)


def schema_and_options(source: Any, called: str, options: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """What `json` is given, with the schema in place of a `JsonSchema` or a `SchemaBuilder`, and its whitespace.

    ValueError if the term says what whitespace there is, and the call says otherwise.
    """
    if is_schema_builder(source):
        return source.to_schema(), options
    if not is_term(source) or kind_of(source) != "JsonSchema":
        return source, options
    pattern = source.whitespace_pattern
    if pattern is None:
        return source.schema, options
    if options.get("whitespace", "compact") not in ("compact", pattern):
        raise ValueError(
            f"{called}: whitespace={options['whitespace']!r}, and the JsonSchema says {pattern!r}: say it at one place"
        )
    return source.schema, {**options, "whitespace": pattern}


def pattern_of(term: Any, called: str) -> str:
    """The pattern of a term that is regular. called: who was given it, for errors.

    Raises:
        TypeError: a part of the term is no term, no text, no value and no scalar type.
        ConstraintError: the term, or a part of it, is a grammar or a schema; or it is nested too deeply.
    """
    try:
        return _pattern(term, called)
    except RecursionError:
        raise ConstraintError(f"{called}: the Outlines term {type(term).__name__} is nested too deeply") from None


def _pattern(term: Any, called: str) -> str:
    if isinstance(term, str):  # Choice(["a", "b"])
        return re.escape(term)
    if not is_term(term):
        return _pattern_of_type(term, called)
    kind = kind_of(term)
    if kind in NO_PATTERNS:
        raise ConstraintError(f"{called}: {NO_PATTERNS[kind]}, within a pattern of Outlines' terms: {_HOW_TO_COMBINE}")
    read = _PATTERNS.get(kind)
    if read is None:
        raise TypeError(f"{called}: the Outlines term {kind} is not known here; known are {', '.join(_PATTERNS)}")
    return read(term, lambda part: f"(?:{_pattern(part, called)})")


def _pattern_of_type(item: Any, called: str) -> str:
    """The pattern of a value, or of a scalar type, that stands in a `Choice` or beside terms."""
    if isinstance(item, (bool, int, float)):
        return re.escape(str(item))
    spelling = None if item is None else python_types.spelling(item, "plain")
    if spelling is None:
        raise TypeError(
            f"{called}: {shown(item)} ({type(item).__name__}) is no part of a pattern of Outlines' terms; these are "
            "terms, texts, numbers, and types such as int and date"
        )
    return spelling.pattern


#: Terms that are no patterns.
NO_PATTERNS = {"JsonSchema": "a JSON schema (JsonSchema)", "CFG": "a grammar (CFG)"}
_HOW_TO_COMBINE = "make steps of both and write a >> b, or guides (outlines_cont.fsm.guide) and write g + h, g | h"

Part = Callable[[Any], str]  # of a part of a term, its pattern as a group


def _flat(term: Any) -> Iterator[Any]:
    """The parts of a sequence, or of alternatives: `a + b + c + …` is a sequence in a sequence in a sequence."""
    kind, todo = kind_of(term), [term]
    while todo:
        each = todo.pop()
        if is_term(each) and kind_of(each) == kind:
            todo += reversed(each.terms)
        else:
            yield each


def _times(low: Any, high: Any, term: Any, part: Part) -> str:
    return f"{part(term.term)}{{{low},{high}}}"


#: The patterns of terms, by the names of their classes.
_PATTERNS: dict[str, Callable[[Any, Part], str]] = {
    "String": lambda term, part: re.escape(term.value),
    "Regex": lambda term, part: term.pattern,
    "Choice": lambda term, part: "|".join(map(part, term.items)),
    "Alternatives": lambda term, part: "|".join(map(part, _flat(term))),
    "Sequence": lambda term, part: "".join(map(part, _flat(term))),
    "Optional": lambda term, part: f"{part(term.term)}?",
    "KleeneStar": lambda term, part: f"{part(term.term)}*",
    "KleenePlus": lambda term, part: f"{part(term.term)}+",
    "QuantifyExact": lambda term, part: _times(term.count, term.count, term, part),
    "QuantifyMinimum": lambda term, part: _times(term.min_count, "", term, part),
    "QuantifyMaximum": lambda term, part: _times(0, term.max_count, term, part),
    "QuantifyBetween": lambda term, part: _times(term.min_count, term.max_count, term, part),
}


def is_outlines_generator(given: Any) -> bool:
    """Whether something is what `outlines.Generator(…)` gives."""
    cls = type(given)
    return cls.__module__.partition(".")[0] == PACKAGE and cls.__name__.endswith("Generator")
