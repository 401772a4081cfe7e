"""Rows that stand alike: what they share is worked out once, and changes nothing of what each of them draws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from engines import PlainModel
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model
from test_where import check_expectation, every_run
from torch import Tensor

import outlines_cont as oc

draw, smc, greedy, beams = oc.samplers.multinomial, oc.samplers.smc, oc.samplers.greedy, oc.samplers.beam_search
SAMPLERS = (draw(12), draw(12, 0.7, top_k=4), smc(12, every="word"), greedy(), beams(3))


def even(text: str, done: bool) -> float | bool:
    return 0.1 * len(text) if text.count("b") % 2 == 0 or not done else False


def rows_of(state: oc.SequenceState) -> list[Any]:
    return [
        (row.ids, row.finished, pytest.approx(row.log_importance, abs=1e-4), pytest.approx(row.weight, abs=1e-4))
        for group in state.rows
        for row in group
    ]


class Apart(PlainModel):
    """An engine whose logits are off by a number for each row. That changes no law, but no two are the same object or
    equal, so nothing is shared."""

    def read(self, needs: Sequence[oc.stepping.Need]) -> tuple[Tensor, list[None]]:
        logits, claims = super().read(needs)
        return logits + torch.arange(len(logits))[:, None] % 7 / 8, claims


@settings(max_examples=25)
@given(
    st.sampled_from(SAMPLERS), st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 99)
)  # fmt: skip
def test_rows_that_share_draw_what_they_draw_alone(
    sampler: Any, vets: bool, mixes: bool, eos: bool, two: bool, seed: int
) -> None:
    where = even if vets and sampler.honours_where == "potentials" else None
    stop: Any = "eos" if eos else "certain"
    product = not sampler.ranks_by_logprobs and seed % 2 == 1
    more: dict[str, Any] = {"beside": oc.Mix([("abc", 0.5), ("yx", -0.25)], product=product)} if mixes else {}
    prompts = ["xy", "ab"] if two else "xy"

    def run(model: Any) -> oc.SequenceState:
        pattern = oc.generate.regex(
            model, "[ab]{1,3}", sampler, forced="never", where=where, **({"stop": stop} if eos else {})
        )
        return pattern.run(prompts, seed=seed, **more)

    assert rows_of(run(Apart(small_model()))) == rows_of(run(small_model()))


@settings(max_examples=10)
@given(
    prompts=st.lists(st.sampled_from(["xy", "ab"]), min_size=3, max_size=6), vets=st.booleans(), seed=st.integers(0, 99)
)
def test_rows_that_stand_alike_are_what_they_are_in_batches_of_one(prompts: list[str], vets: bool, seed: int) -> None:
    """What a candidate makes of a row is asked once for rows that stand alike, of all prompts."""
    step = oc.continuous(
        oc.generate.regex(small_model(), "[ab]{1,3}", draw(), forced="never", where=even if vets else None)
    )
    alone = list(oc.map(step, prompts, seed=seed, shard=1, batch=1))
    assert rows_of(step(prompts, seed=seed)) == [row for state in alone for row in rows_of(state)]


def test_a_law_is_shared_only_by_rows_of_equal_logits() -> None:
    """Whoever gives the logits may give others to rows of the same tokens."""
    model = small_model()
    size, [a, b] = len(model.vocabulary), [model.vocabulary.tokens.index(letter) for letter in (b"a", b"b")]
    logits = torch.full((8, size), -math.inf)
    logits[:6, a] = logits[6:, b] = 0.0
    for where in (None, lambda text, done: True):
        f = oc.generate.regex(model, "[ab]", draw(8), forced="never", where=where).begin("xy", seed=0)
        assert [row.ids[-1] for row in f.step(logits).state.rows[0]] == [a] * 6 + [b] * 2


def test_what_rows_share_is_worked_out_once() -> None:
    """Of copies of a prompt, at the first step: one text is read, and no candidate is asked about twice."""
    model, asked = small_model(), Counter[str]()

    def counted(text: str, done: bool) -> float | bool:
        asked[text] += not done
        return even(text, done)

    f = oc.generate.regex(model, "[ab]{2}", draw(20), forced="never", where=counted).begin("xy", seed=0)
    model.stats.reset()
    logits = model.logits(f.pending)
    assert model.stats.tokens <= len(model.state("xy").rows[0][0].ids) and logits.shape[0] == 20
    asked.clear()
    f = f.step(logits)
    assert asked and max(asked.values()) == 1
    assert len({row.ids for row in f.state.rows[0]}) > 1


def test_reads_of_the_same_rows_count_as_reused() -> None:
    """However many rows ask for the same, all but the first reuse it."""
    model = oc.load()
    row = model.state("The sky is").rows[0][0].ids
    model.stats.reset()
    logits, claims = model.read(
        [oc.stepping.Need(row, (2, len(row) - 1))] * 3 + [oc.stepping.Need(row[:3], (2,)), oc.stepping.Need(row)]
    )
    assert logits.shape[0] == 7
    assert torch.equal(logits[0], logits[2]) and torch.equal(logits[0], logits[6])
    assert (model.stats.tokens, model.stats.reused) == (len(row), 3 * len(row) + 3)
    assert [claim and claim.depth for claim in claims] == [len(row)] * 3 + [3, len(row)]


def digits_are_3(text: str, done: bool) -> bool:
    total = text.count("1") + 2 * text.count("2")
    return total == 3 if done else total <= 3


@pytest.mark.parametrize("sampler", [draw(), smc(1), draw(temperature=2.0)], ids=repr)
def test_what_can_only_end_and_may_not_is_not_drawn(sampler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that its constraint lets only end is asked about as a whole before it is read: no row dies of it."""
    step = oc.continuous(
        oc.generate.regex(toy_model(), "[12]{2}", sampler, stop="eos", forced="never", where=digits_are_3)
    )
    texts = check_expectation(lambda: step("xy", seed=0), monkeypatch)
    assert texts == {"12", "21"}
    ends = [state.finished for _, state in every_run(lambda: step("xy", seed=0), monkeypatch)]
    assert all(finished == [["stop"]] for finished in ends)


def test_hooks_that_only_look_change_nothing_of_that() -> None:
    seen: list[str] = []
    digits = oc.generate.regex(small_model(), "[12]{2}", draw(9), stop="eos", forced="never", where=digits_are_3)
    state = digits.run("xy", seed=0, hooks=[oc.steer.Watch(lambda draw: seen.append(draw.row.text))])
    assert state == digits.run("xy", seed=0)
    assert seen
