"""One door: whatever `oc.Generator` is given is written and read back, and the makers give equal generators."""

from __future__ import annotations

import copy
import functools
import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from ipaddress import IPv4Address
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, Union
from uuid import UUID

import numpy as np
import pydantic
import pytest
import torch
import typing_extensions
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel, TypeAdapter
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary, pack
from outlines_cont.generate.asked import asked_of

GREEDY, SIX = oc.samplers.greedy(), oc.samplers.multinomial(samples=6, top_k=50)
G = oc.generate


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 20


class Person(BaseModel):
    name: Annotated[str, Field(max_length=8)]
    age: int


class Numbers(RootModel[Annotated[list[int], Field(max_length=3)]]):
    pass


@dataclass
class Point:
    x: int
    y: float = 0.0


class Movie(typing_extensions.TypedDict, total=False):
    year: int
    seen: bool


class Place(NamedTuple):
    x: int
    y: bool = True


Age = NewType("Age", int)
Job = typing_extensions.TypeAliasType("Job", Literal["baker", "painter"])
Short = Annotated[list[int], Field(max_length=3)]


def order(cups: int, sugar: bool = False, _note: Literal["a", "b"] = "a", copy: int = 0) -> None:
    """A function; some of its arguments have names that pydantic's classes use themselves."""


class Shop:
    def sell(self, cups: int) -> None:
        """A method."""


SCHEMA = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
ABC = oc.types.choice(["a", "b", "c"], by="sequence")


def of_type(*types: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in types


def reads(python_type: Any) -> Callable[[Any], bool]:
    """Whether pydantic takes the value as it stands for one of this type."""
    adapter = TypeAdapter(python_type)
    return lambda value: adapter.validate_python(value, strict=True) == value


def among(*values: Any) -> Callable[[Any], bool]:
    return lambda value: any(type(value) is type(each) and value == each for each in values)


#: What is given; whether a value is right; and the same of a maker, where there is one besides `format`.
CASES: dict[str, tuple[Any, Callable[[Any], bool], Callable[..., Any] | None]] = {
    "None": (None, of_type(str), lambda m, s: G.text(m, s)),
    "str": (str, of_type(str), lambda m, s: G.text(m, s)),
    "Literal": (Literal["red", "blue"], among("red", "blue"), lambda m, s: G.choice(m, ["red", "blue"], s)),
    "Literal of kinds": (
        Literal["a", 3, None, True],
        among("a", 3, None, True),
        lambda m, s: G.choice(m, ["a", 3, None, True], s),
    ),
    "Enum": (Colour, of_type(Colour), lambda m, s: G.choice(m, Colour, s)),
    "IntEnum": (Level, of_type(Level), lambda m, s: G.choice(m, Level, s)),
    "members": ([Colour.RED, 1], among(Colour.RED, 1), lambda m, s: G.choice(m, (Colour.RED, 1), s)),
    "list of strs": (["red", "blue"], among("red", "blue"), lambda m, s: G.choice(m, Literal["red", "blue"], s)),
    "list of ints": ([1, 2, 30], among(1, 2, 30), lambda m, s: G.choice(m, [1, 2, 30], s)),
    "tuple": ((0.5, 1.5, False), among(0.5, 1.5, False), lambda m, s: G.choice(m, [0.5, 1.5, False], s)),
    "range": (range(3), among(0, 1, 2), lambda m, s: G.choice(m, range(3), s)),
    "array": (np.array([1, 2]), among(1, 2), lambda m, s: G.choice(m, [1, 2], s)),
    "bytes in a Literal": (Literal[b"x", "y"], among(b"x", "y"), None),
    "type alias of a Literal": (Job, among("baker", "painter"), lambda m, s: G.choice(m, Job, s)),
    "pattern": (re.compile("[0-9]{2}"), lambda v: re.fullmatch("[0-9]{2}", v), lambda m, s: G.regex(m, "[0-9]{2}", s)),
    "pattern with a flag": (
        re.compile("yes|no", re.I),
        lambda v: v.lower() in ("yes", "no"),
        lambda m, s: G.regex(m, "(?i)yes|no", s),
    ),
    "pattern of ASCII": (
        re.compile(r"\d", re.A),
        lambda v: v in "0123456789",
        lambda m, s: G.regex(m, re.compile(r"\d", re.A), s),
    ),
    "verbose pattern": (re.compile("a  b # why", re.X), among("ab"), lambda m, s: G.regex(m, "(?x)a  b # why", s)),
    "int": (int, of_type(int), None),
    "float": (float, of_type(float), None),
    "bool": (bool, of_type(bool), None),
    "type of None": (type(None), among(None), None),
    "date": (date, of_type(date), None),
    "datetime": (datetime, of_type(datetime), None),
    "time": (time, of_type(time), None),
    "timedelta": (timedelta, of_type(timedelta), None),
    "UUID": (UUID, of_type(UUID), None),
    "Decimal": (Decimal, of_type(Decimal), None),
    "NewType": (Age, of_type(int), lambda m, s: oc.Generator(m, int, s)),
    "Optional": (Optional[int], of_type(int, type(None)), lambda m, s: G.format(m, int | None, s)),  # noqa: UP045
    "Union": (Union[date, bool], of_type(date, bool), None),  # noqa: UP007
    "union with a Literal": (int | Literal["none"], lambda v: v == "none" or type(v) is int, None),
    "union with an Enum": (Colour | None, lambda v: v is None or type(v) is Colour, None),
    "union with a NewType": (Age | None, of_type(int, type(None)), None),
    "union with a list": (Short | None, reads(Short | None), lambda m, s: G.json(m, Short | None, s)),
    "union with str": (Annotated[str, Field(max_length=5)] | int, of_type(str, int), None),
    "list[int]": (Short, reads(list[int]), lambda m, s: G.json(m, Short, s)),
    "bare tuple of one kind": (Annotated[tuple[bool, ...], Field(max_length=3)], reads(tuple[bool, ...]), None),
    "dict[…]": (Annotated[dict[Literal["a", "b"], bool], Field(max_length=2)], reads(dict[str, bool]), None),
    "tuple[…]": (tuple[int, bool], reads(tuple[int, bool]), lambda m, s: G.json(m, tuple[int, bool], s)),
    "set[…]": (Annotated[set[Literal[1, 2]], Field(max_length=2)], reads(set[int]), None),
    "list[date]": (Annotated[list[date], Field(max_length=2)], reads(list[date]), None),
    "Annotated int": (Annotated[int, Field(ge=10, le=12)], among(10, 11, 12), None),
    "TypedDict": (Movie, reads(Movie), lambda m, s: G.json(m, Movie, s)),
    "dataclass": (Point, of_type(Point), lambda m, s: G.json(m, Point, s)),
    "NamedTuple": (Place, of_type(Place), None),
    "pydantic class": (Person, of_type(Person), lambda m, s: G.json(m, Person, s)),
    "RootModel": (Numbers, of_type(Numbers), lambda m, s: G.json(m, Numbers, s)),
    "address": (IPv4Address, of_type(IPv4Address), None),
    "function": (order, lambda v: list(v) == ["cups", "sugar", "_note", "copy"], lambda m, s: G.json(m, order, s)),
    "method": (Shop().sell, lambda v: list(v) == ["cups"], None),
    "partial": (functools.partial(order, 3), lambda v: list(v) == ["sugar", "_note", "copy"], None),
    "schema": (SCHEMA, lambda v: list(v) == ["age"] and type(v["age"]) is int, lambda m, s: G.json(m, SCHEMA, s)),
    "types.regex": (
        oc.types.regex("[a-z]{3}"),
        lambda v: re.fullmatch("[a-z]{3}", v),
        lambda m, s: G.regex(m, "[a-z]{3}", s),
    ),
    "types.cfg": (oc.types.cfg('start: "a" | "b"'), among("a", "b"), lambda m, s: G.cfg(m, 'start: "a" | "b"', s)),
    "types.cfg in GBNF": (
        oc.types.cfg('root ::= "a"', syntax="gbnf"),
        among("a"),
        lambda m, s: G.cfg(m, 'root ::= "a"', s, syntax="gbnf"),
    ),
    "types.choice": (ABC, among("a", "b", "c"), lambda m, s: G.choice(m, ["a", "b", "c"], s, by="sequence")),
    "types.quote": (oc.types.quote("to be", words=(1, 2)), among("to", "be", "to be"), None),
    "types.json_schema": (
        oc.types.json_schema(SCHEMA),
        lambda v: type(v["age"]) is int,
        lambda m, s: G.json(m, SCHEMA, s),
    ),
    "types.json_schema of a class": (
        oc.types.json_schema(Person, whitespace="flexible", order="any"),
        of_type(Person),
        lambda m, s: G.json(m, Person, s, whitespace="flexible", order="any"),
    ),
}
LONG = pytest.mark.parametrize("name", CASES)


@LONG
def test_the_door_gives_values_of_what_it_is_given(name: str) -> None:
    given_type, right, _ = CASES[name]
    generator = oc.Generator(shipped_model(), given_type, SIX)
    state = generator.run("Value: ", max_tokens=5 if generator.constraint.kind == "text" else 200, seed=3)
    ended = [s for s in range(6) if generator.constraint.kind == "text" or state.finished[0][s] == "stop"]
    values = [generator.values(state[0, s, :]) for s in ended]
    assert values and all(map(right, values)), values


@LONG
def test_generators_of_both_roads_are_equal(name: str) -> None:
    given_type, _, maker = CASES[name]
    model = shipped_model()
    one = oc.Generator(model, given_type, GREEDY)
    others = [G.format(model, given_type, GREEDY), oc.Generator(model, given_type, GREEDY)]
    others += [maker(model, GREEDY)] if maker else []
    for other in others:
        assert isinstance(other, oc.Generator) and other == one and hash(other) == hash(one)
    assert one != oc.Generator(model, given_type, SIX) and one != oc.Generator(
        model, given_type, GREEDY, forced="never"
    )
    assert one != G.regex(model, "other", GREEDY)


@LONG
def test_what_was_cut_goes_on_as_if_it_had_not_been(name: str) -> None:
    generator = oc.Generator(shipped_model(), CASES[name][0], GREEDY)
    whole = generator.run("Value: ", max_tokens=60)
    length, start = int(whole.lengths), int(shipped_model().state("Value: ").lengths)
    cut = whole[..., : max(length - 2, start + 1)]
    assert generator.resume(cut, max_tokens=60)[..., :length] == whole


# ------------------------------------------------------------------------------------------------------ random types

SCALARS = st.sampled_from([int, float, bool, date, time, datetime, timedelta, UUID, Decimal, Colour, Level, None])
LITERALS = st.lists(st.sampled_from(["a", "b c", 1, 25, True, None]), min_size=1, max_size=3, unique_by=str)
LEAVES = SCALARS | LITERALS.map(lambda values: Literal[tuple(values)])


def shortened(python_type: Any) -> Any:
    return Annotated[python_type, Field(max_length=2)]


def wider_types(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Types that are made of others."""
    return st.one_of(
        inner.map(lambda t: shortened(list[t])),
        st.tuples(inner, inner).map(lambda ts: tuple[ts]),
        inner.map(lambda t: shortened(dict[Literal["x", "y"], t])),
        st.tuples(inner, inner).map(lambda ts: Union[ts]),  # noqa: UP007
        inner.map(lambda t: typing_extensions.TypedDict("Made", {"key": t})),
        inner.map(lambda t: pydantic.create_model("Made", key=(t, ...))),
    )


@settings(max_examples=60)
@given(st.recursive(LEAVES, wider_types, max_leaves=4), st.integers(0, 100))
def test_values_of_random_types_are_what_pydantic_takes_for_them(python_type: Any, seed: int) -> None:
    generator = oc.Generator(shipped_model(), python_type, oc.samplers.multinomial(top_k=50))
    try:
        value = generator("Value: ", seed=seed, max_tokens=300)
    except oc.errors.IncompleteError:
        return
    adapter = TypeAdapter(python_type)
    assert adapter.validate_python(value) == value
    assert generator == G.format(shipped_model(), python_type, oc.samplers.multinomial(top_k=50))


# ----------------------------------------------------------------------------------------------------------- equality


class Twin(BaseModel):
    name: Annotated[str, Field(max_length=8)]
    age: int


def test_generators_whose_values_differ_are_not_equal() -> None:
    model = shipped_model()
    different = [
        G.choice(model, ["1"]),
        G.choice(model, [1]),
        G.choice(model, [1.0]),
        G.choice(model, ["1"], by="sequence"),
        G.choice(model, ["1"], stop="eos"),
        oc.Generator(model, Person),
        oc.Generator(model, Twin),
        oc.Generator(model, Person.model_json_schema()),
        G.json(model, Person, spelling="any"),
        G.json(model, int),
        oc.Generator(model, int),
        G.text(model),
        G.text(model, include_stop=True),
        G.control(model, lambda row: []),
        oc.Generator(model, guide.regex("1", model.vocabulary)),
        oc.Generator(oc.Model(model.hf, model.tokenizer), int),
    ]
    for i, one in enumerate(different):
        assert [one == other for other in different] == [i == j for j in range(len(different))]
    assert len({*different, *different}) == len(different)


def test_types_with_equal_texts_are_told_apart_and_equal_ones_are_one() -> None:
    types = oc.types
    assert types.choice([1]) != types.choice([True]) and types.choice([1]) != types.choice([1.0])
    assert types.choice(["a"]) == types.choice(("a",)) and len({types.choice(["a"]), types.choice(("a",))}) == 1
    constants = [types.json_schema({"const": value}) for value in (1, True, "1")]
    assert all((one is other) == (one == other) for one in constants for other in constants)
    schema: dict[str, Any] = {"type": "integer"}
    kept = types.json_schema(schema)
    schema["type"] = "string"
    assert kept == types.json_schema({"type": "integer"}) and hash(kept) == hash(
        types.json_schema('{"type": "integer"}')
    )
    with pytest.raises(AttributeError):
        kept.schema = True  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(kept)) == kept


@pytest.mark.parametrize("pattern", ["[0-9]  # (one digit", " (?i) [0-9] # ]"])
def test_a_pattern_that_is_read_with_its_flags_only(pattern: str) -> None:
    """Without re.X the comment is part of the pattern, which then is none."""
    digit = re.compile(pattern, re.X)
    assert re.fullmatch("[0-9]", oc.Generator(shipped_model(), digit, GREEDY)("x "))
    assert oc.types.regex(digit) == oc.types.regex(re.compile(pattern, re.X))


def test_a_generator_is_a_value() -> None:
    generator = oc.Generator(shipped_model(), int)
    assert copy.copy(generator) is copy.deepcopy(generator) is generator
    with pytest.raises(TypeError, match="Generator is not pickled"):
        pickle.dumps(generator)
    with pytest.raises(AttributeError, match="is a value"):
        generator.sampler = GREEDY  # type: ignore[misc]
    with pytest.raises(AttributeError, match="is a value"):
        del generator.sampler
    named = oc.Generator[Literal["a", "b"], oc.samplers.One](shipped_model(), Literal["a", "b"])
    assert type(named) is oc.Generator and named == G.choice(shipped_model(), ["a", "b"])


# ---------------------------------------------------------------------------------------------------- shapes of values


@pytest.mark.parametrize(("sampler", "samples"), [(GREEDY, 1), (SIX, 6), (oc.samplers.multinomial(1), 1)])
def test_a_prompt_gives_a_value_or_a_list_and_prompts_give_nested_lists(sampler: Any, samples: int) -> None:
    model = shipped_model()
    digit = oc.Generator(model, range(10), sampler)
    ids = model.state("2 + 2 = ").token_ids[0, 0]
    for prompt in ("2 + 2 = ", ids.tolist(), ids, ids.numpy()):
        one, several = digit(prompt, seed=0), digit([prompt], seed=0)
        assert several == [[one]] if samples == 1 else several == [one]
        assert type(one) is int if samples == 1 else len(one) == samples
    assert digit(["2 + 2 = "] * 2, seed=0)[0] == digit(["2 + 2 = "], seed=0)[0]
    state = model.state("2 + 2 = ")
    assert digit(state, seed=0) == (digit("2 + 2 = ", seed=0) if samples == 1 else digit(["2 + 2 = "], seed=0))
    assert [len(values) for values in digit(state[[0, 0], :, :], seed=0)] == [samples, samples]


def test_a_controller_that_forks_gives_a_list() -> None:
    def forks(row: Any) -> list[oc.steer.Branch]:
        return [] if row.text else [oc.steer.Branch(forced=" a"), oc.steer.Branch(forced=" b")]

    assert sorted(G.control(shipped_model(), forks, GREEDY)("x")) == [" a", " b"]
    beam = oc.samplers.beam_search(4)
    assert oc.Generator(shipped_model(), ["a"], beam)("x")[0] == "a"  # a list, however many texts there are


def test_a_model_is_called_with_a_prompt_and_a_type() -> None:
    model = shipped_model()
    assert model("Q: What is 2 + 2?\nA: ", range(10), GREEDY) == 2
    assert model("2 + 2 = ", range(10), SIX, seed=1) == oc.Generator(model, range(10), SIX)("2 + 2 = ", seed=1)
    assert model(["The sky is"], sampler=GREEDY, max_tokens=2) == [[" blue."]]
    with pytest.raises(TypeError, match="no option 'sed'"):
        model("x", int, sed=1)


# --------------------------------------------------------------------------------------------------- what is read, too


@pytest.mark.parametrize(
    ("python_type", "begun", "value"),
    [
        (datetime, "2024-02-29 10:", datetime(2024, 2, 29, 10)),
        (datetime | None, "2024-02-29 10:", datetime(2024, 2, 29, 10)),
        (Decimal, "1.5e", Decimal("1.5")),
        (UUID, "ABCDEF", None),
    ],
)
def test_more_spellings_are_read_than_written(python_type: Any, begun: str, value: Any) -> None:
    """A text that the user puts behind a cut span may be spelled as Python reads it."""
    generator = oc.Generator(shipped_model(), python_type, GREEDY)
    begun_state = generator.run("Value: ", max_tokens=0) + begun
    state = generator.resume(begun_state, max_tokens=60)
    read = generator.values(state)
    assert type(read) is type(value) if value is not None else isinstance(read, UUID)
    assert str(state).removeprefix("Value: ").startswith(begun)


def test_a_datetime_is_written_with_a_t() -> None:
    values = oc.Generator(shipped_model(), datetime, SIX).run("Value: ", seed=0, max_tokens=60)
    assert all("T" in text for text in values)


# ------------------------------------------------------------------------------------------------------------- guides


class Letters:
    """A guide of a third party, with what it must have and no more: up to three times the letter a."""

    initial = 0

    def __init__(self) -> None:
        self.vocabulary = shipped_model().vocabulary
        self.letter = self.vocabulary.tokens.index(b"a")

    def mask(self, state: int) -> np.ndarray:
        allowed = np.zeros(len(self.vocabulary), bool)
        allowed[self.letter] = state < 3
        allowed[list(self.vocabulary.eos)] = 0 < state < 9
        return pack(allowed)

    def advance(self, state: int, token: int) -> int | None:
        if token == self.letter and state < 3:
            return state + 1
        return 9 if token in self.vocabulary.eos and 0 < state < 9 else None

    def accepting(self, state: int) -> bool:
        return state > 0


def guides() -> list[Any]:
    v = shipped_model().vocabulary
    return [guide.regex("a{1,3}", v), guide.literal(b"a", v) + guide.regex("a?", v), Letters()]


@pytest.mark.parametrize("place", range(3))
def test_a_guide_is_a_constraint_like_any_other(place: int, tmp_path: Path) -> None:
    model, one, other = shipped_model(), guides()[place], guides()[(place + 1) % 3]
    generator = oc.Generator(model, one, SIX)
    assert generator == G.format(model, one, SIX) and hash(generator) == hash(G.format(model, one, SIX))
    assert generator != oc.Generator(model, other, SIX)
    values = generator("Letters: ", seed=0)
    assert all(re.fullmatch("a{1,3}", value) for value in values)
    if isinstance(one, Letters):
        with pytest.raises(oc.errors.ConstraintError, match=r"Letters .*cannot follow .*no `__radd__`"):
            generator("Letters: ", seed=0, seam="heal")
        assert values == generator("Letters: ", seed=0, seam="keep"), "so the space stays"
    step = oc.continuous(generator, name="letters")
    state = step("Letters: ", seed=0)
    assert state.captures["letters"] == [[[value] for value in values]]
    assert torch.allclose(state.rescore().weights, state.weights, atol=1e-4)
    with pytest.raises(oc.errors.IncompleteError):
        oc.Generator(model, guide.regex("a{9}", model.vocabulary), GREEDY)("Letters: ", max_tokens=1)
    with pytest.raises(ValueError, match="does not end in a span of this generator"):
        oc.Generator(model, other, SIX).values(state)
    # a file holds the name of the guide alone
    state.save(tmp_path / "state")
    loaded = oc.load_state(tmp_path / "state", model)
    assert loaded.identical(state) and loaded.captures["letters"] == state.captures["letters"]
    assert generator.values(loaded) == [values] and step.resume(loaded) == loaded
    assert loaded.rescore().weights.isnan().all(), "nobody knows what its stop is"
    assert loaded.rescore().logprobs.isfinite().all()


def test_a_guide_over_another_vocabulary_is_refused() -> None:
    v = Vocabulary([b"<eos>", b"a"], eos=[0])
    with pytest.raises(ValueError, match="another vocabulary"):
        oc.Generator(shipped_model(), guide.regex("a", v))


# ------------------------------------------------------------------------------------------------------------ refusals


class Plain:
    def __init__(self, x: int) -> None:
        self.x = x


class Old(TypedDict):
    year: int


class Image:
    """As Outlines' own."""


Image.__module__ = "outlines.inputs"
PillowImage = type(
    "PngImageFile", (type("Image", (), {"__module__": "PIL.Image"}),), {"__module__": "PIL.PngImagePlugin"}
)


def undefined(x: Nowhere) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Its annotation cannot be read."""


REFUSED: list[tuple[str, Any, type[Exception], str]] = [
    ("text", "[0-9]+", TypeError, r"the str '\[0-9\]\+' may be.*oc\.types\.regex"),
    ("bytes", b"a", TypeError, "are no type"),
    ("bool", True, TypeError, "the type is bool"),
    ("number", 5, TypeError, r"it is a value; give its type, int, or a list of options, \[5\]"),
    ("instance", Point(1), TypeError, "it is a value; give its type, Point"),
    ("instance of a pydantic class", Person(name="a", age=1), TypeError, "give its type, Person"),
    ("module", re, TypeError, "re is a module: give one of its classes or functions"),
    ("class", Plain, TypeError, "the class Plain, which pydantic does not know: make it a dataclass"),
    ("object", object(), TypeError, "it takes a type, a pydantic class"),
    ("sampler", GREEDY, TypeError, r"is a sampler, and comes third: oc\.Generator\(model, None, sampler\)"),
    ("model", shipped_model(), TypeError, "a model comes first, once"),
    ("generator", G.text(shipped_model()), TypeError, "is a generator already: call it, or give its output type"),
    ("step", oc.continuous(G.text(shipped_model())), TypeError, "is a step already"),
    ("state", shipped_model().state("a"), TypeError, "a state is a prompt"),
    ("type that is not called", oc.types.regex, TypeError, r"oc\.types\.regex is not called"),
    ("set", {"a", "b"}, TypeError, r"a set has no order: sorted"),
    ("list of lists", [[1]], TypeError, "an option is a str, int, .*not .1. .list."),
    ("bytes that are no text", Literal[b"\xff"], ValueError, "cannot be written as text"),
    ("number of too many digits", [10**5000], ValueError, "cannot be written as text"),
    ("empty list", [], oc.errors.ConstraintError, "lists no options"),
    ("empty Literal", Literal[()], oc.errors.ConstraintError, "lists no options"),
    ("the same twice", ["a", "b", "a"], ValueError, "'a' is given twice in a choice of 3"),
    ("the same text twice", [1, "1"], ValueError, "1 and '1' are both written '1'"),
    ("unhashable Literal", Literal[[1]], TypeError, "an option is a str"),  # type: ignore[valid-type]
    ("pattern of bytes", re.compile(b"a"), TypeError, "of text, not of bytes"),
    ("pattern with a backreference", re.compile(r"(a)\1"), oc.errors.ConstraintError, "uses a backreference"),
    ("schema with a misspelled keyword", {"type": "object", "requird": []}, oc.errors.ConstraintError, "'required'?"),
    (
        "an example in place of a schema",
        {"name": "string", "age": 1},
        oc.errors.ConstraintError,
        "'age', 'name'; for an object",
    ),
    ("properties in place of a schema", {"name": {"type": "string"}}, oc.errors.ConstraintError, '"properties": {…}}'),
    ("old TypedDict", Old, TypeError, "from typing_extensions import TypedDict"),
    ("list of old TypedDicts", list[Old], TypeError, "from typing_extensions import TypedDict"),
    ("function without annotations", lambda x: x, TypeError, "'x' has no annotation"),
    ("function of any arguments", print, TypeError, "a schema needs arguments with names"),
    ("function with an unknown annotation", undefined, TypeError, "its signature cannot be read.*Nowhere"),
    ("function of an unknown class", Plain.__init__, TypeError, "'self' has no annotation"),
    ("callable type", Callable[[int], int], oc.errors.ConstraintError, "pydantic"),
    ("image", Image(), TypeError, r"outlines\.inputs\.Image: .*images, videos and sounds are not supported"),
    ("class of images", PillowImage, TypeError, r"PIL\.PngImagePlugin\.PngImageFile"),
    ("partial schema", {"type": set()}, oc.errors.ConstraintError, "JSON"),
]


@pytest.mark.parametrize(
    ("given_type", "error", "message"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_what_cannot_be_written_is_refused_with_what_would_be_right(given_type: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        oc.Generator(shipped_model(), given_type)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gpt2", r"not 'gpt2'.*if it is the name of a model, oc\.load\('gpt2'\)"),
        (shipped_model().hf, r"bare transformers model: oc\.Model\(hf_model, hf_tokenizer\)"),
        (shipped_model().tokenizer, r"not a tokenizer: oc\.Model\(hf_model, hf_tokenizer\)"),
        (oc.Model, "not the class Model"),
        (int, "not the class int"),
        (None, "takes a Model first.*not NoneType"),
    ],
    ids=["name", "transformers", "tokenizer", "class of models", "class", "None"],
)
def test_what_is_no_model_is_refused_with_how_one_is_made(model: Any, message: str) -> None:
    for maker in (lambda: oc.Generator(model, int), lambda: G.regex(model, "a"), lambda: G.choice(model, [])):
        with pytest.raises(TypeError, match=message):
            maker()


class Painter(BaseModel):
    name: str


def weather(city: str) -> None: ...


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (Painter, "Painter"),
        (int, "int"),
        (list[int], "list[int]"),
        (Literal["a", "b"], "typing.Literal['a', 'b']"),
        ("[0-9]+", "'[0-9]+'"),
        ({"type": "object"}, "{'type': 'object'}"),
        (["a", "b"], "['a', 'b']"),
        (re.compile("a+"), "re.compile('a+')"),
        (weather, "weather"),
    ],
    ids=lambda case: "a function" if case is weather else str(case),
)
@pytest.mark.parametrize("more", [(), (oc.samplers.greedy(),)], ids=["alone", "with a sampler"])
def test_what_is_to_be_written_in_the_place_of_the_model_is_told_where_it_goes(
    given: Any, written: str, more: tuple[Any, ...]
) -> None:
    makers = {name: getattr(G, name) for name in ("json", "regex", "choice", "cfg", "format", "fsm", "control")}
    for name, maker in {**makers, "Generator": oc.Generator}.items():
        with pytest.raises(TypeError, match=re.escape(f": write {name}(model, {written})")):
            maker(given, *more)
    with pytest.raises(
        TypeError, match=r"text\(\) takes a Model first \(oc\.load\(\) or oc\.Model\(hf, tokenizer\)\), not "
    ):
        G.text(given, *more)
    with pytest.raises(TypeError, match="missing a required argument"):
        G.json(shipped_model())  # type: ignore[call-overload]


def test_a_sampler_that_is_not_called_is_refused() -> None:
    for sampler in (oc.samplers.greedy, oc.samplers.Greedy, int):
        with pytest.raises(TypeError, match=r"takes a sampler .*: call it"):
            oc.Generator(shipped_model(), int, sampler)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"takes a sampler .*, not 5, which has no samples"):
        oc.Generator(shipped_model(), int, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("prompts", [Image(), PillowImage(), ["What is this? ", Image()]])
def test_images_are_refused_by_name(prompts: Any) -> None:
    for call in (lambda: G.text(shipped_model())(prompts), lambda: shipped_model()(prompts, int)):
        with pytest.raises(TypeError, match="images, videos and sounds are not supported"):
            call()


def test_what_a_maker_does_not_take_is_refused() -> None:
    model = shipped_model()
    for given_type in (5, int, "red", {"red": 1}, int | Literal["a"]):
        with pytest.raises(TypeError, match="takes a list of options, a Literal or an Enum"):
            G.choice(model, given_type)
    with pytest.raises(TypeError, match="for Python types"):
        G.format(model, ["a"], spelling="any")
    with pytest.raises(TypeError, match="takes a pattern"):
        G.regex(model, oc.types.regex("a"))  # type: ignore[arg-type]
    for make in (
        lambda: oc.types.regex("("),
        lambda: oc.types.regex("[^\\s\\S]"),
        lambda: oc.types.cfg("start: nothing"),
        lambda: oc.types.json_schema({"type": "integer", "minimum": 2, "maximum": 1}),
        lambda: oc.types.choice([]),
    ):
        with pytest.raises(oc.errors.ConstraintError):
            make()
    for wrong in (
        lambda: oc.types.cfg('start: "a"', syntax="ebnf"),  # type: ignore[arg-type]
        lambda: oc.types.json_schema({}, spelling="Python"),  # type: ignore[arg-type]
        lambda: oc.types.choice(["a"], by="sequences"),  # type: ignore[call-overload]
        lambda: oc.types.choice(["a"], normalize="mean"),
    ):
        with pytest.raises(ValueError, match="="):
            wrong()


# ------------------------------------------------------------------------------------------------------- what is shown


@pytest.mark.parametrize("module", [oc, oc.generate, oc.samplers, oc.types], ids=lambda module: module.__name__)
def test_dir_shows_the_public_names_only(module: ModuleType) -> None:
    shown = {name for name in dir(module) if not name.startswith("__")}
    assert shown == {*module.__all__} and all(hasattr(module, name) for name in shown)


def test_the_reader_of_types_needs_no_model() -> None:
    assert asked_of(Literal["a", 1], "here")[:2] == ("choice", ["a", "1"])
    assert asked_of(re.compile("a", re.I), "here").argument == "(?i)a"
