"""An engine whose memory is of a fixed size, and that notices when the KV tree asks for more or keeps no account.

It computes no attention: the logits after a token are a hash of all tokens that its slots hold. So a slot that was
given to another token gives other logits. It keeps its tokens in sequences, one for each node of the tree, as llama.cpp
does: a run at the end of a sequence goes on in it, every other run, and each one that is read again, begins a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.radix_tree import Tree


def law(ids: tuple[int, ...], count: int) -> Tensor:
    """The logits after some tokens: `[count]`."""
    seed = int.from_bytes(blake2b(repr(ids).encode(), digest_size=4).digest(), "little")
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(count, np.float32)) * 3


def digest(ids: tuple[int, ...]) -> int:
    return int.from_bytes(blake2b(repr(ids).encode(), digest_size=4).digest(), "little", signed=True)


class FixedPool:
    """Slots of an engine; all its pools share them."""

    slot_bytes, roomy = 8, False

    def __init__(self, engine: FixedEngine):
        self.engine, self.taken = engine, set[int]()
        self.limit: int | None = None

    @property
    def used(self) -> int:
        return len(self.taken)

    @property
    def nbytes(self) -> int:
        return 8 * (self.engine.slots or len(self.taken))

    @property
    def most_slots(self) -> int | None:
        engine = self.engine
        return None if engine.slots is None else engine.slots - len(engine.memory) + self.used

    @property
    def most_nodes(self) -> int | None:
        others = {held[1] for slot, held in self.engine.memory.items() if held and slot not in self.taken}
        return None if self.engine.nodes is None else self.engine.nodes - len(others)

    def take(self, count: int) -> np.ndarray:
        engine = self.engine
        assert engine.slots is None or len(engine.memory) + count <= engine.slots, "the memory is full"
        slots = [slot for slot in range(len(engine.memory) + count) if slot not in engine.memory][:count]
        self.taken |= {*slots}
        engine.memory |= dict.fromkeys(slots)
        return np.array(slots, np.int64)

    def give(self, slots: Sequence[int] | np.ndarray) -> None:
        for slot in map(int, slots):
            self.taken.remove(slot)
            self.engine.free(slot)

    def squeeze(self) -> np.ndarray:
        raise AssertionError("tokens do not move")

    def close(self) -> None:
        self.give(sorted(self.taken))


class FixedEngine:
    """slots, nodes: how many its memory has; None for any number."""

    context_length, device, dtype, eos = 200, torch.device("cpu"), torch.float32, ()

    def __init__(self, n_vocab: int, slots: int | None = None, nodes: int | None = None):
        self.n_vocab, self.slots, self.nodes = n_vocab, slots, nodes
        self.memory: dict[int, Any] = {}  # taken slot → (all tokens up to it, its sequence)
        self.sequences: dict[int, set[int]] = {}  # → the positions of its own tokens
        self.next = 0
        self.most_seen = 0

    def pool(self) -> FixedPool:
        return FixedPool(self)

    def free(self, slot: int) -> None:
        held = self.memory.pop(slot)
        if held is not None:
            ids, sequence = held
            self.sequences[sequence].remove(len(ids) - 1)
            if not self.sequences[sequence]:
                del self.sequences[sequence]

    def forward(self, tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        lines, again = [], 0
        for run in runs:
            above = [self.memory[int(slot)] for slot in run.slots_above(tree)]
            ids, sequence = above[-1] if above else ((), None)
            wanted = {*run.wanted_tokens()}  # before anything changes: an interrupt may come
            assert len(ids) == run.depth and [held[0] for held in above] == [ids[: i + 1] for i in range(len(ids))]
            if run.stored:
                if sequence is None or max(self.sequences[sequence]) != run.depth - 1:
                    sequence, self.next = self.next, self.next + 1
                self.sequences.setdefault(sequence, set()).update(range(run.depth, run.depth + len(run.ids)))
            else:
                again += len(run.ids)
            assert run.slots is not None and len(run.slots) == len(run.ids)
            for i, (slot, token) in enumerate(zip(run.slots, run.ids, strict=True)):
                ids = (*ids, int(token))
                if run.stored:
                    assert self.memory[int(slot)] is None, "a slot is overwritten"
                    self.memory[int(slot)] = ids, sequence
                else:
                    assert self.memory[int(slot)][0] == ids, "read again at another place"
                if i in wanted:
                    lines.append(self.law(ids))
        scratch = sum(not run.stored for run in runs)
        assert self.slots is None or len(self.memory) + again <= self.slots
        assert self.nodes is None or len(self.sequences) + scratch <= self.nodes, "too many sequences"
        self.most_seen = max(self.most_seen, len(self.sequences) + scratch)
        return torch.stack(lines) if lines else torch.empty(0, self.n_vocab), 1

    def law(self, ids: tuple[int, ...]) -> Tensor:
        return law(ids, self.n_vocab)

    def kv_layout(self) -> str:
        return type(self).__name__

    def copied(self, tree: Tree, slots: np.ndarray) -> dict[str, Tensor]:
        """Of each slot the whole row up to it, as a digest."""
        return {"rows": torch.tensor([digest(self.memory[int(slot)][0]) for slot in slots], dtype=torch.int32)}

    def put(self, tree: Tree, run: TokenRun, copies: dict[str, Tensor], start: int) -> None:
        above = [self.memory[int(slot)][0] for slot in tree.slots(run.base)]
        row = (*(above[-1] if above else ()), *map(int, run.ids))
        right = [digest(row[: run.depth + i + 1]) for i in range(len(run.ids))]
        assert copies["rows"][start : start + len(run.ids)].tolist() == right, "copies of another row"
        self.forward(tree, [run])

    def version(self) -> int:
        return 0

    def identity(self) -> str:
        return "fixed"
