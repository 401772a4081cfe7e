"""The zoo: programs as the pages of other libraries have them, beside the same tasks here. `python tests/zoo.py`

Each program of another library is written by its documented calls, for the model that ships with this package; ours
stands beside it. Both values go to an oracle (`re`, `jsonschema`, a list). The table says whether each fits, or how it
failed. The exit status is 1 if one of ours does not fit. A library that is not installed is left out by name. (guidance
0.3.1 does not run on transformers 5, which ours takes; transformers bans one way to spell a word only.)
`.ci/nightly zoo` installs Outlines and guidance, and runs it.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
import transformers
from pydantic import BaseModel

import outlines_cont as oc

ROOT = Path(__file__).resolve().parents[1]
STORY = "Mira is a painter from Lisbon. Mira is 34 years old.\n"
AGE, JOB, HOME = (STORY + text for text in ("Q: How old is Mira?\nA:", "Q: What is Mira's job?\nA:", "Q: Where?\nA:"))
JOBS = ["baker", "painter", "sailor"]
SUM = 'start: NUMBER " + " NUMBER\nNUMBER: /[0-9]{1,3}/'
ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 12}, "zip": {"type": "integer", "minimum": 0}},
    "required": ["city", "zip"],
    "additionalProperties": False,
}


class Person(BaseModel):
    name: Literal["Mira", "Tom"]
    age: int


class Job(Enum):
    baker = "baker"
    painter = "painter"


class Program(NamedTuple):
    """One task: what it is called, their program and ours, and whether a value is right."""

    library: str
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
    folder = ROOT / "outlines_cont" / "tiny"
    auto = transformers.AutoModelForCausalLM.from_pretrained(folder)
    return auto.eval(), transformers.AutoTokenizer.from_pretrained(folder)


def matches(pattern: str) -> Callable[[Any], bool]:
    return lambda value: re.fullmatch(pattern, str(value)) is not None


def is_person(value: Any) -> bool:
    return isinstance(Person.model_validate_json(value) if isinstance(value, str) else value, Person)


def is_address(value: Any) -> bool:
    import jsonschema

    jsonschema.validate(json.loads(value) if isinstance(value, str) else value, ADDRESS)
    return True


def greedy(output_type: Any, prompt: Any, **options: Any) -> Any:
    return oc.Generator(model(), output_type, oc.samplers.greedy())(prompt, **options)


# --- Outlines


def of_outlines() -> list[Program]:
    outlines = import_module("outlines")
    types = import_module("outlines.types")
    theirs = outlines.from_transformers(*hf())
    most: dict[str, Any] = {"max_new_tokens": 60, "do_sample": False}
    template = outlines.Template.from_string("{{ story }}Q: How old is {{ name }}?\nA:")

    def batch() -> Any:
        return theirs.batch([AGE, JOB], Literal["34", "painter"], **most)

    tasks: list[tuple[str, Callable[[], Any], Callable[[], Any], Callable[[Any], bool]]] = [
        ("a choice", lambda: theirs(JOB, Literal[tuple(JOBS)], **most), lambda: greedy(JOBS, JOB), JOBS.__contains__),
        ("an enum", lambda: theirs(JOB, Job, **most), lambda: greedy(Job, JOB).value, JOBS.__contains__),
        ("an integer", lambda: theirs(AGE, int, **most), lambda: greedy(int, AGE), matches("-?[0-9]+")),
        (
            "a pattern",
            lambda: theirs(AGE, types.Regex(" [0-9]{2}"), **most),
            lambda: greedy(oc.types.regex(" [0-9]{2}"), AGE),
            matches(" [0-9]{2}"),
        ),
        ("a pydantic model", lambda: theirs(STORY, Person, **most), lambda: greedy(Person, STORY), is_person),
        (
            "a JSON Schema",
            lambda: theirs(STORY, types.JsonSchema(ADDRESS), **most),
            lambda: greedy(ADDRESS, STORY),
            is_address,
        ),
        (
            "a generator, twice",
            lambda: [outlines.Generator(theirs, Literal[tuple(JOBS)])(each, **most) for each in (JOB, HOME)],
            lambda: [oc.Generator(model(), JOBS, oc.samplers.greedy())(each) for each in (JOB, HOME)],
            lambda values: all(value in JOBS for value in values),
        ),
        (
            "a batch",
            batch,
            lambda: [v for [v] in greedy(["34", "painter"], [AGE, JOB])],
            lambda v: {*v} <= {"34", "painter"},
        ),
        (
            "a grammar",
            lambda: theirs(STORY, types.CFG(SUM), **most),
            lambda: greedy(oc.types.cfg(SUM), STORY),
            matches(r"[0-9]{1,3} \+ [0-9]{1,3}"),
        ),
        (
            "a template",
            lambda: theirs(template(story=STORY, name="Mira"), int, **most),
            lambda: greedy(int, f"{STORY}Q: How old is Mira?\nA:"),
            matches("-?[0-9]+"),
        ),
    ]
    return [Program("Outlines", *task) for task in tasks]


# --- transformers


def of_transformers() -> list[Program]:
    def generated(prompt: str, **options: Any) -> list[str]:
        net, tokenizer = hf()
        inputs = tokenizer(prompt, return_tensors="pt")
        made = net.generate(**inputs, max_new_tokens=12, pad_token_id=0, tokenizer=tokenizer, **options)
        return tokenizer.batch_decode(made[:, inputs.input_ids.shape[1] :], skip_special_tokens=True)

    def written(prompt: str, sampler: Any, **options: Any) -> list[str]:
        state = oc.generate.text(model(), sampler).run(prompt, max_tokens=12, **options)
        return [text[len(prompt) :] for text in state.text()[0]]

    def scored() -> float:
        net, tokenizer = hf()
        inputs = tokenizer(JOB, return_tensors="pt")
        options = {"max_new_tokens": 2, "do_sample": False, "output_logits": True, "return_dict_in_generate": True}
        made = net.generate(**inputs, **options, pad_token_id=0)
        return net.compute_transition_scores(made.sequences, made.logits, normalize_logits=True).sum().item()

    def score_of_ours() -> float:
        state = oc.generate.text(model(), oc.samplers.greedy()).run(JOB, max_tokens=2)
        return state.logprobs.sum().item()

    def exactly(n: int) -> Callable[[Any], bool]:
        return lambda texts: len(texts) == n and all(isinstance(text, str) for text in texts)

    tasks: list[tuple[str, Callable[[], Any], Callable[[], Any], Callable[[Any], bool]]] = [
        ("greedy", lambda: generated(JOB, do_sample=False), lambda: written(JOB, oc.samplers.greedy()), exactly(1)),
        (
            "sampling, top-k",
            lambda: generated(JOB, do_sample=True, temperature=0.7, top_k=5, num_return_sequences=4),
            lambda: written(JOB, oc.samplers.multinomial(4, temperature=0.7, top_k=5), seed=0),
            exactly(4),
        ),
        (
            "beams",
            lambda: generated(JOB, num_beams=3, num_return_sequences=3, do_sample=False),
            lambda: written(JOB, oc.samplers.beam_search(3)),
            exactly(3),
        ),
        (
            "a stop string",
            lambda: generated(JOB, do_sample=False, stop_strings=["\n"]),
            lambda: written(JOB, oc.samplers.greedy(), stop_at="\n"),
            lambda texts: "\n" not in texts[0].rstrip("\n"),
        ),
        (
            "banned words",
            lambda: generated(
                JOB, do_sample=False, bad_words_ids=hf()[1]([" painter"], add_special_tokens=False).input_ids
            ),
            lambda: written(JOB, oc.samplers.greedy(filters=[oc.filters.bad_words(["painter"])])),
            lambda texts: "painter" not in texts[0],
        ),
        ("scores", scored, score_of_ours, lambda value: abs(value - scored()) < 1e-3),
    ]
    return [Program("transformers", *task) for task in tasks]


# --- guidance


def of_guidance() -> list[Program]:
    guidance = import_module("guidance")
    lm = guidance.models.Transformers(*hf(), echo=False)

    def chain() -> Any:
        made = lm + AGE + guidance.gen("age", regex=" [0-9]{2}") + "\nQ: What is Mira's job?\nA: "
        made += guidance.select(JOBS, name="job")
        return made["age"], made["job"]

    def ours() -> Any:
        age = oc.continuous(oc.generate.regex(model(), " [0-9]{2}", oc.samplers.greedy()), name="age")
        job = oc.continuous(oc.generate.choice(model(), JOBS, oc.samplers.greedy()), name="job")
        captures = (age >> "\nQ: What is Mira's job?\nA: " >> job)(AGE).captures
        return captures["age"][0][0][0], captures["job"][0][0][0]

    def chained(value: Any) -> bool:
        return bool(re.fullmatch(" [0-9]{2}", value[0])) and value[1] in JOBS

    tasks: list[tuple[str, Callable[[], Any], Callable[[], Any], Callable[[Any], bool]]] = [
        (
            "select",
            lambda: (lm + JOB + " " + guidance.select(JOBS, name="job"))["job"],
            lambda: greedy(JOBS, JOB),
            JOBS.__contains__,
        ),
        (
            "gen by a pattern",
            lambda: (lm + AGE + guidance.gen("age", regex=" [0-9]{2}"))["age"],
            lambda: greedy(oc.types.regex(" [0-9]{2}"), AGE),
            matches(" [0-9]{2}"),
        ),
        (
            "gen up to a stop",
            lambda: (lm + JOB + guidance.gen("line", stop="\n", max_tokens=12))["line"],
            lambda: str(
                oc.generate.text(model(), oc.samplers.greedy())(JOB, stop_at="\n", max_tokens=12, errors="return")
            ),
            lambda value: "\n" not in str(value),
        ),
        (
            "json",
            lambda: (lm + STORY + guidance.json(name="person", schema=Person))["person"],
            lambda: greedy(Person, STORY),
            is_person,
        ),
        ("a chain", chain, ours, chained),
    ]
    return [Program("guidance", *task) for task in tasks]


def outcome(program: Callable[[], Any], fits: Callable[[Any], bool]) -> tuple[bool, str]:
    """Whether a program's value fits; and what the table says."""
    try:
        value = program()
        return (True, "right") if fits(value) else (False, f"wrong: {str(value)[:40]!r}")
    except Exception as error:
        return False, f"{type(error).__name__}: {str(error)[:50]!r}"


def main() -> int:
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    failed = 0
    print("| library | program | theirs | ours |\n| --- | --- | --- | --- |")
    for library, of in (("outlines", of_outlines), ("transformers", of_transformers), ("guidance", of_guidance)):
        if find_spec(library) is None:
            print(f"| {library} | | not installed | |")
            continue
        for program in of():
            _, theirs = outcome(program.theirs, program.fits)
            right, ours = outcome(program.ours, program.fits)
            failed += not right
            print(f"| {program.library} | {program.name} | {theirs} | {ours} |", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
