"""A growing row as the frontier and the samplers have it: it begins, takes a candidate, and ends."""

from __future__ import annotations

from dataclasses import dataclass

from outlines_cont.arguments import brief
from outlines_cont.decode import onward
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.same_text import History, only_end, text_on_the_way
from outlines_cont.decode.settings import Cursor, SpanSettings
from outlines_cont.decode.span_ends import ended_now, row_of, uncut
from outlines_cont.decode.status import ELSEWHERE, OUT
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished


@dataclass(frozen=True, eq=False)
class Hypothesis(GrowingRow):
    """A growing row that ends, forks, and goes on along its chain."""

    __repr__ = brief

    @classmethod
    def begin(cls, settings: SpanSettings, row: Row, before: GrowingRow | None = None) -> tuple[Hypothesis, ...]:
        """A new span after a row. `before`: what wrote that row's end, a moment ago."""
        return onward.begun(cls, settings, row, before)

    @classmethod
    def keep(cls, settings: SpanSettings, row: Row) -> Hypothesis:
        """A row that is none of this stage."""
        return cls.fresh(settings, row, Cursor(settings.constraint.guide, None), ELSEWHERE)

    def extend(self, candidate: int, logprob: float, proposal: float) -> tuple[Hypothesis, ...]:
        """One candidate further: a token that the constraint allows, or the stop; and all that follows of it."""
        return onward.drawn(self, candidate, logprob, proposal)

    @property
    def same_text(self) -> History:
        """Equal for those that are the same text, in whatever tokens. Those that have ended are none that go on."""
        return self.texts if self.status.finished else (*self.history, text_on_the_way(self.span, self.status.ending))

    @property
    def only_end(self) -> History | None:
        """What it will be when it has ended, if it comes to its end; None if that may be several texts."""
        end = None if self.status.finished or self.status.ending else only_end(self.span)
        return end and (*self.history, end)

    @property
    def cut_short(self) -> bool:
        """Whether it ended before its time: its text is no value, or its chain did not come to the end."""
        cut = self.status.finished == "length"
        return cut and (self.status.elsewhere or not self.span.settings.passes("length"))

    @property
    def is_padding(self) -> bool:
        """Whether it stands for no row at all, neither for one that has died in this call nor for one that failed."""
        return self.row.dead and not self.status.died and not isinstance(self.row, FailedRow)

    def past_border(self) -> tuple[Hypothesis, ...]:
        """A row that has ended, at the border of its chain where others come: what it goes on with stands in its
        status."""
        status, settings = self.status, self.span.settings
        if self.row.dead:
            return (self.keep(settings, self.row),)
        if status.whole:
            return (self,)
        if not settings.passes(status.finished):
            return (self.keep(settings, self.as_row()).after(self).changed(status=OUT),)
        return onward.past(self)

    def end_now(self, how: Finished) -> Hypothesis:
        """End it here if it has not ended: as far as it was drawn, without what was given and is not scored yet."""
        return ended_now(uncut(self), how)

    def as_row(self) -> Row:
        """The row with its new span."""
        return row_of(self)

    @property
    def scored_row(self) -> Row:
        """Its row, up to where all is scored: of one that had its span before, without the text that follows that."""
        row = row_of(ended_now(self, "interrupted"))
        after = 0
        while self.status.kept and after < len(row.pieces) and row.pieces[-1 - after].kind != "generated":
            after += 1
        return row.before(len(row.pieces) - after) if after else row
