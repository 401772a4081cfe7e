"""Branches of controllers that change the law of a draw, and samplers that have none to change."""

from __future__ import annotations

from collections.abc import Sequence

from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import Sampler


def check_branch_filters(sampler: Sampler, live: Sequence[Hypothesis]) -> None:
    """ValueError for a branch that changes the sampler's law where the sampler has none that could be changed."""
    if sampler.filters is not None:
        return
    for h in live:
        if h.at.followed.filters is not PLAIN:
            raise ValueError(
                f"a branch with {h.at.followed.filters} under {sampler!r}: this sampler draws nothing at random by a "
                "law that could be changed"
            )
