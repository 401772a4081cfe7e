"""Which keywords there are, and which kinds of values each of them speaks of."""

from __future__ import annotations

from ..json_values import NUMBERS
from .places import DEFINITIONS

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
