"""The format `regex`: texts that are regular expressions for ECMA-262 and for Python."""

import json
import re
import shutil
import subprocess
import warnings
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, allowed, walk

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.guide import FINAL
from outlines_cont.fsm.json_schema.strings import accepts as has_text
from outlines_cont.fsm.patterns.pattern_texts import DEEPEST, MOST, pattern_texts

SCHEMA = {"type": "string", "format": "regex"}
SYNTAX = "^$\\.*+?()[]{}|"


def compiles(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # about what `||` may mean one day
        try:
            re.compile(text)
        except (re.error, OverflowError):
            return False
    return True


# --------------------------------------------------------------------------------- expressions of the subset, at random

literals = st.characters(exclude_categories=["Cs"]).filter(lambda c: c not in SYNTAX)
short = st.sampled_from("abz09_ -~é€😀")
codes = st.one_of(
    st.integers(0, 255).map(lambda n: (n, rf"\x{n:02x}")),
    st.integers(0, 0xD7FF).map(lambda n: (n, rf"\u{n:04X}")),
    st.integers(0xE000, 0xFFFF).map(lambda n: (n, rf"\u{n:04x}")),
)
escapes = st.sampled_from([rf"\{c}" for c in SYNTAX + "/dDwWsSfnrtv"]) | codes.map(lambda code: code[1])
plain = st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="\\]-[^").map(lambda c: (ord(c), c))
starts = plain | st.sampled_from(SYNTAX).map(lambda c: (ord(c), f"\\{c}")) | codes
ends = starts | st.characters(min_codepoint=0x80, max_codepoint=0xFFFF, exclude_categories=["Cs"]).map(
    lambda c: (ord(c), c)
)


@st.composite
def items(draw):
    if draw(st.booleans()):
        (low, first), (high, last) = draw(starts), draw(ends)
        if low <= high:
            return f"{first}-{last}"
    escaped = st.sampled_from([rf"\{c}" for c in "dWs-/]^"])
    single = literals.filter(lambda c: c not in "-^") | escaped
    return draw(single)


@st.composite
def classes(draw):
    inside = draw(st.lists(items(), max_size=4))
    if inside and draw(st.booleans()):
        inside.insert(draw(st.integers(1, len(inside))), "^")
    dashes = draw(st.sampled_from([("", ""), ("-", ""), ("", "-"), ("-", "-")]))
    body = dashes[0] + "".join(inside) + (dashes[1] if inside or not dashes[0] else "")
    return f"[{draw(st.sampled_from(['', '^']))}{body or 'a'}]"


@st.composite
def quantifiers(draw):
    low = draw(st.integers(0, MOST))
    high = draw(st.integers(low, MOST))
    counted = [f"{{{low}}}", f"{{{low},}}", f"{{{low},{high}}}"]
    return draw(st.sampled_from(["", "", "*", "+", "?", *counted])) + draw(st.sampled_from(["", "?"]))


def quantified(atom, quantifier):
    return atom + (quantifier if quantifier != "?" or atom else "")


atoms = literals | short | escapes | classes() | st.just(".")
terms = st.builds(quantified, atoms, quantifiers()) | st.sampled_from(["^", "$", r"\b", r"\B", "|"])


def groups(inner):
    whole = st.lists(inner, max_size=3).map("".join)
    grouped = st.builds(lambda opening, text: f"{opening}{text})", st.sampled_from(["(", "(?:"]), whole)
    looking = st.builds(lambda opening, text: f"{opening}{text})", st.sampled_from(["(?=", "(?!"]), whole)
    return st.builds(quantified, grouped, quantifiers()) | looking


expressions = st.lists(st.recursive(terms, groups, max_leaves=8), max_size=5).map("".join)


@settings(max_examples=200, deadline=None)
@given(text=expressions)
@example("(" * DEEPEST + ")*" * DEEPEST)
@example(r"[\u4e00-\u9fa5][\x00-\x7F]{1000}")
@example("")
def test_every_expression_of_the_subset_is_accepted(text):
    assert compiles(text)
    assert accepts(guide.json_schema(SCHEMA, BYTES, spelling="any"), json.dumps(text, ensure_ascii=False)), text
    assert has_text(pattern_texts(), text)


@settings(max_examples=200, deadline=None)
@given(text=expressions, data=st.data())
def test_whatever_is_accepted_compiles(text, data):
    """Expressions that something was done to: a character taken out, put in, put elsewhere."""
    for _ in range(data.draw(st.integers(1, 3))):
        i, j = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        middle = data.draw(st.sampled_from([text[j : j + 1], text[i:j][::-1], *SYNTAX, "-", ",", "9", r"\1", "(?<"]))
        text = text[:i] + middle + text[j:]
    if not any("\ud800" <= c <= "\udfff" for c in text) and has_text(pattern_texts(), text):
        assert compiles(text), text


def written(count, steps):
    g = guide.json_schema(SCHEMA, BYTES, spelling="any")
    texts = (walk(g, Random(seed), steps=steps) for seed in range(count))
    return [json.loads(text) for text in texts if text is not None]


def written_in_depth(count):
    """Texts in which parentheses, brackets, braces and backslashes come often."""
    g, texts = guide.json_schema(SCHEMA, BYTES, spelling="any"), []
    tokens = g.vocabulary.tokens
    for seed in range(count):
        r, state, data = Random(seed), g.initial, b""
        while state != FINAL and len(data) < 2000:
            options = allowed(g, state)
            closing = [t for t in options if tokens[t] in (b'"', b"<eos>", b")", b"]", b"}")]
            liked = [t for t in options if len(tokens[t]) == 1 and tokens[t] in b"([{\\-?,ux|=!^0123456789"]
            if data.endswith((b"(", b"(?")) and len(data) < 60:
                liked = [t for t in options if tokens[t] in (b"?", b"=", b"!", b":")]
            by_length = closing if len(data) > 60 else liked
            token = r.choice(by_length if by_length and r.random() < 0.7 else options)
            state, data = g.advance(state, token), data + (tokens[token] if token else b"")
        if state == FINAL:
            texts.append(json.loads(data))
    return texts


def test_whatever_is_written_compiles():
    texts = written(200, 30) + written_in_depth(200)
    assert len(texts) > 300
    for sign in ("(?=", "[^", "{", "\\u", "-"):
        assert any(sign in text for text in texts), sign
    for text in texts:
        assert compiles(text), text


@pytest.mark.skipif(shutil.which("node") is None, reason="no reader of ECMA-262 at hand")
def test_ecma_262_reads_whatever_is_written_with_and_without_its_flag():
    texts = written(200, 30) + written_in_depth(300)
    script = """
        const texts = JSON.parse(require('fs').readFileSync(0)), refused = []
        for (const text of texts) for (const flags of ['', 'u'])
            try { new RegExp(text, flags) } catch (error) { refused.push([text, flags, error.message]) }
        console.log(JSON.stringify(refused))"""
    done = subprocess.run(["node", "-e", script], input=json.dumps(texts), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "(",
            ")",
            "(?",
            "(?)",
            "?",
            "*",
            "a**",
            "a*+",
            "^*",
            "$?",
            r"\b+",
            "(?=a)*",
            "(?!a){2}",
            "]",
            "}",
            "{",
            "a{",
            "a{1",
        ),
        *("a{,3}", "a{3,2}", "a{10,9}", "a{100,99}", "a{1000,999}", "a{1001}", "a{01}", "a{1,02}", "a{2}{3}", "a{ 1}"),
        *(
            "[",
            "[]",
            "[]a]",
            "[^]",
            "[z-a]",
            r"[\x7f-\x00]",
            r"[\u9fa5-\u4e00]",
            "[😀-a]",
            "[a-😀]",
            "[!--]",
            "[--]",
            "[[]",
        ),
        *(r"[\d-z]", r"[a-\d]", r"[\b]", r"[\u00ff-\xfe]"),
        *(r"\1", r"\k<a>", "(?<a>b)", "(?P<a>b)", "(?<=a)", "(?<!a)", "(?i)a", "(?i:a)", "(?>a)", "(?#a)"),
        *(r"\p{L}", r"\u{41}", r"\ud800", r"\a", r"\A", r"\Z", r"\0", r"\cA", r"\-", r"\ ", r"\x4", r"\u00e", "\\"),
        "(" * (DEEPEST + 1) + ")" * (DEEPEST + 1),
    ],
)
def test_what_is_no_expression_or_lies_outside_the_subset_is_not_written(text):
    assert not has_text(pattern_texts(), text)


def test_counts_are_in_order():
    for low in (0, 1, 9, 10, 99, 100, 101, 509, 999, 1000):
        for high in (0, 1, 8, 9, 10, 11, 98, 99, 100, 110, 508, 509, 510, 999, 1000, 1001):
            assert has_text(pattern_texts(), f"a{{{low},{high}}}") == (low <= high <= MOST)


@settings(max_examples=300, deadline=None)
@given(low=st.integers(0, 0xFFFF), high=st.integers(0, 0xFFFF), data=st.data())
def test_ranges_are_in_order(low, high, data):
    if data.draw(st.booleans()):
        low, high = low & 0xFF, data.draw(st.sampled_from([high & 0xFF, low & 0xFF, (low & 0xFF) + 1]))

    def spelled(code):
        return rf"\x{code:02X}" if code < 256 and data.draw(st.booleans()) else rf"\u{code:04x}"

    text = f"[{spelled(low)}-{spelled(high)}]"
    surrogates = any(0xD800 <= code <= 0xDFFF for code in (low, high))
    assert has_text(pattern_texts(), text) == (low <= high and not surrogates)


@settings(max_examples=100, deadline=None)
@given(text=expressions, most=st.integers(0, 12), least=st.integers(0, 1))
def test_lengths_count_characters(text, most, least):
    g = guide.json_schema({**SCHEMA, "maxLength": most, "minLength": min(least, most)}, BYTES, spelling="any")
    assert accepts(g, json.dumps(text, ensure_ascii=False)) == (min(least, most) <= len(text) <= most)


def test_short_expressions_come_to_an_end():
    g = guide.json_schema({**SCHEMA, "maxLength": 7, "not": {"enum": ["a", "(a)"]}}, BYTES, spelling="any")
    texts = [json.loads(text) for seed in range(100) if (text := walk(g, Random(seed), steps=8))]
    assert len(texts) > 80
    assert all(len(text) <= 7 and compiles(text) and text not in ("a", "(a)") for text in texts)
    assert accepts(g, '"(b)"') and not accepts(g, '"(a)"') and not accepts(g, '"a"')


@pytest.mark.parametrize("beside", [{"pattern": "a"}, {"minLength": 2}, {"allOf": [{"format": "uri"}]}])
def test_what_restricts_expressions_as_well_is_refused_by_name(beside):
    with pytest.raises(ConstraintError, match="the format 'regex' together with"):
        guide.json_schema({**SCHEMA, **beside}, BYTES, spelling="any")
    with pytest.raises(ConstraintError, match="the format 'regex' together with"):
        guide.json_schema({"type": "string", "not": {"format": "regex"}}, BYTES, spelling="any")


def test_names_of_properties_may_be_expressions():
    schema = {"type": "object", "propertyNames": {"format": "regex"}, "additionalProperties": {"type": "integer"}}
    g = guide.json_schema(schema, BYTES, spelling="any")
    assert accepts(g, '{"^a+$":1,"(b)":2}') and not accepts(g, '{"^a+$":1,"(b":2}')
    assert not accepts(g, '{"^a+$":1,"^a+$":2}')


def test_values_of_enum_may_be_expressions():
    g = guide.json_schema({"enum": ["a+", "a(", r"\d"], "format": "regex"}, BYTES, spelling="any")
    assert [accepts(g, json.dumps(text)) for text in ("a+", "a(", r"\d")] == [True, False, True]


def test_listed_texts_may_have_to_fit_more_besides():
    g = guide.json_schema(
        {"enum": ["a", "(a", "b"], "allOf": [{"format": "regex"}, {"pattern": "a"}]}, BYTES, spelling="any"
    )
    assert [accepts(g, text) for text in ('"a"', '"(a"', '"b"')] == [True, False, False]
    negated = {"enum": ["a", "(a", "b"], "not": {"format": "regex"}, "pattern": "a"}
    g = guide.json_schema(negated, BYTES, spelling="any")
    assert [accepts(g, text) for text in ('"a"', '"(a"', '"b"')] == [False, True, False]


def test_texts_left_out_leave_no_dead_end_at_the_greatest_length():
    short = {"type": "string", "format": "regex", "maxLength": 2}
    left_out = guide.json_schema({**short, "not": {"enum": ['""', "a", ""]}}, BYTES, spelling="any")
    assert accepts(left_out, json.dumps('"')) and accepts(left_out, json.dumps('"a'))
    assert not accepts(left_out, json.dumps('""')) and not accepts(left_out, json.dumps("a"))
    g = guide.json_schema({"items": short, "minItems": 4, "uniqueItems": True}, BYTES, spelling="any")
    written = json.dumps(["", '"', '""', '"'], separators=(",", ":")).encode()[:-2]  # and no quote may follow
    state = g.advance_all(g.initial, [1 + byte for byte in written])
    assert state is not None
    assert g.advance_all(state, [1 + byte for byte in rb"\""]) is None
    assert g.advance_all(state, [1 + byte for byte in b'a"]']) is not None
