"""Log-probabilities of tokens in rows of token ids, with gradients: what rows begin with in common is read once.

A pass has the trie of its rows. The nodes stand in one sequence, depth first, so those below a node are its neighbours.
Where a model's tier is not `hook`, rows stand beside each other, padded, in a plain forward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.errors import warn
from outlines_cont.prefixes import common_length
from outlines_cont.train.trie_attention import TrieAttention, cheapest

Ids = tuple[int, ...]
PASS_COST = 16  # positions that one more pass of padded rows may save


class LearnedRow(NamedTuple):
    """A row, and the positions of its tokens whose log-probabilities are wanted: ascending, at least one, and none is
    0, because the first token of a row has no context."""

    ids: Ids
    wanted: tuple[int, ...]

    @property
    def context(self) -> Ids:
        """All tokens that are read: those before the last wanted one."""
        return self.ids[: self.wanted[-1]]


@dataclass(frozen=True, eq=False)
class TrainingPass:
    """One forward of some contexts.

    ids: int64 `[1, nodes]`, or `[rows, tokens]` where rows are padded. depths: int64, the position of each node, or the
    number of tokens of each row. paths: of each context, where its tokens stand in `ids`, flattened. ends: int64, after
    the last node below each node; None where rows are padded.
    """

    ids: np.ndarray
    depths: np.ndarray
    paths: list[list[int]]
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


def packed(contexts: Sequence[Ids]) -> TrainingPass:
    """The trie of some contexts, which are in order.

    >>> from outlines_cont.train.packed import packed
    >>> one = packed([(5, 6), (5, 6, 7), (5, 8)])
    >>> one.ids.tolist(), one.depths.tolist(), one.ends.tolist(), one.paths
    ([[5, 6, 7, 8]], [0, 1, 2, 1], [4, 3, 3, 4], [[0, 1], [0, 1, 2], [0, 3]])
    """
    ids, depths, ends, paths = list[int](), list[int](), list[int](), list[list[int]]()
    before, path = Ids(), list[int]()
    for context in [*contexts, ()]:
        common = common_length(before, context)
        for node in path[common:]:
            ends[node] = len(ids)
        new = range(len(ids), len(ids) + len(context) - common)
        path = [*path[:common], *new]
        ids += context[common:]
        depths += range(common, len(context))
        ends += new
        paths.append(path)
        before = context
    return TrainingPass(np.array([ids]), np.array(depths), paths[:-1], np.array(ends))


def padded(contexts: Sequence[Ids]) -> TrainingPass:
    """Contexts, which are in order, beside each other. One that the next one begins with is read with it.

    >>> from outlines_cont.train.packed import padded
    >>> one = padded([(5, 6), (5, 6, 7), (8,)])
    >>> one.ids.tolist(), one.depths.tolist(), one.paths
    ([[5, 6, 7], [8, 0, 0]], [3, 1], [[0, 1], [0, 1, 2], [3]])
    """
    longest, lines, paths = max(map(len, contexts)), list[Ids](), list[list[int]]()
    for context, after in zip(contexts, [*contexts[1:], ()], strict=True):
        start = len(lines) * longest
        paths.append([*range(start, start + len(context))])
        if after[: len(context)] != context:
            lines.append(context)
    ids = [[*line, *[0] * (longest - len(line))] for line in lines]
    return TrainingPass(np.array(ids), np.array([*map(len, lines)]), paths, None)


def _parts(contexts: Sequence[Ids], chunk: int | None, as_tree: bool, alone: bool) -> list[int]:
    """Where parts end of contexts that are in order: those with the fewest positions, of at most `chunk` each."""
    common = np.array([common_length(a, b) for a, b in zip([(), *contexts], contexts, strict=False)])
    lengths = np.array([*map(len, contexts)])
    nodes, lines = np.cumsum(lengths - common), np.cumsum(np.append(common[1:] < lengths[:-1], True))

    def cost(end: int) -> np.ndarray:
        """Of the parts that end there, by the context that each begins with."""
        if as_tree:
            sizes = nodes[end - 1] - nodes[:end] + lengths[:end]
        else:
            longest = np.maximum.accumulate(lengths[:end][::-1])[::-1]
            sizes = (lines[end - 1] - lines[:end] + 1) * longest
            sizes = np.where(np.arange(end) < end - 1, np.inf, sizes) if alone else sizes
        return np.where(sizes > (chunk or np.inf), np.inf, sizes + (0.5 if as_tree else PASS_COST))

    return cheapest(len(contexts), cost)


def values_of(
    model: Any, rows: Sequence[LearnedRow], *, grad: bool = True, chunk: int | None = None, entropies: bool = False
) -> Tensor:
    """The log-probabilities `[1, values]` of all wanted tokens, row by row; `[2, values]` with the entropies of the
    laws that they were drawn from. float32, or float64 for a model in float64, on the device of the model's logits.

    model: a `Model` of a transformers model; the other arguments are those of `tree_logprobs`.
    """
    hf, lock, tier = model.hf, model.engine.lock, model.tier
    of_context: dict[Ids, list[int]] = {}
    for place, row in enumerate(rows):
        of_context.setdefault(row.context, []).append(place)
    contexts = sorted(of_context)
    as_tree = tier.name == "hook"
    ends = _parts(contexts, chunk, as_tree, tier.alone)
    parts = [contexts[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    passes = [packed(part) if as_tree else padded(part) for part in parts]
    positions = sum(one.ids.size for one in passes)
    if not as_tree:
        nodes = packed(contexts).ids.size
        warn(
            f"{type(hf).__name__} reads every row by itself, {positions:,} positions with padding, where a tree of the "
            f"rows has {nodes:,}: its tier is {tier}"
        )
    order, asked = list[int](), list[np.ndarray]()
    for part, one in zip(parts, passes, strict=True):
        lines = [(i, path) for context, path in zip(part, one.paths, strict=True) for i in of_context[context]]
        order += [i for i, _ in lines]
        asked.append(np.array([(path[at - 1], rows[i].ids[at]) for i, path in lines for at in rows[i].wanted]))
    grad = grad and torch.is_grad_enabled()
    run: Callable[..., Tensor] = _values
    if chunk is not None and grad and len(passes) > 1:
        run = lambda *arguments: checkpoint(_values, *arguments, use_reentrant=False)  # noqa: E731
    with torch.set_grad_enabled(grad):
        values = [run(hf, lock, one, pairs, entropies) for one, pairs in zip(passes, asked, strict=True)]
        with lock:
            model.stats.tokens += positions
            model.stats.passes += len(passes)
        by_row = torch.cat(values, 1).split([len(rows[place].wanted) for place in order], 1)
        return torch.cat([by_row[i] for i in np.argsort(order)], 1)


def _values(hf: Any, lock: Any, one: TrainingPass, pairs: np.ndarray, entropies: bool) -> Tensor:
    """Of a pass. pairs: int64 `[values, 2]`, where the token before each wanted one stands, and the wanted one."""
    places, lines = np.unique(pairs[:, 0], return_inverse=True)
    logits = one.logits(hf, lock, torch.from_numpy(places))
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    at, tokens = (torch.from_numpy(each).to(logits.device) for each in (lines.reshape(-1), pairs[:, 1]))
    totals = logits.logsumexp(-1)
    logprobs = logits[at, tokens] - totals[at]
    if not entropies:
        return logprobs[None]
    every = (logits - totals[:, None]).clamp_min(torch.finfo(logits.dtype).min)  # 0 · −inf is no number
    return torch.stack([logprobs, -(every.exp() * every).sum(-1)[at]])
