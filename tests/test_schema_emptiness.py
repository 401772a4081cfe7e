"""Whether any value fits a schema that leads back to itself: a least fixed point, in little time."""

from functools import partial
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts
from test_schema import made

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.json_schema import limits
from outlines_cont.fsm.json_schema.enumeration import LeastFixedPoint
from outlines_cont.fsm.json_schema.object_members import Members

#: For each type: the ways to make a value of it, each by the types of its members.
Types = list[list[list[int]]]


@st.composite
def types(draw: st.DrawFn) -> Types:
    count = draw(st.integers(1, 12))
    members = st.lists(st.integers(0, count - 1), max_size=3)
    return [draw(st.lists(members, min_size=1, max_size=3)) for _ in range(count)]


def finite(types: Types) -> set[int]:
    """The types that have a value that ends."""
    known: set[int] = set()
    while more := {i for i, ways in enumerate(types) if any(known.issuperset(way) for way in ways)} - known:
        known |= more
    return known


def objects(types: Types) -> dict[str, Any]:
    """Schemas of these types; their members must be there."""

    def of(i: int, way: list[int]) -> dict[str, Any]:
        members = {f"m{j}": {"anyOf": [{"$ref": f"#/$defs/{k}"}]} for j, k in enumerate(way)}
        return {"type": "object", "properties": members | {"way": {"const": i}}, "required": [*members]}

    return {str(i): {"anyOf": [of(j, way) for j, way in enumerate(ways)]} for i, ways in enumerate(types)}


@settings(deadline=None, max_examples=150)
@given(types=types())
def test_what_has_a_value_that_ends_is_known(types):
    definitions = objects(types)
    for i in range(len(types)):
        assert (made({"$ref": f"#/$defs/{i}", "$defs": definitions}) is not None) == (i in finite(types))


def test_what_leads_to_many_others_and_to_no_end_is_seen_once():
    """Sixteen types, each of which needs a value of any other: to follow every path between them would take years."""
    names = [str(i) for i in range(16)]

    def others(name: str) -> dict[str, Any]:
        return {"anyOf": [{"$ref": f"#/$defs/{other}"} for other in names if other != name]}

    endless = {name: {"type": "object", "properties": {"x": others(name)}, "required": ["x"]} for name in names}
    g = guide.json_schema({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/0"}], "$defs": endless}, BYTES, spelling="any")
    assert accepts(g, "null") and g.advance(g.initial, BYTES.tokens.index(b"{")) is None


@settings(deadline=None)
@given(
    given_values=st.lists(st.sets(st.integers(0, 5), max_size=2), min_size=5, max_size=5),
    asks=st.lists(st.lists(st.integers(0, 4), max_size=3), min_size=5, max_size=5),
    order=st.permutations(range(5)),
)
def test_answers_that_lean_on_one_another_are_the_least_that_agree(given_values, asks, order):
    """Each question has some values of its own, and all those of the questions that it asks."""
    fixed_point = LeastFixedPoint()

    def answer(i: int) -> list[int]:
        return fixed_point.answer(i, lambda: sorted(given_values[i].union(*map(answer, asks[i])))) or []

    least = [set(values) for values in given_values]
    for _ in least:
        least = [values.union(*(least[j] for j in asks[i])) for i, values in enumerate(least)]
    assert [set(answer(i)) for i in order] == [least[i] for i in order]


@st.composite
def counted(draw: st.DrawFn) -> dict[str, Any]:
    """Arrays of 1, 2 and 3 in which some of these have to come so often."""

    def values() -> dict[str, Any]:
        return {"enum": sorted(draw(st.sets(st.integers(1, 3), min_size=1)))}

    def counts(names: tuple[str, str]) -> dict[str, int]:
        low, more = draw(st.integers(0, 4)), draw(st.none() | st.integers(0, 3))
        return {names[0]: low} | ({} if more is None else {names[1]: low + more})

    rules = [{"contains": values()} | counts(("minContains", "maxContains")) for _ in range(draw(st.integers(1, 3)))]
    whole = {"items": {"enum": [1, 2, 3]}, "allOf": rules} | counts(("minItems", "maxItems"))
    prefix = {"prefixItems": [values()]} if draw(st.booleans()) else {}
    return {"type": "array", "maxItems": 5} | whole | prefix | ({"uniqueItems": True} if draw(st.booleans()) else {})


@settings(deadline=None, max_examples=150)
@given(schema=counted())
def test_whether_items_can_be_counted_so_is_known(schema):
    inside = partial(_within, schema)
    every = (items for size in range(8) for items in product([1, 2, 3], repeat=size))
    assert (made(schema) is not None) == any(inside(items) for items in every)


def _within(schema: dict[str, Any], items: tuple[int, ...]) -> bool:
    rules = schema["allOf"]
    counts = [(sum(item in rule["contains"]["enum"] for item in items), rule, "Contains") for rule in rules]
    return (
        all(s.get(f"min{of}", 0) <= n <= s.get(f"max{of}", n) for n, s, of in [*counts, (len(items), schema, "Items")])
        and all(item in part["enum"] for item, part in zip(items, schema.get("prefixItems", []), strict=False))
        and (len({*items}) == len(items) or "uniqueItems" not in schema)
    )


@patch.object(limits, "ITEMS_TRIED", 2_000)
@settings(deadline=None, max_examples=50)
@given(schema=counted(), times=st.integers(10**7, 10**8))
def test_counts_may_be_large(schema, times):
    """What items can be, so many times as many can be; that there are none may then be too much to find out."""
    schema = {key: value for key, value in schema.items() if key not in ("prefixItems", "uniqueItems")}

    def scaled(part: Any) -> Any:
        counts = {key: part[key] * times for key in part if key[:3] in ("min", "max")}
        return part | counts | ({"allOf": [*map(scaled, part["allOf"])]} if "allOf" in part else {})

    try:
        many = made(scaled(schema))
    except oc.errors.ConstraintError as error:
        assert "`contains`" in str(error)
        many = None
    assert made(schema) is None or many is not None


@patch.object(limits, "ITEMS_TRIED", 10)
@pytest.mark.parametrize(
    ("items", "some"), [({"type": "integer"}, True), ({"type": "integer", "minimum": 1, "maximum": 300}, False)]
)
def test_items_of_one_kind_are_counted_at_once(items, some):
    """Where only more of one kind is lacking, nothing is tried item by item: be there enough of them or not."""
    schema = {"type": "array", "items": items, "minItems": 100_000, "uniqueItems": True}
    assert (made(schema) is not None) == some


def test_undeclared_names_come_only_where_there_is_room_for_them():
    one = {"type": "integer"}
    g = made({"properties": {"a": one, "b": one}, "additionalProperties": one, "maxProperties": 2})
    assert accepts(g, '{"a":1,"b":1}') and not accepts(g, '{"a":1,"b":1,"c":1}')
    assert accepts(g, '{"a":1,"c":1}') and accepts(g, '{"c":1,"d":1}') and not accepts(g, '{"a":1,"c":1,"d":1}')


def test_an_item_that_was_written_may_not_come_again():
    g = made({"type": "array", "items": {"type": "integer"}, "uniqueItems": True})
    assert accepts(g, "[7,8,9]") and not accepts(g, "[7,8,7]") and not accepts(g, "[7,8,8]")


def test_objects_of_a_few_kinds_within_one_another_have_bounds_on_their_lengths(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Objects that may be of several kinds at once, under `oneOf`: the shortest one is looked for within hundreds."""
    begun: list[Members] = []
    begin = Members.__init__
    monkeypatch.setattr(Members, "__init__", lambda self, *of: (begin(self, *of), begun.append(self))[0])
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    query = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in ("pattern", "code", "not", "and", "or")]}
    place: dict[str, Any] = {"location": text, "locations": texts}
    kinds = {
        "pattern": {"pattern": {"type": "object"}, **place},
        "code": {"code": text, "libraries": texts, **place},
        "not": {"not": query},
        "and": {"and": {"type": "array", "items": query}},
        "or": {"or": {"type": "array", "items": query}},
    }
    defs = {name: {"type": "object", "required": [name], "properties": each} for name, each in kinds.items()}
    written = b'{"not": {"not": {"code": "x"}}}'
    g = guide.json_schema(query | {"$defs": defs}, BYTES, whitespace="flexible", order="any", extra="schema")
    end = g.advance_all(g.initial, [BYTES.tokens.index(bytes([byte])) for byte in written])
    assert end is not None and g.accepting(end)
    assert len(begun) > 60 and all(1 <= each.lengths()[0] <= len(written) for each in begun)
