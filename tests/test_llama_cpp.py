"""llama.cpp as an engine with slots: equal tokens, branches that share cells, failures that lose nothing, no leaks."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="the wheel xllamacpp, which carries llama.cpp, is not installed")
pytest.importorskip("gguf", reason="the package gguf, with which the tests write their files, is not installed")

import numpy as np
import torch
from engines import check_engine
from gguf_files import as_written, random_model, shipped, write_gguf
from hypothesis import given, settings
from hypothesis import strategies as st
from test_reading_ahead import Guesses, check_drafts, eager, ends

import outlines_cont as oc
from outlines_cont.kv.needs import Need
from outlines_cont.llama_cpp import library as library_module
from outlines_cont.llama_cpp.cells import GIVEN, CellTable, Sequences
from outlines_cont.llama_cpp.context import LONG_PASS
from outlines_cont.llama_cpp.engine import LlamaCppEngine
from outlines_cont.llama_cpp.library import DEFAULTS, ContextParams, Library, load_library

GREEDY = oc.samplers.greedy()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


@pytest.fixture(scope="module")
def reference() -> oc.Model:
    return oc.load()


def model_of(file: Path, tokenizer: Any = None, **options: Any) -> oc.Model:
    return oc.Model(LlamaCppEngine(file, n_threads=1, **options), tokenizer or oc.load().tokenizer)


def sequences_in_use(model: oc.Model) -> list[int]:
    """The sequences that llama.cpp itself has tokens of, once the engine has taken out what was given back."""
    engine = model.engine
    engine._sequences.forget()
    last = engine.model.library.llama_memory_seq_pos_max
    return [each for each in range(engine.context.options.n_seq_max) if last(engine.context.memory, each) >= 0]


@pytest.fixture
def model(folder: Path) -> Iterator[oc.Model]:
    """The model that ships. After the test, nothing of it is left in llama.cpp's memory."""
    model = model_of(shipped(folder))
    yield model
    gc.collect()
    assert model.stats.kv_bytes == 0 and model.tree.pool.used == 0
    assert sequences_in_use(model) == [] and len(model.engine._sequences.free) == 256


# --- the library


def test_the_layout_is_what_llama_cpp_documents() -> None:
    library = load_library()
    params = library.llama_context_default_params()
    assert all(getattr(params, name) == value for name, value in DEFAULTS[ContextParams].items())


@pytest.mark.parametrize("name", ["n_ctx", "type_k", "swa_full"])
def test_a_library_of_another_layout_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DEFAULTS[ContextParams], name, 12345)
    with pytest.raises(
        oc.errors.LibraryError, match=rf"another layout of ContextParams .*{name}=.*, not 12345.*pip install"
    ):
        Library(load_library().path)


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "llama.so").write_text("nothing")
    with pytest.raises(oc.errors.LibraryError, match=r"is no library of llama\.cpp that can be used here"):
        Library(tmp_path / "llama.so")
    with pytest.raises(oc.errors.LibraryError, match="llama_backend_init"):
        Library(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so")


def test_without_the_wheel_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "find_spec", lambda name: None)
    with pytest.raises(oc.errors.LibraryError, match=r"pip install 'outlines_cont\[llama\]'"):
        library_module._in_the_wheel()


def test_a_context_that_is_not_what_was_asked_for_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_library()._functions, "llama_n_ubatch", lambda context: 7)
    with pytest.raises(oc.errors.EngineError, match="n_ubatch=7, where 16 was asked for"):
        LlamaCppEngine(shipped(folder))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"n_ctx": 0}, "n_ctx=0: it must be an int from 16"),
        ({"n_seq_max": 257}, "n_seq_max=257: it must be an int from 4 to 256"),
        ({"type_k": "f8"}, "type_k='f8': it must be 'auto' or one of f32, f16"),
        ({"flash_attention": 3}, "flash_attention=3: it is True or False"),
        ({"n_threads": True}, "n_threads=True"),
    ],
)
def test_options_out_of_their_range_are_refused(folder: Path, options: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        LlamaCppEngine(shipped(folder), **options)


def test_what_llama_cpp_does_not_load_is_explained_in_its_words(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "strange.gguf"
    path.write_bytes(shipped(folder).read_bytes().replace(b"blk.0.attn_q.weight", b"blk.0.attn_z.weight"))
    with pytest.raises(oc.errors.ModelFileError, match=r"llama.cpp cannot load .*strange.gguf: .*blk.0.attn_q.weight"):
        LlamaCppEngine(path)


def test_too_little_memory_is_an_error(folder: Path) -> None:
    with pytest.raises(
        oc.errors.EngineError,
        match=r"n_ctx=1073741824 needs 2,097,152 MiB .*, 2,048 bytes for each token, .* smaller n_ctx",
    ):
        LlamaCppEngine(shipped(folder), n_ctx=1 << 30, n_seq_max=4)


# --- equal programs


def test_it_does_what_is_asked_of_any_engine(model: oc.Model, reference: oc.Model) -> None:
    check_engine(model, reference)


def test_with_few_sequences_and_cells_it_does_so_too(folder: Path, reference: oc.Model) -> None:
    check_engine(model_of(shipped(folder), n_seq_max=6, n_ctx=256, n_batch=32), reference, exact_counts=False)


# --- equal logits


def logits_differ(model: oc.Model, reference: oc.Model, ids: tuple[int, ...]) -> float:
    """How far the logits after all tokens of a row lie apart, relative to the largest."""
    need = Need(ids, tuple(range(len(ids))))
    theirs = reference.logits([need])
    return float((model.logits([need]) - theirs).abs().max() / theirs.abs().max())


@pytest.mark.parametrize(("file_type", "tolerance"), [("f32", 1e-5), ("f16", 5e-3), ("bf16", 5e-2), ("q8_0", 5e-2)])
def test_files_of_every_type_give_the_logits_of_their_parameters(
    folder: Path, reference: oc.Model, file_type: str, tolerance: float
) -> None:
    model = model_of(shipped(folder, file_type))
    written = oc.Model(as_written(reference.hf, file_type), reference.tokenizer)
    ids = tuple(model.encoder.start("Mira is a painter from Lisbon and she is 34.")[0])
    assert model.engine.keeps and file_type.upper() in repr(model)
    assert logits_differ(model, written, ids) <= tolerance


@pytest.mark.parametrize("architecture", ["qwen2", "gemma2", "gemma3"])
def test_other_architectures_are_kept_in_the_tree(folder: Path, reference: oc.Model, architecture: str) -> None:
    hf = random_model(architecture, len(reference.vocabulary))
    model = model_of(write_gguf(folder / f"{architecture}.gguf", hf, reference.tokenizer))
    theirs = oc.Model(hf, reference.tokenizer)
    assert model.engine.keeps
    ids = tuple(range(5, 35))  # longer than a sliding window
    assert logits_differ(model, theirs, ids) < 1e-3  # llama.cpp takes some functions from tables of float16
    state = model.state(list(ids)).kv.prefill()
    assert logits_differ(model, theirs, ids[:12] + ids[20:]) < 1e-3  # a branch, from what the window no longer saw
    assert state.kv.lengths.tolist() == [[30]]


@pytest.mark.parametrize("architecture", ["gemma2", "gemma3"])
def test_what_a_window_sees_no_more_is_kept_where_memory_before_it_is_free(
    folder: Path, reference: oc.Model, architecture: str
) -> None:
    """llama.cpp would overwrite it, if a cell of one sequence only: it looks for cells from the first free one on."""
    hf = random_model(architecture, len(reference.vocabulary))
    model = model_of(write_gguf(folder / f"windowed-{architecture}.gguf", hf, reference.tokenizer), n_ctx=512)
    theirs, line = oc.Model(hf, reference.tokenizer), tuple(range(5, 45))
    first = model.state(list(range(300, 311))).kv.prefill()
    state = model.state(list(line)).kv.prefill()
    del first
    gc.collect()
    other = model.state(list(range(200, 240))).kv.prefill()
    assert state.kv.lengths.tolist() == other.kv.lengths.tolist() == [[40]]
    model.stats.reset()
    assert logits_differ(model, theirs, line[:20] + (70, 71)) < 1e-3
    assert model.engine._sequences.free and model.engine._sequences.most == 128


def test_a_recurrent_model_keeps_nothing_and_says_so(folder: Path, reference: oc.Model) -> None:
    hf = random_model("mamba", len(reference.vocabulary))
    model = model_of(write_gguf(folder / "mamba.gguf", hf, reference.tokenizer))
    theirs = oc.Model(hf, reference.tokenizer)
    assert not model.keeps and "recompute: it is recurrent" in repr(model)
    rows = [tuple(range(5, 5 + size)) for size in range(3, 40)]  # more than are computed at once
    needs = [Need(row, (1, len(row) - 1)) for row in rows]
    assert torch.allclose(model.logits(needs), theirs.logits(needs), atol=1e-4)
    step = oc.continuous(oc.generate.text(model))("Once", max_tokens=3, seed=1)
    assert step.kv.lengths.tolist() == [[0]] and sequences_in_use(model) == []


# --- programs of branches, against whole forwards


@st.composite
def steps_of_reading(draw: st.DrawFn) -> list[tuple[list[tuple[tuple[int, ...], tuple[int, ...]]], list[int]]]:
    """Some readings: rows with wanted positions, and which claims to drop afterwards."""
    rows: list[tuple[int, ...]] = [()]
    steps = []
    for _ in range(draw(st.integers(1, 5))):
        asked = []
        for _ in range(draw(st.integers(1, 6))):
            base = draw(st.sampled_from(rows))
            row = base[: draw(st.integers(0, len(base)))] + tuple(
                draw(st.lists(st.integers(5, 9), min_size=1, max_size=7))
            )
            wanted = draw(st.sets(st.integers(0, len(row) - 1), max_size=4))
            rows.append(row)
            asked.append((row, tuple(sorted(wanted))))
        steps.append((asked, draw(st.lists(st.integers(0, 40), max_size=4))))
    return steps


@pytest.fixture(scope="module", params=["llama", "gemma3"])
def small(folder: Path, reference: oc.Model, request: pytest.FixtureRequest) -> tuple[oc.Model, oc.Model]:
    """A model of few sequences, small batches and few outputs, and the same one of transformers. One has windows."""
    hf = random_model(request.param, len(reference.vocabulary))
    file = write_gguf(folder / f"small-{request.param}.gguf", hf, reference.tokenizer)
    return model_of(file, n_seq_max=8, n_batch=7, n_ubatch=3, n_ctx=256), oc.Model(hf, reference.tokenizer)


@settings(max_examples=25)
@given(program=steps_of_reading())
def test_forks_crops_and_branches_give_the_logits_of_whole_rows(
    small: tuple[oc.Model, oc.Model], program: list[tuple[list[tuple[tuple[int, ...], tuple[int, ...]]], list[int]]]
) -> None:
    model, theirs = small
    held: list[Any] = []
    for asked, drops in program:
        needs = [Need(row, wanted) for row, wanted in asked]
        logits, claims = model.read(needs)
        with theirs.fresh():
            expected = theirs.logits(needs)
        largest = 1e-3 * float(expected.abs().max()) if len(expected) else 0.0
        assert torch.allclose(logits, expected, atol=1e-4 if "llama" in model.engine.file.architecture else largest)
        held += claims
        for drop in drops:
            if held:
                held.pop(drop % len(held))
        if len(drops) % 2:
            model.tree.forget_logits()
    del claims, needs
    held.clear()
    assert model.tree.bytes == 0 and sequences_in_use(model) == []
    assert len(model.engine._sequences.free) == 8


# --- more branches than sequences, more tokens than cells


def test_trainers_read_the_same_off_it(model: oc.Model, reference: oc.Model) -> None:
    """Completions, forced tokens, entropies and forks, and what the forks go on with."""
    read = []
    for each in (model, reference):
        schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
        step = oc.continuous(oc.generate.json(each, schema, oc.samplers.multinomial(samples=2)), name="v")
        state = step("Mira is 34. ", seed=3, keep=oc.Keep(entropies=True))
        cut = oc.train.fork_at(state, n=2)
        grown = step.resume(cut, seed=3)
        written = [row for group in (*state.completions(), *grown.completions()) for row in group if row is not None]
        read.append(([(row.prompt_ids, row.ids, row.mask, row.forced) for row in written], cut.lengths.tolist()))
        numbers = [value or 0.0 for row in written for value in (*row.logprobs, *row.proposal_logprobs, *row.entropies)]
        read[-1] += (pytest.approx(numbers, abs=1e-2),)
    assert read[0][:2] == read[1][:2] and read[0][2].expected == read[1][2]


def test_a_thousand_forks_are_right(model: oc.Model, reference: oc.Model) -> None:
    def program(model: oc.Model) -> oc.SequenceState:
        step = oc.continuous(oc.generate.text(model))
        return step(model.state("Mira is a").fork(1000), max_tokens=3, seed=1)

    [rows], [expected] = program(model).rows, program(reference).rows
    others = [row.ids for row, right in zip(rows, expected, strict=True) if row.ids != right.ids]
    assert len(rows) == 1000 and len(others) < 10, (
        "a draw that lies within rounding of a border may fall on either side"
    )


def test_branches_that_nobody_uses_make_room(model: oc.Model, reference: oc.Model) -> None:
    step = oc.continuous(oc.generate.text(model))
    states = [step(f"{name} is a", max_tokens=3, seed=i) for i, name in enumerate(["Mira", "Tom", "The sky"] * 120)]
    again = [step(state, max_tokens=2, seed=1) for state in states[::30]]
    theirs = oc.continuous(oc.generate.text(reference))
    for state in again:
        assert state == theirs(state.to(reference)[..., :-2], max_tokens=2, seed=1).to(model)


def test_rows_that_do_not_fit_together_are_read_one_after_the_other(folder: Path, reference: oc.Model) -> None:
    model = model_of(shipped(folder), n_ctx=256)
    start = oc.continuous(oc.generate.text(model, GREEDY))("Mira is", max_tokens=2)
    needs = [Need(tuple(range(6, 206)), (0, 199), head=(first,)) for first in range(5, 12)]
    assert torch.allclose(model.logits(needs), reference.logits(needs), atol=1e-3)
    assert model.tree.pool.used <= 256
    more = oc.continuous(oc.generate.text(model, GREEDY))(start, max_tokens=2)
    assert more == oc.continuous(oc.generate.text(reference, GREEDY))(start.to(reference), max_tokens=2).to(model)


def test_a_context_too_small_for_a_row_says_what_n_ctx_would_do(folder: Path) -> None:
    model = model_of(shipped(folder), n_ctx=256)
    assert model.context_length == 256
    for call in (
        lambda: model.logits([Need(tuple(range(5, 305)), (299,))]),
        lambda: oc.generate.text(model, GREEDY)(model.state(list(range(5, 305)))),
    ):
        with pytest.raises(ValueError, match=r"300 tokens.* 256.*n_ctx"):
            call()


# --- failures


def test_a_failed_pass_leaves_nothing_behind(model: oc.Model, reference: oc.Model) -> None:
    step = oc.continuous(oc.generate.text(model, GREEDY))
    before = step("Mira is a", max_tokens=4)
    taken = model.tree.pool.used
    model.engine.context.stop.value = b"x"
    with pytest.raises(oc.errors.EngineError, match=r"the pass of \d+ tokens? was stopped"):
        step(before.fork(3) + " and so", max_tokens=2)
    assert model.tree.bytes == taken * model.tree.pool.slot_bytes
    model.engine.context.stop.value = b""
    theirs = oc.continuous(oc.generate.text(reference, GREEDY))
    assert step(before, max_tokens=4) == theirs(before.to(reference), max_tokens=4).to(model)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts come from a timer")
@pytest.mark.parametrize(
    "send", [lambda number: os.kill(os.getpid(), number), signal.raise_signal], ids=["process", "thread"]
)
def test_an_interrupt_ends_a_long_pass(model: oc.Model, send: Any) -> None:
    """Also one that another thread gets, which does not wake the main thread."""
    engine = model.engine
    ids = tuple(5 + i % 900 for i in range(2000))
    assert len(ids) > LONG_PASS
    entered = threading.Event()
    decode = engine.model.library._functions["llama_decode"]

    def slow(context: Any, batch: Any) -> int:
        entered.set()
        while not engine.context.stop.value:  # a pass that takes as long as it must
            time.sleep(0.001)
        return decode(context, batch)

    def interrupt() -> None:
        entered.wait()
        send(signal.SIGINT)

    # (What is started in a shell's background ignores SIGINT, and so do its children.)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    engine.model.library._functions["llama_decode"] = slow
    try:
        with pytest.raises(KeyboardInterrupt):
            model.logits([Need(ids, (1999,))])
    finally:
        engine.model.library._functions["llama_decode"] = decode
        signal.signal(signal.SIGINT, before)
    assert sequences_in_use(model) == []
    assert oc.generate.text(model, GREEDY)("The sky is", max_tokens=2) == " blue."


def test_what_another_thread_has_given_back_in_part_stays_for_the_next_pass() -> None:
    removed: list[tuple[int, int]] = []
    library = SimpleNamespace(
        llama_memory_seq_rm=lambda memory, sequence, begin, end: removed.append((sequence, begin)),
        llama_memory_seq_cp=None,
    )
    sequences, table = Sequences(library, None, 4), CellTable(16)
    sequences.tables.append(table)
    sequence, slots = sequences.branch(-1, 0, 0), table.take(8)
    sequences.length[sequence] = 8
    table.note(slots, np.full(8, sequence, np.int32), np.arange(8, dtype=np.int32))
    table._states[slots[3:5]] = GIVEN  # 5 to 7 are not marked yet
    sequences.forget()
    assert not removed and sequences.length[sequence] == 8
    table._states[slots[5:]] = GIVEN
    sequences.forget()
    assert removed == [(sequence, 3)] and sequences.length[sequence] == 3
    assert table.given().tolist() == [] and len(table.computed()) == 3


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts come from a timer")
def test_interrupts_at_any_moment_leave_the_memory_right(model: oc.Model, reference: oc.Model) -> None:
    """Before the pass has begun, within it, while it ends: no pass goes on behind our back, and none is lost."""
    random = Random(0)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before, ended = signal.signal(signal.SIGALRM, interrupt), 0
    try:
        for _ in range(60):
            ids = tuple(5 + random.randrange(900) for _ in range(LONG_PASS + 44))
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 0.03))
                model.logits([Need(ids, (len(ids) - 1,))])
                ended += 1
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ended < 60
    need = [Need(ids[:40], (39,))]
    assert torch.allclose(model.logits(need), reference.logits(need), atol=1e-3)
    gc.collect()
    assert sequences_in_use(model) == []


# --- threads, processes, and what is freed


def test_a_daemon_thread_does_not_break_the_exit(folder: Path) -> None:
    """The library's memory is freed while it runs: without a guard, the process ended by a segmentation fault."""
    script = """
import sys, threading, outlines_cont as oc
model = oc.load(sys.argv[1], n_threads=1)
text, several = oc.generate.text(model), model.state("Mira is a").fork(20)
entered = threading.Event()
def work():
    while True:
        text(several, max_tokens=20)
        entered.set()
threading.Thread(target=work, daemon=True).start()
entered.wait()
"""
    done = subprocess.run([sys.executable, "-c", script, shipped(folder)], capture_output=True, timeout=300)
    # A daemon thread that is in torch's C++ code when the interpreter ends is ended there: that aborts, without us.
    aborted = (-signal.SIGABRT, b"terminate called without an active exception\n")
    assert (done.returncode, done.stderr) in ((0, b""), aborted)


def test_threads_get_what_one_thread_gets(model: oc.Model) -> None:
    step = oc.continuous(oc.generate.text(model))

    def work(seed: int) -> list[list[int]]:
        state = step("Mira is a", max_tokens=6, seed=seed).fork(2)
        return step(state[..., :-3], max_tokens=4, seed=seed).token_ids.tolist()

    alone = [work(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(8))) == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_goes_on(folder: Path) -> None:
    model = oc.Model(LlamaCppEngine(shipped(folder), n_threads=2), oc.load().tokenizer)
    step = oc.continuous(oc.generate.text(model, GREEDY))
    state = step("The sky is", max_tokens=1)
    child = os.fork()
    if not child:
        right = False
        try:
            right = step(state, max_tokens=1).kv.lengths.tolist() == [[7]]
        finally:
            os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_all_is_freed_when_the_last_reference_goes(folder: Path) -> None:
    model = model_of(shipped(folder))
    state = oc.continuous(oc.generate.text(model, GREEDY))("The sky is", max_tokens=1)
    engine = weakref.ref(model.engine)
    frees = [model.engine.context.finalizer, model.engine.model.finalizer]
    del model
    gc.collect()
    assert all(free.alive for free in frees)  # the state holds them
    del state
    gc.collect()
    assert engine() is None and not any(free.alive for free in frees)


def test_under_fresh_nothing_is_kept(model: oc.Model) -> None:
    step = oc.continuous(oc.generate.text(model, GREEDY))
    state = step("The sky is", max_tokens=1)
    with model.fresh():
        assert step("The sky is", max_tokens=1) == state
        assert step(model.state(["Mira", "Tom"]).fork(40), max_tokens=2).shape[:2] == (2, 40)
    gc.collect()
    model.engine._sequences.forget()
    model.engine._sequences.forget()
    assert len(model.engine._sequences.tables) <= 2  # that of the model, and maybe that of the probe


def test_two_models_of_one_engine_share_its_memory(model: oc.Model) -> None:
    other = oc.Model(model.engine, model.tokenizer)
    first, second = (
        oc.continuous(oc.generate.text(each, GREEDY))("The sky is", max_tokens=3) for each in (model, other)
    )
    assert first.token_ids.tolist() == second.token_ids.tolist()
    assert model.tree.pool.most_slots == model.tree.pool.capacity - second.kv.lengths.sum()


def test_the_identity_is_the_file_s(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(shipped(folder).read_bytes())
    first, second = model_of(shipped(folder)), model_of(path)
    assert first.identity == second.identity != model_of(shipped(folder, "f16")).identity
    third = model_of(path)
    os.utime(path, (1, 1))
    with pytest.raises(ValueError, match="was changed after it was loaded"):
        _ = third.identity


def test_no_draft_changes_the_result(model: oc.Model) -> None:
    """What is proposed is read with the rows, as branches of a tree, and what was read for nothing is given back."""
    with eager():
        check_drafts(model, 1e-2)
    word = oc.generate.text(model, GREEDY)
    expected = word.run("The sky is", max_tokens=20)
    draft = Guesses("perfect", ends(expected), len(model.vocabulary), 0)
    expected = expected.kv.drop()
    model.stats.reset()
    assert word.run("The sky is", max_tokens=20, draft=draft) == expected
    assert model.stats.accepted >= 15 and model.stats.passes <= 5


@pytest.mark.parametrize("fault", ["what was cropped stays", "what stands above is lost", "another row stands above"])
def test_the_probe_of_a_rounded_file_sees_rows_whose_branches_stand_on_other_tokens(
    tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shipped(tmp_path, "q8_0")
    assert oc.load(file, n_ctx=2048).engine.keeps
    share = Sequences.share

    def shared_wrongly(self: Any, base: int, sequence: int, begin: int, end: int) -> None:
        if fault == "what was cropped stays":
            share(self, base, sequence, begin, -1)
        elif fault == "another row stands above":
            share(self, max(base - 1, 0), sequence, begin, end)

    monkeypatch.setattr(Sequences, "share", shared_wrongly)
    assert not oc.load(file, n_ctx=2048).engine.keeps


def test_jobs_that_differ_run_together(folder: Path) -> None:
    model = model_of(shipped(folder))
    draw = oc.samplers.multinomial()
    each = [oc.continuous(oc.generate.regex(model, p, draw)) for p in ("[A-Z][a-z]{3,6}", "1[0-9]{3}", "[a-z ]{9}")]
    jobs = [(step, "Tom is ", oc.Settings(seed=i, temperature=0.5 + i)) for i, step in enumerate(each)]
    together = oc.batch(jobs)
    for i, ((step, prompt, own), state) in enumerate(zip(jobs, together, strict=True)):
        assert state == step(prompt, keys=[i], rows=[own])
