"""What a model brings along when it is wrapped: odd configs, a generation config, a quantised head, adapters,
offloaded weights, a compiler; and what is done to it afterwards."""

from __future__ import annotations

import copy
import functools
import re
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_models import TIERS, TOLERANCE, apart, plain_logits, random_hf
from transformers import AutoModelForCausalLM

import outlines_cont as oc
from outlines_cont import errors, tiny
from outlines_cont.errors import OURS

PROMPT = "Mira is a painter. Mira is "
PATTERN = "[ab]{3}"


@pytest.fixture(autouse=True)
def nothing_was_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_warned", set())


def wrapped(hf: Any) -> oc.Model:
    return oc.Model(hf, shipped_model().tokenizer)


def own_hf(**generation: Any) -> Any:
    """A model that a test may change, with these settings in its generation config."""
    hf = copy.deepcopy(short_hf())
    vars(hf.generation_config).update(generation)
    return hf


def warned(hf: Any) -> list[str]:
    """What is said when it is wrapped, each with the file that it is said of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        wrapped(hf)
    assert all(each.filename == __file__ for each in caught)
    return [str(each.message) for each in caught]


def greedy(model: oc.Model, prompt: Any = PROMPT, **options: Any) -> oc.SequenceState:
    return oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(prompt, **{"max_tokens": 6, **options})


def first_logits(model: oc.Model) -> torch.Tensor:
    """Those after the prompt `[1, V]`."""
    return model.logits(oc.generate.text(model).begin(PROMPT).pending)


def assert_serves(model: oc.Model, plain: Any) -> None:
    """It goes on as a greedy loop of plain forwards does, and has their logits, from keys and values that it kept."""
    state = greedy(model)
    row, start = state.rows[0][0], len(model.state(PROMPT).rows[0][0])
    logits = plain_logits(plain, row.ids)
    assert logits[start - 1 : -1].argmax(-1).tolist() == list(row.ids[start:])
    assert model.kv_lengths([row])[0] >= len(row) - 1
    model.tree.forget_logits()
    wanted = tuple(range(start - 1, len(row)))
    assert apart(model.logits([oc.stepping.Need(row.ids, wanted, row.claim)]), logits[start - 1 :]) <= TOLERANCE


# --- the generation config


def test_settings_that_only_generate_applies_are_named_once_with_what_to_write() -> None:
    """Chat models ship such settings: `transformers.generate()` uses them."""
    hf = own_hf(do_sample=True, temperature=0.6, top_p=0.9, top_k=50, repetition_penalty=1.1, max_length=4096)
    assert warned(hf) == [
        "LlamaForCausalLM's generation config sets temperature=0.6, top_p=0.9, repetition_penalty=1.1: transformers' "
        "generate() applies that, and outlines_cont does not. Write oc.samplers.from_config(model)."
    ]
    assert warned(hf) == []
    hf.generation_config.temperature = 0.7
    assert len(warned(hf)) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bad_words_ids": [[5]], "begin_suppress_tokens": [1]}, "For begin_suppress_tokens, write"),
        ({"suppress_tokens": [*range(99)]}, "suppress_tokens=[0, 1, 2,"),
        ({"suppress_tokens": np.arange(2), "begin_suppress_tokens": torch.tensor([2, 3])}, "suppress_tokens=[0, 1]"),
        ({"forced_bos_token_id": 0, "forced_eos_token_id": 1}, "sets forced_bos_token_id=0, forced_eos_token_id=1:"),
        ({"stop_strings": ["\n"], "max_new_tokens": 9}, r"Write max_tokens=9, stop_at=['\n']."),
        ({"max_length": 64}, "Write max_tokens=64."),
        ({"num_beams": 4, "length_penalty": 0.5}, "Write oc.samplers.beam_search(beams=4, length_penalty=0.5)."),
        ({"min_length": 3, "min_new_tokens": 1}, "sets min_length=3, min_new_tokens=1:"),
        ({"no_repeat_ngram_size": 3, "sequence_bias": {(5,): 1.0}}, "no_repeat_ngram_size=3, sequence_bias={(5,): 1"),
        ({"exponential_decay_length_penalty": (3, 1.1)}, "exponential_decay_length_penalty=(3, 1.1)"),
        ({"token_healing": True}, 'Write seam="heal".'),
    ],
)
def test_each_setting_that_changes_tokens_is_named(given: dict[str, Any], message: str) -> None:
    assert [message in text for text in warned(own_hf(**given))] == [True]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"temperature": 0.6, "top_p": 0.9},  # generate() is greedy unless do_sample is on
        {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0},
        {"repetition_penalty": 1.0, "no_repeat_ngram_size": 0, "num_beams": 1, "length_penalty": 2.0},
        {"use_cache": True, "cache_implementation": "hybrid", "return_dict_in_generate": True, "chat_format": "chatml"},
        {"pad_token_id": 1, "eos_token_id": [1, -1], "max_length": 4096, "suppress_tokens": []},
    ],
)
def test_what_changes_no_token_is_passed_over(given: dict[str, Any]) -> None:
    assert warned(own_hf(**given)) == []


@pytest.mark.parametrize("eos", [-1, [1, -1], (1,), None, torch.tensor([1]), np.array([1]), np.int64(1)])
def test_a_negative_eos_means_none(eos: Any) -> None:
    model = wrapped(own_hf(eos_token_id=eos))
    assert model.vocabulary.eos == (1,)  # the tokenizer's
    assert greedy(model).finished


def test_an_eos_beyond_the_logits_is_named() -> None:
    assert warned(own_hf(eos_token_id=[1, 50_000])) == [
        "LlamaForCausalLM gives 1536 logits, so the eos ids [50000] never end a text. Does the tokenizer belong to the "
        "model?"
    ]


@pytest.mark.parametrize("eos", ["</s>", 1.5, [None], True, {1}])
def test_an_eos_that_is_no_id_is_refused(eos: Any) -> None:
    with pytest.raises(TypeError, match=re.escape(f"eos_token_id={eos!r}; it must be a token id")):
        wrapped(own_hf(eos_token_id=eos))


def test_what_is_no_tokenizer_is_refused_by_name() -> None:
    for tokenizer in ("gpt2", shipped_model().tokenizer.backend_tokenizer):
        with pytest.raises(TypeError, match=f"a tokenizer of transformers, not {type(tokenizer).__name__}"):
            oc.Model(short_hf(), tokenizer)  # type: ignore[arg-type]


# --- what is changed afterwards


def test_an_eos_that_is_set_after_wrapping_asks_for_a_new_model() -> None:
    model = wrapped(own_hf())
    state = greedy(model)
    model.hf.generation_config.eos_token_id = [1, 7]
    with pytest.raises(ValueError, match=r"has the eos ids \[1, 7\], and had \[1\] when .* Wrap it anew: oc.Model\("):
        greedy(model, state)
    with pytest.raises(ValueError, match="Wrap it anew"):
        model.rescore(state)
    assert wrapped(model.hf).vocabulary.eos == (1, 7)
    model.hf.generation_config.eos_token_id = 1
    greedy(model, state)


@pytest.mark.parametrize("size", [1000, 1600])
def test_embeddings_that_are_resized_after_wrapping_ask_for_a_new_model(size: int) -> None:
    model = wrapped(own_hf())
    generator = oc.generate.text(model, oc.samplers.greedy())
    model.hf.resize_token_embeddings(size)
    with pytest.raises(ValueError, match=rf"has vocab_size={size}, and had 1536 when .* Wrap it anew"):
        generator(PROMPT)
    assert len(wrapped(model.hf).vocabulary) == size


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_a_model_may_change_its_dtype_after_wrapping(dtype: torch.dtype) -> None:
    model = wrapped(own_hf())
    state = greedy(model)
    model.hf.to(dtype)
    assert model.dtype == dtype and not state.kv.lengths.any()
    assert greedy(model).tolist() == greedy(wrapped(copy.deepcopy(model.hf))).tolist()
    assert first_logits(model).dtype == dtype


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no second device")
def test_a_model_may_change_its_device_after_wrapping() -> None:
    model = wrapped(own_hf())
    state = greedy(model)
    model.hf.to("cuda")
    assert model.device.type == "cuda" and greedy(model).tolist() == state.tolist()


# --- weights that lie elsewhere, or have another form


def test_layers_that_quantise_what_they_read_are_refused_by_name() -> None:
    """`quantize_dynamic` has one scale for all tokens of a forward, those that come later too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch.ao is deprecated; its layers are still met
        hf = torch.ao.quantization.quantize_dynamic(own_hf(), {torch.nn.Linear}, dtype=torch.qint8)
    with pytest.raises(ValueError, match=r"LlamaForCausalLM cannot be served: .* as quantize_dynamic makes them"):
        wrapped(hf)


class PackedLinear(torch.nn.Module):
    """A layer of 8-bit weights that are no parameters, in a form of their own; `weight` is a method."""

    def __init__(self, layer: torch.nn.Linear):
        super().__init__()
        self.scale = layer.weight.detach().abs().amax(1, keepdim=True) / 127
        self.packed = (layer.weight.detach() / self.scale).round().to(torch.int8).reshape(-1)

    def weight(self) -> torch.Tensor:
        return self.packed.reshape(len(self.scale), -1) * self.scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight().T


def test_a_head_of_packed_weights_is_served() -> None:
    hf = own_hf()
    hf.lm_head = PackedLinear(hf.lm_head)
    model = wrapped(hf)
    assert (len(model.vocabulary), model.dtype, model.device.type) == (1536, torch.float32, "cpu")
    assert_serves(model, hf)


def test_a_model_without_weights_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="LlamaForCausalLM lies on the device 'meta', which holds no weights"):
        wrapped(own_hf().to("meta"))


@pytest.mark.parametrize("where", ["cpu_offload", "disk_offload", "device_map"])
def test_offloaded_models_give_the_same_tokens(where: str, tmp_path: Path) -> None:
    accelerate = pytest.importorskip("accelerate")
    cpu = torch.device("cpu")
    if where == "device_map":
        parts = {"model.embed_tokens": "cpu", "model.layers": "disk", "model.norm": "cpu", "lm_head": "cpu"}
        device_map = {**parts, "model.rotary_emb": "cpu"}
        hf = AutoModelForCausalLM.from_pretrained(
            tiny.PATH, dtype=torch.float32, device_map=device_map, offload_folder=tmp_path
        )
        plain = shipped_model().hf
    else:
        hf, plain = own_hf(), short_hf()
        hf = accelerate.cpu_offload(hf, cpu) if where == "cpu_offload" else accelerate.disk_offload(hf, tmp_path, cpu)
    model = wrapped(hf)
    assert model.device.type == "cpu" and model.tier.name == "hook"
    assert_serves(model, plain)


def small_memory(folder: Path) -> dict[str, Any]:
    """Room for a half of the model that ships: accelerate puts the other half on the disk."""
    return {"device_map": "auto", "max_memory": {"cpu": 3_000_000}, "offload_folder": folder}


@pytest.mark.parametrize("where", ["auto", "a small memory", "the embedding on the disk"])
def test_a_model_that_accelerate_spreads_does_the_same_work(where: str, tmp_path: Path) -> None:
    """Equal tokens, counts and identity, and what is kept is used again."""
    pytest.importorskip("accelerate")
    on_disk = {"model.embed_tokens": "disk", "model.layers": "cpu", "model.norm": "cpu", "lm_head": "disk"}
    options = {
        "auto": {"device_map": "auto"},
        "a small memory": small_memory(tmp_path),
        "the embedding on the disk": {
            "device_map": {**on_disk, "model.rotary_emb": "cpu"},
            "offload_folder": tmp_path,
        },
    }[where]
    model, plain = oc.load(tiny.PATH, dtype=torch.float32, **options), oc.load()
    assert where == "auto" or {*model.hf.hf_device_map.values()} == {"cpu", "disk"}
    assert (model.device.type, model.tier.name) == ("cpu", "hook") and model.identity == plain.identity
    states = []
    for each in (model, plain):
        text = oc.continuous(oc.generate.text(each))
        begun = text(["The sky is", "Mira is a painter"], max_tokens=4, seed=0)
        states.append(text(begun[..., :-2].fork(2), max_tokens=3, seed=1))
    counts = [(m.stats.tokens, m.stats.passes, m.stats.reused, m.stats.reread) for m in (model, plain)]
    assert counts[0] == counts[1] and states[0].token_ids.equal(states[1].token_ids)
    assert states[0].kv.lengths.equal(states[1].kv.lengths) and states[0].kv.lengths.all()


def test_a_device_map_that_is_none_is_refused_by_name() -> None:
    pytest.importorskip("accelerate")
    with pytest.raises(ValueError, match=r"^load\(device_map='everywhere'\): "):
        oc.load(tiny.PATH, device_map="everywhere")


# --- adapters and compilers


@pytest.fixture
def adapted() -> Iterator[oc.Model]:
    """A model with two adapters, `default` and `other`."""
    peft = pytest.importorskip("peft")
    torch.manual_seed(0)
    lora = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM")
    hf = peft.get_peft_model(own_hf(), lora)
    hf.add_adapter("other", lora)
    yield wrapped(hf.eval())


def test_each_adapter_has_its_own_keys_and_values(adapted: oc.Model) -> None:
    """Each setting finds its own, and a merge, which changes weights, orphans all. The logits are those of peft's own
    forward; without adapters, the plain ones."""
    model, hf = adapted, adapted.hf
    assert model.tier.name == "hook"
    seen = {}
    switches: dict[str, Callable[[], Any]] = {
        "default": lambda: None,
        "other": lambda: hf.set_adapter("other"),
        "merged": lambda: hf.merge_adapter(),
        "unmerged": lambda: hf.unmerge_adapter(),
        "none": lambda: hf.base_model.disable_adapter_layers(),
        "again": lambda: hf.base_model.enable_adapter_layers(),
    }
    state = held = greedy(model)
    for name, switch in switches.items():
        assert state.kv.lengths.any()
        switch()
        assert state.kv.lengths.any() == (name in ("default", "again"))
        assert held.kv.lengths.any() == (name in ("default", "again"))
        seen[name] = first_logits(model)
        assert_serves(model, hf)
        state = greedy(model)
        held = held if name == "none" else state
    assert not torch.allclose(seen["default"], seen["other"], rtol=0.01)
    for name in ("merged", "unmerged", "again"):
        assert torch.allclose(seen[name], seen["other"], atol=1e-3)
    [need] = oc.generate.text(model).begin(PROMPT).pending
    assert torch.allclose(seen["none"], plain_logits(short_hf(), need.tokens)[-1:], atol=1e-4)


def test_scores_under_another_adapter_are_not_believed(adapted: oc.Model, tmp_path: Path) -> None:
    """A file that was written with an adapter held scores, as of the same model, when the adapter was off."""
    model, hf = adapted, adapted.hf
    identities, state = [model.identity], greedy(model)
    state.save(tmp_path / "s")
    with hf.disable_adapter():
        identities.append(model.identity)
        assert oc.load_state(tmp_path / "s", model).weights.isnan().all()
    hf.set_adapter("other")
    identities.append(model.identity)
    layers: list[Any] = [part for part in hf.modules() if hasattr(part, "set_scale")]
    for layer in layers:
        layer.set_scale("other", 0.5)
    assert len({*identities, model.identity}) == 4
    hf.set_adapter("default")
    for layer in layers:
        layer.set_scale("other", 1.0)
    assert model.identity == identities[0] and oc.load_state(tmp_path / "s", model).identical(state)


def test_within_disable_adapter_the_model_is_the_plain_one(adapted: oc.Model) -> None:
    with adapted.hf.disable_adapter():
        assert greedy(adapted).tolist() == greedy(wrapped(own_hf())).tolist()
    assert_serves(adapted, adapted.hf)


def test_compiled_models_give_the_same_tokens() -> None:
    """The attention of a pass is left out of what is compiled: it differs from pass to pass."""
    torch._dynamo.reset()
    compiled: Any = torch.compile(own_hf(), backend="eager", dynamic=True)
    model = wrapped(compiled)
    assert model.tier.name == "hook"
    assert_serves(model, short_hf())
    torch._dynamo.reset()


# --- any config: a right answer, or an error of ours


@cache
def odd_hf(name: str, vocab_size: int, tied: bool) -> Any:
    options: dict[str, Any] = {"vocab_size": vocab_size, "bos_token_id": None, "eos_token_id": None}
    return random_hf(name, tied, **options)


def refused(call: Callable[[], Any]) -> Any:
    """What a call gives; None if it raises an error on purpose, in a line of ours."""
    try:
        return call()
    except (TypeError, ValueError, oc.OutlinesContError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        assert last.filename.startswith(OURS) and str(last.line).startswith("raise"), error
        return None


def plain_answer(model: oc.Model, ids: tuple[int, ...]) -> tuple[str, bool]:
    """`PATTERN` by a greedy loop of plain forwards, and whether each token was clear."""
    text, tokens = "", [token.decode("latin-1") for token in model.vocabulary.tokens]
    while len(text) < 3:
        fitting = [i for i in model.vocabulary.text_ids.tolist() if re.fullmatch("[ab]{0,3}", text + tokens[i])]
        logits = plain_logits(model.hf, ids)[-1]
        best, *others = sorted(fitting, key=lambda i: -float(logits[i]))
        if others and logits[best] - logits[others[0]] <= 2 * TOLERANCE * logits.abs().max():
            return text, False
        ids, text = (*ids, best), text + tokens[best]
    return text, True


IDS = st.sampled_from([None, -1, 0, 1, 7, 1535, 10**6, [1, 2], [-1, 10**6], [], "x"])
GENERATION = st.fixed_dictionaries(
    {},
    optional={
        "do_sample": st.booleans(),
        "temperature": st.sampled_from([0, 0.5, 1.0, "warm"]),
        "max_length": st.sampled_from([0, 20, 64, "long"]),
        "bad_words_ids": st.sampled_from([[], [[5]], 3]),
        "forced_eos_token_id": IDS,
        "pad_token_id": IDS,
        "num_beams": st.sampled_from([0, 1, 4]),
        "stop_strings": st.sampled_from(["x", ["x"]]),
        "unknown_to_all": st.just(1),
    },
)


@settings(max_examples=30)
@given(
    name=st.sampled_from(["llama", "gpt2 (learned positions)", "gpt-j", "mamba", "phi3 (longrope)"]),
    vocab_size=st.sampled_from([1, 3, 100, 1000, 1536, 1601]),
    tied=st.booleans(),
    eos=IDS,
    pad=IDS,
    length=st.sampled_from([None, -1, 0, 2, 256]),
    generation=GENERATION,
)
@pytest.mark.filterwarnings("ignore")
def test_any_config_gives_a_right_answer_or_an_error_of_ours(
    name: str, vocab_size: int, tied: bool, eos: Any, pad: Any, length: Any, generation: dict[str, Any]
) -> None:
    hf = copy.copy(odd_hf(name, vocab_size, tied))
    hf.config = copy.copy(hf.config)
    vars(hf.config).update(pad_token_id=pad, eos_token_id=eos, max_position_embeddings=length)
    hf.generation_config = copy.copy(hf.generation_config)
    vars(hf.generation_config).update(eos_token_id=eos, **generation)
    model = refused(lambda: wrapped(hf))
    prompt = refused(lambda: model.state("ab a")) if model else None
    if model is None or prompt is None:
        assert eos == "x" or vocab_size < 1536
        return
    regex = refused(lambda: oc.generate.regex(model, PATTERN, oc.samplers.greedy()))
    answer = refused(lambda: regex(prompt, max_tokens=9)) if regex else None
    if answer is None:
        assert vocab_size < 1536 or length == 2
        return
    expected, clear = plain_answer(model, prompt.rows[0][0].ids)
    assert answer == expected if clear else answer.startswith(expected)


@pytest.mark.parametrize("first", ["wrapped", "prepared"])
@pytest.mark.parametrize("kind", ["shipped", "llama", "gemma3 (two ropes, window)"])
def test_a_model_in_mixed_precision_keeps_its_keys_and_values(kind: str, first: str) -> None:
    """accelerate puts a `forward` in place of its own, which computes under autocast and gives logits in float32."""
    accelerate = pytest.importorskip("accelerate")
    hf = own_hf() if kind == "shipped" else random_hf(kind)
    model = oc.Model(hf, shipped_model().tokenizer)
    accelerate.state.AcceleratorState._reset_state(True)  # of another test's trainer
    prepared = accelerate.Accelerator(mixed_precision="bf16", cpu=True).prepare_model(hf)
    accelerate.state.AcceleratorState._reset_state(True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = model if first == "wrapped" else oc.Model(prepared, shipped_model().tokenizer)
        step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
        state = step([PROMPT, "Mira is", "The sky is"], max_tokens=8, seed=0)
    assert model.tier.name == "hook"
    assert model.stats.tokens <= int(state.lengths.max(1).values.sum()) + 3 * 3 * 8
    for row in [row for group in state.rows for row in group]:
        plain, drawn = plain_logits(prepared, row.ids), [at for at, v in enumerate(row.logprobs) if v is not None]
        logprobs = plain.log_softmax(-1)[[at - 1 for at in drawn], [row.ids[at] for at in drawn]]
        own = torch.tensor([row.logprobs[at] for at in drawn])
        assert float((logprobs - own).abs().mean() / plain.abs().max()) <= 1e-2


def test_only_models_that_are_spread_need_accelerate() -> None:
    """It is an extra. The README's first command installs none."""
    code = """
import sys
import threading
sys.modules["accelerate"] = None
import outlines_cont as oc
model = oc.load()
print(list(oc.map(oc.generate.choice(model, ["a"]), ["I say "], seed=0)), len(model.identity))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "['a'] 32\n"), done.stderr


# --- the probe


def probed(hf: Any) -> tuple[oc.Model, list[tuple[int, int]], int]:
    """It wrapped; the rows and tokens of each of its forwards; and how many positions its head was asked about."""
    forwards, kind = list[tuple[int, int]](), type(hf)
    asked, head = list[int](), type(hf.get_output_embeddings())

    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self is hf:
            forwards.append(tuple(kwargs["input_ids"].shape))
        return plain(self, *args, **kwargs)

    def ask(self: Any, states: Any) -> Any:
        if self is hf.get_output_embeddings():
            asked.append(states.shape[:-1].numel())
        return plain_head(self, states)

    plain, plain_head = kind.forward, head.forward
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "forward", functools.wraps(plain)(forward))
        patch.setattr(head, "forward", ask)
        model = wrapped(hf)
    return model, forwards, sum(asked)


@pytest.mark.parametrize("name", ["llama", "gemma3 (two ropes, window)", "mixtral (window)", "gpt-j", "mamba"])
def test_a_model_is_known_after_three_short_forwards(name: str) -> None:
    """Whatever its backend; and its head, which may be most of it, is asked about five positions."""
    hf = random_hf(name)
    model, forwards, asked = probed(hf)
    assert model.tier.name == TIERS[name]
    assert len(forwards) <= 3 and sum(rows * tokens for rows, tokens in forwards) <= 84
    assert asked <= 5


@pytest.mark.parametrize("name", ["roberta (positions skip the padding token)", "mixtral (window)", "gpt-j"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_in_half_precision_a_row_that_is_wrong_is_not_outvoted_by_rows_that_are_right(name: str, dtype: Any) -> None:
    assert wrapped(random_hf(name).to(dtype)).tier.name == TIERS[name]


class LastPosition(torch.nn.Linear):
    """A head that treats the last position in another way."""

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        logits = super().forward(states).clone()
        logits[:, -1] += torch.linspace(-3, 3, logits.shape[-1])
        return logits


class OneScale(torch.nn.Linear):
    """A head that quantises what it is given with one scale for all positions."""

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        scale = states.abs().max() / 7
        return super().forward((states / scale).round() * scale)


class LaterPositions(torch.nn.Linear):
    """A head that treats all positions but the first two in another way."""

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        logits = super().forward(states).clone()
        logits[:, 2:] += torch.linspace(-3, 3, logits.shape[-1])
        return logits


@pytest.mark.parametrize("kind", [LastPosition, LaterPositions])
def test_a_head_that_looks_at_places_is_served_by_plain_forwards(kind: type[Any]) -> None:
    hf = own_hf()
    hf.lm_head.__class__ = kind
    model = wrapped(hf)
    assert model.tier.name == "recompute" and model.tier.alone == (kind is LastPosition)
    state = greedy(model)
    row, start = state.rows[0][0], len(model.state(PROMPT).rows[0][0])
    for at in range(start, len(row)):
        assert plain_logits(hf, row.ids[:at])[-1].argmax() == row.ids[at]


def test_a_head_with_one_scale_for_a_forward_is_refused() -> None:
    hf = own_hf()
    hf.lm_head.__class__ = OneScale
    with pytest.raises(ValueError, match="its logits at a token depend on the tokens after it"):
        wrapped(hf)


def test_who_uses_a_model_while_it_is_wrapped_gets_its_logits() -> None:
    """What the probe does to the head is done to its own forwards alone."""
    hf, ids = own_hf(), torch.tensor([[5, 6, 7, 8, 9]])
    alone, beside = hf(input_ids=ids).logits, list[torch.Tensor]()
    plain = type(hf.model.norm).forward

    def norm(self: Any, states: torch.Tensor) -> torch.Tensor:
        if self is hf.model.norm and threading.current_thread() is threading.main_thread():
            thread = threading.Thread(target=lambda: beside.append(hf(input_ids=ids).logits))
            thread.start()
            thread.join()
        return plain(self, states)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(hf.model.norm), "forward", norm)
        wrapped(hf)
    assert beside and torch.allclose(beside[0], alone, atol=1e-4)
    assert not hf.lm_head._forward_pre_hooks
