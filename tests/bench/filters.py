"""What a filter costs per token and row: `python tests/bench/filters.py [folder of a model]`.

The steps of a row that has 2,000 tokens, on logits that are made beforehand, with each filter and without. The model
only gives its vocabulary; the least of many steps is shown, in microseconds.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import torch

import outlines_cont as oc

LENGTH, STEPS = 2000, 80
F = oc.filters
FILTERS: dict[str, list[Any]] = {
    "none": [],
    "a function that changes nothing": [lambda row, logits: logits],
    "logit_bias, one token": [F.logit_bias({5: 1.0})],
    "suppress_tokens": [F.suppress_tokens([5, 6])],
    "min_tokens": [F.min_tokens(5)],
    "repetition_penalty": [F.repetition_penalty(1.2)],
    "presence_penalty": [F.presence_penalty(0.5, prompt=True)],
    "frequency_penalty": [F.frequency_penalty(0.5, prompt=True)],
    "frequency_penalty, last=64": [F.frequency_penalty(0.5, prompt=True, last=64)],
    "no_repeat_ngram": [F.no_repeat_ngram(3)],
    "sequence_bias, one": [F.sequence_bias({(5, 6): 1.0})],
    "dry": [F.dry(0.8)],
    "xtc": [F.xtc(1.0)],
    "temperature": [F.temperature(1.5)],
    "top_k=50 and a function": [lambda row, logits: logits],
    "top_k=50 and typical_p": [F.typical_p(0.9)],
    "four penalties": [F.repetition_penalty(1.2), F.frequency_penalty(0.5), F.no_repeat_ngram(3), F.dry(0.8)],
}


def least(model: oc.Model, filters: list[Any], top_k: int | None) -> float:
    """Microseconds of one step."""
    vocabulary = model.vocabulary
    drawn = torch.randint(0, 500, (LENGTH,), generator=torch.Generator().manual_seed(0))
    ids = vocabulary.text_ids[drawn.numpy()].tolist()
    logits = torch.randn(1, len(vocabulary), generator=torch.Generator().manual_seed(1))
    sampler = oc.samplers.multinomial(top_k=top_k, filters=filters)
    frontier = oc.generate.text(model, sampler).begin(model.state([ids]), max_tokens=STEPS + 9, seed=0)
    times = []
    while not frontier.done and len(times) < STEPS:
        needs = sum(len(need.wanted) for need in frontier.pending)
        frontier.prepare()
        begin = perf_counter()
        frontier = frontier.step(logits.expand(needs, -1))
        times.append(perf_counter() - begin)
    return min(times) * 1e6


if __name__ == "__main__":
    model = oc.load(*sys.argv[1:])
    print(f"{len(model.vocabulary):,} tokens, rows of {LENGTH:,}; {torch.get_num_threads()} thread(s)")
    for name, filters in FILTERS.items():
        top_k = 50 if "top_k" in name else None
        print(f"{name:34} {least(model, filters, top_k):8.0f} µs")
