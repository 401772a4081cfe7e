"""Tokenizers that are made of GGUF files: their ids are llama.cpp's, and their vocabularies those of transformers."""

from __future__ import annotations

import ctypes
import json
import os
import random
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import gguf_files
import made_tokenizers as made
import pytest
from gguf import GGUFWriter
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.llama_cpp.gguf_file import GGUFFile
from outlines_cont.llama_cpp.gguf_tokenizer import tokenizer_of
from outlines_cont.llama_cpp.gguf_vocabulary import PRE_TOKENIZERS, end_ids
from outlines_cont.llama_cpp.library import load_library

#: What texts are made of: whatever a pre-tokenizer may treat in a way of its own.
FRAGMENTS = (
    *("a", "b", "A", "B", "def", "Hello", " the", "s", "t", "'", "'s", "'LL", "'re", "x=", "K", "\u017f"),
    *(" ", "  ", "   ", "\n", "\r\n", "\n\n", "\t", "\u00a0", "\u3000", "\u0085", "\u2028", "\u200d", 7 * " "),
    *("1", "2", "12", "123", "4567", "½", "٣", "²", "Ⅷ"),
    *(".", ",", "!", "?", "(", "/", "-", "_", "$", "+", "<", "`", "|", "^", "~", "[", "]", "\\", '"', "#", "{", "@"),
    *("é", "É", "ß", "ǅ", "ʰ", "ª", "Ж", "ж", "e\u0301", "\u0301", "ع", "ि", "क", "日", "本", "語", "の", "カ", "글"),
    *("…", "。", "、", "—", "“", "€", "🦙", "😀", "<s>", "</s>", "<|im_end|>", "<tool>", "<0x0A>", "▁"),
)  # fmt: skip
#: `.ci/nightly gguf` compares more.
FULL = os.environ.get("OUTLINES_CONT_GGUF") == "full"
#: How many texts are compared for each name of a pre-tokenizer.
COMPARED = 1500 if FULL else 100
LARGE = [("tekken131k", "tekken"), ("qwen152k", "qwen2")]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=14).map("".join)


@cache
def texts(count: int) -> list[str]:
    drawn = random.Random(0)
    borders = ["it'sab I'ReX don'tt", "a          b\n\n\n\nc", "1234567 12345678"]
    return [*borders, *("".join(drawn.choices(FRAGMENTS, k=drawn.randint(1, 14))) for _ in range(count))]


@cache
def llama_cpp(path: Path) -> Callable[..., list[int]]:
    """llama.cpp's own tokenizer of a file: `ids(text, special)`; with `special`, a bos too and special tokens."""
    library = load_library()
    tokenize: Any = ctypes.CDLL(str(library.path)).llama_tokenize
    tokenize.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32]
    tokenize.argtypes += [ctypes.c_bool, ctypes.c_bool]
    params = library.llama_model_default_params()
    params.vocab_only = True
    model = library.llama_model_load_from_file(str(path).encode(), params)
    assert model, library.errors()
    vocabulary = library.llama_model_get_vocab(model)  # which lives as long as the tests run

    def ids(text: str, special: bool = False) -> list[int]:
        data = text.encode()
        room = (ctypes.c_int32 * (len(data) + 8))()
        count = tokenize(vocabulary, data, len(data), room, len(room), special, special)
        assert count >= 0
        return list(room)[:count]

    return ids


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


@cache
def built(path: Path) -> Any:
    return tokenizer_of(GGUFFile.read(path))


# --- the pre-tokenizers of byte-level BPE


@cache
def across_borders() -> PreTrainedTokenizerFast:
    """A vocabulary whose merges go across every border between words, so that each border shows in the tokens.

    Some tokens have no merge, so that it shows, too, whether whole words are looked up.
    """
    fast = Tokenizer(models.BPE())
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    fast.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=4000, initial_alphabet=alphabet, show_progress=False)
    fast.train_from_iterator([*texts(600) * 2, *texts(0) * 20], trainer)
    model = json.loads(fast.to_str())["model"]
    fast.model = models.BPE(model["vocab"], [tuple(pair) for n, pair in enumerate(model["merges"]) if n % 5])
    return PreTrainedTokenizerFast(tokenizer_object=fast)


def with_pre(folder: Path, name: str) -> Path:
    path = folder / f"{name}.gguf"
    return path if path.exists() else gguf_files.write_vocabulary(path, across_borders(), pre=name)


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
def test_every_pre_tokenizer_cuts_as_llama_cpp_does(name: str, folder: Path) -> None:
    path = with_pre(folder, name)
    tokenizer, ids = built(path).backend_tokenizer, llama_cpp(path)
    for text in texts(COMPARED):
        assert tokenizer.encode(text).ids == ids(text), text


@settings(max_examples=300)
@given(text=TEXTS, name=st.sampled_from(sorted(PRE_TOKENIZERS)))
def test_texts_are_cut_as_llama_cpp_cuts_them(text: str, name: str, folder: Path) -> None:
    path = with_pre(folder, name)
    assert built(path).backend_tokenizer.encode(text).ids == llama_cpp(path)(text)


def test_these_texts_tell_all_pre_tokenizers_apart(folder: Path) -> None:
    """Which the tests above take for granted."""
    names = {kind.patterns: name for name, kind in PRE_TOKENIZERS.items()}.values()
    ids = {name: [llama_cpp(with_pre(folder, name))(text) for text in texts(COMPARED)] for name in names}
    assert [(one, other) for one, other in combinations(ids, 2) if ids[one] == ids[other]] == []


@pytest.mark.parametrize("name", [*PRE_TOKENIZERS, None])
def test_a_bos_is_written_where_the_file_does_not_say_as_llama_cpp_does(name: str | None, tmp_path: Path) -> None:
    writer = GGUFWriter(tmp_path / "bos.gguf", "llama")
    writer.add_context_length(64)
    writer.add_tokenizer_model("gpt2" if name else "llama")
    if name:
        writer.add_tokenizer_pre(name)
    writer.add_token_list(["a", "b", "ab", "<0x0A>"])
    writer.add_token_merges(["a b"])
    writer.add_token_scores([-1.0, -2.0, 0.0, 0.0])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_bool("tokenizer.ggml.add_space_prefix", False)
    path = gguf_files.written(writer)
    assert built(path)("a").input_ids == llama_cpp(path)("a", special=True)


def test_a_pre_tokenizer_that_llama_cpp_does_not_know_is_not_known_here(folder: Path) -> None:
    with pytest.raises(
        oc.errors.ModelFileError, match=r"cut into words by 'no-such' \(tokenizer.ggml.pre\), which is not"
    ):
        built(with_pre(folder, "no-such"))


# --- special tokens, and spaces


def sentencepiece_like(folder: Path) -> dict[str, Any]:
    return {
        "byte-level": made.byte_level(),
        "byte-level with an eos": made.byte_level(bos=False, eos=True),
        "a space before": made.byte_fallback("prepend"),
        "no space before": made.byte_fallback("none"),
        "no bos": made.byte_fallback("prepend", bos=False),
    }


KINDS = ["byte-level", "byte-level with an eos", "a space before", "no space before", "no bos"]


@pytest.mark.parametrize("kind", KINDS)
def test_special_tokens_and_spaces_are_llama_cpps(kind: str, folder: Path) -> None:
    """A bos and an eos where the file says so; control tokens only where they are parsed, and defined ones anywhere."""
    path = gguf_files.write_vocabulary(folder / f"{kind}.gguf", sentencepiece_like(folder)[kind])
    tokenizer = built(path)
    ids = llama_cpp(path)
    for text in texts(400):
        assert tokenizer(text).input_ids == ids(text, special=True), text


@pytest.mark.parametrize("name", ["mistral_instruct_tokenizer_240323.model.v3", "tokenizer.model.v1"])
def test_real_sentencepiece_vocabularies_are_llama_cpps(name: str, tmp_path: Path) -> None:
    tokenizer = made.mistral_sentencepiece(name, tmp_path)
    path = gguf_files.write_vocabulary(tmp_path / "real.gguf", tokenizer)
    made_of_file = built(path)
    assert Vocabulary.of(made_of_file) == Vocabulary.of(tokenizer)
    ids = llama_cpp(path)
    for text in texts(400):
        assert made_of_file(text).input_ids == ids(text, special=True), text


def test_the_piece_of_the_best_score_is_merged_first(tmp_path: Path) -> None:
    """Whatever the order of the ids."""
    pieces = ["<unk>", "<s>", "</s>", "▁", "a", "b", "c", "ab", "bc", "▁a"]
    merges = [("b", "c"), ("▁", "a"), ("a", "b")]
    model = models.BPE({piece: i for i, piece in enumerate(pieces)}, merges, unk_token="<unk>", byte_fallback=True)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(model), unk_token="<unk>", bos_token="<s>")
    path = gguf_files.write_vocabulary(tmp_path / "scores.gguf", tokenizer)
    for text in ("abc", " abc", "abab", "cabc bc"):
        ids = llama_cpp(path)(text)
        assert built(path).backend_tokenizer.encode(text, add_special_tokens=False).ids == ids
    assert [pieces[i] for i in ids] == ["c", "a", "bc", "▁", "bc"]


@st.composite
def scored(draw: st.DrawFn) -> dict[str, Any]:
    """The keys of a SentencePiece vocabulary: pieces, what they are, and scores, of which some are equal."""
    normal = st.tuples(st.text("ab▁é", min_size=1, max_size=6), st.sampled_from([1, 1, 1, 3, 4, 5]))
    pieces = draw(st.lists(normal, min_size=1, max_size=30, unique_by=lambda piece: piece[0]))
    named = [("<unk>", 2), *pieces, *((f"<{i}>", draw(st.sampled_from([3, 4]))) for i in range(3))]
    scores = draw(st.lists(st.integers(-4, 2).map(float), min_size=len(named), max_size=len(named)))
    return {"tokens": [name for name, _ in named], "types": [kind for _, kind in named], "scores": scores}


def written_scores(path: Path, keys: dict[str, Any]) -> Path:
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(64)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(keys["tokens"])
    writer.add_token_types(keys["types"])
    writer.add_token_scores(keys["scores"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    return gguf_files.written(writer)


@settings(max_examples=100)
@given(keys=scored())
def test_merges_and_whole_tokens_are_those_of_a_plain_model(keys: dict[str, Any], folder: Path) -> None:
    """Also where the merges come from disk: the second time, and where all examples have one folder."""
    used = {token: i for i, token in enumerate(keys["tokens"]) if keys["types"][i] != 5}
    by_score = sorted(used.items(), key=lambda piece: (-keys["scores"][piece[1]], piece[1]))
    borders = ((piece[:at], piece[at:]) for piece, _ in by_score for at in range(1, len(piece)))
    merges = [(left, right) for left, right in borders if left in used and right in used]
    plain = Tokenizer(models.BPE(used, merges, unk_token="<unk>", fuse_unk=True))
    for token, kind in zip(keys["tokens"], keys["types"], strict=True):
        if kind in (2, 3, 4):
            added = AddedToken(token, special=kind != 4, normalized=False)
            (plain.add_tokens if kind == 4 else plain.add_special_tokens)([added])
    expected = json.loads(plain.to_str())
    path = written_scores(folder / "scored.gguf", keys)
    with pytest.MonkeyPatch.context() as patch:
        for place in (str(folder / "kept"), str(folder / "kept"), ""):
            patch.setenv("OUTLINES_CONT_CACHE", place)
            made_of_file = json.loads(tokenizer_of(GGUFFile.read(path)).backend_tokenizer.to_str())
            assert made_of_file["model"] == expected["model"]
            assert made_of_file["added_tokens"] == expected["added_tokens"]


def test_a_real_byte_level_vocabulary_is_llama_cpps(tmp_path: Path) -> None:
    tokenizer = made.real_byte_level("gpt2_50k", merges=True)
    path = gguf_files.write_vocabulary(tmp_path / "real.gguf", tokenizer, pre="gpt-2")
    made_of_file = built(path)
    assert Vocabulary.of(made_of_file) == Vocabulary.of(tokenizer)
    ids = llama_cpp(path)
    for text in texts(400):
        assert made_of_file(text).input_ids == ids(text, special=True), text


def test_phi_3_swallows_the_spaces_after_its_special_tokens(tmp_path: Path) -> None:
    def named(writer: Any) -> None:
        writer.add_name("Phi-3-mini")

    fast = Tokenizer.from_str(made.byte_fallback("prepend").backend_tokenizer.to_str())
    fast.add_special_tokens(["<|endoftext|>"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=fast, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    path = gguf_files.write_vocabulary(tmp_path / "phi.gguf", tokenizer, settings=named)
    tokenizer = built(path)
    ids = llama_cpp(path)
    for text in ("<|im_end|>  a", "<s>  a", "a </s> \n b", "<|endoftext|> a", "<|im_start|> <|im_end|>"):
        assert tokenizer(text).input_ids == ids(text, special=True), text


# --- vocabularies


@pytest.mark.parametrize("kind", KINDS)
def test_the_vocabulary_is_that_of_the_transformers_tokenizer(kind: str, folder: Path) -> None:
    tokenizer = sentencepiece_like(folder)[kind]
    path = gguf_files.write_vocabulary(folder / f"{kind}.gguf", tokenizer)
    vocabulary = Vocabulary.of(built(path))
    assert vocabulary == Vocabulary.of(tokenizer) and vocabulary.fingerprint == Vocabulary.of(tokenizer).fingerprint
    assert list(end_ids(GGUFFile.read(path))) == [tokenizer.eos_token_id]


@pytest.mark.parametrize(("name", "pre"), LARGE if FULL else LARGE[:1])
def test_real_large_vocabularies_are_those_of_transformers(name: str, pre: str, tmp_path: Path) -> None:
    tokenizer = made.real_byte_level(name)
    path = gguf_files.write_vocabulary(tmp_path / "real.gguf", tokenizer, pre=pre)
    assert Vocabulary.of(built(path), size=len(tokenizer)) == Vocabulary.of(tokenizer)


@pytest.mark.parametrize("tokenizer_json", [True, False])
def test_the_shipped_model_keeps_its_vocabulary_and_its_chat_template(tokenizer_json: bool, folder: Path) -> None:
    model = oc.load()
    tokenizer = built(gguf_files.shipped(folder, "q8_0", tokenizer_json))
    vocabulary = Vocabulary.of(tokenizer, size=1536)
    assert vocabulary == model.vocabulary
    assert tokenizer.chat_template == model.tokenizer.chat_template
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who is <|end|> Mira?"}]
    ids = Encoder(tokenizer, vocabulary).chat(messages)
    assert vocabulary.decode(ids, special=True) == model.vocabulary.decode(model.encoder.chat(messages), special=True)
    for text in texts(100) if tokenizer_json else ():
        assert tokenizer(text).input_ids == model.tokenizer(text).input_ids


def test_several_chat_templates_are_kept_by_name(tmp_path: Path) -> None:
    def templates(writer: Any) -> None:
        writer.add_chat_template([{"name": "default", "template": "A"}, {"name": "tool_use", "template": "B"}])

    tokenizer = made.byte_level()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizer.backend_tokenizer, eos_token="</s>")
    path = gguf_files.write_vocabulary(tmp_path / "chats.gguf", tokenizer, settings=templates)
    assert built(path).chat_template == {"default": "A", "tool_use": "B"}


def test_tokens_that_are_not_used_are_special_and_empty(tmp_path: Path) -> None:
    """A model gives logits for more ids than its tokenizer has: converters fill up with tokens that are not used."""
    tokenizer = made.byte_level()
    count = len(tokenizer)
    path = gguf_files.write_vocabulary(tmp_path / "padded.gguf", tokenizer, size=count + 7)
    vocabulary = Vocabulary.of(built(path), size=count + 7)
    assert vocabulary == Vocabulary.of(tokenizer, size=count + 7)
    assert {count, count + 6} <= vocabulary.special and vocabulary.tokens[count + 6] == b""


def test_a_vocabulary_that_does_not_spell_all_bytes_refuses_what_it_cannot_spell(tmp_path: Path) -> None:
    """As a transformers tokenizer without them does."""
    fast = Tokenizer(models.BPE({"x": 0, "y": 1, "xy": 2, "z": 3}, [("x", "y")]))
    fast.pre_tokenizer, fast.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=fast)
    encoder = Encoder(built(gguf_files.write_vocabulary(tmp_path / "few.gguf", tokenizer)))
    assert encoder.append("zxy") == Encoder(tokenizer).append("zxy") == [3, 2]
    for some in (encoder, Encoder(tokenizer)):
        with pytest.raises(ValueError, match="é"):
            some.append("xéy")


def test_a_tokenizer_in_the_file_must_be_that_of_its_tokens(tmp_path: Path) -> None:
    tokenizer = made.byte_level()
    whole = json.loads(tokenizer.backend_tokenizer.to_str())
    vocab = whole["model"]["vocab"]
    vocab["a"], vocab["b"] = vocab["b"], vocab["a"]

    def other(writer: Any) -> None:
        writer.add_string("tokenizer.huggingface.json", json.dumps(whole))

    path = gguf_files.write_vocabulary(tmp_path / "other.gguf", tokenizer, settings=other)
    with pytest.raises(
        oc.errors.ModelFileError, match=r"the tokenizer is not that of the model: its token .* is 'b', and the"
    ):
        built(path)

    def broken(writer: Any) -> None:
        writer.add_string("tokenizer.huggingface.json", "{}")

    path = gguf_files.write_vocabulary(tmp_path / "broken.gguf", tokenizer, settings=broken)
    with pytest.raises(oc.errors.ModelFileError, match=r"tokenizer.huggingface.json is not the JSON of a tokenizer: "):
        built(path)
