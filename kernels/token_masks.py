"""Constraints that are finite automata, walked on the device: from states to packed masks.

The tokens lie in the order of their bytes, so that neighbours share what they begin with: they read the same row of the
automaton, and where the automaton refuses their common beginning they stop together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from . import bitmask
from .attention_work import copied_to
from .launch import constexpr, jit, or_reference, tl, triton

NOWHERE = -1  # in place of states that there are not; its mask is empty
NEVER, EOS = -1, -2  # ranks of tokens that are no text
TOKENS = 512  # so many tokens go to one program


class ByteAutomaton(NamedTuple):
    """A deterministic automaton over bytes.

    next: int32 `[states, 256]`, the next state, or a negative number where there is none.
    ends: uint8 `[states]`, 1 if a token may end there (the text can be finished with tokens), 2 more if the text may.
    """

    next: Tensor
    ends: Tensor

    @property
    def device(self) -> torch.device:
        return self.next.device

    def states_of(self, states: Tensor) -> Tensor:
        """States, contiguous; `NOWHERE` where there is no such state."""
        return torch.where(states < len(self.ends), states, NOWHERE)


class VocabularyBytes(NamedTuple):
    """The bytes of a vocabulary's tokens, sorted.

    octets: uint8, the text tokens' bytes, token after token in the order of their bytes.
    start: int32 `[n + 1]`, where each of these n tokens begins.
    rank: int32 `[V]`, the place of each id in that order; `NEVER`, or `EOS`.
    """

    octets: Tensor
    start: Tensor
    rank: Tensor

    @classmethod
    def of(
        cls, tokens: Sequence[bytes], text: Sequence[int], eos: Sequence[int], device: torch.device
    ) -> VocabularyBytes:
        """tokens: the bytes of every id; text: the ids that are text; eos: those that end one."""
        order = sorted(text, key=tokens.__getitem__)
        rank = np.full(len(tokens), NEVER, np.int32)
        rank[order], rank[list(eos)] = np.arange(len(order)), EOS
        start = np.cumsum([0, *(len(tokens[token]) for token in order)], dtype=np.int32)
        octets = np.frombuffer(b"".join(tokens[token] for token in order) or b"\0", np.uint8).copy()
        return cls(*copied_to(device, [octets, start, rank]))


def _masks(automaton: ByteAutomaton, vocabulary: VocabularyBytes, states: Tensor) -> Tensor:
    states = automaton.states_of(states)
    every_rank = torch.arange(len(vocabulary.start) - 1, device=states.device)
    after = _walked(automaton, vocabulary, states[:, None], every_rank)
    ranks = vocabulary.rank.long()
    ended = torch.cat([automaton.ends, automaton.ends.new_zeros(1)])  # the last for those that are no states
    ends = ended[torch.where(after < 0, len(automaton.ends), after)] > 0
    stops = ended[torch.where(states < 0, len(automaton.ends), states)] > 1
    allowed = torch.cat([ends, ends.new_zeros(len(states), 1), stops[:, None]], -1)
    n = ends.shape[1]
    return bitmask.pack.reference(allowed[:, torch.where(ranks >= 0, ranks, torch.where(ranks == EOS, n + 1, n))])


@or_reference(_masks)
def masks(automaton: ByteAutomaton, vocabulary: VocabularyBytes, states: Tensor) -> Tensor:
    """The tokens that may come next: int64 states `[rows]` → int32 `[rows, (V + 31) // 32]`.

    A token is allowed if the automaton reads all its bytes and ends where tokens may end; eos, where the text may.
    """
    states = automaton.states_of(states)
    count, size, words = len(states), len(vocabulary.rank), (len(vocabulary.rank) + 31) // 32
    octets, start, rank = vocabulary
    blocks = triton.cdiv(len(start) - 1, TOKENS)
    packed = torch.empty(count, words, dtype=torch.int32, device=states.device)
    if not count or not size:
        return packed
    by_rank = torch.empty(count, blocks * (TOKENS // 32), dtype=torch.int32, device=states.device)
    if blocks:
        _walk_kernel[(count, blocks)](*automaton, octets, start, states, by_rank, len(start) - 1, TOKENS, num_warps=4)
    _place_kernel[(count, triton.cdiv(words, TOKENS // 32))](
        by_rank, rank, states, automaton.ends, packed, size, words, blocks * (TOKENS // 32), TOKENS // 32
    )
    return packed


def _walked(automaton: ByteAutomaton, vocabulary: VocabularyBytes, states: Tensor, ranks: Tensor) -> Tensor:
    """The states after all bytes of some tokens, negative where a byte is refused; the two shapes broadcast."""
    start, length = vocabulary.start.long()[ranks], vocabulary.start.diff().long()[ranks]
    after = states.broadcast_to(torch.broadcast_shapes(states.shape, ranks.shape)).clone()
    for read in range(int(length.max()) if length.numel() else 0):
        going = (after >= 0) & (read < length)
        byte = vocabulary.octets[torch.where(read < length, start + read, 0)].long()
        after = torch.where(going, automaton.next[after.clamp(min=0), byte.expand_as(after)].long(), after)
    return after


# ------------------------------------------------------------------------------------------------------------ kernels


@jit
def _read(table, octets, state, start, length):
    """The states after all bytes of `n` tokens, negative where a byte is refused."""
    read = tl.zeros_like(start)
    going = (state >= 0) & (read < length)
    while tl.max(going.to(tl.int32), axis=0) > 0:
        byte = tl.load(octets + start + read, mask=going, other=0).to(tl.int64)
        state = tl.load(table + state.to(tl.int64) * 256 + byte, mask=going, other=0) + tl.where(going, 0, state)
        read += 1
        going = (state >= 0) & (read < length)
    return state


@jit
def _walk_kernel(table, ends, octets, start, states, by_rank, tokens, TOKENS: constexpr):
    """Which tokens a row's state allows, in the order of their bytes: one word for 32 tokens."""
    row = tl.program_id(0).to(tl.int64)
    block = tl.program_id(1)
    token = block * TOKENS + tl.arange(0, TOKENS)
    inside = token < tokens
    first = tl.load(start + token, mask=inside, other=0)
    length = tl.load(start + token + 1, mask=inside, other=0) - first
    state = tl.load(states + row).to(tl.int32) + tl.zeros([TOKENS], tl.int32)
    state = _read(table, octets, tl.where(inside, state, -1), first, length)
    allowed = tl.load(ends + state, mask=state >= 0, other=0) > 0
    bits = tl.reshape(allowed.to(tl.int32), [TOKENS // 32, 32]) << tl.arange(0, 32)[None, :]
    word = tl.arange(0, TOKENS // 32)
    at = by_rank + (row * tl.num_programs(1) + block) * (TOKENS // 32) + word
    tl.store(at, tl.sum(bits, axis=1))


@jit
def _place_kernel(by_rank, rank, states, ends, packed, size, words, row_words, WORDS: constexpr):
    """The masks of `_walk_kernel` put into the order of the token ids, with eos."""
    row = tl.program_id(0).to(tl.int64)
    word = tl.program_id(1) * WORDS + tl.arange(0, WORDS)
    token = word[:, None] * 32 + tl.arange(0, 32)[None, :]
    place = tl.load(rank + token, mask=token < size, other=-1)
    word_of_place = tl.load(by_rank + row * row_words + (place >> 5), mask=place >= 0, other=0)
    state = tl.load(states + row)
    stop = (tl.load(ends + state, mask=state >= 0, other=0) >> 1).to(tl.int32)
    bit = tl.where(place >= 0, (word_of_place >> (place & 31)) & 1, tl.where(place == -2, stop, 0))
    tl.store(packed + row * words + word, tl.sum(bit << tl.arange(0, 32)[None, :], axis=1), mask=word < words)
