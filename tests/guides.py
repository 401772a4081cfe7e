"""The laws of guides (`outlines_cont/fsm/protocol.py`), as a check that anybody can run on a guide of their own.

    from guides import check_guide

    check_guide(my_guide)                                   random walks
    check_guide(my_guide, texts=["yes", b"no", [17, 3]])    and these texts, which the guide has to accept

Only `outlines_cont.fsm` and numpy are needed. A law that does not hold raises an AssertionError, which names the law,
the state, and the tokens that led to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from outlines_cont.fsm.protocol import Guide, GuideState, with_defaults
from outlines_cont.fsm.vocabulary import unpack

Text = str | bytes | Sequence[int]


def check_guide(
    guide: Guide,
    texts: Iterable[Text] = (),
    *,
    walks: int = 20,
    steps: int = 30,
    tokens: int = 2000,
    seed: int = 0,
    ending: Iterable[int] = (),
) -> None:
    """Check the laws at the states that texts and random walks lead to.

    Args:
        texts: texts that the guide accepts. Token ids are followed as they are; some tokenization of a str or of bytes
            has to be accepted.
        walks, steps: how many random walks, and how many tokens each has at most.
        ending: special tokens that the guide allows (`fsm/stop_tokens.py`): under no other guide are they allowed.
        tokens: how many tokens are tried in each state; in a larger vocabulary they are drawn at random.

    Raises:
        AssertionError: a law does not hold.
        TypeError: the guide lacks a required member.
    """
    check = _Check(guide, Random(seed), tokens, frozenset(ending))
    check.follow([])
    for text in texts:
        ids = _tokenized(guide, text.encode() if isinstance(text, str) else text)
        assert ids is not None, f"the guide accepts {text!r}: no tokenization of it is allowed to its end"
        check.follow(ids)
        state = guide.initial
        for token in ids:
            state = guide.advance(state, token)
        assert guide.accepting(state), f"the guide accepts {text!r}: it does not accept after the tokens {list(ids)}"
    for _ in range(walks):
        check.walk(steps)
    check.masks_stay()


class _Check:
    """One check: the guide, and what it said of the states that were met."""

    def __init__(self, guide: Guide, random: Random, tokens: int, ending: frozenset[int]):
        self.guide, self.full = guide, with_defaults(guide)
        self.random, self.tokens = random, tokens
        self.vocabulary = guide.vocabulary
        self.special = self.vocabulary.special - set(self.vocabulary.eos) - ending
        self.masks: dict[GuideState, np.ndarray] = {}
        assert isinstance(guide, Guide), "the guide has the required members"

    def follow(self, ids: Sequence[int]) -> None:
        """Check the states along these tokens."""
        state, states = self.guide.initial, []
        for n, token in enumerate(ids):
            states.append(state)
            self.state(state, ids[:n])
            state = self.guide.advance(state, token)
            assert state is not None, f"token {token} is allowed after {list(ids[:n])}"
        self.state(state, ids)
        self.forced_bytes_come([*states, state], ids)

    def walk(self, steps: int) -> None:
        """Check the states along tokens that are drawn from those that are allowed."""
        state, ids = self.guide.initial, []
        for _ in range(steps):
            allowed = [t for t in self.allowed(state) if t not in self.vocabulary.eos]
            if not allowed or (self.guide.accepting(state) and self.random.random() < 0.1):
                break
            token = self.random.choice(allowed)
            state = self.guide.advance(state, token)
            assert state is not None, f"mask and advance agree: token {token} is in the mask after {ids}"
            ids.append(token)
        self.follow(ids)

    def allowed(self, state: GuideState) -> list[int]:
        return np.flatnonzero(unpack(self.guide.mask(state), len(self.vocabulary))).tolist()

    def state(self, state: GuideState, ids: Sequence[int]) -> None:
        """Check one state, to which these tokens led."""
        where = f"in the state {state!r} after the tokens {list(ids)}"
        number, before = _hash(state, where), deepcopy(state)
        comparable = before == state  # states that are compared by identity are not equal to their copies
        allowed = self.mask(state, where)
        self.advance(state, allowed, where)
        self.optional(state, allowed, where)
        assert (state == before) == comparable and _hash(state, where) == number, f"states are immutable, {where}"

    def mask(self, state: GuideState, where: str) -> set[int]:
        """Check the mask of a state. The tokens that it allows."""
        guide, size = self.guide, len(self.vocabulary)
        mask = guide.mask(state)
        assert isinstance(mask, np.ndarray) and mask.dtype == np.int32, f"a mask is an int32 array, {where}"
        assert mask.shape == ((size + 31) // 32,), f"a mask has (V + 31) // 32 words, {where}: {mask.shape}"
        assert not unpack(mask, 32 * len(mask))[size:].any(), f"bits beyond the vocabulary are 0, {where}"
        assert np.array_equal(self.masks.setdefault(state, mask.copy()), mask), f"equal states, equal masks, {where}"
        allowed = set(self.allowed(state))
        assert not allowed & self.special, f"special tokens are not allowed, {where}: {allowed & self.special}"
        accepting = bool(guide.accepting(state))
        assert accepting or allowed, f"there are no dead ends, {where}"
        for eos in self.vocabulary.eos:
            assert (eos in allowed) == accepting, f"eos is allowed if and only if accepting, {where}"
        return allowed

    def advance(self, state: GuideState, allowed: set[int], where: str) -> None:
        """Check that `advance` and the mask agree, and what comes after an eos token."""
        guide, size = self.guide, len(self.vocabulary)
        tried = range(size) if size <= self.tokens else self.random.sample(range(size), self.tokens // 2)
        some = sorted(allowed)
        for token in {*tried, *self.random.sample(some, min(len(some), self.tokens // 2)), *self.vocabulary.eos}:
            after = guide.advance(state, token)
            agree = (after is not None) == (token in allowed)
            assert agree, f"mask and advance agree, {where}: token {token}, after which comes {after!r}"
            assert after == guide.advance(state, token), f"equal tokens, equal states, {where}: token {token}"
            if after is not None and token in self.vocabulary.eos:
                assert guide.accepting(after), f"a text that has ended is accepted, {where}"
                assert not guide.mask(after).any(), f"after eos, nothing is allowed, {where}"
                assert self.full.complete(after), f"a text that has ended is complete, {where}"
                assert guide.advance(after, token) is None, f"after eos, nothing is allowed, {where}"
        for token in (-1, size):
            with suppress(IndexError):
                guide.advance(state, token)
                raise AssertionError(f"a token outside the vocabulary raises IndexError, {where}: token {token}")

    def optional(self, state: GuideState, allowed: set[int], where: str) -> None:
        """Check the members that a guide may leave out."""
        full, tokens, eos = self.full, self.vocabulary.tokens, set(self.vocabulary.eos)
        rows = full.masks([state, full.initial, state])
        expected = np.stack([full.mask(state), full.mask(full.initial), full.mask(state)])
        assert rows.dtype == np.int32 and np.array_equal(rows, expected), f"masks stacks the masks, {where}"
        complete = bool(full.accepting(state)) and allowed <= eos
        assert bool(full.complete(state)) == complete, f"complete: it accepts, and allows nothing but eos, {where}"
        forced = full.forced(state)
        assert isinstance(forced, bytes), f"forced bytes are bytes, {where}"
        assert not (forced and full.accepting(state)), f"nothing is forced where the text may end, {where}: {forced!r}"
        for token in allowed - eos:
            fits = tokens[token].startswith(forced) or forced.startswith(tokens[token])
            assert fits, f"forced bytes begin every continuation, {where}: {forced!r}, but {tokens[token]!r} is allowed"

    def forced_bytes_come(self, states: Sequence[GuideState], ids: Sequence[int]) -> None:
        """Check that the tokens which came are those that were forced."""
        for n, state in enumerate(states):
            forced, came = self.full.forced(state), self.vocabulary.decode(ids[n:])
            begins = came.startswith(forced) or forced.startswith(came)
            assert begins, f"forced bytes begin every continuation: {forced!r} after {list(ids[:n])}, but {came!r} came"
            short = len(came) < len(forced) and self.guide.accepting(states[-1])
            assert not short, f"forced bytes come before the end: {forced!r} after {list(ids[:n])}, but {came!r} came"

    def masks_stay(self) -> None:
        """Check that one may go back to any state."""
        for state, mask in self.masks.items():
            assert np.array_equal(self.guide.mask(state), mask), f"masks stay the same: that of the state {state!r}"


def _hash(state: GuideState, where: str) -> int:
    try:
        return hash(state)
    except TypeError:
        raise AssertionError(f"states are hashable, {where}") from None


def _tokenized(guide: Guide, text: bytes | Sequence[int]) -> Sequence[int] | None:
    """The tokens of a text that a guide allows, with an accepting state behind them; None if there are none."""
    if not isinstance(text, bytes):
        return text
    todo: list[tuple[GuideState, tuple[int, ...], int]] = [(guide.initial, (), 0)]
    met: set[Any] = set()
    while todo:
        state, ids, at = todo.pop()
        if at == len(text) and guide.accepting(state):
            return ids
        for token in _next_tokens(guide, text, at):
            after = guide.advance(state, token)
            reached = at + len(guide.vocabulary.tokens[token])
            if after is not None and (after, reached) not in met:
                met.add((after, reached))
                todo.append((after, (*ids, token), reached))
    return None


def _next_tokens(guide: Guide, text: bytes, at: int) -> Iterator[int]:
    vocabulary = guide.vocabulary
    for token in vocabulary.text_ids.tolist():
        if text.startswith(vocabulary.tokens[token], at):
            yield token
