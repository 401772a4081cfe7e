"""Rows that fail, fail alone: the others are what they are in a batch without them, and the error says which it was."""

from __future__ import annotations

import copy
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator
from test_generation import small_model
from test_interrupted import BEAMS, OTHERS, assert_same, model_of, steps

import outlines_cont as oc
from outlines_cont.fsm import guide as guides
from outlines_cont.state.state import SequenceState

make, S = oc.generate, oc.samplers
JOINT = (S.BeamSearch, S.Particles)
GOOD = ["x", "ab", "zz", "1-"]
MARKED = "yay"  # the prompt of the row at which a hook raises
BAD: dict[str, Any] = {
    "too long": "x" * 99,
    "no token of these": [9999],
    "nothing": [],
    "not spelled": "é",
    "marked": MARKED,
}


class Broken(Exception):
    """What hooks of these tests raise."""


def watch(model: oc.Model, after: int) -> oc.steer.Watch:
    """It raises at the marked row, after so many draws of it."""
    marked = model.state(MARKED).rows[0][0].ids

    def look(draw: oc.steer.Draw) -> None:
        if draw.step >= after and draw.row.ids[: len(marked)] == marked:
            raise Broken(draw.step)

    return oc.steer.Watch(look)


def batch_row(state: oc.SequenceState, b: int) -> oc.SequenceState:
    """The live samples of one batch row."""
    live = [row for row in state.rows[b] if not row.dead]
    return SequenceState(state.model, [live], samples=len(live))


@settings(max_examples=80)
@given(data=st.data())
def test_the_others_are_what_they_are_without_the_bad_ones(data: st.DataObject) -> None:
    model = model_of(data.draw(st.sampled_from(["0", "1", "gpt-j", "even"]), "model"))
    sampler = data.draw(st.one_of(st.sampled_from(BEAMS), st.sampled_from(OTHERS)), "sampler")
    made = steps(model, sampler)
    step = made[data.draw(st.sampled_from(sorted(made)), "step")]
    kinds = data.draw(st.lists(st.sampled_from([*GOOD, *BAD]), min_size=1, max_size=5), "prompts")
    long = "x" * (1 + (model.context_length or 0))
    prompts = [{**BAD, "too long": long}.get(kind, kind) for kind in kinds]
    options: Any = {
        "seed": data.draw(st.integers(0, 9)),
        "hooks": [watch(model, data.draw(st.integers(0, 3), "after"))],
    }
    whole = step([MARKED if kind in BAD else kind for kind in kinds], seed=options["seed"])
    state = step(prompts, errors="return", **options)
    failed = {b for b, errors in enumerate(state.errors) if any(errors)}
    assert {b for b, kind in enumerate(kinds) if kind in BAD and kind != "marked"} <= failed
    assert all(kinds[b] in BAD for b in failed)
    for b in set(range(len(kinds))) - failed:
        assert_same(batch_row(state, b), batch_row(whole, b))
    for b in failed:
        dead = [row.dead for row in state.rows[b]]
        assert dead == [finished == "dead" for finished in state.finished[b]]
        assert all(error is None or row.dead for row, error in zip(state.rows[b], state.errors[b], strict=True))
        assert all(dead) or not isinstance(sampler, JOINT)
    *_, last = step.stream(prompts, errors="return", **options)
    assert_same(last, state)
    assert [list(map(str, group)) for group in last.errors] == [list(map(str, group)) for group in state.errors]
    frontier = step.begin(prompts, **options)
    while not frontier.done:
        frontier = frontier.step(model.logits(frontier.pending))
    assert_same(frontier.state, state)
    if not failed:
        assert_same(step(prompts, **options), state)
        return
    with pytest.raises((ValueError, Broken)) as caught:
        step(prompts, **options)
    check_raised(caught.value, state, step, whole, {b for b in failed if kinds[b] == "marked"}, options["seed"])
    with pytest.raises((ValueError, Broken)) as again:
        list(step.stream(prompts, **options))
    assert str(again.value) == str(caught.value)


def check_raised(
    error: Any, state: oc.SequenceState, step: Any, whole: oc.SequenceState, marked: set[int], seed: int
) -> None:
    """The first error, which carries all rows, and the texts of those that did not fail. `resume` tries the others."""
    firsts = [(b, s) for b, group in enumerate(state.errors) for s, each in enumerate(group) if each]
    kinds = [type(each) for group in state.errors for each in group if each]
    assert error.row == firsts[0] and [type(error)] == kinds[:1]
    texts = [[str(each) if isinstance(each, Exception) else each for each in group] for group in error.values]
    expected = [
        [
            str(each) if each else text_of(state, row)
            for row, each in zip(rows, errors, strict=True)
            if each or not row.dead
        ]
        for rows, errors in zip(state.rows, state.errors, strict=True)
    ]
    assert texts == expected
    for b in range(len(state.rows)):
        if not any(state.errors[b]):
            assert_same(batch_row(error.state, b), batch_row(state, b))
    for b in marked:
        assert_same(batch_row(step.resume(error.state[b : b + 1, :, :], seed=seed), 0), batch_row(whole, b))


def test_a_row_that_fails_before_its_chain_widens_it_is_widened_by_resume() -> None:
    model = model_of("0")
    step = steps(model, S.multinomial(3))["two samplers"]  # one sample in the first link, three from the second one on
    whole = step(["x", MARKED], seed=0)
    with pytest.raises(Broken) as caught:
        step(["x", MARKED], seed=0, hooks=[watch(model, 0)])
    state: oc.SequenceState = caught.value.state  # type: ignore[attr-defined]
    assert_same(batch_row(step.resume(state[1:2, :, :], seed=0), 0), batch_row(whole, 1))
    assert_same(batch_row(step.resume(state, seed=0), 1), batch_row(whole, 1))


@pytest.mark.parametrize("sampler", [S.multinomial(samples=3), S.smc(3)])
def test_rows_that_were_cut_in_several_links_go_on_as_each_would_alone(sampler: S.Sampler[Any]) -> None:
    """Some stand before the link that makes three samples, and some in it: a call is cut where each row has no room."""
    model = oc.load()
    word = oc.continuous(oc.generate.regex(model, "[a-z]{1,4}", S.greedy()), name="word")
    year = oc.continuous(oc.generate.regex(model, "[0-9]{3}", sampler), name="year")
    step, prompts = word >> " " >> year, ["The sky is ", "Zora is ", "A: "]
    whole, places = step(prompts, seed=1), set()
    for tokens in range(1, 5):
        state = step(prompts, seed=1, max_tokens=tokens)
        places.add(tuple(len(row.pieces) for group in state.rows for row in group))
        together = step.resume(state, seed=1)
        assert together.tolist() == whole.tolist()
        for b in range(len(prompts)):
            assert_same(batch_row(step.resume(state[b : b + 1, :, :], seed=1), 0), batch_row(together, b))
    assert len(places) > 1


def test_samples_that_were_dead_stay_dead_where_a_call_goes_on() -> None:
    """In the state on the way, rows fill it up beside one that has fewer samples; the dead samples stand among them."""
    model = model_of("0")
    step = steps(model, S.multinomial(3))["two samplers"]
    samples = oc.continuous(oc.generate.regex(model, "[abc]{2}", S.multinomial(samples=3)))(["x", "ab"], seed=1)
    start = samples.pick([(0, 0), (0, 1), (0, 2), (1, 0)])
    whole, frontier = step(start, seed=0), step.begin(start, seed=0)
    assert [[row.dead for row in group] for group in whole.rows] == [[False] * 3, [False, True, True]]
    while not frontier.done:
        for b in range(2):
            assert_same(batch_row(step.resume(frontier.state[b : b + 1, :, :], seed=0), 0), batch_row(whole, b))
        assert_same(step.resume(frontier.state, seed=0), whole)
        frontier = frontier.step(model.logits(frontier.pending))


def text_of(state: oc.SequenceState, row: Any) -> str:
    return state.model.encoder.decode(row.ids)


# --- what can fail for one row


class FailingGuide:
    """A guide of somebody else, which has no mask after two tokens."""

    def __init__(self, model: oc.Model):
        self.guide = guides.regex("[ab]{3}", model.vocabulary)
        self.vocabulary, self.initial = model.vocabulary, (self.guide.initial, 0)

    def mask(self, state: Any) -> np.ndarray:
        if state[1] == 2:
            raise Broken("no mask")
        return self.guide.mask(state[0])

    def advance(self, state: Any, token: int) -> Any:
        after = self.guide.advance(state[0], token)
        return None if after is None else (after, state[1] + 1)

    def accepting(self, state: Any) -> bool:
        return self.guide.accepting(state[0])


def texts_of(error: Any) -> list[Any]:
    return [[each if isinstance(each, str) else type(each) for each in group] for group in error.values]


def begins(model: oc.Model, row: Any, prompt: str) -> bool:
    """Whether a row of a controller goes on from this prompt."""
    return row.ids[: row.start] == model.state(prompt).rows[0][0].ids


def test_a_controller_that_raises_ends_its_row() -> None:
    """At the beginning, at a step, and in a fork, which is a row of its own."""
    model = model_of("1")

    def controller(row: Any) -> list[oc.steer.Branch]:
        if begins(model, row, "x"):
            raise Broken("at once")
        if row.text == "ab":
            raise Broken("in a fork")
        return [] if row.text else [oc.steer.Branch(forced="ab"), oc.steer.Branch(forced="1")]

    step = oc.continuous(make.control(model, controller, S.greedy()))
    state = step(["x", "z"], errors="return")
    assert state.tolist() == [[], ["z1"]] and state.finished == [["dead", "dead"], ["dead", "stop"]]
    assert [[str(each) if each else None for each in group] for group in state.errors] == [
        ["at once", None],
        ["in a fork", None],
    ]
    with pytest.raises(Broken, match="in a fork") as caught:
        step(["z", "x"])
    error: Any = caught.value
    assert error.row == (0, 0) and texts_of(error) == [[Broken, "z1"], [Broken]]
    assert error.state.tolist() == [["z", "z1"], ["x"]]  # as they were before that step


def test_rows_in_lock_step_fail_together() -> None:
    model = model_of("1")

    def together(rows: Any) -> dict[Any, list[oc.steer.Branch]]:
        if rows[0].text == "ab" and begins(model, rows[0], "z"):
            raise Broken("all of them")
        return {row: [] if len(row.text) > 3 else [oc.steer.Branch(forced="ab")] for row in rows}

    step = oc.continuous(make.control(model, together=together, sampler=S.multinomial(2)))
    state = step(["x", "z"], seed=1, errors="return")
    assert state.tolist() == [["xabab", "xabab"], []]
    assert [[bool(each) for each in group] for group in state.errors] == [[False, False], [True, False]]
    with pytest.raises(Broken) as caught:
        step(["x", "z"], seed=1)
    error: Any = caught.value
    assert error.state.tolist() == [["xabab", "xabab"], ["z", "z"]]  # both, as they were


@pytest.mark.parametrize("sampler", [S.greedy(), S.multinomial(2), S.beam_search(2)], ids=str)
def test_a_guide_that_fails_ends_its_row(sampler: Any) -> None:
    model = model_of("1")
    failing, whole = FailingGuide(model), guides.regex("[ab]{3}", model.vocabulary)

    def controller(row: Any) -> list[oc.steer.Branch]:
        return [] if row.text else [oc.steer.Branch(allowed=failing if begins(model, row, "z") else whole)]

    step = oc.continuous(make.control(model, controller, sampler))
    state, alone = step(["x", "z", "1"], seed=2, errors="return"), step(["x", "x", "1"], seed=2)
    for b in (0, 2):
        assert_same(batch_row(state, b), batch_row(alone, b))
    assert [str(each) for each in state.errors[1] if each] == ["no mask"] * (2 if sampler == S.multinomial(2) else 1)
    assert [any(errors) for errors in state.errors] == [False, True, False]


@pytest.mark.parametrize("kernels", ["reference", "triton"])
def test_logits_that_are_no_numbers_end_their_row_and_are_forgotten(
    kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", kernels)
    model = small_model.__wrapped__()
    step = oc.continuous(make.regex(model, "[ab]{4}", S.multinomial()))
    marked, whole, ill = model.state(MARKED).rows[0][0].ids, step(["x", MARKED], seed=1), [True]
    bare, read = model.state(["x", MARKED]), model.language_model.read

    def hurt(needs: Any) -> Any:
        logits, claims = read(needs)
        lines = [line for line, need in enumerate(needs) if (*need.head, *need.ids)[: len(marked)] == marked]
        if ill[0]:
            logits = logits.clone()
            logits[lines] = torch.nan
        return logits, claims

    monkeypatch.setattr(model.language_model, "read", hurt)
    with pytest.raises(ValueError, match=r"^row \(1, 0\): the model's logits hold NaN") as caught:
        step(bare, seed=1)
    assert_same(batch_row(caught.value.state, 0), batch_row(whole, 0))  # type: ignore[attr-defined]
    ill[0] = False
    assert_same(step.resume(caught.value.state, seed=1), whole)  # type: ignore[attr-defined]


def test_keys_of_a_model_that_was_ill_are_not_kept_by_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its state can be resumed as soon as the model is well: nothing of what was computed meanwhile is served again."""
    model = small_model.__wrapped__()
    step = oc.continuous(make.regex(model, "[ab]{4}", S.multinomial()))
    whole, forward, ill = step(["x", "z"], seed=1), model.hf.forward, [0]

    def hurt(*args: Any, **kwargs: Any) -> Any:
        result = forward(*args, **kwargs)
        ill[0] += 1
        if ill[0] == 2:
            result.logits = torch.full_like(result.logits, torch.nan)
        return result

    monkeypatch.setattr(model.hf, "forward", hurt)
    cold = model.state(["x", "z"])
    del whole
    gc.collect()
    with pytest.raises(ValueError, match=r"^row \(0, 0\): the model's logits hold NaN") as caught:
        step(cold, seed=1)
    error: Any = caught.value
    resumed = step.resume(error.state, seed=1)
    assert ill[0] > 2
    assert_same(resumed, step(["x", "z"], seed=1))


def test_a_span_that_cannot_go_on_ends_its_row() -> None:
    """`resume`: text that does not fit, and a row that has no such span; each with what it was."""
    model = model_of("1")
    step = oc.continuous(make.regex(model, "[ab]{4}", S.multinomial()), name="v")
    state = step(["x", "z", "1"], seed=3)
    cut = state[..., :-2] + ["", "zz", ""]
    resumed = step.resume(cut, seed=3, errors="return")
    assert_same(resumed[[0, 2], :, :], state[[0, 2], :, :])
    assert type(resumed.errors[1][0]) is oc.errors.ConstraintError and resumed.finished[1] == ["dead"]
    with pytest.raises(oc.errors.ConstraintError, match=r"^row \(1, 0\): .* does not begin a value") as caught:
        step.resume(cut, seed=3)
    assert_same(caught.value.state[[0, 2], :, :], state[[0, 2], :, :])  # type: ignore[attr-defined]
    assert caught.value.state[1, :, :] == cut[1, :, :]  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no such span") as missing:
        step.resume(oc.cat([model.state("x"), cut[:1, :, :]], 0), seed=3)
    assert missing.value.row == (0, 0) and missing.value.state.finished == [[None], ["stop"]]  # type: ignore[attr-defined]


def test_a_search_fails_as_a_whole() -> None:
    """One of its samples cannot go on: the others would be another search."""
    model = model_of("1")
    step = oc.continuous(make.regex(model, "[ab]{4}", S.beam_search(2)), name="v")
    two = step(["x", "z"])[..., :-2]
    bad = oc.cat([two[:, :1, :] + ["", "z"], two[:, 1:, :]], 1)
    state = step.resume(bad, errors="return")
    assert_same(batch_row(state, 0), batch_row(step(["x", "z"]), 0))
    assert state.finished[1] == ["dead", "dead"] and [bool(each) for each in state.errors[1]] == [True, False]
    with pytest.raises(oc.errors.ConstraintError) as caught:
        step.resume(bad)
    assert caught.value.state[1, :, :] == bad[1, :, :]  # type: ignore[attr-defined]


def test_a_row_that_is_sent_back_too_often_ends_alone() -> None:
    model = model_of("1")
    marked = model.state(MARKED).rows[0][0].ids

    def hook(draw: oc.steer.Draw) -> Any:
        return oc.steer.Resample(ban=[]) if draw.row.ids[: len(marked)] == marked and draw.step else None

    step = oc.continuous(make.regex(model, "[ab]{3}", S.multinomial()))
    state = step(["x", MARKED], hooks=oc.steer.Hooks(hook, retries=5), seed=1, errors="return")
    error: Any = state.errors[1][0]
    assert (
        type(error) is oc.errors.HookLimit
        and str(error).startswith("row (1, 0): a row was sent back")
        and error.row == (1, 0)
    )
    assert_same(batch_row(state, 0), batch_row(step(["x", MARKED], seed=1), 0))
    assert error.state.finished == [["stop"], ["interrupted"]]
    assert_same(step.resume(error.state, seed=1), step(["x", MARKED], seed=1))


# --- values


def test_values_stand_beside_the_errors_of_those_that_have_none() -> None:
    model = model_of("1")
    marked = model.state(MARKED).rows[0][0].ids

    def hook(draw: oc.steer.Draw) -> Any:
        if draw.row.ids[: len(marked)] == marked and draw.step == 1:
            return oc.steer.Stop()  # which cuts the value short
        return None

    digits = make.regex(model, "[12]{2}", S.multinomial())
    prompts = ["x", MARKED, "x" * 99, "z"]
    given: Any = digits(prompts, seed=2, hooks=[hook], errors="return")
    good, cut, long, last = (group[0] for group in given)
    assert [good, last] == [digits(["x", "x", "x", "z"], seed=2)[b][0] for b in (0, 3)]
    assert [type(cut), type(long)] == [oc.errors.IncompleteError, ValueError] and [cut.row, long.row] == [
        (1, 0),
        (2, 0),
    ]
    assert str(cut).startswith("row (1, 0): the regex value") and str(long).startswith("row (2, 0): the prompt has ")
    assert cut.state is long.state or cut.state == long.state
    with pytest.raises(oc.errors.IncompleteError) as caught:
        digits(prompts, seed=2, hooks=[hook])
    error: Any = caught.value
    assert error.row == (1, 0) and [type(group[0]) for group in error.values] == [
        str,
        oc.errors.IncompleteError,
        ValueError,
        str,
    ]
    assert [error.values[0], error.values[3]] == [[good], [last]]
    goes_on = digits.resume(error.state[:2, :, :], seed=2)
    assert digits.values(goes_on) == digits(["x", MARKED], seed=2)
    assert type(digits("x" * 99, errors="return")) is ValueError  # one prompt, one sample: the error itself


def even(text: str) -> str:
    if text.count("a") % 2:
        raise ValueError("odd")
    if text == "bb":
        raise ZeroDivisionError
    return text


def test_a_value_that_is_refused_stands_in_its_place() -> None:
    from pydantic import TypeAdapter

    model = model_of("1")
    generator = make.regex(model, "[ab]{2}", S.multinomial(4))
    object.__setattr__(generator.constraint, "parse", TypeAdapter(Annotated[str, AfterValidator(even)]).validate_python)
    state = generator.run(["x", "z"], seed=1)
    texts = [[row[-2:] for row in group] for group in state.tolist()]
    kinds: list[list[Any]] = [
        [str if text == "aa" else ZeroDivisionError if text == "bb" else oc.errors.InvalidValueError for text in group]
        for group in texts
    ]
    assert len({kind for group in kinds for kind in group}) == 3
    values = generator.values(state, errors="return")
    assert [[type(value) for value in group] for group in values] == kinds
    first = next((b, s) for b in range(2) for s in range(4) if kinds[b][s] is not str)
    with pytest.raises(kinds[first[0]][first[1]]) as caught:
        generator.values(state)
    assert caught.value.row == first and caught.value.state is state  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="'return'"):
        generator.values(state, errors="ignore")  # type: ignore[arg-type]
    other = make.regex(model, "[12]", S.greedy())
    with pytest.raises(ValueError, match="does not end in a span of this generator"):
        other.values(state, errors="return")  # that is no row's error


def test_one_failure_is_one_error() -> None:
    """A lone row's text does not name it; a prompt that is wrong in kind is no row's error, and is raised at once."""
    model = model_of("1")
    generator = make.regex(model, "[ab]{2}", S.greedy())
    with pytest.raises(ValueError, match=r"^the prompt has ") as caught:
        generator("x" * 99)
    assert caught.value.row == (0, 0)  # type: ignore[attr-defined]
    for wrong in (["x", 5], [["a", "b"]], None):
        with pytest.raises(TypeError):
            generator(wrong, errors="return")  # type: ignore[arg-type]
    with pytest.raises(oc.errors.SampleMismatch):
        make.text(model, S.multinomial(3))(model.state("x").fork(2), errors="return")
    with pytest.raises(TypeError, match="errors"):
        generator.begin("x", errors="return")
    with pytest.raises(ValueError, match="'raise' or 'return'"):
        generator("x", errors="ignore")  # type: ignore[arg-type]


def test_what_is_no_rows_error_is_raised_at_once() -> None:
    model, asked = model_of("1"), []

    def hook(draw: oc.steer.Draw) -> None:
        asked.append(draw.step)
        raise MemoryError

    step = oc.continuous(make.text(model, S.multinomial(3)))
    with pytest.raises(MemoryError):
        step("x", max_tokens=4, hooks=[hook], errors="return")
    assert len(asked) == 1

    class Sampler(S.Greedy):
        def draw(self, live: Any, law: Any, seed: int) -> Any:
            raise Broken("the sampler")

    with pytest.raises(Broken, match="the sampler"):
        oc.continuous(make.text(model, Sampler()))(["x", "z"], max_tokens=4, errors="return")


# --- what stays of it


@contextmanager
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("errors", ["raise", "return"])
@pytest.mark.parametrize("sampler", [S.multinomial(2), S.beam_search(2)], ids=str)
def test_keys_and_values_go_with_the_error(sampler: Any, errors: Any) -> None:
    """Without the garbage collector: nothing that was computed stands in a circle, or in a frame."""
    model = small_model.__wrapped__()
    generator = make.regex(model, "[ab]{3}", sampler)
    step, hooks = oc.continuous(generator), [watch(model, 1)]
    prompts = ["x", MARKED, "x" * 99, "z"]
    with no_collection():
        for call in (generator, step, lambda *given, **options: [*step.stream(*given, **options)]):
            assert model.stats.kv_bytes == 0
            if errors == "raise":
                with pytest.raises(Broken) as caught:
                    call(prompts, hooks=hooks, seed=1)
                assert caught.value.state.kv.lengths.sum()  # type: ignore[attr-defined]
                del caught
            else:
                result = call(prompts, hooks=hooks, seed=1, errors="return")
                assert model.stats.kv_bytes
                del result
        assert model.stats.kv_bytes == 0


def test_an_error_says_where_it_was_raised_and_keeps_no_frames() -> None:
    model = model_of("1")

    def hook(draw: oc.steer.Draw) -> None:
        try:
            int("")
        except ValueError as error:
            raise Broken("here") from error

    state = oc.continuous(make.text(model, S.greedy()))(["x", "z"], max_tokens=2, hooks=[hook], errors="return")
    error: Any = state.errors[1][0]
    assert error.__traceback__ is error.__cause__.__traceback__ is None
    notes = "\n".join(error.__notes__)
    assert "in hook\n" in notes and Path(__file__).name in notes and "hooks.py" not in notes
    assert "row (1, 0)" in notes and error.args == ("here",)  # their text is theirs


def test_an_error_that_can_be_neither_changed_nor_copied_is_raised_all_the_same() -> None:
    class Stubborn(Exception):
        __slots__ = ()

        def __init__(self) -> None:
            super().__init__("stubborn")

        def __setattr__(self, name: str, value: Any) -> None:
            if name != "__traceback__":
                raise AttributeError(name)
            super().__setattr__(name, value)

        def __reduce__(self) -> Any:
            raise TypeError

    def hook(draw: oc.steer.Draw) -> None:
        raise Stubborn

    with pytest.raises(Stubborn):
        oc.continuous(make.text(model_of("1"), S.greedy()))(["x", "z"], max_tokens=2, hooks=[hook])


def failed_state() -> oc.SequenceState:
    model = model_of("1")
    step = oc.continuous(make.regex(model, "[ab]{3}", S.multinomial(2)), name="v")
    return step(["x", MARKED, "z"], hooks=[watch(model, 1)], seed=1, errors="return")


def test_errors_go_with_their_rows_and_are_no_part_of_the_value(tmp_path: Path) -> None:
    state = failed_state()
    model, errors = state.model, state.errors[1]
    assert list(map(type, errors)) == [Broken, Broken] and errors[0] is not errors[1]
    assert state[[2, 1], :, :].errors == [[None, None], errors] and state[1, 0, :].errors == [[errors[0]]]
    assert (state + "x").errors == state.errors == (state + state).errors == state.kv.drop().errors
    assert (state[..., :-1]).errors == state.errors and state.rescore().errors == state.errors
    assert oc.cat([state, state[1:2, :, :]], 0).errors[3] == errors
    assert state.best().errors == [[None], [errors[0]], [None]] and state[1, :, :].best().shape[:2] == (1, 1)
    assert len(state) == 4 and state.tolist()[1] == [] and state.captures["v"][1] == [[], []]
    assert state.weights[1].tolist() == [-float("inf")] * 2
    assert copy.copy(state) is state
    state.save(tmp_path / "s")
    loaded = oc.load_state(tmp_path / "s", model)
    assert loaded.errors == [[None, None]] * 3 and loaded.identical(state)


def test_an_error_is_told_once() -> None:
    """A state with rows that failed before goes on: they stay dead. Errors that nobody was told are told."""
    state = failed_state()
    model: Any = state.model
    text = make.text(model, S.multinomial(2))
    step = oc.continuous(text)
    after = step(state, max_tokens=2, seed=1)
    assert after.errors == state.errors and after.tolist()[1] == []
    assert len(text(state, max_tokens=2, seed=1)[1]) == 0
    assert text(state, max_tokens=2, seed=1, errors="return")[1] == state.errors[1]
    beams = oc.continuous(make.regex(model, "[12]{2}", S.beam_search(2)))
    assert beams(state).errors[1] == state.errors[1]
    assert beams(state[:, :, :]).tolist()[1] == []
    walk = oc.continuous(make.regex(model, "[ab]{3}", S.multinomial()))
    f = walk.begin(["x", MARKED], hooks=[watch(model, 1)], seed=1)
    while not f.done:
        f = f.step(model.logits(f.pending))
    with pytest.raises(Broken):
        walk(f.state, max_tokens=1)


def test_an_interruption_holds_the_rows_that_failed_as_they_were() -> None:
    model = model_of("1")
    step = oc.continuous(make.regex(model, "[ab]{6}", S.multinomial()))
    whole, failing = step(["x", MARKED], seed=1), watch(model, 1)

    def pressed(draw: oc.steer.Draw) -> None:
        if draw.step == 3:
            raise KeyboardInterrupt

    with pytest.raises(oc.errors.Interrupted) as caught:
        step(["x", MARKED], seed=1, hooks=[failing, pressed], errors="return")
    state = caught.value.state
    assert state.finished == [["interrupted"], ["interrupted"]] and state.lengths.tolist() == [[1 + 3], [3 + 1]]
    assert_same(step.resume(state, seed=1), whole)


def test_tokens_that_were_drawn_elsewhere_end_rows_alone_too() -> None:
    model = model_of("1")

    def controller(row: Any) -> list[oc.steer.Branch]:
        if row.text and begins(model, row, "z"):
            raise Broken("after a token")
        return [] if row.text else [oc.steer.Branch(allowed=guides.regex("[ab]", model.vocabulary))]

    f = make.control(model, controller, S.greedy()).begin(["x", "z"])
    a = model.vocabulary.tokens.index(b"a")
    f = f.accept([a, a])
    while not f.done:
        f = f.accept([None] * len(f.pending))
    assert f.state.tolist() == [["xa"], []] and type(f.state.errors[1][0]) is Broken
    with pytest.raises(oc.errors.ConstraintError):  # whoever draws has to draw what is allowed
        make.regex(model, "[ab]{2}", S.greedy()).begin(["x", "z"]).accept([a, model.vocabulary.tokens.index(b"z")])


def test_probabilities_need_rows_that_can_be_read() -> None:
    choice = make.choice(model_of("1"), ["a", "b"], by="sequence")
    with pytest.raises(ValueError, match=r"row \(1, 0\): the prompt has"):
        choice.probabilities(["x", "x" * 99])


def test_a_bar_counts_rows_that_failed(capsys: pytest.CaptureFixture[str]) -> None:
    model = model_of("1")
    step = oc.continuous(make.regex(model, "[ab]{3}", S.multinomial()))
    step(["x", MARKED, "x" * 99], seed=1, hooks=[watch(model, 2)], errors="return", progress=True)
    last = capsys.readouterr().err.rstrip("\n").split("\r")[-1]
    assert "3/3 rows" in last and " 5 tokens" in last
