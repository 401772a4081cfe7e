"""Which schemas the value of a property has to fit: those of its own name, of patterns, and of all other names."""

from __future__ import annotations

from functools import lru_cache

from ..patterns.parser import parse
from .conjunction import Conjunction, Keys, Subschemas, both
from .strings import accepts


class PropertySchemas:
    """The members of conjunctions, looked up by the names of properties."""

    def __init__(self) -> None:
        #: By the id of the conjunction: its members; those of one name each; and all others.
        self._indices: dict[int, tuple[object, dict[str, Subschemas], list[tuple[Keys, Subschemas]]]] = {}

    def of(self, conjunction: Conjunction, name: str) -> Subschemas:
        """What the value of a property fits."""
        by_name, others = self.index(conjunction)
        subschemas = by_name.get(name, ())
        for keys, more in others:
            if not (keys.others and name in keys.names) and covers(keys, name):
                subschemas = both(subschemas, more) if subschemas else more
        return subschemas

    def declares(self, conjunction: Conjunction, name: str) -> bool:
        """Whether a conjunction speaks of a name: by itself, by a pattern, or by a schema for all others."""
        by_name, others = self.index(conjunction)
        return name in by_name or any(covers(keys, name) and keys.others <= conjunction.extras for keys, _ in others)

    def index(self, conjunction: Conjunction) -> tuple[dict[str, Subschemas], list[tuple[Keys, Subschemas]]]:
        """The members of a conjunction: those of one name each; and all others."""
        index = self._indices.get(id(conjunction))
        if index is None or index[0] is not conjunction.members:
            by_name: dict[str, Subschemas] = {}
            others = []
            for keys, subschemas in conjunction.members:
                names, patterns, all_others = keys
                if len(names) == 1 and not patterns and not all_others:
                    (name,) = names
                    by_name[name] = both(by_name[name], subschemas) if name in by_name else subschemas
                else:
                    others.append((keys, subschemas))
            index = self._indices[id(conjunction)] = (conjunction.members, by_name, others)
        return index[1:]


def covers(keys: Keys, name: str) -> bool:
    """Whether a name is one of these."""
    if name in keys.names:
        return not keys.others
    for pattern in keys.patterns:
        if _searches(pattern, name):
            return not keys.others
    return keys.others


@lru_cache(maxsize=4096)
def _searches(pattern: str, text: str) -> bool:
    """Whether a pattern, of JSON Schema's kind, matches somewhere in a text."""
    return accepts(parse(pattern, search=True), text)
