"""Learning from rollouts: a training step from one pass over their trie, beside padded rows.

    OMP_NUM_THREADS=1 python tests/bench/rollouts.py [FOLDER] [--prompts 4] [--samples 16] [--tokens 56] [--times 7]

FOLDER: a model of transformers; without one, the model that ships. For flat rollouts, and for a tree (a quarter of the
rows, each with three forks at places of it), forward and backward of all rows are computed by `oc.train.tree_logprobs`
and by the loss of a usual trainer: rows padded on the left and on the right, logits after completions only. First log-
probabilities and gradients are compared. Then come positions, and medians of CPU times, taken in turns.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import torch
from torch import Tensor

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
import outlines_cont as oc
from tools.tiny.corpus import Voice, _entity, _telling

MARKS = {"positions": 1 / 6, "CPU time": 0.35}
FIELDS = ("name", "age", "job", "city", "colour")


def prompts(count: int) -> list[str]:
    """Stories of two people, of whom one is to be written as JSON."""
    voice, texts = Voice("rollouts"), list[str]()
    voice.plain = True
    while len(texts) < count:
        two = [_entity(voice, "person", False, 7, 7) for _ in range(2)]
        two = [{name: each[name] for name in FIELDS if name in each} for each in two]
        if all(len(each) == len(FIELDS) for each in two) and two[0]["name"] != two[1]["name"]:
            story = " ".join(_telling(voice, "person", each) for each in two)
            texts.append(f"{story}\nGive me {two[0]['name']} as JSON with {', '.join(FIELDS)}.")
    return texts


def rollouts(model: oc.Model, count: int, samples: int, tokens: int) -> dict[str, oc.SequenceState]:
    """Flat ones, and as many rows of a tree."""
    start = model.state(texts := prompts(count))
    if model.tokenizer.chat_template:
        start = oc.cat([model.chat([{"role": "user", "content": text}]) for text in texts], 0)
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=samples)), name="a")
    flat = step(start, seed=0, max_tokens=tokens)
    few = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=samples // 4)), name="a")
    trunks = few(start, seed=0, max_tokens=tokens)
    random, rows = Random(0), [trunks]
    for _ in range(3):
        lengths = [[random.randrange(begin, len(row)) for row in group] for group, begin in zip_rows(trunks, start)]
        rows.append(trunks.crop(lengths))
    grown = oc.continuous(oc.generate.text(model, oc.samplers.multinomial()), name="a")
    return {"flat": flat, "tree": grown.resume(oc.cat(rows, 1), seed=1, max_tokens=tokens)}


def zip_rows(state: oc.SequenceState, start: oc.SequenceState) -> Any:
    return ((group, len(before[0]) + 1) for group, before in zip(state.rows, start.rows, strict=True))


def padded(hf: Any, state: oc.SequenceState) -> tuple[list[Tensor], int]:
    """The log-probabilities of each row's completion, and how many positions were computed."""
    rows = [row for group in state.rows for row in group]
    begins = [next(at for at, value in enumerate(row.logprobs) if value is not None) for row in rows]
    left, right = max(begins), max(len(row) - begin for row, begin in zip(rows, begins, strict=True))
    ids = torch.zeros(len(rows), left + right, dtype=torch.long)
    shown = torch.zeros_like(ids)
    for line, (row, begin) in enumerate(zip(rows, begins, strict=True)):
        place = slice(left - begin, left - begin + len(row))
        ids[line, place], shown[line, place] = torch.tensor(row.ids), 1
    positions = (shown.cumsum(-1) - 1).clamp_min(0)
    logits = hf(
        input_ids=ids, attention_mask=shown, position_ids=positions, use_cache=False, logits_to_keep=right + 1
    ).logits[:, :-1]
    logprobs = logits.gather(-1, ids[:, left:, None])[..., 0] - logits.logsumexp(-1)
    return [line[: len(row) - begin] for line, row, begin in zip(logprobs, rows, begins, strict=True)], ids.numel()


def train(model: oc.Model, state: oc.SequenceState, times: int) -> dict[str, float]:
    """The ratios of the trie's figures to the padded rows' ones. AssertionError if what is learned differs."""
    hf, figures = model.hf, dict[str, dict[str, float]]()
    weights = torch.randn(len(state), generator=torch.Generator().manual_seed(0)).tolist()

    def by_rows() -> tuple[list[Tensor], int]:
        return padded(hf, state)

    def by_trie() -> tuple[list[Tensor], int]:
        before = model.stats.tokens
        logprobs, mask, _ = oc.train.tree_logprobs(state)
        lines = zip(logprobs.flatten(0, 1), mask.flatten(0, 1), strict=True)
        return [line[seen] for line, seen in lines], model.stats.tokens - before

    def learned(way: Callable[[], tuple[list[Tensor], int]]) -> tuple[Tensor, Tensor, int, float]:
        hf.zero_grad()
        begin = process_time()
        values, positions = way()
        sum(weight * line.sum() for weight, line in zip(weights, values, strict=True)).backward()  # pyright: ignore
        took = process_time() - begin
        gradients = torch.cat([p.grad.flatten() for p in hf.parameters() if p.grad is not None])
        return torch.cat(values).detach(), gradients, positions, took

    ways = {"rows": by_rows, "trie": by_trie}
    (values, gradients, _, _), (others, other_gradients, _, _) = (learned(way) for way in ways.values())
    apart = float((values - others).abs().max()), float((gradients - other_gradients).norm() / gradients.norm())
    print(f"  log-probabilities apart by {apart[0]:.1e} at most, gradients by {apart[1]:.1e} of their norm")
    assert apart[0] <= 1e-3 and apart[1] <= 1e-3
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(times):
        for name, way in ways.items():
            _, _, positions, took = learned(way)
            taken[name].append(took)
            figures[name] = {"positions": positions, "CPU time": median(taken[name])}
    for name, each in figures.items():
        print(f"  {name}: {each['positions']:,} positions, {each['CPU time']:.2f} s of CPU")
    return {kind: figures["trie"][kind] / figures["rows"][kind] for kind in MARKS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--prompts", type=int, default=4)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=56)
    parser.add_argument("--times", type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = oc.load(*filter(None, [options.folder]))
    for name, state in rollouts(model, options.prompts, options.samples, options.tokens).items():
        print(f"train, {name}: {state.shape}")
        for kind, ratio in train(model, state, options.times).items():
            print(f"  {kind}: {ratio:.3f} of padded rows (mark {MARKS[kind]:.3f}, {'held' * (ratio <= MARKS[kind])})")


if __name__ == "__main__":
    main()
