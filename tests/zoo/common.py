"""What programs of every library share: the model, the texts, and what a program is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple

import torch
import transformers
from pydantic import BaseModel

import outlines_cont as oc
from outlines_cont import tiny

torch.set_num_threads(1)
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

STORY = "Mira is a painter from Lisbon. Mira is 34 years old.\n"
AGE, JOB, HOME = (STORY + text for text in ("Q: How old is Mira?\nA:", "Q: What is Mira's job?\nA:", "Q: Where?\nA:"))
JOBS = ["baker", "painter", "sailor"]
SUM = 'start: NUMBER " + " NUMBER\nNUMBER: /[0-9]{1,3}/'
GBNF_SUM = 'root ::= number " + " number\nnumber ::= [0-9]{1,3}'
IS_SUM = r"[0-9]{1,3} \+ [0-9]{1,3}"
ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 12}, "zip": {"type": "integer", "minimum": 0}},
    "required": ["city", "zip"],
    "additionalProperties": False,
}
MESSAGES = [
    {"role": "system", "content": "Mira is a painter from Lisbon. Mira is 34 years old."},
    {"role": "user", "content": "How old is Mira?"},
]


class Person(BaseModel):
    name: Literal["Mira", "Tom"]
    age: int


class Job(Enum):
    baker = "baker"
    painter = "painter"


class Program(NamedTuple):
    """One task: what it is called, their program and ours, and whether a value is right."""

    name: str
    theirs: Callable[[], Any]
    ours: Callable[[], Any]
    fits: Callable[[Any], bool]


@cache
def model() -> oc.Model:
    return oc.load()


@cache
def hf() -> tuple[Any, Any]:
    """The shipped model as transformers loads it."""
    auto = transformers.AutoModelForCausalLM.from_pretrained(tiny.PATH, dtype=torch.float32)  # as ours has it
    return auto.eval(), transformers.AutoTokenizer.from_pretrained(tiny.PATH)


def greedy(output_type: Any, prompt: Any, **options: Any) -> Any:
    return oc.Generator(model(), output_type, oc.samplers.greedy())(prompt, **options)


def line(prompt: Any, most: int = 12, **options: Any) -> str:
    """What the likeliest tokens write after a prompt, up to the end of the line."""
    text = oc.generate.text(model(), oc.samplers.greedy())
    return text(prompt, stop_at="\n", max_tokens=most, errors="return", **options)


def likeliest_by_ours(model: oc.Model, prompt: str) -> list[float]:
    """The log-probabilities of the three tokens that are likeliest after a prompt."""
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    [[candidates]] = step(prompt, max_tokens=1, keep=oc.Keep(candidates=3)).kept.candidates
    return [each.proposal_logprob for each in candidates[-1]]


def without(word: str, model: oc.Model, prompt: str) -> str:
    sampler = oc.samplers.greedy(filters=[oc.filters.bad_words([word])])
    return oc.generate.text(model, sampler)(prompt, max_tokens=12, errors="return")


# --- oracles


def matches(pattern: str) -> Callable[[Any], bool]:
    return lambda value: re.fullmatch(pattern, str(value)) is not None


def each(fits: Callable[[Any], bool], count: int) -> Callable[[Any], bool]:
    """Whether there are so many values, and each fits."""
    return lambda values: len(values) == count and all(map(fits, values))


def near(value: Callable[[], float], most: float = 1e-3) -> Callable[[Any], bool]:
    """Whether a number is this one, up to rounding."""
    return lambda number: abs(number - value()) <= most


def is_job(value: Any) -> bool:
    return value in JOBS


def is_person(value: Any) -> bool:
    return isinstance(Person.model_validate_json(value) if isinstance(value, str) else value, Person)


def is_address(value: Any) -> bool:
    import jsonschema

    jsonschema.validate(json.loads(value) if isinstance(value, str) else value, ADDRESS)
    return True
