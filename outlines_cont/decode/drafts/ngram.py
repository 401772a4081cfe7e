"""Drafts from what stands there already: in the row, in the rows beside it, in the KV tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outlines_cont.decode.drafts.evidence import Evidence, Repeats, worthy_length
from outlines_cont.decode.drafts.written_rows import WrittenRows
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.kv.held_texts import HeldTexts

if TYPE_CHECKING:
    from outlines_cont.decode.drafts.protocol import DraftRow

Ids = tuple[int, ...]
SEEN_AT_FIRST = 64  # tokens of a prompt


@dataclass(frozen=True)
class Ngram:
    """Proposes what followed the same tokens before; see `ngram`."""

    k: int
    n: int

    def begin(self, model: LanguageModel) -> NgramDraft:
        """The draft of one generation of a model."""
        return NgramDraft(self.k, self.n, model)


class NgramDraft:
    """What `Ngram` proposes in one generation, and the index of its rows.

    It sees of each token of a row whether it was the one that it would have proposed, also where it proposed nothing.
    So it knows by itself how much is worth proposing.
    """

    paces_itself = True

    def __init__(self, k: int, n: int, model: LanguageModel):
        self.k, self.n = k, n
        self._model = model
        self._rows, self._held = WrittenRows(n), HeldTexts(n)
        self._repeats: dict[object, Repeats] = {}  # of each row
        self._elsewhere: dict[object, tuple[int, Evidence, int]] = {}  # how long a row was, and what came elsewhere

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        if any(row.key not in self._rows for row in rows):
            self._look_at_tree()
        for row in rows:
            self.follow(row.key, row.ids)
        return [self._worthy(row) for row in rows]

    def _worthy(self, row: DraftRow) -> list[Ids]:
        """The continuations of a row, each as far as it is worth proposing."""
        repeats = self._repeats[row.key]
        each = self.continuations(row.key, row.ids, self.k)
        if each and each[0][0][1] == "elsewhere":
            [(evidence, ids)] = each
            self._elsewhere[row.key] = (len(row.ids), evidence, ids[0])
        return [ids[:size] for evidence, ids in each if (size := worthy_length(repeats.share(evidence)))]

    def follow(self, key: object, ids: Ids) -> None:
        """A row has these tokens now: index them, and note which of the new ones were what had followed before."""
        old = self._rows.follow(key, ids)
        if not old or key not in self._repeats:
            self._repeats[key], old = Repeats(), max(1, len(ids) - SEEN_AT_FIRST)
        length, evidence, token = self._elsewhere.pop(key, (0, None, 0))
        if evidence is not None and length == old < len(ids):
            self._repeats[key].note(evidence, ids[length] == token)
        for at in range(old, len(ids)):
            for size in range(min(self.n, at), 0, -1):
                gram = ids[at - size : at]
                if places := self._places(key, ids, gram, at):
                    for evidence, end in places:
                        self._repeats[key].note(evidence, ids[end] == ids[at])
                    break

    def _places(self, key: object, ids: Ids, gram: Ids, before: int) -> list[tuple[Evidence, int]]:
        """Where a gram ended in a row before a depth, and what speaks for what followed it there: the last place, and
        the one before, if another token followed it there."""
        size = len(gram)
        last = self._rows.in_row(key, gram, before)
        if not last:
            return []
        second = self._rows.in_row(key, gram, last)
        if not second or ids[second] == ids[last]:
            return [((size, "same" if second else "once"), last)]
        return [((size, "other"), last), ((size, "second"), second)]

    def continuations(self, key: object, ids: Ids, count: int) -> list[tuple[Evidence, Ids]]:
        """What followed the longest end of a row, of n tokens at most, that stands elsewhere, too, and what speaks for
        it: in the last place in the row itself, and in the one before that, if another token followed there; if there
        is none, in another row, and in the tree (where n tokens must agree). `[]` if there is no place at all."""
        for size in range(min(self.n, len(ids)), 0, -1):
            gram = ids[-size:]
            if places := self._places(key, ids, gram, len(ids)):
                return [(evidence, copied_on(ids, end, count)) for evidence, end in places]
            if continuation := self._rows.in_others(key, gram, count):
                return [((size, "elsewhere"), continuation)]
            if size == self.n and (continuation := self._held.after(gram, count)):
                return [((size, "elsewhere"), continuation)]
        return []

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
