"""`oc.bounds`: what it proves, against enumeration on the same logits; and what it says where it proves nothing."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import Any

import pytest
import torch
from engines import PlainModel, Shaken
from hashed_model import HashedModel
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model, toy_tokenizer

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.scores import best_first
from outlines_cont.scores.bounds import BoundedLaw

draw = oc.samplers.multinomial
WORDS = ["a", "ab", "abc", "bc", "abca", "12", "1", "121", "ca", "c"]  # most have several spellings
PATTERNS = ["[ab]{1,3}c?", "(ab|c)(12?)?", "a{0,4}", "(a|b|ab|bc)1|[abc]{2}"]
CITIES = ["Lisbon", "Lima", "Rome", "Oslo", "Bern", "Berlin", "Paris"]


@lru_cache
def hashed(seed: int) -> oc.Model:
    return model_of(HashedModel(toy_tokenizer([*"abc12-xyz"]), seed, 64))


def model_of(engine: Any) -> oc.Model:
    return oc.Model(engine)


def enumerated(model: Any, generator: Any, prompt: str) -> dict[str, float]:
    """By definition: every spelling of every text, with its stop, from the logits of whole rows in float64."""
    guide, start = generator.constraint.guide, model.state(prompt).rows[0][0].ids
    size, eos = len(model.vocabulary), list(model.vocabulary.eos)
    masses: defaultdict[str, list[float]] = defaultdict(list)

    def walk(ids: tuple[int, ...], state: Any, mass: float) -> None:
        allowed = unpack(guide.mask(state), size)
        allowed[eos] = False
        text = model.vocabulary.decode(ids).decode(errors="replace")
        if guide.accepting(state) and not allowed.any():
            masses[text].append(mass)
            return
        row = start + ids
        logits = model.logits([oc.stepping.Need(row, (len(row) - 1,))])[0].double().numpy()
        weights = [math.exp(each - logits.max()) for each in logits.tolist()]
        total = math.fsum(weights)
        if guide.accepting(state):
            masses[text].append(mass * math.fsum(w for w, on in zip(weights, allowed, strict=True) if not on) / total)
        for token in allowed.nonzero()[0].tolist():
            if weights[token]:
                walk((*ids, token), guide.advance(state, token), mass * weights[token] / total)

    walk((), guide.initial, 1.0)
    return {text: math.fsum(parts) for text, parts in masses.items()}


def generator_of(model: Any, what: Any, sampler: Any = None, **others: Any) -> Any:
    make: Any = oc.generate.choice if isinstance(what, list) else oc.generate.regex
    return make(model, what, sampler, **others)


def check(law: BoundedLaw, truth: dict[str, float]) -> None:
    """No bound is violated: of the language, of each text by itself and given the language, and of the likeliest."""
    total = math.fsum(truth.values())
    assert law.mass.lower <= total <= law.mass.upper
    for text, mass in truth.items():
        assert law.lower(text) <= mass <= law.upper(text), text
        if total:
            lower, upper = law.conditional(text)
            assert lower <= mass / total * (1 + 1e-15) and mass / total <= upper * (1 + 1e-15), text
    assert {each.text for each in law.top(99).texts} <= truth.keys()
    ranked = sorted(truth, key=lambda text: -truth[text])
    for k in range(1, len(truth) + 2):
        top = law.top(k)
        assert not top.proved or {each.text for each in top.texts} == set(ranked[:k])


languages = st.one_of(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), st.sampled_from(PATTERNS))


@settings(max_examples=40)
@given(languages, st.integers(0, 30), st.integers(1, 3))
def test_no_bound_is_violated_however_far_the_search_has_come(what: Any, seed: int, first: int) -> None:
    model = hashed(seed)
    generator = generator_of(model, what)
    truth = enumerated(model, generator, "xy")
    widths = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("outlines_cont.masses.FIRST", first)  # tokens are listed one by one
        for positions in (1, 2, 5, 12, 10_000):
            law = oc.bounds(generator, "xy", width=1e-30, positions=positions)
            check(law, truth)
            assert law.positions <= positions and law.upper("zz") == law.lower("zz") == 0.0
            widths.append(law.mass.upper - law.mass.lower)
    assert widths == sorted(widths, reverse=True)
    assert law.proved and law.top(len(truth)).proved and law.drift == 0.0
    assert [each.text for each in law.top(99).texts] == sorted(truth, key=lambda text: (-truth[text], text))


@settings(max_examples=20)
@given(languages, st.integers(0, 30), st.sampled_from([0.3, 0.05, 0.01]))
def test_the_width_is_what_was_asked_for(what: Any, seed: int, width: float) -> None:
    generator = generator_of(hashed(seed), what)
    law = oc.bounds(generator, "xy", width)
    assert law.proved and law.width <= width and law.open <= width * law.mass.lower * (1 + 1e-9)
    check(law, enumerated(hashed(seed), generator, "xy"))


def test_texts_of_the_shipped_model() -> None:
    """In float32, with a KV tree: to rounding."""
    model = oc.load()
    for what in ([f" {city}" for city in CITIES], " ?[0-9]{1,2}", "( blue| bl[a-z])?"):
        generator = generator_of(model, what)
        truth = enumerated(model, generator, "Mira lives in")
        law = oc.bounds(generator, "Mira lives in", 1e-4)
        assert law.proved and law.drift < 1e-4
        assert law.mass.lower == pytest.approx(math.fsum(truth.values()), rel=2e-4)
        for text, mass in truth.items():
            assert law.upper(text) >= mass * (1 - 1e-4) and law.lower(text) <= mass * (1 + 1e-4)


def test_many_samples_and_the_posterior_agree() -> None:
    for seed, options in enumerate([["a", "ab", "abc", "abca"], ["12", "1", "121"], ["ca", "abc", "bc"]]):
        model = small_model(seed)
        generator = generator_of(model, options, draw(samples=3000), forced="never")
        law, state = oc.bounds(generator, "xy", 1e-6), oc.continuous(generator)("xy", seed=3)
        [posterior] = state.particles.posterior()
        for text in options:
            assert posterior[text] == pytest.approx(law.conditional(text).lower, abs=0.05)
        assert state.particles.log_evidence.exp().item() == pytest.approx(law.mass.lower, rel=0.2)


@pytest.mark.parametrize(
    "how", [{"temperature": 0.6}, {"top_k": 2}, {"top_p": 0.8, "temperature": 1.3}, {"min_p": 0.3}]
)
def test_filters_and_temperature_give_the_law_of_the_sampler(how: dict[str, Any]) -> None:
    """Chi-square of draws; and the masses of all texts sum to 1."""
    model, count = small_model(1), 2000
    generator = generator_of(model, ["a", "ab", "abc", "12", "1", "ca"], draw(samples=count, **how), forced="never")
    law = oc.bounds(generator, "xy", 1e-5)
    assert law.of_sampler and law.mass == pytest.approx((1, 1), abs=1e-5) and law.proved
    drawn = Counter(text[2:] for text in oc.continuous(generator)("xy", seed=5))
    assert all(law.upper(text) > 0 for text in drawn)
    expected = {each.text: count * each.lower for each in law.top(9).texts}
    chi = math.fsum((drawn[text] - mean) ** 2 / mean for text, mean in expected.items() if mean >= 5)
    assert chi < 25


def test_under_exact_samples_the_law_is_that_of_the_model_at_their_temperature() -> None:
    model, count = small_model(1), 1500
    for temperature in (1.0, 0.7):
        sampler = oc.samplers.exact(samples=count, temperature=temperature)
        generator = generator_of(model, ["a", "ab", "abc", "12", "1", "ca"], sampler)
        law = oc.bounds(generator, "xy", 1e-5)
        drawn = Counter(text[2:] for text in oc.continuous(generator)("xy", seed=5))
        assert law.mass.upper < 0.9 and law.of_sampler == (temperature != 1)
        for text, times in drawn.items():
            assert times / count == pytest.approx(law.conditional(text).lower, abs=0.05), text


@pytest.mark.parametrize("sampler", [draw(), draw(temperature=0.5), draw(top_k=2)], ids=repr)
def test_choices_by_sequence_agree(sampler: Any) -> None:
    """Their law has one spelling of each option: what is proved of all spellings is no less."""
    options = ["a", "ab", "abc", "12", "1", ""]
    for seed in range(3):
        model = toy_model(seed)
        generator = generator_of(model, options, sampler, by="sequence")
        law = oc.bounds(generator, "xy")
        assert law.proved and law.open == 0 and law.drift < 1e-4 and law.upper("zz") == 0
        warped = generator.probabilities("xy")[0, 0].log()[None]
        shares = torch.softmax(_warped(sampler, warped), -1)[0]
        for option, share in zip(options, shares.tolist(), strict=True):
            assert law.conditional(option) == pytest.approx((share, share), abs=1e-6)
        if not law.of_sampler:
            every = oc.bounds(generator_of(model, options), "xy", 1e-6)
            assert all(law.lower(option) <= every.upper(option) * (1 + 1e-4) for option in options)


def _warped(sampler: Any, scores: torch.Tensor) -> torch.Tensor:
    scores = scores / sampler.temperature
    if sampler.top_k:
        scores[scores < scores.topk(sampler.top_k).values[:, -1:]] = -math.inf
    return scores


def test_prompts_are_bounded_together_and_each_as_alone() -> None:
    model = hashed(3)
    generator = generator_of(model, "[ab]{1,3}c?")
    prompts = ["xy", "a", "12"]
    together = oc.bounds(generator, prompts, positions=20)
    for law, prompt in zip(together, prompts, strict=True):
        alone = oc.bounds(generator, prompt, positions=20)
        assert (repr(law), law.mass, law.top(9)) == (repr(alone), alone.mass, alone.top(9))
    state = oc.continuous(generator_of(model, "[xy]", draw(samples=2)))(["xy", "ab"], seed=1)
    nested = oc.bounds(generator, state, positions=20)
    assert [len(laws) for laws in nested] == [2, 2]
    assert nested[1][0].mass == oc.bounds(generator, state[1, 0, :], positions=20).mass
    passes = [0]
    small = small_model()
    small.stats.reset()
    oc.bounds(generator_of(small, "[ab]{3}"), ["xy", "a"], positions=17)
    passes[0] = small.stats.passes
    assert passes[0] <= 4 + 2, "a pass for both; and one of each alone"


def test_what_is_healed_is_no_part_of_a_text() -> None:
    model = oc.load()
    generator = oc.generate.choice(model, CITIES)
    law = oc.bounds(generator, "Mira lives in ", 1e-4)
    assert {each.text for each in law.top(9).texts} == {*CITIES} and law.proved
    step = oc.continuous(oc.generate.choice(model, CITIES, draw(samples=2000), forced="never"), name="city")
    counts = Counter(values[0] for values in step("Mira lives in ", seed=1).captures["city"][0])
    [posterior] = step("Mira lives in ", seed=1).particles.posterior()
    assert len(counts) == len(CITIES)
    for city in CITIES:
        assert posterior[city] == pytest.approx(law.conditional(city).lower, abs=0.06)


def test_texts_that_end_at_a_string_and_those_that_are_cut() -> None:
    model = small_model(2)
    generator = oc.generate.text(model, draw(samples=3000))
    for most in (2, 1):
        step = oc.continuous(generator, stop_at=["c", "12"], name="t", max_tokens=most)
        law = oc.bounds(step, "xy", 1e-6)
        drawn = Counter(text[2:] for text in step("xy", seed=1))
        assert law.proved and law.mass.lower == pytest.approx(1, abs=1e-5)
        assert max(map(len, drawn)) <= 6 and all(law.upper(text) > 0 for text in drawn)
        for text, count in drawn.most_common(6):
            assert count / 3000 == pytest.approx(law.lower(text), abs=0.04), text
            assert law.lower(text) <= law.upper(text) <= law.lower(text) + 1e-5


def test_banned_texts_are_none_and_what_bans_them_makes_no_end_likelier() -> None:
    model = hashed(5)
    plain, banned = (
        generator_of(model, "[ab]{1,3}", oc.samplers.multinomial(filters=filters))
        for filters in ([], [oc.filters.bad_words(["bb"])])
    )
    truth = enumerated(model, plain, "xy")
    law = oc.bounds(banned, "xy", 1e-9)
    assert law.proved and law.upper("abb") == 0
    assert law.lower("ab") == pytest.approx(truth["ab"]) and law.lower("aba") == pytest.approx(truth["aba"])


def test_what_is_not_proved_is_said() -> None:
    model = oc.load()
    law = oc.bounds(oc.generate.regex(model, "([a-z]+ ){30}end"), "Mira is ", positions=40)
    assert not law.proved and not law.top(1).proved and law.mass.lower == 0 and law.open > 0
    assert law.width == math.inf and "not reached" in repr(law) and "40 positions" in repr(law)
    assert law.conditional("x " * 30 + "end").lower == 0 and law.mass.upper >= law.open
    law = oc.bounds(oc.generate.text(model), "Mira is ", seconds=1e-9)
    assert law.positions == 0 and law.mass.upper == 1 and law.upper("a friend") == 1
    assert oc.bounds(oc.generate.regex(model, "[ab]{200}"), "Mira is ", positions=2000, seconds=20).mass.upper > 0


def test_logits_that_move_are_said() -> None:
    model = small_model(1)
    for error, moves in ((1e-4, False), (0.5, True)):
        law = oc.bounds(generator_of(model_of(Shaken(model, error, 0)), WORDS), "xy")
        assert (law.drift > 0.01) == moves == (not law.proved) == ("the logits move" in repr(law))
    assert oc.bounds(generator_of(model_of(PlainModel(model)), WORDS), "xy").drift < 1e-6
    assert oc.bounds(generator_of(model, WORDS, by="sequence"), "xy").drift < 1e-6


class Impossible(HashedModel):
    """It never writes a."""

    def _law(self, ids: tuple[int, ...]) -> Any:
        logits = super()._law(ids).copy()
        logits[[i for i, token in enumerate(self.vocabulary.tokens) if b"a" in token]] = -math.inf
        return logits


@pytest.mark.parametrize("sampler", [draw(), draw(temperature=0.5)], ids=repr)
def test_a_language_of_mass_0(sampler: Any) -> None:
    model = model_of(Impossible(toy_tokenizer([*"abc12-xyz"]), 0, 64))
    law = oc.bounds(generator_of(model, ["a", "ab"], sampler), "xy")
    assert law.mass == (0, 0) and law.open == 0 and law.proved and law.width == 0 and law.top() == ((), True)
    assert law.upper("a") == 0
    with pytest.raises(ValueError, match="probability 0 to every text"):
        law.conditional("a")
    assert law.html() and oc.bounds(generator_of(model, ["a", "b"], sampler), "xy").conditional("b").upper > 0


def test_nothing_is_held_afterwards_and_the_prompt_is_read_once() -> None:
    model = oc.load()
    state = model.state("Mira lives in the town of Lisbon. She is a")
    generator = generator_of(model, [" painter", " sailor", " baker"])
    law = oc.bounds(generator, state)
    assert law.positions < 40 and law.proved
    del state
    assert model.stats.kv_bytes == 0
    assert law.lower(" painter") > 0


def refused(model: Any) -> list[tuple[Any, dict[str, Any], type[Exception], str]]:
    choice = oc.generate.choice(model, ["a", "ab"])
    step = oc.continuous(choice)
    return [
        (choice, {"width": 0}, ValueError, "width=0"),
        (choice, {"width": -0.5}, ValueError, "width=-0.5"),
        (choice, {"width": math.nan}, ValueError, "width=nan"),
        (choice, {"width": "1%"}, ValueError, "width='1%'"),
        (choice, {"positions": 0}, ValueError, "positions=0"),
        (choice, {"positions": -3}, ValueError, "positions=-3"),
        (choice, {"positions": 2.5}, TypeError, "positions=2.5"),
        (choice, {"seconds": 0}, ValueError, "seconds=0"),
        (choice, {"depth": 3}, TypeError, "no option 'depth'"),
        (step >> " " >> step, {}, TypeError, "chain.steps"),
        ("a|b", {}, TypeError, "a generator or a step"),
        (oc.generate.control(model, lambda row: []), {}, TypeError, "controller"),
        (oc.generate.choice(model, ["a"], where=lambda text, done: True), {}, TypeError, "where="),
        (oc.generate.choice(model, ["a"], draw(filters=[oc.filters.min_tokens(2)])), {}, TypeError, "filters"),
        (oc.generate.choice(model, ["a"], by="sequence", normalize="mean"), {}, TypeError, "normalize='mean'"),
    ]


def test_bad_input_is_named() -> None:
    model = small_model()
    for generator, options, kind, words in refused(model):
        with pytest.raises(kind, match=words.replace("(", r"\(")):
            oc.bounds(generator, "xy", **options)
    law = oc.bounds(generator_of(model, ["a", "ab"]), "xy")
    for call, kind in [
        (lambda: law.top(0), ValueError),
        (lambda: law.top("a"), TypeError),
        (lambda: law.lower(b"a"), TypeError),
        (lambda: law.tree(0), ValueError),
    ]:
        with pytest.raises(kind):
            call()
    with pytest.raises(ValueError, match="context"):
        oc.bounds(generator_of(model, ["a"]), "xy" * 100)
    beside = oc.continuous(oc.generate.text(model))("xy", max_tokens=2, beside=[("a", 1.0)])
    with pytest.raises(TypeError, match="beside="):
        oc.bounds(generator_of(model, ["a"]), beside)
    nan = model_of(Shaken(model, math.nan, 0))
    with pytest.raises(ValueError, match="NaN"):
        oc.bounds(generator_of(nan, ["a"]), "xy")


def test_pictures_show_intervals_and_what_is_open() -> None:
    model = oc.load()
    law = oc.bounds(oc.generate.choice(model, [*CITIES, "<b>&"]), "Mira lives in ", 0.05)
    bars, tree = law.html(), law.tree()
    assert law._repr_html_()[:4] == "<svg" and "Lisbon" in bars and "of the language" in bars
    assert "<b>" not in bars and "at most" in bars and "Lisbon" in tree
    wide = oc.bounds(oc.generate.regex(model, "[a-z ]+"), "Mira is ", positions=60)
    assert "open" in wide.tree() and "not looked into" in wide.tree()
    for share in (0.001, 0.02, 0.1):
        drawn = re.findall(r'x="([\d.]+)"[^<>]*>([^<>]*?) ?open ([\d.]+)%</text>', wide.tree(share))
        first = min(float(x) for x, _, _ in drawn)
        assert [text for x, text, _ in drawn if float(x) == first].count("") == 1, "of all beginnings not shown, once"
        opened = sum(float(percent) for _, _, percent in drawn)
        assert opened == pytest.approx(100 * wide.open / wide.mass.upper, rel=0.02)
    with pytest.raises(TypeError, match="by sequence"):
        oc.bounds(oc.generate.choice(model, CITIES, by="sequence"), "Mira lives in ").tree()


def test_a_search_reads_several_prefixes_in_a_pass() -> None:
    model = hashed(1)
    law = oc.bounds(generator_of(model, "[abc12]{4}"), "xy", 1e-9, positions=100)
    assert law.positions == 100 and law.passes <= 100 / best_first.AT_ONCE + 6


class Recorded(Shaken):
    """A model that notes which rows each of its passes reads."""

    def __init__(self, model: Any):
        super().__init__(model, 0.0, 0)
        self.reads: list[list[tuple[int, ...]]] = []

    def read(self, needs: Any) -> Any:
        self.reads.append([need.tokens[: at + 1] for need in needs for at in need.wanted])
        return super().read(needs)


@settings(max_examples=40)
@given(
    what=st.sampled_from([*PATTERNS, WORDS]),
    seed=st.integers(0, 5),
    width=st.sampled_from([0.5, 0.05, 1e-3, 1e-9]),
    positions=st.sampled_from([1, 5, 20, 4096]),
)
def test_the_likeliest_text_is_read_twice_in_other_passes_and_in_one_more_at_most(
    what: Any, seed: int, width: float, positions: int
) -> None:
    engine = Recorded(hashed(seed))
    laws = oc.bounds(generator_of(model_of(engine), what), ["xy", "ab", "c"], width, positions=positions)
    assert len(engine.reads) <= max(law.passes for law in laws) + 1
    assert all(len({*rows}) == len(rows) for rows in engine.reads)
    for law in laws:
        search = law._search
        for node in search.way():
            row = search.masses.ids + node.ids
            assert sum(row in rows for rows in engine.reads) == 2
        assert law.drift == 0 and law.positions <= positions


@settings(max_examples=60)
@given(what=st.sampled_from([*PATTERNS, WORDS]), seed=st.integers(0, 9), width=st.sampled_from([0.5, 0.05, 1e-3, 1e-9]))
def test_nothing_is_read_once_the_width_is_proved(what: Any, seed: int, width: float) -> None:
    """Before each pass all ends are taken for found that the guide tells: what is open is more than was asked for."""
    model, asked = hashed(seed), 0
    read_together = best_first.read_together

    def watched(parts: Any, again: Any) -> Any:
        nonlocal asked
        for masses, nodes in parts:
            if nodes and masses.positions:
                asked += 1
                ends, opened, waiting = list[float](), list[float](), [masses.root]
                for node in waiting:
                    mass = math.exp(node.log_mass)
                    if node.is_read:
                        ends.append(mass * node.stop)
                        opened.append(mass * node.others)
                        waiting += (masses.child(node, place) for place in range(len(node.tokens)))
                    else:
                        opened.append(mass)
                assert math.fsum(opened) > width * math.fsum(ends) * (1 - 1e-9)
        return read_together(parts, again)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_first, "read_together", watched)
        patch.setattr(best_first, "AT_ONCE", 1000)
        assert oc.bounds(generator_of(model, what), "xy", width).proved and (asked or width > 1e-9)
