"""Where the references of a JSON Schema lead: pointers, `$id`, `$anchor`, and older forms, within one document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn
from urllib.parse import unquote, urljoin

from outlines_cont.errors import ConstraintError

from .conjunction import Place, escape

ONE = (
    "additionalProperties",
    "additionalItems",
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
)
SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
NAMED = ("properties", "patternProperties", "dependentSchemas", "dependencies")
SHELVES = ("$defs", "definitions")
HERE = ""  # the URI of a document that does not say one


class Resource:
    """A schema with a URI of its own: what `#` is.

    Attributes:
        schema: its root. uri: absolute, or relative to the document's. path: for messages.
        legacy: whether it is of a draft before 2019-09, where `$ref` stands alone and `$id` may be a name.
    """

    __slots__ = ("legacy", "path", "schema", "uri")

    def __init__(self, schema: Any, uri: str, path: str, legacy: bool):
        self.schema, self.uri, self.path, self.legacy = schema, uri, path, legacy


class Library:
    """What can be referred to."""

    def __init__(self, root: Any):
        dialect = root.get("$schema") if isinstance(root, dict) else None
        if dialect is not None and not (isinstance(dialect, str) and "json-schema.org/" in dialect):
            refuse("#/$schema", f"the dialect {dialect!r} is not known: say a draft of json-schema.org, or none")
        legacy = any(f"draft-0{n}/" in (dialect or "") for n in (3, 4, 6, 7))
        self.root = Resource(root, HERE, "#", legacy)
        uri = _identifier(root, self.root)
        if uri and not uri.startswith("#"):
            self.root.uri = uri.partition("#")[0]
        self._resources: dict[str, Resource] | None = None
        self._anchors: dict[tuple[str, str], Place] = {}
        self._dynamic: dict[str, int] = {}

    def home(self, schema: dict[str, Any], path: str, outside: Resource) -> Resource:
        """The resource that a schema belongs to: its own, if it has a URI."""
        uri = _identifier(schema, outside)
        if schema is outside.schema or uri is None or uri.startswith("#"):
            return outside
        if outside.legacy and "$ref" in schema:
            return outside
        uri = urljoin(outside.uri, uri).partition("#")[0]
        known = self._index().get(uri)
        return known if known is not None and known.schema is schema else Resource(schema, uri, path, outside.legacy)

    def target(self, place: Place, ref: Any, keyword: str = "$ref") -> Place:
        """The schema that a reference at `place` leads to."""
        here = f"{place.path}/{keyword}"
        if not isinstance(ref, str):
            refuse(here, f"must be a string, not {ref!r}")
        where, _, fragment = ref.partition("#")
        home: Resource = place.home
        if where:
            uri = urljoin(home.uri, where)
            known = home if uri == home.uri else self._index().get(uri)
            if known is None:
                refuse(here, f"only references within the schema are supported, not {ref!r}")
            home = known
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            self._index()
            found = self._anchors.get((home.uri, fragment))
            if found is None:
                refuse(here, f"{ref!r} leads nowhere")
            return found
        return self._pointer(home, fragment, here, ref)

    def dynamic(self, place: Place, ref: Any) -> Place:
        """The schema that a `$dynamicRef` leads to; refused where that depends on how one got there."""
        target = self.target(place, ref, "$dynamicRef")
        name = ref.partition("#")[2]
        self._index()
        if isinstance(target.schema, dict) and target.schema.get("$dynamicAnchor") == name and self._dynamic[name] > 1:
            what = f"{ref!r} depends on the way there: several schemas have the $dynamicAnchor {name!r}"
            refuse(f"{place.path}/$dynamicRef", f"{what}, which is not supported")
        return target

    def _pointer(self, home: Resource, pointer: str, here: str, ref: str) -> Place:
        found, path = home.schema, home.path
        for key in pointer.split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(key)] if isinstance(found, list) else found[key]
            except (KeyError, IndexError, ValueError, TypeError):
                refuse(here, f"{ref!r} leads nowhere")
            path = f"{path}/{escape(key)}"
            if isinstance(found, dict):
                home = self.home(found, path, home)
        return Place(found, path, home)

    def _index(self) -> dict[str, Resource]:
        if self._resources is not None:
            return self._resources
        self._resources = found = {self.root.uri: self.root}
        todo = [Place(self.root.schema, "#", self.root)]
        while todo:
            place = todo.pop()
            schema = place.schema
            if not isinstance(schema, dict):
                continue
            uri = _identifier(schema, place.home)
            if uri is not None and not uri.startswith("#") and schema is not place.home.schema:
                full = urljoin(place.home.uri, uri).partition("#")[0]
                place.home = found.setdefault(full, Resource(schema, full, place.path, place.home.legacy))
            elif uri is not None and uri.startswith("#") and place.home.legacy:
                self._anchors.setdefault((place.home.uri, uri[1:]), place)
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(schema.get(keyword), str):
                    self._anchors.setdefault((place.home.uri, schema[keyword]), place)
                    if keyword == "$dynamicAnchor":
                        self._dynamic[schema[keyword]] = self._dynamic.get(schema[keyword], 0) + 1
            todo += subschemas(place, (*NAMED, *SHELVES))
        return found


def subschemas(place: Place, named: tuple[str, ...] = NAMED) -> Iterator[Place]:
    """The schemas within a schema, at all the places where the standard has one."""
    schema = place.schema
    for keyword in ONE:
        if isinstance(schema.get(keyword), (dict, bool)):
            yield place.at(keyword)
    for keyword in SEVERAL:
        if isinstance(schema.get(keyword), list):
            yield from (place.at(keyword, i) for i in range(len(schema[keyword])))
    for keyword in named:
        if isinstance(schema.get(keyword), dict):
            yield from (place.at(keyword, name) for name in schema[keyword])


def _identifier(schema: Any, home: Resource) -> str | None:
    if not isinstance(schema, dict):
        return None
    uri = schema.get("$id")
    if uri is None and (home.legacy or "$schema" not in _as_dict(home.schema)):
        uri = schema.get("id")
    return uri if isinstance(uri, str) else None


def _as_dict(schema: Any) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {}


def refuse(path: str, what: str) -> NoReturn:
    """Say that something at a JSON pointer is not supported, or is no JSON Schema."""
    raise ConstraintError(f"JSON Schema, at {path}: {what}")
