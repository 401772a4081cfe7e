"""What `json` takes, as a JSON Schema and a parser: pydantic classes, schemas, functions, tools, annotated types."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from outlines_cont.arguments import shown
from outlines_cont.fsm.json_schema.document import read_document
from outlines_cont.fsm.json_schema.partial import loads
from outlines_cont.generate.pydantic_schemas import faithful_schema
from outlines_cont.state.tools import Tools, arguments_of


def schema_and_parser(schema: Any) -> tuple[dict[str, Any] | bool, Callable[[str], Any]]:
    """A JSON Schema and what turns a text into a value."""
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return faithful_schema(schema), schema.model_validate_json
    if isinstance(schema, str):
        _, schema = read_document(schema)
    if isinstance(schema, (dict, bool)):
        return schema, loads
    if inspect.isfunction(schema) or inspect.ismethod(schema):
        arguments = arguments_of(schema)
        return faithful_schema(arguments), lambda text: dict(arguments.model_validate_json(text))
    if isinstance(schema, Tools):
        return faithful_schema(schema.adapter), schema.parse
    try:
        adapter = TypeAdapter(schema)  # dataclasses, TypedDicts, annotated types
    except Exception as error:
        raise TypeError(
            f"json() takes a pydantic class, a JSON Schema (dict or str) or a function, not {shown(schema)}"
        ) from error
    return faithful_schema(adapter), adapter.validate_json
