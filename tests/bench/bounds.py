"""Certified bounds of closed fields of real schemas, beside 50 particles: how narrow, and in which processor time.

    OMP_NUM_THREADS=1 python tests/bench/bounds.py [FOLDER] [--fields 100] [--checked 8]

FOLDER: of a transformers model; without it, the model that ships. The fields are the enums, bools and bounded integers
of the schemas of the data folder (`OUTLINES_CONT_DATA`), each after the schema and a valid instance up to the field.
The language is its values, each with the byte that ends it.

Correctness first: for some fields with few values all their spellings are enumerated on the same logits, which are
read once for each prefix and kept. If a bound is violated, nothing is timed and the exit status is 1. Then for each
field, by turns: the processor time of the bounds (width 1 %, with the drift), and of 50 samples with their posterior.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import unpack

DATA = Path(os.environ.get("OUTLINES_CONT_DATA", Path(__file__).parents[2] / ".." / "shared" / "data"))
WIDTH, PARTICLES = 0.01, 50
MOST_VALUES = 400  # of a field
MOST_SPELLINGS = 2000  # at most, of a field that is enumerated
MOST_CHARACTERS = 700  # of a schema, and of an instance before the field


class ClosedField(NamedTuple):
    """A prompt, and the values that may follow."""

    name: str
    prompt: str
    values: list[str]


def fields_of(schema: Any, instance: Any, path: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """The closed fields of an instance: a path, the JSON before the value (of the innermost object), and the values."""
    if not isinstance(schema, dict) or not isinstance(instance, dict):
        return
    before = "{"
    for i, (key, value) in enumerate(instance.items()):
        of_key = (schema.get("properties") or {}).get(key)
        begin = before + ", " * (i > 0) + json.dumps(key, ensure_ascii=False) + ": "
        end = "," if i + 1 < len(instance) else "}"
        if isinstance(of_key, dict):
            texts = [text + end for text in values_of(of_key)]
            if 2 <= len(texts) <= MOST_VALUES:
                yield f"{path}.{key}", begin, texts
            yield from ((name, begin + inner, each) for name, inner, each in fields_of(of_key, value, f"{path}.{key}"))
        before = begin + json.dumps(value, ensure_ascii=False)


def values_of(schema: dict[str, Any]) -> list[str]:
    """The values of a closed schema as JSON; none of an open one."""
    if isinstance(schema.get("enum"), list):
        return list(dict.fromkeys(json.dumps(value, ensure_ascii=False) for value in schema["enum"]))
    if schema.get("type") == "boolean":
        return ["true", "false"]
    least, most = schema.get("minimum"), schema.get("maximum")
    if schema.get("type") == "integer" and isinstance(least, int) and isinstance(most, int):
        return list(map(str, range(least, min(most, least + MOST_VALUES) + 1)))
    return []


def drawn_fields(count: int) -> list[ClosedField]:
    """So many fields, of as many schemas as there are."""
    every: list[list[ClosedField]] = []
    for line in (DATA / "schemas" / "maskbench_dev.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        written = json.dumps(record["schema"], ensure_ascii=False)[:MOST_CHARACTERS]
        mine = []
        for instance in record["valid"][:1]:
            for name, before, values in fields_of(record["schema"], instance):
                if len(before) <= MOST_CHARACTERS:
                    prompt = f"JSON Schema: {written}\nA value that fits the schema: {before.rstrip()}"
                    mine.append(ClosedField(record["id"] + name, prompt, [" " + value for value in values]))
        random.Random(record["id"]).shuffle(mine)
        every.append(mine)
    random.Random(0).shuffle(every)
    longest = max(map(len, every))
    return [fields[i] for i in range(longest) for fields in every if i < len(fields)][:count]


# --- correctness


class RememberedModel:
    """A language model that reads each row once: equal rows get equal logits, bit for bit."""

    keeps = False

    def __init__(self, model: oc.Model):
        self.vocabulary, self.encoder, self.context_length = model.vocabulary, model.encoder, model.context_length
        self.device, self.dtype, self.identity, self.stats = model.device, model.dtype, model.identity, model.stats
        self.model, self.lines, self.claims = model, dict[tuple[int, ...], torch.Tensor](), list[Any]()

    def read(self, needs: Sequence[Any]) -> tuple[torch.Tensor, list[None]]:
        rows = [need.tokens[: at + 1] for need in needs for at in need.wanted]
        new = [row for row in dict.fromkeys(rows) if row not in self.lines]
        if new:
            logits, claims = self.model.read([oc.stepping.Need(row, (len(row) - 1,)) for row in new])
            self.claims += claims
            self.lines |= zip(new, logits.clone(), strict=True)
        return torch.stack([self.lines[row] for row in rows]), [None] * len(needs)

    def claimed(self, row: Any) -> Any:
        return row

    def kv_lengths(self, rows: Any) -> list[int]:
        return [0 for _ in rows]


def enumerated(model: Any, generator: Any, prompt: str) -> dict[str, float]:
    """The mass of each text by all its spellings, in float64. No text begins another, so that ends cost nothing."""
    guide, start = generator.constraint.guide, model.state(prompt).rows[0][0].ids
    size, eos = len(model.vocabulary), list(model.vocabulary.eos)
    masses: dict[str, list[float]] = {}
    level: list[tuple[tuple[int, ...], Any, float]] = [((), guide.initial, 1.0)]
    while level:
        logits, _ = model.language_model.read(
            [oc.stepping.Need(start + ids, (len(start) + len(ids) - 1,)) for ids, _, _ in level]
        )
        following = []
        for (ids, state, mass), line in zip(level, logits, strict=True):
            law = torch.softmax(line.double(), -1).numpy()
            allowed = unpack(guide.mask(state), size)
            allowed[eos] = False
            for token in allowed.nonzero()[0].tolist():
                after = guide.advance(state, token)
                longer = (*ids, token), after, mass * float(law[token])
                if guide.complete(after):
                    masses.setdefault(model.vocabulary.decode(longer[0]).decode(), []).append(longer[2])
                else:
                    following.append(longer)
        level = following
    return {text: fsum(parts) for text, parts in masses.items()}


def violations(model: oc.Model, field: ClosedField) -> tuple[int, int]:
    """How many bounds of a field were compared with enumeration, and how many of them are wrong."""
    remembered = oc.Model(RememberedModel(model))  # type: ignore[arg-type]
    generator = oc.generate.choice(remembered, field.values)
    truth = enumerated(remembered, generator, field.prompt)
    assert truth.keys() == set(field.values)
    compared = wrong = 0
    for positions in (1, 3, 10, 1000):
        law = oc.bounds(generator, field.prompt, 1e-6, positions=positions)
        pairs = [
            (law.mass, fsum(truth.values())),
            *((law.conditional(t), p / fsum(truth.values())) for t, p in truth.items()),
        ]
        pairs += [((law.lower(text), law.upper(text)), p) for text, p in truth.items()]
        compared += len(pairs)
        wrong += sum(not lower <= mass <= upper * (1 + 1e-15) for (lower, upper), mass in pairs)
    return compared, wrong


# --- time


class FieldFigures(NamedTuple):
    """What a field took: processor seconds of the bounds and of the particles, and what came out."""

    name: str
    values: int
    bounds: float
    particles: float
    width: float
    positions: int
    proved: bool
    drift: float


def measured(model: oc.Model, field: ClosedField, first: bool) -> FieldFigures:
    """Both ways in turn, from a prompt that is read already; first: which of them comes first."""
    exact = oc.generate.choice(model, field.values)
    drawing = oc.generate.choice(model, field.values, oc.samplers.multinomial(samples=PARTICLES), forced="never")
    step = oc.continuous(drawing)
    times: dict[str, float] = {}
    law: Any = None
    kept = model.state(field.prompt).kv.prefill()
    for way in ("bounds", "particles") if first else ("particles", "bounds"):
        state = model.state(field.prompt)
        begin = time.process_time()
        if way == "bounds":
            law = oc.bounds(exact, state, WIDTH)
        else:
            step(state, seed=0).particles.posterior()
        times[way] = time.process_time() - begin
        del state
    del kept
    return FieldFigures(
        field.name,
        len(field.values),
        times["bounds"],
        times["particles"],
        law.width,
        law.positions,
        law.proved,
        law.drift,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", help="of a transformers model; default: the model that ships")
    parser.add_argument("--fields", type=int, default=100)
    parser.add_argument("--checked", type=int, default=8, help="how many fields are enumerated")
    options = parser.parse_args()
    model = oc.load(options.folder) if options.folder else oc.load()
    fields = drawn_fields(options.fields)
    few = [each for each in fields if sum(2 ** len(value) for value in each.values) <= MOST_SPELLINGS][
        : options.checked
    ]
    compared, wrong = (sum(each) for each in zip(*(violations(model, field) for field in few), strict=True))
    print(f"against enumeration on the same logits: {len(few)} fields, {compared} bounds, {wrong} violations")
    if wrong:
        return 1
    measured(model, fields[0], True)  # what a process does once
    figures: list[FieldFigures] = []
    for i, field in enumerate(fields):
        figures.append(measured(model, field, bool(i % 2)))
        each = figures[-1]
        print(f"  {i + 1}: {each.bounds / each.particles:.2f}", end="", flush=True)
        if not each.proved or each.bounds > each.particles:
            print(f" {re.sub(r'[^ -~]', '?', each.name)[-60:]}: {each}"[:300])
    narrow = [each for each in figures if each.width <= WIDTH and each.drift <= WIDTH]
    held = [each for each in narrow if each.bounds <= each.particles]
    ratio = statistics.median(each.bounds / each.particles for each in figures)
    print(f"{len(fields)} fields of {statistics.median(each.values for each in figures):g} values (median)")
    print(f"width ≤ {WIDTH:.0%}: {len(narrow)}; in the processor time of {PARTICLES} particles: {len(held)}")
    print(
        f"bounds {statistics.median(f.bounds for f in figures):.3f} s, particles "
        f"{statistics.median(f.particles for f in figures):.3f} s (medians); ratio {ratio:.2f} (median)"
    )
    print(
        f"positions {statistics.median(f.positions for f in figures):g} (median), at most "
        f"{max(f.positions for f in figures)}; drift at most {max(f.drift for f in figures):.1e}"
    )
    return 0 if len(held) >= 0.8 * len(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
