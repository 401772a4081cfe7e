"""Two adapters of peft on one model: what a switch costs, beside plain forwards of peft and beside dropping all that is
kept at every switch.

`python tests/bench/adapters.py [FOLDER]`, with the package and peft installed: under a minute on the shipped model. The
adapters are random ones of rank 8. `--tokens n`: the length of the prompt.

Correctness first: under each adapter the logits after the prompt must be those of peft's own forward, also after all
switches, else the exit status is 1. Then

- how many tokens are read again when the model is switched back: none, and all of them where a switch drops the tree;
- the seconds of a switch and one new token after the prompt, to and fro;
- the bytes of the trees of both adapters, within one budget;
- the milliseconds of a decode step, and of the look for changes that is part of it, without adapters, with two that are
  disabled, under one, and by a model that is beside the model.

All figures of a table are of one run, the ways in turn.
"""

from __future__ import annotations

import argparse
import copy
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import peft
import torch

import outlines_cont as oc

ROUNDS = 3
STEPS = 48


def adapted(hf: Any) -> Any:
    """A copy of the model with two random adapters, a and b."""
    torch.manual_seed(0)
    hf = copy.deepcopy(hf)
    for name in "ab":
        lora = peft.LoraConfig(r=8, target_modules=["q_proj", "v_proj", "o_proj"], init_lora_weights=False)
        hf.add_adapter(lora, name)
    return hf.eval()


def logits_after(model: oc.Model, state: oc.SequenceState, token: int) -> torch.Tensor:
    """Those after the row and one more token."""
    row = state.rows[0][0]
    return model.logits([oc.stepping.Need((*row.ids, token), (len(row),), row.claim)])[0]


def plainly(hf: Any, ids: tuple[int, ...]) -> torch.Tensor:
    """The logits after a row, by a forward of peft that knows nothing of us."""
    with torch.no_grad():
        return hf(input_ids=torch.tensor([ids], device=hf.device), use_cache=False, logits_to_keep=1).logits[0, -1]


def agrees(model: oc.Model, prompt: oc.SequenceState, token: int) -> bool:
    """Whether the logits under the adapter that is active are those of peft."""
    ours, right = logits_after(model, prompt, token).float(), plainly(model.hf, (*prompt.rows[0][0].ids, token)).float()
    error = float((ours - right).abs().max() / right.abs().max())
    allowed = 1e-4 if model.dtype == torch.float32 else 5e-2
    print(f"  adapter {model.hf.active_adapters()[0]}: largest error of a logit, of the largest: {error:.1e}")
    return error <= allowed


def switches(model: oc.Model, prompt: oc.SequenceState, drops: bool) -> tuple[int, list[float]]:
    """Tokens that were read, and the seconds of each of some switches with a new token."""
    seconds, before = [], model.stats.tokens
    for i in range(2 * ROUNDS):
        start = perf_counter()
        model.hf.set_adapter("ab"[i % 2])
        if drops:
            model.tree.clear()
        logits_after(model, prompt, 10 + i)
        seconds.append(perf_counter() - start)
    return model.stats.tokens - before, seconds


def plain_switches(hf: Any, ids: tuple[int, ...]) -> list[float]:
    """The seconds of plain forwards of the prompt, each after a switch."""
    seconds = []
    for i in range(2 * ROUNDS):
        start = perf_counter()
        hf.set_adapter("ab"[i % 2])
        plainly(hf, (*ids, 10 + i))
        seconds.append(perf_counter() - start)
    return seconds


def step_ms(model: oc.Model) -> float:
    """Milliseconds of a decode step."""
    text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    start = model.state("The sky is").kv.prefill()
    text(start, max_tokens=2)
    before, begun = model.stats.passes, perf_counter()
    text(start, max_tokens=STEPS)
    return 1000 * (perf_counter() - begun) / max(model.stats.passes - before, 1)


def look_ms(model: oc.Model) -> float:
    """Milliseconds of a look for changes."""
    begun = perf_counter()
    for _ in range(STEPS):
        model.engine.version()  # type: ignore[attr-defined]
    return 1000 * (perf_counter() - begun) / STEPS


def medians(times: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The median of each way of five, in turn."""
    values = [{name: measure() for name, measure in times.items()} for _ in range(5)]
    return {name: median(each[name] for each in values) for name in times}


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    arguments.add_argument("folder", nargs="?", help="of a transformers model; the shipped one if it is not given")
    arguments.add_argument("--tokens", type=int, default=1000, help="of the prompt")
    options = arguments.parse_args()
    plain = oc.load(options.folder)
    model = oc.Model(adapted(plain.hf), plain.tokenizer)
    ids = [int(token) for token in torch.randint(5, len(model.vocabulary) - 5, (options.tokens,))]
    prompt = model.state([ids])

    print(f"{model}, a prompt of {options.tokens:,} tokens")
    rights = []
    for name in "ab":
        model.hf.set_adapter(name)
        prompt = prompt.kv.prefill()
        rights.append(agrees(model, prompt, 5))
    print(f"  bytes of both trees: {model.stats.kv_bytes:,} (slots of {model.tree.pool.slot_bytes:,}), one budget")
    most = model.stats.kv_bytes * 6 // 10
    read, ours = switches(model, prompt, drops=False)
    print(f"tokens read in {2 * ROUNDS} switches with a new token each: {read:,}; so again: {read - 2 * ROUNDS}")
    rights.append(read == 2 * ROUNDS)
    read, dropped = switches(model, prompt, drops=True)
    print(f"  where a switch drops the tree: {read:,}")
    for label, seconds in (
        ("a switch and a new token", ours),
        ("where a switch drops the tree", dropped),
        ("peft's plain forward", plain_switches(model.hf, tuple(ids))),
    ):
        print(f"  {label:32} {1000 * median(seconds):8.1f} ms")
    for name in "ab":
        model.hf.set_adapter(name)
        prompt = prompt.kv.prefill()
        rights.append(agrees(model, prompt, 6))
    model.kv_budget = most
    print(f"  with a budget of {most:,}: {model.stats.kv_bytes:,}")
    rights.append(0 < model.stats.kv_bytes <= most)
    model.kv_budget = None

    model.hf.set_adapter("a")
    off = oc.Model(adapted(plain.hf), plain.tokenizer)
    off.hf.disable_adapters()  # type: ignore[operator]
    ways = {"no adapters": plain, "two, disabled": off, "under a": model, "with_adapter(b)": model.with_adapter("b")}
    steps = medians({name: lambda each=each: step_ms(each) for name, each in ways.items()})
    looks = medians({name: lambda each=each: look_ms(each) for name, each in ways.items()})
    print(f"{'':18} {'a decode step':>16} {'of it the look':>16}")
    for name in ways:
        print(f"  {name:16} {steps[name]:13.2f} ms {looks[name]:13.3f} ms")
    if not all(rights):
        print("WRONG: see above")
    return 0 if all(rights) else 1


if __name__ == "__main__":
    sys.exit(main())
