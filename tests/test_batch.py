"""Rows and jobs with settings of their own, in the same passes: each is what it is alone."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from fitful_engine import FitfulModel
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import small_model
from test_interrupted import BEAMS, OTHERS, assert_same, model_of, steps

import outlines_cont as oc
from outlines_cont.batches import applied
from outlines_cont.decode.samplers.row_by_row import Multinomial
from outlines_cont.state.state import SequenceState

make, draw, greedy = oc.generate, oc.samplers.multinomial, oc.samplers.greedy
SLOW = partial(settings, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MODELS = st.sampled_from(["0", "1", "gpt-j"])
PROMPTS = st.sampled_from(["x", "ab", "zz", "1-", "xa"])


def seen(draws: oc.steer.Draw) -> None:
    """A hook that only looks."""


@st.composite
def rows_of(draw: st.DrawFn, sampler: Any, stops: bool) -> oc.Settings:
    """Settings that this sampler takes."""
    given: dict[str, Any] = {
        "max_tokens": draw(st.integers(0, 6)),
        "seed": draw(st.integers(0, 3)),
        "hooks": draw(st.sampled_from([(), [oc.steer.Watch(seen)]])),
        "keep": draw(st.sampled_from([oc.Keep(), oc.Keep(alternatives=2)])),
    }
    if stops:
        given["stop_at"] = draw(st.sampled_from(["a", ["b", "-"], "zz"]))
    if type(sampler) is Multinomial:
        given |= {"temperature": draw(st.sampled_from([0.3, 1.0, 3.0])), "top_k": draw(st.sampled_from([1, 3]))}
        given["filters"] = [oc.filters.logit_bias({3: 2.0})]
    chosen = draw(st.sets(st.sampled_from(sorted(given))))
    return oc.Settings(**{name: given[name] for name in chosen})


def as_options(settings: oc.Settings, step: Any) -> tuple[Any, dict[str, Any]]:
    """A step that draws so, and the options of its call: the plain way to say the same."""
    names = ("max_tokens", "stop_at", "seed", "hooks", "keep")
    options = {name: getattr(settings, name) for name in names if getattr(settings, name) is not None}
    return applied(settings, step), options


@SLOW(max_examples=40)
@given(data=st.data())
def test_each_row_is_what_it_is_alone_with_its_settings(data: st.DataObject) -> None:
    model = model_of(data.draw(MODELS, "model"))
    sampler = data.draw(st.one_of(st.sampled_from(BEAMS), st.sampled_from(OTHERS)), "sampler")
    name = data.draw(st.sampled_from(["regex", "text", "chain", "healed", "runs", "options"]), "step")
    step = steps(model, sampler)[name]
    prompts = data.draw(st.lists(PROMPTS, min_size=1, max_size=4), "prompts")
    kind = sampler if name != "options" else greedy()
    rows = [data.draw(st.none() | rows_of(kind, stops=name == "text"), "settings") for _ in prompts]
    state = step(prompts, seed=9, max_tokens=4, rows=rows, errors="return")
    *_, last = step.stream(prompts, seed=9, max_tokens=4, rows=rows, errors="return")
    assert_same(last, state)
    by_key = {f"k{b}": each for b, each in enumerate(rows) if each}
    keyed = step(prompts, seed=9, max_tokens=4, rows=by_key, keys=[f"k{b}" for b in range(len(rows))])
    for b, (prompt, each) in enumerate(zip(prompts, rows, strict=True)):
        alone, options = as_options(each or oc.Settings(), step)
        assert_same(without_filling(state, b), alone([prompt], keys=[b], **{"seed": 9, "max_tokens": 4, **options}))
        options = {"keys": [f"k{b}"], "seed": 9, "max_tokens": 4, **options}
        assert_same(without_filling(keyed, b), alone([prompt], **options))


def without_filling(state: SequenceState, b: int) -> SequenceState:
    """One batch row, without the dead rows that stand there because others have more samples."""
    rows = [row for row in state.rows[b] if not row.dead or row.lineage]
    return SequenceState(state.model, [rows], len(rows)) if rows else state[b, :, :]


def job_of(data: st.DataObject, model: oc.Model) -> tuple[Any, Any, oc.Settings]:
    sampler = data.draw(st.one_of(st.sampled_from(BEAMS), st.sampled_from(OTHERS)), "sampler")
    made = steps(model, sampler)
    name = data.draw(st.sampled_from(sorted(made)), "step")
    step = made[name]
    start: Any = data.draw(st.one_of(PROMPTS, st.lists(PROMPTS, min_size=1, max_size=3)), "prompts")
    if data.draw(st.booleans(), "a state"):
        start = model.state(start)
    settings = data.draw(rows_of(None, stops=False), "settings")
    return step, start, settings


@SLOW(max_examples=40)
@given(data=st.data())
def test_each_job_gives_what_it_gives_alone(data: st.DataObject) -> None:
    model = model_of(data.draw(MODELS, "model"))
    jobs = [job_of(data, model) for _ in range(data.draw(st.integers(1, 5), "jobs"))]
    options: Any = {"seed": 9, "max_tokens": 5}
    *_, last = oc.batch.stream(jobs, **options)
    results = oc.batch(jobs, **options)
    first = 0
    for (step, start, each), result, streamed in zip(jobs, results, last, strict=True):
        count = len(start.rows) if isinstance(start, SequenceState) else len(start) if isinstance(start, list) else 1
        _, own = as_options(each, step)
        keys = {} if isinstance(start, SequenceState) else {"keys": range(first, first + count)}
        assert_same(result, step(start, **{**options, **own, **keys}))
        assert_same(streamed, result)
        first += count


@SLOW(max_examples=25)
@given(data=st.data())
def test_a_batch_that_was_interrupted_goes_on(data: st.DataObject) -> None:
    model = model_of(data.draw(MODELS, "model"))
    jobs = [
        (step, data.draw(PROMPTS), oc.Settings(seed=settings.seed))
        for step, _, settings in (job_of(data, model) for _ in range(3))
    ]
    whole, left = oc.batch(jobs, seed=9), data.draw(st.integers(0, 6), "passes")
    read = model.language_model.read

    def pressed(needs: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return read(needs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model.language_model, "read", pressed)
        try:
            state = None
            oc.batch(jobs, seed=9)
        except oc.errors.Interrupted as error:
            assert "oc.batch(" in str(error)
            state = error.state
    if state is not None:
        going = [(step, state[b, ...], settings) for b, (step, _, settings) in enumerate(jobs)]
        for one, other in zip(oc.batch(going, seed=9, resume=True), whole, strict=True):
            assert_same(one, other)


# --- the work


def different_jobs(model: oc.Model, count: int) -> list[tuple[Any, str, oc.Settings]]:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    kinds = [
        make.text(model, draw()),
        make.regex(model, "[a-z ]{8,12}", draw()),
        make.json(model, schema, draw(top_k=5)),
        make.choice(model, ["red", "blue or green"], greedy()),
        make.regex(model, "[0-9]{3}", oc.samplers.beam_search(3)),
    ]
    made = [oc.continuous(kind) for kind in kinds] + [oc.continuous(kinds[4]) >> " and " >> oc.continuous(kinds[3])]
    return [
        (made[i % 6], f"Tom has {i % 7} cats and ", oc.Settings(max_tokens=5 + i % 8, seed=i)) for i in range(count)
    ]


def test_different_jobs_take_as_many_passes_as_the_longest_and_the_union_of_their_tokens() -> None:
    model, count = oc.load(), 64
    jobs = different_jobs(model, count)
    passes: list[int] = []
    for i, (step, prompt, each) in enumerate(jobs):
        model.stats.reset()
        step(prompt, keys=[i], rows=[each])
        passes.append(model.stats.passes)
    model.stats.reset()
    oc.batch(jobs)
    assert model.stats.passes <= 1.1 * max(passes)
    model.stats.reset()
    alone = [all(part.generator.sampler.samples == 1 for part in step.steps) for step, _, _ in jobs]  # not dropped ones
    results = oc.batch([job for job, of_one in zip(jobs, alone, strict=True) if of_one])
    read = {row.ids[:n] for s in results for row in s.rows[0] for n in range(1, int(s.kv.lengths.max()) + 1)}
    assert (model.stats.tokens, model.stats.reread) == (len(read), 0)


# --- values, errors, tasks


def test_generators_give_their_values_in_order() -> None:
    model = shipped_model()
    year, city = make.regex(model, "[0-9]{4}", draw()), make.choice(model, ["Rome", "Paris"], draw(2))
    jobs = [(year, "Mira came in "), (city, ["I saw ", "He saw "]), (oc.continuous(year, name="y"), "In ")]
    one, cities, state = oc.batch(jobs, seed=4)
    assert one == year("Mira came in ", seed=4) and cities == city(["I saw ", "He saw "], keys=[1, 2], seed=4)
    assert state.captures["y"] == oc.continuous(year, name="y")("In ", keys=[3], seed=4).captures["y"]
    assert asyncio.run(oc.batch.acall(jobs, seed=4))[:2] == [one, cities]

    async def last() -> Any:
        async for partials in oc.batch.astream(jobs, seed=4):
            states = partials
        return states

    assert asyncio.run(last())[2] == state


@pytest.mark.parametrize("how", ["raise", "return"])
def test_an_error_stays_in_its_job(how: Any) -> None:
    model = small_model(0)

    def broken(draws: oc.steer.Draw) -> None:
        raise RuntimeError("broken")

    regex = make.regex(model, "[abc]{3}", greedy())
    step = oc.continuous(regex)
    jobs = [
        (regex, "x"),
        (regex, "x", oc.Settings(hooks=[oc.steer.Watch(broken)])),
        (regex, "ab", oc.Settings(max_tokens=1)),
        (step, "zz", oc.Settings(hooks=[oc.steer.Watch(broken)])),
        (step, "zz"),
    ]
    fine = regex("x"), step("zz", keys=[4])
    streamed: list[Any] = []
    if how == "raise":
        with pytest.raises(RuntimeError, match="broken") as caught:
            oc.batch(jobs)
        error: Any = caught.value
        assert error.job == 1 and error.row == (0, 0) and "job 1" in " ".join(error.__notes__)
        results = error.values
        assert isinstance(results[3], RuntimeError) and results[3].job == 3
        with pytest.raises(RuntimeError, match="broken"):
            streamed.extend(oc.batch.stream(jobs))
    else:
        results = oc.batch(jobs, errors="return")
        assert isinstance(results[3].errors[0][0], RuntimeError)
        streamed.extend(oc.batch.stream(jobs, errors="return"))
    assert isinstance(results[1], RuntimeError) and isinstance(results[2], oc.errors.IncompleteError)
    assert (results[0], results[4]) == fine and streamed[-1][4] == fine[1]


def test_a_cancelled_batch_has_the_state_of_all_jobs() -> None:
    model = small_model(0)
    step = oc.continuous(make.regex(model, "[abc]{9}", greedy()))

    async def cancelled() -> Any:
        loop = asyncio.get_running_loop()

        def at_third(draws: oc.steer.Draw) -> None:
            if draws.step == 3:
                loop.call_soon_threadsafe(task.cancel)

        jobs = [(step, "x"), (step, "zz", oc.Settings(hooks=[oc.steer.Watch(at_third)]))]
        task = asyncio.create_task(oc.batch.acall(jobs))
        try:
            await task
        except asyncio.CancelledError as error:
            return error.state  # type: ignore[attr-defined]

    state = asyncio.run(cancelled())
    assert state.finished == [["interrupted"], ["interrupted"]]
    assert [each.tolist() for each in oc.batch([(step, state[0, ...]), (step, state[1, ...])], resume=True)] == [
        step(prompt).tolist() for prompt in ("x", "zz")
    ]


# --- beside other ways to run


def test_each_job_may_have_a_draft_or_contexts() -> None:
    model = shipped_model()
    text = oc.continuous(make.text(model, greedy()))
    prompts = ["The sky is", "The sky is", "The sea is"]
    drafted = text(prompts, max_tokens=12, rows=[oc.Settings(draft=oc.drafts.lookup()), None, None])
    assert drafted == text(prompts, max_tokens=12)
    mixed = model.state("The snow is")
    beside: Any = [(mixed, 1.0)]
    assert (
        text(prompts, max_tokens=3, rows=[oc.Settings(max_tokens=2), None, None], beside=beside)[1, ...]
        == text(prompts, max_tokens=3, beside=beside)[1, ...]
    )
    context = text("The sky is", max_tokens=2, beside=beside)
    one, two = oc.batch([(text, context), (text, "The sky is")], max_tokens=2)
    assert one == text(context, max_tokens=2) and two == text("The sky is", max_tokens=2)
    with pytest.raises(TypeError, match="contexts beside them"):
        oc.batch([(text, context), (text, "Mira is", oc.Settings(draft=oc.drafts.lookup()))], max_tokens=2)


def test_an_engine_that_draws_rows_itself_draws_those_of_all_jobs() -> None:
    model = shipped_model()
    patterns = ["[A-Z][a-z]{3,6}", "1[0-9]{3}", "[a-z ]{9}"]

    def jobs(on: Any) -> list[Any]:
        each = [oc.continuous(make.regex(on, pattern, draw())) for pattern in patterns]
        return [(step, "Tom is ", oc.Settings(seed=i, temperature=0.5 + i)) for i, step in enumerate(each)]

    for inside, ours in zip(oc.batch(jobs(FitfulModel(model, 3, 4))), oc.batch(jobs(model)), strict=True):
        assert inside.token_ids.tolist() == ours.token_ids.tolist() and inside.finished == ours.finished


def test_resume_takes_settings_by_row() -> None:
    step = oc.continuous(make.regex(small_model(0), "[abc]{6}", draw()))
    cut = step(["x", "ab"], max_tokens=2, seed=1)
    state = step.resume(cut, rows=[oc.Settings(max_tokens=1), oc.Settings(seed=5)], seed=1)
    assert state[0, ...].identical(step.resume(cut[0, ...], max_tokens=1, seed=1))
    assert state[1, ...].identical(step.resume(cut[1, ...], seed=5))


# --- jobs of any number of rows


@pytest.mark.parametrize("workers", [None])
def test_a_job_takes_settings_from_fields(tmp_path: Path, workers: Any) -> None:
    model = shipped_model()
    text = oc.continuous(make.text(model, draw()))
    rows = [{"prompt": f"Tom has {i} ", "n": 1 + i % 4, "t": 0.5 + i / 9, "s": None if i % 2 else i} for i in range(9)]
    rows[4]["t"] = -1.0
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    columns = {"max_tokens": "n", "temperature": "t", "seed": "s"}
    run: Any = partial(oc.map, text, seed=7, settings=columns, max_tokens=3, workers=workers)
    results = list(run(str(file), shard=4, out=tmp_path / "out"))
    assert isinstance(results[4], TypeError) and "temperature=-1.0" in str(results[4])
    for i, row in enumerate(rows):
        if i != 4:
            each = oc.Settings(temperature=row["t"], seed=row["s"], max_tokens=row["n"])
            assert_same(results[i], text([row["prompt"]], keys=[i], seed=7, rows=[each]))
    for other in (run(rows, shard=9, batch=2), run(rows, shard=4, out=tmp_path / "out")):
        assert [each for each in other if not isinstance(each, Exception)] == results[:4] + results[5:]
    assert other.skipped == 9
    rows[0]["n"] = 3
    changed = run(rows, shard=4, out=tmp_path / "out")
    assert list(changed)[0] != results[0] and changed.skipped == 5


# --- what is refused


def test_what_cannot_differ_is_refused_by_name() -> None:
    model = small_model(0)
    step, text = oc.continuous(make.regex(model, "[ab]+", greedy())), make.text(model, draw())
    beams, cut = make.text(model, oc.samplers.beam_search(2)), text.run("x", 1)
    chain, options = step >> "x" >> step, make.choice(model, ["a", "b"], draw(), by="sequence")
    fields = [{"prompt": "x", "t": 1}]
    wrong: list[tuple[type, str, Any]] = [
        (ValueError, "temperature=0.5.*Greedy.*takes filters", lambda: step("x", rows=[oc.Settings(temperature=0.5)])),
        (
            ValueError,
            "has no option that differs",
            lambda: beams("x", rows=[oc.Settings(top_k=2)]),
        ),
        (ValueError, "whole options", lambda: options("x", rows=[oc.Settings(filters=[oc.filters.min_tokens(1)])])),
        (TypeError, "a chain takes no .*stop_at", lambda: chain("x", rows=[oc.Settings(stop_at="a")])),
        (
            TypeError,
            "resume.. takes no .*stop_at",
            lambda: text.resume(cut, rows=[oc.Settings(stop_at="a")]),
        ),
        (oc.errors.BatchMismatch, "2 given for 1", lambda: step("x", rows=[None, None])),
        (TypeError, "a list with oc.Settings", lambda: step("x", rows=[{"seed": 1}])),
        (ValueError, "names a key that no row has", lambda: step("x", rows={7: oc.Settings()})),
        (ValueError, "leave beside= out", lambda: step.resume(step("x", 1), rows=[None], beside=[("ab", 1.0)])),
        (ValueError, "temperature=-1", lambda: oc.Settings(temperature=-1)),
        (ValueError, "max_tokens=-1", lambda: oc.Settings(max_tokens=-1)),
        (TypeError, "Settings.. takes no option 'samples'", lambda: oc.Settings(samples=2)),  # type: ignore[call-arg]
        (ValueError, "one model", lambda: oc.batch([(step, "x"), (make.text(small_model(1)), "x")])),
        (TypeError, "job 1 is", lambda: oc.batch([(step, "x"), (step,)])),
        (TypeError, "takes a list of jobs", lambda: oc.batch([])),
        (TypeError, "a chain takes no .*stop_at", lambda: oc.batch([(chain, "x")], stop_at="a")),
        (TypeError, "takes no option 'rows'", lambda: oc.batch([(step, "x")], rows=[None])),
        (oc.errors.BatchMismatch, "1 given for 2 prompts", lambda: oc.batch([(step, ["x", "y"])], keys=[3])),
        (
            ValueError,
            "this sampler takes filters",
            lambda: oc.map(step, fields, seed=0, settings={"temperature": "t"}),
        ),
        (ValueError, "a field of a row may say", lambda: oc.map(step, ["x"], seed=0, settings={"hooks": "t"})),
        (TypeError, "settings=3", lambda: oc.map(step, ["x"], seed=0, settings=3)),  # type: ignore[arg-type]
    ]
    for kind, message, call in wrong:
        with pytest.raises(kind, match=message):
            call()


def test_links_in_ways_of_a_chain_draw_by_the_settings_of_their_row() -> None:
    model = shipped_model()
    word = oc.continuous(make.regex(model, "[a-z]{4}", draw()))
    number = oc.continuous(make.regex(model, "[0-9]{4}", draw()))
    chain, cold = (word | number).repeat(2, at_least=2), oc.Settings(temperature=1e-6)
    assert len({str(chain("Mira is ", seed=seed, rows=[cold])) for seed in range(4)}) == 1
    beams = oc.continuous(make.regex(model, "[a-z]{2}", oc.samplers.beam_search(2)))
    with pytest.raises(ValueError, match="no option that differs by row"):
        beams.repeat(2)("Mira is ", rows=[cold])


def test_equal_functions_of_two_rows_are_two_and_need_not_be_comparable() -> None:
    @dataclass
    class Seen:
        rows: list[Any] = field(default_factory=list)

        def __call__(self, row: Any, logits: Any = None) -> Any:
            self.rows.append((row.row if logits is None else row).lineage)
            return logits

    @dataclass
    class Bias:
        values: torch.Tensor

        def __call__(self, row: Any, logits: torch.Tensor) -> torch.Tensor:
            return logits + self.values

    model, prompts, hooks, filters = shipped_model(), ["The sky is", "Mira is"], (Seen(), Seen()), (Seen(), Seen())
    text, size = oc.continuous(make.text(model, greedy())), len(model.vocabulary) + 1
    text(prompts, max_tokens=2, rows=[oc.Settings(hooks=[h], filters=[f]) for h, f in zip(hooks, filters, strict=True)])
    assert [each.rows for each in hooks] == [[(0,)] * 2, [(1,)] * 2]
    assert {row for each in filters for row in each.rows} == {(0,), (1,)}
    biases = [Bias(torch.zeros(size)), Bias(torch.arange(size) / 50)]
    state = text(prompts, max_tokens=3, rows=[oc.Settings(filters=[each]) for each in biases])
    jobs = [oc.continuous(make.text(model, greedy(filters=[each]))) for each in biases]
    alone = [job([prompt], keys=[b], max_tokens=3) for b, (job, prompt) in enumerate(zip(jobs, prompts, strict=True))]
    assert [state[b, ...] for b in range(2)] == alone
    assert oc.batch(list(zip(jobs, prompts, strict=True)), max_tokens=3) == alone


def test_a_frontier_takes_no_draft_not_even_by_row() -> None:
    step = oc.continuous(oc.generate.text(shipped_model(), oc.samplers.greedy()))
    for rows in ([oc.Settings(draft=oc.drafts.lookup())], {0: oc.Settings(draft=oc.drafts.lookup())}):
        with pytest.raises(TypeError, match="leave Settings"):
            step.begin(["Mira is"], rows=rows)
