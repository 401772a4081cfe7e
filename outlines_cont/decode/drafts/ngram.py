"""Drafts from what stands there already: in the row, in the rows beside it, in the KV tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Literal

from outlines_cont.decode.drafts.written_rows import WrittenRows
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.kv.held_texts import HeldTexts

if TYPE_CHECKING:
    from outlines_cont.decode.drafts.protocol import DraftRow

Ids = tuple[int, ...]
How = Literal["once", "same", "other"]
Evidence = tuple[int, How]  # how many tokens agree, and what had followed them in the last two places
#: How often what followed one, two, or more equal tokens follows them again, before anything was seen of a row: where
#: they stand in one place only, where the same token followed them in the last two places, and where another one did.
EXPECTED = {"once": (0.2, 0.5, 0.75), "same": (0.35, 0.75, 0.9), "other": (0.1, 0.25, 0.4)}
TRUST = 3  # so many tokens of the row weigh as much as that
WORTH = 0.35  # what holds with a smaller probability is not proposed
LEAST = 0.1  # no token of a proposal holds with a smaller one
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
    """How often a row went on as it had after the same tokens, by what spoke for that, lately.

    >>> from outlines_cont.decode.drafts.ngram import Repeats
    >>> repeats = Repeats()
    >>> repeats.share((2, "once"))
    0.5
    >>> for _ in range(3):
    ...     repeats.note((2, "once"), right=True)
    >>> repeats.share((2, "once")) > 0.7, repeats.share((1, "once"))
    (True, 0.2)
    """

    def __init__(self) -> None:
        self._seen: dict[Evidence, tuple[float, float]] = {}  # right ones, all

    def note(self, evidence: Evidence, right: bool) -> None:
        """The token that had followed came again, or another one."""
        good, count = self._seen.get(evidence, (0.0, 0.0))
        self._seen[evidence] = good * FADING + right, count * FADING + 1

    def share(self, evidence: Evidence) -> float:
        """The probability that the same token follows."""
        good, count = self._seen.get(evidence, (0.0, 0.0))
        size, how = evidence
        expected = EXPECTED[how]
        return (good + TRUST * expected[min(size, len(expected)) - 1]) / (count + TRUST)


class NgramDraft:
    """What `Ngram` proposes in one generation, and the index of its rows.

    It sees of each token of a row whether it was the one that it would have proposed, also where it proposed nothing. So
    it knows by itself how much is worth proposing.
    """

    paces_itself = True

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
            evidence, continuation = self.continuation(row.key, row.ids, self.k)
            size = 0 if evidence is None else worthy_length(self._repeats[row.key].share(evidence))
            proposals.append([continuation[:size]] if size else [])
        return proposals

    def follow(self, key: object, ids: Ids) -> None:
        """A row has these tokens now: index them, and note which of the new ones were what had followed before."""
        old = self._rows.follow(key, ids)
        if not old or key not in self._repeats:
            self._repeats[key], old = Repeats(), max(1, len(ids) - SEEN_AT_FIRST)
        for at in range(old, len(ids)):
            for size in range(min(self.n, at), 0, -1):
                gram = ids[at - size : at]
                if end := self._rows.in_row(key, gram, at):
                    self._repeats[key].note((size, self._how(key, ids, gram, end)), ids[end] == ids[at])
                    break

    def _how(self, key: object, ids: Ids, gram: Ids, end: int) -> How:
        """What followed a gram, which ends at this depth of a row, in the place before that."""
        before = self._rows.in_row(key, gram, end)
        return "once" if not before else "same" if ids[before] == ids[end] else "other"

    def continuation(self, key: object, ids: Ids, count: int) -> tuple[Evidence | None, Ids]:
        """What followed the longest end of a row, of n tokens at most, that stands elsewhere, too, and what speaks for
        it: of all places the last one in the row itself; if there is none, in another row, and in the tree (where n
        tokens must agree). `(None, ())` if there is no place at all."""
        for size in range(min(self.n, len(ids)), 0, -1):
            gram = ids[-size:]
            if end := self._rows.in_row(key, gram):
                return (size, self._how(key, ids, gram, end)), copied_on(ids, end, count)
            if continuation := self._rows.in_others(key, gram, count):
                return (size, "once"), continuation
            if size == self.n and (continuation := self._held.after(gram, count)):
                return (size, "once"), continuation
        return None, ()

    def _look_at_tree(self) -> None:
        tree = getattr(self._model, "tree", None)
        if tree is not None and getattr(self._model, "keeps", True):
            self._held.look(tree)


def worthy_length(share: float) -> int:
    """How many tokens to propose, each of which holds with this probability if those before it do.

    >>> from outlines_cont.decode.drafts.ngram import worthy_length
    >>> worthy_length(0.3), worthy_length(0.5), worthy_length(0.8)
    (0, 3, 10)
    """
    return int(log(LEAST) / log(min(share, 0.99))) if share >= WORTH else 0


def copied_on(ids: Ids, end: int, count: int) -> Ids:
    """The next `count` tokens of a row that copies itself from a depth on: it may go on into what it has just copied.

    >>> from outlines_cont.decode.drafts.ngram import copied_on
    >>> copied_on((7, 5, 6), 1, 5)
    (5, 6, 5, 6, 5)
    """
    period = ids[end : end + count]
    return (period * (count // len(period) + 1))[:count]
