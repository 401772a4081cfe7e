"""What a row's controller says of it, and the rows that go on along the branches of its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from outlines_cont.decode.branch import KEEP, Branch
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.settings import Cursor
from outlines_cont.decode.writing import Writing
from outlines_cont.state.random_keys import copied

R = TypeVar("R", bound=GrowingRow)


def branches_of(span: GrowingSpan) -> Sequence[Branch]:
    """What its controller says of a span; TypeError if that is no list of branches."""
    controller = span.settings.constraint.controller
    assert controller is not None
    branches = controller(Writing(span))
    if not isinstance(branches, (list, tuple)) or not all(isinstance(branch, Branch) for branch in branches):
        raise TypeError(f"a controller gives a list of Branches, [] to stop; {controller!r} gave {branches!r}")
    return branches


def forks(h: R, branches: Sequence[Branch]) -> Iterator[R]:
    """A row for each branch, where the branch begins: nothing is appended yet."""
    if len(branches) == 1:
        yield _turned(h, branches[0])
        return
    for i, branch in enumerate(branches):
        # samples are numbered from 0 on: forks have numbers that no sample has
        yield _turned(h.with_row(copied(h.row, -1 - i)), branch)


def _turned(h: R, branch: Branch) -> R:
    """At the beginning of a branch, with the branch's guide."""
    start = h if branch.backtrack == 0 else _back_along(h, branch.backtrack)
    span, settings = start.span, start.span.settings
    here, labels = len(span.ids), span.at.labels
    guide = branch.guide(settings.encoder, span.tail, settings.everything)
    if branch.label is not None:
        others = (label for label in labels if label[0] != branch.label)
        labels = (*others, (branch.label, here, len(span.at.segments)))
    memory = h.at.memory if branch.memory is KEEP else branch.memory
    at = Cursor(guide, guide.initial, memory, labels, span.at.segments, here)
    return start.changed(span=span.changed(at=at))


def _back_along(h: R, backtrack: int | str) -> R:
    """So many tokens back, or back to a label."""
    if not isinstance(backtrack, str):
        return h.back(backtrack)
    labels = {name: (place, segments) for name, place, segments in h.at.labels}
    if backtrack not in labels:
        raise ValueError(f"Branch(backtrack={backtrack!r}): the row has the labels {sorted(labels)}")
    place, segments = labels[backtrack]
    return h.back(len(h.ids) - place, segments=segments)
