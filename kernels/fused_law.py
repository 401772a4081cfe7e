"""Laws that kernels compute, from logits and masks that stay on their device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .laws import NO_STOPS, Option, check_totals, endings_of
from .likeliest import likeliest
from .philox import Key
from .rows import NEG_INF, Rows
from .sampling import sample


@dataclass(frozen=True, eq=False)
class FusedLaw:
    """A law (see `laws.Candidates`) without arrays: a few numbers a row come to the host, in one copy.

    filters: temperature, top_k, top_p and min_p, which `warped` sets. Only `drawn` applies them.
    """

    rows: Rows
    filters: tuple[float, int | None, float | None, float | None] = (1.0, None, None, None)

    @property
    def stop(self) -> int:
        return self.rows.logits.shape[1]

    def __len__(self) -> int:
        return len(self.rows.logits)

    def greedy(self) -> list[Option]:
        return self._options(sample(self.rows, None))

    def drawn(self, keys: Sequence[Key]) -> list[Option]:
        return self._options(sample(self.rows, keys, *self.filters))

    def warped(
        self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None
    ) -> FusedLaw:
        return FusedLaw(self.rows, (temperature, top_k, top_p, min_p))

    def row(self, index: int) -> FusedLaw:
        logits, masks, places, ending, stops = self.rows
        here = slice(index, index + 1)
        return FusedLaw(Rows(logits[here], masks, places[here], ending[here], stops[here]), self.filters)

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
    places: Sequence[int],
    may_stop: Sequence[bool],
    stop_ids: Tensor | None = None,
    at_ids: Sequence[bool] | None = None,
    given: Mapping[int, Tensor] = NO_STOPS,
) -> FusedLaw:
    """The law that `constrain` gives, by kernels. masks: int32 `[masks, (V + 31) // 32]`, on the device of the logits;
    places: the index of each row's mask; given: the stops of some rows, as there."""
    logits = logits.detach()
    endings = endings_of(may_stop, [stop_ids is not None] * len(logits) if at_ids is None else at_ids, given)
    per_row = torch.tensor([list(places), endings], device=logits.device)
    if stop_ids is None:
        stops = torch.full((len(logits),), NEG_INF, dtype=torch.float32, device=logits.device)
    else:
        stops = logits[:, stop_ids].float().logsumexp(-1)
    if given:
        stops[list(given)] = torch.stack([*given.values()])
    return FusedLaw(Rows(logits, masks, per_row[0], per_row[1], stops))
