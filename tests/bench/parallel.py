"""Rows at once on llama.cpp: this library beside llama.cpp's server and its parallel slots, in one run on one thread.

    python tests/bench/parallel.py FILE [--rows 1 8 32] [--tokens 48] [--runs 2]

with the wheel `xllamacpp` installed, which carries the server. It listens on this machine only.

Each line: tokens per second of CPU time of the whole process, in which rows with prompts of their own write greedily;
the best of interleaved runs. `one memory`: rows never move into lanes. The server is asked by as many threads as there
are rows, with a slot for each, and its memory as it is by default and with a part for each slot.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import torch

import outlines_cont as oc

PROMPT = "Mira has {} cats. Her letter to the mayor of the town begins with these words:"
CELLS = 16_384


def ours(file: str, lanes: bool) -> Callable[[int, int], int]:
    model = oc.load(file, n_threads=1, n_ctx=CELLS)
    if not lanes:
        model.engine._sequences.lanes._pays = lambda longest: False
    step = oc.continuous(oc.generate.regex(model, r"(.|\n){1000,2000}", oc.samplers.greedy()))

    def run(rows: int, tokens: int) -> int:
        state = step(model.state([PROMPT.format(i) for i in range(rows)]).kv.drop(), max_tokens=tokens)
        return sum(len(span) for span in state[..., -tokens:].token_ids.view(rows, -1).tolist())

    return run


def served(file: str, rows: int, unified: bool) -> Callable[[int, int], int]:
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.kv_unified = file, CELLS, rows, unified
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup, params.cache_prompt, params.fit_params = False, False, False
    server = xllamacpp.Server(params)

    def run(rows: int, tokens: int) -> int:
        def asked(i: int) -> int:
            answer: Any = server.handle_completions(
                {"prompt": PROMPT.format(i), "n_predict": tokens, "temperature": 0, "ignore_eos": True}
            )
            return answer["usage"]["completion_tokens"]

        with ThreadPoolExecutor(rows) as pool:
            return sum(pool.map(asked, range(rows)))

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--rows", type=int, nargs="*", default=[1, 8, 32])
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--runs", type=int, default=2)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    here = {"ours": ours(asked.file, True), "ours, one memory": ours(asked.file, False)}
    for rows in asked.rows:
        works = {**here, "server": served(asked.file, rows, True), "server, parts": served(asked.file, rows, False)}
        best = dict.fromkeys(works, 0.0)
        for _ in range(asked.runs):
            for name, work in works.items():
                begin = time.process_time()
                written = work(rows, asked.tokens)
                best[name] = max(best[name], written / (time.process_time() - begin))
                assert written == rows * asked.tokens, f"{name} wrote {written} tokens"
        for name, speed in best.items():
            print(f"{rows:3} rows   {name:20} {speed:8.1f} tokens per second of CPU time", flush=True)


if __name__ == "__main__":
    main()
