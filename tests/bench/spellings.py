"""How good the texts of a beam search are, by how many spellings of each go on: `python tests/bench/spellings.py`.

On the shipped model, over languages whose texts have many spellings in tokens, after prompts that expect them and
prompts that do not. The truth is an enumeration: a search over token sequences with more beams than there are of them,
whose results are merged by text. Correctness first: each text is of the language, none comes twice, and none has a
weight above its best spelling's. Then, as means over the prompts, for k beams:

    texts      different texts, as a share of the k that there are
    mass       Σ probability of the texts, in the spellings that were found, as a share of that of the k best
    recall     how many of the k best were found
    positions  tokens sent through the model, the prompt's included
    rows       of a step, at most
    looked at  candidates, in the whole search
    asked      times a step that the law was asked for its likeliest candidates: 1 where no text was lacking
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from math import exp
from statistics import mean
from typing import Any

import outlines_cont as oc
from outlines_cont.decode.samplers import BeamSearch
from outlines_cont.kernels.laws import Law

CITIES = ["Lisbon", "Porto", "Berlin", "Oslo", "Vienna", "Madrid"]
MORE = ["Prague", "Rome", "Athens", "Dublin", "Paris", "Lima", "Bern", "Warsaw", "Riga", "Kyiv", "Zagreb"]
RARE = ["Zyxwort", "Quomba", "Lisbonne", "Lisboa", "Berlitz", "Romulus", "Pragmatic", "Dubrovnik", "Oslofjord"]
DIGIT = {"type": "integer", "minimum": 1, "maximum": 9}
OBJECT = {"type": "object", "properties": {"a": DIGIT}, "required": ["a"]}
STORY = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"
PROMPTS = [
    "Mira lives in ",
    "Once upon a time there was a town: ",
    "Q: Where does Mira live?\nA: ",
    STORY + "Mira lives in ",
    STORY + "Q: How old is Mira?\nA: ",
    "The sky is ",
    "2 + 2 = ",
    "The capital of France is",
]
K = 6

model = oc.load()
LANGUAGES: dict[str, tuple[Callable[[Any], oc.Generator], int]] = {  # and more beams than there are token sequences
    "6 cities": (lambda sampler: oc.generate.choice(model, CITIES, sampler), 300),
    "17 cities": (lambda sampler: oc.generate.choice(model, CITIES + MORE, sampler), 800),
    "9 rare words": (lambda sampler: oc.generate.choice(model, RARE, sampler), 1500),
    "years": (lambda sampler: oc.generate.regex(model, "(1[89]|20)[0-9]{2}", sampler), 1500),
    "JSON": (lambda sampler: oc.generate.json(model, OBJECT, sampler), 1500),
}
SETTINGS: list[dict[str, Any]] = [{"distinct": "tokens"}, *({"spellings": m} for m in (1, 2, 3, 4, None))]

beam_search = import_module("outlines_cont.decode.samplers.beam_search")
counts = {"looked at": 0, "asked": 0}


def counting() -> None:
    """Count candidates that are looked at, and questions to laws."""
    best_first, best = beam_search._best_first, Law.best

    def looked_at(*args: Any) -> Iterator[Any]:
        for candidate in best_first(*args):
            counts["looked at"] += 1
            yield candidate

    def asked(*args: Any) -> Any:
        counts["asked"] += 1
        return best(*args)

    beam_search._best_first, Law.best = looked_at, asked  # type: ignore[method-assign]


def texts_of(generator: oc.Generator, prompt: str) -> tuple[list[tuple[str, float]], int, int]:
    """The texts and their weights; the most rows of a step; and the steps."""
    frontier, steps, rows = generator.begin(prompt), 0, 0
    while not frontier.done:
        rows, steps = max(rows, len(frontier.pending)), steps + 1
        frontier = frontier.step(model.logits(frontier.pending))
    state = frontier.state
    texts = [text[len(prompt) :] for text in state]
    return list(zip(texts, state.weights[0].tolist(), strict=False)), rows, steps


def truth(make: Callable[[Any], oc.Generator], most: int, prompt: str) -> dict[str, float]:
    """The best weight of each text."""
    every, _, _ = texts_of(make(oc.samplers.beam_search(most, distinct="tokens")), prompt)
    assert len(every) < most, "there are more token sequences than beams"
    best: dict[str, float] = {}
    for text, weight in every:  # best first
        best.setdefault(text, weight)
    return best


def row(make: Callable[[Any], oc.Generator], sampler: BeamSearch, expected: dict[str, dict[str, float]]) -> str:
    counts.update(dict.fromkeys(counts, 0))
    model.stats.reset()
    texts, mass, recall, most, passes = [], [], [], 0, 0
    for prompt, weights in expected.items():
        results, rows, steps = texts_of(make(sampler), prompt)
        if any(text not in weights or weight > weights[text] + 1e-3 for text, weight in results):
            raise SystemExit(f"{sampler}: {results} are not of the language, or too good")
        if sampler.distinct == "text" and len(dict(results)) < len(results):
            raise SystemExit(f"{sampler}: {results} are not different")
        best = dict(reversed(results))
        top = sorted(weights.values(), reverse=True)[:K]
        found = sum(exp(weight - top[0]) for weight in best.values())
        texts.append(len(best) / len(top))
        mass.append(found / sum(exp(weight - top[0]) for weight in top))
        recall.append(len([text for text in best if weights[text] >= top[-1]]) / len(top))
        most, passes = max(most, rows), passes + steps
    each = len(expected)
    numbers = f"{mean(texts):6.0%} {mean(mass):6.0%} {mean(recall):7.0%} {model.stats.tokens / each:10.0f} {most:5}"
    return f"{numbers} {counts['looked at'] / each:10.0f} {counts['asked'] / passes:6.2f}"


def main() -> int:
    counting()
    print(f"{K} beams, {len(PROMPTS)} prompts, the shipped model")
    for name, (make, most) in LANGUAGES.items():
        expected = {prompt: truth(make, most, prompt) for prompt in PROMPTS}
        print(f"\n{name:24} {'texts':>6} {'mass':>6} {'recall':>7} positions  rows  looked at  asked")
        for setting in SETTINGS:
            label = ", ".join(f"{key}={value}" for key, value in setting.items())
            print(f"  {label:22} {row(make, oc.samplers.beam_search(K, **setting), expected)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
