"""`Within`: a guide whose text ends within so many tokens."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from outlines_cont.arguments import flag, shown, whole_number
from outlines_cont.errors import ConstraintError
from outlines_cont.processes import ProcessBoundValue

from .endings import FAR, endings_of
from .protocol import Defaults, FullGuide, GuideState
from .vocabulary import pack, unpack

KEPT_MASKS = 256  # of states near the end of their tokens


class Within(ProcessBoundValue, Defaults):
    """The texts of a guide, closed within so many tokens: always, and as the guide says while there is room.

    A state is (the guide's, the tokens left). While every token that the guide allows leaves enough for an ending that
    is known, the mask is the guide's own, the same array. Near the edge it leaves the tokens after which a known ending
    still fits. `Endings` says which are known.

    Attributes:
        guide: the guide. tokens: how many there may be; the eos is not counted.

    Raises:
        ConstraintError: no ending is known that fits; or it is a guide of the user's without `need(state)`.

    >>> from outlines_cont.fsm.guide import regex
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> v = Vocabulary([b"<eos>", b"a", b"b"], eos=[0])
    >>> g = Within(regex("a+b", v), 3)
    >>> state = g.advance(g.advance(g.initial, 1), 1)
    >>> state, g.mask(g.initial).tolist(), g.mask(state).tolist()
    ((1, 1), [2], [4])
    >>> Within(regex("a+b", v), 1)
    Traceback (most recent call last):
        ...
    outlines_cont.errors.ConstraintError: the pattern 'a+b' within 1 token: the shortest known takes 2
    """

    _instead = "make it in each process"

    def __init__(self, guide: FullGuide, tokens: int, state: GuideState = None):
        """state: that of the guide from which on there may be so many tokens; None: its initial one."""
        self.guide, self.tokens, self.vocabulary = guide, tokens, guide.vocabulary
        self.endings = endings_of(guide)
        begin = guide.initial if state is None else state
        if (need := self.endings.need(begin)) > tokens:
            told = "none is known" if need >= FAR else f"the shortest known takes {need}"
            part = "" if begin == guide.initial else "the rest of "
            name = getattr(guide, "name", shown(guide))
            raise ConstraintError(f"{part}{name} within {tokens} token{'s' * (tokens != 1)}: {told}")
        self.initial: GuideState = begin, tokens
        self._masks: OrderedDict[tuple[GuideState, int, int | None], np.ndarray] = OrderedDict()

    def __repr__(self) -> str:
        return f"{self.guide!r} within {self.tokens} tokens"

    def place(self, state: GuideState) -> tuple[FullGuide, GuideState]:
        """The guide and the state that say what may come: those within it, where there is room for all of that."""
        inner, left = state
        if left > self.endings.furthest or left > self.endings.after(inner).most:
            return self.guide, inner
        return self, state

    def mask(self, state: GuideState) -> np.ndarray:
        guide, place = self.place(state)
        return guide.mask(place) if guide is self.guide else self._near_the_edge(*state)

    def _near_the_edge(self, inner: GuideState, left: int) -> np.ndarray:
        after, limit, token = self.endings.after(inner), left - 1, self.endings.next(inner)
        mask = self.guide.mask(inner)
        further = int(np.searchsorted(after.needs, limit, "right")) if limit >= after.least else -1
        key = inner, further, token
        kept = self._masks.get(key)
        if kept is None:
            if further < 0:
                allowed = np.zeros(len(self.vocabulary), bool)
            else:
                allowed = unpack(mask, len(self.vocabulary))
                allowed[after.tokens[further:]] = False
            if left > 0 and token is not None:
                allowed[token] = True
            allowed[list(self.vocabulary.eos)] = self.guide.accepting(inner)
            kept = self._masks[key] = pack(allowed)
            kept.flags.writeable = False
            while len(self._masks) > KEPT_MASKS:
                self._masks.popitem(last=False)
        return kept

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        inner, left = state
        after = self.guide.advance(inner, token)
        if after is None:
            return None
        guide, _ = self.place(state)
        if guide is self and not self.mask(state)[token >> 5] >> (token & 31) & 1:
            return None
        return after, left - 1

    def accepting(self, state: GuideState) -> bool:
        return self.guide.accepting(state[0])

    def complete(self, state: GuideState) -> bool:
        return self.guide.complete(state[0])

    def fitting(self, state: GuideState, tokens: tuple[int, ...]) -> tuple[int, ...]:
        """The first of some tokens, as far as an ending still fits after them."""
        for count, token in enumerate(tokens):
            state = self.advance(state, token)
            if state is None:
                return tokens[:count]
        return tokens


def within(guide: FullGuide, tokens: int, state: GuideState) -> Within:
    """`Within`; the same one each time, as long as somebody holds it: rows and calls share its states."""
    kept: WeakValueDictionary[Any, Within] = endings_of(guide).limited
    made = kept.get((state, tokens))
    return kept.setdefault((state, tokens), Within(guide, tokens, state)) if made is None else made


def spent(guide: Any, state: Any, tokens: int) -> Any:
    """The state after so many tokens that the guide is not told of; None if it does not count them.

    ConstraintError: too few are left then.
    """
    if type(guide) is not Within:
        return None
    inner, left = state
    if (need := guide.endings.need(inner)) > left - tokens:
        raise ConstraintError(f"{tokens} tokens beside {guide!r}: of the {left} that are left its end takes {need}")
    return inner, left - tokens


def unlimited(guide: Any, state: Any) -> tuple[Any, Any]:
    """A guide and a state, without the limit of tokens."""
    return (guide.guide, state[0]) if type(guide) is Within else (guide, state)


def plain_place(guide: Any, state: Any) -> tuple[Any, Any]:
    """A guide and a state, without the limit of tokens where that takes nothing away."""
    return guide.place(state) if type(guide) is Within else (guide, state)


def whole_limit(called: str, max_tokens: Any, whole: Any) -> int | None:
    """How many tokens a text may have that others' loops write and end by an eos; None: nobody says."""
    if flag(whole, "whole") is (max_tokens is None):
        raise ValueError(f"{called} takes max_tokens and whole=True together: the text closes within so many tokens")
    if max_tokens is None:
        return None
    right = "an int ≥ 1: the eos is one of these tokens"
    if (limit := whole_number(max_tokens, "max_tokens", right)) < 1:
        raise ValueError(f"max_tokens={max_tokens}: it must be {right}")
    return limit - 1
