"""The JSON values that fit a schema, written: the parts for scalars, arrays and objects are put together here.

The parts know the whole as a `SchemaContext`; `Writer` is the one that there is.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any

from ..engine.automaton import Automaton
from ..engine.node_tables import Ground
from ..language.nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, SpellWord, alt, star
from ..language.tries import literal, words
from ..patterns.characters import CHARACTERS
from ..patterns.json_strings import TEXT_SPELLINGS, TextSpelling
from . import limits, numerals
from .arrays import Arrays
from .conjunction import Conjunction, SchemaObject, Subschemas, key_of
from .context import Listings
from .enumeration import Enumeration
from .keywords import KeywordReader
from .normalize import Normalizer
from .object_products import ObjectProduct
from .objects import Objects
from .scalars import Scalars, compounds, digits_alone
from .strings import ANY_STRING, JsonSpelling, Once, encoded_string, punctuation, whitespace
from .values_and_keywords import ALL, NUMBERS

# --- what the automata of schemas begin with: what most of them would write down

ROOM = 16  # times what automata have otherwise: schemas unfold without end, and what is not written to takes no memory
_OFTEN = (b'"', b"{", b"}", b"[", b"]", b",", b":", b"true", b"false", b"null")
_SAMPLES = ('{"":[null,{}],', '[{},[],"",', '"a\\n\\u00e9\\ud83d\\ude00é☃😀"', '"x\\"', "-10.25e+3", " ,", "\r\n\t,")


@lru_cache(maxsize=len(TEXT_SPELLINGS))
def ground(texts: TextSpelling) -> Ground:
    """An automaton that has read some samples, as the ground for others of the same spelling."""
    integers = numerals.number(frozenset({"integer"}), *NO_BOUNDS, exponents=False)
    spaces = (whitespace("compact"), whitespace("flexible"))
    signs = [sign for space in spaces for sign in punctuation(space)]
    strings = texts.others(["x"]), star(texts.in_names(CHARACTERS))
    values = [anything(space, texts) for space in spaces]
    values += [free_values(kinds, texts) for kinds in FREE_KINDS]
    common = alt(*values, *strings, integers, digits_alone(integers), *signs, *map(literal, _OFTEN))
    automaton = Automaton(common, ground=Ground(factor=ROOM))
    for sample in _SAMPLES:
        automaton.run(automaton.initial, sample.encode())
    return Ground(automaton, ROOM)


# --- writer

NO_BOUNDS = (None, None, False, False, (), (), ())
#: Types of which any value is, in most schemas, a good part of all values.
FREE_KINDS = tuple(map(frozenset, (["string"], NUMBERS, ["integer"], ["boolean"], ["null"], ["string", "null"])))


class Writer:
    """The values that fit schemas, as languages.

    Args:
        normalizer: what schemas come to.
        spelling: how punctuation is written, and what is substituted.
        any_order: whether properties may come in any order.
    """

    def __init__(self, normalizer: Normalizer, spelling: JsonSpelling, any_order: bool):
        self.normalizer, self.spelling, self.any_order = normalizer, spelling, any_order
        self.keywords, self.sizing = normalizer.keywords, 0
        self.scalars = Scalars(normalizer, spelling, self.json_text, lambda subschemas: self.inhabited(subschemas))
        self._inside: Writer | None = None  # of JSON in strings
        self.listings = Listings(normalizer.keywords.listing)
        self._enumeration = Enumeration(self, self._arrays_of, self._objects_of, self._start)
        self.inhabited = self._enumeration.inhabited  # asked often
        self.listed, self.listed_set = self._enumeration.listed, self._enumeration.listed_set
        self.made: dict[Any, Node] = {}  # what was written of which subschemas
        # by the conjunctions, of which no two are equal
        self._objects: dict[Any, Objects] = {}
        self._products: dict[Any, Conjunction] = {}
        self._arrays: dict[Any, Arrays] = {}

    def value(self, subschemas: Subschemas) -> Node:
        """The texts that are valid under all of `subschemas`; VOID if there are none."""
        if not self.inhabited(subschemas):
            return VOID
        key = key_of(subschemas)
        node = self.made.get(key)
        if node is None:
            kinds = self._free_kinds(subschemas)
            if kinds is None:
                node = self.made[key] = JsonValue(self, subschemas)
            else:
                spelling = self.spelling
                unique = self.normalizer.keywords.unique
                free = anything(spelling.whitespace, spelling.texts, unique) if kinds == ALL else None
                node = self.made[key] = free or free_values(kinds, spelling.texts)
        return node

    def spelled(self, subschemas: Subschemas) -> Node:
        """The texts that are valid under all of `subschemas`, built at once: for a value that comes next."""
        node = self.value(subschemas)
        return alt(*(label for label, _ in node.edges)) if isinstance(node, JsonValue) else node

    def by_kind(self, subschemas: Subschemas) -> list[Node]:
        """The texts that are valid under all of `subschemas`, by kind."""
        listed = self._listed_compounds(subschemas)
        if listed is not None:
            return [listed]
        conjunctions = self.normalizer.conjunctions(subschemas)
        nodes = [self.scalars.constants(conjunction) for conjunction in conjunctions]
        nodes += self.scalars.numbers(conjunctions) + self.scalars.strings(conjunctions)
        for kind in ("array", "object"):
            of_kind = [conjunction for conjunction in conjunctions if kind in conjunction.kinds]
            if of_kind:
                nodes.append(self._start(kind, of_kind))
        return [node for node in nodes if node is not VOID]

    def substituted(self, subschemas: Subschemas, leaf: SpellClass, spell_word: SpellWord) -> Node:
        """The texts under `subschemas`, with each character substituted (see `nodes.substitute`)."""
        return Writer(self.normalizer, self.spelling.substituted(leaf, spell_word), self.any_order).value(subschemas)

    def json_text(self, subschemas: Subschemas) -> Node:
        """The values that fit all of `subschemas`, written inside a string, without its quotes."""
        if self._inside is None:
            self._inside = Writer(self.normalizer, self.spelling.inside, self.any_order)
        return self._inside.value(subschemas)

    @property
    def looking(self) -> bool:
        """Whether a search for values is under way: then what seems to have no value may lack one only here."""
        return bool(self._enumeration.under_way)

    # ---------------------------------------------------------------------------------------------- arrays and objects

    def _start(self, kind: str, conjunctions: list[Conjunction]) -> Node:
        """The arrays, or the objects, that fit one of some conjunctions; VOID if there are none."""
        closing = self.spelling.right_brace if kind == "object" else self.spelling.right_bracket
        if closing.node is VOID:  # no token ends one, and behind a wall that is seen late
            return VOID
        return self._arrays_of(conjunctions).start() if kind == "array" else self._object_start(conjunctions)

    def _object_start(self, conjunctions: list[Conjunction]) -> Node:
        """The objects that fit one of some conjunctions; VOID if there are none."""
        if len(conjunctions) == 1:
            return self._objects_of(conjunctions).start()
        plain = [conjunction for conjunction in conjunctions if not is_product(conjunction)]
        if len(plain) == len(conjunctions):
            return self._objects_of(plain).start()
        products = [[conjunction] for conjunction in conjunctions if is_product(conjunction)]
        if len(products) > 1 and not self.keywords.for_generation:  # followed as one: none declares names
            products = [[self._either_product(conjunctions)]]
            plain = []
        return alt(*(self._objects_of(some).start() for some in [plain, *products] if some))

    def _either_product(self, conjunctions: list[Conjunction]) -> Conjunction:
        """One conjunction, of which some conjunctions are the factor."""
        key = tuple(conjunctions)
        if key not in self._products:
            alternatives = tuple(conjunction.but(kinds=ALL) for conjunction in conjunctions)
            first = conjunctions[0]
            self._products[key] = Conjunction(origin=first.origin, factors=(alternatives,), order=first.order)
        return self._products[key]

    def _objects_of(self, conjunctions: list[Conjunction]) -> Objects:
        """The objects of some conjunctions: of several, or of one with factors."""
        key = tuple(conjunctions)
        if key not in self._objects:
            product = len(conjunctions) == 1 and is_product(conjunctions[0])
            self._objects[key] = ObjectProduct(self, conjunctions[0]) if product else Objects(self, conjunctions)
        return self._objects[key]

    def _arrays_of(self, conjunctions: list[Conjunction]) -> Arrays:
        key = tuple(conjunctions)
        if key not in self._arrays:
            self._arrays[key] = Arrays(self, conjunctions)
        return self._arrays[key]

    # -------------------------------------------------------------------------------------------- any value of a kind

    def _free_kinds(self, subschemas: Subschemas) -> frozenset[str] | None:
        """The kinds that a value may be of, if nothing else is said and all of them are plain."""
        if not self.spelling.spells_all or len(subschemas) > 1:
            return None
        if not subschemas or subschemas[0].schema is subschemas[0].fits:
            return ALL
        if not subschemas[0].fits or not isinstance(subschemas[0].schema, dict):
            return None
        schema_object = self.keywords.read(subschemas[0])
        if schema_object.combined or schema_object.compounds:
            return None
        if schema_object.conjunction.__dict__.keys() - {"origin", "kinds", "mentioned"}:
            return None
        return self._plain_kinds(schema_object)

    def _plain_kinds(self, schema_object: SchemaObject) -> frozenset[str] | None:
        """The kinds of a schema object that restricts nothing else, if all of them are plain."""
        kinds = schema_object.conjunction.kinds
        if self.keywords.for_generation and not self.spelling.texts.plain and kinds == {"integer"}:
            return None  # without exponents
        if kinds in FREE_KINDS:
            return kinds
        silent = not schema_object.conjunction.mentioned
        return kinds if kinds == ALL and silent and not schema_object.evaluates else None

    # ------------------------------------------------------------------------------------- lists and objects of `enum`

    def _listed_compounds(self, subschemas: Subschemas) -> Node | None:
        """The values of an `enum` with lists and objects, if it is all that is said and each has one spelling."""
        if not (self.spelling.spells_all and self.spelling.texts.plain and len(subschemas) == 1 and subschemas[0].fits):
            return None
        schema_object = None if isinstance(subschemas[0].schema, bool) else self.keywords.read(subschemas[0])
        if schema_object is None or not schema_object.lists_compounds:
            return None
        values = in_one_order(schema_object.compound_values)
        if not all(self._is_spelled(value) for value in values):
            return None
        return alt(self.scalars.constants(schema_object.conjunction), compounds(values, self.spelling))

    def _is_spelled(self, value: Any) -> bool:
        """Whether a value has one spelling, but for whitespace: its numbers stand as they are, its names in order."""
        layer = [value]
        while layer:
            objects = [x for x in layer if isinstance(x, dict)]
            if any(isinstance(x, Fraction) for x in layer) or (self.any_order and any(len(x) > 1 for x in objects)):
                return False
            layer = [*chain(*(x for x in layer if isinstance(x, list)), *(x.values() for x in objects))]
        return True


def is_product(conjunction: Conjunction) -> bool:
    """Whether the objects that fit a conjunction are an `ObjectProduct`: it has factors, or much must exist."""
    return bool(conjunction.factors) or len(conjunction.exists) > limits.FEW_MISSING


def in_one_order(values: list[Any]) -> list[Any]:
    """These values; the properties of their objects come in the order in which names come first in all of them."""
    ranks = {name: i for i, name in enumerate(dict.fromkeys(name for x in values if isinstance(x, dict) for name in x))}
    return [{name: x[name] for name in sorted(x, key=ranks.__getitem__)} if isinstance(x, dict) else x for x in values]


@lru_cache(maxsize=64)
def free_values(kinds: frozenset[str], texts: TextSpelling) -> Node:
    """Any values of these kinds."""
    nodes = [words([b"null"])] * ("null" in kinds) + [words([b"true", b"false"])] * ("boolean" in kinds)
    spelled = numerals.python_number if texts.plain else numerals.number
    nodes += [spelled(kinds & NUMBERS, *NO_BOUNDS)] * bool(kinds & NUMBERS)
    return Once(alt(*nodes, *[encoded_string(ANY_STRING, texts)] * ("string" in kinds)))


@lru_cache(maxsize=64)
def anything(whitespace: Node, texts: TextSpelling, beside_unique: bool = False) -> Node:
    """Any value at all, so spelled: one node for all schemas. beside_unique: for those that have `uniqueItems`."""
    keywords = KeywordReader(True, asserts_formats=True, for_generation=False)
    keywords.unique = beside_unique
    writer = Writer(Normalizer(keywords), JsonSpelling(whitespace, texts), any_order=True)
    writer.made[frozenset()] = node = JsonValue(writer, ())
    return node


class JsonValue(Lazy):
    """A JSON value that fits all of `subschemas`."""

    __slots__ = ("subschemas", "writer")

    def __init__(self, writer: Writer, subschemas: Subschemas):
        self.nullable, self.writer, self.subschemas = False, writer, subschemas

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(node, EMPTY) for node in self.writer.by_kind(self.subschemas)]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self.writer.substituted(self.subschemas, leaf, spell_word)

    def symbols(self) -> set[int]:
        return set(range(256))

    def lengths(self) -> Bounds:
        return 1, None
