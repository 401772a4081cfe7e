"""No model is needed to step: tokens drawn elsewhere, and Models of a tokenizer alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from streams import cut, cutting_model, likely, nested, read, stop_strings, values_of
from test_bad_input import other_model
from test_generation import toy_model
from test_stepping import SCHEMA, Server, generations
from tokenizers import Tokenizer

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import Option


@cache
def text_side(model: oc.Model) -> oc.Model:
    """The same model without parameters."""
    return oc.Model(model.tokenizer, context_length=model.context_length, vocab_size=len(model.vocabulary))


def token(model: oc.Model, data: bytes) -> int:
    return model.vocabulary.tokens.index(data)


# --- tokens drawn elsewhere


@dataclass(frozen=True)
class Noted(oc.samplers.Multinomial):
    """Random draws that are noted, by the lineage of the row."""

    noted: dict[tuple[int, ...], Option] = field(default_factory=dict, compare=False)

    def draw(self, live: Any, law: Any, seed: int) -> list[Option]:
        options = super().draw(live, law, seed)
        self.noted.update({h.lineage: option for h, option in zip(live, options, strict=True)})
        return options


def lines(row: oc.steer.Writing) -> list[oc.steer.Branch]:
    """Forces, draws, goes back once and draws again: a controller that does not fork."""
    steps = [
        [oc.steer.Branch(forced="12", label="here", memory=1)],
        [oc.steer.Branch(allowed=oc.generate.regex(toy_model(), "[a-c]{1,4}"), memory=2)],
        [oc.steer.Branch(backtrack="here", allowed=oc.generate.choice(toy_model(), ["ab", "c"]), memory=3)],
        [oc.steer.Branch(forced="x", memory=4)],
    ]
    return steps[row.memory or 0] if (row.memory or 0) < len(steps) else []


def drawn_generations(model: oc.Model, noted: dict[Any, Any]) -> list[tuple[Any, Any, dict[str, Any]]]:
    """Every kind that tokens alone can drive: a generator or a chain, prompts, options."""
    make = oc.generate

    def draw(samples: int = 1, **options: Any) -> Noted:
        return Noted(samples, **options, noted=noted)

    def chain(*samplers: Noted) -> oc.Chain:
        a = oc.continuous(make.text(model, samplers[0]), name="a", max_tokens=3, stop_at=["1"])
        b = oc.continuous(make.choice(model, ["b", "bc", "ca"], samplers[1]), name="b", seam="heal")
        c = oc.continuous(make.json(model, SCHEMA, samplers[2]), name="c")
        return "x" >> a >> "ya" >> b >> c >> "z"

    return [
        (make.text(model, draw(3)), "xy", {"stop_at": ["b", "ca", "1"], "max_tokens": 12}),
        (make.text(model, draw(temperature=2.0)), ["x", "abc"], {"stop_at": ["c", "2x"], "max_tokens": 9}),
        (make.choice(model, ["a", "ab", "abc"], draw(3)), ["x", "y"], {}),
        (make.choice(model, ["c1", "ca", "1"], draw(3), stop="eos"), "xa", {}),
        (make.regex(model, "[a-c]{2,6}é?", draw(2)), ["xy", "a"], {"max_tokens": 5}),
        (make.json(model, SCHEMA, draw(2)), ["x", "y"], {}),
        (make.json(model, SCHEMA, draw(2), forced="never"), "x", {"max_tokens": 20}),
        (make.control(model, lines, draw(2)), ["x", "yx"], {"max_tokens": 20}),
        (chain(draw(2), draw(2), draw(2)), ["xy", "a"], {}),
        (chain(draw(2), draw(2, top_k=3), draw()), ["xy", "a"], {"max_tokens": 6}),
    ]


@settings(max_examples=60, deadline=None)
@given(which=st.integers(0, 9), seed=st.integers(0, 2**32), known=st.booleans())
def test_the_draws_of_a_generation_make_the_same_generation(which: int, seed: int, known: bool) -> None:
    """Equal states, captures, needs and texts at every step; equal log-probabilities where nothing was forced."""
    model, noted = toy_model(), dict[Any, Option]()

    def begun(owner: oc.Model, seed: int) -> oc.stepping.Frontier:
        generator, prompts, options = drawn_generations(owner, noted)[which]
        return generator.begin(prompts, seed=seed, **options)

    original, accepted = begun(model, seed), begun(text_side(model), 0)
    while not original.done:
        noted.clear()
        following = original.step(model.logits(original.pending))
        going = (h for group in original.groups for h in group if not h.status.ended)
        draws = [noted.get(h.lineage, (None, None)) for h in going]
        ids = [None if candidate == len(model.vocabulary) else candidate for candidate, *_ in draws]
        accepted = accepted.accept(ids, [logprob for _, logprob, *_ in draws] if known else None)
        (original, expected), (accepted, said) = following.flush(), accepted.flush()
        assert said == expected.to(said.model) and said.delta == expected.delta
        assert said.finished == expected.finished and said.captures == expected.captures
        needs = [[(n.row, n.parent, n.keep, n.token_ids, n.wanted) for n in f.pending] for f in (original, accepted)]
        assert needs[0] == needs[1]
        unknown, total = said.logprobs.isnan(), said.weights.isnan()
        if known:
            assert said.logprobs[~unknown].equal(expected.logprobs[~unknown])
            assert (expected.proposal_logprobs[unknown] == 0).all(), "only what was forced is not known"
            torch.testing.assert_close(said.weights[~total], expected.weights[~total])
    assert accepted.done


def test_a_server_draws_and_the_text_side_writes() -> None:
    """In its user's words: UTF-8 is held, stop strings end the text, and a token that does not fit is refused."""
    model = oc.Model(toy_model().tokenizer, context_length=64)
    frontier = oc.generate.text(model).begin("x", stop_at="bc")
    deltas = []
    for data in ["é".encode()[:1], "é".encode()[1:], b"a", b"b", b"1"]:
        frontier, partial = frontier.accept([token(model, data)]).flush()
        deltas.append(partial.delta)
    assert deltas == ["", "é", "a", "", "b1"]
    ended = frontier.accept([token(model, b"bc")])
    assert ended.done and ended.state.finished == [["stop"]] and str(ended.state) == "xéab1"

    frontier = oc.generate.regex(model, "[ab]{2}").begin(["x", "y"])
    a, one = token(model, b"a"), token(model, b"1")
    with pytest.raises(
        oc.errors.ConstraintError, match=rf"ids\[1\]={one}: the regex .* row \(1, 0\) .* b'1' after b''"
    ):
        frontier.accept([a, one])
    with pytest.raises(oc.errors.ConstraintError, match=r"ids\[0\]=None: .*does not allow the stop"):
        frontier.accept([None, a])
    assert list(frontier.accept([a, a]).accept([a, a]).state) == ["xaa", "yaa"]


def test_an_eos_is_the_stop() -> None:
    model = text_side(toy_model())
    frontier = oc.generate.text(model).begin("x")
    stopped = [frontier.accept([end], [-1.5]).state for end in (None, *model.vocabulary.eos)]
    assert stopped[0].identical(stopped[1]) and stopped[0].finished == [["stop"]]
    assert stopped[0].weights.tolist() == [[-1.5]]


def test_what_was_computed_of_the_needs_is_kept() -> None:
    """Who reads our own model, and draws by himself, reads no token twice."""
    model = oc.Model(toy_model().hf, toy_model().tokenizer)
    frontier = oc.generate.text(model).begin("xyxy")
    for _ in range(5):
        likely = model.logits(frontier.pending)[:, 1:].argmax(-1) + 1
        frontier = frontier.accept(likely)
    assert model.stats.tokens == frontier.state.lengths.item() - 1 and model.stats.reread == 0
    assert frontier.state.rescore().weights.isfinite().all()


@cache
def waiting() -> oc.stepping.Frontier:
    """Its only row waits for the scores of forced tokens, and then ends."""
    model = text_side(toy_model())
    frontier = oc.generate.choice(model, ["1a", "b12x"]).begin("x")
    return frontier.accept([token(model, b"b")])


def test_a_row_that_draws_nothing_takes_none() -> None:
    assert not waiting().done and str(waiting().state) == "xb"
    ended = waiting().accept([None])
    assert ended.done and str(ended.state) == "xb12x" and ended.state.weights.isnan().all()
    with pytest.raises(ValueError, match=r"row \(0, 0\) draws nothing now; give None, .* frontier.drawing is False"):
        waiting().accept([5])


@settings(max_examples=150, deadline=None)
@given(data=st.data(), which=st.integers(0, 3), stops=stop_strings)
def test_stop_strings_may_begin_and_end_inside_tokens(data: st.DataObject, which: int, stops: list[str]) -> None:
    """The loop of the page against a plain model: bytes up to the first stop string, in a batch of any tokens."""
    model = cutting_model(which)
    rows = st.lists(st.lists(st.sampled_from(likely(model)), max_size=8), min_size=1, max_size=3)
    drawn = data.draw(rows, "tokens")
    values, counts = [], []
    for ids in drawn:
        texts = [model.vocabulary.decode(ids[:n]) for n in range(len(ids) + 1)]
        count = next((n for n, text in enumerate(texts) if cut(text, stops) is not None), None)
        values.append(read(texts[-1] if count is None else cut(texts[count], stops) or b""))
        counts.append(len(ids) + 1 if count is None else count)  # and the stop, where no stop string came

    name = oc.continuous(oc.generate.text(text_side(model)), name="said", stop_at=stops)
    frontier, given, joined = name.begin(["x"] * len(drawn)), [iter(ids) for ids in drawn], [""] * len(drawn)
    asked = [0] * len(drawn)
    while not frontier.done:
        going = [b for b, [h] in enumerate(frontier.groups) if not h.status.ended]
        draws = [b if draws else None for b, draws in zip(going, frontier.drawing, strict=True)]
        for b in draws:
            if b is not None:
                asked[b] += 1
        frontier, partial = frontier.accept([None if b is None else next(given[b], None) for b in draws]).flush()
        joined = [a + delta for a, [delta] in zip(joined, nested(partial), strict=True)]
    assert joined == values_of_rows(frontier.state) == values and asked == counts
    assert frontier.state.finished == [["stop"]] * len(drawn)
    assert frontier.state.captures["said"] == [[[value]] for value in values]


def values_of_rows(state: oc.SequenceState) -> list[str]:
    return [value for [value] in values_of(state)]


def fork(row: oc.steer.Writing) -> list[oc.steer.Branch]:
    word = oc.generate.regex(toy_model(), "[ab]{2}")
    if row.memory is None:
        return [oc.steer.Branch(forced="12", memory=1)]
    return [oc.steer.Branch(allowed=word, memory=2)] * 2 if row.memory == 1 else []


REFUSED: dict[str, tuple[Callable[[oc.Model], oc.stepping.Frontier], str]] = {
    "beams": (lambda m: oc.generate.text(m, oc.samplers.beam_search(2)).begin("x"), "BeamSearch.* compares the rows"),
    "particles": (lambda m: oc.generate.text(m, oc.samplers.smc(2)).begin("x"), "Particles.* compares the rows"),
    "sequence": (lambda m: oc.generate.choice(m, ["a", "b1"], by="sequence").begin("x"), "scores of all its options"),
    "hooks": (lambda m: oc.generate.text(m).begin("x", hooks=[lambda draw: None]), "hooks are shown the law"),
    "fork": (lambda m: oc.generate.control(m, fork).begin("x"), r"forks row \(0, 0\) into 2 rows"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_token_does_not_tell_is_refused_by_name(case: str) -> None:
    make, message = REFUSED[case]
    frontier = make(text_side(toy_model()))
    with pytest.raises(TypeError, match=message + r".*step\(logits\)"):
        frontier.accept([None] * len(frontier.pending))
    assert frontier.step(toy_model().logits(frontier.pending)).pending != frontier.pending


# --- a Model of a tokenizer alone


@pytest.mark.parametrize("which", range(21))
def test_its_frontiers_are_stepped_by_anybody(which: int) -> None:
    """All kinds, searches and choices by sequence among them; its states move to the Model with parameters."""
    model = toy_model()
    (generator, prompts, options), (reference, *_) = (generations(m)[which] for m in (text_side(model), model))
    frontier, server = generator.begin(prompts, seed=7, **options), Server(model.hf)
    while not frontier.done:
        frontier = frontier.step(server.serve({0: frontier.pending})[0])
    state, expected = frontier.state, getattr(reference, "run", reference)(prompts, seed=7, **options)
    assert state.to(model) == expected and state.finished == expected.finished and state.captures == expected.captures
    torch.testing.assert_close(state.weights, expected.weights, atol=1e-4, rtol=1e-4, equal_nan=True)


def test_all_but_logits_is_there(tmp_path: Path) -> None:
    real, model = shipped_model(), text_side(shipped_model())
    assert isinstance(model, oc.Model) and model.vocabulary == real.vocabulary and model.context_length == 2048
    chat = [{"role": "user", "content": "Who is Mira? <|end|>"}]
    assert model.chat(chat) == real.chat(chat).to(model) and model.device.type == "cpu"
    assert model.state(["Zürich", "<|end|>"]).to(real) == real.state(["Zürich", "<|end|>"])
    age = oc.continuous(oc.generate.regex(model, "[0-9]{2}"), name="age")
    [three, four] = [token(model, data) for data in (b"3", b"4")]
    state = age.begin("Mira is ").accept([three], [-0.5]).accept([four], [-0.25]).state
    assert state.captures["age"] == [[["34"]]] and state.weights.tolist() == [[-0.75]]
    cut = state[..., :-1]
    assert str(age.resume(state)) == "Mira is 34", "it has ended: nothing is asked"
    assert str(age.begin(cut, resume=True).accept([three]).state) == "Mira is 33"
    state.save(tmp_path / "state")
    assert oc.load_state(tmp_path / "state", model).identical(state)
    assert oc.load_state(tmp_path / "state", real).rescore().weights.isfinite().all()
    assert (model.stats.tokens, model.stats.kv_bytes, state.kv.lengths.tolist()) == (0, 0, [[0]])


def test_whatever_needs_logits_says_so_by_name() -> None:
    model = text_side(shipped_model())
    state = model.state("Mira is ")
    made = oc.generate.text(model).begin(state).accept([token(model, b" a")]).state
    calls: list[Callable[[], Any]] = [
        lambda: oc.generate.text(model)("Mira"),
        lambda: oc.continuous(oc.generate.regex(model, "[0-9]+"))(state),
        lambda: next(oc.generate.text(model).stream("Mira")),
        lambda: oc.generate.choice(model, ["a", "b"], by="sequence").probabilities("Mira"),
        lambda: oc.generate.text(model).resume(made),
        lambda: made.rescore(),
        lambda: model.rescore(made),
        lambda: oc.score(state, "34"),
        lambda: model.logits(oc.generate.text(model).begin("Mira").pending),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"no parameters.* computes no logits.*step\(logits\).*accept\(ids\)"):
            call()
    with pytest.raises(
        AttributeError, match=r"Model\(no parameters, .*keeps no keys and values here, and has no kv_budget"
    ):
        _ = model.kv_budget
    for name in ("hf", "tier"):
        with pytest.raises(AttributeError, match=f"a tokenizer alone has no '{name}'"):
            getattr(model, name)


def test_its_vocabulary_is_as_large_as_the_logits_elsewhere() -> None:
    for size in (1600, 1536, 1500):
        real, tokenizer = other_model(size), shipped_model().tokenizer
        model = oc.Model(tokenizer, vocab_size=size)
        assert model.vocabulary == real.vocabulary
        frontier = oc.generate.text(model, oc.samplers.greedy()).begin("Mira", max_tokens=3)
        while not frontier.done:
            frontier = frontier.step(real.logits(frontier.pending))
        assert frontier.state.to(real) == oc.generate.text(real, oc.samplers.greedy()).run("Mira", max_tokens=3)
    more = oc.Model(tokenizer, eos=[2])
    assert sorted(more.vocabulary.eos) == [1, 2]
    bare = oc.Model(Tokenizer.from_str(tokenizer.backend_tokenizer.to_str()), eos=[1])
    assert bare.vocabulary == shipped_model().vocabulary and bare.state("Mira is").token_ids.tolist() != []
    with pytest.raises(ValueError, match="no context length: give max_tokens"):
        oc.generate.text(bare).begin("Mira")


@settings(max_examples=60, deadline=None)
@given(
    text=st.lists(st.sampled_from([*"ab c12\n é語🦙", "<|end|>", "<|begin|>", "Mira"]), max_size=12).map("".join),
    seed=st.integers(),
)
def test_a_bare_vocabulary_writes_the_longest_tokens(text: str, seed: int) -> None:
    words = ["ab", "abc", "bc", " c", "12", "Mira", "語🦙", "é"]
    words = Random(seed).sample(words, 5)
    tokens = [b"<|end|>", *[bytes([i]) for i in range(256)], *[word.encode() for word in words]]
    vocabulary = Vocabulary(tokens, eos=[0])
    model, data, expected = oc.Model(vocabulary, context_length=99), text.encode(), []
    while data:
        expected.append(max((t for t in tokens[1:] if data.startswith(t)), key=len))
        data = data.removeprefix(expected[-1])
    state = model.state(text)
    assert [tokens[i] for i in state.rows[0][0].ids] == expected
    assert str(state) == text and str(model.state("") + text) == text
    parsed = model.state(text, special=True)
    assert (parsed.token_ids == 0).sum() == text.count("<|end|>") and parsed.text(special=True) == [[text]]


def test_a_length_is_given_by_name() -> None:
    with pytest.raises(TypeError, match=r"given by name, context_length=4096"):
        oc.Model(shipped_model().tokenizer, 4096)  # type: ignore[call-overload]


def test_each_need_says_whether_its_row_draws() -> None:
    """One entry for each need, also where equal rows share those of their options."""
    model = shipped_model()
    options = oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], by="sequence").begin(model.state("In ").fork(3))
    assert len(options.pending) < 3 and options.drawing == (False,) * len(options.pending)
    assert oc.generate.text(model).begin(["In ", "To "]).drawing == (True, True)


def test_what_another_spelling_wrote_is_accepted() -> None:
    """A generator writes plainly; text of others may have escapes, and then goes on under the wider reading."""
    model = shipped_model()
    city = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 3}}, "required": ["city"]}
    generator = oc.generate.json(model, city, forced="never")
    frontier = generator.begin("A:\n", max_tokens=60)
    for token in model.tokenizer.encode('{"city":"\\u0041\\/"}', add_special_tokens=False):
        frontier = frontier.accept([token])
    frontier = frontier if frontier.done else frontier.accept([None])
    assert frontier.done and str(frontier.state) == 'A:\n{"city":"\\u0041\\/"}'
    assert frontier.state.finished == [["stop"]] and generator.resume(frontier.state).finished == [["stop"]]
    with pytest.raises(oc.errors.ConstraintError, match="does not allow b'x' after"):
        generator.begin("A:\n", max_tokens=60).accept(model.tokenizer.encode("x", add_special_tokens=False))
