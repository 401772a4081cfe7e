"""The seam between a text and a value, over tokenizers, constraints and samplers: no byte is lost or doubled."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Literal, NamedTuple

import made_tokenizers as made
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streams import cut, read
from test_encoding import KINDS
from test_generation import random_model

import outlines_cont as oc
from outlines_cont.decode.canonical import Beginnings, reopened

TOKENIZERS: dict[str, Callable[[], Any]] = {
    **KINDS,
    **{name: partial(made.real_byte_level, name, merges=True) for name in ("gpt2_50k", "qwen152k", "tekken131k")},
}
kinds = pytest.mark.parametrize("kind", TOKENIZERS)
#: Of which texts and options are made.
words = st.sampled_from(["The", " capital", "Paris", "a", "re", " ", "  ", "\n", "1815", '"', " = ", "return", ":"])
prompts = st.lists(words, min_size=1, max_size=4).map("".join)
spaces = st.sampled_from(["", " ", " ", " ", "\n", "  ", "\n\n", " \n    "])
listed = st.lists(
    st.lists(words, min_size=1, max_size=2).map("".join), min_size=1, max_size=3, unique=True
)  # of options
seams: st.SearchStrategy[Literal["auto", "heal"]] = st.sampled_from(["auto", "auto", "heal"])
samplers = st.sampled_from([oc.samplers.greedy(), oc.samplers.multinomial(), oc.samplers.multinomial(2)])
few = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


@cache
def model_of(kind: str) -> oc.Model:
    tokenizer = TOKENIZERS[kind]()
    return random_model(tokenizer, 0, positions=128, eos=tokenizer.eos_token_id)


def is_listed(text: str, options: Sequence[str]) -> bool:
    return text in options


class Values(NamedTuple):
    """How the generators of a kind are made of model, options and sampler; whether a text is one of their values; and
    what a call is given."""

    make: Callable[..., oc.Generator]
    fits: Callable[[str, Sequence[str]], bool] = is_listed
    call: Any = None


def alternatives(options: Sequence[str]) -> str:
    return "|".join(map(re.escape, options))


def grammar(options: Sequence[str]) -> str:
    return f"start: {' | '.join(map(json.dumps, options))}"


def schema(options: Sequence[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {"it": {"enum": list(options)}}, "required": ["it"]}


def is_object(text: str, options: Sequence[str]) -> bool:
    return json.loads(text)["it"] in options


STOPS = [" ", "e"]
make = oc.generate
VALUES = {
    "choice": Values(make.choice),
    "choice, nothing forced": Values(partial(make.choice, forced="never")),
    "choice by sequence": Values(partial(make.choice, by="sequence")),
    "regex": Values(lambda model, options, sampler: make.regex(model, alternatives(options), sampler)),
    "cfg": Values(lambda model, options, sampler: make.cfg(model, grammar(options), sampler)),
    "json": Values(lambda model, options, sampler: make.json(model, schema(options), sampler), is_object),
    "format": Values(lambda model, options, sampler: make.format(model, Literal[tuple(options)], sampler)),
    "text": Values(lambda model, _, sampler: make.text(model, sampler), lambda *_: True, {"max_tokens": 5}),
    "text with stop strings": Values(
        lambda model, _, sampler: make.text(model, sampler),
        lambda text, _: cut(text.encode(), STOPS) is None,
        {"max_tokens": 5, "stop_at": STOPS},
    ),
}


@kinds
@few
@given(data=st.data())
def test_no_byte_is_lost_or_doubled(kind: str, data: st.DataObject) -> None:
    """A row is the bytes of the text and those of a value, which is its capture; the text stays what it was.

    And all its tokens, forced or drawn, and all numbers, are those of "the bytes that were taken back, then a value"
    after what is left of the text.
    """
    model, name = model_of(kind), data.draw(st.sampled_from([*VALUES]))
    values, options, sampler = VALUES[name], data.draw(listed), data.draw(samplers)
    state = model.state(data.draw(prompts))
    for more in data.draw(st.lists(st.one_of(prompts, spaces), max_size=2)):
        state = state + more
    state = state + data.draw(spaces)
    [[before]] = state.rows
    text, decode = str(state), model.vocabulary.decode
    generator, seam = values.make(model, options, sampler), data.draw(seams)
    state, call = state.kv.prefill(), values.call or {}
    model.stats.reset()
    after = oc.continuous(generator, name="v", seam=seam)(state, seed=1, **call)
    rereads = model.stats.reread
    assert state.rows[0][0].ids == before.ids and str(state) == text
    for row, [captured] in zip(after.rows[0], after.captures["v"][0], strict=True):
        piece = row.pieces[-1]
        start, healed = len(row) - (piece.hi - piece.lo), piece.origin.healed
        assert row.ids[:start] == before.ids[:start] and decode(before.ids[start:]) == healed
        if not healed:
            assert start == len(before.ids)
        assert rereads <= len(before.ids) - start  # each place at most once, where the logits are not kept
        value = decode(row.ids[start:])[len(healed) :]
        assert decode(row.ids) == decode(before.ids) + value
        assert values.fits(read(value), options)
        assert captured == (json.loads(value) if name == "json" else read(value))
    assert torch.allclose(after.kv.drop().rescore().weights, after.weights, atol=1e-3)
    if name in ("json", "text", "text with stop strings"):
        return
    plain = model.state(list(before.ids[:start]))
    other = values.make(model, [healed.decode() + option for option in options], sampler)
    same = oc.continuous(other, name="v", seam="keep")(plain, seed=1)
    assert [row.ids for row in same.rows[0]] == [row.ids for row in after.rows[0]]
    assert torch.allclose(same.weights, after.weights, atol=1e-3)
    assert torch.allclose(same.proposal_logprobs, after.proposal_logprobs[..., : same.shape[2]], atol=1e-3)
    assert same.finished == after.finished


@kinds
@few
@given(prompt=prompts, end=spaces, options=listed, seam=seams, name=st.sampled_from(["choice", "regex", "cfg"]))
def test_a_space_in_the_prompt_or_in_the_value(
    kind: str, prompt: str, end: str, options: list[str], seam: Literal["auto", "heal"], name: str
) -> None:
    """Joined, all that can be written after the text is all that can be written after the text without its last white
    space, if the values begin with that."""
    model, values = model_of(kind), VALUES[name]
    state = model.state(prompt)
    sampler = oc.samplers.beam_search(2 * len(options))

    def texts(state: oc.SequenceState, options: Sequence[str]) -> list[str]:
        return sorted(values.make(model, options, sampler).run(state, seam=seam))

    whole = texts(state + end, options)
    assert whole == sorted(prompt + end + option for option in options)
    assert whole == texts(state, [end + option for option in options])


@kinds
@few
@given(data=st.data())
def test_texts_are_scored_as_they_are_written(kind: str, data: st.DataObject) -> None:
    """`oc.score` after a space is the score of space and text after what is left; and a choice by sequence has it."""
    model, options, seam = model_of(kind), data.draw(listed), data.draw(seams)
    state = model.state(data.draw(prompts)) + data.draw(spaces)
    scores = oc.score(state, options, seam=seam)
    sampler = oc.samplers.beam_search(len(options))
    chosen = oc.continuous(make.choice(model, options, sampler, by="sequence"), name="v", seam=seam)(state)
    assert sorted(values[0] for values in chosen.captures["v"][0]) == sorted(options)
    for row, [option] in zip(chosen.rows[0], chosen.captures["v"][0], strict=True):
        stop = row.pieces[-1].stop  # which the score leaves out
        score = scores[0, 0, options.index(option)].item()
        if len(options) > 1:  # else nothing is scored
            assert row.weight - (stop.logprob if stop else 0.0) == pytest.approx(score, abs=1e-3)


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_a_lone_space_is_taken_back(kind: str) -> None:
    """Where the tokenizer has words with a space before them; and a newline or a word is not, before free text."""
    model, greedy = model_of(kind), oc.samplers.greedy()
    tokens = model.vocabulary.tokens
    state = model.state("The capital") + " "
    if tokens[state.rows[0][0].ids[-1]] == b" " and b" Paris" in tokens:
        for generator in (make.choice(model, ["Paris"], greedy), make.text(model, greedy)):
            [[row]] = generator.run(state, max_tokens=3, seed=0).rows
            assert row.pieces[-1].origin.healed == b" "
    across = any(token.startswith(b"\n") and token.strip() and token != b"\n" for token in tokens)
    for text in ("The capital", *["The capital\n"] * (not across)):
        [[row]] = make.text(model, greedy).run(text, max_tokens=3, seed=0).rows
        assert not row.pieces[-1].origin.healed
    ids = model.state(list(state.rows[0][0].ids))
    assert len(make.text(model, greedy).begin(ids, seed=0).pending[0].tokens) == len(ids.rows[0][0].ids)


def test_what_was_taken_back_is_no_part_of_what_an_error_shows() -> None:
    model = oc.load()
    job = oc.continuous(make.choice(model, ["painter", "sailor"], oc.samplers.greedy()), name="job")
    state = job("Mira is a painter.\nQ: What is Mira's job?\nA: ")
    assert state.rows[0][0].pieces[-1].origin.healed == b" " and state.captures["job"] == [[["painter"]]]
    cut = state.up_to("ter", span="job")
    assert job.resume(cut).captures["job"] == [[["painter"]]]
    with pytest.raises(
        oc.errors.ConstraintError, match=r"^'painx' does not begin a value .* it fits as far as 'pain'$"
    ):
        job.resume(cut + "x")


def test_rows_of_equal_tokens_are_healed_each_by_what_it_is() -> None:
    """A text and the same tokens given as ids: their options have probabilities of their own."""
    model = oc.load()
    text = model.state("Mira is a ")
    ids = model.state([list(text.rows[0][0].ids)])
    job = make.choice(model, ["painter", "sailor", "paint"], by="sequence")
    both = job.probabilities(oc.cat([text, ids], dim=0))
    kept = oc.score(ids, ["painter", "sailor"], seam="keep")[0, 0]
    healed = oc.score(model.state("Mira is a"), [" painter", " sailor"])[0, 0]
    for law, scores in ((both[1, 0], kept), (both[0, 0], healed)):
        assert (law[0] / law[1]).log().item() == pytest.approx((scores[0] - scores[1]).item(), abs=1e-3)
        assert law.sum().item() == pytest.approx(1)


def test_texts_that_end_in_one_token_are_healed_each_by_what_stands_before_it() -> None:
    """After a line break the tokenizer writes "=e" as one token, and after a bracket it does not."""
    model = model_of("qwen152k")
    guide = make.regex(model, "e").constraint.guide
    for texts in (["\n=", "(="], ["(=", "\n="]):
        values = Beginnings.of_guide(guide, model.encoder)._replace(answers={})
        taken_back = [reopened(model.encoder, values, row, "auto") for [row] in model.state(texts).rows]
        assert taken_back == ["\n" in text for text in texts]
