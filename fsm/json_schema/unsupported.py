"""What is not supported in a schema is refused before anything is generated, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from .conjunction import Conjunction
from .factors import with_factors
from .keywords.reader import KeywordReader
from .keywords.schema_object import SchemaObject
from .negation import refuse_negation
from .normalize import Normalizer
from .subschema import Subschema, Subschemas, key_of, refuse
from .unsupported_texts import refuse_beside_texts, texts_inside

AHEAD_LIMIT = 2_000  # values that are looked at beforehand, where schemas exclude each other
DEEP = 20  # schemas that lead to one another
UNIQUE_COMPOUNDS = 256  # lists and objects of an `enum` that items must not repeat: each item is told from all others
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
    if keywords.nested_texts or keywords.expressions:
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
        if subschema.key[0] not in seen:
            seen.add(subschema.key[0])
            if not isinstance(subschema.schema, bool):
                schema_object = keywords.read(subschema)
                if schema_object.conjunction.unique:
                    _refuse_many_compounds(keywords, schema_object)
                for part in reversed(schema_object.inside):
                    todo.append((part, depth + 1))
                if depth >= DEEP:
                    deep.append(subschema)
                if schema_object.combined:
                    combining.append(schema_object.subschema)
                for keyword, subschemas in schema_object.combined:
                    excluding = excluding or keyword in EXCLUDING
                    for part in subschemas:
                        parts.add(part.key[0])
    wholes = [subschema for subschema in combining if subschema.key[0] not in parts]  # the others are met within these
    return wholes, excluding, deep


def _refuse_many_compounds(keywords: KeywordReader, schema_object: SchemaObject) -> None:
    """Refuse too many listed lists and objects under `uniqueItems`."""
    conjunction, path = schema_object.conjunction, schema_object.subschema.path
    if conjunction.counts[1] in (0, 1):
        return
    for part in {part.key: part for part in chain(*conjunction.prefix, conjunction.items)}.values():
        if part.fits and not isinstance(part.schema, bool):
            count = len(keywords.read(part).compound_values)
            if count > UNIQUE_COMPOUNDS:
                problem = f"'uniqueItems' over {count} lists and objects of an 'enum' is not supported"
                refuse(f"{path}/uniqueItems", f"{problem}: at most {UNIQUE_COMPOUNDS} are")


def _met(normalizer: Normalizer, texts: bool = False) -> Iterator[Conjunction]:
    """The conjunctions of the first values: several schemas together may come to too many branches.

    texts: whether those count, too, that lie neither in items nor in properties.
    """
    todo: list[Subschemas] = [(normalizer.keywords.root,)]
    seen: set[Any] = set()
    while todo and len(seen) < AHEAD_LIMIT:
        subschemas = todo.pop(0)
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
