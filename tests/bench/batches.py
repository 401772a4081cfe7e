"""Different jobs in the same passes: beside separate calls, and beside the same jobs with equal settings.

    OMP_NUM_THREADS=1 python tests/bench/batches.py [MODEL] [--jobs 64] [--tokens 32] [--times 3]

MODEL: a folder of transformers or a GGUF file; without one, the model that ships. Correctness first: each job's tokens
are those of its own call, but for those of a draw within the rounding of logits, which are counted. Then passes, and
medians of CPU times, taken in turns; and what a row costs that has a seed, a temperature or a length of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import outlines_cont as oc

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
OWN: dict[str, Callable[[int], dict[str, Any]]] = {
    "a seed": lambda i: {"seed": i},
    "a temperature": lambda i: {"temperature": 0.5 + i / 100},
    "a length": lambda i: {"max_tokens": 24 + i % 9},
    "all three": lambda i: {"seed": i, "temperature": 0.5 + i / 100, "max_tokens": 24 + i % 9},
}


def seconds(works: dict[str, Callable[[], object]], times: int) -> dict[str, float]:
    """The median CPU time of each, taken in turns after one run of each."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times + 1):
        for name, work in works.items():
            begin = process_time()
            work()
            taken[name].append(process_time() - begin)
    return {name: median(each[1:]) for name, each in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?")
    for name, default in (("--jobs", 64), ("--tokens", 32), ("--times", 3)):
        parser.add_argument(name, type=int, default=default)
    asked = parser.parse_args()
    model = oc.load(asked.model) if asked.model else oc.load()
    draw = oc.samplers.multinomial()
    text = oc.continuous(oc.generate.text(model, draw))
    kinds = [
        text,
        oc.continuous(oc.generate.regex(model, "[a-z ]{60,80}", draw)),
        oc.continuous(oc.generate.json(model, SCHEMA, draw)),
        oc.continuous(oc.generate.choice(model, ["red", "blue or green"], draw)),
    ]
    prompts = [f"Tom has {i} cats and " for i in range(asked.jobs)]
    own = [oc.Settings(**{**OWN["all three"](i), "max_tokens": asked.tokens - i % 8}) for i in range(asked.jobs)]
    jobs = [(kinds[i % 4], prompt, own[i]) for i, prompt in enumerate(prompts)]
    plain = [(kinds[i % 4], prompt) for i, prompt in enumerate(prompts)]
    options: Any = {"seed": 0, "max_tokens": asked.tokens}

    def apart() -> list[oc.SequenceState]:
        return [work(prompt, keys=[i], rows=[each], **options) for i, (work, prompt, each) in enumerate(jobs)]

    passes = []
    for i, (work, prompt, each) in enumerate(jobs):
        model.stats.reset()
        work(prompt, keys=[i], rows=[each], **options)
        passes.append(model.stats.passes or 0)
    model.stats.reset()
    together = oc.batch(jobs, **options)
    counted = f"{model.stats.passes} passes together, {sum(passes)} apart, {max(passes)} of the longest"
    print(f"{model!r}\n{asked.jobs} jobs: {counted}")
    equal = sum(one == other for one, other in zip(together, apart(), strict=True))
    print(f"{equal} of {asked.jobs} jobs have the tokens of their own call")
    del together  # with its keys and values nothing would be computed again
    times = seconds(
        {
            "apart": apart,
            "together": lambda: oc.batch(jobs, **options),
            "together, equal settings": lambda: oc.batch(plain, **options),
            "one call of one step": lambda: text(prompts, **options),
        },
        asked.times,
    )
    for name, each in times.items():
        print(f"{name}: {each:.2f} s, {each / times['together']:.2f} of together")
    rows = {name: [oc.Settings(**of(i)) for i in range(asked.jobs)] for name, of in OWN.items()}
    works = {name: partial(text, prompts, rows=each, **options) for name, each in rows.items()}
    base = times["one call of one step"]
    tokens = int(text(prompts, **options).lengths.sum() - model.state(prompts).lengths.sum())
    for name, each in seconds(works, asked.times).items():
        print(f"{name} of its own: {each / base:.2f} of one call, {1000 * (each - base) / tokens:+.2f} ms a token")


if __name__ == "__main__":
    main()
