"""The keywords that combine schemas: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`, `dependentSchemas`, …"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from ..json_values import canonical
from ..subschema import Subschema, escape, refuse
from . import checks, drafts
from .references import References
from .schema_object import SchemaObject

MANY_CONSTANTS = 32  # alternatives: of fewer, each is read by itself
BESIDE_CONSTANTS = frozenset(["const", "title", "description", "$comment", "deprecated"])


def read_combined(
    schema_object: SchemaObject, keywords: Iterable[str], references: References, keep: Callable[[Any], Any]
) -> None:
    """Read those `keywords` that are there. keep: see `KeywordReader.keep`."""
    combined = schema_object.combined
    for keyword in keywords:
        if keyword not in schema_object.subschema.schema:
            continue
        if keyword.startswith("depend"):
            _read_dependencies(schema_object, keyword, keep)
        elif (values := _constants(schema_object.subschema, keyword)) is not None:
            path = f"{schema_object.subschema.path}/{keyword}"
            combined.append(("anyOf", [Subschema(keep({"enum": values}), path, schema_object.subschema.resource)]))
            schema_object.inside += combined[-1][1]
        else:
            combined.append((keyword, _schemas_of(schema_object.subschema, keyword, references)))
            schema_object.inside += [part for part in combined[-1][1] if not isinstance(part.schema, bool)]


def _constants(subschema: Subschema, keyword: str) -> list[Any] | None:
    """The scalars that an `anyOf` or `oneOf` lists, each as a `const` of its own, all different; None if it does not.

    Told apart two by two, a thousand of them take seconds.
    """
    parts = subschema.schema[keyword]
    if subschema.draft is not None and "const" in drafts.FOREIGN[subschema.draft]:
        return None
    if keyword not in ("anyOf", "oneOf") or not isinstance(parts, list) or len(parts) < MANY_CONSTANTS:
        return None
    values: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, dict) or "const" not in part or not part.keys() <= BESIDE_CONSTANTS:
            return None
        if isinstance(part["const"], (list, dict)):
            return None
        values[canonical(part["const"])] = part["const"]
    return list(values.values()) if len(values) == len(parts) else None


def _schemas_of(subschema: Subschema, keyword: str, references: References) -> list[Subschema]:
    """The schemas that a keyword combines; of `if`: the condition, `then`, `else`."""
    schema = subschema.schema
    if keyword == "$ref":
        return [references.target(subschema, schema[keyword])]
    if keyword == "$dynamicRef":
        return [references.dynamic(subschema, schema[keyword])]
    if keyword == "$recursiveRef":
        return [references.recursive(subschema, schema[keyword])]
    if keyword == "not":
        return [subschema.at("not")]
    if keyword == "if":
        true = Subschema(True, subschema.path, None)
        return [subschema.at("if"), *(subschema.at(k) if k in schema else true for k in ("then", "else"))]
    return [subschema.at(keyword, i) for i in range(len(checks.list_of(subschema, keyword)))]


def _read_dependencies(schema_object: SchemaObject, keyword: str, keep: Callable[[Any], Any]) -> None:
    """Read what an object fits if it has some property; its name is taken for a schema here."""
    subschema = schema_object.subschema
    for name, then in checks.schemas_by_name(subschema, keyword).items():
        if isinstance(then, list) and keyword != "dependentSchemas":
            part = Subschema(keep({"required": then}), f"{subschema.path}/{keyword}/{escape(name)}", subschema.resource)
            checks.names(part, "required")
        elif keyword == "dependentRequired":
            refuse(f"{subschema.path}/{keyword}/{escape(name)}", f"must be a list of names, not {json.dumps(then)}")
        else:
            part = subschema.at(keyword, name)
        schema_object.inside.append(part)
        schema_object.combined.append((keyword, [Subschema(name, f"{subschema.path}/{keyword}", None), part]))
