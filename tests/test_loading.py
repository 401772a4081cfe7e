"""`oc.load` of GGUF files: what goes to llama.cpp, what to transformers, and options that are for the other one."""

from __future__ import annotations

import inspect
import shutil
import warnings
from pathlib import Path
from typing import Any

import gguf_files
import made_tokenizers as made
import pytest

import outlines_cont as oc
from outlines_cont.fsm import tokenizer_bytes, vocabulary
from outlines_cont.hints import GGUF_ARGUMENTS
from outlines_cont.llama_cpp.engine import LlamaCppEngine

GREEDY = oc.samplers.greedy()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return gguf_files.shipped(tmp_path_factory.mktemp("gguf"))


@pytest.fixture(scope="module")
def model(path: Path) -> oc.Model:
    return oc.load(path, n_ctx=1024, n_threads=1)


def test_a_gguf_file_is_a_model_like_any_other(model: oc.Model, path: Path) -> None:
    other = oc.load()
    assert isinstance(model.engine, LlamaCppEngine)
    assert model.vocabulary == other.vocabulary and model.context_length == 1024
    assert model.identity == oc.load(path, n_ctx=256).identity != other.identity
    question = [{"role": "user", "content": "What is the capital of France?"}]
    texts = []
    for given in (model, other):
        state = oc.continuous(oc.generate.text(given, GREEDY))(given.chat(question))
        again = oc.continuous(oc.generate.text(given, GREEDY))(state.turn("user", "And of Spain?"))
        texts.append((str(state), str(again)))
    assert texts[0] == texts[1] and texts[0][0] == "What is the capital of France?Paris"
    assert state.to(model).rescore().weights.item() == pytest.approx(state.weights.item(), abs=1e-3)
    assert model("Mira is 34 years old.\nQ: How old is Mira?\nA: ", int, GREEDY) == 34


def test_what_begins_like_a_gguf_file_is_one(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    shutil.copyfile(path, tmp_path / "weights.bin")
    assert isinstance(oc.load("~/weights.bin", n_ctx=256).engine, LlamaCppEngine)
    (tmp_path / "MODEL.GGUF").write_text("Not found")
    with pytest.raises(oc.errors.ModelFileError, match="it is no GGUF file: it begins with b'Not '"):
        oc.load(tmp_path / "MODEL.GGUF")
    with pytest.raises(FileNotFoundError, match=r"load\('no/such.gguf'\): there is no such file"):
        oc.load("no/such.gguf")


def test_a_folder_of_gguf_files_tells_which_to_load(path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"no config.json for transformers; .* oc.load\('.*/shipped-f32.gguf'\)"
    ):
        oc.load(path.parent)


def test_the_budget_and_the_options_are_the_engines(path: Path) -> None:
    model = oc.load(str(path), kv_budget=4096, n_ctx=512, n_batch=64, flash_attention=True)
    assert model.kv_budget == 4096 and model.context_length == 512
    with pytest.raises(ValueError, match="n_ctx=0: it must be an int from"):
        oc.load(path, n_ctx=0)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"device_map": "auto"},
            r"device_map='auto'\): a GGUF file is loaded with no such option: write n_gpu_layers=…",
        ),
        ({"dtype": "float16"}, "no such option: the file says how its parameters are stored; its options are n_ctx, "),
        ({"flash_attn": True}, "write flash_attention=True"),
        ({"verbose": False}, "llama.cpp prints nothing here"),
        ({"colour": 1}, "no such option; its options are n_ctx, n_batch, .*, tokenizer, eos"),
    ],
)
def test_options_of_others_are_refused_by_name(options: dict[str, Any], expected: str, path: Path) -> None:
    with pytest.raises(TypeError, match=expected):
        oc.load(path, **options)


def test_hints_name_options_that_there_are() -> None:
    options = {*inspect.signature(LlamaCppEngine).parameters, "tokenizer", "eos"}
    assert options.isdisjoint(GGUF_ARGUMENTS)
    for text in GGUF_ARGUMENTS.values():
        if text.startswith("write "):
            named = {part.split("=")[0].split()[-1] for part in text.removeprefix("write ").split(",") if "=" in part}
            assert named and named <= options, text


@pytest.mark.parametrize("options", [{"n_ctx": 512}, {"n_gpu_layers": 1}, {"type_k": "f16"}, {"eos": [1]}])
def test_options_of_llama_cpp_are_not_for_transformers(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"this option is for llama.cpp, which computes GGUF files"):
        oc.load(**options)


def test_the_ids_that_end_a_text_can_be_given(path: Path) -> None:
    model = oc.load(path, n_ctx=256, eos=[1, 2])
    assert model.vocabulary.eos == (1, 2)
    assert oc.load(path, n_ctx=256, eos=3).vocabulary.eos == (1, 3)  # the tokenizer's own is always one
    with pytest.raises(ValueError, match=r"eos=\[1536\]\): the model has 1536 tokens, and none of the id 1536"):
        oc.load(path, eos=[1536])
    with pytest.raises(TypeError, match=r"eos='</s>'\): it must be a list of token ids"):
        oc.load(path, eos="</s>")


def test_a_vocabulary_is_read_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever ids end a text besides the tokenizer's own: with 262,144 tokens it takes half a second."""
    read: list[object] = []

    def tokens_of(tokenizer: object, *arguments: Any) -> Any:
        read.append(tokenizer)
        return tokenizer_bytes.tokens_of(tokenizer, *arguments)

    monkeypatch.setattr(vocabulary, "tokens_of", tokens_of)
    for eos in (None, 1, [1, 2], [2]):
        model = oc.load(path, n_ctx=256, eos=eos)
        assert read == [model.tokenizer], eos
        read.clear()
    assert [oc.load().tokenizer] == read


def test_turns_that_end_in_another_token_are_warned_of(tmp_path: Path) -> None:
    """The file names `</s>` as its eos, and its chat template ends turns with `<|im_end|>`."""
    tokenizer = made.byte_level()
    hf = gguf_files.random_model("qwen3", len(tokenizer))
    path = gguf_files.write_gguf(tmp_path / "chat.gguf", hf, tokenizer, tokenizer_json=False)
    end = tokenizer.convert_tokens_to_ids("<|im_end|>")
    eos = [tokenizer.eos_token_id, end]
    with pytest.warns(
        UserWarning, match=rf"the chat template has '<\|im_end\|>' \({end}\), .* load it with eos=.*{end}"
    ):
        oc.load(path, n_ctx=256)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = oc.load(path, n_ctx=256, eos=eos)
    assert sorted(model.vocabulary.eos) == sorted(eos)


def test_a_tokenizer_may_be_given(path: Path, tmp_path: Path) -> None:
    """For kinds of vocabularies that are not read here; it must have the file's tokens."""
    tokenizer = oc.load().tokenizer
    plain = gguf_files.write_gguf(tmp_path / "plain.gguf", oc.load().hf, tokenizer, pre="no-such", tokenizer_json=False)
    with pytest.raises(oc.errors.ModelFileError, match=r"cut into words by 'no-such' .* oc.load\(path, tokenizer="):
        oc.load(plain)
    with pytest.raises(oc.errors.ModelFileError, match="the tokenizer is not that of the model: its token 0 is "):
        oc.load(path, tokenizer=made.byte_level())
    given = oc.load(path, n_ctx=256, tokenizer=tokenizer)
    assert given.tokenizer is tokenizer and given.vocabulary == oc.load().vocabulary


@pytest.mark.parametrize("file_type", gguf_files.FILE_TYPES)
def test_logits_are_those_of_the_parameters_in_the_file(file_type: str, tmp_path: Path) -> None:
    model = oc.load()
    reference = oc.Model(gguf_files.as_written(model.hf, file_type), model.tokenizer)
    loaded = oc.load(gguf_files.write_gguf(tmp_path / "m.gguf", model.hf, model.tokenizer, file_type), n_ctx=256)
    assert loaded.engine.file.file_type == file_type.upper()
    text = "Mira is a painter from Porto. She is 34 years old."
    scores = [oc.score(each.state(""), [text]) for each in (loaded, reference)]
    tolerance = {"f32": 1e-4, "f16": 1e-2, "bf16": 0.2}.get(file_type, 1.0)  # llama.cpp rounds activations, too
    assert scores[0].item() == pytest.approx(scores[1].item(), abs=tolerance)


@pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3", "gemma2", "gemma3", "mamba"])
def test_architectures_give_the_logits_of_transformers(architecture: str, tmp_path: Path) -> None:
    tokenizer = made.byte_level()
    hf = gguf_files.random_model(architecture, len(tokenizer))
    path = gguf_files.write_gguf(tmp_path / "m.gguf", hf, tokenizer, tokenizer_json=False)
    loaded, reference = oc.load(path, n_ctx=256, eos=[tokenizer.eos_token_id]), oc.Model(hf, tokenizer)
    text = "The capital of France is Paris, and the capital of Spain is Madrid."
    scores = [oc.score(each.state("def"), [text, " add"]) for each in (loaded, reference)]
    # llama.cpp looks up Gemma's GELU in a table of half floats
    assert scores[0].flatten().tolist() == pytest.approx(
        scores[1].flatten().tolist(), abs=0.05 if "gemma" in architecture else 1e-3
    )
