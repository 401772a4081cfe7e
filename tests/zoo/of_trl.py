"""TRL 1.16: docs/coming_from/trl.md.

Each program is a short training by GRPO: with TRL's own `generate`, and with a policy of ours. The value is what the
trainer logged last, and how many parameters it changed. (That rewards grow needs more steps than these.)
"""

from __future__ import annotations

import copy
import math
import re
import tempfile
from collections.abc import Callable
from typing import Any

from common import AGE, JOB, Program, hf
from datasets import Dataset
from peft import LoraConfig
from transformers import PrinterCallback
from trl import GRPOConfig, GRPOTrainer
from trl.rewards import get_soft_overlong_punishment

import outlines_cont as oc
from outlines_cont.integrations.trl import TreeGRPOTrainer, rollout_func

PROMPTS = Dataset.from_list([{"prompt": AGE}, {"prompt": JOB}])
TALK = Dataset.from_list(
    [{"prompt": [{"role": "user", "content": text}]} for text in ("Name a city.", "Where do you live?")]
)


def spread(completions: list[Any], **_: Any) -> list[float]:
    """A reward that differs between texts."""
    return [len(str(text)) % 7 / 7 for text in completions]


def short(completions: list[Any], **_: Any) -> list[float]:
    return [-len(str(text)) / 100 for text in completions]


def low_number(completions: list[str], **_: Any) -> list[float]:
    """A number is the better the lower it is; no text that is none is worth anything."""
    return [1 / (1 + int(text)) if re.fullmatch(" [0-9]{1,3}", text) else -1000.0 for text in completions]


def is_answer(completions: list[Any], answer: list[str], **_: Any) -> list[float]:
    return [float(text.strip() == right) for text, right in zip(completions, answer, strict=True)]


def trained(trainer: Any) -> dict[str, float]:
    before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    [*_, last] = [line for line in trainer.state.log_history if "loss" in line]
    changed = sum(not one.equal(other) for one, other in zip(before, trainer.model.parameters(), strict=True))
    names = ("loss", "reward", "grad_norm", "completions/mean_length", "kl", "entropy")
    return {"steps": trainer.state.global_step, "changed": changed} | {n: last[n] for n in names if n in last}


def config(**options: Any) -> GRPOConfig:
    shape = {"num_generations": 8, "per_device_train_batch_size": 16, "max_completion_length": 8, "max_steps": 2}
    where = {"report_to": [], "save_strategy": "no", "use_cpu": True, "disable_tqdm": True, "logging_steps": 1}
    shape |= {"learning_rate": 1e-3, "bf16": False}
    return GRPOConfig(output_dir=tempfile.mkdtemp(), **{**shape, **where, **options})


def theirs(rewards: Any, data: Dataset = PROMPTS, peft: Any = None, **options: Any) -> dict[str, float]:
    net, tokenizer = copy.deepcopy(hf()[0]), hf()[1]
    return trained(
        GRPOTrainer(
            model=net,
            processing_class=tokenizer,
            reward_funcs=rewards,
            args=config(**options),
            train_dataset=data,
            peft_config=peft,
        )
    )


def ours(
    rewards: Any,
    data: Dataset = PROMPTS,
    peft: Any = None,
    forks: int = 0,
    kind: Any = TreeGRPOTrainer,
    policy: Callable[[oc.Model, Any], Any] = oc.generate.text,
    law: dict[str, float] | None = None,
    **options: Any,
) -> dict[str, float]:
    model = oc.Model(copy.deepcopy(hf()[0]), hf()[1])
    sampler = oc.samplers.multinomial(samples=8 // (1 + forks), **(law or {}))
    return trained(
        kind(
            model=model.hf,
            processing_class=model.tokenizer,
            rollout_func=rollout_func(policy(model, sampler), forks),
            reward_funcs=rewards,
            args=config(**options),
            train_dataset=data,
            peft_config=peft,
        )
    )


def number(model: oc.Model, sampler: Any) -> Any:
    return oc.generate.regex(model, " [0-9]{1,3}", sampler)


def learned(value: dict[str, float]) -> bool:
    """Two steps were taken, all that was logged is a number, and parameters moved."""
    return value["steps"] == 2 and all(map(math.isfinite, value.values())) and value["changed"] > 0


def only_numbers(value: dict[str, float]) -> bool:
    """Every text of the last batch was a number."""
    return learned(value) and value["reward"] > 0


def programs() -> list[Program]:
    answered = Dataset.from_list([{"prompt": AGE, "answer": "34"}, {"prompt": JOB, "answer": "painter"}])
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"])
    long = get_soft_overlong_punishment(max_completion_len=8, soft_punish_cache=4)
    warm = {"temperature": 0.7}

    def both(name: str, rewards: Any, fits: Any = learned, **options: Any) -> Program:
        return Program(name, lambda: theirs(rewards, **options), lambda: ours(rewards, **options), fits)

    return [
        both("a reward", spread),
        both("two rewards with weights", [spread, short], reward_weights=[1.0, 0.5]),
        both("a column of answers", is_answer, data=answered),
        both("a reward of TRL's", [spread, long]),
        both("a reference", spread, fits=lambda value: learned(value) and "kl" in value, beta=0.1),
        both("an adapter", spread, peft=lora),
        both("conversations", spread, data=TALK),
        both("the surest tokens left out", spread, top_entropy_quantile=0.5),
        Program(
            "a temperature",
            lambda: theirs(spread, **warm),
            lambda: ours(spread, law=warm, **warm),
            learned,
        ),
        Program(
            "numbers only",
            lambda: theirs(low_number),  # (a pattern needs vLLM there)
            lambda: ours(low_number, policy=number, forks=1),
            only_numbers,
        ),
    ]
