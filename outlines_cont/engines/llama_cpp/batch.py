"""The arrays of one batch of llama.cpp, filled by numpy: a loop over tokens would take longer than the pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from outlines_cont.engines.llama_cpp.library import Batch


class BatchArrays:
    """Token ids, positions, sequences and outputs of at most `most_tokens` tokens, `most_outputs` of them with logits.

    Attributes:
        batch: what `llama_decode` takes, once it is filled.
        outputs: after how many of its tokens logits are wanted, once it is filled.
    """

    def __init__(self, most_tokens: int, most_outputs: int):
        self.most_tokens, self.most_outputs = most_tokens, most_outputs
        self._tokens, self._positions, self._sizes, self._single = np.zeros((4, most_tokens), np.int32)
        self._outputs = np.zeros(most_tokens, np.int8)
        self._lists = np.zeros(most_tokens, np.uint64)  # the address of each token's sequences
        self._single_lists = self._single.ctypes.data + 4 * np.arange(most_tokens, dtype=np.uint64)
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
            self._single[:count] = single if sizes is None else np.repeat(single, sizes)
            self._sizes[:count] = 1
            self._lists[:count] = self._single_lists[:count]
        else:
            self._fill_many(count)
        self.batch.n_tokens, self.outputs = count, len(self._wanted)

    def fill_step(
        self, ids: Sequence[int], positions: np.ndarray, sequences: np.ndarray, wanted: Sequence[bool]
    ) -> None:
        """One token for each of some sequences: its id, its position, and whether logits are wanted after it."""
        count = len(ids)
        self._tokens[:count], self._positions[:count], self._single[:count] = ids, positions, sequences
        self._outputs[:count] = wanted
        self._sizes[:count] = 1
        self._lists[:count] = self._single_lists[:count]
        self.batch.n_tokens, self.outputs = count, sum(wanted)

    def _fill_many(self, count: int) -> None:
        """The sequences, where tokens have several."""
        counts = np.array(self._counts)
        sizes = np.repeat([len(sequences) for sequences in self._sequences], counts)
        parts = [np.tile(np.array(s, np.int32), n) for s, n in zip(self._sequences, self._counts, strict=True)]
        self._many = np.concatenate(parts)
        self._sizes[:count] = sizes
        self._lists[:count] = self._many.ctypes.data + 4 * (np.cumsum(sizes) - sizes).astype(np.uint64)


def spread(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """`[3, 7]` with sizes `[2, 3]` → `[3, 4, 7, 8, 9]`: runs of numbers that count up."""
    ends = np.cumsum(sizes)
    return np.repeat(begins - (ends - sizes), sizes) + np.arange(ends[-1])
