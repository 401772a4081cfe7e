"""What states remember: no name twice in an object, no item twice in an array of `uniqueItems`."""

import json
import re
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, after, allowed, canonical, compact, oracle, read, walk

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.guide import AutomatonGuide as Guide
from outlines_cont.fsm.vocabulary import Vocabulary

UNIQUE = {"type": "array", "uniqueItems": True}
scalars = st.sampled_from(
    [None, True, False, 0, 1, 1.0, -1, 0.5, 10, 100, "", "a", ",", "]", '"', "[1,2]", "1", "é", "\\"]
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", ","]), inner, max_size=2)
    ),
    max_leaves=4,
)
spelled = {1: ["1", "1.0", "1e0", "10E-1"], 100: ["100", "1e2", "100.0"], 0: ["0", "-0", "0.0", "0e7"]}


def spell(value: object, data: st.DataObject, spaces: bool) -> str:
    """A value in one of its spellings."""
    if isinstance(value, list):
        comma = data.draw(st.sampled_from([",", " , ", ", "])) if spaces else ","
        return "[" + comma.join(spell(item, data, spaces) for item in value) + "]"
    if isinstance(value, dict):
        members = [f"{json.dumps(name)}:{spell(item, data, spaces)}" for name, item in value.items()]
        return "{" + ",".join(data.draw(st.permutations(members))) + "}"
    if isinstance(value, bool) or value not in spelled:
        return json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    return data.draw(st.sampled_from(spelled[value]))


@settings(max_examples=100, deadline=None)
@given(items=st.lists(values, min_size=2, max_size=4), twice=st.booleans(), spaces=st.booleans(), data=st.data())
def test_items_come_once_however_they_are_spelled(items, twice, spaces, data):
    if twice:
        items = [*items, data.draw(st.sampled_from(items))]
    g = guide.json_schema(
        UNIQUE, BYTES, order="any", extra="schema", whitespace="flexible" if spaces else "compact", spelling="any"
    )
    text = "[" + ",".join(spell(item, data, spaces) for item in items) + "]"
    expected = len(set(map(canonical, read(text)))) == len(items)
    assert oracle(UNIQUE)(text) is expected
    assert accepts(g, text) is expected, text


NESTED = {
    "type": "array",
    "uniqueItems": True,
    "items": {"type": "array", "uniqueItems": True, "items": {"enum": [1, 2, [1]]}},
}


@settings(max_examples=150, deadline=None)
@given(value=st.lists(st.lists(st.sampled_from([1, 2, [1], 2.0, 3]), max_size=3), max_size=4))
def test_unique_arrays_of_unique_arrays(value):
    assert accepts(guide.json_schema(NESTED, BYTES, spelling="any"), compact(value)) is oracle(NESTED)(compact(value))


@pytest.mark.parametrize("high", [0, 1, 2, 3, None])
@pytest.mark.parametrize("low", [0, 2])
@pytest.mark.parametrize("items", [{"enum": ["a", 1, None]}, {"type": "boolean"}, {"enum": [[1], {"a": 1}, 1.0, 1]}])
def test_all_short_arrays_against_brute_force(items, low, high):
    schema = {"type": "array", "uniqueItems": True, "items": items, "minItems": low}
    schema |= {} if high is None else {"maxItems": high}
    candidates = items.get("enum", [True, False])
    try:
        g = guide.json_schema(schema, BYTES, spelling="any")
    except ConstraintError:
        assert high is not None and high < low
        return
    valid = oracle(schema)
    for size in range(5):
        for chosen in product(candidates, repeat=size):
            text = compact(list(chosen))
            assert accepts(g, text) is valid(text), text
    assert_no_dead_ends(g)


def assert_no_dead_ends(g: Guide, limit: int = 250) -> int:
    """Every state can be left, and its mask is what `advance` takes; how many states there are."""
    seen, todo = {g.initial}, [g.initial]
    while todo and len(seen) < limit:
        state = todo.pop()
        options = allowed(g, state)
        assert options, f"a dead end: {state}"
        assert options == [t for t in range(len(g.vocabulary)) if g.advance(state, t) is not None]
        for token in options:
            following = g.advance(state, token)
            if following >= 0 and following not in seen:
                seen.add(following)
                todo.append(following)
    return len(seen)


FINITE = [
    ({"patternProperties": {"^[ab]$": {"enum": [0, "x"]}}, "additionalProperties": False, "minProperties": 2}, 8),
    ({"patternProperties": {"^[ab]$": {"const": 1}}, "additionalProperties": False, "minProperties": 1}, 4),
    ({"propertyNames": {"enum": ["a", "b", "c"]}, "additionalProperties": {"type": "null"}, "minProperties": 2}, 12),
    ({"propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"const": 0}, "maxProperties": 1}, 3),
    (
        {
            "properties": {"a": {"const": 0}},
            "propertyNames": {"enum": ["a", "b"]},
            "additionalProperties": {"const": 0},
            "required": ["b"],
        },
        2,
    ),
]


@pytest.mark.parametrize(("schema", "count"), FINITE)
def test_names_of_which_there_are_few(schema, count):
    """All objects are found by walking every token, and nothing else; no walk comes to a dead end."""
    schema = {"type": "object", **schema}
    plain = Vocabulary([b"<eos>", *(t for t in BYTES.tokens[1:257])], eos=[0])
    g = guide.json_schema(schema, plain, order="schema", spelling="any")
    found: set[bytes] = set()
    todo = [(g.initial, b"")]
    while todo:
        state, text = todo.pop()
        options = allowed(g, state)
        assert options, text
        todo += [
            (g.advance(state, t), text + plain.tokens[t]) for t in options if t and plain.tokens[t] not in b"\\.eE-"
        ]
        found |= {text} if g.accepting(state) else set()
    assert all(map(oracle(schema), found))
    assert len(found) == count, sorted(found)


def test_names_that_run_out():
    """Finitely many names, more than there may be properties of them."""
    names = {"patternProperties": {"^[ab]$": {"type": "integer"}}, "additionalProperties": False, "type": "object"}
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema({**names, "minProperties": 3}, BYTES, spelling="any")
    g = guide.json_schema(names, BYTES, spelling="any")
    assert after(g, '{"a":1,"b":2') is not None
    assert after(g, '{"a":1,"b":2,') is None
    assert after(g, '{"a":1,"a"') is None


SPANNING = [
    (UNIQUE, b"[1,", [b"1]", b"1,", b"2]", b"2,3]", b"2,2]", b"2,1]", b"12]", b"1.0]", b"1.5,", b"2,3,2]", b"2,3,"]),
    (
        UNIQUE,
        b"",
        [b"[1]", b"[1,1]", b"[1,2]", b"[1,1.0,", b"[1,2,", b'["a","a"', b'["a","a",', b'["a","b",', b"[[1],[1]"],
    ),
    (
        {"type": "object"},
        b'{"a":1',
        [b',"a":', b',"b":', b',"a', b',"ab":', b',"a"', b"}", b',"b":1,"a":', b',"b":1,"c":1}'],
    ),
    (
        {"type": "object"},
        b'{"a',
        [b'":1,"a":1}', b'":1,"b":1}', b'b":1,"a":1}', b'b":1,"ab":1}', b'":{"a":1,"a', b'":{"a":1}}'],
    ),
    (
        {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 1},
        b'{"a"',
        [b":0,", b':0,"', b":0}", b' : 0 ,"b"'],
    ),
    (
        {"type": "object"},
        b'{"a"',
        [b':0,"', b':"",', b':"","', b':"","a', b':[1,2],"a"', b':[1,2],"b"', b": {},"],
    ),
    (
        {"properties": {"a": {}, "b": {}}, "additionalProperties": True},
        b"{",
        [b'"a":1,"a":', b'"a":1,"b":', b'"c":1,"c":1', b'"c":1,"d":1'],
    ),
]


@pytest.mark.parametrize(("schema", "start", "tokens"), SPANNING)
def test_masks_with_tokens_that_span_items_and_names(schema, start, tokens):
    """A token may come if and only if its bytes may; a mask says so at once."""
    v = Vocabulary([b"<eos>", *(bytes([i]) for i in range(256)), *tokens], eos=[0])
    g, bytewise = guide.json_schema(schema, v, spelling="any"), guide.json_schema(schema, BYTES, spelling="any")
    state = after(g, start)
    assert state is not None
    options = allowed(g, state)
    for t, token in enumerate(tokens, 257):
        alone = after(bytewise, start + token) is not None
        assert (t in options) is alone is (g.advance(state, t) is not None), token
    assert options == [t for t in range(len(v)) if g.advance(state, t) is not None]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), spaces=st.sampled_from(["compact", "flexible"]))
def test_random_walks_never_repeat_themselves(seed, spaces):
    schema = {
        "type": "object",
        "additionalProperties": {"type": "array", "uniqueItems": True, "items": {"enum": ["a", 1, [1], {"a": 1}, ","]}},
        "properties": {"b": {"$ref": "#"}},
    }
    g = guide.json_schema(schema, BYTES, whitespace=spaces, order="any", spelling="any")
    text = walk(g, Random(seed), steps=60)
    assert text is not None and oracle(schema)(text), text  # `read` refuses a name that comes twice


@settings(max_examples=40, deadline=None)
@example(seed=219)  # names that only an earlier item has
@given(seed=st.integers(0, 2**32))
def test_states_that_remember_are_values(seed):
    """They may be kept, compared, hashed and gone back to; another guide, asked in another order, says the same."""
    schema, random = {"type": "array", "uniqueItems": True, "items": {"type": ["object", "boolean"]}}, Random(seed)
    g, other = (
        guide.json_schema(schema, BYTES, spelling="any"),
        guide.json_schema(schema, BYTES, order="any", spelling="any"),
    )
    data = walk(g, random, steps=30)
    assert data is not None
    states = [g.initial]
    for byte in data:
        states.append(g.advance(states[-1], byte + 1))
    assert len({type(state) for state in states}) == 1 and len(set(states)) > 1
    cuts = random.sample(range(len(data)), min(8, len(data)))
    for cut in cuts:
        assert g.advance_all(states[cut], (byte + 1 for byte in data[cut:])) == states[-1]
        assert after(g, data[:cut]) == states[cut]
        here = after(other, data[:cut])
        assert here is not None and (other.mask(here) == g.mask(states[cut])).all()
        assert other.accepting(here) == g.accepting(states[cut])


NUMBERS = [
    ("[1e23,100000000000000000000000]", False),
    ("[0.1,0.10000000000000000000001]", True),
    ("[1e99,1]", True),
    ("[1e999,1e999]", False),
    ("[-1e99,1e99,0]", True),
    ("[1e-400,0]", True),
    ("[-0.0,0]", False),
    (f"[{'1' * 300},2]", True),
    (f"[{'1' * 5000},2]", True),
    (f"[{'1' * 500},{'2' * 500}]", False),  # over 400 digits are not compared: one such number, at most
]


@pytest.mark.parametrize(("text", "unique"), NUMBERS, ids=[text[:24] for text, _ in NUMBERS])
def test_numbers_are_compared_as_they_are_written(text, unique):
    assert accepts(guide.json_schema(UNIQUE, BYTES, spelling="any"), text) is unique


def test_a_map_of_many_names_is_not_quadratic():
    """The automata that a name costs do not grow with the names before it."""
    schema = {"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}
    g = guide.json_schema(schema, BYTES, spelling="any")
    counts, state = [], after(g, "{")
    for i in range(60):
        before = len(g._automaton)
        state = g.advance_all(state, (byte + 1 for byte in f'{"," if i else ""}"x{i:02}":1'.encode()))
        counts.append(len(g._automaton) - before)
    assert accepts(g, '{"x1":1,"x2":1}') and state is not None
    assert max(counts[30:]) <= 2 * max(counts[2:30])


@pytest.mark.parametrize("high", [1, 2, 3, None])
@pytest.mark.parametrize("contains", [{"enum": [1]}, {"type": "integer"}, {"enum": ["a", 2]}, {"type": "array"}])
def test_unique_items_one_of_which_has_to_be(contains, high):
    schema = {"type": "array", "uniqueItems": True, "contains": contains} | ({} if high is None else {"maxItems": high})
    g = guide.json_schema(schema, BYTES, extra="schema", spelling="any")
    for size in range(4):
        for items in product([1, 2, "a", [1], "1"], repeat=size):
            text = compact(list(items))
            assert accepts(g, text) is oracle(schema)(text), text


@pytest.mark.parametrize("high", [1, 2, 3])
def test_tokens_over_several_commas_are_held_to_the_number_of_items(high):
    pieces = [b'","', b'","a","', b'",1,', b"1,", b",1,1", b'"a",', b'","a",']
    v = Vocabulary([b"<eos>", *(bytes([byte]) for byte in range(256)), *pieces], eos=[0])
    g = guide.json_schema({"type": "array", "uniqueItems": True, "maxItems": high}, v, spelling="any")
    single = {token: i for i, token in enumerate(v.tokens)}
    for text in (b"[", b'["', b'["b', b'["b"', b"[1", b'[1,"b', b'["b","a'):
        state = g.advance_all(g.initial, [single[bytes([byte])] for byte in text])
        if state is not None:
            expected = [token for token in range(len(v)) if g.advance(state, token) is not None]
            assert allowed(g, state) == expected, text


HUGE = re.compile(rb"[eE][+-]?\d{4}")  # exponents that the oracle would work out
BOOLEAN, NOTHING = {"type": "boolean"}, {"type": "object", "additionalProperties": False}
TWO_KEYS = {"a": {"type": "boolean"}, "b": {"enum": [1, 2, 2.0]}}
COUNTED = [
    (NOTHING, 1),
    (NOTHING | {"properties": TWO_KEYS}, 9),
    (NOTHING | {"properties": TWO_KEYS, "required": ["b"]}, 6),
    (NOTHING | {"properties": TWO_KEYS, "minProperties": 1, "not": {"const": {"a": True}}}, 7),
    (NOTHING | {"properties": {"a": BOOLEAN}, "patternProperties": {"^[xy]$": {"const": 0}}, "maxProperties": 2}, 10),
    ({"type": "array", "items": BOOLEAN, "maxItems": 2}, 7),
    ({"type": "array", "items": BOOLEAN, "uniqueItems": True}, 5),
    ({"type": "array", "prefixItems": [BOOLEAN], "items": False, "contains": {"const": True}}, 1),
    ({"type": "number", "minimum": 0, "exclusiveMaximum": 1, "multipleOf": 0.25}, 4),
    ({"type": "number", "minimum": 0, "maximum": 3, "multipleOf": 0.5, "not": {"type": "integer"}}, 3),
    ({"type": "number", "minimum": 1.5, "maximum": 1.5}, 1),
    ({"type": "integer", "minimum": 1, "maximum": 70}, 70),
    ({"type": ["string", "null"], "pattern": "^[ab]{1,2}$"}, 7),
    ({"enum": [1, 1.0, [1], [1.0], {"a": 1}, 2]}, 4),
    ({"anyOf": [{"const": 1}, {"type": "integer", "minimum": 0, "maximum": 2}]}, 3),
]


@pytest.mark.parametrize(("items", "count"), COUNTED, ids=[compact(items) for items, _ in COUNTED])
def test_unique_items_run_out(items, count):
    schema = {"type": "array", "uniqueItems": True, "items": items, "minItems": count}
    g = guide.json_schema(schema, BYTES, extra="schema", spelling="any")
    for seed in range(3):
        text = walk(g, Random(seed), steps=0, finish=4000)
        assert text is not None and (HUGE.search(text) or oracle(schema)(text)), text
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema(schema | {"minItems": count + 1}, BYTES, extra="schema", spelling="any")


VALUES = {
    compact(BOOLEAN): [True, False],
    '{"type":"integer"}': [*range(-3, 10)],
    '{"type":"integer","minimum":1,"maximum":3}': [1, 2, 3],
    '{"type":"array","items":{"const":0},"maxItems":1}': [[], [0]],
    compact(NOTHING | {"properties": {"a": BOOLEAN}}): [{}, {"a": True}, {"a": False}],
    '{"type":["integer","boolean"],"maximum":1,"minimum":1}': [1, True, False],
}
places = st.sampled_from([*VALUES]) | st.lists(st.sampled_from([1, 2, 3, True, [0], {}]), min_size=1, max_size=2).map(
    lambda values: compact({"enum": values})
)


@settings(max_examples=60)
@given(prefix=st.lists(places, max_size=4), items=places, low=st.integers(0, 5), seed=st.integers(0, 9))
def test_items_that_later_ones_need_are_left_to_them(prefix, items, low, seed):
    """There are such arrays if each item can have a value of its own; and then none that is begun is a dead end."""
    schema = {"type": "array", "prefixItems": [json.loads(x) for x in prefix], "items": json.loads(items)}
    schema |= {"uniqueItems": True, "minItems": low}

    def some(i: int, seen: frozenset[str]) -> bool:
        if i == low:
            return True
        here = (prefix + [items] * low)[i]
        values = VALUES.get(here) or json.loads(here)["enum"]
        return any(some(i + 1, seen | {text}) for text in map(canonical, values) if text not in seen)

    if not some(0, frozenset()):
        with pytest.raises(ConstraintError, match="matches no string"):
            guide.json_schema(schema, BYTES, extra="schema", spelling="any")
        return
    g = guide.json_schema(schema, BYTES, extra="schema", spelling="any")
    for i in range(4):
        text = walk(g, Random(seed + 10 * i), steps=8 * i, finish=300)
        assert text is None or HUGE.search(text) or oracle(schema)(text), text


@pytest.mark.parametrize(
    ("items", "low", "some"),
    [
        ([{"type": "null"}], 2, False),  # a first one would hold another
        ([{"type": "boolean"}], 2, True),
        ([{"type": "boolean"}], 3, False),
        ([{"type": "boolean"}, {"const": []}], 3, True),
        ([{"type": "object", "properties": {"n": {"$ref": "#"}}, "additionalProperties": False}], 2, False),
        ([{"type": "object", "properties": {"n": {"$ref": "#"}}, "additionalProperties": False}], 1, True),
        ([{"type": "object", "additionalProperties": {"$ref": "#"}}], 2, False),
    ],
)
def test_unique_items_within_themselves(items, low, some):
    """What holds itself has values if there is a first one: a least fixed point."""
    schema = {"type": "array", "uniqueItems": True, "minItems": low, "maxItems": 3}
    schema |= {"items": {"anyOf": [*items, {"$ref": "#"}]}}
    if not some:
        with pytest.raises(ConstraintError, match="matches no string"):
            guide.json_schema(schema, BYTES, extra="schema", spelling="any")
        return
    g = guide.json_schema(schema, BYTES, extra="schema", spelling="any")
    for seed in range(8):
        text = walk(g, Random(seed), steps=6 * seed)
        assert text is None or oracle(schema)(text), text


def test_values_that_are_listed_while_others_are():
    """What was found of a value within itself is not taken for all of it, once there is more."""
    held = {"type": "object", "properties": {"p": {"$ref": "#/$defs/E"}}, "required": ["p"]}
    text = {"type": "object", "properties": {"s": {"type": "string"}}, "required": ["s"], "additionalProperties": False}
    first = {"anyOf": [{"$ref": "#/$defs/held"}, text]}
    three = {"uniqueItems": True, "minItems": 3, "maxItems": 3}
    defs = {
        "held": held | {"additionalProperties": False},
        "W": {"type": "array", "minItems": 1, "prefixItems": [first], "items": {"const": 1}},
        "E": {"anyOf": [{"const": "e"}, {"allOf": [{"$ref": "#/$defs/W"}, {"maxItems": 1}]}]},
        "j": {"anyOf": [{"allOf": [{"$ref": "#/$defs/W"}, three]}, {"$ref": "#/$defs/held"}]},
    }
    schema = UNIQUE | {"items": {"$ref": "#/$defs/j"}, "minItems": 3, "$defs": defs}
    value = compact([{"p": "e"}, {"p": [{"s": "a"}]}, {"p": [{"s": "b"}]}])
    assert oracle(schema)(value) and accepts(guide.json_schema(schema, BYTES, extra="schema", spelling="any"), value)


def test_numbers_that_are_listed_are_as_they_are_written():
    items = {"type": "number", "minimum": 0, "maximum": 0.3, "multipleOf": 0.1, "not": {"const": 0.1}}
    g = guide.json_schema(UNIQUE | {"items": items, "minItems": 3}, BYTES, extra="schema", spelling="any")
    assert accepts(g, "[0,0.2,0.3]") and not accepts(g, "[0,0.1,0.3]")
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema(UNIQUE | {"items": items, "minItems": 4}, BYTES, extra="schema", spelling="any")


def test_few_values_that_are_asked_for_twice():
    """Many orders of the same choices are one question; and an item is left to a later one that a rule asks for."""
    items = {"type": "integer", "minimum": 1, "maximum": 16}
    few = UNIQUE | {"items": items, "contains": {"enum": [*range(1, 8)]}, "minItems": 16}
    g = guide.json_schema(few | {"maxContains": 7}, BYTES, extra="schema", spelling="any")
    assert accepts(g, compact([*range(16, 0, -1)])) and not accepts(g, compact([*range(1, 16)]))
    with pytest.raises(ConstraintError, match="matches no string"):
        guide.json_schema(few | {"minContains": 8}, BYTES, extra="schema", spelling="any")
    letters = {"enum": ["a", "b", "c"]}
    last = {"not": {"prefixItems": [True] * 3, "items": {"const": "z"}}}
    schema = UNIQUE | {"prefixItems": [{}, letters, letters, {"enum": ["a", "b", "c", "z"]}], "items": False} | last
    g = guide.json_schema(schema, BYTES, extra="schema", spelling="any")
    for text in ('["a"', '["b"', '["a","b"'):
        state = after(g, text)
        assert state is None or allowed(g, state), text
    zeros = {"type": "array", "items": {"const": 0}, "minItems": 2000}
    guide.json_schema(
        UNIQUE | {"items": {"anyOf": [{"const": 1}, zeros]}, "minItems": 2}, BYTES, extra="schema", spelling="any"
    )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), longest=st.integers(1, 8))
def test_a_token_leads_where_its_bytes_lead_however_often_it_comes(seed, longest):
    """The first time states are made on the way; later they are read from tables."""
    unique = {"type": "array", "uniqueItems": True, "items": {"enum": ["a", 1, [1], {"a": 1}, ","]}}
    schema = {"type": "object", "properties": {"name": {"$ref": "#"}, "nano": {}}, "additionalProperties": unique}
    random = Random(seed)
    data = walk(guide.json_schema(schema, BYTES, order="any", spelling="any"), random, steps=40)
    assert data is not None
    cuts = [0]
    while cuts[-1] < len(data):
        cuts.append(min(len(data), cuts[-1] + random.randint(1, longest)))
    pieces = [data[start:stop] for start, stop in pairwise(cuts)]
    refused = [piece[:-1] + bytes([random.randrange(256)]) for piece in pieces]
    v = Vocabulary([b"<eos>", *(bytes([i]) for i in range(256)), *pieces, *refused], eos=[0])
    g = guide.json_schema(schema, v, order="any", spelling="any")
    twice = []
    for bytewise in (False, True, False):
        state, trail = g.initial, []
        for n, piece in enumerate(pieces):
            trail.append((state, g.advance(state, 257 + len(pieces) + n)))
            assert (trail[-1][1] is None) is (g.advance_all(state, [1 + byte for byte in refused[n]]) is None)
            state = g.advance_all(state, [1 + byte for byte in piece] if bytewise else [257 + n])
            assert state is not None, (data, piece)
        twice.append([*trail, state])
    assert twice[0] == twice[1] == twice[2] and g.accepting(twice[0][-1])
