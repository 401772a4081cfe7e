"""The arrays of one batch of llama.cpp, filled by numpy: a loop over tokens would take longer than the pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from outlines_cont.engines.llama_cpp.library import Batch


class BatchArrays:
    """Token ids, positions, sequences and outputs of at most `most_tokens` tokens, `most_outputs` of them with logits.

    twins: each token of a sequence is also of the sequence of that number and this (see `sequences.py`); 0: it is not.

    Attributes:
        batch: what `llama_decode` takes, once it is filled.
        outputs: after how many of its tokens logits are wanted, once it is filled.
    """

    def __init__(self, most_tokens: int, most_outputs: int, twins: int = 0):
        self.most_tokens, self.most_outputs, self._twins = most_tokens, most_outputs, twins
        self._tokens, self._positions, self._sizes = np.zeros((3, most_tokens), np.int32)
        self._single = np.zeros((most_tokens, 2 if twins else 1), np.int32)  # of tokens of one sequence, with its twin
        self._outputs = np.zeros(most_tokens, np.int8)
        self._lists = np.zeros(most_tokens, np.uint64)  # the address of each token's sequences
        self._single_lists = self._single.ctypes.data + self._single.strides[0] * np.arange(
            most_tokens, dtype=np.uint64
        )
        self._many: np.ndarray | None = None  # sequences of tokens that have several
        self.batch = Batch(
            0,
            self._tokens.ctypes.data,
            None,
            self._positions.ctypes.data,
            self._sizes.ctypes.data,
            self._lists.ctypes.data,
            self._outputs.ctypes.data,
        )
        self.clear()

    def clear(self) -> None:
        """Begin a new batch."""
        self._ids: list[int] = []
        self._begins: list[int] = []  # the position of the first token of each run
        self._counts: list[int] = []
        self._sequences: list[list[int]] = []
        self._wanted: list[int] = []
        self.outputs = 0

    @property
    def added(self) -> int:
        """How many tokens were added."""
        return len(self._ids)

    def add(self, ids: Sequence[int], position: int, wanted: Sequence[int], sequences: list[int]) -> int:
        """Add tokens from a position on, with logits after the `wanted` of them; returns how many had room.

        The list of sequences is read when the batch is filled: until then it may grow.
        """
        start, room = len(self._ids), min(len(ids), self.most_tokens - len(self._ids))
        if len(self._wanted) + len(wanted) > self.most_outputs:
            room = min(room, wanted[self.most_outputs - len(self._wanted)])
        if room:
            self._ids += ids if room == len(ids) else ids[:room]
            self._begins.append(position)
            self._counts.append(room)
            self._sequences.append(sequences)
            self._wanted += [start + token for token in wanted if token < room]
        return room

    def fill(self) -> None:
        """Write what was added into the arrays."""
        count, runs = len(self._ids), len(self._counts)
        self._tokens[:count] = self._ids
        sizes = None if runs == count else np.array(self._counts)
        self._positions[:count] = self._begins if sizes is None else spread(np.array(self._begins), sizes)
        self._outputs[:count] = 0
        self._outputs[self._wanted] = 1
        if max(map(len, self._sequences)) == 1:
            single = [sequences[0] for sequences in self._sequences]
            self._fill_single(count, single if sizes is None else np.repeat(single, sizes))
        else:
            self._fill_many(count)
        self.batch.n_tokens, self.outputs = count, len(self._wanted)

    def fill_step(
        self, ids: Sequence[int], positions: np.ndarray, sequences: np.ndarray, wanted: Sequence[bool]
    ) -> None:
        """One token for each of some sequences: its id, its position, and whether logits are wanted after it."""
        count = len(ids)
        self._tokens[:count], self._positions[:count] = ids, positions
        self._outputs[:count] = wanted
        self._fill_single(count, sequences)
        self.batch.n_tokens, self.outputs = count, sum(wanted)

    def _fill_single(self, count: int, sequences: Sequence[int] | np.ndarray) -> None:
        """The sequences, where each token has one."""
        self._single[:count, 0] = sequences
        if self._twins:
            self._single[:count, 1] = self._single[:count, 0] + self._twins
        self._sizes[:count] = self._single.shape[1]
        self._lists[:count] = self._single_lists[:count]

    def _fill_many(self, count: int) -> None:
        """The sequences, where tokens have several."""
        counts = np.array(self._counts)
        lists = [np.array(sequences, np.int32) for sequences in self._sequences]
        if self._twins:
            lists = [np.concatenate([sequences, sequences + np.int32(self._twins)]) for sequences in lists]
        sizes = np.repeat([len(sequences) for sequences in lists], counts)
        parts = [np.tile(sequences, n) for sequences, n in zip(lists, self._counts, strict=True)]
        self._many = np.concatenate(parts)
        self._sizes[:count] = sizes
        self._lists[:count] = self._many.ctypes.data + 4 * (np.cumsum(sizes) - sizes).astype(np.uint64)


def spread(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """`[3, 7]` with sizes `[2, 3]` → `[3, 4, 7, 8, 9]`: runs of numbers that count up."""
    ends = np.cumsum(sizes)
    return np.repeat(begins - (ends - sizes), sizes) + np.arange(ends[-1])
