"""Finite sets of values as schemas: those that fit, those that are left out, and those that are told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .json_values import canonical
from .subschema import Subschema, Subschemas


class Listings:
    """Schemas of given values, one for equal ones.

    Args:
        schema_of: gives a schema that some values fit, and no others.
    """

    def __init__(self, schema_of: Callable[[list[Any]], Subschema]):
        self._schema_of = schema_of
        self._schemas: dict[tuple[str, ...], Subschema] = {}
        self._texts: dict[Any, frozenset[str]] = {}  # of each schema, by its key

    def of(self, values: Sequence[Any]) -> Subschema:
        """A schema that these values fit, and no others: one for equal ones."""
        texts = tuple(sorted(map(canonical, values)))
        if texts not in self._schemas:
            subschema = self._schemas[texts] = self._schema_of(list(values))
            self._texts[subschema.key] = frozenset(texts)
        return self._schemas[texts]

    def without_excluded(self, subschemas: Subschemas) -> tuple[Subschemas, frozenset[str]]:
        """The subschemas that do more than leave out values; and the values left out, as `canonical` writes them."""
        excluded = [None if schema.fits else self._texts.get((schema.key[0], True)) for schema in subschemas]
        if not any(excluded):
            return subschemas, frozenset()
        others = tuple(subschema for subschema, texts in zip(subschemas, excluded, strict=True) if texts is None)
        return others, frozenset().union(*filter(None, excluded))

    def told_apart(self, values: Sequence[Any]) -> list[tuple[Subschema, frozenset[int]]]:
        """A schema for each different one of some values, with which of them fit; and one for all others, and none."""
        groups: dict[str, list[int]] = {}
        for i, value in enumerate(values):
            groups.setdefault(canonical(value), []).append(i)
        schemas = [(self.of([values[which[0]]]), frozenset(which)) for which in groups.values()]
        others = self.of([values[which[0]] for which in groups.values()]).negated()
        return [*schemas, (others, frozenset())]
