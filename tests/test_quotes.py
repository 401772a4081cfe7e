"""Quotes of a document, alone and in JSON: against the list of all parts of small documents, token by token."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import pytest
from guides import check_guide
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.fsm.vocabulary import Vocabulary, unpack

BYTES = [bytes([byte]) for byte in range(256)]
PAGE = (Path(__file__).parent.parent / "docs" / "constraints.md").read_text()

# Few letters, so that words and parts of words come again; what JSON escapes; punctuation; marks; all sorts of space.
documents = (
    st.text('aab. (\n"', max_size=16)
    | st.text("a!!!!!! ", max_size=30)
    | st.text("ab.—(\"\\\n\t \xa0é\u0301'$😀", max_size=14)
)
bounds = st.tuples(st.integers(1, 4), st.none() | st.integers(0, 3)).map(
    lambda pair: (pair[0], None if pair[1] is None else sum(pair))
)
tokens = st.lists(st.text('aab. (\n"\\n', min_size=1, max_size=4), max_size=8)


def quotes(document: str, words: tuple[int, int | None]) -> set[str]:
    """All of them."""
    low, high = words
    ends = [i for i in range(len(document) + 1) if _is_edge(re.match(r"\S*", document[i:]))]
    begins = [i for i in range(len(document) + 1) if _is_edge(re.search(r"\S*\Z", document[:i]))]
    parts = {document[i:j] for i in begins for j in ends if i < j}
    return {q for q in parts if q == q.strip() and low <= len(q.split()) <= (high or len(q))}


def _is_edge(left_out: re.Match[str] | None) -> bool:
    """Whether of a word only punctuation is left out."""
    assert left_out is not None
    return len(left_out[0]) <= 8 and all(unicodedata.category(c).startswith("P") for c in left_out[0])


def spellable(text: bytes, tokens: Iterable[bytes]) -> bool:
    reached = {0}
    for i in range(len(text)):
        if i in reached:
            reached |= {i + len(token) for token in tokens if text.startswith(token, i)}
    return len(text) in reached


def check_every_mask(make: Any, texts: set[str], tokens: list[bytes]) -> None:
    """`make` gives, of a vocabulary, the guide of these texts: in each state, those tokens lead on that should."""
    distinct = list(dict.fromkeys(tokens))
    vocabulary = Vocabulary([b"<eos>", *distinct], eos=[0])
    written = {text.encode() for text in texts if spellable(text.encode(), distinct)}
    if not written:
        with pytest.raises(oc.errors.ConstraintError):
            make(vocabulary)
        return
    g: AutomatonGuide = make(vocabulary)
    todo = {b"": g.initial}
    while todo:
        text, state = todo.popitem()
        right = {
            token
            for token in distinct
            if any(w.startswith(text + token) and spellable(w[len(text + token) :], distinct) for w in written)
        }
        mask = unpack(g.mask(state), len(vocabulary))
        assert {token for token, allowed in zip(distinct, mask[1:], strict=True) if allowed} == right, text
        assert g.accepting(state) == mask[0] == (text in written)
        for number, token in enumerate(distinct, 1):
            after = g.advance(state, number)
            assert (after is not None) == (token in right)
            if after is not None and len(todo) < 200:
                todo[text + token] = after


@settings(max_examples=150, deadline=None)
@given(documents, bounds, tokens, st.booleans())
def test_a_guide_allows_what_some_quote_begins_with_and_nothing_else(
    document: str, words: tuple[int, int | None], tokens: list[str], all_bytes: bool
) -> None:
    spelled = [token.encode() for token in tokens] + (BYTES if all_bytes else [c.encode() for c in "ab. "])
    check_every_mask(lambda v: guide.quote(document, v, words), quotes(document, words), spelled)


@settings(max_examples=100, deadline=None)
@given(documents, bounds, tokens, st.booleans())
def test_a_schema_holds_quotes(
    document: str, words: tuple[int, int | None], tokens: list[str], all_bytes: bool
) -> None:
    schema = {"type": "string", "x-quote": {"document": document, "words": list(words)}}
    spelled = [token.encode() for token in tokens] + (BYTES if all_bytes else [c.encode() for c in 'ab. "'])
    written = {json.dumps(quote, ensure_ascii=False) for quote in quotes(document, words)}
    check_every_mask(lambda v: guide.json_schema(schema, v), written, spelled)


#: What may stand beside a quote in a schema; and which texts fit it.
BESIDE: list[tuple[dict[str, Any], Any]] = [
    ({"minLength": 3}, lambda text: len(text) >= 3),
    ({"maxLength": 4}, lambda text: len(text) <= 4),
    ({"pattern": "b[^a]"}, lambda text: re.search("b[^a]", text)),
    ({"not": {"const": "a"}}, lambda text: text != "a"),
    ({"enum": ["a", "a b", "b.", "c"]}, lambda text: text in ("a", "a b", "b.", "c")),
    ({"allOf": [{"x-quote": {"document": "a. b a b", "words": [1, 3]}}]}, quotes("a. b a b", (1, 3)).__contains__),
    ({"not": {"x-quote": {"document": "a b", "words": [1, 2]}}}, lambda text: text not in quotes("a b", (1, 2))),
    ({"format": "hostname"}, re.compile("[ab]+([.][ab]+)*").fullmatch),
]


@settings(max_examples=100, deadline=None)
@given(st.text("aab. (\n", max_size=14), bounds, st.sampled_from(BESIDE))
def test_whatever_else_a_schema_says_holds_as_well(
    document: str, words: tuple[int, int | None], beside: tuple[dict[str, Any], Any]
) -> None:
    keywords, fits = beside
    schema = {"type": "string", "x-quote": {"document": document, "words": list(words)}, **keywords}
    written = {json.dumps(quote) for quote in quotes(document, words) if fits(quote)}
    check_every_mask(lambda v: guide.json_schema(schema, v), written, BYTES)


@settings(max_examples=60, deadline=None)
@given(documents, bounds, st.randoms(use_true_random=False))
def test_in_any_spelling_a_text_reads_as_a_quote(document: str, words: tuple[int, int | None], random: Any) -> None:
    every = quotes(document, words)
    if not every:
        return
    v = Vocabulary([b"<eos>", *BYTES], eos=[0])
    schema = {"type": "string", "x-quote": {"document": document, "words": list(words)}}
    g = guide.json_schema(schema, v, spelling="any")
    for quote in every:
        units = json.dumps("".join(quote)).encode()
        escaped = "".join(f"\\u{int.from_bytes(pair, 'big'):04x}" for pair in _utf16(quote))
        for text in (units, f'"{escaped}"'.encode(), json.dumps(quote, ensure_ascii=False).encode()):
            assert g.accepting(g.advance_all(g.initial, [1 + byte for byte in text]))
    state, text = g.initial, b""
    while not g.complete(state):
        byte = random.choice([b for b in range(256) if g.advance(state, 1 + b) is not None])
        state, text = g.advance(state, 1 + byte), text + bytes([byte])
    assert json.loads(text) in every


def _utf16(text: str) -> list[bytes]:
    data = text.encode("utf-16-be")
    return [data[i : i + 2] for i in range(0, len(data), 2)]


def test_the_laws_of_guides_hold_on_a_page_and_a_real_vocabulary() -> None:
    v = shipped_model().vocabulary
    texts = [re.search(r"\S+(\s+\S+){9}", PAGE[i:])[0] for i in range(0, len(PAGE) // 2, 3001)]  # type: ignore[index]
    texts = [text.split(maxsplit=1)[1] for text in texts]  # the first may be the end of a word
    check_guide(guide.quote(PAGE, v), texts, walks=6, steps=60, tokens=200)
    check_guide(guide.quote(PAGE, v, (60, None)), walks=2, steps=150, tokens=50)
    check_guide(guide.without(guide.quote(PAGE, v), ["the", "schema"]), walks=4, steps=40, tokens=200)
    twice = {"items": {"type": "string", "x-quote": {"document": PAGE}}, "uniqueItems": True, "minItems": 2}
    check_guide(guide.json_schema({"type": "array", **twice}, v), walks=4, steps=90, tokens=100)
    either = {"anyOf": [{"type": "string", "x-quote": {"document": PAGE}}, {"type": "string", "not": {"const": "a"}}]}
    check_guide(guide.json_schema(either, v), walks=4, steps=40, tokens=200)


def test_a_document_that_repeats_itself_takes_no_more_room() -> None:
    v = Vocabulary([b"<eos>", *BYTES], eos=[0])
    g = guide.quote("ab " * 20_000, v, (1, None))
    state = g.advance_all(g.initial, [1 + byte for byte in b"ab " * 200])
    assert state is not None and [g.advance(state, 1 + ord(c)) is None for c in "ab "] == [False, True, True]


STORY = 'Mira came to town in 1987. "She is a baker," said Tom\\Jim; the naïve\tman left.\n\nThe end.'


class Claim(BaseModel):
    """What somebody says of a text, with the text's own words."""

    true: bool
    because: list[Annotated[str, oc.types.quote(STORY, words=(2, 5))]] = Field(min_length=1, max_length=2)


def test_models_quote_alone_and_in_fields_and_go_on_where_they_were_cut(tmp_path: Path) -> None:
    model = shipped_model()
    answer = oc.Generator(model, oc.types.quote(STORY, words=(2, 5)), oc.samplers.multinomial())
    claims = oc.Generator(model, Claim, oc.samplers.multinomial())
    for seed in range(6):
        assert answer("Q: Who is Mira?\nA: ", seed=seed) in quotes(STORY, (2, 5))
        claim = claims("Mira is a baker.\nJSON: ", seed=seed)
        assert isinstance(claim, Claim) and {*claim.because} <= quotes(STORY, (2, 5))
    step = oc.continuous(answer, name="quote")
    state = step("Q: Who is Mira?\nA: ", seed=1)
    state.save(tmp_path / "state")
    loaded = oc.load_state(tmp_path / "state", model)
    assert loaded.identical(state)
    again = step.resume(loaded[..., :-2], seed=2)
    assert again.captures["quote"][0][0][0] in quotes(STORY, (2, 5))


def test_pydantic_checks_quotes_and_shows_them_in_its_schema() -> None:
    short = TypeAdapter(Annotated[str, Field(max_length=9), oc.types.quote("to be or not", words=(2, 3))])
    assert short.json_schema() == {
        "maxLength": 9,
        "type": "string",
        "x-quote": {"document": "to be or not", "words": [2, 3]},
    }
    assert short.validate_python("be or not") == "be or not"
    for wrong in ("to", "to  be", "o be", "to be or not", "not be"):
        with pytest.raises(ValidationError, match=r"is none of oc\.types\.quote|at most 9 characters"):
            short.validate_python(wrong)


WRONG = [
    (lambda: oc.types.quote(b"a b c"), TypeError, "a document is a str, not bytes"),  # type: ignore[arg-type]
    (lambda: oc.types.quote("a b c", words=3), ValueError, r"\(3, 40\), or \(3, None\); not 3"),  # type: ignore[arg-type]
    (lambda: oc.types.quote("a b c", words=(0, 2)), ValueError, r"not \(0, 2\)"),
    (lambda: oc.types.quote("a b c", words=(3, 2)), ValueError, r"not \(3, 2\)"),
    (lambda: oc.types.quote("a b c", words=(True, 2)), ValueError, r"not \(True, 2\)"),
    (lambda: oc.types.quote(" a b "), oc.errors.ConstraintError, "a document of 2 words has no quote of 3"),
    (lambda: oc.types.quote("a b c \ud800"), oc.errors.ConstraintError, "a lone surrogate"),
    (lambda: TypeAdapter(Annotated[int, oc.types.quote("a b c")]), TypeError, "Annotated.*int.* is no type"),
    (lambda: TypeAdapter(Annotated[str, oc.types.regex("a")]), TypeError, r"Annotated.*regex\('a'\)\] is no type"),
]


@pytest.mark.parametrize(("make", "error", "message"), WRONG)
def test_wrong_arguments_are_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("a b c", 'must be {"document": "…", "words": \\[3, 40\\]}, not \'a b c\''),
        ({"words": [1, 2]}, "must be"),
        ({"document": "a b c", "word": 2}, "must be"),
        ({"document": "a b c", "words": 2}, "words are the least and the greatest"),
        ({"document": "a b"}, "2 words has no quote of 3"),
    ],
)
def test_a_keyword_of_another_form_is_refused_at_its_place(said: Any, message: str) -> None:
    with pytest.raises(oc.errors.ConstraintError, match=f"at #/properties/q/x-quote: .*{message}"):
        oc.types.json_schema({"properties": {"q": {"type": "string", "x-quote": said}}})
