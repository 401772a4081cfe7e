"""vLLM with our draws inside, and with its own structured output (xgrammar), on the same prompts.

    python tests/bench/vllm_structured.py [--rows 500] [--folder FOLDER]

The model is the one in the folder, in float32; else the shipped one. It needs an environment with vLLM
(docs/testing.md). Each way runs in a process of its own, after a call with other prompts that warms it up. First it
says how many texts are right (they are whole, and an oracle takes them), then how much time of the CPU that took, on
one thread: this counts little of what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
sys.path.insert(0, str(Path(__file__).parents[2]))

PATTERN = "[A-Z][a-z]{2,9} was born in (19|20)[0-9]{2}"
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "city": {"enum": ["Rome", "Paris", "Lima"]},
    },
    "required": ["name", "age", "city"],
    "additionalProperties": False,
}
MOST = 64  # tokens
SHIPPED = str(Path(__file__).parents[2] / "outlines_cont" / "tiny")
NAMES = ["Mira", "Ivo", "Tom", "Ana", "Lena"]


def prompts(rows: int) -> list[str]:
    return [f"{NAMES[n % 5]} is {n % 90} years old, number {n}. {NAMES[n % 5]} lives in Rome.\n" for n in range(rows)]


def other_prompts(rows: int) -> list[str]:
    """Prompts that warm it up, at most 128."""
    return prompts(628)[500:][:rows]


def right_pattern(text: str) -> bool:
    return re.fullmatch(PATTERN, text) is not None


def right_json(text: str) -> bool:
    import jsonschema

    try:
        jsonschema.validate(json.loads(text), SCHEMA)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


TASKS: dict[str, Callable[[str], bool]] = {"pattern": right_pattern, "json": right_json}


def options() -> dict[str, Any]:
    return {"dtype": "float32", "enforce_eager": True, "max_model_len": 512, "max_num_seqs": 64}


def ours(folder: str, task: str, greedy: bool, texts: list[str]) -> tuple[list[str | None], int, float]:
    """Texts (None: cut short), tokens that were generated, seconds of the CPU."""
    import outlines_cont as oc

    model = oc.load(folder, engine="vllm", **options())
    sampler = oc.samplers.greedy() if greedy else oc.samplers.multinomial()
    generator = (
        oc.generate.regex(model, PATTERN, sampler) if task == "pattern" else oc.generate.json(model, SCHEMA, sampler)
    )
    generator.run(other_prompts(len(texts)), max_tokens=MOST, seed=1)
    begun = process_time()
    state = generator.run(texts, max_tokens=MOST, seed=0)
    seconds = process_time() - begun
    values = [
        text[len(prompt) :] if finished == "stop" else None
        for [text], prompt, [finished] in zip(state.text(), texts, state.finished, strict=True)
    ]
    return values, int(state.lengths.sum()) - sum(len(model.encoder.start(text)[0]) for text in texts), seconds


def theirs(folder: str, task: str, greedy: bool, texts: list[str]) -> tuple[list[str | None], int, float]:
    """The same of vLLM alone."""
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"  # in one process, as ours
    vllm = import_module("vllm")
    make = import_module("vllm.sampling_params").StructuredOutputsParams
    structured = make(regex=PATTERN) if task == "pattern" else make(json=SCHEMA)
    parameters = vllm.SamplingParams(temperature=0.0 if greedy else 1.0, max_tokens=MOST, structured_outputs=structured)
    config = {"backend": "xgrammar", "disable_any_whitespace": True}  # ours has none; else some are cut short in it
    llm = vllm.LLM(folder, **options(), structured_outputs_config=config)
    llm.generate(other_prompts(len(texts)), parameters, use_tqdm=False)
    begun = process_time()
    outputs = [output.outputs[0] for output in llm.generate(texts, parameters, use_tqdm=False)]
    seconds = process_time() - begun
    values = [output.text if output.finish_reason == "stop" else None for output in outputs]
    return values, sum(len(output.token_ids) for output in outputs), seconds


WAYS = {"ours": ours, "xgrammar": theirs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--folder", default=SHIPPED, help="of a model, as transformers has it")
    parser.add_argument("--only", nargs=3, metavar=("WAY", "TASK", "SAMPLER"), help="one of them, in this process")
    arguments = parser.parse_args()
    if arguments.only is None:
        for sampler in ("greedy", "drawn"):
            for task in TASKS:
                for way in WAYS:
                    command = [sys.executable, __file__, "--rows", str(arguments.rows), "--folder", arguments.folder]
                    command += ["--only", way, task, sampler]
                    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                    print(
                        result.stdout.strip().splitlines()[-1] if result.returncode == 0 else f"{way}: FAILED",
                        flush=True,
                    )
        return
    way, task, sampler = arguments.only
    texts = prompts(arguments.rows)
    values, tokens, seconds = WAYS[way](arguments.folder, task, sampler == "greedy", texts)
    whole = [value for value in values if value is not None]
    right = sum(TASKS[task](value) for value in whole)
    print(
        f"{task:8} {sampler:6} {way:9} {right} of {len(texts)} right, {len(whole) - right} wrong, "
        f"{len(values) - len(whole)} cut short; {tokens} tokens in {seconds:.2f} s of the CPU, "
        f"{len(texts) / seconds:.3g} rows a second"
    )


if __name__ == "__main__":
    main()
