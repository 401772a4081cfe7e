"""What every language model behind a state must do: `check_language_model(model, reference)`, for anybody's own.

A model is any object with the members of `outlines_cont.engines.protocol.LanguageModel`. It is compared with one of
equal weights that is trusted: the same programs give the same tokens wherever no draw lies within the measured error of
the logits, and log-probabilities that are equal up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

import outlines_cont as oc
from outlines_cont.engines.protocol import LanguageModel, missing_members

GREEDY = oc.samplers.greedy()
Program = Callable[[LanguageModel], oc.SequenceState]


def chain_of(model: LanguageModel, sampler: Any) -> oc.Chain:
    """Choice, text, regex, JSON: a chain with every kind of end."""
    city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris", "Lima"], sampler), name="city")
    year = oc.continuous(oc.generate.regex(model, "[0-9]{1,4}", sampler), name="year")
    schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
    data = oc.continuous(oc.generate.json(model, schema, sampler), name="data", max_tokens=16)
    return city >> " in " >> year >> ": " >> data


def forked(model: LanguageModel) -> oc.SequenceState:
    text = oc.continuous(oc.generate.text(model))
    state = text("Mira is a", max_tokens=4, seed=3).fork(3)
    return text(state[..., :-2] + " and", max_tokens=4, seed=4).best(2)


def resumed(model: LanguageModel) -> oc.SequenceState:
    chain = chain_of(model, GREEDY)
    return chain.resume(chain("The capital of Italy is ")[..., :-3])


PROGRAMS: dict[str, Program] = {
    "greedy": lambda model: chain_of(model, GREEDY)(["The capital of France is ", "I live in "]),
    "drawn": lambda model: chain_of(model, oc.samplers.multinomial(samples=3))("I live in ", seed=1),
    "beams": lambda model: chain_of(model, oc.samplers.beam_search(3))("The capital of Peru is "),
    "forked and cut": forked,
    "resumed": resumed,
    "prefilled": lambda model: oc.continuous(oc.generate.text(model, GREEDY))(
        oc.continuous(oc.generate.text(model, GREEDY))("The sky is", max_tokens=2).prefill(), max_tokens=2
    ),
    "joined": lambda model: oc.continuous(oc.generate.text(model, GREEDY))("The sky is", max_tokens=3).rescore(),
}


def check_language_model(model: LanguageModel, reference: LanguageModel) -> None:
    """AssertionError, which says what differs, if a model does not give what the reference gives."""
    assert missing_members(model) == [], "it lacks members of LanguageModel"
    assert model.vocabulary == reference.vocabulary and model.context_length == reference.context_length
    assert model.identity == reference.identity, "equal parameters have equal identities"
    check_reading(model, reference)
    for name, program in PROGRAMS.items():
        state, expected = program(model), program(reference)
        assert state.token_ids.tolist() == expected.token_ids.tolist(), f"{name}: {state} is not {expected}"
        assert state.finished == expected.finished and state.captures.keys() == expected.captures.keys(), name
        for values in ("logprobs", "proposal_logprobs", "weights"):
            own, theirs = getattr(state, values).cpu(), getattr(expected, values).cpu()
            assert torch.allclose(own, theirs, atol=1e-3, equal_nan=True), f"{name}: other {values}"
        assert (state.kv_lengths <= state.lengths).all(), f"{name}: more is kept than there is"
        with TemporaryDirectory() as folder:
            state.save(f"{folder}/state")
            assert oc.load_state(f"{folder}/state", model).identical(state), f"{name}: saved and loaded"
            assert oc.load_state(f"{folder}/state", reference) == state, f"{name}: loaded by the reference"
    start = oc.continuous(oc.generate.text(model, GREEDY))("Mira is a", max_tokens=1)
    texts = [" painter", " sailor", ""]
    scores, expected = oc.score(start, texts), oc.score(start.to(reference), texts)
    assert torch.allclose(scores.cpu(), expected.cpu(), atol=1e-3), "score() differs"


def check_reading(model: LanguageModel, reference: LanguageModel) -> None:
    """One line for each wanted position, in order, and none for needs that want nothing or that wait."""
    ids = tuple(model.encoder.start("Mira is a painter")[0])
    last = len(ids) - 1
    silent = [oc.Need(ids), oc.Need(ids[:2]), oc.Need(ids, keep=len(ids)), oc.Need(())]
    for needs in [silent, [oc.Need(ids, (0, last)), *silent, oc.Need(ids[-1:], (last,), head=ids[:-1]), oc.Need(ids)]]:
        (logits, claims), (expected, _) = model.read(needs), reference.read(needs)
        lines = sum(len(need.wanted) for need in needs)
        assert logits.shape == (lines, len(model.vocabulary)), f"{lines} logits are wanted, not {len(logits)}"
        assert torch.allclose(logits.float().cpu(), expected.float().cpu(), atol=1e-3), "other logits"
        assert len(claims) == len(needs), "a claim or None for each need, also where nothing is wanted"


class PlainModel:
    """A third party's model: nothing is kept, every row is read whole, and no class of the library is inherited."""

    keeps = False

    def __init__(self, model: oc.Model):
        self.vocabulary, self.encoder, self.context_length = model.vocabulary, model.encoder, model.context_length
        self.device, self.dtype, self.identity = model.device, model.dtype, model.identity
        self.stats = SimpleNamespace(tokens=0, reused=0)
        self._hf = model.hf

    @torch.no_grad()
    def read(self, needs: Sequence[Any]) -> tuple[Tensor, list[None]]:
        lines = [torch.empty(0, len(self.vocabulary))]
        for need in (need for need in needs if need.wanted):
            lines.append(self._hf(torch.tensor([need.tokens])).logits[0, list(need.wanted)])
            self.stats.tokens += len(need.tokens)
        return torch.cat(lines), [None] * len(needs)

    def claimed(self, row: Any) -> Any:
        return row

    def kv_lengths(self, rows: Iterable[Any]) -> list[int]:
        return [0 for _ in rows]
