"""What editors infer: checked by pyright in `.ci/run`, and by mypy in `.ci/nightly`. Nothing of it runs.

`assert_type` is about the type that a checker infers, to the letter.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, Literal, assert_type

from pydantic import BaseModel, TypeAdapter
from typing_extensions import TypedDict

import outlines_cont as oc


class Person(BaseModel):
    name: str


@dataclass
class Point:
    x: int


class Colour(Enum):
    RED = "red"


class Movie(TypedDict):
    year: int


def greet(name: str, age: int) -> str:
    return f"{name}, {age}"


model = oc.load()
three = oc.samplers.multinomial(samples=3)
beams = oc.samplers.beam_search(4)
greedy = oc.samplers.greedy()


def classes() -> None:
    assert_type(oc.Generator(model, int)("2 + 2 = "), int)
    assert_type(oc.Generator(model, date, greedy)("When? "), date)
    assert_type(oc.Generator(model, Person)("Who? "), Person)
    assert_type(oc.Generator(model, Point)("Where? "), Point)
    assert_type(oc.Generator(model, Colour)("Which? "), Colour)
    assert_type(oc.Generator(model, Movie)("Which? "), Movie)
    assert_type(oc.Generator(model, list[int])("Which? "), list[int])
    assert_type(oc.Generator(model, TypeAdapter(list[date]))("When? "), list[date])


def texts_and_schemas() -> None:
    assert_type(oc.Generator(model)("Mira"), str)
    assert_type(oc.Generator(model, str)("Mira"), str)
    assert_type(oc.Generator(model, None, greedy)("Mira"), str)
    assert_type(oc.Generator(model, re.compile("[0-9]+"))("Mira is "), str)
    assert_type(oc.Generator(model, ["red", "blue"])("The sky is "), str)
    assert_type(oc.Generator(model, [1, 2, 3])("How many? "), int)
    assert_type(oc.Generator(model, greet)("Hello: "), dict[str, Any])
    assert_type(oc.Generator(model, {"type": "object"})("As JSON: "), Any)
    assert_type(oc.Generator(model, oc.types.regex("[0-9]+"))("Mira is "), str)
    assert_type(oc.Generator(model, oc.types.cfg('start: "a"'))("a"), str)
    assert_type(oc.Generator(model, oc.types.choice([1, 2]))("2 + 2 = "), int)
    assert_type(oc.Generator(model, oc.types.json_schema(Person, whitespace="flexible"))("Who? "), Person)


def what_no_checker_infers() -> None:
    assert_type(oc.Generator(model, Literal["a", "b"])("?"), Any)
    assert_type(oc.Generator(model, int | None)("?"), Any)
    assert_type(oc.Generator[Literal["a", "b"]](model, Literal["a", "b"])("?"), Literal["a", "b"])
    assert_type(oc.Generator[int | None](model, int | None)("?"), int | None)
    drawn = oc.Generator[Literal["a", "b"], oc.samplers.Many](model, Literal["a", "b"], three)
    assert_type(drawn("?"), list[Literal["a", "b"]])


def one_or_many() -> None:
    assert_type(oc.Generator(model, int, greedy)("2 + 2 = "), int)
    assert_type(oc.Generator(model, int, oc.samplers.multinomial())("2 + 2 = "), int)
    assert_type(oc.Generator(model, int, oc.samplers.multinomial(samples=1))("2 + 2 = "), int)
    assert_type(oc.Generator(model, int, three)("2 + 2 = "), list[int])
    assert_type(oc.Generator(model, int, beams)("2 + 2 = "), list[int])
    assert_type(oc.Generator(model, int, oc.samplers.smc())("2 + 2 = "), list[int])
    assert_type(oc.Generator(model, int, greedy)(["2 + 2 = "]), list[list[int]])
    assert_type(oc.Generator(model, int, three)(["2 + 2 = "]), list[list[int]])
    assert_type(oc.Generator(model, int)([5, 7]), int)
    assert_type(oc.Generator(model, int)([[5, 7]]), list[list[int]])


def makers() -> None:
    assert_type(oc.generate.text(model)("Mira"), str)
    assert_type(oc.generate.text(model, three)("Mira", max_tokens=3), list[str])
    assert_type(oc.generate.regex(model, re.compile("a+"), greedy)("a"), str)
    assert_type(oc.generate.cfg(model, 'start: "a"', beams)("a"), list[str])
    assert_type(oc.generate.choice(model, ["red", "blue"], greedy, by="sequence")("The sky is "), str)
    assert_type(oc.generate.choice(model, Colour)("The sky is "), Colour)
    assert_type(oc.generate.json(model, Person, three)("Who? "), list[Person])
    assert_type(oc.generate.json(model, greet)("Hello: "), dict[str, Any])
    assert_type(oc.generate.json(model, {"type": "object"}, extra="schema")("As JSON: "), Any)
    assert_type(oc.generate.format(model, date)("When? "), date)
    assert_type(oc.generate.format(model, list[int], three)("Which? "), list[list[int]])


def calls_of_a_model() -> None:
    assert_type(model("Mira"), str)
    assert_type(model("2 + 2 = ", int), int)
    assert_type(model("Who? ", Person, max_tokens=50), Person)


def states() -> None:
    state = oc.continuous(oc.generate.json(model, Person, three), name="person", seam="heal")("Who? ")
    assert_type(state, oc.SequenceState)
    assert_type(state.captures["person"], list[list[list[Any]]])
    assert_type(state.finished, list[list[Literal["stop", "length", "interrupted", "dead"] | None]])


def a_generator_of_any_sampler(generator: oc.Generator[int, Any]) -> None:
    assert_type(generator(["2 + 2 = "]), list[list[int]])


a_generator_of_any_sampler(oc.Generator(model, int, three))
a_generator_of_any_sampler(oc.Generator(model, int, greedy))


def wrong_words() -> None:
    oc.generate.choice(model, ["a"], by="sequences")  # type: ignore[call-overload]
    oc.generate.json(model, Person, spelling="Python")  # type: ignore[call-overload]
    oc.generate.cfg(model, "", syntax="ebnf")  # type: ignore[arg-type]
