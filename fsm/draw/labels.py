"""The labels of the edges of a drawing: characters as they are, and classes of characters by what people call them.

A class has a name for the characters that it holds, not for how it was written.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby

from ..language.ranges import Ranges, complement, overlap, size
from ..patterns.characters import ECMA_SPACE, escape_class
from .graph import LONE, Edge
from .json_spelling import EVERY, Way, json_characters
from .picture import seen

WIDE = 7.9  # pixels: the width of a letter
# Characters and lines of labels; what is left out can be read where the mouse rests.
LABEL, LINES = 30, 6
ANY_BYTE: Ranges = ((0, 0x7F), (LONE + 0x80, LONE + 0xFF))
HEXADECIMAL: Ranges = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))
EXCEPTIONS = 4  # ranges after "any but", and after the name of a class
MANY = 8  # ranges: such classes may have a name
LabelPart = tuple[str, bool]  # some text, and whether it stands for itself


def class_label(ranges: Ranges) -> str:
    r"""A class of characters as people call it.

    >>> class_label(((48, 57), (97, 98))), class_label(((32, 32), (228, 228)))
    ('0–9 a b', '␣ ä')
    >>> class_label(((0, 33), (35, 0xD7FF), (0xE000, 0x10FFFF)))
    'any but "'
    >>> class_label(((48, 57), (65, 70), (97, 102)))
    'hexadecimal digit'
    >>> class_label(overlap(EVERY, escape_class(r"\w", False)))
    'letter, digit or _'
    """
    for everything, called in ((EVERY, "any"), (ANY_BYTE, "any byte")):
        missing = overlap(complement(ranges, 0x10FFFF), everything)
        if overlap(ranges, everything) == ranges and size(missing) < size(ranges):
            if not missing:
                return called
            if len(missing) <= EXCEPTIONS:
                return f"{called} but {_listed(missing)}"
            if everything == EVERY and (name := _name(missing)):
                return f"{called} but {name}"
    return _name(ranges) or _listed(ranges)


def _name(ranges: Ranges) -> str:
    """The name of a class, perhaps with a few more characters; "" if it has none."""
    if ranges == HEXADECIMAL:
        return "hexadecimal digit"
    if len(ranges) < MANY:
        return ""
    for named, name in _named_classes():
        if overlap(named, ranges) == named:
            more = overlap(ranges, complement(named, 0x10FFFF))
            if len(more) <= EXCEPTIONS:
                return f"{name}, or {_listed(more)}" if more else name
    return ""


@cache
def _named_classes() -> tuple[tuple[Ranges, str], ...]:
    escapes = ((r"\w", "letter, digit or _"), (r"\d", "digit"), (r"\s", "whitespace"))
    named = [(overlap(EVERY, escape_class(escape, False)), name) for escape, name in escapes]
    return (*named, (ECMA_SPACE, "whitespace"))


def _listed(ranges: Ranges) -> str:
    parts = []
    for low, high in ranges:
        if high - low < 2:
            parts += [_sign(code) for code in range(low, high + 1)]
        else:
            parts.append(f"{_sign(low)}–{_sign(high)}")
    return " ".join(parts)


def _sign(code: int, alone: bool = True) -> str:
    """One character. (`alone`: not within a word, where it may join others or turn the direction of writing.)"""
    character = chr(code)
    if character in "␣ ":
        return "\\u2423" if code == 0x2423 else "␣"
    if alone and (unicodedata.combining(character) or unicodedata.bidirectional(character) in ("R", "AL", "NSM")):
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return seen(character)


def way_label(way: Way) -> list[LabelPart]:
    """Characters as they are, and classes: in brackets, where there are several things."""
    parts: list[LabelPart] = []
    for ranges, run in groupby(way):
        times = len(list(run))
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            inside = bool(parts) and parts[-1][1]
            parts += [(_sign(ranges[0][0], not inside), True), (_sign(ranges[0][0], False) * (times - 1), True)]
        elif len(way) == 1:
            parts.append((class_label(ranges), False))
        else:
            parts.append((f"[{class_label(ranges)}]" + (f"{{{times}}}" if times > 1 else ""), False))
    return [("".join(text for text, _ in run), itself) for itself, run in groupby(parts, key=lambda part: part[1])]


def label_width(text: str) -> float:
    """How wide a label is, in pixels."""
    return WIDE * sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)


def cut(text: str, limit: int) -> str:
    """A text, with its end left out if it is longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def label_lines(edge: Edge) -> list[list[LabelPart]]:
    """What is written beside an edge."""
    characters = json_characters(edge.ways)
    if characters == EVERY:
        return [[("any character of a JSON string", False)]]
    if characters is not None:
        return [[(cut(class_label(characters), LABEL), False)], [("or its JSON escape", False)]]
    short = [_cut_parts(way_label(way), LABEL) for way in edge.ways]
    return short if len(short) <= LINES else [*short[: LINES - 1], [(f"… {len(short) - LINES + 1} more", False)]]


def whole_label(edge: Edge) -> str:
    """All ways of an edge, for where the mouse rests."""
    ways = "\n".join("".join(text for text, _ in way_label(way)) for way in edge.ways)
    characters = json_characters(edge.ways)
    return ways if characters is None else f"{class_label(characters)}, in each of its JSON spellings:\n{ways}"


def _cut_parts(parts: list[LabelPart], limit: int) -> list[LabelPart]:
    shown: list[LabelPart] = []
    for text, itself in parts:
        if len(text) > limit:
            return [*shown, (cut(text, max(limit, 1)), itself)]
        shown.append((text, itself))
        limit -= len(text)
    return shown
