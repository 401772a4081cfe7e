"""Small tokenizers of every kind, made in a moment, and where to find real ones."""

from __future__ import annotations

import importlib.util
import json
import lzma
import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import PreTrainedTokenizerFast

from outlines_cont.fsm.tokenizer_bytes import byte_stand_ins

CORPUS = [
    "The capital of France is Paris, and the capital of Spain is Madrid.",
    "def add(a, b):\n    return a + b\n\n\nprint(add(1, 2))",
    "naïve café Ærøskøbing größer, Привет мир, 日本語の文章",
    '{"name": "Ada", "born": 1815, "tags": ["a", "b"]}',
] * 4
CHAT = (
    "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['content'] is string %}{{ m['content'] | trim }}"
    "{% else %}{% for part in m['content'] %}{{ part['text'] }}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ["<s>", "</s>", "<|im_start|>", "<|im_end|>"]


def wrapped(fast: Tokenizer, bos: bool, chat: str | None = CHAT, eos: bool = False) -> PreTrainedTokenizerFast:
    """A transformers tokenizer, which writes its bos (and eos) around a text, as told."""
    # "<tool>" is text like any other, but one token; rstrip is how some tokenizers swallow the space after a special.
    fast.add_special_tokens([AddedToken(s, special=True, rstrip=s == "<|im_end|>") for s in SPECIAL])
    fast.add_tokens([AddedToken("<tool>", special=False, lstrip=True)])
    ids = [(s, fast.token_to_id(s)) for s in ("<s>", "</s>")]
    fast.post_processor = processors.TemplateProcessing(
        single=f"{'<s> ' if bos else ''}$A{' </s>' if eos else ''}", special_tokens=ids
    )
    return PreTrainedTokenizerFast(tokenizer_object=fast, bos_token="<s>", eos_token="</s>", chat_template=chat)


@cache
def byte_level(bos: bool = True, eos: bool = False, prefix_space: bool = False) -> PreTrainedTokenizerFast:
    """GPT-2, Llama-3, Qwen: bytes written as printable characters."""
    fast = Tokenizer(models.BPE())
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    fast.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    fast.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    )
    return wrapped(fast, bos, eos=eos)


def _pieces() -> tuple[list[str], list[tuple[str, str]]]:
    """Pieces and merges over text whose spaces are written ▁."""
    fast = Tokenizer(models.BPE())
    fast.normalizer = normalizers.Replace(" ", "▁")
    fast.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(vocab_size=300, show_progress=False)
    fast.train_from_iterator(CORPUS, trainer)
    model = json.loads(fast.to_str())["model"]
    return sorted(model["vocab"], key=model["vocab"].get), [tuple(m) for m in model["merges"]]


@cache
def byte_fallback(style: str, model: str = "bpe", bos: bool = True) -> PreTrainedTokenizerFast:
    """SentencePiece with `<0xNN>` for what has no piece.

    Args:
        style: how the space before a text is written: "prepend" (a normalizer, as Llama 2 has it), "metaspace" (a
            pre-tokenizer) or "none" (Gemma).
        model: "bpe" or "unigram".
        bos: whether the tokenizer writes one.
    """
    pieces, merges = _pieces()
    vocab = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *pieces]
    if model == "bpe":
        ids = {piece: i for i, piece in enumerate(vocab)}
        fast = Tokenizer(models.BPE(ids, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    else:
        scored = [(piece, 0.0 if i < 3 else -8.0 + 0.5 * len(piece)) for i, piece in enumerate(vocab)]
        fast = Tokenizer(models.Unigram(scored, 0, True))
    if style == "metaspace":
        fast.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    else:
        spaces = normalizers.Replace(" ", "▁")
        prepend = [normalizers.Prepend("▁")] if style == "prepend" else []
        fast.normalizer = normalizers.Sequence([*prepend, spaces])
    strip = [] if style == "none" else [decoders.Strip(" ", 1, 0)]
    fast.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), *strip])
    return wrapped(fast, bos)


@cache
def unigram() -> PreTrainedTokenizerFast:
    """SentencePiece without bytes: what has no piece is unknown."""
    pieces, _ = _pieces()
    scored = [("<unk>", 0.0), *((piece, -8.0 + 0.5 * len(piece)) for piece in pieces)]
    fast = Tokenizer(models.Unigram(scored, 0, False))
    fast.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    fast.decoder = decoders.Metaspace(prepend_scheme="always")
    return wrapped(fast, bos=False)


def data_folder() -> Path:
    """The folder of real data; the test is skipped where there is none."""
    default = Path(__file__).parent.parent.parent / "shared" / "data"
    found = Path(os.environ.get("OUTLINES_CONT_DATA", default))
    if not (found / "vocab").is_dir():
        pytest.skip(f"no real vocabularies in {found}: set OUTLINES_CONT_DATA")
    return found


@cache
def real_vocabulary(name: str) -> tuple[dict[str, Any], list[bytes]]:
    """A vocabulary of the data folder: its header, and the bytes of each id."""
    raw = lzma.decompress((data_folder() / "vocab" / f"{name}.vocab.xz").read_bytes())
    start = raw.index(b"\n") + 1
    header = json.loads(raw[:start])
    ends = np.cumsum(np.frombuffer(raw, "<u2", header["n"], start), dtype=np.int64) + start + 2 * header["n"]
    begins = [start + 2 * header["n"], *ends.tolist()]
    return header, [raw[a:b] for a, b in zip(begins, ends.tolist(), strict=False)]


@cache
def real_byte_level(name: str, merges: bool = False) -> PreTrainedTokenizerFast:
    """A tokenizer with a real byte-level vocabulary.

    merges: as its ranks imply them; without, it writes whole words, or else bytes.
    """
    header, tokens = real_vocabulary(name)
    stand_in = {byte: chr(point) for point, byte in byte_stand_ins().items()}
    special = {i: f"<|special_{i}|>" for i in header["special"]}
    vocab = {special.get(i) or "".join(stand_in[b] for b in token): i for i, token in enumerate(tokens)}
    fast = Tokenizer(models.BPE(vocab, ranked_merges(vocab) if merges else [], ignore_merges=True))
    fast.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(header["pattern"]), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    fast.decoder = decoders.ByteLevel()
    fast.add_special_tokens([AddedToken(content, special=True) for content in special.values()])
    return PreTrainedTokenizerFast(tokenizer_object=fast, eos_token=special[header["eos"]])


def ranked_merges(vocab: dict[str, int]) -> list[tuple[str, str]]:
    """The merges of a vocabulary in which every two pieces that make a third may be merged, lower ids first."""
    return [
        (piece[:border], piece[border:])
        for piece in sorted(vocab, key=vocab.__getitem__)
        for border in range(1, len(piece))
        if piece[:border] in vocab and piece[border:] in vocab
    ]


def mistral_file(name: str) -> Path:
    """A tokenizer file that comes with mistral-common; the test is skipped where that is not installed."""
    spec = importlib.util.find_spec("mistral_common")
    if spec is None or spec.origin is None:
        pytest.skip("mistral-common is not installed")
    found = Path(spec.origin).parent / "data" / name
    if not found.exists():
        pytest.skip(f"mistral-common has no file {name}")
    return found


@cache
def mistral_sentencepiece(name: str, folder: Path) -> Any:
    """A real SentencePiece file as transformers turns it into a tokenizer, with its bos."""
    from transformers import LlamaTokenizer

    folder = folder / name
    folder.mkdir()
    shutil.copyfile(mistral_file(name), folder / "tokenizer.model")
    return LlamaTokenizer.from_pretrained(folder, add_bos_token=True)
