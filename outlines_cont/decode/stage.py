"""A stage of a generation: what one sampler writes after the rows of a batch row, until all of them have come to the
next border of their chain.

At a border each row is a hypothesis that has ended, and that says how it goes on (`onward`). Rows that are
compared begin a span together: those that stand furthest behind in the chain first, and the others wait, ahead of
them. Rows that are drawn one by one go on wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from outlines_cont.decode.drawing import sampler_of
from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.same_text import beginning
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import SpanSettings, Turn
from outlines_cont.decode.status import INACTIVE, WHOLE
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.random_keys import rekeyed
from outlines_cont.state.row import DEAD, Row

Group = tuple[Hypothesis, ...]  # of one batch row
Place = tuple[int, ...]  # in a chain
Standing = Callable[[Row], Hypothesis]  # a row as it stands where a call begins


def standing(settings: SpanSettings, row: Row, turn: Turn | None) -> Hypothesis:
    """A row at a border of its chain, after a span of these settings: it waits for its turn, if it has one."""
    return Hypothesis.keep(settings, row).changed(onward=turn)


def dead_sample(settings: SpanSettings, row: Row, index: int) -> Hypothesis:
    """A sample that is dead. What only fills up a grid has no lineage, and dead samples have one: so a call that goes
    on knows how many samples there were."""
    filling = not row.lineage and not isinstance(row, FailedRow)
    return Hypothesis.keep(settings, row.keyed((index,)) if filling else row)


def without_filling(rows: Sequence[Row]) -> Sequence[Row]:
    """The samples of a batch row, without the dead rows that only fill up the grid; all, if there are no others."""
    return [row for row in rows if not row.dead or row.lineage or isinstance(row, FailedRow)] or rows


def standing_rows(rows: Sequence[Row], settings: SpanSettings, place: Standing) -> Group:
    """A batch row where a call begins. If one of its rows fails there, or has failed, so do those it is compared with.

    settings: of rows that do not go on.
    """
    group: list[Hypothesis] = []
    for index, row in enumerate(rows):
        if row.dead:
            group.append(dead_sample(settings, row, index))
            continue
        try:
            group.append((h := place(row)).changed(began=_standing(h)))
        except Exception as error:
            group += failing_row(settings, row, error)
    if not any(h.settings.compares_rows for h in group):
        return tuple(group)
    failed = [h for h in group if isinstance(h.row, FailedRow) and not h.row.told]
    if failed:
        return tuple(h.changed(lost="failing") for h in failed)
    return tuple(group)


def waits(group: Group) -> bool:
    """Whether a batch row stands at a border, and goes on."""
    return all(h.status.inactive for h in group) and any(h.onward for h in group)


def at_border(group: Group) -> Group | None:
    """A batch row whose rows have all ended, at the border: each waits for its turn, if it goes on. None where nothing
    comes after the spans."""
    standing = all(h.status.inactive for h in group)
    if standing or any(h.lost == "failing" for h in group) or not any(map(_goes_on, group)):
        return None
    ended = (h.end_now("interrupted") for h in sampler_of(group).collect(group))
    passed = [x for h in ended for x in h.past_border()]
    [rows] = rekeyed([[h.row for h in passed]])
    return tuple(
        (h if h.row is row else h.with_row(row)).changed(
            status=INACTIVE, end="length" if h.out else "stop", seen=False, lost=None
        )
        for h, row in zip(passed, rows, strict=True)
    )


def _goes_on(h: Hypothesis) -> bool:
    """Whether something comes after what it has written."""
    if h.onward is not None:
        return True
    return not h.status.whole and h.settings.chain.goes_on and h.settings.passes(h.finished)


class BatchRows:
    """All batch rows, as they stand where some of them begin their next stage. What is asked of it is computed once.

    may_collide: whether rows of different batch rows may come to have one lineage.
    """

    def __init__(self, groups: Sequence[Group], may_collide: bool):
        self._groups, self.may_collide = groups, may_collide
        self._samples: dict[tuple[Place, int], int | None] = {}

    def samples(self, place: Place, most: int) -> int | None:
        """How many samples they have at the border before a place in the chain: as many as the one that has the most.
        None if some have not come there.

        most: as many as the sampler makes there; so many had those that are past that border.
        """
        if (place, most) not in self._samples:
            self._samples[place, most] = self._counted((place, False), most)
        return self._samples[place, most]

    def _counted(self, here: tuple[Place, bool], most: int) -> int | None:
        going = (h for group in self._groups for h in group if h.onward or not h.status.ended)
        if any(_standing(h) < here for h in going):
            return None
        return max(_samples_at(here, group, most) for group in self._groups)

    def keyed(self, group: Group) -> Iterator[Hypothesis]:
        """One of them, as in a state of them all, in which no two rows have one lineage."""
        mine = next(b for b, each in enumerate(self._groups) if each is group)
        return (h if h.row is row else h.with_row(row) for h, row in zip(group, self._rekeyed[mine], strict=True))

    @cached_property
    def _rekeyed(self) -> list[list[Row]]:
        return rekeyed([[h.row for h in group] for group in self._groups])


def _samples_at(here: tuple[Place, bool], group: Group, most: int) -> int:
    """How many samples a batch row has, or had, at a border; 0 if an earlier call has brought it past: nobody knows.

    most: so many had those that this call has brought past it.
    """
    live = [h for h in group if not h.row.dead]
    past = [h for h in live if _standing(h) > here]
    if any(h.began <= here for h in past):
        return most
    return 0 if live and len(past) == len(live) else len(group)


def next_stage(group: Group, beside: BatchRows) -> Group | None:
    """The hypotheses of a batch row that waits at a border, in its next stage. None if others have to come to that
    border first: its sampler has to know how many samples there are, or its rows may have the lineages of others.

    beside: all batch rows of its call.
    """
    plan = _NextStage.of(group)
    sampler, place = plan.sampler, plan.settings.chain.place
    if sampler.takes_fewer:
        taking = [h for h in group if plan.takes(h)]
        stage = [h for h in group if not plan.takes(h)]
    else:
        rekeys = beside.may_collide and plan.compared
        samples: int | None = len(group)
        if rekeys or sampler.samples not in (1, samples):
            # after a function each batch row goes its own way (`PlacedPart`)
            samples = samples if len(place) > 1 else beside.samples(place, sampler.samples)
        if samples is None:
            return None
        taking = [*(beside.keyed(group) if rekeys else group)]
        taking += [dead_sample(plan.settings, DEAD, index) for index in range(len(group), samples)]
        stage = []
    for at, row in plan.placed(taking):
        stage += plan.begun(taking[at], row)
    if sampler.joint:
        stage = list(_with_histories(stage))
    return sampler.begun(tuple(stage), plan.settings.seed)


class _NextStage(NamedTuple):
    """Which rows of a batch row are written in its next stage, and by what.

    Attributes:
        settings: of the link that is the next one for the rows that stand furthest behind.
        compared: whether the rows of that link are compared; then those of other links wait.
        midway: whether some of these rows have a part of their span already.
    """

    settings: SpanSettings
    compared: bool
    midway: bool

    @classmethod
    def of(cls, group: Group) -> _NextStage:
        turns = [h.onward for h in group if h.onward]
        settings = min((turn.settings for turn in turns), key=lambda each: each.chain.place)
        beside = [turn.settings for turn in turns if turn.settings.chain.place == settings.chain.place]
        compared = any(each.compares_rows for each in beside)
        others = [each.sampler for each in beside if each.sampler != settings.sampler]
        if compared and others:
            raise ValueError(
                f"the samples of a prompt are to go on under {settings.sampler!r} and under {others[0]!r}, and are "
                "compared with each other: a function in a chain gives them steps of one sampler"
            )
        plan = cls(settings, compared, midway=False)
        return plan._replace(midway=any(turn.midway for turn in turns if plan._is_next(turn)))

    @property
    def sampler(self) -> Sampler:
        return self.settings.sampler

    def _is_next(self, turn: Turn | None) -> bool:
        if turn is None or turn.settings.sampler != self.sampler:
            return False
        return (
            turn.settings.chain.place == self.settings.chain.place if self.compared else not turn.settings.compares_rows
        )

    def _competes(self, h: Hypothesis) -> bool:
        """Whether a row has ended in this stage already, and is compared with those that have not."""
        here = self.compared and self.midway and h.settings.chain.place == self.settings.chain.place
        return here and not (h.row.dead or h.cut_short)

    def takes(self, h: Hypothesis) -> bool:
        """Whether a row is one of those that the sampler has before it."""
        return self._is_next(h.onward) or self._competes(h)

    def placed(self, taking: Sequence[Hypothesis]) -> list[tuple[int, Row]]:
        """The rows from which the samples start, each with its place among those that the sampler takes."""
        rows = [h.row for h in taking]
        if not self.midway:
            return self.sampler.widen(rows)
        return self.sampler.resumed(rows, [not self._is_next(h.onward) for h in taking])

    def begun(self, h: Hypothesis, row: Row) -> Group:
        """What becomes of a row that the sampler takes as this row."""
        if self._is_next(h.onward):
            return _begun(h, row)
        if self._competes(h):
            return (h.with_row(row).changed(status=WHOLE, end="stop"),)
        return (h,)


def _standing(h: Hypothesis) -> tuple[Place, bool]:
    """Where a row stands in its chain: the place of a span, and whether it has begun that."""
    turn = h.onward
    return (h.settings.chain.place, True) if turn is None else (turn.settings.chain.place, turn.midway)


def _begun(h: Hypothesis, row: Row) -> Group:
    """What a row that waits begins with, now that it is its turn."""
    turn = h.onward
    assert turn is not None
    try:
        return tuple(x.changed(began=h.began) for x in turn.start(row, h if h.row is row else h.with_row(row)))
    except Exception as error:
        return failing_row(turn.settings, row, error)


def _with_histories(group: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
    """One batch row's hypotheses, which know what text they are: the row that their search began from, by a number, and
    the span of those that have ended in it."""
    numbers: dict[Hashable, int] = {}
    for h in group:
        start, texts = beginning(h.row, h.status.whole, h.encoder.vocabulary.tokens)
        yield h.changed(history=(numbers.setdefault(start, len(numbers)), *texts))
