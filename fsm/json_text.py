"""JSON strings, by their spelling: a character may stand plainly or as an escape, and both mean the same.

Law:   text is in L(x)  <=>  every JSON string that decodes to text is in L(substitute(x, string_class))
"""

from __future__ import annotations

from functools import lru_cache

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import formats
from outlines_cont.fsm.automaton import Automaton
from outlines_cont.fsm.language import (
    EMPTY,
    VOID,
    Node,
    Ranges,
    alt,
    cat,
    chars,
    literal,
    overlap,
    repeat,
    substitute,
    union,
    words,
)
from outlines_cont.fsm.pattern import ANY, TOP, parse, utf8, utf8_class
from outlines_cont.fsm.product import at_least, at_most, intersect


@lru_cache(maxsize=4096)
def string_class(ranges: Ranges) -> Node:
    """Every spelling of one of these characters inside a JSON string: itself, or an escape of it."""
    plain = overlap(ranges, union(((0x20, 0x21), (0x23, 0x5B), (0x5D, TOP))))
    short = "".join(short for code, short in _SHORT.items() if overlap(ranges, ((code, code),)))
    escapes = [words(c.encode() for c in short), cat(literal(b"u"), _hex(overlap(ranges, ((0, 0xFFFF),))))]
    for low, high in overlap(ranges, ((0x10000, TOP),)):
        escapes.append(_pairs(low - 0x10000, high - 0x10000))
    return alt(utf8_class(plain), cat(literal(b"\\"), alt(*escapes)))


_SHORT = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}


def _hex(ranges: Ranges, places: int = 4) -> Node:
    """Four hexadecimal digits, of either case, of a number in `ranges`."""
    if not places:
        return EMPTY if ranges else VOID
    size = 16 ** (places - 1)
    tails: dict[Ranges, list[tuple[int, int]]] = {}
    for d in range(16):
        inside = overlap(ranges, ((d * size, (d + 1) * size - 1),))
        if inside:
            tail = tuple((low - d * size, high - d * size) for low, high in inside)
            tails.setdefault(tail, []).extend((ord(c), ord(c)) for c in {f"{d:x}", f"{d:X}"})
    return alt(*(cat(chars(union(tuple(firsts))), _hex(tail, places - 1)) for tail, firsts in tails.items()))


def _pairs(low: int, high: int) -> Node:
    """Surrogate pairs, as escapes without the first backslash, of code points less 0x10000."""
    (first, c), (last, d) = divmod(low, 0x400), divmod(high, 0x400)
    if first == last:
        blocks = [(first, first, c, d)]
    else:
        blocks = [(first, first, c, 0x3FF), (first + 1, last - 1, 0, 0x3FF), (last, last, 0, d)]
    return alt(
        *(
            cat(literal(b"u"), _hex(((0xD800 + a, 0xD800 + b),)), literal(b"\\u"), _hex(((0xDC00 + c, 0xDC00 + d),)))
            for a, b, c, d in blocks
            if a <= b
        )
    )


def quoted(text: str) -> Node:
    """The JSON string of one text: printable ASCII plainly, other characters plainly or escaped."""
    if all(" " <= c <= "~" and c not in '"\\' for c in text):
        return literal(f'"{text}"'.encode())
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise ConstraintError(f"the text {text!r} has a lone surrogate: it is not Unicode")
    return cat(literal(b'"'), *map(_quoted_character, text), literal(b'"'))


@lru_cache(maxsize=4096)
def _quoted_character(c: str) -> Node:
    if " " <= c <= "~":
        return literal(b"\\" + c.encode() if c in '"\\' else c.encode())
    return string_class(((ord(c), ord(c)),))


@lru_cache(maxsize=512)
def decoded_string(patterns: tuple[str, ...], names: tuple[str, ...], low: int, high: int | None) -> Node:
    """The texts, over code points, that fit every pattern and format and have `low` to `high` characters."""
    node: Node | None = None
    for part in (*(parse(p, search=True) for p in patterns), *(formats.language(n) for n in names)):
        assert part is not None
        if part is VOID:
            return VOID
        node = part if node is None else intersect(node, part)
        if node is VOID:
            return VOID
    if node is None:
        return repeat(ANY, low, high)
    if low:
        node = at_least(node, low)
    return node if high is None or node is VOID else at_most(node, high)


@lru_cache(maxsize=512)
def encoded_string(patterns: tuple[str, ...], names: tuple[str, ...], low: int, high: int | None) -> Node:
    """The JSON strings of `decoded_string`, quotes included."""
    content = substitute(decoded_string(patterns, names, low, high), string_class)
    return cat(literal(b'"'), content, literal(b'"'))


def accepts(node: Node, text: str) -> bool:
    """Whether a language of code points has this text."""
    if node is VOID:
        return False
    machine = Automaton(utf8(node))
    state = machine.run(machine.initial, text.encode())
    return state >= 0 and machine.accepting(state)
