"""`type`, `enum` and `const`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..conjunction import DIGITS, Conjunction
from ..json_values import ALL, NUMBERS, SCALARS, equal, kind_of
from ..subschema import Subschema, refuse
from . import checks
from .schema_object import SchemaObject

TYPES = {
    **{kind: frozenset([kind]) for kind in ("null", "boolean", "integer", "string", "array", "object")},
    "number": NUMBERS,
}
_ONLY_INTEGERS = frozenset(["integer"])


def kinds_of(subschema: Subschema) -> frozenset[str]:
    """The kinds of values that `type` allows."""
    types = subschema.schema.get("type")
    if types is None:
        return ALL
    kinds: frozenset[str] = frozenset()
    for name in types if isinstance(types, list) else (types,):
        if not isinstance(name, str) or name not in TYPES:
            problem = f"'type' is one of, or a list of, {', '.join(TYPES)}; not {json.dumps(types)}"
            refuse(f"{subschema.path}/type", problem)
        kinds = kinds | TYPES[name] if kinds else TYPES[name]
    return kinds


def read_type(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read `type`. In draft 4 it depends on the spelling what an integer is: 1.0 is none."""
    conjunction.kinds = kinds_of(subschema)
    if conjunction.kinds & NUMBERS == _ONLY_INTEGERS and subschema.draft == "04":
        conjunction.integers = frozenset([DIGITS])


def read_constants(schema_object: SchemaObject, keep: Callable[[Any], Any]) -> None:
    """Read `enum` and `const`. keep: see `KeywordReader.keep`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    values = checks.list_of(subschema, "enum") if "enum" in schema else [schema["const"]]
    if "enum" in schema and "const" in schema:
        values = [value for value in values if equal(value, schema["const"])]
    checks.refuse_large(values, subschema, "enum" if "enum" in schema else "const")
    scalars = []
    for value in values:
        if not isinstance(value, (list, dict)):
            scalars.append(value)
        elif kind_of(value) in conjunction.kinds:
            schema_object.compounds.append(Subschema(keep(_only(value)), subschema.path, None))
            schema_object.compound_values.append(value)
    conjunction.values = tuple(scalars)
    conjunction.kinds = conjunction.kinds & SCALARS


def _only(value: Any) -> dict[str, Any]:
    """A schema that a list or an object fits, and nothing else."""
    if isinstance(value, list):
        items = [{"const": item} for item in value]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(value)}
    members = {name: {"const": item} for name, item in value.items()}
    return {"type": "object", "properties": members, "required": list(value), "additionalProperties": False}
