"""Outlines: its terms as output types, its generators as steps, and our processor in its generators.

What its own tests say of its terms, as facts (`golden/outlines_facts.json`): a term, a text, and whether the term
matches it. All of them agree with ours. The terms are built once of Outlines' classes, if it is installed, and once of
stand-ins with the names of these.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pydantic
import pytest
from guides import check_guide
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.fsm.protocol import FullGuide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.asked import asked_of
from outlines_cont.integrations.outlines import processor
from outlines_cont.schemas.outlines_terms import is_term, pattern_of
from outlines_cont.state.constraint import make_constraint

GREEDY = oc.samplers.greedy()
BYTES = Vocabulary([b"<eos>", *(bytes([byte]) for byte in range(256))], eos=[0])
GOLDEN = json.loads((Path(__file__).parent / "golden" / "outlines_facts.json").read_text(encoding="utf-8"))
TEXT = "Mira is a painter from Lisbon. Mira is 34 years old.\n"


class Person(BaseModel):
    name: str
    age: int


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@cache
def stand_in(name: str) -> type:
    """A class of this name, where Outlines' class would be."""
    root = type("Term", (), {"__module__": "outlines.types.dsl"}) if name == "Term" else stand_in("Term")
    return root if name == "Term" else type(name, (root,), {"__module__": "outlines.types.dsl"})


def term(name: str, **fields: Any) -> Any:
    """A stand-in for a term."""
    made = stand_in(name)()
    vars(made).update(fields)
    return made


def outlines_term(name: str, **fields: Any) -> Any:
    dsl = pytest.importorskip("outlines.types.dsl", reason="outlines is not installed")
    return getattr(dsl, name)(**fields)


def built(tree: Any, make: Callable[..., Any]) -> Any:
    """A term, of its tree of names and fields."""
    if isinstance(tree, dict):
        ((name, fields),) = tree.items()
        return make(name, **{key: built(value, make) for key, value in fields.items()})
    return [built(each, make) for each in tree] if isinstance(tree, list) else tree


def guide_of(output_type: Any) -> FullGuide:
    asked = asked_of(output_type, "Generator()")
    return make_constraint(asked.kind, asked.argument, BYTES, asked.parse, values=asked.values, **asked.options).guide


def accepts(guide: FullGuide, text: str) -> bool:
    state = guide.initial
    for byte in text.encode():
        state = guide.advance(state, 1 + byte)
        if state is None:
            return False
    return guide.accepting(state)


# --- terms


@pytest.mark.parametrize("make", [term, outlines_term], ids=["stand-ins", "outlines"])
def test_its_terms_match_what_its_own_tests_say(make: Callable[..., Any]) -> None:
    guides = [guide_of(built(tree, make)) for tree in GOLDEN["terms"]]
    facts = GOLDEN["facts"]
    assert len(facts) >= 240
    assert [fact for fact in facts if accepts(guides[fact[0]], fact[1]) is not fact[2]] == []


def test_every_regular_term_that_it_exports_is_a_pattern_here() -> None:
    types = pytest.importorskip("outlines.types", reason="outlines is not installed")
    terms = {name: getattr(types, name) for name in types.__all__ if is_term(getattr(types, name, None))}
    assert len(terms) >= 25
    for name, each in terms.items():
        assert oc.Generator(shipped_model(), each).constraint.kind == "regex", name


STRINGS = st.text("ab.é\n", max_size=2)
PATTERNS = st.sampled_from(["a|b", "[ab]", "a*", "", ".", r"\.", "é?b"])
LEAVES = st.one_of(
    STRINGS.map(lambda text: term("String", value=text)),
    PATTERNS.map(lambda pattern: term("Regex", pattern=pattern)),
    st.lists(st.one_of(STRINGS, st.integers(0, 12), st.booleans()), min_size=1, max_size=3, unique=True).map(
        lambda items: term("Choice", items=items)
    ),
)


def _composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    counts = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(sorted)
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda terms: term("Sequence", terms=terms)),
        st.lists(inner, min_size=1, max_size=3).map(lambda terms: term("Alternatives", terms=terms)),
        *(inner.map(lambda x, name=name: term(name, term=x)) for name in ("Optional", "KleeneStar", "KleenePlus")),
        st.tuples(inner, st.integers(0, 2)).map(lambda p: term("QuantifyExact", term=p[0], count=p[1])),
        st.tuples(inner, st.integers(0, 2)).map(lambda p: term("QuantifyMinimum", term=p[0], min_count=p[1])),
        st.tuples(inner, st.integers(0, 2)).map(lambda p: term("QuantifyMaximum", term=p[0], max_count=p[1])),
        st.tuples(inner, counts).map(
            lambda p: term("QuantifyBetween", term=p[0], min_count=p[1][0], max_count=p[1][1])
        ),
    )


def matched(tree: Any, text: str) -> set[int]:
    """The lengths of the beginnings of a text that a term matches: an oracle without patterns."""
    kind = type(tree).__name__
    if kind == "String":
        return {len(tree.value)} if text.startswith(tree.value) else set()
    if kind == "Regex":
        return {n for n in range(len(text) + 1) if re.fullmatch(tree.pattern, text[:n])}
    if kind == "Choice":
        return {len(str(item)) for item in tree.items if text.startswith(str(item))}
    if kind == "Alternatives":
        return set().union(*(matched(each, text) for each in tree.terms))
    if kind == "Sequence":
        ends = {0}
        for each in tree.terms:
            ends = {end + n for end in ends for n in matched(each, text[end:])}
        return ends
    low, high = {
        "Optional": lambda: (0, 1),
        "KleeneStar": lambda: (0, None),
        "KleenePlus": lambda: (1, None),
        "QuantifyExact": lambda: (tree.count, tree.count),
        "QuantifyMinimum": lambda: (tree.min_count, None),
        "QuantifyMaximum": lambda: (0, tree.max_count),
        "QuantifyBetween": lambda: (tree.min_count, tree.max_count),
    }[kind]()
    ends, reached, rounds = ({0} if low == 0 else set()), {0}, 0
    while rounds < (low + len(text) + 1 if high is None else high):
        reached = {end + n for end in reached for n in matched(tree.term, text[end:])}
        rounds += 1
        if rounds >= low:
            ends |= reached
    return ends


@settings(max_examples=200)
@given(tree=st.recursive(LEAVES, _composed, max_leaves=5), texts=st.lists(st.text("ab.é\n1T", max_size=5), max_size=8))
def test_the_pattern_of_a_term_is_what_its_parts_say(tree: Any, texts: list[str]) -> None:
    pattern = pattern_of(tree, "Generator()")
    for text in ["", "a", "b", *texts]:
        assert (len(text) in matched(tree, text)) == bool(re.fullmatch(pattern, text)), (pattern, text)
    if any(re.fullmatch(pattern, text) for text in texts):
        guide = oc.fsm.guide.regex(pattern, BYTES)
        assert [accepts(guide, t) for t in texts] == [bool(re.fullmatch(pattern, t)) for t in texts]


def test_a_json_schema_means_the_value() -> None:
    schema = json.dumps(Person.model_json_schema())
    given_ = term("JsonSchema", schema=schema, whitespace_pattern=None)
    prompt = TEXT + "JSON with name, age: "
    model = shipped_model()
    for generator in (
        oc.generate.json(model, given_, GREEDY),
        oc.Generator(model, given_, GREEDY),
        oc.generate.format(model, given_, GREEDY),
        oc.Generator(model, oc.types.json_schema(given_), GREEDY),
    ):
        assert generator(prompt) == {"name": "Mira", "age": 34}
        assert generator == oc.generate.json(model, schema, GREEDY)
    spaced = term("JsonSchema", schema=schema, whitespace_pattern=" ?")
    assert oc.Generator(model, spaced) == oc.generate.json(model, schema, whitespace=" ?")
    assert oc.generate.json(model, spaced, whitespace=" ?") == oc.generate.json(model, schema, whitespace=" ?")
    with pytest.raises(ValueError, match=r"json\(\): whitespace='flexible', and the JsonSchema says ' \?'"):
        oc.generate.json(model, spaced, whitespace="flexible")
    assert oc.Generator(model, given_) != oc.generate.json(model, schema, spelling="any")
    assert oc.generate.format(model, given_, spelling="any") == oc.generate.json(model, schema, spelling="any")


def test_each_maker_takes_the_term_of_its_kind() -> None:
    model, g = shipped_model(), oc.generate
    digits, grammar = term("Regex", pattern="[0-9]+"), term("CFG", definition='start: "a" start | "b"')
    options = term("Choice", items=[1, "b", None, Colour.RED])
    assert g.regex(model, digits) == oc.Generator(model, digits) == g.regex(model, "[0-9]+")
    assert g.regex(model, digits) == oc.Generator(model, oc.types.regex(digits))
    assert g.cfg(model, grammar) == oc.Generator(model, grammar) == g.cfg(model, grammar.definition)
    assert oc.types.cfg(grammar) == oc.types.cfg(grammar.definition)
    assert g.choice(model, options) == oc.Generator(model, options) == g.choice(model, options.items)
    assert oc.Generator(model, oc.types.choice(options)) == g.choice(model, options.items)
    assert oc.Generator(model, options, GREEDY)(TEXT + "Q: What is Mira's age?\nA: ") in options.items
    mixed = term("Choice", items=["x", int, term("Regex", pattern="a|b")])
    assert oc.Generator(model, mixed).constraint.kind == "regex"
    assert [accepts(guide_of(mixed), text) for text in ("x", "-12", "a", "b", "y")] == [True, True, True, True, False]


class Builder:
    __module__ = "genson.schema.builder"
    __qualname__ = "SchemaBuilder"

    def to_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}


def test_a_builder_of_genson_is_its_schema() -> None:
    builder = type("SchemaBuilder", (Builder,), {"__module__": "genson.schema.builder"})()
    model = shipped_model()
    assert (
        oc.Generator(model, builder) == oc.generate.json(model, builder.to_schema()) == oc.generate.json(model, builder)
    )
    genson = pytest.importorskip("genson", reason="genson is not installed")
    real = genson.SchemaBuilder()
    real.add_object({"age": 3})
    assert accepts(guide_of(real), '{"age":12}') and not accepts(guide_of(real), '{"age":"a"}')


@pytest.mark.parametrize(
    ("given_", "error", "message"),
    [
        (
            term("Sequence", terms=[term("String", value="x"), term("CFG", definition="")]),
            oc.errors.ConstraintError,
            "a grammar",
        ),
        (term("Optional", term=term("JsonSchema", schema="{}")), oc.errors.ConstraintError, r"a JSON schema .* a >> b"),
        (term("Choice", items=[[1]]), TypeError, r"\[1\] \(list\) is no part of a pattern"),
        (term("Alternatives", terms=[term("Regex", pattern="a"), None]), TypeError, "None .* is no part of a pattern"),
        (term("Term"), TypeError, "the Outlines term Term is not known here"),
        (term("Bound", term=1), TypeError, "the Outlines term Bound is not known here; known are String, Regex"),
        (term("Regex", pattern=r"(a)\1"), oc.errors.ConstraintError, "backreference"),
        (SimpleNamespace(pattern="a"), TypeError, "does not read"),
    ],
)
def test_what_is_no_pattern_is_refused_by_name(given_: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        oc.Generator(shipped_model(), given_)


@pytest.mark.parametrize("kind", ["Sequence", "Alternatives"])
def test_long_sums_of_terms_are_flat(kind: str) -> None:
    long = term("String", value="0")
    for i in range(1, 2000):
        long = term(kind, terms=[long, term("String", value=str(i))])
    guide, texts = guide_of(long), [*map(str, range(2000))]
    assert accepts(guide, "".join(texts)) == (kind == "Sequence")
    assert all(accepts(guide, text) == (kind == "Alternatives") for text in texts)


def test_a_term_that_is_nested_too_deeply_is_refused() -> None:
    deep = term("String", value="a")
    for _ in range(5000):
        deep = term("Optional", term=deep)
    with pytest.raises(oc.errors.ConstraintError, match="nested too deeply"):
        oc.Generator(shipped_model(), deep)


# --- with Outlines


@pytest.fixture(scope="module")
def theirs() -> Any:
    """The shipped model in a model of Outlines, which changes its tokenizer."""
    outlines = pytest.importorskip("outlines", reason="outlines is not installed")
    model = shipped_model()
    return outlines.from_transformers(model.hf, copy.deepcopy(model.tokenizer))


def test_terms_in_pydantic_classes_are_whole_texts(theirs: Any) -> None:
    types = pytest.importorskip("outlines.types")
    model = shipped_model()

    Parcel = pydantic.create_model("Parcel", code=(types.Regex("[0-9]{2}|x") + "!", ...))

    guide = guide_of(Parcel)
    assert accepts(guide, '{"code":"12!"}') and accepts(guide, '{"code":"x!"}')
    assert not accepts(guide, '{"code":"12!3"}') and not accepts(guide, '{"code":"y12!"}')
    assert isinstance(oc.Generator(model, Parcel, GREEDY)(TEXT), Parcel)
    value = oc.Generator(model, tuple[types.Choice(["red", "blue"])], GREEDY)(TEXT + "JSON: ")  # type: ignore[misc]
    assert value in (("red",), ("blue",))
    for wrong in (types.JsonSchema({"type": "object"}), types.CFG('start: "a"')):
        with pytest.raises(oc.errors.ConstraintError, match=f"a {type(wrong).__name__} of Outlines"):
            oc.Generator(model, list[wrong])  # type: ignore[valid-type]


ASKED: list[tuple[Any, str]] = [
    (int, "Q: How old is Mira?\nA: "),
    (Literal["baker", "painter", "sailor"], "Q: What is Mira's job?\nA: "),
    (Person, "JSON with name, age: "),
]


@pytest.mark.parametrize("backend", [None, "llguidance"])
@pytest.mark.parametrize(("output_type", "question"), ASKED, ids=["int", "Literal", "class"])
def test_a_generator_of_outlines_becomes_a_step(
    theirs: Any, output_type: Any, question: str, backend: str | None
) -> None:
    if backend is not None:
        pytest.importorskip(backend)
    import outlines

    given_ = outlines.Generator(theirs, output_type, backend)
    step = oc.continuous(given_, name="answer")
    state = step(TEXT + question, max_tokens=60)
    assert state.finished == [["stop"]] and state.model is step.generator.model
    text = str(state).removeprefix(TEXT + question)
    if output_type is Person:
        Person.model_validate_json(text)
    (((value,),),) = state.captures["answer"]
    assert value in (text, {"name": "Mira", "age": 34})
    # two generators of one model of Outlines go together
    again = oc.continuous(outlines.Generator(theirs, output_type, backend))
    assert again.generator.model is step.generator.model
    assert (step >> "\n" >> again)(TEXT + question, 60).finished == [["stop"]]


def test_generators_without_a_type_and_of_grammars_become_steps(theirs: Any) -> None:
    import outlines

    text = oc.continuous(outlines.Generator(theirs))("The sky is", max_tokens=2)
    assert str(text) == "The sky is blue."
    pytest.importorskip("llguidance")
    grammar = outlines.Generator(theirs, outlines.types.CFG('start: "(" start ")" | "blue"'))
    assert str(oc.continuous(grammar)("The sky is ")) == "The sky is blue"


def test_an_index_of_outlines_core_is_a_guide(theirs: Any) -> None:
    """What is walked is what the pattern matches; characters in pieces of tokens are left out."""
    import outlines

    step = oc.continuous(outlines.Generator(theirs, outlines.types.Regex("[A-Z][a-z]{1,3}/é?"), "outlines_core"))
    guide, vocabulary = step.generator.constraint.guide, step.generator.model.vocabulary
    letters = vocabulary.single_bytes

    def written(text: str) -> bool:
        state: Any = guide.initial
        for byte in text.encode():
            state = None if state is None else guide.advance(state, letters[byte])
        return state is not None and guide.accepting(state)

    assert [written(text) for text in ("Ab/", "Abcd/", "Abcde/", "A/", "Ab/é")] == [True, True, False, False, False]
    check_guide(guide, ["Ab/", "Abcd/"], walks=5)
    with pytest.raises(IndexError):
        guide.advance(guide.initial, len(vocabulary))


def test_pieces_of_characters_are_no_characters(theirs: Any) -> None:
    """The index takes a token that holds a piece of one for U+FFFD, which `.` matches."""
    import outlines

    step = oc.continuous(outlines.Generator(theirs, outlines.types.Regex("a.b"), "outlines_core"))
    guide, vocabulary = step.generator.constraint.guide, step.generator.model.vocabulary
    state = guide.advance(guide.initial, vocabulary.single_bytes[ord("a")])
    assert guide.advance(state, vocabulary.single_bytes[0xC3]) is None
    assert guide.advance(state, vocabulary.single_bytes[ord("x")]) is not None
    allowed = [token for token in vocabulary.text_ids if guide.advance(state, int(token)) is not None]
    assert allowed and all(vocabulary.tokens[token].decode() for token in allowed)
    # and where only they would go on, nothing leads there
    dead = oc.continuous(outlines.Generator(theirs, outlines.types.Regex("x\ufffdz|y"), "outlines_core"))
    check_guide(dead.generator.constraint.guide, ["y"])
    assert str(dead("Once ")) == "Once y"


def test_what_tells_no_model_or_type_is_refused(theirs: Any) -> None:
    import outlines

    class Other:
        def reset(self) -> None: ...

    with pytest.raises(TypeError, match="the Other of this generator does not tell its output type; make a generator"):
        oc.continuous(outlines.Generator(theirs, processor=Other()))  # type: ignore[arg-type]
    black_box = type("BlackBoxGenerator", (), {"__module__": "outlines.generator"})()
    black_box.model = type("OpenAI", (), {})()
    with pytest.raises(TypeError, match=r"whose model wraps one of transformers, .*; this one is a OpenAI"):
        oc.continuous(black_box)
    with pytest.raises(TypeError, match=r"oc.continuous\(generator\) makes a step of both"):
        oc.Generator(shipped_model(), outlines.Generator(theirs))
    with pytest.raises(TypeError, match=r"not one of Outlines: write oc.Model\(model.model, model.hf_tokenizer\)"):
        oc.Generator(theirs, int)


# --- our processor in its generators

DATE, CODE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[A-Z]{3}-[0-9]{4}"
BEAMS = {"num_beams": 4, "num_return_sequences": 4, "do_sample": False, "max_new_tokens": 60}


def fits(text: str, output_type: Any) -> bool:
    if output_type is Person:
        return isinstance(Person.model_validate_json(text), Person)
    pattern = output_type if isinstance(output_type, str) else "baker|painter|sailor"
    return re.fullmatch(pattern, text) is not None


@pytest.mark.parametrize("output_type", [DATE, CODE, Literal["baker", "painter", "sailor"], Person])
def test_beams_in_its_generators_are_right_with_our_processor(theirs: Any, output_type: Any) -> None:
    import outlines

    asked = outlines.types.Regex(output_type) if isinstance(output_type, str) else output_type
    generator = outlines.Generator(theirs, processor=processor(theirs, asked))
    for prompts in (TEXT, [TEXT + "When? ", "A story: "], "Once upon a time "):
        # (of a list of prompts it gives a list of lists of texts)
        texts = (
            generator(prompts, **BEAMS) if isinstance(prompts, str) else [*chain(*generator.batch(prompts, **BEAMS))]
        )
        assert len(texts) in (4, 8)
        plain = [re.sub(r"(<\|end\|>|<\|pad\|>)*$", "", text) for text in texts]
        assert [text for text in plain if not fits(text, output_type)] == []


def test_its_generators_write_texts_with_triggers(theirs: Any) -> None:
    import outlines

    ours = processor(theirs, oc.types.triggered({" is": (oc.types.regex(" [a-zA-Z0-9]+"), ".")}, at_least=1))
    generator = outlines.Generator(theirs, processor=ours)
    texts = generator("The capital of France", num_beams=3, num_return_sequences=3, do_sample=False, max_new_tokens=40)
    for text in (re.sub(r"(<\|end\|>|<\|pad\|>)*$", "", text) for text in texts):
        value = ours.constraint.parse(text)
        assert any(isinstance(each, tuple) for each in value)
        assert "".join(each if isinstance(each, str) else f"{each[0]}{each[1]}." for each in value) == text
    assert len(texts) == 3


def test_a_generator_with_our_processor_becomes_a_step(theirs: Any) -> None:
    import outlines

    noted = oc.types.triggered({"<age>": (int, "</age>")}, at_most=2)
    parts = oc.types.cfg("start: AGE+\n%declare AGE", parts={"AGE": int})
    for output_type in (int, ["red", 3], Person, term("Regex", pattern=CODE), noted, parts):
        given_ = outlines.Generator(theirs, processor=processor(theirs, output_type))
        step = oc.continuous(given_, name="it")
        assert step.generator == oc.Generator(step.generator.model, output_type, step.generator.sampler)
    model = step.generator.model
    guide = oc.fsm.guide.regex("[ab]", model.vocabulary)
    again = oc.continuous(outlines.Generator(theirs, processor=processor(theirs, guide)))
    assert again.generator.constraint.guide is guide


def test_the_processor_is_for_models_of_transformers_in_outlines() -> None:
    for wrong in (shipped_model(), shipped_model().hf, SimpleNamespace(model="gpt", hf_tokenizer=None), None):
        with pytest.raises(TypeError, match=r"processor\(\) takes a model of Outlines that wraps one of transformers"):
            processor(wrong, int)
