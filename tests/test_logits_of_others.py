"""Logits and claims that somebody else gives are looked at wherever they come in: every door, with every mistake."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from cases import pairs
from engines import PlainModel
from fitful_engine import FitfulModel
from test_engine_checks import bigram, lines, right

import outlines_cont as oc

honest = oc.load()
GREEDY = oc.samplers.greedy()
START = oc.continuous(oc.generate.text(honest, GREEDY), name="word")("The sky is", max_tokens=2)

#: Of right logits `[lines, V]`: what stands in their place.
WRONG_LOGITS: dict[str, Callable[[torch.Tensor], Any]] = {
    "a column too few": lambda logits: logits[:, :-1],
    "a column too many": lambda logits: torch.cat([logits, logits[:, :1]], 1),
    "a line too few": lambda logits: logits[:-1],
    "a line too many": lambda logits: torch.cat([logits, logits[:1]]),
    "one dimension": lambda logits: logits.flatten(),
    "no dimension": lambda logits: logits.sum(),
    "three dimensions": lambda logits: logits[None],
    "int64": lambda logits: logits.long(),
    "bool": lambda logits: logits > 0,
    "complex": lambda logits: logits.to(torch.complex64),
    "sparse": lambda logits: logits.to_sparse(),
    "nested": lambda logits: torch.nested.nested_tensor([logits]),
    "on the device meta": lambda logits: logits.to("meta"),
    "None": lambda logits: None,
    "lists": lambda logits: logits.tolist(),
    "numpy": lambda logits: logits.numpy(),
}
#: Of right claims, one for each need.
WRONG_CLAIMS: dict[str, Callable[[list[Any]], Any]] = {
    "no claims": lambda claims: [],
    "None for all claims": lambda claims: None,
    "a claim too many": lambda claims: [*claims, None],
    "claims that are none": lambda claims: [0 for _ in claims],
    "claims by name": lambda claims: dict.fromkeys(range(len(claims))),
}
#: Of both.
WRONG_PAIRS: dict[str, Callable[[torch.Tensor, list[Any]], Any]] = {
    "logits alone": lambda logits, claims: logits,
    "nothing": lambda logits, claims: None,
    "three": lambda logits, claims: (logits, claims, 1),
}
FAULTS: dict[str, Callable[[torch.Tensor, list[Any]], Any]] = {
    **{name: lambda logits, claims, wrong=wrong: (wrong(logits), claims) for name, wrong in WRONG_LOGITS.items()},
    **{name: lambda logits, claims, wrong=wrong: (logits, wrong(claims)) for name, wrong in WRONG_CLAIMS.items()},
    **WRONG_PAIRS,
}


class Liar(PlainModel):
    """A third party's model with a mistake, or none."""

    keeps = True  # so that states ask it to read ahead

    def __init__(self, fault: str | None):
        super().__init__(honest)
        self.fault = fault

    def read(self, needs: Sequence[Any]) -> Any:
        logits, claims = super().read(needs)
        return FAULTS[self.fault](logits, claims) if self.fault else (logits, claims)


def text(model: Any, sampler: Any = GREEDY) -> Any:
    return oc.generate.text(model, sampler)


def choice(model: Any) -> Any:
    return oc.generate.choice(model, [" blue", " white"], oc.samplers.multinomial(), by="sequence")


def stepped_by_hand(model: Any) -> Any:
    frontier = text(model).begin("Mira")
    return frontier.step(*model.read(frontier.pending))


def asked_in_blocks(model: Any) -> Any:
    frontier = text(model).begin(["Mira", "The sky"])
    return frontier.step(*model.read(frontier.pending[1:]), rows=[1])


def next_token(model: Any) -> Any:
    model = oc.Model(model)
    return model.next("The sky is", text(model))


def moved(model: Any) -> oc.SequenceState:
    return START.kv.drop().to(model)


#: Everything that reads through a language model.
DOORS: dict[str, Callable[[Any], Any]] = {
    "a call": lambda m: text(m)("Mira", max_tokens=1),
    "a forced run": lambda m: oc.generate.choice(m, [" blue and white"], GREEDY)("The sky is"),
    "a stream": lambda m: list(text(m).stream("Mira", max_tokens=1)),
    "asyncio": lambda m: asyncio.run(text(m).acall("Mira", max_tokens=1)),
    "beams": lambda m: text(m, oc.samplers.beam_search(2))("Mira", max_tokens=1),
    "particles": lambda m: text(m, oc.samplers.smc(2))("Mira", max_tokens=1),
    "a choice by sequence": lambda m: choice(m)("The sky is"),
    "probabilities": lambda m: choice(m).probabilities("The sky is"),
    "step() by hand": stepped_by_hand,
    "step() of some rows": asked_in_blocks,
    "Model.read": lambda m: oc.Model(m).read([oc.stepping.Need((0, 921, 263), (0, 2))]),
    "Model.logits": lambda m: oc.Model(m).logits([oc.stepping.Need((0, 921, 263), (0, 2))]),
    "next": next_token,
    "score": lambda m: oc.score(moved(m), [" blue", " white"]),
    "scoring": lambda m: oc.scores.scoring(m, [" blue", " white"])("The sky is"),
    "rescore": lambda m: moved(m).rescore(),
    "prefill": lambda m: moved(m).kv.prefill(),
    "a context": lambda m: text(m)("The sky is", max_tokens=1, beside=[("The sea is", 1.0)]),
    "a context of another model": lambda m: text(honest)(
        "The sky is", max_tokens=1, beside=[(m_state(m, "The sea is"), 1.0)]
    ),
    "a proposal of another model": lambda m: text(honest, oc.samplers.multinomial())(
        "The sky is", max_tokens=1, beside=oc.Mix.proposal(m_state(m, "The sea is"))
    ),
    "a draft model": lambda m: text(honest)("The sky is", max_tokens=4, draft=oc.drafts.model(m, k=2)),
    "with a draft": lambda m: text(m)("The sky is. The sky is", max_tokens=4, draft=oc.drafts.lookup()),
}


def m_state(model: Any, prompt: str) -> oc.SequenceState:
    return honest.state(prompt).to(model)


@pytest.mark.parametrize("door", DOORS)
def test_a_right_answer_comes_in_by_every_door(door: str) -> None:
    DOORS[door](Liar(None))


@pairs(("door", "fault"), DOORS, FAULTS, strength=1)
def test_a_wrong_answer_comes_in_by_no_door(door: str, fault: str) -> None:
    by_hand = door.startswith("step()")
    if by_hand and fault in (*WRONG_PAIRS, "None for all claims"):
        pytest.skip("step() takes logits and claims, and may do without claims")
    with pytest.raises((TypeError, ValueError, oc.errors.DraftError)) as caught:
        DOORS[door](Liar(fault))
    assert ("step() got" if by_hand else "Liar.read gave") in str(caught.value)
    assert "1536)" in str(caught.value) or fault in WRONG_CLAIMS, "it says what would be right"


@pairs(("door", "keeps", "fault"), ["a call", "score", "fresh"], [True, False], WRONG_LOGITS)
def test_a_pass_of_an_engine_with_slots_is_looked_at(door: str, keeps: bool, fault: str) -> None:
    model = bigram(right, keeps)
    state = model.state("The sky is")

    def wrong(engine: Any, runs: Sequence[Any]) -> Any:
        return WRONG_LOGITS[fault](lines(engine, runs)), 1

    model.engine.answer = wrong
    with pytest.raises((TypeError, ValueError), match=r"^Bigram\.forward gave"):
        if door == "score":
            oc.score(state, [" blue"])
        elif door == "fresh":
            with model.fresh():
                text(model)(state, max_tokens=1)
        else:
            text(model)(state, max_tokens=1)
    model.engine.answer = right
    text(model)(state, max_tokens=1)


@pytest.mark.parametrize("fault", WRONG_LOGITS)
def test_logits_that_a_writer_of_rows_shows_are_looked_at(fault: str) -> None:
    class Showing(FitfulModel):
        def row_writer(self, answers: Any) -> Any:
            return self.requests.writer(lambda asked, logits: answers(asked, WRONG_LOGITS[fault](logits)))

    model: Any = Showing(honest, 0)
    with pytest.raises((TypeError, ValueError), match=r"^Showing\.row_writer gave .*1536\)"):
        text(model)(["Mira", "The sky is"], max_tokens=2)


@pytest.mark.parametrize("fault", [fault for fault in WRONG_LOGITS if fault != "None"])
def test_another_proposal_than_logits_is_refused(fault: str) -> None:
    frontier = text(honest, oc.samplers.multinomial()).begin(["Mira", "The sky"])
    logits = honest.logits(frontier.pending)
    with pytest.raises((TypeError, ValueError), match=r"^step\(proposal=…\) got .*\(2, 1536\)"):
        frontier.step(logits, proposal=WRONG_LOGITS[fault](logits))


@pytest.mark.parametrize(
    "kept",
    [
        lambda line: None,
        lambda line: [line],
        lambda line: {-5: line},
        lambda line: {1: line[:-1]},
        lambda line: {1: line[None]},
        lambda line: {1: line.long()},
        lambda line: {1: line.tolist()},
        lambda line: {1: line.to_sparse()},
    ],
)
def test_logits_that_a_model_has_kept_are_looked_at(kept: Callable[[torch.Tensor], Any]) -> None:
    class Keeping(Liar):
        def kept_logits(self, row: Any, positions: Sequence[int]) -> Any:
            return kept(torch.zeros(1536))

    with pytest.raises((TypeError, ValueError), match=r"^Keeping\.kept_logits gave .*\(1536,\)"):
        oc.engines.protocol.kept_logits(Keeping(None), moved(Keeping(None)).rows[0][0], [1, 2])


def test_no_model_is_read_past_the_check() -> None:
    """A new door calls `outlines_cont.engines.protocol.read(model, needs)`."""
    past: list[str] = []
    root = Path(oc.__file__).parent
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "read":
                owner = ast.unparse(node.value).rpartition(".")[2].strip("_")
                if owner.endswith(("model", "small", "engine", "large")):
                    past.append(f"{path.relative_to(root)}:{node.lineno}")
    assert [place.partition(":")[0] for place in past] == ["engines/protocol.py"], past
