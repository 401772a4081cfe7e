"""Calls that end by themselves (`max_seconds`), and the seed of a call, which a state tells. No test looks at a real
clock: one second passes whenever it is read."""

from __future__ import annotations

import asyncio
from itertools import chain, count
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont import waiting

PROMPTS = ["The sky is", "Mira is a painter from", "Q: Who is"]
TEXT, GREEDY = oc.generate.text(shipped_model()), oc.samplers.greedy()
PATTERN = "[a-z]{3,9} [0-9]{2}"


@pytest.fixture(autouse=True)
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is read once where a call begins, and before each step: so `max_seconds=n` leaves n − 1 steps."""
    seconds = count()
    monkeypatch.setattr(waiting, "clock", lambda: next(seconds))


def after(steps: int) -> float:
    """The seconds that leave so many steps."""
    return steps + 0.5


STEPS = st.integers(0, 6)
LINKS = {
    "text": lambda sampler: oc.continuous(oc.generate.text(shipped_model(), sampler), name="a"),
    "pattern": lambda sampler: oc.continuous(oc.generate.regex(shipped_model(), PATTERN, sampler), name="a"),
    "choice": lambda sampler: oc.continuous(
        oc.generate.choice(shipped_model(), [" blue", " red", " green"], sampler, by="sequence"), name="a"
    ),
}
SAMPLERS = {
    "greedy": GREEDY,
    "two": oc.samplers.multinomial(samples=2),
    "particles": oc.samplers.smc(2),
    "filters": oc.samplers.multinomial(filters=[oc.filters.no_repeat_ngram(2), oc.filters.xtc(0.5)]),
}


def check_prefix(cut: oc.SequenceState, whole: oc.SequenceState) -> None:
    for some, all_of in zip(cut.rows, whole.rows, strict=True):
        for row, other in zip(some, all_of, strict=True):
            assert row.ids == other.ids[: len(row)]
            assert row.logprobs == pytest.approx(other.logprobs[: len(row)], abs=1e-3)


#: A choice by sequence takes no filters.
PAIRS = [(link, sampler) for link in LINKS for sampler in SAMPLERS if (link, sampler) != ("choice", "filters")]


@pytest.mark.parametrize(("link", "sampler"), PAIRS)
@settings(max_examples=5, deadline=None)
@given(STEPS, st.integers(0, 99))
def test_what_a_call_keeps_is_the_beginning_of_what_it_would_give_and_resume_gives_the_rest(link, sampler, steps, seed):
    step = LINKS[link](SAMPLERS[sampler])
    whole = step(PROMPTS, max_tokens=12, seed=seed)
    cut = step(PROMPTS, max_tokens=12, seed=seed, max_seconds=after(steps))
    check_prefix(cut, whole)
    ends = zip(chain(*cut.finished), chain(*whole.finished), strict=True)
    assert all(finished in ("length", ended) for finished, ended in ends)
    if link == "pattern":
        again = step.resume(cut, max_tokens=12, seed=seed)
        assert again == whole and again.finished == whole.finished and again.captures["a"] == whole.captures["a"]


@settings(max_examples=15, deadline=None)
@given(STEPS, st.integers(0, 99), st.booleans())
def test_a_chain_that_was_cut_goes_on_where_it_was_also_in_a_text_in_its_middle(steps, seed, together):
    sampler = oc.samplers.smc(2) if together else oc.samplers.multinomial(samples=2)
    text = oc.continuous(oc.generate.text(shipped_model(), sampler), name="t", stop_at=["a", " "])
    number = oc.continuous(oc.generate.regex(shipped_model(), "[0-9]{2}", sampler), name="n")
    both = text >> " is " >> number >> "." >> text
    whole = both(PROMPTS, seed=seed, max_tokens=400)
    cut = both(PROMPTS, seed=seed, max_tokens=400, max_seconds=after(3 * steps))
    check_prefix(cut, whole)
    again = both.resume(cut, seed=seed, max_tokens=400)
    assert again == whole and again.captures["n"] == whole.captures["n"]


def test_the_text_in_the_middle_of_a_chain_says_that_it_was_interrupted() -> None:
    text = oc.continuous(oc.generate.text(shipped_model(), GREEDY), name="t")
    cut = (text >> "!" >> text)("The sky is", max_tokens=9, max_seconds=after(2))
    assert cut.finished == [["interrupted"]] and cut.captures["t"] == [[[" blue."]]]
    assert (text >> "!")("The sky is", max_tokens=9, max_seconds=after(2)).finished == [["interrupted"]]
    assert text("The sky is", max_tokens=9, max_seconds=after(2)).finished == [["length"]]


@pytest.mark.parametrize("steps", range(5))
def test_beams_that_were_cut_are_those_of_as_many_tokens(steps: int) -> None:
    for distinct in ("text", "tokens"):
        step = oc.continuous(oc.generate.text(shipped_model(), oc.samplers.beam_search(3, distinct=distinct)))
        cut, few = step(PROMPTS, max_seconds=after(steps)), step(PROMPTS, max_tokens=steps)
        assert cut == few and cut.finished == few.finished
        assert torch.allclose(cut.scores, few.scores)


def test_every_door_of_a_call_takes_it() -> None:
    short: oc.CallOptions = {"max_seconds": after(3), "seed": 0}
    three = TEXT("The sky is", max_tokens=3, seed=0)
    assert TEXT("The sky is", **short) == three == TEXT.run("The sky is", **short).text()[0][0][10:]
    assert asyncio.run(TEXT.acall("The sky is", **short)) == three
    partials = [*TEXT.stream("The sky is", **short)]
    assert "".join(each.delta for each in partials) == three and partials[-1].finished == [["length"]]

    async def streamed() -> list[str]:
        return [each.delta async for each in TEXT.astream("The sky is", **short)]

    assert "".join(asyncio.run(streamed())) == three
    begun = TEXT.run("The sky is", max_tokens=1, seed=0)
    assert TEXT.resume(begun, max_seconds=after(2), seed=0).text()[0][0][10:] == three
    assert asyncio.run(TEXT.aresume(begun, max_seconds=after(2), seed=0)) == TEXT.run("The sky is", **short)
    drafted = TEXT.run("The sky is", **short, draft=lambda row: " blue and green and blue")
    check_prefix(TEXT.run("The sky is", max_tokens=3, seed=0), drafted)
    assert TEXT("The sky is", max_seconds=1000, max_tokens=3, seed=0) == three


def test_a_value_that_was_cut_is_no_value_and_a_text_is() -> None:
    year = oc.generate.regex(shipped_model(), "[0-9]{4}", GREEDY)
    with pytest.raises(oc.errors.IncompleteError, match="max_seconds") as caught:
        year("Mira came in ", max_seconds=after(2))
    assert year.values(year.resume(caught.value.state)) == year("Mira came in ")
    values = year(["Mira came in ", "In the year "], max_seconds=after(2), errors="return")
    assert [type(each) for [each] in values] == [oc.errors.IncompleteError] * 2


def test_without_time_no_step_is_made() -> None:
    model = oc.load()
    state = oc.generate.text(model).run("The sky is", max_seconds=0)
    assert state.finished == [["length"]] and str(state) == "The sky is" and model.stats.passes == 0


@pytest.mark.parametrize("value", [-1, "1", float("nan"), True])
def test_seconds_that_are_none_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="max_seconds"):
        TEXT("The sky is", max_seconds=value)


def test_jobs_and_frontiers_read_no_clock() -> None:
    for call in (lambda: TEXT.begin("a", max_seconds=1.0), lambda: oc.map(TEXT, ["a"], seed=0, max_seconds=1.0)):  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="max_seconds"):
            call()


# -- the seed of a call -----------------------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(PAIRS))
def test_the_seed_that_a_state_tells_gives_its_rows_again(pair):
    step = LINKS[pair[0]](SAMPLERS[pair[1]])
    state = step(PROMPTS, max_tokens=6)
    [seed] = {spans[-1].seed for rows in state.spans for spans in rows}
    again = step(PROMPTS, max_tokens=6, seed=seed)
    assert again == state and again.identical(state) and again.spans[0][0][-1].seed == seed
    assert state.spans[0][0][0].seed is None  # a prompt
    loaded = oc.storage.from_bytes(oc.storage.to_bytes(state), shipped_model())
    assert loaded.spans[0][0][-1].seed == seed


def test_a_seed_that_was_given_is_told_and_unseeded_calls_differ() -> None:
    assert TEXT.run("The sky is", max_tokens=2, seed=-3).spans[0][0][-1].seed == -3
    torch.manual_seed(5)
    first, second = (TEXT.run("The sky is", max_tokens=2).spans[0][0][-1].seed for _ in range(2))
    torch.manual_seed(5)
    assert first != second and TEXT.run("The sky is", max_tokens=2).spans[0][0][-1].seed == first


def test_a_span_that_went_on_tells_the_seed_by_which_it_did() -> None:
    cut = TEXT.run("The sky is", max_tokens=3, seed=1)
    state = TEXT.resume(cut, max_tokens=4)
    seed = state.spans[0][0][-1].seed
    assert isinstance(seed, int) and seed != 1 and TEXT.resume(cut, max_tokens=4, seed=seed) == state
    error = None
    try:
        oc.generate.regex(shipped_model(), "[a-z]{30}")("The ", max_tokens=3)
    except oc.errors.IncompleteError as caught:
        error = caught
    assert error is not None and isinstance(error.state.spans[0][0][-1].seed, int)


def test_a_chain_has_one_seed() -> None:
    text = oc.continuous(TEXT, max_tokens=2)
    state = (text >> " and " >> text)("The sky is")
    assert len({span.seed for span in state.spans[0][0] if span.kind == "generated"}) == 1
    draws: list[int] = []
    TEXT("The sky is", max_tokens=1, seed=9, hooks=[oc.steer.Watch(lambda draw: draws.append(draw.row.seed))])
    assert draws == [9]
