"""How a model's keys and values are kept: decided when it is loaded, by its flags, its config and a known answer.

1. `hook`: one packed forward a step, through transformers' attention interface (`attention_hook.py`).
2. `stock`: the same store, with stock forwards on transient caches (`cache_forward.py`).
3. `recompute`: nothing is kept; every row is read anew at every step (`full_forward.py`). For recurrent models, and
   where a row's keys depend on its length.

Users call these three the *tiers* of a model: `model.tier` is its `Backend`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.engines.hf import attention_hook, cache_forward, full_forward
from outlines_cont.engines.hf.device import device_of
from outlines_cont.kv.forward import Forward, read_logits
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.kv.read_plan import TokenRun

PROBE_TOKENS = 24

BackendForward = Callable[[PreTrainedModel, Tree, Sequence[TokenRun]], tuple[Tensor, int]]


@dataclass(frozen=True)
class Backend:
    """One of the three, and the reason why it is not a better one.

    forward: how a pass is computed; where nothing is kept, a pass of whole rows.
    alone: only for `recompute`: the logits after a token must come from a forward that ends there.
    """

    name: Literal["hook", "stock", "recompute"]
    why: str
    forward: Forward = field(repr=False)
    alone: bool = False

    @property
    def keeps(self) -> bool:
        """Whether keys and values are kept."""
        return self.name != "recompute"

    def __str__(self) -> str:
        kinds = {
            "hook": "KV tree through the attention hook",
            "stock": "KV tree through stock forwards",
            "recompute": "recompute",
        }
        return kinds[self.name] + (f": {self.why}" if self.why else "")


def choose_backend(hf: PreTrainedModel, ids: Sequence[int]) -> Backend:
    """The best backend that gives a known answer: the logits of plain full forwards.

    ids: some different token ids for the probe, among them the padding id if there is one: some models count positions
    by it. ValueError if the logits at a token depend on the tokens after it: then no backend is exact.
    """
    with _as_served(hf):
        ropes = _ropes(hf)
        if "dynamic" in ropes:
            raise ValueError(
                f"{type(hf).__name__} cannot be served with rope_type 'dynamic': its frequencies are those of the "
                "longest row that it has read so far; those of 'yarn', 'linear' and 'llama3' are fixed"
            )
        probe, whole_rows = Probe(hf, ids), partial(full_forward.forward, hf)
        if "longrope" in ropes or probe.by_length:
            cause = "longrope depends" if "longrope" in ropes else "logits depend"
            return Backend("recompute", f"its {cause} on the length of a forward", whole_rows, alone=True)
        no_hook = _no_hook(hf) or probe.fails("hook", attention_hook.forward)
        if not no_hook:
            return Backend("hook", "", partial(attention_hook.forward, hf))
        no_cache = _no_cache(hf) or probe.fails("stock", cache_forward.forward)
        if not no_cache:
            return Backend("stock", no_hook, partial(cache_forward.forward, hf))
        return Backend("recompute", no_cache, whole_rows)


def logit_count(hf: PreTrainedModel) -> int:
    """How many logits it gives after a token. A forward says so: a quantised head does not in its shape.

    ValueError if the forward fails.
    """
    ids = torch.zeros(1, 1, dtype=torch.long, device=device_of(hf))
    try:
        with _as_served(hf):
            return hf(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False).logits.shape[-1]
    except Exception as error:
        name, cause = type(hf).__name__, f"{type(error).__name__}: {error}"
        bare = "" if hf.get_output_embeddings() is not None else "; it has no head: load it with AutoModelForCausalLM"
        raise ValueError(f"{name} cannot be served: its own forward of one token fails ({cause}){bare}") from error


@contextmanager
def _as_served(hf: PreTrainedModel) -> Iterator[None]:
    """Without gradients, dropout and autocast."""
    modes = {module: module.training for module in hf.modules()}
    hf.eval()
    try:
        with torch.inference_mode(False), torch.no_grad(), torch.autocast(device_of(hf).type, enabled=False):
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


class Probe:
    """A small tree of rows with a known answer: forks, crops, branches, and tokens that are read again.

    by_length: whether the logits after a token depend on how many tokens follow it, though not on which.
    """

    def __init__(self, hf: PreTrainedModel, ids: Sequence[int]):
        self.hf = hf
        line = tuple(ids[i * (i + 3) // 2 % len(ids)] for i in range(PROBE_TOKENS))
        trunk, first, second = line[:10], line[10:16], line[16:]
        self.calls = [
            [trunk],
            [trunk + first, trunk[:6] + second, (*trunk, ids[-1]), trunk[:6] + second[:2] + first],
            [trunk + first + second, trunk[:6] + second, trunk[:4], second],
        ]
        self.plain = {row: full_forward.full_forward(hf, [row])[0] for call in self.calls for row in call}
        whole, another = self.plain[line], full_forward.full_forward(hf, [trunk + line[:9:-1]])[0]
        if not _agree([(whole[:10], another[:10])]):
            raise ValueError(
                f"{type(hf).__name__} cannot be served: its logits at a token depend on the tokens after it. Either it "
                "is not a causal language model as it is configured, or its layers quantise their inputs with one "
                "scale for a whole forward, as quantize_dynamic makes them (then quantise its weights only)"
            )
        self.by_length = not _agree([(whole[:10], self.plain[trunk])])

    def fails(self, name: str, forward: BackendForward) -> str:
        """The reason against the backend of this name; empty if its forward gives the known answer."""
        tree = Tree()
        pairs: list[tuple[Tensor, Tensor]] = []
        held: list[Any] = []
        try:
            for rows in self.calls:
                needs = [Need(row, tuple(range(len(row)))) for row in rows]
                answers, claims, _ = read_logits(partial(forward, self.hf), tree, needs)
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


def _ropes(hf: PreTrainedModel) -> set[str]:
    """The types of its rotary embeddings."""
    rope: Any = getattr(hf.config.get_text_config(), "rope_parameters", None) or {}
    scalings = [rope] if "rope_type" in rope else [value for value in rope.values() if isinstance(value, dict)]
    return {str(scaling.get("rope_type", "default")) for scaling in scalings}


def _no_hook(hf: PreTrainedModel) -> str:
    """The reason against the attention hook, as far as it is known before anything is tried."""
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
    parameters = inspect.signature(hf.forward).parameters  # wrappers (peft, torch.compile) pass on what they are given
    if "logits_to_keep" not in parameters and all(p.kind is not p.VAR_KEYWORD for p in parameters.values()):
        return f"{name} takes no logits_to_keep"
    return ""


def _no_cache(hf: PreTrainedModel) -> str:
    """The reason against keeping keys and values at all."""
    if getattr(hf, "_is_stateful", False):
        return f"{type(hf).__name__} is recurrent"
    return ""
