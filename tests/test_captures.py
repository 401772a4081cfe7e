"""What a named step wrote is its capture where a plain call returns it, and where an interrupt has cut a text."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import toy_model

import outlines_cont as oc

SAMPLERS = [oc.samplers.greedy(), oc.samplers.multinomial(), oc.samplers.multinomial(2), oc.samplers.beam_search(2)]


def reloaded(state: oc.SequenceState) -> oc.SequenceState:
    return oc.storage.from_bytes(oc.storage.to_bytes(state), state.model)


def generators(model: oc.Model, sampler: Any) -> dict[str, oc.Generator]:
    """A text, what is made of one by a controller, and two constrained values."""

    def word_by_word(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return [oc.steer.Branch(forced="ab ")] if len(row.text) < 12 else []

    return {
        "text": oc.generate.text(model, sampler),
        "control": oc.generate.control(model, word_by_word, sampler),
        "regex": oc.generate.regex(model, "[abc]{4,12}", sampler),
        "choice": oc.generate.choice(model, ["abcabcabc", "12", "ca12ca"], sampler),
    }


@settings(max_examples=60)
@given(data=st.data(), kind=st.sampled_from(["text", "text", "control", "regex", "choice"]))
def test_captures_are_the_values_of_plain_calls(data: st.DataObject, kind: str) -> None:
    """Also of texts that were cut by length; a constrained value that was cut is none, where a plain call raises."""
    generator = generators(toy_model(), data.draw(st.sampled_from(SAMPLERS)))[kind]
    options: dict[str, Any] = {"seed": data.draw(st.integers(0, 99)), "max_tokens": data.draw(st.integers(0, 9))}
    if kind == "text" and data.draw(st.booleans()):
        options["stop_at"] = data.draw(st.sampled_from(["a", "bc", "\n"]))
    state = oc.continuous(generator, name="it")(["xy", "1"], **options)
    values = generator(["xy", "1"], errors="return", **options)
    listed = values if isinstance(values[0], list) else [[value] for value in values]
    expected = [[[] if isinstance(value, Exception) else [value] for value in group] for group in listed]
    assert state.captures["it"] == reloaded(state).captures["it"] == expected
    joined = state + " and then"
    assert joined.captures["it"] == expected and (joined[..., :1] + joined[..., 1:]).captures["it"] == expected
    for one in (state[b, s, :] for b in range(2) for s in range(state.shape[1])):
        if one.spans[0][0][-1].end > one.spans[0][0][-1].start:
            assert one[..., :-1].captures.get("it", [[[]]]) == [[[]]]


@pytest.mark.parametrize("sampler", SAMPLERS, ids=repr)
def test_a_chain_goes_on_after_a_text_that_was_cut_and_captures_it(sampler: Any) -> None:
    """As its steps do one after another; in the last state of its stream, too."""
    made = generators(toy_model(), sampler)
    note, word = oc.continuous(made["text"], name="note"), oc.continuous(made["regex"], name="word")
    chain = note >> "; " >> word
    for seed in range(3):
        state = chain(["xy", "1"], 6, seed=seed)
        [*_, last] = chain.stream(["xy", "1"], 6, seed=seed)
        assert {**state.captures} == {**last.captures} == {**reloaded(state).captures}
        for rows, notes, words in zip(state.rows, state.captures["note"], state.captures["word"], strict=True):
            for row, [said], ended in zip(rows, notes, words, strict=True):
                assert row.pieces[1].finished in ("length", "stop")
                piece = row.spans[1]
                text = toy_model().vocabulary.decode(row.ids[piece.start : piece.end])
                assert said == text.decode("utf-8", "replace")
                assert bool(ended) == (row.finished == "stop")


def test_an_interrupted_text_is_a_capture_while_its_row_ends_there() -> None:
    """On the way, and where an interrupt has left it; not once something follows it, nor when it was cut itself."""
    made = generators(toy_model(), oc.samplers.greedy())
    for kind in ("text", "control"):
        step = oc.continuous(made[kind], name="it")
        seen = [partial for partial in step.stream("xy", 4)]
        frontier = step.begin("xy", 4)
        while not frontier.done:
            state = frontier.state
            assert state.finished == [["interrupted"]]
            [[[said]]] = state.captures["it"]
            assert said == str(state)[2:]
            assert (state + "!").captures["it"] == [[[]]] and state[..., :-1].captures.get("it", [[[]]]) == [[[]]]
            assert step.resume(state, 4).captures["it"][0][0][0].startswith(said.rstrip("\ufffd"))
            frontier = frontier.step(*frontier.model.read(frontier.pending))
        assert seen[-1].captures["it"] == frontier.state.captures["it"]
    step = oc.continuous(made["regex"], name="it")
    frontier = step.begin("xy")
    frontier = frontier.step(*frontier.model.read(frontier.pending))
    assert frontier.state.finished == [["interrupted"]] and frontier.state.captures["it"] == [[[]]]


def test_a_job_notes_texts_that_were_cut(tmp_path: Path) -> None:
    step = oc.continuous(oc.generate.text(toy_model(), oc.samplers.greedy()), name="rest")
    states = list(oc.map(step, ["xy", "1"], seed=0, out=tmp_path, max_tokens=3))
    values = step.generator(["xy", "1"], 3)
    assert [state.captures["rest"] for state in states] == [[[value]] for value in values]
    lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
    assert [line["captures"]["rest"] for line in lines] == values


@given(st.text(max_size=5), st.sampled_from(["job", "job 1", "place", "city"]), st.integers(0, 9))
def test_get_is_that_of_a_dict_and_warns_of_a_misspelling(other: str, name: str, at: int) -> None:
    captures = oc.continuous(generators(toy_model(), SAMPLERS[0])["choice"], name=name)("xy").captures
    plain = {**captures}
    for asked in (other, name, 3, None, ("job",)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert captures.get(asked) == plain.get(asked) and captures.get(asked, []) == plain.get(asked, [])
        assert (asked in captures) == (asked in plain)
    with pytest.warns(UserWarning, match=f"did you mean '{name}'"):
        assert captures.get(name + "b") is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert captures.get(f"{name}{at}", 7) == plain.get(f"{name}{at}", 7), "another number is another name"
        assert captures.get("answer") is None and captures.get(name) == plain[name]
