"""Lanes of llama.cpp: wherever a step is computed, tokens, logits and counts are the same, and no cell is lost."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="the wheel xllamacpp, which carries llama.cpp, is not installed")
pytest.importorskip("gguf", reason="the package gguf, with which the tests write their files, is not installed")

import torch
from engines import PROGRAMS, check_engine
from gguf_files import random_model, shipped, write_gguf
from hypothesis import given, settings
from hypothesis import strategies as st
from test_llama_cpp import model_of, sequences_in_use
from test_llama_cpp_grafts import cells_in_use

import outlines_cont as oc
from outlines_cont.kv.needs import Need
from outlines_cont.llama_cpp.copies import Lanes
from outlines_cont.llama_cpp.library import load_library

MOST = 8  # sequences


def sound(model: oc.Model) -> None:
    """The tree's tokens are in the first context or in lanes, each once; what is free holds nothing."""
    gc.collect()
    sequences = model.engine._sequences
    sequences.forget()
    lanes, used = sequences.lanes, sequences.length[sequences.most :] > 0
    own = (sequences.length - sequences.begins)[sequences.most :][used].sum()
    assert cells_in_use(model) + own == model.tree.pool.used
    last = load_library().llama_memory_seq_pos_max
    for lane in range(len(used)):
        length = sequences.length.item(sequences.most + lane)
        assert last(lanes.context.memory, lane) == length - 1 and (length > 0) == used[lane]


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whatever can move moves, at once. A list of the moves."""
    return watched(monkeypatch, lambda lanes, longest: True)


def watched(monkeypatch: pytest.MonkeyPatch, pays: Callable[[Lanes, int], bool] | None = None) -> list[str]:
    moves: list[str] = []
    for name in ("_move", "_left"):
        method = getattr(Lanes, name)

        def noted(*arguments: Any, name: str = name, method: Any = method) -> Any:
            moves.append(name)
            return method(*arguments)

        monkeypatch.setattr(Lanes, name, noted)
    if pays is not None:
        monkeypatch.setattr(Lanes, "_pays", pays)
    return moves


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


@pytest.fixture(scope="module")
def reference() -> oc.Model:
    return oc.load()


@pytest.fixture
def model(folder: Path) -> Iterator[oc.Model]:
    """The model that ships. After the test, nothing of it is left in llama.cpp's memory."""
    model = model_of(shipped(folder))
    yield model
    sound(model)
    assert model.tree.pool.used == 0 and sequences_in_use(model) == []
    assert not model.engine._sequences.length[model.engine._sequences.most :].any()


# --- equal on both layouts


def test_rows_in_lanes_do_what_is_asked_of_any_engine(model: oc.Model, reference: oc.Model, always: list[str]) -> None:
    check_engine(model, reference)
    assert {*always} == {"_move", "_left"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_have_equal_tokens_counts_and_passes_in_lanes_and_outside(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for pays in (True, False):
        model = model_of(shipped(folder))
        with monkeypatch.context() as patch:
            moves = watched(patch, lambda lanes, longest, pays=pays: pays)
            state = PROGRAMS[name](model)
        assert bool(moves) == pays
        sound(model)
        stats = model.stats
        results.append((state.token_ids.tolist(), stats.tokens, stats.passes, stats.reused, stats.reread))
        results[-1] += (state.kv.lengths.tolist(),)
    assert results[0] == results[1]


@pytest.fixture(scope="module", params=["llama", "gemma3", "gemma2"])
def small(folder: Path, reference: oc.Model, request: pytest.FixtureRequest) -> tuple[oc.Model, oc.Model]:
    """Random parameters, few sequences. Those of a Gemma have windows of 8 tokens."""
    hf = random_model(request.param, len(reference.vocabulary))
    file = write_gguf(folder / f"small-{request.param}.gguf", hf, reference.tokenizer)
    return model_of(file, n_seq_max=MOST, n_ctx=4096), oc.Model(hf, reference.tokenizer)


@st.composite
def steps(draw: st.DrawFn) -> list[list[tuple[int, int, list[int]]]]:
    """Passes over up to four rows: each goes on from a row that there is, cropped, with one token or some more."""
    program = []
    for _ in range(draw(st.integers(1, 14))):
        count, single = draw(st.integers(1, 4)), draw(st.integers(0, 3)) > 0
        sizes = st.just(1) if single else st.integers(1, 4)
        program.append(
            [
                (
                    draw(st.integers(0, 7)),
                    draw(st.sampled_from([0, 0, 0, 0, 1, 3])),
                    [draw(st.integers(5, 9))] * draw(sizes),
                )
                for _ in range(count)
            ]
        )
    return program


Row = tuple[int, ...]


def read(
    model: oc.Model, theirs: oc.Model, rows: list[tuple[Row, Any]], tolerance: float = 1e-3
) -> list[tuple[Row, Any]]:
    """Read rows, each from its claim on: the logits after the last tokens are those of whole rows."""
    needs = [Need(row, (len(row) - 1,), claim) for row, claim in rows]
    model.tree.forget_logits()
    logits, claims = model.read(needs)
    with theirs.fresh():
        expected = theirs.logits([Need(row, (len(row) - 1,)) for row, _ in rows])
    assert torch.allclose(logits, expected, atol=tolerance * float(expected.abs().max()))
    return [(row, claim) for (row, _), claim in zip(rows, claims, strict=True)]


@settings(max_examples=25)
@given(program=steps(), moves=st.lists(st.booleans(), min_size=14, max_size=14))
def test_rows_that_move_to_and_fro_have_the_logits_of_whole_rows(
    small: tuple[oc.Model, oc.Model], program: list[list[tuple[int, int, list[int]]]], moves: list[bool]
) -> None:
    """In lanes and outside, cropped, branched, dropped, and one beside the other."""
    (model, theirs), choice = small, iter(moves)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lanes, "_pays", lambda self, longest: next(choice, True))
        live = read(model, theirs, [((5, 6, 7, 8 + i), None) for i in range(3)])
        for step in program:
            rows = []
            for which, cut, ids in step:
                row, claim = live[which % len(live)]
                rows.append((row[: max(1, len(row) - cut)] + tuple(ids), None if cut else claim))
            live = read(model, theirs, rows) + live[: 4 - len(rows)]
            sound(model)
    assert_all_is_given_back(model, live)


def assert_all_is_given_back(model: oc.Model, live: list[Any]) -> None:
    live.clear()
    model.tree.forget_logits()
    gc.collect()
    model.tree.evict()
    sound(model)
    assert model.tree.pool.used == 0 and len(model.engine._sequences.free) == MOST


def grown(rows: list[tuple[Row, Any]], token: int) -> list[tuple[Row, Any]]:
    return [((*row, token), claim) for row, claim in rows]


# --- which rows move


def test_rows_that_share_little_move_and_forks_of_a_long_prompt_do_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves, model = watched(monkeypatch), model_of(shipped(folder))
    text = oc.continuous(oc.generate.text(model))
    text(model.state([5 + i % 900 for i in range(1000)]).fork(32), max_tokens=12, seed=1)
    text("Mira is a", max_tokens=12, seed=1)
    assert not moves
    before = model.stats.passes
    rows = text(model.state([f"Mira is {i} years old" for i in range(48)]), max_tokens=24, seed=1)
    assert moves.count("_move") >= 48 and model.stats.passes - before == 24
    assert text(rows, max_tokens=2, seed=2) == text(rows.kv.drop(), max_tokens=2, seed=2)


def test_the_rows_of_a_step_are_in_adjacent_lanes(
    small: tuple[oc.Model, oc.Model], always: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """llama.cpp computes others one after the other. So where a row has ended, the last one moves up."""
    (model, theirs), lanes = small, small[0].engine._sequences.lanes
    live = read(model, theirs, [((5, 6, 7 + i), None) for i in range(6)])
    for gone in (2, 0, 1):
        live = read(model, theirs, grown(live, 9))
        sequences = sorted(lanes.arrays._single[: len(live), 0].tolist())
        assert sequences == list(range(sequences[0], sequences[0] + len(live)))
        del live[gone]
    assert always.count("_left") == 0
    for _ in range(300):  # more than the lanes have cells, and than a window sees
        live = grown(live, 7)
        live = read(model, theirs, live) if len(live[0][0]) % 40 == 0 else advanced(model, live)
    sound(model)
    assert always.count("_left") >= 3
    assert_all_is_given_back(model, live)


def in_lanes(model: oc.Model, theirs: oc.Model, tokens: int) -> list[tuple[Row, Any]]:
    """Three rows, of which the last one has moved up from another lane, with so many tokens of their own in lanes."""
    live = read(model, theirs, [((*range(5 + i, 25 + i),), None) for i in range(4)])
    for token in range(tokens):
        live = advanced(model, grown(live, 30 + token))
        if token == tokens - 2:
            del live[1]
    return live


@pytest.mark.parametrize("cut", range(6))
def test_a_row_that_moved_to_another_lane_is_cropped_and_goes_on(
    small: tuple[oc.Model, oc.Model], cut: int, always: list[str]
) -> None:
    """A lane takes of a row what its last token sees. A token before it may see more."""
    model, theirs = small
    live = in_lanes(model, theirs, 7)
    assert always == ["_move"] * 5
    length = len(live[0][0]) - cut
    cropped = [(row[:length], claim.crop(length)) for row, claim in live]
    live.clear()
    live = read(model, theirs, grown(cropped, 9))
    cropped.clear()
    assert_all_is_given_back(model, live)


def test_a_row_leaves_its_lane_while_its_last_tokens_are_given_back(
    small: tuple[oc.Model, oc.Model], always: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another thread does it: the pass has begun, and finds that some tokens of the lane are not needed."""
    model, theirs = small
    live = in_lanes(model, theirs, 7)
    length = len(live[0][0]) - 3
    cropped = [(row[:length], claim.crop(length)) for row, claim in live]
    live.clear()
    model.tree.crop(cropped[0][1], length)  # the tree gives back what nobody claims
    with monkeypatch.context() as patch:
        patch.setattr(type(model.engine._sequences), "forget", lambda self, in_a_pass=False: None)
        live = read(model, theirs, grown(cropped, 9) + grown(cropped, 10))
    cropped.clear()
    assert always.count("_left") == 3
    assert_all_is_given_back(model, live)


def test_a_row_that_leaves_its_lane_without_a_free_sequence_is_an_error_for_users(
    small: tuple[oc.Model, oc.Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another row goes on in the sequence that it came from. So it needs one of its own."""
    (model, theirs), pays = small, iter([True, False])
    moves = watched(monkeypatch, lambda lanes, longest: next(pays, True))
    first = read(model, theirs, [((5, 6, 7), None)])
    live = [advanced(model, grown(first, token))[0] for token in (8, 9)]
    assert moves == ["_move"]
    model.engine._sequences.free.clear()
    with pytest.raises(oc.errors.EngineError, match=f"keeps {MOST} sequences at once, and all are in use: drop some"):
        advanced(model, [((*live[0][0], token), live[0][1]) for token in (10, 11)])
    assert moves == ["_move", "_left"]
    live = read(model, theirs, grown(live, 10) + grown(live, 11))
    first.clear()
    assert_all_is_given_back(model, live)


def test_a_row_leaves_its_lane_in_the_step_in_which_the_row_that_it_came_from_goes_on(
    small: tuple[oc.Model, oc.Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    (model, theirs), pays = small, iter([True])
    moves = watched(monkeypatch, lambda lanes, longest: next(pays, False))
    live = read(model, theirs, [((5, 6, 7), None)])
    live += advanced(model, grown(live, 8))
    monkeypatch.setattr(Lanes, "_fit", lambda lanes, *sizes: False)
    live = read(model, theirs, grown(live, 9))
    assert moves == ["_move", "_left", "_move", "_move"]
    live = read(model, theirs, grown(live, 9))
    assert_all_is_given_back(model, live)


def advanced(model: oc.Model, rows: list[tuple[Row, Any]]) -> list[tuple[Row, Any]]:
    claims = model.read([Need(row, (len(row) - 1,), claim) for row, claim in rows])[1]
    return [(row, claim) for (row, _), claim in zip(rows, claims, strict=True)]


def test_without_memory_for_lanes_rows_stay(
    folder: Path, always: list[str], reference: oc.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outlines_cont.llama_cpp.copies.available_memory", lambda: 1 << 20)
    model = model_of(shipped(folder))
    live = read(model, reference, [((5, 6, 7 + i), None) for i in range(6)])
    live = read(model, reference, grown(live, 9))
    monkeypatch.undo()
    monkeypatch.setattr(Lanes, "_pays", lambda self, longest: True)
    with monkeypatch.context() as patch:
        patch.setitem(load_library()._functions, "llama_init_from_model", lambda *arguments: None)
        live = read(model, reference, grown(live, 9))
    assert not always and model.engine._sequences.lanes.context is None
    live = read(model, reference, grown(live, 9))
    assert model.engine._sequences.lanes.context is not None


# --- failures


class Stopped(BaseException):
    """As an interrupt is."""


def stopped_at(line: int, call: Callable[[], Any]) -> Any:
    """What a function gives, or None: it is stopped before the n-th line that runs of the engine's files."""
    left = line

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                sys.settrace(None)
                raise Stopped
        return trace

    def entered(frame: Any, event: str, _: Any) -> Any:
        code = frame.f_code
        return trace if "llama_cpp" in code.co_filename and code.co_name != "_note" else None  # which C calls

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        return call()
    except Stopped:
        return None
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("case", ["rows move in", "one row moves up", "a row leaves", "all rows leave"])
def test_what_is_interrupted_at_any_line_leaves_the_memory_right(
    small: tuple[oc.Model, oc.Model], case: str, always: list[str]
) -> None:
    model, theirs = small
    step = 17 if case == "rows move in" else 7
    line, ended = 0, False
    while not ended:
        live = read(model, theirs, [((5, 6, 7 + i), None) for i in range(4)])
        if case != "rows move in":
            live = read(model, theirs, grown(live, 9))
        if case == "one row moves up":
            del live[1]
        last = {"a row leaves": 1, "all rows leave": 4}.get(case, 0)
        rows = grown(live, 10) + [((*row, 11), claim) for row, claim in live[:last]]
        needs = [Need(row, (len(row) - 1,), claim) for row, claim in rows]
        ended = stopped_at(line, lambda needs=needs: model.read(needs)) is not None
        sound(model)
        live = read(model, theirs, rows)
        assert_all_is_given_back(model, [live, rows])
        del live, rows, needs
        line += step
    assert line > 100


def failing_at(fails: int, function: Callable[..., Any]) -> Callable[..., Any]:
    calls = count()

    def failing(*arguments: Any) -> Any:
        if next(calls) == fails:
            raise RuntimeError("it failed")
        return function(*arguments)

    return failing


@pytest.mark.parametrize(
    "name", ["llama_memory_seq_cp", "llama_memory_seq_rm", "llama_state_seq_set_data", "llama_state_seq_get_data"]
)
def test_a_function_of_the_library_that_fails_leaves_the_memory_right(
    small: tuple[oc.Model, oc.Model], name: str, always: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (model, theirs), functions = small, load_library()._functions
    fails, ended = 0, False
    while not ended:
        live = read(model, theirs, [((5, 6, 7 + i), None) for i in range(4)])
        with monkeypatch.context() as patch, suppress(RuntimeError):
            patch.setitem(functions, name, failing_at(fails, functions[name]))
            live = advanced(model, grown(live, 9))
            del live[1]
            live = advanced(model, grown(live, 9))
            live = advanced(model, grown(live, 10) + grown(live, 11))
            ended = True
        fails += 1
        sound(model)
        live = read(model, theirs, grown(live, 12))
        assert_all_is_given_back(model, live)
    assert fails > 3
