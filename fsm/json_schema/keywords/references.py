"""Where the references of a JSON Schema lead: pointers, `$id`, `$anchor`, and older forms, within one document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urljoin

from ..subschema import Subschema, escape, refuse
from .known import DEFINITIONS

#: The keywords whose value is one schema, a list of schemas, or an object of schemas.
ONE_SCHEMA = (
    *("additionalProperties", "additionalItems", "items", "contains", "not", "if", "then", "else", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
SCHEMAS_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies")
NO_URI = ""  # the URI of a document that does not say one


class Resource:
    """A schema with a URI of its own: what `#` is.

    Attributes:
        schema: its root. uri: absolute, or relative to the document's. path: for messages.
        legacy: whether it is of a draft before 2019-09, where `$ref` stands alone and `$id` may be a name.
    """

    __slots__ = ("legacy", "path", "schema", "uri")

    def __init__(self, schema: Any, uri: str, path: str, legacy: bool):
        self.schema, self.uri, self.path, self.legacy = schema, uri, path, legacy


class References:
    """What the references of one document lead to."""

    def __init__(self, root: Any):
        dialect = root.get("$schema") if isinstance(root, dict) else None
        if dialect is not None and not (isinstance(dialect, str) and "json-schema.org/" in dialect):
            refuse("#/$schema", f"the dialect {dialect!r} is not known: say a draft of json-schema.org, or none")
        legacy = any(f"draft-0{n}/" in (dialect or "") for n in (3, 4, 6, 7))
        self.root = Resource(root, NO_URI, "#", legacy)
        uri = _identifier(root, self.root)
        if uri and not uri.startswith("#"):
            self.root.uri = uri.partition("#")[0]
        self._resources: dict[str, Resource] | None = None
        self._anchors: dict[tuple[str, str], Subschema] = {}
        self._dynamic: dict[str, int] = {}

    def resource_of(self, schema: dict[str, Any], path: str, outside: Resource) -> Resource:
        """The resource that a schema belongs to: its own, if it has a URI; else the one outside."""
        uri = _identifier(schema, outside)
        if schema is outside.schema or uri is None or uri.startswith("#"):
            return outside
        if outside.legacy and "$ref" in schema:
            return outside
        uri = urljoin(outside.uri, uri).partition("#")[0]
        resource = self._index().get(uri)
        if resource is not None and resource.schema is schema:
            return resource
        return Resource(schema, uri, path, outside.legacy)

    def target(self, subschema: Subschema, ref: Any, keyword: str = "$ref") -> Subschema:
        """The schema that a reference at `subschema` leads to."""
        here = f"{subschema.path}/{keyword}"
        if not isinstance(ref, str):
            refuse(here, f"must be a string, not {ref!r}")
        where, _, fragment = ref.partition("#")
        resource: Resource = subschema.resource
        if where:
            uri = urljoin(resource.uri, where)
            target = resource if uri == resource.uri else self._index().get(uri)
            if target is None:
                refuse(here, f"only references within the schema are supported, not {ref!r}")
            resource = target
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            self._index()
            anchored = self._anchors.get((resource.uri, fragment))
            if anchored is None:
                refuse(here, f"{ref!r} leads nowhere")
            return anchored
        return self._pointer(resource, fragment, here, ref)

    def dynamic(self, subschema: Subschema, ref: Any) -> Subschema:
        """The schema that a `$dynamicRef` leads to; refused where that depends on how one got there."""
        target = self.target(subschema, ref, "$dynamicRef")
        name = ref.partition("#")[2]
        self._index()
        if isinstance(target.schema, dict) and target.schema.get("$dynamicAnchor") == name and self._dynamic[name] > 1:
            problem = f"{ref!r} depends on the way there: several schemas have the $dynamicAnchor {name!r}"
            refuse(f"{subschema.path}/$dynamicRef", f"{problem}, which is not supported")
        return target

    def _pointer(self, resource: Resource, pointer: str, here: str, ref: str) -> Subschema:
        """The schema that a JSON pointer leads to. here, ref: the reference, for messages."""
        schema, path = resource.schema, resource.path
        for key in pointer.split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            try:
                schema = schema[int(key)] if isinstance(schema, list) else schema[key]
            except (KeyError, IndexError, ValueError, TypeError):
                refuse(here, f"{ref!r} leads nowhere")
            path = f"{path}/{escape(key)}"
            if isinstance(schema, dict):
                resource = self.resource_of(schema, path, resource)
        return Subschema(schema, path, resource)

    def _index(self) -> dict[str, Resource]:
        """The resources of the document, by their URIs; anchors are noted, too."""
        if self._resources is not None:
            return self._resources
        self._resources = resources = {self.root.uri: self.root}
        todo = [Subschema(self.root.schema, "#", self.root)]
        while todo:
            subschema = todo.pop()
            schema = subschema.schema
            if not isinstance(schema, dict):
                continue
            uri = _identifier(schema, subschema.resource)
            if uri is not None and not uri.startswith("#") and schema is not subschema.resource.schema:
                full = urljoin(subschema.resource.uri, uri).partition("#")[0]
                subschema.resource = resources.setdefault(
                    full, Resource(schema, full, subschema.path, subschema.resource.legacy)
                )
            elif uri is not None and uri.startswith("#") and subschema.resource.legacy:
                self._anchors.setdefault((subschema.resource.uri, uri[1:]), subschema)
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(schema.get(keyword), str):
                    self._anchors.setdefault((subschema.resource.uri, schema[keyword]), subschema)
                    if keyword == "$dynamicAnchor":
                        self._dynamic[schema[keyword]] = self._dynamic.get(schema[keyword], 0) + 1
            todo += schemas_within(subschema, (*SCHEMAS_BY_NAME, *DEFINITIONS))
        return resources


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


def _identifier(schema: Any, outside: Resource) -> str | None:
    if not isinstance(schema, dict):
        return None
    uri = schema.get("$id")
    if uri is None and (outside.legacy or "$schema" not in _as_dict(outside.schema)):
        uri = schema.get("id")
    return uri if isinstance(uri, str) else None


def _as_dict(schema: Any) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {}
