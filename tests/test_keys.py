"""Random keys: law 9 for jobs that are cut into parts, and what `keys=` takes.

A row draws by its tokens, the seed and its key, so the parts of a job, whose rows have the keys that they have in the
whole, give the rows of the whole: in any order, some of them twice, in any process.
"""

from __future__ import annotations

import asyncio
from functools import cache
from math import isclose
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import lawful_model, shipped_model

import outlines_cont as oc
from outlines_cont.state.prompts import MOST_KEY, checked_keys, lineages
from outlines_cont.state.row import Row

PROMPTS = ["Mira is a", "Tom", "The sky is", "In 19", "Mira is a", "Zora says", "a", "Once upon a time"]
IDS = st.one_of(st.integers(0, MOST_KEY - 1), st.text(max_size=4))


def close(a: Any, b: Any) -> bool:
    """Whether facts of rows are equal, numbers up to rounding."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return isclose(a, b, rel_tol=1e-3, abs_tol=1e-3)
    return a == b


def same_rows(one: tuple[Row, ...], two: tuple[Row, ...]) -> bool:
    """`identical` of two batch rows, up to rounding: tokens, spans, stops, resamplings, lineage, scores."""
    return len(one) == len(two) and all(close(a.facts(), b.facts()) for a, b in zip(one, two, strict=True))


@cache
def jobs() -> dict[str, Any]:
    model, g, s = lawful_model(), oc.generate, oc.samplers
    text = oc.continuous(g.text(model, s.multinomial(samples=2)), name="text", max_tokens=3)
    word = oc.continuous(g.regex(model, "[a-z]{1,6}"), name="word")
    number = oc.continuous(g.regex(model, "[0-9]{1,3}"), name="number")
    return {
        "samples": text,
        "pattern": word,
        "chain": word >> " of " >> number,
        "beams": oc.continuous(g.regex(model, "[a-z]{2}", s.beam_search(2))),
        "particles": oc.continuous(g.regex(model, "[a-z]{1,3}", s.smc(3))),
    }


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["samples", "pattern", "chain", "beams", "particles"]), st.integers(0, 99), st.data())
def test_law_9_a_job_in_any_parts_gives_the_same_rows(kind: str, seed: int, data: st.DataObject) -> None:
    """Random shards of rows, in a random order, some rows more than once; keys are indices of the whole, or ids."""
    job, count = jobs()[kind], data.draw(st.integers(1, len(PROMPTS)))
    prompts, keys = PROMPTS[:count], data.draw(st.none() | st.lists(IDS, min_size=count, max_size=count, unique=True))
    whole = job(prompts, seed=seed, keys=keys)
    place = st.integers(0, count - 1)
    for shard in data.draw(st.lists(st.lists(place, min_size=1, max_size=4, unique=True), min_size=1, max_size=4)):
        part = job([prompts[i] for i in shard], seed=seed, keys=[keys[i] if keys else i for i in shard])
        assert all(same_rows(part.rows[at], whole.rows[i]) for at, i in enumerate(shard))
        joined = oc.cat([part[at, :, :] for at in range(len(shard))], 0)
        assert [[row.lineage for row in group] for group in joined.rows] == [
            [row.lineage for row in whole.rows[i]] for i in shard
        ]


@given(st.lists(IDS, unique=True, max_size=20))
def test_a_str_never_has_the_lineage_of_an_int(keys: list[int | str]) -> None:
    """An int is its own lineage; those of strs are negative, and all of them differ."""
    numbers = checked_keys(keys)
    assert len(set(numbers)) == len(keys)
    assert all(number == key if isinstance(key, int) else number < 0 for number, key in zip(numbers, keys, strict=True))
    assert lineages(numbers, len(keys)) == [(number,) for number in numbers]
    assert all(number < 0 for number in checked_keys([str(key) for key in keys if isinstance(key, int)]))


def test_the_lineage_of_a_str_does_not_change() -> None:
    """Jobs of one version go on under another."""
    assert checked_keys("doc-17") == (-206778415393608489530752217344227888379,)


FORMS = {
    "generator": lambda p, **o: oc.generate.text(lawful_model()).run(p, 3, **o),
    "step": lambda p, **o: text()(p, 3, **o),
    "stream of a generator": lambda p, **o: list(oc.generate.text(lawful_model()).stream(p, 3, **o))[-1],
    "stream": lambda p, **o: list(text().stream(p, 3, **o))[-1],
    "stream of a chain": lambda p, **o: list((text() >> "").stream(p, 3, **o))[-1],
    "chain": lambda p, **o: (text() >> "")(p, 3, **o),
    "begin": lambda p, **o: ended(text().begin(p, 3, **o)),
    "begin of a generator": lambda p, **o: ended(oc.generate.text(lawful_model()).begin(p, 3, **o)),
    "begin of a chain": lambda p, **o: ended((text() >> "").begin(p, 3, **o)),
    "acall": lambda p, **o: asyncio.run(text().acall(p, 3, **o)),
    "astream": lambda p, **o: asyncio.run(last(text().astream(p, 3, **o))),
    "state": lambda p, keys=None, **o: text()(lawful_model().state(p, keys=keys), 3, **o),
    "keyed": lambda p, keys, **o: text()(lawful_model().state(lawful_model().state(p), keys=keys), 3, **o),
    "ids": lambda p, **o: text()([lawful_model().state(each).token_ids[0, 0].tolist() for each in p], 3, **o),
}


@cache
def text() -> oc.Step:
    return oc.continuous(oc.generate.text(lawful_model()))


def ended(frontier: oc.stepping.Frontier) -> oc.SequenceState:
    while not frontier.done:
        frontier = frontier.step(lawful_model().logits(frontier.pending))
    return frontier.state


async def last(partials: Any) -> Any:
    return [partial async for partial in partials][-1]


@pytest.mark.parametrize("form", FORMS)
def test_every_call_takes_keys(form: str) -> None:
    whole = text()(PROMPTS, 3, seed=4)
    part = FORMS[form]([PROMPTS[i] for i in (6, 1, 4)], seed=4, keys=[6, 1, 4])
    assert part == whole[[6, 1, 4], :] and [[row.lineage for row in g] for g in part.rows] == [[(6,)], [(1,)], [(4,)]]
    named = FORMS[form](PROMPTS[:2], seed=4, keys=["6", "b"])
    assert named == FORMS[form](PROMPTS[1::-1], seed=4, keys=["b", "6"])[::-1, :]


def test_values_and_a_model_take_keys() -> None:
    model = lawful_model()
    whole = oc.generate.text(model)(PROMPTS, 3, seed=4)
    assert oc.generate.text(model)(PROMPTS[5], 3, seed=4, keys=5) == model(PROMPTS[5], None, None, 3, seed=4, keys=[5])
    assert [oc.generate.text(model)(PROMPTS[5], 3, seed=4, keys=5)] == whole[5]
    assert asyncio.run(oc.generate.text(model).acall(PROMPTS[5:], 3, seed=4, keys=range(5, 8))) == whole[5:]


def test_chats_take_keys() -> None:
    chats = [[{"role": "user", "content": name}] for name in ("Mira", "Tom", "Zora")]
    step, model = oc.continuous(oc.generate.text(shipped_model())), shipped_model()
    whole = step(model.chat(chats), 4, seed=0)
    assert step(model.chat(chats[2], keys=2), 4, seed=0) == whole[2, :]
    assert step(model.chat(chats[:0:-1], keys=[2, 1]), 4, seed=0) == whole[[2, 1], :]


@pytest.mark.parametrize("errors", ["raise", "return"])
def test_a_prompt_that_fails_keeps_its_key_to_itself(errors: Any) -> None:
    """The rows beside it have theirs."""
    model = lawful_model()
    prompts: Any = ["Mira", [10**6], "Tom"]
    step = oc.continuous(oc.generate.text(model))
    whole = step(["Mira", "x", "Tom"], 3, seed=1, keys=["a", "b", "c"])
    if errors == "return":
        state = step(prompts, 3, seed=1, keys=["a", "b", "c"], errors="return")
    else:
        with pytest.raises(ValueError, match="token id 1000000") as caught:
            step(prompts, 3, seed=1, keys=["a", "b", "c"])
        state = caught.value.state  # type: ignore[attr-defined]
    assert same_rows(state.rows[0], whole.rows[0]) and same_rows(state.rows[2], whole.rows[2])
    assert [len(rows) for rows in state.tolist()] == [1, 0, 1]


def test_keys_are_ints_and_strs_of_any_kind() -> None:
    """Those of numpy, torch and pandas, too; one prompt takes one key or a list of one."""
    model = lawful_model()
    given: list[Any] = [
        np.array([5, 7]),
        torch.tensor([5, 7]),
        (5, np.int64(7)),
        [np.uint8(5), torch.tensor(7)],
        range(5, 8, 2),
    ]
    for keys in given:
        assert [rows[0].lineage for rows in model.state(["a", "b"], keys=keys).rows] == [(5,), (7,)]
    named = model.state(["a", "b"], keys=["x", "y"])
    for keys in (np.array(["x", "y"]), (np.str_("x"), "y")):
        assert model.state(["a", "b"], keys=keys).identical(named)
    one = model.state("a", keys="doc")
    assert one.identical(model.state("a", keys=["doc"])) and one.identical(model.state(["a"], keys=["doc"]))
    assert model.state("a", keys=np.int64(3)).identical(model.state("a", keys=[3]))
    assert model.state(["a", "b"], keys=[0, 1]).identical(model.state(["a", "b"]))
    assert model.state(["a", "b"], keys=None).identical(model.state(["a", "b"]))
    assert model.state(["a", "b"], keys=[1, "1"]).rows[1][0].lineage != (1,)


WRONG: list[tuple[Any, type[Exception], str]] = [
    (True, TypeError, "keys=True: it takes a list with one key for each prompt"),
    ([0, True], TypeError, r"keys\[1\]=True \(bool\): a key is an int from 0 to 2\*\*63 - 1, or a str.*str\(id\)"),
    ([0, np.bool_(True)], TypeError, r"keys\[1\]"),
    ([0, 1.0], TypeError, r"keys\[1\]=1.0 \(float\)"),
    (np.array([0.0, 1.0]), TypeError, r"keys\[0\]=0.0 \(float\)"),
    ([0, None], TypeError, r"keys\[1\]=None \(NoneType\)"),
    ([b"a", b"b"], TypeError, r"keys\[0\]=b'a' \(bytes\)"),
    (b"ab", TypeError, "keys=b'ab': it takes a list"),
    ({0, 1}, TypeError, "keys={0, 1}: it takes a list"),
    ({0: "a", 1: "b"}, TypeError, "it takes a list"),
    (iter([0, 1]), TypeError, "it takes a list"),
    ([[0], [1]], TypeError, r"keys\[0\]=\[0\] \(list\)"),
    ([0, -1], ValueError, r"keys\[1\]=-1: a key is an int from 0"),
    ([0, 2**63], ValueError, r"keys\[1\]=9223372036854775808: a key is an int from 0 to 2\*\*63 - 1"),
    (np.array([0, 2**64 - 1], dtype=np.uint64), ValueError, r"keys\[1\]=18446744073709551615"),
    ([4, 4], ValueError, r"keys\[0\] and keys\[1\] are both 4: two rows of one call with one key"),
    (["a", np.str_("a")], ValueError, r"keys\[0\] and keys\[1\] are both"),
    ([0], oc.errors.BatchMismatch, "keys=: 1 given for 2 prompts; it takes one for each, in order"),
    ([], oc.errors.BatchMismatch, "keys=: 0 given for 2 prompts"),
    ("ab", oc.errors.BatchMismatch, "keys=: 1 given for 2 prompts"),
    (range(3), oc.errors.BatchMismatch, "keys=: 3 given for 2 prompts"),
]


@pytest.mark.parametrize(("keys", "error", "message"), WRONG)
def test_other_keys_are_refused_by_name(keys: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lawful_model().state(["a", "b"], keys=keys)
    if not hasattr(keys, "__next__"):
        with pytest.raises(error, match=message):
            text()(["a", "b"], 1, keys=keys)


def test_states_have_their_keys() -> None:
    state = text()(["a", "b"], 2, seed=0)
    with pytest.raises(
        TypeError, match=r"keys= are those of prompts, and this is a state: .*model.state\(state, keys=\[…\]\)"
    ):
        text()(state, 1, keys=[4, 5])
    with pytest.raises(
        TypeError, match=r"resume\(\) takes no keys: the rows of a state have theirs, .*model.state\(state, keys"
    ):
        text().resume(state, 1, keys=[4, 5])
    with pytest.raises(TypeError, match=r"stream\(\) takes no keys with resume=True: the rows of a state have theirs"):
        text().stream(state, 1, keys=[4, 5], resume=True)
    with pytest.raises(oc.errors.BatchMismatch, match="keys=: 1 given for 2 batch rows"):
        state.model.state(state, keys=["a"])
    with pytest.raises(ValueError, match=r"state\(\) of a state of .*state.to\(model\) moves it"):
        oc.Model(state.model.hf, state.model.tokenizer).state(state, keys=["a", "b"])
    with pytest.raises(TypeError, match="special tokens are parsed in a str, and a state"):
        state.model.state(state, special=True)
    assert state.model.state(state) is state
    with pytest.raises(TypeError, match=r"continuous\(\) takes no option 'keys': it belongs to the call"):
        oc.continuous(oc.generate.text(lawful_model()), keys=[0])  # type: ignore[call-overload]


def test_a_state_of_a_state_gives_rows_the_keys_of_prompts() -> None:
    """Of several samples those that `fork` gives; dead rows stay dead; nothing else changes."""
    model, job = lawful_model(), jobs()["samples"]
    prompts = model.state(["Mira", "Tom"], keys=["m", "t"])
    plain = model.state(["Mira", "Tom"])
    assert model.state(plain, keys=["m", "t"]).identical(prompts)
    assert model.state(plain.fork(3), keys=["m", "t"]).identical(prompts.fork(3))
    sampled = job(prompts, seed=1)
    assert model.state(sampled, keys=["m", "t"]).identical(sampled)
    others = model.state(sampled, keys=[8, 9])
    assert others == sampled and not others.identical(sampled)
    dead = oc.continuous(oc.generate.text(model))([[1], [10**6]], 2, seed=0, errors="return")
    dead = model.state(dead, keys=[8, 9])
    assert dead.finished[1] == ["dead"] and dead.errors[1][0] is not None and dead.rows[0][0].lineage == (8,)
