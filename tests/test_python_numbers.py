"""Numbers as Python writes them: a plain model of `json.dumps`, schemas at random, and states of both spellings."""

import json
import random as randomness
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from random import Random
from typing import Annotated, Any, Optional

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, instance, random_schema, walk
from pydantic import BaseModel, ConfigDict, Field
from strategies import shipped_model
from test_numerals import BOTH, INTEGERS, Accepts, conditions, exact, floats, meets, plain
from test_numerals import walk as walked
from test_schema import STANDARD, made, many, oracle, randoms

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.json_schema import formats
from outlines_cont.fsm.json_schema.numerals import python_number
from outlines_cont.fsm.patterns.parser import parse

# ------------------------------------------------------------------------------------------------- the plain model


SMALLEST, LARGEST = Decimal("5e-324"), Decimal("1.7976931348623157e+308")  # as Python writes the positive floats


def as_written(text: str, longest: int = 19) -> bool:
    """Whether Python would write a number so if it had floats of 17 decimal digits, and ints of so many."""
    if re.fullmatch(r"0|-?[1-9][0-9]*", text):
        return len(text.lstrip("-")) <= longest
    x = Decimal(text)
    if not x:
        return text in ("0.0", "-0.0")
    sign, digits, _ = x.as_tuple()
    digits, exponent = "".join(map(str, digits)).rstrip("0"), x.adjusted()
    if -4 <= exponent < 16:
        shown = f"{abs(x.normalize()):f}"
        shown += ".0" * ("." not in shown)
    else:
        shown = f"{digits[0]}{'.' * (len(digits) > 1)}{digits[1:]}e{exponent:+03d}"
    return text == "-" * sign + shown and len(digits) <= 17 and SMALLEST <= abs(x) <= LARGEST


def fits(text: str, asked: dict[str, Any], longest: int = 19) -> bool:
    """Whether a number so written meets the conditions; and, if it may be a fraction, the float that is read of it."""
    if not as_written(text, longest) or not meets(Fraction(text), **asked):
        return False
    if asked["kinds"] == INTEGERS:
        return "." not in text and "e" not in text
    as_read = {name: as_float(asked[name]) for name in ("low", "high") if asked[name] is not None}
    excluded = tuple(map(as_float, asked["excluded"]))
    opens = {name: asked[name] for name in ("low_open", "high_open")}
    return meets(as_float(Fraction(text)), BOTH, **as_read, **opens, excluded=excluded)


def as_float(x: Fraction) -> Fraction:
    return Fraction(float(x))


def python(asked: dict[str, Any]) -> Accepts:
    renamed = {"of": "multiples", "not_of": "not_multiples"}
    return Accepts(python_number(**{renamed.get(key, key): value for key, value in asked.items()}))


def near(x: Fraction, random: Random) -> list[str]:
    """Numbers about one: ints, floats, decimals of 17 digits; and some that Python does not write so."""
    y = x + Fraction(random.randint(-30, 30)) * Fraction(10) ** random.randint(-18, 4)
    short = plain(Fraction(round(y, random.randint(0, 12))))
    texts = [
        str(int(y)),
        repr(float(y)),
        f"{float(y):.17g}",
        f"{float(y):.3e}",
        short,
        short + ".0" * ("." not in short),
    ]
    return [*texts, texts[1] + "0", *ALWAYS]


ALWAYS = ["-0", "-0.0", "0.0", "1.0", "5e-324", "4e-324", "1.7976931348623157e+308", "1.7976931348623158e+308"]
ALWAYS += ["9" * 19, "1" + "0" * 19, "1e+16", "1e16", "1e-05", "0.00001", "0.0001", "1E-07", "0.9999999999999999"]


@settings(max_examples=150, deadline=None)
@given(asked=conditions(), seed=st.integers(0, 2**32), x=exact | floats.map(lambda x: Fraction(repr(x))))
def test_what_python_writes_and_reads_within_the_conditions(asked, seed, x):
    """Every number of a plain model of `json.dumps`; of multiples, those that need no exponent and few digits."""
    random = randomness.Random(seed)
    written = python(asked)
    every = not asked["of"] and not asked["not_of"] and asked["kinds"] in (BOTH, INTEGERS)
    for centre in (x, *(asked[name] for name in ("low", "high") if asked[name] is not None), *asked["excluded"]):
        for text in near(centre, random):
            if written(text):
                assert fits(text, asked), text
            elif every or (len(text) < 15 and "e" not in text):
                assert not fits(text, asked), text
    for _ in range(4 if written.machine is not None else 0):
        text = walked(written, random)
        bounds = [x for x in (asked["low"], asked["high"]) if x is not None and asked["kinds"] == INTEGERS]
        assert fits(text, asked, max(19, *(len(str(abs(int(x)) + 1)) for x in bounds), 0)), text


@settings(max_examples=200, deadline=None)
@given(value=st.integers(-(10**19) + 1, 10**19 - 1) | floats)
def test_every_int_and_float_is_written_as_json_dumps_writes_it(value):
    text, kinds = json.dumps(value), INTEGERS if isinstance(value, int) else BOTH
    x = Fraction(text)
    assert Accepts(python_number(kinds))(text) and Accepts(python_number(kinds, x, x))(text)
    assert Accepts(python_number(kinds, x))(text) and not Accepts(python_number(kinds, x, None, True))(text)
    assert re.fullmatch(formats.PYTHON_INTEGER if kinds == INTEGERS else formats.PYTHON_NUMBER, text)


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32), wrong=st.from_regex(r"-?[0-9]{1,2}(\.[0-9]{1,6})?(e[+-]?[0-9]{1,3})?", fullmatch=True)
)
def test_patterns_and_languages_are_the_same(seed, wrong):
    random = randomness.Random(seed)
    for kinds, pattern in ((BOTH, formats.PYTHON_NUMBER), (INTEGERS, formats.PYTHON_INTEGER)):
        language, by_pattern = Accepts(python_number(kinds)), Accepts(parse(pattern))
        for text in (walked(language, random), walked(by_pattern, random), wrong, *ALWAYS):
            assert language(text) == by_pattern(text) == bool(re.fullmatch(pattern, text)), text


def test_integers_are_longer_where_bounds_ask_for_it():
    long = Fraction(10**25)
    for accepts_, most in (
        (Accepts(python_number(INTEGERS, high=long)), long),
        (Accepts(python_number(INTEGERS, low=long)), Fraction(10**26 - 1)),
        (Accepts(python_number(INTEGERS, low=long - 1, low_open=True)), Fraction(10**26 - 1)),
    ):
        assert accepts_(str(most)) and accepts_(str(long)) and not accepts_(str(most + 1))
    assert not Accepts(python_number(INTEGERS, high=long))("-1" + "0" * 19)
    assert Accepts(python_number(INTEGERS, low=long, multiples=(Fraction(7),)))(str((10**25 // 7 + 1) * 7))


# ------------------------------------------------------------------------------------------------------- schemas


def python_made(schema: Any, **options: str) -> Any:
    """The guide; None if nothing that Python writes is valid."""
    try:
        return made(schema, **{**options, "spelling": "plain"})
    except ConstraintError as error:
        if 'spelling="any"' in str(error):
            return None
        raise


def integral(value: Any) -> Any:
    """The same, without floats that are integers: `enum` writes 1.0 and 1 as they stand there."""
    if isinstance(value, list):
        return [integral(x) for x in value]
    if isinstance(value, dict):
        return {name: integral(x) for name, x in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


@many
@given(r=randoms)
def test_schemas_at_random(r):
    """What is written is valid and reads back; a valid instance of few digits is written as `json.dumps` has it."""
    schema = integral(random_schema(r))
    try:
        every, written = made(schema, **STANDARD), python_made(schema, **STANDARD)
    except ConstraintError:
        return
    valid = oracle(schema)
    for _ in range(3):
        value = integral(instance(r, schema, schema))
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        if every is not None and accepts(every, text):
            assert written is not None and accepts(written, text), text
    for _ in range(3 if written is not None else 0):
        text = walk(written, r, steps=20)
        if text is not None:
            assert valid(text) and accepts(every, text), text
            assert all(
                map(as_written, re.findall(r"[-0-9][-+.eE0-9]*", re.sub(rb'"(\\.|[^"\\])*"', b"", text).decode()))
            )


def test_values_of_enum_and_const_are_as_json_dumps_writes_them():
    values = [1, 1.0, -0.5, 1e16, 1e-7, 1e300, 10**30, 123456789.0, None, True]
    g = guide.json_schema({"enum": values}, BYTES, spelling="plain")
    for value in values:
        assert accepts(g, json.dumps(value))
    assert not any(accepts(g, text) for text in ("1.00", "1e16", "1E-07", "1e-7", "123456789", "-0.50"))
    whole = guide.json_schema({"type": "integer", "enum": [2.0, 3]}, BYTES, spelling="plain")
    assert accepts(whole, "2") and accepts(whole, "3") and not accepts(whole, "2.0")
    unique = {"type": "array", "items": {"enum": [1.0, 2]}, "uniqueItems": True, "minItems": 2}
    g = guide.json_schema(unique, BYTES, spelling="plain")
    assert accepts(g, "[1.0,2]") and not accepts(g, "[1,2]")


def test_a_schema_of_which_python_writes_nothing_is_refused_by_the_option_that_helps():
    schema = {"type": "number", "multipleOf": 1, "minimum": 10**30 + 1, "maximum": 10**30 + 2}
    with pytest.raises(ConstraintError, match='spelling="any"'):
        guide.json_schema(schema, BYTES, spelling="plain")
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema({"minimum": 2, "maximum": 1}, BYTES, spelling="plain")
    with pytest.raises(ValueError, match="spelling='Python': it is 'plain' or 'any'"):
        guide.json_schema(schema, BYTES, spelling="Python")
    with pytest.raises(ValueError, match="spelling='Python': it is 'plain' or 'any'"):
        oc.generate.format(shipped_model(), int, spelling="Python")


# ------------------------------------------------------------------------------------------- generators and states


class Person(BaseModel):
    model_config = ConfigDict(strict=True)
    age: Annotated[int, Field(ge=0, le=120)]
    h: float


@cache
def random_weights() -> oc.Model:
    shipped = shipped_model()
    torch.manual_seed(0)
    return oc.Model(type(shipped.hf)(shipped.hf.config), shipped.tokenizer)


@pytest.mark.parametrize("model", [random_weights, shipped_model])
def test_forty_people_of_a_random_model_end_whole(model):
    generator = oc.generate.json(model(), Person, oc.samplers.multinomial(samples=40))
    people = generator("x", seed=0, max_tokens=120)
    assert len(people) == 40 and all(isinstance(person, Person) for person in people)


def test_scalars_of_format_are_written_so_too():
    for python_type in (int, float, Optional[float], list[float]):  # noqa: UP045
        generator = oc.generate.format(random_weights(), python_type)
        for seed in range(4):
            state = generator.run("x", seed=seed, max_tokens=60)
            assert state.finished == [["stop"]]
        wide = oc.generate.format(random_weights(), python_type, spelling="any")
        assert wide.constraint.spec != generator.constraint.spec


AGE = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
CITY = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 9}}, "required": ["city"]}


@pytest.mark.parametrize(
    ("kind", "argument", "begun"),
    [
        ("json", AGE, '{"age":1.0'),
        ("json", CITY, '{"city":"\\u0041\\/'),
        ("format", float, "1.50"),
        ("format", float | None, "1.5E0"),
        ("format", list[float], "[1.50"),
        ("format", int, "1"),
    ],
)
def test_a_wide_spelling_is_read_by_resume_and_partial(kind, argument, begun, tmp_path):
    """Text that a user puts behind a cut; and a state of `spelling="any"`."""
    model, prompt = shipped_model(), "A: "
    make = getattr(oc.generate, kind)
    step = oc.continuous(make(model, argument), name="x")
    wide = oc.continuous(make(model, argument, spelling="any"), name="x")
    for made_by in (step, wide):
        seeds = (made_by(prompt, seed=seed, max_tokens=1) for seed in range(200))
        begin = (state[..., : len(model.state(prompt).rows[0][0]) + 1] for state in seeds)
        cut = next(state for state in begin if begun.startswith(str(state).removeprefix(prompt)))
        cut = cut + (prompt + begun).removeprefix(str(cut))
        cut.save(tmp_path / made_by.generator.constraint.kind)
        for state in (cut, oc.load_state(tmp_path / made_by.generator.constraint.kind, model)):
            resumed = step.resume(state, seed=1, max_tokens=200)
            assert str(resumed).startswith(prompt + begun)
            assert resumed.finished == [["stop"]] and len(resumed.captures["x"][0][0]) == 1
            resumed.save(tmp_path / "resumed")  # such a file was taken for a damaged one when it was shown or rescored
            loaded = oc.load_state(tmp_path / "resumed", model)
            assert loaded.html()._repr_html_() == resumed.html()._repr_html_()
            for whole in (resumed, loaded):
                assert torch.allclose(whole.rescore().weights, resumed.weights, atol=1e-3)
        with pytest.raises(ConstraintError, match="it fits as far as"):
            step.resume(cut + "\n", seed=1)
    assert oc.types.partial('{"age": 50.000e-1') == {"age": 5.0}


def test_saved_states_carry_the_option(tmp_path):
    model = shipped_model()
    state = oc.continuous(oc.generate.json(model, AGE), name="x")("A: ", seed=1, max_tokens=3)
    state.save(tmp_path / "state")
    spec = state.rows[0][0].pieces[-1].origin.constraint.spec
    assert oc.load_state(tmp_path / "state", model).rows[0][0].pieces[-1].origin.constraint.spec == spec
    assert json.loads(spec)["options"]["spelling"] == "plain"
