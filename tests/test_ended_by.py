"""What ended a span, `span.ended_by`: a function of the row's own draws, which follows the span's end everywhere."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import outlines_cont as oc
from outlines_cont.state.spans import SpanEnd

PROMPTS = ["Mira is a", "The capital of France is ", "The sky is", "<|begin|><|user|>How old is Mira?<|end|>"]
STOPS = [None, ".", ["is", " and", "."], ["\n", "a"], ["blue", "b"]]


@cache
def model() -> oc.Model:
    """The shipped model, with three tokens that end a text: its own, and those with which turns begin."""
    hf = deepcopy(oc.load().hf)
    tokens = oc.load().vocabulary.tokens
    hf.generation_config.eos_token_id = [
        hf.generation_config.eos_token_id,
        *map(tokens.index, (b"<|user|>", b"<|assistant|>")),
    ]
    return oc.Model(hf, deepcopy(oc.load().tokenizer))


def vote(row: Any) -> list[oc.steer.Branch]:
    return [oc.steer.Branch(forced=" ha")] if len(row.text) < 6 else []


GENERATORS = {
    "text": lambda sampler, include: oc.generate.text(model(), sampler, include_stop=include),
    "regex": lambda sampler, include: oc.generate.regex(model(), " ?[a-z]+", sampler),
    "eos": lambda sampler, include: oc.generate.regex(model(), " ?[a-z]+", sampler, stop="eos"),
    "choice": lambda sampler, include: oc.generate.choice(model(), ["red", "blue"], sampler),
    "sequence": lambda sampler, include: oc.generate.choice(model(), ["red", "blue"], sampler, by="sequence"),
    "control": lambda sampler, include: oc.generate.control(model(), vote, sampler),
}
SAMPLERS = {
    "greedy": oc.samplers.greedy(),
    "drawn": oc.samplers.multinomial(),
    "several": oc.samplers.multinomial(samples=3, temperature=1.5),
    "beams": oc.samplers.beam_search(2),
    "particles": oc.samplers.smc(particles=3),
}


@st.composite
def steps(draw: Any) -> Any:
    """A step, and the arguments of its call."""
    kind, sampler = draw(st.sampled_from(sorted(GENERATORS))), draw(st.sampled_from(sorted(SAMPLERS)))
    if (kind, sampler) in (("sequence", "beams"), ("sequence", "particles"), ("control", "particles")):
        sampler = "drawn"
    include = draw(st.booleans())
    generator = GENERATORS[kind](SAMPLERS[sampler], include)
    stop_at = draw(st.sampled_from(STOPS)) if kind == "text" else None
    step = oc.continuous(
        generator, name="it", max_tokens=draw(st.integers(1, 12)), **({"stop_at": stop_at} if stop_at else {})
    )
    return step, kind, include, [stop_at] if isinstance(stop_at, str) else stop_at or []


def ends(state: oc.SequenceState) -> list[list[SpanEnd | None]]:
    return [[row.spans[-1].ended_by if row.spans else None for row in rows] for rows in state.rows]


def expected(row: Any, kind: str, include: bool, stops: list[str]) -> SpanEnd | None:
    """By the plain model: the text, and a forward pass of the whole row."""
    span, stop = row.spans[-1], row.pieces[-1].stop
    if span.finished in (None, "dead"):
        return None
    if span.finished == "length":
        return SpanEnd("length")
    if kind == "control":
        return SpanEnd("controller")
    if stop.dropped is not None:
        tokens = model().vocabulary.tokens
        data = b"".join(tokens[each] for each in (*row.ids[span.start : span.end], *stop.dropped))
        hits = [(data.find(each.encode()), -len(each), each) for each in stops if each.encode() in data]
        return SpanEnd("mark" if include else "stop", text=min(hits)[2])
    if kind not in ("text", "eos"):
        return SpanEnd("value")
    with torch.no_grad():
        logits = model().hf(torch.tensor([row.ids])).logits[0, -1]
    eos = list(model().vocabulary.eos)
    return SpanEnd("eos", token=eos[int(logits[eos].argmax())])


@settings(max_examples=60, deadline=None)
@given(
    drawn=steps(),
    prompts=st.lists(st.sampled_from(PROMPTS), min_size=1, max_size=3),
    seed=st.integers(0, 99),
    data=st.data(),
)
def test_what_ended_a_span_is_what_its_draw_says_and_follows_its_end(drawn, prompts, seed, data):
    step, kind, include, stops = drawn
    start = model().state(prompts, special=True)
    state = step(start, seed=seed)
    live = [
        (row, by)
        for rows, group in zip(state.rows, ends(state), strict=True)
        for row, by in zip(rows, group, strict=True)
    ]
    for row, by in live:
        assert by == expected(row, kind, include, stops)
    place = data.draw(st.integers(0, len(prompts) - 1))
    assert ends(step(start[place : place + 1, :, :], seed=seed)) == ends(state)[place : place + 1]
    cut = data.draw(st.integers(1, min(int(state.lengths[state.lengths > 0].min()), 6)))
    short = state[..., :-cut]
    assert all(span.ended_by is None for rows in short.spans for spans in rows for span in spans)
    assert ends(short + state[..., -cut:]) == ends(state)
    assert ends(state + "" + model().state([""] * len(prompts))[..., :0] if state.shape[1] == 1 else state) == ends(
        state
    )
    assert all(by is None for rows in ends(state + " so") for by in rows)
    assert all(by is None or by.kind in ("length", "interrupted") for rows in ends(state.reopen()) for by in rows)
    assert ends(state.rescore()) == ends(state) == ends(state.kv.drop())
    if kind != "control":
        assert ends(oc.storage.from_bytes(oc.storage.to_bytes(state), model())) == ends(state)
        with oc.storage.unpickling(model()):
            assert ends(pickle.loads(pickle.dumps(state))) == ends(state)
        if all(by and by.kind != "length" for rows in ends(state) for by in rows):
            assert ends(step.resume(state, seed=seed)) == ends(state)
            begun = all(span[-1].end - span[-1].start > cut for rows in state.spans for span in rows)
            if begun and step.generator.sampler == SAMPLERS["greedy"]:
                assert ends(step.resume(state[..., :-cut], seed=seed)) == ends(state)
        *_, last = step.stream(start, seed=seed)
        assert ends(last) == ends(state)
    if kind not in ("control", "sequence") and state.shape[1] == 1:
        assert ends(step(start, seed=seed, draft=oc.drafts.lookup())) == ends(state)
        chain = step >> " so " >> step
        whole, later = chain(start, seed=seed), step(state + " so ", seed=seed)
        first = [[[s.ended_by for s in spans if s.name] for spans in rows] for rows in whole.spans]
        assert all(
            each[0] == by
            for rows, group in zip(first, ends(state), strict=True)
            for each, by in zip(rows, group, strict=True)
        )
        if all(by and by.kind != "length" for rows in ends(state) for by in rows):
            assert ends(whole) == ends(later)


def test_what_elsewhere_drew_names_its_token_and_what_nobody_saw_is_not_told():
    text = oc.generate.text(model())
    for token in model().vocabulary.eos:
        frontier = text.begin(model().state("The sky is")).accept([token])
        assert ends(frontier.state) == [[SpanEnd("eos", token=token)]]
    unseen = text.begin(model().state("The sky is")).accept([None]).state
    assert ends(unseen) == [[SpanEnd("eos")]]
    assert ends(oc.storage.from_bytes(oc.storage.to_bytes(unseen), model())) == [[SpanEnd("eos")]]
    alone = oc.load()
    one = oc.generate.text(alone).begin(alone.state("The sky is")).accept([None]).state
    assert ends(one) == [[SpanEnd("eos", token=alone.vocabulary.eos[0])]]


def test_of_several_stop_strings_the_one_that_begins_first_is_named_and_of_these_the_longest():
    text = oc.continuous(oc.generate.text(oc.load(), oc.samplers.greedy()))
    state = text("The sky is", stop_at=["lue", " b", " blue", "ue", "blue"], max_tokens=9)
    assert ends(state) == [[SpanEnd("stop", text=" blue")]]


def test_a_hook_that_stops_is_named():
    text = oc.continuous(oc.generate.text(oc.load(), oc.samplers.greedy()))
    assert ends(text("The sky is", max_tokens=9, hooks=[lambda draw: oc.steer.Stop()])) == [[SpanEnd("hook")]]


def test_the_file_of_values_says_what_ended_each_row(tmp_path):
    text = oc.continuous(oc.generate.text(model(), oc.samplers.greedy()), max_tokens=8, stop_at=[" is", "."])
    states = list(oc.map(text, PROMPTS, seed=0, out=tmp_path / "job"))
    lines = [json.loads(line) for line in (tmp_path / "job" / "values.jsonl").read_text().splitlines()]
    told = [state.spans[0][0][-1].ended_by for state in states]
    assert [SpanEnd(**line["ended_by"]) for line in lines] == told and len({by.kind for by in told}) > 1


@pytest.mark.parametrize("stop_at", [None, ["a", "\n"]])
@pytest.mark.parametrize("by", [10**6, "is", "hook "])
def test_a_file_that_names_another_end_is_refused(by, stop_at):
    from test_corrupt_files import forged

    text = oc.continuous(oc.generate.text(model(), oc.samplers.greedy()), stop_at=stop_at)
    state = text("The capital of France is ")
    assert state.finished == [["stop"]]

    def change(header: Any, tensors: Any) -> Any:
        header["origins"][-1]["stop"]["by"] = by
        return header, tensors

    with pytest.raises(oc.errors.CorruptStateError, match="ends no such span"):
        oc.storage.from_bytes(forged(oc.storage.to_bytes(state), change), model())
