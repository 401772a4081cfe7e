"""pydantic's own types: whatever is written of them validates, or they are refused by name."""

import collections
import collections.abc
import re
import typing
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cache
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from pathlib import Path, PurePath
from random import Random
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union
from uuid import UUID

import pydantic
import pytest
from cases import pairs
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, walk
from pydantic import BaseModel, ConfigDict, Field, RootModel, Strict, StringConstraints, types
from strategies import shipped_model
from test_python_numbers import random_weights
from typing_extensions import TypedDict

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.schemas import python_types
from outlines_cont.schemas.sources import schema_and_parser


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 20


class Half(float, Enum):
    ONE = 0.5
    TWO = 1.0


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=0, le=9)]


class Dog(BaseModel):
    kind: Literal["dog"]
    good: bool


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


class Pairs(RootModel[list[tuple[int, bool]]]):
    pass


T = TypeVar("T")


class Box(BaseModel, Generic[T]):
    content: T


@dataclass
class Point:
    x: int
    y: float = 0.0


@pydantic.dataclasses.dataclass
class Strictly:
    x: Annotated[int, Field(strict=True)]


class Movie(TypedDict, total=False):
    year: int
    seen: bool


class Place(NamedTuple):
    x: int
    y: bool = True


class Encoded(BaseModel):
    model_config = ConfigDict(val_json_bytes="base64")
    data: bytes


class Hexed(BaseModel):
    model_config = ConfigDict(val_json_bytes="hex")
    data: bytes


class Stripped(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True, str_min_length=2, str_max_length=5)
    text: str


class StrictModel(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    n: int
    x: float
    day: date
    at: datetime
    span: timedelta
    uid: UUID
    amount: Decimal
    level: Level


class Boxes(BaseModel):
    plain: pydantic.Base64Bytes
    inside: pydantic.Json[list[pydantic.Base64Str]]


class Nested(BaseModel):
    n: int
    inside: pydantic.Json["Nested"] | None = None  # type: ignore[type-arg]


def within(python_type: Any, **bounds: Any) -> Any:
    return Annotated[python_type, Field(**bounds)]


NAMED = """
    AnyUrl AnyHttpUrl HttpUrl FileUrl FtpUrl WebsocketUrl AnyWebsocketUrl PostgresDsn CockroachDsn AmqpDsn
    RedisDsn MongoDsn KafkaDsn NatsDsn MySQLDsn MariaDBDsn ClickHouseDsn SnowflakeDsn IPvAnyAddress
    IPvAnyInterface IPvAnyNetwork ByteSize SecretStr SecretBytes Base64Bytes Base64Str Base64UrlBytes
    Base64UrlStr UUID1 UUID3 UUID4 UUID5 UUID6 UUID7 UUID8 NaiveDatetime AwareDatetime PastDate FutureDate
    PastDatetime FutureDatetime StrictInt StrictStr StrictFloat StrictBool StrictBytes FiniteFloat PositiveInt
    NegativeInt NonNegativeFloat NonPositiveFloat JsonValue
"""
SHAPES: dict[str, Any] = {name: getattr(pydantic, name) for name in NAMED.split() if hasattr(pydantic, name)}
SHAPES |= {
    t.__name__: t
    for t in (int, float, bool, str, bytes, date, time, datetime, timedelta, Decimal, Fraction, complex, UUID)
    + (IPv4Address, IPv6Address, IPv4Network, IPv6Network, IPv4Interface, IPv6Interface, Path, PurePath)
    + (Colour, Level, Half, Cat, Tree, Pairs, Point, Strictly, Movie, Place, Encoded, Hexed, Stripped, StrictModel)
}
SHAPES |= {
    "none": None,
    "any": Any,
    "object": object,
    "hashable": Hashable,
    "condecimal": pydantic.condecimal(max_digits=4, decimal_places=2),
    "decimal places": pydantic.condecimal(decimal_places=3),
    "decimal digits": pydantic.condecimal(max_digits=3),
    "decimal bounds": pydantic.condecimal(gt=Decimal("0.1"), le=1),
    "decimal steps": pydantic.condecimal(multiple_of=Decimal("0.25")),
    "between 0 and 1": within(float, gt=0, lt=1),
    "above 0": within(float, gt=0),
    "below 0": within(float, lt=0),
    "steps": within(float, multiple_of=0.1, ge=0, le=10),
    "percent": within(int, ge=0, le=100),
    "multiple": pydantic.conint(multiple_of=7),
    "pattern": pydantic.constr(pattern=r"^[A-Z]{2}\d{3}$"),
    "found pattern": pydantic.constr(pattern=r"\d-\d", max_length=9),
    "no word": pydantic.constr(pattern=r"^\W[^\d]$"),
    "stripped": Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=3, max_length=8)],
    "short bytes": pydantic.conbytes(min_length=1, max_length=3),
    "optional": Optional[int],  # noqa: UP045
    "union": Union[int, Colour, None],  # noqa: UP007
    "discriminated": Annotated[Cat | Dog, Field(discriminator="kind")],
    "literal": Literal["a", 1, True, None],
    "generic": Box[Box[int]],
    "list": pydantic.conlist(int, min_length=1, max_length=2),
    "set": pydantic.conset(int, min_length=1, max_length=3),
    "frozenset": frozenset[Colour],
    "floats": pydantic.conset(within(float, ge=0, le=5), min_length=2, max_length=3),
    "any floats": pydantic.conset(float, min_length=2, max_length=3),
    "huge floats": pydantic.conset(within(float, ge=1e300), min_length=2, max_length=3),
    "multiples of 0.1": within(float, multiple_of=0.1),
    "multiples of 3": within(float, multiple_of=3),
    "multiples": pydantic.conset(within(float, multiple_of=0.1), min_length=2, max_length=3),
    "decimals": pydantic.conset(Decimal, min_length=2, max_length=3),
    "bools and ints": pydantic.conset(bool | int, min_length=2, max_length=3),
    "equal literals": pydantic.conset(Literal[1, True, "a"], min_length=2, max_length=3),
    "ids": pydantic.conset(UUID, min_length=2, max_length=2),
    "dates": pydantic.confrozenset(date, min_length=2, max_length=3),
    "anything in a set": pydantic.conset(Any, min_length=2, max_length=3),
    "plain set": set,
    "set of tuples": set[tuple[int, str]],
    "two floats": within(dict[float, bool], min_length=2),
    "two literals": within(dict[Literal[1, True, "a"], bool], min_length=2),
    "two ids": within(dict[UUID, bool], min_length=2, max_length=2),
    "Json": pydantic.Json,
    "Json of int": pydantic.Json[int],
    "Json of models": pydantic.Json[list[Cat]],
    "Json of a model": pydantic.Json[Tree],
    "list of Json": list[pydantic.Json[dict[str, int]]],
    "Json in Json": pydantic.Json[pydantic.Json[int]],
    "Json or bool": pydantic.Json[list[int]] | bool,
    "Json beside base64": Boxes,
    "Json of base64": pydantic.Json[pydantic.Base64Bytes],
    "Json of an id": pydantic.Json[pydantic.UUID4],
    "Json of a set": pydantic.Json[set[int]],
    "Json within itself": Nested,
    "Pattern": re.Pattern,
    "Pattern of str": list[re.Pattern[str]],
    "tuple": tuple[int, Colour, None],
    "any tuple": tuple[bool, ...],
    "deque": collections.deque[int],
    "sequence": Sequence[bool],
    "iterable": Iterable[int],
    "mapping": Mapping[Colour, int],
    "ordered dict": collections.OrderedDict[Literal["a", "b"], int],
    "defaultdict": collections.defaultdict[Literal["a"], list[int]],
    "counter": typing.Counter[Literal["a", "b"]],
    "dict of digits": dict[pydantic.conint(ge=0, le=9), bool],  # type: ignore[misc]
    "dict of ints": dict[int, bool],
    "dict of floats": dict[float, bool],
    "dict of bools": dict[bool, int],
    "dict of dates": dict[date, int],
    "dict of ids": dict[UUID, int],
    "dict of levels": dict[Level, int],
    "dict of colours": dict[Colour, int],
    "dict of addresses": dict[IPv4Address, int],
    "dict of datetimes": dict[datetime, int],
    "dict of durations": dict[timedelta, int],
    "date after": pydantic.condate(gt=date(2020, 2, 28)),
    "date between": within(date, ge=date(2019, 12, 30), lt=date(2020, 3, 2)),
    "datetime after": within(datetime, ge=datetime(2020, 1, 1, 12)),
    "datetime before": within(datetime, lt=datetime(2020, 1, 1, 12)),
    "time between": within(time, gt=time(8, 59, 59), le=time(17, 30)),
    "last time": within(time, gt=time(23, 59, 58)),
    "first time": within(time, lt=time(0, 0, 1)),
    "hour": within(timedelta, ge=timedelta(0), le=timedelta(hours=1)),
    "hours": within(timedelta, gt=timedelta(hours=1.5)),
    "secret": pydantic.Secret[int],
    "strict date": Annotated[date, Strict()],
    "strict duration": Annotated[timedelta, Strict()],
    "strict id": Annotated[UUID, Strict()],
    "strict address": Annotated[IPv4Address, Strict()],
    "short URL": Annotated[pydantic.AnyUrl, pydantic.UrlConstraints(max_length=30, allowed_schemes=["https"])],
    "dated": dict[Literal["when"], pydantic.NaiveDatetime],
    "aware": list[pydantic.AwareDatetime],
}
REFUSED: dict[str, Any] = {
    "Json and lengths": within(pydantic.Json[list[int]], min_length=1),
    "Json and bounds": within(pydantic.Json[int], ge=3),
    "Json and a pattern": within(pydantic.Json[str], pattern="a"),
    "set of Json": set[pydantic.Json[int]],
    "dict of Json": dict[pydantic.Json[int], int],
    "Json of a path": pydantic.Json[pydantic.FilePath],
    "set of lists": set[list[int]],
    "set of models": set[Cat],
    "set of tuples of anything": set[tuple[Any, ...]],
    "set of times": pydantic.conset(datetime, min_length=2),
    "set of small texts": pydantic.conset(Annotated[str, StringConstraints(to_lower=True)], min_length=2),
    "dict of times": within(dict[time, int], min_length=2),
    "FilePath": pydantic.FilePath,
    "DirectoryPath": pydantic.DirectoryPath,
    "NewPath": pydantic.NewPath,
    "PaymentCardNumber": types.PaymentCardNumber,
    "ImportString": pydantic.ImportString,
    "Pattern": re.Pattern[bytes],
    "Callable": Callable[[], int],
    "type": type[int],
    "dict of tuples": dict[tuple[int, int], int],
    "dict of bounded floats": dict[within(float, gt=0), int],  # type: ignore[misc]
    "list of paths": dict[str, list[pydantic.FilePath]],
    "no duration": within(timedelta, lt=timedelta(0)),
    "no time": within(time, gt=time(9), lt=time(8)),
    "no date": within(date, gt=date(2020, 1, 1), lt=date(2020, 1, 2)),
}


def test_there_are_ninety_shapes():
    assert len(SHAPES) >= 90


@cache
def made(name: str) -> tuple[Any, Callable[[str], Any]]:
    return schema_and_parser(SHAPES[name])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SHAPES)
def test_whatever_is_written_validates(name):
    schema, parse = made(name)
    g = guide.json_schema(schema, BYTES, spelling="plain")
    ended = 0
    for seed in range(8):
        text = walk(g, Random(seed), steps=12)
        if text is not None:
            parse(text.decode())
            ended += 1
    assert ended >= 3


@pytest.mark.filterwarnings("ignore")
@pairs(("name", "model"), SHAPES, [random_weights, shipped_model], strength=1)
def test_whatever_a_model_writes_validates(name, model):
    _, parse = made(name)
    generator = oc.generate.json(model(), SHAPES[name], oc.samplers.multinomial(samples=5))
    state = generator.run("JSON: ", seed=1, max_tokens=60)
    for row, finished in zip(state.rows[0], state.finished[0], strict=True):
        if finished == "stop":
            piece = row.pieces[-1]
            parse(piece.value(row.ids[len(row) - piece.hi :], model().vocabulary).decode())


class Mixed(Enum):
    TEXT, PAIR, HALF = "b", (1, 2), 2.5


class Numbered(Enum):
    ONE = 1


class Hat(BaseModel):
    kind: Literal["hat"] = "hat"


class Shoe(BaseModel):
    kind: Literal["shoe"] = "shoe"
    size: int


class Deeper(BaseModel):
    first: int = Field(validation_alias=pydantic.AliasPath("items", 0))


class Named(BaseModel):
    n: int = Field(validation_alias=pydantic.AliasChoices(pydantic.AliasPath("items", 0), "count"))


REFUSED |= {
    "alias path": Deeper,
    "dict of members": dict[Numbered, int],
    "dict of digits": dict[pydantic.condecimal(max_digits=3), int],  # type: ignore[misc]
    "literal members": Literal[Mixed.TEXT, Mixed.HALF],
    "after all datetimes": within(datetime, gt=datetime(9999, 12, 31, 12)),
    "after all dates": within(date, gt=date.max),
}


@pytest.mark.parametrize(
    ("python_type", "written", "not_read"),
    [
        (dict[Literal[2, "a", True], int], ['{"a":1}', '{"true":1}'], ['{"2":1}']),
        (dict[Mixed, int], ['{"b":1}'], ['{"2.5":1}']),
        (Mixed, ['"b"', "2.5"], ["[1,2]"]),
        (Annotated[Hat | Shoe, Field(discriminator="kind")], ['{"kind":"hat"}'], ["{}", '{"size":3}']),
        (Named, ['{"count":1}'], ['{"n":1}']),
        (date, ['"2024-02-29"'], ['"0000-01-01"', '"2023-02-29"']),
        (pydantic.condecimal(max_digits=2, decimal_places=2), ["0.25", "-0.01"], ["0", "0.0", "1"]),
        (pydantic.condecimal(max_digits=2, decimal_places=4), ["0.25", "0.1"], ["0.001", "0.0099"]),
        (pydantic.constr(strip_whitespace=True, min_length=1), ['"a b"'], [r'"\u0085"', '""']),
        (pydantic.constr(strip_whitespace=True, pattern=r"^\W+$"), ['"- -"'], ['"a"']),
        (pydantic.constr(pattern=r"^\S+ \S+$"), ['"a b"'], ['"ab"']),
        (pydantic.constr(pattern=r"^a\s$"), ['"a "'], [r'"a\ufeff"']),
        (pydantic.constr(pattern=r"^a\b.$"), ['"a-"'], ['"aé"', '"ab"']),
        (pydantic.constr(pattern=r"(?i)^[^k]$"), ['"a"'], ['"\u212a"', '"K"']),
        (Annotated[str, Field(pattern=re.compile("^a b$", re.X | re.I))], ['"AB"'], ['"a b"']),
    ],
)
@pytest.mark.parametrize("extra", ["forbid", "schema"])
def test_only_what_pydantic_reads_is_written(python_type, written, not_read, extra):
    schema, parse = schema_and_parser(python_type)
    g = guide.json_schema(schema, BYTES, spelling="plain", extra=extra)
    for text in written:
        assert accepts(g, text), text
        parse(text)
    for text in not_read:
        assert not accepts(g, text), text
        with pytest.raises(pydantic.ValidationError):
            parse(text)


scalar_types = st.sampled_from([bool, int, float, str, None, Decimal, Literal[1, True, "a"], Half, Level, date])
item_types = st.one_of(
    scalar_types,
    st.lists(scalar_types, min_size=2, max_size=3, unique=True).map(lambda types: Union[tuple(types)]),  # noqa: UP007
    st.lists(scalar_types, min_size=1, max_size=2).map(lambda types: tuple[tuple(types)]),
)


@settings(max_examples=40, deadline=None)
@given(item=item_types, seed=st.integers(0, 99), whole=st.sampled_from([set, frozenset]))
def test_sets_are_as_large_as_they_have_to_be(item, seed, whole):
    try:
        schema, parse = schema_and_parser(within(whole[item], min_length=2, max_length=4))
        g = guide.json_schema(schema, BYTES, spelling="plain")
    except ConstraintError as error:
        assert "two different texts may be read as one" in str(error) or item is None
        return
    for n in range(4):
        text = walk(g, Random(seed + n), steps=15)
        if text is not None:
            assert len(parse(text.decode())) >= 2


def test_what_python_takes_for_equal_comes_once():
    schema, parse = schema_and_parser(pydantic.conset(bool | int | float, min_length=2))
    g = guide.json_schema(schema, BYTES, spelling="plain")
    for text in ("[true,1]", "[0,false]", "[0.0,false]", "[0.3,0.29999999999999999]", "[2,2.0]"):
        assert not accepts(g, text)
        with pytest.raises(pydantic.ValidationError):
            parse(text)
    assert accepts(g, "[true,false,2,2.5]")


naturals = st.integers(0, 10**12) | st.integers(0, 120)


@given(
    low=naturals,
    size=naturals,
    tried=st.lists(st.integers(-(10**12), 10**13), max_size=5),
    sign=st.sampled_from([1, -1]),
)
def test_integers_in_a_range(low, size, tried, sign):
    first, last = sorted((sign * low, sign * low + size))
    pattern = re.compile(python_types.integers(first, last))
    for x in (*tried, first - 1, first, first + 1, last - 1, last, last + 1, 0):
        assert bool(pattern.fullmatch(str(x))) == (first <= x <= last)
    assert not pattern.fullmatch("0" + str(abs(last))) and not pattern.fullmatch("-0")


@settings(max_examples=30, deadline=None)
@given(data=st.data(), seed=st.integers(0, 99))
def test_bounds_of_times_at_random(data, seed):
    """Where something fits, as whole days and seconds, it is written; and it validates."""
    values, margin = data.draw(
        st.sampled_from(
            [
                (st.dates(), timedelta(days=2)),
                (st.datetimes(), timedelta(days=6)),
                (st.timedeltas(timedelta(-9), timedelta(days=9)), timedelta(seconds=2)),
                (st.decimals(-99, 99, places=20), Decimal("1e-10")),
            ]
        )
    )
    low, high = sorted((data.draw(values), data.draw(values)))
    bounds = {data.draw(st.sampled_from(["gt", "ge"])): low, data.draw(st.sampled_from(["lt", "le"])): high}
    bounds = dict(data.draw(st.lists(st.sampled_from([*bounds.items()]), min_size=1, max_size=2)))
    try:
        schema, parse = schema_and_parser(within(type(low), **bounds))
        text = walk(guide.json_schema(schema, BYTES, spelling="plain"), Random(seed), steps=20)
    except ConstraintError:
        negative = isinstance(high, timedelta) and high <= timedelta(0)
        at_an_end = isinstance(low, date) and (low.year <= 1 or high.year >= 9999)
        assert high - low < margin or negative or at_an_end
        return
    assert text is not None
    parse(text.decode())


def test_addresses_of_people():
    pytest.importorskip("email_validator")
    schema, parse = schema_and_parser(pydantic.EmailStr)
    for seed in range(30):
        parse((walk(guide.json_schema(schema, BYTES, spelling="any"), Random(seed), steps=12) or b'"a@b.de"').decode())


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_promised_is_refused_by_name(name):
    with pytest.raises(ConstraintError, match=r"^pydantic: "):
        oc.generate.json(shipped_model(), REFUSED[name])
