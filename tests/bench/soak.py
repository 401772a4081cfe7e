"""The memory of a process that goes on for long: many forks and resumes, then anything at random, with results checked.

    python tests/bench/soak.py                                          half an hour: each engine in turn
    python tests/bench/soak.py --engine llama.cpp --minutes 2 --seed 1  one of them, with other programs

forks    1,000 forks of a row (200 on llama.cpp, whose memory has 256 sequences) are cut back and resumed 100 times. At
         the end the rows are those of one call of another model that was never cut, all log-probabilities are those
         of a fresh scoring, and once the states are gone, `kv_bytes` is 0.
soak     episodes of random calls on states that are kept, dropped, cut, forked, joined and saved: constraints that
         nobody has asked for before, streams that are left, hooks that raise. Each generation is made again under
         `model.fresh()`, with equal tokens; at the end of each episode the states are dropped, and `kv_bytes` is 0.
         Mark: from the second fifth of the time to the last, the memory of the process grows by 5 % at most.

The shipped model, on transformers (float32) and on llama.cpp (a file in float32). Rows whose tokens differ are counted:
a draw that lies within rounding of a border may fall on either side. They may be one in a hundred.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "bench")]

import torch
from gguf_files import shipped
from scale import resident

import outlines_cont as oc

STORY = "Mira is a painter from Lisbon. She was born in 1987, and she is 37 years old.\n"
WORDS = ["Lisbon", "Lima", "Porto", "Rome", "red", "blue", "Mira", "Tom", "painter", "baker", "mayor", "old"]
LOST = 0.01  # of the rows may have a draw that lies within rounding of a border
CLOSE = 1e-3  # log-probabilities of one row
GROWTH = 1.05
FORKS = {"transformers": 1000, "llama.cpp": 200}


class Raised(Exception):
    """What a hook of a user's raises."""


# --- forks and resumes


def forks(models: Iterator[oc.Model], rows: int, resumes: int, dice: Random) -> str:
    """Resume so many forks again and again, of which each is cut back by some tokens before."""
    model = next(models)
    step = forked_step(model)
    begun, before = time.perf_counter(), resident()
    start = model.state(STORY).fork(rows)
    state = step(start, max_tokens=4, seed=1)
    kept, most, peak = [state], 0, before
    for number in range(resumes):
        back = torch.tensor([dice.choices(range(3), k=rows)])
        state = step.resume(state.crop((state.lengths - back).clamp(start.shape[2])), max_tokens=2, seed=1)
        if number % 10 == 0:  # forks of forks, that others hold as well
            kept = [*kept[-5:], state]
        most, peak = max(most, model.stats.kv_bytes), max(peak, resident())
    seconds = time.perf_counter() - begun
    other = next(models)
    moved = state.to(other)
    error = (state.logprobs - moved.rescore().logprobs).abs().max().item()
    assert error < CLOSE, f"log-probabilities lie {error} from those of a fresh scoring"
    most_tokens = int(state.lengths.max()) - start.shape[2]
    uncut = forked_step(other)(other.state(STORY).fork(rows), max_tokens=most_tokens, seed=1)
    lost = other_rows(state, uncut)
    assert lost <= max(1, LOST * rows), f"{lost} of {rows} rows are not those of one call"
    shape = state.shape
    del state, start, uncut, kept, moved
    return (
        f"{rows:,} forks × {resumes} resumes: {shape[2]} tokens at most, {lost} rows with other tokens than one call, "
        f"log-probabilities within {error:.0e}; "
        f"keys and values {most / 1e6:,.0f} MB at most and {held(model)} after; the process {before:,.0f} MB before, "
        f"{peak:,.0f} at most, {resident():,.0f} after [{seconds:.0f} s]"
    )


def forked_step(model: oc.Model) -> oc.Step:
    """Free text. (Among tokens that are hardly ever drawn, borders would lie as near to each other as rounding.)"""
    return oc.continuous(oc.generate.text(model, oc.samplers.multinomial(top_k=20)), name="text")


def other_rows(state: oc.SequenceState, uncut: oc.SequenceState) -> int:
    """How many rows are not the beginning of those of `uncut`; all of it, if they have ended."""
    pairs = [
        (row, whole, ended)
        for rows, wholes, ends in zip(state.rows, uncut.rows, state.finished, strict=True)
        for row, whole, ended in zip(rows, wholes, ends, strict=True)
    ]
    return sum(row.ids != (whole.ids if ended == "stop" else whole.ids[: len(row)]) for row, whole, ended in pairs)


def held(model: oc.Model) -> int:
    """The bytes of keys and values that are left when nobody has a state: AssertionError if there are any."""
    gc.collect()
    assert model.stats.kv_bytes == 0, f"{model.stats.kv_bytes:,} bytes of keys and values outlive all states"
    return 0


# --- anything


class Episode:
    """Random calls on a few states, that ends with none."""

    def __init__(self, model: oc.Model, dice: Random, folder: Path, counts: Counter[str]):
        self.model, self.dice, self.folder, self.counts = model, dice, folder, counts
        self.states = [model.state([STORY, "Tom is from Rome."])]

    def run(self, calls: int) -> None:
        kinds: list[Callable[[oc.SequenceState], oc.SequenceState | None]] = [
            *(self.generate, self.generate, self.generate, self.resume, self.stream, self.interrupted),
            *(self.by_hand, self.fork, self.cut, self.more, self.joined, self.saved, self.looked_at),
        ]
        for _ in range(calls):
            kind = self.dice.choice(kinds)
            state = self.dice.choice(self.states)
            self.counts[kind.__name__] += 1
            made = kind(state)
            if made is None or made.shape[0] * made.shape[1] > 24 or made.shape[2] > 300:
                made = self.model.state([self.dice.choice([STORY, "Once", "12 + 7 = "]) for _ in range(2)])
            self.states = [*self.states, made][-6:]
            if self.dice.random() < 0.3:
                self.states.pop(self.dice.randrange(len(self.states)))
            self.states = self.states or [made]

    # what becomes of a state

    def step(self, sampler: Any = None) -> oc.Step:
        """A step of a constraint that most likely nobody has asked for before."""
        dice, words = self.dice, self.dice.sample(WORDS, 3)
        kinds: list[Callable[[], Any]] = [
            lambda: oc.generate.text(self.model, sampler),
            lambda: oc.generate.choice(self.model, words, sampler),
            lambda: oc.generate.regex(self.model, f"({'|'.join(words)}) [0-9]{{1,{dice.randint(1, 999)}}}", sampler),
            lambda: oc.generate.json(self.model, self.schema(words), sampler),
        ]
        return oc.continuous(dice.choice(kinds)(), name="it", stop_at=None)

    def schema(self, words: list[str]) -> dict[str, Any]:
        kinds = [{"type": "integer"}, {"enum": words}, {"type": "string", "maxLength": self.dice.randint(1, 99)}]
        return {"type": "object", "properties": dict(zip(words, kinds, strict=True)), "required": words}

    def generate(self, state: oc.SequenceState) -> oc.SequenceState:
        one = state.shape[1] == 1
        samplers: list[Any] = [
            *(oc.samplers.greedy(), oc.samplers.multinomial(temperature=0.7)),
            *([oc.samplers.multinomial(samples=3), oc.samplers.beam_search(3), oc.samplers.smc(4)] * one),
        ]
        step = self.step(self.dice.choice(samplers))
        most, seed = self.dice.randint(1, 12), self.dice.randrange(100)
        made = step(state, max_tokens=most, seed=seed)
        with self.model.fresh():
            again = step(state.kv.drop(), max_tokens=most, seed=seed)
        self.compare(made, again)
        return made

    def compare(self, made: oc.SequenceState, again: oc.SequenceState) -> None:
        """Count rows, and those that are not the same, or the beginning of the other where one was cut by length."""
        pairs = [*zip(chain.from_iterable(made.rows), chain.from_iterable(again.rows), strict=True)]
        self.counts["rows"] += len(pairs)
        self.counts["other rows"] += sum(
            row.ids[: len(other)] != other.ids[: len(row)] or row.dead != other.dead for row, other in pairs
        )

    def resume(self, state: oc.SequenceState) -> oc.SequenceState:
        step, seed = self.step(), self.dice.randrange(100)
        made = whole = step(state, max_tokens=8, seed=seed)
        starts = torch.tensor([[spans[-1].start if spans else 0 for spans in rows] for rows in whole.spans])
        for _ in range(self.dice.randint(1, 3)):
            back = torch.tensor(self.dice.choices(range(4), k=starts.numel())).view_as(starts)
            made = step.resume(made.crop(torch.maximum(made.lengths - back, starts)), max_tokens=8, seed=seed)
        self.compare(made, whole)
        return made

    def stream(self, state: oc.SequenceState) -> oc.SequenceState:
        """A stream that is left before its end."""
        stream = self.step().stream(state, max_tokens=9, seed=2)
        return [state, *islice(stream, self.dice.randrange(1, 9))][-1]

    def interrupted(self, state: oc.SequenceState) -> oc.SequenceState | None:
        """A hook raises in the middle; somebody keeps the error for a while."""

        def hook(draw: oc.steer.Draw) -> None:
            if len(draw.row) - draw.row.start == 2:
                raise Raised

        try:
            return self.step()(state, max_tokens=5, seed=3, hooks=[hook])
        except Raised as error:
            self.kept_error = error
        return None

    def by_hand(self, state: oc.SequenceState) -> oc.SequenceState:
        """A frontier that is stepped some times, and left."""
        frontier = self.step().begin(state, max_tokens=6, seed=4)
        for _ in range(self.dice.randrange(4)):
            if not frontier.done:
                frontier = frontier.step(*self.model.read(frontier.pending))
        return frontier.state

    def fork(self, state: oc.SequenceState) -> oc.SequenceState:
        return state.fork(3) if state.shape[1] == 1 else state.best(1)

    def cut(self, state: oc.SequenceState) -> oc.SequenceState:
        return state[..., : max(1, state.shape[2] // self.dice.randint(1, 3))]

    def more(self, state: oc.SequenceState) -> oc.SequenceState:
        return state + f" And {self.dice.choice(WORDS)} {self.dice.randrange(1000)}. "

    def joined(self, state: oc.SequenceState) -> oc.SequenceState:
        other = self.dice.choice(self.states)
        if other.shape[:2] == state.shape[:2]:
            return state + other
        return oc.cat([state, other], 0) if other.shape[1] == state.shape[1] else state[0, 0, :]

    def saved(self, state: oc.SequenceState) -> oc.SequenceState:
        state.save(self.folder / "state")
        again = oc.load_state(self.folder / "state", self.model)
        assert again.identical(state)
        return again

    def looked_at(self, state: oc.SequenceState) -> oc.SequenceState:
        """Scores, pictures, and what else does not change it."""
        scores = oc.score(state, [f" {word}" for word in self.dice.sample(WORDS, 3)])
        assert scores.shape[:2] == state.shape[:2] and state.html() and str(state) is not None
        self.model.next(state, self.step()).top(3)
        return state.kv.prefill()


def soak(model: oc.Model, minutes: float, dice: Random) -> str:
    """Episodes for so long; a line each minute."""
    begun, counts, marks = time.perf_counter(), Counter[str](), [(0.0, resident())]
    said = 0.0
    with tempfile.TemporaryDirectory() as folder:
        while (now := time.perf_counter() - begun) < 60 * minutes:
            Episode(model, Random(dice.random()), Path(folder), counts).run(12)
            held(model)
            counts["episodes"] += 1
            marks.append((now, resident()))
            if now - said >= 60:
                said = now
                print(f"  {now / 60:5.1f} min: {counts['episodes']:,} episodes, {marks[-1][1]:,.0f} MB", flush=True)
    lost, rows = counts.pop("other rows"), counts.pop("rows")
    assert lost <= max(1, LOST * rows), f"{lost} of {rows} rows differ from those of fresh calls"
    first, last = (median(mb for at, mb in marks if a <= at / (60 * minutes) <= b) for a, b in ((0.2, 0.4), (0.8, 1)))
    mark = "reached" if last <= GROWTH * first else "MISSED"
    calls = ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
    told = (
        f"{minutes:g} minutes: {rows:,} rows, {lost} with other tokens than fresh calls; keys and values 0 after each "
        f"episode; the process {first:,.0f} MB in the second fifth, {last:,.0f} in the last (mark: {mark}). {calls}"
    )
    assert last <= GROWTH * first, told
    return told


def models_of(engine: str, folder: Path) -> Iterator[oc.Model]:
    """Models with keys and values of their own, as many as are asked for."""
    while True:
        yield oc.load() if engine == "transformers" else oc.load(shipped(folder), n_ctx=1 << 16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", nargs="+", choices=FORKS, default=list(FORKS))
    parser.add_argument("--minutes", type=float, default=14, help="of the soak on each engine")
    parser.add_argument("--resumes", type=int, default=100, help="of each fork; fewer than 50, of fewer forks")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        for engine in options.engine:
            rows = FORKS[engine] if options.resumes >= 50 else FORKS[engine] // 10
            models = models_of(engine, Path(name))
            print(f"{engine}: {forks(models, rows, options.resumes, Random(options.seed))}", flush=True)
            gc.collect()
            print(f"{engine}: {soak(next(models), options.minutes, Random(options.seed))}", flush=True)


if __name__ == "__main__":
    main()
