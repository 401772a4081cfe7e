"""Values that are always whole (`whole=True`): do they close, what does a step cost, and what does a budget cost.

`python tests/bench/whole.py [FOLDER] [--part guides | thoughts | calls | quality]... [--quick]`, with the package and
jsonschema installed. FOLDER is a model with its tokenizer, as transformers saves it (docs/testing.md); without one, the
vocabulary and the model that ship are taken, and the part `quality` is left out. The real schemas lie in
`../shared/data` beside the repository, or where OUTLINES_CONT_DATA says.

    guides   Correctness first. Guides of all kinds, from the least budget upward: walks at random, and walks of an
             adversary, who takes of a dozen tokens the one that is furthest from an end. Each must close in its budget,
             and be accepted by what knows the constraint without us (`re`, the list of options, jsonschema; a grammar's
             guide). With room, the mask should be the guide's own array: it is not where no end is known after a token,
             which is told. Then the CPU time that a step takes longer than that of the plain guide.
    thoughts What a step of a thought with a budget costs beside one of plain text: µs of CPU, masks warm; how long its
             masks take when they are first asked for, and how many there are.
    calls    As the model draws. With room, calls give the tokens and the passes of plain ones; without, their values
             are whole.
    quality  Forty texts with known answers: what a budget does to plain and to whole values, by the given model.

The exit status is 1 if a walk did not close, a text was not accepted, or a call with room was another.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jsonschema import FormatChecker
from jsonschema.validators import validator_for

import outlines_cont as oc
from fsm import DATA, EVERYDAY  # tests/bench/fsm.py, beside this file
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.endings import FAR, endings_of
from outlines_cont.fsm.vocabulary import Vocabulary, unpack
from outlines_cont.fsm.within import Within

DOZEN = 12
ROOM = 100_000  # tokens
EVERY = 20  # of the real schemas
LONGEST = 400  # tokens of a walk: longer ones are not taken
STORY = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"

# --- guides


class Case(NamedTuple):
    """A constraint, and who else can tell what it accepts."""

    kind: str
    name: str
    make: Callable[[Vocabulary], Any]
    accepts: Callable[[str], bool] | None = None  # None: only the guide


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _unique(items: dict[str, Any], least: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "uniqueItems": True}


TEXT, WHOLE_NUMBER = {"type": "string"}, {"type": "integer"}
DATE, UUID, EMAIL = ({"type": "string", "format": name} for name in ("date", "uuid", "email"))
NODE = _object(v=WHOLE_NUMBER, c={"type": "array", "items": {"$ref": "#/$defs/node"}})
SCHEMAS: dict[str, tuple[str, Any]] = {
    "person": ("schema", _object(name=TEXT, age=WHOLE_NUMBER, job={"enum": ["painter", "baker"]})),
    "optional": ("schema", {**_object(name=TEXT, city=TEXT), "required": ["name"]}),
    "lengths": ("schema", _object(a={**TEXT, "minLength": 12}, b={"type": "array", "minItems": 3, "maxItems": 9})),
    "formats": ("schema", _object(date=DATE, id=UUID, mail=EMAIL)),
    "kinds": ("schema", {"oneOf": [_object(a={"const": 1}, text={**TEXT, "minLength": 9}), _object(b={"const": 2})]}),
    "any JSON": ("recursion", {}),
    "tree": ("recursion", {"$ref": "#/$defs/node", "$defs": {"node": NODE}}),
    "free names": ("names", {"type": "object", "additionalProperties": WHOLE_NUMBER, "minProperties": 3}),
    "like a pattern": ("names", {"type": "object", "propertyNames": {"pattern": "^[a-z]{2,}$"}, "minProperties": 2}),
    "beside others": ("names", {**_object(processors=WHOLE_NUMBER, nodes=TEXT), "additionalProperties": TEXT}),
    "unique words": ("uniqueItems", _unique(TEXT, 3)),
    "unique digits": ("uniqueItems", _unique({**WHOLE_NUMBER, "minimum": 0, "maximum": 9}, 8)),
    "unique options": ("uniqueItems", _unique({"enum": ["a", "b", "cc", "ddd"]}, 4)),
    "unique objects": ("uniqueItems", _unique(_object(a=TEXT), 2)),
}
PATTERNS = (
    "a+b|cc",
    "[0-9]+",
    r"\w{3,}@\w+\.(com|org)",
    ".{40}",
    "(?:(?:ab){3}|c{50})+x",
    "<think>.{0,200}</think>[A-Z]",
    r"(?=.*\d)(?=.*[a-z]).{8,}",
    "é+ü{2}|東京",
    r"([A-Z].{10,60}\. ){1,3}",
)
GRAMMARS = {
    "sums": 'start: term (OP term)*\nterm: NUMBER | "(" start ")"\nOP: /[-+*]/\nNUMBER: /[0-9]+/',
    "brackets": 'start: "(" start ")" start | "[" start "]" | "x"',
    "blocks": 'start: "begin " stmt* "end"\nstmt: NAME " = " NAME "; " | start " "\nNAME: /[a-z]{2,8}/',
}
LISTS = {"words": ["yes", "no", "maybe later", "I do not know"], "ids": [f"id-{n * n:06}" for n in range(500)]}


@cache
def _validator(text: str) -> Any:
    schema = json.loads(text)
    kind = validator_for(schema)
    formats = FormatChecker()
    formats.checkers = {**kind.FORMAT_CHECKER.checkers}
    formats.checks("date")(lambda value: not isinstance(value, str) or _is_date(value))
    return kind(schema, format_checker=formats)


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(re.sub("^0000", "2000", text)))  # Python knows no year 0
    except ValueError:
        return False


def of_schema(kind: str, name: str, schema: Any, **options: Any) -> Case:
    text = json.dumps(schema)
    return Case(
        kind,
        name,
        lambda v: guides.json_schema(text, v, **options),
        lambda value: _validator(text).is_valid(json.loads(value)),
    )


def of_pattern(name: str, pattern: str) -> Case:
    return Case("regex", name, lambda v: guides.regex(pattern, v), lambda s: re.fullmatch(pattern, s) is not None)


def all_cases(quick: bool) -> Iterator[Case]:
    yield from (of_pattern(pattern, pattern) for pattern in PATTERNS)
    yield from (of_pattern(name, pattern) for name, pattern, _, _ in EVERYDAY[:: 3 if quick else 1])
    for name, options in LISTS.items():
        yield Case("choice", name, lambda v, options=options: guides.choice(options, v), options.__contains__)
    for name, text in GRAMMARS.items():
        yield Case("grammar", name, lambda v, text=text: guides.grammar(text, v))
    for name, (kind, schema) in SCHEMAS.items():
        yield of_schema(kind, name, schema, extra="schema")
        if kind in ("names", "recursion"):
            yield of_schema(kind, f"{name}, any order", schema, extra="schema", order="any", whitespace="flexible")
    path = DATA / "schemas" / "maskbench_dev.jsonl"
    if path.is_file():
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in map(json.loads, lines[:: EVERY * (4 if quick else 1)]):
            wide = {"extra": "schema", "order": "any", "format": "assert"}
            yield of_schema("real schema", line["id"], line["schema"], whitespace="flexible", **wide)
            yield of_schema("real schema", line["id"] + ", by default", line["schema"])
    else:
        print(f"no real schemas: {path} is missing")


def budgets(need: int) -> list[int]:
    return sorted({need, need + 1, need + 3, math.ceil(1.25 * need), 2 * need})


# --- walks


class Walk(NamedTuple):
    """What was drawn. fault: why it is wrong."""

    states: list[Any]
    ids: list[int]
    fault: str


Chooser = Callable[[Within, Any, np.ndarray, random.Random], int]


def at_random(g: Within, state: Any, allowed: np.ndarray, r: random.Random) -> int:
    return int(r.choice(allowed))


def adversary(g: Within, state: Any, allowed: np.ndarray, r: random.Random) -> int:
    """The one of a dozen tokens after which an end is furthest."""
    tokens = {int(r.choice(allowed)) for _ in range(DOZEN)}
    inner, _ = state
    return max(sorted(tokens), key=lambda token: g.endings.need(g.guide.advance(inner, token)))


def walk(g: Within, choose: Chooser, r: random.Random, stops: float) -> Walk:
    """stops: how often a text ends where it may; where it must, always."""
    v, state, states, ids = g.vocabulary, g.initial, [], []
    while True:
        states.append(state)
        mask = g.mask(state)
        allowed = np.flatnonzero(unpack(mask & v.no_eos, len(v)))
        accepting = g.accepting(state)
        if bool(unpack(mask, len(v))[list(v.eos)].any()) is not accepting:
            return Walk(states, ids, "the eos is allowed where the text may not end, or is not where it may")
        if not len(allowed):
            return Walk(states, ids, "" if accepting else "a dead end")
        if state[1] <= 0:
            return Walk(states, ids, "tokens are allowed of which none is left")
        if accepting and r.random() < stops:
            return Walk(states, ids, "")
        if len(ids) >= LONGEST:
            return Walk(states, ids, "too long")
        token = choose(g, state, allowed, r)
        state = g.advance(state, token)
        if state is None:
            return Walk(states, ids, f"token {token} is in the mask and is not taken")
        ids.append(token)


def same_with_room(guide: Any, states: list[Any]) -> list[Any]:
    """Those of these states whose mask, with very many tokens left, is not the guide's own array."""
    wide = Within(guide, ROOM)
    return [inner for inner, _ in states if wide.mask((inner, ROOM)) is not guide.mask(inner)]


def seconds(work: Callable[[], Any]) -> float:
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


def step_seconds(g: Within, states: list[Any], ids: list[int]) -> list[float]:
    """What each step near the edge takes longer than the plain guide's, which is warm: s of CPU."""
    taken = []
    for state, token in zip(states, ids, strict=False):
        inner, _ = state
        g.guide.mask(inner), g.guide.accepting(inner), g.guide.forced(inner)
        plain = seconds(lambda inner=inner, token=token: (g.guide.mask(inner), g.guide.advance(inner, token)))
        whole = seconds(lambda state=state, token=token: (g.mask(state), g.advance(state, token)))
        if g.place(state)[0] is g:
            taken.append(whole - plain)
    return taken


class Figures:
    """Of all guides, by their kind."""

    def __init__(self) -> None:
        self.times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.faults: list[str] = []

    def table(self) -> None:
        head = ("guides", "walks", "closed", "accepted", "states with room", "other array")
        print(f"\n{'':14}" + "".join(f"{name:>18}" for name in head))
        for kind, counts in self.counts.items():
            print(f"{kind:14}" + "".join(f"{counts[name]:>18}" for name in head))
        total = sum(self.counts.values(), Counter())
        print(f"{'all':14}" + "".join(f"{total[name]:>18}" for name in head))
        print(f"\n{'ms of CPU':14}" + "".join(f"{name:>30}" for name in ("first need", "cold step", "warm step")))
        print(f"{'':14}" + f"{'median      p99      max':>30}" * 3)
        every: dict[str, list[float]] = defaultdict(list)
        for kind, times in self.times.items():
            print(f"{kind:14}" + "".join(spread(times[name]) for name in ("first", "cold", "warm")))
            for name, values in times.items():
                every[name] += values
        print(f"{'all':14}" + "".join(spread(every[name]) for name in ("first", "cold", "warm")))


def spread(values: list[float]) -> str:
    if not values:
        return f"{'–':>30}"
    return f"{1e3 * statistics.median(values):12.3f}{1e3 * np.quantile(values, 0.99):9.2f}{1e3 * max(values):9.2f}"


def judge(case: Case, v: Vocabulary, figures: Figures, r: random.Random, quick: bool) -> None:
    """One guide, in all its budgets."""
    counts, times = figures.counts[case.kind], figures.times[case.kind]
    try:
        guide = case.make(v)
    except ConstraintError as error:
        counts["refused"] += 1
        print(f"  {case.kind}, {case.name}: refused: {str(error)[:100]}")
        return
    guide.mask(guide.initial), guide.accepting(guide.initial)
    times["first"].append(seconds(lambda: endings_of(guide).need(guide.initial)))
    need = endings_of(guide).need(guide.initial)
    if need >= FAR or need > LONGEST // 2:
        counts["none known"] += need >= FAR
        print(f"  {case.kind}, {case.name}: need {'unknown' if need >= FAR else need}, left out")
        return
    counts["guides"] += 1
    _below(case, guide, need, figures)
    for budget in budgets(need):
        g = Within(guide, budget)
        chooser: Chooser
        for chooser, stops, count in ((at_random, 0.3, 2), (at_random, 0.0, 1), (adversary, 0.0, 1 if quick else 2)):
            for _ in range(count):
                drawn = walk(g, chooser, r, stops)
                _count(case, guide, budget, chooser.__name__, drawn, figures)
        others = same_with_room(guide, drawn.states)
        counts["other array"] += len(others)
        if others:
            print(f"  {case.kind}, {case.name}: with room, tokens are missing in {len(others)} states: no end is known")
        counts["states with room"] += len(drawn.states)
    drawn = walk(Within(guide, math.ceil(1.25 * need)), at_random, r, 0.0)
    v.cache.pop(guides.GUIDES)
    g = Within(case.make(v), math.ceil(1.25 * need))
    for name in ("cold", "warm"):  # states of the first guide are none of the other's: the walk is read again
        states = [g.initial]
        taken = []
        for token in drawn.ids:
            taken += step_seconds(g, states[-1:], [token])
            after = g.advance(states[-1], token)
            if after is None:  # another ending is known here
                break
            states.append(after)
        times[name] += taken


def _below(case: Case, guide: Any, need: int, figures: Figures) -> None:
    if need:
        try:
            Within(guide, need - 1)
            figures.faults.append(f"{case.kind}, {case.name}: {need - 1} tokens are not refused")
        except ConstraintError as error:
            if not str(error).endswith(f"takes {need}"):
                figures.faults.append(f"{case.kind}, {case.name}: {error}")


def _count(case: Case, guide: Any, budget: int, who: str, drawn: Walk, figures: Figures) -> None:
    counts, v = figures.counts[case.kind], guide.vocabulary
    counts["walks"] += 1
    where = f"{case.kind}, {case.name}, {budget} tokens, {who}: "
    if drawn.fault == "too long":
        counts["too long"] += 1
        figures.faults.append(where + "too long")
        return
    if drawn.fault or len(drawn.ids) > budget:
        figures.faults.append(where + (drawn.fault or "too many tokens") + f" after {v.decode(drawn.ids)!r}")
        return
    counts["closed"] += 1
    data = v.decode(drawn.ids)
    state = guide.initial
    for token in drawn.ids:
        state = guide.advance(state, token)
    accepted = state is not None and guide.accepting(state)
    if case.accepts is not None:
        try:
            accepted = accepted and case.accepts(data.decode())
        except Exception as error:
            accepted = False
            where += f"{type(error).__name__}: {error}, "
    counts["accepted"] += accepted
    if not accepted:
        figures.faults.append(where + f"not accepted: {data!r}")


def part_guides(v: Vocabulary, quick: bool, only: str | None) -> list[str]:
    """All guides on one vocabulary."""
    figures, r = Figures(), random.Random(56)
    warm = Within(guides.regex("[a-f]+é", v), 9)
    walk(warm, adversary, r, 0.0)
    for case in all_cases(quick):
        if only and only not in f"{case.kind}, {case.name}":
            continue
        begin = time.process_time()
        before = len(figures.faults)
        judge(case, v, figures, r, quick)
        took = time.process_time() - begin
        if took > 5 or len(figures.faults) > before:
            print(f"  {case.kind}, {case.name}: {took:.1f} s, {len(figures.faults) - before} faults", flush=True)
    figures.table()
    return figures.faults


# --- calls

JOBS = ["painter", "sailor", "baker"]


def part_thoughts(v: Vocabulary) -> None:
    """Plain text and thoughts along the same thousand tokens, and a thought whose budget ends on the way."""
    longest: dict[int, list[bytes]] = defaultdict(list)
    for token in v.text_ids.tolist():
        longest[len(v.tokens[token])].append(v.tokens[token])
    number = {v.tokens[token]: token for token in v.text_ids.tolist()}
    data, ids = (STORY + "If 1 < 2, é follows; </b> is no mark.\n").encode() * 40, list[int]()
    while data and len(ids) < 1000:
        size = next(n for n in range(max(longest), 0, -1) if data[:n] in number)
        ids.append(number[data[:size]])
        data = data[size:]
    marks = [v.tokens[token].decode() for token in sorted(v.special - {*v.eos})[:1]]
    kinds: dict[str, Any] = {"plain text": guides.text(v), "a pattern that ends so": guides.regex("(?s).*</think>", v)}
    kinds |= {f"a thought up to {mark}": guides.thought(10**6, v, mark) for mark in ("</think>", *marks)}
    kinds |= {"one that is used up": guides.thought(500, v)}
    print(f"\n{len(v):,} tokens {'µs a step':>30} {'ms at first':>13} {'masks':>7} {'the longest, ms':>17}")
    for name, guide in kinds.items():
        met: dict[int, np.ndarray] = {}
        asked = [seconds(partial(_met, guide, state, met)) for state in _along(guide, ids)]
        begin, steps = time.thread_time(), 0
        for _ in range(5):
            for state in _along(guide, ids):
                guide.mask(state), guide.accepting(state), guide.complete(state), guide.forced(state)
                steps += 1
        warm = (time.thread_time() - begin) / steps
        first = f"{1e3 * sum(asked):13.1f} {len(met):7} {1e3 * max(asked):17.2f}"
        print(f"{name:30} {1e6 * warm:14.2f} {first}   {len(asked)} steps")


def _along(guide: Any, ids: list[int]) -> Iterator[Any]:
    state = guide.initial
    for token in ids:
        yield state
        if (state := guide.advance(state, token)) is None:
            return


def _met(guide: Any, state: Any, met: dict[int, np.ndarray]) -> None:
    mask = guide.mask(state)
    met[id(mask)] = mask


def _calls(model: Any, **options: Any) -> dict[str, Any]:
    """Generators of each kind."""
    greedy, drawn, beams = oc.samplers.greedy(), oc.samplers.multinomial(4), oc.samplers.beam_search(3)
    person = json.dumps(SCHEMAS["person"][1])
    return {
        "json, greedy": oc.generate.json(model, person, greedy, **options),
        "json, drawn": oc.generate.json(model, person, drawn, **options),
        "json, beams": oc.generate.json(model, person, beams, **options),
        "json, particles": oc.generate.json(model, person, oc.samplers.smc(4), **options),
        "json, nothing forced": oc.generate.json(model, person, drawn, forced="never", **options),
        "free names": oc.generate.json(model, SCHEMAS["beside others"][1], drawn, extra="schema", **options),
        "regex": oc.generate.regex(model, "[A-Z][a-z]{2,9} is a [a-z]{3,12}", drawn, **options),
        "choice": oc.generate.choice(model, JOBS, drawn, **options),
        "grammar": oc.generate.cfg(model, GRAMMARS["brackets"], greedy, **options),
    }


def _asked(model: Any, generator: Any, max_tokens: int) -> tuple[Any, list[Any], tuple[int, ...]]:
    """The state, its rows as values, and the passes."""
    with model.fresh():
        model.stats.reset()
        state = generator.run([STORY, "Ann is a sailor.\n"], max_tokens=max_tokens, seed=5)
        passes = model.stats.passes, model.stats.tokens
    rows = [(row.ids, end) for row, end in zip(chain(*state.rows), chain(*state.finished), strict=True)]
    return state, rows, passes


def part_calls(model: Any) -> list[str]:
    """With room the same tokens in the same passes; without, all values are whole."""
    faults = []
    for (name, plain), whole in zip(_calls(model).items(), _calls(model, whole=True).values(), strict=True):
        _, rows, passes = _asked(model, plain, 150)
        state, same, cost = _asked(model, whole, 150)
        finished = [*chain(*state.finished)]
        every = all(end in ("stop", "dead") for _, end in rows)
        told = "room enough" if every else "cut when plain"
        if every and (rows != same or passes != cost):
            faults.append(f"{name}: with room, other rows or passes: {passes} and {cost}")
        count, closed = len(finished), len(finished) - finished.count("length")
        guide = whole.constraint.guide
        need = endings_of(guide).need(guide.initial)
        for budget in budgets(need):
            ends = [*chain(*_asked(model, whole, budget)[0].finished)]
            count, closed = count + len(ends), closed + len(ends) - ends.count("length")
        if closed != count:
            faults.append(f"{name}: {count - closed} of {count} are cut")
        dead = f", {finished.count('dead')} dead" if "dead" in finished else ""
        print(f"{name:22} {told:15} passes and positions {passes} plain, {cost} whole; {closed} of {count} whole{dead}")
    return faults


# --- quality

NAMES = (
    "Anna Berg,Tom Okafor,Lucia Fernandez,Kenji Watanabe,Olu Adeyemi,Maximilian von Hohenberg,Ada Li,Siobhan O'Reilly"
)
WORKS = "baker,nurse,train driver,assistant professor of chemistry,cook,head of the fire department,poet,pilot"
TOWNS = "Lisbon,Rome,Saint Petersburg,Oslo,Rio de Janeiro,Lima,San Francisco,Llanfairpwllgwyngyll"
PLACES = (
    "{name} is {age} years old, works as a {job}, and lives in {city}.",
    'In {city} we met {name}, a {job}. "I am {age}", we were told.',
    "The {job} of the year is {name} ({age}) from {city}.",
    "At {age}, {name} moved to {city} to become a {job}.",
)
RECORD = _object(
    name={"type": "string"},
    age={"type": "integer", "minimum": 0, "maximum": 150},
    job={"type": "string"},
    city={"type": "string"},
)
SHOWN = 2  # records before the one that is asked for
FACTORS = (0.75, 1.0, 1.25, 1.5, 2.0)


def extractions(count: int) -> tuple[list[str], list[dict[str, Any]]]:
    """Prompts, and what is right."""
    r = random.Random(56)

    def drawn() -> tuple[str, dict[str, Any]]:
        name, job, city = (r.choice(listed.split(",")) for listed in (NAMES, WORKS, TOWNS))
        fields = {"name": name, "age": r.randrange(18, 90), "job": job, "city": city}
        text = r.choice(PLACES).format(**fields)
        return f"Text: {text}\nJSON: ", fields

    shown = "".join(
        f"{text}{json.dumps(fields, separators=(',', ':'))}\n\n" for text, fields in (drawn() for _ in range(SHOWN))
    )
    asked = [drawn() for _ in range(count)]
    return [shown + text for text, _ in asked], [fields for _, fields in asked]


def right_fields(text: str, fields: dict[str, Any]) -> int:
    """How many fields are right and complete in a text, which may be cut."""
    pairs = (json.dumps({key: value}, separators=(",", ":"), ensure_ascii=False)[1:-1] for key, value in fields.items())
    return sum(pair + "," in text or pair + "}" in text for pair in pairs)


def quality(
    model: Any, whole: Any, prompts: Any, answers: list[dict[str, Any]], most: int, free: list[float] | None
) -> list[float]:
    """Share cut, of right fields in whole values, of those in all texts, and what a value's log-probability lost."""
    step = oc.continuous(whole, name="record")
    state = step(prompts, max_tokens=most)
    spans = [row[0].spans[-1] for row in state.rows]
    size = len(answers) * len(answers[0])
    texts = [
        model.vocabulary.decode(row[0].ids[span.start : span.end]).decode(errors="replace")
        for row, span in zip(state.rows, spans, strict=True)
    ]
    counts = [right_fields(text, fields) for text, fields in zip(texts, answers, strict=True)]
    cut = [span.finished != "stop" for span in spans]
    for text, is_cut in zip(texts, cut, strict=True):
        if not is_cut:
            assert _validator(json.dumps(RECORD)).is_valid(json.loads(text)), text
    lost = [math.nan] if free is None else [a.weight - b for a, b, no in zip(spans, free, cut, strict=True) if not no]
    return [
        sum(cut) / len(cut),
        sum(n for n, no in zip(counts, cut, strict=True) if not no) / size,
        sum(counts) / size,
        statistics.mean(lost) if lost else math.nan,
    ]


def part_quality(model: Any, quick: bool) -> None:
    asked, answers = extractions(8 if quick else 40)
    prompts = model.state(asked)
    generators = [oc.generate.json(model, RECORD, oc.samplers.greedy(), whole=whole) for whole in (False, True)]
    free = oc.continuous(generators[0], name="record")(prompts, max_tokens=200)
    spans = [row[0].spans[-1] for row in free.rows]
    sizes = sorted(span.end - span.start for span in spans)
    median = statistics.median_high(sizes)
    guide = generators[1].constraint.guide
    print(
        f"\n{len(asked)} texts; tokens of the plain values: least {sizes[0]}, median {median}, most {sizes[-1]};",
        end=" ",
    )
    print(f"the guide's least {endings_of(guide).need(guide.initial)}")
    print(
        f"{'tokens':>8}{'':8}{'cut':>8}{'right fields':>14}{'also in cut texts':>20}{'log-probability':>18}", flush=True
    )
    for factor in (*FACTORS, 200 / median):
        most = round(factor * median)
        for name, generator in zip(("plain", "whole"), generators, strict=True):
            row = quality(model, generator, prompts, answers, most, [span.weight for span in spans])
            print(f"{most:8}{name:>8}{row[0]:8.0%}{row[1]:14.0%}{row[2]:20.0%}{row[3]:18.2f}", flush=True)


def vocabulary_of(folder: Path | None) -> Vocabulary:
    if folder is None:
        return oc.load().vocabulary
    from transformers import AutoTokenizer

    return Vocabulary.of(AutoTokenizer.from_pretrained(folder))


def model_of(folder: Path | None) -> Any:
    if folder is None:
        return oc.load()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    hf = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    return oc.Model(hf, AutoTokenizer.from_pretrained(folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--part", action="append", choices=["guides", "thoughts", "calls", "quality"])
    parser.add_argument("--quick", action="store_true", help="fewer guides")
    parser.add_argument("--only", help="guides whose name has this in it")
    options = parser.parse_args()
    parts = options.part or ["guides", "thoughts", "calls", "quality"]
    faults: list[str] = []
    if "guides" in parts:
        faults += part_guides(vocabulary_of(options.folder), options.quick, options.only)
    if "thoughts" in parts:
        part_thoughts(vocabulary_of(options.folder))
    if "calls" in parts or ("quality" in parts and options.folder):
        model = model_of(options.folder)
        if "calls" in parts:
            faults += part_calls(model)
        if "quality" in parts and options.folder:
            part_quality(model, options.quick)
    for fault in faults:
        print("WRONG", fault[:400])
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
