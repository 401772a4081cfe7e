"""Logits that are remembered, so that going on from a crop or a fork reads no token twice.

They come in pages, one a pass, because that is how they were computed: a page lives as long as one of its lines is
somebody's. 64 MiB in all; the oldest page goes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from weakref import ref

from torch import Tensor

if TYPE_CHECKING:
    from outlines_cont.kv.radix_tree import Node, Point

KEPT_LOGITS_BYTES = 64 << 20

Line = tuple["Page", int]


class Page:
    """Logits that one pass gave, `[lines, V]`, and whose they are."""

    __slots__ = ("logits", "owners")

    def __init__(self, logits: Tensor):
        self.logits = logits
        self.owners: dict[int, tuple[ref[Node], int]] = {}  # line → whose


class Pages:
    """All pages of a tree; each of its nodes knows its own lines. Not thread-safe: the tree's lock guards it."""

    def __init__(self) -> None:
        self._pages: dict[int, Page] = {}  # by id, oldest first
        self._bytes = 0

    def keep(self, points: Mapping[Point, int], logits: Tensor) -> None:
        """Remember lines of logits `[lines, V]` after points."""
        page = Page(logits)
        for (node, size), line in points.items():
            if size in node.logits:
                self.drop(node.logits[size])
            node.logits[size] = page, line
            page.owners[line] = ref(node), size
        self._pages[id(page)] = page
        self._bytes += logits.nbytes
        while self._bytes > KEPT_LOGITS_BYTES:
            page = next(iter(self._pages.values()))
            for line, (owner, size) in list(page.owners.items()):
                if (node := owner()) is not None:
                    node.logits.pop(size, None)
                self.drop((page, line))

    def drop(self, kept: Line) -> None:
        """Nobody asks for a line any more."""
        page, line = kept
        if page.owners.pop(line, None) and not page.owners and self._pages.pop(id(page), None):
            self._bytes -= page.logits.nbytes
