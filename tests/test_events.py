"""Events of messages: whatever the chunking, each part is given out once, and all of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from random import Random
from typing import Any

import pytest
from strategies import shipped_model
from streams import chosen
from test_partial import begins

import outlines_cont as oc
from outlines_cont.stepping import Event, events

MARKS = {"<think>": "</think>", "<tool_call>": "</tool_call>"}
SCRAPS = ["<", "</", "<think", "<tool_cal", "</tool_call>", "tool_call>", "a", " b ", "\n", "é", "🦙", "日本", "{", '"']


def note(text: str, tags: list[str]) -> None: ...
def place(points: dict[str, dict[str, float]], exact: bool) -> None: ...
def ping() -> None: ...
def pin(n: int) -> None: ...


TOOLS = oc.types.tools([note, place, ping, pin])
MESSAGE = oc.types.triggered({"<think>": (str, "</think>"), "<tool_call>": (TOOLS, "</tool_call>")})
Part = tuple[str, str, Any]  # of a message: its kind, its text, and the call that this says


def call_of(random: Random, spelled: Callable[[Any], str]) -> Part:
    def words() -> str:
        return "".join(random.choices([*SCRAPS, *MARKS, *MARKS.values(), "\\", "\t"], k=random.randrange(6)))

    points = {words(): {words(): random.choice([1.5, -2.25, 1e-9]) for _ in range(2)} for _ in range(random.randrange(3))}
    made: dict[str, Any] = random.choice(
        [
            {"name": "note", "arguments": {"text": words(), "tags": [words() for _ in range(random.randrange(3))]}},
            {"name": "place", "arguments": {"points": points, "exact": random.random() < 0.5}},
            {"name": "ping", "arguments": {}},
            {"name": "pin", "arguments": {"n": random.randrange(10**4)}},
        ]
    )
    return "call", spelled(made), TOOLS.parse(json.dumps(made))


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def foreign(value: Any) -> str:
    """A call as another server may write it."""
    random = Random(str(value))
    return "\n" + json.dumps(value, indent=random.choice([None, 0, 2]), ensure_ascii=random.random() < 0.5) + " \n"


def script(seed: int, spelled: Callable[[Any], str] = compact) -> list[Part]:
    """A message of thoughts, text and calls, in which no mark comes where it would count as another one."""
    random, parts = Random(seed), list[Part]()
    for _ in range(random.randrange(1, 7)):
        kind, words = random.choice(["text", "thought", "call", "call"]), random.choices(SCRAPS, k=random.randrange(1, 8))
        text = "".join(words)
        if kind == "call":
            parts.append(call_of(random, spelled))
        elif kind == "thought":
            parts += [(kind, text, None)] * ("</think>" not in text)
        elif not (parts and parts[-1][0] == kind) and not any(mark in text for mark in MARKS):
            parts.append((kind, text, None))
    return parts


AROUND = {"text": (b"", b""), "thought": (b"<think>", b"</think>"), "call": (b"<tool_call>", b"</tool_call>")}


def message(parts: list[Part]) -> bytes:
    return b"".join(begin + text.encode() + end for kind, text, _ in parts for begin, end in [AROUND[kind]])


def cut(parts: list[Part], size: int) -> list[tuple[str, Any]]:
    """What the first bytes of a message say: of each part the kind and the value."""
    told: list[tuple[str, Any]] = []
    for kind, text, call in parts:
        begin, end = AROUND[kind]
        data, size = (begin + text.encode() + end)[: max(0, size)], size - len(begin + text.encode() + end)
        if len(data) < len(begin) or (kind == "text" and data):  # what may have become a mark is text
            before = told.pop()[1] if told and told[-1][0] == "text" else ""
            told += [("text", before + data.decode("utf-8", "replace"))] * bool(before or data)
        elif kind == "thought" and data:
            inner = data[len(begin) :].removesuffix(end)
            told += [(kind, inner.decode("utf-8", "replace"))] * bool(inner)
        elif kind == "call" and data:
            raw = data[len(begin) :].decode("utf-8", "replace").lstrip()
            told.append((kind, call) if len(data) >= len(begin + text.rstrip().encode()) else ("broken", raw))
    return told


def parts_of(given: list[Event]) -> list[tuple[str, Any]]:
    """The parts that events say, which are told in order, each once; the last one is the end."""
    assert [event.kind for event in given].count("end") == 1 and given[-1].kind == "end"
    read = []
    for number, (place, group) in enumerate(groupby(given[:-1], lambda event: event.part)):
        part = list(group)
        assert number == place and len({(event.name, event.row) for event in part}) == 1
        if part[0].kind in ("text", "thought", "given"):
            assert {event.kind for event in part} == {part[0].kind} and all(event.value for event in part)
            read.append((part[0].kind, "".join(event.value for event in part)))
            continue
        last = part.pop()
        kinds, values = [event.kind for event in part], [event.value for event in part if event.kind == "arguments"]
        assert kinds == ["name", *["arguments"] * len(values)][: len(kinds)]
        assert all(begins(one, other) and one != other for one, other in zip(values, values[1:], strict=False))
        if last.kind == "call":
            assert part[0].value == last.value.name and values[-1] == last.value.entry["function"]["arguments"]
        read.append((last.kind, last.value))
    return read


def chunks(data: bytes, seed: int) -> Iterator[list[Any]]:
    """A message in pieces: of 1, 2, 5 and 64 tokens, and of random bytes."""
    model, random = shipped_model(), Random(seed)
    whole = data.decode("utf-8", "ignore")
    tokens = [model.vocabulary.tokens[token] for token in model.encoder.append(whole)]
    tokens += [data.removeprefix(whole.encode())]
    assert b"".join(tokens) == data
    for size in (1, 2, 5, 64):
        yield [b"".join(tokens[at : at + size]) for at in range(0, len(tokens), size)]
    cuts = sorted(random.choices(range(len(data) + 1), k=random.randrange(9)))
    yield [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    yield [data.decode("utf-8", "replace")]


@pytest.mark.parametrize("spelled, seeds", [(compact, range(250)), (foreign, range(1000, 1060))])
def test_messages_are_whole_in_any_pieces(spelled: Callable[[Any], str], seeds: range) -> None:
    for seed in seeds:
        parts = script(seed, spelled)
        data = message(parts)
        size = Random(seed).choice([len(data), Random(-seed).randrange(len(data) + 1)])
        for pieces in chunks(data[:size], seed):
            assert parts_of(list(events(pieces, MESSAGE))) == cut(parts, size), (seed, pieces)


@cache
def generator() -> Any:
    return oc.Generator(shipped_model(), MESSAGE, oc.samplers.greedy())


def stepped(data: bytes, size: int, max_tokens: int) -> Iterator[Any]:
    """The states of a generation in which a model writes this message, each after so many steps more."""
    model = shipped_model()
    spelled = {model.vocabulary.tokens[token]: token for token in model.vocabulary.text_ids.tolist()}
    frontier, steps = generator().begin("Mira:", max_tokens=max_tokens), 0
    while not frontier.done:
        [[h]] = frontier.groups
        left = data[len(h.text) :]
        longest = (spelled.get(left[:n]) for n in range(12, 0, -1))
        token = next(token for token in longest if token is not None) if left else model.vocabulary.eos[0]
        frontier, steps = chosen(frontier, [token]), steps + 1
        if steps % size == 0 or frontier.done:
            frontier, partial = frontier.flush()
            yield partial


@pytest.mark.parametrize("first, size", enumerate([1, 2, 5, 64]))
def test_generated_messages_are_whole_however_many_tokens_come_at_once(first: int, size: int) -> None:
    for seed in range(first, 250, 4):
        parts = script(seed)
        *_, end = states = list(stepped(message(parts), size, Random(seed).choice([20, 60, 600])))
        given = list(events(states))
        written = len(end.model.vocabulary.decode(end.rows[0][0].ids)) - len("Mira:")
        assert parts_of(given) == cut(parts, written), seed
        assert given[-1].value == end.spans[0][0][-1].ended_by


# --- spans say what is what


def read(state: oc.SequenceState) -> list[list[list[tuple[str, Any, str | None]]]]:
    """Of each live row, what its spans after the prompt say: kinds, values and names."""
    told: list[list[list[tuple[str, Any, str | None]]]] = []
    for rows in state.rows:
        told.append([])
        for row in (row for row in rows if not row.dead):
            parts: list[tuple[str, Any, str | None]] = []
            for start, end, piece in [*row.placed][1:]:
                ids, constraint = row.ids[start:end], piece.origin.constraint
                if constraint is None or piece.kind != "generated":
                    parts.append(("given", state.model.vocabulary.decode(ids).decode("utf-8", "replace"), None))
                    continue
                if piece.origin.healed and parts:
                    parts[-1] = ("given", parts[-1][1] + piece.origin.healed.decode(), None)
                text = piece.value(ids, state.model.vocabulary).decode("utf-8", "replace")
                if constraint.kind == "json":
                    fine = piece.finished == "stop"
                    kind = ("call" if piece.name == "call" else "value") if fine else "broken"
                    parts.append((kind, constraint.parse(text) if fine else text, piece.name))
                elif text.removesuffix("."):
                    parts.append(("text", text.removesuffix("."), piece.name))
            told[-1].append([part for part in parts if part[1] != "" or part[0] == "call"])
    return told


def adding(a: int, b: int) -> int: ...


def chain() -> Any:
    model = shipped_model()

    def step(output_type: Any, name: str, **options: Any) -> Any:
        return oc.continuous(oc.Generator(model, output_type, SAMPLER.get()), name=name, **options)


