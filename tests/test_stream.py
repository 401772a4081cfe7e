"""Streaming: what is given out is final under every continuation, no later than it must be, and joins to the value."""

from __future__ import annotations

import json
import warnings
from codecs import utf_8_decode
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from streams import (
    Joined,
    chosen,
    common,
    cut,
    cutting_model,
    likely,
    made_model,
    nested,
    on_time,
    read,
    stop_strings,
    streamed,
    surely,
    values_of,
)
from test_generation import toy_model
from test_stepping import generations

import outlines_cont as oc
from outlines_cont.generate.steps import Chain, Step

# --- row by row


@settings(max_examples=120)
@given(data=st.data())
def test_what_is_given_out_is_what_no_continuation_changes(data: st.DataObject) -> None:
    """After every token: exactly the text that is final by brute force; and other futures begin with it, too."""
    model = cutting_model(data.draw(st.integers(0, 20)))
    stops, rows = data.draw(stop_strings), data.draw(st.integers(1, 3))
    program = data.draw(st.lists(st.tuples(*[st.sampled_from([*likely(model), 0])] * rows), min_size=14, max_size=14))
    fork = data.draw(st.integers(0, 13))
    generator = oc.generate.text(model, oc.samplers.greedy())
    frontier = generator.begin(["xyz"[:n] for n in range(1, rows + 1)], stop_at=stops, max_tokens=14, seed=0)
    texts, finals = [b""] * rows, [None] * rows
    joined = [""] * rows
    for step, tokens in enumerate(program):
        going = [i for i, (h,) in enumerate(frontier.groups) if not h.status.ended]
        if not going:
            break
        for i in going:
            if finals[i] is None:
                texts[i] += model.vocabulary.tokens[tokens[i]] if tokens[i] else b""
                finals[i] = texts[i] if tokens[i] == 0 or step == 13 else None
                finals[i] = kept if (kept := cut(texts[i], stops)) is not None else finals[i]
        frontier, state = chosen(frontier, [tokens[i] for i in going]).flush()
        for i, (delta,) in enumerate(nested(state)):
            joined[i] += delta
            if finals[i] is None:
                assert on_time(joined[i], surely(texts[i], stops))
        if step == fork:
            other, random = frontier, Random(step)
            while not other.done:
                other = chosen(other, random.choices([*likely(model), 0], k=len(other.pending)))
            assert all(text.startswith(known) for (text,), known in zip(values_of(other.state), joined, strict=True))
    while not frontier.done:  # a stop string that began inside a token is scored
        frontier, state = chosen(frontier, [0] * len(frontier.pending)).flush()
        joined = [known + delta for known, (delta,) in zip(joined, nested(state), strict=True)]
    assert joined == [read(final) for final in finals]
    assert [[text] for text in joined] == values_of(frontier.state)


# --- all samplers


@pytest.mark.parametrize("which", range(8))
@pytest.mark.parametrize("seed", range(4))
def test_streams_give_what_calls_give(which: int, seed: int) -> None:
    """The last state is the call's; deltas join to each value; every state on the way begins the next (no beams)."""
    generator, prompts, options = generations(toy_model())[which]
    whole = generator.run(prompts, seed=seed, **options)
    partials = list(generator.stream(prompts, seed=seed, **options))
    assert partials[-1].identical(whole) and partials[-1].finished == whole.finished
    joined, found = Joined(generator.sampler.joint), []
    for partial in partials:
        found = joined.add(partial)
        if generator.sampler.joint and partial is not partials[-1]:
            for rows, texts in zip(partial.rows, found, strict=True):
                live = {text for row, text in zip(rows, texts, strict=True) if not row.dead}
                assert len(live) == 1 or all(row.finished in ("stop", "length", "dead") for row in rows)
    assert found == values_of(whole)


@pytest.mark.parametrize("stops", [["bc"], ["cab", "2"], ["é", "ab", "abc"]], ids=repr)
def test_a_stop_string_that_is_kept_is_given_out_too(stops: list[str]) -> None:
    generator = oc.generate.text(toy_model(), oc.samplers.multinomial(24), include_stop=True)
    whole = generator.run("xy", seed=3, stop_at=stops, max_tokens=30)
    joined, found = Joined(), []
    for partial in generator.stream("xy", seed=3, stop_at=stops, max_tokens=30):
        found = joined.add(partial)
    assert found == values_of(whole) and "stop" in whole.finished[0]


@settings(max_examples=40)
@given(data=st.data())
def test_beams_give_out_what_all_hypotheses_have_in_common(data: st.DataObject) -> None:
    """Before a batch row's search is over: the common beginning of what each hypothesis may become, by brute force."""
    model, seed = cutting_model(data.draw(st.integers(0, 8))), data.draw(st.integers(0, 1000))
    stops, beams = data.draw(stop_strings), data.draw(st.integers(2, 4))
    generator = oc.generate.text(model, oc.samplers.beam_search(beams, data.draw(st.sampled_from([0.0, 1.0]))))
    joined, found = Joined(True), []
    frontier = generator.begin(data.draw(st.sampled_from([["x"], ["x", "yz"]])), stop_at=stops, max_tokens=9, seed=0)
    for frontier, state in streamed(frontier, seed):  # noqa: B020
        found = joined.add(state)
        for group, texts, rows in zip(frontier.groups, found, state.rows, strict=True):
            if not all(h.finished or h.ending for h in group):
                ended = [read(h.text) if h.status.ended or h.ending else surely(h.text, stops) for h in group]
                [given] = {text for text, row in zip(texts, rows, strict=True) if not row.dead}
                assert (sure := common(ended)).startswith(given)
                # of characters: bytes that differ, and are no characters, are equal as U+FFFD
                assert sure[len(given) :][:1] in ("", "\ufffd")
    assert found == values_of(frontier.state)


# --- what may be taken back


Answer = Callable[[oc.steer.Draw], Any]


def hook_of(seed: int, horizon: int | None) -> Answer:
    """A random program: it declines, replaces, goes back within the horizon, stops."""
    furthest: dict[tuple[int, ...], int] = {}

    def hook(draw: oc.steer.Draw) -> Any:
        row, here = draw.row, len(draw.row) - draw.row.start
        most = furthest[row.lineage] = max(here, furthest.get(row.lineage, 0))
        room = here if horizon is None else here - max(0, most - horizon)
        random = Random(hash((seed, row.ids, draw.token or 0, draw.attempt)))
        kind = random.random()
        if kind < 0.2 and room > 0:
            return oc.steer.Backtrack(random.randint(1, room))
        if kind < 0.3:
            return oc.steer.Resample()
        if kind < 0.35:
            return oc.steer.Replace(random.choice(draw.candidates(4))[0])
        return oc.steer.Stop() if kind < 0.37 else None

    return hook


@settings(max_examples=50)
@given(data=st.data())
def test_what_hooks_may_take_back_is_held(data: st.DataObject) -> None:
    """Final is what every continuation of the tokens before the horizon has in common; without one, nothing."""
    model, seed = cutting_model(data.draw(st.integers(0, 8))), data.draw(st.integers(0, 1000))
    horizon = data.draw(st.none() | st.integers(0, 4))
    stops = data.draw(stop_strings)
    tokens, joined, found, furthest = model.vocabulary.tokens, Joined(), [], dict[Any, int]()
    generator = oc.generate.text(model, oc.samplers.multinomial(data.draw(st.integers(1, 2))))
    options: dict[str, Any] = {"stop_at": stops, "max_tokens": 12, "seed": seed}
    frontier = generator.begin(["x", "yz"], hooks=oc.steer.Hooks(hook_of(seed, horizon), horizon=horizon), **options)
    for frontier, state in streamed(frontier, seed):  # noqa: B020
        found = joined.add(state)
        for h, text in zip((h for g in frontier.groups for h in g), (t for g in found for t in g), strict=True):
            most = furthest[h.lineage] = max(len(h.ids), furthest.get(h.lineage, 0))
            if not h.status.ended and not h.ending:
                kept = 0 if horizon is None else max(0, most - horizon)
                before = b"".join(tokens[token] for token in h.ids[:kept])
                assert surely(before, stops).startswith(text), "not final"
                assert on_time(text, surely(before, stops)), "too late"
    assert found == values_of(frontier.state)


def test_a_stop_string_may_still_come_up_across_the_horizon() -> None:
    """`a` is held, though the horizon is behind it: `X` may be taken back, and `b` make the stop string `ab` of it."""
    model = made_model(())
    a, b, x, y = (model.vocabulary.tokens.index(data) for data in (b"a", b"b", b"X", b"Y"))

    def hook(draw: oc.steer.Draw) -> Any:
        return oc.steer.Backtrack(1) if draw.token == y else None

    generator = oc.generate.text(model, oc.samplers.greedy())
    frontier, joined = generator.begin("x", stop_at="ab", seed=0, hooks=oc.steer.Hooks(hook, horizon=1)), ""
    for token in (a, x, y, b):
        frontier, state = chosen(frontier, [token]).flush()
        joined += nested(state)[0][0]
    assert frontier.done and values_of(frontier.state) == [[""]] and joined == ""


def test_beyond_the_horizon_nothing_is_taken_back() -> None:
    """Within it, anything; beyond it, HookLimit. It counts from the furthest that the row has been."""
    model = toy_model()
    generator = oc.generate.regex(model, "[xyz]{8,20}", oc.samplers.multinomial())

    def run(*backs: int) -> list[Any]:
        program = list(backs)

        def hook(draw: oc.steer.Draw) -> Any:
            return oc.steer.Backtrack(program.pop(0)) if program and len(draw.row) - draw.row.start >= 6 else None

        return list(generator.stream("x", hooks=oc.steer.Hooks(hook, horizon=3), seed=5))

    assert "".join(p.delta for p in run(3, 3)) == values_of(run(3, 3)[-1])[0][0]
    for backs in ((4,), (3, 3, 4)):
        with pytest.raises(oc.errors.HookLimit, match="horizon"):
            run(*backs)
    program = [3]

    def hook(draw: oc.steer.Draw) -> Any:
        here = len(draw.row) - draw.row.start
        if program and here == 6:
            return oc.steer.Backtrack(program.pop())
        return oc.steer.Backtrack(2) if not program and here == 4 else None

    with pytest.raises(oc.errors.HookLimit, match="horizon"):
        list(generator.stream("x", hooks=oc.steer.Hooks(hook, horizon=3), seed=5))


def controller_of(
    model: oc.Model, seed: int, horizon: int | None
) -> Callable[[oc.steer.Writing], list[oc.steer.Branch]]:
    """A random program: it draws, appends, forks, and goes back within the horizon. It knows how far it has been."""
    fond = likely(model)

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        here, (asked, most) = len(row) - row.start, row.memory or (0, 0)
        most = max(most, here)
        random = Random(hash((seed, row.ids, asked)))
        memory, kind = (asked + 1, most), random.random()
        if asked > 12 or kind < 0.1:
            return []
        room = here if horizon is None else here - max(0, most - horizon)
        back = random.randint(0, room) if kind < 0.4 else 0
        allowed = random.sample(fond, 5)
        ways = [
            oc.steer.Branch(back, allowed=allowed, memory=memory),
            oc.steer.Branch(back, forced=model.vocabulary.tokens[allowed[0]] * 2, memory=memory),
            oc.steer.Branch(back, forced={allowed[0]: allowed[:2], allowed[2]: [allowed[2]]}, memory=memory),
        ]
        return random.sample(ways, 2 if kind > 0.9 and len(row.lineage) < 4 else 1)

    return controller


@settings(max_examples=50)
@given(data=st.data())
def test_what_controllers_may_take_back_is_held(data: st.DataObject) -> None:
    """The same for controllers; forks go on from what was given out before them."""
    model, seed = cutting_model(data.draw(st.integers(0, 8))), data.draw(st.integers(0, 1000))
    horizon, tokens = data.draw(st.none() | st.integers(0, 4)), model.vocabulary.tokens
    generator = oc.generate.control(model, controller_of(model, seed, horizon), oc.samplers.multinomial())
    joined, found = Joined(), []
    frontier = generator.begin(["x", "yz"], max_tokens=12, seed=seed, hooks=oc.steer.Hooks(horizon=horizon))
    for frontier, state in streamed(frontier, seed):  # noqa: B020
        found = joined.add(state)
        for group, texts in zip(frontier.groups, found, strict=True):
            for h, text in zip(group, texts, strict=False):
                if not h.status.ended:
                    kept = 0 if horizon is None else max(0, len(h.ids) - horizon)
                    assert (
                        surely(b"".join(tokens[token] for token in h.ids[:kept]), []).startswith(text)
                        or len(h.ids) < h.retries.furthest
                    ), "not final"
    if frontier.done and found:
        assert found == values_of(frontier.state)


# --- JSON


def begins(a: Any, b: Any) -> bool:
    """Whether one value grows into another: `partial`'s law."""
    if a is oc.types.NOTHING:
        return True
    if type(a) is str and type(b) is str:
        return b.startswith(a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) <= len(b) and a[:-1] == b[: max(0, len(a) - 1)] and all(map(begins, a[-1:], b[len(a) - 1 :]))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b)[: len(a)] and begins(list(a.values()), list(b.values()))
    if type(a) in (int, float) and type(b) in (int, float):
        return True
    return a is b


SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 6},
        "tags": {"type": "array", "items": {"enum": ["é🦙", "日", 12, 1.5, None, True]}, "maxItems": 3},
    },
    "required": ["name", "tags"],
}  # fmt: skip


@pytest.mark.parametrize("forced", ["canonical", "never"])
@pytest.mark.parametrize("seam", ["keep", "heal"])
def test_values_grow(forced: str, seam: str) -> None:
    """`value` is what the final text says as JSON; it grows, and ends as what `json.loads` gives."""
    generator = oc.generate.json(shipped_model(), SCHEMA, oc.samplers.multinomial(2), forced=forced)
    for seed in range(4):
        before, texts = [[oc.types.NOTHING] * 2] * 2, [[""] * 2] * 2
        for partial in generator.stream(["JSON: {", "A list"], seed=seed, max_tokens=120, seam=seam):
            texts = [[a + b for a, b in zip(*z, strict=True)] for z in zip(texts, partial.delta, strict=True)]
            value = nested(partial, "value")
            assert value == [[oc.types.partial(text) for text in group] for group in texts]
            assert all(begins(a, b) for z in zip(before, value, strict=True) for a, b in zip(*z, strict=True))
            before = value
        for row in (
            row for group in zip(partial.finished, before, texts, strict=True) for row in zip(*group, strict=True)
        ):
            assert row[0] != "stop" or row[1] == json.loads(row[2])


# --- early ends


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_iterator_closed_early_leaves_a_state_that_goes_on(tmp_path: Path, data: st.DataObject) -> None:
    """Resumed with the same seed (also from disk, also after a slice), any state on the way ends as the stream does."""
    rows = [0, 1, 2, 4, 6]  # no beams: what they drop on the way is not in a state
    model = toy_model()
    generator, prompts, options = generations(model)[data.draw(st.sampled_from(rows))]
    step, seed = oc.continuous(generator, name="it"), data.draw(st.integers(0, 50))
    iterator = step.stream(prompts, seed=seed, **options)
    partials = [state for state, _ in zip(iterator, range(data.draw(st.integers(1, 8))), strict=False)]
    iterator.close()
    state: oc.SequenceState = data.draw(st.sampled_from(partials))
    begin = max(span.start for group in state.spans for spans in group for span in spans if span.kind == "generated")
    if all(f == "interrupted" for group in state.finished for f in group) and state.shape[2] > begin + 1:
        state = state[..., : data.draw(st.integers(begin + 1, state.shape[2]))]
    if data.draw(st.booleans()):
        state.save(tmp_path / "s")
        state = oc.load_state(tmp_path / "s", model)
    whole = step(prompts, seed=seed, **options)
    left = None
    if "max_tokens" in options:
        going = [r for g in state.rows for r in g if r.finished != "stop"]
        left = max([options["max_tokens"] - (len(row) - row.spans[-1].start) for row in going], default=0)
    if any(not row.ids[row.spans[-1].start :] for g in state.rows for row in g):
        return
    resumed = step.resume(state, seed=seed, max_tokens=left)
    assert resumed == whole
    assert resumed.captures == whole.captures and torch.allclose(resumed.weights, whole.weights, atol=1e-3)


# --- a state that was cut


def resumable(data: st.DataObject, model: oc.Model) -> Step | Chain:
    """A step, or a chain of two links with texts; of one sampler or two."""
    samplers = [oc.samplers.greedy(), *(oc.samplers.multinomial(n) for n in (1, 2)), oc.samplers.beam_search(2)]
    sampler = data.draw(st.sampled_from([*samplers, oc.samplers.smc(2)]))
    other = data.draw(st.sampled_from([sampler, sampler, oc.samplers.multinomial(sampler.samples)]))
    text = oc.continuous(oc.generate.text(model, sampler), name="text", stop_at=["b1", "é"])
    word = oc.continuous(oc.generate.regex(model, "[abcé]{2,5}1", sampler), name="word")
    number = oc.continuous(oc.generate.choice(model, ["12", "1é2", "ab"], other), name="number")
    return data.draw(st.sampled_from([text, word, word >> " é:" >> number, text >> "ab" >> number >> "é"]))


@settings(max_examples=60)
@given(data=st.data())
def test_a_cut_state_streams_on(data: st.DataObject) -> None:
    """exllamav2's users cut a generation and stream on: `resume(cut)`, step by step. The deltas, joined, are what comes
    after the whole characters of the cut; under beams, of the row that each one goes on from."""
    model = toy_model()
    step = resumable(data, model)
    whole = step(["ab", "xyé"], max_tokens=7, seed=data.draw(st.integers(0, 9)))
    cut = whole[..., : data.draw(st.integers(2, max(2, whole.shape[2])))]
    options: dict[str, Any] = {"seed": data.draw(st.integers(0, 9)), "max_tokens": data.draw(st.integers(0, 7))}
    try:
        resumed = step.resume(cut, **options)
    except ValueError:  # nothing of the span is left
        with pytest.raises(ValueError):
            list(step.stream(cut, resume=True, **options))
        return
    partials = list(step.stream(cut, resume=True, **options))
    assert partials[-1].identical(resumed)
    steps = step.steps if isinstance(step, Chain) else (step,)
    joint = any(one.generator.sampler.joint for one in steps)
    for b, rows in enumerate(resumed.rows):
        for s, row in enumerate(rows):
            delta = "".join(nested(partial)[b][s] for partial in partials)
            text = model.vocabulary.decode(row.ids)
            cuts = [model.vocabulary.decode(one.ids) for one in (cut.rows[b] if joint else cut.rows[b][s : s + 1])]
            begun = [one[: utf_8_decode(one, "replace", False)[1]] for one in cuts]
            ends = [text[len(one) :].decode("utf-8", "replace") if text.startswith(one) else None for one in begun]
            taken_back = [one for one in begun if len(text) < len(one) and not delta]  # a stop string began before it
            assert row.dead or delta in ends or taken_back, (text, delta, begun)


def test_a_call_on_a_cut_of_its_own_span_says_so() -> None:
    """It begins a new value in the middle of the old one, which is hardly what is meant."""
    model = shipped_model()
    person = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    step = oc.continuous(oc.generate.json(model, person, oc.samplers.greedy()), name="person")
    chain = "Here: " >> step >> "."
    whole = step("A person: ")
    cut = whole[..., :-2]
    calls = [step, lambda s, **o: list(step.stream(s, **o)), step.begin, chain, chain.begin]
    for call in calls:
        with pytest.warns(UserWarning, match=r"row \(0, 0\) ends in '.*a value of the step 'person' that was cut"):
            call(cut, max_tokens=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step(whole, max_tokens=1)
        step(whole[..., :5], max_tokens=1)
        assert step.resume(cut) == whole
        oc.continuous(oc.generate.text(model), name="text")(cut, max_tokens=1)
