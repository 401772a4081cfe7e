"""Some words are never written."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import half_character, is_whole, plain, shown
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.rows import NEG_INF

Word = str | tuple[int, ...]


@dataclass(frozen=True)
class BadWords:
    """See `bad_words`."""

    words: tuple[Word, ...]

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        banned: set[int] = set()
        longest = max((len(word.encode()) for word in self.words if isinstance(word, str)), default=0)
        tail = row.tail(longest - 1) if longest > 1 else b""
        for word in self.words:
            if isinstance(word, tuple):
                *before, last = word
                if list(row.ids[len(row.ids) - len(before) :]) == before and last < len(row.vocabulary):
                    banned.add(len(logits) - 1 if last in row.vocabulary.eos else last)
            else:
                data = word.encode()
                for size in range(len(data)):
                    if tail.endswith(data[:size]):
                        banned |= _completing(row.vocabulary, data[size:], inside=size == 0)
        if banned:
            logits[torch.tensor(sorted(banned), device=logits.device)] = NEG_INF
        return logits


@lru_cache(maxsize=4096)
def _completing(vocabulary: Vocabulary, data: bytes, inside: bool) -> frozenset[int]:
    """The tokens of text that begin with these bytes; inside: that hold them anywhere."""
    ids = vocabulary.text_ids
    tokens = (vocabulary.tokens[token] for token in ids.tolist())
    hits = np.fromiter((data in token if inside else token.startswith(data) for token in tokens), bool, len(ids))
    return frozenset(ids[hits].tolist())


def bad_words(words: Sequence[str | Sequence[int]]) -> BadWords:
    """These words are never written, however they are cut into tokens; nor are these sequences of tokens.

    A word counts as written if it ends in the span, even if it begins before the span. Forced runs are not drawn, and
    may contain one.

    words: each a string, of which no occurrence ends in the span, or token ids, of which the last is not drawn after
        the others (the setting `bad_words_ids` of transformers' `generate()`).

    >>> text = oc.generate.text(model, oc.samplers.greedy(filters=[oc.filters.bad_words(["lue"])]))
    >>> text("The sky is", max_tokens=1)
    ' white'
    """
    words = plain(words)
    right = "bad_words() takes a list of words: strings, or lists of token ids"
    if not isinstance(words, (list, tuple)) or not words:
        raise TypeError(f"{right}; not {shown(words)}")
    return BadWords(tuple(_word(plain(word), right) for word in words))


def _word(word: str | Sequence[int], right: str) -> Word:
    if isinstance(word, (str, list, tuple)) and not word:
        raise TypeError(f"{right}; {shown(word)} among them stands everywhere")
    if not isinstance(word, (str, list, tuple)):
        raise TypeError(f"{right}; not {shown(word)}")
    if isinstance(word, str):
        if half_character(word):
            raise ValueError(f"bad_words(): {word!r} holds half a character (a lone surrogate)")
        return word
    if not all(is_whole(token) and token >= 0 for token in word):
        raise TypeError(f"{right}; not {shown(word)}")
    return tuple(map(operator.index, word))
