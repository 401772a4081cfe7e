"""What stepping costs: hooks, streaming and retries beside the same generation without them, and what forced runs save.

`python tests/bench/stepping.py`, with the package installed.

Correctness first: the same tokens with and without. Then ratios of interleaved runs, and counts, which are exact.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator

import jsonschema
import torch

import outlines_cont as oc
from outlines_cont.kv.forward import Query

RUNS = 7
PROMPT = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"
TEXT = {"type": "string", "maxLength": 12}
PERSON = {
    "type": "object",
    "properties": {"name": TEXT, "age": {"type": "integer", "minimum": 1, "maximum": 99}, "job": TEXT},
    "required": ["name", "age", "job"],
}
SCHEMAS = [
    PERSON,
    {
        "type": "object",
        "properties": {
            "town": {"enum": ["Lisbon", "Porto", "Berlin"]},
            "married": {"type": "boolean"},
            "mayor": PERSON,
        },
        "required": ["town", "married", "mayor"],
    },
    {
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[a-z]{2}-[0-9]{3}$"},
            "born": {"type": "string", "format": "date"},
            "children": {"type": "array", "items": PERSON, "minItems": 1, "maxItems": 2},
        },
        "required": ["id", "born", "children"],
    },
]


def seconds(*works: Callable[[], object]) -> list[float]:
    """Each work's median over interleaved runs, after one warm-up."""
    times: list[list[float]] = [[] for _ in works]
    for run in range(RUNS + 1):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            if run:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def outputs(
    model: oc.Model, schema: object, whitespace: str, seeds: range
) -> Iterator[tuple[oc.SequenceState, set[int]]]:
    """JSON of a schema, each with the positions of its forced tokens."""
    generator = oc.generate.json(model, schema, whitespace=whitespace)
    for seed in seeds:
        frontier, forced = generator.begin(PROMPT, seed=seed), set[int]()
        while not frontier.done:
            [[h]] = frontier.groups
            forced |= set(range(h.position - h.unscored, h.position))
            frontier = frontier.step(model.logits(frontier.pending))
        yield frontier.state, forced


def seams(model: oc.Model) -> None:
    """Forced seams whose ids are the tokenizer's own for the final text."""
    same = total = forced_tokens = tokens = sampled_canonical = sampled_total = 0
    for number, schema in enumerate(SCHEMAS):
        for whitespace, seeds in (("compact", range(50)), ("flexible", range(17 + (number < 1)))):
            for state, forced in outputs(model, schema, whitespace, seeds):
                row = state.rows[0][0]
                start = row.spans[-1].start
                value = json.loads(str(state).removeprefix(PROMPT))
                jsonschema.validate(value, schema)
                ends = list(_ends(model, row.ids))
                own, _ = model.encoder.start(str(state))
                canonical = set(zip(own, _ends(model, own), strict=True))
                here = list(zip(row.ids, ends, strict=True))
                for at in range(start, len(here)):
                    fits = here[at] in canonical and here[at - 1] in canonical
                    if (at in forced) != (at - 1 in forced) or (at in forced and at == start):
                        total, same = total + 1, same + fits
                    elif at not in forced:
                        sampled_total, sampled_canonical = sampled_total + 1, sampled_canonical + fits
                forced_tokens, tokens = forced_tokens + len(forced), tokens + len(here) - start
    print(f"forced seams that are the tokenizer's own: {same} of {total} ({same / total:.2%}); 200 JSON outputs,")
    print(
        f"  {forced_tokens} of {tokens} tokens forced; seams between drawn tokens: {sampled_canonical / sampled_total:.2%}"
    )


def _ends(model: oc.Model, ids: object) -> Iterator[int]:
    """Where each token ends, in bytes."""
    at = 0
    for token in ids:  # type: ignore[attr-defined]
        at += len(model.vocabulary.tokens[token])
        yield at


def main() -> None:
    torch.set_num_threads(1)
    model = oc.load()
    seams(model)
    prompt = model.state(PROMPT)
    for name, schema in (("person", PERSON), ("child", SCHEMAS[2])):
        print(f"JSON of the schema {name!r}, one row:")
        for forced in ("never", "canonical"):
            step = oc.continuous(oc.generate.json(model, schema, forced=forced))
            model.stats.reset()
            frontier, draws = step.generator.begin(prompt.drop_kv(), seed=3), 0
            while not frontier.done:
                draws += not frontier.groups[0][0].ending
                frontier = frontier.step(*model.read(frontier.pending))
            length = frontier.state.shape[2] - prompt.shape[2]
            passes = model.stats.passes
            [taken] = seconds(lambda step=step: step(prompt.drop_kv(), seed=3))
            print(f"  forced={forced!r:12} {length} tokens, {draws} draws, {passes} passes, {1e3 * taken:.1f} ms")

    step = oc.continuous(oc.generate.json(model, SCHEMAS[2], forced="never"))
    plain = step(prompt, seed=3)
    accept = [lambda draw: None]
    looks = [lambda draw: None if draw.probability < 2 and draw.candidates(3) else oc.Stop()]

    def streamed(hooks: list[Callable[[oc.Draw], None]]) -> oc.SequenceState:
        text = ""
        for partial in step.stream(prompt.drop_kv(), seed=3, hooks=hooks, horizon=0):
            text += partial.delta
        assert str(partial) == PROMPT + text
        return partial

    assert plain == step(prompt, seed=3, hooks=accept) == streamed(accept) == step(prompt, seed=3, hooks=looks)
    count = plain.shape[2] - prompt.shape[2]
    times = seconds(
        lambda: step(prompt.drop_kv(), seed=3),
        lambda: step(prompt.drop_kv(), seed=3, hooks=accept),
        lambda: step(prompt.drop_kv(), seed=3, hooks=looks),
        lambda: streamed([]),
        lambda: streamed(accept),
    )
    names = ("constraint", "+ a hook", "+ a hook that looks at 3 candidates", "+ streaming", "+ a hook + streaming")
    print(f"{count} tokens of JSON, one row, one thread; median of {RUNS} interleaved runs")
    for name, taken in zip(names, times, strict=True):
        print(f"  {name:36} {1e6 * taken / count:6.0f} µs a token, ratio {taken / times[0]:.2f}")

    text = oc.continuous(oc.generate.text(model))
    model.stats.reset()
    retries = 0

    def again(draw: oc.Draw) -> oc.Resample | None:
        nonlocal retries
        retries += draw.attempt < 20
        return oc.Resample(ban=[]) if draw.attempt < 20 else None

    start = time.perf_counter()
    state = text(prompt, seed=0, hooks=[again], max_tokens=20)
    taken = time.perf_counter() - start
    print(
        f"resampling: {retries / taken:,.0f} retries a second; {model.stats.passes} passes for {len(state)} row of 20 tokens"
    )
    model.stats.reset()
    start, backs = time.perf_counter(), 0

    def back(draw: oc.Draw) -> oc.Backtrack | None:
        nonlocal backs
        if draw.row.start + 8 == len(draw.row) and draw.attempt < 60:
            backs += 1
            return oc.Backtrack(4)
        return None

    text(prompt, seed=0, hooks=[back], max_tokens=12)
    taken = time.perf_counter() - start
    stats = model.stats
    print(
        f"going back 4 tokens: {backs / taken:,.0f} times a second; {stats.tokens} tokens read, {stats.reread} of them again"
    )
    model.read([Query(prompt.rows[0][0].ids, (0,))])


if __name__ == "__main__":
    main()
