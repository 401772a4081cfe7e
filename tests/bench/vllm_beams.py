"""Beams under constraints: vLLM's `beam_search` with `structured_outputs`, and ours on the same prompts.

    python tests/bench/vllm_beams.py [--beams 4]

It needs an environment with vLLM (docs/testing.md) and pytest. Both sides have the shipped model in float32, ours on
transformers, and rank texts by their log-probability without a length penalty. An oracle (`re`, `jsonschema`) judges
each text that is given out. Then the best texts are compared by the log-probability of their tokens, by plain forwards,
without the token that ends them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generate_matrix import Task

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

import torch

FOLDER = Path(__file__).parents[2] / "outlines_cont" / "tiny"
MOST = 80  # tokens
PROMPTS = [
    "Mira is a painter from Lisbon. Mira is 34 years old.\nQ: How old is Mira?\nA:",
    "Dapo's birthday is 1983-09-15. Dapo lives in Rome.\nQ: Where does Dapo live?\nA:",
    "Once upon a time there was a baker.\n",
]
Answers = list[tuple[str, float]]  # texts, from the best to the worst, and what each weighs


def ours(model: Any, task: Task, beams: int) -> list[Answers]:
    import outlines_cont as oc

    generator = oc.Generator(model, task.output_type, oc.samplers.beam_search(beams))
    answers = list[Answers]()
    for prompt in PROMPTS:
        state = generator.run(prompt, max_tokens=MOST)
        texts = [text[len(prompt) :] for text in state.text()[0]]
        ended = [text for text, how in zip(texts, state.finished[0], strict=True) if how == "stop"]
        answers.append([(text, _score(model, prompt, text)) for text in ended])
    return answers


def theirs(llm: Any, model: Any, task: Task, beams: int) -> list[Answers | str]:
    parameters = import_module("vllm.sampling_params")
    structured = {"regex": task.regex} if task.regex is not None else {"json": task.schema}
    answers = list[Any]()
    for prompt in PROMPTS:
        ids = model.encoder.start(prompt)[0]
        search = parameters.BeamSearchParams(
            beam_width=beams,
            max_tokens=MOST,
            length_penalty=0.0,
            structured_outputs=parameters.StructuredOutputsParams(**structured),
        )
        try:
            [output] = llm.beam_search([{"prompt_token_ids": ids}], search, use_tqdm=False)
        except Exception as error:
            answers.append(f"{type(error).__name__}: {str(error)[:80]}")
            continue
        made = list[tuple[str, float]]()
        for sequence in output.sequences:
            new = sequence.tokens[len(ids) :]
            whole = new[-1:] == [model.tokenizer.eos_token_id]
            text = model.tokenizer.decode(new[:-1] if whole else new)
            made.append((text, _score(model, prompt, text)))
        answers.append(made)
    return answers


def _score(model: Any, prompt: str, text: str) -> float:
    """The log-probability of a text's tokens after the prompt, by a plain forward."""
    before, after = model.tokenizer(prompt).input_ids, model.tokenizer(text, add_special_tokens=False).input_ids
    if not after:
        return 0.0
    with torch.no_grad():
        law = model.hf(torch.tensor([before + after])).logits[0].double().log_softmax(-1)
    return sum(law[len(before) + n - 1, token].item() for n, token in enumerate(after))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--beams", type=int, default=4)
    options = parser.parse_args()
    torch.set_num_threads(1)
    vllm = import_module("vllm")
    # (first, because vLLM's search for kernels in all modules stumbles over llvmlite, which our engine loads)
    llm = vllm.LLM(
        str(FOLDER),
        dtype="float32",
        enforce_eager=True,
        max_model_len=512,
        max_num_seqs=64,
        max_logprobs=2 * options.beams,
        structured_outputs_config={"backend": "xgrammar", "disable_any_whitespace": True},
    )
    import outlines_cont as oc

    tasks: Mapping[str, Task] = import_module("generate_matrix").TASKS
    model = oc.load()
    totals: dict[str, Counter[str]] = {"ours": Counter(), "vLLM": Counter()}
    better = Counter[str]()
    for name, task in tasks.items():
        if task.regex is None and task.schema is None:
            continue
        both = {"ours": ours(model, task, options.beams), "vLLM": theirs(llm, model, task, options.beams)}
        for library, answers in both.items():
            counts = Counter[str]()
            for each in answers:
                if isinstance(each, str):
                    counts["raised"] += 1
                    print(f"  {name}, {library}: {each}")
                    continue
                right = [task.right(text) for text, _ in each]
                counts.update(texts=len(each), wrong=len(right) - sum(right), missing=options.beams - len(each))
                for text, _ in each:
                    if not task.right(text):
                        print(f"  {name}, {library}: {text!r}")
            totals[library] += counts
            print(f"{name:10} {library:6} {dict(counts)}")
        for mine, other in zip(both["ours"], both["vLLM"], strict=True):
            first = other[0] if other and not isinstance(other, str) and task.right(other[0][0]) else None
            gap = float("inf") if first is None else mine[0][1] - first[1]
            better["equal" if abs(gap) < 1e-3 else "ours" if gap > 0 else "vLLM"] += 1
    print({library: dict(counts) for library, counts in totals.items()})
    print(f"the likelier best text: {dict(better)}")
    return int(totals["ours"]["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
