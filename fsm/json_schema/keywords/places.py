"""Where the schemas within a schema stand."""

from __future__ import annotations

from collections.abc import Iterator

from ..subschema import Subschema

#: The keywords whose value is one schema, a list of schemas, or an object of schemas.
ONE_SCHEMA = (
    *("additionalProperties", "additionalItems", "items", "contains", "not", "if", "then", "else", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
SCHEMAS_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies")
DEFINITIONS = ("$defs", "definitions")


def schemas_within(subschema: Subschema, named: tuple[str, ...] = SCHEMAS_BY_NAME) -> Iterator[Subschema]:
    """The schemas within a schema, wherever the standard has one."""
    schema = subschema.schema
    for keyword in ONE_SCHEMA:
        if isinstance(schema.get(keyword), (dict, bool)):
            yield subschema.at(keyword)
    for keyword in LISTS_OF_SCHEMAS:
        if isinstance(schema.get(keyword), list):
            yield from (subschema.at(keyword, i) for i in range(len(schema[keyword])))
    for keyword in named:
        if isinstance(schema.get(keyword), dict):
            yield from (subschema.at(keyword, name) for name in schema[keyword])
