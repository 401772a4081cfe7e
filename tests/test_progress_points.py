"""Where particles wait for each other: with any `every` estimates are right, and a search may be cut anywhere."""

from __future__ import annotations

import re
from collections import defaultdict
from math import exp, fsum
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import enumerate_law, enumerate_law_after, toy_model

import outlines_cont as oc
from outlines_cont.decode.samplers.row_by_row import Multinomial
from outlines_cont.decode.samplers.smc import PATTERNS, points, progress, single_bytes
from outlines_cont.state import particles

EVERY: list[Any] = [None, "span", "word", "line", b"[12]", b"a", 1, 2]
OPTIONS = ["ab1212", "ab12", "c", "ca", "12ab", "121", "bca1"]
LINKS = [["a", "ab", "c"], ["1", "12", "121"], ["b", "ca"]]


def chained(model: oc.Model, sampler: Any) -> Any:
    first, *later = [oc.continuous(oc.generate.choice(model, link, sampler, forced="never")) for link in LINKS]
    whole: Any = first
    for step in later:
        whole = whole >> step
    return whole


def tokens_of(state: oc.SequenceState) -> list[list[tuple[int, ...]]]:
    return [[row.ids for row in rows] for rows in state.rows]


@given(st.sampled_from(EVERY), st.sampled_from([0.3, 1.0]), st.integers(0, 200), st.data())
@settings(max_examples=40)
def test_a_search_that_is_cut_after_any_step_goes_on_as_it_would_have(
    every: Any, threshold: float, seed: int, data: st.DataObject
) -> None:
    model = toy_model(seed % 5)
    chain = chained(model, oc.samplers.smc(4, threshold, every=every))
    states = list(chain.stream(["xy", "x"], seed=seed))
    cut = states[data.draw(st.integers(0, len(states) - 1))]
    if any(how == "interrupted" for rows in cut.finished for how in rows):
        again = chain.resume(cut, seed=seed)
        assert tokens_of(again) == tokens_of(states[-1])
        assert torch.equal(again.particles.ancestors, states[-1].particles.ancestors)
        torch.testing.assert_close(
            again.particles.log_importance, states[-1].particles.log_importance, atol=1e-4, rtol=0
        )


@given(st.sampled_from(EVERY), st.integers(0, 200))
@settings(max_examples=25)
def test_law_9_particles_do_not_depend_on_what_runs_beside_them(every: Any, seed: int) -> None:
    model = toy_model(seed % 5)
    chain = chained(model, oc.samplers.smc(3, 1.0, every=every))
    start = model.state(["xy", "ab1", "x"])
    both, alone = chain(start, seed=seed), chain(start[1:2, :, :], seed=seed)
    assert both[1:2, :, :] == alone and torch.equal(both.particles.ancestors[1:2], alone.particles.ancestors)


@given(st.sampled_from(EVERY), st.integers(0, 100))
@settings(max_examples=25)
def test_particles_that_are_ahead_wait_and_the_last_ones_go_on(every: Any, seed: int) -> None:
    model = toy_model(seed % 5)
    frontier = chained(model, oc.samplers.smc(4, 1.0, every=every)).begin("xy", seed=seed)
    while not frontier.done:
        going = [h for group in frontier.groups for h in group if not h.status.ended]
        behind = min(progress(h, every) for h in going)
        assert all(h.status.waiting == (progress(h, every) > behind) or h.scoring for h in going)
        assert any(need.wanted for need in frontier.pending)
        frontier = frontier.step(model.logits(frontier.pending))


@given(st.sampled_from(EVERY), st.integers(0, 100))
@settings(max_examples=25)
def test_a_stop_string_that_is_scored_later_holds_nobody_up(every: Any, seed: int) -> None:
    """A particle may end in a step in which nobody draws; those that have waited for it go on."""
    model = toy_model(seed % 5)
    sampler = oc.samplers.smc(3, 1.0, every=every)
    text = oc.continuous(oc.generate.text(model, sampler, forced="never"), stop_at=["12", "b1", "ca"])
    last = oc.continuous(oc.generate.choice(model, LINKS[0], sampler, forced="never"))
    state = (text >> last)("xy", max_tokens=7, seed=seed)
    assert all(how != "interrupted" for rows in state.finished for how in rows)
    assert state == list((text >> last).stream("xy", max_tokens=7, seed=seed))[-1]


@pytest.mark.parametrize("every", EVERY, ids=repr)
def test_the_evidence_is_right_on_average(every: Any) -> None:
    """E[mean exp(log_importance)] = P(constraint), with any number of particles: over many keys."""
    model = toy_model(1)
    mass = fsum(exp(own) for _, own, _ in enumerate_law(model, "xy", OPTIONS))
    step = oc.continuous(oc.generate.choice(model, OPTIONS, oc.samplers.smc(3, 1.0, every=every), forced="never"))
    state = step(model.state(["xy"] * 500), seed=4)
    ratios = state.particles.log_importance.exp().mean(1) / mass
    error = (ratios.std() / len(ratios) ** 0.5).item()
    assert abs(ratios.mean().item() - 1) < 4 * error and error < 0.2


@pytest.mark.parametrize("every", ["span", 1, b"1"], ids=repr)
def test_weights_are_right_in_expectation_over_all_draws(every: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two particles, two links of at most four token sequences: all draws and all resamplings, each with its
    probability. E[Σ weight · 1(text)] / particles is the mass of the text, exactly."""
    model = toy_model(2)
    links = [["a", "b1"], ["1", "c"]]
    path: list[int] = []
    taken: list[int] = []
    shares: list[list[float]] = []

    def branch(law: list[float]) -> int:
        """The next branch of the path, or the first one beyond it."""
        possible = [i for i, p in enumerate(law) if p > 1e-12]
        place = path[len(taken)] if len(taken) < len(path) else 0
        taken.append(place)
        shares.append([law[i] for i in possible])
        return possible[place]

    def draw(self: Any, live: Any, law: Any, seed: int) -> list[Any]:
        options = []
        for i in range(len(live)):
            row = law.row(i)
            probabilities = row.probabilities[0].double()
            chosen = branch(probabilities.tolist())
            [[option]] = row.options(torch.tensor([[chosen]]))
            options.append(option)
        return options

    def drawn(importance: Any, *_: Any) -> list[int]:
        weights = particles.weights(importance)
        whole = fsum(weights)
        return [branch([w / whole for w in weights]) for _ in weights]

    monkeypatch.setattr(Multinomial, "draw", draw)
    monkeypatch.setattr(particles, "drawn", drawn)
    sampler = oc.samplers.smc(2, 1.0, every=every)
    first, second = [oc.continuous(oc.generate.choice(model, link, sampler, forced="never")) for link in links]
    expected: dict[str, float] = defaultdict(float)
    runs, resampled = 0, 0
    while True:
        taken.clear()
        shares.clear()
        state = (first >> second)("xy", seed=0)
        weight = 1.0
        for place, law in zip(taken, shares, strict=True):
            weight *= law[place]
        for text, importance in zip(state, state.particles.log_importance[0].tolist(), strict=True):
            expected[text] += weight * exp(importance) / 2
        runs += 1
        resampled += any(row.resamplings for row in state.rows[0])
        while taken and taken[-1] + 1 == len(shares[len(taken) - 1]):
            taken.pop()
        if not taken:
            break
        path[:] = [*taken[:-1], taken[-1] + 1]
    assert runs > 16 and resampled
    truth = all_masses(model, links)
    assert expected == pytest.approx(truth, rel=1e-4)


def all_masses(model: oc.Model, links: list[list[str]]) -> dict[str, float]:
    """Brute force: P(text) of both links' spellings, each with its stop, by the model's own law."""
    masses: dict[str, float] = defaultdict(float)
    for ids, own, _ in enumerate_law(model, "xy", links[0]):
        row = (*model.state("xy").rows[0][0].ids, *ids)
        for more, later, _ in enumerate_law_after(model, row, links[1]):
            masses[model.encoder.decode((*row, *more))] += exp(own + later)
    return dict(masses)


def test_ancestors_say_who_is_left() -> None:
    model = toy_model(1)
    states = [chained(model, oc.samplers.smc(6, 1.0, every=1))("xy", seed=seed) for seed in range(8)]
    state = min(states, key=lambda each: len(set(each.particles.ancestors[0].tolist())))
    assert state.particles.ancestors.shape == (1, 6) and len(set(state.particles.ancestors[0].tolist())) < 6
    for each in states:  # those of one ancestor begin with the same token
        firsts: dict[int, set[int]] = defaultdict(set)
        for place, row in zip(each.particles.ancestors[0].tolist(), each.rows[0], strict=True):
            firsts[place].add(row.ids[row.spans[1].start])
        assert all(len(tokens) == 1 for tokens in firsts.values())
    assert chained(model, oc.samplers.smc(6, every=None))("xy", seed=2).particles.ancestors.tolist() == [[*range(6)]]
    again = oc.storage.from_bytes(oc.storage.to_bytes(state), model)
    assert torch.equal(again.particles.ancestors, state.particles.ancestors)
    assert torch.equal(state[:, [3, 1], :].particles.ancestors, state.particles.ancestors[:, [3, 1]])


@pytest.mark.parametrize(
    "every, error",
    [
        ("token", ValueError),
        (0, ValueError),
        (-1, ValueError),
        (b"(", ValueError),
        (b"x*", ValueError),
        ("[,}]", ValueError),
        (re.compile(","), TypeError),
        (1.5, TypeError),
        ([], TypeError),
    ],
)
def test_what_names_no_points_is_refused(every: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=re.escape("every=")):
        oc.samplers.smc(4, every=every)


@pytest.mark.parametrize(
    "every, meant",
    [
        ("[,}]", "every=b'[,}]'"),
        ("words", "every='word'"),
        (re.compile(r"[,}]"), "every=b'[,}]'"),
        (re.compile(rb"\n"), r"every=b'\\n'"),
    ],
)  # fmt: skip
def test_what_was_meant_is_said(every: Any, meant: str) -> None:
    with pytest.raises((ValueError, TypeError), match=re.escape(meant)):
        oc.samplers.smc(4, every=every)


SEARCHED = [rb"[,\n]", rb"ab?", rb"a+", rb"\s", rb"[^a]", rb"[]a]", rb".", rb"(?<=a)b"]


@given(
    st.sampled_from(["word", "line", rb"\n", rb"[,}]", rb"[a-c]", rb",", rb"-", *SEARCHED]),
    st.text(alphabet="ab ,}]^-\\n\n\t\v\x1c\u00a0\u2028", max_size=20),
)
def test_points_are_matches(every: Any, text: str) -> None:
    """However they are counted."""
    data = text.encode()
    assert points(every, data) == len(re.findall(PATTERNS.get(every, every), data))
    assert points(every, data + b"x") == len(re.findall(PATTERNS.get(every, every), data + b"x"))


def test_what_is_one_byte_is_not_searched_for() -> None:
    for pattern, matched in {rb"[,}]": b",}", rb"\n": b"\n", b"-": b"-", rb"[a-c]": b"abc", rb"[,\n]": None}.items():
        assert single_bytes(pattern) == matched
    for longer in (
        rb"a+",
        rb".",
        rb"(a)",
        rb"a|b",
        rb"[^a]",
        rb"[a]{2}",
        rb"\s",
        rb"[[:x]",
        b"ab",
        rb"(?i)a",
        rb"[\]]",
        rb"$",
    ):
        assert single_bytes(longer) is None


@pytest.mark.parametrize("every", [2, rb"[-c]"])
def test_a_particle_that_waits_with_a_forced_run_takes_no_scores_of_others(every: Any) -> None:
    """Nothing is read of it while it waits; its run was scored by lines that were read of other particles."""
    model = toy_model(2)
    sampler = oc.samplers.smc(4, 1.0, every=every)
    run = oc.continuous(oc.generate.regex(model, "(a-ca-12c|[xyz]{2}-ab|b1-)[ab]{1,2}", sampler, forced="canonical"))
    for seed in range(12):
        state = run(["x", "ab"], seed=seed)
        torch.testing.assert_close(state.rescore().logprobs, state.logprobs, atol=1e-4, rtol=1e-4)
