"""The real model on the engine that `pytest --real` names: what a real vocabulary, windows and weights try.

The laws run on it, too (tests/test_laws.py), and test_mission.py shows it at work.
"""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import real_engine
import torch
from engines import PlainModel, check_engine
from real_model import VARIABLE, folder_of_choice
from test_composition import chained, one_by_one, same
from test_notebooks import OF_THE_REAL_MODEL, check_notebook, prepare_environment

import outlines_cont as oc

LONG = 1300  # tokens, more than two windows
GREEDY, BEAMS = oc.samplers.greedy(), oc.samplers.beam_search(2)
STORY = "Mira is a painter from Lisbon. She was born in 1987, and she is 37 years old.\n"
NESTED = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 8},
        "born": {"type": "string", "format": "date"},
        "towns": {"type": "array", "items": {"enum": ["Lisbon", "Rome"]}, "minItems": 1, "maxItems": 2},
    },
    "required": ["name", "born", "towns"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def model() -> oc.Model:
    return real_engine.model()


class OneWithoutCache(PlainModel):
    """transformers' own forward over whole rows: nothing is kept, and only the logits that are wanted are made."""

    @torch.no_grad()
    def read(self, needs: Any) -> tuple[torch.Tensor, list[None]]:
        lines = [torch.empty(0, len(self.vocabulary))]
        for need in (need for need in needs if need.wanted):
            wanted = torch.tensor(need.wanted)
            lines.append(self._hf(torch.tensor([need.tokens]), logits_to_keep=wanted).logits[0])
            self.stats.tokens += len(need.tokens)
        return torch.cat(lines), [None] * len(needs)


@pytest.mark.skipif(real_engine.chosen == "llama.cpp", reason="it is run once, and loads its engines itself")
@pytest.mark.parametrize("path", OF_THE_REAL_MODEL, ids=lambda path: path.stem)
def test_a_notebook_gives_what_is_stored_in_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads the variable OUTLINES_CONT_REAL, the folder with `hf/` and `model.gguf`."""
    monkeypatch.setenv(VARIABLE, str(folder_of_choice()))
    prepare_environment(monkeypatch)
    check_notebook(path, timeout=1200)


def test_it_does_what_is_asked_of_any_engine(model: oc.Model) -> None:
    """In float32 it is compared with transformers' own forward. The weights of Q4 are computed by nobody else as
    llama.cpp does it: there a second context of it, which is asked the same, must give the same."""
    if real_engine.chosen == "transformers":
        check_engine(model, OneWithoutCache(model))
    else:
        check_engine(model, real_engine.another_model(), atol=0.0, rounding=real_engine.ROUNDING)


@pytest.mark.same_numbers
@pytest.mark.parametrize("sampler", [GREEDY, oc.samplers.multinomial(samples=2), BEAMS], ids=repr)
def test_law_12_a_chain_is_the_composition_of_its_steps(model: oc.Model, sampler: Any) -> None:
    town = oc.continuous(oc.generate.choice(model, ["Lisbon", "Rome", "Porto"], sampler), name="town")
    year = oc.continuous(oc.generate.regex(model, "(19|20)[0-9]{2}", sampler), name="year")
    parts = [" Town: ", town, "\nBorn: ", year, "."]
    prompts = [STORY, "Tom is from Rome."]
    whole = chained(parts)(prompts, seed=1)
    same(whole, one_by_one(parts, prompts, model, seed=1))
    *_, last = chained(parts).stream(prompts, seed=1)
    same(last, whole)


def test_beams_find_the_likeliest_option(model: oc.Model) -> None:
    """With a beam for each option, the best of them is the one that the exact scores name."""
    options = ["Lisbon", "Rome", "Porto", "Lima"]
    start = model.state(STORY + "Q: Where is Mira from?\nA:")
    found = oc.continuous(oc.generate.choice(model, options, oc.samplers.beam_search(4)), name="town")(start)
    towns = [town for [town] in found.captures["town"][0]]
    assert sorted(towns) == sorted(options) and found.weights[0].tolist() == sorted(found.weights[0], reverse=True)
    exact = oc.generate.choice(model, options, GREEDY, by="sequence")
    assert exact(start) == towns[0] == "Lisbon"
    assert exact.probabilities(start).sum().item() == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("sampler", [GREEDY, oc.samplers.multinomial(samples=2), BEAMS], ids=repr)
def test_json_is_valid(model: oc.Model, sampler: Any) -> None:
    """Of two prompts together, whatever is drawn."""
    step = oc.continuous(oc.generate.json(model, NESTED, sampler), name="card")
    state = step([STORY + "Mira as JSON: ", "JSON: "], seed=1)
    for rows, texts in zip(state.captures["card"], state.tolist(), strict=True):
        for [value], text in zip(rows, texts, strict=True):
            jsonschema.validate(value, NESTED, format_checker=jsonschema.FormatChecker())
            assert json.loads(text[text.index("JSON: ") + 6 :]) == value


@pytest.mark.parametrize("stop_at", [None, ["."], ["é", "\n\n"]])
def test_a_stream_gives_the_text_of_the_call(model: oc.Model, stop_at: Any) -> None:
    """Also characters of several tokens, and texts that end at a string."""
    step = oc.continuous(oc.generate.text(model, GREEDY), stop_at=stop_at)
    prompt = "Emojis: 🦙 🎉 🧿 🪁 🦙 🎉 🧿 🪁 🦙 🎉 🧿"
    whole, deltas = step(prompt, max_tokens=12), []
    for partial in step.stream(prompt, max_tokens=12):
        deltas.append(partial.delta)
        assert "\ufffd" not in partial.delta and str(partial).startswith(prompt)
    assert str(whole) == prompt + "".join(deltas)
    assert partial == whole and partial.finished == whole.finished


def a_long_prompt(model: oc.Model) -> oc.SequenceState:
    """Of `LONG` tokens, no two lines of which are the same."""
    towns = ["Rome", "Lima", "Porto"]
    people = "".join(f"Person {i} was born in {1900 + 7 * i % 100} in {towns[i % 3]}.\n" for i in range(200))
    [ids, end] = (model.state(text).token_ids[0, 0].tolist() for text in (people, "\nPerson 3 as JSON: "))
    return model.state([ids[: LONG - len(end) + 1] + end[1:]])


def test_a_prompt_longer_than_its_windows_is_read_once_whatever_becomes_of_it() -> None:
    """Forks, a resumed cut, JSON, and another way from its middle, where windows see other tokens. In float32 its
    greedy text is that of transformers' generate()."""
    model = real_engine.another_model()
    start = a_long_prompt(model)
    text, drawn = (oc.continuous(oc.generate.text(model, sampler), name="text") for sampler in (GREEDY, None))
    read: list[int] = []

    def counted(state: oc.SequenceState) -> oc.SequenceState:
        read.append(model.stats.tokens + model.stats.reread)
        model.stats.reset()
        return state

    model.stats.reset()
    whole = counted(text(start, max_tokens=8))
    forks = counted(drawn(start.fork(3), max_tokens=6, seed=1))
    again = counted(drawn.resume(forks[..., :-3], max_tokens=3, seed=2))
    card = counted(oc.continuous(oc.generate.json(model, NESTED, GREEDY), name="card")(start))
    middle = counted(text(start[..., : LONG // 2], max_tokens=4))
    assert start.shape[2] == LONG and read[0] == LONG + 7  # the last token is not read until somebody goes on
    assert read[1] <= 3 * 5 and read[2] <= 3 * 3 and read[3] < card.shape[2] - LONG and read[4] <= 4
    jsonschema.validate(card.captures["card"][0][0][0], NESTED, format_checker=jsonschema.FormatChecker())
    assert again[..., :-3] == forks[..., :-3]
    if real_engine.chosen == "transformers":
        assert_generated(model, whole, LONG)
        assert_generated(model, middle, LONG // 2)
    del start, whole, forks, again, card, middle
    gc.collect()
    assert model.stats.kv_bytes == 0


def assert_generated(model: oc.Model, state: oc.SequenceState, length: int) -> None:
    """The row is that of generate() after so many tokens, up to one where two tokens are nearly as likely."""
    [[row]] = state.rows
    prompt = torch.tensor([row.ids[:length]])
    theirs = model.hf.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        max_new_tokens=len(row) - length,
        do_sample=False,
        output_logits=True,
        return_dict_in_generate=True,
    )
    for ours, right, [logits] in zip(
        row.ids[length:], theirs.sequences[0, length:].tolist(), theirs.logits, strict=True
    ):
        if ours != right:
            assert logits[right] - logits[ours] < 1e-3
            return


@pytest.mark.skipif(real_engine.chosen == "transformers", reason="only llama.cpp has a context of its own")
def test_a_context_that_is_smaller_than_a_prompt_says_what_would_help() -> None:
    model = oc.load(real_engine.files().gguf, n_ctx=1024, n_threads=torch.get_num_threads())
    assert model.context_length == 1024
    with pytest.raises(ValueError, match=rf"{LONG}.* 1,?024.*n_ctx"):
        oc.generate.text(model, GREEDY)(a_long_prompt(model), max_tokens=3)


def test_without_a_chat_template_a_conversation_is_refused(model: oc.Model) -> None:
    """The model has none; one that is given serves."""
    messages = [{"role": "user", "content": "Hi"}]
    with pytest.raises(ValueError, match="has no chat template: its model was not trained on conversations"):
        model.chat(messages)
    model.tokenizer.chat_template = "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    try:
        assert str(model.chat(messages)) == "user: Hi\n"
        assert model.chat(messages) == model.state("user: Hi\n")
    finally:
        model.tokenizer.chat_template = None


def test_grafts_that_its_windows_would_cut_are_refused(model: oc.Model) -> None:
    """transformers moves keys up to the length of its windows, and llama.cpp moves none. Tokens that keep their
    positions are taken over by both."""
    left, right = model.state("One. ").kv.prefill(), model.state("Mira is a painter.").kv.prefill()
    if real_engine.chosen == "transformers":
        grafted = oc.grafts.graft(left, right, 0)
        assert grafted == left + right and not grafted.kv.exact.all()
        with pytest.raises(ValueError, match=r"attend in windows of 512 tokens, and a row of 60. is longer"):
            oc.grafts.graft(left, model.state(" word" * 600), 0)
    else:
        with pytest.raises(ValueError, match="no way to move keys to other positions"):
            oc.grafts.graft(left, right, 0)
    other = model.state([[*left.token_ids[0, 0, :-1].tolist(), *right.token_ids[0, 0].tolist()]]).kv.prefill()
    kept = oc.grafts.graft(left, other, 0, skip=left.lengths)
    assert kept.kv.exact.sum() == left.lengths and kept.lengths == other.lengths


@pytest.mark.parametrize("act", ["file", "bytes"])
def test_a_saved_state_is_the_same_and_goes_on(model: oc.Model, tmp_path: Any, act: str) -> None:
    step = oc.continuous(oc.generate.json(model, NESTED, GREEDY), name="card")
    state = step([STORY + "As JSON: ", "JSON: "], max_tokens=9)
    assert state.finished == [["length"]] * 2
    if act == "file":
        state.save(tmp_path / "state")
        again = oc.load_state(tmp_path / "state", model)
    else:
        again = oc.storage.from_bytes(oc.storage.to_bytes(state), model)
    assert again.identical(state) and again.kv.lengths.tolist() == state.kv.lengths.tolist()
    ends = step.resume(again)
    assert ends == step.resume(state)
    for [[value]] in ends.captures["card"]:
        jsonschema.validate(value, NESTED)
