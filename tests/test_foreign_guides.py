"""Guides of third parties: llguidance's matcher, wrapped (`foreign_guides.py`), wherever a guide may stand."""

from __future__ import annotations

import json
import re
from functools import cache
from random import Random
from typing import Any

import pytest

pytest.importorskip("llguidance", reason="llguidance is not installed: no guide of a third party to try")

import constraint_checks
from constraint_checks import SPLIT, Outcome, Wrong
from engine_differences import check_engines
from foreign_guides import LLGuidance, llguidance_tokenizer
from generate_matrix import LOOPS, generated, place, texts
from guides import check_guide
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES
from llguidance import LLMatcher

import outlines_cont as oc
from outlines_cont.fsm import guide as guides
from outlines_cont.integrations.transformers import LogitsProcessor

PATTERN = r"(red|blue|gr[ae]y)( sky)?"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"enum": ["Rome", "Paris"]}, "year": {"type": "integer", "minimum": 1900, "maximum": 2030}},
    "required": ["city", "year"],
    "additionalProperties": False,
}


@cache
def shipped() -> Any:
    model = oc.load()
    return model, llguidance_tokenizer(model.vocabulary)


def of_pattern(pattern: str = PATTERN) -> LLGuidance:
    model, tokenizer = shipped()
    return LLGuidance(LLMatcher.grammar_from_regex(pattern), tokenizer, model.vocabulary)


def of_schema() -> LLGuidance:
    model, tokenizer = shipped()
    options = {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"}
    return LLGuidance(LLMatcher.grammar_from_json_schema(json.dumps(SCHEMA), options), tokenizer, model.vocabulary)


@pytest.mark.parametrize("vocabulary", [BYTES, SPLIT], ids=["bytes", "split characters"])
def test_the_laws_of_guides_hold(vocabulary: Any) -> None:
    tokenizer = llguidance_tokenizer(vocabulary)
    check_guide(LLGuidance(LLMatcher.grammar_from_regex(PATTERN), tokenizer, vocabulary), ["red", "grey sky"], walks=5)
    grammar = LLMatcher.grammar_from_json_schema(json.dumps(SCHEMA))
    check_guide(LLGuidance(grammar, tokenizer, vocabulary), ['{"city":"Rome","year":1999}'], walks=5)


@given(st.integers(0, 2**32 - 1), st.sampled_from([PATTERN, "[a-f]{2,5}x?", "(ab|a)*b", "é+|日本"]))
@settings(max_examples=15)
def test_both_engines_allow_the_same_tokens(seed: int, pattern: str) -> None:
    """Both are exact for patterns. Where a text is forced, llguidance allows one spelling of it alone."""
    random, ours = Random(seed), guides.regex(pattern, shipped()[0].vocabulary)
    theirs = of_pattern(pattern)
    state, other = ours.initial, theirs.initial
    for _ in range(12):
        mask, other_mask = ours.mask(state), theirs.mask(other)
        assert ours.accepting(state) == theirs.accepting(other)
        assert mask.tolist() == other_mask.tolist() or (ours.forced(state) and not (other_mask & ~mask).any())
        allowed = [t for t in range(len(ours.vocabulary)) if other_mask[t >> 5] >> (t & 31) & 1]
        if not allowed:
            break
        token = random.choice(allowed)
        state, other = ours.advance(state, token), theirs.advance(other, token)
        assert state is not None and other is not None


@pytest.mark.parametrize("sampler", [oc.samplers.greedy(), oc.samplers.multinomial(3), oc.samplers.beam_search(3)])
def test_generators_take_it(sampler: Any) -> None:
    model, _ = shipped()
    values = oc.Generator(model, of_pattern(), sampler)("The colour of the sky: ", seed=1)
    assert all(re.fullmatch(PATTERN, value) for value in ([values] if isinstance(values, str) else values))
    same = oc.Generator(model, re.compile(PATTERN), sampler)("The colour of the sky: ", seed=1)
    if sampler.samples == 1:
        assert values == same


def test_states_are_forked_rolled_back_and_resumed() -> None:
    model, _ = shipped()
    step = oc.continuous(oc.Generator(model, of_schema(), oc.samplers.multinomial()), name="fact")
    start = model.state("A fact as JSON: ")
    cut = step(start, max_tokens=3, seed=0)
    ends = [step.resume(cut.fork(3), seed=seed) for seed in (1, 2)]
    back = step.resume(ends[0][0, 0, : len(cut.rows[0][0].ids) - 1], seed=3)
    for state in (*ends, back):
        for rows in state.captures["fact"]:
            for text in (text for row in rows for text in row):
                assert json.loads(text)["city"] in ("Rome", "Paris") and json.loads(text)["year"] >= 1900


@pytest.mark.parametrize("loop", ["beams", "prompt lookup"])
def test_a_processor_takes_it(loop: str) -> None:
    assert loop in LOOPS
    at = place("1.5k")
    written = texts(at, generated(at, loop, LogitsProcessor(of_pattern(), at.source)))
    assert all(text is not None and re.fullmatch(PATTERN, text) for text in written)


# ------------------------------------------------------------------------------------------- differences of the engines


def test_engines_are_compared_over_random_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few cases of what runs every night; schemas of the real world are not everywhere."""
    monkeypatch.setattr("drawn_constraints.real_cases", list)
    monkeypatch.setattr("drawn_constraints.large_schema", lambda r: True)
    outcomes: list[Outcome] = [check_engines(Random(f"engines {number}"), lambda phase: None) for number in range(12)]
    assert sum(outcome.counts["texts: both are right"] for outcome in outcomes) > 20


def test_an_error_of_ours_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    check_engines(Random(0), lambda phase: None, {"enum": [1, 2]})
    real = constraint_checks.guide.json_schema
    monkeypatch.setattr("engine_differences.guide.json_schema", lambda _, v, **options: real({"enum": [1]}, v))
    with pytest.raises(Wrong, match=r"we refuse 2, jsonschema does not; llguidance agrees: True"):
        check_engines(Random(0), lambda phase: None, {"enum": [1, 2]})
