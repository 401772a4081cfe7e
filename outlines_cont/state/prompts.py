"""Prompts, as users give them, as rows in which nothing is generated yet."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, refuse_media, shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import BatchMismatch
from outlines_cont.state.row import Row

# --- keys of prompts: the beginning of the lineage by which each row draws its random numbers, as users name it
#
# The key k, an int, is the lineage (k,): that of the prompt at index k of a call without keys. A str is the lineage (−1
# − h,), where h are the 128 bits of BLAKE2b of its UTF-8 bytes. Every int key is ≥ 0 and every str becomes a negative
# number, so no str ever has the lineage of an int, nor of a copy of its row, which begins with the same number.

Key = SupportsIndex | str
Keys = Key | Sequence[Key] | np.ndarray[Any, Any] | Tensor

MOST_KEY = 2**63  # an int key is less: what a column of 64 bits holds
LEAST_LINEAGE = -(2**128)  # a str's
RIGHT = "a key is an int from 0 to 2**63 - 1, or a str; of any other id take the text, str(id)"


def checked_keys(keys: Any) -> tuple[int, ...]:
    """The first number of the lineage of each key: of one key, or of several.

    Raises:
        TypeError: a key, or what holds them, has another type.
        ValueError: a key out of its range, or the same key twice, with both places.
    """
    keys = plain(keys)
    if isinstance(keys, str) or is_whole(keys):
        return (lineage_of(plain_key(keys, "keys=")),)
    if not isinstance(keys, Sequence) or isinstance(keys, (bytes, bytearray, memoryview)):
        raise TypeError(f"keys={shown(keys)}: it takes a list with one key for each prompt, in order; {RIGHT}")
    places: dict[int, int] = {}
    for place, key in enumerate(keys):
        first = places.setdefault(lineage_of(plain_key(key, f"keys[{place}]=")), place)
        if first != place:
            raise ValueError(
                f"keys[{first}] and keys[{place}] are both {shown(key)}: two rows of one call with one key would draw "
                "the same random numbers. Give each prompt a key of its own; for several samples of one prompt, take a "
                "sampler of several samples"
            )
    return tuple(places)


def lineages(keys: tuple[int, ...] | None, count: int, keyed: str = "prompt") -> list[tuple[int, ...]]:
    """The lineage of each of so many prompts: of its key, or of its index where there are no keys.

    BatchMismatch if there are more keys than prompts, or fewer. keyed: what has the keys.
    """
    if keys is not None and len(keys) != count:
        plural = "s" if count != 1 else ""
        raise BatchMismatch(f"keys=: {len(keys)} given for {count} {keyed}{plural}; it takes one for each, in order")
    return [(number,) for number in (range(count) if keys is None else keys)]


def plain_key(key: Any, before: str) -> int | str:
    """A key as a plain value. TypeError or ValueError for what is none, with `before` before the key in its message."""
    if isinstance(key, str):
        return str.__str__(key)
    if not is_whole(key):
        raise TypeError(f"{before}{shown(key)} ({type(key).__name__}): {RIGHT}")
    if not 0 <= (number := index(key)) < MOST_KEY:
        raise ValueError(f"{before}{number}: {RIGHT}")
    return number


def lineage_of(key: int | str) -> int:
    """The first number of the lineage of a key."""
    if isinstance(key, int):
        return key
    data = key.encode("utf-8", "surrogatepass")
    return -1 - int.from_bytes(blake2b(data, digest_size=16, person=b"a key, a str").digest(), "little")


# --- prompts

Prompts = str | Sequence[str] | Sequence[int] | Sequence[Sequence[int]] | Tensor


def listed(prompts: Prompts) -> list[Any]:
    """One prompt, or several, as a list of them: each a str or a list of token ids."""
    if isinstance(prompts, str):
        return [prompts]
    refuse_media(prompts)
    refuse_embeddings(prompts)
    prompts = plain(prompts)
    if not isinstance(prompts, (list, tuple)):
        raise TypeError(
            f"a prompt is a str, token ids or a list of either, not {type(prompts).__name__}{_meant(prompts)}"
        )
    if not prompts:
        raise ValueError("there are no prompts in the list; pass at least one")
    for prompt in prompts:
        refuse_media(prompt)
        refuse_embeddings(prompt)
    if any(map(_is_row, prompts)):
        for place, prompt in enumerate(prompts):
            if not _is_row(prompt):
                raise TypeError(
                    f"a prompt is a str or token ids; {shown(prompt)} ({type(prompt).__name__}), prompt {place} of the "
                    f"{len(prompts)}, is neither"
                )
        return [plain(p) if getattr(p, "ndim", 0) else p for p in prompts]
    return [list(prompts)]


def refuse_embeddings(prompt: Any) -> None:
    """TypeError for a tensor or an array of floats: a row is made of token ids."""
    dtype = str(getattr(prompt, "dtype", "")).removeprefix("torch.")
    if "float" in dtype and hasattr(prompt, "shape"):  # models have a dtype, too
        raise TypeError(
            f"a prompt is a str or token ids, not a {type(prompt).__name__} of {dtype} and of shape "
            f"{tuple(prompt.shape)}: embeddings (inputs_embeds) are not taken, since a row is made of token ids"
        )


def _is_row(prompt: Any) -> bool:
    """Whether it is the text or the token ids of a row, and not a single id."""
    return isinstance(prompt, str | list | tuple) or bool(getattr(prompt, "ndim", 0))


def _meant(prompts: Any) -> str:
    """What somebody wanted who gave something else than prompts."""
    if isinstance(prompts, Mapping) and "role" in prompts:
        return ": for messages, model.chat([message])"
    if isinstance(prompts, Mapping) and "input_ids" in prompts:
        return ": give the texts themselves, or the ids of a row, inputs['input_ids'][0]"
    return ""


def is_one_prompt(prompts: Prompts) -> bool:
    """Whether it is one prompt, a str or token ids, and not a list of prompts.

    >>> from outlines_cont.state.prompts import is_one_prompt
    >>> is_one_prompt("The sky"), is_one_prompt(["The sky"]), is_one_prompt([5, 7]), is_one_prompt([[5, 7]])
    (True, False, True, False)
    """
    if isinstance(prompts, str):
        return True
    prompts = plain(prompts)
    return not any(map(_is_row, prompts))


def prompt_row(model: LanguageModel, prompt: Any, special: bool = False) -> Row:
    """The row of one prompt: a str, or a list of token ids, which are taken as they are.

    special: special tokens spelled in a str are parsed; else they are plain text.
    """
    if isinstance(prompt, str):
        ids, added = model.encoder.start(prompt, special=special)
        bos = len(model.encoder.prefix) if added else 0
        return model.claimed(Row().append(ids, kind="prompt", bos=bos))
    if not isinstance(prompt, (list, tuple)):
        raise TypeError(f"a prompt is a str or token ids; {shown(prompt)} ({type(prompt).__name__}) is neither")
    if any(isinstance(token, (str, dict)) for token in prompt):
        right = "prompts are one flat list" if isinstance(prompt[0], str) else "for messages, model.chat(messages)"
        raise TypeError(f"a prompt is a str or token ids, not the list {shown(prompt)}: {right}")
    ids = [_checked(token, len(model.vocabulary)) for token in prompt]
    return model.claimed(Row().append(ids, kind="prompt", from_ids=True))


def _checked(token: Any, size: int) -> int:
    if not is_whole(token):
        raise TypeError(f"a prompt is a str or token ids; {shown(token)} ({type(token).__name__}) is neither")
    token = operator.index(token)
    if not 0 <= token < size:
        raise ValueError(f"token id {token} is outside the vocabulary of {size} tokens")
    return token
