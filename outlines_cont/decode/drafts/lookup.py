"""Drafts copied from texts that were given beforehand."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from outlines_cont.decode.drafts.evidence import Repeats, worthy_length
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.vocabulary import Vocabulary

if TYPE_CHECKING:
    from outlines_cont.decode.drafts.protocol import DraftRow

Ids = tuple[int, ...]
FARTHEST = 64  # tokens before a place that are compared with those of the row
MOST_PLACES = 256  # of a gram; later ones are left out


@dataclass(frozen=True)
class Lookup:
    """Proposes what follows in one of some texts; see `lookup`."""

    texts: tuple[str | Ids, ...]
    k: int
    n: int
    _indices: WeakKeyDictionary[Vocabulary, TextIndex] = field(
        init=False, repr=False, compare=False, default_factory=WeakKeyDictionary
    )

    def begin(self, model: LanguageModel) -> LookupDraft:
        """The draft of one generation of a model. The index of the texts is made once for each vocabulary.

        ValueError: token ids that the model does not have.
        """
        index = self._indices.get(model.vocabulary)
        if index is None:
            ids = [tuple(model.encoder.append(text)) if isinstance(text, str) else text for text in self.texts]
            _check(ids, model.vocabulary)
            index = self._indices[model.vocabulary] = TextIndex(ids, self.n)
        return LookupDraft(index, self.k)

    def __reduce__(self) -> Any:
        return Lookup, (self.texts, self.k, self.n)


def _check(texts: Sequence[Ids], vocabulary: Vocabulary) -> None:
    outside = sorted({token for ids in texts for token in ids if not 0 <= token < len(vocabulary)})
    if outside:
        raise ValueError(
            f"lookup(texts): the token ids {outside[:5]} lie outside the model's vocabulary of {len(vocabulary)} tokens"
        )


class LookupDraft:
    """What `Lookup` proposes for the rows of one generation.

    It sees of each token of a row whether it was the one that it would have proposed, so it knows by itself how much is
    worth proposing.
    """

    paces_itself = True

    def __init__(self, index: TextIndex, k: int):
        self._index, self.k = index, k
        self._seen: dict[Ids, tuple[Ids, Repeats]] = {}  # of each row: its tokens, when it was seen last

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        proposals: list[list[Ids]] = []
        for row in rows:
            repeats = self._followed(row)
            agreeing, continuation = self._index.after(row.ids, self.k)
            size = worthy_length(repeats.share((agreeing, "once"))) if agreeing else 0
            proposals.append([continuation[:size]] if size else [])
        return proposals

    def _followed(self, row: DraftRow) -> Repeats:
        """How often the texts were right about a row, its new tokens included."""
        ids, repeats = self._seen.get(row.key, (row.ids, Repeats()))
        if row.ids[: len(ids)] == ids:
            for at in range(len(ids), len(row.ids)):
                agreeing, continuation = self._index.after(row.ids[:at], 1)
                if agreeing:
                    repeats.note((agreeing, "once"), continuation[0] == row.ids[at])
        self._seen[row.key] = row.ids, repeats
        return repeats


class TextIndex:
    """Where each gram of up to n tokens stands in some texts: the first places of it.

    >>> from outlines_cont.decode.drafts.lookup import TextIndex
    >>> index = TextIndex([(1, 2, 3, 4), (9, 2, 3, 5)], n=2)
    >>> index.after((7, 2, 3), 2), index.after((9, 2, 3), 2), index.after((3, 7), 2)
    ((2, (4,)), (3, (5,)), (0, ()))
    """

    def __init__(self, texts: Sequence[Ids], n: int):
        self.n = n
        self.ids: list[int] = []  # all texts
        self.ends = array("q")  # for each token, where its text ends
        self._places: dict[Ids, array[int]] = {}  # the ends of each gram, but for those at the end of a text
        for ids in texts:
            start = len(self.ids)
            self.ids += ids
            self.ends.extend([len(self.ids)] * len(ids))
            for end in range(1, len(ids)):
                for size in range(1, min(n, end) + 1):
                    places = self._places.setdefault(tuple(ids[end - size : end]), array("q"))
                    if len(places) < MOST_PLACES:
                        places.append(start + end)

    def after(self, row: Ids, count: int) -> tuple[int, Ids]:
        """What follows in the texts, at the place before which most tokens are the last ones of the row (of equal
        places at the first), and how many these are. `(0, ())` where none is."""
        for size in range(min(self.n, len(row)), 0, -1):
            if places := self._places.get(row[-size:]):
                most, place = max((self._agreeing(row, place), -place) for place in places)
                return most, tuple(self.ids[-place : min(count - place, self.ends[-place])])
        return 0, ()

    def _agreeing(self, row: Ids, place: int) -> int:
        """How many tokens before a place are the last ones of a row, those of its text only and not beyond FARTHEST."""
        last = self.ends[place]
        pairs: Iterator[tuple[int, int]] = zip(reversed(row[-FARTHEST:]), range(place - 1, -1, -1), strict=False)
        count = 0
        for token, at in pairs:
            if self.ids[at] != token or self.ends[at] != last:
                break
            count += 1
        return count
