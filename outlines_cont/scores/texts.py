"""The texts that `score()` is given: which ones come after which row, as they were written and as token ids."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cache
from typing import Any

from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.decode.canonical import Beginnings, Seam, reopened
from outlines_cont.engines.protocol import LanguageModel, how_to_enlarge
from outlines_cont.kv.given_tokens import Ids
from outlines_cont.state.state import SequenceState

Text = str | Ids  # as it was given
#: A text or its token ids; a list of them, for every row; a list of such lists, one for each batch row; or one for each
#: batch row with one for each of its samples. The nested lists of ids may be an int tensor.
Texts = str | Tensor | Sequence["Texts"] | Sequence[int]


def texts_of_rows(texts: Texts, state: SequenceState) -> tuple[list[list[list[Text]]], int]:
    """For each row of a state its texts, B × S lists of them; and K, how many the longest list has.

    Raises:
        TypeError: something that is no text, by its place.
        ValueError: lists that are not as many as the state's rows, an empty list of texts, or an unknown token id.
    """
    nested = _lists(texts)
    if not isinstance(nested, (str, list)):
        raise TypeError(f"texts={shown(texts)}: score() takes a str or a list of them, not {type(texts).__name__}")
    if nested == []:
        raise ValueError("texts is empty: there is nothing to score; pass at least one str")
    batch, samples, _ = state.shape
    size = len(state.model.vocabulary)
    levels = _levels(nested)
    if levels > 3:
        raise ValueError(f"texts is nested {levels} deep: at most batch row, sample, text")
    if levels < 2:
        listed = _listed(nested, "texts", size) if levels else [_text(nested, "texts", size)]
        return [[listed] * samples for _ in range(batch)], len(listed)
    _check_count(nested, "texts", batch, "batch row", levels)
    if levels == 2:
        of_batch = [_listed(row, f"texts[{b}]", size) for b, row in enumerate(nested)]
        return [[row] * samples for row in of_batch], max(map(len, of_batch), default=0)
    for b, rows in enumerate(nested):
        _check_count(rows, f"texts[{b}]", samples, "sample", levels)
    of_rows = [[_listed(row, f"texts[{b}][{s}]", size) for s, row in enumerate(rows)] for b, rows in enumerate(nested)]
    return of_rows, max((len(row) for rows in of_rows for row in rows), default=0)


def listed_texts(texts: str | Sequence[str]) -> list[str]:
    """Texts that every row has, before there are rows; the TypeError or ValueError of `score()` for anything else."""
    if isinstance(texts, str):
        return [texts]
    if not isinstance(texts, (list, tuple)):
        raise TypeError(f"texts={shown(texts)}: it is a str or a list of them, not {type(texts).__name__}")
    if not texts:
        raise ValueError("texts is empty: there is nothing to score; pass at least one str")
    for k, text in enumerate(texts):
        if not isinstance(text, str):
            nested = isinstance(text, (list, tuple))
            right = "; for other texts after each prompt: oc.score(model.state(prompts), texts)" if nested else ""
            raise TypeError(f"texts[{k}] is {shown(text)} ({type(text).__name__}), not a str{right}")
    return list(texts)


def with_reopened(
    state: SequenceState, texts: list[list[list[Text]]], seam: Seam
) -> tuple[SequenceState, list[list[bytes]]]:
    """The state without the tokens that a choice among a row's texts would take back, and what these say."""
    encoder, taken_back = state.model.encoder, [[b""] * len(rows) for rows in state.rows]
    rows = [list(group) for group in state.rows]
    for b, group in enumerate(state.rows):
        for s, row in enumerate(group):
            strings = [text for text in texts[b][s] if isinstance(text, str)]
            if row.dead or len(strings) < len(texts[b][s]):
                continue
            if count := reopened(encoder, Beginnings.of_texts(strings), row, seam):
                taken_back[b][s] = encoder.vocabulary.decode(row.ids[-count:])
                rows[b][s] = row.take(range(len(row) - count))
    if not any(map(any, taken_back)):
        return state, taken_back
    return SequenceState(state.model, rows, state.shape[1]), taken_back


def spelled_texts(
    state: SequenceState, texts: list[list[list[Text]]], taken_back: list[list[bytes]], windowed: bool
) -> list[list[list[Ids] | None]]:
    """Each row's texts as they are spelled after it; None for a dead row.

    taken_back: what stands before the texts of each row, and is spelled together with them;
    windowed: whether a row and a text may exceed the model's context; else they are a ValueError.
    """
    model = state.model
    encode = cache(model.encoder.append)

    def ids_of(text: Text, at_start: bool, before: bytes) -> Ids:
        if before and isinstance(text, str):
            return tuple(model.encoder.encode_bytes(before + text.encode()))
        return tuple(encode(text, at_start=at_start)) if isinstance(text, str) else text

    spelled: list[list[list[Ids] | None]] = []
    for b, rows in enumerate(state.rows):
        spelled.append([])
        for s, row in enumerate(rows):
            if row.dead:
                spelled[-1].append(None)
                continue
            if not row.ids:
                raise ValueError(f"row ({b}, {s}) is empty: a text is scored after at least one token")
            at_start, before = row.ids == model.encoder.prefix, taken_back[b][s]
            spellings = [ids_of(text, at_start, before) for text in texts[b][s]]
            if not windowed:
                _check_context(model, (b, s), len(row), spellings)
            spelled[-1].append(spellings)
    return spelled


def byte_count(model: LanguageModel, text: Text) -> int:
    """The UTF-8 bytes of a text. Special tokens are no text, and have none."""
    return len(text.encode() if isinstance(text, str) else model.vocabulary.decode(text))


def character_count(model: LanguageModel, text: Text) -> int:
    """The characters of a text (code points). Of characters that ids spell in part, those whose first byte is there."""
    if isinstance(text, str):
        return len(text)
    return sum(byte & 0xC0 != 0x80 for byte in model.vocabulary.decode(text))


def _lists(value: Any) -> Any:
    """The value with lists where there are tuples, tensors and arrays."""
    value = plain(value)
    if not isinstance(value, (list, tuple)):
        return value
    return list(value) if all(type(item) in (int, str) for item in value) else [_lists(item) for item in value]


def _levels(value: Any) -> int:
    """How many lists there are around the texts. A list of anything else than texts and lists stands for a text; an
    empty one does so if it is in the place of one."""
    if not isinstance(value, list) or (value and not any(isinstance(item, (list, str)) for item in value)):
        return 0
    return 1 + max(map(_levels, value), default=-1)


def _listed(texts: Any, name: str, vocabulary_size: int) -> list[Text]:
    if not isinstance(texts, list) or (texts and all(map(is_whole, texts))):
        raise TypeError(f"{name} is {shown(texts)}, where others are lists of texts: nest all alike")
    if not texts:
        raise ValueError(f"{name} is empty: there is nothing to score; pass at least one str")
    return [_text(text, f"{name}[{k}]", vocabulary_size) for k, text in enumerate(texts)]


def _text(text: Any, name: str, vocabulary_size: int) -> Text:
    if isinstance(text, str):
        return text
    if not isinstance(text, list) or not all(map(is_whole, text)):
        raise TypeError(f"{name} is {shown(text)} ({type(text).__name__}), not a str, and not a list of token ids")
    ids = tuple(map(operator.index, text))
    for token in ids:
        if not 0 <= token < vocabulary_size:
            raise ValueError(f"{name} has token id {token}, outside the vocabulary of {vocabulary_size} tokens")
    return ids


def _check_count(lists: Any, name: str, count: int, axis: str, levels: int) -> None:
    shape = "one list for each batch row" + (", in it one for each sample" if levels == 3 else "")
    if not isinstance(lists, list):
        raise TypeError(f"{name} is {shown(lists)}, where others are lists: nest all alike, {shape}")
    if len(lists) != count:
        raise ValueError(
            f"{name} has length {len(lists)}, but the state has {count} {axis}{'s' * (count != 1)}: texts "
            f"nested {levels} deep are {shape}; a list of texts alone is for all rows"
        )


def _check_context(model: LanguageModel, row: tuple[int, int], length: int, spellings: list[Ids]) -> None:
    for k, ids in enumerate(spellings):
        if model.context_length is not None and length + len(ids) > model.context_length:
            raise ValueError(
                f"row {row} has {length} tokens and texts[{k}] {len(ids)}, together {length + len(ids)}; the model's "
                f"context is {model.context_length}: windows= reads longer texts in parts{how_to_enlarge(model)}"
            )
