"""Tokenizers that change texts, or cannot spell all of them: what is shown is what the tokens say, or a true reason."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from typing import Any

import any_tokenizer
import made_tokenizers as made
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.fsm.tokenizer_bytes import encoded, parts

NAMED = (ValueError, oc.errors.ConstraintError)  # exactly these: no UnicodeError, and nothing of the tokenizers library


def normalizing(*parts: Any, kind: Callable[..., Any] = made.byte_level) -> Any:
    """A tokenizer with these normalizers."""
    tokenizer = kind.__wrapped__()  # a new one
    tokenizer.backend_tokenizer.normalizer = parts[0] if len(parts) == 1 else normalizers.Sequence(list(parts))
    return tokenizer


def quiet(tokenizer: Any) -> oc.Model:
    """A model without parameters, and without the warning of what its tokenizer changes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return oc.Model(tokenizer, context_length=200)


def lacking(characters: str, *parts: Any) -> Any:
    """A byte-level tokenizer with these normalizers, whose vocabulary has no piece with one of these characters."""
    settings = json.loads(made.byte_level().backend_tokenizer.to_str())
    model, special = settings["model"], [token["content"] for token in settings["added_tokens"]]
    pieces = [piece for piece in model["vocab"] if piece in special or not set(piece) & set(characters)]
    model["vocab"] = {piece: n for n, piece in enumerate(pieces)}
    model["merges"] = [pair for pair in model["merges"] if "".join(pair) in pieces and {*pair} <= {*pieces}]
    for token in settings["added_tokens"]:
        token["id"] = model["vocab"].setdefault(token["content"], len(model["vocab"]))
    settings["post_processor"] = None
    fast = Tokenizer.from_str(json.dumps(settings))
    if parts:
        fast.normalizer = normalizers.Sequence(list(parts))
    return PreTrainedTokenizerFast(tokenizer_object=fast, eos_token="</s>")


def drawn(frontier: Any) -> tuple[oc.SequenceState, str]:
    """The state of a generation with random logits, and the text that was streamed."""
    random = torch.Generator().manual_seed(0)
    frontier, partial = frontier.flush()
    given_out = partial.delta
    while not frontier.done:
        wanted = sum(len(need.wanted) for need in frontier.pending)
        logits = torch.randn(wanted, len(partial.model.vocabulary), generator=random)
        frontier, partial = frontier.step(logits).flush()
        given_out += partial.delta
    return frontier.state, given_out


# -- the warning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([normalizers.Lowercase()], ["Lowercase ('Hello' → 'hello')"]),
        (
            [normalizers.NFKC(), normalizers.StripAccents()],
            ["NFKC ('ﬁn' → 'fin')", "StripAccents ('cafe\u0301' → 'cafe')"],
        ),
        ([normalizers.Strip()], ["Strip (' so' → 'so')"]),
        ([normalizers.Replace("Paris", "Rome")], ["Replace ('Paris' → 'Rome')"]),
        ([normalizers.BertNormalizer()], ["BertNormalizer ('Hello' → 'hello')"]),
    ],
)
def test_a_normalizer_is_warned_of_once_by_name_and_example(parts: Any, told: list[str]) -> None:
    tokenizer = normalizing(*parts)
    with pytest.warns(UserWarning, match="the tokenizer changes texts before it cuts them") as warned:
        model = oc.Model(tokenizer, context_length=100)
        model.state("Hello") + " Café"
    assert len(warned) == 1 and warned[0].filename == __file__
    assert all(part in str(warned[0].message) for part in told), warned[0].message


@pytest.mark.parametrize(
    "kind",
    [lambda: normalizing(normalizers.NFC()), made.byte_level, lambda: made.byte_fallback("prepend"), made.unigram],
)
def test_a_space_before_a_text_and_composed_accents_are_no_change(kind: Callable[[], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        oc.Model(kind(), context_length=100)


# -- a tokenizer in lower case ------------------------------------------------------------------------------------


def test_all_that_is_shown_is_the_text_of_the_tokens() -> None:
    model = quiet(normalizing(normalizers.NFKC(), normalizers.Lowercase()))
    state = model.state("In \uff30aRIS: ")
    assert str(state) == state.text()[0][0] == "in paris: " and str(state + "Yes") == "in paris: yes"
    assert str(state.chars[3:8]) == "paris" and str(state.up_to("paris")) == "in "
    with pytest.raises(ValueError, match="does not have this text; it has 'in paris: '"):
        state.up_to("Paris")
    city = oc.continuous(oc.generate.choice(model, ["Lima", "rome"]), name="city")
    chain = "The " >> city >> ", AND ﬁnally " >> city >> " OK"
    whole, streamed = drawn(chain.begin(state, seed=0))
    [[cities]] = whole.captures["city"]
    assert str(whole) == "in paris: the " + cities[0] + ", and finally " + cities[1] + " ok"
    assert streamed == str(whole).removeprefix("in paris: the ")
    for n in range(len("in paris: the ") + 1, len(str(whole))):
        after, rest = drawn(chain.begin(whole.chars[:n], seed=n, resume=True))
        assert str(after) == str(whole)[:n] + rest and str(after).endswith(" ok")


@pytest.mark.parametrize("by", ["token", "sequence"])
def test_a_choice_is_made_literally_where_tokens_spell_it(by: str) -> None:
    """The tokenizer would never write it so; the value is what was asked for, and what the row holds."""
    model = quiet(normalizing(normalizers.Lowercase()))
    step = oc.continuous(oc.generate.choice(model, ["Paris"], by=by), name="city")
    state, streamed = drawn(step.begin("IN ", seed=0))
    assert str(state) == "in Paris" and state.captures["city"] == [[["Paris"]]] and streamed == "Paris"


CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda m: oc.generate.regex(m, "[A-Z]+"), r"the pattern '\[A-Z\]\+' .* no token has 'A', 'B', .*'H', …"),
        (lambda m: oc.generate.choice(m, ["Paris", "rome"]), "the option 'Paris' .* no token has 'P'$"),
        (lambda m: oc.generate.choice(m, ["rome", "Paris"], by="sequence"), "the option 'Paris' .* no token has 'P'$"),
        (lambda m: oc.generate.json(m, {"const": "Paris"}), "no token has 'P'"),
    ],
)
def test_what_no_token_spells_is_refused_for_that_reason(make: Callable[[oc.Model], Any], reason: str) -> None:
    with pytest.raises(oc.errors.ConstraintError, match=reason):
        make(quiet(lacking(CAPITALS, normalizers.Lowercase())))


def test_a_schema_names_bytes_that_it_needs() -> None:
    """Not those that only other JSON values have."""
    with pytest.raises(oc.errors.ConstraintError, match="no token has '0', '1', '2', '3'"):
        oc.generate.json(quiet(lacking("0123456789")), {"type": "integer"})


# -- bytes that are missing ---------------------------------------------------------------------------------------


def test_a_missing_byte_is_named_with_the_normalized_text() -> None:
    model = quiet(lacking("©", normalizers.NFC()))  # which stands for byte 0xA9, the second of "é"
    assert str(model.state("cafe")) == "cafe"
    for text in ("café", "cafe\u0301"):
        normalized = r" \(normalized: 'café'\)" if "\u0301" in text else ""
        with pytest.raises(ValueError, match=rf"cannot spell 'é' in '{text}'{normalized}: .* none for byte 0xA9$"):
            model.state(text)
        with pytest.raises(ValueError, match="cannot spell 'é'"):
            model.chat([{"role": "user", "content": text}]) if model.tokenizer.chat_template else model.state("") + text


def test_what_a_normalizer_drops_is_not_missing() -> None:
    model = quiet(lacking("ÌÍ", normalizers.NFD(), normalizers.StripAccents()))  # bytes 0xCC and 0xCD, of accents
    assert model.state(["café", "cafe\u0301"]).text() == [["cafe"], ["cafe"]]


def test_a_library_that_breaks_down_is_named_and_an_interruption_passes() -> None:
    class PanicException(BaseException):
        """As the tokenizers library raises it."""

    class Broken:
        def __init__(self, error: BaseException):
            self.error = error

        def encode(self, text: str) -> None:
            raise self.error

    with pytest.raises(ValueError, match="the tokenizers library breaks down at 'a': out of range"):
        encoded(Broken(PanicException("out of range")), "a")
    with pytest.raises(KeyboardInterrupt):
        encoded(Broken(KeyboardInterrupt()), "a")


# -- spaces -------------------------------------------------------------------------------------------------------


def test_spaces_are_folded_and_not_lost() -> None:
    tokenizer = made.unigram.__wrapped__()
    fast = tokenizer.backend_tokenizer
    fast.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), fast.pre_tokenizer])
    with pytest.warns(UserWarning, match="WhitespaceSplit"):
        model = oc.Model(tokenizer, context_length=100)
    state = model.state(" The  capital\nof")
    assert list(state.rows[0][0].ids) == tokenizer("The capital of").input_ids
    assert str(state + "  Spain") == "The capital of Spain"


@pytest.mark.parametrize("style", ["prepend", "metaspace"])
def test_the_tokenizers_space_comes_after_its_strip(style: str) -> None:
    tokenizer = made.byte_fallback.__wrapped__(style)
    fast = tokenizer.backend_tokenizer
    fast.normalizer = normalizers.Sequence([normalizers.Strip(), *([fast.normalizer] if fast.normalizer else [])])
    model = quiet(tokenizer)
    own = tokenizer("The capital").input_ids
    for text in ("The capital", "The capital ", "  The capital "):
        assert list(model.state(text).rows[0][0].ids) == own and str(model.state(text)) == "The capital"


# -- chats --------------------------------------------------------------------------------------------------------


def test_text_that_is_normalized_to_a_special_token_injects_nothing() -> None:
    tokenizer = normalizing(normalizers.NFKC(), normalizers.Lowercase())
    tokenizer.backend_tokenizer.add_special_tokens([AddedToken("<|tool|>", special=True, normalized=True)])
    tokenizer.chat_template = "{{ messages[0]['content'] }}<|tool|>"
    model = quiet(tokenizer)
    tool = tokenizer.convert_tokens_to_ids("<|tool|>")
    state = model.chat([{"role": "user", "content": "\uff1c|TOOL|> <|Tool|> <|tool|>"}])
    assert state.rows[0][0].ids.count(tool) == 1 == state.rows[0][0].ids[-1:].count(tool)
    assert str(state) == "<|tool|> <|tool|> <|tool|>"


# -- any tokenizer ------------------------------------------------------------------------------------------------

words = st.sampled_from(
    ["Hello", "The capital", " the", " ", "  ", "\n", "é", "e\u0301", "ﬁne", "Paris", "<s>", "<S>", "<tool>", "<TOOL>"]
    + ["日本", "🦙", "0", "12", "▁", "\u200b", "<0x0A>", "<unk>", "a", "b", "one two", "x", "½", "İ", "ß", "</s>"]
)
texts = st.lists(words, max_size=4).map("".join)
CONSTRAINTS: list[tuple[Callable[[oc.Model], Any], Callable[[str], object]]] = [
    (lambda m: oc.generate.choice(m, ["Paris", "Rome", "a"]), ["Paris", "Rome", "a"].__contains__),
    (lambda m: oc.generate.choice(m, ["é", "the", "日本"], by="sequence"), ["é", "the", "日本"].__contains__),
    (lambda m: oc.generate.regex(m, "[A-Z]{1,3}"), re.compile("[A-Z]{1,3}").fullmatch),
    (lambda m: oc.generate.regex(m, "é|b[a-z]?"), re.compile("é|b[a-z]?").fullmatch),
    (lambda m: oc.generate.json(m, {"type": "integer", "maximum": 20}), lambda text: json.loads(text) <= 20),
    (lambda m: oc.generate.json(m, {"enum": [["a"], {"e": 1}]}), lambda text: json.loads(text) in [["a"], {"e": 1}]),
    (lambda m: oc.generate.text(m), lambda text: True),
]


def or_named(act: Callable[[], Any]) -> Any:
    """What is done, or None if it is refused by name."""
    try:
        return act()
    except Exception as error:
        assert type(error) in NAMED and str(error), repr(error)
        return None


def without_spaces(text: str) -> str:
    return "".join(text.replace("▁", " ").split())


def normalized(tokenizer: Any, text: str) -> str:
    """A text as the tokenizer's own normalizer leaves it, without its spaces."""
    normalizer = getattr(tokenizer, "backend_tokenizer", tokenizer).normalizer
    return without_spaces(text if normalizer is None else normalizer.normalize_str(text))


@settings(max_examples=150)
@given(tokenizer=any_tokenizer.tokenizers(), a=texts, b=texts, constraint=st.sampled_from(CONSTRAINTS))
def test_any_tokenizer_shows_what_its_tokens_say(tokenizer: Any, a: str, b: str, constraint: Any) -> None:
    model = or_named(lambda: quiet(tokenizer))
    if model is None:
        return
    encoder = model.encoder
    for text in (a, b):
        or_named(lambda: model.state(text, special=True))  # noqa: B023
        data = text.encode()[1:]
        spelled = or_named(lambda: encoder.encode_bytes(data))  # noqa: B023
        assert spelled is None or model.vocabulary.decode(spelled) == data
        if getattr(tokenizer, "chat_template", None):
            or_named(lambda: model.chat([{"role": "user", "content": text}]))  # noqa: B023
    state = or_named(lambda: model.state(a))
    if state is None:
        return
    assert str(state) == encoder.decode(encoder.start(a)[0])
    fast = getattr(tokenizer, "backend_tokenizer", tokenizer)
    simple = not any(part["type"] in ("ByteLevel", "Prepend") for part in parts(fast.normalizer))
    if simple and not fast.get_added_tokens_decoder():
        assert without_spaces(str(state)) == normalized(tokenizer, a)
        if a == a.strip() and "<" not in a:
            assert list(state.rows[0][0].ids) == fast.encode(a).ids
    if state.shape[2] == len(encoder.prefix):  # what comes next begins the text, without the tokenizer's space
        return
    joined = or_named(lambda: state + b)
    if joined is not None:
        ids = encoder.append(b)
        assert str(joined) == str(state) + model.vocabulary.decode(ids).decode()
    generator = or_named(lambda: constraint[0](model))
    if generator is None:
        return
    chain = oc.continuous(generator, name="value", max_tokens=12) >> b
    ended = or_named(lambda: drawn(chain.begin(state, seed=0)))
    if ended is None:
        return
    whole, streamed = ended
    assert str(whole) == str(state) + streamed
    for capture in whole.captures.get("value", [[[]]])[0][0]:
        [span] = [span for span in whole.spans[0][0] if span.name == "value"]
        value = streamed.removesuffix(model.vocabulary.decode(whole.rows[0][0].ids[span.end :]).decode())
        assert constraint[1](value) and (capture == value or capture == json.loads(value))
    n = len(str(whole)) // 2
    cut = or_named(lambda: whole.chars[:n])
    assert cut is None or str(cut) == str(whole)[:n]
