"""Forward hooks of users on the parts of a model: they get rows as plain forwards have them, and no other answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_models import assert_rows_agree, random_hf
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

import outlines_cont as oc

PARTS = ["", "model.embed_tokens", "model.layers.0", "model.layers.2.mlp", "model.norm", "lm_head"]
PLACES = [-1, 2, slice(None), slice(None, 4), slice(3, None), slice(-2, None), slice(4, 6), None]  # None: only records


@dataclass(frozen=True)
class Steering:
    """A hook that adds to the places of a row that it is given, and notes what it has seen."""

    part: str
    place: Any
    pre: bool
    in_place: bool
    everywhere: bool  # registered on all modules at once
    first_row: bool  # changes the first row of a batch alone
    seen: list[tuple[int, ...]]

    def steered(self, states: torch.Tensor) -> torch.Tensor:
        self.seen.append(tuple(states.shape))
        if self.place is None:
            return states
        states = states if self.in_place else states.clone()
        amount = torch.linspace(-2, 2, states.shape[-1])
        states[0 if self.first_row else slice(None), self.place] += amount
        return states

    @contextmanager
    def registered(self, hf: Any) -> Iterator[None]:
        target = hf.get_submodule(self.part)

        def before(module: Any, args: Any, kwargs: Any = None) -> Any:
            if module is target and args:
                return (self.steered(args[0]), *args[1:])
            return None

        def after(module: Any, args: Any, out: Any) -> Any:
            if module is not target:
                return None
            if hasattr(out, "logits"):
                out.logits = self.steered(out.logits)
                return out
            return (self.steered(out[0]), *out[1:]) if isinstance(out, tuple) else self.steered(out)

        if self.everywhere:
            register: Any = register_module_forward_pre_hook if self.pre else register_module_forward_hook
        else:
            register = target.register_forward_pre_hook if self.pre else target.register_forward_hook
        handle = register(before if self.pre else after)
        try:
            yield
        finally:
            handle.remove()


def steerings(places: list[Any] = PLACES) -> st.SearchStrategy[Steering]:
    def made(part: str, place: Any, *flags: bool) -> Steering:
        pre, in_place, everywhere, first_row = flags
        return Steering(
            part, place, pre and part not in ("", "model.embed_tokens"), in_place, everywhere, first_row, []
        )

    flags = [st.booleans()] * 4
    return st.builds(made, st.sampled_from(PARTS), st.sampled_from(places), *flags)


def plain_logprobs(hf: Any, ids: tuple[int, ...], start: int) -> torch.Tensor:
    """The log-probabilities of a row's tokens from `start` on: each from a plain forward that ends before it."""
    with torch.no_grad():
        lines = [hf(input_ids=torch.tensor([ids[:at]]), use_cache=False).logits[0, -1] for at in range(start, len(ids))]
    return torch.stack([line.log_softmax(-1)[ids[at]] for line, at in zip(lines, range(start, len(ids)), strict=True)])


def assert_plain(model: oc.Model, state: oc.SequenceState, before: oc.SequenceState) -> None:
    """What was generated after a state has the log-probabilities of plain forwards of the model as it is now."""
    for group, logprobs, starts in zip(state.rows, state.logprobs, before.lengths.tolist(), strict=True):
        for row, scores, start in zip(group, logprobs, starts * (len(group) // len(starts)), strict=True):
            expected = plain_logprobs(model.hf, row.ids, start)
            assert torch.allclose(scores[start : len(row)].float(), expected, atol=1e-3), (scores[start:], expected)


def assert_scores_plain(model: oc.Model) -> None:
    start, options = model.state("Once upon a time"), [" there", " in a small town"]
    table = oc.score(start, options, seam="keep")
    for option, found in zip(options, table.flatten().tolist(), strict=True):
        ids = (start + option).rows[0][0].ids
        assert found == pytest.approx(float(plain_logprobs(model.hf, ids, len(start.rows[0][0])).sum()), abs=2e-3)


shared_hf = cache(random_hf)  # hooks are removed from it again


def step_of(model: oc.Model) -> Any:
    return oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))


@settings(max_examples=15)
@given(steering=steerings(), fresh=st.booleans())
def test_hooks_that_come_after_wrapping_get_rows_as_users_know_them(steering: Steering, fresh: bool) -> None:
    """While they are there, each row is read in a forward of its own; afterwards everything is as before."""
    hf = shared_hf("llama")
    model = oc.Model(hf, shipped_model().tokenizer)
    step = step_of(model)
    prompt = model.state(["Once upon a time", "12 + 7 = 19, and"])
    begun = step(prompt, max_tokens=3, seed=0)
    kept, tier = begun.kv.lengths, model.tier
    with ExitStack() as stack, TemporaryDirectory() as folder:
        stack.enter_context(steering.registered(hf))
        if fresh:
            stack.enter_context(model.fresh())
        assert model.tier.name == "recompute" and "forward hooks" in str(model.tier) and str(model.tier) in repr(model)
        assert not begun.kv.lengths.any()
        del steering.seen[:]
        steered = step(begun, max_tokens=3, seed=1)
        rows = {row.ids[:at] for group in steered.rows for row in group for at in range(len(row))}
        assert steering.seen and all(shape[0] == 1 for shape in steering.seen)
        assert {shape[1] for shape in steering.seen} <= {len(row) for row in rows}, "whole rows, as long as they are"
        assert_plain(model, steered, begun)
        assert_plain(model, step(["Once upon a time"], max_tokens=2, seed=2), model.state("Once upon a time"))
        assert_scores_plain(model)
        with pytest.raises(ValueError, match="takes no grafts"):
            oc.grafts.graft(model.state("Once upon"), model.state(" a time, there was"))
        assert not steered.kv.prefill().kv.lengths.any()
        steered.save(Path(folder) / "s")
        loaded = oc.load_state(Path(folder) / "s", model)
        assert_plain(model, step(loaded, max_tokens=2, seed=3), loaded)
    assert model.tier is tier and begun.kv.lengths.equal(kept), "the keys and values of before are there, and valid"
    before = model.stats.tokens
    assert_rows_agree(model, begun)
    assert model.stats.tokens == before + 4, "the last token of each row had not been read"
    assert_rows_agree(model, steered)
    assert_plain(model, step(steered, max_tokens=2, seed=4), steered)
    assert step(steered, max_tokens=2, seed=4).kv.lengths.all()


@settings(max_examples=30)
@given(steering=steerings(), name=st.sampled_from(["llama", "gemma2 (softcap, window)", "gpt-j"]))
def test_hooks_that_are_there_when_a_model_is_wrapped_are_probed(steering: Steering, name: str) -> None:
    """The backend is one that serves them exactly; removed, rows are read by themselves, and are the plain model's."""
    hf = shared_hf(name)
    steering = moved(steering, name)
    with steering.registered(hf):
        model = oc.Model(hf, shipped_model().tokenizer)
        anywhere = steering.place in (slice(None), None) and not steering.first_row
        if anywhere:
            assert model.tier.name == ("stock" if name == "gpt-j" else "hook"), model.tier
        step = step_of(model)
        begun = step(["Once upon a time", "12 + 7 = 19, and"], max_tokens=3, seed=0)
        assert_plain(model, begun, model.state(["Once upon a time", "12 + 7 = 19, and"]))
        assert_plain(model, step(begun, max_tokens=3, seed=1), begun)
        assert_scores_plain(model)
    assert model.tier.alone
    assert_plain(model, step(begun, max_tokens=2, seed=2), begun)
    with steering.registered(hf):
        assert model.tier.alone, "the same function, registered anew, is another hook"


def test_what_is_kept_follows_hooks_at_once() -> None:
    model = oc.load()
    state = model.state("Once upon a time")
    with Steering("model.norm", -1, False, False, False, False, []).registered(model.hf):
        assert not model.language_model.keeps and not state.kv.prefill().kv.lengths.any()
    assert state.kv.prefill().kv.lengths.all() and model.language_model.keeps


@pytest.mark.parametrize("place", range(0, 24, 3))
def test_a_hook_that_addresses_one_of_the_first_24_positions_is_seen_by_the_probe(place: int) -> None:
    hf = random_hf("llama")
    with Steering("model.layers.0", slice(place, place + 1), False, False, False, False, []).registered(hf):
        model = oc.Model(hf, shipped_model().tokenizer)
        assert model.tier.name == "recompute", model.tier
        begun = model.state(["Once upon a time", "12 + 7 = 19, and " * 4])
        assert_plain(model, step_of(model)(begun, max_tokens=3, seed=0), begun)


def moved(steering: Steering, name: str) -> Steering:
    """The same on the like part of a model whose parts have other names."""
    if name != "gpt-j":
        return steering
    names = {"model.embed_tokens": "transformer.wte", "model.norm": "transformer.ln_f"}
    part = names.get(steering.part) or steering.part.replace("model.layers", "transformer.h")
    return Steering(**{**vars(steering), "part": part})
