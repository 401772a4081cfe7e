"""pydantic's classes and types: what they dump is accepted, what is generated they validate."""

import json
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from functools import cache
from random import Random
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar, Union
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, walk
from pydantic import (
    AnyUrl,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    TypeAdapter,
    ValidationError,
    computed_field,
    field_validator,
)
from strategies import shipped_model
from typing_extensions import TypedDict

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.guide import AutomatonGuide as Guide


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 20


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: Annotated[int, Field(ge=0, le=9)]


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


class Left(BaseModel):
    right: Optional["Right"] = None


class Right(BaseModel):
    left: Left | None = None


class Constrained(BaseModel):
    n: Annotated[int, Field(gt=0, lt=100, multiple_of=5)]
    x: Annotated[float, Field(ge=-1, lt=1.5)]
    text: Annotated[str, Field(min_length=1, max_length=8, pattern="^[a-zé]*$")]
    items: Annotated[list[int], Field(min_length=1, max_length=3)]


class Times(BaseModel):
    day: date
    at: datetime
    clock: time
    span: timedelta


class Aliased(BaseModel):
    first: int = Field(alias="firstName")
    second: str = Field(default="x", serialization_alias="out", validation_alias="in")


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Typed(BaseModel):
    __pydantic_extra__: dict[str, int]
    model_config = ConfigDict(extra="allow")
    a: int


class Computed(BaseModel):
    side: int

    @computed_field
    @property
    def area(self) -> int:
        return self.side**2


class Pairs(RootModel[list[tuple[int, str]]]):
    pass


T = TypeVar("T")


class Box(BaseModel, Generic[T]):
    content: T
    label: Literal["a", 1, None] = None


@dataclass
class Point:
    x: int
    y: float = 0.0


class Movie(TypedDict, total=False):
    title: str
    year: int


class Sets(BaseModel):
    numbers: set[int]
    colours: frozenset[Colour]
    table: dict[str, list[bool]]
    by_level: dict[Literal["a", "b"], int]
    fixed: tuple[int, str, None]
    any_length: tuple[bool, ...]


class Everything(BaseModel):
    either: Union[int, str, Colour]  # noqa: UP007
    colour: Colour = Colour.RED
    level: Level
    uid: UUID
    data: bytes
    url: AnyUrl
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]]
    anything: Any = None


TYPES: dict[str, Any] = {
    "nested": list[Cat],
    "recursive": Tree,
    "mutual": Left,
    "discriminated": Annotated[Cat | Dog, Field(discriminator="kind")],
    "constrained": Constrained,
    "times": Times,
    "aliases": Aliased,
    "closed": Closed,
    "open": Open,
    "typed extras": Typed,
    "computed": Computed,
    "root": Pairs,
    "generic": Box[Box[int]],
    "dataclass": Point,
    "TypedDict": Movie,
    "sets": Sets,
    "everything": Everything,
    "optional": Colour | None,
    "enum of ints": Level,
    "mapping": dict[int, Cat],
    "decimal": Annotated[Decimal, Field(max_digits=4, decimal_places=2)],
}

#: Instances, as hypothesis makes them.
small = st.integers(-5, 5)
words = st.text('aé"\\ \n', max_size=4)
trees = st.recursive(
    st.builds(Tree, value=small), lambda inner: st.builds(Tree, value=small, children=st.lists(inner, max_size=3))
)
cats, dogs = st.builds(Cat, lives=st.integers(0, 9)), st.builds(Dog, kind=st.just("dog"), name=words)
INSTANCES: dict[str, st.SearchStrategy[Any]] = {
    "nested": st.lists(cats, max_size=3),
    "recursive": trees,
    "mutual": st.builds(Left, right=st.none() | st.builds(Right, left=st.none() | st.builds(Left))),
    "discriminated": cats | dogs,
    "constrained": st.builds(
        Constrained,
        n=st.integers(1, 19).map(lambda n: 5 * n),
        x=st.floats(-1, 1.5, exclude_max=True).map(lambda x: round(x, 6)).filter(lambda x: x < 1.5),
        text=st.text("azé", min_size=1, max_size=8),
        items=st.lists(small, min_size=1, max_size=3),
    ),
    "times": st.builds(
        Times,
        day=st.dates(),
        at=st.datetimes(timezones=st.timezones()),
        clock=st.times().map(lambda t: t.replace(tzinfo=datetime.now().astimezone().tzinfo)),
        span=st.timedeltas(min_value=timedelta(0), max_value=timedelta(0, 3599)).map(
            # (RFC 3339, which JSON Schema means, has no PT1H1S, and no fractions; pydantic writes both.)
            lambda d: timedelta(seconds=int(d.total_seconds()))
        ),
    ),
    "closed": st.builds(Closed, a=small),
    "root": st.builds(Pairs, st.lists(st.tuples(small, words), max_size=3)),
    "generic": st.builds(Box[Box[int]], content=st.builds(Box[int], content=small, label=st.sampled_from(["a", 1]))),
    "dataclass": st.builds(Point, small, st.integers(-9, 9).map(lambda n: n / 4)),
    "TypedDict": st.fixed_dictionaries({}, optional={"title": words, "year": small}).map(
        lambda d: {name: d[name] for name in ("title", "year") if name in d}
    ),
    "sets": st.builds(
        Sets,
        numbers=st.sets(small, max_size=4),
        colours=st.frozensets(st.sampled_from(Colour)),
        table=st.dictionaries(words, st.lists(st.booleans(), max_size=2), max_size=3),
        by_level=st.dictionaries(st.sampled_from(["a", "b"]), small),
        fixed=st.tuples(small, words, st.none()),
        any_length=st.lists(st.booleans(), max_size=3).map(tuple),
    ),
    "everything": st.builds(
        Everything,
        either=st.one_of(small, words, st.sampled_from(Colour)),
        colour=st.sampled_from(Colour),
        level=st.sampled_from(Level),
        uid=st.uuids(),
        data=words.map(str.encode),
        url=st.just(AnyUrl("https://a.b/c?d=1")),
        pets=st.lists(cats | dogs, max_size=2),
        anything=st.none() | st.lists(small) | st.dictionaries(words, words),
    ),
    "optional": st.none() | st.sampled_from(Colour),
    "enum of ints": st.sampled_from(Level),
    "mapping": st.dictionaries(small, cats, max_size=3),
    "decimal": st.integers(-99, 99).map(lambda n: Decimal(n) / 100),
}


@cache
def adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(TYPES[name])


@cache
def guided(name: str) -> Guide:
    return guide.json_schema(adapter(name).json_schema(), BYTES, spelling="any")


@pytest.mark.parametrize("name", INSTANCES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_pydantic_dumps_is_accepted(name, data):
    text = adapter(name).dump_json(data.draw(INSTANCES[name]), by_alias=True)
    assert accepts(guided(name), text), text


#: What pydantic does not take, and no schema says: exponents that overflow, durations of more than 2,700,000 years.
LARGE = re.compile(rb'[eE][+]?\d{2}|\d{300}|P[^"]*\d{5}')


@pytest.mark.parametrize("name", sorted(TYPES.keys() - {"mapping", "decimal"}))  # int keys, any string
def test_what_is_generated_validates(name):
    finished = 0
    for seed in range(30):
        text = walk(guided(name), Random(seed), steps=30)
        if text is None or LARGE.search(text):
            continue
        adapter(name).validate_json(text)
        finished += 1
    assert finished >= 5


def test_names_are_the_aliases_and_what_is_forbidden_is_not_written():
    assert accepts(guided("aliases"), '{"firstName":1,"in":"y"}')
    assert not accepts(guided("aliases"), '{"first":1}') and not accepts(guided("aliases"), '{"firstName":1,"out":"y"}')
    assert not accepts(guided("closed"), '{"a":1,"b":2}')
    for options, expected in (({}, False), ({"extra": "schema"}, True)):
        g = guide.json_schema(Open.model_json_schema(), BYTES, **options)
        assert accepts(g, '{"a":1,"b":2}') is expected
    assert accepts(guided("typed extras"), '{"a":1,"b":2}') and not accepts(guided("typed extras"), '{"a":1,"b":"x"}')
    assert accepts(guided("computed"), '{"side":2}') and not accepts(guided("computed"), '{"side":2,"area":4}')


def test_a_set_has_every_item_once():
    g = guide.json_schema(TypeAdapter(set[int]).json_schema(), BYTES, spelling="any")
    assert accepts(g, "[1,2]") and not accepts(g, "[1,1]") and not accepts(g, "[1,2,1.0]")


# ---------------------------------------------------------------------------------------------- with the shipped model


class Small(BaseModel):
    colour: Colour
    n: Annotated[int, Field(ge=0, le=99)]


@pytest.mark.parametrize("python_type", [Small, Cat, Left], ids=lambda t: t.__name__)
def test_values_are_validated_objects(python_type):
    generator = oc.generate.json(shipped_model(), python_type)
    for seed in range(2):
        value = generator("Answer in JSON: ", max_tokens=150, seed=seed)
        assert isinstance(value, python_type)


def test_a_dataclass_and_a_typed_dict_come_as_themselves():
    point = oc.generate.json(shipped_model(), Point)("A point: ", max_tokens=80, seed=1)
    assert isinstance(point, Point)


class Even(BaseModel):
    n: Annotated[int, Field(ge=1, le=9)]

    @field_validator("n")
    @classmethod
    def never(cls, n: int) -> int:
        raise ValueError("it is not to my liking")


def test_what_a_schema_cannot_say_is_checked_when_the_text_is_there():
    """A plain call raises; a state keeps the text, and raises where its value is asked for."""
    generator = oc.generate.json(shipped_model(), Even)
    with pytest.raises(oc.errors.InvalidValueError, match="it is not to my liking") as failure:
        generator("A number: ", max_tokens=30, seed=1)
    assert failure.value.state.finished == [["stop"]] and isinstance(failure.value.__cause__, ValidationError)
    state = oc.continuous(generator, name="number")("A number: ", max_tokens=30, seed=1)
    assert state.finished == [["stop"]]
    assert 1 <= json.loads(state.tolist()[0][0].removeprefix("A number: "))["n"] <= 9
    with pytest.raises(
        oc.errors.InvalidValueError, match=r"(?s)captures\['number'\]: the value of row \(0, 0\) .* not to my liking"
    ):
        state.captures["number"]
