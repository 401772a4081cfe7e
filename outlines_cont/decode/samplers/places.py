"""Places of a beam search: hypotheses compete for so many texts, and for so many spellings of each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import inf

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.same_text import History, SpanText

LOOKS = 4  # candidates that are looked at for further spellings, for each place


class Places:
    """Room for so many texts, in so many spellings each (None: any number). Who comes first takes it.

    `distinct`: "text", or "tokens" where each hypothesis is a text of its own.
    """

    def __init__(self, texts: int, distinct: str, spellings: int | None):
        self._most, self._spellings = texts, inf if spellings is None else spellings
        self._by_text = distinct == "text"
        self._taken: dict[Hashable, int] = {}
        self._ended: dict[History, float] = {}  # texts that have ended → their scores
        self._open = texts  # texts that have room

    @property
    def lacks_texts(self) -> bool:
        """Whether there is room for another text."""
        return len(self._taken) < self._most

    @property
    def full(self) -> bool:
        """Whether nothing can be taken any more."""
        return self._open <= 0

    def ended(self, h: Hypothesis) -> None:
        """Keep in mind a text that has ended."""
        if self._by_text:
            text = h.same_text
            self._ended[text] = max(h.score, self._ended.get(text, -inf))

    def take(self, h: Hypothesis) -> bool:
        """Whether there is room for a hypothesis that goes on: then it is taken.

        None is needed for what can only become a text that has ended already, with a score that it does not reach; and
        if it may reach that, the text has its place among those that have ended.
        """
        score = self._ended.get(h.only_end or ()) if self._ended else None
        if score is not None and h.bound <= score:
            return False
        key = h.same_text if self._by_text else h
        count = self._taken.get(key, 0)
        if count >= self._spellings or not (count or score is not None or self.lacks_texts):
            return False
        if score is not None and not count:
            self._most, self._open = self._most + 1, self._open + 1
        self._taken[key] = count + 1
        self._open -= count + 1 == self._spellings
        return True


class Spellings:
    """Which candidates are of use once all places for texts are taken: those that end, and those that may be further
    spellings of texts that are there. They are looked for among so many candidates more (None: among all).
    """

    def __init__(self, looks: int | None, group: Iterable[Hypothesis]):
        self._looks = inf if looks is None else looks
        self._texts: dict[History, set[bytes]] = {}  # by the row that stands before them
        for h in group:
            self.add(h)

    def add(self, h: Hypothesis) -> None:
        """A text that is there, whether it goes on or has ended."""
        *before, span = h.same_text
        if isinstance(span, SpanText):
            self._texts.setdefault(tuple(before), set()).add(span.text)

    def look(self) -> bool:
        """Whether one more candidate is looked at."""
        self._looks -= 1
        return self._looks >= 0

    def of_use(self, h: Hypothesis, token: int) -> bool:
        """Whether a hypothesis ends with this token, or may become a spelling of one of the texts."""
        text = h.text + h.encoder.vocabulary.tokens[token]
        if any(other.startswith(text) for other in self._texts.get(h.history, ())):
            return True
        at = h.at
        after = at.guide.advance(at.state, token)
        ids, settings = (*h.span.ids, token), h.settings
        return after is not None and settings.constraint.must_stop(at.guide, after, ids, settings.healed)


def widest(beams: int, spellings: int | None, most: int) -> int:
    """How many of a hypothesis' likeliest tokens are looked at: some end at once, some begin the same text, and both
    leave their place to others. No more than `most` unless there are more beams."""
    return max(2 * beams, min(2 * beams * (spellings or most), most))


def best_of_each(group: Sequence[Hypothesis], keys: Sequence[Hashable]) -> list[Hypothesis]:
    """Of hypotheses with equal keys, the one of largest score."""
    best: dict[Hashable, Hypothesis] = {}
    for h, key in zip(group, keys, strict=True):
        if key not in best or h.score > best[key].score:
            best[key] = h
    return list(best.values())
