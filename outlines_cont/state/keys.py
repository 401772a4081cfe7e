"""Keys of prompts: the beginning of the lineage by which each row draws its random numbers, as users name it.

The key k, an int, is the lineage (k,): that of the prompt at index k of a call without keys. A str is the lineage
(−1 − h,), where h are the 128 bits of BLAKE2b of its UTF-8 bytes. Every int key is ≥ 0 and every str becomes a negative
number, so no str ever has the lineage of an int, nor of a copy of its row, which begins with the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.errors import BatchMismatch

Key = SupportsIndex | str
Keys = Key | Sequence[Key] | np.ndarray[Any, Any] | Tensor

MOST_KEY = 2**63  # an int key is less: what a column of 64 bits holds
LEAST_LINEAGE = -(2**128)  # a str's
RIGHT = "a key is an int from 0 to 2**63 - 1, or a str; of any other id take the text, str(id)"


def checked_keys(keys: Any) -> tuple[int, ...]:
    """The first number of the lineage of each key: of one key, or of several.

    Raises:
        TypeError: a key, or what holds them, has another type.
        ValueError: a key out of its range, or the same key twice, with both places.
    """
    keys = plain(keys)
    if isinstance(keys, str) or is_whole(keys):
        return (_number(keys, "keys"),)
    if not isinstance(keys, Sequence) or isinstance(keys, (bytes, bytearray, memoryview)):
        raise TypeError(f"keys={shown(keys)}: it takes a list with one key for each prompt, in order; {RIGHT}")
    places: dict[int, int] = {}
    for place, key in enumerate(keys):
        first = places.setdefault(_number(key, f"keys[{place}]"), place)
        if first != place:
            raise ValueError(
                f"keys[{first}] and keys[{place}] are both {shown(key)}: two rows of one call with one key would draw "
                "the same random numbers. Give each prompt a key of its own; for several samples of one prompt, take a "
                "sampler of several samples"
            )
    return tuple(places)


def lineages(keys: tuple[int, ...] | None, count: int, keyed: str = "prompt") -> list[tuple[int, ...]]:
    """The lineage of each of so many prompts: of its key, or of its index where there are no keys.

    BatchMismatch if there are more keys than prompts, or fewer. keyed: what has the keys.
    """
    if keys is not None and len(keys) != count:
        plural = "s" if count != 1 else ""
        raise BatchMismatch(f"keys=: {len(keys)} given for {count} {keyed}{plural}; it takes one for each, in order")
    return [(number,) for number in (range(count) if keys is None else keys)]


def _number(key: Any, name: str) -> int:
    """The first number of the lineage of a key."""
    if isinstance(key, str):
        data = key.encode("utf-8", "surrogatepass")
        return -1 - int.from_bytes(blake2b(data, digest_size=16, person=b"a key, a str").digest(), "little")
    if not is_whole(key):
        raise TypeError(f"{name}={shown(key)} ({type(key).__name__}): {RIGHT}")
    if not 0 <= (number := index(key)) < MOST_KEY:
        raise ValueError(f"{name}={number}: {RIGHT}")
    return number
