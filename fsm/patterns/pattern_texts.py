"""The texts that are regular expressions: a subset that ECMA-262 (with the flag `u` or without) and Python both read.

    characters      all but  ^ $ \\ . * + ? ( ) [ ] { } |  which have a backslash before them, as `/` may
    escapes         \\d \\D \\w \\W \\s \\S, \\f \\n \\r \\t \\v, \\xHH, \\uHHHH but for surrogates
    classes         [abc], [^a-z\\d_-]: ranges of ASCII characters, of \\xHH and of \\uHHHH, in order; a range may also
                    end in any other character below U+10000. `-` stands first, last, or behind a backslash;
                    `[` `]` `\\` behind a backslash; `^` not first
    quantifiers     * + ? {m} {m,} {m,n} with m <= n <= 1000, and the lazy ones
    groups          ( ) (?: ), and (?= ) (?! ) which have no quantifier; at most 30 within one another
    others          . ^ $ \\b \\B |

Backreferences, lookbehinds, names of groups, flags and \\p are not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ..language.nodes import (
    EMPTY,
    VOID,
    Bounds,
    Lazy,
    Node,
    Ranges,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    complement,
    opt,
    overlap,
    points,
    star,
    union,
)
from ..language.terms import substitute
from .characters import CHARACTERS, SURROGATES, TOP

DEEPEST = 30  # groups within one another
MOST = 1000  # times, in a quantifier
SYNTAX = "^$\\.*+?()[]{}|"
_LETTERS = "dDwWsSfnrtv"  # behind a backslash
_HEX = "0123456789abcdef"
_AFTER_ASCII: Ranges = ((0x80, TOP),)
_TWO_BYTES: Ranges = ((0, 0xFFFF),)  # what ECMA-262 without `u` reads as one character


def _ranges(characters: Iterable[str]) -> Ranges:
    return points(map(ord, characters))


_LITERAL = overlap(CHARACTERS, complement(_ranges(SYNTAX), TOP))
_ENDPOINTS = overlap(((0x20, 0x7E),), complement(_ranges("\\]-[^"), 0x7F))  # which stand plainly
_NO_SURROGATES: Ranges = overlap(_TWO_BYTES, complement(SURROGATES, TOP))


class PatternTexts(Lazy):
    """A part of the texts, made when it is reached: `make` of its family and some numbers.

    Its shortest strings have `shortest` symbols.
    """

    __slots__ = ("_make", "family", "numbers", "shortest")

    def __init__(self, family: PatternFamily, make: Callable[..., Node], numbers: tuple[int, ...], shortest: int):
        self.nullable, self.family, self._make = not shortest, family, make
        self.numbers, self.shortest = numbers, shortest

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(self._make(self.family, *self.numbers), EMPTY)]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self.family.substituted(leaf, spell_word).part(self._make, *self.numbers, shortest=self.shortest)

    def symbols(self) -> set[int]:
        return set(range(256))

    def lengths(self) -> Bounds:
        return self.shortest, None

    def furthest(self) -> int | None:
        """See `Lazy.furthest`: all groups are to be closed, and a class, or the count of a quantifier."""
        return DEEPEST + 8 if self.family.leaf is chars else None


class PatternFamily:
    """The parts of the texts, with one spelling of the characters. leaf: spells a character of a class."""

    def __init__(self, leaf: SpellClass):
        self.leaf = leaf
        self._made: dict[tuple[object, ...], Node] = {}
        self._last: tuple[SpellClass, SpellWord, PatternFamily] | None = None

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> PatternFamily:
        """The family with every character substituted. The last one is remembered: every part asks for it."""
        if self._last is None or self._last[:2] != (leaf, spell_word):
            old = self.leaf
            self._last = (leaf, spell_word, PatternFamily(lambda ranges: substitute(old(ranges), leaf, spell_word)))
        return self._last[2]

    def part(self, make: Callable[..., Node], *numbers: int, shortest: int = 0) -> Node:
        """A part that is not VOID; the same node each time."""
        key = (make, *numbers)
        node = self._made.get(key)
        if node is None:
            node = self._made.setdefault(key, PatternTexts(self, make, numbers, shortest))
        return node

    def at_once(self, make: Callable[[PatternFamily], Node]) -> Node:
        """A part without recursion, made once."""
        node = self._made.get((make,))
        return self._made.setdefault((make,), make(self)) if node is None else node

    def text(self, text: str) -> Node:
        """These characters."""
        return cat(*(self.leaf(_ranges(c)) for c in text))

    def one_of(self, characters: str) -> Node:
        """One of these characters."""
        return self.leaf(_ranges(characters))

    def digits(self, low: int, high: int, places: int, base: int) -> Node:
        """The numbers from `low` to `high`, in so many digits."""
        if low > high:
            return VOID
        if not places:
            return EMPTY
        size = base ** (places - 1)
        nodes: dict[tuple[int, int], str] = {}
        for digit in range(low // size, high // size + 1):
            bounds = (max(low - digit * size, 0), min(high - digit * size, size - 1))
            nodes[bounds] = nodes.get(bounds, "") + _HEX[digit] + _HEX[digit].upper()
        digits = (cat(self.one_of(firsts), self.digits(*bounds, places - 1, base)) for bounds, firsts in nodes.items())
        return alt(*digits)

    def hex_digit(self, value: int) -> Node:
        """A hexadecimal digit, of either case."""
        return self.one_of(_HEX[value] + _HEX[value].upper())

    def hexadecimal(self, low: int, places: int) -> Node:
        """The characters from `low` on but surrogates, in so many hexadecimal digits."""
        ranges = overlap(_NO_SURROGATES, ((low, 16**places - 1),)) if low < 16**places else ()
        return alt(*(self.digits(first, last, places, 16) for first, last in ranges))


def _level(family: PatternFamily, depth: int) -> Node:
    """Texts whose groups are at most `depth` deep: any terms and bars in any order."""
    terms = alt(family.at_once(_flat_assertion), family.at_once(_flat_term), family.one_of("|"))
    if depth:
        inside = family.part(_level, depth - 1)
        group = cat(alt(family.text("("), family.text("(?:")), inside, family.text(")"))
        look = cat(family.text("(?"), family.one_of("=!"), inside, family.text(")"))
        terms = alt(terms, look, cat(group, opt(family.at_once(_quantifier))))
    return star(terms)


def _flat_assertion(family: PatternFamily) -> Node:
    return alt(family.one_of("^$"), cat(family.text("\\"), family.one_of("bB")))


def _flat_term(family: PatternFamily) -> Node:
    escape = alt(family.one_of(SYNTAX + "/" + _LETTERS), _code(family))
    atom = alt(family.leaf(_LITERAL), family.text("."), cat(family.text("\\"), escape), family.at_once(_class))
    return cat(atom, opt(family.at_once(_quantifier)))


def _code(family: PatternFamily) -> Node:
    """A character by its number, without the backslash."""
    two, four = family.hexadecimal(0, 2), family.hexadecimal(0, 4)
    return alt(cat(family.text("x"), two), cat(family.text("u"), four))


# -------------------------------------------------------------------------------------------------------- quantifiers


def _quantifier(family: PatternFamily) -> Node:
    counted = cat(family.text("{"), family.at_once(_counts), family.text("}"))
    return cat(alt(family.one_of("*+?"), counted), opt(family.text("?")))


def _counts(family: PatternFamily) -> Node:
    """`m`, `m,` and `m,n`."""
    return alt(*(_count_from(family, digit, digit) for digit in range(10)))


def _count_from(family: PatternFamily, digit: int, value: int) -> Node:
    """The counts whose first number begins with `value`, from its last digit on."""
    return cat(family.one_of(_HEX[digit]), family.part(_after_count, value))


def _after_count(family: PatternFamily, value: int) -> Node:
    longer = (10 * value + digit for digit in range(10)) if value else ()
    more = [_count_from(family, x % 10, x) for x in longer if x <= MOST]
    return alt(EMPTY, *more, cat(family.text(","), alt(EMPTY, *_numbers_from(family, value))))


def _numbers_from(family: PatternFamily, low: int) -> list[Node]:
    """The numbers from `low` to `MOST`, without zeros before them."""
    places = range(1, len(str(MOST)) + 1)
    return [family.digits(max(low, 10 ** (n - 1) * (n > 1)), min(MOST, 10**n - 1), n, 10) for n in places]


# ------------------------------------------------------------------------------------------------------------ classes


def _class(family: PatternFamily) -> Node:
    """A class of characters, which is not empty."""
    item, dash, caret, end = family.at_once(_item), family.text("-"), family.text("^"), family.text("]")
    items = star(alt(item, caret))
    only_dash, tail = cat(dash, end), cat(opt(dash), end)
    first = cat(item, items, tail)  # no caret, which would negate
    behind = alt(only_dash, cat(opt(dash), alt(item, caret), items, tail))  # behind a dash, or the caret that negates
    return cat(family.text("["), alt(first, only_dash, cat(dash, alt(item, caret), items, tail), cat(caret, behind)))


def _item(family: PatternFamily) -> Node:
    """A character or a range of a class; no caret, and no dash without a backslash."""
    backslash = family.text("\\")
    beyond = family.leaf(overlap(CHARACTERS, complement(union(((0x20, 0x7E),)), TOP)))  # which begin no range
    letters = cat(backslash, family.one_of(_LETTERS + "-/"))
    ascii_ones = []
    for low, high in _ENDPOINTS:
        for code in range(low, high + 1):
            ascii_ones.append(cat(family.leaf(((code, code),)), _range_end(family, code)))
    escaped = [cat(family.one_of(c), _range_end(family, ord(c))) for c in SYNTAX]
    codes = [cat(family.text(letter), _number(family, places, 0)) for letter, places in (("x", 2), ("u", 4))]
    return alt(beyond, letters, *ascii_ones, cat(backslash, alt(*escaped, *codes)))


def _range_end(family: PatternFamily, start: int) -> Node:
    """What makes a range of a character; or nothing."""
    return family.part(_ends_of_range, start)


def _ends_of_range(family: PatternFamily, start: int) -> Node:
    plain = overlap(union(_ENDPOINTS, overlap(_NO_SURROGATES, _AFTER_ASCII)), ((start, 0xFFFF),))
    syntax = [c for c in SYNTAX if ord(c) >= start]
    codes = (cat(family.text(x), family.hexadecimal(start, n)) for x, n in (("x", 2), ("u", 4)))
    ends = alt(family.leaf(plain), cat(family.text("\\"), alt(family.leaf(_ranges(syntax)), *codes)))
    return opt(cat(family.text("-"), ends))


def _number(family: PatternFamily, places: int, value: int) -> Node:
    """`places` more hexadecimal digits of a character whose first ones are `value`; VOID if there are none."""
    if not places:
        return _range_end(family, value)
    first = value * 16**places
    ranges = overlap(_NO_SURROGATES, ((first, first + 16**places - 1),))
    if all(family.digits(low - first, high - first, places, 16) is VOID for low, high in ranges):
        return VOID
    return family.part(_digit_of_number, places, value, shortest=places)


def _digit_of_number(family: PatternFamily, places: int, value: int) -> Node:
    digits = (cat(family.hex_digit(d), _number(family, places - 1, 16 * value + d)) for d in range(16))
    return alt(*digits)


@lru_cache(maxsize=1)
def pattern_texts() -> Node:
    """The texts, over code points."""
    return PatternFamily(chars).part(_level, DEEPEST)
