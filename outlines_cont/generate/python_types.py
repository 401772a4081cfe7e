"""How values of Python's scalar types are written, without quotes, and read back; and the options of a choice.

Types with containers in them are written as JSON (`python_schemas.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin
from uuid import UUID

from pydantic import TypeAdapter

from outlines_cont.arguments import plain, shown
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.json_schema import formats
from outlines_cont.generate import text_patterns
from outlines_cont.state.tools import is_function

NUMBERS = ("python", "json")  # how numbers are spelled


class Scalar(NamedTuple):
    """How the values of a type are written.

    Attributes:
        pattern: of their texts.
        parse: what reads such a text.
        wider: of the texts that are read, if these are more than are written.
        number: whether `wider` is the spelling that `numbers="json"` asks for.
    """

    pattern: str
    parse: Callable[[str], Any]
    wider: str | None = None
    number: bool = False

    @property
    def readable(self) -> str:
        """The pattern of the texts that are read."""
        return self.wider or self.pattern


_duration = TypeAdapter(timedelta)
SCALARS: dict[Any, Scalar] = {
    int: Scalar(formats.PYTHON_INTEGER, int, formats.INTEGER, number=True),
    float: Scalar(formats.PYTHON_NUMBER, float, formats.NUMBER, number=True),
    Decimal: Scalar(text_patterns.DECIMAL, Decimal, formats.NUMBER, number=True),
    bool: Scalar("True|False", lambda text: text == "True"),
    NoneType: Scalar("None", lambda text: None),
    date: Scalar(formats.DATE, date.fromisoformat),
    time: Scalar(formats.TIME, time.fromisoformat),
    datetime: Scalar(formats.DATE_TIME, datetime.fromisoformat, f"{formats.DATE}[T ]{formats.TIME}"),
    timedelta: Scalar(text_patterns.DURATION, _duration.validate_python),
    UUID: Scalar(formats.UUID, UUID),
}


class Spelling(NamedTuple):
    """How the values of a type are written: a pattern, a wider one that is read, or None; and what reads the text."""

    pattern: str
    wider: str | None
    parse: Callable[[str], Any]


def spelling(python_type: Any, numbers: str) -> Spelling | None:
    """How the values of a scalar type, or of a union of such, are written. None for all other types.

    numbers: how numbers are written, "python" or "json".

    Raises:
        ValueError: another `numbers`.
        TypeError: a constant that is not written.
    """
    if numbers not in NUMBERS:
        raise ValueError(f"numbers={numbers!r}: it is {' or '.join(map(repr, NUMBERS))}")
    scalars = _scalars(python_type)
    if scalars is None:
        return None

    def read(text: str) -> Any:  # a text that was resumed may have any spelling that is read
        return next(scalar.parse(text) for scalar in scalars if re.fullmatch(scalar.readable, text))

    pattern = _either(s.readable if s.number and numbers == "json" else s.pattern for s in scalars)
    wider = _either(s.readable for s in scalars)
    return Spelling(pattern, None if wider == pattern else wider, read)


def _either(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _scalars(python_type: Any) -> list[Scalar] | None:
    """A type as alternatives; None if it is no scalar."""
    if python_type is None:
        python_type = NoneType
    if isinstance(python_type, type) and python_type in SCALARS:
        return [SCALARS[python_type]]
    if is_listed(python_type):
        return [_constant(text, value) for text, value in options_of(python_type, "a type").items()]
    if get_origin(python_type) not in (Union, UnionType):
        return None
    members = [_scalars(unwrapped(member)) for member in get_args(python_type)]
    if any(member is None for member in members):
        return None
    return [scalar for member in members if member is not None for scalar in member]


def _constant(text: str, value: Any) -> Scalar:
    return Scalar(re.escape(text), lambda _: value)


def unwrapped(python_type: Any) -> Any:
    """A type without the names that `NewType` and `type X = …` give it.

    >>> from typing import NewType
    >>> from outlines_cont.generate.python_types import unwrapped
    >>> unwrapped(NewType("Age", int))
    <class 'int'>
    """
    seen: list[Any] = []
    while not any(python_type is each for each in seen):  # `type X = X` stands for nothing
        seen.append(python_type)
        if hasattr(python_type, "__supertype__"):
            python_type = python_type.__supertype__
        elif type(python_type).__name__ == "TypeAliasType" and not _names_itself(python_type):
            python_type = python_type.__value__
    return python_type


def _names_itself(alias: Any) -> bool:
    """Whether a type alias may speak of itself, as `JsonValue` does: pydantic reads that by the name."""
    value = alias.__value__
    return isinstance(value, str) or f"ForwardRef({alias.__name__!r}" in repr(value) or alias in get_args(value)


# ------------------------------------------------------------------------------------------------ options of a choice

_PRINTED = (str, bytes, bool, int, float, NoneType)


def is_listed(python_type: Any) -> bool:
    """Whether it is a type that lists its values: a `Literal` or an `Enum`."""
    return get_origin(python_type) is Literal or (isinstance(python_type, type) and issubclass(python_type, Enum))


def options_of(source: Any, called: str) -> dict[str, Any]:
    """The options of a `Literal`, an `Enum` or a list of values, by their texts, in order.

    Texts are as Python prints them (`True`, `None`, `0.5`). called: who is given them, for errors.

    Raises:
        TypeError: it is none of these; or an option is of another type.
        ValueError: two options have one text.
        ConstraintError: there are none.

    >>> from outlines_cont.generate.python_types import options_of
    >>> options_of([1, None, "red"], "choice()")
    {'1': 1, 'None': None, 'red': 'red'}
    """
    source = plain(unwrapped(source))
    if get_origin(source) is Literal:
        values: list[Any] = list(get_args(source))
    elif (isinstance(source, type) and issubclass(source, Enum)) or (
        isinstance(source, Iterable) and not isinstance(source, (str, bytes, dict, set, frozenset, type))
    ):
        values = list(source)
    else:
        order = " (a set has no order: sorted(…) gives it one)" if isinstance(source, (set, frozenset)) else ""
        raise TypeError(f"{called} takes a list of options, a Literal or an Enum, not {shown(source)}{order}")
    if not values:
        raise ConstraintError(f"{called}: {shown(source)} lists no options")
    options: dict[str, Any] = {}
    for value in values:
        text = _printed(value, called)
        if text in options:
            if options[text] is value or _same(options[text], value):
                raise ValueError(f"{called}: the option {shown(value)} is given twice in a choice of {len(values)}")
            raise ValueError(
                f"{called}: the options {shown(options[text])} and {shown(value)} are both written {text!r}, and could "
                "not be told apart"
            )
        options[text] = value
    return options


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _printed(option: Any, called: str) -> str:
    """As Python prints it."""
    value = option.value if isinstance(option, Enum) else option
    if is_function(value):
        raise TypeError(
            f"{called}: an option is a text or a value, not the function {shown(value)}; for a call of one of several "
            "functions, oc.tools([f, g])"
        )
    if not isinstance(option, (*_PRINTED, Enum)):
        raise TypeError(
            f"{called}: an option is a str, int, float, bool, None or a member of an Enum, not {shown(value)} "
            f"({type(value).__name__}); give its text, a str"
        )
    try:
        return value.decode() if isinstance(value, bytes) else str(value)
    except Exception as error:  # bytes that are no text, an int of very many digits, a value of an Enum of their own
        raise ValueError(f"{called}: the option {shown(option)} cannot be written as text: {error}") from error
