"""What a random program must do: its rows fit the plain model, and no way to run it changes them.

`check_program` runs a program (tests/drawn_programs.py) on a model that keeps nothing (tests/hashed_model.py).
`PlainLaws` computes each row's scores anew, in float64, from the logits of its tokens and the pattern of its language.
Then each of the `VARIANTS` runs the program in another way. The rows must be the same; where a draw lies within
rounding of a border, a run whose logits are off by as much shows it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from math import inf, isnan, log
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import jsonschema
import numpy as np
from drawn_programs import Language, Link, Program, tokenizer
from engines import Shaken
from fitful_engine import FitfulModel
from hashed_model import HashedModel
from streams import Joined
from test_reading_ahead import KINDS, Guesses, eager, ends

import outlines_cont as oc
from outlines_cont.store import reads

CLOSE = 1e-4  # between log-probabilities: laws are computed in float32
ROUNDING = 1e-5  # of a logit
SHAKEN = 8  # runs that look for a draw near a border


class Wrong(AssertionError):
    """Something that does not hold."""


def check(holds: Any, said: str) -> None:
    if not holds:
        raise Wrong(said)


@lru_cache(4)  # (each keeps the logits that it was asked for)
def plain_model(name: str, seed: int, context: int) -> HashedModel:
    return HashedModel(tokenizer(name), seed, context)


# ------------------------------------------------------------------------------------------------------ the plain laws


@cache
def spellings(name: str) -> tuple[dict[int, bytes], list[int]]:
    """Of a tokenizer: the bytes of each token that is text, and the tokens that end one."""
    vocabulary = plain_model(name, 0, 64).vocabulary
    return {t: vocabulary.tokens[t] for t in vocabulary.text_ids.tolist() if vocabulary.tokens[t]}, [*vocabulary.eos]


def log_sum(values: Any) -> float:
    values = np.asarray(values, np.float64)
    top = values.max(initial=-inf)
    return -inf if top == -inf else float(top + np.log(np.exp(values - top).sum()))


class PlainLaws:
    """The scores of the rows of a program, in float64, from whole rows."""

    def __init__(self, program: Program, model: HashedModel):
        self.program, self.model = program, model
        self.bytes_of, self.eos = spellings(program.tokenizer)
        self.scores = 0

    def row(self, state: oc.SequenceState, b: int, s: int) -> None:
        """Check one row."""
        row, spans = state.rows[b][s], state.spans[b][s]
        logprobs, proposals = state.logprobs[b, s].tolist(), state.proposal_logprobs[b, s].tolist()
        links, weight = iter(self.program.steps), 0.0
        for piece, span in zip(row.pieces, spans, strict=True):
            if span.kind != "generated":
                check(not any(logprobs[span.start : span.end]), f"row ({b}, {s}): given tokens have no scores")
                continue
            link = next(links)
            check(span.name == link.name, f"row ({b}, {s}): a span of {span.name}, not of {link.name}")
            self.span(
                row.ids, span, link, piece.origin.healed, logprobs, proposals, f"row ({b}, {s}), span {link.name}"
            )
            weight += sum(logprobs[span.start : span.end]) + (span.stop_logprob or 0.0)
            weight += sum(segment.stop.logprob for segment in piece.origin.segments if segment.stop is not None)
        told = float(state.weights[b, s])
        check(abs(weight - told) < CLOSE * (1 + len(row.ids)), f"row ({b}, {s}): its weight is {told}, not {weight}")

    def span(self, ids: Any, span: Any, link: Link, healed: bytes, logprobs: Any, proposals: Any, where: str) -> None:
        data, text = b"", link.kind == "text"
        for at in range(span.start, span.end):
            logits, token = self.model.law(ids[:at]), ids[at]
            own = logits - log_sum(logits)
            self.near(logprobs[at], own[token], f"{where}, token {at}: its log-probability")
            check(token in self.bytes_of, f"{where}: token {token} is no text")
            if not text or span.finished != "stop" or not link.settings.get("stop_at"):
                self.drawn(link, healed, data, own, token, proposals[at], f"{where}, token {at}")
            data += self.bytes_of[token]
        check(data.startswith(healed), f"{where}: {data!r} does not begin with what was healed, {healed!r}")
        self.value(link, data[len(healed) :], span.finished, where)
        if span.finished != "stop" or span.stop_logprob is None:
            return
        if (text and link.settings.get("stop_at")) or self.bans or link.kind == "control":
            return  # of the tokens that were dropped, or of banned ones, too
        logits = self.model.law(ids[: span.end])
        expected = self.candidates(link, healed, data, logits - log_sum(logits)).get(-1)
        check(expected is not None, f"{where}: it ends where it may not")
        self.near(span.stop_logprob, expected, f"{where}: the log-probability of its stop")

    def value(self, link: Link, value: bytes, finished: Any, at: str) -> None:
        """That a value fits its link, or is the beginning of one that does."""
        if finished != "stop":
            check(link.kind == "control" or link.language.begins(value), f"{at}: nothing begins with {value!r}")
            return
        check(link.language.whole(value), f"{at}: {value!r} is not allowed")
        if where := link.options.get("where"):
            text = value.decode("utf-8", "replace")
            check("\ufffd" in text or where(text, True) is not False, f"{at}: {value!r} is refused by {where.__name__}")
        if link.kind == "choice":
            check(value.decode() in link.what, f"{at}: {value!r} is no option")
        if link.kind == "json":
            jsonschema.validate(json.loads(value), link.what)
        for stop in link.settings.get("stop_at", ()):
            before = value.decode("utf-8", "replace")
            kept = link.options.get("include_stop") and before.endswith(stop)
            check(stop not in (before[:-1] if kept else before), f"{at}: {before!r} has the stop string {stop!r}")

    @property
    def bans(self) -> bool:
        return any(type(each).__name__ == "BadWords" for each in self.filters)

    @property
    def filters(self) -> Any:
        return getattr(self.program.sampler, "logit_filters", ())

    def candidates(self, link: Link, healed: bytes, data: bytes, own: Any) -> dict[int, float]:
        """The candidates after these bytes of a span, with their own log-probabilities; −1: the stop."""
        going_on = going(self.program.tokenizer, link.language, healed, data)
        found = {token: float(own[token]) for token in going_on}
        if data.startswith(healed) and link.language.whole(data[len(healed) :]):
            if link.kind == "text" or link.options.get("stop") == "eos":
                found[-1] = log_sum(own[self.eos])
            else:
                elsewhere = np.ones(len(own), bool)
                elsewhere[[*going_on]] = False
                found[-1] = log_sum(own[elsewhere]) if going_on else 0.0
        return found

    def drawn(self, link: Link, healed: bytes, data: bytes, own: Any, token: int, proposal: float, where: str) -> None:
        """That a token was drawn from the law that is told."""
        if link.options.get("by") or link.options.get("where") or link.kind == "control" or self.bans:
            return
        law = self.candidates(link, healed, data, own)
        check(token in law, f"{where}: {self.bytes_of[token]!r} may not follow {data!r}")
        if self.filters or "hooks" in self.program.call:  # these leave candidates out
            return
        if proposal == 0.0 and len(law) > 1:  # a token of a forced run
            ours = self.bytes_of[token]
            others = [self.bytes_of.get(each) for each in law if each != token]
            agree = all(each is not None and (each.startswith(ours) or ours.startswith(each)) for each in others)
            if agree or not isinstance(self.program.sampler, oc.samplers.Multinomial | oc.samplers.Particles):
                check(agree, f"{where}: {ours!r} is forced, and so is not one of {others}")
                return
        sampler = self.program.sampler
        tokens, scores = [*law], np.array([*law.values()])
        if isinstance(sampler, oc.samplers.Greedy):
            others = np.array([law[each] for each in tokens if each != token])
            check(law[token] > others.max(initial=-inf) - CLOSE, f"{where}: greedy takes the likeliest candidate")
        expected = warped(scores, sampler)[tokens.index(token)]
        if expected is not None:
            self.near(proposal, expected, f"{where}: the log-probability of its draw")

    def near(self, told: float, expected: float, what: str) -> None:
        self.scores += 1
        close = told == expected or abs(told - expected) < CLOSE * (1 + abs(expected) / 10)
        check(close, f"{what} is {told}, not {expected}")


def warped(scores: Any, sampler: Any) -> list[Any]:
    """The log-probabilities of the candidates after temperature, top-k, top-p and min-p; None where it is close."""
    scores = scores / getattr(sampler, "temperature", 1.0)
    kept = np.ones(len(scores), bool)
    order = np.argsort(-scores)
    if top_k := getattr(sampler, "top_k", None):
        kept[order[top_k:]] = False
    close = False
    if (top_p := getattr(sampler, "top_p", None)) is not None:
        shares = np.where(kept, np.exp(scores - log_sum(scores[kept])), 0.0)
        before = np.cumsum(shares[order]) - shares[order]
        close |= bool((abs(before - top_p) < 1e-5).any())
        kept[order[before >= top_p]] = False
    if (min_p := getattr(sampler, "min_p", None)) is not None:
        shares = scores - scores[kept].max()
        close |= bool((abs(shares - log(min_p)) < 1e-5).any())
        kept &= shares >= log(min_p)
    norm = log_sum(scores[kept])
    return [None if close else float(score - norm) if keep else -inf for score, keep in zip(scores, kept, strict=True)]


GOING: dict[Any, list[int]] = {}


def going(name: str, language: Language, healed: bytes, data: bytes) -> list[int]:
    """The tokens that may come next in a span that has written these bytes: each is tried."""
    key = name, language.pattern, healed, data
    if key not in GOING:
        if len(GOING) > 20000:
            GOING.clear()
        found = []
        for token, more in spellings(name)[0].items():
            text = data + more
            begins = healed.startswith(text) or (text.startswith(healed) and language.begins(text[len(healed) :]))
            if begins:
                found.append(token)
        GOING[key] = found
    return GOING[key]


# ------------------------------------------------------------------------------------------------- what is compared


Facts = list[tuple[Any, list[float]]]


def facts(state: oc.SequenceState) -> Facts:
    """Of each batch row: what must be equal, and the numbers that must be close."""
    found = []
    importance, weights, scores = state.particles.log_importance, state.weights, state.scores
    logprobs, proposals = state.logprobs, state.proposal_logprobs
    for b, rows in enumerate(state.rows):
        live = [s for s, row in enumerate(rows) if not row.dead]
        equal = [
            (
                rows[s].ids,
                rows[s].lineage,
                state.finished[b][s],
                [(span.kind, span.start, span.end, span.name, span.finished) for span in state.spans[b][s]],
                [(name, repr(values[b][s])) for name, values in sorted(state.captures.items()) if values[b][s]],
            )
            for s in live
        ]
        # (the text of an error names the row only where a call has told of it)
        errors = [(type(error), str(error).split(": ")[-1]) for error in state.errors[b] if error is not None]
        numbers = [
            x
            for s in live
            for x in (
                weights[b, s].item(),
                scores[b, s].item(),
                importance[b, s].item(),
                *logprobs[b, s].tolist()[: len(rows[s].ids)],
                *proposals[b, s].tolist()[: len(rows[s].ids)],
                *(span.stop_logprob or 0.0 for span in state.spans[b][s]),
            )
        ]
        found.append(((equal, errors), numbers))
    return found


def close(x: float, y: float) -> bool:
    return x == y or (isnan(x) and isnan(y)) or abs(x - y) < CLOSE * (1 + abs(y))


def difference(ours: Facts, expected: Facts) -> str:
    """How two runs differ; "" if they do not."""
    if len(ours) != len(expected):
        return f"{len(ours)} batch rows, not {len(expected)}"
    for b, ((equal, numbers), (theirs, other)) in enumerate(zip(ours, expected, strict=True)):
        if equal != theirs:
            return f"batch row {b} is\n     {equal}\n   not\n     {theirs}"
        if len(numbers) != len(other):
            return f"batch row {b} has {len(numbers)} numbers, not {len(other)}"
        if far := [(x, y) for x, y in zip(numbers, other, strict=True) if not close(x, y)]:
            return f"batch row {b} has numbers that differ: {far[:4]}"
    return ""


# ------------------------------------------------------------------------------------------------------ the variants


@dataclass
class Case:
    """A program, and what it gives on the model that keeps nothing."""

    program: Program
    plain: HashedModel
    base: oc.SequenceState
    counts: Counter[str] = field(default_factory=Counter)
    models: list[oc.Model] = field(default_factory=list)  # those that this variant has made

    @cached_property
    def facts(self) -> Facts:
        return facts(self.base)

    @cached_property
    def shaken(self) -> list[Facts]:
        """Runs with logits that are off by rounding."""
        program = self.program
        return [facts(program.run(Shaken(self.plain, ROUNDING, seed))) for seed in range(SHAKEN)]

    def same(self, state: oc.SequenceState, rows: slice = slice(None)) -> None:
        """Check that a run has given the same rows, or some of them."""
        self.counts["comparisons"] += 1
        said = difference(facts(state), self.facts[rows])
        if not said:
            return
        if any(each[0] != expected[0] for run in self.shaken for each, expected in zip(run, self.facts, strict=True)):
            self.counts["a draw lies near a border"] += 1
            return
        raise Wrong(said)

    def slots(self, **memory: Any) -> oc.Model:
        self.models.append(self.plain.with_slots(**memory))
        return self.models[-1]

    def nothing_is_held(self) -> None:
        """Law 11: the states are gone, and with them what was kept for them."""
        if any(model.engine.memory for model in self.models):
            gc.collect()
        for model in self.models:
            held = sorted({ids for ids, _ in filter(None, model.engine.memory.values())})
            check(
                not model.engine.memory, f"when all states are gone, {len(model.engine.memory)} slots are held: {held}"
            )
        self.models.clear()

    @cached_property
    def whole(self) -> bool:
        """Whether nothing was cut short, so that `resume` with a fresh budget gives the same."""
        program = self.program
        if not program.resumable or (program.limited and not program.row_by_row):
            return False
        spans = [span for rows in self.base.spans for row in rows for span in row if span.kind == "generated"]
        return not program.limited or all(span.finished == "stop" for span in spans)

    @property
    def failed(self) -> bool:
        return any(error is not None for rows in self.base.errors for error in rows)


Variant = Callable[[Case, Random], bool | None]  # False: it does not apply


def with_slots(case: Case, r: Random) -> None:
    model = case.slots()
    case.same(case.program.run(model))
    case.same(case.program.run(model))  # what was read before is there, or is gone


def fresh(case: Case, r: Random) -> None:
    model = case.slots()
    kept = case.program.run(model) if r.random() < 0.5 else None
    with model.fresh():
        case.same(case.program.run(model))
    if kept is not None:
        case.same(case.program.run(model))


def budget(case: Case, r: Random) -> None:
    case.same(case.program.run(case.slots(budget=r.choice([0, 1, 8, 20, 40]))))


def memory(case: Case, r: Random) -> None:
    """Slots and nodes of a memory of a fixed size, in which the longest row has room."""
    model = case.slots(slots=case.plain.context_length + r.randint(1, 24), nodes=r.choice([2, 3, 5]))
    case.same(case.program.run(model))


def store(case: Case, r: Random) -> None:
    """Some processes, one after the other and two at once, with a store of small chunks; all or part of it is lost."""
    with tempfile.TemporaryDirectory() as folder, small_chunks(r.choice([2, 3, 5])):
        store = oc.store.KVStore(folder, r.choice([1 << 30, 20_000]))
        kept = None
        for _ in range(3):
            size: Any = r.choice([{}, {"budget": r.choice([0, 8, 40])}, {"slots": case.plain.context_length + 20}])
            model = case.slots(store=store, **size)
            state = case.program.run(model)
            case.same(state)
            case.counts["tokens restored"] += model.stats.restored
            kept = state if r.random() < 0.3 else None
            for path in Path(folder).glob("*.safetensors"):
                if r.random() < 0.1:
                    path.write_bytes(path.read_bytes()[:-1] + b"?") if r.random() < 0.5 else path.unlink()
        del kept, state


@contextmanager
def small_chunks(size: int, few: int = 1) -> Iterator[None]:
    """Chunks of so many tokens, of readings of so many tokens."""
    before = reads.CHUNK, reads.FEW
    reads.CHUNK, reads.FEW = size, few
    try:
        yield
    finally:
        reads.CHUNK, reads.FEW = before


def drafts(case: Case, r: Random) -> None:
    model = case.slots() if r.random() < 0.7 else oc.Model(case.plain)
    kind = r.choice([*KINDS, "lookup", "texts", "model"])
    draft: Any = {
        "lookup": lambda: oc.drafts.lookup(k=r.choice([1, 4]), n=r.choice([1, 2])),
        "texts": lambda: oc.drafts.lookup([*case.base] or ["ab"], n=2),
        "model": lambda: oc.drafts.model(case.slots(), k=r.choice([1, 3]), width=r.choice([1, 2])),
    }.get(kind, lambda: Guesses(kind, ends(case.base), len(case.plain.vocabulary), r.randrange(100)))()
    if r.random() < 0.7:
        with eager():
            case.same(case.program.run(model, draft=draft))
    else:
        case.same(case.program.run(model, draft=draft))


def blocks(case: Case, r: Random) -> None:
    """Stepped by hand: some blocks at a time, in any order."""
    model = case.slots() if r.random() < 0.5 else oc.Model(case.plain)
    frontier = case.program.work(model).begin(case.program.prompts, **case.program.call)
    while not frontier.done:
        some = r.sample(frontier.blocks, r.randint(1, len(frontier.blocks)))
        rows = [row for block in some for row in block]
        frontier = frontier.step(model.logits([frontier.pending[row] for row in rows]), rows=rows)
    case.same(frontier.state)


def streamed(case: Case, r: Random) -> None:
    model = case.slots() if r.random() < 0.5 else oc.Model(case.plain)
    program = case.program
    joined, said = Joined(not program.row_by_row), []
    for partial in program.work(model).stream(program.prompts, **program.returned):
        said = joined.add(partial)
    case.same(partial)
    for b, rows in enumerate(partial.rows):
        for s, row in enumerate(rows):
            if row.dead:
                continue
            text, given = model.encoder.decode(row.ids), said[b][s]
            check("\ufffd" in text or text.endswith(given), f"row ({b}, {s}) streamed {given!r}, and is {text!r}")
            first = next((piece for piece in row.pieces if piece.origin.kind == "generated"), None)
            if first is not None and not first.origin.healed and "\ufffd" not in text and len(row.pieces) == 2:
                value = partial.model.vocabulary.decode(row.ids[row.pieces[0].hi - row.pieces[0].lo :]).decode()
                check(given == value, f"row ({b}, {s}) streamed {given!r}, not {value!r}")


def sharded(case: Case, r: Random) -> None:
    model, at, program = case.slots(), 0, case.program
    keys = program.call.get("keys", range(len(program.prompts)))
    while at < len(program.prompts):
        to = at + r.randint(1, 2)
        some = keys[at:to]
        case.same(program.run(model, program.prompts[at:to], keys=some), slice(at, to))
        at = to


def mapped(case: Case, r: Random) -> bool | None:
    program, model = case.program, case.slots()
    if case.failed:
        return False
    options: dict[str, Any] = {"shard": r.randint(1, 3), "batch": r.choice(["auto", 1, 2]), **program.call}
    with tempfile.TemporaryDirectory() as folder:
        if r.random() < 0.3:
            options |= {"out": Path(folder) / "out", "version": "1"}
        for _ in range(1 + ("out" in options)):
            results = list(oc.map(program.work(model), program.prompts, **options))
            for b, state in enumerate(results):
                case.same(state, slice(b, b + 1))
    return None


def threads(case: Case, r: Random) -> None:
    """Several threads run it at once on one model, each in its own way."""
    model, program = case.slots(budget=r.choice([10**6, 30])), case.program
    draft = Guesses("half", ends(case.base), len(case.plain.vocabulary), 1)
    calls: list[dict[str, Any]] = [{}, {"draft": draft}, {"keep": oc.Keep(alternatives=1)}, {}]
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            states = list(pool.map(lambda more: program.run(model, **more), calls))
    finally:
        sys.setswitchinterval(switching)
    for state in states:
        case.same(state)


def in_asyncio(case: Case, r: Random) -> None:
    model, program = case.slots(), case.program

    async def both() -> list[oc.SequenceState]:
        return list(
            await asyncio.gather(*(program.work(model).acall(program.prompts, **program.returned) for _ in range(2)))
        )

    for state in asyncio.run(both()):
        case.same(state)


def inside(case: Case, r: Random) -> None:
    """Rows that an engine writes in its own batches."""
    fitful: Any = FitfulModel(oc.Model(case.plain), r.randrange(100))
    case.same(case.program.run(fitful))


def step_by_step(case: Case, r: Random) -> bool | None:
    """Law 12: a chain is its steps, one after the other."""
    program, model = case.program, case.slots()
    if len(program.links) == 1 or case.failed:
        return False
    cut = [
        span.finished != "stop" for rows in case.base.spans for row in rows for span in row if span.kind == "generated"
    ]
    written = [sum(span.kind == "generated" for span in row) for rows in case.base.spans for row in rows if row]
    cut += [count < len(program.steps) for count in written]  # where the context is full, a chain ends
    if any(cut) or any(callable(link) and not isinstance(link, Link) for link in program.links):
        return False
    state = model.state(program.prompts, keys=program.call.get("keys"))
    for link in program.links:
        state = link.step(model, program.sampler)(state, **program.further) if isinstance(link, Link) else state + link
    case.counts["comparisons"] += 1
    ours, expected = ([[row.ids for row in rows if not row.dead] for rows in each.rows] for each in (state, case.base))
    if ours != expected and not any(run != case.facts for run in case.shaken):
        raise Wrong(f"one after the other gives {state.tolist()}, not {case.base.tolist()}")
    return None


def cut(case: Case, r: Random) -> bool | None:
    """Law 7: cut anywhere in its last span, each row goes on as if nothing had been drawn after the cut."""
    program = case.program
    steps = program.steps
    unclear = not program.row_by_row or case.failed or not case.whole or steps[-1].settings.get("stop_at")
    if unclear or steps[-1].options.get("by") or not isinstance(program.links[-1], Link):
        return False
    model = case.slots() if r.random() < 0.5 else oc.Model(case.plain)
    work, state = program.work(model), program.run(model)
    for _ in range(3):
        kept = []
        for rows, spans in zip(state.rows, state.spans, strict=True):
            last = [each[-1] if each else None for each in spans]  # (a dead row has none)
            sizes = [span.end - span.start if span and span.name == steps[-1].name else 0 for span in last]
            kept.append([len(row.ids) - r.randint(0, size) for row, size in zip(rows, sizes, strict=True)])
        case.same(work.resume(moved(state.crop(kept), model, r), **program.further))
    return None


def moved(state: oc.SequenceState, model: oc.Model, r: Random) -> oc.SequenceState:
    """A state under a model of equal logits: as bytes, or saved and loaded; or as it is, if it is its own model."""
    how = r.choice(["bytes", "saved", *["as it is", "without keys and values"] * (state.model is model)])
    if how == "bytes":
        return oc.storage.from_bytes(oc.storage.to_bytes(state), model)
    if how == "saved":
        with tempfile.TemporaryDirectory() as folder:
            state.save(Path(folder) / "state.safetensors")
            return oc.load_state(Path(folder) / "state.safetensors", model)
    return state.kv.drop() if how == "without keys and values" else state


def saved(case: Case, r: Random) -> bool | None:
    """What is loaded is what was saved, under either model."""
    if case.failed:
        return False
    model = case.slots()
    state = case.program.run(model)
    for other in (model, oc.Model(case.plain), case.slots()):
        back = oc.storage.from_bytes(oc.storage.to_bytes(state), other)
        check(other is not model or back.identical(state), "what is loaded is not what was saved")
        check(oc.storage.to_bytes(back) == oc.storage.to_bytes(state), "what is loaded has other bytes")
        case.same(back)
    return None


def interrupted(case: Case, r: Random) -> bool | None:
    """Stepped for a while, its state saved and loaded, on one model or the other, again and again."""
    if case.failed or not case.whole:
        return False
    program = case.program
    models = [case.slots(), oc.Model(case.plain), case.slots(budget=20)]
    state: Any = None
    for _ in range(r.randint(1, 3)):
        model = r.choice(models)
        work, left = program.work(model), r.randint(0, 8)
        if state is None:
            frontier = work.begin(program.prompts, **program.call)
            while left and not frontier.done:
                frontier, left = frontier.step(*model.read(frontier.pending)), left - 1
            state = frontier.state
        else:
            for partial in work.stream(moved(state, model, r), resume=True, **program.further):
                state, left = partial, left - 1
                if left < 0:
                    break
    model = r.choice(models)
    case.same(program.work(model).resume(moved(state, model, r), **program.further))
    return None


class Pressing:
    """Ctrl-C at the n-th call of a function (of Python's), and again at the m-th."""

    def __init__(self, at: list[int]):
        self.at, self.calls = at, 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and "outlines_cont" in frame.f_code.co_filename:
            self.calls += 1
            if self.calls in self.at:
                signal.raise_signal(signal.SIGINT)

    def __enter__(self) -> Pressing:
        self.told, sys.unraisablehook = sys.unraisablehook, self.lost
        sys.setprofile(self)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.setprofile(None)
        sys.unraisablehook = self.told

    def lost(self, raised: Any) -> None:
        """Python drops what is raised while it drops an object. The press is lost; nothing else may be."""
        if not isinstance(raised.exc_value, KeyboardInterrupt):
            self.told(raised)


def ctrl_c(case: Case, r: Random) -> bool | None:
    """Ctrl-C anywhere, once or twice: the state goes on, and the model is as good as before."""
    if case.failed or not case.whole:
        return False
    program, model = case.program, case.slots()
    work = program.work(model)
    with Pressing([]) as pressing:
        program.run(model)
    state: Any = None
    for _ in range(r.randint(1, 2)):
        at = r.randint(1, pressing.calls)
        try:
            with Pressing([at, at + r.randint(1, 400)] if r.random() < 0.4 else [at]):
                ended = program.run(model) if state is None else work.resume(state, **program.further)
            case.same(ended)
            return None
        except oc.errors.Interrupted as error:
            state = error.state
        except KeyboardInterrupt:
            pass  # before the generation had begun, or when it was over
    case.same(program.run(model) if state is None else work.resume(moved(state, model, r), **program.further))
    case.same(program.run(model))
    return None


VARIANTS: dict[str, Variant] = {
    "slots": with_slots,
    "fresh": fresh,
    "budget": budget,
    "memory": memory,
    "store": store,
    "draft": drafts,
    "blocks": blocks,
    "stream": streamed,
    "shard": sharded,
    "map": mapped,
    "threads": threads,
    "asyncio": in_asyncio,
    "inside": inside,
    "steps": step_by_step,
    "cut": cut,
    "save": saved,
    "interrupted": interrupted,
    "ctrl-c": ctrl_c,
}


# ------------------------------------------------------------------------------------------------------ one program


def check_program(
    program: Program, seed: Any, only: str | None = None, counts: Counter[str] | None = None
) -> Counter[str]:
    """Run a program in all ways. `Wrong`, with the name of the variant, if something does not hold."""
    counts = Counter() if counts is None else counts
    plain = plain_model(program.tokenizer, program.seed, program.context)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            program.work(oc.Model(plain))
        except oc.errors.ConstraintError as error:  # nothing is left of a pattern without banned words
            counts[f"refused: {str(error)[-20:]}"] += 1
            return counts
        base = program.run(oc.Model(plain))
        case = Case(program, plain, base, counts)
        counts["programs"] += 1
        for rows in base.errors:
            for error in rows:
                if error is not None:
                    counts[f"a row failed: {type(error).__name__}"] += 1
        laws = PlainLaws(program, plain)
        with told_where("the plain laws"):
            for b, rows in enumerate(base.rows):
                for s, row in enumerate(rows):
                    if not row.dead:
                        laws.row(base, b, s)
        counts["scores computed anew"] += laws.scores
        for name, variant in VARIANTS.items():
            if only in (None, name):
                with told_where(name):
                    if variant(case, Random(f"{seed} {name}")) is not False:
                        counts[f"variant {name}"] += 1
                    case.nothing_is_held()
    return counts


@contextmanager
def told_where(way: str) -> Iterator[None]:
    """An exception in it has the way in which the program was run: `error.way`."""
    try:
        yield
    except Exception as error:
        error.way = way  # type: ignore[attr-defined]
        raise
