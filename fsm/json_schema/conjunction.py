"""One conjunction of JSON Schema's keywords, without references and combinations.

A schema is brought into disjunctive normal form: a list of `Conjunction`s, at least one of which every valid value
fits. `normalize.py` makes them; `merge` combines two:   fits(v, merge(a, b))  <=>  fits(v, a) and fits(v, b)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add, and_, attrgetter, or_
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple, NoReturn, TypeVar, get_type_hints

from outlines_cont.errors import ConstraintError

from ..language.nodes import Bounds
from .values_and_keywords import ALL, ARRAY, NO_KIND, NUMBERS, OBJECT, STRING, canonical, group, keywords_that

# --- schemas and where they stand: the unit that the keywords are read from, and that values are held to

T = TypeVar("T")
Path = str | tuple[str, Any]  # a part of a JSON pointer: as it is written, or a keyword and a key


class Subschema:
    """A schema, or its negation, and where it stands.

    Attributes:
        schema: a dict or a bool.
        resource: the resource in which its references are looked up: see `references.py`. None for a schema
            that was made here.
        draft: the draft that it is written in; None if that is not said: see `drafts.py`.
        fits: True for the values that fit the schema, False for those that do not.
        key: equal for subschemas that mean the same.
    """

    __slots__ = ("_place", "draft", "fits", "key", "resource", "schema")

    def __init__(self, schema: Any, path: Path, resource: Any, fits: bool = True, within: Subschema | None = None):
        """`path` goes on from that of the subschema `within`."""
        self.schema, self._place, self.resource, self.fits = schema, (path, within), resource, fits
        self.draft, context = (None, None) if resource is None else (resource.draft, resource.key)
        self.key = (_meaning(schema) if context is None else (_meaning(schema), context), fits)

    @property
    def path(self) -> str:
        """Its JSON pointer, for messages."""
        path, within = self._place
        if within is None and isinstance(path, str):
            return path
        parts = [_pointer(path)]
        while within is not None:
            path, within = within._place
            parts.append(_pointer(path))
        pointer = "/".join(reversed(parts))
        self._place = (pointer, None)
        return pointer

    def at(self, keyword: str, key: Any = None) -> Subschema:
        """A schema within this one."""
        schema = self.schema[keyword]
        if key is None:
            return Subschema(schema, keyword, self.resource, within=self)
        return Subschema(schema[key], (keyword, key), self.resource, within=self)

    def negated(self) -> Subschema:
        """The negation of this one."""
        negation = Subschema(self.schema, self._place[0], self.resource, not self.fits, self._place[1])
        negation.key = (self.key[0], not self.fits)
        return negation

    def read_as(self, schema: dict[str, Any], resource: Any) -> Subschema:
        """This subschema with only the keywords that count, `schema`, in the resource that it begins."""
        if schema is self.schema and resource is self.resource:
            return self
        other = Subschema(schema, self._place[0], resource, self.fits, self._place[1])
        other.key = self.key
        return other


class MadeSchema(dict[str, Any]):
    """A schema that was made here, one for all that mean the same: it is told from others by itself."""


DESCRIBING = frozenset(group("describing"))
_PLAIN = frozenset(keywords_that(lambda keyword: keyword.plain))


def _meaning(schema: Any) -> Any:
    """Equal for schemas that mean the same, if that is plain: most of those of strings and numbers, which are many."""
    if type(schema) is not dict or len(schema) > 12:
        return id(schema)
    meaning = []
    for keyword, value in schema.items():
        if keyword not in DESCRIBING:
            if keyword not in _PLAIN:
                return id(schema)
            for x in value if isinstance(value, list) else (value,):
                if isinstance(x, (dict, list)):
                    return id(schema)
            meaning.append((keyword, repr(value)))
    return frozenset(meaning)


def _pointer(path: Path) -> str:
    return path if isinstance(path, str) else f"{path[0]}/{escape(path[1])}"


def escape(key: Any) -> str:
    """A key as a part of a JSON pointer."""
    key = str(key)
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


Origin = Subschema | str  # what says something: a schema, or its JSON pointer


def refuse(origin: Origin, problem: str) -> NoReturn:
    """Say that something at a JSON pointer is not supported, or is no JSON Schema."""
    raise ConstraintError(f"JSON Schema, at {origin if isinstance(origin, str) else origin.path}: {problem}")


Subschemas = tuple[Subschema, ...]  # all of them hold
NEVER: Subschemas = (Subschema(False, "#", None),)


def key_of(subschemas: Iterable[Subschema]) -> frozenset[Any]:
    """Equal for subschemas that together mean the same."""
    return frozenset(map(_key, subschemas))


_key = attrgetter("key")


def both(a: Subschemas, b: Subschemas) -> Subschemas:
    """The subschemas of both, each once."""
    if not a or not b:
        return a or b
    together = (*a, *b)
    return tuple(dict(zip(map(_key, together), together, strict=True)).values())


def by_subschemas(ways: Iterable[tuple[Subschemas, T]]) -> list[tuple[Subschemas, list[T]]]:
    """Pairs of what a value fits and what comes after it, grouped: all that comes after values that fit the same."""
    groups: dict[frozenset[Any], tuple[Subschemas, list[T]]] = {}
    for subschemas, after in ways:
        groups.setdefault(key_of(subschemas), (subschemas, []))[1].append(after)
    return list(groups.values())


# --- parts of a conjunction

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


# --- how conditions are merged


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
    equals: dict[Any, list[Any]] = {}
    for y in b:
        equals.setdefault(_same(y), []).append(y)
    return tuple(y if isinstance(x, Fraction) else x for x in a for y in equals.get(_same(x), ()))


def _same(value: Any) -> Any:
    """Equal for equal scalars."""
    return value if isinstance(value, str) else (canonical(value),)


def _later(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def _either(a: Any, b: Any) -> Any:
    return a or b


# --- what breaks a condition

Fields = dict[str, Any]  # of a conjunction, by name


def _below(conjunction: Conjunction) -> Iterator[Fields]:
    if conjunction.low is not None:
        yield {"high": conjunction.low, "high_open": not conjunction.low_open}


def _above(conjunction: Conjunction) -> Iterator[Fields]:
    if conjunction.high is not None:
        yield {"low": conjunction.high, "low_open": not conjunction.high_open}


def _not_one_of(name: str) -> Callable[[Conjunction], Iterator[Fields]]:
    return lambda conjunction: ({f"not_{name}": (one,)} for one in getattr(conjunction, name))


def _outside_of(name: str) -> Callable[[Conjunction], Iterator[Fields]]:
    return lambda conjunction: ({name: span} for span in outside(getattr(conjunction, name)))


def _refuse_to_break(conjunction: Conjunction) -> Iterator[Fields]:
    if conjunction.contents is not None:
        refuse(conjunction.path, "JSON in a string, under 'not', 'oneOf', 'if' or 'maxContains', is not supported")
    yield from ()


def _break_prefix(conjunction: Conjunction) -> Iterator[Fields]:
    for i, subschemas in enumerate(conjunction.prefix):
        for part in subschemas:
            yield {"counts": (i + 1, None), "prefix": (((),) * i + ((part.negated(),),))}


def _break_items(conjunction: Conjunction) -> Iterator[Fields]:
    for part in conjunction.items:
        yield {"contains": (Contains((part.negated(),), (1, None), len(conjunction.prefix)),)}


def _break_contains(conjunction: Conjunction) -> Iterator[Fields]:
    for subschemas, counts, start in conjunction.contains:
        yield from ({"contains": (Contains(subschemas, span, start),)} for span in outside(counts))


def _break_required(conjunction: Conjunction) -> Iterator[Fields]:
    return ({"members": ((Keys(frozenset([name])), NEVER),)} for name in conjunction.required)


def _break_names(conjunction: Conjunction) -> Iterator[Fields]:
    return ({"exists": (Exists(EVERY_KEY, (part.negated(),), ()),)} for part in conjunction.names)


def _break_members(conjunction: Conjunction) -> Iterator[Fields]:
    for keys, subschemas in conjunction.members:
        for part in subschemas:
            if keys.one_name:
                yield {"required": tuple(keys.names), "members": ((keys, (part.negated(),)),)}
            else:
                yield {"exists": (Exists(keys, (), (part.negated(),)),)}


def beyond(span: Bounds) -> int:
    """A count from which on one more changes nothing."""
    return span[0] if span[1] is None else max(span[0], span[1] + 1)


def outside(span: Bounds) -> Iterator[Bounds]:
    """The counts below and above a span."""
    low, high = span
    if low > 0:
        yield (0, low - 1)
    if high is not None:
        yield (high + 1, None)


def within(count: int, span: Bounds) -> bool:
    return span[0] <= count and (span[1] is None or count <= span[1])


# --- conjunction

Member = tuple[Keys, Subschemas]


class ConditionRule(NamedTuple):
    """What holds of one condition of a conjunction.

    Attributes:
        merge: gives the condition that says what two say.
        kinds: the values that it restricts; none if it is not of some kinds.
        breaks: gives, for a conjunction, what the values are that break this condition, if some do.
        parts: whether it says something of parts of values.
    """

    merge: Callable[[Any, Any], Any]
    kinds: frozenset[str] = NO_KIND
    breaks: Callable[[Conjunction], Iterator[Fields]] | None = None
    parts: bool = False


class Conjunction(SimpleNamespace):
    """One conjunction of keywords. What is said of a kind restricts the values of that kind only.

    Conditions that are not given are as the class has them, and take no room. No two conjunctions are equal. Each
    condition stands here once, with its `ConditionRule`.

    Attributes:
        origin: the schema that says it, or its JSON pointer, for messages.
        kinds: what the value may be.
        mentioned: the kinds that keywords speak of; for schemas that do not say a type.
        values: if not None, the value is one of these scalars. excluded: and none of these, of any kind.
        low, high, low_open, high_open, multiples, not_multiples: of numbers.
        integers: the spellings that integers may have; it counts in draft 4 only.
        patterns, not_patterns, formats, not_formats, lengths: of strings; a format is a name, or a `Quotation`.
            contents: if not None, what the JSON in a string fits.
        prefix, items, counts, contains, unique: of arrays; `items` is of what comes after the prefix.
        members, names, required, sizes, exists: of objects; `names` is what the keys fit.
        factors: of objects, too: of each factor, one conjunction also holds (see `factors.py`).
        order: the names that the schema speaks of, in its order, if that is not the one of `members` and `required`.
        declares: for generation, whether an object says which properties it has.
        evaluated: the keys that a keyword has spoken of; for `unevaluatedProperties`. evaluated_items: how many items
            from the first on (None: all), matched: or what they fit; for `unevaluatedItems`.
    """

    origin: Origin
    kinds: Annotated[frozenset[str], ConditionRule(and_)] = ALL
    mentioned: Annotated[frozenset[str], ConditionRule(or_)] = NO_KIND
    values: Annotated[tuple[Any, ...] | None, ConditionRule(_common)] = None
    excluded: Annotated[tuple[Any, ...], ConditionRule(add)] = ()
    integers: Annotated[frozenset[str], ConditionRule(and_, NUMBERS)] = SPELLINGS
    low: Annotated[Fraction | None, ConditionRule(_either, NUMBERS, _below)] = None
    high: Annotated[Fraction | None, ConditionRule(_either, NUMBERS, _above)] = None
    low_open: Annotated[bool, ConditionRule(_either, NUMBERS)] = False
    high_open: Annotated[bool, ConditionRule(_either, NUMBERS)] = False
    multiples: Annotated[tuple[Fraction, ...], ConditionRule(_together, NUMBERS, _not_one_of("multiples"))] = ()
    not_multiples: Annotated[tuple[Fraction, ...], ConditionRule(_together, NUMBERS)] = ()
    contents: Annotated[Subschemas | None, ConditionRule(both, STRING, _refuse_to_break, parts=True)] = None
    patterns: Annotated[tuple[str, ...], ConditionRule(_together, STRING, _not_one_of("patterns"))] = ()
    not_patterns: Annotated[tuple[str, ...], ConditionRule(_together, STRING)] = ()
    formats: Annotated[tuple[Any, ...], ConditionRule(_together, STRING, _not_one_of("formats"))] = ()
    not_formats: Annotated[tuple[Any, ...], ConditionRule(_together, STRING)] = ()
    lengths: Annotated[Bounds, ConditionRule(narrower, STRING, _outside_of("lengths"))] = NO_SPAN
    counts: Annotated[Bounds, ConditionRule(narrower, ARRAY, _outside_of("counts"))] = NO_SPAN
    prefix: Annotated[tuple[Subschemas, ...], ConditionRule(_together, ARRAY, _break_prefix, parts=True)] = ()
    items: Annotated[Subschemas, ConditionRule(both, ARRAY, _break_items, parts=True)] = ()
    contains: Annotated[tuple[Contains, ...], ConditionRule(_joined, ARRAY, _break_contains, parts=True)] = ()
    unique: Annotated[bool, ConditionRule(_either, ARRAY)] = False
    sizes: Annotated[Bounds, ConditionRule(narrower, OBJECT, _outside_of("sizes"))] = NO_SPAN
    required: Annotated[tuple[str, ...], ConditionRule(_together, OBJECT, _break_required, parts=True)] = ()
    names: Annotated[Subschemas, ConditionRule(both, OBJECT, _break_names, parts=True)] = ()
    members: Annotated[tuple[Member, ...], ConditionRule(_joined, OBJECT, _break_members, parts=True)] = ()
    exists: Annotated[tuple[Exists, ...], ConditionRule(_joined, OBJECT, parts=True)] = ()
    factors: Annotated[tuple[tuple[Conjunction, ...], ...], ConditionRule(_joined, OBJECT, parts=True)] = ()
    declares: Annotated[bool, ConditionRule(_either, OBJECT, parts=True)] = False
    order: Annotated[tuple[str, ...], ConditionRule(lambda a, b: a)] = ()
    evaluated: Annotated[tuple[Keys, ...], ConditionRule(_together)] = ()
    evaluated_items: Annotated[int | None, ConditionRule(_later)] = 0
    matched: Annotated[Subschemas, ConditionRule(both)] = ()

    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]

    @property
    def path(self) -> str:
        """The JSON pointer of its origin, for messages."""
        return self.origin if isinstance(self.origin, str) else self.origin.path

    def but(self, **changed: Any) -> Conjunction:
        """The conjunction with these conditions in place of its own."""
        return Conjunction(**self.__dict__ | changed)

    @property
    def restricts_numbers(self) -> bool:
        """Whether some numbers do not fit because of their value (and not because they are excluded)."""
        return self.low is not None or self.high is not None or bool(self.multiples or self.not_multiples)

    def item(self, i: int) -> Subschemas:
        """What the item of index i fits."""
        return self.prefix[i] if i < len(self.prefix) else self.items


def is_exact(conjunction: Conjunction) -> bool:
    """Whether for generation the same values fit as by the standard: it says a kind, and nothing of parts of values."""
    if conjunction.mentioned and conjunction.kinds == ALL and conjunction.values is None:
        return False
    parts = (name for name, rule in RULES.items() if rule.parts)
    return all(getattr(conjunction, name) == getattr(Conjunction, name) for name in parts)


def merge(a: Conjunction, b: Conjunction) -> Conjunction:
    """The conjunction of what two conjunctions say."""
    ours, theirs = a.__dict__, b.__dict__
    if len(theirs) == 1:
        return a
    changed: dict[str, Any] = {}
    for name, y in theirs.items():
        if name != "origin" and y != (nothing := getattr(Conjunction, name)):
            x = ours.get(name, nothing)
            changed[name] = y if x == nothing else RULES[name].merge(x, y)
    if "low" in changed or "low_open" in changed:
        changed["low"], changed["low_open"] = tighter((a.low, a.low_open), (b.low, b.low_open), 1)
    if "high" in changed or "high_open" in changed:
        changed["high"], changed["high_open"] = tighter((a.high, a.high_open), (b.high, b.high_open), -1)
    if "prefix" in changed or "items" in changed:  # where one prefix ends, that one's items go on
        longest = max(len(a.prefix), len(b.prefix))
        changed["prefix"] = tuple(both(a.item(i), b.item(i)) for i in range(longest))
    return a.but(**changed) if changed else a


#: Of every condition, by its name.
RULES: dict[str, ConditionRule] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Conjunction, include_extras=True).items()
    if name != "origin"
}


def fields_of(kinds: frozenset[str]) -> tuple[str, ...]:
    """The conditions of values of some kinds."""
    return tuple(name for name, rule in RULES.items() if rule.kinds == kinds)


# --- what one schema object says, after its keywords were read


@dataclass(slots=True)
class SchemaObject:
    """One schema object, read.

    Attributes:
        subschema: the schema, and where it stands; not negated.
        conjunction: its own keywords, without those that combine schemas.
        compounds: the lists and objects of its `enum`, each as a schema; a value may also fit one of these.
        compound_values: the same, as they are.
        combined: the schemas that it combines, as (keyword, subschemas).
        inside: all the schemas within it.
        evaluates: whether it has a keyword of what is unevaluated.
        plain: whether its conjunction says all that it says.
    """

    subschema: Subschema
    conjunction: Conjunction
    compounds: list[Subschema] = field(default_factory=list)
    compound_values: list[Any] = field(default_factory=list)
    combined: list[tuple[str, list[Subschema]]] = field(default_factory=list)
    inside: list[Subschema] = field(default_factory=list)
    evaluates: bool = False
    plain: bool = False

    @property
    def lists_compounds(self) -> bool:
        """Whether it has an `enum` with lists and objects, and says no more."""
        fields = self.conjunction.__dict__.keys() - {"origin", "kinds", "mentioned", "values"}
        return bool(self.compounds) and not (self.combined or self.evaluates or fields)
