"""What rows note of single tokens: those beside the constraint, and the candidates of draws that a call keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import beside, lawful_model, scratch
from test_generation import toy_model

import outlines_cont as oc
from outlines_cont.decode import drawing

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
    """What the last span of a row says, without the tokens that its constraint was not told of, and what was healed."""
    row, span = state.rows[b][s], state.spans[b][s][-1]
    ids = [row.ids[at] for at in range(span.start, span.end) if at not in span.unfed]
    return state.model.vocabulary.decode(ids)[len(healed(row)) :].decode("utf-8", "replace")


def healed(row: Any) -> bytes:
    """What the last span of a row has taken back of the text before it."""
    return row.pieces[-1].origin.healed


def test_a_blank_token_is_inserted_into_the_context() -> None:
    """As exllamav2's users asked: "insert a blank token", "feed_filters = False". The JSON is as valid as ever."""
    model = lawful_model()
    [pad] = [model.tokenizer.pad_token_id]
    step, _ = steps(DRAW(), "canonical")["json"]

    def every_third(draw: oc.steer.Draw) -> oc.steer.Insert | None:
        here = len(draw.row) - draw.row.start
        return oc.steer.Insert(pad) if here % 3 == 0 and draw.row.ids[-1] != pad else None

    state = step("Mira is 34.\n", max_tokens=60, seed=4, hooks=[every_third])
    span = state.spans[0][0][-1]
    assert state.finished == [["stop"]] and is_json(text_told(state)) and span.unfed
    assert all(state.rows[0][0].ids[at] == pad for at in span.unfed)
    assert state.captures["v"] == [[[json.loads(text_told(state))]]]
    assert "beside the constraint, which was not told of it" in state.html()
    given_ids = state.logprobs[0, 0, list(span.unfed)]
    assert not given_ids.any() and state.particles.log_importance.isnan().all()


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
            assert len(row.ids) - span.start <= 16 + len(healed(row)) or not span.unfed
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
    for answer in (oc.steer.Insert(x), oc.steer.Replace(x, fed=False)):
        once = [answer]
        states.append(step("xy", hooks=[lambda draw, once=once: once.pop() if len(draw.row) == 3 and once else None]))
    inserted, replaced = states
    assert inserted == replaced and inserted.captures == replaced.captures
    assert inserted.logprobs[0, 0, 3] == 0 and replaced.logprobs[0, 0, 3] < 0
    assert replaced.weights.item() == pytest.approx(inserted.weights.item() + replaced.logprobs[0, 0, 3].item())
    with pytest.raises(ValueError, match="stands beside the constraint, and None is the stop"):
        oc.steer.Replace(None, fed=False)
    with pytest.raises(ValueError, match="gives the constraint up"):
        oc.steer.Replace(5, unconstrained=True, fed=False)
    with pytest.raises(TypeError, match="token='a': it must be the id of a token"):
        oc.steer.Insert("a")  # type: ignore[arg-type]
    for wrong in (oc.steer.Insert(10**6), oc.steer.Insert(None)):  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            step("xy", hooks=[lambda draw, wrong=wrong: wrong])


def test_a_hook_that_always_inserts_ends_with_the_budget() -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", DRAW()), seam="heal")
    state = step("xy", max_tokens=7, seed=0, hooks=[lambda draw: oc.steer.Insert(0)])
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

    def watch(draw: oc.steer.Draw) -> None:
        seen[draw.row.lineage, len(draw.row)] = draw.candidates(top)

    state = step(prompts, max_tokens=10, seed=seed, keep=oc.Keep(candidates=top))
    assert state == step(prompts, max_tokens=10, seed=seed, hooks=[watch])
    for b, rows in enumerate(state.kept.candidates):
        for s, row in enumerate(rows):
            key = state.rows[b][s].lineage
            for at, candidates in enumerate(row):
                expected = seen.get((key, at))
                assert (candidates is None) == (expected is None)
                if candidates is not None and expected is not None:
                    assert [(c.token, c.logprob, c.proposal_logprob) for c in candidates] == expected
                    assert all(c.bytes == (b"" if c.token is None else tokens[c.token]) for c in candidates)
            stop = state.kept.stop_candidates[b][s]
            ended = state.finished[b][s] == "stop" and (key, len(row)) in seen
            assert (stop is not None) == ended
    low, high = cut
    assert state[..., low:-high].kept.candidates == [[row[low:-high] for row in rows] for rows in state.kept.candidates]
    assert (state[..., :low] + state[..., low:]).kept.candidates == state.kept.candidates
    state.save(path := Path(scratch()) / "notes.safetensors")
    assert (
        oc.load_state(path, model).identical(state)
        and oc.load_state(path, model).kept.candidates == state.kept.candidates
    )
    cut = state[..., :-1]
    assume(all(row.pieces and row.pieces[-1].kind == "generated" for rows in cut.rows for row in rows))
    resumed = step.resume(cut, 3, seed=1, keep=oc.Keep(candidates=1))
    for b, rows in enumerate(cut.kept.candidates):
        assert [row[: len(old)] for row, old in zip(resumed.kept.candidates[b], rows, strict=True)] == rows


def test_beams_and_streams_keep_them_too() -> None:
    model = lawful_model()
    step = oc.continuous(oc.generate.regex(model, "[a-z]{3,5}", oc.samplers.beam_search(3)))
    state = step("Mira is ", keep=oc.Keep(candidates=4))
    for row, candidates in zip(state.rows[0], state.kept.candidates[0], strict=True):
        for token, logprob, listed in zip(row.ids, row.logprobs, candidates, strict=True):
            assert (logprob is None) == (listed is None)
            for c in listed or []:
                assert c.token != token or c.logprob == pytest.approx(logprob)
    text = oc.generate.text(model, GREEDY)
    *_, partial = text.stream("The sky is", max_tokens=3, keep=oc.Keep(candidates=2))
    assert [c and c[0].token for c in partial.kept.candidates[0][0]][-3:] == list(partial.rows[0][0].ids[-3:])


def test_a_sampler_that_keeps_none_says_so() -> None:
    class Own(oc.samplers.SamplerDefaults):
        def choose(self, groups: Any, law: Any, seed: int, hooks: Any = None) -> Any:
            raise NotImplementedError

    with pytest.raises(TypeError, match="keeps no candidates"):
        oc.generate.text(lawful_model(), Own())("a", keep=oc.Keep(candidates=2))
    with pytest.raises(ValueError, match="candidates=-1"):
        oc.generate.text(lawful_model())("a", keep=oc.Keep(candidates=-1))


def test_a_forced_token_after_a_stop_has_no_candidates() -> None:
    model = toy_model()
    digits = oc.steer.Branch(allowed=oc.generate.regex(model, "[0-9]+"))

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return [digits] if row.branch is None else [] if row.text.endswith("!") else [oc.steer.Branch(forced=" a!")]

    state = oc.continuous(oc.generate.control(model, controller, GREEDY))(
        "xy",
        40,
        keep=oc.Keep(candidates=2),
        hooks=[lambda draw: oc.steer.Replace(None, otherwise="keep") if draw.row.text else None],
    )
    row, candidates = state.rows[0][0], state.kept.candidates[0][0]
    forced = len(row) - len(model.encoder.append(" a!"))
    assert state.finished == [["stop"]] and candidates[forced:] == [None] * (len(row) - forced)
    assert state.to(oc.Model(model.hf, model.tokenizer)).kept.candidates == [[[None] * len(row)]]


def test_a_cut_inside_a_token_beside_the_constraint_drops_it() -> None:
    model = lawful_model()
    green = model.vocabulary.tokens.index(b" green")
    step = oc.continuous(oc.generate.regex(model, "( [a-z]+)+\\.", GREEDY), name="y")
    once = [oc.steer.Insert(green)]
    state = step("The sky is", 20, hooks=[lambda draw: once.pop() if once and draw.row.text else None])
    cut = state.up_to("een", span="y")
    assert str(state).startswith(str(cut)) and not str(cut).endswith("gr")
    resumed = step.resume(cut, 20).captures["y"][0][0]
    assert all(re.fullmatch("( [a-z]+)+\\.", text) for text in resumed)


# --- alternatives


def top_of_a_forward(model: oc.Model, ids: tuple[int, ...], n: int) -> list[tuple[list[int], list[float]]]:
    """For each position of a row but the first the n likeliest tokens, and one more, of a full forward."""
    with torch.no_grad():
        law = torch.log_softmax(model.hf(torch.tensor([ids])).logits[0].double(), -1)
    values, tokens = law.topk(n + 1)
    return [([], []), *zip(tokens[:-1].tolist(), values[:-1].tolist(), strict=True)]


def assert_all_alike(ours: list[Any], theirs: list[Any]) -> None:
    """Equal alternatives of two grids of rows, but for rounding, and for the order of tokens that are as likely."""
    for group, others in zip(ours, theirs, strict=True):
        for row, other in zip(group, others, strict=True):
            for a, b in zip(row, other, strict=True):
                assert (a is None) == (b is None)
                if a is not None and b is not None:
                    values = [each.logprob for each in a]
                    assert values == pytest.approx([each.logprob for each in b], abs=1e-3)
                    if min((x - y for x, y in pairwise(values)), default=1) > 2e-3:
                        assert [(c.token, c.allowed) for c in a[:-1]] == [(c.token, c.allowed) for c in b[:-1]]


@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from(["json", "regex", "text"]),
    sampler=st.sampled_from([GREEDY, DRAW(), DRAW(samples=2, temperature=0.7, top_k=5), oc.samplers.beam_search(2)]),
    forced=st.sampled_from(["canonical", "never"]),
    n=st.integers(1, 6),
    seed=st.integers(0, 99),
    cut=st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
def test_alternatives_are_the_top_of_a_fresh_forward(
    kind: str, sampler: Any, forced: str, n: int, seed: int, cut: tuple[int, int]
) -> None:
    """Of each generated token, forced ones too; they follow it through all operations, and change no draw."""
    step, _ = steps(sampler, forced)[kind]
    model, prompts = lawful_model(), ["Mira is ", "In 19"]
    state = step(prompts, max_tokens=10, seed=seed, keep=oc.Keep(alternatives=n))
    assert state == step(prompts, max_tokens=10, seed=seed)
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            guide = step.generator.constraint.guide_after(healed(row))
            here, begin = guide.initial, state.spans[b][s][-1].start
            top = top_of_a_forward(model, row.ids, n)
            for at, listed in enumerate(state.kept.alternatives[b][s]):
                assert (listed is None) == (row.logprobs[at] is None)
                if listed is None:
                    continue
                tokens, values = top[at]
                assert [c.logprob for c in listed] == pytest.approx(values[:n], abs=1e-3)
                if min((a - b for a, b in pairwise(values)), default=1) > 1e-3:
                    assert [c.token for c in listed] == tokens[:n]
                assert all(c.bytes == model.vocabulary.tokens[c.token] for c in listed)
                for c in listed:
                    eos = c.token in model.vocabulary.eos
                    allowed = guide.accepting(here) if eos else guide.advance(here, c.token) is not None
                    assert c.allowed == allowed
                assert at >= begin
                here = guide.advance(here, row.ids[at])
            stop = state.kept.stop_alternatives[b][s]
            # A stop that the constraint leaves no choice about is not drawn.
            assert stop is None or (state.finished[b][s] == "stop" and len(stop) == n)
    low, high = cut
    assert state[..., low:-high].kept.alternatives == [
        [row[low:-high] for row in rows] for rows in state.kept.alternatives
    ]
    assert (state[..., :low] + state[..., low:]).kept.alternatives == state.kept.alternatives
    assert (state + "!").kept.alternatives[0][0] == [
        *state.kept.alternatives[0][0],
        *[None] * len(model.encoder.append("!")),
    ]
    assert oc.cat([state, state], 0).kept.alternatives == state.kept.alternatives * 2
    assert state.best().fork(2).kept.alternatives[1] == state.best().kept.alternatives[1] * 2
    state.save(path := Path(scratch()) / "notes.safetensors")
    loaded = oc.load_state(path, model)
    assert loaded.identical(state) and loaded.kept.alternatives == state.kept.alternatives
    assert loaded.kept.stop_alternatives == state.kept.stop_alternatives
    cut = state[..., :-1]
    assume(all(row.pieces and row.pieces[-1].kind == "generated" for rows in cut.rows for row in rows))
    if isinstance(sampler, type(oc.samplers.beam_search(2))):
        return  # a search that goes on gives its rows in another order
    resumed = step.resume(cut, 3, seed=1, keep=oc.Keep(alternatives=n))
    for b, rows in enumerate(cut.kept.alternatives):
        assert [row[: len(old)] for row, old in zip(resumed.kept.alternatives[b], rows, strict=True)] == rows
    for row, listed in zip(resumed.rows[0], resumed.kept.alternatives[0], strict=True):
        assert [each is None for each in listed] == [value is None for value in row.logprobs]


@settings(max_examples=15, deadline=None)
@given(kind=st.sampled_from(["json", "regex", "text"]), n=st.integers(1, 20), seed=st.integers(0, 99))
def test_alternatives_of_a_row_are_its_alone(kind: str, n: int, seed: int) -> None:
    step, _ = steps(DRAW(samples=2), "canonical")[kind]
    prompts = lawful_model().state(["Mira is ", "In 19", "The sky"])
    together = step(prompts, max_tokens=8, seed=seed, keep=oc.Keep(alternatives=n))
    for b in range(3):
        alone = step(prompts[b : b + 1, :, :], max_tokens=8, seed=seed, keep=oc.Keep(alternatives=n))
        assert alone == together[b : b + 1, :, :]
        assert_all_alike(alone.kept.alternatives, together[b : b + 1, :, :].kept.alternatives)


def test_alternatives_cost_a_topk_a_step_and_nothing_when_they_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lawful_model()
    calls: list[int] = []
    plain = drawing._likeliest

    def counted(logits: torch.Tensor, count: int) -> Any:
        calls.append(len(logits))
        return plain(logits, count)

    monkeypatch.setattr(drawing, "_likeliest", counted)
    step = oc.continuous(oc.generate.text(model, DRAW(samples=3)))
    off = step(["Mira is", "Tom is"], max_tokens=6, seed=3)
    assert not calls and not any(
        piece.origin.notes for rows in off.rows for row in rows for piece in row.pieces if any(piece.origin.notes)
    )
    passes = model.stats.passes
    assert step(["Mira is", "Tom is"], max_tokens=6, seed=3, keep=oc.Keep(alternatives=2)) == off
    assert len(calls) <= 6 and calls[0] == 6 and model.stats.passes - passes <= 6
    calls.clear()
    forced = oc.continuous(oc.generate.regex(model, "[ab] and so it goes", GREEDY))
    row = forced("x", keep=oc.Keep(alternatives=2)).kept.alternatives[0][0]
    assert len(calls) == 2, "one for the draw, and one for all that is forced"
    assert sum(each is not None for each in row) == sum(calls)


def test_alternatives_go_wherever_calls_go() -> None:
    """Streams, frontiers, chains, maps, drafts, contexts beside rows, controllers."""
    model = oc.load()
    text = oc.generate.text(model, GREEDY)
    step = oc.continuous(text)
    options: Any = {"max_tokens": 3, "keep": oc.Keep(alternatives=2)}
    expected = step("The sky is", **options)
    *_, partial = text.stream("The sky is", **options)
    assert partial.kept.alternatives == expected.kept.alternatives and expected.kept.alternatives[0][0][-1]
    frontier = text.begin("The sky is", **options)
    while not frontier.done:
        frontier = frontier.step(model.logits(frontier.pending))
    assert_all_alike(frontier.state.kept.alternatives, expected.kept.alternatives)
    for draft in (oc.drafts.lookup(), oc.drafts.lookup(["The sky is blue and white."])):
        assert_all_alike(step("The sky is", **options, draft=draft).kept.alternatives, expected.kept.alternatives)
    beside_it = step("The sky is", **options, beside=[("The sea is", 1.0)])
    for row, listed in zip(beside_it.rows[0], beside_it.kept.alternatives[0], strict=True):
        top = top_of_a_forward(model, row.ids, 2)
        for (tokens, values), each in zip(top, listed, strict=True):
            if each:
                assert [c.token for c in each] == tokens[:2]
                assert [c.logprob for c in each] == pytest.approx(values[:2], abs=1e-3)
    word = oc.continuous(oc.generate.regex(model, "[a-z]{2,4}", GREEDY), name="word")
    chain = word >> " and so " >> word
    state = chain("Mira ", keep=oc.Keep(alternatives=3))
    assert [each is None for each in state.kept.alternatives[0][0]] == [
        value is None for value in state.rows[0][0].logprobs
    ]
    assert [values for values in oc.map(text, ["The sky is"], seed=0, **options)] == [text("The sky is", max_tokens=3)]
    once = oc.generate.choice(model, ["ab", "cd"], by="sequence")
    assert oc.continuous(once)("x", keep=oc.Keep(alternatives=2)).kept.alternatives[0][0][-1] is None

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        parts = {
            None: oc.steer.Branch(allowed=oc.generate.regex(model, "[ab]+"), memory=1),
            1: oc.steer.Branch(forced="12", memory=2),
        }
        return [parts[row.memory]] if row.memory in parts else []

    made = oc.continuous(oc.generate.control(model, controller, DRAW()))(
        "x", seed=0, max_tokens=12, keep=oc.Keep(alternatives=2)
    )
    row, listed = made.rows[0][0], made.kept.alternatives[0][0]
    for each, (_, values), value in zip(listed, top_of_a_forward(model, row.ids, 2), row.logprobs, strict=True):
        assert (each is None) == (value is None)
        assert each is None or [c.logprob for c in each] == pytest.approx(values[:2], abs=1e-3)


def test_hooks_leave_the_alternatives_of_their_places() -> None:
    """What is declined, replaced or put there does not change what the model found likely."""
    model = lawful_model()
    x = model.encoder.append("z")[0]
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", DRAW(), forced="never"), name="v")
    for answer in (
        oc.steer.Resample(),
        oc.steer.Replace(x, fed=False),
        oc.steer.Insert(x),
        oc.steer.Replace(x, unconstrained=True),
        oc.steer.Backtrack(1),
    ):
        once = [answer]
        hook = lambda draw, once=once: once.pop() if draw.row.text and once else None  # noqa: E731
        state = step("xy", seed=1, hooks=[hook], keep=oc.Keep(candidates=2, alternatives=2))
        row = state.rows[0][0]
        assert not once
        for at, (each, (_, values)) in enumerate(
            zip(state.kept.alternatives[0][0], top_of_a_forward(model, row.ids, 2), strict=True)
        ):
            assert (each is None) == (at < len(model.state("xy").rows[0][0].ids))
            assert each is None or [c.logprob for c in each] == pytest.approx(values[:2], abs=1e-3)


def test_what_cannot_have_alternatives_says_so() -> None:
    model = lawful_model()
    for wrong in (-1, 21):
        with pytest.raises(ValueError, match=rf"alternatives={wrong}: it must be an int from 0 to 20"):
            oc.generate.text(model)("a", keep=oc.Keep(alternatives=wrong))
    with pytest.raises(TypeError, match="alternatives=True"):
        oc.generate.text(model)("a", keep=oc.Keep(alternatives=True))
    with pytest.raises(TypeError, match=r"Keep\(alternatives=n\) keeps likely tokens"):
        oc.generate.text(model).begin("a", keep=oc.Keep(alternatives=1)).accept([5])
    with pytest.raises(TypeError, match="takes no option 'keep'"):
        oc.map(oc.scores.scoring(model, ["a"]), ["b"], seed=0, keep=oc.Keep(alternatives=3))
    with pytest.raises(TypeError, match="it belongs to the call"):
        oc.generate.text(model, keep=oc.Keep(alternatives=3))  # type: ignore[call-arg]


def test_another_model_knows_no_alternatives_and_a_fresh_score_keeps_them() -> None:
    model = lawful_model()
    state = oc.continuous(oc.generate.text(model, GREEDY))("The sky is", max_tokens=3, keep=oc.Keep(alternatives=2))
    assert state.rescore().kept.alternatives == state.kept.alternatives
    assert state.to(oc.Model(model.hf, model.tokenizer)).kept.alternatives == [[[None] * state.shape[2]]]


@pytest.mark.parametrize("include_stop", [False, True])
@pytest.mark.parametrize("stop", ["ue", "blu", "lue. T", "e cap"])
def test_alternatives_of_tokens_that_a_stop_string_has_spelled_anew(stop: str, include_stop: bool) -> None:
    """A stop string that begins inside a token leaves a part of it, which may be several tokens."""
    model = oc.load()
    step = oc.continuous(oc.generate.text(model, GREEDY, include_stop=include_stop))
    state = step("The sky is", max_tokens=12, stop_at=stop, keep=oc.Keep(alternatives=3))
    [[row]], [[listed]] = state.rows, state.kept.alternatives
    top = top_of_a_forward(model, row.ids, 3)
    noted = [(place, each) for place, each in enumerate(listed) if each]
    assert (
        noted and [place for place, _ in noted] == [*range(len(model.state("The sky is")[0]), len(row))][-len(noted) :]
    )
    for place, each in noted:
        tokens, values = top[place]
        assert [c.token for c in each] == tokens[:3] and all(c.allowed for c in each)
        assert [c.logprob for c in each] == pytest.approx(values[:3], abs=1e-3)
