"""Adapters of peft side by side: each setting of them has its own keys and values, and finds them again."""

from __future__ import annotations

import copy
import gc
import signal
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_cuda_graphs import replaying
from test_models import STOCK, apart, plain_logits, random_hf, tolerance

import outlines_cont as oc
from outlines_cont import tiny
from outlines_cont.engines.hf.adapters import MOST_SETTINGS, adapters_in, is_layer

peft = pytest.importorskip("peft")
PROMPT = "Mira is a painter from Lisbon."
Names = tuple[str, ...]


def config_of(kind: str, **options: Any) -> Any:
    if kind == "copies":
        options |= {"modules_to_save": ["lm_head"]}
    task = {} if kind == "transformers" else {"task_type": "CAUSAL_LM"}
    return peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False, **task, **options)


def with_adapters(kind: str, *names: str) -> Any:
    """A transformers model with adapters of these names, loaded in one of three ways, the first one active; "stock" is
    a model of that tier."""
    hf = random_hf(next(iter(STOCK))) if kind == "stock" else copy.deepcopy(short_hf())
    for place, name in enumerate(names):
        if kind == "transformers":
            hf.add_adapter(config_of(kind), name)
        elif place:
            hf.add_adapter(name, config_of(kind))
        else:
            hf = peft.get_peft_model(hf, config_of(kind), name)
        shaken(hf, name)
    if names:
        hf.set_adapter(names[0])
    return hf.eval()


def shaken(hf: Any, name: str) -> None:
    """The adapter gets other parameters, in place."""
    with torch.no_grad():
        for parameter in of_adapter(hf, name):
            parameter.add_(torch.randn_like(parameter), alpha=0.3)


def of_adapter(hf: Any, name: str) -> list[Any]:
    return [parameter for path, parameter in hf.named_parameters() if f".{name}." in path]


def wrapped(hf: Any, **options: Any) -> oc.Model:
    return oc.Model(hf, shipped_model().tokenizer, **options)


def switched(hf: Any, active: Names) -> None:
    """Switch a model as its users do; without names, its adapters are disabled."""
    if active:
        (hf.base_model.enable_adapter_layers if hasattr(hf, "base_model_torch_dtype") else hf.enable_adapters)()
        names = list(active) if len(active) > 1 else active[0]
        (hf.base_model.set_adapter if isinstance(hf, peft.PeftModel) and len(active) > 1 else hf.set_adapter)(names)
    elif isinstance(hf, peft.PeftModel):
        hf.base_model.disable_adapter_layers()
    else:
        hf.disable_adapters()


def ids_of(state: oc.SequenceState) -> tuple[int, ...]:
    return state.rows[0][0].ids


def logits_of(model: oc.Model, state: oc.SequenceState) -> torch.Tensor:
    """`[T, V]`, read through the KV tree; none is remembered from an earlier pass."""
    model.tree.forget_logits()
    row = state.rows[0][0]
    return model.logits([oc.stepping.Need(row.ids, tuple(range(len(row))), row.claim)])


def written(model: oc.Model, prompt: Any = PROMPT, count: int = 4) -> oc.SequenceState:
    return oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(prompt, max_tokens=count)


# --- any program against plain forwards of peft and a plain count


class Program:
    """A model whose adapters are switched, trained and loaded, with states of it and of models beside it.

    The plain model of what is kept is a set: which beginnings of which rows live states hold under which setting, in
    which version of its parameters.
    """

    def __init__(self, kind: str):
        self.kind, self.hf = kind, with_adapters(kind, "a", "b")
        self.model = wrapped(self.hf, kv_budget=None)
        self.active: Names = ("a",)
        self.versions = {"": 0, "a": 0, "b": 0}
        self.beside: dict[Names, oc.Model] = {}
        self.states: list[tuple[oc.SequenceState, dict[Any, int]]] = []
        self.further = False

    def pinned(self, model: oc.Model) -> Names:
        """The adapters under which a model computes now."""
        return next((names for names, each in self.beside.items() if each is model), self.active)

    def key(self, names: Names) -> Any:
        return self.versions[""], tuple((name, self.versions[name]) for name in names)

    def held(self, ids: tuple[int, ...], key: Any) -> int:
        """How much of a row some state holds under a setting."""
        most = 0
        for state, held in self.states:
            other, size = ids_of(state), held.get(key, 0)
            agreeing = next((i for i, (x, y) in enumerate(zip(ids, other, strict=False)) if x != y), len(ids))
            most = max(most, min(agreeing, size, len(other)))
        return most

    def noted(self, state: oc.SequenceState, held: dict[Any, int]) -> None:
        self.states.append((state, held))
        del self.states[:-4]

    # what a program may do

    def read(self, place: int, generate: bool) -> None:
        """Read a row, or go on with it: what is computed is what no live state holds under this setting."""
        if not self.states:
            return self.begin(place)
        state, held = self.states[place % len(self.states)]
        model = state.model
        key, before = self.key(self.pinned(model)), model.stats.tokens
        longer = written(model, state, 3) if generate else state
        if model.keeps:
            expected = len(ids_of(longer)) - self.held(ids_of(longer), key)
            longer = longer.kv.prefill()
            assert model.stats.tokens - before == expected
            self.noted(longer, {**held, key: len(ids_of(longer))})
        return None

    def begin(self, place: int) -> None:
        model = [self.model, *self.beside.values()][place % (1 + len(self.beside))]
        state = model.state([PROMPT, "The sky is", "Mira is 34 years old"][place % 3])
        self.noted(state, {(key := self.key(self.pinned(model))): self.held(ids_of(state), key)})

    def move(self, place: int) -> None:
        """A state goes to another model."""
        if self.states:
            state, _ = self.states[place % len(self.states)]
            model = [self.model, *self.beside.values()][place % (1 + len(self.beside))]
            key = self.key(self.pinned(model))
            self.noted(state.to(model), {key: self.held(ids_of(state), key)} if model is not state.model else {})

    def crop(self, place: int) -> None:
        if self.states:
            state, held = self.states.pop(place % len(self.states))
            size = max(1, len(ids_of(state)) - 2)
            self.states.append((state[..., :size], {key: min(depth, size) for key, depth in held.items()}))

    def drop(self, place: int) -> None:
        if self.states:
            del self.states[place % len(self.states)]

    def switch(self, place: int) -> None:
        choices: list[Names] = [("a",), ("b",), ()] + [("a", "b")] * (self.kind != "copies")
        self.active = choices[place % len(choices)]
        switched(self.hf, self.active)

    def pin(self, place: int) -> None:
        choices: list[Names] = [("a",), ("b",), ()]
        names = choices[place % 3]
        self.beside[names] = self.model.with_adapter(list(names) or None)

    def train(self, place: int, fused: bool) -> None:
        """A step of an optimizer. peft's own settings say which adapter is trained; a model beside does not."""
        name = "ab"[place % 2]
        parameters = of_adapter(self.hf, name)
        for parameter in parameters:
            parameter.requires_grad_(True).grad = torch.randn_like(parameter)
        torch.optim.AdamW(parameters, lr=0.05, fused=fused).step()
        for parameter in parameters:
            parameter.grad = None
        self.versions[name] += 1

    def change_base(self, place: int) -> None:
        with torch.no_grad():
            layer = self.hf.get_input_embeddings()
            layer.weight.mul_(1 + 0.01 * (place % 3 + 1))
        self.versions[""] += 1

    def load(self, place: int) -> None:
        """One more adapter comes, or goes."""
        if self.further:
            self.hf.delete_adapter("c")
        elif self.kind == "transformers":
            self.hf.add_adapter(config_of(self.kind), "c")
        else:
            self.hf.add_adapter("c", config_of(self.kind))
        self.further = not self.further
        self.hf.eval()
        switched(self.hf, self.active)

    def reload(self, place: int) -> None:
        """Another adapter in the place of one, under its name: by a new one, or by other values in it."""
        name = "ab"[place % 2]
        if place % 4 < 2:
            self.hf.delete_adapter(name)
            args = (config_of(self.kind), name) if self.kind == "transformers" else (name, config_of(self.kind))
            self.hf.add_adapter(*args)
            self.hf.eval()
        else:
            values = {path: torch.randn_like(p) for path, p in self.hf.named_parameters() if f".{name}." in path}
            self.hf.load_state_dict(values, strict=False)
        self.versions[name] += 1
        switched(self.hf, self.active)

    def full(self, place: int) -> None:
        """There is no room for anything that is idle."""
        self.model.kv_budget = 0
        for model in (self.model, *self.beside.values()):
            assert model.kv_budget == 0 and model.stats.kv_bytes == 0
        self.model.kv_budget = None
        self.states = [(state, {}) for state, _ in self.states]

    def check(self, place: int) -> None:
        """A row's logits are those of a forward of peft under the adapters of its model."""
        if not self.states:
            return
        state, _ = self.states[place % len(self.states)]
        names = self.pinned(state.model)
        logits = logits_of(state.model, state)
        switched(self.hf, names)
        assert apart(logits, plain_logits(self.hf, ids_of(state))) <= tolerance(state.model)
        switched(self.hf, self.active)


STEPS: list[Callable[[Program, int], None]] = [
    lambda p, i: p.read(i, False), lambda p, i: p.read(i, True), Program.begin, Program.move, Program.crop,
    Program.drop, Program.switch, Program.switch, Program.pin, lambda p, i: p.train(i, False),
    lambda p, i: p.train(i, True), Program.change_base, Program.load, Program.reload, Program.full,
]  # fmt: skip


@pytest.mark.parametrize("kind", ["peft", "transformers", "copies", "stock"])
@settings(max_examples=6)
@given(program=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 11)), min_size=6, max_size=24))
def test_any_program_reads_what_no_state_holds_and_has_the_logits_of_peft(
    kind: str, program: list[tuple[Callable[[Program, int], None], int]]
) -> None:
    """Law 3 under every setting; and what is computed is counted by a plain model of what is kept."""
    torch.manual_seed(0)
    run = Program(kind)
    assert run.model.tier.name == ("stock" if kind == "stock" else "hook")
    run.begin(0)
    for step, place in program:
        step(run, place)
        run.check(place)
        gc.collect()
    run.states.clear()
    gc.collect()
    assert run.model.stats.kv_bytes == 0
