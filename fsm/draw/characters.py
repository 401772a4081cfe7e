"""Bytes and texts that people can read, and as markup."""

from __future__ import annotations

import re
from html import escape

KNOWN_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def readable(data: bytes) -> str:
    r"""Bytes as text in which all can be seen: `\n`, `\u00a0`, and `\xe4` where a character is not whole.

    >>> readable("tab\t, ä".encode() + b"\xc3")
    'tab\\t, ä\\xc3'
    """
    return "".join(map(seen, characters(data)))


def characters(data: bytes) -> str:
    """UTF-8, in which what is no whole character is one lone surrogate a byte."""
    return data.decode("utf-8", "surrogateescape")


def seen(character: str) -> str:
    """A character of `characters`, or what stands for it if it cannot be seen."""
    if character in KNOWN_ESCAPES:
        return KNOWN_ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code < 0xDD00:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def markup(text: str, quote: bool = True) -> str:
    r"""Any text as the content of an element. A character that XML cannot hold is written as `seen` writes it.

    quote: it may also be the value of an attribute.

    >>> markup("a\0 < b\n")
    'a\\u0000 &lt; b\n'
    """
    return escape(NOT_IN_XML.sub(lambda match: seen(match[0]), text), quote)
