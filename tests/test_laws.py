"""The laws of the algebra (docs/algebra.md), in order; the twelfth has a file of its own, test_composition.py.

Each section begins with the sentence of its law and holds the properties at its core. States are drawn at random and
compared with a model made of plain nested lists (strategies.py). "More" names the tests in other modules that look at
the same law more closely.
"""

from __future__ import annotations

import gc
import re
import threading
from math import isclose
from pathlib import Path

import numpy as np
import pytest
import real_engine
import strategies as given_states
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import (
    STEP_NAMES,
    OfEach,
    Pair,
    Plain,
    another_lawful_model,
    base_states,
    check,
    frozen,
    keys,
    lawful_model,
    nonempty,
    observed,
    plus,
    prompted,
    reshaped,
    slices,
    states,
    steps,
    taken_back,
)

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary

RELATIVE = 1e-4  # the error of a logit, relative to the largest
MANY = settings(max_examples=200, deadline=None)


def bos_first(plain: Plain) -> bool:
    """No negative step has put the tokenizer's bos elsewhere, where it would be dropped from a right operand."""
    return not any(token.made.bos and not token.offset for row in plain.live for token in row[1:])


def last_logits(state: oc.SequenceState) -> tuple[torch.Tensor, list[int]]:
    """The logits `[V]` after the last live row, through the KV tree; and the tokens that they come after: the row's,
    and the text again that a span had taken back of which only the place is left."""
    pending = text_generator().begin(state, seed=0, seam="keep").pending
    row = [row for group in state.rows for row in group if not row.dead][-1]
    gone = row.pieces[-1].origin.healed if row.pieces[-1].emptied else b""
    ids = [*row.ids, *state.model.encoder.encode_bytes(gone)]
    assert list(pending[-1].tokens) == ids
    return state.model.logits(pending)[-1], ids


def charged(state: oc.SequenceState, end: int) -> int:
    """How many of a row's tokens before this one count for the max_tokens of its last span: not those that heal."""
    [[row]] = state.rows
    start, size = row.spans[-1].start, len(row.pieces[-1].origin.healed)
    texts = [lawful_model().vocabulary.decode(row.ids[start : at + 1]) for at in range(start, end)]
    return sum(len(text) > size for text in texts)


@OfEach
def text_generator() -> oc.generate.Generator:
    return oc.generate.text(lawful_model())


def full_forward(ids: list[int]) -> torch.Tensor:
    """Logits `[T, V]` by transformers alone; those of llama.cpp's weights by another context that has read nothing."""
    if real_engine.chosen not in (None, "transformers"):
        return with_empty_tree(own_model()).logits([oc.stepping.Need(tuple(ids), tuple(range(len(ids))))])
    given_states.VARIANTS[-1].set_active()
    with torch.no_grad():
        return lawful_model().hf(input_ids=torch.tensor([ids])).logits[0]


def close(a: torch.Tensor, b: torch.Tensor) -> bool:
    a, b = a.cpu(), b.cpu()
    return bool((a - b).abs().max() <= RELATIVE * b.abs().max())


@OfEach
def own_model() -> oc.Model:
    """The model of these tests with a KV tree of its own, for laws that count what is in it."""
    return another_lawful_model()


def new_tokens(model: oc.Model) -> int:
    """How many tokens came into its KV tree: by reading, or from a store."""
    return model.stats.tokens + model.stats.restored


def with_empty_tree(model: oc.Model) -> oc.Model:
    model.tree.evict()
    model.tree.forget_logits()
    model.stats.reset()
    return model


# ----------------------------------------------------------------------------------------------------------------------
# 1. Value. No operation changes an existing state, from any thread.
#
# More: test_operations.py::TestEveryOperation (every operation, in random programs),
# test_sampling.py::test_one_frontier_in_many_threads, test_guides.py::test_a_guide_is_shared_by_threads,
# test_kv.py::test_threads_share_states.


@MANY
@given(states(), st.integers(0, 99))
def test_law_1_no_operation_changes_a_state(pair: Pair, seed: int) -> None:
    """Looking at a state, cutting, joining, forking and generating leave it as it was."""
    state, plain = pair
    as_it_was = frozen(state)
    assert len(list(state)) == len(state) == len(plain.live) and isinstance(str(state), str)
    assert len(state[..., 1:-1] + (" more" + state)) == len(state)
    assert len(oc.cat([state, state[..., ::-1]], 0)) == 2 * len(state)
    assert state.reopen() == state == state.rescore() and hash(state) == hash(state.kv.drop())
    if plain.samples == 1:
        assert len(state.fork(2)) == 2 * len(state)
    if nonempty(plain):
        assert len(steps()["text"](state, max_tokens=1, seed=seed)) == len(state)
    assert frozen(state) == as_it_was


@pytest.mark.same_numbers
def test_law_1_many_threads_share_values_without_changing_them() -> None:
    """Law 1, from any thread: a program gives what it gives alone, and its inputs stay as they are."""

    def program(number: int, state: oc.SequenceState) -> list[object]:
        step = steps()[["text", "colour", "digits", "maybe"][number % 4]]
        t = step(state, seed=number, max_tokens=3)
        u = step(t[..., : 2 + number % 3] + " or ", seed=number + 1, max_tokens=2)
        v = u[..., :4] + u[..., 4:]
        w = oc.cat([v, t[:1, :1, 1:]], 1) if v.shape[:2] == (1, 1) else v
        return [frozen(x) for x in (t, u, v, w.kv.drop())]

    shared = [state for state, plain in base_states() if nonempty(plain)]
    frozen_before = [frozen(state) for state in shared]
    work = [(number, state) for number, state in enumerate(shared * 3)]
    alone = [program(*item) for item in work]
    together: list[list[object]] = [[] for _ in work]

    def run(number: int) -> None:
        together[number] = program(*work[number])

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [frozen(state) for state in shared] == frozen_before
    for expected, got in zip(alone, together, strict=True):
        for (shape_a, rows_a), (shape_b, rows_b) in zip(expected, got, strict=True):  # type: ignore[misc]
            assert shape_a == shape_b
            assert [row[0] for row in rows_a] == [row[0] for row in rows_b]  # the token ids
            assert [row[3:] == other[3:] or row[1] != other[1] for row, other in zip(rows_a, rows_b, strict=True)]


# ----------------------------------------------------------------------------------------------------------------------
# 2. Keys and values are not part of the value. A state with them is equal to the state without them, and generates the
# same for the same seed. Log-probabilities agree up to rounding.
#
# More: test_kv.py::test_fresh_stores_and_reuses_nothing, test_kv.py::test_an_evicted_state_goes_on_where_it_stood.


@pytest.mark.same_numbers
@MANY
@given(states(), STEP_NAMES, st.integers(0, 99), st.integers(1, 3))
def test_law_2_keys_and_values_are_not_part_of_the_value(pair: Pair, kind: str, seed: int, max_tokens: int) -> None:
    """Generation with the KV and, when nobody holds any, without it: same tokens, log-probabilities to rounding."""
    state, plain = pair[0].kv.drop(), pair[1]  # whoever called holds the other one, and what is computed of it
    assume(nonempty(plain))
    model, step = lawful_model(), steps()[kind]
    held = model.stats.kv_bytes  # by others: a test that failed keeps its states
    warm = steps()["text"](state, max_tokens=2, seed=seed)
    model.stats.reset()
    a = step(state, seed=seed, max_tokens=max_tokens)
    tokens = new_tokens(model)
    a_ids, a_logprobs, a_weights = a.token_ids, a.logprobs, a.weights
    base = state.kv.drop()
    assert base == state and base.identical(state)
    del a, warm, state, pair
    if model.stats.kv_bytes > held:
        gc.collect()
    assert model.stats.kv_bytes <= held
    model.stats.reset()
    b = step(base, seed=seed, max_tokens=max_tokens)
    assert tokens <= new_tokens(model)
    assert torch.equal(a_ids, b.token_ids)
    assert torch.allclose(a_logprobs, b.logprobs, atol=1e-3)
    assert torch.allclose(a_weights, b.weights, atol=1e-3)


# ----------------------------------------------------------------------------------------------------------------------
# 3. Keys and values are valid exactly where prefixes agree. A row uses all keys and values that the tree has for its
# first tokens. It does not matter whether the row was sliced, forked, joined, typed again or loaded. A slice that
# starts at token 0 loses nothing.
#
# More: test_models.py::test_fork_crop_branch_append_and_join_are_exact (every kind of model),
# test_kv.py::test_a_change_of_the_parameters_orphans_keys_and_values.


@pytest.mark.same_numbers
@MANY
@given(states(), st.integers(0, 12), st.integers(0, 99), st.data())
def test_law_3_a_prefix_keeps_all_its_keys_and_values(pair: Pair, n: int, seed: int, data: st.DataObject) -> None:
    """Slices from token 0, forks, re-typed, joined and loaded rows know their longest prefix, and logits are right."""
    state, plain = pair
    assume(nonempty(plain))
    warm = steps()["text"](state, max_tokens=2, seed=seed)
    held, lengths = warm.kv.lengths, warm.lengths
    live = torch.tensor([[row is not None for row in g] for g in plain.rows])
    assert (held[live] > 0).all()
    prefix = warm[..., :n]
    assert torch.equal(prefix.kv.lengths, held.clamp(max=n))
    assert torch.equal((warm + " and").kv.lengths >= held, torch.ones_like(held, dtype=torch.bool))
    retyped = lawful_model().state([[t.id for t in row] for row in observed(warm, plain).live])
    assert torch.equal(retyped.kv.lengths.flatten(), held[live])
    assert not bos_first(plain) or torch.equal((warm[..., :n] + warm[..., n:]).kv.lengths, held)
    path = Path(given_states.scratch()) / "law3.safetensors"
    warm.save(path)
    assert torch.equal(oc.load_state(path, warm.model).kv.lengths, held)
    assert torch.equal(warm.lengths, lengths)

    assume(n > 0)
    b, s = data.draw(st.sampled_from(live.nonzero().tolist()))
    row = prefix[b, s, :]
    some = data.draw(st.sampled_from([row, row.fork(2)[:, 1, :], row + " x", "y" + row, oc.cat([row, row], 0)]))
    logits, ids = last_logits(some)
    assert close(logits, full_forward(ids)[-1])


# ----------------------------------------------------------------------------------------------------------------------
# 4. Slices compose as slices of Python's lists do; rows and tokens can be selected in either order.
#
# More: test_indexing.py::test_the_three_axes_are_numpys, test_indexing.py::test_every_way_of_writing_a_key.


@MANY
@given(states(), st.data())
def test_law_4_slices_compose(pair: Pair, data: st.DataObject) -> None:
    """s[..., a:b][..., c:d] is what lists give, and taking rows and taking tokens commute."""
    state, plain = pair
    width = state.shape[2]
    first, second = data.draw(slices(width)), data.draw(slices(width))
    twice = state[..., first][..., second]
    check(twice, plain.map(lambda row: row[first][second]))
    composed = [range(len(row))[first][second] for row in plain.live]
    if len(set(composed)) == 1 and (one := composed[0]).step > 0:
        assert state[..., one.start : one.stop : one.step].identical(twice)

    key = data.draw(keys(plain))
    rows, tokens = state[key.batch, key.sample, :], key.token
    assert rows[..., tokens].identical(state[..., tokens][key.batch, key.sample, :])
    assert rows[..., tokens].identical(state[key.batch, key.sample, tokens])


# ----------------------------------------------------------------------------------------------------------------------
# 5. Concatenation of states is a monoid. It is associative, "" changes nothing, and the two parts of a cut state join
# to the whole.
#
# More: test_particles.py::test_importance_adds_up_over_cuts_and_joins,
# test_characters.py::test_the_parts_of_a_row_make_it_whole_again (cuts inside tokens).


@MANY
@given(states(), states(), states(), st.integers(-14, 14), st.integers(-14, 14))
def test_law_5_concatenation_is_a_monoid(one: Pair, two: Pair, three: Pair, n: int, m: int) -> None:
    """Associative, "" is its unit, and the parts of a row make it whole again: spans, stops, captures, scores."""
    state, plain = one
    assert state + "" is state and "" + state is state
    assert (state + state[..., :0]).identical(state) and (state[..., :0] + state).identical(state)
    assume(bos_first(plain))
    whole = state[..., :n] + state[..., n:]
    assert whole.identical(state) and whole == state
    check(whole, plain)
    lo, hi = sorted(range(max(map(len, [*plain.live, []])) + 1)[i % (state.shape[2] + 1)] for i in (n, m))
    parts = state[..., :lo], state[..., lo:hi], state[..., hi:]
    assert (parts[0] + parts[1] + parts[2]).identical(state)
    assert (parts[0] + (parts[1] + parts[2])).identical(state)

    shape = state.shape[:2]
    assume(all(pair[1].rows and pair[1].samples for pair in (two, three)))
    (b, b_plain), (c, c_plain) = reshaped(*two, *shape), reshaped(*three, *shape)
    assert ((state + b) + c).identical(state + (b + c))
    check(state + b + c, plus(plus(plain, b_plain), c_plain))


# ----------------------------------------------------------------------------------------------------------------------
# 6. Weights are additive over spans and cuts. Log-probabilities belong to the context that they were drawn in. After a
# join, the context may be another one: rescore() computes them for it.
#
# More: test_resume.py::test_scores_are_a_fresh_scoring_s,
# test_score.py::test_scores_are_those_of_plain_forwards_and_each_token_is_computed_once.


@MANY
@given(states(), st.integers(-14, 14))
def test_law_6_weights_are_additive(pair: Pair, n: int) -> None:
    """Over cuts, over joins, and over spans."""
    state, _ = pair
    live = state.weights > -torch.inf
    total = state[..., :n].weights + state[..., n:].weights
    assert torch.allclose(total[live], state.weights[live], atol=1e-9)
    over_spans = [[sum(span.weight for span in spans) for spans in row] for row in state.spans]
    assert torch.allclose(
        torch.tensor(over_spans, dtype=torch.float64).view(live.shape)[live.cpu()], state.weights[live].cpu(), atol=1e-9
    )
    doubled = state + state
    assert torch.allclose(doubled.weights[live], 2 * state.weights[live], atol=1e-9)


@pytest.mark.same_numbers
@MANY
@given(states(joins=False), STEP_NAMES, st.integers(0, 99))
def test_law_6_rescore_reproduces_what_was_drawn(pair: Pair, kind: str, seed: int) -> None:
    """Log-probabilities belong to their context: while it stands, a fresh scoring gives them again."""
    state, plain = pair
    assume(nonempty(plain))
    state = steps()[kind](state, seed=seed, max_tokens=2)
    again = state.kv.drop().rescore()
    assert again == state
    live = state.weights > -torch.inf
    assert torch.allclose(again.logprobs, state.logprobs, atol=1e-4)
    assert torch.allclose(again.weights[live], state.weights[live], atol=1e-4)
    assert torch.equal(again.proposal_logprobs, state.proposal_logprobs)
    assert again.finished == state.finished and dict(again.captures) == dict(state.captures)


@pytest.mark.same_numbers
@MANY
@given(states(), st.data())
def test_law_6_rescore_takes_joined_rows_anew(pair: Pair, data: st.DataObject) -> None:
    """Whatever a row was joined of, `rescore()` agrees with a plain full forward, tokens and stops."""
    state, plain = pair
    assume(any(plain.live))
    again = state.rescore()
    places = [(b, s) for b, group in enumerate(plain.rows) for s, row in enumerate(group) if row]
    b, s = data.draw(st.sampled_from(places))
    row = plain.rows[b][s]
    assert row
    laws = torch.log_softmax(full_forward([token.id for token in row]).double(), -1)
    for at, token in enumerate(row):
        expected = laws[at - 1, token.id].item() if at and token.logprob is not None else 0.0
        assert isclose(again.logprobs[b, s, at].item(), expected, abs_tol=1e-3)
    for span, old in zip(again.spans[b][s], state.spans[b][s], strict=True):
        if span.kind != "generated" or old.stop_logprob is None or not span.end:
            continue
        value = b"".join(lawful_model().vocabulary.tokens[token.id] for token in row[span.start : span.end])
        if value:
            value = value.removeprefix(row[span.start].made.healed)  # which stand before the value
        if span.name in given_states.GOES_ON:
            goes_on = given_states.GOES_ON[span.name]
            gone = torch.tensor([t is None or not goes_on(value + t) for t in given_states.spellings()])
            if span.name == "text":  # nothing but an eos ends it
                gone = torch.tensor([t in lawful_model().vocabulary.eos for t in range(len(gone))])
            assert isclose(span.stop_logprob, laws[span.end - 1][gone].logsumexp(-1).item(), abs_tol=1e-3)


# ----------------------------------------------------------------------------------------------------------------------
# 7. Rollback is slicing. A constrained span that was cut goes on from the constraint state that its tokens lead to, as
# if the later tokens had never been drawn. Text that you append after the cut must fit the constraint.
#
# More: test_resume.py::test_a_controlled_span_goes_on_from_any_cut (controllers),
# test_characters.py::test_a_value_goes_on_after_any_character (cuts inside tokens),
# test_healing.py::test_a_healed_span_goes_on_from_any_cut,
# test_chains.py::test_a_cut_chain_goes_on_wherever_it_was_cut, test_hooks.py::test_resume_with_hooks,
# test_storage.py::test_a_loaded_span_goes_on_as_the_saved_one.


@pytest.mark.same_numbers
@MANY
@given(
    st.integers(0, 10**6),
    st.sampled_from(["colour", "digits", "text"]),
    st.integers(0, 6),
    st.sampled_from(["The ", "x", "It is\n", "I see  "]),
)
def test_law_7_rollback_is_slicing(seed: int, kind: str, cut: int, prompt: str) -> None:
    """Cut and resumed with its seed, a span is as if nothing later had been drawn, also from a loaded state, and from
    its very beginning."""
    step = steps()[kind]
    whole = step(prompt, seed=seed, max_tokens=6)
    start = whole.spans[0][0][-1].start
    kept = start + cut % max(whole.shape[2] - start, 1)
    budget = 6 - charged(whole, kept)
    again = step.resume(whole[..., :kept], max_tokens=budget, seed=seed)
    assert again == whole and again.finished == whole.finished and dict(again.captures) == dict(whole.captures)
    assert torch.allclose(again.weights, whole.weights, atol=1e-3)
    path = Path(given_states.scratch()) / "law7.safetensors"
    whole[..., :kept].save(path)
    assert step.resume(oc.load_state(path, lawful_model()), max_tokens=budget, seed=seed) == whole
    if whole.finished == [["stop"]]:
        assert step.resume(whole, seed=seed).identical(whole)


@pytest.mark.same_numbers
@MANY
@given(
    st.integers(0, 10**6),
    st.sampled_from(["colour", "digits", "text"]),
    st.integers(0, 3),
    st.sampled_from(["The ", "The", "It is\n", "I see  "]),
)
def test_law_7_a_budget_can_be_spent_in_parts(seed: int, kind: str, first: int, prompt: str) -> None:
    """Stopped by max_tokens, even before its first token, and resumed: the same span."""
    step = steps()[kind]
    whole = step(prompt, seed=seed, max_tokens=4)
    parts = step.resume(step(prompt, seed=seed, max_tokens=first), seed=seed, max_tokens=4 - first)
    assert parts == whole and [len(row) for row in parts.spans[0]] == [len(row) for row in whole.spans[0]]
    assert parts.finished == whole.finished and dict(parts.captures) == dict(whole.captures)


# ----------------------------------------------------------------------------------------------------------------------
# 8. Least work. The model reads a (prefix, token) pair only if it is needed and the tree does not have it, and reads
# it once. Three kinds of tokens are counted apart: tokens + reused + restored are the positions that were asked for,
# but for those read again. What came from a [store](store.md), or a saved state, counts in stats.restored. A token that
# is read again, because the logits after it were not kept, counts in stats.reread. Tokens of [drafts](drafts.md) that
# were not accepted are stats.drafted - stats.accepted.
#
# More: test_kv.py::test_least_work (random programs), test_kv.py::test_a_shared_prefix_is_computed_once,
# test_chains.py::test_a_chain_computes_each_position_once, test_hooks.py::test_hooks_read_no_token_twice,
# test_score.py::test_a_text_costs_the_same_alone, test_reading.py::test_any_needs_are_read_once_and_right.


def prefixes_read(state: oc.SequenceState) -> set[tuple[int, ...]]:
    """The prefixes of its rows; not the whole row where the budget ended, for nobody asked what follows it."""
    rows = [(row.ids, len(row) - (row.finished == "length")) for group in state.rows for row in group]
    return {ids[:n] for ids, length in rows for n in range(1, length + 1)}


@MANY
@given(
    st.lists(
        st.sampled_from(["Once upon a time", "Once upon a time ", "Once upon a hill\n", "12 + 7 = "]),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([" and then", " so  ", "\n"]),
    st.integers(0, 99),
    st.data(),
)
def test_law_8_each_prefix_is_read_once(texts: list[str], more: str, seed: int, data: st.DataObject) -> None:
    """By all rows and samples together, and after a cut. A token is read again where its logits were not kept."""
    model = with_empty_tree(own_model())
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
    prompts = model.state(texts)
    drawn = step(prompts, max_tokens=3, seed=seed)
    read = prefixes_read(drawn)
    assert (new_tokens(model), model.stats.reread) == (len(read), 0)
    longer = step(drawn[..., :-1] + more, max_tokens=1, seed=seed)
    read |= prefixes_read(longer)
    assert (new_tokens(model), model.stats.reread) == (len(read), 0)

    length = data.draw(st.integers(1, int(prompts.lengths.min())), label="length")
    cut, kept_logits = set(), set()
    for (row,), [plain] in zip(prompts.rows, prompted(texts).rows, strict=True):
        assert plain
        seam = row.ids[: len(row) - taken_back(plain, bool, True)]
        kept_logits.add(seam)
        cut.add(seam if length == len(row) else row.ids[:length])
    again = step(prompts[..., :length], max_tokens=1, seed=seed)
    assert (new_tokens(model), model.stats.reread) == (len(read), len(cut - kept_logits))
    del again


# ----------------------------------------------------------------------------------------------------------------------
# 9. Batch invariance. The draws of a row depend on its tokens, its seed and its lineage, and not on the rows beside it.
#
# More: test_keys.py (jobs in parts), test_generation.py::test_batch_invariance,
# test_chains.py::test_chains_of_batches_are_independent_of_each_other,
# test_stepping.py::test_a_continuous_batcher_gives_what_the_own_loop_gives.


@pytest.mark.same_numbers
@MANY
@given(states(), STEP_NAMES, st.integers(0, 99), st.data())
def test_law_9_neighbours_do_not_matter(pair: Pair, kind: str, seed: int, data: st.DataObject) -> None:
    """step(t[rows], seed) == step(t, seed)[rows]: a row draws by its own tokens, its seed and its lineage."""
    state, plain = pair
    assume(nonempty(plain))
    (_, batch), (_, sample) = (data.draw(given_states.axis_keys(size)) for size in state.shape[:2])
    batch, sample = sorted(set(batch)), sorted(set(sample))
    step = steps()[kind]
    alone = step(state[batch, sample, :], seed=seed, max_tokens=2)
    among = step(state, seed=seed, max_tokens=2)[batch, sample, :]
    assert alone == among and alone.finished == among.finished
    live = among.weights > -torch.inf
    assert torch.allclose(alone.weights[live], among.weights[live], atol=1e-3)
    assert [[r.lineage for r in g] for g in alone.rows] == [[r.lineage for r in g] for g in among.rows]


@MANY
@given(states(), states(), st.data())
def test_law_9_every_row_draws_its_own(one: Pair, two: Pair, data: st.DataObject) -> None:
    """Within a state no two rows share a lineage; `cat` re-keys only rows that collide, selection only copies."""
    (a, p), (b, q) = one, two
    assume(p.rows and p.samples and q.rows and q.samples)
    b = reshaped(b, q, len(b.rows), a.shape[1])[0]
    old = [row.lineage for x in (a, b) for group in x.rows for row in group if not row.dead]
    new = [row.lineage for group in oc.cat([a, b], 0).rows for row in group if not row.dead]
    assert len(set(new)) == len(new)
    assert all(y == x for x, y in zip(old, new, strict=True) if old.count(x) == 1)

    batch = data.draw(st.lists(st.integers(0, len(p.rows) - 1), min_size=1, max_size=4))
    picked = a[batch, :, :]
    for group, source in zip(picked.rows, batch, strict=True):
        for row, before_ in zip(group, a.rows[source], strict=True):
            assert row.lineage[: len(before_.lineage)] == before_.lineage
            assert batch.count(source) > 1 or row.lineage == before_.lineage
    lineages = [row.lineage for group in picked.rows for row in group if not row.dead]
    assert len(set(lineages)) == len(lineages)


# ----------------------------------------------------------------------------------------------------------------------
# 10. Soundness and completeness. A constraint allows a token exactly if some text of its language can still be reached
# after it, with tokens of this vocabulary.
#
# More: test_guides.py::test_a_pattern_allows_exactly_what_can_still_be_finished,
# test_machine.py::test_masks_of_schemas_allow_what_each_token_by_itself_is_allowed,
# test_schema.py::test_what_is_generated_is_valid_and_masks_are_exact,
# test_grammar.py::test_languages_by_their_sentences.


@MANY
@given(
    st.lists(st.text("abé", max_size=4), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from([b"a", b"b", b"ab", b"ba", b"aab", "é".encode(), b"\xc3", b"\xa9", b"c"]), unique=True),
)
def test_law_10_exactly_the_live_tokens_are_allowed(words: list[str], tokens: list[bytes]) -> None:
    """Every token sequence that a small language allows, compared with trying everything."""
    language = {word.encode() for word in words}
    eos, vocabulary = len(tokens), Vocabulary([*tokens, b"<eos>"], eos=[len(tokens)])

    def alive(prefix: bytes) -> bool:
        begun = any(word.startswith(prefix) for word in language)
        return prefix in language or (begun and any(alive(prefix + token) for token in tokens))

    if not alive(b""):
        with pytest.raises(ConstraintError, match="cannot be spelled with this vocabulary"):
            guide.choice(words, vocabulary)
        return
    automaton = guide.choice(words, vocabulary)
    to_visit = [(b"", automaton.initial)]
    while to_visit:
        prefix, state = to_visit.pop()
        bits = np.unpackbits(automaton.mask(state).view(np.uint8), bitorder="little")
        legal = {i for i, token in enumerate(tokens) if alive(prefix + token)}
        assert set(bits.nonzero()[0].tolist()) == legal | ({eos} if prefix in language else set())
        assert automaton.accepting(state) == (prefix in language)
        to_visit += [(prefix + tokens[i], automaton.advance(state, i)) for i in legal]


# ----------------------------------------------------------------------------------------------------------------------
# 11. Memory follows values. Keys and values live as long as some state can reach them, and all such states share them.
#
# More: test_kv.py::test_memory_follows_values, test_kv.py::test_states_in_reference_cycles_are_freed_too,
# test_kv.py::test_a_budget_evicts_what_is_idle_and_changes_nothing_else,
# test_kv.py::test_the_least_recently_used_goes_first, test_kv.py::test_eviction_frees_all_that_is_idle.


@MANY
@given(
    st.lists(st.sampled_from(["Once", "Once upon a time", "Once upon a time\n", "12 + 7 = "]), min_size=1, max_size=3),
    st.data(),
)
def test_law_11_memory_is_what_the_states_can_reach(texts: list[str], data: st.DataObject) -> None:
    """Whichever states are dropped, in whatever order: what is stored is each prefix that one of the others holds."""
    model = with_empty_tree(own_model())
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
    drawn = step(texts, max_tokens=3, seed=data.draw(st.integers(0, 99), label="seed"))
    made = [drawn, drawn[..., :4], drawn[:1, 0, :].fork(3), drawn.best(1) + " and", drawn[..., 2:], model.state(texts)]
    del drawn
    while made:
        made.pop(data.draw(st.integers(0, len(made) - 1), label="drop"))
        held = {
            row.ids[:n]
            for state in made
            for rows, lengths in zip(state.rows, state.kv.lengths.tolist(), strict=True)
            for row, length in zip(rows, lengths, strict=True)
            for n in range(1, length + 1)
        }
        assert model.stats.kv_bytes == len(held) * model.tree.pool.slot_bytes


# ----------------------------------------------------------------------------------------------------------------------
# The index


def test_the_sections_are_the_laws_of_the_algebra_in_order() -> None:
    """Each sentence stands in docs/algebra.md as it stands here."""
    page = (Path(__file__).parent.parent / "docs" / "algebra.md").read_text(encoding="utf-8")
    said = " ".join(page.replace("**", "").replace("`", "").split())
    headings = re.findall(r"^# -+\n((?:# .+\n)+)", Path(__file__).read_text(encoding="utf-8"), re.M)
    sentences = [" ".join(heading.replace("# ", "").split()) for heading in headings if heading[2].isdigit()]
    assert [int(sentence.split(".")[0]) for sentence in sentences] == list(range(1, 12))
    assert [sentence for sentence in sentences if sentence not in said] == []


def test_every_test_that_is_named_here_exists() -> None:
    here = Path(__file__)
    named = re.findall(r"(test_\w+\.py)::(\w+)", here.read_text(encoding="utf-8"))
    assert len(named) > 20
    for module, name in named:
        source = (here.parent / module).read_text(encoding="utf-8")
        assert re.search(rf"^(def {name}\(|class {name}\b|{name} = )", source, re.M), f"{module}::{name}"
