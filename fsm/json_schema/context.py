"""What the parts of a schema's language know of the whole, and what follows one that may not come again.

`writer.py` puts the parts together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from ..engine.memory import Pending, Wall
from ..language.nodes import EMPTY, Bounds, Node, cat
from ..language.tries import literal
from . import limits
from .conjunction import Subschema, Subschemas
from .normalize import Normalizer
from .scalars import Scalars
from .strings import JsonSpelling
from .values_and_keywords import canonical, unspelled

# --- finite sets of values as schemas: those that fit, those that are left out, and those that are told apart


def numbers_in(members: int) -> Iterator[int]:
    """The numbers of the bits of a set, from the least on."""
    while members:
        least = members & -members
        yield least.bit_length() - 1
        members ^= least


class Listings:
    """Schemas of given values, one for equal ones. A set of values is an int: one bit for each, by its number.

    Args:
        schema_of: gives a schema that some values fit, and no others.
    """

    def __init__(self, schema_of: Callable[[list[Any]], Subschema]):
        self._schema_of = schema_of
        self._numbers: dict[str, int] = {}  # of the values, by what `canonical` writes
        self._values: list[Any] = []  # by number, unspelled
        self._schemas: dict[int, Subschema] = {}
        self._sets: dict[Any, int] = {}  # of each schema, by its key

    def set_of(self, values: Iterable[Any]) -> int:
        """The set of these values, as the bits of an int."""
        members = 0
        for value in values:
            number = self._numbers.setdefault(canonical(value), len(self._values))
            if number == len(self._values):
                self._values.append(unspelled(value))
            members |= 1 << number
        return members

    def of(self, values: Iterable[Any]) -> Subschema:
        """A schema that these values fit, and no others: one for equal ones."""
        return self.of_set(self.set_of(values))

    def of_set(self, members: int) -> Subschema:
        """A schema that the values of this set fit, and no others: one for equal sets."""
        schema = self._schemas.get(members)
        if schema is None:
            schema = self._schemas[members] = self._schema_of([self._values[i] for i in numbers_in(members)])
            self._sets[schema.key] = members
        return schema

    def without_excluded(self, subschemas: Subschemas) -> tuple[Subschemas, int]:
        """The subschemas that do more than leave out values; and the set of the values left out."""
        excluded = [None if schema.fits else self._sets.get((schema.key[0], True)) for schema in subschemas]
        members = 0
        for left_out in excluded:
            members |= left_out or 0
        if not members:
            return subschemas, 0
        return tuple(x for x, left_out in zip(subschemas, excluded, strict=True) if left_out is None), members

    def told_apart(self, rivals: dict[Any, Any]) -> list[tuple[Subschemas, frozenset[Any]]]:
        """A schema for each different value of these rivals, with those that have it; and one for all other values."""
        groups: dict[int, set[Any]] = {}
        for rival, value in rivals.items():
            groups.setdefault(self.set_of([value]), set()).add(rival)
        schemas = [((self.of_set(value),), frozenset(which)) for value, which in groups.items()]
        return [*schemas, ((self.of_set(sum(groups)).negated(),), frozenset())]


# --- context


class SchemaContext(Protocol):
    """The values within arrays and objects: how they are written, whether there are any, and which.

    Attributes:
        any_order: whether properties may come in any order.
        sizing: of how many properties, one within another, the shortest values are being looked for.
    """

    normalizer: Normalizer
    spelling: JsonSpelling
    scalars: Scalars
    listings: Listings
    any_order: bool
    sizing: int

    def value(self, subschemas: Subschemas) -> Node:
        """The texts that are valid under all of `subschemas`; VOID if there are none."""
        ...

    def spelled(self, subschemas: Subschemas) -> Node:
        """The texts that are valid under all of `subschemas`, built at once: for a value that comes next."""
        ...

    def inhabited(self, subschemas: Subschemas) -> bool:
        """Whether some value fits."""
        ...

    def listed(self, subschemas: Subschemas, most: int = limits.FEW_VALUES) -> list[Any] | None:
        """All values that fit, one for equal ones; None if there are more than `most`."""
        ...

    def listed_set(self, subschemas: Subschemas, most: int = limits.FEW_VALUES) -> int | None:
        """The set, by `listings`, of all values that fit; None if there are more than `most`."""
        ...

    @property
    def looking(self) -> bool:
        """Whether a search for values is under way: then what seems to have no value may lack one only here."""
        ...


# --- what follows a part that may not come again


class AfterPart(Pending):
    """What follows an item, or an undeclared property, that may not come again and is not known yet.

    Args:
        shape: the `Arrays`, or the `Objects`, which say what follows.
        place: what they are told besides the branches. taken: what came before it, and may not come again.
    """

    __slots__ = ("_last", "branches", "place", "shape", "taken")
    forgets = ("_last", "taken")

    def __init__(self, shape: Any, branches: Sequence[Any], place: tuple[int, ...], taken: Any):
        self.nullable, self.shape, self.branches, self.place, self.taken = False, shape, branches, place, taken
        self._last: tuple[bytes, Node] | None = None  # the text that was asked about last, and what follows it

    def lengths(self) -> Bounds:
        return 1 + self.shape.least(self.branches, *self.place), None

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        shape, spelling = self.shape, self.shape.spelling
        comma = cat(spelling.space, spelling.spell(literal(b",")))
        edges: list[tuple[Node, Node]] = [(comma, Wall(self.lengths()[0], self.resolved))]
        if any(shape.ends(branch, *self.place) for branch in self.branches):
            edges.append((shape.closing, EMPTY))
        return edges

    def resolved(self, text: bytes) -> Node:
        last = self._last
        if last is None or last[0] != text:
            last = self._last = text, self.shape.resolved(self.branches, *self.place, self.taken, text)
        return last[1]
