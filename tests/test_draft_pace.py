"""How much is proposed: what a draft costs that never holds, how soon one is asked again, and what is counted."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import outlines_cont as oc
from outlines_cont.drafts.loop import FIRST, LONGEST, MOST, PATIENCE, Pace, taken_of

Ids = tuple[int, ...]


def passes(pace: Pace, rows: int, count: int, holds: bool) -> list[dict[int, int]]:
    """The budgets of so many passes, by row; all that is proposed holds, or nothing does."""
    told = []
    for _ in range(count):
        pace.pass_begins()
        budgets = {row: budget for row in range(rows) if (budget := pace.budget((row,)))}
        for row, budget in budgets.items():
            pace.note((row,), budget if holds else 0)
        told.append(budgets)
    return told


@given(rows=st.integers(1, 40), count=st.integers(1, 300))
def test_what_never_holds_costs_a_few_tokens_and_a_share_of_the_draws(rows: int, count: int) -> None:
    told = passes(Pace(), rows, count, False)
    spent = sum(sum(budgets.values()) for budgets in told)
    assert 0 < spent <= 2 * FIRST + PATIENCE + LONGEST.bit_length() + rows * count / LONGEST
    assert all(len(budgets) <= 1 for budgets in told)


@given(rows=st.integers(1, 40), failing=st.integers(0, 400))
def test_a_draft_that_begins_to_hold_is_asked_for_all_rows_again(rows: int, failing: int) -> None:
    """However many rows failed together before: after a trial that holds, all have long proposals."""
    pace = Pace()
    passes(pace, rows, failing, False)
    later = passes(pace, rows, LONGEST + 3, True)
    assert len(later[-1]) == rows and min(later[-1].values()) >= 8
    assert max(later[-1].values()) <= MOST


def test_rows_take_turns_and_what_was_not_proposed_costs_nothing() -> None:
    told = passes(Pace(), 4, 4 * LONGEST, False)
    assert {row for budgets in told[LONGEST:] for row in budgets} == {0, 1, 2, 3}
    for rows in (1, 4):
        pace = Pace()
        for _ in range(100):  # trials of which nothing comes
            pace.pass_begins()
            assert any([pace.budget((row,)) for row in range(rows)])


def test_a_row_whose_guesses_stop_holding_does_not_slow_the_others() -> None:
    pace = Pace()
    passes(pace, 3, 4, True)
    for _ in range(40):
        pace.pass_begins()
        budgets = [pace.budget((row,)) for row in range(3)]
        for row, budget in enumerate(budgets):
            if budget:
                pace.note((row,), 0 if row == 1 else budget)
    assert pace.budget((0,)) == pace.budget((2,)) == MOST and pace.budget((1,)) == 0


@given(st.sets(st.lists(st.integers(0, 2), min_size=1, max_size=4).map(tuple)), st.lists(st.integers(0, 2), max_size=5))
def test_what_was_taken_are_the_beginnings_that_were_read(read: set[Ids], ids: list[int]) -> None:
    assert taken_of(read, tuple(ids)) == {each for each in read if tuple(ids[: len(each)]) == each}


class Perfect:
    """It knows how the rows end, and counts what it is told by row."""

    def __init__(self, rows: dict[Ids, Ids]):
        self.rows, self.proposed, self.accepted = rows, 0, 0

    def propose(self, rows: Sequence[oc.drafts.DraftRow]) -> list[list[Ids]]:
        return [[self.rows[row.key][len(row) :][: row.budget]] for row in rows]

    def settled(self, rows: Sequence[oc.drafts.DraftRow], accepted: Sequence[int]) -> None:
        self.proposed += sum(len(self.rows[row.key][len(row) :][: row.budget]) for row in rows)
        self.accepted += sum(accepted)


@pytest.mark.parametrize("sampler", [oc.samplers.multinomial(samples=4), oc.samplers.multinomial(samples=4, top_k=1)])
def test_each_of_several_samples_is_credited_and_what_they_share_is_counted_once(sampler: oc.samplers.Sampler) -> None:
    """Samples of one prompt that begin alike read their proposals together; with top_k=1 they are all alike."""
    model = oc.load()
    text = oc.generate.text(model, sampler)
    expected = text.run("The sky is", 16, seed=1).kv.drop()
    tokens, plain = model.stats.tokens, model.stats.passes
    gc.collect()
    model.tree.evict()
    model.stats.reset()
    draft = Perfect({row.lineage: row.ids for group in expected.rows for row in group})
    assert text.run("The sky is", 16, seed=1, draft=draft) == expected
    stats = model.stats
    assert draft.accepted == draft.proposed > 16 and stats.accepted == stats.drafted > 0
    assert stats.tokens == tokens and stats.passes <= 4 < plain
