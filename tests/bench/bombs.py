"""Constraints that blow up a careless compiler: is each right, and made and walked within its limit of processor time?

`python tests/bench/bombs.py`, from a checkout (on PYTHONPATH) or with the package installed. `--only` chooses by parts
of names, `--vocabulary` the tokens; the data lie in `../shared/data` beside the repository, or where
OUTLINES_CONT_DATA says. Each shape runs in a process of its own, which is ended at `--guard` seconds of processor time
or 4 GiB more memory: so one that does not end is one that failed.

    made     the guide, and the mask of its first state
    walk     the masks and the steps along a valid text, token by token, or forced bytes at once where there are some
    worst    the slowest of these
    limit    of all of it together

Correctness first: every valid text must be allowed token by token and the end after it, every invalid one refused.
The exit status is 1 if a shape is wrong or too slow.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from fsm import Ours, Words, bit  # tests/bench/fsm.py, beside this file

MEMORY = 4 << 30


class Bomb(NamedTuple):
    """A shape: what makes its guide, and texts. valid: the first one is timed."""

    limit: float
    make: Callable[[Any, Any], Any]
    valid: tuple[str, ...]
    invalid: tuple[str, ...] = ()


def schema(limit: float, document: Any, valid: list[Any], invalid: list[Any], **options: str) -> Bomb:
    text = json.dumps(document)
    texts = (tuple(json.dumps(x, separators=(",", ":")) for x in values) for values in (valid, invalid))
    return Bomb(limit, lambda guide, v: guide.json_schema(text, v, **options), *texts)


def constants() -> Iterator[tuple[str, Bomb]]:
    for n in (1_000, 50_000):
        limit, numbers, names = max(0.1, n / 50_000), list(range(n)), {f"k{i}": i for i in range(n)}
        yield f"const, list of {n:,}", schema(limit, {"const": numbers}, [numbers], [numbers[:-1], numbers[1:]])
        yield f"const, object of {n:,}", schema(limit, {"const": names}, [names], [{**names, "k0": 1}, {}])
        longer = {"enum": [numbers, [*numbers, 1], [0]]}
        yield f"enum, 3 lists of {n:,}", schema(limit, longer, [numbers, [*numbers, 1], [0]], [numbers[:-1]])
        few = n // 10
        lists = [[i, *range(8), -i] for i in range(few)]
        yield f"enum, {few:,} lists of 10", schema(limit, {"enum": lists}, [lists[7]], [lists[7][:-1], [few]])
        objects = [{"id": i, **{c: i for c in "abcdefghi"}} for i in range(few)]
        wrong = [{**objects[7], "a": 8}]
        yield f"enum, {few:,} objects of 10", schema(limit, {"enum": objects}, [objects[7]], wrong)
        yield f"not const, list of {n:,}", schema(limit, {"type": "array", "not": {"const": numbers}}, [[0]], [numbers])
        held = {"properties": {"a": {"const": numbers}}, "required": ["a"]}
        yield f"a list of {n:,} as a property", schema(limit, held, [{"a": numbers}], [{"a": numbers[1:]}])


def conditions() -> Iterator[tuple[str, Bomb]]:
    names = [f"n{i}" for i in range(200)]
    properties = {name: {"type": "integer"} for name in names}
    every = dict.fromkeys(names, 1)
    plain = {"type": "object", "properties": properties, "additionalProperties": False}
    pairs = {names[i]: [names[i + 1]] for i in range(0, 200, 2)}
    chain = {a: [b] for a, b in pairwise(names)}
    without = {name: 1 for name in names if name != names[151]}
    for order in ("schema", "any"):
        for how, dependent in (
            ("in pairs", pairs),
            ("as a chain", chain),
            ("on the last", {name: [names[-1]] for name in names[:-1]}),
            ("of the first", {names[0]: names[1:]}),
        ):
            invalid = [{names[0]: 1}] if how == "of the first" else [{names[150]: 1}]
            document = {**plain, "dependentRequired": dependent}
            yield f"dependentRequired {how}, {order} order", schema(0.2, document, [every, {}], invalid, order=order)
    then = {a: {"properties": {b: {"const": 1}}} for a, b in pairs.items() for b in b}
    yield (
        "dependentSchemas in pairs",
        schema(0.2, {**plain, "dependentSchemas": then}, [every, {}], [{names[150]: 1, names[151]: 2}]),
    )
    rules = [
        {"if": {"properties": {a: {"const": 1}}, "required": [a]}, "then": {"required": b}} for a, b in pairs.items()
    ]
    yield "100 × if, then", schema(0.2, {**plain, "allOf": rules}, [every, {names[150]: 2}], [without])
    rules = [{"anyOf": [{"required": [a]}, {"required": b}]} for a, b in pairs.items()]
    yield "100 × anyOf required", schema(0.2, {**plain, "allOf": rules}, [every, without], [{}])
    rules = [{"not": {"required": [a, *b]}} for a, b in pairs.items()]
    yield "100 × not required", schema(0.2, {**plain, "allOf": rules}, [dict.fromkeys(pairs, 1), {}], [every])


def unique() -> Iterator[tuple[str, Bomb]]:
    names = [f"name {i}" for i in range(50)]
    for n in (10, 50):
        document = {"type": "array", "uniqueItems": True, "items": {"enum": names}, "minItems": n}
        yield f"uniqueItems, {n} of 50 names", schema(0.1, document, [names], [[*names[:-1], "name 3"], names[: n - 1]])
    for low in (0, 200):
        numbers = {"type": "integer", "minimum": 1, "maximum": 200}
        document = {"type": "array", "uniqueItems": True, "items": numbers, "minItems": low}
        every = list(range(1, 201))
        yield f"uniqueItems, at least {low} of 200 integers", schema(0.1, document, [every], [[*every[:-1], 3], [0]])
    document = {"type": "array", "uniqueItems": True, "items": {"type": "string"}}
    yield "uniqueItems, 200 strings", schema(0.1, document, [[f"x{i}" for i in range(200)]], [["a", "a"]])


FORMATS = {
    "date-time": "2024-05-06T07:08:09Z",
    "date": "2024-05-06",
    "time": "07:08:09Z",
    "duration": "P1DT2H",
    "email": "jane@example.com",
    "idn-email": "jane@example.com",
    "hostname": "www.example.com",
    "ipv4": "192.168.0.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/a?b#c",
    "uri-reference": "../a",
    "iri": "https://example.com/ü",
    "iri-reference": "../ü",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "uri-template": "https://example.com/{id}",
    "json-pointer": "/a/b~0",
    "relative-json-pointer": "1/a",
}


def formats() -> Iterator[tuple[str, Bomb]]:
    for name, text in FORMATS.items():
        document = {"type": "string", "not": {"format": name}}
        yield f"not format {name}", schema(0.5, document, ["\\ a{ ["], [text])
    everything = {"type": "string", "allOf": [{"not": {"format": name}} for name in ("date", "email", "ipv4")]}
    yield "not 3 formats", schema(0.5, everything, ["\\ a{ ["], [FORMATS["date"], FORMATS["email"]])


def choice(guide: Any, vocabulary: Any, options: list[str]) -> Any:
    return guide.choice(options, vocabulary)


def choices() -> Iterator[tuple[str, Bomb]]:
    for n, limit in ((20_000, 0.05), (100_000, 0.3)):
        options = [f"{i * 7919 % n} Some Street {i}" for i in range(n)]
        text = options[n // 2]
        yield f"choice of {n:,}", Bomb(limit, partial(choice, options=options), (text,), (text + "x", "Some"))
        yield f"enum of {n:,}", schema(limit, {"enum": options}, [text], [text + "x", "Some"])
        pairs = {"type": "array", "items": {"enum": options}}
        yield f"list of an enum of {n:,}", schema(limit, pairs, [[text, options[0]]], [[text + "x"]])


def config(settings: int) -> dict[str, Any]:
    """A schema as the ones of configuration files are: many settings, each with alternatives that name each other."""
    kinds: list[Any] = [{"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "boolean"}]
    kinds += [{"enum": ["on", "off", "auto"]}, {"type": "array", "items": {"type": "string"}}]
    rules = [
        {
            "if": {"properties": {"type": {"const": f"plugin{i}"}}, "required": ["type"]},
            "then": {
                "properties": {
                    f"option{i}_{j}": {**kinds[j % 5], "description": f"What option {j} of plugin {i} is for. " * 3}
                    for j in range(12)
                },
                "required": [f"option{i}_0"],
            },
        }
        for i in range(settings)
    ]
    names = [f"plugin{i}" for i in range(settings)]
    return {"type": "object", "properties": {"type": {"enum": names}}, "required": ["type"], "allOf": rules}


def one_of(settings: int) -> dict[str, Any]:
    """The same as branches of a `oneOf`."""
    branches = [{**rule["if"], **rule["then"]} for rule in config(settings)["allOf"]]
    for i, branch in enumerate(branches):
        branch["properties"] = {"type": {"const": f"plugin{i}"}, **branch["properties"]}
        branch["required"] = ["type", f"option{i}_0"]
    return {"type": "object", "oneOf": branches}


def configurations() -> Iterator[tuple[str, Bomb]]:
    for how, document in (("if, then", config(300)), ("if, then", config(60)), ("oneOf", one_of(300))):
        valid = {"type": "plugin7", "option7_0": "x", "option7_1": 3}
        name = f"configuration by {how}, {len(json.dumps(document)) // 1000} kB"
        yield name, schema(0.3, document, [valid], [{"type": "plugin7"}, {"type": "plugin300"}])


def long_token(guide: Any, vocabulary: Any, pattern: str) -> Any:
    """A guide for a vocabulary with a token of a million bytes besides."""
    tokens = [*vocabulary.tokens, b"a" * 10**6]
    return guide.regex(pattern, type(vocabulary)(tokens, vocabulary.eos, vocabulary.special))


def tokens() -> Iterator[tuple[str, Bomb]]:
    yield "a token of 10⁶ bytes", Bomb(1, partial(long_token, pattern="[a-z ]*"), ("a sentence of words",), ("A",))
    yield "a token of 10⁶ bytes, counted", Bomb(1, partial(long_token, pattern="[a-z ]{1,1000}"), ("a word",), ("",))


SHAPES = (tokens, constants, conditions, unique, formats, choices, configurations)


def run(pipe: Any, name: str, words: Words, engine: Any) -> None:
    """One shape, in a process of its own: what it took, or what went wrong."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    bomb = dict(pair for shapes in SHAPES for pair in shapes())[name]
    texts = [(words.encode(text), text in bomb.valid) for text in (*bomb.valid, *bomb.invalid)]
    clock = time.process_time
    try:
        start = clock()
        guide = bomb.make(engine.guide, engine.vocabulary)
        guide.mask(guide.initial)
        made = clock() - start
        pipe.send(("made", made, 0.0, 0.0))
        start, worst = clock(), 0.0
        steps = walk(guide, texts[0][0], words)
        before = start
        for _ in steps:
            now = clock()
            worst, before = max(worst, now - before), now
        walked = clock() - start
        pipe.send(("walked", made, walked, worst))
        said = ""
        for (ids, valid), text in zip(texts, (*bomb.valid, *bomb.invalid), strict=True):
            last = guide.advance_all(guide.initial, ids)
            if (last is not None and guide.accepting(last)) is not valid:
                said = f"{'refuses' if valid else 'accepts'} {text[:60]}"
        pipe.send((said or "right", made, walked, worst))
    except Exception as error:
        pipe.send((f"{type(error).__name__}: {str(error)[:150]}", 0.0, 0.0, 0.0))


def walk(guide: Any, ids: tuple[int, ...], words: Words) -> Iterator[None]:
    """Along a text: the mask of each state, and the step after it; or all tokens at once that are forced."""
    state, at = guide.initial, 0
    while at < len(ids):
        forced, until, size = guide.forced(state), at, 0
        while until < len(ids) and size + len(words.tokens[ids[until]]) <= len(forced):
            size, until = size + len(words.tokens[ids[until]]), until + 1
        if until == at:
            until += 1
            if not bit(guide.mask(state), ids[at]):
                raise AssertionError(f"token {words.tokens[ids[at]]!r} is not in the mask")
        state, at = guide.advance_all(state, ids[at:until]), until
        yield
    guide.mask(state)
    yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vocabulary", default="tekken131k")
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--guard", type=int, default=20)
    options = parser.parse_args()
    words = Words.read(options.vocabulary)
    engine = Ours(words)
    words.encode("warm")
    for document, text in ((True, '[{"a":"b"},-1.5,null]'), ({"type": "string", "format": "date"}, '"2024-05-06"')):
        guide = engine.guide.json_schema(document, engine.vocabulary)
        for _ in walk(guide, words.encode(text), words):
            pass
    engine.vocabulary.clear_caches()
    fork, bad = multiprocessing.get_context("fork"), 0
    print(f"{'shape':50}{'made':>8}{'walk':>8}{'worst':>8}{'limit':>7}   s of processor time")
    for name, bomb in (pair for shapes in SHAPES for pair in shapes()):
        if not any(part in name for part in options.only):
            continue
        mine, theirs = fork.Pipe(False)
        process = fork.Process(target=limited, args=(options.guard, theirs, name, words, engine))
        process.start()
        theirs.close()
        outcome, numbers = "no answer", (0.0, 0.0, 0.0)
        while True:
            try:
                outcome, *numbers = mine.recv()
            except EOFError:
                break
        process.join()
        made, walked, worst = numbers
        if outcome in ("made", "walked", "no answer"):
            outcome = f"ended by the guard ({outcome})"
        slow = made + walked > bomb.limit
        bad += slow or outcome != "right"
        said = "" if outcome == "right" else f"  {outcome}"
        print(
            f"{name:50}{made:8.3f}{walked:8.3f}{worst:8.3f}{bomb.limit:7.2f}{' SLOW' if slow else ''}{said}", flush=True
        )
    return int(bad > 0)


def limited(seconds: int, *given: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    run(*given)


if __name__ == "__main__":
    sys.exit(main())
