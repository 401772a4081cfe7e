"""`model.next`: the law of the next token against a forward and the guide, its draws against the generator's."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from math import exp, inf, log
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import small_model
from test_stepping import SCHEMA

import outlines_cont as oc
from outlines_cont.fsm.protocol import allows

PROMPTS = ["x-", "ab", "12x"]
SAMPLERS: list[Callable[[], Any]] = [
    oc.samplers.greedy,
    oc.samplers.multinomial,
    lambda: oc.samplers.multinomial(temperature=0.6),
    lambda: oc.samplers.multinomial(2, temperature=1.7, top_k=3),
    lambda: oc.samplers.multinomial(3, top_p=0.8),
    lambda: oc.samplers.multinomial(2, min_p=0.1),
    lambda: oc.samplers.multinomial(2, filters=[oc.filters.logit_bias({3: 2.0})]),
    lambda: oc.samplers.smc(3),
    lambda: oc.samplers.beam_search(2),
]


def generators(model: oc.Model, sampler: Any) -> list[oc.generate.Generator]:
    make = oc.generate
    return [
        make.text(model, sampler),
        make.regex(model, "[abc]{1,4}(12)?", sampler, forced="never"),
        make.regex(model, "[abc]{1,3}-1?", sampler, stop="eos"),
        make.choice(model, ["a", "ab", "abc1", "12"], sampler),
        make.regex(model, "(ab|c)x-12(a|b)", sampler, forced="canonical"),
    ]


def warped(scores: list[float], sampler: Any) -> list[float]:
    """By their definitions: bias, temperature, top-k, top-p, min-p; log-probabilities."""
    if getattr(sampler, "logit_filters", ()):
        scores = [value + 2.0 * (place == 3) for place, value in enumerate(scores)]
    scores = [value / getattr(sampler, "temperature", 1.0) for value in scores]

    def normal(values: list[float]) -> list[float]:
        total = log(sum(exp(value - max(values)) for value in values)) + max(values)
        return [value - total for value in values]

    def kept(values: list[float], keep: Callable[[float], bool]) -> list[float]:
        return normal([value if keep(value) else -inf for value in values])

    scores = normal(scores)
    if top_k := getattr(sampler, "top_k", None):
        floor = sorted(scores)[-min(top_k, len(scores))]
        scores = kept(scores, lambda value: value >= floor)
    if top_p := getattr(sampler, "top_p", None):
        before = {value: sum(exp(other) for other in scores if other > value) for value in scores}
        scores = kept(scores, lambda value: before[value] < top_p)
    if min_p := getattr(sampler, "min_p", None):
        floor = max(scores) + log(min_p)
        scores = kept(scores, lambda value: value >= floor)
    return scores


def by_hand(generator: oc.generate.Generator, row: Any) -> tuple[list[float], list[float]]:
    """Both log-probabilities of each candidate after a row, of a full forward and what the guide allows."""
    model, guide = generator.model, generator.constraint.guide
    size, state = len(model.vocabulary), guide.initial
    for token in row.ids[len(row) - row.pieces[-1].hi :]:
        state = guide.advance(state, token)
        assert state is not None
    with torch.no_grad():
        logprobs = model.hf(torch.tensor([row.ids])).logits[0, -1].double().log_softmax(-1)
    allowed = [token not in model.vocabulary.eos and allows(guide, state, token) for token in range(size)]
    # (tokens without bytes are no text)
    allowed = [can and bool(model.vocabulary.tokens[token]) for token, can in enumerate(allowed)]
    logprobs_of_stop = [p for token, p in enumerate(logprobs.tolist()) if not allowed[token]]
    if generator.constraint.stop == "eos":
        logprobs_of_stop = [logprobs[token].item() for token in model.vocabulary.eos]
    stop = log(sum(map(exp, logprobs_of_stop))) if guide.accepting(state) else -inf
    values = [p if can else -inf for p, can in zip(logprobs.tolist(), allowed, strict=True)] + [stop]
    return values, warped(values, generator.sampler)


def cut_rows(state: oc.SequenceState, ends: list[int]) -> oc.SequenceState:
    """Each batch row without its last tokens, so many of the span's own: within the span, or the row as it is."""
    shortest = [min(row.pieces[-1].hi for row in rows if not row.dead) for rows in state.rows]
    counts = [min(end, max(least - 1, 0)) for end, least in zip(ends, shortest, strict=True)]
    return oc.cat([state[b : b + 1, :, : -n or None] for b, n in enumerate(counts)], 0)


cases = st.tuples(st.integers(0, 8), st.integers(0, 4), st.integers(0, 2**32))


@pytest.mark.filterwarnings("ignore:resume.. of beam_search:UserWarning")
@settings(max_examples=80, deadline=None)
@given(case=cases, ends=st.lists(st.integers(0, 4), min_size=3, max_size=3), fresh=st.booleans())
def test_the_law_is_that_of_a_forward_and_the_guide(case: tuple[int, int, int], ends: list[int], fresh: bool) -> None:
    """Of prompts, and of values that were cut anywhere: every candidate has both its log-probabilities."""
    which, kind, seed = case
    model = small_model(seed % 3)
    generator = generators(model, SAMPLERS[which]())[kind]
    given_state = PROMPTS if fresh else cut_rows(generator.run(PROMPTS, max_tokens=5, seed=seed), ends)
    law = model.next(given_state, generator)
    state = law.state
    assert law.logprobs.shape == law.proposal_logprobs.shape == (*state.shape[:2], law.stop + 1)
    if not fresh and which != 8:  # (of equal beams one goes on)
        assert state == given_state
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            here, drawn = law.logprobs[b, s], law.proposal_logprobs[b, s]
            if row.dead or row.finished == "stop":
                assert (here == -inf).all() and (drawn == -inf).all() and law.top()[b][s] == []
                continue
            own, proposals = by_hand(generator, row)
            if (drawn > -inf).sum() == 1 and generator.forced == "canonical" and drawn.max() == 0:  # a forced run
                place = int(drawn.argmax())
                assert here[place].item() == pytest.approx(own[place], abs=1e-4) and own[place] > -inf
                continue
            torch.testing.assert_close(here, torch.tensor(own, dtype=torch.float64), atol=1e-4, rtol=1e-4)
            torch.testing.assert_close(drawn, torch.tensor(proposals, dtype=torch.float64), atol=1e-4, rtol=1e-4)
            best = sorted((value for value in proposals if value > -inf), reverse=True)[:3]
            assert [c.proposal_logprob for c in law.top(3)[b][s]] == pytest.approx(best, abs=1e-4)


def taken(before: oc.SequenceState, after: oc.SequenceState) -> list[list[int]]:
    """The candidate that came next in each row."""
    size = len(before.model.vocabulary)

    def candidate(a: Any, b: Any) -> int:
        if a.dead or a.finished == "stop":
            return -1
        return b.ids[len(a)] if len(b) > len(a) else size

    pairs = zip(before.rows, after.rows, strict=True)
    return [[candidate(a, b) for a, b in zip(*groups, strict=True)] for groups in pairs]


@settings(max_examples=60, deadline=None)
@given(case=cases, ends=st.lists(st.integers(0, 4), min_size=3, max_size=3), draw=st.integers(0, 2**32))
def test_a_sample_is_what_the_generator_draws(case: tuple[int, int, int], ends: list[int], draw: int) -> None:
    """The same random keys: at the beginning, and where a value was cut; so many draws have also the law's shares."""
    which, kind, seed = case[0] % 7, *case[1:]  # (particles are resampled after the draw)
    model = small_model(seed % 3)
    generator = generators(model, SAMPLERS[which]())[kind]
    law = model.next(PROMPTS, generator)
    assert law.sample(draw).tolist() == taken(law.state, generator.run(PROMPTS, max_tokens=1, seed=draw))
    cut = cut_rows(generator.run(PROMPTS, max_tokens=5, seed=seed), ends)
    law = model.next(cut, generator)
    drawn = law.sample(draw).tolist()
    assert drawn == taken(law.state, generator.resume(cut, max_tokens=1, seed=draw))
    assert drawn == taken(law.state, generator.resume(law.state, max_tokens=1, seed=draw))
    assert drawn == model.next(law.state, generator).sample(draw).tolist(), "its rows stand where the law is"


@pytest.mark.parametrize("which", [2, 3, 4])
def test_the_shares_of_many_draws_are_those_of_the_law(which: int) -> None:
    model = small_model(1)
    law = model.next("ab", generators(model, SAMPLERS[which]())[1])
    draws = 500
    counts = Counter(candidate for seed in range(draws) for candidate in law.sample(seed)[0].tolist())
    probabilities = law.proposal_logprobs[0, 0].exp()
    total = draws * law.state.shape[1]
    expected = {place: total * p for place, p in enumerate(probabilities.tolist()) if p > 0}
    assert set(counts) <= set(expected)
    cells = [(counts[place], n) for place, n in expected.items() if n >= 5]
    assert len(cells) > 1 and sum((n - e) ** 2 / e for n, e in cells) < 12 + 4 * len(cells)


def test_what_was_computed_stays_with_the_state() -> None:
    """Law 8: one pass for the rows, none for a second look, none for the call that follows."""
    model = oc.Model(small_model(0).hf, small_model(0).tokenizer)
    text = oc.generate.text(model, oc.samplers.greedy())
    state = model.state(PROMPTS)
    first = model.next(state, text)
    read = state.lengths.sum().item()
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (read, 1, 0)
    del first
    assert state.kv.lengths.equal(state.lengths)
    model.next(state, text)
    assert (model.stats.tokens, model.stats.passes) == (read, 1)
    other = oc.Model(small_model(0).hf, small_model(0).tokenizer)
    after = text.run(state, max_tokens=3)
    expected = oc.generate.text(other, oc.samplers.greedy()).run(PROMPTS, max_tokens=3)
    assert after.tolist() == expected.tolist()
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (other.stats.tokens, other.stats.passes, 0)
    forced = oc.generate.choice(model, ["abcx12", "abcx-"])
    tokens = model.stats.tokens
    assert [len(row) for [row] in model.next(state, forced).top()] == [1] * 3 and model.stats.tokens == tokens


def test_rows_that_draw_nothing_have_no_candidates() -> None:
    model = small_model(0)
    word = oc.generate.choice(model, ["a", "b1"], oc.samplers.multinomial(2))
    ended = word.run(["x-", "12"], seed=1)
    both = oc.cat([ended[:1, :, :], word.run("12", max_tokens=0)], 0)
    law = model.next(both, word)
    assert law.sample(0)[0].tolist() == [-1, -1] and law.sample(0)[1].min() >= 0 and law.state == both
    assert model.next(ended + "x", word).sample(0).min() >= 0, "a text was put after the values: new ones begin"
    dead = oc.generate.choice(model, ["a", "b"], oc.samplers.beam_search(4)).run("x")
    text = oc.generate.text(model)
    sampled = model.next(dead, text).sample(0)
    assert [value >= 0 for value in sampled[0].tolist()] == [not row.dead for row in dead.rows[0]]
    full = model.state([[1] * (model.context_length or 0)])
    assert model.next(full, text).sample(0).tolist() == [[-1]], "there is no room"
    assert repr(model.next(full, text)) == "NextLaw(1 × 1 rows, 0 candidates)"
    with pytest.raises(ValueError, match="the model's context is"):
        model.next([[1] * 999], text)
    with pytest.raises(ValueError, match="the row is empty"):
        model.next("", text)


def test_a_text_after_a_cut_value_belongs_to_it() -> None:
    model = small_model(0)
    word = oc.generate.regex(model, "ab(c|1)x", oc.samplers.greedy())
    cut = word.run("x-")[..., :-2]
    assert [c.bytes for c in model.next(cut + "1", word).top()[0][0]] == [b"x"]
    with pytest.raises(oc.errors.ConstraintError, match="does not begin a value of the regex"):
        model.next(cut + "-", word)
    text = oc.continuous(oc.generate.text(model), stop_at=["1"])
    assert model.next(text("x-", max_tokens=2) + "1", text).sample(0).min() >= 0, "a text begins anew"
    other = oc.continuous(oc.generate.choice(model, ["ab"], word.sampler, forced="never"))
    assert [c.bytes for c in model.next(cut + "1", other).top()[0][0]] == [b"ab", b"a"], "another span begins"


def test_a_healed_seam_comes_before_the_tokens_that_are_taken_back() -> None:
    model = small_model(0)
    step = oc.continuous(oc.generate.choice(model, ["bc", "c1"], oc.samplers.multinomial()), seam="heal")
    state = model.state("xa")
    law = model.next(state, step)
    assert str(law.state) == "x" and {c.bytes for c in law.top()[0][0]} == {b"a", b"ab", b"abc"}
    for seed in range(5):
        after = step(state, seed=seed)
        assert after.rows[0][0].ids[len(law.state.rows[0][0])] == law.sample(seed).item()
        assert step.resume(law.state, seed=seed) == after


def test_contexts_beside_a_row_count() -> None:
    """The law that is drawn from is combined; the model's own log-probabilities stay."""
    model = small_model(0)
    text = oc.generate.text(model, oc.samplers.multinomial())
    beside = text.begin(["x-", "ab"], beside=[(["12", "c"], -0.7)]).state
    law, plain = model.next(beside, text), model.next(["x-", "ab"], text)
    other = model.next(["12", "c"], text)
    torch.testing.assert_close(law.logprobs, plain.logprobs)
    combined = (plain.logprobs - 0.7 * other.logprobs)[..., :-1]
    expected, found = combined.nan_to_num(-inf), law.proposal_logprobs[..., :-1]
    differences = (expected - found)[found > -inf].view(2, -1)
    torch.testing.assert_close(differences, differences[:, :1].expand_as(differences), atol=1e-3, rtol=1e-3)
    assert law.sample(3).tolist() == taken(law.state, text.resume(beside, max_tokens=1, seed=3))


def test_a_controller_is_asked_where_it_stands() -> None:
    model = small_model(0)
    letters = oc.generate.regex(model, "[abc]{2}")

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        if row.text == "":
            return [oc.steer.Branch(forced="12")]
        if row.text == "12":
            return [oc.steer.Branch(allowed=letters, temperature=0.5), oc.steer.Branch(forced="x", memory=1)]
        return []

    control = oc.generate.control(model, controller)
    [[candidates]] = model.next("x", control).top()
    assert [(c.bytes, c.proposal_logprob) for c in candidates] == [(b"12", 0.0)]
    cut = control.run("x", max_tokens=1)
    law = model.next(cut, control)
    free, forced = law.top()[0]
    assert law.state.shape[1] == 2 and {c.bytes for c in forced} == {b"x"}
    half = [log(exp(c.logprob * 2)) for c in free]
    assert [c.proposal_logprob - free[0].proposal_logprob for c in free] == pytest.approx(
        [value - half[0] for value in half], abs=1e-4
    )
    assert law.sample(7).tolist() == taken(law.state, control.resume(law.state, max_tokens=1, seed=7))


def test_json_goes_on_from_every_cut() -> None:
    """The next token of a value is one of the candidates wherever the value is cut."""
    model = shipped_model()
    step = oc.continuous(oc.generate.json(model, SCHEMA, oc.samplers.multinomial(2)), name="value")
    whole = step("Mira: ", seed=3)
    for n in range(1, min(row.pieces[-1].hi for row in whole.rows[0])):
        law = model.next(whole[..., :-n], step)
        for s, row in enumerate(whole.rows[0]):
            following = row.ids[len(row) - n]
            assert law.proposal_logprobs[0, s, following] > -inf
            if (expected := row.logprobs[len(row) - n]) is not None:
                assert law.logprobs[0, s, following].item() == pytest.approx(expected, abs=1e-3)


def test_it_is_a_value() -> None:
    """Its tensors are copies, later work does not touch them, hooks are not asked, and it stays in its process."""
    model = small_model(0)
    seen: list[Any] = []
    text = oc.generate.text(model, oc.samplers.multinomial(2, top_k=4))
    step = oc.continuous(text, hooks=[seen.append])
    law = model.next("ab", step)
    before, sampled = law.proposal_logprobs, law.sample(1).tolist()
    law.logprobs.zero_()
    law.proposal_logprobs.zero_()
    text.run(PROMPTS, max_tokens=4, seed=0)
    assert law.proposal_logprobs.equal(before) and law.sample(1).tolist() == sampled and not seen
    assert law.logprobs.isfinite().any() and copy.deepcopy(law) is law
    with pytest.raises(AttributeError):
        law.state = None  # type: ignore[misc]
    with pytest.raises(TypeError, match=r"law\.logprobs"):
        pickle.dumps(law)
    torch.manual_seed(3)
    one = law.sample()
    torch.manual_seed(3)
    assert law.sample().equal(one)


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda m: oc.generate.choice(m, ["a", "b"], by="sequence"), TypeError, r"generator\.probabilities\(state\)"),
        (lambda m: oc.generate.text(m, where=lambda text, done: True), TypeError, r"where=.*Keep\(candidates=n\)"),
        (lambda m: oc.continuous(oc.generate.text(m)) >> "x", TypeError, r"of a chain.*chain\.steps\[i\]"),
        (lambda m: oc.generate.text(small_model(1)), ValueError, "another model"),
        (lambda m: "[0-9]", TypeError, r"a generator or a step, not '\[0-9\]'"),
    ],
)
def test_what_has_no_law_of_a_token_is_refused_by_name(make: Any, error: type[Exception], match: str) -> None:
    model = small_model(0)
    with pytest.raises(error, match=match):
        model.next("x", make(model))


def test_arguments_are_checked() -> None:
    model = small_model(0)
    beams = model.next("x", oc.generate.text(model, oc.samplers.beam_search(2)))
    with pytest.raises(TypeError, match=r"beams=2.*compares rows.*law\.top\(n\)"):
        beams.sample(0)
    assert len(beams.top(2)[0][0]) == 2
    for n, error in ((0, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="an int ≥ 1"):
            beams.top(n)  # type: ignore[arg-type]
    alone = oc.Model(model.tokenizer, context_length=64)
    with pytest.raises(TypeError, match="parameters"):
        alone.next("x", oc.generate.text(alone))
