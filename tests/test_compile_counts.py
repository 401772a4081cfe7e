"""What compiling a JSON Schema costs, in calls of Python's functions: a change that makes it slower is seen here.

`python tests/bench/compile_counts.py` counts the same for real schemas, and prints where the calls are.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from counts import counted, forget

from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary

RECORDED = (3, 11)  # the version of Python that was counted: others run comprehensions otherwise
V = Vocabulary([b"<eos>", *map(bytes, zip(range(256), strict=True))], eos=[0])
WARM_UP = '{"type": "object", "properties": {"a": {"type": ["integer", "string"]}}, "required": ["a"]}', '{"a": 1}'

ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}},
    "required": ["city"],
    "additionalProperties": False,
}
TREE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"node": {"properties": {"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}}},
    "$ref": "#/$defs/node",
}
SHAPES = {
    "oneOf": [
        {"type": "object", "properties": {"kind": {"const": kind}, "size": {"type": "number"}}, "required": ["kind"]}
        for kind in ("circle", "square", "line", "dot")
    ]
}
PERSON = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "description": "in full"},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "mail": {"type": "string", "format": "email"},
        "born": {"type": "string", "format": "date-time"},
        "address": ADDRESS,
        "tags": {"type": "array", "items": {"enum": ["a", "b", None]}, "maxItems": 3},
    },
    "required": ["name", "age"],
}
DRAFT_4 = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "type": "object",
    "properties": {f"port{i}": {"type": "integer"} for i in range(8)},
    "patternProperties": {"^x-": {"type": "boolean"}},
    "additionalProperties": False,
}
WIDE = {
    "type": "object",
    "properties": {f"option_{i}": {"type": ["string", "null"], "title": f"Option {i}"} for i in range(60)},
}
TOGETHER = {
    "allOf": [{"$ref": "#/$defs/a"}, {"properties": {"b": {"type": "number", "multipleOf": 0.01}}}],
    "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    "$defs": {"a": {"type": "object", "properties": {"a": {"type": "array", "contains": {"const": 1}}}}},
}
#: The schema, a text that fits it, and the calls that were counted: to the first mask, and on the walk along the text.
SCHEMAS: dict[str, tuple[Any, Any, int, int]] = {
    "address": (ADDRESS, {"city": "Oslo", "zip": "01234"}, 402, 1120),
    "tree": (TREE, {"left": {"left": {}, "right": {}}}, 469, 1521),
    "shapes": (SHAPES, {"kind": "line", "size": 2.5}, 1325, 1399),
    "person": (
        PERSON,
        {"name": "Ada", "age": 36, "mail": "ada@example.org", "born": "2024-02-29T10:00:00Z", "tags": ["a", None]},
        575,
        14643,
    ),
    "draft 4": (DRAFT_4, {"port0": 80, "x-y": True, "port7": 443}, 403, 2190),
    "wide": (WIDE, {"option_7": None, "option_30": "x"}, 584, 1394),
    "together": (TOGETHER, {"a": [1, 2], "b": 1.25}, 867, 2187),
}
ROOM = 1.02  # sets of strings are looked through in another order in every process


def counts(schema: Any, instance: Any) -> tuple[int, int]:
    """The calls from the schema's text to its first mask, and those of all masks and steps of a text after that."""

    def build(text: str) -> guide.AutomatonGuide:
        made = guide.json_schema(text, V, whitespace="flexible", order="any", extra="schema")
        made.mask(made.initial)
        return made

    def walk(made: guide.AutomatonGuide, text: str) -> bool:
        state: int | None = made.initial
        for byte in text.encode():
            state = made.advance(state, byte + 1)
            assert state is not None, f"{text} is refused"
            made.mask(state)
        return made.accepting(state)

    V.clear_caches()
    forget()
    walk(build(WARM_UP[0]), WARM_UP[1])
    made, first = counted(lambda: build(json.dumps(schema)))
    valid, then = counted(lambda: walk(made, json.dumps(instance)))
    assert valid
    return first.ours, then.ours


@pytest.mark.skipif(sys.version_info[:2] != RECORDED, reason=f"the calls were counted on Python {RECORDED}")
@pytest.mark.parametrize("name", SCHEMAS)
def test_compiling_a_schema_takes_no_more_calls_than_it_did(name):
    schema, instance, to_the_first_mask, on_the_walk = SCHEMAS[name]
    first, then = counts(schema, instance)
    assert first <= ROOM * to_the_first_mask, f"{first} calls to the first mask: they were {to_the_first_mask}"
    assert then <= ROOM * on_the_walk, f"{then} calls on the walk: they were {on_the_walk}"
