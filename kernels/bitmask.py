"""Packed token masks: int32 `[rows, (V + 31) // 32]`, bit `t % 32` of word `t // 32` says whether token t is allowed.

The layout is the one xgrammar and llguidance share.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def unpack(packed: Tensor, size: int) -> Tensor:
    """int32 `[rows, (size + 31) // 32]` → bool `[rows, size]`."""
    if packed.device.type == "cpu":  # numpy unpacks bytes some thirty times as fast
        octets = packed.contiguous().numpy().view(np.uint8)
        return torch.from_numpy(np.unpackbits(octets, axis=-1, count=size, bitorder="little").view(bool))
    bits = torch.arange(32, dtype=torch.int32, device=packed.device)
    return ((packed[..., None] >> bits) & 1).flatten(-2)[..., :size].bool()
