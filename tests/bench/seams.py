"""What a space at the end of a prompt does to the answer: `python tests/bench/seams.py [--model FOLDER]`.

Forty prompts, each asked in three ways, greedily: with a space at its end and seam="keep", which leaves the space as a
token of its own; with the space and the default, seam="auto"; and without the space, where the value itself begins with
one. Ten are choices, ten patterns, ten JSON objects, and ten free texts. The second and the third must give the same
answer: this is counted, every case that differs is named, and then the exit status is 1. (A free text need not begin
with a space. Where a model begins it otherwise, its answers differ, and that is right.)

The table has each answer, and in brackets the log-probability of its tokens after those that are common to all three:
that of the space and the answer.

With no --model, the model that ships is asked, which knows few of the answers. `--first N` asks the first N prompts of
each kind only.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

import outlines_cont as oc
from outlines_cont.fsm.guide import literal
from outlines_cont.fsm.protocol import concatenated

CITIES = ["Paris", "Tokyo", "Lisbon", "Porto", "Rīga", "東京"]
JOBS = ["baker", "painter", "sailor", "teacher"]
STORY = "Mira is a painter from Lisbon. She is 34 years old. She came to town in 1987.\n"

CHOICES: list[tuple[str, list[str]]] = [
    ("The capital of France is", CITIES),
    ("The capital of Japan is", CITIES),
    ("The capital of Portugal is", CITIES),
    (STORY + "Q: What is Mira's job?\nA:", JOBS),
    (STORY + "Q: Where is Mira from?\nA:", CITIES),
    ("Review: I loved every minute of it.\nSentiment:", ["positive", "negative"]),
    ("Review: A waste of time and money.\nSentiment:", ["positive", "negative"]),
    ("The opposite of hot is", ["cold", "warm", "tall", "red"]),
    ("On a clear day the sky is", ["green", "blue", "purple"]),
    ("Q: Is the Earth round?\nA:", ["Yes", "No"]),
]
PATTERNS: list[tuple[str, str]] = [
    (STORY + "Q: How old is Mira?\nA:", "[0-9]+"),
    (STORY + "Q: In which year did Mira come to town?\nA:", "[0-9]{4}"),
    ("2 + 2 =", "[0-9]{1,3}"),
    ("World War II ended in", "[0-9]{4}"),
    ("The number of days in a week is", "[0-9]+"),
    ("The first letter of the alphabet is", "[A-Z]"),
    ("Her phone number is", "[0-9]{3}-[0-9]{4}"),
    ("My name is", "[A-Z][a-z]{2,9}"),
    ("The meeting is on", "(Mon|Tues|Wednes|Thurs|Fri)day"),
    ("The price is", r"\$[0-9]{1,3}\.[0-9]{2}"),
]
JSON_PROMPTS: list[str] = [
    STORY + "JSON with name and age:",
    "Tom is a sailor, and 52 years old.\nJSON with name and age:",
    "My sister Anna is 19.\nAs JSON:",
    "Peter (41) lives in Berlin.\nOutput:",
    "Extract the person: 'Maria turned 30 yesterday.'\nJSON:",
    "Text: Old Hugo is 88.\nRecord:",
    "user: I am Paul and I am 27\nassistant:",
    "A man of 63 years, whose name was Carl.\nperson =",
    'Examples: {"name":"Eva","age":22} {"name":"Max","age":45} Another one:',
    "The record of a girl named Lucy who is 7:",
]
TEXTS: list[str] = [
    "The capital of France is",
    "Water boils at",
    "Once upon a time there was a",
    STORY + "Q: What is Mira's job?\nA:",
    STORY + "Q: How old is Mira?\nA:",
    "English: dog. French: chien.\nEnglish: cat. French:",
    "one two three four",
    "To be or not to",
    "The United States of",
    "Monday, Tuesday, Wednesday,",
]

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z][a-z]{1,11}$"},
        "age": {"type": "integer", "minimum": 1, "maximum": 99},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Case:
    """A prompt without a space at its end; a generator of what comes after the space, and one of space and value."""

    kind: str
    prompt: str
    after: Callable[[oc.Model], Any]
    with_space: Callable[[oc.Model], Any]
    options: dict[str, Any]


GREEDY = oc.samplers.greedy()


def choice(prompt: str, options: list[str]) -> Case:
    return Case(
        "choice",
        prompt,
        lambda model: oc.generate.choice(model, options, GREEDY),
        lambda model: oc.generate.choice(model, [f" {option}" for option in options], GREEDY),
        {},
    )


def pattern(prompt: str, regex: str) -> Case:
    return Case(
        "regex",
        prompt,
        lambda model: oc.generate.regex(model, regex, GREEDY),
        lambda model: oc.generate.regex(model, f" ({regex})", GREEDY),
        {},
    )


def person(prompt: str) -> Case:
    return Case(
        "JSON",
        prompt,
        lambda model: oc.generate.json(model, PERSON, GREEDY),
        person_after_space,
        {},
    )


def person_after_space(model: oc.Model) -> oc.Generator:
    """Schemas have no space before the value, so this one puts it before their guide."""
    guide = oc.generate.json(model, PERSON).constraint.guide
    return oc.Generator(model, concatenated(literal(b" ", model.vocabulary), guide), GREEDY)


def text(prompt: str) -> Case:
    return Case(
        "text",
        prompt,
        lambda model: oc.generate.text(model, GREEDY),
        lambda model: oc.generate.text(model, GREEDY),
        {"stop_at": ["\n", "."], "max_tokens": 6},
    )


CASES = [
    *(choice(*case) for case in CHOICES),
    *(pattern(*case) for case in PATTERNS),
    *(person(prompt) for prompt in JSON_PROMPTS),
    *(text(prompt) for prompt in TEXTS),
]


def answer(model: oc.Model, state: oc.SequenceState, prompt: str) -> tuple[str, float]:
    """What a row says after a prompt, and the log-probability of its tokens after those that the prompt's text has."""
    shared = model.state(prompt).rows[0][0].ids
    ids = state.rows[0][0].ids
    count = next((n for n, (a, b) in enumerate(zip(ids, shared, strict=False)) if a != b), min(len(ids), len(shared)))
    context = model.state(list(ids[:count]))
    weight = oc.score(context, [[list(ids[count:])]]).item() if count < len(ids) else 0.0
    return str(state).removeprefix(prompt).removeprefix(" "), weight


def main() -> bool:
    parser = argparse.ArgumentParser(description="What a space at the end of a prompt does to the answer.")
    parser.add_argument("--model", help="a folder, or what else `oc.load` takes; default: the model that ships")
    parser.add_argument("--first", type=int, default=10, help="so many prompts of each kind; default: 10")
    arguments = parser.parse_args()
    model = oc.load(arguments.model, dtype=torch.float32) if arguments.model else oc.load()
    cases = [case for at, case in enumerate(CASES) if at % 10 < arguments.first]
    kept = same = 0
    gains, different = [], []
    print("| type | prompt | with the space, `keep` | with the space, `auto` | without the space |")
    print("| --- | --- | --- | --- | --- |")
    for case in cases:
        told = []
        after, begun_by_space = case.after(model), case.with_space(model)
        for end, generator, seam in ((" ", after, "keep"), (" ", after, "auto"), ("", begun_by_space, "auto")):
            state = generator.run(case.prompt + end, seam=seam, **case.options)
            told.append(answer(model, state, case.prompt))
        (keep, low), (auto, high), (without, _) = told
        kept, same = kept + (keep == without), same + (auto == without)
        gains.append(high - low)
        if auto != without:
            different.append((case.prompt, auto, without))
        if auto == without:
            told.pop()
        shown = " | ".join([*(f"`{value}` ({weight:.1f})" for value, weight in told), *["the same"] * (3 - len(told))])
        print(f"| {case.kind} | {' ⏎ '.join(case.prompt.splitlines()[-2:])} | {shown} |", flush=True)
    print(f"\nthe answer without the space: under auto {same} of {len(cases)}, under keep {kept} of {len(cases)}")
    print(f"log-probability under auto less that under keep, mean: {sum(gains) / len(gains):.1f}")
    for prompt, auto, without in different:
        print(f"DIFFERENT after {prompt!r}: {auto!r} with the space, {without!r} without")
    return bool(different)


if __name__ == "__main__":
    raise SystemExit(main())
