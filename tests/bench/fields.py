"""How well the numbers of fields tell which are right: `python tests/bench/fields.py [--model PATH] [--people N]`.

125 short texts tell of one to four (or at most N) people where they live, what they do, how old they are, and whether
they have a dog. The model writes JSON of one of them, greedily: 500 fields, of which the right values are known. For
each of three numbers the table shows, in ten bins, how many fields have it, its mean, and how many of them are right:

- drawn: exp of `proposal_logprob`: the product of the token probabilities after the constraint
- own: exp of `logprob`: that of the model's own
- posterior: the lower bound of `field.probability`

ECE is the mean of |mean − share of right ones| over bins, by their counts. A number that only says "always as right as
on average" has ECE 0, too; so AUC says how often a right field has a larger number than a wrong one (1/2: by chance).
Before that, the bounds of every posterior are checked: they hold together, and sum to 1 with what is open.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from math import exp, fsum
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import outlines_cont as oc
from tools.tiny import world

NAMES = ["Ann", "Bob", "Eve", "Mira", "Tom", "Jane", "Karl", "Lucy", "Omar", "Nina", "Paul", "Ruth", "Sven", "Tara"]
CITIES, JOBS = world.CITIES[:24], world.JOBS
SCHEMA = {
    "properties": {
        "city": {"enum": CITIES},
        "job": {"enum": JOBS},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "dog": {"type": "boolean"},
    },
    "required": ["city", "job", "age", "dog"],
}
Person = dict[str, Any]


def texts(count: int, people_at_most: int) -> list[tuple[str, Person]]:
    """Prompts, and what is right."""
    drawn, cases = random.Random(0), []
    for _ in range(count):
        people, told = [], []
        for name in drawn.sample(NAMES, drawn.randint(1, people_at_most)):
            person = {"city": drawn.choice(CITIES), "job": drawn.choice(JOBS), "age": drawn.randint(16, 99)}
            person["dog"] = drawn.random() < 0.5
            sentences = [
                f"{name} lives in {person['city']}.",
                f"{name} is a {person['job']}.",
                f"{name} is {person['age']} years old.",
                f"{name} has {'a' if person['dog'] else 'no'} dog.",
            ]
            told += drawn.sample(sentences, 4)
            people.append((name, person))
        name, person = drawn.choice(people)
        cases.append((f"{' '.join(told)}\nJSON of {name} with city, job, age, dog: ", person))
    return cases


def bins(numbers: list[tuple[float, bool]]) -> tuple[list[tuple[int, float, float]], float, float]:
    """Of each of ten bins the count, the mean number and the share of right ones; the ECE; the AUC."""
    lines, ece = [], 0.0
    for n in range(10):
        inside = [each for each in numbers if min(int(10 * each[0]), 9) == n]
        if not inside:
            lines.append((0, 0.0, 0.0))
            continue
        mean, right = fsum(p for p, _ in inside) / len(inside), sum(hit for _, hit in inside) / len(inside)
        ece += len(inside) / len(numbers) * abs(mean - right)
        lines.append((len(inside), mean, right))
    hits, misses = [p for p, hit in numbers if hit], [p for p, hit in numbers if not hit]
    wins = fsum((a > b) + (a == b) / 2 for a in hits for b in misses)
    return lines, ece, wins / (len(hits) * len(misses)) if hits and misses else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the numbers of fields tell which are right.")
    parser.add_argument("--model", help="a folder, or what else `oc.load` takes; default: the model that ships")
    parser.add_argument("--people", type=int, default=4, help="told of in a text, at most")
    parser.add_argument("--texts", type=int, default=125)
    parser.add_argument("--positions", type=int, default=60)
    asked = parser.parse_args()
    model = oc.load(asked.model) if asked.model else oc.load()
    cases = texts(asked.texts, asked.people)
    record = oc.continuous(oc.generate.json(model, SCHEMA, oc.samplers.greedy()), name="record")
    state = record([prompt for prompt, _ in cases])
    before, began = model.stats.tokens, time.process_time()
    fields = state.captures.fields("record").posteriors(positions=asked.positions)
    seconds, positions = time.process_time() - began, model.stats.tokens - before
    numbers: dict[str, list[tuple[float, bool]]] = {"drawn": [], "own": [], "posterior": []}
    by_name: dict[str, list[bool]] = {name: [] for name in SCHEMA["properties"]}
    moved, better, narrow, read = 0, 0, 0, []
    for [[span]], (_, person) in zip(fields, cases, strict=True):
        for name, right in person.items():
            field = span[f"/{name}"]
            assert field.posterior is not None and field.probability is not None
            low, high = field.probability
            assert (
                0 <= low <= high <= 1
                and abs(fsum(p for p, _ in field.posterior.alternatives.values()) + field.posterior.open - 1) < 1e-9
            )
            hit = field.value == right
            by_name[name].append(hit)
            for kind, number in (
                ("drawn", exp(field.proposal_logprob)),
                ("own", exp(field.logprob)),
                ("posterior", low),
            ):
                numbers[kind].append((min(number, 1.0), hit))
            narrow += high - low <= 0.01
            read.append(field.posterior.positions)
            best = next(iter(field.posterior.alternatives), field.text)
            moved += best != field.text
            better += (
                best != field.text and (str(right).lower() if not isinstance(right, str) else f'"{right}"') == best
            )
    total = len(numbers["drawn"])
    print(f"{total} fields, " + ", ".join(f"{name} {sum(hits)} of {len(hits)} right" for name, hits in by_name.items()))
    print(
        f"posteriors: {narrow} of {total} at most 1% wide, {sum(read) / total:.1f} positions a field (at most "
        f"{max(read)}), {positions} tokens read, {seconds:.0f} s of processor time"
    )
    print(f"the likeliest value is another than the greedy one in {moved} fields, and right in {better} of these")
    tables = {kind: bins(each) for kind, each in numbers.items()}
    print("| bin | " + " | ".join(f"{kind}: fields, mean, right" for kind in tables) + " |")
    print("| --- | " + " | ".join("---" for _ in tables) + " |")
    for n in range(10):
        cells = [tables[kind][0][n] for kind in tables]
        shown = [f"{count}, {mean:.2f}, {right:.2f}" if count else "0" for count, mean, right in cells]
        print(f"| {n / 10:.1f}–{(n + 1) / 10:.1f} | " + " | ".join(shown) + " |")
    print("| ECE | " + " | ".join(f"{ece:.3f}" for _, ece, _ in tables.values()) + " |")
    print("| AUC | " + " | ".join(f"{auc:.3f}" for *_, auc in tables.values()) + " |")


if __name__ == "__main__":
    main()
