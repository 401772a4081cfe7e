"""An engine whose memory is of a fixed size: it is never exceeded, and nothing but the work depends on it."""

from __future__ import annotations

import gc
import sys
from itertools import count
from typing import Any

import pytest
import torch
from fixed_memory import FixedEngine, FixedPool, law
from hypothesis import given, settings
from hypothesis import strategies as st

import outlines_cont as oc
from outlines_cont.engines.protocol import members_of
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.needs import Need
from outlines_cont.kv.pool import SlotPool
from outlines_cont.kv.radix_tree import Tree

V = 7


def model_of(slots: int | None = None, nodes: int | None = None) -> oc.Model:
    return oc.Model(FixedEngine(1536, slots, nodes), oc.load().tokenizer)


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Rows of few tokens, so that many begin alike, and the positions that they want."""
    ids = st.lists(st.integers(0, 2), min_size=1, max_size=9).map(tuple)
    row = ids.flatmap(lambda ids: st.tuples(st.just(ids), st.sets(st.integers(0, len(ids) - 1)).map(sorted).map(tuple)))
    return draw(st.lists(row, min_size=1, max_size=8))


@settings(max_examples=60)
@given(
    slots=st.none() | st.integers(1, 30),
    nodes=st.none() | st.integers(1, 9),
    budget=st.none() | st.integers(0, 200),
    calls=st.lists(st.tuples(rows(), st.integers(0, 3)), min_size=1, max_size=6),
)
def test_any_rows_in_any_memory_give_their_logits(
    slots: int | None, nodes: int | None, budget: int | None, calls: list[Any]
) -> None:
    """Whatever was read before, and whatever is still held. Only a row that is longer than the memory is refused."""
    engine = FixedEngine(V, slots, nodes)
    tree = Tree(budget, engine.pool())
    read_all(engine, tree, calls)
    if engine.memory:  # held by the traceback of an error
        gc.collect()
    assert tree.pool.used == 0 and not engine.memory and not engine.sequences, "counted back to zero"


def read_all(engine: FixedEngine, tree: Tree, calls: list[Any]) -> None:
    held: list[Any] = []
    for asked, dropped in calls:
        needs = [Need(ids, wanted) for ids, wanted in asked]
        if engine.slots is not None and max(need.length for need in needs) > engine.slots:
            with pytest.raises(
                oc.errors.ContextFull, match=r"a row of \d+ tokens needs \d+ slots .* has room for \d+:"
            ):
                read_logits(engine.forward, tree, needs)
            needs = [need for need in needs if need.length <= engine.slots]
        logits, claims, counts = read_logits(engine.forward, tree, needs)
        expected = [law(need.tokens[: at + 1], V) for need in needs for at in need.wanted]
        assert logits.tolist() == (torch.stack(expected).tolist() if expected else [])
        for need, claim in zip(needs, claims, strict=True):
            assert claim is None or claim.depth <= need.length
        assert counts.tokens + counts.reread + counts.reused >= len(expected)
        held += claims
        del held[: len(held) * dropped // 4]
        assert engine.slots is None or len(engine.memory) <= engine.slots
        assert engine.nodes is None or len(engine.sequences) <= engine.nodes


class GuardedPool(FixedPool):
    """It notices who asks it without its tree's lock. (Other threads may give slots back at that moment.)"""

    tree: Tree | None = None

    def __getattribute__(self, name: str) -> Any:
        tree = object.__getattribute__(self, "tree")
        if tree is not None and name in members_of(SlotPool):
            assert tree.lock.locked(), f"pool.{name} is asked without the lock"
        return object.__getattribute__(self, name)


def test_a_memory_is_asked_under_the_lock_of_its_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FixedEngine, "pool", lambda engine: GuardedPool(engine))
    for model in (model_of(), model_of(45, 3)):
        model.kv_budget = 8 * 30
        object.__getattribute__(model.tree, "pool").tree = model.tree
        programs(model)
        text = oc.generate.text(model)
        assert len(list(oc.map(text, ["Mira is", "Tom is", "Mira has"], max_tokens=4, seed=0))) == 3
        assert model.stats.kv_bytes is not None and model.stats.kv_allocated is not None
    full = model_of(3)
    full.tree.pool.tree = full.tree
    with pytest.raises(oc.errors.ContextFull):
        oc.generate.text(full)("Mira is a painter from Lisbon", max_tokens=4)


def test_an_interrupt_at_any_call_within_the_tree_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that came while a claim or a node was made left half of it, whose end was an error of its own."""
    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: lost.append(raised.exc_type))
    rows: Any = [[((1, 2, 3, 4), (3,)), ((1, 2, 5), (1, 2))], [((1, 2, 3, 6, 7), (4,)), ((1, 2), (0,)), ((8, 9), (1,))]]
    model = model_of(14, 4)

    def answers() -> list[Any]:
        return [model.read([Need(ids, wanted) for ids, wanted in needs]) for needs in rows]

    expected = [logits.tolist() for logits, _ in answers()]
    for at in count(1):
        left, interrupted = at, False

        def pressed(frame: Any, event: str, argument: Any) -> None:
            nonlocal left
            left -= event == "call" and "/outlines_cont/kv/" in frame.f_code.co_filename
            if not left:
                raise KeyboardInterrupt

        try:
            sys.setprofile(pressed)
            answers()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            sys.setprofile(None)
        if left > 0:
            break
        assert [logits.tolist() for logits, _ in answers()] == expected, f"after an interrupt at call {at}"
        if model.engine.memory:
            gc.collect()
        assert not model.engine.memory, f"after an interrupt at call {at}"
        assert interrupted or lost
    assert at > 100 and {*lost} <= {KeyboardInterrupt}, f"errors that nobody could catch: {lost}"


def programs(model: oc.Model) -> list[oc.SequenceState]:
    """Forks, crops, beams, scores."""
    text = oc.continuous(oc.generate.text(model))
    beams = oc.continuous(oc.generate.text(model, oc.samplers.beam_search(4)))
    prompt = model.state(["Mira is", "The sky"])
    forks = text(model.state("Mira is").fork(12), max_tokens=4, seed=1)
    cut = text(forks[..., :-2], max_tokens=3, seed=2)
    return [text(prompt, max_tokens=5, seed=3), forks, cut, beams(prompt, max_tokens=4), cut.rescore()]


@pytest.mark.parametrize(("slots", "nodes"), [(24, None), (None, 3), (20, 2), (16, 1), (200, 8)])
def test_programs_do_not_depend_on_the_memory(slots: int | None, nodes: int | None) -> None:
    model, unbounded = model_of(slots, nodes), model_of()
    states = programs(model)
    for state, expected in zip(states, programs(unbounded), strict=True):
        assert state.token_ids.equal(expected.token_ids) and state.logprobs.equal(expected.logprobs)
    assert model.stats.tokens >= unbounded.stats.tokens
    with model.fresh():  # the tree gives way to what is not kept
        again = programs(model)[0]
    assert again.token_ids.equal(states[0].token_ids)
    del states, state, again
    gc.collect()
    assert model.stats.kv_bytes == 0 and not model.engine.memory and not model.engine.sequences


def test_a_thousand_branches_of_few_sequences() -> None:
    model = model_of(nodes=64)
    state = oc.continuous(oc.generate.text(model))(model.state("Mira is").fork(1000), max_tokens=3, seed=0)
    expected = oc.continuous(oc.generate.text(m := model_of()))(m.state("Mira is").fork(1000), max_tokens=3, seed=0)
    assert state.token_ids.equal(expected.token_ids) and state.logprobs.equal(expected.logprobs)
    assert 32 < model.engine.most_seen <= 64, "the sequences are used, and never too many"
    assert 0 < int((state.kv.lengths > 3).sum()) < 1000, "what was not evicted is kept"


def test_a_row_that_does_not_fit_is_refused_and_nothing_is_lost() -> None:
    model = model_of(slots=12)
    text = oc.continuous(oc.generate.text(model))
    start = text("Mira", max_tokens=3, seed=0)
    with pytest.raises(
        oc.errors.ContextFull, match=r"a row of 13 tokens .* has room for 12: make the engine with a larger mem"
    ):
        text(start, max_tokens=30, seed=1)
    assert start.token_ids.shape[-1] == start.lengths.max() and text(start, max_tokens=2, seed=1).lengths.max() <= 9


def test_without_a_branch_the_error_says_so() -> None:
    engine = FixedEngine(V, nodes=0)
    with pytest.raises(
        oc.errors.ContextFull, match=r"needs a branch of its own, and the engine, which has room for 0 here"
    ):
        read_logits(engine.forward, Tree(None, engine.pool()), [Need((1, 2), (1,))])


def test_what_is_read_fresh_is_gone_before_another_thread_reads() -> None:
    model, left = model_of(slots=40, nodes=4), list[int]()

    class Lock:
        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None:
            left.append(len(model.engine.memory))

    model.language_model._lock = Lock()
    with model.fresh():
        model.logits([Need((5, 6, 7), (2,)), Need((5, 8), (1,))])
    assert left == [0]


def test_models_of_one_engine_share_its_memory() -> None:
    engine, tokenizer = FixedEngine(1536, slots=20), oc.load().tokenizer
    first, second = oc.Model(engine, tokenizer), oc.Model(engine, tokenizer)
    state = oc.continuous(oc.generate.text(first))("Mira is a", max_tokens=10, seed=0)
    assert first.tree.pool.used > 8 and state.kv.lengths.any()
    other = oc.continuous(oc.generate.text(second))("Mira is a", max_tokens=10, seed=0)
    assert other.token_ids.equal(state.token_ids) and not state.kv.lengths.any(), "the first one gave way"
