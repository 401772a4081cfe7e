"""A real model: loading, decoding and JSON, beside transformers, Outlines and llama.cpp's own loop.

`python tests/bench/real.py --folder FOLDER [--engine transformers | llama.cpp] [--part loading | decoding | json]
[--runs 5] [--quick]`, with the package, `outlines`, `xllamacpp` and `gguf` installed. FOLDER has the model twice: `hf`,
a folder of transformers in float32, and `model.gguf`. `python tests/real_model.py` makes it (docs/testing.md).

Correctness first: tokens equal to those of the other program, log-probabilities equal to those of a plain forward,
values that their schema accepts. Then CPU seconds on one thread. Decoding is the median of interleaved runs, and is
called beside the other program in one process. Loading is one run, in a process that does nothing else, after all
imports. A first value is what a value takes longer than the same value asked for again.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import numpy as np
import torch

import outlines_cont as oc
from outlines_cont.kv.needs import Need

STORY = "Mira is a painter from Lisbon. She is 34 years old. She came to town in 1987, and never left it again.\n"
TOPICS = (
    "the sea,a storm,the moon,a dog,old age,bread,the river,winter,a king,the war,gold,sleep,a letter,rain,time,music"
)
PROMPTS = [f"A short story about {topic}. Once upon a time" for topic in TOPICS.split(",")]
WAYS = 16  # rows of a batch, and samples of a prompt
ROUNDING = 1.5  # of logits in 4 bits, beside other rows

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 20},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "job": {"enum": ["painter", "baker", "sailor"]},
    },
    "required": ["name", "age", "job"],
    "additionalProperties": False,
}
ASKED_FOR_JSON = STORY + "JSON with name, age, job:\n"
YEAR = "[0-9]{4}"

GREEDY = oc.samplers.greedy()
Work = Callable[[], Any]
Table = dict[str, dict[str, float]]  # row, column: CPU seconds


class Size(NamedTuple):
    """How much is decoded: new tokens of one row and of many rows, tokens of a long prompt, timed runs."""

    one: int
    many: int
    long: int
    runs: int


def seconds(work: Work) -> tuple[float, Any]:
    """CPU seconds of a call, in all threads, and what it gives."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def side_by_side(ours: Work, theirs: Work, name: str, runs: int) -> dict[str, float]:
    """Medians of interleaved runs, after one warm-up of each."""
    times = [(seconds(ours)[0], seconds(theirs)[0]) for _ in range(runs + 1)][1:]
    mine, other = (statistics.median(taken) for taken in zip(*times, strict=True))
    return {"ours": mine, name: other, "ours / other": mine / other}


# Loading


def loaded_by_transformers(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / "hf", padding_side="left")
    return AutoModelForCausalLM.from_pretrained(folder / "hf", dtype=torch.float32).eval(), tokenizer


def again(call: Work, made: float) -> float:
    """What a first value takes longer than the second one."""
    return made + seconds(call)[0] - seconds(call)[0]


def first_values(model: Any) -> dict[str, float]:
    """The first constraint on a vocabulary, and two more."""
    prompt, taken = model.state(STORY), {}
    kinds: dict[str, Work] = {
        "first value, a pattern": lambda: oc.generate.regex(model, YEAR, GREEDY),
        "then of a schema": lambda: oc.generate.json(model, SCHEMA, GREEDY),
        "then a list[int]": lambda: oc.Generator(model, list[int], GREEDY),
    }
    for name, kind in kinds.items():
        made, generator = seconds(kind)
        step = oc.continuous(generator)
        taken[name] = again(lambda step=step: step(prompt.kv.drop(), max_tokens=4), made)
    return taken


def loading_of_transformers(folder: Path) -> dict[str, float]:
    theirs, (hf, tokenizer) = seconds(lambda: loaded_by_transformers(folder))
    ids = torch.tensor([tokenizer(STORY)["input_ids"][:24]])
    with torch.no_grad():
        hf(ids)
        forward = seconds(lambda: hf(ids))[0]
    ours, model = seconds(lambda: oc.Model(hf, tokenizer))
    counted = {"transformers' own loading": theirs, "a forward of 24 tokens": forward, "oc.Model": ours}
    return counted | first_values(model)


def loading_of_llama_cpp(folder: Path) -> dict[str, float]:
    from outlines_cont.llama_cpp.context import Context, LoadedModel
    from outlines_cont.llama_cpp.library import load_library

    whole, model = seconds(lambda: oc.load(folder / "model.gguf", n_threads=1))
    engine, library = model.engine, load_library()
    bare, _ = seconds(lambda: Context(LoadedModel(library, folder / "model.gguf"), engine.context.options))
    return {"oc.load": whole, "llama.cpp's own loading": bare, "ours on top": whole - bare} | first_values(model)


def loading_of_outlines(folder: Path) -> dict[str, float]:
    import outlines

    hf, tokenizer = loaded_by_transformers(folder)
    ours, model = seconds(lambda: outlines.from_transformers(hf, tokenizer))
    taken = {"outlines.from_transformers": ours}
    kinds: dict[str, Any] = {
        "first value, a pattern": outlines.types.Regex(YEAR),
        "then of a schema": outlines.types.JsonSchema(json.dumps(SCHEMA)),
    }
    for name, kind in kinds.items():
        made, generator = seconds(lambda kind=kind: outlines.Generator(model, kind))
        taken[name] = again(lambda generator=generator: generator(STORY, max_new_tokens=4, do_sample=False), made)
    return taken


LOADING: dict[str, Callable[[Path], dict[str, float]]] = {
    "transformers": loading_of_transformers,
    "llama.cpp": loading_of_llama_cpp,
    "outlines": loading_of_outlines,
}


def loading(folder: Path, engine: str, quick: bool) -> None:
    """Each in a process of its own: with an empty cache of ours, and with the one that the first process left."""
    for name in [engine] + ["outlines"] * (engine == "transformers" and not quick):
        columns: Table = {}
        with tempfile.TemporaryDirectory() as cache:
            for process in ["first process"] + ["second process"] * (name != "outlines"):
                command = [sys.executable, __file__, "--folder", str(folder), "--load", name]
                done = subprocess.run(
                    command, env={**os.environ, "OUTLINES_CONT_CACHE": cache}, stdout=-1, text=True, check=True
                )
                columns[process] = json.loads(done.stdout.splitlines()[-1])
        rows = next(iter(columns.values()))
        show(f"{name}: loading", {row: {process: columns[process][row] for process in columns} for row in rows})


# Decoding


def new_ids(state: Any, tokens: int) -> list[list[int]]:
    return [list(row.ids[-tokens:]) for group in state.rows for row in group]


def check_logprobs(hf: Any, state: Any, tokens: int) -> None:
    """Those of the last tokens of the first row are those of a plain forward."""
    row = state.rows[0][0]
    with torch.no_grad():
        law = hf(torch.tensor([row.ids])).logits[0, -tokens - 1 : -1].double().log_softmax(-1)
    expected = law.gather(1, torch.tensor(row.ids[-tokens:])[:, None])[:, 0]
    torch.testing.assert_close(state.logprobs[0, 0, -tokens:].double(), expected, atol=1e-3, rtol=1e-3)


def decoding_of_transformers(folder: Path, size: Size) -> Table:
    hf, tokenizer = loaded_by_transformers(folder)
    model = oc.Model(hf, tokenizer)
    greedy = oc.continuous(oc.generate.text(model, GREEDY))
    drawn = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=WAYS)))

    def generate(prompts: list[str], tokens: int, **options: Any) -> list[list[int]]:
        batch = tokenizer(prompts, return_tensors="pt", padding=True)
        batch = {name: value[:, : size.long] for name, value in batch.items()}
        options |= {"max_new_tokens": tokens, "min_new_tokens": tokens}
        return hf.generate(**batch, **options)[:, -tokens:].tolist()

    def asked(prompts: list[str], tokens: int) -> tuple[Work, Work]:
        return (
            lambda: new_ids(greedy(model.state(prompts), max_tokens=tokens), tokens),
            lambda: generate(prompts, tokens, do_sample=False),
        )

    works = {
        f"1 row, {size.one} tokens": asked(PROMPTS[:1], size.one),
        f"{WAYS} rows, {size.many} tokens": asked(PROMPTS, size.many),
    }
    for name, (ours, theirs) in works.items():
        assert ours() == theirs(), f"{name}: greedy tokens differ: no timing is worth anything"
    prompt = STORY * 60
    ids = tokenizer(prompt)["input_ids"][: size.long]

    def sampled() -> Any:
        return drawn(model.state(ids), max_tokens=size.many, seed=0)

    check_logprobs(hf, sampled(), size.many)
    works[f"{WAYS} samples of {size.long} tokens, {size.many} each"] = (
        sampled,
        lambda: generate([prompt], size.many, do_sample=True, top_k=0, top_p=1.0, num_return_sequences=WAYS),
    )
    return {name: side_by_side(ours, theirs, "transformers", size.runs) for name, (ours, theirs) in works.items()}


class BareLoop:
    """`llama_decode` and an argmax: each row a sequence of its own, one token of each at every step."""

    def __init__(self, engine: Any):
        from outlines_cont.llama_cpp.context import Context

        self.library, self.n_vocab = engine.model.library, engine.n_vocab
        self.context = Context(engine.model, engine.context.options)

    def __call__(self, prompts: list[list[int]], tokens: int, copies: int = 1) -> list[list[int]]:
        """Greedy tokens after each prompt, or after copies of one."""
        from outlines_cont.llama_cpp.packed_pass import BatchArrays

        self.library.llama_memory_clear(self.context.memory, False)
        arrays = BatchArrays(self.context.options.n_batch, len(prompts))
        for sequence, ids in enumerate(prompts):
            arrays.add(ids, 0, [len(ids) - 1], [sequence])
        arrays.fill()
        last = self._decoded(arrays)
        for copy in range(1, copies):
            self.library.llama_memory_seq_cp(self.context.memory, 0, copy, 0, len(prompts[0]))
        made = [last * copies]
        ends = np.array([len(ids) for ids in prompts] * copies)
        rows = len(ends)
        arrays = BatchArrays(rows, rows)
        for step in range(tokens - 1):
            arrays.fill_step(made[-1], ends + step, np.arange(rows), [True] * rows)
            made.append(self._decoded(arrays))
        return [list(row) for row in zip(*made, strict=True)]

    def _decoded(self, arrays: Any) -> list[int]:
        assert self.library.llama_decode(self.context.pointer, arrays.batch) == 0
        address = ctypes.cast(self.library.llama_get_logits(self.context.pointer), ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(address, (arrays.outputs, self.n_vocab)).argmax(1).tolist()


def gap(model: Any, prompt: list[int], mine: list[int], other: list[int]) -> float:
    """How far the logits of two tokens lie apart, where two continuations part; 0 where they do not."""
    part = next((at for at, both in enumerate(zip(mine, other, strict=True)) if both[0] != both[1]), None)
    if part is None:
        return 0.0
    ids = (*prompt, *mine[:part])
    logits = model.read([Need(ids, (len(ids) - 1,))])[0][0]
    return abs(float(logits[mine[part]] - logits[other[part]]))


def decoding_of_llama_cpp(folder: Path, size: Size) -> Table:
    model = oc.load(folder / "model.gguf", n_threads=1)
    bare = BareLoop(model.engine)
    greedy = oc.continuous(oc.generate.text(model, GREEDY))

    works: dict[str, tuple[Work, Work]] = {}
    for prompts, tokens in [(PROMPTS[:1], size.one), (PROMPTS, size.many)]:
        ids = [list(row.ids) for group in model.state(prompts).rows for row in group]

        def ours(prompts: list[str] = prompts, tokens: int = tokens) -> list[list[int]]:
            return new_ids(greedy(model.state(prompts), max_tokens=tokens), tokens)

        def theirs(ids: list[list[int]] = ids, tokens: int = tokens) -> list[list[int]]:
            return bare(ids, tokens)

        rows, name = list(zip(ids, ours(), theirs(), strict=True)), f"{len(ids)} rows, {tokens} tokens"
        equal = sum(mine == other for _, mine, other in rows)
        print(f"llama.cpp: {name}: {equal} of {len(rows)} greedy rows are equal to those of the bare loop")
        # The weights are quantised: rows depend on what is computed beside them (docs/engines.md). Alone they do not.
        assert len(rows) > 1 or equal == 1, "tokens differ: no timing is worth anything"
        widest = max(gap(model, *row) for row in rows)
        assert widest < ROUNDING, f"the logits of other tokens are {widest} apart: no timing is worth anything"
        works[name] = (ours, theirs)
    ids = [row.ids for group in model.state(STORY * 60).rows for row in group][0][: size.long]
    drawn = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=WAYS)))
    works[f"{WAYS} samples of {size.long} tokens, {size.many} each"] = (
        lambda: drawn(model.state(list(ids)), max_tokens=size.many, seed=0),
        lambda: bare([list(ids)], size.many, copies=WAYS),
    )
    return {name: side_by_side(ours, theirs, "bare loop", size.runs) for name, (ours, theirs) in works.items()}


def decoding(folder: Path, engine: str, size: Size) -> None:
    work = decoding_of_transformers if engine == "transformers" else decoding_of_llama_cpp
    show(f"{engine}: decoding", work(folder, size))


# JSON


def json_beside_outlines(folder: Path, runs: int) -> None:
    """One object: ours, and that of Outlines with the index that it compiles for a schema. Both are warm."""
    import outlines

    hf, tokenizer = loaded_by_transformers(folder)
    model, theirs = oc.Model(hf, tokenizer), outlines.from_transformers(hf, tokenizer)
    step = oc.continuous(oc.generate.json(model, SCHEMA, GREEDY), name="value")
    generator = outlines.Generator(theirs, outlines.types.JsonSchema(json.dumps(SCHEMA)))

    def ours() -> Any:
        return step(ASKED_FOR_JSON, max_tokens=60).captures["value"][0][0][0]

    def other() -> Any:
        return json.loads(generator(ASKED_FOR_JSON, max_new_tokens=60, do_sample=False))

    for name, value in [("ours", ours()), ("Outlines", other())]:
        jsonschema.validate(value, SCHEMA)
        print(f"{name}: {value}")
    show("transformers: JSON, warm", {"one object": side_by_side(ours, other, "Outlines", runs)})


def show(title: str, table: Table) -> None:
    """A table of CPU seconds."""
    columns = list(next(iter(table.values())))
    print(f"\n{title:44}" + "".join(f"{column:>16}" for column in columns))
    for row, cells in table.items():
        print(f"{row:44}" + "".join(f"{cells[column]:16.3f}" for column in columns), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="the folder of hf/ and model.gguf")
    parser.add_argument("--engine", choices=["transformers", "llama.cpp"], action="append")
    parser.add_argument("--part", choices=["loading", "decoding", "json"], action="append")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="fewer tokens, one run")
    parser.add_argument("--load", choices=list(LOADING), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    if asked.load:
        print(json.dumps(LOADING[asked.load](asked.folder)))
        return
    size = Size(8, 4, 100, 1) if asked.quick else Size(48, 24, 902, asked.runs)
    parts = asked.part or ["loading", "decoding", "json"]
    for engine in asked.engine or ["transformers", "llama.cpp"]:
        if "loading" in parts:
            loading(asked.folder, engine, asked.quick)
        if "decoding" in parts:
            decoding(asked.folder, engine, size)
        if "json" in parts and engine == "transformers":
            json_beside_outlines(asked.folder, size.runs)


if __name__ == "__main__":
    main()
