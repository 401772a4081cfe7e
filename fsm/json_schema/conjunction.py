"""One conjunction of JSON Schema's keywords, without references and combinations.

A schema is brought into disjunctive normal form: a list of `Conjunction`s, at least one of which every valid value
fits. `normalize.py` makes them; `merge` combines two:   fits(v, merge(a, b))  <=>  fits(v, a) and fits(v, b)
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, NamedTuple

from outlines_cont.errors import ConstraintError

from ..language.nodes import Span

#: The kinds of JSON values. A "number" is an integer (1, 1.0, 1e2) or a fraction.
KINDS = ("null", "boolean", "integer", "fraction", "string", "array", "object")
ALL = frozenset(KINDS)
NUMBERS = frozenset(("integer", "fraction"))
SCALARS = ALL - {"array", "object"}
NO_SPAN: Span = (0, None)


class Place:
    """A schema, or what does not fit it, and where it stands.

    Attributes:
        schema: a dict or a bool.
        home: the resource in which its references are looked up: see `references.py`.
        fits: False for the values that do not fit the schema.
        key: equal for places that mean the same.
    """

    __slots__ = ("_path", "_within", "fits", "home", "key", "schema")

    def __init__(self, schema: Any, path: str, home: Any, fits: bool = True, within: Place | None = None):
        """`path` goes on from that of the place `within`."""
        self.schema, self._path, self._within, self.home, self.fits = schema, path, within, home, fits
        self.key = (_meaning(schema), fits)

    @property
    def path(self) -> str:
        """Its JSON pointer, for messages."""
        return self._path if self._within is None else f"{self._within.path}/{self._path}"

    def at(self, keyword: str, key: Any = None) -> Place:
        """A schema within this one."""
        schema = self.schema[keyword]
        if key is None:
            return Place(schema, keyword, self.home, within=self)
        return Place(schema[key], f"{keyword}/{escape(key)}", self.home, within=self)

    def no(self) -> Place:
        """What does not fit."""
        return Place(self.schema, self._path, self.home, not self.fits, self._within)


#: Keywords that only describe; and those whose meaning is in their value, and in nothing around the schema.
_DESCRIBE = frozenset(["title", "description", "default", "example", "examples", "$comment", "deprecated"])
_DESCRIBE |= {"readOnly", "writeOnly"}
_PLAIN = frozenset(["type", "enum", "const", "minLength", "maxLength", "pattern", "format", "minimum", "maximum"])
_PLAIN |= {"exclusiveMinimum", "exclusiveMaximum", "multipleOf"}


def _meaning(schema: Any) -> Any:
    """Equal for schemas that mean the same, if that is plain: most of those of strings and numbers, which are many."""
    if type(schema) is not dict or len(schema) > 12:
        return id(schema)
    said = []
    for keyword, value in schema.items():
        if keyword not in _DESCRIBE:
            plain = value if isinstance(value, list) else (value,)
            if keyword not in _PLAIN or any(isinstance(x, (dict, list)) for x in plain):
                return id(schema)
            said.append((keyword, repr(value)))
    return frozenset(said)


def escape(key: Any) -> str:
    """A key as a part of a JSON pointer."""
    key = str(key)
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


Places = tuple[Place, ...]  # all of them hold
NEVER: Places = (Place(False, "#", None),)


def both(a: Places, b: Places) -> Places:
    """The places of both, each once."""
    if not a or not b:
        return a or b
    return tuple({place.key: place for place in (*a, *b)}.values())


class Keys(NamedTuple):
    """Some names of properties: those listed and those that match a pattern; or (`others`) all the others."""

    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    others: bool = False


EVERY_KEY = Keys(others=True)


class Contains(NamedTuple):
    """Of the items from `start` on, so many fit."""

    places: Places
    counts: Span
    start: int


class Exists(NamedTuple):
    """Some property has one of these keys, a name that fits, and a value that fits."""

    keys: Keys
    names: Places
    places: Places


class Conjunction:
    """One conjunction of keywords. What is said of a kind restricts the values of that kind only.

    Attributes:
        kinds: what the value may be.
        said: the kinds that keywords speak of; for schemas that do not say a type.
        values: if not None, the value is one of these scalars. excluded: and none of these, of any kind.
        low, high, low_open, high_open, multiples, not_multiples: of numbers.
        patterns, not_patterns, formats, not_formats, lengths: of strings.
        prefix, items, counts, contains, unique: of arrays; `items` is of what comes after the prefix.
        members, names, required, sizes, exists: of objects; `names` is what the keys fit.
        declares, extras: whether an object says which properties it has; and what its other properties are.
        evaluated: the keys that a keyword has spoken of; for `unevaluatedProperties`. evaluated_items: how many items
            from the first on (None: all), matched: or what they fit; for `unevaluatedItems`.
    """

    path: str
    kinds: frozenset[str] = ALL
    said: frozenset[str] = frozenset()
    values: tuple[Any, ...] | None = None
    excluded: tuple[Any, ...] = ()
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    multiples: tuple[Fraction, ...] = ()
    not_multiples: tuple[Fraction, ...] = ()
    patterns: tuple[str, ...] = ()
    not_patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    lengths: Span = NO_SPAN
    prefix: tuple[Places, ...] = ()
    items: Places = ()
    counts: Span = NO_SPAN
    contains: tuple[Contains, ...] = ()
    unique: bool = False
    members: tuple[tuple[Keys, Places], ...] = ()
    names: Places = ()
    required: tuple[str, ...] = ()
    sizes: Span = NO_SPAN
    exists: tuple[Exists, ...] = ()
    declares: bool = False
    extras: bool = False
    evaluated: tuple[Keys, ...] = ()
    evaluated_items: int | None = 0
    matched: Places = ()

    def __init__(self, path: str, **said: Any):
        """What is not given is as the class has it, and takes no room."""
        self.path = path
        self.__dict__.update(said)

    def but(self, **changed: Any) -> Conjunction:
        """The same, but for what is given."""
        other = Conjunction.__new__(Conjunction)
        other.__dict__.update(self.__dict__, **changed)
        return other

    def item(self, i: int) -> Places:
        """What the item of index i fits."""
        return self.prefix[i] if i < len(self.prefix) else self.items


def merge(a: Conjunction, b: Conjunction) -> Conjunction:
    """Both hold."""
    ours, theirs = a.__dict__, b.__dict__
    if len(theirs) == 1:
        return a
    changed: dict[str, Any] = {}
    for name, y in theirs.items():
        if name != "path" and y != (nothing := getattr(Conjunction, name)):
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


def narrower(a: Span, b: Span) -> Span:
    """What lies in both."""
    highs = [x for x in (a[1], b[1]) if x is not None]
    return max(a[0], b[0]), min(highs, default=None)


def _together(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(a + b))


def _joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return a + tuple(x for x in b if x not in a)


def _common(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x for x in a if any(equal(x, y) for y in b))


def _later(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


_MERGERS: dict[str, Any] = {
    "kinds": lambda a, b: a & b,
    "said": lambda a, b: a | b,
    "values": _common,
    "excluded": lambda a, b: a + b,
    "lengths": narrower,
    "counts": narrower,
    "sizes": narrower,
    "items": both,
    "names": both,
    "matched": both,
    "members": _joined,
    "contains": _joined,
    "exists": _joined,
    "evaluated_items": _later,
    **dict.fromkeys(("multiples", "not_multiples", "patterns", "not_patterns"), _together),
    **dict.fromkeys(("formats", "not_formats", "required", "evaluated", "prefix"), _together),
    **dict.fromkeys(("low", "high", "low_open", "high_open", "unique", "declares", "extras"), lambda a, b: a or b),
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
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


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


def within(count: int, span: Span) -> bool:
    return span[0] <= count and (span[1] is None or count <= span[1])
