"""What the whitespace of JSON does to its numbers: `python tests/bench/spaces.py [--model PATH]`.

28 prompts tell one or two integers, and ask for JSON, greedily, with whitespace="compact" and with whitespace=" ?",
which lets the model write a space where it wants one. Each prompt ends in three ways. The table counts the integers
that are right, and shows the mean log-probability of an answer.

With no --model, the model that ships is asked, which has read nothing like these prompts.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from pydantic import BaseModel

import outlines_cont as oc

NAMES = ["Ann", "Bob", "Eve", "Mira", "Tom", "Jane", "Karl", "Lucy", "Omar", "Nina"]
NAMES += ["Paul", "Ruth", "Sven", "Tara", "Uwe", "Vera", "Will", "Yara", "Zoe", "Leo"]
CITIES = ["Rome", "Paris", "Oslo", "Lisbon", "Berlin", "Madrid", "Vienna", "Dublin", "Cairo", "Prague"]
EVENTS = ["wedding", "fair", "concert", "race", "market", "feast", "opening", "congress"]


class Person(BaseModel):
    name: str
    city: str
    age: int


class Event(BaseModel):
    event: str
    year: int
    guests: int


def asked() -> list[tuple[str, type[BaseModel], dict[str, int]]]:
    """Prompts without their ends, the classes, and the integers that are right."""
    drawn, cases = random.Random(0), []
    for name in NAMES:
        age, city = drawn.randint(18, 80), drawn.choice(CITIES)
        cases.append(
            (f"{name} is {age} years old and lives in {city}.\nAs JSON with name, city, age", Person, {"age": age})
        )
    for event in EVENTS:
        year, guests = drawn.randint(1950, 2020), drawn.randint(20, 400)
        text = f"The {event} took place in {year}, and {guests} guests came.\nAs JSON with event, year, guests"
        cases.append((text, Event, {"year": year, "guests": guests}))
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(description="What the whitespace of JSON does to its numbers.")
    parser.add_argument("--model", help="a folder, or what else `oc.load` takes; default: the model that ships")
    path = parser.parse_args().model
    model = oc.load(path) if path else oc.load()
    print("| prompts end in | whitespace | integers that are right | mean log-probability |\n| --- | --- | --- | --- |")
    for end in (":", ": ", ":\n"):
        for whitespace in ("compact", " ?"):
            right, of, weights = 0, 0, []
            for cls in (Person, Event):
                cases = [case for case in asked() if case[1] is cls]
                written = oc.generate.json(model, cls, oc.samplers.greedy(), whitespace=whitespace)
                state = written.run([f"{text}{end}" for text, _, _ in cases], max_tokens=80)
                values: Any = written.values(state, errors="return")
                for [value], (_, _, known) in zip(values, cases, strict=True):
                    right += sum(getattr(value, name, None) == number for name, number in known.items())
                    of += len(known)
                weights += state.weights.flatten().tolist()
            print(f"| `{end!r}` | `{whitespace!r}` | {right} of {of} | {sum(weights) / len(weights):.1f} |", flush=True)


if __name__ == "__main__":
    main()
