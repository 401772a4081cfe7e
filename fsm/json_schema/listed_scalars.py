"""The scalars of `enum` that fit a conjunction, as a trie from which some can be struck out: unique items are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.entries import Entries, Entry
from ..language.nodes import VOID, Node, symbol
from ..patterns.json_strings import quoted_character
from . import numerals
from .conjunction import DIGITS, LONGER, Conjunction
from .json_values import NUMBERS, canonical, exactly, kind_of
from .spelling import JsonSpelling

#: The quote within a text, in entries; the one around it stands for itself. (No text has a lone surrogate.)
INNER_QUOTE = "\udc22"


def _is_plain(character: str) -> bool:
    """Whether a character of an entry is spelled as its byte."""
    return " " <= character <= "~" and character != "\\"


def _spell(character: str) -> Node:
    if _is_plain(character):
        return symbol(ord(character))
    return quoted_character('"' if character == INNER_QUOTE else character)


class ListedScalars:
    """Some scalars, each of which may be struck out.

    Args:
        values: the scalars, which fit. conjunction: whose they are.
    """

    def __init__(self, values: Sequence[Any], conjunction: Conjunction, spelling: JsonSpelling):
        entries_of = _entries_of(conjunction, spelling.numbers)
        distinct = dict.fromkeys((entry, _key(value)) for value in values for entry in entries_of(value))
        pairs = sorted(distinct, key=lambda pair: pair[0].text)
        self._entries, former = spelling.spell_entries(Entries([entry for entry, _ in pairs], _spell, _is_plain))
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


def _entries_of(conjunction: Conjunction, numbers: str) -> Callable[[Any], Iterable[Entry]]:
    """What gives the entries of a scalar."""
    of_number = _python if numbers == "python" else _json

    def entries(value: Any) -> Iterable[Entry]:
        if kind_of(value) in NUMBERS:
            return of_number(value, conjunction)
        return [Entry(_quoted(value) if isinstance(value, str) else json.dumps(value), True, VOID)]

    return entries


def _quoted(text: str) -> str:
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise ConstraintError(f"the text {text!r} has a lone surrogate: it is not Unicode")
    return '"' + text.replace('"', INNER_QUOTE) + '"'


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
