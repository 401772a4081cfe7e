"""Keys and values that leave llama.cpp's memory and come back: equal logits, nothing computed twice, errors anywhere."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="the wheel xllamacpp, which carries llama.cpp, is not installed")
pytest.importorskip("gguf", reason="the package gguf, with which the tests write their files, is not installed")

import numpy as np
import torch
from gguf_files import random_model, shipped, write_gguf
from hypothesis import given, settings
from hypothesis import strategies as st
from test_llama_cpp import model_of, sequences_in_use
from test_llama_cpp_grafts import cells_in_use

import outlines_cont as oc
from outlines_cont.kv.needs import Need, TokenRun
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.llama_cpp.copies import CellCopies
from outlines_cont.llama_cpp.library import load_library

Ids = tuple[int, ...]
Copies = dict[str, torch.Tensor]
LINE = tuple(range(5, 45))


def planted(engine: Any, tree: Tree, row: Ids, claim: Claim | None, end: int, chunks: Any) -> Claim | None:
    at = 0 if claim is None else claim.depth
    for first, last, copies in chunks:
        stop = min(last, end)
        if stop <= at:
            continue
        assert tree.make_room(stop - at, 1)
        run = TokenRun(row[at:stop], (tree.root, 0) if claim is None else claim.point, at)
        run.slots = tree.take(stop - at)
        engine.put(tree, run, copies, at - first)
        with tree.lock, tree.changing:
            run.place = tree.store(run.base, run.ids, run.slots)
            claim = tree.hold(run.point(len(run.ids) - 1))
            tree.stored()
        at = stop
    return claim


@dataclass(frozen=True)
class Case:
    """A file, how it is loaded, the same model of transformers, and how far logits may lie apart."""

    file: Path
    options: dict[str, Any]
    reference: oc.Model
    tolerance: float

    def model(self, **options: Any) -> oc.Model:
        return model_of(self.file, **{"n_ctx": 512, **self.options, **options})


@pytest.fixture(scope="module", params=["llama", "gemma3", "gemma2", "f16", "f16, flash", "q8_0"])
def case(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Case:
    """Random parameters with and without sliding windows of 8 tokens, in float32; caches that are rounded."""
    folder, reference = tmp_path_factory.mktemp("gguf"), oc.load()
    if request.param in ("llama", "gemma3", "gemma2"):
        hf = random_model(request.param, len(reference.vocabulary))
        file = write_gguf(folder / f"{request.param}.gguf", hf, reference.tokenizer)
        return Case(file, {}, oc.Model(hf, reference.tokenizer), 1e-3)
    kind, *flash = request.param.split(", ")
    options = {"type_k": kind, "type_v": kind, "flash_attention": bool(flash) or kind == "q8_0"}
    return Case(shipped(folder), options, reference, 5e-3 if kind == "f16" else 5e-2)


@pytest.fixture(scope="module")
def windowed(tmp_path_factory: pytest.TempPathFactory) -> Case:
    hf = random_model("gemma3", len(oc.load().vocabulary))
    file = write_gguf(tmp_path_factory.mktemp("gguf") / "gemma3.gguf", hf, oc.load().tokenizer)
    return Case(file, {}, oc.Model(hf, oc.load().tokenizer), 1e-3)


def copies_of(model: oc.Model, row: Ids, size: int) -> list[tuple[int, int, Copies]]:
    """The keys and values of a row, which is read, in chunks of so many tokens."""
    _, [claim] = model.read([Need(row)])
    assert claim is not None
    slots = model.tree.slots(claim.point)
    borders = [*range(0, len(row), size), len(row)]
    with model.tree.planning():
        return [
            (begin, end, model.engine.copied(model.tree, slots[begin:end]))
            for begin, end in zip(borders, borders[1:], strict=False)
            if begin < end
        ]


def plant(model: oc.Model, row: Ids, end: int, chunks: Sequence[tuple[int, int, Copies]]) -> Claim | None:
    """A claim on the first tokens of a row, of which those that the tree lacks come from copies."""
    with model.tree.planning():
        claim = model.tree.find(row)
        depth = claim.depth if claim else 0
        needed = [chunk for chunk in chunks if chunk[1] > depth and chunk[0] < end]
        return planted(model.engine, model.tree, row, claim, end, needed)


def differ(case: Case, logits: torch.Tensor, needs: Sequence[Need]) -> float:
    """How far logits lie from those of whole rows of transformers, relative to the largest."""
    with case.reference.fresh():
        expected = case.reference.logits(needs)
    return float((logits - expected).abs().max() / expected.abs().max())


def assert_sound(case: Case, model: oc.Model, row: Ids) -> None:
    """The memory holds what the tree says, and rows that are read have the right logits."""
    needs = [Need(row, tuple(range(len(row)))), Need((*row[:7], 60, 61, 62), (6, 7, 8, 9))]
    assert differ(case, model.logits(needs), needs) < case.tolerance
    gc.collect()
    model.engine._sequences.forget()
    used = model.tree.pool.used
    assert cells_in_use(model) == used
    assert len(sequences_in_use(model)) == (0 if not used else len(sequences_in_use(model)))
    free, twins = set(model.engine._sequences.free), model.engine._sequences._twins
    in_use = {each % (twins or 1 << 30) for each in sequences_in_use(model)}
    assert not free & in_use and len(free) + len(in_use) == len(model.engine._sequences.length)


# --- round trips


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[Ids, int, int, Ids]]:
    """Rows that share beginnings: each with the size of its chunks, how much of it is planted, what is read after."""
    rows, program = [()], []
    for _ in range(draw(st.integers(1, 5))):
        base = draw(st.sampled_from(rows))
        new = draw(st.lists(st.integers(5, 9), min_size=1, max_size=25))
        row = base[: draw(st.integers(0, len(base)))] + tuple(new)
        rows.append(row)
        tail = tuple(draw(st.lists(st.integers(5, 9), min_size=1, max_size=4)))
        program.append((row, draw(st.integers(1, 20)), draw(st.integers(1, len(row))), tail))
    return program


@settings(max_examples=15)
@given(program=programs())
def test_what_goes_on_from_copies_has_the_logits_of_whole_rows(
    case: Case, program: list[tuple[Ids, int, int, Ids]]
) -> None:
    """Forks and crops of what was put, and branches below it, in another context than it was computed in."""
    source, target = case.model(n_batch=7, n_ubatch=3), case.model(n_ctx=1024)
    held, has, computed = list[Any](), set[Ids](), 0
    for row, size, end, tail in program:
        held.append(plant(target, row, end, copies_of(source, row, size)))
        has |= {row[:n] for n in range(1, end + 1)}
        for line in (row[:end] + tail, row[: end // 2] + tail):
            needs = [Need(line, tuple(range(len(line) - len(tail), len(line))))]
            logits, claims = target.read(needs)
            assert differ(case, logits, needs) < case.tolerance
            held += claims
            computed += len({line[:n] for n in range(1, len(line) + 1)} - has)
            has |= {line[:n] for n in range(1, len(line) + 1)}
        assert target.stats.tokens == computed
    assert target.tree.pool.used == len(has) == cells_in_use(target)
    del claims
    held.clear()
    assert target.tree.bytes == 0 and sequences_in_use(target) == [] and cells_in_use(target) == 0


def test_copies_of_copies_are_equal_but_for_the_number_of_their_sequence(case: Case) -> None:
    source, target = case.model(), case.model()
    first = copies_of(source, LINE, 16)
    other = target.state([70, 71, 72]).kv.prefill()  # so that cells and sequences are others
    claim = plant(target, LINE, len(LINE), first)
    again = copies_of(target, LINE, 16)
    assert target.stats.tokens == 3 and other.kv.lengths.tolist() == [[3]] and claim is not None
    for (_, _, before), (_, _, after) in zip(first, again, strict=True):
        assert before.keys() == after.keys()
        for name, state in before.items():
            tokens = (len(state) - source.engine._copies._one) // source.engine._copies._more + 1
            assert int((state != after[name]).sum()) <= 4 * (tokens + 1)
