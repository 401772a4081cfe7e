"""Predicates and log-potentials of the text so far (`where=`): what is drawn, what it weighs, and what is refused.

Expectations are exact: all draws are enumerated, with all orders in which candidates may be refused.
"""

from __future__ import annotations

import gc
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import LANGUAGES, enumerate_law, small_model, spanned, toy_model

import outlines_cont as oc
from outlines_cont.decode.samplers import rejection
from outlines_cont.decode.samplers.rejection import _Urn, drawn
from outlines_cont.jobs.recipes import GeneratorRecipe

draw, smc, greedy, beams = oc.samplers.multinomial, oc.samplers.smc, oc.samplers.greedy, oc.samplers.beam_search
Predicate = Callable[[str, bool], Any]


class _Unscripted(BaseException):
    """There is a draw beyond the script, among so many candidates."""


def every_run(run: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[float, Any]]:
    """What a function gives for all outcomes of all its draws, with their probabilities."""
    pull = _Urn.pull
    scripts: list[tuple[int, ...]] = [()]
    while scripts:
        script, shares = scripts.pop(), list[float]()

        def scripted(urn: Any, number: float, script: Any = script, shares: Any = shares) -> Any:
            place, ends, left = len(shares), urn._weights.cumsum(), np.flatnonzero(urn._weights)
            if place == len(script):
                raise _Unscripted(len(left))
            at = left[script[place]]
            shares.append(urn._weights[at] / ends[-1])
            return pull(urn, (ends[at] - urn._weights[at] / 2) / ends[-1])

        with monkeypatch.context() as patched:
            patched.setattr(_Urn, "pull", scripted)
            try:
                result = run()
            except _Unscripted as more:
                scripts += [(*script, at) for at in range(more.args[0])]
                continue
        yield math.prod(shares), result


def oracle(options: Sequence[str]) -> Predicate:
    """Accepts what may become one of these."""
    return lambda text, done: text in options if done else any(option.startswith(text) for option in options)


# --- one draw


@pytest.mark.parametrize("mass", [0.5, 0.05, 0.005, 1e-6])
@pytest.mark.parametrize("legal", [1, 2, 3])
def test_the_weight_of_a_draw_is_right_in_expectation(mass: float, legal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """E[W · 1(x)] = p(x) · accepts(x), summed over all orders in which candidates may be drawn."""
    good = np.array([3.0, 2.0, 1.0][:legal])
    p = np.concatenate([good / good.sum() * mass, np.array([0.6, 0.3, 0.1]) * (1 - mass)])
    sums: dict[Any, float] = defaultdict(float)
    runs = every_run(lambda: drawn(_Urn(np.log(p)), lambda x: x < legal, lambda n: 0.5), monkeypatch)
    total = 0.0
    for share, (place, log_weight) in runs:
        total += share
        sums[place] += share * math.exp(log_weight)
    assert total == pytest.approx(1, rel=1e-12)
    assert [sums[x] for x in range(legal)] == pytest.approx(p[:legal].tolist(), rel=1e-9)
    assert None not in sums


def test_no_mass_is_too_small() -> None:
    scores = np.array([0.0, -800.0, -1600.0, -math.inf])
    asked: list[int] = []

    def accepts(x: int) -> bool:
        asked.append(x)
        return x == 2

    place, log_weight = drawn(_Urn(scores), accepts, lambda n: 0.5)
    assert (place, asked) == (2, [0, 1, 2])
    assert log_weight == pytest.approx(-1600)
    assert drawn(_Urn(scores), lambda x: False, lambda n: 0.5) == (None, -math.inf)
    assert drawn(_Urn(scores[3:]), lambda x: True, lambda n: 0.5) == (None, -math.inf)


@given(
    st.lists(st.floats(-30, 3), min_size=1, max_size=6), st.integers(0, 63), st.floats(0, 1, exclude_max=True)
)  # fmt: skip
def test_draws_take_what_is_accepted(scores: list[float], bits: int, number: float) -> None:
    asked: Counter[int] = Counter()

    def accepts(x: int) -> bool:
        asked[x] += 1
        return bool(bits >> x & 1)

    place, log_weight = drawn(_Urn(np.array(scores)), accepts, lambda n: number)
    accepted = [x for x in range(len(scores)) if bits >> x & 1]
    assert place in accepted if accepted else place is None
    assert max(asked.values()) == 1
    assert log_weight <= 1e-9


def test_evidence_of_one_draw_is_unbiased_by_chance() -> None:
    rng = np.random.default_rng(0)
    p = np.array([0.3, 0.2, 0.3, 0.15, 0.05])
    values = [math.exp(drawn(_Urn(np.log(p)), lambda x: x < 2, lambda n: rng.random())[1]) for _ in range(4000)]
    assert abs(np.mean(values) - 0.5) < 4 * np.std(values) / math.sqrt(len(values))


# --- whole generations


def weighed(state: oc.SequenceState) -> Iterator[tuple[tuple[int, ...], float, float]]:
    """Of the live rows: ids, importance, and the model's own log-probability."""
    [rows] = state.rows
    yield from ((row.ids, math.exp(row.log_importance), row.weight) for row in rows if not row.dead)


def check_expectation(
    run: Callable[[], oc.SequenceState],
    monkeypatch: pytest.MonkeyPatch,
    potential: Callable[[str], float] = lambda text: 0.0,
) -> set[str]:
    """Each row that may come has, weighed, the probability that the model gives it. The texts of these rows."""
    sums: dict[tuple[int, ...], float] = defaultdict(float)
    right: dict[tuple[int, ...], float] = {}
    texts, total = set(), 0.0
    for share, state in every_run(run, monkeypatch):
        total += share
        for ids, importance, weight in weighed(state):
            text = str(state)[len("xy") :]
            texts.add(text)
            sums[ids] += share * importance
            right[ids] = math.exp(weight + potential(text))
    assert total == pytest.approx(1, rel=1e-9)
    assert sums == pytest.approx(right, rel=1e-4)
    return texts


@pytest.mark.parametrize("forced", ["never", "canonical"])
@pytest.mark.parametrize("options", [each for each in LANGUAGES if "abcabc" not in each], ids=repr)
def test_languages_are_right_in_expectation(options: list[str], forced: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model, right = toy_model(), options[:2]
    step = oc.continuous(oc.generate.choice(model, options, forced=forced, where=oracle(right)))
    texts = check_expectation(lambda: step("xy", seed=0), monkeypatch)
    assert texts == set(right)
    if forced == "never":
        law = {ids: math.exp(own) for ids, own, _ in enumerate_law(model, "xy", options)}
        evidence = sum(p for ids, p in law.items() if model.vocabulary.decode(ids).decode() in right)
        runs = every_run(lambda: step("xy", seed=0), monkeypatch)
        mean = sum(share * importance for share, state in runs for _, importance, _ in weighed(state))
        assert mean == pytest.approx(evidence, rel=1e-4)


KINDS: dict[str, Callable[[oc.Model, Predicate], Any]] = {
    "regex": lambda model, where: oc.generate.regex(model, "[ab]{1,2}", where=where),
    "cfg": lambda model, where: oc.generate.cfg(model, 'start: "a" | "b" start', draw(top_k=2), where=where),
    "json": lambda model, where: oc.generate.json(model, {"enum": [1, 12, 2]}, where=where),
    "format": lambda model, where: oc.Generator(model, bool, where=where),
    "temperature": lambda model, where: oc.generate.regex(model, "[ab]{1,2}", draw(1, 0.5), where=where),
    "text": lambda model, where: oc.generate.text(model, draw(top_k=3), where=where),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_right_in_expectation(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A predicate that refuses some of each, under every kind of constraint, and laws that are not the model's."""
    refused = ("ab", "bbb", "2", "True", "y")

    def where(text: str, done: bool) -> bool:
        return not text.startswith(refused)

    step = oc.continuous(KINDS[kind](small_model() if kind in ("text", "regex", "temperature") else toy_model(), where))
    cut = 2 if kind == "text" else 3
    texts = check_expectation(lambda: step("xy", cut, seed=0), monkeypatch)
    assert texts
    assert not any(text.startswith(refused) for text in texts)


def length(text: str, done: bool) -> float:
    return -math.inf if text.startswith("12") else 0.4 * len(text) + 0.3 * done


@pytest.mark.parametrize("forced", ["never", "canonical"])
@pytest.mark.parametrize("options", [["a", "ab", "abc"], ["12", "1", "212"], ["cat", "dog"], ["", "a"], ["abc"], [""]])
def test_potentials_are_right_in_expectation(options: list[str], forced: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    step = oc.continuous(oc.generate.choice(toy_model(), options, forced=forced, where=length))
    check_expectation(lambda: step("xy", seed=0), monkeypatch, lambda text: length(text, True))


@pytest.mark.parametrize("mass", [0.5, 0.05, 0.005, 1e-6])
@pytest.mark.parametrize("sampler", [draw(), smc(1), draw(temperature=2.0)], ids=repr)
def test_the_evidence_of_a_generation_is_right(mass: float, sampler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two letters, drawn by a law that somebody gives: the first one's legal mass is small, the second is free."""
    model = toy_model()
    logits = torch.full((len(model.vocabulary),), -math.inf)
    for letter, p in (("a", mass / 2), ("b", mass / 2), ("c", 1 - mass)):
        logits[model.vocabulary.tokens.index(letter.encode())] = math.log(p)
    step = oc.continuous(
        oc.generate.regex(model, "[abc]{2}", sampler, forced="never", where=lambda text, done: not text.startswith("c"))
    )

    def run() -> oc.SequenceState:
        frontier = step.begin("xy", seed=0)
        while not frontier.done:
            frontier = frontier.step(logits.expand(len(frontier.pending), -1))
        return frontier.state

    runs = list(every_run(run, monkeypatch))
    assert sum(share for share, _ in runs) == pytest.approx(1)
    mean = sum(share * importance for share, state in runs for _, importance, _ in weighed(state))
    assert mean == pytest.approx(mass, rel=1e-4)


def test_chains_are_right_in_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each link has a predicate of its own; one that can refuse the next link's beginning."""
    model = toy_model()
    first = oc.continuous(
        oc.generate.choice(model, ["a", "ab"], where=lambda text, done: 0.5 * len(text)), name="first"
    )
    second = oc.continuous(oc.generate.choice(model, ["1", "2"], where=oracle(["2"])))
    texts = check_expectation(
        lambda: (first >> "-" >> second)("xy", seed=0), monkeypatch, lambda text: 0.5 * len(text.split("-")[0])
    )
    assert texts == {"a-2", "ab-2"}
    never = oc.continuous(oc.generate.choice(model, ["1"], where=lambda text, done: False))
    [(share, state)] = [*every_run(lambda: ("-" >> never)("xy", seed=0), monkeypatch)]
    assert (share, state.finished, state.weights.tolist()) == (1.0, [["dead"]], [[-math.inf]])


def test_particles_estimate_the_law_and_its_mass() -> None:
    """The estimate of the evidence is unbiased, with resampling and dead particles; the law comes nearer with more."""
    model, options, right = toy_model(), ["ab1212", "ab12", "c", "ca", "12ab", "121", "bca1"], ["ab12", "ca", "121"]
    law = {ids: math.exp(own) for ids, own, _ in enumerate_law(model, "xy", options)}
    law = {ids: p for ids, p in law.items() if model.vocabulary.decode(ids).decode() in right}
    evidence = sum(law.values())

    def state(particles: int, seed: int) -> oc.SequenceState:
        step = oc.generate.choice(model, options, smc(particles), where=oracle(right))
        return step.run("xy", seed=seed)

    values = [state(8, seed).particles.log_importance.exp().mean().item() for seed in range(60)]
    assert abs(np.mean(values) - evidence) < 4 * np.std(values) / math.sqrt(len(values))
    distances = []
    for particles in (4, 400):
        written = state(particles, 1)
        shares: dict[tuple[int, ...], float] = defaultdict(float)
        live = [row for row in written.rows[0] if not row.dead]
        weights = torch.tensor([row.log_importance for row in live]).softmax(0).tolist()
        for ids, weight in zip(spanned(written), weights, strict=True):
            shares[ids] += weight
        distances.append(sum(abs(shares.get(ids, 0.0) - p / evidence) for ids, p in law.items()) / 2)
    assert distances[1] < 0.1
    assert distances[1] < distances[0]


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_dead_particles_count(threshold: float) -> None:
    """A predicate that only answers at the end lets many die; the mean over all, the dead ones too, is unbiased."""
    model, options, right = toy_model(), ["ab1", "ab2", "c", "ca", "12a", "121", "bca"], ["ab2", "ca", "121"]
    law = {ids: math.exp(own) for ids, own, _ in enumerate_law(model, "xy", options)}
    evidence = sum(p for ids, p in law.items() if model.vocabulary.decode(ids).decode() in right)
    step = oc.continuous(
        oc.generate.choice(
            model, options, smc(6, threshold), forced="never", where=lambda text, done: not done or text in right
        )
    )
    last = oc.continuous(oc.generate.choice(model, ["b", "c"], smc(6, threshold)))
    states = [step("xy", seed=seed) for seed in range(80)]
    dead = [state.finished[0].count("dead") for state in states]
    assert any(dead)
    values = [state.particles.log_importance.exp().mean().item() for state in states]
    assert abs(np.mean(values) - evidence) < 4 * np.std(values) / math.sqrt(len(values))
    for state, count in zip(states[:10], dead, strict=False):  # what was dead before a call stays so
        again = last(state, seed=1)
        assert again.finished[0].count("dead") == count
        assert again.shape[1] == 6
        assert step.resume(again[..., : state.shape[2]], seed=2).finished[0].count("dead") >= count


def test_who_died_before_a_cut_stays_dead_and_weighs_nothing() -> None:
    """Uncut, a copy of another particle may take the place of one that has died; after a cut its place stays empty.
    Both estimate the evidence without bias: the mean is over all, and the level of those that are left is higher."""
    model, options = small_model(2), ["abc-1", "ab-12", "bc-12", "ca-21", "12-c", "c-12"]
    law = {ids: math.exp(own) for ids, own, _ in enumerate_law(model, "xy", options)}
    right = sum(p for ids, p in law.items() if not model.vocabulary.decode(ids).startswith(b"a"))
    sampler, prompts = smc(4, 1.0, every=rb"-"), ["xy"] * 200
    generator = oc.generate.choice(model, options, sampler, forced="never", where=lambda text, done: text[:2] != "ab")
    step = oc.continuous(generator)
    frontier = step.begin(prompts, seed=0)
    for _ in range(2):
        frontier = frontier.step(model.logits(frontier.pending))
    whole, cut, resumed = step(prompts, seed=0), frontier.state, step.resume(frontier.state, seed=0)
    dead, dead_cut, dead_resumed = ([row.dead for rows in s.rows for row in rows] for s in (whole, cut, resumed))
    assert sum(dead_cut) > 50 and sum(dead) == 0
    assert dead_cut == dead_resumed
    for state in (whole, resumed):
        ratios = state.particles.log_evidence.exp() / right
        assert abs(ratios.mean().item() - 1) < 4 * (ratios.std() / len(ratios) ** 0.5).item() < 0.4


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["a", "ab", "abc", "bc", "12", "1", "121", "ca"]), min_size=2, unique=True), st.data())
def test_searches_decline_what_is_refused(options: list[str], data: Any) -> None:
    """With the stop at eos the law of what is left is that of the choice among what is left: greedy and beams find the
    same texts, with the same weights."""
    right = data.draw(st.lists(st.sampled_from(options), min_size=1, unique=True))
    model = toy_model(3)
    for sampler in (greedy(), beams(9, spellings=None), beams(3, distinct="tokens")):
        with_where = oc.generate.choice(model, options, sampler, stop="eos", forced="never", where=oracle(right))
        alone = oc.generate.choice(model, right, sampler, stop="eos", forced="never")
        mine, theirs = with_where.run("xy"), alone.run("xy")
        assert list(mine) == list(theirs)
        assert mine.weights[0].tolist() == pytest.approx(theirs.weights[0].tolist(), abs=1e-5)


# --- how often it is asked, and about what


def test_easy_predicates_are_asked_a_few_times_a_token() -> None:
    model, asked = oc.load(), list[tuple[str, bool]]()

    def where(text: str, done: bool) -> bool:
        asked.append((text, done))
        return "zz" not in text

    for sampler, most in ((greedy(), 1.2), (draw(), 3.0), (smc(1), 3.0)):
        asked.clear()
        state = oc.generate.text(model, sampler, where=where).run("Once upon a time", max_tokens=40, seed=1)
        assert len(asked) <= most * state.lengths.item() + 1
        assert len(set(asked)) == len(asked)
        assert not any("Once upon" in text for text, _ in asked)


def test_it_is_asked_about_whole_characters_and_not_about_what_may_become_a_stop() -> None:
    model, asked = toy_model(), set[tuple[str, bool]]()

    def where(text: str, done: bool) -> bool:
        asked.add((text, done))
        return True

    oc.generate.choice(model, ["éa", "è"], where=where)("xy", seed=0)
    assert {text for text, _ in asked} <= {"", "é", "éa", "è"}
    asked.clear()
    text = oc.generate.text(model, greedy(filters=[only(model, "a", "-", "-", "b")]), where=where)
    assert text("xy", stop_at="--b") == "a"
    assert asked == {("", False), ("a", False), ("a", True)}
    asked.clear()
    assert oc.generate.text(model, greedy(filters=[only(model, "a", "-", "b")]), include_stop=True, where=where)(
        "xy", stop_at="-b"
    ) == "a-b"  # fmt: skip
    assert asked == {("", False), ("a", False), ("a-", False), ("a-b", True)}


def only(model: oc.Model, *tokens: str) -> Any:
    """A filter: these tokens, one after the other."""

    def filtered(row: Any, logits: torch.Tensor) -> torch.Tensor:
        wanted = model.vocabulary.tokens.index(tokens[len(row) - row.start].encode())
        return torch.full_like(logits, -math.inf).index_fill(-1, torch.tensor([wanted]), 0.0)

    return filtered


def test_healed_bytes_are_left_out() -> None:
    model, asked = oc.load(), set[str]()

    def where(text: str, done: bool) -> bool:
        asked.add(text)
        return True

    city = oc.continuous(oc.generate.choice(model, ["aris", "ome"], where=where), seam="heal")
    assert str(city("The capital of France is P", seed=0)).endswith("Paris")
    assert "aris" in asked
    assert all("aris".startswith(text) or "ome".startswith(text) for text in asked)


def test_forced_runs_are_asked_about_once() -> None:
    asked = list[tuple[str, bool]]()

    def where(text: str, done: bool) -> bool:
        asked.append((text, done))
        return text != "Rome"

    city = oc.generate.choice(oc.load(), ["Rome", "Paris"], greedy(), where=where)
    assert city("The capital of Italy is ") == "Paris"
    assert set(asked) == {("", False), ("Rome", True), ("Paris", True)}
    assert len(asked) == 3


# --- rows, cuts, other calls


def digits_below(limit: int) -> Predicate:
    return lambda text, done: sum(map(int, text)) < limit


@pytest.mark.parametrize("sampler", [greedy(), draw(), draw(samples=3), smc(4), beams(2)], ids=repr)
def test_rows_do_not_depend_on_others(sampler: Any) -> None:
    """Law 9; and streams, threads and steps by hand give the rows of a call."""
    model = oc.load()
    number = oc.continuous(oc.generate.regex(model, "[0-9]{1,5}", sampler, where=digits_below(9)), name="n")
    prompts = model.state(["Mira is ", "In the year ", "1 + 1 = "])
    state = number(prompts, seed=1)
    for b in range(3):
        assert number(prompts[b : b + 1, :, :], seed=1) == state[b : b + 1, :, :]
    *_, streamed = number.stream(prompts, seed=1)
    assert streamed == state
    with ThreadPoolExecutor(4) as pool:
        assert all(each == state for each in pool.map(lambda _: number(prompts, seed=1), range(4)))
    frontier = number.begin(prompts, seed=1)
    while not frontier.done:
        frontier = frontier.step(model.logits(frontier.pending))
    assert frontier.state == state
    assert all(sum(map(int, text)) < 9 for group in state.captures["n"] for values in group for text in values)


@pytest.mark.parametrize("forced", ["never", "canonical"])
def test_what_was_cut_is_weighed_as_if_it_had_not_been(forced: Any, tmp_path: Any) -> None:
    """A potential telescopes over whatever is cut and resumed, in a loaded state, too."""
    model, options = toy_model(), ["abcab", "abc12", "abc", "b12b", "12"]

    def step(where: Any) -> oc.Step:
        return oc.continuous(oc.generate.choice(model, options, draw(samples=8), forced=forced, where=where))

    plain = {
        ids: importance
        for seed in range(30)
        for ids, importance, _ in weighed(step(None)("xy", seed=seed))
    }  # fmt: skip
    longer = step(lambda text, done: 0.3 * len(text) + 0.1 * done)

    def check(state: oc.SequenceState) -> None:
        for row in state.rows[0]:
            size = len(model.vocabulary.decode(row.ids[row.spans[-1].start :]))
            expected = math.log(plain[row.ids]) + 0.3 * size + 0.1
            assert row.log_importance == pytest.approx(expected, abs=1e-4)

    state = longer("xy", seed=3)
    check(state)
    check(longer.resume(state.reopen(), seed=5))
    for cut in range(1, 5):
        shorter = state[..., :-cut]
        try:
            again = longer.resume(shorter, seed=4)
        except ValueError:  # all of some span was cut off
            continue
        check(again)
        shorter.save(tmp_path / "cut")
        check(longer.resume(oc.load_state(tmp_path / "cut", model), seed=4))


def test_text_after_a_cut_is_asked_about() -> None:
    model = oc.load()
    number = oc.continuous(oc.generate.regex(model, "[0-9]{4}", where=digits_below(9)), name="n")
    state = number("Mira came in ", seed=0)
    again = number.resume(state[..., :-3] + "00", seed=1)
    assert sum(map(int, again.captures["n"][0][0][0])) < 9
    with pytest.raises(oc.errors.ConstraintError, match=r"where=<lambda> refuses '\d99', which the span says"):
        number.resume(state[..., :-3] + "99")


def test_particles_that_nothing_satisfies_are_dead() -> None:
    model = oc.load()

    def where(text: str, done: bool) -> bool:  # a trap: what begins with 1 comes to nothing
        return not text.startswith("1") or len(text) < 2

    pattern = "[12][0-9]"
    for sampler in (draw(samples=12), smc(12, threshold=0.0)):
        number = oc.continuous(oc.generate.regex(model, pattern, sampler, forced="never", where=where), name="n")
        state = number("Mira is ", seed=0)
        assert "dead" in state.finished[0]
        assert state.shape[1] == 12
        assert (state.particles.log_importance == -math.inf).tolist() == [
            [each == "dead" for each in state.finished[0]]
        ]
        assert all(values[0].startswith("2") for values in state.captures["n"][0] if values)
        chained = (number >> " and " >> number)("Mira is ", seed=0)
        assert "dead" in chained.finished[0]
        assert [f for f in number(state, seed=1).finished[0]].count("dead") >= state.finished[0].count("dead")
    survivors = oc.generate.regex(model, pattern + "[0-9]", smc(12), forced="never", where=where).run("It is ", seed=0)
    assert survivors.finished[0].count("dead") < 12


def test_calls_in_which_all_are_dead() -> None:
    model = oc.load()

    def refuses_all(text: str, done: bool) -> bool:
        return not done

    for sampler in (greedy(), draw(), draw(samples=2), smc(3), beams(2)):
        colour = oc.generate.choice(model, ["blue", "red"], sampler, where=refuses_all)
        with pytest.raises(
            oc.errors.ConstraintError, match="where=refuses_all refused whatever could come next"
        ) as caught:
            colour("The sky is ", seed=0)
        state = caught.value.state  # type: ignore[attr-defined]
        assert set(state.finished[0]) == {"dead"}
        assert list(oc.continuous(colour)("The sky is ", seed=0)) == []
        one, other = colour(["The sky is ", "It is "], seed=0, errors="return")
        assert all(isinstance(value, oc.errors.ConstraintError) for value in (*one, *other))


@pytest.mark.parametrize("sampler", [greedy(), draw(), draw(samples=2), smc(3), beams(2)], ids=repr)
def test_dead_rows_and_failed_ones_keep_nothing_alive(sampler: Any) -> None:
    model = small_model(11)

    def fails(text: str, done: bool) -> bool:
        if text:
            raise KeyError(text)
        return True

    gc.collect()
    gc.disable()
    try:
        before = model.stats.kv_bytes
        for where in (lambda text, done: not text, fails):
            oc.generate.regex(model, "[abc]{1,3}", sampler, where=where)("xy-ab", errors="return", seed=0)
            state = oc.continuous(oc.generate.regex(model, "[abc]{2}", sampler, forced="never", where=where))(
                "xy-ab", errors="return", seed=0
            )
            assert set(state.finished[0]) == {"dead"}
            del state
        assert model.stats.kv_bytes == before
    finally:
        gc.enable()


# --- what is refused by name


def test_predicates_that_fail_fail_their_row() -> None:
    model = oc.load()

    def where(text: str, done: bool) -> bool:
        if "Rome" in text:
            raise KeyError("Rome")
        return True

    prompts = ["The capital of Italy is ", "The capital of France is "]

    def by_prompt(row: Any, logits: torch.Tensor) -> torch.Tensor:
        wanted = b"P" if "France" in row.before else b"R"
        other = [not token.startswith(wanted) for token in model.vocabulary.tokens] + [True]  # the stop
        return logits if row.text else logits.masked_fill(torch.tensor(other), -math.inf)

    for sampler in (greedy([by_prompt]), draw(filters=[by_prompt]), smc(1, filters=[by_prompt])):
        city = oc.generate.choice(model, ["Rome", "Paris"], sampler, where=where)
        one, other = city(prompts, errors="return", seed=0)
        assert isinstance(one[0], KeyError)
        assert other == ["Paris"]
        with pytest.raises(KeyError, match="Rome") as caught:
            city(prompts, seed=0)
        assert caught.value.row == (0, 0)  # type: ignore[attr-defined]
        assert oc.continuous(city)(prompts, errors="return", seed=0).errors[0][0] is not None


@pytest.mark.parametrize(
    ("where", "error", "message"),
    [
        (3, TypeError, "where=3: it is a function"),
        (bool, TypeError, "where=<class 'bool'>: it is a function"),
        (lambda text: True, TypeError, "does not take two arguments"),
        (lambda text, done: None, TypeError, "gave None: it gives a bool, or a float, .*; return one everywhere"),
        (lambda text, done: 1, TypeError, r"gave 1: it gives a bool, or a float, .*; write bool\(…\), or float\("),
        (lambda text, done: torch.tensor(True), TypeError, r"gave tensor\(True\): .*; write bool\(…\), or float\("),
        (lambda text, done: math.nan, ValueError, "gave nan"),
        (lambda text, done: math.inf, ValueError, "gave inf"),
    ],
)
def test_what_is_no_predicate(where: Any, error: type[Exception], message: str) -> None:
    """All of it before the first token."""
    model = oc.load()
    before = model.stats.tokens
    for sampler in (greedy(), draw(), smc(2), beams(2)):
        with pytest.raises(error, match=message):
            oc.generate.regex(model, "[0-9]{3}", sampler, where=where)("Mira is ", seed=0)
    assert model.stats.tokens == before


def test_numpy_answers_are_answers() -> None:
    model = oc.load()
    for where in (lambda text, done: np.bool_(True), lambda text, done: np.float32(0.0)):
        assert oc.generate.regex(model, "[0-9]", greedy(), where=where)("1 1 1 ")


async def coroutine(text: str, done: bool) -> bool:
    return True


def test_what_does_not_go_together() -> None:
    model = oc.load()

    class Custom(type(draw())):  # type: ignore[misc]
        def draw(self, live: Any, law: Any, seed: int) -> Any:
            return law.greedy()

    def anything(text: str, done: bool) -> bool:
        return True

    with pytest.raises(ValueError, match=r"where=anything with Custom.*asks no predicates"):
        oc.generate.text(model, cast(Any, Custom)(), where=anything)
    with pytest.raises(TypeError, match="coroutine function"):
        oc.generate.text(model, where=coroutine)
    with pytest.raises(TypeError, match="where"):
        oc.generate.control(model, lambda row: [], where=anything)  # type: ignore[call-arg]
    for sampler in (greedy(), beams(2)):
        with pytest.raises(ValueError, match=r"gave the log-potential 0\.5 under .*, which weighs nothing"):
            oc.generate.text(model, sampler, where=lambda text, done: 0.5)("x", max_tokens=1)
    name = oc.generate.regex(model, "[a-z]+", where=anything)
    controlled = oc.generate.control(model, lambda row: [oc.steer.Branch(allowed=name)] if not row.text else [])
    with pytest.raises(TypeError, match="has a predicate"):
        controlled("Mira ")


@pytest.mark.parametrize("seed", range(6))
def test_what_breaks_the_contract_is_named(seed: int) -> None:
    """A text that begins with a refused one is accepted: in one token, or asked about before or afterwards."""
    number = oc.generate.regex(toy_model(), "12a?|1b", forced="never", where=lambda text, done: text != "1")
    with pytest.raises(oc.errors.ConstraintError, match=r"refuses '1' \(done=False\) and accepts '12"):
        number("xy", seed=seed)


def test_tokens_drawn_elsewhere() -> None:
    model = toy_model()
    token = {text.decode("latin-1"): i for i, text in enumerate(model.vocabulary.tokens)}
    generator = oc.generate.regex(model, "[ab]{2}", forced="never", where=lambda text, done: text != "bb")
    frontier = generator.begin("xy").accept([token["b"]])
    with pytest.raises(oc.errors.ConstraintError, match=r"where=<lambda> of row \(0, 0\) refuses b'b' after b'b'"):
        frontier.accept([token["b"]])
    assert str(frontier.accept([token["a"]]).state) == "xyba"


def test_hooks_beside_a_predicate() -> None:
    model = toy_model()
    token = {text.decode("latin-1"): i for i, text in enumerate(model.vocabulary.tokens)}

    def where(text: str, done: bool) -> bool:
        return "b" not in text and not (done and text == "a")

    generator = oc.generate.regex(model, "[abc]{1,3}", where=where, forced="never")
    with pytest.raises(oc.errors.ConstraintError, match="where refuses it after b''"):
        generator("xy", seed=0, hooks=[lambda draw: oc.steer.Replace(token["b"])])
    assert "b" not in generator("xy", seed=0, hooks=[lambda draw: oc.steer.Replace(token["b"], otherwise="keep")])
    for seed in range(5):
        again = oc.steer.Hooks(lambda draw: oc.steer.Resample() if draw.attempt < 2 else None, retries=9)
        text = generator("xy", seed=seed, hooks=again)
        assert where(text, True)
    assert math.isnan(
        generator.run(
            "xy", seed=0, hooks=[lambda draw: None if draw.attempt else oc.steer.Resample()]
        ).particles.log_importance.item()
    )
    state = generator.run(
        "xy", seed=0, hooks=[lambda draw: oc.steer.Stop() if draw.row.text else oc.steer.Replace(token["a"])]
    )
    assert (str(state), state.finished) == ("xya", [["interrupted"]])
    state = generator.run(
        "xy", seed=0, hooks=[lambda draw: oc.steer.Stop() if draw.row.text else oc.steer.Replace(token["c"])]
    )
    assert (str(state), state.finished) == ("xyc", [["stop"]])


def test_generators_differ_by_their_predicates() -> None:
    model, one, other = oc.load(), digits_below(3), digits_below(4)
    assert oc.generate.text(model, where=one) == oc.generate.text(model, where=one)
    assert oc.generate.text(model, where=one) != oc.generate.text(model, where=other)
    assert oc.generate.text(model, where=one) != oc.generate.text(model)


def test_maps_ask_for_a_version(tmp_path: Any) -> None:
    model = oc.load()
    number = oc.continuous(oc.generate.regex(model, "[0-9]{2}", greedy(), where=digits_below(5)), name="n")
    with pytest.raises(TypeError, match=r"digits_below.*give version="):
        list(oc.map(number, ["Mira is ", "It is "], out=tmp_path / "one", seed=0))
    written = list(oc.map(number, ["Mira is ", "It is "], out=tmp_path / "two", seed=0, version="1"))
    assert len(written) == 2
    assert GeneratorRecipe.of(number.generator).made(model) == number.generator


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_whole_options_are_drawn_among_those_that_are_accepted(options: list[str]) -> None:
    """By the model's own probabilities and the potentials; so each has the same importance, their sum."""
    model, prompt = toy_model(), "xy"
    alone = oc.continuous(oc.generate.choice(model, options, by="sequence"), name="x")
    own = {}
    for seed in range(60):
        state = alone(prompt, seed=seed)
        own[state.captures["x"][0][0][0]] = state.weights.item()
    right = [option for option in options[1:] if option in own]

    def where(text: str, done: bool) -> float:
        return 0.5 * len(text) if oracle(right)(text, done) else -math.inf

    plain = oc.generate.choice(model, options, by="sequence").probabilities(prompt)[0, 0]
    with_where = oc.generate.choice(model, options, by="sequence", where=where)
    law = torch.tensor([plain[i] * math.exp(0.5 * len(x)) * (x in right) for i, x in enumerate(options)])
    expected = (law / law.sum()).tolist() if right else [0.0] * len(options)
    assert with_where.probabilities(prompt)[0, 0].tolist() == pytest.approx(expected, abs=1e-5)
    step, evidence = oc.continuous(with_where, name="x"), sum(math.exp(own[x] + 0.5 * len(x)) for x in right)
    for seed in range(5 if right else 0):
        state = step(prompt, seed=seed)
        assert state.particles.log_importance.item() == pytest.approx(math.log(evidence), abs=1e-4)
        if state.lengths.item() > 3:
            again = step.resume(state[..., :-1], seed=seed + 1)
            assert oracle(right)(again.captures["x"][0][0][0], True)
    refuses = oc.continuous(oc.generate.choice(model, options, by="sequence", where=lambda text, done: not done))
    assert refuses(prompt).finished == [["dead"]]
    for sampler in (greedy(), beams(2), smc(3)):
        chosen = oc.generate.choice(model, options, sampler, by="sequence", where=oracle(right))
        values = chosen.run(prompt, seed=0)
        assert {text[len(prompt) :] for text in values} <= set(right)
    one = oc.generate.choice(model, [""], by="sequence", where=lambda text, done: 0.25)
    assert oc.continuous(one)(prompt).particles.log_importance.item() == pytest.approx(0.25)
    nothing = oc.generate.choice(model, [""], by="sequence", where=lambda text, done: False)
    assert nothing.probabilities(prompt).tolist() == [[[0.0]]]


def test_the_patched_names_are_there() -> None:
    """What `every_run` patches is what draws."""
    assert rejection._Urn is _Urn


def test_an_error_of_a_predicate_says_what_was_asked_and_dead_rows_that_they_are_dead() -> None:
    model = toy_model()
    digits = oc.generate.regex(
        model, "[12]+", oc.samplers.multinomial(samples=2), where=lambda text, done: int(text) > 0
    )
    with pytest.raises(ValueError, match="invalid literal") as raised:
        digits("xy", max_tokens=2, seed=0)
    assert any("which was asked about ('', False)" in note for note in raised.value.__notes__)
    nothing = oc.generate.regex(model, "[12]+", oc.samplers.multinomial(samples=2), where=lambda text, done: False)
    state = oc.continuous(nothing, name="n")("xy", max_tokens=2, seed=0)
    with pytest.raises(KeyError, match="every row is dead"):
        state.captures["n"]
