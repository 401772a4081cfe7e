"""Weighted control beside genlm-control: evidence, total variation, time and token positions at equal particles.

    python tests/bench/weighted.py                                   ours alone
    python tests/bench/weighted.py --genlm /path/to/python           beside genlm-control, in its own environment
    python tests/bench/weighted.py --tasks cities product --seeds 50 --particles 50

Of every task but JSON the truth is enumerated: all token sequences that spell a text of the language, with plain
forwards. All texts end in a full stop, so that both sides end there and aim at the same law. A ratio of evidence of 1
is unbiased; TV is the total variation of one run's posterior to the truth. Positions are the tokens of all forwards,
times are of the processor. Intervals are of 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

import torch

import outlines_cont as oc

CITIES = ["Lisbon", "Lima", "Porto", "Rome", "Paris", "Berlin", "Madrid", "London", "Tokyo", "Oslo", "Vienna", "Dublin"]
NAMES = f"({'|'.join(CITIES)})\\."
NUMBER = "[0-9]{1,3}\\."
SCHEMA = {
    "type": "object",
    "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}, "ok": {"type": "boolean"}},
    "required": ["age", "ok"],
    "additionalProperties": False,
}
Contexts = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Task:
    """A language, a predicate, and the contexts with their weights: the first one is the row's own."""

    pattern: str
    contexts: Contexts
    rule: tuple[str, int] | None = None
    schema: dict[str, Any] | None = None
    max_tokens: int = 16

    def where(self) -> Callable[[str, bool], bool] | None:
        if self.rule is None:
            return None
        kind, limit = self.rule

        def right(text: str, done: bool) -> bool:
            total = sum(map(int, filter(str.isdigit, text)))
            return total < limit if kind == "below" else total == limit if done else total <= limit

        return right

    def accepts(self, text: str, done: bool) -> bool:
        predicate = self.where()
        return predicate is None or predicate(text, done)


TASKS = {
    "cities": Task(NAMES, (("Mira lives in ", 1.0),)),
    "number": Task(NUMBER, (("Mira is ", 1.0),)),
    "digit sum < 10": Task(NUMBER, (("Mira is ", 1.0),), ("below", 10)),
    "digit sum = 10": Task(NUMBER, (("Mira is ", 1.0),), ("equal", 10)),
    "product": Task(NAMES, (("Mira lives in ", 1.0), ("Tom lives in ", 1.0))),
    "guidance": Task(NAMES, (("Mira lives in ", 2.0), ("Tom was born in ", -1.0))),
    "json": Task("", (("Mira as JSON: ", 1.0),), schema=SCHEMA, max_tokens=60),
}


def language(task: Task) -> list[str]:
    """Every text of the task."""
    texts = [f"{city}." for city in CITIES] + [f"{n:0{width}}." for width in (1, 2, 3) for n in range(10**width)]
    return [text for text in texts if re.fullmatch(task.pattern, text) and task.accepts(text, True)]


def truth(model: oc.Model, task: Task) -> tuple[dict[str, float], float]:
    """The law of the texts, and its mass before it was normalised: brute force over all spellings, level by level."""
    goals = [text.encode() for text in language(task)]
    prefixes = {goal[:end] for goal in goals for end in range(len(goal) + 1)}
    tokens, special = model.vocabulary.tokens, model.vocabulary.special
    usable = [t for t, token in enumerate(tokens) if token and t not in special and any(token in g for g in goals)]
    heads = [(list(model.state(prompt).rows[0][0].ids), weight) for prompt, weight in task.contexts]
    masses: dict[str, float] = defaultdict(float)
    level: list[tuple[tuple[int, ...], bytes, float]] = [((), b"", 0.0)]
    while level:
        laws = torch.zeros(len(level), len(tokens), dtype=torch.float64)
        with torch.no_grad():
            for head, weight in heads:
                logits = model.hf(torch.tensor([[*head, *ids] for ids, *_ in level])).logits[:, -1]
                laws += weight * logits.double().log_softmax(-1)[:, : len(tokens)]
        following = []
        for (ids, text, density), law in zip(level, laws.tolist(), strict=True):
            for token in usable:
                longer = text + tokens[token]
                if longer in prefixes:
                    following.append(((*ids, token), longer, density + law[token]))
        for _, text, density in following:
            if text.endswith(b"."):
                masses[text.decode()] += math.exp(density)
        level = [each for each in following if not each[1].endswith(b".")]
    total = math.fsum(masses.values())
    return {text: mass / total for text, mass in masses.items()}, total


def ours(model: oc.Model, task: Task, particles: int, seeds: int) -> list[dict[str, Any]]:
    """A run for each seed, with nothing in the cache before it."""
    sampler = oc.samplers.smc(particles)
    forward, counts = model.hf.forward, {"positions": 0, "passes": 0}

    def counted(*args: Any, **more: Any) -> Any:
        ids = args[0] if args else more["input_ids"]
        counts["positions"] += ids.numel()
        counts["passes"] += 1
        return forward(*args, **more)

    if task.schema is not None:
        generator: Any = oc.generate.json(model, task.schema, sampler, forced="never")
    else:
        generator = oc.generate.regex(model, task.pattern, sampler, forced="never", where=task.where())
    step, runs = oc.continuous(generator), []
    (prompt, own), *others = task.contexts
    more = {"beside": list(others), "own": own, "normalize": False} if others else {}
    model.hf.forward = counted
    try:
        for seed in range(-1, seeds):  # the first run warms up, and is not reported
            counts.update(positions=0, passes=0)
            begun = time.process_time()
            state = step(prompt, task.max_tokens, seed=seed + 1, **more)
            [law] = state.posterior()
            seconds = time.process_time() - begun
            if seed >= 0:
                runs.append({"log_evidence": state.log_evidence.item(), "law": law, "seconds": seconds, **counts})
            del state
    finally:
        model.hf.forward = forward
    return runs


def theirs(python: str, names: list[str], particles: int, seeds: int) -> dict[str, list[dict[str, Any]]]:
    """What genlm-control gives, in an environment of its own."""
    asked = [
        {
            "name": name,
            "pattern": task.pattern,
            "contexts": task.contexts,
            "rule": task.rule,
            "schema": task.schema,
            "max_tokens": task.max_tokens,
            "seeds": seeds,
        }
        for name in names
        for task in [TASKS[name]]
    ]
    whole = json.dumps({"model": str(ROOT / "outlines_cont" / "tiny"), "particles": particles, "tasks": asked})
    script = Path(__file__).with_name("weighted_genlm.py")
    output = subprocess.run([python, str(script)], input=whole, stdout=subprocess.PIPE, text=True, check=False)
    if output.returncode:
        print(f"genlm-control ended with status {output.returncode}; tasks that it had not finished are left out")
    return {each["task"]: each["runs"] for each in map(json.loads, output.stdout.splitlines())}


def interval(values: list[float]) -> str:
    """The mean, and half the width of its 95 % interval."""
    half = 1.96 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{fmean(values):.3f} ± {half:.3f}"


def told(side: str, task: Task, runs: list[dict[str, Any]], law: dict[str, float], mass: float) -> str:
    """A line of the table."""
    failed, runs = len(runs), [run for run in runs if "error" not in run]
    failed -= len(runs)
    if not runs:
        return f"  {side:<6} all {failed} runs raised"
    cost = f"{fmean(run['seconds'] for run in runs):.3f} s, {fmean(run['positions'] for run in runs):.0f} positions"
    if task.schema is not None:
        shares = [fmean([*map(valid, run["law"])] or [0.0]) for run in runs]
        return f"  {side:<6} valid {fmean(shares):.2f} of texts; {cost}"
    evidence = interval([math.exp(run["log_evidence"]) / mass for run in runs])
    distances = [sum(abs(law.get(t, 0) - run["law"].get(t, 0)) for t in {*law, *run["law"]}) / 2 for run in runs]
    dead = sum(not run["law"] for run in runs)
    ended = f"{dead} runs without a text, {failed} raised"
    return f"  {side:<6} evidence {evidence}; TV {interval(distances)}; {cost}; {ended}"


def valid(text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict) and value.keys() == {"age", "ok"} and isinstance(value["ok"], bool)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--genlm", help="a Python that has genlm-control")
    parser.add_argument("--tasks", nargs="+", choices=list(TASKS), default=list(TASKS))
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--particles", type=int, default=50)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    model = oc.load()
    others = theirs(chosen.genlm, chosen.tasks, chosen.particles, chosen.seeds) if chosen.genlm else {}
    for name in chosen.tasks:
        task = TASKS[name]
        law, mass = truth(model, task) if task.schema is None else ({}, math.nan)
        mine = ours(model, task, chosen.particles, chosen.seeds)
        print(f"{name} (mass {mass:.3g}, {len(law)} texts)")
        print(told("ours", task, mine, law, mass))
        if name in others:
            print(told("genlm", task, others[name], law, mass))
            ended = [run for run in others[name] if "error" not in run]
            if not ended:
                continue
            ratios = [
                fmean(run[part] for run in ended) / fmean(run[part] for run in mine)
                for part in ("seconds", "positions")
            ]
            print(f"  {ratios[0]:.1f} × less processor time, {ratios[1]:.1f} × fewer positions")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
