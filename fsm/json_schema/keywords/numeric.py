"""The keywords of numbers: `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`."""

from __future__ import annotations

from ..conjunction import Conjunction
from ..subschema import Subschema, refuse
from . import checks


def read_numeric(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read the bounds of numbers and what they are multiples of."""
    conjunction.low, conjunction.low_open = checks.bound(subschema, "minimum", "exclusiveMinimum", 1)
    conjunction.high, conjunction.high_open = checks.bound(subschema, "maximum", "exclusiveMaximum", -1)
    multiple = checks.number(subschema, "multipleOf")
    if multiple is not None:
        if multiple <= 0:
            refuse(f"{subschema.path}/multipleOf", "must be greater than 0")
        conjunction.multiples = (multiple,)
