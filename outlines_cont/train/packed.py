"""Log-probabilities of tokens in rows of token ids, with gradients: what rows begin with in common is read once.

A pass has the trie of its rows. The nodes stand in one sequence, depth first, so those below a node are its neighbours.
Where a model's tier is not `hook`, rows stand beside each other, padded, in a plain forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from outlines_cont.engines.hf.attention_hook import ITEM_COST, attention, model_facts
from outlines_cont.engines.hf.attention_plan import CURRENT_PLAN, MaskRule, OwnAttention, attention_of
from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.errors import warn
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.prefixes import common_length

# --- attention of one sequence that is a trie, by a model's own attention, which has gradients
#
# The nodes are cut into blocks of neighbours. All that a block sees is itself and the nodes above its first node: so
# each block is one call, with a mask, and no score is computed between rows that have nothing in common.

CHECKPOINT = "_gradient_checkpointing_func"  # where transformers' layers have what calls them
Block = tuple[int, int, Tensor, Tensor]  # its first node, the end of its nodes, the nodes that it sees, and its mask


def cheapest(count: int, cost: Callable[[int], np.ndarray]) -> list[int]:
    """Where the pieces end into which so many things in order are cut at the least cost.

    cost: of the pieces that end at a place, by the place where each begins.
    """
    least, begins = np.zeros(count + 1), [0] * (count + 1)
    for end in range(1, count + 1):
        sums = least[:end] + cost(end)
        begins[end] = int(sums.argmin())
        least[end] = sums[begins[end]]
    ends = [count]
    while begins[ends[-1]]:
        ends.append(begins[ends[-1]])
    return ends[::-1]


def blocks_of(depths: np.ndarray, item_cost: float) -> list[tuple[int, int]]:
    """The blocks with the fewest scores; one more block costs as much as `item_cost` scores."""
    starts = np.append(np.flatnonzero(np.append(True, np.diff(depths) != 1)), len(depths))
    above = depths[starts[:-1]]

    def cost(end: int) -> np.ndarray:
        sizes = starts[end] - starts[:end]
        return sizes * (above[:end] + sizes) + item_cost

    ends = starts[cheapest(len(above), cost)].tolist()
    return [*zip([0, *ends], ends, strict=False)]


class TrieAttention(OwnAttention):
    """The attention of one pass, also where gradient checkpointing computes a layer of it once more."""

    def __init__(self, hf: Any, lock: Any, depths: np.ndarray, ends: np.ndarray):
        """lock: of the model, in whose config the attention is switched on. depths: int64, of each node; ends: int64,
        after the last node below each node."""
        self._hf, self._lock, self._depths, self._ends = hf, lock, depths, ends
        self._blocks: dict[tuple[MaskRule, torch.device], list[Block]] = {}

    @contextmanager
    def used(self) -> Iterator[None]:
        """For one forward."""
        with self._lock, attention(self._hf, self):
            layers = [vars(m) for m in self._hf.modules() if CHECKPOINT in vars(m)]
            before = [layer[CHECKPOINT] for layer in layers]
            try:
                for layer in layers:
                    layer[CHECKPOINT] = partial(self._checkpointed, layer[CHECKPOINT])
                yield
            finally:
                for layer, checkpoint in zip(layers, before, strict=True):
                    layer[CHECKPOINT] = checkpoint

    def _checkpointed(self, checkpoint: Callable[..., Any], function: Callable[..., Any], *args: Any, **kw: Any) -> Any:
        """What gradient checkpointing calls a layer by, with this attention in `backward()` too."""

        if CURRENT_PLAN.get() is not self:  # another thread's layer
            return checkpoint(function, *args, **kw)

        def layer(*given: Any, **named: Any) -> Any:
            if CURRENT_PLAN.get() is self:
                return function(*given, **named)
            with self._lock, attention(self._hf, self):
                return function(*given, **named)

        return checkpoint(layer, *args, **kw)

    def attend(
        self, name: str, module: nn.Module, query: Tensor, key: Tensor, value: Tensor, rule: MaskRule, **kwargs: Any
    ) -> tuple[Tensor, None]:
        if name not in ("sdpa", "eager"):  # it takes no mask; sdpa knows no softcap and no sinks
            name = "sdpa" if kwargs.get("softcap") is None and kwargs.get("s_aux") is None else "eager"
        call, parts = attention_of(module, name), list[Tensor]()
        for first, end, seen, sees in self._blocks_under(rule, query.device):
            mask = sees
            if name == "eager":
                mask = torch.zeros_like(sees, dtype=query.dtype).masked_fill_(~sees, torch.finfo(query.dtype).min)
            keys, values = (key, value) if len(seen) == key.shape[2] else (key[:, :, seen], value[:, :, seen])
            parts.append(call(module, query[:, :, first:end], keys, values, mask, **kwargs)[0])
        return torch.cat(parts, 1), None

    def _blocks_under(self, rule: MaskRule, device: torch.device) -> Sequence[Block]:
        """The blocks, under the model's own rule (causal, sliding, chunked), with masks `[1, 1, nodes, seen]`."""
        if (rule, device) not in self._blocks:
            cost = ITEM_COST.get(device.type, ITEM_COST["cuda"]) / model_facts(self._hf).width
            ends, depths = (torch.from_numpy(each).to(device) for each in (self._ends, self._depths))
            zero, blocks = torch.zeros((), dtype=torch.long, device=device), list[Block]()
            for first, end in blocks_of(self._depths, cost):
                nodes = torch.arange(first, end, device=device)
                seen = torch.cat([torch.nonzero(ends[:first] > first)[:, 0], nodes])
                sees = (seen <= nodes[:, None]) & (nodes[:, None] < ends[seen])
                sees = sees & rule(zero, zero, depths[nodes][:, None], depths[seen])
                blocks.append((first, end, seen, sees[None, None]))
            self._blocks[rule, device] = blocks
        return self._blocks[rule, device]


# --- passes over packed rows

Ids = tuple[int, ...]


class LearnedRow(NamedTuple):
    """A row, and the positions of its tokens whose log-probabilities are wanted: ascending, at least one, and none is
    0, because the first token of a row has no context."""

    ids: Ids
    wanted: tuple[int, ...]

    @property
    def context(self) -> Ids:
        """All tokens that are read: those before the last wanted one."""
        return self.ids[: self.wanted[-1]]


class DrawLaw(NamedTuple):
    """What may follow a context: masks of tokens, int32 `[(V + 31) // 32]`, as those of guides.

    tokens: those that may come. ends: those whose probability the stop has; none, where the row may not end. The stop
    is one candidate, with the number V.
    """

    tokens: np.ndarray
    ends: np.ndarray


def _candidates(logits: Tensor, laws: Sequence[DrawLaw | None]) -> Tensor:
    """The logits `[places, V + 1]` of the candidates at some places, of logits `[places, V]`; None: all tokens."""
    size, words = logits.shape[1], -(-logits.shape[1] // 32)
    kinds = {id(law): law or DrawLaw(np.full(words, -1, np.int32), np.zeros(words, np.int32)) for law in laws}
    numbers = {kind: number for number, kind in enumerate(kinds)}
    masks = (np.array([~unpack(mask, size) for mask in part]) for part in zip(*kinds.values(), strict=True))
    tokens, ends = (torch.from_numpy(part).to(logits.device)[[numbers[id(law)] for law in laws]] for part in masks)
    stop = logits.masked_fill(ends, -torch.inf).logsumexp(-1, keepdim=True)
    return torch.cat([logits.masked_fill(tokens, -torch.inf), stop], 1)


@dataclass(frozen=True, eq=False)
class TrainingPass:
    """One forward of some contexts.

    ids: int64 `[1, nodes]`, or `[rows, tokens]` where rows are padded. depths: int64, the position of each node, or the
    number of tokens of each row. paths: by context, where its tokens stand in `ids`, flattened. ends: int64, after the
    last node below each node; None where rows are padded.
    """

    ids: np.ndarray
    depths: np.ndarray
    paths: dict[Ids, list[int]]
    ends: np.ndarray | None

    def logits(self, hf: Any, lock: Any, places: Tensor) -> Tensor:
        """The logits `[places, V]` after these tokens of `ids`, flattened."""
        device = device_of(hf)
        ids, depths = (torch.from_numpy(each).to(device) for each in (self.ids, self.depths))
        if self.ends is not None:
            options = {"position_ids": depths[None], "attention_mask": torch.ones_like(ids), "logits_to_keep": places}
            with TrieAttention(hf, lock, self.depths, self.ends).used():
                return hf(input_ids=ids, use_cache=False, **options).logits[0]
        shown = (torch.arange(ids.shape[1], device=device) < depths[:, None]).long()
        with lock:
            logits = hf(input_ids=ids, attention_mask=shown, use_cache=False).logits
        return logits.flatten(0, 1)[places.to(logits.device)]

    def values(
        self, hf: Any, lock: Any, pairs: np.ndarray, entropies: bool, laws: Mapping[int, DrawLaw], temperature: float
    ) -> Tensor:
        """`values_of` what was asked: int64 `[values, 2]`, where the token before a wanted one stands, and that one.
        laws: by place."""
        places, lines = np.unique(pairs[:, 0], return_inverse=True)
        logits = self.logits(hf, lock, torch.from_numpy(places))
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        if laws:
            logits = _candidates(logits, [laws.get(place) for place in places.tolist()])
        if temperature != 1:
            logits = logits / temperature
        at, tokens = (torch.from_numpy(each).to(logits.device) for each in (lines.reshape(-1), pairs[:, 1]))
        totals = logits.logsumexp(-1)
        logprobs = logits[at, tokens] - totals[at]
        if not entropies:
            return logprobs[None]
        every = (logits - totals[:, None]).clamp_min(torch.finfo(logits.dtype).min)  # 0 · −inf is no number
        return torch.stack([logprobs, -(every.exp() * every).sum(-1)[at]])


def packed(contexts: Sequence[Ids]) -> TrainingPass:
    """The trie of some contexts, which are in order."""
    ids, depths, ends, paths = list[int](), list[int](), list[int](), dict[Ids, list[int]]()
    before, path = Ids(), list[int]()
    for context in [*contexts, ()]:
        common = common_length(before, context)
        for node in path[common:]:
            ends[node] = len(ids)
        new = range(len(ids), len(ids) + len(context) - common)
        paths[context] = path = [*path[:common], *new]
        ids += context[common:]
        depths += range(common, len(context))
        ends += new
        before = context
    return TrainingPass(np.array([ids]), np.array(depths), paths, np.array(ends))


def padded(contexts: Sequence[Ids]) -> TrainingPass:
    """Contexts, which are in order, beside each other. One that the next one begins with is read with it."""
    longest, lines, paths = max(map(len, contexts)), list[Ids](), dict[Ids, list[int]]()
    for context, after in zip(contexts, [*contexts[1:], ()], strict=True):
        start = len(lines) * longest
        paths[context] = [*range(start, start + len(context))]
        if after[: len(context)] != context:
            lines.append(context)
    ids = [[*line, *[0] * (longest - len(line))] for line in lines]
    return TrainingPass(np.array(ids), np.array([*map(len, lines)]), paths, None)


def _passes(model: Any, contexts: Sequence[Ids], chunk: int | None) -> list[TrainingPass]:
    """Contexts, which are in order, in passes of at most `chunk` positions, or of one context. Rows that are padded are
    told."""
    tier, lengths, count = model.tier, np.array([*map(len, contexts)]), len(contexts)
    nodes = np.cumsum(lengths - [common_length(a, b) for a, b in zip([(), *contexts], contexts, strict=False)])

    def cost(end: int) -> np.ndarray:
        """The positions of the passes that end there, by the context that each begins with."""
        sizes = nodes[end - 1] - nodes[:end] + lengths[:end]
        return np.where((sizes > (chunk or np.inf)) & (np.arange(end) < end - 1), np.inf, sizes + 0.5)

    if tier.name == "hook":
        ends = [count] if chunk is None else cheapest(count, cost)
        return [packed(contexts[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]
    step = 1 if tier.alone else count if chunk is None else max(1, chunk // int(lengths.max()))
    passes = [padded(contexts[begin : begin + step]) for begin in range(0, count, step)]
    warn(
        f"{type(model.hf).__name__} reads every row by itself, {sum(one.ids.size for one in passes):,} positions with "
        f"padding, where a tree of the rows has {nodes[-1]:,}: its tier is {tier}"
    )
    return passes


Asked = tuple[list[tuple[int, int]], dict[int, DrawLaw]]  # of a pass: pairs and laws, as `TrainingPass.values` has them


def _asked(
    passes: Sequence[TrainingPass], rows: Sequence[LearnedRow], laws: Mapping[Ids, DrawLaw] | None
) -> tuple[list[Asked], list[tuple[int, int]]]:
    """What each pass is asked, and for each row which one, and where its answers begin."""
    asked, slices = list[Asked](([], {}) for _ in passes), list[tuple[int, int]]()
    where = {context: (number, path) for number, one in enumerate(passes) for context, path in one.paths.items()}
    for row in rows:
        number, path = where[row.context]
        pairs, placed = asked[number]
        slices.append((number, len(pairs)))
        pairs += [(path[at - 1], row.ids[at]) for at in row.wanted]
        placed.update((path[at - 1], laws[row.ids[:at]]) for at in row.wanted if laws)
    return asked, slices


def values_of(
    model: Any,
    rows: Sequence[LearnedRow],
    *,
    grad: bool = True,
    chunk: int | None = None,
    entropies: bool = False,
    temperature: float = 1.0,
    laws: Mapping[Ids, DrawLaw] | None = None,
) -> Tensor:
    """The log-probabilities `[1, values]` of all wanted tokens, row by row; `[2, values]` with the entropies of the
    laws that they were drawn from. float32, or float64 for a model in float64, on the device of the model's logits.

    model: a `Model` of a transformers model. temperature: what the logits of the candidates are divided by. laws: what
    may follow each context, where that is not every token. The other arguments are those of `tree_logprobs`.
    """
    lock, grad = model.engine.lock, grad and torch.is_grad_enabled()
    passes = _passes(model, sorted({row.context for row in rows}), chunk)
    asked, slices = _asked(passes, rows, laws)
    again = chunk is not None and grad and len(passes) > 1
    with torch.set_grad_enabled(grad):
        values = list[Tensor]()
        for one, (pairs, placed) in zip(passes, asked, strict=True):
            given = model.hf, lock, np.array(pairs), entropies, placed, temperature
            values.append(checkpoint(one.values, *given, use_reentrant=False) if again else one.values(*given))
        with lock:
            model.stats.tokens += sum(one.ids.size for one in passes)
            model.stats.passes += len(passes)
        ends = [(number, first, first + len(row.wanted)) for row, (number, first) in zip(rows, slices, strict=True)]
        return torch.cat([values[number][:, first:end] for number, first, end in ends], 1)
