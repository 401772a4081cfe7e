"""Prompts, as users give them, as rows in which nothing is generated yet."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from outlines_cont.arguments import is_whole, plain, refuse_media, shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.row import Row

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
    if "float" in dtype:
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
