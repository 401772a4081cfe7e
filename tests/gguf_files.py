"""GGUF files for the tests, written into a folder of theirs: transformers models as files that llama.cpp reads.

`write_gguf(path, hf, tokenizer)` writes a model with its vocabulary and chat template; `as_written(hf, "q8_0")` is that
model with the parameters that such a file holds, so that logits can be compared. `random_model("gemma3")` is a small
one of another architecture. Nothing of it is committed.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import gguf
import made_tokenizers as made
import numpy as np
import torch
from gguf import GGMLQuantizationType, GGUFWriter, LlamaFileType, TokenType
from numpy.typing import NDArray

import outlines_cont as oc

#: The types of parameters that a file can be written with. Vectors stay float32, as llama.cpp's own converter does.
FILE_TYPES = {
    "f32": (LlamaFileType.ALL_F32, GGMLQuantizationType.F32),
    "f16": (LlamaFileType.MOSTLY_F16, GGMLQuantizationType.F16),
    "bf16": (LlamaFileType.MOSTLY_BF16, GGMLQuantizationType.BF16),
    "q8_0": (LlamaFileType.MOSTLY_Q8_0, GGMLQuantizationType.Q8_0),
    "q5_0": (LlamaFileType.MOSTLY_Q5_0, GGMLQuantizationType.Q5_0),
    "q4_0": (LlamaFileType.MOSTLY_Q4_0, GGMLQuantizationType.Q4_0),
}

#: What a file calls an architecture, by the name that transformers gives it.
ARCHITECTURES = {"gemma3_text": "gemma3"}

Array = NDArray[np.float32]


def write_gguf(
    path: Path,
    hf: Any,
    tokenizer: Any,
    file_type: str = "f32",
    pre: str = "gpt-2",
    tokenizer_json: bool = True,
    settings: Callable[[GGUFWriter], None] | None = None,
) -> Path:
    """A transformers model and its tokenizer → a GGUF file at `path`.

    Args:
        path: where to write it.
        hf: a model of an architecture that `random_model` names, or the one that ships.
        tokenizer: its transformers tokenizer, byte-level BPE or SentencePiece BPE.
        file_type: one of FILE_TYPES.
        pre: the name of its pre-tokenizer, for byte-level BPE.
        tokenizer_json: whether the file also holds the whole tokenizer as JSON (`tokenizer.huggingface.json`). The
            tokenizer that ships needs it: no name stands for its pre-tokenizer.
        settings: adds keys to the file.
    """
    config = hf.config
    kind = ARCHITECTURES.get(config.model_type, config.model_type)
    writer = GGUFWriter(path, kind)
    writer.add_name(kind)
    writer.add_file_type(FILE_TYPES[file_type][0])
    writer.add_quantization_version(2)
    _add_settings(writer, config)
    add_vocabulary(writer, tokenizer, config.vocab_size, pre, tokenizer_json)
    if settings is not None:
        settings(writer)
    for name, array in _tensors(hf):
        kind_of_tensor = _type_of(array, file_type)
        writer.add_tensor(name, gguf.quants.quantize(array, kind_of_tensor), raw_dtype=kind_of_tensor)
    return written(writer)


def write_vocabulary(
    path: Path,
    tokenizer: Any,
    pre: str = "gpt-2",
    tokenizer_json: bool = False,
    size: int | None = None,
    settings: Callable[[GGUFWriter], None] | None = None,
) -> Path:
    """A GGUF file that has a vocabulary and no parameters: what llama.cpp reads with `vocab_only`.

    size: how many tokens it has, where these are more than the tokenizer's.
    """
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(2048)
    add_vocabulary(writer, tokenizer, size or max(tokenizer.get_vocab().values()) + 1, pre, tokenizer_json)
    if settings is not None:
        settings(writer)
    return written(writer)


def written(writer: GGUFWriter) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    assert writer.path is not None
    return writer.path


def as_written(hf: Any, file_type: str) -> Any:
    """The model with the parameters that a file of this type holds, in float32."""
    copied = copy.deepcopy(hf).float()
    with torch.no_grad():
        for parameter in copied.parameters():
            array = parameter.numpy()
            kind = _type_of(array, file_type)
            read = gguf.quants.dequantize(gguf.quants.quantize(array, kind), kind)
            parameter.copy_(torch.from_numpy(read.copy()).view_as(parameter))
    return copied


def _type_of(array: Array, file_type: str) -> GGMLQuantizationType:
    """How a file of this type stores a tensor: matrices as told, where their rows are of whole blocks."""
    kind = FILE_TYPES[file_type][1]
    return kind if array.ndim == 2 and array.shape[-1] % 32 == 0 else GGMLQuantizationType.F32


# --- the architectures


def _add_settings(writer: GGUFWriter, config: Any) -> None:
    """The hyperparameters that llama.cpp asks of an architecture."""
    writer.add_block_count(config.num_hidden_layers)
    writer.add_embedding_length(config.hidden_size)
    writer.add_vocab_size(config.vocab_size)
    if config.model_type == "mamba":
        writer.add_context_length(2**20)  # it has no bound of its own
        writer.add_feed_forward_length(0)
        writer.add_head_count(0)
        writer.add_ssm_conv_kernel(config.conv_kernel)
        writer.add_ssm_inner_size(config.intermediate_size)
        writer.add_ssm_state_size(config.state_size)
        writer.add_ssm_time_step_rank(config.time_step_rank)
        writer.add_layer_norm_rms_eps(config.layer_norm_epsilon)
        return
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    writer.add_context_length(config.max_position_embeddings)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    rope = config.rope_parameters
    if config.model_type.startswith("gemma"):
        writer.add_sliding_window(config.sliding_window)
    if config.model_type == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
    if "full_attention" in rope:  # gemma 3 has one for each kind of layer
        rope = rope["full_attention"]
    else:
        writer.add_rope_dimension_count(head)
    writer.add_rope_freq_base(rope["rope_theta"])


def _tensors(hf: Any) -> list[tuple[str, Array]]:
    """The parameters of a model under the names, and in the order of numbers, that llama.cpp wants."""
    config = hf.config
    kind = ARCHITECTURES.get(config.model_type, config.model_type)
    architecture = next(number for number, name in gguf.MODEL_ARCH_NAMES.items() if name == kind)
    names = gguf.get_tensor_name_map(architecture, config.num_hidden_layers)
    tensors = []
    for name, parameter in hf.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        array = parameter.float().numpy()
        base = name.removesuffix(".weight").removesuffix(".bias")
        written = names.get_name(base, try_suffixes=("",))
        assert written is not None, f"{kind} has no tensor {name}"
        array, suffix = _reordered(name, array, config), name[len(base) :]
        tensors.append((written + suffix, array.astype(np.float32).copy()))
    return tensors


def _reordered(name: str, array: Array, config: Any) -> Array:
    """A parameter as llama.cpp has it."""
    kind = config.model_type
    if kind == "llama" and ("q_proj" in name or "k_proj" in name):
        heads = config.num_attention_heads if "q_proj" in name else config.num_key_value_heads
        halves = array.reshape(heads, 2, array.shape[0] // heads // 2, *array.shape[1:])
        return halves.swapaxes(1, 2).reshape(array.shape)  # pairs lie beside each other, not in two halves
    if kind.startswith("gemma") and name.endswith("norm.weight"):
        return array + 1  # transformers adds it when it computes
    if name.endswith("conv1d.weight"):
        return array.squeeze(1)
    return -np.exp(array) if name.endswith("A_log") else array


def random_model(architecture: str, vocab_size: int, seed: int = 0) -> Any:
    """A small transformers model with random parameters: "llama", "qwen2", "qwen3", "gemma2", "gemma3", "mamba"."""
    import transformers

    shape: dict[str, Any] = {"vocab_size": vocab_size, "hidden_size": 64, "num_hidden_layers": 2}
    attention = {
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "intermediate_size": 96,
        "max_position_embeddings": 512,
        "initializer_range": 0.2,  # so that the tokens before a position matter
    }
    windows = {"sliding_window": 8, "query_pre_attn_scalar": 16}
    configs: dict[str, Callable[[], Any]] = {
        "llama": lambda: transformers.LlamaConfig(**shape, **attention),
        "qwen2": lambda: transformers.Qwen2Config(**{**shape, **attention}),
        "qwen3": lambda: transformers.Qwen3Config(**shape, **attention),
        "gemma2": lambda: transformers.Gemma2Config(**shape, **attention, **windows),
        # llama.cpp's sixth layer of six sees everything
        "gemma3": lambda: transformers.Gemma3TextConfig(**{**shape, "num_hidden_layers": 6}, **attention, **windows),
        "mamba": lambda: transformers.MambaConfig(
            **shape, state_size=8, conv_kernel=4, expand=2, time_step_rank=4, initializer_range=0.2
        ),
    }
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        hf = transformers.AutoModelForCausalLM.from_config(configs[architecture](), dtype=torch.float32)
        with torch.no_grad():
            for name, parameter in hf.named_parameters():
                if parameter.ndim == 1 and name.endswith("norm.weight"):
                    parameter.add_(0.1 * torch.randn_like(parameter))  # norms that do something
    return hf.eval()


@cache
def shipped(folder: Path, file_type: str = "f32", tokenizer_json: bool = True) -> Path:
    """The model that ships, as a file in `folder`."""
    model = oc.load()
    name = f"shipped-{file_type}{'' if tokenizer_json else '-plain'}.gguf"
    return write_gguf(folder / name, model.hf, model.tokenizer, file_type, tokenizer_json=tokenizer_json)


# --- vocabularies


def add_vocabulary(
    writer: GGUFWriter, tokenizer: Any, size: int, pre: str = "gpt-2", tokenizer_json: bool = False
) -> None:
    """The keys of `tokenizer.ggml`, as llama.cpp's converter writes them for such a tokenizer."""
    fast = tokenizer.backend_tokenizer
    whole = json.loads(fast.to_str())
    added = fast.get_added_tokens_decoder()
    special = {i for i, token in added.items() if token.special} | set(tokenizer.all_special_ids)
    names: list[str | bytes] = [f"[PAD{i}]" for i in range(size)]
    types = [TokenType.UNUSED] * size
    spaces = whole["model"].get("byte_fallback", False)  # SentencePiece
    for name, i in fast.get_vocab(with_added_tokens=True).items():
        if i in added:
            types[i] = TokenType.CONTROL if i in special else TokenType.USER_DEFINED
            names[i] = name if i in special else name.replace("▁", " ")
        else:
            is_byte = spaces and len(name) == 6 and name.startswith("<0x")
            types[i], names[i] = TokenType.BYTE if is_byte else TokenType.NORMAL, name
    if spaces and whole["model"]["unk_token"] is not None:
        types[fast.token_to_id(whole["model"]["unk_token"])] = TokenType.UNKNOWN
    writer.add_tokenizer_model("llama" if spaces else "gpt2")
    writer.add_token_list(names)
    writer.add_token_types(types)
    if spaces:
        writer.add_token_scores(_scores(whole["model"], size))
        writer.add_add_space_prefix(_dummy(fast))
    else:
        writer.add_tokenizer_pre(pre)
        pairs = [pair if isinstance(pair, list) else pair.split(" ", 1) for pair in whole["model"]["merges"]]
        pairs = pairs or made.ranked_merges(fast.get_vocab(with_added_tokens=False))[:1]  # an empty list is not written
        writer.add_token_merges([f"{left} {right}" for left, right in pairs])
    _add_special(writer, tokenizer)
    if tokenizer_json:
        writer.add_string(gguf.Keys.Tokenizer.HF_JSON, fast.to_str())


def _scores(model: dict[str, Any], size: int) -> list[float]:
    """Scores that merge as the list of merges does: what SentencePiece's own file has."""
    scores = [0.0] * size
    for rank, (left, right) in enumerate(model["merges"]):
        i = model["vocab"][left + right]
        scores[i] = scores[i] or -1.0 - rank
    return scores


def _dummy(fast: Any) -> bool:
    """Whether a tokenizer writes a space before a text."""
    return fast.encode("a", add_special_tokens=False).tokens[0].startswith("▁")


def _add_special(writer: GGUFWriter, tokenizer: Any) -> None:
    ids = tokenizer("x").input_ids
    writer.add_add_bos_token(ids[0] == tokenizer.bos_token_id)
    if tokenizer.bos_token_id is not None:
        writer.add_bos_token_id(tokenizer.bos_token_id)
    if tokenizer.eos_token_id is not None:
        writer.add_eos_token_id(tokenizer.eos_token_id)
        writer.add_add_eos_token(ids[-1] == tokenizer.eos_token_id)
    if tokenizer.unk_token_id is not None:
        writer.add_unk_token_id(tokenizer.unk_token_id)
    if tokenizer.pad_token_id is not None:
        writer.add_pad_token_id(tokenizer.pad_token_id)
    if tokenizer.chat_template:
        writer.add_chat_template(tokenizer.chat_template)
