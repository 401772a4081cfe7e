"""Measures the tiny model: `python -m tools.tiny.evaluate`.

Two numbers say whether it learned anything: how surprised it is by held-out text compared with counting tokens and
pairs of tokens, and how many held-out questions it answers rightly, under their constraint or left to itself.
"""

import argparse
import math
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM, PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.tiny import PATH

from .corpus import Question, documents, held_out_questions


def encode(tokenizer: PreTrainedTokenizerFast, texts: Iterable[str]) -> list[list[int]]:
    """Token ids of whole documents, which carry their own begin and end markers."""
    return tokenizer(list(texts), add_special_tokens=False)["input_ids"]


@torch.no_grad()
def perplexity(model: LlamaForCausalLM, held_out: list[list[int]]) -> float:
    """Per token, each document alone, its begin marker given."""
    loss, count = 0.0, 0
    for ids in held_out:
        loss += model(torch.tensor([ids]), labels=torch.tensor([ids])).loss.item() * (len(ids) - 1)
        count += len(ids) - 1
    return math.exp(loss / count)


def counting_perplexities(train: list[list[int]], held_out: list[list[int]], size: int) -> tuple[float, float]:
    """The same for a unigram and a bigram model with add-k smoothing, with the k that suits the held-out text best."""
    pairs = np.zeros((size, size))
    for ids in train:
        np.add.at(pairs, (ids[:-1], ids[1:]), 1)
    first = np.concatenate([ids[:-1] for ids in held_out])
    second = np.concatenate([ids[1:] for ids in held_out])

    def best(surprise) -> float:
        return min(math.exp(surprise(k)) for k in (1, 0.1, 0.01, 0.001))

    singles = pairs.sum(0)
    unigram = best(lambda k: -np.log((singles[second] + k) / (singles.sum() + k * size)).mean())
    rows = pairs.sum(1)
    bigram = best(lambda k: -np.log((pairs[first, second] + k) / (rows[first] + k * size)).mean())
    return unigram, bigram


@torch.no_grad()
def greedy_line(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, prompt: str, most: int = 40) -> str:
    """What the model says of itself after `prompt`, up to the end of the line."""
    ids = tokenizer(prompt, return_tensors="pt")
    length = ids["input_ids"].shape[1]
    generate: Any = model.generate  # type: ignore[attr-defined]
    out = generate(**ids, do_sample=False, max_new_tokens=most, stop_strings=["\n"], tokenizer=tokenizer)
    return str(tokenizer.decode(out[0, length:], skip_special_tokens=True)).split("\n")[0]


def right_answers(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    questions: list[Question],
    constrained: bool,
    show: bool,
) -> list[bool]:
    """Which questions are answered rightly: greedy, under their constraint or freely until the newline."""
    own = oc.Model(model, tokenizer)
    makers: dict[str, Callable[..., oc.generate.Generator]]
    makers = {"choice": oc.generate.choice, "regex": oc.generate.regex}
    right = []
    for question in questions:
        if constrained:
            answer = makers[question.kind](own, question.constraint, oc.samplers.greedy())(question.prompt)
        else:
            answer = greedy_line(model, tokenizer, question.prompt)
        right.append(answer == question.answer)
        if show and not right[-1]:
            print(f"{question.prompt}{answer!r}, right is {question.answer!r}\n")
    return right


def measure(folder: Path, seed: int = 0, count: int = 600, show: bool = False) -> dict[str, float]:
    """All numbers of the model stored in `folder`."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    held_out = encode(tokenizer, islice(documents(seed + 1, held_out=True), 400))
    train = encode(tokenizer, islice(documents(seed), 20_000))
    unigram, bigram = counting_perplexities(train, held_out, len(tokenizer))
    one, two, full = (held_out_questions(count, seed, crowd) for crowd in (1, 2, 0))
    return {
        "parameters": model.num_parameters(),
        "perplexity": perplexity(model, held_out),
        "unigram perplexity": unigram,
        "bigram perplexity": bigram,
        "questions": count,
        "right": sum(right_answers(model, tokenizer, one, True, show)),
        "right freely": sum(right_answers(model, tokenizer, one, False, show)),
        "right about one of two": sum(right_answers(model, tokenizer, two, True, show)),
        "right in full stories": sum(right_answers(model, tokenizer, full, True, show)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=PATH)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--questions", type=int, default=600)
    parser.add_argument("--show", action="store_true", help="print the questions answered wrongly")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name, value in measure(arguments.folder, arguments.seed, arguments.questions, arguments.show).items():
        print(f"{name}: {value:,.2f}" if isinstance(value, float) else f"{name}: {value:,}")


if __name__ == "__main__":
    main()
