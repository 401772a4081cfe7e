"""The evidence and the posterior over texts, against brute force over all spellings and all draws."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import LANGUAGES, enumerate_law, small_model, toy_model
from test_where import every_run, oracle

import outlines_cont as oc
from outlines_cont.state.row import DEAD

draw, smc = oc.samplers.multinomial, oc.samplers.smc


def text_law(model: oc.Model, options: list[str]) -> dict[str, float]:
    """Brute force: how likely the model writes each text after "xy", in any spelling."""
    law: dict[str, float] = defaultdict(float)
    for ids, own, _ in enumerate_law(model, "xy", options):
        law[model.vocabulary.decode(ids).decode()] += math.exp(own)
    return law


LEVELS = st.one_of(st.none(), st.floats(-800, 800))


@settings(max_examples=60)
@given(st.lists(st.lists(st.tuples(st.sampled_from(["a", "ab", "1"]), LEVELS), min_size=3, max_size=3), max_size=3))
def test_any_weights(grid: list[list[tuple[str, float | None]]]) -> None:
    """Rows of any importance, far below and above 1, and dead ones (None)."""
    model = small_model()
    written = {text: only_text(model, text).rows[0][0] for text in ("a", "ab", "1")}
    rows = [[DEAD if level is None else written[text].resampled(level) for text, level in each] for each in grid]
    state = oc.SequenceState(model, rows, samples=3)
    evidence, laws = state.log_evidence, state.posterior()
    assert evidence.shape == (len(grid),) and evidence.dtype == state.log_importance.dtype
    for each, log_evidence, law in zip(grid, evidence.tolist(), laws, strict=True):
        top = max((level for _, level in each if level is not None), default=None)
        if top is None:
            assert (log_evidence, law) == (-math.inf, {})
            continue
        sums: dict[str, float] = defaultdict(float)
        for text, level in each:
            sums[text] += 0.0 if level is None else math.exp(level - top)
        total = math.fsum(sums.values())
        assert log_evidence == pytest.approx(top + math.log(total / 3), abs=1e-9)
        assert math.fsum(law.values()) == pytest.approx(1)
        assert law == pytest.approx({text: p / total for text, p in sums.items() if p})
        assert list(law.values()) == sorted(law.values(), reverse=True)


def only_text(model: oc.Model, text: str) -> oc.SequenceState:
    return oc.continuous(oc.generate.choice(model, [text]))("xy", seed=0)


@pytest.mark.parametrize("sampler", [draw(samples=2), smc(2, threshold=0.0)], ids=repr)
@pytest.mark.parametrize("options", [["a", "ab"], ["12", "1", "c"], ["abc", "c"]], ids=repr)
def test_expectations_are_exact(options: list[str], sampler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all draws of two samples, evidence × posterior of a text has the text's probability for its mean."""
    model, right = toy_model(), options[:2]
    step = oc.continuous(oc.generate.choice(model, options, sampler, forced="never", where=oracle(right)))
    sums: dict[str, float] = defaultdict(float)
    total = 0.0
    for share, state in every_run(lambda: step("xy", seed=0), monkeypatch):
        total += share
        [law] = state.posterior()
        for text, p in law.items():
            sums[text] += share * p * math.exp(state.log_evidence.item())
    assert total == pytest.approx(1)
    law = text_law(model, options)
    assert sums == pytest.approx({text: law[text] for text in right}, rel=1e-4)


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_it_comes_near_the_law_of_texts(options: list[str]) -> None:
    model = toy_model()
    law = text_law(model, options)
    evidence = math.fsum(law.values())
    state = oc.generate.choice(model, options, draw(samples=1500), forced="never").run("xy", seed=1)
    [posterior] = state.posterior()
    assert posterior.keys() <= law.keys()
    assert sum(abs(posterior.get(text, 0.0) - p / evidence) for text, p in law.items()) / 2 < 0.12
    assert math.exp(state.log_evidence.item()) == pytest.approx(evidence, rel=0.25)


def test_dead_samples_count_in_the_mean_and_have_no_text() -> None:
    def trap(text: str, done: bool) -> bool:
        return not text.startswith("1") or len(text) < 2

    model = toy_model()
    state = oc.generate.regex(model, "[12][ab]", draw(samples=12), forced="never", where=trap).run("xy", seed=2)
    dead = state.finished[0].count("dead")
    assert 0 < dead < 12
    assert state.log_evidence.exp().item() == pytest.approx(state.log_importance.exp().mean().item())
    assert {text[0] for text in state.posterior()[0]} == {"2"}
    assert state.resample(seed=0).log_evidence.tolist() == pytest.approx(state.log_evidence.tolist())
    never = oc.generate.choice(model, ["a"], draw(samples=2), where=lambda text, done: not done).run("xy", seed=0)
    assert (never.posterior(), never.log_evidence.tolist()) == ([{}], [-math.inf])


def test_where_the_text_begins() -> None:
    model = toy_model()
    first = oc.continuous(oc.generate.choice(model, ["a", "b"], draw(samples=6)), name="first")
    last = oc.continuous(oc.generate.choice(model, ["1", "2"], draw(samples=6)), name="last")
    state = (first >> "-" >> last)("xy", seed=1) + "!"
    [law] = state.posterior()
    assert all(len(text) == 4 and text[1] == "-" and text[3] == "!" for text in law)
    for since in ("last", -2):
        sums: dict[str, float] = defaultdict(float)
        for text, p in law.items():
            sums[text[2:]] += p
        assert state.posterior(since=since)[0] == pytest.approx(sums)
    assert set(state.posterior(since=0)[0]) == {f"xy{text}" for text in law}
    assert state[..., :-2].posterior()[0].keys() == {text[:2] for text in law}
    assert model.state(["xy", "ab"]).posterior() == [{"": 1.0}, {"": 1.0}]
    assert model.state("xy").log_evidence.tolist() == [0.0]
    letters = oc.continuous(oc.generate.regex(model, "[ab]{4}", draw(samples=6), forced="never"))
    resumed = letters.resume(letters("xy", seed=0)[..., :-1], seed=5)  # what is kept of a span counts
    assert all(len(text) == 4 for text in resumed.posterior()[0])
    with pytest.raises(ValueError, match="a row has no span of this name; its names: 'first', 'last'"):
        state.posterior(since="city")
    with pytest.raises(IndexError, match="span 9 is out of range for a row of"):
        state.posterior(since=9)
    with pytest.raises(TypeError, match="since"):
        state.posterior(since=1.5)  # type: ignore[arg-type]


def test_what_is_not_known() -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.choice(model, ["ab", "a"], draw(samples=2)))
    state = step("xy", seed=0)
    unknown = state.resample(seed=0)[..., :-1]  # the resampling is sliced away
    assert math.isnan(unknown.log_evidence.item())
    with pytest.raises(ValueError, match="importance of some rows is not known"):
        unknown.posterior()
    assert unknown.resample(seed=0, reset=True).log_evidence.tolist() == [0.0]
    none = oc.SequenceState(model, [[]], samples=0)
    assert math.isnan(none.log_evidence.item()) and none.posterior() == [{}]
