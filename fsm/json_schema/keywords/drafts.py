"""The drafts of JSON Schema: which words are keywords in each, and in which form some are written.

A draft is named as in its URI: "04", "06", "07", "2019-09", "2020-12"; a later one is a greater string. None stands for
a schema that does not say its draft: it may use the words and forms of all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..conjunction import NUMBERS, Subschema, refuse

# --- where the schemas within a schema stand

#: The keywords whose value is one schema, a list of schemas, or an object of schemas.
ONE_SCHEMA = frozenset(["additionalProperties", "additionalItems", "items", "contains", "propertyNames"])
ONE_SCHEMA |= {"not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties"}
LISTS_OF_SCHEMAS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
SCHEMAS_BY_NAME = frozenset(["properties", "patternProperties", "dependentSchemas", "dependencies"])
DEFINITIONS = frozenset(["$defs", "definitions"])


def parts_within(schema: dict[str, Any], named: frozenset[str] = SCHEMAS_BY_NAME) -> Iterator[tuple[str, Any, Any]]:
    """What stands in a schema where the standard has one: the keyword, the key within it or None, and what is there."""
    for keyword, value in schema.items():
        if isinstance(value, dict) and keyword in named:
            for name, part in value.items():
                yield keyword, name, part
        elif isinstance(value, list) and keyword in LISTS_OF_SCHEMAS:
            for i, part in enumerate(value):
                yield keyword, i, part
        elif isinstance(value, (dict, bool)) and keyword in ONE_SCHEMA:
            yield keyword, None, value


def schemas_within(subschema: Subschema, named: frozenset[str] = SCHEMAS_BY_NAME) -> Iterator[Subschema]:
    """The schemas within a schema, wherever the standard has one."""
    for keyword, key, _ in parts_within(subschema.schema, named):
        yield subschema.at(keyword, key)


# --- which keywords there are, and which kinds of values each of them speaks of

NUMERIC = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
STRINGS = ("minLength", "maxLength", "pattern")
ARRAYS = ("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains")
OBJECTS = (
    *("properties", "patternProperties", "additionalProperties", "required", "minProperties", "maxProperties"),
    *("propertyNames", "discriminator"),
)
#: What combines other schemas, for the same value.
APPLICATORS = (
    *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if"),
    *("dependentSchemas", "dependentRequired", "dependencies"),
)
DEPENDENCIES = ("dependentSchemas", "dependentRequired", "dependencies")
#: What names a schema: strings.
IDENTIFIERS = ("$id", "$anchor", "$dynamicAnchor")
UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
#: The keywords that are read together: by the first one, for each of them.
READ_TOGETHER = {
    keyword: keywords[0]
    for keywords in (
        *(NUMERIC, STRINGS, ARRAYS, OBJECTS, APPLICATORS, UNEVALUATED),
        *(("type",), ("enum", "const"), ("format",), (*IDENTIFIERS, *DEFINITIONS)),
    )
    for keyword in keywords
}

#: The kinds of values that a keyword speaks of.
SPEAKS_OF = {
    **dict.fromkeys((*STRINGS, "format"), frozenset(["string"])),
    **dict.fromkeys(NUMERIC, NUMBERS),
    **dict.fromkeys((*ARRAYS, "unevaluatedItems"), frozenset(["array"])),
    **dict.fromkeys((name for name in OBJECTS if name != "discriminator"), frozenset(["object"])),
    **dict.fromkeys(("dependencies", "dependentRequired", "dependentSchemas"), frozenset(["object"])),
    "unevaluatedProperties": frozenset(["object"]),
}

#: All that may make a value not fit.
RESTRICTING = frozenset((*SPEAKS_OF, *APPLICATORS, "type", "enum", "const"))

#: All that the standard, its older drafts and OpenAPI know.
KNOWN = frozenset(
    """
    $schema $id id $comment $defs definitions $anchor $vocabulary title description default example examples deprecated
    readOnly writeOnly nullable xml externalDocs links contentEncoding contentMediaType contentSchema $dynamicAnchor
    $recursiveAnchor then else minContains maxContains type enum const
    """.split()  # noqa: SIM905
) | {*SPEAKS_OF, *OBJECTS, *APPLICATORS, *UNEVALUATED}


def may_be_meant(keyword: str) -> bool:
    """Whether a schema may hold this word on purpose: a keyword, or an extension by its form."""
    return keyword in KNOWN or keyword.startswith(("x-", "$"))


# --- drafts

_URI = re.compile(r"json-schema\.org/(?:draft[-/](0[4567]|2019-09|2020-12)/)?(?:hyper-)?schema#?$")
_LAST = "2020-12"

#: The keywords that not all drafts have, by the first draft and the last one that has them.
_SPANS = {
    ("04", "04"): ("id",),
    ("04", "07"): ("dependencies",),
    ("04", "2019-09"): ("additionalItems",),
    ("06", _LAST): ("$id", "const", "contains", "propertyNames"),
    ("07", _LAST): ("if", "then", "else"),
    ("2019-09", "2019-09"): ("$recursiveRef", "$recursiveAnchor"),
    ("2019-09", _LAST): (
        *("$anchor", "dependentRequired", "dependentSchemas", "minContains", "maxContains"),
        *("unevaluatedItems", "unevaluatedProperties"),
    ),
    (_LAST, _LAST): ("$dynamicRef", "$dynamicAnchor", "prefixItems"),
}
#: The keywords of other drafts, by draft: in a schema of this draft they mean nothing.
FOREIGN: dict[str | None, frozenset[str]] = {
    draft: frozenset(word for (first, last), words in _SPANS.items() if not first <= draft <= last for word in words)
    for draft in ("04", "06", "07", "2019-09", "2020-12")
}
FOREIGN[None] = frozenset()


def draft_of(schema: Any, path: str, otherwise: str | None = None) -> str | None:
    """The draft that a schema says it is written in; `otherwise` if it does not say one."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if uri is None:
        return otherwise
    match = _URI.search(uri) if isinstance(uri, str) else None
    if match is None:
        advice = "say a draft of json-schema.org, draft-04 or later, or none"
        refuse(f"{path}/$schema", f"the dialect {uri!r} is not known: {advice}")
    return "04" if match[1] == "05" else match[1]  # draft 5 has the keywords of draft 4


def name_of(draft: str) -> str:
    """A draft, for messages: draft-07, 2020-12."""
    return draft if "-" in draft else f"draft-{draft}"


def refs_stand_alone(draft: str | None) -> bool:
    """Whether the words beside a `$ref` mean nothing."""
    return draft is not None and draft <= "07"


def identifier(schema: Any, draft: str | None) -> str | None:
    """The URI that a schema gives itself: `$id`, or `id` in draft 4."""
    if not isinstance(schema, dict):
        return None
    for name in ("$id", "id"):
        if isinstance(schema.get(name), str) and name not in FOREIGN[draft]:
            return schema[name]
    return None


def check_forms(subschema: Subschema, draft: str) -> None:
    """Refuse a keyword that is written as another draft has it."""
    schema = subschema.schema
    for keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        if keyword in schema and isinstance(schema[keyword], bool) is not (draft == "04"):
            _refuse_form(subschema, keyword, "true or false" if draft == "04" else "a number", draft)
    if draft == _LAST and isinstance(schema.get("items"), list):
        _refuse_form(subschema, "items", "one schema (a list of schemas is 'prefixItems')", draft)
    if draft == "04":
        for keyword, key, part in parts_within(schema):
            if isinstance(part, bool) and keyword not in _MAY_BE_BOOLEAN:
                path = subschema.at(keyword, key).path
                refuse(path, f"a schema is an object in {name_of(draft)}, not {json.dumps(part)}")


_MAY_BE_BOOLEAN = ("additionalProperties", "additionalItems")


def _refuse_form(subschema: Subschema, keyword: str, form: str, draft: str) -> None:
    refuse(f"{subschema.path}/{keyword}", f"is {form} in {name_of(draft)}, not {json.dumps(subschema.schema[keyword])}")
