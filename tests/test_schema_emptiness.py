"""Whether any value fits a schema that leads back to itself: a least fixed point, in little time."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import BYTES, accepts
from test_schema import made

from outlines_cont.fsm import guide

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
    g = guide.json_schema({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/0"}], "$defs": endless}, BYTES, numbers="json")
    assert accepts(g, "null") and g.advance(g.initial, BYTES.tokens.index(b"{")) is None
