"""The keys of `state[batch, sample, token]` → batch rows, samples and tokens. This file knows shapes, not states."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown

AXES = ("batch", "sample", "token")
#: What the last key counts, and how the user writes the keys then.
WRITTEN = {"token": "state", "character": "state.chars"}


class Selection(NamedTuple):
    """Which batch rows and samples (positions, outer product) and which tokens of each row (an int or a slice)."""

    batch: Sequence[int]
    sample: Sequence[int]
    token: int | slice

    @property
    def repeats(self) -> bool:
        """Whether a row is selected twice."""
        return any(len(set(axis)) < len(axis) for axis in (self.batch, self.sample) if not isinstance(axis, range))


def select(key: Any, shape: tuple[int, int, int], unit: str = "token") -> Selection:
    """Read `state[key]`.

    `...` fills as in numpy; with fewer keys than three and no `...`, leading axes of size 1 may be left out.
    IndexError when the keys do not fit the shape, with the keys that would. unit: what the last key counts.
    """
    batch, sample, token = _expand(key, shape, unit)
    return Selection(_positions(batch, shape[0], 0), _positions(sample, shape[1], 1), _token(token, unit))


def token_range(key: int | slice, length: int, unit: str = "token") -> range:
    """The positions of one row that a token key means, as Python indexes and slices a list of this length."""
    if isinstance(key, slice):
        return range(length)[_sliceable(key, unit)]
    if not -length <= key < length:
        raise IndexError(f"{unit} {key} is out of range for a row of {length} {unit}s")
    key %= length
    return range(key, key + 1)


def character_range(key: int | slice, length: int) -> tuple[int, int]:
    """The first character of one row that a key means, and the one after the last, as Python indexes a str.

    Slices are not clipped: what lies below 0 means the beginning of the row, and what lies beyond `length` its end.
    """
    if not isinstance(key, slice):
        at = token_range(key, length, "character").start
        return at, at + 1
    if key.step not in (None, 1):
        raise IndexError(f"state.chars[..., {_show([key])}]: characters are cut out side by side, without a step")
    _sliceable(key, "character")
    start, stop = (
        operator.index(default if at is None else at) for at, default in ((key.start, 0), (key.stop, sys.maxsize))
    )
    return start + length * (start < 0), stop + length * (stop < 0)


def _expand(key: Any, shape: tuple[int, int, int], unit: str) -> list[Any]:
    """A key for each of the three axes."""
    keys = list(key) if isinstance(key, tuple) else [key]
    _check_no_name(key, unit)
    dots = sum(k is Ellipsis for k in keys)
    full = slice(None)
    if dots > 1:
        raise IndexError(f"{WRITTEN[unit]}[{_show(keys)}] holds '...' twice; once is enough")
    if dots:
        at = next(i for i, k in enumerate(keys) if k is Ellipsis)
        missing = 3 - (len(keys) - 1)
        if missing >= 0:
            return keys[:at] + [full] * missing + keys[at + 1 :]
    elif len(keys) == 3:
        return keys
    elif len(keys) == 2 and shape[0] == 1:
        return [full, *keys]
    elif len(keys) == 2 and shape[1] == 1:
        return [keys[0], full, keys[1]]
    elif len(keys) == 1 and shape[0] == shape[1] == 1:
        return [full, full, *keys]
    raise IndexError(
        f"{WRITTEN[unit]}[{_show(keys)}] does not fit the shape {shape} (batch, sample, token); "
        f"use {_hint(shape, unit)}{_example(keys, shape, unit)}"
    )


def _check_no_name(key: Any, unit: str) -> None:
    """IndexError for the name of a step, or a text, as a key."""
    if isinstance(key, str):
        raise IndexError(
            f"{WRITTEN[unit]}[{shown(key)}]: the keys are [batch, sample, {unit}]; what a named step wrote is "
            f"in state.captures[{shown(key)}], and state.up_to({shown(key)}) cuts at a text"
        )


def _hint(shape: tuple[int, int, int], unit: str) -> str:
    """The keys that fit a shape."""
    written = WRITTEN[unit]
    short = f"{written}[{unit}], " if shape[0] == shape[1] == 1 else ""
    if shape[0] == 1:
        short += f"{written}[sample, {unit}], "
    elif shape[1] == 1:
        short += f"{written}[batch, {unit}], "
    return f"{short}{written}[batch, sample, {unit}] or {written}[..., {unit}]"


def _example(keys: list[Any], shape: tuple[int, int, int], unit: str) -> str:
    """What to write for one or two keys that are all there are, on the first axis that has more than one place."""
    if not 1 <= len(keys) <= 2 or any(key is None or key is Ellipsis for key in keys):
        return ""
    if len(keys) == 2:
        return f": here {WRITTEN[unit]}[{_show(keys)}, :]"
    rows = [*keys, slice(None), slice(None)] if shape[0] > 1 else [slice(None), *keys, slice(None)]
    axis = AXES[0] if shape[0] > 1 else AXES[1]
    example = f": here {WRITTEN[unit]}[{_show(rows)}] ({axis})"
    if isinstance(keys[0], (int, slice)) and not isinstance(keys[0], bool):  # lists of tokens are refused
        example += f" or {WRITTEN[unit]}[{_show([..., *keys])}] ({unit}s)"
    return example


def _positions(key: Any, size: int, axis: int) -> Sequence[int]:
    """The positions on the batch or sample axis that a key selects."""
    if isinstance(key, slice):
        return range(size)[_sliceable(key, AXES[axis])]
    if isinstance(key, (Tensor, np.ndarray, np.generic)):
        key = _array_as_list(key, size, axis)
    if not isinstance(key, list):
        return [_position(key, size, axis)]
    if key and all(isinstance(k, bool) for k in key):
        _check_mask_length(len(key), size, axis)
        return [i for i, keep in enumerate(key) if keep]
    if all(type(k) is int and 0 <= k < size for k in key):
        return key
    return [_position(k, size, axis) for k in key]


def _array_as_list(key: Any, size: int, axis: int) -> Any:
    """A tensor or an array as a list; an int, if it has no axes."""
    if key.ndim > 1:
        raise IndexError(f"the {AXES[axis]} key has {key.ndim} dimensions; a list of ints has one")
    if key.ndim and "bool" in str(key.dtype):
        _check_mask_length(len(key), size, axis)
    if not any(kind in str(key.dtype) for kind in ("int", "bool")):
        raise IndexError(f"the {AXES[axis]} key is of {key.dtype}; use ints or bools")
    return plain(key)


def _sliceable(key: slice, axis: str) -> slice:
    """A slice of ints. TypeError or ValueError for any other, as of a list."""
    if not all(part is None or is_whole(part) for part in (key.start, key.stop, key.step)):
        raise TypeError(f"the {axis} key is {shown(key)}: slice indices must be integers or None")
    if key.step == 0:
        raise ValueError(f"the {axis} key is {shown(key)}: slice step cannot be zero")
    return key


def _check_mask_length(length: int, size: int, axis: int) -> None:
    if length != size:
        raise IndexError(f"the {AXES[axis]} mask has {length} entries; the axis has {size}")


def _position(key: Any, size: int, axis: int) -> int:
    if isinstance(key, bool):
        raise IndexError(f"the {AXES[axis]} key is {key!r}; use an int, a slice, or a list of ints or bools")
    try:
        index = operator.index(key)
    except TypeError:
        raise IndexError(
            f"the {AXES[axis]} key is {shown(key)} ({type(key).__name__}); use an int, a slice or a list of ints"
        ) from None
    if not -size <= index < size:
        raise IndexError(f"{AXES[axis]} {index} is out of range for an axis of size {size}")
    return index % size


def _token(key: Any, unit: str) -> int | slice:
    if isinstance(key, slice):
        return key
    try:
        if getattr(key, "ndim", 0) or not is_whole(key):
            raise TypeError
        return operator.index(key)
    except TypeError:
        raise IndexError(
            f"the {unit} key is {shown(key)} ({type(key).__name__}); use an int or a slice of each row's {unit}s"
        ) from None


def _show(keys: list[Any]) -> str:
    def one(key: Any) -> str:
        if key is Ellipsis:
            return "..."
        if isinstance(key, slice):
            parts = [key.start, key.stop, *([key.step] if key.step is not None else [])]
            return ":".join("" if part is None else shown(part) for part in parts)
        return shown(key)

    return ", ".join(map(one, keys))
