"""Learning from rollouts: a training step from one pass over their trie, beside padded rows; and GRPO by TRL and by us.

    OMP_NUM_THREADS=1 python tests/bench/rollouts.py [FOLDER] [--prompts 4] [--samples 16] [--tokens 56] [--times 7]
    OMP_NUM_THREADS=1 python tests/bench/rollouts.py --trl [--seeds 5] [--steps 12] [--quick]

FOLDER: a model of transformers; without one, the model that ships. For flat rollouts, and for a tree (a quarter of the
rows, each with three forks at places of it), forward and backward of all rows are computed by `oc.train.tree_logprobs`
and by the loss of a usual trainer: rows padded on the left and on the right, logits after completions only. First log-
probabilities and gradients are compared. Then come positions, and medians of CPU times, taken in turns.

With --trl the model that ships learns to answer by GRPO: by TRL with `generate()` and its own loss, and by
`TreeGRPOTrainer` with flat rollouts and with trees (a quarter of the rows, each with three forks at its least certain
draws). The reward is the share of right fields. Steps, seeds and prompts are the same; after each seed the three have
been run in turns. `--quick` takes one seed and four steps.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import mean, median, stdev
from time import process_time
from typing import Any

import torch
from torch import Tensor

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
import outlines_cont as oc
from tools.tiny.corpus import Voice, _entity, _telling

MARKS = {"positions": 1 / 6, "CPU time": 0.35}
FIELDS = ("name", "age", "job", "city", "colour")


def tasks(count: int, seed: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Stories of two people, of whom one is to be written as JSON, with what is right."""
    voice, texts = Voice(f"rollouts{seed}"), list[tuple[str, dict[str, Any]]]()
    voice.plain = True
    while len(texts) < count:
        two = [_entity(voice, "person", False, 7, 7) for _ in range(2)]
        two = [{name: each[name] for name in FIELDS if name in each} for each in two]
        if all(len(each) == len(FIELDS) for each in two) and two[0]["name"] != two[1]["name"]:
            story = " ".join(_telling(voice, "person", each) for each in two)
            asked, others = two[voice.randint(0, 1)], [*FIELDS[1:]]
            voice.shuffle(others)
            right = {name: asked[name] for name in ("name", *others)}
            texts.append((f"{story}\nGive me {asked['name']} as JSON with {', '.join(right)}.", right))
    return texts


def rollouts(model: oc.Model, count: int, samples: int, tokens: int) -> dict[str, oc.SequenceState]:
    """Flat ones, and as many rows of a tree."""
    start = model.state(texts := [text for text, _ in tasks(count)])
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


# --- beside TRL


def reward(completions: list[Any], right: list[str], **_: Any) -> list[float]:
    """The share of the fields that are right; 0 of what is no object."""
    rewards = list[float]()
    for [message], fields in zip(completions, map(json.loads, right), strict=True):
        try:
            said = json.loads(message["content"])
        except ValueError:
            said = None
        good = [said.get(name) == value for name, value in fields.items()] if isinstance(said, dict) else [False]
        rewards.append(mean(good))
    return rewards


def learned_by(name: str, seed: int, steps: int) -> dict[str, Any]:
    """A training run: positions, CPU times of each step's sampling and training, rewards, and how far the sampler's
    log-probabilities are from the trainer's."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from outlines_cont.integrations.trl import TreeGRPOTrainer, rollout_func

    base: Any = GRPOTrainer if name == "TRL" else TreeGRPOTrainer
    taken: dict[str, Any] = {"sampling": [], "training": [], "apart": 0.0, "positions": 0}

    class Timed(base):  # type: ignore[misc]
        def training_step(self, *args: Any) -> Any:
            begin, before = process_time(), len(taken["sampling"])
            loss = super().training_step(*args)
            taken["training"].append(process_time() - begin - sum(taken["sampling"][before:]))
            return loss

        def _prepare_inputs(self, *args: Any) -> Any:
            begin = process_time()
            inputs = super()._prepare_inputs(*args)
            taken["sampling"].append(process_time() - begin)
            return inputs

        def _get_per_token_logps_and_entropies(
            self, model: Any, ids: Tensor, mask: Tensor, *args: Any, **kw: Any
        ) -> Any:
            answer = super()._get_per_token_logps_and_entropies(model, ids, mask, *args, **kw)
            if name != "TRL":
                known = {row.ids: row for row in self.rollout_func.rows[True]}
                for line, row_ids, seen in zip(answer[0].tolist(), ids, mask.bool(), strict=True):
                    row = known[tuple(row_ids[seen].tolist())]
                    gaps = [abs(line[at] - row.completion.proposal_logprobs[at]) for at in row.actions]
                    taken["apart"] = max(taken["apart"], *gaps)
            return answer

    model, forks = oc.load(), 3 if name == "trees" else 0
    if name == "TRL":

        def count(_: Any, args: Any, kwargs: Any) -> None:
            taken["positions"] += (kwargs["input_ids"] if "input_ids" in kwargs else args[0]).numel()

        model.hf.model.register_forward_pre_hook(count, with_kwargs=True)
        model = oc.Model(model.hf, model.tokenizer)  # a model whose hooks change later reads each row by itself
    sampler = oc.samplers.multinomial(samples=16 // (1 + forks))
    policy = rollout_func(oc.continuous(oc.generate.text(model, sampler), name="answer"), forks)
    rows = [
        {"prompt": [{"role": "user", "content": text}], "right": json.dumps(right)}
        for text, right in tasks(8, str(seed))
    ]
    with tempfile.TemporaryDirectory() as folder:
        settings = {"per_device_train_batch_size": 64, "num_generations": 16, "max_completion_length": 56}
        settings |= {"max_steps": steps, "learning_rate": 1e-4, "seed": seed, "use_cpu": True, "bf16": False}
        settings |= {"report_to": [], "logging_steps": 1, "save_strategy": "no", "disable_tqdm": True}
        trainer = Timed(
            model=model.hf,
            reward_funcs=reward,
            args=GRPOConfig(output_dir=folder, gradient_checkpointing=False, **settings),
            train_dataset=Dataset.from_list(rows),
            processing_class=model.tokenizer,
            rollout_func=None if name == "TRL" else policy,
        )
        trainer.train()
    taken["positions"] += model.stats.tokens
    taken["rewards"] = [each["reward"] for each in trainer.state.log_history if "reward" in each]
    return taken


def beside_trl(seeds: int, steps: int) -> None:
    """All runs, and what they say."""
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    warnings.simplefilter("ignore")
    names = ("TRL", "flat", "trees")
    runs = {name: list[dict[str, Any]]() for name in names}
    for seed in range(seeds):
        for name in names:
            runs[name].append(run := learned_by(name, seed, steps))
            figures = (
                f"{run['positions']:,} positions, {sum(run['sampling']):.1f} + {sum(run['training']):.1f} s of CPU"
            )
            print(f"seed {seed}, {name}: {figures}, rewards {' '.join(f'{each:.2f}' for each in run['rewards'])}")

    def of(name: str, kinds: tuple[str, ...]) -> float:
        """The median of a step, in seconds of CPU; the first step of a run is left out."""
        return median(sum(each) for run in runs[name] for each in list(zip(*(run[k] for k in kinds), strict=True))[1:])

    marks = {"flat": 0.65, "trees": 0.6}
    last = max(1, steps // 3)
    for name, whole in marks.items():
        ratios = {
            "positions": (mean(r["positions"] for r in runs[name]) / mean(r["positions"] for r in runs["TRL"]), 1 / 6),
            "CPU time of sampling": (of(name, ("sampling",)) / of("TRL", ("sampling",)), None),
            "CPU time of training": (of(name, ("training",)) / of("TRL", ("training",)), 0.35),
            "CPU time of a step": (of(name, ("sampling", "training")) / of("TRL", ("sampling", "training")), whole),
            "log-probabilities apart": (max(run["apart"] for run in runs[name]), 1e-4),
        }
        for kind, (value, mark) in ratios.items():
            print(f"{name}, {kind}: {value:.2g}" + (f" (mark {mark:.2g}, {'held' * (value <= mark)})" if mark else ""))
    for name, other in (("flat", "TRL"), ("trees", "TRL"), ("trees", "flat")):
        gaps = [
            mean(ours["rewards"][-last:]) - mean(theirs["rewards"][-last:])
            for ours, theirs in zip(runs[name], runs[other], strict=True)
        ]
        spread = (
            {2: 12.7, 3: 4.3, 4: 3.18, 5: 2.78}.get(seeds, 2) * stdev(gaps) / seeds**0.5 if seeds > 1 else float("nan")
        )
        print(f"{name} − {other}, reward of the last {last} steps: {mean(gaps):+.3f} ± {spread:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--prompts", type=int, default=4)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=56)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--trl", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=12)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.trl:
        return beside_trl(*((1, 4) if options.quick else (options.seeds, options.steps)))
    model = oc.load(*filter(None, [options.folder]))
    for name, state in rollouts(model, options.prompts, options.samples, options.tokens).items():
        print(f"train, {name}: {state.shape}")
        for kind, ratio in train(model, state, options.times).items():
            print(f"  {kind}: {ratio:.3f} of padded rows (mark {MARKS[kind]:.3f}, {'held' * (ratio <= MARKS[kind])})")


if __name__ == "__main__":
    main()
