"""Pictures as files: a page, an SVG or a PNG, as the name of the file says."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from outlines_cont.arguments import flag, shown, whole_number
from outlines_cont.files import in_place_of

from .characters import markup
from .vector import svg_of

SUFFIXES = (".html", ".svg", ".png")
WIDTH, LEAST_WIDTH = 900, 240  # pixels
WIDTHS = f"a number of pixels, an int ≥ {LEAST_WIDTH}"
PAPER = {False: ("#ffffff", "#1b1b1b"), True: ("#15171a", "#e8e8e8")}  # background and ink, light and dark
# A program that draws PNGs has no fonts of its own, and no names for those of the system.
MONOSPACE = "DejaVu Sans Mono,Menlo,Consolas,Liberation Mono,Noto Sans Mono,Courier New,monospace"
SANS = "DejaVu Sans,Helvetica Neue,Segoe UI,Arial,Liberation Sans,Noto Sans,sans-serif"
SLANT = 10  # degrees
MOST_PIXELS = 32_767  # the longest side of a PNG


def save_picture(picture: str, path: str | Path, width: int | None, dark: bool, background: str | None) -> None:
    """See `Picture.save`."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"save({str(path)!r}): the name of a picture ends in .html, .svg or .png")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save({str(path)!r}): there is no folder {str(path.parent)!r}")
    if width is not None and (width := whole_number(width, "width", WIDTHS)) < LEAST_WIDTH:
        raise ValueError(f"width={width}: it must be {WIDTHS}")
    if background is not None and not isinstance(background, str):
        raise TypeError(f"background={shown(background)}: it is a colour as CSS has it, or 'none'")
    contents = _contents(picture, suffix, width, flag(dark, "dark"), background)
    with in_place_of(path) as file:
        file.write(contents)


def _contents(picture: str, suffix: str, width: int | None, dark: bool, background: str | None) -> bytes:
    if suffix == ".html":
        return _page(picture, width, dark, background).encode()
    svg = _on_paper(as_svg(picture, width), dark, background)
    return svg.encode() if suffix == ".svg" else png(svg)


def as_svg(picture: str, width: int | None) -> str:
    """A picture as SVG, of this width in pixels. One that is SVG has a width of its own."""
    if not picture.startswith("<svg"):
        return svg_of(picture, width or WIDTH)
    tag, body = _opened(picture)
    old, high = (float(_attribute(tag, name) or 0) for name in ("width", "height"))
    box = _attribute(tag, "viewBox")
    if box is None:
        tag = _with(tag, "viewBox", f"0 0 {old:g} {high:g}")
    else:
        *_, box_width, box_height = map(float, box.split())
        old, high = old or box_width, (old or box_width) * box_height / box_width
    scale = 1 if width is None or not old else width / old
    tag = re.sub(r'\sstyle="[^"]*"', "", tag)  # how it fits a page
    tag = _with(_with(tag, "width", f"{old * scale:g}"), "height", f"{high * scale:g}")
    return tag + body


def _page(picture: str, width: int | None, dark: bool, background: str | None) -> str:
    """A whole page, on light or dark as the reader has it, or on dark."""
    scheme = "dark" if dark else "light dark"
    wide = f"max-width:{width}px;" if width else ""
    paper = f"background:{markup(background)};" if background else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="{scheme}">'
        f"<title>outlines_cont</title></head>\n"
        f'<body style="color-scheme:{scheme};{wide}{paper}overflow-x:auto">\n{picture}\n</body></html>\n'
    )


def _on_paper(svg: str, dark: bool, background: str | None) -> str:
    """With a background, and the colour of what is drawn on it."""
    paper, ink = PAPER[dark]
    tag, body = _opened(svg)
    sheet = f'<rect width="100%" height="100%" fill="{markup(background or paper)}" stroke="none"/>'
    title = re.match(r"\s*(<title>.*?</title>)?", body, re.DOTALL)
    begin = title.end() if title else 0
    return _with(tag, "color", ink) + body[:begin] + sheet * (background != "none") + body[begin:]


def png(svg: str) -> bytes:
    """An SVG as a PNG, two pixels for each of its own. ImportError without the extra `pictures`.

    Raises:
        ValueError: it is too large, or it cannot be drawn: why.
        RuntimeError: there are no fonts.
    """
    try:
        import resvg_py
    except ImportError:
        raise ImportError("saving a PNG needs resvg: pip install 'outlines_cont[pictures]'") from None
    tag, _ = _opened(svg)
    size = [2 * float(_attribute(tag, name) or 0) for name in ("width", "height")]
    if max(size) > MOST_PIXELS:
        raise ValueError(
            f"save(): a PNG of {size[0]:,.0f} × {size[1]:,.0f} pixels is too large (at most {MOST_PIXELS:,} each way): "
            "show fewer rows or tokens, or save it as .svg"
        )
    if not _fonts_there():
        raise RuntimeError("save(): no fonts are installed here, so a PNG would have no text: install DejaVu, say")
    return bytes(resvg_py.svg_to_bytes(svg_string=_for_fonts(svg), zoom=2, font_dirs=_font_folders()))


@cache
def _fonts_there() -> bool:
    import resvg_py

    drawn = [
        bytes(
            resvg_py.svg_to_bytes(
                svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" font-family="{MONOSPACE}">'
                f'<text y="15">{text}</text></svg>',
                font_dirs=_font_folders(),
            )
        )
        for text in ("M", "")
    ]
    return drawn[0] != drawn[1]


@cache
def _font_folders() -> list[str]:
    """The fonts that matplotlib brings, where it is installed: besides those of the system."""
    spec = find_spec("matplotlib")
    places = spec.submodule_search_locations if spec else None
    folders = [Path(place) / "mpl-data" / "fonts" / "ttf" for place in places or ()]
    return [str(folder) for folder in folders if folder.is_dir()]


def _for_fonts(svg: str) -> str:
    """With fonts by their names, and slanted text made so: few fonts of equal width have slanted letters."""
    svg = re.sub(r'font-family="[^"]*monospace"', f'font-family="{MONOSPACE}"', svg)
    svg = re.sub(r'font-family="[^"]*sans-serif"', f'font-family="{SANS}"', svg)
    return re.sub(r'<text x="([-\d.]+)" y="([-\d.]+)"([^>]*) font-style="italic"', _slanted, svg)


def _slanted(match: re.Match[str]) -> str:
    x, y, others = match.groups()
    return f'<text transform="translate({x} {y}) skewX(-{SLANT})"{others}'


def _opened(svg: str) -> tuple[str, str]:
    """The first tag, and all behind it."""
    end = svg.index(">") + 1
    return svg[:end], svg[end:]


def _attribute(tag: str, name: str) -> str | None:
    match = re.search(rf'\s{name}="([^"]*)"', tag)
    return match[1] if match else None


def _with(tag: str, name: str, value: str) -> str:
    """A tag with this value of an attribute."""
    new = f' {name}="{markup(value)}"'
    changed, count = re.subn(rf'\s{name}="[^"]*"', lambda _: new, tag)
    return changed if count else tag[:-1] + new + ">"
