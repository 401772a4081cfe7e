"""JSON Schemas: what is generated is valid, what is valid (and within the documented spelling) is accepted."""

import json
import os
import re
from datetime import date, datetime, time
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from cases import nightly
from counts import counted
from guides import check_guide
from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st
from json_cases import (
    BYTES,
    accepts,
    after,
    allowed,
    compact,
    instance,
    made,
    number,
    oracle,
    random_schema,
    read,
    walk,
)
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.guide import FINAL
from outlines_cont.fsm.guide import AutomatonGuide as Guide
from outlines_cont.fsm.json_schema import formats, limits, numerals, object_members
from outlines_cont.fsm.language.nodes import VOID
from outlines_cont.fsm.language.terms import substitute
from outlines_cont.fsm.patterns.json_strings import TEXT_SPELLINGS
from outlines_cont.fsm.patterns.parser import parse
from outlines_cont.fsm.vocabulary import Vocabulary, unpack

STANDARD = {"order": "any", "extra": "schema", "format": "annotate", "spelling": "any"}  # what the standard says
#: Some that hypothesis can shrink, and some that are as random as can be.
randoms = st.one_of(st.randoms(use_true_random=False), st.integers(0, 2**40).map(Random))
many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def wild(text: bytes | str) -> bool:
    """Whether a text has a number that no oracle reads in time."""
    data = text if isinstance(text, str) else text.decode()
    return re.search(r"[eE][-+]?\d{3}|\d{300}", data) is not None


# -------------------------------------------------------------------------------------- every keyword, at random


@settings(many, max_examples=400)
@example(r=Random(33531))  # {"additionalProperties": {"$ref": "#/$defs/q"}, "$defs": {"q": {"$ref": "#/$defs/q"}}}
@given(r=randoms)
def test_a_guide_accepts_what_jsonschema_accepts(r):
    schema = random_schema(r)
    try:
        compacts, spaced = made(schema, **STANDARD), made(schema, **STANDARD, whitespace="flexible")
    except ConstraintError:
        event("refused")
        return
    valid = oracle(schema)
    for _ in range(6):
        value = instance(r, schema, schema)
        text = compact(value)
        ours = compacts is not None and accepts(compacts, text)
        expected = valid(text)
        event(f"valid: {expected}")
        assert ours is expected, (schema, text)
        for indent in (None, 2):
            text = json.dumps(value, indent=indent, ensure_ascii=indent is None)
            assert (spaced is not None and accepts(spaced, text)) is expected, (schema, text)


@settings(many, max_examples=60)
@given(r=randoms, beside=st.sampled_from([{}, {"title": "a", "$comment": "b"}, {"description": "", "default": 1}]))
def test_a_schema_that_only_refers_to_another_means_what_that_one_means(r, beside):
    whole = random_schema(r)
    assume(isinstance(whole, dict))
    named = whole.pop("$defs", {})
    plain = {**whole, "$defs": named}
    refers = {"$ref": "#/$defs/one", "$defs": {**named, "one": {"$ref": "#/$defs/two", **beside}, "two": whole}}
    for options in (STANDARD, {"format": "annotate"}):
        assert steps(plain, options) == steps(refers, options)


def steps(schema: Any, options: dict[str, str]) -> list[list[int]] | str:
    """What is allowed at each step of a walk; or why there is none."""
    try:
        g = made(schema, **options)
    except ConstraintError as error:
        return str(error).rpartition(": ")[2]
    looked: list[list[int]] = []
    if g is not None:
        walk(g, Random(5), steps=15, look=lambda _, allowed: looked.append(allowed))
    return looked


def test_few_of_the_random_schemas_are_refused():
    """And those say where, and what."""
    refused = []
    for seed in range(400):
        try:
            made(random_schema(Random(seed)), **STANDARD)
        except ConstraintError as error:
            assert re.match(r"JSON Schema, at #[^:]*: .", str(error)), error
            refused.append(str(error))
    assert len(refused) <= 0.15 * 400, "\n".join(refused)


@many
@given(r=randoms, spaces=st.sampled_from(["compact", "flexible"]))
def test_what_is_generated_is_valid_and_masks_are_exact(r, spaces):
    schema = random_schema(r)
    try:
        g = made(schema, format="annotate", whitespace=spaces)
    except ConstraintError:
        assume(False)
    assume(g is not None)
    assert g is not None
    looked = []

    def look(state: int, options: list[int]) -> None:
        if len(looked) < 3 or len(looked) % 8 == 0:
            check_state(g, state, options)
        looked.append(state)

    text = walk(g, Random(r.randrange(1 << 30)), steps=20, look=look)
    event("finished" if text is not None else "cut short")
    if text is not None and not wild(text):
        assert oracle(schema)(text), (schema, text)
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", text.decode())
        assert spaces == "flexible" or not re.search(r"\s", outside)


def check_state(g: Guide, state: int, options: list[int]) -> None:
    """The laws of one state."""
    tokens = g.vocabulary.tokens
    assert options == [t for t in range(len(tokens)) if g.advance(state, t) is not None]
    assert (0 in options) == g.accepting(state)
    assert g.complete(state) == (options == [0])
    forced = g.forced(state)
    assert not (forced and g.accepting(state))
    for t in options:
        assert not forced or forced.startswith(tokens[t][: len(forced)]) or tokens[t].startswith(forced)
    if forced:
        assert g.advance_all(state, (byte + 1 for byte in forced)) is not None


# ------------------------------------------------------------------------------------------------------- spellings


SPELLINGS = st.sampled_from(["plain", "any"])


@cache
def content(pattern: str, spelling: str) -> Automaton:
    """What stands between the quotes of a JSON string that matches."""
    return Automaton(substitute(parse(pattern), TEXT_SPELLINGS[spelling].characters))


def may_stand(spelled: str, text: str, spelling: str) -> bool:
    """Whether a text may be spelled so within a JSON string."""
    return spelling == "any" or f'"{spelled}"' == json.dumps(text, ensure_ascii=False)


def ends(machine: Automaton, text: str) -> bool:
    state = machine.run(machine.initial, text.encode())
    return state >= 0 and machine.accepting(state)


def spellings(c: str) -> list[str]:
    """The ways to write a character inside a JSON string."""
    short = dict(zip('\b\f\n\r\t"\\/', 'bfnrt"\\/', strict=True))
    units = c.encode("utf-16-be")
    code = "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    found = [code, code.upper().replace("\\U", "\\u")]
    found += ["\\" + short[c]] if c in short else []
    return [*found, c] if c not in '"\\' and c >= " " else found


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(max_size=4),
    pattern=st.sampled_from([".*", '[^"]*', r"\S+", "(?s).{0,2}", "[a-zé😀\\\\]*", r"\W*"]),
    spelling=SPELLINGS,
    data=st.data(),
)
def test_every_spelling_of_a_string_means_the_string(text, pattern, spelling, data):
    machine = content(pattern, spelling)
    spelled = "".join(data.draw(st.sampled_from(spellings(c))) for c in text)
    assert json.loads(f'"{spelled}"') == text
    right = re.fullmatch(pattern, text) is not None and may_stand(spelled, text, spelling)
    assert ends(machine, spelled) == right
    for wrong in ("\n", '"', "\\", "\\x", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\u00"):
        assert not ends(machine, spelled + wrong)


TEXTS = [
    "größe über alles",
    "Ελλάδα",
    "Москва",
    "ירושלים",
    "القاهرة",
    "दिल्ली",
    "กรุงเทพ",
    "東京",
    "ソウル",
    "서울",
    "Հայ",
    "თბილისი",
]
TEXTS += ["😀👨‍👩‍👧", 'a"b', "a\\b/", "\x00\x1f\x7f\x80", "tab\tline\n", "\u2028\ufeff", ""]
NEVER_TWICE = [
    {"properties": {"a": {}, "é": {}, 'q"': {}}},
    {"type": "object"},
    {"type": "object", "patternProperties": {"^[aé]": {}, "b$": {"type": ["integer", "null"]}}},
    {"type": "object", "propertyNames": {"maxLength": 3}},
    {
        "properties": {"a": {"type": "integer"}},
        "patternProperties": {"a": {"minimum": 0}},
        "additionalProperties": True,
    },
]


@settings(max_examples=150, deadline=None)
@given(
    schema=st.sampled_from(NEVER_TWICE),
    keys=st.lists(st.sampled_from(["a", "é", 'q"', "ab", "é\n", "z", ""]), min_size=1, max_size=4),
    nested=st.booleans(),
    spelling=SPELLINGS,
    data=st.data(),
)
def test_a_name_comes_once(schema, keys, nested, spelling, data):
    """However its characters are spelled; and escapes smuggle no declared name in."""
    whole = {"items": schema, "type": "array"} if nested else schema
    g = guide.json_schema(whole, BYTES, order="any", extra="schema", spelling=spelling)
    spelled = ["".join(data.draw(name_spellings(c)) for c in key) for key in keys]
    members = "{" + ",".join(f'"{name}":1' for name in spelled) + "}"
    expected = len(set(keys)) == len(keys) and oracle(schema)(members)
    expected = expected and all(may_stand(name, key, spelling) for name, key in zip(spelled, keys, strict=True))
    assert accepts(g, f"[{members}]" if nested else members) is expected, members


def name_spellings(c: str) -> st.SearchStrategy[str]:
    """Of a character in a name: printable ASCII stands plainly."""
    return st.just("\\" * (c == '"') + c) if " " <= c <= "~" else st.sampled_from(spellings(c))


def test_escapes_do_not_smuggle_a_declared_name_in():
    schema = {"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}
    for options in ({}, {"order": "any"}, {"order": "any", "extra": "schema"}):
        g = guide.json_schema(schema, BYTES, **options)
        assert accepts(g, '{"a":1}') and accepts(g, '{"b":"x"}') and accepts(g, '{"a":1,"b":"x"}')
        for text in ('{"\\u0061":1}', '{"\\u0061":"x"}', '{"a":1,"\\u0061":"x"}', '{"a":1,"a":"x"}', '{"a":1,"a":1}'):
            assert not accepts(g, text), text
    g = guide.json_schema(
        {"properties": {"é": {"type": "integer"}}, "additionalProperties": {"type": "string"}}, BYTES, spelling="any"
    )
    assert accepts(g, '{"é":1}') and accepts(g, '{"\\u00e9":1}') and accepts(g, '{"\\u00E9":1}')
    for text in ('{"\\u00e9":"x"}', '{"é":1,"\\u00E9":"x"}', '{"é":1,"é":1}'):
        assert not accepts(g, text), text


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.sampled_from(TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3), min_size=1),
    place=st.sampled_from(["enum", "const", "names", "excluded"]),
    data=st.data(),
)
def test_what_is_plain_is_what_json_writes(texts, place, data):
    """Of all spellings one, in values and names, of any script: so what has one text is forced."""
    text = data.draw(st.sampled_from(texts))
    value: Any = {text: {"x": text}} if place == "names" else [text]
    named = {"properties": {text: {"const": {"x": text}}}, "required": [text], "type": "object"}
    items = {"enum": texts} if place == "enum" else {"const": text}
    if place == "excluded":
        items = {"enum": [*texts, "x"], "not": {"enum": [other for other in texts if other != text]}}
    schema = named if place == "names" else {"type": "array", "items": items, "minItems": 1, "maxItems": 1}
    plain, anyhow = (guide.json_schema(schema, BYTES, spelling=spelling) for spelling in ("plain", "any"))
    assert accepts(plain, compact(value)) and accepts(anyhow, compact(value))
    if place in ("const", "names"):
        assert plain.forced(plain.initial) == compact(value).encode()
    spelled = "".join(data.draw(st.sampled_from(spellings(c))) for c in text)
    if place != "names" and accepts(plain, f'["{spelled}"]'):
        assert json.loads(f'"{spelled}"') in [*texts, "x"] and may_stand(spelled, json.loads(f'"{spelled}"'), "plain")


# --------------------------------------------------------------------------------------------------------- formats


def sample(pattern: str, random: Random) -> str:
    text = walk(guide.regex(pattern, BYTES), random, steps=30)
    assert text is not None
    return text.decode()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_dates_and_times_are_read_by_python(seed):
    for pattern, reads in ((formats.DATE, date), (formats.TIME, time), (formats.DATE_TIME, datetime)):
        reads.fromisoformat(sample(pattern, Random(seed)))


@settings(max_examples=200, deadline=None)
@given(when=st.datetimes())
def test_every_date_and_time_can_be_written(when):
    assert re.fullmatch(formats.DATE, when.date().isoformat())
    assert re.fullmatch(formats.TIME, when.time().isoformat())
    assert re.fullmatch(formats.DATE_TIME, when.isoformat())
    assert not re.fullmatch(formats.DATE, f"{when.year:04}-02-30")


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "date",
            ["2024-02-29", "2000-02-29", "1999-12-31"],
            ["2023-02-29", "1900-02-29", "2024-13-01", "0000-01-01", "2024-4-1"],
        ),
        ("time", ["23:59:59Z", "00:00:00.5-23:59"], ["24:00:00Z", "12:60:00Z", "12:00:00", "12:00Z", "12:00:00+24:00"]),
        (
            "date-time",
            ["1985-04-12T23:20:50.52Z"],
            ["1985-04-12 23:20:50Z", "1985-04-31T23:20:50Z", "1985-04-12T23:20:50"],
        ),
        (
            "duration",
            ["P4DT12H30M5S", "P4Y", "PT0S", "P2W"],
            ["P", "PT", "P1YT", "P2D1Y", "PT1D", "P1Y2W", "4DT12H", "P1H"],
        ),
        ("ipv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.0", "01.0.0.0", "1.2.3", "1.2.3.4.5"]),
        (
            "ipv6",
            ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2::7:8", "1:2:3:4:5:6:1.2.3.4"],
            [":::", "1::2::3", "1:2:3:4:5:6:7", "12345::", "::1%eth0", "1:2:3:4:5:6:7:8:9", "::1.2.3.256"],
        ),
        (
            "hostname",
            ["a", "www.example.com", "a-b.c1", "x" * 63, ".".join(["x" * 63] * 3 + ["x" * 61])],
            ["", "-a", "a-", "a_b", ".a", "a.", "x" * 64, ".".join(["x" * 63] * 3 + ["x" * 62])],
        ),
        (
            "email",
            ["joe.bloggs@example.com", "te~st@x", "a" * 64 + "@b"],
            ["a", "@b", "a@", ".a@b", "a..b@c", "a" * 65 + "@b"],
        ),
        (
            "uuid",
            ["2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
            ["2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380"],
        ),
        (
            "uri",
            [
                "http://foo.bar/?baz=qux#quux",
                "urn:oasis:names",
                "mailto:a@b.c",
                "http://[::1]:80/",
                "file:///etc",
                "a:",
            ],
            ["//foo.bar", "/abc", "abc", "http:// x", "http://a[b]", "1a:b", "a:%zz", "http://é"],
        ),
        ("uri-reference", ["", "/abc", "#x", "a/b?c", "//h/p"], ["\\\\", "#a#", "%"]),
        ("json-pointer", ["", "/a~0b/~1", "/"], ["a", "/~", "/~2"]),
        (
            "iri",
            ["http://ƒøø.ßår/?∂éœ=πîx#πîüx", "urn:é", "http://[::1]/é", "a:?\U000f0000"],
            ["/é", "é:b", "a:\U000f0000", "a:\ufdd0", "a: b", "http://[é]/"],
        ),
        ("iri-reference", ["/é", "//é/", "", "#é", "http://é"], ["#\ue000", "\\é", "% é"]),
        (
            "uri-template",
            ["", "file:///{path}", "weather://{city}/{+a,b.c*,d:30}{?x,y}", "a%20b", "é'", "{%41}"],
            ["{", "{}", "}", "{a,}", "{a b}", "{a:0}", "{a:12345}", "{a..b}", "{-a}", "a b", '"', "%"],
        ),
        (
            "idn-email",
            ["실례@실례.테스트", "joe@x.y", '"é é"@b', "é" * 32 + "@b", "\x85@b", "a@e\u0301"],
            ["2962", "é" * 33 + "@b", "a@-é", "é@", "a@é..b", "a@☃"],
        ),
    ],
)
def test_formats(name, good, bad):
    g = guide.json_schema({"type": "string", "format": name}, BYTES, spelling="any")
    for text in good:
        assert accepts(g, compact(text)), text
    for text in bad:
        assert not accepts(g, compact(text)), text


@pytest.mark.parametrize(
    ("name", "both", "standard", "bad"),
    [
        ("date", ["2024-02-29"], ["0000-02-29", "0000-12-31"], ["0000-02-30", "0000-00-01"]),
        ("time", ["23:59:59Z"], ["23:59:60Z", "23:59:60.5+00:00"], ["22:59:60Z", "23:59:60+01:00", "23:58:60Z"]),
        ("date-time", ["1985-04-12T23:20:50.52Z"], ["1998-12-31T23:59:60Z"], ["1998-12-31T23:59:61Z"]),
        (
            "email",
            ["a.b@c"],
            ['"a b"@c', r'"\"a"@c.d', "a@[127.0.0.1]", "a@[IPv6:::1]"],
            ['"a@b', '"a"b@c', "a@[127.0.0.300]", "a@[x]", f'"{"a" * 63}"@b', '"a@b"@c'],
        ),
    ],
)
def test_formats_are_written_as_readers_know_them_unless_the_standard_is_asked_for(name, both, standard, bad):
    g, wide = (
        guide.json_schema({"type": "string", "format": name}, BYTES, extra=e, spelling="any")
        for e in ("forbid", "schema")
    )
    for text in [*both, *standard, *bad]:
        assert accepts(g, compact(text)) == (text in both), text
        assert accepts(wide, compact(text)) == (text not in bad), text


labels = st.text("abx-", min_size=1, max_size=3).map(lambda s: "a" + s + "b") | st.sampled_from([1, 62, 63, 64]).map(
    lambda n: "x" * n
)
hosts = st.lists(labels, min_size=1, max_size=5).map(".".join)
hosts |= st.integers(250, 256).map(lambda n: ".".join([*["y" * 49] * 4, "x" * 40, "ab" * 63])[:n].removesuffix("."))


@settings(max_examples=60, deadline=None)
@given(
    text=hosts | st.tuples(st.sampled_from(["a", "a.x", "y" * 63, "y" * 64, "y" * 65]), hosts).map("@".join),
    name=st.sampled_from(["hostname", "email", "idn-email"]),
    pattern=st.sampled_from(["x.*b", "^[^-]*$", "a$"]),
    refused=st.sampled_from([None, "xb|yx"]),
    shortest=st.sampled_from([0, 6]),
    longest=st.sampled_from([None, 100, 254]),
)
def test_a_bound_of_a_format_holds_beside_patterns_and_lengths(text, name, pattern, refused, shortest, longest):
    """Host names have at most 253 characters, which is seen to last (`formats.bounded`)."""
    schema = {"type": "string", "format": name, "pattern": pattern, "minLength": shortest}
    schema |= {} if longest is None else {"maxLength": longest}
    schema |= {} if refused is None else {"not": {"pattern": refused}}
    alone = guide.json_schema({"type": "string", "format": name}, BYTES, spelling="any")
    fits = re.search(pattern, text) and not (refused and re.search(refused, text)) and shortest <= len(text)
    expected = bool(fits) and len(text) <= (longest or len(text)) and accepts(alone, compact(text))
    assert accepts(guide.json_schema(schema, BYTES, spelling="any"), compact(text)) is expected, (schema, text)


def test_names_are_written_once_however_many_an_object_has(monkeypatch):
    """Also where it is forgotten which nodes were made for the names that were taken."""
    monkeypatch.setattr(limits, "KEPT_NAMES", 2)
    g = guide.json_schema(True, BYTES, spelling="any")
    pairs = [f'"{name}":{{"{name}":[{{"b":{i}}}]}}' for i, name in enumerate("abcdefg")]
    for count in range(1, 8):
        assert accepts(g, "{" + ",".join(pairs[:count]) + "}")
        assert not accepts(g, "{" + ",".join([*pairs[:count], pairs[count // 2]]) + "}")


# --------------------------------------------------------------------------------------------------------- objects


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (
            {"properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": {"type": "null"}}, "required": ["b"]},
            ['{"b":null}', '{"a":null,"b":null}', '{"b":null,"c":null}', '{"a":null,"b":null,"c":null}'],
            [
                "{}",
                '{"a":null}',
                '{"b":null,"a":null}',
                '{,"b":null}',
                '{"b":null,}',
                '{"b":null,"d":null}',
                '{"b":null,"b":null}',
            ],
        ),
        (
            {"properties": {n: {"type": "null"} for n in "abcd"}, "minProperties": 2, "maxProperties": 3},
            ['{"a":null,"d":null}', '{"b":null,"c":null,"d":null}'],
            ["{}", '{"a":null}', '{"a":null,"b":null,"c":null,"d":null}'],
        ),
        ({"type": "object", "additionalProperties": False}, ["{}"], ['{"a":1}']),
        ({"type": "object", "properties": {}}, ["{}"], ['{"a":1}']),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
            ['{"":1}', '{"x\\n":1,"y":2}'],
            ["{}", '{"x":"y"}', '{"x":1,}'],
        ),
        ({"required": ["a"], "additionalProperties": {"type": "null"}}, ['{"a":null}'], ["{}"]),
        (
            {
                "allOf": [
                    {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
                    {"properties": {"a": {"maximum": 5}, "b": {"type": "null"}}},
                ]
            },
            ['{"a":5}', '{"a":-7,"b":null}'],
            ['{"a":6}', '{"b":null}', '{"a":5.5}'],
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
                "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            },
            ['{"a":null}', '{"b":null}', '{"a":null,"b":null}'],
            ["{}"],
        ),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, ["1", '"a"'], ["null"]),
        (
            {"oneOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
            ['"a"', '"bb"'],
            ['"c"'],
        ),
        ({"oneOf": [{"type": "number", "maximum": 0}, {"type": "integer", "minimum": 1}]}, ["0", "1", "-0.5"], ["0.5"]),
        (
            {
                "oneOf": [
                    {"properties": {"k": {"const": i}, "v": {"type": t}}, "required": ["k"]}
                    for i, t in enumerate(("null", "string"))
                ]
            },
            ['{"k":0,"v":null}', '{"k":1,"v":"x"}', '{"k":1}'],
            ['{"k":0,"v":"x"}', '{"v":null}', '{"k":2}'],
        ),
        ({"type": ["integer", "null"], "enum": [1, "a", None, 2.0, True]}, ["1", "null", "2.0"], ['"a"', "true"]),
        ({"enum": ["a", "bb"], "maxLength": 1}, ['"a"'], ['"bb"']),
        ({"const": {"k": [1, "é"]}}, ['{"k":[1,"é"]}', '{"k":[1,"\\u00E9"]}'], ['{"k":[1]}']),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True, "maximum": 12}, ["1", "12"], ["0", "13", "01"]),
        ({"type": "integer", "format": "int32"}, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
        (
            {"type": "array", "items": [{"type": "null"}, {"const": 1}], "additionalItems": False, "minItems": 1},
            ["[null]", "[null,1]"],
            ["[]", "[null,1,1]", "[1]"],
        ),
        (
            {"type": "array", "uniqueItems": True, "maxItems": 1, "items": {"type": "null"}},
            ["[]", "[null]"],
            ["[null,null]"],
        ),
        ({"type": "array", "maxItems": 0}, ["[]"], ["[1]"]),
        ({"type": "object", "properties": {"a": False, "b": {"type": "null"}}}, ["{}", '{"b":null}'], ['{"a":1}']),
        ({"$ref": "#/definitions/a%20b", "definitions": {"a b": {"type": "null"}}}, ["null"], ["1"]),
    ],
)
def test_what_is_and_what_is_not_generated(schema, good, bad):
    g = guide.json_schema(schema, BYTES, spelling="any")
    for text in good:
        assert accepts(g, text), text
    for text in bad:
        assert not accepts(g, text), text


def test_whitespace():
    schema = {"properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]}
    flexible, tabs = (guide.json_schema(schema, BYTES, whitespace=w, spelling="any") for w in ("flexible", r"\t{0,2}"))
    for text in (
        '{"a":[1,2]}',
        '{"a": [1, 2]}',
        '{ "a" : [ 1 , 2 ] }',
        '{\n  "a": [\n    1,\n    2\n  ]\n}',
        '{\r\n\t"a": []\n}',
    ):
        assert accepts(flexible, text)
    for text in ('{"a":  [1]}', '{"a":\n\n[1]}', ' {"a":[]}', '{"a":[1 2]}', '{"a":[]} '):
        assert not accepts(flexible, text)
    assert accepts(tabs, '{\t\t"a":\t[]}') and not accepts(tabs, '{ "a":[]}')
    for wrong in (r"\s*", "x?", "[^ \t]"):
        with pytest.raises(ConstraintError, match="or a pattern of JSON whitespace only"):
            guide.json_schema(schema, BYTES, whitespace=wrong, spelling="any")


def test_property_names_and_enums_are_forced():
    g = guide.json_schema(
        {"properties": {"colour": {"enum": ["red", "reddish"]}}, "required": ["colour"]}, BYTES, spelling="any"
    )
    assert g.forced(g.initial) == b'{"colour":"red'
    g = guide.json_schema({"const": "a"}, BYTES, spelling="any")
    assert g.forced(g.initial) == b'"a"'


def test_numbers_are_what_they_are_worth():
    g = guide.json_schema({"type": "integer", "minimum": 1, "maximum": 200}, BYTES, extra="schema", spelling="any")
    for text in ("1", "1.0", "1e2", "100", "2.00E+1"):
        assert accepts(g, text), text
    for text in ("0", "1.5", "1e3", "01", "201", "1."):
        assert not accepts(g, text), text
    g = guide.json_schema({"enum": [1, 2.5]}, BYTES, spelling="any")
    assert accepts(g, "1.0") and accepts(g, "2.50") and not accepts(g, "2")


def test_lookahead_at_the_top_of_a_pattern():
    g = guide.json_schema({"type": "string", "pattern": "^(?!ab)(?=.*c$)[a-c]+$"}, BYTES, spelling="any")
    for text in ("c", "bac", "bc"):
        assert accepts(g, compact(text)), text
    for text in ("abc", "b", "ab", "", "xc"):
        assert not accepts(g, compact(text)), text


def test_assertions_within_a_pattern():
    """Words that are none of a list, and names without two hyphens in a row, as schemas write them."""
    g = guide.json_schema({"type": "string", "pattern": r"^(?:[a-z]|-(?!-))+$", "maxLength": 4}, BYTES, spelling="any")
    assert [accepts(g, compact(text)) for text in ("a-b", "a--b", "-", "ab-cd")] == [True, False, True, False]
    g = guide.json_schema({"type": "string", "pattern": r"\b(?:red|blue)\b|^$"}, BYTES, spelling="any")
    assert [accepts(g, compact(text)) for text in ("a red x", "", "reds", "x:blue")] == [True, True, False, True]


REFERENCES = {
    "$id": "https://x.y/root",
    "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "#word"}, "c": {"$ref": "part"}, "d": {"$ref": "#"}},
    "required": ["a"],
    "$defs": {
        "n": {"type": "integer"},
        "w": {"$anchor": "word", "type": "string"},
        "p": {"$id": "part", "$ref": "#/$defs/n", "$defs": {"n": {"type": "null"}}},
    },
}


def test_references_by_pointer_anchor_and_id():
    g = guide.json_schema(REFERENCES, BYTES, spelling="any")
    for text in ('{"a":1}', '{"a":1,"b":"x","c":null,"d":{"a":2,"d":{"a":3}}}'):
        assert accepts(g, text) and oracle(REFERENCES)(text)
    for text in ('{"a":"x"}', '{"a":1,"b":2}', '{"a":1,"c":1}', '{"a":1,"d":{}}'):
        assert not accepts(g, text) and not oracle(REFERENCES)(text)


def test_extra_and_types_that_are_not_said():
    schema = {"properties": {"a": {"type": "null"}}, "required": ["a"]}
    plain, standard = (
        guide.json_schema(schema, BYTES, spelling="any"),
        guide.json_schema(schema, BYTES, extra="schema", spelling="any"),
    )
    assert not accepts(plain, '{"a":null,"b":1}') and accepts(standard, '{"a":null,"b":1}')
    assert not accepts(plain, "3") and accepts(standard, "3")
    schema = {"minLength": 2}
    plain, standard = (
        guide.json_schema(schema, BYTES, spelling="any"),
        guide.json_schema(schema, BYTES, extra="schema", spelling="any"),
    )
    for text, worth in (('"ab"', (True, True)), ('"a"', (False, False)), ("7", (False, True)), ("[]", (False, True))):
        assert (accepts(plain, text), accepts(standard, text)) == worth, text


@pytest.mark.parametrize("extra", ["forbid", "schema"])
def test_many_patterns_for_names(extra):
    """Twenty of them, two of which overlap with all others."""
    patterns = {f"^x-{c}": {"type": "integer", "multipleOf": i + 1} for i, c in enumerate("abcdefghijklmnopqr")}
    schema = {"type": "object", "patternProperties": {**patterns, "z$": {"minimum": 5}, "^(?!x-)": {"type": "null"}}}
    g, valid = guide.json_schema(schema, BYTES, order="any", extra=extra, spelling="any"), oracle(schema)
    random = Random(5)
    for _ in range(200):
        name = random.choice(["x-a", "x-b", "x-c", "x-cz", "x-", "y", "yz", "x-rz", "x-y"])
        text = compact({name: random.choice([None, 1, 2, 3, 6, 36, "x"]), random.choice(["x-d", "q"]): 4})
        assert accepts(g, text) == valid(text) or (extra == "forbid" and name in ("x-", "x-y")), text


NAMES = ["^a?b", "a$", "b.", "^(?!ab)", "[^a]c", "^[ab]*$", "c", "ac", "^$", "(ab|c)+$", "b{2}"]


@settings(max_examples=60)
@given(st.sets(st.sampled_from(NAMES), min_size=5))
def test_names_are_told_apart_by_the_patterns_that_they_match(patterns):
    """Against `re`, on all names of up to four characters: the longest that these patterns need."""
    names = ["".join(letters) for n in range(5) for letters in product("abcd", repeat=n)]
    of_names = {name: frozenset(p for p in patterns if re.search(p, name)) for name in names}
    classes = object_members.name_classes(frozenset(patterns))
    assert classes is not None and set(classes) >= set(of_names.values())
    for matched in classes:
        others = frozenset(patterns) - matched
        of_class = object_members.Names(matched, others, (), lambda _: VOID, ())
        assert of_class.language is not VOID
        for name in names:
            assert of_class.has(name) == (of_names[name] == matched), (name, matched)


def test_many_patterns_for_names_are_walked_once():
    """The states of the automaton of eighteen patterns are not made again for each class of names."""
    patterns = frozenset(f"{p}{i}" for i, p in enumerate(["^[ab]$", "^a*b?$", "[^a]", "^(?!ab)", "^a", "b$"] * 3))
    classes, calls = counted(lambda: object_members.name_classes.__wrapped__(patterns))
    steps = calls.python["outlines_cont/fsm/language/intersection.py", "_Product.having"]
    assert classes is not None and len(classes) > 50 and steps < 1_000
    assert all(object_members.Names(c, patterns - c, (), lambda _: VOID, ()).language is not VOID for c in classes)


@pytest.mark.parametrize(
    ("patterns", "problem"),
    [
        nightly([f"{c}.{{12}}{c}" for c in "abcdef"], "the patterns for names, taken together, need over"),
        ([f"^([{c}z][^{c}]){{0,40}}$" for c in "abcdefgh"], "the patterns for names, taken together, need over"),
        ([*"abcdefghijklmnopqrst"], "the patterns for names make more than 256 classes of names"),
    ],
)
def test_patterns_for_names_that_need_too_much_are_refused_soon(patterns, problem):
    def compiled():
        with pytest.raises(ConstraintError, match=problem):
            guide.json_schema(
                {"type": "object", "patternProperties": {p: {"title": p} for p in patterns}}, BYTES, spelling="any"
            )

    assert counted(compiled)[1].ours < 3_000_000


def test_too_many_classes_of_names_are_refused_by_name():
    schema = {"patternProperties": {f"{c}": {"title": c} for c in "abcdefghijkl"}}
    with pytest.raises(ConstraintError, match="the patterns for names make more than 256 classes of names"):
        accepts(guide.json_schema(schema, BYTES, spelling="any"), '{"a":1}')


# ------------------------------------------------------------------------- objects that a tag tells from each other

TAGS = ("a", "b", "c", "ab")
SHARED = {"n": {"type": "integer"}, "s": {"type": "string", "maxLength": 2}}


def tagged(r: Random, tag: str) -> dict[str, Any]:
    """An object of one kind, as schemas write it: by a constant, a pattern, or what it is not."""
    kinds = [{"const": tag}, {"enum": [tag]}, {"type": "string", "pattern": f"^{tag}$"}, {"not": {"enum": [*TAGS]}}]
    members = {name: SHARED[name] for name in r.sample(list(SHARED), r.randrange(3))}
    branch: dict[str, Any] = {"properties": {"kind": r.choice(kinds), **members, tag: {"type": "null"}}}
    branch["required"] = r.sample(["kind", "n", tag], r.randrange(3))
    return branch if r.random() < 0.8 else {"allOf": [branch, {"required": ["kind"]}]}


@many
@given(r=randoms)
def test_objects_of_several_kinds(r):
    """What tells them apart may stand beside them, in another part of `allOf`, or in what a branch refers to."""
    kinds = {tag: tagged(r, tag) for tag in TAGS[: r.randrange(2, 5)]}
    either = {"oneOf": [{"$ref": f"#/$defs/{tag}"} if r.random() < 0.3 else kinds[tag] for tag in kinds]}
    base = {"type": "object", "properties": {"kind": {"type": "string"}, "n": SHARED["n"]}, "required": ["kind"]}
    schema = r.choice([{**base, **either}, {**base, "allOf": [either]}, {"allOf": [base, either]}]) | {"$defs": kinds}
    g, valid = made(schema, **STANDARD), oracle(schema)
    for _ in range(20):
        value = {"kind": r.choice([*TAGS, "x", 1]), "n": r.choice([1, "x"]), "s": r.choice(["x", "xyz"])}
        value |= {tag: r.choice([None, 0]) for tag in TAGS}
        text = compact({name: value[name] for name in r.sample(list(value), r.randrange(5))})
        assert (g is not None and accepts(g, text)) == valid(text), (schema, text)


@pytest.mark.parametrize("place", ["beside", "in allOf"])
def test_a_tag_that_is_required_elsewhere_tells_many_kinds_apart(place):
    """Thirty activities, each with its settings; only the schema around them says that `type` must be there."""
    kinds = [{"properties": {"type": {"enum": [f"t{i}"]}, f"p{i}": {"type": "integer"}}} for i in range(30)]
    base = {"type": "object", "required": ["type"]}
    schema = {**base, "oneOf": kinds} if place == "beside" else {**base, "allOf": [{"title": "x"}, {"oneOf": kinds}]}
    g = guide.json_schema(schema, BYTES, **STANDARD)
    texts = ['{"type":"t7","p7":1}', '{"type":"t7","p7":"x"}', '{"type":"t7","p8":"x"}', '{"p7":1}', '{"type":"t30"}']
    assert [accepts(g, text) for text in texts] == [True, False, True, False, False]


# -------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (
            {"properties": {"a": {"type": "strin"}}},
            "at #/properties/a/type: 'type' is one of, or a list of, null, boolean, integer, string, "
            'array, object, number; not "strin"',
        ),
        ({"type": "string", "format": "idn-hostname"}, "at #/format: the format 'idn-hostname' is not supported"),
        ({"format": "regex", "pattern": "a"}, "at #: the format 'regex' together with 'pattern'"),
        ({"type": "string", "pattern": "(a(?>b)c?)+"}, "at #/pattern: the pattern '(a(?>b)c?)+' "),
        ({"properties": {"a/b": {"pattern": r"(a)\1"}}}, "at #/properties/a~1b/pattern: the pattern "),
        ({"$ref": "other.json"}, "at #/$ref: only references within the schema are supported, not 'other.json'"),
        ({"$ref": "#/$defs/b"}, "at #/$ref: '#/$defs/b' leads nowhere"),
        ({"$ref": "#b"}, "at #/$ref: '#b' leads nowhere"),
        ({"$ref": "#"}, "at #: leads back to itself"),
        ({"not": {"$ref": "#"}}, "at #: leads back to itself"),
        *(  # where no value need ever come
            ({"properties": {"a": part}, "$defs": {"p": {"allOf": [{"$ref": "#/$defs/p"}, {}]}}}, "at #/$defs/p: leads")
            for part in ({"$ref": "#/$defs/p"}, {"not": {"$ref": "#/$defs/p"}}, {"if": {"$ref": "#/$defs/p"}})
        ),
        ({"$ref": 3}, "at #/$ref: must be a string, not 3"),
        (
            {"not": {"uniqueItems": True}},
            "at #/not/uniqueItems: 'uniqueItems' under 'not', 'oneOf', 'if'",
        ),
        ({"$schema": "urn:mine"}, "at #/$schema: the dialect 'urn:mine' is not known"),
        ({"type": "number", "multipleOf": 1.000003}, "multiples of 1.000003 need too many states"),
        ({"type": "integer", "multipleOf": 0}, "at #/multipleOf: must be greater than 0"),
        ({"type": "integer", "minimum": "3"}, 'at #/minimum: must be a number, not "3"'),
        ({"type": "string", "maxLength": -1}, "at #/maxLength: must be a natural number, not -1"),
        ({"type": "integer", "minimum": 10**450}, "at #/minimum: numbers have at most 400 digits"),
        ({"enum": ["x", [-(10**450)]]}, "at #/enum: numbers have at most 400 digits"),
        ({"const": {"a": 10**450}}, "at #/const: numbers have at most 400 digits"),
        ({"anyOf": {"type": "null"}}, "at #/anyOf: must be a list"),
        ({"required": "a"}, 'at #/required: must be a list of names, not "a"'),
        ({"items": 3}, "at #/items: a schema is an object or a boolean, not 3"),
        ("{nonsense", "the schema is not JSON: "),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(schema, message):
    with pytest.raises(ConstraintError) as error:
        guide.json_schema(schema, BYTES, spelling="any")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"contains": {"uniqueItems": True}, "minContains": 0, "maxContains": 0}, "[1]"),
        (
            {
                "items": {"oneOf": [{"properties": {"a": {"$ref": "#/$defs/q"}}}, {}]},
                "$defs": {"q": {"uniqueItems": True}},
            },
            '[{"a":1}]',
        ),
    ],
)
def test_what_is_refused_is_refused_when_the_guide_is_made(schema, text):
    try:
        g = made(schema, **STANDARD)
    except ConstraintError as error:
        assert "uniqueItems" in str(error)
        return
    assert (g is not None and accepts(g, text)) is oracle(schema)(text)


def test_what_only_describes_is_passed_over():
    schema = {"type": "string", "least": 3, "title": 7, "format": "what", "x-y": {}, "contentEncoding": "base64"}
    assert accepts(guide.json_schema(schema, BYTES, spelling="any"), '"a"')
    schema = {"type": "string", "minLenght": 3}
    assert accepts(guide.json_schema(schema, BYTES, extra="schema", spelling="any"), '"a"')
    with pytest.raises(ConstraintError, match=r"at #/minLenght: 'minLenght' is no keyword of JSON Schema"):
        guide.json_schema(schema, BYTES, spelling="any")
    g = guide.json_schema({"type": "string", "format": "date"}, BYTES, format="annotate", spelling="any")
    assert accepts(g, '"a"')


def test_schemas_without_values():
    for schema in (
        False,
        {"enum": []},
        {"type": "integer", "minimum": 1, "maximum": 0},
        {"allOf": [{"const": 1}, {"const": 2}]},
        {"type": "object", "minProperties": 2, "maxProperties": 1},
        {"type": "object", "required": ["a", "b"], "maxProperties": 1},
        {"type": "object", "propertyNames": {"enum": ["a"]}, "minProperties": 2},
        {"type": "array", "minItems": 2, "maxItems": 1},
        {"type": "array", "items": {"enum": [1, 2, 1.0]}, "uniqueItems": True, "minItems": 3},
        {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
        {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"const": {"a": 1}, "oneOf": [{}, {}]},
        {"const": {"b": 2}, "unevaluatedProperties": False},
        {"const": [1], "unevaluatedItems": False},
    ):
        with pytest.raises(
            ConstraintError, match=r"^(the schema|JSON Schema, at #/unevaluated.*) .* matches no string$"
        ):
            guide.json_schema(schema, BYTES, spelling="any")
    for wrong in ([], 3, None):
        with pytest.raises(TypeError, match="a schema is a dict, a bool, or their JSON text, not"):
            guide.json_schema(wrong, BYTES, spelling="any")


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"const": 2, "multipleOf": 3}},
        {"not": {"const": 2, "maximum": 1}},
        {"not": {"enum": [2, 6, "x"], "multipleOf": 3}},
        {"oneOf": [{"enum": [2], "multipleOf": 3}, {}]},
        {"oneOf": [{"enum": [6, 2.5], "multipleOf": 3}, {}]},
    ],
)
def test_numbers_that_only_one_of_the_reasons_excludes(schema):
    g, valid = guide.json_schema(schema, BYTES, **STANDARD), oracle(schema)
    for text in ("2", "2.0", "3", "6", "2.5", "-1", "x", '"x"', "null"):
        assert accepts(g, text) is (text != "x" and valid(text)), text


LONGS = st.builds(
    lambda sign, digits, places, exponent: f"{sign}{digits}{places and '.'}{places}{exponent}",
    st.sampled_from(["", "-"]),
    st.sampled_from(["1", "2", "9", "1" + 398 * "0", 400 * "9", "1" + 400 * "0", 500 * "7"]),
    st.sampled_from(["", "0", "5", 399 * "0" + "1", 400 * "0" + "1", 450 * "3", 450 * "0"]),
    st.just(""),
) | st.builds(
    lambda mantissa, exponent: f"{mantissa}{exponent}",
    st.sampled_from(["1", "-2", "1.5", "0", "0.0", "1.25"]),
    st.sampled_from(["e2", "E398", "e399", "e400", "E48540", "e-398", "e-399", "e-401", "e-99999", "e" + 30 * "9"])
    | st.sampled_from(["e" + 5000 * "0" + "1", "E-" + 5000 * "0", "e+0" + 20 * "9"]),
)
#: (items, a long one, others)
MULTIPLES = [
    ({"type": "number", "multipleOf": 2}, "2" + 450 * "0", ["2", "4.0", "-6"]),
    ({"type": "number", "multipleOf": 0.25}, "1e999", ["0.25", "-1.5", "2"]),
    ({"type": "integer", "multipleOf": 7}, 450 * "7", ["7", "14", "-2100"]),
    ({"type": "integer", "multipleOf": 1009}, "1009" + 450 * "0", ["1009", "-1009", "2018"]),
    ({"type": "number", "not": {"multipleOf": 3}}, 451 * "1", ["1", "2.5", "-4"]),
    ({"type": "number", "not": {"type": "integer"}}, f"1.{450 * '0'}1", ["0.5", "-1.25", "7.75"]),
]


@pytest.mark.parametrize(("items", "long", "some"), MULTIPLES, ids=[str(items) for items, *_ in MULTIPLES])
def test_unique_multiples_that_are_long_numbers(items, long, some):
    """After one there are others, and of those only one that was there already is refused."""
    g = guide_of({"type": "array", "uniqueItems": True, "items": items, "minItems": 3})
    assert g.mask(g.advance_all(g.initial, (byte + 1 for byte in f"[{long},".encode()))).any()
    for one in some:
        assert not accepts(g, f"[{long},{one},{long}]")
        for other in some:
            assert accepts(g, f"[{long},{one},{other}]") is accepts(g, f"[{one},{long},{other}]") is (one != other)


def test_many_unique_multiples():
    """What they cost does not grow with the digits of all that came before, times the remainders."""
    g = guide_of({"type": "array", "uniqueItems": True, "items": {"type": "integer", "multipleOf": 257}})
    items = [str(257 * (10**k + 1)) for k in range(0, 300, 5)]
    assert accepts(g, f"[{','.join(items)}]") and not accepts(g, f"[{','.join([*items, items[40]])}]")
    assert not accepts(g, f"[{','.join([*items, '258'])}]")


@settings(max_examples=60, deadline=None)
@given(LONGS, LONGS, st.sampled_from([[], [[]], [{"a": 0}]]))
def test_unique_items_that_are_long_numbers(first, second, around):
    """Equal ones are refused, and of the others those that are both too long to compare; there is no dead end."""
    before, behind = ("", "") if not around else ("[1,", "]") if around == [[]] else ('{"a":', "}")
    g = guide_of({"type": "array", "uniqueItems": True, "minItems": 3})
    one, other = numerals.read(first), numerals.read(second)
    text = f"[{before}{first}{behind},{before}{second}{behind},"
    state = g.advance_all(g.initial, (byte + 1 for byte in text.encode()))
    assert (state is not None) is (one != other)
    if state is not None:
        assert g.mask(state).any() and accepts(g, text + "3]") and not accepts(g, text + f"{before}{second}{behind}]")
    assert accepts(g, f'[{first},"x",7]')


# ----------------------------------------------------------------------------------------------------- depth and size

TREE = {"$ref": "#/$defs/t", "$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}
CHAIN = {"properties": {"a": {"$ref": "#"}}, "additionalProperties": {"type": "integer"}}
NESTED = [(TREE, "[", "", "]"), (CHAIN, '{"a":', '{"b":1}', "}"), ({}, '[{"x":', "1", "}]")]


@pytest.mark.parametrize(("schema", "opening", "middle", "closing"), NESTED, ids=["array", "object", "any"])
def test_ten_thousand_deep(schema, opening, middle, closing):
    """A step costs as much at any depth: as many new states."""
    g, depth = guide.json_schema(schema, BYTES, spelling="any"), 10_000
    state, counts = after(g, ""), []
    for _ in range(depth):
        before = len(g._automaton)
        state = g.advance_all(state, (byte + 1 for byte in opening.encode()))
        assert state is not None
        counts.append(len(g._automaton) - before)
    assert max(counts[20:]) <= max(counts[:20]) and max(counts[20:]) <= 2 * len(opening)
    assert g.mask(state).any() and not g.accepting(state)
    state = g.advance_all(state, (byte + 1 for byte in (middle + closing * depth).encode()))
    assert state is not None and g.accepting(state) and g.complete(state)


def test_a_large_schema_is_built_where_it_is_walked():
    member = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^[a-z]{1,9}$"}, "y": {"minimum": 3}}}
    schema = {"properties": {f"name {i}": {**member, "description": "d" * 350} for i in range(11_000)}}
    schema["required"] = ["name 10999"]
    text = json.dumps(schema)
    assert len(text) > 5_000_000
    g = guide.json_schema(text, BYTES, spelling="any")
    assert accepts(g, '{"name 7":{"x":"ab"},"name 10999":{"y":4}}')
    assert not accepts(g, '{"name 10999":{"y":4},"name 7":{"x":"ab"}}')
    assert not accepts(g, '{"name 7":{"x":"ab"}}')
    assert len(g._automaton) < 1_000


def nested(keyword: str, depth: int) -> Any:
    """Two of these in each, so deep."""
    if not depth:
        return {"properties": {"a": {"type": "integer"}, "b": {"enum": [1, [2]]}}, "required": ["a"]}
    inner, other = nested(keyword, depth - 1), {"required": [f"k{depth}"]}
    if keyword == "if":
        return {"if": inner, "then": {**other, "minProperties": depth}, "else": {"properties": {f"e{depth}": inner}}}
    return {keyword: [inner, {"anyOf": [other, {"properties": {f"k{depth}": inner}}]}]}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "if"])
@pytest.mark.parametrize("depth", [3, 8])
def test_what_grows_exponentially_is_refused_by_name_or_works(keyword, depth):
    schema = nested(keyword, depth)
    try:
        g = made(schema, **STANDARD)
    except ConstraintError as error:
        assert re.search(r"at #.*: (the combinations|leads back to itself, or is nested too deeply)", str(error))
        return
    for value in ({"a": 1}, {"a": "x"}, {"a": 1, "b": [2], "k1": {"a": 2}}, 3, {}):
        text = compact(value)
        assert (g is not None and accepts(g, text)) is oracle(schema)(text)


def test_many_properties_of_a_map():
    """The names that were written are remembered, at a cost that grows with their number only."""
    for schema in ({"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "object"}):
        g = guide.json_schema(schema, BYTES, order="any", spelling="any")
        members = ",".join(f'"name {i}":{i}' for i in range(120))
        assert accepts(g, f"{{{members}}}")
        assert not accepts(g, f'{{{members},"name 0":1}}') and not accepts(g, f'{{{members},"name 119":1}}')


# ---------------------------------------------------------------------------------------------------- states are ints

LAWFUL = {
    "type": "array",
    "uniqueItems": True,
    "items": {"patternProperties": {"^[ab]": {"$ref": "#"}}, "additionalProperties": {"type": "integer"}},
}


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_states_are_ints_that_may_be_gone_back_to(seed):
    g, fresh, path = (
        guide.json_schema(LAWFUL, BYTES, spelling="any"),
        Guide(guide_of(LAWFUL)._language, BYTES, "fresh"),
        [],
    )
    random, state = Random(seed), g.initial
    for _ in range(40):
        assert type(state) is int and hash(state) == hash(int(state))
        options = allowed(g, state)
        path.append((state, random.choice(options), g.mask(state).copy(), g.accepting(state), g.forced(state)))
        state = g.advance(state, path[-1][1])
        if state == FINAL:
            break
    here = fresh.initial
    for before, token, mask, accepting, forced in random.sample(path, len(path)):  # in any order, any number of times
        assert (g.mask(before) == mask).all() and g.accepting(before) == accepting and g.forced(before) == forced
        assert g.advance(before, token) == g.advance(before, token)
    for _before, token, mask, accepting, forced in path:  # another guide of the same language says the same
        assert (fresh.mask(here) == mask).all() and fresh.accepting(here) == accepting and fresh.forced(here) == forced
        here = fresh.advance(here, token)
    tokens = [token for _, token, *_ in path]
    assert g.advance_all(g.initial, tokens) == g.advance_all(g.initial, tokens) == state


@cache
def _guide_of(text: str) -> Guide:
    return guide.json_schema(text, BYTES, spelling="any")


def guide_of(schema: Any) -> Guide:
    return _guide_of(json.dumps(schema))


# ------------------------------------------------------------------------------------------------- schemas in the wild

DATA = Path(os.environ.get("OUTLINES_CONT_DATA", Path(__file__).parents[2] / "shared" / "data"))
WILD = DATA / "schemas" / "maskbench_dev.jsonl"
needs_wild = pytest.mark.skipif(not WILD.exists(), reason=f"no schemas at {WILD}; set OUTLINES_CONT_DATA")


@cache
def real() -> list[dict[str, Any]]:
    return [json.loads(line) for line in WILD.read_text(encoding="utf-8").splitlines()]


def checked(schema: dict[str, Any]) -> Any:
    """A validator of a real schema, and its formats; None where it refers to what is elsewhere."""
    cls = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    return cls(json.loads(json.dumps(schema), parse_float=number), format_checker=cls.FORMAT_CHECKER)


@needs_wild
def test_instances_of_real_schemas_are_judged_rightly():
    """Valid ones are accepted, invalid ones are not; schemas that are refused are few."""
    refused, wrong = [], []
    for case in real()[::4]:
        try:
            g = made(case["schema"], order="any", extra="schema")
            said = [
                (x, good, g is not None and accepts(g, compact(x)))
                for good, some in ((True, case["valid"]), (False, case["invalid"]))
                for x in some
            ]
        except ConstraintError as error:
            refused.append(f"{case['id']}: {error}")
            continue
        wrong += [(case["id"], good, compact(x)[:200]) for x, good, got in said if got is not good]
    assert not wrong
    assert len(refused) <= 0.03 * len(real()[::4]) + 1, "\n".join(refused)


def closing(g: Guide, random: Random, steps: int) -> bytes | None:
    """A random text of a large vocabulary: as `walk`, without a list of all that is allowed where that is much."""
    tokens = g.vocabulary.tokens
    single = {tokens[t]: t for t in g.vocabulary.text_ids.tolist() if len(tokens[t]) == 1}
    order = [single[c] for c in (b'"', b"}", b"]", b"1", b"0", b"a", b"e", b",", b":", b"2", b"A") if c in single]
    state, data = g.initial, bytearray()
    for step in range(steps + 1_500):
        options = allowed(g, state)
        assert options, f"a dead end after {bytes(data)!r}"
        near = [t for t in order if g.advance(state, t) is not None]
        if g.accepting(state) and (step > steps or random.random() < 0.5):
            return bytes(data)
        late = step > steps and random.random() < 0.9
        token = (near[0] if random.random() < 0.7 else random.choice(near)) if near and late else random.choice(options)
        if token in g.vocabulary.eos:
            return bytes(data)
        data += tokens[token]
        following = g.advance(state, token)
        assert following is not None
        state = following
    return None


def assert_valid(case: dict[str, Any], text: bytes) -> None:
    if wild(text):
        return
    errors = [error for error in checked(case["schema"]).iter_errors(read(text))]
    assert not errors, (case["id"], text[:300], errors[0].message[:300])


@needs_wild
def test_what_is_generated_under_real_schemas_is_valid():
    """300 walks by the masks of the shipped model's vocabulary."""
    random, v, finished, walked = Random(5), shipped_model().vocabulary, 0, 0
    while walked < 300:
        case = random.choice(real())
        if "http" in json.dumps(case["schema"].get("$ref", "")):
            continue
        try:
            g = guide.json_schema(case["schema"], v, spelling="any")
        except ConstraintError:
            continue
        walked += 1
        text = closing(g, random, steps=12)
        if text is not None:
            finished += 1
            assert_valid(case, text)
    assert finished >= 270


@needs_wild
def test_the_shipped_model_generates_what_is_valid():
    random, finished = Random(8), 0
    for case in random.sample([case for case in real() if len(compact(case["schema"])) < 700], 10):
        generator = oc.generate.json(shipped_model(), case["schema"])
        state = oc.continuous(generator, name="value")("JSON: ", max_tokens=120, seed=1)
        if state.finished == [["stop"]]:
            finished += 1
            assert_valid(case, state.tolist()[0][0].removeprefix("JSON: ").encode())
    assert finished >= 3


@cache
def _many_tokens() -> Vocabulary:
    """Enough tokens that masks of strings are made by slices, many of them with escapes."""
    random = Random(1)
    pieces = ["a", "b", "c", "x", " ", "é", "😀", '"', ",", "}", "1", '","', '": ', "/", "u"]
    pieces += [r"\n", r"\"", r"\\", r"\u0061", r"\u00e9", r"\/", r"\ud83d\ude00"]
    tokens = dict.fromkeys([b"<eos>", *(bytes([byte]) for byte in range(256))])
    while len(tokens) < 6000:
        tokens["".join(random.choices(pieces, k=random.randrange(1, 6))).encode()] = None
    return Vocabulary(list(tokens), eos=[0])


@pytest.mark.parametrize(
    "pattern", ["^[^a]*$", "^[^ab]{0,40}$", "^[^a]*x?$", "^[a-c]*1?b*$", r"^(\S+\s+){0,9}\S+$", None]
)
@pytest.mark.parametrize("length", [None, 7, 60])
def test_masks_of_strings_are_exact_on_a_large_vocabulary(pattern, length):
    v = _many_tokens()
    schema = {"type": "string"} | ({} if pattern is None else {"pattern": pattern})
    g = guide.json_schema(schema | ({} if length is None else {"maxLength": length}), v, spelling="any")
    for text in ('"', '"x', '"bc', '"xxx', r'"\u00'):
        state = g.advance_all(g.initial, [byte + 1 for byte in text.encode()])
        if state is not None:
            expected = [token for token in range(len(v)) if g.advance(state, token) is not None]
            assert unpack(g.mask(state), len(v)).nonzero()[0].tolist() == expected, text


@pytest.mark.parametrize("spelled", ["01", "01.-", "03579.-e", "0123456789.-eE+"])
@pytest.mark.parametrize(
    "schema",
    [
        {"exclusiveMinimum": 2},
        {"not": {"type": "integer"}},
        {"type": "integer", "maximum": 10**60},
        {"type": "number", "multipleOf": 0.01, "minimum": 2.5},
        {"type": "number", "maximum": -1e-300},
    ],
)
def test_numbers_where_digits_are_lacking_have_no_dead_ends(schema, spelled):
    v = Vocabulary([b"<eos>", *(bytes([c]) for c in b'{}[]":,abtruefalsn' + spelled.encode())], eos=[0])
    try:
        g = guide.json_schema(schema, v, extra="schema", spelling="any")
    except ConstraintError as error:
        assert "no token has" in str(error)
        return
    for seed in range(4):
        state, random, text = g.initial, Random(seed), b""
        for _ in range(40):
            options = unpack(g.mask(state), len(v)).nonzero()[0].tolist()
            assert options, text
            token = random.choice(options)
            if token == 0:
                assert wild(text) or oracle(schema)(text.decode()), text
                break
            text, state = text + v.tokens[token], g.advance(state, token)


bounds = st.dictionaries(
    st.sampled_from(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]), st.integers(-1, 2), max_size=2
)


@given(parts=st.lists(bounds, min_size=1, max_size=3), kind=st.sampled_from(["integer", "number"]))
def test_bounds_hold_together(parts, kind):
    """Bounds that stand in several schemas: each of them holds, and none is exclusive because another is missing."""
    schema = {"type": kind, "allOf": parts}
    texts = ["-2", "-1", "-0.5", "0", "0.5", "1", "1.5", "2", "3"]
    valid = [text for text in texts if oracle(schema)(text)]
    try:
        g = guide.json_schema(schema, BYTES, extra="schema", spelling="any")
    except ConstraintError as error:
        assert "matches no string" in str(error) and not valid
        return
    assert [text for text in texts if accepts(g, text)] == valid


@settings(many, max_examples=100)
@example(schema={"type": ["array", "integer"]}, letters={*b"[]1"}, r=Random(0))  # no comma
@example(schema={"type": "object"}, letters={*b'{}"a1:'}, r=Random(0))
@example(schema={"type": ["object", "integer"]}, letters={*b'{}"a1'}, r=Random(0))  # no colon
@given(
    schema=st.sampled_from([True, {"type": "array"}, {"type": "object"}]) | randoms.map(random_schema),
    letters=st.sets(st.sampled_from([*b'{}[]":,ab1tnule']), min_size=1).map(lambda letters: letters | {*b"1"}),
    r=randoms,
)
def test_where_signs_of_json_are_lacking_what_is_left_is_accepted(schema, letters, r):
    v = Vocabulary([b"<eos>", *(bytes([letter]) for letter in letters)], eos=[0])
    ids = {token[0]: i for i, token in enumerate(v.tokens) if i}
    try:
        whole = made(schema)
    except ConstraintError:
        assume(False)
    texts = [
        "1",
        "[]",
        "[[1]]",
        "[1,1]",
        "{}",
        '{"a":1}',
        '{"b":[]}',
        '{"a":1,"b":1}',
        compact(instance(r, schema, schema)),
    ]
    expected = [whole is not None and accepts(whole, text) and letters.issuperset(text.encode()) for text in texts]
    try:
        g = guide.json_schema(schema, v, spelling="any")
        check_guide(g, walks=2, steps=8)
        states = [g.advance_all(g.initial, [ids.get(byte, 0) for byte in text.encode()]) for text in texts]
        assert [state is not None and state != FINAL and g.accepting(state) for state in states] == expected
    except ConstraintError as error:
        assert "states did not tell" in str(error) or not any(expected), error


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_alternatives_that_are_constants_are_told_apart_by_what_they_are(keyword):
    """Not two by two: that four hundred differ takes no merging of schemas."""
    values = [*range(200), *(f"x{i}" for i in range(200)), None, True, 0.5]
    schema = {keyword: [{"const": value, "title": f"{value}"} for value in values]}
    g, calls = counted(lambda: guide.json_schema(schema, BYTES, spelling="any"))
    assert calls.python["outlines_cont/fsm/json_schema/conjunction.py", "Conjunction.merge"] < 20
    valid = oracle(schema)
    for text in ("7", "199", "200", "7.0", '"x199"', '"x200"', "null", "true", "false", "0.5", "1.5", "[]"):
        assert accepts(g, text) == valid(text), text
    twice = {keyword: [*schema[keyword], {"const": 7.0}, {"const": [7]}]}
    g, valid = guide.json_schema(twice, BYTES, spelling="any"), oracle(twice)
    for text in ("7", "[7]", "8", "[8]"):
        assert accepts(g, text) == valid(text), text
    old = {"$schema": "http://json-schema.org/draft-04/schema#", keyword: schema[keyword][:40]}
    with pytest.raises(ConstraintError, match="'const' is no keyword of draft-04"):
        guide.json_schema(old, BYTES, spelling="any")
