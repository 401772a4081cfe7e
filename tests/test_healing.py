"""Healing: text opened again so that a token may cross its end. Its law, what it leaves out of values, and resuming."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from streams import (
    CHARACTERS,
    Joined,
    chosen,
    cut,
    cutting_model,
    likely,
    made_model,
    on_time,
    read,
    stop_strings,
    surely,
    values_of,
)
from test_generation import enumerate_law_after, spanned, toy_model
from test_score import LONG_OPTIONS, OPTIONS, ended_states, models_of_every_spelling, options_of

import outlines_cont as oc
from outlines_cont.decode import canonical

WORDS = (b"ab", b"abc", b"bc", b"12", b"ca", b"xab", b"abcab", b"c12", b"xabca", b"yxabc")


def model_of_words(seed: int = 0) -> oc.Model:
    return made_model(WORDS, seed)


def reopened(state: oc.SequenceState, begins: Callable[[int], bool]) -> int:
    """By its definition how many tokens are taken back; `begins`: whether the generator allows this byte first."""
    [[row]] = state.rows
    tokens, special = state.model.vocabulary.tokens, state.model.vocabulary.special
    text = [span.kind != "generated" for span in row.spans for _ in range(span.start, span.end)]
    found = 0
    for count in range(1, min(4, len(row) - 1) + 1):
        if not all(text[-count:]) or set(row.ids[-count:]) & special:
            break
        data = b"".join(tokens[t] for t in row.ids[-count:])
        longer = (t for i, t in enumerate(tokens) if i not in special and t.startswith(data) and len(t) > len(data))
        if any(begins(token[len(data)]) for token in longer):
            found = count
    return found


def state_of(model: oc.Model, *texts: bytes) -> oc.SequenceState:
    """A prompt of these tokens."""
    return model.state([model.vocabulary.tokens.index(text) for text in texts])


# --- what is taken back


@settings(max_examples=70)
@given(data=st.data())
def test_what_is_taken_back(data: st.DataObject) -> None:
    """At most four tokens of the text, none special, none generated; the most that begin a longer token together."""
    model = data.draw(st.sampled_from([model_of_words(), cutting_model(3), cutting_model(5)]))
    ids = st.lists(st.sampled_from([*likely(model), *map(model.vocabulary.tokens.index, (b"a", b"b", b"x", b"c")), 0]))
    state = model.state(data.draw(ids.filter(bool)))
    if data.draw(st.booleans()):
        state = oc.continuous(oc.generate.regex(model, "[abc]{1,2}"))(state, seed=0)
    state = state + "".join(data.draw(st.lists(st.sampled_from([*CHARACTERS, "x", "c1"]), max_size=3)))
    options = data.draw(st.sampled_from([None, ["a", "b1"], ["c", ""], ["é", "日"], ["1", "ab", "xa"]]))
    make = oc.generate
    generator = make.text(model) if options is None else make.choice(model, options, forced="never")
    first = {option.encode()[0] for option in options if option} if options else set(range(256))
    frontier = generator.begin(state, seam="heal", seed=0)
    taken = reopened(state, first.__contains__)
    if not frontier.done:  # an only option that is empty has ended
        assert frontier.pending[0].tokens == state.rows[0][0].ids[: len(state.rows[0][0]) - taken]
    whole = generator.run(state, seam="heal", seed=1, max_tokens=12)
    [[row]] = whole.rows
    before = model.vocabulary.decode(state.rows[0][0].ids)
    if row.finished == "stop":
        assert model.vocabulary.decode(row.ids).startswith(before)
    assert model.vocabulary.decode(row.ids).startswith(before[: len(model.vocabulary.decode(row.ids))])


@pytest.mark.parametrize("seam", ["auto", "heal"])
def test_equal_texts_before_a_span_are_looked_at_once(seam: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model, asked = shipped_model(), []
    kept = canonical._most_open
    monkeypatch.setattr(canonical, "_most_open", lambda *of: asked.append(of[2]) or kept(*of))
    name = oc.continuous(oc.generate.regex(model, "[A-Z][a-z]{2,8}"), seam=seam, max_tokens=3)
    state = name(model.state(["My name is ", "I live in "] * 25), seed=1)
    assert len(asked) == 2
    assert name(model.state("My name is "), seed=2).lengths.shape == (1, 1) and len(asked) == 2, "nor by the next call"
    age = oc.continuous(oc.generate.regex(model, "[0-9]{2}"), seam=seam, max_tokens=3)
    age(state + " is ", seed=1)
    assert len(asked) > 2 and len(set(asked)) == len(asked)


@settings(max_examples=50)
@given(
    texts=st.lists(st.tuples(st.sampled_from(["My ", "id", "12", " is "]), st.text("ab1 \n", max_size=4)), max_size=5),
    pattern=st.sampled_from(["[0-9]{1,3}", " ?[a-z]+", "[^a]*", "(is|12)?", "\n+b"]),
    as_ids=st.booleans(),
)
def test_the_answer_for_a_text_does_not_depend_on_the_texts_before(
    texts: list[tuple[str, str]], pattern: str, as_ids: bool
) -> None:
    model = shipped_model()
    encoder, guide = model.encoder, oc.generate.regex(model, pattern).constraint.guide
    for first, second in texts:
        state = model.state(first) + (model.state(encoder.append(second)) if as_ids and second else second)
        for seam in ("auto", "heal"):
            [[row]] = state.rows
            anew = canonical.Beginnings.of_guide(guide, encoder)._replace(answers={})
            expected = canonical.reopened(encoder, anew, row, seam)
            assert canonical.reopened(encoder, canonical.Beginnings.of_guide(guide, encoder), row, seam) == expected
            if seam == "heal" and not as_ids:
                assert expected == reopened(state, anew.first().__contains__)


def test_what_was_generated_is_never_taken_back() -> None:
    """Nor what stands before it, nor a special token, nor the only token of a row."""
    model = model_of_words()
    text = oc.generate.text(model)
    a, x = state_of(model, b"a"), state_of(model, b"x", b"a")
    for state, count in [(a, 0), (x, 1), (model.state([0, model.vocabulary.tokens.index(b"a")]), 1)]:
        assert len(text.begin(state, seam="heal").pending[0].tokens) == len(state.rows[0][0]) - count
    drawn = oc.generate.regex(model, "a").run("x", seed=0)
    assert len(text.begin(drawn, seam="heal").pending[0].tokens) == 2
    assert len(text.begin(drawn + "b", seam="heal").pending[0].tokens) == 2, "`b` begins bc; `ab` is half generated"
    assert len(text.begin(model.state("x<eos>", special=True) + "a", seam="heal").pending[0].tokens) == 2
    with pytest.raises(ValueError, match="heal"):
        oc.continuous(text, seam="mend")
    assert text.run(x, seam="heal", max_tokens=0) == x


# --- the law

CASES = [
    ([b"x", b"y", b"a"], ["b", "bca", "c"]),
    ([b"y", b"x", b"a", b"b"], ["ca", "c", "c12", "1"]),
    ([b"y", b"x", b"a", b"b", b"c"], ["ab", "a", "1"]),
    ([b"x", b"y", b"x", b"ab"], ["c", "", "ca"]),
    ([b"1", b"1"], ["2", "21", "1"]),
]


@pytest.mark.parametrize(("texts", "options"), CASES, ids=repr)
def test_the_law_is_token_masking_from_the_cropped_row(texts: list[bytes], options: list[str]) -> None:
    """Both log-probabilities of every row are those of the enumeration, and draws follow it (chi-square)."""
    model, draws = model_of_words(), 600
    state = state_of(model, *texts)
    count = reopened(state, {option.encode()[0] for option in options if option}.__contains__)
    assert count
    ids = state.rows[0][0].ids
    healed = model.vocabulary.decode(ids[len(ids) - count :]).decode()
    paths = enumerate_law_after(model, ids[: len(ids) - count], [healed + option for option in options])
    own, law = ({path[0]: path[i] for path in paths} for i in (1, 2))
    assert math.fsum(map(math.exp, law.values())) == pytest.approx(1, abs=1e-9)
    sampler = oc.samplers.multinomial(samples=draws)
    pattern = "|".join(options)
    for generator in (
        oc.generate.choice(model, options, sampler, forced="never"),
        oc.generate.regex(model, pattern, sampler, forced="never"),
    ):
        drawn = oc.continuous(generator, name="v", seam="heal")(state, seed=7)
        counts = Counter(spanned(drawn))
        assert set(counts) <= set(own)
        expected = {path: draws * math.exp(p) for path, p in law.items()}
        cells = [(counts[path], e) for path, e in expected.items() if e >= 5]
        cells.append((draws - sum(n for n, _ in cells), max(sum(e for e in expected.values() if e < 5), 1e-9)))
        assert sum((n - e) ** 2 / e for n, e in cells if e > 1e-6) < 12 + 4 * len(cells), cells
        for row, path, values in zip(drawn.rows[0], spanned(drawn), drawn.captures["v"][0], strict=True):
            stop = row.pieces[-1].stop
            assert stop is not None and values == [value_of_path(model, path, healed)] and values[0] in options
            assert row.weight == pytest.approx(own[path], abs=1e-4)
            assert sum(p for p in row.proposals if p is not None) + stop.proposal == pytest.approx(law[path], abs=1e-4)
            assert read(model.vocabulary.decode(row.ids)) == read(b"".join(texts)) + values[0]
        fresh = drawn.kv.drop().rescore()
        assert torch.allclose(fresh.weights, drawn.weights, atol=1e-3) and fresh.captures == drawn.captures


def value_of_path(model: oc.Model, path: tuple[int, ...], healed: str) -> str:
    return model.vocabulary.decode(path).decode().removeprefix(healed)


@pytest.mark.parametrize(("texts", "options"), CASES, ids=repr)
@pytest.mark.parametrize("seed", range(2))
def test_beams_are_the_best_of_the_healed_language(texts: list[bytes], options: list[str], seed: int) -> None:
    model = model_of_words(seed)
    state = state_of(model, *texts)
    ids = state.rows[0][0].ids
    count = reopened(state, {option.encode()[0] for option in options if option}.__contains__)
    healed = model.vocabulary.decode(ids[len(ids) - count :]).decode()
    paths = enumerate_law_after(model, ids[: len(ids) - count], [healed + option for option in options])
    ranked = sorted(paths, key=lambda path: -path[1])
    k = len(ranked) + 1
    generator = oc.generate.choice(model, options, oc.samplers.beam_search(k, distinct="tokens"))
    found = oc.continuous(generator, name="v", seam="heal")(state)
    assert len(found) == len(ranked)
    assert found.weights[0, : len(ranked)].tolist() == pytest.approx([p for _, p, _ in ranked], abs=1e-4)
    assert found.captures["v"][0][0] == [value_of_path(model, ranked[0][0], healed)]
    joined, texts_given = Joined(True), []
    for partial in oc.continuous(generator, seam="heal").stream(state):
        texts_given = joined.add(partial)
    assert texts_given == [[(values or [""])[0] for values in found.captures["v"][0]]]


def test_masked_healing_is_not_conditioning() -> None:
    """With P(b) = .5, P(c | b) = .01, P(bc) = .1 the token `b` is drawn with .83; the conditional law says .048."""
    model = made_model((b"bc", b"bcd"))
    token = {data: i for i, data in enumerate(model.vocabulary.tokens)}
    state = state_of(model, b"x", b"b", b"c")
    generator = oc.generate.regex(model, "(d|e)+", oc.samplers.multinomial(600), forced="never")
    frontier = generator.begin(state, seam="heal", seed=0, max_tokens=9)
    assert frontier.pending[0].tokens == state.rows[0][0].ids[:1]
    law = torch.full((len(model.vocabulary),), -30.0)
    for data, p in ((b"b", 0.5), (b"bc", 0.1), (b"x", 0.4)):
        law[token[data]] = math.log(p)
    first = frontier.step(law.expand(len(frontier.pending), -1)).state
    counts = Counter(spanned(first))
    masked = {(token[b"b"],): 0.5 / 0.6, (token[b"bc"],): 0.1 / 0.6}
    assert set(counts) == set(masked)
    assert sum((counts[path] - 600 * p) ** 2 / (600 * p) for path, p in masked.items()) < 11
    for row, path in zip(first.rows[0], spanned(first), strict=True):
        assert row.proposals[1] == pytest.approx(math.log(masked[path]), abs=1e-5)
        assert row.logprobs[1] == pytest.approx(math.log(0.6 * masked[path]), abs=1e-5)


# --- texts: stop strings, streaming


@settings(max_examples=100)
@given(data=st.data())
def test_stop_strings_are_looked_for_after_what_was_healed(data: st.DataObject) -> None:
    """Given tokens that fit: the value is what follows the healed bytes up to a stop string in it, streamed on time."""
    model = cutting_model(data.draw(st.integers(0, 12)))
    tokens, fond = model.vocabulary.tokens, likely(model)
    x = tokens.index(b"x")
    tail = data.draw(st.lists(st.sampled_from([t for t in fond if len(tokens[t]) < 3]), min_size=1, max_size=3))
    state, stops = model.state([x, *tail]), data.draw(stop_strings)
    generator = oc.generate.text(model, oc.samplers.greedy(), forced="never")  # every token is drawn
    frontier = generator.begin(state, stop_at=stops, max_tokens=10, seed=0, seam="heal")
    count = reopened(state, lambda _: True)
    healed = b"".join(tokens[t] for t in tail[len(tail) - count :])
    text, value, joined = b"", None, ""
    for at in range(10):
        fits = [
            t for t in fond if tokens[t].startswith(healed[len(text) :]) or healed[len(text) :].startswith(tokens[t])
        ]
        token = data.draw(st.sampled_from([*fits, 0] if len(text) >= len(healed) else fits))
        text += tokens[token] if token else b""
        value = text[len(healed) :] if token == 0 or at == 9 else None
        value = kept if (kept := cut(text[len(healed) :], stops)) is not None else value
        frontier, partial = chosen(frontier, [token]).flush()
        joined += partial.delta
        if value is not None:
            break
        if len(text) >= len(healed):
            assert on_time(joined, surely(text[len(healed) :], stops))
        else:
            assert joined == ""
    while not frontier.done:
        frontier, partial = chosen(frontier, [0]).flush()
        joined += partial.delta
    assert value is not None and joined == read(value) and values_of(frontier.state) == [[joined]]
    if len(text) >= len(healed):
        ids = frontier.state.rows[0][0].ids
        assert model.vocabulary.decode(ids) == b"".join(tokens[t] for t in [x, *tail]) + value


@settings(max_examples=60)
@given(data=st.data(), seam=st.sampled_from(["auto", "auto", "heal"]))
def test_no_stream_gives_what_was_healed(data: st.DataObject, seam: Any) -> None:
    """Of every kind of generator and sampler: what it gives is, joined, the values, which begin after the text."""
    model = data.draw(st.sampled_from(models_of_every_spelling()))
    state, make = data.draw(ended_states(model)), oc.generate
    options = data.draw(options_of(model, OPTIONS + LONG_OPTIONS))
    samplers = [oc.samplers.greedy(), oc.samplers.multinomial(2), oc.samplers.beam_search(2)]
    sampler = data.draw(st.sampled_from(samplers))
    generator = data.draw(
        st.sampled_from(
            [
                make.text(model, sampler),
                make.regex(model, "( ?[a-e]{1,4}){1,3}", sampler, forced="never"),
                make.choice(model, options, sampler, forced="never"),
                make.choice(model, options, sampler, by="sequence", forced="never"),
            ]
        )
    )
    joined, texts, partial = Joined(joint=sampler is samplers[2]), [[""]], state
    for partial in oc.continuous(generator, seam=seam).stream(state, seed=data.draw(st.integers(0, 20)), max_tokens=6):
        texts = joined.add(partial)
    assert texts == values_of(partial)
    for [row], rows, values in zip(state.rows, partial.rows, texts, strict=True):
        before = model.vocabulary.decode(row.ids)
        for drawn, value in zip(rows, values, strict=True):
            whole = model.vocabulary.decode(drawn.ids)
            healed = drawn.pieces[-1].origin.healed
            assert read(whole[len(before) :]) == value and (whole.startswith(before) or before.startswith(whole))
            assert before.endswith(healed)


def test_plain_calls_heal() -> None:
    """`generator(prompt, seam="heal")`: values without the healed bytes, of every kind."""
    model = shipped_model()
    schema = {"type": "object", "properties": {"ok": {"enum": ["yes", "no"]}}, "required": ["ok"]}
    kinds: list[tuple[Any, str, Callable[[Any], Any]]] = [
        (oc.generate.choice(model, ["dog", "door", "cat"]), "I have a ", lambda v: v in ("dog", "door", "cat")),
        (oc.generate.regex(model, "[0-9]{2,4}"), "In 1", lambda v: re.fullmatch("[0-9]{2,4}", v)),
        (oc.generate.json(model, schema), 'JSON: {"order": {"o', lambda v: v in ({"ok": "yes"}, {"ok": "no"})),
        (oc.generate.format(model, bool), "It is Tr", lambda v: v in (True, False)),
    ]
    for generator, prompt, check in kinds:
        for seed in range(3):
            state = generator.run(prompt, seed=seed, name="v", seam="heal")
            value = generator(prompt, seed=seed, seam="heal")
            [[[captured]]] = state.captures["v"]
            assert check(value) and captured == value
            [[text]] = values_of(state)
            assert str(state) == prompt + text and (json.loads(text) if type(value) is dict else True)
            deltas = [p.delta for p in generator.stream(prompt, seed=seed, seam="heal")]
            assert "".join(deltas) == text


# --- going on


def ends_of(model: oc.Model, ids: Sequence[int]) -> list[int]:
    return list(accumulate(len(model.vocabulary.tokens[token]) for token in ids))


def test_what_heals_is_not_charged() -> None:
    """A budget of one token leaves the whole text there, and one token more."""
    model = toy_model()
    step = oc.continuous(oc.generate.text(model), name="v", seam="heal")
    for seed in range(12):
        state = step("xya", seed=seed, max_tokens=1)
        assert str(state).startswith("xya") and len(str(state)) > 3


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_healed_span_goes_on_from_any_cut(tmp_path: Path, data: st.DataObject) -> None:
    """Law 7, also inside the healed bytes, through a file, and as a stream that was left: the same rows."""
    model = data.draw(st.sampled_from([toy_model(), model_of_words()]))
    sampler = data.draw(st.sampled_from([oc.samplers.greedy(), oc.samplers.multinomial(), oc.samplers.multinomial(3)]))
    forced = data.draw(st.sampled_from(["canonical", "never"]))
    kind, seed, make = (
        data.draw(st.sampled_from(["text", "choice", "regex"])),
        data.draw(st.integers(0, 50)),
        oc.generate,
    )
    generator = {
        "text": lambda: make.text(model, sampler),
        "choice": lambda: make.choice(model, ["bca", "c12", "cabc", "b"], sampler, forced=forced),
        "regex": lambda: make.regex(model, "(b|ca|12){2,5}x", sampler, forced=forced),
    }[kind]()
    step = oc.continuous(generator, name="v", seam="heal")
    prompt = state_of(model, *data.draw(st.sampled_from([case for case, _ in CASES[:3]])))
    options: dict[str, Any] = {"stop_at": ["ab", "1"], "max_tokens": 9} if kind == "text" else {}
    whole = step(prompt, seed=seed, **options)
    [begin] = {span.start for group in whole.spans for spans in group for span in spans if span.kind == "generated"}
    assert begin <= len(prompt.rows[0][0])
    cut_at = data.draw(st.integers(begin, whole.shape[2]))
    state = whole[..., :cut_at]
    if kind == "text":  # the tokens that stand for the beginning of a dropped one were never drawn
        free = step(prompt, seed=seed, max_tokens=9)
        for row, other, drawn in zip(state.rows[0], whole.rows[0], free.rows[0], strict=True):
            if row.ids != other.ids and row.ids != drawn.ids[: len(row.ids)]:
                return
    if data.draw(st.booleans()):
        state.save(tmp_path / "s")
        loaded = oc.load_state(tmp_path / "s", model)
        assert loaded.identical(state)
        state = loaded
    # what heals is not charged
    used = {
        sum(end > len(row.pieces[-1].origin.healed) for end in ends_of(model, row.ids[begin:]))
        for group in state.rows
        for row in group
    }
    if len(used) > 1:
        return
    resumed = step.resume(state, seed=seed, max_tokens=options.get("max_tokens", 99) - used.pop())
    assert resumed == whole and resumed.finished == whole.finished
    assert resumed.captures == whole.captures
    assert torch.allclose(resumed.weights, whole.weights, atol=1e-3)
    assert torch.allclose(resumed.kv.drop().rescore().weights, whole.weights, atol=1e-3)


@settings(max_examples=100)
@given(data=st.data())
def test_what_was_taken_back_is_never_lost(data: st.DataObject) -> None:
    """A new span after one that was cut, or that was not finished, anywhere: it begins after the whole text."""
    model, seed = data.draw(st.sampled_from([toy_model(), model_of_words()])), data.draw(st.integers(0, 50))
    tokens = data.draw(st.sampled_from([case for case, _ in CASES[:3]]))
    state, text = state_of(model, *tokens), b"".join(tokens).decode()
    generator = oc.generate.text(model, forced="never")
    frontier = generator.begin(state, seam="heal", seed=seed, max_tokens=4)
    [[begun]] = frontier.state.rows
    assert len(begun) < len(tokens)
    for _ in range(data.draw(st.integers(0, 3))):
        frontier = frontier if frontier.done else frontier.step(model.logits(frontier.pending))
    interrupted = frontier.state
    cut = interrupted[..., : data.draw(st.integers(len(begun), interrupted.shape[2]))]
    again = oc.continuous(generator, seam=data.draw(st.sampled_from(["heal", "auto", "keep"])))
    for before in (interrupted, cut):
        assert str(again(before, seed=seed, max_tokens=2)).startswith(text)


def test_healed_texts_follow_one_another() -> None:
    """A chain of healed steps and texts: every row reads as its prompt, texts and values; all captures stand."""
    model, random = shipped_model(), Random(0)
    word = oc.continuous(oc.generate.choice(model, ["red", "reading", "blue", "12"]), name="w", seam="heal")
    for seed in range(6):
        state, text = model.state(["Once up", "The color is re"]), ["Once up", "The color is re"]
        for at in range(3):
            state = word(state, seed=seed)
            text = [t + values[0][-1] for t, values in zip(text, state.captures["w"], strict=True)]
            more = random.choice([" and th", " is", "", " 1"])
            state, text = state + more, [t + more for t in text]
            assert list(state) == text and [len(values[0]) for values in state.captures["w"]] == [at + 1] * 2
        assert torch.allclose(state.kv.drop().rescore().weights, state.weights, atol=1e-3)
