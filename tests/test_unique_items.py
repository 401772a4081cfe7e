"""`uniqueItems` over many values: what one more item costs, and which arrays there are, against brute force."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from counts import counted
from guides import check_guide
from hypothesis import example, given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, after, allowed, canonical, compact, oracle, walk
from test_numerals import Accepts
from test_recall import HUGE

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.json_schema import arrays
from outlines_cont.fsm.json_schema.enumeration import Enumeration
from outlines_cont.fsm.language.nodes import VOID, star, symbol
from outlines_cont.fsm.language.tries import Entries, Entry
from outlines_cont.fsm.vocabulary import Vocabulary

UNIQUE = {"type": "array", "uniqueItems": True}


def calls_of(run: Any) -> int:
    """How many functions are called."""
    count = 0

    def note(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


MANY = {
    "integers": [*range(3_000)],
    "strings": [f"value {i * 7919 % 9973}" for i in range(3_000)],
    "strings with quotes": [f'é"{i}' for i in range(3_000)],
    "mixed": [i if i % 3 else f"{i}" if i % 2 else i + 0.5 for i in range(3_000)],
}


@pytest.mark.parametrize("name", MANY)
def test_one_more_of_many_values_makes_little_anew(name):
    """Calls of functions for the masks of one item, after 30 others: none for each of the 3,000 values."""
    values = MANY[name]
    g = guide.json_schema(UNIQUE | {"items": {"enum": values}}, BYTES, spelling="any")
    chosen = Random(0).sample(values, 34)
    text = compact(chosen[:30])[:-1]
    state = after(g, text)

    def item(value: Any) -> None:
        nonlocal state
        for byte in f",{compact(value)}".encode():
            assert state is not None and byte + 1 in allowed(g, state)
            state = g.advance(state, byte + 1)

    item(chosen[30])
    counts = []
    for value in chosen[31:]:
        counts.append(calls_of(lambda value=value: item(value)))
    assert max(counts) < 60_000  # hundreds of thousands where all that are left are looked at
    assert accepts(g, f"{text},{compact(chosen[30])}]") and not accepts(g, f"{text},{compact(chosen[3])}]")


@pytest.mark.parametrize("items", [{"enum": [*range(300)]}, {"type": "integer", "minimum": 0, "maximum": 299}])
def test_an_array_of_all_values_in_some_order(items):
    g = guide.json_schema(UNIQUE | {"items": items, "minItems": 300}, BYTES, spelling="any")
    order = Random(0).sample(range(300), 300)
    state = g.initial
    for i, byte in enumerate(compact(order).encode()):
        if i % 7 == 0:
            assert byte + 1 in allowed(g, state)
        state = g.advance(state, byte + 1)
        assert state is not None
    assert g.accepting(state) and not accepts(g, compact(order[:-1])) and not accepts(g, compact(order[1:] + [5]))


FILLERS = [f"filler {i}" for i in range(70)]  # so that there are many values
scalar = st.sampled_from([0, 1, 1.0, 2, 10, 100, 1.5, 0.25, -3, True, False, None, "", "a", "ab", '"', "\\", "é", "1"])


@settings(max_examples=150, deadline=None)
@given(
    values=st.lists(scalar, min_size=1, max_size=8),
    items=st.lists(scalar | st.sampled_from(FILLERS), max_size=4),
    low=st.integers(0, 3),
    high=st.none() | st.integers(1, 4),
    options=st.sampled_from(["any", "plain"]),
    integers=st.booleans(),
)
def test_arrays_of_some_of_many_values(values, items, low, high, options, integers):
    """Exactly the lists of values without repeated ones, by JSON equality."""
    schema = UNIQUE | {"items": {"enum": values + FILLERS}, "minItems": low}
    schema |= {} if high is None else {"maxItems": high}
    if integers:
        schema["items"]["type"] = ["integer", "string"]
    if high is not None and high < low:
        return
    g = guide.json_schema(schema, BYTES, spelling=options)
    if options == "any" or not any(isinstance(item, float) for item in values + items):
        assert accepts(g, compact(items)) is oracle(schema)(compact(items))
    text = walk(g, Random(len(items)), steps=30)
    assert text is None or HUGE.search(text) or oracle(schema)(text), text


def test_draft_4_integers_of_many_are_left_out_in_every_spelling():
    items = {"type": "integer", "enum": [*range(100)]}
    g = guide.json_schema(
        UNIQUE | {"$schema": "http://json-schema.org/draft-04/schema#", "items": items}, BYTES, spelling="any"
    )
    assert (
        accepts(g, "[1,10,2]") and not accepts(g, "[1,1]") and not accepts(g, "[1,2.0]") and not accepts(g, "[1,2e0]")
    )


texts = st.text("ab", max_size=3)


@settings(max_examples=100, deadline=None)
@given(
    entries=st.lists(st.tuples(texts, st.booleans(), st.booleans()), max_size=8, unique=True),
    struck=st.integers(0, 255),
)
def test_entries_less_those_that_are_struck_out(entries, struck):
    more = star(symbol(ord("a"))) + symbol(ord("b"))
    made = Entries(Entry(text, ends or not goes_on, more if goes_on else VOID) for text, ends, goes_on in entries)
    struck &= (1 << len(entries)) - 1
    node = made.without(struck)
    left = [entry for i, entry in enumerate(made.entries) if not struck >> i & 1]
    accepts_text = (lambda text: False) if node is VOID else Accepts(node)
    for text in map("".join, (p for n in range(5) for p in product("ab", repeat=n))):
        tails = [(entry, text[len(entry.text) :]) for entry in left if text.startswith(entry.text)]
        ended = any(entry.ends and not tail for entry, tail in tails)
        went_on = any(entry.more is not VOID and tail.count("b") == tail[-1:].count("b") == 1 for entry, tail in tails)
        assert accepts_text(text) == (ended or went_on), text


@settings(max_examples=200)
@given(choices=st.lists(st.tuples(st.integers(0, 31), st.integers(1, 2)), max_size=4))
def test_whether_each_can_have_a_value_of_its_own(choices):
    each = [[i for i in range(5) if values >> i & 1] for values, times in choices for _ in range(times)]
    expected = any(len(set(chosen)) == len(chosen) for chosen in product(*each))
    assert arrays._can_all_differ(choices) is expected


# ------------------------------------------------------------------------------------------ values within themselves


def types(count: int) -> dict[str, Any]:
    """Types that lead to one another, each an array of all the others."""
    others = {f"t{i}": [{"$ref": f"#/$defs/t{j}"} for j in range(count) if j != i] for i in range(count)}
    defs = {name: UNIQUE | {"prefixItems": items, "items": False} for name, items in others.items()}
    return {"$defs": defs, "$ref": "#/$defs/t0"}


@pytest.mark.parametrize("count", [3, 4, 5, 7])
def test_types_that_lead_to_one_another_are_listed_in_rounds(count, monkeypatch):
    """How often something is listed: it was more than factorial (thousands of times for four types)."""
    asked, once = 0, Enumeration._all

    def counted(self: Any, *arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return once(self, *arguments)

    monkeypatch.setattr(Enumeration, "_all", counted)
    g = guide.json_schema(types(count), BYTES, spelling="any")
    assert accepts(g, "[[],[[]]]") and not accepts(g, "[[],[]]")
    assert asked < 40 * count


reference = st.sampled_from(["a", "b", "c"]) | st.sampled_from([0, 1, None])


@settings(max_examples=80, deadline=None)
@given(
    defs=st.fixed_dictionaries(
        {name: st.tuples(st.lists(reference, max_size=2), st.integers(0, 2), st.booleans()) for name in "abc"}
    ),
    extra=st.lists(st.sampled_from([0, 1]), max_size=1),
)
def test_values_of_types_that_lead_to_one_another(defs, extra):
    """As many unique items as there are values, if these are few; and not one more."""
    most = 12

    def schema_of(item: Any) -> Any:
        return {"$ref": f"#/$defs/{item}"} if isinstance(item, str) else {"const": item}

    values: dict[str, dict[str, Any]] = {name: {} for name in defs}
    while True:  # the least fixed point, from below
        before = {name: len(some) for name, some in values.items()}
        for name, (items, low, unique) in defs.items():
            parts = [list(values[x].values()) if isinstance(x, str) else [x] for x in items]
            for size in range(low, len(items) + 1):
                for chosen in product(*parts[:size]):
                    if not unique or len(set(map(canonical, chosen))) == size:
                        values[name][canonical([*chosen])] = [*chosen]
        if max(map(len, values.values())) > most or before == {name: len(some) for name, some in values.items()}:
            break
    if max(map(len, values.values())) > most:
        return
    made = {
        name: {"type": "array", "prefixItems": [schema_of(x) for x in items], "items": False, "minItems": low}
        | ({"uniqueItems": True} if unique else {})
        for name, (items, low, unique) in defs.items()
    }
    items = {"anyOf": [{"$ref": "#/$defs/a"}, *({"const": x} for x in extra)]}
    count = len(values["a"]) + len(extra)
    schema = UNIQUE | {"items": items, "$defs": made, "minItems": count}
    everything = [*values["a"].values(), *extra]
    if count:
        assert accepts(guide.json_schema(schema, BYTES, spelling="any"), compact(everything))
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema(schema | {"minItems": count + 1}, BYTES, spelling="any")


@settings(max_examples=40, deadline=None)
@given(low=st.integers(0, 3), least=st.integers(1, 3), seed=st.integers(0, 9))
def test_contains_beside_unique_items(low, least, seed):
    """Against brute force: all arrays of some of four values."""
    schema = UNIQUE | {"items": {"enum": [0, 1, 2, "a"]}, "contains": {"enum": [1, 2, "a"]}}
    schema |= {"minContains": least, "minItems": low}
    g, valid = guide.json_schema(schema, BYTES, spelling="any"), oracle(schema)
    for size in range(5):
        for chosen in permutations([0, 1, 2, "a"], size):
            assert accepts(g, compact(list(chosen))) is valid(compact(list(chosen))), chosen
    text = walk(g, Random(seed))
    assert text is None or HUGE.search(text) or valid(text)


def test_many_that_contains_asks_for():
    """Choices of one kind are counted: not one question for each, in whatever order they were chosen."""
    many = UNIQUE | {"contains": {"enum": [*range(0, 400, 2)]}, "minContains": 20, "items": {"enum": [*range(400)]}}
    g = guide.json_schema(many, BYTES, spelling="any")
    even = [*range(0, 40, 2)]
    assert (
        accepts(g, compact(even)) and not accepts(g, compact(even[1:])) and not accepts(g, compact(even[1:] + [1, 3]))
    )
    assert calls_of(lambda: guide.json_schema(many | {"minContains": 21}, BYTES, spelling="any")) < 300_000


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True), min_size=1, max_size=5),
    st.lists(st.integers(0, 5), max_size=3),
)
def test_prefixes_that_overlap(lists, begun):
    """Which arrays there are whose items differ and are each of a list of its own."""
    g = None
    whole = [x for x in product(*lists) if len({*x}) == len(x)]
    schema = UNIQUE | {"prefixItems": [{"enum": values} for values in lists], "items": False, "minItems": len(lists)}
    try:
        g = guide.json_schema(schema, BYTES, spelling="any")
    except ConstraintError:
        assert not whole
    if g is not None:
        assert whole
        assert after(g, compact(begun)[:-1]) is not None or not any([*x[: len(begun)]] == begun for x in whole)
        for items in product(*lists):
            assert accepts(g, compact([*items])) == (items in whole), items


def test_whether_many_prefixes_can_differ_is_asked_once_for_each_way():
    """Not once for each prefix of each way: 3 items of 100 lists of 20 integers."""
    random = Random(1)
    lists = [random.sample(range(400), 20) for _ in range(100)]
    schema = UNIQUE | {"prefixItems": [{"enum": values} for values in lists], "minItems": 100}
    text = compact([lists[0][0]])[:-1] + ","
    g, calls = counted(lambda: (g := guide.json_schema(schema, BYTES, spelling="any"), after(g, text))[0])
    assert calls.python["outlines_cont/fsm/json_schema/arrays.py", "_matching"] < 200
    assert allowed(g, after(g, text))


def test_many_compounds_that_must_differ_are_refused_before_they_are_read():
    def schema(count, **more):
        return UNIQUE | {"items": {"enum": [{"a": i} for i in range(count)]}} | more

    problem = "#/uniqueItems: 'uniqueItems' over 3000 lists and objects of an 'enum' is not supported: at most 256 are"

    def compiled():
        with pytest.raises(ConstraintError, match=problem):
            guide.json_schema(schema(3_000), BYTES, spelling="any")

    assert counted(compiled)[1].ours < 200_000
    assert accepts(guide.json_schema(schema(256), BYTES, spelling="any"), '[{"a":3},{"a":255}]')
    assert accepts(guide.json_schema(schema(300, maxItems=1), BYTES, spelling="any"), '[{"a":299}]')


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "uniqueItems": True},
        {"type": "array", "items": {"type": "array", "uniqueItems": True}, "minItems": 1, "uniqueItems": True},
        {"type": "array", "prefixItems": [{"type": "string"}, {"const": 1}], "items": False, "uniqueItems": True},
        {"type": ["object", "string"], "additionalProperties": {"type": "array", "uniqueItems": True}},
    ],
)
def test_what_no_tokens_can_end_is_not_begun(schema):
    for missing, longer in ((b"]", []), (b"}", []), (b"1", [b"{1b"]), (b",", [b",,"])):
        single = [bytes([byte]) for byte in b'[]{},:"ab01' if byte not in missing]
        vocabulary = Vocabulary([b"<eos>", *single, *longer], eos=[0])
        try:
            g = guide.json_schema(schema, vocabulary, extra="schema", spelling="any")
        except ConstraintError as error:
            assert "cannot be spelled with this vocabulary" in str(error)
            continue
        check_guide(g, walks=12, steps=6, tokens=60)


@pytest.mark.parametrize("step", [{"multipleOf": 1e-17}, {}])
@pytest.mark.parametrize(
    ("low", "high", "count"),
    [(1, 1.0000000000000002, 3), (-1.0000000000000002, -1, 3), (9.999999999999998, 10.000000000000002, 23)],
)
def test_only_numbers_that_python_writes_can_be_different_items(low, high, count, step):
    schema = {
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "number", "minimum": low, "maximum": high, **step},
    }
    g = guide.json_schema(schema | {"minItems": count}, BYTES, spelling="plain")
    text = walk(g, Random(1), steps=0, finish=800)
    assert text is not None and len(set(map(Fraction, text.decode()[1:-1].split(",")))) == count
    with pytest.raises(ConstraintError, match='spelling="any"'):
        guide.json_schema(schema | {"minItems": count + 1}, BYTES, spelling="plain")


conditions = st.fixed_dictionaries(
    {},
    optional={
        "uniqueItems": st.just(True),
        "items": st.sampled_from(
            [
                {"required": ["b"]},
                {"properties": {"c": {"type": "integer"}}},
                {"type": "object"},
                {"items": {"minimum": 1}},
            ]
        ),
        "maxItems": st.integers(0, 2),
        "contains": st.sampled_from([{"required": ["c"]}, {"uniqueItems": True}]),
    },
)
some = st.recursive(
    st.sampled_from([0, 1, "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("bcd"), inner, max_size=2),
    max_leaves=6,
)


RECORDS = {"items": {"required": ["b"], "properties": {"c": {"type": "integer"}}}, "uniqueItems": True}


@settings(max_examples=150)
@example(inner=RECORDS, outer={}, least=2, values=[[{"c": "a"}], {"b": "1"}])
@given(inner=conditions, outer=conditions, least=st.integers(0, 2), values=st.lists(some, min_size=1, max_size=8))
def test_arrays_that_remember_their_items_beside_others(inner, outer, least, values):
    """Whichever of them an array may still be, a name in an item is the same text."""
    schema = {**outer, "contains": inner, "minContains": least}
    g = guide.json_schema(schema, BYTES, order="any", extra="schema")
    valid = oracle(schema)
    for value in [*values, values]:
        text = compact(value)
        assert accepts(g, text) == valid(text), (schema, text)
