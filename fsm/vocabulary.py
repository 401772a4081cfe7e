"""Token id ↔ bytes, for every kind of Hugging Face tokenizer.

Constraints are automata over bytes. A `Vocabulary` is the one thing that they need to know of a tokenizer: the bytes
that each id puts into the text, and which ids put none there (special tokens) or end it (eos).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from .bitmask import pack

T = TypeVar("T")

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

SPACE = "\u2581"  # SentencePiece writes a space as this lower block
BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """The tokens of a model as bytes: an immutable value.

    Args:
        tokens: the bytes of each id. Those of a special token serve for display only.
        eos: the ids that end a text, at most a handful.
        special: the ids that are never text; those of `eos` are always among them.

    Raises:
        TypeError: a token that is not `bytes`.
        ValueError: an id outside `range(len(tokens))`.

    Equality and hash go by `fingerprint`, which is the same in every process.

    >>> v = Vocabulary([b"", b"a", b"b", b"ab"], eos=[0])
    >>> v
    Vocabulary(4 tokens, eos=(0,), 1 special)
    >>> v.decode([3, 0, 2]), v.text_ids.tolist()
    (b'abb', [1, 2, 3])
    """

    tokens: tuple[bytes, ...]
    eos: tuple[int, ...]
    special: frozenset[int] = frozenset()
    #: What others derive from this vocabulary (guides, masks); `clear_caches` forgets it.
    cache: dict[Any, Any] = field(init=False, default_factory=dict)
    _derived: dict[Any, Any] = field(init=False, default_factory=dict)
    _deriving: threading.RLock = field(init=False, default_factory=threading.RLock)

    def __init__(self, tokens: Sequence[bytes], eos: Iterable[int], special: Iterable[int] = ()):
        tokens = tuple(tokens)
        wrong = {type(token).__name__ for token in tokens if type(token) is not bytes}
        if wrong:
            raise TypeError(f"the tokens of a Vocabulary are bytes, not {', '.join(sorted(wrong))}")
        ends = tuple(dict.fromkeys(int(i) for i in eos))
        kept = frozenset(int(i) for i in special) | frozenset(ends)
        outside = sorted(i for i in kept if not 0 <= i < len(tokens))
        if outside:
            raise ValueError(f"eos or special ids {outside} lie outside a vocabulary of {len(tokens)} tokens")
        fields = {"tokens": tokens, "eos": ends, "special": kept, "cache": {}}
        for name, value in {**fields, "_derived": {}, "_deriving": threading.RLock()}.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, tokenizer: Any, size: int | None = None, eos: Iterable[int] | None = None) -> Vocabulary:
        """The vocabulary of a Hugging Face tokenizer, made once for each tokenizer object and kept as long as it lives.

        Args:
            tokenizer: a `transformers` tokenizer, or a bare `tokenizers.Tokenizer` (give `eos` then).
            size: the model's number of logits: ids beyond the tokenizer's are special and empty, or are cut off.
            eos: the ids that end a text, where the model has others or more than the tokenizer's own `eos_token_id`.

        Raises:
            ValueError: the tokenizer does not spell text (WordPiece, CTC, …), or its pieces, joined, are not the text
                that it was given. The message names its class.
        """
        if eos is None:
            ends = tuple(i for i in _eos(tokenizer) if size is None or i < size)
        else:
            ends = tuple(int(i) for i in eos)
        fast = backend(tokenizer)
        marked = _special(tokenizer, fast)
        # A tokenizer can be changed (`add_tokens`, `eos_token = …`): what could change is part of the key.
        key = (size, ends, frozenset(marked), fast.get_vocab_size(with_added_tokens=True))
        known = _made.setdefault(tokenizer, {})
        if key not in known:
            known[key] = _read(cls, tokenizer, fast, size, ends, marked)
        return known[key]

    def __len__(self) -> int:
        return len(self.tokens)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self is other or self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} tokens, eos={self.eos}, {len(self.special)} special)"

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.tokens, self.eos, sorted(self.special))  # without the caches

    @cached_property
    def fingerprint(self) -> str:
        """A hex digest of tokens, eos and special ids: equal in every process, for equal vocabularies only."""
        digest = hashlib.sha256(np.array([len(self), *map(len, self.tokens)], dtype="<i8").tobytes())
        digest.update(b"".join(self.tokens))
        digest.update(json.dumps([sorted(self.eos), sorted(self.special)]).encode())
        return digest.hexdigest()

    @cached_property
    def text_ids(self) -> np.ndarray:
        """The ids that are text, ascending: not special, and of at least one byte. int64 [n], read-only."""
        ids = np.array([i for i, token in enumerate(self.tokens) if token and i not in self.special], dtype=np.int64)
        ids.flags.writeable = False
        return ids

    @cached_property
    def no_eos(self) -> np.ndarray:
        """The mask of all tokens but those that end a text: int32 [(V + 31) // 32], read-only."""
        allowed = np.ones(len(self), bool)
        allowed[list(self.eos)] = False
        return pack(allowed)

    @cached_property
    def single_bytes(self) -> dict[int, int]:
        """A text token for each byte that is one by itself."""
        return {self.tokens[i][0]: i for i in reversed(self.text_ids.tolist()) if len(self.tokens[i]) == 1}

    def decode(self, ids: Iterable[int], special: bool = False) -> bytes:
        """The bytes of `ids`, joined. Special tokens are left out unless `special`.

        Raises:
            IndexError: an id outside the vocabulary.
        """
        if special:
            return b"".join([self.tokens[i] for i in ids])
        return b"".join([self.tokens[i] for i in ids if i not in self.special])

    def derived(self, make: Callable[[Vocabulary], T]) -> T:
        """What a function makes of this vocabulary: made once, and kept as long as the vocabulary lives.

        (Its trie, and the surveys of its tokens: all guides use these, and `clear_caches` does not forget them.)
        """
        made = self._derived.get(make)
        if made is None:
            with self._deriving:
                if make not in self._derived:
                    self._derived[make] = make(self)
                made = self._derived[make]
        return made

    def clear_caches(self) -> None:
        """Forget every guide and mask that is kept for this vocabulary (for benchmarks and tests); not its trie."""
        self.cache.clear()


_made: weakref.WeakKeyDictionary[Any, dict[Any, Vocabulary]] = weakref.WeakKeyDictionary()
_converted: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def backend(tokenizer: Any) -> Any:
    """The `tokenizers.Tokenizer` that does a tokenizer's work; for a slow one, what transformers turns it into.

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


def settings(component: Any) -> dict[str, Any]:
    """What would stand in `tokenizer.json` for one component of a tokenizer.

    Raises:
        ValueError: it is written in Python, so that nothing is known of it.
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
    found, queue = [], [settings(component)]
    while queue:
        part = queue.pop(0)
        inner = next((part[k] for k in ("normalizers", "pretokenizers", "decoders", "processors") if k in part), None)
        if inner is None:
            found.append(part)
        else:
            queue[:0] = inner
    return found


def byte_stand_ins() -> dict[int, int]:
    """The 256 printable characters by which byte-level tokenizers write bytes: {code point of the character: byte}.

    Printable bytes of Latin-1 stand for themselves; the others are numbered from U+0100 on.
    """
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {byte: byte for byte in plain} | {256 + n: byte for n, byte in enumerate(rest)}


def _eos(tokenizer: Any) -> tuple[int, ...]:
    one = getattr(tokenizer, "eos_token_id", None)
    if one is None:
        return ()
    return tuple(one) if isinstance(one, (list, tuple)) else (one,)


def _special(tokenizer: Any, fast: Any) -> set[int]:
    """The ids that the tokenizer calls special, by its list or by the mark on an added token; and the unknown one."""
    marked = {i for i, token in fast.get_added_tokens_decoder().items() if token.special}
    marked |= {i for i in getattr(tokenizer, "all_special_ids", ()) if i is not None}
    lost = unknown(fast)
    return marked if lost is None else marked | {lost}


def unknown(fast: Any) -> int | None:
    """The id that a tokenizer's model writes for what it cannot spell, if it has one."""
    name = getattr(fast.model, "unk_token", None)
    if name is not None:
        return fast.model.token_to_id(name)
    if type(fast.model).__name__ == "Unigram":  # it does not tell, but its JSON begins with it
        found = re.match(rb'\{"type":"Unigram","unk_id":(\d+)', fast.model.__getstate__()[:80])
        return int(found[1]) if found else None
    return None


def _read(
    cls: type[Vocabulary], tokenizer: Any, fast: Any, size: int | None, eos: tuple[int, ...], special: set[int]
) -> Vocabulary:
    pieces = fast.get_vocab(with_added_tokens=True)
    count = max(pieces.values(), default=-1) + 1
    tokens: list[bytes] = [b""] * count
    names = list(pieces)
    for name, spelled in zip(names, _spell(tokenizer, fast, names), strict=True):
        tokens[pieces[name]] = spelled
    used = set(pieces.values())
    special = special | {i for i in range(count) if i not in used}
    _check(tokenizer, fast, tokens, special)
    if size is not None:
        special = {i for i in special if i < size} | set(range(count, size))
        tokens = tokens[:size] + [b""] * (size - count)
    return cls(tokens, eos, special)


def _spell(tokenizer: Any, fast: Any, names: list[str]) -> list[bytes]:
    """The bytes of each of the model's pieces, by the way in which the decoder reads them."""
    model = type(fast.model).__name__
    decoder = {part["type"]: part for part in parts(fast.decoder)}
    kind = type(tokenizer).__name__
    if model == "WordPiece" or "WordPiece" in decoder:
        raise ValueError(
            f"{kind} is a WordPiece tokenizer: its pieces drop spaces and often case, so they do not spell the text. "
            "Use a model whose tokenizer is byte-level BPE or SentencePiece (BPE or Unigram)"
        )
    for wrong in ("BPEDecoder", "CTC"):
        if wrong in decoder:
            raise ValueError(
                f"{kind} has a {wrong} decoder: its pieces do not spell the text's spaces. "
                "Use a model whose tokenizer is byte-level BPE or SentencePiece (BPE or Unigram)"
            )
    before = {part["type"] for part in parts(fast.pre_tokenizer)}
    if "ByteLevel" in decoder or ("ByteLevel" in before and not decoder):
        table = byte_stand_ins()
        stand_ins = set(map(chr, table))
        # Added tokens are matched before a text is written in stand-ins. A piece with any other character was put there
        # as plain text; the decoder reads it so, too.
        added = {token.content for token in fast.get_added_tokens_decoder().values()}
        return [
            name.translate(table).encode("latin-1")
            if stand_ins.issuperset(name) and name not in added
            else name.encode()
            for name in names
        ]
    spaces = [part["replacement"] for part in decoder.values() if part["type"] == "Metaspace"]
    spaces += [
        part["pattern"]["String"]
        for part in parts(fast.decoder)
        if part["type"] == "Replace" and part["content"] == " " and "String" in part["pattern"]
    ]
    spelled = [name.replace(spaces[0], " ").encode() for name in names] if spaces else [name.encode() for name in names]
    if "ByteFallback" in decoder or getattr(fast.model, "byte_fallback", False):
        for at, name in enumerate(names):
            if name.startswith("<0x") and (match := BYTE_PIECE.fullmatch(name)):
                spelled[at] = bytes([int(match[1], 16)])
    return spelled


def _check(tokenizer: Any, fast: Any, tokens: list[bytes], special: set[int]) -> None:
    """Known answers: encode `PROBE` with the tokenizer's own model and compare the joined bytes with the text.

    What the tokenizer's normalizer changes, and a space that it writes before the text, is no difference. A line with
    characters that it cannot spell (a small vocabulary without bytes) says nothing; one made of its own pieces does.
    """
    bare = type(fast)(fast.model)  # no padding, truncation or added tokens; the model is shared, not copied
    bare.normalizer, bare.pre_tokenizer = fast.normalizer, fast.pre_tokenizer
    splits_at_spaces = any(part["type"] == "WhitespaceSplit" for part in parts(fast.pre_tokenizer))
    for line in (*PROBE, _own_line(tokens, special)):
        encoding = bare.encode(line)
        if not is_spelled(encoding, line, special):
            continue
        written = fast.normalizer.normalize_str(line) if fast.normalizer is not None else line
        expected = written.replace(SPACE, " ").encode()
        joined = b"".join([tokens[i] for i in encoding.ids]).replace(SPACE.encode(), b" ")
        if splits_at_spaces:  # T5 and its kin fold spaces and newlines into one space
            expected, joined = b" ".join(expected.split()), b" ".join(joined.split())
        if joined.removeprefix(b" ") != expected.removeprefix(b" "):
            raise ValueError(
                f"the tokens of {type(tokenizer).__name__} do not spell the text: {line!r} is encoded as "
                f"{encoding.tokens}, which reads {joined!r}. Its decoder is "
                f"{[part['type'] for part in parts(fast.decoder)]}; byte-level BPE and SentencePiece are understood"
            )


def is_spelled(encoding: Any, text: str, special: Container[int]) -> bool:
    """Whether an encoding holds the whole of its text: no unknown token, and no character but spaces dropped."""
    if any(i in special for i in encoding.ids):
        return False
    kept = {at for begin, end in encoding.offsets for at in range(begin, end)}
    return all(at in kept or character.isspace() for at, character in enumerate(text))


def _own_line(tokens: list[bytes], special: set[int]) -> str:
    """A text that every tokenizer can spell: some of its own pieces, joined."""
    own: list[str] = []
    for i, token in enumerate(tokens):
        if i not in special:
            with contextlib.suppress(UnicodeDecodeError):
                own.append(token.decode())
        if len(own) == 40:
            break
    return "".join(own)
