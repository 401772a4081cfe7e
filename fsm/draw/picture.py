"""Pictures that notebooks show, and bytes that people can read."""

from __future__ import annotations

from pathlib import Path

# Okabe and Ito's palette: told apart by everybody, on white and on black.
BLUE, SKY, VERMILION, GREY = "#0072b2", "#56b4e9", "#d55e00", "#808080"
KNOWN_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


class Picture(str):
    """HTML or SVG: a `str` that a notebook shows as what it draws.

    Colours are translucent and lines take the colour of the text around them, so it is readable on light and on dark.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self, encoding="utf-8")

    def __repr__(self) -> str:
        kind = "SVG" if self.startswith("<svg") else "HTML"
        return f"<Picture: {len(self):,} characters of {kind}; a notebook shows it, picture.save(path) writes it>"


def readable(data: bytes) -> str:
    r"""Bytes as text in which all can be seen: `\n`, `\u00a0`, and `\xe4` where a character is not whole.

    >>> readable("tab\t, ä".encode() + b"\xc3")
    'tab\\t, ä\\xc3'
    """
    return "".join(map(seen, characters(data)))


def characters(data: bytes) -> str:
    """UTF-8, in which what is no whole character is one lone surrogate a byte."""
    return data.decode("utf-8", "surrogateescape")


def seen(character: str) -> str:
    """A character of `characters`, or what stands for it if it cannot be seen."""
    if character in KNOWN_ESCAPES:
        return KNOWN_ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code < 0xDD00:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
