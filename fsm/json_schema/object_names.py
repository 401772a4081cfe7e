"""The names of an object's properties that schemas speak of, in their order; and what the values of properties fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple, cast

from ..patterns.parser import parse
from .conjunction import NEVER, Conjunction, Keys, SchemaObject, Subschema, Subschemas, both
from .strings import accepts
from .values_and_keywords import DEPENDENCIES, canonical

# --- the names that schemas speak of, in the order of the schema: that of the properties of an object

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


def _names_of_members(conjunction: Conjunction) -> list[str]:
    return [name for keys, _ in conjunction.members if not keys.others for name in sorted(keys.names)]


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


# --- which schemas the value of a property has to fit: those of its own name, of patterns, and of all other names


class PropertySchemas:
    """The members of conjunctions, looked up by the names of properties."""

    def __init__(self) -> None:
        #: By the id of the conjunction: its members; those of one name each; and all others.
        self._indices: dict[int, tuple[object, dict[str, Subschemas], list[tuple[Keys, Subschemas]]]] = {}

    def of(self, conjunction: Conjunction, name: str) -> Subschemas:
        """What the value of a property fits."""
        index = self._indices.get(id(conjunction))  # asked often
        by_name, others = index[1:] if index and index[0] is conjunction.members else self.index(conjunction)
        subschemas = by_name.get(name, ())
        for keys, more in others:
            if not (keys.others and name in keys.names) and covers(keys, name):
                subschemas = both(subschemas, more) if subschemas else more
        return subschemas

    def declares(self, conjunction: Conjunction, name: str) -> bool:
        """Whether a conjunction speaks of a name that may be there: by itself, by a pattern, or among all others."""
        subschemas = self.of(conjunction, name)
        return bool(subschemas) and all(one.schema is not (not one.fits) for one in subschemas)

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


class Tags:
    """The properties of conjunctions that must be there, and are one of some constants."""

    def __init__(self, properties: PropertySchemas, read: Read):
        self._properties, self._read = properties, read

    @cached_property
    def _of(self) -> Callable[[Conjunction], dict[str, frozenset[str]]]:
        """`_tags`, once for each conjunction."""
        return cast(Callable[[Conjunction], dict[str, frozenset[str]]], cache(self._tags))

    def tell_apart(self, a: Conjunction, b: Conjunction) -> bool:
        """Whether no object fits two conjunctions, because such a property has no constant in common."""
        tags = self._of(b)
        return any(name in tags and values.isdisjoint(tags[name]) for name, values in self._of(a).items())

    def _tags(self, conjunction: Conjunction) -> dict[str, frozenset[str]]:
        """The properties, each with what `canonical` writes of its constants."""
        tags: dict[str, frozenset[str]] = {}
        for name in conjunction.required:
            for subschema in self._properties.of(conjunction, name):
                whole = None if isinstance(subschema.schema, bool) else self._read(subschema)
                if whole is not None and subschema.fits and not whole.compounds and whole.conjunction.values:
                    tags[name] = frozenset(map(canonical, whole.conjunction.values))
        return tags


def may_meet(a: Conjunction, b: Conjunction, is_met: bool = False) -> bool:
    """Whether something may fit two conjunctions, as far as kinds, and names that have to be there, show at a glance.

    is_met: whether it is known that something may fit a.
    """
    kinds, required = a.kinds & b.kinds, {*a.required, *b.required}
    if is_met and a.kinds == kinds:  # then only the names matter of which b says something
        required = {*b.required}.union(*(names & required for (names, _, _), _ in b.members))
    if len(kinds) != 1 or "object" not in kinds or not required:
        return bool(kinds)
    fitted: dict[str, set[Any]] = {}
    for keys, subschemas in (*a.members, *b.members):
        if not required.isdisjoint(keys.names):
            if subschemas is NEVER and not keys.others:
                return False
            if keys.one_name:
                (name,) = keys.names
                fitted.setdefault(name, set()).update(subschema.key for subschema in subschemas)
    return not any((meaning, not fits) in keys for keys in fitted.values() for meaning, fits in keys)


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
