"""What the next step needs and no logits decide: masks, and what controllers answer.

It can be made while a device computes the logits, so that neither waits for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import torch

from outlines_cont.decode.branch import KEEP, Branch
from outlines_cont.decode.branch_guides import BranchGuide
from outlines_cont.decode.branching import Branching, checked_branches, forks
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.logits import PreparedMasks, prepared_masks
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.settings import Cursor
from outlines_cont.decode.writing import Writing


class Prepared(NamedTuple):
    """What was prepared for a step.

    Attributes:
        masks: of the states from which rows will draw.
        answers: what controllers say of rows whose tokens are not scored yet. Each is good for one step, which takes it
            out: another step may give other scores.
    """

    masks: PreparedMasks
    answers: dict[Hypothesis, Branching]


NOTHING_PREPARED = Prepared({}, {})


def prepared(groups: HypothesisGroups, device: torch.device) -> Prepared:
    """What can be prepared for these rows. `device`: where their logits will lie.

    What fails is left out. The step does it again, and says what is wrong.
    """
    answers: dict[Hypothesis, Branching] = {}
    points: list[Cursor] = []
    for h in (h for group in groups for h in group):
        if h.status.drawing:
            points.append(h.at)
        elif h.status.asking and not h.settings.constraint.together:
            with suppress(Exception, NotScored):
                answers[h], forked = _early_answer(h)
                points += forked
    shown = any(h.settings.shows_law for group in groups for h in group)
    return Prepared(prepared_masks(points, device, shown), answers)


class NotScored(BaseException):
    """A controller that was asked early wants a score. No `except Exception` of its own catches this."""


class EarlyWriting(Writing):
    """A row whose last tokens have no scores yet. Who asks for these is told `NotScored`, until they are known."""

    score_wanted = False

    def _check(self) -> None:
        if self._growing.unscored:
            vars(self).update(score_wanted=True)
            raise NotScored("the last tokens of this row are not scored yet")

    @property
    def logprobs(self) -> tuple[float | None, ...]:
        self._check()
        return super().logprobs

    @property
    def weight(self) -> float:
        self._check()
        return super().weight

    @property
    def score(self) -> float:
        self._check()
        return super().score

    def scored(self, span: GrowingSpan) -> None:
        """It has its scores from now on: the controller may have kept it."""
        vars(self).update(_growing=span)


def _early_answer(h: Hypothesis) -> tuple[Branching, list[Cursor]]:
    """What its controller says of a row before its last tokens are scored, with guides that are made; and where rows
    then draw. NotScored if it depends on the scores."""
    controller = h.settings.constraint.controller
    assert controller is not None
    row = EarlyWriting(h.span)
    branches = checked_branches(controller(row), controller)
    if row.score_wanted:  # whatever it did when it was told that there is none
        raise NotScored
    cursors = [fork.at for fork in forks(h, branches)]
    made = [
        branch if branch.allowed is KEEP else replace(branch, allowed=at.guide, forced=None)
        for branch, at in zip(branches, cursors, strict=True)
    ]

    def branching(span: GrowingSpan) -> Sequence[Branch]:
        row.scored(span)
        return made

    return branching, [at for at in cursors if not (isinstance(at.guide, BranchGuide) and at.guide.run(at.state))]
