"""Ways in chains: `a | b` and `a.repeat()`. The model says which way a row goes, and how often, under every sampler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_chains import weights
from test_composition import joined, same
from test_generation import enumerate_law_after, small_model

import outlines_cont as oc

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


def grammar(random: Random, depth: int = 2) -> list[Any]:
    """Parts of a chain, with a step at least."""
    parts: list[Any] = []
    for _ in range(random.randint(1, 3 if depth == 2 else 2)):
        kind = random.choice(["text", "step", "ways", "ways"][: 3 + (depth == 2)] if depth else ["text", "step"])
        if kind == "text":
            if not (parts and isinstance(parts[-1], str)):
                parts.append(random.choice(TEXTS))
        elif kind == "step":
            parts.append(random.choice(OPTIONS))
        else:
            ways = flat([grammar(random, depth - 1) for _ in range(random.randint(1, 3))])
            times = random.choice([(0, 1), (0, 2), (1, 2), *([(1, 1)] * 3 if len(ways) > 1 else [])])
            parts.append(("ways", ways, *times))
    return parts if any(not isinstance(part, str) for part in parts) else [*parts, ["a", "ab"]]


def enumerated(model: oc.Model, parts: Sequence[Any], most: int = 250) -> list[Derivation] | None:
    """Everything that a chain writes after "xy"; None if that is too much."""
    each = derivations(model, model.state("xy").rows[0][0].ids, tuple(parts))
    listed = [one for _, one in zip(range(most + 1), each, strict=False)]
    return None if len(listed) > most else listed


@settings(max_examples=80)
@given(number=st.integers(0, 5000), seed=st.integers(0, 2))
def test_the_best_beams_are_the_best_of_all_that_the_ways_can_write(number: int, seed: int) -> None:
    """Rows and the weight of each span, decisions included, are those of plain forwards; what cannot be told apart is
    refused."""
    model, parts = small_model(seed), grammar(Random(number))
    try:
        every = enumerated(model, parts)
    except Refused:
        with pytest.raises(ValueError, match=r"may write nothing|gets no probability"):
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


ROW_BY_ROW = [GREEDY, draw(), draw(samples=3), draw(samples=2, temperature=2.0, top_k=4)]
SEARCHES = [beams(1), beams(3), oc.samplers.beam_search(3), oc.samplers.beam_search(3, length_penalty=1.0)]
PARTICLES = [oc.samplers.smc(3), oc.samplers.smc(3, 1.0, every=1)]


@st.composite
def chains(draw_one: st.DrawFn, samplers: Sequence[Any]) -> Any:
    """A model, and a chain with ways on it that are told apart."""
    model, sampler = small_model(draw_one(st.integers(0, 2))), draw_one(st.sampled_from(samplers))
    for number in count(draw_one(st.integers(0, 5000))):
        parts = grammar(Random(number))
        with suppress(ValueError):
            if any(isinstance(part, tuple) for part in parts):
                chain = built(model, parts, sampler)
                chain.begin("xy", seed=0)
                return model, chain
    raise AssertionError


CHAINS = [
    [("ways", [[["a"]], [["1", "12"]]], 1, 1)],
    [("ways", [["abcb", ["a"]], ["-"], [["x", "b"]]], 0, 2)],
    [["a", "c"], ("ways", [[["1", "12"], ("ways", [["-", ["b"]]], 0, 1)], ["ab"]], 0, 2), "x"],
    [("ways", [["-", ["a", "ab"]]], 1, 2), ("ways", [[["c"]], ["ab"], ["1-"]], 1, 1)],
]


@pytest.mark.parametrize("parts", CHAINS, ids=repr)
def test_draws_follow_the_law_of_the_ways(parts: list[Any]) -> None:
    """Chi-square, of whole rows; and both log-probabilities that a row keeps are those of the enumeration."""
    model, draws = small_model(1), 400
    every = enumerated(model, parts, 400)
    assert every is not None and sum(exp(law) for _, _, law in every) == pytest.approx(1, abs=1e-6)
    state = built(model, parts, draw(samples=draws))("xy", seed=3)
    counts = Counter[int]()
    for row in state.rows[0]:
        own = weights(row)
        n = next(i for i, (ids, each, _) in enumerate(every) if ids == row.ids and own == pytest.approx(each, abs=1e-3))
        counts[n] += 1
        assert own and row.log_importance == pytest.approx(sum(every[n][1]) - every[n][2], abs=1e-3)
    cells = [(counts[n], draws * exp(law)) for n, (_, _, law) in enumerate(every) if draws * exp(law) >= 5]
    left = draws - sum(expected for _, expected in cells)
    cells += [(draws - sum(count for count, _ in cells), left)] if left > 1 else []
    assert sum((count - expected) ** 2 / expected for count, expected in cells) < 12 + 4 * len(cells)


def plainly(row: Any, model: oc.Model, sampler: Any) -> list[Any]:
    """The way that a row has taken, as plain steps and texts."""
    parts: list[Any] = []
    for start, end, piece in row.placed:
        if piece.kind == "text":
            parts.append(model.vocabulary.decode(row.ids[start:end]).decode())
        elif piece.kind == "generated" and piece.generator != "ways":
            constraint = oc.Generator._of(model, piece.origin.constraint, sampler, "never")
            parts.append(oc.continuous(constraint, "c", "keep"))
    return parts


@settings(max_examples=60)
@given(data=st.data())
def test_a_row_is_what_the_steps_of_its_way_write(data: st.DataObject) -> None:
    """With the same seed: tokens, captures, and weights but for those of the decisions."""
    sampler = data.draw(st.sampled_from(ROW_BY_ROW))
    model, chain = data.draw(chains([sampler]))
    seed = data.draw(st.integers(0, 5))
    state = chain(["xy", "ab"], seed=seed)
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            plain = model.state(["xy", "ab"])
            for part in plainly(row, model, sampler):
                plain = plain + part if isinstance(part, str) else part(plain, seed=seed)
            if plain.shape[1] < state.shape[1]:
                continue  # a row without a step is not widened
            assert plain.rows[b][s].ids == row.ids and plain.rows[b][s].lineage == row.lineage
            decided = sum(piece.stop.logprob for piece in row.pieces if piece.generator == "ways" and piece.stop)
            assert row.weight == pytest.approx(plain.rows[b][s].weight + decided, abs=1e-4)
            if "c" in plain.captures:
                assert plain.captures["c"][b][s] == state.captures["c"][b][s]
        alone = chain(["xy", "ab"][b], seed=seed, keys=[b])
        assert alone == state[b : b + 1, : alone.shape[1], :]


@settings(max_examples=80)
@given(data=st.data())
def test_a_chain_with_ways_goes_on_from_wherever_it_was_cut(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From every token, and from a file; and a file brings the state back, which is scored anew as it was."""
    family = data.draw(st.sampled_from([ROW_BY_ROW, SEARCHES, PARTICLES]))
    model, chain = data.draw(chains(family))
    whole = chain(["xy", "ab"], seed=3)
    path = tmp_path_factory.mktemp("ways") / "state"
    whole.save(path)
    loaded = oc.load_state(path, model)
    assert loaded.identical(whole) and chain.resume(loaded, seed=3).identical(whole)
    torch.testing.assert_close(loaded.rescore().weights, whole.weights, atol=1e-4, rtol=0)
    begin = min([s.start for rows in whole.rows for row in rows for s in row.spans if s.kind == "generated"])
    for n in range(begin + 1, whole.shape[2] + 1):
        for cut in (whole[..., :n], loaded[..., :n]):
            if family is ROW_BY_ROW:
                same(chain.resume(cut, seed=3), whole)


@settings(max_examples=60)
@given(data=st.data())
def test_a_chain_with_ways_goes_on_from_every_state_on_the_way(data: st.DataObject) -> None:
    """Whichever rows were answered first; and its stream says what the state says."""
    family = data.draw(st.sampled_from([ROW_BY_ROW, SEARCHES, PARTICLES]))
    model, chain = data.draw(chains(family))
    random = data.draw(st.randoms(use_true_random=False))
    whole, frontier = chain(["xy", "ab"], seed=1), chain.begin(["xy", "ab"], seed=1)
    while not frontier.done:
        state = frontier.state
        if all(any(span.kind == "generated" for span in spans) for group in state.spans for spans in group if spans):
            same(chain.resume(state, seed=1), whole)
        blocks = random.sample(frontier.blocks, random.randint(1, len(frontier.blocks)))
        rows = [row for block in blocks for row in block]
        logits, claims = model.read([frontier.pending[row] for row in rows])
        frontier = frontier.step(logits, claims, rows=rows)
    same(frontier.state, whole)
    start = model.state(["xy", "ab"])
    said = joined(chain.stream(start, seed=1), 2, whole.shape[1])
    if whole.shape[1] == 1:
        begun = [text for [text] in (start + chain.parts[0] if isinstance(chain.parts[0], str) else start).tolist()]
        texts = [text for [text] in whole.tolist()]
        assert [each for [each] in said] == [text.removeprefix(lead) for text, lead in zip(texts, begun, strict=True)]


def test_temperature_and_filters_apply_to_decisions() -> None:
    model = small_model(1)
    plain, warm = (built(model, [("ways", [[["a"]], ["12"], ["x-"]], 1, 1)], draw(temperature=t)) for t in (1.0, 2.0))
    decided = [next(plain("xy", seed=seed).rows[0][0].stops)[1] for seed in range(40)]
    laws = {round(stop.logprob, 4): stop.proposal for stop in decided}
    assert len(laws) == 3
    norm = torch.tensor([p / 2 for p in laws.values()], dtype=torch.float64).logsumexp(0).item()
    for seed in range(5):
        _, stop = next(warm("xy", seed=seed).rows[0][0].stops)
        assert stop.proposal == pytest.approx(laws[round(stop.logprob, 4)] / 2 - norm, abs=1e-3)
    best = built(model, [("ways", [[["a"]], ["12"], ["x-"]], 1, 1)], draw(top_k=1))("xy", seed=1)
    assert next(best.rows[0][0].stops)[1].logprob == pytest.approx(max(laws), abs=1e-3)


def test_ways_that_cannot_be_told_apart_are_refused_by_name() -> None:
    model = small_model(1)
    a, text = choice(model, ["a"], GREEDY, "a"), oc.continuous(oc.generate.text(model, GREEDY), name="t")
    control: Any = oc.continuous(oc.generate.control(model, lambda row: [], GREEDY), name="c")
    for chain, message in (
        (text | a, r"begins with a choice \('a'\) gets no probability: .* begin with \[\[a text \('t'\)\]\]"),
        ((a | "ab" >> text | "ab-") >> text, r"begins with 'ab-' gets no probability"),
        (a | text | control, r"one begins with a control \('c'\), and nobody knows how that begins"),
        (a.repeat() >> (lambda row: "x"), r"one begins with <function .*: put a text before it"),
        (a.repeat() | text, r"the way \(a choice \('a'\)\)\.repeat\(None, at_least=0\) may write nothing"),
    ):
        with pytest.raises(ValueError, match=message):
            chain("xy")
    for wrong in (lambda: a.repeat(0), lambda: a.repeat(2, at_least=3), lambda: a.repeat(at_least=-1), lambda: a | ""):
        with pytest.raises(ValueError, match=r"at_most ≥ 1 and no smaller|no way of a chain is an empty text"):
            wrong()
    with pytest.raises(TypeError, match="continuous"):
        a | a.generator  # type: ignore[operator]
    with pytest.raises(TypeError, match="between ways of a chain"):
        (a | "12")("xy", beside=[("ab", 1.0)])


def test_a_row_ends_where_it_writes_nothing_more_or_has_no_room() -> None:
    """A turn without tokens is the last; and what has no end of its own goes on to the end of the context."""
    model = small_model(1, 24)
    text = oc.continuous(oc.generate.text(model, GREEDY), name="t")
    assert text.repeat()("xy", max_tokens=0).captures["t"] == [[[""]]]
    for sampler in (GREEDY, draw(samples=2), beams(2), oc.samplers.smc(2)):
        a, b = choice(model, ["a", "12"], sampler, "c"), choice(model, ["b"], sampler, "c")
        endless = (a | "-" >> b).repeat(at_least=30)
        whole = endless(["xy", "ab1"], seed=1)
        assert {each for group in whole.finished for each in group} == {"length"}
        assert all(20 < len(row) <= 25 for group in whole.rows for row in group)
        same(endless.resume(whole, seed=1), whole)
        failed = (a | b).repeat()(["xy" * 20, "ab"], errors="return", seed=1)
        assert isinstance(failed.errors[0][0], ValueError) and failed.errors[1][0] is None
    ended = (a | b).repeat()("xy").rows[0][0].spans[-1]
    assert ended.generator == "ways" and str(ended.ended_by).startswith("SpanEnd(kind='value'")


def test_jobs_write_ways_down_and_carry_them_to_other_processes(tmp_path: Path) -> None:
    from outlines_cont.jobs.job import Job, _on
    from outlines_cont.jobs.recipes import specification

    model = small_model(1)
    chains = [built(model, parts, draw()) for parts in CHAINS]
    for chain in chains:
        whole = chain(["xy", "ab"], seed=2)
        states = [*oc.map(chain, ["xy", "ab"], seed=2, out=tmp_path / str(id(chain)))]
        assert [state == whole[b : b + 1, :, :] for b, state in enumerate(states)] == [True, True]
        assert _on(chain, model)(["xy", "ab"], seed=2) == whole
    told = [specification(Job.of(chain, seed=2, max_tokens=None, options={})) for chain in chains]
    assert len({*told}) == len(told)


def test_a_file_loses_how_a_guide_of_the_users_begins(tmp_path: Path) -> None:
    """Then the decision cannot be scored anew, and says so by NaN; the state that was made is."""
    model = small_model(1)
    guide = oc.generate.regex(model, "[ab]", GREEDY).constraint.guide
    step = oc.continuous(oc.Generator(model, guide, GREEDY), name="g")
    state = (step | "12")("xy")
    assert torch.isfinite(state.rescore().weights).all()
    state.save(tmp_path / "state")
    assert oc.load_state(tmp_path / "state", model).rescore().weights.isnan().all()


def test_ways_under_llama_cpp(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the wheel xllamacpp, which carries llama.cpp, is not installed")
    from gguf_files import shipped

    from outlines_cont.llama_cpp.engine import LlamaCppEngine

    plain = oc.load()
    story = "Mira is a painter from Lisbon. Mira is 34 years old.\n"
    for sampler in (GREEDY, draw(), oc.samplers.beam_search(2)):
        states = []
        for model in (plain, oc.Model(LlamaCppEngine(shipped(tmp_path), n_threads=1), plain.tokenizer)):
            line = oc.continuous(oc.generate.text(model, sampler, include_stop=True), stop_at="\n", max_tokens=12)
            total = oc.continuous(oc.generate.regex(model, r"[0-9]{1,2} \+ [0-9]{1,2}", sampler), name="sum")
            states.append(("Q: What is " >> total >> "?\n" | line).repeat(3)(story, seed=1))
        assert list(states[0]) == list(states[1]) and states[0].captures == states[1].captures
        torch.testing.assert_close(states[0].weights, states[1].weights, atol=1e-2, rtol=0)
