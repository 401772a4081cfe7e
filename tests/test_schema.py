"""JSON Schemas: what is generated is valid, what is valid (and within the documented spelling) is accepted."""

import json
import os
import random as randomness
import re
from datetime import date, datetime, time
from decimal import Decimal, localcontext
from enum import Enum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Optional, Union
from uuid import UUID

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import formats, guide, numerals
from outlines_cont.fsm.automaton import Automaton
from outlines_cont.fsm.json_text import string_class
from outlines_cont.fsm.language import VOID, substitute
from outlines_cont.fsm.pattern import parse, utf8
from outlines_cont.fsm.schema import language
from outlines_cont.fsm.vocabulary import Vocabulary

BYTES = Vocabulary([b"<eos>", *(bytes([i]) for i in range(256)), b'":', b'{"', b", ", b"12", b"\\u", b"true"], eos=[0])


def accepts(node, text: str | bytes) -> bool:
    if node is VOID:
        return False
    return ends(Automaton(node), text)


def ends(machine: Automaton, text: str | bytes) -> bool:
    state = machine.run(machine.initial, text.encode() if isinstance(text, str) else text)
    return state >= 0 and machine.accepting(state)


@cache
def content(pattern: str) -> Automaton:
    """What stands between the quotes of a JSON string that matches."""
    return Automaton(substitute(parse(pattern), string_class))


def compact(value, ensure_ascii: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ensure_ascii)


def valid(text: bytes, schema) -> bool:
    """What `jsonschema` says, without rounding."""
    value, schema = (json.loads(x, parse_float=Decimal) for x in (text, json.dumps(schema)))
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    with localcontext(prec=2_000):
        return jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid(value)


def sample(node, random, length: int = 200) -> bytes | None:
    """A random walk through a language; None if it is too long."""
    machine = Automaton(node)
    state, data = machine.initial, bytearray()
    while not (machine.accepting(state) and (random.random() < 0.3 or (machine.row(state) < 0).all())):
        choices = (machine.row(state) >= 0).nonzero()[0].tolist()
        closing = [b for b in b'"}],\\' if b in choices]
        pick = random.choice(closing) if closing and random.random() < 0.3 + len(data) / 100 else random.choice(choices)
        data.append(pick)
        state = machine.step(state, pick)
        if len(data) > length:
            return None
    return bytes(data)


# -------------------------------------------------------------------------------- random schemas with instances

texts = st.text('aé"\\/\n\x01😀b7', max_size=5)
names = st.sampled_from(["a", "b", "ab", "é", 'q"', "x y"])
numbers = st.one_of(st.integers(-30, 30), st.integers(-300, 300).map(lambda n: n / 10))


def scalars():
    """(schema, strategy of valid instances)."""

    def bounded(low, size, draw_float):
        schema = {"type": "number" if draw_float else "integer", "minimum": low, "maximum": low + size}
        inside = st.integers(0, size).map(lambda n: low + n)
        return schema, st.one_of(inside, st.integers(0, size * 4).map(lambda n: low + n / 4)) if draw_float else inside

    def strings(low, size):
        return {"type": "string", "minLength": low, "maxLength": low + size}, texts.filter(
            lambda s: low <= len(s) <= low + size
        )

    def above(bound):
        schema = {"type": "number", "exclusiveMinimum": bound}
        return schema, st.integers(1, 500).map(lambda n: float(Fraction(str(bound)) + Fraction(n, 8)))

    return st.one_of(
        st.just(({"type": "null"}, st.none())),
        st.just(({"type": "boolean"}, st.booleans())),
        st.just(({"type": "integer"}, st.integers())),
        st.just(({"type": "number"}, st.floats(allow_nan=False, allow_infinity=False))),
        st.just(({"type": "string"}, texts)),
        st.just(({"type": ["string", "null"], "pattern": "^a+é?$"}, st.sampled_from([None, "a", "aé", "aaa"]))),
        st.just(({"pattern": "b7"}, st.tuples(texts, texts).map("b7".join))),
        st.just(({"type": "string", "pattern": "[ab]", "maxLength": 6}, texts.filter(lambda s: re.search("[ab]", s)))),
        st.just(
            ({"type": "integer", "multipleOf": 7, "exclusiveMinimum": -20}, st.integers(-2, 99).map(lambda n: 7 * n))
        ),
        st.just(({"type": "number", "multipleOf": 0.25}, st.integers(-99, 99).map(lambda n: n / 4))),
        st.sampled_from(
            [
                ("date", ["2024-02-29", "0001-01-01"]),
                ("ipv4", ["1.2.3.4"]),
                ("email", ["a.b@c.de"]),
                ("uuid", ["0123abcd-0123-0123-0123-0123456789AB"]),
                ("duration", ["P1Y2M", "PT5M"]),
                ("date-time", ["2024-01-31T23:59:59.123456789+05:30", "2024-01-31t00:00:00z"]),
                ("time", ["12:00:00Z"]),
                ("uri", ["https://a.b/c?d=%20#e", "urn:x:y"]),
                ("ipv6", ["::1"]),
                ("hostname", ["a-b.example"]),
            ]
        ).map(lambda pair: ({"type": "string", "format": pair[0]}, st.sampled_from(pair[1]))),
        st.builds(bounded, st.integers(-1200, 1200), st.integers(0, 2000), st.booleans()),
        st.builds(strings, st.integers(0, 2), st.integers(0, 3)),
        st.builds(above, numbers),
        st.lists(
            st.one_of(texts, numbers, st.booleans(), st.none(), st.lists(texts, max_size=2)), min_size=1, max_size=4
        ).map(lambda values: ({"enum": values}, st.sampled_from(values))),
        texts.map(lambda value: ({"const": value}, st.just(value))),
    )


def containers(inner):
    def array(item, low, size):
        schema, values = item
        return {"type": "array", "items": schema, "minItems": low, "maxItems": low + size}, st.lists(
            values, min_size=low, max_size=low + size
        )

    def pair(items, rest):
        schemas, values = zip(*items, strict=True)
        schema = {"type": "array", "prefixItems": list(schemas), "minItems": len(items) - 1}
        whole = st.tuples(*values).map(list)
        if rest is None:
            return {**schema, "items": False}, st.one_of(whole, whole.map(lambda x: x[:-1]))
        return {**schema, "items": rest[0]}, st.tuples(whole, st.lists(rest[1], max_size=2)).map(lambda p: p[0] + p[1])

    def structure(members, required, extra, data_low):
        schema = {
            "type": "object",
            "properties": {name: schema for name, (schema, _) in members.items()},
            "required": [name for name in members if name in required],
        }
        if extra is not None:
            schema["additionalProperties"] = extra
        needed = {n: v for n, (_, v) in members.items() if n in required}
        optional = {n: v for n, (_, v) in members.items() if n not in required}
        low = min(data_low, len(members))
        schema["minProperties"] = low
        values = st.fixed_dictionaries(needed, optional=optional).filter(lambda d: len(d) >= low)
        return schema, values.map(lambda d: {name: d[name] for name in members if name in d})

    def mapping(item, size):
        schema, values = item
        return {"type": "object", "additionalProperties": schema, "maxProperties": size}, st.dictionaries(
            texts, values, max_size=size
        )

    def either(items):
        return {"anyOf": [schema for schema, _ in items]}, st.one_of([values for _, values in items])

    def referred(item):
        return {"allOf": [{"$ref": "#/$defs/it em~1s"}], "$defs": {"it em/s": item[0]}}, item[1]

    return st.one_of(
        st.builds(array, inner, st.integers(0, 2), st.integers(0, 2)),
        st.builds(pair, st.lists(inner, min_size=1, max_size=3), st.none() | inner),
        st.builds(
            structure,
            st.dictionaries(names, inner, max_size=4),
            st.sets(names),
            st.sampled_from([None, False, True]),
            st.integers(0, 3),
        ),
        st.builds(mapping, inner, st.integers(0, 3)),
        st.builds(either, st.lists(inner, min_size=1, max_size=3)),
    )


schemas = st.recursive(scalars(), containers, max_leaves=5)


@settings(max_examples=350, deadline=None)
@given(pair=schemas, data=st.data(), seed=st.integers(0, 2**32))
def test_valid_instances_are_accepted_and_what_is_generated_is_valid(pair, data, seed):
    schema, values = pair
    node = language(schema)
    spaced = language(schema, whitespace="flexible")
    for value in (data.draw(values), data.draw(values)):
        if isinstance(value, float) and "e" in repr(value) and schema != {"type": "number"}:
            continue
        assert accepts(node, compact(value)), (schema, value)
        assert accepts(node, compact(value, ensure_ascii=True)), (schema, value)
        for indent in (None, 2):
            assert accepts(spaced, json.dumps(value, indent=indent, ensure_ascii=False)), (schema, value)
    for language_, strict in ((node, True), (spaced, False)):
        made = sample(language_, randomness.Random(seed))
        if made is not None:
            assert valid(made, schema), (schema, made)
            outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", made.decode())
            assert not strict or not re.search(r"\s", outside)


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(max_size=4),
    pattern=st.sampled_from([".*", '[^"]*', r"\S+", "(?s).{0,2}", "[a-zé😀\\\\]*", r"\W*"]),
    data=st.data(),
)
def test_every_spelling_of_a_string_means_the_string(text, pattern, data):
    short = dict(zip('\b\f\n\r\t"\\/', 'bfnrt"\\/', strict=True))

    def spellings(c: str):
        units = c.encode("utf-16-be")
        code = "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
        yield from (code, code.upper().replace("\\U", "\\u"))
        if c in short:
            yield "\\" + short[c]
        if c not in '"\\' and c >= " ":
            yield c

    machine = content(pattern)
    spelled = "".join(data.draw(st.sampled_from(list(spellings(c)))) for c in text)
    assert json.loads(f'"{spelled}"') == text
    assert ends(machine, spelled) == (re.fullmatch(pattern, text) is not None)
    for wrong in ("\n", '"', "\\", "\\x", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\u00"):
        assert not ends(machine, spelled + wrong)


bounds = st.one_of(
    st.none(),
    st.just(Fraction(0)),
    st.integers(-120, 120).map(Fraction),
    st.integers(-3000, 3000).map(lambda n: Fraction(n, 100)),
)


@settings(max_examples=350, deadline=None)
@given(
    low=bounds,
    high=bounds,
    low_open=st.booleans(),
    high_open=st.booleans(),
    multiple=st.sampled_from([None, None, Fraction(1), Fraction(7), Fraction(1, 10), Fraction(5, 4)]),
    near=st.lists(
        st.tuples(st.booleans(), st.integers(-40, 40), st.sampled_from([1, 10, 100, 1000])), min_size=6, max_size=6
    ),
    zeros=st.integers(0, 2),
    minus=st.booleans(),
)
def test_numbers_within_bounds(low, high, low_open, high_open, multiple, near, zeros, minus):
    numbers, integers = (
        numerals.decimals(low, high, low_open, high_open, multiple),
        numerals.integers(low, high, multiple),
    )
    for at_low, count, scale in near:
        x = ((low if at_low else high) or Fraction(0)) + Fraction(count, scale)
        text = format(Decimal(x.numerator) / Decimal(x.denominator), "f")
        text += ("" if "." in text or not zeros else ".") + "0" * zeros
        text = "-" + text.lstrip("-") if minus else text
        x = Fraction(text)
        above, below = low is None or x >= low, high is None or x <= high
        whole = multiple is None or (x / multiple).denominator == 1
        assert accepts(integers, text) == (bool(re.fullmatch("0|-?[1-9][0-9]*", text)) and above and below and whole)
        inside = above and below and whole and not (low_open and x == low) and not (high_open and x == high)
        assert accepts(numbers, text) == inside
        assert accepts(numbers, text + "E-00") == (inside and not low and not high and multiple is None)


# --------------------------------------------------------------------------------------------------------- formats


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_dates_and_times_are_read_by_python(seed):
    for pattern, read in ((formats.DATE, date), (formats.TIME, time), (formats.DATE_TIME, datetime)):
        made = sample(utf8(parse(pattern)), randomness.Random(seed))
        assert made is not None
        read.fromisoformat(made.decode())


@settings(max_examples=300, deadline=None)
@given(when=st.datetimes(), other=st.text("0123456789-:T", max_size=10))
def test_every_date_and_time_can_be_written(when, other):
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
    ],
)
def test_formats(name, good, bad):
    node = language({"type": "string", "format": name})
    for text in good:
        assert accepts(node, compact(text)), text
    for text in bad:
        assert not accepts(node, compact(text)), text


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
    node = language(schema)
    for text in good:
        assert accepts(node, text), text
    for text in bad:
        assert not accepts(node, text), text


def test_whitespace():
    schema = {"properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]}
    flexible, tabs = language(schema, whitespace="flexible"), language(schema, whitespace=r"\t{0,2}")
    for text in (
        '{"a":[1,2]}',
        '{"a": [1, 2]}',
        '{ "a" : [ 1 , 2 ] }',
        '{\n  "a": [\n    1,\n    2\n  ]\n}',
        '{\r\n\t"a": []\n}',
    ):
        assert accepts(flexible, text)
    for text in ('{"a":  [1]}', '{"a":\n\n[1]}', ' {"a":[]}', '{"a":[1 2]}'):
        assert not accepts(flexible, text)
    assert accepts(tabs, '{\t\t"a":\t[]}') and not accepts(tabs, '{ "a":[]}')
    for wrong in (r"\s*", "x?", "[^ \t]"):
        with pytest.raises(ConstraintError, match="or a pattern of JSON whitespace only"):
            language(schema, whitespace=wrong)


def test_property_names_and_enums_are_forced():
    g = guide.json_schema({"properties": {"colour": {"enum": ["red", "reddish"]}}, "required": ["colour"]}, BYTES)
    assert g.forced(g.initial) == b'{"colour":"red'
    assert guide.json_schema('{"const": 1}', BYTES).forced(g.initial) == b"1"


# -------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({}, "at #: any JSON at all is not supported yet: say which type"),
        ({"type": "array"}, "at #: an array of any JSON is not supported yet; say 'items'"),
        ({"type": "object"}, "at #: an object of any JSON is not supported yet; say 'properties'"),
        ({"properties": {"a/b": {"items": {}}}}, "at #/properties/a~1b/items: any JSON at all"),
        (
            {"properties": {"a": {"type": "strin"}}},
            "at #/properties/a/type: is one of, or a list of, null, boolean, integer, "
            'number, string, array, object; not "strin"',
        ),
        ({"type": "string", "minLenght": 1}, "at #/minLenght: 'minLenght' is not a keyword of JSON Schema"),
        ({"type": "string", "not": {"const": "a"}}, "at #/not: 'not' is not supported yet"),
        ({"type": "string", "format": "idn-email"}, "at #/format: the format 'idn-email' is not supported"),
        ({"type": "string", "pattern": "a(?=b)"}, "at #/pattern: the pattern 'a(?=b)' uses lookaround, which is not"),
        (
            {"items": {"$ref": "#"}},
            "at #/items/$ref: recursive schemas are not supported yet: '#' leads back to itself",
        ),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"n": {"$ref": "#/$defs/a"}}}}},
            "at #/$defs/a/properties/n/$ref: recursive schemas are not supported yet: '#/$defs/a' leads back to itself",
        ),
        ({"$ref": "other.json"}, "only references within the schema, as JSON pointers, are supported, not 'o"),
        ({"$ref": "#/$defs/b"}, "at #/$ref: '#/$defs/b' leads nowhere"),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "at #/oneOf: branches 0 and 1 may both match"),
        (
            {"type": "array", "items": {"type": "null"}, "uniqueItems": True},
            "at #/uniqueItems: 'uniqueItems' is not supported yet",
        ),
        ({"additionalProperties": {"type": "null"}, "minProperties": 2}, "at #/minProperties: 'minProperties' above 1"),
        (
            {"type": "object", "properties": {}, "patternProperties": {"a": {}}},
            "at #/patternProperties: 'patternProperties' is not",
        ),
        ({"properties": {}, "required": ["x"]}, "at #: the required property 'x' has no schema"),
        ({"type": "integer", "multipleOf": 123457}, "at #/multipleOf: multiples of 123457 need too many states"),
        ({"type": "integer", "multipleOf": 0}, "at #/multipleOf: must be greater than 0"),
        ({"type": "integer", "minimum": "3"}, 'at #/minimum: must be a number, not "3"'),
        ({"type": "string", "maxLength": -1}, "at #/maxLength: must be a natural number, not -1"),
        ({"anyOf": {"type": "null"}}, "at #/anyOf: must be a list of schemas"),
        ({"required": "a"}, 'at #/required: must be a list of names, not "a"'),
        ({"items": 3}, "at #/items: a schema is an object or a boolean, not 3"),
        ("{nonsense", "the schema is not JSON: "),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(schema, message):
    with pytest.raises(ConstraintError) as error:
        language(schema)
    assert message in str(error.value)


def test_schemas_without_values():
    for schema in (
        False,
        {"enum": []},
        {"type": "integer", "minimum": 1, "maximum": 0},
        {"allOf": [{"const": 1}, {"const": 2}]},
    ):
        with pytest.raises(ConstraintError, match=r"the schema .* matches no string"):
            guide.json_schema(schema, BYTES)
    with pytest.raises(TypeError, match="a schema is a dict, a bool, or their JSON text, not list"):
        guide.json_schema([], BYTES)


# -------------------------------------------------------------------------------------------------------- pydantic


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: Annotated[int, Field(ge=0, le=9)]


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Everything(BaseModel):
    """A model of all that is regular."""

    n: int
    text: Annotated[str, Field(min_length=1, max_length=8, pattern="^[a-zé]*$")]
    ratio: Annotated[float, Field(gt=0, lt=1.5)]
    flag: bool
    nothing: None
    maybe: Optional[int] = None  # noqa: UP045
    either: Union[int, str, Colour]  # noqa: UP007
    colour: Colour = Colour.RED
    day: date
    uid: UUID
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]]
    table: dict[str, list[int]]
    point: tuple[int, float]
    fixed: Literal["a", 1, None]


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_pydantic_models_validate_what_is_generated(seed):
    adapter, node = EVERYTHING
    made = sample(node, randomness.Random(seed), length=2_000)
    if made is not None:
        adapter.validate_json(made)


EVERYTHING = TypeAdapter(Everything), language(Everything.model_json_schema())


def test_pydantic_models_are_accepted_as_they_are_dumped():
    value = Everything(
        n=1,
        text="é",
        ratio=0.25,
        flag=True,
        nothing=None,
        either=Colour.BLUE,
        day=date(2024, 2, 29),
        uid=UUID(int=7),
        pets=[Cat(lives=9), Dog(kind="dog", name='"')],
        table={"x": [1], "": []},
        point=(1, -2.5),
        fixed=1,
    )
    assert accepts(EVERYTHING[1], value.model_dump_json())
    for python_type in (datetime, time, Decimal, UUID, tuple[int, ...], dict[str, Cat], Cat | None):
        assert language(TypeAdapter(python_type).json_schema()) is not VOID


# ------------------------------------------------------------------------------------------------- schemas in the wild

DATA = Path(os.environ.get("OUTLINES_CONT_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))
WILD = DATA / "schemas" / "maskbench_dev.jsonl"


@pytest.mark.skipif(not WILD.exists(), reason=f"no schemas at {WILD}; set OUTLINES_CONT_DATA")
def test_no_invalid_instance_of_a_real_schema_is_accepted():
    compiled, accepted, valid_ones = 0, 0, 0
    for line in WILD.read_text().splitlines():
        case = json.loads(line)
        try:
            node = language(case["schema"])
        except ConstraintError:
            continue
        compiled += 1
        for instance in case["invalid"]:
            assert not accepts(node, compact(instance)), case["id"]
        valid_ones += len(case["valid"])
        accepted += sum(accepts(node, compact(instance)) for instance in case["valid"])
        made = sample(node, randomness.Random(compiled), length=3_000)
        if (
            made is not None and "$ref" not in line
        ):  # (what `jsonschema` makes of old drafts' references is another matter)
            schema = {k: v for k, v in case["schema"].items() if k not in ("$schema", "id", "$id")}
            assert jsonschema.validators.validator_for(case["schema"])(schema).is_valid(json.loads(made)), case["id"]
    assert compiled >= 200
    assert accepted >= 0.9 * valid_ones  # the others have undeclared keys, or another order
