"""Requests as lm-eval's tasks make them, drawn at random, and its `hf` backend to compare with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from transformers import AutoModelForCausalLM, AutoTokenizer

from outlines_cont import tiny

NAMES = ["Mira", "Tarvo", "Lena", "Oskar", "Ines", "Pavel", "Rosa", "Emil", "Nadia", "Jonas", "Carla", "Viktor"]
JOBS = ["painter", "baker", "doctor", "teacher", "farmer", "sailor", "singer", "lawyer"]
TOWNS = ["Lisbon", "Porto", "Berlin", "Oslo", "Vienna", "Madrid", "Prague", "Rome", "Athens", "Dublin"]


def shot(draw: random.Random, answered: bool = True) -> str:
    """A question, with its answer or without."""
    name, job, town, age = draw.choice(NAMES), draw.choice(JOBS), draw.choice(TOWNS), draw.randint(18, 80)
    story = f"{name} is a {job} from {town}. {name} is {age} years old.\n"
    question, answer = draw.choice(
        [
            (f"What is {name}'s job?", job),
            (f"How old is {name}?", str(age)),
            (f"Where does {name} come from?", f"{name} comes from {town}."),
        ]
    )
    return f"{story}Q: {question}\nA:" + (f" {answer}\n\n" if answered else "")


def few_shot_contexts(draw: random.Random, count: int, shots: int = 5, drawn_anew: bool = False) -> list[str]:
    """Contexts of a task: so many answered questions, the same ones or others each time, and one without its answer."""
    same = "".join(shot(draw) for _ in range(shots))
    before = ["".join(shot(draw) for _ in range(shots)) if drawn_anew else same for _ in range(count)]
    return [each + shot(draw, answered=False) for each in before]


def one_token_options(contexts: list[str], count: int) -> list[Instance]:
    """Letters as options, one token each."""
    letters = [" A", " B", " C", " D"]
    pairs = [(context, letter) for context in contexts for letter in letters]
    return instances("loglikelihood", pairs[:count])


def long_options(draw: random.Random, contexts: list[str], count: int) -> list[Instance]:
    """Four options of some words each."""
    pairs = []
    for context in contexts:
        for _ in range(4):
            name, town, job = draw.choice(NAMES), draw.choice(TOWNS), draw.choice(JOBS)
            pairs.append((context, f" {name} comes from {town}, and works there as a {job}."))
    return instances("loglikelihood", pairs[:count])


def odd_pairs(draw: random.Random, count: int) -> list[Instance]:
    """Pairs at the edges of the rule of tokenization: no context, spaces at its end, a cut inside a word."""
    pairs = []
    for _ in range(count):
        text = shot(draw) + shot(draw)
        at = draw.randint(1, len(text) - 1)
        context = draw.choice(["", text[:at], text[:at] + " ", text[:at] + "  ", text[:at] + "\n ", "<|begin|>" + text])
        pairs.append((context, text[at:]))
    return instances("loglikelihood", pairs)


def documents(draw: random.Random, count: int, most_shots: int = 8) -> list[Instance]:
    """Texts for `loglikelihood_rolling`."""
    return instances(
        "loglikelihood_rolling",
        [("".join(shot(draw) for _ in range(draw.randint(0, most_shots))).strip(),) for _ in range(count)],
    )


def questions(contexts: list[str], settings: dict[str, Any]) -> list[Instance]:
    """Requests for `generate_until`."""
    return instances("generate_until", [(context, dict(settings)) for context in contexts])


def instances(kind: Any, arguments: list[tuple[Any, ...]]) -> list[Instance]:
    """lm-eval's requests, with these arguments."""
    return [Instance(kind, {}, each, i) for i, each in enumerate(arguments)]


def hf_backend(batch_size: int = 16, **options: Any) -> HFLM:
    """lm-eval's `hf` model of the model that ships with us, in float32, on a copy of its own."""
    model = AutoModelForCausalLM.from_pretrained(tiny.PATH, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(tiny.PATH)
    return HFLM(pretrained=model, tokenizer=tokenizer, batch_size=batch_size, **options)


def hf_backend_of(model: Any, **options: Any) -> HFLM:
    """lm-eval's `hf` model of a model of ours, on a copy of its own."""
    return HFLM(pretrained=deepcopy(model.hf), tokenizer=deepcopy(model.tokenizer), batch_size=4, **options)


@contextmanager
def counted_positions(backend: HFLM) -> Iterator[list[int]]:
    """How many positions each forward of a backend's model computes, padding included."""
    positions: list[int] = []

    def note(_module: Any, args: Any, kwargs: Any) -> None:
        ids = kwargs.get("input_ids", args[0] if args else None)
        assert ids is not None
        positions.append(ids.numel())

    handle = backend.model.register_forward_pre_hook(note, with_kwargs=True)
    try:
        yield positions
    finally:
        handle.remove()
