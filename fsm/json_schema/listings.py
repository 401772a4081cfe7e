"""Finite sets of values as schemas: those that fit, those that are left out, and those that are told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .json_values import canonical, unspelled
from .subschema import Subschema, Subschemas


def numbers_in(members: int) -> Iterator[int]:
    """The numbers of the bits of a set, from the least on."""
    while members:
        least = members & -members
        yield least.bit_length() - 1
        members ^= least


class Listings:
    """Schemas of given values, one for equal ones. A set of values is an int: one bit for each, by its number.

    Args:
        schema_of: gives a schema that some values fit, and no others.
    """

    def __init__(self, schema_of: Callable[[list[Any]], Subschema]):
        self._schema_of = schema_of
        self._numbers: dict[str, int] = {}  # of the values, by what `canonical` writes
        self._values: list[Any] = []  # by number, unspelled
        self._schemas: dict[int, Subschema] = {}
        self._sets: dict[Any, int] = {}  # of each schema, by its key

    def set_of(self, values: Iterable[Any]) -> int:
        """These values as a set."""
        members = 0
        for value in values:
            number = self._numbers.setdefault(canonical(value), len(self._values))
            if number == len(self._values):
                self._values.append(unspelled(value))
            members |= 1 << number
        return members

    def of(self, values: Iterable[Any]) -> Subschema:
        """A schema that these values fit, and no others: one for equal ones."""
        return self.of_set(self.set_of(values))

    def of_set(self, members: int) -> Subschema:
        """The same, of a set of values."""
        schema = self._schemas.get(members)
        if schema is None:
            schema = self._schemas[members] = self._schema_of([self._values[i] for i in numbers_in(members)])
            self._sets[schema.key] = members
        return schema

    def without_excluded(self, subschemas: Subschemas) -> tuple[Subschemas, int]:
        """The subschemas that do more than leave out values; and the set of the values left out."""
        excluded = [None if schema.fits else self._sets.get((schema.key[0], True)) for schema in subschemas]
        members = 0
        for left_out in excluded:
            members |= left_out or 0
        if not members:
            return subschemas, 0
        return tuple(x for x, left_out in zip(subschemas, excluded, strict=True) if left_out is None), members

    def told_apart(self, values: Sequence[Any]) -> list[tuple[Subschema, frozenset[int]]]:
        """A schema for each different one of some values, with which of them fit; and one for all others, and none."""
        groups: dict[str, list[int]] = {}
        for i, value in enumerate(values):
            groups.setdefault(canonical(value), []).append(i)
        schemas = [(self.of([values[which[0]]]), frozenset(which)) for which in groups.values()]
        others = self.of([values[which[0]] for which in groups.values()]).negated()
        return [*schemas, (others, frozenset())]
