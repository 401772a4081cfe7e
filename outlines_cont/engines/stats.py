"""`Stats`: what a model computed, counted."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Protocol

from outlines_cont.kv.radix_tree import Tree
from outlines_cont.processes import ProcessBound, whole_at_fork

_counting = whole_at_fork(threading.Lock())  # of drafts, which is done outside of a model's lock


class HoldsTree(Protocol):
    """A model: its KV tree is looked up each time, since another one takes its place when the parameters change."""

    tree: Tree


@dataclass
class Stats(ProcessBound):
    """What a model computed since `reset()`.

    Attributes:
        tokens: token positions computed for the first time.
        passes: forward calls.
        reused: positions that were needed and not computed again, but for those below.
        restored: positions whose keys and values came from disk: from a store (docs/store.md) or a saved state.
        reread: tokens sent once more only because the logits after them were not kept.
        drafted: tokens that drafts proposed for rows, and that were read; see docs/drafts.md.
        accepted: those of them that the rows took. So the tokens of drafts that failed are `drafted - accepted`.
        grafted: positions whose keys and values were taken from another place, by `oc.grafts.graft`, and not computed
        there.
        kv_bytes: bytes of the keys and values that live states hold in the tree now.
        kv_allocated: bytes of the tree's buffers, free slots included.

    >>> new = oc.load()
    >>> oc.generate.text(new, oc.samplers.greedy())("The sky is", max_tokens=2)
    ' blue.'
    >>> new.stats.tokens, new.stats.passes  # the six of the prompt at once, then " blue"; nobody has read the "."
    (7, 2)
    """

    _instead = "pass on its numbers, as stats.tokens"

    _model: HoldsTree
    tokens: int = 0
    passes: int = 0
    reused: int = 0
    reread: int = 0
    restored: int = 0
    grafted: int = 0
    drafted: int = 0
    accepted: int = 0

    def count_drafts(self, drafted: int, accepted: int) -> None:
        """Count tokens of drafts."""
        with _counting:
            self.drafted += drafted
            self.accepted += accepted

    @property
    def kv_bytes(self) -> int:
        """Bytes of the keys and values that live states hold in the tree now."""
        return self._model.tree.bytes

    @property
    def kv_allocated(self) -> int:
        """Bytes of the tree's buffers, free slots included."""
        return self._model.tree.allocated

    def reset(self) -> None:
        """Count from 0 again."""
        self.tokens = self.passes = self.reused = self.reread = self.restored = 0
        self.grafted = self.drafted = self.accepted = 0

    def __repr__(self) -> str:
        counts = f"tokens={self.tokens}, passes={self.passes}, reused={self.reused}, reread={self.reread}"
        counts += f", restored={self.restored}" * bool(self.restored)
        counts += f", grafted={self.grafted}" * bool(self.grafted)
        drafts = f", drafted={self.drafted}, accepted={self.accepted}" if self.drafted else ""
        return f"Stats({counts}{drafts}, kv_bytes={self.kv_bytes})"


COUNTS = ("tokens", "passes", "reused", "reread", "restored", "drafted", "accepted", "grafted")
COUNTS += ("kv_bytes", "kv_allocated")


class CountsOf(ProcessBound):
    """What a language model with its own cache counts, by the names of `Stats`: None for what it does not count."""

    _instead = "pass on its numbers, as stats.tokens"

    def __init__(self, model: Any):
        self._model = model

    def __getattr__(self, name: str) -> Any:
        if name in COUNTS:
            return getattr(self._model.stats, name, None)
        return getattr(self._model.stats, name)

    def reset(self) -> None:
        """Count from 0 again. AttributeError if the model cannot."""
        self._model.stats.reset()

    def __repr__(self) -> str:
        names = ("tokens", "passes", "reused", "reread", "kv_bytes")
        return f"Stats({', '.join(f'{name}={getattr(self, name)}' for name in names)})"
