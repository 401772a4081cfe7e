"""A growing span that asks its controller, and goes on along the branches of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from outlines_cont.decode.branch import KEEP, Branch
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.settings import Cursor
from outlines_cont.decode.writing import Writing
from outlines_cont.state.random_keys import copied

S = TypeVar("S", bound=GrowingSpan)


def branches_of(span: GrowingSpan) -> Sequence[Branch]:
    """What its controller says of it; TypeError if that is no list of branches."""
    controller = span.settings.constraint.controller
    assert controller is not None
    branches = controller(Writing(span))
    if not isinstance(branches, (list, tuple)) or not all(isinstance(branch, Branch) for branch in branches):
        raise TypeError(f"a controller gives a list of Branches, [] to stop; {controller!r} gave {branches!r}")
    return branches


def forks(span: S, branches: Sequence[Branch]) -> Iterator[S]:
    """A span for each branch, where the branch begins: nothing is appended yet."""
    # samples are numbered from 0 on: forks have numbers that no sample has
    rows = [span.row] if len(branches) == 1 else [copied(span.row, -1 - i) for i in range(len(branches))]
    for row, branch in zip(rows, branches, strict=True):
        yield _turned(span.changed(row=row), branch)


def _turned(span: S, branch: Branch) -> S:
    """At the beginning of a branch, with the branch's guide."""
    start = span if branch.backtrack == 0 else _back_along(span, branch.backtrack)
    settings, here = span.settings, len(start.ids)
    guide = branch.guide(settings.encoder, start.tail, settings.everything)
    labels = start.at.labels
    if branch.label is not None:
        others = (label for label in labels if label[0] != branch.label)
        labels = (*others, (branch.label, here, len(start.at.segments)))
    memory = span.at.memory if branch.memory is KEEP else branch.memory
    return start.changed(at=Cursor(guide, guide.initial, memory, labels, start.at.segments, here))


def _back_along(span: S, backtrack: int | str) -> S:
    """So many tokens back, or back to a label."""
    if not isinstance(backtrack, str):
        return span.back(backtrack)
    labels = {name: (place, segments) for name, place, segments in span.at.labels}
    if backtrack not in labels:
        raise ValueError(f"Branch(backtrack={backtrack!r}): the row has the labels {sorted(labels)}")
    place, segments = labels[backtrack]
    return span.back(len(span.ids) - place, segments=segments)
