"""Adapters of peft side by side: each setting of them has its own keys and values, and finds them again."""

from __future__ import annotations

import copy
import gc
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, cast

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_cuda_graphs import replaying
from test_models import STOCK, apart, plain_logits, random_hf, tolerance

import outlines_cont as oc
from outlines_cont import cuda_graphs, tiny
from outlines_cont.adapters import MOST_SETTINGS, adapters_in, is_layer

peft = pytest.importorskip("peft")
PROMPT = "Mira is a painter from Lisbon."
Names = Sequence[str]


def config_of(kind: str, **options: Any) -> Any:
    if kind == "copies":
        options |= {"modules_to_save": ["lm_head"]}
    task = {} if kind == "transformers" else {"task_type": "CAUSAL_LM"}
    return peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False, **task, **options)


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    """Adapters of equal numbers in every run, alone or after other tests."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        yield


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


def wrapped(hf: Any, **options: Any) -> Any:
    return oc.Model(hf, shipped_model().tokenizer, **options)


def switched(hf: Any, active: Names) -> None:
    """Switch a model as its users do; without names, its adapters are disabled."""
    if active:
        (hf.base_model.enable_adapter_layers if isinstance(hf, peft.PeftModel) else hf.enable_adapters)()
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
        self.beside: dict[Names, Any] = {}
        self.states: list[tuple[Any, dict[Any, int]]] = []
        self.further = False

    def pinned(self, model: Any) -> Names:
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


# --- models beside each other


@cache
def folders() -> dict[str, str]:
    """Two adapters of the shipped model, in folders."""
    torch.manual_seed(1)
    root = Path(tempfile.mkdtemp())
    hf = peft.get_peft_model(copy.deepcopy(shipped_model().hf), config_of("peft"), "a")
    hf.add_adapter("b", config_of("peft"))
    for name in "ab":
        shaken(hf, name)
    hf.save_pretrained(root)
    return {name: str(root / name) for name in "ab"}


def pair_of(kind: str = "transformers") -> tuple[Any, Any, Any]:
    """A model, and the models of its adapters a and b beside it."""
    model = wrapped(with_adapters(kind, "a", "b"))
    return model, model.with_adapter("a"), model.with_adapter("b")


def plain_under(model: oc.Model, names: Names, ids: tuple[int, ...]) -> torch.Tensor:
    """The logits of peft's own forward, of a copy of the model."""
    hf = copy.deepcopy(model.hf)
    switched(hf, names)
    return plain_logits(hf, ids)


def settings_of(hf: Any) -> list[Any]:
    """What says which adapters are active, layer by layer, and which parameters are trained."""
    layers = [(vars(part)["_active_adapter"], part._disable_adapters) for part in hf.modules() if is_layer(part)]
    return [copy.deepcopy(layers), [parameter.requires_grad for parameter in hf.parameters()]]


@pytest.mark.parametrize("kind", ["peft", "transformers", "copies", "stock"])
def test_models_beside_each_other_share_what_is_equal_and_leave_peft_as_it_is(kind: str) -> None:
    model, a, b = pair_of(kind)
    before = settings_of(model.hf)
    first, second = written(a), written(b)
    assert settings_of(model.hf) == before
    for each, state, names in ((a, first, ("a",)), (b, second, ("b",))):
        assert apart(logits_of(each, state), plain_under(model, names, ids_of(state))) <= tolerance(model)
    assert a.tree is model.tree, "the setting is that of the model itself"
    assert b.tree is not a.tree and b.tree.memory is a.tree.memory
    assert first.kv.lengths.all() and second.kv.lengths.all(), "both are held at once"
    assert model.with_adapter("a") is a and a.with_adapter(["b", "b"]) is b
    assert len({model.identity, a.identity}) == 1 and len({a.identity, b.identity}) == 2
    assert a.stats.tokens and b.stats.tokens and not model.stats.tokens, "each counts its own"
    assert a.stats.kv_bytes == b.stats.kv_bytes == model.stats.kv_bytes > 0
    assert repr(b).startswith(f"Model({model.engine.name} with b, ")


def test_without_adapters_a_model_is_the_one_that_it_was_made_of() -> None:
    hf = copy.deepcopy(short_hf())
    model = wrapped(hf)
    identity, state = model.identity, written(model)
    hf.add_adapter(config_of("transformers"), "a")
    assert not state.kv.lengths.any(), "it is active"
    plain = model.with_adapter(None)
    assert plain.identity == identity != model.identity
    before = plain.stats.tokens
    assert written(plain).tolist() == state.tolist() and plain.stats.tokens == before, "an adapter came around it"
    hf.disable_adapters()
    assert model.identity == identity and state.kv.lengths.all()


def test_states_go_to_the_model_beside_and_are_not_joined_with_its_own() -> None:
    model, a, b = pair_of()
    state = written(a)
    moved = state.to(b)
    assert moved.model is b and moved.token_ids.equal(state.token_ids) and state.kv.lengths.all()
    assert torch.allclose(b.rescore(moved).weights, b.rescore(state).weights)
    assert moved.to(a).kv.lengths.equal(state.kv.lengths)
    for each in (moved, model.state(PROMPT)):
        with pytest.raises(ValueError, match="model"):
            oc.cat([state, each], 0)


def test_laws_of_adapters_are_combined_proposed_and_drafted() -> None:
    """An adapter against its base: a context of another model, weighted."""
    model, a, b = pair_of()
    plain, strength = model.with_adapter(None), 1.5
    generator = oc.generate.text(a, oc.samplers.greedy())
    combined = oc.Mix([(plain.state(PROMPT), 1 - strength)], own=strength)
    state = oc.continuous(generator)(PROMPT, max_tokens=4, beside=combined)
    ids, start = ids_of(state), model.state(PROMPT).shape[2]
    mine, other = (plain_under(model, names, ids).log_softmax(-1) for names in (("a",), ()))
    law = strength * mine + (1 - strength) * other
    law[:, [*model.vocabulary.special.difference(model.vocabulary.eos)]] = -torch.inf  # no text
    assert law[start - 1 : -1].argmax(-1).tolist() == list(ids[start:])
    alone = oc.continuous(generator)(PROMPT, max_tokens=6)
    drafted = oc.continuous(generator)(PROMPT, max_tokens=6, draft=oc.drafts.model(plain, k=2))
    assert drafted.tolist() == alone.tolist() and plain.stats.tokens > 0
    frontiers = [oc.generate.text(each).begin(PROMPT, max_tokens=1, seed=0) for each in (a, b)]
    of_a, of_b = (each.logits(frontier.pending) for each, frontier in zip((a, b), frontiers, strict=True))
    proposed, alone = frontiers[0].step(of_a, proposal=of_b).state, frontiers[1].step(of_b).state
    assert proposed.tolist() == alone.tolist() and torch.allclose(proposed.proposal_logprobs, alone.proposal_logprobs)


def test_fresh_and_grafts_are_those_of_the_adapter() -> None:
    _, a, b = pair_of()
    with b.fresh():
        state = written(b)
    assert not state.kv.lengths.any() and state.tolist() == written(b).tolist()
    tail = written(b, "The sky is")
    graft = oc.grafts.graft(b.state(PROMPT), tail)
    assert graft.kv.lengths.all() and a.stats.grafted == 0 < b.stats.grafted
    assert oc.grafts.graft(a.state(PROMPT), tail.to(a)).kv.lengths.all()


def test_threads_write_under_two_adapters_at_once() -> None:
    model, a, b = pair_of()
    before = settings_of(model.hf)
    alone = [[written(each, prompt, 12).tolist() for prompt in ("The sky is", "Mira", PROMPT)] for each in (a, b)]
    results: dict[int, list[Any]] = {0: [], 1: []}

    def work(place: int, each: oc.Model) -> None:
        results[place] += [written(each, prompt, 12).tolist() for prompt in ("The sky is", "Mira", PROMPT)]

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate((a, b))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[0], results[1]] == alone and settings_of(model.hf) == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_error_within_a_pass_leaves_the_settings_as_they_were(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _, b = pair_of()
    before, forward = settings_of(model.hf), peft.tuners.lora.Linear.forward
    calls = [0]

    def failing(self: Any, *args: Any, **options: Any) -> Any:
        calls[0] += 1
        if calls[0] == 3:
            assert settings_of(model.hf) != before
            raise error
        return forward(self, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(peft.tuners.lora.Linear, "forward", failing)
        with pytest.raises(error):
            b.logits(oc.generate.text(b).begin(PROMPT).pending)
    assert settings_of(model.hf) == before
    state = written(b)
    assert apart(logits_of(b, state), plain_under(model, ("b",), ids_of(state))) <= tolerance(model)


def test_an_interrupt_at_any_line_of_a_switch_is_made_good_at_the_next_look() -> None:
    """A second Ctrl-C strikes anywhere, also where the settings are put back."""
    model, _, b = pair_of()
    before, at, lines = settings_of(model.hf), 0, 0
    ids = ids_of(model.state(PROMPT))

    def traced(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code.co_name not in ("under", "_give_back") or not frame.f_code.co_filename.endswith("adapters.py"):
            return None if event == "call" else traced
        if event == "line":
            lines += 1
            if lines == at:
                raise KeyboardInterrupt
        return traced

    interrupted = 0
    for at in range(1, 200, 3):
        lines = 0
        b.tree.evict()
        sys.settrace(traced)
        try:
            b.logits([oc.stepping.Need((*ids[:-1], at), (len(ids) - 1,))])
            break
        except KeyboardInterrupt:
            interrupted += 1
        finally:
            sys.settrace(None)
        model.engine.version()
        assert settings_of(model.hf) == before
    assert interrupted > 5
    state = written(b)
    assert apart(logits_of(b, state), plain_under(model, ("b",), ids_of(state))) <= tolerance(model)


def test_a_hook_within_a_pass_may_look_at_the_model() -> None:
    hf = with_adapters("transformers", "a", "b")
    models: list[Any] = []

    def looks(*_: Any) -> None:
        assert all(each.keeps for each in models)

    hf.model.layers[0].register_forward_hook(looks)
    model = wrapped(hf)
    b = model.with_adapter("b")
    models += [model, b]
    state = written(b)
    models.clear()
    assert apart(logits_of(b, state), plain_under(model, ("b",), ids_of(state))) <= tolerance(model)
    assert state.kv.lengths.all()


def test_ctrl_c_between_steps_leaves_the_settings_as_they_were() -> None:
    model, _, b = pair_of()
    before, steps = settings_of(model.hf), [0]

    def stopping(row: Any) -> None:
        steps[0] += 1
        if steps[0] == 3:
            signal.raise_signal(signal.SIGINT)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            oc.continuous(oc.generate.text(b))(PROMPT, max_tokens=9, hooks=[stopping])
    finally:
        signal.signal(signal.SIGINT, handler)
    assert settings_of(model.hf) == before


def test_passes_that_are_replayed_are_those_of_the_adapter() -> None:
    """A CUDA graph that was recorded under one adapter has its weights, and not those of another one."""
    model, a, b = pair_of()
    with replaying() as counts:
        for _ in range(2):
            states = [written(each, PROMPT, 12) for each in (a, b)]
        assert all(counts)
        graphs = [cuda_graphs._graphs[each.tree] for each in (a, b)]
        assert graphs[0] is not graphs[1] and all(each.by_shape for each in graphs)
    for each, state, names in zip((a, b), states, (("a",), ("b",)), strict=True):
        start = model.state(PROMPT).shape[2]
        law = plain_under(model, names, ids_of(state))
        assert law[start - 1 : -1].argmax(-1).tolist() == list(ids_of(state)[start:]), each


def test_old_states_keep_no_graphs_of_trees_that_were_dropped() -> None:
    model, states, old = wrapped(copy.deepcopy(short_hf())), list[oc.SequenceState](), list[Any]()
    with replaying():
        for _ in range(3):
            states.append(written(model, PROMPT, 4))
            old.append(model.tree)
            with torch.no_grad():
                model.hf.model.norm.weight.mul_(1.01)
    assert [tree in cuda_graphs._graphs for tree in old] == [False, False, True]


# --- what changes, and what stays


def test_a_switch_back_reads_nothing_again() -> None:
    model = wrapped(with_adapters("peft", "a", "b"))
    state = written(model)
    for name in ("b", "a", "b", "a"):
        model.hf.set_adapter(name)
        state = state.kv.prefill()
    count = state.shape[2]
    assert model.stats.tokens == 2 * count, "each token once under each adapter"
    assert state[..., :-2].kv.lengths.tolist() == [[count - 2]]
    model.hf.set_adapter("b")
    cropped = state[..., :-3]
    del state
    assert cropped.kv.lengths.tolist() == [[count - 3]]
    model.hf.set_adapter("a")
    assert cropped.kv.lengths.tolist() == [[count - 3]], "a crop holds what is left of it under each adapter"


def test_a_switch_back_computes_no_digest_of_the_parameters_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from outlines_cont.store import of_transformers

    model, computed = wrapped(with_adapters("transformers", "a", "b"), store=oc.store.KVStore(tmp_path)), list[str]()
    for owner, name in ((type(model.engine), "identity"), (of_transformers, "_layout")):
        plain = getattr(owner, name)
        monkeypatch.setattr(
            owner, name, lambda engine, plain=plain, name=name: (computed.append(name), plain(engine))[1]
        )
    for place, name in enumerate(("a", "b") * 3):
        model.hf.set_adapter(name)
        model.state(f"{place} " + PROMPT * 3).kv.prefill()
    assert sorted(computed) == ["_layout", "identity", "identity"], "the layout of a was asked for before"
    identities = [model.with_adapter(name).identity for name in ("a", "b")]
    shaken(model.hf, "b")
    assert model.with_adapter("a").identity == identities[0] and model.identity != identities[1]


def test_the_budget_gives_up_what_was_used_longest_ago_under_whatever_adapter() -> None:
    model, a, b = pair_of()
    states = [written(a, "The sky is"), written(b, "Mira is a painter"), written(a, "Tom is a baker")]
    one = model.stats.kv_bytes // (a.stats.tokens + b.stats.tokens)
    model.kv_budget = one * (states[1].shape[2] + states[2].shape[2])
    # one token of the first is that of the third, too
    assert [state.shape[2] - int(state.kv.lengths) for state in states] == [states[0].shape[2] - 1, 1, 1]
    assert model.stats.kv_bytes <= model.kv_budget == b.kv_budget


@pytest.mark.parametrize("fused", [False, True])
def test_a_step_of_an_optimizer_drops_what_it_made_wrong(fused: bool) -> None:
    model, a, b = pair_of()
    plain = model.with_adapter(None)

    def held(parameters: list[Any]) -> list[bool]:
        states = [written(each) for each in (a, b, plain)]
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        optimizer = torch.optim.AdamW(parameters, lr=0.01, fused=fused)
        optimizer.step()
        optimizer.zero_grad()
        return [bool(state.kv.lengths.any()) for state in states]

    one, other = of_adapter(model.hf, "a"), of_adapter(model.hf, "b")
    base = [model.hf.get_input_embeddings().weight]
    for parameter in (*one, *other, *base):
        parameter.requires_grad_(True)
    assert held(one) == [False, True, True]
    assert held(other) == [True, False, True]
    assert held([*one, *other]) == [False, False, True]
    assert held(base) == held([*one, *base]) == [False, False, False]
    assert held([torch.nn.Parameter(torch.ones(2))]) == [False] * 3, "nobody knows what it is a copy of"


def test_many_steps_between_two_looks_are_steps_of_anything() -> None:
    model, _, b = pair_of()
    state, [parameter, *_] = written(b), of_adapter(model.hf, "a")
    parameter.requires_grad_(True).grad = torch.ones_like(parameter)
    optimizer = torch.optim.SGD([parameter], lr=1e-3)
    for _ in range(64):
        optimizer.step()
    assert state.kv.lengths.all()
    for _ in range(65):
        optimizer.step()
    assert not state.kv.lengths.any()


def test_a_setting_counts_how_strong_its_adapters_are() -> None:
    model, a, b = pair_of()
    states = [written(a), written(b)]
    layers: list[Any] = [part for part in model.hf.modules() if hasattr(part, "set_scale")]
    for layer in layers:
        layer.set_scale("a", 0.5)
    assert [bool(state.kv.lengths.any()) for state in states] == [False, True]
    state = written(a)
    assert apart(logits_of(a, state), plain_under(model, ("a",), ids_of(state))) <= tolerance(model)
    for layer in layers:
        layer.set_scale("a", 1.0)
    assert [bool(state.kv.lengths.any()) for state in states] == [True, True]
    for i in range(MOST_SETTINGS + 2):
        layers[0].set_scale("a", 2.0 + i)
        assert model.keeps
    assert len(model.engine.versions()) <= MOST_SETTINGS and written(b).tolist() == states[1].tolist()


def test_an_adapter_in_other_layers_changes_nothing_before_it_is_active() -> None:
    model, a, b = pair_of()
    states = [written(a), written(b)]
    others = peft.LoraConfig(r=2, target_modules=["up_proj", "o_proj"], init_lora_weights=False)
    model.hf.add_adapter(others, "c")
    model.hf.eval()
    assert all(state.kv.lengths.all() for state in states)
    c = model.with_adapter(["a", "c"])
    state = written(c)
    assert apart(logits_of(c, state), plain_under(model, ("a", "c"), ids_of(state))) <= tolerance(model)
    assert {*adapters_in(next(part for part in model.hf.modules() if is_layer(part)))} == {"a", "b"}


# --- the wrong ways of other systems


def test_a_prompt_under_another_adapter_is_read_anew() -> None:
    """llama.cpp 26207: a slot's keys and values, computed under adapter A, were used for the same prompt under B."""
    model, a, b = pair_of()
    held = written(a)
    logits = b.logits(oc.generate.text(b).begin(PROMPT).pending)
    assert b.stats.reused == 0 and held.kv.lengths.all()
    assert apart(logits, plain_under(model, ("b",), ids_of(model.state(PROMPT)))[-1:]) <= tolerance(model)


@pytest.mark.parametrize("how", ["deleted and loaded", "values in place", "other tensors"])
def test_an_adapter_that_is_loaded_again_under_its_name_reads_anew(how: str, tmp_path: Path) -> None:
    """vLLM 42125: an adapter that was loaded again in place went on with keys and values of what it had been."""
    model, a, b = pair_of()
    old, kept = written(a), written(b)
    identity, before = a.identity, a.stats.tokens
    if how == "deleted and loaded":
        model.hf.delete_adapter("a")
        model.hf.add_adapter(config_of("transformers"), "a")
        model.hf.set_adapter("b")
    elif how == "values in place":
        shaken(model.hf, "a")
    else:
        for parameter in of_adapter(model.hf, "a"):
            parameter.data = torch.randn_like(parameter)
    model.hf.eval()
    again = written(a)
    assert not old.kv.lengths[0, 0] or ids_of(old) == ids_of(again) or a.stats.tokens > before
    assert a.stats.tokens - before >= model.state(PROMPT).shape[2] and a.identity != identity
    assert apart(logits_of(a, again), plain_under(model, ("a",), ids_of(again))) <= tolerance(model)
    assert kept.kv.lengths.all()


def test_rows_of_the_base_do_not_take_the_prefix_of_an_adapter() -> None:
    """The failure beside it: requests without an adapter that hit blocks of one; or of the same name and another id
    (vLLM 30931)."""
    model, a, _ = pair_of()
    plain, held = model.with_adapter(None), written(a)
    state = written(plain)
    assert plain.stats.reused < model.state(PROMPT).shape[2] + state.shape[2] * 4
    assert plain.stats.tokens == state.shape[2] - 1
    assert apart(logits_of(plain, state), plain_under(model, (), ids_of(state))) <= tolerance(model)
    other = wrapped(with_adapters("transformers", "a", "b")).with_adapter("a")
    assert other.identity != a.identity and other.state(ids_of(held)).kv.lengths.tolist() == [[0]]


def test_a_store_tells_what_layers_of_peft_wrap_and_what_their_active_adapters_compute_with(tmp_path: Path) -> None:
    store, row = oc.store.KVStore(tmp_path), tuple(range(10, 150))
    config = {"target_modules": ["q_proj"], "init_lora_weights": False, "modules_to_save": ["input_layernorm"]}
    hf = copy.deepcopy(short_hf())
    hf.add_adapter(peft.LoraConfig(r=2, **config), "a")

    def restored(adapter: str | None) -> int:
        model = wrapped(hf.eval(), store=store).with_adapter(adapter)
        logits = model.logits([oc.stepping.Need(row, (139,))])
        assert torch.allclose(logits[0], plain_under(model, [adapter] if adapter else [], row)[-1], atol=1e-3)
        return model.stats.restored

    assert [restored(None), restored("a"), restored(None), restored("a")] == [0, 0, 128, 128]
    norm = hf.model.layers[0].input_layernorm
    norm.modules_to_save["a"].variance_epsilon = 0.5
    assert [restored(None), restored("a"), restored("a")] == [128, 0, 128]
    norm.original_module.variance_epsilon = 0.5
    assert [restored(None), restored(None)] == [0, 128]


# --- what is refused


def test_what_is_no_adapter_is_refused_by_name() -> None:
    model, a, _ = pair_of()
    with pytest.raises(ValueError, match=r"^with_adapter\('c'\): .* has no adapter 'c'; it has 'a', 'b'$"):
        model.with_adapter("c")
    with pytest.raises(TypeError, match=r"^with_adapter\(3\): it takes the name"):
        model.with_adapter(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"has no adapter 'a'; it has none: model.hf.load_adapter loads one$"):
        shipped_model().with_adapter("a")
    for other in (oc.Model(model.tokenizer), oc.Model(cast(Any, Other()), model.tokenizer)):
        with pytest.raises(ValueError, match=r"^with_adapter\('a'\): .* cannot switch adapters"):
            other.with_adapter("a")
    with pytest.raises(ValueError, match="is for reading"):
        oc.train.tree_logprobs(written(a))
    kept = model.with_adapter(None).state(PROMPT).kv.prefill()
    model.hf.delete_adapter("a")
    with pytest.raises(ValueError, match=r"has no adapter 'a'; it has 'b'$"):
        written(a)
    with pytest.raises(ValueError, match=r"has no adapter 'a'; it has 'b'$"):
        a.logits([oc.stepping.Need(ids_of(kept), (len(ids_of(kept)) - 1,))])  # those of the base are there
    assert a.state(PROMPT).kv.lengths.tolist() == [[0]]
    copies = wrapped(with_adapters("copies", "a", "b"))
    with pytest.raises(ValueError, match="only one of them can be active"):
        copies.with_adapter(["a", "b"])
    copies.hf.merge_adapter(["a"])
    with pytest.raises(ValueError, match="are merged into"):
        copies.with_adapter("b")


class Other:
    """An engine that says nothing of adapters."""

    def __init__(self) -> None:
        engine = shipped_model().engine
        for name in ("n_vocab", "eos", "context_length", "device", "dtype", "pool", "forward", "version", "identity"):
            setattr(self, name, getattr(engine, name))


# --- jobs


def test_a_job_is_done_under_an_adapter_here_and_by_workers() -> None:
    model = oc.load(adapters=folders())
    assert model.identity == shipped_model().identity, "none is active"
    prompts = ["The sky is", "Mira is a", "Tom"]
    text = oc.generate.text(model, oc.samplers.greedy())
    plain = list(oc.map(text, prompts, seed=0, max_tokens=6))
    here = list(oc.map(text, prompts, seed=0, max_tokens=6, adapter="a"))
    beside = oc.generate.text(model.with_adapter("a"), oc.samplers.greedy())
    assert here == [value for [value] in beside(prompts, max_tokens=6)] != plain
    with oc.map(text, prompts, seed=0, max_tokens=6, adapter="a", workers=1) as results:  # it sends `beside`
        assert list(results) == here


@pytest.mark.parametrize("kind", ["step", "chain", "scoring"])
def test_any_work_is_done_under_an_adapter(kind: str) -> None:
    model = oc.load(adapters=folders())
    a = model.with_adapter("a")

    def work(model: oc.Model) -> Any:
        step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()), name="first")
        return {"step": step, "chain": step >> " and " >> step, "scoring": oc.scores.scoring(model, [" blue", " red"])}[
            kind
        ]

    options = {} if kind == "scoring" else {"max_tokens": 3}
    job: dict[str, Any] = {"prompts": ["The sky is"], "seed": 0, **options}
    [here], [beside] = list(oc.map(work(model), adapter="a", **job)), list(oc.map(work(a), **job))
    assert here == pytest.approx(beside) if kind == "scoring" else here.tolist() == beside.tolist()


def test_wrong_adapters_of_a_folder_are_refused_by_name() -> None:
    for wrong, error in (({"a": "./nowhere"}, FileNotFoundError), (["a"], TypeError), ({3: "./x"}, TypeError)):
        with pytest.raises(error, match=r"^load\(adapters="):
            oc.load(tiny.PATH, adapters=wrong)
    model, wrong_work = shipped_model(), cast(Any, 3)
    with pytest.raises(TypeError, match=r"^map\(\) takes a step"):
        oc.map(wrong_work, ["a"], seed=0, adapter="a")
    with pytest.raises(ValueError, match="has no adapter 'x'"):
        oc.map(oc.generate.text(model), ["a"], seed=0, adapter="x")
