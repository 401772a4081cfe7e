"""JSON Schema → a language of JSON texts.

Everything that is generated is valid. A keyword is enforced, or refused by name and place; what only describes
(`title`, `default`, words that the draft in `$schema` does not know …) is passed over. Where the standard leaves room:

- `extra="forbid"` is for generation: an object has the properties that its schema speaks of, by name or by pattern or
  by a schema for all others, and no more (one that speaks of none may have any); a schema without `type` is of the
  types that its keywords speak of: `minLength` makes it a string. `extra="schema"` is what the standard says: an object
  may have any other properties, and `minLength` does not concern a number. (Words that the standard does not know are
  passed over; but `extra="forbid"` knows OpenAPI's `nullable` and `discriminator`, and refuses words that look like a
  keyword misspelt, and those of another draft.)
- `order="schema"` writes properties in the schema's order, others after them; `order="any"` in any order. No name is
  written twice in one object.
- `spelling="plain"` writes texts and numbers as Python's `json.dumps(ensure_ascii=False)` does: an escape only where
  JSON needs one, so that more is forced; and numbers as `numerals/python.py` says, those of `enum` and `const` as they
  stand there. `spelling="any"` allows all others, too: any escape in strings (property names, `enum` and `const`
  still spell printable ASCII plainly), and the spellings of numbers that `numerals` lists (with `extra="forbid"`,
  integers have no exponents: readers make floats of these, and infinities).
- Numbers are what they are worth: 1.0 is an integer, and equal to 1.
- `pattern` is ECMA-262's dialect and may match anywhere in the string; it, lengths and formats mean the decoded string.
- Whitespace: "compact" has none; "flexible" has, between any two tokens, up to one space, or a line break and any
  number of spaces or tabs; or a pattern of yours. There is none before or after the whole text.
- `format="assert"` enforces the formats that the standard defines, or refuses them by name; others, which it does not
  know, only describe. With `format="annotate"`, all of them do. `json-string` is a format, too: of a string that holds
  JSON, which fits `contentSchema`. There, names, constants, numbers and punctuation have one spelling.

Nothing is built before it is reached: a value is a `JsonValue`, which reads its schema when a walk comes there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID, Node
from ..patterns.json_strings import TEXT_SPELLINGS
from . import limits, numerals
from .blame import EmptyPart, smallest_part
from .conjunction import Conjunction, SchemaObject, Subschema, Subschemas, both, escape, key_of, refuse
from .factors import with_factors
from .keywords import TOO_LARGE, KeywordReader
from .negation import refuse_negation
from .normalize import Normalizer
from .scalars import ENUMERATED, refuse_beside_contents
from .strings import JsonSpelling, Strings, is_irregular, refuse_beside_irregular
from .strings import whitespace as whitespace_of
from .writer import JsonValue, Writer

# --- a schema as it is given, a Python value or the text of one, as a JSON document
#
# C reads and compares it, in some microseconds; only where something is wrong a slow loop says what, and where.


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
        _refuse_if("it is nested too deeply, or within itself" if depth > limits.DEEPEST else None, path[:60])


def _problem(value: Any) -> str | None:
    """Why a scalar is no JSON value, or none that is read here; None if it is."""
    if isinstance(value, str):
        return None if _is_unicode(value) else f"{value!r} has a lone surrogate: it is not Unicode"
    if isinstance(value, float) and not isfinite(value):
        return f"{value} is no JSON number"
    if isinstance(value, int) and abs(value) >= TOO_LARGE:
        return f"numbers have at most {numerals.DIGITS_PER_SIDE} digits"
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
    if len(text) > numerals.DIGITS_PER_SIDE + text.startswith("-"):
        raise ValueError(f"numbers have at most {numerals.DIGITS_PER_SIDE} digits")
    return int(text)


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, parse_int=_short)


# --- what cannot be said beside JSON in strings, or beside the format `regex`, is refused before anything is generated


def refuse_beside_texts(normalizer: Normalizer, conjunction: Conjunction) -> None:
    """Refuse what a conjunction says of such strings, in it or as its items, properties and names.

    Raises:
        ConstraintError: it is not supported; with its JSON pointer.
    """
    if "string" in conjunction.kinds:
        _refuse_in_strings(conjunction)
    for subschemas, values in (*_items(conjunction), *_properties(normalizer, conjunction)):
        for held in normalizer.conjunctions(subschemas) if values else ():
            if held.contents is not None and "string" in held.kinds:
                refuse(held.path, "JSON in a string that 'not' or 'uniqueItems' restricts as well is not supported")
    patterns = any(keys.patterns for keys, *_ in (*conjunction.members, *conjunction.exists))
    for names in normalizer.conjunctions(conjunction.names) if conjunction.names else ():
        if names.contents is not None:
            refuse(names.path, "JSON in the name of a property is not supported")
        if patterns and any(map(is_irregular, names.formats + names.not_formats)):
            of_names = "the format 'regex', or 'x-grammar', of names together with 'patternProperties'"
            refuse(names.path, f"{of_names} is not supported")


def texts_inside(conjunction: Conjunction) -> list[Subschemas]:
    """What lies within a conjunction besides its items and properties."""
    parts = (*conjunction.prefix, conjunction.items)
    items = [both(part, rule.subschemas) for rule in conjunction.contains for part in parts]
    return [*items, *(rule.subschemas for rule in conjunction.exists), conjunction.names, conjunction.contents or ()]


def _refuse_in_strings(conjunction: Conjunction) -> None:
    if conjunction.values is None:
        if conjunction.contents is not None:
            refuse_beside_contents(conjunction)
        try:
            refuse_beside_irregular(Strings.of(conjunction))
        except ConstraintError as error:
            refuse(conjunction.path, str(error))
    elif conjunction.contents is not None and any(isinstance(value, str) for value in conjunction.values):
        refuse(conjunction.path, ENUMERATED)


def _items(conjunction: Conjunction) -> Iterator[tuple[Subschemas, bool]]:
    """The items, and whether values are left out of each: the others', or those of an array that is left out."""
    if "array" in conjunction.kinds:
        high = conjunction.counts[1]
        several = conjunction.unique and (high is None or high > 1)
        lists = [value for value in conjunction.excluded if isinstance(value, list)]
        longest = max(map(len, lists), default=0)
        for i in range(max(len(conjunction.prefix) + 1, longest)):
            yield conjunction.item(i), several or _some_text(value[i] for value in lists if len(value) > i)


def _properties(normalizer: Normalizer, conjunction: Conjunction) -> Iterator[tuple[Subschemas, bool]]:
    """The properties of objects that are left out, and whether each is a text there."""
    for value in conjunction.excluded if "object" in conjunction.kinds else ():
        for name in value if isinstance(value, dict) else ():
            yield normalizer.properties.of(conjunction, name), isinstance(value[name], str)


def _some_text(values: Iterator[Any]) -> bool:
    return any(isinstance(value, str) for value in values)


# --- what is not supported in a schema is refused before anything is generated, wherever it stands

EXCLUDING = ("oneOf", "not", "if")  # the keywords that make schemas exclude each other


def refuse_unsupported(normalizer: Normalizer) -> list[Subschema]:
    """Read all schemas that can be reached.

    Returns:
        Those that many others have led to: Python's stack may be too small to begin with what is outside of them.

    Raises:
        ConstraintError: one of them is not supported, or is no JSON Schema; with its JSON pointer.
    """
    keywords = normalizer.keywords
    combining, excluding, deep = _read_all(keywords)
    if excluding:
        for subschema in combining:  # which may come to too many branches
            normalizer.conjunctions((subschema,))
        for _ in _met(normalizer):
            pass
    if keywords.nested_texts or keywords.irregular:
        for conjunction in _met(normalizer, texts=True):
            refuse_beside_texts(normalizer, conjunction)
    if keywords.unique:
        _refuse_negations(keywords)
    return deep


def _read_all(keywords: KeywordReader) -> tuple[list[Subschema], bool, list[Subschema]]:
    """Read all schemas.

    Returns:
        Those that combine others, but are not combined themselves (these are met within others); whether some keyword
        makes schemas exclude each other; and those that lie deep.
    """
    todo, seen, parts = [(keywords.root, 0)], set(), set()
    combining: list[Subschema] = []
    deep: list[Subschema] = []
    excluding = False
    while todo:
        subschema, depth = todo.pop()
        if isinstance(subschema.schema, bool) or subschema.key[0] in seen:
            continue
        seen.add(subschema.key[0])
        schema_object = keywords.read(subschema)
        target = schema_object.subschema
        if target.key[0] != subschema.key[0]:  # which the schema only refers to
            todo.append((target, depth + 1))
            if subschema.key[0] in parts:
                parts.add(target.key[0])
            continue
        if schema_object.conjunction.unique:
            _refuse_many_compounds(keywords, schema_object)
        for part in reversed(schema_object.inside):
            todo.append((part, depth + 1))
        if depth >= limits.DEEP:
            deep.append(subschema)
        if schema_object.combined:
            combining.append(schema_object.subschema)
        for keyword, subschemas in schema_object.combined:
            excluding = excluding or keyword in EXCLUDING
            for part in subschemas:
                parts.add(part.key[0])
    _refuse_circles(keywords, combining)
    wholes = [subschema for subschema in combining if subschema.key[0] not in parts]  # the others are met within these
    return wholes, excluding, deep


def _refuse_circles(keywords: KeywordReader, combining: list[Subschema]) -> None:
    """Refuse schemas that combine others which, for the same value, lead back to them."""
    under_way: set[Any] = set()
    done: set[Any] = set()
    todo = [(subschema, False) for subschema in reversed(combining)]
    while todo:
        subschema, is_left = todo.pop()
        key = subschema.key[0]
        if is_left:
            under_way.discard(key)
            done.add(key)
        elif key in under_way:
            refuse(subschema, "leads back to itself")
        elif key not in done:
            under_way.add(key)
            todo.append((subschema, True))
            for _, parts in keywords.read(subschema).combined:
                for part in parts:
                    if isinstance(part.schema, dict):  # no bool; nor a name, see `dependentSchemas`
                        todo.append((keywords.read(part).subschema, False))


def _refuse_many_compounds(keywords: KeywordReader, schema_object: SchemaObject) -> None:
    """Refuse too many listed lists and objects under `uniqueItems`."""
    conjunction = schema_object.conjunction
    if conjunction.counts[1] in (0, 1):
        return
    for part in {part.key: part for part in chain(*conjunction.prefix, conjunction.items)}.values():
        if part.fits and not isinstance(part.schema, bool):
            count = len(keywords.read(part).compound_values)
            if count > limits.UNIQUE_COMPOUNDS:
                problem = f"'uniqueItems' over {count} lists and objects of an 'enum' is not supported"
                refuse(
                    f"{schema_object.subschema.path}/uniqueItems", f"{problem}: at most {limits.UNIQUE_COMPOUNDS} are"
                )


def _met(normalizer: Normalizer, texts: bool = False) -> Iterator[Conjunction]:
    """The conjunctions of the first values: several schemas together may come to too many branches.

    texts: whether those count, too, that lie neither in items nor in properties.
    """
    todo: list[Subschemas] = [(normalizer.keywords.root,)]
    seen: set[Any] = set()
    for subschemas in todo:  # grows while it is read
        if len(seen) == limits.AHEAD:
            return
        key = key_of(subschemas)
        if subschemas and key not in seen:
            seen.add(key)
            for conjunction in with_factors(normalizer.conjunctions(subschemas)):
                yield conjunction
                by_name, others = normalizer.properties.index(conjunction)
                todo += [normalizer.properties.of(conjunction, name) for name in by_name]
                todo += [*(members for _, members in others), *conjunction.prefix, conjunction.items]
                todo += texts_inside(conjunction) if texts else []


def _refuse_negations(keywords: KeywordReader) -> None:
    """Refuse what is not supported in the schemas that something must not fit."""
    todo, seen = keywords.negated, set()
    while todo:
        subschema = todo.pop()
        if subschema.key[0] not in seen and not isinstance(subschema.schema, bool):
            seen.add(subschema.key[0])
            schema_object = keywords.read(subschema)
            refuse_negation(schema_object)
            todo += schema_object.inside


# --- compiler

#: The options of a schema besides whitespace, each with its values.
OPTIONS = {"order": ("schema", "any"), "extra": ("forbid", "schema"), "format": ("assert", "annotate")}
OPTIONS |= {"spelling": (*TEXT_SPELLINGS,)}


def language(
    document: Any,
    whitespace: str = "compact",
    order: str = "schema",
    extra: str = "forbid",
    format: str = "assert",
    spelling: str = "plain",
) -> Node:
    """The JSON texts that are valid under a schema, over bytes; VOID if there are none.

    Args:
        document: the schema, a dict or a bool, as `read_document` gives it.
        whitespace: "compact", "flexible", or a pattern.
        order: "schema" or "any". extra: "forbid" or "schema". format: "assert" or "annotate". spelling: "plain"
            or "any".

    Raises:
        ValueError: an option that there is not.
        ConstraintError: something in it is not supported, or is no JSON Schema; with its JSON pointer. Or numbers as
            Python writes them do not fit, and others do.
    """
    for name, value in (("order", order), ("extra", extra), ("format", format), ("spelling", spelling)):
        if value not in OPTIONS[name]:
            raise ValueError(f"{name}={value!r}: it is {' or '.join(map(repr, OPTIONS[name]))}")
    try:
        writer, deep = _read(document, whitespace, order, extra, format, spelling)
        if _inhabited(writer, deep):
            return JsonValue(writer, (writer.normalizer.keywords.root,))
        if spelling == "plain" and _inhabited(*_read(document, whitespace, order, extra, format, "any")):
            part = smallest_part(writer)
            where = "" if part is None else f"{part}: "
            raise ConstraintError(
                f"{where}no number that Python writes fits the schema (an int, or a float of at most 17 digits): "
                'spelling="any" allows others'
            )
        return VOID
    except RecursionError:
        raise ConstraintError("the schema is nested too deeply") from None


def unsatisfied(document: Any, *options: str) -> EmptyPart | None:
    """The smallest part to blame for a schema whose `language` is VOID; None for all of it. options: those of it."""
    return smallest_part(_read(document, *options)[0])


def _read(
    document: Any, whitespace: str, order: str, extra: str, format: str, spelling: str
) -> tuple[Writer, list[Subschema]]:
    """What writes a schema, and its schemas that lie deep."""
    keywords = KeywordReader(document, asserts_formats=format == "assert", for_generation=extra == "forbid")
    normalizer = Normalizer(keywords)
    deep = refuse_unsupported(normalizer)
    json_spelling = JsonSpelling(whitespace_of(whitespace), TEXT_SPELLINGS[spelling])
    return Writer(normalizer, json_spelling, order == "any"), deep


def _inhabited(writer: Writer, deep: Sequence[Subschema]) -> bool:
    """Whether some value fits. deep: schemas that are asked first, from inside out, to save Python's stack."""
    for subschema in reversed(deep):
        writer.inhabited((subschema,))
    return writer.inhabited((writer.normalizer.keywords.root,))
