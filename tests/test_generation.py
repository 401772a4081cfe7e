"""Generators and samplers: what they may draw, with which probability, where they stop, and how they go on (law 7)."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time
from enum import Enum
from functools import cache
from types import FunctionType
from typing import Literal, Optional, Union

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator
from strategies import shipped_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.generation.logits_process import (
    MinPLogitsWarper,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.warp import warp
from outlines_cont.state.constraint import make_constraint

GREEDY = oc.samplers.greedy()


@cache
def toy_model(seed: int = 0) -> oc.Model:
    """A random model over bytes and a few longer tokens, small enough to enumerate everything that it can write."""
    return random_model(toy_tokenizer(sorted(pre_tokenizers.ByteLevel.alphabet())), seed, positions=64)


@cache
def small_model(seed: int = 0, positions: int = 64) -> oc.Model:
    """The same over a few letters: nothing is lost on bytes that nobody asks for."""
    return random_model(toy_tokenizer([*"abc12-xyz"]), seed, positions)


def toy_tokenizer(letters: Sequence[str]) -> PreTrainedTokenizerFast:
    words = ["ab", "abc", "bc", "12", "ca"]
    merges = [("a", "b"), ("ab", "c"), ("b", "c"), ("1", "2"), ("c", "a")]
    vocabulary = {token: i for i, token in enumerate(["<eos>", *letters, *words])}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<eos>")


def random_model(tokenizer: PreTrainedTokenizerFast, seed: int, positions: int, eos: int = 0) -> oc.Model:
    """One layer of random weights, large enough that its laws are far from uniform; its eos is that of its config, and
    that of its tokenizer."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=positions, bos_token_id=eos, eos_token_id=eos,
    )  # fmt: skip
    hf = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in hf.parameters():
            if parameter.dim() > 1:
                parameter.mul_(12)
    return oc.Model(hf, tokenizer)


def enumerate_law(model: oc.Model, prompt: str, strings: Sequence[str]) -> list[tuple[tuple[int, ...], float, float]]:
    """Every way to spell one of the strings and stop: brute force over token paths, with plain forwards.

    Each: (token ids, Σ model log-probability with the stop, Σ log-probability under the constrained law).
    """
    start = tuple(model.state(prompt).rows[0][0].ids)
    tokens, special = model.vocabulary.tokens, model.vocabulary.special
    goals = [string.encode() for string in strings]
    found = []

    def walk(ids: tuple[int, ...], text: bytes, own: float, law: float) -> None:
        going = [
            t for t in range(len(tokens))
            if t not in special and tokens[t] and any(goal.startswith(text + tokens[t]) for goal in goals)
        ]  # fmt: skip
        ends = text in goals
        if ends and not going:
            found.append((ids, own, law))
            return
        with torch.no_grad():
            logits = model.hf(input_ids=torch.tensor([start + ids]), use_cache=False).logits[0, -1].double()
        logprobs = torch.log_softmax(logits, -1)
        total = logprobs[going].exp().sum().item()
        stop = 1 - total
        norm = total + (stop if ends else 0)
        if ends:
            found.append((ids, own + math.log(stop), law + math.log(stop / norm)))
        for t in going:
            p = logprobs[t].item()
            walk((*ids, t), text + tokens[t], own + p, law + p - math.log(norm))

    walk((), b"", 0.0, 0.0)
    return found


LANGUAGES = [
    ["a", "ab", "abc"],
    ["cat", "dog"],
    ["12", "1", "121", "212"],
    ["", "a"],
    ["abcabc", "abc", "bca"],
    ["é", "e", "éé"],
]


def spanned(state: oc.SequenceState) -> list[tuple[int, ...]]:
    """The ids of each row's last span."""
    return [row.ids[row.spans[-1].start :] for group in state.rows for row in group if not row.dead]


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_choices_are_a_proper_distribution(options: list[str]) -> None:
    """The walk's law sums to one over all spellings, and draws follow it (chi-square)."""
    model = toy_model()
    law = {ids: p for ids, _, p in enumerate_law(model, "xy", options)}
    assert math.fsum(map(math.exp, law.values())) == pytest.approx(1, abs=1e-9)
    draws = 600
    sampler = oc.samplers.multinomial(samples=draws)
    step = oc.continuous(oc.generate.choice(model, options, sampler, forced="never"))
    state = step("xy", seed=5)
    counts = Counter(spanned(state))
    assert set(counts) <= set(law)
    expected = {ids: draws * math.exp(p) for ids, p in law.items()}
    rare = sum(e for e in expected.values() if e < 5)
    cells = [(counts[ids], e) for ids, e in expected.items() if e >= 5]
    cells.append((draws - sum(n for n, _ in cells), max(rare, 1e-9)))
    statistic = sum((n - e) ** 2 / e for n, e in cells if e > 1e-6)
    assert statistic < 12 + 4 * len(cells), (statistic, cells)
    # and both log-probabilities kept with each row are those of the enumeration
    own = {ids: p for ids, p, _ in enumerate_law(model, "xy", options)}
    for row, ids in zip(state.rows[0], spanned(state), strict=True):
        stop = row.pieces[-1].stop
        assert stop is not None and row.finished == "stop"
        assert row.weight == pytest.approx(own[ids], abs=1e-4)
        assert sum(p for p in row.proposals if p is not None) + stop.proposal == pytest.approx(law[ids], abs=1e-4)


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_with_enough_beams_the_best_are_the_best(options: list[str], seed: int) -> None:
    """On a finite language beams find the brute-force argmax, and the k best are the k best."""
    model = toy_model(seed)
    ranked = sorted(enumerate_law(model, "xy", options), key=lambda path: -path[1])
    k = len(ranked) + 2
    state = oc.continuous(oc.generate.choice(model, options, oc.samplers.beam_search(k, distinct="tokens")))("xy")
    live = len(state)
    assert live == len(ranked), "fewer legal hypotheses than beams leave the others out"
    assert state.weights[0, :live].tolist() == pytest.approx([p for _, p, _ in ranked], abs=1e-4)
    assert spanned(state)[0] == ranked[0][0]
    assert state.best(1) == state[:, :1, :]


def test_two_chained_beam_steps_search_jointly() -> None:
    """Appended text between two beam steps leaves k distinct hypotheses, and the joint argmax is found."""
    model = toy_model(1)
    options = ["a", "ab", "ca"]
    first = enumerate_law(model, "xy", options)
    joint = []
    for ids, own, _ in first:
        text = b"".join(model.vocabulary.tokens[t] for t in ids).decode()
        appended = model.state("xy").rows[0][0].ids + ids + tuple(model.encoder.append("-"))
        for more, later, _ in enumerate_law_after(model, appended, options):
            joint.append((own + later, ids + tuple(model.encoder.append("-")) + more, text))
    best = max(joint)
    k = len(joint)
    exact = oc.samplers.beam_search(k, distinct="tokens")
    step = oc.continuous(oc.generate.choice(model, options, exact), name="x")
    state = step(step("xy") + "-")
    assert state.weights[0, 0].item() == pytest.approx(best[0], abs=1e-4)
    assert state.rows[0][0].ids[len(model.state("xy").rows[0][0]) :] == best[1]
    narrow = oc.continuous(oc.generate.choice(model, options, oc.samplers.beam_search(3)))
    three = narrow(narrow("xy") + "-")
    assert len(set(three.rows[0])) == 3 and len({row.ids for row in three.rows[0]}) == 3


def enumerate_law_after(model: oc.Model, ids: tuple[int, ...], strings: Sequence[str]):
    """As enumerate_law, after given ids."""

    class Prompted:
        hf, vocabulary = model.hf, model.vocabulary

        @staticmethod
        def state(_: str) -> oc.SequenceState:
            return model.state(list(ids))

    return enumerate_law(Prompted, "", strings)  # type: ignore[arg-type]


def test_unconstrained_beams_give_what_transformers_gives() -> None:
    """Where no hypothesis stops: the same sequences and scores as generate(num_beams=k, length_penalty=0)."""
    model = shipped_model()
    prompt = model.state("Once upon a time")
    ids = prompt.token_ids[0]
    plain = model.hf.generate(
        ids, attention_mask=torch.ones_like(ids), num_beams=4, num_return_sequences=4, max_new_tokens=5,
        length_penalty=0.0, do_sample=False, eos_token_id=None, output_scores=True, return_dict_in_generate=True,
    )  # fmt: skip
    free = oc.continuous(oc.generate.regex(model, r"(.|\n){200,300}", oc.samplers.beam_search(4, distinct="tokens")))
    ours = free(prompt, max_tokens=5)
    theirs = [sequence for sequence in plain.sequences.tolist() if not set(sequence[ids.shape[1] :]) & {0, 1, 2, 3}]
    assert len(theirs) == 4
    assert [list(row.ids) for row in ours.rows[0]] == theirs
    assert ours.weights[0].tolist() == pytest.approx(plain.sequences_scores.tolist(), abs=1e-3)


@pytest.mark.parametrize("pattern", [r"[0-9]{4}", r"(ab|[a-c]{3})-[0-9]+", r"[a-z]{1,4}@[a-z]{2}\.(com|org)"])
def test_beams_under_a_regex_never_break_it(pattern: str) -> None:
    """0 failures where the guides of others are not reordered with the beams."""
    model = shipped_model()
    checked = 0
    for beams in (2, 4, 8):
        step = oc.continuous(oc.generate.regex(model, pattern, oc.samplers.beam_search(beams)), name="x")
        prompts = ["Once upon a time ", "a"]
        state = step(prompts, max_tokens=24)
        for prompt, rows, texts in zip(prompts, state.rows, state.tolist(), strict=True):
            for row, text in zip(rows, texts, strict=True):
                if row.finished == "stop":
                    assert text.startswith(prompt) and re.fullmatch(pattern, text.removeprefix(prompt))
                    checked += 1
    assert checked


def test_a_length_penalty_divides_by_the_generated_tokens() -> None:
    model = shipped_model()
    state = oc.continuous(oc.generate.text(model, oc.samplers.beam_search(3, length_penalty=1.0)))("Once", max_tokens=6)
    generated = [row.generated for row in state.rows[0]]
    expected = [w / max(n, 1) for w, n in zip(state.weights[0].tolist(), generated, strict=True)]
    assert state.scores[0].tolist() == pytest.approx(expected)
    assert state.scores[0].tolist() == sorted(state.scores[0].tolist(), reverse=True)


@settings(max_examples=300)
@given(
    logits=st.lists(st.integers(-512, 512).map(lambda n: n / 64), min_size=2, max_size=12, unique=True),
    temperature=st.floats(0.1, 4),
    top_k=st.none() | st.integers(1, 14),
    top_p=st.none() | st.floats(0.05, 1.0),
    min_p=st.none() | st.floats(0.0, 1.0),
)
def test_filters_are_those_of_transformers(logits, temperature, top_k, top_p, min_p) -> None:
    """temperature, top-k, top-p, min-p together, in transformers' order."""
    scores = torch.tensor([logits], dtype=torch.float32)
    theirs = TemperatureLogitsWarper(temperature)(None, scores)
    if top_k is not None:
        theirs = TopKLogitsWarper(top_k)(None, theirs)
    if top_p is not None and top_p < 1:
        theirs = TopPLogitsWarper(top_p)(None, theirs)
    if min_p is not None:
        theirs = MinPLogitsWarper(min_p)(None, theirs)
    ours = warp(scores, temperature, top_k, top_p, min_p).softmax(-1)
    expected = theirs.softmax(-1)
    # cumulative sums in another order may put a candidate on the other side of a threshold that it just meets
    if (ours > 0).equal(expected > 0):
        assert torch.allclose(ours, expected, atol=1e-5)
    else:
        assert boundary(scores, temperature, top_k, top_p, min_p)


def boundary(scores, temperature, top_k, top_p, min_p) -> bool:
    """Whether a threshold lies within rounding of where a candidate stands."""
    law = warp(scores, temperature, top_k).softmax(-1)
    ordered = law.sort(descending=True).values[0].double()
    tails = ordered.flip(0).cumsum(0)
    near = top_p is not None and bool(((tails - (1 - top_p)).abs() < 1e-5).any())
    lesser = warp(scores, temperature, top_k, top_p).softmax(-1)
    near |= min_p is not None and bool(((lesser - min_p * lesser.max()).abs() < 1e-5).any())
    return near


def test_draws_follow_the_filtered_law() -> None:
    """The sampler's own law: frequencies of 3,000 draws against exact probabilities (chi-square)."""
    model = toy_model()
    draws = 3000
    sampler = oc.samplers.multinomial(samples=draws, temperature=0.7, top_k=6, min_p=0.02)
    step = oc.continuous(oc.generate.regex(model, "[a-z]{3}", sampler))
    state = step("xy", max_tokens=1, seed=11)
    counts = Counter(ids[0] for ids in spanned(state))
    with torch.no_grad():
        logits = model.hf(input_ids=state.token_ids[0, :1, :-1]).logits[0, -1:].cpu()
    tokens = model.vocabulary.tokens
    fits = torch.tensor(
        [bool(re.fullmatch(rb"[a-z]{1,3}", t)) and i not in model.vocabulary.special for i, t in enumerate(tokens)]
    )
    law = warp(logits.masked_fill(~fits, -math.inf), 0.7, 6, None, 0.02).softmax(-1)[0]
    kept = [(counts[t], draws * p) for t, p in enumerate(law.tolist()) if p > 0]
    assert sum(n for n, _ in kept) == draws
    assert sum((n - e) ** 2 / e for n, e in kept) < 12 + 4 * len(kept)


def test_greedy_choices_are_whole_words() -> None:
    model = shipped_model()
    assert oc.generate.choice(model, ["cat", "dog"], GREEDY)("My pet is a ") in ("cat", "dog")
    assert all(
        word in ("cat", "dog") for [word] in oc.generate.choice(model, ["cat", "dog"], GREEDY)(["A ", "The pet: "])
    )


def test_numbers_end_where_the_model_ends_them() -> None:
    """`[0-9]+` neither stops at the first digit nor runs on."""
    model = shipped_model()
    number = oc.generate.regex(model, "[0-9]+", GREEDY)
    for people in (87, 346, 4356, 8102):
        prompt = f"{people} people live in Rabeby. Rabeby is on the coast.\nQ: How many people live in Rabeby?\nA: "
        assert number(prompt, max_tokens=20) == str(people)


def test_stop_eos_is_the_usual_convention() -> None:
    """Under stop="eos" the stop is p(eos), also for a value that can't go on."""
    model = toy_model()
    state = oc.continuous(oc.generate.choice(model, ["ab"], GREEDY, stop="eos"))("xy")
    row = state.rows[0][0]
    with torch.no_grad():
        last = torch.log_softmax(model.hf(input_ids=torch.tensor([row.ids])).logits[0, -1], -1)
    assert row.pieces[-1].stop.logprob == pytest.approx(last[0].item(), abs=1e-4)
    assert row.pieces[-1].stop.proposal == 0
    assert state.rescore().weights.item() == pytest.approx(state.weights.item(), abs=1e-4)


@settings(max_examples=150)
@given(data=st.data())
def test_rollback_is_slicing(data: st.DataObject) -> None:
    """Law 7: a span cut anywhere goes on as if the later tokens had never been drawn."""
    model = toy_model()
    pattern = data.draw(st.sampled_from([r"[abc]{2,9}", r"(ab|c|12){3}x", r"[0-9]{5}", r"é+a{1,4}"]))
    sampler = data.draw(st.sampled_from([GREEDY, oc.samplers.multinomial(), oc.samplers.multinomial(samples=2)]))
    step = oc.continuous(oc.generate.regex(model, pattern, sampler), name="n")
    seed = data.draw(st.integers(0, 50))
    whole = step(["xy", "z"], max_tokens=30, seed=seed)
    begin = max(span.start for group in whole.spans for spans in group for span in spans if span.kind == "generated")
    cut = whole[..., : data.draw(st.integers(begin + 1, whole.shape[2]))]
    resumed = step.resume(cut, seed=seed)
    assert resumed == whole, "the same seed redraws the same tokens"
    other = step.resume(cut.kv.drop(), seed=seed + 1)
    for row, before in zip((r for g in other.rows for r in g), (r for g in cut.rows for r in g), strict=True):
        assert row.ids[: len(before)] == before.ids
        text = model.vocabulary.decode(row.ids[row.spans[-1].start :]).decode()
        assert re.fullmatch(pattern, text) and row.finished == "stop"
    assert all(len(values) == 1 for group in other.captures["n"] for values in group)


def test_resume_takes_appended_text_into_the_span() -> None:
    model = shipped_model()
    step = oc.continuous(oc.generate.regex(model, r"[0-9]{2}-[a-z]{3}", GREEDY), name="code")
    state = step("Code: ")
    cut = state[..., :-4] + "7-x"
    resumed = step.resume(cut)
    [[[value]]] = resumed.captures["code"]
    assert re.fullmatch(r"[0-9]7-x[a-z]{2}", value)
    with pytest.raises(oc.errors.ConstraintError, match="7!"):
        step.resume(state[..., :-4] + "7!")
    assert step.resume(state) is not None and step.resume(state).identical(state), (
        "what has stopped comes back unchanged"
    )


def test_resume_keeps_finished_beams() -> None:
    model = shipped_model()
    step = oc.continuous(oc.generate.regex(model, "[0-9]{3}", oc.samplers.beam_search(3)), name="n")
    state = step("12 + 7 = ")
    mixed = oc.cat([state[:, :1, :], state[:, 1:, :-1]], 1)
    resumed = step.resume(mixed)
    assert state.rows[0][0].ids in [row.ids for row in resumed.rows[0]]
    assert all(f == "stop" for f in resumed.finished[0])


@pytest.mark.parametrize("include", [False, True])
@pytest.mark.parametrize("stops", [["b"], ["bc"], ["cab", "2"], ["ab", "abc", "c"], ["é", "1"]], ids=repr)
def test_stop_strings(stops: list[str], include: bool) -> None:
    """The value ends before (or after) the earliest stop string, also inside a token; scores are a fresh scoring's."""
    model = toy_model()
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=24), include_stop=include), name="t")
    state = text("xy", max_tokens=40, stop_at=stops, seed=1)
    free = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=24)))("xy", max_tokens=40, seed=1)
    hits = 0
    for row, other in zip(state.rows[0], free.rows[0], strict=True):
        own = model.vocabulary.decode(row.ids[row.spans[-1].start :])
        full = model.vocabulary.decode(other.ids[other.spans[-1].start :])
        places = [(full.find(s.encode()), -len(s.encode())) for s in stops if s.encode() in full]
        if places:
            hits += 1
            at, length = min(places)
            kept = full[: at - length if include else at]
            assert row.finished == "stop"
            # tokens drawn up to the one that completed a stop string: a longer one may not have been complete yet
            assert own == kept or (include and kept.startswith(own))
        elif other.finished == "length":
            assert own == full
    assert hits
    with model.fresh():
        fresh = state.rescore()
    assert torch.allclose(fresh.weights, state.weights, atol=1e-3)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (int, lambda v: type(v) is int),
        (float, lambda v: type(v) is float),
        (bool, lambda v: type(v) is bool),
        (date, lambda v: type(v) is date),
        (time, lambda v: type(v) is time),
        (datetime, lambda v: type(v) is datetime),
        (Literal["a", 3], lambda v: v in ("a", 3)),
        (Colour, lambda v: isinstance(v, Colour)),
        (Optional[int], lambda v: v is None or type(v) is int),  # noqa: UP045
        (Union[date, bool], lambda v: type(v) in (date, bool)),  # noqa: UP007
        (list[int], lambda v: type(v) is list and all(type(x) is int for x in v)),
        (dict[str, bool], lambda v: type(v) is dict and all(type(x) is bool for x in v.values())),
        (tuple[int, bool], lambda v: type(v) is tuple and len(v) == 2),
        (list[date] | None, lambda v: v is None or all(type(x) is date for x in v)),
    ],
    ids=lambda value: "" if isinstance(value, FunctionType) else str(value),
)
def test_format_gives_values_of_the_type(kind, check) -> None:
    model = shipped_model()
    generator = oc.generate.format(model, kind, oc.samplers.multinomial(samples=6, top_k=50))
    state = oc.continuous(generator, name="v")(["Value: "], max_tokens=200, seed=3)
    values = [value for group in state.captures["v"] for row in group for value in row]
    assert values and all(map(check, values)), values


def test_format_refuses_what_it_does_not_write() -> None:
    with pytest.raises(TypeError, match=r"format\(\).*oc\.types\.regex"):
        oc.generate.format(shipped_model(), "[0-9]+")
    assert oc.generate.format(shipped_model(), str) == oc.generate.text(shipped_model())


class Person(BaseModel):
    name: str
    age: int


def order_drink(name: str, cups: int = 1, sugar: bool = False) -> None:
    """A function whose arguments are generated."""


def test_json_takes_classes_schemas_and_functions() -> None:
    model = shipped_model()
    prompt = "Record: "
    person = oc.generate.json(model, Person, oc.samplers.multinomial(top_k=20))(prompt, seed=2, max_tokens=200)
    assert isinstance(person, Person)
    schema = Person.model_json_schema()
    for source in (schema, json.dumps(schema)):
        value = oc.generate.json(model, source, oc.samplers.multinomial(top_k=20))(prompt, seed=2, max_tokens=200)
        assert value == person.model_dump()
    arguments = oc.generate.json(model, order_drink, oc.samplers.multinomial(top_k=20))(prompt, seed=1, max_tokens=200)
    assert set(arguments) == {"name", "cups", "sugar"} and type(arguments["cups"]) is int


def test_plain_calls_give_values_and_nested_lists() -> None:
    model = shipped_model()
    two = oc.samplers.multinomial(samples=2)
    digits = oc.generate.regex(model, "[0-9]{2}")
    assert re.fullmatch("[0-9]{2}", digits("1", seed=0))
    assert [len(values) for values in digits(["1", "2", "3"], seed=0)] == [1, 1, 1]
    pair = oc.generate.regex(model, "[0-9]{2}", two)
    assert pair(["1"], seed=0) == [pair("1", seed=0)] and len(pair("1", seed=0)) == 2


@settings(max_examples=150)
@given(data=st.data())
def test_batch_invariance(data: st.DataObject) -> None:
    """Law 9: batched, ragged, sampled results equal the single-row ones for the same lineage."""
    model = toy_model()
    texts = data.draw(st.lists(st.sampled_from(["xy", "a", "abc12", "é", "zz top"]), min_size=2, max_size=4))
    samples = data.draw(st.sampled_from([1, 3]))
    sampler = data.draw(
        st.sampled_from([oc.samplers.multinomial(samples, top_p=0.95), oc.samplers.beam_search(3), GREEDY])
    )
    make = data.draw(
        st.sampled_from([lambda: oc.generate.text(model, sampler), lambda: oc.generate.regex(model, "[a-c]+", sampler)])
    )
    step, seed = oc.continuous(make()), data.draw(st.integers(0, 9))
    state = model.state(texts)
    together = step(state, max_tokens=4, seed=seed)
    b = data.draw(st.integers(0, len(texts) - 1))
    alone = step(state[b : b + 1, :, :], max_tokens=4, seed=seed)
    assert (
        alone == together[b : b + 1, :, :] or sampler.samples > together.shape[1] or alone.shape[1] < together.shape[1]
    )
    live = [row.ids for row in together.rows[b] if not row.dead]
    assert [row.ids for row in alone.rows[0] if not row.dead] == live


def test_beams_that_differ_only_in_how_they_stopped_are_one() -> None:
    model = shipped_model()
    step = oc.continuous(oc.generate.text(model, oc.samplers.beam_search(6)))
    state = step("Q: What is 2 + 2?\nA: 4\nQ: What is Mira's job?\nA: ", stop_at=[" ", "\n", "a"], max_tokens=8)
    ended = [row.ids for row in state.rows[0] if row.finished == "stop"]
    assert len(set(ended)) == len(ended) > 1


def test_a_stop_string_at_the_end_of_the_context_is_not_read_beyond_it() -> None:
    """Spelling a token anew may need more positions than the model has."""
    model = toy_model()
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=200)))
    limit = model.context_length
    assert limit is not None
    for start in (limit - 2, limit - 1):
        state = text(model.state([model.encoder.append("x")[0]] * start), stop_at=["b", "c", "2"], seed=3)
        assert int(state.lengths.max()) <= limit
        assert {f for f in state.finished[0]} <= {"stop", "length"}


def test_extreme_temperatures_and_modes() -> None:
    """A tiny temperature is the argmax, not NaN; states made under inference_mode work outside of it."""
    model = shipped_model()
    cold = oc.generate.regex(model, "[0-9]{2}", oc.samplers.multinomial(temperature=1e-39))
    assert cold("12 + 7 = ", seed=0) == oc.generate.regex(model, "[0-9]{2}", GREEDY)("12 + 7 = ")
    step = oc.continuous(oc.generate.text(model))
    with torch.inference_mode():
        inside = step("Inference", max_tokens=3, seed=1)
    outside = step(inside + " mode", max_tokens=3, seed=1)
    assert outside.kv.drop().rescore().weights.isfinite().all()


def test_stop_eos_needs_an_eos() -> None:
    model = toy_model()
    bare = Vocabulary(model.vocabulary.tokens, eos=[])
    with pytest.raises(oc.errors.ConstraintError, match="no eos"):
        make_constraint("text", None, bare, stop="eos")


def test_rescoring_a_stop_string_that_other_spans_follow() -> None:
    """What a stop string dropped is scored in the context it was drawn in, not after what came to stand there."""
    model = toy_model()
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=12)))
    first = text("xy", stop_at=["b", "ca", "1"], seed=4, max_tokens=30)
    state = text(first + "cab", max_tokens=5, seed=5)
    assert torch.allclose(state.rescore().weights, state.weights, atol=1e-3)
    with model.fresh():
        assert torch.allclose(state.rescore().weights, state.weights, atol=1e-3)


def test_beams_need_scores() -> None:
    model = toy_model()
    other = oc.Model(toy_model(1).hf, model.tokenizer)
    step = oc.continuous(oc.generate.regex(other, "[a-c]+", oc.samplers.beam_search(3)))
    drawn = oc.continuous(oc.generate.regex(model, "[0-9]+", oc.samplers.beam_search(3)))("xy", max_tokens=2)
    with pytest.raises(ValueError, match="rescore"):
        step(drawn.to(other), max_tokens=2)
    assert step(drawn.to(other).rescore(), max_tokens=2).weights.isfinite().all()


def test_the_frontier_takes_logits_from_anybody() -> None:
    """The library's loop is nothing but step(model.logits(pending)); logits may come from elsewhere, with gradients."""
    model = toy_model()
    generator = oc.generate.regex(model, "[a-c]{3}", oc.samplers.multinomial(samples=2))
    expected = generator.run("xy", seed=3)
    frontier = generator.begin("xy", seed=3)
    first = frontier
    while not frontier.done:
        rows = [
            model.hf(input_ids=torch.tensor([need.tokens])).logits[0, list(need.wanted)] for need in frontier.pending
        ]
        frontier = frontier.step(torch.cat(rows))
    assert frontier.state == expected
    assert not first.done and len(first.pending) == 2, "an old frontier can be stepped again"


class Even(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def even(cls, n: int) -> int:
        if n % 2:
            raise ValueError("odd")
        return n


def test_a_value_that_only_a_validator_refuses_is_named_with_its_place() -> None:
    model = shipped_model()
    step = oc.continuous(oc.generate.json(model, Even), name="n")
    for seed in range(12):
        state = step("JSON: ", seed=seed, max_tokens=30)
        text = model.vocabulary.decode(state.rows[0][0].ids[state.spans[0][0][-1].start :])
        if state.finished == [["stop"]] and json.loads(text)["n"] % 2:
            with pytest.raises(ValueError, match=r"(?s)captures\['n'\].*\(0, 0\).*odd"):
                state.captures["n"]
            assert repr(state.captures) == "Captures({'n': [[[<not accepted>]]]})"
            break
    else:
        raise AssertionError("no odd number in twelve draws")
