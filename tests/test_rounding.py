"""`batch_invariant=True`: a row's logits are, to the bit, a function of its tokens, however it came to be read.

Bits are compared within one process and on one thread, as the option promises it.
"""

from __future__ import annotations

import gc
import importlib.util
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
import transformers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_engines import stock_model

import outlines_cont as oc
from outlines_cont import batch_invariance
from outlines_cont.kv.needs import Need

GGUF = all(importlib.util.find_spec(name) for name in ("xllamacpp", "gguf"))
N_VOCAB = 1536
Bits = dict[tuple[int, ...], torch.Tensor]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@cache
def folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def experts(dtype: torch.dtype) -> Any:
    config = transformers.MixtralConfig(
        vocab_size=N_VOCAB,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=4,
        num_experts_per_tok=2,
        max_position_embeddings=256,
        initializer_range=0.2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return transformers.AutoModelForCausalLM.from_config(config, dtype=dtype).eval()


def transformers_model(name: str, dtype: torch.dtype) -> oc.Model:
    shipped = oc.load(dtype=dtype)
    if name == "shipped":
        hf = shipped.hf
    elif name == "experts":
        hf = experts(dtype)
    elif name == "stock":
        hf: Any = stock_model().hf
        hf = hf.to(dtype)
    else:
        from gguf_files import random_model

        hf = random_model(name, N_VOCAB).to(dtype)
    return oc.Model(hf, shipped.tokenizer, batch_invariant=True)


def file_model(name: str, kind: str, **options: Any) -> oc.Model:
    from gguf_files import random_model, write_gguf

    path, shipped = Path(folder().name) / f"{name}-{kind}.gguf", oc.load()
    if not path.exists():
        hf = shipped.hf if name == "shipped" else random_model(name, N_VOCAB)
        write_gguf(path, hf, shipped.tokenizer, kind)
    return oc.load(path, n_threads=1, n_ctx=4096, n_seq_max=8, batch_invariant=True, **options)


FLOAT, HALF = torch.float32, torch.bfloat16
MODELS: dict[str, Callable[[], oc.Model]] = {
    "shipped": lambda: transformers_model("shipped", FLOAT),
    "shipped, bfloat16": lambda: transformers_model("shipped", HALF),
    "experts": lambda: transformers_model("experts", FLOAT),
    "stock": lambda: transformers_model("stock", FLOAT),
}
if GGUF:
    MODELS |= {
        "windows": lambda: transformers_model("gemma3", FLOAT),
        "softcap, bfloat16": lambda: transformers_model("gemma2", HALF),
        "recurrent": lambda: transformers_model("mamba", FLOAT),
        "file f32": lambda: file_model("shipped", "f32"),
        "file q8_0": lambda: file_model("shipped", "q8_0"),
        "file q4_0": lambda: file_model("shipped", "q4_0"),
        "file q4_0, no flash attention": lambda: file_model("shipped", "q4_0", flash_attention=False),
        "file q5_0 with windows": lambda: file_model("gemma3", "q5_0"),
    }
model_of = cache(lambda name: MODELS[name]())
bits_of: Callable[[str], Bits] = cache(lambda name: {})

#: Rows that share beginnings, of few tokens: so they meet again.
ROWS = st.lists(st.sampled_from([5, 70, 300]), min_size=1, max_size=20).map(
    lambda ids: (*ids, *ids[:1] * (len(ids) // 9))
)
LONG = st.integers(60, 80).map(lambda size: tuple(70 + at % 3 for at in range(size)))
READS = st.lists(
    st.tuples(st.lists(ROWS | LONG, min_size=1, max_size=6), st.sampled_from(["last", "all"]), st.booleans()),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(reads=READS, forget=st.sets(st.integers(0, 5)), evict=st.sets(st.integers(0, 5)))
def test_equal_tokens_have_equal_bits_whatever_was_read_before_and_beside_them(
    name: str, reads: list[Any], forget: set[int], evict: set[int]
) -> None:
    model, known, held = model_of(name), bits_of(name), list[Any]()
    for number, (rows, wanted, kept) in enumerate(reads):
        needs = [Need(row, tuple(range(len(row))) if wanted == "all" else (len(row) - 1,)) for row in rows]
        logits, claims = model.read(needs)
        held += claims * kept
        lines = iter(logits)
        for need in needs:
            for position in need.wanted:
                answer = next(lines)
                assert torch.equal(known.setdefault(need.tokens[: position + 1], answer.clone()), answer)
        if number in forget:
            model.tree.forget_logits()
        if number in evict:
            model.tree.evict()


@pytest.mark.parametrize("name", MODELS)
def test_one_program_gives_identical_states_however_its_rows_came_about(name: str) -> None:
    model = model_of(name)
    text = oc.continuous(oc.generate.text(model), name="text")
    word = oc.continuous(oc.generate.regex(model, "[a-z ]{4,12}", oc.samplers.multinomial(top_k=40)), name="word")
    prompts = model.state(["Mira is a", "The sky", "I live in a small town by the sea and", "One"])

    def program(start: oc.SequenceState) -> oc.SequenceState:
        return word(text(start, max_tokens=6, seed=1) + " and", max_tokens=6, seed=2)

    batch = program(prompts)
    for i in range(len(prompts)):
        alone = prompts[i : i + 1, :, :]
        for start in (alone, alone.kv.drop()):  # law 9, with and without the keys of the batch
            assert program(start).identical(batch[i : i + 1, :, :])
    ids = batch.token_ids.tolist()
    del batch
    gc.collect()
    again = program(prompts)
    assert again.token_ids.tolist() == ids
    cut = word.resume(again[..., :-1], max_tokens=6, seed=3)
    assert cut.identical(word.resume(again[..., :-1].kv.drop(), max_tokens=6, seed=3))
    with TemporaryDirectory() as place:
        again.save(Path(place) / "state")
        assert word.resume(oc.load_state(Path(place) / "state", model)[..., :-1], max_tokens=6, seed=3).identical(cut)
    forks = text(again[1:2, :, :].fork(3), max_tokens=5, seed=4)
    for i in range(3):
        single = again[1:2, :, :].kv.drop().fork(3)[:, i : i + 1, :]
        assert text(single, max_tokens=5, seed=4).identical(forks[:, i : i + 1, :])


@pytest.mark.parametrize("name", MODELS)
def test_nothing_is_read_twice(name: str) -> None:
    model = MODELS[name]()
    if not model.language_model.keeps:
        pytest.skip("it keeps no keys and values")
    text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    start = model.state([70 + at % 5 for at in range(30)])
    state = text(start.fork(3), max_tokens=4)
    assert model.stats.tokens == int(state.kv.lengths[0, 0]) and model.stats.reread == 0


def test_passes_have_few_widths_and_long_prompts_take_few_passes() -> None:
    model = transformers_model("shipped", FLOAT)
    assert "batch-invariant" in repr(model) and model.engine.batch_invariant and not oc.load().engine.batch_invariant
    widths = model.tier.forward.widths  # type: ignore[attr-defined]
    model.read([Need(tuple(range(5, 205)), (199,))])
    assert model.stats.passes == -(-200 // widths[-1])


def test_where_no_several_widths_add_up_alike_tokens_are_computed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def never(forward: Any, ids: Any, width: int, length: Any) -> bool:
        tried.append(width)
        return width == 1

    monkeypatch.setattr(batch_invariance, "_equal_bits", never)
    model = transformers_model("shipped", FLOAT)
    assert tried == [64, 1] and "batch-invariant, token by token" in str(model.tier)
    model.read([Need((5, 6, 7, 8), (3,))])
    assert model.stats.passes == 4
    monkeypatch.setattr(batch_invariance, "_equal_bits", lambda *_: False)
    with pytest.raises(ValueError, match="LlamaForCausalLM cannot be computed batch-invariantly here"):
        transformers_model("shipped", FLOAT)


def test_the_probe_sees_a_model_whose_tokens_depend_on_those_beside_them() -> None:
    model = oc.load()
    norm = model.hf.model.norm
    norm.register_forward_hook(lambda module, given, out: out * (1 + 1e-6 * (out.shape[1] > 4)))
    widths = oc.Model(model.hf, model.tokenizer, batch_invariant=True).tier.forward.widths  # type: ignore[attr-defined]
    assert widths == (1,)


def test_drafts_of_several_tokens_change_no_bit() -> None:
    model = transformers_model("shipped", HALF)
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    prompt = "one two three one two three one two"
    plain = step(prompt, max_tokens=12)
    drafted = step(model.state(prompt).kv.drop(), max_tokens=12, draft=oc.drafts.lookup())
    assert drafted.identical(plain)


def test_what_cannot_be_batch_invariant_is_refused_by_name() -> None:
    shipped = oc.load()
    with pytest.raises(TypeError, match=r"Model\(LlamaForCausalLM, batch_invariant=True\): it says itself how"):
        oc.Model(shipped.engine, shipped.tokenizer, batch_invariant=True)
    with pytest.raises(TypeError, match="a Model of a tokenizer alone computes no logits"):
        oc.Model(shipped.tokenizer, batch_invariant=True)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"engine='vllm', batch_invariant=True.*leave engine= out"):
        oc.load("folder", engine="vllm", batch_invariant=True)
    with pytest.raises(ValueError, match="tp_plan=…, batch_invariant=True"):
        oc.load("folder", tp_plan="auto", batch_invariant=True)
    with pytest.raises(TypeError, match="batch_invariant"):
        oc.load(batch_invariant="yes")  # type: ignore[arg-type]
    model = model_of("shipped")
    left, right = model.state("The sky"), model.state(" is blue")
    with pytest.raises(ValueError, match="takes no grafts: it is batch-invariant"):
        oc.grafts.graft(left, right)


@pytest.mark.skipif(not GGUF, reason="xllamacpp and gguf are not installed")
def test_a_file_divides_its_cells_among_its_rows() -> None:
    model = model_of("file q8_0")
    assert model.context_length == 4096 // 8 and "batch-invariant" in repr(model)
    with pytest.raises(ValueError, match="larger n_ctx or a smaller n_seq_max"):
        model.state([70] * 600)
        oc.continuous(oc.generate.text(model))(model.state([70] * 600), max_tokens=1)
    with pytest.raises(ValueError, match="n_ubatch=4 and batch_invariant=True"):
        file_model("shipped", "q8_0", n_ubatch=4)
    # more live branches than sequences: rows are read in groups, and nothing else changes
    text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    prompts = model.state([f"{i} birds" for i in range(20)])
    many = text(prompts, max_tokens=3)
    assert all(
        text(prompts[i : i + 1, :, :].kv.drop(), max_tokens=3).identical(many[i : i + 1, :, :]) for i in range(20)
    )
