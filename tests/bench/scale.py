"""`oc.map` at work: equal values after accidents, the gain of two processes, memory, and what the KV tree saves.

    python tests/bench/scale.py                          all of it: about ten minutes on two quiet cores
    python tests/bench/scale.py --only kills --rows 60   some parts, with fewer prompts

kills    a job on two processes, in a process that is killed (SIGKILL) twice and started three times; each time one of
         the two is killed, too, at a random moment. Its file of values equals, byte for byte, that of one undisturbed
         process; no process stays, and no file that is half written. `ray_kills` is the same on a local Ray, whose
         workers are not killed.
ray      a job on a local Ray, a worker of which is killed; and Ray's rate beside that of as many processes.
speed    rows a second of one worker and of two, after a quarter of the results. Mark: two are 1.7 × as fast as one.
memory   the memory of this process after 2,000 prompts and at the end of 20,000. Mark: it grows by a tenth at most.
kv       token positions that are computed for prompts that begin alike, beside `generate()` of transformers.

Rates need a quiet machine: the workers and this process share its cores.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mapped_jobs
import torch

import outlines_cont as oc

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name", "age"],
}
SHARD = 16
JSON_TOKENS = 40


def people(count: int) -> Iterator[str]:
    """So many different prompts that begin alike."""
    for i, prompt in enumerate(itertools.islice(itertools.cycle(mapped_jobs.prompts(75)), count)):
        story, _, _ = prompt.partition("\nQ:")
        yield f"Write what the story says as JSON.\nStory {i}: {story}\nJSON: "


def file_of_people(folder: Path, count: int) -> Path:
    path = folder / "people.jsonl"
    lines = (json.dumps({"id": f"person {i}", "prompt": prompt}) + "\n" for i, prompt in enumerate(people(count)))
    path.write_text("".join(lines), encoding="utf-8")
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    return path


def command(folder: Path, out: str, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "outlines_cont", "map", "--in", str(folder / "people.jsonl"), "--key", "id"),
        *("--schema", str(folder / "schema.json"), "--max-tokens", str(JSON_TOKENS), "--seed", "7", "--quiet"),
        *("--out", str(folder / out), *more),
    ]


def kills(rows: int, dice: Random) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, told = killed_twice(folder, rows, dice, "2")
        subprocess.run(command(folder, "other shards"), check=True, cwd=ROOT)
        other = (folder / "other shards" / "values.jsonl").read_bytes().splitlines()
        same = sum(map(bytes.__eq__, whole.splitlines(), other))
        return f"{told}; {same} of them also in shards of another size, where rounding differs"


def ray_kills(rows: int, dice: Random) -> str:
    with tempfile.TemporaryDirectory() as name:
        return killed_twice(Path(name), rows, dice, "ray")[1]


def killed_twice(folder: Path, rows: int, dice: Random, workers: str) -> tuple[bytes, str]:
    """The values of an undisturbed process, and what became of a job on workers that was killed twice."""
    file_of_people(folder, rows)
    subprocess.run(command(folder, "whole", "--shard", str(SHARD)), check=True, cwd=ROOT)
    whole, shards = (folder / "whole" / "values.jsonl").read_bytes(), -(-rows // SHARD)
    done, killed = [], 0
    for start in range(3):
        running = subprocess.Popen(command(folder, "parts", "--workers", workers, "--shard", str(SHARD)), cwd=ROOT)
        most, workers_seen, victim_at = (start + 1) * shards // 3, set[int](), time.monotonic() + dice.uniform(0, 20)
        while running.poll() is None and (start == 2 or count_shards(folder / "parts") < most):
            workers_seen |= set(there := workers_of(running.pid))
            if there and victim_at < time.monotonic():
                os.kill(dice.choice(there), signal.SIGKILL)
                killed, victim_at = killed + 1, math.inf
            time.sleep(0.01)
        time.sleep(dice.uniform(0, 0.05))
        if start < 2:
            running.send_signal(signal.SIGKILL)
        code = running.wait()
        assert code == (-signal.SIGKILL if start < 2 else 0), f"start {start}: exit code {code}"
        patience = time.monotonic() + 60
        while workers_seen & set(workers_of(None)):
            assert time.monotonic() < patience, f"start {start}: workers are left"
            time.sleep(0.05)
        done.append(f"{count_shards(folder / 'parts')} of {shards} shards (exit code {code})")
    assert (folder / "parts" / "values.jsonl").read_bytes() == whole, "the values differ"
    assert not list((folder / "parts").glob("*.tmp")), "there are files that are half written"
    errors = whole.count(b'"error"')
    told = f"after each start: {'; '.join(done)}; {killed} workers killed"
    return whole, f"{rows} prompts, {errors} errors; {told}. Values equal byte for byte"


def workers_of(parent: int | None) -> list[int]:
    """The processes that another one has spawned and that still run, by /proc; None: those of all. A local Ray's are
    its own."""
    pids = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, of = (path / "stat").read_text().rpartition(")")[2].split()[:2]
            spawned = state not in "ZX" and b"spawn_main" in (path / "cmdline").read_bytes()
            pids += [int(path.name)] if spawned and parent in (None, int(of)) else []
    return pids


def count_shards(folder: Path) -> int:
    return len(list(folder.glob("*.shard")))


def extraction(model: oc.Model) -> Any:
    return oc.generate.json(model, SCHEMA)


def rate(model: oc.Model, rows: int, workers: Any, kill: bool = False) -> tuple[float, float, list[Any]]:
    """Rows a second after the first quarter, when all workers are there; seconds until the first; the values."""
    begun = time.perf_counter()
    results = oc.map(extraction(model), people(rows), seed=7, shard=SHARD, workers=workers, max_tokens=JSON_TOKENS)
    with results:
        values, first = [next(results)], time.perf_counter()
        if kill:
            os.kill(results._run.pool.pids[0], signal.SIGKILL)
        values += itertools.islice(results, rows // 4)
        steady = time.perf_counter()
        values += results
    seconds = time.perf_counter() - steady
    return (rows - rows // 4 - 1) / seconds, first - begun, [comparable(value) for value in values]


def comparable(value: Any) -> Any:
    return (type(value), str(value)) if isinstance(value, Exception) else value


def speed(rows: int, dice: Random) -> str:
    model = oc.load()
    here, _, values = rate(model, rows, None)
    one, load_one, values_of_one = rate(model, rows, 1)
    two, load_two, values_of_two = rate(model, rows, 2)
    assert values == values_of_one == values_of_two, "the values differ"
    mark = "reached" if two >= 1.7 * one else "MISSED"
    return (
        f"{rows} prompts: {here:.0f} rows/s in this process, {one:.0f} on one worker, {two:.0f} on two: "
        f"{two / one:.2f} × (mark 1.7: {mark}). First result after {load_one:.1f} s and {load_two:.1f} s"
    )


def ray(rows: int, dice: Random) -> str:
    import ray as ray_package

    model = oc.load()
    ray_package.init(
        address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20
    )
    try:
        _, _, values_here = rate(model, rows, None)
        processes, load_processes, _ = rate(model, rows, 2)
        actors, load_actors, values = rate(model, rows, "ray")
        _, _, values_after_a_kill = rate(model, rows, "ray", kill=True)
    finally:
        ray_package.shutdown()
    assert values_here == values == values_after_a_kill, "the values differ"
    return (
        f"{rows} prompts, equal also after a kill: {processes:.0f} rows/s on two processes, {actors:.0f} on two "
        f"actors ({actors / processes:.2f} ×). First result after {load_processes:.1f} s and {load_actors:.1f} s"
    )


def memory(rows: int, dice: Random) -> str:
    model = oc.load()
    city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"]), name="city")
    early, used = max(rows // 10, 1), {}
    with tempfile.TemporaryDirectory() as folder:
        for i, _ in enumerate(oc.map(city, people(rows), seed=0, out=folder), 1):
            if i in (early, rows):
                used[i] = resident()
    mark = "reached" if used[rows] <= 1.1 * used[early] else "MISSED"
    return f"{used[early]:.0f} MB after {early:,} prompts, {used[rows]:.0f} MB after {rows:,} (mark: {mark})"


def resident() -> float:
    """MB of memory that this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def kv(rows: int, dice: Random) -> str:
    model = oc.load()
    shared = "Write who somebody is. Take the name, the town and the colour that they like. " * 8
    given, new = [f"{shared}{prompt}" for prompt in mapped_jobs.prompts(min(rows, 64))], 16
    text = oc.generate.text(model, oc.samplers.greedy())
    model.stats.reset()
    values = list(oc.map(text, given, seed=0, max_tokens=new))
    ours = model.stats.tokens + model.stats.reread
    computed: list[int] = []
    counting = model.hf.get_input_embeddings().register_forward_hook(
        lambda module, arguments, output: computed.append(arguments[0].numel())
    )
    model.tokenizer.padding_side = "left"
    model.tokenizer.pad_token = model.tokenizer.pad_token or model.tokenizer.eos_token
    inputs = model.tokenizer(given, return_tensors="pt", padding=True)
    with torch.no_grad():
        model.hf.generate(**inputs, max_new_tokens=new, do_sample=False)
    counting.remove()
    distinct = len({row.ids[:n] for [row] in model.state(given).rows for n in range(1, len(row) + 1)})
    return (
        f"{len(given)} prompts of {inputs['input_ids'].shape[1]} tokens, {len(values)} values of {new}: {ours:,} "
        f"positions ({distinct:,} different ones in the prompts); generate() of transformers {sum(computed):,}, "
        f"{sum(computed) / ours:.1f} × as many"
    )


PARTS = {
    "kills": (kills, 500),
    "ray_kills": (ray_kills, 500),
    "speed": (speed, 600),
    "ray": (ray, 600),
    "memory": (memory, 20_000),
    "kv": (kv, 64),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="some parts")
    parser.add_argument("--rows", type=int, help="prompts of each part")
    parser.add_argument("--seed", type=int, default=0, help="of the moments of the kills")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for name in options.only:
        part, rows = PARTS[name]
        begun = time.perf_counter()
        told = part(options.rows or rows, Random(options.seed))
        print(f"{name:8} {told}  [{time.perf_counter() - begun:.0f} s]", flush=True)


if __name__ == "__main__":
    main()
