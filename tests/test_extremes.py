"""Constraints that are huge, deep or no constraints at all: they work, or are refused by name, and soon."""

import json
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, random_schema, walk
from test_numerals import Accepts

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine import tables
from outlines_cont.fsm.engine.layout import COUNT, STATES
from outlines_cont.fsm.json_schema.numerals import equal, some_numbers
from outlines_cont.fsm.json_schema.values_and_keywords import KEYWORDS
from outlines_cont.fsm.language.nodes import alt
from outlines_cont.fsm.partial_json import loads


def within_itself() -> dict:
    schema: dict = {"type": "object"}
    schema["properties"] = {"a": schema}
    return schema


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({1: 2}, "at #: the key 1 is no string"),
        ({"properties": {None: {}}}, "at #/properties: the key None is no string"),
        ({"$id": 5}, "at #/[$]id: must be a string, not 5"),
        ({"$anchor": []}, r"at #/[$]anchor: must be a string, not \[\]"),
        ({"$defs": 5}, "at #/[$]defs: must be an object"),
        ({"required": ["\ud800"]}, "at #/required/0: .*lone surrogate"),
        ({"properties": {"\ud800": {}}}, "at #/properties: .*lone surrogate"),
        ('{"enum": ["\\ud800"]}', "at #/enum/0: .*lone surrogate"),
        ({"enum": [{1, 2}]}, "at #/enum/0: set is no JSON type"),
        ({"const": b"x"}, "at #/const: bytes is no JSON type"),
        ({("a",): 1}, r"at #: the key \('a',\) is no string"),
        ({"const": float("nan")}, "at #/const: nan is no JSON number"),
        ({"minLength": 10**400}, "at #/minLength: "),
        ('{"minimum": 1' + 5_000 * "0" + "}", "at most 400 digits"),
        ({"const": 10**5_000}, "at #/const: numbers have at most 400 digits"),
        ({"const": loads("[" * 40 + "]" * 40)}, "at #/const: values nested more than 32 levels deep"),
        (within_itself(), "nested too deeply, or within itself"),
    ],
    ids=lambda x: None if isinstance(x, str) and len(x) < 100 else "schema",
)
def test_what_is_no_schema_is_refused_with_its_place(schema, problem):
    with pytest.raises(ConstraintError, match=problem):
        guide.json_schema(schema, BYTES, spelling="any")


odd_values = st.recursive(
    st.sampled_from([None, True, -1, 0, 2, 1.5, 10**30, "", "a", "#", "[", "^a$", "\ud800", float("inf"), b"x", 3j]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "type", 1]), inner, max_size=2),
    max_leaves=3,
)


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    changes=st.dictionaries(st.sampled_from(sorted(KEYWORDS)), odd_values, min_size=1, max_size=2),
    spelling=st.sampled_from(["plain", "any"]),
    extra=st.sampled_from(["forbid", "schema"]),
)
def test_a_schema_with_anything_for_a_keyword_works_or_is_refused(seed, changes, spelling, extra):
    begun = random_schema(Random(seed), 2)
    schema = {**(begun if isinstance(begun, dict) else {}), **changes}
    try:
        g = guide.json_schema(schema, BYTES, spelling=spelling, extra=extra)
    except ConstraintError as error:
        assert str(error)
        return
    assert g.mask(g.initial).any()


def nested(levels: int, keyword: str) -> dict:
    schema: dict = {"type": "integer"}
    for _ in range(levels):
        part = [schema] if keyword.endswith("Of") else {"a": schema} if keyword == "properties" else schema
        schema = {keyword: part}
    return schema


@pytest.mark.parametrize("keyword", ["items", "properties", "allOf", "anyOf", "oneOf", "not"])
@pytest.mark.parametrize("levels", [100, 300, 990, 5_000])
def test_deep_schemas_work_or_are_refused(keyword, levels):
    try:
        g = guide.json_schema(nested(levels, keyword), BYTES, spelling="any")
    except ConstraintError as error:
        assert levels > 100 and "nested too deeply" in str(error)
        return
    assert g.mask(g.initial).any()


@pytest.mark.parametrize("levels", [990, 20_000])
def test_deep_values_are_read(levels):
    text = "[" * levels + "]" * levels
    depth, value = 0, loads(text)
    while value:
        depth, value = depth + 1, value[0]
    assert depth == levels - 1
    partial = oc.types.partial(text[: levels + 3])
    assert isinstance(partial, list)
    with pytest.raises(json.JSONDecodeError):
        loads("[1,")


@pytest.mark.parametrize("length", [99, 3_000])
def test_a_chain_of_references_that_ends_is_followed(length):
    links = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(length)}
    g = guide.json_schema(
        {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": {"enum": [7, "x"]}}}, BYTES, spelling="any"
    )
    assert accepts(g, "7") and accepts(g, '"x"') and not accepts(g, "8")
    with pytest.raises(ConstraintError, match="leads back to itself"):
        guide.json_schema(
            {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": {"$ref": "#/$defs/d0"}}}, BYTES, spelling="any"
        )


@pytest.mark.parametrize("spelling", ["plain", "any"])
def test_long_lists_of_numbers(spelling):
    values = [7 * i - 10_000 for i in range(100_000)]
    g = guide.json_schema({"enum": values}, BYTES, spelling=spelling)
    for value in (*values[::9_999], values[-1]):
        assert accepts(g, str(value)) and not accepts(g, str(value + 1))
        assert accepts(g, f"{value}.0") == (spelling == "any")


few_numbers = st.lists(
    st.fractions(-200, 200, max_denominator=1).map(lambda x: x * Fraction(1, 8)) | st.sampled_from([0, 1200, -70, 1]),
    max_size=6,
).map(lambda xs: [Fraction(x) for x in xs])


@settings(max_examples=200, deadline=None)
@given(values=few_numbers, random=st.randoms(use_true_random=False))
def test_some_numbers_are_spelled_as_each_of_them_is(values, random):
    """L(some_numbers(values)) is the union of the L(equal(value)): on spellings of these and of their neighbours."""
    together, each = Accepts(some_numbers(values)), Accepts(alt(*map(equal, values)))
    for value in [*values, Fraction(3), *(x * 10 for x in values)]:
        for text in (f"{float(value)}", f"{float(value):.3e}", f"{float(value):g}", f"{value.numerator}", f"{-value}"):
            zeros = text + "0" * random.randint(0, 2) if "." in text and "e" not in text else text
            changed = list(zeros)
            changed[random.randrange(len(changed))] = random.choice("0123456789.eE+-")
            for spelled in (text, zeros, zeros.replace("e", "E"), "".join(changed), f"{zeros}e0", f"{zeros}e-01"):
                assert together(spelled) == each(spelled), spelled


def test_long_arrays_of_unique_numbers():
    """Each mask of a walk leads on, and the array ends valid."""
    g = guide.json_schema(
        {"type": "array", "uniqueItems": True, "items": {"enum": list(range(3_000))}}, BYTES, spelling="any"
    )
    random = Random(0)
    for _ in range(2):
        text = walk(g, random, 30)
        values = json.loads(text)
        assert len(set(values)) == len(values) and all(0 <= value < 3_000 for value in values)
    assert accepts(g, "[1,2,2999]") and not accepts(g, "[1,2,1]") and not accepts(g, "[3000]")


def test_long_chains_of_rules():
    units = "".join(f"r{i}: r{i + 1}\n" for i in range(2_000))
    g = guide.grammar(f'start: r0\n{units}r2000: "a"\n', BYTES)
    assert accepts(g, "a") and not accepts(g, "aa")
    corners = "".join(f'r{i}: r{i + 1} | r{i} "x{i}" r{i + 1}\n' for i in range(300))
    g = guide.grammar(f'start: r0\n{corners}r300: "a"\n', BYTES)
    assert accepts(g, "ax7a") and not accepts(g, "ax7")


@pytest.mark.parametrize(
    "text", ['start: start start start | "a" | ', 'start: s\ns: s s s | s s | "a" | "a" "a" | "b"']
)
def test_a_rule_that_calls_itself_three_times_is_in_as_many_places_as_the_text_is_long(text):
    g = guide.grammar(text, BYTES)
    assert accepts(g, "a" * 200) and not accepts(g, "a" * 200 + "c")
    assert g._automaton._table(STATES)[: len(g._automaton), COUNT].max() <= 8 * 200


@pytest.mark.parametrize(
    "text",
    [
        'start: "a" start t | "a" t start | "a" | \nt: "a" start start | "a" t t | "a"',
        'start: s\ns: "a" s t | "a" t s | "a" | "a" "a"\nt: "a" s s | "a" t t | "b" | "a"',
    ],
)
def test_an_ambiguous_grammar_is_refused_by_name_where_it_takes_too_much(text):
    g = guide.grammar(text, BYTES)
    token = BYTES.tokens.index(b"a")

    def go_on() -> None:
        state = g.initial
        for _ in range(100):
            state = g.advance(state, token)
            assert state is not None and np.any(g.mask(state))

    with pytest.raises(ConstraintError, match=r"places at once .*: is it ambiguous"):
        go_on()
    assert accepts(g, "aa")  # what was there is whole


@pytest.mark.parametrize(
    "error", [OSError(12, "Cannot allocate memory"), MemoryError()], ids=["OSError", "MemoryError"]
)
@pytest.mark.parametrize("largest", [0, 30_000])
def test_a_constraint_for_which_there_is_no_memory_is_refused_by_name(error, largest, monkeypatch):
    """It takes less where there is less; and goes on when there is memory again."""
    BYTES.cache.clear()  # a guide that was made before has its memory
    g = guide.grammar(f"root ::= {' '.join(['[ab]?'] * 100)} {'[ab]' * 200}", BYTES, syntax="gbnf")
    allocate = tables._untouched

    def limited(shape, kind, zeros=False):
        if shape[0] > largest:
            raise error
        return allocate(shape, kind, zeros)

    monkeypatch.setattr(tables, "_untouched", limited)
    with pytest.raises(ConstraintError, match="there is no memory for more"):
        accepts(g, "ab" * 110)
    monkeypatch.undo()
    assert accepts(g, "ab" * 110) and not accepts(g, "ab" * 99) and not accepts(g, "ab" * 151)
