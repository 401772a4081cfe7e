"""Random programs, each run in many ways that must not change its result, for as long as one likes.

    python tests/bench/fuzz_variants.py --minutes 20 --seed 1
    python tests/bench/fuzz_variants.py --case 1000000042 --only draft     one program, in one way

`tests/drawn_programs.py` draws, `tests/program_checks.py` checks. Program n of seed s has the number s × 10⁹ + n. The
exit status is 1 if there was a failure; each is printed with the command that repeats it. A failure in threads, or by
Ctrl-C while garbage is collected, may need several repetitions.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("OUTLINES_CONT_CACHE", "")

import torch
from drawn_programs import program_of
from program_checks import VARIANTS, check_program

OF_ONE_SEED = 10**9
EACH = 3  # failures of one kind are shown


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=OF_ONE_SEED, help="at most so many")
    parser.add_argument("--case", type=int, help="only this one")
    parser.add_argument("--only", choices=VARIANTS, help="only this way to run it")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    torch.set_num_threads(1)
    first = options.seed * OF_ONE_SEED if options.case is None else options.case
    count = options.programs if options.case is None else 1
    counts, failures = Counter[str](), dict[str, list[int]]()
    begun = told = time.monotonic()
    for number in range(first, first + count):
        now = time.monotonic()
        if now > begun + 60 * options.minutes and options.case is None:
            break
        if now > told + 300:
            told = now
            print(f"… {counts['programs']:,} programs, {sum(map(len, failures.values()))} failures", flush=True)
        program = program_of(Random(f"variants {number}"))
        if options.case is not None:
            print(program)
        try:
            check_program(program, number, options.only, counts)
        except Exception as error:
            way = getattr(error, "way", None)
            kind = f"{type(error).__name__} in {way or 'the run'}"
            failures.setdefault(kind, []).append(number)
            if len(failures[kind]) <= EACH:
                again = f"python tests/bench/fuzz_variants.py --case {number}" + f" --only {way}" * (way in VARIANTS)
                frames = traceback.extract_tb(error.__traceback__)[-3:]
                where = " ← ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))
                print(f"-- {kind}: {error}\n   {where}\n   {program}\n   again: {again}", flush=True)
    failed = sum(map(len, failures.values()))
    print(f"\nseed {options.seed}, {(time.monotonic() - begun) / 60:.1f} min")
    print("\n".join(f"{count:>9,}  {name}" for name, count in sorted(counts.items())))
    print("\n".join(f"{len(numbers):>9,}  {kind}: {numbers[:6]}" for kind, numbers in failures.items()))
    print(f"{counts['programs']:,} programs, {counts['comparisons']:,} comparisons, {failed} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
