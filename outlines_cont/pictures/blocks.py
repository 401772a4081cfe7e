"""Pictures of rows and tables as SVG: our own markup, laid out at a given width without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import cast
from unicodedata import east_asian_width

from outlines_cont.pictures.markup import BAR, BLUE, GREY, VERMILION, Element, read_markup
from outlines_cont.pictures.svg import (
    FONT,
    MARGIN,
    PLAIN,
    SMALL,
    WIDE,
    Look,
    bar,
    box,
    clusters,
    document,
    titled,
    width_of,
    written,
)

# --- text in lines: characters of equal width, with the signs of tokens

SHADES = {"g": BLUE, "f": VERMILION, "d": VERMILION}
# In rows of many tokens: those that were likely as drawn, those that were possible, and those that were forced.
LEVELS = {"b": (BLUE, 0.5), "u": (BLUE, 0.22), "i": (VERMILION, 0.5)}
SIGNS = {"z": "■", "c": "✂"}
DASHES = {"k": "", "q": ' stroke-dasharray="6 3"'}  # of the bar of keys and values; dots where none are kept
TAB, NAME = 2, 9.0  # characters; the height of a step's name, in pixels
HIGH, LOW, BASE = 27.0, 19.5, 12.0  # pixels: lines with tokens in them, and without; a high one below its letters' base


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character with its width in pixels. sign: what is drawn in its place, or beside it; ends: how a line may or
    must end after it."""

    text: str
    width: float
    look: Look
    sign: str = ""
    ends: str = ""  # "may" or "must"


def glyphs(element: Element, look: Look, whole: bool = False) -> Iterator[Glyph]:
    """The characters of an element. whole: no line ends in it."""
    for child in element.children:
        if isinstance(child, str):
            yield from _characters(child, look, whole)
        elif child.tag in LEVELS and "a" in element.classes and not child.classes:
            yield from glyphs(child, replace(look, shade=LEVELS[child.tag]), whole)
        elif child.tag == "b" or {"w", "h", "n"} & set(child.classes):
            yield from _sign(child, look, whole)
        else:
            yield from glyphs(child, _look_of(child, look), whole)


def _look_of(element: Element, look: Look) -> Look:
    classes = element.classes
    if element.tag == "span":
        look = replace(look, token=element, slanted=bool({"t", "u"} & set(classes)))
    if "same" in classes:
        look = replace(look, opacity=look.opacity * 0.55)
    if "e" in classes:
        look = replace(look, boxed=True, size=0.85 * look.size)
    return look


def _characters(text: str, look: Look, whole: bool) -> Iterator[Glyph]:
    for cluster in clusters(text):
        may = not whole and (cluster.isspace() or east_asian_width(cluster[0]) in "WF")
        yield Glyph(cluster, width_of(cluster, look.size), look, ends="may" if may else "")


def _sign(element: Element, look: Look, whole: bool) -> Iterator[Glyph]:
    """A seam, a stop, a note, or whitespace that can be seen."""
    classes, name, advance = element.classes, element.attributes.get("data-n", ""), WIDE * look.size
    if "w" in classes:
        yield Glyph(" ", advance, look, "dot", "" if whole else "may")
    elif "h" in classes:
        yield Glyph("", TAB * advance, look, "→", "may")
    elif "n" in classes:
        yield Glyph("", advance, look, "⏎", "must")
    elif "s" in classes:
        seam = replace(look, token=element)
        yield Glyph("", 5.0, seam, "seam")
        yield from _characters(name, replace(seam, size=NAME, heavy=True, raised=5.0), True)
        yield Glyph("", 3.0 if name else 0.0, seam)
    else:
        mark = next((SIGNS[each] for each in classes if each in SIGNS), name)
        quiet = replace(look, size=SMALL, opacity=0.8 * look.opacity, heavy=not name, token=element)
        around = Glyph("", 0.6 * SMALL if name else 1.0, quiet, ends="" if whole else "may")
        yield from [replace(around, ends=around.ends if name else ""), *_characters(mark, quiet, True), around]


def across(text: Iterable[Glyph]) -> float:
    """How wide some characters are together."""
    return sum(glyph.width for glyph in text)


def broken(text: Sequence[Glyph], width: float) -> Iterator[list[Glyph]]:
    """Lines of at most this width: they end after whitespace, and else where they must."""
    current: list[Glyph] = []
    used, may = 0.0, 0
    for glyph in text:
        over = used + glyph.width > width + 1e-6
        if over and not (glyph.text or glyph.sign):
            glyph, over = replace(glyph, width=0.0), False  # a gap at the end, which no line needs
        if current and over and (used > width or not glyph.text.isspace()):  # one space may hang over the end
            end = may or len(current)
            yield current[:end]
            current = current[end:]
            used, may = across(current), 0
        current.append(glyph)
        used += glyph.width
        if glyph.ends == "may":
            may = len(current)
        elif glyph.ends == "must":
            yield current
            current, used, may = [], 0.0, 0
    if current:
        yield current


def drawn_line(text: Sequence[Glyph], x: float, y: float) -> Iterator[str]:
    """The SVG of one line whose baseline begins at (x, y)."""
    for _, members in groupby(text, key=lambda glyph: id(glyph.look.token)):
        group = list(members)
        width, element = across(group), group[0].look.token
        body = list(_texts(group, x, y))
        if element is None:
            yield from body
        else:
            faint = f' opacity="{group[0].look.opacity:.2g}"' if group[0].look.opacity < 1 else ""
            signs = _token_signs(element, x, y, width) if element.tag == "span" else ()
            yield titled(element.attributes.get("title", ""), [*signs, *body], faint)
        x += width


def _token_signs(element: Element, x: float, y: float, width: float) -> Iterator[str]:
    """Its fill, its line and its bar, as the style sheet of rows has them."""
    classes = element.classes
    shade = next((SHADES[each] for each in classes if each in SHADES), None)
    if shade:
        yield box(x, y - 13, width, 17, f'fill="{shade}" fill-opacity="{0.08 + 0.47 * element.share("--d"):.2f}"')
        dots = ' stroke-dasharray="2 2"' if shade == VERMILION else ""
        yield bar(x, y + 6, width, 2, more=f' stroke-opacity="{element.share("--m"):.2f}"{dots}')
    if "u" in classes:
        yield _frame(x, y, width, ' stroke-dasharray="3 2"')
    if "d" not in classes:
        dashes = next((DASHES[each] for each in classes if each in DASHES), ' stroke-dasharray="1 3"')
        yield bar(x, y + 10, width, 2, GREY, f' stroke-opacity="{BAR}"{dashes}')


def _frame(x: float, y: float, width: float, more: str = "") -> str:
    return box(x + 0.5, y - 12.5, max(width - 1, 1), 16, f'fill="none" stroke="{GREY}"{more}')


def _texts(group: Sequence[Glyph], x: float, y: float) -> Iterator[str]:
    """What is written of one token, and the signs in it."""
    for (look, _, _), members in groupby(group, key=_run_of):
        run = list(members)
        width, text = across(run), "".join(glyph.text for glyph in run)
        if look.shade:
            yield box(x, y - 13, width, 17, f'fill="{look.shade[0]}" fill-opacity="{look.shade[1]:g}"')
        if text:
            yield written(text, x, y - look.raised, look, width)
        at = x
        for glyph in run:
            yield from _drawn_sign(glyph, at, y)
            at += glyph.width
        if look.boxed and width:
            yield _frame(x, y, width)
        x += width


def _run_of(glyph: Glyph) -> tuple[Look, str, bool]:
    """Glyphs of equal ones are written together. A space is written, too, so that it is copied."""
    return glyph.look, "" if glyph.sign == "dot" else glyph.sign, not glyph.text


def _drawn_sign(glyph: Glyph, x: float, y: float) -> Iterator[str]:
    if glyph.sign == "dot":
        yield f'<circle cx="{x + glyph.width / 2:.1f}" cy="{y - 4:.1f}" r="1" fill-opacity=".55"/>'
    elif glyph.sign == "seam":
        yield f'<path d="M{x + 3:.1f} {y - 12:.1f}v16" stroke="currentColor" stroke-width="2"/>'
    elif glyph.sign:
        yield written(glyph.sign, x, y, Look(glyph.look.size, opacity=0.55))


# --- blocks, with a label or in columns

LABEL, GAP, CELL_GAP = 99.0, 13.0, 14.0  # pixels: the least width of a label, what is left beside it, between cells
COLUMNS_FROM = 760.0  # two rows stand side by side from this width on
BLOCKS = {"div", "table", "caption", "tbody", "tr"}

DRAWING, LEGEND = re.compile("<svg.*?</svg>", re.S), re.compile("<details>.*?</details>", re.S)
Placed = tuple[list[str], float]  # what was drawn, and the height below it


def svg_of(picture: str, width: float) -> str:
    """A picture of ours as SVG, as wide as this, or as the drawing in it; without its legend: it cannot fold there."""
    html, (drawing, *_) = LEGEND.sub("", DRAWING.sub("", picture)), DRAWING.findall(picture) or [""]
    if drawing and not html:
        return drawing
    width, top = size_of(drawing) if drawing else (width, MARGIN)
    parts, y = block(read_markup(html), MARGIN, top, width - 2 * MARGIN)
    above = drawing[drawing.find(">") + 1 :].removesuffix("</svg>")
    label = "samples as a tree" if drawing else "a picture of outlines_cont"
    return document(width, y + MARGIN, [above, *parts], label)


def size_of(svg: str) -> tuple[float, float]:
    """The width and the height that a drawing is drawn in."""
    match = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert match is not None, "every drawing of ours has them"
    return float(match[1]), float(match[2])


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
    layouts = {"r": _row, "two": _columns}
    layout = _table if element.tag == "table" else next((layouts[name] for name in classes if name in layouts), _stack)
    if "m" in classes or "o" in classes:
        look = Look(SMALL if "m" in classes else look.size, opacity=0.75)
    return layout(element, x, y + 14 * ("pair" in classes), width, look)


def _stack(element: Element, x: float, y: float, width: float, look: Look) -> Placed:
    """Blocks below one another, and the text between them in lines."""
    parts: list[str] = []
    least = max([LABEL, *(across(_label(child, look)) for child in element.elements if "r" in child.classes)])
    for is_block, members in groupby(element.children, lambda each: isinstance(each, Element) and each.tag in BLOCKS):
        children = list(members)
        if is_block:
            for child in cast(list[Element], children):
                place = partial(_row, least=least) if "r" in child.classes else block
                drawn, y = place(child, x, y, width, look)
                parts += drawn
        elif any(not isinstance(child, str) or child.strip() for child in children):
            inline = Element(element.tag, element.attributes, children)
            drawn, y = lines(list(glyphs(inline, look)), x, y, width)
            parts += drawn
    return parts, y


def lines(text: Sequence[Glyph], x: float, y: float, width: float) -> Placed:
    """A text in lines of this width, which are high if there are tokens in it."""
    high = any(glyph.look.token is not None and glyph.look.token.tag == "span" for glyph in text)
    parts: list[str] = []
    for line in broken(text, width):
        y += HIGH if high else LOW
        parts += drawn_line(line, x, y - (BASE if high else 5))
    return parts, y


def _label(row: Element, look: Look) -> list[Glyph]:
    return list(glyphs(next(row.elements), Look(look.size, opacity=0.75), whole=True))


def _row(element: Element, x: float, y: float, width: float, look: Look, least: float = LABEL) -> Placed:
    """A label, at least so wide, and beside it what it is the label of."""
    label, *others = element.elements
    written = _label(element, look)
    wide = max(least, across(written)) + GAP
    y += 6
    below = y
    parts: list[str] = []
    for other in others:
        drawn, below = block(other, x + wide, below, width - wide, look)
        parts += drawn
    small = any("m" in child.classes for other in others for child in other.elements)  # the line that comes first
    base = y + (LOW - 5 if small else HIGH - BASE)
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
    wanted = [max(across(row[i]) for row in rows if i < len(row)) for i in range(count)]
    most = max(even_share(wanted, width - CELL_GAP * (count - 1)), 3 * WIDE * FONT)
    for row in rows:
        at, below = x, y + LOW
        for cell, column in zip(row, wanted, strict=False):
            drawn, under = lines(cell, at, y + 2, min(column, most))
            parts, below, at = parts + drawn, max(below, under), at + min(column, most) + CELL_GAP
        y = below + 4
        parts.append(bar(x, y, width, 1, more=' stroke-opacity=".15"'))
    return parts, y
