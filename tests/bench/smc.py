"""Particles beside plain importance weights, on languages whose truth is enumerated: every text, in all its spellings.

    OMP_NUM_THREADS=1 python tests/bench/smc.py [--particles 50] [--seeds 200]

For each language and each `every` of `smc`: the ratio of the estimated evidence to the true one (1 is unbiased) with
its standard error, the mean total variation of one run's posterior to the true one with its 95 % interval, distinct
ancestors, and the effective sample size that a run reports. That expectations are exact is tested by enumerating all
draws, where there are few of them (tests/test_progress_points.py): standard errors are deceived by heavy tails.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp, fsum, sqrt
from typing import Any

import torch

import outlines_cont as oc

CITIES = ["Lisbon", "Porto", "Lima", "Oslo", "Rome", "Cairo", "Madrid", "Berlin", "Vienna", "Quito", "Dublin", "Athens"]
NUMBERS = [f"{n:03}" for n in range(1000)]
OBJECTS = [f'{{"age": {a}}}' for a in range(30, 50)]
STORY = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"
ENDINGS = ["isbon", "ima", "orto", "slo", "ome", "airo", "erlin"]
MORE = [" is", " was", ",", " and", " in", " at", ".", " as", " had", " she", " he", " a"]
EVERY: tuple[Any, ...] = (None, "span", "word", 1)


def spellings(text: bytes, tokens: dict[bytes, int]) -> Iterator[tuple[int, ...]]:
    """All token sequences that spell a text."""
    if not text:
        yield ()
    for size in range(1, len(text) + 1):
        if (token := tokens.get(text[:size])) is not None:
            for more in spellings(text[size:], tokens):
                yield (token, *more)


def log_masses(model: oc.Model, before: Sequence[int], texts: Sequence[str]) -> list[float]:
    """The log-probability of each text after some tokens: of all its spellings together, by full forwards."""
    tokens = {data: token for token, data in enumerate(model.vocabulary.tokens) if data}
    each = [(i, ids) for i, text in enumerate(texts) for ids in spellings(text.encode(), tokens)]
    total = [torch.full((), -torch.inf, dtype=torch.float64) for _ in texts]
    for begin in range(0, len(each), 256):
        part = each[begin : begin + 256]
        longest = max(len(ids) for _, ids in part)
        rows = torch.tensor([[*before, *ids, *[0] * (longest - len(ids))] for _, ids in part])
        with torch.no_grad():
            laws = model.hf(rows).logits[:, len(before) - 1 : -1].double().log_softmax(-1)
        for (i, ids), law in zip(part, laws, strict=True):
            total[i] = torch.logaddexp(total[i], law[range(len(ids)), list(ids)].sum())
    return [value.item() for value in total]


def one_link(model: oc.Model, prompt: str, texts: Sequence[str]) -> dict[str, float]:
    """The log-mass of each text after a prompt. No text is the beginning of another: the stop costs nothing."""
    return dict(zip(texts, log_masses(model, model.state(prompt).rows[0][0].ids, texts), strict=True))


def measured(
    model: oc.Model, run: Any, truth: dict[str, float], length: int, every: Any, particles: int, seeds: int
) -> str:
    evidence = fsum(map(exp, truth.values()))
    ratios, distances, distinct, sizes = [], [], [], []
    for seed in range(seeds):
        state = run(every, particles, seed)
        weights = state.particles.log_importance[0].exp()
        ratios.append(weights.mean().item() / evidence)
        law: dict[str, float] = defaultdict(float)
        for text, share in zip(state, (weights / weights.sum()).tolist(), strict=True):
            law[text[length:]] += share
        keys = {*law, *truth}
        distances.append(fsum(abs(law.get(k, 0.0) - exp(truth.get(k, -torch.inf)) / evidence) for k in keys) / 2)
        distinct.append(len(set(state.particles.ancestors[0].tolist())))
        sizes.append(state.particles.effective_sample_size[0].item())

    def mean(values: list[float]) -> tuple[float, float]:
        numbers = torch.tensor(values, dtype=torch.float64)
        return numbers.mean().item(), numbers.std().item() / sqrt(len(values))

    (ratio, error), (distance, spread) = mean(ratios), mean(distances)
    return (
        f"  every={every!s:5} evidence {ratio:.2f} ± {error:.2f} (standard error)"
        f"  TV {distance:.3f} ± {1.96 * spread:.3f}"
        f"  ancestors {fsum(distinct) / seeds:.0f}, ESS {fsum(sizes) / seeds:.0f} of {particles}"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--particles", type=int, default=50)
    parser.add_argument("--seeds", type=int, default=200)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    model = oc.load()

    def language(name: str, prompt: str, texts: list[str], what: Any) -> None:
        print(f"{name}: {len(texts)} texts")
        truth = one_link(model, prompt, texts)

        def run(every: Any, particles: int, seed: int) -> oc.SequenceState:
            sampler = oc.samplers.smc(particles, every=every)
            return oc.continuous(what(sampler))(prompt, seed=seed)

        for every in EVERY:
            print(measured(model, run, truth, len(prompt), every, asked.particles, asked.seeds), flush=True)

    generate = oc.generate
    language("city names", "Mira lives in ", CITIES, lambda s: generate.choice(model, CITIES, s, forced="never"))
    language("numbers", STORY + "Number: ", NUMBERS, lambda s: generate.regex(model, "[0-9]{3}", s, forced="never"))
    pattern = r'\{"age": [34][0-9]\}'
    language("short JSON", STORY + "JSON: ", OBJECTS, lambda s: generate.regex(model, pattern, s, forced="never"))
    for prompt in ("I went to ", "Once upon a time in "):
        chain(model, prompt, asked.particles, max(1, asked.seeds // 4))


def chain(model: oc.Model, prompt: str, particles: int, seeds: int) -> None:
    """A chain of three links, whose second one fits few of the beginnings that the first one draws."""
    links = [list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), ENDINGS, MORE]
    print(f"chain of {len(links)} links after {prompt!r}, the second of which fits few of the beginnings")
    start = model.state(prompt).rows[0][0].ids
    # after each link the row is what was written, in the tokens that were drawn: the truth sums over all of them
    tokens = {data: token for token, data in enumerate(model.vocabulary.tokens) if data}
    rows: dict[tuple[int, ...], float] = {(): 0.0}
    texts: dict[tuple[int, ...], str] = {(): ""}
    for options in links:
        longer: dict[tuple[int, ...], float] = {}
        said: dict[tuple[int, ...], str] = {}
        for ids, mass in rows.items():
            each = [(option, more) for option in options for more in spellings(option.encode(), tokens)]
            for option, more in each:
                longer[ids + more] = mass
                said[ids + more] = texts[ids] + option
        rows, texts = longer, said
        if len(rows) > 200_000:
            raise SystemExit("too many spellings to enumerate")
    truth = defaultdict(float)
    each = list(rows)
    for begin in range(0, len(each), 512):
        part = each[begin : begin + 512]
        longest = max(map(len, part))
        batch = torch.tensor([[*start, *ids, *[0] * (longest - len(ids))] for ids in part])
        with torch.no_grad():
            laws = model.hf(batch).logits[:, len(start) - 1 : -1].double().log_softmax(-1)
        for ids, law in zip(part, laws, strict=True):
            truth[texts[ids]] += law[range(len(ids)), list(ids)].sum().exp().item()
    logs = {text: torch.tensor(mass).log().item() for text, mass in truth.items()}

    def run(every: Any, count: int, seed: int) -> oc.SequenceState:
        sampler = oc.samplers.smc(count, every=every)
        steps = [oc.continuous(oc.generate.choice(model, options, sampler, forced="never")) for options in links]
        whole = steps[0]
        for step in steps[1:]:
            whole = whole >> step
        return whole(prompt, seed=seed)

    for every in EVERY:
        print(measured(model, run, logs, len(prompt), every, particles, seeds), flush=True)


if __name__ == "__main__":
    main()
