"""The keywords of numbers: `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`."""

from __future__ import annotations

from ..conjunction import Conjunction
from ..place import Place, refuse
from . import checks


def read_numeric(place: Place, conjunction: Conjunction) -> None:
    """Read the bounds of numbers and what they are multiples of."""
    conjunction.low, conjunction.low_open = checks.bound(place, "minimum", "exclusiveMinimum", 1)
    conjunction.high, conjunction.high_open = checks.bound(place, "maximum", "exclusiveMaximum", -1)
    multiple = checks.number(place, "multipleOf")
    if multiple is not None:
        if multiple <= 0:
            refuse(f"{place.path}/multipleOf", "must be greater than 0")
        conjunction.multiples = (multiple,)
