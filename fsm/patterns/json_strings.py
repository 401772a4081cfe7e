"""Whole JSON strings: those that decode to one text, and those that decode to none of several texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from outlines_cont.errors import ConstraintError

from ..language.graph import GraphState, graph
from ..language.measures import alphabet
from ..language.nodes import EMPTY, Bounds, Lazy, Node, SpellClass, SpellWord, alt, cat, star, symbol
from ..language.ranges import complement, overlap, union
from ..language.words import literal
from .characters import CHARACTERS, SURROGATES, TOP
from .json_characters import BEYOND_ASCII, U, hexadecimal, letters, string_class, surrogate_pairs
from .utf8 import utf8_class


def is_odd(text: str) -> bool:
    """Whether a text has characters that JSON strings spell in more than one way here."""
    return not (text.isascii() and text.isprintable()) or '"' in text or "\\" in text


def quoted(text: str) -> Node:
    """The JSON string of one text: printable ASCII plainly, other characters plainly or escaped."""
    if not is_odd(text):
        return literal(f'"{text}"'.encode())
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise ConstraintError(f"the text {text!r} has a lone surrogate: it is not Unicode")
    return cat(literal(b'"'), *map(quoted_character, text), literal(b'"'))


@lru_cache(maxsize=4096)
def quoted_character(c: str) -> Node:
    """One character, within a JSON string."""
    if " " <= c <= "~":
        return literal(b"\\" + c.encode() if c in '"\\' else c.encode())
    return string_class(((ord(c), ord(c)),))


def other_strings(names: Iterable[str]) -> Node:
    """The JSON strings that decode to none of these texts: all after the first quote.

    Whatever character departs from all names, what follows it is one and the same node.
    """
    distinct = tuple(sorted(set(names)))
    return Unlike(distinct, 0) if distinct else _any_tail()


@lru_cache(maxsize=1)
def _any_tail() -> Node:
    """Any characters, and the quote that ends a string."""
    return cat(star(string_class(CHARACTERS)), symbol(ord('"')))


@lru_cache(maxsize=1)
def _parts_of_unlike() -> tuple[Node, Node, Node, Node]:
    printable = union(((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7E)))
    codes = complement(printable, 0xFFFF)
    escapes = alt(
        letters('"\\bfnrt'), cat(U, hexadecimal(overlap(codes, CHARACTERS))), surrogate_pairs(0, TOP - 0x10000)
    )
    return _any_tail(), utf8_class(overlap(CHARACTERS, BEYOND_ASCII)), literal(b"u00"), escapes


class Unlike(Lazy):
    """The tails, after `depth` characters that some names begin with, of the JSON strings that decode to no such name.

    The closing quote belongs to a tail. The compiled machine unfolds this node itself where `words` is not None.

    Attributes:
        names: sorted and distinct; all of them begin with the same `depth` characters.
        words: the names in bytes if all of them are printable ASCII without quote and backslash, and `depth` is 0; else
            None: then the node is unfolded like any other.
        parts: any tail of a string; one character beyond ASCII; `u00`; what follows the backslash in the escapes of
            characters that are not printable ASCII.
    """

    __slots__ = ("depth", "names", "parts", "words")
    words: Sequence[bytes] | None
    parts: tuple[Node, Node, Node, Node]

    def __init__(self, names: tuple[str, ...], depth: int):
        self.nullable, self.names, self.depth = False, names, depth
        plain = not depth and not is_odd("".join(names))
        self.words = [name.encode() for name in names] if plain else None
        self.parts = _parts_of_unlike()

    def hexadecimal(self, codes: Iterable[int]) -> Node:
        """How the escape of one of these characters, which are below 256, ends; VOID if there are none."""
        return hexadecimal(union(*(((c, c),) for c in codes)), 2)

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        by_next: dict[int, list[str]] = {}
        for name in self.names:
            if len(name) > self.depth:
                by_next.setdefault(ord(name[self.depth]), []).append(name)
        ends = len(self.names[0]) == self.depth  # sorted: the shortest comes first
        edges: list[tuple[Node, Node]] = [] if ends else [(symbol(ord('"')), EMPTY)]
        for c, names in by_next.items():
            edges.append((string_class(((c, c),)), Unlike(tuple(names), self.depth + 1)))
        others = complement(union(SURROGATES, *(((c, c),) for c in by_next)), TOP)
        edges.append((string_class(others), _any_tail()))
        return edges

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self._graph().substituted(leaf, spell_word)

    def symbols(self) -> set[int]:
        return alphabet(_any_tail())

    def lengths(self) -> Bounds:
        return self._graph().lengths()

    def _graph(self) -> GraphState:
        """The same, written out."""
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
