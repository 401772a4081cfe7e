"""Texts as people can read them, and as markup; and our own markup, read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

#: Okabe and Ito's colours, told apart by everybody, on white and on black.
BLUE, SKY, VERMILION, GREY = "#0072b2", "#56b4e9", "#d55e00", "#808080"
BAR = 0.45  # how opaque the bar of keys and values is
KNOWN_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
UNSEEN = {"style", "title"}  # elements whose text is not drawn
NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def readable(data: bytes) -> str:
    r"""Bytes as text in which all can be seen: `\n`, `\u00a0`, and `\xe4` where a character is not whole."""
    return "".join(map(seen, characters(data)))


def characters(data: bytes) -> str:
    """UTF-8, in which what is no whole character is one lone surrogate a byte."""
    return data.decode("utf-8", "surrogateescape")


def seen(character: str) -> str:
    """A character of `characters`, or what stands for it if it cannot be seen."""
    return character if character.isprintable() else escaped(character)


def escaped(character: str) -> str:
    """What stands for a character that cannot be seen."""
    if character in KNOWN_ESCAPES:
        return KNOWN_ESCAPES[character]
    code = ord(character)
    if 0xDC80 <= code < 0xDD00:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def markup(text: str, quote: bool = True) -> str:
    """Any text as the content of an element, with `quote` also of an attribute. What XML cannot hold is as `seen`."""
    return escape(NOT_IN_XML.sub(lambda match: seen(match[0]), text), quote)


def attribute(text: str) -> str:
    """A text as the value of an attribute between double quotes."""
    return markup(text, quote=False).replace('"', "&quot;").replace("\n", "&#10;")


def cut(text: str, limit: int) -> str:
    """A text, with its end left out if it is longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def end_of(text: str, limit: int) -> str:
    """A text, with its beginning left out if it is longer."""
    return text if len(text) <= limit else "…" + text[1 - limit :]


@dataclass(slots=True, eq=False)
class Element:
    """One element: its children are elements and texts."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def elements(self) -> Iterator[Element]:
        return (child for child in self.children if isinstance(child, Element))

    def share(self, name: str) -> float:
        """A number that its own style sets; 0 where it sets none."""
        pairs = (part.partition(":") for part in self.attributes.get("style", "").split(";"))
        return next((float(value) for key, _, value in pairs if key == name), 0.0)


class _MarkupReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if self.open.pop().tag != tag:
            raise ValueError(f"</{tag}>: no picture of ours")

    def handle_data(self, data: str) -> None:
        if self.open[-1].tag not in UNSEEN:
            self.open[-1].children.append(data)


def read_markup(html: str) -> Element:
    """Markup of ours, in which all that begins also ends, as an element without a tag."""
    reader = _MarkupReader()
    reader.feed(html)
    reader.close()
    return reader.open[0]
