"""Changes of a model, seen or not, and its identity: law 3, whatever was done to the module in between."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_models import assert_rows_agree, random_hf, random_model
from torch import nn

import outlines_cont as oc
from outlines_cont.engines.hf.parameters import WORDS, ParameterWatch, content_digest, identity_of

Change = Callable[[nn.Module, float], object]


def set_parameter(hf: nn.Module, x: float) -> None:
    """Another Parameter under the same name: often at the same address, with the same `id`."""
    linear = hf.get_submodule("model.layers.0.mlp.up_proj")
    values = linear.weight.detach() * x
    del linear.weight
    linear.weight = nn.Parameter(values)


def freed_and_loaded(hf: nn.Module, x: float) -> None:
    weight = hf.get_submodule("model.layers.1.self_attn.o_proj").weight
    values = (weight.detach() * x).numpy()
    weight.data = torch.empty(0)
    weight.data = torch.from_numpy(values).clone()


@torch.no_grad()
def in_place(hf: nn.Module, x: float) -> None:
    hf.get_submodule("model.layers.0.self_attn.k_proj").weight.mul_(x)


def other_part(hf: nn.Module, x: float) -> None:
    attention = hf.get_submodule("model.layers.0.self_attn")
    attention.v_proj = deepcopy(attention.v_proj)
    with torch.no_grad():
        attention.v_proj.weight.mul_(x)


def other_epsilon(hf: nn.Module, x: float) -> None:
    hf.get_submodule("model.layers.0.input_layernorm").variance_epsilon = x


def hook(hf: nn.Module, x: float) -> None:
    hf.get_submodule("model.layers.0").register_forward_hook(lambda module, args, out: out * x)


def no_hooks(hf: nn.Module, x: float) -> None:
    for module in hf.modules():
        module._forward_hooks.clear()


def other_forward(hf: nn.Module, x: float) -> None:
    norm = hf.get_submodule("model.norm")
    plain = type(norm).forward
    norm.forward = lambda states: plain(norm, states) * x


class Adapter(nn.Module):
    """A home-made one: a number, a flag, and a tensor that is no parameter."""

    def __init__(self, inner: nn.Module, x: float):
        super().__init__()
        self.inner, self.on, self.scale, self.shift = inner, True, x, torch.zeros(())

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        states = self.inner(states)
        return states * self.scale + self.shift if self.on else states


def adapter(hf: nn.Module, x: float) -> None:
    """Put around a part at first; then its number, its flag, and its tensor change in turn."""
    mlp = hf.get_submodule("model.layers.1")
    if not isinstance(mlp.mlp, Adapter):
        mlp.mlp = Adapter(mlp.mlp, x)
    elif mlp.mlp.scale != x and mlp.mlp.on:
        mlp.mlp.scale = x
    else:
        mlp.mlp.on = not mlp.mlp.on
        mlp.mlp.shift += x


CHANGES: list[Change] = [
    set_parameter, freed_and_loaded, in_place, other_part, other_epsilon, hook, no_hooks, other_forward, adapter
]  # fmt: skip


@settings(max_examples=15)
@given(steps=st.lists(st.tuples(st.sampled_from(CHANGES), st.sampled_from([0.25, 0.5, 1.5])), min_size=1, max_size=6))
def test_whatever_changes_the_model_orphans_keys_and_values(steps: list[tuple[Change, float]]) -> None:
    """Law 3: the logits after every token of a state are a fresh forward's, also after the model was changed."""
    model = random_model("llama")
    state = oc.continuous(oc.generate.text(model))("Once upon a time", max_tokens=3, seed=0)
    for change, x in steps:
        change(model.hf, x)
        assert_rows_agree(model, state)
        state = state.kv.prefill()
        hooked = any(module._forward_hooks for module in model.hf.modules())
        assert bool(state.kv.lengths.all()) != hooked, "and what is computed now is kept, unless a hook came"
        assert_rows_agree(model, state)


def test_a_parameter_in_the_place_of_another_is_seen_every_time() -> None:
    """Its address, its `id` and its version counter may all be those of the one before."""
    linear = nn.Linear(8, 8)
    watch = ParameterWatch(linear)
    for _ in range(300):
        del linear.weight
        linear.weight = nn.Parameter(torch.randn(8, 8))
        assert watch.changed() and not watch.changed()
    for _ in range(300):
        linear.weight.data = torch.empty(0)
        linear.weight.data = torch.randn(8, 8)
        assert watch.changed() and not watch.changed()


def test_what_forwards_write_is_no_change() -> None:
    """A part that counts its own calls keeps its keys and values."""
    hf = random_hf("llama")
    norm = hf.model.norm
    plain, norm.calls = norm.forward, 0

    def counting(states: torch.Tensor) -> torch.Tensor:
        norm.calls += 1
        norm.longest = max(getattr(norm, "longest", 0), states.shape[-2])
        return plain(states)

    norm.forward = counting
    model = oc.Model(hf, shipped_model().tokenizer)
    state = oc.continuous(oc.generate.text(model))("Once upon a time", max_tokens=8, seed=0)
    assert state.kv.lengths.tolist() == [[len(state.rows[0][0]) - 1]] and norm.calls > 8


@pytest.mark.parametrize("value", [torch.ones(3), np.ones(3), [1], object(), None])
def test_any_value_in_the_place_of_a_number(value: object) -> None:
    model = random_model("llama")
    watch = ParameterWatch(model.hf)
    model.hf.model.norm.weird = 1.0
    assert watch.changed() and not watch.changed()
    model.hf.model.norm.weird = value
    assert watch.changed() and not watch.changed()


def test_what_the_docs_list_as_not_seen() -> None:
    """docs/models.md, "Parameters that change": if one of these is seen one day, the page is to be changed."""
    linear = nn.Linear(4, 4)
    linear.settings = {"scale": 1.0}
    watch = ParameterWatch(linear)
    linear.weight.data.mul_(2)
    linear.weight.detach().numpy()[:] *= 2
    linear.settings["scale"] = 2.0
    assert not watch.changed()


# --- identity


@settings(max_examples=60)
@given(data=st.data())
def test_any_value_of_a_parameter_counts(data: st.DataObject) -> None:
    """Every bit of every element, anywhere; and nothing but values, dtype and shape: not how they are stored."""
    dtype = data.draw(st.sampled_from([torch.float32, torch.bfloat16, torch.int8, torch.float64, torch.bool]))
    size = data.draw(st.sampled_from([0, 1, 3, 100, WORDS, 2 * WORDS + 1, 8 * WORDS, 33 * WORDS + 5]))
    tensor = torch.randint(0, 2, (size,), generator=torch.Generator().manual_seed(size)).to(dtype)
    shifted = torch.cat([tensor[:1], tensor])[1:]
    strided = torch.stack([tensor, tensor], -1)[:, 0]
    assert content_digest(tensor) == content_digest(shifted) == content_digest(strided)
    if size:
        other = tensor.clone()
        at = data.draw(st.integers(0, size - 1))
        other[at] = ~other[at] if dtype == torch.bool else other[at] + 1
        assert content_digest(other) != content_digest(tensor)
        swap = data.draw(st.integers(0, size - 1))
        other = tensor.clone()
        other[[at, swap]] = tensor[[swap, at]]
        assert (content_digest(other) == content_digest(tensor)) == bool((other == tensor).all())


def test_a_digest_is_the_same_everywhere() -> None:
    """Files name models by it: a change of this number is a change of the file format."""
    assert content_digest(torch.arange(100_000)).hex() == DIGEST


DIGEST = "baac04508318bc66ccf589a0b0269e31"


def test_the_identity_covers_every_parameter_and_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = random_model("llama")
    before = model.identity
    monkeypatch.setattr("outlines_cont.engines.hf.parameters.identity_of", None)
    assert model.identity == before, "it is remembered"
    monkeypatch.undo()
    seen = {before}
    with torch.no_grad():
        for parameter in model.hf.parameters():
            parameter.view(-1)[-1] += 1
            seen.add(model.identity)
    assert len(seen) == 1 + len(list(model.hf.parameters()))


def test_scores_of_other_parameters_are_not_believed(tmp_path: Path) -> None:
    """The request: a model whose embedding differs beyond its first rows passed for the one that a file is of."""
    model = random_model("llama")
    oc.continuous(oc.generate.text(model))("Once upon", max_tokens=3, seed=0).save(tmp_path / "state")
    assert oc.load_state(tmp_path / "state", model).weights.isfinite().all()
    with torch.no_grad():
        model.hf.model.embed_tokens.weight[500:] *= 1.7
    assert oc.load_state(tmp_path / "state", model).weights.isnan().all()


def test_packed_weights_count() -> None:
    """Those of a dynamically quantised layer are no parameters."""
    made = []
    for seed in (0, 0, 1):
        torch.manual_seed(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch.ao moves to another package
            kinds = {nn.Linear: torch.ao.quantization.per_channel_dynamic_qconfig}
            made.append(identity_of(torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(8, 8)), kinds)))
    assert made[0] == made[1] != made[2]


def test_where_parameters_are_does_not_count() -> None:
    """Offloaded by accelerate, they have the identity that they have in place."""
    from accelerate import cpu_offload

    hf = random_hf("llama")
    before = identity_of(hf)
    cpu_offload(hf, execution_device=torch.device("cpu"))
    assert next(hf.parameters()).is_meta and identity_of(hf) == before
    with pytest.raises(ValueError, match="on the device 'meta', without values"):
        identity_of(nn.Linear(2, 2, device="meta"))


SHARDED = """
import os, sys, torch, torch.distributed as dist
from torch import nn
from torch.distributed.tensor import Replicate, Shard, distribute_tensor, init_device_mesh
from outlines_cont.engines.hf.parameters import identity_of
from outlines_cont.engines.hf.parameters import ParameterWatch

rank, store = int(sys.argv[1]), sys.argv[2]
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
torch.manual_seed(0)
module = nn.Sequential(nn.Linear(7, 9), nn.LayerNorm(9))
whole = identity_of(module)
mesh = init_device_mesh("cpu", (2,))
for part in module:
    for i, (name, value) in enumerate(part.named_parameters()):
        placed = [Replicate()] if i else [Shard(0)]
        setattr(part, name, nn.Parameter(distribute_tensor(value.detach(), mesh, placed)))
watch = ParameterWatch(module)
assert identity_of(module) == whole and not watch.changed()
with torch.no_grad():
    module[0].weight.mul_(2)
assert watch.changed() and not watch.changed() and identity_of(module) != whole
with torch.no_grad():
    module[0].weight.to_local().mul_(2)
assert watch.changed() and not watch.changed()
dist.barrier()
dist.destroy_process_group()
os._exit(0)  # threads of gloo may abort the process while the interpreter ends
"""


def test_shards_have_the_identity_of_the_whole(tmp_path: Path) -> None:
    """DTensors in two processes: the same identity in both, and changes of the whole or of a shard are seen."""
    workers = [
        subprocess.Popen([sys.executable, "-c", SHARDED, str(rank), str(tmp_path / "store")], stderr=subprocess.PIPE)
        for rank in (0, 1)
    ]
    for worker in workers:
        errors = worker.communicate(timeout=120)[1].decode()
        assert worker.returncode == 0, errors
