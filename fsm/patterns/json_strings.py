"""Whole JSON strings: those that decode to one text, and those that decode to none of several texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from json.encoder import encode_basestring

from outlines_cont.errors import ConstraintError

from ..language.graph import GraphState, graph
from ..language.nodes import (
    EMPTY,
    VOID,
    Bounds,
    Class,
    Lazy,
    Node,
    Ranges,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    complement,
    overlap,
    points,
    star,
    symbol,
    union,
)
from ..language.terms import Charset, alphabet
from ..language.tries import literal, words
from .characters import CHARACTERS, SURROGATES, TOP, utf8_class
from .parser import parse

# --- the characters of JSON strings, by their spelling: one may stand plainly or as an escape, and both mean the same
#
# Law:   text is in L(x)  <=>  every JSON string, so spelled, that decodes to text is in L(substitute(x, characters))

U = literal(b"u")
BEYOND_ASCII: Ranges = ((0x80, TOP),)
_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
_HAVE_SHORT_ESCAPES = points(_SHORT_ESCAPES)
MAY_STAND_PLAINLY = union(((0x20, 0x21), (0x23, 0x5B), (0x5D, TOP)))
_NEED_ESCAPES: Ranges = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))
_ESCAPED_IN_KEYS = union((*_NEED_ESCAPES, (0x7F, TOP)))

#: The classes of characters whose JSON spellings are surveyed once for each vocabulary: `(?s:.)`, `.` and `\S` of JSON
#: Schema's patterns.
SURVEYED = tuple(
    x.ranges for p in ("(?s:.)", ".", r"[\S\x00-\x7f]") if isinstance(x := parse(f"^{p}$", search=True), Class)
)
_SURVEYED_BEYOND_ASCII = [overlap(ranges, BEYOND_ASCII) for ranges in SURVEYED]


class Escaped(Charset):
    """One character of `ranges` inside a JSON string, plainly or as an escape. Surveys tell it from other charsets."""

    __slots__ = ()


class TextSpelling:
    """How texts are written as JSON strings.

    Attributes:
        plain: whether an escape stands only where JSON needs one, as `json.dumps(ensure_ascii=False)` writes it. Else
            every escape may stand for its character; but printable ASCII stands plainly in names, `enum` and `const`.
        characters, in_names: gives the spellings of one of some characters inside a string, or inside a name.
        escapes: gives every escape of one of some characters.
        character: gives the spellings of one character of a name, or of an `enum`.
    """

    def __init__(self, plain: bool):
        self.plain, kept = plain, lru_cache(maxsize=4096)
        self.escapes: Callable[[Ranges], Node] = kept(needed_escapes if plain else all_escapes)
        self.characters: Callable[[Ranges], Node] = kept(self._characters)
        self.in_names: Callable[[Ranges], Node] = self.characters if plain else kept(self._in_names)
        self.character: Callable[[str], Node] = kept(self._character)

    def _characters(self, ranges: Ranges) -> Node:
        spelled = alt(utf8_class(overlap(ranges, MAY_STAND_PLAINLY)), self.escapes(ranges))
        surveyed = not self.plain and overlap(ranges, BEYOND_ASCII) in _SURVEYED_BEYOND_ASCII
        return Escaped(ranges, spelled) if surveyed else spelled

    def _in_names(self, ranges: Ranges) -> Node:
        plainly = utf8_class(overlap(ranges, MAY_STAND_PLAINLY))
        return alt(plainly, self.escapes(overlap(ranges, _ESCAPED_IN_KEYS)))

    def _character(self, c: str) -> Node:
        if " " <= c <= "~":
            return literal(b"\\" + c.encode() if c in '"\\' else c.encode())
        return self.characters(((ord(c), ord(c)),))

    def word(self, text: str) -> bytes | None:
        """The JSON string of a text, if it is the only one.

        Raises:
            ConstraintError: the text has a lone surrogate.
        """
        try:
            encoded = encode_basestring(text).encode()
        except UnicodeEncodeError:
            raise ConstraintError(f"the text {text!r} has a lone surrogate: it is not Unicode") from None
        return encoded if self.plain or not is_odd(text) else None

    def quoted(self, text: str) -> Node:
        """The JSON string of a text; see `word`."""
        word = self.word(text)
        return literal(word) if word else cat(literal(b'"'), *map(self.character, text), literal(b'"'))

    def others(self, names: Iterable[str]) -> Node:
        """The JSON strings that decode to none of these texts: all after the first quote.

        Whatever character departs from all names, what follows it is one and the same node.
        """
        distinct = tuple(sorted(set(names)))
        return Unlike(distinct, 0, self) if distinct else self.tail

    @cached_property
    def tail(self) -> Node:
        """Any characters, and the quote that ends a string."""
        return cat(star(self.characters(CHARACTERS)), symbol(ord('"')))

    @cached_property
    def parts_of_unlike(self) -> tuple[Node, Node, Node, Node]:
        """`Unlike.parts`."""
        beyond, printable = utf8_class(overlap(CHARACTERS, BEYOND_ASCII)), ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7E))
        if self.plain:
            return self.tail, beyond, VOID, after_backslash(CHARACTERS)
        codes = complement(union(printable), 0xFFFF)
        escapes = alt(
            letters('"\\bfnrt'), cat(U, hexadecimal(overlap(codes, CHARACTERS))), surrogate_pairs(0, TOP - 0x10000)
        )
        return self.tail, beyond, literal(b"u00"), escapes


def is_odd(text: str) -> bool:
    """Whether a text has other characters than printable ASCII without quotes and backslashes."""
    return not (text.isascii() and text.isprintable()) or '"' in text or "\\" in text


def all_escapes(ranges: Ranges) -> Node:
    """Every escape of one of these characters."""
    shortened = overlap(ranges, _HAVE_SHORT_ESCAPES)
    short = "".join([_SHORT_ESCAPES[code] for low, high in shortened for code in range(low, high + 1)])
    spelled = [letters(short), cat(U, hexadecimal(overlap(ranges, ((0, 0xFFFF),))))]
    for low, high in overlap(ranges, ((0x10000, TOP),)):
        spelled.append(surrogate_pairs(low - 0x10000, high - 0x10000))
    return cat(literal(b"\\"), alt(*spelled))


def needed_escapes(ranges: Ranges) -> Node:
    """The escapes, after `json.dumps`, of those characters that need one."""
    return cat(literal(b"\\"), after_backslash(ranges))


def after_backslash(ranges: Ranges) -> Node:
    """What follows the backslash in `needed_escapes`."""
    codes = (code for low, high in overlap(ranges, _NEED_ESCAPES) for code in range(low, high + 1))
    return words(json.dumps(chr(code))[2:-1].encode() for code in codes)


@lru_cache(maxsize=4096)
def letters(options: str) -> Node:
    """One of these ASCII letters."""
    return words(c.encode() for c in options)


@lru_cache(maxsize=4096)  # most of what several classes have is the same
def hexadecimal(ranges: Ranges, places: int = 4) -> Node:
    """So many hexadecimal digits, of either case, of a number in `ranges`."""
    if not places:
        return EMPTY if ranges else VOID
    size = 16 ** (places - 1)
    if ranges and ranges[-1][1] < size:
        return cat(_digit((0,)), hexadecimal(ranges, places - 1))
    inside: dict[int, list[tuple[int, int]]] = {}
    for low, high in ranges:
        for d in range(low // size, high // size + 1):
            inside.setdefault(d, []).append((max(low - d * size, 0), min(high - d * size, size - 1)))
    tails: dict[Ranges, list[int]] = {}
    for d, tail in inside.items():
        tails.setdefault(tuple(tail), []).append(d)
    return alt(*(cat(_digit(tuple(firsts)), hexadecimal(tail, places - 1)) for tail, firsts in tails.items()))


@cache
def _digit(values: tuple[int, ...]) -> Node:
    """A hexadecimal digit of one of these values."""
    return chars(points(ord(c) for d in values for c in f"{d:x}{d:X}"))


@lru_cache(maxsize=4096)
def surrogate_pairs(low: int, high: int) -> Node:
    """Surrogate pairs, as escapes without the first backslash, of the code points 0x10000 + low to 0x10000 + high."""
    (first, c), (last, d) = divmod(low, 0x400), divmod(high, 0x400)
    if first == last:
        blocks = [(first, first, c, d)]
    else:
        blocks = [(first, first, c, 0x3FF), (first + 1, last - 1, 0, 0x3FF), (last, last, 0, d)]
    return alt(
        *(
            cat(U, hexadecimal(((0xD800 + a, 0xD800 + b),)), literal(b"\\u"), hexadecimal(((0xDC00 + c, 0xDC00 + d),)))
            for a, b, c, d in blocks
            if a <= b
        )
    )


# --- json strings that are none of some


class Unlike(Lazy):
    """The tails, after `depth` characters that some names begin with, of the JSON strings that decode to no such name.

    The closing quote belongs to a tail. The compiled machine unfolds this node itself where `words` is not None.

    Attributes:
        names: sorted and distinct; all of them begin with the same `depth` characters.
        words: the names in bytes if all of them are printable ASCII without quote and backslash, and `depth` is 0; else
            None: then the node is unfolded like any other.
        parts: any tail of a string; one character beyond ASCII; `u00`, or VOID where printable ASCII has no escapes;
            what follows the backslash in other escapes.
    """

    __slots__ = ("depth", "names", "parts", "texts", "words")
    words: Sequence[bytes] | None
    parts: tuple[Node, Node, Node, Node]

    def __init__(self, names: tuple[str, ...], depth: int, texts: TextSpelling):
        self.nullable, self.names, self.depth, self.texts = False, names, depth, texts
        plain = not depth and not is_odd("".join(names))
        self.words = [name.encode() for name in names] if plain else None
        self.parts = texts.parts_of_unlike

    def hexadecimal(self, codes: Iterable[int]) -> Node:
        """How the escape of one of these characters, which are below 256, ends; VOID if there are none."""
        return hexadecimal(points(codes), 2)

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        by_next: dict[int, list[str]] = {}
        for name in self.names:
            if len(name) > self.depth:
                by_next.setdefault(ord(name[self.depth]), []).append(name)
        ends = len(self.names[0]) == self.depth  # sorted: the shortest comes first
        edges: list[tuple[Node, Node]] = [] if ends else [(symbol(ord('"')), EMPTY)]
        for c, names in by_next.items():
            edges.append((self.texts.characters(((c, c),)), Unlike(tuple(names), self.depth + 1, self.texts)))
        others = complement(union(SURROGATES, points(by_next)), TOP)
        edges.append((self.texts.characters(others), self.texts.tail))
        return edges

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self._graph().substituted(leaf, spell_word)

    def symbols(self) -> set[int]:
        return alphabet(self.texts.tail)

    def lengths(self) -> Bounds:  # a quote; a character more where a name ends
        return 1 + (len(self.names[0]) == self.depth), None

    def _graph(self) -> GraphState:
        """The language as an explicit graph."""
        numbers: dict[Node, int] = {self: 0}
        out: list[list[tuple[Node, int]]] = []
        todo: list[Node] = [self]
        for node in todo:  # grows
            edges = node.edges if isinstance(node, Unlike) else [] if node is EMPTY else [(node, EMPTY)]
            out.append([])
            for label, tail in edges:
                if tail not in numbers:
                    numbers[tail] = len(todo)
                    todo.append(tail)
                out[-1].append((label, numbers[tail]))
        written_out = graph(out, [node is EMPTY for node in todo])
        assert isinstance(written_out, GraphState)
        return written_out


#: The spellings of texts, by their names.
TEXT_SPELLINGS = {"plain": TextSpelling(True), "any": TextSpelling(False)}

# --- JSON texts inside JSON strings: every byte of the text is written plainly, or as an escape where it has to be
#
# Law:   text is in L(x)  <=>  the JSON string of text is in L(substitute(x, escaped, escaped_word)), without its
# quotes,
#        with x a language of UTF-8 bytes

_PLAIN: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0xFF))
_ESCAPED: Ranges = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))


@lru_cache(maxsize=4096)
def escaped_word(word: bytes) -> bytes:
    """A word of a JSON text inside a string: with `\\"` for quotes, and `\\\\` for backslashes."""
    return json.dumps(word.decode("latin-1"), ensure_ascii=False)[1:-1].encode("latin-1")


@lru_cache(maxsize=4096)
def escaped(ranges: Ranges) -> Node:
    """One of these bytes inside a string, as `escaped_word` has it."""
    escapes = (escaped_word(bytes([c])) for low, high in overlap(ranges, _ESCAPED) for c in range(low, high + 1))
    return alt(chars(overlap(ranges, _PLAIN)), words(escapes))
