"""One conjunction of JSON Schema's keywords, without references and combinations.

A schema is brought into disjunctive normal form: a list of `Conjunction`s, at least one of which every valid value
fits. `normalize.py` makes them; `merge` combines two:   fits(v, merge(a, b))  <=>  fits(v, a) and fits(v, b)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ..language.nodes import Bounds
from .json_values import ALL, canonical
from .subschema import Subschema, Subschemas, both

NO_SPAN: Bounds = (0, None)
DIGITS, LONGER = "digits", "longer"  # how an integer is spelled: by digits alone; with a point or an exponent
SPELLINGS = frozenset([DIGITS, LONGER])


class Keys(NamedTuple):
    """Some names of properties: those listed and those that match a pattern; or (`others`) all the others."""

    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    others: bool = False

    @property
    def one_name(self) -> bool:
        """Whether this is one name, and nothing else."""
        return len(self.names) == 1 and not self.patterns and not self.others


EVERY_KEY = Keys(others=True)


class Contains(NamedTuple):
    """Of the items from `start` on, so many fit."""

    subschemas: Subschemas
    counts: Bounds
    start: int


class Exists(NamedTuple):
    """Some property has one of these keys, a name that fits, and a value that fits."""

    keys: Keys
    names: Subschemas
    subschemas: Subschemas


class Conjunction:
    """One conjunction of keywords. What is said of a kind restricts the values of that kind only.

    Attributes:
        origin: the schema that says it, or its JSON pointer, for messages.
        kinds: what the value may be.
        mentioned: the kinds that keywords speak of; for schemas that do not say a type.
        values: if not None, the value is one of these scalars. excluded: and none of these, of any kind.
        low, high, low_open, high_open, multiples, not_multiples: of numbers.
        integers: the spellings that integers may have; it counts in draft 4 only.
        patterns, not_patterns, formats, not_formats, lengths: of strings. contents: if not None, what the JSON in a
            string fits.
        prefix, items, counts, contains, unique: of arrays; `items` is of what comes after the prefix.
        members, names, required, sizes, exists: of objects; `names` is what the keys fit.
        factors: of objects, too: of each factor, one conjunction also holds (see `factors.py`).
        order: the names that the schema speaks of, in its order, if that is not the one of `members` and `required`.
        declares, extras: whether an object says which properties it has; and what its other properties are.
        evaluated: the keys that a keyword has spoken of; for `unevaluatedProperties`. evaluated_items: how many items
            from the first on (None: all), matched: or what they fit; for `unevaluatedItems`.
    """

    origin: Subschema | str
    kinds: frozenset[str] = ALL
    mentioned: frozenset[str] = frozenset()
    values: tuple[Any, ...] | None = None
    excluded: tuple[Any, ...] = ()
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    multiples: tuple[Fraction, ...] = ()
    not_multiples: tuple[Fraction, ...] = ()
    integers: frozenset[str] = SPELLINGS
    patterns: tuple[str, ...] = ()
    not_patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    lengths: Bounds = NO_SPAN
    contents: Subschemas | None = None
    prefix: tuple[Subschemas, ...] = ()
    items: Subschemas = ()
    counts: Bounds = NO_SPAN
    contains: tuple[Contains, ...] = ()
    unique: bool = False
    members: tuple[tuple[Keys, Subschemas], ...] = ()
    names: Subschemas = ()
    required: tuple[str, ...] = ()
    sizes: Bounds = NO_SPAN
    exists: tuple[Exists, ...] = ()
    factors: tuple[tuple[Conjunction, ...], ...] = ()
    order: tuple[str, ...] = ()
    declares: bool = False
    extras: bool = False
    evaluated: tuple[Keys, ...] = ()
    evaluated_items: int | None = 0
    matched: Subschemas = ()

    def __init__(self, origin: Subschema | str, **fields: Any):
        """Fields that are not given are as the class has them, and take no room."""
        self.origin = origin
        self.__dict__.update(fields)

    @property
    def path(self) -> str:
        """The JSON pointer of its origin, for messages."""
        return self.origin if isinstance(self.origin, str) else self.origin.path

    def but(self, **changed: Any) -> Conjunction:
        """The same, but for what is given."""
        other = Conjunction.__new__(Conjunction)
        other.__dict__.update(self.__dict__, **changed)
        return other

    @property
    def restricts_numbers(self) -> bool:
        """Whether some numbers do not fit because of their value (and not because they are excluded)."""
        return self.low is not None or self.high is not None or bool(self.multiples or self.not_multiples)

    def item(self, i: int) -> Subschemas:
        """What the item of index i fits."""
        return self.prefix[i] if i < len(self.prefix) else self.items


#: What a conjunction says of the parts of values.
_OF_PARTS = ("contents", "prefix", "items", "contains", "members", "names", "required", "exists", "factors", "declares")


def is_exact(conjunction: Conjunction) -> bool:
    """Whether for generation the same values fit as by the standard: it says a kind, and nothing of parts of values."""
    if conjunction.mentioned and conjunction.kinds == ALL and conjunction.values is None:
        return False
    return all(getattr(conjunction, name) == getattr(Conjunction, name) for name in _OF_PARTS)


def merge(a: Conjunction, b: Conjunction) -> Conjunction:
    """Both hold."""
    ours, theirs = a.__dict__, b.__dict__
    if len(theirs) == 1:
        return a
    changed: dict[str, Any] = {}
    for name, y in theirs.items():
        if name != "origin" and y != (nothing := getattr(Conjunction, name)):
            x = ours.get(name, nothing)
            changed[name] = y if x == nothing else _MERGERS[name](x, y)
    if "low" in changed or "low_open" in changed:
        changed["low"], changed["low_open"] = tighter((a.low, a.low_open), (b.low, b.low_open), 1)
    if "high" in changed or "high_open" in changed:
        changed["high"], changed["high_open"] = tighter((a.high, a.high_open), (b.high, b.high_open), -1)
    if "prefix" in changed or "items" in changed:  # where one prefix ends, that one's items go on
        longest = max(len(a.prefix), len(b.prefix))
        changed["prefix"] = tuple(both(a.item(i), b.item(i)) for i in range(longest))
    return a.but(**changed) if changed else a


def tighter(a: tuple[Any, bool], b: tuple[Any, bool], sign: int) -> tuple[Any, bool]:
    """The tighter of two bounds, each with whether it is exclusive; sign: 1 for lower ones, −1 for upper ones."""
    if a[0] is None and b[0] is None:
        return None, False
    if a[0] is None or b[0] is None:
        return b if a[0] is None else a
    return max(a, b, key=lambda bound: (sign * bound[0], bound[1]))


def narrower(a: Bounds, b: Bounds) -> Bounds:
    """What lies in both."""
    highs = [x for x in (a[1], b[1]) if x is not None]
    return max(a[0], b[0]), min(highs, default=None)


def _together(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(a + b))


def _joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return a + tuple([x for x in b if x not in a])


def _common(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of both. Where one is a number that was listed, a `Fraction`, the other has a spelling."""
    equals: dict[str, list[Any]] = {}
    for y in b:
        equals.setdefault(canonical(y), []).append(y)
    return tuple(y if isinstance(x, Fraction) else x for x in a for y in equals.get(canonical(x), ()))


def _later(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


_MERGERS: dict[str, Any] = {
    "kinds": lambda a, b: a & b,
    "integers": lambda a, b: a & b,
    "mentioned": lambda a, b: a | b,
    "values": _common,
    "excluded": lambda a, b: a + b,
    "lengths": narrower,
    "counts": narrower,
    "sizes": narrower,
    "items": both,
    "names": both,
    "contents": both,
    "matched": both,
    "members": _joined,
    "contains": _joined,
    "exists": _joined,
    "factors": _joined,
    "evaluated_items": _later,
    "order": lambda a, b: a,
    **dict.fromkeys(("multiples", "not_multiples", "patterns", "not_patterns"), _together),
    **dict.fromkeys(("formats", "not_formats", "required", "evaluated", "prefix"), _together),
    **dict.fromkeys(("low", "high", "low_open", "high_open", "unique", "declares", "extras"), lambda a, b: a or b),
}


def within(count: int, span: Bounds) -> bool:
    return span[0] <= count and (span[1] is None or count <= span[1])
