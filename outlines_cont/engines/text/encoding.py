"""`Encoder`: text ↔ token ids, at the start of a row and in the middle of one.

A tokenizer is made to encode whole texts. It puts a bos before them, SentencePiece adds a space ("dummy prefix"), and
special tokens spelled in the text are parsed. A row is written bit by bit, partly by strangers, and read back at any
point; an `Encoder` knows where each of these steps belongs.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from outlines_cont.arguments import brief
from outlines_cont.engines.text.tokenizers import HiddenSpellings, TokenizerCopies, text_runs, tokenizer_copies
from outlines_cont.fsm.tokenizer_bytes import BYTE_PIECE, Change, backend, encoded
from outlines_cont.fsm.vocabulary import Vocabulary

# --- why a tokenizer cannot spell a text: which characters of it, as they are normalized, and what is missing


def unspelled(text: str, part: str, copies: TokenizerCopies, vocabulary: Vocabulary) -> str:
    """What cannot be spelled of a text, and why. `part`: where in it that is."""

    def spells(piece: str) -> bool:
        encoding = encoded(copies.exact, piece)
        return encoding is not None and vocabulary.decode(encoding.ids) == piece.encode()

    written = copies.rules.written(part)
    characters = "".join(character for character in dict.fromkeys(written) if not spells(character))
    words = " ".join(word for word in written.split() if not spells(word))  # each of its characters may be there
    normalized = "" if copies.rules.keeps(part) else f" (normalized: {written!r})"
    missing = sorted({byte for byte in characters.encode() if byte not in vocabulary.single_bytes})
    lacking = "no bytes to fall back on"
    if missing and max(vocabulary.single_bytes, default=0) >= 0x80:
        lacking = f"none for {', '.join(f'byte 0x{byte:02X}' for byte in missing)}"
    return (
        f"cannot spell {characters or words or written!r} in {text!r}{normalized}: its vocabulary has no token for it "
        f"and {lacking}"
    )


# --- encoding

BEGUN = {"add_generation_prompt": True}  # unless an option says otherwise: the answer is begun


@dataclass(frozen=True, eq=False)
class Encoder:
    """How one tokenizer writes and reads rows; an immutable value.

    Args:
        tokenizer: a `transformers` tokenizer, or a bare `tokenizers.Tokenizer`.
        vocabulary: its vocabulary; `Vocabulary.of(tokenizer)` by default.

    The tokenizer is copied (its model is shared): later changes to it have no effect here, and it is not changed.

    A tokenizer's own normalizers may change a text (Qwen's composes accents, T5's folds spaces). That is kept: the
    model never saw anything else. A row's text is that of its tokens, and `changes` says what may differ. Only
    `encode_bytes` is exact for every text.
    """

    tokenizer: Any
    vocabulary: Vocabulary
    #: The ids that the tokenizer adds before a text (its bos), in order; mostly one or none.
    prefix: tuple[int, ...]
    #: Whether the tokenizer writes a space before a text that has none.
    dummy: bool
    #: What of the tokenizer changes texts, each with an example.
    changes: tuple[Change, ...]
    _copies: TokenizerCopies

    __repr__ = brief

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary | None = None):
        vocabulary = Vocabulary.of(tokenizer) if vocabulary is None else vocabulary
        copies = tokenizer_copies(backend(tokenizer), vocabulary)
        fields = {"tokenizer": tokenizer, "vocabulary": vocabulary, "dummy": copies.dummy, "_copies": copies}
        prefix = _before(tokenizer, _some_encoding(copies.plain, vocabulary))
        for name, value in {**fields, "prefix": prefix, "changes": copies.rules.changes}.items():
            object.__setattr__(self, name, value)

    @property
    def blank(self) -> tuple[int, ...]:
        """Where a document begins: after the prefix, or, where there is none, after an eos, which separates documents.

        Raises:
            ValueError: the tokenizer has neither.
        """
        tokenizer_eos, eos = getattr(self.tokenizer, "eos_token_id", None), self.vocabulary.eos
        if not self.prefix and not eos:
            raise ValueError(
                "normalize='unconditional': a text without context begins after a bos or an eos, and the tokenizer of "
                f"{self.vocabulary!r} adds no bos and has no eos; 'sum' and 'mean' need neither"
            )
        return self.prefix or ((tokenizer_eos,) if tokenizer_eos in eos else tuple(eos[:1]))

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
            spaced = self._written(" " + text)
            if spaced == ids:  # a normalizer strips the text, and the tokenizer writes its space after that
                return self._encoded(self._copies.exact, " " + self._copies.rules.written(text), frozenset())
            return spaced
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
                written = None if "\udc80" <= run[0] <= "\udcff" else self._written(run)
            except ValueError:
                written = None
            if written is None or self.vocabulary.decode(written) != piece:
                written = self._longest(piece)
            ids += written
        return ids

    def chat(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> list[int]:
        """The ids of a conversation, up to where the answer begins: the chat template, applied once.

        The template's special tokens are parsed. Those spelled inside the messages (or in `options`, such as `tools`)
        stay plain text, also where the template joins two halves of one.

        Args:
            messages: dicts with `role` and `content`, as the template wants them.
            options: passed on to `apply_chat_template`; `add_generation_prompt` is True unless given.

        Raises:
            ValueError: the tokenizer has no chat template, or it refuses the messages.
        """
        if type(self.tokenizer).__name__ == "MistralCommonBackend":
            # It builds the ids without a template, and takes contents for plain text by itself.
            apply = self.tokenizer.apply_chat_template
            return list(apply([dict(m) for m in messages], tokenize=True, return_dict=False, **BEGUN | options))
        hidden = HiddenSpellings(self._spellings, messages, options)
        return self._encoded_chat(self._applied(hidden.messages, hidden.options), hidden)

    def rendered(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> str:
        """The text that the chat template makes of a conversation. Arguments and errors: those of `chat`."""
        return self._applied([dict(message) for message in messages], options)

    def _applied(self, messages: Any, options: dict[str, Any]) -> str:
        apply = getattr(self.tokenizer, "apply_chat_template", None)
        name = type(self.tokenizer).__name__
        template = options.get("chat_template") or getattr(self.tokenizer, "chat_template", None)
        if apply is None or not (template or name == "MistralCommonBackend"):
            raise ValueError(
                f"{name} has no chat template: its model was not trained on conversations. Write the prompt yourself, "
                "or set `tokenizer.chat_template`"
            )
        try:
            return apply(messages, tokenize=False, **BEGUN | options)
        except Exception as error:  # a template is somebody's program, and may fail in any way
            raise ValueError(f"the chat template of {name} refuses these messages: {error}") from error

    # -- ids → text -----------------------------------------------------------------------------------------------

    def spell(self, ids: Sequence[int], special: bool = False) -> bytes:
        """The bytes of a row: a function of its ids alone."""
        return b"".join(self.token_bytes(ids, special))

    def token_bytes(self, ids: Sequence[int], special: bool = False) -> list[bytes]:
        """What each token of a row adds to its bytes.

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
        return spelled

    def decode(self, ids: Sequence[int], special: bool = False) -> str:
        """The text of a row: `spell` read as UTF-8, with U+FFFD for what is not (a character cut in two)."""
        return self.spell(ids, special).decode("utf-8", "replace")

    # -- how it is done -------------------------------------------------------------------------------------------

    def _written(self, text: str) -> list[int]:
        """A text in the middle of a row, special tokens being text like any other."""
        return self._encoded(self._copies.plain, text, frozenset())

    def _parsed(self, tokenizer: Any, text: str) -> list[int]:
        """A text as one of the copies writes it, special tokens included."""
        return self._encoded(tokenizer, text, self._copies.special)

    def _encoded(self, tokenizer: Any, text: str, parsed: frozenset[int]) -> list[int]:
        """A text as one of the copies writes it, with these special tokens."""
        encoding = encoded(tokenizer, checked_text(text))
        if encoding is None:
            raise self._unspelled(text)
        self._within(encoding.ids, text)
        if not self._copies.complete or self._copies.unknown in encoding.ids:
            self._refuse_lost(encoding, text, parsed)
        return self._respelled(encoding, text, parsed)

    def _within(self, ids: list[int], text: str) -> None:
        """Refuse tokens that the model has no logits for: its tokenizer may be larger."""
        if max(ids, default=0) >= len(self.vocabulary):
            raise ValueError(f"{text!r} takes token {max(ids)}, but the model has only {len(self.vocabulary)} tokens")

    def _respelled(self, encoding: Any, text: str, parsed: frozenset[int], part: slice = slice(None)) -> list[int]:
        """The ids of an encoding, with plain tokens for text that the tokenizer took for a special token or a byte.

        Some tokenizers have `</s>` or `<0x0A>` among their pieces, and find them in a text by themselves. Special
        tokens in `parsed` stay.
        """
        hidden, ids = self.vocabulary.special, encoding.ids[part]
        if hidden.isdisjoint(ids) and not BYTE_PIECE.search(text):
            return ids
        respelled: list[int] = []
        for i, (begin, end) in zip(ids, encoding.offsets[part], strict=True):
            if i in hidden and i not in parsed:
                respelled += self._longest(self.vocabulary.tokens[i])
            elif len(self.vocabulary.tokens[i]) == 1 and BYTE_PIECE.fullmatch(text, begin, end):
                respelled += self._longest(text[begin:end].encode())
            else:
                respelled.append(i)
        return respelled

    def _refuse_lost(self, encoding: Any, text: str, parsed: frozenset[int]) -> None:
        """Raise ValueError where an encoding lacks a part of its text."""
        tokens, unknown = self.vocabulary.tokens, self._copies.unknown
        added = parsed - {unknown} | self._copies.text  # such a token is spelled, whatever text it was found in
        for run in text_runs(encoding, text, [n for n, token in enumerate(encoding.ids) if token in added]):
            # (a text may spell the unknown token)
            lost = any(
                token == unknown and text[slice(*offsets)].encode() != tokens[token]
                for token, offsets in zip(encoding.ids[run.part], encoding.offsets[run.part], strict=True)
            )
            if lost or not self._copies.rules.agree(
                b"".join(tokens[token] for token in self._respelled(encoding, text, parsed, run.part)), run.text
            ):
                raise self._unspelled(text, run.text)

    def _unspelled(self, text: str, part: str | None = None) -> ValueError:
        why = unspelled(text, text if part is None else part, self._copies, self.vocabulary)
        return ValueError(f"{type(self.tokenizer).__name__} {why}")

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
    def seams(self) -> WeakKeyDictionary[Any, dict[Any, Any]]:
        """By guide, what was asked about the borders of its texts (`decode/canonical.py`)."""
        return WeakKeyDictionary()

    @cached_property
    def _by_bytes(self) -> tuple[dict[bytes, int], int]:
        """The id of each text token by its bytes, and the length of the longest."""
        by_bytes: dict[bytes, int] = {}
        for i in self.vocabulary.text_ids.tolist():
            token = self.vocabulary.tokens[i]
            if token in by_bytes and BYTE_PIECE.fullmatch(self._copies.plain.id_to_token(i) or ""):
                continue  # SentencePiece has "A" and <0x41>, and writes the first
            if token not in by_bytes or BYTE_PIECE.fullmatch(self._copies.plain.id_to_token(by_bytes[token]) or ""):
                by_bytes[token] = i
        return by_bytes, max(map(len, by_bytes), default=0)

    @cached_property
    def _spellings(self) -> tuple[str, ...]:
        """How special tokens are written, longest first, so that none is taken for its own beginning."""
        return tuple(sorted(set(self._special_spellings.values()), key=len, reverse=True))

    @cached_property
    def _special_spellings(self) -> dict[int, str]:
        added = self._copies.whole.get_added_tokens_decoder()
        return {i: added[i].content for i in self._copies.special}

    def _encoded_chat(self, rendered: str, hidden: HiddenSpellings) -> list[int]:
        """Encode a rendered conversation; runs of plain text get their hidden spellings back first.

        A run goes from one special token of the template to the next, so that its tokens are the canonical ones.
        """
        encoding = encoded(self._copies.whole, checked_text(rendered))
        if encoding is None:
            raise self._unspelled(rendered)
        self._within(encoding.ids, rendered)
        ids: list[int] = []
        for run in text_runs(encoding, rendered, self._template_tokens(encoding, rendered)):
            restored, run_ids = hidden.restored(run.text), encoding.ids[run.part]
            if restored != run.text:
                # If the tokenizer wrote a space before the run with its words, it writes one before the restored run.
                starts_with_space = bool(run_ids) and self.vocabulary.tokens[run_ids[0]][:1] == b" "
                wrote_space = self.dummy and starts_with_space and run.text[:1] != " "
                ids += self._written((" " if wrote_space else "") + restored)
            else:
                if not self._copies.complete or self._copies.unknown in run_ids:
                    self._written(run.text)  # its error names what cannot be spelled
                ids += self._respelled(encoding, rendered, frozenset(), run.part)
            ids += run.end
        return ids

    def _template_tokens(self, encoding: Any, rendered: str) -> list[int]:
        """The places of a template's special tokens; not of those into which a normalizer turns other text."""
        spellings, offsets = self._special_spellings, encoding.offsets
        return [
            n
            for n, token in enumerate(encoding.ids)
            if token in spellings
            and token != self._copies.unknown
            and rendered[slice(*offsets[n])].strip() == spellings[token].strip()
        ]


def _some_encoding(plain: Any, vocabulary: Vocabulary) -> Any:
    """An encoding by a copy of the tokenizer that has tokens, if there is such a text."""
    others = (vocabulary.tokens[i].decode("utf-8", "replace") for i in vocabulary.text_ids)
    encodings = (encoded(plain, text) for text in itertools.chain(["a"], others))
    return next((encoding for encoding in encodings if encoding is not None and encoding.ids), None)


def _before(tokenizer: Any, plain: Any) -> tuple[int, ...]:
    """The ids that a tokenizer puts before a text, given the plain encoding of one."""
    if plain is None:
        return ()
    if hasattr(tokenizer, "build_inputs_with_special_tokens") and not hasattr(tokenizer, "backend_tokenizer"):
        whole = list(tokenizer.build_inputs_with_special_tokens(plain.ids))
    else:
        after = backend(tokenizer).post_processor
        whole = plain.ids if after is None else after.process(plain, None, True).ids
    starts = [at for at in range(len(whole)) if whole[at : at + len(plain.ids)] == plain.ids]
    return tuple(whole[: starts[0]]) if starts else ()


def checked_text(text: str) -> str:
    """The text, if it has no half characters: lone surrogates have no UTF-8, so no tokenizer can write them."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        where = f"at position {error.start} of {text!r}"
        raise ValueError(f"the lone surrogate {text[error.start]!r} {where} is not a character") from None
    return text
