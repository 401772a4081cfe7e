"""States as tables: each line is a row of the grid, with its values, and what ended it."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.state.captures import COLUMNS, columns

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
GREEDY = oc.samplers.greedy()


class Picky(BaseModel):
    colour: str

    @field_validator("colour")
    @classmethod
    def no_red(cls, value: str) -> str:
        if value == "red":
            raise ValueError("red is not wanted")
        return value


@settings(max_examples=12)
@given(
    options=st.lists(st.sampled_from(["Rome", "Paris", "Lima"]), min_size=1, unique=True),
    samples=st.integers(1, 3),
    prompts=st.lists(st.sampled_from(["The capital of Italy is ", "so " * 3000, "x"]), min_size=1, max_size=3),
    twice=st.booleans(),
    best=st.booleans(),
)
def test_a_table_has_a_line_for_each_row_that_is_there(
    options: list[str], samples: int, prompts: list[str], twice: bool, best: bool
) -> None:
    model = shipped_model()
    drawn = oc.generate.choice(model, options, oc.samplers.multinomial(samples=samples, top_k=9))
    step: Any = oc.continuous(drawn, name="city")
    state = (step >> " " >> step if twice else step)(prompts, seed=0, errors="return")
    state = state.best(1) if best else state
    frame = state.to_pandas()
    shown = [
        (b, s)
        for b, rows in enumerate(state.rows)
        for s, row in enumerate(rows)
        if not row.dead or state.errors[b][s] is not None
    ]
    assert list(zip(frame["batch"], frame["sample"], strict=True)) == shown
    assert [text for text in frame["text"] if text is not None] == list(state)
    for line, (b, s) in zip(frame.to_dict("records"), shown, strict=True):
        error = state.errors[b][s]
        assert line["error"] == (None if error is None else f"{type(error).__name__}: {error}")
        assert line["weight"] == state.weights[b, s].item() and line["score"] == state.scores[b, s].item()
        assert line["finished"] == state.finished[b][s]
        if "city" in state.captures:
            values = state.captures["city"][b][s]
            several = any(len(values) > 1 for rows in state.captures["city"] for values in rows)
            assert line["city"] == (values if several else values[0] if values else None)


def test_columns_have_one_type_each_and_hold_values_as_they_are() -> None:
    model = shipped_model()
    age = oc.continuous(oc.generate.choice(model, [34, None], GREEDY), name="age")
    frame = age(["Mira is 34 years old.\nQ: How old is Mira?\nA: ", "so " * 3000], errors="return").to_pandas()
    assert list(frame) == [*COLUMNS[:3], "age", *COLUMNS[3:]]
    assert frame.dtypes.astype(str).to_dict() == {
        **dict.fromkeys(("batch", "sample"), "int64"),
        **dict.fromkeys(("weight", "score"), "float64"),
        **dict.fromkeys(("text", "age", "finished", "error"), "object"),
    }
    assert frame["age"].tolist() == [34, None] and frame["text"][1] is None
    assert frame["error"][1].startswith("ValueError: row (1, 0): the prompt has ")


def test_a_value_that_its_class_refuses_is_an_error_of_its_row() -> None:
    model = shipped_model()
    colours = oc.generate.choice(model, ['{"colour":"red"}', '{"colour":"blue"}'], oc.samplers.beam_search(2))
    json = oc.generate.json(model, Picky, oc.samplers.beam_search(2))
    state = oc.continuous(colours, name="colour")("The sky: ")
    assert sorted(state.to_pandas()["colour"]) == ['{"colour":"blue"}', '{"colour":"red"}']
    # the same texts, as values of the class
    for row in state.rows[0]:
        origin = row.pieces[-1].origin
        object.__setattr__(origin, "constraint", json.constraint)
    table = columns(state.rows, model)
    told = dict(zip([text.rpartition('"colour":')[2] for text in table["text"]], table["error"], strict=True))
    assert told['"blue"}'] is None and told['"red"}'].startswith(
        "InvalidValueError: captures['colour']: the value of row"
    )
    assert [value.colour for value in table["colour"] if value is not None] == ["blue"]


def test_a_name_of_a_column_is_no_name_of_a_span_in_a_table() -> None:
    model = shipped_model()
    state = oc.continuous(oc.generate.choice(model, ["a", "b"], GREEDY), name="score")("Once ")
    with pytest.raises(ValueError, match="a table of a state has a column 'score' already: give the step another name"):
        state.to_pandas()


def test_places_without_a_sample_have_no_line() -> None:
    model = shipped_model()
    beams = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.beam_search(2)), name="city")
    state = beams(["In ", "so " * 3000], errors="return")
    assert state.finished == [["stop", "stop"], ["dead", "dead"]]
    lines = state.to_pandas()[["batch", "sample"]].values.tolist()
    assert lines == [[0, 0], [0, 1], [1, 0]], "a search that failed is one line"


def test_rows_that_failed_keep_nothing_of_the_others() -> None:
    """Neither their errors nor what was asked of the model on the way hold frames, which would hold rows."""
    model = shipped_model()
    city: Any = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], GREEDY), name="city")
    gc.collect()
    before = model.stats.kv_bytes
    gc.disable()
    try:
        city(["In ", "so " * 3000], errors="return").to_pandas()
        assert model.stats.kv_bytes == before
        red: Any = oc.continuous(oc.generate.choice(model, ['{"colour":"red"}'], GREEDY), name="colour")("The sky: ")
        origin = red.rows[0][0].pieces[-1].origin
        object.__setattr__(origin, "constraint", oc.generate.json(model, Picky).constraint)
        assert "red is not wanted" in red.to_pandas()["error"][0]
        del red, origin
        assert model.stats.kv_bytes == before
    finally:
        gc.enable()


def test_an_empty_state_is_an_empty_table() -> None:
    model = shipped_model()
    frame = model.state(["a", "b"])[[], :].to_pandas()
    assert len(frame) == 0 and list(frame) == list(COLUMNS)


def test_a_table_becomes_a_dataset_and_a_dataset_prompts() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    model = shipped_model()
    given_ = datasets.Dataset.from_dict({"prompt": ["The capital of France is ", "The capital of Italy is "]})
    city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], GREEDY), name="city")
    made = datasets.Dataset.from_pandas(city(list(given_["prompt"])).to_pandas())
    assert made["city"][:] == ["Paris", "Rome"] and made["finished"][:] == ["stop", "stop"]


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"^state\.to_pandas\(\) needs pandas: pip install pandas$"):
        shipped_model().state("a").to_pandas()
