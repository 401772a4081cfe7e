"""The genlm-control side of `weighted.py`, which runs it as a subprocess in an environment that has that library.

Reads one JSON object of tasks from stdin, and writes one JSON list of runs for each task to stdout. It imports
nothing of ours. A run in which the library raises is told by its error.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import warnings
from typing import Any

warnings.filterwarnings("ignore")

import torch
from genlm.control import AWRS, SMC, BoolFSA, JsonSchema, Potential, PromptedLLM


class DigitSum(Potential):
    """The black box of the task: whether the sum of a text's digits is below a limit, or equals it at the end."""

    def __init__(self, rule: str, limit: int):
        super().__init__(list(range(256)))
        self.rule, self.limit = rule, limit

    def _score(self, context: list[int], done: bool) -> float:
        total = sum(byte - 48 for byte in context if 48 <= byte <= 57)
        ended = done or bytes(context).endswith(b".")
        right = total < self.limit if self.rule == "below" else total == self.limit if ended else total <= self.limit
        return 0.0 if right else float("-inf")

    async def prefix(self, context: list[int]) -> float:
        return self._score(context, False)

    async def complete(self, context: list[int]) -> float:
        return self._score(context, True)


def potential_of(llm: PromptedLLM, task: dict[str, Any]) -> Any:
    """The product of the contexts' laws, each to the power of its weight."""
    product = None
    for prompt, weight in task["contexts"]:
        part: Any = llm.spawn(prompt_ids=llm.model.tokenizer.encode(prompt))
        part = part if weight == 1 else part**weight
        product = part if product is None else product * part
    return product


def condition_of(task: dict[str, Any]) -> Any:
    if task["schema"] is not None:
        return JsonSchema(task["schema"])
    condition: Any = BoolFSA.from_regex(task["pattern"])
    return condition * DigitSum(*task["rule"]) if task["rule"] else condition


async def runs_of(llm: PromptedLLM, task: dict[str, Any], particles: int, seeds: int, counts: dict[str, int]) -> Any:
    runs = []
    potential, ends = potential_of(llm, task), None
    condition = condition_of(task).coerce(potential, f=b"".join)
    if task["schema"] is None:
        ends = lambda context: b"".join(map(bytes, context)).endswith(b".")  # noqa: E731
    for seed in range(-1, seeds):  # the first run warms up, and is not reported
        torch.manual_seed(seed + 1)
        llm.model.clear_cache()
        sampler = AWRS(potential, condition, seed=seed + 1)
        counts.update(positions=0, passes=0)
        begun = time.process_time()
        try:
            sequences = await SMC(sampler)(particles, 0.5, task["max_tokens"], terminate_when=ends)
        except AssertionError as error:  # its rejection asserts what rounding may break
            if seed >= 0:
                runs.append({"error": repr(error)})
            continue
        seconds = time.process_time() - begun
        law = {text: float(p) for text, p in sequences.decoded_posterior.items()} if sequences.log_ml > -1e300 else {}
        if seed >= 0:
            runs.append({"log_evidence": float(sequences.log_ml), "law": law, "seconds": seconds, **counts})
    return runs


def main() -> None:
    asked = json.load(sys.stdin)
    torch.set_num_threads(1)
    llm = PromptedLLM.from_name(asked["model"], backend="hf")
    counts = {"positions": 0, "passes": 0}
    forward = llm.model.model.forward

    def counted(input_ids: torch.Tensor, **more: Any) -> Any:
        counts["positions"] += input_ids.numel()
        counts["passes"] += 1
        return forward(input_ids=input_ids, **more)

    llm.model.model.forward = counted
    for task in asked["tasks"]:
        runs = asyncio.run(runs_of(llm, task, asked["particles"], task["seeds"], counts))
        print(json.dumps({"task": task["name"], "runs": runs}), flush=True)


if __name__ == "__main__":
    main()
