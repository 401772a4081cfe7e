"""JSON Schema → a language of JSON texts.

Everything that is generated is valid. A keyword is enforced, or refused by name and place; what only describes
(`title`, `default`, words that the standard does not know …) is passed over. Where the standard leaves room:

- `extra="forbid"` is for generation: an object has the properties that its schema speaks of, by name or by pattern or
  by a schema for all others, and no more (one that speaks of none may have any); a schema without `type` is of the
  types that its keywords speak of: `minLength` makes it a string. `extra="schema"` is what the standard says: an object
  may have any other properties, and `minLength` does not concern a number. (Words that the standard does not know are
  passed over; but `extra="forbid"` refuses those that look like a keyword misspelt.)
- `order="schema"` writes properties in the schema's order, others after them; `order="any"` in any order. No name is
  written twice in one object.
- Free strings may spell a character plainly or by any of its escapes. Property names, `enum` and `const` spell
  printable ASCII plainly (so that they can be forced); other characters plainly or escaped, as they must.
- Numbers are what they are worth: 1.0 is an integer, and equal to 1. For their spelling see `numerals`. (With
  `extra="forbid"`, integers have no exponents: readers make floats of these, and infinities.)
- `pattern` is ECMA-262's dialect and may match anywhere in the string; it, lengths and formats mean the decoded string.
- Whitespace: "compact" has none; "flexible" has, between any two tokens, up to one space, or a line break and any
  number of spaces or tabs; or a pattern of yours. There is none before or after the whole text.
- `format="assert"` enforces the formats that the standard defines, or refuses them by name; others, which it does not
  know, only describe. With `format="annotate"`, all of them do.

Nothing is built before it is reached: a value is an `Unfolding`, which reads its schema when a walk comes there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import isinf
from typing import Any

from outlines_cont.errors import ConstraintError

from ..engine.automaton import Automaton, Ground
from ..engine.memory import Part
from ..language.nodes import (
    EMPTY,
    VOID,
    Keep,
    Leaf,
    Node,
    Span,
    Unfolding,
    alphabet,
    alt,
    cat,
    literal,
    star,
    substitute,
    words,
)
from ..patterns.json_characters import key_class
from ..patterns.json_strings import is_odd, other_strings, quoted
from ..patterns.parser import CHARACTERS, parse, utf8
from . import numerals
from .arrays import Arrays
from .conjunction import ALL, NUMBERS, Conjunction, Place, Places, canonical, equal, exactly, kind_of, within
from .keywords import UNEVALUATED
from .normalize import Reader
from .objects import Objects
from .strings import Strings, accepts, decoded_string, encoded_string
from .strings import exactly as exact_text
from .values import Values

FREE, UNBOUNDED = Strings(), (None, None, False, False, (), (), ())
#: Types of which any value is, in most schemas, a good part of all values.
FREE_KINDS = tuple(map(frozenset, (["string"], NUMBERS, ["integer"], ["boolean"], ["null"], ["string", "null"])))
FEW = 64  # values that are told apart one by one
FLEXIBLE = r" ?|\r?\n[ \t]*"
ORDERS, EXTRAS, FORMATS = ("schema", "any"), ("forbid", "schema"), ("assert", "annotate")


def language(
    schema: Any, whitespace: str = "compact", order: str = "schema", extra: str = "forbid", format: str = "assert"
) -> Node:
    """The JSON texts that are valid under `schema`, over bytes; VOID if there are none.

    Args:
        schema: a dict, a bool, or the JSON text of one.
        whitespace: "compact", "flexible", or a pattern.
        order: "schema" or "any". extra: "forbid" or "schema". format: "assert" or "annotate".

    Raises:
        TypeError: `schema` is none of these.
        ValueError: an option that there is not.
        ConstraintError: something in it is not supported, or is no JSON Schema; with its JSON pointer.
    """
    for name, value, possible in (("order", order, ORDERS), ("extra", extra, EXTRAS), ("format", format, FORMATS)):
        if value not in possible:
            raise ValueError(f"{name}={value!r}: it is {' or '.join(map(repr, possible))}")
    if isinstance(schema, (str, bytes)):
        try:
            schema = json.loads(schema, parse_constant=_refuse_constant, parse_float=_finite)
        except ValueError as error:
            raise ConstraintError(f"the schema is not JSON: {error}") from None
    if not isinstance(schema, (dict, bool)):
        raise TypeError(f"a schema is a dict, a bool, or their JSON text, not {type(schema).__name__}")
    try:
        reader = Reader(schema, assertive=format == "assert", plainly=extra == "forbid")
        writer, root = Writer(reader, _whitespace(whitespace), order == "any"), (reader.root,)
        return Value(writer, root) if writer.inhabited(root) else VOID
    except RecursionError:
        raise ConstraintError("the schema is nested too deeply") from None


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"the number {text} is too large")
    return value


@lru_cache(maxsize=1)
def ground() -> Ground:
    """What the automata of schemas begin with: what most of them would write down."""
    plainly = numerals.number(frozenset({"integer"}), *UNBOUNDED, False)
    signs = [*_punctuation(EMPTY), *_punctuation(_whitespace("flexible"))]
    texts = other_strings(["x"]), star(key_class(CHARACTERS))
    values = (anything(space) for space in (EMPTY, _whitespace("flexible")))
    some = alt(*values, *map(_free_values, FREE_KINDS), *texts, plainly, *signs, *map(literal, _OFTEN))
    automaton = Automaton(some, ground=Ground(factor=ROOM))
    for text in _SAMPLES:
        automaton.run(automaton.initial, text.encode())
    return Ground(automaton, ROOM)


ROOM = 16  # times what automata have otherwise: schemas unfold without end, and what is not written to takes no memory
_OFTEN = (b'"', b"{", b"}", b"[", b"]", b",", b":", b"true", b"false", b"null")
_SAMPLES = ('{"":[null,{}],', '[{},[],"",', '"a\\n\\u00e9\\ud83d\\ude00é☃😀"', '"x\\"', "-10.25e+3", " ,", "\r\n\t,")


@lru_cache(maxsize=64)
def _whitespace(whitespace: str) -> Node:
    if whitespace == "compact":
        return EMPTY
    node = utf8(parse(FLEXIBLE if whitespace == "flexible" else whitespace))
    foreign = alphabet(node) - set(b" \t\n\r")
    if foreign or node is VOID:
        what = f"matches {bytes([min(foreign)])!r}" if foreign else "matches nothing"
        raise ConstraintError(
            f'whitespace is "compact", "flexible", or a pattern of JSON whitespace only; {whitespace!r} {what}'
        )
    return node


class Writer:
    """The spelling of what a `Reader` reads.

    Attributes:
        anywhere: whether properties may come in any order.
        made: what was written of which places.
        space, comma, colon, left_brace, …: whitespace; and punctuation, with the whitespace around it.
    """

    def __init__(self, reader: Reader, space: Node, anywhere: bool, leaf: Leaf | None = None, keep: Keep | None = None):
        self.reader, self.anywhere = reader, anywhere
        self._whitespace, self._leaf, self._keep = space, leaf, keep
        self.space = self.spell(space)
        self.left_brace, self.left_bracket = self.spell(literal(b"{")), self.spell(literal(b"["))
        self.spells_all = leaf is None
        signs = _punctuation(self.space) if self.spells_all else _signs(self.space, self.spell)
        self.comma, self.colon, self.right_brace, self.right_bracket, *self._opening = signs
        self.made: dict[Any, Node] = {}
        self._listings: dict[tuple[str, ...], Place] = {}
        self._texts: dict[Any, frozenset[str]] = {}  # of each listing, by its key
        self._objects: dict[Any, Objects] = {}
        self._arrays: dict[Any, Arrays] = {}
        self._values = Values(self)
        self._inhabited: dict[Any, bool] = {}
        self._sure: dict[Any, bool] = {}
        self._looking: set[Any] = set()
        self._cut = False

    def spell(self, node: Node) -> Node:
        """What of a node the vocabulary can spell."""
        return node if self._leaf is None else substitute(node, self._leaf, self._keep or (lambda word: True))

    def opening(self, begun: bool) -> Node:
        """All before a name, up to its quote."""
        return self._opening[begun]

    def substituted(self, places: Places, leaf: Leaf, keep: Keep) -> Node:
        """The texts under `places`, of what is left of each character."""
        return Writer(self.reader, self._whitespace, self.anywhere, leaf, keep).value(places)

    def value(self, places: Places) -> Node:
        """The texts that are valid under all of `places`; VOID if there are none."""
        if not self.inhabited(places):
            return VOID
        key = frozenset(place.key for place in places)
        node = self.made.get(key)
        if node is None:
            kinds = self._free(places)
            if kinds is None:
                node = self.made[key] = Value(self, places)
            else:
                node = self.made[key] = anything(self._whitespace) if kinds == ALL else _free_values(kinds)
        return node

    def spelled(self, places: Places) -> Node:
        """The same, made at once: where it comes next."""
        node = self.value(places)
        return alt(*(label for label, _ in node.edges)) if isinstance(node, Value) else node

    def _free(self, places: Places) -> frozenset[str] | None:
        """The kinds that a value may be of, if nothing else is said and all of them are plain."""
        if not self.spells_all or len(places) > 1:
            return None
        if not places or places[0].schema is places[0].fits:
            return ALL
        if not places[0].fits or not isinstance(places[0].schema, dict):
            return None
        read = self.reader.read(places[0])
        kinds, more = read.own.kinds, read.parts or read.values or read.own.__dict__.keys() - {"path", "kinds", "said"}
        if more or (self.reader.plainly and kinds == {"integer"}):  # without exponents
            return None
        plain = kinds in FREE_KINDS or (
            kinds == ALL and not read.own.said and read.place.schema.keys().isdisjoint(UNEVALUATED)
        )
        return kinds if plain else None

    def spellings(self, places: Places) -> list[Node]:
        """The ways to write a value, by kind."""
        conjunctions = self.reader.conjunctions(places)
        found = [self.constants(conjunction) for conjunction in conjunctions]
        found += self.numbers(conjunctions) + self.strings(conjunctions)
        for kind in ("array", "object"):
            some = [conjunction for conjunction in conjunctions if kind in conjunction.kinds]
            if some:
                found.append(self.shape(kind, some).start())
        return [node for node in found if node is not VOID]

    def objects(self, conjunctions: list[Conjunction]) -> Objects:
        key = tuple(map(id, conjunctions))  # which the reader keeps
        if key not in self._objects:
            self._objects[key] = Objects(self, conjunctions)
        return self._objects[key]

    def arrays(self, conjunctions: list[Conjunction]) -> Arrays:
        key = tuple(map(id, conjunctions))
        if key not in self._arrays:
            self._arrays[key] = Arrays(self, conjunctions)
        return self._arrays[key]

    def shape(self, kind: str, conjunctions: list[Conjunction]) -> Objects | Arrays:
        return self.objects(conjunctions) if kind == "object" else self.arrays(conjunctions)

    def constants(self, conjunction: Conjunction) -> Node:
        """The values of `enum` that fit the rest; null, true and false."""
        if conjunction.values is None and conjunction.kinds.isdisjoint(("null", "boolean")):
            return VOID
        values = conjunction.values if conjunction.values is not None else (None, True, False)
        plain, others = [], []
        for value in values:
            if not self.fits(value, conjunction):
                continue
            if isinstance(value, str):
                (others.append(quoted(value)) if is_odd(value) else plain.append(f'"{value}"'.encode()))
            elif value is None or isinstance(value, bool):
                plain.append(json.dumps(value).encode())
            else:
                others.append(numerals.equal(exactly(value)))
        return self.spell(alt(words(plain), *others))

    def numbers(self, conjunctions: Sequence[Conjunction]) -> list[Node]:
        found = []
        for conjunction in conjunctions:
            kinds = conjunction.kinds & NUMBERS
            if kinds and conjunction.values is None:
                node = self.number(conjunction)
                if (
                    kinds == NUMBERS
                    and not self._bounded(conjunction)
                    and NUMBERS.isdisjoint(map(kind_of, conjunction.excluded))
                ):
                    return [node]  # it has all others
                found.append(node)
        return found

    @staticmethod
    def _bounded(conjunction: Conjunction) -> bool:
        return (
            conjunction.low is not None
            or conjunction.high is not None
            or bool(conjunction.multiples or conjunction.not_multiples)
        )

    def number(self, conjunction: Conjunction) -> Node:
        excluded = tuple(exactly(x) for x in conjunction.excluded if kind_of(x) in NUMBERS)
        bounds = (conjunction.low, conjunction.high, conjunction.low_open, conjunction.high_open)
        try:
            kinds, plainly = conjunction.kinds & NUMBERS, self.reader.plainly and "fraction" not in conjunction.kinds
            node = numerals.number(
                kinds, *bounds, conjunction.multiples, conjunction.not_multiples, excluded, not plainly
            )
        except ConstraintError as error:
            raise ConstraintError(f"JSON Schema, at {conjunction.path}: {error}") from None
        return self.spell(node)

    def strings(self, conjunctions: Sequence[Conjunction]) -> list[Node]:
        found: dict[Strings, Node] = {}
        for conjunction in conjunctions:
            if "string" in conjunction.kinds and conjunction.values is None:
                what = Strings.of(conjunction)
                if what == FREE:
                    return [self.string(conjunction)]  # it has all others
                if what not in found:
                    found[what] = self.string(conjunction)
        return list(found.values())

    def string(self, conjunction: Conjunction) -> Node:
        try:
            return self.spell(encoded_string(Strings.of(conjunction)))
        except ConstraintError as error:
            raise ConstraintError(f"JSON Schema, at {conjunction.path}: {error}") from None

    def listed(self, places: Places, most: int = FEW) -> list[Any] | None:
        """All values that fit, one for equal ones; None if there are more than `most`."""
        return self._values.listed(places, most)

    @staticmethod
    def grouped(ways: Iterable[tuple[Places, Any]]) -> list[tuple[Places, list[Any]]]:
        """The branches after each of some values, by what the value fits: one stack for all that it is the same for."""
        found: dict[frozenset[Any], tuple[Places, list[Any]]] = {}
        for places, after in ways:
            found.setdefault(frozenset(place.key for place in places), (places, []))[1].append(after)
        return list(found.values())

    def told_apart(self, values: Sequence[Any]) -> list[tuple[Place, frozenset[int]]]:
        """A schema for each different one of some values, with which of them fit; and one for all others, and none."""
        groups: dict[str, list[int]] = {}
        for i, value in enumerate(values):
            groups.setdefault(canonical(value), []).append(i)
        found = [(self.listing([values[which[0]]]), frozenset(which)) for which in groups.values()]
        others = self.listing([values[which[0]] for which in groups.values()]).no()
        return [*found, (others, frozenset())]

    def listing(self, values: Sequence[Any]) -> Place:
        """A schema that these values fit, and no others: one for equal ones."""
        key = tuple(sorted(map(canonical, values)))
        if key not in self._listings:
            place = self._listings[key] = self.reader.listing(list(values))
            self._texts[place.key] = frozenset(key)
        return self._listings[key]

    def without(self, places: Places) -> tuple[Places, frozenset[str]]:
        """The places that are not of values left out; and those values, as `canonical` writes them."""
        gone = [self._texts.get((place.key[0], True)) if not place.fits else None for place in places]
        if not any(gone):
            return places, frozenset()
        rest = tuple(place for place, texts in zip(places, gone, strict=True) if texts is None)
        return rest, frozenset().union(*filter(None, gone))

    def texts(self, places: Places) -> Node:
        """The texts, over code points, that fit all of `places`."""
        found = []
        for conjunction in self.reader.conjunctions(places):
            if "string" in conjunction.kinds:
                if conjunction.values is None:
                    found.append(decoded_string(Strings.of(conjunction)))
                else:
                    found += [
                        exact_text(x) for x in conjunction.values if isinstance(x, str) and self.fits(x, conjunction)
                    ]
        return alt(*found)

    # ------------------------------------------------------------------------------------------- whether there are any

    @property
    def sought(self) -> frozenset[Any]:
        """What it is being found out of whether any value fits."""
        return frozenset(self._looking)

    @property
    def looking(self) -> bool:
        """Whether a search is under way for values that fit."""
        return bool(self._looking) or self._values.listing

    def inhabited(self, places: Places) -> bool:
        """Whether some value fits."""
        if not places:
            return True
        if len(places) == 1 and self._leaf is None:
            sure = self._sure.get(places[0].key)
            if sure is None:
                sure = self._sure[places[0].key] = self._surely(places[0])
            if sure:
                return True
        key = frozenset(place.key for place in places)
        known = self._inhabited.get(key)
        if known is not None:
            return known
        if key in self._looking:  # a value within itself is no way to an end
            self._cut = True
            return False
        outer = self._cut
        try:
            self._looking.add(key)
            self._cut = False
            rest, gone = self.without(places)
            if gone:
                some = self.listed(rest, len(gone))
                found = some is None or any(canonical(x) not in gone for x in some)
            else:
                found = any(self.possible(conjunction) for conjunction in self.reader.conjunctions(places))
        finally:
            self._looking.discard(key)
            cut, self._cut = self._cut, outer
        if found or not (cut or self._values.listing) or not self.looking:
            self._inhabited[key] = found
        else:
            self._cut = True
        return found

    def _surely(self, place: Any) -> bool:
        """Whether that can be seen at a glance."""
        if isinstance(place.schema, bool):
            return place.schema is place.fits
        if not place.fits:
            return False
        read = self.reader.read(place)
        conjunction = read.own
        if read.parts or read.values or conjunction.values is not None or conjunction.excluded:
            return False
        kinds = conjunction.kinds if not conjunction.said or conjunction.kinds != ALL else conjunction.said
        return (
            "null" in kinds
            or "boolean" in kinds
            or ("string" in kinds and Strings.of(conjunction).surely_some)
            or (not kinds.isdisjoint(NUMBERS) and not self._bounded(conjunction))
            or ("array" in kinds and conjunction.counts[0] == 0 and not conjunction.contains)
            or ("object" in kinds and not conjunction.required and conjunction.sizes[0] == 0 and not conjunction.exists)
        )

    def possible(self, conjunction: Conjunction) -> bool:
        """Whether some value fits one conjunction."""
        if self.constants(conjunction) is not VOID:
            return True
        if conjunction.values is None:
            if "string" in conjunction.kinds:
                endless = self.spells_all and Strings.of(conjunction).endless
                if endless or self.string(conjunction) is not VOID:
                    return True
            if conjunction.kinds & NUMBERS and self.number(conjunction) is not VOID:
                return True
        return any(
            kind in conjunction.kinds and self.shape(kind, [conjunction]).start() is not VOID
            for kind in ("array", "object")
        )

    def fits(self, value: Any, conjunction: Conjunction) -> bool:
        """Whether a scalar fits all that a conjunction says besides `values`."""
        kind = kind_of(value)
        if kind not in conjunction.kinds or any(equal(value, x) for x in conjunction.excluded):
            return False
        if kind == "string":
            what = Strings.of(conjunction)._replace(excluded=())
            if not within(len(value), what.lengths):
                return False
            return what._replace(lengths=(0, None)) == FREE or accepts(decoded_string(what), value)
        if kind in NUMBERS:
            x, low, high = exactly(value), conjunction.low, conjunction.high
            return (
                (low is None or x > low or (x == low and not conjunction.low_open))
                and (high is None or x < high or (x == high and not conjunction.high_open))
                and all((x / multiple).denominator == 1 for multiple in conjunction.multiples)
                and all((x / multiple).denominator > 1 for multiple in conjunction.not_multiples)
                and x != numerals.TOO_LONG
            )
        return True

    def fits_text(self, text: str, places: Places) -> bool:
        """Whether a text, as a value, fits all of `places`."""
        return not places or any(
            self.fits(text, conjunction) and (conjunction.values is None or text in conjunction.values)
            for conjunction in self.reader.conjunctions(places)
        )


def _signs(space: Node, spell: Callable[[Node], Node]) -> tuple[Once, ...]:
    """The comma, the colon, what closes objects and arrays, and all before the first and any other name."""
    comma, colon = (Once(cat(space, spell(literal(sign)), space)) for sign in (b",", b":"))
    closing = (Once(cat(space, spell(literal(sign)))) for sign in (b"}", b"]"))
    return comma, colon, *closing, *(Once(cat(lead, spell(literal(b'"')))) for lead in (space, comma))


@lru_cache(maxsize=64)
def _punctuation(space: Node) -> tuple[Once, ...]:
    return _signs(space, lambda node: node)


@lru_cache(maxsize=64)
def _free_values(kinds: frozenset[str]) -> Node:
    """Any values of these kinds."""
    found = [words([b"null"])] * ("null" in kinds) + [words([b"true", b"false"])] * ("boolean" in kinds)
    found += [numerals.number(kinds & NUMBERS, *UNBOUNDED, True)] * bool(kinds & NUMBERS)
    return Once(alt(*found, *[encoded_string(FREE)] * ("string" in kinds)))


@lru_cache(maxsize=64)
def anything(space: Node) -> Node:
    """Any value at all, with this whitespace: one node for all schemas."""
    writer = Writer(Reader(True, plainly=False), space, anywhere=True)
    writer.made[frozenset()] = node = Value(writer, ())
    return node


class Once(Part):
    """A node that is written down once for all that it is a part of."""

    __slots__ = ("node",)

    def __init__(self, node: Node):
        self.nullable, self.node = False, node

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((self.node, EMPTY),)


class Value(Unfolding):
    """A JSON value that fits all of `places`."""

    __slots__ = ("places", "writer")

    def __init__(self, writer: Writer, places: Places):
        self.nullable, self.writer, self.places = False, writer, places

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(node, EMPTY) for node in self.writer.spellings(self.places)]

    def substituted(self, leaf: Leaf, keep: Keep) -> Node:
        return self.writer.substituted(self.places, leaf, keep)

    def symbols(self) -> set[int]:
        return set(range(256))

    def lengths(self) -> Span:
        return 1, None
