"""JSON values: their kinds, and when two are equal; and all keywords of JSON Schema, in one table.

A keyword is a row here, read by `keywords.py` into a condition of a `Conjunction`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from outlines_cont.errors import ConstraintError

from .formats import is_known

# --- JSON values: their kinds, when two are equal, and one text for equal ones

#: The kinds of JSON values. A "number" is an integer (1, 1.0, 1e2) or a fraction.
KINDS = ("null", "boolean", "integer", "fraction", "string", "array", "object")
ALL = frozenset(KINDS)
NUMBERS = frozenset(("integer", "fraction"))
SCALARS = ALL - {"array", "object"}
STRING, ARRAY, OBJECT = frozenset(["string"]), frozenset(["array"]), frozenset(["object"])
NO_KIND: frozenset[str] = frozenset()
#: What `type` says.
TYPES = {
    **{kind: frozenset([kind]) for kind in ("null", "boolean", "integer", "string", "array", "object")},
    "number": NUMBERS,
}


def equal(a: Any, b: Any) -> bool:
    """JSON equality: 1 is 1.0, and true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if type(a) is type(b) or not (isinstance(a, _NUMBER) and isinstance(b, _NUMBER)):
        return type(a) is type(b) and a == b
    return exactly(a) == exactly(b)


_NUMBER = (int, float, Fraction)


def exactly(value: Any) -> Fraction:
    """A number as it is written, not as it is rounded."""
    if type(value) is Fraction:
        return value
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def unspelled(value: Any) -> Any:
    """A JSON value with every number as a `Fraction`, which has no spelling of its own."""
    if isinstance(value, list):
        return [unspelled(x) for x in value]
    if isinstance(value, dict):
        return {name: unspelled(x) for name, x in value.items()}
    return exactly(value) if isinstance(value, _NUMBER) and not isinstance(value, bool) else value


def canonical(value: Any) -> str:
    """One text for equal values."""
    if isinstance(value, (float, Fraction)):
        return str(exactly(value))
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(name)}:{canonical(value[name])}' for name in sorted(value))}}}"
    return json.dumps(value)


def kind_of(value: Any) -> str:
    """What a value is: 2.0 is an integer."""
    kind = _KIND_OF.get(type(value))
    if kind is None:
        if isinstance(value, float):
            return "integer" if value.is_integer() else "fraction"
        if isinstance(value, Fraction):
            return "integer" if value.denominator == 1 else "fraction"
        raise ConstraintError(f"{value!r} is no JSON value")
    return kind


_KIND_OF: dict[type, str] = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
_KIND_OF[type(None)] = "null"


# --- the table


def _are_schemas(parts: Iterable[Any]) -> bool:
    return all(isinstance(part, (dict, bool)) for part in parts)


#: What values of keywords look like. (True and false are schemas, too, but seldom meant.)
_SHAPES: dict[str, Callable[[Any], bool]] = {
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "truth": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "schema": lambda value: isinstance(value, dict),
    "type": lambda value: all(
        isinstance(x, str) and x in TYPES for x in (value if isinstance(value, list) else [value])
    ),
    "format": lambda value: isinstance(value, str) and is_known(value),
    "reference": lambda value: isinstance(value, str) and ("#" in value or "/" in value),
    "schemas": lambda value: isinstance(value, list) and _are_schemas(value),
    "schema or schemas": lambda value: isinstance(value, dict) or (isinstance(value, list) and _are_schemas(value)),
    "schemas by name": lambda value: isinstance(value, dict) and _are_schemas(value.values()),
}
FIRST, LAST = "04", "2020-12"


class Keyword(NamedTuple):
    """What is known of a keyword beside its meaning.

    Attributes:
        group: the keywords that are read together, by a name for them; "" for one that is read with another, or not.
        speaks_of: the kinds of values that it restricts; none if it is no keyword of some kinds.
        shape: what its values look like: see `_SHAPES`.
        drafts: the first and the last draft that has it.
        within: the kinds that matter for a keyword that only means something beside another; None for others.
        plain: whether its meaning is in its value, and in nothing around the schema.
    """

    group: str
    speaks_of: frozenset[str] = NO_KIND
    shape: str = "object"
    drafts: tuple[str, str] = (FIRST, LAST)
    within: frozenset[str] | None = None
    plain: bool = False

    def may_be(self, value: Any) -> bool:
        """Whether a value looks like one of its own."""
        return _SHAPES[self.shape](value)

    @property
    def restricts(self) -> bool:
        """Whether it may make a value not fit, by itself."""
        return self.within is None and self.group not in ("", "names", "describing")


KEYWORDS: dict[str, Keyword] = {}


def _rows(names: str, group: str, *fields: Any, **more: Any) -> None:
    row = Keyword(group, *fields, **more)
    KEYWORDS.update(dict.fromkeys(names.split(), row))


_rows("type", "type", NO_KIND, "type", plain=True)
_rows("enum", "constants", NO_KIND, "list", plain=True)
_rows("const", "constants", plain=True, drafts=("06", LAST))
_rows("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", "numbers", NUMBERS, "number", plain=True)
_rows("minLength maxLength", "strings", STRING, "number", plain=True)
_rows("pattern", "strings", STRING, "text", plain=True)
_rows("x-quote x-grammar", "strings", STRING)
_rows("format", "format", STRING, "format", plain=True)
_rows("items", "arrays", ARRAY, "schema or schemas")
_rows("prefixItems", "arrays", ARRAY, "schemas", drafts=(LAST, LAST))
_rows("additionalItems", "arrays", ARRAY, shape="schema", drafts=(FIRST, "2019-09"))
_rows("minItems maxItems", "arrays", ARRAY, "number")
_rows("uniqueItems", "arrays", ARRAY, "truth")
_rows("contains", "arrays", ARRAY, shape="schema", drafts=("06", LAST))
_rows("minContains maxContains", "", shape="number", drafts=("2019-09", LAST), within=ARRAY)
_rows("properties patternProperties", "objects", OBJECT, "schemas by name")
_rows("additionalProperties", "objects", OBJECT, shape="schema")
_rows("required", "objects", OBJECT)
_rows("minProperties maxProperties", "objects", OBJECT, "number")
_rows("propertyNames", "objects", OBJECT, shape="schema", drafts=("06", LAST))
_rows("discriminator", "objects", within=ALL)
_rows("$ref", "combining", NO_KIND, "reference")  # from here on, the order is that in which they are read
_rows("$dynamicRef", "combining", drafts=(LAST, LAST))
_rows("$recursiveRef", "combining", drafts=("2019-09", "2019-09"))
_rows("allOf anyOf oneOf", "combining", NO_KIND, "schemas")
_rows("not", "combining", shape="schema")
_rows("if", "combining", shape="schema", drafts=("07", LAST))
_rows("then else", "", shape="schema", drafts=("07", LAST), within=ALL)
_rows("dependentSchemas", "depending", OBJECT, "schemas by name", drafts=("2019-09", LAST))
_rows("dependentRequired", "depending", OBJECT, drafts=("2019-09", LAST))
_rows("dependencies", "depending", OBJECT, "schemas by name", drafts=(FIRST, "07"))
_rows("unevaluatedProperties", "unevaluated", OBJECT, shape="schema", drafts=("2019-09", LAST))
_rows("unevaluatedItems", "unevaluated", ARRAY, shape="schema", drafts=("2019-09", LAST))
_rows("$id", "names", NO_KIND, "text", drafts=("06", LAST))
_rows("$anchor", "names", NO_KIND, "text", drafts=("2019-09", LAST))
_rows("$dynamicAnchor", "names", NO_KIND, "text", drafts=(LAST, LAST))
_rows("$defs definitions", "names", NO_KIND, "schemas by name")
_rows("id", "", drafts=(FIRST, FIRST))
_rows("$recursiveAnchor", "", drafts=("2019-09", "2019-09"))
_rows("nullable", "", shape="truth", within=ALL)
_rows("title description default example examples $comment deprecated readOnly writeOnly", "describing")
_rows("$schema $vocabulary xml externalDocs links contentEncoding contentMediaType contentSchema", "")


def keywords_that(holds: Callable[[Keyword], object]) -> tuple[str, ...]:
    """The keywords of which something holds, in the order of the table."""
    return tuple(name for name, keyword in KEYWORDS.items() if holds(keyword))


def group(*names: str) -> tuple[str, ...]:
    """The keywords of some groups."""
    return keywords_that(lambda keyword: keyword.group in names)


#: Of each keyword: those that are read with it, and the kinds of values that it speaks of, if it does.
GROUPS = {name: keyword.group for name, keyword in KEYWORDS.items()}
SPEAKS_OF = {name: keyword.speaks_of for name, keyword in KEYWORDS.items() if keyword.speaks_of}
COMBINING, DEPENDENCIES, UNEVALUATED = group("combining", "depending"), group("depending"), group("unevaluated")
#: What names a schema: strings; and what holds schemas by name, that nothing fits.
DEFINITIONS = frozenset(["$defs", "definitions"])
IDENTIFIERS = tuple(name for name in group("names") if name not in DEFINITIONS)
