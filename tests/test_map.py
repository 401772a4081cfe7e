"""`oc.map`: the same rows, whatever the shards, the batches, the processes and the accidents."""

from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mapped_jobs import asking, chain, prompts, question
from pydantic import BaseModel
from strategies import shipped_model
from tokenizers import pre_tokenizers

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.generate.steps import Chain
from outlines_cont.jobs import mapped
from outlines_cont.jobs.job import Job
from outlines_cont.jobs.mapped import work_name
from outlines_cont.jobs.processes import Here
from outlines_cont.jobs.recipes import Recipe, Setup, specification
from outlines_cont.jobs.shards import batches

COUNT = 12
DRAWN = oc.samplers.multinomial()


@cache
def undisturbed() -> tuple[oc.SequenceState, ...]:
    """Each row of one call with all prompts."""
    state = chain(shipped_model())(prompts(COUNT), seed=0).kv.drop()  # kept, and other tests ask what is held
    return tuple(state[b, :, :] for b in range(COUNT))


# --- equal rows


@settings(max_examples=25)
@given(st.integers(1, 13), st.sampled_from(["auto", 1, 2, 5]), st.permutations(range(COUNT)))
def test_shards_batches_and_orders_make_no_difference(shard: int, batch: Any, order: list[int]) -> None:
    given = prompts(COUNT)
    job = oc.map(chain(shipped_model()), [given[i] for i in order], seed=0, keys=order, shard=shard, batch=batch)
    assert [*job] == [undisturbed()[i] for i in order]


class Person(BaseModel):
    name: str
    age: int


def works() -> dict[str, Callable[[oc.Model], Any]]:
    """Everything that can be mapped, with each kind of sampler."""
    generate, samplers = oc.generate, oc.samplers
    return {
        "text": lambda m: generate.text(m),
        "pydantic": lambda m: generate.json(m, Person),
        "enum": lambda m: generate.choice(m, [30, None, "x"]),
        "several": lambda m: generate.regex(m, "[0-9]{1,4}", samplers.multinomial(samples=3)),
        "beams": lambda m: generate.choice(m, ["Lima", "Lisbon", "Porto"], samplers.beam_search(3)),
        "step": lambda m: oc.continuous(generate.text(m, samplers.multinomial(2)), name="t", stop_at="."),
        "particles": lambda m: chain(m, samplers.smc(3)),
        "beamed chain": lambda m: chain(m, samplers.beam_search(2)),
        "controlled": lambda m: generate.control(m, twice),
    }


def twice(row: oc.steer.Writing) -> list[oc.steer.Branch]:
    return [oc.steer.Branch(forced=" ha")] if len(row.text) < 6 else []


@pytest.mark.parametrize("name", works())
def test_results_are_those_of_one_call(name: str) -> None:
    """Values and states of one call with all prompts, however it is mapped."""
    model, given = shipped_model(), prompts(5)
    work = works()[name](model)
    whole = work(given, max_tokens=24, seed=3, errors="return")
    results = list(oc.map(work, given, seed=3, max_tokens=24, shard=2, batch=2))
    if isinstance(whole, oc.SequenceState):
        alone = [whole[b, [s for s, row in enumerate(rows) if not row.dead], :] for b, rows in enumerate(whole.rows)]
        assert results == alone
        assert [r.captures for r in results if "city" in r.captures] == [
            r.captures for r in alone if "city" in r.captures
        ]
    else:
        expected = [values[0] if len(values) == 1 else values for values in whole]
        assert [plain(r) for r in results] == [plain(e) for e in expected]


def plain(value: Any) -> Any:
    """A value that can be compared: of an error its class."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    return type(value) if isinstance(value, Exception) else value


def test_a_scoring_gives_what_score_gives() -> None:
    model, texts = shipped_model(), [" painter", " sailor"]
    for normalize in ("sum", "mean", "unconditional"):
        job = oc.scores.scoring(model, texts, stop=True, normalize=normalize)
        expected = oc.score(model.state(prompts(5)), texts, stop=True, normalize=normalize)
        assert list(oc.map(job, prompts(5), seed=0, shard=2)) == [
            pytest.approx(row, abs=1e-3) for [row] in expected.tolist()
        ]
    with pytest.raises(TypeError, match="takes no option 'keep'"):
        oc.map(job, prompts(2), seed=0, keep=oc.Keep(candidates=3))


def test_chats_and_token_ids_are_prompts() -> None:
    model = shipped_model()
    question = [{"role": "user", "content": "What is the capital of France?"}]
    text = oc.generate.text(model, oc.samplers.greedy())
    ids = model.state("The sky is").token_ids[0, 0]
    assert list(oc.map(text, [question, ids, "The sky is"], seed=0, max_tokens=3)) == [
        text(model.chat(question), max_tokens=3),
        *[text("The sky is", max_tokens=3)] * 2,
    ]


def test_what_the_prompts_of_a_shard_share_is_read_once() -> None:
    """The positions that are computed are the distinct ones, over all batches of a shard."""
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
    shared = "Once upon a time there was a painter in Lisbon, who liked the colour green. " * 4
    given = [f"{shared}{name} is" for name in ["Mira", "Tom", "Mary", "Tim"]]
    number = oc.generate.choice(model, [" old", " new"], oc.samplers.greedy(), by="sequence")
    for _ in oc.map(number, given, seed=0, batch=1):
        pass
    state = model.state(given)
    distinct = {row.ids[:n] for [row] in state.rows for n in range(1, len(row) + 1)}
    assert len(distinct) <= model.stats.tokens <= len(distinct) + 4 * 4  # and the options
    model.stats.reset()
    list(oc.map(oc.generate.text(model), given, seed=0, max_tokens=1))
    assert model.stats.tokens + model.stats.reread <= len(distinct) + 1


def test_a_shard_depends_on_nothing_that_was_done_before(tmp_path: Path) -> None:
    """Byte for byte: a shard alone, and after others."""
    given = prompts(9)
    for name, rows in [("all", range(9)), ("last", range(6, 9))]:
        model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
        for _ in oc.map(chain(model), given[rows.start :], keys=rows, seed=0, shard=3, out=tmp_path / name):
            pass
    [last] = (tmp_path / "last").glob("*.shard")
    assert last.read_bytes() == (tmp_path / "all" / last.name).read_bytes()


def test_states_hold_no_keys_and_values() -> None:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
    kept = list(oc.map(chain(model), prompts(6), seed=0, shard=2))
    assert model.stats.kv_bytes == 0 and len(kept) == 6


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.integers(1, 4))
@settings(max_examples=20)
def test_a_batch_holds_each_row_once_and_beginnings_stand_together(picks: list[int], size: int) -> None:
    model = shipped_model()
    rows = [model.state(prompts(6)[pick]).rows[0][0] for pick in picks]
    job = Job.of(chain(model), 0, 8, {})
    made = list(batches(job, rows, range(len(rows)), size, [None] * len(rows)))
    order = [place for batch in made for place in batch]
    assert sorted(order) == list(range(len(rows))) and all(len(batch) <= size for batch in made)
    assert [rows[place].ids for place in order] == sorted(row.ids for row in rows)


def test_a_small_budget_makes_small_batches() -> None:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
    rows = [row for [row] in model.state(prompts(8)).rows]
    job = Job.of(chain(model), 0, 8, {})
    sizes = {}
    for budget in (None, 1 << 30, 1 << 17):
        model.kv_budget = budget
        sizes[budget] = max(map(len, batches(job, rows, range(8), "auto", [None] * 8)))
    assert sizes[None] == sizes[1 << 30] == 8 > sizes[1 << 17] >= 1


# --- rows that fail


class TooRude(Exception):
    """An error of the user's."""


def polite(draw: oc.steer.Draw) -> None:
    if "Tom" in draw.row.before:
        raise TooRude("no")


def test_a_row_that_fails_leaves_its_neighbours_as_they_are() -> None:
    model = shipped_model()
    given: list[Any] = prompts(7)
    given[3], given[4], given[5] = None, "so " * 3000, []
    for shard, batch in [(7, "auto"), (2, 1), (3, "auto")]:
        results = list(oc.map(chain(model), given, seed=0, shard=shard, batch=batch, hooks=[polite]))
        assert [b for b, each in enumerate(results) if isinstance(each, oc.SequenceState)] == [0, 2]
        assert all(results[b] == undisturbed()[b] for b in (0, 2)) and str(results[6]) == "TooRude: no"
        assert list(map(str, results[1:2] + results[3:6])) == [
            "TooRude: no",
            "a prompt is a str, token ids or messages, not None (NoneType)",
            "the prompt has 6002 tokens; the model's context is 2048",
            "the row is empty: generation needs at least one token to go on from",
        ]
        assert list(map(type, results[1:2] + results[3:6])) == [oc.errors.RowError, TypeError, ValueError, ValueError]
        assert results[1].row == (1, 0) and list(results[1].state) == [given[1]]


def test_errors_are_raised_if_they_are_to_be() -> None:
    results = oc.map(chain(shipped_model()), ["The sky is", None], seed=0, errors="raise")
    assert next(results).shape[0] == 1
    with pytest.raises(TypeError, match="not None") as caught:
        next(results)
    assert caught.value.__notes__ == ["This is the error of prompt 1, key 1."]


def test_a_value_that_was_cut_short_is_an_error_that_can_go_on() -> None:
    person = oc.generate.json(shipped_model(), Person, oc.samplers.greedy())
    [error] = oc.map(person, ["Mira is 34.\nJSON: "], seed=0, max_tokens=2)
    assert isinstance(error, oc.errors.IncompleteError)
    assert isinstance(person.values(person.resume(error.state, max_tokens=60)), Person)


def test_an_error_of_one_sample_is_raised_too() -> None:
    three = oc.continuous(oc.generate.regex(shipped_model(), "[0-9]{2}", oc.samplers.multinomial(samples=3)))

    def second(draw: oc.steer.Draw) -> None:
        if draw.row.lineage == (1, 1):
            raise ValueError("not this sample")

    for work in (three, three.generator):
        results = oc.map(work, prompts(2), seed=0, hooks=[second], errors="raise")
        next(results)
        with pytest.raises(ValueError, match="not this sample") as caught:
            next(results)
        assert caught.value.__notes__[-1] == "This is the error of prompt 1, key 1."


def test_samples_fail_one_by_one() -> None:
    three = oc.continuous(oc.generate.regex(shipped_model(), "[0-9]{2}", oc.samplers.multinomial(samples=3)))

    def second(draw: oc.steer.Draw) -> None:
        if draw.row.lineage[-1] == 1:
            raise ValueError("not this sample")

    for hooks in ([second], [second, lambda draw: None]):
        whole = three(prompts(1), seed=0, errors="return", hooks=hooks)
        [state] = oc.map(three, prompts(1), seed=0, hooks=hooks)
        assert [type(error) for error in state.errors[0]] == [type(None), ValueError, type(None)]
        assert state == whole and str(state.errors[0][1]) == "not this sample"
    whole = three.generator(prompts(1), seed=0, errors="return", hooks=[second])
    [values] = oc.map(three.generator, prompts(1), seed=0, hooks=[second])
    assert values[::2] == whole[0][::2] and str(values[1]) == "not this sample"


def test_what_needs_too_much_memory_is_done_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
    forward, sizes = model.engine.forward, []

    def small(tree: Any, runs: Any) -> Any:
        sizes.append(wanted := sum(bool(run.marks) for run in runs))
        if wanted > 3:
            raise MemoryError("too many")
        return forward(tree, runs)

    monkeypatch.setattr(model.engine, "forward", small)
    results = list(oc.map(chain(model), prompts(COUNT), seed=0))
    assert [r.tolist() for r in results] == [r.tolist() for r in undisturbed()] and max(sizes) > 3
    monkeypatch.setattr(model.engine, "forward", lambda tree, runs: (_ for _ in ()).throw(MemoryError("none")))
    assert [type(r) for r in oc.map(chain(model), prompts(2), seed=0)] == [MemoryError] * 2


# --- the input


class PlainPath:
    """A path of another library."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


def test_the_input_is_read_as_it_is_needed() -> None:
    taken = []

    def endless() -> Iterator[str]:
        for i in count():
            taken.append(i)
            yield f"Mira is {i}"

    results = oc.map(oc.generate.text(shipped_model()), endless(), seed=0, max_tokens=1, shard=3)
    assert taken == []
    for _ in range(4):
        next(results)
    assert len(taken) == 6
    results.close()


def test_rows_with_fields_and_files_of_them(tmp_path: Path) -> None:
    city = oc.generate.choice(shipped_model(), ["Rome", "Paris", "Lima"])
    rows = [{"id": f"row {i}", "question": prompt} for i, prompt in enumerate(prompts(5))]
    expected = [value for [value] in city(prompts(5), seed=1, keys=[row["id"] for row in rows])]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n", encoding="utf-8")
    fields = {"prompt": "question", "key": "id"}
    assert list(oc.map(city, rows, seed=1, shard=2, **fields)) == expected
    assert list(oc.map(city, path, seed=1, shard=3, **fields)) == expected
    assert list(oc.map(city, str(path), seed=1, **fields)) == expected
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # a mark at the beginning
    assert list(oc.map(city, PlainPath(path), seed=1, **fields)) == expected
    keys = (row["id"] for row in rows)
    assert list(oc.map(city, (row["question"] for row in rows), seed=1, keys=keys)) == expected


def test_columns_of_data_sets() -> None:
    datasets = pytest.importorskip("datasets")
    city = oc.generate.choice(shipped_model(), ["Rome", "Paris", "Lima"])
    data = datasets.Dataset.from_dict({"prompt": prompts(5), "id": [f"{i}" for i in range(5)]})
    expected = [value for [value] in city(prompts(5), seed=1, keys=data["id"][:])]
    assert list(oc.map(city, data["prompt"], seed=1, keys=data["id"], shard=2)) == expected
    assert list(oc.map(city, data, seed=1, key="id", shard=2)) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prompts": "The sky is"}, "no such file of JSON lines"),
        ({"prompts": {"a": "b"}}, "map() takes many prompts"),
        ({"prompts": 3}, "map() takes many prompts"),
        ({"prompts": {"The sky is", "Mira is"}}, "map() takes many prompts, in an order"),
        ({"prompts": b"The sky is"}, "map() takes many prompts"),
        ({"prompts": pandas.DataFrame({"prompt": ["The sky is"]})}, "table['prompt']"),
        ({"keys": {1, 2, 3}}, "keys={1, 2, 3}"),
        ({"keys": [None, 1, 2]}, "the key of prompt 0 is None (NoneType)"),
        ({"keys": ["a", "b", np.str_("a")], "shard": 1}, "the key of prompt 2, 'a', is that of an earlier one"),
        ({"keys": [3, "b", np.int64(3)], "shard": 1}, "the key of prompt 2, 3, is that of an earlier one"),
        ({"prompts": [{"prompt": "a", "id": None}], "key": "id"}, "the key of prompt 0 is None"),
        ({"keys": [1]}, "keys=: 1 given, and more prompts"),
        ({"keys": [1, 2, 3, 4]}, "keys=: more are given than"),
        ({"keys": ["a", "a", "b"]}, "the key of prompt 1, 'a', is that of an earlier one"),
        ({"keys": [-1, 0, 1]}, "the key of prompt 0 is -1"),
        ({"keys": [1.5, 0, 1]}, "the key of prompt 0 is 1.5 (float)"),
        ({"keys": "abc"}, "keys='abc'"),
        ({"key": "id"}, "names a field, and prompt 0 is no row"),
        ({"prompts": [{"id": 3}]}, "row 0 has no field 'prompt', but ['id']"),
        ({"prompts": [{"question": "a"}], "prompt": "qestion"}, "no field 'qestion' (did you mean 'question'?)"),
        ({"prompt": "question"}, "prompt='question' names a field, and prompt 0 is no row with fields"),
        ({"prompt": 3}, "prompt=3: it is the name of a field"),
        ({"key": ["id"]}, "key=['id']: it is the name of a field"),
        ({"keys": [1], "key": "id"}, "not from both"),
        ({"shard": 0}, "shard=0"),
        ({"batch": 0}, "batch=0"),
        ({"batch": "all"}, "batch='all'"),
        ({"errors": "ignore"}, "errors='ignore'"),
        ({"workers": 0}, "workers=0"),
        ({"workers": "dask"}, "workers='dask'"),
        ({"load": oc.load}, "load=… is for workers"),
        ({"max_new_tokens": 3}, "max_tokens"),
        ({"horizon": 3}, "horizon"),
        ({"seam": "glue"}, "seam='glue'"),
        ({"hook": []}, "did you mean hooks?"),
        ({"out": 3}, "out=3"),
        ({"out": "x", "seed": None}, "seed=None"),
        ({"version": 3, "out": "x"}, "version=3"),
    ],
)
def test_mistakes_are_told_by_name(
    arguments: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {"prompts": prompts(3), "seed": 0, "max_tokens": 1, **arguments}
    with pytest.raises((TypeError, ValueError, FileNotFoundError), match=re.escape(message)):
        list(oc.map(oc.generate.text(shipped_model()), given.pop("prompts"), **given))


@pytest.mark.parametrize("how", ["list", "file"])
def test_a_field_that_the_first_row_lacks_is_told_before_workers_are_made(how: str, tmp_path: Path) -> None:
    rows: Any = [{"question": "a", "id": 1}, {"question": "b", "id": 2}]
    if how == "file":
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        rows = path
    text = oc.generate.text(shipped_model())
    for fields in ({}, {"prompt": "questoin"}, {"prompt": "question", "key": "uid"}):
        with pytest.raises(ValueError, match="row 0 has no field"):
            oc.map(text, rows, seed=0, max_tokens=1, workers=lambda setup: pytest.fail("workers"), **fields)


def test_what_cannot_be_mapped_is_refused() -> None:
    with pytest.raises(TypeError, match="takes a step, a chain, a generator"):
        oc.map(len, prompts(2), seed=0)
    with pytest.raises(TypeError, match="max_tokens=3: a scoring writes no tokens"):
        oc.map(oc.scores.scoring(shipped_model(), "x"), prompts(2), seed=0, max_tokens=3)


def test_lines_that_are_no_rows_are_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    for text, message in [
        ('{"prompt": "a"}\n{"prompt', "line 2: it is no JSON"),
        ("[1]", "line 1: a line is an object"),
    ]:
        path.write_text(text)
        with pytest.raises(ValueError, match=re.escape(message)):
            list(oc.map(oc.generate.text(shipped_model()), path, seed=0, max_tokens=1))


def test_a_call_without_a_seed_is_told_what_to_write() -> None:
    for options, message in [
        (
            {"prompts": ["a"]},
            "map(work, prompts, seed=…, …): missing a required argument: 'seed': write seed=0, or another",
        ),
        ({"seed": 0}, "missing a required argument: 'prompts': a list of prompts"),
        ({"prompts": ["a"], "seed": 0, "n": 3}, "takes no option 'n': how many samples is a sampler's"),
    ]:
        with pytest.raises(TypeError, match=re.escape(message)):
            oc.map(chain(shipped_model()), **options)
    with pytest.raises(TypeError, match="too many positional arguments"):
        oc.map(chain(shipped_model()), ["a"], 0)  # type: ignore[misc]


def test_a_seed_that_nobody_gave_is_told() -> None:
    drawn = oc.map(chain(shipped_model()), prompts(3), seed=None)
    assert [*drawn] == [*oc.map(chain(shipped_model()), prompts(3), seed=drawn.seed)]


# --- the folder


def test_values_of_another_job_do_not_outlive_the_beginning_of_this_one(tmp_path: Path) -> None:
    model = shipped_model()
    assert len([*oc.map(chain(model), prompts(3), seed=0, shard=1, out=tmp_path)]) == 3
    assert (tmp_path / "values.jsonl").exists()
    other = oc.map(chain(model), prompts(3), seed=1, shard=1, out=tmp_path)
    next(other)
    other.close()
    assert not (tmp_path / "values.jsonl").exists() and list(tmp_path.glob("*.shard"))


def test_a_second_run_does_what_is_missing(tmp_path: Path) -> None:
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
    first = [*oc.map(chain(model), prompts(COUNT), seed=0, shard=5, out=tmp_path)]
    values = (tmp_path / "values.jsonl").read_bytes()
    shards = sorted(tmp_path.glob("*.shard"))
    assert first == [*undisturbed()] and len(shards) == 3
    assert sorted(tmp_path.iterdir()) == sorted([*shards, tmp_path / "values.jsonl"])
    model.stats.reset()
    again = oc.map(chain(model), prompts(COUNT), seed=0, shard=5, out=tmp_path)
    assert [each.identical(one) for each, one in zip(again, first, strict=True)] == [True] * COUNT
    assert again.skipped == COUNT and model.stats.tokens == 0
    shards[1].unlink()
    (tmp_path / "values.jsonl").unlink()
    assert [*oc.map(chain(model), prompts(COUNT), seed=0, shard=5, out=tmp_path)] == first
    assert model.stats.tokens > 0 and (tmp_path / "values.jsonl").read_bytes() == values
    model.stats.reset()
    longer = oc.map(chain(model), prompts(COUNT + 3), seed=0, shard=5, out=tmp_path)
    assert [*longer][:COUNT] == first and longer.skipped == 10


def test_a_shard_that_was_damaged_is_done_again(tmp_path: Path) -> None:
    run = lambda: oc.map(chain(shipped_model()), prompts(4), seed=0, out=tmp_path)  # noqa: E731
    first = [*run()]
    [path] = tmp_path.glob("*.shard")
    for damaged in (path.read_bytes()[:-5], path.read_bytes().replace(b"Lisbon", b"Lisbom"), b"", b"hello"):
        path.write_bytes(damaged)
        with pytest.warns(UserWarning, match="was damaged"):
            assert [*run()] == first


def test_the_file_of_values_says_what_the_results_are(tmp_path: Path) -> None:
    model = shipped_model()
    person = oc.generate.json(model, Person, oc.samplers.greedy())
    results = [*oc.map(person, ["Mira is 34.\nJSON: ", None], seed=0, out=tmp_path, keys=["a", "b"])]
    lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
    assert lines == [
        {"key": "a", "value": results[0].model_dump()},
        {"key": "b", "error": {"type": "TypeError", "message": str(results[1])}},
    ]
    states = [*oc.map(chain(model), prompts(2), seed=0, out=tmp_path)]
    lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
    for state, prompt, line in zip(states, prompts(2), lines, strict=True):
        assert prompt + line["text"] == str(state)
        assert line["captures"] == {name: state.captures[name][0][0] for name in ("age", "city")}
    many = [*oc.map(works()["beams"](model), prompts(2), seed=0, out=tmp_path)]
    lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
    assert [line["value"] for line in lines] == many


def test_the_file_of_values_is_utf_8_whatever_is_in_it(tmp_path: Path) -> None:
    text = oc.generate.text(shipped_model(), oc.samplers.greedy())
    given: list[Any] = [[{"role": "user", "content": object()}], "half \ud800", "Zoë"]
    results = [*oc.map(text, given, seed=0, keys=["half \ud800", "ö", "b"], max_tokens=2, out=tmp_path)]
    lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["key"] for line in lines] == ["half \ud800", "ö", "b"] and lines[2]["value"] == results[2]
    assert [type(each) for each in results] == [TypeError, ValueError, str]
    assert "messages hold texts, numbers, lists and dicts" in str(results[0])


@given(st.recursive(st.floats() | st.text(max_size=3), lambda part: st.lists(part) | st.dictionaries(st.text(), part)))
def test_lines_of_values_are_json_by_the_standard(value: Any) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    def plain_value(value: Any) -> Any:
        if isinstance(value, list):
            return list(map(plain_value, value))
        if isinstance(value, dict):
            return {name: plain_value(each) for name, each in value.items()}
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN" if value != value else value)

    data = mapped.line({"key": "a", "value": mapped.jsonable(value)})
    assert json.loads(data.decode("utf-8"), parse_constant=refuse)["value"] == plain_value(value)


class CountingPool:
    """A pool of one worker elsewhere, which remembers what it was given before it was first waited for."""

    size = 1

    def __init__(self, setup: Setup) -> None:
        self.here, self.submitted, self.before_the_first = Here(setup.job, setup.batch), 0, 0

    def submit(self, number: int, task: bytes) -> None:
        self.submitted += 1
        self.here.submit(number, task)

    def wait(self) -> tuple[int, bytes]:
        self.before_the_first = self.before_the_first or self.submitted
        return self.here.wait()

    def close(self) -> None:
        self.here.close()


def test_one_worker_has_the_next_shards_while_results_are_taken() -> None:
    pools: list[CountingPool] = []
    results = oc.map(
        chain(shipped_model()),
        prompts(COUNT),
        seed=0,
        shard=2,
        workers=lambda setup: pools.append(CountingPool(setup)) or pools[0],
    )
    assert [*results] == [*undisturbed()]
    assert (pools[0].before_the_first, pools[0].submitted) == (3, 6)


def test_a_mistake_in_the_input_is_raised_in_its_turn() -> None:
    """Results of the shards before it come first, though it was read before they were done."""
    pool = lambda setup: CountingPool(setup)  # noqa: E731
    results = oc.map(chain(shipped_model()), prompts(8), seed=0, shard=2, keys=[*range(7), 3], workers=pool)
    assert [next(results) for _ in range(6)] == [*undisturbed()[:6]]
    with pytest.raises(ValueError, match="the key of prompt 7, 3, is that of an earlier one"):
        next(results)


def test_healed_prompts_are_told_from_what_was_written(tmp_path: Path) -> None:
    text = oc.continuous(oc.generate.text(shipped_model(), oc.samplers.greedy()), seam="heal")
    [state] = oc.map(text, ["The sky is bl"], seed=0, max_tokens=3, out=tmp_path)
    [line] = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
    assert "The sky is bl" + line["text"] == str(state)


def test_the_code_of_the_user_needs_a_version(tmp_path: Path) -> None:
    model = shipped_model()
    sampler = oc.samplers.multinomial(filters=[lambda row, logits: logits])
    own = guide.regex("[ab]", model.vocabulary)
    for work, options, name in [
        (oc.generate.text(model), {"hooks": [polite]}, "polite"),
        (oc.generate.text(model, sampler), {}, "<lambda>"),
        (oc.generate.control(model, twice), {}, "twice"),
        (oc.Generator(model, own), {}, "the guide"),
        (asking(model), {}, "question"),
    ]:
        with pytest.raises(TypeError, match=f"{re.escape(name)}.*version="):
            oc.map(work, prompts(2), seed=0, out=tmp_path, max_tokens=2, **options)
        names = {
            work_name(Job.of(work, 0, 2, options), version)
            for version in ("1", "2")  # type: ignore[arg-type]
        }
        assert len(names) == 2
        for _ in oc.map(work, prompts(2), seed=0, out=tmp_path, max_tokens=2, version="1", **options):
            pass
    assert len(list(tmp_path.glob("*.shard"))) == 5


def test_functions_in_chains_are_mapped_and_travel(tmp_path: Path) -> None:
    """A row that a function ends has no value; another function, or another place of it, is other work."""
    model = shipped_model()
    work, given = asking(model), prompts(6)
    whole = work(given, seed=3)
    mapped: list[Any] = list(oc.map(work, given, seed=3, shard=2, out=tmp_path, version="1"))
    assert mapped == [whole[b : b + 1, :, :] for b in range(6)]
    assert {len(state.spans[0][0]) for state in mapped} == {2, 4}, "and some rows end at the question"
    job = Job.of(work, 3, None, {})
    worker = Recipe.of(job, "auto").worker(model)
    assert worker.job.parts[1] is work.parts[1] and specification(worker.job, "1") == specification(job, "1")
    age, _, city = work.parts
    others: list[Any] = [age >> "" >> city, age >> "x" >> question >> city, age >> question >> "x" >> city]
    names = {specification(Job.of(each, 3, None, {}), "1") for each in (work, *others)}
    assert len(names) == 4


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    def pressed(draw: oc.steer.Draw) -> None:
        if "Hari" in draw.row.before:
            raise KeyboardInterrupt

    step = chain(shipped_model())
    results = oc.map(step, prompts(6), seed=0, shard=2, out=tmp_path, hooks=[pressed], version="1")
    with pytest.raises(KeyboardInterrupt, match=r"after 2 results.*the same call goes on from there"):
        list(results)
    assert len(list(tmp_path.glob("*.shard"))) == 1 and not (tmp_path / "values.jsonl").exists()
    with pytest.raises(KeyboardInterrupt, match="With out='folder' the shards that are done would be kept"):
        list(oc.map(step, prompts(6), seed=0, shard=2, hooks=[pressed]))


# --- names of work

WORDS = st.lists(st.sampled_from(["red", "blue", "green"]), min_size=1, unique=True)
SAMPLERS = st.one_of(
    st.builds(oc.samplers.greedy, st.lists(st.builds(oc.filters.min_tokens, st.integers(1, 4)), max_size=2)),
    st.builds(
        oc.samplers.multinomial,
        st.integers(1, 3),
        st.sampled_from([0.5, 1.0, 2.0]),
        st.sampled_from([None, 1, 20]),
        st.sampled_from([None, 0.5, 1.0]),
        st.sampled_from([None, 0.1]),
        filters=st.lists(
            st.one_of(
                st.builds(oc.filters.repetition_penalty, st.sampled_from([1.1, 1.5])),
                st.builds(oc.filters.bad_words, st.sampled_from([["no"], ["no", "never"]])),
                st.builds(
                    oc.filters.logit_bias, st.dictionaries(st.integers(5, 9), st.sampled_from([1.0, -1.0]), min_size=1)
                ),
            ),
            max_size=2,
        ),
    ),
    st.builds(oc.samplers.smc, st.integers(1, 3), st.sampled_from([0.1, 0.5])),
    st.builds(oc.samplers.beam_search, st.integers(1, 3), st.sampled_from([0.0, 1.0]), spellings=st.integers(1, 2)),
)
KINDS: dict[str, Callable[..., Any]] = {
    "text": lambda draw: ("text", {"include_stop": draw(st.booleans())}),
    "regex": lambda draw: ("regex", {"pattern": draw(st.sampled_from(["[0-9]", "[0-9]+"]))}),
    "choice": lambda draw: ("choice", {"options": draw(WORDS)}),
    "json": lambda draw: (
        "json",
        {
            "schema": {"type": "object", "properties": {n: {"type": "integer"} for n in draw(WORDS)}},
            "spelling": draw(st.sampled_from(["plain", "any"])),
        },
    ),
}
#: A job as plain values, and what makes it of them: two jobs are to have one name if and only if these are equal.
Plain = tuple[Any, ...]


@st.composite
def plain_jobs(draw: Callable[..., Any]) -> Plain:
    kind, arguments = KINDS[draw(st.sampled_from(sorted(KINDS)))](draw)
    sampler = draw(SAMPLERS)
    stop = draw(st.sampled_from(["elsewhere", "eos"]))
    forced = draw(st.sampled_from(["canonical", "never"]))
    step = {
        "name": draw(st.sampled_from([None, "a", "b"])),
        "seam": draw(st.sampled_from(["keep", "heal"])),
        "max_tokens": draw(st.sampled_from([None, 4, 5])),
        "retries": draw(st.sampled_from([None, 7, 100])),
    }
    if kind == "text":
        step["stop_at"] = draw(st.sampled_from([None, ".", (".", "!")]))
    call = {"max_tokens": draw(st.sampled_from([None, 4, 6]))}
    around = draw(st.sampled_from([None, ("", ""), (" so ", ""), ("", " so ")]))
    return kind, arguments, sampler, stop, forced, step, call, around


def made(plain_job: Plain) -> Job:
    kind, arguments, sampler, stop, forced, step, call, around = plain_job
    generator = getattr(oc.generate, kind)(shipped_model(), sampler=sampler, stop=stop, forced=forced, **arguments)
    retries = oc.steer.Hooks(retries=step["retries"])
    work: Any = oc.continuous(generator, hooks=retries, **{k: v for k, v in step.items() if k != "retries"})
    if around is not None:
        before, after = around
        work = Chain(tuple(part for part in (before, work, after) if part))
    return Job.of(work, 0, call["max_tokens"], {})


def meaning(plain_job: Plain) -> Any:
    """What makes a difference, of a job that is one step."""
    kind, arguments, sampler, stop, forced, step, call, around = plain_job
    budget = call["max_tokens"] if around is None and call["max_tokens"] is not None else step["max_tokens"]
    budget = call["max_tokens"] if budget is None else budget
    stops = step.get("stop_at")
    filled = {**step, "max_tokens": budget, "retries": step["retries"] or 100}
    filled["stop_at"] = (stops,) if isinstance(stops, str) else stops
    # a sampler's repr leaves out some of its parts
    return pickle.dumps([kind, arguments, type(sampler), vars(sampler), stop, forced, filled, around or ("", "")])


@settings(max_examples=120)
@given(plain_jobs(), plain_jobs(), st.data())
def test_work_has_one_name_and_other_work_another(a: Plain, b: Plain, data: st.DataObject) -> None:
    if data.draw(st.booleans()):  # two that differ in one part at most
        place = data.draw(st.integers(2, 7))
        part = (
            b[place]
            if place != 5
            else {k: v for k, v in b[5].items() if k != "stop_at"}
            | ({"stop_at": a[5]["stop_at"]} if "stop_at" in a[5] else {})
        )
        b = (*a[:place], part, *a[place + 1 :])
    one, other, again = specification(made(a)), specification(made(b)), specification(made(a))
    assert one == again and json.loads(one)
    assert (one == other) == (meaning(a) == meaning(b))


def test_seeds_models_and_versions_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job.of(chain(shipped_model()), 0, None, {})
    names = [work_name(job, None), work_name(replace(job, seed=1), None)]
    names.append(work_name(Job.of(chain(oc.load(dtype="bfloat16")), 0, None, {}), None))
    names += [
        work_name(Job.of(chain(shipped_model()), 0, None, {"keep": oc.Keep(**{option: 2})}), None)
        for option in ("candidates", "alternatives")
    ]
    monkeypatch.setattr(oc, "__version__", "0.0.0")
    names.append(work_name(job, None))
    monkeypatch.undo()
    names += [work_name(job, "1"), work_name(job, "2")]
    assert len(set(names)) == 8 and names[0] == work_name(job, None)
    scorings = [
        oc.scores.scoring(shipped_model(), texts, stop=stop) for texts in (["a"], ["a", "b"]) for stop in (True, False)
    ]
    assert len({specification(Job.of(each, 0, None, {})) for each in scorings}) == 4


@pytest.mark.parametrize("option", [{"windows": 7}, {"stop": True}, {"normalize": "mean"}, {"texts": ["b"]}])
def test_every_option_of_a_scoring_is_in_its_name_and_travels(option: dict[str, Any]) -> None:
    model = shipped_model()
    plain_one, other = (oc.scores.scoring(model, **{"texts": ["a"], **given}) for given in ({}, option))
    job = Job.of(other, 0, None, {})
    assert specification(job) != specification(Job.of(plain_one, 0, None, {}))
    assert Recipe.of(job, "auto").worker(model).job.work == other


def test_how_texts_become_tokens_is_in_the_name_of_work() -> None:
    """The same parameters and vocabulary, and another chat template, cut, length of a row or setting of the config."""

    def changed(tokenizer: Any = lambda t: None, config: Any = lambda c: None) -> oc.Model:
        model = oc.load()
        config(model.hf.config)
        tokenizer(model.tokenizer)
        return oc.Model(model.hf, model.tokenizer)

    def padding(tokenizer: Any) -> None:
        tokenizer.backend_tokenizer.enable_padding()
        tokenizer.backend_tokenizer.enable_truncation(2)

    models = [
        changed(),
        changed(lambda t: setattr(t, "chat_template", "{{ messages[0]['content'] }}")),
        changed(lambda t: setattr(t.backend_tokenizer, "pre_tokenizer", pre_tokenizers.Sequence([]))),
        changed(config=lambda c: setattr(c, "max_position_embeddings", 100)),
        changed(config=lambda c: setattr(c, "rms_norm_eps", 0.5)),
    ]
    assert len({model.identity for model in models}) == 1
    assert len({work_name(Job.of(chain(model), 0, None, {}), None) for model in models}) == 5
    names = {work_name(Job.of(chain(model), 0, None, {}), None) for model in (models[0], changed(padding))}
    assert len(names) == 1  # how a call pads its texts is no part of it


def test_values_of_an_earlier_run_are_removed_when_a_run_begins(tmp_path):
    from outlines_cont.jobs.mapped import ShardFolder

    with ShardFolder(tmp_path, "first").values() as file:
        file.write(b"first")
    with pytest.raises(KeyboardInterrupt), ShardFolder(tmp_path, "second").values() as file:
        assert not (tmp_path / "values.jsonl").exists()
        raise KeyboardInterrupt
    assert not (tmp_path / "values.jsonl").exists()
