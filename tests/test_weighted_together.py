"""Predicates (`where=`) under laws that are combined of several contexts (`beside=`); both with drafts,
grafts, batches and files.

Expectations are exact: all draws are enumerated, and the laws are combined by hand from fresh forwards.
"""

from __future__ import annotations

import gc
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from test_combined import Read, densities, enumerated, ids_of, law_after
from test_generation import small_model, toy_model
from test_reading_ahead import Guesses, eager
from test_where import every_run

import outlines_cont as oc
from outlines_cont.decode.where import Where

GREEDY, draw, smc, beams = oc.samplers.greedy(), oc.samplers.multinomial, oc.samplers.smc, oc.samplers.beam_search
LANGUAGES = [["ab", "abc", "a"], ["12a", "12"], ["cab-"]]  # the later ones begin with forced runs


def hard(text: str, done: bool) -> bool:
    """Refuses what begins with "abc", and "a" as a whole value."""
    return not text.startswith("abc") and not (done and text == "a")


def soft(text: str, done: bool) -> float:
    return -math.inf if done and text == "ab" else 0.7 * len(text) - 0.4 * done


PREDICATES: dict[str, tuple[Callable[[str, bool], Any], Callable[[str], float]]] = {
    "hard": (hard, lambda text: 0.0),
    "soft": (soft, lambda text: soft(text, True)),
}


@cache
def models() -> tuple[oc.Model, oc.Model]:
    return small_model(0), small_model(1)


def contexts(own: float = 1.0) -> tuple[list[Read], list[Any]]:
    """By hand, and as a call takes them: "xy", one more of the same model, and one of another."""
    model, other = models()
    by_hand = [(model, ids_of(model, "xy"), own), (model, ids_of(model, "ca-"), 0.5), (other, ids_of(other, "b"), -0.3)]
    return by_hand, [("ca-", 0.5), (other.state("b"), -0.3)]


def summed(by_hand: Sequence[Read], ids: tuple[int, ...], strings: Sequence[str]) -> tuple[float, float]:
    """Of one spelling of one string, its stop included: Σ of the first context's log-probabilities, and of the
    densities."""
    model, head, _ = by_hand[0]
    tokens, text, sums = model.vocabulary.tokens, "", [0.0, 0.0]
    for place in range(len(ids) + 1):
        longer = [text + token.decode() for token in tokens]
        going = [t for t in range(1, len(tokens)) if any(each.startswith(longer[t]) for each in strings)]
        if place == len(ids) and not going:
            break
        laws = law_after(model, head + ids[:place]), densities(by_hand, ids[:place])
        if place == len(ids):
            elsewhere = [t for t in range(len(tokens)) if t not in going]
            sums = [a + law[elsewhere].logsumexp(-1).item() for a, law in zip(sums, laws, strict=True)]
        else:
            sums = [a + law[ids[place]].item() for a, law in zip(sums, laws, strict=True)]
            text += tokens[ids[place]].decode()
    return sums[0], sums[1]


def target(row: Any, by_hand: Sequence[Read], product: bool, languages: Sequence[Sequence[str]]) -> float:
    """The log-weight that a row is to have in expectation, without potentials: by its own law, or by the product."""
    head, total = len(by_hand[0][1]), 0.0
    generated = [(start, end) for start, end, piece in row.placed if piece.kind == "generated"]
    for (start, end), strings in zip(generated, languages, strict=True):
        here = [(model, ids + row.ids[head:start], weight) for model, ids, weight in by_hand]
        total += summed(here, row.ids[start:end], strings)[1 if product else 0]
    return total


def check(
    run: Callable[[], oc.SequenceState],
    monkeypatch: pytest.MonkeyPatch,
    right: Callable[[Any, str], float],
) -> set[str]:
    """Each row that may come has the weight, in expectation, that is right for it. The texts of these rows."""
    sums: dict[tuple[int, ...], float] = defaultdict(float)
    expected: dict[tuple[int, ...], float] = {}
    texts, total = set[str](), 0.0
    for share, state in every_run(run, monkeypatch):
        total += share
        [[row]] = state.rows
        if not row.dead:
            texts.add(text := str(state)[len("xy") :])
            sums[row.ids] += share * math.exp(row.log_importance)
            expected[row.ids] = right(row, text)
    assert total == pytest.approx(1, rel=1e-9)
    assert sums == pytest.approx({ids: math.exp(value) for ids, value in expected.items()}, rel=2e-3)
    return texts


SAMPLERS = {"draw": draw(), "warm": draw(temperature=1.7), "smc": smc(1)}
CASES = [  # each two values come together once
    ("hard", False, "draw", "never"),
    ("soft", True, "draw", "canonical"),
    ("hard", True, "warm", "canonical"),
    ("soft", False, "warm", "never"),
    ("soft", True, "smc", "never"),
    ("hard", False, "smc", "never"),
]


@pytest.mark.parametrize(("kind", "product", "sampler", "forced"), CASES)
def test_predicates_under_combined_laws_are_right_in_expectation(
    kind: str, product: bool, sampler: str, forced: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, potential = PREDICATES[kind]
    by_hand, beside = contexts()
    for options in LANGUAGES[:1] if sampler == "smc" else LANGUAGES:
        by = SAMPLERS[sampler]
        step = oc.continuous(oc.generate.choice(models()[0], options, by, forced=forced, where=where))
        texts = check(
            lambda step=step: step("xy", seed=0, beside=oc.Mix(beside, product=product)),
            monkeypatch,
            lambda row, text, options=options: target(row, by_hand, product, [options]) + potential(text),
        )
        assert texts == {text for text in options if where(text, True) not in (False, -math.inf)}


@pytest.mark.parametrize("product", [False, True])
def test_chains_of_predicates_under_combined_laws(product: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each link has a predicate of its own; the texts between them go to all contexts."""
    (model, _), (by_hand, beside) = models(), contexts(own=0.8)
    languages = [["a", "ab"], ["1", "2"]]
    letters = oc.generate.choice(model, languages[0], forced="never", where=lambda text, done: 0.5 * len(text))
    digits = oc.generate.choice(model, languages[1], forced="never", where=lambda text, done: text != "1")
    chain = oc.continuous(letters) >> "-" >> oc.continuous(digits)
    texts = check(
        lambda: chain("xy", seed=0, beside=oc.Mix(beside, own=0.8, product=product)),
        monkeypatch,
        lambda row, text: target(row, by_hand, product, languages) + 0.5 * len(text.split("-")[0]),
    )
    assert texts == {"a-2", "ab-2"}


@pytest.mark.parametrize("product", [False, True])
def test_particles_under_both_estimate_the_evidence(product: bool) -> None:
    (model, _), (by_hand, beside) = models(), contexts()
    step = oc.generate.choice(model, ["ab", "abc", "a", "12"], smc(4), where=hard)
    states = [step.run("xy", seed=seed, beside=oc.Mix(beside, product=product)) for seed in range(60)]
    values = [state.particles.log_importance.exp().mean().item() for state in states]
    paths = enumerated(by_hand, ["ab", "abc", "a", "12"])
    legal = [sums for ids, sums in paths.items() if model.vocabulary.decode(ids) in (b"ab", b"12")]
    evidence = math.fsum(math.exp(sums[1 if product else 0]) for sums in legal)
    assert abs(np.mean(values) - evidence) < 4 * np.std(values) / math.sqrt(len(values))


# --- drafts


@pytest.mark.parametrize("sampler", [GREEDY, draw(samples=3), smc(3), beams(2)], ids=repr)
def test_drafts_change_nothing_of_what_a_predicate_lets_come(sampler: Any) -> None:
    model = toy_model()

    def few_letters(text: str, done: bool) -> bool:
        return text.count("a") <= 1 and not text.startswith("b")

    step = oc.continuous(oc.generate.regex(model, "[abc12]{6}", sampler, where=few_letters))
    plain = step(["xy", "ca-"], seed=4)
    guesses = Guesses("tree", [row.ids for group in plain.rows for row in group], len(model.vocabulary), 0)
    with eager():
        drafted = step(["xy", "ca-"], seed=4, draft=guesses)
    assert drafted == plain and guesses.asked and guesses.accepted
    assert torch.allclose(drafted.particles.log_importance, plain.particles.log_importance, atol=1e-4)


def test_drafts_beside_contexts_are_refused_by_name() -> None:
    model = models()[0]
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", draw(samples=2)))
    beside, warm = step("xy", seed=0, beside=[("b", 0.5)]), step("xy", seed=0, beside=oc.Mix.proposal(2.0))
    drafted = oc.continuous(oc.generate.regex(model, "[abc]{4}", draw(samples=2)), draft=oc.drafts.lookup())
    model.stats.reset()
    for call, message in (
        (lambda: step("xy", draft=oc.drafts.lookup(), beside=[("b", 0.5)]), "draft= or beside="),
        (lambda: step("xy", draft=oc.drafts.lookup(), beside=oc.Mix.proposal("b")), "draft= or beside="),
        (lambda: step(beside, draft=oc.drafts.lookup()), "state.beside"),
        (lambda: step(warm, draft=oc.drafts.lookup()), "state.beside"),
        (lambda: drafted(beside), "state.beside"),
        (lambda: drafted("xy", beside=[("b", 0.5)]), r"draft=.*beside="),
        (lambda: ("-" >> drafted >> "x")("xy", beside=oc.Mix.proposal(0.5)), r"draft=.*beside="),
        (lambda: step.resume(beside[..., :-1], draft=oc.drafts.lookup()), "state.beside"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            call()
    assert model.stats.passes == 0
    assert step(beside, draft=oc.drafts.lookup(), beside=[], seed=1) == step(beside, beside=[], seed=1)


# --- grafts


def test_combined_laws_refuse_grafts() -> None:
    """A graft's law is approximate, and nothing would tell that of what it is combined to."""
    model = oc.load()
    graft = oc.grafts.graft(
        model.state("Look up.\n").kv.prefill(), model.state(" The snow is white. The sea is").kv.prefill()
    )
    step = oc.continuous(oc.generate.choice(model, [" blue", " white"], draw(samples=2)))
    before = model.stats.passes
    for call, name in (
        (lambda: step("The sky is", beside=[("The sea is", 1.0), (graft, 0.5)]), r"beside\[1\] reads a graft"),
        (lambda: step("The sky is", beside=oc.Mix.proposal(graft)), "proposal reads a graft"),
        (lambda: step(graft, beside=[("The sea is", 1.0)]), "the state that the call goes on from reads a graft"),
        (lambda: step(graft, beside=oc.Mix.proposal(2.0)), "the state that the call goes on from reads a graft"),
        (lambda: step.generator.begin(graft, beside=[("The sea is", 1.0)]), "reads a graft"),
        (lambda: ("-" >> step)("The sky is", beside=[(graft, 1.0)]), "reads a graft"),
    ):
        with pytest.raises(ValueError, match=name):
            call()
    assert model.stats.passes == before
    exact = step("The sky is", seed=0, beside=[(graft.kv.drop(), 0.5)])
    assert exact.kv.logprobs_exact.all() and not exact.particles.log_importance.isnan().any()
    assert step(graft, seed=0, beside=[]) == step(graft, seed=0)
    with pytest.warns(UserWarning, match="drops the contexts"):
        joined = oc.grafts.graft(exact, graft.kv.drop().fork(2))
    assert joined.beside == ()


# --- batches, files, strictness, errors


def test_rows_under_both_do_not_depend_on_others() -> None:
    """Law 9: a row draws what it draws alone, whoever goes on with it, and whose contexts stand there."""
    _, other = models()
    for sampler in (GREEDY, draw(samples=3), smc(3), beams(2)):
        step = oc.continuous(oc.generate.regex(models()[0], "[abc12]{3}", sampler, where=hard))
        start = models()[0].state(["xy", "12", "ca-"])
        whole = step(start, seed=6, beside=oc.Mix([(["b", "-", "x"], 0.5), (other.state("b"), -0.3)], product=True))
        for i, context in enumerate(["b", "-", "x"]):
            alone = step(
                start[[i], :, :], seed=6, beside=oc.Mix([(context, 0.5), (other.state("b"), -0.3)], product=True)
            )
            assert alone == whole[[i], :, :]
            assert torch.allclose(alone.particles.log_importance, whole[[i], :, :].particles.log_importance, atol=1e-3)


def weighing(text: str, done: bool) -> float:
    return -math.inf if text.startswith("a") else -2.0 * len(text)


@pytest.mark.parametrize("options", [{}, {"beside": oc.Mix([("ca-", 0.5)], product=True)}], ids=["alone", "beside"])
def test_weighted_states_are_loaded_as_they_were(options: dict[str, Any], tmp_path: Path) -> None:
    """What stands for the law drawn from has no bound, of tokens and of stops; what is loaded goes on with it."""
    model = models()[0]
    for language in ("[abc]{4}", "[ab]?", "12"):
        step = oc.continuous(oc.generate.regex(model, language, draw(samples=6), where=weighing))
        state = step("xy", seed=3, **options)
        state.save(tmp_path / "state.safetensors")
        for loaded in (
            oc.load_state(tmp_path / "state.safetensors", model),
            oc.storage.from_bytes(oc.storage.to_bytes(state), model),
        ):
            assert loaded.identical(state)
            assert torch.equal(loaded.particles.log_importance, state.particles.log_importance)
            assert [other.tolist() for other, _ in loaded.beside] == [other.tolist() for other, _ in state.beside]
        if language == "[abc]{4}":
            assert state.proposal_logprobs.max() > 1
            assert step.resume(loaded[..., :-1], seed=3) == state


def test_strict_states_keep_their_contexts_or_refuse() -> None:
    model = models()[0]
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", draw(samples=2), where=hard))
    with oc.stepping.strict_kv():
        state = step("xy", seed=3, beside=[("ca-", 0.5)])
        assert step.resume(state[..., :-2], seed=3) == state
        assert step(state + "-", seed=1).beside
        for lost in (lambda: state[..., 1:], lambda: state + state, lambda: oc.grafts.graft(state, state)):
            with pytest.raises(oc.errors.SlicingError):
                lost()


def test_nothing_is_kept_of_failed_and_dead_rows_beside_contexts() -> None:
    """Keys and values of rows and contexts go with the last state that has them."""
    model = small_model(8)
    asked: list[str] = []

    def fails(text: str, done: bool) -> bool:
        asked.append(text)
        if text.startswith("b"):
            raise ZeroDivisionError(text)
        return not text.startswith("a")

    step = oc.continuous(oc.generate.regex(model, "[abc]{2}", draw(samples=4), where=fails))
    state = step(["xy", "12"], seed=0, beside=[("ca-b-1", 0.5)], errors="return")
    errors = [type(error) for group in state.errors for error in group if error is not None]
    assert asked and errors and set(errors) == {ZeroDivisionError}
    assert any(not row.dead for group in state.rows for row in group)
    assert model.stats.kv_bytes > 0
    del state
    gc.collect()
    assert model.stats.kv_bytes == 0
    with pytest.raises(ZeroDivisionError):
        step("xy", seed=0, beside=[("ca-b-1", 0.5)])
    gc.collect()
    assert model.stats.kv_bytes == 0


BAD: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: oc.Mix.proposal(np.float32(-1.0)), ValueError, "as a temperature"),  # type: ignore[arg-type]
    (lambda: oc.Mix.proposal(np.int64(0)), ValueError, "as a temperature"),  # type: ignore[arg-type]
    (lambda: oc.Mix.proposal(1e-320), ValueError, "as a temperature"),
    (lambda: oc.Mix.proposal(True), TypeError, "proposal=True: a prompt is"),
    (lambda: [("a", 1e39)], ValueError, r"the weight of beside\[0\] is 1e\+39: it must be a finite number"),
    (lambda: oc.Mix([("a", 1.0)], own=-1e39), ValueError, "own is -1e"),
    (lambda: [(["a", "b"], 1.0)], ValueError, "2 batch rows beside a state of 1: it takes 1$"),
    (lambda: oc.Mix([], own=2.0), ValueError, r"oc\.Mix\(state\.beside, own=…\)"),
]


@pytest.mark.parametrize(("beside", "kind", "message"), BAD, ids=[message for *_, message in BAD])
def test_weights_and_temperatures_that_are_none_are_named(
    beside: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    model = models()[0]
    step = oc.continuous(oc.generate.regex(model, "[ab]{3}", GREEDY))
    model.stats.reset()
    with pytest.raises(kind, match=message):
        step("xy", beside=beside())
    assert model.stats.passes == 0


def test_other_weights_for_contexts_that_a_state_carries() -> None:
    step = oc.continuous(oc.generate.regex(models()[0], "[ab]{3}", GREEDY))
    state = step("xy", beside=[("ca-", 0.5)])
    again = step(state, beside=oc.Mix(state.beside, own=2.0))
    by_hand = step(models()[0].state(list(state.rows[0][0].ids)), beside=oc.Mix([(state.beside[0][0], 0.5)], own=2.0))
    [[ours]], [[theirs]] = again.rows, by_hand.rows
    start = ours.spans[-1].start
    assert ours.ids == theirs.ids
    assert ours.proposals[start:] == pytest.approx(theirs.proposals[start:], abs=1e-4)


def test_maps_say_why_they_take_no_contexts() -> None:
    step = oc.continuous(oc.generate.regex(models()[0], "[ab]{3}", GREEDY))
    beside: Any
    for beside in ([("b", 1.0)], oc.Mix.proposal(2.0)):
        with pytest.raises(TypeError, match=r"a job is written down.*step\(prompts, beside="):
            oc.map(step, ["xy"], seed=0, beside=beside)


def test_a_potential_of_what_was_refused_is_never_subtracted() -> None:
    """A predicate that accepts what it refused a moment ago is named, also where its answer has been forgotten."""
    where = Where(lambda text, done: text != "a")
    assert where.change("", "ab", False) == 0.0
    with pytest.raises(oc.errors.ConstraintError, match=r"refuses 'a' \(done=False\) and accepts 'ab'"):
        where.change("a", "ab", False)
