"""Finite automata of `interegular`, in and out: the same language both ways, and algebra over them, then generation.

Oracles: `re.fullmatch`, interegular's own algebra, and products of automata over bytes.
"""

from __future__ import annotations

import json
import operator
import re
from collections import deque
from pathlib import Path
from typing import Any

import interegular
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interegular.fsm import FSM, Alphabet, anything_else
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.fsm.patterns.character_machines import language, listing
from outlines_cont.fsm.vocabulary import Vocabulary

BYTES = Vocabulary([b"<eos>", *(bytes([byte]) for byte in range(256))], eos=[0])
MOST = 5000

# What interegular and `re` read alike: no classes of Unicode, no anchors.
atoms = st.sampled_from(["a", "b", "c", "0", "-", "é", "[ab]", "[^b]", "[a-cé]", ".", "\U0001f600"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda xs: f"({'|'.join(xs)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}"])).map(lambda p: f"({p[0]}){p[1]}"),
    ),
    max_leaves=5,
)
TEXTS = st.lists(st.text("abc0-é\n\U0001f600x", max_size=5), min_size=6, max_size=6)
#: What only `re` and we read.
HARDER = [
    r"\w+",
    r"\d{1,2}",
    r"(?i)straße|K",
    r"(?!ab)[a-c]*",
    r"[^\x00-\x7f]",
    r"(?s).*",
    r"\bab\b c",
    r"a?",
    "é|😀|\uffff",
]


def machine_of(pattern: str) -> FSM:
    return interegular.parse_pattern(pattern).to_fsm()


def accepts(g: AutomatonGuide, text: str) -> bool:
    state: int | None = g.initial
    for byte in text.encode():
        state = None if state is None else g.advance(state, 1 + byte)
    return state is not None and g.accepting(state)


def same_language(one: AutomatonGuide, other: AutomatonGuide) -> bool:
    """Whether two guides over bytes allow the same: every pair of states that equal texts lead to."""
    left, right = one.table(MOST), other.table(MOST)
    assert left is not None and right is not None
    todo, seen = deque([(0, 0)]), {(0, 0)}
    while todo:
        a, b = todo.popleft()
        if (left.ends[a] & 2) != (right.ends[b] & 2) or ((left.next[a] < 0) != (right.next[b] < 0)).any():
            return False
        for pair in {(int(x), int(y)) for x, y in zip(left.next[a], right.next[b], strict=True) if x >= 0}:
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return True


@settings(max_examples=150)
@given(pattern=patterns, texts=TEXTS)
def test_a_guide_and_its_automaton_are_one_language(pattern: str, texts: list[str]) -> None:
    regex = guide.regex(pattern, BYTES)
    machine = regex.to_interegular(MOST)
    for text in texts:
        assert machine.accepts(text) == bool(re.fullmatch(pattern, text)), text
    assert same_language(regex, guide.fsm(machine, BYTES))


@pytest.mark.parametrize("pattern", HARDER)
def test_so_are_those_that_interegular_does_not_read(pattern: str) -> None:
    regex = guide.regex(pattern, BYTES)
    machine = regex.to_interegular(MOST)
    for text in [
        "",
        "a",
        "ab",
        "abc",
        "ab c",
        "é",
        "😀",
        "\uffff",
        "٣",
        "12",
        "STRASSE",
        "strAẞe",
        "straße",
        "\u212a",
        "k",
    ]:
        assert machine.accepts(text) == bool(re.fullmatch(pattern, text)), text
    assert same_language(regex, guide.fsm(machine, BYTES))


@settings(max_examples=150)
@given(pattern=patterns, texts=TEXTS)
def test_an_automaton_of_interegular_and_its_guide_are_one_language(pattern: str, texts: list[str]) -> None:
    machine = machine_of(pattern)
    g = guide.fsm(machine, BYTES)
    assert [accepts(g, text) for text in texts] == [machine.accepts(text) for text in texts]
    again = g.to_interegular(MOST)
    assert again.equivalent(machine)
    assert listing(again) == listing(g.to_interegular(MOST))


ALGEBRA = {
    "&": (operator.and_, lambda a, b: a and b),
    "|": (operator.or_, lambda a, b: a or b),
    "-": (operator.sub, lambda a, b: a and not b),
    "^": (operator.xor, lambda a, b: a != b),
}


@settings(max_examples=100)
@given(one=patterns, other=patterns, sign=st.sampled_from([*ALGEBRA]), texts=TEXTS)
def test_algebra_over_automata_is_that_of_their_texts(one: str, other: str, sign: str, texts: list[str]) -> None:
    combine, of_verdicts = ALGEBRA[sign]
    machine = combine(*(guide.regex(pattern, BYTES).to_interegular(MOST) for pattern in (one, other)))
    if machine.empty():
        with pytest.raises(oc.errors.ConstraintError, match="matches no string"):
            guide.fsm(machine, BYTES)
        return
    g = guide.fsm(machine, BYTES)
    for text in texts:
        verdicts = (bool(re.fullmatch(pattern, text)) for pattern in (one, other))
        assert accepts(g, text) == of_verdicts(*verdicts), text
    # and as their automata of the same patterns say
    assert machine.equivalent(combine(machine_of(one), machine_of(other)))


@settings(max_examples=25)
@given(data=st.data())
def test_what_is_generated_is_accepted(data: st.DataObject) -> None:
    model = shipped_model()
    one, other = (
        data.draw(st.sampled_from(["[a-z]{1,6}", ".*[aeiou]", "(?:Rome|Paris|x)", "[^e]*"])) for _ in range(2)
    )
    sign = data.draw(st.sampled_from([*ALGEBRA]))
    machine = ALGEBRA[sign][0](*(guide.regex(pattern, BYTES).to_interegular() for pattern in (one, other)))
    if machine.empty():
        return
    three = oc.samplers.multinomial(samples=3, top_k=20)
    state = oc.continuous(oc.generate.fsm(model, machine, three), name="it")(
        "Once ", 12, seed=data.draw(st.integers(0, 9))
    )
    for values in state.captures["it"][0]:
        for value in values:
            assert machine.accepts(value)
            assert ALGEBRA[sign][1](*(bool(re.fullmatch(pattern, value)) for pattern in (one, other)))


def test_a_generator_takes_an_automaton_wherever_it_takes_a_type(tmp_path: Path) -> None:
    model, greedy = shipped_model(), oc.samplers.greedy()
    machine = machine_of("Rome|Paris|Lima") - machine_of("Paris")
    city = oc.generate.fsm(model, machine, greedy)
    assert city == oc.Generator(model, machine, greedy) == oc.generate.format(model, machine, greedy)
    assert city == oc.generate.fsm(model, machine_of("Lima|Rome") & machine_of("[A-Z].*"), greedy), "equal automata"
    assert city("The capital of Italy is ") == "Rome" and repr(city) == "Generator(fsm, Greedy())"
    # a state that was saved is gone on with under the same automaton
    year = oc.continuous(oc.generate.fsm(model, machine_of("[0-9]{4}") - machine_of("1.*"), greedy), name="year")
    state = year("Mira came to town in ")
    state[..., :-1].save(tmp_path / "state")
    cut = oc.load_state(tmp_path / "state", model)
    assert year.resume(cut) == state
    assert cut.rows[0][0].pieces[-1].origin.constraint.guide.name == "the FSM of 5 states"


@pytest.mark.parametrize(
    "argument",
    [
        [],
        [[True]],
        [[1, []]],
        [[True, [[[[97, 98]], 1]]]],
        [[True, [[[[98, 97]], 0]]]],
        [[True, [[[[97, 2000000]], 0]]]],
    ],
)
def test_a_file_with_another_automaton_is_corrupt(argument: Any) -> None:
    from outlines_cont.state.constraint import Constraint

    spec = json.dumps({"kind": "fsm", "argument": argument, "options": {}})
    with pytest.raises(oc.errors.CorruptStateError, match=r"state\.safetensors: ValueError"):
        Constraint.of(spec, BYTES, "state.safetensors").guide  # noqa: B018
    with pytest.raises(ValueError):
        language(argument)


def test_states_that_reach_no_end_and_symbols_that_are_no_characters() -> None:
    alphabet = Alphabet({"a": 0, "b": 1, "\ud800": 1, anything_else: 2})
    # from state "sink" nothing comes back; a lone surrogate is no character
    rows = {"start": {0: "end", 1: "end", 2: "sink"}, "sink": {0: "sink", 1: "sink", 2: "sink"}}
    machine: Any = FSM(alphabet, {"start", "sink", "end"}, "start", {"end"}, rows)  # type: ignore[arg-type]
    assert listing(machine) == [[False, [[[[97, 98]], 1]]], [True, []]]
    assert [accepts(guide.fsm(machine, BYTES), text) for text in ("a", "b", "c", "")] == [True, True, False, False]
    others = FSM(alphabet, {0, 1}, 0, {1}, {0: {2: 1}})  # type: ignore[arg-type]
    assert [accepts(guide.fsm(others, BYTES), text) for text in ("a", "c", "é", "😀")] == [False, True, True, True]
    wrong = FSM(Alphabet({"ab": 0}), {0}, 0, {0}, {0: {0: 0}})  # type: ignore[arg-type]
    for call in (lambda: guide.fsm(wrong, BYTES), lambda: oc.Generator(shipped_model(), wrong)):
        with pytest.raises(TypeError, match="the alphabet of an FSM holds characters, not 'ab'"):
            call()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda v: guide.text(v), "text allows bytes that are no UTF-8, and an FSM is over characters"),
        (lambda v: guide.literal(b"a\xff", v), "allows bytes that are no UTF-8"),
        (lambda v: guide.literal("é".encode()[:1], v), "allows bytes that are no UTF-8"),
        (lambda v: guide.literal(b"\xed\xa0\x80", v), "allows bytes that are no UTF-8"),
        (lambda v: guide.literal(b"\xc1\x81", v), "allows bytes that are no UTF-8"),
        (lambda v: guide.grammar('start: "(" start ")" | "x"', v), "is recursive: no finite automaton accepts it"),
        (lambda v: guide.regex("a{2000}", v), "has more than 1,000 states over bytes; to_interegular"),
        (
            lambda v: guide.json_schema(
                {"type": "object", "additionalProperties": {"type": "integer"}}, v, extra="schema", spelling="any"
            ),
            "has to remember texts: no finite automaton accepts it",
        ),
        (
            lambda v: guide.regex("[\U00010000-\U0007ffff]|x", v),
            "would have to list 458,[0-9]{3} characters one by one",
        ),
    ],
)
def test_what_is_no_automaton_over_characters_is_refused_by_name(make: Any, message: str) -> None:
    with pytest.raises(oc.errors.ConstraintError, match=message):
        make(BYTES).to_interegular()


def test_a_schema_that_is_small_and_regular_is_an_automaton() -> None:
    schema = {
        "type": "object",
        "properties": {"age": {"type": "integer", "minimum": 7, "maximum": 12}},
        "required": ["age"],
    }
    machine = guide.json_schema(schema, BYTES, spelling="plain").to_interegular()
    assert {text for n in range(30) if machine.accepts(text := f'{{"age":{n}}}')} == {
        f'{{"age":{n}}}' for n in range(7, 13)
    }
    assert machine.cardinality() == 6


def test_what_a_vocabulary_cannot_spell_belongs_to_the_language() -> None:
    v = Vocabulary([b"<eos>", b"a", b"ab"], eos=[0])
    machine = guide.regex("a|b|ab", v).to_interegular()
    assert [machine.accepts(text) for text in ("a", "b", "ab")] == [True, True, True]


@pytest.mark.parametrize("wrong", ["[ab]", None, interegular.parse_pattern("a"), FSM])
def test_what_is_no_automaton_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"fsm\(\) takes an interegular.FSM, not"):
        oc.generate.fsm(shipped_model(), wrong)
    with pytest.raises(TypeError, match=r"fsm\(\) takes an interegular.FSM, not"):
        guide.fsm(wrong, BYTES)
    if wrong == interegular.parse_pattern("a"):
        for call in (lambda: oc.generate.fsm(shipped_model(), wrong), lambda: oc.Generator(shipped_model(), wrong)):
            with pytest.raises(TypeError, match=r"its to_fsm\(\) makes"):
                call()
    with pytest.raises(TypeError, match="limit='2': it must be an int ≥ 1"):
        guide.regex("a", BYTES).to_interegular("2")  # type: ignore[arg-type]
