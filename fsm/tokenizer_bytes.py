"""The bytes that each token puts into a text, read from a Hugging Face tokenizer of any kind.

A tokenizer writes its pieces in one of a few ways: byte-level BPE has a printable stand-in for every byte, and
SentencePiece has plain text with a character for the space. `tokens_of` turns them into bytes, and then checks with the
tokenizer's own model that these bytes are the text: a tokenizer that it does not understand is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import hexdigits
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np

# --- what a tokenizer does to a text before it cuts it: its normalizers, and the spaces that it folds
#
# A row's text is that of its tokens. So a text that a tokenizer changes has to be told from one that it cannot spell.

SPACE = "\u2581"  # SentencePiece writes a space as this lower block

#: Texts that normalizers change, the most usual first.
CHANGEABLE = ("Hello", "caf\u00e9", "cafe\u0301", "\ufb01n", "\u00bd", "``so''")
CHANGEABLE += (" so", "so ", "so  so", "so\tso", "so\u200bso")


class Change(NamedTuple):
    """A part of a tokenizer that changes texts, by its name, and an example."""

    part: str
    text: str
    changed: str


@dataclass(frozen=True, eq=False)
class TextRules:
    """How a `tokenizers.Tokenizer` changes a text before it cuts it.

    A space that it writes before a text is no change, nor are the characters by which its pieces write spaces or bytes.

    Attributes:
        normalizers: the parts of its normalizer that may change a text, in order: their settings, and themselves.
        spaces: the characters by which its pieces may write a space.
        folds: whether it takes spaces and newlines that follow each other for one space.
    """

    normalizers: tuple[tuple[dict[str, Any], Any], ...]
    spaces: tuple[str, ...]
    folds: bool

    @classmethod
    def of(cls, fast: Any) -> TextRules:
        """The rules of a tokenizer.

        Raises:
            ValueError: a component that is written in Python.
        """
        changing = [part for part in parts(fast.normalizer) if not writes_space(part) and not writes_stand_ins(part)]
        return cls(
            tuple((part, tokenizer_of(type(fast), [part]).normalizer) for part in changing),
            (SPACE, *space_characters(fast)),
            {"WhitespaceSplit", "Metaspace"} <= {part["type"] for part in parts(fast.pre_tokenizer)},
        )

    def written(self, text: str) -> str:
        """A text as its tokens read: normalized, and with its spaces folded.

        >>> from tokenizers import Tokenizer, models, normalizers
        >>> fast = Tokenizer(models.BPE())
        >>> fast.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
        >>> TextRules.of(fast).written("\ufb01ne Hat")
        'fine hat'
        """
        for _, normalizer in self.normalizers:
            text = normalizer.normalize_str(text)
        return self._read(text)

    def keeps(self, text: str) -> bool:
        """Whether a text stays as it is."""
        return self.written(text) == self._read(text)

    def agree(self, data: bytes, text: str) -> bool:
        """Whether tokens of these bytes hold the whole of a text, as it is written; one space before it is free."""
        written = self.written(text)
        return self._read(data.decode("utf-8", "surrogateescape")) in (
            written,
            f" {written}",
            written.removeprefix(" "),
        )

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What changes texts: each part with one example, if any. Accents that are composed are none."""
        changes = []
        for part, normalizer in self.normalizers:
            pattern = part["pattern"].get("String") if part["type"] == "Replace" else None
            pairs = ((text, normalizer.normalize_str(text)) for text in (*([pattern] if pattern else ()), *CHANGEABLE))
            changes += [Change(part["type"], *pair) for pair in pairs if self._differ(*pair)][:1]
        return (*changes, *([Change("WhitespaceSplit", "so  so", "so so")] if self.folds else ()))

    def _differ(self, a: str, b: str) -> bool:
        return normalize("NFC", self._read(a)) != normalize("NFC", self._read(b))

    def _read(self, text: str) -> str:
        for character in self.spaces:
            text = text.replace(character, " ")
        return " ".join(text.split()) if self.folds else text


def writes_space(part: dict[str, Any]) -> bool:
    """Whether a part of a normalizer writes SentencePiece's space before a text."""
    return part["type"] == "Prepend" and part["prepend"] in (SPACE, " ")


SPACES = ({"String": " "}, SPACE)  # the pattern and the content of a normalizer that writes spaces so


def writes_stand_ins(part: dict[str, Any]) -> bool:
    """Whether a part of a normalizer writes the characters by which pieces write bytes, or spaces."""
    return part["type"] == "ByteLevel" or (part["type"] == "Replace" and (part["pattern"], part["content"]) == SPACES)


def space_characters(fast: Any) -> list[str]:
    """The characters that a tokenizer's decoder reads as a space."""
    decoders = parts(fast.decoder)
    spaces = [part["replacement"] for part in decoders if part["type"] == "Metaspace"]
    return spaces + [
        part["pattern"]["String"]
        for part in decoders
        if part["type"] == "Replace" and part["content"] == " " and "String" in part["pattern"]
    ]


# --- the parts of a `tokenizers.Tokenizer`, as they would stand in `tokenizer.json`; and tokenizers made of such parts


def settings(component: Any) -> dict[str, Any]:
    """The dict that would stand in `tokenizer.json` for one component of a tokenizer.

    Raises:
        ValueError: the component is written in Python, so its settings are not known.
    """
    try:
        return json.loads(component.__getstate__())  # far cheaper than the whole tokenizer's JSON, with its vocabulary
    except Exception as error:
        raise ValueError(f"a tokenizer with a custom {type(component).__name__} cannot be read: {error}") from error


def parts(component: Any) -> list[dict[str, Any]]:
    """The settings of a tokenizer's normalizer, pre-tokenizer, decoder or post-processor, sequences flattened.

    Each is the dict that would stand in `tokenizer.json`; `[]` for None.
    """
    if component is None:
        return []
    flat, queue = [], [settings(component)]
    while queue:
        part = queue.pop(0)
        inner = next((part[k] for k in ("normalizers", "pretokenizers", "decoders", "processors") if k in part), None)
        if inner is None:
            flat.append(part)
        else:
            queue[:0] = inner
    return flat


def tokenizer_of(kind: Any, normalizers: Sequence[dict[str, Any]], pre_tokenizer: dict[str, Any] | None = None) -> Any:
    """A tokenizer of this class around an empty model, from the settings of its normalizers and its pre-tokenizer.

    (Components can only be edited in place, in the user's tokenizer; this makes others.)
    """
    fields = {
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": list(normalizers)} if normalizers else None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "BPE", "vocab": {}, "merges": []},
    }
    return kind.from_str(json.dumps(fields))


def encoded(fast: Any, text: str) -> Any | None:
    """The encoding of a text; None if the tokenizer refuses it.

    Raises:
        ValueError: the tokenizers library itself breaks down at this text.
    """
    try:
        return fast.encode(text)
    except Exception:  # of a model without an unknown token: it cannot spell the text
        return None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"the tokenizers library breaks down at {text!r}: {error}") from error


# --- tokenizer bytes

#: What a tokenizer must spell, line by line, for its vocabulary to be believed.
PROBE = (
    "Hello, world! 0123456789",
    "a  b   c\td e",
    " one space before, one after ",
    "one\ntwo\n\nthree",
    "def f(x):\n    return {'k': [x, 1.5]}  # <tag>",
    "naïve café, Ærøskøbing, Ελληνικά, Привет",
    "日本語の文章、中文字符 한국어",
    "🦙 llama \U0001f469\u200d\U0001f467 family",
)

BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")

_converted: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def backend(tokenizer: Any) -> Any:
    """The `tokenizers.Tokenizer` that does a tokenizer's work. A slow tokenizer is converted by transformers.

    Raises:
        ValueError: there is none.
    """
    fast = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if hasattr(fast, "get_added_tokens_decoder"):
        return fast
    if tokenizer not in _converted:
        _converted[tokenizer] = _convert(tokenizer)
    return _converted[tokenizer]


def _convert(tokenizer: Any) -> Any:
    """A fast tokenizer with the ids of a slow one."""
    name = type(tokenizer).__name__
    try:
        from transformers.convert_slow_tokenizer import convert_slow_tokenizer

        path = getattr(tokenizer, "_tokenizer_path", None)  # mistral-common's tokenizers know their file
        if path is not None and str(path).endswith(".json"):
            from transformers.integrations.mistral.tokenizer import MistralConverter

            return MistralConverter(str(path)).converted()
        if path is not None:
            from transformers import LlamaTokenizer

            with tempfile.TemporaryDirectory() as folder:  # which reads a folder, and that file by its usual name
                shutil.copyfile(path, os.path.join(folder, "tokenizer.model"))
                return LlamaTokenizer.from_pretrained(folder).backend_tokenizer
        fast = convert_slow_tokenizer(tokenizer)
        for _, token in sorted(tokenizer.added_tokens_decoder.items()):
            (fast.add_special_tokens if token.special else fast.add_tokens)([token])
    except Exception as error:  # whatever the conversion stumbles over, the user's question is the same
        raise ValueError(
            f"{name} is not backed by the `tokenizers` library, and transformers cannot turn it into a tokenizer that "
            f"is ({error}). Load a fast tokenizer"
        ) from error
    return fast


def byte_stand_ins() -> dict[int, int]:
    """The 256 printable characters by which byte-level tokenizers write bytes: {code point of the character: byte}.

    Printable bytes of Latin-1 stand for themselves; the others are numbered from U+0100 on.
    """
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    unprintable = [byte for byte in range(256) if byte not in plain]
    return {byte: byte for byte in plain} | {256 + n: byte for n, byte in enumerate(unprintable)}


def eos_ids(tokenizer: Any) -> tuple[int, ...]:
    """The ids that the tokenizer says end a text."""
    one = getattr(tokenizer, "eos_token_id", None)
    if one is None:
        return ()
    return tuple(one) if isinstance(one, (list, tuple)) else (one,)


def special_ids(tokenizer: Any, fast: Any) -> set[int]:
    """The ids that the tokenizer calls special, by its list or by the mark on an added token; and the unknown one."""
    marked = {i for i, token in fast.get_added_tokens_decoder().items() if token.special}
    marked |= {i for i in getattr(tokenizer, "all_special_ids", ()) if i is not None}
    unknown_id = unknown(fast)
    return marked if unknown_id is None else marked | {unknown_id}


def unknown(fast: Any) -> int | None:
    """The id that a tokenizer's model writes for what it cannot spell, if it has one."""
    name = getattr(fast.model, "unk_token", None)
    if name is not None:
        return fast.model.token_to_id(name)
    if type(fast.model).__name__ == "Unigram":  # it does not tell, but its JSON begins with it
        match = re.match(rb'\{"type":"Unigram","unk_id":(\d+)', fast.model.__getstate__()[:80])
        return int(match[1]) if match else None
    return None


class Spelled(NamedTuple):
    """The bytes of pieces, in order: data[0 : ends[0]], data[ends[0] + border : ends[1]] …; but `others`, by name."""

    data: bytes
    ends: np.ndarray
    border: int
    others: Mapping[str, bytes]


def tokens_of(tokenizer: Any, fast: Any, special: set[int]) -> tuple[list[bytes], set[int]]:
    """The bytes of each id, and the special ids: those given, and those that no piece has.

    Raises:
        ValueError: as `Vocabulary.of` says.
    """
    pieces = fast.get_vocab(with_added_tokens=True)
    ids = np.fromiter(pieces.values(), np.int64, len(pieces))
    data, ends, border, others = _spell(tokenizer, fast, pieces)
    order = np.argsort(ids, kind="stable")  # tokens that are made in the order of ids are neighbours in memory
    starts = np.append(0, ends + border)[:-1]
    tokens: list[bytes] = [b""] * int(ids.max(initial=-1) + 1)
    for i, start, end in zip(ids[order].tolist(), starts[order].tolist(), ends[order].tolist(), strict=True):
        tokens[i] = data[start:end]
    for name, token in others.items():
        tokens[pieces[name]] = token
    unused = np.ones(len(tokens), bool)
    unused[ids] = False
    special = special | set(np.flatnonzero(unused).tolist())
    _check(tokenizer, fast, pieces, tokens, special)
    return tokens, special


def _spell(tokenizer: Any, fast: Any, pieces: Mapping[str, int]) -> Spelled:
    """The bytes of the model's pieces, by the way in which the decoder reads them."""
    decoder = {part["type"] for part in parts(fast.decoder)}
    _refuse(type(tokenizer).__name__, type(fast.model).__name__, decoder)
    before = {part["type"] for part in parts(fast.pre_tokenizer)}
    if "ByteLevel" in decoder or ("ByteLevel" in before and not decoder):
        return _byte_level(fast, pieces)
    return _plain(fast, decoder, pieces)


def _refuse(tokenizer: str, model: str, decoder: Container[str]) -> None:
    """Refuse tokenizers whose pieces do not spell the text.

    Raises:
        ValueError: it is such a tokenizer.
    """
    if model == "WordPiece" or "WordPiece" in decoder:
        raise ValueError(
            f"{tokenizer} is a WordPiece tokenizer: its pieces drop spaces and often case, so they do not spell the "
            "text. Use a model whose tokenizer is byte-level BPE or SentencePiece (BPE or Unigram)"
        )
    for wrong in ("BPEDecoder", "CTC"):
        if wrong in decoder:
            raise ValueError(
                f"{tokenizer} has a {wrong} decoder: its pieces do not spell the text's spaces. "
                "Use a model whose tokenizer is byte-level BPE or SentencePiece (BPE or Unigram)"
            )


def _byte_level(fast: Any, pieces: Mapping[str, int]) -> Spelled:
    """The bytes of pieces that are written in stand-ins.

    Added tokens are matched before a text is written in stand-ins. A piece with any other character was put there as
    plain text, and the decoder reads it so.
    """
    table, names = byte_stand_ins(), list(pieces)
    byte_of = np.full(max(table) + 2, 256, np.int64)  # 256: no stand-in
    byte_of[list(table)] = list(table.values())
    code_points = np.frombuffer("".join(names).encode("utf-32-le"), np.uint32)
    spelled = byte_of[np.minimum(code_points, len(byte_of) - 1)]
    ends = np.cumsum(np.fromiter(map(len, names), np.int64, len(names)))
    plain = np.searchsorted(ends, np.flatnonzero(spelled == 256), side="right")  # the pieces of these characters
    others = {names[i] for i in np.unique(plain).tolist()}
    others |= {token.content for token in fast.get_added_tokens_decoder().values() if token.content in pieces}
    return Spelled(spelled.astype(np.uint8).tobytes(), ends, 0, {name: name.encode() for name in others})


def _plain(fast: Any, decoder: Container[str], pieces: Mapping[str, int]) -> Spelled:
    """The bytes of pieces in plain text, with a character that stands for the space, and `<0x0A>` for bytes."""
    border = "\ud800"  # no character, so in no piece; three bytes, the first two of which stand for nothing else
    joined, spaces = border.join([*pieces, ""]), space_characters(fast)
    if spaces:
        joined = joined.replace(spaces[0], " ")
    data = joined.encode("utf-8", "surrogatepass")
    codes = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero((codes[:-1] == 0xED) & (codes[1:] == 0xA0))
    others: dict[str, bytes] = {}
    if "ByteFallback" in decoder or getattr(fast.model, "byte_fallback", False):
        spellings = (f"<0x{high}{low}>" for high in hexdigits for low in hexdigits)
        others = {name: bytes.fromhex(name[3:5]) for name in spellings if name in pieces}
    return Spelled(data, ends, 3, others)


def _check(tokenizer: Any, fast: Any, pieces: Mapping[str, int], tokens: list[bytes], special: set[int]) -> None:
    """Known answers: encode `PROBE` with the tokenizer's own model and compare the joined bytes with the text.

    What the tokenizer itself changes in a text, and a space that it writes before it, is no difference. A line with
    characters that it cannot spell (a small vocabulary without bytes) says nothing; one made of its own pieces does.
    """
    rules = TextRules.of(fast)
    bare = type(fast)(fast.model)  # no padding, truncation or added tokens; the model is shared, not copied
    bare.normalizer, bare.pre_tokenizer = fast.normalizer, fast.pre_tokenizer
    for line in (*PROBE, _own_line(tokens, special)):
        encoding = encoded(bare, line)
        if encoding is None or not special.isdisjoint(encoding.ids) or _drops(fast, pieces, line):
            continue
        joined = b"".join([tokens[i] for i in encoding.ids])
        if not rules.agree(joined, line):
            raise ValueError(
                f"the tokens of {type(tokenizer).__name__} do not spell the text: {line!r} is encoded as "
                f"{encoding.tokens}, which reads {joined!r}. Its decoder is "
                f"{[part['type'] for part in parts(fast.decoder)]}; byte-level BPE and SentencePiece are understood"
            )


def _drops(fast: Any, pieces: Mapping[str, int], text: str) -> bool:
    """Whether a text has characters that a tokenizer's model drops without a word: BPE, where it has no such piece."""
    if type(fast.model).__name__ != "BPE":
        return False
    text = text if fast.normalizer is None else fast.normalizer.normalize_str(text)
    cut = [(text, None)] if fast.pre_tokenizer is None else fast.pre_tokenizer.pre_tokenize_str(text)
    characters = {character for piece, _ in cut for character in piece if character not in pieces}
    if not fast.model.byte_fallback:
        return bool(characters)
    return any(f"<0x{byte:02X}>" not in pieces for character in characters for byte in character.encode())


def _own_line(tokens: list[bytes], special: set[int]) -> str:
    """A text that every tokenizer can spell: some of its own pieces, joined."""
    pieces: list[str] = []
    for i, token in enumerate(tokens):
        if i not in special:
            with contextlib.suppress(UnicodeDecodeError):
                pieces.append(token.decode())
        if len(pieces) == 40:
            break
    return "".join(pieces)
