"""Schemas and where they stand: the unit that the keywords are read from, and that values are held to."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, NoReturn, TypeVar

from outlines_cont.errors import ConstraintError

T = TypeVar("T")
Path = str | tuple[str, Any]  # a part of a JSON pointer: as it is written, or a keyword and a key


class Subschema:
    """A schema, or its negation, and where it stands.

    Attributes:
        schema: a dict or a bool.
        resource: the resource in which its references are looked up: see `keywords/references.py`. None for a schema
            that was made here.
        fits: True for the values that fit the schema, False for those that do not.
        key: equal for subschemas that mean the same.
    """

    __slots__ = ("_place", "fits", "key", "resource", "schema")

    def __init__(self, schema: Any, path: Path, resource: Any, fits: bool = True, within: Subschema | None = None):
        """`path` goes on from that of the subschema `within`."""
        self.schema, self._place, self.resource, self.fits = schema, (path, within), resource, fits
        context = None if resource is None else resource.key
        self.key = (_meaning(schema) if context is None else (_meaning(schema), context), fits)

    @property
    def path(self) -> str:
        """Its JSON pointer, for messages."""
        path, within = self._place
        if within is None and isinstance(path, str):
            return path
        parts = [_pointer(path)]
        while within is not None:
            path, within = within._place
            parts.append(_pointer(path))
        pointer = "/".join(reversed(parts))
        self._place = (pointer, None)
        return pointer

    def at(self, keyword: str, key: Any = None) -> Subschema:
        """A schema within this one."""
        schema = self.schema[keyword]
        if key is None:
            return Subschema(schema, keyword, self.resource, within=self)
        return Subschema(schema[key], (keyword, key), self.resource, within=self)

    def negated(self) -> Subschema:
        """The negation of this one."""
        negation = Subschema(self.schema, self._place[0], self.resource, not self.fits, self._place[1])
        negation.key = (self.key[0], not self.fits)
        return negation

    def read_as(self, schema: dict[str, Any], resource: Any) -> Subschema:
        """The same, with the keywords that count, in the resource that it begins."""
        if schema is self.schema and resource is self.resource:
            return self
        other = Subschema(schema, self._place[0], resource, self.fits, self._place[1])
        other.key = self.key
        return other

    @property
    def draft(self) -> str | None:
        """The draft that it is written in: see `keywords/drafts.py`."""
        return None if self.resource is None else self.resource.draft


#: Keywords that only describe.
_DESCRIBE = frozenset(["title", "description", "default", "example", "examples", "$comment", "deprecated"])
_DESCRIBE |= {"readOnly", "writeOnly"}
#: Keywords whose meaning is in their value, and in nothing around the schema.
_PLAIN = frozenset(["type", "enum", "const", "minLength", "maxLength", "pattern", "format", "minimum", "maximum"])
_PLAIN |= {"exclusiveMinimum", "exclusiveMaximum", "multipleOf"}


def _meaning(schema: Any) -> Any:
    """Equal for schemas that mean the same, if that is plain: most of those of strings and numbers, which are many."""
    if type(schema) is not dict or len(schema) > 12:
        return id(schema)
    meaning = []
    for keyword, value in schema.items():
        if keyword not in _DESCRIBE:
            if keyword not in _PLAIN:
                return id(schema)
            for x in value if isinstance(value, list) else (value,):
                if isinstance(x, (dict, list)):
                    return id(schema)
            meaning.append((keyword, repr(value)))
    return frozenset(meaning)


def _pointer(path: Path) -> str:
    return path if isinstance(path, str) else f"{path[0]}/{escape(path[1])}"


def escape(key: Any) -> str:
    """A key as a part of a JSON pointer."""
    key = str(key)
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def refuse(path: str, problem: str) -> NoReturn:
    """Say that something at a JSON pointer is not supported, or is no JSON Schema."""
    raise ConstraintError(f"JSON Schema, at {path}: {problem}")


Subschemas = tuple[Subschema, ...]  # all of them hold
NEVER: Subschemas = (Subschema(False, "#", None),)


def key_of(subschemas: Iterable[Subschema]) -> frozenset[Any]:
    """Equal for subschemas that together mean the same."""
    return frozenset(map(_key, subschemas))


_key = attrgetter("key")


def both(a: Subschemas, b: Subschemas) -> Subschemas:
    """The subschemas of both, each once."""
    if not a or not b:
        return a or b
    together = (*a, *b)
    return tuple(dict(zip(map(_key, together), together, strict=True)).values())


def by_subschemas(ways: Iterable[tuple[Subschemas, T]]) -> list[tuple[Subschemas, list[T]]]:
    """Pairs of what a value fits and what comes after it, grouped: all that comes after values that fit the same."""
    groups: dict[frozenset[Any], tuple[Subschemas, list[T]]] = {}
    for subschemas, after in ways:
        groups.setdefault(key_of(subschemas), (subschemas, []))[1].append(after)
    return list(groups.values())
