"""The KV tree: exact for every row of every state (laws 2, 3), least work (8), memory that follows values (11)."""

from __future__ import annotations

import gc
import importlib.util
import threading
from collections.abc import Iterator
from functools import cache

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_attention import filled
from test_models import assert_rows_agree, plain_logits, random_hf, random_model
from transformers import T5Config, T5ForConditionalGeneration

import outlines_cont as oc
from outlines_cont.engines.hf import parameters
from outlines_cont.kv import forward, needs
from outlines_cont.kv.needs import Need
from outlines_cont.kv.pool import LogitCache, Pool
from outlines_cont.kv.radix_tree import Claim, Tree


def test_an_encoder_decoder_is_refused_by_name() -> None:
    hf = T5ForConditionalGeneration(T5Config(d_model=16, d_kv=4, d_ff=16, num_layers=1, num_heads=2, vocab_size=32))
    with pytest.raises(TypeError, match="T5ForConditionalGeneration"):
        oc.Model(hf, shipped_model().tokenizer)


TEXTS = ["Once", " upon a time", "12 + 7 = ", " so\n", "Žofia", " and", "!", "  "]


class Program:
    """Random operations on states, with an independent count of the work that they need."""

    def __init__(self, model: oc.Model):
        self.model = model
        self.states: list[oc.SequenceState] = []
        self.needed = self.reread = 0
        self.known: set[tuple[int, ...]] = set()  # prefixes whose logits were asked for and are still held
        self.step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
        model.language_model.tree = Tree()
        model.stats.reset()

    def held(self) -> set[tuple[int, ...]]:
        """The prefixes whose last token has its keys and values kept alive by some state."""
        rows = [row for state in self.states for group in state.rows for row in group]
        return {row.ids[:n] for row in rows for n in range(1, (row.claim.depth if row.claim else 0) + 1)}

    def generate(self, index: int, max_tokens: int) -> None:
        """Whatever is fed and nobody held is needed; a last token that was drawn when the budget ended is not fed."""
        state, before = self.states[index], self.held()
        self.known &= before
        result = self.step(state, max_tokens=max_tokens, seed=len(self.states))
        fed: set[tuple[int, ...]] = set()
        wanted: set[tuple[int, ...]] = set()
        for row in (row for group in result.rows for row in group):
            ends = range(1, len(row) - (row.finished == "length") + 1)
            fed |= {row.ids[:n] for n in ends}
            wanted |= {row.ids[:n] for n in ends if n >= row.spans[-1].start}
        self.needed += len(fed - before)
        self.reread += len(wanted & before - self.known)
        self.known |= wanted
        self.states.append(result)

    def prefill(self, state: oc.SequenceState) -> None:
        """All that nobody held is needed, and the logits after each row's last token."""
        before, ends = self.held(), {row.ids for group in state.rows for row in group if len(row)}
        self.known &= before
        assert state.kv.prefill() is state
        self.needed += len({ids[:n] for ids in ends for n in range(1, len(ids) + 1)} - before)
        self.reread += len(ends & before - self.known)
        self.known |= ends

    def act(self, data: st.DataObject) -> None:
        """One random operation, on random states."""
        model, states = self.model, self.states
        kinds = ["step", "step", "slice", "select", "fork", "append", "join", "retype", "prefill", "drop"]
        kinds = kinds if states else []
        kind = data.draw(st.sampled_from(["start", *kinds]), label="operation")
        if kind == "start":
            texts = st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2)
            states.append(model.state(data.draw(texts, label="texts")))
            return
        i = data.draw(st.integers(0, len(states) - 1), label="state")
        state, (batch, samples, length) = states[i], states[i].shape
        if kind == "slice":
            start, stop = data.draw(st.sampled_from([0, 0, 0, 2])), data.draw(st.integers(1, max(length, 1)))
            states.append(state[:, :, start:stop])
        elif kind == "select":
            rows = st.lists(st.integers(0, batch - 1), min_size=1, max_size=2)
            states.append(state[data.draw(rows), data.draw(st.integers(0, samples - 1)), :])
        elif kind == "fork" and samples == 1:
            states.append(state.fork(2))
        elif kind == "append":
            states.append(state + data.draw(st.sampled_from(TEXTS), label="text"))
        elif kind == "join":
            other = states[data.draw(st.integers(0, len(states) - 1), label="other")]
            dim = data.draw(st.sampled_from([0, 1, 2]), label="dim")
            if all(d == dim or state.shape[d] == other.shape[d] for d in (0, 1)):
                states.append(oc.cat([state, other], dim))
        elif kind == "retype":
            states.append(model.state([row.ids for group in state.rows for row in group if len(row)] or [[5]]))
        elif kind == "prefill":
            self.prefill(state)
        elif kind == "drop":
            del states[i]
        elif kind == "step" and samples <= 2 and state.lengths.all():
            self.generate(i, data.draw(st.integers(1, 3), label="max_tokens"))


@cache
def lonely_model() -> oc.Model:
    """Two layers of the shipped model, with a tree that no other test uses."""
    return oc.Model(short_hf(), shipped_model().tokenizer)


@settings(max_examples=200)
@given(data=st.data())
def test_least_work(data: st.DataObject) -> None:
    """Law 8, over random programs: tokens computed = distinct (prefix, token) pairs needed and not in the tree; and
    laws 2 and 3: whatever the tree then holds of any row gives the logits of a fresh forward."""
    program = Program(lonely_model())
    for _ in range(data.draw(st.integers(2, 9), label="length")):
        program.act(data)
    stats = program.model.stats
    assert (stats.tokens, stats.reread) == (program.needed, program.reread)
    while program.states:
        assert_rows_agree(program.model, program.states.pop())
    assert stats.kv_bytes == 0


def test_a_shared_prefix_is_computed_once() -> None:
    """Samples, forks and re-typed prompts share what they share; a step costs one pass."""
    model = shipped_model()
    model.stats.reset()
    prompt = model.state("Once upon a time")
    length = prompt.shape[2]
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=8)))
    drawn = step(prompt, max_tokens=1, seed=0)
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (length, 1, 0)
    again = step(model.state(["Once upon a time"] * 3), max_tokens=1, seed=1)
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (length, 1, 0)
    appended = drawn.best(1).fork(5) + " in"
    model.stats.reset()
    oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(appended, max_tokens=1)
    assert model.stats.tokens == appended.shape[2] - length, "five equal rows cost one"
    del drawn, again, appended


def test_memory_follows_values() -> None:
    """Law 11: forks and slices cost nothing, and what no state reaches is freed."""
    model = shipped_model()
    gc.collect()
    assert model.stats.kv_bytes == 0
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=4)))
    state = step("Once upon a time", max_tokens=20, seed=0)
    full = model.stats.kv_bytes
    views = [state[:, :, :n] for n in range(1, 10)] + [state.best(2), state[0, 1, :].fork(7), oc.cat([state, state], 1)]
    assert model.stats.kv_bytes == full
    del views
    head = state[0, 0, :4]
    del state
    gc.collect()
    config = model.hf.config
    per_token = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim * 4
    assert model.stats.kv_bytes == 4 * per_token, "a short crop keeps its own tokens and nothing else"
    assert (head.kv.lengths == 4).all()
    del head
    gc.collect()
    assert model.stats.kv_bytes == 0


def test_slack_is_small() -> None:
    """Buffers are at most an eighth larger than what was ever needed, and shrink when what they held is gone."""
    model = lonely_model()
    model.language_model.tree = Tree()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=32)))
    start = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(model.state([5] * 700), max_tokens=1)
    for length in (5, 20):
        state = step(start, max_tokens=length, seed=0)
        assert model.stats.kv_bytes <= model.stats.kv_allocated <= 1.2 * model.stats.kv_bytes
        del state
    assert model.stats.kv_allocated <= 1.25 * model.stats.kv_bytes + 320 * model.tree.pool.slot_bytes
    del start
    assert model.stats.kv_allocated == 0


def run_with_budget(budget: int | None) -> tuple[list[oc.SequenceState], oc.Model]:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer, kv_budget=budget)
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
    first = [step(text, max_tokens=8, seed=i) for i, text in enumerate(("Once upon a time", "12 + 7 = ", "Žofia"))]
    return [*first, *(step(state + " and", max_tokens=4, seed=1) for state in first)], model


def test_a_budget_evicts_what_is_idle_and_changes_nothing_else() -> None:
    """Law 11: least recently used first; `kv.lengths` says so; the tokens are the same, and the scores to rounding."""
    unbounded, _ = run_with_budget(None)
    for budget in (0, 10**5, 2 * 10**5, 10**9):
        states, model = run_with_budget(budget)
        for state, expected in zip(states, unbounded, strict=True):
            assert state == expected
            assert torch.allclose(state.logprobs, expected.logprobs, atol=1e-4)
        running = max(int(state.kv.lengths.sum()) for state in states) * model.tree.pool.slot_bytes
        assert model.stats.kv_bytes <= max(budget, running)
        model.kv_budget = 0
        assert not any(state.kv.lengths.any() for state in states) and model.stats.kv_allocated == 0
        for state in states:
            assert_rows_agree(model, state)
    with pytest.raises(ValueError, match="kv_budget=-1"):
        model.kv_budget = -1


def test_the_least_recently_used_goes_first() -> None:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer, kv_budget=None)
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    first, second, third = (step(text, max_tokens=6) for text in ("Once", "12 + 7 = ", "Žofia"))
    step(first, max_tokens=1)  # in use again
    model.kv_budget = model.stats.kv_bytes - 1
    assert not second.kv.lengths.any() or second.kv.lengths == 1, "at most what it shares with the others"
    assert first.kv.lengths == first.lengths and third.kv.lengths == third.lengths - 1
    for state in (first, second, third):
        assert_rows_agree(model, state)


@settings(max_examples=150)
@given(
    rows=st.lists(
        st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=8), st.integers(1, 8), st.booleans()),
        min_size=1,
        max_size=12,
    ),
    budget=st.integers(0, 96),
)
@example(  # an end that was queued twice kept its node, and that a token above it
    rows=[
        *[
            ([0], 1, False),
            ([1, 0], 2, False),
            ([1, 2, 0, 0], 3, False),
            ([1, 2, 1], 2, True),
            ([2, 0, 0, 0, 0], 1, False),
        ],
        *[([0, 1, 0, 0, 0, 0], 1, False), ([0] * 8, 1, False), ([0], 1, False)],
    ],
    budget=19,
)
def test_eviction_frees_all_that_is_idle(rows: list[tuple[list[int], int, bool]], budget: int) -> None:
    """Any tree of claims: a budget of 0 leaves nothing, a larger one no more than it says, and no less than one end.

    rows: tokens that are claimed, how many of them are claimed once more, and whether time goes by then.
    """
    tree = Tree()
    held: list[tuple[list[int], Claim | None]] = []
    for row, crop, later in rows:
        [claim] = filled(tree, [row])
        held += [(row, claim), (row, claim and claim.crop(min(crop, len(row))))]
        tree.memory.clock += later
    tree.pool.write(0, slice(0, tree.pool.capacity), torch.zeros(1, tree.pool.capacity, 1), torch.zeros(1, 1, 1))
    for slots in [min(budget, tree.pool.used), 0]:
        tree.budget = slots * tree.pool.slot_bytes
        tree.trim()
        live = {tuple(row[:n]) for row, claim in held if claim for n in range(1, claim.depth + 1)}
        assert tree.pool.used == len(live) <= slots


def test_an_evicted_state_goes_on_where_it_stood() -> None:
    model = lonely_model()
    model.language_model.tree = Tree()
    step = oc.continuous(oc.generate.regex(model, "[a-z]{30}", oc.samplers.greedy()))
    state = step("Once", max_tokens=5)
    whole = step.resume(state)
    del whole
    model.tree.budget = 0
    model.tree.trim()
    assert not state.kv.lengths.any()
    model.stats.reset()
    model.tree.budget = None
    resumed = step.resume(state, max_tokens=1)
    assert model.stats.tokens == state.shape[2], "all of it is computed once more"
    assert_rows_agree(model, resumed)


def test_states_in_reference_cycles_are_freed_too() -> None:
    """A garbage collection finalizes in any order, and memory is squeezed while it does."""
    model = lonely_model()
    model.language_model.tree = Tree()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=4)))
    gc.disable()
    try:
        kept = step("Once upon a time", max_tokens=10, seed=0)
        for i in range(12):
            cycle: list[object] = [step(model.state([[i + 3] * 60, [i + 4] * 30]), max_tokens=8, seed=i)]
            cycle.append(cycle)
        del cycle
        assert model.tree.pool.used > 1000
    finally:
        gc.enable()
    gc.collect()
    lengths = kept.kv.lengths[0].tolist()  # the last token of a row that stopped is read, too
    held = {row.ids[:n] for row, length in zip(kept.rows[0], lengths, strict=True) for n in range(1, length + 1)}
    assert model.stats.kv_bytes == len(held) * model.tree.pool.slot_bytes
    assert_rows_agree(model, kept)
    del kept
    assert model.stats.kv_bytes == model.stats.kv_allocated == 0
    assert not model.tree.memory.owned, "nothing is left"


@pytest.mark.parametrize("name", ["llama", "mistral (window)", "bloom (alibi)"])
@pytest.mark.parametrize("tokens", [1, 3, 8])
def test_long_work_is_cut_into_passes(name: str, tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """New runs and tokens that are read again, cut anywhere, give what one pass gives."""
    monkeypatch.setattr(needs, "PASS_TOKENS", tokens)
    monkeypatch.setattr(forward, "KEPT_LOGITS_BYTES", 0 if tokens == 3 else 10**6)
    model = random_model(name)
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
    state = step(["Once upon a time, there was", "12 + 7", "Once upon"], max_tokens=6, seed=1)
    assert_rows_agree(model, state)
    joined = state[:, [2, 0, 2], :-3] + " and then" + state[:, :, :4]
    assert_rows_agree(model, joined)
    del state, joined
    assert model.stats.kv_bytes == 0


@pytest.mark.parametrize("name", ["llama", "bloom (alibi)"])
def test_a_forward_that_fails_leaves_nothing_behind(name: str) -> None:
    """An exception in the middle of a pass: the tree holds what it held, and gives the same afterwards."""
    hf, calls = random_hf(name), list[int]()

    def fail(module: torch.nn.Module, args: object, output: object) -> None:
        if calls:
            calls[0] += 1
            if calls[0] == 3:
                raise KeyboardInterrupt if name == "llama" else RuntimeError("out of memory")

    layers = next(module for module in hf.modules() if isinstance(module, torch.nn.ModuleList))
    layers[1].register_forward_hook(fail)
    model = oc.Model(hf, shipped_model().tokenizer)
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
    state = step("Once upon a time", max_tokens=4, seed=0)
    held = model.stats.kv_bytes
    calls.append(0)
    with pytest.raises((KeyboardInterrupt, RuntimeError)):
        step(state + " and so on", max_tokens=8, seed=1)
    calls.clear()
    gc.collect()
    assert model.stats.kv_bytes == held
    after = step(state + " and so on", max_tokens=8, seed=1)
    assert_rows_agree(model, after)
    del state, after
    gc.collect()
    assert model.stats.kv_bytes == model.stats.kv_allocated == 0


@settings(max_examples=150)
@given(data=st.data())
def test_a_crop_keeps_its_tokens_and_no_others(data: st.DataObject) -> None:
    """A claim's first n tokens lie in the same slots under its crop, and stay when nobody else holds them."""
    tree = Tree()
    rows = data.draw(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8), min_size=1, max_size=6))
    claims = filled(tree, rows)
    row, claim = rows[0], claims[0]
    assert claim is not None
    size = data.draw(st.integers(1, len(row) + 1))
    slots = tree.slots(claim.point)
    crop = claim.crop(size)
    assert crop is not None and crop.depth == min(size, len(row))
    assert tree.slots(crop.point).tolist() == slots[:size].tolist()
    assert claim.crop(0) is None
    del claim
    claims.clear()
    again = tree.find(row)
    assert again is not None and again.depth == crop.depth
    assert tree.pool.used == crop.depth


def test_a_row_that_goes_back_reads_nothing_twice() -> None:
    """The tokens before a backtrack keep their keys, values and logits, whoever else holds them."""
    model = lonely_model()
    model.language_model.tree = Tree()
    prompt = model.state("Once upon a time")
    seen: list[tuple[int, int, int]] = []  # at each draw: the tokens of the row, those computed, those read again

    def go_back_once(draw: oc.steer.Draw) -> oc.steer.Backtrack | None:
        seen.append((len(draw.row.ids), model.stats.tokens, model.stats.reread))
        return oc.steer.Backtrack(2) if len(seen) == 6 else None

    model.stats.reset()
    oc.continuous(oc.generate.text(model))(prompt, max_tokens=8, seed=0, hooks=[go_back_once])
    before, after = seen[5], seen[6]
    assert after[0] == before[0] - 2, "two tokens are gone"
    assert after[1:] == before[1:] and before[2] == 0, "and none is computed to go on from there"


@pytest.mark.parametrize("ending", ["a stop string", "a drawn stop"])
def test_a_row_that_stops_keeps_all_that_was_read(ending: str) -> None:
    """A stop is known once the tokens before it were read: their keys and values are all claimed by the row."""
    model = shipped_model()
    if ending == "a stop string":
        step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        state = step("The sky is", max_tokens=9, stop_at=["."])
        assert list(state) == ["The sky is blue"]
    else:
        step = oc.continuous(oc.generate.regex(model, "[a-z]{1,9}"))
        state = next(s for seed in range(99) if (s := step("Once", seed=seed, max_tokens=5)).finished == [["stop"]])
    assert state.finished == [["stop"]]
    assert state.kv.lengths.equal(state.lengths)


def test_memory_is_given_back_when_most_of_it_is_free() -> None:
    model = shipped_model()
    long = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(model.state([5] * 1900), max_tokens=1)
    short = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Once", max_tokens=2)
    del long
    gc.collect()
    more = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(short, max_tokens=2)
    assert model.tree.pool.capacity < 1900
    assert_rows_agree(model, more)


def test_a_tree_that_was_cut_short_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt, or no memory, in the middle of a change of the tree: what it held is computed again, once."""
    model = random_model("llama")
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
    expected = step("Once upon a time", max_tokens=6, seed=0).kv.drop()
    for cls, name in [(Tree, "store"), (LogitCache, "keep"), (Pool, "take"), (Tree, "_descend"), (Pool, "squeeze")]:
        state = step("Once upon a time", max_tokens=6, seed=0)
        with monkeypatch.context() as patch:
            patch.setattr(cls, name, interrupted)
            patch.setattr(Pool, "roomy", name == "squeeze")
            with pytest.raises(KeyboardInterrupt):
                model.logits([Need((*row.ids, 5, 6), (len(row) + 1,), row.claim) for row in state.rows[0]])
        assert not state.kv.lengths.any()
        again = step("Once upon a time", max_tokens=6, seed=0)
        assert again == expected
        assert_rows_agree(model, again)
        del state, again
        assert model.stats.kv_bytes == model.stats.kv_allocated == 0


def interrupted(*args: object) -> None:
    raise KeyboardInterrupt


def test_models_that_share_a_config_take_turns() -> None:
    """Our attention is switched on in the config: two models of one config must not run at once."""
    first = random_hf("llama")
    hfs = [first, type(first)(first.config).eval()]
    assert hfs[0].config is hfs[1].config
    models = [oc.Model(hf, shipped_model().tokenizer) for hf in hfs]
    steps = [oc.continuous(oc.generate.text(model)) for model in models]
    alone = [step("Once upon", max_tokens=6, seed=0).kv.drop() for step in steps]
    found: list[bool] = []

    def work(i: int) -> None:
        found.extend(steps[i]("Once upon", max_tokens=6, seed=0) == alone[i] for _ in range(20))

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 40 and first.config._attn_implementation == "sdpa"


def test_autocast_and_train_mode() -> None:
    """Logits are those of the model as it was loaded; dropout is refused, and modes are left as they were."""
    model = random_model("llama")
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    expected = step("Once upon", max_tokens=4)
    with torch.autocast("cpu", torch.bfloat16):
        assert oc.Model(model.hf, model.tokenizer).tier.name == "hook"
        assert step("Once upon", max_tokens=4).identical(expected)
    random = random_hf("gpt2 (learned positions)")
    random.transformer.h[0].train()
    wrapped = oc.Model(random, model.tokenizer)
    assert random.transformer.h[0].training and not random.transformer.h[1].training
    random.train()
    with pytest.raises(ValueError, match="GPT2LMHeadModel is in train mode"):
        oc.generate.text(wrapped)("Once", max_tokens=2)


def test_a_query_that_makes_no_sense_is_refused() -> None:
    model = shipped_model()
    for wanted in [(3,), (-1,), (2, 1), (1, 1)]:
        with pytest.raises(ValueError, match="wanted="):
            model.logits([Need((5, 6, 7), wanted)])
    with pytest.raises(TypeError, match=r"wanted\[0\]=1.0"):
        model.logits([Need((5, 6, 7), (1.0,))])


def test_eviction_of_a_long_history_is_quick() -> None:
    """A claim on every prefix of a long row: counted in visits, each end is looked at once."""
    model = lonely_model()
    model.language_model.tree = Tree()
    _, (claim,) = model.read([Need((5,) * 1000, (999,))])
    assert claim is not None
    history = [claim.crop(n) for n in range(1, 1000)]
    model.kv_budget = 500 * model.tree.pool.slot_bytes
    assert model.tree.pool.used == 500 and [c.depth for c in history if c][:500] == [*range(1, 501)]
    model.kv_budget = None


@pytest.mark.parametrize("fused", [False, True])
def test_a_change_of_the_parameters_orphans_keys_and_values(fused: bool) -> None:
    """Law 3: an optimizer step (fused ones leave the version counters alone), a dtype or mode change."""
    model = random_model("llama")
    state = oc.continuous(oc.generate.text(model))("Once upon", max_tokens=3, seed=0)
    assert state.kv.lengths.all()
    optimizer = torch.optim.AdamW(model.hf.parameters(), lr=0.5, fused=fused)
    ids = torch.tensor([state.rows[0][0].ids])
    model.hf(input_ids=ids, labels=ids).loss.backward()
    optimizer.step()
    assert not state.kv.lengths.any() and model.stats.kv_bytes == 0 and "kv 0;" in repr(state)
    assert_rows_agree(model, state)
    model.hf.train()
    assert not state.kv.lengths.any()
    model.hf.eval().to(torch.float64)
    assert_rows_agree(model, state)


def test_optimizer_steps_are_counted_from_the_first_model_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """An import registers no hook; models that are wrapped, from any thread, register one between them."""
    registered: list[object] = []
    monkeypatch.setattr(
        importlib.import_module("torch.optim.optimizer"), "register_optimizer_step_post_hook", registered.append
    )
    spec = importlib.util.spec_from_file_location("parameters_anew", parameters.__file__)
    assert spec is not None and spec.loader is not None
    anew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(anew)
    assert not registered
    threads = [threading.Thread(target=anew.ParameterWatch, args=(torch.nn.Linear(2, 2),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(registered) == 1


def test_fresh_stores_and_reuses_nothing() -> None:
    model = random_model("llama")
    greedy = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    prompt = model.state("Once upon a time")
    plain = greedy(prompt, max_tokens=4)
    hook = model.hf.model.layers[0].register_forward_hook(lambda module, args, out: out * 0.5)
    with model.fresh():
        patched = greedy(prompt, max_tokens=4)
        expected = plain_logits(model.hf, patched.rows[0][0].ids[:-1])[prompt.shape[2] - 1 :]
    hook.remove()
    assert expected.argmax(-1).tolist() == list(patched.rows[0][0].ids[prompt.shape[2] :])
    assert greedy(prompt, max_tokens=4).identical(plain)


def test_the_users_own_model_is_untouched() -> None:
    """The wrapped model gives the same bits before and after, also in its own generate()."""
    model = random_model("gemma2 (softcap, window)")
    ids = torch.tensor([[5, 6, 7, 8, 9, 10, 11]])
    before = model.hf.config._attn_implementation
    logits = model.hf(input_ids=ids).logits
    generated = model.hf.generate(ids, max_new_tokens=5, do_sample=False)
    oc.generate.text(model)("Once upon a time", max_tokens=5, seed=0)
    assert model.hf.config._attn_implementation == before
    assert torch.equal(model.hf(input_ids=ids).logits, logits)
    assert torch.equal(model.hf.generate(ids, max_new_tokens=5, do_sample=False), generated)


@pytest.mark.parametrize("budget", [None, 10**5])
def test_threads_share_states(budget: int | None) -> None:
    """Law 1, from any thread: eight that go on from the same states, and drop what they made, give what one gives."""
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer, kv_budget=budget)
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
    shared = [step(text, max_tokens=6, seed=i) for i, text in enumerate(["Once upon a time", "12 + 7 = "])]

    def program(i: int) -> list[oc.SequenceState]:
        state = shared[i % 2]
        longer = step(state[..., : 3 + i] + " and", max_tokens=5, seed=i)
        return [longer, step(longer[:, [1, 0], :-2], max_tokens=4, seed=i), step(state, max_tokens=3, seed=i)]

    alone = [[state.kv.drop() for state in program(i)] for i in range(8)]
    found: dict[int, list[oc.SequenceState]] = {}

    def work(i: int) -> None:
        for _ in range(3):
            found[i] = program(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found.get(i) for i in range(8)] == alone
    for i in found:
        assert_rows_agree(model, found[i][1])
    found.clear()
    shared.clear()
    gc.collect()
    assert model.stats.kv_bytes == 0


def test_two_models_around_one_share_its_lock() -> None:
    """Forwards of one transformers model run one at a time, whoever wraps it, and leave its attention as it was."""
    first = random_model("llama")
    second = oc.Model(first.hf, first.tokenizer)
    steps = [oc.continuous(oc.generate.text(model)) for model in (first, second)]
    alone = [step("Once upon", max_tokens=8, seed=i).kv.drop() for i, step in enumerate(steps)]
    errors: list[BaseException] = []

    def work(i: int) -> None:
        try:
            for _ in range(10):
                assert steps[i]("Once upon", max_tokens=8, seed=i).token_ids.equal(alone[i].token_ids)
                repr(first.stats)  # counts the tree's bytes while the other thread may fill it
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and first.hf.config._attn_implementation == "sdpa"


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
def test_who_uses_the_model_beside_us_gets_its_own_attention(implementation: str) -> None:
    """A forward of another thread, in the middle of ours: no plan of its own, so the model's own attention and mask."""
    hf = random_hf("llama")
    hf.set_attn_implementation(implementation)
    ids = torch.tensor([[5, 6, 7, 8, 9]])
    alone = hf(input_ids=ids).logits
    armed: list[bool] = []
    beside: list[torch.Tensor] = []

    def other() -> None:
        with torch.no_grad():
            beside.append(hf.model(input_ids=ids).last_hidden_state @ hf.lm_head.weight.T)

    def hook(module: torch.nn.Module, args: object) -> None:
        if armed:
            armed.clear()
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

    hf.model.layers[1].register_forward_pre_hook(hook)
    model = oc.Model(hf, shipped_model().tokenizer)
    armed.append(True)
    oc.generate.text(model)("Once upon a time", max_tokens=2, seed=0)
    assert torch.allclose(beside[0], alone, atol=1e-4)


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    gc.collect()
    yield
    gc.collect()
    assert shipped_model().stats.kv_bytes == 0, "keys and values outlived the states that held them"


def test_nothing_that_is_done_within_fresh_leaves_a_claim() -> None:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    held = step("Once upon a time", max_tokens=2)
    with model.fresh():
        prompt = model.state("Once upon a time")
        step(prompt, max_tokens=2)
        oc.score(prompt, " there")
    assert prompt.rows[0][0].claim is None and held.rows[0][0].claim is not None


def test_a_node_that_somebody_holds_is_found_no_more_when_its_claims_are_gone() -> None:
    """It may live on in a traceback."""
    model = oc.load()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)), name="a")
    start = model.state("Mira is").kv.prefill()
    state = step(start, seed=1, max_tokens=4)
    nodes = [row.claim.point[0] for group in state.rows for row in group if row.claim is not None]
    expected = [step(each, seed=2, max_tokens=3).tolist() for each in (state, state[..., :-1] + " a")]
    del state
    state = step(start, seed=1, max_tokens=4)
    assert nodes and not all(node.ids for node in nodes)
    assert [step(each, seed=2, max_tokens=3).tolist() for each in (state, state[..., :-1] + " a")] == expected
