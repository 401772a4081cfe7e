"""lm-eval on our model beside its `hf` backend: equal numbers, positions computed, processor time.

`python tests/bench/evaluation.py`, with lm-eval installed: about ten minutes on a slow core. `--requests 48` for a try.

Both sides have the shipped model in float32 on one thread, and the same requests: five answered questions, and one
without its answer. They are the same five for all questions of a task, as tasks with fixed shots have them; where they
are drawn anew for each question, only its options share them. Other requests stand at the edges of the rule of
tokenization, or are longer than `max_length`.

Correctness first: log-probabilities agree to 1e-4, or to 1e-6 of themselves where they are below −100 (both sides are
as far as that from the same model in float64: the sum of a long text has no more digits in float32), `is_greedy` agrees
everywhere, and texts are equal. Then counts, which are exact: positions that forwards compute, padding included. Then
seconds of processor time, each side warm. The marks are for 1,000 requests: with few, the shots themselves weigh more.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch
from evaluation_requests import (
    counted_positions,
    documents,
    few_shot_contexts,
    hf_backend,
    long_options,
    odd_pairs,
    one_token_options,
    questions,
)

import outlines_cont as oc
from outlines_cont.integrations.lm_eval import LM

FEWER, FASTER = 5, 3  # marks: positions, and processor time, of the hf backend's
ENOUGH = 200  # requests of each kind, for the marks
ABSOLUTE, RELATIVE = 1e-4, 1e-6
ONE_LINE = {"until": ["\n"], "max_gen_toks": 32, "do_sample": False}


@dataclass
class Part:
    """Requests of one kind, and on which terms both sides answer them."""

    name: str
    requests: list[Any]
    marked: bool = False  # whether the marks apply
    max_length: int | None = None


def parts(count: int) -> list[Part]:
    """All of them, with `count` requests each."""
    draw = random.Random(0)
    shared = few_shot_contexts(draw, (count + 3) // 4)
    drawn = few_shot_contexts(draw, (count + 3) // 4, drawn_anew=True)
    asked = few_shot_contexts(draw, count)
    return [
        Part("one-token options", one_token_options(shared, count), marked=True),
        Part("long options", long_options(draw, shared, count), marked=True),
        Part("long options, shots drawn anew", long_options(draw, drawn, count)),
        Part("long options, cut on the left", long_options(draw, drawn, count), max_length=100),
        Part("odd contexts", odd_pairs(draw, count)),
        Part("rolling", documents(draw, count)),
        Part("rolling, in windows", documents(draw, count), max_length=100),
        Part("generate_until", questions(asked, ONE_LINE), marked=True),
        Part("generate_until, cut on the left", questions(asked, ONE_LINE), max_length=200),
        Part("generate_until, long", questions(drawn[: (count + 9) // 10], {"until": ["\n\n\n"], "max_gen_toks": 64})),
    ]


def answered(side: Any, requests: list[Any]) -> tuple[list[Any], float]:
    """A side's answers, and the processor time that they took."""
    method: Callable[..., list[Any]] = getattr(side, requests[0].request_type)
    begun = time.process_time()
    answers = method(requests, disable_tqdm=True)
    return answers, time.process_time() - begun


def difference(ours: list[Any], theirs: list[Any], kind: str) -> float:
    """The largest difference of two lists of log-probabilities. AssertionError where the sides disagree."""
    assert len(ours) == len(theirs)
    if kind == "generate_until":
        assert ours == theirs, next(pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1])
        return 0.0
    if kind == "loglikelihood":
        assert [greedy for _, greedy in ours] == [greedy for _, greedy in theirs]
        ours, theirs = [value for value, _ in ours], [value for value, _ in theirs]
    pairs = list(zip(ours, theirs, strict=True))
    wrong = [pair for pair in pairs if abs(pair[0] - pair[1]) > max(ABSOLUTE, RELATIVE * abs(pair[1]))]
    assert not wrong, wrong[:3]
    return max(abs(one - other) for one, other in pairs)


def compared(part: Part, model: oc.Model, batch_size: int) -> bool:
    """Print a line of the table, and say whether the mark of positions is met, where there is one."""
    ours = LM(pretrained=model, max_length=part.max_length)
    theirs = hf_backend(batch_size, max_length=part.max_length)
    for side in (ours, theirs):
        answered(side, part.requests[:4])
    kind = part.requests[0].request_type
    model.stats.reset()
    our_answers, our_seconds = answered(ours, part.requests)
    computed = model.stats.tokens
    with counted_positions(theirs) as positions:
        their_answers, their_seconds = answered(theirs, part.requests)
    most = difference(our_answers, their_answers, kind)
    fewer, faster = sum(positions) / computed, their_seconds / our_seconds
    marks = ""
    if part.marked:
        marks = f"  positions {'met' if fewer >= FEWER else 'MISSED'}, time {'met' if faster >= FASTER else 'MISSED'}"
    print(
        f"{part.name:32} {len(part.requests):5} {most:9.1e} {computed:9,} {sum(positions):9,} {fewer:6.1f} ×"
        f" {our_seconds:7.2f} {their_seconds:7.2f} {faster:6.1f} ×{marks}",
        flush=True,
    )
    return not part.marked or fewer >= FEWER


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--requests", type=int, default=1000, help="of each kind")
    parser.add_argument("--batch-size", type=int, default=16, help="of the hf backend")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = oc.load()
    print(
        f"{'':32} {'n':>5} {'differ':>9} {'positions':>9} {'hf':>9} {'fewer':>8} {'seconds':>7} {'hf':>7} {'less':>8}"
    )
    met = [compared(part, model, options.batch_size) for part in parts(options.requests)]
    return 0 if all(met) or options.requests < ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
