"""Forced runs: what a constraint leaves no choice about is the tokenizer's own spelling, scored, and costs no draw."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import made_tokenizers as made
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import LANGUAGES, enumerate_law, spanned, toy_model

import outlines_cont as oc
from outlines_cont.decode.canonical import forced_run, spelled_after
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm import guide as guides

NAMES = ["name", "city", "first name", "größe", "x", "population", "id", "a_b", "Nr. 12", "tags"]
TOKENIZERS = {
    "shipped": lambda: shipped_model().tokenizer,
    "byte level": made.byte_level,
    "byte level, with a space": lambda: made.byte_level(prefix_space=True),
    **{
        f"byte fallback, {style}, {model}": (lambda style=style, model=model: made.byte_fallback(style, model))
        for style in ("prepend", "metaspace", "none")
        for model in ("bpe", "unigram")
    },
}


@st.composite
def documents(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """A schema with much that is fixed, and a text of it."""
    leaves = st.sampled_from(
        [
            ({"type": "integer"}, st.integers(-200, 2000)),
            ({"type": "string"}, st.text('abc dé€"\\\n', max_size=5)),
            ({"type": "boolean"}, st.booleans()),
            ({"enum": ["Lisbon", "Lima", "Porto", None]}, st.sampled_from(["Lisbon", "Lima", "Porto", None])),
            ({"const": "version 1.0"}, st.just("version 1.0")),
        ]
    )
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    properties, value = {}, {}
    for name in names:
        schema, values = draw(leaves)
        if draw(st.booleans()):
            count = draw(st.integers(1, 3))
            schema, values = (
                {"type": "array", "items": schema, "minItems": count, "maxItems": 3},
                st.lists(values, min_size=count, max_size=3),
            )
        properties[name], value[name] = schema, draw(values)
    separators = draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    schema = {"type": "object", "properties": properties, "required": names, "additionalProperties": False}
    return schema, json.dumps(value, ensure_ascii=False, separators=separators)


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=25, deadline=None)
@given(document=documents(), prompt=st.sampled_from(["Answer: ", "x", "The value is\n", '{"city":"Lima"} ']))
def test_runs_are_what_the_tokenizer_writes(name: str, document: tuple[dict[str, Any], str], prompt: str) -> None:
    """Where every draw is the tokenizer's own token for the final text, so is every forced one."""
    encoder = Encoder(TOKENIZERS[name]())
    schema, text = document
    guide = guides.json_schema(schema, encoder.vocabulary, whitespace="flexible", spelling="any")
    ids, start = _written(encoder, prompt, text)
    at, state = start, guide.initial
    while at < len(ids):
        run = forced_run(encoder, guide, state, ids[:at])
        assert list(run) == ids[at : at + len(run)]
        run = run or (ids[at],)
        state = guide.advance_all(state, run)
        assert state is not None
        at += len(run)
    assert guide.accepting(state)


def _written(encoder: Encoder, prompt: str, text: str) -> tuple[list[int], int]:
    """The tokenizer's own ids of both together, and where the text begins: a token there may not cross the seam."""
    ids, tokens = encoder.append(prompt + text), encoder.vocabulary.tokens
    size = at = 0
    while size < len(prompt.encode()):
        size += len(tokens[ids[at]])
        at += 1
    if size == len(prompt.encode()):
        return ids, at
    head = encoder.append(prompt)
    return head + encoder.append(text), len(head)


def forced_positions(frontier: oc.stepping.Frontier) -> Iterator[int]:
    for group in frontier.groups:
        for h in group:
            yield from range(h.position - h.unscored, h.position)


@pytest.mark.parametrize("sampler", [oc.samplers.greedy(), oc.samplers.multinomial()], ids=repr)
@pytest.mark.parametrize("after_logits", [False, True])
def test_a_pass_is_a_draw(sampler: Any, after_logits: bool) -> None:
    """Passes: one for each place where something is drawn, and one more if the row ends in a run not scored yet; one
    less if the logits after the prompt are there already. Each token is read once."""
    model = shipped_model()
    schema = {
        "type": "object",
        "properties": {
            "town": {"enum": ["Lisbon", "Porto"]},
            "married": {"type": "boolean"},
            "end": {"const": "of it"},
        },
        "required": ["town", "married", "end"],
    }
    generator = oc.generate.json(model, schema, sampler)
    start = model.state("Mira comes from Porto").kv.drop()
    if after_logits:
        start = oc.continuous(oc.generate.text(model))(start, max_tokens=1)[..., :-1]
    for seed in range(3):
        model.stats.reset()
        before = start if after_logits else start.kv.drop()
        frontier, draws, forced = generator.begin(before, seed=seed), 0, set()
        while not frontier.done:
            forced |= set(forced_positions(frontier))
            last = frontier
            draws += all(not h.ending for group in frontier.groups for h in group)
            frontier = frontier.step(*model.read(frontier.pending))
        ends_forced = last.groups[0][0].ending is not None
        state = frontier.state
        assert ends_forced and len(forced) > 8
        assert draws + len(forced) == state.shape[2] - start.shape[2]
        first = after_logits and start.shape[2] not in forced
        assert model.stats.passes == draws + ends_forced - first
        assert model.stats.reread == 0
        assert state.finished == [["stop"]]
        with model.fresh():
            fresh = state.rescore()
        torch.testing.assert_close(state.logprobs, fresh.logprobs, atol=1e-4, rtol=1e-4)
        assert all(state.proposal_logprobs[0, 0, at] == 0 for at in forced)
        del frontier, last, state, fresh


@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_every_text_keeps_a_spelling(options: list[str]) -> None:
    """With runs forced, rows are spellings that enumeration knows, each text can still be drawn, and weights are
    those of the enumeration: forcing picks one of several spellings, and changes no score."""
    model = toy_model()
    own = {ids: p for ids, p, _ in enumerate_law(model, "xy", options)}
    step = oc.continuous(oc.generate.choice(model, options, oc.samplers.multinomial(samples=200, temperature=8.0)))
    state = step("xy", seed=1)
    for row, ids in zip(state.rows[0], spanned(state), strict=True):
        assert row.weight == pytest.approx(own[ids], abs=1e-4)
    assert {text.removeprefix("xy") for text in state} == set(options)


def test_a_seam_that_the_tokenizer_would_not_write_is_left_to_the_model() -> None:
    """`ab` after a drawn `a` would be one token: nothing is forced there, and what is drawn is not spelled anew."""
    model = toy_model()
    encoder = model.encoder
    a, b = (model.vocabulary.tokens.index(x) for x in (b"a", b"b"))
    assert spelled_after(encoder, [a], b"b") is None
    assert spelled_after(encoder, [b], b"a") == (a,)
    guide = guides.choice(["xa", "xab"], model.vocabulary)
    state = guide.advance(guide.initial, model.vocabulary.tokens.index(b"x"))
    assert guide.forced(state) == b"a", "but a token could take the `a` together with a `b`"
    assert forced_run(encoder, guide, state, [model.vocabulary.tokens.index(b"x")]) == ()


def test_the_budget_cuts_a_run() -> None:
    """A run longer than the room that is left is cut; the row goes on from there."""
    model = shipped_model()
    step = oc.continuous(oc.generate.choice(model, ["a very long fixed text without any choice"], GREEDY), name="x")
    for prompt in ("Mira:", "Mira: "):  # after the space, the run begins with a token that has it
        whole, size = step(prompt), model.state("Mira:").shape[2]
        for count in range(1, whole.shape[2] - size):
            cut = step(prompt, max_tokens=count)
            assert cut.finished == [["length"]] and cut.shape[2] == size + count
            assert step.resume(cut) == whole
        none = step(prompt, max_tokens=0)
        assert none.finished == [["length"]] and none.shape[2] == model.state(prompt).shape[2]
        assert str(none) == prompt and str(step.resume(none)) == str(whole)
        assert whole.weights.item() == pytest.approx(whole.rescore().weights.item(), abs=1e-4)


GREEDY = oc.samplers.greedy()


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="forced='always'"):
        oc.generate.regex(toy_model(), "a", forced="always")
    by_bool = type("ByBool", (type(oc.samplers.greedy()),), {"forced": False})()
    with pytest.raises(ValueError, match="forced=False: it is 'canonical' or 'never'"):
        oc.generate.regex(toy_model(), "a", by_bool)
    beams = oc.generate.regex(toy_model(), "abc", oc.samplers.beam_search(2))
    assert (beams.forced, oc.generate.regex(toy_model(), "abc").forced) == ("never", "canonical")
    assert math.isfinite(oc.continuous(beams)("x").weights[0, 0].item())
