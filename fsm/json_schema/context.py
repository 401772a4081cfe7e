"""What the parts of a schema's language know of the whole. `writer.py` puts the parts together."""

from __future__ import annotations

from typing import Any, Protocol

from ..language.nodes import Node
from .listings import Listings
from .normalize import Normalizer
from .scalars import Scalars
from .spelling import JsonSpelling
from .subschema import Subschemas

FEW_VALUES = 64  # values that are told apart one by one


class SchemaContext(Protocol):
    """The values within arrays and objects: how they are written, whether there are any, and which.

    Attributes:
        any_order: whether properties may come in any order.
    """

    normalizer: Normalizer
    spelling: JsonSpelling
    scalars: Scalars
    listings: Listings
    any_order: bool

    def value(self, subschemas: Subschemas) -> Node:
        """The texts that are valid under all of `subschemas`; VOID if there are none."""
        ...

    def spelled(self, subschemas: Subschemas) -> Node:
        """The same, made at once: for a value that comes next."""
        ...

    def inhabited(self, subschemas: Subschemas) -> bool:
        """Whether some value fits."""
        ...

    def listed(self, subschemas: Subschemas, most: int = FEW_VALUES) -> list[Any] | None:
        """All values that fit, one for equal ones; None if there are more than `most`."""
        ...

    def listed_set(self, subschemas: Subschemas, most: int = FEW_VALUES) -> int | None:
        """The same, as a set of `listings`."""
        ...

    @property
    def searched_for(self) -> frozenset[Any]:
        """The keys of all that is being searched for a value that fits."""
        ...

    @property
    def listing(self) -> bool:
        """Whether values are being listed."""
        ...

    @property
    def looking(self) -> bool:
        """Whether a search for values is under way: then what seems to have no value may lack one only here."""
        ...
