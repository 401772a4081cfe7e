"""Outlines 1.3: docs/coming_from/outlines.md."""

from __future__ import annotations

from typing import Any, Literal

import outlines
from common import (
    ADDRESS,
    AGE,
    HOME,
    IS_SUM,
    JOB,
    JOBS,
    STORY,
    SUM,
    Job,
    Person,
    Program,
    each,
    greedy,
    hf,
    is_address,
    is_job,
    is_person,
    matches,
    model,
)
from outlines import types

import outlines_cont as oc


def programs() -> list[Program]:
    theirs = outlines.from_transformers(*hf())
    most: dict[str, Any] = {"max_new_tokens": 60, "do_sample": False}
    template = outlines.Template.from_string("{{ story }}Q: How old is {{ name }}?\nA:")
    return [
        Program("a choice", lambda: theirs(JOB, Literal[tuple(JOBS)], **most), lambda: greedy(JOBS, JOB), is_job),
        Program("an enum", lambda: theirs(JOB, Job, **most), lambda: greedy(Job, JOB).value, is_job),
        Program("an integer", lambda: theirs(AGE, int, **most), lambda: greedy(int, AGE), matches("-?[0-9]+")),
        Program(
            "a pattern",
            lambda: theirs(AGE, types.Regex(" [0-9]{2}"), **most),
            lambda: greedy(oc.types.regex(" [0-9]{2}"), AGE),
            matches(" [0-9]{2}"),
        ),
        Program("a pydantic model", lambda: theirs(STORY, Person, **most), lambda: greedy(Person, STORY), is_person),
        Program(
            "a JSON Schema",
            lambda: theirs(STORY, types.JsonSchema(ADDRESS), **most),
            lambda: greedy(ADDRESS, STORY),
            is_address,
        ),
        Program(
            "a generator, twice",
            lambda: [outlines.Generator(theirs, Literal[tuple(JOBS)])(prompt, **most) for prompt in (JOB, HOME)],
            lambda: [oc.Generator(model(), JOBS, oc.samplers.greedy())(prompt) for prompt in (JOB, HOME)],
            each(is_job, 2),
        ),
        Program(
            "a batch",
            lambda: theirs.batch([AGE, JOB], Literal["34", "painter"], **most),
            lambda: [value for [value] in greedy(["34", "painter"], [AGE, JOB])],
            each({"34", "painter"}.__contains__, 2),
        ),
        Program(
            "a grammar",
            lambda: theirs(STORY, types.CFG(SUM), **most),
            lambda: greedy(oc.types.cfg(SUM), STORY),
            matches(IS_SUM),
        ),
        Program(
            "a template",
            lambda: theirs(template(story=STORY, name="Mira"), int, **most),
            lambda: greedy(int, f"{STORY}Q: How old is Mira?\nA:"),
            matches("-?[0-9]+"),
        ),
    ]
