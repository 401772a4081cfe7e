"""JSON strings, by their spelling: a character may stand plainly or as an escape, and both mean the same.

Law:   text is in L(x)  <=>  every JSON string that decodes to text is in L(substitute(x, string_class))
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from outlines_cont.errors import ConstraintError

from ..engine.automaton import Automaton
from ..engine.node_tables import Escaped, Unlike
from ..language.graph import GraphState, graph
from ..language.intersection import intersection
from ..language.lazy import Deferred
from ..language.lengths import at_least, at_most
from ..language.measures import alphabet, longest
from ..language.nodes import (
    EMPTY,
    VOID,
    Bounds,
    Class,
    KeepWord,
    Node,
    SpellClass,
    alt,
    cat,
    chars,
    repeat,
    star,
    symbol,
)
from ..language.ranges import Ranges, complement, overlap, union
from ..language.substitution import substitute
from ..language.words import literal, words
from ..patterns.characters import ANY, CHARACTERS, SURROGATES, TOP
from ..patterns.parser import parse
from ..patterns.utf8 import utf8, utf8_class
from . import formats
from .conjunction import Flat


@lru_cache(maxsize=4096)
def string_class(ranges: Ranges) -> Node:
    """Every spelling of one of these characters inside a JSON string: itself, or an escape of it."""
    plain = overlap(ranges, union(((0x20, 0x21), (0x23, 0x5B), (0x5D, TOP))))
    spelled = alt(utf8_class(plain), _escapes(ranges))
    return Escaped(ranges, spelled) if overlap(ranges, _BEYOND) in _MOST else spelled


@lru_cache(maxsize=4096)
def _escapes(ranges: Ranges) -> Node:
    short = "".join(short for code, short in _SHORT.items() if overlap(ranges, ((code, code),)))
    escapes = [_letters(short), cat(_U, _hex(overlap(ranges, ((0, 0xFFFF),))))]
    for low, high in overlap(ranges, ((0x10000, TOP),)):
        escapes.append(_pairs(low - 0x10000, high - 0x10000))
    return cat(literal(b"\\"), alt(*escapes))


@lru_cache(maxsize=4096)
def _letters(letters: str) -> Node:
    return words(c.encode() for c in letters)


_U = literal(b"u")
_BEYOND: Ranges = ((0x80, TOP),)
#: The classes that vocabularies are surveyed for as they are spelled in JSON; and what of them lies beyond ASCII.
SURVEYED = tuple(
    x.ranges for p in ("(?s:.)", ".", r"[\S\x00-\x7f]") if isinstance(x := parse(f"^{p}$", search=True), Class)
)
_MOST = [overlap(ranges, _BEYOND) for ranges in SURVEYED]
_SHORT = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}


@lru_cache(maxsize=4096)  # most of what several classes have is the same
def _hex(ranges: Ranges, places: int = 4) -> Node:
    """Four hexadecimal digits, of either case, of a number in `ranges`."""
    if not places:
        return EMPTY if ranges else VOID
    size = 16 ** (places - 1)
    inside: dict[int, list[tuple[int, int]]] = {}
    for low, high in ranges:
        for d in range(low // size, high // size + 1):
            inside.setdefault(d, []).append((max(low - d * size, 0), min(high - d * size, size - 1)))
    tails: dict[Ranges, list[int]] = {}
    for d, tail in inside.items():
        tails.setdefault(tuple(tail), []).append(d)
    return alt(*(cat(_digit(tuple(firsts)), _hex(tail, places - 1)) for tail, firsts in tails.items()))


@cache
def _digit(values: tuple[int, ...]) -> Node:
    """A hexadecimal digit of one of these values."""
    return chars(union(*(((ord(c), ord(c)),) for d in values for c in (f"{d:x}", f"{d:X}"))))


@lru_cache(maxsize=4096)
def _pairs(low: int, high: int) -> Node:
    """Surrogate pairs, as escapes without the first backslash, of code points less 0x10000."""
    (first, c), (last, d) = divmod(low, 0x400), divmod(high, 0x400)
    if first == last:
        blocks = [(first, first, c, d)]
    else:
        blocks = [(first, first, c, 0x3FF), (first + 1, last - 1, 0, 0x3FF), (last, last, 0, d)]
    return alt(
        *(
            cat(_U, _hex(((0xD800 + a, 0xD800 + b),)), literal(b"\\u"), _hex(((0xDC00 + c, 0xDC00 + d),)))
            for a, b, c, d in blocks
            if a <= b
        )
    )


def other_strings(names: Iterable[str]) -> Node:
    """The JSON strings that decode to none of these texts: all after the first quote.

    What goes on after the first character that no name goes on with is one and the same node.
    """
    distinct = tuple(sorted(set(names)))
    return _Unlike(distinct, 0) if distinct else _rest()


@lru_cache(maxsize=1)
def _rest() -> Node:
    """Any characters, and the quote that ends a string."""
    return cat(star(string_class(CHARACTERS)), symbol(ord('"')))


@lru_cache(maxsize=1)
def _parts_of_unlike() -> tuple[Node, Node, Node, Node]:
    printable = union(((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7E)))
    codes = complement(printable, 0xFFFF)
    escapes = alt(_letters('"\\bfnrt'), cat(_U, _hex(overlap(codes, CHARACTERS))), _pairs(0, TOP - 0x10000))
    return _rest(), utf8_class(overlap(CHARACTERS, _BEYOND)), literal(b"u00"), escapes


class _Unlike(Unlike):
    """The tails, from `depth` characters on that some names begin with, of the JSON strings that are no such name."""

    __slots__ = ("depth", "names")

    def __init__(self, names: tuple[str, ...], depth: int):
        self.nullable, self.names, self.depth = False, names, depth
        plain = not depth and not is_odd("".join(names))
        self.words = [name.encode() for name in names] if plain else None
        self.parts = _parts_of_unlike()

    def hexadecimal(self, codes: Iterable[int]) -> Node:
        return _hex(union(*(((c, c),) for c in codes)), 2)

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        groups: dict[int, list[str]] = {}
        for name in self.names:
            if len(name) > self.depth:
                groups.setdefault(ord(name[self.depth]), []).append(name)
        ends = len(self.names[0]) == self.depth  # sorted: the shortest comes first
        edges: list[tuple[Node, Node]] = [] if ends else [(symbol(ord('"')), EMPTY)]
        for c, group in groups.items():
            edges.append((string_class(((c, c),)), _Unlike(tuple(group), self.depth + 1)))
        others = complement(union(SURROGATES, *(((c, c),) for c in groups)), TOP)
        edges.append((string_class(others), _rest()))
        return edges

    def substituted(self, leaf: SpellClass, keep: KeepWord) -> Node:
        return self._graph().substituted(leaf, keep)

    def symbols(self) -> set[int]:
        return alphabet(_rest())

    def lengths(self) -> Bounds:
        return self._graph().lengths()

    def _graph(self) -> GraphState:
        """The same, written out."""
        numbers: dict[Node, int] = {self: 0}
        out: list[list[tuple[Node, int]]] = []
        todo: list[Node] = [self]
        for node in todo:  # grows
            edges = node.edges if isinstance(node, _Unlike) else [] if node is EMPTY else [(node, EMPTY)]
            out.append([])
            for label, tail in edges:
                if tail not in numbers:
                    numbers[tail] = len(todo)
                    todo.append(tail)
                out[-1].append((label, numbers[tail]))
        found = graph(out, [node is EMPTY for node in todo])
        assert isinstance(found, GraphState)
        return found


def is_odd(text: str) -> bool:
    """Whether a text has characters that JSON strings spell in more than one way here."""
    return not (text.isascii() and text.isprintable()) or '"' in text or "\\" in text


def quoted(text: str) -> Node:
    """The JSON string of one text: printable ASCII plainly, other characters plainly or escaped."""
    if not is_odd(text):
        return literal(f'"{text}"'.encode())
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise ConstraintError(f"the text {text!r} has a lone surrogate: it is not Unicode")
    return cat(literal(b'"'), *map(_quoted_character, text), literal(b'"'))


@lru_cache(maxsize=4096)
def _quoted_character(c: str) -> Node:
    if " " <= c <= "~":
        return literal(b"\\" + c.encode() if c in '"\\' else c.encode())
    return string_class(((ord(c), ord(c)),))


@lru_cache(maxsize=4096)
def key_class(ranges: Ranges) -> Node:
    """Every spelling of one of these characters inside the name of a property: printable ASCII stands plainly."""
    plain = overlap(ranges, union(((0x20, 0x21), (0x23, 0x5B), (0x5D, TOP))))
    other = overlap(ranges, union(((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C), (0x7F, TOP))))
    return alt(utf8_class(plain), _escapes(other))


class Strings(NamedTuple):
    """What a text has to be: it fits every pattern and format, has so many characters, and is none of `excluded`."""

    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    lengths: Bounds = (0, None)
    not_patterns: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @classmethod
    def of(cls, flat: Flat) -> Strings:
        """What a flat says of strings."""
        excluded = tuple(x for x in flat.excluded if isinstance(x, str))
        return cls(flat.patterns, flat.formats, flat.lengths, flat.not_patterns, flat.not_formats, excluded)

    @property
    def surely_some(self) -> bool:
        """Whether texts plainly can be so: of some length, or of one format."""
        low, high = self.lengths
        if len(self.formats) == 1 and self == Strings(formats=self.formats):
            return True
        return self == Strings(lengths=self.lengths) and (high is None or low <= high)

    @property
    def endless(self) -> bool:
        """Whether there are texts of any length that are so: whatever is excluded by itself, some are left.

        (`longest` knows of a bound on what `decoded_string` makes, if there is one.)
        """
        node = decoded_string(self._replace(excluded=()))
        return node is not VOID and longest(node) is None


@lru_cache(maxsize=512)
def decoded_string(what: Strings) -> Node:
    """The texts that are so, over code points.

    Raises:
        ConstraintError: the conditions, taken together, are too large.
    """
    only = what.formats[0] if len(what.formats) == 1 else ""  # its bound is set last
    yes = [parse(p, search=True) for p in what.patterns] + [_format(name, name == only) for name in what.formats]
    no = [parse(p, search=True) for p in what.not_patterns] + [_format(name) for name in what.not_formats]
    no += [exactly(text) for text in what.excluded]
    low, high = what.lengths
    if VOID in yes:
        return VOID
    if not yes and not no:
        return repeat(ANY, low, high)
    node = intersection(yes or [star(ANY)], [x for x in no if x is not VOID])
    if low and node is not VOID:
        node = at_least(node, low)
    node = formats.bounded(only, node)
    return node if high is None or node is VOID else at_most(node, high)


@lru_cache(maxsize=4096)
def exactly(text: str) -> Node:
    """One text, over code points."""
    return cat(*(symbol(ord(c)) for c in text))


def _format(name: str, unbounded: bool = False) -> Node:
    node = (formats.unbounded if unbounded else formats.language)(name)
    assert node is not None
    return node


@lru_cache(maxsize=512)
def encoded_string(what: Strings) -> Node:
    """The JSON strings of `decoded_string`, quotes included."""
    low = what.lengths[0]
    if low < 2 and what == Strings(lengths=(low, None), excluded=what.excluded):
        texts = [text for text in what.excluded if not any("\ud800" <= c <= "\udfff" for c in text)]
        return cat(literal(b'"'), other_strings([*texts, *[""] * low]))
    content = decoded_string(what)
    if content is VOID:
        return VOID

    def rest() -> Node:
        return cat(substitute(content, string_class), literal(b'"'))

    return cat(literal(b'"'), Deferred(rest))  # many a token ends with the first quote


def accepts(node: Node, text: str) -> bool:
    """Whether a language of code points has this text."""
    if node is VOID:
        return False
    machine = _acceptor(node)
    state = machine.run(machine.initial, text.encode())
    return state >= 0 and machine.accepting(state)


@lru_cache(maxsize=16)
def _acceptor(node: Node) -> Automaton:
    """What says whether a language of code points has a text: several are asked about, often."""
    return Automaton(utf8(node))
