"""What `json` takes, as a JSON Schema and a parser: pydantic classes, schemas, functions, annotated types."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, get_type_hints

from pydantic import (
    BaseModel,
    Field,
    PydanticSchemaGenerationError,
    PydanticUserError,
    TypeAdapter,
    create_model,
)

from outlines_cont.arguments import refuse_media, shown
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.json_schema.document import read_document
from outlines_cont.fsm.json_schema.partial import loads
from outlines_cont.generate.pydantic_schemas import faithful_schema
from outlines_cont.generate.python_types import unwrapped

Parsed = tuple[dict[str, Any] | bool, Callable[[str], Any]]


def schema_and_parser(source: Any, called: str = "json()") -> Parsed:
    """A JSON Schema and what turns a text into a value. called: who was given the source, for errors.

    Raises:
        TypeError: it is neither a schema, nor a type that pydantic reads, nor a function whose arguments have types.
        ConstraintError: something in it is nothing that JSON carries, or that a schema can say.
    """
    source = unwrapped(source)
    if isinstance(source, type) and issubclass(source, BaseModel):
        return faithful_schema(source), source.model_validate_json
    if isinstance(source, str):
        return read_document(source)[1], loads
    if isinstance(source, (dict, bool)):
        return source, loads
    if isinstance(source, TypeAdapter):
        return faithful_schema(source), source.validate_json
    if is_function(source):
        return _call_of(source)
    adapter = _adapter(source, called)  # dataclasses, TypedDicts, annotated types
    return faithful_schema(adapter), adapter.validate_json


def _adapter(source: Any, called: str) -> TypeAdapter[Any]:
    refuse_media(source)
    try:
        return TypeAdapter(source)
    except PydanticUserError as error:
        if error.code == "typed-dict-version":
            raise TypeError(
                f"{called}: before Python 3.12 pydantic does not read typing.TypedDict, which is in {shown(source)}: "
                "write `from typing_extensions import TypedDict`"
            ) from error
        if isinstance(error, PydanticSchemaGenerationError) and f"schema for {source!r}." in str(error):
            raise TypeError(f"{called} does not read {_described(source)}{_hint(source)}") from error
        raise TypeError(f"{called}: pydantic does not read {_described(source)}: {_first_sentence(error)}") from error
    except Exception as error:
        raise TypeError(f"{called} does not read {_described(source)}{_hint(source)}") from error


def _first_sentence(error: Exception) -> str:
    return str(error).partition("\n")[0].partition(". ")[0]


def _described(source: Any) -> str:
    if isinstance(source, ModuleType):
        return f"the module {source.__name__}"
    if isinstance(source, type):
        return f"the class {source.__name__}"
    return shown(source)


_READ = (
    "a type, a pydantic class, dataclass or TypedDict, a JSON Schema (a dict) or a function with annotated arguments"
)


def _hint(source: Any) -> str:
    """What to write in place of something that is no type that is read."""
    if isinstance(source, type):
        return ", which pydantic does not know: make it a dataclass, a TypedDict or a pydantic class"
    if isinstance(source, (BaseModel, *_SIMPLE)) or hasattr(source, "__dataclass_fields__"):
        return f": it is a value; give its type, {type(source).__name__}, or a list of options, [{shown(source)}]"
    return f": it takes {_READ}"


_SIMPLE = (int, float, complex, bytes)


# ---------------------------------------------------------------------------------------------------------- functions


def is_function(source: Any) -> bool:
    """Whether it is a function, a method or a `functools.partial`, whose arguments can be generated."""
    return isinstance(source, functools.partial) or inspect.isroutine(source)


def _call_of(function: Callable[..., Any]) -> Parsed:
    """The arguments of a function: values are dicts of them."""
    arguments, names = _arguments(function)

    def parse(text: str) -> dict[str, Any]:
        model = arguments.model_validate_json(text)
        return {name: getattr(model, field) for name, field in names.items()}

    return faithful_schema(arguments), parse


def _arguments(function: Callable[..., Any]) -> tuple[type[BaseModel], dict[str, str]]:
    """A model of a function's arguments, and the field of each argument."""
    written = function.func if isinstance(function, functools.partial) else function
    called = getattr(written, "__name__", type(written).__name__)
    parameters, hints = _signature(function, written, called)
    fields: dict[str, Any] = {}
    names: dict[str, str] = {}
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{called}() takes *{name}: a schema needs arguments with names")
        if parameter.annotation is parameter.empty:
            raise TypeError(f"{called}(): the argument {name!r} has no annotation")
        default = ... if parameter.default is parameter.empty else parameter.default
        taken = name.startswith(("_", "model_")) or hasattr(BaseModel, name)  # pydantic's own names
        names[name] = f"argument_{len(names)}" if taken else name
        fields[names[name]] = (hints[name], Field(default, alias=name, title=name) if taken else default)
    try:
        return create_model(called.strip("<>"), **fields), names
    except ConstraintError:
        raise
    except Exception as error:
        raise TypeError(f"{called}(): pydantic does not read its arguments: {_first_sentence(error)}") from error


def _signature(function: Any, written: Any, called: str) -> tuple[dict[str, inspect.Parameter], dict[str, Any]]:
    """The parameters of a function, and their types."""
    try:
        parameters = dict(inspect.signature(function).parameters)
        hints = get_type_hints(written, include_extras=True)
    except (NameError, TypeError, ValueError, AttributeError) as error:
        raise TypeError(f"{called}(): its signature cannot be read: {_first_sentence(error)}") from error
    return parameters, hints
