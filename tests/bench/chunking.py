"""Messages with tool calls, streamed in pieces: our events beside the streaming parser of a server.

    python tests/bench/chunking.py [--messages 250]

It needs an environment with vLLM (docs/testing.md), pytest and hypothesis. vLLM's parser for the format of Hermes
(`<tool_call>` and JSON) is asked; ours is `oc.stepping.events`. The messages are those of tests/test_events.py without
thoughts: text and calls, in pieces of 1, 2, 5 and 64 tokens. *Hard* ones have marks, or parts of them, in
the strings of calls or in the text; *plain* ones have none, and *in order* are those plain ones whose text comes before
the calls, as servers expect it. Of each message the text that came out, all of it together, and the calls, each with
its arguments as JSON, must be those of the message.
"""

from __future__ import annotations

import argparse
import codecs
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "CRITICAL")
os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from strategies import shipped_model
from test_events import MARKS, MESSAGE, Part, message, script

from outlines_cont.stepping import events

Outcome = tuple[str, list[tuple[str, Any]]]  # all text, and the calls by name and arguments
HARD = [*MARKS, *MARKS.values(), "<think", "<tool_cal", "tool_call>", "</"]


def kinds(parts: list[Part]) -> list[str]:
    if any(mark in text for _, text, _ in parts for mark in HARD):
        return ["hard"]
    calls = [kind == "call" for kind, _, _ in parts]
    return ["plain", *(["in order"] if calls == sorted(calls) else [])]


def meant(parts: list[Part]) -> Outcome:
    calls = [json.loads(text) for kind, text, _ in parts if kind == "call"]
    return "".join(text for kind, text, _ in parts if kind == "text"), [(c["name"], c["arguments"]) for c in calls]


def pieces(data: bytes, size: int) -> list[str]:
    """Whole characters only, as servers send them."""
    model, decoder = shipped_model(), codecs.getincrementaldecoder("utf-8")()
    tokens = [model.vocabulary.tokens[token] for token in model.encoder.append(data.decode())]
    return [decoder.decode(b"".join(tokens[at : at + size])) for at in range(0, len(tokens), size)]


def ours(deltas: list[str]) -> Outcome:
    text, calls = "", list[tuple[str, Any]]()
    for event in events(deltas, MESSAGE):
        if event.kind in ("text", "given"):
            text += event.value
        elif event.kind == "call":
            entry = event.value.entry["function"]
            calls.append((entry["name"], entry["arguments"]))
    return text, calls


def theirs(deltas: list[str]) -> Outcome:
    parser = import_module("vllm.tool_parsers.hermes_tool_parser").Hermes2ProToolParser(shipped_model().tokenizer)
    text, before, made = "", "", dict[int, list[str]]()
    for delta in deltas:
        now = before + delta
        told = parser.extract_tool_calls_streaming(before, now, delta, [], [], [], None)
        before = now
        if told is not None:
            text += told.content or ""
            for call in told.tool_calls:
                part = made.setdefault(call.index, ["", ""])
                part[0] += call.function.name or ""
                part[1] += call.function.arguments or ""
    return text, [(name, _json(arguments)) for name, arguments in made.values()]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return f"no JSON: {text}"


def cases(messages: int) -> Iterator[tuple[str, list[Part], int]]:
    for seed in range(messages):
        parts = list[Part]()
        for part in (each for each in script(seed) if each[0] != "thought"):
            if part[0] == "text" and parts and parts[-1][0] == "text":
                parts[-1] = ("text", parts[-1][1] + part[1], None)
            else:
                parts.append(part)
        if any(mark in text for kind, text, _ in parts if kind == "text" for mark in MARKS):
            continue  # two texts together made a mark
        for kind in kinds(parts):
            for size in (1, 2, 5, 64):
                yield kind, parts, size


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=250)
    options = parser.parse_args()
    counts = Counter[tuple[str, str]]()
    for kind, parts, size in cases(options.messages):
        deltas = pieces(message(parts), size)
        counts[kind, "all"] += 1
        for name, read in (("ours", ours), ("vLLM", theirs)):
            (text, calls), wanted = read(deltas), meant(parts)
            counts[kind, name] += (text, calls) == wanted
            counts[kind, name + ", calls only"] += calls == wanted[1]
    for (kind, name), count in sorted(counts.items()):
        print(f"{kind:9} {name:17} {count}")
    return int(any(counts[kind, "ours"] < counts[kind, "all"] for kind, name in list(counts) if name == "all"))


if __name__ == "__main__":
    sys.exit(main())
