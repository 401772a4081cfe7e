"""Where the references of a JSON Schema lead: pointers, `$id`, `$anchor`, and older forms, within one document.

`$dynamicRef` and `$recursiveRef` ask how one got there: of the resources on the way, the first one that has the anchor
counts. So a resource is entered from another one, and then knows which anchors are taken already: its `scope`. Where
that differs a schema may mean something else, and its key differs, too.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urljoin

from .conjunction import Subschema, refuse
from .drafts import FOREIGN, SCHEMAS_BY_NAME, schemas_within
from .values_and_keywords import DEFINITIONS

NO_URI = ""  # the URI of a document that does not say one
RECURSIVE = ""  # the name under which a resource with `$recursiveAnchor` is known
_URI = re.compile(r"json-schema\.org/(?:draft[-/](0[4567]|2019-09|2020-12)/)?(?:hyper-)?schema#?$")


def draft_of(schema: Any, path: str, otherwise: str | None = None) -> str | None:
    """The draft that a schema says it is written in; `otherwise` if it does not say one."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if uri is None:
        return otherwise
    match = _URI.search(uri) if isinstance(uri, str) else None
    if match is None:
        advice = "say a draft of json-schema.org, draft-04 or later, or none"
        refuse(f"{path}/$schema", f"the dialect {uri!r} is not known: {advice}")
    return "04" if match[1] == "05" else match[1]  # draft 5 has the keywords of draft 4


def identifier(schema: Any, draft: str | None) -> str | None:
    """The URI that a schema gives itself: `$id`, or `id` in draft 4."""
    if not isinstance(schema, dict):
        return None
    for name in ("$id", "id"):
        if isinstance(schema.get(name), str) and name not in FOREIGN[draft]:
            return schema[name]
    return None


def refs_stand_alone(draft: str | None) -> bool:
    """Whether the words beside a `$ref` mean nothing."""
    return draft is not None and draft <= "07"


class Resource:
    """A schema with a URI of its own: what `#` is.

    Attributes:
        schema: its root. uri: absolute, or relative to the document's. path: for messages.
        draft: see `drafts.py`.
        scope: the dynamic anchors on the way here, each with the URI of the first resource that has it, but for those
            of the document itself, which come before all others.
        key: what the meaning of the schemas in it depends on besides themselves; None if that is nothing.
    """

    __slots__ = ("draft", "key", "path", "schema", "scope", "uri")

    def __init__(self, schema: Any, uri: str, path: str, draft: str | None, scope: dict[str, str] | None = None):
        self.schema, self.uri, self.path, self.draft, self.scope = schema, uri, path, draft, scope or {}
        self.key = (draft, frozenset(self.scope.items())) if draft or scope else None


class References:
    """What the references of one document lead to."""

    def __init__(self, root: Any):
        self.root = Resource(root, NO_URI, "#", draft_of(root, "#"))
        uri = identifier(root, self.root.draft)
        if uri and not uri.startswith("#"):
            self.root.uri = uri.partition("#")[0]
        self._resources: dict[str, Resource] | None = None
        self._anchors: dict[tuple[str, str], Subschema] = {}  # by URI and name
        self._dynamic: dict[str, dict[str, Subschema]] = {}  # the dynamic anchors, by URI and then by name

    def resource_of(self, subschema: Subschema) -> Resource:
        """The resource that a schema belongs to: its own, if it has a URI; else the one that it stands in."""
        outside, schema = subschema.resource, subschema.schema
        if "$id" not in schema and "id" not in schema:
            return outside
        return self._entered(self._resource_at(schema, subschema.path, outside), outside)

    def target(self, subschema: Subschema, ref: Any, keyword: str = "$ref") -> Subschema:
        """The schema that a reference at `subschema` leads to."""
        if not isinstance(ref, str):
            refuse(f"{subschema.path}/{keyword}", f"must be a string, not {ref!r}")
        where, _, fragment = ref.partition("#")
        resource: Resource = subschema.resource
        if where:
            here = f"{subschema.path}/{keyword}"
            uri = _joined(resource.uri, where, here)
            target = resource if uri == resource.uri else self._index().get(uri)
            if target is None:
                problem = f"only references within the schema are supported, not {ref!r}"
                name = "id" if resource.draft == "04" else "$id"
                refuse(here, f"{problem}: put that document under '$defs', with {name!r}: {uri!r}")
            resource = target
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            self._index()
            target = self._anchors.get((resource.uri, fragment))
        else:
            target = self._pointer(resource, fragment)
        if target is None:
            refuse(f"{subschema.path}/{keyword}", f"{ref!r} leads nowhere")
        return self._coming_from(subschema, target)

    def dynamic(self, subschema: Subschema, ref: Any) -> Subschema:
        """The schema that a `$dynamicRef` leads to."""
        target = self.target(subschema, ref, "$dynamicRef")
        name = unquote(ref.partition("#")[2])
        anchored = isinstance(target.schema, dict) and target.schema.get("$dynamicAnchor") == name
        return self._first(subschema, name, target) if anchored else target

    def recursive(self, subschema: Subschema, ref: Any) -> Subschema:
        """The schema that a `$recursiveRef` leads to."""
        if ref != "#":
            refuse(f"{subschema.path}/$recursiveRef", f"must be '#', not {ref!r}")
        target = self.target(subschema, ref, "$recursiveRef")
        anchored = isinstance(target.schema, dict) and target.schema.get("$recursiveAnchor") is True
        return self._first(subschema, RECURSIVE, target) if anchored else target

    def _first(self, subschema: Subschema, name: str, target: Subschema) -> Subschema:
        """What has a dynamic anchor that `target` has, in the first resource on the way to `subschema`."""
        self._index()
        root = self.root.uri
        uri = root if name in self._dynamic[root] else subschema.resource.scope.get(name, target.resource.uri)
        return self._coming_from(subschema, self._dynamic.get(uri, {}).get(name, target))

    def _coming_from(self, subschema: Subschema, target: Subschema) -> Subschema:
        """What a reference at `subschema` leads to, in the scope that it has then."""
        resource = self._entered(target.resource, subschema.resource)
        return target if resource is target.resource else Subschema(target.schema, target.path, resource)

    def _entered(self, resource: Resource, outside: Resource) -> Resource:
        """A resource, as it is when one comes from `outside`."""
        if resource.uri == outside.uri:
            return outside
        self._index()
        new = self._dynamic.get(resource.uri, {}).keys() - self._dynamic[self.root.uri].keys()
        scope = dict.fromkeys(new, resource.uri) | outside.scope
        if scope == resource.scope:
            return resource
        return Resource(resource.schema, resource.uri, resource.path, resource.draft, scope)

    def _resource_at(self, schema: Any, path: str, outside: Resource) -> Resource:
        """The resource that a schema in the resource `outside` belongs to, wherever one comes from."""
        if schema is outside.schema or not isinstance(schema, dict) or not ("$id" in schema or "id" in schema):
            return outside
        draft = draft_of(schema, path, outside.draft)
        uri = identifier(schema, draft)
        if uri is None or uri.startswith("#") or ("$ref" in schema and refs_stand_alone(draft)):
            return outside
        uri = _joined(outside.uri, uri, path).partition("#")[0]
        resource = self._index().get(uri)
        if resource is not None and resource.schema is schema:
            return resource
        return Resource(schema, uri, path, draft)

    def _pointer(self, resource: Resource, pointer: str) -> Subschema | None:
        """The schema that a JSON pointer leads to; None if it leads nowhere."""
        schema, path = resource.schema, resource.path
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            try:
                is_index = isinstance(schema, list) and key.isascii() and key.isdecimal()
                step: Any = int(key) if is_index else key
                schema = schema[step]
            except (KeyError, IndexError, ValueError, TypeError):
                return None
            path = f"{path}/{token}"
            resource = self._resource_at(schema, path, resource)
        return Subschema(schema, path, resource)

    def _index(self) -> dict[str, Resource]:
        """The resources of the document, by their URIs; anchors are noted, too."""
        if self._resources is None:
            self._resources = {}
            todo = [Subschema(self.root.schema, "#", self.root)]
            while todo:
                subschema = todo.pop()
                resource = self._resource_at(subschema.schema, subschema.path, subschema.resource)
                if resource is not subschema.resource:
                    subschema = Subschema(subschema.schema, subschema.path, resource)
                if isinstance(subschema.schema, dict):
                    self._note(subschema)
                    todo += schemas_within(subschema, SCHEMAS_BY_NAME | DEFINITIONS)
        return self._resources

    def _note(self, subschema: Subschema) -> None:
        """Note a schema's URI and its anchors."""
        assert self._resources is not None
        schema, resource = subschema.schema, subschema.resource
        self._resources.setdefault(resource.uri, resource)
        dynamic = self._dynamic.setdefault(resource.uri, {})
        anchors = {word: schema[word] for word in ("$anchor", "$dynamicAnchor") if isinstance(schema.get(word), str)}
        for word, name in anchors.items():
            if word not in FOREIGN[resource.draft]:
                self._anchors.setdefault((resource.uri, name), subschema)
                if word == "$dynamicAnchor":
                    dynamic.setdefault(name, subschema)
        if schema is resource.schema and schema.get("$recursiveAnchor") is True:
            dynamic.setdefault(RECURSIVE, subschema)
        uri = identifier(schema, resource.draft)
        if uri is not None and uri.startswith("#") and refs_stand_alone(resource.draft):
            self._anchors.setdefault((resource.uri, uri[1:]), subschema)


def _joined(base: str, uri: str, path: str) -> str:
    """A URI that may be relative to a base. path: where it stands, for messages."""
    try:
        return urljoin(base, uri)
    except ValueError as error:
        refuse(path, f"{uri!r} makes no URI with {base!r}: {error}")
