"""lm-eval 0.4.13: docs/coming_from/lm_eval.md. Each program is a task of its own, on `hf` and on our model.

The value is what the harness reports, and must be the number of the `hf` model in float32.
"""

from __future__ import annotations

import json
import logging
import math
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import lm_eval
from common import Program, model
from lm_eval.tasks import TaskManager

from outlines_cont import tiny
from outlines_cont.integrations.lm_eval import LM

CHOICE = """
output_type: multiple_choice
doc_to_text: "{{name}} is a {{job}}.\\nQ: What is {{name}}'s job?\\nA:"
doc_to_choice: options
doc_to_target: job
"""
WRITTEN = """
output_type: generate_until
doc_to_text: "{{name}} is {{age}} years old.\\nQ: How old is {{name}}?\\nA:"
doc_to_target: " {{age}}"
generation_kwargs: {until: ["\\n"], max_gen_toks: 8, do_sample: false}
"""
ROLLING = """
output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{name}} is a {{job}}. {{name}} is {{age}} years old."
"""
GIVEN = """
output_type: loglikelihood
doc_to_text: "{{name}} is a {{job}}. {{name}} is"
doc_to_target: " {{age}} years old."
"""
FILTERED = """
filter_list:
  - name: number
    filter: [{function: regex, regex_pattern: "([0-9]+)"}, {function: take_first}]
"""

#: What each program is called: its task, its metrics, and options of the call.
TASKS: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "a multiple choice": (CHOICE, ["acc"], {}),
    "a choice by length": (CHOICE, ["acc_norm"], {}),
    "a choice by mutual information": (CHOICE, ["acc_mutual_info"], {}),
    "two shots": (CHOICE, ["acc"], {"num_fewshot": 2}),
    "a conversation": (CHOICE, ["acc"], {"apply_chat_template": True}),
    "a text up to a stop": (WRITTEN, ["exact_match"], {}),
    "a text, three shots": (WRITTEN, ["exact_match"], {"num_fewshot": 3}),
    "a number in a text": (WRITTEN.replace('" {{age}}"', '"{{age}}"') + FILTERED, ["exact_match"], {}),
    "perplexity of texts": (ROLLING, ["word_perplexity", "byte_perplexity", "bits_per_byte"], {}),
    "perplexity of ends": (GIVEN, ["perplexity", "acc"], {}),
}


@cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp())
    jobs = {"Mira": "painter", "Tom": "sailor", "Zoë": "teacher", "Ana": "doctor", "Ivo": "old baker", "Lena": "nurse"}
    rows = [
        {"name": name, "job": job, "age": 30 + 7 * at, "options": list(jobs.values())}
        for at, (name, job) in enumerate(jobs.items())
    ]
    (made / "people.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for at, (body, metrics, _) in enumerate(TASKS.values()):
        data = f"dataset_path: json\ndataset_kwargs: {{data_files: {{test: {made}/people.jsonl}}}}\ntest_split: test\n"
        listed = "metric_list: [" + ", ".join(f"{{metric: {metric}}}" for metric in metrics) + "]\n"
        (made / f"task{at}.yaml").write_text(f"task: task{at}\n{data}{body}{listed}fewshot_split: test\n")
    return made


def evaluated(at: int, **side: Any) -> dict[str, float]:
    _, metrics, options = list(TASKS.values())[at]
    results = lm_eval.simple_evaluate(
        **side,
        **options,
        tasks=[f"task{at}"],
        task_manager=TaskManager(include_path=str(folder()), include_defaults=False),
        bootstrap_iters=0,
        cache_requests=False,
    )
    assert results is not None
    reported = results["results"][f"task{at}"]
    return {name: value for name, value in reported.items() if name.split(",")[0] in metrics}


logging.getLogger("lm_eval").setLevel(logging.ERROR)


def program(at: int, name: str) -> Program:
    theirs = cache(lambda: evaluated(at, model="hf", model_args=f"pretrained={tiny.PATH},dtype=float32", device="cpu"))

    def fits(value: dict[str, float]) -> bool:
        """Whether log-probabilities agree to 1e-4, as far as a perplexity, their exponential, can tell."""
        near = (math.isclose(number, theirs()[key], rel_tol=1e-4, abs_tol=1e-4) for key, number in value.items())
        return len(value) == len(list(TASKS.values())[at][1]) and all(near)

    ours: Callable[[], Any] = lambda: evaluated(at, model=LM(pretrained=model()))  # noqa: E731
    return Program(name, theirs, ours, fits)


def programs() -> list[Program]:
    return [program(at, name) for at, name in enumerate(TASKS)]
