"""Words that look like a keyword misspelt: what somebody meant to restrict would be free, without a word."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..formats import is_known
from ..json_values import ALL, kind_of
from .constants import TYPES
from .known import KNOWN, NUMERIC, RESTRICTING, SPEAKS_OF
from .places import LISTS_OF_SCHEMAS, SCHEMAS_BY_NAME

#: The words of other schema languages, and of people, for a keyword: of several, that which applies counts.
SYNONYMS = {
    "property": ("properties",),
    "constant": ("const",),
    "enumeration": ("enum",),
    **dict.fromkeys(("regex", "regexp"), ("pattern",)),
    **dict.fromkeys(("min", "minvalue"), ("minimum", "minLength", "minItems")),
    **dict.fromkeys(("max", "maxvalue"), ("maximum", "maxLength", "maxItems")),
    "unique": ("uniqueItems",),
}
#: All that would restrict something.
_CANDIDATES = sorted(RESTRICTING | {"then", "else", "minContains", "maxContains", "discriminator", "nullable"})
_WITHIN = {"then": ALL, "else": ALL, "minContains": frozenset(["array"]), "maxContains": frozenset(["array"])}
#: Keywords of one short word, which many other words resemble: these are meant only by what may be their value.
LONG = 7


def keyword_meant(word: str, value: Any, kinds: frozenset[str]) -> str | None:
    """The keyword that somebody meant who wrote this word, no keyword, beside it its value; None if none was meant.

    A word that differs from a keyword in at most two letters (a swap counts as one), or in case and separators only.
    Words that are marked as one's own (`x-…`, `_…`, `@…`, or with a `$` that the keyword lacks) are no keyword's.

    Args:
        kinds: the kinds of values that the schema allows: a keyword that speaks of others would not apply.
    """
    if word in KNOWN or word.startswith(("x-", "X-", "_", "@", "/", "#")):
        return None
    for keyword in _resembling(word):
        if SPEAKS_OF.get(keyword, _WITHIN.get(keyword, ALL)) & kinds and _may_have(keyword, value, word, kinds):
            return keyword
    return None


@lru_cache(maxsize=4096)
def _resembling(word: str) -> tuple[str, ...]:
    """The keywords that a word resembles, the nearest first."""
    plain = _plain(word)
    near = []
    for keyword in _CANDIDATES:
        if not word.startswith("$") or keyword.startswith("$"):
            meant = _plain(keyword)
            distance = _distance(plain, meant, 1 if meant in ("not", "if", "const") else 2)
            if distance is not None:
                near.append((distance, keyword))
    return (*(keyword for _, keyword in sorted(near)), *SYNONYMS.get(plain, ()))


def _plain(word: str) -> str:
    """A word without case and separators."""
    return "".join(filter(str.isalnum, word)).lower()


def _distance(a: str, b: str, most: int) -> int | None:
    """In how many letters two words differ, a swap of neighbours being one; None if in more than `most`."""
    if abs(len(a) - len(b)) > most:
        return None
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
            if i > 1 and j > 1 and (x, a[i - 2]) == (b[j - 2], y):
                row[-1] = min(row[-1], last[j - 2] + 1)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _may_have(keyword: str, value: Any, word: str, kinds: frozenset[str]) -> bool:
    """Whether a word with this value may be this keyword: a long word is, whatever its value."""
    if keyword == "const":
        return kind_of(value) in kinds
    return (len(keyword) >= LONG and _plain(word) not in SYNONYMS) or _form(keyword)(value)


def _form(keyword: str) -> Callable[[Any], bool]:
    """What a keyword's values look like."""
    if keyword in NUMERIC or keyword.startswith(("min", "max")):
        return lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    if keyword in ("nullable", "uniqueItems"):
        return lambda value: isinstance(value, bool)
    if keyword in SCHEMAS_BY_NAME:
        return lambda value: isinstance(value, dict) and all(isinstance(part, (dict, bool)) for part in value.values())
    if keyword in LISTS_OF_SCHEMAS:
        return lambda value: _is_schemas(value) or (keyword == "items" and isinstance(value, dict))
    return _FORMS.get(keyword, lambda value: isinstance(value, dict))


def _is_schemas(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, (dict, bool)) for part in value)


def _is_type(value: Any) -> bool:
    return all(isinstance(name, str) and name in TYPES for name in (value if isinstance(value, list) else [value]))


_FORMS: dict[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "enum": lambda value: isinstance(value, list),
    "pattern": lambda value: isinstance(value, str),
    "format": lambda value: isinstance(value, str) and is_known(value),
    "$ref": lambda value: isinstance(value, str) and ("#" in value or "/" in value),
}
