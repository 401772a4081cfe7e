"""Keys and values that leave llama.cpp's memory and come back: equal logits, nothing computed twice, no wreckage."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
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
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.llama_cpp.copies import CellCopies
from outlines_cont.llama_cpp.library import CACHE_TYPES, load_library
from outlines_cont.store.copies import planted

Ids = tuple[int, ...]
Copies = dict[str, torch.Tensor]
LINE = tuple(range(5, 45))


@dataclass(frozen=True)
class Case:
    """A file, how it is loaded, the same model of transformers, and how far logits may lie apart."""

    file: Path
    options: dict[str, Any]
    reference: oc.Model
    tolerance: float
    expected: dict[Any, torch.Tensor] = field(default_factory=dict)

    def model(self, **options: Any) -> oc.Model:
        return model_of(self.file, **{"n_ctx": 512, **self.options, **options})


def random_case(folder: Path, architecture: str) -> Case:
    """Random parameters in float32. Those of a Gemma have sliding windows of 8 tokens."""
    hf, tokenizer = random_model(architecture, len(oc.load().vocabulary)), oc.load().tokenizer
    return Case(write_gguf(folder / f"{architecture}.gguf", hf, tokenizer), {}, oc.Model(hf, tokenizer), 1e-3)


@pytest.fixture(scope="module", params=["llama", "gemma3", "gemma2", "f16", "f16, flash", "q8_0"])
def case(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Case:
    """Models with and without windows, and the one that ships with keys and values that are rounded."""
    folder, (kind, *flash) = tmp_path_factory.mktemp("gguf"), request.param.split(", ")
    if kind not in CACHE_TYPES:
        return random_case(folder, kind)
    options = {"type_k": kind, "type_v": kind, "flash_attention": bool(flash) or kind == "q8_0"}
    return Case(shipped(folder), options, oc.load(), 5e-3 if kind == "f16" else 5e-2)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return random_case(tmp_path_factory.mktemp("gguf"), "llama")


@pytest.fixture(scope="module")
def windowed(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return random_case(tmp_path_factory.mktemp("gguf"), "gemma3")


def copies_of(model: oc.Model, row: Ids, size: int) -> list[tuple[int, int, Copies]]:
    """The keys and values of a row, which is read, in chunks of so many tokens."""
    _, [claim] = model.read([Need(row)])
    assert claim is not None
    slots = model.tree.slots(claim.point)
    borders = [*range(0, len(row), size), len(row)]
    with model.tree.planning():
        return [
            (begin, end, model.engine.copied(model.tree, slots[begin:end]))
            for begin, end in pairwise(borders)
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
    rows = tuple((need.tokens, need.wanted) for need in needs)
    if rows not in case.expected:
        with case.reference.fresh():
            case.expected[rows] = case.reference.logits(needs)
    expected = case.expected[rows]
    return float((logits - expected).abs().max() / expected.abs().max())


def assert_sound(case: Case, model: oc.Model, row: Ids) -> None:
    """The memory holds what the tree says, and rows that are read have the right logits."""
    needs = [Need(row, tuple(range(len(row)))), Need((*row[:7], 60, 61, 62), (6, 7, 8, 9))]
    assert differ(case, model.logits(needs), needs) < case.tolerance
    assert cells_in_use(model) == model.tree.bytes // model.tree.pool.slot_bytes
    free, twins = set(model.engine._sequences.free), model.engine._sequences._twins
    last = partial(load_library().llama_memory_seq_pos_max, model.engine.context.memory)
    assert all(last(each) == last(each + twins) for each in range(model.engine._sequences.most))
    in_use = {each % (twins or 1 << 30) for each in sequences_in_use(model)}
    assert not free & in_use and len(free) + len(in_use) == model.engine._sequences.most


# --- round trips


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[Ids, int, int, Ids]]:
    """Rows that share beginnings: each with the size of its chunks, how much of it is planted, what is read after."""
    rows, program = list[Ids]([()]), list[tuple[Ids, int, int, Ids]]()
    for _ in range(draw(st.integers(1, 5))):
        base = draw(st.sampled_from(rows))
        new = draw(st.lists(st.integers(5, 9), min_size=1, max_size=25))
        row = base[: draw(st.integers(0, len(base)))] + tuple(new)
        rows.append(row)
        tail = tuple(draw(st.lists(st.integers(5, 9), min_size=1, max_size=4)))
        program.append((row, draw(st.integers(1, 20)), draw(st.integers(1, len(row))), tail))
    return program


@settings(max_examples=10)
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


def test_a_window_is_copied_in_pieces_that_it_sees_whole(windowed: Case) -> None:
    """llama.cpp leaves out of a state what the window of its last token does not see."""
    [_, (_, _, copies), *_] = copies_of(windowed.model(), LINE, 20)
    assert windowed.model().engine.model.window == 8
    assert list(copies) == ["cells from 20", "cells from 24", "cells from 32"]


# --- failures


class Stopped(BaseException):
    """As an interrupt is."""


def stopped_at(line: int, model: oc.Model, call: Callable[[], Any]) -> bool:
    """Call a function, and raise at the n-th line that runs of the engine's `put` and `copied`; whether it came to an
    end before."""
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

    def traced(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            sys.settrace(entered if left >= 0 else None)
            try:
                return function(*arguments)
            finally:
                sys.settrace(before)

        return call

    before, engine = sys.gettrace(), model.engine
    with pytest.MonkeyPatch.context() as patch:
        for name in ("put", "copied"):
            patch.setattr(engine, name, traced(getattr(engine, name)))
        try:
            call()
            return True
        except Stopped:
            return False


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "below another branch"])
def test_what_is_interrupted_at_any_line_leaves_the_memory_right(windowed: Case, beside: bool) -> None:
    model = windowed.model(n_seq_max=8, n_ctx=256)
    chunks = copies_of(windowed.model(), LINE[:20], 12)
    upper = plant(model, LINE, 13, chunks) if beside else None
    branch = model.state([*LINE[:10], 50, 51]).kv.prefill() if beside else None
    for call in (lambda: plant(model, LINE, 20, chunks), lambda: copies_of(model, LINE[:15], 15)):
        line = 0
        while not stopped_at(line, model, call):
            if line % 2:
                assert_sound(windowed, model, LINE[:20])
            line += 1
        assert line > 50
        assert_sound(windowed, model, LINE[:20])
    assert upper is None or upper.depth == 13
    assert branch is None or branch.kv.lengths.tolist() == [[12]]


@pytest.mark.parametrize("name", ["llama_memory_seq_cp", "llama_memory_seq_rm", "llama_state_seq_set_data"])
def test_a_function_of_the_library_that_fails_leaves_the_memory_right(
    windowed: Case, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, chunks = windowed.model(), copies_of(windowed.model(), LINE, 12)
    functions = load_library()._functions
    function, calls, fails = functions[name], 0, 0

    def failing(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == fails + 1:
            raise RuntimeError("it failed")
        return function(*arguments)

    claim = None
    while claim is None:
        calls = 0
        with monkeypatch.context() as patch, suppress(RuntimeError):
            patch.setitem(functions, name, failing)
            claim = plant(model, LINE, 30, chunks)
        fails += 1
        assert_sound(windowed, model, LINE[:33])
    assert fails > 5 and claim.depth == 30


def altered(state: torch.Tensor, at: int, value: int) -> torch.Tensor:
    state = state.clone()
    state[at] = value
    return state


@pytest.mark.parametrize(
    "change",
    [
        lambda copies: {},
        lambda copies: {name: copy[:-1] for name, copy in copies.items()},
        lambda copies: {name: torch.cat([copy, copy[:1]]) for name, copy in copies.items()},
        lambda copies: {name: copy.to(torch.int8) for name, copy in copies.items()},
        lambda copies: {name: copy[None] for name, copy in copies.items()},
        lambda copies: {name.replace("cells", "rows"): copy for name, copy in copies.items()},
        lambda copies: dict(list(copies.items())[1:]),
        lambda copies: dict(list(copies.items())[:-1]),
        lambda copies: {**copies, "more": copies["cells from 0"]},
    ],
)
def test_copies_of_another_form_are_refused_before_the_library_sees_them(
    windowed: Case, change: Callable[[Copies], Copies], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, [(begin, end, copies), *_] = windowed.model(), copies_of(windowed.model(), LINE, 20)
    with monkeypatch.context() as patch:
        patch.setitem(load_library()._functions, "llama_state_seq_set_data", None)
        with pytest.raises(ValueError, match=r"copies of \d+ tokens from position 0 on are|the copies do not reach"):
            plant(model, LINE, 20, [(begin, end, change(copies))])
    assert_sound(windowed, model, LINE)
    other = windowed.model()
    assert plant(other, LINE, 20, [(begin, end, copies)]) is not None


@pytest.mark.parametrize("at", [8, 16, 28])
def test_states_that_lie_about_themselves_are_errors(plain: Case, at: int) -> None:
    """The number of memories, the position of the first token, and that of the next one."""
    model, [(begin, end, copies), *_] = plain.model(), copies_of(plain.model(), LINE, 8)
    copies = {name: altered(copy, at, 99) for name, copy in copies.items()}
    with pytest.raises(oc.errors.EngineError, match=r"llama\.cpp took .* bytes of a state of positions 0 to 7"):
        plant(model, LINE, 8, [(begin, end, copies)])
    assert_sound(plain, model, LINE)


# --- memory


def test_copies_fill_the_memory_to_its_last_cell(case: Case) -> None:
    """Where a row ends within a copy, the other tokens of the copy need cells meanwhile."""
    row = tuple(5 + i % 40 for i in range(256))
    chunks, model = copies_of(case.model(), row, 64), case.model(n_ctx=256)
    for other, length, end, depth in [
        (0, 256, 256, 256), (0, 256, 255, 255), (0, 250, 250, 250), (2, 250, 250, 192), (60, 196, 196, 192),
        (6, 250, 250, 192),
    ]:  # fmt: skip
        beside = model.state([*range(70, 70 + other)]).kv.prefill() if other else None
        claim = plant(model, row[:length], end, chunks)
        assert claim is not None and claim.depth == depth
        assert cells_in_use(model) == depth + other
        logits = model.logits([Need(row[:depth], (depth - 1,))])
        assert differ(case, logits, [Need(row[:depth], (depth - 1,))]) < case.tolerance
        del claim, beside
        gc.collect()
    assert model.tree.pool.used == 0 and sequences_in_use(model) == []


def test_without_a_free_sequence_nothing_is_copied(windowed: Case) -> None:
    model = windowed.model()
    chunks = copies_of(model, LINE, 40)
    model.engine._sequences.free.clear()
    with pytest.raises(oc.errors.EngineError, match=r"keeps \d+ sequences at once, .* drop some states"):
        copies_of(model, LINE, 40)
    assert_sound(windowed, model, LINE)
    assert plant(model, LINE, 40, chunks) is not None


# --- what they depend on, and what is refused


def test_the_layout_is_of_what_keys_and_values_depend_on(plain: Case) -> None:
    layout = plain.model().engine.kv_layout()
    for same in ({"n_ctx": 256}, {"n_batch": 7, "n_ubatch": 3}, {"n_seq_max": 8}):
        assert plain.model(**same).engine.kv_layout() == layout
    others = [{"type_k": "f16"}, {"type_v": "f16"}, {"flash_attention": True}, {"n_gpu_layers": 0}]
    assert len({layout, *(plain.model(**other).engine.kv_layout() for other in others)}) == 5


def test_another_library_is_another_layout(plain: Case, tmp_path: Path) -> None:
    path = tmp_path / "library.so"
    path.write_bytes(load_library().path.read_bytes() + b"another one")
    other = plain.model(library=path).engine
    assert other.model.library.path == path and other.kv_layout() != plain.model().engine.kv_layout()


def test_where_keys_turn_by_the_context_its_size_counts(plain: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that are stretched have two sets of factors, and llama.cpp takes one by n_ctx."""
    small, large = plain.model().engine, plain.model(n_ctx=1024).engine
    for engine in (small, large):
        tensors = [replace(engine.file.tensors[0], name="rope_factors_long.weight"), *engine.file.tensors]
        monkeypatch.setitem(vars(engine.file), "tensors", tensors)
    assert small.kv_layout() != large.kv_layout() != plain.model().engine.kv_layout()


@pytest.mark.parametrize("fault", ["a token is lost", "keys and values of other tokens"])
@pytest.mark.parametrize("file_type", ["f32", "q8_0"])
def test_copies_that_give_other_logits_are_refused_by_name(
    tmp_path: Path, fault: str, file_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, put, copied = shipped(tmp_path, file_type), CellCopies.put, CellCopies.copied
    assert "llama.cpp" in model_of(file).engine.kv_layout()
    engine = model_of(file).engine
    others: Any = oc.Model(engine, oc.load().tokenizer)
    _, [claim] = others.read([Need((70, 71, 72, 73, 74, 75))])

    def put_wrongly(self: Any, into: int, pieces: Any, start: int, end: int, room: int) -> None:
        put(self, into, pieces, start, end, room)
        if fault == "a token is lost":
            engine.model.library.llama_memory_seq_rm(engine.context.memory, into, start, start + 1)

    def copied_wrongly(self: Any, table: Any, slots: np.ndarray) -> Copies:
        if fault == "keys and values of other tokens":
            assert claim is not None
            slots, table = others.tree.slots(claim.point)[table.position[slots]], others.tree.pool.table
        return copied(self, table, slots)

    monkeypatch.setattr(CellCopies, "put", put_wrongly)
    monkeypatch.setattr(CellCopies, "copied", copied_wrongly)
    with pytest.raises(ValueError, match=r"cannot be copied: .*other logits than the whole row"):
        engine.kv_layout()


def test_a_library_that_takes_nothing_back_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it says: some say that all went well."""
    monkeypatch.setitem(
        load_library()._functions, "llama_state_seq_set_data", lambda context, state, size, sequence: size
    )
    with pytest.raises(ValueError, match=r"cannot be copied: .*EngineError: llama.cpp took \d+ of the \d+ bytes"):
        model_of(shipped(tmp_path)).engine.kv_layout()


def test_batch_invariant_and_recurrent_models_have_no_store(tmp_path: Path) -> None:
    store, tokenizer = oc.store.KVStore(tmp_path / "store"), oc.load().tokenizer
    file = shipped(tmp_path)
    with pytest.raises(ValueError, match="batch_invariant=True every sequence has cells of its own"):
        oc.load(file, batch_invariant=True, store=store)
    mamba = write_gguf(tmp_path / "mamba.gguf", random_model("mamba", len(oc.load().vocabulary)), tokenizer)
    with pytest.raises(ValueError, match="keeps no keys and values"):
        oc.load(mamba, tokenizer=tokenizer, store=store)
    with pytest.raises(ValueError, match="it is recurrent"):
        model_of(mamba).engine.kv_layout()


# --- a store on disk

TEXT = "Mira is a painter from Lisbon, and she is 34 years old. " * 12


def generated(model: oc.Model) -> oc.SequenceState:
    return oc.continuous(oc.generate.text(model))(TEXT, max_tokens=4, seed=1)


@pytest.mark.parametrize("options", [{}, {"type_k": "f16", "type_v": "q8_0", "flash_attention": True}])
def test_a_model_goes_on_from_what_another_one_wrote(tmp_path: Path, options: dict[str, Any]) -> None:
    file, store = shipped(tmp_path), oc.store.KVStore(tmp_path / "store")
    options = {"n_threads": 1, "n_ctx": 2048, **options}
    first, second = (oc.load(file, store=store, **options) for _ in range(2))
    written = generated(first)
    assert first.stats.restored == 0 < store.bytes
    assert generated(second) == written == generated(oc.load(file, **options)).to(first)
    assert second.stats.restored == len(second.state(TEXT).token_ids[0, 0]) // 64 * 64
    assert second.stats.tokens + second.stats.restored == first.stats.tokens
    other = oc.load(file, store=store, **{**options, "type_k": "f32", "flash_attention": True})
    generated(other)
    assert other.stats.restored == 0
