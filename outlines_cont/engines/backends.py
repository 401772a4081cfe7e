"""How a model's keys and values are kept: decided when it is loaded, by its flags, its config and a known answer.

1. `hook`: one packed forward a step, through transformers' attention interface (`hook.py`).
2. `stock`: the same store, with stock forwards on transient caches (`stock.py`).
3. `recompute`: nothing is kept; every row is read anew at every step. For recurrent models, and where a row's keys
   depend on its length.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.engines import attention_hook as hook
from outlines_cont.engines import cache_forward as stock
from outlines_cont.kv import forward
from outlines_cont.kv.forward import Forward, Query
from outlines_cont.kv.radix_tree import Tree

PROBE_TOKENS = 24
RECOMPUTED_TOKENS = 4096  # in one forward


@dataclass(frozen=True)
class Tier:
    """Which of the three, and why not a better one."""

    name: Literal["hook", "stock", "recompute"]
    why: str
    forward: Forward | None
    alone: bool = False  # recompute: the logits after a token are those of a forward that ends there

    def __str__(self) -> str:
        kinds = {
            "hook": "KV tree through the attention hook",
            "stock": "KV tree through stock forwards",
            "recompute": "recompute",
        }
        return kinds[self.name] + (f": {self.why}" if self.why else "")


def decide(hf: PreTrainedModel, ids: Sequence[int]) -> Tier:
    """The best tier that gives a known answer: the logits of plain full forwards.

    ids: some different token ids for the probe, among them the padding id if there is one: some models count positions
    by it. ValueError if a row's logits depend on what comes after it: then no tier is exact.
    """
    with _as_served(hf):
        probe = Probe(hf, ids)
        ropes = _ropes(hf)
        if "dynamic" in ropes:
            raise ValueError(
                f"{type(hf).__name__} cannot be served with rope_type 'dynamic': its frequencies are those of the "
                "longest row that it has read so far; those of 'yarn', 'linear' and 'llama3' are fixed"
            )
        if "longrope" in ropes:
            return Tier("recompute", "its longrope depends on the length of a forward", None, alone=True)
        no_hook = _no_hook(hf) or probe.fails(hook.forward)
        if not no_hook:
            return Tier("hook", "", partial(hook.forward, hf))
        no_cache = _no_cache(hf) or probe.fails(stock.forward)
        if not no_cache:
            return Tier("stock", no_hook, partial(stock.forward, hf))
        return Tier("recompute", no_cache, None)


@contextmanager
def _as_served(hf: PreTrainedModel) -> Iterator[None]:
    """Without gradients, dropout and autocast."""
    modes = {module: module.training for module in hf.modules()}
    hf.eval()
    try:
        with torch.inference_mode(False), torch.no_grad(), torch.autocast(forward.device_of(hf).type, enabled=False):
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


class Probe:
    """A small tree of rows with a known answer: forks, crops, branches, and tokens that are read again."""

    def __init__(self, hf: PreTrainedModel, ids: Sequence[int]):
        self.hf = hf
        line = tuple(ids[i * (i + 3) // 2 % len(ids)] for i in range(PROBE_TOKENS))
        trunk, first, second = line[:10], line[10:16], line[16:]
        self.calls = [
            [trunk],
            [trunk + first, trunk[:6] + second, (*trunk, ids[-1]), trunk[:6] + second[:2] + first],
            [trunk + first + second, trunk[:6] + second, trunk[:4], second],
        ]
        self.plain = {row: full(hf, [row])[0] for call in self.calls for row in call}
        whole = self.plain[line]
        if not _agree([(whole[:10], self.plain[trunk])]):
            raise ValueError(
                f"{type(hf).__name__} cannot be served: its logits at a token depend on the tokens after it, so it is "
                "not a causal language model as it is configured"
            )

    def fails(self, tier: Any) -> str:
        """What speaks against a tier's forward; empty if it gives the known answer."""
        tree = Tree()
        name = tier.__module__.rpartition(".")[2]
        pairs: list[tuple[Tensor, Tensor]] = []
        held: list[Any] = []
        try:
            for rows in self.calls:
                queries = [Query(row, tuple(range(len(row)))) for row in rows]
                answers, claims, _ = forward.run(partial(tier, self.hf), tree, queries)
                held += claims
                pairs += zip(answers.split([len(row) for row in rows]), (self.plain[row] for row in rows), strict=True)
                tree.forget_logits()
        except Exception as error:
            return f"the {name} tier does not fit it ({type(error).__name__}: {error})"
        return "" if _agree(pairs) else f"the {name} tier gives other logits than its own forward"


def _agree(pairs: Sequence[tuple[Tensor, Tensor]]) -> bool:
    """Whether logits are equal up to rounding: everywhere in float32, at most positions in half precision, where a
    rounded router or a rounded score may go either way."""
    errors = torch.cat([(a - b).abs().amax(-1) / b.abs().max() for a, b in pairs])
    if pairs[0][0].dtype in (torch.float32, torch.float64):
        return bool((errors <= 1e-4).all())
    return bool(errors.median() <= 5e-2)


def full(hf: PreTrainedModel, rows: Sequence[tuple[int, ...]], wanted: Sequence[int] | None = None) -> Tensor:
    """A plain forward of equally long rows: logits `[rows, wanted or T, V]`."""
    ids = torch.tensor(rows, device=forward.device_of(hf))
    options: dict[str, Any] = {}
    if wanted is not None and "logits_to_keep" in inspect.signature(hf.forward).parameters:
        options["logits_to_keep"] = torch.tensor(wanted)
    logits: Tensor = hf(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, **options).logits
    if logits.shape[1] != (len(wanted or ()) if options else ids.shape[1]):
        name, shape = type(hf).__name__, (logits.shape[1], ids.shape[1])
        raise ValueError(f"{name} cannot be served: it gives {shape[0]} logits for {shape[1]} tokens")
    return logits if wanted is None or options else logits[:, list(wanted)]


def recomputed(hf: PreTrainedModel, queries: Sequence[Query], alone: bool) -> tuple[Tensor, forward.Counts]:
    """The logits `[Σ len(wanted), V]` from full forwards of the distinct rows.

    `alone`: those after a token from a forward that ends with it.
    """
    counts = forward.Counts()
    if alone:
        queries = [Query(query.tokens[: at + 1], (at,)) for query in queries for at in query.wanted]
    rows = [query.tokens for query in queries]
    wanted: dict[int, set[int]] = {}  # by length of row
    for query, row in zip(queries, rows, strict=True):
        wanted.setdefault(len(row), set()).update(query.wanted)
    found: dict[tuple[tuple[int, ...], int], Tensor] = {}
    for length, positions in wanted.items():
        alike = sorted({row for row in rows if len(row) == length})
        step = max(1, RECOMPUTED_TOKENS // length)
        for batch in (alike[i : i + step] for i in range(0, len(alike), step)):
            for row, logits in zip(batch, full(hf, batch, sorted(positions)), strict=True):
                found.update({(row, at): line for at, line in zip(sorted(positions), logits, strict=True)})
            counts.passes += 1
            counts.tokens += length * len(batch)
    pairs = [(row, at) for query, row in zip(queries, rows, strict=True) for at in query.wanted]
    return torch.stack([found[pair] for pair in pairs]), counts


def _ropes(hf: PreTrainedModel) -> set[str]:
    """The types of its rotary embeddings."""
    rope: Any = getattr(hf.config.get_text_config(), "rope_parameters", None) or {}
    scalings = [rope] if "rope_type" in rope else [value for value in rope.values() if isinstance(value, dict)]
    return {str(scaling.get("rope_type", "default")) for scaling in scalings}


def _no_hook(hf: PreTrainedModel) -> str:
    """What speaks against the attention hook before anything is tried."""
    name, config = type(hf).__name__, hf.config.get_text_config()
    if not getattr(hf, "_supports_attention_backend", False) or not hf._can_set_attn_implementation():
        return f"{name} does not go through transformers' attention interface"
    if why := _no_cache(hf):
        return why
    layers = {type(layer).__name__ for layer in DynamicCache(config=config).layers}
    if strange := layers - {"DynamicLayer", "DynamicSlidingWindowLayer", "DummyLayer"}:
        return f"it caches its layers in {', '.join(sorted(strange))}"
    if getattr(config, "attn_temperature_tuning", False):
        return "its attention's temperature counts the tokens of a forward, not their positions"
    if "logits_to_keep" not in inspect.signature(hf.forward).parameters:
        return f"{name} takes no logits_to_keep"
    return ""


def _no_cache(hf: PreTrainedModel) -> str:
    """What speaks against keeping keys and values at all."""
    if getattr(hf, "_is_stateful", False):
        return f"{type(hf).__name__} is recurrent"
    return ""
