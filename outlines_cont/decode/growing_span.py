"""The span that is being written after a row: its tokens, their scores, and where they lead in the constraint.

`longer` goes forward, `back` goes back. Both give a new span and leave this one as it is.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from math import fsum, inf
from typing import Any, Self

from outlines_cont.decode.canonical import LOOKBACK
from outlines_cont.decode.settings import Cursor, SpanSettings, TooManyRetries, Trail
from outlines_cont.decode.status import UNREAD, Status
from outlines_cont.engines.encoding import Encoder
from outlines_cont.fsm import guide as guides
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.random_keys import copied
from outlines_cont.state.resampling import Resampling
from outlines_cont.state.row import Row, score
from outlines_cont.state.spans import SpanStop


@dataclass(frozen=True, eq=False)
class GrowingSpan:
    """A row, the tokens of the span after it, and what is to become of them.

    Attributes:
        row: what stands before the span.
        at: where the constraint and the controller stand after the span's tokens.
        ids, logprobs, proposals, text: the span's tokens, their two log-probabilities, and their bytes.
        trail: the cursors from which the tokens were drawn, the last one first.
        spent: how many of its tokens count for max_tokens.
        weight: Σ log-probabilities of all that the row and the span generated, stops included.
        generated: how many tokens the row and the span generated.
        claim: on the keys and values of its first tokens in the KV tree.
        parent, fed: which pending row of the frontier before it continues, and how many tokens of that are its own.
        unscored: so many of its last tokens were given, not drawn, and still have to be scored.
        status: what it waits for, or how it ended.
        stop: the decision that ended it.
        tries: place in the span → how many draws were given up there.
        edited: a hook declined a draw here, so that nobody can tell the law of the next one.
        banned: what a hook does not let it draw next.
        retries: how often it was sent back since it was `furthest` tokens long.
    """

    settings: SpanSettings
    row: Row
    at: Cursor
    ids: tuple[int, ...] = ()
    logprobs: tuple[float | None, ...] = ()
    proposals: tuple[float | None, ...] = ()
    text: bytes = b""
    trail: Trail = field(default=None, repr=False)
    spent: int = 0
    weight: float = 0.0
    generated: int = 0
    claim: Claim | None = field(default=None, repr=False)
    parent: int | None = None
    fed: int = 0
    unscored: int = 0
    status: Status = UNREAD
    stop: SpanStop | None = None
    tries: Mapping[int, int] = field(default_factory=dict)
    edited: bool = False
    banned: frozenset[int] = frozenset()
    retries: int = 0
    furthest: int = 0

    def changed(self, **changes: Any) -> Self:
        """`dataclasses.replace` in a third of its time: every token of every row comes by here."""
        changed = object.__new__(self.__class__)
        changed.__dict__.update(self.__dict__)
        changed.__dict__.update(changes)
        return changed

    # --- what it is now

    @property
    def encoder(self) -> Encoder:
        return self.settings.encoder

    @property
    def lineage(self) -> tuple[int, ...]:
        return self.row.lineage

    @property
    def memory(self) -> Any:
        """What its controller gave it to remember."""
        return self.at.memory

    @property
    def labels(self) -> tuple[tuple[str, int, int], ...]:
        return self.at.labels

    @property
    def position(self) -> int:
        """Where the next token will stand."""
        return len(self.row.ids) + len(self.ids)

    @property
    def tail(self) -> tuple[int, ...]:
        """The last tokens of row and span: enough to see how the tokenizer would go on."""
        return (*self.row.ids[-LOOKBACK:], *self.ids[-LOOKBACK:])[-LOOKBACK:]

    @property
    def value(self) -> bytes:
        """The span's text, without what healing took back from the row."""
        healed = len(self.settings.healed)
        return self.text[healed:] if healed else self.text

    @property
    def dropped(self) -> tuple[int, ...]:
        """The tokens of a stop string that were taken out of the row."""
        return (self.stop and self.stop.dropped) or ()

    @property
    def controlled(self) -> bool:
        """Whether a controller says what comes next."""
        return self.settings.constraint.controller is not None and self.at.freed is None

    @property
    def attempt(self) -> int:
        """How many draws were made at its position before."""
        here = len(self.ids)
        segments = sum(segment.end == here for segment in self.at.segments) if self.at.segments else 0
        return self.row.attempts(self.position) + segments + self.tries.get(here, 0)

    @property
    def score(self) -> float:
        return score(self.weight, self.generated, self.settings.length_penalty)

    def score_with(self, logprob: float) -> float:
        """The score after one more token."""
        return score(self.weight + logprob, self.generated + 1, self.settings.length_penalty)

    @property
    def bound(self) -> float:
        """The best score still to be reached: weights only fall; a penalty helps the longest, a bonus the shortest."""
        longest = self.generated + self.settings.reach(self.position, self.spent)
        if self.settings.length_penalty > 0:
            return score(self.weight, longest, self.settings.length_penalty) if longest < inf else 0.0
        return self.score

    # --- forward

    def longer(
        self, ids: Sequence[int], logprobs: Sequence[float], proposals: Sequence[float], unscored: int = 0
    ) -> Self:
        """With more tokens, which its guide allows; the last ones may be unscored."""
        at, trail, guide = self.at, self.trail, self.at.guide
        for token in ids:
            state = guide.advance(at.state, token)
            assert state is not None, f"token {token} was drawn against the constraint"
            trail = (at, trail)
            at = Cursor(guide, state, at.memory, at.labels, at.segments, at.begin, at.freed)
        tokens = self.settings.encoder.vocabulary.tokens
        return self.changed(
            at=at,
            trail=trail,
            ids=(*self.ids, *ids),
            logprobs=(*self.logprobs, *logprobs),
            proposals=(*self.proposals, *proposals),
            text=self.text + (tokens[ids[0]] if len(ids) == 1 else b"".join([tokens[token] for token in ids])),
            spent=self.spent + (self._charged(len(self.text), ids) if self.settings.healed else len(ids)),
            weight=self.weight + sum(logprobs),
            generated=self.generated + len(ids),
            unscored=self.unscored + unscored,
            status=UNREAD if self.status.ready else self.status,
        )

    def freed(self, token: int, logprob: float, proposal: float) -> Self:
        """One token further, whether its constraint allows it or not; from there on the span is text."""
        if len(self.text) < len(self.settings.healed):
            raise ValueError(f"Replace({token}, unconstrained=True) before {self.settings.healed!r} is healed")
        guide = guides.text(self.settings.encoder.vocabulary)
        freed = len(self.ids) if self.at.freed is None else self.at.freed
        free = self.changed(at=self.at._replace(guide=guide, state=guide.initial, freed=freed))
        longer = free.longer((token,), (logprob,), (proposal,))
        return longer.changed(trail=(self.at, self.trail), edited=False, banned=frozenset())

    def _charged(self, begin: int, ids: Sequence[int]) -> int:
        """How many of these tokens count for max_tokens, `begin` bytes after the span's beginning: not what heals."""
        tokens, healed = self.settings.encoder.vocabulary.tokens, len(self.settings.healed)
        ends = accumulate((len(tokens[token]) for token in ids), initial=begin)
        return sum(end > healed for end in islice(ends, 1, None))

    # --- back

    def back(self, n: int, drawn: bool = False, segments: int | None = None) -> Self:
        """Without its last n tokens: constraint, keys and values, scores and text go back to where they were drawn.

        drawn: another draw, after them, is given up with them; segments: how many segments are left, of those that
        end there (None: all).
        """
        n = self._checked_count(n)
        count = len(self.ids) - n
        sent_back = self.sent_back()
        if self.settings.horizon is not None and count < sent_back.furthest - self.settings.horizon:
            raise TooManyRetries(
                f"to go back {n} tokens: the text before the last {self.settings.horizon} was given out already "
                "(horizon)"
            )
        at, trail = walked_back(self.at, self.trail, n)
        at = at._replace(segments=at.segments[:segments])
        tokens, gone = self.settings.encoder.vocabulary.tokens, self.ids[count:]
        size = len(self.text) - sum(len(tokens[token]) for token in gone)
        logprobs = self.logprobs[:count]
        drawn_logprobs = [value for value in logprobs if value is not None]
        return sent_back.changed(
            row=self.row.sealed(len(self.row) + count),
            at=at,
            trail=trail,
            ids=self.ids[:count],
            logprobs=logprobs,
            proposals=self.proposals[:count],
            text=self.text[:size],
            weight=fsum([self.row.weight, *drawn_logprobs, *(segment.stop.logprob for segment in at.segments)]),
            generated=self.row.generated + len(drawn_logprobs),
            spent=self.spent - self._charged(size, gone),
            unscored=max(0, self.unscored - n),
            claim=self.claim and self.claim.crop(len(self.row) + count),
            fed=min(self.fed, len(self.row) + count),
            status=UNREAD if n and self.status.ready else self.status,
            tries=self._tries_given_up(count, len(self.ids) + drawn, len(at.segments)),
        )

    def _checked_count(self, n: int) -> int:
        """How many tokens to go back: an int, and no more than the span has."""
        if isinstance(n, bool) or not hasattr(n, "__index__") or (n := operator.index(n)) < 0:
            raise ValueError(f"to go back {n!r} tokens: it must be an int ≥ 0")
        if n > len(self.ids):
            raise ValueError(f"to go back {n} tokens: the span has only {len(self.ids)} so far")
        if n == self.position:
            raise ValueError(f"to go back {n} tokens: nothing of the row is left to go on from")
        return n

    def _tries_given_up(self, begin: int, end: int, segments: int) -> dict[int, int]:
        """`tries`, with the draws at the places begin … end − 1 given up, and all segments but the first ones."""
        tries = dict(self.tries)
        for place in range(begin, end):
            tries[place] = tries.get(place, 0) + 1
        for segment in self.at.segments[segments:]:
            tries[segment.end] = tries.get(segment.end, 0) + 1
        return tries

    def declined(self) -> Self:
        """What was drawn next is given up: it draws anew, at the same place, by a law that nobody can tell."""
        here = len(self.ids)
        tries = {**self.tries, here: self.tries.get(here, 0) + 1}
        return self.sent_back().changed(tries=tries, edited=True)

    def sent_back(self) -> Self:
        """The same, counted as a retry. TooManyRetries if it was sent back too often without getting longer."""
        limit = self.settings.retries
        furthest = max(self.furthest, len(self.ids))
        retries = self.retries + 1 if len(self.ids) <= self.furthest else 1
        if retries > limit:
            raise TooManyRetries(
                f"a row was sent back, or given branches that add nothing, {limit} times (retries), "
                f"and is no longer than {furthest} tokens"
            )
        return self.changed(retries=retries, furthest=furthest)

    # --- among particles

    def resampled(self, mark: Resampling, copy: int) -> Self:
        """Drawn among the particles, as this copy of it."""
        row = copied(self.row, copy)
        return self.changed(row=replace(row, resamplings=(*row.resamplings, mark)))


def walked_back(at: Cursor, trail: Trail, steps: int) -> tuple[Cursor, Trail]:
    """The cursor so many tokens before, and the trail that leads to it."""
    for _ in range(steps):
        assert trail is not None
        at, trail = trail
    return at, trail
