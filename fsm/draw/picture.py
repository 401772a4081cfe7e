"""Pictures that notebooks show."""

from __future__ import annotations

from pathlib import Path

from .characters import characters, markup, readable, seen
from .colours import BLUE, GREY, SKY, VERMILION
from .saving import save_picture

__all__ = ["BLUE", "GREY", "SKY", "VERMILION", "Picture", "characters", "markup", "readable", "seen"]


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

        A page is light or dark as its reader has it. An SVG and a PNG are dark on white. A PNG has two pixels for each
        pixel of `width`, and takes the extra `pictures`. A file of this name is replaced when the new one is whole.

        path: of the file; its folder has to be there. width: in pixels; without it, rows and tables are 900 wide, and
        trees and automata as wide as they are drawn. dark: light on dark. background: a colour, as CSS has it; "none"
        for none.

        Raises:
            ValueError: the name ends in something else, a width that is none, or a PNG that is too large.
            FileNotFoundError: there is no such folder.
            ImportError: a PNG without the extra `pictures`.

        >>> from tempfile import mkdtemp
        >>> picture = model.state("The sky is").html()
        >>> picture.save(f"{mkdtemp()}/rows.svg", width=600)
        """
        save_picture(self, path, width, dark, background)

    def __repr__(self) -> str:
        kind = "SVG" if self.startswith("<svg") else "HTML"
        return f"<Picture: {len(self):,} characters of {kind}; a notebook shows it, picture.save(path) writes it>"
