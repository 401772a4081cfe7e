"""Where the errors of rows are caught: a row that fails ends there, and all others go on.

What fails for one row are its prompt, its constraint, and the functions that are asked about it: hooks, controllers,
guides. What a sampler or a model raises belongs to no row, and neither does the want of memory: that is raised at once.

Hypotheses that are one search (beams, particles), and rows in lock-step, fail together: without one of them the others
would be another search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outlines_cont.decode.branch import checked_branches
from outlines_cont.decode.growing_span import TooManyRetries
from outlines_cont.decode.hypothesis import Hypothesis, branched
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.status import DRAWING
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.decode.writing import Writing
from outlines_cont.kernels.laws import Candidates
from outlines_cont.state.errors import HookLimit
from outlines_cont.state.failed_row import OF_NO_ROW, FailedRow, without_frames
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.state import SequenceState

# --- rows in lock-step: all of a batch row wait for each other, and one function says how they go on


def in_step(group: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
    """One batch row's hypotheses; those that wait are on their way again, if nobody is left that they wait for.

    Those of one link of a chain are asked about together, once no row goes on in that link or in an earlier one. A row
    that has ended by itself is asked about once more.
    """
    while waiting := [h for h in group if h.status.waiting or _ended_unseen(h)]:
        place = min(h.settings.chain.place for h in waiting)
        if any(_goes_on(h) and h.settings.chain.place <= place for h in group):
            break
        together = [h for h in group if h.settings.chain.place == place and not h.status.whole and not h.row.dead]
        answers = _answers(together)
        group = tuple(x for h in group for x in answers.get(id(h.span), (h,)))
    return group


def _goes_on(h: Hypothesis) -> bool:
    return not h.status.waiting and not h.status.ended


def _ended_unseen(h: Hypothesis) -> bool:
    """Whether it has ended, is still in step with others, and its controller does not know."""
    ended = h.status.ended and not h.seen and not h.status.whole
    return ended and h.settings.constraint.together and not h.row.dead


def _answers(together: Sequence[Hypothesis]) -> dict[int, tuple[Hypothesis, ...]]:
    """What becomes of each row, by the identity of its span: nothing, if the controller drops it."""
    controller = together[0].settings.constraint.controller
    assert controller is not None
    rows = {Writing(h.span, h.finished): h for h in together}
    answer = controller(tuple(rows))
    if not isinstance(answer, Mapping) or not answer.keys() <= rows.keys():
        raise TypeError(
            "a controller of several rows gives a dict {row: list of Branches}, whose keys are rows that it was given; "
            f"those that it leaves out are dropped. {controller!r} gave {answer!r}"
        )
    answers = {}
    for row, h in rows.items():
        branches = checked_branches(answer[row], controller) if row in answer else None
        if branches is None:
            answers[id(h.span)] = ()
        elif not h.status.ended:
            going = branched(h.changed(status=DRAWING), branches)
            answers[id(h.span)] = going if branches else tuple(map(_seen, going))
        elif not branches or row.finished == "length":  # there is no room for more of it
            answers[id(h.span)] = (_seen(h),)
        else:
            raise ValueError(f"{row!r} has ended ({row.finished}): a controller keeps it ([]) or leaves it out")
    return answers


def _seen(h: Hypothesis) -> Hypothesis:
    """An ended row that its controller has kept; one that has gone on in its chain is another row."""
    return h.changed(seen=True) if h.status.ended and not h.status.whole else h


# --- failed rows


def lawless(h: Hypothesis, error: Exception) -> tuple[Hypothesis, ...]:
    """The failed row in place of one without a law. Its logits may be NaN, so its keys and values are given up."""
    row = replace(h.end_now("interrupted").as_row(), claim=None)
    return failing_row(h.settings, row, error)


def failing(h: Hypothesis, error: Exception) -> tuple[Hypothesis, ...]:
    """The failed row in place of one that failed when it was as it is here."""
    return failing_row(h.settings, h.end_now("interrupted").as_row(), error)


def failing_row(settings: SpanSettings, row: Row, error: Exception) -> tuple[Hypothesis, ...]:
    """The failed row in place of one that had not begun. One that cannot satisfy its predicate is dead instead."""
    if isinstance(error, OF_NO_ROW):
        raise error
    if isinstance(error, Unsatisfied):
        without_frames(error)  # they hold rows and their keys and values
        return (Hypothesis.keep(settings, DEAD.keyed(row.lineage)).changed(lost="died"),)
    return (Hypothesis.keep(settings, FailedRow.of(error, (row,))).changed(lost="failing"),)


def or_failing(
    step: Callable[..., tuple[Hypothesis, ...]], group: tuple[Hypothesis, ...], *arguments: Any
) -> tuple[Hypothesis, ...]:
    """What becomes of one batch row's hypotheses by a step that they take together. If it fails, they all do."""
    try:
        return step(group, *arguments)
    except Exception as error:
        return failing(next(h for h in group if not h.row.dead), error)


def lawful(count: int, law: Callable[[list[int]], Candidates]) -> tuple[Candidates | None, dict[int, Exception]]:
    """The law of the rows that have one, and the errors of the others.

    count: of rows; law: gives the law of the rows of these places.
    """
    everyone = list(range(count))
    try:
        return law(everyone), {}
    except Exception:
        errors: dict[int, Exception] = {}
        for place in everyone:
            try:
                law([place])
            except Exception as error:
                if type(error) is ValueError:  # which counts the rows that it was given
                    error.args = (str(error).removeprefix("row 0: "),)
                errors[place] = error
        if not errors:  # it is none of a row
            raise
    lawful_ones = [place for place in everyone if place not in errors]
    return law(lawful_ones) if lawful_ones else None, errors


def with_failed_rows(
    groups: Sequence[tuple[Hypothesis, ...]],
    rows_before: Callable[[int], Sequence[Row]],
    state_before: Callable[[], SequenceState],
) -> tuple[tuple[Hypothesis, ...], ...]:
    """The hypotheses of all batch rows, where those that are failing have failed.

    rows_before, state_before: the rows of one batch row, and all of them, before anything failed.
    """
    return tuple(
        _replaced(group, lambda b=b: rows_before(b), state_before) if any(h.lost == "failing" for h in group) else group
        for b, group in enumerate(groups)
    )


def _replaced(
    group: tuple[Hypothesis, ...], rows_before: Callable[[], Sequence[Row]], state_before: Callable[[], SequenceState]
) -> tuple[Hypothesis, ...]:
    if not any(h.settings.compares_rows for h in group):
        return tuple(_failed(h, (), state_before) if h.lost == "failing" else h for h in group)
    rows = [each for row in rows_before() for each in (row.before if isinstance(row, FailedRow) else (row,))]
    first = next(h for h in group if h.lost == "failing")
    return (_failed(first, tuple(row for row in rows if not row.dead), state_before),)


def _failed(h: Hypothesis, before: tuple[Row, ...], state_before: Callable[[], SequenceState]) -> Hypothesis:
    row = h.row
    assert isinstance(row, FailedRow)
    error = row.error
    if isinstance(error, TooManyRetries):
        limit = HookLimit(f"{error}; error.state holds the rows so far", state_before())
        row = FailedRow.of(limit, row.before)
    elif not before:
        return h.changed(lost=None)
    failed = FailedRow(error=row.error, before=before or row.before, ours=row.ours)
    return Hypothesis.keep(h.settings, failed)
