"""Chat templates: a conversation as one text, in which only the template's own special tokens are parsed.

The contents of messages may spell special tokens, by chance or to inject them. So these spellings are hidden from the
template, and put back as plain text when the rendered conversation is encoded (`Encoder.chat`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class TextRun(NamedTuple):
    """A part of an encoded text, from one cut to the next.

    Attributes:
        text: the text, which may hold words for hidden spellings.
        part: where its tokens are in the encoding.
        end: the token that is the cut after it; none at the end of the text.
    """

    text: str
    part: slice
    end: list[int]


def text_runs(encoding: Any, text: str, cuts: Sequence[int]) -> Iterator[TextRun]:
    """The runs of text between some tokens of its encoding, the cuts, given by their places. Some may be empty."""
    ids, offsets = encoding.ids, encoding.offsets
    for before, after in zip([-1, *cuts], [*cuts, len(ids)], strict=True):
        begin = offsets[before][1] if before >= 0 else 0
        end = offsets[after][0] if after < len(ids) else len(text)
        yield TextRun(text[begin:end], slice(before + 1, after), ids[after : after + 1])


class HiddenSpellings:
    """A conversation in which the spellings of special tokens are replaced by words that occur nowhere else in it.

    Attributes:
        messages: the messages with such words.
        options: the template's options with such words.
        texts: the spelling that each word stands for.
    """

    def __init__(self, spellings: Sequence[str], messages: Any, options: Any):
        """spellings: those of special tokens, longest first."""
        self.texts: dict[str, str] = {}
        self._spellings = re.compile("|".join(map(re.escape, spellings))) if spellings else None
        # Two halves of a special token that the template would join: the first is the beginning of one.
        self._beginnings = {spelling[:n] for spelling in spellings for n in range(1, len(spelling))}
        self._longest = max(map(len, spellings), default=0)
        everything = json.dumps([messages, options], default=str)
        # Without letters, so that a template that changes their case leaves the words alone.
        self._mark = next(mark for n in range(10**9) if (mark := f"[~{n}:") not in everything)
        self.messages = self._hide(messages)
        # A template is no content: the special tokens in it are to be parsed.
        self.options = {k: v if k == "chat_template" else self._hide(v) for k, v in options.items()}

    def _hide(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._hide_in(value)
        if isinstance(value, Mapping):
            return {self._hide(key): self._hide(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._hide(item) for item in value]
        return value

    def _hide_in(self, text: str) -> str:
        if self._spellings is None:
            return text
        hidden = self._spellings.sub(lambda match: self._word(match[0]), text)
        for n in range(min(self._longest, len(hidden)), 0, -1):
            if hidden[-n:] in self._beginnings:
                return hidden[:-n] + self._word(hidden[-n:])
        return hidden

    def restored(self, text: str) -> str:
        """A rendered text with the spellings in place of the words."""
        if not self.texts:
            return text
        return re.sub("|".join(map(re.escape, self.texts)), lambda match: self.texts[match[0]], text)

    def _word(self, spelling: str) -> str:
        word = f"{self._mark}{len(self.texts)}~]"
        self.texts[word] = spelling
        return word
