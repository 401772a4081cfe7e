"""Which part of a schema that nothing fits is to blame: the smallest one that nothing fits by itself.

A search from the root inwards, along what every value must have: what a schema combines, the properties that are
required, the items that must be there. It is for messages only: what cannot be found out ends it at a larger part.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from outlines_cont.errors import ConstraintError

from .conjunction import Conjunction, Subschema, Subschemas, key_of
from .normalize import TOGETHER
from .writer import Writer

SHOWN = 100  # characters of a schema
_ONE_HOLDS = ("anyOf", "oneOf")


class EmptyPart(NamedTuple):
    """Schemas that no value fits, all together: of most parts it is one. needed: the value that would have to."""

    subschemas: Subschemas
    needed: str = ""

    def __str__(self) -> str:
        """The subschemas as a message names them, by JSON pointers."""
        places = " and ".join(dict.fromkeys(subschema.path for subschema in self.subschemas))
        schemas = dict.fromkeys(_shown(subschema) for subschema in self.subschemas)
        return f"JSON Schema, at {places}: {' together with '.join(schemas)}{self.needed and f' ({self.needed})'}"


def _shown(subschema: Subschema) -> str:
    text = repr(subschema.schema)
    return ("" if subschema.fits else "not ") + (text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")


def smallest_part(writer: Writer) -> EmptyPart | None:
    """The smallest part that nothing fits; None for the whole of it."""
    normalizer = writer.normalizer
    root = part = EmptyPart((normalizer.keywords.root,))
    seen = set()
    with suppress(ConstraintError, RecursionError):
        while part.subschemas and (key := key_of(part.subschemas)) not in seen:
            seen.add(key)
            within = next((other for other in _within(writer, part) if not writer.inhabited(other.subschemas)), None)
            if within is None:
                break
            part = within
    return None if key_of(part.subschemas) == key_of(root.subschemas) else part


def _within(writer: Writer, part: EmptyPart) -> Iterator[EmptyPart]:
    """Smaller parts, one of which may be to blame."""
    subschemas = part.subschemas
    if len(subschemas) > 1:
        for i in range(len(subschemas)):
            yield EmptyPart((*subschemas[:i], *subschemas[i + 1 :]), part.needed)
    else:
        yield from (EmptyPart((other,), part.needed) for one in subschemas for other in _combined(writer, one))
    parts_of_each = [
        {key_of(inner.subschemas): inner for inner in _inside(writer, conjunction) if inner.subschemas}
        for conjunction in writer.normalizer.conjunctions(subschemas)
    ]
    for key, inner in parts_of_each[0].items() if parts_of_each else ():
        if all(key in others for others in parts_of_each):  # else another branch may do without
            yield inner


def _combined(writer: Writer, subschema: Subschema) -> Iterator[Subschema]:
    """The schemas that a value must fit, too, because a schema combines them."""
    if isinstance(subschema.schema, bool) or not subschema.fits:
        return
    schema_object = writer.keywords.read(subschema)
    if schema_object.subschema.key != subschema.key:  # it only refers to that one
        yield schema_object.subschema
        return
    for keyword, subschemas in schema_object.combined:
        if keyword in TOGETHER:
            yield from subschemas
        elif keyword in _ONE_HOLDS and not any(writer.inhabited((other,)) for other in subschemas):
            yield from subschemas[:1]


def _inside(writer: Writer, conjunction: Conjunction) -> Iterator[EmptyPart]:
    """What the parts must fit that every value of a conjunction has."""
    if conjunction.kinds == {"object"}:
        for name in conjunction.required:
            yield EmptyPart(writer.normalizer.properties.of(conjunction, name), f"the required property {name!r}")
    if conjunction.kinds == {"array"}:
        for i in range(min(conjunction.counts[0], len(conjunction.prefix) + 1)):
            yield EmptyPart(conjunction.item(i), f"the item {i}")
        for rule in conjunction.contains:
            if rule.counts[0] > 0:
                yield EmptyPart(rule.subschemas, "an item that must be there")
    if conjunction.kinds == {"string"} and conjunction.contents:
        yield EmptyPart(conjunction.contents, "the JSON in a string")
