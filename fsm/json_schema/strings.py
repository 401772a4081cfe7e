"""The strings of a JSON Schema: lengths, patterns and formats as languages of code points, and as JSON writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError

from ..engine.automaton import Automaton
from ..engine.memory import Part
from ..grammar import grammar as grammars
from ..language.intersection import plainly_apart
from ..language.lengths import at_least, at_most, conjunction
from ..language.narrowed import difference
from ..language.nodes import (
    EMPTY,
    VOID,
    Bounds,
    Node,
    Ranges,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    overlap,
    repeat,
    star,
    symbol,
)
from ..language.terms import Deferred, alphabet, longest, shortest, substitute
from ..language.tries import Entries, literal
from ..patterns.characters import ANY, utf8
from ..patterns.json_strings import MAY_STAND_PLAINLY, TextSpelling, escaped, escaped_word
from ..patterns.parser import parse
from . import formats
from .conjunction import Conjunction, Subschema, refuse, tighter, within
from .quotes import Quotation

# --- how JSON is spelled: punctuation, the whitespace around it, texts and numbers

FLEXIBLE = r" ?|\r?\n[ \t]*"


@lru_cache(maxsize=64)
def whitespace(option: str) -> Node:
    """The whitespace between two tokens: "compact", "flexible", or a pattern."""
    if option == "compact":
        return EMPTY
    node = utf8(parse(FLEXIBLE if option == "flexible" else option))
    foreign = alphabet(node) - set(b" \t\n\r")
    if foreign or node is VOID:
        problem = f"matches {bytes([min(foreign)])!r}" if foreign else "matches nothing"
        raise ConstraintError(
            f'whitespace is "compact", "flexible", or a pattern of JSON whitespace only; {option!r} {problem}'
        )
    return node


class Once(Part):
    """A node, and what follows it, that are written down once for all that they are a part of."""

    __slots__ = ("following", "node")
    forgets = ()

    def __init__(self, node: Node, following: Node = EMPTY):
        self.nullable, self.node, self.following = False, node, following

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((self.node, self.following),)

    def lengths(self) -> Bounds:
        return shortest(self.node) + shortest(self.following), None


class JsonSpelling:
    """Punctuation, with the whitespace around it; texts, and numbers.

    Args:
        whitespace: what may stand between two tokens.
        texts: how texts are written. Where that is plain, numbers are written as Python does; else in every way.
        leaf, spell_word: if given, every text is substituted by these (see `terms.substitute`).
        outside: if given, the texts are those of JSON inside the strings of that JSON.

    Attributes:
        spells_all: whether nothing is substituted. complete: whether every value has a spelling.
        space, comma, colon, left_brace, …: whitespace; and punctuation, with the whitespace around it.
    """

    def __init__(
        self,
        whitespace: Node,
        texts: TextSpelling,
        leaf: SpellClass | None = None,
        spell_word: SpellWord | None = None,
        outside: JsonSpelling | None = None,
    ):
        self.whitespace, self.texts, self._leaf, self._outside = whitespace, texts, leaf, outside
        self.spell_word: SpellWord = spell_word or (lambda word: word)
        self.spells_all = leaf is None
        self.complete = self.spells_all if outside is None else outside.complete
        self.space = self.spell(whitespace)
        self.left_brace, self.left_bracket = self.spell(literal(b"{")), self.spell(literal(b"["))
        signs = punctuation(self.space) if self.spells_all else _signs(self.space, self.spell)
        self.comma, self.colon, self.right_brace, self.right_bracket, *self._opening = signs

    def spell(self, node: Node) -> Node:
        """What is left of a node after the substitution, if there is one."""
        return node if self._leaf is None else substitute(node, self._leaf, self.spell_word)

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> JsonSpelling:
        """This spelling followed by another substitution of every text."""

        def spell_both(word: bytes) -> bytes | None:
            spelled = self.spell_word(word)
            return None if spelled is None else spell_word(spelled)

        @cache
        def spell_class(ranges: Ranges) -> Node:
            return substitute(self.spell(chars(ranges)), leaf, spell_word)

        spelling = JsonSpelling(self.whitespace, self.texts, spell_class, spell_both, self._outside)
        spelling.complete = False
        return spelling

    @cached_property
    def inside(self) -> JsonSpelling:
        """The spelling of JSON inside the strings of this JSON.

        It has one spelling there, except for the characters of string values, see `character`.
        """
        return JsonSpelling(
            self.whitespace,
            self.texts,
            lru_cache(maxsize=4096)(lambda ranges: self.spell(escaped(ranges))),
            lambda word: self.spell_word(escaped_word(word)),
            self,
        )

    @property
    def spells_characters(self) -> bool:
        """Whether the characters of string values have other spellings than `spell` gives them."""
        return self._outside is not None and not self.texts.plain

    def character(self, ranges: Ranges) -> Node:
        """One of these characters in a string value, in every spelling; but escapes of JSON in strings have one."""
        if self._outside is None:
            return self.spell(self.texts.characters(ranges))
        return alt(self._outside.character(overlap(ranges, MAY_STAND_PLAINLY)), self.spell(self.texts.escapes(ranges)))

    def written(self, text: bytes) -> bytes:
        """What is written in a text of these spellings, which holds no half of an escape."""
        return text if self._outside is None else json.loads(b'"' + self._outside.written(text) + b'"').encode()

    def spell_entries(self, entries: Entries) -> tuple[Entries, Sequence[int]]:
        """What is left of entries after the substitution, if there is one; and their former numbers."""
        if self._leaf is None:
            return entries, range(len(entries.entries))
        return entries.substituted(self._leaf, self.spell_word)

    def opening(self, begun: bool) -> Node:
        """All before the name of a property, its first quote included. begun: whether another property came before."""
        return self._opening[begun]


def _signs(space: Node, spell: Callable[[Node], Node]) -> tuple[Once, ...]:
    """The comma, the colon, what closes objects and arrays, and all before the first and any other name."""
    comma, colon = (Once(cat(space, spell(literal(sign)), space)) for sign in (b",", b":"))
    closing = (Once(cat(space, spell(literal(sign)))) for sign in (b"}", b"]"))
    return comma, colon, *closing, *(Once(cat(lead, spell(literal(b'"')))) for lead in (space, comma))


@lru_cache(maxsize=64)
def punctuation(space: Node) -> tuple[Once, ...]:
    """The signs of all schemas with the same whitespace, if nothing is substituted."""
    return _signs(space, lambda node: node)


# --- strings


class GrammarTexts(NamedTuple):
    """The texts of a grammar, in place of a format."""

    grammar: str
    syntax: str = "lark"

    @lru_cache(maxsize=64)  # noqa: B019 (grammars are short)
    def language(self) -> Node:
        """The texts, over code points."""
        return grammars.language(self.grammar, syntax=self.syntax, in_bytes=False)


def is_irregular(name: Any) -> bool:
    """Whether a format is that of no finite automaton: of regular expressions, or the texts of a grammar."""
    return name == formats.REGEX or isinstance(name, GrammarTexts)


class Strings(NamedTuple):
    """What a text has to be: it fits every pattern and format, has so many characters, and is none of `excluded`."""

    patterns: tuple[str, ...] = ()
    formats: tuple[Any, ...] = ()
    lengths: Bounds = (0, None)
    not_patterns: tuple[str, ...] = ()
    not_formats: tuple[Any, ...] = ()
    excluded: tuple[str, ...] = ()

    @classmethod
    def of(cls, conjunction: Conjunction) -> Strings:
        """What a conjunction says of strings."""
        c, excluded = conjunction, tuple(x for x in conjunction.excluded if isinstance(x, str))
        return cls(c.patterns, c.formats, c.lengths, c.not_patterns, c.not_formats, excluded)

    @property
    def surely_some(self) -> bool:
        """Whether texts plainly can be so: of some length, or of one format."""
        low, high = self.lengths
        if len(self.formats) == 1 and self == Strings(formats=self.formats):
            return True
        return self == Strings(lengths=self.lengths) and (high is None or low <= high)

    @property
    def irregular(self) -> list[Any]:
        """The formats, and those excluded, that no intersection can hold."""
        return [name for name in self.formats + self.not_formats if is_irregular(name)]

    @property
    def quotes(self) -> bool:
        """Whether a document is quoted."""
        return any(isinstance(name, Quotation) for name in self.formats + self.not_formats)

    @property
    def format_beside_others(self) -> Any:
        """The format, if there is one, and more is said beside it; else no name."""
        return self.formats[0] if len(self.formats) == 1 and not self.surely_some else ""

    @property
    def endless(self) -> bool:
        """Whether there are texts of any length that are so: whatever is excluded by itself, some are left.

        (`longest` knows of a bound on what `decoded_string` makes, if there is one.)
        """
        node = decoded_string(self._replace(excluded=()))
        return node is not VOID and longest(node) is None


ANY_STRING = Strings()


def _remembered(make: Callable[..., Node]) -> Callable[..., Node]:
    """Of 512 conditions; and of four with quotes, whose documents may be long."""
    made = [lru_cache(maxsize=most)(make) for most in (512, 4)]
    return lambda conditions, *texts: made[conditions.quotes](conditions, *texts)


@_remembered
def decoded_string(conditions: Strings) -> Node:
    """The texts that meet the conditions, over code points.

    Raises:
        ConstraintError: the conditions, taken together, are too large.
    """
    if conditions.quotes and conditions.excluded:  # as it is walked: documents may be long
        node = decoded_string(conditions._replace(excluded=()))
        return node if node is VOID else difference(node, conditions.excluded, chars)
    return _irregular(conditions) if conditions.irregular else _intersection(conditions)


def _intersection(conditions: Strings) -> Node:
    """The texts that meet conditions which regular expressions express."""
    counted = [name for name in conditions.not_formats if name in formats.TOO_LONG]
    if len(counted) == 1 and not conditions.formats:  # then what is too long for it is not excluded
        others = tuple(name for name in conditions.not_formats if name != counted[0])
        longer = conditions._replace(not_formats=others, patterns=(*conditions.patterns, formats.TOO_LONG[counted[0]]))
        return alt(_conjoined(conditions, uncounted=True), _conjoined(longer))
    return _conjoined(conditions)


def _conjoined(conditions: Strings, uncounted: bool = False) -> Node:
    """The texts that meet all these conditions, at once. uncounted: excluded formats are of any length."""
    only = conditions.format_beside_others  # its bound is set last
    required = _patterns(conditions.patterns) + [_format(name, name == only) for name in conditions.formats]
    forbidden = _patterns(conditions.not_patterns)
    forbidden += [_format(name, uncounted) for name in conditions.not_formats]
    forbidden += [exactly(text) for text in conditions.excluded]
    low, high = conditions.lengths
    if VOID in required:
        return VOID
    if not required and not forbidden:
        return repeat(ANY, low, high)
    node = conjunction(required or [star(ANY)], [x for x in forbidden if x is not VOID])
    if low and node is not VOID:
        node = at_least(node, low)
    node = formats.bounded(only, node)
    return node if high is None or node is VOID else at_most(node, high)


def _irregular(conditions: Strings) -> Node:
    """The texts of an irregular format: parentheses close there, which no intersection can express."""
    low, high = conditions.lengths
    refuse_beside_irregular(conditions)
    node, excluded = _format(conditions.irregular[0]), [*conditions.excluded, *[""] * low]
    if high is not None:
        node = at_most(node, high)
    return difference(node, excluded, chars) if excluded and node is not VOID else node


def refuse_beside_irregular(conditions: Strings) -> None:
    """ConstraintError for what is said of an irregular format besides, and no intersection can hold."""
    irregular = conditions.irregular
    plain = Strings(formats=tuple(irregular), lengths=conditions.lengths, excluded=conditions.excluded)
    if irregular and (conditions != plain or conditions.lengths[0] > 1 or len(irregular) > 1):
        name = "'x-grammar'" if isinstance(irregular[0], GrammarTexts) else "the format 'regex'"
        others = "'pattern', another 'format', 'not' or a 'minLength' above 1"
        raise ConstraintError(f"{name} together with {others} is not supported")


def _patterns(patterns: tuple[str, ...]) -> list[Node]:
    return [parse(pattern, search=True) for pattern in patterns]


def _format(name: str | Quotation | GrammarTexts, unbounded: bool = False) -> Node:
    if isinstance(name, Quotation | GrammarTexts):
        return name.language()
    node = (formats.unbounded if unbounded else formats.language)(name)
    assert node is not None
    return node


@lru_cache(maxsize=4096)
def exclude_each_other(patterns: frozenset[str]) -> bool:
    """Whether plainly no text matches all of some patterns. (Where none is anchored, some text does.)"""
    anchored = len(patterns) > 1 and any("^" in pattern or "$" in pattern for pattern in patterns)
    return anchored and plainly_apart(_patterns(tuple(patterns)))


@lru_cache(maxsize=4096)
def exactly(text: str) -> Node:
    """One text, over code points."""
    return cat(*(symbol(ord(c)) for c in text))


@_remembered
def encoded_string(conditions: Strings, texts: TextSpelling) -> Node:
    """The JSON strings of `decoded_string`, quotes included."""
    low = conditions.lengths[0]
    if low < 2 and conditions == Strings(lengths=(low, None), excluded=conditions.excluded):
        return cat(literal(b'"'), texts.others([*conditions.excluded, *[""] * low]))
    if not conditions.surely_some and decoded_string(conditions) is VOID:
        return VOID

    def behind_quote() -> Node:
        return cat(substitute(decoded_string(conditions), texts.characters), literal(b'"'))

    return cat(literal(b'"'), Deferred(behind_quote))  # many a token ends with the first quote


def fits(text: str, conjunction: Conjunction) -> bool:
    """Whether a text fits all that a conjunction says of strings, besides `excluded`."""
    conditions = Strings.of(conjunction)._replace(excluded=())
    if not within(len(text), conditions.lengths):
        return False
    for field, fitting in (("formats", True), ("not_formats", False)):
        names = getattr(conditions, field)
        for name in filter(is_irregular, names):  # by itself: no intersection has it
            if accepts(_format(name), text) is not fitting:
                return False
        conditions = conditions._replace(**{field: tuple(name for name in names if not is_irregular(name))})
    return conditions._replace(lengths=(0, None)) == ANY_STRING or accepts(decoded_string(conditions), text)


def accepts(node: Node, text: str) -> bool:
    """Whether a language of code points has this text."""
    if node is VOID:
        return False
    automaton = _acceptor(node)
    state = automaton.run(automaton.initial, text.encode())
    return state >= 0 and automaton.accepting(state)


@lru_cache(maxsize=16)
def _acceptor(node: Node) -> Automaton:
    """The automaton that says whether a language of code points has a text; it is often asked about several."""
    return Automaton(utf8(node))


# --- the keyword `format`, which may also speak of numbers

#: OpenAPI's formats of numbers, as bounds.
NUMERIC_FORMATS = {
    "int32": (Fraction(-(2**31)), Fraction(2**31 - 1)),
    "int64": (Fraction(-(2**63)), Fraction(2**63 - 1)),
    "float": (None, None),
    "double": (None, None),
}


#: The format, of pydantic 1, of a string that holds JSON: of what kind says `contentSchema`, which else only describes.
JSON_STRING = "json-string"


def read_format(subschema: Subschema, conjunction: Conjunction, for_generation: bool) -> None:
    """Read `format` as an assertion. A name that the standard does not know only describes.

    for_generation: see `KeywordReader`; then texts are of the part that readers understand.
    """
    name, path = subschema.schema["format"], f"{subschema.path}/format"
    if name == JSON_STRING:
        conjunction.contents = (subschema.at("contentSchema"),) if "contentSchema" in subschema.schema else ()
        return
    if not isinstance(name, str):
        refuse(path, f"must be a string, not {json.dumps(name)}")
    if name in NUMERIC_FORMATS:
        low, high = NUMERIC_FORMATS[name]
        conjunction.low, conjunction.low_open = tighter((conjunction.low, conjunction.low_open), (low, False), 1)
        conjunction.high, conjunction.high_open = tighter((conjunction.high, conjunction.high_open), (high, False), -1)
    elif name in formats.REFUSED_FORMATS:
        refuse(path, f"the format {name!r} is not supported")
    elif formats.is_known(name):
        conjunction.formats += (formats.readable(name) if for_generation else name,)
        try:
            refuse_beside_irregular(Strings.of(conjunction))
        except ConstraintError as error:
            refuse(subschema.path, str(error))


def read_quote(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read our keyword `x-quote`: it is as if the quotes of a document were a format."""
    value = subschema.schema["x-quote"]
    try:
        if not isinstance(value, dict) or not {"document"} <= value.keys() <= {"document", "words"}:
            raise ValueError(f'must be {{"document": "…", "words": [3, 40]}}, not {shown(value)}')
        conjunction.formats = (Quotation.of(**value),)
    except (ConstraintError, TypeError, ValueError) as error:
        refuse(f"{subschema.path}/x-quote", str(error))


def read_grammar(subschema: Subschema, conjunction: Conjunction) -> None:
    """Read our keyword `x-grammar`: it is as if the texts of a grammar were a format."""
    value = subschema.schema["x-grammar"]
    try:
        if not isinstance(value, dict) or not {"grammar"} <= value.keys() <= {"grammar", "syntax"}:
            raise ValueError(f'must be {{"grammar": "…", "syntax": "lark"}}, not {shown(value)}')
        texts = GrammarTexts(**value)
        texts.language()
        conjunction.formats += (texts,)
    except (ConstraintError, TypeError, ValueError) as error:
        refuse(f"{subschema.path}/x-grammar", str(error))
