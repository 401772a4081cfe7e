"""The order in which a schema comes to the names of properties: that of the properties of an object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from .conjunction import Conjunction
from .keywords.known import DEPENDENCIES
from .keywords.schema_object import SchemaObject
from .subschema import Subschema, Subschemas

Read = Callable[[Subschema], SchemaObject]


class DeclaredNames(NamedTuple):
    """The declared names of an object.

    Attributes:
        names: all of them. The last ones may be names that only excluded objects have: they are watched.
        in_order: those that come in this order, as a set of bits. A watched name has no place in it.
    """

    names: tuple[str, ...]
    in_order: int


def names_in_order(subschemas: Subschemas, read: Read) -> tuple[str, ...]:
    """The names that some schemas for one value speak of, each once.

    First the names under `properties`, then those that only other keywords speak of (`required`, `dependentSchemas`).
    The keywords of a schema come before the schemas that it combines, and these come in the order of `APPLICATORS`,
    whether a value fits them or breaks them. An object that is excluded speaks of no name.

    Args:
        read: see `KeywordReader.read`.
    """
    properties: list[str] = []
    others: list[str] = []
    todo, met = list(reversed(subschemas)), set[object]()
    while todo:
        subschema = todo.pop()
        if isinstance(subschema.schema, bool) or subschema.key in met:
            continue
        met.add(subschema.key)
        schema_object = read(subschema)
        properties += _names_of_members(schema_object.conjunction)
        others += schema_object.conjunction.required
        others += (parts[0].schema for keyword, parts in schema_object.combined if keyword in DEPENDENCIES)
        todo += reversed([*_combined(schema_object, subschema.fits)])
    return tuple(dict.fromkeys([*properties, *others]))


def declared_names(conjunctions: Sequence[Conjunction], any_order: bool) -> DeclaredNames:
    """The declared names of an object, in the schema's order; or in any one, if the order does not matter.

    conjunctions: what the object may fit; their factors are among them.
    """
    order = () if any_order else conjunctions[0].order
    declared = dict.fromkeys(chain(order, names_spoken_of(conjunctions)))
    excluded = (value for one in conjunctions for value in one.excluded if isinstance(value, dict))
    names = tuple(dict.fromkeys(chain(declared, *excluded)))
    return DeclaredNames(names, 0 if any_order else (1 << len(declared)) - 1)


def names_spoken_of(conjunctions: Sequence[Conjunction]) -> tuple[str, ...]:
    """The names that some of these conjunctions speak of, each once: in the order in which these speak of them."""
    members = chain.from_iterable(map(_names_of_members, conjunctions))
    required = chain.from_iterable(conjunction.required for conjunction in conjunctions)
    exists = (keys.names for conjunction in conjunctions for keys, _, _ in conjunction.exists)
    return tuple(dict.fromkeys(chain(members, required, *map(sorted, exists))))


def _names_of_members(conjunction: Conjunction) -> Iterator[str]:
    return (name for keys, _ in conjunction.members for name in sorted(keys.names))


def _combined(schema_object: SchemaObject, fits: bool) -> Iterator[Subschema]:
    """The schemas for the same value that a schema combines, or their negations. fits: whether the value fits it."""
    if fits:
        yield from schema_object.compounds
    for keyword, parts in schema_object.combined:
        for i, part in enumerate(parts[1:] if keyword in DEPENDENCIES else parts):
            fits_part = fits is not (keyword == "not")
            yield part if fits_part else part.negated()
            if keyword == "oneOf" or (keyword == "if" and i == 0):  # it is asked for both
                yield part.negated() if fits_part else part
