"""Attention in parts, against plain softmaxes: the parts themselves, who is in which part, and a whole pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from torch import Tensor

import outlines_cont as oc
from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.attention_hook import GrowingLayout
from outlines_cont.engines.hf.attention_layout import AttentionLayout, lay_out
from outlines_cont.engines.hf.attention_plan import AttentionPlan
from outlines_cont.kernels import attention_parts
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.needs import Need, ReadPlan, TokenRun
from outlines_cont.kv.radix_tree import Claim, Tree


def plain(query: Tensor, key: Tensor, value: Tensor, scale: float, mask: Tensor, softcap: float | None) -> Tensor:
    """The definition, in float64: scores, softcap, mask, softmax."""
    scores = query.double() @ key.double().transpose(-1, -2) * scale
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    return scores.masked_fill(~mask, float("-inf"))


@settings(max_examples=150)
@given(
    heads=st.integers(1, 3),
    n=st.integers(1, 5),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    dims=st.sampled_from([(16, 16), (8, 12), (5, 5)]),
    softcap=st.sampled_from([None, 2.0]),
    sinks=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_parts_merge_to_the_softmax_over_all_keys(
    heads: int, n: int, sizes: list[int], dims: tuple[int, int], softcap: float | None, sinks: bool, seed: int
) -> None:
    """Any cut of the keys, any mask in which every query sees something, with softcap and sinks."""
    torch.manual_seed(seed)
    query = torch.randn(2, heads, n, dims[0])
    key, value = torch.randn(2, heads, sum(sizes), dims[0]), torch.randn(2, heads, sum(sizes), dims[1])
    mask = torch.rand(2, 1, n, sum(sizes)) < 0.6
    mask[..., 0] = True
    out = torch.zeros(2, heads, n, dims[1])
    lse = torch.full((2, heads, n), float("-inf"))
    for k, v, m in zip(*(t.split(sizes, dim=d) for t, d in ((key, 2), (value, 2), (mask, 3))), strict=True):
        part = attention_parts.attend(query, k, v, 0.4, None if m.all() else m, False, softcap)
        out, lse = attention_parts.merge(out, lse, *part)
    scores = plain(query, key, value, 0.4, mask, softcap)
    assert torch.allclose(lse.double(), scores.logsumexp(-1), atol=1e-5)
    if sinks:
        logits = torch.randn(heads, 1)
        out = attention_parts.sink(out, lse, logits)
        scores = torch.cat([scores, logits.double()[..., None].expand(2, heads, n, 1)], dim=-1)
    expected = scores.softmax(-1)[..., : sum(sizes)] @ value.double()
    assert torch.allclose(out.double(), expected, atol=1e-5)


# --- random trees

Rows = list[list[int]]
tokens = st.integers(0, 2)
rows_of_tokens = st.lists(st.lists(tokens, min_size=1, max_size=12), min_size=1, max_size=6)


def filled(tree: Tree, rows: Rows) -> list[Claim | None]:
    """A tree that holds rows, in scattered slots."""
    claims: list[Claim | None] = []
    for row in rows:
        claim = tree.find(row)
        depth = claim.depth if claim else 0
        if depth < len(row):
            slots = tree.take(len(row) - depth)
            with tree.lock, tree.changing:
                node, start = tree.store(claim.point if claim else (tree.root, 0), row[depth:], slots)
                claim = tree.hold((node, start + len(row) - depth))
                tree.stored()
        claims.append(claim)
    return claims


def planned(tree: Tree, rows: Rows, every: bool) -> tuple[ReadPlan, list[TokenRun]]:
    """The runs that the logits of rows need: at their ends, or everywhere."""
    queries = [Need(tuple(row), tuple(range(len(row))) if every else (len(row) - 1,)) for row in rows]
    work = ReadPlan(tree, queries)
    runs = next(work.passes(), [])
    for run in runs:
        if run.stored:
            run.slots = tree.take(len(run.ids))
    return work, runs


def seen_by(tree: Tree, run: TokenRun) -> list[int]:
    """The slots of all that a run's last token sees, by walking up."""
    above = seen_by(tree, run.parent) if isinstance(run.parent, TokenRun) else tree.slots(run.parent).tolist()
    assert run.slots is not None
    return above + run.slots.tolist()


def seen_in(layout: AttentionLayout, queries: int) -> list[list[tuple[int, int]]]:
    """What every query sees according to the work items: (slot, depth) pairs."""
    seen: list[list[tuple[int, int]]] = [[] for _ in range(queries)]
    for item in layout.items:
        for query in range(item.first, item.last):
            end = query - item.first + 1 if item.causal else len(item.slots)
            seen[query] += [(int(slot), item.depth + i) for i, slot in enumerate(item.slots[:end])]
    for batch in layout.groups:
        count, n = batch.queries.shape
        mask = np.ones((count, n, batch.slots.shape[1]), bool) if batch.mask is None else batch.mask
        filled = np.ones((count, n), bool) if batch.filled is None else batch.filled
        for b, i in zip(*np.nonzero(filled), strict=True):
            keys = zip(batch.slots[b], batch.depths[b], mask[b, i], strict=True)
            seen[batch.queries[b, i]] += [(int(slot), int(depth)) for slot, depth, sees in keys if sees]
    return seen


@settings(max_examples=400)
@given(held=rows_of_tokens, rows=rows_of_tokens, every=st.booleans(), cost=st.sampled_from([0.0, 3.0, 30.0, 1e9]))
def test_every_query_sees_each_key_of_its_path_once(held: Rows, rows: Rows, every: bool, cost: float) -> None:
    """However the work is cut: packed, shared, causal, in batches of groups that are filled up."""
    tree = Tree()
    claims = filled(tree, held)
    work, runs = planned(tree, rows, every)
    if not runs:
        return
    layout = lay_out(tree, runs, cost)
    seen = seen_in(layout, sum(len(run.ids) for run in runs))
    for run in runs:
        path = seen_by(tree, run)
        for token in range(len(run.ids)):
            depth = run.depth + token
            assert sorted(seen[layout.first[id(run)] + token]) == sorted(zip(path, range(depth + 1), strict=False))
    assert {id(run) for run in layout.runs} == {id(run) for run in runs}
    del claims, work


@settings(max_examples=150)
@given(
    held=rows_of_tokens,
    rows=rows_of_tokens,
    cost=st.sampled_from([0.0, 3.0, 30.0, 1e9]),
    steps=st.lists(st.tuples(st.lists(tokens, min_size=6, max_size=6), st.integers(0, 5)), min_size=1, max_size=5),
)
def test_a_layout_grows_with_its_rows(held: Rows, rows: Rows, cost: float, steps: list[tuple[list[int], int]]) -> None:
    """Decode steps, in any order of the rows, from which rows go and in which they fork, while the pool is squeezed:
    whether it was grown or made anew, a layout says that every query sees each key of its path once."""
    tree, layouts = Tree(), GrowingLayout()
    ballast = filled(tree, [[9] * 1000])
    claims = filled(tree, held)

    def forward(tree: Tree, batch: Sequence[TokenRun]) -> tuple[Tensor, int]:
        layout = layouts.of(tree, batch, cost)
        seen = seen_in(layout, sum(len(run.ids) for run in batch))
        assert sorted(map(id, layout.runs)) == sorted(map(id, batch))
        for run in batch:
            path, first = seen_by(tree, run), layout.first[id(run)]
            for token in range(len(run.ids)):
                assert sorted(seen[first + token]) == sorted(zip(path, range(run.depth + token + 1), strict=False))
        return torch.zeros(sum(len(run.wanted_tokens()) for run in batch), 1), 1

    for new, change in steps:
        if change == 1:
            rows.reverse()
        elif change == 2:
            rows = rows[1:] + rows[-1:] if new[0] else rows[1:] or rows
        elif change == 3:
            ballast.clear()
        rows = [[*row, token] for row, token in zip(rows, new, strict=False)]
        _, claims[:], _ = read_logits(forward, tree, [Need(tuple(row), (len(row) - 1,)) for row in rows])


def test_rows_that_go_on_by_themselves_are_not_laid_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve rows of 60 tokens each: not at every step, but at the beginning, and when packing them no longer pays."""
    made: list[int] = []

    def counting(tree: Tree, batch: Sequence[TokenRun], item_cost: float) -> AttentionLayout:
        made.append(len(batch))
        return lay_out(tree, batch, item_cost)

    monkeypatch.setattr(attention_hook, "lay_out", counting)
    model = shipped_model()
    before = model.stats.passes
    step = oc.continuous(oc.generate.regex(model, "[a-z ]{300}", oc.samplers.multinomial(samples=12)))
    step("Once upon a time", max_tokens=60, seed=1)
    assert model.stats.passes - before == 60
    apart = made.index(12)  # until then some are alike
    assert len(made) - apart <= 60 // 6


def test_what_is_shared_is_attended_once() -> None:
    """A batch of four prompts with a common head and eight beams in each: three levels, counted score by score."""
    tree = Tree()
    head, beams = [0] * 600, range(1, 9)
    rows = [head + [prompt] * 100 + [beam] * 10 for prompt in range(1, 5) for beam in beams]
    claims = filled(tree, rows)
    work, runs = planned(tree, [[*row, 9] for row in rows], every=False)
    assert len(runs) == 32
    few = 200.0
    assert lay_out(tree, runs, few).cells == 32 * 600 + 32 * 100 + 32 * 11
    assert lay_out(tree, runs, 1e9).cells == 32 * (600 + 4 * 100 + 32 * 11), "where an item is dear, one packed product"
    del claims, work


@pytest.mark.parametrize("size", [63, 64])
def test_a_row_alone_takes_the_short_way(size: int) -> None:
    """One new token whose keys are neighbours, also where the pool grows. Where others lie between, there is none."""
    tree = Tree()
    claims = filled(tree, [[0] * size])
    tree.pool.write(0, slice(0, size), *torch.randn(2, 2, size, 8))
    for token in (1, 2):
        work, [run] = planned(tree, [[0] * size + [token]], every=False)
        plan = AttentionPlan(tree.pool, lay_out(tree, [run], 1e6))
        query, keys, values = (torch.randn(1, heads, 1, 8) for heads in (4, 2, 2))
        row = plan.attend_one_row(0, query, keys, values, causal, 0.5)
        assert (row is None) == (token == 2)
        if row is not None:
            assert torch.allclose(row[0], plan.attend(0, query[0], causal, 0.5), atol=1e-5)
            assert tree.pool.buffers[0][0][:, size].equal(keys[0, :, 0])
        del work
    del claims


def causal(b: object, h: object, q: Tensor, k: Tensor) -> Tensor:
    return k <= q


RULES: dict[str, Callable[..., Tensor]] = {
    "causal": causal,
    "sliding": lambda b, h, q, k: (k <= q) & (k > q - 3),
    "chunked": lambda b, h, q, k: (k <= q) & (k // 4 == q // 4),
}


@settings(max_examples=200)
@given(
    held=rows_of_tokens,
    rows=rows_of_tokens,
    every=st.booleans(),
    cost=st.sampled_from([0.0, 3.0, 30.0, 1e9]),
    rule=st.sampled_from(sorted(RULES)),
    heads=st.sampled_from([(1, 1), (4, 2), (3, 1)]),
    softcap=st.sampled_from([None, 3.0]),
    seed=st.integers(0, 10**6),
)
def test_a_pass_attends_as_each_row_would_alone(
    held: Rows,
    rows: Rows,
    every: bool,
    cost: float,
    rule: str,
    heads: tuple[int, int],
    softcap: float | None,
    seed: int,
) -> None:
    """Any tree, any cut, any window: the attention of a pass is plain attention over each query's own path."""
    torch.manual_seed(seed)
    tree = Tree()
    claims = filled(tree, held)
    work, runs = planned(tree, rows, every)
    if not runs:
        return
    store: Sequence[Tensor] = [torch.randn(heads[1], tree.pool.capacity, 8) for _ in range(2)]
    live = slice(0, tree.pool.capacity)
    tree.pool.write(0, live, *store)
    plan = AttentionPlan(tree.pool, lay_out(tree, runs, cost))
    query = torch.randn(heads[0], sum(len(run.ids) for run in runs), 8)
    out = plan.attend(0, query, RULES[rule], 0.5, softcap)
    if softcap is None and query.shape[1] == 1:
        assert runs[0].slots is not None
        new_keys, new_values = (t[:, torch.from_numpy(runs[0].slots)][None] for t in store)
        row = plan.attend_one_row(0, query[None], new_keys, new_values, RULES[rule], 0.5)
        assert row is None or torch.allclose(row[0], out, atol=1e-5)
    for run in runs:
        path = seen_by(tree, run)
        for token in range(len(run.ids)):
            at, depth = plan.layout.first[id(run)] + token, run.depth + token
            slots = torch.tensor(path[: depth + 1])
            mask = RULES[rule](0, 0, torch.tensor(depth), torch.arange(depth + 1))
            keys, values = (t[:, slots].repeat_interleave(heads[0] // heads[1], 0) for t in store)
            scores = plain(query[:, at : at + 1], keys, values, 0.5, mask, softcap)
            assert torch.allclose(out[at].double(), (scores.softmax(-1) @ values.double())[:, 0], atol=1e-5)
    del claims, work


class Interruption(BaseException):
    """As a KeyboardInterrupt, but for pytest."""


@pytest.mark.parametrize("name", ["_slots", "_unseen", "lay_out", "_longer", "_forked"])
@pytest.mark.parametrize("at", range(4))
def test_an_interrupt_while_laying_out_leaves_nothing_wrong(
    name: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C anywhere in it; then the same step again: log-probabilities are those of fresh forwards."""
    model, ours, calls = shipped_model(), getattr(attention_hook, name), []

    def interrupted(*args: object) -> object:
        calls.append(None)
        if len(calls) == at + 3:
            raise Interruption
        return ours(*args)

    monkeypatch.setattr(attention_hook, name, interrupted)
    generator = oc.generate.regex(model, "[a-z ]{40}", oc.samplers.multinomial(samples=5))
    frontier = generator.begin(["Once upon a time", "Mira is"], max_tokens=20, seed=1)
    while not frontier.done:
        try:
            frontier = frontier.step(*model.read(frontier.pending))
        except Interruption:
            calls += [None] * 10
    monkeypatch.undo()
    with model.fresh():
        fresh = frontier.state.kv.drop().rescore()
    assert torch.allclose(frontier.state.logprobs, fresh.logprobs, atol=1e-4, equal_nan=True)
