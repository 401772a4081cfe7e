"""What was not drawn at random (greedy, beams, controllers) has no posterior, and says by whom it was made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model

import outlines_cont as oc
from outlines_cont.fsm import guide as guides

draw, smc, greedy, beams = oc.samplers.multinomial, oc.samplers.smc, oc.samplers.greedy, oc.samplers.beam_search
WORDS = ["a", "ab", "abc", "12"]


def chosen(sampler: Any, **options: Any) -> Callable[[oc.Model], oc.Generator[Any]]:
    return lambda model: oc.generate.choice(model, WORDS, sampler, **options)


def controlled(model: oc.Model) -> oc.Generator[Any]:
    either = guides.choice(WORDS, model.vocabulary)

    def controller(row: Any) -> list[oc.steer.Branch]:
        if row.memory is None:
            return [oc.steer.Branch(allowed=either, memory=1)]
        return [oc.steer.Branch(backtrack=len(row) - row.start, allowed=either, memory=2)] if row.memory == 1 else []

    return oc.generate.control(model, controller, draw(samples=3))


UNDRAWN = {
    "greedy": (chosen(greedy()), r"greedy\(\) took the best"),
    "filtered": (chosen(greedy([oc.filters.repetition_penalty(1.1)])), r"greedy\(\) took the best"),
    "beams": (chosen(beams(3)), r"beam_search\(3\) took the best"),
    "sequences": (chosen(beams(2, distinct="tokens")), r"beam_search\(2\) took the best"),
    "greedy options": (chosen(greedy(), by="sequence"), r"greedy\(\) took the best"),
    "best options": (chosen(beams(2), by="sequence"), r"beam_search\(2\) took the best"),
    "controlled": (controlled, "its controller may have given up draws"),
}


@pytest.mark.parametrize("name", UNDRAWN)
def test_what_was_not_drawn_has_no_posterior_and_says_why(name: str) -> None:
    model = small_model()
    make, reason = UNDRAWN[name]
    state = oc.continuous(make(model), name="word")(["xy", "b"], seed=0)
    loaded = oc.storage.from_bytes(oc.storage.to_bytes(state), model)
    assert loaded.identical(state)
    for each in (state, loaded, state[0:1, :, :], state + "z", state.reopen()):
        with pytest.raises(ValueError, match=rf"posterior\(\) of batch row 0: the span 'word' of sample 0 .*{reason}"):
            each.particles.posterior()
        assert each.particles.log_evidence.isnan().all() and each.particles.effective_sample_size.isnan().all()
        with pytest.raises(ValueError, match=rf"resample\(\): .*{reason}.*(multinomial\(samples=…\)|where=…)"):
            each.particles.resample(seed=0)
        even = each.particles.resample(seed=0, reset=True)
        for texts, rows in zip(even.particles.posterior(), even.captures["word"], strict=True):
            assert math.fsum(texts.values()) == pytest.approx(1) and len(texts) <= max(len(rows), 1)
    with pytest.raises(ValueError, match="span of choice of sample" if name != "controlled" else "span of control"):
        make(model).run("xy", seed=0).particles.posterior()


@settings(max_examples=15)
@given(st.integers(0, 50), st.sampled_from([draw(samples=5), smc(5, 0.9)]))
def test_a_beginning_that_all_samples_share_is_given(seed: int, sampler: Any) -> None:
    """As if it had been the prompt: the draws after it are the same, and so are their shares."""
    model = small_model(seed % 3)
    title = oc.continuous(oc.generate.choice(model, WORDS, greedy()), name="title")
    word = oc.continuous(oc.generate.choice(model, ["c", "ca", "b", "bc"], sampler), name="word")
    state = (title >> "-" >> word)("xy", seed=seed)
    begun = title("xy") + "-"
    alone = word(oc.SequenceState(model, [[model.state(begun.token_ids[0, 0].tolist()).rows[0][0]]], 1), seed=seed)
    written = f"{begun.captures['title'][0][0][0]}-"
    assert state.particles.posterior() == [
        pytest.approx({written + text: p for text, p in alone.particles.posterior()[0].items()})
    ]
    assert state.particles.log_evidence.isnan().all(), "how likely the title was, nobody has estimated"
    assert state.particles.effective_sample_size.item() == pytest.approx(
        alone.particles.effective_sample_size.item(), nan_ok=True
    )
    with pytest.raises(ValueError, match=r"the span 'title' of sample 0 .* greedy\(\)"):
        begun.fork(3).particles.posterior()
    with pytest.raises(ValueError, match="'title'"):
        title(state, seed=seed).particles.posterior()


def test_a_beginning_that_each_sample_wrote_alike_is_given_too() -> None:
    model = small_model()
    title = oc.continuous(oc.generate.choice(model, WORDS, greedy()), name="title")
    word = oc.continuous(oc.generate.choice(model, ["c", "ca", "b", "bc"], smc(3)), name="word")
    apart, shared = title(model.state("xy").fork(3)), title("xy")
    assert apart.rows[0][0].pieces[-1].origin is not apart.rows[0][1].pieces[-1].origin
    [law] = word(apart, seed=4).particles.posterior()
    assert law == pytest.approx(word(shared, seed=4).particles.posterior()[0])
    cut = (title >> word)("xy", seed=4)[..., : len(shared.rows[0][0])]
    assert (title >> word).resume(cut, seed=4).particles.effective_sample_size.item() > 0


def test_beams_are_not_weighed_by_what_is_drawn_after_them() -> None:
    model = small_model()
    first = oc.continuous(chosen(beams(3))(model), name="first")
    second = oc.continuous(oc.generate.choice(model, ["c", "b"], draw(samples=3)), name="second")
    with pytest.raises(ValueError, match=r"the span 'first' of sample 0 .* beam_search\(3\)"):
        (first >> "-" >> second)("xy", seed=0).particles.posterior()
    particles = oc.continuous(oc.generate.choice(model, ["c", "b"], smc(3)), name="second")
    before = model.stats.passes
    with pytest.raises(ValueError, match=r"smc\(particles=3\) weighs its samples: .* 'first' .* beam_search\(3\)"):
        particles(first("xy"), seed=0)
    assert model.stats.passes - before <= 8, "the beams' own passes"
    before = model.stats.passes
    with pytest.raises(ValueError, match=r"beam_search\(3\) before Particles.*: samples that it chooses are no random"):
        (first >> "-" >> particles)("xy", seed=0)
    with pytest.raises(ValueError, match=r"greedy\(\) before Particles"):
        (particles >> oc.continuous(chosen(greedy())(model)) >> particles)("xy", seed=0)
    assert model.stats.passes == before, "it is told before the first token"
    even = particles(first("xy").particles.resample(seed=0, reset=True) + "-", seed=0)
    assert math.fsum(even.particles.posterior()[0].values()) == pytest.approx(1)


def test_a_span_that_was_chosen_in_part_is_not_drawn() -> None:
    model = small_model()
    pattern = "[abc]{4}"
    begun = oc.continuous(oc.generate.regex(model, pattern, greedy(), forced="never"), name="t")("xy", max_tokens=1)
    state = oc.continuous(oc.generate.regex(model, pattern, draw(), forced="never"), name="t").resume(begun, seed=0)
    assert state.finished == [["stop"]]
    with pytest.raises(ValueError, match=r"greedy\(\) took the best"):
        state.particles.posterior()
    tail = state[..., 3:]  # a span whose beginning was cut off is a text that was given
    assert tail.particles.posterior() == [{"": 1.0}]


def test_draws_of_every_kind_have_a_posterior_and_files_say_nothing_new() -> None:
    model = small_model()
    for sampler in (draw(samples=3), draw(samples=3, top_k=2, temperature=0.7), smc(3), draw(samples=3, min_p=0.1)):
        for by in ("token", "sequence"):
            state = oc.generate.choice(model, WORDS, sampler, by=by).run("xy", seed=0)
            assert math.fsum(state.particles.posterior()[0].values()) == pytest.approx(1)
            assert b"chosen_by" not in oc.storage.to_bytes(state)


class Own(oc.samplers.Greedy):
    """Somebody's own draws, of which nobody knows more than they say."""

    def draw(self, live: Any, law: Any, seed: int) -> Any:
        return law.greedy()


def test_a_sampler_of_ones_own_says_itself_whether_it_draws() -> None:
    model = small_model()
    assert oc.generate.choice(model, WORDS, Own()).run("xy").particles.posterior()[0]
    Worst = type("Worst", (Own,), {"chooses": "worst()"})
    with pytest.raises(ValueError, match=r"worst\(\) took the best"):
        oc.generate.choice(model, WORDS, Worst()).run("xy").particles.posterior()


def back_to_the_start(draw: oc.steer.Draw) -> oc.steer.Backtrack | None:
    """Go back over a first token that begins with an `a`, as long as nothing was given up there."""
    return oc.steer.Backtrack(1) if draw.row.text in ("a", "ab", "abc") and not draw.attempt else None


def back_behind_it(draw: oc.steer.Draw) -> oc.steer.Backtrack | None:
    return oc.steer.Backtrack(1) if draw.row.text.endswith("2") and len(draw.row.ids) > 3 and not draw.attempt else None


@pytest.mark.parametrize("hook", [back_to_the_start, back_behind_it])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_hook_sent_back_is_not_known_wherever_the_call_is_cut(seed: int, hook: Any) -> None:
    """Also where it is cut just after that, and before the draw that follows."""
    model = small_model()
    generator = oc.generate.regex(model, "[abc12]{4}", draw(samples=6), forced="never")
    step = oc.continuous(generator, name="t")
    whole = step("xy", seed=seed, hooks=[hook])
    unknown = whole.particles.log_importance.isnan()
    assert unknown.any() and not unknown.all()
    frontier = step.begin("xy", seed=seed, hooks=[hook])
    cuts = 0
    while not frontier.done:
        resumed = step.resume(frontier.state, seed=seed, hooks=[hook])
        assert resumed == whole and torch.equal(resumed.particles.log_importance.isnan(), unknown), cuts
        frontier, cuts = frontier.step(model.logits(frontier.pending)), cuts + 1
    assert cuts >= 4
    with pytest.raises(ValueError, match=r"the importance of samples? [\d, ]+ is not known .*: a hook has declined"):
        whole.particles.posterior()
    assert whole.particles.log_evidence.isnan().all()


def test_particles_take_no_hook_that_may_decline() -> None:
    """Before anything is read."""
    model = small_model()
    before = model.stats.passes
    for call in (oc.generate.choice(model, WORDS, smc(3)), oc.continuous(oc.generate.choice(model, WORDS, smc(3)))):
        with pytest.raises(ValueError, match=r"hooks=.* with Particles.*oc\.steer\.Watch\(look\)"):
            call("xy", hooks=[back_to_the_start])
    assert model.stats.passes == before
