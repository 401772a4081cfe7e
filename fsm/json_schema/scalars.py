"""Null, booleans, numbers and strings: how they are spelled, and whether one fits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.intersection import intersection
from ..language.nodes import EMPTY, VOID, Node, alt, cat, symbol
from ..language.terms import restrict, substitute
from ..language.tries import Entries, Entry, literal, words
from ..patterns.json_strings import TextSpelling
from . import limits, numerals
from .conjunction import DIGITS, LONGER, SPELLINGS, Conjunction, Subschemas, fields_of, key_of, refuse
from .normalize import Normalizer
from .strings import ANY_STRING, JsonSpelling, Strings, decoded_string, encoded_string
from .strings import exactly as exact_text
from .strings import fits as fits_string
from .values_and_keywords import NUMBERS, STRING, canonical, equal, exactly, kind_of

# --- the scalars of `enum` that fit a conjunction, as a trie from which some can be struck out: unique items are

#: The quote within a text, in entries; the one around it stands for itself. (No text has a lone surrogate.)
INNER_QUOTE = "\udc22"


def _is_plain(character: str) -> bool:
    """Whether a character of an entry is spelled as its byte."""
    return " " <= character <= "~" and character != "\\"


def _spell(character: str, texts: TextSpelling) -> Node:
    if _is_plain(character):
        return symbol(ord(character))
    return texts.character('"' if character == INNER_QUOTE else character)


class ListedScalars:
    """Some scalars, each of which may be struck out.

    Args:
        values: the scalars, which fit. conjunction: whose they are.
    """

    def __init__(self, values: Sequence[Any], conjunction: Conjunction, spelling: JsonSpelling):
        entries_of, spell = _entries_of(conjunction, spelling.texts.plain), partial(_spell, texts=spelling.texts)
        distinct = dict.fromkeys((entry, _key(value)) for value in values for entry in entries_of(value))
        pairs = sorted(distinct, key=lambda pair: pair[0].text)
        self._entries, former = spelling.spell_entries(Entries([entry for entry, _ in pairs], spell, _is_plain))
        self._places: dict[str, int] = {}  # the bits of the entries of a value, by its text
        for i, n in enumerate(former):
            key = pairs[n][1]
            self._places[key] = self._places.get(key, 0) | 1 << i

    def without(self, excluded: Iterable[Any]) -> Node:
        """The scalars that are none of these values; VOID if there are none."""
        struck = 0
        for value in excluded:
            struck |= self._places.get(_key(value), 0)
        return self._entries.without(struck)


def _key(value: Any) -> str:
    """Equal for equal values, and for all numbers that are too long to be told apart."""
    if kind_of(value) in NUMBERS and numerals.is_too_long(exactly(value)):
        value = numerals.TOO_LONG
    return canonical(value)


def _entries_of(conjunction: Conjunction, plain: bool) -> Callable[[Any], Iterable[Entry]]:
    """What gives the entries of a scalar."""
    of_number = _python if plain else _json

    def entries(value: Any) -> Iterable[Entry]:
        if kind_of(value) in NUMBERS:
            return of_number(value, conjunction)
        text = '"' + value.replace('"', INNER_QUOTE) + '"' if isinstance(value, str) else json.dumps(value)
        return [Entry(text, True, VOID)]

    return entries


def _json(value: Any, conjunction: Conjunction) -> Iterator[Entry]:
    """A number in every spelling that a conjunction allows: of an integer, its plain digits, or all others."""
    whole, longer = (spelling in conjunction.integers for spelling in (DIGITS, LONGER))
    for entry in numerals.number_entries(exactly(value)):
        if "fraction" in conjunction.kinds or (whole and longer):
            yield entry
        elif whole and entry.ends:
            yield Entry(entry.text, True, VOID)
        elif longer:
            yield Entry(entry.text, False, entry.more)


def _python(value: Any, conjunction: Conjunction) -> Iterator[Entry]:
    """A number of `enum` as it stands there; a `Fraction` was listed here, and is spelled in every way of Python."""
    kinds = conjunction.kinds & NUMBERS
    if "fraction" not in kinds and DIGITS not in conjunction.integers:
        return
    if isinstance(value, Fraction):
        node = numerals.python_number(kinds, value, value)
        if node is not VOID:
            yield Entry("", False, node)
    else:
        yield Entry(json.dumps(value if "fraction" in kinds else int(value)), True, VOID)


# --- lists and objects of `enum` and `const`: each has one text, but for the whitespace around signs

#: What stands for the signs outside of strings; behind the first bracket of one that is not empty, there is a space.
_COMMA, _COLON, _SIGNS = "\udc2c", "\udc3a", {"[": "\udc5b", "]": "\udc5d", "{": "\udc7b", "}": "\udc7d"}
_SIGNS |= {"[]": "[" + _SIGNS["]"], "{}": "{" + _SIGNS["}"]}
_STRING_OR_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"|\[\]|\{\}|[\[\]{}]')


def compounds(values: Iterable[Any], spelling: JsonSpelling) -> Node:
    """Some lists and objects, spelled plainly, with their properties in the order in which they have them."""
    if spelling.whitespace is EMPTY:
        return words(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() for value in values)
    written = (json.dumps(value, ensure_ascii=False, separators=(_COMMA, _COLON)) for value in values)
    texts = {_STRING_OR_SIGN.sub(lambda match: _SIGNS.get(match[0], match[0]), text) for text in written}
    signs = {_COMMA: spelling.comma, _COLON: spelling.colon}
    signs |= {_SIGNS["["]: cat(spelling.left_bracket, spelling.space), _SIGNS["]"]: spelling.right_bracket}
    signs |= {_SIGNS["{"]: cat(spelling.left_brace, spelling.space), _SIGNS["}"]: spelling.right_brace}
    entries = (Entry(text, True, VOID) for text in texts)
    return Entries(entries, lambda c: signs.get(c) or literal(c.encode()), lambda c: c not in signs).without()


# --- scalars

#: The keywords that make each field of `Strings`.
_RESTRICTING_STRINGS = {
    "patterns": "'pattern'",
    "formats": "another 'format'",
    "lengths": "'minLength' or 'maxLength'",
    "not_patterns": "'not'",
    "not_formats": "'not'",
    "excluded": "'not' or 'uniqueItems'",
}

ENUMERATED = "JSON in a string that 'enum' or 'const' gives is not supported"

_DIGITS_ALONE = frozenset([DIGITS])

#: What conjunctions say of scalars, besides values: `Scalars.fits` asks for no more.
_OF_SCALARS = ("kinds", *fields_of(NUMBERS), *fields_of(STRING))


class Scalars:
    """The scalars that fit conjunctions.

    Args:
        json_text: gives the values that fit some schemas, written inside a string, without its quotes.
        inhabited: says whether there are any.
    """

    def __init__(
        self,
        normalizer: Normalizer,
        spelling: JsonSpelling,
        json_text: Callable[[Subschemas], Node],
        inhabited: Callable[[Subschemas], bool],
    ):
        self.normalizer, self.spelling, self._json_text, self._inhabited = normalizer, spelling, json_text, inhabited
        self._listed_of: dict[tuple[Any, ...], tuple[ListedScalars, tuple[Any, ...]]] = {}  # which keep their values

    # ---------------------------------------------------------------------------------------------------- languages

    def constants(self, conjunction: Conjunction) -> Node:
        """The values of `enum` that fit the rest; null, true and false."""
        if conjunction.values is None and conjunction.kinds.isdisjoint(("null", "boolean")):
            return VOID
        values = conjunction.values if conjunction.values is not None else (None, True, False)
        if conjunction.excluded and len(values) > limits.FEW_CONSTANTS:
            return self._listed_scalars(conjunction).without(conjunction.excluded)
        plain, odd, given, texts = [], [], [], self.spelling.texts
        for value in self._that_fit(values, conjunction):
            if isinstance(value, str):
                word = texts.word(value)
                (odd.append(texts.quoted(value)) if word is None else plain.append(word))
            elif value is None or isinstance(value, bool):
                plain.append(json.dumps(value).encode())
            else:
                given.append(value)
        return self.spelling.spell(alt(words(plain), *odd, self._listed(given, conjunction)))

    def _that_fit(self, values: Iterable[Any], conjunction: Conjunction) -> Iterator[Any]:
        """Of some scalars those that fit; where plainly all strings do, these are not looked at."""
        plainly = "string" in conjunction.kinds and not conjunction.excluded and conjunction.contents is None
        plainly = plainly and Strings.of(conjunction) == ANY_STRING
        return (x for x in values if (plainly and isinstance(x, str)) or self.fits(x, conjunction))

    def _listed_scalars(self, conjunction: Conjunction) -> ListedScalars:
        """The values of `enum` that fit the rest, none excluded: made once, whatever is excluded."""
        assert conjunction.values is not None
        key = (id(conjunction.values), *(getattr(conjunction, name) for name in _OF_SCALARS))
        made = self._listed_of.get(key)
        if made is None:
            whole = conjunction.but(excluded=())
            made = ListedScalars(self.fitting(whole), whole, self.spelling), conjunction.values
            self._listed_of[key] = made
        return made[0]

    def _listed(self, values: list[Any], conjunction: Conjunction) -> Node:
        """Numbers of `enum`, as they stand there; a `Fraction` was listed here, and is spelled in every way."""
        if not self.spelling.texts.plain:
            return _spelled(numerals.some_numbers(map(exactly, values)), conjunction)
        kinds = conjunction.kinds & NUMBERS
        made = [numerals.python_number(kinds, value, value) for value in values if isinstance(value, Fraction)]
        given = [value for value in values if not isinstance(value, Fraction)]
        written = words([json.dumps(value if "fraction" in kinds else int(value)).encode() for value in given])
        return _spelled(alt(written, *made), conjunction)

    def numbers(self, conjunctions: Sequence[Conjunction]) -> list[Node]:
        """The numbers that fit at least one conjunction, besides those of `enum`."""
        nodes = []
        for conjunction in conjunctions:
            kinds = conjunction.kinds & NUMBERS
            if kinds and conjunction.values is None:
                node = self.number(conjunction)
                excludes = not NUMBERS.isdisjoint(map(kind_of, conjunction.excluded))
                if kinds == NUMBERS and not conjunction.restricts_numbers and not excludes:
                    return [node]  # it has all others
                nodes.append(node)
        return nodes

    def number(self, conjunction: Conjunction) -> Node:
        """The numbers that fit."""
        excluded = tuple(exactly(x) for x in conjunction.excluded if kind_of(x) in NUMBERS)
        bounds = (conjunction.low, conjunction.high, conjunction.low_open, conjunction.high_open)
        divisors = (conjunction.multiples, conjunction.not_multiples)
        conditions = (conjunction.kinds & NUMBERS, *bounds, *divisors, excluded)
        plain = self.normalizer.keywords.for_generation or conjunction.integers == _DIGITS_ALONE
        plain = plain and "fraction" not in conjunction.kinds
        try:
            if self.spelling.texts.plain:
                node = numerals.python_number(*conditions)
            else:
                node = numerals.number(*conditions, exponents=not plain)
        except ConstraintError as error:
            raise ConstraintError(f"JSON Schema, at {conjunction.path}: {error}") from None
        return self.spelling.spell(_spelled(node, conjunction))

    def writes(self, x: Fraction, conjunction: Conjunction) -> bool:
        """Whether a number that fits has a spelling."""
        alone = conjunction.but(low=x, high=x, low_open=False, high_open=False)
        return not self.spelling.texts.plain or self.number(alone) is not VOID

    def strings(self, conjunctions: Sequence[Conjunction]) -> list[Node]:
        """The strings that fit at least one conjunction, besides those of `enum`."""
        nodes: dict[Any, Node] = {}
        for conjunction in conjunctions:
            if "string" in conjunction.kinds and conjunction.values is None:
                if conjunction.contents is not None:
                    nodes[key_of(conjunction.contents)] = self.string(conjunction)
                    continue
                conditions = Strings.of(conjunction)
                if conditions == ANY_STRING:
                    return [self.string(conjunction)]  # it has all others
                if conditions not in nodes:
                    nodes[conditions] = self.string(conjunction)
        return list(nodes.values())

    def string(self, conjunction: Conjunction) -> Node:
        """The strings that fit."""
        if conjunction.contents is not None:
            refuse_beside_contents(conjunction)
            content, quote = self._json_text(conjunction.contents), self.spelling.spell(literal(b'"'))
            return cat(quote, content, quote)
        try:
            if self.spelling.spells_characters:
                quote, content = self.spelling.spell(literal(b'"')), decoded_string(Strings.of(conjunction))
                return cat(quote, substitute(content, self.spelling.character), quote)
            return self.spelling.spell(encoded_string(Strings.of(conjunction), self.spelling.texts))
        except ConstraintError as error:
            raise ConstraintError(f"JSON Schema, at {conjunction.path}: {error}") from None

    def texts(self, subschemas: Subschemas) -> Node:
        """The texts, over code points, that as values fit all of `subschemas`."""
        nodes = []
        for conjunction in self.normalizer.conjunctions(subschemas):
            if "string" in conjunction.kinds:
                if conjunction.contents is not None:
                    refuse(conjunction.path, "JSON in the name of a property is not supported")
                if conjunction.values is None:
                    nodes.append(decoded_string(Strings.of(conjunction)))
                else:
                    fitting = (x for x in conjunction.values if isinstance(x, str) and self.fits(x, conjunction))
                    nodes += [exact_text(x) for x in fitting]
        return alt(*nodes)

    # ------------------------------------------------------------------------------------------- whether a value fits

    def possible(self, conjunction: Conjunction) -> bool:
        """Whether some scalar fits."""
        if self._some_constant(conjunction):
            return True
        if conjunction.values is not None:
            return False
        if "string" in conjunction.kinds:
            if conjunction.contents is not None and self.spelling.complete:
                refuse_beside_contents(conjunction)
                return self._inhabited(conjunction.contents)
            if self._endless(conjunction) or self.string(conjunction) is not VOID:
                return True
        return bool(conjunction.kinds & NUMBERS) and self.number(conjunction) is not VOID

    def _endless(self, conjunction: Conjunction) -> bool:
        """Whether it is plain that there are strings that fit."""
        try:
            return self.spelling.complete and Strings.of(conjunction).endless
        except ConstraintError as error:
            raise ConstraintError(f"JSON Schema, at {conjunction.path}: {error}") from None

    def _some_constant(self, conjunction: Conjunction) -> bool:
        """Whether some value of `enum` fits the rest; or null, true or false."""
        if self.spelling.complete and conjunction.values is not None:
            return any(True for _ in self._each_fitting(conjunction))
        return self.constants(conjunction) is not VOID

    def fitting(self, conjunction: Conjunction) -> list[Any]:
        """The values of `enum` that fit all else that a conjunction says."""
        return list(self._each_fitting(conjunction))

    def _each_fitting(self, conjunction: Conjunction) -> Iterator[Any]:
        excluded, whole = set(map(canonical, conjunction.excluded)), conjunction.but(excluded=())
        for value in conjunction.values or ():
            if not (excluded and canonical(value) in excluded) and self.fits(value, whole):
                yield value

    def fits(self, value: Any, conjunction: Conjunction) -> bool:
        """Whether a scalar fits all that a conjunction says besides `values`."""
        kind = kind_of(value)
        if kind not in conjunction.kinds or any(equal(value, x) for x in conjunction.excluded):
            return False
        if kind == "integer" and not conjunction.integers:
            return False
        if kind == "string":
            if conjunction.contents is not None:
                refuse(conjunction.path, ENUMERATED)
            return fits_string(value, conjunction)
        return kind not in NUMBERS or _number_fits(value, conjunction)

    def fits_text(self, text: str, subschemas: Subschemas) -> bool:
        """Whether a text, as a value, fits all of `subschemas`."""
        return not subschemas or any(
            self.fits(text, conjunction) and (conjunction.values is None or text in conjunction.values)
            for conjunction in self.normalizer.conjunctions(subschemas)
        )


def refuse_beside_contents(conjunction: Conjunction) -> None:
    """Refuse what is said of a string beside the JSON in it."""
    conditions = Strings.of(conjunction)
    for field, keywords in _RESTRICTING_STRINGS.items():
        if getattr(conditions, field) != getattr(ANY_STRING, field):
            refuse(conjunction.path, f"JSON in a string that {keywords} restricts as well is not supported")


def _spelled(node: Node, conjunction: Conjunction) -> Node:
    """Of the spellings of some numbers those that a conjunction allows, if these are integers."""
    if conjunction.integers == SPELLINGS or "fraction" in conjunction.kinds:
        return node
    if not conjunction.integers:
        return VOID
    digits = digits_alone(node)
    return digits if DIGITS in conjunction.integers else intersection([node], [digits])


@lru_cache(maxsize=256)
def digits_alone(node: Node) -> Node:
    """Of the spellings of some numbers those without a point and an exponent."""
    return restrict(node, set(b"-0123456789"))


def _number_fits(value: Any, conjunction: Conjunction) -> bool:
    x, low, high = exactly(value), conjunction.low, conjunction.high
    return (
        (low is None or x > low or (x == low and not conjunction.low_open))
        and (high is None or x < high or (x == high and not conjunction.high_open))
        and all((x / multiple).denominator == 1 for multiple in conjunction.multiples)
        and all((x / multiple).denominator > 1 for multiple in conjunction.not_multiples)
        and x != numerals.TOO_LONG
    )
