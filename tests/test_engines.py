"""The protocols between the algebra and whatever computes logits: ours fulfil them, and so may anybody's."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from engines import PROGRAMS, PlainModel, check_engine, check_program, check_scores
from torch_engine import TorchEngine
from transformers import AutoModelForCausalLM, GPTJConfig

import outlines_cont as oc
from outlines_cont.engines.protocol import Engine, KeptRow, LanguageModel
from outlines_cont.kv.pool import SlotPool


def torch_engine(model: oc.Model) -> TorchEngine:
    return TorchEngine(dict(model.hf.state_dict()), model.hf.config)


def stock_model() -> oc.Model:
    """A transformers model of the tier `stock`, with the tokenizer of the model that ships."""
    torch.manual_seed(0)
    config = GPTJConfig(vocab_size=1536, n_positions=512, n_embd=32, n_layer=2, n_head=2, rotary_dim=8, eos_token_id=1)
    return oc.Model(AutoModelForCausalLM.from_config(config).eval(), oc.load().tokenizer)


def test_our_model_does_what_is_asked_of_any() -> None:
    check_engine(oc.load(), oc.load())


def test_an_engine_of_a_third_party_serves_as_well() -> None:
    model = oc.load()
    engine = torch_engine(model)
    theirs = oc.Model(engine, model.tokenizer)
    check_engine(theirs, model)
    assert theirs.engine is engine and repr(theirs) == "Model(TorchEngine, 1536 tokens, float32, cpu, KV tree)"
    assert theirs.identity != model.identity and theirs.config is model.hf.config
    with pytest.raises(AttributeError, match="'TorchEngine' object has no attribute 'hf'"):
        theirs.hf  # noqa: B018


def test_a_tier_of_stock_forwards_serves_as_well() -> None:
    model = stock_model()
    assert model.tier.name == "stock"
    check_engine(model, PlainModel(model))


def test_a_model_with_a_cache_of_its_own_serves_as_well() -> None:
    model = oc.load()
    plain = PlainModel(model)
    check_engine(plain, model)
    check_engine(oc.Model(plain), model)


def test_a_model_without_a_bound_of_its_rows_can_be_tried() -> None:
    """Its calls must give `max_tokens`, and those of the suite do."""
    model = oc.load()
    boundless = PlainModel(model)
    boundless.context_length = None
    for name, program in PROGRAMS.items():
        check_program(name, program, boundless, model, 1e-5, counted=False)
    check_scores(boundless, model, 1e-5)


def test_a_model_is_not_its_own_reference() -> None:
    model = oc.load()
    with pytest.raises(AssertionError, match="the reference is the model itself: give two models"):
        check_engine(model, model)


@pytest.mark.parametrize("part", ["logits", "slots"])
def test_a_wrong_answer_is_noticed(part: str) -> None:
    model = oc.load()
    if part == "logits":
        wrong: Any = PlainModel(model)
        right = wrong.read
        wrong.read = lambda needs: (right(needs)[0].flip(-1), [None] * len(needs))
    else:
        wrong = oc.Model(torch_engine(model), model.tokenizer)
        wrong.engine.turned = lambda x, positions: x  # without positions
    with pytest.raises(AssertionError, match="logits that are off by"):
        check_engine(wrong, model)


def test_a_change_of_the_parameters_is_seen() -> None:
    model = oc.load()
    engine = torch_engine(model)
    theirs = oc.Model(engine, model.tokenizer)
    state, identity = oc.continuous(oc.generate.text(theirs))("Mira is a", max_tokens=2, seed=0), theirs.identity
    assert state.kv.lengths.any()
    engine.weights["model.norm.weight"].mul_(1.5)
    assert not state.kv.lengths.any() and theirs.identity != identity


def test_what_is_no_model_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="takes a Model first"):
        oc.generate.text("gpt2")  # type: ignore[arg-type]
    lacking = PlainModel(oc.load())
    del lacking.stats
    with pytest.raises(TypeError, match=r"not PlainModel, which has no stats$"):
        oc.generate.text(lacking)


def test_what_is_no_engine_is_refused_with_what_it_lacks() -> None:
    model = oc.load()
    whole: Any = torch_engine(model)
    members = ("n_vocab", "eos", "context_length", "device", "dtype", "pool", "version", "identity")
    lacking = SimpleNamespace(**{name: getattr(whole, name) for name in members})
    with pytest.raises(TypeError, match=r"SimpleNamespace has no forward, which belongs to an oc\.stepping\.Engine"):
        oc.Model(lacking, model.tokenizer)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="an engine needs its tokenizer beside it"):
        oc.Model(whole)
    with pytest.raises(TypeError, match="not the class TorchEngine: make one of it first"):
        oc.Model(TorchEngine, model.tokenizer)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="PlainModel has a vocabulary and an encoder already"):
        oc.Model(PlainModel(model), model.tokenizer)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="kv_budget=5: PlainModel has a cache of its own"):
        oc.Model(PlainModel(model), kv_budget=5)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="is a Model already"):
        oc.Model(model)
    with pytest.raises(TypeError, match="takes no context_length, vocab_size or eos: the engine says them"):
        oc.Model(whole, model.tokenizer, context_length=5)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="TorchEngine gives 1536 logits, and the vocabulary has 3 tokens"):
        oc.Model(whole, type(model.vocabulary)([b"a", b"b", b"c"], eos=[2]))


def test_what_a_cache_of_its_own_cannot_do_is_told() -> None:
    model = oc.Model(PlainModel(oc.load()))
    oc.generate.text(model)("Mira", max_tokens=2, progress=True)
    stats = model.stats
    assert stats.tokens > 0 and stats.reused == 0 and stats.passes is stats.reread is stats.kv_bytes is None
    assert repr(stats) == f"Stats(tokens={stats.tokens}, passes=None, reused=0, reread=None, kv_bytes=None)"
    assert repr(model) == "Model(PlainModel, 1536 tokens, cpu, a cache of its own)"
    for act in [lambda: model.fresh(), lambda: model.kv_budget, lambda: setattr(model, "kv_budget", 1)]:
        with pytest.raises(AttributeError, match=r"keeps no keys and values here, and has no (fresh|kv_budget)"):
            act()


def test_the_page_leads_to_the_engine_that_is_tried() -> None:
    """It can be read there in one go."""
    folder = Path(__file__).parent
    assert "](../tests/torch_engine.py)" in (folder.parent / "docs" / "engines.md").read_text(encoding="utf-8")
    assert len((folder / "torch_engine.py").read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.parametrize("protocol", [LanguageModel, Engine, SlotPool, KeptRow])
def test_every_member_is_explained(protocol: type) -> None:
    members = [value for name, value in vars(protocol).items() if not name.startswith("_")]
    assert members and all(inspect.getdoc(member) for member in members)
