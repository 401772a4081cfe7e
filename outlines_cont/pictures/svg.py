"""What every drawing is made of: letters as wide as they are measured, lines, curves, and the SVG around them.

Text is in characters of equal width, so that its width is known without a font; a reader's font is fitted to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import category, east_asian_width

from outlines_cont.pictures.markup import Element, markup

FONT, SMALL = 13.0, 11.0  # pixels: the heights of letters
WIDE = 0.6  # of a character, in heights of its letters
MARGIN = 10.0
SMALLEST = 0.75  # to which a picture is shrunk where there is little room; then it is scrolled
# A program that draws PNGs has no fonts of its own, and no names for those of the system.
FONTS = "ui-monospace,DejaVu Sans Mono,Menlo,Consolas,Liberation Mono,Noto Sans Mono,Courier New,monospace"
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """How characters are drawn. token: the element that is the token they belong to; shade: what fills the place behind
    them, a colour and how opaque it is."""

    size: float = FONT
    slanted: bool = False
    heavy: bool = False
    opacity: float = 1.0
    boxed: bool = False
    raised: float = 0.0
    token: Element | None = None
    shade: tuple[str, float] | None = None


PLAIN = Look()


def clusters(text: str) -> list[str]:
    """A text in characters, each with the marks, the joiners and the colour of a skin that follow it."""
    parts: list[str] = []
    for character in text:
        if parts and (category(character) in ("Mn", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff"):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def width_of(text: str, size: float = FONT) -> float:
    """How wide a text is, in pixels. U+FE0F makes a picture of a character."""
    return WIDE * size * sum(1 + (east_asian_width(each[0]) in "WF" or "\ufe0f" in each) for each in clusters(text))


def written(text: str, x: float, y: float, look: Look = PLAIN, width: float | None = None) -> str:
    """A text whose baseline begins at (x, y), so wide."""
    place = f'x="{x:.1f}" y="{y:.1f}"'
    if look.slanted:  # few fonts of equal width have slanted letters
        place = f'transform="translate({x:.1f} {y:.1f}) skewX(-10)"'
    more = f' font-size="{look.size:.3g}"' * (look.size != FONT)
    more += f' fill-opacity="{look.opacity:.2g}"' * (look.opacity < 1 and look.token is None)
    more += ' font-weight="600"' * look.heavy
    width = width_of(text, look.size) if width is None else width
    fit = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text {place} xml:space="preserve"{fit}{more}>{markup(text)}</text>'


def titled(title: str, parts: Iterable[str], more: str = "") -> str:
    """Some parts, with what is told where the mouse rests."""
    about = f"<title>{markup(title)}</title>" if title else ""
    return f"<g{more}>{about}{''.join(parts)}</g>"


def bar(x: float, y: float, width: float, thick: float, colour: str = "currentColor", more: str = "") -> str:
    """A level line."""
    return f'<path d="M{x:.1f} {y:.1f}h{width:.1f}" stroke="{colour}" stroke-width="{thick:g}"{more}/>'


def box(x: float, y: float, width: float, height: float, look: str) -> str:
    """A rectangle from its upper left corner on."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {look}/>'


def route(points: Sequence[Point]) -> str:
    """A path through some points, level at each of them: straight between two of a height, else curved."""
    path = f"M{_xy(points[0])}"
    for (x, y), (end_x, end_y) in pairwise(points):
        if abs(y - end_y) < 0.5:
            path += f"L{_xy((end_x, end_y))}"
        else:
            middle = (x + end_x) / 2
            path += f"C{_xy((middle, y))} {_xy((middle, end_y))} {_xy((end_x, end_y))}"
    return path


def line(path: str, thick: float = 1.0, colour: str = "currentColor", opacity: float = 0.6) -> str:
    """A path as a line."""
    look = f'stroke="{colour}" stroke-opacity="{opacity:.2g}" stroke-width="{thick:.2g}"'
    return f'<path d="{path}" fill="none" {look}/>'


def arrow_head(tip: Point, towards: Point, length: float) -> str:
    """The head of an arrow. `towards`: its direction, of length 1."""
    (x, y), (dx, dy) = tip, towards
    back_x, back_y, half = x - length * dx, y - length * dy, length / 2
    corners = (back_x - half * dy, back_y + half * dx), (back_x + half * dy, back_y - half * dx)
    return f'<path d="M{_xy(tip)}L{_xy(corners[0])} {_xy(corners[1])}z"/>'


def _xy(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}".replace(".0", "")


def document(width: float, height: float, parts: Iterable[str], label: str) -> str:
    """A whole SVG, which fits a page. label: what it is, for those who do not see it."""
    least = f"max(100%,{SMALLEST * width:.0f}px)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'style="max-width:{least};height:auto" font-family="{FONTS}" font-size="{FONT:g}" fill="currentColor" '
        f'stroke="none" role="img" aria-label="{markup(label)}">{"".join(parts)}</svg>'
    )
