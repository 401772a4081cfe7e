"""How values of Python types are written, and read back: what `generate.format` generates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import TypeAdapter

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.json_schema import formats
from outlines_cont.generate.pydantic_schemas import faithful_schema

#: The patterns of numbers, by how they are spelled.
NUMBERS = {
    "python": {int: formats.PYTHON_INTEGER, float: formats.PYTHON_NUMBER},
    "json": {int: formats.INTEGER, float: formats.NUMBER},
}
SCALARS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    bool: ("True|False", lambda text: text == "True"),
    date: (formats.DATE, date.fromisoformat),
    time: (formats.TIME, time.fromisoformat),
    datetime: (formats.DATE_TIME, datetime.fromisoformat),
    NoneType: ("None", lambda text: None),
}


def spelling(python_type: Any, numbers: str) -> tuple[str | dict[str, Any], Callable[[str], Any]]:
    """A pattern, or a JSON Schema for a type with containers in it, and what reads the text back.

    numbers: how patterns spell them, "python" or "json". TypeError, with the part that is not supported, for other
    types.
    """
    if numbers not in NUMBERS:
        raise ValueError(f"numbers={numbers!r}: it is {' or '.join(map(repr, NUMBERS))}")
    if _has_container(python_type):
        try:
            adapter = TypeAdapter(python_type)
            return faithful_schema(adapter), adapter.validate_json
        except ConstraintError:
            raise
        except Exception as error:
            raise TypeError(f"format() cannot write {python_type!r} as JSON: {error}") from error
    alternatives = _alternatives(python_type, numbers)
    if not alternatives:
        raise TypeError(f"format(): {python_type!r} has no values")

    every = _alternatives(python_type, "json")  # a text that was resumed may have any spelling

    def read(text: str) -> Any:
        return next(value(text) for pattern, value in every if re.fullmatch(pattern, text))

    return "|".join(f"(?:{pattern})" for pattern, _ in alternatives), read


def _alternatives(python_type: Any, numbers: str) -> list[tuple[str, Callable[[str], Any]]]:
    if python_type is None:
        python_type = NoneType
    if isinstance(python_type, type) and python_type in NUMBERS[numbers]:
        return [(NUMBERS[numbers][python_type], python_type)]
    if isinstance(python_type, type) and python_type in SCALARS:
        return [SCALARS[python_type]]
    origin, arguments = get_origin(python_type), get_args(python_type)
    if origin is Literal:
        return [_constant(_written(value), value) for value in arguments]
    if isinstance(python_type, type) and issubclass(python_type, Enum):
        return [_constant(_written(member.value), member) for member in python_type]
    if origin in (Union, UnionType):
        return [alternative for argument in arguments for alternative in _alternatives(argument, numbers)]
    hint = "; for free text use generate.text or generate.regex" if python_type is str else ""
    raise TypeError(
        f"format() does not write {shown(python_type)}: it takes int, float, bool, date, time, datetime, a Literal, "
        f"Enum, and Optional, Union, list, dict and tuple of those{hint}"
    )


def _constant(text: str, value: Any) -> tuple[str, Callable[[str], Any]]:
    return re.escape(text), lambda _: value


def _written(value: Any) -> str:
    """As Python prints it."""
    return value.decode() if isinstance(value, bytes) else str(value.value if isinstance(value, Enum) else value)


def _has_container(python_type: Any) -> bool:
    origin = get_origin(python_type)
    containers = (list, dict, tuple, set)
    if origin is Annotated or origin in containers or (isinstance(python_type, type) and python_type in containers):
        return True
    return origin in (Union, UnionType) and any(map(_has_container, get_args(python_type)))
