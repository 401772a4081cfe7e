"""A user's tokenizer as encoders need it: copies of it with other settings, and its chat template."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tokenizers import AddedToken

from outlines_cont.fsm.tokenizer_bytes import (
    TextRules,
    parts,
    settings,
    tokenizer_of,
    unknown,
    writes_space,
    writes_stand_ins,
)
from outlines_cont.fsm.vocabulary import Vocabulary

# --- copies of a user's tokenizer that write no space before a text, parse no special tokens, or normalize nothing

#: A normalizer that makes one space of several, as a tokenizer does that splits texts at them.
FOLDED = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}


@dataclass(frozen=True, eq=False)
class TokenizerCopies:
    """Four copies of a `tokenizers.Tokenizer` that share its model, and the facts that an encoder needs.

    The copies have no padding, truncation and post-processor.

    Attributes:
        whole: the tokenizer as it is.
        middle: adds no space before a text.
        plain: adds no space, parses no special tokens, and lets no added token swallow the spaces around it.
        exact: is like `plain`, but takes a text as it is: its normalizers are left out.
        rules: how the tokenizer changes a text.
        special: the added tokens that are special.
        text: the added tokens that are text.
        unknown: the id of whatever cannot be spelled; None if there is no such id.
        complete: whether every text without `unknown` is spelled: the model writes bytes, and has a token for each.
        keeps_space: whether no space is written before a text that begins with one.
        dummy: whether a space is written before any other text.
    """

    whole: Any
    middle: Any
    plain: Any
    exact: Any
    rules: TextRules
    special: frozenset[int]
    text: frozenset[int]
    unknown: int | None
    complete: bool
    keeps_space: bool
    dummy: bool


def tokenizer_copies(fast: Any, vocabulary: Vocabulary) -> TokenizerCopies:
    """The copies of a `tokenizers.Tokenizer`, which stays as it is."""
    rules, normalizers = TextRules.of(fast), parts(fast.normalizer)
    pre_tokenizer = _spaceless(fast.pre_tokenizer, rules.folds)
    in_the_middle = [part for part in normalizers if not writes_space(part)] + [FOLDED] * rules.folds
    shape = tokenizer_of(type(fast), in_the_middle, pre_tokenizer)
    unnormalized = tokenizer_of(type(fast), [part for part in normalizers if writes_stand_ins(part)], pre_tokenizer)
    added = fast.get_added_tokens_decoder()
    text = frozenset(i for i in added if i < len(vocabulary) and i not in vocabulary.special)
    # An added token is matched as it is written here, and is special where the vocabulary says so (its eos may be).
    unparsed = {i: AddedToken(t.content, special=i not in text, normalized=False) for i, t in added.items()}
    plain, exact = _around(fast, shape, unparsed), _around(fast, unnormalized, unparsed)
    plain.encode_special_tokens = exact.encode_special_tokens = True  # which means that they are not parsed
    keeps = any(map(_writes_space_where_none_is, parts(fast.pre_tokenizer)))
    return TokenizerCopies(
        whole=_around(fast, fast, added),
        middle=_around(fast, shape, added),
        plain=plain,
        exact=exact,
        rules=rules,
        special=frozenset(added) - text,
        text=text,
        unknown=unknown(fast),
        complete=_writes_bytes(fast) and len(vocabulary.single_bytes) == 256,
        keeps_space=keeps,
        dummy=keeps or any(map(writes_space, normalizers)),
    )


def _writes_space_where_none_is(part: dict[str, Any]) -> bool:
    """Whether a part of a pre-tokenizer writes a space before a text that does not begin with one."""
    if part["type"] == "Metaspace":
        return part["prepend_scheme"] != "never"
    return part["type"] == "ByteLevel" and part["add_prefix_space"]


def _writes_bytes(fast: Any) -> bool:
    """Whether a model has bytes for what it has no pieces for, or says that this is unknown. (Other BPE drops it.)"""
    byte_level = any(part["type"] == "ByteLevel" for part in (*parts(fast.normalizer), *parts(fast.pre_tokenizer)))
    return byte_level or getattr(fast.model, "byte_fallback", True)


def _spaceless(component: Any, folds: bool) -> Any:
    """The settings of a pre-tokenizer, except those that write a space before a text.

    folds: a split at spaces is left out, too: it would take away those before and after a part of a text.
    """

    def edit(part: dict[str, Any]) -> dict[str, Any] | None:
        if part["type"] == "WhitespaceSplit" and folds:
            return None
        if part["type"] == "Metaspace":
            return {**part, "prepend_scheme": "never"}
        if part["type"] == "ByteLevel":
            return {**part, "add_prefix_space": False}
        if "pretokenizers" not in part:
            return part
        return {**part, "pretokenizers": [edited for inner in part["pretokenizers"] if (edited := edit(inner))]}

    return None if component is None else edit(settings(component))


def _around(fast: Any, shape: Any, added: Mapping[int, Any]) -> Any:
    """A tokenizer with the model of `fast`, the normalizer and pre-tokenizer of `shape`, and these added tokens."""
    copy = type(fast)(fast.model)
    copy.normalizer, copy.pre_tokenizer = shape.normalizer, shape.pre_tokenizer
    for special, run in itertools.groupby((added[i] for i in sorted(added)), key=lambda token: token.special):
        (copy.add_special_tokens if special else copy.add_tokens)(list(run))
    moved = [i for i, token in added.items() if copy.token_to_id(token.content) != i]
    if moved:
        raise ValueError(f"the ids of the added tokens have gaps, at or before {min(moved)}")
    return copy


# --- chat templates: a conversation as one text, in which only the template's own special tokens are parsed
#
# The contents of messages may spell special tokens, by chance or to inject them. So these spellings are hidden from the
# template, and put back as plain text when the rendered conversation is encoded (`Encoder.chat`).


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
