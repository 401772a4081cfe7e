"""The keywords of arrays: `prefixItems`, `items`, `minItems`, `maxItems`, `uniqueItems`, `contains` and its counts."""

from __future__ import annotations

from ..conjunction import Contains
from ..place import Place
from . import checks
from .schema_object import SchemaObject


def read_arrays(schema_object: SchemaObject) -> list[Place]:
    """Read the keywords of arrays.

    Returns:
        The schemas that some items must not fit, because `maxContains` counts those that do.
    """
    place, schema, conjunction = schema_object.place, schema_object.place.schema, schema_object.conjunction
    conjunction.counts = checks.span(place, "minItems", "maxItems")
    conjunction.unique = schema.get("uniqueItems", False) is True
    # Drafts before 2020-12 had a list in `items`, and `additionalItems` for the rest.
    older = isinstance(schema.get("items"), list)
    first, others = ("items", "additionalItems") if older else ("prefixItems", "items")
    conjunction.prefix = tuple((place.at(first, i),) for i in range(len(checks.list_of(place, first))))
    conjunction.evaluated_items = len(conjunction.prefix)
    if others in schema:
        conjunction.items = (place.at(others),) if schema[others] not in (True, {}) else ()
        conjunction.evaluated_items = None
    schema_object.inside += [part for places in conjunction.prefix for part in places] + list(conjunction.items)
    return _read_contains(schema_object) if "contains" in schema else []


def _read_contains(schema_object: SchemaObject) -> list[Place]:
    place, conjunction = schema_object.place, schema_object.conjunction
    low, high = checks.span(place, "minContains", "maxContains")
    low = low if "minContains" in place.schema else 1
    part = place.at("contains")
    schema_object.inside.append(part)
    conjunction.matched = (part,)
    if low > 0 or high is not None:
        conjunction.contains = (Contains((part,), (low, high), 0),)
    return [part] if high is not None else []
