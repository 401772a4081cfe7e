"""`Both`: what two guides allow, of which one remembers texts, so that their languages cannot be intersected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from outlines_cont.errors import ConstraintError
from outlines_cont.processes import ProcessBoundValue

from .protocol import FullGuide, GuideState


class Both(ProcessBoundValue):
    """The texts of both guides. States are pairs of theirs.

    Nobody looks ahead: where the two have no way in common any more, `mask` says so by a `ConstraintError`.

    >>> from outlines_cont.fsm.both_guides import Both
    >>> from outlines_cont.fsm.guide import regex
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> v = Vocabulary([b"<eos>", b"a", b"b"], eos=[0])
    >>> g = Both(regex("[ab]+", v), regex("a*b", v))
    >>> state = g.advance(g.advance(g.initial, 1), 2)
    >>> g.mask(g.initial).tolist(), g.complete(state), g.mask(state).tolist()
    ([6], True, [1])
    """

    _instead = "make it in each process"

    def __init__(self, first: FullGuide, second: FullGuide):
        self.first, self.second, self.vocabulary = first, second, first.vocabulary
        self.initial: GuideState = first.initial, second.initial

    def __repr__(self) -> str:
        return f"{self.first!r} & {self.second!r}"

    def mask(self, state: GuideState) -> np.ndarray:
        one, two = state
        mask = self.first.mask(one) & self.second.mask(two)
        if not mask.any() and not self.accepting(state):
            raise ConstraintError(f"{self!r} have no text in common that goes on from here")
        return mask

    def masks(self, states: Sequence[GuideState]) -> np.ndarray:
        return np.stack(list(map(self.mask, states)))

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        one, two = self.first.advance(state[0], token), self.second.advance(state[1], token)
        return None if one is None or two is None else (one, two)

    def accepting(self, state: GuideState) -> bool:
        return self.first.accepting(state[0]) and self.second.accepting(state[1])

    def complete(self, state: GuideState) -> bool:
        return self.accepting(state) and not (self.mask(state) & self.vocabulary.no_eos).any()

    def forced(self, state: GuideState) -> bytes:
        """What only one of the two forces is drawn."""
        return b""

    def __radd__(self, other: Any) -> Both:
        """A text of `other`, then one of this guide; `other` knows its bytes."""
        return Both(other + self.first, other + self.second)
