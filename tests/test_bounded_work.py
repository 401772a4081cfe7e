"""Long constants, many conditions, excluded formats: what spares work says the same as the slow way, and spares it."""

import json
import re
import time
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, after, compact, made, oracle

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine.trie import trie_of
from outlines_cont.fsm.json_schema import arrays, formats
from outlines_cont.fsm.json_schema.strings import Strings, decoded_string
from outlines_cont.fsm.json_schema.strings import accepts as has
from outlines_cont.fsm.vocabulary import Vocabulary

# ------------------------------------------------------------------------------------------ lists and objects of `enum`

scalars = st.sampled_from([None, True, 0, 1, -2.5, 10, "", "a", "[", '"', "é", "{}", "\\", ", "])
names = st.sampled_from(["a", "b", "é", '"', "[]"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=8
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(values, min_size=1, max_size=4),
    values,
    st.sampled_from(["compact", "flexible"]),
    st.sampled_from(["schema", "any"]),
    st.sampled_from(["plain", "any"]),
)
def test_listed_values_are_written_as_if_each_part_had_a_schema(
    listed: list[Any], other: Any, whitespace: str, order: str, spelling: str
) -> None:
    """Beside another keyword, the values of an `enum` are written item by item and property by property."""
    options = {"whitespace": whitespace, "order": order, "spelling": spelling}
    at_once = made({"enum": listed}, **options)
    by_parts = made({"enum": listed, "minItems": 0, "minProperties": 0}, extra="schema", **options)
    assert at_once is not None and by_parts is not None
    for value in (*listed, *listed, other):
        for separators, indent in (((",", ":"), None), ((", ", ": "), None), ((",", ": "), 2), ((" ,", ":"), None)):
            for ascii_only in (False, True):
                text = json.dumps(value, separators=separators, indent=indent, ensure_ascii=ascii_only)
                assert accepts(at_once, text) is accepts(by_parts, text), (listed, text)
        text = compact(value)
        assert accepts(at_once, text) or value == other or order == "schema"  # another may say the order


def test_arrays_remember_where_they_can_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk through a thousand different items asks of each place some times whether it is an end."""
    asked = 0
    ends = arrays.Arrays.ends

    def counted(self: Any, *place: Any) -> bool:
        nonlocal asked
        asked += 1
        return ends(self, *place)

    monkeypatch.setattr(arrays.Arrays, "ends", counted)
    count = 1_000
    schema = {"type": "array", "prefixItems": [{"enum": [i, -i]} for i in range(1, count + 1)], "minItems": count}
    text = compact([-i if i % 3 else i for i in range(1, count + 1)])
    g = made(schema)
    assert g is not None and accepts(g, text) and not accepts(g, text.replace("999", "998"))
    assert asked < 12 * count


# -------------------------------------------------------------------------------------------------- many conditions


def rule(kind: str, some: list[str]) -> dict[str, Any]:
    if kind == "dependentRequired":
        return {kind: {some[0]: some[1:]}}
    if kind == "anyOf":
        return {kind: [{"required": [name]} for name in some]}
    if kind == "not":
        return {kind: {"required": some}}
    return {
        "if": {"properties": {some[0]: {"const": 1}}, "required": some[:1]},
        "then": {"required": some[1:]},
        "else": {"properties": {name: {"const": 2} for name in some[1:]}},
    }


kinds = st.sampled_from(["dependentRequired", "anyOf", "not", "if"])


@settings(max_examples=40, deadline=None)
@given(
    st.integers(3, 20),
    st.lists(st.tuples(kinds, st.integers(0, 999), st.integers(2, 3)), min_size=1, max_size=9),
    st.sampled_from(["schema", "any"]),
    st.integers(0, 999),
)
def test_objects_under_many_conditions_are_those_that_a_validator_finds_valid(
    count: int, rules: list[tuple[str, int, int]], order: str, seed: int
) -> None:
    every = [f"n{i}" for i in range(count)]
    properties = {name: {"enum": [1, 2]} for name in every}
    drawn = [rule(kind, Random(which).sample(every, size)) for kind, which, size in rules]
    schema = {"type": "object", "properties": properties, "additionalProperties": False, "allOf": drawn}
    g, valid, random = made(schema, order=order), oracle(schema), Random(seed)
    if g is None:
        assert not any(valid(compact(dict.fromkeys(some, 1))) for some in combinations(every, 2))
        return
    for _ in range(30):
        share = random.random()
        some = {name: random.choice((1, 2)) for name in every if random.random() < share}
        text = compact(some)
        assert accepts(g, text) is valid(text), (drawn, text)
        if not valid(text):
            continue
        for end in range(len(text)):  # what leads to an end may come
            assert after(g, text[:end]) is not None


@pytest.mark.parametrize("order", ["schema", "any"])
def test_what_has_begun_under_conditions_can_be_brought_to_an_end(order: str) -> None:
    """`n1` asks for `n9`, which is not there with `n5`: once two of them have come, the third may not."""
    properties = {f"n{i}": {"type": "integer"} for i in range(24)}
    rules = [{"dependentRequired": {"n1": ["n9"]}}, {"not": {"required": ["n5", "n9"]}}]
    g = made({"type": "object", "properties": properties, "allOf": rules}, order=order)
    assert g is not None
    assert after(g, '{"n1":1,"n4":1') is not None and after(g, '{"n1":1,"n5') is None
    assert after(g, '{"n1":1,"n8":1,"n10') is (None if order == "schema" else after(g, '{"n1":1,"n8":1,"n10'))
    assert accepts(g, '{"n5":1,"n23":0}') and accepts(g, '{"n1":1,"n9":1}') and not accepts(g, '{"n1":1}')


# ------------------------------------------------------------------------------------------------- tags of `oneOf`


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([1, 1.0, True, "1", "a", None]), min_size=1, max_size=2), min_size=2, max_size=4),
    st.booleans(),
)
def test_branches_of_one_of_are_told_apart_by_tags_as_a_validator_does(tags: list[list[Any]], typed: bool) -> None:
    branches = [
        {"properties": {"t": {"enum": some}, "v": {"const": i % 2}}, "required": ["t"]} for i, some in enumerate(tags)
    ]
    schema = {"oneOf": branches, **({"type": "object"} if typed else {})}
    g, valid = made(schema, extra="schema", order="any"), oracle(schema)
    for tag in (1, True, "1", "a", None, 2):
        for value in ({"t": tag}, {"t": tag, "v": 0}, {"t": tag, "v": 1}):
            text = compact(value)
            assert (g is not None and accepts(g, text)) is valid(text), (tags, text)


# ---------------------------------------------------------------------------------------------- formats under `not`

LABEL = "a" * 63
LONGEST = ".".join([LABEL, LABEL, LABEL, "a" * 61])  # 253 characters
TEXTS = [
    LONGEST,
    LONGEST + "a",
    "a." + LONGEST,
    "a" * 253,
    "a" * 254,
    "www.example.com",
    "a b",
    "",
    "x@",
    "@x",
    "a@b@c",
]
TEXTS += [f"{local}@{host}" for local in ("x", "y" * 64, "y" * 65, "é", '"q q"') for host in (LONGEST, LONGEST + "a")]
TEXTS += ["x@[1.2.3.4]", "x@example.com", f"x@{LONGEST}@{LONGEST}", "x@" + "@" * 254, "@" * 300, "é@" + "é" * 254]


@pytest.mark.parametrize("name", sorted(formats.TOO_LONG))
def test_a_format_of_bounded_length_excludes_just_its_own_texts(name: str) -> None:
    language = formats.language(name)
    assert language is not None
    excluded, short = Strings(not_formats=(name,)), Strings(not_formats=(name, "date"), lengths=(2, 255))
    for text in (*TEXTS, "2024-05-06"):
        assert has(decoded_string(excluded), text) is not has(language, text), text
        fits = not has(language, text) and text != "2024-05-06" and 2 <= len(text) <= 255
        assert has(decoded_string(short), text) is fits, text


def test_several_excluded_formats_exclude_what_each_does() -> None:
    conditions = Strings(not_formats=("email", "hostname", "idn-email"), patterns=("a",))
    languages = [formats.language(name) for name in conditions.not_formats]
    for text in TEXTS:
        fits = "a" in text and not any(has(language, text) for language in languages if language is not None)
        assert has(decoded_string(conditions), text) is fits, text


# ----------------------------------------------------------------------------------------------------- lone surrogates


def test_a_lone_surrogate_in_an_enum_is_refused_by_name() -> None:
    for schema in ({"enum": ["\ud800"]}, {"enum": [["\ud800"]]}, {"const": {"\udc00": 1}}):
        with pytest.raises(ConstraintError, match="surrogate"):
            guide.json_schema(schema, BYTES)


# ------------------------------------------------------------------------------------------------- very long tokens


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=8), st.text("ab", min_size=6, max_size=300))
def test_a_token_that_is_longer_than_all_others_is_told_from_them(short: list[str], long: str) -> None:
    tokens = [text.encode() for text in (*short, long, "a", "b")]
    v = Vocabulary([b"<eos>", *tokens], eos=[0])
    assert [trie_of(v).spelling_of(i) for i in range(1, len(v))] == tokens
    for pattern in (f"{long}|b", f"{long[:-1]}c?", "[ab]{1,40}", "(ab?)*"):
        g = guide.regex(pattern, v)
        whole = re.compile(pattern)
        for i, token in enumerate(tokens, 1):
            state = g.advance(g.initial, i)
            is_whole = whole.fullmatch(token.decode()) is not None
            assert (state is not None and g.accepting(state)) is is_whole, (pattern, token)


def test_a_long_way_that_is_forced_is_gone_once() -> None:
    """At each of its bytes the engine lacks a node, and goes on from there."""
    g = guide.regex(r",{65536}\B", BYTES)
    begun = time.process_time()
    assert g.forced(g.initial) == b"," * 65_536
    assert time.process_time() - begun < 8


# -------------------------------------------------------------------------------------------------------- lookaheads


def test_what_a_regex_looks_ahead_for_is_read_once() -> None:
    """Eighty thousand letters, none of which looks ahead; and nine classes that overlap in all of 512 ways."""
    characters = [chr(0x4E00 + i) for i in range(512)]
    classes = ("".join(c for i, c in enumerate(characters) if i >> k & 1) for k in range(9))
    for pattern in ("ab" * 40_000, "".join(f"(?=.*[{some}])" for some in classes) + ".{1,300}"):
        begun = time.process_time()
        g = guide.regex(pattern, BYTES)
        assert g.mask(g.initial).any()
        assert time.process_time() - begun < 2
