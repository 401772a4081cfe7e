"""Laws that kernels compute, from logits and masks that stay on their device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .laws import NO_STOPS, Option, check_totals
from .likeliest import likeliest
from .philox import Key
from .rows import NEG_INF, Rows
from .sampling import sample


@dataclass(frozen=True, eq=False)
class FusedLaw:
    """A law (see `laws.Candidates`) without arrays: a few numbers a row come to the host, in one copy.

    keys: those by which it will be drawn, if that is known, and the same on the device (see `philox.keys_on`).
    filters: temperature, top_k, top_p and min_p, which `warped` sets. Only `drawn` applies them.
    """

    rows: Rows
    keys: tuple[Sequence[Key], Tensor] | None = None
    filters: tuple[float, int | None, float | None, float | None] = (1.0, None, None, None)

    @property
    def stop(self) -> int:
        return self.rows.logits.shape[1]

    def __len__(self) -> int:
        return len(self.rows.logits)

    def greedy(self) -> list[Option]:
        return self._options(sample(self.rows, None))

    def drawn(self, keys: Sequence[Key]) -> list[Option]:
        there = self.keys[1] if self.keys and self.keys[0] == keys else keys
        return self._options(sample(self.rows, there, *self.filters))

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> FusedLaw:
        return FusedLaw(self.rows, self.keys, (temperature, top_k, top_p, min_p))

    def row(self, index: int) -> FusedLaw:
        logits, masks, places, ending, stops = self.rows
        here = slice(index, index + 1)
        return FusedLaw(Rows(logits[here], masks, places[here], ending[here], stops[here]), None, self.filters)

    def best(self, width: int, rows: Sequence[int] | None = None) -> list[list[Option]]:
        asked = self.rows
        if rows is not None and len(rows) < len(self):
            at = torch.tensor(rows, device=asked.device)
            asked = Rows(asked.logits[at], asked.masks, asked.places[at], asked.ending[at], asked.stops[at])
        ids, numbers = likeliest(asked, min(width, self.stop))
        lines = torch.cat([ids.double(), numbers], -1).tolist()
        check_totals([line[-2] for line in lines], [line[-1] for line in lines])
        options = []
        for line in lines:
            candidates, logits, (total, norm) = line[: ids.shape[1]], line[ids.shape[1] : -2], line[-2:]
            each = zip(map(int, candidates), logits, strict=True)
            options.append([(candidate, logit - total, logit - norm) for candidate, logit in each])
        return options

    @staticmethod
    def _options(draws: Tensor) -> list[Option]:
        """What `sample` gave, on the host: the one copy, and so the one wait for the device."""
        lines = draws.tolist()
        check_totals([line[3] for line in lines], [line[4] for line in lines])
        return [(int(candidate), logprob, proposal) for candidate, logprob, proposal, *_ in lines]


def fused(
    logits: Tensor,
    masks: Tensor,
    places_and_endings: Sequence[Tensor],
    stop_ids: Tensor | None = None,
    given: Mapping[int, Tensor] = NO_STOPS,
    keys: tuple[Sequence[Key], Tensor] | None = None,
) -> FusedLaw:
    """The law that `constrain` gives, by kernels. masks: int32 `[masks, (V + 31) // 32]`, on the device of the logits,
    as the index of each row's mask, and its `endings_of`, both int64; given: the stops of some rows, as there."""
    logits = logits.detach()
    if stop_ids is None:
        stops = torch.full((len(logits),), NEG_INF, dtype=torch.float32, device=logits.device)
    else:
        stops = logits[:, stop_ids].float().logsumexp(-1)
    if given:
        stops[list(given)] = torch.stack([*given.values()])
    return FusedLaw(Rows._make([logits, masks, *places_and_endings, stops]), keys)
