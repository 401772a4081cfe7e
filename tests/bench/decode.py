"""Decoding on the shipped model, ours and transformers' own, in one run.

`python tests/bench/decode.py`, with the package installed.

Correctness first: equal greedy tokens. Then seconds (the median of interleaved runs) and, exactly, token positions.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

import outlines_cont as oc

PROMPT = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n" * 6
TOKENS, SAMPLES, RUNS = 64, 16, 5


def median_seconds(*works: Callable[[], object], runs: int = RUNS) -> list[float]:
    """Each work's median over interleaved runs, after one warm-up."""
    times: list[list[float]] = [[] for _ in works]
    for run in range(runs + 1):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            if run:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def main() -> None:
    torch.set_num_threads(1)
    model = oc.load()
    prompt = model.state(PROMPT)
    ids = prompt.token_ids[0]
    greedy = oc.samplers.greedy()
    forever = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", greedy))
    sampled = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", oc.samplers.multinomial(samples=SAMPLES)))
    special = sorted(model.vocabulary.special)

    def ours() -> list[int]:
        return list(forever(prompt.kv.drop(), max_tokens=TOKENS).rows[0][0].ids)

    def theirs(count: int = 1) -> list[int]:
        out = model.hf.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=TOKENS,
            min_new_tokens=TOKENS,
            do_sample=count > 1,
            num_return_sequences=count,
            suppress_tokens=special,
            top_k=0,
        )
        return out[0].tolist()

    assert ours() == theirs(), "greedy tokens differ: no timing is worth anything"
    one = median_seconds(ours, theirs)
    many = median_seconds(lambda: sampled(prompt.kv.drop(), max_tokens=TOKENS, seed=0), lambda: theirs(SAMPLES))
    model.stats.reset()
    kept = sampled(prompt.kv.drop(), max_tokens=TOKENS, seed=0)
    stats = model.stats
    print(f"prompt of {ids.shape[1]} tokens, {TOKENS} more, one thread, median of {RUNS} interleaved runs")
    print(f"1 row    ours {one[0]:.3f} s   transformers {one[1]:.3f} s   ratio {one[1] / one[0]:.2f}")
    print(f"{SAMPLES} rows  ours {many[0]:.3f} s   transformers {many[1]:.3f} s   ratio {many[1] / many[0]:.2f}")
    per_row = SAMPLES * (ids.shape[1] + TOKENS - 1)
    print(f"{SAMPLES} rows  {stats.tokens} positions computed, {per_row} by rows alone: {per_row / stats.tokens:.1f}×")
    print(f"         {stats.kv_bytes:,} bytes of keys and values for {tuple(kept.shape)}")


if __name__ == "__main__":
    main()
