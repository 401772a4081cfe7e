"""Words in a schema that are no keywords: which of them are taken for one misspelt; and OpenAPI's `nullable`."""

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts
from test_schema_suite import DATA

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.json_schema.drafts import keyword_meant
from outlines_cont.fsm.json_schema.values_and_keywords import KEYWORDS

#: For each keyword that restricts something: a schema that it stands in.
WRITTEN: dict[str, dict[str, Any]] = {
    "type": {"type": "string"},
    "enum": {"enum": ["a"]},
    "const": {"const": "a"},
    **{name: {"type": "number", name: 3} for name in ("minimum", "maximum", "exclusiveMinimum", "multipleOf")},
    **{name: {"type": "string", name: 3} for name in ("minLength", "maxLength")},
    "pattern": {"type": "string", "pattern": "a"},
    "format": {"type": "string", "format": "date"},
    "items": {"type": "array", "items": {"type": "null"}},
    "prefixItems": {"type": "array", "prefixItems": [{"type": "null"}]},
    **{name: {"type": "array", name: 3} for name in ("minItems", "maxItems")},
    "uniqueItems": {"type": "array", "uniqueItems": True},
    "contains": {"type": "array", "contains": {"type": "null"}},
    "properties": {"properties": {"a": {"type": "null"}}, "required": ["a"]},
    "patternProperties": {"patternProperties": {"a": {"type": "null"}}},
    "additionalProperties": {"type": "object", "additionalProperties": {"type": "null"}},
    "required": {"properties": {"a": {"type": "null"}}, "required": ["a"]},
    "propertyNames": {"type": "object", "propertyNames": {"maxLength": 3}},
    **{name: {"type": "object", name: 3} for name in ("minProperties", "maxProperties")},
    **{name: {name: [{"type": "null"}]} for name in ("allOf", "anyOf", "oneOf")},
    "not": {"not": {"type": "null"}},
    "then": {"if": {"type": "string"}, "then": {"maxLength": 3}},
    "$ref": {"$ref": "#/$defs/a", "$defs": {"a": {}}},
    "dependentRequired": {"type": "object", "dependentRequired": {"a": ["b"]}},
    "nullable": {"type": "string", "nullable": True},
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def plain(word: str) -> str:
    return "".join(filter(str.isalnum, word)).lower()


@cache
def distance(a: str, b: str) -> int:
    """Letters put in, left out, replaced, or swapped with the next: by definition."""
    if not a or not b:
        return len(a) + len(b)
    ways = [distance(a[1:], b) + 1, distance(a, b[1:]) + 1, distance(a[1:], b[1:]) + (a[0] != b[0])]
    if len(a) > 1 and len(b) > 1 and (a[0], a[1]) == (b[1], b[0]):
        ways.append(distance(a[2:], b[2:]) + 1)
    return min(ways)


@st.composite
def spelt(draw: st.DrawFn, keyword: str) -> str:
    """A keyword in another case, with other separators, and with one or two mistakes, perhaps."""
    word = keyword
    for _ in range(draw(st.integers(0, 1 if keyword in ("not", "const") else 2))):
        at, letter = draw(st.integers(0, len(word) - 1)), draw(st.sampled_from(LETTERS))
        swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
        edits = [
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at + 1 :],
            swapped,
        ]
        word = draw(st.sampled_from(edits)) or word
    style = draw(st.sampled_from(["as it is", "lower", "UPPER", "snake_case", "kebab-case", "with spaces", "Capital"]))
    separator = {"snake_case": "_", "kebab-case": "-", "with spaces": " "}.get(style)
    if separator is not None:
        return "".join(
            separator + letter.lower() if letter.isupper() and i else letter for i, letter in enumerate(word)
        )
    return {"lower": word.lower(), "UPPER": word.upper(), "Capital": word.capitalize()}.get(style, word)


@settings(max_examples=1000)
@given(keyword=st.sampled_from(sorted(WRITTEN)), data=st.data())
def test_a_word_near_a_keyword_that_would_apply_is_refused_with_the_keyword(keyword: str, data: st.DataObject) -> None:
    word = data.draw(spelt(keyword))
    assume(word not in KEYWORDS and not word.startswith(("_", "x-", "X-")) and plain(word))
    assume(keyword.startswith("$") or not word.startswith("$"))
    assume(distance(plain(word), plain(keyword)) <= (1 if keyword in ("not", "const") else 2))
    schema = {word if name == keyword else name: value for name, value in WRITTEN[keyword].items()}
    with pytest.raises(ConstraintError) as caught:
        guide.json_schema(schema, BYTES, spelling="any")
    message = str(caught.value)
    assert message.startswith(f"JSON Schema, at #/{word.replace('~', '~0').replace('/', '~1')}: {word!r} is no keyword")
    meant = message.split("JSON Schema: '")[1].split("'")[0]
    assert distance(plain(word), plain(meant)) <= distance(plain(word), plain(keyword))


@pytest.mark.parametrize(
    ("schema", "word", "meant"),
    [
        ({"propertys": {"a": {"type": "integer"}}, "required": ["a"]}, "propertys", "properties"),
        ({"type": "object", "property": {"a": {"type": "integer"}}}, "property", "properties"),
        ({"type": "array", "min_items": 2}, "min_items", "minItems"),
        ({"type": "array", "items": {"type": "null"}, "max_items": 2}, "max_items", "maxItems"),
        ({"type": "string", "max_length": 2}, "max_length", "maxLength"),
        ({"title": "a", "anyof": [{"type": "null"}]}, "anyof", "anyOf"),
        ({"type": "string", "constant": "a"}, "constant", "const"),
        ({"type": "integer", "minValue": 0}, "minValue", "minimum"),
        ({"type": "string", "max": 3}, "max", "maxLength"),
        ({"type": "array", "max": 3}, "max", "maxItems"),
        ({"type": "string", "regex": "a"}, "regex", "pattern"),
        ({"title": "a", "ref": "#/$defs/a", "$defs": {"a": {}}}, "ref", "$ref"),
    ],
)
def test_words_of_other_languages_and_of_people_are_refused_too(schema: Any, word: str, meant: str) -> None:
    with pytest.raises(
        ConstraintError, match=re.escape(f"at #/{word}: {word!r} is no keyword of JSON Schema: {meant!r}?")
    ):
        guide.json_schema(schema, BYTES, spelling="any")
    assert guide.json_schema(schema, BYTES, extra="schema", spelling="any") is not None


#: Annotations that schemas in the world have: of editors, form builders, code generators, and people.
ANNOTATIONS: dict[str, Any] = {
    **{
        "enumNames": ["A"],
        "enumDescriptions": ["a"],
        "markdownEnumDescriptions": ["a"],
        "errorMessage": {"type": "no"},
    },
    **{"propertyOrder": 3, "preferredOrder": 1, "options": {"hidden": True}, "headerTemplate": "a", "widget": "select"},
    **{"defaultSnippets": [], "deprecationMessage": "a", "doNotSuggest": True, "allowTrailingCommas": True},
    **{"javaType": "A", "existingJavaType": "A", "tsType": "A", "extendsJavaClass": True, "strictProperties": True},
    **{"form": "select", "faker": "name.first", "unit": "m", "units": ["m"], "time": "UTC", "note": "a", "cost": {}},
    **{"readonly": True, "desceription": "a", "comment": "a", "self": {"name": "a"}, "version": "1", "name": "a"},
    **{"x-kubernetes-patch-strategy": "merge", "x-type": "string", "_format": "date", "$type": "string", "@type": "A"},
    **{"tags": ["a"], "item": 3, "times": 3, "modes": ["a"], "patternErrorMessage": "a", "minLengthMessage": "a"},
    **{"formatMinimum": "2020-01-01", "instanceof": "Date", "transform": ["trim"], "uniqueItemProperties": ["a"]},
    **{
        "computed": True,
        "alias": "a",
        "requiredMessage": "a",
        "typeLabel": "a",
        "min": {"type": "null"},
        "unique": True,
    },
}


@pytest.mark.parametrize("word", ANNOTATIONS)
def test_annotations_pass(word: str) -> None:
    assert accepts(
        guide.json_schema({"type": "string", "const": "a", word: ANNOTATIONS[word]}, BYTES, spelling="any"), '"a"'
    )


@settings(max_examples=300)
@given(
    word=st.text(st.sampled_from(LETTERS), min_size=1, max_size=12), value=st.sampled_from([1, "a", True, {}, [], None])
)
def test_a_word_far_from_all_keywords_passes(word: str, value: Any) -> None:
    assume(min(distance(plain(word), plain(keyword)) for keyword in KEYWORDS) > 2)
    assume(word not in ("property", "constant", "regex", "regexp", "min", "max", "unique", "enumeration"))
    assert keyword_meant(word, value, frozenset(["string", "integer", "array", "object"])) is None


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the schemas of the world are not in {DATA}")
def test_of_real_schemas_only_mistakes_are_refused() -> None:
    """156 of 460 have a word that no standard knows. What is refused is a restriction that its author lost."""
    refused = set()
    for line in (DATA / "schemas" / "maskbench_dev.jsonl").read_text(encoding="utf-8").splitlines():
        try:
            guide.json_schema(json.loads(line)["schema"], BYTES, spelling="any")
        except ConstraintError as error:
            if "is no keyword of JSON Schema" in str(error):
                refused.add(str(error).split("/")[-1].split(" (")[0].partition(": ")[2])
    assert refused == {
        f"{word!r} is no keyword of JSON Schema: {meant!r}?"
        for word, meant in {
            **{"maxValue": "maximum", "max": "maximum", "maxmimum": "maximum", "constant": "const", "anyof": "anyOf"},
            **{"oneof": "oneOf", "requires": "required", "properties ": "properties"},
            **{"additinalProperties": "additionalProperties", "additonalProperties": "additionalProperties"},
        }.items()
    }


# ------------------------------------------------------------------------------------------------------- nullable

KINDS = {"string": '"a"', "integer": "1", "boolean": "true", "array": "[]", "object": "{}", "null": "null"}


@given(
    types=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, unique=True),
    nullable=st.booleans(),
    inverted=st.booleans(),
    listed=st.booleans(),
)
def test_nullable_adds_null_to_the_types_beside_it(
    types: list[str], nullable: bool, inverted: bool, listed: bool
) -> None:
    schema = {"type": types if listed or len(types) > 1 else types[0], "nullable": nullable}
    allowed = {*types, "null"} if nullable else set(types)
    if inverted:
        schema, allowed = {"not": schema}, KINDS.keys() - allowed
    g = None
    try:
        g = guide.json_schema(schema, BYTES, spelling="any")
    except ConstraintError as error:
        assert str(error).endswith("matches no string")
    assert {kind for kind, text in KINDS.items() if g is not None and accepts(g, text)} == allowed


def test_nullable_goes_with_what_else_is_said_and_says_nothing_by_the_standard() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 2, "nullable": True}},
        "required": ["a"],
    }
    g = guide.json_schema(schema, BYTES, spelling="any")
    assert [accepts(g, f'{{"a":{text}}}') for text in ("null", '"ab"', '"a"')] == [True, True, False]
    assert not accepts(guide.json_schema(schema, BYTES, extra="schema", spelling="any"), '{"a":null}')
    assert accepts(
        guide.json_schema({"type": "string", "nullable": True, "enum": ["a", None]}, BYTES, spelling="any"), "null"
    )
    assert accepts(guide.json_schema({"title": "anything", "nullable": True}, BYTES, spelling="any"), "null")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"$ref": "#/$defs/a", "nullable": True, "$defs": {"a": {"type": "string"}}}, "means nothing without 'type'"),
        ({"allOf": [{"type": "string"}], "nullable": True}, "means nothing without 'type'"),
        ({"type": "string", "enum": ["a"], "nullable": True}, "does not add null to the values that are listed"),
        ({"type": "string", "const": "a", "nullable": True}, "does not add null to the values that are listed"),
        ({"type": "string", "nullable": "yes"}, "must be true or false"),
    ],
)
def test_nullable_is_refused_where_it_would_be_lost(schema: Any, message: str) -> None:
    with pytest.raises(ConstraintError, match=rf"at #/nullable: .*{message}"):
        guide.json_schema(schema, BYTES, spelling="any")
    assert not accepts(guide.json_schema(schema, BYTES, extra="schema", spelling="any"), "null")
