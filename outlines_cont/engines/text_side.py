"""`TextSide`: all that a tokenizer says of a model, behind the protocol `LanguageModel`. It computes no logits.

A server owns the model, and has it in memory once. Constraints, stop strings, text and captures need its tokens alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import torch
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown, whole_number
from outlines_cont.engines.protocol import KeptRow, R
from outlines_cont.engines.stats import Stats
from outlines_cont.engines.text.encoding import Encoder, checked_text
from outlines_cont.fsm.tokenizer_bytes import eos_ids
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.processes import ProcessBound

# --- `LongestTokens`: an encoder for a vocabulary whose tokenizer nobody has


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


# --- text side

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

    TextSource = PreTrainedTokenizerBase | Tokenizer | Vocabulary
else:
    TextSource = Any


MOST_LOGITS = 1 << 24


class TextSide(ProcessBound):
    """A model without parameters: its vocabulary, its encoder and its context length.

    Args: those of `Model(tokenizer, …)`.

    Attributes: those of `SlotModel`, as far as they are there without parameters. Nothing is computed, so all
    its stats are 0, and its tree stays empty.
    """

    _instead = "make one in each process"
    device = torch.device("cpu")
    dtype = torch.float32
    keeps = False

    def __init__(
        self,
        source: TextSource,
        context_length: int | None = None,
        vocab_size: int | None = None,
        eos: Collection[int] = (),
    ):
        self.context_length = _checked_count("context_length", context_length)
        if isinstance(source, Vocabulary) and (vocab_size, eos) != (None, ()):
            raise TypeError(f"Model({source!r}) takes no vocab_size or eos: a Vocabulary has its own")
        self.tokenizer, self.vocabulary, self.encoder = text_of(source, vocab_size, eos)
        self.tree = Tree()
        self.stats = Stats(self)

    @property
    def identity(self) -> str:
        """Equal for equal vocabularies: nothing else is known."""
        return self.vocabulary.fingerprint

    def read(self, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None]]:
        """TypeError, unless nothing is asked for."""
        if needs:
            raise TypeError(
                f"{self!r} computes no logits: it was made of a tokenizer alone. Step its frontiers with the logits of "
                "another engine, frontier.step(logits), or with tokens that were drawn there, frontier.accept(ids)"
            )
        return torch.empty(0, len(self.vocabulary)), []

    def claimed(self, row: R) -> R:
        """The row as it is: no keys and values are kept."""
        return row

    def kv_lengths(self, rows: Iterable[KeptRow]) -> list[int]:
        """0 for each row."""
        return [0 for _ in rows]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """What users know of models with parameters is refused by name."""
            raise AttributeError(f"a Model of a tokenizer alone has no {name!r}")

    def __repr__(self) -> str:
        return f"Model(no parameters, {len(self.vocabulary)} tokens)"


def text_of(source: TextSource, size: int | None = None, eos: Collection[int] = ()) -> tuple[Any, Vocabulary, Encoder]:
    """The tokenizer, vocabulary and encoder of a tokenizer, or of a `Vocabulary`, which has no tokenizer.

    size: how many logits there are; eos: ids that end a text besides the tokenizer's own. A `Vocabulary` has its own.
    """
    if isinstance(source, Vocabulary):
        return None, source, LongestTokens(source)
    vocabulary = _vocabulary(source, size, eos)
    return source, vocabulary, Encoder(source, vocabulary)


def _vocabulary(tokenizer: Any, size: int | None, eos: Collection[int]) -> Vocabulary:
    """The vocabulary of a tokenizer, with more ids that end a text."""
    if hasattr(tokenizer, "get_output_embeddings"):
        raise TypeError(f"Model(hf, tokenizer): {type(tokenizer).__name__} needs its tokenizer beside it")
    if not hasattr(tokenizer, "get_vocab"):
        raise TypeError(
            "Model takes a transformers model and its tokenizer, or, to compute no logits, a tokenizer or a Vocabulary "
            f"alone, not {type(tokenizer).__name__}"
            + (f": oc.load({tokenizer!r}) loads a model by its name" if isinstance(tokenizer, str) else "")
        )
    eos = plain(eos)
    if not isinstance(eos, Collection) or not all(is_whole(token) for token in eos):
        raise TypeError(f"eos={shown(eos)}: it must be a list of token ids")
    if (size := _checked_count("vocab_size", size)) is not None and size > MOST_LOGITS:
        raise ValueError(f"vocab_size={size}: no model gives more than {MOST_LOGITS:,} logits")
    of_tokenizer = (token for token in eos_ids(tokenizer) if size is None or token < size)
    return Vocabulary.of(tokenizer, size, tuple(dict.fromkeys((*of_tokenizer, *eos))))


def _checked_count(name: str, count: int | None) -> int | None:
    if count is not None and (count := whole_number(count, name, "an int ≥ 1 or None")) < 1:
        raise ValueError(f"{name}={count}: it must be an int ≥ 1 or None")
    return count
