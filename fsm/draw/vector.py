"""Pictures of rows and tables as SVG: our own markup, laid out at a given width without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import cast

from .characters import markup
from .flow import FONT, SMALL, WIDE, Glyph, Look, broken, drawn_line, glyphs
from .markup import Element, read_markup

MARGIN = 10.0
LABEL = 99.0  # the least width of a row's label
GAP = 13.0
HIGH, LOW = 29.0, 19.5  # lines with tokens in them, and without
MEANING, SIGN = 340.0, 73.0  # the least widths of a sign with its meaning, and of the sign
COLUMNS_FROM = 760.0  # two rows stand side by side from this width on
CELL_GAP, WIDEST_CELL = 14.0, 320.0
BLOCKS = {"div", "table", "caption", "thead", "tbody", "tr", "p", "details", "summary", "section"}

Placed = tuple[list[str], float]  # what was drawn, and the height below it


def svg_of(html: str, width: float) -> str:
    """A picture of ours that is HTML as SVG: no line is longer than this many pixels.

    >>> from outlines_cont.fsm.draw.vector import svg_of
    >>> svg_of('<div class="o">two rows</div>', 200)[:62]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40" w'
    """
    parts, y = _block(read_markup(html), MARGIN, MARGIN, width - 2 * MARGIN, Look(FONT))
    height = y + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" '
        f'font-size="{FONT:g}" fill="currentColor" stroke="none" role="img">{"".join(parts)}</svg>'
    )


def _block(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """An element that begins a line: its blocks below one another, or its text in lines."""
    classes = element.classes
    layouts = (("r", _row), ("two", _columns), ("l", _legend))
    layout = _table if element.tag == "table" else next((way for name, way in layouts if name in classes), _stack)
    if "m" in classes:
        look = Look(SMALL, opacity=0.75)
    elif "o" in classes:
        look = Look(look.size, opacity=0.75)
    return layout(element, x, y + 14 * ("pair" in classes), width, look)


def _stack(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Blocks below one another, and the text between them in lines."""
    parts: list[str] = []
    for is_block, members in groupby(element.children, key=_is_block):
        children = list(members)
        if is_block:
            for child in children:
                drawn, y = _block(cast(Element, child), x, y, width, look)
                parts += drawn
        elif any(not isinstance(child, str) or child.strip() for child in children):
            inline = Element(element.tag, element.attributes, children)
            drawn, y = _lines(list(glyphs(inline, look)), x, y, width)
            parts += drawn
    return parts, y


def _is_block(child: Element | str) -> bool:
    return isinstance(child, Element) and child.tag in BLOCKS


def _lines(characters: Sequence[Glyph], x: float, y: float, width: float) -> Placed:
    high = any(glyph.look.token is not None for glyph in characters)
    parts: list[str] = []
    for line in broken(characters, width):
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
        drawn, below = _block(other, x + wide, below, width - wide, look)
        parts += drawn
    small = any("m" in child.classes for other in others for child in other.elements)  # the line that comes first
    about = f"<title>{markup(title)}</title>" if (title := label.attributes.get("title", "")) else ""
    parts.append(f"<g>{about}{''.join(drawn_line(written, x, y + (LOW - 5 if small else HIGH - 14)))}</g>")
    return parts, max(below, y + HIGH)


def _columns(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Side by side where there is room, else below one another."""
    elements = list(element.elements)
    if width + 2 * MARGIN < COLUMNS_FROM:
        return _stack(element, x, y, width, look)
    parts: list[str] = []
    each, below = (width - 2 * GAP * (len(elements) - 1)) / len(elements), y
    for i, child in enumerate(elements):
        drawn, under = _block(child, x + i * (each + 2 * GAP), y, each, look)
        parts, below = parts + drawn, max(below, under)
    return parts, below


def _legend(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Signs, each in one piece; or pairs of a sign and what it means, in columns."""
    look, items = Look(SMALL, opacity=0.9, legend=True), list(element.elements)
    if any(item.tag == "div" for item in items):
        return _meanings(items, x, y + 5, width, look)
    line: list[Glyph] = []
    for item in items:
        line += [*glyphs(Element("i", {}, [item]), look, whole=True), Glyph("", 1.2 * SMALL, look, ends="may")]
    return _lines(line, x, y + 5, width)


def _meanings(items: Sequence[Element], x: float, y: float, width: float, look: Look) -> Placed:
    count = max(1, int(width // MEANING))
    each = width / count
    parts: list[str] = []
    for begin in range(0, len(items), count):
        below = y
        for i, item in enumerate(items[begin : begin + count]):
            sign, *meaning = item.elements
            written = list(glyphs(sign, look, whole=True))
            wide = max(SIGN, sum(glyph.width for glyph in written)) + 0.7 * SMALL
            at = x + i * each
            high = any(glyph.look.token is not None for glyph in written)
            text = [glyph for part in meaning for glyph in glyphs(part, look)]
            drawn, under = _lines(text, at + wide, y + (2 if high else 0), each - wide - GAP)
            parts += [*drawn_line(written, at, y + LOW - 5 + (2 if high else 0)), *drawn]
            below = max(below, under + (11 if high else 1))
        y = below
    return parts, y


def _table(table: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Columns as wide as their widest cell, or as there is room for."""
    parts: list[str] = []
    rows: list[list[list[Glyph]]] = []
    for child in _table_rows(table):
        if child.tag == "caption":
            drawn, y = _lines(list(glyphs(child, look)), x, y, width)
            parts += drawn
        else:
            heads = [cell.tag == "th" for cell in child.elements]
            looks = [Look(look.size, heavy=head) for head in heads]
            rows.append([list(glyphs(cell, face)) for cell, face in zip(child.elements, looks, strict=True)])
    count = max(map(len, rows), default=0)
    natural = [
        min(WIDEST_CELL, max(sum(g.width for g in row[i]) if i < len(row) else 0.0 for row in rows))
        for i in range(count)
    ]
    columns = _narrowed(natural, width - CELL_GAP * max(count - 1, 0))
    for row in rows:
        at, below = x, y + LOW
        for cell, column in zip(row, columns, strict=False):
            drawn, under = _lines(cell, at, y + 2, column)
            parts, below, at = parts + drawn, max(below, under), at + column + CELL_GAP
        y = below + 4
        parts.append(f'<path d="M{x:.1f} {y:.1f}h{width:.1f}" stroke="currentColor" stroke-opacity=".15"/>')
    return parts, y


def _narrowed(columns: Sequence[float], width: float) -> list[float]:
    """Columns that have room in this width: the widest ones give way, to not less than three characters."""
    least = 3 * WIDE * FONT
    for i, widest in enumerate(sorted(columns, reverse=True)):
        wider = [each for each in columns if each >= widest]
        cap = (width - sum(each for each in columns if each < widest)) / len(wider)
        following = sorted(columns, reverse=True)[i + 1] if i + 1 < len(columns) else 0.0
        if cap >= widest:
            return list(columns)
        if cap >= following:
            return [max(min(each, cap), least) for each in columns]
    return [least for _ in columns]


def _table_rows(element: Element) -> list[Element]:
    """The caption and the rows of a table, in order."""
    rows: list[Element] = []
    for child in element.elements:
        rows += [child] if child.tag in ("caption", "tr") else _table_rows(child)
    return rows
