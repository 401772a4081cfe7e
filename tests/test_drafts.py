"""The drafts of JSON Schema: under each, a schema accepts what a validator of that draft accepts, or is refused."""

import json
from typing import Any

import jsonschema
import pytest
import referencing.exceptions
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, compact

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide

VALIDATORS: dict[str, Any] = {
    "http://json-schema.org/draft-04/schema#": jsonschema.Draft4Validator,
    "http://json-schema.org/draft-06/schema#": jsonschema.Draft6Validator,
    "http://json-schema.org/draft-07/schema#": jsonschema.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
}
DRAFT4, DRAFT6, DRAFT7, DRAFT2019, DRAFT2020 = VALIDATORS
OPTIONS = {"order": "any", "extra": "schema", "format": "annotate", "spelling": "any"}  # as the standard has it


def judged(schema: Any, *texts: str) -> list[bool]:
    """Whether a schema accepts each of some texts."""
    try:
        g = guide.json_schema(schema, BYTES, **OPTIONS)
    except ConstraintError as error:
        if not str(error).endswith("matches no string"):
            raise
        return [False] * len(texts)
    return [accepts(g, text) for text in texts]


def check(schema: dict[str, Any], instances: list[Any]) -> None:
    """The schema accepts what a validator of its draft accepts, or is refused by name."""
    draft, texts = schema["$schema"], [compact(value) for value in instances]
    try:
        found = judged(schema, *texts)
    except ConstraintError as error:
        assert str(error).startswith("JSON Schema, at #"), (schema, error)
        event("refused")
        return
    try:
        VALIDATORS[draft].check_schema(schema)
        expected = [VALIDATORS[draft](schema).is_valid(json.loads(text)) for text in texts]
    except (jsonschema.SchemaError, referencing.exceptions.Unresolvable, RecursionError):
        event("no schema")
        return
    event(f"judged: {any(expected)}")
    assert found == expected, (schema, texts)


# -------------------------------------------------------------------------- any keywords, under any draft, at random

names = st.sampled_from(["a", "b"])
scalars = st.sampled_from([None, True, 0, 1, 1.0, 2, 2.5, "", "a", "ab"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=2), max_leaves=5
)


def keywords(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """The keywords whose meaning differs between drafts, with some to try them on. inner: schemas."""
    several, by_name = st.lists(inner, min_size=1, max_size=2), st.dictionaries(names, inner, min_size=1, max_size=2)
    counts, some_names = st.integers(0, 2), st.lists(names, min_size=1, max_size=2, unique=True)
    numbers = st.sampled_from([0, 1, 1.5, 2])
    references = st.sampled_from(["#", "#x", "#/$defs/a", "#/definitions/a", "u", "u#x", "//["])
    kinds = st.sampled_from(["integer", "number", "string", "array", "object", ["integer", "null"]])
    either = dict.fromkeys(["exclusiveMinimum", "exclusiveMaximum"], numbers | st.booleans())
    one = ("additionalItems", "additionalProperties", "contains", "propertyNames", "if", "then", "else", "not")
    one += ("unevaluatedItems", "unevaluatedProperties")
    return {
        **{"type": kinds, "const": values, "enum": st.lists(values, min_size=1, max_size=2), **either},
        **dict.fromkeys(["minimum", "maximum"], numbers),
        **dict.fromkeys(one, inner),
        **dict.fromkeys(["allOf", "anyOf", "prefixItems"], several),
        **dict.fromkeys(["properties", "dependentSchemas", "definitions", "$defs"], by_name),
        **dict.fromkeys(["minContains", "maxContains"], counts),
        "items": inner | several,
        "required": some_names,
        "dependentRequired": st.dictionaries(names, some_names, min_size=1, max_size=1),
        "dependencies": st.dictionaries(names, some_names | inner, min_size=1, max_size=1),
        **dict.fromkeys(["$ref", "$dynamicRef"], references),
        "$recursiveRef": st.just("#"),
        **dict.fromkeys(["$id", "id"], st.sampled_from(["u", "v", "#x"])),
        **dict.fromkeys(["$anchor", "$dynamicAnchor"], st.just("x")),
        "$recursiveAnchor": st.booleans(),
    }


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    available = keywords(inner)
    words = draw(st.lists(st.sampled_from(list(available)), max_size=4, unique=True))
    return {word: draw(available[word]) for word in words}


schemas = st.recursive(st.booleans() | st.sampled_from([{"type": "integer"}, {"const": 1}]), objects, max_leaves=8)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(draft=st.sampled_from(list(VALIDATORS)), schema=objects(schemas), instances=st.lists(values, min_size=4))
def test_a_schema_accepts_what_a_validator_of_its_draft_accepts(draft, schema, instances):
    check({"$schema": draft, **schema}, instances)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(draft=st.sampled_from(list(VALIDATORS)), data=st.data(), instances=st.lists(values, min_size=4))
def test_what_stands_beside_a_reference_counts_as_in_its_draft(draft, data, instances):
    beside = data.draw(objects(schemas))
    beside = {word: value for word, value in beside.items() if word not in ("$id", "id", "$ref")}
    check({"$schema": draft, **beside, "$ref": "#/definitions/t", "definitions": {"t": data.draw(schemas)}}, instances)


# ------------------------------------------------------------------------- references that depend on the way, at random


@st.composite
def resources(draw: st.DrawFn, draft: str) -> dict[str, Any]:
    """A document of several resources of lists, which refer to one another."""
    static = st.sampled_from([{"$ref": uri} for uri in ("root", "u", "v", "w")])
    dynamic = {"$recursiveRef": "#"} if draft == DRAFT2019 else {"$dynamicRef": "#x"}
    further = st.sampled_from([{**dynamic}, {"type": "string"}]) | static

    def resource(name: str) -> dict[str, Any]:
        kind = draw(st.sampled_from(["array", "array", ["array", "integer"], ["array", "null"]]))
        anchored = draw(st.booleans())
        anchor: dict[str, Any] = {"$dynamicAnchor" if anchored else "$anchor": "x"}
        anchor = {"$recursiveAnchor": anchored} if draft == DRAFT2019 else anchor
        other = {"anyOf": [draw(further), draw(further)]} if draw(st.booleans()) else draw(further)
        return {"$id": name, "type": kind, **anchor, "items": other, **(draw(static) if draw(st.booleans()) else {})}

    return {"$schema": draft, **resource("root"), "$defs": {name: resource(name) for name in ("u", "v", "w")}}


lists = st.recursive(st.sampled_from([0, None, "a", []]), lambda inner: st.lists(inner, max_size=2), max_leaves=6)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), draft=st.sampled_from([DRAFT2019, DRAFT2020]), instances=st.lists(lists, min_size=6))
def test_a_dynamic_reference_leads_where_a_validator_goes(data, draft, instances):
    check(data.draw(resources(draft)), instances)


# ------------------------------------------------------------------------------------------------- one draft at a time


@pytest.mark.parametrize(
    ("draft", "schema", "accepted", "refused"),
    [
        (DRAFT4, {"type": "integer"}, ["1", "-20"], ["1.0", "1e2", "1.5"]),
        (DRAFT4, {"not": {"type": "integer"}}, ["1.0", "1e2", "1.5", "null"], ["1", "-20"]),
        (DRAFT6, {"type": "integer"}, ["1", "1.0"], ["1.5"]),
        (DRAFT4, {"minimum": 2, "exclusiveMinimum": True}, ["3"], ["2"]),
        (DRAFT4, {"const": 1, "contains": {"type": "null"}}, ["1", "2", "[]"], []),
        (DRAFT6, {"const": 1, "if": True, "then": False}, ["1"], ["2"]),
        (DRAFT7, {"if": {"const": 1}, "then": False}, ["2"], ["1"]),
        (DRAFT7, {"contains": {"const": 1}, "minContains": 2}, ["[1]"], ["[]"]),
        (DRAFT2019, {"contains": {"const": 1}, "minContains": 2}, ["[1,1]"], ["[1]"]),
        (DRAFT7, {"$ref": "#/definitions/a", "type": "null", "definitions": {"a": {}}}, ["1"], []),
        (DRAFT7, {"$ref": "#/definitions/a", "unevaluatedItems": False, "definitions": {"a": {}}}, ["[1]"], []),
        (DRAFT2019, {"$ref": "#/$defs/a", "type": "null", "$defs": {"a": {}}}, ["null"], ["1"]),
        (DRAFT2019, {"items": [{"const": 1}], "additionalItems": False}, ["[1]"], ["[1,1]", "[2]"]),
        (DRAFT2019, {"prefixItems": [{"const": 1}]}, ["[2]"], []),
        (DRAFT2020, {"prefixItems": [{"const": 1}], "additionalItems": False}, ["[1,1]"], ["[2]"]),
        (DRAFT7, {"dependencies": {"a": ["b"]}, "dependentRequired": {"b": ["a"]}}, ['{"b":1}'], ['{"a":1}']),
        (DRAFT2020, {"dependencies": {"a": ["b"]}, "dependentRequired": {"b": ["a"]}}, ['{"a":1}'], ['{"b":1}']),
        # Without a draft, the words and forms of all of them count.
        (None, {"items": [{"const": 1}], "dependentRequired": {"b": ["a"]}}, ["[1]", "{}"], ["[2]", '{"b":1}']),
        (None, {"minimum": 2, "exclusiveMinimum": True, "const": 3}, ["3"], ["2"]),
        (None, {"$ref": "#/x/y", "x": {"y": {"$id": "z", "$ref": "#/w", "w": {"type": "null"}}}}, ["null"], ["1"]),
        (DRAFT7, {"$ref": "#/x", "exclusiveMinimum": True, "x": {}}, ["1"], []),
        # A document within may be of another draft.
        (
            DRAFT2020,
            {"$ref": "old", "$defs": {"o": {"$schema": DRAFT4, "id": "old", "type": "integer", "const": 1}}},
            ["1", "2"],
            ["1.0"],
        ),
    ],
)
def test_the_draft_decides_what_counts(draft, schema, accepted, refused):
    schema = schema if draft is None else {"$schema": draft, **schema}
    assert judged(schema, *accepted) == [True] * len(accepted)
    assert judged(schema, *refused) == [False] * len(refused)


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"$schema": "urn:mine"}, "at #/$schema: the dialect 'urn:mine' is not known: say a draft of json-schema.org"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "draft-03/schema#' is not known: say a draft of"),
        (
            {"$schema": DRAFT4, "properties": {"a": True}},
            "at #/properties/a: a schema is an object in draft-04, not true",
        ),
        ({"$schema": DRAFT4, "exclusiveMinimum": 1}, "at #/exclusiveMinimum: is true or false in draft-04, not 1"),
        ({"$schema": DRAFT7, "exclusiveMinimum": True}, "at #/exclusiveMinimum: is a number in draft-07, not true"),
        (
            {"$schema": DRAFT2020, "items": [{}]},
            "at #/items: is one schema (a list of schemas is 'prefixItems') in 2020",
        ),
        ({"$recursiveRef": "#a"}, "at #/$recursiveRef: must be '#', not '#a'"),
        ({"$ref": "#/allOf/-1", "allOf": [{}]}, "at #/$ref: '#/allOf/-1' leads nowhere"),
        ({"$id": "a:b", "$ref": "//["}, "at #/$ref: '//[' makes no URI with 'a:b': Invalid IPv6 URL"),
        ({"$id": "//[", "$ref": "u"}, "at #/$ref: 'u' makes no URI with '//[': Invalid IPv6 URL"),
        ({"$id": "a:b", "items": {"$id": "//["}}, "at #/items: '//[' makes no URI with 'a:b': Invalid IPv6 URL"),
        ({"$ref": "u.json"}, "not 'u.json': put that document under '$defs', with '$id': 'u.json'"),
    ],
)
def test_what_no_draft_says_so_is_refused(schema, problem):
    with pytest.raises(ConstraintError) as caught:
        judged(schema)
    assert problem in str(caught.value)


@pytest.mark.parametrize("uri", ["http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-05/schema#"])
def test_a_draft_is_known_in_the_spellings_that_files_have(uri):
    assert judged({"$schema": uri, "type": "integer"}, "1", "1.0") == [True, False]
    assert judged({"$schema": "http://json-schema.org/schema#", "type": "integer"}, "1", "1.0") == [True, True]


def test_what_is_meant_to_be_generated_has_the_words_of_its_draft():
    """With `extra="forbid"`: a word of another draft that would restrict something was meant by somebody."""
    schema = {"$schema": DRAFT4, "type": "string", "const": "a"}
    with pytest.raises(ConstraintError, match=r"at #/const: 'const' is no keyword of draft-04: say another draft in"):
        oc.generate.json(oc.load(), schema)
    guide.json_schema({"$schema": DRAFT4, "type": "string", "$id": "a"}, BYTES, spelling="any")
