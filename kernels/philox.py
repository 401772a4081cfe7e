"""Random numbers that depend on their key alone: Philox4x32-10, the same bits in Python and in kernels.

Salmon et al. 2011, "Parallel Random Numbers: As Easy as 1, 2, 3".

A *key* is (stream, position, attempt): 64 bits that say whose randomness it is, and two numbers below 2³². Its uniform
number is 53 bits of one Philox block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .launch import jit, tl

Key = tuple[int, int, int]
Word = Any  # an int below 2³², or an array of such, uint64
MANY_KEYS = 24  # from so many keys on, numpy is faster than a loop
# For up to so many keys it takes hardly longer to make the numbers of some steps together than those of one.
FEW_KEYS, AHEAD = 128, 8

_MASK = 0xFFFFFFFF
_ROUNDS = 10


def schedule(low: Word, high: Word) -> tuple[tuple[Word, Word], ...]:
    """The two words of a key, round by round."""
    return tuple(((low + i * 0x9E3779B9) & _MASK, (high + i * 0xBB67AE85) & _MASK) for i in range(_ROUNDS))


def block(keys: tuple[tuple[Word, Word], ...], c0: Word, c1: Word, c2: Word, c3: Word) -> tuple[Word, Word, Word, Word]:
    """One block of four words, of a key's schedule and a counter of four words."""
    for k0, k1 in keys:
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & _MASK, (a >> 32) ^ c3 ^ k1, a & _MASK
    return c0, c1, c2, c3


def uniform(key: Key) -> float:
    """The number in [0, 1) that belongs to a key: a multiple of 2⁻⁵³."""
    stream, position, attempt = key
    return _uniform(_schedule_of(stream), position, attempt)


def uniforms(keys: Sequence[Key]) -> list[float]:
    """The numbers that belong to many keys."""
    if len(keys) < MANY_KEYS:
        return list(map(uniform, keys))
    if len(keys) > FEW_KEYS:
        stream, position, attempt = np.array(keys, np.uint64).T
        return _uniform(schedule(stream & _MASK, stream >> 32), position, attempt).tolist()
    streams, positions, attempts = zip(*keys, strict=True)
    step = positions[0] % AHEAD
    return list(_uniforms_ahead(streams, tuple([position - step for position in positions]), attempts)[step])


def uniforms_at(stream: int, positions: np.ndarray) -> np.ndarray:
    """The numbers of one stream at many positions: integers of any shape → float64."""
    return _uniform(schedule(stream & _MASK, stream >> 32), positions.astype(np.uint64), 0)


@lru_cache(maxsize=4)
def _uniforms_ahead(
    streams: tuple[int, ...], positions: tuple[int, ...], attempts: tuple[int, ...]
) -> list[list[float]]:
    """The numbers of keys, and of those of the next steps, in which each position is one further: `[AHEAD, keys]`."""
    stream, attempt = np.array(streams, np.uint64), np.array(attempts, np.uint64)
    steps = np.arange(AHEAD)[:, None]
    position = (np.array(positions) + steps).astype(np.uint64) & _MASK
    return _uniform(schedule(stream & _MASK, stream >> 32), position, attempt + 0 * position).tolist()


def random_key(seed: int, lineage: tuple[int, ...], position: int, attempt: int, purpose: str = "at") -> Key:
    """The key of one random number: a stream, 64 bits of BLAKE2b of (seed, lineage, purpose), and a place in it."""
    return _stream(seed, lineage, purpose), position, attempt


@lru_cache(maxsize=1 << 12)
def _stream(seed: int, lineage: tuple[int, ...], purpose: str) -> int:
    key = ",".join(map(str, (seed, *lineage, purpose)))
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little")


def keys_on(keys: Sequence[Key] | Tensor, device: torch.device) -> Tensor:
    """Keys on a device, int64 `[rows, 3]`."""
    return keys.contiguous() if isinstance(keys, Tensor) else torch.from_numpy(signed(keys)).to(device)


def signed(keys: Sequence[Key]) -> np.ndarray:
    """Keys as int64 `[rows, 3]`: the 64 bits of a stream are taken as a signed number."""
    return np.array(keys, np.uint64).view(np.int64).reshape(-1, 3)


@lru_cache(maxsize=1 << 12)  # a row draws from one stream all the time
def _schedule_of(stream: int) -> tuple[tuple[int, int], ...]:
    return schedule(stream & _MASK, stream >> 32 & _MASK)


def _uniform(keys: tuple[tuple[Word, Word], ...], position: Word, attempt: Word) -> Any:
    zero = position & 0
    high, low, _, _ = block(keys, position, attempt, zero, zero)
    return ((high >> 5) * 2.0**26 + (low >> 6)) * 2.0**-53


@jit
def uniform_of(stream, position, attempt):
    """`uniform` in a kernel: int64, of any shape → float64."""
    first = position.to(tl.uint32)
    zero = tl.zeros_like(first)
    high, low, _, _ = tl.philox(stream, first, attempt.to(tl.uint32), zero, zero)
    return ((high >> 5).to(tl.float64) * 67108864.0 + (low >> 6).to(tl.float64)) * 1.1102230246251565e-16
