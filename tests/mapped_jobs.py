"""Jobs for `oc.map` that workers can import, and a program that is killed: `tests/mapped_jobs.py FOLDER COUNT`.

`tests/mapped_jobs.py FOLDER COUNT WORKERS` does them on workers, and prints their ids, too.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import outlines_cont as oc

NAMES = ["Mira", "Tom", "Zoë", "Hari", "Dapo"]
QUESTION = "\nQ: Where does she come from?\nA: "


def prompts(count: int) -> list[str]:
    """So many different ones that begin alike."""
    return [
        f"{NAMES[i % 5]} is a painter from Lisbon. {NAMES[i % 5]} is {20 + i} years old.\nQ: How old is "
        f"{NAMES[i % 5]}?\nA: "
        for i in range(count)
    ]


def chain(model: oc.Model, sampler: Any = None) -> oc.Chain:
    """A number, a text and a choice, all drawn."""
    age = oc.continuous(oc.generate.regex(model, "[0-9]{1,3}", sampler), name="age")
    city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], sampler), name="city")
    return age >> QUESTION >> city


def question(row: oc.SequenceState) -> str | None:
    """What a row is asked after its number: nothing, if that is large."""
    number = int(row.captures["age"][0][0][-1])
    return None if number > 23 else QUESTION.replace("she", "Mira" if number < 22 else "Tom")


def asking(model: oc.Model, sampler: Any = None) -> oc.Chain:
    """A number, a question that depends on it, and a choice."""
    age, _, city = chain(model, sampler).parts
    return age >> question >> city  # type: ignore[operator, return-value]


def load(number: int) -> oc.Model:
    """The model of a worker."""
    return oc.load()


def load_nothing() -> oc.Model:
    """A loader that fails."""
    raise RuntimeError("no such disk")


def watch(draw: oc.steer.Draw) -> None:
    """A hook that travels."""


def sleeping(given: list[str], count: int) -> Iterator[str]:
    """So many prompts, then none for ever."""
    yield from given[:count]
    if count < len(given):
        print("asleep", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    job, workers = chain(oc.load()), int(sys.argv[3]) if sys.argv[3:] else None
    given = prompts(12) if workers else sleeping(prompts(12), int(sys.argv[2]))
    results = oc.map(job, given, seed=0, shard=4, out=sys.argv[1], workers=workers)
    for number, _ in enumerate(results):
        if workers and number == int(sys.argv[2]):
            print(*results._run.pool.pids, flush=True)
            print("asleep", flush=True)
            threading.Event().wait()
