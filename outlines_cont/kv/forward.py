"""One packed forward for many rows: plan it, run it through transformers' attention interface, keep its keys, values.

All tokens that the tree does not hold are laid out once each, parents before children, in one sequence `[1, T]`. A
token's position is its depth; an ancestor mask says what it sees. The keys and values of older tokens come out of the
pool; the new ones go into it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedModel
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, causal_mask_function
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from outlines_cont.kv.tree import Claim, Node, Pool, Tree

# It must not contain 'flash', 'sdpa', 'flex_attention' or 'paged|': transformers looks for them in the name.
ATTENTION = "outlines_cont"
MASK_CELLS = 1 << 23  # a pass is cut when queries × keys exceed this


@dataclass(frozen=True, slots=True)
class Query:
    """Give the logits after each of the tokens at positions `wanted` of the row `ids`."""

    ids: tuple[int, ...]
    wanted: tuple[int, ...]
    claim: Claim | None = None


@dataclass(slots=True, eq=False)
class Token:
    """One token of a pass: where it hangs (an older point of the tree, or another new token), and if it is kept."""

    id: int
    parent: Token | None
    depth: int
    point: tuple[Node, int] | None  # where the tree ends and the new tokens begin; None below another new token
    stored: bool = True
    wanted: list[tuple[int, int]] = field(default_factory=list)  # (query, number of its wanted position)
    place: tuple[Node, int] | None = None  # where it came to stand in the tree
    index: int = -1  # in its pass


@dataclass(slots=True)
class Counts:
    """What one call cost: tokens computed, passes made, positions not computed again, tokens read again."""

    tokens: int = 0
    passes: int = 0
    reused: int = 0
    reread: int = 0


def run(hf: PreTrainedModel, tree: Tree, queries: Sequence[Query]) -> tuple[list[Tensor], list[Claim | None], Counts]:
    """For each query its logits `[len(wanted), V]` and a claim on its tokens up to the last wanted one.

    Tokens that rows share are computed once; those in the tree are not computed at all, except where a position's
    logits are wanted but were not kept: that one token is read again without being stored.
    """
    counts = Counts()
    found: dict[tuple[int, int], Tensor] = {}
    tips: list[tuple[Token | None, Claim | None]] = []
    tokens: list[Token] = []
    below: dict[tuple[Any, int, int], Token] = {}

    for number, query in enumerate(queries):
        ids = query.ids[: max(query.wanted) + 1]
        claim = tree.find(ids, query.claim)
        depth = claim.depth if claim else 0
        point = (claim.node, claim.size) if claim else (tree.root, 0)
        tip: Token | None = None
        fresh: list[Token] = []
        for at in range(depth, len(ids)):
            key = (tip, ids[at], 0) if tip else (point[0], point[1], ids[at])
            token = below.get(key)
            if token is None:
                token = below[key] = Token(ids[at], tip, at, None if tip else point)
                tokens.append(token)
                counts.tokens += 1
            fresh.append(token)
            tip = token
        for slot, position in enumerate(query.wanted):
            if position >= depth:
                fresh[position - depth].wanted.append((number, slot))
                continue
            assert claim is not None
            node, size = claim.at(position + 1)
            if (kept := node.logits.get(size)) is not None:
                found[number, slot] = kept
                continue
            key = (node, size, -1)
            token = below.get(key)
            if token is None:
                above = claim.at(position) if position else (tree.root, 0)
                token = below[key] = Token(ids[position], None, position, above, stored=False, place=(node, size))
                tokens.append(token)
                counts.reread += 1
            token.wanted.append((number, slot))
        counts.reused += len(ids)
        tips.append((tip, claim))
    counts.reused -= counts.tokens + counts.reread

    claims: dict[int, Claim] = {}  # of every stored token that some row ends in, and of the borders between passes
    keep = {id(tip) for tip, _ in tips if tip}
    tree.compact()
    for batch in _passes(tokens):
        counts.passes += 1
        found.update(_forward(hf, tree, batch, keep, claims))
    answers = [
        torch.stack([found[number, slot] for slot in range(len(query.wanted))]) for number, query in enumerate(queries)
    ]
    return answers, [claims[id(tip)] if tip else claim for tip, claim in tips], counts


def _passes(tokens: list[Token]) -> Iterator[list[Token]]:
    """Cut the tokens into passes whose masks stay small."""
    batch: list[Token] = []
    keys, points = 0, set()
    for token in tokens:
        if token.point and token.point not in points:
            points.add(token.point)
            keys += token.depth
        if batch and (len(batch) + 1) * (keys + len(batch) + 1) > MASK_CELLS and len(batch) >= 64:
            yield batch
            batch, keys, points = [], token.depth, {token.point}
        batch.append(token)
    if batch:
        yield batch


@dataclass(eq=False)
class Plan:
    """What the attention function needs while one pass runs."""

    pool: Pool
    past: Tensor  # int64 [K]: slots of the older keys that some token of the pass sees
    slots: Tensor  # int64 [stored]: where the new keys and values go
    stored: Tensor  # int64 [stored]: which tokens of the pass they are
    depths: Tensor  # int64 [T]
    key_depths: Tensor  # int64 [K + T]
    ancestors: Tensor  # bool [T, K + T]
    calls: int = 0
    masks: dict[Any, Tensor] = field(default_factory=dict)

    def mask(self, rule: Callable[..., Tensor]) -> Tensor:
        """The ancestor mask cut down by the model's own rule (causal, sliding, chunked), on absolute positions."""
        if rule not in self.masks:
            zero = torch.zeros((), dtype=torch.long, device=self.depths.device)
            allowed = rule(zero, zero, self.depths[:, None], self.key_depths[None, :])
            self.masks[rule] = self.ancestors & allowed
        return self.masks[rule]


_plan: ContextVar[Plan | None] = ContextVar("outlines_cont_plan", default=None)


def _forward(
    hf: PreTrainedModel, tree: Tree, batch: list[Token], keep: set[int], claims: dict[int, Claim]
) -> dict[tuple[int, int], Tensor]:
    """Run one pass and store its keys and values: (query, slot) → logits `[V]`."""
    device = cast(Tensor, hf.get_input_embeddings().weight).device
    ancestors, past, past_depths = _ancestors(tree, batch)
    stored = [token for token in batch if token.stored]
    with tree.lock:
        slots = tree.pool.take(len(stored))
    wanted = [token.index for token in batch if token.wanted]
    depths = torch.tensor([token.depth for token in batch], device=device)
    plan = Plan(
        pool=tree.pool,
        past=torch.from_numpy(past).to(device),
        slots=torch.tensor(slots, dtype=torch.long, device=device),
        stored=torch.tensor([token.index for token in stored], dtype=torch.long, device=device),
        depths=depths,
        key_depths=torch.cat([torch.from_numpy(past_depths).to(device), depths]),
        ancestors=torch.from_numpy(ancestors).to(device),
    )
    ids = torch.tensor([[token.id for token in batch]], device=device)
    try:
        with attention(hf, plan):
            logits: Tensor = hf(
                input_ids=ids,
                position_ids=depths[None],
                attention_mask=torch.ones_like(ids),
                use_cache=False,
                logits_to_keep=torch.tensor(wanted or [len(batch) - 1], device=device),
            ).logits[0]
    except BaseException:
        with tree.lock:
            tree.pool.give(slots)
        raise
    with tree.lock:
        for token, slot in zip(stored, slots, strict=True):
            parent = token.parent.place if token.parent else token.point
            assert parent is not None
            token.place = tree.extend(*parent, token.id, slot)
        # whatever a row ends in or a later pass hangs on is claimed before the lock opens
        inner = {id(token.parent) for token in stored if token.parent}
        for token in stored:
            if id(token) in keep or id(token) not in inner:
                assert token.place is not None
                claims[id(token)] = Claim(tree, *token.place)
        answers: dict[tuple[int, int], Tensor] = {}
        for index, row in zip(wanted, logits, strict=False):
            token = batch[index]
            assert token.place is not None
            kept = row.clone()  # a view would keep the whole pass in memory
            tree.keep_logits(*token.place, kept)
            answers |= {answer: kept for answer in token.wanted}
        return answers


def _ancestors(tree: Tree, batch: list[Token]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Who sees what: bool `[T, K + T]` over the older keys and the new ones; the older keys' slots and depths `[K]`."""
    for index, token in enumerate(batch):
        token.index = index
    inside = set(map(id, batch))
    points = [_above(token, inside) for token in batch]
    paths = tree.paths(point for point in points if point is not None)
    column_of = tree.take_blank()
    pasts, depths, total = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for slots in paths.values():
        depths.append(np.flatnonzero(column_of[slots] < 0))  # where a path is new to the others
        pasts.append(slots[depths[-1]])
        column_of[pasts[-1]] = np.arange(total, total + len(pasts[-1]))
        total += len(pasts[-1])
    columns = {point: column_of[slots] for point, slots in paths.items()}
    past = np.concatenate(pasts)
    column_of[past] = -1
    tree.put_blank(column_of)
    seen = np.zeros((len(batch), len(past) + len(batch)), bool)
    for row, token, point in zip(seen, batch, points, strict=True):
        if point is not None:
            row[columns[point]] = True
        else:
            assert token.parent is not None
            row[:] = seen[token.parent.index]
        row[len(past) + token.index] = True
    return seen, past, np.concatenate(depths)


def _above(token: Token, inside: set[int]) -> tuple[Node, int] | None:
    """The point of the tree that a token hangs on; None if it hangs on another token of the same pass."""
    if token.parent is None:
        return token.point
    return None if id(token.parent) in inside else token.parent.place


_known_configs: WeakKeyDictionary[nn.Module, list[Any]] = WeakKeyDictionary()


def _configs(hf: nn.Module) -> list[Any]:
    """The distinct configs of a model and its parts: each says which attention its part uses."""
    if hf not in _known_configs:
        configs = {id(m.config): m.config for m in hf.modules() if isinstance(m, PreTrainedModel)}
        _known_configs[hf] = list(configs.values())
    return _known_configs[hf]


@contextmanager
def attention(hf: PreTrainedModel, plan: Plan) -> Iterator[None]:
    """Route the model's attention through the plan for one forward, and put its own implementation back."""
    before = [(config, config._attn_implementation_internal) for config in _configs(hf)]
    _stock.update((id(config), implementation) for config, implementation in before)
    token = _plan.set(plan)
    try:
        for config, _ in before:
            config._attn_implementation_internal = ATTENTION
        yield
    finally:
        for config, implementation in before:
            config._attn_implementation_internal = implementation
        _plan.reset(token)


_stock: dict[int, str] = {}  # id of a config → the attention that its model has when we do not run it


def _stock_attention(module: nn.Module) -> Callable[..., Any]:
    """What this module's attention calls by itself: for other threads that use the model while ours runs it."""
    name = _stock.get(id(module.config), "sdpa")
    if name == "eager":
        return sys.modules[type(module).__module__].eager_attention_forward
    return ALL_ATTENTION_FUNCTIONS[name]


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Any,
    **kwargs: Any,
) -> tuple[Tensor, Tensor | None]:
    """transformers' attention interface: q `[1, H, T, D]`, new k and v `[1, Hkv, T, D]` → out `[1, T, H, Dv]`."""
    plan = _plan.get()
    if plan is None:
        return _stock_attention(module)(module, query, key, value, attention_mask, **kwargs)
    scaling, softcap, s_aux = (kwargs.get(name) for name in ("scaling", "softcap", "s_aux"))
    if kwargs.get("position_bias") is not None:
        raise NotImplementedError(f"{type(module).__name__} adds a position bias to its attention")
    call, plan.calls = plan.calls, plan.calls + 1
    keys, values = key[0], value[0]
    if len(plan.past):
        past_keys, past_values = plan.pool.read(call, plan.past.to(key.device))
        keys, values = torch.cat([past_keys, keys], dim=1), torch.cat([past_values, values], dim=1)
    if len(plan.slots):
        stored = plan.stored.to(key.device)
        plan.pool.write(call, plan.slots.to(key.device), key[0, :, stored], value[0, :, stored])
    rule: Any = attention_mask.rule if isinstance(attention_mask, Rule) else causal_mask_function
    if attention_mask is not None and not isinstance(attention_mask, Rule):
        raise NotImplementedError(f"{type(module).__name__} does not take its mask from transformers' mask interface")
    mask = plan.mask(rule).to(key.device)
    if softcap is None and s_aux is None:
        grouped = query.shape[1] != keys.shape[0]
        out = scaled_dot_product_attention(
            query, keys[None], values[None], attn_mask=mask[None, None], scale=scaling, enable_gqa=grouped
        )
    else:
        out = _soft_attention(query, keys, values, mask, scaling, softcap, s_aux)
    return out.transpose(1, 2).contiguous(), None


def _soft_attention(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor, scaling: float | None, softcap: float | None, sinks: Any
) -> Tensor:
    """Attention with tanh-capped scores or with a learned sink per head."""
    heads, kv_heads = query.shape[1], keys.shape[0]
    grouped = query.view(kv_heads, heads // kv_heads, *query.shape[2:])
    scores = grouped @ keys[:, None].transpose(-1, -2) * (scaling or query.shape[-1] ** -0.5)
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    scores = scores.float().masked_fill(~mask, float("-inf"))
    if sinks is not None:
        sink = sinks.float().view(kv_heads, -1, 1, 1).expand(*scores.shape[:-1], 1)
        weights = torch.cat([scores, sink], dim=-1).softmax(-1)[..., :-1]
    else:
        weights = scores.softmax(-1)
    return (weights.to(values) @ values[:, None]).view(1, heads, query.shape[2], -1)


@dataclass(frozen=True)
class Rule:
    """Stands in for a mask tensor on its way through the model: the model's own rule of who may see whom."""

    rule: Callable[..., Tensor]


def mask(*args: Any, mask_function: Callable[..., Any] = causal_mask_function, **kwargs: Any) -> Any:
    """transformers' mask interface."""
    if _plan.get() is None:
        make = ALL_MASK_ATTENTION_FUNCTIONS[_stock.get(id(kwargs.get("config")), "sdpa")]
        return make(*args, mask_function=mask_function, **kwargs)
    return Rule(mask_function)


AttentionInterface.register(ATTENTION, attend)
AttentionMaskInterface.register(ATTENTION, mask)
