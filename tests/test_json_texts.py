"""JSON inside the strings of JSON: what a string holds is valid under `contentSchema`, as `json-string` says."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, instance, random_schema, walk

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary

DEFINED = {
    "node": {"properties": {"n": {"type": "integer"}, "in": {"$ref": "#/$defs/text"}}, "required": ["n"]},
    "text": {"type": "string", "format": "json-string", "contentSchema": {"$ref": "#/$defs/node"}},
}
NUMBERS = {"type": "object", "additionalProperties": {"type": "integer"}}


def in_string(schema):
    """A schema of the strings whose JSON fits a schema."""
    definitions = schema.pop("$defs", None) if isinstance(schema, dict) else None
    whole = {"type": "string", "format": "json-string", "contentSchema": schema}
    return whole if definitions is None else {**whole, "$defs": definitions}


def escaped(text):
    """The JSON string of a text, with escapes only where they must be."""
    return json.dumps(text, ensure_ascii=False)


def respelled(character, random):
    """A character of a string inside a string, in one of its spellings."""
    units = character.encode("utf-16-be").hex()
    inner = random.choice([json.dumps(character, ensure_ascii=False)[1:-1], json.dumps(character)[1:-1]])
    spellings = [escaped(inner)[1:-1]]
    if inner == character:
        spellings.append("".join("\\u" + units[i : i + 4] for i in range(0, len(units), 4)))
    return random.choice(spellings)


def guides(schema, **given):
    """The guides of a schema and of the strings that hold its JSON; None if it is refused."""
    options = {"spelling": "any", **given}
    try:
        inner = guide.json_schema(json.dumps(schema), BYTES, **options)
        return inner, guide.json_schema(in_string(json.loads(json.dumps(schema))), BYTES, **options)
    except ConstraintError:
        return None


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_a_string_is_allowed_where_its_text_is(seed, data):
    r = Random(seed)
    schema = random_schema(r, 2)
    if "#" in json.dumps(schema):
        return  # a reference would lead to the outside
    made = guides(schema, extra=r.choice(["forbid", "schema"]), spelling=r.choice(["any", "plain"]))
    if made is None:
        return
    inner, outer = made
    try:
        for _ in range(6):
            text = json.dumps(instance(r, schema, schema), separators=(",", ":"), ensure_ascii=r.random() < 0.5)
            assert accepts(outer, escaped(text)) == accepts(inner, text), text
        written = walk(inner, r, steps=15)
        if written is not None:
            assert accepts(outer, escaped(written.decode())), written
        written = walk(outer, r, steps=15)
        if written is not None:
            assert accepts(inner, json.loads(written)), written
    except ConstraintError as error:  # what is refused when it is reached
        assert "JSON Schema, at" in str(error)


@pytest.mark.parametrize("schema", [NUMBERS, in_string(dict(NUMBERS)), {"$ref": "#/$defs/node", "$defs": DEFINED}])
@pytest.mark.parametrize("whitespace", ["compact", "flexible"])
@pytest.mark.parametrize("spelling", ["any", "plain"])
def test_masks_are_exact_in_strings(schema, whitespace, spelling):
    whole = in_string(json.loads(json.dumps(schema)))
    g = guide.json_schema(whole, BYTES, whitespace=whitespace, spelling=spelling)
    tokens = g.vocabulary.tokens

    def look(state, options):
        for token in range(1, len(tokens)):
            after = g.advance_all(state, (byte + 1 for byte in tokens[token]))
            assert (token in set(options)) == (after is not None), (tokens[token], options)

    for seed in range(3):
        walk(g, Random(seed), steps=25, finish=0, look=look)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (r'"{\"a\":1,\"b\":2}"', True),
        (r'"{\"a\":1,\"a\":2}"', False),
        (r'"{\"\\u00e9\":1,\"é\":2}"', False),
        (r'"{\"\\u00e9\":1,\"\\\\\":2}"', True),
        (r'"{\"\u0061\":1,\"a\":2}"', False),
        (r'"{\"a\":\u0031}"', False),  # names, numbers, punctuation have one spelling
        (r'"{\u0022a\":1}"', False),
        (r'"{\"\u00e9\":1}"', False),
        (r'"{\"é\":1}"', True),
        ('"{}', False),
        ("{}", False),
        (r'"{\"a\":1.5}"', False),
    ],
)
def test_spellings(text, fits):
    assert accepts(guide.json_schema(in_string(dict(NUMBERS)), BYTES, spelling="any"), text) == fits


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@settings(max_examples=100, deadline=None)
@given(text=texts, seed=st.integers(0, 10**9))
def test_characters_of_strings_have_every_spelling_if_any_is_allowed(text, seed):
    r = Random(seed)
    spelled = f'"\\"{"".join(respelled(c, r) for c in text)}\\""'
    inner = json.loads(spelled)
    assert json.loads(inner) == text
    anyhow, plain = (guide.json_schema(in_string({}), BYTES, spelling=spelling) for spelling in ("any", "plain"))
    assert accepts(anyhow, spelled)
    assert accepts(plain, spelled) == (spelled == json.dumps(json.dumps(text, ensure_ascii=False), ensure_ascii=False))


def test_values_within_themselves():
    g = guide.json_schema({"$ref": "#/$defs/node", "$defs": DEFINED}, BYTES, spelling="any")
    text = '{"n":0}'
    for n in range(1, 6):
        text = f'{{"n":{n},"in":{json.dumps(text)}}}'
        assert accepts(g, text), text
    assert not accepts(g, text.replace('n\\":', 'm\\":'))


def test_a_value_that_has_to_hold_itself_is_none():
    never = {"type": "object", "properties": {"in": in_string({"$ref": "#"})}, "required": ["in"]}
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema(never, BYTES, spelling="any")


def test_content_only_describes_without_the_format():
    for described in ({"contentSchema": NUMBERS, "contentMediaType": "application/json"}, {"format": "json"}):
        assert accepts(guide.json_schema({"type": "string", **described}, BYTES, spelling="any"), '"no JSON"')
    annotated = guide.json_schema(in_string(dict(NUMBERS)), BYTES, format="annotate", spelling="any")
    assert accepts(annotated, '"no JSON"')


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ({"minLength": 3}, "'minLength' or 'maxLength'"),
        ({"pattern": "a"}, "'pattern'"),
        ({"allOf": [{"format": "date"}]}, "another 'format'"),
        ({"allOf": [{"not": {"pattern": "a"}}]}, "'not'"),
        ({"not": {"const": "1"}}, "'not' or 'uniqueItems'"),
        ({"enum": ["1", "2"]}, "'enum' or 'const'"),
        ({"contentSchema": {"type": "strange"}}, "contentSchema"),
    ],
)
def test_what_restricts_the_string_as_well_is_refused_by_name(beside, named):
    with pytest.raises(ConstraintError, match=named):
        guide.json_schema({**in_string(dict(NUMBERS)), **beside}, BYTES, spelling="any")


def test_negations_and_names_are_refused_by_name():
    with pytest.raises(ConstraintError, match="'not', 'oneOf', 'if'"):
        guide.json_schema({"type": "string", "not": in_string({})}, BYTES, spelling="any")
    with pytest.raises(ConstraintError, match="JSON in the name of a property"):
        g = guide.json_schema({"propertyNames": in_string({}), "minProperties": 1}, BYTES, spelling="any")
        accepts(g, '{"1":1}')


IN_PARTS = [
    {"properties": {"a": {**in_string({}), "enum": ["1", "x"]}}},
    {"properties": {"a": {**in_string({}), "pattern": "1"}}},
    {"items": in_string({}), "uniqueItems": True},
    {"prefixItems": [in_string({}), {"const": "1"}], "minItems": 2, "uniqueItems": True},
    {"items": in_string({}), "not": {"const": ["1"]}},
    {"properties": {"a": in_string({})}, "not": {"const": {"a": "1"}}},
    {"properties": {"a": {"propertyNames": in_string({})}}},
    {"properties": {"a": in_string({"items": in_string({}), "uniqueItems": True})}},
    {"items": {"type": "string", "pattern": "1"}, "contains": in_string({})},
    {"prefixItems": [{"type": "string", "pattern": "1"}], "contains": in_string({}), "minItems": 1},
    {"properties": {"a": {"type": "string", "allOf": [{"pattern": "x"}, {"format": "regex"}]}}},
    {"properties": {"a": {"type": "string", "not": {"format": "regex"}}}},
    {"propertyNames": {"format": "regex"}, "patternProperties": {"^a": {}}},
]


@pytest.mark.parametrize("schema", IN_PARTS, ids=json.dumps)
def test_what_restricts_strings_as_well_is_refused_before_anything_is_written(schema):
    with pytest.raises(ConstraintError, match=r"JSON Schema, at #/.* is not supported"):
        guide.json_schema(schema, BYTES, spelling="any")


def test_one_item_of_json_is_surely_unique():
    g = guide.json_schema(
        {"items": in_string({"type": "integer"}), "maxItems": 1, "uniqueItems": True}, BYTES, spelling="any"
    )
    assert accepts(g, '["1"]') and not accepts(g, '["a"]')


WITHIN = {"node": {"properties": {"a": {"type": "integer"}, "in": in_string({"$ref": "#/$defs/node"})}}}
CONTENTS = ({"type": "integer"}, {"type": ["string", "integer"]}, {"format": "regex"}, {})


@pytest.mark.parametrize("missing", [b"\\", b"u", b"0n", b"{", b"(", b"-"])
@pytest.mark.parametrize("schema", [*map(in_string, CONTENTS), {"$ref": "#/$defs/node", "$defs": WITHIN}])
def test_a_vocabulary_that_lacks_bytes_has_no_dead_ends(missing, schema):
    tokens = [b"<eos>", *(bytes([i]) for i in range(256) if i not in missing)]
    vocabulary = Vocabulary(tokens, eos=[0])
    needed = [(b"\\", "regex"), (b"{", "node")]  # of these nothing can be written
    if any(missing == byte and word in json.dumps(schema) for byte, word in needed):
        with pytest.raises(ConstraintError, match="cannot be spelled with this vocabulary"):
            guide.json_schema(schema, vocabulary, spelling="any")
        return
    g = guide.json_schema(schema, vocabulary, spelling="any")
    for seed in range(4):
        walk(g, Random(seed), steps=25, finish=0)  # which stops at a dead end
