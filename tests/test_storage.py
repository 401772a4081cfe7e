"""States on disk: the value comes back, nothing else is in the file, and what does not fit is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from pydantic import BaseModel
from safetensors import safe_open
from safetensors.torch import save_file
from strategies import Plain, check, lawful_model, shipped_model, states
from test_bad_input import other_model

import outlines_cont as oc
from outlines_cont.state.constraint import KINDS, Constraint, make_constraint


class City(BaseModel):
    name: str
    size: int


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states())
def test_a_state_comes_back_identical(tmp_path: Path, pair: tuple[oc.SequenceState, Plain]) -> None:
    """All of it: spans, stops, scores, lineage, dead rows; and it is joined and sliced as before."""
    state, plain = pair
    state.save(tmp_path / "s")
    loaded = oc.load_state(tmp_path / "s", lawful_model())
    check(loaded, plain)
    assert loaded == state and loaded.identical(state) and hash(loaded) == hash(state)
    assert (loaded[..., :2] + loaded[..., 2:]).identical(state[..., :2] + state[..., 2:])
    loaded.save(str(tmp_path / "t"))
    assert oc.load_state(str(tmp_path / "t"), lawful_model()).identical(state)


@pytest.mark.parametrize("kind", ["text", "choice", "regex", "json", "format", "stop_at", "eos"])
def test_a_loaded_span_goes_on_as_the_saved_one(kind: str, tmp_path: Path) -> None:
    """The constraint, the stop strings and the randomness are in the file or follow from it."""
    g, model = oc.generate, shipped_model()
    generator = {
        "text": lambda: g.text(model),
        "stop_at": lambda: g.text(model, include_stop=True),
        "choice": lambda: g.choice(model, ["a long way to go", "a long walk", "ü"]),
        "regex": lambda: g.regex(model, "[a-f]{3}-[0-9]{4}"),
        "eos": lambda: g.regex(model, "[a-f]{3,9}", stop="eos"),
        "json": lambda: g.json(model, City),
        "format": lambda: g.format(model, float),
    }[kind]()
    step = oc.continuous(generator, name="it")
    stops = {"stop_at": ["e", "zz"]} if kind == "stop_at" else {}
    for seed in range(5):
        part = step(["Once", "The"], max_tokens=2, seed=seed, **stops)
        part.save(tmp_path / "s")
        loaded = oc.load_state(tmp_path / "s", model)
        whole = step.resume(part, max_tokens=12, seed=seed)
        assert step.resume(loaded, max_tokens=12, seed=seed).identical(whole)
        whole.save(tmp_path / "s")
        assert step.resume(oc.load_state(tmp_path / "s", model), max_tokens=3, seed=9) == step.resume(whole, 3, seed=9)
        assert torch.allclose(oc.load_state(tmp_path / "s", model).rescore().weights, whole.weights, atol=1e-3)


def test_captures_of_a_loaded_state_are_plain(tmp_path: Path) -> None:
    """A file holds no classes: pydantic objects come back as what JSON says, everything else as a str."""
    model = shipped_model()
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}

    class Answer(BaseModel):
        ok: bool

    steps = [
        oc.continuous(oc.generate.json(model, Answer), name="object"),
        oc.continuous(oc.generate.json(model, schema), name="dict"),
        oc.continuous(oc.generate.regex(model, "[0-9]{2}"), name="digits"),
        oc.continuous(oc.generate.choice(model, ["a", "b"]), name="choice"),
    ]
    state = model.state("x")
    for step in steps:
        state = step(state, seed=1)
    state.save(tmp_path / "s")
    loaded = oc.load_state(tmp_path / "s", model)
    assert isinstance(state.captures["object"][0][0][0], Answer)
    assert loaded.captures["object"] == [[[state.captures["object"][0][0][0].model_dump()]]]
    for name in ("dict", "digits", "choice"):
        assert loaded.captures[name] == state.captures[name]
    first = loaded.captures["dict"][0][0][0]
    first["ok"] = "changed"
    assert loaded.captures["dict"] == state.captures["dict"]


def test_under_another_model_there_are_no_scores(tmp_path: Path) -> None:
    """Of equal vocabulary: the tokens and spans, log-probabilities NaN until `rescore()`."""
    state = oc.continuous(oc.generate.regex(shipped_model(), "[0-9]+"), name="n")("In ", max_tokens=3, seed=2)
    state.save(tmp_path / "s")
    loaded = oc.load_state(tmp_path / "s", other_model())
    assert loaded == state and loaded.model is other_model() and loaded.weights.isnan().all()
    assert loaded.identical(state.to(other_model())) and loaded.finished == state.finished
    assert loaded.captures == state.captures
    assert loaded.rescore().weights.isfinite().all()
    loaded.save(tmp_path / "t")
    again = oc.load_state(tmp_path / "t", other_model())
    assert again.identical(loaded) and again.weights.isnan().all()
    with pytest.raises(ValueError, match="another vocabulary"):
        oc.load_state(tmp_path / "s", other_model(1600))


def test_what_is_no_saved_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    shipped_model().state("abc").save(path)
    whole = path.read_bytes()
    for data in (b"", b"hello world, I am no tensor", whole[:20], whole[:-3], bytes(len(whole))):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="no saved state"):
            oc.load_state(path, shipped_model())
    for metadata in (None, {"outlines_cont": "{}"}, {"outlines_cont": "not json"}, {"outlines_cont": "[]"}):
        save_file({"ids": torch.zeros(1)}, path, metadata=metadata)
        with pytest.raises(ValueError, match="no saved state"):
            oc.load_state(path, shipped_model())
    with pytest.raises(FileNotFoundError):
        oc.load_state(tmp_path / "nowhere", shipped_model())


def test_a_file_holds_tensors_and_json_only(tmp_path: Path) -> None:
    """No pickle, no keys and values, no path of this machine."""
    state = oc.continuous(oc.generate.text(shipped_model()))("Once", max_tokens=3, seed=0)
    state.save(tmp_path / "s")
    data = (tmp_path / "s").read_bytes()
    assert b"pickle" not in data and data[8:9] == b"{" and str(tmp_path).encode() not in data
    with safe_open(tmp_path / "s", framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    assert {name: list(tensor.shape) for name, tensor in tensors.items()} == {
        "ids": [state.shape[2]],
        "drawn": [state.shape[2]],
        "logprobs": [3],
        "proposals": [3],
    }
    assert len(data) < 5_000


def test_an_unknown_kind_of_constraint_is_refused() -> None:
    """The error names the known kinds; a kind that somebody forgot to list is not taken for a regex."""
    vocabulary = shipped_model().vocabulary
    names = ".*".join(map(repr, KINDS))
    with pytest.raises(ValueError, match=f"'poem' is no kind of constraint; the kinds are {names}"):
        make_constraint("poem", "[0-9]+", vocabulary)
    spec = json.dumps({"kind": "poem", "argument": "[0-9]+", "options": {}})
    with pytest.raises(ValueError, match="'poem' is no kind of constraint"):
        Constraint.of(spec, vocabulary, "a file")
