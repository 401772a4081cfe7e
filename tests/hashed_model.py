"""A language model that anybody can read: the logits after some tokens are a hash of all of them, in float64.

`HashedModel` is that and no more: it keeps nothing, and reads every row from its beginning. `HashedSlots` is an engine
with slots of the same logits, whose slots hold tokens: one that was given to another token gives other logits. Equal
tokens give equal logits, bit for bit, whatever is read beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from engines import PlainModel
from fixed_memory import FixedEngine
from torch import Tensor

import outlines_cont as oc

SPREAD = 2.5  # of the logits: the likeliest tokens are far apart
LIKELY_END = 0.1  # about how likely a text ends after a token


class HashedModel(PlainModel):
    """oc.Model(HashedModel(tokenizer, seed, context)) is a model; `law(ids)` are its logits, for whoever checks it."""

    def __init__(self, tokenizer: Any, seed: int, context: int):
        text = oc.Model(tokenizer)
        self.tokenizer, self.seed, self.context_length = tokenizer, seed, context
        self.vocabulary, self.encoder = text.vocabulary, text.encoder
        self.device, self.dtype = torch.device("cpu"), torch.float64
        self.stats = SimpleNamespace(tokens=0, reused=0)
        self.law = lru_cache(4096)(self._law)
        self.identity = self.with_slots().identity  # a state belongs to both

    def _law(self, ids: tuple[int, ...]) -> np.ndarray:
        """The logits after these tokens: float64 `[V]`."""
        digest = blake2b(repr((self.seed, ids)).encode(), digest_size=8).digest()
        size = len(self.vocabulary)
        logits = np.random.default_rng(int.from_bytes(digest, "little")).standard_normal(size) * SPREAD
        logits[[*self.vocabulary.eos]] += np.log(LIKELY_END * size) + SPREAD**2 / 2
        logits.setflags(write=False)
        return logits

    def read(self, needs: Sequence[Any]) -> tuple[Tensor, list[None]]:
        lines = [self.law(need.tokens[: at + 1]) for need in needs for at in need.wanted]
        self.stats.tokens += sum(need.length for need in needs if need.wanted)
        return torch.from_numpy(np.stack(lines) if lines else np.empty((0, len(self.vocabulary)))), [None] * len(needs)

    def with_slots(
        self, slots: int | None = None, nodes: int | None = None, budget: int | None = None, store: Any = None
    ) -> oc.Model:
        """The same with a KV tree. slots, nodes: how many its memory has; budget: how many slots it may fill."""
        engine = HashedSlots(self, slots, nodes)
        limit = None if budget is None else budget * engine.pool().slot_bytes
        return oc.Model(engine, self.tokenizer, kv_budget=limit, store=store)


class HashedSlots(FixedEngine):
    """Its memory notices when the KV tree asks for more than there is, or keeps no account."""

    def __init__(self, model: HashedModel, slots: int | None, nodes: int | None):
        super().__init__(len(model.vocabulary), slots, nodes)
        self.model, self.context_length, self.dtype = model, model.context_length, torch.float64

    def law(self, ids: tuple[int, ...]) -> Tensor:
        return torch.from_numpy(self.model.law(ids).copy())

    def identity(self) -> str:
        return f"hashed {self.model.seed} {self.model.context_length}"
