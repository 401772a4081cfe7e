"""Pictures of rows and tables as SVG: our own markup, laid out at a given width without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import cast

from outlines_cont.pictures.flow import HIGH, LOW, Glyph, broken, drawn_line, glyphs, has_tokens
from outlines_cont.pictures.markup import Element, read_markup
from outlines_cont.pictures.svg import FONT, MARGIN, PLAIN, SMALL, WIDE, Look, bar, document, titled

LABEL, GAP = 99.0, 13.0  # pixels: the least width of a row's label, and what is left free beside it
MEANING, SIGN = 340.0, 73.0  # the least widths of a sign with its meaning, and of the sign
COLUMNS_FROM = 760.0  # two rows stand side by side from this width on
CELL_GAP, WIDEST_CELL = 14.0, 320.0
BLOCKS = {"div", "table", "caption", "tbody", "tr"}

Placed = tuple[list[str], float]  # what was drawn, and the height below it


def svg_of(html: str, width: float) -> str:
    """A picture of ours that is HTML as SVG: no line is longer than this many pixels."""
    parts, y = block(read_markup(html), MARGIN, MARGIN, width - 2 * MARGIN)
    return document(width, y + MARGIN, parts, "a picture of outlines_cont")


def even_share(wanted: Sequence[float], room: float) -> float:
    """The most that each may have, so that all together have at most `room`; inf if each can have what it wants."""
    left = sorted(wanted)
    for i, least in enumerate(left):
        if least * (len(left) - i) > room:
            return room / (len(left) - i)
        room -= least
    return float("inf")


def block(element: Element, x: float, y: float, width: float, look: Look = PLAIN) -> Placed:
    """An element that begins a line: its blocks below one another, or its text in lines."""
    classes = element.classes
    layouts = {"r": _row, "two": _columns, "l": _legend}
    layout = _table if element.tag == "table" else next((layouts[name] for name in classes if name in layouts), _stack)
    if "m" in classes or "o" in classes:
        look = Look(SMALL if "m" in classes else look.size, opacity=0.75)
    return layout(element, x, y + 14 * ("pair" in classes), width, look)


def _stack(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Blocks below one another, and the text between them in lines."""
    parts: list[str] = []
    for is_block, members in groupby(element.children, key=_is_block):
        children = list(members)
        if is_block:
            for child in children:
                drawn, y = block(cast(Element, child), x, y, width, look)
                parts += drawn
        elif any(not isinstance(child, str) or child.strip() for child in children):
            inline = Element(element.tag, element.attributes, children)
            drawn, y = lines(list(glyphs(inline, look)), x, y, width)
            parts += drawn
    return parts, y


def _is_block(child: Element | str) -> bool:
    return isinstance(child, Element) and child.tag in BLOCKS


def lines(text: Sequence[Glyph], x: float, y: float, width: float) -> Placed:
    """A text in lines of this width."""
    high = has_tokens(text)
    parts: list[str] = []
    for line in broken(text, width):
        y += HIGH if high else LOW
        parts += drawn_line(line, x, y - (14 if high else 5))
    return parts, y


def _row(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """A label, and beside it what it is the label of."""
    label, *others = element.elements
    written = list(glyphs(label, Look(look.size, opacity=0.75), whole=True))
    wide = max(LABEL, sum(glyph.width for glyph in written)) + GAP
    y += 6
    below = y
    parts: list[str] = []
    for other in others:
        drawn, below = block(other, x + wide, below, width - wide, look)
        parts += drawn
    small = any("m" in child.classes for other in others for child in other.elements)  # the line that comes first
    base = y + (LOW - 5 if small else HIGH - 14)
    parts.append(titled(label.attributes.get("title", ""), drawn_line(written, x, base)))
    return parts, max(below, y + HIGH)


def _columns(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Side by side where there is room, else below one another."""
    elements = list(element.elements)
    if width + 2 * MARGIN < COLUMNS_FROM:
        return _stack(element, x, y, width, look)
    each = (width - 2 * GAP * (len(elements) - 1)) / len(elements)
    placed = [block(child, x + i * (each + 2 * GAP), y, each, look) for i, child in enumerate(elements)]
    return [part for drawn, _ in placed for part in drawn], max(below for _, below in placed)


def _legend(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Signs with what they mean, in columns."""
    look, items = Look(SMALL, opacity=0.9, legend=True), list(element.elements)
    y += 5
    count = max(1, int(width // MEANING))
    each = width / count
    parts: list[str] = []
    for begin in range(0, len(items), count):
        below = y
        for i, item in enumerate(items[begin : begin + count]):
            sign, meaning = item.elements
            written = list(glyphs(sign, look, whole=True))
            wide = max(SIGN, sum(glyph.width for glyph in written)) + 0.7 * SMALL
            at, high = x + i * each, has_tokens(written)
            parts += drawn_line(written, at, y + LOW - 5 + 2 * high)
            drawn, under = lines(list(glyphs(meaning, look)), at + wide, y + 2 * high, each - wide - GAP)
            parts += drawn
            below = max(below, under + (11 if high else 1))
        y = below
    return [titled("", parts, ' role="note" aria-label="legend"')], y


def _table(table: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Columns as wide as their widest cell, or as there is room for."""
    parts: list[str] = []
    rows: list[list[list[Glyph]]] = []
    for child in (child for part in table.elements for child in ([part] if part.tag == "caption" else part.elements)):
        if child.tag == "caption":
            drawn, y = lines(list(glyphs(child, look)), x, y, width)
            parts += drawn
        else:
            rows.append([list(glyphs(cell, Look(look.size, heavy=cell.tag == "th"))) for cell in child.elements])
    count = max(map(len, rows), default=0)
    wanted = [max(sum(glyph.width for glyph in row[i]) for row in rows if i < len(row)) for i in range(count)]
    share = even_share([min(each, WIDEST_CELL) for each in wanted], width - CELL_GAP * (count - 1))
    most = min(WIDEST_CELL, max(share, 3 * WIDE * FONT))
    for row in rows:
        at, below = x, y + LOW
        for cell, column in zip(row, wanted, strict=False):
            drawn, under = lines(cell, at, y + 2, min(column, most))
            parts, below, at = parts + drawn, max(below, under), at + min(column, most) + CELL_GAP
        y = below + 4
        parts.append(bar(x, y, width, 1, more=' stroke-opacity=".15"'))
    return parts, y
