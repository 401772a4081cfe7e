"""Numbers: the spellings that are accepted, against exact arithmetic."""

import json
import random as randomness
import re
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.json_schema.numerals import NUMBER_KINDS, SIGNIFICANT_PLACES, equal, number, python_number
from outlines_cont.fsm.language.nodes import VOID

JSON_NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
PLAIN = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"
NORMALISED = r"-?([1-9])(?:\.([0-9]+))?[eE]([+-]?[0-9]+)"

BOTH, INTEGERS, FRACTIONS = NUMBER_KINDS, frozenset({"integer"}), frozenset({"fraction"})
kinds_of = st.sampled_from([BOTH, INTEGERS, FRACTIONS])


class Accepts:
    """Whether a language of numbers has a text."""

    def __init__(self, node):
        self.machine = None if node is VOID else Automaton(node)

    def __call__(self, text: str) -> bool:
        if self.machine is None:
            return False
        state = self.machine.run(self.machine.initial, text.encode())
        return state >= 0 and self.machine.accepting(state)


def meets(x: Fraction, kinds, low=None, high=None, low_open=False, high_open=False, of=(), not_of=(), excluded=()):
    return (
        ("integer" if x.denominator == 1 else "fraction") in kinds
        and (low is None or x > low or (x == low and not low_open))
        and (high is None or x < high or (x == high and not high_open))
        and all((x / m).denominator == 1 for m in of)
        and not any((x / m).denominator == 1 for m in not_of)
        and x not in excluded
    )


def value(text: str) -> Fraction:
    """What a text means, or another number of that sign that no condition here tells from it."""
    mantissa, _, exponent = text.lower().partition("e")
    power = max(-1_000, min(int(exponent or "0"), 1_000))
    return Fraction(mantissa) * Fraction(10) ** power


def promised(text: str, kinds, of=(), not_of=()) -> bool:
    """Whether the module's docstring promises a spelling, if its value meets the conditions."""
    if re.fullmatch(PLAIN, text):
        return True
    found = re.fullmatch(NORMALISED, text)
    if not found or (of and kinds != INTEGERS) or not_of or any(m != 1 for m in of):
        return False
    significant = len((found[2] or "").rstrip("0"))
    if kinds == INTEGERS:
        return significant <= SIGNIFICANT_PLACES
    return kinds == BOTH or int(found[3]) < 0


def walk(accepts: Accepts, random) -> str:
    """A random walk through a language, stopped at an end, after 60 bytes at the first one."""
    machine, text = accepts.machine, bytearray()
    assert machine is not None
    state = machine.initial
    while True:
        steps = {byte: machine.step(state, byte) for byte in b"0123456789.eE+-"}
        choices = [byte for byte, after in steps.items() if after >= 0]
        assert choices or machine.accepting(state), "a dead end"
        if not choices or (machine.accepting(state) and (random.random() < 0.2 or len(text) > 60)):
            return text.decode()
        assert len(text) < 2_000
        text.append(random.choice(choices))
        state = steps[text[-1]]


# ------------------------------------------------------------------------------------------- conditions and spellings

exact = st.one_of(
    st.integers(-12, 12).map(Fraction),
    st.integers(-3000, 3000).map(lambda n: Fraction(n, 100)),
    st.integers(-12_000, 12_000).map(Fraction),
    st.tuples(st.integers(-99, 99), st.integers(-9, 20)).map(lambda p: p[0] * Fraction(10) ** p[1]),
)
steps = st.sampled_from([1, 2, 5, 7, 10, 12, 25, 100, "0.1", "0.01", "0.5", "0.25", "1.5", "0.3"]).map(Fraction)


@st.composite
def conditions(draw):
    low, high = draw(st.none() | exact), draw(st.none() | exact)
    if low is not None and high is not None and low > high:
        low, high = high, low
    return {
        "kinds": draw(kinds_of),
        "low": low,
        "high": high,
        "low_open": draw(st.booleans()),
        "high_open": draw(st.booleans()),
        "of": tuple(draw(st.lists(steps, max_size=2) if draw(st.booleans()) else st.just([]))),
        "not_of": tuple(draw(st.lists(steps, max_size=2) if draw(st.integers(0, 2)) == 0 else st.just([]))),
        "excluded": tuple(draw(st.lists(st.integers(-12, 12).map(Fraction) | exact, max_size=3))),
    }


def language(given_):
    renamed = {"of": "multiples", "not_of": "not_multiples"}
    return number(**{renamed.get(key, key): value for key, value in given_.items()})


def plain(x: Fraction) -> str:
    """The shortest plain spelling of a number that has one."""
    places = 0
    while (x * 10**places).denominator != 1:
        places += 1
    digits = str(abs(x * 10**places).numerator).zfill(places + 1)
    return "-" * (x < 0) + digits[: len(digits) - places] + ("." + digits[-places:] if places else "")


def spellings(x: Fraction, random) -> list[str]:
    """Some JSON numbers of one value."""
    sign, short = "-" * (x < 0), plain(abs(x))
    zeros = ("" if "." in short else ".") + "0" * random.randint(1, 3)
    digits = short.replace(".", "").lstrip("0").rstrip("0") or "0"
    exponent = 0
    if x:
        while Fraction(10) ** exponent > abs(x):
            exponent -= 1
        while Fraction(10) ** (exponent + 1) <= abs(x):
            exponent += 1
    e, shift = random.choice("eE"), random.randint(-3, 3)
    power = ("-" if exponent < 0 else random.choice(["", "+"])) + random.choice(["", "0", "00"]) + str(abs(exponent))
    normal = digits[0] + (("." + digits[1:]) if digits[1:] else "")
    trailing = ("" if "." in normal else ".") + "0" * random.randint(1, 2)
    made = [sign + short, sign + short + zeros, sign + normal + e + power, sign + normal + trailing + e + power]
    made += [sign + plain(abs(x) / Fraction(10) ** shift) + e + str(shift)]
    return made + ["-" + text for text in made] if x == 0 else made


@settings(max_examples=350)
@given(asked=conditions(), seed=st.integers(0, 2**32), data=st.data())
def test_every_spelling_of_the_numbers_that_meet_the_conditions(asked, seed, data):
    random = randomness.Random(seed)
    accepts = Accepts(language(asked))
    around = [x for x in (asked["low"], asked["high"], *asked["excluded"]) if x is not None] or [Fraction(0)]
    near = st.tuples(st.sampled_from(around), st.integers(-30, 30), st.integers(-12, 4)).map(
        lambda t: t[0] + t[1] * Fraction(10) ** t[2]
    )
    for x in (*around, *data.draw(st.lists(near | exact, min_size=6, max_size=6))):
        good = meets(x, **asked)
        for text in spellings(x, random):
            assert Fraction(text) == x and re.fullmatch(JSON_NUMBER, text)
            if accepts(text):
                assert good, text
            elif good:
                assert not promised(text, asked["kinds"], asked["of"], asked["not_of"]), text
    if accepts.machine is not None:
        for _ in range(4):
            text = walk(accepts, random)
            assert re.fullmatch(JSON_NUMBER, text) and meets(value(text), **asked), text


@settings(max_examples=300)
@given(
    asked=conditions(),
    text=st.from_regex(JSON_NUMBER, fullmatch=True),
)
def test_nothing_invalid_in_any_spelling(asked, text):
    if Accepts(language(asked))(text):
        assert meets(value(text), **asked)


@settings(max_examples=300)
@given(
    kinds=kinds_of, low=st.integers(-60, 60), size=st.integers(0, 25), scale=st.sampled_from([1, 10, 4]), data=st.data()
)
def test_void_means_that_no_number_fits(kinds, low, size, scale, data):
    """Of multiples of 1/20, all can be tried."""
    steps = st.sampled_from([Fraction(n, 20) for n in (1, 2, 3, 5, 6, 7, 10, 20, 40, 60, 140)])
    inside = [Fraction(low, scale) + Fraction(n, 20) for n in range(20 * size // scale + 1)]
    asked = {
        "kinds": kinds,
        "low": inside[0],
        "high": inside[-1],
        "low_open": data.draw(st.booleans()),
        "high_open": data.draw(st.booleans()),
        "of": (*data.draw(st.lists(steps, max_size=2)), Fraction(1, 20)),
        "not_of": tuple(data.draw(st.lists(steps, max_size=2))),
        "excluded": tuple(data.draw(st.lists(st.sampled_from(inside), max_size=4))),
    }
    fitting = [x for x in inside if meets(x, **asked)]
    node = language(asked)
    assert (node is VOID) == (not fitting)
    accepts = Accepts(node)
    assert [x for x in inside if accepts(plain(x))] == fitting


@settings(max_examples=300)
@given(low=exact | st.none(), high=exact | st.none(), opens=st.tuples(st.booleans(), st.booleans()), kinds=kinds_of)
def test_void_without_multiples(low, high, opens, kinds):
    asked = {"kinds": kinds, "low": low, "high": high, "low_open": opens[0], "high_open": opens[1]}
    start = high - 1 if low is None and high is not None else low or Fraction(0)
    stop = start + 1 if high is None else high
    inside = min(stop - start, Fraction(1))
    tries = [start, stop, start + inside / 3, start + inside / 7, Fraction(floor(start) + 1)]
    assert (number(**asked) is VOID) == (not any(meets(x, **asked) for x in tries))


# --------------------------------------------------------------------------------------------- what programs write

floats = st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1e-3, 1e-3) | st.integers(-99, 99).map(float)


@settings(max_examples=400)
@given(value=floats, bound=floats | st.none(), up=st.booleans(), is_open=st.booleans(), kinds=kinds_of)
def test_floats_as_python_writes_them(value, bound, up, is_open, kinds):
    text, x = json.dumps(value), Fraction(repr(value))
    limit = None if bound is None else Fraction(repr(bound))
    asked = {"kinds": kinds, "low" if up else "high": limit, "low_open" if up else "high_open": is_open}
    accepts = Accepts(number(**asked))
    for written in (text, text.upper(), text.replace("e+", "e")):
        assert accepts(written) == meets(x, **asked)
    assert Accepts(equal(x))(text)


@pytest.mark.parametrize("text", ["1e-07", "1.5e+16", "5e-324", "1.7976931348623157e+308", "-0.0", "1e+22", "0", "-7"])
def test_one_number(text):
    accepts = Accepts(equal(Fraction(text)))
    random = randomness.Random(0)
    assert accepts(text)
    for _ in range(20):
        for spelled in spellings(Fraction(text), random)[:4]:
            assert accepts(spelled)
        assert value(walk(accepts, random)) == Fraction(text)
    without = Accepts(number(BOTH, excluded=(Fraction(text),)))
    assert not any(without(spelled) for spelled in spellings(Fraction(text), random))
    assert without("3") and without("1e-300")


@settings(max_examples=300)
@given(text=st.from_regex(JSON_NUMBER, fullmatch=True), wrong=st.text("0123456789+-.eE", max_size=6))
def test_without_conditions_every_json_number(text, wrong):
    accepts = Accepts(number(BOTH))
    assert accepts(text)
    assert accepts(wrong) == bool(re.fullmatch(JSON_NUMBER, wrong))
    for up, is_open in ((True, False), (True, True), (False, False), (False, True)):
        zero = {"low" if up else "high": Fraction(0), "low_open" if up else "high_open": is_open}
        mantissa = Fraction(re.split("[eE]", text)[0])  # has the sign of the number
        assert Accepts(number(BOTH, **zero))(text) == meets(mantissa, BOTH, **zero)


# ------------------------------------------------------------------------------------------------- large divisors


@settings(max_examples=200, deadline=None)
@given(
    step=st.sampled_from([1_000_003, 9_973, 65_536, 1_048_575, 2**40 + 15, 10**17 + 3]),
    kinds=st.sampled_from([BOTH, INTEGERS]),
    low=st.none() | st.tuples(st.integers(-20, 10**6), st.integers(-1, 1)),
    size=st.none() | st.tuples(st.integers(0, 10) | st.integers(0, 10**9), st.integers(-1, 1)),
    opens=st.tuples(st.booleans(), st.booleans()),
    data=st.data(),
)
def test_multiples_of_large_numbers(step, kinds, low, size, opens, data):
    """Their remainders are more than could be made at once."""
    start = None if low is None else low[0] * step + low[1]
    stop = None if size is None else (start or 0) + size[0] * step + size[1]
    if start is not None and stop is not None and start > stop:
        start, stop = stop, start
    around = st.integers(-3, 3).map(lambda n: n + (start or 0) // step) | st.integers(-(10**6), 10**6)
    multiples = st.one_of(around, st.integers(0, 3).map(lambda n: (stop or 0) // step - n)).map(lambda n: n * step)
    asked = {"kinds": kinds, "of": (Fraction(step),), "low_open": opens[0], "high_open": opens[1]}
    asked |= {"low": None if start is None else Fraction(start), "high": None if stop is None else Fraction(stop)}
    asked["excluded"] = tuple(map(Fraction, data.draw(st.lists(multiples, max_size=3))))
    conditions = {{"of": "multiples"}.get(key, key): value for key, value in asked.items()}
    seed = data.draw(st.integers(0, 2**32))
    for make, points in ((number, ["", ".0", ".00"]), (python_number, ["", ".0"] if kinds == BOTH else [""])):
        accepts = Accepts(make(**conditions))
        for x in data.draw(st.lists(multiples, min_size=8, max_size=8)):
            for value in (x, x + 1, x // 10):
                if abs(value) < 10 ** (15 if kinds == BOTH else 19):
                    fitting = meets(Fraction(value), **asked)
                    assert [accepts(f"{value}{point}") for point in points] == [fitting] * len(points), value
        bounded = make is python_number or None not in (start, stop)
        if accepts.machine is not None:
            for _ in range(3 * bounded):  # else a walk at random meets no multiple
                text = walk(accepts, randomness.Random(seed))
                assert re.fullmatch(JSON_NUMBER, text) and meets(Fraction(text), **asked), text
        elif start is not None and stop is not None and stop < 10**19:
            near = [n * step for n in range(start // step, start // step + 12)]
            assert not any(meets(Fraction(x), **asked) for x in near)


# ---------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("kinds", [BOTH, INTEGERS, FRACTIONS])
def test_long_bounds(kinds):
    top = Fraction("1.7976931348623157e308")
    accepts = Accepts(number(kinds, -top, top))
    for x in (top, top - 1, top + 1, top - Fraction(1, 10), top + Fraction(1, 10), -top, -top - 1, Fraction(10) ** 300):
        assert accepts(plain(x)) == meets(x, kinds, -top, top)
    assert accepts("1.7976931348623157e308") == accepts("1e308") == ("integer" in kinds)
    assert not accepts("1.7976931348623158e308") and not accepts("1e309")


def test_what_takes_too_many_states_is_refused_by_its_numbers():
    for refused, name in (
        ({"multiples": (Fraction("1.000003"),)}, "1.000003"),
        ({"not_multiples": (Fraction(70_001, 10),)}, "7000.1"),
        ({"low": Fraction(10) ** 1200}, "1e308"),
        ({"excluded": (Fraction(1, 10**1200),)}, "digits"),
        ({"multiples": (Fraction("299.9"),), "high": Fraction(10) ** 300}, "299.9.*1e\\+300"),
        ({"low": Fraction(1, 3)}, "1/3"),
        ({"multiples": (Fraction(0),)}, "0 has no multiples"),
    ):
        with pytest.raises(ConstraintError, match=name):
            number(BOTH, **refused)
    with pytest.raises(ValueError, match="real"):
        number(frozenset({"real"}))


@pytest.mark.parametrize("kinds", [BOTH, INTEGERS])
def test_common_multiples_take_few_states(kinds):
    for step in (1, 10, 100, 1000, 60, 3600, Fraction(1, 100), Fraction(1, 20), 25):
        accepts = Accepts(number(kinds, Fraction(0), Fraction(10**9), multiples=(Fraction(step),)))
        random = randomness.Random(0)
        for _ in range(20):
            walk(accepts, random)
        assert accepts.machine is not None and len(accepts.machine) < 1_000
