"""What cannot be said beside JSON in strings, or beside the format `regex`, is refused before anything is generated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from outlines_cont.errors import ConstraintError

from . import formats
from .conjunction import Conjunction
from .normalize import Normalizer
from .scalars import ENUMERATED, refuse_beside_contents
from .strings import Strings, refuse_beside_expressions
from .subschema import Subschemas, both, refuse


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
        if patterns and formats.REGEX in names.formats + names.not_formats:
            refuse(names.path, "the format 'regex' of names together with 'patternProperties' is not supported")


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
            refuse_beside_expressions(Strings.of(conjunction))
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
