"""`state.particles`: log_evidence and posterior, what weighed samples estimate, against brute force over spellings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import enumerate_law, small_model, spanned

import outlines_cont as oc
from outlines_cont.state.row import DEAD

draw, smc = oc.samplers.multinomial, oc.samplers.smc
WORDS = ["a", "ab", "abc", "bc", "abca", "12", "1", "121", "ca", "c"]  # most have several spellings


def truth(model: oc.Model, options: list[str]) -> tuple[dict[str, float], float]:
    """The texts' probabilities, given that one of them is written; and how likely that is."""
    texts: dict[str, float] = defaultdict(float)
    for ids, own, _ in enumerate_law(model, "xy", options):
        texts[model.vocabulary.decode(ids).decode()] += math.exp(own)
    total = math.fsum(texts.values())
    return {text: p / total for text, p in texts.items()}, total


def distance(a: dict[Any, float], b: dict[Any, float]) -> float:
    """Total variation."""
    return math.fsum(abs(a.get(key, 0) - b.get(key, 0)) for key in {*a, *b}) / 2


@settings(max_examples=20)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), st.integers(0, 3), st.sets(st.integers(0, 4))
)  # fmt: skip
def test_the_posterior_is_that_of_all_spellings(options: list[str], seed: int, refused: set[int]) -> None:
    """Against the log-probabilities that brute force gives each spelling: an exact sum over the samples that there
    are; dead rows count in the evidence, and not in the posterior."""
    model = small_model(seed)
    right = [option for i, option in enumerate(options) if i not in refused]
    own = {ids: p for ids, p, _ in enumerate_law(model, "xy", options)}
    generator = oc.generate.choice(
        model, options, draw(samples=12), forced="never", where=lambda text, done: not done or text in right
    )
    state = oc.continuous(generator)("xy", seed=seed)
    sums: dict[str, float] = defaultdict(float)
    for ids, row in zip(spanned(state), (row for row in state.rows[0] if not row.dead), strict=True):
        drawn = math.fsum([*(p for p in row.proposals if p is not None), *(stop.proposal for _, stop in row.stops)])
        sums[model.vocabulary.decode(ids).decode()] += math.exp(own[ids] - drawn)
    total = math.fsum(sums.values())
    [posterior] = state.particles.posterior()
    assert posterior == pytest.approx({text: weight / total for text, weight in sums.items()}, rel=1e-3)
    assert set(posterior) <= set(right) and list(posterior.values()) == sorted(posterior.values(), reverse=True)
    assert not posterior or math.fsum(posterior.values()) == pytest.approx(1, abs=1e-12)
    assert state.particles.log_evidence.shape == (1,) and state.particles.log_evidence.dtype == torch.float64
    assert state.particles.log_evidence.exp().item() == pytest.approx(total / 12, rel=1e-3)
    if not right:
        assert posterior == {} and state.particles.log_evidence.item() == -math.inf


@pytest.mark.parametrize("options", [["a", "ab", "abc", "abca"], ["12", "1", "121"], ["ca", "abc", "bc"]], ids=repr)
@pytest.mark.parametrize("sampler", [draw(samples=3000), smc(3000, 0.0)], ids=["multinomial", "smc"])
def test_many_samples_give_the_truth(options: list[str], sampler: Any) -> None:
    model = small_model(1)
    law, mass = truth(model, options)
    state = oc.continuous(oc.generate.choice(model, options, sampler, forced="never"))("xy", seed=3)
    assert distance(state.particles.posterior()[0], law) < 0.05
    assert state.particles.log_evidence.exp().item() == pytest.approx(mass, rel=0.2)


def test_the_evidence_is_unbiased() -> None:
    model, options = small_model(2), ["a", "ab", "abc", "121"]
    _, mass = truth(model, options)
    step = oc.continuous(oc.generate.choice(model, options, draw(samples=4), forced="never"))
    ratios = step(["xy"] * 300, seed=5).particles.log_evidence.exp() / mass
    assert abs(ratios.mean().item() - 1) < 4 * (ratios.std() / len(ratios) ** 0.5).item()


def test_texts_of_chains_begin_with_the_first_generated_span() -> None:
    model = small_model()
    first = oc.continuous(oc.generate.choice(model, ["a", "ab"], draw(samples=6)), name="a")
    second = oc.continuous(oc.generate.choice(model, ["1", "12"], draw(samples=6)), name="b")
    state = second(first("xy", seed=1) + "-", seed=2) + "z"
    expected: Counter[str] = Counter()
    shares = (state.particles.log_importance[0] - state.particles.log_importance[0].logsumexp(0)).exp().tolist()
    for a, b, share in zip(state.captures["a"][0], state.captures["b"][0], shares, strict=True):
        expected[f"{a[0]}-{b[0]}z"] += share
    assert state.particles.posterior() == [pytest.approx(dict(expected))]
    even = state.particles.resample(seed=1)
    assert even.particles.posterior()[0] == pytest.approx(
        {text: count / 6 for text, count in Counter(text[2:] for text in even).items()}
    )
    torch.testing.assert_close(even.particles.log_evidence, state.particles.log_evidence)
    assert ("c" + state).particles.posterior()[0] == pytest.approx(dict(expected)), (
        "what is put before them is not theirs"
    )
    assert model.state(["xy", "a"]).particles.posterior() == [{"": 1.0}] * 2
    assert model.state(["xy", "a"]).particles.log_evidence.tolist() == [0.0, 0.0]


def test_rows_that_are_dead_or_failed() -> None:
    model = small_model()
    state = oc.continuous(oc.generate.choice(model, ["a", "ab"], draw(samples=4)))(["xy", "1"], seed=1)
    padded = oc.SequenceState(model, [[*rows, *[DEAD] * 4] for rows in state.rows], samples=8)
    assert padded.particles.posterior() == state.particles.posterior()
    torch.testing.assert_close(padded.particles.log_evidence, state.particles.log_evidence - math.log(2))

    def fails(text: str, done: bool) -> bool:
        if done:
            raise KeyError("mine")
        return True

    step = oc.continuous(oc.generate.choice(model, ["a", "ab"], draw(samples=4), where=fails))
    failed = step("xy", seed=1, errors="return")
    assert failed.particles.posterior() == [{}] and failed.particles.log_evidence.isnan().all()
    empty = oc.SequenceState(model, [[]], samples=0)
    assert empty.particles.posterior() == [{}] and empty.particles.log_evidence.isnan().all()
    assert oc.SequenceState(model, [], samples=2).particles.log_evidence.shape == (0,)


def test_what_nobody_knows_is_said_by_name() -> None:
    model = small_model()
    step = oc.continuous(oc.generate.choice(model, ["a", "ab"], draw(samples=3)))
    edited = step("xy", seed=1, hooks=[lambda draw: oc.steer.Replace(draw.token)])
    assert edited.particles.log_evidence.isnan().all()
    with pytest.raises(ValueError, match=r"the importance of samples 0, 1, 2 is not known .* a hook has declined"):
        edited.particles.posterior()
    assert math.fsum(edited.particles.resample(seed=0, reset=True).particles.posterior()[0].values()) == pytest.approx(
        1
    )


def test_healed_bytes_and_cut_texts() -> None:
    model = small_model()
    step = oc.continuous(oc.generate.regex(model, "[b12]{3}", draw(samples=6)), name="t", seam="heal")
    healed = step("xya", seed=1)
    shares = healed.particles.log_importance[0].softmax(-1).tolist()
    texts: Counter[str] = Counter()
    for text, share in zip(healed.captures["t"][0], shares, strict=True):
        texts[text[0]] += share
    assert healed.particles.posterior() == [pytest.approx(dict(texts))]
    short = oc.continuous(oc.generate.regex(model, "[bc]+", draw(samples=6)))("xy", max_tokens=1, seed=1)
    assert set(short.particles.posterior()[0]) == {text[2:] for text in short}
