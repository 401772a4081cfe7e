"""guidance 0.3.1: docs/coming_from/guidance.md.

It tells transformers' cache how many tokens to keep, and transformers 5 asks how many to remove, and refuses. So no
program of guidance runs in an environment with ours, but here, where the cache translates. (Of a chat template it does
not know it makes ChatML, which this model has never seen.)
"""

from __future__ import annotations

import re
from typing import Any

import guidance
from common import (
    AGE,
    IS_SUM,
    JOB,
    JOBS,
    MESSAGES,
    STORY,
    SUM,
    Person,
    Program,
    each,
    greedy,
    hf,
    is_job,
    is_person,
    line,
    matches,
    model,
)
from guidance import assistant, gen, models, select, system, user
from transformers import DynamicCache

import outlines_cont as oc

crop = DynamicCache.crop


def crop_as_before(cache: DynamicCache, kept: int) -> None:
    crop(cache, min(0, kept - cache.get_seq_length()) if kept > 0 else kept)


DynamicCache.crop = crop_as_before

DOCUMENT = "The old bridge was built by Tom Marsh in the year of the great flood."


@guidance.guidance(stateless=False)
def person(lm: Any, name: str) -> Any:
    lm += f"{STORY}Q: How old is {name}?\nA: " + gen("age", regex="[0-9]+")
    if int(lm["age"]) > 17:
        lm += f"\nQ: What is {name}'s job?\nA: " + select(JOBS, name="job")
    return lm


def person_of_ours(name: str) -> tuple[str, str | None]:
    age = oc.continuous(oc.generate.regex(model(), "[0-9]+", oc.samplers.greedy()), name="age")
    job = oc.continuous(oc.generate.choice(model(), JOBS, oc.samplers.greedy()), name="job")
    state = age(f"{STORY}Q: How old is {name}?\nA: ")
    [[[years]]] = state.captures["age"]
    if int(years) <= 17:
        return years, None
    state = job(state + f"\nQ: What is {name}'s job?\nA: ")
    return years, state.captures["job"][0][0][0]


def chain_of_ours() -> Any:
    age = oc.continuous(oc.generate.regex(model(), " [0-9]{2}", oc.samplers.greedy()), name="age")
    job = oc.continuous(oc.generate.choice(model(), JOBS, oc.samplers.greedy()), name="job")
    captures = (age >> "\nQ: What is Mira's job?\nA: " >> job)(AGE).captures
    return captures["age"][0][0][0], captures["job"][0][0][0]


def list_of_ours() -> list[str]:
    item = oc.continuous(oc.generate.regex(model(), "[a-z]{3,8}", oc.samplers.greedy()), name="word")
    return (item >> ", " >> item >> ", " >> item)(STORY).captures["word"][0][0]


def programs() -> list[Program]:
    lm = models.Transformers(*hf(), echo=False)

    def chain() -> Any:
        made = lm + AGE + gen("age", regex=" [0-9]{2}") + "\nQ: What is Mira's job?\nA: " + select(JOBS, name="job")
        return made["age"], made["job"]

    def words() -> Any:
        made = lm + STORY
        for mark in (", ", ", ", ""):
            made += gen("word", regex="[a-z]{3,8}", list_append=True) + mark
        return made["word"]

    def chat() -> Any:
        made = lm
        with system():
            made += MESSAGES[0]["content"]
        with user():
            made += MESSAGES[1]["content"]
        with assistant():
            made += gen("answer", regex="[0-9]+")
        return made["answer"]

    def decided() -> Any:
        made = lm + person("Mira")
        return made["age"], made["job"]

    return [
        Program(
            "select", lambda: (lm + JOB + " " + select(JOBS, name="job"))["job"], lambda: greedy(JOBS, JOB), is_job
        ),
        Program(
            "gen by a pattern",
            lambda: (lm + AGE + gen("age", regex=" [0-9]{2}"))["age"],
            lambda: greedy(oc.types.regex(" [0-9]{2}"), AGE),
            matches(" [0-9]{2}"),
        ),
        Program(
            "gen up to a stop",
            lambda: (lm + JOB + gen("line", stop="\n", max_tokens=12))["line"],
            lambda: line(JOB),
            lambda text: text.strip() == "painter",
        ),
        Program(
            "json",
            lambda: (lm + STORY + guidance.json(name="person", schema=Person))["person"],
            lambda: greedy(Person, STORY),
            is_person,
        ),
        Program("a chain", chain, chain_of_ours, lambda v: bool(re.fullmatch(" [0-9]{2}", v[0])) and v[1] in JOBS),
        Program("a list of values", words, list_of_ours, each(matches("[a-z]{3,8}"), 3)),
        Program(
            "a conversation", chat, lambda: greedy(oc.types.regex("[0-9]+"), model().chat(MESSAGES)), matches("34")
        ),
        Program("a function of a text", decided, lambda: person_of_ours("Mira"), lambda v: v == ("34", "painter")),
        Program(
            "a substring",
            lambda: (lm + f"{DOCUMENT}\nQuote: " + guidance.substring(DOCUMENT, name="quote"))["quote"],
            lambda: greedy(oc.types.quote(DOCUMENT, words=(1, None)), f"{DOCUMENT}\nQuote: "),
            lambda text: text in DOCUMENT,
        ),
        Program(
            "a grammar",
            lambda: (lm + STORY + guidance.lark(SUM, name="sum"))["sum"],
            lambda: greedy(oc.types.cfg(SUM), STORY),
            matches(IS_SUM),
        ),
    ]
