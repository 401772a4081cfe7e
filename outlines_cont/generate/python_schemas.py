"""What `json` takes, as a JSON Schema and a parser: pydantic classes, schemas, functions, annotated types."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, TypeAdapter, create_model

from outlines_cont.arguments import shown
from outlines_cont.fsm.json_schema.document import read_document
from outlines_cont.fsm.json_schema.partial import loads
from outlines_cont.generate.pydantic_schemas import faithful_schema


def schema_and_parser(schema: Any) -> tuple[dict[str, Any] | bool, Callable[[str], Any]]:
    """A JSON Schema and what turns a text into a value."""
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return faithful_schema(schema), schema.model_validate_json
    if isinstance(schema, str):
        _, schema = read_document(schema)
    if isinstance(schema, (dict, bool)):
        return schema, loads
    if inspect.isfunction(schema) or inspect.ismethod(schema):
        arguments = _arguments(schema)
        return faithful_schema(arguments), lambda text: dict(arguments.model_validate_json(text))
    try:
        adapter = TypeAdapter(schema)  # dataclasses, TypedDicts, annotated types
    except Exception as error:
        raise TypeError(
            f"json() takes a pydantic class, a JSON Schema (dict or str) or a function, not {shown(schema)}"
        ) from error
    return faithful_schema(adapter), adapter.validate_json


def _arguments(function: Callable[..., Any]) -> type[BaseModel]:
    """A model of a function's arguments."""
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{function.__name__}() takes *{name}: a schema needs arguments with names")
        if parameter.annotation is parameter.empty:
            raise TypeError(f"{function.__name__}(): the argument {name!r} has no annotation")
        fields[name] = (parameter.annotation, ... if parameter.default is parameter.empty else parameter.default)
    return create_model(function.__name__, **fields)
