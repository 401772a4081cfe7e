"""Choices made at once, by the exact probabilities of their options (`by="sequence"`)."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from math import exp, fsum, log
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from test_generation import LANGUAGES, enumerate_law, small_model, toy_model

import outlines_cont as oc

GREEDY = oc.samplers.greedy()
beams, draw = oc.samplers.beam_search, oc.samplers.multinomial
NORMALIZATIONS = ["sum", "mean", "unconditional"]


def own(model: oc.Model, prompt: Any, options: list[str]) -> dict[str, tuple[tuple[int, ...], float]]:
    """Brute force: each option's canonical tokens and its log-probability with the stop, from plain forwards."""
    every = {ids: value for ids, value, _ in enumerate_law(model, prompt, options)}
    spelled = {option: tuple(model.encoder.append(option)) for option in options}
    return {option: (ids, every[ids]) for option, ids in spelled.items()}


def law(model: oc.Model, prompt: str, options: list[str], normalize: str = "sum") -> list[float]:
    """P(option), by definition."""
    values = own(model, prompt, options)
    if normalize == "mean":
        scores = [value / (len(ids) + 1) for ids, value in values.values()]
    elif normalize == "unconditional":

        class Blank:  # a document begins after its eos
            hf, vocabulary = model.hf, model.vocabulary

            @staticmethod
            def state(_: str) -> oc.SequenceState:
                return model.state([model.tokenizer.eos_token_id])

        alone = {ids: value for ids, value, _ in enumerate_law(Blank, "", options)}  # type: ignore[arg-type]
        scores = [value - alone[ids] for ids, value in values.values()]
    else:
        scores = [value for _, value in values.values()]
    return torch.tensor(scores, dtype=torch.float64).softmax(0).tolist()


@pytest.mark.parametrize("normalize", NORMALIZATIONS)
@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_probabilities_are_those_of_brute_force(options: list[str], normalize: str) -> None:
    for seed in range(3):
        model = toy_model(seed)
        generator = oc.generate.choice(model, options, GREEDY, by="sequence", normalize=normalize)
        table = generator.probabilities(["xy", "ab"])
        assert table.shape == (2, 1, len(options)) and table.dtype == torch.float64
        for b, prompt in enumerate(["xy", "ab"]):
            expected = law(model, prompt, options, normalize)
            assert table[b, 0].tolist() == pytest.approx(expected, abs=1e-4)
            assert generator(prompt) == options[max(range(len(options)), key=expected.__getitem__)]


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_draws_follow_the_probabilities_of_whole_options(options: list[str]) -> None:
    """Chi-square, by sequence and by token, each against its own law; and each proposal is the law drawn from."""
    model, draws = toy_model(2), 500
    exact = own(model, "xy", options)
    spelled = {ids: option for option, (ids, _) in exact.items()}
    walk = Counter[str]()
    for ids, _, p in enumerate_law(model, "xy", options):
        walk[b"".join(model.vocabulary.tokens[t] for t in ids).decode()] += exp(p)  # type: ignore[assignment]
    laws = {"sequence": dict(zip(options, law(model, "xy", options), strict=True)), "token": walk}
    for by, expected in laws.items():
        step = oc.continuous(oc.generate.choice(model, options, draw(samples=draws), by=by, forced="never"), name="x")
        state = step("xy", seed=11)
        counts = Counter(values[0] for values in state.captures["x"][0])
        cells = [(counts[option], draws * p) for option, p in expected.items() if draws * p >= 5]
        cells.append((draws - sum(n for n, _ in cells), max(draws - fsum(e for _, e in cells), 1e-9)))
        statistic = fsum((n - e) ** 2 / e for n, e in cells if e > 1e-6)
        assert statistic < 12 + 4 * len(cells), (by, statistic, cells)
        if by == "sequence":
            for row in state.rows[0]:
                ids = row.ids[row.spans[-1].start :]
                stop = row.pieces[-1].stop
                assert stop is not None and row.finished == "stop"
                assert row.weight == pytest.approx(exact[spelled[ids]][1], abs=1e-4)
                drawn = fsum([*(p for p in row.proposals if p is not None), stop.proposal])
                assert drawn == pytest.approx(log(expected[spelled[ids]]), abs=1e-4)
    apart = fsum(abs(laws["sequence"][o] - laws["token"][o]) for o in options)
    assert len(options) < 3 or apart > 1e-3, "the two laws are not the same"


def test_proposals_are_those_of_a_walk_through_the_spellings() -> None:
    """A prefix' proposals sum to the probability that some option that begins with it is elected."""
    model, options = toy_model(1), ["12", "121", "1212", "2", "21"]
    table = dict(zip(options, law(model, "xy", options), strict=True))
    spelled = {option: tuple(model.encoder.append(option)) for option in options}
    state = oc.continuous(oc.generate.choice(model, options, draw(samples=40), by="sequence"))("xy", seed=1)
    for row in state.rows[0]:
        begin = row.spans[-1].start
        for end in range(begin + 1, len(row) + 1):
            mass = fsum(p for option, p in table.items() if spelled[option][: end - begin] == row.ids[begin:end])
            assert fsum(p for p in row.proposals[begin:end] if p is not None) == pytest.approx(log(mass), abs=1e-4)


def test_filters_are_of_whole_options() -> None:
    model, options = toy_model(1), ["a", "ab", "abc", "ca"]
    likeliest = oc.generate.choice(model, options, GREEDY, by="sequence")("xy")
    for sampler in (draw(samples=20, top_k=1), draw(samples=20, top_p=1e-6), draw(samples=20, temperature=1e-3)):
        state = oc.continuous(oc.generate.choice(model, options, sampler, by="sequence"), name="x")("xy", seed=0)
        assert state.captures["x"] == [[[likeliest]] * 20]
        assert state.proposal_logprobs.abs().max() < 1e-6


def test_beams_go_on_with_all_options() -> None:
    model, options = toy_model(3), ["a", "ab", "abc", "ca", "12"]
    values = sorted((value for _, value in own(model, "xy", options).values()), reverse=True)
    for k in (2, 5, 8):
        state = oc.continuous(oc.generate.choice(model, options, beams(k), by="sequence"))("xy")
        live = len(state)
        assert live == min(k, 5) and state.weights[0, :live].tolist() == pytest.approx(values[:live], abs=1e-4)


@given(data=st.data())
def test_a_cut_choice_is_made_again_among_what_is_left(data: st.DataObject) -> None:
    """Law 7: with the same seed... the options that begin like what was kept, by their probabilities."""
    model, options = toy_model(data.draw(st.integers(0, 3))), ["12", "121", "1212", "2", "21", "211"]
    step = oc.continuous(oc.generate.choice(model, options, GREEDY, by="sequence"), name="x")
    table = law(model, "xy", options)
    spelled = [tuple(model.encoder.append(option)) for option in options]
    ids = data.draw(st.sampled_from(spelled))
    kept = ids[: data.draw(st.integers(1, len(ids)))]
    forced = oc.continuous(oc.generate.choice(model, [options[spelled.index(ids)]], GREEDY, by="sequence"), name="x")
    cut = forced("xy")[..., : 2 + len(kept)]
    again = step.resume(cut.reopen())
    left = [i for i, other in enumerate(spelled) if other[: len(kept)] == kept]
    best = max(left, key=table.__getitem__)
    assert again.captures["x"] == [[[options[best]]]]
    assert again.weights.item() == pytest.approx(own(model, "xy", options)[options[best]][1], abs=1e-4)


@pytest.mark.parametrize("normalize", NORMALIZATIONS)
def test_a_cut_choice_that_goes_on_is_the_whole_one(normalize: str) -> None:
    """Greedily: the best of all options that begin like it is still the best of them; other spellings go on, too."""
    for seed in range(4):
        model, options = small_model(seed), ["121", "1212", "2a", "21", "211", "ab12", "abca"]
        generator = oc.generate.choice(model, options, GREEDY, by="sequence", normalize=normalize)
        step = oc.continuous(generator, name="x")
        whole = step(["xy", "ab", "12"])
        for n in range(3, whole.shape[2]):
            assert step.resume(whole[..., :n].reopen()) == whole
    model = small_model(0)
    step = oc.continuous(oc.generate.choice(model, ["121", "12a", "2"], GREEDY, by="sequence"), name="x")
    walk = oc.continuous(oc.generate.choice(model, ["1"], GREEDY), name="x")
    assert step.resume(walk("xy").reopen()).captures["x"][0][0][0] in ("121", "12a")


def test_many_options_after_many_samples_are_scored_once() -> None:
    model = small_model(0)
    options = ["".join(letters) for letters in product("abc12", repeat=4)]
    step = oc.continuous(oc.generate.choice(model, options, draw(samples=50), by="sequence"), name="x")
    frontier = step.begin("xy", seed=1)
    spelled = {tuple(model.encoder.append(option)) for option in options}
    assert sum(len(need.wanted) for need in frontier.pending) == len(
        {ids[:n] for ids in spelled for n in range(len(ids))}
    )
    assert len(set(step("xy", seed=1))) > 5


def test_cut_short_kept_on_disk_and_in_batches(tmp_path: Any) -> None:
    model, options = toy_model(), ["abcabcab", "121212"]
    generator = oc.generate.choice(model, options, GREEDY, by="sequence")
    step = oc.continuous(generator, name="x")
    whole, cut = step("xy"), step("xy", max_tokens=2)
    assert cut.finished == [["length"]] and cut == whole[..., :4]
    with pytest.raises(oc.errors.IncompleteError):
        generator("xy", max_tokens=1)
    cut.save(tmp_path / "cut")
    assert step.resume(oc.load_state(tmp_path / "cut", model)) == whole
    constraint = oc.load_state(tmp_path / "cut", model).rows[0][0].pieces[-1].origin.constraint
    assert (
        constraint is not None
        and constraint.options == tuple(options)
        and json.loads(constraint.spec)["options"]["by"] == "sequence"
    )
    start = model.state(["xy", "a", "12"])
    sampled = oc.continuous(oc.generate.choice(model, ["a", "ab", "1"], draw(samples=3), by="sequence"))
    for b in range(3):
        assert sampled(start[b : b + 1, :, :], seed=2) == sampled(start, seed=2)[b : b + 1, :, :]


def test_each_position_is_computed_once() -> None:
    """The options are read as one tree: as many positions as there are distinct prefixes, but for their last tokens."""
    model = oc.Model(toy_model().hf, toy_model().tokenizer)
    options = ["abcabc", "abcab1", "abc", "12", "121"]
    start = model.state("xyxy").kv.drop()
    spelled = [tuple(model.encoder.append(option)) for option in options]
    # the last token is needed where it has to be decided whether the option ends there
    needed = {ids[:n] for ids in spelled for n in range(1, len(ids) + 1)}
    needed -= {ids for ids in spelled if not any(other != ids and other[: len(ids)] == ids for other in spelled)}
    needed |= {
        ids
        for option, ids in zip(options, spelled, strict=True)
        if any(o != option and o.startswith(option) for o in options)
    }
    model.stats.reset()
    oc.generate.choice(model, options, GREEDY, by="sequence")(start)
    assert (model.stats.tokens, model.stats.passes) == (start.lengths.item() + len(needed), 1)


def test_wrong_arguments() -> None:
    model = toy_model()
    with pytest.raises(ValueError, match=r"'token' .* or 'sequence'"):
        oc.generate.choice(model, ["a"], by="word")
    with pytest.raises(ValueError, match="'sum', 'mean' or 'unconditional'"):
        oc.generate.choice(model, ["a"], by="sequence", normalize="length")
    with pytest.raises(ValueError, match="only whole options"):
        oc.generate.choice(model, ["a"], normalize="mean")
    with pytest.raises(TypeError, match="by='sequence'"):
        oc.generate.choice(model, ["a"]).probabilities("x")
    with pytest.raises(ValueError, match=r"normalize='mean' with BeamSearch"):
        oc.generate.choice(model, ["a"], beams(2), by="sequence", normalize="mean")
    long = oc.generate.choice(model, ["x" * 70, "a"], by="sequence")
    assert oc.continuous(long)("xy").finished == [["length"]], "the model cannot read all of its options"
    with pytest.raises(ValueError, match="no room for every option"):
        long.probabilities("xy")
