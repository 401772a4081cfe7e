"""Where the schemas within a schema stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..subschema import Subschema

#: The keywords whose value is one schema, a list of schemas, or an object of schemas.
ONE_SCHEMA = frozenset(["additionalProperties", "additionalItems", "items", "contains", "propertyNames"])
ONE_SCHEMA |= {"not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties"}
LISTS_OF_SCHEMAS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
SCHEMAS_BY_NAME = frozenset(["properties", "patternProperties", "dependentSchemas", "dependencies"])
DEFINITIONS = frozenset(["$defs", "definitions"])


def parts_within(schema: dict[str, Any], named: frozenset[str] = SCHEMAS_BY_NAME) -> Iterator[tuple[str, Any, Any]]:
    """What stands in a schema where the standard has one: the keyword, the key within it or None, and what is there."""
    for keyword, value in schema.items():
        if isinstance(value, dict) and keyword in named:
            for name, part in value.items():
                yield keyword, name, part
        elif isinstance(value, list) and keyword in LISTS_OF_SCHEMAS:
            for i, part in enumerate(value):
                yield keyword, i, part
        elif isinstance(value, (dict, bool)) and keyword in ONE_SCHEMA:
            yield keyword, None, value


def schemas_within(subschema: Subschema, named: frozenset[str] = SCHEMAS_BY_NAME) -> Iterator[Subschema]:
    """The schemas within a schema, wherever the standard has one."""
    for keyword, key, _ in parts_within(subschema.schema, named):
        yield subschema.at(keyword, key)
