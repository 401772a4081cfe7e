"""What compiling JSON Schemas costs, in counts, which are exact where times are noise.

`python tests/bench/compile_counts.py`, from a checkout: half a minute for the 460 development schemas (see
`schemas.py`), less with `--every N`. To compare two checkouts, run this file in one with `--save`, and in the other
with `--against`; this prints where the counts differ most.

    calls      of Python functions, from a schema's text to its first mask; a generator that goes on counts as a call
    C calls    of functions in C, as far as the interpreter tells them apart
    nodes …    what the engine has then: nodes of the language, terms, states, ways out of states
    walk …     what comes on top with the masks and the steps of the valid instances, in the usual spaces

As in `schemas.py`, all that is kept of other schemas is forgotten before each one, and three small ones are walked. The
script starts itself again with a fixed seed for hashes, so its counts are the same in every run of one version of
Python.

`--small` takes seven schemas that need no data, and compares the calls with those that are written here: exit status 1
where there are more. `.ci/nightly counts` runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from counts import Calls, counted, forget
from schemas import TIMED, WARM_UP, Case, Ours, Text, Words, bench, run  # tests/bench/schemas.py, beside this file

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine import layout
from outlines_cont.fsm.vocabulary import Vocabulary

#: Tables of the engine that only grow, by what they hold.
TABLES = {"nodes": layout.NODES, "terms": layout.TERMS, "states": layout.STATES, "leaves": layout.LEAVES}
COLUMNS = ("calls", "C calls", *TABLES, "walk calls", *(f"walk {name}" for name in TABLES))
FIRST, WALK, IN_C = "Python, to the first mask", "Python, on the walk", "C, to the first mask"
Key = tuple[str, ...]  # (file, function), (file,) or (function,)


class Compiling:
    """Schemas that are compiled and walked, and the counts.

    Attributes:
        rows: of each schema that is compiled, the numbers of `COLUMNS`.
        calls: the calls of each function, for `FIRST`, `WALK` and `IN_C`.
        refused: of each other schema, why it is refused.
    """

    def __init__(self, words: Words):
        self.engine, self.eos = Ours(words), words.eos
        text = Text(0, TIMED, tuple(words.text[bytes([c])] for c in b'{"a": 1}'))
        self.engine.throw_away = [Case("", schema, valid=(text,)) for schema in WARM_UP]
        self.rows: dict[str, list[int]] = {}
        self.calls: dict[str, Counter[Key]] = {FIRST: Counter(), WALK: Counter(), IN_C: Counter()}
        self.refused: dict[str, str] = {}

    def count(self, case: Case) -> None:
        """Compile a schema and walk its valid instances."""
        self.engine.forget()
        for small in self.engine.throw_away:
            self.walk(self.engine.build(small), small)
        try:
            walk, first = counted(lambda: self.first_mask(case))
        except ConstraintError as error:
            self.refused[case.name] = str(error)[:150]
            return
        before = sizes(walk)
        _, then = counted(lambda: self.walk(walk, case))
        more = [b - a for a, b in zip(before, sizes(walk), strict=True)]
        self.rows[case.name] = [first.python.total(), first.c.total(), *before, then.python.total(), *more]
        self.add(first, then)

    def first_mask(self, case: Case) -> Any:
        walk = self.engine.build(case)
        walk.fill(*walk.where())
        return walk

    def walk(self, walk: Any, case: Case) -> None:
        for text in case.valid:
            if text.spelling == TIMED:
                taken, contradiction = run(walk, text.ids, self.eos)
                right = taken > len(text.ids) and not contradiction
                assert right or case in self.engine.throw_away, f"{case.name} is wrong: see schemas.py --list"

    def add(self, first: Calls, then: Calls) -> None:
        self.calls[FIRST].update(first.python)
        self.calls[WALK].update(then.python)
        self.calls[IN_C].update({(name,): n for name, n in first.c.items()})


def sizes(walk: Any) -> list[int]:
    """How much each of `TABLES` holds."""
    return [int(walk.guide._automaton.memory[table + 1]) for table in TABLES.values()]


# --- what came out


class Saved(NamedTuple):
    """The rows and the calls of an earlier `Compiling`."""

    rows: dict[str, list[int]]
    calls: dict[str, Counter[Key]]

    @classmethod
    def read(cls, path: str) -> Saved:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        calls = {what: Counter({tuple(key): n for *key, n in counts}) for what, counts in data["calls"].items()}
        return cls(data["rows"], calls)


def save(compiling: Compiling, path: str) -> None:
    calls = {what: [[*key, n] for key, n in counts.items()] for what, counts in compiling.calls.items()}
    Path(path).write_text(json.dumps({"rows": compiling.rows, "calls": calls}), encoding="utf-8")


def report(compiling: Compiling, earlier: Saved | None, options: argparse.Namespace) -> None:
    for name, problem in compiling.refused.items():
        print(f"refused: {name}: {problem}")
    rows_before, calls_before = earlier or Saved({}, {})
    common = list(compiling.rows)
    for name in rows_before.keys() - compiling.rows.keys():
        print(f"compiled before, and in the counts of functions before: {name}")
    width = max(map(len, (*common, "all 460")))
    print(f"\n{'':{width}}" + "".join(f"{column:>12}" for column in COLUMNS))
    for name in common if options.each else ():
        print_row(name, width, compiling.rows[name])
    print_row(f"all {len(common)}", width, total(compiling.rows, common))
    if earlier:
        print_row("before", width, total(rows_before, common))
    for what, counts in compiling.calls.items():
        before = calls_before.get(what, Counter())
        if what != IN_C:
            print_calls(f"{what}, by file", by_file(counts), by_file(before), options)
        print_calls(f"{what}, by function", counts, before, options)


def total(rows: dict[str, list[int]], names: Sequence[str]) -> list[int]:
    return [sum(column) for column in zip(*(rows[name] for name in names), strict=True)]


def by_file(calls: Counter[Key]) -> Counter[Key]:
    files: Counter[Key] = Counter()
    for (file, _), n in calls.items():
        files[file,] += n
    return files


def print_row(name: str, width: int, row: Sequence[int]) -> None:
    print(f"{name:{width}}" + "".join(f"{value:>12,}" for value in row))


def print_calls(title: str, calls: Counter[Key], before: Counter[Key], options: argparse.Namespace) -> None:
    """The most frequent ones; where there are earlier counts, those that differ most: now, before, the difference."""
    print(f"\ncalls of functions in {title}")
    if not options.against:
        for key, n in calls.most_common(options.top):
            print(f"  {n:>10,}  {' '.join(key)}")
        return
    for key in sorted(calls.keys() | before.keys(), key=lambda key: -abs(calls[key] - before[key]))[: options.top]:
        print(f"  {calls[key]:>10,} {before[key]:>10,} {calls[key] - before[key]:>+10,}  {' '.join(key)}")


# --- small schemas, whose counts are written down

RECORDED = (3, 11)  # the version of Python that was counted: others run comprehensions otherwise
V = Vocabulary([b"<eos>", *map(bytes, zip(range(256), strict=True))], eos=[0])
SMALL_WARM_UP = (
    '{"type": "object", "properties": {"a": {"type": ["integer", "string"]}}, "required": ["a"]}',
    '{"a": 1}',
)

ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}},
    "required": ["city"],
    "additionalProperties": False,
}
TREE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"node": {"properties": {"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}}},
    "$ref": "#/$defs/node",
}
SHAPES = {
    "oneOf": [
        {"type": "object", "properties": {"kind": {"const": kind}, "size": {"type": "number"}}, "required": ["kind"]}
        for kind in ("circle", "square", "line", "dot")
    ]
}
PERSON = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "description": "in full"},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "mail": {"type": "string", "format": "email"},
        "born": {"type": "string", "format": "date-time"},
        "address": ADDRESS,
        "tags": {"type": "array", "items": {"enum": ["a", "b", None]}, "maxItems": 3},
    },
    "required": ["name", "age"],
}
DRAFT_4 = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "type": "object",
    "properties": {f"port{i}": {"type": "integer"} for i in range(8)},
    "patternProperties": {"^x-": {"type": "boolean"}},
    "additionalProperties": False,
}
WIDE = {
    "type": "object",
    "properties": {f"option_{i}": {"type": ["string", "null"], "title": f"Option {i}"} for i in range(60)},
}
TOGETHER = {
    "allOf": [{"$ref": "#/$defs/a"}, {"properties": {"b": {"type": "number", "multipleOf": 0.01}}}],
    "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    "$defs": {"a": {"type": "object", "properties": {"a": {"type": "array", "contains": {"const": 1}}}}},
}
#: The schema, a text that fits it, and the calls that were counted: to the first mask, and on the walk along the text.
SMALL: dict[str, tuple[Any, Any, int, int]] = {
    "address": (ADDRESS, {"city": "Oslo", "zip": "01234"}, 436, 1157),
    "tree": (TREE, {"left": {"left": {}, "right": {}}}, 400, 1400),
    "shapes": (SHAPES, {"kind": "line", "size": 2.5}, 932, 1420),
    "person": (
        PERSON,
        {"name": "Ada", "age": 36, "mail": "ada@example.org", "born": "2024-02-29T10:00:00Z", "tags": ["a", None]},
        619,
        24516,
    ),
    "draft 4": (DRAFT_4, {"port0": 80, "x-y": True, "port7": 443}, 426, 2439),
    "wide": (WIDE, {"option_7": None, "option_30": "x"}, 602, 1351),
    "together": (TOGETHER, {"a": [1, 2], "b": 1.25}, 863, 2387),
}
ROOM = 1.02  # sets of strings are looked through in another order in every process


def counts(schema: Any, instance: Any) -> tuple[int, int]:
    """The calls from the schema's text to its first mask, and those of all masks and steps of a text after that."""

    def build(text: str) -> guide.AutomatonGuide:
        made = guide.json_schema(text, V, whitespace="flexible", order="any", extra="schema", spelling="any")
        made.mask(made.initial)
        return made

    def walk(made: guide.AutomatonGuide, text: str) -> bool:
        state: int | None = made.initial
        for byte in text.encode():
            state = made.advance(state, byte + 1)
            assert state is not None, f"{text} is refused"
            made.mask(state)
        return made.accepting(state)

    V.clear_caches()
    forget()
    walk(build(SMALL_WARM_UP[0]), SMALL_WARM_UP[1])
    made, first = counted(lambda: build(json.dumps(schema)))
    valid, then = counted(lambda: walk(made, json.dumps(instance)))
    assert valid
    return first.ours, then.ours


def small() -> int:
    """Whether compiling a small schema takes more calls than it did."""
    if sys.version_info[:2] != RECORDED:
        print(f"the calls were counted on Python {RECORDED[0]}.{RECORDED[1]}")
        return 77
    slower = 0
    for name, (schema, instance, *recorded) in SMALL.items():
        now = counts(schema, instance)
        more = any(calls > ROOM * before for calls, before in zip(now, recorded, strict=True))
        slower |= more
        print(
            f"{name:10}{now[0]:>8,} calls to the first mask, {now[1]:>8,} on the walk{': more than ' * more}"
            f"{recorded if more else ''}"
        )
    return int(slower)


def main() -> int:
    options = arguments()
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    if options.small:
        return small()
    path = bench.DATA / "schemas" / "maskbench_dev.jsonl"
    if not path.is_file():
        print(f"no data in {bench.DATA}: set OUTLINES_CONT_DATA", file=sys.stderr)
        return 2
    words = Words.read(options.vocabulary)
    compiling = Compiling(words)
    earlier = Saved.read(options.against) if options.against else None
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in [line for line in lines if line["id"] in earlier.rows] if earlier else lines[:: options.every]:
        compiling.count(Case.read(line, words))
    report(compiling, earlier, options)
    if options.save:
        save(compiling, options.save)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="JSON Schemas: what compiling costs, in counts.")
    parser.add_argument("--vocabulary", default="tekken131k", help="a name in the data's vocab folder")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth schema")
    parser.add_argument(
        "--small", action="store_true", help="seven small schemas, held to counts that are written down"
    )
    parser.add_argument("--each", action="store_true", help="print a line for every schema")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="files and functions that are listed")
    parser.add_argument("--save", metavar="FILE", help="write the counts there")
    parser.add_argument("--against", metavar="FILE", help="compare with the counts there, of the same schemas")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
