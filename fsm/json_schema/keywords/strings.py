"""The keywords of strings: `minLength`, `maxLength`, `pattern`; and `format`, which may also speak of numbers."""

from __future__ import annotations

import json
from fractions import Fraction

from outlines_cont.errors import ConstraintError

from .. import formats
from ..conjunction import Conjunction, tighter
from ..strings import Strings, refuse_beside_expressions
from ..subschema import Subschema, refuse
from . import checks

#: OpenAPI's formats of numbers, as bounds.
NUMERIC_FORMATS = {
    "int32": (Fraction(-(2**31)), Fraction(2**31 - 1)),
    "int64": (Fraction(-(2**63)), Fraction(2**63 - 1)),
    "float": (None, None),
    "double": (None, None),
}


#: The format, of pydantic 1, of a string that holds JSON: of what kind says `contentSchema`, which else only describes.
JSON_STRING = "json-string"


def read_strings(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read the lengths and the pattern of strings."""
    conjunction.lengths = checks.span(subschema, "minLength", "maxLength")
    if "pattern" in subschema.schema:
        conjunction.patterns = (checks.pattern(subschema.schema["pattern"], f"{subschema.path}/pattern"),)


def read_format(subschema: Subschema, conjunction: Conjunction, for_generation: bool) -> None:
    """Read `format` as an assertion. A name that the standard does not know only describes.

    for_generation: see `KeywordReader`; then texts are of the part that readers understand.
    """
    name, path = subschema.schema["format"], f"{subschema.path}/format"
    if name == JSON_STRING:
        conjunction.contents = (subschema.at("contentSchema"),) if "contentSchema" in subschema.schema else ()
        return
    if not isinstance(name, str):
        refuse(path, f"must be a string, not {json.dumps(name)}")
    if name in NUMERIC_FORMATS:
        low, high = NUMERIC_FORMATS[name]
        conjunction.low, conjunction.low_open = tighter((conjunction.low, conjunction.low_open), (low, False), 1)
        conjunction.high, conjunction.high_open = tighter((conjunction.high, conjunction.high_open), (high, False), -1)
    elif name in formats.REFUSED_FORMATS:
        refuse(path, f"the format {name!r} is not supported")
    elif formats.is_known(name):
        conjunction.formats = (formats.readable(name) if for_generation else name,)
        try:
            refuse_beside_expressions(Strings.of(conjunction))
        except ConstraintError as error:
            refuse(subschema.path, str(error))
