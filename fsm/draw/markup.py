"""The markup of our own pictures, read back: elements and texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"br", "hr", "wbr", "col", "img"}  # they have no end
UNSEEN = {"style", "title", "script"}


@dataclass(slots=True)
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

    def property(self, name: str) -> str | None:
        """What its own style says of a property."""
        pairs = (part.partition(":") for part in self.attributes.get("style", "").split(";"))
        return next((value.strip() for key, _, value in pairs if key.strip() == name), None)


class _MarkupReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if any(element.tag == tag for element in self.open[1:]):
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open[-1].tag not in UNSEEN:
            self.open[-1].children.append(data)


def read_markup(html: str) -> Element:
    """An element without a tag that has all there is.

    >>> from outlines_cont.fsm.draw.markup import read_markup
    >>> [(child.tag, child.children) for child in read_markup("<i>a</i><b class='s'></b>").elements]
    [('i', ['a']), ('b', [])]
    """
    reader = _MarkupReader()
    reader.feed(html)
    reader.close()
    return reader.open[0]
