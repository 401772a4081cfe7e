"""Hooks: what becomes of a draw. Random programs of answers against a brute-force model, one uniform at a time."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random
from typing import Any

import jsonschema
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import CLOSE, shipped_model
from test_generation import enumerate_law, spanned, toy_model

import outlines_cont as oc
from outlines_cont.state.random_keys import uniform

GREEDY, DRAW = oc.samplers.greedy(), oc.samplers.multinomial

# The span so far, the places in it that the constraint was not told of, what was drawn, attempt → the answer.
Program = Callable[[tuple[int, ...], tuple[int, ...], int | None, int], Any]


# --- the brute-force model


class Close(Exception):
    """A draw that rounding decides."""


class Language:
    """The strings that may be written, one by one; None: any text."""

    def __init__(self, what: list[str] | str | None):
        if isinstance(what, str):
            words = ("".join(word) for n in range(7) for word in product("abc12", repeat=n))
            what = [word for word in words if re.fullmatch(what, word)]
        self.strings = None if what is None else {text.encode() for text in what}
        self.begun = Counter(string[:n] for string in self.strings or () for n in range(len(string) + 1))

    def begins(self, text: bytes) -> bool:
        return self.strings is None or text in self.begun

    def ends(self, text: bytes) -> bool:
        return self.strings is None or text in self.strings

    def complete(self, text: bytes) -> bool:
        return self.strings is not None and text in self.strings and self.begun[text] == 1


FREE = Language(None)


@cache
def tokens() -> dict[int, bytes]:
    """The text tokens of the toy."""
    vocabulary = toy_model().vocabulary
    return {t: b for t, b in enumerate(vocabulary.tokens) if b and t not in vocabulary.special}


@cache
def forward(ids: tuple[int, ...]) -> list[float]:
    """The toy's log-probabilities of what follows."""
    with torch.no_grad():
        logits = toy_model().hf(input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1]
    return torch.log_softmax(logits.double(), -1).tolist()


def text_of(ids: Sequence[int], unfed: Collection[int] = ()) -> bytes:
    return b"".join(tokens()[t] for place, t in enumerate(ids) if place not in unfed)


@cache
def legal(language: Language, text: bytes) -> list[int]:
    return [t for t, piece in tokens().items() if language.begins(text + piece)]


@cache
def candidates(
    prompt: tuple[int, ...], ids: tuple[int, ...], language: Language, unfed: frozenset[int] = frozenset()
) -> dict[int | None, float]:
    """What may come next, in the order of the cumulative law, with the model's own log-probabilities."""
    own, text = forward(prompt + ids), text_of(ids, unfed)
    found: dict[int | None, float] = {t: own[t] for t in legal(language, text)}
    if language.ends(text):
        found[None] = math.log(math.fsum(math.exp(p) for t, p in enumerate(own) if t not in found))
    return found


@dataclass
class Span:
    """A span as the model writes it: `end` says how it ended, `weight` holds its stop."""

    ids: list[int] = field(default_factory=list)
    logprobs: list[float | None] = field(default_factory=list)
    proposals: list[float | None] = field(default_factory=list)
    unfed: set[int] = field(default_factory=set)  # places of tokens that the constraint is not told of
    edited: set[int] = field(default_factory=set)  # and of those drawn by the law that a hook named
    end: str = ""
    weight: float = 0.0
    draws: list[tuple[Any, ...]] = field(default_factory=list)  # what the hooks saw
    reads: list[tuple[int, ...]] = field(default_factory=list)  # the spans after which logits were needed
    came: dict[int, Counter[int]] = field(default_factory=dict)  # at its length: the draws that were given up by then
    now: tuple[Counter[int], set[int | None], bool] = (Counter(), set(), False)  # and what holds for the next draw


@dataclass(frozen=True)
class Task:
    """Everything that decides what a row becomes, but for its prompt and lineage."""

    language: Language
    sampler: Any
    seed: int
    hooks: tuple[Program, ...]
    max_tokens: int = 9
    retries: int = 12

    def law(self, options: dict[int | None, float], named: oc.steer.Resample | None = None) -> dict[int | None, float]:
        """After temperature and top-k, those that a hook has named first."""
        temperature = (named and named.temperature) or getattr(self.sampler, "temperature", 1.0)
        scores = {c: p / temperature for c, p in options.items()}
        top_k = (named and named.top_k) or getattr(self.sampler, "top_k", None)
        if top_k is not None and top_k < len(scores):
            *_, worst, first = sorted(scores.values(), reverse=True)[: top_k + 1]
            if worst - first < CLOSE:
                raise Close
            scores = {c: p for c, p in scores.items() if p >= worst}
        norm = math.log(math.fsum(map(math.exp, scores.values())))
        return {c: p - norm for c, p in scores.items()}

    def drawn(self, law: dict[int | None, float], u: float, named: oc.steer.Resample | None = None) -> int | None:
        if self.sampler == GREEDY and not named:
            best, second = sorted([*law.values(), -math.inf], reverse=True)[:2]
            if best - second < CLOSE:
                raise Close
            return max(law, key=law.__getitem__)
        below = 0.0
        for candidate, p in law.items():
            below += math.exp(p)
            if abs(u - below) < CLOSE and candidate != list(law)[-1]:
                raise Close
            if u < below:
                return candidate
        return list(law)[-1]

    def write(self, prompt: tuple[int, ...], lineage: tuple[int, ...], begun: Span | None = None) -> Span:
        """The contract, told plainly. `begun`: the tokens that a resumed span has already.

        Raises:
            oc.errors.HookLimit, oc.errors.ConstraintError: as the library has to.
        """
        span = begun or Span()
        room = len(span.ids) + self.max_tokens
        tries, banned, edited = span.now[0].copy(), set(span.now[1]), span.now[2]
        furthest = sent_back = 0
        again = False  # with the logits of the draw before
        freed: int | None = None  # the place of the token that gave the constraint up
        named: oc.steer.Resample | None = None  # the answer that names the law of the next draw

        def retry() -> None:
            nonlocal furthest, sent_back
            if len(span.ids) > furthest:
                furthest, sent_back = len(span.ids), 0
            sent_back += 1
            if sent_back > self.retries:
                raise oc.errors.HookLimit("", None)  # type: ignore[arg-type]

        def ended(end: str, stop: float = 0.0) -> Span:
            span.end, span.weight = end, math.fsum([*(p for p in span.logprobs if p is not None), stop])
            return span

        while True:
            here, text = len(span.ids), text_of(span.ids, span.unfed)
            if not again:
                span.now = tries.copy(), set(banned), edited
                if not edited:
                    span.came[here] = tries.copy()
            language = self.language if freed is None else FREE
            if language.complete(text):
                return ended("stop")
            if here >= room:
                return ended("length")
            if not again:
                span.reads.append(tuple(span.ids))
            options = candidates(prompt, tuple(span.ids), language, frozenset(span.unfed))
            left = {c: p for c, p in options.items() if c not in banned}
            if not left:
                raise oc.errors.HookLimit("", None)  # type: ignore[arg-type]
            law = self.law(left, named)
            token = self.drawn(law, uniform(self.seed, lineage, len(prompt) + here, tries[here]), named)
            span.draws.append((tuple(span.ids), token, tries[here], options[token], law[token]))
            unfed = tuple(sorted(span.unfed))
            answers = (hook(tuple(span.ids), unfed, token, tries[here]) for hook in self.hooks)
            answer = next((answer for answer in answers if answer is not None), None)
            again = isinstance(answer, oc.steer.Resample)
            proposal = math.nan if (edited and not named) or answer is not None else law[token]
            match answer:
                case oc.steer.Insert(beside) | oc.steer.Replace(beside, fed=False):
                    assert beside is not None
                    scored = isinstance(answer, oc.steer.Replace)
                    span.unfed.add(here)
                    span.logprobs.append(forward(prompt + tuple(span.ids))[beside] if scored else None)
                    span.proposals.append(math.nan if scored else None)
                    span.ids.append(beside)
                    banned, edited, named = set(), False, None
                    continue
                case oc.steer.Resample(ban, temperature, top_k):
                    named = answer if temperature or top_k else None
                    retry()
                    tries[here] += 1
                    banned |= {token} if ban is None else set(ban)
                    edited = True
                    continue
                case oc.steer.Backtrack(n, ban):
                    retry()
                    tries.update(range(here - n, here + 1))
                    del span.ids[here - n :], span.logprobs[here - n :], span.proposals[here - n :]
                    freed = None if freed is not None and freed >= here - n else freed
                    span.unfed = {place for place in span.unfed if place < here - n}
                    span.edited = {place for place in span.edited if place < here - n}
                    banned, edited, named = set(ban), True, None
                    continue
                case oc.steer.Stop():
                    return ended("stop", options[None]) if None in options else ended("interrupted")
                case oc.steer.Replace(token, unconstrained):
                    if unconstrained and freed is None:
                        freed = here
                    elif token not in options:
                        raise oc.errors.ConstraintError
            if token is None:
                return ended("stop", options[None])
            span.ids.append(token)
            span.logprobs.append(forward(prompt + tuple(span.ids[:-1]))[token])
            span.proposals.append(proposal)
            span.edited |= {here} if named else set()
            banned, edited, named = set(), False, None


# --- programs, and the library beside the model


WHAT: list[list[str] | str | None] = [
    ["a", "ab", "abc"],
    ["abcabc", "abc", "bca", "", "ca"],
    ["é", "e", "éé12"],
    "[abc]{2,4}",
    "(ab|c){1,2}1?2",
    None,
]
LANGUAGES = [(what, Language(what)) for what in WHAT]
SAMPLERS = st.just(GREEDY) | st.builds(
    DRAW,
    samples=st.integers(1, 3),
    temperature=st.sampled_from([0.5, 1.0, 1.7]),
    top_k=st.sampled_from([None, 1, 2, 5]),
)


def programs(language: Language, seed: int, wild: bool, kinds: str = "rRtffbbsiiu") -> Program:
    """Answers by dice that the row, the draw and the attempt throw: r(eplace), R(esample), t(emperature), f(ree),
    b(ack), s(top), i(nsert), u(nfed replacement).

    wild: also what is banned after going back; an end where the stop was banned; going back over what was freed.
    """

    def program(ids: tuple[int, ...], unfed: tuple[int, ...], token: int | None, attempt: int) -> Any:
        dice = Random(f"{seed},{ids},{token},{attempt}")
        text, kind = text_of(ids, unfed), dice.choice(kinds + 12 * ".")
        outside = next((i for i in range(len(ids)) if not language.begins(text_of(ids[: i + 1], unfed))), -1)
        fitting = [*legal(language, text), *[None] * (language.ends(text) and (wild or not attempt))]
        some = dice.sample(fitting, min(len(fitting), dice.randint(0, 2)))
        match kind:
            case "r":
                return oc.steer.Replace(dice.choice(fitting if fitting and dice.random() < 0.6 else list(tokens())))
            case "R":
                return oc.steer.Resample(dice.choice([None, None, some]))
            case "t":
                warp = {"temperature": dice.choice([None, 0.5, 2.0]), "top_k": dice.choice([None, 3])}
                return oc.steer.Resample(dice.choice([None, (), some]), **warp)
            case "i":
                return oc.steer.Insert(dice.randrange(len(toy_model().vocabulary)))
            case "u":
                return oc.steer.Replace(dice.randrange(len(toy_model().vocabulary)), fed=False)
            case "f" if language.strings and outside < 0:
                strange = [t for t, piece in tokens().items() if not language.begins(text + piece)]
                return oc.steer.Replace(dice.choice(strange), unconstrained=True)
            case "b" if (most := len(ids) if wild else len(ids) - outside - 1) > 0:
                return oc.steer.Backtrack(dice.randint(1, most), some if wild else ())
            case "s" if wild or not attempt:
                return oc.steer.Stop()
        return None

    return program


def as_hook(program: Program) -> Callable[[oc.steer.Draw], Any]:
    def hook(draw: oc.steer.Draw) -> Any:
        start = draw.row.start
        return program(draw.row.ids[start:], tuple(at - start for at in draw.row.unfed), draw.token, draw.attempt)

    return hook


def step_of(task: Task, what: list[str] | str | None, model: oc.Model | None = None) -> Any:
    model = model or toy_model()
    if what is None:
        return oc.continuous(oc.generate.text(model, task.sampler), name="x")
    make = oc.generate.regex if isinstance(what, str) else oc.generate.choice
    return oc.continuous(make(model, what, task.sampler, forced="never"), name="x")  # type: ignore[operator]


def lineages(prompts: Sequence[Any], samples: int) -> list[tuple[int, ...]]:
    return [(b, s) if samples > 1 else (b,) for b in range(len(prompts)) for s in range(samples)]


def check(state: oc.SequenceState, spans: Sequence[Span]) -> None:
    """The rows of the state are those that the model wrote, and their scores those of a fresh scoring."""
    for row, span in zip([row for group in state.rows for row in group], spans, strict=True):
        begin = row.spans[-1].start
        assert (row.ids[begin:], row.finished) == (tuple(span.ids), span.end)
        assert row.weight == pytest.approx(span.weight, abs=CLOSE)
        for values, expected in [(row.logprobs, span.logprobs), (row.proposals, span.proposals)]:
            assert [value is None for value in values[begin:]] == [value is None for value in expected]
            drawn = [[value for value in every if value is not None] for every in (values[begin:], expected)]
            assert drawn[0] == pytest.approx(drawn[1], abs=1e-3, nan_ok=True)
        assert row.spans[-1].unfed == tuple(begin + place for place in sorted(span.unfed))
        doubtful = span.unfed or span.edited or any(value != value for value in span.proposals)
        assert math.isnan(row.log_importance) or not doubtful
    fresh = state.kv.drop().rescore()
    assert torch.allclose(fresh.weights, state.weights, atol=1e-3)
    assert torch.allclose(fresh.logprobs, state.logprobs, atol=1e-3)


def written(task: Task, starts: Sequence[tuple[Any, ...]]) -> tuple[list[Span], set[type[Exception]]]:
    """What the model writes after (prompt, lineage, begun), and the errors that some rows end in."""
    spans, errors = [], set[type[Exception]]()
    for start in starts:
        try:
            spans.append(task.write(*start))
        except Close:
            assume(False)
        except (oc.errors.HookLimit, oc.errors.ConstraintError) as error:
            errors.add(type(error))
    return spans, errors


@pytest.mark.parametrize("wild", [False, True])
def test_random_programs(wild: bool) -> None:
    """Any program of answers gives the rows of the brute-force model, draw by draw, or its error."""
    ends = Counter[Any]()

    @settings(max_examples=300, report_multiple_bugs=False)
    @given(data=st.data(), sampler=SAMPLERS, seeds=st.tuples(*[st.integers(0, 999)] * 3))
    def holds(data: st.DataObject, sampler: Any, seeds: tuple[int, int, int]) -> None:
        what, language = data.draw(st.sampled_from(LANGUAGES))
        hooks = (programs(language, seeds[1], wild), programs(language, seeds[2], wild, "R"))
        task = Task(language, sampler, seeds[0], hooks, retries=data.draw(st.sampled_from([0, 3, 12, 12])))
        prompts = data.draw(st.sampled_from([["xy"], ["1"], ["xy", "bc a"]]))
        keys = lineages(prompts, sampler.samples)
        heads = [row.ids for [row] in toy_model().state(prompts).rows]
        spans, errors = written(task, [(heads[key[0]], key) for key in keys])
        seen: dict[tuple[int, ...], list[Any]] = {key: [] for key in keys}

        def record(draw: oc.steer.Draw) -> None:
            own, unfed = draw.row.ids[draw.row.start :], [at - draw.row.start for at in draw.row.unfed]
            assert len(draw.row) == len(draw.row.ids) and draw.row.text == text_of(own, unfed).decode(
                "utf-8", "replace"
            )
            seen[draw.row.lineage].append((own, draw.token, draw.attempt, draw.logprob, draw.proposal_logprob))

        def run() -> oc.SequenceState:
            every = [record, *map(as_hook, hooks)]
            return step_of(task, what)(
                prompts, task.max_tokens, seed=task.seed, hooks=oc.steer.Hooks(*every, retries=task.retries)
            )

        ends.update(errors or [span.end for span in spans])
        if errors:
            with pytest.raises(tuple(errors)):
                run()
            return
        check(run(), spans)
        for key, span in zip(keys, spans, strict=True):
            assert [draw[:3] for draw in seen[key]] == [draw[:3] for draw in span.draws]
            for draw, expected in zip(seen[key], span.draws, strict=True):
                assert draw[3:] == pytest.approx(expected[3:], abs=1e-3)

    holds()
    assert min(
        ends[end] for end in ["stop", "length", "interrupted", oc.errors.HookLimit, oc.errors.ConstraintError]
    ), ends


# --- what it costs


@cache
def separate() -> oc.Model:
    """The toy with a KV tree of its own."""
    return oc.Model(toy_model().hf, toy_model().tokenizer)


def counted() -> oc.Model:
    """It again, with nothing in its tree and in its statistics."""
    assert separate().stats.kv_bytes == 0
    separate().stats.reset()
    return separate()


@settings(max_examples=60)
@given(sampler=SAMPLERS.filter(lambda sampler: sampler.samples == 1), seeds=st.tuples(*[st.integers(0, 999)] * 2))
def test_hooks_read_no_token_twice(sampler: Any, seeds: tuple[int, int]) -> None:
    """Drawing again costs nothing, going back at most one token read again for its logits: counted in `reread`."""
    what, language = LANGUAGES[4]
    task = Task(language, sampler, seeds[0], (programs(language, seeds[1], False, "rRRbb"),), retries=100)
    [row] = toy_model().state("xy").rows[0]
    spans, errors = written(task, [(row.ids, (0,))])
    assume(not errors)
    model = counted()
    read: tuple[int, ...] = ()
    tokens = moved = 0
    for ids in (row.ids + ids for ids in spans[0].reads):
        new = next((len(ids) - i for i, t in enumerate(ids) if read[i : i + 1] != (t,)), 0)
        tokens, moved, read = tokens + new, moved + (new > 0), ids
    step = step_of(task, what, model)
    state = step(model.state("xy"), task.max_tokens, seed=task.seed, hooks=list(map(as_hook, task.hooks)))
    passes, sent, reread = costs(model)
    assert sent == tokens and passes == moved + reread <= len(spans[0].reads)
    check(state, spans)


def costs(model: oc.Model) -> tuple[int, int, int]:
    return model.stats.passes, model.stats.tokens, model.stats.reread


@pytest.mark.parametrize("seed", range(5))
def test_resampling_costs_no_forward(seed: int) -> None:
    """The same tokens, drawn at once or after others were declined, cost the same."""
    model = counted()
    step = oc.continuous(oc.generate.regex(model, "[abc]{2,9}", DRAW(), forced="never"))
    draws: list[int] = []

    def twice_more(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        draws.append(draw.attempt)
        return oc.steer.Resample(ban=()) if draw.attempt < 2 else None

    state = step("xy", seed=seed, hooks=[twice_more])
    ids, begin, cost = *spanned(state), 2, costs(model)
    assert draws == [0, 1, 2] * (len(draws) // 3) and len(draws) >= 6
    del state
    model.stats.reset()
    again = step("xy", hooks=[lambda draw: oc.steer.Replace((*ids, None)[len(draw.row) - begin])])
    assert spanned(again) == [ids] and costs(model) == cost


def test_draws_that_left_no_token_at_the_end_of_a_span_count_for_the_next() -> None:
    """A stop, the tokens that a stop string dropped, and draws that hooks gave up: all that follows draws anew."""
    model = counted()
    text = oc.continuous(oc.generate.text(model))
    attempts: list[int] = []

    def twice_and_stop(draw: oc.steer.Draw) -> oc.steer.Resample | oc.steer.Stop | None:
        if len(draw.row) == draw.row.start + 1:
            return oc.steer.Resample(ban=()) if draw.attempt < 2 else oc.steer.Stop()
        return None

    def attempts_after(state: oc.SequenceState) -> list[int]:
        attempts.clear()
        text(state, max_tokens=4, seed=0, hooks=[lambda draw: attempts.append(draw.attempt)])
        return attempts

    state = text("xy", seed=0, hooks=[twice_and_stop])
    assert state.finished == [["stop"]] and attempts_after(state)[:3] == [3, 0, 0]
    for count in (1, 2, 3):
        drawn = text("xy", max_tokens=3, seed=1)
        stop_at = "".join(model.vocabulary.tokens[token].decode() for token in spanned(drawn)[0][-count:])
        state = text("xy", seed=1, stop_at=stop_at)
        stop = state.rows[0][0].pieces[-1].stop
        assert stop and stop.dropped
        before = attempts_after(state)
        assert before == ([1] * len(stop.dropped) + [0] * 4)[: len(before)]


# --- the law of what is drawn after an answer


@pytest.mark.parametrize(
    ("answer", "banned"),
    [
        (oc.steer.Resample(), True),
        (oc.steer.Resample(ban=()), False),
        (oc.steer.Backtrack(1), False),
        ("ban", True),
    ],
    ids=str,
)
def test_what_is_drawn_again_follows_its_law(answer: Any, banned: bool) -> None:
    """The law of another draw is the conditional law: without what is banned, and else the same (chi-square)."""
    options, draws = ["ax", "bx", "cx", "dx"], 1200
    step = oc.continuous(oc.generate.choice(toy_model(), options, DRAW(samples=draws), forced="never"))
    first = candidates(toy_model().state("xy").rows[0][0].ids, (), Language(options))
    law = {t: math.exp(p) for t, p in first.items() if t is not None}
    likely = sorted(law, key=law.__getitem__)[-2]

    def hook(draw: oc.steer.Draw) -> Any:
        if isinstance(answer, oc.steer.Resample):
            again = draw.row.text == "" and (draw.token == likely if banned else draw.attempt == 0)
            return answer if again else None
        if draw.row.text and draw.attempt == 0:
            return oc.steer.Backtrack(1, ban=[likely]) if banned else answer
        return None

    counts = Counter(ids[0] for ids in spanned(step("xy", seed=7, hooks=[hook])))
    if banned:
        assert counts[likely] == 0
        law.pop(likely)
    expected = {t: draws * p / math.fsum(law.values()) for t, p in law.items()}
    assert sum((counts[t] - e) ** 2 / e for t, e in expected.items()) < 12 + 4 * len(expected), (counts, expected)


@pytest.mark.parametrize("sampler", [GREEDY, DRAW(), DRAW(temperature=0.5, top_k=3)], ids=repr)
def test_the_law_that_a_hook_names(sampler: Any) -> None:
    """ExLlamaV2's "change temperature if the uncertainty remains": drawn and recorded by that law (chi-square)."""
    options, draws = ["ax", "bx", "cx", "dx"], 1200
    step = oc.continuous(oc.generate.choice(toy_model(), options, sampler, forced="never"))
    first = candidates(toy_model().state("xy").rows[0][0].ids, (), Language(options))
    top_k = getattr(sampler, "top_k", None) or 99
    kept = sorted((t for t in first if t is not None), key=lambda t: -first[t])[:top_k]
    norm = math.fsum(math.exp(first[t] / 3) for t in kept)
    law = {t: math.exp(first[t] / 3) / norm for t in kept}

    def hook(draw: oc.steer.Draw) -> Any:
        return oc.steer.Resample(ban=(), temperature=3.0) if not draw.row.text and draw.attempt == 0 else None

    state = step(toy_model().state("xy").fork(draws), seed=7, hooks=[hook])
    counts = Counter(ids[0] for ids in spanned(state))
    expected = {t: draws * p for t, p in law.items()}
    assert set(counts) <= set(law)
    assert sum((counts[t] - e) ** 2 / e for t, e in expected.items()) < 12 + 4 * len(expected), (counts, expected)
    for row in state.rows[0]:
        assert math.exp(row.proposals[2]) == pytest.approx(law[row.ids[2]], rel=1e-3)
    assert state.particles.log_importance.isnan().all()  # nobody knows how likely the hook was to ask for it


def test_the_number_of_a_draw_is_its_rows_own() -> None:
    """Law 9: a hook that goes by `draw.step` does the same to a row whatever runs beside it."""
    model = toy_model()

    def two_runs(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        if row.before.startswith("x") and row.text.count("1") < 2:
            return [oc.steer.Branch(forced="1")]
        return [oc.steer.Branch(allowed=oc.generate.regex(model, "[abc]{6}", forced="never"))] * (
            row.text[-1:] in ("", "1")
        )

    numbers: dict[str, list[int]] = {}

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        numbers.setdefault(draw.row.before, []).append(draw.step)
        return oc.steer.Resample(ban=()) if draw.step == 0 else None

    step = oc.continuous(oc.generate.control(model, two_runs, DRAW()), hooks=[hook])
    both = step(["xy", "b"], seed=0)
    assert all(each == list(range(len(each))) for each in numbers.values())
    assert both[0:1, :, :] == step(model.state(["xy", "b"])[0:1, :, :], seed=0)


# --- beams


@settings(max_examples=30)
@given(data=st.data(), what=st.sampled_from([["a", "ab", "abc"], ["abcabc", "abc", "bca", "ca"], "[abc]{2,3}"]))
def test_beams_without_what_hooks_decline(data: st.DataObject, what: Any) -> None:
    """The best k of the token sequences that no hook declines: the next best takes the place of one that is."""
    texts = sorted(s.decode() for s in Language(what).strings or ())
    paths = enumerate_law(toy_model(), "xy", texts)
    used = sorted({t for ids, _, _ in paths for t in ids})
    declined = data.draw(st.sets(st.sampled_from(used), max_size=3))
    no_stop = data.draw(st.sets(st.sampled_from(texts), max_size=2))

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        silent = draw.token is None and draw.row.text in no_stop
        return oc.steer.Resample() if silent or draw.token in declined else None

    language = Language(what)
    silent = {text.encode() for text in no_stop if not language.complete(text.encode())}  # nobody draws other stops
    fine = [own for ids, own, _ in paths if not declined & set(ids) and text_of(ids) not in silent]
    ranked = sorted(fine, reverse=True)
    exact = oc.samplers.beam_search(len(paths) + 2, distinct="tokens")
    step = oc.continuous(oc.generate.choice(toy_model(), texts, exact))
    if not ranked:
        with pytest.raises(oc.errors.HookLimit, match="banned all"):
            step("xy", hooks=[hook])
        return
    state = step("xy", hooks=[hook])
    assert len(state) == len(set(spanned(state))) == len(ranked)
    assert state.weights[0, : len(state)].tolist() == pytest.approx(ranked, abs=CLOSE)
    assert not any(declined & set(ids) for ids in spanned(state))


def test_other_answers_under_beams() -> None:
    """Hypotheses are not sent back; where all are declined, whatever the ban, nothing is left to go on with."""
    step = oc.continuous(oc.generate.choice(toy_model(), ["ab", "ba"], oc.samplers.beam_search(4)))
    with pytest.raises(ValueError, match="beam"):
        step("xy", hooks=[lambda draw: oc.steer.Backtrack(1)])
    with pytest.raises(oc.errors.HookLimit, match="banned all"):
        step("xy", hooks=[lambda draw: oc.steer.Resample(ban=())])
    with pytest.raises(ValueError, match=r"temperature=2.0.* under beam search: nothing is drawn at random"):
        step("xy", hooks=[lambda draw: oc.steer.Resample(temperature=2.0)])
    for wrong in ({"temperature": 0}, {"top_p": 2}, {"top_k": 1.5}, {"min_p": -1}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))}="):
            oc.steer.Resample(**wrong)
    for no_id in ([3], "a", 3.0, True):  # a list could not be told from others, which was Python's own error
        for answer in (oc.steer.Replace, oc.steer.Insert):
            with pytest.raises(TypeError, match=rf"token={re.escape(repr(no_id))}: it must be the id of a token"):
                step("xy", hooks=[lambda draw, answer=answer, no_id=no_id: answer(no_id)])


@pytest.mark.parametrize("answer", [oc.steer.Stop(), "replace", "tensor"], ids=str)
def test_beams_are_distinct_after_answers(answer: Any) -> None:
    """Hypotheses are token sequences: those that hooks made equal are one, in whatever type an id is named."""
    a = toy_model().encoder.append("a")[0]

    def hook(draw: oc.steer.Draw) -> Any:
        if answer == "replace":
            return oc.steer.Replace(a) if draw.token != a else None
        if answer == "tensor":
            return oc.steer.Replace(torch.tensor(a))
        return answer if len(draw.row.text) >= 2 else None

    step = oc.continuous(oc.generate.regex(toy_model(), "[abc]{4}", oc.samplers.beam_search(4)))
    rows = spanned(step("xy", max_tokens=3, hooks=[hook]))
    assert len(set(rows)) == len(rows)


# --- more that the random programs find, at its smallest


def at(*answers: Any) -> list[Callable[[oc.steer.Draw], Any]]:
    """Hooks that give these answers to the first draws, one after the other, whatever they are of."""
    rest = iter(answers)
    return [lambda draw: next(rest, None)]


@pytest.mark.parametrize("answer", [oc.steer.Stop(), oc.steer.Replace(None)], ids=str)
def test_an_answer_may_end_where_another_stop_was_banned(answer: Any) -> None:
    """Where the constraint accepts, the span ends as a stop that is as likely as ever."""
    step = oc.continuous(oc.generate.choice(toy_model(), ["a", "ab", "abc"], GREEDY, forced="never"))
    state = step("xy", hooks=at(None, oc.steer.Resample(ban=[None]), answer))
    assert state.finished == [["stop"]]
    assert state.weights.item() == pytest.approx(state.rescore().weights.item(), abs=CLOSE)


def test_going_back_over_what_gave_the_constraint_up() -> None:
    """The constraint goes back as a whole: what is written then is scored by it, and captured."""
    step = oc.continuous(oc.generate.choice(toy_model(), ["ab", "abc", "bc"], GREEDY, forced="never"), name="v")
    outside = oc.steer.Replace(toy_model().encoder.append("z")[0], unconstrained=True)
    state = step("xy", hooks=at(None, outside, oc.steer.Backtrack(2)))
    assert state.weights.item() == pytest.approx(state.rescore().weights.item(), abs=CLOSE)
    assert state.captures["v"][0][0][0] in ["ab", "abc", "bc"]


def test_slicing_away_what_gave_the_constraint_up() -> None:
    """Law 7: the span goes on as if the later tokens, and what they gave up, had never been."""
    step = oc.continuous(oc.generate.regex(toy_model(), "[abc]{4}", GREEDY, forced="never"), name="v")
    outside = oc.steer.Replace(toy_model().encoder.append("z")[0], unconstrained=True)
    resumed = step.resume(step("xy", max_tokens=4, hooks=at(None, outside))[..., :3])
    assert re.fullmatch("[abc]{4}", text_of(*spanned(resumed)).decode())


def test_a_text_that_is_freed_keeps_its_stop_strings() -> None:
    """A text has no constraint to give up: it ends where it would, before and after a resume."""
    q, z = toy_model().encoder.append("Q") + toy_model().encoder.append("z")
    step = oc.continuous(oc.generate.text(toy_model(), GREEDY, include_stop=True), name="t")
    for free in (False, True):
        hooks = at(oc.steer.Replace(z, unconstrained=free), oc.steer.Replace(q))
        assert step("xy", stop_at="Q", max_tokens=4, hooks=hooks).tolist() == [["xyzQ"]]


# --- errors


@pytest.mark.parametrize(
    ("answer", "error", "match"),
    [
        (True, TypeError, "returned True"),
        ("stop", TypeError, "returned 'stop'"),
        (oc.steer.Resample, TypeError, "a hook returns"),
        (oc.steer.Backtrack(0), ValueError, "at least 1"),
        (oc.steer.Backtrack(-1), ValueError, "at least 1"),
        (oc.steer.Backtrack(3), ValueError, "only 2"),
        (oc.steer.Backtrack(1, ban=[262]), ValueError, "token 262"),
        (oc.steer.Resample(ban=[-1]), ValueError, "token -1"),
        (oc.steer.Resample(ban=[10**6]), ValueError, "token 1000000"),
        (oc.steer.Replace(262), ValueError, "token 262"),
        (oc.steer.Replace(0), ValueError, "no token of text"),
        (oc.steer.Replace(0, unconstrained=True), ValueError, "no token of text"),
        (oc.steer.Replace(None), oc.errors.ConstraintError, "does not let the span end"),
        (oc.steer.Replace(5), oc.errors.ConstraintError, "does not allow"),
    ],
    ids=str,
)
def test_wrong_answers(answer: Any, error: type[Exception], match: str) -> None:
    """An answer that cannot be followed is an error that says so, and the state is what it was."""
    assert len(toy_model().vocabulary) == 262 and tokens()[5] not in b"abc"
    start = toy_model().state("xy")
    step = oc.continuous(oc.generate.regex(toy_model(), "[abc]{3,4}", DRAW(top_k=3), forced="never"))
    with pytest.raises(error, match=match):
        step(start, seed=1, hooks=[lambda draw: answer if len(draw.row) == 4 else None])
    assert start.token_ids.shape[-1] == 2 and len(start.rows[0][0]) == 2


def test_a_draw_closes() -> None:
    """What a draw says of its law is that of the plain forward, and is gone once the hook has returned."""
    kept: list[oc.steer.Draw] = []
    prompt = toy_model().state("xy").rows[0][0].ids

    def hook(draw: oc.steer.Draw) -> None:
        kept.append(draw)
        law = candidates(prompt, draw.row.ids[2:], FREE)
        best = sorted(law.items(), key=lambda item: -item[1])[:7]
        scores = Task(FREE, sampler, 0, ()).law(law)
        assert draw.candidates(7) == [
            (t, pytest.approx(p, abs=CLOSE), pytest.approx(scores[t], abs=CLOSE)) for t, p in best if t in scores
        ]
        assert torch.log_softmax(draw.logits, -1).tolist() == pytest.approx(forward(draw.row.ids), abs=CLOSE)
        draw.logits.zero_()  # a copy

    sampler = DRAW(temperature=0.8, top_k=4)
    state = oc.continuous(oc.generate.text(toy_model(), sampler))("xy", max_tokens=4, seed=0, hooks=[hook])
    assert [draw.token for draw in kept[:4]] == list(*spanned(state))
    for ask in (lambda draw: draw.candidates(), lambda draw: draw.logits):
        with pytest.raises(RuntimeError, match="gone"):
            ask(kept[0])
    assert kept[0].row.ids == prompt and kept[0].logprob < 0


@pytest.mark.parametrize("retries", [0, 1, 7])
@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("kind", ["resample", "back"])
def test_a_limit_has_a_state_to_go_on_from(retries: int, at: int, kind: str) -> None:
    """One more retry than allowed is a HookLimit; its state holds the rows before it, and `resume` ends them."""
    step = oc.continuous(oc.generate.regex(toy_model(), "[abc]{8,9}", forced="never"), name="x")
    asked: list[int] = []

    def hook(draw: oc.steer.Draw) -> Any:
        if len(draw.row) - draw.row.start < at + (kind == "back"):
            return None
        asked.append(draw.attempt)
        return oc.steer.Resample(ban=()) if kind == "resample" else oc.steer.Backtrack(1)

    with pytest.raises(oc.errors.HookLimit) as caught:
        step(["xy", "1"], seed=4, hooks=oc.steer.Hooks(hook, retries=retries))
    state = caught.value.state
    assert max(asked) <= retries <= len(asked) - 1
    assert state.finished == [["interrupted"]] * 2
    done = step.resume(state, seed=5)
    assert done.finished == [["stop"]] * 2
    assert all(new.ids[: len(old)] == old.ids for [new], [old] in zip(done.rows, state.rows, strict=True))
    assert all(re.fullmatch("[abc]{8,9}", text_of(ids).decode()) for ids in spanned(done))


# --- values


@settings(max_examples=60)
@given(data=st.data(), sampler=SAMPLERS, seeds=st.tuples(*[st.integers(0, 999)] * 3))
def test_resume_with_hooks(data: st.DataObject, sampler: Any, seeds: tuple[int, int, int]) -> None:
    """Law 7 beside hooks: a span that is cut goes on as the model does from there. Of the rest it remembers nothing but
    the draws that were given up before it came there."""
    what, language = data.draw(st.sampled_from(LANGUAGES))
    task = Task(language, sampler, seeds[0], (programs(language, seeds[1], True, "Rbriut"),), retries=100)
    step, head = step_of(task, what), toy_model().state("xy")
    keys = lineages(["xy"], sampler.samples)
    models, errors = written(task, [(head.rows[0][0].ids, key) for key in keys])
    assume(not errors)
    whole = step(head, task.max_tokens, seed=task.seed, hooks=list(map(as_hook, task.hooks)))
    cut = whole[..., : data.draw(st.integers(2, max(3, whole.shape[2] - 1)))]
    later = Task(language, sampler, seeds[2], (programs(language, seeds[2], False, "RRbriut"),), retries=100)
    spans = []
    for row, key, model in zip(cut.rows[0], keys, models, strict=True):
        begun = Span(list(row.ids[2:]), list(row.logprobs[2:]), list(row.proposals[2:]))
        begun.unfed = {at - 2 for at in row.spans[-1].unfed} if row.spans[-1].kind == "generated" else set()
        begun.now = model.now if row.finished == "interrupted" else (model.came[len(begun.ids)], set(), False)
        if row.finished == "stop":
            begun.end, begun.weight = "stop", row.weight
            spans.append(begun)
        else:
            more, errors = written(later, [(head.rows[0][0].ids, key, begun)])
            assume(not errors)
            spans += more
    again = [
        step.resume(cut, later.max_tokens, seed=later.seed, hooks=list(map(as_hook, later.hooks))) for _ in range(2)
    ]
    check(again[0], spans)
    assert same(*again)


@settings(max_examples=40)
@given(what=st.sampled_from(LANGUAGES), sampler=SAMPLERS, seed=st.integers(0, 999))
def test_a_frontier_has_as_many_futures_as_one_likes(what: Any, sampler: Any, seed: int) -> None:
    """Stepping is a function: a frontier stepped twice, or after all that came of it, gives the same."""
    hooks = [as_hook(programs(what[1], seed, True, "RRbbs"))]
    frontier = step_of(Task(what[1], sampler, seed, ()), what[0]).begin(["xy", "a"], 8, seed=seed, hooks=hooks)
    steps: list[tuple[oc.stepping.Frontier, torch.Tensor, oc.SequenceState]] = []
    try:
        while not frontier.done:
            logits = toy_model().logits(frontier.pending)
            after = frontier.step(logits)
            steps.append((frontier, logits, after.state))
            assert same(frontier.step(logits.clone()).state, after.state)
            frontier = after
    except oc.errors.HookLimit:
        pass
    for before, logits, state in reversed(steps):
        assert same(before.step(logits).state, state)


def same(a: oc.SequenceState, b: oc.SequenceState) -> bool:
    """With scores, of which some are NaN."""
    scores = [(s.logprobs, s.proposal_logprobs.nan_to_num(7), s.weights) for s in (a, b)]
    return a == b and a.finished == b.finished and all(map(torch.equal, *scores))


# --- exllamav2, issue 384: declining and going back under a JSON schema

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"enum": ["red", "blue", "bluest"]}, "minItems": 1, "maxItems": 3},
    },
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(("forced", "seeds"), [("canonical", 20), ("never", 6)])
def test_unlikely_tokens_are_taken_back_under_a_schema(forced: str, seeds: int) -> None:
    """Constraint, KV and scores go back together: valid JSON for every seed, with the scores of a fresh scoring."""
    step = oc.continuous(oc.generate.json(shipped_model(), SCHEMA, forced=forced), name="person")
    told = Counter[str]()

    def hook(draw: oc.steer.Draw) -> Any:
        written = len(draw.row) - draw.row.start
        if draw.probability >= 0.05 or draw.attempt >= 3 or len(draw.candidates(2)) < 2:
            return None
        if written >= 3 and draw.attempt == 1:
            told["back"] += 1
            return oc.steer.Backtrack(2 + draw.token % 2 if draw.token else 2)
        told["again"] += 1
        return oc.steer.Resample()

    for seed in range(seeds):
        state = step("A person as JSON: ", seed=seed, hooks=oc.steer.Hooks(hook, retries=200))
        [[[value]]] = state.captures["person"]
        text = shipped_model().vocabulary.decode(*spanned(state)).decode()
        assert json.loads(text) == value
        jsonschema.validate(value, SCHEMA)
        fresh = state.kv.drop().rescore()
        assert torch.allclose(fresh.weights, state.weights, atol=1e-3)
        assert torch.allclose(fresh.logprobs, state.logprobs, atol=1e-3)
    assert min(told["back"], told["again"]) >= seeds, told


# --- hooks as settings


@pytest.mark.parametrize("sampler", [oc.samplers.greedy(), oc.samplers.multinomial(2), oc.samplers.beam_search(2)])
def test_a_step_s_hooks_are_asked_before_those_of_the_call(sampler: Any) -> None:
    """ "Register it once": a step with hooks is the plain step, called with these and then the call's."""
    model, asked = toy_model(), list[tuple[str, int | None]]()

    def refuses(name: str, tokens: Sequence[int]) -> Callable[[oc.steer.Draw], oc.steer.Resample | None]:
        def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
            asked.append((name, draw.token))
            return oc.steer.Resample() if draw.token in tokens and draw.attempt < 3 else None

        return hook

    first, second = refuses("step", range(0, 40)), refuses("call", range(30, 70))
    generator = oc.generate.text(model, sampler)
    mine = [first]
    with_own, plain = oc.continuous(generator, hooks=mine), oc.continuous(generator)
    mine.clear()  # what it was given is its own
    one = with_own("ab", max_tokens=5, seed=3, hooks=[second])
    seen, asked[:] = list(asked), []
    assert one.identical(plain("ab", max_tokens=5, seed=3, hooks=[first, second])) and seen == asked
    assert {name for name, _ in seen} == {"step", "call"}


def test_each_link_has_its_own_hooks_and_says_its_name() -> None:
    model = toy_model()
    draws: dict[str, list[tuple[str | None, int]]] = {"first": [], "call": []}

    def noting(where: str) -> Callable[[oc.steer.Draw], None]:
        return lambda draw: draws[where].append((draw.name, draw.step))

    sampler = oc.samplers.multinomial(2)
    first = oc.continuous(oc.generate.regex(model, "[ab]{3}", sampler), name="first", hooks=[noting("first")])
    second = oc.continuous(oc.generate.regex(model, "[12]{2}", sampler), name="second")
    chain = first >> "-" >> second
    state = chain(["ab", "xy"], seed=1, hooks=[noting("call")])
    assert draws["first"] and {name for name, _ in draws["first"]} == {"first"}
    assert draws["first"] == [draw for draw in draws["call"] if draw[0] == "first"]
    assert {name for name, _ in draws["call"]} == {"first", "second"}
    steps = [step for _, step in draws["call"]]
    assert steps == sorted(steps) and set(steps) == set(range(max(steps) + 1))
    assert state == chain(["ab", "xy"], seed=1)  # they only look


def test_how_often_a_step_is_sent_back_is_its_own_setting() -> None:
    generator = oc.generate.text(toy_model(), oc.samplers.multinomial())
    limits = oc.steer.Hooks(lambda draw: oc.steer.Resample(), retries=2)
    step = oc.continuous(generator, hooks=limits)
    with pytest.raises(oc.errors.HookLimit, match=r"\b2\b"):
        step("ab", max_tokens=3)
    with pytest.raises(oc.errors.HookLimit, match=r"\b5\b"):
        step("ab", max_tokens=3, hooks=oc.steer.Hooks(retries=5))
    with pytest.raises(oc.errors.HookLimit, match=r"\b2\b"):
        (step >> "!")("ab", max_tokens=3, hooks=oc.steer.Hooks(retries=5))
    with pytest.raises(TypeError, match="hooks=3"):
        oc.continuous(generator, hooks=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="retries=-1"):
        oc.steer.Hooks(retries=-1)
    with pytest.raises(TypeError, match=r"hooks=\[3\]: a hook is a function of one argument"):
        oc.steer.Hooks(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"write hooks=oc\.steer\.Hooks\(f, g, retries=…\)"):
        oc.continuous(generator, retries=2)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="belong to the steps of a chain"):
        oc.continuous(step >> "!", hooks=limits)  # type: ignore[call-overload]


@pytest.mark.parametrize("sampler", [oc.samplers.greedy(), oc.samplers.multinomial(2)])
def test_a_hook_may_ask_what_is_allowed(sampler: Any) -> None:
    """`allows` and `mask` are what the constraint says of a plain regex, after every draw; eos is in no mask."""
    model, pattern = toy_model(), re.compile("(ab|b){1,3}1?")
    tokens, seen = model.vocabulary.tokens, []

    def may_go_on(text: str) -> bool:
        return any(
            pattern.fullmatch(text + rest) for n in range(8) for rest in map("".join, product("ab1", repeat=min(n, 7)))
        )

    known: dict[str, bool] = {}

    def hook(draw: oc.steer.Draw) -> None:
        text = draw.row.text
        allowed = []
        for token, data in enumerate(tokens):
            longer = text + data.decode("utf-8", "replace")
            if longer not in known:
                known[longer] = set(longer) <= set("ab1") and may_go_on(longer)
            allowed.append(bool(data) and token not in model.vocabulary.special and known[longer])
        assert [draw.allows(token) for token in range(len(tokens))] == allowed == draw.mask.tolist()
        assert draw.allows(None) == bool(pattern.fullmatch(text))
        seen.append(text)
        with pytest.raises(ValueError, match="not in a vocabulary"):
            draw.allows(len(tokens))

    oc.continuous(oc.generate.regex(model, pattern.pattern, sampler))("xy", seed=2, hooks=[hook])
    assert len(seen) > 2


def test_a_replacement_that_does_not_fit() -> None:
    """ "Put this token in if you can": it raises, keeps what was drawn, or draws again, as it was told."""
    model = toy_model()
    a, x = (model.vocabulary.tokens.index(letter) for letter in (b"a", b"x"))
    step = oc.continuous(oc.generate.regex(model, "[ab12]{6}", oc.samplers.multinomial()))
    plain = step("xy", seed=4)

    def replaced(token: int | None, otherwise: Any, **options: Any) -> oc.SequenceState:
        return step(
            "xy",
            seed=4,
            hooks=[lambda draw: oc.steer.Replace(token, otherwise=otherwise) if draw.attempt < 2 else None],
        )

    assert replaced(x, "keep").identical(plain)
    drawn_again = step("xy", seed=4, hooks=[lambda draw: oc.steer.Resample() if draw.attempt < 2 else None])
    assert replaced(x, "resample").identical(drawn_again)
    for otherwise in ("raise", "keep", "resample"):
        assert str(replaced(a, otherwise)) == "xyaaaaaa"
    with pytest.raises(oc.errors.ConstraintError, match="does not allow b'x'"):
        replaced(x, "raise")
    assert replaced(None, "keep").identical(plain)
    with pytest.raises(ValueError, match="'raise', 'keep' or 'resample'"):
        oc.steer.Replace(a, otherwise="skip")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not in a vocabulary"):
        replaced(10**6, "keep")
