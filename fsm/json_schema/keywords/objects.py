"""The keywords of objects: `properties`, `additionalProperties`, `required`, `propertyNames`, `maxProperties`, …"""

from __future__ import annotations

from ..conjunction import EVERY_KEY, Keys
from ..place import Places, escape
from . import checks
from .schema_object import SchemaObject


def read_objects(schema_object: SchemaObject, for_generation: bool) -> None:
    """Read the keywords of objects. for_generation: see `KeywordReader`."""
    place, schema, conjunction = schema_object.place, schema_object.place.schema, schema_object.conjunction
    _read_members(schema_object)
    if "propertyNames" in schema:
        conjunction.names = (place.at("propertyNames"),)
    members = [part for _, places in conjunction.members for part in places]
    schema_object.inside += members + list(conjunction.names)
    conjunction.required = checks.names(place, "required")
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
        name = discriminator["propertyName"]  # it tells the branches apart
        if for_generation and name not in conjunction.required:
            conjunction.required = (*conjunction.required, name)
    conjunction.sizes = checks.span(place, "minProperties", "maxProperties")
    patterned = bool(schema.get("patternProperties"))
    conjunction.declares = "properties" in schema or patterned or bool(conjunction.required)
    conjunction.extras = conjunction.extras or patterned


def _read_members(schema_object: SchemaObject) -> None:
    """Read `properties`, `patternProperties` and `additionalProperties`."""
    place, schema, conjunction = schema_object.place, schema_object.place.schema, schema_object.conjunction
    members: list[tuple[Keys, Places]] = []
    properties = checks.schemas_by_name(place, "properties")
    patterns = checks.schemas_by_name(place, "patternProperties")
    for name in properties:
        members.append((Keys(frozenset([name])), (place.at("properties", name),)))
    for pattern in patterns:
        checks.pattern(pattern, f"{place.path}/patternProperties/{escape(pattern)}")
        members.append((Keys(patterns=frozenset([pattern])), (place.at("patternProperties", pattern),)))
    evaluated = [Keys(frozenset(properties), frozenset(patterns))] if properties or patterns else []
    if "additionalProperties" in schema:
        evaluated = [EVERY_KEY]
        if schema["additionalProperties"] not in (True, {}):
            keys = Keys(frozenset(properties), frozenset(patterns), others=True)
            members.append((keys, (place.at("additionalProperties"),)))
            conjunction.extras = schema["additionalProperties"] is not False
    conjunction.members, conjunction.evaluated = tuple(members), tuple(evaluated)
