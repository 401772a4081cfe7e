"""The main job, on the model that ships: `python -m outlines_cont [--seed N] [--prompt TEXT] [--model PATH]`.

`python -m outlines_cont map …` generates a value after each prompt of a file; `map --help` tells how.
"""

from __future__ import annotations

import argparse
import sys
import time
from textwrap import indent

import torch
from pydantic import BaseModel
from transformers.utils import logging

import outlines_cont as oc
from outlines_cont.jobs import command

STORIES = [
    "Mira is a painter from Lisbon. Mira is 34 years old. She came to town in 1987. Mira likes the colour green.\n",
    "Łukasz is a teacher from Riga. Łukasz is 61 years old. He came to town in 2004. Łukasz likes the colour blue.\n",
]


class Person(BaseModel):
    """What the last step of the chain writes."""

    name: str
    age: int
    city: str


def heading(text: str) -> None:
    print(f"\n── {text} {'─' * (96 - len(text))}")


def show(state: oc.SequenceState, skip: int = 0) -> None:
    """Every live row with its weight, without the first `skip` characters of the prompt."""
    weights = state.weights.flatten().tolist()
    for text, weight in zip(state, (w for w in weights if w > float("-inf")), strict=True):
        print(f"{weight:9.3f}   {text[skip:]!r}")


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["map"]:
        logging.disable_progress_bar()
        return command.run(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="python -m outlines_cont",
        description="A tour on the model that ships: a chain under beam search, a slice, a resumed JSON, a join.",
        epilog="python -m outlines_cont map generates a value after each prompt of a file: see map --help.",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the random draws (default 0)")
    parser.add_argument(
        "--prompt", help="your own story, in place of the two built-in ones; its first word is the name of its hero"
    )
    parser.add_argument("--model", help="folder or hub id of a transformers model, in place of the one that ships")
    options = parser.parse_args(arguments)
    if options.prompt is not None and not options.prompt.strip():
        parser.error("--prompt is empty: tell a story of somebody")
    try:
        return show_off(options)
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 0
    except (OSError, ValueError) as error:
        parser.error(str(error))


def show_off(options: argparse.Namespace) -> int:
    """The main job itself."""
    logging.disable_progress_bar()
    if options.model is None:
        torch.set_num_threads(1)  # the model that ships is so small that threads only wait for each other
    started = time.perf_counter()
    model = oc.load(options.model)
    print(f"{model!r}\nloaded in {time.perf_counter() - started:.1f} s")

    stories = STORIES if options.prompt is None else [options.prompt.strip() + "\n"]
    names = [(story.split() or ["it"])[0] for story in stories]
    beams = oc.samplers.beam_search(3)
    year = oc.continuous(oc.generate.regex(model, "[12][0-9]{3}", beams), name="year")
    answer = oc.continuous(oc.generate.text(model, beams), name="answer")
    job = oc.continuous(oc.generate.choice(model, ["baker", "painter", "sailor", "teacher"], beams), name="job")
    record = oc.continuous(oc.generate.json(model, Person, beams), name="record")

    count = f"{len(stories)} prompt{'s' if len(stories) > 1 else ''}"
    heading(f"a chain: {count} × 3 beams, searched through regex → text → choice → JSON")
    state = model.state(stories)
    state = year(state + [f"Q: Since which year has {name} been there?\nA: " for name in names])
    state = answer(
        state + [f"\nQ: What is {name}'s favourite colour?\nA: " for name in names], stop_at="\n", max_tokens=12
    )
    state = job(state + [f"\nQ: What is {name}'s job?\nA: " for name in names])
    state = record(state + "\nJSON with name, age, city: ", max_tokens=80)
    print(state)
    for name, values in state.captures.items():
        print(f"{name:>9}   {[row[0][0] if row[0] else None for row in values]}")

    heading("a slice: the best two beams of the last prompt, 12 tokens shorter; nothing is recomputed")
    cut = state[-1, :2, :-12]
    print(f"{cut!r}\n{indent(str([text[-30:] for text in cut]), ' ' * 12)}")

    heading("resume: the JSON that was cut goes on, in three random samples")
    sampled = oc.generate.json(model, Person, oc.samplers.multinomial(samples=3, temperature=1.5))
    resumed = oc.continuous(sampled, name="record").resume(cut[0, 0, :], seed=options.seed, max_tokens=80)
    show(resumed, skip=len(next(iter(cut))) - 30)
    print("            (rows are tokens: the same text in other tokens is another row, with its own weight)")

    heading("a join: the best rows of all prompts, one after the other, and a question about them")
    rows = [state[b : b + 1, :, :].best() for b in range(len(stories))]
    joined = oc.cat(rows, dim=2) + f"\nQ: Who is a {state.captures['job'][-1][0][0]}?\nA: "
    joined = oc.continuous(oc.generate.choice(model, [*dict.fromkeys([*names, "Carol"])], oc.samplers.greedy()))(joined)
    print(f"{'':12}…{next(iter(joined))[-40:]!r}")

    heading("list(): a state as plain strings")
    for text in list(state.best()):
        print(indent(text, " " * 12), end="\n\n")

    stats = model.stats
    recomputed = stats.tokens + stats.reread + stats.reused
    print(
        f"cost: {stats.tokens + stats.reread:,} token positions in {stats.passes} passes; reading every row anew "
        f"at every step would have taken {recomputed:,} ({recomputed / max(stats.tokens + stats.reread, 1):.0f}×); "
        f"{time.perf_counter() - started:.1f} s in all"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
