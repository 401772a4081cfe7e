"""The input of masked sampling: logits, packed token masks, and the worth of each row's stop.

A *candidate* is a token or the stop, which is candidate V.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import torch
from torch import Tensor

from . import bitmask

NEG_INF = -inf
# The logit of a row's stop: there is none; the log-sum-exp of all tokens that are not allowed; or a given number.
NO_STOP, ELSEWHERE, GIVEN = 0, 1, 2
AT_ONCE = 1 << 18  # numbers whose exponentials stay in the caches of a host
MANY_AT_ONCE = 1 << 26  # numbers for which a device has room


def in_parts(logits: Tensor) -> Sequence[Tensor]:
    """The rows of `[rows, n]`, some at a time."""
    return logits.split(rows_at_once(logits))


def rows_at_once(logits: Tensor) -> int:
    """How many rows of `[rows, n]` are computed at once, at least 1."""
    return max((AT_ONCE if logits.device.type == "cpu" else MANY_AT_ONCE) // max(logits.shape[-1], 1), 1)


class Rows(NamedTuple):
    """Rows to draw candidates from. Everything is on one device.

    logits: `[rows, V]`, any float dtype and any strides.
    masks: int32 `[masks, (V + 31) // 32]`, see `bitmask`.
    places: int64 `[rows]`: the index of each row's mask.
    ending: int64 `[rows]`: NO_STOP, ELSEWHERE or GIVEN.
    stops: float32 `[rows]`: the stop's own logit, where it is GIVEN.
    """

    logits: Tensor
    masks: Tensor
    places: Tensor
    ending: Tensor
    stops: Tensor

    @property
    def device(self) -> torch.device:
        return self.logits.device

    def checked(self) -> Rows:
        """These rows with contiguous vectors. ValueError if a shape or a dtype is not as documented here."""
        count, size = self.logits.shape
        bitmask.checked(self.masks, size)
        dtypes = {"places": torch.int64, "ending": torch.int64, "stops": torch.float32}
        for name, dtype in dtypes.items():
            vector = getattr(self, name)
            if vector.shape != (count,) or vector.dtype != dtype:
                raise ValueError(f"{name} are {vector.dtype} {list(vector.shape)}: they must be {dtype} [{count}]")
        return Rows(self.logits, self.masks, *(getattr(self, name).contiguous() for name in dtypes))
