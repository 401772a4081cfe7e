"""Constraints in transformers' `generate()`: ours in every loop, other libraries' beside it, and the time of a step.

    python tests/bench/processors.py matrix                ours: every loop, task and vocabulary; 0 invalid, or exit 1
    python tests/bench/processors.py others                the same loops with Outlines' three processors
    python tests/bench/processors.py steps                 milliseconds a step, of ours and of these
    python tests/bench/processors.py counts                calls of guide.advance after 100 and 4,000 tokens

A library that is not installed is left out by name. `tests/generate_matrix.py` has the loops, tasks and oracles.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import numpy as np
import torch
import transformers
from generate_matrix import LOOPS, TASKS, Place, Task, generated, place, texts

from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.protocol import with_defaults
from outlines_cont.integrations.transformers import LogitsProcessor, RowStates

#: Calls of each loop that draws, by the vocabulary: over 5,000 outputs together.
SEEDS = {"1.5k": 12, "32k": 9, "131k": 9, "t5": 6}
OTHERS = {"llguidance": "llguidance", "outlines_core": "outlines_core", "xgrammar": "xgrammar"}


# ------------------------------------------------------------------------------------------------------------- loops


def outcomes(at: Place, task: Task, loop: str, make: Callable[[], Any], seeds: range) -> Counter[str]:
    """What comes of a loop: outputs that are right, wrong, or without an end; and errors that were raised."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        try:
            rows = generated(at, loop, make(), seed=seed)
        except Exception as error:
            counts[f"{type(error).__name__}: {str(error)[:60]}"] += 1
            continue
        for row, text in zip(rows, texts(at, rows), strict=True):
            whole = text is not None and task.right(text)
            counts["right" if whole else "wrong" if at.pad in row else "without an end"] += 1
    return counts


def matrix(places: list[str], seeds: int | None) -> int:
    """Ours, everywhere: one processor for all calls of a task. The exit status."""
    whole: Counter[str] = Counter()
    for name in places:
        at, begun = place(name), time.monotonic()
        counts: Counter[str] = Counter()
        for task in TASKS.values():
            processor = LogitsProcessor(task.output_type, at.source)
            for loop in LOOPS:
                drawn = "sampling" in loop  # other loops give the same each time
                number = (seeds or SEEDS[name]) if drawn else 1
                counts += outcomes(at, task, loop, lambda processor=processor: processor, range(number))
        whole += counts
        print(f"{name:>6}  {dict(counts)}  {time.monotonic() - begun:.0f} s", flush=True)
    print(f"   all  {dict(whole)}")
    return int(set(whole) != {"right"})


# ----------------------------------------------------------------------------------------------- processors of others


def others_of(at: Place, task: Task) -> dict[str, Callable[[], Any]]:
    """What makes a fresh processor of each library that is installed, for a task that they can be given."""
    if find_spec("outlines") is None:
        print("outlines is not installed")
        return {}
    import outlines
    from outlines import backends

    wrapped = outlines.from_transformers(at.hf, at.source)
    made: dict[str, Callable[[], Any]] = {}
    for name, package in OTHERS.items():
        if find_spec(package) is None:
            continue
        if task.regex is not None:
            made[name] = lambda name=name: backends.get_regex_logits_processor(name, wrapped, task.regex)
        elif task.schema is not None:
            text = json.dumps(task.schema)
            made[name] = lambda name=name, text=text: backends.get_json_schema_logits_processor(name, wrapped, text)
    return made


def others(seeds: int) -> None:
    """A table: loops, and for each library how many outputs were wrong, of how many."""
    at = place("1.5k")
    table: dict[str, dict[str, Counter[str]]] = {loop: {} for loop in LOOPS}
    for name, task in TASKS.items():
        makers = others_of(at, task)
        if not makers:
            continue
        makers = {"ours": lambda task=task: LogitsProcessor(task.output_type, at.source), **makers}
        for loop in LOOPS:
            for library, make in makers.items():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    counts = outcomes(at, task, loop, make, range(seeds))
                table[loop].setdefault(library, Counter()).update(counts)
        print(f"… {name}", flush=True)
    libraries = list(next(iter(table.values())))
    print("| loop | " + " | ".join(libraries) + " |\n| --- |" + " --- |" * len(libraries))
    for loop, cells in table.items():
        print(f"| {loop} | " + " | ".join(_cell(cells[library]) for library in libraries) + " |")
    for library in libraries:
        errors = Counter({key: n for cells in table.values() for key, n in cells[library].items() if ":" in key})
        print(library, dict(errors.most_common(6)))


def _cell(counts: Counter[str]) -> str:
    endless = counts["without an end"]
    raised = sum(n for key, n in counts.items() if ":" in key)
    cell = f"{counts['wrong']} of {counts['right'] + counts['wrong'] + endless} wrong"
    cell += f", {endless} without an end" if endless else ""
    return cell + (f", {raised} calls raised" if raised else "")


# ------------------------------------------------------------------------------------------------------------- a step


def steps(place_names: list[str], rows: int, length: int) -> None:
    """Milliseconds that a processor takes for a step of `rows` rows, and until the first mask: medians.

    Each is driven along the same texts, which ours draws, in turns, and each writes 0 elsewhere than where it forbids.
    """
    for place_name in place_names:
        at = place(place_name)
        task = TASKS["object"]
        makers = {"ours": partial(LogitsProcessor, task.output_type, at.source)}
        if hasattr(at.source, "get_vocab"):  # the others need a tokenizer of transformers
            makers |= others_of(at, task)
        vocabulary, width = at.vocabulary, len(at.vocabulary)  # Outlines' xgrammar takes no more logits
        guide = guides.json_schema(task.schema, vocabulary, spelling="plain")  # 1.0 is an integer to few
        texts_drawn = [_drawn(guide, seed) for seed in range(rows)]
        first: dict[str, list[float]] = {library: [] for library in makers}
        later: dict[str, list[float]] = {library: [] for library in makers}
        for library, make in [*makers.items()] * 5:
            vocabulary.clear_caches()  # what is compiled is kept
            begun = time.perf_counter()
            processor = make()
            ids = torch.zeros((rows, 1), dtype=torch.long)
            for n in range(min(length, *map(len, texts_drawn)) + 1):
                scores = torch.zeros(rows, width)
                start = time.perf_counter()
                processor(ids, scores)
                later[library].append(1000 * (time.perf_counter() - start))
                if n == 0:
                    first[library].append(1000 * (time.perf_counter() - begun))
                if n < min(map(len, texts_drawn)):
                    ids = torch.cat([ids, torch.tensor([[text[n]] for text in texts_drawn])], 1)
        for library in makers:
            print(
                f"{place_name:>6} {library:>14}: {median(later[library]):.3f} ms a step of {rows} rows (ours takes "
                f"{median(later['ours']) / median(later[library]):.2f} of that); made, with its first mask, in "
                f"{median(first[library]):.1f} ms",
                flush=True,
            )


def _drawn(guide: Any, seed: int) -> list[int]:
    """The tokens of a text of a guide, drawn at random: first letters before longer tokens."""
    from outlines_cont.fsm.vocabulary import unpack

    random, ids, state = np.random.default_rng(seed), [], guide.initial
    while not guide.complete(state):
        allowed = np.flatnonzero(unpack(guide.mask(state), len(guide.vocabulary)))
        others = [t for t in allowed.tolist() if t not in guide.vocabulary.eos]
        allowed = [t for t in others if b"\\" not in guide.vocabulary.tokens[t]] or others  # few know \u0061
        ids.append(min(random.choice(allowed, 3).tolist(), key=lambda t: len(guide.vocabulary.tokens[t])))
        state = guide.advance(state, ids[-1])
    return ids


def counts() -> None:
    """How often `guide.advance` is called for four beams that change places at random."""
    vocabulary = place("1.5k").vocabulary
    letters = [t for t in vocabulary.text_ids.tolist() if vocabulary.tokens[t].isalpha()]
    for length in (100, 4000):
        guide = with_defaults(guides.regex("[a-zA-Z]*", vocabulary))
        calls = [0]

        class Counting:
            vocabulary, initial, mask, accepting = guide.vocabulary, guide.initial, guide.mask, guide.accepting

            def advance(self, state: Any, token: int, calls: list[int] = calls, guide: Any = guide) -> Any:
                calls[0] += 1
                return guide.advance(state, token)

        states, random = RowStates(with_defaults(Counting()), vocabulary.eos), np.random.default_rng(0)
        rows, begun, last = np.zeros((4, 0), np.int64), time.perf_counter(), 0.0
        for _ in range(length):
            rows = np.concatenate([rows[random.integers(4, size=4)], random.choice(letters, (4, 1))], 1)
            begun = time.perf_counter()
            states.of(rows)
            last = time.perf_counter() - begun
        walked = sum(range(1, length + 1)) * 4
        print(
            f"{length:>6} tokens, 4 beams: {calls[0]:,} calls of advance (walking each row again: {walked:,}); "
            f"the states of the last step in {1000 * last:.3f} ms, {states._bytes / 2**20:.1f} MiB kept"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=["matrix", "others", "steps", "counts"])
    parser.add_argument("--places", nargs="*", default=["1.5k", "32k", "131k", "t5"], help="or a tokenizer's folder")
    parser.add_argument("--seeds", type=int, help="calls of each loop that draws")
    parser.add_argument("--rows", type=int, default=4)
    options = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    if options.kind == "matrix":
        return matrix(options.places, options.seeds)
    if options.kind == "others":
        others(options.seeds or 2)
    elif options.kind == "steps":
        steps([name for name in options.places if name != "t5"], options.rows, 40)
    else:
        counts()
    return 0


if __name__ == "__main__":
    sys.exit(main())
