"""Passes that are replayed, with a stand-in for a CUDA graph that runs on a CPU: what is recorded reads nothing but its
buffer, and gives what passes of their own give. (`tests/on_gpu.py` runs all tests with real graphs.)"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import on_gpu
import pytest
import torch
import transformers as hf
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import CLOSE, shipped_model
from torch import Tensor

import outlines_cont as oc
from outlines_cont import cuda_graphs
from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.attention_plan import AttentionPlan
from outlines_cont.kernels.attention_work import packed, unpacked
from outlines_cont.kv import forward, pool
from outlines_cont.kv.pool import Pool

CPU = torch.device("cpu")
pytestmark = pytest.mark.skipif(on_gpu.wanted(), reason="all other tests have real graphs there")
SIZES = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64, "head_dim": 16}


@contextmanager
def replaying() -> Iterator[list[int]]:
    """Passes on the CPU are replayed, too. Gives what fills: how often a pass was recorded, and how often replayed."""
    counts = [0, 0]
    read: list[object] = []
    attend = AttentionPlan.attend

    def noted(self: AttentionPlan, call: int, *args: Any) -> Tensor:
        read.extend((t.data_ptr(), t.shape, t.stride()) for t in self.pool.buffers[call])
        return attend(self, call, *args)

    def record(run: Callable[[], Tensor], *_: object) -> tuple[Callable[[], object], Tensor, object]:
        read.clear()
        logits = run()
        memory = [*read]
        counts[0] += 1

        def replay() -> None:
            counts[1] += 1
            read.clear()
            logits.copy_(run())
            assert read == memory, "a graph reads the memory that there was when it was recorded"

        return replay, logits, None

    with (
        patch.object(AttentionPlan, "attend", noted),
        patch.object(attention_hook, "REPLAYED", {"cpu"}),
        patch.object(attention_hook, "where_computed", lambda hf: (CPU, True)),
        patch.object(cuda_graphs, "record", record),
    ):
        yield counts


def model_of(kind: str) -> oc.Model:
    """A fresh model: the shipped one, or random weights with windows that bite."""
    shipped = shipped_model()
    if kind == "shipped":
        return oc.Model(deepcopy(shipped.hf), shipped.tokenizer)
    torch.manual_seed(0)
    sizes = {**SIZES, "num_key_value_heads": 2, "vocab_size": shipped.hf.config.vocab_size, "initializer_range": 0.2}
    sizes |= {"pad_token_id": None, "eos_token_id": 1, "bos_token_id": None}
    if kind == "mistral":
        config: object = hf.MistralConfig(sliding_window=5, **sizes)
    else:
        layers = ["sliding_attention", "full_attention", "sliding_attention"]
        config = hf.Gemma2Config(sliding_window=5, layer_types=layers, query_pre_attn_scalar=16, **sizes)
    return oc.Model(hf.AutoModelForCausalLM.from_config(config).eval(), shipped.tokenizer)


def check_scores(state: oc.SequenceState) -> None:
    """The log-probabilities of the tokens are those of plain passes over the whole rows, which take nothing from the
    tree: what replayed passes left there would agree with itself."""
    assert isinstance(state.model, oc.Model)
    with state.model.fresh():
        plain = state.rescore()
    assert torch.allclose(state.logprobs, plain.logprobs, atol=2e-4, equal_nan=True), state


@settings(max_examples=12, deadline=None)
@given(
    kind=st.sampled_from(["shipped", "mistral", "gemma2"]),
    samples=st.integers(1, 9),
    tokens=st.integers(3, 24),
    beams=st.booleans(),
    other=st.integers(1, 40),
    seed=st.integers(0, 10**6),
)
def test_what_is_replayed_is_what_passes_give(
    kind: str, samples: int, tokens: int, beams: bool, other: int, seed: int
) -> None:
    """Rows that end one by one, fork, go on after a cut, and share the model with rows of another length."""
    model = model_of(kind)
    sampler = oc.samplers.beam_search(samples) if beams else oc.samplers.multinomial(samples=samples)
    step = oc.continuous(oc.generate.regex(model, "[a-m ]{12,40}", sampler), max_tokens=tokens)
    with replaying():
        one = step("Mira is", seed=seed)
        two = step(["Tom was a tailor. " * other, "He"], seed=seed + 1)
        more = step(one[:, :, :-1], seed=seed + 2)
    for state in (one, two, more):
        check_scores(state)


@contextmanager
def each_launched_again() -> Iterator[list[int]]:
    """After each replayed pass its keys and values are compared with those of the same pass launched, as are its
    logits, and all other slots with what they held before. Gives what fills: the tokens of the replayed passes."""
    replayed: list[int] = []
    once = cuda_graphs.computed

    def copied(pool: Pool) -> list[Tensor]:
        return [buffer.clone() for pair in pool.buffers.values() for buffer in pair]

    def computed(hf: Any, plan: Any, ids: Any, wanted: Any, device: Any, through: Any, launched: Any) -> Tensor:
        launches: list[Tensor] = []

        def noted() -> Tensor:
            launches.append(launched())
            return launches[0]

        before = copied(plan.pool)
        logits = once(hf, plan, ids, wanted, device, through, noted)
        if launches:
            return logits
        after = copied(plan.pool)
        buffers = [buffer for pair in plan.pool.buffers.values() for buffer in pair]
        for buffer, old in zip(buffers, before, strict=True):
            buffer[:, : old.shape[1]] = old
        assert torch.allclose(logits, launched(), atol=CLOSE, rtol=CLOSE)
        others = np.setdiff1d(np.arange(before[0].shape[1]), plan.new)
        for replay, old, plain in zip(after, before, buffers, strict=True):
            assert torch.allclose(replay[:, plan.new], plain[:, plan.new], atol=CLOSE, rtol=CLOSE)
            assert replay[:, others].view(torch.int32).equal(old[:, others].view(torch.int32))  # NaN, too, in free ones
        replayed.append(len(ids))
        return logits

    with patch.object(cuda_graphs, "computed", computed):
        yield replayed


@settings(max_examples=20, deadline=None)
@given(
    kind=st.sampled_from(["shipped", "mistral", "gemma2"]),
    rows=st.integers(1, 9),
    shared=st.integers(0, 30),
    item_cost=st.sampled_from([1e2, 1e6]),
    seed=st.integers(0, 10**6),
)
@example(kind="shipped", rows=5, shared=20, item_cost=1e2, seed=0)
def test_a_pass_that_is_filled_up_writes_its_own_keys_and_values_and_no_others(
    kind: str, rows: int, shared: int, item_cost: float, seed: int
) -> None:
    """The copies of its last token write to the slot of that token, what it writes itself. In half of the passes the
    first row reads two tokens, of which one is asked of."""
    model = model_of(kind)
    draw = Random(seed)
    begun = [draw.randrange(9, 1500) for _ in range(shared)]
    grown = [begun[: draw.randint(0, shared)] + draw.sample(range(9, 1500), draw.randint(1, 4)) for _ in range(rows)]
    with patch.dict(attention_hook.ITEM_COST, cpu=item_cost), replaying(), each_launched_again() as replayed:
        claims: list[object] = []
        for step in range(10):
            for row in grown:
                row += draw.sample(range(9, 1500), 1 + (step > 5 and row is grown[0]))
            _, new = model.read([oc.stepping.Need(tuple(row), (len(row) - 1,)) for row in grown])
            claims += new
    assert {rows, rows + 1} <= {*replayed}


def test_tokens_that_are_read_again_for_their_logits_are_replayed_beside_new_ones(monkeypatch: Any) -> None:
    """Their keys and values are in the tree, and are not written again."""
    monkeypatch.setattr(forward, "KEPT_LOGITS_BYTES", 0)
    monkeypatch.setattr(pool, "KEPT_LOGITS_BYTES", 0)
    model, draw = model_of("shipped"), Random(0)
    begun = [[1, *draw.sample(range(9, 1500), 12)] for _ in range(4)]
    new = [[1, *draw.sample(range(9, 1500), 12)] for _ in range(4)]
    with replaying(), each_launched_again() as replayed:
        claims = [model.read([oc.stepping.Need(tuple(row), (12,)) for row in begun])]
        for length in (2, 5, 9, 10, 11, 12):
            rows = [row[: length + more] for row in (*begun, *new) for more in (0, 1)]
            claims.append(model.read([oc.stepping.Need((1, token), (1,)) for token in draw.sample(range(9, 1500), 16)]))
            claims.append(model.read([oc.stepping.Need(tuple(row), (len(row) - 1,)) for row in rows]))
    assert len(replayed) > 6, "passes with tokens of both kinds, too"


def test_a_graph_ends_with_the_memory_and_the_parameters_that_it_reads() -> None:
    """Buffers that grow or move are recorded anew; after a change of the parameters nothing old is replayed."""
    model = model_of("shipped")
    step = oc.continuous(oc.generate.regex(model, "[a-m ]{200,300}", oc.samplers.multinomial(samples=8)), max_tokens=60)
    with replaying() as counts:
        before = step("Mira is", seed=1)
        recorded = counts[0]
        assert recorded > 1 and counts[1] > 30
        check_scores(before)
        with torch.no_grad():
            for parameter in model.hf.parameters():
                parameter.mul_(0.7)
        after = step("Mira is", seed=1)
    assert counts[0] > recorded
    check_scores(after)


def test_what_cannot_be_recorded_is_launched_and_told_of_once() -> None:
    model = model_of("shipped")
    step = oc.continuous(oc.generate.regex(model, "[a-m ]{20,30}"), max_tokens=20)

    def record(*_: object) -> object:
        raise RuntimeError("operation not permitted when stream is capturing")

    with (
        replaying(),
        patch.object(cuda_graphs, "record", record),
        pytest.warns(RuntimeWarning, match="cannot be recorded as a CUDA graph") as told,
    ):
        check_scores(step("Mira is", seed=1))
        check_scores(step("Tom is", seed=1))
    assert len(told) == 1


def test_a_forward_that_asks_for_more_attention_than_the_first_one_is_launched() -> None:
    """Its work would be sent while the graph is recorded, from memory that is gone when it is replayed."""
    model, under, of_a_graph = model_of("shipped"), AttentionPlan.work_under, type(iter([None]))

    def more(self: AttentionPlan, rule: Any, device: Any, times: int, kv_heads: int, wide: int) -> Any:
        work = under(self, rule, device, times, kv_heads, wide)
        if isinstance(self.given, of_a_graph):
            under(self, rule, device, times, kv_heads, 2 * wide)
        return work

    step = oc.continuous(oc.generate.regex(model, "[a-m ]{20,30}"), max_tokens=20)
    with (
        replaying() as counts,
        patch.object(AttentionPlan, "work_under", more),
        pytest.warns(RuntimeWarning, match="do not all ask for the same attention"),
    ):
        check_scores(step("Mira is", seed=1))
    assert counts == [0, 0]


def test_forward_hooks_are_called_at_every_step() -> None:
    model: Any = deepcopy(shipped_model().hf)
    calls: list[int] = []
    model.model.norm.register_forward_hook(lambda *_: calls.append(1))
    step = oc.continuous(oc.generate.regex(oc.Model(model, shipped_model().tokenizer), "[a-m ]{40,50}"), max_tokens=20)
    with replaying() as counts, pytest.warns(RuntimeWarning, match="leave out its forward hooks"):
        calls.clear()
        step("Mira is", seed=1)
    assert counts == [0, 0] and len(calls) >= 20


def test_what_a_forward_writes_is_written_at_every_step() -> None:
    class Counting(hf.models.llama.modeling_llama.LlamaRMSNorm):
        calls = 0

        def forward(self, states: Tensor) -> Tensor:
            self.calls += 1
            return super().forward(states)

    model: Any = deepcopy(shipped_model().hf)
    model.model.norm.__class__ = Counting
    step = oc.continuous(oc.generate.regex(oc.Model(model, shipped_model().tokenizer), "[a-m ]{40,50}"), max_tokens=20)
    with replaying() as counts, pytest.warns(RuntimeWarning, match="attributes that its forwards write"):
        before = model.model.norm.calls
        step("Mira is", seed=1)
    assert counts == [0, 0] and model.model.norm.calls >= before + 20


def test_an_interrupt_leaves_no_graph_of_memory_that_has_moved() -> None:
    class Interrupted(OrderedDict[Any, Any]):
        calls = 0

        def clear(self) -> None:
            self.calls += 1
            if self.calls == 1:
                raise KeyboardInterrupt
            super().clear()

    graphs, pool = cuda_graphs.Graphs(), Pool()
    new = torch.zeros(1, 1, 4)
    pool.take(64)
    pool.write(0, slice(0, 1), new, new)
    assert graphs.reach(pool, 0)
    graphs.by_shape = Interrupted(shape=(new, list, new))
    pool.take(64)
    with pytest.raises(KeyboardInterrupt):
        graphs.reach(pool, 0)
    assert graphs.reach(pool, 0) and not graphs.by_shape


def test_memory_grows_by_more_steps_only_where_as_many_slots_are_used() -> None:
    """Short calls, each in a memory of its own, take the same each time. In a long one the memory moves seldom."""

    def call(graphs: cuda_graphs.Graphs, pool: Pool, steps: int) -> tuple[int, int]:
        taken, new, moved = [pool.take(10)], torch.zeros(1, 1, 4), list[object]()
        pool.write(0, slice(0, 1), new, new)
        for _ in range(steps):
            taken.append(pool.take(16))
            graphs.reach(pool, 16 * cuda_graphs.STEPS_AHEAD)
            moved += [pool.capacity] * (pool.capacity not in moved)
        capacity = pool.capacity
        for slots in taken:
            pool.give(slots)
        return capacity, len(moved)

    graphs, pool = cuda_graphs.Graphs(), Pool()
    capacities = [call(graphs, pool, 4)[0] for _ in range(5)]
    assert max(capacities) <= 2 * 16 * cuda_graphs.STEPS_AHEAD and len({*capacities[1:]}) == 1, capacities
    capacity, moved = call(cuda_graphs.Graphs(), Pool(), 600)
    assert capacity <= 2 * 16 * 600 and moved < 600 / cuda_graphs.STEPS_AHEAD / 2


def test_what_is_sent_to_a_device_lies_on_the_host_whatever_the_default_device_is() -> None:
    arrays = [np.arange(3), np.ones((2, 5), np.uint8), np.zeros((0, 8), np.int64)]
    with torch.device("meta"):
        sent = unpacked(packed(arrays), arrays)
    assert all(
        (one.numpy() == other).all() and one.shape == other.shape for one, other in zip(sent, arrays, strict=True)
    )
