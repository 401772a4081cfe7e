"""States as bytes, and in pickles: what comes back is what was sent, under a model that the process has set."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from state_workers import begin, gone_on, job, remote
from strategies import Plain, check, lawful_model, shipped_model, states
from test_bad_input import other_model
from test_corrupt_files import saved
from test_keys import PROMPTS, same_rows

import outlines_cont as oc
from outlines_cont.storage import files as storage

GREEDY = oc.samplers.greedy()


@pytest.fixture(autouse=True)
def nothing_is_set() -> Iterator[None]:
    """Each test begins and ends with no model set."""
    assert storage._readers == ()
    yield
    assert storage._readers == ()


@settings(max_examples=100, deadline=None)
@given(states())
def test_a_state_comes_back_from_its_bytes(pair: tuple[oc.SequenceState, Plain]) -> None:
    """The same from its pickle, and from that of a list of states."""
    state, plain = pair
    again = oc.storage.from_bytes(oc.storage.to_bytes(state), lawful_model())
    check(again, plain)
    assert again.identical(state) and oc.storage.to_bytes(again) == oc.storage.to_bytes(state)
    with oc.storage.unpickling(lawful_model()):
        for protocol in (2, pickle.HIGHEST_PROTOCOL):
            one, two = pickle.loads(pickle.dumps([state, state], protocol))
            assert one is two and one.identical(state)


def test_bytes_hold_all_that_a_file_holds(tmp_path: Path) -> None:
    """Chats, candidates, captures, beams, particles, dead rows, rows without samples. Equal states have equal bytes."""
    model = shipped_model()
    chat = model.chat([{"role": "user", "content": "Hi"}], keys="first")
    for state in [
        *(state for state, _ in saved()),
        chat,
        oc.continuous(oc.generate.text(model))(chat, 3, keep=oc.Keep(candidates=2)),
    ]:
        state.save(tmp_path / "s")
        again = oc.storage.from_bytes(memoryview(oc.storage.to_bytes(state)), state.model)
        assert (tmp_path / "s").read_bytes() == oc.storage.to_bytes(state) and again.identical(state)
        assert again.kept.candidates == state.kept.candidates and again.captures == state.captures
    turn = oc.storage.from_bytes(oc.storage.to_bytes(chat), model) + "Hello"
    assert turn.turn("user", "Bye").identical((chat + "Hello").turn("user", "Bye"))


@pytest.mark.parametrize("include_stop", [True, False])
def test_a_text_that_ends_with_a_stop_string_has_the_same_bytes_again(include_stop: bool) -> None:
    """The stop of one that keeps its stop string has dropped no token: its score was the int 0, and was read as 0.0."""
    text = oc.generate.text(shipped_model(), GREEDY, include_stop=include_stop)
    state = oc.continuous(text)("The sky is", 20, stop_at=["e", "."])
    assert state.finished == [["stop"]] and state.spans[0][0][-1].stop_logprob is not None
    assert oc.storage.to_bytes(
        oc.storage.from_bytes(oc.storage.to_bytes(state), shipped_model())
    ) == oc.storage.to_bytes(state)


def test_rows_that_failed_come_back_dead() -> None:
    """Errors are annotations: neither files nor bytes nor pickles keep them."""
    step = oc.continuous(oc.generate.text(lawful_model()))
    state = step([[1, 341], [10**6]], 2, seed=0, errors="return")
    with oc.storage.unpickling(lawful_model()):
        for again in (
            oc.storage.from_bytes(oc.storage.to_bytes(state), lawful_model()),
            pickle.loads(pickle.dumps(state)),
        ):
            assert again.identical(state) and again.finished == [["length"], ["dead"]]
            assert again.errors == [[None], [None]] and isinstance(state.errors[1][0], ValueError)


def test_equal_constraints_are_written_once() -> None:
    """Of many rows, and of spans that several rows share."""
    schema = {"type": "object", "properties": {f"field{i}": {"type": "integer"} for i in range(50)}}
    step = oc.continuous(oc.generate.json(lawful_model(), schema), name="data")
    state = step(["Mira", "Tom", "Zora"], 4, seed=0)
    assert oc.storage.to_bytes(state).count(b"field17") == 1
    again = oc.storage.from_bytes(oc.storage.to_bytes(state), lawful_model())
    assert step.resume(again, 3, seed=1).identical(step.resume(state, 3, seed=1))


def test_bytes_are_few() -> None:
    """5 for a token that was given, 21 for one that was drawn; less than 1,020 for all else of a row of one span."""
    state = oc.continuous(oc.generate.regex(shipped_model(), "[a-z ]{200}", GREEDY), name="it")("The sky is", 40)
    tokens = 5 * state.shape[2] + 16 * 40
    assert len(oc.storage.to_bytes(state)) < tokens + 1020
    row = len(oc.storage.to_bytes(oc.cat([state] * 2, 0))) - len(oc.storage.to_bytes(state))
    assert row < tokens + 300


@pytest.mark.parametrize("version", [7, 8, 65])
def test_another_version_is_refused_by_its_name(version: int) -> None:
    from test_corrupt_files import forged

    def change(header: Any, tensors: Any) -> Any:
        return header | {"format": f"outlines_cont state {version}", "more": 1}, tensors

    with pytest.raises(oc.errors.CorruptStateError, match=f"format is .*state {version}.*this version reads .*state 9"):
        oc.storage.from_bytes(forged(oc.storage.to_bytes(model_state()), change), lawful_model())


@cache
def model_state() -> oc.SequenceState:
    return lawful_model().state(["Mira", "Tom"]).kv.drop()


def test_what_is_no_bytes_of_a_state_is_refused() -> None:
    model, data = lawful_model(), oc.storage.to_bytes(model_state())
    for wrong in (b"", b"hello", data[:-1], data[:40], bytes(len(data)), data.replace(b"prompt", b"promqt")):
        with pytest.raises(oc.errors.CorruptStateError, match=r"what from_bytes\(\) was given holds no saved state"):
            oc.storage.from_bytes(wrong, model)
    with pytest.raises(TypeError, match=r"takes bytes first, not 'a path'; load_state\(path, model\) reads a file"):
        oc.storage.from_bytes("a path", model)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes bytes first, not None"):
        oc.storage.from_bytes(None, model)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"from_bytes\(data, model\) takes a Model second, not str"):
        oc.storage.from_bytes(data, "model")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="was saved with another vocabulary"):
        oc.storage.from_bytes(data, other_model(1600))
    assert oc.storage.from_bytes(bytearray(data), model).identical(model_state())


# --- pickles


def test_a_process_without_a_model_says_so() -> None:
    """As it is pickled, and as it is read."""
    with pytest.raises(
        TypeError, match=r"SequenceState is not pickled, .*oc.storage.from_bytes.*oc.storage.unpickling"
    ):
        pickle.dumps(model_state())
    with oc.storage.unpickling(lawful_model()):
        data = pickle.dumps(model_state())
    with pytest.raises(ValueError, match=r"none is set in this process: oc.storage.unpickling\(model\) sets one"):
        pickle.loads(data)
    with pytest.raises(TypeError, match=r"unpickling\(model\) takes a Model first, not str"):
        oc.storage.unpickling("model")  # type: ignore[arg-type]
    with oc.storage.unpickling(other_model(1600)):
        with pytest.raises(TypeError, match="SequenceState is not pickled"):
            pickle.dumps(model_state())
        with pytest.raises(ValueError, match=r"another vocabulary than the models set here have: Model\(Llama.*1600"):
            pickle.loads(data)


def test_a_state_is_read_under_the_model_that_fits() -> None:
    """Its parameters go first, then its vocabulary, then what was set last; blocks may lie in each other."""
    lawful, others, wide = lawful_model(), other_model(), other_model(1600)
    with oc.storage.unpickling(lawful):
        data = pickle.dumps(oc.continuous(oc.generate.text(lawful))("Mira", 2, seed=0))
        with oc.storage.unpickling(others), oc.storage.unpickling(wide):
            assert pickle.loads(data).model is lawful
        assert pickle.loads(data).weights.isfinite().all()
    with oc.storage.unpickling(others), oc.storage.unpickling(wide):
        state = pickle.loads(data)
        assert state.model is others and state.weights.isnan().all()
        assert pickle.loads(pickle.dumps(wide.state("Mira"))).model is wide
    first, second = oc.storage.unpickling(lawful), oc.storage.unpickling(lawful)  # it holds from the call on
    with first:
        assert pickle.loads(data).model is lawful
    assert pickle.loads(data).model is lawful
    with second:
        pass
    with pytest.raises(ValueError, match="none is set"):
        pickle.loads(data)


def test_copies_are_the_state_itself() -> None:
    with oc.storage.unpickling(lawful_model()):
        assert copy.copy(model_state()) is model_state() and copy.deepcopy([model_state()])[0] is model_state()


def test_a_state_on_the_way_is_not_pickled_without_its_text() -> None:
    with oc.storage.unpickling(lawful_model()):
        [partial] = oc.generate.text(lawful_model()).stream("Mira", 1, seed=0)
        with pytest.raises(TypeError, match=r"Streamed is not pickled, .*partial.delta.*to_bytes\(partial\)"):
            pickle.dumps(partial)
        assert oc.storage.from_bytes(oc.storage.to_bytes(partial), lawful_model()) == partial


def test_an_error_takes_its_state_along() -> None:
    """With the row that it is about, the values of the others, and its notes."""
    with oc.storage.unpickling(lawful_model()):
        with pytest.raises(oc.errors.IncompleteError) as caught:
            oc.generate.regex(lawful_model(), "a{5}b", GREEDY)(["Mira", "Tom"], max_tokens=1)
        caught.value.add_note("a note")
        again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.row, again.__notes__) == (
        oc.errors.IncompleteError,
        str(caught.value),
        (0, 0),
        ["a note"],
    )
    assert again.state.identical(caught.value.state) and [[str(v) for v in vs] for vs in again.values] == [
        [str(v) for v in vs] for vs in caught.value.values or []
    ]


# --- other processes


def test_processes_give_and_take_states() -> None:
    """Law 9 over processes: parts of a job that others do, some of them twice, are the rows of the whole."""
    model = shipped_model()
    keys: list[int | str] = [3, "Tom", 0, "19", "x", 2**60, "", 7]
    with oc.storage.unpickling(model), ProcessPoolExecutor(1, get_context("spawn"), begin) as pool:
        whole = job(model, 1, PROMPTS, keys)
        shards = [[6, 0, 3], [1], [5, 7, 2, 4], [3, 6]]
        prompts_of, keys_of = ([[values[i] for i in shard] for shard in shards] for values in (PROMPTS, keys))
        parts = pool.map(remote, [1] * len(shards), prompts_of, keys_of)
        for shard, part in zip(shards, parts, strict=True):
            assert part.model is model
            assert all(same_rows(part.rows[at], whole.rows[i]) for at, i in enumerate(shard))
        further, candidates = pool.submit(gone_on, whole).result()
        expected, _ = gone_on(whole)
        assert all(map(same_rows, further.rows, expected.rows)) and further.captures == expected.captures
        assert [[[c and [o.token for o in c] for c in row] for row in rows] for rows in candidates] == [
            [[c and [o.token for o in c] for c in row] for row in rows] for rows in whole.kept.candidates
        ]
