"""Constraints that match no string: the message names the smallest part that is to blame, and where it stands."""

import json
import re
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from json_cases import BYTES

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.language.nodes import VOID
from outlines_cont.fsm.patterns import parser
from outlines_cont.fsm.patterns.parser import parse

# ------------------------------------------------------------------------------------------------------------- schemas

FINE = [{"type": "string"}, {"type": "integer", "minimum": 3}, True, {"enum": ["a", None]}, {"items": {"type": "null"}}]
FINE += [{"properties": {"z": {"enum": []}}}, {"anyOf": [{"enum": []}, {"type": "null"}]}]  # without what fails
#: Schemas that nothing fits, though something fits each of their parts, if they have any.
EMPTY = [{"enum": []}, False, {"type": "integer", "minimum": 3, "maximum": 2}, {"type": "string", "pattern": "a^b"}]
EMPTY += [{"type": "array", "minItems": 2, "maxItems": 1}, {"const": 1, "type": "string"}, {"not": {}}]
EMPTY += [
    {"allOf": [{"const": 1}, {"const": 2}]},
    {"type": "array", "items": {"const": 1}, "minItems": 2, "uniqueItems": True},
]


class Planted(NamedTuple):
    """A schema that nothing fits, what is to blame, and where that stands."""

    schema: Any
    blamed: Any
    path: str
    definitions: dict[str, Any]


@st.composite
def planted(draw: st.DrawFn) -> Planted:
    """A schema that nothing fits for one reason, some levels deep in what every value must have."""
    schema = blamed = draw(st.sampled_from(EMPTY))
    path, definitions = "", dict[str, Any]()
    fine = st.sampled_from(FINE)
    for level in range(draw(st.integers(0, 5))):
        way = draw(st.sampled_from(["property", "item", "items", "allOf", "$ref", "anyOf", "rest", "contains"]))
        if way == "property":
            names = draw(st.lists(st.sampled_from("abcd~/"), unique=True, min_size=1))
            name = draw(st.sampled_from(names))
            properties = {other: schema if other == name else draw(fine) for other in names}
            schema = {"type": "object", "properties": properties, "required": [name]}
            path = f"/properties/{name.replace('~', '~0').replace('/', '~1')}{path}"
        elif way == "rest":
            schema = {"type": "object", "properties": {"a": {}}, "required": ["a", "b"], "additionalProperties": schema}
            path = f"/additionalProperties{path}"
        elif way == "item":
            items = [draw(fine) for _ in range(draw(st.integers(0, 2)))]
            path = f"/prefixItems/{len(items)}{path}"
            schema = {"type": "array", "prefixItems": [*items, schema], "minItems": len(items) + 1}
        elif way == "items":
            schema, path = {"type": "array", "items": schema, "minItems": draw(st.integers(1, 3))}, f"/items{path}"
        elif way == "contains":
            schema, path = {"type": "array", "contains": schema}, f"/contains{path}"
        elif way == "allOf":
            before = draw(st.lists(st.just({"title": "fine"}), max_size=2))
            schema, path = {"allOf": [*before, schema]}, f"/allOf/{len(before)}{path}"
        elif way == "anyOf":
            schema, path = {"anyOf": [schema, {"enum": []}][: draw(st.integers(1, 2))]}, f"/anyOf/0{path}"
        elif not path.startswith("#"):
            definitions[f"d{level}"] = schema
            schema, path = {"$ref": f"#/$defs/d{level}"}, f"#/$defs/d{level}{path}"
        else:
            definitions[f"d{level}"] = schema
            schema = {"$ref": f"#/$defs/d{level}"}
        path = path[path.find("#") :] if "#" in path else path
    return Planted(schema, blamed, path if path.startswith("#") else f"#{path}", definitions)


@settings(max_examples=300)
@given(case=planted(), extra=st.sampled_from(["forbid", "schema"]))
def test_of_a_schema_the_part_that_nothing_fits_is_named_by_its_pointer(case: Planted, extra: str) -> None:
    schema = case.schema
    if case.definitions:
        schema = {**(schema if isinstance(schema, dict) else {"allOf": [schema]}), "$defs": case.definitions}
    with pytest.raises(ConstraintError) as caught:
        guide.json_schema(schema, BYTES, extra=extra, spelling="any")
    message = str(caught.value)
    if case.path == "#":
        assert message == f"the schema {schema!r} matches no string"
    else:
        assert re.fullmatch(rf"JSON Schema, at {re.escape(case.path)}: (.*?)( \(.*\))? matches no string", message), (
            message
        )
        assert repr(case.blamed) in message


def test_among_two_hundred_properties_the_one_is_named() -> None:
    properties = {f"p{i}": {"type": "string", "description": "x" * 50} for i in range(200)} | {"bad": {"enum": []}}
    whole = r"JSON Schema, at #/properties/bad: {'enum': \[\]} \(the required property 'bad'\) matches no string"
    for schema in (
        {"type": "object", "properties": properties, "required": ["bad"]},
        {"type": "object", "properties": properties, "required": [*properties]},
    ):
        with pytest.raises(ConstraintError, match=f"^{whole}$"):
            guide.json_schema(schema, BYTES, spelling="any")


def test_parts_that_fit_one_by_one_and_not_together_are_all_named() -> None:
    one, other = (
        {"properties": {"a": {"type": "string"}}},
        {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
    )
    both = r"{'type': 'string'} together with {'type': 'integer'} \(the required property 'a'\) matches no string"
    with pytest.raises(ConstraintError, match=f"at #/allOf/0/properties/a and #/allOf/1/properties/a: {both}"):
        guide.json_schema({"allOf": [one, other, {"title": "more"}]}, BYTES, spelling="any")


def test_of_branches_that_fail_for_different_reasons_one_is_named_or_the_whole() -> None:
    schema = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": False, "b": False}}
    with pytest.raises(
        ConstraintError, match=r"^(the schema .*|JSON Schema, at #/properties/[ab]: .*) matches no string$"
    ):
        guide.json_schema({"type": "object", **schema}, BYTES, spelling="any")
    branches = {"anyOf": [{"required": ["c", "a"]}, {"required": ["b", "c"]}], "properties": {"c": False, "a": {}}}
    with pytest.raises(ConstraintError, match="at #/properties/c: False"):  # all of them need it
        guide.json_schema({"type": "object", **branches}, BYTES, spelling="any")


def test_a_schema_that_needs_itself_without_end_is_blamed_itself() -> None:
    node = {"properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["next"]}
    with pytest.raises(ConstraintError, match=r"JSON Schema, at #/\$defs/node: {'properties'"):
        guide.json_schema(
            {"properties": {"a": {"$ref": "#/$defs/node"}}, "required": ["a"], "$defs": {"node": node}},
            BYTES,
            spelling="any",
        )


def test_numbers_that_python_does_not_write_are_named_too() -> None:
    number = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 5e-324}
    with pytest.raises(ConstraintError, match=r"at #/properties/n: .*: no number that Python writes fits"):
        guide.json_schema({"properties": {"n": number}, "required": ["n"]}, BYTES, spelling="plain")


# ------------------------------------------------------------------------------------------------------------ patterns

PIECES = [
    "a",
    "b?",
    "[a-c]",
    r"\d+",
    r"\.",
    ".",
    "(?:x|yz)",
    "(b|c){2}",
    "(?=a)",
    "[(|]",
    r"\(",
    r"\x41",
    "é",
    r"[^\s\S]?",
]
NOTHING = [r"[^\s\S]", "(?!)", r"[^\s\S]+", r"(?:[^\s\S]){2,3}", r"[^\w\W]"]


@settings(max_examples=300)
@given(
    levels=st.lists(st.tuples(*[st.lists(st.sampled_from(PIECES), max_size=3)] * 2, st.sampled_from(["(", "(?:", ""]))),
    nothing=st.sampled_from(NOTHING),
    flags=st.sampled_from(["", "(?i)", "(?s)"]),
)
def test_of_a_pattern_the_part_that_matches_nothing_is_named_by_its_position(
    levels: list[tuple[list[str], list[str], str]], nothing: str, flags: str
) -> None:
    pattern, at = nothing, 0
    for before, after, opening in levels:
        pattern, at = (
            "".join((opening, *before, pattern, *after, ")" if opening else "")),
            at + len("".join((opening, *before))),
        )
    pattern, at = flags + pattern, at + len(flags)
    with pytest.raises(ConstraintError) as caught:
        guide.regex(pattern, BYTES)
    message = str(caught.value)
    assert message.startswith(f"the pattern {pattern!r}") and message.endswith(" matches no string")
    place = re.search(r", at position (\d+): (.*) matches no string$", message)
    # Assertions among the pieces may fail by themselves, in a place that is as small.
    if place is not None:
        position, part = int(place[1]), place[2]
        shown = pattern[position : position + len(eval(part))]
        assert repr(shown) == part
        assert parse(f"{flags}(?s:.*)(?:{shown})(?s:.*)") is VOID or "(?" in shown
    if "(?=a)" not in pattern:
        core = nothing if nothing[:3] != "(?:" else r"[^\s\S]"  # in a group, what is in it
        expected = None if pattern == flags + core else (at + nothing.index(core), core)
        assert (place and (int(place[1]), eval(place[2]))) == expected


@pytest.mark.parametrize(
    ("pattern", "at", "part"),
    [
        ("(?:x|y)a(?=c)b", 8, "(?=c)b"),
        ("a(?=c)", 1, "(?=c)"),
        ("ab$c+d", 2, "$c+"),
        (r"x(?:[^\s\S]|a\bb)", 1, r"(?:[^\s\S]|a\bb)"),
        (r"(?P<year>\d[^\s\S]{2})-", 11, r"[^\s\S]{2}"),
        (r"a[^\s\S]b[^\s\S]c", 1, r"[^\s\S]"),
    ],
)
def test_assertions_and_branches_are_named_with_what_they_need(pattern: str, at: int, part: str) -> None:
    assert parser.smallest_part(pattern) == (at, part)


@example("(?x) a [^\\s\\S] # (")
@example("a" * 2000 + "[^\\s\\S]")
@example("(?:" * 200 + "[^\\s\\S]" + ")" * 200)
@given(st.text(st.sampled_from("ab()[]{}|?*+^$\\.,:=!<1i-#"), max_size=12))
def test_any_pattern_is_looked_into_without_harm(pattern: str) -> None:
    part = parser.smallest_part(pattern)
    assert part is None or pattern[part[0] :].startswith(part[1])


# ------------------------------------------------------------------------------------------------------------ grammars


@given(
    order=st.permutations(range(5)),
    depth=st.integers(0, 4),
    syntax=st.sampled_from(["lark", "gbnf"]),
    cause=st.sampled_from(["itself", "terminal", "each other", "branches"]),
)
def test_of_a_grammar_the_rule_or_the_terminal_to_blame_is_named_with_its_line(
    order: list[int], depth: int, syntax: str, cause: str
) -> None:
    """Rules that use each other in a row, the last of which fails; in any order, other alternatives beside them."""
    start, sign = ("start", ":") if syntax == "lark" else ("root", "::=")
    nothing = r"/[^\s\S]/" if syntax == "lark" else r"[^\x00-\U0010FFFF]"
    names = [start, *"pqrs"]
    bodies = {name: f'"a" {names[i + 1]} {names[i + 1]}? "b"' for i, name in enumerate(names[:depth])}
    last = names[depth]
    bodies[last] = {
        "itself": f'"x" {last} | {last} "y"',
        "terminal": f'"x" {nothing}',
        "each other": '"x" other',
        "branches": 'one "x" | two',
    }[cause]
    bodies |= {"each other": {"other": last}, "branches": {"one": 'one "x"', "two": 'two "x"'}}.get(cause, {})
    rules = [f"{name} {sign} {body}" for name, body in bodies.items()]
    rules = [rules[i] for i in order if i < len(rules)] + rules[5:]
    text = "\n".join(rules)
    with pytest.raises(ConstraintError) as caught:
        guide.grammar(text, BYTES, syntax=syntax)
    name = nothing if cause == "terminal" else last
    line = next(
        i
        for i, rule in enumerate(rules, 1)
        if (nothing in rule if cause == "terminal" else rule.startswith(f"{last} "))
    )
    whole = f"the grammar {text!r}"
    if len(whole) <= 200:
        kind = "terminal" if cause == "terminal" else "rule"
        place = "" if name == start else f", at the {kind} {name} (line {line}): it"
        assert str(caught.value) == f"{whole}{place} matches no string"


def test_a_template_is_named_without_its_arguments() -> None:
    with pytest.raises(ConstraintError, match=r", at the rule p \(line 2\): it matches no string$"):
        guide.grammar('start: "a" p{"x"}\np{t}: t p{t}', BYTES)


def test_names_are_json_pointers_of_what_was_written() -> None:
    schema = json.dumps({"properties": {"a/b~": {"enum": []}}, "required": ["a/b~"]})
    with pytest.raises(ConstraintError, match=r"at #/properties/a~1b~0: "):
        guide.json_schema(schema, BYTES, spelling="any")
