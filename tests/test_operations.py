"""Every operation on states, in random programs, against the same operation on plain nested lists (law 1).

After each operation the machine checks its result, and that no state that was made before has changed.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule
from strategies import (
    COLOURS,
    DIGITS,
    STEP_NAMES,
    TEXTS,
    Pair,
    Plain,
    base_states,
    beams,
    before,
    beside,
    between,
    check,
    frozen,
    given_span,
    in_step,
    indexed,
    keys,
    lawful_model,
    nonempty,
    observed,
    plus,
    prompted,
    reopened,
    reshaped,
    scratch,
    spelled,
    steps,
    string_of,
    weight,
)

import outlines_cont as oc


class EveryOperation(RuleBasedStateMachine):
    """States do what lists of tokens do, and no operation changes a state that was there before."""

    made: Bundle[Pair] = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.made_so_far: list[tuple[oc.SequenceState, object]] = []

    def keep(self, state: oc.SequenceState, plain: Plain):
        """Check a result and put it into the bundle, unless it grows too large."""
        check(state, plain)
        self.made_so_far.append((state, frozen(state)))
        if len(plain.rows) * plain.samples > 6 or max(map(len, [*plain.live, []])) > 40:
            return multiple()
        return state, plain

    @invariant()
    def nothing_changes(self) -> None:
        for state, facts in self.made_so_far:
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
        return self.keep(
            lawful_model().state(rows), Plain([[given_span(row, "prompt", from_ids=True)] for row in rows], 1)
        )

    @rule(
        target=made,
        pair=made,
        kind=STEP_NAMES,
        seed=st.integers(0, 99),
        max_tokens=st.integers(0, 3),
        top=st.integers(0, 2),
        hooked=st.booleans(),
    )
    def generate(self, pair: Pair, kind: str, seed: int, max_tokens: int, top: int, hooked: bool):
        state, plain = pair
        if not all(plain.live):
            with pytest.raises(ValueError, match="empty"):
                steps()[kind](state, seed=seed)
            return multiple()
        hooks = [beside(seed)] if hooked else []
        after = steps()[kind](state, seed=seed, max_tokens=max_tokens, hooks=hooks, keep=oc.Keep(candidates=top))
        result = observed(after, plain)
        for span in (spans[-1] for row in after.spans for spans in row if spans):
            assert span.finished in ("stop", "length")
        for values in (v for row in after.captures.get("digits", []) for v in row):
            assert all(re.fullmatch(DIGITS, value) for value in values)
        for values in (v for row in after.captures.get("colour", []) for v in row):
            assert all(value in COLOURS for value in values)
        return self.keep(after, result)

    @rule(target=made, pair=made, kind=STEP_NAMES, seed=st.integers(0, 99), max_tokens=st.integers(0, 3))
    def accept(self, pair: Pair, kind: str, seed: int, max_tokens: int):
        """The draws of a generation, accepted one by one, make the same state."""
        state, plain = pair
        if not all(plain.live):
            return multiple()
        drawn: list[tuple[int | None, float]] = []
        begin = partial(steps()[kind].begin, state, max_tokens, seed=seed)
        frontier, watched = begin(), begin(hooks=[lambda draw: drawn.append((draw.token, draw.logprob))])
        while not watched.done:
            drawn.clear()
            if seed % 2:
                frontier.prepare()
                watched.prepare()
            drawing = [h.status.drawing for group in watched.groups for h in group if not h.status.ended]
            watched = watched.step(lawful_model().logits(watched.pending))
            draws = iter(drawn)
            pairs = [next(draws) if draws_now else (None, None) for draws_now in drawing]
            frontier = frontier.accept([token for token, _ in pairs], [logprob for _, logprob in pairs])
        accepted, after = frontier.state, watched.state
        assert accepted == after and accepted.finished == after.finished and accepted.captures == after.captures
        where_known = accepted.logprobs.nan_to_num() + after.logprobs * accepted.logprobs.isnan()
        assert where_known.equal(after.logprobs)
        return self.keep(after, observed(after, plain))

    @rule(target=made, pair=made, seed=st.integers(0, 99), pace=st.sampled_from(["branch", "token", 2]))
    def go_in_step(self, pair: Pair, seed: int, pace: str | int):
        """A controller of all samples drops, forks, keeps and ends them."""
        state, plain = pair
        if plain.samples != 1 or not nonempty(plain):
            return multiple()
        two = oc.samplers.multinomial(samples=2)
        generator = oc.generate.control(lawful_model(), sampler=two, together=in_step(seed), pace=pace)
        after = oc.continuous(generator, name="together")(state, seed=seed, max_tokens=6)
        return self.keep(after, observed(after, plain))

    @rule(pair=made, kind=STEP_NAMES, seed=st.integers(0, 99))
    def stream_on(self, pair: Pair, kind: str, seed: int):
        """Resumed at once or streamed on: the same state, and the deltas are what comes after the cut."""
        state, _ = pair
        step = steps()[kind]
        try:
            whole = step.resume(state, 3, seed=seed)
        except (ValueError, oc.errors.ConstraintError) as error:
            with pytest.raises(type(error)):  # at the end, when all other rows are written
                list(step.stream(state, 3, seed=seed, resume=True))
            return
        partials = list(step.stream(state, 3, seed=seed, resume=True))
        assert partials[-1].identical(whole)
        if len(state) == 1 and not whole.spans[0][0][-1].unfed:
            assert str(whole).endswith("".join(str(partial.delta) for partial in partials))

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

    @rule(target=made, pair=made, start=st.none() | st.integers(-15, 30), stop=st.none() | st.integers(-15, 30))
    def cut_characters(self, pair: Pair, start: int | None, stop: int | None):
        state, plain = pair
        part = state.chars[..., start:stop]
        assert list(part) == [text[start:stop] for text in state]
        return self.keep(part, plain.map(lambda row: between(row, start, stop)))

    @rule(target=made, pair=made, text=st.sampled_from([" ", "re", "ürich", "12", "\ufffd"]), include=st.booleans())
    def cut_at_text(self, pair: Pair, text: str, include: bool):
        state, plain = pair
        ends = {string: string.find(text) + len(text) * include for string in state if text in string}
        if not ends and len(state):
            with pytest.raises(ValueError, match="this text"):
                state.up_to(text, include=include)
            return multiple()
        cut = state.up_to(text, include=include)
        assert list(cut) == [string[: ends.get(string)] for string in state] and (bool(ends) or cut is state)
        return self.keep(cut, plain.map(lambda row: between(row, None, ends.get(string_of(row)))))

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
            with pytest.raises(oc.errors.BatchMismatch):
                a + b
        elif p.samples != q.samples:
            with pytest.raises(oc.errors.SampleMismatch):
                a + b
        else:
            return self.keep(oc.cat([a, b], 2), plus(p, q))
        return multiple()

    @rule(target=made, pair=made, n=st.integers(1, 3))
    def fork(self, pair: Pair, n: int):
        state, plain = pair
        if plain.samples != 1:
            with pytest.raises(oc.errors.SampleMismatch):
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
        ranked = [sorted((r for r in g if r is not None), key=lambda r: -weight(r))[:k] for g in plain.rows]
        samples = max(map(len, ranked), default=0)
        return self.keep(state.best(k), Plain([[*row, *[None] * (samples - len(row))] for row in ranked], samples))

    @rule(target=made, pair=made, data=st.data(), kind=st.sampled_from(["lists", "tensor", "array", "int"]))
    def crop(self, pair: Pair, data: st.DataObject, kind: str):
        """The first tokens of each row, as lists are cut; and the cuts of all rows in one are those of each alone."""
        state, plain = pair
        count = 1 if kind == "int" else len(plain.rows) * plain.samples
        flat = data.draw(st.lists(st.integers(-8, 20), min_size=count, max_size=count))
        if kind == "int":
            return self.keep(state.crop(flat[0]), plain.map(lambda row: row[: flat[0]]))
        table = [flat[b * plain.samples : (b + 1) * plain.samples] for b in range(len(plain.rows))]
        as_kind = {"lists": lambda: table, "tensor": lambda: torch.tensor(table), "array": lambda: np.array(table)}
        cropped = state.crop(as_kind[kind]() if flat else table)
        for b, lengths in enumerate(table):
            for s, length in enumerate(lengths):
                assert cropped[b, s, :].identical(state[b, s, :length])
        again = [[data.draw(st.integers(0, 9)) for _ in lengths] for lengths in table]
        twice = cropped.crop(again)
        for b, lengths in enumerate(again):
            for s, length in enumerate(lengths):
                assert twice[b, s, :].identical(cropped[b, s, :length])
        rows = [
            [row if row is None else row[:length] for row, length in zip(*pair, strict=True)]
            for pair in zip(plain.rows, table, strict=True)
        ]
        return self.keep(cropped, Plain(rows, plain.samples))

    @rule(
        target=made, pair=made, data=st.data(), kind=st.sampled_from(["pairs", "tensor", "lists", "array", "function"])
    )
    def pick(self, pair: Pair, data: st.DataObject, kind: str):
        """Rows by pairs, by a mask, by a function; dead rows fill up."""
        state, plain = pair
        b, s = len(plain.rows), plain.samples
        places = [(i, j) for i in range(b) for j in range(s)]
        mask = [[data.draw(st.booleans()) for _ in range(s)] for _ in range(b)]
        chosen = [place for place in places if mask[place[0]][place[1]]]
        if kind == "pairs":
            chosen = data.draw(st.lists(st.sampled_from(places), max_size=5)) if places else []
            picked = state.pick([(i - b, j) for i, j in chosen])
        elif kind == "function":
            chosen = [(i, j) for i, j in places if (row := plain.rows[i][j]) is not None and len(row) % 2]
            picked = state.pick(lambda one: one.lengths % 2 == 1)
        else:
            picked = state.pick(
                {"tensor": torch.tensor, "lists": list, "array": np.array}[kind](mask) if places else mask
            )
        groups = [[plain.rows[i][j] for i, j in chosen if i == group] for group in range(b)]
        samples = max(map(len, groups), default=0)
        if not b:
            samples = s
        return self.keep(picked, Plain([[*group, *[None] * (samples - len(group))] for group in groups], samples))

    @rule(target=made, pair=made)
    def map(self, pair: Pair):
        """Each row in its own way; and the functions one after another, or in one."""
        state, plain = pair

        def even(one: oc.SequenceState) -> oc.SequenceState:
            return one[..., :-1] if one.shape[2] % 2 else one + "a"

        mapped = state.map(even)
        assert state.map(lambda one: one) is state and mapped.map(even).identical(
            state.map(lambda one: even(even(one)))
        )
        for b in range(len(plain.rows)):
            for s in range(plain.samples):
                if plain.rows[b][s] is not None:
                    assert mapped[b, s, :].identical(even(state[b, s, :]))
        return self.keep(mapped, plain.map(lambda row: row[:-1] if len(row) % 2 else row + given_span(spelled("a"))))

    @rule(target=made, left=made, right=made, dim=st.sampled_from([0, 1, -2, -3]))
    def cat(self, left: Pair, right: Pair, dim: int):
        (a, p), (b, q) = left, right
        if dim in (0, -3) and p.samples == q.samples:
            return self.keep(oc.cat([a, b], dim), Plain(p.rows + q.rows, p.samples))
        if dim in (1, -2) and len(p.rows) == len(q.rows):
            rows = [x + y for x, y in zip(p.rows, q.rows, strict=True)]
            return self.keep(oc.cat([a, b], dim), Plain(rows, p.samples + q.samples))
        with pytest.raises((oc.errors.BatchMismatch, oc.errors.SampleMismatch)):
            oc.cat([a, b], dim)
        return multiple()

    @rule(target=made, pair=made)
    def reopen(self, pair: Pair):
        state, plain = pair
        return self.keep(state.reopen(), plain.map(reopened))

    @rule(target=made, pair=made)
    def drop_kv(self, pair: Pair):
        state, plain = pair
        dropped = state.kv.drop()
        assert dropped == state and hash(dropped) == hash(state) and dropped.identical(state)
        return self.keep(dropped, plain)

    @rule(target=made, pair=made)
    def prefill(self, pair: Pair):
        state, plain = pair
        assert state.kv.prefill() is state and state.kv.lengths.equal(state.lengths)
        stats = state.model.stats
        work = stats.tokens, stats.passes, stats.reread
        state.kv.prefill()
        assert (stats.tokens, stats.passes, stats.reread) == work, "the second time there is nothing to do"
        return self.keep(state, plain)

    @rule(target=made, pair=made)
    def save_and_load(self, pair: Pair):
        state, plain = pair
        path = Path(scratch()) / "state.safetensors"
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
