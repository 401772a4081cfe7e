"""Tokenizers drawn at random: any model, normalizers, pre-tokenizer, decoder, added tokens, template and alphabet."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import made_tokenizers as made
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

NORMALIZERS = {
    "NFC": normalizers.NFC,
    "NFD": normalizers.NFD,
    "NFKC": normalizers.NFKC,
    "NFKD": normalizers.NFKD,
    "Nmt": normalizers.Nmt,
    "Lowercase": normalizers.Lowercase,
    "StripAccents": normalizers.StripAccents,
    "Strip": normalizers.Strip,
    "strip the right": lambda: normalizers.Strip(left=False, right=True),
    "BertNormalizer": normalizers.BertNormalizer,
    "Prepend ▁": lambda: normalizers.Prepend("▁"),
    "Prepend x": lambda: normalizers.Prepend("x"),
    "Replace a word": lambda: normalizers.Replace("Paris", "Rome"),
    "Replace a letter by nothing": lambda: normalizers.Replace("e", ""),
    "Replace spaces": lambda: normalizers.Replace(Regex(" {2,}"), " "),
    "ByteLevel": normalizers.ByteLevel,
}
PRE_TOKENIZERS = {
    "none": lambda: None,
    "metaspace": lambda: pre_tokenizers.Metaspace(prepend_scheme="always"),
    "metaspace, first": lambda: pre_tokenizers.Metaspace(prepend_scheme="first", split=False),
    "words": pre_tokenizers.WhitespaceSplit,
    "words and metaspace": lambda: pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    ),
    "digits": lambda: pre_tokenizers.Digits(individual_digits=True),
    "bytes": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False),
    "bytes, space": lambda: pre_tokenizers.ByteLevel(add_prefix_space=True),
    "bert": pre_tokenizers.BertPreTokenizer,
}
DECODERS = {
    "none": lambda: None,
    "bytes": decoders.ByteLevel,
    "metaspace": lambda: decoders.Metaspace(prepend_scheme="always"),
    "sentencepiece": lambda: decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    ),
    "fallback": lambda: decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]),
    "wordpiece": decoders.WordPiece,
    "end of word": decoders.BPEDecoder,
}
MODELS = ["bytes", "pieces", "pieces and bytes", "unigram", "unigram and bytes", "wordpiece", "words"]
#: What pieces of a model are usually written and read with.
USUAL = {
    "bytes": (["bytes", "bytes, space"], ["bytes"]),
    "pieces": (["none", "metaspace", "metaspace, first"], ["metaspace"]),
    "pieces and bytes": (["none", "metaspace", "metaspace, first"], ["sentencepiece", "fallback"]),
    "unigram": (["metaspace", "metaspace, first", "words and metaspace"], ["metaspace"]),
    "unigram and bytes": (["metaspace", "metaspace, first"], ["sentencepiece", "fallback"]),
    "wordpiece": (["bert"], ["wordpiece"]),
    "words": (["words", "bert", "none", "bytes"], ["none", "bytes"]),
}
#: Characters, and bytes of them in stand-ins, that a vocabulary may lack.
ALPHABETS = {"all": "", "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "accents": "éÃ©ïØ̈́", "few": 'abde0159Å▁Ġ日æ"{'}


@cache
def _byte_level() -> dict[str, Any]:
    return json.loads(made.byte_level().backend_tokenizer.to_str())["model"]


def _model(kind: str, lacking: str, unknown: bool) -> Any:
    """A model of a kind, without the pieces that have one of the lacking characters."""

    def kept(pieces: Any) -> list[str]:
        return [piece for piece in pieces if not set(piece) & set(lacking) and not piece.startswith("<")]

    first = ["<unk>"] if unknown else []
    unk = "<unk>" if unknown else None
    fallback = [f"<0x{byte:02X}>" for byte in range(256) if chr(byte) not in lacking] if "and bytes" in kind else []
    if kind == "bytes":
        trained = _byte_level()
        pieces = [*first, *kept(trained["vocab"])]
        merges = [tuple(merge) for merge in trained["merges"]]
    elif kind == "words":
        pieces = [
            *first,
            *kept(["one", "two", "the", "The", "capital", "Paris", "a", "b", " ", "é", ".", "0", "Ġ", "Ã"]),
        ]
        return models.WordLevel({piece: n for n, piece in enumerate(pieces)}, **({"unk_token": unk} if unk else {}))
    else:
        plain, merges = made._pieces()
        pieces = [*first, *fallback, *kept(plain)]
    ids = {piece: n for n, piece in enumerate(pieces)}
    if kind.startswith("unigram"):
        scored = [(piece, 0.0 if piece == unk else -8.0 + 0.5 * len(piece)) for piece in pieces]
        return models.Unigram(scored, 0 if unknown else None, bool(fallback))
    if kind == "wordpiece":
        return models.WordPiece({**ids, "##a": len(ids)}, unk_token="<unk>")
    known = [(a, b) for a, b in merges if {a, b, a + b} <= ids.keys()]
    return models.BPE(ids, known, unk_token=unk, byte_fallback=bool(fallback), fuse_unk=bool(fallback))


#: Among which are those that a normalizer turns into others, or into text.
ADDED = ["<s>", "</s>", "<|im_start|>", "<tool>", "<Tool>", "the", " a", "é"]


@st.composite
def added_tokens(draw: st.DrawFn) -> list[AddedToken]:
    flag = st.booleans()
    return [
        AddedToken(
            content,
            special=draw(flag),
            lstrip=draw(flag),
            rstrip=draw(flag),
            normalized=draw(flag),
            single_word=draw(flag),
        )
        for content in draw(st.lists(st.sampled_from(ADDED), max_size=4, unique=True))
    ]


@st.composite
def tokenizers(draw: st.DrawFn) -> Any:
    """A bare tokenizer or one of transformers."""
    kind = draw(st.sampled_from([*MODELS[:5] * 2, *MODELS[5:]]))  # the last are mostly refused
    alphabet = draw(st.sampled_from(["all", "all", *ALPHABETS]))
    fast = Tokenizer(_model(kind, ALPHABETS[alphabet], draw(st.booleans())))
    names = draw(st.lists(st.sampled_from([*NORMALIZERS]), max_size=3))
    made_of = [NORMALIZERS[name]() for name in names]
    if kind.startswith(("pieces", "unigram")) and draw(st.booleans()):
        made_of.append(normalizers.Replace(" ", "▁"))
    if made_of:
        fast.normalizer = made_of[0] if len(made_of) == 1 else normalizers.Sequence(made_of)
    usual = draw(st.sampled_from([True, True, True, False]))
    before, after = USUAL[kind] if usual else ([*PRE_TOKENIZERS], [*DECODERS])
    if (pre := PRE_TOKENIZERS[draw(st.sampled_from(before))]()) is not None:
        fast.pre_tokenizer = pre
    if (decoder := DECODERS[draw(st.sampled_from(after))]()) is not None:
        fast.decoder = decoder
    for token in draw(added_tokens()):
        (fast.add_special_tokens if token.special else fast.add_tokens)([token])
    ends = [content for content in ("<s>", "</s>") if fast.token_to_id(content) is not None]
    if ends and draw(st.booleans()):
        bos, eos = ("<s> " if "<s>" in ends else ""), (" </s>" if "</s>" in ends and draw(st.booleans()) else "")
        fast.post_processor = processors.TemplateProcessing(
            single=f"{bos}$A{eos}", special_tokens=[(content, fast.token_to_id(content)) for content in ends]
        )
    if draw(st.booleans()):
        return fast
    named = {"eos_token": "</s>"} if "</s>" in ends else {}
    return PreTrainedTokenizerFast(tokenizer_object=fast, chat_template=made.CHAT, **named)
