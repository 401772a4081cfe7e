"""The quotes of a document: its verbatim parts, from word to word.

Words are what whitespace parts, as `str.split` has it. Of the first word punctuation before it may be left out, and of
the last one punctuation behind it, up to eight characters. So `don't`, `3.5` and `well-known` are whole or not there,
and `Stop` is a quote of `“Stop!”`.

Law:   L(quotation.language()) == {d[i:j]: low <= len(d[i:j].split()) <= high}, for all such places i and j of d

The document is cut into *units*: a word, the whitespace before it but for its first character, and one such character
after it. No unit begins with another; and a quote has as many words as units were taken. The places where quotes may
begin are sorted by the units that follow, and those that go on alike are a range of them, unfolded where a walk gets
there: memory grows with the document. (A suffix automaton, made of single characters, has ten times as many states.)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError

from ..engine.memory import Part
from ..language.nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, SpellWord, alt, chars
from ..language.terms import alphabet, longest, strings, substitute
from ..language.tries import Branches, Entries, Entry, words

LEFT_OUT = 8  # characters of punctuation at most, on each side


class Quotation(NamedTuple):
    """The quotes of a document, of `low` to `high` words (None: any number)."""

    document: str
    low: int
    high: int | None

    @classmethod
    def of(cls, document: Any, words: Any = (3, 40)) -> Quotation:
        """What the user gave. TypeError or ValueError if it is of another form; ConstraintError: there is no quote."""
        if not isinstance(document, str):
            raise TypeError(f"a document is a str, not {type(document).__name__}")
        low, high = words if isinstance(words, (list, tuple)) and len(words) == 2 else (None, None)
        if type(low) is not int or type(high) not in (int, type(None)) or not 1 <= low <= (high or low):
            raise ValueError(f"words are the least and the greatest number, (3, 40), or (3, None); not {shown(words)}")
        if any("\ud800" <= c <= "\udfff" for c in set(document)):
            raise ConstraintError("a document is Unicode text, and this one has a lone surrogate")
        if (count := len(document.split())) < low:
            raise ConstraintError(f"a document of {count} words has no quote of {low}")
        return cls(document, low, high)

    @lru_cache(maxsize=4)  # noqa: B019 (few, as documents may be long)
    def language(self) -> Node:
        """The quotes, over code points."""
        return _Document(self, {c: chars(((ord(c), ord(c)),)) for c in set(self.document)}).language


class _Document:
    """The places of a document where quotes may begin. spelled: its characters; VOID has no spelling.

    Attributes:
        texts: the units, sorted and distinct. The last that is spelled has no whitespace behind it.
        units: of each word, if another comes before it, the number of its unit. int32 [words]
        firsts, words, begins: of each place, the number of its unit, which begins there; its word; and where it is.
            Places are sorted by the units that follow. int32 [places]
        spelling: of each character the one way it is spelled in bytes; None over code points, or if there are several.
    """

    def __init__(self, quotation: Quotation, spelled: dict[str, Node], in_bytes: bool = False):
        self.quotation, self.spelled = quotation, spelled
        self.lacking = [c for c in spelled if spelled[c] is VOID]
        self._punctuation = "".join(c for c in spelled if unicodedata.category(c).startswith("P"))
        spans = [match.span() for match in re.finditer(r"\S+", quotation.document)]
        unit_of, places = self._cut(spans)
        self.texts = sorted({*unit_of, *(text for text, _, _ in places)})
        numbers = dict(zip(self.texts, range(len(self.texts)), strict=True))
        self.units = np.array([*map(numbers.__getitem__, unit_of)], np.int32)
        table = np.array([(numbers[text], k, i) for text, k, i in places], np.int32).reshape(-1, 3)
        goes_on = np.array([text[-1:].isspace() for text in self.texts])
        after = np.where(goes_on[table[:, 0]], np.append(self._ranks(goes_on), -1)[table[:, 1] + 1], -1)
        self.firsts, self.words, self.begins = table[np.lexsort((after, table[:, 0]))].T
        self.last_ends = np.array(spans)[:, 1]
        self.first_ends = np.array([begin + self.least(quotation.document[begin:end]) for begin, end in spans])
        self.longest = longest(alt(*spelled.values())) or 0
        ways = {c: way for c in spelled if in_bytes and (way := self._way(c)) is not None}
        self.spelling = ways if len(ways) == len(spelled) else None

    def _way(self, c: str) -> str | None:
        """How a character is spelled, if there is one way at most."""
        ways = [""] if self.spelled[c] is VOID else strings(self.spelled[c], 1)
        return ways[0] if ways else None

    def _cut(self, spans: list[tuple[int, int]]) -> tuple[list[str], list[tuple[str, int, int]]]:
        """The units of words that come after others; and of each place the unit, the word, and where it is."""
        unit_of, places, more = [""] * len(spans), [], 0  # more: how many words there may be from the next one on
        for k, (begin, end) in reversed([*enumerate(spans)]):
            word = self.quotation.document[begin:end]
            leading = len(word) - len(word.lstrip(self._punctuation))
            for i in range(begin, begin + min(leading, len(word) - 1, LEFT_OUT) + 1):
                text, count = self._unit(i, end, more)
                if count >= self.quotation.low:
                    places.append((text, k, i))
            unit_of[k], more = self._unit(spans[k - 1][1] + 1 if k else begin, end, more)
        return unit_of, places

    @lru_cache(maxsize=4)  # noqa: B019 (a node that is made of many quotes asks for each)
    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> _Document:
        """The document over bytes: each character as these spell it."""
        spelled = {c: substitute(node, leaf, spell_word) for c, node in self.spelled.items()}
        return _Document(self.quotation, spelled, in_bytes=True)

    def _unit(self, begin: int, end: int, more: int) -> tuple[str, int]:
        """The unit of a word from a place on; and how many words there may be from there on."""
        text = self.quotation.document[begin : end + 1]
        if more and not any(c in text for c in self.lacking):
            return text, more + 1
        text = text[: end - begin]
        whole = min((i for c in self.lacking if (i := text.find(c)) >= 0), default=len(text))
        return (text[:whole], 1) if whole >= self.least(text) else ("", 0)

    def least(self, text: str) -> int:
        """How much of a text, which ends with a word, a quote has at least that ends in it."""
        spaces = len(text) - len(text.lstrip())
        return max(len(text.rstrip(self._punctuation)), spaces + 1, len(text) - LEFT_OUT)

    def _ranks(self, goes_on: np.ndarray) -> np.ndarray:
        """Numbers that sort words by the units from each on: by 1, 2, 4 … of them. int64 [words]"""
        rank, size, going = self.units.astype(np.int64), len(self.units), goes_on[self.units]
        span, kinds = 1, 0
        while span < (self.quotation.high or size) and kinds < size:
            after, still = np.full(size, -1), np.zeros(size, bool)
            after[:-span], still[:-span] = rank[span:], going[span:]
            after[~going] = -1
            distinct, rank = np.unique(rank * (len(self.texts) + size + 1) + after + 1, return_inverse=True)
            kinds, span, going = len(distinct), 2 * span, going & still
        return rank

    @property
    def language(self) -> Node:
        return Quote(self, 0, len(self.words), 0) if len(self.words) else VOID


class Quote(Lazy):
    """What follows in quotes that begin at places from `start` to `stop`, whose first `depth` units are the same."""

    __slots__ = ("depth", "places", "start", "stop")

    def __init__(self, places: _Document, start: int, stop: int, depth: int):
        self.nullable, self.places, self.start, self.stop, self.depth = False, places, start, stop, depth

    @property
    def _words(self) -> np.ndarray:
        """The next word behind each place."""
        return self.places.words[self.start : self.stop] + self.depth

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        places, (_, low, high), count = self.places, self.places.quotation, self.depth + 1
        units = places.units[self._words] if self.depth else places.firsts
        cuts = [0, *(np.flatnonzero(units[1:] != units[:-1]) + 1).tolist(), len(units)]
        groups = [(places.texts[units[first]], first, last) for first, last in pairwise(cuts)]
        bodies = [text.rstrip() for text, _, _ in groups if count >= low]
        ended = {body[:end] for body in bodies for end in range(places.least(body), len(body) + 1)}
        onward = {
            text: Quote(places, self.start + first, self.start + last, count)
            for text, first, last in groups
            if text[-1].isspace() and count != high
        }
        if (spelling := places.spelling) is None:
            entries = [Entry(end, True, VOID) for end in ended] + [Entry(text, False, onward[text]) for text in onward]
            return [(Entries(entries, places.spelled.__getitem__, lambda c: False).without(), EMPTY)]

        def spell(text: str) -> bytes:
            return "".join([spelling[c] for c in text]).encode("latin-1")

        edges = [(words(map(spell, ended)), EMPTY)]
        return [*edges, (Onward({spell(text): node for text, node in onward.items()}), EMPTY)] if onward else edges

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        places = self.places.substituted(leaf, spell_word)
        if not self.depth:
            return places.language
        assert places.lacking == self.places.lacking, "where characters are lost, quotes are substituted as a whole"
        return Quote(places, self.start, self.stop, self.depth)

    def symbols(self) -> set[int]:
        return set().union(*map(alphabet, self.places.spelled.values()))

    def lengths(self) -> Bounds:  # over bytes, both are bounds
        places, (_, low, high), word = self.places, self.places.quotation, self._words
        begin = places.last_ends[word - 1] + 1 if self.depth else places.begins
        end = np.maximum(places.first_ends[word + max(low - self.depth, 1) - 1], begin + 1)
        last = np.minimum(word + (high or len(places.units)) - self.depth, len(places.units)) - 1
        return int((end - begin).min()), places.longest * int((places.last_ends[last] - begin).max())


class Onward(Part, Branches):
    """Units in bytes, and what follows each."""

    __slots__ = ("_nodes", "words")

    def __init__(self, nodes: dict[bytes, Quote]):
        self.nullable, self.words, self._nodes = False, sorted(nodes), nodes

    def after(self, i: int) -> Lazy:
        return self._nodes[self.words[i]]
