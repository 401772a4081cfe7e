"""What the hypotheses of a span share, and where a span stands between two tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from outlines_cont.decode.canonical import REOPENED
from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.where import Where
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.spans import Finished, Segment


@dataclass(frozen=True)
class SpanSettings:
    """What all hypotheses that write one span share: a generator call, or one link of a chain.

    forced: whether what the constraint leaves no choice about is appended without drawing it; retries: how often a row
    may be sent back without growing; revised: whether hooks or a controller may do that; horizon: how many of its last
    tokens may be taken back (None: all); heals: whether a token may cross from the text before it; healed: the bytes
    with which the span begins that stood there.
    hooks: functions that are asked about its draws, in order.
    draft: what proposes how its rows go on.
    where: the predicate of its text.
    top: how many of the likeliest candidates of each draw are kept.
    alternatives: how many of the model's likeliest tokens are kept at each position.
    ranks_by_logprobs: as of its sampler: then rows with contexts beside them are compared by the combined law.
    combined: whether some of its tokens were drawn from a combined law, in an earlier call.
    chosen_by: the sampler, as users write it, if that takes the best candidates and draws none; or that of before.
    link: its place in the chain; first_link: that of the link with which its sampler begins in the chain.
    given_text: what comes after its span and is not scored, text_ids, text: its tokens, and what these read; next: and
    then this one.
    """

    constraint: Constraint
    encoder: Encoder
    name: str | None
    length_penalty: float
    max_tokens: int | None
    context_length: int | None
    stop_bytes: tuple[bytes, ...] = ()
    forced: bool = False
    retries: int = 100
    horizon: int | None = None
    revised: bool = False
    heals: bool = False
    healed: bytes = b""
    link: int = 0
    first_link: int = 0
    given_text: str = ""
    text_ids: tuple[int, ...] = ()
    text: str = ""
    next: SpanSettings | None = None
    hooks: tuple[Callable[[Any], Any], ...] = ()
    top: int = 0
    alternatives: int = 0
    draft: Any = field(default=None, compare=False)  # changes nothing of what is written
    where: Where | None = None
    ranks_by_logprobs: bool = False
    combined: bool = False
    chosen_by: str | None = None

    def followed_by(self, text: str) -> SpanSettings:
        """The same, with a text after its span. The tokenizer may change it: it reads as its tokens do."""
        ids = tuple(self.encoder.append(text))
        return replace(self, given_text=text, text_ids=ids, text=self.encoder.vocabulary.decode(ids).decode())

    @property
    def drops_rows(self) -> bool:
        """Whether a controller of its chain may drop rows that others have seen."""
        return self.constraint.together or (self.next is not None and self.next.drops_rows)

    @property
    def shows_law(self) -> bool:
        """Whether somebody looks at the law of each draw: hooks, notes of candidates, and predicates of the text."""
        return bool(self.hooks or self.top or self.where)

    def passes(self, finished: Finished | None) -> bool:
        """Whether a span that ended like this is as it should be, so that its chain goes on; a text may be cut."""
        return self.constraint.is_value(finished)

    def text_after(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The text that comes after its span, as it is spelled after a row of these tokens."""
        at_start = ids == self.encoder.prefix and bool(self.given_text)
        return tuple(self.encoder.append(self.given_text, at_start=True)) if at_start else self.text_ids

    def room(self, length: int, spent: int) -> float:
        """How many more tokens a row of this length may get."""
        budget = inf if self.max_tokens is None else self.max_tokens - spent
        context = inf if self.context_length is None else self.context_length - length
        return min(budget, context)

    def reach(self, length: int, spent: int) -> float:
        """At most how many more tokens a row of this length may get in all of its chain."""
        context = inf if self.context_length is None else self.context_length - length
        total, settings = -spent, self
        while settings is not None:
            # what is healed is generated once more, and not charged
            total += inf if settings.max_tokens is None else settings.max_tokens + settings.heals * REOPENED
            context += settings.heals * REOPENED
            settings = settings.next
        return min(total, context)


class Followed(NamedTuple):
    """The branch of its controller's last answer that a row follows.

    index: which of them, None before the first; place: how many tokens the span had where the branch begins;
    backtrack: how many tokens it went back to get there; filters: what it changes of the sampler's law.
    """

    index: int | None = None
    place: int = 0
    backtrack: int = 0
    filters: Filters = PLAIN


class Cursor(NamedTuple):
    """Where a span stands between two tokens, but for the tokens: what its constraint and its controller know."""

    guide: FullGuide
    state: GuideState
    memory: Any = None
    labels: tuple[tuple[str, int, int], ...] = ()  # a name, how many tokens there were, and how many segments
    segments: tuple[Segment, ...] = ()
    begin: int = 0  # of the segment that is being written
    freed: int | None = None  # so many tokens were written before the constraint was given up
    followed: Followed = Followed()


Trail = tuple[Cursor, "Trail"] | None  # the points from which the tokens were drawn, the last first
