"""The attention of one pass as a list of work items, which `prefix_attention.py` computes in one launch.

An item is some queries, some keys, and the place of its outputs. A query may be in several items; its attention is
the merge of their outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .launch import power_of_2

# The columns of `AttentionWork.items`.
FIRST_QUERY, QUERIES, FIRST_KEY, KEYS, MASK, STRIDE, DIAGONAL, OUTPUT = range(8)
EVERYTHING = 1 << 30  # as a diagonal: queries see all keys
NARROW, WIDE = 16, 64  # so many rows (queries × heads that share keys) go to one program, if there are few or many
SHORTEST = 256  # keys: items are not cut below that
FILLING = np.zeros(16, np.uint8)


class AttentionBlock(NamedTuple):
    """B groups of n queries, each of which sees some of its group's L keys.

    queries: int64 `[B, n]`; filled: bool `[B, n]`, which of them count, or None if all do.
    slots: int64 `[B, L]`, where the keys and values lie.
    mask: bool `[B or 1, n, L]`, or None if every query sees every key.
    causal: n == L, and query i sees keys 0…i.
    """

    queries: np.ndarray
    filled: np.ndarray | None
    slots: np.ndarray
    mask: np.ndarray | None
    causal: bool


class AttentionWork(NamedTuple):
    """Work items, on a device.

    items: int64 `[items, 8]`. FIRST_QUERY and QUERIES: a range of `queries`; FIRST_KEY and KEYS: a range of `slots`;
    MASK: the first cell in `mask` (−1: no mask), and STRIDE, the cells from query to query; DIAGONAL: query i sees keys
    0 … i + diagonal; OUTPUT: the first output.
    queries, slots: int64. mask: uint8.
    begin: int64 `[T + 1]`, order: int64: query t is the merge of the outputs order[begin[t] : begin[t + 1]].
    outputs: how many outputs there are.
    launches: (first item, items, rows): few rows and many rows need different kernels.
    """

    items: Tensor
    queries: Tensor
    slots: Tensor
    mask: Tensor
    begin: Tensor
    order: Tensor
    outputs: int
    launches: list[tuple[int, int, int]]


def work_of(
    blocks: Sequence[AttentionBlock],
    queries: int,
    times: int,
    kv_heads: int,
    device: torch.device,
    programs: int = 528,
    wide: int = WIDE,
) -> AttentionWork:
    """Blocks as work items for `queries` queries of `times` heads to each kv head. Long keys are cut, so that there are
    about `programs` programs (four for each multiprocessor of a large GPU). wide: rows to a program that has many."""
    tiles = [_rows_of_program(block, times, wide) // times for block in blocks]  # queries to one program
    by_tile = np.argsort(tiles, kind="stable")
    blocks, tiles = [blocks[i] for i in by_tile], [tiles[i] for i in by_tile]
    longest = _longest_item(blocks, tiles, kv_heads, programs)
    items: list[np.ndarray] = []  # of each block
    at = Offsets()
    for block, tile in zip(blocks, tiles, strict=True):
        items.append(_items_of(block, tile, longest, at))
        at = at.after(block, items[-1])
    all_items = np.concatenate(items) if items else np.empty((0, 8), np.int64)
    asking = _joined([block.queries for block in blocks], np.int64)
    begin, order = _merges(blocks, asking, all_items, at.outputs, queries)
    arrays = [
        all_items,
        asking,
        _joined([block.slots for block in blocks], np.int64),
        _joined([block.mask for block in blocks if block.mask is not None], np.uint8),
        begin,
        order,
    ]
    return AttentionWork._make([*copied_to(device, arrays), at.outputs, _launches(items, tiles, times)])


def copied_to(device: torch.device, arrays: Sequence[np.ndarray]) -> list[Tensor]:
    """Arrays as tensors on a device, in one copy. Each begins at a multiple of 16 bytes, for Triton's kernels."""
    if device.type == "cpu":
        return [*map(torch.from_numpy, arrays)]
    return unpacked(packed(arrays).to(device, non_blocking=device.type == "cuda"), arrays)


def packed(arrays: Sequence[np.ndarray]) -> Tensor:
    """Arrays as one, of bytes: where there is a GPU, in memory that it copies by itself while the host goes on."""
    raw: list[np.ndarray] = []
    for array in arrays:
        raw += array.reshape(-1).view(np.uint8), FILLING[: -array.nbytes % 16]
    whole = torch.empty(sum(map(len, raw)), dtype=torch.uint8, device="cpu", pin_memory=torch.cuda.is_initialized())
    np.concatenate(raw, out=whole.numpy())
    return whole


def unpacked(buffer: Tensor, arrays: Sequence[np.ndarray]) -> list[Tensor]:
    """The parts of a buffer that hold arrays like these, `packed`."""
    parts = buffer.split([array.nbytes + -array.nbytes % 16 for array in arrays])
    kinds = [getattr(torch, array.dtype.name) for array in arrays]
    each = zip(parts, arrays, kinds, strict=True)
    return [part[: array.nbytes].view(kind).view(array.shape) for part, array, kind in each]


def arrays_of(works: Iterable[AttentionWork]) -> list[np.ndarray]:
    """The arrays of works on the host."""
    return [tensor.numpy() for work in works for tensor in work[:6]]


def placed(works: Iterable[AttentionWork], tensors: Sequence[Tensor]) -> list[AttentionWork]:
    """Works with other tensors: those of the first work come first."""
    return [AttentionWork._make([*tensors[6 * i : 6 * i + 6], *work[6:]]) for i, work in enumerate(works)]


class Offsets(NamedTuple):
    """Where a block begins in the arrays of all blocks."""

    queries: int = 0
    keys: int = 0
    cells: int = 0  # of masks
    outputs: int = 0

    def after(self, block: AttentionBlock, items: np.ndarray) -> Offsets:
        """Where the next block begins."""
        cells = 0 if block.mask is None else block.mask.size
        outputs = int(items[:, QUERIES].sum())
        return Offsets(
            self.queries + block.queries.size, self.keys + block.slots.size, self.cells + cells, self.outputs + outputs
        )


def _rows_of_program(block: AttentionBlock, times: int, wide: int) -> int:
    """Rows to one program: a power of two, of whole queries."""
    return power_of_2(times, NARROW if block.queries.shape[1] * times <= NARROW else wide)


def _longest_item(blocks: Sequence[AttentionBlock], tiles: Sequence[int], kv_heads: int, programs: int) -> int:
    """How many keys an item may have, if all programs are to have about as many."""
    counts = [len(b.queries) * -(-b.queries.shape[1] // tile) for b, tile in zip(blocks, tiles, strict=True)]
    keys = sum(count * block.slots.shape[1] for count, block in zip(counts, blocks, strict=True)) * kv_heads
    return max(SHORTEST, -(-keys // programs))


def _items_of(block: AttentionBlock, tile: int, longest: int, at: Offsets) -> np.ndarray:
    """The items of one block, int64 `[items, 8]`: tiles of queries by pieces of keys."""
    (count, n), length = block.queries.shape, block.slots.shape[1]
    step = -(-length // -(-length // longest)) if length else 1  # pieces as long as each other
    group, first, start = (
        axis.ravel()
        for axis in np.meshgrid(np.arange(count), np.arange(0, n, tile), np.arange(0, length, step), indexing="ij")
    )
    if block.causal:  # no query sees what lies above the diagonal
        seen = start < np.minimum(first + tile, n)
        group, first, start = group[seen], first[seen], start[seen]
    items = np.empty((len(group), 8), np.int64)
    items[:, FIRST_QUERY], items[:, QUERIES] = at.queries + group * n + first, np.minimum(tile, n - first)
    end = np.minimum(length, first + tile) if block.causal else length  # no query of the tile sees further
    items[:, FIRST_KEY], items[:, KEYS] = at.keys + group * length + start, np.minimum(step, end - start)
    items[:, MASK], items[:, STRIDE] = -1, 0
    if block.mask is not None:
        cells_of_group = 0 if len(block.mask) == 1 else n * length
        items[:, MASK] = at.cells + group * cells_of_group + first * length + start
        items[:, STRIDE] = length
    items[:, DIAGONAL] = first - start if block.causal else EVERYTHING
    items[:, OUTPUT] = at.outputs + np.cumsum(items[:, QUERIES]) - items[:, QUERIES]
    return items


def _merges(
    blocks: Sequence[AttentionBlock], asking: np.ndarray, items: np.ndarray, outputs: int, queries: int
) -> tuple[np.ndarray, np.ndarray]:
    """`AttentionWork.begin` and `.order`: which outputs belong to each query. Fillers' outputs belong to nobody."""
    entry = np.repeat(items[:, FIRST_QUERY], items[:, QUERIES]) + (
        np.arange(outputs) - np.repeat(items[:, OUTPUT], items[:, QUERIES])
    )
    filled = [np.ones(b.queries.shape, bool) if b.filled is None else b.filled for b in blocks]
    counts = _joined(filled, bool)[entry]
    query_of, output = asking[entry][counts], np.flatnonzero(counts)
    begin = np.concatenate([[0], np.bincount(query_of, minlength=queries).cumsum()])
    return begin, output[np.argsort(query_of, kind="stable")]


def _launches(items: Sequence[np.ndarray], tiles: Sequence[int], times: int) -> list[tuple[int, int, int]]:
    """Items of neighbouring blocks with equal tiles go into one launch."""
    launches: list[tuple[int, int, int]] = []
    for tile, pairs in groupby(zip(tiles, items, strict=True), key=lambda pair: pair[0]):
        first = sum(count for _, count, _ in launches)
        launches.append((first, sum(len(block_items) for _, block_items in pairs), power_of_2(tile * times, NARROW)))
    return launches


def _joined(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate([array.ravel().astype(kind) for array in arrays]) if arrays else np.empty(0, kind)
