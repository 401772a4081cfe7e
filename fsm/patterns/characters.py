"""Which characters there are, and which of them the escapes, the properties and `(?i)` stand for.

The standard library's own matcher and its table of Unicode say so.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache, lru_cache

import numpy as np

from ..language.nodes import chars
from ..language.ranges import Ranges, complement, overlap, union

ASCII, IGNORECASE, DOTALL, VERBOSE = map(int, (re.ASCII, re.IGNORECASE, re.DOTALL, re.VERBOSE))  # flags are slow
TOP = sys.maxunicode
SURROGATES: Ranges = ((0xD800, 0xDFFF),)
CHARACTERS = complement(SURROGATES, TOP)
ANY = chars(CHARACTERS)
ECMA_SPACE = union(
    ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    ((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)


def _spell(ranges: Ranges) -> str:
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


@cache
def _every_character() -> str:
    return (
        np.concatenate([np.arange(low, high + 1, dtype="<u4") for low, high in CHARACTERS])
        .tobytes()
        .decode("utf-32-le")
    )


@cache
def _cased() -> Ranges:
    """The characters that upper or lower case turns into others. All others match the same with or without (?i)."""
    last = 0x1FFFF  # beyond lie ideographs, tags and private use
    return union(*(((c, c),) for c in range(last + 1) if chr(c).lower() != chr(c) or chr(c).upper() != chr(c)))


@cache
def _cased_text() -> str:
    return "".join(chr(c) for low, high in _cased() for c in range(low, high + 1))


@lru_cache(maxsize=4096)
def _matched(source: str, flags: int, cased: bool = False) -> Ranges:
    """The characters (or the cased ones) that `re` matches with a class."""
    if cased:
        return union(*(((ord(c), ord(c)),) for c in re.findall(source, _cased_text(), flags)))
    runs = [m.span() for m in re.finditer(f"{source}+", _every_character(), flags)]
    return union(*(((_code_point(start), _code_point(stop - 1)),) for start, stop in runs))


_LONG_NAMES = {
    **dict(Letter="L", Uppercase_Letter="Lu", Lowercase_Letter="Ll", Titlecase_Letter="Lt", Modifier_Letter="Lm"),
    **dict(Other_Letter="Lo", Mark="M", Nonspacing_Mark="Mn", Spacing_Mark="Mc", Enclosing_Mark="Me", Number="N"),
    **dict(Decimal_Number="Nd", digit="Nd", Letter_Number="Nl", Other_Number="No", Punctuation="P", punct="P"),
    **dict(Symbol="S", Math_Symbol="Sm", Currency_Symbol="Sc", Modifier_Symbol="Sk", Other_Symbol="So"),
    **dict(Separator="Z", Space_Separator="Zs", Line_Separator="Zl", Paragraph_Separator="Zp", Other="C"),
    **dict(Control="Cc", cntrl="Cc", Format="Cf", Private_Use="Co", Unassigned="Cn"),
}


@cache
def _general_category(name: str) -> Ranges:
    """The characters of a general category, or of a group of them; none if there is no such."""
    name = _LONG_NAMES.get(name, name)
    categories = _categories()
    codes = np.flatnonzero(np.char.startswith(categories, name)) if 1 <= len(name) <= 2 else np.zeros(0, np.int64)
    breaks = np.flatnonzero(np.diff(codes) > 1)
    if not len(codes):
        return ()
    lows, highs = codes[np.r_[0, breaks + 1]].tolist(), codes[np.r_[breaks, len(codes) - 1]].tolist()
    return overlap(CHARACTERS, tuple(zip(lows, highs, strict=True)))


@cache
def _categories() -> np.ndarray:
    return np.array([unicodedata.category(chr(c)) for c in range(TOP + 1)])


@cache
def _category(escape: str, ascii_only: bool) -> Ranges:
    """What `\\w`, `\\D` … stand for."""
    if ascii_only:
        positive = union(*(((c, c),) for c in range(128) if re.match(escape.lower(), chr(c), ASCII)))
    else:
        positive = _matched(escape.lower(), 0)
    return positive if escape.islower() else complement(positive, TOP)


def _code_point(index: int) -> int:
    return index if index < SURROGATES[0][0] else index + 0x800
