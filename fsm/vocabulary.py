"""The tokens of a model as bytes.

Constraints are automata over bytes. A `Vocabulary` is all that they need to know of a tokenizer: the bytes that each id
puts into the text, and which ids put none there (special tokens) or end it (eos). `tokenizer_bytes.py` reads them.
"""

from __future__ import annotations

import hashlib
import json
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from outlines_cont.arguments import flag, is_whole, plain, shown
from outlines_cont.processes import whole_at_fork
from outlines_cont.waiting import told

from .tokenizer_bytes import backend, eos_ids, special_ids, tokens_of

# --- packed token masks: one bit for each token of a vocabulary
#
# A mask is int32 [(V + 31) // 32]; bit t % 32 of word t // 32 says that token t is allowed. (The layout that xgrammar
# and llguidance share.)


def pack(allowed: np.ndarray) -> np.ndarray:
    """bool [V] → int32 [(V + 31) // 32], read-only.

    >>> pack(np.array([False, True, True]))
    array([6], dtype=int32)
    """
    packed = np.zeros((len(allowed) + 31) // 32 * 4, np.uint8)
    bits = np.packbits(allowed, bitorder="little")
    packed[: len(bits)] = bits
    mask = packed.view("<i4").astype(np.int32, copy=False)
    mask.flags.writeable = False
    return mask


def unpack(mask: np.ndarray, size: int) -> np.ndarray:
    """int32 [(V + 31) // 32] → bool [V], for a vocabulary of `size` tokens.

    >>> unpack(np.array([6], np.int32), 3)
    array([False,  True,  True])
    """
    return np.unpackbits(mask.astype("<i4").view(np.uint8), count=size, bitorder="little").astype(bool)


# --- vocabulary

T = TypeVar("T")


def _ids(name: str, ids: Any) -> list[int]:
    ids = plain(ids)
    if not isinstance(ids, Iterable) or not all(map(is_whole, ids := list(ids))):
        raise TypeError(f"{name}={shown(ids)}: it must be a list of token ids")
    return [int(i) for i in ids]


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
    _deriving: threading.RLock = field(init=False)

    def __init__(self, tokens: Sequence[bytes], eos: Iterable[int], special: Iterable[int] = ()):
        if not isinstance(tokens, Iterable) or hasattr(tokens, "tolist"):
            raise TypeError(f"the tokens of a Vocabulary are a list of bytes, not {shown(tokens)}")
        tokens = tuple(tokens)
        wrong = sorted(kind.__name__ for kind in set(map(type, tokens)) if kind is not bytes)
        if wrong:
            raise TypeError(f"the tokens of a Vocabulary are bytes, not {', '.join(wrong)}")
        ends = tuple(dict.fromkeys(_ids("eos", eos)))
        kept = frozenset(_ids("special", special)) | frozenset(ends)
        outside = sorted(i for i in kept if not 0 <= i < len(tokens))
        if outside:
            raise ValueError(f"eos or special ids {outside} lie outside a vocabulary of {len(tokens)} tokens")
        fields = {"tokens": tokens, "eos": ends, "special": kept, "cache": {}}
        for name, value in {**fields, "_derived": {}, "_deriving": whole_at_fork(threading.RLock())}.items():
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
            ends = tuple(i for i in eos_ids(tokenizer) if size is None or i < size)
        else:
            ends = tuple(_ids("eos", eos))
        fast = backend(tokenizer)
        marked = special_ids(tokenizer, fast)
        # A tokenizer can be changed (`add_tokens`, `eos_token = …`): what could change is part of the key.
        key = (size, ends, frozenset(marked), fast.get_vocab_size(with_added_tokens=True))
        made = _made.setdefault(tokenizer, {})
        if key not in made:
            with told("reading the vocabulary of {}, {:,} tokens", type(tokenizer).__name__, key[-1]):
                tokens, special = tokens_of(tokenizer, fast, marked)
            if size is not None:
                special = {i for i in special if i < size} | set(range(len(tokens), size))
                tokens = tokens[:size] + [b""] * (size - len(tokens))
            made[key] = cls(tokens, ends, special)
        return made[key]

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
        digest = hashlib.sha256(np.append(len(self), self._sizes).astype("<i8").tobytes())
        digest.update(b"".join(self.tokens))
        digest.update(json.dumps([sorted(self.eos), sorted(self.special)]).encode())
        return digest.hexdigest()

    @cached_property
    def text_ids(self) -> np.ndarray:
        """The ids that are text, ascending: not special, and of at least one byte. int64 [n], read-only."""
        text = self._sizes > 0
        text[list(self.special)] = False
        ids = np.flatnonzero(text)
        ids.flags.writeable = False
        return ids

    @cached_property
    def _sizes(self) -> np.ndarray:
        """The number of bytes of each token. int64 [V]"""
        return np.fromiter(map(len, self.tokens), np.int64, len(self))

    @cached_property
    def no_eos(self) -> np.ndarray:
        """The mask of all tokens but those that end a text: int32 [(V + 31) // 32], read-only."""
        allowed = np.ones(len(self), bool)
        allowed[list(self.eos)] = False
        return pack(allowed)

    @cached_property
    def single_bytes(self) -> dict[int, int]:
        """A text token for each byte that is one by itself."""
        single = self.text_ids[self._sizes[self.text_ids] == 1]
        return {self.tokens[i][0]: i for i in reversed(single.tolist())}

    def decode(self, ids: Iterable[int], special: bool = False) -> bytes:
        """The bytes of `ids`, joined. Special tokens are left out unless `special`.

        Raises:
            IndexError: an id outside the vocabulary.
        """
        tokens, hidden = self.tokens, () if flag(special, "special") else self.special
        try:
            return b"".join([tokens[i] for i in ids if i not in hidden])
        except (TypeError, ValueError):
            raise TypeError(f"decode() takes a list of token ids, not {shown(ids)}") from None
        except IndexError:
            raise IndexError(f"one of the ids {shown(ids)} is outside a vocabulary of {len(self)} tokens") from None

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
