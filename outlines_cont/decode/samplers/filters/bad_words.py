"""Some words are never written."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import brief, half_character, is_whole, plain, shown
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.rows import NEG_INF

Word = str | tuple[int, ...]


@dataclass(frozen=True)
class BadWords:
    """See `bad_words`."""

    words: tuple[Word, ...]

    __repr__ = brief

    @property
    def texts(self) -> tuple[str, ...]:
        """The words that are strings: a constraint that knows them keeps them out of all that it allows."""
        return tuple(word for word in self.words if isinstance(word, str))

    def beside(self, span: GrowingSpan) -> BadWords:
        """The filter without the words that the span's constraint excludes."""
        bans = span.settings.constraint.bans
        return BadWords(tuple(word for word in self.words if word not in bans)) if bans else self

    def allowed_run(self, span: GrowingSpan, run: Sequence[int]) -> int:
        """See `LogitFilter`: up to a token that would complete a word."""
        row, words = Writing(span), self.beside(span).words
        ids, data, tokens = row.ids, row.tail(self._longest), row.vocabulary.tokens
        for count, token in enumerate(run):
            ids, read, data = (*ids, token), len(data), data + tokens[token]
            for word in words:
                if ids[-len(word) :] == word if isinstance(word, tuple) else _ends_in(data, word.encode(), read):
                    return count
        return len(run)

    @property
    def _longest(self) -> int:
        return max((len(text.encode()) for text in self.texts), default=0)

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        banned: set[int] = set()
        longest = self._longest
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


def _ends_in(data: bytes, word: bytes, place: int) -> bool:
    """Whether a word stands in some bytes and ends behind a place."""
    return data.find(word, max(0, place - len(word) + 1)) >= 0


@lru_cache(maxsize=4096)
def _completing(vocabulary: Vocabulary, data: bytes, inside: bool) -> frozenset[int]:
    """The tokens of text that begin with these bytes; inside: that hold them anywhere."""
    ids = vocabulary.text_ids
    tokens = (vocabulary.tokens[token] for token in ids.tolist())
    hits = np.fromiter((data in token if inside else token.startswith(data) for token in tokens), bool, len(ids))
    return frozenset(ids[hits].tolist())


def bad_words(words: Sequence[str | Sequence[int]]) -> BadWords:
    """These words are never written, however they are cut into tokens; nor are these sequences of tokens.

    Strings are a constraint: the generator allows the values without them, and looks ahead, under every sampler. A word
    counts as written if it ends in the span, even if it begins before the span.

    words: each a string, of which no occurrence ends in the span, or token ids, of which the last is not written after
        the others (the setting `bad_words_ids` of transformers' `generate()`; nobody looks ahead there).

    >>> text = oc.generate.text(model, oc.samplers.greedy(filters=[oc.filters.bad_words(["lue"])]))
    >>> text("The sky is", max_tokens=1)
    ' white'
    >>> stays = oc.samplers.greedy(filters=[oc.filters.bad_words(["Lisbon"])])
    >>> oc.generate.choice(model, ["in Lisbon", "at home"], stays)("Mira lives ")
    'at home'
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


def banned_texts(filters: Sequence[object]) -> tuple[str, ...]:
    """The strings that some filters ban."""
    return tuple(dict.fromkeys(text for each in filters if isinstance(each, BadWords) for text in each.texts))


def only_bans_texts(filters: Sequence[object]) -> bool:
    """Whether filters do nothing but ban strings, so that a constraint does all of it.

    >>> from outlines_cont.decode.samplers import only_bans_texts
    >>> only_bans_texts([oc.filters.bad_words([" stupid"])]), only_bans_texts([oc.filters.bad_words([[5, 6]])])
    (True, False)
    """
    return all(isinstance(each, BadWords) and len(each.texts) == len(each.words) for each in filters)
