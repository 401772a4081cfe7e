"""Packed token masks: int32 `[rows, (V + 31) // 32]`, bit `t % 32` of word `t // 32` says whether token t is allowed.

The layout is the one xgrammar and llguidance share.
"""

from __future__ import annotations

from functools import cache

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


def penalties(packed: np.ndarray, out: Tensor) -> Tensor:
    """int32 `[rows, words]` → out, float32 `[rows, W]`, W ≥ 32 * words: 0 where a token is allowed, −inf where not.

    To look them up by eights and add them to logits costs a tenth of `masked_fill`, which branches at every token.
    """
    octets = np.zeros((len(packed), out.shape[1] // 8), np.int32)
    octets[:, : 4 * packed.shape[1]] = packed.view(np.uint8)
    index = torch.from_numpy(octets).to(out.device).flatten()
    torch.index_select(_penalties_of_octets(out.device), 0, index, out=out.view(-1, 8))
    return out


@cache
def _penalties_of_octets(device: torch.device) -> Tensor:
    """float32 `[256, 8]`."""
    allowed = unpack(torch.arange(256, dtype=torch.int32)[:, None], 8)
    return torch.zeros(256, 8).masked_fill(~allowed, -torch.inf).to(device)
