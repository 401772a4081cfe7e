"""Packed token masks: one bit for each token of a vocabulary.

A mask is int32 [(V + 31) // 32]; bit t % 32 of word t // 32 says that token t is allowed. (The layout that xgrammar and
llguidance share.)
"""

from __future__ import annotations

import numpy as np


def pack(allowed: np.ndarray) -> np.ndarray:
    """bool [V] → int32 [(V + 31) // 32], read-only.

    >>> pack(np.array([False, True, True]))
    array([6], dtype=int32)
    """
    packed = np.zeros((len(allowed) + 31) // 32 * 4, np.uint8)
    bits = np.packbits(allowed, bitorder="little")
    packed[: len(bits)] = bits
    mask = packed.view("<i4").astype(np.int32, copy=False)
    mask.flags.writeable = False
    return mask


def unpack(mask: np.ndarray, size: int) -> np.ndarray:
    """int32 [(V + 31) // 32] → bool [V], for a vocabulary of `size` tokens.

    >>> unpack(np.array([6], np.int32), 3)
    array([False,  True,  True])
    """
    return np.unpackbits(mask.astype("<i4").view(np.uint8), count=size, bitorder="little").astype(bool)
