"""The guides of what a branch says: a run that is given, one token, and runs that begin with a token that is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from outlines_cont.fsm.protocol import Defaults, FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary, pack


class BranchGuide(Defaults):
    """A guide that also says which tokens are appended without a draw.

    Attributes:
        vocabulary: whose tokens it allows.
        ends_branch: whether it says itself where the branch is over; else the constraint's rule for stops does.
        ends_span: whether its stop ends the span, and not the branch alone.
        free_text: see `AutomatonGuide`.
    """

    vocabulary: Vocabulary
    ends_branch: bool = True
    ends_span: bool = False
    free_text: bool = False

    def run(self, state: GuideState) -> tuple[int, ...]:
        """The tokens that are appended in this state."""
        return ()

    def over(self, state: GuideState) -> bool:
        """Whether the branch ends in this state, whatever the model thinks."""
        raise NotImplementedError


class Given(BranchGuide):
    """One run of tokens that are given, not drawn. A state is the number of tokens so far."""

    initial = 0

    def __init__(self, vocabulary: Vocabulary, ids: tuple[int, ...]):
        self.vocabulary, self.ids = vocabulary, ids

    def run(self, state: int) -> tuple[int, ...]:
        return self.ids[state:]

    def mask(self, state: int) -> np.ndarray:
        if state == len(self.ids):
            return self.vocabulary.derived(eos_mask)
        return packed(self.vocabulary, self.ids[state : state + 1])

    def advance(self, state: int, token: int) -> int | None:
        _checked_index(self.vocabulary, token)
        if state == len(self.ids):
            return state + 1 if token in self.vocabulary.eos else None
        return state + 1 if self.ids[state : state + 1] == (token,) else None

    def accepting(self, state: int) -> bool:
        return state >= len(self.ids)

    complete = over = accepting


class OneToken(BranchGuide):
    """One token, or none if the stop may be drawn. States: −1 at first, then the last token's id."""

    initial = -1
    ends_span = True

    def __init__(self, vocabulary: Vocabulary, mask: np.ndarray, may_stop: bool, free_text: bool = False):
        self.vocabulary, self._may_stop, self.free_text = vocabulary, may_stop, free_text
        self._only_stop = not mask.any()
        self._eos = vocabulary.derived(eos_mask)
        self._mask = mask | self._eos if may_stop else mask

    def mask(self, state: int) -> np.ndarray:
        if state == self.initial:
            return self._mask
        return np.zeros_like(self._mask) if state in self.vocabulary.eos else self._eos

    def advance(self, state: int, token: int) -> int | None:
        _checked_index(self.vocabulary, token)
        return token if self.mask(state)[token // 32] >> (token % 32) & 1 else None

    def accepting(self, state: int) -> bool:
        return self._may_stop or state != self.initial

    def complete(self, state: int) -> bool:
        return state != self.initial or (self._may_stop and self._only_stop)

    def over(self, state: int) -> bool:
        """Whether the token was drawn. (Where only the stop is allowed, that is still drawn, with its probability.)"""
        return state != self.initial


class BeforeFirst(NamedTuple):
    """The state of `WithRuns` before its first token."""


class InRun(NamedTuple):
    """A state of `WithRuns` within a run: the tokens that are left of it, and the state of its guide."""

    left: tuple[int, ...]
    inner: GuideState


class WithRuns(BranchGuide):
    """A guide under which a run is appended whole if its first token is what is drawn first.

    Between runs its states are those of the guide.
    """

    initial = BeforeFirst()

    def __init__(self, guide: FullGuide, runs: Mapping[int, tuple[int, ...]]):
        """runs: what follows each token that begins one. The guide must allow them."""
        self.vocabulary, self.guide, self.runs = guide.vocabulary, guide, runs
        self.free_text = getattr(guide, "free_text", False)
        if isinstance(guide, BranchGuide):
            self.ends_span = guide.ends_span
        else:
            self.ends_branch = False

    def run(self, state: GuideState) -> tuple[int, ...]:
        return state.left if isinstance(state, InRun) else ()

    def mask(self, state: GuideState) -> np.ndarray:
        if isinstance(state, InRun):
            return packed(self.vocabulary, state.left[:1])
        return self.guide.mask(self._inner(state))

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        _checked_index(self.vocabulary, token)
        if isinstance(state, InRun):
            left, inner = state.left[1:], state.inner
            if token != state.left[0]:
                return None
            if not self.ends_branch:  # one token is all that `OneToken` knows of
                inner = self.guide.advance(inner, token)
        else:
            left = self.runs.get(token, ()) if isinstance(state, BeforeFirst) else ()
            inner = self.guide.advance(self._inner(state), token)
        return InRun(left, inner) if left and inner is not None else inner

    def accepting(self, state: GuideState) -> bool:
        return not isinstance(state, InRun) and self.guide.accepting(self._inner(state))

    def complete(self, state: GuideState) -> bool:
        return not isinstance(state, InRun) and self.guide.complete(self._inner(state))

    def over(self, state: GuideState) -> bool:
        assert isinstance(self.guide, BranchGuide)
        return not isinstance(state, InRun) and self.guide.over(self._inner(state))

    def forced(self, state: GuideState) -> bytes:
        return b"" if isinstance(state, InRun) else self.guide.forced(self._inner(state))

    def _inner(self, state: GuideState) -> GuideState:
        if isinstance(state, InRun):
            return state.inner
        return self.guide.initial if isinstance(state, BeforeFirst) else state


def any_token(vocabulary: Vocabulary) -> OneToken:
    """One token of any text, or the stop."""
    return OneToken(vocabulary, packed(vocabulary, vocabulary.text_ids), may_stop=True, free_text=True)


def eos_mask(vocabulary: Vocabulary) -> np.ndarray:
    """The packed mask of the tokens that end a text."""
    return packed(vocabulary, vocabulary.eos)


def packed(vocabulary: Vocabulary, ids: Iterable[int]) -> np.ndarray:
    """The packed mask of these tokens."""
    allowed = np.zeros(len(vocabulary), bool)
    allowed[ids if isinstance(ids, np.ndarray) else list(ids)] = True
    return pack(allowed)


def _checked_index(vocabulary: Vocabulary, token: int) -> None:
    if not 0 <= token < len(vocabulary):
        raise IndexError(token)
