"""JSON texts inside JSON strings: every byte of the text is written plainly, or as an escape where it has to be.

Law:   text is in L(x)  <=>  the JSON string of text is in L(substitute(x, escaped, escaped_word)), without its quotes,
       with x a language of UTF-8 bytes
"""

from __future__ import annotations

import json
from functools import lru_cache

from ..language.nodes import Node, alt, chars
from ..language.ranges import Ranges, overlap
from ..language.words import words

_PLAIN: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0xFF))
_ESCAPED: Ranges = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))


@lru_cache(maxsize=4096)
def escaped_word(word: bytes) -> bytes:
    """A word of a JSON text inside a string: with `\\"` for quotes, and `\\\\` for backslashes."""
    return json.dumps(word.decode("latin-1"), ensure_ascii=False)[1:-1].encode("latin-1")


@lru_cache(maxsize=4096)
def escaped(ranges: Ranges) -> Node:
    """One of these bytes inside a string, as `escaped_word` has it."""
    escapes = (escaped_word(bytes([c])) for low, high in overlap(ranges, _ESCAPED) for c in range(low, high + 1))
    return alt(chars(overlap(ranges, _PLAIN)), words(escapes))
