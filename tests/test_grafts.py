"""Grafts (docs/grafts.md): right parts that read the keys and values which they had elsewhere."""

from __future__ import annotations

import gc
import threading
from functools import cache
from math import ceil, isnan
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from test_engines import torch_engine
from test_models import HOOK, apart, assert_rows_agree, random_hf, random_model
from transformers import DynamicCache

import outlines_cont as oc
from outlines_cont.kv.needs import Need
from outlines_cont.state.row import DEAD

TOLERANCE = 2e-4  # of a logit, relative to the largest
TEXTS = ["The sky is", " blue. Mira", " is a pilot.", "\nTom is 34 years old", " and", " The sun is yellow. The sky"]
SHARES = [0, 0.05, 0.15, 0.3, 0.5, 1]
# One of each way in which keys are turned: pairs in halves, of neighbours, of a part of the head; layers without.
ARCHITECTURES = ["llama, yarn", "cohere", "gpt-neox", "smollm3 (no rope in a layer)"]


@cache
def model_of(name: str) -> oc.Model:
    if name == "shipped":
        return oc.Model(short_hf(), shipped_model().tokenizer)
    return random_model(name)


def greedy(model: oc.Model, max_tokens: int | None = None) -> oc.Step:
    return oc.continuous(oc.generate.text(model, oc.samplers.greedy()))


# --- the right numbers, against caches of transformers that are put together by hand


def keys_and_values(hf: Any, ids: tuple[int, ...], past: DynamicCache | None, position: int) -> DynamicCache:
    """A cache of transformers with these tokens, the first at this position."""
    cache_, size = past or DynamicCache(config=hf.config), 0 if past is None else past.get_seq_length()
    with torch.no_grad():
        hf(
            input_ids=torch.tensor([ids]),
            position_ids=torch.arange(position, position + len(ids))[None],
            attention_mask=torch.ones(1, size + len(ids), dtype=torch.long),
            past_key_values=cache_,
            use_cache=True,
        )
    return cache_


def logits_by_hand(
    hf: Any, left: tuple[int, ...], right: tuple[int, ...], skip: int, share: float, after: tuple[int, ...]
) -> torch.Tensor:
    """The logits after each token of `after`, behind a graft of `right` without its first `skip` tokens."""
    count = ceil(round(share * (len(right) - skip), 6))
    exact = left + right[skip : skip + count]
    whole = keys_and_values(hf, exact, None, 0)
    moved = keys_and_values(hf, right, None, len(left) - skip)  # at its new positions, in its own context
    layers: Any = zip(whole.layers, moved.layers, strict=True)
    for layer, other in layers:
        layer.keys = torch.cat([layer.keys, other.keys[:, :, skip + count :]], 2)
        layer.values = torch.cat([layer.values, other.values[:, :, skip + count :]], 2)
    size = len(left) + len(right) - skip
    with torch.no_grad():
        return hf(
            input_ids=torch.tensor([after]),
            position_ids=torch.arange(size, size + len(after))[None],
            attention_mask=torch.ones(1, size + len(after), dtype=torch.long),
            past_key_values=whole,
            use_cache=True,
        ).logits[0]


@pytest.mark.parametrize("name", ["shipped", *ARCHITECTURES])
@settings(max_examples=8)
@given(data=st.data())
def test_a_graft_reads_the_moved_keys_of_its_right_part(name: str, data: st.DataObject) -> None:
    model, texts = model_of(name), st.sampled_from(TEXTS)
    left = model.state("".join(data.draw(st.lists(texts, min_size=1, max_size=3))))
    right = model.state("".join(data.draw(st.lists(texts, min_size=1, max_size=3))))
    share, after = data.draw(st.sampled_from(SHARES)), model.encoder.append(data.draw(texts))
    if data.draw(st.booleans()):
        right.kv.prefill()
    grafted = oc.grafts.graft(left, right, share)
    assert grafted == left + right and grafted.rows[0][0].lineage == left.rows[0][0].lineage
    count = ceil(round(share * (len(right.rows[0][0]) - 1), 6))
    assert grafted.kv.exact.sum() == left.shape[2] + count
    assert grafted.kv.lengths.equal(grafted.lengths)
    state = grafted + model.state([list(after)])
    [row] = state.rows[0]
    begin = grafted.shape[2]
    answer = model.logits([Need(row.ids, tuple(range(begin, len(row))), row.claim)])
    ids = left.rows[0][0].ids, right.rows[0][0].ids
    assert apart(answer, logits_by_hand(model.hf, *ids, 1, share, tuple(after))) <= TOLERANCE
    if share == 1:
        assert_rows_agree(model, state)


@pytest.mark.parametrize("text", ["", " blue. Mira", "\nTom is 34 years old and lives in"])
@pytest.mark.parametrize("share", [0, 0.5])
def test_a_space_that_ends_a_graft_is_taken_back(text: str, share: float) -> None:
    """What is drawn there is what a slice of it without the space gives; the graft itself stays as it is."""
    model = model_of("shipped")
    left, right = model.state("The sky is"), model.state(text + " ")
    grafted = oc.grafts.graft(left, right, share)
    exact, without = grafted.kv.exact.clone(), grafted[..., :-1]
    words = ["the sea", "a house", "in it"]
    taken, plain = (
        oc.continuous(oc.generate.choice(model, [space + word for word in words], oc.samplers.multinomial(2)))(
            state, seed=3
        )
        for space, state in (("", grafted), (" ", without))
    )
    assert {row.pieces[-1].origin.healed for row in taken.rows[0]} == {b" "} and taken == plain
    torch.testing.assert_close(taken.logprobs, plain.logprobs, atol=1e-3, rtol=1e-3, equal_nan=True)
    assert taken.kv.exact.equal(plain.kv.exact) and taken.spans[0][0][-1].exact is plain.spans[0][0][-1].exact
    assert taken.spans[0][0][-1].exact is not bool(text)
    assert grafted.kv.exact.equal(exact) and grafted == left + right
    assert_rows_agree(model, taken.kv.drop())


def test_several_rights_in_a_row_and_batches_of_rows() -> None:
    model = model_of("shipped")
    left, a, b = model.state(["The sky is", "Mira"]), model.state(TEXTS[1:3]), model.state(TEXTS[3:5])
    both = oc.grafts.graft(oc.grafts.graft(left, a, 0.2), b, 0.4)
    assert both == left + a + b
    alone = [oc.grafts.graft(oc.grafts.graft(left[i, :], a[i, :], 0.2), b[i, :], 0.4) for i in range(2)]
    errors = torch.cat([oc.grafts.graft_error(state).total_variation for state in alone])
    assert torch.allclose(oc.grafts.graft_error(both).total_variation, errors, atol=1e-5) and errors.min() > 0
    texts = greedy(model)(both, max_tokens=6)
    assert [greedy(model)(state, max_tokens=6).tolist()[0] for state in alone] == texts.tolist()
    nested = oc.grafts.graft(left, oc.grafts.graft(a, b, 0.3), 0.3)
    assert nested == both and not nested.kv.exact.all()


# --- exact and grafted never meet


class GraftProgram:
    """Random operations on states of which some hold grafts. `moves`: whether the model moves keys; else all grafts
    keep their positions."""

    def __init__(self, model: oc.Model, moves: bool = True):
        self.model, self.moves, self.states = model, moves, list[oc.SequenceState]()

    def act(self, data: st.DataObject) -> None:
        model, states = self.model, self.states
        kinds = ["start", "graft", "slice", "append", "retype", "join", "fork", "step", "beams", "drop", "rescore"]
        kind = data.draw(st.sampled_from(kinds if states else kinds[:1]), label="operation")
        if kind == "start":
            states.append(model.state([data.draw(st.sampled_from(TEXTS)) for _ in range(data.draw(st.integers(1, 2)))]))
            return
        state = states[data.draw(st.integers(0, len(states) - 1), label="state")]
        other = states[data.draw(st.integers(0, len(states) - 1), label="other")]
        batch, samples, length = state.shape
        if kind == "graft" and other.shape[:2] == (batch, samples):
            skip: Any = state.lengths
            if self.moves:
                skip = data.draw(st.sampled_from([skip, 0, 0, 2, -1]), label="skip")
            states.append(oc.grafts.graft(state, other, data.draw(st.sampled_from(SHARES)), skip=skip))
            assert not isinstance(skip, int) or states[-1] == state + other[..., skip:]
        elif kind == "slice":
            states.append(state[..., data.draw(st.sampled_from([0, 0, 0, 1])) : data.draw(st.integers(0, length))])
        elif kind == "append":
            states.append(state + data.draw(st.sampled_from(TEXTS)))
        elif kind == "retype":
            rows = [row.ids for group in state.rows for row in group if len(row)]
            states.extend([model.state(rows)] if rows else [])
        elif kind == "join":
            dim = data.draw(st.sampled_from([0, 1, 2]))
            if all(d == dim or state.shape[d] == other.shape[d] for d in (0, 1)) and batch * samples <= 4:
                states.append(oc.cat([state, other], dim))
        elif kind == "fork" and samples == 1:
            states.append(state.fork(2))
        elif kind in ("step", "beams") and state.lengths.all() and samples <= 2:
            sampler = oc.samplers.greedy() if kind == "step" else oc.samplers.beam_search(2)
            step = oc.continuous(oc.generate.text(model, sampler))
            states.append(step(state, max_tokens=data.draw(st.integers(1, 3))))
        elif kind == "drop":
            states[states.index(state)] = state.kv.drop()
        elif kind == "rescore":
            states.append(state.rescore())
            assert states[-1].kv.exact.all() and states[-1].kv.logprobs_exact.all()


def assert_exact_rows_agree(model: oc.Model, states: list[oc.SequenceState], agree: Any = assert_rows_agree) -> None:
    """Every row without a graft, and the exact beginning of every other row, is read as a fresh forward reads it."""
    for state in states:
        for row, exact in zip(
            (row for group in state.rows for row in group), state.kv.exact.flatten(0, 1), strict=True
        ):
            count = int(exact[: len(row)].sum())
            assert exact[:count].all(), "exact tokens stand before all others"
            if count and not row.dead:
                part = oc.SequenceState(model, [[row.take(range(count))]], samples=1)
                assert part.kv.exact.all()
                agree(model, part)


@pytest.mark.parametrize("name", ["shipped", "mistral (window)", "falcon"])
@settings(max_examples=25)
@given(data=st.data())
def test_no_exact_row_reads_a_graft(name: str, data: st.DataObject) -> None:
    """Whatever is combined; and the memory is given back."""
    model = model_of(name)
    program = GraftProgram(model, moves=name == "shipped")
    for _ in range(data.draw(st.integers(2, 9), label="length")):
        program.act(data)
    assert_exact_rows_agree(model, program.states)
    marks = [(state, state.kv.exact) for state in program.states]
    for state in program.states:
        fresh = model.state([row.ids for group in state.rows for row in group if len(row)] or [[5]])
        assert fresh.kv.exact.all()
        assert_rows_agree(model, fresh, only_last=True)
    model.kv_budget = 0  # what was computed on a graft may go, the graft stays
    assert all(state.kv.exact.equal(exact) for state, exact in marks)
    model.kv_budget = None
    assert_exact_rows_agree(model, program.states)
    del state, fresh, marks
    program.states.clear()
    gc.collect()
    assert model.stats.kv_bytes == 0 and not model.tree.lenders


def test_threads_that_graft_and_threads_that_read_exactly() -> None:
    model = oc.Model(short_hf(), shipped_model().tokenizer)
    texts = [model.state(text) for text in TEXTS]
    wrong: list[str] = []
    expected = [str(greedy(model)(model.state(TEXTS[i] + TEXTS[1]), max_tokens=4)) for i in range(3)]

    def graft_often(i: int) -> None:
        for n in range(6):
            greedy(model)(oc.grafts.graft(texts[i], texts[(i + n) % 6], 0.1), max_tokens=2)

    def read_often(i: int) -> None:
        for _ in range(6):
            text = str(greedy(model)(model.state(TEXTS[i] + TEXTS[1]), max_tokens=4))
            wrong.extend([text] if text != expected[i] else [])

    threads = [threading.Thread(target=f, args=(i,)) for i in range(3) for f in (graft_often, read_often)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# --- what the value says


@cache
def drawn() -> tuple[oc.Model, oc.SequenceState]:
    """Four tokens that were drawn on a graft, with their candidates."""
    model = model_of("shipped")
    grafted = oc.grafts.graft(model.state("The sky is"), model.state(" blue. Mira is a pilot. The sky is"), 0.3)
    return model, greedy(model)(grafted, max_tokens=4, keep=oc.Keep(candidates=2))


def test_what_was_drawn_on_a_graft_is_marked_wherever_it_goes() -> None:
    model, state = drawn()
    count = 4
    marked = [*[True] * (state.shape[2] - count), *[False] * count]
    for same in (state, state.kv.drop(), oc.storage.from_bytes(oc.storage.to_bytes(state), model), state.fork(1)):
        assert same.kv.logprobs_exact[0, 0].tolist() == marked
        assert [span.exact for span in same.spans[0][0]] == [True, True, False]
        assert same.particles.log_importance.isnan().all()
        assert "weights approximate in 1 of 1 rows" in repr(same)
        assert same.identical(state)
    assert state.kv.drop().kv.exact.all() and oc.storage.from_bytes(oc.storage.to_bytes(state), model).kv.exact.all()
    exact = state.rescore()
    assert exact == state and exact.kv.logprobs_exact.all() and exact.kv.exact.all() and not exact.identical(state)
    assert not exact.particles.log_importance.isnan().any(), "the draws stand; what they weigh is known now"
    assert exact.kept.candidates[0][0][-1] is None and state.kept.candidates[0][0][-1] is not None
    fresh = model.state([state.rows[0][0].ids])
    scored = oc.score(fresh[..., :-count], [str(state)[len(str(fresh[..., :-count])) :]])
    assert abs(float(scored.sum() - state.weights.sum())) > 1e-4
    assert abs(float(scored.sum() - exact.weights.sum())) < 1e-5


def test_a_span_that_goes_on_exactly_keeps_the_marks_of_its_first_part() -> None:
    model, state = drawn()
    text = greedy(model)
    longer = text.resume(state[..., :-2].kv.drop(), max_tokens=3)
    assert longer.kv.logprobs_exact[0, 0, -5:].tolist() == [False, False, True, True, True]
    onto = text.resume(oc.grafts.graft(model.state("Mira"), longer.kv.drop(), 0.5), max_tokens=2)
    assert onto.kv.logprobs_exact[0, 0, -7:].tolist() == [False, False, True, True, True, False, False]
    assert oc.storage.from_bytes(oc.storage.to_bytes(onto), model).kv.logprobs_exact.equal(onto.kv.logprobs_exact)
    cut = onto[..., :-1] + " and"
    assert cut.kv.logprobs_exact[0, 0, -2].item() is False
    assert (onto[..., :5] + onto[..., 5:]).kv.logprobs_exact.equal(onto.kv.logprobs_exact)


def test_stops_chains_beams_hooks_and_streams_are_marked() -> None:
    model = model_of("shipped")
    grafted = oc.grafts.graft(model.state("Mira is"), model.state(" a pilot. Mira lives in "), 0.2)
    beams = oc.samplers.beam_search(2)
    city = oc.continuous(oc.generate.choice(model, ["Lima", "Lisbon", "Rome"], beams), name="city")
    chain = city >> " in " >> oc.continuous(oc.generate.regex(model, "[0-9]{2}", beams), name="year")
    for state in (chain(grafted), *city.stream(grafted), city(grafted, hooks=[lambda draw: None])):
        generated = [span for row in state.spans[0] for span in row if span.kind == "generated"]
        assert generated and not any(span.exact for span in generated)
    option = oc.continuous(oc.generate.choice(model, ["Lima", "Rome"], by="sequence"))(grafted, seed=0)
    assert not option.spans[0][0][-1].exact
    stopped = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(grafted, stop_at=".", max_tokens=30)
    assert not stopped.spans[0][0][-1].exact
    back = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    tries = iter([oc.steer.Backtrack(1)])
    state = back(grafted, max_tokens=4, hooks=[lambda draw: next(tries, None) if len(draw.row.ids) % 3 == 0 else None])
    assert not state.kv.logprobs_exact[0, 0, -4:].any()


def test_scores_are_exact_and_particles_are_refused() -> None:
    model, state = drawn()
    exact = oc.score(state.kv.drop(), [" Mira", " blue"])
    assert torch.allclose(oc.score(state, [" Mira", " blue"]), exact, atol=1e-4)
    assert torch.allclose(oc.score(oc.cat([state, state.kv.drop()], 0), [" Mira"])[0], exact[0, :, :1], atol=1e-4)
    assert not state.kv.exact.all(), "it is still a graft"
    with pytest.raises(ValueError, match=r"smc[(][)] on a graft.*kv.drop"):
        oc.continuous(oc.generate.text(model, oc.samplers.smc(particles=2)))(state, max_tokens=2)
    other = state.to(oc.Model(short_hf(), shipped_model().tokenizer))
    assert other.kv.exact.all() and other.weights.isnan().all() and other.kv.logprobs_exact.all()


def test_pictures_and_tables_show_grafts() -> None:
    _, state = drawn()
    begin = int(state.kv.exact.sum())
    assert f"(a graft's from token {begin} on)" in repr(state)
    page, tree = str(state.html()._repr_html_()), str(state.tree()._repr_html_())
    assert page.count('class="g q"') == 3 and "those of a graft<" in page and "≈" in page  # the last one was not read
    assert 'stroke-dasharray="6 3"' in tree and "measured on a graft" in tree
    assert "those of a graft<" not in state.rescore().html()._repr_html_()
    assert "≈" in str(state.fork(2))
    table = state.to_pandas()
    assert table["exact"].tolist() == [False] and "exact" not in state.rescore().to_pandas()


# --- memory


def test_grafts_of_equal_positions_share_their_keys_and_are_kept_beyond_the_budget() -> None:
    model = oc.Model(short_hf(), shipped_model().tokenizer)
    text = model.state(" Mira is a pilot. Tom is a cook. The sky is blue.").kv.prefill()
    n = text.shape[2] - 1
    prefixes = model.state(["Mira is", "Tom is", "Tom and"]).kv.prefill()
    slot = model.tree.pool.slot_bytes
    assert len(set(prefixes.lengths.flatten().tolist())) == 1
    before = model.stats.kv_bytes
    model.stats.reset()
    grafts = [oc.grafts.graft(prefixes[i, :], text, 0) for i in range(3)]
    assert model.stats.kv_bytes - before == n * slot, "one copy for three prefixes of one length"
    assert (model.stats.tokens, model.stats.grafted) == (0, 3 * n)
    longer = oc.grafts.graft(model.state("The sun is").kv.prefill(), text, 0)
    assert longer.shape[2] != grafts[0].shape[2]
    texts = [str(greedy(model)(state, max_tokens=3)) for state in grafts]
    del prefixes
    model.kv_budget = 0
    assert [state.kv.lengths.item() for state in grafts] == [state.shape[2] for state in grafts]
    assert text.kv.lengths.item() <= 1, "exact ones are evicted, but for a bos that a graft hangs on"
    assert [str(greedy(model)(state, max_tokens=3)) for state in grafts] == texts
    del grafts, longer
    gc.collect()
    model.tree.evict()
    assert model.stats.kv_bytes == 0


def test_a_change_of_the_parameters_ends_all_grafts() -> None:
    model = random_model("llama")
    state = oc.grafts.graft(model.state("The sky is"), model.state(TEXTS[5]), 0)
    assert not state.kv.exact.all()
    with torch.no_grad():
        model.hf.model.layers[0].mlp.up_proj.weight.mul_(1.5)
    assert state.kv.exact.all() and oc.grafts.graft_error(state).total_variation.item() == 0
    assert_rows_agree(model, state)
    with model.fresh(), pytest.raises(ValueError, match=r"under model[.]fresh"):
        oc.grafts.graft(state, state)


# --- which models, and what is refused


@pytest.mark.parametrize(
    "name, reason",
    [
        ("gpt2 (learned positions)", "GPT2LMHeadModel takes no grafts: the keys of attention call 0"),
        ("mistral (window)", "attend in windows"),
        ("llama4 (chunks)", "attend in chunks"),
        ("deepseek-v3 (latent attention)", "attention is latent"),
        ("falcon", "KV tree through stock forwards"),
        ("phi3 (longrope)", "longrope depends"),
    ],
)
def test_models_whose_keys_cannot_be_moved_are_refused_by_name(name: str, reason: str) -> None:
    model = random_model(name)
    with pytest.raises(ValueError, match=reason):
        oc.grafts.graft(model.state("The sky is"), model.state(" blue"))


@pytest.mark.parametrize("name", HOOK)
def test_every_architecture_moves_its_keys_exactly_or_is_refused(name: str) -> None:
    model = oc.Model(random_hf(name), shipped_model().tokenizer)
    left, right = model.state(TEXTS[0]), model.state(TEXTS[5])
    try:
        grafted = oc.grafts.graft(left, right, 0.2)
    except ValueError as error:
        assert "takes no grafts: " in str(error)
        return
    after = (5, 7)
    [row] = (grafted + model.state([list(after)])).rows[0]
    answer = model.logits([Need(row.ids, (len(row) - 2, len(row) - 1), row.claim)])
    by_hand = logits_by_hand(model.hf, left.rows[0][0].ids, right.rows[0][0].ids, 1, 0.2, after)
    assert apart(answer, by_hand) <= TOLERANCE


def test_wrong_arguments_are_refused_by_name() -> None:
    model = model_of("shipped")
    one, two = model.state("The sky"), model.state(["a", "b"])
    for share in (-0.1, 1.5, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"recompute=.*share of the right part's tokens, 0 to 1"):
            oc.grafts.graft(one, one, share)
    for share in ("0.1", None, True):
        with pytest.raises(TypeError, match="recompute="):
            oc.grafts.graft(one, one, share)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"left \+ text appends it"):
        oc.grafts.graft(one, " is")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="states of two models"):
        oc.grafts.graft(one, shipped_model().state("a"))
    with pytest.raises(oc.errors.BatchMismatch, match="1 batch rows on the left, 2 on the right"):
        oc.grafts.graft(one, two)
    with pytest.raises(oc.errors.SampleMismatch, match="1 samples on the left, 2 on the right"):
        oc.grafts.graft(one, one.fork(2))
    with oc.stepping.strict_kv(), pytest.raises(oc.errors.SlicingError, match="not exact"):
        oc.grafts.graft(one, one)
    with pytest.raises(ValueError, match="context is"):
        oc.grafts.graft(model.state([[5] * 1500]), model.state([[6] * 1500]))
    for skip in ("1", 1.5, True, [1], [[True]]):
        with pytest.raises(TypeError, match=r"skip=.*must be the number of tokens of right that are left out"):
            oc.grafts.graft(one, one, skip=skip)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"skip=\[\[1, 2\]\]: there are 2 × 1 rows"):
        oc.grafts.graft(two, two, skip=[[1, 2]])
    for other in (oc.Model(model.tokenizer, context_length=2048), oc.Model(torch_engine(model), model.tokenizer)):
        with pytest.raises(ValueError, match=r"(TextSide|TorchEngine) takes no grafts: .*left \+ right is exact"):
            oc.grafts.graft(other.state("The sky"), other.state(" is"))


def test_rows_with_nothing_to_take_over_are_as_left_plus_right() -> None:
    model = model_of("shipped")
    empty, one = model.state("The sky")[..., :0], model.state("The sky is")
    assert oc.grafts.graft(empty, one) == one and oc.grafts.graft(empty, one).kv.exact.all()
    assert oc.grafts.graft(one, empty) == one and oc.grafts.graft(one, empty).kv.exact.all()
    assert oc.grafts.graft(one, model.state("")) == one
    ragged = oc.grafts.graft(model.state(["The sky", "Mira is a"]), model.state([" is blue. The sun", ""]), 0)
    assert ragged.kv.exact.all(-1).tolist() == [[False], [True]] and ragged.shape[2] == ragged.lengths.max()
    assert isnan(oc.grafts.graft_error(empty).logprob.item()) and oc.grafts.graft_error(ragged).logprob[1].item() == 0
    few = oc.SequenceState(model, [[one.rows[0][0], DEAD]], samples=2)
    joined = oc.grafts.graft(few, few, 0)
    assert joined == few + few and joined.finished == (few + few).finished == [[None, "dead"]]
    assert joined.kv.exact[0, 1].all() and isnan(oc.grafts.graft_error(joined).logprob[0, 1].item())
    assert not joined.kv.exact[0, 0].all()
