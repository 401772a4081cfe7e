"""What compiling JSON Schemas costs, in counts, which are exact where times are noise.

`python tests/bench/compile_counts.py`, from a checkout (on PYTHONPATH) or with the package installed. The schemas are
the development schemas (see `schemas.py`), every `--every`th. Two checkouts are compared by running this file on each,
with `--save`; `--against` prints what has changed since.

    calls      of Python functions, from the schema's text to its first mask; generators that go on count, too
    C calls    of functions in C, as the interpreter tells them apart
    nodes …    what the engine has then: nodes of the language, terms, states, leaves
    walk       the same, more of it: the masks and the steps of the valid instances with the usual spaces

As in `schemas.py`, all that is kept of other schemas is forgotten before each one, and three small ones are walked. All
counts are the same in every run of one version of Python: this starts itself again with a fixed seed for hashes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import fsm as bench  # tests/bench/fsm.py, beside this file
from fsm import Words
from schemas import TIMED, WARM_UP, Case, Ours, Text, run

T = TypeVar("T")
#: Tables of the engine that only grow, by what they hold.
TABLES = {"nodes": "NODES", "terms": "TERMS", "states": "STATES", "leaves": "LEAVES"}
COLUMNS = ("calls", "C calls", *TABLES, "walk calls", *(f"walk {name}" for name in TABLES))


class Calls(NamedTuple):
    """How often functions were called: those of Python by (file, name), those in C by name."""

    python: Counter[tuple[str, str]]
    c: Counter[str]


def counted(work: Callable[[], T]) -> tuple[T, Calls]:
    """What `work` returns, and the calls in it."""
    python: Counter[Any] = Counter()
    c: Counter[Any] = Counter()

    def count(frame: Any, event: str, function: Any) -> None:
        if event == "call":
            python[frame.f_code] += 1
        elif event == "c_call":
            c[function.__name__] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    del c["setprofile"]
    by_name: Counter[tuple[str, str]] = Counter()
    for code, calls in python.items():
        by_name[_file(code.co_filename), getattr(code, "co_qualname", code.co_name)] += calls
    return result, Calls(by_name, c)


def _file(path: str) -> str:
    """The path of a source file, from its package on."""
    for package in ("outlines_cont", "fsm"):
        head, found, tail = path.rpartition(f"/{package}/")
        if found:
            return tail if package == "fsm" else _file(f"/{tail}")
    return Path(path).name


def sizes(guide: Any) -> list[int]:
    """How much of each of `TABLES` the automaton of a guide has."""
    from outlines_cont.fsm.engine import layout

    return [int(guide._automaton.memory[getattr(layout, table) + 1]) for table in TABLES.values()]


def compile_counts(engine: Ours, case: Case) -> tuple[list[int], Calls, Calls]:
    """A row of the table; the calls to the first mask; the calls of the walk."""

    def build() -> Any:
        walk = engine.build(case)
        walk.fill(*walk.where())
        return walk

    engine.forget()
    for small in engine.throw_away:
        walked(engine.build(small), small)
    walk, first = counted(build)
    before = sizes(walk.guide)
    _, then = counted(lambda: walked(walk, case))
    more = [b - a for a, b in zip(before, sizes(walk.guide), strict=True)]
    row = [first.python.total(), first.c.total(), *before, then.python.total(), *more]
    return row, first, then


def walked(walk: Any, case: Case) -> None:
    """Walk the valid instances, in one spelling."""
    for text in case.valid:
        if text.spelling == TIMED:
            run(walk, text.ids, bench_eos)


bench_eos = -1


def main() -> int:
    options = arguments()
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    if not (bench.DATA / "schemas").is_dir():
        print(f"no data in {bench.DATA}: set OUTLINES_CONT_DATA", file=sys.stderr)
        return 2
    words = Words.read(options.vocabulary)
    global bench_eos
    bench_eos = words.eos
    lines = (bench.DATA / "schemas" / "maskbench_dev.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [Case.read(json.loads(line), words) for line in lines[:: options.every]]
    engine = Ours(words)
    text = Text(0, TIMED, tuple(words.text[bytes([c])] for c in b'{"a": 1}'))
    engine.throw_away = [Case("", schema, valid=(text,)) for schema in WARM_UP]

    rows: dict[str, list[int]] = {}
    functions: dict[str, Counter[Any]] = {"to the first mask": Counter(), "on the walk": Counter()}
    in_c: Counter[str] = Counter()
    refused: dict[str, str] = {}
    for case in cases:
        try:
            row, first, then = compile_counts(engine, case)
        except Exception as error:
            refused[case.name] = f"{type(error).__name__}: {error}"[:150]
            continue
        rows[case.name] = row
        functions["to the first mask"] += first.python
        functions["on the walk"] += then.python
        in_c += first.c
    report(options, rows, functions, in_c, refused)
    return 0


def report(
    options: argparse.Namespace,
    rows: dict[str, list[int]],
    functions: dict[str, Counter[Any]],
    in_c: Counter[str],
    refused: dict[str, str],
) -> None:
    before: dict[str, Any] = json.loads(Path(options.against).read_text()) if options.against else {}
    common = [name for name in rows if not before or name in before["rows"]]
    for name, problem in refused.items():
        print(f"refused: {name}: {problem}")
    width = max((len(name) for name in rows), default=0)
    print(f"\n{'':{width}}" + "".join(f"{column:>12}" for column in COLUMNS))
    if options.each:
        for name in common:
            print(f"{name:{width}}" + "".join(f"{value:>12,}" for value in rows[name]))
    print_totals(f"all {len(common)}", width, [rows[name] for name in common])
    if before:
        print_totals("before", width, [before["rows"][name] for name in common])
    for what, counts in functions.items():
        print(f"\ncalls {what}, by file" + (", and before" if before else ""))
        print_top(by_file(counts), by_file(unlisted(before["functions"][what])) if before else None, options.top)
        print(f"\ncalls {what}, by function" + (", and before" if before else ""))
        print_top(counts, unlisted(before["functions"][what]) if before else None, options.top)
    print("\ncalls of functions in C, to the first mask")
    print_top(in_c, Counter(before["c"]) if before else None, options.top)
    if options.save:
        listed = {what: [[*key, n] for key, n in counts.items()] for what, counts in functions.items()}
        Path(options.save).write_text(json.dumps({"rows": rows, "functions": listed, "c": in_c}))


def unlisted(counts: Sequence[tuple[str, str, int]]) -> Counter[Any]:
    return Counter({(file, name): n for file, name, n in counts})


def by_file(counts: Counter[Any]) -> Counter[Any]:
    total: Counter[Any] = Counter()
    for (file, _), n in counts.items():
        total[file] += n
    return total


def print_totals(name: str, width: int, rows: Sequence[Sequence[int]]) -> None:
    print(f"{name:{width}}" + "".join(f"{sum(column):>12,}" for column in zip(*rows, strict=True)))


def print_top(counts: Counter[Any], before: Counter[Any] | None, top: int) -> None:
    """The most frequent ones; with what was before, those that changed most."""
    if before is None:
        for key, n in counts.most_common(top):
            print(f"  {n:>10,}  {key if isinstance(key, str) else ' '.join(key)}")
        return
    keys = sorted(counts.keys() | before.keys(), key=lambda key: -abs(counts[key] - before[key]))
    for key in keys[:top]:
        label = key if isinstance(key, str) else " ".join(key)
        print(f"  {counts[key]:>10,} {before[key]:>10,} {counts[key] - before[key]:>+10,}  {label}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="JSON Schemas: what compiling costs, in counts.")
    parser.add_argument("--vocabulary", default="tekken131k", help="a name in the data's vocab folder")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth schema")
    parser.add_argument("--each", action="store_true", help="print a line for every schema")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="files and functions that are listed")
    parser.add_argument("--save", metavar="FILE", help="write the counts there, as JSON")
    parser.add_argument("--against", metavar="FILE", help="compare with the counts there")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
