"""What is not supported in a schema is refused before anything is generated, wherever it stands."""

from __future__ import annotations

from typing import Any

from .factors import with_factors
from .keywords.reader import KeywordReader
from .negation import refuse_negation
from .normalize import Normalizer
from .subschema import Subschema, Subschemas, key_of

AHEAD_LIMIT = 2_000  # values that are looked at beforehand, where schemas exclude each other
DEEP = 20  # schemas that lead to one another
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
        _look_ahead(normalizer)
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


def _look_ahead(normalizer: Normalizer) -> None:
    """Normalize what the first values fit, several schemas together, which may come to too many branches."""
    todo: list[Subschemas] = [(normalizer.keywords.root,)]
    seen: set[Any] = set()
    while todo and len(seen) < AHEAD_LIMIT:
        subschemas = todo.pop(0)
        key = key_of(subschemas)
        if subschemas and key not in seen:
            seen.add(key)
            for conjunction in with_factors(normalizer.conjunctions(subschemas)):
                by_name, others = normalizer.properties.index(conjunction)
                todo += [normalizer.properties.of(conjunction, name) for name in by_name]
                todo += [*(members for _, members in others), *conjunction.prefix, conjunction.items]


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
