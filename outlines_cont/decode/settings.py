"""What the hypotheses of a span share, and where a span stands between two tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from outlines_cont.arguments import brief
from outlines_cont.decode.canonical import REOPENED, Seam
from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.where import Where
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Segment


class Limits(NamedTuple):
    """What ends a span beside its constraint: how many tokens it may have, how long its row may be (None: any number),
    and strings."""

    max_tokens: int | None = None
    context_length: int | None = None
    stop_bytes: tuple[bytes, ...] = ()


class GoingBack(NamedTuple):
    """How far a span may be sent back.

    retries: how often without growing; horizon: how many of its last tokens may be taken back (None: all); revised:
    whether hooks or a controller may do that.
    """

    retries: int = 100
    horizon: int | None = None
    revised: bool = False


class Inspection(NamedTuple):
    """Who looks at the draws of a span. `any(inspection)` says whether anybody does.

    hooks: functions that are asked about each draw, in order; where: the predicate of its text; candidates: how many of
    the likeliest candidates of each draw are kept; alternatives: how many of the model's likeliest tokens at each
    position; entropies: whether that of each draw's law is kept.
    """

    hooks: tuple[Callable[[Any], Any], ...] = ()
    where: Where | None = None
    candidates: int = 0
    alternatives: int = 0
    entropies: bool = False

    @property
    def keeps_law(self) -> bool:
        """Whether something of the law of each draw is kept."""
        return self.candidates > 0 or self.entropies

    @property
    def shows_law(self) -> bool:
        """Whether somebody looks at the law of each draw, all but alternatives."""
        return bool(self.hooks or self.where or self.keeps_law)


class ChainPlace(NamedTuple):
    """Where a span stands in its chain.

    link: how many spans the chain has written before it in the row; None: it is the only one; place: rows of one search
    that stand further behind go first.
    given_text: what comes after the span and is not scored; text_ids, text: its tokens, and what these read.
    next: and then this span, or, of a function of the chain, the span that its answer says.
    """

    link: int | None = None
    place: tuple[int, ...] = ()
    given_text: str = ""
    text_ids: tuple[int, ...] = ()
    text: str = ""
    next: SpanSettings | ChainFunction | None = None

    def followed_by(self, text: str, encoder: Encoder) -> ChainPlace:
        """The place with a text after its span: `text` is what its tokens read, which may differ from `given_text`."""
        ids = tuple(encoder.append(text))
        return self._replace(given_text=text, text_ids=ids, text=encoder.vocabulary.decode(ids).decode())

    @property
    def goes_on(self) -> bool:
        """Whether something comes after the span."""
        return self.next is not None or bool(self.text)


class Noted(NamedTuple):
    """What the row notes of a span beside what is drawn in this call.

    combined: whether some of its tokens were drawn from a combined law, in an earlier call; chosen_by: the sampler, as
    users write it, if that takes the best candidates and draws none; or that of the earlier call. mass: see `Origin`.
    seed: of all random choices; None where none is made.
    """

    combined: bool = False
    chosen_by: str | None = None
    mass: float | None = None
    seed: int | None = None


NO_LIMITS, NOT_INSPECTED, FREE_TO_GO_BACK = Limits(), Inspection(), GoingBack()
ALONE, NOTHING_NOTED = ChainPlace(), Noted()


@dataclass(frozen=True)
class SpanSettings:
    """What all hypotheses that write one span share: a generator call, or one link of a chain.

    appends_runs: whether forced runs are appended without a draw; seam: which tokens of the text before the span are
    taken back; healed: their bytes, with which the span begins.
    draft: what proposes how its rows go on.
    ranked_from: of rows that are compared by the law that is combined of several contexts', what they had of it before
    the span; None: they are compared by the model's own law.
    """

    constraint: Constraint
    encoder: Encoder
    sampler: Any
    name: str | None = None
    limits: Limits = NO_LIMITS
    appends_runs: bool = False
    seam: Seam = "keep"
    healed: bytes = b""
    chain: ChainPlace = ALONE
    inspection: Inspection = NOT_INSPECTED
    going_back: GoingBack = FREE_TO_GO_BACK
    noted: Noted = NOTHING_NOTED
    draft: Any = field(default=None, compare=False)  # changes nothing of what is written
    ranked_from: float | None = None

    __repr__ = brief

    @property
    def seed(self) -> int:
        return self.noted.seed or 0

    @property
    def links(self) -> Iterator[SpanSettings | ChainFunction]:
        """These settings, and then those of the later links of the chain, up to the first function."""
        link: SpanSettings | ChainFunction | None = self
        while link is not None:
            yield link
            link = link.chain.next if isinstance(link, SpanSettings) else None

    @property
    def drops_rows(self) -> bool:
        """Whether its samples are one search now or later in the chain, so that rows that others have seen may go."""
        return any(not isinstance(link, SpanSettings) or link.compares_rows for link in self.links)

    @property
    def compares_rows(self) -> bool:
        """Whether its sampler or its controller looks at several rows at once."""
        return self.sampler.joint or self.constraint.together

    def has_room_for(self, row: Row) -> bool:
        """Whether the context has room for a row, and for what stands beside it."""
        longest = self.within(row).limits.context_length
        return longest is None or len(row) <= longest

    def within(self, row: Row) -> SpanSettings:
        """The settings for a span after this row, with the shortest context length of it and the contexts beside it."""
        longest = self.limits.context_length
        if row.beside is None or (least := row.beside.context_length(longest)) == longest:
            return self
        return replace(self, limits=self.limits._replace(context_length=least))

    def passes(self, finished: Finished | None) -> bool:
        """Whether a span that ended like this is as it should be, so that its chain goes on; a text may be cut."""
        return self.constraint.is_value(finished)

    def text_after(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The text that comes after its span, as it is spelled after a row of these tokens."""
        text = self.chain.given_text
        at_start = ids == self.encoder.prefix and bool(text)
        return text_after(self.encoder, text, ids) if at_start else self.chain.text_ids

    def reach(self, room: float) -> float:
        """At most how many more tokens a row with so much room may get in its span."""
        return room + (self.seam != "keep") * REOPENED  # what is healed is generated once more, not charged


def text_after(encoder: Encoder, text: str, ids: tuple[int, ...]) -> tuple[int, ...]:
    """The ids of a text that comes after a row of these tokens."""
    return tuple(encoder.append(text, at_start=bool(text) and ids == encoder.prefix))


class Answer(NamedTuple):
    """What a row goes on with: texts, as tokens, and then a span; None: there it ends."""

    texts: tuple[tuple[int, ...], ...] = ()
    next: SpanSettings | None = None


@dataclass(frozen=True, eq=False)
class ChainFunction:
    """A function in a chain: `answer` says of a row what it goes on with; its texts are tokens of this encoder."""

    answer: Callable[[Row], Answer]
    encoder: Encoder


class Turn(NamedTuple):
    """What a row that waits at a border of its chain goes on with.

    Attributes:
        settings: those of its next span.
        start: makes its hypotheses there, of the row and the hypothesis that waits.
        midway: whether the row has a part of that span already.
    """

    settings: SpanSettings
    start: Callable[[Row, Any], tuple[Any, ...]]
    midway: bool = False


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
