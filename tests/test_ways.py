"""Ways in chains: `a | b` and `a.repeat()`. The model says which way a row goes, and how often, under every sampler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import exp, inf, log
from pathlib import Path
from typing import Any

import pytest
import torch
from cases import pairs
from hypothesis import given, settings
from hypothesis import strategies as st
from test_chains import weights
from test_composition import joined
from test_generation import enumerate_law_after, small_model, toy_model

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import unpack

GREEDY = oc.samplers.greedy()
draw, beams = oc.samplers.multinomial, partial(oc.samplers.beam_search, distinct="tokens")
Ids = tuple[int, ...]

# --- brute force: a grammar of links as nested lists, whose ways are told by fresh forwards
#
# A part is a text (str), a step (its options: a set of tokens each), or ("ways", [[part, …], …], at_least, at_most).


def choice(model: oc.Model, options: Sequence[str], sampler: Any, name: str | None = None) -> oc.Step:
    return oc.continuous(oc.generate.choice(model, list(options), sampler, forced="never"), name, seam="keep")


def built(model: oc.Model, parts: Sequence[Any], sampler: Any) -> Any:
    """The chain of parts."""
    chain: Any = None
    for part in parts:
        if isinstance(part, tuple):
            _, ways, least, most = part
            each = [built(model, way, sampler) for way in ways]
            made = each[0]
            for way in each[1:]:
                made = made | way
            if (least, most) != (1, 1):
                made = made.repeat(most, at_least=least)
        else:
            made = part if isinstance(part, str) else choice(model, part, sampler, "c")
        chain = made if chain is None else chain >> made
    return chain


def least_tokens(model: oc.Model, ids: Ids, depth: int) -> dict[Ids, float]:
    """Every way to go on by so many tokens, with its log-probability: plain forwards."""
    going = {(): 0.0}
    for _ in range(depth):
        rows = torch.tensor([ids + more for more in going])
        with torch.no_grad():
            laws = model.hf(rows).logits[:, -1].double().log_softmax(-1)
        going = {
            (*more, t): before + p
            for (more, before), each in zip(going.items(), laws.tolist(), strict=True)
            for t, p in enumerate(each)
        }
    return going


class Refused(Exception):
    """A grammar whose ways cannot be told apart."""


Event = Ids | frozenset[int] | None  # a text; the tokens that may come first; or whatever nothing else begins with
Stack = tuple[Any, ...]  # parts, and ("turn", ways, least, most, number, began), from the next one on


def begins(model: oc.Model, stack: Stack, nothing: bool = True) -> list[Event]:
    """How a row may go on that has these parts before it. nothing: whether it may end here."""
    if not stack:
        if not nothing:
            raise Refused("a way may write nothing")
        return [None]
    first, *later = stack
    if isinstance(first, str):
        return [tuple(model.encoder.append(first))]
    if isinstance(first, list):
        tokens = enumerate(model.vocabulary.tokens)
        return [frozenset(t for t, data in tokens if data and any(o.encode().startswith(data) for o in first))]
    ways, least, most, number = first[1:5] if first[0] == "turn" else (*first[1:], 0)
    events: list[Event] = []
    if number != most:
        events = [event for way in ways for event in begins(model, tuple(way), nothing=False)]
    return events + (begins(model, tuple(later), nothing) if number >= least else [])


def shares(model: oc.Model, ids: Ids, ways: Sequence[Sequence[Event]]) -> list[float]:
    """P(way), by definition: of every continuation, the first way that it is an event of."""
    depth = max([1, *(len(event) for way in ways for event in way if isinstance(event, tuple))])

    def fits(event: Event, more: Ids) -> bool:
        if isinstance(event, frozenset):
            return more[0] in event
        return event is None or more[: len(event)] == event

    masses: list[list[float]] = [[] for _ in ways]
    for more, p in least_tokens(model, ids, depth).items():
        way = next((i for i, events in enumerate(ways) if any(fits(event, more) for event in events)), None)
        if way is not None:
            masses[way].append(p)
    if not all(masses):
        raise Refused("a way gets nothing")
    return [torch.tensor(each, dtype=torch.float64).logsumexp(0).item() for each in masses]


Derivation = tuple[Ids, tuple[float, ...], float]  # the row; the weight of each span; the law drawn from


def derivations(model: oc.Model, ids: Ids, stack: Stack) -> Iterator[Derivation]:
    """Everything that a chain can write."""
    if not stack:
        yield ids, (), 0.0
        return
    first, *later = stack
    if isinstance(first, str):
        yield from derivations(model, ids + tuple(model.encoder.append(first)), tuple(later))
        return
    if isinstance(first, list):
        for span, own, law in spans_after(model, ids, tuple(first)):
            for row, others, more in derivations(model, ids + span, tuple(later)):
                yield row, (own, *others), law + more
        return
    ways, least, most, number, began = first[1:] if first[0] == "turn" else (*first[1:], 0, None)
    if number == most or (number >= least and began == len(ids)):
        yield from derivations(model, ids, tuple(later))
        return
    events = [begins(model, tuple(way), nothing=False) for way in ways]
    if number >= least:
        events.append(begins(model, tuple(later)))
    masses = shares(model, ids, events) if len(events) > 1 else [0.0]
    norm = torch.tensor(masses).logsumexp(0).item()
    for way, mass in enumerate(masses):
        turn = ("turn", ways, least, most, number + 1, len(ids) if len(events) > 1 else None)
        onward = (*ways[way], turn, *later) if way < len(ways) else tuple(later)
        for row, others, more in derivations(model, ids, onward):
            yield row, ((mass, *others) if len(events) > 1 else others), more + mass - norm


SPANS: dict[Any, Any] = {}


def spans_after(model: oc.Model, ids: Ids, options: tuple[str, ...]) -> Any:
    key = id(model), ids, options
    if key not in SPANS:
        SPANS[key] = enumerate_law_after(model, ids, options)
    return SPANS[key]


TEXTS = ["-", "ab", "1-", "abcb", "12", "x"]
OPTIONS = [["a"], ["a", "ab"], ["1", "12"], ["b", "c"], ["x", ""], ["ca", "y"]]


def flat(ways: Sequence[list[Any]]) -> list[list[Any]]:
    """The ways, where one is nothing but other ways, with these."""
    alone = [way[0] for way in ways if len(way) == 1 and way[0][0] == "ways" and way[0][2:] == (1, 1)]
    return [each for way in ways for each in (way[0][1] if way[0] in alone and len(way) == 1 else [way])]


@st.composite
def grammars(draw_one: st.DrawFn, depth: int = 2, most: int = 3) -> list[Any]:
    """Parts of a chain, with a step at least."""
    parts: list[Any] = []
    for _ in range(draw_one(st.integers(1, most if depth == 2 else 2))):
        kind = draw_one(st.sampled_from(["text", "step", "ways"] if depth else ["text", "step"]))
        if kind == "text":
            if not (parts and isinstance(parts[-1], str)):
                parts.append(draw_one(st.sampled_from(TEXTS)))
        elif kind == "step":
            parts.append(draw_one(st.sampled_from(OPTIONS)))
        else:
            ways = flat(draw_one(st.lists(grammars(depth - 1), min_size=1, max_size=3)))
            times = draw_one(st.sampled_from([(0, 1), (0, 2), (1, 2), *([(1, 1)] * 3 if len(ways) > 1 else [])]))
            parts.append(("ways", ways, *times))
    return parts if any(not isinstance(part, str) for part in parts) else [*parts, ["a", "ab"]]


def enumerated(model: oc.Model, parts: Sequence[Any], most: int = 250) -> list[Derivation] | None:
    """Everything that a chain writes after "xy"; None if that is too much."""
    each = derivations(model, model.state("xy").rows[0][0].ids, tuple(parts))
    listed = [one for _, one in zip(range(most + 1), each, strict=False)]
    return None if len(listed) > most else listed


@settings(max_examples=80)
@given(parts=grammars(), seed=st.integers(0, 2))
def test_the_best_beams_are_the_best_of_all_that_the_ways_can_write(parts: list[Any], seed: int) -> None:
    """Rows and the weight of each span, decisions included, are those of plain forwards; what cannot be told apart is
    refused."""
    model = small_model(seed)
    try:
        every = enumerated(model, parts)
    except Refused:
        with pytest.raises(ValueError, match="may write nothing|gets no probability|holds one|put a text"):
            built(model, parts, beams(5))("xy")
        return
    if every is None:
        return
    state = built(model, parts, beams(len(every) + 5))("xy")
    rows = [row for row in state.rows[0] if not row.dead]
    best = sorted(every, key=lambda one: -sum(one[1]))
    assert [sum(weights(row)) for row in rows] == pytest.approx([sum(own) for _, own, _ in best], abs=1e-3)
    ours, theirs = sorted((row.ids, weights(row)) for row in rows), sorted((ids, own) for ids, own, _ in every)
    for (ids, spans), (expected, each) in zip(ours, theirs, strict=True):
        assert ids == expected and spans == pytest.approx(each, abs=1e-3)
