"""The trie of masses, against brute force with plain forwards, and against the laws that samplers draw from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import pytest
import torch
from hashed_model import HashedModel
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import LANGUAGES, enumerate_law, small_model, toy_model, toy_tokenizer

import outlines_cont as oc
from outlines_cont import masses as module
from outlines_cont.fsm import guide as guides
from outlines_cont.kernels.warp import warp
from outlines_cont.masses import Masses, MassNode, MassRules, read_together

draw = oc.samplers.multinomial
WORDS = ["a", "ab", "abc", "bc", "abca", "12", "1", "121", "ca", "c"]


def trie(model: oc.Model, guide: Any, prompt: str = "xy", **rules: Any) -> Masses:
    return Masses(model, model.state(prompt).rows[0][0].ids, MassRules(guide, **rules))


def whole(masses: Masses) -> Iterator[MassNode]:
    """Every node, all of them read and widened, the shortest first."""
    level = [masses.root]
    while level:
        masses.read(level)
        while wide := [node for node in level if node.others]:
            read_together([(masses, wide)])
        yield from level
        level = [masses.child(node, place) for node in level for place in range(len(node.tokens))]


def check_node(node: MassNode) -> None:
    assert node.is_read and 0 <= node.bound <= 1 and node.log_mass <= 0
    assert (np.diff(node.shares) <= 0).all() and len({*node.tokens.tolist()}) == len(node.tokens)
    assert node.ends == () or node.ends[-1] == len(node.tokens)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), st.integers(0, 3), st.integers(1, 3))
def test_masses_are_those_of_brute_force(options: list[str], seed: int, first: int) -> None:
    """Every spelling, its stop, and the mass of the language, however few tokens a node lists at first."""
    model = small_model(seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "FIRST", first)
        masses = trie(model, guides.choice(options, model.vocabulary))
        nodes = list(whole(masses))
    law = {node.ids: node.log_mass + math.log(node.stop) for node in nodes if node.stop}
    assert law == pytest.approx({ids: own for ids, own, _ in enumerate_law(model, "xy", options)}, abs=1e-4)
    assert masses.root.bound == pytest.approx(math.fsum(map(math.exp, law.values())), rel=1e-9)
    assert all(node.text == model.vocabulary.decode(node.ids) for node in nodes)
    for node in nodes:
        check_node(node)


def test_each_node_is_read_once_and_the_bound_only_falls() -> None:
    model = small_model()
    masses = trie(model, guides.regex("[ab]{2}c", model.vocabulary))
    bounds, level = [masses.root.bound], [masses.root]
    while level:
        masses.read([*level, *level])
        bounds.append(masses.root.bound)
        level = [masses.child(node, place) for node in level for place in range(len(node.tokens))]
    counts = masses.positions, masses.passes
    nodes = list(whole(masses))
    assert (masses.positions, masses.passes) == counts and counts[0] == sum(not node.ended for node in nodes)
    assert bounds == sorted(bounds, reverse=True) and bounds[0] == 1 > bounds[-1]
    assert masses.child(masses.root, 0) is masses.child(masses.root, 0)
    end = next(node for node in nodes if node.ended)
    before, mass = masses.root.bound, math.exp(end.log_mass)
    end.refuse()
    assert masses.root.bound == pytest.approx(before - mass, rel=1e-9), "a refused text has no mass"


@pytest.mark.parametrize(
    "sampler", [oc.samplers.multinomial(1, 0.6), oc.samplers.multinomial(1, 1.0, 3, 0.9)], ids=repr
)
@pytest.mark.parametrize("options", LANGUAGES, ids=repr)
def test_with_filters_it_is_the_law_that_a_sampler_draws_from(options: list[str], sampler: Any) -> None:
    model, f = toy_model(), sampler.filters
    generator = oc.generate.choice(model, options, sampler)

    def warped(scores: torch.Tensor) -> torch.Tensor:
        return warp(scores, f.temperature, f.top_k, f.top_p, f.min_p)

    masses = trie(model, guides.choice(options, model.vocabulary), warp=warped)
    masses.read([masses.root])
    [[law]] = model.next("xy", generator).proposal_logprobs.exp()
    right = {token: p for token, p in enumerate(law.tolist()) if p}
    root = masses.root
    mine = {**dict(zip(root.tokens.tolist(), root.shares.tolist(), strict=True)), len(model.vocabulary): root.stop}
    assert {token: p for token, p in mine.items() if p} == pytest.approx(right, rel=1e-4)
    list(whole(masses))
    assert masses.root.bound == pytest.approx(1, abs=1e-12), "nothing that it draws is refused"


def test_temperature_alone_is_that_of_the_model() -> None:
    model = HashedModel(toy_tokenizer([*"abc12-xyz"]), 3, 64)
    masses = Masses(cast("Any", model), (3, 4), MassRules(guides.regex("[ab]+", model.vocabulary), temperature=0.5))
    masses.read([masses.root])
    law = torch.softmax(torch.tensor(model.law((3, 4))) * 2, -1)
    assert masses.root.shares == pytest.approx(law[masses.root.tokens].numpy(), rel=1e-12)


def test_what_ends_a_text() -> None:
    """A stop string, eos, a length; and a ban, which makes no end likelier."""
    model = small_model()
    eos = list(model.vocabulary.eos)
    logits = torch.log_softmax(model.logits([oc.stepping.Need(model.state("xy").rows[0][0].ids, (1,))])[0].double(), -1)
    text = trie(model, guides.text(model.vocabulary), at_eos=True, stop_strings=(b"c1", b"ab"), most=2, cut=True)
    nodes = list(whole(text))
    assert text.root.stop == pytest.approx(logits[eos].exp().sum().item(), rel=1e-4)
    assert all(node.ended == (len(node.ids) == 2 or b"ab" in node.text) for node in nodes)
    assert b"abc" in {node.text for node in nodes if len(node.ids) == 1 and node.ended}
    cut = trie(model, guides.regex("a+", model.vocabulary), most=2)
    nodes = list(whole(cut))
    assert max(len(node.ids) for node in nodes) == 2 and not any(node.ended for node in nodes)
    assert sum(math.exp(node.log_mass) * node.stop for node in nodes) == pytest.approx(cut.root.bound, rel=1e-9)
    assert trie(model, guides.regex("aa(b)", model.vocabulary), most=0).root.bound == 0.0
    plain, banned = guides.regex("[ab]+", model.vocabulary), guides.regex("a+", model.vocabulary)
    tries = trie(model, banned, open_guide=plain, most=1), trie(model, plain, most=1)
    one, other = (next(node for node in whole(each) if node.text == b"a") for each in tries)
    assert 0 < one.stop == other.stop


def test_logits_that_are_no_law_are_named() -> None:
    model = HashedModel(toy_tokenizer([*"abc12-xyz"]), 3, 64)

    def broken(needs: Sequence[Any]) -> Any:
        return torch.full((len(needs), len(model.vocabulary)), math.nan), [None] * len(needs)

    model.read = broken  # type: ignore[method-assign]
    masses = Masses(cast("Any", model), (3, 4), MassRules(guides.regex("[ab]+", model.vocabulary)))
    with pytest.raises(ValueError, match="NaN"):
        masses.read([masses.root])


def test_keys_and_values_live_as_long_as_they_are_kept() -> None:
    model = oc.Model(small_model().hf, small_model().tokenizer)
    masses = trie(model, guides.regex("[ab]{2}", model.vocabulary))
    nodes = list(whole(masses))
    assert model.stats.kv_bytes > 0 and model.stats.tokens == 2 + masses.positions - 1, "the prompt is read once"
    masses.forget_keys()
    assert model.stats.kv_bytes == 0 and all(node.is_read for node in nodes)
