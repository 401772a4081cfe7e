"""A stage of a generation: what one sampler writes after the rows of a batch row, until all of them have come to the
next border of their chain.

At a border each row is a hypothesis that has ended, and whose status says how it goes on (`onward`). Rows that are
compared begin a span together: those that stand furthest behind in the chain first, and the others wait, ahead of
them. Rows that are drawn one by one go on wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.same_text import beginning
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import SpanSettings, Turn
from outlines_cont.decode.status import ELSEWHERE, FAILING, KEPT, OUT
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.random_keys import rekeyed
from outlines_cont.state.row import DEAD, Row

Group = tuple[Hypothesis, ...]  # of one batch row
Standing = Callable[[Row], Hypothesis]  # a row as it stands where a call begins


def sampler_of(group: Sequence[Hypothesis]) -> Sampler:
    """What draws the rows of a batch row."""
    writing = next((h for h in group if not h.status.elsewhere), group[0])
    return writing.settings.sampler


def standing(settings: SpanSettings, row: Row, turn: Turn | None) -> Hypothesis:
    """A row at a border of its chain, after a span of these settings: it waits for its turn, if it has one."""
    h = Hypothesis.keep(settings, row)
    return h if turn is None else h.changed(status=replace(ELSEWHERE, onward=turn))


def standing_rows(rows: Sequence[Row], settings: SpanSettings, place: Standing) -> Group:
    """A batch row where a call begins. If one of its rows fails there, or has failed, so do those it is compared with.

    settings: of rows that do not go on.
    """
    group: list[Hypothesis] = []
    for row in rows:
        if row.dead:
            group.append(Hypothesis.keep(settings, row))
            continue
        try:
            group.append(place(row))
        except Exception as error:
            group += failing_row(settings, row, error)
    if not any(h.settings.compares_rows for h in group):
        return tuple(group)
    failed = [h for h in group if isinstance(h.row, FailedRow) and not h.row.told]
    if failed:
        return tuple(h.changed(status=FAILING) for h in failed)
    return tuple(group)


def waits(group: Group) -> bool:
    """Whether a batch row stands at a border, and goes on."""
    return all(h.status.elsewhere for h in group) and any(h.status.onward for h in group)


def at_border(group: Group, taken: Iterable[Row]) -> Group | None:
    """A batch row whose rows have all ended, at the border: each waits for its turn, if it goes on. None where nothing
    comes after the spans.

    taken: the rows beside it, whose random numbers its rows do not share.
    """
    if any(h.status.failing for h in group) or not any(map(_has_border, group)):
        return None
    ended = (h.end_now("interrupted") for h in sampler_of(group).collect(group))
    passed = [x for h in ended for x in h.past_border()]
    _, rows = rekeyed([list(taken), [h.row for h in passed]])
    return tuple(
        (h if h.row is row else h.with_row(row)).changed(
            status=OUT if h.status is OUT else replace(ELSEWHERE, onward=h.status.onward)
        )
        for h, row in zip(passed, rows, strict=True)
    )


def _has_border(h: Hypothesis) -> bool:
    """Whether something comes after what it has written."""
    if h.status.onward is not None:
        return not h.status.elsewhere
    return not h.status.whole and h.settings.goes_on and h.settings.passes(h.status.finished)


def next_stage(group: Group, seed: int, samples: int | None) -> Group | None:
    """The hypotheses of a batch row that waits at a border, in its next stage.

    samples: how many rows each batch row has, now that all have come to a border; None before: then this gives None if
    the sampler has to know it.
    """
    turns = [h.status.onward for h in group if h.status.onward]
    first = min((turn.settings for turn in turns), key=lambda settings: settings.place)
    sampler: Sampler = first.sampler
    beside = [turn.settings for turn in turns if turn.settings.place == first.place]
    compared = any(settings.compares_rows for settings in beside)
    others = [settings.sampler for settings in beside if settings.sampler != sampler]
    if compared and others:
        raise ValueError(
            f"the samples of a prompt are to go on under {sampler!r} and under {others[0]!r}, and are compared with "
            "each other: a function in a chain gives them steps of one sampler"
        )
    if samples is None and not sampler.takes_fewer and sampler.samples not in (1, len(group)):
        return None

    def here(h: Hypothesis) -> bool:
        """Whether its next span is written in this stage."""
        turn = h.status.onward
        if turn is None or turn.settings.sampler != sampler:
            return False
        return turn.settings.place == first.place if compared else not turn.settings.compares_rows

    midway = any(h.status.onward.midway for h in group if h.status.onward and here(h))

    def competes(h: Hypothesis) -> bool:
        """Whether it has ended in this stage already, and is compared with those that have not."""
        return compared and midway and h.settings.place == first.place and not (h.row.dead or h.cut_short or here(h))

    if sampler.takes_fewer:
        taking = [h for h in group if here(h) or competes(h)]
    else:
        taking = [*group, *[Hypothesis.keep(first, DEAD)] * ((samples or 0) - len(group))]
    rows = [h.row for h in taking]
    placed = sampler.resumed(rows, [not here(h) for h in taking]) if midway else sampler.widen(rows)
    stage = [h for h in group if sampler.takes_fewer and not (here(h) or competes(h))]
    for place, row in placed:
        h = taking[place]
        if here(h):
            stage += _begun(h, row)
        elif competes(h):
            stage.append(h.with_row(row).changed(status=replace(KEPT["stop"], onward=h.status.onward)))
        else:
            stage.append(h)
    if sampler.joint:
        stage = list(_with_histories(stage))
    return sampler.begun(tuple(stage), seed)


def _begun(h: Hypothesis, row: Row) -> Group:
    """What a row that waits begins with, now that it is its turn."""
    turn = h.status.onward
    assert turn is not None
    try:
        return turn.start(row, h if h.row is row else h.with_row(row))
    except Exception as error:
        return failing_row(turn.settings, row, error)


def _with_histories(group: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
    """One batch row's hypotheses, which know what text they are: the row that their search began from, by a number, and
    the span of those that have ended in it."""
    numbers: dict[Hashable, int] = {}
    for h in group:
        start, texts = beginning(h.row, h.status.whole, h.encoder.vocabulary.tokens)
        yield h.changed(history=(numbers.setdefault(start, len(numbers)), *texts))
