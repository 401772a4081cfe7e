"""Importance, resampling, and sequential Monte Carlo: what particles weigh, and what they estimate."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import exp, fsum, inf, isnan, log
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import LANGUAGES, enumerate_law, enumerate_law_after, small_model, spanned, toy_model

import outlines_cont as oc
from outlines_cont.state import particles
from outlines_cont.state.row import DEAD

GREEDY = oc.samplers.greedy()
draw = oc.samplers.multinomial


def smc(*args: Any, every: Any = 1, **more: Any) -> Any:
    """Resampled after every token, unless a test says otherwise."""
    return oc.samplers.smc(*args, every=every, **more)


def choosing(model: oc.Model, options: list[str], sampler: Any, **more: Any) -> oc.Step:
    return oc.continuous(oc.generate.choice(model, options, sampler, forced="never", **more), name="x")


def target(model: oc.Model, prompt: str, options: list[str]) -> tuple[dict[tuple[int, ...], float], float]:
    """Brute force: the model's own law of the spellings, given that it writes one of them; and log P(that)."""
    own = {ids: exp(p) for ids, p, _ in enumerate_law(model, prompt, options)}
    total = fsum(own.values())
    return {ids: p / total for ids, p in own.items()}, log(total)


def masked(model: oc.Model, prompt: str, options: list[str]) -> dict[tuple[int, ...], float]:
    """The law of drawing token by token under the constraint."""
    return {ids: exp(p) for ids, _, p in enumerate_law(model, prompt, options)}


def distance(a: dict[Any, float], b: dict[Any, float]) -> float:
    """Total variation."""
    return fsum(abs(a.get(key, 0) - b.get(key, 0)) for key in {*a, *b}) / 2


def weighed(state: oc.SequenceState) -> dict[tuple[int, ...], float]:
    """The law that weighted samples stand for."""
    shares = (state.particles.log_importance[0] - state.particles.log_importance[0].logsumexp(0)).exp().tolist()
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for ids, share in zip(spanned(state), shares, strict=True):
        found[ids] += share
    return found


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_importance_is_own_over_drawn(options: list[str]) -> None:
    model = toy_model()
    every = {ids: own - law for ids, own, law in enumerate_law(model, "xy", options)}
    state = choosing(model, options, draw(samples=20))("xy", seed=3)
    assert state.particles.log_importance[0].tolist() == pytest.approx([every[ids] for ids in spanned(state)], abs=1e-4)
    weights = state.particles.log_importance[0].exp()
    assert state.particles.effective_sample_size.tolist() == pytest.approx(
        [(weights.sum() ** 2 / (weights**2).sum()).item()]
    )
    again = choosing(model, ["1", "12"], draw(samples=20))(state, seed=4)
    later = [dict_of(model, row.ids[: row.spans[-1].start])[row.ids[row.spans[-1].start :]] for row in again.rows[0]]
    assert (again.particles.log_importance - state.particles.log_importance)[0].tolist() == pytest.approx(
        later, abs=1e-4
    )


def dict_of(model: oc.Model, ids: tuple[int, ...]) -> dict[tuple[int, ...], float]:
    return {span: own - law for span, own, law in enumerate_law_after(model, ids, ["1", "12"])}


BIASED = ["ab1212", "ab12", "c", "ca", "12ab", "121", "bca1"]


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_particles_converge_where_masking_is_biased(threshold: float) -> None:
    """Token-by-token masking misses the model's law given the constraint; weighted particles find it, and its mass."""
    seeds = [
        s for s in range(8) if distance(target(toy_model(s), "xy", BIASED)[0], masked(toy_model(s), "xy", BIASED)) > 0.3
    ]
    assert len(seeds) >= 2, "models for which masking is visibly biased"
    for seed in seeds[:2]:
        model = toy_model(seed)
        law, mass = target(model, "xy", BIASED)
        bias = distance(law, masked(model, "xy", BIASED))
        plain = choosing(model, BIASED, draw(samples=1500))("xy", seed=1)
        counts = {ids: n / 1500 for ids, n in Counter(spanned(plain)).items()}
        assert distance(counts, masked(model, "xy", BIASED)) < 0.06 and distance(counts, law) > bias - 0.06
        state = choosing(model, BIASED, smc(1500, threshold))("xy", seed=1)
        assert distance(weighed(state), law) < 0.1 < bias
        even = state.particles.resample(seed=2)
        assert distance({ids: n / 1500 for ids, n in Counter(spanned(even)).items()}, law) < 0.12
        level = (state.particles.log_importance[0].logsumexp(0) - log(1500)).item()
        assert level == pytest.approx(mass, abs=0.15)
        assert even.particles.log_importance[0].tolist() == pytest.approx([level] * 1500, abs=1e-9)


@pytest.mark.parametrize("threshold", [0.5, 1.0])
def test_few_particles_estimate_the_mass_without_bias(threshold: float) -> None:
    """E[mean exp(log_importance)] = P(constraint), whatever the number of particles; over many seeds."""
    model = toy_model(1)
    _, mass = target(model, "xy", BIASED)
    step = choosing(model, BIASED, smc(4, threshold))
    start = model.state(["xy"] * 400)
    estimates = step(start, seed=9).particles.log_importance.exp().mean(1) / exp(mass)
    error = (estimates.std() / len(estimates) ** 0.5).item()
    assert abs(estimates.mean().item() - 1) < 4 * error and error < 0.2


@pytest.mark.parametrize("method", particles.METHODS)
def test_resampling_draws_by_importance(method: str) -> None:
    model = toy_model(2)
    state = choosing(model, BIASED, draw(samples=6))(["xy"], seed=5)
    shares = (state.particles.log_importance[0] - state.particles.log_importance[0].logsumexp(0)).exp().tolist()
    counts: Counter[int] = Counter()
    for seed in range(400):
        drawn = state.particles.resample(seed=seed, method=method)
        assert drawn.shape[:2] == state.shape[:2] and drawn == state.particles.resample(seed=seed, method=method)
        places = [row.lineage[:-1] for row in drawn.rows[0]]
        parents = [[row.lineage for row in state.rows[0]].index(place) for place in places]
        assert [row.ids for row in drawn.rows[0]] == [state.rows[0][parent].ids for parent in parents]
        assert len({row.lineage for row in drawn.rows[0]}) == 6, "copies draw their own numbers"
        if method == "systematic":
            assert all(abs(parents.count(i) - 6 * share) < 1 for i, share in enumerate(shares))
        counts.update(parents)
    for i, share in enumerate(shares):
        spread = (2400 * share * (1 - share)) ** 0.5
        assert abs(counts[i] - 2400 * share) < 4 * spread + 1
    assert torch.equal(
        state.particles.resample(seed=1, reset=True).particles.log_importance, torch.zeros(1, 6, dtype=torch.float64)
    )


def test_resampling_leaves_dead_rows_dead_and_batches_alone() -> None:
    model = toy_model()
    wide, one = choosing(model, BIASED, draw(samples=3))("xy", seed=1), choosing(model, BIASED, draw())("1", seed=1)
    state = oc.cat([wide, oc.cat([one, dead(one), dead(one)], 1)], 0)
    again = state.particles.resample(seed=1)
    assert [len(row) for row in again.tolist()] == [3, 1] and again.shape[:2] == (2, 3)
    assert again.finished[1] == ["stop", "dead", "dead"]
    both = choosing(model, BIASED, draw(samples=4))(["xy", "ab"], seed=1)
    for b in range(2):
        assert both.particles.resample(seed=3)[b : b + 1, :, :] == both[b : b + 1, :, :].particles.resample(seed=3)


def dead(state: oc.SequenceState) -> oc.SequenceState:
    """A batch row of one sample that does not exist."""
    return oc.SequenceState(state.model, [[DEAD]], samples=1)


def test_what_slicing_leaves_of_a_resampling(tmp_path: Path) -> None:
    """The level belongs to its point: with it, importance goes on; without, it is not known until `reset=True`."""
    model = toy_model()
    step = choosing(model, ["ab12", "ba21", "1a1a"], draw(samples=4))
    state = step("xy", seed=1).particles.resample(seed=2)
    level = state.particles.log_importance[0, 0].item()
    more = step(state + "-", seed=3)
    later = [dict_after(model, row) for row in more.rows[0]]
    assert more.particles.log_importance[0].tolist() == pytest.approx([level + one for one in later], abs=1e-4)
    size = state.shape[2]
    for n in range(more.shape[2] + 1):
        left, right = more[..., :n], more[..., n:]
        assert (left + right).identical(more)
        known = left.particles.log_importance[0].tolist()
        if n >= size:
            assert not any(map(isnan, known))
        else:
            assert all(map(isnan, known)) and all(map(isnan, (left + "x").particles.log_importance[0].tolist()))
            with pytest.raises(ValueError, match="reset=True"):
                left.particles.resample(seed=1)
            assert left.particles.resample(seed=1, reset=True).particles.log_importance.tolist() == [[0.0] * 4]
    more.save(tmp_path / "state")
    assert oc.load_state(tmp_path / "state", model).identical(more)
    marked = (state + "--").particles.resample(seed=3)
    grown = choosing(model, ["abcabc"], draw(samples=4))(marked[..., : size + 1], seed=1)
    assert all(map(isnan, grown.particles.log_importance[0].tolist())), "nor does a new span that reaches over it"
    for cut in range(3, size):  # going on from before the point does not bring it back
        assert all(map(isnan, step.resume(state[..., :cut], seed=9).particles.log_importance[0].tolist()))
    assert all(map(isnan, state.reopen().particles.log_importance[0].tolist())), "nor does another stop"


def dict_after(model: oc.Model, row: Any) -> float:
    start = row.spans[-1].start
    laws = enumerate_law_after(model, row.ids[:start], ["ab12", "ba21", "1a1a"])
    return next(own - law for ids, own, law in laws if ids == row.ids[start:])


@settings(max_examples=60)
@given(data=st.data())
def test_importance_adds_up_over_cuts_and_joins(data: st.DataObject) -> None:
    """Joined rows have the sum of both; joins are associative to the last bit; rejoined parts are what they were."""
    model = toy_model(data.draw(st.integers(0, 2)))

    def made(seed: int) -> oc.SequenceState:
        state = choosing(model, ["ab", "abc", "12"], draw(samples=3))("xy", seed=seed)
        if data.draw(st.booleans()):
            state = state.particles.resample(seed=seed)
        if data.draw(st.booleans()):
            state = choosing(model, ["1", "12", "2"], draw(samples=3))(state, seed=seed)
        return state

    a, b, c = made(1), made(2), made(3)
    assert ((a + b) + c).identical(a + (b + c))
    torch.testing.assert_close(
        (a + b).particles.log_importance, a.particles.log_importance + b.particles.log_importance, atol=1e-9, rtol=0
    )
    whole = a + b + c
    n, m = sorted((data.draw(st.integers(0, whole.shape[2])), data.draw(st.integers(0, whole.shape[2]))))
    assert (whole[..., :n] + whole[..., n:m] + whole[..., m:]).identical(whole)
    assert whole[..., :m][..., n:].identical(whole[..., n:m])


def test_smc_resamples_particles_that_have_ended_with_those_that_go_on() -> None:
    seen = 0
    for seed in range(4):
        model = toy_model(seed)
        frontier = choosing(model, BIASED, smc(30, 1.0)).begin("xy", seed=3)
        while not frontier.done:
            frontier = frontier.step(model.logits(frontier.pending))
            marked = [h for h in frontier.groups[0] if h.row.resamplings]
            seen += any(h.status.ended for h in marked) and any(not h.status.ended for h in marked)
            assert len({h.lineage for h in frontier.groups[0]}) == 30
        assert len(frontier.state) == 30 == sum(map(len, frontier.state.captures["x"][0]))
    assert seen


def test_what_smc_takes() -> None:
    model = toy_model()
    step = choosing(model, ["a", "ab"], smc(3))
    state = step("xy", seed=1)
    assert step(state + "-", seed=1).shape[1] == 3
    with pytest.raises(oc.errors.SampleMismatch, match=r"smc\(particles=3\) on a state of 2 samples"):
        step(model.state("xy").fork(2))

    def edit(draw: oc.steer.Draw) -> oc.steer.Replace:
        return oc.steer.Replace(draw.token)

    edited = choosing(model, ["a", "ab"], draw(samples=3))("xy", seed=1, hooks=[edit])
    assert all(map(isnan, edited.particles.log_importance[0].tolist()))
    with pytest.raises(ValueError, match=r"smc\(particles=3\) .* the importance of sample.* a hook has declined"):
        step(edited)
    assert step(edited.particles.resample(seed=1, reset=True), seed=1).shape[1] == 3
    for wrong in ({"particles": 0}, {"threshold": 1.5}, {"temperature": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            smc(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'multinomial' or 'systematic'"):
        state.particles.resample(method="residual")
    with pytest.raises(TypeError, match=r"seed=1\.5"):
        state.particles.resample(seed=1.5)  # type: ignore[arg-type]
    assert model.state("xy").particles.log_importance.tolist() == [[0.0]] and -inf not in state.particles.log_importance


def test_smc_refuses_answers_when_the_call_is_made() -> None:
    """A hook that answered left particles whose importance nobody knew, and the generation died of it on the way."""
    model, asked = toy_model(), []

    def edit(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        asked.append(draw.token)
        return oc.steer.Resample() if len(asked) == 3 else None

    plain = oc.continuous(oc.generate.text(model, smc(3)), name="p", max_tokens=5)
    before = oc.continuous(oc.generate.regex(model, "[ab]{3}", draw(samples=3)), name="b", hooks=[edit])
    one, frontier = {"hooks": [edit]}, plain.begin("xy", seed=1).state
    calls: list[Any] = [
        lambda: plain("xy", **one),
        lambda: plain.stream("xy", **one),
        lambda: plain.begin("xy", hooks=[oc.steer.Watch(edit), edit]),
        lambda: plain.resume(frontier, **one),
        lambda: plain.generator("xy", 5, **one),
        lambda: (plain >> "-" >> plain)("xy", **one),
        lambda: oc.continuous(plain.generator, hooks=[edit]),
        lambda: (before >> plain)("xy"),
        lambda: (before >> plain).begin("xy"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"edit.* with Particles\(.*oc\.steer\.Watch\(look\)"):
            call()
    assert asked == []
    with pytest.raises(ValueError, match=r"control\(\) with Particles.* may fork a row"):
        oc.generate.control(model, lambda row: [], smc(3))
    watched = plain("xy", hooks=[oc.steer.Watch(edit)], seed=1)  # whatever it answers
    assert watched.identical(plain("xy", seed=1)) and len(asked) == 15
    with pytest.raises(TypeError, match=r"Watch\(\) takes a function of one argument, a Draw, not 5"):
        oc.steer.Watch(5)  # type: ignore[arg-type]


def test_particles_note_the_candidates_of_their_draws() -> None:
    """`top`, through resamplings: of each draw the candidates that a draw after the same tokens has."""
    resampled = 0
    for seed in range(4):
        model, temperature = toy_model(seed), 1.0 + seed % 2
        step = choosing(model, BIASED, smc(4, 1.0, temperature))
        alone = choosing(model, BIASED, draw(temperature=temperature))
        state = step("xy", seed=3, keep=oc.Keep(candidates=3))
        assert state == step("xy", seed=3)
        resampled += sum(bool(row.resamplings) for row in state.rows[0])
        for s in range(4):
            for end in range(3, int(state.lengths[0, s]) + 1):
                head = state[:, s : s + 1, : end - 1]
                again = (
                    alone.resume(head, 1, keep=oc.Keep(candidates=3))
                    if end > 3
                    else alone("xy", 1, keep=oc.Keep(candidates=3))
                )
                longer = int(again.lengths[0, 0]) >= end
                theirs = again.kept.candidates[0][0][end - 1] if longer else again.kept.stop_candidates[0][0]
                mine = state.kept.candidates[0][s][end - 1]
                assert mine is not None and theirs is not None
                assert [c.token for c in mine] == [c.token for c in theirs]
                for a, b in zip(mine, theirs, strict=True):
                    assert a[2:] == pytest.approx(b[2:], abs=1e-3)
    assert resampled > 8


def test_a_rescored_resampling_weighs_what_its_rows_weigh_there() -> None:
    """Of another context the same rows have another importance, resampled or not."""
    model = small_model(1)
    state = choosing(model, ["ab12", "ba21", "1a1a"], draw(samples=4))("xy", seed=1)
    for own in (state, state.particles.resample(seed=2)):
        more = choosing(model, ["1", "12"], draw(samples=4))(own, seed=3)
        joined = model.state("zzz").fork(4) + more
        again = joined.rescore()
        moved = (again.weights - joined.weights).abs().max()
        assert moved > 0.1
        change = again.particles.log_importance - joined.particles.log_importance
        torch.testing.assert_close(change, again.weights - joined.weights, atol=1e-6, rtol=0)


def test_healing_and_stop_strings_before_a_resampling() -> None:
    """What is taken back, or dropped, behind the point where a row was resampled is weighed once."""
    model = small_model(1)
    state = (choosing(model, ["a", "b"], draw(samples=3))("xy", seed=0) + "xa").particles.resample(seed=0)
    level = state.particles.log_importance[0, 0].item()
    step = oc.continuous(oc.generate.choice(model, ["b", "bc", "x"], draw(samples=3), forced="never"), seam="heal")
    healed = step(state, seed=0)
    for row, value in zip(healed.rows[0], healed.particles.log_importance[0].tolist(), strict=True):
        begin, piece = row.spans[-1].start, row.pieces[-1]
        drawn = zip(row.logprobs[begin:], row.proposals[begin:], strict=True)
        new = fsum([own - law for own, law in drawn if own is not None and law is not None])
        assert piece.stop is not None
        assert value == pytest.approx(level + new + piece.stop.logprob - piece.stop.proposal, abs=1e-6)
    text = oc.continuous(oc.generate.text(model, smc(4, 0.9, 1.7)))
    stops = ["bb", "a-", "x1", "1z", "a"]
    weights = []
    for seed in range(30):
        found = text("xy", seed=seed, max_tokens=12, stop_at=stops)
        assert not found.particles.log_importance.isnan().any()
        weights.append(found.particles.log_importance.exp().mean().item())
    # of text nothing is forbidden, and the mean weight is 1
    mean, error = fsum(weights) / 30, torch.tensor(weights).std().item() / 30**0.5
    assert abs(mean - 1) < 4 * error + 0.02


def test_particles_cross_into_choices_by_sequence() -> None:
    """As many as there were; what they estimate is the mass of all that the chain can write, in those spellings."""
    model, options = small_model(2), ["1", "12", "ab"]
    start = model.state("xy").rows[0][0].ids
    spelled = [tuple(model.encoder.append(option)) for option in options]
    mass = 0.0
    for ids, own, _ in enumerate_law_after(model, start, BIASED):
        after = {b: value for b, value, _ in enumerate_law_after(model, start + ids, options)}
        mass += fsum(exp(own + after[b]) for b in spelled)
    for threshold in (0.5, 1.0):
        sampler = smc(4, threshold)
        chain = choosing(model, BIASED, sampler) >> oc.continuous(
            oc.generate.choice(model, options, sampler, by="sequence"), name="b"
        )
        state = chain(model.state(["xy"] * 300), seed=9)
        assert state.shape[:2] == (300, 4) and len(state) == 1200
        assert all(value in options for rows in state.captures["b"] for values in rows for value in values)
        estimates = state.particles.log_importance.exp().mean(1) / mass
        error = (estimates.std() / 300**0.5).item()
        assert abs(estimates.mean().item() - 1) < 4 * error and error < 0.2


def test_particles_of_a_batch_do_not_wait_for_each_other() -> None:
    """Law 9: nor does the number of steps that another batch row takes say when they are resampled."""
    model, sampler = small_model(1), smc(2, 1.0)
    links = [("[abc]{1,3}", "never"), ("(abcabc|12121|xyx)", "canonical"), ("[12xyz]{3}", None)]
    a, b, c = (oc.continuous(oc.generate.regex(model, p, sampler, forced=forced)) for p, forced in links)
    chain, start = a >> "-" >> b >> c, model.state(["xy", "ab", "c"])
    for seed in range(12):
        whole = chain(start, seed=seed)
        for i in range(3):
            assert chain(start[i : i + 1, :, :], seed=seed) == whole[i : i + 1, :, :]
        assert chain(start.kv.drop(), seed=seed) == whole


def test_temperature_is_made_up_for() -> None:
    model = toy_model(1)
    law, _ = target(model, "xy", BIASED)
    state = choosing(model, BIASED, smc(1500, 0.5, temperature=1.7))("xy", seed=1)
    assert distance(weighed(state), law) < 0.12
