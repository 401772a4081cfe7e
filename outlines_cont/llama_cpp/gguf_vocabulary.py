"""The vocabulary of a GGUF file, checked: its tokens and their kinds, merges or scores, and the ids with a meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.llama_cpp.gguf_file import GGUFFile

# --- how byte-level BPE cuts a text into words, by the name that a GGUF file gives to it (`tokenizer.ggml.pre`)
#
# A name stands for patterns, one after the other: each cuts the pieces that the ones before it have left. The patterns
# are those that llama.cpp cuts by, which are the models' own except where a note says so;
# `tests/test_gguf_tokenizers.py` compares the tokens of random texts with llama.cpp's. A name that is not here is
# refused: a text would be cut elsewhere than in training.


@dataclass(frozen=True)
class PreTokenizer:
    """How a text is cut into words.

    Attributes:
        patterns: regular expressions; what one matches, and what lies between its matches, are pieces.
        whole_words: a word that is a token is written as that token, whatever the merges would make of it.
        adds_bos: a bos is written where the file does not say.
    """

    patterns: tuple[str, ...]
    whole_words: bool = False
    adds_bos: bool = False


_CONTRACTIONS = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_SPACES = r"\s+(?!\S)|\s+"
_GPT2 = rf"'s|'t|'re|'ve|'m|'ll|'d| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|{_SPACES}"
_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SIGNS = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
_LLAMA3 = rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}{{1,3}}|{_SIGNS}|{_SPACES}"
_QWEN2 = rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}|{_SIGNS}|{_SPACES}"
_QWEN35 = (
    rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|"
    + _SPACES
)
_DEEPSEEK3 = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|"
    r" ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|" + _SPACES
)
# llama.cpp takes every letter beyond ASCII for one of both cases.
_UPPER, _LOWER = r"(?:(?=\p{L})[^a-z])", r"(?:(?=\p{L})[^A-Z])"
_CASED = r"[^\r\n\p{L}\p{N}]?" + _UPPER
_CASED_SIGNS = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+"
_TEKKEN = rf"{_CASED}*{_LOWER}+|{_CASED}+{_LOWER}*|\p{{N}}|{_CASED_SIGNS}|{_SPACES}"
_GPT4O = (
    rf"{_CASED}*{_LOWER}+{_CONTRACTIONS}?|{_CASED}+{_LOWER}*{_CONTRACTIONS}?|\p{{N}}{{1,3}}|{_CASED_SIGNS}|{_SPACES}"
)
_BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"  # noqa: RUF001
_DIGIT, _CHINESE_AND_JAPANESE = r"\p{N}", "[一-龥぀-ゟ゠-ヿ]+"  # noqa: RUF001
_EAST_ASIAN = r"(?:(?!\s)[一-龥ࠀ-一가-\x{d7ff}])+"  # llama.cpp leaves out the spaces in it
#: The letters that have two cases, as DeepSeek's first tokenizer lists them.
_CASED_LETTERS = (
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅ"
    "ὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎ"  # noqa: RUF001
    "ꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃"  # noqa: RUF001
)

#: Names, and the patterns for which they stand.
_FAMILIES: list[tuple[str, PreTokenizer]] = [
    ("default", PreTokenizer((r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]"))),
    ("gpt-2 phi-2 gigachat a.x-4.0 mellum exaone4 mpt olmo jais trillion granite-docling", PreTokenizer((_GPT2,))),
    ("starcoder refact command-r smollm codeshell exaone minerva-7b mellum2", PreTokenizer((_DIGIT, _GPT2))),
    (
        "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
        PreTokenizer((_LLAMA3,), whole_words=True, adds_bos=True),
    ),
    ("dbrx smaug-bpe chatglm-bpe", PreTokenizer((_LLAMA3,))),
    ("glm4", PreTokenizer((_LLAMA3,), whole_words=True)),
    (
        "qwen2 deepseek-r1-qwen stablelm2 kormo megrez hunyuan solar-open grok-2 f2llmv2 "
        "bailingmoe bailingmoe2 llada-moe",
        PreTokenizer((_QWEN2,)),
    ),
    ("qwen35", PreTokenizer((_QWEN35,))),
    ("deepseek-v3 hunyuan-dense joyai-llm hy_v4", PreTokenizer((r"\p{N}{1,3}", _CHINESE_AND_JAPANESE, _DEEPSEEK3))),
    ("deepseek-coder", PreTokenizer((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _EAST_ASIAN, _DIGIT))),
    ("falcon", PreTokenizer((r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, "[0-9][0-9][0-9]"))),
    ("bloom poro-chat gpt3-finnish", PreTokenizer((_BLOOM,))),
    ("viking", PreTokenizer((_BLOOM, _DIGIT))),
    ("tekken", PreTokenizer((_TEKKEN,), whole_words=True, adds_bos=True)),
    ("gpt-4o llama4 kanana2 minimax-m2 talkie", PreTokenizer((_GPT4O,))),
    (
        "seed-coder",
        PreTokenizer((rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|\s*[\r\n]+|{_SPACES}",)),
    ),
    (
        "minicpm5",
        PreTokenizer((r"\p{N}{1,3}", rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}+|{_SIGNS}|{_SPACES}"), whole_words=True),
    ),
    ("ufakzeka", PreTokenizer((rf"{_WORDS}|\p{{N}}|{_SIGNS}|{_SPACES}",))),
    (
        "exaone-moe",
        PreTokenizer(
            (
                _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}|"
                r" ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|" + _SPACES,
            )
        ),
    ),
    ("laguna", PreTokenizer((r"[^\n]+|[\n]+", _QWEN2))),
    (
        "deepseek-llm",
        PreTokenizer(
            (
                r"[\r\n]",
                rf"\s?[{_CASED_LETTERS}]+",
                r"\s?(?:(?!\s)[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3000}-\x{3002}])+",
                r"\s+$",
                _EAST_ASIAN,
                r"\p{N}+",
            )
        ),
    ),
    (
        "jais-2",
        PreTokenizer(
            (
                rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}{{1,3}}|{_SIGNS}|"
                + "|".join(rf"\s{{{count}}}(?!\S)" for count in (512, 256, 128, 64, 32, 16, 8, 4))
                + r"|\s{1,2}(?!\S)|\s",
            )
        ),
    ),
    ("superbpe", PreTokenizer((r"\p{N}+", "(?=([0-9]{3})+(?![0-9]))"))),
]

#: By name.
PRE_TOKENIZERS: dict[str, PreTokenizer] = {name: kind for names, kind in _FAMILIES for name in names.split()}


# --- gguf vocabulary

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
