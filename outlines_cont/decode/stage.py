"""A stage of a generation: what one sampler writes after each row, and the hypotheses that it begins with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.same_text import beginning
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.status import ELSEWHERE, FAILING
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row


class Stage(NamedTuple):
    """What one sampler writes after each row: a span, or links of a chain.

    Attributes:
        start: gives the hypotheses that a row begins with, after the one that wrote it a moment ago.
        settings: of a row that does not go on.
        stands_here: whether a row ends in a span of this stage, so that its samples go on where they were interrupted;
            others stand elsewhere in their chain. None: all rows begin here.
    """

    sampler: Sampler
    settings: SpanSettings
    start: Callable[[Row, Hypothesis | None], tuple[Hypothesis, ...]]
    stands_here: Callable[[Row], bool] | None = None

    def begin(self, group: Sequence[tuple[Row, Hypothesis | None]]) -> tuple[Hypothesis, ...]:
        """One batch row's hypotheses: of as many rows as the sampler wants, if there is anything to do here."""
        rows = [row for row, _ in group]
        if self.sampler.joint and (failed := self._failed_before(rows)):
            return failed
        if self.stands_here is None:
            placed = self.sampler.widen(rows)
            return self._started([h for place, row in placed for h in self._begun(row, group[place][1])])
        begun: dict[int, tuple[Hypothesis, ...]] = {}
        for place, (row, before) in enumerate(group):
            hypotheses = self._begun(row, before)
            if hypotheses and hypotheses[0].status.failing:
                if self.sampler.joint:
                    return hypotheses
                rows[place] = hypotheses[0].row
            begun[id(rows[place])] = hypotheses
        return self._resumed(group, rows, begun)

    def _failed_before(self, rows: Sequence[Row]) -> tuple[Hypothesis, ...]:
        """Of a search: what stands in its place, if its prompt has failed, or all of it; else nothing."""
        failed = [row for row in rows if isinstance(row, FailedRow)]
        if not any(not row.told for row in failed) and not all(row.dead for row in rows):
            return ()
        kept = [Hypothesis.keep(self.settings, row) for row in failed]
        return tuple(h if row.told else h.changed(status=FAILING) for h, row in zip(kept, failed, strict=True))

    def _resumed(
        self,
        group: Sequence[tuple[Row, Hypothesis | None]],
        rows: list[Row],
        begun: dict[int, tuple[Hypothesis, ...]],
    ) -> tuple[Hypothesis, ...]:
        """The samples go on where each stands. begun: what each row begins with here, by its identity."""
        if begun and all(h.status.kept for hypotheses in begun.values() for h in hypotheses):
            kept = (h for row in rows for h in begun[id(row)])
            return tuple(h if h.status.failing else h.changed(status=ELSEWHERE) for h in kept)
        placed = self._widened(rows, begun)
        started = [h for place, row in placed for h in begun.get(id(row)) or self._begun(row, group[place][1])]
        return self._started(started)

    def _started(self, group: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        return self.sampler.begun(tuple(_with_histories(group) if self.sampler.joint else group))

    def _begun(self, row: Row, before: Hypothesis | None) -> tuple[Hypothesis, ...]:
        if row.dead:
            return (Hypothesis.keep(self.settings, row),)
        try:
            return self.start(row, before)
        except Exception as error:
            return failing_row(self.settings, row, error)

    def _widened(self, rows: list[Row], begun: dict[int, tuple[Hypothesis, ...]]) -> list[tuple[int, Row]]:
        """The rows that the sampler wants, with the place of the one that each comes from."""
        stands_here = self.stands_here
        if stands_here is None or not any(stands_here(row) for row in rows if not row.dead):
            return self.sampler.widen(rows)
        return self.sampler.resumed(rows, [all(h.status.finished for h in begun[id(row)]) for row in rows])


def _with_histories(group: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
    """One batch row's hypotheses, which know what text they are: the row that their search began from, by a number, and
    what the search has written since. Those that `resume` goes on with may stand in any link."""
    numbers: dict[Hashable, int] = {}
    for h in group:
        settings, tokens = h.settings, h.encoder.vocabulary.tokens
        spans = settings.link - settings.first_link + h.status.whole
        start, texts = beginning(h.row, settings.first_link, spans, tokens)
        yield h.changed(history=(numbers.setdefault(start, len(numbers)), *texts))
