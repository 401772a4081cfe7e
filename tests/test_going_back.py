"""Going back a different number of tokens in each row, the whole span included: one cut, one `resume` (law 7)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import toy_model

import outlines_cont as oc

GREEDY, BEAMS = oc.samplers.greedy(), oc.samplers.beam_search(3)
SAMPLERS = [GREEDY, oc.samplers.multinomial(), oc.samplers.multinomial(2), oc.samplers.multinomial(top_k=3)]
PROMPTS = ["xy", "abc", "1"]


def generator(model: oc.Model, kind: str, sampler: Any) -> Any:
    make = oc.generate
    return {
        "text": lambda: make.text(model, sampler),
        "choice": lambda: make.choice(model, ["bca", "c12", "cabc", "b"], sampler, forced="never"),
        "maybe": lambda: make.choice(model, ["", "b"], sampler),
        "by sequence": lambda: make.choice(model, ["bca", "c12", "b"], sampler, by="sequence"),
        "regex": lambda: make.regex(model, "(b|ca|12){1,5}x?", sampler),
        "where": lambda: make.regex(model, "[abc]{1,6}", sampler, where=lambda text, done: "cc" not in text),
        "control": lambda: make.control(model, two_parts(model), sampler),
    }[kind]()


def two_parts(model: oc.Model) -> Any:
    letters, digits = oc.generate.regex(model, "[abc]{0,2}"), oc.generate.regex(model, "[12]{1,2}")

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        turn = row.memory or 0
        branches: list[Any] = [{"allowed": letters}, {"forced": "-"}, {"allowed": digits}]
        return [oc.steer.Branch(**branches[turn], memory=turn + 1)] if turn < 3 else []

    return controller


KINDS = ["text", "choice", "by sequence", "regex", "where", "control"]


def starts(state: oc.SequenceState) -> list[list[int]]:
    return [[spans[-1].start for spans in group] for group in state.spans]


def same(a: oc.SequenceState, b: oc.SequenceState, keys: bool = True) -> bool:
    """Equal in all but rounding; with their random keys or without."""
    close = all(
        torch.allclose(getattr(a, name), getattr(b, name), atol=1e-3, equal_nan=True)
        for name in ("weights", "logprobs", "proposal_logprobs")
    )
    lineages = [[[row.lineage for row in group] for group in state.rows] for state in (a, b)]
    equal = a == b and a.finished == b.finished and {**a.captures} == {**b.captures}
    return equal and close and (lineages[0] == lineages[1] or not keys)


@settings(max_examples=150)
@given(data=st.data())
def test_a_ragged_batch_goes_back_by_any_numbers(data: st.DataObject) -> None:
    """Each row cut anywhere in its span, at its very beginning, too, in memory or through bytes: as if never cut."""
    model, kind, sampler = (
        toy_model(),
        data.draw(st.sampled_from([*KINDS, "maybe"])),
        data.draw(st.sampled_from(SAMPLERS)),
    )
    seam: Any = data.draw(st.sampled_from(["keep", "heal"])) if kind in ("text", "regex") else "keep"
    step = oc.continuous(generator(model, kind, sampler), name="v", seam=seam)
    seed = data.draw(st.integers(0, 99))
    whole = step(PROMPTS, seed=seed, max_tokens=40)
    begins = starts(whole)
    lengths = [
        [data.draw(st.integers(begin, len(row))) for begin, row in zip(*pair, strict=True)]
        for pair in zip(begins, whole.rows, strict=True)
    ]
    cut = whole.crop(lengths)
    assert cut.kv.lengths.equal(torch.minimum(whole.kv.lengths, torch.tensor(lengths)))
    if data.draw(st.booleans()):
        loaded = oc.storage.from_bytes(oc.storage.to_bytes(cut), model)
        assert loaded.identical(cut) and loaded.spans == cut.spans
        if kind != "control":
            cut = loaded
    resumed = step.resume(cut, seed=seed, max_tokens=40)
    ended = [[how == "stop" for how in group] for group in whole.finished]  # others end where their budget does
    assert same(resumed.pick(ended), whole.pick(ended)) and (kind == "text" or all(map(all, ended)))
    for (b, s), begin in ((place, begins[place[0]][place[1]]) for place in places(whole)):
        row, spans = cut.rows[b][s], cut.spans[b][s]
        if len(row) == begin < whole.lengths[b, s]:
            assert (spans[-1].kind, spans[-1].start, spans[-1].end, spans[-1].finished) == (
                "generated",
                begin,
                begin,
                None,
            )
            assert cut.finished[b][s] is None and cut.captures["v"][b][s] == [] and cut.weights[b, s] == 0


def places(state: oc.SequenceState) -> list[tuple[int, int]]:
    return [(b, s) for b in range(state.shape[0]) for s in range(state.shape[1]) if not state.rows[b][s].dead]


@pytest.mark.parametrize("sampler", [*SAMPLERS, BEAMS, oc.samplers.beam_search(2, distinct="tokens")], ids=repr)
@pytest.mark.parametrize("kind", KINDS)
def test_a_step_after_the_cut_is_the_step_of_before(kind: str, sampler: Any) -> None:
    """It begins a span of its own, and leaves nothing of the old one; `resume` begins that with the same draws."""
    if kind in ("by sequence", "control", "text") and sampler.joint:
        return  # (a search for texts finds the empty one, too, of which nothing is cut off)
    model = toy_model()
    step = oc.continuous(generator(model, kind, sampler), name="v")
    prompt = model.state(PROMPTS)
    whole = step(prompt, seed=3, max_tokens=6)
    cut = whole.crop(starts(whole))
    assert cut == oc.cat([prompt] * whole.shape[1], 1) and {**cut.captures} == {"v": [[[]] * whole.shape[1]] * 3}
    for again in (step(cut, seed=3, max_tokens=6), step.resume(cut, seed=3, max_tokens=6)):
        assert (
            same(again, whole, keys=not sampler.joint)
            and [[len(spans) for spans in group] for group in again.spans] == [[2] * whole.shape[1]] * 3
        )
    bare = oc.SequenceState(
        model, [[replace(row, pieces=row.pieces[:1]) for row in group] for group in cut.rows], len(cut.rows[0])
    )
    assert not bare.identical(cut) and same(step(cut, seed=4), step(bare, seed=4))
    assert same(step(cut + "b", seed=3, max_tokens=6), step(bare + "b", seed=3, max_tokens=6))


def test_text_behind_the_cut_joins_the_span() -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.regex(model, "[abc]{3}", oc.samplers.multinomial()), name="v")
    whole = step(PROMPTS, seed=1)
    cut = whole.crop(starts(whole)) + ["b", "", "ca"]
    assert cut.captures["v"] == [[[]]] * 3 and cut.finished == [[None]] * 3
    resumed = step.resume(cut, seed=1)
    values = [value for [[value]] in resumed.captures["v"]]
    assert values[0][0] == "b" and values[2][:2] == "ca" and same(resumed[1, :], whole[1, :])
    assert [[len(spans) for spans in group] for group in resumed.spans] == [[2]] * 3
    with pytest.raises(oc.errors.ConstraintError, match=r"'1' does not begin a value.*'v'"):
        step.resume(whole.crop(starts(whole)) + "1")
    one = step.resume(whole.crop(starts(whole)) + ["1", "", ""], seed=1, errors="return")
    assert [[type(error) for error in group] for group in one.errors] == [
        [oc.errors.ConstraintError],
        [type(None)],
        [type(None)],
    ]
    assert same(one[1:, :], whole[1:, :])


def test_up_to_exactly_there_is_the_same_cut() -> None:
    """At the first characters of a span, named or not; the special tokens before a span that is named stay."""
    model = oc.load()
    city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial()), name="city")
    whole = city(["Mira lives in ", "The capital of Peru is "], seed=2)
    for cut in (whole.up_to("Li"), whole.up_to("Li", span="city"), whole.up_to("Li", span=-1)):
        assert cut.identical(whole.crop(starts(whole))) and city.resume(cut, seed=2).identical(whole)
    asked = city(model.chat([{"role": "user", "content": "Where does Mira live?"}]), seed=4)
    cut = asked.up_to("Li", span="city")
    assert cut.identical(asked.crop(starts(asked))) and city.resume(cut, seed=4).identical(asked)
    with pytest.raises(ValueError, match="does not have this text in that span; it has '' there"):
        cut.up_to("x", span="city")
    with pytest.raises(ValueError, match="waits for its answer"):
        cut.turn("user", "And now?")


LINKS = [(GREEDY, GREEDY), (oc.samplers.multinomial(), oc.samplers.multinomial()), (GREEDY, BEAMS), (BEAMS, BEAMS)]


@pytest.mark.parametrize("text", ["", "-x"])
@pytest.mark.parametrize(("first", "later"), LINKS, ids=repr)
def test_a_chain_finds_the_link_by_the_empty_piece(first: Any, later: Any, text: str, tmp_path: Path) -> None:
    model = toy_model(2)
    a = oc.continuous(oc.generate.choice(model, ["ab", "ca", "b"], first, forced="never"), name="v")
    b = oc.continuous(oc.generate.choice(model, ["12", "1", "b"], later, forced="never"), name="v")
    chain = "c" >> a >> text >> b >> "yz" if text else "c" >> a >> b >> "yz"
    whole = chain(PROMPTS, seed=5)
    for link in (0, 1):
        lengths = [
            [[s for s in spans if s.kind == "generated"][link].start for spans in group] for group in whole.spans
        ]
        whole.crop(lengths).save(tmp_path / "cut")
        for cut in (whole.crop(lengths), oc.load_state(tmp_path / "cut", model)):
            again = chain.resume(cut, seed=5)
            best, top = again.best(1), whole.best(1)
            if not later.joint:
                assert same(again, whole)
            assert best == top and best.finished == top.finished and {**best.captures} == {**top.captures}


def test_what_another_step_began_and_lost_is_no_obstacle() -> None:
    """A span or a chain goes on over the empty piece of a span that came later; nothing of it is left."""
    model = toy_model()
    text = oc.continuous(oc.generate.text(model, GREEDY), name="text")
    other = oc.continuous(oc.generate.regex(model, "[abc]{2}", GREEDY), name="other")
    short = text("xy", max_tokens=2)
    cut = other(short)[..., : short.shape[2]]
    assert [span.name for span in cut.spans[0][0]] == [None, "text", "other"] and cut.finished == [[None]]
    assert text.resume(cut, 3).identical(text.resume(short, 3))
    assert text.resume(cut + "a", 3).identical(text.resume(short + "a", 3))
    chain = text >> "-" >> other
    whole = chain("xy", max_tokens=2)
    late = oc.continuous(oc.generate.regex(model, "[12]{2}", GREEDY), name="late")
    cut = late(whole)[..., : whole.shape[2]]
    assert chain.resume(cut) == whole and late.resume(cut) == late(whole)
    fresh = late(model.state("xy"))[..., :2]
    with pytest.raises(ValueError, match="no span of it"):
        chain.resume(fresh)
    with pytest.raises(ValueError, match=r"'text'.*no such span.*'late'"):
        text.resume(fresh)
    assert chain(fresh, max_tokens=2).identical(whole)


def test_going_back_again_and_again_leaves_nothing_behind() -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.regex(model, "[abc]{2}", oc.samplers.multinomial()), name="v")
    state = prompt = model.state("xy")
    for seed in range(5):
        state = step(state[..., :2] + step("ab", seed=seed)[..., 2:], seed=seed)[..., :2]
        state = step(state, seed=seed)[..., :2]
        assert [len(row.pieces) for [row] in state.rows] == [2] and state == prompt


def test_the_parts_of_a_row_are_whole_again_and_weigh_what_it_weighs() -> None:
    """Laws 4 to 6 at each border, also where a part of a controlled span ended before its first token."""
    model = toy_model()
    state = model.state(["xy", "1"])
    for kind in ("regex", "control", "text"):
        state = oc.continuous(generator(model, kind, oc.samplers.multinomial()), name=kind)(state, seed=2, max_tokens=5)
    for n in range(state.shape[2] + 1):
        left, right = state[..., :n], state[..., n:]
        assert (left + right).identical(state) and torch.allclose(left.weights + right.weights, state.weights)
        assert oc.storage.from_bytes(oc.storage.to_bytes(left), model).spans == left.spans
        for m in range(n + 1):
            assert left[..., m:].identical(state[..., m:n]) and left[..., :m].identical(state[..., :m])


def test_nothing_is_drawn_for_an_empty_piece() -> None:
    model = oc.load()
    city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima"], GREEDY), name="city")
    prompt = model.state("Mira lives in ").kv.prefill()
    cut = city(prompt)[..., : prompt.shape[2]]
    assert cut.spans != prompt.spans
    assert str(cut.html()) == str(prompt.html()) and str(cut.fork(2).tree()) == str(prompt.fork(2).tree())
    assert str(cut) == str(prompt) and cut.kv.lengths.equal(prompt.kv.lengths)


def test_a_cut_of_a_best_candidate_weighs_as_nothing_drawn() -> None:
    """What greedy decoding chose and lost is no reason to refuse: particles go on from the cut as from the prompt."""
    model = toy_model()
    greedy = oc.continuous(oc.generate.regex(model, "[abc]{3}", GREEDY), name="v")
    drawn = oc.continuous(oc.generate.regex(model, "[abc]{3}", oc.samplers.smc(4, 1.0)), name="v")
    cut = greedy("xy")[..., :2]
    assert drawn(cut, seed=1).identical(drawn("xy", seed=1)) and cut.fork(2).particles.resample(seed=0) == cut.fork(2)
    again = oc.continuous(oc.generate.regex(model, "[abc]{3}", oc.samplers.multinomial()), name="v")
    assert again.resume(cut, seed=1).identical(again("xy", seed=1))


def test_a_search_begins_anew_where_all_its_samples_were_cut_off() -> None:
    model = toy_model()
    for sampler in (
        BEAMS,
        oc.samplers.beam_search(3, distinct="tokens"),
        oc.samplers.beam_search(3, length_penalty=1.0),
    ):
        for kind in ("regex", "text"):
            step = oc.continuous(generator(model, kind, sampler), name="v")
            whole = step(PROMPTS, max_tokens=5)
            assert same(step.resume(whole.crop(starts(whole)), max_tokens=5), whole, keys=False)


def test_contexts_beside_a_row_come_back_with_the_span() -> None:
    model = toy_model()
    step = oc.continuous(oc.generate.regex(model, "[abc]{3}", oc.samplers.multinomial()), name="v")
    whole = step("xy", seed=1, beside=[("ab", 0.5)])
    cut = whole[..., :2]
    assert same(step.resume(cut, seed=1), whole) and same(step.resume(cut, seed=1, beside=[]), step("xy", seed=1))
    assert not step.resume(cut, seed=1, beside=[]).spans[0][0][-1].combined


def test_wrong_sizes_are_told_with_the_expression_that_widens() -> None:
    """Nothing is broadcast: the message holds what to write, and that is right."""
    model = toy_model()
    one, two, three = model.state("xy"), model.state(["xy", "a"]), model.state(["1", "2", "a"])
    for left, right, error in ((two, one, oc.errors.BatchMismatch), (one, two, oc.errors.BatchMismatch)):
        with pytest.raises(error, match="batch rows on the left") as caught:
            left + right
        said = re.search(r"write (oc\.cat\(\[t\] \* 2, 0\)) for the (left|right) one, t", str(caught.value))
        assert said and said[2] == ("left" if left is one else "right")
        widened = eval(said[1], {"oc": oc, "t": one})
        assert (widened + right if left is one else left + widened).shape[:2] == (2, 1)
    with pytest.raises(oc.errors.SampleMismatch, match=r"write t\.fork\(3\) for the right one, t"):
        one.fork(3) + one
    with pytest.raises(oc.errors.BatchMismatch, match=r"2 batch rows on the left, 3 on the right$"):
        two + three
    with pytest.raises(oc.errors.SampleMismatch, match=r"write t\.fork\(2\) for the left one, t"):
        oc.grafts.graft(one, one.fork(2))


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "lengths of one axis": (lambda s: s.crop([1, 2]), TypeError, r"crop\(\[1, 2\]\): it takes an int for each row"),
    "lengths as floats": (lambda s: s.crop(torch.tensor([[1.0], [2.0]])), TypeError, "an int for each row"),
    "lengths as bools": (lambda s: s.crop([[True], [False]]), TypeError, "an int for each row"),
    "a bool": (lambda s: s.crop(True), TypeError, "an int for each row"),
    "too few lengths": (lambda s: s.crop([[1]]), oc.errors.BatchMismatch, "lengths for 1 batch rows, of a state of 2"),
    "too many lengths": (lambda s: s.crop([[1, 2], [1, 2]]), oc.errors.SampleMismatch, "lengths for 2 samples"),
    "a pair that is nowhere": (lambda s: s.pick([(2, 0)]), IndexError, r"\(2, 0\) is out of range for 2 batch rows"),
    "a mask of one axis": (lambda s: s.pick([True, False]), TypeError, "it takes pairs"),
    "a mask of another shape": (lambda s: s.pick([[True, False]] * 2), oc.errors.SampleMismatch, "bools for 2 samples"),
    "a function that counts": (lambda s: s.pick(lambda row: 3), TypeError, r"row \(0, 0\)=3: it is True or False"),
    "a function of two": (lambda s: s.pick(lambda b, s: True), TypeError, "takes a state of one row"),
    "no function": (lambda s: s.map(3), TypeError, r"map\(3\): it takes a function"),
    "a text": (lambda s: s.map(str), TypeError, r"made 'xy' of row \(0, 0\)"),
    "two rows": (lambda s: s.map(lambda row: row.fork(2)), ValueError, r"1 × 2 rows of row \(0, 0\)"),
    "of another model": (lambda s: s.map(lambda row: toy_model(1).state("a")), ValueError, "two models do not mix"),
    "truncate": (lambda s: s.truncate(3), AttributeError, r"state\.crop\(lengths\)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_refused_by_name(name: str) -> None:
    wrong, error, message = WRONG[name]
    with pytest.raises(error, match=message):
        wrong(toy_model().state(["xy", "a"]))


def test_an_error_of_a_function_says_of_which_row() -> None:
    state = toy_model().state(["xy", "a"])

    def change(row: oc.SequenceState) -> oc.SequenceState:
        if str(row) == "a":
            raise KeyError("no a")
        return row

    for doing, called in ((state.map, "map"), (state.pick, "pick")):
        function: Any = change if called == "map" else lambda row: change(row) is row
        with pytest.raises(KeyError) as caught:
            doing(function)
        assert caught.value.__notes__ == [f"(raised by the function in {called}() of row (1, 0))"]


def test_rows_that_are_picked_or_mapped_draw_as_they_did() -> None:
    """They keep lineage, keys and values; a row that is picked twice, or comes back twice, draws anew; errors stay."""
    model = oc.load()
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(2)))
    state = text(["Mira is", "Tom is a"], max_tokens=3, seed=1)
    picked = state.pick([(1, 1), (0, 0), (0, 0)])
    assert picked.shape[:2] == (2, 2) and picked.finished[1] == ["length", "dead"]
    assert picked[1, 0, :].identical(state[1, 1, :]) and picked.kv.lengths[1, 0] == state.kv.lengths[1, 1]
    assert len({row.lineage for row in picked.rows[0]}) == 2
    same_row = state.map(lambda row: state[0, 0, :])
    assert len({row.lineage for group in same_row.rows for row in group}) == 4 and same_row.kv.lengths.min() > 0
    one = oc.continuous(oc.generate.text(model))
    every = state.map(lambda row: one(row, max_tokens=2, seed=5))
    assert every == one(state, max_tokens=2, seed=5)
    failed = one(["Mira is", "so " * 3000], max_tokens=1, errors="return")
    kept = failed.pick(lambda row: True)
    assert kept is failed and failed.map(lambda row: row) is failed
    assert failed.pick(lambda row: False).errors[1][0] is failed.errors[1][0]
