"""How a model's keys and values are kept: decided when it is loaded, by its flags, its config and a known answer.

1. `hook`: one packed forward a step, through transformers' attention interface (`attention_hook.py`).
2. `stock`: the same store, with stock forwards on transient caches (`cache_forward.py`).
3. `recompute`: nothing is kept; every row is read anew at every step (`full_forward.py`). For recurrent models, and
   where a row's keys depend on its length.

Users call these three the *tiers* of a model: `model.tier` is its `Backend`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import torch
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.engines.hf import attention_hook, cache_forward, full_forward
from outlines_cont.engines.hf.device import device_of
from outlines_cont.engines.hf.probe import NotHeard, Probe, can_be_heard
from outlines_cont.errors import warn
from outlines_cont.kv.forward import Forward


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


def choose_backend(hf: PreTrainedModel, ids: Sequence[int], hooked: bool) -> tuple[Backend, int]:
    """The best backend that gives a known answer, that of plain forwards, and how many logits a forward gives.

    ids: some different token ids for the probe, among them the padding id if there is one: some models count positions
    by it. hooked: whether there are forward hooks of the user's.

    ValueError if the model's own forward fails, or if the logits at a token depend on the tokens after it: then no
    backend is exact.
    """
    with as_served(hf):
        ropes = _ropes(hf)
        if "dynamic" in ropes:
            raise ValueError(
                f"{type(hf).__name__} cannot be served with rope_type 'dynamic': its frequencies are those of the "
                "longest row that it has read so far; those of 'yarn', 'linear' and 'llama3' are fixed"
            )
        plainly = hooked  # whether to take nothing but forwards as a user makes them for known
        if not hooked and can_be_heard(hf):
            with suppress(NotHeard):
                return _tried(hf, ids, ropes, before_head=True, one_by_one=False)
            plainly = True
        return _tried(hf, ids, ropes, before_head=False, one_by_one=plainly)


def _tried(
    hf: PreTrainedModel, ids: Sequence[int], ropes: set[str], before_head: bool, one_by_one: bool
) -> tuple[Backend, int]:
    """`choose_backend` by a probe with these options. NotHeard if what its head is given does not tell."""
    probe = Probe(hf, ids, before_head, one_by_one)
    if probe.gives_nan(getattr(hf.config.get_text_config(), "bos_token_id", None)):
        why = _why_nan(hf)
        warn(f"{type(hf).__name__}: {why}. Nothing can be drawn from NaN, and no keys and values are kept")
        return _by_itself(hf, why), probe.n_vocab
    no_hook = no_cache = "its longrope depends on the length of a forward"
    if "longrope" not in ropes:
        no_hook = _no_hook(hf) or probe.fails("hook", attention_hook.forward)
        if not no_hook:
            return Backend("hook", "", partial(attention_hook.forward, hf)), probe.n_vocab
        no_cache = _no_cache(hf) or probe.fails("stock", cache_forward.forward)
        if not no_cache:
            return Backend("stock", no_hook, partial(cache_forward.forward, hf)), probe.n_vocab
    by_length = probe.by_length()
    if by_length and "longrope" not in ropes:
        no_cache = "its logits depend on the length of a forward"
    elif probe.one_by_one and not one_by_one:  # rows of one forward change each other
        return _tried(hf, ids, ropes, before_head, one_by_one=True)
    whole_rows = partial(full_forward.forward, hf, together=not probe.one_by_one)
    return Backend("recompute", no_cache, whole_rows, alone=by_length or "longrope" in ropes), probe.n_vocab


def rows_by_themselves(hf: PreTrainedModel) -> Backend:
    """How a model is served whose forward hooks are not those that the probe saw: they may address a position of a row,
    or record rows."""
    why = "forward hooks came or went after it was wrapped; while they differ, each row is read by itself"
    return _by_itself(hf, why)


def _by_itself(hf: PreTrainedModel, why: str) -> Backend:
    """What asks nothing of a model: each row is read in a forward of its own, which ends at the token whose logits are
    wanted."""
    return Backend("recompute", why, partial(full_forward.forward, hf, together=False), alone=True)


def _why_nan(hf: PreTrainedModel) -> str:
    """What to say of a model whose own forward gives NaN."""
    given = f"its own forward gives NaN or infinite numbers in {str(hf.dtype).removeprefix('torch.')}"
    if hf.dtype == torch.float16:
        return f"{given}, whose largest is 65,504: load it with dtype='bfloat16' or dtype='float32'"
    numbers = ((name, each) for name, each in hf.named_parameters() if each.is_floating_point() and not each.is_meta)
    name = next((name for name, each in numbers if not each.isfinite().all()), None)
    return given + (f": its parameter {name!r} holds such" if name else "")


@contextmanager
def as_served(hf: PreTrainedModel) -> Iterator[None]:
    """Without gradients, dropout and autocast."""
    modes = {module: module.training for module in hf.modules()}
    hf.eval()
    try:
        with torch.inference_mode(False), torch.no_grad(), torch.autocast(device_of(hf).type, enabled=False):
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


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
