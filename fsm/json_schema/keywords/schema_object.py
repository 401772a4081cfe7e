"""What one schema object says, after its keywords were read."""

from __future__ import annotations

from typing import Any

from ..conjunction import Conjunction
from ..place import Place


class SchemaObject:
    """One schema object, read.

    Attributes:
        place: where it stands; it fits.
        conjunction: its own keywords, without those that combine schemas.
        compounds: the lists and objects of its `enum`, each as a schema; a value may also fit one of these.
        compound_values: the same, as they are.
        combined: the schemas that it combines, as (keyword, places).
        inside: all the schemas within it.
    """

    __slots__ = ("combined", "compound_values", "compounds", "conjunction", "inside", "place")

    def __init__(self, place: Place, conjunction: Conjunction):
        self.place, self.conjunction = place, conjunction
        self.compounds: list[Place] = []
        self.compound_values: list[Any] = []
        self.combined: list[tuple[str, list[Place]]] = []
        self.inside: list[Place] = []
