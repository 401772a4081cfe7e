"""How far a row's logits depend on what is computed beside it and on how it was read; what `batch_invariant` costs.

`python tests/bench/rounding.py FILE.gguf FOLDER [--dtypes float32 bfloat16] [--rows 16] [--tokens 24]`: GGUF files run
on llama.cpp and folders on transformers, on one thread, each as it is and with `batch_invariant=True`. Without
arguments: the model that ships.

Correctness first: with `batch_invariant` every number of the first two tables is 0.

- The largest difference of a logit, and the total variation of the law of the next token, over all positions of a row:
  `beside`: with two other rows in each pass, and alone; `at once`: prefilled, and token by token; `forked`: in a
  branch, and fresh; `placed`: after other rows were read and dropped, and in an empty memory.
- How many rows of a batch get other tokens than alone, greedy and drawn.
- Tokens a second, CPU time: reading a prompt, and writing 1 and 8 rows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

import outlines_cont as oc

TEXTS = [
    "The old lighthouse keeper climbed the stairs every evening, and",
    "Rome is the capital of Italy. Paris is the capital of",
    "def area(radius):\n    return 3.14 *",
    "Dear Mira,\nthank you for your letter of last week. I",
    "In 1969 two men walked on the",
    "Q: How many legs does a spider have?\nA:",
    "The recipe needs two eggs, a cup of flour and",
    "Once upon a time there was a",
]
LENGTH = 40  # tokens of a row whose logits are compared


def logits_of(model: Any, rows: Sequence[tuple[int, ...]], every: int) -> list[torch.Tensor]:
    """The logits of rows that are read together, `every` tokens at a time, in a memory that is empty."""
    model.tree.evict()
    held: list[Any] = []
    parts: list[list[torch.Tensor]] = [[] for _ in rows]
    for end in range(every, len(rows[0]) + every, every):
        wanted = tuple(range(end - every, min(end, len(rows[0]))))
        logits, claims = model.read([oc.stepping.Need(row[:end], wanted) for row in rows])
        held += claims
        for part, lines in zip(parts, logits.split(len(wanted)), strict=True):
            part.append(lines.clone())
    return [torch.cat(part) for part in parts]


def differences(model: Any, rows: Sequence[tuple[int, ...]]) -> Iterator[tuple[str, float, float]]:
    """By which way: the largest difference of a logit, and the largest total variation."""
    row, *others = rows[:3]
    alone = logits_of(model, [row], 1)[0]
    # a fork of a sequence that goes on otherwise
    held = model.read([oc.stepping.Need(row[:20] + others[0][:8], ())])[1]
    forked = torch.cat([model.read([oc.stepping.Need(row[: at + 1], (at,))])[0].clone() for at in range(20, len(row))])
    del held
    model.tree.evict()
    beside = logits_of(model, [row, *others], 1)[0]
    at_once = logits_of(model, [row], len(row))[0]
    model.tree.evict()
    kept = model.read([oc.stepping.Need(others[0][:3], (2,)), oc.stepping.Need(others[1][:7], (6,))])[1]
    placed = torch.cat([model.read([oc.stepping.Need(row[: at + 1], (at,))])[0].clone() for at in range(len(row))])
    del kept
    for name, other in (("beside", beside), ("at once", at_once), ("forked", forked), ("placed", placed)):
        same = alone[-len(other) :].double()
        law = (same.softmax(-1) - other.double().softmax(-1)).abs().sum(-1) / 2
        yield name, (same - other.double()).abs().max().item(), law.max().item()


def other_tokens(model: Any, sampler: Any, rows: int, tokens: int) -> int:
    """How many rows of a batch get other tokens than alone."""
    start = model.state([f"{i}. {TEXTS[i % len(TEXTS)]}" for i in range(rows)])
    step = oc.continuous(oc.generate.text(model, sampler))
    batch = step(start, max_tokens=tokens, seed=1).kv.drop()
    alone = [step(start[i : i + 1, :, :].kv.drop(), max_tokens=tokens, seed=1) for i in range(rows)]
    return sum(batch[i : i + 1, :, :] != single for i, single in enumerate(alone))


def speeds(model: Any, rows: Sequence[tuple[int, ...]], tokens: int) -> dict[str, float]:
    """Tokens a second, by what was done."""
    prompt = (rows[0] * 8)[: min(256, (model.context_length or 256) - 1)]
    found: dict[str, float] = {}

    def timed(name: str, count: int, work: Any) -> None:
        begin = time.process_time()
        work()
        found[name] = count / (time.process_time() - begin)

    step = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", oc.samplers.greedy()))
    step(model.state("Once"), max_tokens=2)
    model.tree.evict()
    timed("prompt", len(prompt), lambda: model.read([oc.stepping.Need(prompt, (len(prompt) - 1,))]))
    for count in (1, 8):
        start = model.state([f"{i}. Once" for i in range(count)])
        step(start, max_tokens=1)
        timed(f"{count} rows", count * tokens, lambda start=start: step(start, max_tokens=tokens))
    return found


def report(name: str, model: Any, rows: int, tokens: int) -> None:
    ids = [row.ids for [row] in model.state([text * 8 for text in TEXTS[:3]]).rows]
    lines = [row[:LENGTH] for row in ids]
    found = list(differences(model, lines))
    print(f"\n{name}: {model!r}")
    for way, largest, law in found:
        print(f"  {way:8} logits differ by {largest:.1e}, laws by {law:.1e}")
    counts = [
        other_tokens(model, sampler, rows, tokens) for sampler in (oc.samplers.greedy(), oc.samplers.multinomial())
    ]
    print(f"  of {rows} rows of {tokens} tokens, other tokens than alone: {counts[0]} greedy, {counts[1]} drawn")
    if model.engine.batch_invariant:
        assert not any(counts) and not any(difference for _, *both in found for difference in both)
    for what, speed in speeds(model, lines, tokens).items():
        print(f"  {what:8} {speed:9.1f} tokens a second", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="GGUF files and folders")
    parser.add_argument("--dtypes", nargs="*", default=["float32", "bfloat16"], help="of folders")
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=24)
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE for GGUF files, as type_k=f32")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    options: dict[str, Any] = dict(option.split("=") for option in asked.option)
    for each in asked.models or [None]:
        file = each is not None and Path(each).is_file()
        for dtype in ["file"] if file else asked.dtypes:
            for batch_invariant in (False, True):
                given: dict[str, Any] = {"n_threads": 1, **options} if file else {"dtype": dtype}
                model = oc.load(each, batch_invariant=batch_invariant, **given)
                title = f"{'shipped' if each is None else Path(each).name}, {dtype}"
                report(title + ", batch-invariant" * batch_invariant, model, asked.rows, asked.tokens)
                del model


if __name__ == "__main__":
    main()
