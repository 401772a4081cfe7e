"""The parts of a `tokenizers.Tokenizer`, as they would stand in `tokenizer.json`; and tokenizers made of such parts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def settings(component: Any) -> dict[str, Any]:
    """The dict that would stand in `tokenizer.json` for one component of a tokenizer.

    Raises:
        ValueError: the component is written in Python, so its settings are not known.
    """
    try:
        return json.loads(component.__getstate__())  # far cheaper than the whole tokenizer's JSON, with its vocabulary
    except Exception as error:
        raise ValueError(f"a tokenizer with a custom {type(component).__name__} cannot be read: {error}") from error


def parts(component: Any) -> list[dict[str, Any]]:
    """The settings of a tokenizer's normalizer, pre-tokenizer, decoder or post-processor, sequences flattened.

    Each is the dict that would stand in `tokenizer.json`; `[]` for None.
    """
    if component is None:
        return []
    flat, queue = [], [settings(component)]
    while queue:
        part = queue.pop(0)
        inner = next((part[k] for k in ("normalizers", "pretokenizers", "decoders", "processors") if k in part), None)
        if inner is None:
            flat.append(part)
        else:
            queue[:0] = inner
    return flat


def tokenizer_of(kind: Any, normalizers: Sequence[dict[str, Any]], pre_tokenizer: dict[str, Any] | None = None) -> Any:
    """A tokenizer of this class around an empty model, from the settings of its normalizers and its pre-tokenizer.

    (Components can only be edited in place, in the user's tokenizer; this makes others.)
    """
    fields = {
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": list(normalizers)} if normalizers else None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "BPE", "vocab": {}, "merges": []},
    }
    return kind.from_str(json.dumps(fields))


def encoded(fast: Any, text: str) -> Any | None:
    """The encoding of a text; None if the tokenizer refuses it.

    Raises:
        ValueError: the tokenizers library itself breaks down at this text.
    """
    try:
        return fast.encode(text)
    except Exception:  # of a model without an unknown token: it cannot spell the text
        return None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"the tokenizers library breaks down at {text!r}: {error}") from error
