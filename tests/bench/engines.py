"""llama.cpp beside torch, and beside its own bare loop, on the shipped model in float32, in one run on one thread.

`python tests/bench/engines.py [--before COMMIT] [--rows 1 16 64] [--runs 5]`, with the package, `xllamacpp` and `gguf`
installed.

Correctness first: equal greedy tokens on all of them. Then a step of decoding, in milliseconds of CPU time (the median
of interleaved runs):

- `torch`: the torch path of this checkout; with `--before`, that of an earlier commit as well, in a process of its own
  in a worktree of that commit.
- `llama.cpp`: the engine, without and with flash attention, and where rows never move into lanes; `own work` is what a
  step takes in the engine besides `llama_decode`.
- `bare`: a loop of nothing but `llama_decode` and an argmax, through the same functions of the library; in one memory,
  and in lanes.

At last a prompt of 1,000 tokens is forked to 64 rows that go on differently, beside a loop that copies sequences.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "tests")]

import numpy as np
import torch

ONE_MEMORY = "llama.cpp, one memory"
TOKENS, WARM = 48, 8  # tokens of a timed run, and of the one that is taken off it
PROMPT = "Mira is {} years old."


def decode_step_ms(model: Any, rows: int) -> Callable[[], float]:
    """A function that times one step of decoding: a long run less a short one, each from nothing."""
    import outlines_cont as oc

    step = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", oc.samplers.greedy()))
    start = model.state([PROMPT.format(i) for i in range(rows)])

    def timed(tokens: int) -> float:
        begin = time.process_time()
        step(start.kv.drop(), max_tokens=tokens)
        return time.process_time() - begin

    def run() -> float:
        return (timed(WARM + TOKENS) - timed(WARM)) / TOKENS * 1e3

    return run


def greedy_tokens(model: Any, rows: int) -> list[Any]:
    import outlines_cont as oc

    step = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", oc.samplers.greedy()))
    return step(model.state([PROMPT.format(i) for i in range(rows)]), max_tokens=TOKENS).token_ids.tolist()


class BareLoop:
    """`llama_decode` and an argmax: `rows` sequences of their own, one token of each at every step."""

    def __init__(self, engine: Any, rows: int, lanes: bool = False):
        from outlines_cont.llama_cpp.context import Context
        from outlines_cont.llama_cpp.library import Batch

        self.library, self.n_vocab, self.rows = engine.model.library, engine.n_vocab, rows
        options = engine.context.options
        if lanes:
            options = replace(options, n_seq_max=rows, n_batch=256, n_ubatch=256, n_outputs=rows, streams=True)
        self.context = Context(engine.model, options)
        self.token, self.position, self.size = np.ones((3, rows), np.int32)
        self.sequence, self.output = np.arange(rows, dtype=np.int32), np.ones(rows, np.int8)
        self.lists = self.sequence.ctypes.data + 4 * np.arange(rows, dtype=np.uint64)
        arrays = (self.token, None, self.position, self.size, self.lists, self.output)
        self.batch = Batch(rows, *(array if array is None else array.ctypes.data for array in arrays))

    def step(self, position: int) -> None:
        self.position[:] = position
        assert self.library.llama_decode(self.context.pointer, self.batch) == 0
        address = ctypes.cast(self.library.llama_get_logits(self.context.pointer), ctypes.POINTER(ctypes.c_float))
        self.token[:] = np.ctypeslib.as_array(address, (self.rows, self.n_vocab)).argmax(1)

    def prompt(self, tokens: int) -> None:
        """Sequence 0 reads as many tokens, and all others share them."""
        from outlines_cont.llama_cpp.packed_pass import BatchArrays

        arrays = BatchArrays(tokens, 1)
        arrays.add([5] * tokens, 0, [tokens - 1], [0])
        arrays.fill()
        assert self.library.llama_decode(self.context.pointer, arrays.batch) == 0
        for sequence in range(1, self.rows):
            self.library.llama_memory_seq_cp(self.context.memory, 0, sequence, 0, tokens)

    def clear(self) -> None:
        self.library.llama_memory_clear(self.context.memory, False)

    def run(self) -> float:
        """Milliseconds of a step, at the depths at which `decode_step_ms` measures."""
        self.clear()
        for position in range(8 + WARM):
            self.step(position)
        begin = time.process_time()
        for position in range(8 + WARM, 8 + WARM + TOKENS):
            self.step(position)
        return (time.process_time() - begin) / TOKENS * 1e3


class OwnWork:
    """What an engine does besides `llama_decode`, in milliseconds for each pass."""

    def __init__(self, engine: Any):
        self.passes: list[float] = []
        self._within, decode, forward = 0.0, engine._decode, engine.forward

        def timed_decode(batch: Any) -> int:
            begin = time.process_time()
            result = decode(batch)
            self._within += time.process_time() - begin
            return result

        def timed_forward(tree: Any, runs: Any) -> Any:
            self._within, begin = 0.0, time.process_time()
            answer = forward(tree, runs)
            self.passes.append((time.process_time() - begin - self._within) * 1e3)
            return answer

        engine._decode, engine.forward = timed_decode, timed_forward

    def take(self) -> float:
        passes, self.passes = self.passes, []
        return statistics.median(passes)


class Before:
    """The torch path of an earlier commit, in a process of its own, in a worktree that goes when the bench ends."""

    def __init__(self, commit: str):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "before"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", self.path, commit], cwd=ROOT, check=True)
        command = [sys.executable, str(Path(__file__).resolve()), "--serve"]
        self.process = subprocess.Popen(
            command, cwd=self.path, env={"PYTHONPATH": str(self.path), "PATH": ""}, stdin=-1, stdout=-1, text=True
        )

    def run(self, rows: int) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(rows, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        subprocess.run(["git", "worktree", "remove", "--force", self.path], cwd=ROOT, check=True)


def serve() -> None:
    """Time a step of the torch path of the package that is on the path, for each number of rows that is asked for."""
    torch.set_num_threads(1)
    import outlines_cont as oc

    works: dict[int, Callable[[], float]] = {}
    model = oc.load()
    for line in sys.stdin:
        rows = int(line)
        if rows not in works:
            works[rows] = decode_step_ms(model, rows)
        print(json.dumps(works[rows]()), flush=True)


def medians(works: dict[str, Callable[[], float]], runs: int) -> dict[str, float]:
    """Each work's median over interleaved runs, after one warm-up."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for run in range(runs + 1):
        for name, work in works.items():
            taken = work()
            if run:
                times[name].append(taken)
    return {name: statistics.median(taken) for name, taken in times.items()}


def compare(rows: int, models: dict[str, Any], before: Before | None, runs: int) -> None:
    works: dict[str, Callable[[], float]] = {name: decode_step_ms(model, rows) for name, model in models.items()}
    if before is not None:
        works["torch before"] = lambda: before.run(rows)
    engines = {name: model.engine for name, model in models.items() if name != "torch"}
    for name, engine in engines.items():
        if name != ONE_MEMORY:
            works[f"bare {name}"] = BareLoop(engine, rows).run
            works[f"bare {name}, lanes"] = BareLoop(engine, rows, lanes=True).run
    own = {name: OwnWork(engine) for name, engine in engines.items()}
    times = medians(works, runs)
    base = "torch" if before is None else "torch before"
    for name, taken in times.items():
        ratio = f"   {times[base] / taken:5.2f} × {base}" if name != base else ""
        print(f"{rows:3} rows   {name:28} {taken:8.3f} ms{ratio}")
    for name, work in own.items():
        print(f"{rows:3} rows   {name:28} own work {work.take():.3f} ms a pass")


def forked(models: dict[str, Any], runs: int, tokens: int = 1000, rows: int = 64) -> None:
    """A prompt forked to 64 rows, eight tokens each."""
    import outlines_cont as oc

    def ours(model: Any) -> Callable[[], float]:
        step = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", oc.samplers.multinomial()))
        start = model.state([5] * tokens)

        def run() -> float:
            begin = time.process_time()
            step(start.kv.drop().fork(rows), max_tokens=8, seed=1)
            return (time.process_time() - begin) * 1e3

        return run

    works = {name: ours(model) for name, model in models.items()}
    for name, model in models.items():
        if name != "torch":
            loop = BareLoop(model.engine, rows)

            def bare(loop: BareLoop = loop) -> float:
                loop.clear()
                begin = time.process_time()
                loop.prompt(tokens)
                for position in range(tokens, tokens + 7):
                    loop.step(position)
                return (time.process_time() - begin) * 1e3

            works[f"bare {name}"] = bare
    for name, taken in medians(works, runs).items():
        print(f"{tokens} tokens forked to {rows}, 8 more of each: {name:28} {taken:9.1f} ms")
    for name, model in models.items():
        model.stats.reset()
        works[name]()
        print(f"{name:28} {model.stats!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", help="a commit whose torch path is timed, too")
    parser.add_argument("--rows", type=int, nargs="*", default=[1, 16, 64])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        return serve()
    torch.set_num_threads(1)
    from gguf_files import shipped

    import outlines_cont as oc
    from outlines_cont.llama_cpp.engine import LlamaCppEngine

    with tempfile.TemporaryDirectory() as folder:
        file, torch_model = shipped(Path(folder)), oc.load()

        def loaded(flash: bool, lanes: bool = True) -> Any:
            engine = LlamaCppEngine(file, n_threads=1, flash_attention=flash)
            if not lanes:
                engine._sequences.lanes._pays = lambda longest: False
            return oc.Model(engine, torch_model.tokenizer)

        models = {"torch": torch_model, "llama.cpp": loaded(False), "llama.cpp, flash attention": loaded(True)}
        models[ONE_MEMORY] = loaded(False, lanes=False)
        before = Before(asked.before) if asked.before else None
        try:
            for rows in asked.rows:
                expected = greedy_tokens(models["torch"], rows)
                assert greedy_tokens(models["llama.cpp"], rows) == expected, (
                    "tokens differ: no timing is worth anything"
                )
                compare(rows, models, before, asked.runs)
            forked(models, max(1, asked.runs // 2))
        finally:
            if before is not None:
                before.end()


if __name__ == "__main__":
    main()
