"""Drafts from what stands there already: in the row, in the rows beside it, in the KV tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outlines_cont.decode.drafts.written_rows import WrittenRows
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.kv.held_texts import HeldTexts

if TYPE_CHECKING:
    from outlines_cont.decode.drafts.protocol import DraftRow

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Ngram:
    """Proposes what followed the same tokens before; see `ngram`."""

    k: int
    n: int

    def begin(self, model: LanguageModel) -> NgramDraft:
        """The draft of one generation of a model."""
        return NgramDraft(self.k, self.n, model)


class NgramDraft:
    """What `Ngram` proposes in one generation, and the index of its rows."""

    def __init__(self, k: int, n: int, model: LanguageModel):
        self.k, self.n = k, n
        self._model = model
        self._rows, self._held = WrittenRows(n), HeldTexts(n)

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        if any(row.key not in self._rows for row in rows):
            self._look_at_tree()
        for row in rows:
            self._rows.follow(row.key, row.ids)
        continuations = [self.continuation(row.key, row.ids, self.k) for row in rows]
        return [[continuation] if continuation else [] for continuation in continuations]

    def continuation(self, key: object, ids: Ids, count: int) -> Ids:
        """What followed the longest end of a row that stands elsewhere, too: of all places the last one in the row
        itself; if there is none, in another row, and in the tree. `()` if there is no place at all."""
        for size in range(min(self.n, len(ids)), 0, -1):
            gram = ids[-size:]
            if end := self._rows.in_row(key, gram):
                return copied_on(ids, end, count)
            if continuation := self._rows.in_others(key, gram, count):
                return continuation
            if size == self.n and (continuation := self._held.after(gram, count)):
                return continuation
        return ()

    def _look_at_tree(self) -> None:
        tree = getattr(self._model, "tree", None)
        if tree is not None and getattr(self._model, "keeps", True):
            self._held.look(tree)


def copied_on(ids: Ids, end: int, count: int) -> Ids:
    """The next `count` tokens of a row that copies itself from a depth on: it may go on into what it has just copied.

    >>> from outlines_cont.decode.drafts.ngram import copied_on
    >>> copied_on((7, 5, 6), 1, 5)
    (5, 6, 5, 6, 5)
    """
    period = ids[end : end + count]
    return (period * (count // len(period) + 1))[:count]
