"""The KV tree: exact for every row of every state (laws 2, 3), least work (8), memory that follows values (11)."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from transformers import (
    AutoModelForCausalLM,
    BloomConfig,
    DeepseekV3Config,
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    GPTNeoXConfig,
    GptOssConfig,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
    PreTrainedConfig,
    Qwen2Config,
    T5Config,
    T5ForConditionalGeneration,
)

import outlines_cont as oc
from outlines_cont.kv.forward import Query
from outlines_cont.kv.tree import Tree

SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 256,
}
ON_THE_TREE: dict[str, Callable[..., PreTrainedConfig]] = {
    "llama": lambda **kw: LlamaConfig(**SMALL, **kw),
    "qwen2": lambda **kw: Qwen2Config(**SMALL, **kw),
    "gemma2 (softcap, window)": lambda **kw: Gemma2Config(**SMALL, head_dim=16, sliding_window=4, **kw),
    "gemma3 (two ropes, window)": lambda **kw: Gemma3TextConfig(**SMALL, head_dim=16, sliding_window=4, **kw),
    "mistral (window)": lambda **kw: MistralConfig(**SMALL, sliding_window=5, **kw),
    "gpt-oss (sinks)": lambda **kw: GptOssConfig(**SMALL, head_dim=16, num_local_experts=4, sliding_window=4, **kw),
    "gpt-neox": lambda **kw: GPTNeoXConfig(**SMALL, **kw),
    "gpt2 (learned positions)": lambda **kw: GPT2Config(n_embd=32, n_layer=3, n_head=4, n_positions=256, **kw),
    "deepseek (latent attention)": lambda **kw: DeepseekV3Config(
        **{**SMALL, "num_key_value_heads": 4},
        n_routed_experts=4,
        num_experts_per_tok=2,
        n_group=2,
        topk_group=1,
        q_lora_rank=16,
        kv_lora_rank=16,
        qk_rope_head_dim=8,
        v_head_dim=16,
        qk_nope_head_dim=16,
        first_k_dense_replace=1,
        moe_intermediate_size=16,
        **kw,
    ),
}
RECOMPUTED: dict[str, Callable[..., PreTrainedConfig]] = {
    "bloom": lambda **kw: BloomConfig(hidden_size=32, n_layer=2, n_head=4, **kw),
    "mamba": lambda **kw: MambaConfig(hidden_size=32, num_hidden_layers=2, **kw),
}


def random_model(config: Callable[..., PreTrainedConfig]) -> oc.Model:
    tokenizer = shipped_model().tokenizer
    torch.manual_seed(0)
    hf = AutoModelForCausalLM.from_config(config(vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=1))
    # random initial weights are so small that attention hardly matters; make it matter
    with torch.no_grad():
        for parameter in hf.parameters():
            if parameter.dim() > 1:
                parameter.mul_(3)
    return oc.Model(hf.eval(), tokenizer)


def fresh_logits(model: oc.Model, ids: tuple[int, ...]) -> torch.Tensor:
    """Logits `[T, V]` of a plain forward of transformers."""
    with torch.no_grad():
        return model.hf(input_ids=torch.tensor([ids]), use_cache=False).logits[0]


def assert_rows_agree(model: oc.Model, state: oc.SequenceState) -> None:
    """The tree's logits for every row, whatever it holds of it, are those of a fresh forward."""
    rows = [row for group in state.rows for row in group if len(row)]
    queries = [Query(row.ids, tuple(range(len(row))), row.claim) for row in rows]
    answers = model.logits(queries).split([len(row) for row in rows])
    for row, answer in zip(rows, answers, strict=True):
        plain = fresh_logits(model, row.ids)
        assert (answer - plain).abs().max() <= 1e-4 * plain.abs().max()


@pytest.mark.parametrize("name", [*ON_THE_TREE, *RECOMPUTED])
def test_fork_crop_branch_and_join_are_exact_for_many_architectures(name: str) -> None:
    model = random_model({**ON_THE_TREE, **RECOMPUTED}[name])
    assert (model.why_no_tree is None) == (name in ON_THE_TREE), model
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
    state = step(["Once upon a time, there was", "12 + 7"], max_tokens=12, seed=1)
    cropped = state[:, [2, 0, 2], :-5]
    joined = cropped[:, :, 3:] + state[:, :, :4] + " and then"
    again = oc.continuous(oc.generate.text(model, oc.samplers.beam_search(3)))(cropped + [" x", " yz"], max_tokens=4)
    for value in (state, cropped, joined, again):
        forget_logits(model)
        assert_rows_agree(model, value)
    if name in RECOMPUTED:
        assert not state.kv_lengths.any()
        assert "recompute" in repr(model)
    else:
        assert (cropped.kv_lengths == cropped.lengths).all()


def forget_logits(model: oc.Model) -> None:
    """So that every logit that is asked for again is computed again."""
    model.tree.forget_logits()


def test_an_encoder_decoder_is_refused_by_name() -> None:
    hf = T5ForConditionalGeneration(T5Config(d_model=16, d_kv=4, d_ff=16, num_layers=1, num_heads=2, vocab_size=32))
    with pytest.raises(TypeError, match="T5ForConditionalGeneration"):
        oc.Model(hf, shipped_model().tokenizer)


TEXTS = ["Once", " upon a time", "12 + 7 = ", "Žofia", " and", "!"]


class Program:
    """Random operations on states, with an independent count of the work that they need."""

    def __init__(self, model: oc.Model):
        self.model = model
        self.states: list[oc.SequenceState] = []
        self.needed = self.rows_stepped = 0
        self.step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
        model.tree = Tree()
        model.stats.reset()

    def held(self) -> set[tuple[int, ...]]:
        """The prefixes whose last token has its keys and values kept alive by some state."""
        rows = [row for state in self.states for group in state.rows for row in group]
        return {row.ids[:n] for row in rows for n in range(1, (row.claim.depth if row.claim else 0) + 1)}

    def generate(self, index: int, max_tokens: int) -> None:
        """Whatever is fed and nobody held is needed; a last token that was drawn when the budget ended is not fed."""
        state, before = self.states[index], self.held()
        result = self.step(state, max_tokens=max_tokens, seed=len(self.states))
        rows = [row for group in result.rows for row in group]
        fed = {row.ids[:n] for row in rows for n in range(1, len(row) - (row.finished == "length") + 1)}
        self.needed += len(fed - before)
        self.rows_stepped += len({row.ids for group in state.rows for row in group})
        self.states.append(result)


@cache
def lonely_model() -> oc.Model:
    """The shipped model with a tree that no other test uses."""
    return oc.Model(shipped_model().hf, shipped_model().tokenizer)


@settings(max_examples=300)
@given(data=st.data())
def test_least_work(data: st.DataObject) -> None:
    """Law 8, over random programs: tokens computed = distinct (prefix, token) pairs needed and not in the tree."""
    program = Program(lonely_model())
    states = program.states
    for _ in range(data.draw(st.integers(2, 8), label="length")):
        kinds = ["start"] + (["step", "step", "slice", "fork", "append", "drop"] if states else [])
        kind = data.draw(st.sampled_from(kinds), label="operation")
        i = data.draw(st.integers(0, len(states) - 1), label="state") if states else 0
        if kind == "start":
            texts = data.draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2), label="texts")
            states.append(program.model.state(texts))
        elif kind == "slice":
            states.append(states[i][:, :, : data.draw(st.integers(1, states[i].shape[2]), label="n")])
        elif kind == "fork" and states[i].shape[1] == 1:
            states.append(states[i].fork(2))
        elif kind == "append":
            states.append(states[i] + data.draw(st.sampled_from(TEXTS), label="text"))
        elif kind == "drop":
            del states[i]
        elif kind == "step":
            program.generate(i, data.draw(st.integers(1, 3), label="max_tokens"))
    stats = program.model.stats
    assert stats.tokens == program.needed
    assert stats.reread <= program.rows_stepped
    states.clear()
    assert stats.kv_bytes == 0


def test_a_shared_prefix_is_computed_once() -> None:
    """Samples, forks and re-typed prompts share what they share; a step costs one pass."""
    model = shipped_model()
    model.stats.reset()
    prompt = model.state("Once upon a time")
    length = prompt.shape[2]
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=8)))
    drawn = step(prompt, max_tokens=1, seed=0)
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (length, 1, 0)
    again = step(model.state(["Once upon a time"] * 3), max_tokens=1, seed=1)
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (length, 1, 0)
    appended = drawn.best(1).fork(5) + " in"
    model.stats.reset()
    oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(appended, max_tokens=1)
    assert model.stats.tokens == appended.shape[2] - length, "five equal rows cost one"
    del drawn, again, appended


def test_memory_follows_values() -> None:
    """Law 11: forks and slices cost nothing, and what no state reaches is freed."""
    model = shipped_model()
    gc.collect()
    assert model.stats.kv_bytes == 0
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=4)))
    state = step("Once upon a time", max_tokens=20, seed=0)
    full = model.stats.kv_bytes
    views = [state[:, :, :n] for n in range(1, 10)] + [state.best(2), state[0, 1, :].fork(7), oc.cat([state, state], 1)]
    assert model.stats.kv_bytes == full
    del views
    head = state[0, 0, :4]
    del state
    gc.collect()
    config = model.hf.config
    per_token = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim * 4
    assert model.stats.kv_bytes == 4 * per_token, "a short crop keeps its own tokens and nothing else"
    assert (head.kv_lengths == 4).all()
    del head
    gc.collect()
    assert model.stats.kv_bytes == 0


def test_memory_is_given_back_when_most_of_it_is_free() -> None:
    model = shipped_model()
    long = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(model.state([5] * 1900), max_tokens=1)
    short = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Once", max_tokens=2)
    del long
    gc.collect()
    more = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(short, max_tokens=2)
    assert model.tree.pool.capacity < 1900
    forget_logits(model)
    assert_rows_agree(model, more)


@pytest.mark.parametrize("fused", [False, True])
def test_a_change_of_the_parameters_orphans_keys_and_values(fused: bool) -> None:
    """Law 3: an optimizer step (fused ones leave the version counters alone), a dtype or mode change."""
    model = random_model(ON_THE_TREE["llama"])
    state = oc.continuous(oc.generate.text(model))("Once upon", max_tokens=3, seed=0)
    assert state.kv_lengths.all()
    optimizer = torch.optim.AdamW(model.hf.parameters(), lr=0.5, fused=fused)
    ids = torch.tensor([state.rows[0][0].ids])
    model.hf(input_ids=ids, labels=ids).loss.backward()
    optimizer.step()
    assert not state.kv_lengths.any() and model.stats.kv_bytes == 0 and "kv 0;" in repr(state)
    assert_rows_agree(model, state)
    model.hf.train()
    assert not state.kv_lengths.any()
    model.hf.eval().to(torch.float64)
    assert_rows_agree(model, state)


def test_fresh_stores_and_reuses_nothing() -> None:
    model = random_model(ON_THE_TREE["llama"])
    greedy = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    prompt = model.state("Once upon a time")
    plain = greedy(prompt, max_tokens=4)
    hook = model.hf.model.layers[0].register_forward_hook(lambda module, args, out: out * 0.5)
    with model.fresh():
        patched = greedy(prompt, max_tokens=4)
        expected = fresh_logits(model, patched.rows[0][0].ids[:-1])[prompt.shape[2] - 1 :]
    hook.remove()
    assert expected.argmax(-1).tolist() == list(patched.rows[0][0].ids[prompt.shape[2] :])
    assert greedy(prompt, max_tokens=4).identical(plain)


def test_the_users_own_model_is_untouched() -> None:
    """The wrapped model gives the same bits before and after, also in its own generate()."""
    model = random_model(ON_THE_TREE["gemma2 (softcap, window)"])
    ids = torch.tensor([[5, 6, 7, 8, 9, 10, 11]])
    before = model.hf.config._attn_implementation
    logits = model.hf(input_ids=ids).logits
    generated = model.hf.generate(ids, max_new_tokens=5, do_sample=False)
    oc.generate.text(model)("Once upon a time", max_tokens=5, seed=0)
    assert model.hf.config._attn_implementation == before
    assert torch.equal(model.hf(input_ids=ids).logits, logits)
    assert torch.equal(model.hf.generate(ids, max_new_tokens=5, do_sample=False), generated)


def test_threads_share_one_model() -> None:
    """Law 1, from any thread: concurrent generations give what they give alone."""
    model = shipped_model()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
    prompts = ["Once", "12 + 7 = ", "Once upon", "Žofia"] * 2
    alone = [step(prompt, max_tokens=6, seed=i).drop_kv() for i, prompt in enumerate(prompts)]
    found: dict[int, oc.SequenceState] = {}

    def work(i: int) -> None:
        found[i] = step(prompts[i], max_tokens=6, seed=i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(prompts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i] == alone[i] for i in range(len(prompts)))


def test_two_models_around_one_share_its_lock() -> None:
    """Forwards of one transformers model run one at a time, whoever wraps it, and leave its attention as it was."""
    first = random_model(ON_THE_TREE["llama"])
    second = oc.Model(first.hf, first.tokenizer)
    steps = [oc.continuous(oc.generate.text(model)) for model in (first, second)]
    alone = [step("Once upon", max_tokens=8, seed=i).drop_kv() for i, step in enumerate(steps)]
    errors: list[BaseException] = []

    def work(i: int) -> None:
        try:
            for _ in range(10):
                assert steps[i]("Once upon", max_tokens=8, seed=i).token_ids.equal(alone[i].token_ids)
                repr(first.stats)  # counts the tree's bytes while the other thread may fill it
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and first.hf.config._attn_implementation == "sdpa"


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
def test_who_uses_the_model_beside_us_gets_its_own_attention(implementation: str) -> None:
    """A forward of another thread, in the middle of ours: no plan of its own, so the model's own attention and mask."""
    model = random_model(ON_THE_TREE["llama"])
    model.hf.set_attn_implementation(implementation)
    ids = torch.tensor([[5, 6, 7, 8, 9]])
    alone = model.hf(input_ids=ids).logits
    beside: list[torch.Tensor] = []

    def other() -> None:
        with torch.no_grad():
            beside.append(model.hf.model(input_ids=ids).last_hidden_state @ model.hf.lm_head.weight.T)

    def hook(module: torch.nn.Module, args: object) -> None:
        if not beside:
            handle.remove()
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

    handle = model.hf.model.layers[1].register_forward_pre_hook(hook)
    oc.generate.text(model)("Once upon a time", max_tokens=2, seed=0)
    assert torch.allclose(beside[0], alone, atol=1e-4)


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    gc.collect()
    yield
    gc.collect()
    assert shipped_model().stats.kv_bytes == 0, "keys and values outlived the states that held them"
