"""The attention of a pass over the KV tree: all parts in one launch, and all merges in another.

Keys and values are read where they lie. `attention_work.py` makes the work items; the reference computes them part by
part with `attention_parts.py`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .attention_parts import NEG_INF, attend, merge, sink
from .attention_work import NARROW, WIDE, AttentionWork
from .launch import INTERPRETED, constexpr, jit, or_reference, power_of_2, tl


def _attend_tree(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    work: AttentionWork,
    scale: float,
    softcap: float | None = None,
    sinks: Tensor | None = None,
) -> Tensor:
    heads, count, _ = query.shape
    times = heads // len(key)
    parts = query.new_zeros(heads, work.outputs, value.shape[-1], dtype=torch.float64)
    lses = query.new_full((heads, work.outputs), NEG_INF, dtype=torch.float64)
    for at, n, first, keys, cell, stride, diagonal, output in work.items.tolist():
        if not n:
            continue
        asking, slots = work.queries[at : at + n], work.slots[first : first + keys]
        i, j = (torch.arange(size, device=query.device) for size in (n, keys))
        sees = (j <= i[:, None] + diagonal).clone()
        if cell >= 0:
            sees &= work.mask[cell + i[:, None] * stride + j].bool()
        k, v = (t[:, slots].double().repeat_interleave(times, 0)[None] for t in (key, value))
        new, new_lse = attend(query[None, :, asking].double(), k, v, scale, sees[None, None], False, softcap)
        parts[:, output : output + n], lses[:, output : output + n] = new[0], new_lse[0].double()
    out = query.new_zeros(heads, count, value.shape[-1], dtype=torch.float64)
    lse = query.new_full((heads, count), NEG_INF, dtype=torch.float64)
    begin, numbers = work.begin[:count], work.begin[: count + 1].diff()
    for place in range(int(numbers.max())):
        asking = numbers > place
        which = work.order[begin[asking] + place]
        mixed = merge(out[:, asking], lse[:, asking], parts[:, which], lses[:, which])
        out[:, asking], lse[:, asking] = mixed
    if sinks is not None:
        out = sink(out, lse, sinks[:, None])
    return out.to(query.dtype).transpose(0, 1).contiguous()


def rows_that_fit(key: Tensor, value: Tensor) -> int:
    """Rows to a program that has many (`work_of(wide=)`), such that 99 KiB of shared memory hold them."""
    width = power_of_2(max(key.shape[-1], value.shape[-1]), 16) * key.element_size()
    return WIDE if width <= 512 else WIDE // 2


@or_reference(_attend_tree)
def attend_tree(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    work: AttentionWork,
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
    width = max(sizes[2:]) * query.element_size()  # bytes of a key: so many of them at a time as fit
    block = 32 if width <= 512 else 16
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
            num_warps=4 if rows == NARROW or width <= 256 else 8,  # fewer keep no wider tile in their registers
            num_stages=3 if rows == NARROW else 2,
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
            cell_value = tl.load(mask_at[:, None] + j[None, :], mask=sees & has_mask, other=1)
            sees = sees & (cell_value != 0)
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
    parts, lse, begin, order, sinks, out, heads, VALUE_SIZE: constexpr, BLOCK_V: constexpr, SINKS: constexpr
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
        part_lse = tl.load(lse + at)
        highest = tl.maximum(top, part_lse)
        base = tl.where(highest == float("-inf"), 0.0, highest)
        fade, weight = tl.exp(top - base), tl.exp(part_lse - base)
        total = total * fade + weight
        mixed = mixed * fade + weight * tl.load(parts + at * VALUE_SIZE + e, mask=inside, other=0.0)
        top = highest
    mixed = mixed / tl.where(total > 0, total, 1.0)
    tl.store(out + (token * heads + head) * VALUE_SIZE + e, mixed.to(out.dtype.element_ty), mask=inside)
