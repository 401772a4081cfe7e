"""Packed token masks: int32 `[rows, (V + 31) // 32]`, bit `t % 32` of word `t // 32` says whether token t is allowed.

The layout is the one xgrammar and llguidance share.
"""

from __future__ import annotations

import torch
from torch import Tensor


def unpack(packed: Tensor, size: int) -> Tensor:
    """int32 `[rows, (size + 31) // 32]` → bool `[rows, size]`."""
    bits = torch.arange(32, dtype=torch.int32, device=packed.device)
    return ((packed[..., None] >> bits) & 1).flatten(-2)[..., :size].bool()
