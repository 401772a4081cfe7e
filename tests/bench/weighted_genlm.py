"""The side of genlm-control in `weighted.py`, which runs this file in an environment that has it, and not ours.

On stdin: JSON with the model's folder, the token ids of each prompt, the seeds. On stdout: JSON lines, one a run.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

import numpy as np
import torch
from genlm.backend.llm import AsyncTransformer
from genlm.control import AWRS, SMC, JsonSchema, Potential, PromptedLLM
from transformers import AutoModelForCausalLM, AutoTokenizer
from weighted_tasks import ENDS, JSON_PROMPT, JSON_ROOM, PARTICLES, SCHEMA, TASKS, Task, distinct

ROOM = 16  # tokens, and more than any text of the tasks has


class Accepting(Potential):
    """What the language and the predicate of a task accept: a look-up, which costs less than their automata do."""

    def __init__(self, vocabulary: list[Any], task: Task):
        super().__init__(vocabulary)
        self.task = task
        self.whole = {text.encode() for text in task.texts if task.accepts(text)}
        where = task.where or (lambda text, done: True)
        begun = {text[:end] for text in task.texts for end in range(len(text) + 1)}
        self.begun = {text.encode() for text in begun if where(text, False)}

    async def prefix(self, context: list[bytes]) -> float:
        return 0.0 if b"".join(context) in self.begun else -np.inf

    async def complete(self, context: list[bytes]) -> float:
        return 0.0 if b"".join(context) in self.whole else -np.inf


class Side:
    """The model, read as genlm-control reads it, and a count of the token positions that it computes."""

    def __init__(self, folder: str, prompts: dict[str, list[int]], kept: bool):
        hf = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self.llm = AsyncTransformer(hf, AutoTokenizer.from_pretrained(folder), batch_size=PARTICLES)
        self.prompts, self.positions, self.kept = prompts, 0, kept
        self.asked: list[tuple[int, ...]] = []
        self.answer, self.llm.next_token_logprobs = self.llm.next_token_logprobs, self._asked
        hf.register_forward_pre_hook(self._count, with_kwargs=True)
        eos = self.llm.byte_vocab[self.llm.tokenizer.eos_token_id].byte_string
        self.first = PromptedLLM(self.llm, eos_byte_strings=[eos, *(end.encode() for end in ENDS)])

    def _count(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.positions += (args[0] if args else kwargs["input_ids"]).numel()

    async def _asked(self, token_ids: Any, *more: Any, **named: Any) -> Any:
        self.asked.append(tuple(token_ids))
        return await self.answer(token_ids, *more, **named)

    def context(self, prompt: str) -> PromptedLLM:
        return self.first.spawn(prompt_ids=self.prompts[prompt])

    def run(self, potential: Any, condition: Any, prompts: list[str], seed: int, threshold: float, room: int) -> Any:
        """One run from an empty cache: what it gives, its processor seconds, its positions."""
        torch.manual_seed(seed)
        np.random.seed(seed)
        self.llm.clear_cache()
        self.llm.clear_kv_cache()
        self.asked.clear()
        self.positions, begin = 0, time.process_time()
        for prompt in prompts if self.kept else ():
            self.llm.cache_kv(self.prompts[prompt])
        sampler = AWRS(potential, condition, seed=seed)
        sequences = asyncio.run(SMC(sampler)(n_particles=PARTICLES, ess_threshold=threshold, max_tokens=room))
        seconds = time.process_time() - begin
        return sequences, seconds, self.positions, distinct(self.asked)


def told(task: str, seed: int, threshold: float, run: Any) -> None:
    sequences, seconds, positions, least = run
    texts = {str(text): float(share) for text, share in sequences.decoded_posterior.items() if share > 0}
    line = {"task": task, "seed": seed, "threshold": threshold, "log_evidence": float(sequences.log_ml)}
    print(json.dumps({**line, "texts": texts, "seconds": seconds, "positions": positions, "least": least}), flush=True)


def main() -> None:
    torch.set_num_threads(1)
    given = json.load(sys.stdin)
    side = Side(given["folder"], given["prompts"], given["kept"])
    for task in TASKS:
        if task.name not in given["tasks"]:
            continue
        prompts = [prompt for prompt, _ in task.contexts]
        parts = [
            side.context(prompt) if weight == 1 else side.context(prompt) ** weight for prompt, weight in task.contexts
        ]
        potential = parts[0] if len(parts) == 1 else parts[0] * parts[1]
        condition = Accepting(potential.vocab, task)
        for seed in [-1, *given["seeds"]]:  # the first run warms up
            for threshold in given["thresholds"]:
                run = side.run(potential, condition, prompts, max(seed, 0), threshold, ROOM)
                if seed >= 0:
                    told(task.name, seed, threshold, run)
    if "JSON" in given["tasks"]:
        potential = PromptedLLM(side.llm, prompt_ids=side.prompts[JSON_PROMPT])
        condition = JsonSchema(SCHEMA).coerce(potential, f=b"".join)
        for seed in given["seeds"][:3]:
            told("JSON", seed, 0.0, side.run(potential, condition, [JSON_PROMPT], seed, 0.0, JSON_ROOM))


if __name__ == "__main__":
    main()
