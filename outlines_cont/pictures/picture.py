"""Pictures that notebooks show, and as files: a page, an SVG or a PNG, as the name of the file says."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from outlines_cont.arguments import flag, shown, whole_number
from outlines_cont.files import in_place_of
from outlines_cont.pictures.blocks import size_of, svg_of
from outlines_cont.pictures.markup import markup
from outlines_cont.pictures.svg import document, written

SUFFIXES = (".html", ".svg", ".png")
WIDTH, LEAST_WIDTH = 900, 240  # pixels
WIDTHS = f"a number of pixels, an int ≥ {LEAST_WIDTH}"
PAPER = {False: ("#ffffff", "#1b1b1b"), True: ("#15171a", "#e8e8e8")}  # background and ink, light and dark
# Of an SVG whose reader has dark pages; programs that know no such rule leave it out.
DARK = "<style>@media(prefers-color-scheme:dark){.oc-ink{color:INK;background:PAPER}.oc-paper{fill:PAPER}}</style>"
DARK = DARK.replace("PAPER", PAPER[True][0]).replace("INK", PAPER[True][1])
MOST_PIXELS = 32_767  # the longest side of a PNG


class Picture(str):
    """HTML or SVG: a `str` that a notebook shows as what it draws.

    Colours are translucent and lines take the colour of the text around them, so it is readable on light and on dark.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)

    def save(
        self, path: str | Path, width: int | None = None, dark: bool = False, background: str | None = None
    ) -> None:
        """Write it to a file: a page (.html), an SVG (.svg) or a PNG (.png), as the name ends.

        A page and an SVG are light or dark as their reader has it; a PNG is dark on white, has two pixels for each of
        `width`, and takes the extra `pictures`. A file of this name is replaced when the new one is whole.

        path: of the file; its folder has to be there. width: in pixels; without it, rows and tables are 900 wide, and
        trees and automata as wide as they are drawn. dark: light on dark. background: a colour, as CSS has it; "none"
        for none; with one, an SVG is dark on it, or light if `dark`.

        Raises:
            ValueError: the name ends in something else, a width that is none, or a PNG that is too large.
            FileNotFoundError: there is no such folder.
            ImportError: a PNG without the extra `pictures`.

        >>> from tempfile import mkdtemp
        >>> picture = model.state("The sky is").html()
        >>> picture.save(f"{mkdtemp()}/rows.svg", width=600)
        """
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
        if suffix == ".html":
            contents = _page(self, width, flag(dark, "dark"), background).encode()
        elif suffix == ".svg":
            contents = as_svg(self, width, flag(dark, "dark"), background).encode()
        else:
            contents = png(as_svg(self, width, flag(dark, "dark"), background or PAPER[dark][0]))
        with in_place_of(path) as file:
            file.write(contents)

    def __repr__(self) -> str:
        kind = "SVG" if self.startswith("<svg") else "HTML"
        return f"<Picture: {len(self):,} characters of {kind}; a notebook shows it, picture.save(path) writes it>"


def as_svg(picture: str, width: int | None = None, dark: bool = False, background: str | None = None) -> str:
    """A picture as an SVG of this width in pixels, on paper. One with a drawing has a width of its own."""
    svg = svg_of(picture, width or WIDTH)
    end = svg.index(">")
    wide, high = size_of(svg)
    scale = 1 if width is None else width / wide
    head = re.sub(r' (width|style)="[^"]*"', "", svg[:end])  # how it fits a page
    paper, ink = PAPER[dark]
    follows = not dark and background is None  # its reader; else no rules of other pictures are for it
    ink_class, paper_class = (f' class="oc-{part}"' * follows for part in ("ink", "paper"))
    sheet = f'<rect{paper_class} width="100%" height="100%" fill="{markup(background or paper)}"/>'
    sheet = (DARK * follows + sheet) * (background != "none")
    size = f'width="{wide * scale:g}" height="{high * scale:g}" style="max-width:100%;height:auto"'
    return f'{head}{ink_class} {size} color="{ink}">{sheet}{svg[end + 1 :]}'


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


def png(svg: str) -> bytes:
    """An SVG as a PNG, two pixels for each of its own.

    Raises:
        ImportError: without the extra `pictures`.
        ValueError: it is too large.
        RuntimeError: there are no fonts.
    """
    try:
        import resvg_py
    except ImportError:
        raise ImportError("saving a PNG needs resvg: pip install 'outlines_cont[pictures]'") from None
    size = [2 * float(number) for number in re.findall(r' (?:width|height)="([\d.]+)"', svg[: svg.index(">")])]
    if max(size) > MOST_PIXELS:
        raise ValueError(
            f"save(): a PNG of {size[0]:,.0f} × {size[1]:,.0f} pixels is too large (at most {MOST_PIXELS:,} each way): "
            "show fewer rows or tokens, or save it as .svg"
        )
    if not _fonts_there():
        raise RuntimeError("save(): no fonts are installed here, so a PNG would have no text: install DejaVu, say")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2, font_dirs=_font_folders()))


@cache
def _fonts_there() -> bool:
    import resvg_py

    svgs = [document(20, 20, [written(text, 0, 15)], "a letter") for text in ("M", " ")]
    drawn = [bytes(resvg_py.svg_to_bytes(svg_string=svg, font_dirs=_font_folders())) for svg in svgs]
    return drawn[0] != drawn[1]


@cache
def _font_folders() -> list[str]:
    """The fonts that matplotlib brings, where it is installed: besides those of the system."""
    spec = find_spec("matplotlib")
    places = spec.submodule_search_locations if spec else None
    folders = [Path(place) / "mpl-data" / "fonts" / "ttf" for place in places or ()]
    return [str(folder) for folder in folders if folder.is_dir()]
