"""The masks that are kept for a vocabulary, and the slices that they are made of."""

from __future__ import annotations

import threading
from sys import getsizeof
from typing import Any

import numpy as np

from outlines_cont.processes import whole_at_fork

from ..vocabulary import Vocabulary
from .slices import Slice

MASKS = "masks"  # where in `Vocabulary.cache` they are kept


class _Generation:
    def __init__(self) -> None:
        self.by_state: dict[tuple[int, int], np.ndarray] = {}
        self.by_content: dict[Any, np.ndarray] = {}
        self.slices: dict[tuple[int, int], Slice] = {}
        self.size = 0  # bytes, roughly: the arrays, and the entries by which they are found


class MaskCache:
    """The masks of one vocabulary, and the slices that they are made of, within a limit.

    Equal masks are one array, whichever guides they belong to. There are two generations, so that a hit costs one
    look-up: an entry that is asked for is young, or becomes young. When the young entries take half of the limit, the
    old ones are forgotten and the young ones become old.

    Attributes:
        limit: about how many bytes are kept at most. May be set.
    """

    def __init__(self, limit: int = 256 << 20):
        self.limit = limit
        self._lock = whole_at_fork(threading.Lock())
        self._young, self._old = _Generation(), _Generation()
        self._wanted: dict[tuple[int, int], int] = {}

    @property
    def size(self) -> int:
        """About how many bytes are kept."""
        return self._young.size + self._old.size

    def mask_of(self, state: tuple[int, int]) -> np.ndarray | None:
        """The mask that was kept for a state: (number of the `Masks`, automaton state)."""
        mask = self._young.by_state.get(state)
        if mask is None:
            mask = self._old.by_state.get(state)
            if mask is not None:
                self.keep(state, None, mask)
        return mask

    def mask_like(self, content: Any) -> np.ndarray | None:
        """The mask that was kept for a description of its content."""
        mask = self._young.by_content.get(content)
        return self._old.by_content.get(content) if mask is None else mask

    def keep(self, state: tuple[int, int], content: Any, mask: np.ndarray) -> None:
        """Keep a mask, for its state and for its description (a hashable, or None)."""
        with self._lock:
            young = self._young
            young.by_state[state] = mask
            size, by_content = 128, young.by_content
            if id(mask) not in by_content:  # the entry keeps the mask alive, so that no other array gets its id
                by_content[id(mask)] = mask
                size += 128 + mask.nbytes
            if content is not None and content not in by_content:
                by_content[content] = mask
                size += 512 + getsizeof(content[-1])
            young.size += size
            if 2 * young.size > self.limit:
                self._age()

    def slice_of(self, charset: tuple[int, int]) -> Slice | None:
        """The slice that was kept for a character class, of what is below a node."""
        kept = self._young.slices.get(charset)
        if kept is None:
            kept = self._old.slices.get(charset)
            if kept is not None:
                self.keep_slice(charset, kept)
        return kept

    def keep_slice(self, charset: tuple[int, int], made: Slice) -> None:
        with self._lock:
            self._young.slices[charset] = made
            self._young.size += made.nbytes
            if 2 * self._young.size > self.limit:
                self._age()

    def wanted(self, charset: tuple[int, int]) -> int:
        """How often a slice that is not kept would have been of use."""
        count = self._wanted[charset] = self._wanted.get(charset, 0) + 1
        return count

    def _age(self) -> None:
        self._young, self._old = _Generation(), self._young


def mask_cache_of(vocabulary: Vocabulary) -> MaskCache:
    """The masks kept for a vocabulary. Its `limit` (bytes) may be set; `clear_caches` forgets that, too."""
    cache = vocabulary.cache.get(MASKS)
    return cache if cache is not None else vocabulary.cache.setdefault(MASKS, MaskCache())
