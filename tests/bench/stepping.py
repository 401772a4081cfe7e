"""What stepping costs: hooks, streaming and retries beside the same generation without them, and what forced runs save.

`python tests/bench/stepping.py`, with the package installed.

Correctness first: the same tokens with and without. Then ratios of interleaved runs, and counts, which are exact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

import jsonschema
import torch
from decode import median_seconds

import outlines_cont as oc

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
    """Of 200 outputs, the seams of forced runs that are the tokenizer's own in the final text, ids and all.

    Tokens that the model drew may be none of the tokenizer's, and spoil the seam that they stand at: how often they do
    where nothing is forced is shown beside. (That forced tokens are right wherever the drawn ones are is a test.)
    """
    forced_ids, forced_seams, drawn_seams = [0, 0], [0, 0], [0, 0]
    for schema in SCHEMAS:
        for whitespace, seeds in (("compact", range(34)), ("flexible", range(33 + (schema is PERSON)))):
            for state, forced in outputs(model, schema, whitespace, seeds):
                row = state.rows[0][0]
                jsonschema.validate(json.loads(str(state).removeprefix(PROMPT)), schema)
                own, _ = model.encoder.start(str(state))
                canonical = set(zip(own, ends(model, own), strict=True))
                fits = [token in canonical for token in zip(row.ids, ends(model, row.ids), strict=True)]
                start = row.spans[-1].start
                for at in range(start, len(row)):
                    seam = drawn_seams if {at, at - 1}.isdisjoint(forced) else forced_seams
                    if not {at, at - 1} <= forced:
                        seam[0], seam[1] = seam[0] + (fits[at] and fits[at - 1]), seam[1] + 1
                    if at in forced:
                        forced_ids[0], forced_ids[1] = forced_ids[0] + fits[at], forced_ids[1] + 1
    for name, (good, count) in (
        ("forced tokens", forced_ids),
        ("seams of forced runs", forced_seams),
        ("seams between drawn tokens", drawn_seams),
    ):
        print(f"{name:28} {good:5} of {count:5} as the tokenizer writes the final text: {good / count:.2%}")


def ends(model: oc.Model, ids: Iterable[int]) -> list[int]:
    """Where each token ends, in bytes."""
    return list(accumulate(len(model.vocabulary.tokens[token]) for token in ids))


def savings(model: oc.Model, prompt: oc.SequenceState) -> None:
    """Passes and time with and without forced runs."""
    for name, schema in (("person", PERSON), ("child", SCHEMAS[2])):
        steps = [oc.continuous(oc.generate.json(model, schema, forced=forced)) for forced in ("never", "canonical")]
        times = median_seconds(*(lambda step=step: step(prompt.kv.drop(), seed=3) for step in steps))
        for step, taken in zip(steps, times, strict=True):
            with model.fresh():
                model.stats.reset()
                tokens = step(prompt, seed=3).shape[2] - prompt.shape[2]
                passes = model.stats.passes
            forced = step.generator.forced
            print(f"{name:8} forced={forced:10} {tokens:3} tokens, {passes:3} passes, {1e3 * taken:6.1f} ms")


def overhead(model: oc.Model, prompt: oc.SequenceState) -> None:
    """Time a token beside the plain generation."""
    step = oc.continuous(oc.generate.json(model, SCHEMAS[2], forced="never"))
    accept: list[Callable[[oc.steer.Draw], None]] = [lambda draw: None]
    look: list[Callable[[oc.steer.Draw], oc.steer.Stop | None]] = [
        lambda draw: None if draw.candidates(3) else oc.steer.Stop()
    ]

    def streamed(hooks: list[Callable[[oc.steer.Draw], None]]) -> oc.SequenceState:
        text, partial = "", None
        for partial in step.stream(prompt.kv.drop(), seed=3, hooks=oc.steer.Hooks(*hooks, horizon=0)):
            text += str(partial.delta)
        assert partial is not None and str(partial) == PROMPT + text
        return partial

    plain = step(prompt, seed=3)
    assert plain == step(prompt, seed=3, hooks=accept) == streamed(accept) == step(prompt, seed=3, hooks=look)
    works = {
        "constraint": lambda: step(prompt.kv.drop(), seed=3),
        "+ a hook": lambda: step(prompt.kv.drop(), seed=3, hooks=accept),
        "+ a hook that looks at 3 candidates": lambda: step(prompt.kv.drop(), seed=3, hooks=look),
        "+ streaming": lambda: streamed([]),
        "+ a hook + streaming": lambda: streamed(accept),
    }
    count = plain.shape[2] - prompt.shape[2]
    times = median_seconds(*works.values())
    for name, taken in zip(works, times, strict=True):
        print(f"{name:36} {1e6 * taken / count:6.0f} µs a token, ratio {taken / times[0]:.2f}")


def callbacks(model: oc.Model, rows: int) -> None:
    """A hook that accepts, and a controller that allows any token, both asked for each token: beside plain text.

    All step with the same logits, computed before: a forward takes as long with them as without.
    """
    text = oc.generate.text(model, oc.samplers.greedy())
    control = oc.generate.control(model, lambda row: [oc.steer.Branch()], oc.samplers.greedy())
    hooks: list[Callable[[oc.steer.Draw], None]] = [lambda draw: None]
    prompt = model.state([PROMPT + "Who? " * row for row in range(rows)])
    frontier, answers = text.begin(prompt, max_tokens=64), list[torch.Tensor]()
    while not frontier.done:
        answers.append(model.logits(frontier.pending))
        frontier = frontier.step(answers[-1])

    def stepped(frontier: oc.stepping.Frontier) -> oc.SequenceState:
        for logits in answers:
            frontier = frontier.step(logits)
        return frontier.state

    works = {
        "plain text": lambda: stepped(text.begin(prompt, max_tokens=64)),
        "+ a hook": lambda: stepped(text.begin(prompt, max_tokens=64, hooks=hooks)),
        "+ a controller": lambda: stepped(control.begin(prompt, max_tokens=64)),
    }
    plain = frontier.state
    assert all(work().token_ids.equal(plain.token_ids) for work in works.values())
    count = int((plain.lengths - prompt.lengths).sum())
    times = median_seconds(*works.values(), runs=25)
    for name, taken in zip(works, times, strict=True):
        above = 1e6 * (taken - times[0]) / count
        print(f"{rows:2} rows  {name:16} {1e6 * taken / count:6.1f} µs a token, {above:5.1f} above plain text")


def retries(model: oc.Model, prompt: oc.SequenceState) -> None:
    """Draws declined, and rows sent back, a second; and what they make the model read."""
    step = oc.continuous(oc.generate.text(model))

    def decline(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        return oc.steer.Resample(ban=[]) if draw.attempt < 50 else None

    def back(draw: oc.steer.Draw) -> oc.steer.Backtrack | None:
        return oc.steer.Backtrack(4) if len(draw.row) == draw.row.start + 8 and draw.attempt < 50 else None

    for name, hook, count in (("declined", decline, 50 * 12), ("sent back 4 tokens", back, 50)):
        plain, hooked = median_seconds(
            lambda: step(prompt.kv.drop(), seed=0, max_tokens=12),
            lambda hook=hook: step(prompt.kv.drop(), seed=0, max_tokens=12, hooks=[hook]),
        )
        model.stats.reset()
        step(prompt.kv.drop(), seed=0, max_tokens=12, hooks=[hook])
        stats = model.stats
        rate = count / (hooked - plain)
        print(
            f"{name:20} {rate:8,.0f} a second; {stats.passes} passes, {stats.tokens} tokens, {stats.reread} read again"
        )


def main() -> None:
    torch.set_num_threads(1)
    model = oc.load()
    prompt = model.state(PROMPT)
    seams(model)
    savings(model, prompt)
    overhead(model, prompt)
    for rows in (1, 16):
        callbacks(model, rows)
    retries(model, prompt)


if __name__ == "__main__":
    main()
