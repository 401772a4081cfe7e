"""Logits that are remembered, so that going on from a crop or a fork reads no token twice.

Logits are kept in blocks as a pass computed them, `[lines, V]`: a block lives as long as somebody owns one of its
lines. All blocks together take at most 64 MiB; the oldest block goes first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol
from weakref import ref

from torch import Tensor

KEPT_LOGITS_BYTES = 64 << 20


class LogitOwner(Protocol):
    """A run of tokens that may own lines of logits: `logits[n]` is the line after its first n tokens."""

    logits: dict[int, LogitLine]


class LogitBlock:
    """The logits of one pass, `[lines, V]`, and the owner of each line."""

    __slots__ = ("logits", "owners")

    def __init__(self, logits: Tensor):
        self.logits = logits
        self.owners: dict[int, tuple[ref[LogitOwner], int]] = {}  # line → owner, and after how many of its tokens


LogitLine = tuple[LogitBlock, int]  # a block, and the index of a line in it


class LogitCache:
    """All blocks of a tree; each node of the tree knows its own lines. Not thread-safe: the tree's lock guards it."""

    def __init__(self) -> None:
        self._blocks: dict[int, LogitBlock] = {}  # by id, oldest first
        self._bytes = 0

    def keep(self, lines: Iterable[tuple[tuple[LogitOwner, int], int]], logits: Tensor) -> None:
        """Remember logits `[lines, V]`. lines: (owner, after how many of its tokens) and the index of its line."""
        block = LogitBlock(logits)
        for (owner, size), line in lines:
            if size in owner.logits:
                self.drop(owner.logits[size])
            owner.logits[size] = block, line
            block.owners[line] = ref(owner), size
        self._blocks[id(block)] = block
        self._bytes += logits.nbytes
        while self._bytes > KEPT_LOGITS_BYTES:
            self._drop_oldest()

    def drop(self, kept: LogitLine) -> None:
        """Nobody will ask for this line any more."""
        block, line = kept
        if block.owners.pop(line, None) and not block.owners and self._blocks.pop(id(block), None):
            self._bytes -= block.logits.nbytes

    def _drop_oldest(self) -> None:
        block = next(iter(self._blocks.values()))
        for line, (owner_ref, size) in list(block.owners.items()):
            if (owner := owner_ref()) is not None:
                owner.logits.pop(size, None)
            self.drop((block, line))
