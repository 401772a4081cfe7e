"""Law 12: a chain is the composition of its steps, under every sampler, for every kind of generator and every option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model

import outlines_cont as oc
from outlines_cont.generate.steps import Composition

beams = oc.samplers.beam_search
PROMPTS = ["xy", ["x", "ab"], ["xy"] * 3]
TEXTS = ["", "-", "xy", "ab-"]
ROW_BY_ROW = [
    oc.samplers.greedy(),
    oc.samplers.multinomial(),
    oc.samplers.multinomial(samples=3),
    oc.samplers.multinomial(temperature=2.0, top_k=5),
    oc.samplers.multinomial(samples=3, filters=[oc.filters.repetition_penalty(1.3)]),
]
SEARCHES = [
    *(beams(k, distinct=distinct) for k in (1, 2, 3, 5) for distinct in ("text", "tokens")),
    beams(3, length_penalty=1.0),
    beams(3, length_penalty=-0.5, distinct="tokens"),
]
PARTICLES = [oc.samplers.smc(4, threshold, every=every) for threshold, every in ((1.0, "span"), (0.7, rb"[ac]"), (1.0, 1), (1.0, None))]


def walk(row: oc.Row) -> list[oc.Branch]:
    """A controller that forks: a letter, and then one of two ways."""
    if not row.tokens:
        return [oc.Branch(allowed=oc.fsm.guide.regex("[ab]", small_model().vocabulary))]
    return [oc.Branch(forced=text) for text in (b"1", b"12")] if len(row.tokens) == 1 else []


KINDS: dict[str, Callable[[oc.Model, Any], Any]] = {
    "choice": lambda model, sampler: oc.generate.choice(model, ["a", "ab", "ca", "12", "cab"], sampler),
    "sequence": lambda model, sampler: oc.generate.choice(model, ["a", "ab", "12"], sampler, by="sequence"),
    "regex": lambda model, sampler: oc.generate.regex(model, "[abc]{1,3}|12", sampler),
    "forced": lambda model, sampler: oc.generate.regex(model, "(abc|1[12])z?", sampler, forced="canonical"),
    "eos": lambda model, sampler: oc.generate.regex(model, "a[bc]{0,4}", sampler, stop="eos"),
    "text": lambda model, sampler: oc.generate.text(model, sampler),
    "where": lambda model, sampler: oc.generate.regex(model, "[abc]{1,3}", sampler, where=lambda text, done: text[:1] != "b"),
}


def same(chain: oc.SequenceState, steps: oc.SequenceState) -> None:
    """Equal rows, captures, endings, weights and log-probabilities."""
    assert chain == steps and chain.finished == steps.finished
    assert {**chain.captures} == {**steps.captures}
    for name in ("weights", "logprobs", "proposal_logprobs", "scores", "log_importance"):
        torch.testing.assert_close(getattr(chain, name), getattr(steps, name), atol=1e-4, rtol=0, equal_nan=True)
    for ours, theirs in zip(chain.rows, steps.rows, strict=True):
        assert [_annotations(row) for row in ours] == [_annotations(row) for row in theirs]


def _annotations(row: Any) -> Any:
    """What `identical` compares of a row besides its tokens, but for numbers that are rounded."""
    spans = [(p.kind, p.lo, p.hi, p.origin.name, p.generator, p.finished, p.origin.healed, p.origin.tries) for p in row.pieces]
    return row.dead, row.lineage, spans, [(each.position, each.ancestor) for each in row.resamplings]


def one_by_one(parts: Sequence[Any], prompts: Any, model: oc.Model, **options: Any) -> oc.SequenceState:
    """What the law says: the steps, each called with the options and the seed of the chain, and texts put between."""
    state = prompts if isinstance(prompts, oc.SequenceState) else model.state(prompts)
    for part in parts:
        state = state + part if isinstance(part, str) else part(state, **options)
    return state


def chained(parts: Sequence[Any]) -> Any:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole >> part
    return whole


@st.composite
def chains(draw: st.DrawFn, samplers: Sequence[Any] | None = None, kinds: Sequence[str] = tuple(KINDS)) -> Any:
    """A model, and the parts of a chain on it: two to four steps of one sampler family, and texts."""
    model = small_model(draw(st.integers(0, 3)))
    family = samplers or draw(st.sampled_from([ROW_BY_ROW, SEARCHES, PARTICLES]))
    changes = draw(st.booleans())
    sampler = draw(st.sampled_from(family))
    parts: list[Any] = [draw(st.sampled_from(TEXTS))]
    for i in range(draw(st.integers(2, 4))):
        if changes and i:
            enough = [each for each in family if each.samples in (1, sampler.samples)]
            if family is SEARCHES:
                enough = [each for each in family if each.samples >= sampler.samples]
            sampler = draw(st.sampled_from(enough))
        fitting = [kind for kind in kinds if kind != "sequence" or not sampler.logit_filters]
        kind = draw(st.sampled_from(fitting))
        options: dict[str, Any] = {"seam": draw(st.sampled_from(["keep", "heal"]))}
        if kind == "text":
            options |= {"max_tokens": draw(st.integers(1, 4)), "stop_at": draw(st.sampled_from([None, "c", "12"]))}
        generator = KINDS[kind](model, sampler)
        parts += [oc.continuous(generator, name=draw(st.sampled_from("ab")), **options), draw(st.sampled_from(TEXTS))]
    return model, parts


@settings(max_examples=150)
@given(data=st.data())
def test_law_12_a_chain_is_the_composition_of_its_steps(data: st.DataObject) -> None:
    model, parts = data.draw(chains())
    seed, prompts = data.draw(st.integers(0, 5)), data.draw(st.sampled_from(PROMPTS))
    chain = chained(parts)
    try:
        steps = one_by_one(parts, prompts, model, seed=seed)
    except oc.SampleMismatch:
        with pytest.raises(oc.SampleMismatch):
            chain(prompts, seed=seed)
        return
    whole = chain(prompts, seed=seed)
    same(whole, steps)
    *_, last = chain.stream(prompts, seed=seed)
    same(last, steps)
