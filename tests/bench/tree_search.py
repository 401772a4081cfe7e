"""Searches over lines of sums: the positions that they read, beside the same draws made by `generate()`.

    OMP_NUM_THREADS=1 python tests/bench/tree_search.py [FOLDER] [--seeds 3]

FOLDER: a model of transformers; without one, the model that ships. Each round of a search is done again by one call of
`generate()`: its rows, padded on the left, each with the tokens that the search drew there, by a processor of logits
that allows no others. A hook counts the positions that its forwards get, padding included. Children that were drawn
twice are one row there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
import outlines_cont as oc

PROMPT = "3 + 14 = 17\n5 + 2 = 7\n11 + 8 = 19\n21 + 4 = 25\n"
DEPTH = 4


def marks(row: oc.SequenceState) -> list[bool]:
    """For each line of a row, whether its sum is right."""
    lines = (text.replace("+", "=").split("=") for text in row.captures["line"][0][0])
    return [int(a) + int(b) == int(total) for a, b, total in lines]


class Value:
    """The share of right sums. It notes the rows of each round."""

    def __init__(self) -> None:
        self.rounds: list[oc.SequenceState] = []

    def __call__(self, rows: oc.SequenceState) -> list[float]:
        self.rounds.append(rows)
        return [sum(marks(rows[i, :, :])) / DEPTH for i in range(len(rows))]


def by_generate(hf: Any, rounds: list[oc.SequenceState], tree: oc.search.SearchTree) -> int:
    """The positions of all rounds."""
    counted = Counter[str]()

    def count(_: Any, args: Any, kwargs: Any) -> None:
        counted["positions"] += kwargs["input_ids"].numel()

    before = {node.state: tree.nodes[0][node.parent or 0].state for node in tree.nodes[0][1:]}
    handle = hf.register_forward_pre_hook(count, with_kwargs=True)
    for rows in rounds:
        children = [rows[i, :, :].rows[0][0].ids for i in range(len(rows))]
        begins = [len(before[rows[i, :, :]].rows[0][0]) for i in range(len(rows))]
        width, longest = max(begins), max(len(ids) - begin for ids, begin in zip(children, begins, strict=True))
        given = torch.zeros(len(rows), width, dtype=torch.long)
        forced = torch.zeros(len(rows), longest, dtype=torch.long)
        for i, (ids, begin) in enumerate(zip(children, begins, strict=True)):
            given[i, width - begin :] = torch.tensor(ids[:begin])
            forced[i, : len(ids) - begin] = torch.tensor(ids[begin:])

        def only(ids: torch.Tensor, logits: torch.Tensor, forced: torch.Tensor = forced, width: int = width) -> Any:
            return torch.full_like(logits, -1e9).scatter(1, forced[:, ids.shape[1] - width, None], 0.0)

        drawn = hf.generate(
            input_ids=given,
            attention_mask=(given > 0).long(),
            logits_processor=[only],
            max_new_tokens=longest,
            min_new_tokens=longest,
            do_sample=False,
            pad_token_id=0,
        )
        assert torch.equal(drawn[:, width:], forced)
    handle.remove()
    return counted["positions"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = oc.load(*filter(None, [options.folder]))
    sampler = oc.samplers.multinomial()
    line = oc.continuous(oc.generate.regex(model, r"[1-9][0-9]? \+ [1-9][0-9]? = [0-9]{1,2}\n", sampler), name="line")

    def wrong(row: oc.SequenceState) -> bool:
        return not all(marks(row))

    chain = line >> line >> line >> line
    calls = {
        "best_of(n=64)": lambda value, seed: oc.search.best_of(chain, PROMPT, value, 64, seed=seed),
        "step_beam(width=4, depth=4, children=12)": lambda value, seed: oc.search.step_beam(
            line, PROMPT, value, 4, DEPTH, 12, done=wrong, seed=seed
        ),
        "mcts(visits=1500)": lambda value, seed: oc.search.mcts(
            line, PROMPT, value, 1500, depth=DEPTH, exploration=0.3, done=wrong, seed=seed
        ),
    }
    for name, call in calls.items():
        ours, theirs, best = 0, 0, list[float]()
        for seed in range(options.seeds):
            value = Value()
            before = model.stats.tokens
            tree = call(value, seed)
            ours += model.stats.tokens - before
            theirs += by_generate(model.hf, value.rounds, tree)
            best += Value()(tree.best())
        times = theirs / ours
        print(f"{name}: {ours:,} positions, {theirs:,} by generate(), {times:.1f} times as many; values {best}")


if __name__ == "__main__":
    main()
