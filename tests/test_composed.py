"""Languages within languages: types as parts of grammars, and texts of grammars in the strings of a schema."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Annotated, Any

import jsonschema
import pytest
from constraint_checks import vocabulary, walked
from guides import check_guide
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from strategies import shipped_model
from test_grammar import all_texts, oracle, parses

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary

LETTERS = 'ab"[1,]'
TOKENS = [b"<eos>", *(bytes([i]) for i in range(256)), b"ab", b'["', b'",', b'"]', b"]a", b"1,", b'\\"', b"(a"]
V = Vocabulary(TOKENS, eos=[0])
FEW = Vocabulary([b"<eos>", *(letter.encode() for letter in LETTERS), b"ab", b'"]'], eos=[0])
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])

#: Parts, each with a pattern of lark that matches the same texts (over LETTERS, as far as texts here are long).
PARTS: dict[str, tuple[Any, str]] = {
    "pattern": (lambda v: guide.regex("a|ab+", v), "/ab*/"),
    "maybe": (lambda v: guide.regex("a*", v), "/a+/"),  # which may be empty: lark's rule `p` says so
    "choice": (lambda v: guide.choice(["a", "ab", "1"], v), '"ab" | "a" | "1"'),
    "integers": (lambda v: guide.json_schema({"enum": [1, 11]}, v), '"11" | "1"'),
    "strings": (lambda v: guide.json_schema({"type": "string", "pattern": "^[ab]?$"}, v), r'/"[ab]?"/'),
    "array": (
        lambda v: guide.json_schema({"type": "array", "items": {"const": 1}, "maxItems": 2}, v),
        r'"[]" | "[1]" | "[1,1]"',
    ),
    "grammar": (lambda v: guide.grammar('start: "[" start "]" | "a" | "z"', v), '"a" | "[a]" | "[[a]]" | "[[[a]]]"'),
}
WAYS = [
    "start: P",
    'start: P start | "b"',
    'start: "[" start "]" | P',
    'start: start "," P | P',
    'start: P P? | "a" P',
    'start: (P | "b")+ "1"?',
    'start: pair{P} | "b"\npair{x}: x "," x',
    'start: P ("a" | P)*\n%ignore "b"',
]


@SLOW
@given(st.sampled_from(WAYS), st.sampled_from(sorted(PARTS)), st.booleans())
def test_a_part_of_a_grammar_is_a_terminal_with_its_texts(way: str, name: str, few: bool) -> None:
    """few: of a vocabulary that spells nothing but these letters."""
    (make, pattern), v = PARTS[name], FEW if few else V
    try:
        g = guide.grammar(f"{way}\n%declare P", v, parts={"P": make(v)})
    except ConstraintError as error:
        assert few and "nests without bound" in str(error)
        return
    parser = oracle(f"{way.replace('P', 'p')}\np: P{'?' if name == 'maybe' else ''}\nP: {pattern}")
    alphabet = sorted(set(LETTERS) & set(pattern + way + "a"))
    for text in all_texts("".join(alphabet), 4 if len(alphabet) < 6 else 3):
        state = g.advance_all(g.initial, [v.single_bytes[byte] for byte in text.encode()])
        assert (state is not None and g.accepting(state)) == parses(parser, text), text


@SLOW
@given(st.sampled_from(WAYS), st.sampled_from(sorted(PARTS)), st.randoms(use_true_random=False))
def test_grammars_with_parts_obey_the_laws_of_guides(way: str, name: str, r: Random) -> None:
    v = vocabulary(r)
    try:
        g = guide.grammar(f"{way}\n%declare P", v, parts={"P": PARTS[name][0](v)})
    except ConstraintError as error:  # of a vocabulary that lacks bytes
        assert len(v.single_bytes) < 256, error
        return
    check_guide(g, walks=2, steps=12, tokens=60, seed=r.randrange(2**30))


def test_parts_have_names_of_objects_that_come_once_and_brackets_that_close_around_them() -> None:
    objects = guide.json_schema({"type": "object", "additionalProperties": {"type": "integer"}}, V, extra="schema")
    for text, syntax in (('start: "(" start ")" | P (";" P)*\n%declare P', "lark"),):
        g = guide.grammar(text, V, syntax=syntax, parts={"P": objects})
        check_guide(g, ['(({"a":1,"b":2}))', '{"a":1};{"a":2}', "({})"])
        spell = [1 + byte for byte in b'({"a":1,"a']
        state: Any = g.advance_all(g.initial, spell)
        assert g.advance(state, 1 + ord('"')) is None, "a name that is there"
        assert g.advance_all(state, [1 + ord("b"), 1 + ord('"')]) is not None
    bracketed = guide.grammar('root ::= "<" root ">" | call', V, syntax="gbnf", parts={"call": objects})
    check_guide(bracketed, ["<<{}>>"])
    nested = guide.grammar('start: "x" start "y" | P\n%declare P', V, parts={"P": bracketed})
    check_guide(nested, ["xx<{}>yy"])
    assert nested.endless([nested.initial])


@pytest.mark.parametrize(
    ("text", "syntax", "parts", "message"),
    [
        ("start: P\n%declare P", "lark", {}, r"terminal P is declared only \(line 2\).*parts=\{'P': …\}"),
        ('start: P\nP: "a"', "lark", {"P": "a"}, "the grammar defines P itself"),
        ('start: "a"', "lark", {"P": "a"}, "does not use P: declare it, %declare NAME"),
        ('root ::= "a"', "gbnf", {"p": "a"}, "does not use p: write its name"),
        ("root ::= p", "gbnf", {}, "the rule 'p' is not defined"),
        ('root ::= p\np ::= "a"', "gbnf", {"p": "a"}, "the grammar defines p itself"),
        ("start: P\n%declare P\n%ignore /(?m:^#)/", "lark", {"P": "a"}, "not supported beside parts"),
    ],
)
def test_parts_that_a_grammar_has_no_place_for_are_refused(text: str, syntax: Any, parts: Any, message: str) -> None:
    given = {name: guide.regex(pattern, V) for name, pattern in parts.items()}
    with pytest.raises(ConstraintError, match=message):
        guide.grammar(text, V, syntax=syntax, parts=given)


def test_what_is_no_part_is_refused_by_name() -> None:
    text, unique = "start: P\n%declare P", guide.json_schema({"uniqueItems": True}, V)
    with pytest.raises(ConstraintError, match="'uniqueItems' is not supported in a part"):
        guide.grammar(text, V, parts={"P": unique})
    with pytest.raises(ValueError, match="is a guide of another vocabulary"):
        guide.grammar(text, V, parts={"P": guide.regex("a", Vocabulary([b"<eos>", b"a"], eos=[0]))})
    with pytest.raises(TypeError, match=r"parts=\{'P': …\} is a guide of outlines_cont.fsm.guide, not 'a'"):
        guide.grammar(text, V, parts={"P": "a"})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="is a type; guides go together by the functions"):
        oc.types.cfg(text, parts={"P": guide.regex("a", V)})
    with pytest.raises(TypeError, match="takes parts="):
        oc.types.cfg(text, parts=[int])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="by='sequence' is for a choice by itself"):
        oc.types.cfg(text, parts={"P": oc.types.choice(["a"], by="sequence")})


# ------------------------------------------------------------------------------------------- generators with parts


class Weather(BaseModel):
    city: str
    days: int


CALLS = 'start: "weather(" CALL ")" ("; weather(" CALL ")")?\n%declare CALL'


def test_a_type_with_parts_writes_them_is_saved_and_goes_on() -> None:
    model = shipped_model()
    calls = oc.types.cfg(CALLS, parts={"CALL": Weather})
    same = oc.types.cfg(CALLS, parts={"CALL": Weather})
    assert (calls == same, hash(calls) == hash(same)) == (True, True)
    assert calls != oc.types.cfg(CALLS, parts={"CALL": int})
    step = oc.continuous(oc.Generator(model, calls, oc.samplers.multinomial(samples=3)), name="calls")
    whole = step("How will it be? ", seed=2, max_tokens=80)
    for value, finished in zip(whole.captures["calls"][0], whole.finished[0], strict=True):
        if finished == "stop":
            first = value[0].split("; ")[0].removeprefix("weather(").removesuffix(")")
            assert Weather.model_validate_json(first)
    assert "stop" in whole.finished[0]
    cut = oc.storage.from_bytes(oc.storage.to_bytes(whole[..., :-4]), model)
    assert step.resume(cut, seed=2, max_tokens=80) == step.resume(whole[..., :-4], seed=2, max_tokens=80)


# ------------------------------------------------------------------------------------------ grammars within schemas

BRACKETS = r'start: "(" start ")" | X' + "\n" + r'X: /["\\\n]|é/'


def brackets(text: str) -> bool:
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return text in ('"', "\\", "\n", "é")


@pytest.mark.parametrize("spelling", ["plain", "any"])
@pytest.mark.parametrize(
    "grammar",
    [{"grammar": BRACKETS}, {"grammar": r'root ::= "(" root ")" | ["\\\n] | "é"', "syntax": "gbnf"}],
    ids=["lark", "gbnf"],
)
def test_a_string_of_a_schema_holds_a_text_of_a_grammar(grammar: Any, spelling: str) -> None:
    g = guide.json_schema({"type": "object", "properties": {"q": {"x-grammar": grammar}}}, V, spelling=spelling)
    for size in range(5):
        for letters in product('()"\\\né', repeat=size):
            text = json.dumps({"q": "".join(letters)}, ensure_ascii=False, separators=(",", ":"))
            state = g.advance_all(g.initial, [1 + byte for byte in text.encode()])
            assert (state is not None and g.accepting(state)) == brackets("".join(letters)), text
    check_guide(g, ['{"q":"((\\"))"}', '{"q":"(\\n)"}'], walks=4)
    escaped = g.advance_all(g.initial, [1 + byte for byte in rb'{"q":"\u00e9"}'])
    assert (escaped is not None) == (spelling == "any")


@SLOW
@given(st.randoms(use_true_random=False))
def test_schemas_with_grammars_obey_the_laws_and_give_what_they_say(r: Random) -> None:
    text = r.choice([BRACKETS, 'start: ("a" | "b\\n")~1..3', 'start: start "+" start | "1"'])
    held: dict[str, Any] = {"type": "string", "x-grammar": {"grammar": text}}
    held |= r.choice([{}, {"maxLength": r.randrange(1, 6)}, {"minLength": 1}])
    schema = r.choice(
        [
            held,
            {"type": "array", "items": held, "maxItems": 2},
            {"type": "object", "properties": {"q": held}, "required": ["q"]},
            {"anyOf": [held, {"type": "integer"}]},
            {"type": "object", "propertyNames": held, "additionalProperties": {"const": 1}, "maxProperties": 2},
        ]
    )
    v = vocabulary(r)
    try:
        g = guide.json_schema(schema, v, spelling=r.choice(["plain", "any"]), extra=r.choice(["forbid", "schema"]))
    except ConstraintError as error:
        assert len(v.single_bytes) < 256 or "no name" in str(error) or "matches no string" in str(error), error
        return
    check_guide(g, walks=1, steps=12, tokens=60, seed=r.randrange(2**30))
    written = walked(g, r, Counter())
    if written is not None:
        value = json.loads(written)
        jsonschema.validate(value, schema)  # which does not read x-grammar
        inside = list(value.values()) if isinstance(value, dict) and "q" in value else value
        texts = list(inside) if isinstance(inside, list | dict) else [inside]
        assert all(parses(oracle(text), each) for each in texts if isinstance(each, str)), (schema, value)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"x-grammar": "start: A"}, r'at #/x-grammar: must be \{"grammar": "…", "syntax": "lark"\}'),
        ({"x-grammar": {"grammar": "start: A"}}, "at #/x-grammar: the grammar is refused by lark"),
        ({"x-grammar": {"grammar": "root ::= x", "syntax": "gbnf"}}, "rule 'x' is not defined"),
        ({"x-grammar": {"grammar": 'start: "a"'}, "pattern": "a"}, "'x-grammar' together with 'pattern'"),
        (
            {"not": {"x-grammar": {"grammar": 'start: "a"'}}},
            "'x-grammar' together with 'pattern', another 'format', 'not'",
        ),
    ],
)
def test_what_a_grammar_in_a_schema_cannot_hold_with_is_refused(schema: Any, message: str) -> None:
    with pytest.raises(ConstraintError, match=message):
        guide.json_schema({"type": "string", **schema}, V)


class Query(BaseModel):
    sql: Annotated[str, oc.types.cfg('start: "select " NAME (", " NAME)*\nNAME: "a" | "\\"b\\""')]
    limit: int


def test_a_field_of_pydantic_holds_a_text_of_a_grammar() -> None:
    query = oc.Generator(shipped_model(), Query, oc.samplers.multinomial(samples=4))
    for value in query("JSON: ", seed=0, max_tokens=120):
        assert value.sql.removeprefix("select ").replace(", ", "").replace('"b"', "a").strip("a") == ""
    assert Query(sql='select a, "b"', limit=1).sql == 'select a, "b"'
    with pytest.raises(ValidationError, match="'select c' is none of"):
        Query(sql="select c", limit=1)
    with pytest.raises(TypeError):
        oc.Generator(shipped_model(), Annotated[int, oc.types.cfg('start: "1"')])
    with pytest.raises(TypeError):
        oc.Generator(shipped_model(), Annotated[str, oc.types.regex("1")])
