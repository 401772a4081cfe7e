"""GGUF files: what is read of one is what was written, and one that is damaged is refused by name."""

from __future__ import annotations

import os
import shutil
import struct
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import gguf_files
import made_tokenizers as made
import numpy as np
import pytest
from gguf import GGUFWriter
from hypothesis import given, settings
from hypothesis import strategies as st

import outlines_cont as oc
from outlines_cont.llama_cpp.gguf_file import BLOCKS, FILE_TYPES, VERSIONS, GGUFFile
from outlines_cont.llama_cpp.gguf_tokenizer import tokenizer_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


def small(path: Path, settings: Callable[[GGUFWriter], None] = lambda writer: None) -> Path:
    """A file of every type of value, with two small tensors."""
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(64)
    for name in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"):
        getattr(writer, f"add_{name}")(f"some.{name}", 7)
    writer.add_float32("some.float32", 0.5)
    writer.add_float64("some.float64", 0.25)
    writer.add_bool("some.bool", True)
    writer.add_string("some.string", "naïve\n🦙")
    writer.add_array("some.texts", ["a", "", "é"])
    writer.add_array("some.numbers", [1, 2, 3])
    writer.add_array("some.floats", [0.5, -1.0])
    writer.add_array("some.flags", [True, False])
    settings(writer)
    writer.add_tensor("a.weight", np.arange(64, dtype=np.float32).reshape(2, 32))
    array = np.arange(64, dtype=np.float32).reshape(2, 32)
    kind = gguf.GGMLQuantizationType.Q8_0
    writer.add_tensor("b.weight", gguf.quants.quantize(array, kind), raw_dtype=kind)
    return gguf_files.written(writer)


def refused(path: Path) -> str:
    """What a file is refused with."""
    with pytest.raises(oc.errors.ModelFileError) as error:
        tokenizer_of(GGUFFile.read(path))
    assert str(path) in str(error.value), "it names the file"
    return str(error.value).partition(": ")[2]


# --- what is read


def test_what_is_read_is_what_the_package_gguf_reads(folder: Path) -> None:
    for path in (small(folder / "small.gguf"), gguf_files.shipped(folder, "q8_0")):
        file, reader = GGUFFile.read(path), gguf.GGUFReader(path)
        expected = {key: field.contents() for key, field in reader.fields.items() if not key.startswith("GGUF.")}
        values = {
            key: value.tolist() if isinstance(value, np.ndarray) else list(value) if type(value) is tuple else value
            for key, value in file.values.items()
        }
        assert values == expected
        assert [(t.name, list(t.shape), t.kind, t.nbytes) for t in file.tensors] == [
            (t.name, t.shape.tolist(), int(t.tensor_type), t.n_bytes) for t in reader.tensors
        ]


def test_a_file_says_what_it_is(folder: Path) -> None:
    file = GGUFFile.read(gguf_files.shipped(folder, "q8_0"))
    assert (file.architecture, file.name, file.file_type, file.context_length) == ("llama", "llama", "Q8_0", 2048)
    assert file.parts == (file.path,)


def test_types_of_tensors_and_of_files_are_those_of_the_format() -> None:
    assert {int(kind): sizes for kind, sizes in gguf.GGML_QUANT_SIZES.items()} == BLOCKS
    names = {int(kind): kind.name.split("_", 1)[1] for kind in gguf.LlamaFileType if kind.name != "GUESSED"}
    assert {number: name.removesuffix("_MOE") for number, name in names.items()} == FILE_TYPES


def test_the_digest_is_that_of_all_bytes(folder: Path) -> None:
    path, copy = small(folder / "digest.gguf"), folder / "copy.gguf"
    shutil.copyfile(path, copy)
    assert GGUFFile.read(copy).digest == GGUFFile.read(path).digest
    data = bytearray(copy.read_bytes())
    data[-1] ^= 1
    copy.write_bytes(data)
    assert GGUFFile.read(copy).digest != GGUFFile.read(path).digest


def in_parts(folder: Path) -> list[Path]:
    """A model that was cut into parts."""
    writer = GGUFWriter(folder / "cut.gguf", "llama", split_max_tensors=1)
    for name in ("a", "b", "c"):
        writer.add_tensor(f"{name}.weight", np.ones((2, 32), np.float32))
    gguf_files.written(writer)
    return sorted(folder.glob("cut-*.gguf"))


def test_a_model_in_parts_is_one(tmp_path: Path) -> None:
    parts = in_parts(tmp_path)
    file = GGUFFile.read(parts[0])
    assert [tensor.name for tensor in file.tensors] == ["a.weight", "b.weight", "c.weight"]
    assert list(file.parts) == parts
    digest = file.digest
    parts[2].write_bytes(parts[2].read_bytes()[:-1] + b"\x01")
    assert GGUFFile.read(parts[0]).digest != digest

    assert f"give the first, {parts[0].name}" in refused(parts[1])
    shutil.copyfile(parts[1], parts[2])
    assert "it is not part 3 of 3 of cut-00001-of-00003.gguf" in refused_part(parts)
    parts[2].unlink()
    assert refused(parts[0]) == "parts of it are missing beside it: cut-00003-of-00003.gguf"
    renamed = parts[0].rename(tmp_path / "model.gguf")
    assert "must be called NAME-00001-of-00003.gguf" in refused(renamed)


def refused_part(parts: list[Path]) -> str:
    with pytest.raises(oc.errors.ModelFileError) as error:
        GGUFFile.read(parts[0])
    return str(error.value)


# --- what is damaged


def damaged(data: bytes, at: int, put: bytes) -> bytes:
    return data[:at] + put + data[at + len(put) :]


#: The first two texts of a list in `small`.
AN_A = struct.pack("<Q", 1) + b"a"
AN_A_AND_NOTHING = AN_A + struct.pack("<Q", 0)

PROBLEMS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda data: b"", "it is no GGUF file: it has 0 bytes"),
    "a text": (lambda data: b"<html>Not found", "it is no GGUF file: it begins with b'<htm', not b'GGUF'"),
    "an older format": (lambda data: b"tjgg" + data[4:], "of a format before GGUF: convert the model anew"),
    "version 1": (lambda data: damaged(data, 4, b"\1"), "it is of version 1 of GGUF, which llama.cpp no longer reads"),
    "a newer version": (lambda data: damaged(data, 4, b"\4"), "it is of version 4 of GGUF: versions 2 and 3 are read"),
    "big-endian": (lambda data: damaged(data, 4, b"\0\0\0\3"), "written for big-endian machines"),
    "many tensors": (lambda data: damaged(data, 8, b"\xff" * 8), "18,446,744,073,709,551,615 tensors, and has"),
    "many keys": (lambda data: damaged(data, 16, b"\xff" * 7), "keys, and has"),
    "a long name": (lambda data: damaged(data, 24, b"\xff" * 6), "the name of key 0 is a text of"),
    "an unknown type": (
        lambda data: data.replace(b"some.uint8\0\0\0\0", b"some.uint8\x0d\0\0\0"),
        "'some.uint8' is of type 13, which there is not",
    ),
    "lists of lists": (
        lambda data: data.replace(b"some.numbers\x09\0\0\0\5", b"some.numbers\x09\0\0\0\x09"),
        "'some.numbers' is a list of type 9",
    ),
    "a long list": (
        lambda data: data.replace(b"some.flags\x09\0\0\0\7\0\0\0\2", b"some.flags\x09\0\0\0\7\0\0\0\2\0\0\0\0\1"),
        "items of 'some.flags', and has",
    ),
    "a key twice": (lambda data: data.replace(b"some.uint8", b"some.int16"), "it has the key 'some.int16' twice"),
    "a tensor twice": (lambda data: data.replace(b"b.weight", b"a.weight"), "it has the tensor 'a.weight' twice"),
    "many dimensions": (
        lambda data: data.replace(b"a.weight\2", b"a.weight\5"),
        "the tensor 'a.weight' has 5 dimensions",
    ),
    "a long text in a list": (
        lambda data: data.replace(AN_A_AND_NOTHING, AN_A + struct.pack("<Q", 1 << 40)),
        "'some.texts' is a text of 1,099,511,627,776 bytes",
    ),
    "a text in a list that is not whole": (
        lambda data: data.replace(AN_A_AND_NOTHING, AN_A + struct.pack("<Q", 1 << 16)),
        "'some.texts' takes 65,536 bytes from byte",
    ),
    "cut off": (lambda data: data[:-33], "the tensor 'b.weight' ends at byte"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_wrong_is_told(name: str, tmp_path: Path) -> None:
    damage, expected = PROBLEMS[name]
    data = small(tmp_path / "small.gguf").read_bytes()
    path = tmp_path / "damaged.gguf"
    path.write_bytes(damage(data))
    assert path.read_bytes() != data
    assert expected in refused(path)


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    path = small(tmp_path / "small.gguf")
    last = gguf.GGUFReader(path).tensors[-1]
    for length in reversed(range(last.data_offset + last.n_bytes)):
        os.truncate(path, length)
        with pytest.raises(oc.errors.ModelFileError, match="no GGUF file" if length < 4 else "not whole|damaged"):
            GGUFFile.read(path)


def test_a_file_that_ends_in_zeros_is_warned_of(tmp_path: Path) -> None:
    """Some downloads take the room of a whole file first, and stop in its middle."""

    def large(writer: GGUFWriter) -> None:
        writer.add_tensor("large.weight", np.ones((1024, 1024), np.float32))

    path = small(tmp_path / "small.gguf", large)
    with warnings.catch_warnings(action="error"):
        GGUFFile.read(path)
    with path.open("r+b") as file:
        file.seek(-(1 << 20), os.SEEK_END)
        file.write(bytes(1 << 20))
    with pytest.warns(UserWarning, match=r"small\.gguf: its last 1,048,576 bytes are zeros: has it been downloaded"):
        GGUFFile.read(path)


@settings(max_examples=50)
@given(texts=st.lists(st.text() | st.text("ab\0", max_size=3), min_size=1, max_size=30))
def test_lists_of_texts_come_back(texts: list[str], folder: Path) -> None:
    path = small(folder / "texts.gguf", lambda writer: writer.add_array("some.list", texts))
    assert GGUFFile.read(path).texts("some.list") == tuple(texts)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no file"):
        GGUFFile.read(tmp_path / "nothing.gguf")
    with pytest.raises(oc.errors.ModelFileError, match="it cannot be read"):
        GGUFFile.read(tmp_path)


@st.composite
def damages(draw: st.DrawFn, data: bytes, head: int) -> bytes:
    """The bytes of a file, of which some in its head were changed, taken away or put in."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, head - 1))
        put = draw(st.one_of(st.binary(min_size=1, max_size=9), st.sampled_from([b"\xff" * 8, b"\0" * 8, b"\0" * 40])))
        keep = at + draw(st.sampled_from([0, len(put), draw(st.integers(0, 20))]))
        data = data[:at] + put + data[keep:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 3)) == 0 else data


@pytest.fixture(scope="module", params=["byte-level", "sentencepiece", "whole"])
def vocabulary_file(request: pytest.FixtureRequest, folder: Path) -> Path:
    tokenizer = made.byte_fallback("prepend") if request.param == "sentencepiece" else made.byte_level()
    path = folder / f"{request.param}.gguf"
    return gguf_files.write_vocabulary(path, tokenizer, tokenizer_json=request.param == "whole")


@settings(max_examples=100)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_by_name(data: st.DataObject, vocabulary_file: Path) -> None:
    whole = vocabulary_file.read_bytes()
    path = vocabulary_file.with_suffix(".damaged")
    path.write_bytes(data.draw(damages(whole, len(whole))))
    tracemalloc.start()
    try:
        tokenizer = tokenizer_of(GGUFFile.read(path))
    except oc.errors.ModelFileError as error:
        assert str(error).startswith(str(path))
    else:
        assert tokenizer.backend_tokenizer.get_vocab_size() > 0
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 32 << 20, "a damaged count costs no memory"


def test_counts_of_a_damaged_file_cost_no_work(tmp_path: Path) -> None:
    """A list of 2^60 numbers ends where the file ends, before one of them is read."""
    path = small(tmp_path / "small.gguf", lambda writer: writer.add_array("some.list", [1] * 100))
    data = path.read_bytes()
    at = data.index(b"some.list") + 9 + 8
    assert struct.unpack_from("<Q", data, at) == (100,)
    path.write_bytes(damaged(data, at, struct.pack("<Q", 1 << 60)))
    assert "1,152,921,504,606,846,976 items of 'some.list'" in refused(path)


# --- keys that are missing, or of another type


def changed(**keys: Any) -> Callable[[GGUFWriter], None]:
    """Writes these keys of `tokenizer.ggml`, with whatever type fits the value."""

    def write(writer: GGUFWriter) -> None:
        for name, value in keys.items():
            key = f"tokenizer.ggml.{name}"
            if isinstance(value, str):
                writer.add_string(key, value)
            elif isinstance(value, bool):
                writer.add_bool(key, value)
            elif isinstance(value, int):
                writer.add_uint32(key, value)
            else:
                writer.add_array(key, value)

    return write


GPT2: dict[str, Any] = {"model": "gpt2", "pre": "gpt-2", "tokens": ["a", "b", "ab"], "merges": ["a b"]}
LLAMA: dict[str, Any] = {"model": "llama", "tokens": ["<unk>", "<s>", "</s>", "a"], "scores": [0.0, 0.0, 0.0, -1.0]}
KEYS: list[tuple[dict[str, Any], str]] = [
    ({}, "it has no key 'tokenizer.ggml.model'"),
    ({"model": "gpt2"}, "it has no key 'tokenizer.ggml.tokens'"),
    ({**GPT2, "model": 3}, "tokenizer.ggml.model is 3: it must be a text"),
    ({**GPT2, "model": "t5"}, "of the kind 't5' (Unigram); read are 'gpt2' (byte-level BPE) and 'llama'"),
    ({**GPT2, "model": "bert"}, "of the kind 'bert' (WordPiece"),
    ({**GPT2, "model": "word"}, "of the kind 'word'; read are"),
    ({**GPT2, "pre": "gpt-17"}, "cut into words by 'gpt-17' (tokenizer.ggml.pre), which is not known here. Give the"),
    ({**GPT2, "tokens": [1, 2]}, "it must be a list of texts"),
    ({**GPT2, "tokens": ["a", "b", "a"]}, "the tokens 0 and 2 are both written 'a'"),
    ({**GPT2, "token_type": [1, 1]}, "it has 3 tokens, and 2 items in tokenizer.ggml.token_type"),
    ({**GPT2, "token_type": [1, 1, 9]}, "token 2 is of type 9, which there is not"),
    ({**GPT2, "token_type": [1.0, 1.0, 1.0]}, "token_type is a list of float32: it must be one of ints"),
    ({name: GPT2[name] for name in ("model", "pre", "tokens")}, "it has no key 'tokenizer.ggml.merges'"),
    ({**GPT2, "merges": ["ab"]}, "merge 0, 'ab', does not join two tokens to a third"),
    ({**GPT2, "merges": ["a b", "b a"]}, "merge 1, 'b a', does not join two tokens to a third"),
    ({**GPT2, "eos_token_id": 3}, "tokenizer.ggml.eos_token_id is 3, and it has 3 tokens"),
    ({**GPT2, "eot_token_id": 4}, "tokenizer.ggml.eot_token_id is 4, and it has 3 tokens"),
    ({**GPT2, "eos_token_id": "a"}, "tokenizer.ggml.eos_token_id is 'a': it must be a whole number"),
    ({**GPT2, "add_bos_token": True}, "a bos is written around a text, and has no key 'tokenizer.ggml.bos_token_id'"),
    ({**GPT2, "add_eos_token": 1}, "tokenizer.ggml.add_eos_token is 1: it must be true or false"),
    ({**LLAMA, "scores": [0.0]}, "it has 4 tokens, and 1 items in tokenizer.ggml.scores"),
    ({**LLAMA, "scores": [0.0, 0.0, 0.0, float("nan")]}, "tokenizer.ggml.scores has values that are no numbers"),
    ({name: LLAMA[name] for name in ("model", "tokens")}, "it has no key 'tokenizer.ggml.scores'"),
]


@pytest.mark.parametrize(("keys", "expected"), KEYS)
def test_a_vocabulary_that_lacks_something_is_refused_by_name(
    keys: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    assert expected in refused(small(tmp_path / "keys.gguf", changed(**keys)))


@pytest.mark.parametrize("keys", [GPT2, LLAMA])
def test_the_vocabularies_that_these_are_made_of_are_read(keys: dict[str, Any], tmp_path: Path) -> None:
    tokenizer = tokenizer_of(GGUFFile.read(small(tmp_path / "keys.gguf", changed(**keys))))
    assert tokenizer.convert_ids_to_tokens(range(len(keys["tokens"]))) == keys["tokens"]
    assert tokenizer.model_max_length == 64


@pytest.mark.parametrize(
    ("key", "kind", "value"),
    [
        ("block_count", "uint32", 0),
        ("block_count", "uint32", 513),
        ("context_length", "uint32", 2**31),
        ("attention.layer_norm_rms_epsilon", "float32", -1.0),
        ("attention.layer_norm_rms_epsilon", "float32", float("nan")),
    ],
)
def test_settings_at_which_llama_cpp_would_end_the_process_are_refused(
    key: str, kind: str, value: float, tmp_path: Path
) -> None:
    writer = GGUFWriter(tmp_path / "model.gguf", "llama")
    getattr(writer, f"add_{kind}")(f"llama.{key}", value)
    path = gguf_files.written(writer)
    with pytest.raises(oc.errors.ModelFileError, match=rf"model\.gguf: it is damaged: llama\.{key} is {value}"):
        GGUFFile.read(path).check_settings()


def test_a_file_without_an_architecture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nameless.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", VERSIONS[-1], 0, 0))
    with pytest.raises(oc.errors.ModelFileError, match=r"it has no key 'general.architecture'"):
        _ = GGUFFile.read(path).context_length
