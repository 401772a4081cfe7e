"""What two sequences begin with in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def common_length(a: Sequence[Any], b: Sequence[Any]) -> int:
    """How many items two sequences begin with in common.

    >>> from outlines_cont.prefixes import common_length
    >>> common_length((1, 2, 3), (1, 2, 4, 5)), common_length(b"ab", b"abc"), common_length([1], (1, 2))
    (2, 2, 1)
    """
    number = min(len(a), len(b))
    if a[:number] == b[:number]:  # in C; sequences of two types go on below
        return number
    return next((k for k in range(number) if a[k] != b[k]), number)
