"""What the processes of a pool do in tests. A module of its own: each of them imports nothing else of the tests."""

from __future__ import annotations

from typing import Any

import outlines_cont as oc

_models: list[oc.Model] = []


def begin() -> None:
    """What each process does first."""
    _models.append(oc.load())
    oc.storage.unpickling(_models[0])


def remote(seed: int, prompts: list[str], keys: list[int | str]) -> oc.SequenceState:
    return job(_models[0], seed, prompts, keys)


def job(model: oc.Model, seed: int, prompts: list[str], keys: list[int | str]) -> oc.SequenceState:
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)), name="text")
    return text(prompts, 4, seed=seed, keys=keys, keep=oc.Keep(candidates=1))


def gone_on(state: oc.SequenceState) -> tuple[oc.SequenceState, list[Any]]:
    year = oc.continuous(oc.generate.regex(state.model, "[0-9]{2}"), name="year")
    return year(state + " 19", seed=5), state.kept.candidates
