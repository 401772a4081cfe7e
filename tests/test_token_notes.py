"""What rows note of single tokens: those beside the constraint, and the candidates of draws that a call keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import beside, lawful_model, scratch
from test_generation import toy_model

import outlines_cont as oc

GREEDY, DRAW = oc.samplers.greedy(), oc.samplers.multinomial
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["é", "yes"]}}, "required": ["a"]}
PATTERN = "[0-9]{1,3}(é|ab)*"


def is_json(text: str) -> bool:
    return {"a"} <= json.loads(text).keys() <= {"a", "b"}


def steps(sampler: Any, forced: str) -> dict[str, tuple[oc.Step, Callable[[str], Any]]]:
    """Steps, and what their whole values fit."""
    model = lawful_model()
    return {
        "json": (oc.continuous(oc.generate.json(model, SCHEMA, sampler, forced=forced), name="v"), is_json),
        "regex": (
            oc.continuous(oc.generate.regex(model, PATTERN, sampler, forced=forced), name="v"),
            lambda text: re.fullmatch(PATTERN, text),
        ),
        "text": (oc.continuous(oc.generate.text(model, sampler), name="v"), lambda text: True),
    }


def text_told(state: oc.SequenceState, b: int = 0, s: int = 0) -> str:
    """What the last span of a row says, without the tokens that its constraint was not told of."""
    row, span = state.rows[b][s], state.spans[b][s][-1]
    ids = [row.ids[at] for at in range(span.start, span.end) if at not in span.unfed]
    return state.model.vocabulary.decode(ids).decode("utf-8", "replace")


def test_a_blank_token_is_inserted_into_the_context() -> None:
    """As exllamav2's users asked: "insert a blank token", "feed_filters = False". The JSON is as valid as ever."""
    model = lawful_model()
    [pad] = [model.tokenizer.pad_token_id]
    step, _ = steps(DRAW(), "canonical")["json"]

    def every_third(draw: oc.Draw) -> oc.Insert | None:
        here = len(draw.row) - draw.row.start
        return oc.Insert(pad) if here % 3 == 0 and draw.row.ids[-1] != pad else None

    state = step("Mira is 34.\n", max_tokens=60, seed=4, hooks=[every_third])
    span = state.spans[0][0][-1]
    assert state.finished == [["stop"]] and is_json(text_told(state)) and span.unfed
    assert all(state.rows[0][0].ids[at] == pad for at in span.unfed)
    assert state.captures["v"] == [[[json.loads(text_told(state))]]]
    assert "beside the constraint, which was not told of it" in state.html()
    given_ids = state.logprobs[0, 0, list(span.unfed)]
    assert not given_ids.any() and state.log_importance.isnan().all()


@settings(max_examples=40, deadline=None)
@given(
    kind=st.sampled_from(["json", "regex", "text"]),
    sampler=st.sampled_from([GREEDY, DRAW(), DRAW(samples=2), oc.samplers.beam_search(2)]),
    forced=st.sampled_from(["canonical", "never"]),
    seed=st.integers(0, 99),
    cut=st.integers(1, 8),
)
def test_tokens_beside_the_constraint_are_known_everywhere(
    kind: str, sampler: Any, forced: str, seed: int, cut: int
) -> None:
    """Captures, slices, files, fresh scores, streams and resumed spans: all know the mark."""
    step, fits = steps(sampler, forced)[kind]
    options: Any = {"seed": seed, "hooks": [beside(seed)]} | ({"stop_at": ["12", " a"]} if kind == "text" else {})
    state = step(["Mira is ", "In 19"], max_tokens=16, **options)
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            if row.finished == "stop":
                assert fits(text_told(state, b, s))
            span = state.spans[b][s][-1]
            assert len(row.ids) - span.start <= 16 or not span.unfed
    torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-3, rtol=1e-3)
    whole = [[[text_told(state, b, s)] for s in range(state.shape[1])] for b in range(2)]
    for b, s in ((b, s) for b in range(2) for s in range(state.shape[1])):
        if state.finished[b][s] == "stop" and kind != "json":
            assert state.captures["v"][b][s] == whole[b][s]
    path = Path(scratch()) / "notes.safetensors"
    state.save(path)
    assert oc.load_state(path, state.model).identical(state)
    assert (state[..., :-cut] + state[..., -cut:]).spans == state.spans
    assert (state[..., :-cut] + state[..., -cut:]).captures == state.captures
    kept = state[..., :-cut]
    assume(all(row.pieces and row.pieces[-1].kind == "generated" for rows in kept.rows for row in rows))
    again = {"seed": seed, "max_tokens": 16}
    resumed = step.resume(kept, **again)
    loaded = resume_loaded(step, kept, path, again)
    assert loaded == resumed and [[s[-1].unfed for s in g] for g in loaded.spans] == [
        [s[-1].unfed for s in g] for g in resumed.spans
    ]
    for b, rows in enumerate(resumed.rows):
        for s, row in enumerate(rows):
            assert row.finished != "stop" or fits(text_told(resumed, b, s))
            same_row = row.ids[: len(kept.rows[b][s])] == kept.rows[b][s].ids  # beams may change places
            assert not same_row or kept.spans[b][s][-1].unfed == row.spans[-1].unfed[: len(kept.spans[b][s][-1].unfed)]


def resume_loaded(step: oc.Step, kept: oc.SequenceState, path: Path, options: Any) -> oc.SequenceState:
    kept.save(path)
    return step.resume(oc.load_state(path, kept.model), **options)


@settings(max_examples=20, deadline=None)
@given(kind=st.sampled_from(["json", "regex", "text"]), seed=st.integers(0, 99))
def test_streams_leave_them_out(kind: str, seed: int) -> None:
    """Joined, the deltas are the value's text."""
    step, _ = steps(DRAW(), "canonical")[kind]
    partials = list(step.stream("Mira is ", max_tokens=12, seed=seed, hooks=[beside(seed)]))
    assert "".join(str(partial.delta) for partial in partials) == text_told(partials[-1])


def test_an_unfed_replacement_is_scored_and_an_insertion_is_given() -> None:
    model = toy_model()
    x = model.encoder.append("z")[0]
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", GREEDY, forced="never"), name="v")
    states = []
    for answer in (oc.Insert(x), oc.Replace(x, fed=False)):
        once = [answer]
        states.append(step("xy", hooks=[lambda draw, once=once: once.pop() if len(draw.row) == 3 and once else None]))
    inserted, replaced = states
    assert inserted == replaced and inserted.captures == replaced.captures
    assert inserted.logprobs[0, 0, 3] == 0 and replaced.logprobs[0, 0, 3] < 0
    assert replaced.weights.item() == pytest.approx(inserted.weights.item() + replaced.logprobs[0, 0, 3].item())
    with pytest.raises(ValueError, match="stands beside the constraint, and None is the stop"):
        oc.Replace(None, fed=False)
    with pytest.raises(ValueError, match="gives the constraint up"):
        oc.Replace(5, unconstrained=True, fed=False)
    with pytest.raises(TypeError, match="token='a': it must be the id of a token"):
        oc.Insert("a")  # type: ignore[arg-type]
    for wrong in (oc.Insert(10**6), oc.Insert(None)):  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            step("xy", hooks=[lambda draw, wrong=wrong: wrong])


def test_a_hook_that_always_inserts_ends_with_the_budget() -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", DRAW()), seam="heal")
    state = step("xy", max_tokens=7, seed=0, hooks=[lambda draw: oc.Insert(0)])
    assert state.finished == [["length"]] and state.lengths.item() <= 2 + 7


# --- candidates


@settings(max_examples=30, deadline=None)
@given(
    kind=st.sampled_from(["json", "regex", "text"]),
    sampler=st.sampled_from([GREEDY, DRAW(), DRAW(samples=2, temperature=0.7, top_k=5), DRAW(top_p=0.8)]),
    top=st.integers(1, 6),
    seed=st.integers(0, 99),
    cut=st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
def test_the_top_n_of_every_draw_are_kept(kind: str, sampler: Any, top: int, seed: int, cut: tuple[int, int]) -> None:
    """They are what a hook sees; they follow their tokens through slices, joins and files, and change no draw."""
    step, _ = steps(sampler, "canonical")[kind]
    model, prompts = lawful_model(), ["Mira is ", "In 19"]
    tokens, seen = model.vocabulary.tokens, {}

    def watch(draw: oc.Draw) -> None:
        seen[draw.row.lineage, len(draw.row)] = draw.candidates(top)

    state = step(prompts, max_tokens=10, seed=seed, top=top)
    assert state == step(prompts, max_tokens=10, seed=seed, hooks=[watch])
    for b, rows in enumerate(state.candidates):
        for s, row in enumerate(rows):
            key = state.rows[b][s].lineage
            for at, candidates in enumerate(row):
                expected = seen.get((key, at))
                assert (candidates is None) == (expected is None)
                if candidates is not None and expected is not None:
                    assert [(c.token, c.logprob, c.proposal_logprob) for c in candidates] == expected
                    assert all(c.bytes == (b"" if c.token is None else tokens[c.token]) for c in candidates)
            stop = state.stop_candidates[b][s]
            ended = state.finished[b][s] == "stop" and (key, len(row)) in seen
            assert (stop is not None) == ended
    low, high = cut
    assert state[..., low:-high].candidates == [[row[low:-high] for row in rows] for rows in state.candidates]
    assert (state[..., :low] + state[..., low:]).candidates == state.candidates
    state.save(path := Path(scratch()) / "notes.safetensors")
    assert oc.load_state(path, model).identical(state) and oc.load_state(path, model).candidates == state.candidates
    kept = state[..., :-1]
    assume(all(row.pieces and row.pieces[-1].kind == "generated" for rows in kept.rows for row in rows))
    resumed = step.resume(kept, 3, seed=1, top=1)
    for b, rows in enumerate(kept.candidates):
        assert [row[: len(old)] for row, old in zip(resumed.candidates[b], rows, strict=True)] == rows


def test_beams_and_streams_keep_them_too() -> None:
    model = lawful_model()
    step = oc.continuous(oc.generate.regex(model, "[a-z]{3,5}", oc.samplers.beam_search(3)))
    state = step("Mira is ", top=4)
    for row, candidates in zip(state.rows[0], state.candidates[0], strict=True):
        for token, logprob, listed in zip(row.ids, row.logprobs, candidates, strict=True):
            assert (logprob is None) == (listed is None)
            for c in listed or []:
                assert c.token != token or c.logprob == pytest.approx(logprob)
    text = oc.generate.text(model, GREEDY)
    *_, partial = text.stream("The sky is", max_tokens=3, top=2)
    assert [c and c[0].token for c in partial.candidates[0][0]][-3:] == list(partial.rows[0][0].ids[-3:])


def test_a_sampler_that_keeps_none_says_so() -> None:
    class Own(oc.samplers.SamplerDefaults):
        def choose(self, groups: Any, law: Any, seed: int, hooks: Any = None) -> Any:
            raise NotImplementedError

    with pytest.raises(TypeError, match="keeps no candidates"):
        oc.generate.text(lawful_model(), Own())("a", top=2)
    with pytest.raises(ValueError, match="top=-1"):
        oc.generate.text(lawful_model())("a", top=-1)


def test_a_forced_token_after_a_stop_has_no_candidates() -> None:
    model = toy_model()
    digits = oc.Branch(allowed=oc.generate.regex(model, "[0-9]+"))

    def controller(row: oc.Writing) -> list[oc.Branch]:
        return [digits] if row.branch is None else [] if row.text.endswith("!") else [oc.Branch(forced=" a!")]

    state = oc.continuous(oc.generate.control(model, controller, GREEDY))(
        "xy", 40, top=2, hooks=[lambda draw: oc.Replace(None, otherwise="keep") if draw.row.text else None]
    )
    row, candidates = state.rows[0][0], state.candidates[0][0]
    forced = len(row) - len(model.encoder.append(" a!"))
    assert state.finished == [["stop"]] and candidates[forced:] == [None] * (len(row) - forced)
    assert state.to(oc.Model(model.hf, model.tokenizer)).candidates == [[[None] * len(row)]]


def test_a_cut_inside_a_token_beside_the_constraint_drops_it() -> None:
    model = lawful_model()
    green = model.vocabulary.tokens.index(b" green")
    step = oc.continuous(oc.generate.regex(model, "( [a-z]+)+\\.", GREEDY), name="y")
    once = [oc.Insert(green)]
    state = step("The sky is", 20, hooks=[lambda draw: once.pop() if once and draw.row.text else None])
    cut = state.up_to("een", span="y")
    assert str(state).startswith(str(cut)) and not str(cut).endswith("gr")
    resumed = step.resume(cut, 20).captures["y"][0][0]
    assert all(re.fullmatch("( [a-z]+)+\\.", text) for text in resumed)
