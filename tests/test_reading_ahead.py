"""Drafts change nothing but the number of passes: whatever is proposed, by whichever way, the rows are the same.

The oracle is the run without a draft. Where a draw lies within the error of the logits, which are rounded otherwise
when several tokens are read at once, it may fall on either side: then a run whose logits are off by as much shows it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
import torch
from engines import Shaken, chain_of
from fixed_memory import FixedEngine
from hypothesis import given, settings
from hypothesis import strategies as st
from streams import Joined
from test_generation import toy_model
from test_models import random_model
from test_stepping import SCHEMA, generations
from torch import Tensor

import outlines_cont as oc
from outlines_cont.drafts.loop import FIRST, LONGEST, MOST, Pace
from outlines_cont.kv.needs import Need

GREEDY = oc.samplers.greedy()
ERROR = 1e-5  # of a logit of the toy model, when other tokens are read with it; the largest seen is 3e-6
KINDS = ["perfect", "half", "wrong", "random", "tree", "tokens of nothing", "texts", "nothing"]

PERSON = {
    "type": "object",
    "properties": {"name": {"enum": ["Mira", "Max"]}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}

Ids = tuple[int, ...]


class Guesses:
    """Proposals of a kind, which know how the rows end. Every row is one of those that it is asked about."""

    def __init__(self, kind: str, rows: Sequence[Ids], size: int, seed: int):
        self.kind, self.rows, self.size, self.seed = kind, rows, size, seed
        self.asked = self.accepted = 0

    def propose(self, rows: Sequence[oc.drafts.DraftRow]) -> list[list[list[int]]]:
        self.asked += len(rows)
        return [self._guesses(row) for row in rows]

    def settled(self, rows: Sequence[oc.drafts.DraftRow], accepted: Sequence[int]) -> None:
        assert len(rows) == len(accepted)
        self.accepted += sum(accepted)

    def _guesses(self, row: oc.drafts.DraftRow) -> list[list[int]]:
        random, ids = Random(hash((self.seed, row.ids))), row.ids
        right = [list(each[len(ids) :]) for each in self.rows if each[: len(ids)] == ids]
        noise = [
            [random.randrange(self.size) for _ in range(random.randint(0, 5))] for _ in range(random.randint(0, 3))
        ]
        half = [each[: random.randint(0, len(each))] + [random.randrange(self.size)] for each in right]
        wrong = [[(each[0] + 1) % self.size, *each[1:]] for each in right if each]
        words = [row.encoder.encode_bytes(random.choice([b"abc", b"12", b'{"a":12', b"ca1"]))]
        tree = [*noise, *half, *right, *wrong, *words]
        random.shuffle(tree)
        special = [*row.vocabulary.eos, *row.vocabulary.special][:2]
        return {
            "perfect": right,
            "half": half,
            "wrong": wrong,
            "random": noise,
            "tree": tree,
            "tokens of nothing": [[*each[:1], *special] for each in [*right, []]],
            "texts": words,
            "nothing": [],
        }[self.kind]


@contextmanager
def eager() -> Iterator[None]:
    """Drafts are asked for any number of tokens, whatever became of the last ones."""

    random = Random(0)

    def budget(pace: Pace, key: Ids) -> int:
        return random.choice([0, 1, 2, 3, 8, MOST])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pace, "budget", budget)
        yield


def ends(state: oc.SequenceState) -> list[Ids]:
    return [row.ids for group in state.rows for row in group]


def assert_same(state: oc.SequenceState, expected: oc.SequenceState, shaken: Callable[[int], oc.SequenceState]) -> bool:
    """Whether it is the same run; it is, unless one of its draws lies near a boundary."""
    if state.token_ids.tolist() != expected.token_ids.tolist():
        others = [shaken(seed).token_ids.tolist() for seed in range(4)]
        assert any(other != expected.token_ids.tolist() for other in others), "another result, and no draw is close"
        return False
    assert state == expected and state.finished == expected.finished and state.captures == expected.captures
    assert [[str(e) for e in group] for group in state.errors] == [[str(e) for e in group] for group in expected.errors]
    for name in ("logprobs", "proposal_logprobs", "weights"):
        ours, theirs = getattr(state, name), getattr(expected, name)
        torch.testing.assert_close(ours, theirs, atol=2e-4, rtol=1e-4, equal_nan=True)
    return True


def call_of(model: Any, which: int, seed: int) -> Callable[..., Any]:
    """One of many generations, as a function of more options."""
    work, prompts, options = generations(model)[which]
    run = work if isinstance(work, oc.Chain) else work.run
    return lambda **more: run(prompts, **{**options, **more}, seed=seed)


@settings(max_examples=60, deadline=None)
@given(which=st.integers(0, 20), kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
@eager()
def test_no_draft_changes_the_result(which: int, kind: str, seed: int) -> None:
    """Texts, choices, regexes, JSON, chains; drawn, greedy, beams, particles; with hooks, controllers, healing."""
    model = toy_model()
    call = call_of(model, which, seed)
    expected = call()
    draft = Guesses(kind, ends(expected), len(model.vocabulary), seed)
    model.tree.forget_logits()
    state = call(draft=draft)
    assert_same(state, expected, lambda n: call_of(Shaken(model, 2 * ERROR, n), which, seed)())


@settings(max_examples=12, deadline=None)
@given(which=st.integers(0, 20), kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
@eager()
def test_streams_give_the_same_text(which: int, kind: str, seed: int) -> None:
    model = toy_model()
    work, prompts, options = generations(model)[which]
    joint = getattr(getattr(work, "sampler", None), "joint", True)
    expected = call_of(model, which, seed)()
    draft = Guesses(kind, ends(expected), len(model.vocabulary), seed)
    texts = []
    for more in ({}, {"draft": draft}):
        joined = Joined(joint)
        for partial in work.stream(prompts, seed=seed, **options, **more):
            deltas = joined.add(partial)
        texts.append((deltas, partial.token_ids.tolist()))
    assert texts[0] == texts[1] or texts[0][1] != texts[1][1]
    assert_same(partial, expected, lambda n: call_of(Shaken(model, 2 * ERROR, n), which, seed)())


@settings(max_examples=12, deadline=None)
@given(cut=st.integers(1, 6), kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
@eager()
def test_what_was_cut_goes_on_the_same(cut: int, kind: str, seed: int) -> None:
    model = toy_model()
    a = oc.continuous(oc.generate.regex(model, "[a-c]{2,6}", oc.samplers.multinomial(samples=2)), name="a")
    chain = a >> "12" >> oc.continuous(oc.generate.json(model, SCHEMA, oc.samplers.multinomial(samples=2)), name="b")
    state = chain(["xy", "x"], seed=seed)[..., :-cut]
    expected = chain.resume(state, seed=seed)
    draft = Guesses(kind, ends(expected), len(model.vocabulary), seed)
    assert chain.resume(state, seed=seed, draft=draft) == expected
    assert asyncio.run(chain.aresume(state, seed=seed, draft=draft)) == expected
    [*_, last] = chain.stream(state, resume=True, seed=seed, draft=draft)
    assert last == expected


def test_a_row_goes_back_inside_of_what_was_read_ahead() -> None:
    """The pass has read what comes before and after: after going back, the row goes on without another one."""
    model = toy_model()
    text = oc.generate.regex(model, "[a-c]{12}", GREEDY, forced="never")

    def back(draw: oc.steer.Draw) -> oc.steer.Backtrack | None:
        return oc.steer.Backtrack(3, ban=[draw.row.ids[-3]]) if len(draw.row) == 7 and draw.step < 7 else None

    expected = oc.continuous(text)("x", hooks=[back])
    assert expected != oc.continuous(text)("x"), "the row has gone back"
    rows = [*ends(expected), *ends(oc.continuous(text)("x"))]
    for kind in KINDS:
        state = oc.continuous(text)("x", hooks=[back], draft=Guesses(kind, rows, len(model.vocabulary), 0))
        assert state == expected and state.finished == expected.finished


def test_filters_candidates_and_healed_seams_are_the_same() -> None:
    """What is noted of each draw, and what changes its law."""
    model = oc.load()
    repeated = oc.filters.repetition_penalty(1.3)
    sampler = oc.samplers.multinomial(samples=2, temperature=1.2, top_p=0.9, filters=[repeated])
    text = oc.continuous(oc.generate.text(model, sampler), seam="heal")
    options: Any = {"max_tokens": 25, "seed": 4, "keep": oc.Keep(candidates=3), "stop_at": ["\n", "Tom"]}
    expected = text(["The sky is bl", "Mira i"], **options)
    for kind in KINDS:
        draft = Guesses(kind, ends(expected), len(model.vocabulary), 0)
        state = text(["The sky is bl", "Mira i"], **options, draft=draft)
        assert state == expected and state.finished == expected.finished
        assert noted(state) == noted(expected) and any(noted(state))


def noted(state: oc.SequenceState) -> list[list[int | None]]:
    """The tokens of the candidates that were kept at each place of each row; none where no draw was made."""
    places = [place or [] for group in state.kept.candidates for row in group for place in row]
    return [[candidate.token for candidate in place] for place in places]


def test_perfect_drafts_save_passes_and_are_counted() -> None:
    """40 tokens are drawn in a few passes; tokens that were read for nothing are told apart, and freed."""
    model = oc.load()
    text = oc.generate.text(model, GREEDY)
    expected = text.run("The sky is", max_tokens=40)
    tokens, passes, kept = model.stats.tokens, model.stats.passes, model.stats.kv_bytes
    expected = expected.kv.drop()
    gc.collect()
    assert model.stats.kv_bytes == 0
    for kind, most in [("perfect", 5), ("half", 20), ("wrong", passes), ("random", passes)]:
        model.stats.reset()
        draft = Guesses(kind, ends(expected), len(model.vocabulary), 3)
        state = text.run("The sky is", max_tokens=40, draft=draft)
        assert state == expected and draft.asked > 0
        stats = model.stats
        assert stats.passes <= most and stats.tokens == tokens + stats.drafted - stats.accepted
        assert stats.accepted == draft.accepted and (stats.accepted > 0) == (kind in ("perfect", "half"))
        assert stats.kv_bytes == kept, "what was read for nothing is freed"
        del state, draft
        gc.collect()
        assert model.stats.kv_bytes == 0


def test_rows_go_on_each_by_itself() -> None:
    """Of three rows one is foretold, and no row waits for another one's draft to hold."""
    model = oc.load()
    text = oc.generate.text(model, oc.samplers.multinomial())
    prompts = ["The sky is", "Mira is a", "Tom has"]
    expected = text.run(prompts, 24, seed=1)
    rows = ends(expected)
    model.tree.evict()
    model.stats.reset()
    right = Guesses("perfect", rows[1:2], len(model.vocabulary), 0)
    assert text.run(prompts, 24, seed=1, draft=right) == expected
    assert right.accepted >= 20 and model.stats.passes == 24


def test_a_draft_that_never_holds_costs_little() -> None:
    model = oc.load()
    text = oc.generate.text(model, GREEDY)
    expected = text.run("The sky is", max_tokens=150).kv.drop()
    tokens = model.stats.tokens
    model.stats.reset()
    state = text.run("The sky is", 150, draft=Guesses("wrong", ends(expected), len(model.vocabulary), 0))
    assert state == expected and model.stats.accepted == 0
    assert 0 < model.stats.drafted == model.stats.tokens - tokens <= 2 * FIRST + 6 + tokens / LONGEST


def test_a_draft_is_cut_where_the_constraint_refuses_it() -> None:
    """Nothing is read for tokens that cannot come; and what is forced is read with what is proposed before it."""
    model = oc.load()
    year = oc.generate.regex(model, "[0-9]{4}", GREEDY)
    model.stats.reset()
    year("Mira came in ", draft=lambda row: " blue")
    assert model.stats.drafted == 0
    person = oc.generate.json(model, PERSON, GREEDY)
    text = 'JSON of Mira, who is 34 years old: {"name": "Mira", "age": 34}\nThe same: '
    expected = person(text)
    model.stats.reset()
    person(text)
    passes = model.stats.passes
    model.tree.evict()
    model.stats.reset()
    [row] = ends(person.run(text))
    model.tree.evict()
    model.stats.reset()
    assert person(text, draft=Guesses("perfect", [row], len(model.vocabulary), 0)) == expected
    assert model.stats.passes < passes


def test_what_is_proposed_sees_the_constraint() -> None:
    """The mask after a continuation is that of the guide there; what is forced after it is appended by itself."""
    model = oc.load()
    person = oc.generate.json(model, PERSON, GREEDY)
    tokens, rows = model.vocabulary.tokens, list[oc.drafts.DraftRow]()
    person("The sky is ", draft=rows.append)
    row = next(row for row in rows if row.text.endswith('"name":"'))
    mask = row.allowed_after([])
    assert mask is not None
    allowed = {tokens[t] for t in mask.nonzero().flatten().tolist()}
    assert allowed == {t for t in tokens if t and (b"Mira".startswith(t) or b"Max".startswith(t))}
    mira = tokens.index(b"Mira")
    run = row.forced_after([mira])
    assert model.vocabulary.decode(run) == b'","age":' and len(run) > 1
    assert row.agreed([mira, *run]) == 1 + len(run) and row.agreed([mira, *run[:1], mira]) == 2
    inside = row.allowed_after([mira])
    assert inside is not None and inside.nonzero().flatten().tolist() == [run[0]]
    assert row.mask_after([run[0]]) is None and row.forced_after([run[0]]) == ()
    assert row.key == (0,) and row.start == 6 and len(row) == len(row.ids) and row.text.startswith("The sky is ")


BAD: list[tuple[Any, str]] = [
    (lambda row: 1 / 0, "it raised ZeroDivisionError"),
    (lambda row: [5000], "token 5000 after 'The sky is'; the vocabulary has 1536 tokens"),
    (lambda row: [[3, -1]], "token -1"),
    (lambda row: [[3.5]], "a continuation is a list of ids"),
    (lambda row: 7, "it gave 7 after 'The sky is'"),
    (lambda row: torch.tensor([1.5]), "it proposed"),
]


@pytest.mark.parametrize(("draft", "match"), BAD)
def test_a_draft_that_fails_is_named_and_nothing_is_lost(draft: Any, match: str) -> None:
    model = oc.load()
    text = oc.continuous(oc.generate.text(model, GREEDY))

    def late(row: oc.drafts.DraftRow) -> Any:
        return draft(row) if len(row) > 8 else [model.encoder.append(" blue")]

    expected = text("The sky is", max_tokens=9)
    with pytest.raises(oc.errors.DraftError, match=match):
        text("The sky is", max_tokens=9, draft=draft)
    with pytest.raises(oc.errors.DraftError, match="draft=<function") as caught:
        text("The sky is", max_tokens=9, draft=late)
    state = caught.value.state
    assert str(expected).startswith(str(state)) and 6 < int(state.lengths) < 15
    assert text.resume(state, max_tokens=15 - int(state.lengths)) == expected


@settings(max_examples=10, deadline=None)
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
@eager()
def test_rows_fail_as_they_do_without(kind: str, seed: int) -> None:
    """A hook raises in some rows: the same rows have the same errors, and all others go on."""
    model = toy_model()
    word = oc.continuous(oc.generate.regex(model, "[a-c]{4,9}", oc.samplers.multinomial(samples=2)), name="word")

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        if Random(f"{seed} {draw.row.ids} {draw.token}").random() < 0.1:
            raise ZeroDivisionError(str(draw.row.ids))
        return None

    options = {"seed": seed, "hooks": [hook], "errors": "return"}
    expected = word(["x", "xy", "ab", "y"], **options)
    draft = Guesses(kind, ends(expected), len(model.vocabulary), seed)
    state = word(["x", "xy", "ab", "y"], **options, draft=draft)
    assert_same(state, expected, lambda n: word(["x", "xy", "ab", "y"], **options))


@pytest.mark.parametrize("pace", ["token", 2, "branch"])
@eager()
def test_rows_in_lock_step(pace: Any) -> None:
    """The controller of several rows is asked the same questions: about all of them, and never too early."""
    model, asked = toy_model(), list[list[Ids]]()
    word = oc.generate.regex(model, "[a-c]{3,7}")

    def controller(rows: Sequence[oc.steer.Writing]) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        asked.append([row.ids for row in rows])
        best = sorted(rows, key=lambda row: row.weight)[len(rows) // 4 :]
        if rows[0].branch is None:
            return {row: [oc.steer.Branch(allowed=word)] for row in rows}
        return {row: [oc.steer.Branch(allowed=oc.steer.KEEP)] * (not row.branch_ended) for row in best}

    sampler = oc.samplers.multinomial(samples=4)
    step = oc.continuous(oc.generate.control(model, None, sampler, together=controller, pace=pace), name="one")
    expected, questions = step(["x", "y"], seed=5), list(asked)
    for kind in ("perfect", "tree", "half"):
        asked.clear()
        assert step(["x", "y"], seed=5, draft=Guesses(kind, ends(expected), len(model.vocabulary), 0)) == expected
        assert sorted(asked) == sorted(questions)


@settings(max_examples=12, deadline=None)
@given(slots=st.integers(24, 60), nodes=st.none() | st.integers(6, 20), kind=st.sampled_from(KINDS))
@eager()
def test_a_memory_of_a_fixed_size_has_the_rows_first(slots: int, nodes: int | None, kind: str) -> None:
    """Where there is no room to read ahead, rows are read alone: what works without a draft works with any."""
    model = oc.Model(FixedEngine(1536, slots, nodes), oc.load().tokenizer)
    text = oc.generate.text(model, oc.samplers.multinomial(samples=2))
    expected = text.run("The sky is", 14, seed=1)
    draft = Guesses(kind, ends(expected), len(model.vocabulary), 0)
    assert text.run("The sky is", 14, seed=1, draft=draft) == expected


def test_keys_that_are_evicted_are_computed_again() -> None:
    model = oc.load(kv_budget=0)
    text = oc.generate.text(model, oc.samplers.multinomial(samples=3))
    expected = text.run("The sky is", 20, seed=1)
    with eager():
        for kind in ("perfect", "tree"):
            draft = Guesses(kind, ends(expected), len(model.vocabulary), 0)
            assert text.run("The sky is", 20, seed=1, draft=draft) == expected
            with model.fresh():
                assert text.run("The sky is", 20, seed=1, draft=draft) == expected


def test_logits_that_are_read_ahead_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a large vocabulary and many rows each gets fewer tokens, and one at least."""
    model, budgets = oc.load(), set[int]()
    monkeypatch.setattr("outlines_cont.drafts.loop.LOGITS_BYTES", 2 * 4 * 1536 * 3)
    text = oc.generate.text(model, GREEDY)
    with eager():
        text(["The sky is", "Mira is"], 9, draft=lambda row: budgets.add(row.budget))
        assert budgets <= {1, 2, 3} and 3 in budgets
        budgets.clear()
        text(["The sky is", "Mira is", "Tom"] * 3, 9, draft=lambda row: budgets.add(row.budget))
        assert budgets == {1}


class Silent:
    """Answers that are no proposals."""

    def __init__(self, answer: Any):
        self.answer = answer

    def propose(self, rows: Any) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [None, [], [[[1]], [[2]]], [3], [[4]], ["ab"]])
def test_answers_that_are_no_proposals_are_refused(answer: Any) -> None:
    with pytest.raises(oc.errors.DraftError, match="Silent object"):
        oc.generate.text(oc.load())("The sky is", max_tokens=3, draft=Silent(answer))


@pytest.mark.parametrize("draft", [3, "auto", Silent, lambda: [], [1, 2]])
def test_what_is_no_draft_is_refused(draft: Any) -> None:
    with pytest.raises(TypeError, match="draft="):
        oc.generate.text(oc.load())("The sky is", draft=draft)


def test_begin_takes_no_draft() -> None:
    text = oc.generate.text(oc.load())
    for work in (text, oc.continuous(text), oc.continuous(text) >> "!"):
        with pytest.raises(TypeError, match=r"begin\(\) takes no draft: whoever steps by hand"):
            work.begin("The sky is", draft=lambda row: None)


@eager()
def test_links_have_drafts_of_their_own() -> None:
    """That of a step goes before that of the call, as its other options do; it is begun once in a generation."""
    model, asked = toy_model(), list[str]()

    class Named:
        def __init__(self, name: str):
            self.name, self.begun = name, 0

        def begin(self, model: Any) -> Any:
            self.begun += 1
            return self

        def propose(self, rows: Sequence[Any]) -> list[Any]:
            asked.extend([self.name] * len(rows))
            return [[] for _ in rows]

    a, b = Named("a"), Named("b")
    word = oc.generate.regex(model, "[a-c]{5}", GREEDY)
    chain = oc.continuous(word, draft=a) >> "12" >> oc.continuous(word)
    expected = chain("x", seed=0)
    assert not asked.count("b") and a.begun == 1
    assert chain("x", seed=0, draft=b) == expected and {"a", "b"} == {*asked} and (a.begun, b.begun) == (2, 1)


@eager()
def test_map_has_drafts_and_its_shards_do_not_know(tmp_path: Any) -> None:
    model = toy_model()
    word = oc.generate.regex(model, "[a-c]{4,9}", oc.samplers.multinomial())
    prompts = ["x", "xy", "y", "ab"]
    values = list(oc.map(word, prompts, seed=3, out=tmp_path))
    rows = [row for prompt in prompts for row in ends(model.state(prompt))]
    draft = Guesses("texts", rows, len(model.vocabulary), 0)
    assert list(oc.map(word, prompts, seed=3, draft=draft)) == values and draft.asked
    asked = draft.asked
    assert list(oc.map(word, prompts, seed=3, out=tmp_path, draft=draft)) == values
    assert draft.asked == asked, "the shards are those of before"


class Reader:
    """A language model with a cache of its own. It looks at `parent` and `keep`, and checks what they say."""

    def __init__(self, model: oc.Model):
        self.vocabulary, self.encoder, self.context_length = model.vocabulary, model.encoder, model.context_length
        self.device, self.dtype, self.identity = model.device, model.dtype, "a reader"
        self._model, self._rows = model, dict[int, Ids]()
        self.stats, self.tokens = model.stats, 0

    def read(self, needs: Sequence[Need]) -> tuple[Tensor, list[None]]:
        rows = dict[int, Ids]()
        for place, need in enumerate(needs):
            kept = () if need.parent is None else self._rows[need.parent][: need.keep]
            assert need.row == place and kept == need.tokens[: need.keep] and len(kept) == need.keep
            assert not need.wanted or need.wanted[0] >= need.keep
            rows[place] = need.tokens
            self.tokens += need.length - need.keep
        self._rows = rows
        return self._model.read([Need(need.tokens, need.wanted) for need in needs])[0], [None] * len(needs)

    def claimed(self, row: Any) -> Any:
        return row

    def kv_lengths(self, rows: Any) -> list[int]:
        return [0 for _ in rows]


@settings(max_examples=10, deadline=None)
@given(which=st.sampled_from([0, 1, 2, 6, 9, 13, 14, 17, 20]), kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
@eager()
def test_an_engine_with_a_cache_of_its_own_can_follow(which: int, kind: str, seed: int) -> None:
    """What needs say of their parents is right in every pass, also after rows went on without one."""
    model = toy_model()
    expected = call_of(model, which, seed)()
    draft = Guesses(kind, ends(expected), len(model.vocabulary), seed)
    state = call_of(oc.Model(Reader(model)), which, seed)(draft=draft)
    assert state.token_ids.tolist() == expected.token_ids.tolist() and state.finished == expected.finished


def check_drafts(model: Any, error: float) -> None:
    """No draft changes what a model writes: a chain of choice, text, regex and JSON; greedy, drawn and beams."""
    for sampler in (GREEDY, oc.samplers.multinomial(samples=2), oc.samplers.beam_search(2)):

        def run(by: Any, draft: Any = None, sampler: Any = sampler) -> oc.SequenceState:
            return chain_of(by, sampler)(["The capital of France is ", "I live in "], seed=1, draft=draft)

        expected = run(model)
        rows = ends(expected)
        for kind in ("perfect", "half", "tree"):
            draft = Guesses(kind, rows, len(model.vocabulary), 1)
            assert_same(run(model, draft), expected, lambda n, run=run: run(Shaken(model, error, n)))
            assert draft.asked and (draft.accepted or kind != "perfect" or sampler.joint)


@pytest.mark.parametrize("name", ["llama", "falcon (alibi)", "gpt-1 (no cache)"])
@eager()
def test_every_tier_reads_ahead(name: str) -> None:
    """Through the attention hook, with the cache of transformers, and without any."""
    model = random_model(name)
    assert model.tier.name == {"llama": "hook", "falcon (alibi)": "stock", "gpt-1 (no cache)": "recompute"}[name]
    check_drafts(model, 1e-3)
    gc.collect()
    assert model.stats.kv_bytes == 0
