"""Reading and prefilling: needs that want logits, and needs that only fill the KV tree."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from engines import PlainModel
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_laws import own_model, with_empty_tree
from test_models import apart, plain_logits, random_model

import outlines_cont as oc
from outlines_cont.kv import needs as plans
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.state.row import DEAD, Row

Ids = tuple[int, ...]
PROMPTS = ["Mira is a painter from Lisbon.", "Mira is a pilot.", "Mira is a painter from Lisbon."]


@cache
def tiered_model(name: str) -> oc.Model:
    return random_model(name)


def depths(claims: list[Claim | None]) -> list[int]:
    return [claim.depth if claim else 0 for claim in claims]


def prefixes(rows: Iterable[Ids]) -> set[Ids]:
    return {row[:n] for row in rows for n in range(1, len(row) + 1)}


class Asked(NamedTuple):
    """What a need says. (A need also holds what came of it, and hypothesis holds what it drew.)"""

    row: Ids
    wanted: Ids
    head: int  # how many tokens of the row are given as its head
    keep: int
    claim: int | None  # which of the claims that are held is given with it

    def need(self, held: list[tuple[Ids, Claim | None]]) -> oc.stepping.Need:
        claim = None if self.claim is None else held[self.claim][1]
        return oc.stepping.Need(self.row[self.head :], self.wanted, claim, self.row[: self.head], keep=self.keep)


@st.composite
def anything(draw: st.DrawFn, held: list[Ids]) -> Asked:
    """A row of few tokens, given in any of the ways that there are, of which any logits are wanted, or none."""
    row = draw(st.lists(st.integers(5, 7), max_size=6).map(tuple) | st.sampled_from([(), *held]))
    wanted = tuple(at for at in range(len(row)) if draw(st.integers(0, 3)) == 0)
    beginnings = [i for i, ids in enumerate(held) if row[: len(ids)] == ids]
    keep = draw(st.sampled_from([0, 0, len(row)]))
    return Asked(row, wanted, draw(st.integers(0, len(row))), keep, draw(st.sampled_from([None, *beginnings])))


@pytest.mark.parametrize("name", ["llama", "bloom (alibi)"])
@settings(max_examples=150)
@given(data=st.data())
def test_any_needs_are_read_once_and_right(name: str, data: st.DataObject) -> None:
    """Law 8: the tokens computed are the distinct prefixes needed and not in the tree, however a call is cut into
    passes. Each line is that of a fresh forward; each claim reaches as far as its need, and holds that and no more."""
    model = with_empty_tree(tiered_model(name))
    held: list[tuple[Ids, Claim | None]] = []
    known: set[Ids] = set()  # the prefixes whose logits were wanted and that are still held
    tokens = reread = 0
    for _ in range(data.draw(st.integers(1, 4), label="calls")):
        asked = data.draw(st.lists(anything([row for row, _ in held]), min_size=1, max_size=5), label="asked")
        needs = [each.need(held) for each in asked]
        before = prefixes(row for row, _ in held)
        reads = [need for need in needs if need.wanted or need.token_ids]  # the others wait
        new = prefixes(need.tokens for need in reads) - before
        wanted = {need.tokens[: at + 1] for need in reads for at in need.wanted}
        again = wanted & before - known
        tokens, reread, known = tokens + len(new), reread + len(again), (known & before) | wanted
        passes = model.stats.passes
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plans, "PASS_TOKENS", data.draw(st.sampled_from([1, 3, 8192]), label="tokens of a pass"))
            logits, claims = model.read(needs)
        assert (model.stats.tokens, model.stats.reread) == (tokens, reread)
        assert (model.stats.passes > passes) == bool(new or again)
        assert logits.shape == (sum(len(need.wanted) for need in needs), len(model.vocabulary))
        lines = iter(logits)
        for (row, wanted_here, *_), need, depth in zip(asked, needs, depths(claims), strict=True):
            there = sum(row[:n] in before for n in range(1, len(row) + 1))
            assert depth == (need.length if wanted_here or need.token_ids else there)
            if wanted_here:
                plain = plain_logits(model.hf, row)
                assert all(apart(next(lines), plain[at]) < 1e-4 for at in wanted_here)
        held += [(row[:depth], claim) for (row, *_), depth, claim in zip(asked, depths(claims), claims, strict=True)]
        del needs, reads, claims, need
        held = [pair for pair in held if data.draw(st.booleans(), label="hold")]
        known &= (reached := prefixes(row for row, _ in held))
        assert model.stats.kv_bytes == len(reached) * model.tree.pool.slot_bytes


def test_tokens_that_sequences_share_are_read_once_with_logits_for_each() -> None:
    """A user of llama.cpp: tokens shared by several sequences of a batch, of which some want logits and some do not."""
    model = with_empty_tree(own_model())
    shared, ids = (0, 921, 263), (0, 921, 263, 341)
    needs = [
        oc.stepping.Need(shared),
        oc.stepping.Need(ids, (3,)),
        oc.stepping.Need(shared, (2,)),
        oc.stepping.Need(ids),
        oc.stepping.Need(ids, (0, 2, 3)),
    ]
    logits, claims = model.read(needs)
    assert (model.stats.tokens, model.stats.passes, model.stats.reused) == (4, 1, 3 + 4 + 3 + 4 + 4 - 4)
    assert logits[0].equal(logits[4]) and logits[1].equal(logits[3])
    assert depths(claims) == [3, 4, 3, 4, 4]


IDS = st.lists(st.integers(0, 2**16), max_size=4)
KINDS = st.sampled_from(
    [tuple, list, np.array, torch.tensor, lambda ids: [*np.array(ids)], lambda ids: (*np.array(ids),)]
)


@settings(max_examples=60, deadline=None)
@given(given_ids=st.tuples(IDS, IDS, IDS), kinds=st.tuples(KINDS, KINDS, KINDS))
def test_the_ids_of_a_need_may_be_lists_tensors_and_arrays(given_ids: Any, kinds: Any) -> None:
    """They are tuples of ints from then on, whatever becomes of the list."""
    ids, wanted, head = (kind(each) if each else tuple(each) for kind, each in zip(kinds, given_ids, strict=True))
    need, plain = (
        oc.stepping.Need(ids, wanted, head=head),
        oc.stepping.Need(*map(tuple, given_ids[:2]), head=tuple(given_ids[2])),
    )
    for each in (ids, wanted, head):
        if len(each) and not isinstance(each, tuple):
            each[0] = 7
    assert need == plain and hash(need) == hash(plain) and pickle.loads(pickle.dumps(need)) == plain
    assert all(type(each) is int for ids in (need.ids, need.wanted, need.head) for each in ids)


def test_nothing_wanted_fills_the_tree() -> None:
    """It is computed once, as long as somebody holds it; what goes on from it computes the rest alone."""
    model = with_empty_tree(own_model())
    logits, claims = model.read([oc.stepping.Need((5, 6, 7)), oc.stepping.Need((5, 6))])
    assert logits.shape == (0, len(model.vocabulary)) and logits.dtype == model.dtype
    assert (model.stats.tokens, model.stats.passes) == (3, 1)
    again = model.logits([oc.stepping.Need((5, 6, 7)), oc.stepping.Need((5,))])
    assert again.shape == logits.shape and (model.stats.tokens, model.stats.passes) == (3, 1), "all of it is there"
    model.logits([oc.stepping.Need((5, 6, 7, 8), (3,))])
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (4, 2, 0)
    claims.clear()
    assert model.stats.kv_bytes == 0


def test_a_row_that_waits_is_free() -> None:
    """Whatever the tree holds of it: it has nothing to read, and wants nothing."""
    model = with_empty_tree(own_model())
    waiting = [oc.stepping.Need((5, 6, 7), keep=3), oc.stepping.Need((7,), head=(5, 6), keep=3), oc.stepping.Need(())]
    for _ in range(2):
        logits, claims = model.read(waiting)
        assert len(logits) == 0 and claims == [None] * 3
    logits, claims = model.read([*waiting, oc.stepping.Need((5, 6), (1,))])
    assert len(logits) == 1 and depths(claims) == [0, 0, 0, 2]
    assert (model.stats.tokens, model.stats.passes, model.stats.reused) == (2, 1, 0)


@pytest.mark.parametrize("name", ["a fresh context", "a tier that recomputes", "a third party's"])
def test_where_nothing_is_kept_nothing_is_read_ahead(name: str) -> None:
    ours = own_model() if name != "a tier that recomputes" else tiered_model("gpt-1 (no cache)")
    model: Any = PlainModel(ours) if name == "a third party's" else with_empty_tree(ours)
    with ours.fresh() if name == "a fresh context" else nullcontext():
        logits, claims = model.read([oc.stepping.Need((5, 6, 7)), oc.stepping.Need((5, 6))])
        assert logits.shape == (0, len(model.vocabulary)) and claims == [None, None]
        state = shipped_model().state([5, 6, 7]).to(model)
        assert state.kv.prefill() is state and not state.kv.lengths.any()
        assert model.stats.tokens == 0
        one, _ = model.read([oc.stepping.Need((5, 6)), oc.stepping.Need((5, 6, 7), (2,)), oc.stepping.Need((5, 6, 7))])
        assert len(one) == 1 and model.stats.tokens == 3


# --- prefilling a state


GENERATORS: dict[str, Callable[[oc.Model], oc.generate.Generator]] = {
    "greedy": lambda model: oc.generate.text(model, oc.samplers.greedy()),
    "drawn": lambda model: oc.generate.regex(model, "[a-z ]{9}", oc.samplers.multinomial(samples=3)),
    "beams": lambda model: oc.generate.json(model, {"type": "integer"}, oc.samplers.beam_search(3)),
    "particles": lambda model: oc.generate.text(model, oc.samplers.smc(3)),
}


@pytest.mark.parametrize("kind", GENERATORS)
def test_after_a_prefill_the_first_draw_computes_nothing(kind: str) -> None:
    """All rows are read in one pass, equal ones once; then a request is answered without one, and answered alike."""
    model = with_empty_tree(own_model())
    generator = GENERATORS[kind](model)
    with model.fresh():
        expected = generator.begin(PROMPTS, seed=0)
        expected = expected.step(model.logits(expected.pending)).state
    with_empty_tree(model)
    state = model.state(PROMPTS)
    count = len(prefixes(row.ids for (row,) in state.rows))
    assert state.kv.prefill() is state
    assert (model.stats.tokens, model.stats.passes) == (count, 1)
    assert state.kv.lengths.equal(state.lengths)
    for prompts in (state, PROMPTS):  # the state itself, or the same texts again while it is alive
        frontier = generator.begin(prompts, seed=0)
        frontier = frontier.step(*model.read(frontier.pending))
        assert frontier.state == expected and (model.stats.tokens, model.stats.passes) == (count, 1)


def test_a_prefill_of_what_is_known_costs_nothing() -> None:
    """Twice is once; a cut state reads its last token again, whose logits were not kept; a longer one its new ones."""
    model = with_empty_tree(own_model())
    state = model.state("Mira is a painter").kv.prefill().kv.prefill()
    assert (model.stats.tokens, model.stats.passes) == (state.shape[2], 1)
    cut = state[..., :-2].kv.prefill()
    assert (model.stats.tokens, model.stats.passes, model.stats.reread) == (state.shape[2], 2, 1)
    longer = (cut + " pilot").kv.prefill()
    read = prefixes(each.rows[0][0].ids for each in (state, longer))
    assert (model.stats.tokens, model.stats.passes) == (len(read), 3)


def test_keys_and_values_of_a_prefill_live_as_long_as_its_state() -> None:
    model = with_empty_tree(own_model())
    state = model.state(PROMPTS)
    state.kv.prefill()
    cut = state[..., :3]
    del state
    assert cut.kv.lengths.tolist() == [[3]] * 3
    assert model.stats.kv_bytes == 3 * model.tree.pool.slot_bytes
    del cut
    assert model.stats.kv_bytes == 0


def test_dead_and_empty_rows_have_nothing_to_prefill() -> None:
    model = with_empty_tree(own_model())
    (row,) = model.state("Mira is").rows[0]
    state = oc.SequenceState(model, [[row, DEAD], [Row(), row]], samples=2).kv.prefill()
    assert state.kv.lengths.tolist() == [[len(row), 0], [0, len(row)]]
    nothing = model.state([[]])
    model.stats.reset()
    assert nothing.kv.prefill() is nothing and model.stats.passes == 0


def test_a_row_beyond_the_context_is_not_prefilled() -> None:
    model = with_empty_tree(own_model())
    with pytest.raises(ValueError, match=r"a row of 2049 tokens .* context is 2048"):
        model.state([5] * 2049).kv.prefill()
    assert model.stats.tokens == 0


def test_a_budget_bounds_what_a_prefill_leaves() -> None:
    model = with_empty_tree(own_model())
    model.language_model.tree = Tree(budget=0)
    states = [model.state(prompt).kv.prefill() for prompt in PROMPTS[:2]]
    torch.testing.assert_close(states[1].kv.lengths, states[1].lengths)
    assert int(states[0].kv.lengths) < int(states[0].lengths)
    model.kv_budget = 0
    assert not any(state.kv.lengths.any() for state in states)


def test_a_claim_on_other_tokens_is_refused_and_nothing_is_lost() -> None:
    """It was a bare assertion within a change of the tree, which dropped all that was kept."""
    model = shipped_model()
    state = model.state("Mira is a painter").kv.prefill()
    [row], depths = state.rows[0], state.kv.lengths
    for ids in ((*row.ids[:-1], 5), (row.ids[0], 5), (*row.ids[:-1], 5, 6)):
        with pytest.raises(ValueError, match=r"other tokens; after \d tokens it has token \d+, the row 5"):
            model.read([oc.stepping.Need(ids, (len(ids) - 1,), row.claim)])
    with pytest.raises(ValueError, match=r"keep=-1\): it must be an int ≥ 0"):
        model.read([oc.stepping.Need(row.ids, keep=-1)])
    assert state.kv.lengths.equal(depths) and depths.item() == len(row)
    model.read(
        [oc.stepping.Need(row.ids[:2], (1,), row.claim), oc.stepping.Need((*row.ids, 5), (len(row),), row.claim)]
    )
