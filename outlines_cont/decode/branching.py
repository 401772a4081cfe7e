"""What a row's controller says of it, and the rows that go on along the branches of its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from outlines_cont.arguments import shown
from outlines_cont.decode.branch import KEEP, Branch
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.settings import Cursor, Followed
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.fsm.language.narrowed import begun
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.stop_tokens import EndingTokens
from outlines_cont.state.constraint import Controller
from outlines_cont.state.random_keys import copied

R = TypeVar("R", bound=GrowingRow)

Branching = Callable[[GrowingSpan], Sequence[Branch]]  # what the controller of a span says of it


def branches_of(span: GrowingSpan) -> Sequence[Branch]:
    """What its controller says of a span; TypeError if that is no list of branches."""
    controller = span.settings.constraint.controller
    assert controller is not None
    return checked_branches(controller(Writing(span)), controller)


def checked_branches(branches: Any, controller: Controller) -> Sequence[Branch]:
    """What a controller answered for one row. TypeError if that is no list of branches."""
    if not isinstance(branches, (list, tuple)) or not all(isinstance(branch, Branch) for branch in branches):
        raise TypeError(f"a controller gives a list of Branches, [] to stop; {controller!r} gave {shown(branches)}")
    return branches


def forks(h: R, branches: Sequence[Branch]) -> Iterator[R]:
    """A row for each branch, where the branch begins: nothing is appended yet."""
    if len(branches) == 1:
        yield _turned(h, branches[0], 0)
        return
    for i, branch in enumerate(branches):
        # samples are numbered from 0 on: forks have numbers that no sample has
        yield _turned(h.with_row(copied(h.row, -1 - i)), branch, i)


def _turned(h: R, branch: Branch, index: int) -> R:
    """At the beginning of a branch, the one of this index, with the branch's guide."""
    start = _back_along(h, branch.backtrack)
    span, settings = start.span, start.span.settings
    here, labels = len(span.ids), span.at.labels
    if branch.allowed is KEEP:
        guide, state, begin = _kept_guide(start, branch)
        filters = branch.filters.over(start.at.followed.filters)
    else:
        guide, begin = _unbanned(branch.guide(settings.encoder, span.tail), span), here
        state, filters = guide.initial, branch.filters
    if branch.label is not None:
        others = (label for label in labels if label[0] != branch.label)
        labels = (*others, (branch.label, here, len(span.at.segments)))
    memory = h.at.memory if branch.memory is KEEP else branch.memory
    followed = Followed(index, here, len(h.ids) - here, filters)
    at = Cursor(guide, state, memory, labels, span.at.segments, begin, followed=followed)
    return start.changed(span=span.changed(at=at))


def _unbanned(guide: FullGuide, span: GrowingSpan) -> FullGuide:
    """A branch's guide, without the texts that the sampler's filters ban.

    Tokens that a branch lists, and guides of third parties, are left to the filters; runs that it gives are its own.
    """
    filters = getattr(span.settings.sampler, "logit_filters", ())
    banned = tuple(text for each in filters if hasattr(each, "allowed_run") for text in each.texts)
    if not banned or not isinstance(guide, AutomatonGuide | EndingTokens):
        return guide
    written = span.encoder.spell(span.row.ids) + span.text
    return _without(guide, banned, begun(written, [text.encode() for text in banned]))


_without = lru_cache(maxsize=64)(guides.without)  # rows, and calls, often come to the same places


def _kept_guide(h: GrowingRow, branch: Branch) -> tuple[FullGuide, GuideState, int]:
    """The guide of the branch that a row is on, its state, and where it began. ValueError if it has ended."""
    at = h.span.at
    if branch.forced is not None:
        raise TypeError("Branch(allowed=KEEP, forced=…): a branch goes on, or appends a run; say the one or the other")
    if h.span.branch_ended:
        raise ValueError("Branch(allowed=KEEP): the row is on no branch that could go on; say what is allowed now")
    return at.guide, at.state, at.begin


def _back_along(h: R, backtrack: int | str) -> R:
    """So many tokens back, or back to a label."""
    if not isinstance(backtrack, str):
        return h.back(count) if (count := h.span.checked_count(backtrack)) else h
    labels = {name: (place, segments) for name, place, segments in h.at.labels}
    if backtrack not in labels:
        raise ValueError(f"Branch(backtrack={backtrack!r}): the row has the labels {sorted(labels)}")
    place, segments = labels[backtrack]
    return h.back(len(h.ids) - place, segments=segments)
