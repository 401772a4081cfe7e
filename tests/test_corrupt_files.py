"""State files that were damaged, or forged: what is loaded equals what was saved, or is refused by name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from cases import nightly
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import save
from strategies import beside, lawful_model

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import KINDS, make_constraint
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece
from outlines_cont.storage import files as storage
from outlines_cont.storage.files import DTYPES, _checksum

GREEDY = oc.samplers.greedy()


def again_and_back(draw: oc.steer.Draw) -> Any:
    """Another first token, and then back to it, without two others."""
    if draw.attempt:
        return None
    return oc.steer.Backtrack(1, ban=[3, 4]) if len(draw.row) > draw.row.start else oc.steer.Resample()


@cache
def saved() -> list[tuple[oc.SequenceState, bytes]]:
    """States with all that a file may hold, and their files."""
    model = lawful_model()
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)), name="text")
    digits = oc.continuous(oc.generate.regex(model, "[0-9]{2}"), name="digits")
    data = oc.continuous(oc.generate.json(model, schema, GREEDY), name="data")
    control = oc.continuous(oc.generate.control(model, lambda row: [] if row.text else [oc.steer.Branch(forced=" so")]))
    particles = oc.continuous(oc.generate.choice(model, ["Rome", "Lima"], oc.samplers.smc(3)), name="p")
    states = [
        model.state(["Mira", "In 19"]),
        text(["Mira", "In 19"], max_tokens=4, seed=1, stop_at=[" ", "a"], keep=oc.Keep(candidates=2, alternatives=2)),
        digits(digits("In ", seed=2, hooks=[beside(3)]) + " or ", seed=2)[..., :-1],
        data("Mira is 34.\n", max_tokens=20),
        control("Mira"),
        particles("Mira lives in ", seed=3),
        model.state(["a", "b"])[:, [], :],
        digits("In ", seed=2, hooks=[again_and_back]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s"
        files = []
        for state in states:
            state.save(path)
            files.append(path.read_bytes())
    return [(state.kv.drop(), file) for state, file in zip(states, files, strict=True)]  # the laws count what is held


def loaded(data: bytes) -> oc.SequenceState:
    """The state of a file with this content. `from_bytes` gives the same, or refuses it for the same reason."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s"
        path.write_bytes(data)
        try:
            state = oc.load_state(path, lawful_model())
        except ValueError as error:
            with pytest.raises(type(error)) as caught:
                oc.storage.from_bytes(data, lawful_model())
            reason = str(error).removeprefix(str(path)).replace("deserializing header", "deserializing")
            assert str(caught.value).removeprefix("what from_bytes() was given") == reason
            raise
    assert oc.storage.from_bytes(data, lawful_model()).identical(state)
    return state


def damaged(data: bytes, dice: Random) -> bytes:
    """A few bits, bytes, cuts or repetitions, at any place."""
    changed = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 5])):
        at = dice.randrange(len(changed))
        match dice.randrange(6):
            case 0 | 1:
                changed[at] ^= 1 << dice.randrange(8)
            case 2:
                changed[at] = dice.randrange(256)
            case 3:
                del changed[at : at + dice.randrange(1, 40)]
            case 4:
                changed[at:at] = changed[at : at + dice.randrange(1, 40)]
            case 5:
                del changed[at:]
        if not changed:
            break
    return bytes(changed)


@pytest.mark.parametrize("seed", range(4))
def test_accidental_damage_is_noticed(seed: int) -> None:
    dice = Random(seed)
    for _ in range(250):
        state, data = dice.choice(saved())
        try:
            assert loaded(damaged(data, dice)).identical(state)
        except oc.errors.CorruptStateError as error:
            assert "holds no saved state that is whole" in str(error)


def forged(data: bytes, change: Any) -> bytes:
    """The same file with another header, or other tensors, and a checksum that is right."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s"
        path.write_bytes(data)
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name).clone() for name in DTYPES}
            header = json.loads(file.metadata()["outlines_cont"])
    header, tensors = change(header, tensors)
    text = json.dumps(header, ensure_ascii=False)
    return save(tensors, {"outlines_cont": text, "checksum": _checksum(text, tensors)})


def use(state: oc.SequenceState) -> None:
    """Every accessor works, and so do the operations."""
    assert state.shape[0] * state.shape[1] < 100 and (state.token_ids >= 0).all()
    assert (state.token_ids < len(state.model.vocabulary)).all()
    names = ("lengths", "weights", "scores", "logprobs", "proposal_logprobs", "particles.log_importance", "kv.lengths")
    for name in names:
        assert isinstance(attrgetter(name)(state), torch.Tensor)
    assert state.tolist() == state.text() and repr(state) and str(state) is not None
    assert state.spans is not None and state.finished is not None and state.kept.candidates is not None
    for name in state.captures:
        with suppress(oc.errors.InvalidValueError):  # its text is no value of its constraint: the file says that it is
            assert state.captures[name]
    assert (state[..., :2] + state[..., 2:]).shape[:2] == state.shape[:2]  # (a bos in the middle may be dropped)
    assert state.html() and state.reopen() is not None and state.particles.effective_sample_size is not None
    if all(len(row) for rows in state.rows for row in rows if not row.dead):
        assert state.rescore().shape == state.shape


WRONG = [None, -1, 0, 1, 2, 10**9, 2**70, 1.5, float("nan"), float("inf"), "", "text", "\ud800", [], {}, [[]], True]


def changed_header(header: Any, dice: Random) -> Any:
    """Some place of the JSON with another value, one less, or one twice."""
    spot = header
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        if not keys:
            return header
        key = dice.choice(keys)
        if isinstance(spot[key], (dict, list)) and spot[key] and dice.random() < 0.8:
            spot = spot[key]
            continue
        match dice.randrange(4):
            case 0:
                del spot[key]
            case 1 if isinstance(spot, list):
                spot.insert(key, spot[key])
            case 2 if isinstance(spot[key], int) and not isinstance(spot[key], bool):
                spot[key] += dice.choice([-1, 1, 7])
            case _:
                spot[key] = dice.choice(WRONG)
        return header


def forgery(dice: Random) -> bytes:
    """One of the files, of which a header or a tensor says something else now, with a checksum that is right."""

    def change(header: Any, tensors: dict[str, torch.Tensor]) -> Any:
        for _ in range(dice.choice([1, 1, 2])):
            header = changed_header(header, dice)
        if dice.random() < 0.2 and (filled := [name for name in tensors if len(tensors[name])]):
            name = dice.choice(filled)
            tensors[name][dice.randrange(len(tensors[name]))] = dice.choice([-1, 0, 1, 10**9, 5])
        return header, tensors

    while True:
        with suppress(UnicodeEncodeError):  # no file says that
            return forged(dice.choice(saved())[1], change)


def outcome(file: bytes) -> str:
    """What comes of loading a forged file, and of using what was loaded."""
    try:
        state = loaded(file)
    except oc.errors.CorruptStateError:
        return "refused"
    except ValueError as error:
        assert "another vocabulary" in str(error)
        return "another vocabulary"
    try:
        use(state)
    except oc.errors.CorruptStateError:
        return "refused when it was used"
    return "fine"


@pytest.mark.parametrize("seed", range(4))
def test_what_is_forged_is_consistent_or_refused(seed: int) -> None:
    dice = Random(seed)
    outcomes = Counter(outcome(forgery(dice)) for _ in range(250))
    assert outcomes["fine"] > 5 and outcomes["refused"] > 50


def with_constraint(kind: str, argument: Any, **options: Any) -> oc.SequenceState:
    """A loaded state whose span of two digits claims another constraint."""

    def change(header: Any, tensors: Any) -> Any:
        [spec] = header["constraints"]
        given = json.loads(spec)["options"] | options
        header["constraints"] = [json.dumps({"kind": kind, "argument": argument, "options": given})]
        return header, tensors

    return loaded(forged(digits_file(), change))


@cache
def digits_file() -> bytes:
    digits = oc.continuous(oc.generate.regex(lawful_model(), "[0-9]{2}"), name="it")
    with tempfile.TemporaryDirectory() as folder:
        digits("In ", seed=2).save(path := Path(folder) / "s")
        return path.read_bytes()


def test_loading_compiles_no_constraint(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is data until somebody needs its guide: a state with a large schema loads as fast as any other."""

    def compiled(*_: Any, **__: Any) -> Any:
        raise AssertionError("a constraint was compiled")

    assert digits_file()
    for name, kind in KINDS.items():
        monkeypatch.setitem(KINDS, name, kind._replace(guide=compiled))
    state = with_constraint("regex", "(a|b|[c-z]{1,50}){1,500}(x?){900}")
    assert state.captures["it"] and state.finished == [["stop"]] and str(state) and repr(state) and state.weights.sum()
    assert (state + "!")[..., :-1].identical(state) and len(state.fork(2).tolist()[0]) == 2
    with tempfile.TemporaryDirectory() as folder:
        state.save(f"{folder}/again")
        assert oc.load_state(f"{folder}/again", lawful_model()).identical(state)
    with pytest.raises(AssertionError, match="a constraint was compiled"):
        state.html()


@pytest.mark.parametrize(
    ("kind", "argument", "options", "reason"),
    [
        ("poem", None, {}, "'poem' is no kind of constraint; the kinds are 'text'"),
        ("regex", None, {}, "no regex takes None"),
        ("choice", "ab", {}, "no choice takes 'ab'"),
        ("text", None, {"stop_at": [1]}, r"options.stop_at.0: Input should be a valid string"),
        ("text", None, {"more": 1}, "options.more: Extra inputs are not permitted"),
        ("regex", "ab", {"order": "any"}, "no regex takes 'ab' with {'order': 'any'}"),
        ("regex", "ab", {"by": "sequence"}, "by='sequence' of a regex"),
        ("text", None, {"stop": "never"}, "stop='never'"),
    ],
)
def test_a_forged_constraint_of_another_shape_is_refused(kind: str, argument: Any, options: Any, reason: str) -> None:
    with pytest.raises(oc.errors.CorruptStateError, match=rf"that is whole: constraints\[0\]:? .*{reason}"):
        with_constraint(kind, argument, **options)


@pytest.mark.parametrize(
    ("kind", "argument", "reason"),
    [
        ("regex", "[0-9", "ConstraintError: the pattern '.0-9' is not a regular expression"),
        ("choice", [1], "TypeError: the options of a choice are strings"),
        ("choice", ["a", "a"], "ValueError: the option 'a' is given twice"),
        ("cfg", "start: nothing", "ConstraintError: "),
        ("json", {"type": "nothing"}, "ConstraintError: "),
        ("regex", "[a-f]{2}", "the tokens of the span do not fit it"),
    ],
)
def test_a_forged_constraint_is_noticed_when_it_is_needed(kind: str, argument: Any, reason: str) -> None:
    """What cannot be compiled, or does not fit the row, is named where somebody asks what the constraint allowed."""
    state = with_constraint(kind, argument)
    for need in (oc.SequenceState.html, oc.SequenceState.rescore):
        with pytest.raises(oc.errors.CorruptStateError, match=rf"that is whole: constraints\[0\]: {reason}"):
            need(state)


@pytest.mark.parametrize(
    ("origin", "notes", "reason"),
    [
        (0, {"forced": [0]}, "forced tokens, or draws, of what was given"),
        (0, {"entropies": [[0, 1.0]]}, "forced tokens, or draws, of what was given"),
        (1, {"forced": [0], "entropies": [[0, 1.0]]}, "a token that was forced and drawn"),
        (1, {"forced": [1], "candidates": [[1, [[5, -1.0, -1.0]]]]}, "a token that was forced and drawn"),
        (1, {"forced": [2]}, "notes out of their places"),
    ],
)
def test_forged_marks_of_draws_that_contradict_each_other_are_refused(origin: int, notes: Any, reason: str) -> None:
    def change(header: Any, tensors: Any) -> Any:
        header["origins"][origin]["notes"] = notes
        return header, tensors

    with pytest.raises(oc.errors.CorruptStateError, match=rf"origins\[{origin}\]: {reason}"):
        loaded(forged(digits_file(), change))


def test_a_refusal_takes_little_memory() -> None:
    _, data = saved()[0]

    def huge(header: Any, tensors: Any) -> Any:
        header["samples"] = 300_000
        return header, tensors

    with pytest.raises(oc.errors.CorruptStateError):
        loaded(forged(data, huge))

    def many(header: Any, tensors: Any) -> Any:
        return header | {"origins": [{}] * 100_000}, tensors

    files = [forged(data, huge)] * 20 + [forged(data, many)]
    tracemalloc.start()
    for file in files:
        with pytest.raises(oc.errors.CorruptStateError):
            loaded(file)
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


@pytest.mark.parametrize("drawn", [False, True])
def test_loading_takes_the_memory_of_what_is_loaded(drawn: bool, tmp_path: Path) -> None:
    """The file is mapped, and read in parts: nothing as large as it is made besides."""
    vocabulary, count = Vocabulary([b"%d" % i for i in range(1000)], eos=[0]), 300_000
    row = Row(lineage=(0,)).append([i % 1000 for i in range(count)])
    if drawn:
        text = Origin("generated", count, constraint=make_constraint("text", None, vocabulary))
        row = replace(row, pieces=(Piece(text, 0, count),), logprobs=(-1.0,) * count, proposals=(-2.0,) * count)
    storage.write(tmp_path / "s", [[row]], 1, vocabulary, "same")
    tracemalloc.start()
    [[again]], *_ = storage.read(tmp_path / "s", vocabulary)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert again.facts()[:3] == row.facts()[:3] and peak - held < 1 << 20 < (tmp_path / "s").stat().st_size


def test_an_older_format_is_refused_by_its_version(tmp_path: Path) -> None:
    old = {"outlines_cont": json.dumps({"format": "outlines_cont state 3", "shape": [1, 1], "origins": [], "rows": []})}
    tensors = {name: torch.zeros(0, dtype=dtype) for name, dtype in DTYPES.items()}
    (tmp_path / "s").write_bytes(save(tensors, old))
    with pytest.raises(oc.errors.CorruptStateError, match=r"format is .*state 3.*reads .*state 9"):
        oc.load_state(tmp_path / "s", lawful_model())


# --- writing


def test_a_file_takes_its_place_whole(tmp_path: Path) -> None:
    """Links stay links, permissions stay, devices and pipes are refused, and nothing is left beside the file."""
    state = lawful_model().state("Mira")
    (tmp_path / "real").write_bytes(b"old")
    os.chmod(tmp_path / "real", 0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    state.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and oc.load_state(tmp_path / "real", lawful_model()) == state
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640
    os.mkfifo(tmp_path / "pipe")
    for call in (state.save, lambda path: oc.load_state(path, lawful_model())):
        with pytest.raises((ValueError, OSError), match="regular file"):
            call(tmp_path / "pipe")
    with pytest.raises(FileNotFoundError):
        state.save(tmp_path / "nowhere" / "s")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "real"]


KILLED = """
import sys, outlines_cont as oc
from outlines_cont.storage import files as storage
from outlines_cont.fsm.vocabulary import Vocabulary
vocabulary = Vocabulary([bytes([i]) for i in range(256)], eos=[0])
from outlines_cont.state.row import Row
rows = [[Row(lineage=(b,)).append([b + int(sys.argv[3]) + 1] * int(sys.argv[2]))] for b in range(2)]
print("ready", flush=True)
while True:
    storage.write(sys.argv[1], rows, 1, vocabulary, "same")
"""


@pytest.mark.parametrize("round", [0, nightly(1), nightly(2)])
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(round: int, tmp_path: Path) -> None:
    path, vocabulary = tmp_path / "s", Vocabulary([bytes([i]) for i in range(256)], eos=[0])
    for kill in range(2):
        command = [sys.executable, "-c", KILLED, str(path), "60000", str(kill)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout and writer.stdout.readline()
            dice = Random(f"{round} {kill}")
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(0.3 + dice.random() / 2)
            writer.send_signal(signal.SIGKILL)
        rows, samples, identity = storage.read(path, vocabulary)[:3]
        assert (len(rows), samples, identity) == (2, 1, "same") and all(len(row) == 60000 for [row] in rows)


@settings(max_examples=30, deadline=None)
@given(which=st.integers(0, 7))
def test_what_is_not_damaged_comes_back(which: int) -> None:
    state, data = saved()[which]
    assert loaded(data).identical(state)


def test_samples_of_no_batch_row_take_no_memory() -> None:
    """A file may say of an empty state that it has as many as it likes."""

    def change(header: Any, tensors: Any) -> Any:
        return header | {"samples": 10**9, "rows": []}, tensors

    state = loaded(forged(saved()[6][1], change))
    assert state.shape == (0, 10**9, 0)
    tracemalloc.start()
    use(state)
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


def test_tensors_of_no_axis_are_refused() -> None:
    """The length of such a one was asked for, a TypeError."""
    for name in DTYPES:
        data = forged(saved()[0][1], lambda header, tensors, name=name: (header, tensors | {name: tensors[name].sum()}))
        with pytest.raises(oc.errors.CorruptStateError, match=rf"the tensor '{name}' is torch\.\w+ \[\]"):
            loaded(data)


def test_a_long_name_is_a_name(tmp_path: Path) -> None:
    """The file that was written beside it had a longer one, which the system refused."""
    state, path = saved()[0][0], tmp_path / ("s" * 250)
    state.save(path)
    assert oc.load_state(path, state.model).identical(state) and [*tmp_path.iterdir()] == [path]


def test_what_is_too_large_for_a_file_is_said_and_the_old_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A header has at most 100 MB, and the error was safetensors' own."""
    state, path = saved()[1][0], tmp_path / "s"
    state.save(path)
    monkeypatch.setattr(storage, "FAMILY", "x" * 100_000_000)
    with pytest.raises(ValueError, match=r"takes 100,\d+,\d+ bytes, too many for one file, .*100,000,000"):
        state.save(path)
    monkeypatch.undo()
    assert oc.load_state(path, state.model).identical(state) and [*tmp_path.iterdir()] == [path]
