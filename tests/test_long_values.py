"""A value that nothing limits warns when it grows long, once."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import Field
from test_generation import small_model

import outlines_cont as oc
from outlines_cont.decode import hypothesis, long_values

LITTLE = 6  # tokens, after which these tests call a value long


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hypothesis, long_values):
        monkeypatch.setattr(module, "LONG", LITTLE)


def said(work: Any) -> list[str]:
    """The warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


@given(
    st.sampled_from(["a{40}", "[ab]{40}", "(ab|c){9,20}", "a*", "[ab]+", "x(ab|c){3,}", "a{9}b*"]),
    st.sampled_from(["never", "canonical"]),
    st.none() | st.integers(1, 40),
    st.integers(0, 9),
)
@example("a{9}b*", "canonical", None, 0)
@example("[ab]+", "never", 40, 0)
def test_only_a_long_value_without_any_limit_warns_and_only_once(
    pattern: str, forced: Any, max_tokens: int | None, seed: int
) -> None:
    generator = oc.generate.regex(small_model(), pattern, oc.samplers.multinomial(samples=2), forced=forced)
    lengths: list[int] = []

    def cut(draw: oc.steer.Draw) -> Any:
        return oc.steer.Stop() if len(draw.row.ids) >= 30 else None

    def work() -> None:
        state = generator.run(["ab", "c"], max_tokens, seed=seed, hooks=[cut])
        lengths.extend(spans[-1].end - spans[-1].start for group in state.spans for spans in group)

    told = said(work)
    unlimited = pattern[-1] in "*+" or pattern.endswith(",}")
    assert len(told) <= (unlimited and max_tokens is None and max(lengths) >= LITTLE)
    # where it went round in a circle before one of the looks
    assert told or not unlimited or max_tokens is not None or max(lengths) < 3 * LITTLE
    assert not told or said(work) == []


NESTED = {"$defs": {"n": {"type": "array", "items": {"$ref": "#/$defs/n"}}}, "$ref": "#/$defs/n"}

#: An output type, the beginning of a value, and whether something limits it.
CASES: dict[str, tuple[Any, str, bool]] = {
    "text": (None, "so " * 9, True),
    "number": (oc.types.json_schema({"type": "integer"}, spelling="any"), "7" * 20, False),
    "plain number": (None, "7" * 20, False),
    "short number": (int, "7" * 19, True),
    "list": (list[int], "[7,7,7,7,7,7,7,7", False),
    "long list": (Annotated[list[int], Field(max_length=40)], "[7,7,7,7,7,7,7,7", True),
    "list of a string": (list[str], '["aaaaaaaaaaa', False),
    "short string": (Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=1)], '["aaaaaaaaaaa', True),
    "nested lists": (NESTED, "[[[[[[[[[[[[", False),
    "spaces": (oc.types.json_schema({"enum": [[7]]}, whitespace="flexible"), "[\n" + " " * 19, False),
}
LENGTHS = "Annotated[list[str], Field(max"
#: What is advised: only what this generator leaves open.
ADVICE = {
    "number": {LENGTHS, "spelling='plain'"},
    "plain number": {"spelling='plain'"},
    "spaces": {LENGTHS, "whitespace='compact'"},
    "nested lists": {LENGTHS, "inside each other"},
}


@pytest.mark.parametrize("name", CASES)
def test_types_without_a_limit_are_told_how_to_get_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_values, "DEEP", 4)
    output, text, limited = CASES[name]
    model = oc.load()
    made = oc.generate.format(model, int, spelling="any", forced="never") if name == "plain number" else None
    generator = made or oc.Generator(model, output, forced="never")

    def write() -> None:
        frontier = generator.begin("Some:")
        for character in text.encode():
            frontier = frontier.accept([model.vocabulary.tokens.index(bytes([character]))])

    told = said(write)
    assert len(told) == (not limited)
    for message in told:
        assert "and if the model does not end it, only the model's context of 2,048 tokens ends it" in message
        assert "Give the call max_tokens=…, or the value a limit of its own: " in message
        parts = (LENGTHS, "spelling='plain'", "whitespace='compact'", "inside each other")
        assert {part for part in parts if part in message} == ADVICE.get(name, {LENGTHS})
    assert said(write) == []


@given(
    st.sampled_from(["a{40}", "(ab|c){20,30}", "a+", "x(ab|c){3,}", "(ab|c)*b{9}"]),
    st.sampled_from(["never", "canonical"]),
    st.integers(1, 12),
    st.integers(0, 9),
)
def test_a_value_that_was_cut_short_says_what_limits_it(pattern: str, forced: Any, most: int, seed: int) -> None:
    """If nothing does, and what was written shows that."""
    made = oc.generate.regex(small_model(1), pattern, forced=forced)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        [[value]] = made(["1"], seed=seed, max_tokens=most, errors="return")
    if isinstance(value, str):
        return
    guide, states = made.constraint.guide, [made.constraint.guide.initial]
    for token in value.state.rows[0][0].ids[1:]:
        states.append(guide.advance(states[-1], token))
    told = "a limit of its own ({1,9} in place of + in the pattern), " * guide.endless(states)
    assert f"give it {told}more max_tokens or max_seconds, or go on: generator.values(" in str(value)
    assert ("40" in pattern or "20" in pattern) <= (told == "")


@pytest.mark.filterwarnings("ignore:a (json|regex) value has")
def test_a_context_that_is_full_is_told() -> None:
    model = small_model(1)
    assert model.context_length is not None
    on = oc.samplers.greedy([oc.filters.min_tokens(999)])
    for what, told in [
        (
            oc.generate.regex(model, "a+", on),
            ", and the value may have any length: give it a limit of its own ({1,9} in",
        ),
        (oc.generate.regex(model, f"a{{{2 * model.context_length}}}", forced="never"), None),
    ]:
        [[value]] = what(["1"], errors="return", seed=0)
        assert f"(length): the model's context of {model.context_length:,} tokens is full" in str(value)
        assert (told or "give it") in str(value) or (told is None and "max_tokens" not in str(value))
