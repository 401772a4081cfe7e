"""Beams that differ: samples of a beam search are different texts, each in its best spelling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import CLOSE, shipped_model
from test_chains import derivations, link
from test_generation import enumerate_law, small_model, toy_model

import outlines_cont as oc
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.samplers import BeamSearch
from outlines_cont.kernels.laws import Law

beams = oc.samplers.beam_search
CITIES = ["Lisbon", "Porto", "Berlin", "Oslo", "Vienna", "Madrid"]
WORDS = st.lists(st.text("abc12", max_size=5), min_size=1, max_size=4, unique=True)

Text = tuple[tuple[bytes, ...], bytes]  # what the generated spans of a row say, and the row's end as a whole


def text_of(model: oc.Model, row: Any, start: int) -> Text:
    """What a row says after its first tokens, so many."""
    decode = model.vocabulary.decode
    spans = tuple(decode(row.ids[span.start : span.end]) for span in row.spans if span.kind == "generated")
    return spans, decode(row.ids[start:])


def best_spellings(rows: Sequence[tuple[Text, float]]) -> dict[Text, float]:
    """Brute force: of each text the weight of its best spelling."""
    best: dict[Text, float] = {}
    for text, weight in rows:
        best[text] = max(weight, best.get(text, weight))
    return best


def assert_texts(model: oc.Model, state: oc.SequenceState, expected: dict[Text, float], k: int) -> None:
    """The samples of the first batch row are the k best of these texts."""
    start = len(model.state("xy").rows[0][0].ids)
    live = [row for row in state.rows[0] if not row.dead]
    ranked = sorted(expected.values(), reverse=True)[:k]
    assert [row.weight for row in live] == pytest.approx(ranked, abs=CLOSE)
    texts = [text_of(model, row, start) for row in live]
    assert len(set(texts)) == len(texts)
    assert [expected[text] for text in texts] == pytest.approx(ranked, abs=CLOSE)


@settings(max_examples=60, deadline=None)
@given(options=WORDS, seed=st.integers(0, 3), fewer=st.integers(0, 3))
def test_with_all_spellings_the_texts_are_the_best_of_an_enumeration(options: list[str], seed: int, fewer: int) -> None:
    """With as many beams as there are token sequences: each text once, in its best spelling, in order."""
    model = toy_model(seed)
    every = enumerate_law(model, "xy", options)
    decode = model.vocabulary.decode
    expected = best_spellings([(((decode(ids),), decode(ids)), own) for ids, own, _ in every])
    state = oc.continuous(oc.generate.choice(model, options, beams(len(every), spellings=None)))("xy")
    assert_texts(model, state, expected, len(every))
    assert state.best(1) == state[:, :1, :]
    few = max(1, len(expected) - fewer)  # with all spellings of fewer texts each one that is given is as good
    for m in (1, 2, None):
        some = oc.continuous(oc.generate.choice(model, options, beams(few, spellings=m)))("xy")
        start = len(model.state("xy").rows[0][0].ids)
        texts = [text_of(model, row, start) for row in some.rows[0] if not row.dead]
        assert 0 < len(set(texts)) == len(texts) <= few
        for text, weight in zip(texts, some.weights[0].tolist(), strict=False):
            assert weight <= expected[text] + CLOSE


@settings(max_examples=20, deadline=None)
@given(
    first=st.lists(st.text("abc", max_size=3), min_size=1, max_size=3, unique=True),
    second=st.lists(st.text("12ab", max_size=3), min_size=1, max_size=3, unique=True),
    between=st.sampled_from(["-", "", "b"]),
    after=st.sampled_from(["", "!"]),
    penalty=st.sampled_from([0.0, 0.7]),
    cut=st.integers(0, 5),
)
def test_texts_of_chains(
    first: list[str], second: list[str], between: str, after: str, penalty: float, cut: int
) -> None:
    """Hypotheses are compared by what each link says, in whichever link they are; and a search that goes on from an
    interruption still knows which are the same."""
    model = toy_model(1)
    start = model.state("xy").rows[0][0].ids
    every = list(derivations(model, start, [first, second], [between, after]))
    k, sampler = len(every), beams(len(every), penalty, spellings=None)
    exact = beams(k, penalty, distinct="tokens")
    one, other = (
        (link(model, first, s, "a") >> between >> link(model, second, s, "b") >> after) for s in (sampler, exact)
    )
    whole, reference = one("xy"), other("xy")
    merged: dict[Text, tuple[float, float]] = {}
    for row, score in zip(reference.rows[0], reference.scores[0].tolist(), strict=True):
        merged.setdefault(text_of(model, row, len(start)), (score, row.weight))  # best first
    live = [row for row in whole.rows[0] if not row.dead]
    assert len(merged) == len(live) and len(reference) == k
    for row, score in zip(live, whole.scores[0].tolist(), strict=False):
        assert (score, row.weight) == pytest.approx(merged[text_of(model, row, len(start))], abs=CLOSE)
    if not penalty and between == "-":  # each whole text is one way to divide it, so that the enumeration tells
        decode = model.vocabulary.decode
        brute = best_spellings([(((), decode(ids[len(start) :])), sum(own)) for ids, own in every])
        assert sorted(brute.values()) == pytest.approx(sorted(weight for _, weight in merged.values()), abs=CLOSE)
    frontier: Frontier = one.begin("xy")
    for _ in range(cut):
        frontier = frontier if frontier.done else frontier.step(model.logits(frontier.pending))
    assert one.resume(frontier.state) == whole


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 3), stops=st.sampled_from([["1"], ["b"], ["bc", "2"], ["ab"]]), most=st.integers(1, 2))
def test_texts_that_stop_strings_and_max_tokens_end(seed: int, stops: list[str], most: int) -> None:
    """What is left of a text before a stop string, and what `max_tokens` cuts, is merged by what it says."""
    model = small_model(seed)
    size = len(model.vocabulary) ** most + 1
    one, other = (
        oc.continuous(oc.generate.text(model, sampler))("xy", stop_at=stops, max_tokens=most)
        for sampler in (beams(size, spellings=None), beams(size, distinct="tokens"))
    )
    start = len(model.state("xy").rows[0][0].ids)
    merged: dict[Any, float] = {}
    for row in (row for row in other.rows[0] if not row.dead):
        merged.setdefault((text_of(model, row, start), row.finished), row.weight)
    live = [row for row in one.rows[0] if not row.dead]
    assert {(text_of(model, row, start), row.finished) for row in live} == merged.keys()
    assert [row.weight for row in live] == pytest.approx(sorted(merged.values(), reverse=True), abs=CLOSE)


def test_a_hypothesis_in_the_middle_of_a_character_is_its_bytes() -> None:
    model, options = toy_model(2), ["é", "è", "aé"]
    every = enumerate_law(model, "xy", options)
    state = oc.continuous(oc.generate.choice(model, options, beams(len(every), spellings=None)))("xy")
    assert sorted(text[2:] for text in state) == sorted(options)


def test_rows_that_a_search_begins_from_stay_two_if_they_are_two() -> None:
    """Two samples with the same text in other tokens: each has texts of its own."""
    model = toy_model(1)
    ids = model.state("xy").rows[0][0].ids
    spelled = [model.vocabulary.tokens.index(token) for token in (b"a", b"b", b"ab")]
    start = oc.cat([model.state([*ids, spelled[2]]), model.state([*ids, *spelled[:2]])], 1)
    assert len(set(start)) == 1 and start.shape[1] == 2
    state = oc.continuous(oc.generate.choice(model, ["1", "2"], beams(9)))(start)
    assert sorted(state) == ["xyab1", "xyab1", "xyab2", "xyab2"]
    again = oc.continuous(oc.generate.choice(model, ["1", "2"], beams(9)))(start[:, [0, 0], :])
    assert sorted(again) == ["xyab1", "xyab2"], "equal rows are one"


def test_what_a_controller_remembers_tells_texts_apart_as_long_as_they_go_on() -> None:
    """Two forks that write the same and remember something else go on as two texts; when they have stopped, as one."""
    model = toy_model(1)
    alike = oc.generate.choice(model, ["abc"])

    def forks(row: Any) -> list[oc.steer.Branch]:
        if row.memory is None:
            return [oc.steer.Branch(allowed=alike, memory=[number]) for number in "12"]  # a list has no hash
        return [oc.steer.Branch(forced=row.memory[0], memory=[])] if row.memory else []

    step = oc.continuous(oc.generate.control(model, forks, beams(4, spellings=1)))
    state = step("xy")
    assert sorted(text[2:] for text in state) == ["abc1", "abc2"]
    same = oc.continuous(
        oc.generate.control(
            model,
            lambda row: [] if row.memory else [oc.steer.Branch(allowed=alike, memory=n) for n in (1, 2)],
            beams(4),
        )
    )
    assert list(same("xy")) == ["xyabc"]


PROMPTS = ["Mira lives in ", "The sky is ", "xyz ", "2 + 2 = ", "The capital of France is", "1, 2, 3, "]


@pytest.mark.parametrize("stop", ["elsewhere", "eos"])
def test_six_beams_over_six_cities_give_the_six(stop: str) -> None:
    model = shipped_model()
    for sampler in (beams(6), beams(6, spellings=1), beams(6, spellings=None)):
        state = oc.continuous(oc.generate.choice(model, CITIES, sampler, stop=stop), name="city")(PROMPTS)
        assert [sorted(values[0] for values in group) for group in state.captures["city"]] == [sorted(CITIES)] * 6
        torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-3, rtol=1e-4)


@pytest.mark.parametrize("sampler", [beams(3), beams(4, spellings=1), beams(2, spellings=4)], ids=repr)
def test_a_step_has_few_rows(sampler: BeamSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most beams · spellings rows go on, no more than `spellings` of one text; and the device is asked once a step
    for the likeliest candidates."""
    model, asked = shipped_model(), 0
    best = Law.best

    def counted(*args: Any) -> Any:
        nonlocal asked
        asked += 1
        return best(*args)

    monkeypatch.setattr(Law, "best", counted)
    assert sampler.spellings is not None
    for generator in (
        oc.generate.regex(model, "[A-Z][a-z]+ (and|or) [A-Z][a-z]+", sampler),
        oc.generate.text(model, sampler),
    ):
        frontier, steps, most = generator.begin("Mira lives in ", max_tokens=12), 0, 0
        asked = 0
        while not frontier.done:
            frontier, steps = frontier.step(model.logits(frontier.pending)), steps + 1
            going = [h.same_text for h in frontier.groups[0] if not h.status.ended]
            most = max(most, len(going))
            assert len(set(going)) <= sampler.beams
            assert all(going.count(text) <= sampler.spellings for text in going)
        assert asked == steps and most >= sampler.beams
        assert len(set(frontier.state)) == len(frontier.state) == sampler.beams


def test_more_candidates_are_looked_at_until_there_are_enough_texts() -> None:
    """The likeliest tokens of the only row begin one text, or end: no other text would be left to go on with."""
    model = toy_model(0)
    tokens = model.vocabulary.tokens
    options = ["abcabcabcabc", "1", "2b", "caa"]
    frontier = oc.generate.choice(model, options, beams(2, spellings=1)).begin("xy")
    logits = torch.zeros(1, len(tokens))
    logits[0, [tokens.index(token) for token in (b"a", b"ab", b"abc", b"1")]] = 9.0
    group = frontier.step(logits).groups[0]
    assert group[0].settings.sampler.samples == 2 and [h.value for h in group if h.status.ended] == [b"1"]
    assert len([h for h in group if not h.status.ended]) == 2


def test_a_search_that_max_tokens_has_cut_says_that_spellings_are_lost() -> None:
    model = toy_model(1)
    step = oc.continuous(oc.generate.choice(model, ["abcabc", "abc12"], beams(2)))
    with pytest.warns(UserWarning, match=r"resume\(\) of beam_search\(beams=2\) on a search that max_tokens had ended"):
        step.resume(step("xy", max_tokens=1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"distinct": "words"}, "distinct='words': it must be 'text' or 'tokens'"),
        ({"distinct": None}, "distinct=None"),
        ({"spellings": 0}, "spellings=0: it must be an int ≥ 1"),
        ({"spellings": 1.5}, "spellings=1.5"),
        ({"spellings": True}, "spellings=True"),
        ({"distinct": "tokens", "spellings": 3}, "spellings=3: it must be left out with distinct='tokens'"),
        ({"distinct": "tokens", "spellings": None}, "spellings=None: it must be left out with distinct='tokens'"),
    ],
)
def test_wrong_settings_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        beams(2, **options)


def test_settings_are_values() -> None:
    assert beams(2) == beams(2, spellings=oc.samplers.beam_search().spellings) != beams(2, spellings=None)
    assert beams(2, distinct="tokens") == BeamSearch(2, distinct="tokens") != beams(2)
    assert "distinct='tokens'" in repr(beams(2, distinct="tokens")) and str(beams(2)) == "beam_search(beams=2)"
