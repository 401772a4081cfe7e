"""The vocabulary of a GGUF file, checked: its tokens and their kinds, merges or scores, and the ids with a meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.engines.llama_cpp.gguf_file import GGUFFile
from outlines_cont.engines.llama_cpp.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer

KEY = "tokenizer.ggml."
#: Kinds of vocabularies that are not read here, and what they are.
REFUSED = {
    "bert": "WordPiece, whose pieces do not spell the text",
    "t5": "Unigram",
    "rwkv": "RWKV's own",
    "plamo2": "PLaMo's own",
    "gemma4": "BPE over plain text",
    "hybriddna": "of DNA",
    "whitespace": "of words",
    "no_vocab": "none at all",
    "none": "none at all",
}
#: What stands for "no token" in a file.
NO_ID = 2**32 - 1


class Kind(IntEnum):
    """What a token is, as `tokenizer.ggml.token_type` numbers it."""

    UNDEFINED = 0
    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True, eq=False)
class FileVocabulary:
    """What a file says of its tokens.

    Attributes:
        model: "gpt2" (byte-level BPE) or "llama" (SentencePiece's BPE).
        tokens: how each is written.
        kinds: what each is, as a `Kind`.
        scores: of each token, where the model has them: the higher is merged first.
        merges: pairs, the first is merged first; for "gpt2".
        pre: how a text is cut into words; for "gpt2".
        bos, eos, unknown, pad: ids with a meaning, where there are any.
        ends: the ids that end a text: eos, and the ends of a turn and of a message, where the file has others for them.
        adds_bos, adds_eos, adds_space: what is written around a text.
    """

    model: str
    tokens: tuple[str, ...]
    kinds: tuple[int, ...]
    scores: np.ndarray | None
    merges: tuple[tuple[str, str], ...]
    pre: PreTokenizer | None
    bos: int | None
    eos: int | None
    unknown: int | None
    pad: int | None
    ends: tuple[int, ...]
    adds_bos: bool
    adds_eos: bool
    adds_space: bool

    @classmethod
    def of(cls, file: GGUFFile) -> FileVocabulary:
        """The vocabulary of a file.

        Raises:
            ModelFileError: a key is missing, or does not fit the others; a kind of vocabulary, or a way to cut texts
                into words, that is not known here.
        """
        model = file.needed(f"{KEY}model", file.text(f"{KEY}model"))
        if model not in ("gpt2", "llama"):
            meaning = f" ({REFUSED[model]})" if model in REFUSED else ""
            file.fail(
                f"its vocabulary is of the kind {model!r}{meaning}; read are 'gpt2' (byte-level BPE) and 'llama' "
                "(SentencePiece BPE). Give the model's own tokenizer: oc.load(path, tokenizer='folder-or-hub-id')"
            )
        tokens = _tokens(file)
        pre = _pre_tokenizer(file) if model == "gpt2" else None
        default = {"bos": 1, "eos": 2, "unknown": 0} if model == "llama" else {}
        ids = {name: _id(file, name, len(tokens), default.get(name)) for name in ("bos", "eos", "unknown", "padding")}
        around = {
            "bos": file.flag(f"{KEY}add_bos_token", pre.adds_bos if pre else True),
            "eos": file.flag(f"{KEY}add_eos_token", False),
        }
        for name, adds in around.items():
            if adds and ids[name] is None:
                file.fail(f"it says that a {name} is written around a text, and has no key '{KEY}{name}_token_id'")
        return cls(
            model=model,
            tokens=tokens,
            kinds=_kinds(file, len(tokens)),
            scores=_scores(file, len(tokens)) if model == "llama" else None,
            merges=_merges(file, frozenset(tokens)) if model == "gpt2" else (),
            pre=pre,
            bos=ids["bos"],
            eos=ids["eos"],
            unknown=ids["unknown"],
            pad=ids["padding"],
            ends=end_ids(file),
            adds_bos=bool(around["bos"]),
            adds_eos=bool(around["eos"]),
            adds_space=model == "llama" and bool(file.flag(f"{KEY}add_space_prefix", True)),
        )

    def name_of(self, token: int | None) -> str | None:
        """How a token is written; None for none."""
        return None if token is None else self.tokens[token]


def end_ids(file: GGUFFile) -> tuple[int, ...]:
    """The ids that end a text, as the file names them: its eos, its ends of a turn and of a message.

    Raises:
        ModelFileError: an id that is no token.
    """
    count = len(file.texts(f"{KEY}tokens") or ())
    default = 2 if file.text(f"{KEY}model") == "llama" else None
    ids = [_id(file, "eos", count, default), _id(file, "eot", count, None), _id(file, "eom", count, None)]
    return tuple(dict.fromkeys(token for token in ids if token is not None))


def _tokens(file: GGUFFile) -> tuple[str, ...]:
    tokens = file.needed(f"{KEY}tokens", file.texts(f"{KEY}tokens"))
    if not tokens:
        file.fail(f"its vocabulary is empty: {KEY}tokens")
    if len(set(tokens) - {""}) != len(tokens) - tokens.count(""):
        first: dict[str, int] = {}
        for i, token in enumerate(tokens):
            if token and first.setdefault(token, i) != i:
                file.fail(f"it is damaged: the tokens {first[token]} and {i} are both written {shown(token)}")
    return tokens


def _kinds(file: GGUFFile, count: int) -> tuple[int, ...]:
    """The kind of each token; where the file does not say, all are normal."""
    kinds = file.numbers(f"{KEY}token_type")
    if kinds is None:
        return (Kind.NORMAL,) * count
    _check_length(file, "token_type", len(kinds), count)
    wrong = np.flatnonzero((kinds < 0) | (kinds > max(Kind)))
    if len(wrong):
        file.fail(f"it is damaged: token {wrong[0]} is of type {kinds[wrong[0]]}, which there is not")
    return tuple(kinds.tolist())


def _scores(file: GGUFFile, count: int) -> np.ndarray:
    scores = file.needed(f"{KEY}scores", file.numbers(f"{KEY}scores", floats=True))
    _check_length(file, "scores", len(scores), count)
    if np.isnan(scores).any():
        file.fail(f"it is damaged: {KEY}scores has values that are no numbers")
    return scores


def _check_length(file: GGUFFile, key: str, length: int, count: int) -> None:
    if length != count:
        file.fail(f"it is damaged: it has {count} tokens, and {length} items in {KEY}{key}")


def _merges(file: GGUFFile, tokens: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The pairs that are merged. Both parts, and what they make, are tokens."""
    merges = []
    for n, merge in enumerate(file.needed(f"{KEY}merges", file.texts(f"{KEY}merges"))):
        border = merge.find(" ", 1)
        left, right = merge[:border], merge[border + 1 :]
        if border < 0 or not right or not {left, right, left + right} <= tokens:
            file.fail(f"it is damaged: merge {n}, {shown(merge)}, does not join two tokens to a third")
        merges.append((left, right))
    return tuple(merges)


def _pre_tokenizer(file: GGUFFile) -> PreTokenizer:
    name = file.text(f"{KEY}pre", "default")
    if name not in PRE_TOKENIZERS:
        file.fail(
            f"its texts are cut into words by {name!r} ({KEY}pre), which is not known here. Give the model's own "
            f"tokenizer: oc.load(path, tokenizer='folder-or-hub-id'). Known are {', '.join(sorted(PRE_TOKENIZERS))}"
        )
    return PRE_TOKENIZERS[name]


def _id(file: GGUFFile, name: str, count: int, default: int | None) -> int | None:
    key = f"{KEY}{name}_token_id"
    token = file.number(key)
    if token is None:
        return default if default is not None and default < count else None
    if token in (NO_ID, -1):
        return None
    if not 0 <= token < count:
        file.fail(f"it is damaged: {key} is {token}, and it has {count} tokens")
    return token
