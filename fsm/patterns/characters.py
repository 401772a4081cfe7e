"""Which characters there are, and which of them the escapes, the properties and `(?i)` stand for.

The standard library's own matcher and its table of Unicode say so.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from outlines_cont.errors import LibraryError

from ..language.nodes import EMPTY, Node, Ranges, alt, cat, chars, complement, overlap, points, union
from ..language.terms import Charset, substitute

ASCII, IGNORECASE, MULTILINE = map(int, (re.ASCII, re.IGNORECASE, re.MULTILINE))  # flags are slow
DOTALL, VERBOSE = map(int, (re.DOTALL, re.VERBOSE))
TOP = sys.maxunicode
SURROGATES: Ranges = ((0xD800, 0xDFFF),)
CHARACTERS = complement(SURROGATES, TOP)
ANY = chars(CHARACTERS)
ECMA_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
ECMA_SPACE = union(
    ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    ((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)


def class_source(ranges: Ranges) -> str:
    """Characters as they are written between the brackets of a class."""
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


@cache
def escape_class(escape: str, ascii_only: bool) -> Ranges:
    """What `\\w`, `\\D` … stand for."""
    if ascii_only:
        positive = points(c for c in range(128) if re.match(escape.lower(), chr(c), ASCII))
    else:
        positive = _matched(escape.lower())
    return positive if escape.islower() else complement(positive, TOP)


@cache
def general_category(name: str) -> Ranges | None:
    """The characters of a general category, or of a group of them; None if there is no such."""
    names = _LONG_NAMES.get(name, name) or "none"
    parts = [ranges for category, ranges in _categories().items() if category.startswith(names)]
    return union(*parts) if parts else None


@cache
def unicode_property(name: str) -> Ranges | None:
    """The characters of ECMA-262's `\\p{name}`; None if it has no such property.

    Raises:
        LibraryError: `regex` is not installed, which knows of all properties but the general categories.
    """
    kind, _, value = name.rpartition("=")
    if kind in ("", "General_Category", "gc") and (ranges := general_category(value)) is not None:
        return ranges
    if name in ("Any", "ASCII"):
        return ((0, 127 if name == "ASCII" else TOP),)
    if name == "Assigned":
        return complement(_categories()["Cn"], TOP)
    if not re.fullmatch("((Script|sc|Script_Extensions|scx)=)?[A-Z][A-Za-z_]*|space", name):
        return None
    try:
        import regex
    except ImportError:
        raise LibraryError(f"\\p{{{name}}} is read by the package regex: pip install regex") from None
    try:
        return _matched(f"\\p{{{name if kind else f'{name}=Yes'}}}", regex)
    except regex.error:
        return None


@cache
def cased() -> Ranges:
    """The characters that upper or lower case turns into others. All others match the same with or without (?i)."""
    last = 0x1FFFF  # beyond lie ideographs, tags and private use
    return points(c for c in range(last + 1) if chr(c).lower() != chr(c) or chr(c).upper() != chr(c))


@lru_cache(maxsize=4096)
def cased_matches(source: str, flags: int) -> Ranges:
    """The characters of `cased` that `re` matches with a class."""
    return points(map(ord, re.findall(source, _cased_text(), flags)))


@cache
def _cased_text() -> str:
    return "".join(chr(c) for low, high in cased() for c in range(low, high + 1))


def _matched(source: str, library: Any = re) -> Ranges:
    """The characters that `re`, or `regex`, matches with a class."""
    runs = [m.span() for m in library.finditer(f"{source}+", _every_character())]
    return union(*(((_code_point(start), _code_point(stop - 1)),) for start, stop in runs))


def _code_point(index: int) -> int:
    """The code point of a character of `_every_character`, in which surrogates are left out."""
    return index if index < SURROGATES[0][0] else index + 0x800


@cache
def _every_character() -> str:
    """All characters, ascending. (`"".join(map(chr, …))` takes thirty times as long.)"""
    code_points = bytearray(4 * (TOP + 1))  # UTF-32, little-endian: the three bytes of each, one after the other
    code_points[0::4] = bytes(range(256)) * ((TOP + 1) // 256)
    code_points[1::4] = b"".join(bytes([byte]) * 256 for byte in range(256)) * ((TOP + 1) // 0x10000)
    code_points[2::4] = b"".join(bytes([plane]) * 0x10000 for plane in range((TOP + 1) // 0x10000))
    ((first, last),) = SURROGATES
    return (code_points[: 4 * first] + code_points[4 * (last + 1) :]).decode("utf-32-le")


@cache
def _categories() -> dict[str, Ranges]:
    """The characters of each general category."""
    runs: dict[str, list[tuple[int, int]]] = {"Cs": []}  # no surrogate is a character
    code = 0
    for category, run in groupby(map(unicodedata.category, _every_character())):
        size = sum(1 for _ in run)
        runs.setdefault(category, []).append((_code_point(code), _code_point(code + size - 1)))
        code += size
    return {category: overlap(CHARACTERS, union(ranges)) for category, ranges in runs.items()}


_LONG_NAMES: dict[str, str | tuple[str, ...]] = {
    **dict(Letter="L", Uppercase_Letter="Lu", Lowercase_Letter="Ll", Titlecase_Letter="Lt", Modifier_Letter="Lm"),
    **dict(Other_Letter="Lo", Mark="M", Nonspacing_Mark="Mn", Spacing_Mark="Mc", Enclosing_Mark="Me", Number="N"),
    **dict(Decimal_Number="Nd", digit="Nd", Letter_Number="Nl", Other_Number="No", Punctuation="P", punct="P"),
    **dict(Symbol="S", Math_Symbol="Sm", Currency_Symbol="Sc", Modifier_Symbol="Sk", Other_Symbol="So"),
    **dict(Separator="Z", Space_Separator="Zs", Line_Separator="Zl", Paragraph_Separator="Zp", Other="C"),
    **dict(Control="Cc", cntrl="Cc", Format="Cf", Private_Use="Co", Unassigned="Cn"),
    **dict(Combining_Mark="M", Surrogate="Cs", LC=("Lu", "Ll", "Lt"), Cased_Letter=("Lu", "Ll", "Lt")),
}


# --- the UTF-8 spelling of characters, and of languages of characters

_ASCII: Ranges = ((0, 0x7F),)
_BEYOND = overlap(CHARACTERS, ((0x80, TOP),))
_LENGTHS = (0x7F, 0x7FF, 0xFFFF, TOP)  # the last character that takes 1, 2, 3, 4 bytes
Bytes = tuple[tuple[int, int], ...]  # a range for each byte of a spelling


def utf8(node: Node) -> Node:
    """The UTF-8 spelling of a language of code points."""
    return substitute(node, utf8_class)


@lru_cache(maxsize=65536)
def utf8_class(ranges: Ranges) -> Node:
    """The UTF-8 spellings of the characters in `ranges` (surrogates, if any, are left out)."""
    plain, beyond = overlap(ranges, _ASCII), overlap(ranges, _BEYOND)
    if not beyond:
        return chars(plain)
    return Charset(ranges, alt(chars(plain), _beyond(beyond))) if plain else _beyond(beyond)


@lru_cache(maxsize=4096)
def _beyond(ranges: Ranges) -> Charset:
    """The spellings of characters beyond ASCII. (Classes that differ in ASCII share them: there may be hundreds.)"""
    spellings: list[Bytes] = []
    for low, high in ranges:
        for last in _LENGTHS:
            if low <= last:
                spellings += _split(chr(low).encode(), chr(min(high, last)).encode())
                low = last + 1
                if low > high:
                    break
    return Charset(ranges, _tree(tuple(spellings)))


def _split(low: bytes, high: bytes) -> Iterator[Bytes]:
    """Byte ranges whose products are exactly the spellings from `low` to `high`, which are equally long."""
    if low[0] == high[0] or len(low) == 1:
        remainders = _split(low[1:], high[1:]) if len(low) > 1 else iter(((),))
        for remaining in remainders:
            yield ((low[0], high[0]), *remaining)
        return
    first, last, tail = low[0], high[0], len(low) - 1
    if low[1:] != b"\x80" * tail:
        yield from _split(low, low[:1] + b"\xbf" * tail)
        first += 1
    if high[1:] != b"\xbf" * tail:
        last -= 1
    if first <= last:
        yield ((first, last), *(((0x80, 0xBF),) * tail))
    if last < high[0]:
        yield from _split(high[:1] + b"\x80" * tail, high)


@lru_cache(maxsize=65536)
def _tree(spellings: tuple[Bytes, ...]) -> Node:
    """One node for all of the spellings; equal tails are the same node."""
    if spellings == ((),):
        return EMPTY
    tails: dict[tuple[int, int], list[Bytes]] = {}
    for first, *remaining in spellings:
        tails.setdefault(first, []).append(tuple(remaining))
    firsts: dict[tuple[Bytes, ...], list[tuple[int, int]]] = {}
    for first, rests in tails.items():
        firsts.setdefault(tuple(rests), []).append(first)
    return alt(*(cat(chars(union(group)), _tree(rests)) for rests, group in firsts.items()))
