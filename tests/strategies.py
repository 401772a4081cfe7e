"""States to draw from, and the plain model that they are compared with: nested lists of token records."""

from __future__ import annotations

import atexit
import copy
import re
import tempfile
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from heapq import nsmallest
from itertools import accumulate, islice, pairwise, takewhile
from math import fsum, inf
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import pytest
import real_engine
import torch
from hypothesis import strategies as st

import outlines_cont as oc

T = TypeVar("T")

#: How far log-probabilities of one row may differ: they round otherwise beside other rows, on another processor, or on
#: more threads. A draw as near as this to a border may fall on either side.
CLOSE = 1e-4
COLOURS = ["red", "blue", "bluest", "re"]
DIGITS = "[0-9]{1,3}"
TEXTS = ["", " ", "a", " and then", "Zürich 🦙", "<|end|>", "12", "is ", "b\n", "  ", "re"]
STEP_NAMES = st.sampled_from(["text", "unnamed", "colour", "digits", "maybe"])  # of `steps`


@cache
def shipped_model() -> oc.Model:
    """The model in the package, one for the whole suite.

    On one thread, which is fastest for so small a model.
    """
    torch.set_num_threads(1)
    return oc.load()


@cache
def short_hf() -> Any:
    """Two of its four layers: as good for laws, in half the time."""
    hf = copy.deepcopy(shipped_model().hf)
    hf.config.num_hidden_layers = 2
    del hf.model.layers[2:]
    return hf


def plainly_made() -> oc.Model:
    if real_engine.chosen:
        return real_engine.another_model()
    return oc.Model(short_hf(), shipped_model().tokenizer)


class Variant(NamedTuple):
    """A kind of model that laws run on.

    make: one with a KV tree of its own; set_active: sets its transformers model to the adapters that it has.
    """

    make: Callable[[], oc.Model] = plainly_made
    set_active: Callable[[], object] = lambda: None


#: The last one holds: test_laws_elsewhere.py adds others for its own tests.
VARIANTS = [Variant()]


class OfEach(Generic[T]):
    """A function without arguments that is called once for each variant."""

    def __init__(self, make: Callable[[], T]):
        self.make, self.made = make, dict[Variant, T]()

    def __call__(self) -> T:
        if VARIANTS[-1] not in self.made:
            self.made[VARIANTS[-1]] = self.make()
        return self.made[VARIANTS[-1]]


@OfEach
def lawful_model() -> oc.Model:
    """These two, with a KV tree that nobody outside of the law tests fills; the real model under `--real`."""
    return another_lawful_model()


def another_lawful_model() -> oc.Model:
    """The model of the law tests, with a KV tree of its own."""
    return VARIANTS[-1].make()


# --- the plain model


@dataclass(frozen=True, eq=False)
class Made:
    """A span as it was made, compared by identity: two spans with equal tokens are two spans."""

    kind: str
    length: int
    name: str | None = None
    finished: str | None = None
    stop: float | None = None
    bos: bool = False
    text: bool = False  # so that it is a value also where it was cut by length
    from_ids: bool = False  # not given as a text
    healed: bytes = b""  # that it begins with, and that are not its value


class Token(NamedTuple):
    """One token: its scores, the span it belongs to, its place there, and the generated spans that begin after it:
    those without tokens, and at last the one whose tokens follow, or did.

    unfed: its constraint was not told of it; candidates: those that were kept of its draw; forced: no draw was made for
    it; entropy: that was kept of its draw.
    """

    id: int
    logprob: float | None
    proposal: float | None
    made: Made
    offset: int
    after: tuple[Made, ...] = ()
    unfed: bool = False
    candidates: list[oc.scores.Candidate] | None = None
    forced: bool = False
    entropy: float | None = None


Row = list[Token] | None  # None: a dead row


class Plain(NamedTuple):
    """What a state should be."""

    rows: list[list[Row]]
    samples: int

    @property
    def live(self) -> list[list[Token]]:
        return [row for group in self.rows for row in group if row is not None]

    def map(self, change: Callable[[list[Token]], list[Token]]) -> Plain:
        return Plain([[None if row is None else change(row) for row in group] for group in self.rows], self.samples)


Pair = tuple[oc.SequenceState, Plain]


def frozen(state: oc.SequenceState) -> object:
    """Everything about a state that must never change."""
    return state.shape, tuple(row.facts() for group in state.rows for row in group)


def nonempty(plain: Plain) -> bool:
    return bool(plain.live) and all(plain.live)


class Group(NamedTuple):
    """The tokens `start` … `end` - 1 of a row are lo … hi - 1 of a span."""

    made: Made
    start: int
    end: int
    lo: int

    @property
    def hi(self) -> int:
        return self.lo + self.end - self.start

    @property
    def kind(self) -> str:
        return "text" if self.lo and self.made.kind == "generated" else self.made.kind

    @property
    def finished(self) -> str | None:
        return self.made.finished if self.kind == "generated" and self.hi == self.made.length else None

    @property
    def stop(self) -> float | None:
        return self.made.stop if self.hi == self.made.length else None

    def unfed(self, row: list[Token]) -> tuple[int, ...]:
        return tuple(at for at in range(self.start, self.end) if row[at].unfed)


def groups(row: list[Token]) -> list[Group]:
    """The spans of a row: runs of tokens that stand beside each other as they did when they were made."""
    found: list[Group] = []
    for at, token in enumerate(row):
        last = found[-1] if found else None
        if last and last.made is token.made and last.end == at and last.hi == token.offset:
            found[-1] = last._replace(end=at + 1)
        else:
            found.append(Group(token.made, at, at + 1, token.offset))
        found += [Group(made, at + 1, at + 1, 0) for made in token.after]
    return found


def followed(token: Token, made: Made) -> Token:
    """The token after which a generated span begins: in the place of one whose tokens were cut off."""
    after = token.after[:-1] if token.after and token.after[-1].length else token.after
    return token._replace(after=(*after, made))


def weight(row: Row) -> float:
    if row is None:
        return -inf
    return fsum(
        [*(t.logprob for t in row if t.logprob is not None), *(g.stop for g in groups(row) if g.stop is not None)]
    )


def given_span(ids: list[int], kind: str = "text", bos: bool = False, from_ids: bool = False) -> list[Token]:
    made = Made(kind, len(ids), bos=bos, from_ids=from_ids)
    return [Token(token, None, None, made, at) for at, token in enumerate(ids)]


def joined(left: Row, right: Row) -> Row:
    """Lists are added; the bos that the tokenizer put before the right one is dropped."""
    if left is None or right is None:
        return None
    if left and right and right[0].made.bos and right[0].offset == 0:
        for made in right[0].after:
            left = [*left[:-1], followed(left[-1], made)]
        right = right[1:]
    if left and right and right[0].made.kind == "generated" and right[0].offset == 0:
        left = [*left[:-1], followed(left[-1], right[0].made)]
    return left + right


def reopened(row: list[Token]) -> list[Token]:
    spans = groups(row)
    if not spans or spans[-1].stop is None:
        return row
    last = spans[-1]
    made = replace(last.made, stop=None, finished=None)
    if last.start == last.end:
        return [*row[:-1], row[-1]._replace(after=(*row[-1].after[:-1], made))]
    before = [token._replace(after=tuple(made if m is last.made else m for m in token.after)) for token in row]
    return before[: last.start] + [token._replace(made=made) for token in row[last.start :]]


def spelled(text: str) -> list[int]:
    return lawful_model().tokenizer(text, add_special_tokens=False, split_special_tokens=True).input_ids


def prompted(texts: list[str]) -> Plain:
    bos = lawful_model().tokenizer.bos_token_id
    return Plain([[given_span([bos, *spelled(text)], "prompt", bos=True)] for text in texts], 1)


def taken(row: Row, key: int | slice) -> Row:
    if row is None:
        return None
    return row[key] if isinstance(key, slice) else [row[key]]


def indexed(plain: Plain, batch: list[int], sample: list[int], token: int | slice) -> Plain:
    return Plain([[taken(plain.rows[b][s], token) for s in sample] for b in batch], len(sample))


def ready(row: list[Token]) -> list[Token]:
    """The row before a new span: of one that ends it without its value having begun, what it had taken back is text."""
    last = groups(row)[-1]
    if last.kind != "generated" or last.finished not in (None, "interrupted"):
        return row
    said = b"".join(spellings()[token.id] or b"" for token in row[last.start : last.end])
    emptied = last.start == last.end and last.made.length
    if not emptied and (not last.made.healed or len(said) > len(last.made.healed)):
        return row
    row = row[: last.start]
    row = [*row[:-1], row[-1]._replace(after=row[-1].after[:-1])]
    return row + given_span(lawful_model().encoder.encode_bytes(last.made.healed))


def taken_back(row: list[Token], goes_on: Callable[[bytes], bool], empty: bool) -> int:
    """By its definition how many tokens at the end of a text are taken back, if the caller does not say which.

    goes_on: whether bytes begin a value; empty: whether one may have none.
    """
    texts = spellings()
    first = {byte for byte in range(256) if goes_on(bytes([byte]))}
    best = length = 0
    for group in reversed(groups(row)):
        if group.start == group.end and group.made.length:  # one that was cut off
            continue
        if group.made.kind == "generated" or group.made.from_ids or group.hi < group.made.length:
            break
        length += group.end - group.start
    for count in range(1, min(length, len(row) - 1, 4) + 1):
        ids = [token.id for token in row]
        if (token := texts[ids[-count]]) is None:
            break
        data = b"".join(texts[i] or b"" for i in ids[-count:])
        if _leads_to_words(data, len(token), first) or _merges(ids[:-count][-4:], data, first, empty):
            best = count
    return best


def _leads_to_words(data: bytes, size: int, first: set[int]) -> bool:
    """Whether these bytes are white space, and a token goes on after them, or after all but some of the `size` first
    ones, with another byte, which is one of those."""
    if not data.decode("utf-8", "replace").isspace():
        return False
    ends = [data[at:] for at in range(size)]
    words = (text[len(end) :] for end in ends for text in beginning_with(end))
    return any(word[0] in first and not word[:1].isspace() for word in words if word)


def _merges(before: list[int], data: bytes, first: set[int], empty: bool) -> bool:
    """Whether after these tokens the tokenizer writes one across the end of the data, whatever byte comes next."""
    texts, encode = spellings(), lawful_model().encoder.encode_bytes
    lead = b"".join(texts[token] or b"" for token in before)

    def crossed(text: bytes) -> bool:
        ids = encode(lead + text)
        return len(lead + data) not in accumulate(len(texts[token] or b"") for token in ids)

    def shortest(byte: int) -> list[bytes]:
        return nsmallest(4, beginning_with(data + bytes([byte])), key=lambda text: (len(text), text))

    return bool(first) and not empty and all(any(map(crossed, shortest(byte))) for byte in first)


def observed(state: oc.SequenceState, before: Plain) -> Plain:
    """What a step made of `before`: all that is taken from the state itself is each row's new span."""
    logprobs, proposals, ids = state.logprobs.tolist(), state.proposal_logprobs.tolist(), state.token_ids.tolist()
    with warnings.catch_warnings():  # of states that kept none
        warnings.simplefilter("ignore")
        candidates, entropies = state.kept.candidates, state.kept.entropies
    forced, generated = state.kept.forced_mask.tolist(), state.kept.generated_mask.tolist()

    def row(b: int, s: int) -> Row:
        old = before.rows[b][s if before.samples > 1 else 0]
        if old is None or state.finished[b][s] == "dead":
            assert state.lengths[b, s] == 0 and state.finished[b][s] == "dead"
            return None
        span = state.spans[b][s][-1]
        old, text, healed = ready(old), span.generator == "text", b""
        if span.end > span.start and span.generator != "control":
            empty = text or span.name == "maybe"
            count = taken_back(old, GOES_ON.get(span.name, bool), empty)
            healed = b"".join(spellings()[token.id] or b"" for token in old[len(old) - count :])
            old = old[: len(old) - count]
        assert (span.kind, span.start, span.end) == ("generated", len(old), state.lengths[b, s])
        length = span.end - span.start
        made = Made("generated", length, span.name, span.finished, span.stop_logprob, text=text, healed=healed)
        old = [*old[:-1], followed(old[-1], made)]
        scores = [
            [v if g else None for v, g in zip(each[b][s], generated[b][s], strict=True)]
            for each in (logprobs, proposals)
        ]
        new = list(zip(ids[b][s], *scores, strict=True))[span.start : span.end]
        noted = zip(candidates[b][s], forced[b][s][: span.end], entropies[b][s], strict=True)
        noted = islice(noted, span.start, None)
        return old + [
            Token(*facts, made, i, (), span.start + i in span.unfed, *notes)
            for i, (facts, notes) in enumerate(zip(new, noted, strict=True))
        ]

    return Plain([[row(b, s) for s in range(state.shape[1])] for b in range(state.shape[0])], state.shape[1])


def check(state: oc.SequenceState, plain: Plain) -> None:
    """Everything that a state shows is what the plain lists say; and its rows draw random numbers of their own."""
    model = state.model
    rows = plain.rows
    width = max(map(len, plain.live), default=0)
    assert state.shape == (len(rows), plain.samples, width)
    assert len(state) == len(plain.live)

    def padded(values: Callable[[list[Token]], list[float]], pad: float) -> list[list[list[float]]]:
        return [[[*values(row or []), *[pad] * (width - len(row or []))] for row in group] for group in rows]

    assert state.lengths.tolist() == [[len(row or []) for row in group] for group in rows]
    assert state.token_ids.tolist() == padded(lambda row: [t.id for t in row], model.tokenizer.pad_token_id)
    assert state.attention_mask.tolist() == padded(lambda row: [1] * len(row), 0)
    assert state.logprobs.tolist() == padded(lambda row: [t.logprob or 0.0 for t in row], 0.0)
    shown_proposals = state.proposal_logprobs.nan_to_num(1.0).tolist()
    assert shown_proposals == padded(lambda row: [1.0 if p != p else p for p in (t.proposal or 0.0 for t in row)], 0.0)
    assert state.kept.candidates == [[[t.candidates for t in row or []] for row in group] for group in rows]
    assert state.kept.entropies == [[[t.entropy for t in row or []] for row in group] for group in rows]
    assert state.kept.forced_mask.tolist() == padded(lambda row: [t.forced for t in row], False)
    assert state.kept.generated_mask.tolist() == padded(lambda row: [t.logprob is not None for t in row], False)
    assert state.weights.tolist() == [[weight(row) for row in group] for group in rows]
    strings = [
        [model.tokenizer.decode([t.id for t in row], skip_special_tokens=True) for row in g if row is not None]
        for g in rows
    ]
    assert state.tolist() == strings
    assert list(state) == [text for group in strings for text in group]
    assert all(text in state for group in strings for text in group)
    spans = [[groups(row or []) for row in group] for group in rows]
    shown = [
        [[(s.kind, s.start, s.end, s.name, s.finished, s.stop_logprob, s.unfed) for s in r] for r in g]
        for g in state.spans
    ]
    assert shown == [
        [[(g.kind, g.start, g.end, g.made.name, g.finished, g.stop, g.unfed(row or [])) for g in s] for row, s in pairs]
        for pairs in (zip(group, each, strict=True) for group, each in zip(rows, spans, strict=True))
    ]
    ends = [
        ["dead" if row is None else (s[-1].finished if s else None) for row, s in zip(*z, strict=True)]
        for z in zip(rows, spans, strict=True)
    ]
    assert state.finished == ends
    check_completions(state, plain, ends)
    for name, values in state.captures.items():
        assert values == [
            [_values(row or [], s, name) for row, s in zip(*z, strict=True)] for z in zip(rows, spans, strict=True)
        ]
    named = {g.made.name for group in spans for row in group for g in row if g.kind == "generated"} - {None}
    assert set(state.captures) == named
    lineages = [row.lineage for group in state.rows for row in group if not row.dead]
    assert len(set(lineages)) == len(lineages)
    assert (state.kv.lengths <= state.lengths).all()


def check_completions(state: oc.SequenceState, plain: Plain, ends: list[list[Any]]) -> None:
    """What trainers read off a state is what the lists say from each row's first generated token on, and then eos."""
    live = [(b, s, row) for b, group in enumerate(plain.rows) for s, row in enumerate(group) if row is not None]
    begins, empty = {}, not live
    for b, s, row in live:
        spans = [g.start for g in groups(row) if g.kind == "generated" and (g.hi or not g.made.length)]
        begins[b, s] = min([*spans, *(at for at, t in enumerate(row) if t.logprob is not None)], default=len(row))
        empty |= begins[b, s] == len(row) and ends[b][s] != "stop"
    if empty:
        with pytest.raises(ValueError, match=r"completions\(\): (nothing was generated|every row is dead)"):
            state.completions()
        return
    for (b, s), begin in begins.items():
        row, written = plain.rows[b][s] or [], state.completions()[b][s]
        stop, tokens = groups(row)[-1].stop, row[begin:]
        assert written is not None and written.finished == ends[b][s]
        assert written.prompt_ids == [t.id for t in row[:begin]]
        assert written.ids == [t.id for t in tokens] + [state.model.tokenizer.eos_token_id] * (ends[b][s] == "stop")
        for values, name in ((written.logprobs, "logprob"), (written.proposal_logprobs, "proposal")):
            of_tokens = torch.tensor([getattr(t, name) or 0.0 for t in tokens]).double()
            torch.testing.assert_close(torch.tensor(values).double()[: len(tokens)], of_tokens, equal_nan=True)
        assert ends[b][s] != "stop" or written.logprobs[-1] == stop
        marks = zip(written.mask, written.forced, written.entropies, strict=True)
        assert [*islice(marks, len(tokens))] == [(t.logprob is not None, t.forced, t.entropy) for t in tokens]
    written = {(b, s): each for b, group in enumerate(state.completions()) for s, each in enumerate(group)}
    assert {place for place, each in written.items() if each is not None} == begins.keys()


def _values(row: list[Token], spans: list[Group], name: str) -> list[str]:
    whole = [g for g in spans if g.made.name == name and (g.finished == "stop" or (g.made.text and g.finished))]
    tokens = lawful_model().vocabulary.tokens
    texts = (b"".join(tokens[t.id] for t in row[g.start : g.end] if not t.unfed) for g in whole)
    return [text[len(g.made.healed) :].decode("utf-8", "replace") for g, text in zip(whole, texts, strict=True)]


def string_of(row: list[Token]) -> str:
    return b"".join(spellings()[token.id] or b"" for token in row).decode("utf-8", "replace")


def between(row: list[Token], start: int | None, stop: int | None) -> list[Token]:
    """The tokens between two characters, and as text the bytes of those that cross an end; not clipped to the row."""
    pieces, text = [spellings()[token.id] or b"" for token in row], string_of(row)
    data, size = b"".join(pieces), len(text)

    def byte(character: int) -> int:
        character += size * (character < 0)
        if not 0 < character < size:
            return -1 if character <= 0 else len(data) + 1
        ways = ([part.decode("utf-8", "replace") for part in (data[:n], data[n:])] for n in range(len(data)))
        return next(n for n, way in enumerate(ways) if way == [text[:character], text[character:]])

    begin, end = -1 if start is None else byte(start), len(data) + 1 if stop is None else byte(stop)
    ends = list(accumulate(map(len, pieces), initial=0))
    kept: list[Token] = []
    before = after = b""
    for token, (a, b) in zip(row, pairwise(ends), strict=True):
        if begin <= a and (b <= end if a < b else a < end):
            kept.append(token)
        elif a < begin < b:
            before = data[begin : max(begin, min(b, end))]
        elif begin <= a < end:
            after = data[a:end]
    encode = lawful_model().encoder.encode_bytes
    parts = joined(given_span(encode(before)), kept)
    assert parts is not None
    return parts + given_span(encode(after))


# --- steps and the states to begin with


def beside(seed: int) -> Callable[[oc.steer.Draw], oc.steer.Insert | oc.steer.Replace | None]:
    """A hook that by dice puts any token of the vocabulary beside the constraint."""

    def hook(draw: oc.steer.Draw) -> oc.steer.Insert | oc.steer.Replace | None:
        dice = Random(f"{seed},{draw.row.ids}")
        token = dice.randrange(len(lawful_model().vocabulary))
        return dice.choice([None, None, oc.steer.Insert(token), oc.steer.Replace(token, fed=False)])

    return hook


def in_step(seed: int) -> Callable[[tuple[oc.steer.Writing, ...]], dict[oc.steer.Writing, list[oc.steer.Branch]]]:
    """A controller of several rows that drops, keeps, forks and ends them by dice."""
    vocabulary = lawful_model().vocabulary
    masks = [[bool(bit) for bit in some], torch.tensor(some), np.array(some)] if (some := vocabulary_mask()) else []
    digits = oc.generate.regex(lawful_model(), "[0-9]{2}")  # no stop is drawn: the plain rows know of one a span

    def controller(rows: tuple[oc.steer.Writing, ...]) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        answers = {}
        for row in rows:
            dice = Random(f"{seed},{row.lineage},{row.ids}")
            assert row.last_append == row.ids[len(row) - len(row.last_append) :]
            if row.finished or len(row) - row.start > 4:
                answers[row] = []
                continue
            ways = [
                oc.steer.Branch(allowed=digits, temperature=dice.choice([None, 2.0])),
                oc.steer.Branch(allowed=dice.choice(masks)),
                oc.steer.Branch(forced=[vocabulary.tokens[65 + dice.randrange(9)], "yes"], allowed=None),
                oc.steer.Branch(forced=dice.choice([" so", "!"])),
            ]
            if dice.random() < 0.85 or len(rows) == 1:
                answers[row] = dice.sample(ways, dice.choice([1, 1, 2]) if len(rows) < 3 else 1)
        return answers

    return controller


@cache
def vocabulary_mask() -> list[bool]:
    """Which tokens are short words."""
    return [data.isalpha() and len(data) < 4 for data in lawful_model().vocabulary.tokens]


@OfEach
def steps() -> dict[str, Callable[..., oc.SequenceState]]:
    """One step of each kind, all of one sample."""
    model, greedy = lawful_model(), oc.samplers.greedy()
    warm = oc.samplers.multinomial(temperature=0.7, top_k=40)
    return {
        "text": oc.continuous(oc.generate.text(model), name="text"),
        "unnamed": oc.continuous(oc.generate.text(model, greedy)),
        "colour": oc.continuous(oc.generate.choice(model, COLOURS, warm), name="colour"),
        "digits": oc.continuous(oc.generate.regex(model, DIGITS), name="digits"),
        "maybe": oc.continuous(oc.generate.choice(model, ["", "!", "!!"]), name="maybe"),
    }


@OfEach
def beams() -> Callable[..., oc.SequenceState]:
    return oc.continuous(oc.generate.choice(lawful_model(), COLOURS[:2], oc.samplers.beam_search(3)), name="beams")


def base_states() -> list[tuple[oc.SequenceState, Plain]]:
    """Small states of many shapes and histories: copies, since what a test computes of a state stays with it."""
    return [(state.kv.drop(), plain) for state, plain in _made_base_states()]


@OfEach
def _made_base_states() -> list[tuple[oc.SequenceState, Plain]]:
    model, s = lawful_model(), steps()
    found: list[tuple[oc.SequenceState, Plain]] = []

    def grown(texts: list[str], *program: str | Callable[[oc.SequenceState], oc.SequenceState]) -> None:
        state, plain = model.state(texts), prompted(texts)
        for part in program:
            if callable(part):
                state = part(state)
                plain = observed(state, plain)
            else:
                state, plain = state + part, plain.map(lambda row, part=part: row + given_span(spelled(part)))
        found.append((state.kv.drop(), plain))

    wide = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)))
    grown(["The capital"])
    grown([""], lambda t: s["maybe"](t, seed=4))
    grown(["Once", "upon a time", ""], lambda t: s["text"](t, max_tokens=3, seed=1))
    grown(["The"], lambda t: s["colour"](t, seed=2), " is ", lambda t: s["digits"](t, seed=3))
    grown(["A", "Blue is "], lambda t: wide(t, max_tokens=2, seed=5), lambda t: s["colour"](t, seed=6))
    grown(["I see ", "red "], lambda t: beams()(t), " or ", lambda t: s["maybe"](t, seed=8))
    grown(["One. Two"], lambda t: s["unnamed"](t, max_tokens=4, stop_at=["e", " "]), lambda t: s["maybe"](t, seed=9))
    grown(["x"], lambda t: s["digits"](t, max_tokens=0), lambda t: s["text"](t, max_tokens=4, seed=10))
    whole = oc.continuous(oc.generate.choice(model, COLOURS, by="sequence"), name="colour")
    steered = oc.continuous(oc.generate.regex(model, DIGITS, oc.samplers.smc(3, 1.0)), name="digits")
    grown(["It was "], lambda t: whole(t, seed=11), ", ", lambda t: steered(t, seed=12))
    found.append(
        (
            model.state([[7, 300, 301], [45]]),
            Plain([[given_span(ids, "prompt", from_ids=True)] for ids in ([7, 300, 301], [45])], 1),
        )
    )
    found[-1] = (found[-1][0].kv.drop(), found[-1][1])
    return found


@cache
def scratch() -> str:
    """A folder that is gone when the process is."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


#: By the name of a step: whether bytes begin something that it allows.
GOES_ON: dict[str | None, Callable[[bytes], bool]] = {
    "text": bool,
    "colour": lambda data: any(c.encode().startswith(data) for c in COLOURS),
    "digits": lambda data: bool(re.fullmatch(rb"[0-9]{1,3}", data)),
    "maybe": lambda data: b"!!".startswith(data),
    "beams": lambda data: any(c.encode().startswith(data) for c in COLOURS[:2]),
}


@cache
def spellings() -> list[bytes | None]:
    """Of each token of the vocabulary its bytes; None for special ones."""
    vocabulary = lawful_model().vocabulary
    text = set(vocabulary.text_ids.tolist())
    return [token if i in text else None for i, token in enumerate(vocabulary.tokens)]


@cache
def sorted_spellings() -> list[bytes]:
    return sorted({text for text in spellings() if text})


def beginning_with(data: bytes) -> Iterator[bytes]:
    """The tokens that begin with these bytes."""
    texts = sorted_spellings()
    return takewhile(lambda text: text.startswith(data), islice(texts, bisect_left(texts, data), None))


# --- keys


def slices(size: int) -> st.SearchStrategy[slice]:
    """Any slice, also beyond the ends and backwards."""
    bound = st.none() | st.integers(-size - 2, size + 2)
    return st.builds(slice, bound, bound, st.sampled_from([None, None, 1, 1, 2, 3, -1, -2]))


def axis_keys(size: int) -> st.SearchStrategy[tuple[Any, list[int]]]:
    """A key of a batch or sample axis and the positions that numpy finds for it."""
    indices = st.lists(st.integers(-size, size - 1), max_size=3) if size else st.just([])
    masks = st.lists(st.booleans(), min_size=size, max_size=size)
    keys: list[st.SearchStrategy[Any]] = [
        slices(size),
        st.just(slice(None)),
        indices,
        indices.map(lambda key: torch.tensor(key, dtype=torch.long)),
        indices.map(lambda key: np.array(key, dtype=np.int32)),
        masks,
        masks.map(lambda key: torch.tensor(key, dtype=torch.bool)),
        masks.map(lambda key: np.array(key, dtype=bool)),
    ]
    if size:
        ints = st.integers(-size, size - 1)
        keys += [ints, ints.map(np.int64), ints.map(torch.tensor)]

    def positions(key: Any) -> list[int]:
        if isinstance(key, torch.Tensor):
            key = key.numpy()
        if isinstance(key, list):
            key = np.array(key, dtype=bool if key and isinstance(key[0], bool) else np.int64)
        return np.atleast_1d(np.arange(size)[key]).tolist()

    return st.one_of(keys).map(lambda key: (key, positions(key)))


def token_keys(plain: Plain) -> st.SearchStrategy[Any]:
    """A key of the token axis that every row has."""
    shortest = min(map(len, plain.live), default=0)
    longest = max(map(len, plain.live), default=0)
    ints = [st.integers(-shortest, shortest - 1)] if shortest else []
    return st.one_of(slices(longest), slices(longest), *ints)


class Key(NamedTuple):
    """A key as it is written, and what it means."""

    written: Any
    batch: list[int]
    sample: list[int]
    token: int | slice


@st.composite
def keys(draw: st.DrawFn, plain: Plain) -> Key:
    """All three axes, in any of the ways of writing them."""
    b, s = len(plain.rows), plain.samples
    everything = slice(None)
    (batch, bs), (sample, ss), token = draw(axis_keys(b)), draw(axis_keys(s)), draw(token_keys(plain))
    all_b, all_s = list(range(b)), list(range(s))
    forms = [
        Key((batch, sample, token), bs, ss, token),
        Key((..., token), all_b, all_s, token),
        Key((batch, ...), bs, all_s, everything),
        Key((batch, ..., token), bs, all_s, token),
        Key((batch, sample, ...), bs, ss, everything),
        Key((..., sample, token), all_b, ss, token),
        Key((..., batch, sample, token), bs, ss, token),
        Key((batch, sample, token, ...), bs, ss, token),
        Key(..., all_b, all_s, everything),
    ]
    if b == 1:
        forms.append(Key((sample, token), all_b, ss, token))
    elif s == 1:
        forms.append(Key((batch, token), bs, all_s, token))
    if b == s == 1:
        forms.append(Key(token, all_b, all_s, token))
    return draw(st.sampled_from(forms))


def reshaped(state: oc.SequenceState, plain: Plain, b: int, s: int) -> tuple[oc.SequenceState, Plain]:
    """Rows of this state, some several times, as b x s."""
    batch, sample = [i % len(plain.rows) for i in range(b)], [i % plain.samples for i in range(s)]
    return state[batch, sample, :], indexed(plain, batch, sample, slice(None))


@st.composite
def states(draw: st.DrawFn, changes: int = 3, joins: bool = True) -> tuple[oc.SequenceState, Plain]:
    """A state and its plain model after a few operations; without `joins`, every context still stands."""
    state, plain = draw(st.sampled_from(base_states()))
    for _ in range(draw(st.integers(0, changes))):
        kind = draw(
            st.sampled_from(["rows", "prefix", "fork", "text", *(["slice", "join", "before"] if joins else [])])
        )
        b, s = len(plain.rows), plain.samples
        if kind in ("rows", "prefix", "slice"):
            (batch, bs), (sample, ss) = draw(axis_keys(b)), draw(axis_keys(s))
            token = draw(slices(max(map(len, plain.live), default=0))) if kind == "slice" else slice(None)
            if kind == "prefix":
                token = slice(None, draw(st.integers(-3, 12)))
            if 0 < len(bs) * len(ss) <= 6:
                state, plain = state[batch, sample, token], indexed(plain, bs, ss, token)
        elif kind == "fork" and s == 1 and b < 3:
            state, plain = state.fork(2), Plain([[row, row] for (row,) in plain.rows], 2)
        elif kind == "text":
            text = draw(st.sampled_from(TEXTS))
            state, plain = state + text, plain.map(lambda row, text=text: row + given_span(spelled(text)))
        elif kind == "before":
            text = draw(st.sampled_from(TEXTS))
            state, plain = text + state, before(text, plain)
        elif kind == "join":
            other, right = reshaped(*draw(st.sampled_from([*base_states(), (state, plain)])), b, s)
            if max(map(len, [*plain.live, []])) < 40:
                state, plain = state + other, plus(plain, right)
    return state, plain


def plus(left: Plain, right: Plain) -> Plain:
    rows = [[joined(*pair) for pair in zip(*group, strict=True)] for group in zip(left.rows, right.rows, strict=True)]
    return Plain(rows, left.samples)


def before(text: str, plain: Plain) -> Plain:
    return plain.map(lambda row: joined(prompted([text]).rows[0][0], row)) if text else plain
