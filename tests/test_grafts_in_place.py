"""Grafts whose tokens keep their positions (`graft(…, skip=left.lengths)`): rows share slots, and no keys move."""

from __future__ import annotations

import gc
from functools import cache
from math import ceil
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_engines import torch_engine
from test_grafts import SHARES, TEXTS, TOLERANCE, greedy
from test_models import TIERS, WINDOW, apart, plain_logits, random_hf, random_model
from transformers import DynamicCache

import outlines_cont as oc
from outlines_cont.kv.needs import Need

# Whose keys cannot be moved, each for another reason; and one with two ropes and a window.
UNMOVABLE = [
    "gpt2 (learned positions)",
    "mistral (window)",
    "llama4 (chunks)",
    "deepseek-v3 (latent attention)",
    "falcon",
    "gemma3 (two ropes, window)",
]


@cache
def model_of(name: str) -> oc.Model:
    return oc.Model(short_hf(), shipped_model().tokenizer) if name == "shipped" else random_model(name)


def logits_by_hand(hf: Any, left: tuple[int, ...], right: tuple[int, ...], after: tuple[int, ...]) -> torch.Tensor:
    """The logits after each token of `after`, on a cache of transformers: `left`, and what `right` has behind it."""
    whole, other = DynamicCache(), DynamicCache()  # without a config: one with it forgets what a window does not see
    with torch.no_grad():
        for ids, cache_ in ((left, whole), (right, other)):
            hf(input_ids=torch.tensor([ids]), past_key_values=cache_, use_cache=True)
        layers: Any = zip(whole.layers, other.layers, strict=True)
        for layer, taken in layers:
            layer.keys = torch.cat([layer.keys, taken.keys[:, :, len(left) :]], 2)
            layer.values = torch.cat([layer.values, taken.values[:, :, len(left) :]], 2)
        mask = torch.ones(1, len(right) + len(after), dtype=torch.long)
        return hf(input_ids=torch.tensor([after]), attention_mask=mask, past_key_values=whole, use_cache=True).logits[0]


def ids_of(state: oc.SequenceState) -> tuple[int, ...]:
    return state.rows[0][0].ids


def logits_after(state: oc.SequenceState, after: tuple[int, ...]) -> torch.Tensor:
    """The logits after each of some tokens that follow the one row of a state."""
    [row] = (state + state.model.state([list(after)])).rows[0]
    return state.model.logits([Need(row.ids, tuple(range(state.shape[2], len(row))), row.claim)])


def check_reading(model: oc.Model, left: oc.SequenceState, right: oc.SequenceState, share: float, after: Any) -> None:
    """A graft reads the very slots of its right part, as a cache of transformers that is put together by hand."""
    length = left.shape[2]
    left.kv.prefill(), right.kv.prefill()
    slots = model.tree.pool.used
    grafted = oc.grafts.graft(left, right, share, skip=left.lengths)
    count = ceil(round(share * (right.shape[2] - length), 6))
    assert grafted == left + right[..., length:]
    assert grafted.kv.lengths.equal(grafted.lengths)
    if ids_of(left) == ids_of(right)[:length]:
        assert grafted.kv.exact.all()
    else:
        assert grafted.kv.exact.sum() == length + count
        assert model.tree.pool.used - slots <= count, "no slot is taken for what is taken over"
    begin = ids_of(grafted)[: int(grafted.kv.exact.sum())]
    assert apart(logits_after(grafted, after), logits_by_hand(model.hf, begin, ids_of(right), after)) <= TOLERANCE


@pytest.mark.parametrize("name", ["shipped", *UNMOVABLE])
@settings(max_examples=8)
@given(data=st.data())
def test_a_graft_in_place_reads_the_slots_of_its_right_part(name: str, data: st.DataObject) -> None:
    model, texts = model_of(name), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3)
    left, right = model.state("".join(data.draw(texts))), model.state("".join(data.draw(texts)) + "".join(TEXTS[:4]))
    left = left[..., : right.shape[2] - 1]
    check_reading(model, left, right, data.draw(st.sampled_from(SHARES)), model.encoder.append(data.draw(texts)[0]))


@pytest.mark.parametrize("name", [name for name, tier in TIERS.items() if tier != "recompute"])
def test_every_architecture_that_keeps_something_takes_grafts_in_place(name: str) -> None:
    model = oc.Model(random_hf(name), shipped_model().tokenizer)
    left, right = model.state(TEXTS[0]), model.state(TEXTS[5] + TEXTS[1])
    grafted = oc.grafts.graft(left, right, 0.2, skip=left.lengths)
    assert grafted == left + right[..., left.shape[2] :] and not grafted.kv.exact.all()
    slots = model.tree.pool.used
    logits = logits_after(grafted, (5, 7))
    assert logits.isfinite().all() and model.tree.pool.used == slots, "the two tokens are gone again, and nothing else"
    exact = logits_after(oc.grafts.graft(left, right, 1, skip=left.lengths), (5, 7))
    assert apart(exact, plain_logits(model.hf, (*ids_of(grafted), 5, 7))[-2:]) <= TOLERANCE


@pytest.mark.parametrize("name", ["llama", "mistral (window)", "gpt2 (learned positions)"])
def test_with_one_layer_a_graft_in_place_reads_exact_keys(name: str) -> None:
    """Those of the first layer depend on a token and its position alone. So with one layer nothing is approximate."""
    option = "n_layer" if name.startswith("gpt2") else "num_hidden_layers"
    error = {}
    for layers in (1, 3):
        model = oc.Model(random_hf(name, **{option: layers}), shipped_model().tokenizer)
        left, right = model.state([[5, 6, 7, 8]]), model.state([[20, 21, 22, 23, 30, 31, 32]])  # within the window
        error[layers] = oc.grafts.graft_error(oc.grafts.graft(left, right, 0, skip=left.lengths)).logprob.item()
    assert error[1] < 1e-4 and error[3] > 1e-2


def test_merged_branches_take_the_slots_that_the_tree_says() -> None:
    """`AA` before `GG` and `MM`, and the same `d`s behind both: 2 + 2 + 2 + 4 slots, of 16 tokens of the rows."""
    model = model_of("shipped")
    a, g, m, d = [20, 21], [30, 31], [40, 41], [50, 51, 52, 53]
    start = model.state([a]).kv.prefill()
    first = (start + model.state([g]) + model.state([d])).kv.prefill()
    second = (start + model.state([m])).kv.prefill()
    used, size = model.tree.pool.used, model.stats.kv_bytes
    assert used == 2 + 2 + 4 + 2
    model.stats.reset()
    merged = oc.grafts.graft(second, first, 0, skip=second.lengths)
    both = oc.cat([first, merged], 0)
    assert merged.token_ids.tolist() == [[[*a, *m, *d]]] and both.lengths.sum() == 16
    assert (model.tree.pool.used, model.stats.kv_bytes) == (used, size)
    assert (model.stats.tokens, model.stats.grafted) == (0, 4)
    assert both.kv.exact.sum(-1).tolist() == [[8], [4]] and both.kv.lengths.tolist() == [[8], [8]]
    del first, both
    gc.collect()
    assert model.tree.pool.used == used, "the merged row holds the `d`s, and what they were computed after"
    del second, start
    gc.collect()
    assert model.tree.pool.used == used
    del merged
    gc.collect()
    assert model.tree.pool.used == 0


def test_a_batch_of_ragged_rows_is_grafted_in_one_call() -> None:
    model = model_of("shipped")
    text, starts = " Tom is a cook. He is 51 years old.", [[4], [7]]
    sources = model.state([[5, 6, 7, 8], [15, 16, 17, 18, 19, 20, 21]]) + text
    lefts = model.state([[25, 26, 27, 28], [35, 36, 37, 38, 39, 40, 41]])
    both = oc.grafts.graft(lefts, sources, 0.1, skip=lefts.lengths)
    assert both == lefts + text and both.identical(oc.grafts.graft(lefts, sources, 0.1, skip=starts))
    alone = [oc.grafts.graft(lefts[i, :], sources[i, :], 0.1, skip=starts[i][0]) for i in range(2)]
    errors = torch.cat([oc.grafts.graft_error(state).total_variation for state in alone])
    assert torch.allclose(oc.grafts.graft_error(both).total_variation, errors, atol=1e-5) and errors.min() > 0
    count = sources.shape[2] - starts[1][0]
    assert oc.grafts.graft(lefts[1, :], sources[1, :], skip=-count) == alone[1]
    assert oc.grafts.graft(lefts, sources, skip=999) == lefts


def test_rows_that_go_on_from_grafts_are_not_taken_for_the_rows_they_share_slots_with() -> None:
    """A pass over two rows, and then one over two grafts whose last slots are those that the first pass has filled."""
    model = oc.Model(short_hf(), shipped_model().tokenizer)
    lefts, after = model.state([[5, 6, 7], [8, 9, 10]]).kv.prefill(), (60, 61)
    sources = model.state([[15, 16, 17, 30, 31], [18, 19, 20, 40, 41]]).kv.prefill()
    sources = (sources + model.state([[32], [42]])).kv.prefill()  # one token of each row
    grafts = oc.grafts.graft(lefts, sources, 0, skip=lefts.lengths)
    rows = (grafts + model.state([[60], [60]])).kv.prefill() + model.state([[61], [61]])
    answers = model.logits([Need(row.ids, (7,), row.claim) for group in rows.rows for row in group])
    for i, answer in enumerate(answers):
        left, right = lefts.rows[i][0].ids, sources.rows[i][0].ids
        assert apart(answer, logits_by_hand(model.hf, left, right, after)[-1]) <= TOLERANCE


def test_the_skipped_tokens_of_right_may_be_left_itself() -> None:
    """Then nothing is approximate, and nothing is marked."""
    model = model_of("shipped")
    whole = greedy(model)("The sky is", max_tokens=5).kv.prefill()
    for same in (
        oc.grafts.graft(whole[..., :3], whole, skip=3),
        oc.grafts.graft(model.state("The sky is"), whole, skip=6),
    ):
        assert same == whole and same.kv.exact.all() and same.kv.lengths.equal(same.lengths)
    onto = oc.grafts.graft(model.state("Mira is a")[..., :3], whole, 0, skip=3)
    again = oc.grafts.graft(onto[..., :4], onto, 0, skip=4)
    assert again == onto and again.kv.exact.equal(onto.kv.exact) and not again.kv.exact.all()


def test_grafts_of_grafts_in_place_read_what_they_hold() -> None:
    model = model_of("shipped")
    p, q, r = (model.state([[at, at + 1, at + 2]]) for at in (20, 40, 60))
    one = (p + model.state([[70, 71, 72, 73]])).kv.prefill()
    two = oc.grafts.graft(q, one, 0, skip=3) + model.state([[80, 81]])
    three = oc.grafts.graft(r, two.kv.prefill(), 0, skip=3)
    assert three.kv.exact.sum() == 3 and three.kv.lengths.item() == 9
    hf, caches = model.hf, [DynamicCache() for _ in range(3)]
    with torch.no_grad():
        for state, cache_ in zip((one, q, r), caches, strict=True):
            hf(input_ids=state.token_ids[0], past_key_values=cache_, use_cache=True)

        def take(into: DynamicCache, source: DynamicCache, begin: int) -> None:
            layers: Any = zip(into.layers, source.layers, strict=True)
            for layer, other in layers:
                layer.keys = torch.cat([layer.keys, other.keys[:, :, begin:]], 2)
                layer.values = torch.cat([layer.values, other.values[:, :, begin:]], 2)

        take(caches[1], caches[0], 3)
        hf(input_ids=torch.tensor([[80, 81]]), past_key_values=caches[1], use_cache=True)
        take(caches[2], caches[1], 3)
        expected = hf(input_ids=torch.tensor([[90]]), past_key_values=caches[2], use_cache=True).logits[0]
    assert apart(logits_after(three, (90,)), expected) <= TOLERANCE


def test_what_was_computed_on_a_graft_is_given_up_and_computed_again() -> None:
    model = oc.Model(short_hf(), shipped_model().tokenizer)
    right = model.state("Tom is a cook. He lives in Rome. The sky is").kv.prefill()
    left = model.state("Mira is")
    grafted = oc.grafts.graft(left, right, 0, skip=left.lengths)
    longer = greedy(model)(grafted, max_tokens=4)
    expected = str(greedy(model)(longer, max_tokens=4))
    model.kv_budget = 0
    assert longer.kv.lengths.equal(grafted.lengths) and not longer.kv.exact.all()
    assert str(greedy(model)(longer, max_tokens=4)) == expected


# --- windows, and other engines


@pytest.mark.parametrize("name", ["mistral (window)", "gemma2 (softcap, window)", "gemma3 (two ropes, window)"])
def test_keys_move_inside_every_window_and_not_beyond(name: str) -> None:
    wide = 4 * WINDOW
    model = oc.Model(random_hf(name, sliding_window=wide), shipped_model().tokenizer)
    left, right, after = (5, 6, 7, 8), (20, 21, 22, 23, 24, 25), (60, 61)
    grafted = oc.grafts.graft(model.state([left]), model.state([right]).kv.prefill(), 0)
    assert grafted.kv.exact.sum() == len(left) and grafted.shape[2] <= wide
    whole, moved = DynamicCache(), DynamicCache()
    with torch.no_grad():
        model.hf(input_ids=torch.tensor([left]), past_key_values=whole, use_cache=True)
        places = torch.arange(len(left), len(left) + len(right))[None]
        ones = torch.ones(1, len(right), dtype=torch.long)
        model.hf(
            input_ids=torch.tensor([right]), position_ids=places, attention_mask=ones, past_key_values=moved,
            use_cache=True,
        )  # fmt: skip
        layers: Any = zip(whole.layers, moved.layers, strict=True)
        for layer, other in layers:
            layer.keys, layer.values = (
                torch.cat([getattr(layer, part), getattr(other, part)], 2) for part in ("keys", "values")
            )
        expected = model.hf(input_ids=torch.tensor([after]), past_key_values=whole, use_cache=True).logits[0]
    assert apart(logits_after(grafted, after), expected) <= TOLERANCE
    fits = model.state([list(range(5, 5 + wide - len(right)))])
    assert not oc.grafts.graft(fits, model.state([right]), 0).kv.exact.all()
    reason = rf"takes no grafts: its layers attend in windows of {wide} tokens, and a row of {wide + 1} is longer"
    with pytest.raises(ValueError, match=rf"{reason}.*skip=left[.]lengths.*left \+ right is exact"):
        oc.grafts.graft(fits + model.state([[9]]), model.state([right]), 0)
    with pytest.raises(ValueError, match=reason):
        oc.grafts.graft(model.state([left]), model.state([list(range(30, 31 + wide))]), 0, skip=wide - 4)
    long = model.state([list(range(30, 30 + 2 * wide))])
    assert not oc.grafts.graft(model.state([left]), long, 0, skip=len(left)).kv.exact.all(), "in place, at any length"


def test_an_engine_that_moves_no_keys_takes_grafts_in_place() -> None:
    model = model_of("shipped")
    other = oc.Model(torch_engine(model), model.tokenizer)
    errors = []
    for each in (model, other):
        left, right = each.state("Mira is"), each.state("Tom is a cook. The sky is blue")
        with pytest.raises(
            ValueError, match=r"TorchEngine takes no grafts: it has no way to move.*skip=left[.]lengths"
        ):
            oc.grafts.graft(other.state("Mira is"), other.state("Tom is"))
        errors.append(oc.grafts.graft_error(oc.grafts.graft(left, right, 0, skip=left.lengths)))
    assert torch.allclose(errors[0].total_variation, errors[1].total_variation, atol=1e-5)
    assert errors[0].total_variation.item() > 1e-4


def test_what_keeps_nothing_takes_no_grafts() -> None:
    model = random_model(next(name for name, tier in TIERS.items() if tier == "recompute"))
    left = model.state("Mira is")
    with pytest.raises(ValueError, match=r"takes no grafts: it keeps no keys and values [(]recompute.*left \+ right"):
        oc.grafts.graft(left, model.state("Tom is a cook"), skip=left.lengths)
