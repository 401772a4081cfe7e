"""Our own markup as lines of text in an SVG: characters of equal width, with the signs of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from unicodedata import east_asian_width

from outlines_cont.pictures.markup import BLUE, GREY, VERMILION, Element
from outlines_cont.pictures.svg import SMALL, WIDE, Look, bar, box, clusters, titled, width_of, written

SHADES = {"g": BLUE, "f": VERMILION, "d": VERMILION}
# In rows of many tokens: those that were likely as drawn, those that were possible, and those that were forced.
LEVELS = {"b": (BLUE, 0.5), "u": (BLUE, 0.22), "i": (VERMILION, 0.5)}
SIGNS = {"z": "■", "c": "✂"}
TAB, NAME = 2, 9.0  # characters; the height of a step's name, in pixels
HIGH, LOW = 29.0, 19.5  # pixels: lines with tokens in them, and without
BAR = "#8a8a8a"  # of keys and values


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


def broken(text: Sequence[Glyph], width: float) -> Iterator[list[Glyph]]:
    """Lines of at most this width: they end after whitespace, and else where they must."""
    current: list[Glyph] = []
    used, may = 0.0, 0
    for glyph in text:
        over = used + glyph.width > width + 1e-6
        if current and over and (used > width or not glyph.text.isspace()):  # one space may hang over the end
            end = may or len(current)
            yield current[:end]
            current = current[end:]
            used, may = sum(each.width for each in current), 0
        current.append(glyph)
        used += glyph.width
        if glyph.ends == "may":
            may = len(current)
        elif glyph.ends == "must":
            yield current
            current, used, may = [], 0.0, 0
    if current:
        yield current


def has_tokens(text: Sequence[Glyph]) -> bool:
    """Whether there are tokens in a text, so that its lines are high."""
    return any(glyph.look.token is not None and glyph.look.token.tag == "span" for glyph in text)


def drawn_line(text: Sequence[Glyph], x: float, y: float) -> Iterator[str]:
    """The SVG of one line whose baseline begins at (x, y)."""
    for _, members in groupby(text, key=lambda glyph: id(glyph.look.token)):
        group = list(members)
        width, element = sum(glyph.width for glyph in group), group[0].look.token
        body = list(_texts(group, x, y))
        if element is None:
            yield from body
        else:
            faint = f' opacity="{group[0].look.opacity:.2g}"' if group[0].look.opacity < 1 else ""
            signs = _token_signs(group[0].look, element, x, y, width) if element.tag == "span" else ()
            yield titled(element.attributes.get("title", ""), [*signs, *body], faint)
        x += width


def _token_signs(look: Look, element: Element, x: float, y: float, width: float) -> Iterator[str]:
    """Its fill, its line and its bar, as the style sheet of rows has them."""
    classes = element.classes
    shade = next((SHADES[each] for each in classes if each in SHADES), None)
    if shade:
        yield box(x, y - 13, width, 17, f'fill="{shade}" fill-opacity="{0.08 + 0.47 * element.share("--d"):.2f}"')
        dots = ' stroke-dasharray="2 2"' if shade == VERMILION else ""
        yield bar(x, y + 7, width, 2, more=f' stroke-opacity="{element.share("--m"):.2f}"{dots}')
    if "u" in classes:
        yield _frame(x, y, width, ' stroke-dasharray="3 2"')
    if "k" in classes:
        yield bar(x, y + 11, width, 4, BAR)
    elif "q" in classes:
        yield bar(x, y + 11, width, 4, BAR, ' stroke-dasharray="6 2"')
    elif "d" not in classes and (not look.legend or "j" in classes or not classes):
        yield bar(x, y + 11, width, 4, more=' stroke-dasharray="1 3" stroke-opacity=".8"')


def _frame(x: float, y: float, width: float, more: str = "") -> str:
    return box(x + 0.5, y - 12.5, max(width - 1, 1), 16, f'fill="none" stroke="{GREY}"{more}')


def _texts(group: Sequence[Glyph], x: float, y: float) -> Iterator[str]:
    """What is written of one token, and the signs in it."""
    for (look, _, _), members in groupby(group, key=_run_of):
        run = list(members)
        width, text = sum(glyph.width for glyph in run), "".join(glyph.text for glyph in run)
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
