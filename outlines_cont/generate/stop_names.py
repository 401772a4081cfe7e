"""Strings of `stop_at` that are meant as special tokens, and are plain text to this vocabulary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from outlines_cont.errors import warn
from outlines_cont.fsm.vocabulary import Vocabulary

#: How known chat formats write their special tokens.
LOOKS_SPECIAL = re.compile(
    r"<[|\uff5c][^<>\s]+[|\uff5c]>"  # <|im_end|>, and DeepSeek's with wide bars
    r"|</?s>|<(?:eos|bos|pad|unk|sep|cls|mask|eot|eom|eod)>|<(?:start|end)_of_[a-z_]+>"
    r"|\[(?:/?INST|EOS|BOS|PAD|UNK|SEP|CLS|MASK|EOT|gMASK|/?SYSTEM_PROMPT|/?AVAILABLE_TOOLS)\]|<</?SYS>>",
    re.IGNORECASE,
)
SHORTEST = 3  # bytes of a special token that is looked for inside of a longer string
MOST_NAMES = 8


def warn_of_plain_stops(stops: Sequence[str], vocabulary: Vocabulary) -> None:
    """One warning for strings that name special tokens and can never meet them: tokens that this vocabulary does not
    have, or that stand in a longer string. It comes once for each string.

    >>> from outlines_cont.generate.stop_names import warn_of_plain_stops
    >>> warn_of_plain_stops([".", "<|end|>", "</div>"], model.vocabulary)  # the first and the last are text
    """
    looked_at: set[str] = vocabulary.cache.setdefault("stop_at", set())
    new = [stop for stop in stops if stop not in looked_at]
    looked_at.update(new)
    reasons = [reason for stop in new if (reason := _reason(stop, vocabulary))]
    if reasons:
        warn(
            f"{'; '.join(reasons)}. This is plain text then, which a model hardly ever writes, so the text will not "
            f"end there. {_right(vocabulary)}"
        )


def _reason(stop: str, vocabulary: Vocabulary) -> str:
    """Why a string is plain text, although it looks like special tokens; "" where it is none, or a token."""
    data = stop.encode()
    if len(data) < SHORTEST:
        return ""
    special = (vocabulary.tokens[token] for token in vocabulary.special)
    inside = [name for name in special if name.startswith((b"<", b"[")) and len(name) >= SHORTEST and name in data]
    if data in inside:
        return ""
    if inside:
        name = max(inside, key=len).decode("utf-8", "replace")
        return f"stop_at={stop!r} is longer than the special token {name!r}, and no text contains that"
    names = [name for name in LOOKS_SPECIAL.findall(stop) if name.encode() not in vocabulary.tokens]
    return f"stop_at={stop!r}: this vocabulary has no token {names[0]!r}" if names else ""


def _right(vocabulary: Vocabulary) -> str:
    ids = [*vocabulary.eos, *sorted(vocabulary.special.difference(vocabulary.eos))]
    names = [vocabulary.tokens[token].decode("utf-8", "replace") for token in ids if vocabulary.tokens[token]]
    if not names:
        return "This vocabulary has no special tokens."
    more = ", …" * (len(names) > MOST_NAMES)
    ends = [vocabulary.tokens[token].decode("utf-8", "replace") for token in vocabulary.eos]
    always = f"; {', '.join(map(repr, ends))} always ends a text" if ends else ""
    return (
        f"Write one special token alone, by its spelling or its id; they are "
        f"{', '.join(map(repr, names[:MOST_NAMES]))}{more}{always}."
    )
