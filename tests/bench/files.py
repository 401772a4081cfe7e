"""State files and forks, in numbers that no test has time for: forged and damaged files, killed writers, large files.

    python tests/bench/files.py                                  all of it: an hour
    python tests/bench/files.py --only forged damaged            some parts
    python tests/bench/files.py --only kills --kills 20 --megabytes 16

forged   files with a right checksum whose header or tensors say something else: loaded, used, or refused by name.
         The most time and memory that loading one took.
damaged  files with wrong bits, cuts and repetitions: what is loaded equals what was saved.
kv       files with keys and values, with wrong bits or those of another file: values and log-probabilities stay.
chunks   files of a store, damaged, forged, exchanged or replaced by what is no file: no logit changes. How often which.
kills    a process that writes the file again and again is killed (SIGKILL): there is the old file or the new one.
large    the time and the memory of loading, besides what is loaded.
forks    children of a process in which a thread generates.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import test_corrupt_files as files
import test_processes as processes
import test_store as stores

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.row import Row
from outlines_cont.storage import files as storage

TOKEN = 5  # bytes in a file, where it was given
VOCABULARY = Vocabulary([b"%d" % i for i in range(1000)], eos=[0])


def forged(count: int, dice: Random) -> str:
    outcomes: Counter[str] = Counter()
    slowest = largest = 0.0
    for number in range(count):
        file = files.forgery(dice)
        outcomes[files.outcome(file)] += 1
        if traced := number % 10 == 0:  # tracing takes time
            tracemalloc.start()
        begun = time.process_time()
        with suppress(ValueError):
            files.loaded(file)
        if traced:
            largest = max(largest, tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        else:
            slowest = max(slowest, time.process_time() - begun)
    return f"{dict(outcomes)}; loading took {slowest * 1000:.0f} ms and {largest / 1000:.0f} kB at most"


def damaged(count: int, dice: Random) -> str:
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        state, data = dice.choice(files.saved())
        try:
            assert files.loaded(files.damaged(data, dice)).identical(state)
            outcomes["what was saved"] += 1
        except oc.errors.CorruptStateError:
            outcomes["refused"] += 1
    return f"{dict(outcomes)}"


def rows_of(megabytes: int, value: int) -> list[list[Row]]:
    """One row of the same token again and again, of so many bytes in a file."""
    return [[Row(lineage=(0,)).append((value,) * (megabytes * 2**20 // TOKEN))]]


def kills(count: int, megabytes: int, dice: Random) -> str:
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        versions = [rows_of(megabytes, value) for value in (1, 2)]
        begun = time.perf_counter()
        storage.write(path, versions[0], 1, VOCABULARY, "same")
        takes, before = time.perf_counter() - begun, 1
        for number in range(count):
            if not (child := os.fork()):
                storage.write(path, versions[number % 2], 1, VOCABULARY, "same")
                os._exit(0)
            time.sleep(dice.random() * takes * 1.2)
            os.kill(child, signal.SIGKILL)
            killed = os.waitpid(child, 0)[1] != 0
            [[row]], *_ = storage.read(path, VOCABULARY)
            assert len(row) == len(versions[0][0][0]) and len(set(row.ids)) == 1 and row.ids[0] in (1, 2)
            changed = row.ids[0] != before
            before = row.ids[0]
            outcomes[f"{'killed' if killed else 'done before'}, {'new' if changed else 'old or the same'}"] += 1
            for left in Path(folder).glob(".*.tmp"):
                left.unlink()
    return f"{megabytes} MB, whose writing takes {takes:.1f} s: {dict(outcomes)}"


def large(megabytes: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        storage.write(path, rows_of(megabytes, 1), 1, VOCABULARY, "same")
        begun = time.perf_counter()
        storage.read(path, VOCABULARY)
        took = time.perf_counter() - begun
        tracemalloc.start()
        state = storage.read(path, VOCABULARY)
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del state
    return f"{megabytes} MB: {took:.2f} s; {held >> 20} MB loaded, {(peak - held) / 2**20:.1f} MB besides"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = ["forged", "damaged", "kv", "chunks", "kills", "large", "forks"]
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[64, 256], help="of large files; the first: kills")
    parser.add_argument("--seed", type=int, default=0)
    for name, count in {
        "forged": 3000,
        "damaged": 10_000,
        "kv": 10_000,
        "chunks": 10_000,
        "kills": 200,
        "forks": 100,
    }.items():
        parser.add_argument(f"--{name}", type=int, default=count)
    options = parser.parse_args()
    dice = Random(options.seed)
    runs = {
        "forged": lambda: forged(options.forged, dice),
        "damaged": lambda: damaged(options.damaged, dice),
        "kv": lambda: f"{dict(stores.damaged_states(options.kv, dice))}",
        "chunks": lambda: f"{stores.damaged_files(options.chunks, dice)}",
        "kills": lambda: kills(options.kills, options.megabytes[0], dice),
        "large": lambda: "\n         ".join(map(large, options.megabytes)),
        "forks": lambda: processes.forks(options.forks),
    }
    for name in options.only:
        print(f"{name:8} {runs[name]()}", flush=True)


if __name__ == "__main__":
    main()
