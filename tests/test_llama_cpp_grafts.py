"""Grafts on llama.cpp: rows with different beginnings share the cells of what they go on with at the same positions."""

from __future__ import annotations

import ctypes
import gc
import struct
from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="the wheel xllamacpp, which carries llama.cpp, is not installed")
pytest.importorskip("gguf", reason="the package gguf, with which the tests write their files, is not installed")

import torch
from gguf_files import random_model, shipped, write_gguf
from hypothesis import given, settings
from hypothesis import strategies as st
from test_grafts import SHARES, GraftProgram, assert_exact_rows_agree
from test_grafts_in_place import logits_by_hand as of_transformers
from test_llama_cpp import model_of, sequences_in_use
from test_models import apart

import outlines_cont as oc
from outlines_cont.kv.needs import Need
from outlines_cont.llama_cpp.context import Context
from outlines_cont.llama_cpp.library import load_library
from outlines_cont.llama_cpp.packed_pass import BatchArrays

Ids = tuple[int, ...]
TOLERANCE = {"llama": 1e-4, "gemma3": 1e-3}  # llama.cpp takes some functions from tables of float16
GREEDY = oc.samplers.greedy()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


def file_of(folder: Path, architecture: str, layers: int | None = None) -> tuple[Path, Any]:
    """A file of random parameters, with windows of 8 tokens if it is a Gemma, and the same model of transformers."""
    tokenizer = oc.load().tokenizer
    hf = random_model(architecture, len(oc.load().vocabulary))
    if layers is not None:
        del hf.model.layers[layers:]
        hf.config.num_hidden_layers = layers
    path = folder / f"{architecture}-{layers}.gguf"
    return path if path.exists() else write_gguf(path, hf, tokenizer), hf


@pytest.fixture(params=["llama", "gemma3"])
def pair(folder: Path, request: pytest.FixtureRequest) -> Iterator[tuple[oc.Model, oc.Model]]:
    """A model of llama.cpp, and one of transformers. After the test, nothing of it is left in llama.cpp's memory."""
    file, hf = file_of(folder, request.param)
    model = model_of(file, n_ctx=512)
    yield model, oc.Model(hf, model.tokenizer)
    gc.collect()
    assert model.stats.kv_bytes == 0 and sequences_in_use(model) == []


def cells_in_use(model: oc.Model) -> int:
    """How many cells are in use, as llama.cpp itself says it: a state that it saves begins with the architecture's
    name, the number of memories (one for all sequences), and that of its cells which are not empty."""
    engine = model.engine
    engine._sequences.forget()
    library = ctypes.CDLL(str(load_library().path))
    library.llama_state_get_size.restype = ctypes.c_size_t
    context, size = ctypes.c_void_p(engine.context.pointer), library.llama_state_get_size
    data = (ctypes.c_ubyte * size(context))()
    library.llama_state_get_data(context, data, ctypes.c_size_t(len(data)))
    [length] = struct.unpack_from("<I", data)
    memories, cells = struct.unpack_from("<II", data, 4 + length)
    assert bytes(data[4 : 4 + length]).decode() == engine.file.architecture and memories == 1
    return cells


def logits_by_hand(model: oc.Model, left: Ids, right: Ids, after: Ids) -> torch.Tensor:
    """The logits after each token of `after` in a context of llama.cpp that knows nothing of us, in a sequence that
    shares the cells of `left`, and those of `right` behind it."""
    engine, library = model.engine, load_library()
    context = Context(engine.model, replace(engine.context.options, n_batch=256, n_ubatch=256, n_outputs=256))
    arrays = BatchArrays(256, 256)

    def decode(ids: Ids, position: int, sequence: int) -> torch.Tensor:
        arrays.add(ids, position, range(len(ids)), [sequence])
        arrays.fill()
        assert context.decode(arrays.batch) == 0
        arrays.clear()
        lines = ctypes.c_float * (len(ids) * engine.n_vocab)
        address = library.llama_get_logits(context.pointer)
        return torch.tensor(lines.from_address(address)[:]).view(len(ids), engine.n_vocab)

    decode(left, 0, 0)
    decode(right, 0, 1)
    library.llama_memory_seq_cp(context.memory, 0, 2, 0, len(left))
    library.llama_memory_seq_cp(context.memory, 1, 2, len(left), len(right))
    return decode(after, len(right), 2)


def ids_of(state: oc.SequenceState) -> Ids:
    return state.rows[0][0].ids


def logits_after(state: oc.SequenceState, after: Ids) -> torch.Tensor:
    """The logits after each of some tokens that follow the one row of a state."""
    [row] = (state + state.model.state([list(after)])).rows[0]
    return state.model.logits([Need(row.ids, tuple(range(state.shape[2], len(row))), row.claim)])


def tolerance(model: oc.Model) -> float:
    return TOLERANCE[model.engine.file.architecture]


some_ids = st.lists(st.integers(5, 60), min_size=1, max_size=12).map(tuple)


@settings(max_examples=15)
@given(left=some_ids, head=some_ids, taken=some_ids, after=some_ids, share=st.sampled_from(SHARES))
def test_a_graft_reads_the_cells_that_llama_cpp_shares(
    folders: dict[str, tuple[oc.Model, Any]], left: Ids, head: Ids, taken: Ids, after: Ids, share: float
) -> None:
    """Its logits are those of llama.cpp, told to share them by hand; and those of a cache of transformers."""
    head = (head * len(left))[: len(left)]
    for model, hf in folders.values():
        start, right = model.state([left]).kv.prefill(), model.state([head + taken]).kv.prefill()
        cells = cells_in_use(model)
        grafted = oc.grafts.graft(start, right, share, skip=start.lengths)
        count = len(taken) if head == left else ceil(round(share * len(taken), 6))
        assert grafted == start + model.state([taken])
        assert grafted.kv.exact.sum() == len(left) + count and grafted.kv.lengths.equal(grafted.lengths)
        assert cells_in_use(model) <= cells + count
        begin = ids_of(grafted)[: len(left) + count]
        by_hand = logits_by_hand(model, begin, head + taken, after)
        answer = logits_after(grafted, after)
        assert apart(answer, by_hand) <= tolerance(model)
        assert apart(answer, of_transformers(hf, begin, head + taken, after)) <= max(tolerance(model), 1e-3)
        # After the graft's own tokens: each is read again, and sees the cells before it.
        [row] = grafted.rows[0]
        again = model.logits([Need(row.ids, tuple(range(len(begin), len(row))), row.claim)])
        for line, at in zip(again, range(len(begin), len(row)), strict=True):
            expected = logits_by_hand(model, begin, (head + taken)[:at], row.ids[at : at + 1])
            assert apart(line, expected[0]) <= tolerance(model)


@pytest.fixture(scope="module")
def folders(folder: Path) -> dict[str, tuple[oc.Model, Any]]:
    """For each architecture a model of llama.cpp, and one of transformers."""
    made = {}
    for architecture in TOLERANCE:
        file, hf = file_of(folder, architecture)
        made[architecture] = model_of(file, n_ctx=512), hf
    return made


def test_merged_branches_take_the_cells_that_the_tree_says(pair: tuple[oc.Model, oc.Model]) -> None:
    """`AA` before `GG` and `MM`, and the same `d`s behind both: 2 + 2 + 2 + 4 cells, of 16 tokens of the rows."""
    model, _ = pair
    a, g, m, d = (20, 21), (30, 31), (40, 41), (50, 51, 52, 53)
    start = model.state([a]).kv.prefill()
    first = (start + model.state([g]) + model.state([d])).kv.prefill()
    second = (start + model.state([m])).kv.prefill()
    assert cells_in_use(model) == model.tree.pool.used == 2 + 2 + 4 + 2
    assert len(sequences_in_use(model)) == (2 if not model.engine.model.window else 4)
    model.stats.reset()
    merged = oc.grafts.graft(second, first, 0, skip=second.lengths)
    both = oc.cat([first, merged], 0)
    assert both.lengths.sum() == 16 and both.kv.exact.sum(-1).tolist() == [[8], [4]]
    assert (model.stats.tokens, model.stats.grafted) == (0, 4)
    longer = (both + model.state([[60], [60]])).kv.prefill()
    assert cells_in_use(model) == model.tree.pool.used == 12, "one cell more for each row"
    exact = (second + model.state([d])).kv.prefill()
    assert cells_in_use(model) == model.tree.pool.used == 16, "the exact row has `d`s of its own"
    del exact, first, both, start, second
    gc.collect()
    assert cells_in_use(model) == model.tree.pool.used == 12
    longer = longer[1:, :]
    gc.collect()
    assert cells_in_use(model) == model.tree.pool.used == 11, "the merged row holds the `d`s, and `GG` before them"
    del merged, longer
    gc.collect()
    assert cells_in_use(model) == model.tree.pool.used == 0


@settings(max_examples=12)
@given(data=st.data())
def test_no_exact_row_reads_a_graft(folders: dict[str, tuple[oc.Model, Any]], data: st.DataObject) -> None:
    """Whatever is combined, cut, forked and evicted; and the memory is given back."""

    def agree(model: oc.Model, state: oc.SequenceState) -> None:
        model.tree.forget_logits()
        for row in {row.ids: row for group in state.rows for row in group if len(row)}.values():
            need = [Need(row.ids, tuple(range(len(row))), row.claim)]
            with torch.no_grad():
                plain = hf(input_ids=torch.tensor([row.ids]), use_cache=False).logits[0]
            assert apart(model.logits(need), plain) <= 1e-3

    model, hf = folders[data.draw(st.sampled_from([*TOLERANCE]))]
    program = GraftProgram(model, moves=False)
    for _ in range(data.draw(st.integers(2, 9), label="length")):
        program.act(data)
    assert_exact_rows_agree(model, program.states, agree)
    assert cells_in_use(model) == model.tree.pool.used
    model.tree.evict()
    assert_exact_rows_agree(model, program.states, agree)
    program.states.clear()
    gc.collect()
    assert model.stats.kv_bytes == 0 and sequences_in_use(model) == []
    assert len(model.engine._sequences.free) == model.engine._sequences.most


@pytest.mark.parametrize("architecture", ["llama", "qwen2"])
def test_with_one_layer_a_graft_reads_exact_keys(folder: Path, architecture: str) -> None:
    """Those of the first layer depend on a token and its position alone. So with one layer nothing is approximate."""
    error = {}
    for layers in (1, 2):
        model = model_of(file_of(folder, architecture, layers)[0])
        left, right = model.state([[5, 6, 7, 8]]), model.state([[20, 21, 22, 23, 30, 31, 32, 33]])
        error[layers] = oc.grafts.graft_error(oc.grafts.graft(left, right, 0, skip=left.lengths)).logprob.item()
    assert error[1] < 1e-4 and error[2] > 1e-2


def test_other_positions_are_refused_by_name(pair: tuple[oc.Model, oc.Model]) -> None:
    model, _ = pair
    left, right = model.state("Mira is"), model.state("Tom is a cook")
    reason = r"llama[.]cpp, \w+ F32 takes no grafts: it has no way to move keys.*skip=left[.]lengths.*left \+ right is"
    for skip in (0, 1, -1):
        with pytest.raises(ValueError, match=reason):
            oc.grafts.graft(left, right, skip=skip)
    with oc.stepping.strict_kv(), pytest.raises(oc.errors.SlicingError, match="not exact"):
        oc.grafts.graft(left, right, skip=left.lengths)


def test_a_recurrent_model_takes_no_grafts(folder: Path) -> None:
    model = model_of(file_of(folder, "mamba")[0])
    left = model.state("Mira is")
    with pytest.raises(ValueError, match=r"takes no grafts: it keeps no keys and values .*it is recurrent"):
        oc.grafts.graft(left, model.state("Tom is a cook"), skip=left.lengths)


def test_more_rows_fit_than_would_exactly(folder: Path) -> None:
    """Twenty beginnings of ten tokens, and one text of 40: 1,000 tokens in 256 cells."""
    model = model_of(shipped(folder), n_ctx=256)
    text = list(range(300, 340))
    first = (model.state([list(range(100, 110))]) + model.state([text])).kv.prefill()
    rows = [oc.grafts.graft(model.state([[110 + i, *range(101, 110)]]), first, 0, skip=10) for i in range(20)]
    assert cells_in_use(model) == model.tree.pool.used == 50 + 200
    steps = [oc.continuous(oc.generate.text(model, GREEDY))(row, max_tokens=1) for row in rows[:3]]
    assert all(step.shape[2] == 51 for step in steps)
    with pytest.raises(
        oc.errors.ContextFull, match=r"needs 10 more slots .* 250 of .* 256 are in use, by grafts.*larger n_ctx"
    ):
        oc.grafts.graft(model.state([[200, *range(101, 110)]]), first, 0, skip=10)
    del first, rows, steps
    gc.collect()
    big = [model.state([[at, *range(150)]]) for at in (5, 6)]
    with pytest.raises(
        oc.errors.ContextFull, match=r"graft[(][)] of 1 rows: the tokens before.* 256 slots together; .*n_ctx"
    ):
        oc.grafts.graft(big[0], big[1] + model.state([[7]]), 0, skip=151)


def test_a_thousand_forks_of_a_graft_are_right(folder: Path) -> None:
    """More rows than sequences: what they drew after the graft is given up where it must, and the graft stays."""
    model = model_of(shipped(folder))
    left, right = model.state([[20, 21, 22]]), model.state([[30, 31, 32, *range(40, 60)]])
    grafted = oc.grafts.graft(left, right, 0, skip=3)
    step = oc.continuous(oc.generate.text(model))
    alone = [step(grafted, max_tokens=3, seed=seed) for seed in (1, 2)]
    many = step(grafted.fork(1000), max_tokens=3, seed=1)
    assert many.kv.lengths.min() >= 23 and not many.kv.exact.all(-1).any()
    lines = {}
    for row in many.rows[0]:
        lines.setdefault(row.ids, []).append(row.logprobs[-1])
    assert max(max(each) - min(each) for each in lines.values()) < 1e-4
    again = [step(grafted.kv.drop() if exact else grafted, max_tokens=3, seed=1) for exact in (False, True)]
    assert again[0] == alone[0] and not again[0].kv.logprobs_exact.all() and again[1].kv.logprobs_exact.all()
    assert oc.grafts.graft_error(grafted).total_variation.item() > 1e-4


def test_grafts_need_no_sequences_and_rows_on_them_one_each(folder: Path) -> None:
    """A dozen grafts, and as many rows that go on from them, with six sequences for branches."""
    model = model_of(file_of(folder, "llama")[0], n_seq_max=8)
    left, right = model.state([[20, 21, 22]]), model.state([[30, 31, 32, 40, 41, 42]])
    grafts = oc.cat([oc.grafts.graft(left, right, 0, skip=3) for _ in range(12)], 0)
    assert len(sequences_in_use(model)) == 2 and cells_in_use(model) == 9
    rows = [row for group in (grafts + model.state([[60 + i] for i in range(12)])).rows for row in group]
    logits, claims = model.read([Need(row.ids, (6,), row.claim) for row in rows])
    for i, line in enumerate(logits):
        expected = logits_by_hand(model, ids_of(left), ids_of(right), (60 + i,))
        assert apart(line, expected[0]) <= TOLERANCE["llama"]
    assert all(claim is not None and claim.depth >= 6 for claim in claims)
    del claims
