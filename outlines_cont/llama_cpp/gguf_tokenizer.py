"""A transformers tokenizer made of what a GGUF file says: its ids for a text are those of llama.cpp.

Two kinds of vocabularies are read: byte-level BPE ("gpt2") and SentencePiece's BPE with bytes for what has no piece
("llama"). A file that carries its tokenizer as JSON (`tokenizer.huggingface.json`) has that one, whatever its kind.

(transformers makes tokenizers of GGUF files, too. It goes by the architecture and takes its own tokenizer for it, with
a pattern for some of the names of `tokenizer.ggml.pre`; other names are passed over.)
"""

from __future__ import annotations

import itertools
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from outlines_cont import disk_cache
from outlines_cont.arguments import shown
from outlines_cont.llama_cpp.gguf_file import GGUFFile
from outlines_cont.llama_cpp.gguf_vocabulary import KEY, FileVocabulary, Kind

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

WHOLE = "tokenizer.huggingface.json"
TEMPLATE = "tokenizer.chat_template"
#: Tokens of Phi-3 that do not swallow the spaces after them; all its other special tokens do.
KEEPING_SPACES = ("<unk>", "<s>", "<|endoftext|>")


def tokenizer_of(file: GGUFFile) -> PreTrainedTokenizerBase:
    """The tokenizer of a file, with its chat template.

    Raises:
        ModelFileError: what it says of its vocabulary is damaged, or of a kind that is not read here.
    """
    whole = file.text(WHOLE)
    if whole is not None:
        fast = _parsed(file, whole)
        check_names(file, fast)
    vocabulary = FileVocabulary.of(file)
    if whole is None:
        fast = _byte_level(vocabulary) if vocabulary.model == "gpt2" else _sentencepiece(vocabulary)
        _add_tokens(fast, vocabulary, "phi3" in (file.name or "").lower().replace("-", ""))
        _add_around(fast, vocabulary)
    return _wrapped(file, fast, vocabulary)


def check_names(file: GGUFFile, fast: Any) -> None:
    """Whether a tokenizer has the tokens of a file under their ids.

    Raises:
        ModelFileError: it has not: the first that differs.
    """
    tokens = file.needed(f"{KEY}tokens", file.texts(f"{KEY}tokens"))
    kinds = file.numbers(f"{KEY}token_type")
    for i, token in enumerate(tokens):
        name = fast.id_to_token(i)
        if name != token and (kinds is None or i >= len(kinds) or kinds[i] in (Kind.NORMAL, Kind.CONTROL)):
            file.fail(
                f"the tokenizer is not that of the model: its token {i} is {shown(name)}, and the file's {shown(token)}"
            )


def _parsed(file: GGUFFile, whole: str) -> Tokenizer:
    try:
        return Tokenizer.from_str(whole)
    except Exception as error:  # of the tokenizers library, which has no class for it
        file.fail(f"{WHOLE} is not the JSON of a tokenizer: {error}")


def _pieces(vocabulary: FileVocabulary) -> dict[str, int]:
    """The ids of the tokens that are used."""
    named = zip(vocabulary.tokens, vocabulary.kinds, strict=True)
    return {token: i for i, (token, kind) in enumerate(named) if token and kind != Kind.UNUSED}


def _byte_level(vocabulary: FileVocabulary) -> Tokenizer:
    """Bytes are written as printable characters, and words are merged from them."""
    assert vocabulary.pre is not None
    pieces = _pieces(vocabulary)
    merges = [(a, b) for a, b in vocabulary.merges if a in pieces and b in pieces and a + b in pieces]
    fast = Tokenizer(models.BPE(pieces, merges, ignore_merges=vocabulary.pre.whole_words))
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in vocabulary.pre.patterns]
    stand_ins = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    fast.pre_tokenizer = pre_tokenizers.Sequence([*cuts, stand_ins])
    fast.decoder = decoders.ByteLevel()
    return fast


def _sentencepiece(vocabulary: FileVocabulary) -> Tokenizer:
    """A space is written ▁, any two neighbours that make a piece may be merged, the piece of the best score first."""
    pieces = _pieces(vocabulary)
    unknown = vocabulary.name_of(vocabulary.unknown)
    model = models.BPE(
        pieces,
        _merges_by_score(vocabulary, pieces),
        unk_token=unknown if unknown in pieces else None,
        fuse_unk=True,
        byte_fallback=Kind.BYTE in vocabulary.kinds,
    )
    fast = Tokenizer(model)
    prepend = [normalizers.Prepend("▁")] if vocabulary.adds_space else []
    fast.normalizer = normalizers.Sequence([*prepend, normalizers.Replace(" ", "▁")])
    strip = [decoders.Strip(" ", 1, 0)] if vocabulary.adds_space else []
    fast.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), *strip])
    return fast


def _merges_by_score(vocabulary: FileVocabulary, pieces: dict[str, int]) -> list[tuple[str, str]]:
    """The pairs of pieces that make a piece, those of better scores first. Kept on disk: they take half a second."""
    assert vocabulary.scores is not None
    tokens, scores = vocabulary.tokens, vocabulary.scores.astype(np.float64)
    ids = np.fromiter(pieces.values(), np.int64, len(pieces))

    def make() -> dict[str, np.ndarray]:
        lefts, rights = list[int](), list[int]()
        for token in ids[np.lexsort((ids, -scores[ids]))].tolist():
            piece = tokens[token]
            for border in range(1, len(piece)):
                left = pieces.get(piece[:border])
                if left is not None and (right := pieces.get(piece[border:])) is not None:
                    lefts.append(left)
                    rights.append(right)
        return {"left": np.array(lefts, np.int32), "right": np.array(rights, np.int32)}

    digest = blake2b(ids.tobytes() + scores.tobytes() + np.array([*map(len, tokens)]).tobytes(), digest_size=16)
    digest.update("".join(tokens).encode())
    merges = disk_cache.kept("merges", digest.hexdigest(), make)
    name = tokens.__getitem__
    return list(zip(map(name, merges["left"].tolist()), map(name, merges["right"].tolist()), strict=True))


def _add_tokens(fast: Tokenizer, vocabulary: FileVocabulary, swallows_spaces: bool) -> None:
    """Make special tokens of those that control the model, and whole tokens of those that users defined."""
    whole = np.flatnonzero(np.isin(vocabulary.kinds, (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED))).tolist()
    tokens = [
        AddedToken(
            name,
            special=vocabulary.kinds[i] != Kind.USER_DEFINED,
            normalized=False,
            rstrip=swallows_spaces and name not in KEEPING_SPACES,
        )
        for i in whole
        if (name := vocabulary.tokens[i])
    ]
    # Many at once: each call makes the automaton anew that finds them all.
    for special, run in itertools.groupby(tokens, key=lambda token: token.special):
        (fast.add_special_tokens if special else fast.add_tokens)(list(run))


def _add_around(fast: Tokenizer, vocabulary: FileVocabulary) -> None:
    """Have a bos and an eos written around a text, where the file says so."""
    wanted = {"bos": (vocabulary.adds_bos, vocabulary.bos), "eos": (vocabulary.adds_eos, vocabulary.eos)}
    ids = {name: token for name, (adds, token) in wanted.items() if adds and token is not None}
    if not ids:
        return
    single = [name for name in ("bos", "$A", "eos") if name in ids or name == "$A"]
    special: list[Any] = [
        {"id": name, "ids": [token], "tokens": [vocabulary.tokens[token]]} for name, token in ids.items()
    ]
    fast.post_processor = processors.TemplateProcessing(single=single, special_tokens=special)


class _AsItIs:
    """A tokenizer whose copy is itself: transformers copies what it is given, which takes as long as making it."""

    def __init__(self, fast: Tokenizer):
        self.fast = fast

    def __deepcopy__(self, memo: dict[int, Any]) -> Tokenizer:
        return self.fast


def _wrapped(file: GGUFFile, fast: Tokenizer, vocabulary: FileVocabulary) -> PreTrainedTokenizerBase:
    """The tokenizer as transformers has it: with names for its special tokens, and a chat template."""
    from transformers import PreTrainedTokenizerFast  # takes a second to import

    names = {
        "bos_token": vocabulary.name_of(vocabulary.bos),
        "eos_token": vocabulary.name_of(vocabulary.eos),
        "unk_token": vocabulary.name_of(vocabulary.unknown),
        "pad_token": vocabulary.name_of(vocabulary.pad),
    }
    return PreTrainedTokenizerFast(
        tokenizer_object=_AsItIs(fast),
        chat_template=_chat_template(file),
        clean_up_tokenization_spaces=False,
        model_max_length=file.context_length,
        **{role: name for role, name in names.items() if name},
    )


def _chat_template(file: GGUFFile) -> str | dict[str, str] | None:
    """The chat template; where a file has several, all of them by name."""
    named = {key.removeprefix(f"{TEMPLATE}."): file.text(key) for key in file.values if key.startswith(f"{TEMPLATE}.")}
    default = file.text(TEMPLATE)
    if not named:
        return default
    return {name: text for name, text in {"default": default, **named}.items() if text is not None}
