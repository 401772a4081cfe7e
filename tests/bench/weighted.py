"""Weighted control beside genlm-control: tasks whose truth is known, equal particles, processor time and positions.

`python tests/bench/weighted.py --genlm /path/to/python`, from a checkout; the path is the interpreter of an environment
that has genlm-control, and nothing of ours. Without it, our side is measured alone. `--seeds 40` is the default.

Both sides have the shipped model in float32 on one thread, the same prompts' tokens, 50 particles, and a text that ends
with eos, or with one of `ENDS`. Ours is `multinomial(samples=50)` with `posterior()` and `log_evidence` of
`state.particles`; theirs is `AWRS` under `SMC`, without resampling and with `ess_threshold=0.5`; its condition is a
look-up in a set, which is faster than their automata, and the prompts' keys and values are kept by a call of
`cache_kv`, without which they are read anew at each step (`--by-default`). Each run begins without keys, values or
logits of earlier ones. Compiling, and a run that warms up, are left out on both sides. A forward of n rows of t tokens,
padding among them, counts as n · t positions. `least` are the distinct beginnings of all rows whose next token was
asked about: so many positions have to be read once, whoever reads them, for these samples. So theirs over our `least`
bounds how many times fewer positions ours could take.

The truth is a sum over all spellings of all texts, by plain forwards. `evidence` is estimate / truth, 1 if unbiased;
TV is the total variation between one run's posterior and the truth; both with 95 % intervals over the seeds. `more`
is the mean of TV (ours) − TV (the better of theirs), seed by seed.

Marks, told at the end: TV no worse; on tasks of one context 3 × less processor time and 5 × fewer positions; 2 × on
products and guidance. The exit status is 1 if one is missed.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

import jsonschema
import torch
from weighted_tasks import ENDS, JSON_PROMPT, JSON_ROOM, PARTICLES, SCHEMA, TASKS, Task, distinct

import outlines_cont as oc

FOLDER = ROOT / "outlines_cont" / "tiny"
THRESHOLDS = (0.0, 0.5)
MARKS = {1: (3.0, 5.0), 2: (2.0, 2.0)}  # by contexts: times less processor time, times fewer positions


@dataclass(frozen=True)
class Run:
    """What one run of one side gave, and took."""

    log_evidence: float
    texts: dict[str, float]
    seconds: float
    positions: int
    least: int = 0


def truth(model: oc.Model, task: Task) -> tuple[dict[str, float], float]:
    """The law of the texts, and the log of its mass: all spellings, all contexts, by plain forwards."""
    tokens = model.vocabulary.tokens
    text_ids = [int(i) for i in model.vocabulary.text_ids]
    whole = [text for text in task.texts if task.accepts(text)]
    begun = {text[:end].encode() for text in whole for end in range(len(text) + 1)}
    useful = [i for i in text_ids if any(tokens[i] in text for text in begun)]
    level: list[tuple[tuple[int, ...], bytes, float]] = [((), b"", 0.0)]
    ends = {text.encode(): text for text in whole}
    sums: dict[str, list[float]] = defaultdict(list)
    while level:
        laws: Any = sum(weight * _laws(model, prompt, [ids for ids, _, _ in level]) for prompt, weight in task.contexts)
        longer = []
        for (ids, text, value), law in zip(level, laws.tolist(), strict=True):
            if text in ends:
                sums[ends[text]].append(value + law[-1])
            longer += [((*ids, i), text + tokens[i], value + law[i]) for i in useful if text + tokens[i] in begun]
        level = longer
    logs = {text: math.log(math.fsum(map(math.exp, values))) for text, values in sums.items()}
    mass = math.log(math.fsum(map(math.exp, logs.values())))
    return {text: math.exp(value - mass) for text, value in logs.items()}, mass


@torch.no_grad()
def _laws(model: oc.Model, prompt: str, spelled: Sequence[tuple[int, ...]]) -> torch.Tensor:
    """log P(next token | prompt, ids), of ids of equal length, and last that of all that ends: float64 [n, V + 1]."""
    start, laws, eos = model.state(prompt).rows[0][0].ids, [], list(model.vocabulary.eos)
    for begin in range(0, len(spelled), 256):
        ids = torch.tensor([(*start, *each) for each in spelled[begin : begin + 256]])
        laws.append(model.hf(input_ids=ids, use_cache=False).logits[:, -1].double().log_softmax(-1))
    law = torch.cat(laws)
    return torch.cat([law, law[:, eos].logsumexp(-1, keepdim=True)], -1)


class Ours:
    """Our side. Before each run all keys, values and logits are forgotten."""

    def __init__(self) -> None:
        loaded = oc.load()
        self.positions, self.needs = 0, list[oc.stepping.Need]()
        eos = [*loaded.vocabulary.eos, *(loaded.vocabulary.tokens.index(end.encode()) for end in ENDS)]
        hf = copy.deepcopy(loaded.hf)
        hf.generation_config.eos_token_id = eos
        for each in (
            loaded.hf,
            hf,
        ):  # before they are wrapped: a model whose hooks change later reads each row by itself
            each.register_forward_pre_hook(self._count, with_kwargs=True)
        self.plain, self.first = oc.Model(loaded.hf, loaded.tokenizer), oc.Model(hf, loaded.tokenizer)
        assert set(self.first.vocabulary.eos) == set(eos)
        for model in (self.plain, self.first):
            model.read = partial(self._read, model.read)  # type: ignore[method-assign]

    def _count(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.positions += (args[0] if args else kwargs["input_ids"]).numel()

    def _read(self, read: Any, needs: Sequence[oc.stepping.Need]) -> Any:
        self.needs += needs
        return read(needs)

    def run(self, task: Task | None, seed: int) -> Run:
        model = self.first if task else self.plain
        for budget in (0, None):  # no byte of keys and values; then as many as there are
            model.kv_budget = budget
        sampler = oc.samplers.multinomial(samples=PARTICLES)
        more: dict[str, Any] = {}
        if task is None:
            generator: Any = oc.generate.json(model, SCHEMA, sampler)
            prompt, more = JSON_PROMPT, {"max_tokens": JSON_ROOM, "errors": "return"}
        else:
            shared: dict[str, Any] = {"stop": "eos", "forced": "never", "where": task.where}
            if task.pattern:
                generator = oc.generate.regex(model, task.pattern, sampler, **shared)
            else:
                generator = oc.generate.choice(model, list(task.texts), sampler, **shared)
            (prompt, own), *others = task.contexts
            if others:
                more = {"beside": oc.Mix(others, own=own, product=True)}
        self.positions, begin = 0, time.process_time()
        state = generator.run(prompt, seed=seed, **more)
        [texts] = state.particles.posterior()
        evidence = state.particles.log_evidence.item()
        seconds = time.process_time() - begin
        asked = distinct(need.tokens for need in self.needs)
        self.needs.clear()
        return Run(evidence, texts, seconds, self.positions, asked)


def theirs(python: str, kept: bool, prompts: dict[str, list[int]], tasks: Sequence[str], seeds: Sequence[int]) -> Any:
    """The runs of genlm-control: by task and threshold, by seed."""
    given = {"folder": str(FOLDER), "prompts": prompts, "tasks": tasks, "seeds": seeds, "thresholds": THRESHOLDS}
    given["kept"] = kept
    script = Path(__file__).with_name("weighted_genlm.py")
    done = subprocess.run([python, script], input=json.dumps(given), stdout=subprocess.PIPE, text=True, check=True)
    runs: dict[tuple[str, float], dict[int, Run]] = defaultdict(dict)
    for line in map(json.loads, done.stdout.splitlines()):
        task, threshold, seed = (line.pop(name) for name in ("task", "threshold", "seed"))
        runs[task, threshold][seed] = Run(**line)
    return runs


def distance(a: dict[str, float], b: dict[str, float]) -> float:
    """Total variation."""
    return math.fsum(abs(a.get(key, 0.0) - b.get(key, 0.0)) for key in {*a, *b}) / 2 if a else 1.0


def interval(values: Iterable[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    values = list(values)
    return statistics.fmean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))


def least(runs: Sequence[Run]) -> float:
    """How many positions runs have to read, in the mean."""
    return statistics.fmean(run.least for run in runs)


class Report:
    """One task's lines."""

    def __init__(self, law: dict[str, float], mass: float):
        self.law, self.mass = law, mass

    def tell(self, name: str, runs: Sequence[Run]) -> tuple[list[float], float, float]:
        evidence = interval(math.exp(run.log_evidence - self.mass) for run in runs)
        distances = [distance(run.texts, self.law) for run in runs]
        seconds = statistics.median(run.seconds for run in runs)
        positions = statistics.fmean(run.positions for run in runs)
        print(
            "  {:22} evidence {:.3f} ± {:.3f}  TV {:.3f} ± {:.3f}  {:7.1f} ms  {:6.0f} positions, least {:.0f}".format(
                name, *evidence, *interval(distances), seconds * 1000, positions, least(runs)
            ),
            flush=True,
        )
        return distances, seconds, positions


def compared(task: Task, report: Report, ours: Sequence[Run], peers: Mapping[float, Sequence[Run]]) -> list[str]:
    """Tell both sides; the marks that are missed."""
    distances, seconds, positions = report.tell("ours", ours)
    if not peers:
        return []
    told = {threshold: report.tell(f"genlm, threshold {threshold}", runs) for threshold, runs in peers.items()}
    best = min(told.values(), key=lambda each: statistics.fmean(each[0]))
    more = interval(a - b for a, b in zip(distances, best[0], strict=True))
    faster, fewer, bound = best[1] / seconds, best[2] / positions, best[2] / least(ours)
    print(
        f"  more TV {more[0]:+.3f} ± {more[1]:.3f}, {faster:.1f} × less time, {fewer:.1f} × fewer positions of at most "
        f"{bound:.1f} ×"
    )
    marks = MARKS[len(task.contexts)]
    beyond = f" (out of reach: at most {bound:.1f} ×)" if bound < marks[1] else ""
    missed = {"TV": more[0] > more[1], "processor time": faster < marks[0], f"positions{beyond}": fewer < marks[1]}
    return [f"{task.name}: {mark}" for mark, is_missed in missed.items() if is_missed]


def valid(text: str) -> bool:
    try:
        jsonschema.validate(json.loads(text), SCHEMA)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genlm", help="the interpreter of an environment that has genlm-control")
    parser.add_argument("--by-default", action="store_true", help="theirs without a call of cache_kv for the prompts")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--tasks", nargs="*", default=[*(task.name for task in TASKS), "JSON"])
    options = parser.parse_args()
    torch.set_num_threads(1)
    side, seeds = Ours(), list(range(options.seeds))
    prompts = [prompt for task in TASKS for prompt, _ in task.contexts] + [JSON_PROMPT]
    ids = {prompt: list(side.plain.state(prompt).rows[0][0].ids) for prompt in prompts}
    peers = theirs(options.genlm, not options.by_default, ids, options.tasks, seeds) if options.genlm else {}
    missed: list[str] = []
    for task in TASKS:
        if task.name in options.tasks:
            law, mass = truth(side.first, task)
            print(f"{task.name}: {len(law)} texts, log evidence {mass:.2f}")
            side.run(task, 0)  # warms up
            ours = [side.run(task, seed) for seed in seeds]
            others = {each: [peers[task.name, each][seed] for seed in seeds] for each in THRESHOLDS if peers}
            missed += compared(task, Report(law, mass), ours, others)
    if "JSON" in options.tasks:
        side.run(None, 0)
        print("JSON (speed and validity)")
        for name, runs in (("ours", [side.run(None, seed) for seed in seeds[:3]]), ("genlm", peers.get(("JSON", 0.0)))):
            if runs:
                runs = list(runs.values()) if isinstance(runs, dict) else runs
                share = statistics.fmean(sum(p for text, p in run.texts.items() if valid(text)) for run in runs)
                took = statistics.median(run.seconds for run in runs)
                print(f"  {name:22} {share:.0%} valid  {took * 1000:.0f} ms  {runs[0].positions} positions")
    print("\n".join(f"MISSED {mark}" for mark in missed) or "all marks met" if peers else "our side alone")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
