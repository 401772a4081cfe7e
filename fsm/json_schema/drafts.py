"""The drafts of JSON Schema: which words are keywords in each, and in which form some are written;
and the words that look like a keyword misspelt.

A draft is named as in its URI: "04", "06", "07", "2019-09", "2020-12"; a later one is a greater string. None stands for
a schema that does not say its draft: it may use the words and forms of all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .conjunction import Subschema, escape, refuse
from .values_and_keywords import ALL, DEFINITIONS, KEYWORDS, LAST, keywords_that, kind_of

# --- where the schemas within a schema stand


def _of_shape(*shapes: str) -> tuple[str, ...]:
    return keywords_that(lambda keyword: keyword.shape in shapes)


SCHEMAS_BY_NAME = frozenset(_of_shape("schemas by name")) - DEFINITIONS
_ONE_SCHEMA, _LISTS_OF_SCHEMAS = _of_shape("schema", "schema or schemas"), _of_shape("schemas", "schema or schemas")


def parts_within(schema: dict[str, Any], named: frozenset[str] = SCHEMAS_BY_NAME) -> Iterator[tuple[str, Any, Any]]:
    """What stands in a schema where the standard has one: the keyword, the key within it or None, and what is there."""
    for keyword, value in schema.items():
        if isinstance(value, dict) and keyword in named:
            for name, part in value.items():
                yield keyword, name, part
        elif isinstance(value, list) and keyword in _LISTS_OF_SCHEMAS:
            for i, part in enumerate(value):
                yield keyword, i, part
        elif isinstance(value, (dict, bool)) and keyword in _ONE_SCHEMA:
            yield keyword, None, value


def schemas_within(subschema: Subschema, named: frozenset[str] = SCHEMAS_BY_NAME) -> Iterator[Subschema]:
    """The schemas within a schema, wherever the standard has one."""
    for keyword, key, _ in parts_within(subschema.schema, named):
        yield subschema.at(keyword, key)


# --- drafts

#: The keywords of other drafts, by draft: in a schema of this draft they mean nothing.
FOREIGN: dict[str | None, frozenset[str]] = {None: frozenset()}
for _draft in ("04", "06", "07", "2019-09", LAST):
    FOREIGN[_draft] = frozenset(name for name, of in KEYWORDS.items() if not of.drafts[0] <= _draft <= of.drafts[1])
#: All that may make a value not fit.
RESTRICTING = frozenset(keywords_that(lambda keyword: keyword.restricts))


def name_of(draft: str) -> str:
    """A draft, for messages: draft-07, 2020-12."""
    return draft if "-" in draft else f"draft-{draft}"


def check_forms(subschema: Subschema, draft: str) -> None:
    """Refuse a keyword that is written as another draft has it."""
    schema = subschema.schema
    for keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        if keyword in schema and isinstance(schema[keyword], bool) is not (draft == "04"):
            _refuse_form(subschema, keyword, "true or false" if draft == "04" else "a number", draft)
    if draft == LAST and isinstance(schema.get("items"), list):
        _refuse_form(subschema, "items", "one schema (a list of schemas is 'prefixItems')", draft)
    if draft == "04":
        for keyword, key, part in parts_within(schema):
            if isinstance(part, bool) and keyword not in _MAY_BE_BOOLEAN:
                path = subschema.at(keyword, key).path
                refuse(path, f"a schema is an object in {name_of(draft)}, not {json.dumps(part)}")


_MAY_BE_BOOLEAN = ("additionalProperties", "additionalItems")


def own_keywords(subschema: Subschema, draft: str, for_generation: bool) -> dict[str, Any]:
    """A schema object without the keywords of other drafts. For generation these are refused: they were meant."""
    schema = subschema.schema
    check_forms(subschema, draft)
    if FOREIGN[draft].isdisjoint(schema):
        return schema
    foreign = FOREIGN[draft] & schema.keys()
    if for_generation and (meant := min(foreign & RESTRICTING, default=None)):
        problem = f"{meant!r} is no keyword of {name_of(draft)}: say another draft in '$schema', or none"
        refuse(f"{subschema.path}/{escape(meant)}", problem)
    return {keyword: schema[keyword] for keyword in schema if keyword not in foreign}


def with_null(subschema: Subschema) -> dict[str, Any]:
    """A schema object with OpenAPI's `nullable`, which is true, as the standard has it: null is one of its types.

    OpenAPI 3.0 gives it a meaning beside `type` only; and an `enum` has null only if it lists it. Where somebody may
    have meant more than that, it is refused.
    """
    schema, path = subschema.schema, f"{subschema.path}/nullable"
    types = schema.get("type")
    if types is None and not RESTRICTING.isdisjoint(schema):
        right = '{"anyOf": [{…}, {"type": "null"}]}'
        refuse(path, f"'nullable' means nothing without 'type' beside it: for a value that may be null, write {right}")
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(values, list) and None not in values:
        refuse(path, "'nullable' does not add null to the values that are listed: write null among those of 'enum'")
    if types is None:
        return schema
    return {**schema, "type": [*(types if isinstance(types, list) else [types]), "null"]}


def _refuse_form(subschema: Subschema, keyword: str, form: str, draft: str) -> None:
    refuse(f"{subschema.path}/{keyword}", f"is {form} in {name_of(draft)}, not {json.dumps(subschema.schema[keyword])}")


# --- words that look like a keyword misspelt: what somebody meant to restrict would be free, without a word

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
#: All that would restrict something, alone or beside another keyword.
_CANDIDATES = keywords_that(lambda keyword: keyword.restricts or keyword.within is not None)
_CANDIDATES = tuple(sorted(name for name in _CANDIDATES if not name.startswith("x-")))
#: Keywords of one short word, which many other words resemble: these are meant only by what may be their value.
LONG = 7


def refuse_misspelt(subschema: Subschema, kinds: frozenset[str]) -> None:
    """Refuse a word that looks like a keyword misspelt; and a whole schema of words that cannot be meant as keywords.

    kinds: see `keyword_meant`.
    """
    present = subschema.schema.keys()
    for word in sorted(present - KEYWORDS.keys()):
        meant = keyword_meant(word, subschema.schema[word], kinds)
        if meant is not None:
            problem = f"{word!r} is no keyword of JSON Schema: {meant!r}? (A word of your own is 'x-…'.)"
            refuse(f"{subschema.path}/{escape(word)}", problem)
    if (
        subschema.path == "#"
        and KEYWORDS.keys().isdisjoint(present)
        and not any(word.startswith(("x-", "$")) for word in present)
    ):
        names = ", ".join(sorted(map(repr, present)))
        right = '{"type": "object", "properties": {…}}'
        refuse("#", f"no key is a keyword of JSON Schema: {names}; for an object with these properties, {right}")


def keyword_meant(word: str, value: Any, kinds: frozenset[str]) -> str | None:
    """The keyword that somebody meant who wrote this word, no keyword, beside it its value; None if none was meant.

    A word that differs from a keyword in at most two letters (a swap counts as one), or in case and separators only.
    Words that are marked as one's own (`x-…`, `_…`, `@…`, or with a `$` that the keyword lacks) are no keyword's.

    Args:
        kinds: the kinds of values that the schema allows: a keyword that speaks of others would not apply.
    """
    if word in KEYWORDS or word.startswith(("x-", "X-", "_", "@", "/", "#")):
        return None
    for keyword in _resembling(word):
        row = KEYWORDS[keyword]
        if (row.speaks_of or row.within or ALL) & kinds and _may_have(keyword, value, word, kinds):
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
    return (len(keyword) >= LONG and _plain(word) not in SYNONYMS) or KEYWORDS[keyword].may_be(value)
