"""The keywords of arrays: `prefixItems`, `items`, `minItems`, `maxItems`, `uniqueItems`, `contains` and its counts."""

from __future__ import annotations

from ..conjunction import Contains
from ..subschema import Subschema
from . import checks
from .schema_object import SchemaObject


def read_arrays(schema_object: SchemaObject) -> list[Subschema]:
    """Read the keywords of arrays.

    Returns:
        The schemas that some items must not fit, because `maxContains` counts those that do.
    """
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    conjunction.counts = checks.span(subschema, "minItems", "maxItems")
    conjunction.unique = checks.boolean(subschema, "uniqueItems")
    # Drafts before 2020-12 had a list in `items`, and `additionalItems` for the rest.
    older = isinstance(schema.get("items"), list)
    first, others = ("items", "additionalItems") if older else ("prefixItems", "items")
    conjunction.prefix = tuple((subschema.at(first, i),) for i in range(len(checks.list_of(subschema, first))))
    conjunction.evaluated_items = len(conjunction.prefix)
    if others in schema:
        conjunction.items = (subschema.at(others),) if schema[others] not in (True, {}) else ()
        conjunction.evaluated_items = None
    schema_object.inside += [part for subschemas in conjunction.prefix for part in subschemas] + list(conjunction.items)
    return _read_contains(schema_object) if "contains" in schema else []


def _read_contains(schema_object: SchemaObject) -> list[Subschema]:
    subschema, conjunction = schema_object.subschema, schema_object.conjunction
    low, high = checks.span(subschema, "minContains", "maxContains")
    low = low if "minContains" in subschema.schema else 1
    part = subschema.at("contains")
    schema_object.inside.append(part)
    conjunction.matched = (part,)
    if low > 0 or high is not None:
        conjunction.contains = (Contains((part,), (low, high), 0),)
    return [part] if high is not None else []
