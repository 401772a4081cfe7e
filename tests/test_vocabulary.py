"""`Vocabulary`: the bytes of every id, for every kind of tokenizer, or a refusal that says why."""

from __future__ import annotations

import gc
import pickle
import re
import subprocess
import sys
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import made_tokenizers as made
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from outlines_cont.fsm.tokenizer_bytes import byte_stand_ins
from outlines_cont.fsm.vocabulary import Vocabulary

KINDS = {
    "byte-level": made.byte_level,
    "prepend": lambda: made.byte_fallback("prepend"),
    "metaspace": lambda: made.byte_fallback("metaspace"),
    "no dummy": lambda: made.byte_fallback("none"),
    "unigram, bytes": lambda: made.byte_fallback("metaspace", "unigram"),
    "unigram": made.unigram,
}
kinds = pytest.mark.parametrize("kind", KINDS)
T = TypeVar("T")


# -- the value ----------------------------------------------------------------------------------------------------


def test_a_value():
    v = Vocabulary([b"<s>", b"a", b"", b"ab"], eos=[0, 0], special=[])
    assert (v.tokens, v.eos, v.special, len(v)) == ((b"<s>", b"a", b"", b"ab"), (0,), {0}, 4)
    assert v.text_ids.tolist() == [1, 3] and not v.text_ids.flags.writeable
    assert v.decode([0, 1, 3]) == b"aab" and v.decode([0, 1], special=True) == b"<s>a"
    assert repr(v) == "Vocabulary(4 tokens, eos=(0,), 1 special)"
    with pytest.raises(AttributeError):
        v.tokens = ()  # type: ignore[misc]
    with pytest.raises(IndexError):
        v.decode([4])


def test_wrong_arguments_are_named():
    with pytest.raises(TypeError, match="are bytes, not str"):
        Vocabulary(["a"], eos=[])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"\[3\] lie outside a vocabulary of 1 tokens"):
        Vocabulary([b"a"], eos=[3])
    with pytest.raises(ValueError, match=r"\[-1\] lie outside"):
        Vocabulary([b"a"], eos=[], special=[-1])


@given(
    a=st.lists(st.binary(max_size=3), min_size=1, max_size=5),
    b=st.lists(st.binary(max_size=3), min_size=1, max_size=5),
    data=st.data(),
)
def test_equality_is_of_tokens_eos_and_special(a, b, data):
    ids = st.sets(st.integers(0, len(a) - 1)) if len(a) <= len(b) else st.sets(st.integers(0, len(b) - 1))
    e, f, s, t = (data.draw(ids) for _ in range(4))
    v, w = Vocabulary(a, e, s), Vocabulary(b, f, t)
    same = (a, e, e | s) == (b, f, f | t)
    assert (v == w) is same and (v.fingerprint == w.fingerprint) is same
    assert not same or hash(v) == hash(w)


def test_fingerprint_is_the_same_in_another_process():
    v = Vocabulary([b"<s>", b"a", b"\xff"], eos=[0], special=[0, 2])
    code = (
        "from outlines_cont.fsm.vocabulary import Vocabulary\n"
        "print(Vocabulary([b'<s>', b'a', bytes([255])], eos=[0], special=[2]).fingerprint)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == v.fingerprint


def test_pickle_leaves_the_caches_behind():
    v = Vocabulary([b"a"], eos=[])
    v.cache["mask"] = lambda: 0  # which does not pickle
    w = pickle.loads(pickle.dumps(v))
    assert w == v and w.cache == {}
    v.clear_caches()
    assert v.cache == {}


# -- made tokenizers ----------------------------------------------------------------------------------------------


@kinds
def test_every_id_has_its_bytes(kind):
    tokenizer = KINDS[kind]()
    v = Vocabulary.of(tokenizer)
    assert len(v) == len(tokenizer) and v.eos == (tokenizer.eos_token_id,)
    assert {tokenizer.convert_tokens_to_ids(s) for s in made.SPECIAL} <= v.special
    tool = tokenizer.convert_tokens_to_ids("<tool>")
    assert v.tokens[tool] == b"<tool>" and tool not in v.special
    assert v.tokens[v.eos[0]] == b"</s>"
    for text in made.CORPUS[:4]:
        ids = tokenizer(text, add_special_tokens=False).input_ids
        assert v.decode(ids).decode().removeprefix(" ") == text
    if kind != "unigram":
        assert {bytes([b]) for b in range(256)} <= {v.tokens[i] for i in v.text_ids}


def test_size_pads_or_cuts():
    tokenizer = made.byte_level()
    n = len(tokenizer)
    wide, narrow = Vocabulary.of(tokenizer, size=n + 3), Vocabulary.of(tokenizer, size=n - 1)
    assert wide.tokens == (*Vocabulary.of(tokenizer).tokens, b"", b"", b"") and {n, n + 1, n + 2} <= wide.special
    assert narrow.tokens == wide.tokens[: n - 1]
    np.testing.assert_array_equal(wide.text_ids, Vocabulary.of(tokenizer).text_ids)


def test_several_eos():
    tokenizer = made.byte_level()
    ends = tokenizer.convert_tokens_to_ids(["</s>", "<|im_end|>"])
    v = Vocabulary.of(tokenizer, eos=ends)
    assert v.eos == tuple(ends) and v != Vocabulary.of(tokenizer)
    with pytest.raises(ValueError, match="outside a vocabulary"):
        Vocabulary.of(tokenizer, eos=[10**6])


def test_kept_for_the_tokenizer_and_no_longer():
    tokenizer = made.byte_level.__wrapped__()
    v = Vocabulary.of(tokenizer)
    assert Vocabulary.of(tokenizer) is v
    tokenizer.add_tokens(["<new>"])
    assert b"<new>" in Vocabulary.of(tokenizer).tokens and b"<new>" not in v.tokens
    gone = weakref.ref(v)
    del tokenizer, v
    gc.collect()
    assert gone() is None


def test_a_bare_tokenizer():
    fast = made.byte_level().backend_tokenizer
    end = fast.token_to_id("</s>")
    assert Vocabulary.of(fast, eos=[end]) == Vocabulary.of(made.byte_level())
    assert Vocabulary.of(fast).eos == ()


def test_the_tokenizer_is_left_alone():
    tokenizer = made.byte_level.__wrapped__()
    fast = tokenizer.backend_tokenizer
    fast.enable_truncation(3)
    fast.enable_padding(length=9)
    before = fast.to_str()
    assert len(Vocabulary.of(tokenizer)) == len(tokenizer)
    assert fast.to_str() == before


def test_a_small_alphabet():
    """What the tokenizer cannot spell is no reason to refuse it."""
    fast = Tokenizer(models.BPE({"a": 0, "b": 1, "▁": 2, "ab": 3, "[UNK]": 4}, [("a", "b")], unk_token="[UNK]"))
    fast.normalizer = normalizers.Replace(" ", "▁")
    fast.decoder = decoders.Replace("▁", " ")
    v = Vocabulary.of(fast, eos=[])
    assert v.tokens[:4] == (b"a", b"b", b" ", b"ab") and v.special == {4}


def test_holes_between_ids_are_special():
    fast = Tokenizer(models.BPE({"a": 0, "b": 3}, []))
    v = Vocabulary.of(fast, eos=[])
    assert v.tokens == (b"a", b"", b"", b"b") and v.special == {1, 2}


characters = st.characters(exclude_categories=["Cs"]) | st.sampled_from("▁ Ġ\n<>x0aF\0\ud7ff\ue000🦙é")
names = st.text(characters, max_size=5) | st.sampled_from(["<0x0A>", "<0xfF>", "<0xGG>", "<0x0A>▁", "▁<0x0A>"])


@given(pieces=st.lists(names, unique=True, max_size=12), bytes_=st.booleans(), spaces=st.booleans())
def test_pieces_in_plain_text_are_read_one_by_one(pieces, bytes_, spaces):
    fast = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, [], byte_fallback=bytes_))
    if spaces:
        fast.decoder = decoders.Replace("▁", " ")
    v = Vocabulary.of(fast, eos=[])
    for token, piece in zip(v.tokens, pieces, strict=True):
        byte = re.fullmatch("<0x([0-9a-fA-F]{2})>", piece)
        plain = (piece.replace("▁", " ") if spaces else piece).encode()
        assert token == (bytes([int(byte[1], 16)]) if byte and bytes_ else plain)


@given(data=st.data())
def test_pieces_in_stand_ins_are_read_one_by_one(data):
    """Those that are written otherwise, and added tokens, are plain text."""
    stand_ins = {chr(point): byte for point, byte in byte_stand_ins().items()}
    written = st.text(st.sampled_from(sorted(stand_ins)), max_size=4)
    pieces = data.draw(st.lists(written | names, unique=True, max_size=12))
    ids = data.draw(st.permutations(range(len(pieces))))
    fast = Tokenizer(models.BPE(dict(zip(pieces, ids, strict=True)), []))
    fast.decoder = decoders.ByteLevel()
    added = data.draw(st.sets(st.sampled_from(sorted({*pieces, "Ġnew"} - {""}))))
    fast.add_tokens(sorted(added))
    v = Vocabulary.of(fast, eos=[])
    for piece, token in fast.get_vocab(with_added_tokens=True).items():
        plain = piece in added or not stand_ins.keys() >= set(piece)
        assert v.tokens[token] == (piece.encode() if plain else bytes(stand_ins[c] for c in piece))


# -- refusals -----------------------------------------------------------------------------------------------------


def test_wordpiece_is_refused_by_name():
    fast = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, unk_token="[UNK]"))
    fast.decoder = decoders.WordPiece()
    with pytest.raises(ValueError, match=r"TokenizersBackend is a WordPiece tokenizer.*Use a model whose tokenizer is"):
        Vocabulary.of(PreTrainedTokenizerFast(tokenizer_object=fast))


def test_lost_spaces_are_refused():
    fast = Tokenizer(models.WordLevel({"one": 0, "two": 1, "three": 2, "[UNK]": 3}, unk_token="[UNK]"))
    fast.pre_tokenizer = pre_tokenizers.Whitespace()
    with pytest.raises(ValueError, match=r"do not spell the text: 'one\\ntwo\\n\\nthree' .* reads b'onetwothree'"):
        Vocabulary.of(fast, eos=[])


def test_end_of_word_suffixes_are_refused():
    fast = Tokenizer(models.BPE({"a</w>": 0}, [], end_of_word_suffix="</w>"))
    fast.decoder = decoders.BPEDecoder("</w>")
    with pytest.raises(ValueError, match="BPEDecoder"):
        Vocabulary.of(fast, eos=[])


def test_python_components_are_refused():
    class Odd:
        def normalize(self, text):
            pass

    fast = Tokenizer.from_str(made.byte_level().backend_tokenizer.to_str())
    fast.pre_tokenizer = pre_tokenizers.PreTokenizer.custom(Odd())
    with pytest.raises(ValueError, match="custom"):
        Vocabulary.of(fast, eos=[])


def test_what_is_no_tokenizer_is_refused():
    with pytest.raises(ValueError, match="dict is not backed by the `tokenizers` library"):
        Vocabulary.of({}, eos=[])


# -- real tokenizers ----------------------------------------------------------------------------------------------


def counted(work: Callable[[], T]) -> tuple[T, Counter[tuple[str, str]]]:
    """What `work` returns, and how often it called each function: (type of its owner, or "", and name)."""
    calls: Counter[tuple[str, str]] = Counter()

    def count(frame: Any, event: str, function: Any) -> None:
        if event == "call":
            calls["", frame.f_code.co_name] += 1
        elif event == "c_call":
            calls[type(getattr(function, "__self__", None)).__name__, function.__name__] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return work(), calls
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("name", ["tekken131k", "gpt2_50k", "qwen152k"])
def test_real_byte_level(name):
    header, tokens = made.real_vocabulary(name)
    tokenizer = made.real_byte_level.__wrapped__(name)  # a new one, which has no vocabulary yet
    Vocabulary.of(made.byte_level())  # so that nothing is imported while calls are counted
    v, calls = counted(lambda: Vocabulary.of(tokenizer))
    # No call for each token: only for special ones, and for the whole.
    assert calls.total() <= 3 * len(v.special) + 2000, calls.most_common(10)
    # The tokenizer hands out its pieces once, and its settings only component by component, without the model.
    asked = {function: n for (owner, function), n in calls.items() if owner in ("Tokenizer", "BPE")}
    assert asked.pop("get_vocab") == 1 and asked.pop("encode") < 20
    assert asked.keys() <= {"get_vocab_size", "get_added_tokens_decoder", "token_to_id"} and sum(asked.values()) < 10
    assert v.special == set(header["special"]) and v.eos == (header["eos"],)
    assert [i for i in v.text_ids if v.tokens[i] != tokens[i]] == []


@pytest.mark.parametrize(
    "name",
    [
        "tokenizer.model.v1",
        "mistral_instruct_tokenizer_240216.model.v2",
        "mistral_instruct_tokenizer_240323.model.v3",
        "mistral_instruct_tokenizer_241114.model.v7",
    ],
)
def test_real_sentencepiece(name, tmp_path):
    pytest.importorskip("sentencepiece")
    v = Vocabulary.of(made.mistral_sentencepiece(name, tmp_path))
    assert {bytes([b]) for b in range(256)} <= {v.tokens[i] for i in v.text_ids}
    assert v.eos == (2,) and b" the" in v.tokens
    if len(v) == 32768:
        header, tokens = made.real_vocabulary("spm32k")
        assert set(header["special"]) <= v.special
        assert [i for i in v.text_ids if v.tokens[i] != tokens[i]] == []


def test_mistral_common_backend():
    """Which AutoTokenizer gives for a folder with a tekken.json, where mistral-common is installed."""
    module = pytest.importorskip("transformers.tokenization_mistral_common")
    tokenizer = module.MistralCommonBackend(tokenizer_path=made.mistral_file("tekken_240911.json"))
    v = Vocabulary.of(tokenizer)
    assert len(v) == 131072 and len(v.special) == 1000 and v.eos == (2,)
    ids = tokenizer("Größe 日本 🦙\n").input_ids
    assert v.decode(ids) == "Größe 日本 🦙\n".encode()


def test_the_tokenizer_that_ships():
    from transformers import AutoTokenizer

    from outlines_cont import tiny

    if not (tiny.PATH / "tokenizer.json").exists():
        pytest.skip("the small model is not there")
    tokenizer = AutoTokenizer.from_pretrained(tiny.PATH)
    v = Vocabulary.of(tokenizer)
    assert len(v) == len(tokenizer) and v.eos == (tokenizer.eos_token_id,)
    assert {bytes([b]) for b in range(256)} <= {v.tokens[i] for i in v.text_ids}


def test_added_tokens_of_a_sentencepiece_tokenizer_may_hold_spaces():
    """Gemma lists runs of spaces as added tokens, written ▁▁."""
    tokenizer = made.byte_fallback.__wrapped__("none")
    tokenizer.add_tokens([AddedToken("▁▁▁▁", normalized=False)])
    v = Vocabulary.of(tokenizer)
    assert v.tokens[tokenizer.convert_tokens_to_ids("▁▁▁▁")] == b"    "
