"""What `json` takes, as a JSON Schema and a parser: pydantic classes, schemas, functions, tools, annotated types."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from pydantic import BaseModel, PydanticSchemaGenerationError, PydanticUserError, TypeAdapter

from outlines_cont.arguments import refuse_media, shown
from outlines_cont.fsm.json_schema.compiler import read_document
from outlines_cont.fsm.partial_json import loads
from outlines_cont.schemas.pydantic_schemas import faithful_schema
from outlines_cont.schemas.python_types import is_function, unwrapped
from outlines_cont.schemas.tools import Arguments, Tools

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
    if isinstance(source, Tools):
        return faithful_schema(source.adapter), source.parse
    if is_function(source):
        arguments = Arguments.of(source)
        return faithful_schema(arguments.model), arguments.parse
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
    except ImportError as error:  # of what some types need beside pydantic
        raise TypeError(f"{called}: for {_described(source)}, pydantic lacks a package: {error}") from error
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
