"""The store of keys and values: does it give what the model computes, and what does it save?

    python tests/bench/store.py                              the shipped model
    python tests/bench/store.py FOLDER                       a model of transformers
    python tests/bench/store.py [FOLDER] --gguf FILE         and a GGUF file
    python tests/bench/store.py FOLDER --tokens 2000 --rounds 5

Each number comes from a process of its own. Times are those of the first token after a prompt of so many tokens, the
median of some rounds; a process reads another prompt before that, so that nothing is done for the first time but what
the store does. The files are in memory then (page cache): the second process comes right after the first one.

correct    the first tokens and the log-probabilities of a process with a store are those of one without
first      seconds to the first token: read, read and written to the store, from the store; and what of the last is the
           digest of the parameters, once for a process
border     prompts of other lengths: from which one on the store pays
state      state.save(kv=True) and load_state: seconds, bytes
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import outlines_cont as oc
from outlines_cont.store.reads import StoredReads

BORDER = (64, 128, 256, 512)
FIRST_TOKENS = 8
CPU = "--cpu" in sys.argv


def prompt(model: oc.Model, tokens: int, round: int) -> list[int]:
    """So many different token ids, without special ones, which begin otherwise in each round."""
    text = model.vocabulary.text_ids.tolist()
    return [text[(7919 * (round + 1) + i * (i + 3)) % len(text)] for i in range(tokens)]


def timed(work: Any) -> tuple[Any, float]:
    """What some work gives, and the seconds that it took: of the clock, or, with `--cpu`, of the processors."""
    clock = time.process_time if CPU else time.perf_counter
    begun = clock()
    value = work()
    return value, clock() - begun


def child(options: dict[str, Any]) -> dict[str, Any]:
    """What one process measures."""
    store = oc.store.KVStore(options["store"]) if options.get("store") else None
    model = oc.load(options["model"], store=store, **options["load"])
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    kinds: dict[str, Any] = {"saved": saved, "loaded": loaded}
    if options["do"] in kinds:
        return kinds[options["do"]](model, options)
    bare = oc.Model(model.engine, model.tokenizer)
    oc.generate.text(bare, oc.samplers.greedy())(bare.state([prompt(model, 40, 99)]), max_tokens=1)
    _, identity = timed(lambda: model.identity) if options.get("apart") else (None, 0.0)
    seconds, facts, writing = [], [], list[float]()
    keep = StoredReads._keep

    def kept(*arguments: Any) -> None:
        writing.append(timed(lambda: keep(*arguments))[1])

    StoredReads._keep = kept  # type: ignore[method-assign]
    for round in range(options["rounds"]):
        before = model.stats.tokens, model.stats.restored
        state, took = timed(lambda round=round: step(prompt(model, options["tokens"], round), max_tokens=1))
        counted = model.stats.tokens - before[0], model.stats.restored - before[1]
        more = step.resume(state, max_tokens=FIRST_TOKENS) if options.get("facts") else state
        facts.append([more.token_ids[0, 0, options["tokens"] :].tolist(), more.weights.item()])
        seconds.append(took)
        del state, more
    return {"seconds": seconds, "identity": identity, "facts": facts, "counted": counted, "writing": writing}


def saved(model: oc.Model, options: dict[str, Any]) -> dict[str, Any]:
    state = model.state([prompt(model, options["tokens"], 0)]).kv.prefill()
    _, plain = timed(lambda: state.save(options["path"] + ".plain"))
    _, took = timed(lambda: state.save(options["path"], kv=True))
    return {"seconds": took, "plain": plain, "bytes": Path(options["path"]).stat().st_size}


def loaded(model: oc.Model, options: dict[str, Any]) -> dict[str, Any]:
    state, took = timed(lambda: oc.load_state(options["path"], model))
    return {"seconds": took, "lengths": state.kv.lengths.tolist(), "restored": model.stats.restored}


def run(**options: Any) -> dict[str, Any]:
    """What a new process measures."""
    done = subprocess.run(
        [sys.executable, __file__, *["--cpu"] * CPU, "--child", json.dumps(options)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def measure(name: str, model: Any, load: dict[str, Any], tokens: int, rounds: int) -> None:
    given = {"model": model, "load": load, "do": "read"}
    with tempfile.TemporaryDirectory() as folder:
        print(f"{name}: a prompt of {tokens:,} tokens", flush=True)
        common = given | {"tokens": tokens, "rounds": rounds, "facts": True}
        plain = run(**common)
        first = run(**common, store=f"{folder}/store", apart=True)
        second = run(**common, store=f"{folder}/store", apart=True)
        for other in (first, second):
            for (ids, weight), (same, right) in zip(other["facts"], plain["facts"], strict=True):
                assert ids == same and abs(weight - right) < 2e-3 * max(1, abs(right)), (ids, same, weight, right)
        print(
            f"correct  {rounds} prompts, {FIRST_TOKENS} tokens each; counted (computed, restored): {second['counted']}"
        )
        read, written, restored = (median(each["seconds"]) for each in (plain, first, second))
        store = oc.store.KVStore(f"{folder}/store")
        print(
            f"first    read {read:.3f} s; read and written {written:.3f} s, of which writing is "
            f"{sum(first['writing']) / sum(first['seconds']):.1%}; from the store "
            f"{restored:.3f} s = {restored / read:.1%}; digest of the parameters {second['identity']:.3f} s, once\n"
            f"         {store.bytes / rounds / 2**20:.1f} MiB on disk for a prompt"
        )
        for length in () if "--no-border" in sys.argv else BORDER:
            common = given | {"tokens": length + 1, "rounds": rounds, "store": f"{folder}/border {length}"}
            read = median(run(**{**common, "store": None})["seconds"])
            run(**common)
            restored = median(run(**common, apart=True)["seconds"])
            print(
                f"border   {length + 1:5} tokens: read {read * 1e3:7.1f} ms, from the store {restored * 1e3:7.1f} ms",
                flush=True,
            )
        common = given | {"tokens": tokens, "path": f"{folder}/state.safetensors"}
        write, load_again = run(**common | {"do": "saved"}), run(**common | {"do": "loaded"})
        print(
            f"state    saved with keys and values in {write['seconds']:.3f} s, {write['bytes'] / 2**20:.1f} MiB "
            f"(without in {write['plain']:.3f} s); "
            f"loaded in {load_again['seconds']:.3f} s, with {load_again['lengths']} of them"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", help="of a model of transformers; without one, the shipped model")
    parser.add_argument("--gguf", help="a GGUF file")
    parser.add_argument("--tokens", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dtype", help="of a model of transformers")
    parser.add_argument("--cpu", action="store_true", help="seconds of the processors, where others use them, too")
    parser.add_argument("--no-border", action="store_true", help="without prompts of other lengths")
    parser.add_argument("--child", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(child(options.child)))
        return
    load = {"dtype": options.dtype} if options.dtype else {}
    if options.folder or not options.gguf:
        measure(options.folder or "the shipped model", options.folder, load, options.tokens, options.rounds)
    if options.gguf:
        load = {"n_ctx": 2 * options.tokens + 512}
        measure(options.gguf, options.gguf, load, options.tokens, options.rounds)


if __name__ == "__main__":
    main()
