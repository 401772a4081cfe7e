"""`oc.samplers.exact`: the law of what it draws, against brute force over all spellings; who depends on whom; and what
it says where it gives up."""

from __future__ import annotations

import asyncio
import gc
import math
import signal
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import Any, cast

import numpy as np
import pytest
import torch
from cases import pairs
from hashed_model import HashedModel
from rejection_reference import CarsReference, RejectionReference, chi_square
from test_generation import LANGUAGES, random_model, small_model, spanned, toy_model, toy_tokenizer
from test_where import oracle

import outlines_cont as oc
from outlines_cont import masses as masses_module
from outlines_cont import races
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.kv.needs import Need

exact = oc.samplers.exact
DRAWS = 800
RARE = 1e-4  # the seeds are fixed: what passes once passes always
Law = dict[tuple[int, ...], float]


@cache
def next_law(model: oc.Model, ids: tuple[int, ...], temperature: float = 1.0) -> torch.Tensor:
    logits = model.logits([Need(ids, (len(ids) - 1,))])[0].double()
    return torch.softmax(logits / temperature, -1)


def law_of(model: oc.Model, prompt: tuple[int, ...], strings: list[str], temperature: float = 1.0) -> Law:
    """Every way to spell one of the strings and stop, by brute force: ids → probability, not normalised."""
    tokens, special, goals = model.vocabulary.tokens, model.vocabulary.special, [each.encode() for each in strings]
    law: Law = {}

    def walk(ids: tuple[int, ...], text: bytes, p: float) -> None:
        going = [
            token
            for token, piece in enumerate(tokens)
            if piece and token not in special and any(goal.startswith(text + piece) for goal in goals)
        ]
        if not going:
            law[ids] = p
            return
        after = next_law(model, prompt + ids, temperature)
        if text in goals:
            others = torch.ones(len(tokens), dtype=torch.bool)
            others[going] = False
            law[ids] = p * after[others].sum().item()
        for token in going:
            walk((*ids, token), text + tokens[token], p * after[token].item())

    walk((), b"", 1.0)
    return law


def check_law(samples: list[Any], law: dict[Any, float]) -> None:
    total, counts = math.fsum(law.values()), Counter(samples)
    assert counts.keys() <= law.keys()
    assert chi_square([counts[each] for each in law], [p / total for p in law.values()]) > RARE


def prompt_ids(model: oc.Model, prompt: str = "xy") -> tuple[int, ...]:
    return model.state(prompt).rows[0][0].ids


# --- the law


@pairs("options, first", LANGUAGES, [1, 1024], strength=1)
def test_texts_come_as_often_as_the_model_writes_them(
    options: list[str], first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every spelling, however few tokens of a prefix are listed at first; and the bound is at least the truth."""
    monkeypatch.setattr(masses_module, "FIRST", first)
    model = oc.Model(toy_model().hf, toy_model().tokenizer)
    law = law_of(model, prompt_ids(model), options)
    state = oc.continuous(oc.generate.choice(model, options, exact(DRAWS)))("xy", seed=first)
    check_law(spanned(state), law)
    assert state.particles.log_importance.abs().max() < 1e-9
    assert state.rescore().weights == pytest.approx(state.weights, abs=1e-4)
    evidence = state.particles.log_evidence.exp().item()
    assert math.fsum(law.values()) * (1 - 1e-6) <= evidence <= 1
    assert evidence < 2 * math.fsum(law.values()) + 1e-3, "nearly all that matters was read"


def texts_of(count: int) -> list[str]:
    """All texts over two letters of so many."""
    return [format(n, f"0{count}b").replace("0", "a").replace("1", "b") for n in range(2**count)]


SHORT = [text for count in (1, 2, 3) for text in texts_of(count)]
KINDS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "regex": (lambda model, **how: oc.generate.regex(model, "[ab]{1,3}", **how), SHORT),
    "cfg": (lambda model, **how: oc.generate.cfg(model, 'start: x~1..3\nx: "a" | "b"', **how), SHORT),
    "json": (lambda model, **how: oc.generate.json(model, {"enum": [1, 12, 2, 121]}, **how), ["1", "12", "2", "121"]),
    "format": (lambda model, **how: oc.Generator(model, bool, **how), ["True", "False"]),
}


@pairs("kind, temperature", KINDS, [0.6, 1.0, 2.0], strength=1)
def test_every_kind_of_generator_under_temperatures(kind: str, temperature: float) -> None:
    """Weighed by their importance, they follow the law of temperature 1."""
    make, strings = KINDS[kind]
    model = toy_model() if kind == "format" else small_model()
    law = law_of(model, prompt_ids(model), strings, temperature)
    state = oc.continuous(make(model, sampler=exact(DRAWS, temperature)))("xy", seed=5)
    check_law(spanned(state), law)
    cold = law_of(model, prompt_ids(model), strings)
    shift = [
        importance - math.log(cold[ids] / law[ids])
        for ids, importance in zip(spanned(state), state.particles.log_importance[0].tolist(), strict=True)
    ]
    assert max(map(abs, shift)) < 1e-3


@pytest.mark.parametrize("include", [False, True])
def test_free_texts_with_stop_strings_and_a_length(include: bool) -> None:
    """A text that a length cuts is one; a stop string may begin inside a token."""
    model, most, stops = small_model(), 3, ["c1", "bc"]
    law: dict[str, float] = defaultdict(float)
    tokens, eos = model.vocabulary.tokens, model.vocabulary.eos

    def walk(ids: tuple[int, ...], text: str, p: float) -> None:
        ends = [(at, -len(each)) for each in stops if (at := text.find(each)) >= 0]
        if ends:
            at, size = min(ends)
            law[text[: at - size if include else at]] += p
            return
        if len(ids) == most:
            law[text] += p
            return
        after = next_law(model, prompt_ids(model) + ids)
        law[text] += p * after[list(eos)].sum().item()
        for token in model.vocabulary.text_ids.tolist():
            walk((*ids, token), text + tokens[token].decode(), p * after[token].item())

    walk((), "", 1.0)
    text = oc.generate.text(model, exact(DRAWS), include_stop=include)
    state = text.run("xy", most, stop_at=stops, seed=1)
    check_law([value[2:] for value in state], law)
    assert {each for group in state.finished for each in group} == {"stop", "length"}
    assert state.rescore().weights == pytest.approx(state.weights, abs=1e-4)


def test_values_end_within_max_tokens() -> None:
    model = small_model()
    law = {ids: p for ids, p in law_of(model, prompt_ids(model), SHORT).items() if len(ids) <= 2}
    state = oc.continuous(oc.generate.regex(model, "[ab]{1,3}", exact(DRAWS)))("xy", 2, seed=1)
    check_law(spanned(state), law)
    assert {each for group in state.finished for each in group} == {"stop"}


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_predicates_are_part_of_the_constraint(options: list[str]) -> None:
    model, right = toy_model(), options[:2]
    asked = Counter[tuple[str, bool]]()

    def where(text: str, done: bool) -> bool:
        asked[text, done] += 1
        return oracle(right)(text, done)

    generator = oc.generate.choice(model, options, exact(DRAWS), where=where)
    state = oc.continuous(generator)("xy", seed=2)
    law = law_of(model, prompt_ids(model), options)
    right_law = {ids: p for ids, p in law.items() if model.vocabulary.decode(ids).decode() in right}
    check_law(spanned(state), right_law)
    assert state.particles.log_evidence.exp().item() >= math.fsum(right_law.values()) * (1 - 1e-6)
    assert set(asked.values()) == {1}


def test_bans_make_no_end_likelier() -> None:
    model = small_model()
    banned = exact(DRAWS)
    law = law_of(model, prompt_ids(model), ["a", "ab", "b", "ba", "bb"])
    right = {ids: p for ids, p in law.items() if b"ba" not in model.vocabulary.decode(ids)}
    where = lambda text, done: "ba" not in text  # noqa: E731
    state = oc.continuous(oc.generate.choice(model, ["a", "ab", "b", "ba", "bb"], banned, where=where))("xy", seed=3)
    check_law(spanned(state), right)


def test_healed_spans_are_drawn_with_what_they_took_back() -> None:
    """The law of the tokens that spell the healed bytes and a value, after what is left of the prompt."""
    model = oc.load()
    colour = oc.continuous(oc.generate.choice(model, ["ue", "ack", "ond"], exact(DRAWS)), name="c", seam="heal")
    state = colour("The sky is bl", seed=1)
    assert state.rows[0][0].pieces[-1].origin.healed == b" bl"
    before = prompt_ids(model, "The sky is")
    law = law_of(model, before, [" blue", " black", " blond"])
    check_law([row.ids[len(before) :] for row in state.rows[0]], law)
    assert {value for [value] in state.captures["c"][0]} >= {"ue", "ack"}


def test_chains_are_exact_link_by_link() -> None:
    """The second link given the first; the joint evidence is at most what is said, and weights are the joint ones."""
    model = small_model()
    link = lambda options, name: oc.continuous(oc.generate.choice(model, options, exact(1)), name=name)  # noqa: E731
    first = oc.continuous(oc.generate.choice(model, ["a", "ab"], exact(DRAWS)), name="one")
    state = (first >> "-" >> link(["b", "bc", "1"], "two"))("xy", seed=4)
    before, law = prompt_ids(model), dict[Any, float]()
    ones = law_of(model, before, ["a", "ab"])
    evidence = 0.0
    for ids, p in ones.items():
        after = law_of(model, before + ids + tuple(model.encoder.append("-")), ["b", "bc", "1"])
        evidence += p * math.fsum(after.values())
        for more, q in after.items():
            law[ids, more] = p * q / math.fsum(after.values())
    pairs = [(row.ids[(a := row.spans[1]).start : a.end], row.ids[row.spans[3].start :]) for row in state.rows[0]]
    check_law(pairs, law)
    assert state.particles.log_importance.abs().max() < 1e-9
    assert evidence * 0.97 <= state.particles.log_evidence.exp().item() <= 1
    assert state.rescore().weights == pytest.approx(state.weights, abs=1e-4)


# --- who depends on whom, and what is kept


def test_rows_do_not_depend_on_others_nor_on_what_is_known() -> None:
    """Law 9, keys, other numbers of samples; streams, threads, steps by hand, and a trie that was read before."""
    hf, tokenizer = oc.load().hf, oc.load().tokenizer
    prompts, keys = ["Mira is ", "In the year ", "1 + 1 = ", "Mira is "], [3, "x", 0, 9]

    def number(samples: int = 3) -> Any:  # with nothing known
        return oc.continuous(oc.generate.regex(oc.Model(hf, tokenizer), "[0-9]{1,4}", exact(samples)), name="n")

    values = number()(prompts, seed=1, keys=keys).captures["n"]
    assert len({str(each) for each in values}) == 4, "equal prompts draw by their keys"
    for place, (prompt, key) in enumerate(zip(prompts, keys, strict=True)):
        assert number()([prompt], seed=1, keys=[key]).captures["n"] == [values[place]]
    one = number()
    for _ in range(2):
        assert one(prompts[::-1], seed=1, keys=keys[::-1]).captures["n"] == values[::-1]
    wide = number(8)(prompts, seed=1, keys=keys).captures["n"]
    assert [group[:3] for group in wide] == values
    *_, streamed = one.stream(prompts, seed=1, keys=keys)
    assert streamed.captures["n"] == values
    with ThreadPoolExecutor(4) as pool:
        each = pool.map(lambda _: one(prompts, seed=1, keys=keys).captures["n"], range(4))
        assert all(got == values for got in each)
    frontier = one.begin(prompts, seed=1, keys=keys)
    while not frontier.done:
        frontier = frontier.step(one.generator.model.logits(frontier.pending))
    assert frontier.state.captures["n"] == values


def test_what_is_learnt_serves_later_calls_until_parameters_change() -> None:
    """And no keys and values stay for it: law 11."""
    toy = random_model(toy_tokenizer([*"abc12-xyz"]), 3, 64)
    step = oc.continuous(oc.generate.regex(toy, "[ab]{1,3}", exact(50)))
    state = step("xy", seed=0)
    del state
    gc.collect()
    assert toy.stats.kv_bytes == 0
    _, tries = vars(toy)["_exact_tries"]
    [masses] = tries.values()
    positions = masses.positions
    again = step("xy", seed=0)
    assert masses.positions == positions and [*tries.values()] == [masses], "nothing is read for equal draws"
    with torch.no_grad():
        next(iter(toy.hf.parameters())).add_(0.5)
    other = step("xy", seed=0)
    assert [*vars(toy)["_exact_tries"][1].values()] != [masses]
    fresh = oc.continuous(oc.generate.regex(oc.Model(toy.hf, toy.tokenizer), "[ab]{1,3}", exact(50)))
    assert other == fresh("xy", seed=0) and other != again
    with toy.fresh():
        step("ab", seed=0)
    assert len(vars(toy)["_exact_tries"][1]) == 1, "nothing is kept of a fresh pass"


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(races, "MOST_LISTED", 100)
    model = random_model(toy_tokenizer([*"abc12-xyz"]), 3, 64)
    step = oc.continuous(oc.generate.regex(model, "[ab]{1,2}", exact(5)))
    for prompt in ("a", "b", "ab", "ba", "xy", "x-", "1", "2", "12"):
        step(prompt, seed=0)
        tries = vars(model)["_exact_tries"][1]
        assert sum(masses.size for masses in tries.values()) <= 100
    assert tries, "the last ones stay"


def test_states_are_saved_cut_and_resumed(tmp_path: Any) -> None:
    model = small_model()
    step = oc.continuous(oc.generate.regex(model, "[ab]{3}", exact(400)), name="n")
    state = step("xy", seed=0)
    state.save(tmp_path / "state")
    loaded = oc.load_state(tmp_path / "state", model)
    assert loaded.identical(state) and loaded.particles.log_evidence.equal(state.particles.log_evidence)
    cut = state[..., :3]
    resumed = step.resume(cut, seed=1)
    assert all(len(value) == 3 for values in resumed.captures["n"][0] for value in values)
    law = law_of(model, prompt_ids(model), texts_of(3))
    a = next(token for token, piece in enumerate(model.vocabulary.tokens) if piece == b"a")
    begun = {ids[1:]: p for ids, p in law.items() if ids[0] == a}
    check_law([row.ids[3:] for row in resumed.rows[0] if row.ids[2] == a], begun)


def test_maps_draw_what_calls_draw() -> None:
    model = oc.load()
    step = oc.continuous(oc.generate.regex(model, "[0-9]{1,3}", exact(2)), name="n")
    prompts = ["Mira is ", "In the year ", "1 + 1 = "]
    mapped = [state.captures["n"][0] for state in oc.map(step, prompts, seed=2)]
    assert mapped == step(prompts, seed=2).captures["n"]


# --- where it gives up, and what does not go together


def test_it_gives_up_with_a_proof() -> None:
    model = small_model()
    truth = math.fsum(law_of(model, prompt_ids(model), ["abcabc12"]).values())
    for sampler in (exact(4, positions=1), exact(4, least=0.5)):
        with pytest.raises(oc.errors.TooUnlikely, match="at most") as raised:
            oc.generate.choice(model, ["abcabc12"], sampler)("xy", seed=0)
        assert truth <= raised.value.bound < 1
    state = oc.continuous(oc.generate.choice(model, ["abcabc12"], exact(4, positions=1)))(
        ["xy"], seed=0, errors="return"
    )
    assert all(isinstance(error, oc.errors.TooUnlikely) for error in state.errors[0])
    assert oc.generate.choice(model, ["abcabc12"], exact(2))("xy", seed=0) == ["abcabc12"] * 2


def test_how_many_prefixes_a_row_asks_about_does_not_depend_on_others() -> None:
    """So a row that gives up does so in every batch."""
    model = small_model()

    def failed(samples: int) -> list[bool]:
        generator = oc.generate.regex(oc.Model(model.hf, model.tokenizer), "[ab]{3}c", exact(samples, positions=12))
        return [error is not None for error in oc.continuous(generator)("xy", seed=0, errors="return").errors[0]]

    assert failed(30)[:10] == failed(10) and len(set(failed(30))) == 2


def test_languages_without_mass() -> None:
    """A predicate that refuses everything leaves dead rows; a model that never writes a token is named."""
    model = small_model()
    generator = oc.generate.regex(model, "[ab]{1,2}", exact(2), where=lambda text, done: not done)
    assert [row.dead for row in oc.continuous(generator)("xy", seed=0).rows[0]] == [True, True]
    with pytest.raises(oc.errors.ConstraintError, match="refused whatever"):
        generator("xy", seed=0)
    hashed = HashedModel(toy_tokenizer([*"abc12-xyz"]), 3, 64)
    tokens, plain = hashed.vocabulary.tokens, hashed.law

    def law(ids: tuple[int, ...]) -> np.ndarray:
        logits = plain(ids).copy()
        logits[[i for i, token in enumerate(tokens) if b"b" in token]] = -math.inf
        return logits

    hashed.law = law  # type: ignore[assignment]
    never = oc.Model(cast("Any", hashed))
    with pytest.raises(oc.errors.TooUnlikely, match="at most 0") as raised:
        oc.generate.choice(never, ["ab"], exact(), where=None)("xy", seed=0)
    assert raised.value.bound < 1e-3
    nan = lambda ids: np.full(len(tokens), math.nan) if len(ids) == 3 else plain(ids)  # noqa: E731
    hashed.law = nan  # type: ignore[assignment]
    with pytest.raises(ValueError, match="NaN"):
        oc.generate.regex(oc.Model(cast("Any", hashed)), "[ab]{3}", exact())("xy", seed=0)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"samples": 0}, "samples=0: it must be an int ≥ 1"),
        ({"positions": 0}, "positions=0: it must be an int ≥ 1"),
        ({"positions": -3}, "positions=-3"),
        ({"least": 1}, "least=1: it must be in"),
        ({"least": -0.1}, "least=-0.1"),
        ({"least": math.nan}, "least=nan"),
        ({"temperature": 0}, "temperature=0: it must be a number > 0"),
    ],
)
def test_wrong_numbers_are_named(options: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        exact(**options)


def test_what_does_not_go_together_is_named() -> None:
    model = small_model()
    regex, choice, control = oc.generate.regex, oc.generate.choice, oc.generate.control
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("hooks", lambda: regex(model, "a+", exact())("xy", hooks=[lambda draw: None])),
        ("hooks", lambda: regex(model, "a+", exact())("xy", hooks=[oc.steer.Watch(print)])),
        ("alternatives", lambda: regex(model, "a+", exact()).run("xy", keep=oc.Keep(alternatives=1))),
        ("keeps no candidates", lambda: regex(model, "a+", exact()).run("xy", keep=oc.Keep(candidates=1))),
        ("forced='canonical'", lambda: regex(model, "a+", exact(), forced="canonical")("xy")),
        ("by='sequence'", lambda: choice(model, ["a", "b"], exact(), by="sequence")("xy")),
        ("a controller", lambda: control(model, lambda row: [], exact())("xy")),
        ("beside", lambda: regex(model, "a+", exact())("xy", beside=[("ab", 1.0)])),
        ("log-potential", lambda: regex(model, "a+", exact(), where=lambda text, done: -0.5)("xy")),
        ("whole texts", lambda: model.next("xy", regex(model, "a+", exact()))),
    ]
    for match, call in calls:
        with pytest.raises((TypeError, ValueError), match=match):
            pytest.fail(f"{match}: {call()}")
    with pytest.raises(oc.errors.SampleMismatch, match=r"exact\(samples=3\)"):
        regex(model, "a+", exact(3)).run(model.state("xy").fork(2), 3)


def test_errors_of_predicates_fail_their_row() -> None:
    def where(text: str, done: bool) -> bool:
        if text == "b":
            raise KeyError("b")
        return True

    model = small_model()
    step = oc.continuous(oc.generate.regex(model, "[ab]", exact(30), where=where))
    state = step("xy", seed=0, errors="return")
    kinds = {type(error) for error in state.errors[0]}
    assert kinds == {type(None), KeyError}


# --- the references that the bench compares with


@pytest.mark.parametrize("kind", [RejectionReference, CarsReference])
def test_the_references_draw_the_same_law(kind: Any) -> None:
    model, strings = small_model(), ["a", "ab", "abc", "b"]
    generator = oc.generate.choice(model, strings)
    guide, prompt = generator.constraint.guide, prompt_ids(model)

    def law(ids: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, float]:
        state = guide.initial
        for token in ids:
            state = guide.advance(state, token)
        probabilities = next_law(model, prompt + ids).numpy()
        allowed = unpack(guide.mask(state), len(probabilities))
        allowed[list(model.vocabulary.eos)] = False
        return probabilities, allowed, float(probabilities[~allowed].sum()) if guide.accepting(state) else 0.0

    reference = kind(law, 8, Random(1))
    check_law([reference.draw() for _ in range(400)], law_of(model, prompt, strings))
    assert reference.positions >= reference.tries >= 400


# --- interrupted


def pressing(monkeypatch: pytest.MonkeyPatch, model: oc.Model, passes: int, press: Callable[[], None]) -> list[int]:
    """Have something be pressed in the middle of a pass; how many passes were made after it."""
    after, read = list[int](), cast(Any, masses_module).read
    left = passes

    def watched(*args: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            press()
        elif left < 0:
            after.append(left)
        return read(*args)

    monkeypatch.setattr(masses_module, "read", watched)
    return after


@pytest.mark.parametrize("passes", [1, 2, 4])
def test_ctrl_c_stops_between_passes_and_the_call_goes_on(passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model(1)
    step = oc.continuous(oc.generate.regex(model, "[abc]{4,8}1", exact(3)), name="x")
    whole = step(["xy", "ab"], seed=2)
    vars(model).pop("_exact_tries")
    # (What is started in a shell's background ignores SIGINT, and so do its children.)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with monkeypatch.context() as patch:
            after = pressing(patch, model, passes, lambda: signal.raise_signal(signal.SIGINT))
            with pytest.raises(oc.errors.Interrupted) as caught:
                step(["xy", "ab"], seed=2)
            assert not after and caught.value.state.finished == [["interrupted"] * 3] * 2
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    model.stats.reset()
    assert step.resume(caught.value.state, seed=2) == whole
    assert model.stats.passes > 0  # what was read is known
    del caught, whole
    gc.collect()
    assert model.stats.kv_bytes == 0


def test_a_task_that_is_cancelled_stops_between_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model(1)
    step = oc.continuous(oc.generate.regex(model, "[abc]{4,8}1", exact(3)), name="x")
    whole = step("xy", seed=2)
    vars(model).pop("_exact_tries")

    async def cancelled() -> Any:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(step.acall("xy", seed=2))
        pressed = threading.Event()

        def cancel() -> None:
            loop.call_soon_threadsafe(lambda: (task.cancel(), loop.call_soon(pressed.set)))
            assert pressed.wait(60)

        after = pressing(monkeypatch, model, 2, cancel)
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        return after, cast(Any, caught.value).state

    after, state = asyncio.run(cancelled())
    monkeypatch.undo()
    assert not after and step.resume(state, seed=2) == whole
