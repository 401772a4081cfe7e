"""How far the reader of one step has to walk: calls, functions, files, and how often the file and the folder change.

    python tests/bench/walk.py

Traces two things, each warm, so that nothing is counted that happens once: one decode step of one row (the frontier's
needs, the model's forward, the draw, the next frontier), and one JSON Schema that becomes a guide with the mask of its
first state. Only functions of this repository are counted; what runs in compiled code is one call. A change of file is
a call whose file is not that of the call before it.

The figures are counts, and the same in every run: no time is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import outlines_cont as oc
from outlines_cont.fsm import guide as guides

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 20},
        "born": {"type": "integer", "minimum": 1900, "maximum": 2100},
        "tags": {"type": "array", "items": {"enum": ["poet", "pilot"]}, "uniqueItems": True},
        "home": {"$ref": "#/$defs/place"},
    },
    "required": ["name", "home"],
    "additionalProperties": False,
    "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string", "pattern": "^[A-Z]"}}}},
}


def traced(run: Callable[[], Any]) -> list[tuple[str, str]]:
    """The calls of functions of this repository while `run` runs, in order: (file from the root, function)."""
    calls: list[tuple[str, str]] = []
    names: dict[str, str | None] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        path = frame.f_code.co_filename
        if path not in names:
            real = Path(path).resolve()
            ours = (
                not path.startswith("<")
                and real.is_relative_to(ROOT)
                and real != Path(__file__).resolve()
                and ".venv" not in real.parts
            )
            names[path] = real.relative_to(ROOT).as_posix() if ours else None
        if (name := names[path]) is not None:
            calls.append((name, f"{frame.f_code.co_qualname}:{frame.f_code.co_firstlineno}"))

    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def figures(calls: list[tuple[str, str]]) -> dict[str, int]:
    files = [file for file, _ in calls]
    folders = [file.rpartition("/")[0] for file in files]
    return {
        "calls": len(calls),
        "functions": len(set(calls)),
        "files": len(set(files)),
        "folders": len(set(folders)),
        "changes of file": sum(a != b for a, b in pairwise(files)),
        "changes of folder": sum(a != b for a, b in pairwise(folders)),
    }


def decode_step(model: oc.Model) -> Callable[[], Any]:
    """One step in the middle of a text of one row, drawn by the default sampler."""
    frontier = oc.generate.text(model).begin("The sky is", max_tokens=40, seed=0)
    for _ in range(8):
        frontier = frontier.step(*model.read(frontier.pending))

    def step() -> Any:
        return frontier.step(*model.read(frontier.pending))

    return step


def schema_guide(model: oc.Model) -> Callable[[], Any]:
    """A schema that becomes a guide, and the first mask of it, with the vocabulary's own tables made before.

    Every time with another title: guides of equal schemas are remembered.
    """
    titles = count()

    def make() -> Any:
        schema = json.dumps({"title": f"schema {next(titles)}", **SCHEMA})
        guide = guides.json_schema(schema, model.vocabulary, spelling="any")
        return guide.mask(guide.initial)

    for _ in range(2):
        make()
    return make


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--list", action="store_true", help="print every call, too")
    arguments = options.parse_args()
    model = oc.load()
    jobs = {"one decode step": decode_step(model), "schema to guide": schema_guide(model)}
    walks = {name: traced(job) for name, job in jobs.items()}
    rows = {name: figures(calls) for name, calls in walks.items()}
    print(f"{'':20}", *(f"{name:>18}" for name in next(iter(rows.values()))))
    for name, row in rows.items():
        print(f"{name:20}", *(f"{count:>18,}" for count in row.values()))
    if arguments.list:
        for name, calls in walks.items():
            print(f"\n{name}")
            for file, function in calls:
                print(f"  {file:40} {function}")


if __name__ == "__main__":
    main()
