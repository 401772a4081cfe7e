"""Text ↔ token ids: what a tokenizer does at the start of a row, and what it must not do in the middle of one.

A tokenizer is made to encode whole texts. It puts a bos before them, SentencePiece adds a space ("dummy prefix"), and
special tokens spelled in the text are parsed. A row is written bit by bit, partly by strangers, and read back at any
point; an `Encoder` knows which of these belong where.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from tokenizers import AddedToken

from outlines_cont.fsm.tokenizer_bytes import BYTE_PIECE, backend, is_spelled, parts, settings, unknown
from outlines_cont.fsm.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Encoder:
    """How one tokenizer writes and reads rows; an immutable value.

    Args:
        tokenizer: a `transformers` tokenizer, or a bare `tokenizers.Tokenizer`.
        vocabulary: its vocabulary; `Vocabulary.of(tokenizer)` by default.

    The tokenizer is copied (its model is shared): later changes to it have no effect here, nor this on it.

    What a tokenizer's own normalizer changes stays changed (Qwen's composes accents, T5's folds spaces): the model
    never saw anything else. `encode_bytes` alone is exact for every text.
    """

    tokenizer: Any
    vocabulary: Vocabulary
    #: The ids that the tokenizer adds before a text (its bos), in order; mostly one or none.
    prefix: tuple[int, ...]
    #: Whether the tokenizer writes a space before a text that has none.
    dummy: bool
    _copies: _Copies

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary | None = None):
        vocabulary = Vocabulary.of(tokenizer) if vocabulary is None else vocabulary
        copies = _copies(backend(tokenizer), vocabulary)
        prefix = _before(tokenizer, copies.plain.encode("a"))
        own = {"tokenizer": tokenizer, "vocabulary": vocabulary, "prefix": prefix, "dummy": copies.dummy}
        for name, value in {**own, "_copies": copies}.items():
            object.__setattr__(self, name, value)

    @property
    def blank(self) -> tuple[int, ...]:
        """Where a document begins: after the prefix, or, where there is none, after an eos, which separates documents.

        Raises:
            ValueError: the tokenizer has neither.
        """
        own, eos = getattr(self.tokenizer, "eos_token_id", None), self.vocabulary.eos
        if not self.prefix and not eos:
            raise ValueError(
                "normalize='unconditional': a text without context begins after a bos or an eos, and the tokenizer of "
                f"{self.vocabulary!r} adds no bos and has no eos; 'sum' and 'mean' need neither"
            )
        return self.prefix or ((own,) if own in eos else tuple(eos[:1]))

    @property
    def pad(self) -> int:
        """The id that fills up tensors: the tokenizer's pad, else its eos, else 0."""
        ids = (getattr(self.tokenizer, name, None) for name in ("pad_token_id", "eos_token_id"))
        return next((token for token in ids if token is not None), 0)

    # -- text → ids -----------------------------------------------------------------------------------------------

    def start(self, text: str, special: bool = False) -> tuple[list[int], bool]:
        """The ids of a prompt, as the tokenizer itself writes it, but without the eos that some append.

        With `special`, special tokens spelled in the text are parsed, and a text that begins with the bos gets no other
        one. Without, they are plain text: nothing in a string can inject `<|im_end|>`.

        Where the tokenizer writes a space before a text, it is written before a text that begins with a space, too (as
        SentencePiece does, and not all conversions of it do), so that `decode` can take it away again.

        Returns:
            The ids, and whether the first of them is a bos that the tokenizer added: False for one that was spelled.

        Raises:
            ValueError: a character that the tokenizer cannot spell.
        """
        if not special:
            return [*self.prefix, *self.append(text, at_start=True)], bool(self.prefix)
        space = " " if self._copies.keeps_space and text.startswith(" ") else ""
        ids = self._parsed(self._copies.whole, space + text)
        if self.prefix and tuple(ids[: len(self.prefix)]) != self.prefix:
            return [*self.prefix, *ids], True
        return ids, False

    def append(self, text: str, special: bool = False, at_start: bool = False) -> list[int]:
        """The ids of a text that continues a row: no bos, no space before it, no eos.

        Args:
            text: what to write.
            special: parse special tokens spelled in the text; otherwise they are plain text.
            at_start: the row holds no text yet (it is empty, or its bos alone), so the tokenizer's space belongs here.

        Raises:
            ValueError: a character that the tokenizer cannot spell.
        """
        if special:
            return self._parsed(self._copies.whole if at_start else self._copies.middle, text)
        ids = self._written(text)
        if at_start and self.dummy and ids and ids[0] not in self._copies.text:
            return self._written(" " + text)
        return ids

    def encode_bytes(self, data: bytes) -> list[int]:
        """Tokens that spell exactly these bytes, in the middle of a row; they need not be valid UTF-8.

        Canonical where the bytes are text and the tokenizer gives it back unchanged; for the rest the longest tokens of
        the vocabulary, from left to right.

        Raises:
            ValueError: no tokens spell them.
        """
        ids: list[int] = []
        # Bytes that are not UTF-8 become lone surrogates, and nothing else does.
        for run in re.findall("[\udc80-\udcff]+|[^\udc80-\udcff]+", data.decode("utf-8", "surrogateescape")):
            piece = run.encode("utf-8", "surrogateescape")
            try:
                found = None if "\udc80" <= run[0] <= "\udcff" else self._written(run)
            except ValueError:
                found = None
            if found is None or self.vocabulary.decode(found) != piece:
                found = self._longest(piece)
            ids += found
        return ids

    def chat(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> list[int]:
        """The ids of a conversation, up to where the answer begins: the chat template, applied once.

        The template's special tokens are parsed. Those spelled inside the messages (or in `options`, such as `tools`)
        stay plain text, also where the template joins two halves of one.

        Args:
            messages: dicts with `role` and `content`, as the template wants them.
            options: passed on to `apply_chat_template`; `add_generation_prompt` is True unless given.

        Raises:
            ValueError: the tokenizer has no chat template.
        """
        apply = getattr(self.tokenizer, "apply_chat_template", None)
        name = type(self.tokenizer).__name__
        options = {"add_generation_prompt": True, **options}
        if apply is not None and name == "MistralCommonBackend":
            # It builds the ids without a template, and takes contents for plain text by itself.
            return list(apply([dict(m) for m in messages], tokenize=True, return_dict=False, **options))
        if apply is None or not (options.get("chat_template") or getattr(self.tokenizer, "chat_template", None)):
            raise ValueError(
                f"{name} has no chat template: its model was not trained on conversations. Write the prompt yourself, "
                "or set `tokenizer.chat_template`"
            )
        hidden = _Hidden(self._spellings, messages, options)
        rendered = apply(hidden.messages, tokenize=False, **hidden.options)
        return self._revealed(rendered, hidden.texts)

    # -- ids → text -----------------------------------------------------------------------------------------------

    def spell(self, ids: Sequence[int], special: bool = False) -> bytes:
        """The bytes of a row: a function of its ids alone.

        Special tokens are left out unless `special`. Of a tokenizer that writes a space before a text, one leading
        space is taken away exactly where it would have been written: right after the bos where it adds one (so a row
        cut from the middle of another keeps its space), at the row's start where it adds none.
        """
        ids = list(ids)
        at = len(self.prefix)
        tokens, hidden = self.vocabulary.tokens, self.vocabulary.special
        spelled = [tokens[i] if special or i not in hidden else b"" for i in ids]
        if self.dummy and len(ids) > at and tuple(ids[:at]) == self.prefix and ids[at] not in hidden:
            spelled[at] = spelled[at].removeprefix(b" ")
        return b"".join(spelled)

    def decode(self, ids: Sequence[int], special: bool = False) -> str:
        """The text of a row: `spell` read as UTF-8, with U+FFFD for what is not (a character cut in two)."""
        return self.spell(ids, special).decode("utf-8", "replace")

    # -- within ---------------------------------------------------------------------------------------------------

    def _written(self, text: str) -> list[int]:
        """A text in the middle of a row, special tokens being text like any other."""
        encoding = self._copies.plain.encode(_whole(text))
        self._refuse_lost(encoding, text)
        return self._within(self._respelled(encoding, text, frozenset()), text)

    def _parsed(self, tokenizer: Any, text: str) -> list[int]:
        """A text as one of the copies writes it, special tokens included."""
        encoding = tokenizer.encode(_whole(text))
        self._refuse_lost(encoding, text)
        return self._within(self._respelled(encoding, text, self._copies.special), text)

    def _within(self, ids: list[int], text: str) -> list[int]:
        """Refuse tokens that the model has no logits for: its tokenizer may be larger."""
        if max(ids, default=0) >= len(self.vocabulary):
            raise ValueError(f"{text!r} takes token {max(ids)}, but the model has only {len(self.vocabulary)} tokens")
        return ids

    def _respelled(self, encoding: Any, text: str, parsed: frozenset[int], part: slice = slice(None)) -> list[int]:
        """Replace what the model took for a special token or a byte, though it is only spelled like one.

        Some have `</s>` or `<0x0A>` among their pieces, and find them in a text by themselves. Special tokens in
        `parsed` are meant.
        """
        hidden, ids = self.vocabulary.special, encoding.ids[part]
        if hidden.isdisjoint(ids) and not BYTE_PIECE.search(text):
            return ids
        found: list[int] = []
        for i, (begin, end) in zip(ids, encoding.offsets[part], strict=True):
            if i in hidden and i not in parsed:
                found += self._longest(self.vocabulary.tokens[i])
            elif len(self.vocabulary.tokens[i]) == 1 and BYTE_PIECE.fullmatch(text, begin, end):
                found += self._longest(text[begin:end].encode())
            else:
                found.append(i)
        return found

    def _refuse_lost(self, encoding: Any, text: str) -> None:
        """Raise ValueError where an encoding lacks a part of its text."""
        lost = set() if self._copies.unknown is None else {self._copies.unknown}
        if self._copies.complete or is_spelled(encoding, text, lost):
            return
        kept = {
            at for i, span in zip(encoding.ids, encoding.offsets, strict=True) if i not in lost for at in range(*span)
        }
        raise ValueError(
            f"{type(self.tokenizer).__name__} cannot spell "
            f"{''.join(c for at, c in enumerate(text) if at not in kept and not c.isspace())!r} in {text!r}: its "
            "vocabulary has no token for it and no bytes to fall back on"
        )

    def _longest(self, data: bytes) -> list[int]:
        """Tokens that spell `data`, longest first among those from which the rest can be spelled."""
        by_bytes, longest = self._by_bytes
        ends = [False] * len(data) + [True]  # ends[at]: data[at:] can be spelled
        step: list[bytes] = [b""] * len(data)
        for at in reversed(range(len(data))):
            for end in range(min(len(data), at + longest), at, -1):
                if ends[end] and data[at:end] in by_bytes:
                    ends[at], step[at] = True, data[at:end]
                    break
        if not ends[0]:
            raise ValueError(f"no tokens of {self.vocabulary!r} spell the bytes {data!r}")
        ids, at = [], 0
        while at < len(data):
            ids.append(by_bytes[step[at]])
            at += len(step[at])
        return ids

    @cached_property
    def forced_runs(self) -> WeakKeyDictionary[Any, dict[Any, tuple[int, ...]]]:
        """By guide, what `seams.py` knows of the runs that it forces."""
        return WeakKeyDictionary()

    @cached_property
    def _by_bytes(self) -> tuple[dict[bytes, int], int]:
        """The id of each text token by its bytes, and the length of the longest."""
        found: dict[bytes, int] = {}
        for i in self.vocabulary.text_ids.tolist():
            token = self.vocabulary.tokens[i]
            if token in found and BYTE_PIECE.fullmatch(self._copies.plain.id_to_token(i) or ""):
                continue  # SentencePiece has "A" and <0x41>, and writes the first
            if token not in found or BYTE_PIECE.fullmatch(self._copies.plain.id_to_token(found[token]) or ""):
                found[token] = i
        return found, max(map(len, found), default=0)

    @cached_property
    def _spellings(self) -> tuple[str, ...]:
        """How special tokens are written, longest first, so that none is taken for its own beginning."""
        added = self._copies.whole.get_added_tokens_decoder()
        return tuple(sorted({added[i].content for i in self._copies.special}, key=len, reverse=True))

    def _revealed(self, rendered: str, texts: Mapping[str, str]) -> list[int]:
        """Encode a rendered conversation; runs of plain text get their hidden spellings back first.

        A run goes from one special token of the template to the next, so that its tokens are the canonical ones.
        """
        encoding = self._copies.whole.encode(rendered)
        special = self._copies.special - {self._copies.unknown}
        cuts = [n for n, i in enumerate(encoding.ids) if i in special]
        ids: list[int] = []
        for before, after in zip([-1, *cuts], [*cuts, len(encoding.ids)], strict=True):
            begin = encoding.offsets[before][1] if before >= 0 else 0
            end = encoding.offsets[after][0] if after < len(encoding.ids) else len(rendered)
            run, own = rendered[begin:end], encoding.ids[before + 1 : after]
            shown = re.sub("|".join(map(re.escape, texts)), lambda found: texts[found[0]], run) if texts else run
            if shown != run:
                # A space that the tokenizer wrote before this run as it was, it writes before the run as it is.
                wrote = self.dummy and own and self.vocabulary.tokens[own[0]][:1] == b" " != run[:1].encode()
                own = self._written((" " if wrote else "") + shown)
            elif self._copies.unknown in own and not self._copies.complete:
                own = self._parsed(self._copies.whole, run)  # which says what cannot be spelled
            else:
                own = self._respelled(encoding, rendered, frozenset(), slice(before + 1, after))
            ids += own
            ids += encoding.ids[after : after + 1]
        return ids


class _Hidden:
    """Messages whose special spellings are replaced by words that stand nowhere else: `texts` has {word: spelling}."""

    def __init__(self, spellings: Sequence[str], messages: Any, options: Any):
        self.texts: dict[str, str] = {}
        self._spellings = re.compile("|".join(map(re.escape, spellings))) if spellings else None
        # Two halves of a special token that the template would join: the first is the beginning of one.
        self._beginnings = {spelling[:n] for spelling in spellings for n in range(1, len(spelling))}
        self._longest = max(map(len, spellings), default=0)
        everything = json.dumps([messages, options], default=str)
        # Without letters, so that a template that changes their case leaves the words alone.
        self._mark = next(mark for n in range(10**9) if (mark := f"[~{n}:") not in everything)
        self.messages = self._hide(messages)
        # A template is no content: its special tokens are meant.
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
        hidden = self._spellings.sub(lambda found: self._word(found[0]), text)
        for n in range(min(self._longest, len(hidden)), 0, -1):
            if hidden[-n:] in self._beginnings:
                return hidden[:-n] + self._word(hidden[-n:])
        return hidden

    def _word(self, spelling: str) -> str:
        word = f"{self._mark}{len(self.texts)}~]"
        self.texts[word] = spelling
        return word


@dataclass(frozen=True, eq=False)
class _Copies:
    """Three copies of a `tokenizers.Tokenizer` that share its model, and what else an encoder knows of it.

    All are without padding, truncation and post-processor.
    """

    whole: Any  # the tokenizer as it is
    middle: Any  # adds no space before a text
    plain: Any  # nor parses special tokens, nor lets an added token swallow the spaces around it
    special: frozenset[int]  # the added tokens that are special
    text: frozenset[int]  # and those that are text
    unknown: int | None  # the id of what cannot be spelled
    complete: bool  # everything can: there is a token for each byte
    keeps_space: bool  # before a text that has a space, none is written
    dummy: bool  # before any other, one is


def _copies(fast: Any, vocabulary: Vocabulary) -> _Copies:
    spaced = [part for part in parts(fast.pre_tokenizer) if part["type"] in ("Metaspace", "ByteLevel")]
    keeps = any(p.get("prepend_scheme", "never") != "never" or p.get("add_prefix_space", False) for p in spaced)
    prepends = any(part["type"] == "Prepend" for part in parts(fast.normalizer))
    # Components can only be edited in place, in the user's tokenizer; a tokenizer around an empty model makes others.
    edited = type(fast).from_str(
        json.dumps(
            {
                "added_tokens": [],
                "normalizer": _spaceless(fast.normalizer),
                "pre_tokenizer": _spaceless(fast.pre_tokenizer),
                "post_processor": None,
                "decoder": None,
                "model": {"type": "BPE", "vocab": {}, "merges": []},
            }
        )
    )
    added = fast.get_added_tokens_decoder()
    text = frozenset(i for i in added if i < len(vocabulary) and i not in vocabulary.special)
    # An added token is matched as it is written here, and is special where the vocabulary says so (its eos may be).
    plain = _around(
        fast, edited, {i: AddedToken(t.content, special=i not in text, normalized=False) for i, t in added.items()}
    )
    plain.encode_special_tokens = True  # which means that they are not parsed
    return _Copies(
        whole=_around(fast, fast, added),
        middle=_around(fast, edited, added),
        plain=plain,
        special=frozenset(added) - text,
        text=text,
        unknown=unknown(fast),
        complete=len({vocabulary.tokens[i] for i in vocabulary.text_ids if len(vocabulary.tokens[i]) == 1}) == 256,
        keeps_space=keeps,
        dummy=keeps or prepends,
    )


def _spaceless(component: Any) -> Any:
    """The settings of a normalizer or pre-tokenizer, without what writes a space before a text."""

    def edit(part: dict[str, Any]) -> dict[str, Any] | None:
        if part["type"] == "Prepend":
            return None
        if part["type"] == "Metaspace":
            return {**part, "prepend_scheme": "never"}
        if part["type"] == "ByteLevel":
            return {**part, "add_prefix_space": False}
        inner = {
            key: [e for p in part[key] if (e := edit(p))] for key in ("normalizers", "pretokenizers") if key in part
        }
        return {**part, **inner}

    return None if component is None else edit(settings(component))


def _around(fast: Any, shape: Any, added: Mapping[int, Any]) -> Any:
    """A tokenizer with the model of `fast`, the normalizer and pre-tokenizer of `shape`, and these added tokens."""
    copy = type(fast)(fast.model)
    copy.normalizer, copy.pre_tokenizer = shape.normalizer, shape.pre_tokenizer
    for special, run in itertools.groupby((added[i] for i in sorted(added)), key=lambda token: token.special):
        (copy.add_special_tokens if special else copy.add_tokens)(list(run))
    moved = copy.get_added_tokens_decoder().keys() ^ added.keys()
    if moved:
        raise ValueError(f"the ids of the added tokens have gaps, at or before {min(moved)}")
    return copy


def _before(tokenizer: Any, plain: Any) -> tuple[int, ...]:
    """The ids that a tokenizer puts before a text, given the plain encoding of one."""
    if hasattr(tokenizer, "build_inputs_with_special_tokens") and not hasattr(tokenizer, "backend_tokenizer"):
        whole = list(tokenizer.build_inputs_with_special_tokens(plain.ids))
    else:
        after = backend(tokenizer).post_processor
        whole = plain.ids if after is None else after.process(plain, None, True).ids
    starts = [at for at in range(len(whole)) if whole[at : at + len(plain.ids)] == plain.ids]
    return tuple(whole[: starts[0]]) if starts else ()


def _whole(text: str) -> str:
    """The text, if it has no half characters: lone surrogates have no UTF-8, so no tokenizer can write them."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        where = f"at position {error.start} of {text!r}"
        raise ValueError(f"the lone surrogate {text[error.start]!r} {where} is not a character") from None
    return text
