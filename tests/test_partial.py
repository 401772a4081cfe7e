"""Unfinished JSON: every cut of every text gives a beginning of its value."""

import copy
import json
import pickle
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from outlines_cont.fsm.partial_json import NOTHING, Partial, partial

characters = st.one_of(st.characters(), st.sampled_from('aé中😀"\\/\b\f\n\r\t\x00\x7f\ud83d\ude00'))
strings = st.text(characters, max_size=6)
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0, -0.0, 1e300]))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, strings),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(strings, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def spelled(draw):
    """A JSON text in one of json.dumps' spellings, and bytes of it."""
    value, indent = draw(values), draw(st.sampled_from([None, 0, 2, "\t"]))
    separators = draw(st.sampled_from([None, (",", ":"), (" ,\r\n", "\t: ")]))
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=indent, separators=separators)
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate is no UTF-8; as an escape it is JSON
        return json.dumps(value, indent=indent, separators=separators).encode()


def begins(part, whole) -> bool:
    """Whether a partial value is a beginning of a value."""
    if part is NOTHING:
        return True
    if isinstance(part, dict):
        names = list(part)
        if not isinstance(whole, dict) or names != list(whole)[: len(names)]:
            return False
        return all(same(part[k], whole[k]) for k in names[:-1]) and all(begins(part[k], whole[k]) for k in names[-1:])
    if isinstance(part, list):
        if not isinstance(whole, list) or len(part) > len(whole):
            return False
        last = len(part) - 1
        return all((begins if i == last else same)(item, whole[i]) for i, item in enumerate(part))
    if isinstance(part, str):
        return isinstance(whole, str) and whole.startswith(part)
    if isinstance(part, bool) or part is None or isinstance(whole, bool):
        return part is whole
    text = json.dumps(whole)
    return any(same(part, number) for end in range(len(text)) if (number := loaded(text[: end + 1])) is not None)


def same(one, other) -> bool:
    """Equal, and of equal types, -0.0 being another number than 0.0."""
    return json.dumps(one) == json.dumps(other)


def loaded(text):
    """What `json.loads` makes of a text, None if nothing."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def size(value) -> int:
    """How many values and characters there are."""
    if value is NOTHING:
        return 0
    if isinstance(value, dict):
        return 1 + sum(len(key) + size(item) for key, item in value.items())
    if isinstance(value, list):
        return 1 + sum(map(size, value))
    return 1 + len(value) if isinstance(value, str) else 1


@given(spelled())
@example(b'{"a": [1.25e-07, true, "\\ud83d\\ude00\\ud83d"]}')
def test_every_cut_is_a_beginning_of_the_whole(data):
    whole = json.loads(data)
    assert same(partial(data), whole)
    before = 0
    for end in range(len(data)):
        part = partial(data[:end])
        assert begins(part, whole), (data[:end], part)
        assert size(part) >= before, (data[:end], part)
        before = size(part)
    assert size(whole) >= before


@given(spelled(), st.lists(st.integers(1, 5), min_size=1))
def test_pieces_give_what_the_whole_gives_and_leave_what_was_as_it_was(data, sizes):
    states, at = [Partial()], 0
    while at < len(data):
        step = sizes[len(states) % len(sizes)]
        states.append(states[-1].feed(data[at : at + step]))
        at += step
    for state in states:
        assert same_or_nothing(state.value, partial(data[: state.position]))
        assert state.feed(b"") is state
    for state in states:
        assert state.feed(data[state.position :]).value == json.loads(data)
    assert states[0].value is NOTHING


def same_or_nothing(one, other) -> bool:
    return one is other if NOTHING in (one, other) else same(one, other)


@given(spelled())
def test_a_text_is_complete_where_it_may_end(data):
    for end in range(len(data) + 1):
        value = loaded(data[:end])
        assert Partial().feed(data[:end]).complete is (value is not None or data[:end].strip() == b"null")


INTRUDERS = [bytes([c]) for c in b'"\\,:]}[{1.e-tu ']
INTRUDERS += [b"\xed\xa0", b"\xe0\x80", b"\xf4\x90", b"\xf0\x8f", b"\xc1", b"\xf5", b'"\xed\xa0', b'"\xf1\x80\x80']


def position_of_failure(data: bytes) -> int | None:
    try:
        partial(data)
    except ValueError as error:
        found = re.match(r"not JSON at byte (\d+): ", str(error))
        assert found, error
        return int(found[1])
    return None


@given(spelled(), st.data())
def test_the_first_byte_that_does_not_fit_is_named(data, draw):
    """Whatever is changed: what is before the byte named is a beginning of JSON, and with that byte it is none."""
    at = draw.draw(st.integers(0, len(data)))
    other = draw.draw(st.one_of(st.binary(min_size=1, max_size=2), st.sampled_from(INTRUDERS)))
    changed = data[:at] + other + data[at + draw.draw(st.integers(0, 1)) :]
    bad = position_of_failure(changed)
    if bad is None:
        end = Partial().feed(changed)
        assert end.complete is accepted_by_json(changed)
        return
    assert not accepted_by_json(changed)
    assert position_of_failure(changed[:bad]) is None
    assert position_of_failure(changed[: bad + 1]) == bad
    state = Partial()
    with pytest.raises(ValueError, match=f"not JSON at byte {bad}: "):
        for i in range(len(changed)):
            state = state.feed(changed[i : i + 1])
    assert state.position == bad


def accepted_by_json(data: bytes) -> bool:
    try:
        json.loads(data.decode())
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("", NOTHING),
        (" \n", NOTHING),
        ("tru", NOTHING),
        ("null", None),
        ("-", NOTHING),
        ("-0", 0),
        ("1.", 1),
        ("1.5e", 1.5),
        ("1.5e+", 1.5),
        ("1.5e+1", 15.0),
        ('"', ""),
        ('"ab\\', "ab"),
        ('"ab\\u00e', "ab"),
        ('"\\ud83d', ""),
        ('"\\ud83d\\', ""),
        ('"\\ud83d\\n', "\ud83d\n"),
        ('"\\ud83d\\ud83d\\ude00', "\ud83d😀"),
        ('"\\ud83d"', "\ud83d"),
        (b'"\xc3', ""),
        (b'"\xf0\x9f\x98', ""),
        ("[", []),
        ("[1,", [1]),
        ("[fals", []),
        ("[[], [", [[], []]),
        ('{"a', {}),
        ('{"a"', {}),
        ('{"a": ', {}),
        ('{"a": -', {}),
        ('{"a": "', {"a": ""}),
        ('{"a": 1, "b": 2, "a": [', {"a": [], "b": 2}),
        ('{"a": 1, "a": n', {"a": 1}),
    ],
)
def test_what_is_there(data, value):
    found = partial(data)
    assert found is value or (type(found) is type(value) and found == value)


@pytest.mark.parametrize(
    ("data", "at"),
    [
        ("NaN", 0),
        ("-I", 1),
        ("\ufeff1", 0),
        ("01", 1),
        ("1.x", 2),
        ("+1", 0),
        ("trUe", 2),
        ("1 2", 2),
        ("[1,]", 3),
        ("[1}", 2),
        ('{"a",', 4),
        ("{1", 1),
        ('{"a":1,}', 7),
        ('"\n', 1),
        ('"\\x', 2),
        ('"\\u12g', 5),
        (b'"\xff', 1),
        (b'"\xc3(', 2),
        (b'"\xc3"', 2),
        (b'"\xed\xa0', 2),
        (b'"\xe0\x9f', 2),
        (b'"\xf0\x8f', 2),
        (b'"\xf4\x90\x80', 2),
        (b'"\xf1\x80(', 3),
    ],
)
def test_what_is_not_json(data, at):
    assert position_of_failure(data) == at


def test_deep_nesting_and_sharing():
    depth = 10_000
    for opening, closing, inner in ((b"[", b"]", lambda v: v[0]), (b'{"k":', b"}", lambda v: v["k"])):
        for end in (b"", closing * depth, closing * (depth // 2)):
            value = partial(opening * depth + b"7" + end)
            for _ in range(depth):
                value = inner(value)
            assert value == 7
    before = Partial().feed(b'{"a": [1, 2, {"b": 3}], "c": [4')
    after = before.feed(b", 5]")
    assert before.value == {"a": [1, 2, {"b": 3}], "c": [4]}
    assert after.value == {"a": [1, 2, {"b": 3}], "c": [4, 5]}
    assert before.value["a"] is after.value["a"]  # finished parts are not made again
    assert before.feed(b"2]}").value["c"] == [42] and before.value["c"] == [4]


def test_nothing_is_one():
    assert not NOTHING and repr(NOTHING) == "NOTHING"
    assert copy.deepcopy(NOTHING) is NOTHING and pickle.loads(pickle.dumps(NOTHING)) is NOTHING
    assert repr(Partial().feed("[1")) == "<Partial JSON, 2 bytes, expects a value or ']'>"
