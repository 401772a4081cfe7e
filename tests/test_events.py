"""Events of messages: whatever the chunking, each part is given out once, and all of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest
from strategies import shipped_model
from streams import chosen, values_of
from test_partial import begins
from test_stream import hook_of

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

    points = {
        words(): {words(): random.choice([1.5, -2.25, 1e-9]) for _ in range(2)} for _ in range(random.randrange(3))
    }
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
        kind, words = (
            random.choice(["text", "thought", "call", "call"]),
            random.choices(SCRAPS, k=random.randrange(1, 8)),
        )
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
        of_call = [event.kind for event in part[:1]] == ["name"]
        values = [event.value for event in part[of_call:]]
        assert {event.kind for event in part[of_call:]} <= {"arguments" if of_call else "partial"}
        assert all(begins(one, other) and one != other for one, other in pairwise(values))
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


def stepped(data: bytes, size: int, max_tokens: int, begun: Any = None) -> Iterator[Any]:
    """The states of a generation in which a model writes this message, each after so many steps more."""
    model = shipped_model()
    spelled = {model.vocabulary.tokens[token]: token for token in model.vocabulary.text_ids.tolist()}
    frontier = generator().begin(begun or "Mira:", max_tokens=max_tokens, resume=begun is not None)
    steps = 0
    while not frontier.done:
        [[h]] = frontier.groups
        left = data[len(h.text) :]
        longest = (spelled.get(left[:n]) for n in range(12, 0, -1))
        token = next(token for token in longest if token is not None) if left else model.vocabulary.eos[0]
        frontier, steps = chosen(frontier, [token]), steps + 1
        if steps % size == 0 or frontier.done:
            frontier, partial = frontier.flush()
            yield partial


@pytest.mark.parametrize("first, size", [*enumerate([1, 2, 5, 64])])
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
                else:
                    parts.append(("text", text.removesuffix("." if constraint.include_stop else ""), piece.name))
            told[-1].append([part for part in parts if part[1] != "" or part[0] == "call"])
    return told


def adding(a: int, b: int) -> int: ...


def assistant(sampler: Any) -> oc.Chain:
    """A thought up to a mark that stays, a call, a record and an answer."""
    model = shipped_model()
    call, record = oc.types.tools([adding, ping]), {"properties": {"n": {"type": "integer"}}, "required": ["n"]}

    def step(output_type: Any, name: str, most: int) -> oc.Step:
        return oc.continuous(oc.Generator(model, output_type, sampler), name=name, max_tokens=most)

    think = oc.continuous(oc.generate.text(model, sampler, include_stop=True), name="think", stop_at=".", max_tokens=9)
    chain = think >> " Call: " >> step(call, "call", 60) >> "\nJSON with n: " >> step(record, "record", 9)
    return chain >> " So " >> step(str, "answer", 5)


SAMPLERS = {
    "greedy": oc.samplers.greedy(),
    "drawn": oc.samplers.multinomial(),
    "samples": oc.samplers.multinomial(3, temperature=1.5),
    "beams": oc.samplers.beam_search(3),
    "particles": oc.samplers.smc(3, 0.5),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("which", SAMPLERS)
def test_the_events_of_a_chain_are_what_its_spans_say(which: str, seed: int) -> None:
    """A row that is there from the beginning has all of them; what a search gives another one is as much as all have
    in common, and the rest of its own."""
    chain, states = assistant(SAMPLERS[which]), list[Any]()

    def kept() -> Iterator[Any]:
        for state in chain.stream(["Mira is 34.", "What is 3 + 4?"], seed=seed):
            states.append(state)
            yield state

    given, told = list(events(kept())), read(states[-1])
    for b, rows in enumerate(told):
        for s, parts in enumerate(rows):
            of_row = [event for event in given if event.row == (b, s)]
            if all(len(state.rows[b]) > s and not state.rows[b][s].dead for state in states):
                names = [event.name for _, (event, *_) in groupby(of_row[:-1], lambda event: event.part)]
                assert [(*part, name) for part, name in zip(parts_of(of_row), names, strict=True)] == parts
            assert of_row[-1].value == states[-1].spans[b][s][-1].ended_by
    early = [event.kind for event in events(chain.stream("Mira is 34.", seed=seed))]
    assert (
        {"text", "given", "name", "arguments", "call", "partial", "value", "end"}
        >= {*early}
        >= {"text", "given", "end"}
    )


# --- streams that are cut, go back, or are asynchronous


class Cut(Exception):
    pass


def up_to(states: list[Any]) -> list[Event]:
    """The events of the beginning of a stream."""

    def beginning() -> Iterator[Any]:
        yield from states
        raise Cut

    given: list[Event] = []
    with pytest.raises(Cut):
        given += (event for event in events(beginning()))
    return given


def test_a_stream_that_is_cut_and_resumed_says_the_same() -> None:
    for seed in range(40):
        parts = script(seed)
        states = list(stepped(message(parts), 1, 600))
        cut_at = Random(seed).randrange(len(states))
        first = up_to(states[: cut_at + 1])
        if states[cut_at].finished != [["interrupted"]]:
            continue
        rest_of = stepped(message(parts), 1, 600, states[cut_at])
        assert parts_of([*first, *events(rest_of)]) == cut(parts, 10**9), (seed, cut_at)


@pytest.mark.parametrize("horizon", [None, 0, 3])
def test_what_hooks_may_take_back_is_no_event(horizon: int | None) -> None:
    """Joined, the texts are the value, whatever hooks have taken back on the way."""
    text = oc.generate.text(shipped_model(), oc.samplers.multinomial(2, temperature=2.0))
    for seed in range(12):
        states: list[Any] = []
        hooks = oc.steer.Hooks(hook_of(seed, horizon), horizon=horizon)

        def kept(hooks: Any = hooks, seed: int = seed, states: list[Any] = states) -> Iterator[Any]:
            for state in text.stream(["Mira is", "Rome is"], seed=seed, hooks=hooks, max_tokens=12):
                states.append(state)
                yield state

        given = list(events(kept()))
        for b, rows in enumerate(values_of(states[-1])):
            for s, value in enumerate(rows):
                of_row = [event for event in given if event.row == (b, s)]
                assert "".join(event.value for event in of_row if event.kind == "text") == value


def test_asynchronous_streams_say_the_same() -> None:
    step = assistant(oc.samplers.multinomial(2))

    async def read_all() -> list[Event]:
        return [event async for event in events(step.astream("Mira is 34.", seed=5))]

    assert asyncio.run(read_all()) == list(events(step.stream("Mira is 34.", seed=5)))


# --- types


@pytest.mark.parametrize("seed", range(30))
def test_calls_in_a_list_are_given_one_by_one(seed: int) -> None:
    random = Random(seed)
    calls = [call_of(random, foreign) for _ in range(random.randrange(4))]
    text = "[" + ",".join(text for _, text, _ in calls) + "]"
    if random.random() < 0.5 and calls:
        text, calls = text[:-2].rstrip()[:-1], [*calls[:-1], ("broken", calls[-1][1].strip()[:-1], None)]
    for pieces in chunks(text.encode(), seed):
        told = parts_of(list(events(pieces, list[TOOLS])))
        assert told == [(kind, call if kind == "call" else text) for kind, text, call in calls]


def test_values_of_other_types_are_those_that_the_whole_text_has() -> None:
    """As `oc.types.triggered` reads a text at once."""
    record = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    kinds: dict[str, Any] = {
        "<i>": (int, "</i>"),
        "<c>": (["a", "a<"], "<"),
        "<r>": (record, "</r>"),
        "<t>": (str, "."),
    }
    mixed = oc.types.triggered(kinds)
    texts = {"<i>": ["7</i>", "-40</i>"], "<c>": ["a<", "a<<"], "<r>": ['{"n":5}</r>'], "<t>": ["x <i>.", "."]}
    for seed in range(60):
        random, text = Random(seed), ""
        for _ in range(random.randrange(5)):
            mark = random.choice([*texts, "t <", "é"])
            text += mark + random.choice(texts.get(mark, [""]))
        parts = [part if isinstance(part, tuple) else (None, part) for part in mixed.asked().parse(text)]
        for pieces in chunks(text.encode(), seed):
            given = list(events(pieces, mixed))
            names = [event.name for _, (event, *_) in groupby(given[:-1], lambda event: event.part)]
            told = [(name, value) for name, (_, value) in zip(names, parts_of(given), strict=True)]
            assert told == [part for part in parts if part != ("<t>", "")], text


def test_what_is_no_call_is_given_as_it_is() -> None:
    for raw in [
        '{"name":"none","arguments":{}}',
        '{"name":"pin","arguments":{"n":"x"}}',
        "{'name'}",
        '{"name": ',
        "7",
        "",
    ]:
        data = f"a<tool_call>{raw}</tool_call>b".encode()
        for pieces in chunks(data, 0):
            assert parts_of(list(events(pieces, MESSAGE))) == [("text", "a"), ("broken", raw), ("text", "b")]


def test_what_is_no_message_is_refused_by_name() -> None:
    three: Any = [3]
    with pytest.raises(
        TypeError, match=r"events\(\) takes the states of a stream, or pieces of text \(str, bytes\), not 3"
    ):
        list(events(three))
    nested = oc.types.triggered({"<a": (str, "."), "<ab": (str, ".")})
    with pytest.raises(ValueError, match="the trigger '<a' stands within '<ab'"):
        list(events(["x"], nested))
