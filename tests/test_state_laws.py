"""The laws of the algebra (docs/algebra.md), against a model made of plain nested lists."""

from __future__ import annotations

import gc
import re
import threading
from functools import cache
from math import isclose
from pathlib import Path

import pytest
import strategies as given_states
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule
from strategies import (
    COLOURS,
    DIGITS,
    TEXTS,
    Plain,
    base_states,
    beams,
    before,
    check,
    given_span,
    indexed,
    keys,
    lawful_model,
    observed,
    plus,
    prompted,
    reopened,
    reshaped,
    slices,
    spelled,
    states,
    steps,
)

import outlines_cont as oc

Pair = tuple[oc.SequenceState, Plain]
RELATIVE = 1e-4  # kv.md: the error of a logit, relative to the largest
MANY = settings(max_examples=200, deadline=None)
STEP = st.sampled_from(["text", "unnamed", "colour", "digits", "maybe"])


def frozen(state: oc.SequenceState) -> object:
    """Everything about a state that must never change."""
    return state.shape, tuple(row.facts() for group in state.rows for row in group)


def nonempty(plain: Plain) -> bool:
    return bool(plain.live) and all(plain.live)


def bos_first(plain: Plain) -> bool:
    """No negative step has put the tokenizer's bos elsewhere, where it would be dropped from a right operand."""
    return not any(token.made.bos and not token.offset for row in plain.live for token in row[1:])


def logits_after(state: oc.SequenceState) -> torch.Tensor:
    """The logits `[live, V]` after each live row, through the KV tree."""
    return state.model.logits(text_generator().begin(state, seed=0).pending)


@cache
def text_generator() -> oc.generate.Generator:
    return oc.generate.text(lawful_model())


def full_forward(ids: list[int]) -> torch.Tensor:
    """Logits `[T, V]` by transformers alone."""
    with torch.no_grad():
        return lawful_model().hf(input_ids=torch.tensor([ids])).logits[0]


def close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool((a - b).abs().max() <= RELATIVE * b.abs().max())


class EveryOperation(RuleBasedStateMachine):
    """Law 1, for every operation: states do what lists of tokens do, and no operation changes what was there before."""

    made: Bundle[Pair] = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.known: list[tuple[oc.SequenceState, object]] = []

    def keep(self, state: oc.SequenceState, plain: Plain):
        """Check a result and put it into the bundle, unless it grows too large."""
        check(state, plain)
        self.known.append((state, frozen(state)))
        if len(plain.rows) * plain.samples > 6 or max(map(len, [*plain.live, []])) > 40:
            return multiple()
        return state, plain

    @invariant()
    def nothing_changes(self) -> None:
        for state, facts in self.known:
            assert frozen(state) == facts

    @rule(target=made, base=st.sampled_from(range(9)))
    def take_base(self, base: int):
        return self.keep(*base_states()[base])

    @rule(target=made, texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3))
    def start_from_texts(self, texts: list[str]):
        model = lawful_model()
        state = model.state(texts)
        assert state == model.state([[model.tokenizer.bos_token_id, *spelled(text)] for text in texts])
        return self.keep(state, prompted(texts))

    @rule(target=made, rows=st.lists(st.lists(st.integers(0, 1535), max_size=4), min_size=1, max_size=3))
    def start_from_ids(self, rows: list[list[int]]):
        return self.keep(lawful_model().state(rows), Plain([[given_span(row, "prompt")] for row in rows], 1))

    @rule(target=made, pair=made, kind=STEP, seed=st.integers(0, 99), max_tokens=st.integers(0, 3))
    def generate(self, pair: Pair, kind: str, seed: int, max_tokens: int):
        state, plain = pair
        if not all(plain.live):
            with pytest.raises(ValueError, match="empty"):
                steps()[kind](state, seed=seed)
            return multiple()
        after = steps()[kind](state, seed=seed, max_tokens=max_tokens)
        result = observed(after, plain)
        for span in (spans[-1] for row in after.spans for spans in row if spans):
            assert span.finished in ("stop", "length")
        for values in (v for row in after.captures.get("digits", []) for v in row):
            assert all(re.fullmatch(DIGITS, value) for value in values)
        for values in (v for row in after.captures.get("colour", []) for v in row):
            assert all(value in COLOURS for value in values)
        return self.keep(after, result)

    @rule(target=made, pair=made)
    def search(self, pair: Pair):
        state, plain = pair
        if plain.samples != 1 or not nonempty(plain):
            return multiple()
        after = beams()(state)
        return self.keep(after, observed(after, plain))

    @rule(target=made, pair=made, data=st.data())
    def index(self, pair: Pair, data: st.DataObject):
        state, plain = pair
        key = data.draw(keys(plain))
        return self.keep(state[key.written], indexed(plain, key.batch, key.sample, key.token))

    @rule(target=made, pair=made, text=st.sampled_from(TEXTS))
    def add_text(self, pair: Pair, text: str):
        state, plain = pair
        return self.keep(state + text, plain.map(lambda row: row + given_span(spelled(text))))

    @rule(target=made, pair=made, data=st.data(), in_front=st.booleans())
    def add_texts(self, pair: Pair, data: st.DataObject, in_front: bool):
        """One text a batch row, or one a row; on either side."""
        state, plain = pair
        b, s = len(plain.rows), plain.samples
        count = data.draw(st.sampled_from([b, b * s]))
        texts = data.draw(st.lists(st.sampled_from(TEXTS), min_size=count, max_size=count))
        each = [[texts[i if count == b else i * s + j] for j in range(s)] for i in range(b)]
        cells = [[Plain([[row]], 1) for row in group] for group in plain.rows]
        if in_front:
            rows = [[before(t, c).rows[0][0] for t, c in zip(*z, strict=True)] for z in zip(each, cells, strict=True)]
            return self.keep(texts + state, Plain(rows, s))
        rows = [
            [c.map(lambda row, t=t: row + given_span(spelled(t))).rows[0][0] for t, c in zip(*z, strict=True)]
            for z in zip(each, cells, strict=True)
        ]
        return self.keep(state + texts, Plain(rows, s))

    @rule(target=made, pair=made, text=st.sampled_from(TEXTS))
    def add_in_front(self, pair: Pair, text: str):
        state, plain = pair
        return self.keep(text + state, before(text, plain))

    @rule(target=made, left=made, right=made)
    def add_states(self, left: Pair, right: Pair):
        if not right[1].rows or not right[1].samples:
            return multiple()
        other, plain = reshaped(*right, len(left[1].rows), left[1].samples)
        return self.keep(left[0] + other, plus(left[1], plain))

    @rule(target=made, left=made, right=made)
    def add_states_as_they_are(self, left: Pair, right: Pair):
        (a, p), (b, q) = left, right
        if len(p.rows) != len(q.rows):
            with pytest.raises(oc.BatchMismatch):
                a + b
        elif p.samples != q.samples:
            with pytest.raises(oc.SampleMismatch):
                a + b
        else:
            return self.keep(oc.cat([a, b], 2), plus(p, q))
        return multiple()

    @rule(target=made, pair=made, n=st.integers(1, 3))
    def fork(self, pair: Pair, n: int):
        state, plain = pair
        if plain.samples != 1:
            with pytest.raises(oc.SampleMismatch):
                state.fork(n)
            return multiple()
        return self.keep(state.fork(n), Plain([row * n for row in plain.rows], n))

    @rule(target=made, pair=made, k=st.integers(1, 3))
    def best(self, pair: Pair, k: int):
        state, plain = pair
        if k > max(plain.samples, 1):
            with pytest.raises(ValueError, match=rf"best\({k}\)"):
                state.best(k)
            return multiple()
        ranked = [
            sorted((r for r in g if r is not None), key=lambda r: -given_states.weight(r))[:k] for g in plain.rows
        ]
        samples = max(map(len, ranked), default=0)
        return self.keep(state.best(k), Plain([[*row, *[None] * (samples - len(row))] for row in ranked], samples))

    @rule(target=made, left=made, right=made, dim=st.sampled_from([0, 1, -2, -3]))
    def cat(self, left: Pair, right: Pair, dim: int):
        (a, p), (b, q) = left, right
        if dim in (0, -3) and p.samples == q.samples:
            return self.keep(oc.cat([a, b], dim), Plain(p.rows + q.rows, p.samples))
        if dim in (1, -2) and len(p.rows) == len(q.rows):
            rows = [x + y for x, y in zip(p.rows, q.rows, strict=True)]
            return self.keep(oc.cat([a, b], dim), Plain(rows, p.samples + q.samples))
        with pytest.raises((oc.BatchMismatch, oc.SampleMismatch)):
            oc.cat([a, b], dim)
        return multiple()

    @rule(target=made, pair=made)
    def reopen(self, pair: Pair):
        state, plain = pair
        return self.keep(state.reopen(), plain.map(reopened))

    @rule(target=made, pair=made)
    def drop_kv(self, pair: Pair):
        state, plain = pair
        dropped = state.drop_kv()
        assert dropped == state and hash(dropped) == hash(state) and dropped.identical(state)
        return self.keep(dropped, plain)

    @rule(target=made, pair=made)
    def save_and_load(self, pair: Pair):
        state, plain = pair
        path = Path(given_states.scratch()) / "state.safetensors"
        state.save(path)
        loaded = oc.load_state(path, lawful_model())
        assert loaded.identical(state) and state.identical(loaded)
        assert [[row.lineage for row in g] for g in loaded.rows] == [[row.lineage for row in g] for g in state.rows]
        return self.keep(loaded, plain)

    @rule(left=made, right=made)
    def compare(self, left: Pair, right: Pair):
        (a, p), (b, q) = left, right
        ids = [[[row and [t.id for t in row] for row in group] for group in plain.rows] for plain in (p, q)]
        assert (a == b) == (ids[0] == ids[1] and p.samples == q.samples)
        assert a != b or hash(a) == hash(b)
        assert a == b or not a.identical(b)


EveryOperation.TestCase.settings = settings(max_examples=200, stateful_step_count=15, deadline=None)
TestEveryOperation = EveryOperation.TestCase


def test_law_1_many_threads_share_values_without_changing_them() -> None:
    """Law 1, from any thread: a program gives what it gives alone, and its inputs stay as they are."""

    def program(number: int, state: oc.SequenceState) -> list[object]:
        step = steps()[["text", "colour", "digits", "maybe"][number % 4]]
        t = step(state, seed=number, max_tokens=3)
        u = step(t[..., : 2 + number % 3] + " or ", seed=number + 1, max_tokens=2)
        v = u[..., :4] + u[..., 4:]
        w = oc.cat([v, t[:1, :1, 1:]], 1) if v.shape[:2] == (1, 1) else v
        return [frozen(x) for x in (t, u, v, w.drop_kv())]

    shared = [state for state, plain in base_states() if nonempty(plain)]
    frozen_before = [frozen(state) for state in shared]
    work = [(number, state) for number, state in enumerate(shared * 3)]
    alone = [program(*item) for item in work]
    together: list[list[object]] = [[] for _ in work]

    def run(number: int) -> None:
        together[number] = program(*work[number])

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [frozen(state) for state in shared] == frozen_before
    for expected, got in zip(alone, together, strict=True):
        for (shape_a, rows_a), (shape_b, rows_b) in zip(expected, got, strict=True):  # type: ignore[misc]
            assert shape_a == shape_b
            assert [row[0] for row in rows_a] == [row[0] for row in rows_b]  # the token ids
            assert [row[3:] == other[3:] or row[1] != other[1] for row, other in zip(rows_a, rows_b, strict=True)]


@MANY
@given(states(), STEP, st.integers(0, 99), st.integers(1, 3))
def test_law_2_keys_and_values_are_not_part_of_the_value(pair: Pair, kind: str, seed: int, max_tokens: int) -> None:
    """Generation with the KV and, when nobody holds any, without it: same tokens, log-probabilities to rounding."""
    state, plain = pair
    assume(nonempty(plain))
    model, step = lawful_model(), steps()[kind]
    warm = steps()["text"](state, max_tokens=2, seed=seed)
    model.stats.reset()
    a = step(state, seed=seed, max_tokens=max_tokens)
    tokens = model.stats.tokens
    a_ids, a_logprobs, a_weights = a.token_ids, a.logprobs, a.weights
    base = state.drop_kv()
    assert base == state and base.identical(state)
    del a, warm, state, pair
    if model.stats.kv_bytes:
        gc.collect()
    assert model.stats.kv_bytes == 0
    model.stats.reset()
    b = step(base, seed=seed, max_tokens=max_tokens)
    assert tokens <= model.stats.tokens
    assert torch.equal(a_ids, b.token_ids)
    assert torch.allclose(a_logprobs, b.logprobs, atol=1e-3)
    assert torch.allclose(a_weights, b.weights, atol=1e-3)


@MANY
@given(states(), st.integers(0, 12), st.integers(0, 99), st.data())
def test_law_3_a_prefix_keeps_all_its_keys_and_values(pair: Pair, n: int, seed: int, data: st.DataObject) -> None:
    """Slices from token 0, forks, re-typed, joined and loaded rows know their longest prefix, and logits are right."""
    state, plain = pair
    assume(nonempty(plain))
    warm = steps()["text"](state, max_tokens=2, seed=seed)
    held, lengths = warm.kv_lengths, warm.lengths
    live = torch.tensor([[row is not None for row in g] for g in plain.rows])
    assert (held[live] > 0).all()
    prefix = warm[..., :n]
    assert torch.equal(prefix.kv_lengths, held.clamp(max=n))
    assert torch.equal((warm + " and").kv_lengths >= held, torch.ones_like(held, dtype=torch.bool))
    retyped = lawful_model().state([[t.id for t in row] for row in observed(warm, plain).live])
    assert torch.equal(retyped.kv_lengths.flatten(), held[live])
    assert not bos_first(plain) or torch.equal((warm[..., :n] + warm[..., n:]).kv_lengths, held)
    path = Path(given_states.scratch()) / "law3.safetensors"
    warm.save(path)
    assert torch.equal(oc.load_state(path, warm.model).kv_lengths, held)
    assert torch.equal(warm.lengths, lengths)

    assume(n > 0)
    b, s = data.draw(st.sampled_from(live.nonzero().tolist()))
    row = prefix[b, s, :]
    some = data.draw(st.sampled_from([row, row.fork(2)[:, 1, :], row + " x", "y" + row, oc.cat([row, row], 0)]))
    assert close(logits_after(some)[-1], full_forward(some.token_ids[-1, 0].tolist())[-1])


@MANY
@given(states(), st.data())
def test_law_4_slices_compose(pair: Pair, data: st.DataObject) -> None:
    """s[..., a:b][..., c:d] is what lists give, and taking rows and taking tokens commute."""
    state, plain = pair
    width = state.shape[2]
    first, second = data.draw(slices(width)), data.draw(slices(width))
    twice = state[..., first][..., second]
    check(twice, plain.map(lambda row: row[first][second]))
    composed = [range(len(row))[first][second] for row in plain.live]
    if len(set(composed)) == 1 and (one := composed[0]).step > 0:
        assert state[..., one.start : one.stop : one.step].identical(twice)

    key = data.draw(keys(plain))
    rows, tokens = state[key.batch, key.sample, :], key.token
    assert rows[..., tokens].identical(state[..., tokens][key.batch, key.sample, :])
    assert rows[..., tokens].identical(state[key.batch, key.sample, tokens])


@MANY
@given(states(), states(), states(), st.integers(-14, 14), st.integers(-14, 14))
def test_law_5_concatenation_is_a_monoid(one: Pair, two: Pair, three: Pair, n: int, m: int) -> None:
    """Associative, "" is its unit, and the parts of a row make it whole again: spans, stops, captures, scores."""
    state, plain = one
    assert state + "" is state and "" + state is state
    assert (state + state[..., :0]).identical(state) and (state[..., :0] + state).identical(state)
    assume(
        not any(token.made.bos and not token.offset for row in plain.live for token in row[1:])
    )  # by a negative step
    whole = state[..., :n] + state[..., n:]
    assert whole.identical(state) and whole == state
    check(whole, plain)
    lo, hi = sorted(range(max(map(len, [*plain.live, []])) + 1)[i % (state.shape[2] + 1)] for i in (n, m))
    parts = state[..., :lo], state[..., lo:hi], state[..., hi:]
    assert (parts[0] + parts[1] + parts[2]).identical(state)
    assert (parts[0] + (parts[1] + parts[2])).identical(state)

    shape = state.shape[:2]
    assume(all(pair[1].rows and pair[1].samples for pair in (two, three)))
    (b, b_plain), (c, c_plain) = reshaped(*two, *shape), reshaped(*three, *shape)
    assert ((state + b) + c).identical(state + (b + c))
    check(state + b + c, plus(plus(plain, b_plain), c_plain))


@MANY
@given(states(), st.integers(-14, 14))
def test_law_6_weights_are_additive(pair: Pair, n: int) -> None:
    """Over cuts, over joins, and over spans."""
    state, _ = pair
    live = state.weights > -torch.inf
    total = state[..., :n].weights + state[..., n:].weights
    assert torch.allclose(total[live], state.weights[live], atol=1e-9)
    over_spans = [[sum(span.weight for span in spans) for spans in row] for row in state.spans]
    assert torch.allclose(
        torch.tensor(over_spans, dtype=torch.float64).view(live.shape)[live], state.weights[live], atol=1e-9
    )
    doubled = state + state
    assert torch.allclose(doubled.weights[live], 2 * state.weights[live], atol=1e-9)


@MANY
@given(states(joins=False), STEP, st.integers(0, 99))
def test_law_6_rescore_reproduces_what_was_drawn(pair: Pair, kind: str, seed: int) -> None:
    """Log-probabilities belong to their context: while it stands, a fresh scoring gives them again."""
    state, plain = pair
    assume(nonempty(plain))
    state = steps()[kind](state, seed=seed, max_tokens=2)
    again = state.drop_kv().rescore()
    assert again == state
    live = state.weights > -torch.inf
    assert torch.allclose(again.logprobs, state.logprobs, atol=1e-4)
    assert torch.allclose(again.weights[live], state.weights[live], atol=1e-4)
    assert torch.equal(again.proposal_logprobs, state.proposal_logprobs)
    assert again.finished == state.finished and dict(again.captures) == dict(state.captures)


@MANY
@given(states(), st.data())
def test_law_6_rescore_takes_joined_rows_anew(pair: Pair, data: st.DataObject) -> None:
    """Whatever a row was joined of, `rescore()` agrees with a plain full forward, tokens and stops."""
    state, plain = pair
    assume(any(plain.live))
    again = state.rescore()
    places = [(b, s) for b, group in enumerate(plain.rows) for s, row in enumerate(group) if row]
    b, s = data.draw(st.sampled_from(places))
    row = plain.rows[b][s]
    assert row
    laws = torch.log_softmax(full_forward([token.id for token in row]).double(), -1)
    for at, token in enumerate(row):
        expected = laws[at - 1, token.id].item() if at and token.logprob is not None else 0.0
        assert isclose(again.logprobs[b, s, at].item(), expected, abs_tol=1e-3)
    for span, old in zip(again.spans[b][s], state.spans[b][s], strict=True):
        if span.kind != "generated" or old.stop_logprob is None or not span.end:
            continue
        value = b"".join(lawful_model().vocabulary.tokens[token.id] for token in row[span.start : span.end])
        if span.name in given_states.GOES_ON:
            goes_on = given_states.GOES_ON[span.name]
            gone = torch.tensor([t is None or not goes_on(value + t) for t in given_states.spellings()])
            assert isclose(span.stop_logprob, laws[span.end - 1][gone].logsumexp(-1).item(), abs_tol=1e-3)


@MANY
@given(
    st.integers(0, 10**6),
    st.sampled_from(["colour", "digits", "text"]),
    st.integers(1, 6),
    st.sampled_from(["The ", "x"]),
)
def test_law_7_rollback_is_slicing(seed: int, kind: str, cut: int, prompt: str) -> None:
    """Cut and resumed with its seed, a span is as if nothing later had been drawn, also from a loaded state."""
    step = steps()[kind]
    whole = step(prompt, seed=seed, max_tokens=6)
    start = whole.spans[0][0][-1].start
    kept = start + 1 + cut % max(whole.shape[2] - start - 1, 1)
    budget = 6 - (kept - start)
    again = step.resume(whole[..., :kept], max_tokens=budget, seed=seed)
    assert again == whole and again.finished == whole.finished and dict(again.captures) == dict(whole.captures)
    assert torch.allclose(again.weights, whole.weights, atol=1e-3)
    path = Path(given_states.scratch()) / "law7.safetensors"
    whole[..., :kept].save(path)
    assert step.resume(oc.load_state(path, lawful_model()), max_tokens=budget, seed=seed) == whole
    if whole.finished == [["stop"]]:
        assert step.resume(whole, seed=seed).identical(whole)


@MANY
@given(st.integers(0, 10**6), st.sampled_from(["colour", "digits", "text"]), st.integers(0, 3))
def test_law_7_a_budget_can_be_spent_in_parts(seed: int, kind: str, first: int) -> None:
    """Stopped by max_tokens, even before its first token, and resumed: the same span."""
    step = steps()[kind]
    whole = step("The ", seed=seed, max_tokens=4)
    parts = step.resume(step("The ", seed=seed, max_tokens=first), seed=seed, max_tokens=4 - first)
    assert parts == whole and [len(row) for row in parts.spans[0]] == [len(row) for row in whole.spans[0]]
    assert parts.finished == whole.finished and dict(parts.captures) == dict(whole.captures)


@MANY
@given(states(), STEP, st.integers(0, 99), st.data())
def test_law_9_neighbours_do_not_matter(pair: Pair, kind: str, seed: int, data: st.DataObject) -> None:
    """step(t[rows], seed) == step(t, seed)[rows]: a row draws by its own tokens, its seed and its lineage."""
    state, plain = pair
    assume(nonempty(plain))
    (_, batch), (_, sample) = (data.draw(given_states.axis_keys(size)) for size in state.shape[:2])
    batch, sample = sorted(set(batch)), sorted(set(sample))
    step = steps()[kind]
    alone = step(state[batch, sample, :], seed=seed, max_tokens=2)
    among = step(state, seed=seed, max_tokens=2)[batch, sample, :]
    assert alone == among and alone.finished == among.finished
    live = among.weights > -torch.inf
    assert torch.allclose(alone.weights[live], among.weights[live], atol=1e-3)
    assert [[r.lineage for r in g] for g in alone.rows] == [[r.lineage for r in g] for g in among.rows]


@MANY
@given(states(), states(), st.data())
def test_law_9_every_row_draws_its_own(one: Pair, two: Pair, data: st.DataObject) -> None:
    """Within a state no two rows share a lineage; `cat` re-keys only rows that collide, selection only copies."""
    (a, p), (b, q) = one, two
    assume(p.rows and p.samples and q.rows and q.samples)
    b = reshaped(b, q, len(b.rows), a.shape[1])[0]
    old = [row.lineage for x in (a, b) for group in x.rows for row in group if not row.dead]
    new = [row.lineage for group in oc.cat([a, b], 0).rows for row in group if not row.dead]
    assert len(set(new)) == len(new)
    assert all(y == x for x, y in zip(old, new, strict=True) if old.count(x) == 1)

    batch = data.draw(st.lists(st.integers(0, len(p.rows) - 1), min_size=1, max_size=4))
    picked = a[batch, :, :]
    for group, source in zip(picked.rows, batch, strict=True):
        for row, before_ in zip(group, a.rows[source], strict=True):
            assert row.lineage[: len(before_.lineage)] == before_.lineage
            assert batch.count(source) > 1 or row.lineage == before_.lineage
    lineages = [row.lineage for group in picked.rows for row in group if not row.dead]
    assert len(set(lineages)) == len(lineages)
