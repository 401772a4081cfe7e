"""Attention in parts: each part sees some of the keys, and parts merge by their log-sum-exp.

A shared prefix is then attended once for all queries below it (Hydragen, Juravsky et al. 2024; cascade attention in
FlashInfer), and the merge is that of flash-decoding: softmax over all keys is the mean of the parts' softmaxes,
weighted by the exponentials of their log-sum-exps.

`attend`, `merge` and `sink` are plain torch, part by part. `attend_tree` does all parts of a pass in one launch, and
all merges in another; keys and values are read where they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .launch import INTERPRETED, constexpr, jit, or_reference, power_of_2, tl

NEG_INF = float("-inf")
SCORES = 1 << 26  # so many at a time where they are written down
# The blockwise kernel behind scaled_dot_product_attention: asked directly, it gives the log-sum-exp too.
_flash_on_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    mask: Tensor | None = None,
    causal: bool = False,
    softcap: float | None = None,
) -> tuple[Tensor, Tensor]:
    """One part: query `[B, H, n, D]`, key `[B, H, L, D]`, value `[B, H, L, Dv]` → out `[B, H, n, Dv]` and the
    log-sum-exp of its scores, float32 (float64 for float64) `[B, H, n]`.

    mask: bool `[B or 1, 1, n, L]`, True where a query sees a key. `causal`: n == L and query i sees keys 0…i. A query
    that sees nothing gives out 0 and −inf. `softcap`: scores are softcap · tanh(score / softcap), before the mask.
    """
    if query.device.type == "cpu" and softcap is None and query.shape[-1] == value.shape[-1]:
        bias = None
        if mask is not None:
            bias = torch.zeros(mask.shape, dtype=query.dtype, device=query.device).masked_fill_(~mask, NEG_INF)
        out, lse = _flash_on_cpu(query, key, value, 0.0, causal, attn_mask=bias, scale=scale)
        return out, lse if mask is None else lse.masked_fill(~mask.any(-1), NEG_INF)
    block = max(1, SCORES // (key.shape[-2] * query.shape[0] * query.shape[1]))
    if query.shape[-2] > block:  # a long run's scores do not fit into memory all at once
        parts = []
        for at in range(0, query.shape[-2], block):
            rows, end = slice(at, at + block), min(at + block, key.shape[-2]) if causal else key.shape[-2]
            cut = None if mask is None else mask[:, :, rows]
            if causal:
                cut = torch.ones(1, 1, len(range(*rows.indices(query.shape[-2]))), end, dtype=torch.bool).tril_(at)
                cut = cut.to(query.device)
            parts.append(attend(query[:, :, rows], key[:, :, :end], value[:, :, :end], scale, cut, False, softcap))
        return torch.cat([out for out, _ in parts], 2), torch.cat([lse for _, lse in parts], 2)
    scores = (query @ key.transpose(-1, -2)) * scale
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    if scores.dtype != torch.float64:
        scores = scores.float()
    if causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril_()
    if mask is not None:
        scores = scores.masked_fill(~mask, NEG_INF)
    lse = scores.logsumexp(-1)
    weights = (scores - lse.masked_fill(lse == NEG_INF, 0.0)[..., None]).exp_()
    return weights.to(value.dtype) @ value, lse


def merge(out: Tensor, lse: Tensor, other: Tensor, other_lse: Tensor) -> tuple[Tensor, Tensor]:
    """Two parts of one query → the part that sees the keys of both: out `[…, Dv]`, lse `[…]`."""
    both = torch.logaddexp(lse, other_lse)
    safe = both.masked_fill(both == NEG_INF, 0.0)
    mixed = out * (lse - safe).exp_()[..., None] + other * (other_lse - safe).exp_()[..., None]
    return mixed, both


def sink(out: Tensor, lse: Tensor, logits: Tensor) -> Tensor:
    """The part with attention sinks: logits, broadcast to lse `[…]`, join the softmax's denominator and no value."""
    return out * torch.sigmoid(lse - logits.to(lse.dtype))[..., None]


# ------------------------------------------------------------------------------------------------- a whole pass at once

# What there is to do: an item is some queries and some keys, and the place of what comes of it.
FIRST_QUERY, QUERIES, FIRST_KEY, KEYS, MASK, STRIDE, DIAGONAL, OUTPUT = range(8)
EVERYTHING = 1 << 30  # as a diagonal
NARROW, WIDE = 16, 64  # rows (queries × heads that share keys) to one program
SHORTEST = 256  # keys: items are not cut below that


class Block(NamedTuple):
    """B groups of n queries, each of which sees some of its group's L keys.

    queries: int64 `[B, n]`; filled: bool `[B, n]`, which of them count, or None if all do.
    slots: int64 `[B, L]`, where the keys and values lie.
    mask: bool `[B or 1, n, L]`, or None if everybody sees everything.
    causal: n == L, and query i sees keys 0…i.
    """

    queries: np.ndarray
    filled: np.ndarray | None
    slots: np.ndarray
    mask: np.ndarray | None
    causal: bool


class Work(NamedTuple):
    """Work items, on a device.

    items: int64 `[items, 8]`: in `queries` the first one and how many; in `slots` the first key and how many; in `mask`
    the first cell (−1: no mask) and the cells from query to query; query i sees keys 0 … i + diagonal; the first of its
    outputs.
    queries, slots: int64. mask: uint8.
    begin: int64 `[T + 1]`, order: int64: query t is the merge of the outputs order[begin[t] : begin[t + 1]].
    outputs: how many.
    launches: (first item, items, rows): few rows and many are different kernels.
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
    blocks: Sequence[Block], queries: int, times: int, kv_heads: int, device: torch.device, programs: int = 264
) -> Work:
    """Blocks as work items for `queries` queries of `times` heads to each kv head. Long keys are cut, so that there are
    about so many programs (two for each multiprocessor of a large GPU)."""
    tiles = [_rows(block, times) // times for block in blocks]  # queries to one program
    order = np.argsort(tiles, kind="stable")
    blocks, tiles = [blocks[i] for i in order], [tiles[i] for i in order]
    counts = [len(b.queries) * -(-b.queries.shape[1] // tile) for b, tile in zip(blocks, tiles, strict=True)]
    work = sum(count * block.slots.shape[1] for count, block in zip(counts, blocks, strict=True)) * kv_heads
    longest = max(SHORTEST, -(-work // programs))  # keys to one program
    items: list[np.ndarray] = []
    at = cells = keys = outputs = 0
    for block, tile in zip(blocks, tiles, strict=True):
        (count, n), length = block.queries.shape, block.slots.shape[1]
        step = -(-length // -(-length // longest)) if length else 1  # pieces as long as each other
        group, first, start = (
            axis.ravel()
            for axis in np.meshgrid(np.arange(count), np.arange(0, n, tile), np.arange(0, length, step), indexing="ij")
        )
        if block.causal:  # what lies above the diagonal is nobody's
            seen = start < np.minimum(first + tile, n)
            group, first, start = group[seen], first[seen], start[seen]
        own = np.empty((len(group), 8), np.int64)
        own[:, FIRST_QUERY], own[:, QUERIES] = at + group * n + first, np.minimum(tile, n - first)
        end = np.minimum(length, first + tile) if block.causal else length  # nobody sees further
        own[:, FIRST_KEY], own[:, KEYS] = keys + group * length + start, np.minimum(step, end - start)
        own[:, MASK], own[:, STRIDE] = -1, 0
        if block.mask is not None:
            each = 0 if len(block.mask) == 1 else n * length
            own[:, MASK], own[:, STRIDE] = cells + group * each + first * length + start, length
            cells += block.mask.size
        own[:, DIAGONAL] = first - start if block.causal else EVERYTHING
        own[:, OUTPUT] = outputs + np.cumsum(own[:, QUERIES]) - own[:, QUERIES]
        outputs += int(own[:, QUERIES].sum())
        at, keys = at + count * n, keys + count * length
        items.append(own)
    every = np.concatenate(items) if items else np.empty((0, 8), np.int64)
    asking = _joined([block.queries for block in blocks], np.int64)
    entry = np.repeat(every[:, FIRST_QUERY], every[:, QUERIES]) + (
        np.arange(outputs) - np.repeat(every[:, OUTPUT], every[:, QUERIES])
    )
    counts = _joined([np.ones(b.queries.shape, bool) if b.filled is None else b.filled for b in blocks], bool)[entry]
    whose, order = asking[entry][counts], np.flatnonzero(counts)
    begin = np.concatenate([[0], np.bincount(whose, minlength=queries).cumsum()])
    arrays = [
        every,
        asking,
        _joined([block.slots for block in blocks], np.int64),
        _joined([block.mask for block in blocks if block.mask is not None], np.uint8),
        begin,
        order[np.argsort(whose, kind="stable")],
    ]
    launches = []
    for tile, own in groupby(zip(tiles, items, strict=True), key=lambda pair: pair[0]):
        first = sum(count for _, count, _ in launches)
        launches.append((first, sum(len(item) for _, item in own), power_of_2(tile * times, NARROW)))
    return Work._make([*(torch.from_numpy(array).to(device) for array in arrays), outputs, launches])


def _rows(block: Block, times: int) -> int:
    """Rows to one program: a power of two, of whole queries."""
    return power_of_2(times, NARROW if block.queries.shape[1] * times <= NARROW else WIDE)


def _joined(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate([array.ravel().astype(kind) for array in arrays]) if arrays else np.empty(0, kind)


def _attend_tree(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    work: Work,
    scale: float,
    softcap: float | None = None,
    sinks: Tensor | None = None,
) -> Tensor:
    heads, count, _ = query.shape
    times = heads // len(key)
    out = query.new_zeros(heads, count, value.shape[-1], dtype=torch.float64)
    lse = query.new_full((heads, count), NEG_INF, dtype=torch.float64)
    owned = torch.zeros(work.outputs, dtype=torch.bool, device=query.device)
    owned[work.order] = True
    for at, n, first, keys, cell, stride, diagonal, output in work.items.tolist():
        counts = owned[output : output + n]
        asking, slots = work.queries[at : at + n], work.slots[first : first + keys]
        i, j = (torch.arange(size, device=query.device) for size in (n, keys))
        sees = (j <= i[:, None] + diagonal).clone()
        if cell >= 0:
            sees &= work.mask[cell + i[:, None] * stride + j].bool()
        k, v = (t[:, slots].double().repeat_interleave(times, 0)[None] for t in (key, value))
        new, new_lse = attend(query[None, :, asking].double(), k, v, scale, sees[None, None], False, softcap)
        asking = asking[counts]
        mixed = merge(out[:, asking], lse[:, asking], new[0][:, counts], new_lse[0][:, counts].double())
        out[:, asking], lse[:, asking] = mixed
    if sinks is not None:
        out = sink(out, lse, sinks[:, None])
    return out.to(query.dtype).transpose(0, 1).contiguous()


@or_reference(_attend_tree)
def attend_tree(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    work: Work,
    scale: float,
    softcap: float | None = None,
    sinks: Tensor | None = None,
) -> Tensor:
    """All attention of a pass: query `[H, T, D]`, keys `[kv heads, slots, D]`, values `[kv heads, slots, Dv]` →
    `[T, H, Dv]`.

    float16, bfloat16 or float32, any strides; products and sums in float32. sinks: `[H]`, a logit of each head that
    takes part in its softmax and has no value. A query that sees nothing gets 0.
    """
    heads, count, size = query.shape
    kv_heads, value_size = len(key), value.shape[-1]
    out = query.new_empty(count, heads, value_size)
    if not out.numel():
        return out
    parts = torch.empty(work.outputs, heads, value_size, dtype=torch.float32, device=query.device)
    lse = torch.empty(work.outputs, heads, dtype=torch.float32, device=query.device)
    sizes = (size, value_size, power_of_2(size, 16), power_of_2(value_size, 16))
    wide = max(sizes[2:]) * query.element_size()  # bytes of a key: so many of them at a time as fit
    block = 64 if wide <= 256 else 32 if wide <= 512 else 16
    for first, items, rows in work.launches:
        _attend_kernel[(items, kv_heads)](
            query,
            key,
            value,
            work.items[first:],
            work.queries,
            work.slots,
            work.mask,
            parts,
            lse,
            scale,
            softcap or 0.0,
            *query.stride(),
            *key.stride(),
            *value.stride(),
            heads,
            heads // kv_heads,
            *sizes,
            rows,
            block,
            work.mask.numel() > 0,
            softcap is not None,
            INTERPRETED,  # where a product of bfloat16 is one of their bits
            num_warps=4 if rows == NARROW else 8,  # more keep no wide tile in their registers
            num_stages=2,
        )
    _merge_kernel[(count, heads)](
        parts,
        lse,
        work.begin,
        work.order,
        out if sinks is None else sinks.contiguous(),
        out,
        heads,
        value_size,
        sizes[3],
        sinks is not None,
        num_warps=1,
    )
    return out


@jit
def _dot(a, b, UPCAST: constexpr):
    """A matrix product, float32."""
    if UPCAST:
        a, b = a.to(tl.float32), b.to(tl.float32)
    return tl.dot(a, b, input_precision="ieee")


@jit
def _attend_kernel(
    query,
    key,
    value,
    items,
    queries,
    slots,
    mask,
    parts,
    lse,
    scale,
    softcap,
    query_head,
    query_token,
    query_size,
    key_head,
    key_slot,
    key_size,
    value_head,
    value_slot,
    value_size,
    heads,
    TIMES: constexpr,
    SIZE: constexpr,
    VALUE_SIZE: constexpr,
    BLOCK_D: constexpr,
    BLOCK_V: constexpr,
    ROWS: constexpr,
    COLUMNS: constexpr,
    MASKED: constexpr,
    CAPPED: constexpr,
    UPCAST: constexpr,
):
    """One item under one kv head: its queries' heads side by side, key by key with a running softmax."""
    kv_head = tl.program_id(1).to(tl.int64)
    items += tl.program_id(0).to(tl.int64) * 8
    first_query, count = tl.load(items), tl.load(items + 1).to(tl.int32)
    first_key, keys = tl.load(items + 2), tl.load(items + 3).to(tl.int32)
    cell, stride = tl.load(items + 4), tl.load(items + 5)
    diagonal, output = tl.load(items + 6).to(tl.int32), tl.load(items + 7)

    row = tl.arange(0, ROWS)
    i, head = row // TIMES, kv_head * TIMES + row % TIMES
    asks = i < count
    token = tl.load(queries + first_query + i, mask=asks, other=0)
    d, e = tl.arange(0, BLOCK_D), tl.arange(0, BLOCK_V)
    query_at = query + head[:, None] * query_head + token[:, None] * query_token + d[None, :] * query_size
    q = tl.load(query_at, mask=asks[:, None] & (d < SIZE)[None, :], other=0.0)

    has_mask = (cell + tl.zeros([ROWS], tl.int64) >= 0)[:, None]
    mask_at = mask + cell + i * stride
    top = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    sums = tl.zeros([ROWS, BLOCK_V], tl.float32)
    for start in range(0, keys, COLUMNS):
        j = start + tl.arange(0, COLUMNS)
        inside = j < keys
        slot = tl.load(slots + first_key + j, mask=inside, other=0)
        keys_at = key + kv_head * key_head + slot[None, :] * key_slot + d[:, None] * key_size
        k = tl.load(keys_at, mask=inside[None, :] & (d < SIZE)[:, None], other=0.0)
        scores = _dot(q, k, UPCAST) * scale
        if CAPPED:
            scores = softcap * (2 * tl.sigmoid(2 * scores / softcap) - 1)  # tanh
        sees = asks[:, None] & inside[None, :] & (j[None, :] <= i[:, None] + diagonal)
        if MASKED:
            own = tl.load(mask_at[:, None] + j[None, :], mask=sees & has_mask, other=1)
            sees = sees & (own != 0)
        scores = tl.where(sees, scores, float("-inf"))
        highest = tl.maximum(top, tl.max(scores, axis=1))
        base = tl.where(highest == float("-inf"), 0.0, highest)
        weights = tl.exp(scores - base[:, None])
        fade = tl.exp(top - base)
        values_at = value + kv_head * value_head + slot[:, None] * value_slot + e[None, :] * value_size
        v = tl.load(values_at, mask=inside[:, None] & (e < VALUE_SIZE)[None, :], other=0.0)
        total = total * fade + tl.sum(weights, axis=1)
        sums = sums * fade[:, None] + _dot(weights.to(v.dtype), v, UPCAST)
        top = highest

    at = (output + i) * heads + head
    some = tl.where(total > 0, total, 1.0)
    tl.store(lse + at, tl.where(total > 0, top + tl.log(some), float("-inf")), mask=asks)
    parts_at = parts + at[:, None] * VALUE_SIZE + e[None, :]
    tl.store(parts_at, sums / some[:, None], mask=asks[:, None] & (e < VALUE_SIZE)[None, :])


@jit
def _merge_kernel(
    parts,
    lse,
    begin,
    order,
    sinks,
    out,
    heads,
    VALUE_SIZE: constexpr,
    BLOCK_V: constexpr,
    SINKS: constexpr,
):
    """One query and head: the mean of its outputs, weighted by the exponentials of their log-sum-exps."""
    token = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1)
    e = tl.arange(0, BLOCK_V)
    inside = e < VALUE_SIZE
    top = tl.full([], float("-inf"), tl.float32)
    total = tl.zeros([], tl.float32)
    if SINKS:
        top = tl.load(sinks + head).to(tl.float32)
        total = tl.where(top > float("-inf"), 1.0, 0.0)
    mixed = tl.zeros([BLOCK_V], tl.float32)
    for place in range(tl.load(begin + token), tl.load(begin + token + 1)):
        at = tl.load(order + place) * heads + head
        own = tl.load(lse + at)
        highest = tl.maximum(top, own)
        base = tl.where(highest == float("-inf"), 0.0, highest)
        fade, weight = tl.exp(top - base), tl.exp(own - base)
        total = total * fade + weight
        mixed = mixed * fade + weight * tl.load(parts + at * VALUE_SIZE + e, mask=inside, other=0.0)
        top = highest
    mixed = mixed / tl.where(total > 0, total, 1.0)
    tl.store(out + (token * heads + head) * VALUE_SIZE + e, mixed.to(out.dtype.element_ty), mask=inside)
