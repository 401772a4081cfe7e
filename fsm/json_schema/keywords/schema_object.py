"""What one schema object says, after its keywords were read."""

from __future__ import annotations

from typing import Any

from ..conjunction import Conjunction
from ..subschema import Subschema


class SchemaObject:
    """One schema object, read.

    Attributes:
        subschema: the schema, and where it stands; not negated.
        conjunction: its own keywords, without those that combine schemas.
        compounds: the lists and objects of its `enum`, each as a schema; a value may also fit one of these.
        compound_values: the same, as they are.
        combined: the schemas that it combines, as (keyword, subschemas).
        inside: all the schemas within it.
        evaluates: whether it has a keyword of what is unevaluated.
    """

    __slots__ = ("combined", "compound_values", "compounds", "conjunction", "evaluates", "inside", "subschema")

    def __init__(self, subschema: Subschema, conjunction: Conjunction):
        self.subschema, self.conjunction = subschema, conjunction
        self.compounds: list[Subschema] = []
        self.compound_values: list[Any] = []
        self.combined: list[tuple[str, list[Subschema]]] = []
        self.inside: list[Subschema] = []
        self.evaluates = False

    @property
    def plain(self) -> bool:
        """Whether its conjunction says all that it says."""
        return not (self.combined or self.compounds or self.evaluates)
