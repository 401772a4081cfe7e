"""Predicates (`where=`) under laws that are combined of several contexts (`beside=`, `proposal=`), and both with drafts,
grafts, batches and files.

Expectations are exact: all draws are enumerated, and the laws are combined by hand from fresh forwards.
"""

from __future__ import annotations

import gc
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from test_combined import Read, densities, ids_of, law_after
from test_generation import small_model
from test_where import every_run

import outlines_cont as oc

GREEDY, draw, smc, beams = oc.samplers.greedy(), oc.samplers.multinomial, oc.samplers.smc, oc.samplers.beam_search
LANGUAGES = [["ab", "abc", "a"], ["12a", "12"], ["cab-"]]  # the later ones begin with forced runs


def hard(text: str, done: bool) -> bool:
    """Refuses what begins with "abc", and "a" as a whole value."""
    return not text.startswith("abc") and not (done and text == "a")


def soft(text: str, done: bool) -> float:
    return -math.inf if done and text == "ab" else 0.7 * len(text) - 0.4 * done


PREDICATES: dict[str, tuple[Callable[[str, bool], Any], Callable[[str], float]]] = {
    "hard": (hard, lambda text: 0.0),
    "soft": (soft, lambda text: soft(text, True)),
}


@cache
def models() -> tuple[oc.Model, oc.Model]:
    return small_model(0), small_model(1)


def contexts(own: float = 1.0) -> tuple[list[Read], list[Any]]:
    """By hand, and as a call takes them: "xy", one more of the same model, and one of another."""
    model, other = models()
    by_hand = [(model, ids_of(model, "xy"), own), (model, ids_of(model, "ca-"), 0.5), (other, ids_of(other, "b"), -0.3)]
    return by_hand, [("ca-", 0.5), (other.state("b"), -0.3)]


def summed(by_hand: Sequence[Read], ids: tuple[int, ...], strings: Sequence[str]) -> tuple[float, float]:
    """Of one spelling of one string, its stop included: Σ of the first context's log-probabilities, and of the
    densities."""
    model, head, _ = by_hand[0]
    tokens, text, sums = model.vocabulary.tokens, "", [0.0, 0.0]
    for place in range(len(ids) + 1):
        going = [t for t in range(1, len(tokens)) if any(each.startswith(text + tokens[t].decode()) for each in strings)]
        if place == len(ids) and not going:
            break
        laws = law_after(model, head + ids[:place]), densities(by_hand, ids[:place])
        if place == len(ids):
            elsewhere = [t for t in range(len(tokens)) if t not in going]
            sums = [a + law[elsewhere].logsumexp(-1).item() for a, law in zip(sums, laws, strict=True)]
        else:
            sums = [a + law[ids[place]].item() for a, law in zip(sums, laws, strict=True)]
            text += tokens[ids[place]].decode()
    return sums[0], sums[1]


def target(row: Any, by_hand: Sequence[Read], normalize: bool, languages: Sequence[Sequence[str]]) -> float:
    """The log-weight that a row is to have in expectation, without potentials: by its own law, or by the product."""
    head, total = len(by_hand[0][1]), 0.0
    generated = [(start, end) for start, end, piece in row.placed if piece.kind == "generated"]
    for (start, end), strings in zip(generated, languages, strict=True):
        here = [(model, ids + row.ids[head:start], weight) for model, ids, weight in by_hand]
        total += summed(here, row.ids[start:end], strings)[0 if normalize else 1]
    return total


def check(
    run: Callable[[], oc.SequenceState],
    monkeypatch: pytest.MonkeyPatch,
    right: Callable[[Any, str], float],
) -> set[str]:
    """Each row that may come has the weight, in expectation, that is right for it. The texts of these rows."""
    sums: dict[tuple[int, ...], float] = defaultdict(float)
    expected: dict[tuple[int, ...], float] = {}
    texts, total = set[str](), 0.0
    for share, state in every_run(run, monkeypatch):
        total += share
        [[row]] = state.rows
        if not row.dead:
            texts.add(text := str(state)[len("xy") :])
            sums[row.ids] += share * math.exp(row.log_importance)
            expected[row.ids] = right(row, text)
    assert total == pytest.approx(1, rel=1e-9)
    assert sums == pytest.approx({ids: math.exp(value) for ids, value in expected.items()}, rel=2e-3)
    return texts


SAMPLERS = {"draw": draw(), "warm": draw(temperature=1.7), "smc": smc(1)}
QUICK = [  # of all; each value of each is among them
    ("hard", True, "draw", "never"),
    ("soft", False, "draw", "canonical"),
    ("hard", False, "warm", "canonical"),
    ("soft", False, "smc", "never"),
]
CASES = [
    pytest.param(*case, marks=[] if case in QUICK else [pytest.mark.slow])
    for case in product(PREDICATES, [True, False], SAMPLERS, ["never", "canonical"])
]


@pytest.mark.parametrize(("kind", "normalize", "sampler", "forced"), CASES)
def test_predicates_under_combined_laws_are_right_in_expectation(
    kind: str, normalize: bool, sampler: str, forced: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, potential = PREDICATES[kind]
    by_hand, beside = contexts()
    for options in LANGUAGES[:1] if sampler == "smc" else LANGUAGES:
        by = SAMPLERS[sampler]
        step = oc.continuous(oc.generate.choice(models()[0], options, by, forced=forced, where=where))
        texts = check(
            lambda step=step: step("xy", seed=0, beside=beside, normalize=normalize),
            monkeypatch,
            lambda row, text, options=options: target(row, by_hand, normalize, [options]) + potential(text),
        )
        assert texts == {text for text in options if where(text, True) not in (False, -math.inf)}
