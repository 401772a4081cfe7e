"""Law 7 for controllers: parts under guides, forced runs, labels, forks go on from any cut as if nothing followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_generation import toy_model

import outlines_cont as oc
from outlines_cont.generate.steps import Step

Controller = Callable[[oc.steer.Writing], list[oc.steer.Branch]]


def controllers(model: oc.Model) -> dict[str, Controller]:
    """Pure functions of the row. Each is asked again along the tokens that were kept."""
    make, token = oc.generate, model.vocabulary.tokens.index
    letters, digits = make.regex(model, "[abc]{1,3}"), make.regex(model, "[12]+")
    words = make.choice(model, ["ca", "cab", "b", "12"])

    def form(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        """A form: parts that end in a stop which is drawn, in turn with what is given."""
        fields = row.text.count(";")
        if fields == 3:
            return []
        if row.text.endswith(("=", "-")):
            return [oc.steer.Branch(allowed=digits if fields % 2 else letters)]
        return [oc.steer.Branch(forced="abc=" if row.text == "" else ("; 12=", ";bc-")[fields % 2])]

    def tokenwise(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        """Single tokens, masks, runs by their first token, the stop."""
        count = len(row) - row.start
        if count > 9:
            return []
        if count % 3 == 0:
            return [oc.steer.Branch(allowed=[token(b"a"), token(b"ab"), token(b"1"), *model.vocabulary.eos])]
        if count % 3 == 1:
            return [oc.steer.Branch(forced={token(b"b"): b"bca12", token(b"1"): "1", token(b"12"): [token(b"12")]})]
        return [oc.steer.Branch(forced=[token(b"a"), token(b"b")] if "1" in row.text else "ab")]

    def labelled(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        """Points with names, by which it counts."""
        if "third" in row.labels:
            return []
        name = ("first", "second", "third")[len(row.labels)]
        return [oc.steer.Branch(allowed=words if len(row.labels) != 1 else None, label=name)]

    def remembering(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        """It counts in its memory, which is made anew along the row."""
        turn = row.memory or 0
        guides: list[Any] = [letters, None, words]
        return [oc.steer.Branch(allowed=guides[turn % 3], memory=turn + 1)] if turn < 5 else []

    def forking(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        """Two ways at the beginning, one of them again two; then parts."""
        if row.text == "":
            return [oc.steer.Branch(forced="1:"), oc.steer.Branch(forced="2:")]
        if row.text == "2:":
            return [oc.steer.Branch(forced="x"), oc.steer.Branch(forced="y")]
        if row.text.count(".") == 2:
            return []
        return [
            oc.steer.Branch(allowed=letters) if row.text.endswith((":", "x", "y", ".")) else oc.steer.Branch(forced=".")
        ]

    return {f.__name__: f for f in (form, tokenwise, labelled, remembering, forking)}


NAMES = ["form", "tokenwise", "labelled", "remembering", "forking"]


def step_of(name: str, sampler: Any, forced: str = "never") -> Step:
    model = toy_model()
    return oc.continuous(oc.generate.control(model, controllers(model)[name], sampler, forced=forced), name="c")


def begin_of(state: oc.SequenceState) -> list[list[int]]:
    return [[spans[-1].start for spans in group] for group in state.spans]


def lefts(state: oc.SequenceState, whole: oc.SequenceState) -> list[int]:
    """How many tokens of each last span are left in a state that was cut."""
    pairs = zip(state.rows, begin_of(whole), strict=True)
    return [len(row) - start for rows, starts in pairs for row, start in zip(rows, starts, strict=True)]


def single(sampler: Any) -> dict[str, int]:
    """What makes it a sampler for one row by itself."""
    return {"samples": 1} if sampler.samples > 1 else {}


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_controlled_span_goes_on_from_any_cut(tmp_path: Path, data: st.DataObject) -> None:
    """Each row, cut after any of its tokens: the same row, with the same scores, parts and end; from a file, too."""
    name = data.draw(st.sampled_from(NAMES))
    sampler = data.draw(st.sampled_from([oc.samplers.greedy(), oc.samplers.multinomial(), oc.samplers.multinomial(2)]))
    if name == "forking":  # it widens the samples by itself
        sampler = replace(sampler, **single(sampler))
    forced, seed = data.draw(st.sampled_from(["canonical", "never"])), data.draw(st.integers(0, 60))
    step, alone = step_of(name, sampler, forced), step_of(name, replace(sampler, **single(sampler)), forced)
    whole = step(data.draw(st.sampled_from(["xy", ["x", "abc"]])), seed=seed, max_tokens=25)
    b, s = data.draw(st.integers(0, whole.shape[0] - 1)), data.draw(st.integers(0, whole.shape[1] - 1))
    one = whole[b : b + 1, s : s + 1, :]
    [[row]], [[begin]] = one.rows, begin_of(one)
    fixed = 4 if name == "forking" else 0  # after the forks, and what they appended: see the next test
    if len(row) < begin + fixed:
        return
    length = data.draw(st.integers(begin + fixed, len(row)))
    state = one[..., :length]
    if data.draw(st.booleans()):
        state.save(tmp_path / "s")
        loaded = oc.load_state(tmp_path / "s", state.model)
        assert loaded.identical(state)
        state = loaded
    resumed = alone.resume(state, seed=seed, max_tokens=25 - (length - begin))
    assert resumed == one and resumed.finished == one.finished
    assert resumed.rows[0][0].lineage == row.lineage
    for name in ("logprobs", "proposal_logprobs", "weights"):
        torch.testing.assert_close(getattr(resumed, name), getattr(one, name), atol=1e-3, rtol=1e-3)
    again = [[(part.begin, part.end) for part in r.pieces[-1].segments] for r in (resumed.rows[0][0], row)]
    assert again[0] == again[1]
    assert resumed.captures == one.captures


def test_a_fork_that_the_kept_tokens_decide_is_not_made_again() -> None:
    """Cut inside or at the end of what a branch appended, before a draw: the row keeps its lineage, and its draws."""
    step = step_of("forking", oc.samplers.multinomial())
    for seed in range(6):
        whole = step("xy", seed=seed)
        for s, lengths in ((0, (0, 1, 2)), (1, (3,)), (2, (3,))):
            for length in lengths:
                one = whole[:, s : s + 1, :]
                resumed = step.resume(one[..., : 2 + length], seed=seed)
                assert resumed.rows[0][0].lineage == one.rows[0][0].lineage and resumed == one


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("forced", ["canonical", "never"])
def test_scores_are_a_fresh_scoring_s(name: str, forced: str) -> None:
    """Weights hold every token and stop, those of parts included; a weight is additive over any cut (laws 6 and 4)."""
    sampler = oc.samplers.multinomial(1 if name == "forking" else 8)
    state = step_of(name, sampler, forced)(["xy", "ca"], seed=3, max_tokens=25)
    fresh = state.kv.drop().rescore()
    assert torch.allclose(fresh.weights, state.weights, atol=1e-3)
    assert torch.allclose(fresh.logprobs, state.logprobs, atol=1e-3)
    if name in ("form", "remembering"):
        assert any(row.pieces[-1].origin.segments for group in state.rows for row in group)
    for n in range(2, state.shape[2]):
        head, tail = state[..., :n], state[..., n:]
        assert (head + tail).identical(state)
        assert torch.allclose((head.weights + tail.weights), state.weights, atol=1e-9)
        assert torch.allclose(head.kv.drop().rescore().weights, head.weights, atol=1e-3)


Look = tuple[tuple[int, ...], str, tuple[float, float]]  # a row's ids, text, and (weight, score)


class Watched:
    """A step that follows a generated span, whose controller and hook note how the rows look that they are shown."""

    def __init__(self, name: str) -> None:
        model, beam = toy_model(), oc.samplers.beam_search(1, length_penalty=1.0)
        looks: list[Look] = []  # not the rows, which would hold their keys and values
        self.looks = looks
        self.before = oc.continuous(oc.generate.regex(model, "[abc]{2}"), name="b")("xy", seed=1)
        if name == "guide":
            generator = oc.generate.regex(model, "[abc]{3}=[12]{3}", beam)
        else:
            controller = controllers(model)[name]

            def noting(row: oc.steer.Writing) -> list[oc.steer.Branch]:
                looks.append((row.ids, row.text, (row.weight, row.score)))
                return controller(row)

            generator = oc.generate.control(model, noting, beam)
        self.step = oc.continuous(generator, name="c")
        self.whole = self.step(self.before, seed=1, hooks=[self.hook])
        self.begin, self.end = int(self.before.lengths), int(self.whole.lengths)
        assert (self.before.weights < 0).all() and self.end > self.begin + 2

    def hook(self, draw: oc.steer.Draw) -> None:
        row = draw.row
        self.looks.append((row.ids, row.text, (row.weight, row.score)))

    def resumed(self, state: oc.SequenceState) -> tuple[oc.SequenceState, list[Look]]:
        """The state that goes on, and how rows looked meanwhile."""
        self.looks.clear()
        return self.step.resume(state, seed=1, hooks=[self.hook]), self.looks[:]


def among(look: Look, looks: list[Look]) -> bool:
    """Whether one of them is the same, but for rounding."""
    return any(look[:2] == other[:2] and look[2] == pytest.approx(other[2], abs=1e-3) for other in looks)


def reloaded(state: oc.SequenceState, folder: Path) -> oc.SequenceState:
    state.save(folder / "s")
    return oc.load_state(folder / "s", state.model)


WATCHED = ["form", "labelled", "remembering", "guide"]


@pytest.mark.parametrize("loaded", [False, True], ids=["from memory", "from a file"])
@pytest.mark.parametrize("name", WATCHED)
def test_a_resumed_row_looks_as_it_did(name: str, loaded: bool, tmp_path: Path) -> None:
    """Controllers and hooks see the text, weight and score that they saw when the span was written without a cut."""
    watched = Watched(name)
    written = watched.looks[:]
    for length in range(watched.begin + 1, watched.end + 1):
        state = watched.whole[..., :length]
        again, looks = watched.resumed(reloaded(state, tmp_path) if loaded else state)
        assert again == watched.whole
        assert all(among(look, written) for look in looks)


@pytest.mark.parametrize("name", WATCHED)
def test_a_row_with_a_text_after_its_cut_looks_the_same_from_memory_and_from_a_file(name: str, tmp_path: Path) -> None:
    """From memory a controller is asked again about the text alone, from a file about the whole span."""
    watched, fitting = Watched(name), 0
    for cut in range(watched.begin + 1, watched.end):
        for length in range(cut + 1, watched.end + 1):
            state = watched.whole[..., :cut] + str(watched.whole[..., cut:length])
            try:
                once, looks = watched.resumed(state)
            except oc.errors.ConstraintError:  # a part ended in a stop that nobody has drawn in the text
                with pytest.raises(oc.errors.ConstraintError):
                    watched.resumed(reloaded(state, tmp_path))
                continue
            again, looks_of_loaded = watched.resumed(reloaded(state, tmp_path))
            assert once == again and all(among(look, looks_of_loaded) for look in looks)
            fitting += 1
    assert fitting


@pytest.mark.parametrize("sampler", [oc.samplers.greedy(), oc.samplers.multinomial()], ids=repr)
def test_a_cut_whole_state_goes_on_row_by_row(sampler: Any) -> None:
    """All rows of a forked batch at once, those that have ended and those that have not."""
    step = step_of("forking", sampler)
    whole = step(["xy", "ca"], seed=5)
    assert whole.shape[:2] == (2, 3)
    for n in range(1, 8):
        state = whole[..., :-n]
        if any(left < 4 for left in lefts(state, whole)):
            break  # at a fork, the cut rows fork again
        assert step.resume(state, seed=5) == whole


@settings(max_examples=40)
@given(data=st.data())
def test_forced_runs_go_on_from_inside(data: st.DataObject) -> None:
    """A constraint whose runs are appended at once: cut inside a run, the same row; with other seeds a legal one."""
    model = toy_model()
    pattern = data.draw(st.sampled_from(["(abc|12)-ca[12]{2}=abcabc", "[ab]x(ca){3}[12]", "abcabc", "é+ab(12|c)"]))
    step = oc.continuous(oc.generate.regex(model, pattern, oc.samplers.multinomial(2)), name="v")
    seed = data.draw(st.integers(0, 30))
    whole = step(["xy", "z"], seed=seed)
    n = data.draw(st.integers(1, whole.shape[2] - 2))
    state = whole[..., :-n]
    if any(left < 1 for left in lefts(state, whole)):
        return  # nothing of the span is left
    resumed = step.resume(state, seed=seed)
    assert resumed == whole and resumed.captures == whole.captures
    assert torch.allclose(resumed.kv.drop().rescore().weights, whole.weights, atol=1e-3)
