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
#: How often what followed one, two, or more equal tokens follows them again, before anything was seen of a row.
EXPECTED = (0.2, 0.5, 0.75)
TRUST = 3  # so many tokens of the row weigh as much as that
WORTH = 0.35  # what holds with a smaller probability is not proposed
FADING = 0.95  # of what was seen in a row, with each of its tokens
SEEN_AT_FIRST = 64  # tokens of a prompt


@dataclass(frozen=True)
class Ngram:
    """Proposes what followed the same tokens before; see `ngram`."""

    k: int
    n: int

    def begin(self, model: LanguageModel) -> NgramDraft:
        """The draft of one generation of a model."""
        return NgramDraft(self.k, self.n, model)


class Repeats:
    """How often a row went on as it had after the same tokens, by how many these were, lately.

    >>> from outlines_cont.decode.drafts.ngram import Repeats
    >>> repeats = Repeats()
    >>> repeats.share(2)
    0.5
    >>> for _ in range(3):
    ...     repeats.note(2, right=True)
    >>> repeats.share(2) > 0.7, repeats.share(1)
    (True, 0.2)
    """

    def __init__(self) -> None:
        self._seen: dict[int, tuple[float, float]] = {}  # by size: right ones, all

    def note(self, size: int, right: bool) -> None:
        """After so many tokens that had stood there before came the one that had followed them, or another one."""
        good, count = self._seen.get(size, (0.0, 0.0))
        self._seen[size] = good * FADING + right, count * FADING + 1

    def share(self, size: int) -> float:
        """The probability that the same token follows."""
        good, count = self._seen.get(size, (0.0, 0.0))
        return (good + TRUST * EXPECTED[min(size, len(EXPECTED)) - 1]) / (count + TRUST)


class NgramDraft:
    """What `Ngram` proposes in one generation, and the index of its rows."""

    def __init__(self, k: int, n: int, model: LanguageModel):
        self.k, self.n = k, n
        self._model = model
        self._rows, self._held = WrittenRows(n), HeldTexts(n)
        self._repeats: dict[object, Repeats] = {}  # of each row

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        if any(row.key not in self._rows for row in rows):
            self._look_at_tree()
        for row in rows:
            self.follow(row.key, row.ids)
        proposals: list[list[Ids]] = []
        for row in rows:
            size, continuation = self.continuation(row.key, row.ids, self.k)
            worth = size and self._repeats[row.key].share(size) >= WORTH
            proposals.append([continuation] if worth else [])
        return proposals

    def follow(self, key: object, ids: Ids) -> None:
        """A row has these tokens now: index them, and note which of the new ones were what had followed before."""
        old = self._rows.follow(key, ids)
        if not old or key not in self._repeats:
            self._repeats[key], old = Repeats(), max(1, len(ids) - SEEN_AT_FIRST)
        for at in range(old, len(ids)):
            for size in range(min(self.n, at), 0, -1):
                if end := self._rows.in_row(key, ids[at - size : at], at):
                    self._repeats[key].note(size, ids[end] == ids[at])
                    break

    def continuation(self, key: object, ids: Ids, count: int) -> tuple[int, Ids]:
        """What followed the longest end of a row, of n tokens at most, that stands elsewhere, too, and how long that
        end is: of all places the last one in the row itself; if there is none, in another row, and in the tree (where
        n tokens must agree). `(0, ())` if there is no place at all."""
        for size in range(min(self.n, len(ids)), 0, -1):
            gram = ids[-size:]
            if end := self._rows.in_row(key, gram):
                return size, copied_on(ids, end, count)
            if continuation := self._rows.in_others(key, gram, count):
                return size, continuation
            if size == self.n and (continuation := self._held.after(gram, count)):
                return size, continuation
        return 0, ()

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
