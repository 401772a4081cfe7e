"""Two states side by side: what is told of them is so."""

from __future__ import annotations

from itertools import product, zip_longest
from math import log

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model

import outlines_cont as oc
from outlines_cont.pictures.compare import share
from outlines_cont.pictures.markup import Element, read_markup
from outlines_cont.state.row import DEAD

rows = st.lists(st.integers(min_value=1, max_value=3), max_size=12)


def first_difference(a: list[int], b: list[int]) -> int | None:
    return next((i for i, (x, y) in enumerate(zip_longest(a, b)) if x != y), None)


@given(st.lists(st.tuples(rows, rows), min_size=1, max_size=3))
@settings(max_examples=80, deadline=None)
def test_rows_part_where_lists_do(pairs: list[tuple[list[int], list[int]]]) -> None:
    model = small_model()
    a, b = (oc.cat([model.state([1, *each[side]]) for each in pairs], 0) for side in (0, 1))
    compared = oc.compare(a, b)
    expected = [first_difference([1, *one], [1, *two]) for one, two in pairs]
    assert compared.differ == [[place] for place in expected]
    assert oc.compare(b, a).differ == compared.differ and oc.compare(a, a).differ == [[None]] * len(pairs)
    for [pair] in compared.pairs:
        one, two = (row.ids for row in pair.rows)
        assert [i for part in pair.stretches for i in part.a] == list(range(len(one)))
        assert [i for part in pair.stretches for i in part.b] == list(range(len(two)))
        for part in pair.stretches:
            same = [one[i] for i in part.a] == [two[i] for i in part.b]
            assert same == part.same
    texts, page = str(compared), compared.html()
    assert texts.count("[") >= len(pairs) and sum("pair" in each.classes for each in walk(read_markup(page))) == len(
        pairs
    )


def walk(element: Element) -> list[Element]:
    return [element, *(below for child in element.elements for below in walk(child))]


@pytest.mark.parametrize("noted", [{"candidates": 500}, {"alternatives": 20}, {}])
def test_numbers_are_those_of_the_rows_and_of_the_model(noted: dict[str, int]) -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=4)))
    state = step("ab", max_tokens=6, seed=1, keep=oc.Keep(**noted))
    state = state.kv.drop() if noted else state
    compared = oc.compare(state[:, :1, :], state)
    assert compared.differ[0][0] is None
    for s, pair in enumerate(compared.pairs[0]):
        a, b = state.rows[0][0], state.rows[0][s]
        assert pair.weights == (a.weight, b.weight) and compared.differences[0][s] == pytest.approx(a.weight - b.weight)
        at = pair.position
        if at is None or at >= min(len(a), len(b)):
            continue
        assert pair.there is not None
        law = torch.log_softmax(model.hf(torch.tensor([a.ids[:at]])).logits[0, -1].float(), -1)
        for there, token, other in zip(pair.there, (a.ids[at], b.ids[at]), (b.ids[at], a.ids[at]), strict=True):
            assert there.token == token and there.logprob == pytest.approx(law[token].item(), abs=1e-4)
            named = "alternatives" not in noted or other in law.topk(20).indices
            assert there.others_logprob == (pytest.approx(law[other].item(), abs=1e-4) if named else None)
            assert share(there.logprob) in str(compared) and share(there.logprob) in compared.html()
    assert any(place is not None for place in compared.differ[0])


def test_a_row_that_ends_where_the_other_goes_on_has_its_stop_there() -> None:
    model = small_model()
    step = oc.continuous(oc.generate.choice(model, ["ab", "abab"], oc.samplers.beam_search(2)), name="word")
    short, long = sorted(step("x").rows[0], key=len)
    states = [oc.SequenceState(model, [[row]], samples=1) for row in (short, long)]
    compared = oc.compare(*states, names=("short", "long"))
    [[pair]] = compared.pairs
    assert pair.there is not None and pair.position == len(short)
    [(_, stop)] = short.stops
    assert (pair.there[0].token, pair.there[0].logprob) == (None, stop.logprob)
    assert "the stop" in str(compared) and "short" in compared.html() and "[[" not in str(compared)
    cut = oc.compare(states[1], states[1][..., :-1])
    assert "the end" in str(cut) and cut.differ == [[len(long) - 1]]


def test_one_sample_is_compared_with_many() -> None:
    model = small_model()
    many = (model.state(["x", "x"]) + ["ab", "a1b"]).fork(3)
    assert oc.compare(model.state("x") + "ab", many).differ == [[None] * 3, [1] * 3]
    assert oc.compare(many, model.state("x") + "ab").differ == [[None] * 3, [1] * 3]
    with pytest.raises(oc.errors.BatchMismatch, match="a has 2 batch rows and b has 3"):
        oc.compare(many, model.state(["a"] * 3))
    with pytest.raises(oc.errors.SampleMismatch, match="a has 3 samples and b has 2"):
        oc.compare(many, model.state(["ab", "abc"]).fork(2))


def test_what_cannot_be_compared_is_named() -> None:
    model = small_model()
    state = model.state("ab")
    with pytest.raises(TypeError, match="b must be a SequenceState, not 'ab'"):
        oc.compare(state, "ab")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"vocabularies differ.*model.state"):
        oc.compare(state, toy_model().state("ab"))
    for names in ("ab", ["a"], ["a", "a"], ["a", 1]):
        with pytest.raises(ValueError, match="two different names"):
            oc.compare(state, state, names=names)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rows=0"):
        oc.compare(state, state).html(rows=0)


def test_dead_rows_empty_rows_and_empty_states_are_compared() -> None:
    model = small_model()
    state = model.state("ab")
    dead = oc.SequenceState(model, [[DEAD]], samples=1)
    compared = oc.compare(state, dead)
    assert compared.differ == [[0]] and "dead" in str(compared) and "dead" in compared.html()
    assert oc.compare(dead, dead).differ == [[None]] and oc.compare(dead, dead).differences == [[0.0]]
    assert oc.compare(state[..., :0], state).differ == [[0]]
    assert oc.compare(state[:0, :, :], state[:0, :, :]).differ == []
    for one, two in product([state, dead, state[..., :0]], repeat=2):
        assert str(oc.compare(one, two)) and oc.compare(one, two).html()


def test_one_token_is_no_tokens() -> None:
    model = small_model()
    one, two, other = (model.state(ids) for ids in ([1], [1, 2], [2]))
    assert " the same 1 token;" in str(oc.compare(one, one)) and " 1 token, not finished" in str(oc.compare(one, one))
    assert " the first 1 token is the same;" in str(oc.compare(one, two))
    assert " they part at the beginning;" in str(oc.compare(one, other))


def test_what_is_long_is_left_out_and_it_says_so() -> None:
    model = small_model()
    a, b = model.state("ab" * 40 + "c" + "ab" * 200), model.state("ab" * 40 + "12" * 150 + "ab" * 60)
    page = oc.compare(a, b).html(tokens=20)
    elements = walk(read_markup(page))
    notes = [each.attributes["data-n"] for each in elements if "y" in each.classes]
    assert any("tokens in both" in note for note in notes) and any("more tokens" in note for note in notes)
    assert sum("title" in each.attributes for each in elements if each.tag == "span") < 120
    many = oc.compare(model.state(["a"] * 12), model.state(["b"] * 12))
    assert "… and 4 more pairs: html(rows=12)" in many.html() and "more pairs" not in many.html(rows=12)
    assert repr(many) == "<Comparison of 12 pairs of rows: 12 differ>"


def test_each_row_is_looked_up_in_the_model_of_its_own_state() -> None:
    one, two = toy_model.__wrapped__(), toy_model.__wrapped__()
    with torch.no_grad():
        for parameter in two.hf.parameters():
            parameter.mul_(1.5)
    states = [oc.continuous(oc.generate.text(m, oc.samplers.greedy()))("ab", max_tokens=6) for m in (one, two)]
    [[pair]] = oc.compare(*states).pairs
    assert pair.there and pair.position is not None
    place = pair.position
    for model, row, there, other in zip((one, two), pair.rows, pair.there, pair.rows[::-1], strict=True):
        law = torch.log_softmax(model.read([oc.stepping.Need(row.ids[:place], (place - 1,))])[0][0], -1)
        assert there.others_logprob == pytest.approx(float(law[other.ids[place]]), abs=1e-5)


@pytest.mark.parametrize("side", [0, 1])
def test_what_one_row_begins_with_may_stand_later_in_the_other(side: int) -> None:
    model = small_model()
    whole = model.state("a-b-c-1-")
    tail = whole[:, :, 2:]
    compared = oc.compare(*((whole, tail) if side else (tail, whole)))
    [[pair]] = compared.pairs
    assert any(part.same for part in pair.stretches) and "they meet again" in str(compared)
    drawn = [each for each in walk(read_markup(compared.html())) if "x" in each.classes]
    spans = [sum(each.tag == "span" for each in walk(body)) for body in drawn]
    assert spans == [len(row.ids) for row in pair.rows]


def test_comparing_does_not_run_the_model() -> None:
    model = small_model.__wrapped__()
    a, b = model.state("ab"), model.state("abc")
    before = repr(model.stats)
    assert oc.compare(a, b).html() and str(oc.compare(a, b))
    assert repr(model.stats) == before


def test_a_percentage_is_that_of_the_log_probability() -> None:
    assert (share(log(0.25)), share(None), share(float("nan")), share(log(1.5))) == ("25%", "—", "—", "150%")
