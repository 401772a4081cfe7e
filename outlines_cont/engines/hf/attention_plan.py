"""A layout made ready for tensors: where one pass stores its keys and values, and how each layer attends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, causal_mask_function
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from outlines_cont.engines.hf.attention_layout import AttentionItem, AttentionLayout, PackedGroups
from outlines_cont.kernels import attention_parts
from outlines_cont.kernels.attention_parts import VisibleKeys
from outlines_cont.kernels.attention_work import AttentionBlock, AttentionWork, arrays_of, copied_to, placed, work_of
from outlines_cont.kernels.prefix_attention import attend_tree, rows_that_fit
from outlines_cont.kv.pool import Pool

MASK_CELLS = 1 << 22  # a mask that a model's window asks for is made for so many scores at a time

MaskRule = Callable[..., Any]  # a mask function of transformers: (batch, head, query's position, key's position) → bool
WorkKey = tuple[MaskRule, torch.device, int, int, int]  # the arguments of `AttentionPlan.work_under`


@dataclass(slots=True)
class AttentionPart:
    """A block of work as torch takes it: B groups of n queries, each with its L keys."""

    queries: slice | Tensor  # which: [B · n]
    slots: slice | Tensor  # of the keys: [B · L]
    shape: tuple[int, int, int]  # B, n, L
    holds_own_keys: bool  # the queries' own keys are among its keys: no other part of these queries comes before it
    causal: bool
    mask: Tensor | None  # bool [B or 1, n, L]
    filled: Tensor | None  # int64: which of the B · n queries count
    _seen: dict[tuple[int, bool], VisibleKeys] = field(default_factory=dict)

    @classmethod
    def of(cls, block: AttentionBlock, holds_own_keys: bool, device: torch.device) -> AttentionPart:
        queries, filled = block.queries.reshape(-1), None
        if block.filled is not None:
            filled = torch.from_numpy(np.flatnonzero(block.filled)).to(device)
        return cls(
            _placed(queries, device) if filled is None else torch.from_numpy(queries).to(device),
            _placed(block.slots.reshape(-1), device),
            (*block.queries.shape, block.slots.shape[1]),
            holds_own_keys,
            block.causal,
            None if block.mask is None else torch.from_numpy(block.mask).to(device),
            filled,
        )

    def seen(self, times: int, heads_first: bool = False) -> VisibleKeys | None:
        """The mask `[B or 1, 1, n · times, L]`, for queries each of which stands there for `times` heads in a row, or,
        `heads_first`, for heads each of which has its n queries in a row."""
        if self.mask is None:
            return None
        if (times, heads_first) not in self._seen:
            repeated = self.mask.repeat(1, times, 1) if heads_first else self.mask.repeat_interleave(times, dim=1)
            self._seen[times, heads_first] = VisibleKeys(repeated[:, None])
        return self._seen[times, heads_first]


class PassPlan(Protocol):
    """What the attention of one pass goes through; see the members of `AttentionPlan`. calls: how many there were."""

    calls: int

    def attend_one_row(
        self, call: int, query: Tensor, keys: Tensor, values: Tensor, rule: MaskRule, scale: float, /
    ) -> Tensor | None: ...

    def write(self, call: int, keys: Tensor, values: Tensor, /) -> None: ...

    def attend(
        self,
        call: int,
        query: Tensor,
        rule: MaskRule,
        scale: float,
        softcap: float | None = None,
        sinks: Tensor | None = None,
        /,
    ) -> Tensor: ...


class OwnAttention:
    """In the place of a plan, for a pass with gradients: the attention of the model's own, called as it says."""

    def attend(
        self, name: str, module: nn.Module, query: Tensor, key: Tensor, value: Tensor, rule: MaskRule, **kwargs: Any
    ) -> tuple[Tensor, None]:
        """Transformers' attention interface; name: of the attention that the module calls by itself."""
        raise NotImplementedError


AnyPlan = PassPlan | OwnAttention


class AttentionPlan:
    """Stores the new keys and values of one pass, and computes its attention, call by call."""

    def __init__(self, pool: Pool, layout: AttentionLayout, kernels: Mapping[torch.device, bool] | None = None):
        """kernels: where it is known whether a kernel computes the attention; elsewhere each call looks."""
        self.pool = pool
        self._kernels = kernels or {}
        self.layout = layout
        self.calls = 0
        depths: list[int] = []
        for run in layout.runs:
            depths += range(run.depth, run.depth + len(run.ids))
        self.depths = np.array(depths)
        stored = [*filter(attrgetter("stored"), layout.runs)]
        self.new = _joined([*map(attrgetter("slots"), stored)])
        self.stored = None  # which queries' keys and values are stored; None if all are
        if len(stored) < len(layout.runs):
            self.stored = _joined([layout.first[id(run)] + np.arange(len(run.ids)) for run in stored])
        self.places: dict[torch.device, tuple[slice | Tensor, Tensor | None]] = {}
        self._blocks: dict[tuple[MaskRule, torch.device], list[tuple[AttentionBlock, bool]]] = {}
        self._line: dict[tuple[MaskRule, torch.device], tuple[int, int, int] | None] = {}
        self._parts: dict[tuple[MaskRule, torch.device], list[AttentionPart]] = {}
        self.works: dict[WorkKey, AttentionWork] = {}
        self._sent: dict[object, AttentionWork] = {}
        # of a pass that is replayed, in the order in which they are asked for: its rules are others in each forward
        self.given: Iterator[AttentionWork] = iter(())

    def sent(self, device: torch.device, keys: Sequence[WorkKey], arrays: Sequence[np.ndarray]) -> list[Tensor]:
        """These arrays on a device, and in the same copy all else that the pass will need there: where its keys and
        values are stored, and its works, if their keys are those that the pass before asked for."""
        if device.type == "cpu":
            return copied_to(device, arrays)
        asked = {(fixed(key[0]), *key[1:]): key for key in keys}
        works = {name: self.work_on_host(key) for name, key in asked.items() if name[0] and name[1] == device}
        stored = self.new[:0] if self.stored is None else self.stored
        given = copied_to(device, [self.new, stored, *arrays, *arrays_of(works.values())])
        self.places[device] = _neighbours(self.new) or given[0], None if self.stored is None else given[1]
        size = 2 + len(arrays)
        self._sent = dict(zip(works, placed(works.values(), given[size:]), strict=True))
        return given[2:size]

    def write(self, call: int, keys: Tensor, values: Tensor) -> None:
        """Store the new keys and values `[kv heads, T, head size]` of one attention call."""
        device = keys.device
        if device not in self.places:
            stored = None if self.stored is None else torch.from_numpy(self.stored).to(device)
            self.places[device] = _placed(self.new, device), stored
        slots, stored = self.places[device]
        if stored is not None:
            keys, values = keys[:, stored], values[:, stored]
        if len(self.new):
            self.pool.write(call, slots, keys, values)

    def attend_one_row(
        self, call: int, query: Tensor, keys: Tensor, values: Tensor, rule: MaskRule, scale: float
    ) -> Tensor | None:
        """`write` and `attend` for the one query of a pass, `[1, H, 1, D]` → `[1, 1, H, Dv]`, if all keys that it sees
        are neighbours: a decode step of one row, in as few calls of torch as can be. None if it is no such pass."""
        device = query.device
        if (rule, device) not in self._line:
            self._line[rule, device] = self._line_under(rule, device)
        if (line := self._line[rule, device]) is None:
            return None
        heads, kv_heads = query.shape[1], keys.shape[1]
        (new, first, size), stored = line, self.pool.batched.get(call)
        if stored is None or stored[0].shape[2] < self.pool.capacity:
            self.pool.write(call, slice(new, new + 1), keys[0], values[0])
            old_keys, old_values = self.pool.buffers[call]
            stored = self.pool.batched[call] = old_keys[None], old_values[None]
        else:
            stored[0].narrow(2, new, 1).copy_(keys)
            stored[1].narrow(2, new, 1).copy_(values)
        keys, values = stored[0].narrow(2, first, size), stored[1].narrow(2, first, size)
        folded = query.view(1, kv_heads, heads // kv_heads, -1)
        return scaled_dot_product_attention(folded, keys, values, scale=scale).reshape(1, 1, heads, -1)

    def _line_under(self, rule: MaskRule, device: torch.device) -> tuple[int, int, int] | None:
        """The slot of the one new token, and the first one of all that it sees, and how many these are, if the pass is
        one query that needs no mask."""
        if len(self.depths) != 1 or self.stored is not None or self._by_kernel(device):
            return None
        if rule is causal_mask_function:
            seen = _placed(self.layout.groups[0].slots[0], device)
        else:
            first, *others = self._parts_under(rule, device)
            seen = None if others or first.mask is not None else first.slots
        if not isinstance(seen, slice):
            return None
        return int(self.new[0]), seen.start, seen.stop - seen.start

    def _by_kernel(self, device: torch.device) -> bool:
        kernel = self._kernels.get(device)
        return attend_tree.chosen(device) if kernel is None else kernel

    def attend(
        self,
        call: int,
        query: Tensor,
        rule: MaskRule,
        scale: float,
        softcap: float | None = None,
        sinks: Tensor | None = None,
    ) -> Tensor:
        """Attention of one call: query `[H, T, D]` → `[T, H, Dv]`. The new keys and values are in the pool already.

        sinks: `[H]`, a logit of each head that takes part in its softmax and has no value.
        """
        heads = len(query)
        kv_heads = self.pool.buffers[call][0].shape[0]
        if self._by_kernel(query.device) and query.dtype != torch.float64:
            buffers = self.pool.buffers[call]
            work = self.work_under(rule, query.device, heads // kv_heads, kv_heads, rows_that_fit(*buffers))
            return attend_tree(query, *buffers, work, scale, softcap, sinks)
        parts = self._parts_under(rule, query.device)
        if sinks is None and self._in_one_call(call, query, parts):
            if not parts[0].causal:
                return self._attend_one_group(call, query, parts[0], scale, softcap)
            if softcap is None:
                return self._attend_one_run(call, query, parts[0], scale)
        return self._attend_parts(call, query, parts, scale, softcap, sinks)

    def _in_one_call(self, call: int, query: Tensor, parts: list[AttentionPart]) -> bool:
        """Whether one part holds all queries, in one group, and torch attends it without writing down too many scores:
        blockwise, as on a CPU where keys and values have one size, or because there are few."""
        [part, *others] = parts
        if others or part.filled is not None or part.shape[:2] != (1, query.shape[1]):
            return False
        keys, values = self.pool.buffers[call]
        blockwise = query.device.type == "cpu" and keys.shape[-1] == values.shape[-1]
        return blockwise or query.shape[0] * part.shape[1] * part.shape[2] <= attention_parts.SCORES_AT_ONCE

    def _attend_one_run(self, call: int, query: Tensor, part: AttentionPart, scale: float) -> Tensor:
        """One row that is read from its beginning, as a prompt is: query `[H, T, D]` → `[T, H, Dv]`."""
        keys, values = self.pool.read(call, part.slots)
        grouped = len(query) > len(keys)
        query, keys, values = query[None], keys[None], values[None]
        out = scaled_dot_product_attention(query, keys, values, is_causal=True, scale=scale, enable_gqa=grouped)
        return out[0].transpose(0, 1).contiguous()

    def _attend_one_group(
        self, call: int, query: Tensor, part: AttentionPart, scale: float, softcap: float | None
    ) -> Tensor:
        """One row, or a few that are packed together, as in a short beam search: query `[H, T, D]` → `[T, H, Dv]`."""
        keys, values = self.pool.read(call, part.slots)
        heads, count, size = query.shape
        kv_heads = keys.shape[0]
        times = heads // kv_heads
        seen = part.seen(times, heads_first=True)
        folded = query.reshape(1, kv_heads, times * count, size)  # the heads of a kv head one after the other
        if softcap is None:
            bias = seen and seen.bias(query.dtype)
            out = scaled_dot_product_attention(folded, keys[None], values[None], bias, scale=scale)
        else:
            out, _ = attention_parts.attend(folded, keys[None], values[None], scale, seen, False, softcap)
        return out.reshape(heads, count, -1).transpose(0, 1).contiguous()

    def _attend_parts(
        self,
        call: int,
        query: Tensor,
        parts: list[AttentionPart],
        scale: float,
        softcap: float | None,
        sinks: Tensor | None,
    ) -> Tensor:
        """`attend` by torch, part by part. The parts that hold the queries' own keys come first."""
        heads, count, size = query.shape
        kv_heads = self.pool.buffers[call][0].shape[0]
        times = heads // kv_heads
        # the queries of one kv head side by side: [kv heads, T, heads of each, D]
        query = query.view(kv_heads, times, count, size).transpose(1, 2)
        out = lse = query.new_empty(0)
        for i, part in enumerate(parts):
            # [kv heads, B · n, heads of each, Dv] and without the last
            new, new_lse = self._attend_part(call, query, part, scale, softcap)
            where = part.queries
            if part.filled is not None:
                assert isinstance(where, Tensor)
                where, new, new_lse = where[part.filled], new[:, part.filled], new_lse[:, part.filled]
            if isinstance(where, slice) and where == slice(0, count):
                out, lse = (new, new_lse) if i == 0 else attention_parts.merge(out, lse, new, new_lse)
                continue
            if i == 0:
                lse = new_lse.new_empty(kv_heads, count, times)
                out = lse.new_empty(*lse.shape, new.shape[-1])
            if not part.holds_own_keys:
                new, new_lse = attention_parts.merge(out[:, where], lse[:, where], new, new_lse)
            out[:, where], lse[:, where] = new.to(out.dtype), new_lse
        if sinks is not None:
            out = attention_parts.sink(out, lse, sinks.view(kv_heads, 1, times))
        return out.to(query.dtype).transpose(0, 1).reshape(count, heads, -1).contiguous()

    def _attend_part(
        self, call: int, query: Tensor, part: AttentionPart, scale: float, softcap: float | None
    ) -> tuple[Tensor, Tensor]:
        """One part: query `[kv heads, T, heads of each, D]` → out `[kv heads, B · n, heads of each, Dv]`, its lse."""
        keys, values = self.pool.read(call, part.slots)
        kv_heads, _, times, size = query.shape
        groups, n, length = part.shape
        query = query[:, part.queries]
        if part.causal:  # heads cannot stand side by side under a triangle
            query, keys, values = query.transpose(1, 2), keys[:, None], values[:, None]
            keys, values = keys.expand(-1, times, -1, -1), values.expand(-1, times, -1, -1)
            out, lse = attention_parts.attend(query, keys, values, scale, None, True, softcap)
            return out.transpose(1, 2), lse.transpose(1, 2)
        query = query.reshape(kv_heads, groups, n * times, size).transpose(0, 1)
        keys = keys.view(kv_heads, groups, length, -1).transpose(0, 1)
        values = values.view(kv_heads, groups, length, -1).transpose(0, 1)
        out, lse = attention_parts.attend(query, keys, values, scale, part.seen(times), False, softcap)
        return (
            out.transpose(0, 1).reshape(kv_heads, groups * n, times, -1),
            lse.transpose(0, 1).reshape(kv_heads, groups * n, times),
        )

    def work_under(self, rule: MaskRule, device: torch.device, times: int, kv_heads: int, wide: int) -> AttentionWork:
        """The attention of the calls that see by a rule, as a kernel takes it."""
        key = rule, device, times, kv_heads, wide
        if key not in self.works:
            sent = next(self.given, None) or self._sent.get((fixed(rule), *key[1:]))
            self.works[key] = sent or self._work_of(key, device)
        return self.works[key]

    def work_on_host(self, key: WorkKey) -> AttentionWork:
        """`work_under`, with its tensors on the host."""
        return self._work_of(key, torch.device("cpu"))

    def _work_of(self, key: WorkKey, place: torch.device) -> AttentionWork:
        rule, device, times, kv_heads, wide = key
        blocks = [block for block, _ in self._blocks_under(rule, device)]
        return work_of(blocks, len(self.depths), times, kv_heads, place, wide=wide)

    def _parts_under(self, rule: MaskRule, device: torch.device) -> list[AttentionPart]:
        if (rule, device) not in self._parts:
            blocks = self._blocks_under(rule, device)
            self._parts[rule, device] = [AttentionPart.of(*block, device) for block in blocks]
        return self._parts[rule, device]

    def _blocks_under(self, rule: MaskRule, device: torch.device) -> list[tuple[AttentionBlock, bool]]:
        """The work under the model's own rule (causal, sliding, chunked). Each block says whether it holds the own keys
        of its queries; those that do come first."""
        if (rule, device) not in self._blocks:
            items = [(block, item.causal) for item in self.layout.items for block in self._cut(item, rule, device)]
            groups = [(self._grouped(groups, rule, device), True) for groups in self.layout.groups]
            self._blocks[rule, device] = sorted([*groups, *items], key=lambda block: not block[1])
        return self._blocks[rule, device]

    def _cut(self, item: AttentionItem, rule: MaskRule, device: torch.device) -> Iterator[AttentionBlock]:
        """An item as blocks. A rule cuts them down to the keys that some query sees; masks are kept small."""
        length = len(item.slots)
        if rule is causal_mask_function:
            yield AttentionBlock(np.arange(item.first, item.last)[None], None, item.slots[None], None, item.causal)
            return
        key_depths = np.arange(item.depth, item.depth + length)
        step = max(1, MASK_CELLS // length)
        for first in range(item.first, item.last, step):
            queries = np.arange(first, min(first + step, item.last))
            depths = self.depths[queries]
            sees = _sees(rule, depths[:, None], key_depths[None], device)
            if item.causal:
                sees &= key_depths[None] <= depths[:, None]
            seen = np.flatnonzero(sees.any(0))
            if not len(seen):
                continue
            keys = slice(int(seen[0]), int(seen[-1]) + 1)
            yield AttentionBlock(queries[None], None, item.slots[None, keys], _mask(sees[None, :, keys]), False)

    def _grouped(self, groups: PackedGroups, rule: MaskRule, device: torch.device) -> AttentionBlock:
        mask = groups.mask
        if rule is not causal_mask_function:
            sees = _sees(rule, self.depths[groups.queries][:, :, None], groups.depths[:, None], device)
            mask = sees if mask is None else mask & sees
        return AttentionBlock(groups.queries, groups.filled, groups.slots, mask if mask is None else _mask(mask), False)


def fixed(rule: Any) -> object:
    """What two rules have in common that are made for two forwards and say the same: their code, and what it holds,
    numbers and other rules. None if it holds anything else, such as a tensor."""
    if isinstance(rule, (int, float, CodeType)):
        return rule
    if isinstance(rule, FunctionType):
        rule = rule.__code__, rule.__defaults__ or (), *(cell.cell_contents for cell in rule.__closure__ or ())
    held = [*map(fixed, rule)] if isinstance(rule, tuple) else [None]
    return None if None in held else tuple(held)


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _placed(indices: np.ndarray, device: torch.device) -> slice | Tensor:
    """A slice where they are neighbours, else a tensor of them."""
    return _neighbours(indices) or torch.from_numpy(indices).to(device)


def _neighbours(indices: np.ndarray) -> slice | None:
    if len(indices) and indices[-1] - indices[0] == len(indices) - 1 and (np.diff(indices) == 1).all():
        return slice(int(indices[0]), int(indices[-1]) + 1)
    return None


def _mask(sees: np.ndarray) -> np.ndarray | None:
    return None if sees.all() else sees


def _sees(rule: MaskRule, depths: np.ndarray, key_depths: np.ndarray, device: torch.device) -> np.ndarray:
    """A model's own rule on absolute positions: bool, both shapes broadcast. It may hold tensors of the device: if it
    does not, the host asks it, and waits for nobody."""
    device = torch.device("cpu") if fixed(rule) else device
    zero = torch.zeros((), dtype=torch.long, device=device)
    sees = rule(zero, zero, *(torch.from_numpy(positions).to(device) for positions in (depths, key_depths)))
    sees = torch.as_tensor(sees).cpu().numpy()
    return np.array(np.broadcast_to(sees, np.broadcast_shapes(depths.shape, key_depths.shape)))


# --- transformers' attention interface: within `attention_hook.attention`, the plan of the pass answers its calls

# It must not contain 'flash', 'sdpa', 'flex_attention' or 'paged|': transformers looks for them in the name.
ATTENTION = "outlines_cont"
CURRENT_PLAN: ContextVar[AnyPlan | None] = ContextVar("outlines_cont_plan", default=None)
STOCK: dict[int, str] = {}  # id of a config's attributes → the attention that its model has when we do not run it


def attention_of(module: nn.Module, name: str) -> Callable[..., Any]:
    """The attention that this module calls by this name."""
    if name == "eager":
        return sys.modules[type(module).__module__].eager_attention_forward
    return ALL_ATTENTION_FUNCTIONS[name]


def attend(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Any, **kwargs: Any
) -> tuple[Tensor, Tensor | None]:
    """transformers' attention interface: q `[1, H, T, D]`, new k and v `[1, Hkv, T, D]` → out `[1, T, H, Dv]`."""
    plan, stock = CURRENT_PLAN.get(), STOCK.get(id(vars(module.config)), "sdpa")
    if plan is None:  # another thread uses the model while ours runs it
        return attention_of(module, stock)(module, query, key, value, attention_mask, **kwargs)
    if kwargs.get("position_bias") is not None:
        raise NotImplementedError(f"{type(module).__name__} adds a position bias to its attention")
    if attention_mask is not None and not isinstance(attention_mask, RuleOnly):
        raise NotImplementedError(f"{type(module).__name__} does not take its mask from transformers' mask interface")
    rule = causal_mask_function if attention_mask is None else attention_mask.rule
    if isinstance(plan, OwnAttention):
        return plan.attend(stock, module, query, key, value, rule, **kwargs)
    if (query.dtype, key.dtype) != (value.dtype,) * 2 and torch.is_autocast_enabled(query.device.type):
        # rotary embeddings take queries and keys out of autocast; the model's own attention would put them in again
        dtype = torch.get_autocast_dtype(query.device.type)
        query, key, value = query.to(dtype), key.to(dtype), value.to(dtype)
    scale, softcap, sinks = kwargs.get("scaling"), kwargs.get("softcap"), kwargs.get("s_aux")
    call, plan.calls = plan.calls, plan.calls + 1
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    if softcap is None and sinks is None:
        out = plan.attend_one_row(call, query, key, value, rule, scale)
        if out is not None:
            return out, None
    plan.write(call, key[0], value[0])
    return plan.attend(call, query[0], rule, scale, softcap, sinks)[None], None


@dataclass(frozen=True)
class RuleOnly:
    """Stands in for a mask tensor on its way through the model: the model's own rule of who may see whom."""

    rule: Callable[..., Any]


def mask(*args: Any, mask_function: Callable[..., Any] = causal_mask_function, **kwargs: Any) -> Any:
    """transformers' mask interface."""
    if CURRENT_PLAN.get() is None:
        make = ALL_MASK_ATTENTION_FUNCTIONS[STOCK.get(id(vars(kwargs["config"])), "sdpa")]
        return make(*args, mask_function=mask_function, **kwargs)
    return RuleOnly(mask_function)


# In a compiled model they run as they are: every pass has another layout, for which they would be compiled anew.
AttentionInterface.register(ATTENTION, torch.compiler.disable(attend))
AttentionMaskInterface.register(ATTENTION, torch.compiler.disable(mask))
