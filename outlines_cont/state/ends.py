"""What tells whether a span may end: where its tokens lead to under a constraint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from outlines_cont.fsm.protocol import FullGuide, Guide, GuideState

KEPT = 1024  # places of a constraint


def replay(guide: Guide, tokens: Iterable[int]) -> GuideState | None:
    """The state that these tokens lead to from the beginning; None if they do not fit."""
    state = guide.initial
    for token in tokens:
        state = None if token in guide.vocabulary.eos else guide.advance(state, token)
        if state is None:
            return None
    return state


class _ReadConstraint(Protocol):
    """A `Constraint`, as far as it is needed here."""

    @property
    def readings(self) -> Sequence[Any]: ...

    def guide_after(self, healed: bytes) -> FullGuide: ...


class KnownPlaces:
    """Where spans stand under a constraint that they were not written under: mostly a token after a known place."""

    def __init__(self, constraint: _ReadConstraint) -> None:
        self._constraint = constraint
        self._known: dict[tuple[tuple[int, ...], bytes], tuple[FullGuide, GuideState]] = {}

    def after(self, tokens: tuple[int, ...], healed: bytes) -> tuple[FullGuide, GuideState] | None:
        """The guide and the state after these tokens; None if they do not fit. healed: the bytes that the span took
        back from the text before it."""
        place = self._known.get((tokens, healed))
        if place is None and tokens and (before := self._known.get((tokens[:-1], healed))) is not None:
            state = before[0].advance(before[1], tokens[-1])
            place = None if state is None else (before[0], state)
        if place is None:
            guides = (reading.guide_after(healed) for reading in self._constraint.readings)
            each = ((guide, replay(guide, tokens)) for guide in guides)
            place = next((pair for pair in each if pair[1] is not None), None)
        if place is not None:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[tokens, healed] = place
        return place
