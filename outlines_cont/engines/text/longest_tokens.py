"""`LongestTokens`: an encoder for a vocabulary whose tokenizer nobody has."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, NoReturn

from outlines_cont.engines.text.encoding import Encoder, checked_text
from outlines_cont.fsm.vocabulary import Vocabulary


class LongestTokens(Encoder):
    """Writes every text with the longest tokens, from left to right, as `encode_bytes` writes what is not UTF-8.

    Nothing stands before a text, no bos and no space. Special tokens are parsed by the bytes that the vocabulary has
    of them.
    """

    def __init__(self, vocabulary: Vocabulary):
        fields = {"tokenizer": None, "vocabulary": vocabulary, "prefix": (), "dummy": False, "changes": ()}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def pad(self) -> int:
        """The id that fills up tensors: the first eos, else 0."""
        return next(iter(self.vocabulary.eos), 0)

    def start(self, text: str, special: bool = False) -> tuple[list[int], bool]:
        """The ids of a prompt: those of any other text. There is no bos."""
        return self.append(text, special), False

    def append(self, text: str, special: bool = False, at_start: bool = False) -> list[int]:
        """The ids of a text; `special`: special tokens spelled in it are parsed.

        Raises:
            ValueError: no tokens spell it.
        """
        if not special:
            return self._written(text)
        ids: list[int] = []
        for part in self._special.split(checked_text(text).encode()):
            ids += [self._special_ids[part]] if part in self._special_ids else self._longest(part)
        return ids

    def chat(self, messages: Any, **options: Any) -> NoReturn:
        """ValueError: a chat template belongs to a tokenizer."""
        raise ValueError(f"{self.vocabulary!r} has no chat template: Model(tokenizer) has its tokenizer's")

    def _written(self, text: str) -> list[int]:
        return self._longest(checked_text(text).encode())

    @cached_property
    def _special_ids(self) -> dict[bytes, int]:
        tokens = self.vocabulary.tokens
        return {tokens[i]: i for i in sorted(self.vocabulary.special, reverse=True) if tokens[i]}

    @cached_property
    def _special(self) -> re.Pattern[bytes]:
        """Any special token as it is written, longest first, so that none is taken for its own beginning."""
        spellings = sorted(self._special_ids, key=len, reverse=True)
        return re.compile(b"(" + b"|".join(map(re.escape, spellings)) + b")" if spellings else b"(?!)")

    @cached_property
    def _by_bytes(self) -> tuple[dict[bytes, int], int]:
        """The smallest id of each text token by its bytes, and the length of the longest."""
        by_bytes = {self.vocabulary.tokens[i]: i for i in reversed(self.vocabulary.text_ids.tolist())}
        return by_bytes, max(map(len, by_bytes), default=0)
