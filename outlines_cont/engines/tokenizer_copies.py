"""Copies of a user's tokenizer that write no space before a text, or parse no special tokens."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokenizers import AddedToken

from outlines_cont.fsm.tokenizer_bytes import parts, settings, unknown
from outlines_cont.fsm.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class TokenizerCopies:
    """Three copies of a `tokenizers.Tokenizer` that share its model, and the facts that an encoder needs.

    The copies have no padding, truncation and post-processor.

    Attributes:
        whole: the tokenizer as it is.
        middle: adds no space before a text.
        plain: adds no space, parses no special tokens, and lets no added token swallow the spaces around it.
        special: the added tokens that are special.
        text: the added tokens that are text.
        unknown: the id of whatever cannot be spelled; None if there is no such id.
        complete: whether every text can be spelled: there is a token for each byte.
        keeps_space: whether no space is written before a text that begins with one.
        dummy: whether a space is written before any other text.
    """

    whole: Any
    middle: Any
    plain: Any
    special: frozenset[int]
    text: frozenset[int]
    unknown: int | None
    complete: bool
    keeps_space: bool
    dummy: bool


def tokenizer_copies(fast: Any, vocabulary: Vocabulary) -> TokenizerCopies:
    """The copies of a `tokenizers.Tokenizer`, which stays as it is."""
    spaced = [part for part in parts(fast.pre_tokenizer) if part["type"] in ("Metaspace", "ByteLevel")]
    keeps = any(
        part.get("prepend_scheme", "never") != "never" or part.get("add_prefix_space", False) for part in spaced
    )
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
    return TokenizerCopies(
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
    """The settings of a normalizer or pre-tokenizer, except those that write a space before a text."""

    def edit(part: dict[str, Any]) -> dict[str, Any] | None:
        if part["type"] == "Prepend":
            return None
        if part["type"] == "Metaspace":
            return {**part, "prepend_scheme": "never"}
        if part["type"] == "ByteLevel":
            return {**part, "add_prefix_space": False}
        sequences = [key for key in ("normalizers", "pretokenizers") if key in part]
        return {**part, **{key: [edited for inner in part[key] if (edited := edit(inner))] for key in sequences}}

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
