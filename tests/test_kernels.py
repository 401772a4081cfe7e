"""Every Triton kernel against its plain-torch reference, under Triton's interpreter: odd sizes, any strides, NaN where
nothing was written; who runs where; and the whole library on kernels."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from cases import nightly
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_attention import causal, filled, plain, planned, rows_of_tokens, seen_by
from test_generation import toy_model
from test_machine import patterns
from torch import Tensor
from triton.runtime.interpreter import InterpreterBuilder

import outlines_cont as oc
from outlines_cont.decode import logits as masking
from outlines_cont.engines.hf.attention_layout import lay_out
from outlines_cont.engines.hf.attention_plan import AttentionPlan
from outlines_cont.engines.slot_model import SlotModel
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary, pack
from outlines_cont.kernels import attention_work, bitmask, launch, philox, prefix_attention, survey, token_masks
from outlines_cont.kernels import warp as warping
from outlines_cont.kernels.attention_work import AttentionBlock, work_of
from outlines_cont.kernels.fused_law import fused
from outlines_cont.kernels.laws import constrain, endings_of
from outlines_cont.kernels.likeliest import likeliest
from outlines_cont.kernels.prefix_attention import attend_tree
from outlines_cont.kernels.rows import ELSEWHERE, GIVEN, NO_STOP, Rows
from outlines_cont.kernels.sampling import sample
from outlines_cont.kernels.warp import warp
from outlines_cont.kv.radix_tree import Tree

pytestmark = pytest.mark.skipif(launch.triton is None, reason="there is no Triton on this platform")
CPU = torch.device("cpu")
FLOATS = [torch.float32, torch.float16, torch.float64]
if hasattr(InterpreterBuilder, "get_bf16"):  # the interpreter of Triton 3.6 has no constants of this type
    FLOATS.append(torch.bfloat16)


@contextmanager
def patched_once_a_launch() -> Iterator[None]:
    """Triton's interpreter puts its own functions into `triton.language` for a launch, and once more whenever one
    function of a kernel calls another: that takes half of its time, and changes nothing."""
    from triton.runtime import interpreter

    patch, done = interpreter._patch_lang, set()

    def once(fn: FunctionType) -> Any:
        if id(fn.__globals__) in done:
            return interpreter._LangPatchScope()
        done.add(id(fn.__globals__))
        scope = patch(fn)
        restore = scope.restore  # at the end of a launch
        scope.restore = lambda: (restore(), done.clear())
        return scope

    with mock.patch.object(interpreter, "_patch_lang", once):
        yield


@pytest.fixture(autouse=True, scope="module")
def _small_tiles() -> Iterator[None]:
    """Tiles so small that rows have many of them; what is allocated holds garbage."""
    poison = {torch.uint8: 77, torch.bool: True, torch.int32: -12345, torch.int64: -(2**40)}

    def poisoned(made: Tensor) -> Tensor:
        return made.fill_(math.nan) if made.is_floating_point() else made.fill_(poison[made.dtype])

    def wrapped(make):
        return lambda *args, **kwargs: poisoned(make(*args, **kwargs))

    with (
        patched_once_a_launch(),
        mock.patch.object(survey, "COLUMNS", 128),
        mock.patch.object(warping, "READ", 4),
        mock.patch.object(bitmask, "COLUMNS", 128),
        mock.patch.object(token_masks, "TOKENS", 64),
        mock.patch.object(attention_work, "SHORTEST", 16),
        mock.patch.object(torch, "empty", wrapped(torch.empty)),
        mock.patch.object(torch, "empty_like", wrapped(torch.empty_like)),
        mock.patch.object(Tensor, "new_empty", wrapped(Tensor.new_empty)),
    ):
        yield


# ------------------------------------------------------------------------------------------------------------ bitmasks

SIZES = st.sampled_from([1, 31, 33, 127, 128, 129, 300])


@settings(max_examples=40)
@given(rows=st.sampled_from([1, 3]), size=SIZES, seed=st.integers(0, 2**32 - 1), share=st.sampled_from([0, 0.5, 1]))
def test_bit_masks(rows: int, size: int, seed: int, share: float) -> None:
    allowed = torch.rand(rows, size, generator=torch.Generator().manual_seed(seed)) < share
    packed = bitmask.pack.kernel(allowed)
    assert packed.numpy().tolist() == [pack(line).tolist() for line in allowed.numpy()]
    assert packed.equal(bitmask.pack.reference(allowed)) and packed.equal(bitmask.pack.kernel(allowed.T.clone().T))
    if size % 32:  # bits beyond the end say nothing
        packed[:, -1] |= -1 << size % 32
    wide = packed.repeat_interleave(2, 1)[:, ::2]  # a view
    for given_ in (packed, wide):
        assert bitmask.unpack.kernel(given_, size).equal(allowed) and bitmask.unpack.reference(given_, size).equal(
            allowed
        )


@settings(max_examples=40)
@given(
    rows=st.sampled_from([1, 3]),
    size=SIZES,
    seed=st.integers(0, 2**32 - 1),
    shared=st.booleans(),
    dtype=st.sampled_from(FLOATS),
    turned=st.booleans(),
)
def test_masks_are_applied_in_place(
    rows: int, size: int, seed: int, shared: bool, dtype: torch.dtype, turned: bool
) -> None:
    torch.manual_seed(seed)
    logits = torch.randn(size, rows).to(dtype).T if turned else torch.randn(rows, size).to(dtype)
    logits[0, 0] = math.nan
    allowed = torch.rand(1 if shared else rows, size) < 0.5
    expected = torch.where(allowed, logits, -math.inf)
    for apply in (bitmask.apply.kernel, bitmask.apply.reference):
        own = logits.clone()
        assert own.stride() == logits.stride()
        assert apply(own, bitmask.pack(allowed)) is own
        assert torch.equal(own.nan_to_num(7.0), expected.nan_to_num(7.0))


def test_masks_of_other_shapes_are_named() -> None:
    for apply in (bitmask.apply.kernel, bitmask.apply.reference):
        for wrong in (
            torch.zeros(2, 3, dtype=torch.int64),
            torch.zeros(2, 2, dtype=torch.int32),
            torch.zeros(3, 3).int(),
        ):
            with pytest.raises(ValueError, match=r"masks of torch.*for 70 tokens: they must be int32 \[1 or 2, 3\]"):
                apply(torch.zeros(2, 70), wrong)


# ---------------------------------------------------------------------------------------------------------- randomness


def test_philox_gives_the_words_of_its_paper() -> None:
    """The known answers of Random123, the authors' own library."""
    block, schedule = philox.block, philox.schedule
    assert block(schedule(0, 0), 0, 0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    ones = 0xFFFFFFFF
    assert block(schedule(ones, ones), ones, ones, ones, ones) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    pi = schedule(0xA4093822, 0x299F31D0)
    assert block(pi, 0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


if launch.triton is not None:

    @launch.jit
    def _uniforms(keys, out):
        row = launch.tl.program_id(0)
        stream, position, attempt = (
            launch.tl.load(keys + row * 3),
            launch.tl.load(keys + row * 3 + 1),
            launch.tl.load(keys + row * 3 + 2),
        )
        launch.tl.store(out + row, philox.uniform_of(stream, position, attempt))


def test_kernels_draw_the_same_bits() -> None:
    rng = Random(0)
    keys = [(rng.getrandbits(64), rng.getrandbits(32), rng.randrange(3)) for _ in range(50)]
    keys += [(0, 0, 0), (2**64 - 1, 2**32 - 1, 2**32 - 1)]
    out = torch.zeros(len(keys), dtype=torch.float64)
    _uniforms[(len(keys),)](philox.keys_on(keys, CPU), out)
    assert out.tolist() == [philox.uniform(key) for key in keys] == philox.uniforms(keys)


def test_uniform_numbers_are_uniform_in_every_part_of_their_key() -> None:
    for vary in range(3):
        key = [12345, 67, 0]
        numbers = []
        for i in range(4000):
            key[vary] = i
            numbers.append(philox.uniform((key[0], key[1], key[2])))
        gaps = np.sort(numbers) - np.arange(4000) / 4000
        assert np.abs(gaps).max() < 1.95 / math.sqrt(4000), "Kolmogorov and Smirnov, at 0.001"
        assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.06


# ------------------------------------------------------------------------------------------------------------ sampling


@st.composite
def rows_of_logits(draw: st.DrawFn, dtypes: list[torch.dtype] = FLOATS) -> Rows:
    """Logits of any type and strides, with ties and −inf; masks that rows share; every kind of stop."""
    count, size, seed = draw(st.sampled_from([1, 1, 3, 5])), draw(SIZES), draw(st.integers(0, 2**32 - 1))
    torch.manual_seed(seed)
    logits = torch.randn(count, size) * draw(st.sampled_from([0.0, 1.0, 8.0]))
    if draw(st.booleans()):
        logits = (logits * 2).round() / 2
    logits[torch.rand(count, size) < draw(st.sampled_from([0.0, 0.3]))] = -math.inf
    sure = int(torch.randint(size, ()))
    logits[:, sure] = 0.5
    logits = logits.to(draw(st.sampled_from(dtypes)))
    if draw(st.booleans()):
        logits = logits.T.contiguous().T
    allowed = torch.rand(draw(st.integers(1, 3)), size) < draw(st.sampled_from([0.0, 0.1, 0.9, 1.0]))
    allowed[:, sure] = True
    places = torch.randint(len(allowed), (count,))
    ending = torch.tensor(draw(st.lists(st.sampled_from([NO_STOP, ELSEWHERE, GIVEN]), min_size=count, max_size=count)))
    return Rows(logits, bitmask.pack.reference(allowed), places, ending, torch.randn(count))


FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.sampled_from([0.01, 0.7, 3.0]),
        "top_k": st.sampled_from([1, 2, 5, 33, 10_000]),
        "top_p": st.sampled_from([0.001, 0.503, 0.907, 1.0]),
        "min_p": st.sampled_from([0.0, 0.0207, 1.0]),
    },
)


@settings(max_examples=20)
@given(rows=rows_of_logits(), filters=FILTERS, seed=st.integers(0, 2**64 - 1))
def test_a_drawn_candidate_is_the_reference_s(rows: Rows, filters: dict[str, float], seed: int) -> None:
    keys = [((seed + i) % 2**64, i, 0) for i in range(len(rows.logits))]
    said, expected = (run(rows, keys, **filters) for run in (sample.kernel, sample.reference))
    # a draw on the border between two candidates may fall to either: then both are possible, and neighbours in the law
    same = said[:, 0] == expected[:, 0]
    assert same.double().mean() > 0.5 or len(same) < 4
    assert torch.allclose(said[same], expected[same], atol=3e-5, rtol=1e-5)
    assert torch.allclose(said[:, 3:], expected[:, 3:], atol=3e-5, rtol=1e-5)
    scores, *_ = survey.candidate_logits(rows)
    law = torch.log_softmax(warp(scores, **filters), -1)
    of_law = law.gather(-1, said[:, :1].long())[:, 0]
    assert torch.allclose(said[:, 2], of_law, atol=3e-5, rtol=1e-5), "what is drawn is possible, at its probability"
    for line, candidate, key, even in zip(law.exp(), said[:, 0].long().tolist(), keys, same.tolist(), strict=True):
        below = float(line[:candidate].sum())
        assert below - 1e-5 <= philox.uniform(key) <= below + float(line[candidate]) + 1e-5 or even


def test_rows_of_nan_write_nowhere_else() -> None:
    """NaN is larger than any number as a key: more groups hold it than are read again."""
    rows = Rows(
        torch.full((2, 300), math.nan), torch.full((1, 10), -1).int(), torch.zeros(2).long(), *torch.zeros(2, 2).long()
    )
    rows = rows._replace(stops=torch.zeros(2))
    rows.masks[:, ::4] &= ~1  # in each chunk there is a token that is not allowed
    room, empty = torch.full((8, warping.READ), 7, dtype=torch.int32), torch.empty
    with mock.patch.object(
        torch, "empty", lambda *size, **kw: room[:2] if size == (2, warping.READ) else empty(*size, **kw)
    ):
        said = sample.kernel(rows, [(1, 2, 3), (4, 5, 6)], top_k=3)
    assert not said[:, 3].isfinite().any() and (room[2:] == 7).all()


@settings(max_examples=15)
@given(rows=rows_of_logits(), width=st.sampled_from([1, 2, 5, 16, 40]))
def test_the_likeliest_are_the_reference_s(rows: Rows, width: int) -> None:
    width = min(width, rows.logits.shape[1])
    (ids, said), (right, expected) = (run(rows, width) for run in (likeliest.kernel, likeliest.reference))
    possible = expected[:, : width + 1] > -math.inf
    assert ids[possible].equal(right[possible]) and (ids >= 0).all()
    assert torch.allclose(said, expected, atol=3e-5, rtol=1e-5)
    greedy, first = sample.kernel(rows, None), sample.reference(rows, None)
    assert greedy[:, 0].equal(first[:, 0]) and torch.allclose(greedy, first, atol=3e-5, rtol=1e-5)


@settings(max_examples=15)
@given(rows=rows_of_logits([torch.float32]), filters=FILTERS, data=st.data())
def test_both_kinds_of_law_say_the_same(rows: Rows, filters: dict[str, float], data: st.DataObject) -> None:
    """What samplers ask of a `Law`, which is arrays, and of a `FusedLaw`."""
    logits, masks, places, ending, _ = rows
    may_stop, at_ids = (ending != NO_STOP).tolist(), (ending == GIVEN).tolist()
    stop_ids = torch.tensor([int(torch.randint(logits.shape[1], ()))])
    allowed = bitmask.unpack.reference(masks, logits.shape[1])
    allowed[:, stop_ids] = False
    masks = bitmask.pack.reference(allowed)
    given_ = (may_stop, stop_ids)
    outside = logits.float().masked_fill(allowed[places] | (torch.arange(logits.shape[1]) % 2 > 0), -math.inf)
    stops = {row: outside[row].logsumexp(-1) for row in data.draw(st.sets(st.integers(0, len(logits) - 1)))}
    endings = torch.tensor(endings_of(may_stop, at_ids, stops))
    keys = [(5, i, 1) for i in range(len(logits))]
    there = data.draw(st.none() | st.just((keys, philox.keys_on(keys, CPU))))
    ours = fused(logits, masks, [places, endings], stop_ids, stops, there)
    try:
        law = constrain(logits, masks.numpy()[places.numpy()], *given_, None, at_ids, stops)
    except ValueError as error:
        with pytest.raises(ValueError, match="allows"), mock.patch.object(sample, "chosen", lambda _: True):
            ours.greedy()
        assert "probability 0" in str(error)
        return
    assert (len(ours), ours.stop) == (len(law), law.stop)
    with mock.patch.dict("os.environ", OUTLINES_CONT_KERNELS="triton"):
        some = data.draw(st.none() | st.just([len(law) - 1]))
        pairs = [(ours.greedy(), law.greedy())]
        pairs.append((ours.warped(**filters).drawn(keys), law.warped(**filters).drawn(keys)))
        for one, other in zip(ours.best(3, some), law.best(3, some), strict=True):
            values = [[own for _, own, _ in options if own > -math.inf] for options in (one, other)]
            assert values[0] == pytest.approx(values[1], abs=3e-5)
            assert one[-1][0] == other[-1][0] == law.stop
    for one, other in pairs:
        for (candidate, own, proposal), (right, value, expected) in zip(one, other, strict=True):
            if candidate == right:
                assert own == pytest.approx(value, abs=3e-5) and proposal == pytest.approx(expected, abs=3e-5)
    assert [option[0] for option in pairs[0][0]] == [option[0] for option in pairs[0][1]]


def test_large_vocabularies() -> None:
    """As they are: tiles of the real size."""
    with mock.patch.object(survey, "COLUMNS", 8192):
        for size, dtype in ((50_257, torch.float32), (131_072, torch.bfloat16)):
            torch.manual_seed(size)
            allowed = torch.rand(2, size) < 0.3
            logits = (torch.randn(3, size) * 3).to(dtype)
            rows = Rows(logits, bitmask.pack(allowed), torch.tensor([0, 1, 1]), torch.tensor([0, 1, 2]), torch.zeros(3))
            keys = [(1, 2, 3), (2, 3, 4), (3, 4, 5)]
            for filters in ({}, {"temperature": 0.6, "top_p": 0.9})[: 2 if size < 100_000 else 1]:
                said, expected = (run(rows, keys, **filters) for run in (sample.kernel, sample.reference))
                assert said[:, 0].equal(expected[:, 0]) and torch.allclose(said, expected, atol=1e-4)


def test_kernels_draw_by_the_law() -> None:
    """Chi-square over many keys: a tempered law of some ten candidates and a stop."""
    torch.manual_seed(3)
    logits, allowed = torch.randn(1, 16) * 1.5, torch.rand(1, 16) < 0.7
    count = 110
    ending, places = torch.full((count,), ELSEWHERE), torch.zeros(count, dtype=torch.int64)
    rows = Rows(logits.expand(count, -1), bitmask.pack(allowed), places, ending, torch.zeros(count))
    said = sample.kernel(rows, [(9, i, 0) for i in range(count)], 0.9)
    counts = Counter(said[:, 0].long().tolist())
    scores, *_ = survey.candidate_logits(rows)
    law = warp(scores[:1], 0.9).softmax(-1)[0]
    possible = law.nonzero()[:, 0].tolist()
    assert set(counts) <= set(possible) and 16 in counts, "the stop is one of them"
    squares = sum((counts[i] - count * float(law[i])) ** 2 / (count * float(law[i])) for i in possible)
    free = len(possible) - 1
    assert squares < free + 3.3 * math.sqrt(2 * free), (squares, free)


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
@pytest.mark.parametrize("place", [3, 60, 150])
def test_logits_that_are_no_numbers_are_named(wrong: float, place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "triton")
    logits = torch.zeros(3, 200)
    logits[1, place] = wrong
    places = torch.zeros(3, dtype=torch.int64)
    endings = torch.tensor([NO_STOP, ELSEWHERE, NO_STOP])
    law = fused(logits, bitmask.pack(torch.arange(200)[None] < 100), [places, endings])
    for ask in (law.greedy, lambda: law.drawn([(1, 2, 3)] * 3), lambda: law.best(4)):
        with pytest.raises(ValueError, match=r"row 1: .*NaN or \+inf, or are all −inf"):
            ask()


def test_rows_that_allow_nothing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "triton")
    allowed = torch.ones(2, 70, dtype=torch.bool)
    allowed[1] = False
    places = torch.arange(2)
    for stops in ([NO_STOP, NO_STOP], [NO_STOP, ELSEWHERE]):
        law = fused(torch.zeros(2, 70), bitmask.pack(allowed), [places, torch.tensor(stops)])
        for ask in (law.greedy, lambda law=law: law.drawn([(1, 2, 3)] * 2), lambda law=law: law.best(4)):
            if stops[1] == ELSEWHERE:
                ask()
                continue
            with pytest.raises(ValueError, match=r"row 1: .* probability 0 to all that it allows"):
                ask()
    allowed[1, 69] = True
    assert fused(torch.zeros(2, 70), bitmask.pack(allowed), [places, 0 * places]).greedy()[1][0] == 69


def test_what_is_no_problem_is_named() -> None:
    rows = Rows(
        torch.zeros(2, 40), torch.ones(1, 2).int(), torch.zeros(2).long(), torch.zeros(2).long(), torch.zeros(2)
    )
    for wrong, message in (
        (rows._replace(masks=torch.ones(1, 1).int()), r"masks of torch.int32 \[1, 1\] for 40 tokens"),
        (rows._replace(places=torch.zeros(1).long()), r"places are torch.int64 \[1\]: they must be torch.int64 \[2\]"),
        (rows._replace(stops=torch.zeros(2).double()), "stops are torch.float64"),
    ):
        for ask in (lambda rows: sample.kernel(rows, None), lambda rows: likeliest.kernel(rows, 3)):
            with pytest.raises(ValueError, match=message):
                ask(wrong)
    with pytest.raises(ValueError, match="1 keys for 2 rows"):
        sample.kernel(rows, [(1, 2, 3)])
    with pytest.raises(ValueError, match=r"width=41: it must be in 1 … 40"):
        likeliest.kernel(rows, 41)
    with pytest.raises(ValueError, match="they must be bool"):
        bitmask.pack.kernel(torch.ones(1, 33))


def test_vectors_with_gaps_other_default_types_and_extreme_temperatures() -> None:
    torch.manual_seed(1)
    size = 200
    logits, allowed = torch.randn(3, size) * 0.01 + 20, torch.rand(3, size) < 0.5
    wide = torch.tensor([2, 9, 0, 9, 1, 9])
    rows = Rows(logits, bitmask.pack(allowed), wide[::2], (wide % 3)[::2], torch.randn(6)[::2])
    keys = [(i, 1, 2) for i in range(3)]
    for filters in ({"top_k": 3}, {"temperature": 1e-50}, {"temperature": 1e39}):
        torch.set_default_dtype(torch.bfloat16)
        try:
            said = sample.kernel(rows, keys, **filters)
        finally:
            torch.set_default_dtype(torch.float32)
        expected = sample.reference(rows, keys, **filters)
        assert said[:, 0].equal(expected[:, 0]) and torch.allclose(said, expected, atol=1e-4)
    law = constrain(logits, bitmask.pack(allowed).numpy(), [False] * 3)
    assert [option[0] for option in law.warped(1e-50).drawn(keys)] == [option[0] for option in law.greedy()]


def test_a_row_that_cannot_be_drawn_from_leaves_the_others() -> None:
    logits = torch.zeros(3, 70)
    logits[1] = math.nan
    packed = bitmask.pack(torch.arange(70)[None] < 40)
    zeros = torch.zeros(3).long()
    rows, keys = Rows(logits, packed, zeros, zeros, zeros.float()), [(1, 2, 3)] * 3
    said, expected = (run(rows, keys) for run in (sample.kernel, sample.reference))
    assert said[[0, 2]].equal(said[[0, 0]]) and torch.allclose(said[[0, 2]], expected[[0, 2]], atol=1e-6)
    assert said[1, 3].isnan() and expected[1, 3].isnan()


# --------------------------------------------------------------------------------------------------------- token masks

TOKENS = [
    b"<eos>",
    b"",
    *(bytes([i]) for i in range(256)),
    *(b"ab bc abc aab a b 01 12 012 \xc3\xa9".split(b" ")),
    b"ab",
]
WHOLE = Vocabulary(TOKENS, [0], [1])
SOME = Vocabulary([b"<eos>", b"a", b"bc", b"ab", b"cc", b"d", b"</s>", b"1"], [0, 6])


@settings(max_examples=40)
@given(
    pattern=patterns | st.sampled_from(["(ab|a)*c?", "a(b|cc)?d*", "[a-d]{2,5}"]),
    whole=st.booleans(),
    walk=st.lists(st.integers(0, 999), max_size=12),
)
def test_token_masks_are_those_of_the_guide(pattern: str, whole: bool, walk: list[int]) -> None:
    v = WHOLE if whole else SOME
    try:
        g = guide.regex(pattern, v)
    except ConstraintError:
        return
    found = g.table(300)
    if found is None:
        return
    table = token_masks.ByteAutomaton(*map(torch.from_numpy, found))
    spelling = token_masks.VocabularyBytes.of(v.tokens, v.text_ids.tolist(), v.eos, CPU)
    met = [g.initial, guide.FINAL]
    for number in walk:
        after = g.advance(met[-1], number % len(v))
        met.append(g.initial if after is None else after)
    different = list(dict.fromkeys(met))  # each takes some programs
    states = torch.tensor([*different, token_masks.NOWHERE])
    masks = token_masks.masks.kernel(table, spelling, states)
    assert masks.equal(token_masks.masks.reference(table, spelling, states))
    assert masks[:-1].numpy().tolist() == [g.mask(state).tolist() for state in different] and not masks[-1].any()


@pytest.mark.parametrize("pattern", ["(ab|a)c|ad", "abb|a?d", "(a|ab)(bb)?cc"])
def test_tokens_after_which_nothing_can_be_finished_are_refused(pattern: str) -> None:
    """The automaton goes on after them, but no token of this vocabulary does (law 10)."""
    g = guide.regex(pattern, SOME)
    found = g.table(100)
    assert found is not None and not found.ends.all(), "some states are dead"
    table = token_masks.ByteAutomaton(*map(torch.from_numpy, found))
    spelling = token_masks.VocabularyBytes.of(SOME.tokens, SOME.text_ids.tolist(), SOME.eos, CPU)
    states = torch.from_numpy(np.flatnonzero(found.ends))
    right = [g.mask(state).tolist() for state in states.tolist()]
    for run in (token_masks.masks.kernel, token_masks.masks.reference):
        assert run(table, spelling, states).tolist() == right


def test_states_that_do_not_exist_allow_nothing() -> None:
    found = guide.regex("ab?", SOME).table(10)
    assert found is not None
    table = token_masks.ByteAutomaton(*map(torch.from_numpy, found))
    spelling = token_masks.VocabularyBytes.of(SOME.tokens, SOME.text_ids.tolist(), SOME.eos, CPU)
    wide = torch.tensor([0, 5, 0, 5, 0, 5, 99, 5, 0, 5])
    states = wide[::2]
    for run in (token_masks.masks.kernel, token_masks.masks.reference):
        masks = run(table, spelling, states)
        assert not masks[3].any() and masks[0].any() and masks[0].equal(masks[4])


def test_tables_are_whole_or_none() -> None:
    table = guide.regex("[ab]{3}", WHOLE).table(10)
    assert table is not None and table.next.shape == (4, 256) and (table.next >= -1).all()
    assert table.ends.tolist() == [1, 1, 1, 3]
    assert guide.regex("[ab]{30}", WHOLE).table(10) is None, "over the limit"
    assert guide.grammar('start: "(" start ")" | "x"', WHOLE).table(1000) is None, "no finite automaton"
    assert guide.json_schema({"type": "string"}, WHOLE, spelling="any").table(1000) is None


# ---------------------------------------------------------------------------------------------------- prefix attention


@settings(max_examples=15)
@given(
    heads=st.sampled_from([(1, 1), (4, 2), (6, 2), (5, 1), (3, 3), (18, 1)]),
    count=st.sampled_from([1, 2, 7, 20]),
    sizes=st.sampled_from([(16, 16), (5, 9), (64, 32), (24, 40)]),
    dtype=st.sampled_from([torch.float32, torch.bfloat16, torch.float16]),
    softcap=st.sampled_from([None, 2.0]),
    sinks=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_a_tree_is_attended_as_by_torch(
    heads: tuple[int, int],
    count: int,
    sizes: tuple[int, int],
    dtype: torch.dtype,
    softcap: float | None,
    sinks: bool,
    seed: int,
) -> None:
    """Shared keys, a causal run, groups with fillers and masks, some of which hide everything: by the work items, and
    by the definition in float64."""
    torch.manual_seed(seed)
    rng, slots = np.random.default_rng(seed), 90
    query = torch.randn(heads[0], sizes[0], count).to(dtype).transpose(1, 2)
    key, value = (torch.randn(heads[1], slots, size).to(dtype) for size in sizes)
    everyone = np.arange(count)
    groups = np.minimum(everyone[:, None] + [[0, 1]], count - 1)
    masked = rng.random((count, 2, 11)) < 0.5
    masked[0] = False
    blocks = [
        AttentionBlock(everyone[None], None, rng.permutation(slots)[None, :70], None, False),
        AttentionBlock(everyone[None], None, np.arange(count)[None] + 60, None, True),
        AttentionBlock(groups, np.array([[True, False]] * count), rng.integers(0, slots, (count, 11)), masked, False),
    ][int(rng.integers(3)) :]
    programs, wide = int(rng.choice([1, 1, 7, 60])), int(rng.choice([32, 64]))
    work = work_of(blocks, count, heads[0] // heads[1], heads[1], CPU, programs, wide)
    logits = torch.randn(heads[0]) if sinks else None
    out = attend_tree.kernel(query, key, value, work, 0.3, softcap, logits)
    assert out.shape == (count, heads[0], sizes[1]) and out.dtype == dtype
    seen = torch.zeros(count, slots)
    for block in blocks:
        mask = np.ones((*block.queries.shape, block.slots.shape[1]), bool) if block.mask is None else block.mask
        for b, i in np.ndindex(*block.queries.shape):
            sees = mask[b, i] & (np.arange(mask.shape[2]) <= i if block.causal else True)
            if block.filled is None or block.filled[b, i]:
                np.add.at(seen.numpy()[block.queries[b, i]], block.slots[b][sees], 1)
    wide = [t.repeat_interleave(heads[0] // heads[1], 0) for t in (key, value)]
    scores = plain(query, wide[0], wide[1], 0.3, seen > 0, softcap) + seen.double().log()
    if logits is not None:
        scores = torch.cat([scores, logits.double()[:, None, None].expand(-1, count, 1)], -1)
    weights = scores.softmax(-1).nan_to_num(0.0)[..., :slots]  # NaN: a query that sees nothing
    expected = (weights @ wide[1].double()).transpose(0, 1)
    loose = {torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 2e-2}[dtype]
    assert torch.allclose(out.double(), expected, atol=loose, rtol=loose)
    other = attend_tree.reference(query, key, value, work, 0.3, softcap, logits)
    assert torch.allclose(other.double(), expected, atol=loose, rtol=loose)


@pytest.mark.parametrize("size", [64, 80, 96, 128, 256])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_head_sizes(size: int, dtype: torch.dtype) -> None:
    torch.manual_seed(size)
    query, key, value = (torch.randn(n, m, size).to(dtype) for n, m in ((4, 3), (2, 70), (2, 70)))
    blocks = [AttentionBlock(np.arange(3)[None], None, np.arange(70)[None], None, False)]
    work = work_of(blocks, 3, 2, 2, CPU, programs=1)
    out, right = (run(query, key, value, work, size**-0.5) for run in (attend_tree.kernel, attend_tree.reference))
    assert torch.allclose(out, right, atol={torch.float32: 1e-6}.get(dtype, 1e-2))


@settings(max_examples=20)
@given(held=rows_of_tokens, rows=rows_of_tokens, cost=st.sampled_from([0.0, 30.0]), window=st.booleans())
def test_a_pass_on_kernels_attends_as_each_row_would_alone(
    held: list[list[int]], rows: list[list[int]], cost: float, window: bool
) -> None:
    """The KV tree's plan maps onto work items, keys read where they lie; under a sliding window, too."""

    def sliding(b: object, h: object, q: Tensor, k: Tensor) -> Tensor:
        return (k <= q) & (k > q - 3)

    rule = sliding if window else causal
    torch.manual_seed(0)
    tree = Tree()
    claims = filled(tree, held)
    work, runs = planned(tree, rows, every=True)
    if not runs:
        return
    store = [torch.randn(2, tree.pool.capacity, 8) for _ in range(2)]
    tree.pool.write(0, slice(0, tree.pool.capacity), *store)
    plan = AttentionPlan(tree.pool, lay_out(tree, runs, cost))
    query = torch.randn(4, sum(len(run.ids) for run in runs), 8)
    with mock.patch.dict("os.environ", OUTLINES_CONT_KERNELS="triton"):
        out = plan.attend(0, query, rule, 0.5, None, torch.zeros(4))
    assert torch.allclose(out, plan.attend(0, query, rule, 0.5, None, torch.zeros(4)), atol=1e-5)
    run = runs[-1]
    slots = torch.tensor(seen_by(tree, run))
    at, depth = plan.layout.first[id(run)] + len(run.ids) - 1, run.depth + len(run.ids) - 1
    mask = rule(0, 0, torch.tensor(depth), torch.arange(depth + 1))
    keys, values = (t[:, slots].repeat_interleave(2, 0) for t in store)
    scores = torch.cat([plain(query[:, at : at + 1], keys, values, 0.5, mask, None), torch.zeros(4, 1, 1)], -1)
    assert torch.allclose(out[at].double(), (scores.softmax(-1)[..., :-1] @ values.double())[:, 0], atol=1e-5)
    del claims, work


# --------------------------------------------------------------------------------------------------------- which of two


def test_who_runs_where(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = torch.device("cuda")
    for mode, expected in ((None, (False, True)), ("auto", (False, True)), ("reference", (False, False))):
        monkeypatch.delenv("OUTLINES_CONT_KERNELS", raising=False)
        if mode:
            monkeypatch.setenv("OUTLINES_CONT_KERNELS", mode)
        assert (sample.chosen(CPU), sample.chosen(cuda)) == expected
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "triton")
    assert sample.chosen(CPU)
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "Triton")
    with pytest.raises(ValueError, match="OUTLINES_CONT_KERNELS='Triton': it must be one of auto, triton, reference"):
        sample.chosen(CPU)


def test_a_kernel_that_does_not_compile_gives_way_with_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "triton")
    monkeypatch.setattr(launch, "broken", {})

    def kernel(x: Tensor) -> str:
        raise launch.TritonError("no such instruction")

    kernel.__module__ = "outlines_cont.kernels.example"
    either = launch.or_reference(lambda x: "reference")(kernel)
    with pytest.warns(
        RuntimeWarning, match=r"kernels.example.kernel: its Triton kernel .* no such instruction"
    ) as caught:
        assert either(torch.zeros(1)) == "reference"
    assert len(caught) == 1 and not either.chosen(CPU) and sample.chosen(CPU)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert either(torch.zeros(1)) == "reference"

    def wrong(x: Tensor) -> str:
        raise ValueError("a wrong argument")

    with pytest.raises(ValueError, match="a wrong argument"):
        launch.or_reference(lambda x: "reference")(wrong)(torch.zeros(1))
    for error in (RuntimeError("Triton Error [CUDA]: out of memory"), RuntimeError("a wrong shape")):
        with pytest.raises(RuntimeError, match=re.escape(str(error))):
            launch.or_reference(lambda x: "reference")(mock.Mock(side_effect=error, __name__="x"))(torch.zeros(1))
    monkeypatch.setattr(launch, "triton", None)
    with pytest.raises(ImportError, match="there is no Triton here"):
        sample.chosen(CPU)
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "auto")
    assert not sample.chosen(torch.device("cuda"))


@pytest.mark.nightly
def test_kernels_compile_for_gpus_that_are_not_here() -> None:
    """Down to machine code; the interpreter would not see types that change in a loop, or blocks that do not fit."""
    if sys.platform != "linux":
        pytest.skip("Triton compiles on Linux")
    script = Path(__file__).with_name("compile_kernels.py")
    checkout = {"PYTHONPATH": str(script.parent.parent)}  # also where an older build is installed
    command = [sys.executable, str(script), "90"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | checkout)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("sm_90") >= 14


# ---------------------------------------------------------------------------------------------------- all of it at once

SAMPLERS = {
    "greedy": oc.samplers.greedy(),
    "multinomial": oc.samplers.multinomial(samples=2),
    "warped": oc.samplers.multinomial(samples=1, temperature=0.7, top_p=0.9, min_p=0.01),
    "beams": oc.samplers.beam_search(2),
    "smc": oc.samplers.smc(2),
}


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """From now on kernels run; and how often."""
    launches: Counter[str] = Counter()
    monkeypatch.setenv("OUTLINES_CONT_KERNELS", "triton")
    for module, name in ((survey, "_survey"), (prefix_attention, "_attend"), (token_masks, "_walk")):
        kernel = vars(module)[f"{name}_kernel"]

        def run(*args, name=name, run=kernel.run, **kwargs):
            launches[name] += 1
            return run(*args, **kwargs)

        monkeypatch.setattr(kernel, "run", run)
    return launches


def equal(ours: oc.SequenceState, right: oc.SequenceState) -> None:
    assert ours.tolist() == right.tolist() and ours.finished == right.finished
    for name in ("weights", "logprobs", "proposal_logprobs", "particles.log_importance"):
        assert torch.allclose(*map(attrgetter(name), (ours, right)), atol=1e-4, equal_nan=True), name


@pytest.mark.parametrize("name", [name if name in ("warped", "beams") else nightly(name) for name in SAMPLERS])
def test_the_library_on_kernels_writes_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Masks, draws and attention by kernels: from the same seed the same tokens, at the same probabilities."""
    sampler = SAMPLERS[name]

    def written() -> list[oc.SequenceState]:
        model = toy_model.__wrapped__()  # which has read nothing
        letters = oc.continuous(oc.generate.regex(model, "[a-c]{2,4}", sampler), max_tokens=3)
        word = oc.continuous(oc.generate.choice(model, ["ab", "1"], sampler), max_tokens=2)
        value = oc.continuous(oc.generate.json(model, {"enum": [1, {"a": True}]}, sampler), max_tokens=2)
        text = oc.continuous(oc.generate.text(model, sampler), max_tokens=2)
        return [step(["xy", "abcab"], seed=5) for step in (letters >> "-" >> word, value, text)]

    expected = written()
    launches = counted(monkeypatch)
    monkeypatch.setattr(SlotModel, "asynchronous", True)  # so rows are prepared
    for ours, right in zip(written(), expected, strict=True):
        equal(ours, right)
    assert set(launches) == {"_survey", "_attend", "_walk"} and not launch.broken


def test_the_shipped_model_on_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two layers and several heads; a fork of what the tree holds; controllers and hooks, which look at whole laws."""
    monkeypatch.setattr(survey, "COLUMNS", 1024)
    prompt = "Mira is 34.\nHow old?\nA: "

    def written() -> list[oc.SequenceState]:
        model = oc.Model(short_hf(), shipped_model().tokenizer)  # which has read nothing
        year = oc.continuous(oc.generate.regex(model, "[0-9]{1,2}", oc.samplers.multinomial(samples=2)), max_tokens=2)
        first = year(prompt, seed=3)
        return [first, year(first[..., :-1] + "\nA: ", seed=4, hooks=[lambda draw: None])]

    expected = written()
    launches = counted(monkeypatch)
    for ours, right in zip(written(), expected, strict=True):
        equal(ours, right)
    assert launches["_survey"] and launches["_attend"] and not launch.broken


def test_masks_stay_on_their_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state's mask is made once; a full shelf is begun anew, whoever still looks at the old masks."""
    made = []
    walk = token_masks.masks.kernel
    monkeypatch.setattr(masking.token_masks, "masks", lambda *args: (made.append(len(args[2])), walk(*args))[1])
    shelf = masking.Shelf(WHOLE, CPU)
    finite, nested = guide.regex("[abc]{3}", WHOLE), guide.json_schema({"type": "integer"}, WHOLE, spelling="any")

    def check(asked: list[tuple[guide.AutomatonGuide, int]]) -> Tensor:
        masks, places, endings, keys = shelf.placed(asked, {}, [np.arange(9), philox.signed([(2**64 - 1, 1, 2)])])
        assert endings.tolist() == [*range(9)] and keys.tolist() == [[-1, 1, 2]]
        for (g, state), place in zip(asked, places.tolist(), strict=True):
            assert masks[place].tolist() == (g.mask(state) & WHOLE.no_eos).tolist()
        return masks

    states = [finite.initial, finite.advance_all(finite.initial, [WHOLE.tokens.index(b"a")])]
    asked = [(finite, states[0]), (nested, nested.initial), (finite, states[1]), (finite, states[0])]
    assert [shelf.needs_no_mask(*pair) for pair in asked] == [True, False, True, True], "the device makes some itself"
    old = check(asked)
    assert check(asked) is old and made == [2] and all(shelf.needs_no_mask(*pair) for pair in asked)
    kept = old.clone()
    monkeypatch.setattr(masking, "SHELF_BYTES", 0)
    with torch.inference_mode():
        assert check([(guide.text(WHOLE), 0)]) is not old and made == [2, 1]
    check(asked)
    assert made == [2, 1, 2] and old.equal(kept)
