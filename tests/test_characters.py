"""`state.chars[…]` and `state.up_to(text)` against Python's strings, for tokenizers of every kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate, pairwise, product
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import lawful_model, scratch, shipped_model, short_hf
from test_encoding import KINDS, kinds
from test_generation import random_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.state.indexing import character_begins
from outlines_cont.state.row import DEAD

MANY = settings(max_examples=200, deadline=None)


@cache
def model_of(kind: str) -> oc.Model:
    """Random weights behind a tokenizer of this kind."""
    return random_model(KINDS[kind](), seed=0, positions=64)


@st.composite
def rows(draw: st.DrawFn, model: oc.Model) -> oc.SequenceState:
    """A row of any tokens: special ones, halves of characters, spaces; with a bos or without."""
    tokens = model.vocabulary.tokens
    odd = [*model.vocabulary.special, *(i for i, token in enumerate(tokens) if token in (b" ", b"", b"\xe2", b"\x82"))]
    half = [i for i, token in enumerate(tokens) if len(token) == 1 and token >= b"\x80"]
    spaced = [i for i, token in enumerate(tokens) if token.startswith(b" ")]
    short = [i for i, token in enumerate(tokens) if len(token) <= 4]
    ids = st.one_of(st.integers(0, len(tokens) - 1), *map(st.sampled_from, (odd, half, spaced, short)))
    row = model.state([draw(st.lists(ids, max_size=8))])
    start = model.state(draw(st.sampled_from(["", " a", "The größer 日本"])))
    return draw(st.sampled_from([row, start, start + row, row + start + row]))


def borders(state: oc.SequenceState) -> dict[int, list[int]]:
    """Of a 1 × 1 state: by character, the numbers of tokens with which a slice ends exactly there."""
    [[row]] = state.rows
    pieces = state.model.encoder.token_bytes(row.ids)
    at: dict[int, list[int]] = {}
    for n in range(len(row) + 1):
        left, right = (b"".join(part).decode("utf-8", "replace") for part in (pieces[:n], pieces[n:]))
        if left + right == str(state):
            at.setdefault(len(left), []).append(n)
    return at


# --- the string of a part is the part of the string


@kinds
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_part_of_a_row_is_that_part_of_its_string(kind: str, data: st.DataObject) -> None:
    state = data.draw(rows(model_of(kind)))
    bound = st.none() | st.integers(-len(str(state)) - 2, len(str(state)) + 2)
    start, stop = data.draw(bound), data.draw(bound)
    part = state.chars[start:stop]
    assert str(part) == str(state)[start:stop]
    assert state.chars[...] is state.chars[:, :, 0 : len(str(state)) + 1] is state
    assert str(part.chars[1:]) == str(part)[1:]


@kinds
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_the_parts_of_a_row_make_it_whole_again(kind: str, data: st.DataObject) -> None:
    """Always its string, and its tokens where none crosses the cut."""
    state = data.draw(rows(model_of(kind)))
    n = data.draw(st.integers(-len(str(state)) - 2, len(str(state)) + 2))
    left, right = state.chars[:n], state.chars[n:]
    assert str(left + right) == str(state)
    at = borders(state).get(n if n >= 0 else max(0, n + len(str(state))))
    if at or abs(n) >= len(str(state)):
        assert left + right == state and left.identical(state[: left.shape[2]])
        assert left.shape[2] in (at or [0, state.shape[2]])


@kinds
@settings(max_examples=30, deadline=None)
@given(text=st.text("aThe capital日größ🦙", min_size=1, max_size=9), start=st.integers(0, 9), size=st.integers(1, 9))
def test_tokens_that_cross_a_cut_are_kept_or_dropped_whole(kind: str, text: str, start: int, size: int) -> None:
    model = model_of(kind)
    state = model.state([model.encoder.append(text)])
    text = str(state)  # without a first space, where the tokenizer takes it for its own
    ends = list(accumulate(map(len, model.encoder.token_bytes(state.rows[0][0].ids)), initial=0))
    begin, end = len(text[:start].encode()), len(text[: start + size].encode())
    tokens = list(enumerate(pairwise(ends)))
    inside = [i for i, (a, b) in tokens if a >= begin and b <= end]
    touched = [i for i, (a, b) in tokens if a < end and b > begin]
    assume(begin < end and 0 not in (b - a for _, (a, b) in tokens))
    for rule, chosen in (("drop", inside), ("keep", touched)):
        part = state.chars(inside=rule)[start : start + size]
        assert part == state[chosen[0] : chosen[-1] + 1] if chosen else part.shape[2] == 0, rule
    if inside == touched:
        assert part.identical(state.chars(inside="drop")[start : start + size])


@MANY
@given(st.binary(max_size=12) | st.text("aé日🦙�", max_size=4).map(lambda text: text.encode()[1:]))
@example(b"\xed\xa0\x80\xe2\x82a\xf0\x9f\xa6")
def test_characters_begin_where_decoding_begins_them(data: bytes) -> None:
    begins, text = character_begins(data), data.decode("utf-8", "replace")
    assert len(begins) == len(text) + 1 and begins[-1] == len(data) and begins == sorted(set(begins))
    for n, at in enumerate(begins):
        assert data[:at].decode("utf-8", "replace") == text[:n] and data[at:].decode("utf-8", "replace") == text[n:]


# --- what a cut keeps


@cache
def own_model() -> oc.Model:
    """The model of these tests with a KV tree of its own, for states that are kept: others count what is in theirs."""
    return oc.Model(short_hf(), shipped_model().tokenizer)


@cache
def drawn() -> list[oc.SequenceState]:
    """States of several rows, prompts and generated values, and the keys and values of all that was read."""
    model, two = own_model(), oc.samplers.multinomial(samples=2)
    names = oc.continuous(oc.generate.regex(model, "[A-Z][a-zéü]{2,9} 日本", two), name="name")
    texts = oc.continuous(oc.generate.text(model, two), name="text")
    prompts = ["Names:\n- Hari\n- ", "Zürich 🦙: "]
    return [names(prompts, seed=seed) + ", and" for seed in range(4)] + [texts(prompts, max_tokens=6, seed=0)]


@MANY
@given(st.sampled_from(range(5)), st.integers(0, 50))
def test_a_cut_keeps_what_belongs_to_the_kept_tokens(number: int, n: int) -> None:
    """Keys and values, log-probabilities, spans, lineage. What is spelled anew was given."""
    state = drawn()[number]
    cut = state.chars[..., :n]
    assert cut.tolist() == [[text[:n] for text in texts] for texts in state.tolist()]
    for b, s in product(range(2), range(2)):
        one, whole = cut[b, s, :], state[b, s, :]
        kept = state.chars(inside="drop")[b, s, :n]
        width = kept.shape[2]
        assert kept.identical(whole[:width]) and one[:width] == kept
        assert one.kv.lengths.item() >= min(whole.kv.lengths.item(), width)
        assert one.weights.item() == kept.weights.item() and one.rows[0][0].lineage == whole.rows[0][0].lineage
        assert one.rows[0][0].logprobs[width:] == (None,) * (one.shape[2] - width)
        assert one.shape[2] == width or one.spans[0][0][-1].kind == "text"
        assert len(whole.chars(inside="keep")[:n].tolist()[0][0]) >= len(kept.tolist()[0][0])


def test_nothing_is_computed_for_a_cut_and_going_on_reads_the_bytes_alone() -> None:
    model = lawful_model()
    text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    state = text("The capital of", max_tokens=4)
    model.stats.reset()
    cut = state.chars[: len("The capi")]
    assert model.stats.passes == 0
    kept = state.chars(inside="drop")[: len("The capi")].shape[2]
    assert kept < cut.shape[2]
    text(cut, max_tokens=1)
    assert model.stats.tokens + model.stats.reread == cut.shape[2] - kept


# --- going on after a cut


SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 9}, "age": {"type": "integer", "maximum": 150}},
    "required": ["name", "age"],
}
PATTERN = "(Mira|Zoë|日本)[a-zé ]{3,20}[.!]"
WORDS = ["painter", "painting", "sailor"]


def fits_schema(text: str) -> bool:
    value = json.loads(text)
    return [*value] == ["name", "age"] and len(value["name"]) < 10 and value["age"] <= 150


GENERATORS: dict[str, tuple[Callable[[], oc.generate.Generator], Callable[[str], object]]] = {
    "json": (lambda: oc.generate.json(lawful_model(), SCHEMA), fits_schema),
    "regex": (lambda: oc.generate.regex(lawful_model(), PATTERN), re.compile(PATTERN).fullmatch),
    "choice": (lambda: oc.generate.choice(lawful_model(), WORDS), WORDS.__contains__),
    "by sequence": (lambda: oc.generate.choice(lawful_model(), WORDS, by="sequence"), WORDS.__contains__),
}


@cache
def step_of(kind: str) -> oc.Step:
    return oc.continuous(GENERATORS[kind][0](), name="value")


@pytest.mark.parametrize("kind", GENERATORS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 3), n=st.integers(0, 60), again=st.integers(0, 9), saved=st.booleans())
def test_a_value_goes_on_after_any_character(kind: str, seed: int, n: int, again: int, saved: bool) -> None:
    """`resume` takes the bytes that were spelled anew into the span, also those of its first token."""
    step, prompt = step_of(kind), "Q: Who is it?\nA: "
    whole = step(prompt, seed=seed)
    cut = whole.chars[: len(prompt) + n]
    if saved:
        path = Path(scratch()) / "cut.safetensors"
        cut.save(path)
        loaded = oc.load_state(path, lawful_model())
        assert loaded.identical(cut)
        cut = loaded
    after = step.resume(cut, seed=again)
    value = str(after).removeprefix(prompt)
    assert value.startswith(str(whole)[len(prompt) :][:n]) and GENERATORS[kind][1](value)
    assert after.finished == [["stop"]] and [span.name for span in after.spans[0][0]] == [None, "value"]
    assert len(after.captures["value"][0][0]) == 1
    if n >= len(str(whole)) - len(prompt):
        assert after is whole or after.identical(whole)
    streamed = "".join(partial.delta for partial in step.stream(cut, seed=again, resume=True))
    assert str(cut) + streamed == str(after)


def form(row: oc.steer.Writing) -> list[oc.steer.Branch]:
    """A controller: two fields of one word."""
    if row.text.endswith("="):
        return [oc.steer.Branch(allowed=oc.generate.regex(lawful_model(), "[a-z]{2,5}"))]
    return [oc.steer.Branch(forced=["name=", "; city="][row.text.count("=")])] if row.text.count("=") < 2 else []


def test_a_controlled_value_goes_on_inside_what_was_drawn() -> None:
    """Not inside a run that the controller forced: its tokens are the controller's. There, `inside="drop"` serves."""
    step = oc.continuous(oc.generate.control(lawful_model(), form, oc.samplers.greedy()), name="value")
    whole = step("Look: ")
    fields = re.fullmatch("Look: name=([a-z]+); city=([a-z]+)", str(whole))
    assert fields
    for n in range(len("Look: ") + 1, len(str(whole))):
        drawn_here = any(begin < n <= end for begin, end in (fields.span(1), fields.span(2)))
        cut = whole.chars[:n]
        if drawn_here:
            assert str(step.resume(cut, seed=n)).startswith(str(whole)[:n])
        elif len(borders(whole).get(n, ())) == 0:
            with pytest.raises(oc.errors.ConstraintError, match="does not begin a value"):
                step.resume(cut)
        if (dropped := whole.chars(inside="drop")[:n]).spans[0][0][-1].name == "value":
            assert step.resume(dropped) == whole


def test_a_chain_goes_on_after_any_character() -> None:
    """In a value, and in a text between two."""
    colour = oc.continuous(oc.generate.choice(lawful_model(), ["red", "bluest"]), name="colour")
    chain, start = colour >> ", and more of it: " >> colour >> ".", "I see "
    whole = chain(start, seed=0)
    for n in range(len(start), len(str(whole)) + 1):
        cut = whole.chars[:n]
        after = chain.resume(cut, seed=n)
        assert str(after).startswith(str(whole)[:n])
        assert re.fullmatch("I see (red|bluest), and more of it: (red|bluest)[.]", str(after))
        assert len(after.captures["colour"][0][0]) == 2
        assert str(cut) + "".join(part.delta for part in chain.stream(cut, seed=n, resume=True)) == str(after)


# --- up_to


TEXTS = ["is", " ", " i", "a", "r", "aime", "né", "日", "\ufffd", ", and", "zz"]


@MANY
@given(st.sampled_from(range(5)), st.sampled_from(TEXTS), st.booleans(), st.sampled_from([None, "name", -1, 1]))
def test_up_to_is_find_and_cut(number: int, text: str, include: bool, span: str | int | None) -> None:
    """In a row without the text nothing is cut; if no row has it, that is an error."""
    state = drawn()[number]
    places = {}
    for b, s in product(range(2), range(2)):
        [[row]], string = state[b, s, :].rows, str(state[b, s, :])
        ends = [0, *(len(str(state[b, s, : each.end])) for each in row.spans)]
        healed = [len(piece.origin.healed.decode()) for piece in row.pieces]  # belongs to the text before a value
        own = [(begin + size, end) for (begin, end), size in zip(pairwise(ends), healed, strict=True)]
        spans = list(zip(row.spans, own, strict=True))
        chosen = [place for each, place in spans if each.name == span] if isinstance(span, str) else []
        if span is None:
            chosen = [(0, len(string))]
        elif isinstance(span, int):
            chosen = [spans[span][1]]
        places[b, s] = string.find(text, *chosen[-1]) if chosen else -1
    if max(places.values()) < 0:
        with pytest.raises(ValueError, match=re.escape(f"up_to({text!r}")):
            state.up_to(text, include=include, span=span)
        assert state.up_to(text, include=include, span=span, missing="keep") is state
        return
    assert state.up_to(text, include=include, span=span, missing="keep").identical(
        state.up_to(text, include=include, span=span)
    )
    cut = state.up_to(text, include=include, span=span)
    for (b, s), at in places.items():
        string = str(state[b, s, :])
        expected = string if at < 0 else string[: at + len(text) * include]
        assert str(cut[b, s, :]) == expected
        assert cut[b, s, :].identical(state.chars[b, s, : len(expected)])
        assert at >= 0 or cut.rows[b][s] is state.rows[b][s]
    assert cut is state or list(cut) != list(state)


def test_a_text_that_no_row_has_is_an_error_that_shows_what_they_have() -> None:
    model = lawful_model()
    colour = oc.continuous(oc.generate.choice(model, ["red"]), name="colour")
    state = colour(["I see ", "You see "])
    for call, message in [
        (lambda: state.up_to("Red"), "up_to('Red'): none of 2 rows has this text; the first one has 'I see red'"),
        (lambda: state[0, :, :].up_to("Red"), "up_to('Red'): the row does not have this text; it has 'I see red'"),
        (lambda: state.up_to("see", span="colour"), "this text in that span; the first one has 'red' there"),
        (
            lambda: state[0, :, :].up_to("see", span=-1),
            "up_to('see', span=-1): the row does not have this text in that",
        ),
        (
            lambda: state.up_to("red", span="color"),
            "a span of this name (did you mean 'colour'?); names of spans: 'colour'",
        ),
        (
            lambda: model.state("red").up_to("red", span="colour"),
            "no row has a span of this name; names of spans: none",
        ),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)):
            call()
    both = oc.cat([state[0, :, :], model.state("none")], 0)
    assert both.up_to("ed", span="colour").tolist() == [["I see r"], ["none"]], "one row that has it is enough"


def test_a_chain_and_a_step_say_why_a_row_that_was_cut_in_its_prompt_cannot_go_on() -> None:
    colour = oc.continuous(oc.generate.choice(lawful_model(), ["red", "bluest"]), name="colour")
    chain = "I see red, and " >> colour >> ", too"
    cut = chain("", seed=0).up_to("red")
    assert str(cut) == "I see "
    for maker in (colour, chain):
        with pytest.raises(ValueError, match=r"give up_to\(text, span=…\) the name or the index of the span"):
            maker.resume(cut)
    assert str(chain.resume(chain("", seed=0).up_to("e", span="colour"), seed=1)).startswith("I see red, and ")


def test_dead_rows_stay_dead_and_rows_without_the_text_are_the_same_object() -> None:
    model = lawful_model()
    one, other = model.state(["I see red", "I see blue"]).rows
    state = oc.SequenceState(model, [[*one, DEAD], [*other, *other]], samples=2)
    cut = state.up_to("lu")
    assert cut.tolist() == [["I see red"], ["I see b", "I see b"]] and cut.rows[0] == state.rows[0]
    assert state.chars[..., 2:5].tolist() == [["see"], ["see", "see"]] and state.chars[..., 2:5].rows[0][1] is DEAD
    assert state.up_to("red").rows[1] == state.rows[1] and state.chars[..., 0:99] is state
    assert state[:0, :, :].up_to("zz") == state[:0, :, :] and state[:1, 1:, :].up_to("zz").rows == ((DEAD,),)
    assert state.up_to("ee", span=-1).tolist() == [["I s"], ["I s", "I s"]]


# --- what does not work


def test_bytes_that_no_tokens_spell() -> None:
    pieces = [("<unk>", 0.0), *((piece, -1.0) for piece in ("▁", "▁ab", "ab", "cd", "e"))]
    fast = Tokenizer(models.Unigram(pieces, 0, False))
    fast.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    fast.decoder = decoders.Metaspace(prepend_scheme="always")
    fast.add_special_tokens(["</s>"])
    state = random_model(PreTrainedTokenizerFast(tokenizer_object=fast, eos_token="</s>"), 0, 64).state("abcde")
    assert str(state.chars[..., 2:]) == "cde" and str(state.chars(inside="drop")[..., :3]) == "ab"
    for cut in (lambda: state.chars[..., :3], lambda: state.up_to("d")):
        with pytest.raises(ValueError, match=r"inside a token: no tokens of .* spell the bytes b'c'; inside='keep'"):
            cut()
