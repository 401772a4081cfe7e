"""What a tokenizer does to a text before it cuts it: its normalizers, and the spaces that it folds.

A row's text is that of its tokens. So a text that a tokenizer changes has to be told from one that it cannot spell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from unicodedata import normalize

from .tokenizer_parts import parts, tokenizer_of

SPACE = "\u2581"  # SentencePiece writes a space as this lower block

#: Texts that normalizers change, the most usual first.
CHANGEABLE = (
    "Hello",
    "caf\u00e9",
    "cafe\u0301",
    "\ufb01n",
    "\u00bd",
    "``so''",
    " so",
    "so ",
    "so  so",
    "so\tso",
    "so\u200bso",
)


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
        """Those of a tokenizer.

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
