"""Frontiers as values: other engines give the logits, and the results are those of the library's own loop."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import toy_model
from torch import Tensor
from transformers import DynamicCache

import outlines_cont as oc
from outlines_cont.decode.frontier import Frontier, Need

SCHEMA = {"type": "object", "properties": {"a": {"enum": [1, 12, 2]}, "b": {"type": "boolean"}}, "required": ["a", "b"]}


class Server:
    """A toy engine around a transformers model: a cache for every row that it is asked about, and nothing of ours.

    Of a need it looks at `parent`, `keep`, `token_ids` and `wanted` alone.
    """

    def __init__(self, hf: Any):
        self.hf, self.caches, self.tokens = hf, dict[tuple[int, int], DynamicCache](), 0

    def serve(self, batch: dict[int, tuple[Need, ...]], rows: dict[int, list[int]] | None = None) -> dict[int, Tensor]:
        """The logits for the needs of several frontiers, by the number of their generation.

        rows: of each, the places of those that are read now, in any order. Of the others the cache is kept.
        """
        found: dict[int, Tensor] = {}
        for job, needs in batch.items():
            caches, lines = {}, []
            answered = range(len(needs)) if rows is None else rows[job]
            waiting = [place for place in range(len(needs)) if place not in answered]
            for need in (needs[place] for place in [*answered, *waiting]):
                cache = DynamicCache() if need.parent is None else deepcopy(self.caches[job, need.parent])
                if cache.get_seq_length() > need.keep:
                    cache.crop(need.keep - cache.get_seq_length())
                assert cache.get_seq_length() == need.keep and (need.token_ids or not need.wanted)
                if need.row in waiting:
                    caches[job, need.row] = cache
                    continue
                if need.token_ids:
                    with torch.no_grad():
                        out = self.hf(torch.tensor([need.token_ids]), past_key_values=cache, use_cache=True)
                    lines.append(out.logits[0, [position - need.keep for position in need.wanted]])
                caches[job, need.row] = cache
                self.tokens += len(need.token_ids)
            self.caches = {key: cache for key, cache in self.caches.items() if key[0] != job} | caches
            found[job] = torch.cat(lines)
        return found


def generations(model: oc.Model) -> list[tuple[oc.generate.Generator | oc.Chain, Any, dict[str, Any]]]:
    draw, beams = oc.samplers.multinomial, oc.samplers.beam_search
    make = oc.generate
    return [
        (make.text(model, draw()), "xy", {"stop_at": ["b", "ca", "1"], "max_tokens": 12}),
        (make.text(model, oc.samplers.greedy()), ["x", "abc"], {"stop_at": ["c", "2"], "max_tokens": 9}),
        (make.choice(model, ["a", "ab", "abc"], draw(samples=3)), "x", {}),
        (make.choice(model, ["12", "1", "2b"], beams(3)), ["x", "y"], {}),
        (make.regex(model, "[a-c]{2,6}", draw(samples=2, temperature=1.3, top_p=0.9)), ["xy", "a"], {}),
        (make.regex(model, "(ab|bc|12)*x", beams(4, length_penalty=0.7)), "y", {"max_tokens": 7}),
        (make.json(model, SCHEMA, draw(samples=2)), "x", {}),
        (make.json(model, SCHEMA, beams(2)), "x", {"max_tokens": 20}),
        (make.json(model, SCHEMA, beams(2), forced="canonical"), "x", {"max_tokens": 20}),
        (
            make.regex(model, "[a-c12]{4,9}", draw(samples=2)),
            "xy",
            {"hooks": oc.steer.Hooks(choosy(True), retries=1000)},
        ),
        (make.regex(model, "(ab|bc|12)*x", beams(3)), "y", {"max_tokens": 7, "hooks": [choosy(False)]}),
        (make.control(model, sentences(model), draw(samples=2)), ["x", "yx"], {"max_tokens": 20}),
        (make.control(model, sentences(model), beams(3)), "x", {"max_tokens": 9}),
        (make.choice(model, ["c1", "ca", "1"], draw(samples=3)), ["xa", "x1"], {"seam": "heal"}),
        (make.choice(model, ["a", "ab", "abc", "12"], draw(samples=2), by="sequence"), ["x", "y"], {}),
        (make.choice(model, ["a", "ab", "ba"], draw(samples=2), by="sequence", normalize="unconditional"), "xy", {}),
        (make.choice(model, ["a", "ab", "ba", "12"], beams(2), by="sequence"), "xy", {}),
        (make.regex(model, "[a-c]{2,6}", oc.samplers.smc(5, 0.9)), ["xy", "a"], {}),
        (links(model, beams(3), beams(3), beams(3)), ["xy", "a"], {}),
        (links(model, draw(samples=2), draw(samples=2), beams(2)), ["xy", "a"], {}),
        (links(model, oc.samplers.greedy(), oc.samplers.smc(3), draw()), "xy", {"max_tokens": 6}),
    ]


def links(model: oc.Model, *samplers: Any) -> oc.Chain:
    """Three links, a text that is cut and a healed one among them."""
    first, second, third = samplers
    a = oc.continuous(oc.generate.text(model, first), name="a", max_tokens=3, stop_at=["1"])
    b = oc.continuous(oc.generate.choice(model, ["b", "bc", "ca"], second), name="b", seam="heal")
    c = oc.continuous(oc.generate.choice(model, ["1", "12", "21"], third, by="sequence"), name="c")
    return "x" >> a >> "ya" >> b >> c >> "z"


def choosy(back: bool) -> Callable[[oc.steer.Draw], oc.steer.Resample | oc.steer.Backtrack | None]:
    """Declines, and goes back, as tokens and attempts say."""

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | oc.steer.Backtrack | None:
        said = Random(f"{draw.row.ids} {draw.token} {draw.attempt}").random()
        if said < 0.3 and draw.attempt < 3 and len(draw.candidates(2)) == 2:
            return oc.steer.Resample()
        far = back and 0.3 < said < 0.5 and len(draw.row) > draw.row.start + 1 and draw.attempt < 3
        return oc.steer.Backtrack(2) if far else None

    return hook


def sentences(model: oc.Model) -> Callable[[oc.steer.Writing], list[oc.steer.Branch]]:
    """Forks, goes back once, forces, and draws under guides."""
    words = oc.generate.regex(model, "[a-c]{2,4}")

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        count = row.memory or 0
        return [
            [oc.steer.Branch(allowed=words, memory=1, label="word"), oc.steer.Branch(forced="12", memory=2)],
            [oc.steer.Branch(backtrack="word", forced="b", memory=2)],
            [oc.steer.Branch(allowed=words, memory=3)],
            [],
        ][count]

    return controller


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_continuous_batcher_gives_what_the_own_loop_gives(seed: int) -> None:
    """Generations join a running batch and leave it, in any order; some wait while others step."""
    model, random = toy_model(), Random(seed)
    chosen = random.sample(list(enumerate(generations(model))), 8)
    expected = {i: getattr(g, "run", g)(prompts, seed=seed + i, **options) for i, (g, prompts, options) in chosen}
    server, running, waiting = Server(model.hf), dict[int, Frontier](), list(chosen)
    ended: dict[int, oc.SequenceState] = {}
    model.stats.reset()
    while running or waiting:
        if waiting and random.random() < 0.4:
            i, (generator, prompts, options) = waiting.pop()
            running[i] = generator.begin(prompts, seed=seed + i, **options)
        for i in [i for i, f in running.items() if f.done]:
            ended[i] = running.pop(i).state
        batch = {i: f.pending for i, f in running.items() if random.random() < 0.8}
        for i, logits in server.serve(batch).items():
            running[i] = running[i].step(logits)
    assert (model.stats.passes, model.stats.tokens) == (0, 0), "our model is never called"
    for i, state in ended.items():
        assert state == expected[i] and state.finished == expected[i].finished
        for name in ("logprobs", "proposal_logprobs", "weights"):
            torch.testing.assert_close(
                getattr(state, name), getattr(expected[i], name), atol=1e-4, rtol=1e-4, equal_nan=True
            )


def some_rows(frontier: Frontier, random: Random) -> list[int]:
    """Some of the rows of a frontier that wait for logits, whole blocks, in any order."""
    blocks = random.sample(frontier.blocks, random.randint(1, len(frontier.blocks)))
    rows = [place for block in blocks for place in block]
    return random.sample(rows, len(rows))


@settings(max_examples=20, deadline=None)
@given(which=st.integers(0, 20), seed=st.integers(0, 2**32))
def test_rows_are_answered_in_any_order(which: int, seed: int) -> None:
    """Any rows may wait while others go on: the result is the same, and no token is read twice."""
    model, random = toy_model(), Random(seed)
    work, prompts, options = generations(model)[which]
    expected = getattr(work, "run", work)(prompts, seed=seed, **options)
    frontier, server, whole = work.begin(prompts, seed=seed, **options), Server(model.hf), Server(model.hf)
    while not frontier.done:
        rows = some_rows(frontier, random)
        logits = server.serve({0: frontier.pending}, {0: rows})[0]
        lines, groups = logits.clone(), frontier.groups
        after = frontier.step(logits, rows=rows)
        assert frontier.groups is groups and frontier.step(lines, rows=rows).state == after.state, "it is pure"
        frontier = after
    assert frontier.state == expected and frontier.state.finished == expected.finished
    for name in ("logprobs", "proposal_logprobs", "weights"):
        torch.testing.assert_close(
            getattr(frontier.state, name), getattr(expected, name), atol=1e-4, rtol=1e-4, equal_nan=True
        )
    if which in (19, 20):  # where the sampler changes, a row that has ended waits for all: an engine may forget it then
        return
    again = work.begin(prompts, seed=seed, **options)
    while not again.done:
        again = again.step(whole.serve({0: again.pending})[0])
    assert server.tokens == whole.tokens, "a row that waits keeps what was read of it"


@settings(max_examples=20, deadline=None)
@given(which=st.integers(0, 20), seed=st.integers(0, 2**32))
def test_a_need_has_its_whole_row(which: int, seed: int) -> None:
    """`need.tokens` is what a server would put together of `parent`, `keep` and `token_ids`, whichever rows waited."""
    model, random = toy_model(), Random(seed)
    work, prompts, options = generations(model)[which]
    frontier, before = work.begin(prompts, seed=seed, **options), dict[int, tuple[int, ...]]()
    while not frontier.done:
        rows = some_rows(frontier, random)
        kept = {n.row: () if n.parent is None else before[n.parent][: n.keep] for n in frontier.pending}
        read = {n.row: n.token_ids if n.row in rows else () for n in frontier.pending}
        assert all(n.tokens == kept[n.row] + n.token_ids for n in frontier.pending)
        assert all(n.wanted[-1] == len(n.tokens) - 1 for n in frontier.pending if n.wanted)
        before = {row: kept[row] + read[row] for row in kept}
        frontier = frontier.step(model.logits([frontier.pending[row] for row in rows]), rows=rows)


def test_rows_that_wait_keep_their_keys_and_values() -> None:
    """Where our tree computes the logits: nothing is read twice, and the state that it began from keeps its own."""
    model = oc.Model(toy_model().hf, toy_model().tokenizer)
    text = oc.generate.text(model, oc.samplers.multinomial(samples=2))
    state, random = model.state(["xy", "abc", "a"]).fork(2), Random(3)
    expected = text.run(state, 9, seed=1)
    tokens = model.stats.tokens
    other = oc.Model(toy_model().hf, toy_model().tokenizer)
    state = other.state(["xy", "abc", "a"]).fork(2)
    frontier = oc.generate.text(other, text.sampler).begin(state, 9, seed=1)
    while not frontier.done:
        rows = some_rows(frontier, random)
        frontier = frontier.step(*other.read([frontier.pending[row] for row in rows]), rows=rows)
    assert frontier.state.token_ids.tolist() == expected.token_ids.tolist() and other.stats.tokens == tokens
    assert state.kv.lengths.equal(state.lengths), "the state that it began from has what was computed of it"


def test_blocks_are_answered_together() -> None:
    model = toy_model()
    beams = oc.generate.regex(model, "[a-c]{3}", oc.samplers.beam_search(2)).begin(["x", "y"])
    beams = beams.step(model.logits(beams.pending))
    assert beams.blocks == ((0, 1), (2, 3))
    logits = model.logits(beams.pending)
    with pytest.raises(ValueError, match=r"the needs \[0, 1\] are answered together"):
        beams.step(logits[:1], rows=[0])
    assert [need.parent for need in beams.step(logits[2:], rows=[2, 3]).pending][:2] == [0, 1]
    options = oc.generate.choice(model, ["a", "ab"], oc.samplers.multinomial(samples=2), by="sequence")
    assert options.begin(["x", "y"]).blocks == ((0, 1), (2, 3))
    assert options.begin(["x", "x"], keys=["one", "two"]).blocks == ((0, 1),), "all wait for the same options"


@pytest.mark.parametrize(
    ("rows", "error", "match"),
    [
        ([], ValueError, "at least one need"),
        ([0, 0], ValueError, "none twice"),
        ([2], ValueError, "no place 2"),
        ([-1], ValueError, "no place -1"),
        ([0.5], TypeError, r"rows\[0\]=0.5"),
        (0, TypeError, "a list of places"),
        ([0, 1], ValueError, r"rows=\[0, 1\] of pending ask for \(2, "),
    ],
)
def test_rows_that_there_are_not_are_refused(rows: Any, error: type[Exception], match: str) -> None:
    model = toy_model()
    frontier = oc.generate.text(model).begin(["x", "y"], max_tokens=2)
    with pytest.raises(error, match=match):
        frontier.step(model.logits(frontier.pending)[:1], rows=rows)


@pytest.mark.parametrize("which", range(21))
def test_the_documented_loop_reads_what_a_call_reads(which: int) -> None:
    """Law 8: `f.step(model.logits(f.pending))` gives the state of a call, and reads not one token more."""
    counts, states = [], []
    for by_hand in (False, True):
        model = oc.Model(toy_model().hf, toy_model().tokenizer)
        generator, prompts, options = generations(model)[which]
        step = generator if isinstance(generator, oc.Chain) else oc.continuous(generator)
        options = {**options, "seed": 5}
        if "seam" in options:
            step = oc.continuous(step.generator, seam=options.pop("seam"))
        frontier = step.begin(prompts, **options)
        if by_hand:
            while not frontier.done:
                frontier = frontier.step(model.logits(frontier.pending))
            states.append(frontier.state)
        else:
            states.append(step(prompts, **options))
        counts.append((model.stats.tokens, model.stats.reread, model.stats.passes, model.stats.kv_bytes))
    assert counts[0] == counts[1]
    assert states[0].token_ids.tolist() == states[1].token_ids.tolist() and states[0].weights.equal(states[1].weights)


def test_a_need_never_asks_for_what_was_read() -> None:
    """Every token of a row is read once, but the last where it has to be asked again what follows it."""
    model = toy_model()
    generator = oc.generate.regex(model, "[a-c]{20}", oc.samplers.multinomial())
    frontier, server = generator.begin("xyxyxy", seed=1), Server(model.hf)
    while not frontier.done:
        frontier = frontier.step(server.serve({0: frontier.pending})[0])
    assert server.tokens == frontier.state.lengths.item() - 1


def test_a_row_that_shrinks_keeps_what_is_still_its_own() -> None:
    """A stop string that begins inside a token: what is left of the token is spelled anew, and asked for again."""
    model = toy_model()
    server, size = Server(model.hf), len(model.vocabulary)
    first = oc.generate.text(model, oc.samplers.greedy()).begin("xy", stop_at="b", seed=0)
    server.serve({0: first.pending})
    token = model.vocabulary.tokens.index(b"ab")
    second = first.step(torch.nn.functional.one_hot(torch.tensor([token]), size) * 99.0)
    (need,) = second.pending
    assert not second.done and need.parent == 0 and need.keep <= need.wanted[0]
    torch.testing.assert_close(server.serve({0: second.pending})[0], model.logits(second.pending))


def test_one_frontier_has_as_many_futures_as_logits() -> None:
    model = toy_model()
    frontier = oc.generate.regex(model, "[a-c]{4}", oc.samplers.greedy()).begin("x", seed=0)
    size = len(model.vocabulary)
    ahead = {}
    for token in range(size):
        if model.vocabulary.tokens[token] in (b"a", b"b", b"c"):
            ahead[token] = frontier.step(torch.nn.functional.one_hot(torch.tensor([token]), size) * 9.0)
    assert len(ahead) == 3
    assert {t: f.pending[0].tokens[-1] for t, f in ahead.items()} == {t: t for t in ahead}
    assert frontier.pending[0].parent is None and all(f.pending[0].parent == 0 for f in ahead.values())


@pytest.mark.parametrize("shape", [(1, 7), (2, 261), (0, 261), (262,)])
def test_logits_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    frontier = oc.generate.regex(toy_model(), "[a-c]{4}").begin("x", seed=0)
    with pytest.raises(ValueError, match=r"pending asks for \(1, \d+\)"):
        frontier.step(torch.zeros(shape))
    with pytest.raises(TypeError, match="a tensor"):
        frontier.step([[0.0]])  # type: ignore[arg-type]
