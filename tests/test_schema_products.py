"""Objects under a product of alternatives that no tag tells apart: followed where they are walked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts, after, compact, made, oracle, walk

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.json_schema import limits, normalize
from outlines_cont.fsm.json_schema.conjunction import EVERY_KEY, NEVER, Conjunction, Keys, Subschema, merge
from outlines_cont.fsm.json_schema.factors import with_factors
from outlines_cont.fsm.json_schema.keywords import KeywordReader

STANDARD = {"order": "any", "extra": "schema", "format": "annotate", "spelling": "any"}  # what the standard says
INTEGER, STRING, NULL = {"type": "integer"}, {"type": "string"}, {"type": "null"}


# ---------------------------------------------------------------------- shapes that came to more than 2,000 branches


def few_properties(i: int, **more: Any) -> dict[str, Any]:
    """An object whose properties, all optional, others have, too."""
    kinds = ("string", "integer", "boolean")
    names = [(i + j) % 25 for j in range(5)]
    return {"type": "object", "properties": {f"p{k}": {"type": kinds[k % 3]} for k in names}, **more}


def every(count: int, schema: Any, **more: Any) -> dict[str, Any]:
    """An object that fits all of some schemas. schema: gives the one of each index."""
    return {"type": "object", "allOf": [schema(i) for i in range(count)], **more}


def condition(i: int) -> dict[str, Any]:
    """Nothing but its own tag says what else there is."""
    tagged = {"properties": {f"t{i}": {"const": "x"}}, "required": [f"t{i}"]}
    return {"if": tagged, "then": {"required": [f"u{i}"]}, "else": {"properties": {f"u{i}": STRING}}}


def kind(i: int) -> dict[str, Any]:
    """One tag for all, which need not be there."""
    then = {"properties": {f"u{i}": STRING}, "required": [f"u{i}"]}
    return {"if": {"properties": {"type": {"const": f"t{i}"}}}, "then": then}


BOX = {"type": "array", "items": {"type": "number"}, "minItems": 4}
EXCLUDED = [{"not": {"const": {f"a{i}": 1, "b": 2, "c": i}}} for i in range(8)]
PAIRS = [{"not": {"required": [f"k{i}", f"k{j}"]}} for i in range(14) for j in range(i)]
SHAPES = {
    "one of two required, 12 times": every(12, lambda i: {"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]}),
    "exactly one of three required, 12 times": every(
        12, lambda i: {"oneOf": [{"required": [f"{c}{i}"]} for c in "abc"]}
    ),
    "three alternatives, 12 times": every(
        12,
        lambda i: {
            "anyOf": [
                {"properties": {f"{c}{i}": kind}, "required": [f"{c}{i}"]}
                for c, kind in (("a", STRING), ("b", INTEGER), ("c", NULL))
            ]
        },
    ),
    "alternatives that overlap, 12 times": every(
        12,
        lambda i: {
            "anyOf": [
                {"properties": {f"a{i}": STRING}},
                {"properties": {f"a{i}": INTEGER, f"a{(i + 1) % 12}": NULL}},
                {"properties": {f"a{i}": NULL}},
            ]
        },
    ),
    "one of 20 objects": {"oneOf": [few_properties(i) for i in range(20)]},
    "one of 20 closed objects": {"oneOf": [few_properties(i, additionalProperties=False) for i in range(20)]},
    "14 conditions": every(14, condition),
    "30 conditions on one optional tag": every(30, kind, properties={"type": STRING}),
    "14 dependent schemas": {
        "type": "object",
        "dependentSchemas": {
            f"a{i}": {"anyOf": [{"required": [f"b{i}"]}, {"properties": {f"a{i}": INTEGER}}]} for i in range(14)
        },
    },
    "16 dependent names": {"dependentRequired": {f"a{i}": [f"b{i}", f"c{i}"] for i in range(16)}},
    "not these, 8 times": every(
        8,
        lambda i: {
            "not": {
                "properties": {f"a{i}": STRING, f"b{i}": INTEGER, f"c{i}": NULL},
                "required": [f"a{i}", f"b{i}", f"c{i}"],
            }
        },
    ),
    "at most one of 14": {"type": "object", "properties": {f"k{i}": INTEGER for i in range(14)}, "allOf": PAIRS},
    "within a property": {
        "type": "object",
        "properties": {
            "k1": every(
                12,
                lambda i: {
                    "oneOf": [
                        {
                            "properties": {f"a{i}": {"type": "object", "properties": {"x": INTEGER}}},
                            "required": [f"a{i}"],
                        },
                        {"properties": {f"a{i}": False, f"b{i}": STRING}},
                    ]
                },
            )
        },
    },
    "strings as well": {
        "allOf": [
            {"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}, {"type": "string", "minLength": i}]}
            for i in range(12)
        ]
    },
    "patterns for names": every(
        10,
        lambda i: {"anyOf": [{"required": [f"a{i}"]}, {"properties": {f"a{i}": False, f"b{i}": INTEGER}}]},
        anyOf=[{"patternProperties": {"^a": STRING}}, {"patternProperties": {"^b": INTEGER}}, {"required": ["c1"]}],
    ),
    "counted": every(
        12,
        lambda i: {"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]},
        minProperties=13,
        maxProperties=16,
    ),
    "values of a map": {
        "type": "object",
        "allOf": [
            {"additionalProperties": {"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]}} for i in range(12)
        ],
    },
    "what all have in common": {
        "oneOf": [
            {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {f"p{i}": {"type": "number"}, "k1": BOX}}]}
            for i in range(15)
        ],
        "$defs": {"base": {"type": "object", "properties": {"a1": STRING, "k2": few_properties(0)}}},
    },
    "excluded objects": {
        "type": "object",
        "allOf": [*EXCLUDED, *({"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(10))],
    },
}
VALUES = [1, "x", None, True, "t3", [1, 2, 3, 4.5], {}, {"a1": {"x": 1}, "b2": "y"}]


def instances(r: Random, name: str) -> Iterator[Any]:
    """Objects that may well be valid: of each number either name, and some more."""
    letters = {"14 conditions": "tu", "30 conditions on one optional tag": "u"}.get(name, "abck")
    for _ in range(4):
        value = {
            f"{r.choice(letters)}{i}": r.choice(VALUES[: r.choice([1, 2, 8])]) for i in range(r.choice([2, 12, 14]))
        }
        value |= {r.choice(["type", "p3", "p17", "zz"]): r.choice(VALUES) for _ in range(r.randrange(3))}
        yield value
        yield {key: value[key] for key in r.sample(list(value), r.randrange(3))}
    yield from VALUES


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_of_many_branches(name):
    schema, r = SHAPES[name], Random(1)
    g, valid = made(schema, **STANDARD), oracle(schema)
    judged = [(valid(compact(x)), compact(x)) for x in instances(r, name)]
    assert g is not None
    assert [(accepts(g, text), text) for _, text in judged] == judged
    g = made(schema)
    assert g is not None or name in ("counted", "what all have in common")
    if g is not None:
        text = walk(g, r, steps=40, finish=3_000)
        assert text is not None
        if b"e" not in text.replace(b"true", b"").replace(b"false", b"").lower():  # an exponent that no oracle reads
            assert valid(text), text


def test_a_product_is_as_large_as_its_alternatives():
    """Twelve times three alternatives are 36 conjunctions, not 531,441; a text meets some states for each byte."""
    schema = SHAPES["three alternatives, 12 times"]
    normalizer = normalize.Normalizer(KeywordReader(schema, asserts_formats=True, for_generation=False))
    conjunctions = normalizer.conjunctions((normalizer.keywords.root,))
    assert len(conjunctions) == 1 and len(list(with_factors(conjunctions))) == 37
    g = made(schema, **STANDARD)
    assert g is not None
    text = compact({f"{'abc'[i % 3]}{i}": ["x", 1, None][i % 3] for i in range(12)})
    assert accepts(g, text) and len(g._automaton) < 100 * len(text)
    assert walk(g, Random(0), steps=40, finish=0) is None  # no dead end


# ------------------------------------------------------------------------------------------------ against an oracle

NAMES, SMALL = "abc", [1, 2, "x", {"a": 1}]
OBJECTS = [dict(zip(names, ("",) * n, strict=True)) for n in range(4) for names in permutations("abcd", n)]


def value_schema(r: Random) -> Any:
    schemas: list[Any] = [True, False, INTEGER, STRING, {"const": 1}, {"enum": [1, "x"]}, {"minimum": 2}]
    return r.choice([*schemas, {"not": {"const": 1}}, {"type": "object", "required": ["a"]}])


def plain_object(r: Random, depth: int = 1) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(r.randrange(1, 3)):
        which = r.randrange(11)
        if which < 3:
            schema.setdefault("properties", {})[r.choice(NAMES)] = value_schema(r)
        elif which < 6:
            schema["required"] = r.sample(NAMES, r.randrange(1, 3))
        elif which == 6:
            schema[r.choice(["minProperties", "maxProperties"])] = r.randrange(4)
        elif which == 7:
            schema["additionalProperties"] = value_schema(r)
        elif which == 8:
            schema["patternProperties"] = {r.choice(["^[ab]", "c|d"]): value_schema(r)}
        elif which == 9:
            schema["propertyNames"] = r.choice([{"enum": ["a", "b"]}, {"pattern": "^[a-c]$"}, {"minLength": 1}])
        elif depth:
            schema["dependentSchemas"] = {r.choice(NAMES): plain_object(r, 0)}
    if r.random() < 0.08:
        return {"const": {r.choice(NAMES): r.choice(SMALL)}}
    return {**schema, "type": "object"} if r.random() < 0.3 else schema


def combined(r: Random, depth: int = 2) -> dict[str, Any]:
    if depth == 0 or r.random() < 0.3:
        return plain_object(r)
    keyword = r.choice(["anyOf", "oneOf", "allOf", "if", "not", "allOf"])
    if keyword == "if":
        schema = {part: combined(r, depth - 1) for part in ("if", "then", "else")}
    elif keyword == "not":
        schema = {"not": combined(r, depth - 1)}
    else:
        schema = {keyword: [combined(r, depth - 1) for _ in range(r.randrange(2, 4))]}
    return schema | plain_object(r) if r.random() < 0.3 else schema


@contextmanager
def never_multiplying() -> Iterator[None]:
    """Every product is kept as factors, however small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "FEW_BRANCHES", 1)
        patch.setattr(limits, "FEW_MERGES", 0)
        yield


@pytest.fixture
def never_multiplied() -> Iterator[None]:
    with never_multiplying():
        yield


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**40))
@example(seed=70191)  # nothing of what held together survives a property
def test_all_small_objects_in_every_order(never_multiplied, seed):
    r = Random(seed)
    schema = {"title": f"factors {seed}", "allOf": [combined(r) for _ in range(r.randrange(2, 4))]}
    if r.random() < 0.6:
        schema["type"] = "object"
    options = {"order": r.choice(["any", "schema"]), "extra": r.choice(["schema", "schema", "forbid"])}
    g, valid = made(schema, **options), oracle(schema)
    event("no value" if g is None else str(options))
    texts = [compact({name: r.choice(SMALL) for name in x}) for x in OBJECTS] + ["1", '"x"', "null"]
    for text in texts:
        ours, theirs = g is not None and accepts(g, text), valid(text)
        exact = options == {"order": "any", "extra": "schema"}
        assert ours == theirs or (not exact and theirs), (schema, text)
    if g is None:
        return
    for _ in range(2):
        text = walk(g, r, steps=25)
        if text is not None and b"e" not in text.replace(b"true", b"").replace(b"false", b"").lower():
            assert valid(text), (schema, text)


def conditions(r: Random, names: str) -> Iterator[dict[str, Any]]:
    """Conditions of names, and of whether their values are true."""

    def some() -> dict[str, Any]:
        chosen = r.sample(names, r.choice([1, 1, 2]))
        said = {"required": chosen} if r.random() < 0.8 else {}
        if r.random() < 0.4:
            return {**said, "properties": {name: r.choice([{"const": True}, {"enum": [False]}]) for name in chosen}}
        return said or {"properties": dict.fromkeys(chosen, False)}

    for _ in range(r.randrange(2, 7)):
        name, which = r.choice(names), r.randrange(7)
        if which == 0:
            yield {"dependentRequired": {name: r.sample(names, 2) for name in r.sample(names, r.randrange(1, 5))}}
        elif which == 1:
            yield {"dependentSchemas": {name: some()}}
        elif which == 2:
            yield {"if": some(), "then": some(), "else": r.choice([True, some()])}
        elif which == 3:
            yield {r.choice(["anyOf", "anyOf", "oneOf"]): [some() for _ in range(r.randrange(2, 4))]}
        elif which == 4:
            yield {"not": some()}
        elif which == 5:
            yield {"allOf": [{"if": some(), "then": some()} for _ in range(2)]}
        elif r.random() < 0.3:
            yield {r.choice(["minProperties", "maxProperties"]): r.randrange(1, 5)}


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**40), order=st.sampled_from(["any", "schema"]))
@example(seed=210, order="any")  # one factor twice: it is not settled by itself
@example(seed=465, order="schema")
@example(seed=864, order="any")
def test_a_name_may_come_next_if_the_object_can_end_after_it(never_multiplied, seed, order):
    """Of five names with two values each: by all objects that fit; and wherever a walk gets, in any order of steps."""
    r, names = Random(seed), "abcde"
    properties = {name: {"type": "boolean"} for name in names}
    schema = {"type": "object", "properties": properties, "allOf": [{"title": f"{seed}"}, *conditions(r, names)]}
    g, valid = made({**schema, "additionalProperties": False}, order=order, extra="schema"), oracle(schema)
    every = [dict(chain(*x)) for x in product(*([(), ((n, True),), ((n, False),)] for n in names))]
    fitting = [x for x in every if valid(compact(x))]
    event(f"{len(fitting) // 50 * 50} objects or more")
    assert (g is None) == (not fitting)
    for _ in range(3 if g else 0):
        members: dict[str, bool] = {}
        possible = fitting
        while True:
            text = compact(members)[:-1]
            assert accepts(g, text + "}") == (members in possible)
            lead, last, ways = "," if members else "", max(members, default=""), []
            for name, value in r.sample([*product(names, (True, False))], 10):
                ends = [x for x in possible if name not in members and x.get(name) is value]
                if order == "schema":
                    ends = [x for x in ends if name > last and all(n in members or n >= name for n in x)]
                state = after(g, f"{text}{lead}{compact({name: value})[1:-1]}")
                assert (state is not None) == bool(ends), (schema, members, name, value)
                ways += [(name, value, ends)] * bool(ends)
            if not ways:
                break
            name, value, possible = r.choice(ways)
            members[name] = value


def small_object(r: Random) -> dict[str, Any]:
    return {"type": "object", "allOf": [combined(r) for _ in range(2)]}


def accepted(schema: dict[str, Any], texts: list[str], **options: str) -> list[bool] | None:
    """Which of some texts are accepted; None if there is no value."""
    g = made(schema, **options)
    return None if g is None else [accepts(g, text) for text in texts]


def must_have_some(schema: dict[str, Any]) -> bool:
    """Whether some property must exist, whatever its name: for generation it may be of another kind than the schema of
    its name speaks of, and where several could be it, a product does not choose which of them is."""
    normalizer = normalize.Normalizer(KeywordReader(schema, asserts_formats=True, for_generation=True))
    return any(one.exists for one in normalizer.conjunctions((normalizer.keywords.root,)))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**40))
@example(seed=2)  # two orders of names
@example(seed=6)  # neither a number of at least 2, nor a smaller one, for generation
@example(seed=163)  # the same within a value
@example(seed=165)  # an alternative that only has undeclared names
@example(seed=70687)  # an alternative declares names that a closed object has only if it holds, too
def test_as_if_it_were_multiplied_out(seed):
    """For generation, with names in the schema's order: all that the branches have, the product has."""
    r = Random(seed)
    schema = small_object(r)
    texts = [compact({name: r.choice(SMALL) for name in x}) for x in OBJECTS]
    multiplied = accepted({**schema, "title": "multiplied"}, texts)
    with never_multiplying():
        factors = accepted({**schema, "title": "factors"}, texts)
    assert multiplied is None or factors is not None
    if multiplied is None or factors is None or must_have_some(schema):
        return
    for text, before, ours in zip(texts, multiplied, factors, strict=True):
        assert ours or not before, (schema, text)


def names_of(schema: Any, fits: bool = True) -> tuple[list[str], list[str]]:
    """The names that a schema has under `properties`, and those of other keywords. fits: whether values fit it."""
    if isinstance(schema, bool):
        return [], []
    properties, others = list(schema.get("properties", ())), list(schema.get("required", ()))
    if "const" in schema and fits and isinstance(schema["const"], dict):
        properties += schema["const"]
    others += schema.get("dependentSchemas", ())
    inner: list[tuple[Any, bool]] = [(part, fits) for key in ("allOf", "anyOf") for part in schema.get(key, ())]
    inner += [(part, which) for part in schema.get("oneOf", ()) for which in (fits, not fits)]
    inner += [(schema[key], not fits) for key in ("not",) if key in schema]
    if "if" in schema:
        inner += [(schema["if"], fits), (schema["if"], not fits), (schema["then"], fits), (schema["else"], fits)]
    inner += [(part, fits) for part in schema.get("dependentSchemas", {}).values()]
    for part, part_fits in inner:
        more, less = names_of(part, part_fits)
        properties, others = properties + more, others + less
    return properties, others


@settings(max_examples=25)
@given(seed=st.integers(0, 2**40))
@example(seed=2)
@example(seed=75)  # the order of the alternatives that are left is another one
@example(seed=785)  # what must exist, beside an order
def test_the_order_of_names_is_that_of_the_schema(seed):
    """Whether alternatives are multiplied out or not, and whichever of them are possible."""
    r = Random(seed)
    schema = small_object(r)
    order = dict.fromkeys(chain(*names_of(schema)))
    place = {name: i for i, name in enumerate(order)}
    valid = oracle(schema)
    texts, expected = [], []
    for x in OBJECTS:
        texts.append(compact({name: r.choice(SMALL) for name in x}))
        places = [place.get(name, len(place)) for name in x]
        expected.append(places == sorted(places) and valid(texts[-1]))
    multiplied = accepted({**schema, "title": "multiplied"}, texts, extra="schema")
    with never_multiplying():
        factors = accepted({**schema, "title": "factors"}, texts, extra="schema")
    for ours in (multiplied, factors):
        wrong = [text for text, a, b in zip(texts, ours or [False] * len(texts), expected, strict=True) if a is not b]
        assert not wrong, (schema, ours is factors, wrong)


@pytest.mark.parametrize("few", [200, 1])
def test_names_of_properties_come_before_those_that_are_only_required(monkeypatch, few):
    monkeypatch.setattr(limits, "FEW_BRANCHES", few)
    one_of_two = {"anyOf": [{"required": ["z"]}, {"properties": {"b": INTEGER}, "required": ["b"]}]}
    schema = {"title": f"order {few}", "type": "object", "allOf": [one_of_two, {"properties": {"a": INTEGER}}]}
    g = made({**schema, "required": ["y"]}, extra="schema")
    assert g is not None
    assert accepts(g, '{"b":1,"a":2,"y":3,"z":4,"more":5}')
    for text in ('{"a":2,"b":1,"y":3}', '{"y":3,"b":1}', '{"b":1,"z":4,"y":3}', '{"more":5,"b":1,"y":3}'):
        assert not accepts(g, text)


# ---------------------------------------------------------------------------------------- what else meets a product


def test_what_must_exist_comes_behind_what_is_required():
    """In the schema's order: a name other than "a" and "c" comes when both have come, and only then."""
    other = {"not": {"propertyNames": {"enum": ["a", "c"]}}}
    schema = {"type": "object", "properties": {"a": INTEGER, "c": INTEGER}, "required": ["a", "c"], **other}
    g = made(schema, extra="schema")
    assert g is not None
    assert (
        accepts(g, '{"a":1,"c":2,"d":3}') and not accepts(g, '{"a":1,"c":2}') and not accepts(g, '{"d":3,"a":1,"c":2}')
    )
    assert made({**schema, "maxProperties": 2}, extra="schema") is None
    assert walk(g, Random(0)) is not None


@pytest.mark.parametrize(("names", "possible"), [("ab", False), ("abc", True)])
def test_what_must_exist_has_names_that_differ(names, possible):
    """Three properties with different values need three names; no pattern says which are declared."""
    some = [{"not": {"additionalProperties": {"not": {"const": i}}}} for i in range(3)]
    schema = {"type": "object", "propertyNames": {"enum": list(names)}, "allOf": some}
    g, valid = made(schema, **STANDARD), oracle(schema)
    assert (g is not None) is possible
    for values in permutations(range(4), len(names)):
        text = compact(dict(zip(names, values, strict=True)))
        assert (g is not None and accepts(g, text)) == valid(text), text


def test_a_name_that_is_taken_is_not_free_for_what_must_exist(never_multiplied):
    """Of "a" and "b", one is 1: if "a" is at least 2, nothing but 1 can stand behind "b"."""
    one = {"not": {"patternProperties": {"^[ab]": {"not": {"const": 1}}}}}
    either = {"oneOf": [{"properties": {"a": {"minimum": 2}}, "required": ["a"]}, {"required": ["a", "c"]}]}
    schema = {"allOf": [{"propertyNames": {"enum": ["a", "b"]}}, one, either], "type": "object"}
    g, valid = made(schema, **STANDARD), oracle(schema)
    assert g is not None
    for text in ('{"b":1,"a":2}', '{"b":2,"a":2}', '{"b":{},"a":2}', '{"a":2,"b":1}', '{"a":1}'):
        assert accepts(g, text) == valid(text), text
    assert after(g, '{"b":{') is None
    for seed in range(5):
        assert walk(g, Random(seed)) is not None


def test_items_that_must_differ_run_out(never_multiplied):
    """Of a product there are three values: a fourth item that differs cannot come."""
    either = [
        {"anyOf": [{"required": [name]}, {"properties": {"c": {"const": 1}}, "required": ["c"]}]} for name in "ab"
    ]
    item = {"type": "object", "allOf": either, "properties": {name: {"const": 1} for name in "abc"}}
    schema = {"items": {**item, "additionalProperties": False}, "type": "array", "uniqueItems": True}
    g, valid = made(schema, **STANDARD), oracle(schema)
    values = [{name: 1 for name in names} for n in range(4) for names in map("".join, permutations("abc", n))]
    possible = [x for x in values if valid(compact([x]))]
    distinct = list({compact(dict(sorted(x.items()))): x for x in possible}.values())
    assert g is not None and len(distinct) == 5
    assert accepts(g, compact(distinct)) and not accepts(g, compact([*distinct, distinct[0]]))
    full = {**schema, "minItems": 6}
    assert made(full, **STANDARD) is None


def test_much_that_must_exist():
    """Each of eight schemas is broken by some property; one may do for several."""
    broken = [{"not": {"additionalProperties": {"not": {"const": i}}}} for i in range(8)]
    schema = {"type": "object", "allOf": broken, "maxProperties": 8}
    g, valid = made(schema, **STANDARD), oracle(schema)
    assert g is not None
    for value in ({f"n{i}": i for i in range(8)}, {f"n{i}": i for i in range(7)}, {f"n{i}": i // 2 for i in range(8)}):
        assert accepts(g, compact(value)) == valid(compact(value))
    assert made({**schema, "maxProperties": 7}, **STANDARD) is None


def pigeons(count: int, holes: int) -> dict[str, Any]:
    """No object: so many pigeons, each in a hole of its own, of which there are fewer."""
    each = [{"anyOf": [{"required": [f"p{i}h{j}"]} for j in range(holes)]} for i in range(count)]
    pairs = product(range(holes), range(count), range(count))
    return {
        "type": "object",
        "allOf": each + [{"not": {"required": [f"p{i}h{j}", f"p{k}h{j}"]}} for j, i, k in pairs if k < i],
    }


def test_alternatives_that_contradict_each_other_have_no_object():
    assert made(pigeons(5, 4), **STANDARD) is None
    assert made(pigeons(5, 5), **STANDARD) is not None


def test_what_takes_too_long_is_refused_by_name(monkeypatch, never_multiplied):
    monkeypatch.setattr(limits, "LEAVES_TRIED", 1_000)
    with pytest.raises(ConstraintError, match="whether some object fits all alternatives took more than 1000 tries"):
        made(pigeons(8, 7), **STANDARD)
    monkeypatch.setattr(limits, "CELLS", 10)
    alternative = [{"properties": {"n": {"multipleOf": p}}, "required": ["n"]} for p in (2, 3, 5, 7)]
    many = every(4, lambda i: {"anyOf": [alternative[i], {"required": [f"a{i}"]}]}, title="cells")
    with pytest.raises(ConstraintError, match="the values of one property fall into more than 10 cases"):
        accepts(guide.json_schema(many, BYTES, **STANDARD), json.dumps({"n": 6}))


def subschema_of(number: int) -> Subschema:
    """One of six schemas and negations, or false."""
    if number == 6:
        return NEVER[0]
    made = Subschema({"const": number // 2}, "#", None)
    return made.negated() if number % 2 else made


ONE_NAME = st.sampled_from("abc")
ONE_MEMBER = st.one_of(
    st.tuples(st.builds(lambda name: Keys(frozenset([name])), ONE_NAME), st.lists(st.integers(0, 5), max_size=2)),
    st.tuples(st.sampled_from([EVERY_KEY, Keys(frozenset("ab"), frozenset(["x"]))]), st.just([0])),
    st.tuples(st.sampled_from([Keys(frozenset("a")), Keys(frozenset("bc")), EVERY_KEY]), st.none()),
)
ONE_CONJUNCTION = st.builds(
    lambda kinds, members, required, values: Conjunction(
        origin="#",
        kinds=frozenset(kinds),
        members=tuple((k, NEVER if n is None else tuple(map(subschema_of, n))) for k, n in members),
        required=tuple(required),
        **({} if values is None else {"values": tuple(values)}),
    ),
    st.sets(st.sampled_from(["object", "object", "string"]), min_size=1),
    st.lists(ONE_MEMBER, max_size=4),
    st.sets(ONE_NAME, max_size=2),
    st.one_of(st.none(), st.none(), st.sets(st.integers(0, 2), min_size=1)),
)


def test_values_of_too_many_cases_are_refused_before_the_first_byte(monkeypatch, never_multiplied):
    monkeypatch.setattr(limits, "CELLS", 20)
    monkeypatch.setattr(limits, "FEW_CONDITIONS", 3)

    def way(i: int) -> Any:
        fits = {"properties": {"t": {"multipleOf": (2, 3, 5, 7, 11)[i]}}, "required": ["u"]}
        return {"anyOf": [{"properties": {"t": {"maximum": i}}}, fits, {"properties": {"t": {"minimum": i + 10}}}]}

    bound = made(every(5, way, properties={"t": INTEGER, "u": {}}, required=["t"]))
    with pytest.raises(ConstraintError, match="more than 20 cases"):
        bound.mask(bound.initial)


def test_for_generation_a_name_is_declared_by_what_still_holds(never_multiplied):
    """An alternative that forbids a name speaks of it, and declares it for no other one."""
    ways = [{"not": {"required": [name]}} for name in "xy"]
    g = made({"type": "object", "properties": {"a": True}, "anyOf": ways}, extra="forbid", order="any")
    assert accepts(g, '{"a":1}') and not accepts(g, '{"x":1}') and not accepts(g, '{"a":1,"y":1}')


@settings(max_examples=400)
@given(ones=st.lists(ONE_CONJUNCTION, min_size=1, max_size=4), others=st.lists(ONE_CONJUNCTION, min_size=1, max_size=4))
def test_a_product_leaves_out_what_plainly_cannot_be(ones: list[Conjunction], others: list[Conjunction]) -> None:
    """It looks at pairs before it merges them; the same is left as if each merged one were looked at."""

    def hopeless(one: Conjunction) -> bool:
        needed = [(keys, subs) for keys, subs in one.members if not keys.others and {*keys.names} & {*one.required}]
        fits = {(*keys.names, *s.key) for keys, subs in needed if subs is not NEVER and keys.one_name for s in subs}
        clash = any(subs is NEVER for _, subs in needed) or any((*x, not fit) in fits for *x, fit in fits)
        return not one.kinds or one.values == () or (one.kinds == {"object"} and clash)

    normalizer = normalize.Normalizer(KeywordReader({}, asserts_formats=True, for_generation=True))
    product = normalizer._both(ones, others, "#")
    expected = [both for a in ones for b in others if not hopeless(both := merge(a, b))]
    assert [vars(one) for one in product] == [vars(one) for one in expected]
    assert [normalize._hopeless(one) for one in ones] == list(map(hopeless, ones))
    met = [one for one in ones if not hopeless(one)]
    less = normalizer._both(met, others, "#", is_met=True)
    assert [vars(one) for one in less] == [vars(one) for one in normalizer._both(met, others, "#")]
    event(f"{len(expected)} of {len(ones) * len(others)}")
