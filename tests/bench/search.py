"""Constrained beam search, ours and transformers' own under a correct processor, in one run.

`python tests/bench/search.py`, with the package installed: a quarter of an hour on a slow core. `--quick` takes the
shipped model only.

The peer is `generate(num_beams=k, length_penalty=0.0)` with a `LogitsProcessor` that finds each hypothesis' state of
our own guide from its tokens: *walked* anew from the beginning at every step, or *kept* in a dict by prefix; and, *read
once*, the latter on a cache into which the prompt was read as one row before it was repeated k times.

Both sides score with the model's own log-probabilities, not renormalised, no length penalty; both stop with eos, whose
log-probability counts; both go on until k finished hypotheses are no worse than the best that lives, and have more room
than any string of the constraint takes. They differ in these: ours takes every stop of a live hypothesis into the pool,
transformers only one among the k best of its 2k candidates, so ours may find better ones, and not worse; ours counts
eos as no token of the row; transformers fills missing beams with copies at −1e9, which are no results, and adds in
float32.

Correctness first: every result matches, our scores are those of a stock forward, our best is no worse than the peer's.
Then seconds (medians of interleaved runs), and counts, which are exact.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

import jsonschema
import numpy as np
import torch
from decode import median_seconds
from kv import SHAPES, made_llama, made_tokenizer, microseconds
from torch import Tensor
from transformers import DynamicCache, LogitsProcessor

import outlines_cont as oc
from outlines_cont.decode.frontier import Frontier
from outlines_cont.fsm import guide as guides

LENGTH, ROOM = 1000, 160  # tokens: of the long prompts, and more than any result has
MARK = 0.7  # of the peer's time, at k = 16
TOLERANCE = 1e-3  # of a score
NO_RESULT = -1e8  # transformers' scores of what is none are below
NAMES = [
    "Mira",
    "Tarvo",
    "Lena",
    "Oskar",
    "Ines",
    "Pavel",
    "Rosa",
    "Emil",
    "Nadia",
    "Jonas",
    "Carla",
    "Viktor",
    "Alma",
    "Bruno",
    "Selma",
]
JOBS = ["painter", "baker", "doctor", "teacher", "farmer", "sailor", "singer", "lawyer"]
TOWNS = ["Lisbon", "Porto", "Berlin", "Oslo", "Vienna", "Madrid", "Prague", "Rome", "Athens", "Dublin", "Paris"]
PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z][a-z]{2,7}$"},
        "age": {"type": "integer", "minimum": 1, "maximum": 99},
        "city": {"type": "string", "pattern": "^[A-Z][a-z]{2,7}$"},
    },
    "required": ["name", "age", "city"],
}
RECORD = {
    "type": "object",
    "properties": PERSON["properties"]
    | {
        "job": {"type": "string", "pattern": "^[a-z]{3,10}$"},
        "born": {"type": "integer", "minimum": 1900, "maximum": 2020},
        "friend": {"type": "string", "pattern": "^[A-Z][a-z]{2,7}$"},
    },
    "required": ["name", "age", "city", "job", "born", "friend"],
}
LIST = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"job": {"enum": JOBS}, "married": {"type": "boolean"}},
        "required": ["job", "married"],
    },
    "minItems": 1,
    "maxItems": 2,
}

Constraint = str | dict[str, Any]  # a regex, or a JSON Schema


def story(lines: int, seed: int) -> str:
    people = product(TOWNS, JOBS, NAMES)
    step = 7 + 2 * seed
    chosen = [(name, job, town) for town, job, name in islice(people, seed, None, step)][:lines]
    return "".join(
        f"{name} is a {job} from {town}. {name} is {20 + i * 7 % 60} years old.\n"
        for i, (name, job, town) in enumerate(chosen)
    )


def kind(constraint: Constraint) -> str:
    return "regex" if isinstance(constraint, str) else "JSON"


def fits(constraint: Constraint, text: str) -> bool:
    if isinstance(constraint, str):
        return re.fullmatch(constraint, text) is not None
    try:
        jsonschema.validate(json.loads(text), constraint)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


def generator(model: oc.Model, constraint: Constraint, beams: int, stop: str = "eos") -> oc.generate.Generator:
    make = oc.generate.regex if isinstance(constraint, str) else oc.generate.json
    return make(model, constraint, oc.samplers.beam_search(beams, distinct="tokens"), stop=stop)


# --- the peer


class Walked(LogitsProcessor):
    """Leaves each hypothesis what its guide allows; eos where it accepts."""

    def __init__(self, guide: guides.AutomatonGuide, start: int):
        self.guide, self.start = guide, start

    def state(self, tokens: tuple[int, ...]) -> int | None:
        """None for what no guide allows: transformers keeps such beams, at −inf, where there are no others."""
        return self.guide.advance_all(self.guide.initial, tokens)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        states = [self.state(tuple(tokens)) for tokens in input_ids[:, self.start :].tolist()]
        masks = self.guide.masks([guides.FINAL if state is None else state for state in states])
        bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=1, bitorder="little")
        return scores.masked_fill_(torch.from_numpy(bits[:, : scores.shape[1]] == 0), -torch.inf)


class Kept(Walked):
    """The states of all prefixes met stay in a dict."""

    def __init__(self, guide: guides.AutomatonGuide, start: int):
        super().__init__(guide, start)
        self.states: dict[tuple[int, ...], int | None] = {(): guide.initial}

    def state(self, tokens: tuple[int, ...]) -> int | None:
        if tokens not in self.states:
            before = self.state(tokens[:-1])
            self.states[tokens] = None if before is None else self.guide.advance(before, tokens[-1])
        return self.states[tokens]


Found = list[tuple[tuple[int, ...], float]]  # new tokens without eos, and their score, best first


@dataclass
class Setting:
    """A model, a prompt, a constraint and a number of beams."""

    name: str
    model: oc.Model
    ids: Tensor  # int64 [1, length]
    constraint: Constraint
    beams: int
    runs: int = 5
    prompt: oc.SequenceState = field(init=False)

    def __post_init__(self) -> None:
        vocabulary = self.model.vocabulary
        make: Callable[..., guides.AutomatonGuide] = (
            guides.regex if isinstance(self.constraint, str) else guides.json_schema
        )
        self.guide = make(self.constraint, vocabulary)
        self.step = oc.continuous(generator(self.model, self.constraint, self.beams))
        self.prompt = self.model.state(self.ids)
        self.ended = set(vocabulary.eos)

    def ours(self) -> oc.SequenceState:
        return self.step(self.prompt.kv.drop(), max_tokens=ROOM)

    def found(self) -> Found:
        state = self.ours()
        assert all(row.finished == "stop" for row in state.rows[0] if not row.dead), state.finished
        return [(row.ids[self.ids.shape[1] :], row.weight) for row in state.rows[0] if not row.dead]

    def generate(self, processor: type[Walked], once: bool = False) -> Any:
        start = self.ids.shape[1]
        more: dict[str, Any] = {}
        if once:
            cache = DynamicCache(config=self.model.hf.config)
            with torch.no_grad():
                self.model.hf(self.ids[:, :-1], past_key_values=cache, logits_to_keep=1)
            cache.batch_repeat_interleave(self.beams)
            more["past_key_values"] = cache
        return self.model.hf.generate(
            self.ids,
            attention_mask=torch.ones_like(self.ids),
            num_beams=self.beams,
            num_return_sequences=self.beams,
            length_penalty=0.0,
            early_stopping="never",
            do_sample=False,
            max_new_tokens=ROOM + 1,  # it counts eos
            logits_processor=[processor(self.guide, start)],
            output_scores=True,
            return_dict_in_generate=True,
            **more,
        )

    def peers(self) -> dict[str, Callable[[], Any]]:
        return {
            "walked": lambda: self.generate(Walked),
            "kept": lambda: self.generate(Kept),
            "read once": lambda: self.generate(Kept, once=True),
        }

    def results(self, out: Any) -> Found:
        """Those of a peer's sequences that are results."""
        rows = zip(out.sequences[:, self.ids.shape[1] :].tolist(), out.sequences_scores.tolist(), strict=True)
        return [(self.cut(row), score) for row, score in rows if score > NO_RESULT]

    def cut(self, row: list[int]) -> tuple[int, ...]:
        end = next(i for i, token in enumerate(row) if token in self.ended)
        return tuple(row[:end])

    def score(self, ids: tuple[int, ...]) -> float:
        """That of new tokens and eos, by a stock forward of the whole."""
        new = [*ids, *self.ended]
        row = torch.cat([self.ids, torch.tensor([new])], dim=1)
        with torch.no_grad():
            logits = self.model.hf(row[:, :-1], logits_to_keep=len(new), use_cache=False).logits[0]
        return logits.double().log_softmax(-1)[range(len(new)), new].sum().item()

    def text(self, ids: tuple[int, ...]) -> str:
        return self.model.vocabulary.decode(ids).decode()


@contextmanager
def counted(hf: Any) -> Iterator[list[int]]:
    """How many token positions each forward was given."""
    fed: list[int] = []

    def count(_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        fed.append((args[0] if args else kwargs["input_ids"]).numel())

    hook = hf.register_forward_pre_hook(count, with_kwargs=True)
    try:
        yield fed
    finally:
        hook.remove()


# --- correctness


def verdicts(setting: Setting) -> tuple[bool, bool, float]:
    """Whether the best beams are the same tokens, and all of them in order; by how much our best one is better."""
    ours = setting.found()
    assert len(setting.ended) == 1, "several eos are one event for us, and several tokens for the peer"
    for ids, weight in (ours[0], ours[-1]):
        if abs(weight - (stock := setting.score(ids))) > TOLERANCE:
            raise SystemExit(f"{setting.name}, {setting.constraint}: {weight} is not the stock forward's {stock}")
    for name, peer in setting.peers().items():
        theirs = setting.results(peer())
        for side, found in (("ours", ours), (name, theirs)):
            wrong = [text for ids, _ in found if not fits(setting.constraint, text := setting.text(ids))]
            if wrong or not found:
                raise SystemExit(f"{setting.name}, {setting.constraint}, {side}: results that do not match: {wrong}")
        better = ours[0][1] - theirs[0][1]
        if better < -TOLERANCE:
            raise SystemExit(f"{setting.name}, {setting.constraint}: the best beam of {name} is {-better} better")
    best = ours[0][0] == theirs[0][0] and abs(better) <= TOLERANCE
    every = best and [ids for ids, _ in ours] == [ids for ids, _ in theirs]
    return best, every, better


def agreement(model: oc.Model, constraints: Sequence[Constraint], prompts: Sequence[str]) -> None:
    """Of many searches, those with the same best beam, and those with the same beams.

    Where the model would not end a text that its constraint ends (JSON: it expects a newline), eos is none of the
    peer's k best candidates, and it loses the hypothesis.
    """
    print(f"\nShort prompts, {len(prompts)} of them, 2, 4 and 16 beams; our best beam is never worse than the peer's")
    for constraint in constraints:
        found = [
            verdicts(Setting("shipped", model, model.state(prompt).token_ids[0], constraint, beams))
            for prompt in prompts
            for beams in (2, 4, 16)
        ]
        better = sorted(more for same, _, more in found if not same)
        print(f"  {kind(constraint)}: of {len(found)} searches the best beam has the same tokens and score in", end=" ")
        print(f"{sum(same for same, *_ in found)}, all k in order in {sum(every for _, every, _ in found)}", end="")
        print(f"; the others are better by {better[0]:.3f} to {better[-1]:.3f}" if better else "")


def soundness(model: oc.Model, constraints: Sequence[Constraint], prompts: Sequence[str]) -> bool:
    """Counts results of our beams, and those that do not match."""
    total = wrong = cut = 0
    for constraint, beams in product(constraints, (2, 4, 8)):
        step = oc.continuous(generator(model, constraint, beams, stop="elsewhere"))
        for prompt in prompts:
            state = step(prompt, max_tokens=ROOM)
            for row in (row for row in state.rows[0] if not row.dead):
                text = model.vocabulary.decode(row.ids[row.spans[-1].start :]).decode()
                total, cut = total + 1, cut + (row.finished != "stop")
                wrong += row.finished == "stop" and not fits(constraint, text)
    print(
        f"\n{len(constraints)} constraints, {len(prompts)} prompts, 2, 4 and 8 beams: "
        f"{total} results, {wrong} invalid, {cut} cut short"
    )
    return not wrong


# --- counts


def counts(setting: Setting) -> tuple[list[tuple[Frontier, Tensor, Any]], int]:
    """Our frontiers with what they were given, and how many distinct pairs of prefix and token they needed."""
    model, seen = setting.model, dict[tuple[int, int], int]()  # (number of a prefix, token) → number of the longer one
    frontier, steps = setting.step.begin(setting.prompt.kv.drop(), max_tokens=ROOM), []
    while not frontier.done:
        for need in frontier.pending:
            number = 0
            for token in need.tokens:
                number = seen.setdefault((number, token), len(seen) + 1)
        logits, claims = model.read(frontier.pending)
        steps.append((frontier, logits, claims))
        frontier = frontier.step(logits, claims)
    return steps, len(seen)


def own_microseconds(steps: Sequence[tuple[Frontier, Tensor, Any]], runs: int = 7) -> tuple[float, float]:
    """Of a step: `Frontier.step` with the logits served, and `pending`. The mean over steps of their medians."""
    stepping, asking = [], []
    for frontier, logits, claims in steps:
        stepping.append(microseconds(lambda f=frontier, x=logits, c=claims: f.step(x, c), runs))
        asking.append(microseconds(lambda f=frontier: replace(f).pending, runs))
    return statistics.mean(stepping), statistics.mean(asking)


def reordering(model: oc.Model, rows: int, length: int) -> float:
    """Microseconds of `reorder_cache` alone, as a beam search calls it after every step."""
    config = model.hf.config
    cache = DynamicCache(config=config)
    shape = (rows, config.num_key_value_heads, length, config.head_dim)
    for layer in range(config.num_hidden_layers):
        cache.update(torch.randn(shape), torch.randn(shape), layer)
    torch.manual_seed(0)
    index = torch.randint(rows, (rows,))
    return microseconds(lambda: cache.reorder_cache(index), 9)


# --- the run


def cell(setting: Setting) -> bool:
    """A block of the report. False if a count is wrong."""
    model, k = setting.model, setting.beams
    best, every, better = verdicts(setting)
    assert model.stats.kv_bytes == 0, "something holds keys and values"
    model.stats.reset()
    out = setting.ours()
    stats = model.stats
    tokens, passes, reread, kv_bytes = stats.tokens, stats.passes, stats.reread, stats.kv_bytes
    longest = out.shape[2] - setting.ids.shape[1]
    emitted = sum(len(row) - setting.ids.shape[1] for row in out.rows[0] if not row.dead)
    del out
    steps, needed = counts(setting)
    own, asking = own_microseconds(steps)
    live = statistics.mean(len(frontier.pending) for frontier, *_ in steps)
    del steps

    sizes = f"prompt of {setting.ids.shape[1]} tokens, up to {longest} new ones"
    print(f"\n{setting.name}, {kind(setting.constraint)}, k = {k}, {sizes}")
    same = "the same tokens and score" if best else f"another, {better:+.4f}"
    print(f"  best beam beside the peer's: {same}; all {k} in order {'the same' if every else 'not the same'}")
    times = median_seconds(setting.ours, *setting.peers().values(), runs=setting.runs)
    print(f"  {'':22} {'seconds':>8} {'ours / it':>10} {'positions':>10} {'per new token':>14} {'passes':>7}")
    per = tokens / emitted
    print(f"  {'ours':22} {times[0]:8.3f} {'':10} {tokens:10,} {per:14.2f} {passes:7}")
    for (name, peer), taken in zip(setting.peers().items(), times[1:], strict=True):
        with counted(model.hf) as fed:
            theirs = setting.results(peer())
        count = sum(len(ids) for ids, _ in theirs)
        ratio = times[0] / taken
        met = f"  ≤ {MARK} {'met' if ratio <= MARK else 'MISSED'}" if k == 16 else ""
        print(
            f"  transformers {name:9} {taken:8.3f} {ratio:10.2f} {sum(fed):10,} {sum(fed) / count:14.2f} "
            f"{len(fed):7}{met}"
        )
    right = "exactly" if tokens == needed else "NOT"
    print(f"  ours: {tokens:,} positions, {right} the {needed:,} distinct pairs of prefix and token needed", end="; ")
    print(f"{reread} read again; {kv_bytes:,} bytes of keys and values at the end")
    print(
        f"  ours, besides the forward: Frontier.step {own:,.0f} µs, pending {asking:,.0f} µs a step of {live:.1f} rows"
    )
    cache = reordering(model, k, setting.ids.shape[1])
    print(f"  transformers: reorder_cache of {k} × {setting.ids.shape[1]} alone {cache:,.0f} µs a step", flush=True)
    return tokens == needed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the shipped model only")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    print("one thread, fp32; seconds: medians of interleaved runs; positions: what forwards were given")

    model = oc.load()
    words, few, code = (
        r"([a-z]{2,8} ){12}[0-9]{4}",
        r"([a-z]{2,8} ){6}[0-9]{4}",
        r"[A-Z][a-z]{2,7}-[0-9]{1,3}(\.[0-9]{2})?",
    )
    prompts = [story(3, seed) + f"{NAMES[seed % len(NAMES)]} said: " for seed in range(30)]
    agreement(model, [few, PERSON], prompts[:6])
    right = soundness(model, [few, code, PERSON, LIST], prompts)

    long = model.state(story(80, 0)).token_ids[0][:, :LENGTH]
    assert long.shape[1] == LENGTH
    settings = [Setting("shipped", model, long, constraint, k) for constraint in (words, RECORD) for k in (4, 16)]
    if not options.quick:
        shape = SHAPES["10M"]
        big = oc.Model(made_llama(shape), made_tokenizer(shape.vocabulary))
        torch.manual_seed(LENGTH)
        ids = torch.randperm(shape.vocabulary - 1)[None, :LENGTH]
        hexes = r"( [0-9a-f]{1,4}){36}"
        settings += [Setting("10M", big, ids, constraint, k, 3) for constraint in (hexes, PERSON) for k in (4, 16)]
    for setting in settings:
        right &= cell(setting)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
