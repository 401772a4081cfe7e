"""Text as lines of equally wide characters, with the signs of tokens: what rows are made of when they become an SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from unicodedata import category, east_asian_width

from .characters import markup
from .colours import BAR, BLUE, GREY, VERMILION
from .markup import Element

WIDE = 0.6  # of a character, in heights of the font
SLANT = "skewX(-10)"
SHADES = {"g": BLUE, "f": VERMILION}
TAB = 2  # characters
SMALL, SEAM = 11.0, 9.0  # fonts, in pixels
# In rows of many tokens: those that were likely as drawn, those that were possible, and those that were forced.
LEVELS = {"b": (BLUE, 0.5), "u": (BLUE, 0.22), "i": (VERMILION, 0.5)}
SIGNS = {"z": "■", "c": "✂"}


@dataclass(frozen=True, slots=True)
class Look:
    """How a character is drawn. token: the element that is the token it belongs to; shade: what fills the place behind
    it, a colour and how opaque it is; legend: in one, tokens without a bar have none."""

    size: float
    slanted: bool = False
    heavy: bool = False
    opacity: float = 1.0
    boxed: bool = False
    raised: float = 0.0
    token: Element | None = None
    shade: tuple[str, float] | None = None
    legend: bool = False


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
        elif child.tag == "br":
            yield Glyph("", 0.0, look, ends="must")
        elif child.tag in LEVELS and "a" in element.classes and not child.classes:
            yield from glyphs(child, replace(look, shade=LEVELS[child.tag]), whole)
        elif child.tag == "b" or (child.tag == "i" and set(child.classes) & {"w", "h", "n"}):
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
    cluster = ""
    for character in text:
        if cluster and category(character) in ("Mn", "Me", "Cf"):
            cluster += character
            continue
        if cluster:
            yield _glyph(cluster, look, whole)
        cluster = character
    if cluster:
        yield _glyph(cluster, look, whole)


def _glyph(cluster: str, look: Look, whole: bool) -> Glyph:
    wide = 2 if east_asian_width(cluster[0]) in "WF" else 1
    ends = "" if whole or not (cluster.isspace() or wide == 2) else "may"
    return Glyph(cluster, wide * WIDE * look.size, look, ends=ends)


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
        yield Glyph("", 5.0, look, "seam")
        small = replace(look, size=SEAM, heavy=True, raised=5.0)
        yield from _characters(name, small, True)
        yield Glyph("", 3.0 if name else 0.0, look)
    else:
        mark = next((SIGNS[each] for each in classes if each in SIGNS), name)
        around = Glyph("", 0.6 * SMALL if name else 1.0, look, ends="" if whole else "may")
        quiet = replace(look, size=SMALL, opacity=0.8 * look.opacity, heavy=not name, token=None)
        yield from [around, *_characters(mark, quiet, True), *glyphs(element, quiet, whole), around]


def broken(line: Sequence[Glyph], width: float) -> Iterator[list[Glyph]]:
    """Lines of at most this width: they end after whitespace, and else where they must."""
    current: list[Glyph] = []
    used, may = 0.0, 0
    for glyph in line:
        over = used + glyph.width > width + 1e-6
        if current and over and (used > width or not glyph.text.isspace()):  # one space may hang over the end
            cut = may or len(current)
            yield current[:cut]
            current = current[cut:]
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


def drawn_line(line: Sequence[Glyph], x: float, y: float) -> Iterator[str]:
    """The SVG of one line whose baseline begins at (x, y)."""
    for token, members in groupby(line, key=lambda glyph: glyph.look.token and id(glyph.look.token)):
        group = list(members)
        width = sum(glyph.width for glyph in group)
        body = "".join(_texts(group, x, y))
        element = group[0].look.token
        if token is None or element is None:
            yield body
        else:
            title = element.attributes.get("title", "")
            about = f"<title>{markup(title)}</title>" if title else ""
            faint = f' opacity="{group[0].look.opacity:.2g}"' if group[0].look.opacity < 1 else ""
            signs = "".join(_token_signs(group[0].look, element, x, y, width))
            yield f"<g{faint}>{about}{signs}{body}</g>"
        x += width


def _token_signs(look: Look, element: Element, x: float, y: float, width: float) -> Iterator[str]:
    """Its fill, its line and its bar, as the style sheet of rows has them."""
    classes = element.classes
    shade = next((SHADES[each] for each in classes if each in SHADES), None)
    if shade:
        drawn, own_share = (float(element.property(name) or 0) for name in ("--d", "--m"))
        yield (
            f'<rect x="{x:.1f}" y="{y - 13:.1f}" width="{width:.1f}" height="17" fill="{shade}" '
            f'fill-opacity="{0.08 + 0.47 * drawn:.2f}"/>'
        )
        dots = ' stroke-dasharray="2 2"' if shade == VERMILION else ""
        yield _stroke(x, y + 7, width, "currentColor", 2, f' stroke-opacity="{own_share:.2f}"{dots}')
    if "u" in classes:
        yield (
            f'<rect x="{x + 0.5:.1f}" y="{y - 12.5:.1f}" width="{max(width - 1, 1):.1f}" height="16" fill="none" '
            f'stroke="{GREY}" stroke-dasharray="3 2"/>'
        )
    if "k" in classes:
        yield _stroke(x, y + 11, width, BAR, 4)
    elif "q" in classes:
        yield _stroke(x, y + 11, width, BAR, 4, ' stroke-dasharray="6 2"')
    elif not look.legend or "j" in classes or not classes:
        yield _stroke(x, y + 11, width, "currentColor", 4, ' stroke-dasharray="1 3" stroke-opacity=".8"')


def _stroke(x: float, y: float, width: float, colour: str, thick: float, more: str = "") -> str:
    return f'<path d="M{x:.1f} {y:.1f}h{width:.1f}" stroke="{colour}" stroke-width="{thick:g}"{more}/>'


def _texts(group: Sequence[Glyph], x: float, y: float) -> Iterator[str]:
    """What is written of one token, and the signs in it."""
    for (look, _, _), members in groupby(group, key=_run_of):
        run = list(members)
        width = sum(glyph.width for glyph in run)
        text = "".join(glyph.text for glyph in run)
        if look.shade:
            colour, opacity = look.shade
            place = f'x="{x:.1f}" y="{y - 13:.1f}" width="{width:.1f}" height="17"'
            yield f'<rect {place} fill="{colour}" fill-opacity="{opacity:g}"/>'
        if text:
            yield _text(text, x, y - look.raised, width, look)
        at = x
        for glyph in run:
            yield _drawn_sign(glyph, at, y) if glyph.sign else ""
            at += glyph.width
        if look.boxed and width:
            yield (
                f'<rect x="{x + 0.5:.1f}" y="{y - 12.5:.1f}" width="{max(width - 1, 1):.1f}" height="16" fill="none" '
                f'stroke="{GREY}"/>'
            )
        x += width


def _run_of(glyph: Glyph) -> tuple[Look, str, bool]:
    """Glyphs of equal ones are written together. A space is written, too, so that it is copied."""
    return glyph.look, "" if glyph.sign == "dot" else glyph.sign, not glyph.text


def _drawn_sign(glyph: Glyph, x: float, y: float) -> str:
    if glyph.sign == "dot":
        return f'<circle cx="{x + glyph.width / 2:.1f}" cy="{y - 4:.1f}" r="1" fill-opacity=".55"/>'
    if glyph.sign == "seam":
        return f'<path d="M{x + 3:.1f} {y - 12:.1f}v16" stroke="currentColor" stroke-width="2"/>'
    return _text(glyph.sign, x, y, WIDE * glyph.look.size, replace(glyph.look, opacity=0.55, token=None))


def _text(text: str, x: float, y: float, width: float, look: Look) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}"'
    if look.slanted:
        place = f'transform="translate({x:.1f} {y:.1f}) {SLANT}"'
    more = f' font-size="{look.size:.3g}"' * (look.size != FONT)
    more += f' fill-opacity="{look.opacity:.2g}"' * (look.opacity < 1 and look.token is None)
    more += ' font-weight="600"' * look.heavy
    fit = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text {place} xml:space="preserve"{fit}{more}>{markup(text)}</text>'


FONT = 13.0
