"""Makes the tiny model from nothing: `python -m tools.tiny.train --out FOLDER --steps 2400 1800 --seed 0`.

The corpus is written while the model learns from it, so no text is ever seen twice. The first round, on short rows,
teaches the model to copy and to answer; the second, gentler and on longer rows, makes it sure and lets it look further
back. Needs torch 2.9 for its Muon optimizer; using the model does not.
"""

import argparse
import copy
import math
import re
import time
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from .card import write_card
from .corpus import documents
from .evaluate import encode, measure
from .model import new_model, train_tokenizer

VOCABULARY = 1536
TOKENS_PER_STEP = 4096
MUON_RATE, ADAM_RATE = 0.02, 3e-3


class Round(NamedTuple):
    """How one round of training goes: the share of the peak learning rates, and how often rows have which length."""

    rate: float
    lengths: dict[int, float]


ROUNDS = [Round(1.0, {256: 0.8, 512: 0.15, 1024: 0.05}), Round(0.5, {256: 0.5, 512: 0.3, 1024: 0.2})]


def cut(rng: Random, text: str) -> list[str]:
    """A document in pieces that are encoded one by one.

    A prompt may end with a space or inside a word, and a constraint may force text in lumps: tokens then meet where
    the tokenizer alone would never part them. The model should have seen that.
    """
    if rng.random() < 0.3:
        return [text]
    places = [match.end() for match in re.finditer(r": |(?<=[ \":,{])", text)]
    rate = rng.choice((0.05, 0.05, 0.3))
    chosen = {i for i in places if rng.random() < (0.5 if text[i - 3 : i] == "A: " else rate)}
    chosen |= {rng.randrange(len(text)) for _ in range(rng.choice((0, 0, 1, 2)))}
    for mark in re.finditer(r"<\|\w+\|>", text):
        chosen -= set(range(mark.start() + 1, mark.end()))
    edges = [0, *sorted(chosen - {0, len(text)}), len(text)]
    return [text[low:high] for low, high in pairwise(edges)]


def encoded_documents(tokenizer: PreTrainedTokenizerFast, seed: int) -> Iterator[list[int]]:
    """The corpus, document by document."""
    rng, texts = Random(f"cuts {seed}"), documents(seed)
    while True:
        cuts = [cut(rng, text) for text in islice(texts, 200)]
        pieces = iter(encode(tokenizer, [piece for pieces in cuts for piece in pieces]))
        for some in cuts:
            yield [token for ids in islice(pieces, len(some)) for token in ids]


def row(corpus: Iterator[list[int]], length: int) -> list[int]:
    """Whole documents, the last one cut off; a row that began in the middle of one would ask about an unseen story."""
    tokens: list[int] = []
    while len(tokens) < length:
        tokens += next(corpus)
    return tokens[:length]


def rate_at(step: int, steps: int) -> float:
    """The share of the peak learning rate: a short rise, then a cosine down to a hundredth."""
    rise = min(1.0, (step + 1) / 100)
    return rise * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / steps)))


def optimizers(model: LlamaForCausalLM) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the layers, Adam for the embedding and the norms."""
    inner = [p for name, p in model.named_parameters() if p.ndim == 2 and "embed" not in name]
    outer = [p for name, p in model.named_parameters() if p.ndim != 2 or "embed" in name]
    return [
        torch.optim.Muon(inner, lr=MUON_RATE, weight_decay=0.01),
        torch.optim.AdamW(outer, lr=ADAM_RATE, betas=(0.9, 0.98), weight_decay=0.0),
    ]


def train(
    model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, how: Round, steps: int, seed: int, out: Path
) -> None:
    """One round of training; what it has reached lies in `out` now and then, and at the end."""
    model.train()
    rng, corpus = Random(f"rows {seed}"), encoded_documents(tokenizer, seed)
    workers = optimizers(model)
    schedules = [torch.optim.lr_scheduler.LambdaLR(w, lambda step: how.rate * rate_at(step, steps)) for w in workers]
    started, recent = time.time(), 0.0
    for step in range(1, steps + 1):
        length = rng.choices(list(how.lengths), list(how.lengths.values()))[0]
        rows = torch.tensor([row(corpus, length) for _ in range(TOKENS_PER_STEP // length)])
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(rows, labels=rows).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for each in (*workers, *schedules):
            each.step()
        model.zero_grad()
        recent += loss.item()
        if step % 50 == 0:
            print(f"step {step} loss {recent / 50:.4f} minutes {(time.time() - started) / 60:.1f}", flush=True)
            recent = 0.0
        if step % 250 == 0 or step == steps:
            save(model, tokenizer, out)


def save(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Weights are stored in half precision; what is measured is the stored model."""
    tokenizer.save_pretrained(folder, save_jinja_files=False)
    copy.deepcopy(model).half().save_pretrained(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, nargs="+", default=[2400, 1800], help="of each round")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    started = time.time()
    texts = (re.sub(r"<\|\w+\|>", "", text) for text in islice(documents(arguments.seed), 20_000))
    tokenizer = train_tokenizer(texts, VOCABULARY)
    torch.manual_seed(arguments.seed)
    model = new_model(tokenizer)
    for i, (how, steps) in enumerate(zip(ROUNDS, arguments.steps, strict=False)):
        train(model, tokenizer, how, steps, arguments.seed + 10 * i, arguments.out)
        model = LlamaForCausalLM.from_pretrained(arguments.out, dtype=torch.float32)
    minutes = (time.time() - started) / 60
    made = {"steps": " ".join(map(str, arguments.steps)), "seed": arguments.seed, "threads": arguments.threads}
    made |= {"minutes": minutes, "tokens": sum(arguments.steps) * TOKENS_PER_STEP / 1e6}
    numbers = made | measure(arguments.out, arguments.seed)
    write_card(arguments.out, numbers)
    print(numbers)


if __name__ == "__main__":
    main()
