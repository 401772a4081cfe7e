"""Values that close within the tokens that they may have (`whole=True`): every kind of call, and others' loops.

That walks through guides always close is a part of the fuzzer of constraints: `check_whole`, in `test_fuzz.py`.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.endings import endings_of
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.fsm.within import Within
from outlines_cont.integrations.transformers import LogitsProcessor
from outlines_cont.integrations.vllm import ConstrainedRequest, GuidedRow, asked_for
from outlines_cont.tiny import PATH

MODEL = oc.load(PATH)
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
SAMPLERS = [oc.samplers.greedy(), oc.samplers.multinomial(3), oc.samplers.beam_search(3), oc.samplers.smc(3)]
LEAST = 9  # tokens of the shortest person that is known


def person(sampler: Any, whole: bool = True) -> Any:
    return oc.continuous(oc.generate.json(MODEL, json.dumps(PERSON), sampler, whole=whole), name="v")


@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
@settings(max_examples=8, deadline=None)
@given(budget=st.integers(LEAST, 40), seed=st.integers(0, 9))
def test_values_close_within_their_tokens(sampler: Any, budget: int, seed: int) -> None:
    state = person(sampler)(["Mira is ", "The city of "], max_tokens=budget, seed=seed)
    assert {*np.ravel(state.finished)} == {"stop"}
    for rows in state.rows:
        for row in rows:
            written = sum(piece.hi - piece.lo for piece in row.pieces if piece.kind == "generated")
            assert written <= budget + 1  # the space that is healed is not counted
    for rows in state.captures["v"]:
        for [value] in rows:
            assert {"name", "age"} <= value.keys()


@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
def test_with_room_the_rows_are_those_of_the_plain_generator(sampler: Any) -> None:
    plain, whole = (person(sampler, how)("Mira is ", max_tokens=200, seed=3) for how in (False, True))
    assert list(plain) == list(whole) and plain.shape == whole.shape
    assert torch.equal(plain.weights, whole.weights)


def test_a_budget_below_the_least_names_it() -> None:
    step = person(oc.samplers.greedy())
    with pytest.raises(ConstraintError, match=rf"within {LEAST - 2} tokens: the shortest known takes \d+"):
        step("Mira", max_tokens=LEAST - 2)
    with pytest.raises(ConstraintError, match="within 0 tokens"):
        step("Mira", max_tokens=0)
    with pytest.raises(ConstraintError, match=r"^\(' ' of the text before \+ the schema"):  # that is healed
        step("Mira ", max_tokens=LEAST - 2)
    state = step(["Mira", "Tom"], max_tokens=3, errors="return")
    assert [type(error) for [error] in state.errors] == [ConstraintError] * 2


@pytest.mark.parametrize("asked", [int, bool, oc.types.regex("[0-9]{3}"), oc.types.regex("(?i)lisbon|lima")], ids=str)
@pytest.mark.parametrize("seam", ["auto", "heal", "keep"])
def test_a_value_that_heals_needs_no_more_tokens_than_one_that_does_not(asked: Any, seam: Any) -> None:
    """Tokens that heal are free, so that whatever fits behind the whole prompt fits."""
    generator = oc.Generator(MODEL, asked, whole=True)
    guide = generator.constraint.guide
    least, step = endings_of(guide).need(guide.initial), oc.continuous(generator, seam=seam)
    for tokens in range(least, least + 4):
        state = step(["I am ", "She lives in ", "a: 1 "], seed=tokens, max_tokens=tokens)
        assert state.finished == [["stop"]] * 3
        again = step.resume(step(["I am ", "She lives in ", "a: 1 "], seed=tokens, max_tokens=tokens), seed=tokens)
        assert again.tolist() == state.tolist()


def test_what_has_no_end_of_its_own_is_not_whole() -> None:
    with pytest.raises(ValueError, match="whole=True"):
        oc.Generator(MODEL, str, whole=True)
    with pytest.raises(TypeError, match="whole"):
        oc.Generator(MODEL, int, whole=1)  # type: ignore[call-overload]


def test_cut_values_are_resumed_within_what_is_left() -> None:
    state = person(oc.samplers.greedy())("Mira is ", max_tokens=40)
    step, closed, size = person(oc.samplers.greedy()), 0, state.rows[0][0].pieces[-1].hi
    for cut in range(1, size):
        try:
            again = step.resume(state[..., :-cut], max_tokens=6)
        except ConstraintError as error:
            assert "the rest of" in str(error)
            continue
        assert again.finished == [["stop"]] and {"name", "age"} <= again.captures["v"][0][0][0].keys()
        closed += 1
    assert closed > size // 2


def test_chains_streams_and_async_calls() -> None:
    greedy = oc.samplers.greedy()
    chain = (
        "Mira: "
        >> person(greedy)
        >> " and a year: "
        >> oc.continuous(oc.generate.regex(MODEL, "[0-9]+ years?", greedy, whole=True), name="y")
    )
    state = chain("", max_tokens=10)
    assert state.finished == [["stop"]] and state.captures["y"][0][0][0].endswith(("year", "years"))
    assert asyncio.run(chain.acall("", max_tokens=10)) == state
    assert "".join(part.delta for part in chain.stream("", max_tokens=10)) == str(state).removeprefix("Mira: ")


def test_a_choice_by_sequence_takes_what_fits() -> None:
    options = ["a", "a very long option of many words, which takes a lot of tokens"]
    by = oc.generate.choice(MODEL, options, oc.samplers.multinomial(8), by="sequence", whole=True)
    assert {*by("It is ", max_tokens=2, seed=0)} == {"a"}
    with pytest.raises(ConstraintError, match="the shortest option takes"):
        by("It is ", max_tokens=0)
    table = by.probabilities("It is ")
    assert table.shape[-1] == 2 and table.min() > 0


def test_the_law_is_that_of_the_texts_that_fit() -> None:
    """Against enumeration: near the edge, what cannot be ended has no probability, and the rest keeps its odds."""
    v = Vocabulary([b"<eos>", b"a", b"b", b"ab", b"bb"], eos=[0])
    g = guide.regex("(ab|b)*b", v)
    for budget in range(1, 5):
        within = Within(g, budget)
        texts: set[tuple[int, ...]] = set()
        todo: list[tuple[Any, tuple[int, ...]]] = [(within.initial, ())]
        while todo:
            state, ids = todo.pop()
            if within.accepting(state):
                texts.add(ids)
            assert within.accepting(state) or any(within.advance(state, t) is not None for t in range(1, 5))
            todo += [(after, (*ids, t)) for t in range(1, 5) if (after := within.advance(state, t)) is not None]
        every: set[tuple[int, ...]] = set()
        paths: list[tuple[Any, tuple[int, ...]]] = [(g.initial, ())]
        while paths:
            state, ids = paths.pop()
            if g.accepting(state):
                every.add(ids)
            if len(ids) < budget:
                paths += [(after, (*ids, t)) for t in range(1, 5) if (after := g.advance(state, t)) is not None]
        assert texts == every


def test_loops_of_others() -> None:
    processor = LogitsProcessor(dict(PERSON), MODEL.tokenizer, max_tokens=14, whole=True)
    prompt = MODEL.tokenizer("Mira is ", return_tensors="pt")
    start, hf = prompt.input_ids.shape[1], cast(Any, MODEL.hf)
    for seed in range(4):
        torch.manual_seed(seed)
        ids = hf.generate(**prompt, logits_processor=[processor], do_sample=True, max_new_tokens=14)
        [value] = processor.values(ids[:, start:])
        assert {"name", "age"} <= value.keys()
    halves: list[Any] = [{"max_tokens": 14}, {"whole": True}]
    for options in halves:
        with pytest.raises(ValueError, match="together"):
            LogitsProcessor(int, MODEL.tokenizer, **options)
        with pytest.raises(ValueError, match="together"):
            ConstrainedRequest(int, **options)
    for call in (lambda **limit: LogitsProcessor(str, MODEL.tokenizer, **limit), partial(ConstrainedRequest, str)):
        with pytest.raises(ValueError, match="of a text with whole=True: nothing but the stop ends it"):
            call(max_tokens=14, whole=True)


def test_requests_of_vllm_carry_their_limit() -> None:
    request = ConstrainedRequest(dict(PERSON), max_tokens=20, whole=True)
    asked, limit = asked_for(request.extra_args["outlines_cont"])
    assert (asked.kind, limit) == ("json", 19)
    plain = guide.json_schema(json.dumps(PERSON), MODEL.vocabulary)
    row, generator = GuidedRow(Within(plain, 19), MODEL.vocabulary), np.random.default_rng(0)
    for _ in range(5):
        ids: list[int] = []
        while True:
            allowed = np.flatnonzero(np.unpackbits(row.mask(ids).view(np.uint8), bitorder="little"))
            token = int(generator.choice(allowed))
            if token in MODEL.vocabulary.eos:
                break
            ids.append(token)
        assert len(ids) <= 19 and json.loads(MODEL.vocabulary.decode(ids))
    with pytest.raises(ValueError, match="cannot close within"):
        asked_for('{"kind": "regex", "argument": "a", "options": {}, "within": -1}')


def test_guides_of_the_users_say_what_they_need() -> None:
    class Letters:
        """So many letters a, and then a b."""

        def __init__(self, vocabulary: Vocabulary):
            self.vocabulary, self.initial = vocabulary, "text"

        def mask(self, state: str) -> np.ndarray:
            return np.array([0b110 if state == "text" else 0b1 if state == "b" else 0], np.int32)

        def advance(self, state: str, token: int) -> str | None:
            return {("text", 1): "text", ("text", 2): "b", ("b", 0): "ended"}.get((state, token))

        def accepting(self, state: str) -> bool:
            return state != "text"

    v = Vocabulary([b"<eos>", b"a", b"b"], eos=[0])
    with pytest.raises(ConstraintError, match=r"has no `need\(state\)`"):
        Within(Letters(v), 3)  # type: ignore[arg-type]

    class Wrapping(Letters):
        """Its states are its own, whatever it is made of."""

        def __init__(self, vocabulary: Vocabulary):
            super().__init__(vocabulary)
            self.guide = guide.regex("a+b", vocabulary)

    with pytest.raises(ConstraintError, match=r"has no `need\(state\)`"):
        Within(Wrapping(v), 3)  # type: ignore[arg-type]

    class Needing(Letters):
        def need(self, state: str) -> int:
            return 1 if state == "text" else 0

    g = Within(guide_of(Needing(v)), 2)
    assert g.mask(g.initial).tolist() == [0b110] and g.mask(g.advance(g.initial, 1)).tolist() == [0b100]
    with pytest.raises(ConstraintError, match="the shortest known takes 1"):
        Within(guide_of(Needing(v)), 0)


def guide_of(given: Any) -> Any:
    from outlines_cont.fsm.protocol import with_defaults

    return with_defaults(given)


def test_tokens_beside_the_constraint_are_counted() -> None:
    told: list[int] = []
    most = 1

    def insert(draw: Any) -> Any:
        told.append(len(draw.row.ids))
        return oc.steer.Insert(int(MODEL.vocabulary.text_ids[5])) if len(told) <= most else None

    step = person(oc.samplers.greedy())
    state = step("Mira is ", max_tokens=24, hooks=[insert])
    assert state.finished == [["stop"]] and state.rows[0][0].pieces[-1].hi <= 24
    told.clear()
    most = 9
    with pytest.raises(ConstraintError, match="tokens beside"):
        step("Mira is ", max_tokens=LEAST + 2, hooks=[insert])


def test_a_budget_holds_where_the_constraint_was_given_up() -> None:
    told: list[int] = []

    def free(draw: Any) -> Any:
        told.append(1)
        return oc.steer.Replace(draw.token, unconstrained=True) if len(told) == 3 else None

    words = "[a-z]+( [a-z]+){2,5}\\."
    rows = []
    for whole in (False, True):
        told.clear()
        generator = oc.generate.regex(MODEL, words, oc.samplers.greedy(), whole=whole)
        rows.append(generator.run("Mira is ", max_tokens=8, hooks=[free]))
    assert [row.finished for row in rows] == [[["length"]]] * 2 and rows[0].shape == rows[1].shape


def test_forced_runs_are_appended_where_they_fit() -> None:
    """Decided by tokens, not by bytes: so rows and passes are the plain ones."""
    greedy = oc.samplers.greedy()
    for make in (
        lambda whole: oc.generate.choice(MODEL, ["abc def ghi jkl"], greedy, whole=whole),
        lambda whole: oc.generate.json(
            MODEL, {"properties": {"occupation_of_person": {"enum": [1, 2]}}}, greedy, whole=whole
        ),
    ):
        plain = make(False).run("Mira\n", max_tokens=100)
        size = plain.rows[0][0].pieces[-1].hi
        for budget in range(size, size + 8):
            whole = make(True).run("Mira\n", max_tokens=budget)
            assert list(whole) == list(plain) and whole.shape == plain.shape, budget
            assert torch.equal(whole.weights, plain.weights)


def test_equal_limits_share_their_states() -> None:
    exact = oc.generate.regex(MODEL, "[0-9]{2}", oc.samplers.exact(4), whole=True)
    passes = []
    for _ in range(2):
        before = MODEL.stats.passes
        exact("Mira is ", max_tokens=9, seed=1)
        passes.append(MODEL.stats.passes - before)
    assert passes[1] <= 1 < passes[0]
