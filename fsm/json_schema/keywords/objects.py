"""The keywords of objects: `properties`, `additionalProperties`, `required`, `propertyNames`, `maxProperties`, …"""

from __future__ import annotations

from ..conjunction import EVERY_KEY, Keys
from ..subschema import Subschemas, escape
from . import checks
from .schema_object import SchemaObject


def read_objects(schema_object: SchemaObject, for_generation: bool) -> None:
    """Read the keywords of objects. for_generation: see `KeywordReader`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    _read_members(schema_object)
    if "propertyNames" in schema:
        conjunction.names = (subschema.at("propertyNames"),)
    members = [part for _, subschemas in conjunction.members for part in subschemas]
    schema_object.inside += members + list(conjunction.names)
    conjunction.required = checks.names(subschema, "required")
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
        name = discriminator["propertyName"]  # it tells the branches apart
        if for_generation and name not in conjunction.required:
            conjunction.required = (*conjunction.required, name)
    conjunction.sizes = checks.span(subschema, "minProperties", "maxProperties")
    patterned = bool(schema.get("patternProperties"))
    conjunction.declares = "properties" in schema or patterned or bool(conjunction.required)
    conjunction.extras = conjunction.extras or patterned


def _read_members(schema_object: SchemaObject) -> None:
    """Read `properties`, `patternProperties` and `additionalProperties`."""
    subschema, schema, conjunction = schema_object.subschema, schema_object.subschema.schema, schema_object.conjunction
    members: list[tuple[Keys, Subschemas]] = []
    properties = checks.schemas_by_name(subschema, "properties")
    patterns = checks.schemas_by_name(subschema, "patternProperties")
    for name in properties:
        members.append((Keys(frozenset([name])), (subschema.at("properties", name),)))
    for pattern in patterns:
        checks.pattern(pattern, f"{subschema.path}/patternProperties/{escape(pattern)}")
        members.append((Keys(patterns=frozenset([pattern])), (subschema.at("patternProperties", pattern),)))
    evaluated = [Keys(frozenset(properties), frozenset(patterns))] if properties or patterns else []
    if "additionalProperties" in schema:
        evaluated = [EVERY_KEY]
        if schema["additionalProperties"] not in (True, {}):
            keys = Keys(frozenset(properties), frozenset(patterns), others=True)
            members.append((keys, (subschema.at("additionalProperties"),)))
            conjunction.extras = schema["additionalProperties"] is not False
    conjunction.members, conjunction.evaluated = tuple(members), tuple(evaluated)
