"""Rows in lock-step: all of a batch row wait for each other, and one function says how they go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from outlines_cont.decode.branching import checked_branches
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.onward import along
from outlines_cont.decode.status import DRAWING, SEEN
from outlines_cont.decode.writing import Writing


def in_step(group: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
    """One batch row's hypotheses; those that wait are on their way again, if nobody is left that they wait for.

    Those of one link of a chain are asked about together, once no row goes on in that link or in an earlier one. A row
    that has ended by itself is asked about once more.
    """
    while waiting := [h for h in group if h.status.waiting or _ended_unseen(h)]:
        place = min(h.settings.place for h in waiting)
        if any(_goes_on(h) and h.settings.place <= place for h in group):
            break
        together = [h for h in group if h.settings.place == place and not h.status.whole and not h.row.dead]
        answers = _answers(together)
        group = tuple(x for h in group for x in answers.get(id(h.span), (h,)))
    return group


def _goes_on(h: Hypothesis) -> bool:
    return not h.status.waiting and h.status.finished is None


def _ended_unseen(h: Hypothesis) -> bool:
    """Whether it has ended, is still in step with others, and its controller does not know."""
    ended = h.status.finished is not None and not h.status.seen and not h.status.whole
    return ended and h.settings.constraint.together and not h.row.dead


def _answers(together: Sequence[Hypothesis]) -> dict[int, tuple[Hypothesis, ...]]:
    """What becomes of each row, by the identity of its span: nothing, if the controller drops it."""
    controller = together[0].settings.constraint.controller
    assert controller is not None
    rows = {Writing(h.span, h.status.finished): h for h in together}
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
        elif not h.status.finished:
            going = along(h.changed(status=DRAWING), branches)
            answers[id(h.span)] = going if branches else tuple(map(_seen, going))
        elif not branches or row.finished == "length":  # there is no room for more of it
            answers[id(h.span)] = (_seen(h),)
        else:
            raise ValueError(f"{row!r} has ended ({row.finished}): a controller keeps it ([]) or leaves it out")
    return answers


def _seen(h: Hypothesis) -> Hypothesis:
    """An ended row that its controller has kept; one that has gone on in its chain is another row."""
    how = h.status.finished
    return h if how is None or h.status.whole else h.changed(status=SEEN[how])
