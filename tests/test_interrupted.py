"""A generation that was interrupted anywhere, in any way and any number of times gives what it gives without that."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_tokenizer
from test_models import CONFIGS
from transformers import AutoModelForCausalLM

import outlines_cont as oc
from outlines_cont.generate.steps import Chain, Step

make, draw, smc = oc.generate, oc.samplers.multinomial, oc.samplers.smc
texts, beams = oc.samplers.beam_search, partial(oc.samplers.beam_search, distinct="tokens")


@cache
def model_of(kind: str) -> oc.Model:
    """Random weights of several architectures. "even": all tokens are equally likely, so that scores tie."""
    if kind.isdigit():
        return small_model(int(kind))
    torch.manual_seed(0)
    tokenizer = toy_tokenizer([*"abc12-xyz"])
    tokens = {"vocab_size": len(tokenizer), "bos_token_id": 0, "eos_token_id": 0, "tie_word_embeddings": False}
    hf = AutoModelForCausalLM.from_config(CONFIGS["gpt-j" if kind == "even" else kind](**tokens)).eval()
    with torch.no_grad():
        for parameter in hf.parameters():
            parameter.mul_(8 if parameter.dim() > 1 else 1)
        if kind == "even":
            hf.get_output_embeddings().weight.zero_()
            hf.get_output_embeddings().bias.fill_(1.0)
    return oc.Model(hf, tokenizer)


KINDS = ["0", "1", "2", "3", "gpt-j", "falcon", "even"]
BEAMS = [beams(k, penalty) for k in range(1, 6) for penalty in (0.0, 0.7, -0.5)]
BEAMS += [texts(k, penalty, spellings=m) for k in range(1, 5) for penalty in (0.0, 0.7, -0.5) for m in (1, 2, 4, None)]
OTHERS = [oc.samplers.greedy(), draw(), draw(3), draw(2, temperature=2.0, top_k=4), smc(4), smc(3, 1.0)]


def steps(model: oc.Model, sampler: Any) -> dict[str, Step | Chain]:
    """All kinds of ends: a stop that is drawn, the end of a constraint, a stop string, runs, links, whole options."""

    def regex(pattern: str, name: str, other: Any = sampler, **more: Any) -> Step:
        return oc.continuous(make.regex(model, pattern, other, **more), name=name)

    text = oc.continuous(make.text(model, sampler), name="t", stop_at=["1", "b-", "bca", "yz"])
    options = oc.continuous(make.choice(model, ["a", "ab", "1212", "xyz"], sampler, by="sequence"), name="o")
    healed = oc.continuous(make.choice(model, ["bc", "b1", "x"], sampler), name="h", seam="heal")
    chain = regex("(ab|1[12]{3}|c{1,3})", "a") >> "-xy" >> regex("[abc]{0,3}", "b") >> "z"
    alone = draw() if isinstance(sampler, oc.samplers.BeamSearch) else oc.samplers.greedy()
    return {
        "regex": regex("[abc]{1,5}|12*", "v"),
        "runs": regex("(abc|12)-ca[12]{2}=(ab)?".replace("=", "x"), "f", forced="canonical"),
        "text": text,
        "chain": chain,
        "text at the end": regex("a{1,2}|1", "a") >> "y" >> text,
        "options": options >> "-" >> options,
        "healed": "xa" >> healed >> "xa" >> healed,
        "two samplers": regex("[ab]{1,3}", "a", alone) >> "-" >> regex("[12]{1,4}x", "b"),
        "wider": regex("[ab]{1,3}", "a") >> "-" >> regex("[abc]{1,3}", "b", wider(sampler)),
    }


def wider(sampler: Any) -> Any:
    """A sampler that goes on from the samples of this one."""
    return replace(sampler, beams=6) if isinstance(sampler, oc.samplers.BeamSearch) else oc.samplers.greedy()


WAYS = ["stepped", "stream closed", "ctrl-c"]


def interrupted(run: Any, model: oc.Model, way: str, passes: int) -> oc.SequenceState:
    """The state of a generation that ends after so many passes, if not before. run: of a frontier, a stream, or all."""
    if way == "stepped":
        frontier = run("begin")
        for _ in range(passes):
            frontier = frontier if frontier.done else frontier.step(model.logits(frontier.pending))
        return frontier.state
    if way == "stream closed":
        *_, state = (state for state, _ in zip(run("stream"), range(passes + 1), strict=False))
        return state
    left, read = passes, model.language_model.read

    def pressed(needs: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return read(needs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model.language_model, "read", pressed)
        try:
            return run("__call__")
        except oc.errors.Interrupted as error:
            return error.state


def assert_same(state: oc.SequenceState, expected: oc.SequenceState) -> None:
    assert state == expected, f"{state.tolist()} {state.weights}, not {expected.tolist()} {expected.weights}"
    assert state.finished == expected.finished
    assert [[row.borders for row in group] for group in state.rows] == [
        [row.borders for row in group] for group in expected.rows
    ]
    assert [[row.lineage for row in group] for group in state.rows] == [
        [row.lineage for row in group] for group in expected.rows
    ]
    for name in ("logprobs", "proposal_logprobs", "weights", "particles.log_importance"):
        torch.testing.assert_close(*map(attrgetter(name), (state, expected)), atol=1e-4, rtol=1e-4, equal_nan=True)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_interrupted_generation_goes_on_as_if_it_had_not_been(tmp_path: Path, data: st.DataObject) -> None:
    model = model_of(data.draw(st.sampled_from(KINDS), "model"))
    sampler = data.draw(st.one_of(st.sampled_from(BEAMS), st.sampled_from(OTHERS)), "sampler")
    made = steps(model, sampler)
    step = made[data.draw(st.sampled_from(sorted(made)), "step")]
    start = data.draw(st.sampled_from(["x", "ya", ["x", "ab", "zz"]]), "start")
    options = {"seed": data.draw(st.integers(0, 9), "seed")}
    whole = step(start, **options)
    state: Any = start
    for times in range(data.draw(st.integers(1, 4), "interruptions")):
        way, passes = data.draw(st.sampled_from(WAYS), "way"), data.draw(st.integers(0, 6), "passes")

        def run(how: str, state: Any = state, times: int = times) -> Any:
            if not times:
                return getattr(step, how)(state, **options)
            if how == "__call__":
                return step.resume(state, **options)
            return getattr(step, how)(state, resume=True, **options)

        state = interrupted(run, model, way, passes)
        if data.draw(st.booleans(), "saved"):
            state.save(tmp_path / "s")
            state = oc.load_state(tmp_path / "s", model)
    assert_same(step.resume(state, **options), whole)


@settings(max_examples=30)
@given(data=st.data())
def test_a_search_that_max_tokens_ended_goes_on_or_says_what_it_lacks(data: st.DataObject) -> None:
    """A result holds `beams` samples. Where others were lost, `resume` warns; else it gives what one call gives."""
    model, sampler = model_of(data.draw(st.sampled_from(KINDS), "model")), data.draw(st.sampled_from(BEAMS), "sampler")
    step = steps(model, sampler)[data.draw(st.sampled_from(["regex", "chain", "text", "two samplers"]), "step")]
    state = step("x", data.draw(st.integers(0, 5), "max_tokens"), seed=1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        resumed = step.resume(state, seed=1)
    lost = [warning for warning in caught if "max_tokens had ended" in str(warning.message)]
    assert [warning.filename for warning in lost] == [__file__] * len(lost)
    if not lost and "length" in state.finished[0]:
        assert_same(resumed, step("x", seed=1))


def test_the_state_of_a_search_on_the_way_holds_all_that_it_goes_on_with() -> None:
    """Those that had ended took the places of those that went on, or these theirs, and `resume` gave other beams."""
    model = model_of("gpt-j")
    step, wide = (steps(model, beams(k))["text"] for k in (3, 5))
    frontier, most = step.begin("x"), 0
    while not frontier.done:
        state = frontier.state
        weights, ends = state.weights[0].tolist(), state.finished[0]
        assert weights == sorted(weights, reverse=True) and max(ends.count("stop"), ends.count("interrupted")) <= 3
        assert step.resume(state).identical(step("x"))
        most = max(most, len(ends))
        frontier = frontier.step(model.logits(frontier.pending))
        state = frontier.state
    assert most > 3 and state.shape[1] == 3
    frontier = wide.begin("x")
    for _ in range(2):
        frontier = frontier.step(model.logits(frontier.pending))
    with pytest.raises(
        oc.errors.SampleMismatch,
        match=r"beams=3, distinct='tokens'\) on 5 samples that go on and . .* at most 3 of each",
    ):
        step.resume(frontier.state)
    with pytest.raises(oc.errors.SampleMismatch, match=r"beam_search\(beams=5, distinct='tokens'\) on a state of"):
        wide(frontier.state)


@pytest.mark.parametrize("sampler", [beams(3), beams(2, -0.5), texts(3, spellings=1), texts(2)])
@pytest.mark.filterwarnings("ignore:resume.. of beam_search")  # hypotheses that the context has cut can go no further
def test_a_search_goes_on_where_the_context_has_cut_some_of_its_hypotheses(sampler: Any) -> None:
    """Those were counted among the ones that go on, and `resume` refused so many."""
    model, most = small_model(1, positions=20), 0
    step = oc.continuous(make.regex(model, "[abc]{30}|[abc]{1,5}[12]-{30}", sampler, forced="canonical"), name="v")
    for prompt in ("x", "ya", "zz"):
        whole, frontier = step(prompt), step.begin(prompt)
        while not frontier.done:
            ends = frontier.state.finished[0]
            most = max(most, len(ends) * ("length" in ends and "interrupted" in ends))
            assert_same(step.resume(frontier.state), whole)
            frontier = frontier.step(model.logits(frontier.pending))
    assert most > (sampler.beams if sampler.spellings == 1 else 2)


@pytest.mark.parametrize(("kind", "sampler"), [("gpt-j", smc(3, 1.0)), ("2", beams(3, -0.5)), ("gpt-j", draw(2))])
def test_an_interruption_while_the_rest_of_a_token_waits_for_its_scores(kind: str, sampler: Any) -> None:
    """A stop string began inside a token: what is left of that is spelled anew. The state has it as it was drawn."""
    model, waited = model_of(kind), 0
    step = steps(model, sampler)["text"]
    for seed in range(4, 8):
        whole = step(["x", "ab", "zz"], seed=seed)
        frontier = step.begin(["x", "ab", "zz"], seed=seed)
        while not frontier.done:
            waited += any(h.ending for group in frontier.groups for h in group)
            assert_same(step.resume(frontier.state, seed=seed), whole)
            frontier = frontier.step(model.logits(frontier.pending))
    assert waited


def test_samples_that_a_controller_has_forked_or_dropped_go_on() -> None:
    """Two samples that a controller had made four were refused by `resume`: it takes 1 or 2."""
    model = model_of("1")
    digits = make.regex(model, "[12]{1,3}")

    def forked(row: Any) -> list[oc.steer.Branch]:
        return (
            []
            if len(row.text) > 2
            else [oc.steer.Branch(allowed=digits), oc.steer.Branch(forced="ab")][: 1 + (not row.text)]
        )

    def dropped(rows: Any) -> dict[Any, list[oc.steer.Branch]]:
        return {row: [] if len(row.text) > 3 else [oc.steer.Branch(forced="ab")] for row in rows[:2]}

    for step in (
        oc.continuous(make.control(model, forked, sampler=draw(2))),
        oc.continuous(make.control(model, together=dropped, sampler=draw(3))),
    ):
        frontier, whole, shapes = step.begin(["x", "yz"], seed=3), step(["x", "yz"], seed=3), set()
        while not frontier.done:
            shapes.add(frontier.state.shape[1])
            assert_same(step.resume(frontier.state, seed=3), whole)
            frontier = frontier.step(model.logits(frontier.pending))
        assert shapes - {1, step.generator.sampler.samples}
