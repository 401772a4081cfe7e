"""A schema as it is given, a Python value or the text of one, as a JSON document.

C reads and compares it, in some microseconds; only where something is wrong a slow loop says what, and where.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any, NamedTuple

from outlines_cont.errors import ConstraintError

from .conjunction import Conjunction, Subschema, Subschemas, escape
from .keywords.checks import SchemaObject
from .keywords.drafts import DEPENDENCIES
from .numerals import DIGITS_PER_SIDE

# --- the order in which a schema comes to the names of properties: that of the properties of an object

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


# --- document

DEEPEST = 1_000  # levels that are looked through: Python reads and writes fewer
_TOO_LARGE = 10**DIGITS_PER_SIDE


def read_document(schema: Any) -> tuple[str, Any]:
    """The JSON text of a schema, and the value that this text has.

    Raises:
        TypeError: `schema` is neither a dict, nor a bool, nor a JSON text.
        ConstraintError: it is not JSON; with the place.
    """
    if not isinstance(schema, (dict, bool, str, bytes)):
        raise TypeError(f"a schema is a dict, a bool, or their JSON text, not {type(schema).__name__}")
    try:
        text, value = _parsed(schema) if isinstance(schema, (str, bytes)) else _copied(schema)
    except RecursionError:
        raise ConstraintError("the schema is nested too deeply") from None
    if not isinstance(value, (dict, bool)):
        raise TypeError(f"a schema is a dict, a bool, or their JSON text, not the text {text[:60]!r}")
    return text, value


def _parsed(given: str | bytes) -> tuple[str, Any]:
    try:
        text = given.decode() if isinstance(given, bytes) else given
        value = _DECODER.decode(text)
    except ValueError as error:
        raise ConstraintError(f"the schema is not JSON: {error}; it begins {given[:60]!r}") from None
    if ("\\u" in text and "\\ud" in text.lower()) or not _is_unicode(text):
        refuse_what_is_not_json(value)
    return text, value


def _copied(schema: Any) -> tuple[str, Any]:
    try:
        text = json.dumps(schema, allow_nan=False, ensure_ascii=False)
        value = json.loads(text)
    except (TypeError, ValueError) as error:
        refuse_what_is_not_json(schema)
        raise ConstraintError(f"the schema is not JSON: {error}") from None
    if value != schema or not _is_unicode(text):  # other keys than strings; or tuples, which are lists
        refuse_what_is_not_json(schema)
    return text, value


def refuse_what_is_not_json(schema: Any) -> None:
    """Refuse what no JSON text says.

    Raises:
        ConstraintError: some value or key is not JSON's; with its JSON pointer.
    """
    todo: list[tuple[str, int, Any]] = [("#", 0, schema)]
    while todo:
        path, depth, value = todo.pop()
        if isinstance(value, dict):
            for key in value:
                problem = _problem(key) if isinstance(key, str) else f"the key {key!r} is no string"
                _refuse_if(problem, path)
            todo += ((f"{path}/{escape(key)}", depth + 1, inner) for key, inner in value.items())
        elif isinstance(value, (list, tuple)):
            todo += ((f"{path}/{i}", depth + 1, inner) for i, inner in enumerate(value))
        else:
            _refuse_if(_problem(value), path)
        _refuse_if("it is nested too deeply, or within itself" if depth > DEEPEST else None, path[:60])


def _problem(value: Any) -> str | None:
    """Why a scalar is no JSON value, or none that is read here; None if it is."""
    if isinstance(value, str):
        return None if _is_unicode(value) else f"{value!r} has a lone surrogate: it is not Unicode"
    if isinstance(value, float) and not isfinite(value):
        return f"{value} is no JSON number"
    if isinstance(value, int) and abs(value) >= _TOO_LARGE:
        return f"numbers have at most {DIGITS_PER_SIDE} digits"
    return None if value is None or isinstance(value, (int, float)) else _unlike_json(value)


def _unlike_json(value: Any) -> str:
    if isinstance(value, type):
        return f"{value.__name__} is a type, and no JSON: a dict is a JSON Schema; for typed fields, write a TypedDict"
    return f"{type(value).__name__} is no JSON type"


def _refuse_if(problem: str | None, path: str) -> None:
    if problem:
        raise ConstraintError(f"the schema is not JSON: at {path}: {problem}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"the number {text} is too large")
    return value


def _short(text: str) -> int:
    if len(text) > DIGITS_PER_SIDE + text.startswith("-"):
        raise ValueError(f"numbers have at most {DIGITS_PER_SIDE} digits")
    return int(text)


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, parse_int=_short)
