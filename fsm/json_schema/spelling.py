"""How JSON is spelled: punctuation, the whitespace around it, and whether numbers are Python's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

from outlines_cont.errors import ConstraintError

from ..engine.memory import Part
from ..language.entries import Entries
from ..language.measures import alphabet
from ..language.nodes import EMPTY, VOID, Node, SpellClass, SpellWord, alt, cat, chars
from ..language.ranges import Ranges, overlap
from ..language.substitution import substitute
from ..language.words import literal
from ..patterns.json_characters import MAY_STAND_PLAINLY, escapes, string_class
from ..patterns.json_texts import escaped, escaped_word
from ..patterns.parser import parse
from ..patterns.utf8 import utf8

FLEXIBLE = r" ?|\r?\n[ \t]*"
NUMBER_SPELLINGS = ("json", "python")  # every one, and those that Python writes


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
    """A node that is written down once for all that it is a part of."""

    __slots__ = ("node",)

    def __init__(self, node: Node):
        self.nullable, self.node = False, node

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((self.node, EMPTY),)


class JsonSpelling:
    """Punctuation, with the whitespace around it; and numbers.

    Args:
        whitespace: what may stand between two tokens.
        numbers: one of `NUMBER_SPELLINGS`.
        leaf, spell_word: if given, every text is substituted by these (see `substitution.substitute`).
        outside: if given, the texts are those of JSON inside the strings of that JSON.

    Attributes:
        spells_all: whether nothing is substituted. complete: whether every value has a spelling.
        space, comma, colon, left_brace, …: whitespace; and punctuation, with the whitespace around it.
    """

    def __init__(
        self,
        whitespace: Node,
        numbers: str,
        leaf: SpellClass | None = None,
        spell_word: SpellWord | None = None,
        outside: JsonSpelling | None = None,
    ):
        self.whitespace, self.numbers, self._leaf, self._outside = whitespace, numbers, leaf, outside
        self._spell_word: SpellWord = spell_word or (lambda word: word)
        self.spells_all = leaf is None
        self.complete = self.spells_all if outside is None else outside.complete
        self.space = self.spell(whitespace)
        self.left_brace, self.left_bracket = self.spell(literal(b"{")), self.spell(literal(b"["))
        signs = punctuation(self.space) if self.spells_all else _signs(self.space, self.spell)
        self.comma, self.colon, self.right_brace, self.right_bracket, *self._opening = signs

    def spell(self, node: Node) -> Node:
        """What is left of a node after the substitution, if there is one."""
        return node if self._leaf is None else substitute(node, self._leaf, self._spell_word)

    def spell_word(self, word: bytes) -> bytes | None:
        """The spelling of a word; None if it has none."""
        return self._spell_word(word)

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> JsonSpelling:
        """This spelling, with every text substituted once more."""

        def spell_both(word: bytes) -> bytes | None:
            spelled = self.spell_word(word)
            return None if spelled is None else spell_word(spelled)

        def spell_class(ranges: Ranges) -> Node:
            return substitute(self.spell(chars(ranges)), leaf, spell_word)

        spelling = JsonSpelling(self.whitespace, self.numbers, spell_class, spell_both, self._outside)
        spelling.complete = False
        return spelling

    @cached_property
    def inside(self) -> JsonSpelling:
        """The spelling of JSON inside the strings of this JSON.

        It has one spelling there, except for the characters of string values, see `character`.
        """
        return JsonSpelling(
            self.whitespace,
            self.numbers,
            lru_cache(maxsize=4096)(lambda ranges: self.spell(escaped(ranges))),
            lambda word: self.spell_word(escaped_word(word)),
            self,
        )

    @property
    def spells_characters(self) -> bool:
        """Whether the characters of string values have other spellings than `spell` gives them."""
        return self._outside is not None and self.numbers != "python"

    def character(self, ranges: Ranges) -> Node:
        """One of these characters in a string value, in every spelling; but escapes of JSON in strings have one."""
        if self._outside is None:
            return self.spell(string_class(ranges))
        return alt(self._outside.character(overlap(ranges, MAY_STAND_PLAINLY)), self.spell(escapes(ranges)))

    def written(self, text: bytes) -> bytes:
        """What is written in a text of these spellings, which holds no half of an escape."""
        return text if self._outside is None else json.loads(b'"' + self._outside.written(text) + b'"').encode()

    def spell_entries(self, entries: Entries) -> tuple[Entries, Sequence[int]]:
        """What is left of entries after the substitution, if there is one; and their former numbers."""
        if self._leaf is None:
            return entries, range(len(entries.entries))
        return entries.substituted(self._leaf, self._spell_word)

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
