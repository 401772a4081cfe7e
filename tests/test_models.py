"""Every kind of causal language model in the tier that serves it exactly (laws 2, 3), or refused by name.

Tiny models with random weights. Windows, chunks and original rope lengths are shorter than the texts, so they bite.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import pytest
import torch
import transformers as hf
from cases import some_of
from strategies import shipped_model
from transformers import AutoModelForCausalLM, PreTrainedConfig

import outlines_cont as oc
from outlines_cont.kv.needs import Need

TOLERANCE = 1e-4  # of the largest logit
#: Models that multiply rounding, and by how much more than others. (mamba: 0.2 to 0.7 of 1e-4, by processor.)
AMPLIFIED = {"mamba": 10}
WINDOW = 5
NO_WINDOW = 200
BEYOND_PROBES = 26  # a length that rows here exceed, and a known answer at load does not: only a rule can see it

SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 256,
    "pad_token_id": None,
}
HEADS = {"head_dim": 16}
ALL_HEADS = {"num_key_value_heads": 4}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16}
LOCAL_EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 2}
ROUTED_EXPERTS = {
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "n_group": 2,
    "topk_group": 1,
    "first_k_dense_replace": 1,
    "moe_intermediate_size": 16,
}
LATENT = {
    **ALL_HEADS,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 16,
    "qk_nope_head_dim": 16,
}
MIXED = {
    "sliding_window": WINDOW,
    "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
}
LINEAR = {"layer_types": ["linear_attention", "full_attention", "linear_attention"]}
LINEAR_HEADS = {
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
}
BERT = {**SMALL, "num_key_value_heads": None, "is_decoder": True}
DECODER = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 256,
}


def rope(rope_type: str, **options: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": rope_type, "rope_theta": 10_000.0, **options}}


LONG_ROPE = {
    **rope("longrope", short_factor=[1.0] * 4, long_factor=[2.0] * 4, original_max_position_embeddings=16, factor=4.0),
    "original_max_position_embeddings": BEYOND_PROBES,
    "max_position_embeddings": 4 * BEYOND_PROBES,
}


def llama_like(config: Callable[..., PreTrainedConfig], *options: dict[str, Any], **more: Any) -> partial[Any]:
    """The config of a small model; later options win."""
    merged = dict(SMALL)
    for option in (*options, more):
        merged |= option
    return partial(config, **merged)


# What goes through transformers' attention interface.
HOOK: dict[str, partial[Any]] = {
    "llama": llama_like(hf.LlamaConfig),
    "llama, rope of Llama 3": llama_like(
        hf.LlamaConfig,
        rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16),
    ),
    "llama, yarn": llama_like(hf.LlamaConfig, rope("yarn", factor=4.0, original_max_position_embeddings=16)),
    "llama, linear rope": llama_like(hf.LlamaConfig, rope("linear", factor=4.0)),
    "arcee": llama_like(hf.ArceeConfig),
    "apertus": llama_like(hf.ApertusConfig),
    "bitnet": llama_like(hf.BitNetConfig),
    "cohere": llama_like(hf.CohereConfig, logit_scale=1.0),
    "cohere2 (window)": llama_like(hf.Cohere2Config, MIXED, logit_scale=1.0),
    "ctrl": partial(hf.CTRLConfig, n_embd=32, n_layer=3, n_head=4, dff=64, n_positions=256),
    "dbrx": partial(
        hf.DbrxConfig,
        d_model=32,
        n_heads=4,
        n_layers=3,
        max_seq_len=256,
        attn_config={"kv_n_heads": 2, "clip_qkv": 8, "rope_theta": 1e4},
        ffn_config={"ffn_hidden_size": 64, "moe_num_experts": 4, "moe_top_k": 2},
    ),
    "deepseek-v2 (latent attention)": llama_like(hf.DeepseekV2Config, LATENT, ROUTED_EXPERTS, head_dim=8),
    "deepseek-v3 (latent attention)": llama_like(hf.DeepseekV3Config, LATENT, ROUTED_EXPERTS),
    "diffllama (two attentions a layer)": llama_like(hf.DiffLlamaConfig),
    "dots1": llama_like(hf.Dots1Config, ROUTED_EXPERTS, MIXED),
    "electra": partial(hf.ElectraConfig, **BERT, embedding_size=32),
    "bert (decoder)": partial(hf.BertConfig, **BERT),
    "ernie4.5": llama_like(hf.Ernie4_5Config, HEADS),
    "exaone4 (window)": llama_like(hf.Exaone4Config, MIXED),
    "gemma": llama_like(hf.GemmaConfig, HEADS),
    "gemma2 (softcap, window)": llama_like(hf.Gemma2Config, HEADS, MIXED),
    "gemma3 (two ropes, window)": llama_like(hf.Gemma3TextConfig, HEADS, MIXED),
    "gemma3n (shared keys and values)": llama_like(
        hf.Gemma3nTextConfig,
        HEADS,
        sliding_window=WINDOW,
        num_hidden_layers=4,
        layer_types=["sliding_attention", "full_attention"] * 2,
        num_kv_shared_layers=2,
        intermediate_size=[64] * 4,
        activation_sparsity_pattern=[0.0] * 4,
        laurel_rank=8,
        altup_num_inputs=2,
        hidden_size_per_layer_input=8,
    ),
    "glm4": llama_like(hf.Glm4Config, HEADS),
    "gpt2 (learned positions)": partial(hf.GPT2Config, n_embd=32, n_layer=3, n_head=4, n_positions=256),
    "gpt-bigcode (one kv head)": partial(hf.GPTBigCodeConfig, n_embd=32, n_layer=3, n_head=4, n_positions=256),
    "gpt-neox": llama_like(hf.GPTNeoXConfig),
    "gpt-oss (sinks, window)": llama_like(hf.GptOssConfig, HEADS, LOCAL_EXPERTS, MIXED),
    "granite": llama_like(hf.GraniteConfig),
    "granitemoe": llama_like(hf.GraniteMoeConfig, LOCAL_EXPERTS),
    "helium": llama_like(hf.HeliumConfig, head_dim=8),
    "jetmoe": llama_like(hf.JetMoeConfig, LOCAL_EXPERTS, num_key_value_heads=2, kv_channels=16),
    "llama4 (chunks)": llama_like(
        hf.Llama4TextConfig,
        HEADS,
        intermediate_size_mlp=64,
        num_local_experts=4,
        moe_layers=[1],
        attention_chunk_size=WINDOW,
        layer_types=["chunked_attention", "full_attention", "chunked_attention"],
        no_rope_layers=[1, 0, 1],
        attn_temperature_tuning=False,
    ),
    "ministral (window)": llama_like(hf.MinistralConfig, HEADS, MIXED),
    "mistral (window)": llama_like(hf.MistralConfig, sliding_window=WINDOW),
    "mixtral (window)": llama_like(hf.MixtralConfig, LOCAL_EXPERTS, sliding_window=WINDOW),
    "modernbert-decoder (window)": partial(
        hf.ModernBertDecoderConfig,
        **{**SMALL, "num_key_value_heads": None, "pad_token_id": 2},
        local_attention=2 * WINDOW,
        layer_types=MIXED["layer_types"],
    ),
    "nemotron": llama_like(hf.NemotronConfig),
    "olmo": llama_like(hf.OlmoConfig),
    "olmo2": llama_like(hf.Olmo2Config),
    "olmo3 (window)": llama_like(hf.Olmo3Config, MIXED),
    "olmoe": llama_like(hf.OlmoeConfig, EXPERTS),
    "opt": partial(
        hf.OPTConfig,
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        ffn_dim=64,
        word_embed_proj_dim=16,
        max_position_embeddings=256,
    ),
    "persimmon": llama_like(hf.PersimmonConfig),
    "phi": llama_like(hf.PhiConfig),
    "phi3": llama_like(hf.Phi3Config),
    "phi3 (window)": llama_like(hf.Phi3Config, sliding_window=WINDOW),
    "phimoe": llama_like(hf.PhimoeConfig, LOCAL_EXPERTS),
    "qwen2": llama_like(hf.Qwen2Config),
    "qwen2 (window)": llama_like(hf.Qwen2Config, MIXED, use_sliding_window=True),
    "qwen2-moe": llama_like(hf.Qwen2MoeConfig, EXPERTS, shared_expert_intermediate_size=16),
    "qwen3": llama_like(hf.Qwen3Config, HEADS),
    "qwen3-moe": llama_like(hf.Qwen3MoeConfig, HEADS, EXPERTS),
    "seed-oss": llama_like(hf.SeedOssConfig, HEADS),
    "smollm3 (no rope in a layer)": llama_like(hf.SmolLM3Config, no_rope_layers=[1, 0, 1]),
    "starcoder2 (window)": llama_like(hf.Starcoder2Config, sliding_window=WINDOW),
}
# Keys and values are kept, but forwards are transformers' own, on a cache per group of equally long rows.
STOCK: dict[str, partial[Any]] = {
    "bart (decoder)": partial(hf.BartConfig, **DECODER),
    "bloom (alibi)": partial(hf.BloomConfig, hidden_size=32, n_layer=3, n_head=4),
    "codegen": partial(hf.CodeGenConfig, n_embd=32, n_layer=3, n_head=4, rotary_dim=4, n_positions=256),
    "doge": llama_like(hf.DogeConfig, num_experts=4, num_experts_per_tok=2),
    "falcon": partial(hf.FalconConfig, hidden_size=32, num_hidden_layers=3, num_attention_heads=4),
    "falcon (alibi)": partial(hf.FalconConfig, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, alibi=True),
    "gpt-j": partial(hf.GPTJConfig, n_embd=32, n_layer=3, n_head=4, rotary_dim=4, n_positions=256),
    "gpt-neo (window)": partial(
        hf.GPTNeoConfig,
        hidden_size=32,
        num_layers=3,
        num_heads=4,
        intermediate_size=64,
        max_position_embeddings=256,
        attention_types=[[["global", "local", "global"], 1]],
        window_size=WINDOW,
    ),
    "llama4 (queries scaled by position)": partial(
        HOOK["llama4 (chunks)"], attn_temperature_tuning=True, floor_scale=4, attn_scale=0.5
    ),
    "llama4 (queries scaled by position, far beyond any probe)": partial(
        HOOK["llama4 (chunks)"], attn_temperature_tuning=True, floor_scale=8192
    ),
    "megatron-bert (decoder)": partial(hf.MegatronBertConfig, **BERT),
    "mpt (alibi)": partial(hf.MptConfig, d_model=32, n_heads=4, n_layers=3, max_seq_len=256),
    "rembert (decoder)": partial(hf.RemBertConfig, **BERT, input_embedding_size=16, output_embedding_size=16),
    "roformer (decoder)": partial(hf.RoFormerConfig, **BERT, embedding_size=32),
    "stablelm": llama_like(hf.StableLmConfig),
    "xglm": partial(
        hf.XGLMConfig, d_model=32, num_layers=3, attention_heads=4, ffn_dim=64, max_position_embeddings=256
    ),
}
# No keys and values, or none that hold for a longer row.
RECOMPUTE: dict[str, partial[Any]] = {
    "gpt-1 (no cache)": partial(hf.OpenAIGPTConfig, n_embd=32, n_layer=3, n_head=4, n_positions=256),
    "jamba": llama_like(
        hf.JambaConfig,
        attn_layer_period=2,
        attn_layer_offset=1,
        expert_layer_period=2,
        expert_layer_offset=1,
        num_experts=4,
        mamba_d_state=8,
        mamba_dt_rank=4,
        use_mamba_kernels=False,
    ),
    "lfm2 (convolutions)": llama_like(hf.Lfm2Config, layer_types=["conv", "full_attention", "conv"]),
    "mamba": partial(hf.MambaConfig, hidden_size=32, num_hidden_layers=3, state_size=8),
    "mamba2": partial(
        hf.Mamba2Config, hidden_size=32, num_hidden_layers=3, state_size=8, num_heads=4, head_dim=16, n_groups=1
    ),
    "minimax (lightning attention)": llama_like(hf.MiniMaxConfig, HEADS, LINEAR, LOCAL_EXPERTS, block_size=4),
    "phi3 (longrope)": llama_like(hf.Phi3Config, LONG_ROPE),
    "phi3 (longrope from the fifth token on)": llama_like(hf.Phi3Config, LONG_ROPE, original_max_position_embeddings=4),
    "qwen3-next": llama_like(
        hf.Qwen3NextConfig, HEADS, LINEAR, LINEAR_HEADS, EXPERTS, shared_expert_intermediate_size=16
    ),
    "recurrent-gemma": llama_like(
        hf.RecurrentGemmaConfig,
        head_dim=8,
        lru_width=32,
        attention_window_size=WINDOW,
        block_types=("recurrent", "recurrent", "attention"),
    ),
    "roberta (positions skip the padding token)": partial(hf.RobertaConfig, **{**BERT, "pad_token_id": 1}),
    "rwkv": partial(hf.RwkvConfig, hidden_size=32, num_hidden_layers=3, attention_hidden_size=32, context_length=256),
}
# No row has logits of its own: they depend on what follows, or (dynamic rope) on the lengths of earlier forwards.
REFUSED: dict[str, partial[Any]] = {
    "bert (encoder)": partial(hf.BertConfig, **{**BERT, "is_decoder": False}),
    "gemma (both directions)": llama_like(hf.GemmaConfig, HEADS, use_bidirectional_attention=True),
    "falcon (dynamic rope)": partial(
        STOCK["falcon"], **rope("dynamic", factor=4.0), max_position_embeddings=BEYOND_PROBES
    ),
    "llama (dynamic rope)": llama_like(
        hf.LlamaConfig, rope("dynamic", factor=4.0), max_position_embeddings=BEYOND_PROBES
    ),
    "xlnet": partial(hf.XLNetConfig, d_model=32, n_layer=3, n_head=4, d_inner=64),
}
# Their frequencies change with the length of a forward: of a row's logits only the last belong to that row.
BY_LENGTH = {"phi3 (longrope)", "phi3 (longrope from the fifth token on)"}
TIERS = {
    **dict.fromkeys(HOOK, "hook"),
    **dict.fromkeys(STOCK, "stock"),
    **dict.fromkeys(RECOMPUTE, "recompute"),
}
CONFIGS = {**HOOK, **STOCK, **RECOMPUTE, **REFUSED}
SHORT = ("sliding_window", "attention_chunk_size", "window_size", "local_attention", "attention_window_size")


def random_hf(name: str, tied: bool = False, **options: Any) -> Any:
    """A model with random weights, large enough for attention to matter and for one token to be the likeliest."""
    torch.manual_seed(0)
    tokens = {"vocab_size": len(shipped_model().tokenizer), "bos_token_id": 0, "eos_token_id": 1}
    model = AutoModelForCausalLM.from_config(CONFIGS[name](tie_word_embeddings=tied, **{**tokens, **options}))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(3)
            else:
                parameter.add_(torch.randn_like(parameter), alpha=0.05)
        model.get_output_embeddings().weight.mul_(10)
    return model.eval()


def random_model(name: str, **options: Any) -> oc.Model:
    return oc.Model(random_hf(name, **options), shipped_model().tokenizer)


def plain_logits(model: Any, ids: tuple[int, ...]) -> torch.Tensor:
    """Logits `[T, V]` of a forward of transformers that knows nothing of us."""
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]


def apart(answer: torch.Tensor, plain: torch.Tensor) -> float:
    """The largest difference, as a part of the largest logit."""
    return float((answer - plain).abs().max() / plain.abs().max())


def tolerance(model: oc.Model) -> float:
    """How far its logits may be from those of another pass, as a part of the largest."""
    return TOLERANCE * AMPLIFIED.get(model.hf.config.model_type, 1)


def assert_rows_agree(model: oc.Model, state: oc.SequenceState, only_last: bool = False) -> None:
    """The logits after every token of every row, whatever the tree holds of it, are those of a fresh forward."""
    model.tree.forget_logits()
    rows = list({row.ids: row for group in state.rows for row in group if len(row)}.values())
    needs = [Need(row.ids, tuple(range(len(row) - 1 if only_last else 0, len(row))), row.claim) for row in rows]
    answers = model.logits(needs).split([len(need.wanted) for need in needs])
    for row, answer in zip(rows, answers, strict=True):
        assert apart(answer, plain_logits(model.hf, row.ids)[-len(answer) :]) <= tolerance(model)


def greedy_by_hand(model: oc.Model, ids: tuple[int, ...], count: int) -> tuple[int, ...]:
    """A loop of full forwards, up to the end of the text or to where two candidates are equally likely."""
    text = torch.zeros(len(model.vocabulary), dtype=torch.bool)
    text[model.vocabulary.text_ids.tolist()] = True
    for _ in range(count):
        logits = plain_logits(model.hf, ids)[-1]
        stop = logits[~text].logsumexp(-1)
        candidates = torch.cat([logits.masked_fill(~text, float("-inf")), stop[None]])
        best, second = candidates.topk(2).values.tolist()
        token = int(candidates.argmax())
        if best - second <= 2 * tolerance(model) * logits.abs().max() or token == len(text):
            break
        ids = (*ids, token)
    return ids


def program(model: oc.Model) -> list[oc.SequenceState]:
    """States that were forked, cropped, branched, appended to and joined."""
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
    prompts = [model.state(text).rows[0][0].ids for text in ("Once upon a time, there was", "12 + 7")]
    prompts[1] = (*prompts[1][:3], 1, 0, *prompts[1][3:])  # special tokens are tokens, the padding token too
    state = step(model.state([list(ids) for ids in prompts]), max_tokens=12, seed=1)
    cropped = state[:, [2, 0, 2], :-5]
    joined = cropped[:, :, 3:] + state[:, :, :4] + " and then"
    return [state, cropped, joined, oc.cat([cropped, state[:, :1, :6]], 1), cropped + [" x", " yz"]]


@some_of("name", TIERS, every=2)
def test_fork_crop_branch_append_and_join_are_exact(name: str) -> None:
    """Laws 2 and 3: every row has the logits of a fresh forward, and goes on as a loop of full forwards does."""
    model = random_model(name)
    assert model.tier.name == TIERS[name], model
    states = program(model)
    for state in states:
        assert_rows_agree(model, state, only_last=name in BY_LENGTH)
    branched = states[-1]
    model.tree.forget_logits()
    greedy = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(branched, max_tokens=8)
    pairs = {
        before.ids: after.ids
        for groups in zip(branched.rows, greedy.rows, strict=True)
        for before, after in zip(*groups, strict=True)
    }
    compared = 0
    for before, after in pairs.items():
        expected = greedy_by_hand(model, before, 8)
        assert after[: len(expected)] == expected
        compared += len(expected) - len(before)
    assert compared >= 8, "too few tokens were clear to say anything"


@pytest.mark.parametrize("name", TIERS)
def test_a_model_says_what_it_keeps(name: str) -> None:
    """Keys and values of every token, or none, and then `repr` says that rows are recomputed."""
    model = random_model(name)
    state = oc.continuous(oc.generate.text(model))("Once upon", max_tokens=3, seed=0)[:, :, :-1]
    if TIERS[name] == "recompute":
        assert not state.kv.lengths.any() and not model.stats.kv_bytes
        assert "recompute" in repr(model)
    else:
        assert (state.kv.lengths == state.lengths).all() and model.stats.kv_bytes


@pytest.mark.parametrize("name", REFUSED)
def test_a_model_that_no_tier_serves_exactly_is_refused_by_name(name: str) -> None:
    hf_model = random_hf(name)
    with pytest.raises((TypeError, ValueError), match=type(hf_model).__name__):
        oc.Model(hf_model, shipped_model().tokenizer)


# --- the comparison has power


@pytest.mark.parametrize("name", TIERS)
def test_the_order_of_tokens_matters(name: str) -> None:
    """Two early tokens change places: where attention or a state is lost or misplaced, logits must differ by far."""
    model = random_hf(name)
    ids = shipped_model().state("Once upon a time, there was").rows[0][0].ids
    swapped = (ids[0], ids[2], ids[1], *ids[3:])
    assert apart(plain_logits(model, swapped)[4], plain_logits(model, ids)[4]) > 5 * TOLERANCE


@pytest.mark.parametrize("name", [name for name in TIERS if set(SHORT) & CONFIGS[name].keywords.keys()])
def test_windows_are_shorter_than_the_text(name: str) -> None:
    """The same weights with a wide window give other logits."""
    wide = {option: NO_WINDOW for option in SHORT if option in CONFIGS[name].keywords}
    ids = shipped_model().state("Once upon a time, there was a little girl").rows[0][0].ids
    narrow_logits, wide_logits = (plain_logits(model, ids) for model in (random_hf(name), random_hf(name, **wide)))
    assert apart(narrow_logits, wide_logits) > 10 * TOLERANCE


def misplaced(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A forward that takes tokens of a tree for a text, or finds its older keys one place off."""
    if (positions := kwargs.get("position_ids")) is not None:
        kwargs["position_ids"] = torch.arange(positions.shape[-1])[None]
    for layer in getattr(kwargs.get("past_key_values"), "layers", []):
        if layer.keys is not None:
            layer.keys = layer.keys.roll(1, dims=-2)
    return args, kwargs


@pytest.mark.parametrize("name", ["llama", "gpt2 (learned positions)", "mistral (window)", "gpt-j", "mpt (alibi)"])
def test_wrong_positions_would_be_noticed(name: str) -> None:
    model = random_model(name)
    plain = model.hf.forward

    @wraps(plain)
    def forward(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = misplaced(args, kwargs)
        return plain(*args, **kwargs)

    model.hf.forward = forward
    with pytest.raises(AssertionError):
        for state in program(model):
            assert_rows_agree(model, state)
