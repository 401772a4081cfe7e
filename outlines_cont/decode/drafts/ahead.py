"""Where a row would stand after a continuation that nobody has drawn yet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.onward import scored
from outlines_cont.decode.settings import SpanSettings

Ids = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ahead:
    """A row that has the logits after its last token, and a continuation, which its constraint allows.

    Its log-probabilities mean nothing: no logits were looked at.

    Attributes:
        h: the row, with the continuation.
        length: how many tokens it has without the continuation.
        ids: the continuation, and what the constraint forces after it.
        wanted: the positions after which the row wants logits on its way there.
        over: nothing is known of what comes after it: its span ends here, or a controller is asked.
        alone: no controller has a word in what follows, and no choice by sequence: forced runs, stop strings and the
            next links of the chain are known in advance.
    """

    h: Hypothesis
    length: int
    ids: Ids = ()
    wanted: Ids = ()
    over: bool = False
    alone: bool = True
    _after: dict[int, Ahead | None] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, h: Hypothesis) -> Ahead | None:
        """A row that waits for logits. None for one that draws nothing when it has them."""
        if not h.status.drawing:
            return None
        alone = all(
            isinstance(link, SpanSettings) and link.constraint.controller is None and not link.constraint.options
            for link in h.settings.links
        )
        return cls(_ready(h), h.position, alone=alone)

    def after(self, token: int) -> Ahead | None:
        """One more token. None if the constraint does not allow it, or if nothing is known of what follows."""
        if token not in self._after:
            self._after[token] = self._one_further(token)
        return self._after[token]

    def _one_further(self, token: int) -> Ahead | None:
        h, vocabulary = self.h, self.h.encoder.vocabulary
        if self.over or token in vocabulary.eos or token in vocabulary.special or not vocabulary.tokens[token]:
            return None
        try:
            if h.at.guide.advance(h.at.state, token) is None:
                return None
            return self._drawn(token) if self.alone else self._longer(token)
        except Exception:  # of somebody's guide: if the row gets there, its step raises it
            return None

    def _longer(self, token: int) -> Ahead:
        """With a token, as far as its guide knows: what follows of it is for others to say."""
        h, ids = self.h, (*self.ids, token)
        span = h.span.longer((token,), (0.0,), (0.0,))
        wanted = (*self.wanted, self.length + len(self.ids))
        return self._as(h.changed(span=span), ids, wanted, span.guide_ended or span.room <= 0)

    def _drawn(self, token: int) -> Ahead | None:
        """With a token, and all that follows of it."""
        ids = (*self.ids, token)
        [h] = self.h.extend(token, 0.0, 0.0)
        going = h.status.drawing
        if not going and not h.status.ending:
            return self._as(h, ids, self.wanted, True)
        need = h.need(0)
        row = self.length + len(ids)
        continuation = need.tokens[self.length :]
        if continuation[: len(ids)] != ids or need.wanted[0] < row - 1:  # tokens of a stop string, say, are taken back
            return self._as(h, ids, self.wanted, True)
        return self._as(_ready(h) if going else h, continuation, (*self.wanted, *need.wanted), not going)

    def _as(self, h: Hypothesis, ids: Ids, wanted: Ids, over: bool) -> Ahead:
        return Ahead(h, self.length, ids, wanted, over, self.alone)

    @property
    def mask(self) -> np.ndarray:
        """The tokens that may come next, packed."""
        at = self.h.at
        return at.guide.mask(at.state) & at.guide.vocabulary.no_eos


def _ready(h: Hypothesis) -> Hypothesis:
    """As if it had all the logits that it waits for."""
    h = h.read(0, 0, None)
    if h.unscored:
        [h] = scored(h, [0.0] * h.unscored)
    return h


def followed(ahead: Ahead, continuation: Ids) -> tuple[Ahead, int]:
    """As far along a continuation as the constraint and its forced runs go: where that is, and how many tokens agree.

    If fewer than all agree, the continuation is refused there. If all do, a forced run may go on after them.
    """
    for at, token in enumerate(continuation):
        if at < len(ahead.ids):
            if ahead.ids[at] != token:
                return ahead, at
            continue
        longer = ahead.after(token)
        if longer is None:
            return ahead, at
        ahead = longer
    return ahead, len(continuation)
