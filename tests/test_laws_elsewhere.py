"""Laws that keys and values on disk and adapters touch, on models of these: test_laws.py has them on the plain one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache, partial
from random import Random
from typing import Any

import pytest
import test_laws as laws
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from program_checks import small_chunks
from strategies import (
    STEP_NAMES,
    TEXTS,
    VARIANTS,
    Pair,
    Variant,
    another_lawful_model,
    lawful_model,
    nonempty,
    shipped_model,
    short_hf,
    states,
    steps,
)
from test_adapters import switched, with_adapters, wrapped
from test_composition import chained, one_by_one, same
from test_laws import close, full_forward, new_tokens

import outlines_cont as oc

pytest.importorskip("peft")
DICE = Random(0)  # when adapters are switched; seeded by what hypothesis draws


@cache
def adapted_hf() -> Any:
    return with_adapters("transformers", "a", "b")


def stirred(model: oc.Model, stir: Callable[[Sequence[Any]], object]) -> oc.Model:
    """The model, which stirs before it reads."""
    inner = model.language_model
    plainly = inner.read

    def read(needs: Sequence[Any]) -> Any:
        stir(needs)
        return plainly(needs)

    inner.read = read
    return model


def with_a_store(store: oc.store.KVStore) -> oc.Model:
    return oc.Model(short_hf(), shipped_model().tokenizer, store=store)


def pinned() -> oc.Model:
    """A model of adapter a, whatever the transformers model is set to: that changes before any reading."""
    hf = adapted_hf()
    return stirred(wrapped(hf).with_adapter("a"), lambda _: switched(hf, DICE.choice([("a",), ("b",), ()])))


def switching() -> oc.Model:
    """A model of what its transformers model is set to, which reads the same under b now and then."""
    hf = adapted_hf()
    model = wrapped(hf)

    def elsewhere(needs: Sequence[Any]) -> None:
        if needs and DICE.random() < 0.3:
            switched(hf, ("b",))
            assert model.keeps  # it looks at what it is set to
            if DICE.random() < 0.5:
                model.with_adapter("b").logits([oc.stepping.Need(need.tokens, need.wanted) for need in needs])
        switched(hf, ("a",))

    elsewhere(())
    return stirred(model, elsewhere)


@pytest.fixture(scope="module", autouse=True, params=["store", "pinned", "switching"])
def variant(request: pytest.FixtureRequest) -> Iterator[None]:
    """Laws run on models of this variant. Those with a store are of one store, and its chunks have three tokens."""
    with ExitStack() as stack:
        if request.param == "store":
            stack.enter_context(small_chunks(3))
            store = oc.store.KVStore(stack.enter_context(tempfile.TemporaryDirectory()), 1 << 20)
            VARIANTS.append(Variant(partial(with_a_store, store)))
        else:
            make = pinned if request.param == "pinned" else switching
            VARIANTS.append(Variant(make, lambda: switched(adapted_hf(), ("a",))))
        stack.callback(VARIANTS.pop)
        yield


FEW = settings(max_examples=16, deadline=None)
SWITCHES, SEEDS = st.integers(0, 99), st.integers(0, 99)


def law(test: Any, drawn: tuple[Any, ...], switches: int) -> None:
    """A test of test_laws.py on what was drawn for it here."""
    DICE.seed(switches)
    test.hypothesis.inner_test(*drawn)


@FEW
@given(st.tuples(states(), STEP_NAMES, SEEDS, st.integers(1, 3)), SWITCHES)
def test_law_2_keys_and_values_are_not_part_of_the_value(drawn: Any, switches: int) -> None:
    law(laws.test_law_2_keys_and_values_are_not_part_of_the_value, drawn, switches)


@FEW
@given(st.tuples(states(), st.integers(0, 12), SEEDS, st.data()), SWITCHES)
def test_law_3_a_prefix_keeps_all_its_keys_and_values(drawn: Any, switches: int) -> None:
    law(laws.test_law_3_a_prefix_keeps_all_its_keys_and_values, drawn, switches)


@FEW
@given(SWITCHES, states(), SEEDS)
def test_laws_2_and_8_a_new_model_computes_and_counts_the_same(switches: int, pair: Pair, seed: int) -> None:
    """What one model has read, it finds in the store, and never under another adapter."""
    state, plain = pair
    assume(nonempty(plain))
    DICE.seed(switches)
    row = next(row for group in steps()["text"](state, max_tokens=3, seed=seed).rows for row in group if not row.dead)
    model = another_lawful_model()
    logits = model.logits([oc.stepping.Need(row.ids, (len(row) - 1,))])
    assert close(logits[-1], full_forward([*row.ids])[-1])
    assert new_tokens(model) == len(row)
    if model.store is not None and len(row) > 6:
        assert model.stats.restored >= (len(row) - 4) // 3 * 3


@FEW
@given(
    st.tuples(
        st.lists(
            st.sampled_from(["Once upon a time", "Once upon a time ", "Once upon a hill\n", "12 + 7 = "]), min_size=1
        ),
        st.sampled_from([" and then", " so  ", "\n"]),
        SEEDS,
        st.data(),
    ),
    SWITCHES,
)
def test_law_8_each_prefix_is_read_once(drawn: Any, switches: int) -> None:
    law(laws.test_law_8_each_prefix_is_read_once, drawn, switches)


@FEW
@given(
    st.tuples(
        st.lists(
            st.sampled_from(["Once", "Once upon a time", "Once upon a time\n", "12 + 7 = "]), min_size=1, max_size=3
        ),
        st.data(),
    ),
    SWITCHES,
)
def test_law_11_memory_is_what_the_states_can_reach(drawn: Any, switches: int) -> None:
    law(laws.test_law_11_memory_is_what_the_states_can_reach, drawn, switches)


KINDS = st.sampled_from(["colour", "digits", "maybe"])


@FEW
@given(SWITCHES, states(), KINDS, st.sampled_from(TEXTS), KINDS, SEEDS)
def test_law_12_a_chain_is_the_composition_of_its_steps(
    switches: int, pair: Pair, first: str, text: str, second: str, seed: int
) -> None:
    assume(nonempty(pair[1]))
    DICE.seed(switches)
    parts = [steps()[first], text, steps()[second]]
    expected = one_by_one(parts, pair[0], lawful_model(), seed=seed)
    same(chained(parts)(pair[0].kv.drop(), seed=seed), expected)
