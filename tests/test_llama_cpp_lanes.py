"""Lanes of llama.cpp: wherever a step is computed, tokens, logits and counts are the same, and no cell is lost."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="the wheel xllamacpp, which carries llama.cpp, is not installed")
pytest.importorskip("gguf", reason="the package gguf, with which the tests write their files, is not installed")

import numpy as np
import torch
from engines import GREEDY, PROGRAMS, check_engine
from gguf_files import random_model, shipped, write_gguf
from hypothesis import given, settings
from hypothesis import strategies as st
from test_llama_cpp import model_of, sequences_in_use, steps_of_reading
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
    for name in ("_move", "_leave"):
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


def test_rows_in_lanes_do_what_is_asked_of_any_engine(
    model: oc.Model, reference: oc.Model, always: list[str]
) -> None:
    check_engine(model, reference)
    assert {*always} == {"_move", "_leave"}


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
                (draw(st.integers(0, 7)), draw(st.sampled_from([0, 0, 0, 0, 1, 3])), [draw(st.integers(5, 9))] * draw(sizes))
                for _ in range(count)
            ]
        )
    return program


@settings(max_examples=25)
@given(program=steps(), moves=st.lists(st.booleans(), min_size=14, max_size=14))
def test_rows_that_move_to_and_fro_have_the_logits_of_whole_rows(
    small: tuple[oc.Model, oc.Model], program: list[list[tuple[int, int, list[int]]]], moves: list[bool]
) -> None:
    """In lanes and outside, cropped, branched, dropped, and one beside the other."""
    model, theirs = small
    choice = iter(moves)
    before = Lanes._pays
    Lanes._pays = lambda self, longest: next(choice, True)
    live: list[tuple[tuple[int, ...], Any]] = [((5, 6, 7, 8 + i), None) for i in range(3)]
    computed = {row[:n] for row, _ in live for n in range(1, 5)}
    try:
        live = [(row, claim) for (row, _), claim in zip(live, model.read([Need(row) for row, _ in live])[1], strict=True)]
        for step in program:
            rows = []
            for which, cut, ids in step:
                row, claim = live[which % len(live)]
                rows.append((row[: max(1, len(row) - cut)] + tuple(ids), claim if not cut else None))
            needs = [Need(row, (len(row) - 1,), claim) for row, claim in rows]
            model.tree.forget_logits()
            logits, claims = model.read(needs)
            with theirs.fresh():
                expected = theirs.logits([Need(row, (len(row) - 1,)) for row, _ in rows])
            assert torch.allclose(logits, expected, atol=1e-3 * float(expected.abs().max()))
            live = [(row, claim) for (row, _), claim in zip(rows, claims, strict=True)] + live[: 4 - len(rows)]
            del needs, claims
            sound(model)
        assert computed
    finally:
        Lanes._pays = before
    live.clear()
    rows = claim = None
    model.tree.forget_logits()
    model.tree.evict()
    sound(model)
    assert model.tree.pool.used == 0 and len(model.engine._sequences.free) == MOST
