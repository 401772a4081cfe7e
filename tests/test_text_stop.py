"""How a free text ends: with one of the model's eos tokens, and with no other special token."""

from __future__ import annotations

from functools import cache
from typing import Any

import made_tokenizers
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import random_model

import outlines_cont as oc
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import make_constraint
from outlines_cont.state.rescore import stop_logprob

ENDS = ("</s>", "<|im_end|>")


@cache
def chat_model(seed: int = 0) -> oc.Model:
    """A random model with two end tokens and others that are special: its generation config names the ends."""
    tokenizer = made_tokenizers.byte_level()
    ends = [tokenizer.get_vocab()[end] for end in ENDS]
    hf = random_model(tokenizer, seed, positions=64, eos=ends[0]).hf
    special = sorted(oc.Model(hf, tokenizer).vocabulary.special)
    with torch.no_grad():  # so that one of the special tokens is mostly likely
        hf.lm_head.weight[special] *= 2.5
    hf.generation_config.eos_token_id = ends
    return oc.Model(hf, tokenizer)


def plain_stop(model: oc.Model, ids: tuple[int, ...]) -> float:
    """The log-probability of the end tokens after a row, by a forward of the whole."""
    with torch.no_grad():
        logits = model.hf(torch.tensor([ids])).logits[0, -1].double()
    return torch.log_softmax(logits, -1)[list(model.vocabulary.eos)].logsumexp(-1).item()


SAMPLERS: dict[str, Any] = {
    "greedy": oc.samplers.greedy(),
    "multinomial": oc.samplers.multinomial(samples=4),
    "beams": oc.samplers.beam_search(4),
    "tokens": oc.samplers.beam_search(4, distinct="tokens"),
    "smc": oc.samplers.smc(4, every=1),
    "filtered": oc.samplers.multinomial(samples=4, filters=[oc.filters.bad_words(["e", "an"])]),
}


def test_the_model_has_several_ends_and_other_special_tokens() -> None:
    vocabulary = chat_model().vocabulary
    assert len(vocabulary.eos) == 2 and len(vocabulary.special) > 3


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(SAMPLERS)), st.sampled_from(["", "The capital ", "def", " a"]), st.integers(0, 50))
def test_the_stop_of_a_text_is_that_of_score_and_of_a_plain_forward(name: str, prompt: str, seed: int) -> None:
    model = chat_model(seed % 2)
    step = oc.continuous(oc.generate.text(model, SAMPLERS[name]), name="said")
    state = step(prompt + "(", seed=seed, max_tokens=6)
    again = state.rescore()
    for s, row in enumerate(state.rows[0]):
        if row.dead or state.finished[0][s] != "stop":
            continue
        stop = state.spans[0][s][-1].stop_logprob
        here = state[:, s : s + 1, :].reopen()
        assert stop == pytest.approx(plain_stop(model, row.ids), abs=1e-4)
        assert stop == pytest.approx(oc.score(here, [""], stop=True).item(), abs=1e-4)
        assert stop == pytest.approx(model.next(here, oc.generate.text(model)).logprobs[0, 0, -1].item(), abs=1e-4)
        assert stop == pytest.approx(again.spans[0][s][-1].stop_logprob, abs=1e-4)
        assert model.vocabulary.special.isdisjoint(row.ids[1:])


def test_texts_do_end_here() -> None:
    said = oc.generate.text(chat_model(), SAMPLERS["multinomial"]).run(["(", "The", "def"], seed=1, max_tokens=20)
    assert sum(how == "stop" for group in said.finished for how in group) > 1


def test_a_row_beside_one_with_a_constraint_has_the_same_law() -> None:
    """Rows of one pass may have stops of either kind."""
    model = chat_model()
    text, number = oc.generate.text(model), oc.generate.regex(model, "[0-9]+")
    state = model.state(["(", "The 1", "1"])
    texts = model.next(state, text).logprobs[:, 0, -1]
    for b, group in enumerate(state.rows):
        assert texts[b].item() == pytest.approx(plain_stop(model, group[0].ids), abs=1e-4)
    step = oc.continuous(number, name="n")
    laws = model.next(step("1", max_tokens=1, seed=0), step)
    probabilities = laws.logprobs[0, 0].exp()
    digits = [i for i in model.vocabulary.text_ids.tolist() if model.vocabulary.tokens[i].isdigit()]
    assert probabilities[-1].item() == pytest.approx(1 - probabilities[digits].sum().item(), abs=1e-5)


def test_a_text_after_a_constraint_was_given_up_and_that_of_a_controller_end_alike() -> None:
    model = chat_model()
    [token] = model.encoder.append("b")
    freed = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="n")

    def free(draw: Any) -> Any:
        return oc.steer.Replace(token, unconstrained=True) if len(draw.row) == draw.row.start else None

    given_up = freed("(", hooks=[free], max_tokens=3)
    law = model.next(given_up, freed)
    assert law.logprobs[0, 0, -1].item() == pytest.approx(plain_stop(model, given_up.rows[0][0].ids), abs=1e-4)
    for branch in (oc.steer.Branch(), oc.steer.Branch(allowed=guides.text(model.vocabulary))):
        control = oc.continuous(
            oc.generate.control(model, lambda row, b=branch: [b], oc.samplers.multinomial(samples=24))
        )
        seen = []
        state = control("(", seed=1, max_tokens=20, hooks=[oc.steer.Watch(seen.append)])
        stops = [draw for draw in seen if draw.token is None]
        for draw in stops:
            assert draw.logprob == pytest.approx(plain_stop(model, draw.row.ids), abs=1e-4)
        assert stops and torch.allclose(state.rescore().weights, state.weights, atol=1e-4)


def test_a_text_up_to_a_special_token_ends_with_that_or_with_an_end() -> None:
    model = chat_model()
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=8)), name="t")
    state = text("(", seed=0, max_tokens=10, stop_at=["<|im_start|>"])
    for s, row in enumerate(state.rows[0]):
        span = state.spans[0][s][-1]
        stop = row.pieces[-1].stop
        if state.finished[0][s] == "stop" and span.stop_logprob and stop and not stop.dropped:
            assert span.stop_logprob == pytest.approx(plain_stop(model, row.ids), abs=1e-4)
    assert torch.allclose(state.rescore().weights, state.weights, atol=1e-4)


def test_a_text_over_a_vocabulary_without_an_end_does_not_end() -> None:
    v = chat_model().vocabulary
    bare = Vocabulary(v.tokens, eos=[], special=v.special)
    constraint = make_constraint("text", None, bare)
    guide = constraint.guide
    assert stop_logprob(constraint, guide, guide.initial, torch.randn(len(bare))) == -torch.inf


MARKS = ["<|im_start|>", " Fr", "pita"]  # a special token, and texts of one token and of several


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_a_text_up_to_a_mark_of_several_tokens_or_a_special_one_is_kept_with_it(name: str) -> None:
    model, prompts = chat_model(), ["(", "The"]
    step = oc.continuous(oc.generate.text(model, SAMPLERS[name], include_stop=True), name="said", max_tokens=30)
    whole = step(prompts, seed=1, stop_at=MARKS)
    mark = model.vocabulary.tokens.index(b"<|im_start|>")
    ended = 0
    for b, rows in enumerate(whole.rows):
        for s, row in enumerate(rows):
            if row.dead or whole.finished[b][s] != "stop":
                continue
            [value] = whole.captures["said"][b][s]
            inside = model.vocabulary.decode(row.ids, special=True).decode("utf-8", "replace")[len("<s>") :]
            assert not any(text in inside[:-1] for text in MARKS), "the first mark ends it"
            special = row.ids[-1] == mark
            ended += special or inside.endswith(tuple(MARKS))
            assert value == inside.removeprefix(prompts[b]).removesuffix(MARKS[0]), "a special token is no text"
    assert ended or name in ("beams", "tokens")  # which end texts at once
    *_, last = parts = list(step.stream(prompts, seed=1, stop_at=MARKS))
    assert last == whole
    if name == "multinomial":
        drafted = step(prompts, seed=1, stop_at=MARKS, draft=oc.drafts.lookup())
        assert drafted == whole and step(model.state(prompts)[1:, :, :], seed=1, stop_at=MARKS) == whole[1:2, :, :]
        for s in range(4):
            [value] = whole.captures["said"][0][s] or [None]
            assert value is None or "".join(part.delta[0][s] for part in parts).removesuffix(MARKS[0]) == value
    digits = oc.continuous(oc.generate.regex(model, "[0-9]+", SAMPLERS[name]), name="n", max_tokens=4)
    thought = oc.continuous(step.generator, name="said", max_tokens=30, stop_at=MARKS)
    assert (thought >> " 1" >> digits)("(", seed=1) == digits(thought("(", seed=1) + " 1", seed=1)


def test_what_a_controller_writes_ends_at_no_mark() -> None:
    control = oc.generate.control(chat_model(), lambda row: [])
    with pytest.raises(ValueError, match="only text ends at a string"):
        control("(", stop_at=MARKS)
