"""Drafts: how many passes they save, beside the same generation without them and beside transformers' prompt lookup.

`OMP_NUM_THREADS=1 python tests/bench/drafts.py`, with the package installed; names of parts make it do only these.

Correctness first: every run must give the tokens of the run without a draft, or nothing is shown of it. Passes and
tokens are counted, and are the same on every machine; times are of interleaved runs.
"""

from __future__ import annotations

import copy
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import torch

import outlines_cont as oc
from outlines_cont import tiny

STORY = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"
PROMPTS = [
    STORY + STORY.replace("Mira", "Tom") + "Mira is",
    "Once upon a time there was",
    "Tarvo is a baker from Lisbon. He is now 34.\nQ:",
    STORY * 3,
]
OTHERS = [
    "The capital of France is",
    "Red, green, blue, red, green, blue, red,",
    "1, 2, 3, 4, 5, 6,",
    "Dear Anna, thank you for your letter. I was glad to read that",
    '{"name": "Ada", "age": 36}\n{"name": "Alan", "age": 41}\n{"name":',
    "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    return",
    "Q: What is the sun?\nA: The sun is a star.\nQ: What is the moon?\nA:",
    "In winter it snows. In spring it rains. In summer it is hot. In autumn",
    "Milk: 2 euros. Bread: 3 euros. Eggs: 4 euros. Milk:",
    "The old man and the sea. The old man and the dog. The old",
    "Zara lives in Oslo. She likes tea. Ben lives in Rome. He likes coffee. Zara",
    "A train left the station at nine. Nobody knew",
    "Monday: soup. Tuesday: rice. Wednesday: fish. Thursday:",
    "It was late. It was dark. It was",
]
JOBS = ["baker", "painter", "farmer", "teacher", "nurse", "cook", "judge"]
CITIES = ["Lisbon", "Porto", "Berlin", "Rome", "Oslo", "Paris", "Lima"]
NEVER = 0.05  # what a draft that never holds may cost, as a share of passes and of time


class Run(NamedTuple):
    """What one way of generating gave and took."""

    tokens: list[Any]
    passes: int
    read: int
    drafted: int
    accepted: int


def run(model: oc.Model, generator: Any, prompts: Sequence[Any], batch: bool, draft: Any, **options: Any) -> Run:
    """The tokens of all prompts, in one call or one after the other."""
    model.stats.reset()
    calls = [list(prompts)] if batch else list(prompts)
    step = oc.continuous(generator)
    ids = [[row.ids for group in step(call, seed=0, draft=draft, **options).rows for row in group] for call in calls]
    stats = model.stats
    return Run([row for call in ids for row in call], stats.passes, stats.tokens, stats.drafted, stats.accepted)


def shown(name: str, plain: Run, drafted: Run, mark: float | None = None) -> None:
    """A line of the table, if the tokens are equal. SystemExit if they are not, or if the mark is missed."""
    if drafted.tokens != plain.tokens:
        raise SystemExit(f"{name}: other tokens than without a draft")
    share = drafted.passes / plain.passes
    told = "" if mark is None else f"   mark ≤ {mark}: {'kept' if share <= mark else 'MISSED'}"
    print(
        f"  {name:44s} passes {plain.passes:4d} → {drafted.passes:4d} ({share:.2f})   tokens read {plain.read:5d} → "
        f"{drafted.read:5d}   drafted {drafted.drafted}, accepted {drafted.accepted}{told}",
        flush=True,
    )


def first_layers(model: oc.Model, layers: int) -> oc.Model:
    """A model of the first layers of another one."""
    hf = copy.deepcopy(model.hf)
    hf.config.num_hidden_layers = layers
    del hf.model.layers[layers:]
    return oc.Model(hf.eval(), model.tokenizer)


def people(draw: random.Random) -> tuple[str, list[str]]:
    """A text of some 300 tokens about people with long names, and questions whose answers are the names."""

    def syllables(count: int) -> str:
        return "".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(count))

    initials = draw.sample("BDFGKLMNPRSTZ", len(JOBS))
    names = [initial + syllables(11)[1:] for initial in initials]
    lines = [
        f"{n} is a {j} from {c}. {n} is {30 + i} years old."
        for i, (n, j, c) in enumerate(zip(names, JOBS, CITIES, strict=True))
    ]
    text = " ".join(lines) + "\n"
    return text, [f"{text}Q: Who is the {job}?\nA: " for job in JOBS]


def length(model: oc.Model, prompt: str) -> int:
    """How many tokens a prompt has."""
    return len(model.state(prompt).rows[0][0].ids)


def copied(model: oc.Model) -> None:
    """Values of ten and more tokens, copied from the prompt."""
    name = oc.generate.regex(model, "[A-Z][a-z]{17,24}", oc.samplers.greedy())
    texts = [people(random.Random(seed)) for seed in range(4)]
    prompts = [question for _, questions in texts for question in questions[:3]]
    sizes = [len(model.encoder.append(text)) for text, _ in texts]
    plain = run(model, name, prompts, False, None)
    values = [
        len(ids) - len(row)
        for ids, row in zip(plain.tokens, (model.state(p).rows[0][0].ids for p in prompts), strict=True)
    ]
    print(f"Values of {min(values)} to {max(values)} tokens, copied from texts of {min(sizes)} to {max(sizes)} tokens")
    shown("one prompt a call, lookup", plain, run(model, name, prompts, False, oc.drafts.lookup()), 0.6)
    lookup = oc.drafts.lookup([text for text, _ in texts])
    shown("one prompt a call, lookup in the texts", plain, run(model, name, prompts, False, lookup))
    plain = run(model, name, prompts, True, None)
    shown(f"one call of {len(prompts)} prompts, lookup", plain, run(model, name, prompts, True, oc.drafts.lookup()))
    shown(f"one call of {len(prompts)} prompts, lookup in the texts", plain, run(model, name, prompts, True, lookup))


def own_layers(model: oc.Model) -> None:
    """Free text, and JSON, drafted by the first three of the model's own four layers."""
    draft = oc.drafts.model(first_layers(model, 3), k=8)
    tree = oc.drafts.model(first_layers(model, 3), k=4, width=3)
    print("Text of 60 tokens, drafted by 3 of the model's own 4 layers")
    for name, sampler in (("greedy", oc.samplers.greedy()), ("drawn", oc.samplers.multinomial())):
        text, mark = oc.generate.text(model, sampler), 0.5 if name == "greedy" else 0.6
        plain = run(model, text, PROMPTS, False, None, max_tokens=60)
        shown(f"{name}, k=8", plain, run(model, text, PROMPTS, False, draft, max_tokens=60), mark)
        shown(f"{name}, k=4, width=3", plain, run(model, text, PROMPTS, False, tree, max_tokens=60), mark)
        plain = run(model, text, PROMPTS, True, None, max_tokens=60)
        shown(f"{name}, one call of {len(PROMPTS)}", plain, run(model, text, PROMPTS, True, draft, max_tokens=60))
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
    person = oc.generate.json(model, schema | {"required": ["name", "age"]}, oc.samplers.multinomial())
    prompts = [STORY + "JSON with name, age: ", STORY + STORY.replace("Mira", "Tom") + "JSON of Tom: "]
    plain = run(model, person, prompts, False, None)
    shown("JSON, drawn", plain, run(model, person, prompts, False, draft))


def peer(model: oc.Model) -> None:
    """The same unconstrained greedy text by transformers' generate, with and without its prompt lookup."""
    print("Unconstrained greedy text of 60 tokens, one prompt a call, beside transformers' prompt_lookup_num_tokens=10")
    pairs = [beside(model, prompt) for prompt in [*PROMPTS, *OTHERS]]
    for prompt, (theirs, ours) in zip([*PROMPTS, *OTHERS], pairs, strict=True):
        print(f"  {prompt[-20:]!r:40s} theirs {theirs:3d} passes, ours {ours:3d}")
    theirs, ours = map(sum, zip(*pairs, strict=True))
    kept = "kept" if ours <= 1.05 * theirs else "MISSED"
    print(f"  {len(pairs)} prompts: theirs {theirs}, ours {ours} ({ours / theirs:.2f})   mark ≤ 1.05: {kept}")
    ids = torch.tensor([[0, 921, 263]] * 2)
    try:
        model.hf.generate(ids, max_new_tokens=4, prompt_lookup_num_tokens=10, do_sample=False)
        print("  a batch of two: theirs takes it")
    except Exception as error:
        print(f"  a batch of two: theirs refuses it ({type(error).__name__}: {str(error)[:70]})")
    print("  under a constraint, for several rows, samples or beams: theirs has no way; ours is above")


def beside(model: oc.Model, prompt: str) -> tuple[int, int]:
    """Their passes and ours, for one prompt. SystemExit if the tokens differ."""
    calls = [0]
    handle = model.hf.register_forward_hook(lambda *_: calls.__setitem__(0, calls[0] + 1))
    ids = torch.tensor([model.state(prompt).rows[0][0].ids])
    try:
        out = model.hf.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=60,
            do_sample=False,
            prompt_lookup_num_tokens=10,
            pad_token_id=model.vocabulary.eos[0],
        )
    finally:
        handle.remove()
    text = oc.generate.text(model, oc.samplers.greedy())
    mine = run(model, text, [prompt], False, oc.drafts.lookup(k=10), max_tokens=60)
    if list(mine.tokens[0]) != [token for token in out[0].tolist() if token not in model.vocabulary.eos]:
        raise SystemExit(f"{prompt!r}: ours and transformers' tokens differ")
    return calls[0], mine.passes


def never(model: oc.Model) -> None:
    """A draft that never holds: the tokens that it makes the model read, and time, side by side in one run."""
    print("A draft that never holds, greedy text of 128 tokens after 8 prompts")
    text = oc.generate.text(model, oc.samplers.greedy())
    wrong = model.vocabulary.tokens.index(b"q")

    def bad(row: oc.drafts.DraftRow) -> list[int]:
        return [wrong] * row.budget

    prompts = [prompt + " " * i for prompt in PROMPTS for i in (0, 1)]
    plain = run(model, text, prompts, True, None, max_tokens=128)
    drafted = run(model, text, prompts, True, bad, max_tokens=128)
    shown("wrong tokens", plain, drafted)
    generated = sum(len(ids) for ids in plain.tokens) - sum(length(model, p) for p in prompts)
    extra = (drafted.read - plain.read) / plain.read
    print(
        f"  tokens read more: {extra:.1%} of all that are read; {generated} were generated. mark ≤ {NEVER:.0%}: "
        + ("kept" if extra <= NEVER else "MISSED")
    )
    noise = oc.generate.text(model, oc.samplers.multinomial(temperature=8.0))
    shown(
        "lookup, where tokens are all but random",
        run(model, noise, prompts, True, None, max_tokens=128),
        run(model, noise, prompts, True, oc.drafts.lookup(), max_tokens=128),
    )
    ratio = interleaved(
        lambda: run(model, text, prompts, True, None, max_tokens=128),
        lambda: run(model, text, prompts, True, bad, max_tokens=128),
    )
    print(f"  time: {ratio[0]:.2f} × that without")


def interleaved(base: Callable[[], Any], *others: Callable[[], Any], rounds: int = 7) -> list[float]:
    """The times of some works, relative to that of the first, medians of interleaved runs (CPU time of the process)."""
    seconds: list[list[float]] = [[] for _ in (base, *others)]
    for _ in range(rounds):
        for work, times in zip((base, *others), seconds, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [median(times) / median(seconds[0]) for times in seconds[1:]]


def offloaded(_: oc.Model) -> None:
    """Weights that lie on the disk, and are fetched part by part in each pass. (The page cache holds them: what is
    saved is the fetching, not the disk's own time.)"""
    with tempfile.TemporaryDirectory() as folder:
        hf = small_enough(Path(folder))
        model = oc.Model(hf, oc.load().tokenizer)
        print("Text of 60 tokens with the weights on the disk (they stay in the page cache: a real disk is slower)")
        text = oc.generate.text(model, oc.samplers.greedy())
        small = oc.drafts.model(first_layers(oc.load(), 3), k=8)
        plain = run(model, text, PROMPTS[:1], False, None, max_tokens=60)
        for name, draft in (("lookup", oc.drafts.lookup()), ("3 of 4 layers, which are in memory", small)):
            shown(name, plain, run(model, text, PROMPTS[:1], False, draft, max_tokens=60))
            [ratio] = interleaved(
                lambda: run(model, text, PROMPTS[:1], False, None, max_tokens=60),
                lambda draft=draft: run(model, text, PROMPTS[:1], False, draft, max_tokens=60),
                rounds=3,
            )
            print(f"    time {ratio:.2f} × that without")


def small_enough(folder: Path) -> Any:
    """The shipped model with all its weights on the disk."""
    import accelerate
    from transformers import AutoModelForCausalLM

    hf = AutoModelForCausalLM.from_pretrained(tiny.PATH, dtype=torch.float32).eval()
    return accelerate.disk_offload(hf, str(folder), torch.device("cpu"))


PARTS = {part.__name__: part for part in (copied, own_layers, peer, never, offloaded)}


def main(names: Sequence[str]) -> None:
    torch.set_num_threads(1)
    model = oc.load()
    for name in names or PARTS:
        PARTS[name](model)


if __name__ == "__main__":
    main(sys.argv[1:])
