"""Schemas, patterns and grammars at random, and values that schemas may allow: sense, nonsense, and all between.

Each is drawn from a `Random`, so that a number reproduces it. `schema_of`, `pattern_of` and `grammar_of` choose among
the kinds. The hypothesis strategies of the tests are among these (`drawn`), and schemas of the real world, changed and
put together, where the data are there (docs/testing.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeVar

import test_gbnf
import test_grammar
import test_regex
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from json_cases import KINDS, NAMES, NUMBERS, PATTERNS, STRINGS, random_schema, random_value
from test_drafts import VALIDATORS
from test_schema_suite import DATA

from outlines_cont.fsm.json_schema.formats import _BY_NAME
from outlines_cont.fsm.json_schema.values_and_keywords import KEYWORDS as ALL_KEYWORDS

T = TypeVar("T")
#: (A profile, so that the profiles of the suite do not change it: a number stands for the same example everywhere.)
settings.register_profile(
    "drawn",
    max_examples=3,
    deadline=None,
    database=None,
    derandomize=False,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def drawn(strategy: st.SearchStrategy[T], r: Random) -> T:
    """One example of a hypothesis strategy. (The first one is the simplest: it is passed over.)"""
    examples: list[T] = []

    @seed(r.randrange(2**32))
    @settings.get_profile("drawn")
    @given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    collect()
    return examples[-1]


# ------------------------------------------------------------------------------------------------------------ schemas

KEYWORDS = sorted(ALL_KEYWORDS)
#: Where a keyword's value is a schema, a list of schemas, or schemas by name.
SCHEMA_IN = ["items", "additionalProperties", "additionalItems", "contains", "propertyNames", "not", "if", "then"]
SCHEMA_IN += ["else", "unevaluatedProperties", "unevaluatedItems", "contentSchema"]
SCHEMAS_IN = ["allOf", "anyOf", "oneOf", "prefixItems"]
SCHEMAS_BY_NAME = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"]
FORMATS = [*sorted(_BY_NAME), "regex", "idn-hostname", "int32", "what", ""]
REFERENCES = ["#", "#/", "#a", "#/$defs/p", "#/definitions/q", "#/properties/a", "#/allOf/0", "#/items"]
REFERENCES += ["#/$defs/no", "http://json-schema.org/draft-07/schema#"]
REFERENCES += ["https://json-schema.org/draft/2020-12/schema", "other.json#/x", "#/%24defs/p", "#/$defs/a~1b"]
REFERENCES += ["#/-1", "#/required/0", "urn:x", "", "a b", "#/$defs/p/$defs/p", "%", "//["]
ODD_NUMBERS = [-1, 0, 1, 2, 3, 7, 100, 10**6, 2**31, 2**64, 10**30, 10**399, -(10**20), 0.1, -0.0, 1.5, 1e-7, 1e22]
ODD_NUMBERS += [5e-324, 1.7976931348623157e308, -2.5, 1e-300, 1.0, 0.3333333333333333]
ODD_STRINGS = ["", "a", "é", "😀", "\0", "\n", "\x7f", "a\u2028", '"', "\\", "/", "~", "__proto__", "$ref", "a" * 300]
ODD_PATTERNS = [*PATTERNS, "", "^$", "[", "a{2,1}", r"\d+$", r"^\S*$", r"\p{L}+", r"(?=a)b", r"^(a|b)*$"]
ODD_PATTERNS += ["^a{1000}$", r"\u0041", r"[^\W\d]", r"^(?!.*ab).*$", r"\b", "(a)\\1", "^.{0,500}$", "(?:)"]
ODD_PATTERNS += [r"\cA", r"[\]]", "$", "^", "."]


def odd_value(r: Random, depth: int = 2) -> Any:
    """Any JSON value."""
    draw = r.randrange(9 if depth else 6)
    if draw < 2:
        return r.choice(ODD_NUMBERS)
    if draw < 4:
        return r.choice([*ODD_STRINGS, *ODD_PATTERNS, *REFERENCES, *KINDS])
    if draw < 6:
        return r.choice([None, True, False])
    if draw == 6:
        return [odd_value(r, depth - 1) for _ in range(r.randrange(4))]
    if draw == 7:
        return {r.choice([*NAMES, *KEYWORDS]): odd_value(r, depth - 1) for _ in range(r.randrange(3))}
    return random_schema(r, depth - 1)


def keyword_value(r: Random, keyword: str, depth: int) -> Any:
    """A value that a keyword may have; sometimes another one."""

    def part() -> Any:
        return random_schema(r, depth - 1) if r.random() < 0.5 else odd_schema(r, depth - 1)

    def names() -> list[str]:
        return [r.choice([*NAMES, *ODD_STRINGS]) for _ in range(r.randrange(4))]

    if r.random() < 0.06:
        return odd_value(r)
    if keyword in SCHEMA_IN:
        return [part() for _ in range(r.randrange(3))] if keyword == "items" and r.random() < 0.15 else part()
    if keyword in SCHEMAS_IN:
        return [part() for _ in range(r.randrange(1, 4))]
    if keyword in SCHEMAS_BY_NAME:
        keys = ODD_PATTERNS if keyword == "patternProperties" else [*NAMES, "p", "q", *ODD_STRINGS]
        return {r.choice(keys): part() for _ in range(r.randrange(1, 4))}
    plain: dict[str, Callable[[], Any]] = {
        "type": lambda: r.choice(KINDS) if r.random() < 0.6 else r.sample(KINDS, r.randrange(1, 4)),
        "enum": lambda: [random_value(r) if r.random() < 0.7 else odd_value(r) for _ in range(r.randrange(1, 5))],
        "const": lambda: random_value(r) if r.random() < 0.6 else odd_value(r),
        "required": names,
        "dependentRequired": lambda: {r.choice(NAMES): names() for _ in range(r.randrange(3))},
        "pattern": lambda: r.choice(ODD_PATTERNS) if r.random() < 0.7 else pattern_of(r).text,
        "format": lambda: r.choice(FORMATS),
        "uniqueItems": lambda: r.random() < 0.8,
        "$ref": lambda: r.choice(REFERENCES),
        "$dynamicRef": lambda: r.choice(REFERENCES),
        "$recursiveRef": lambda: "#",
        "$id": lambda: r.choice(["http://a.b/c", "x.json", "#a", "", "urn:x", "http://a.b/c#"]),
        "$anchor": lambda: r.choice(["a", "p", "a b", ""]),
        "$schema": lambda: r.choice(list(VALIDATORS)),
        "nullable": lambda: r.random() < 0.5,
        "exclusiveMinimum": lambda: r.random() < 0.5 if r.random() < 0.2 else r.choice(ODD_NUMBERS),
        "exclusiveMaximum": lambda: r.random() < 0.5 if r.random() < 0.2 else r.choice(ODD_NUMBERS),
        "multipleOf": lambda: r.choice([1, 2, 3, 0.5, 1.5, 0.01, 7, 10**6, 1e-7, 0.1, 97, 1000003, 0]),
    }
    for bound in ("minimum", "maximum"):
        plain[bound] = lambda: r.choice([*NUMBERS, *ODD_NUMBERS])
    for size in ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"):
        plain[size] = lambda: r.choice([0, 1, 1, 2, 2, 3, 5, 10, 64, 255, 1000, 10**5, 2.0, 10**9, -1])
    plain["minContains"] = plain["maxContains"] = plain["minItems"]
    return plain.get(keyword, lambda: odd_value(r))()


def odd_schema(r: Random, depth: int = 2) -> Any:
    """A schema of any keywords of any draft, with values that fit them, most of them."""
    if depth <= 0 or r.random() < 0.05:
        return r.choice([True, False, {}, {"type": r.choice(KINDS)}, {"const": random_value(r)}])
    return {key: keyword_value(r, key, depth) for key in r.sample(KEYWORDS, r.choice([1, 2, 2, 3, 4]))}


@cache
def real_cases() -> list[dict[str, Any]]:
    """Schemas of the real world with instances; none where the data are missing."""
    path = DATA / "schemas" / "maskbench_dev.jsonl"
    if not path.is_file():
        return []
    cases = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [case for case in cases if len(json.dumps(case["schema"])) < 20_000]


def places(value: Any) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    """All places in a JSON value: what holds it, the key there, and the way to it."""
    todo: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while todo:
        holder, way = todo.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield holder, key, (*way, key)
            todo.append((holder[key], (*way, key)))


def changed_schema(r: Random, schema: Any) -> Any:
    """A schema with one thing changed."""
    schema = deepcopy(schema)
    spots = list(places(schema))
    if not spots or r.random() < 0.1:
        return wrapped(r, schema)
    holder, key, _ = r.choice(spots)
    draw = r.randrange(10)
    if draw == 0:
        del holder[key]
    elif draw == 1:
        holder[key] = odd_value(r)
    elif draw == 2 and isinstance(holder, dict):
        keyword = r.choice(KEYWORDS)
        holder[keyword] = keyword_value(r, keyword, 2)
    elif draw == 3:
        holder[key] = wrapped(r, holder[key])
    elif draw == 4:
        other = r.choice(spots)
        holder[key] = deepcopy(other[0][other[1]])
    elif draw == 5:
        *_, target = r.choice(spots)
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in target)
        holder[key] = {"$ref": "#" + "".join(f"/{step}" for step in steps) if r.random() < 0.8 else "#"}
    elif draw == 6 and is_small(holder[key]):
        holder[key] = r.choice([holder[key] + 1, holder[key] - 1, -holder[key], holder[key] * 10, holder[key] / 2])
    elif draw == 7 and isinstance(holder[key], dict):
        more = random_schema(r, 1) if r.random() < 0.7 else odd_schema(r)
        holder[key].update(more if isinstance(more, dict) else {})
    elif draw == 8 and real_cases():
        holder[key] = deepcopy(r.choice(real_cases())["schema"])
    elif isinstance(holder, dict) and key in ALL_KEYWORDS:
        holder[key] = keyword_value(r, key, 2)
    else:
        holder[key] = random_schema(r, 2)
    return schema


def is_small(x: Any) -> bool:
    """Whether a value is a number that one may calculate with."""
    return isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < 1e100


def wrapped(r: Random, schema: Any) -> Any:
    """A schema inside another one."""
    other = random_schema(r, 1) if r.random() < 0.6 or not real_cases() else r.choice(real_cases())["schema"]
    return r.choice(
        [
            lambda: {"anyOf": [schema, other]},
            lambda: {"oneOf": [schema, other]},
            lambda: {"allOf": [other, schema]},
            lambda: {"not": schema},
            lambda: {"if": other, "then": schema},
            lambda: {"if": schema, "then": other, "else": other},
            lambda: {"items": schema, "uniqueItems": True},
            lambda: {"properties": {"a": schema}, "unevaluatedProperties": False},
            lambda: {"$defs": {"p": schema}, "$ref": "#/$defs/p", "minProperties": 1},
            lambda: {"additionalProperties": schema, "propertyNames": {"maxLength": 3}},
            lambda: {"contains": schema, "maxContains": 2},
        ]
    )()


def large_schema(r: Random) -> Any:
    """One that is deep, long or wide."""
    size = r.choice([10, 50, 200, 1000, 3000])
    draw = r.randrange(8)
    if draw == 0:
        schema: Any = random_schema(r, 1)
        keywords = r.sample([*SCHEMA_IN, *SCHEMAS_IN, *SCHEMAS_BY_NAME], r.choice([1, 1, 2]))
        for _ in range(size):
            key = r.choice(keywords)
            part = [schema] if key in SCHEMAS_IN else {r.choice(NAMES): schema} if key in SCHEMAS_BY_NAME else schema
            schema = {key: part}
        return schema
    if draw == 1:
        return {"enum": [odd_value(r) if r.random() < 0.1 else i * r.choice([1, 0.5, -3]) for i in range(size)]}
    if draw == 2:
        keyword = r.choice(SCHEMAS_IN)
        return {keyword: [random_schema(r, 1) for _ in range(min(size, 60))]}
    if draw == 3:
        names = [f"{r.choice(NAMES)}{i}" for i in range(size)]
        return {"properties": {name: random_schema(r, 1) for name in names}, "required": names[: r.randrange(size)]}
    if draw == 4:
        return {"patternProperties": {f"{r.choice(PATTERNS)}{i}": random_schema(r, 0) for i in range(r.randrange(20))}}
    if draw == 5:
        links: dict[str, Any] = {f"d{i}": {r.choice(["$ref"]): f"#/$defs/d{i + 1}"} for i in range(size)}
        links[f"d{size}"] = r.choice([random_schema(r, 1), {"$ref": "#/$defs/d0"}, {"items": {"$ref": "#/$defs/d0"}}])
        return {"$ref": "#/$defs/d0", "$defs": links}
    sizes = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains"]
    schema = {key: r.choice([size, size * 1000, 10**18]) for key in r.sample(sizes, 2)}
    more = random_schema(r, 1)
    return {**(more if isinstance(more, dict) else {}), **schema, "uniqueItems": r.random() < 0.2}


class SchemaCase(NamedTuple):
    """A schema, and instances of what it came from, most of them near to what it allows."""

    schema: Any
    instances: list[Any]


def schema_of(r: Random) -> SchemaCase:
    draw, instances = r.random(), []
    if draw < 0.3:
        schema = random_schema(r)
    elif draw < 0.5:
        schema = odd_schema(r, 3)
    elif draw < 0.9:
        case = r.choice(real_cases()) if real_cases() else {"schema": random_schema(r), "valid": [], "invalid": []}
        schema, instances = case["schema"], [*case["valid"], *case["invalid"]]
    else:
        schema = large_schema(r)
    for _ in range(r.choice([0, 1, 1, 2, 3]) if draw < 0.9 else 0):
        schema = changed_schema(r, schema)
    if isinstance(schema, dict) and "$schema" not in schema and r.random() < 0.6:
        schema = {"$schema": r.choice(list(VALIDATORS)), **schema}
    if not isinstance(schema, (dict, bool)):
        schema = {"items": schema}
    return SchemaCase(schema, instances)


# ---------------------------------------------------------------------------------------------------------- instances

EXAMPLES = ["2024-02-29", "12:30:00Z", "2024-01-01T00:00:00Z", "a@b.c", "a.b", "127.0.0.1", "::1", "http://a.b/c?d#e"]
EXAMPLES += ["123e4567-e89b-12d3-a456-426614174000", "P1D", "/a/0", "0#", "{a}", "^a$", "0"]


def near(r: Random, schema: Any, root: Any, depth: int = 4) -> Any:
    """A value that may well be valid, whatever the schema is."""
    if not isinstance(schema, dict) or depth <= 0 or r.random() < 0.08:
        return random_value(r, max(0, min(depth, 2)))
    inner = [x for k in ("allOf", "anyOf", "oneOf") if isinstance(schema.get(k), list) for x in schema[k]]
    inner += [schema[k] for k in ("if", "then", "else") if k in schema]
    target = pointed(root, schema.get("$ref"))
    inner += [target] if target is not None else []
    if inner and r.random() < (0.9 if target is not None else 0.6):
        value = near(r, r.choice(inner), root, depth - 1)
        return (
            value if not isinstance(value, dict) or r.random() < 0.3 else {**value, **_object(r, schema, root, depth)}
        )
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list) and schema["enum"] and r.random() < 0.9:
        return r.choice(schema["enum"])
    makers = {"array": _array, "object": _object, "string": _string, "integer": _number, "number": _number}
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) and kinds else _spoken_of(schema)
    kind = r.choice(kinds)
    if kind == "boolean":
        return r.random() < 0.5
    maker = makers.get(kind) if isinstance(kind, str) else None
    return None if maker is None else maker(r, schema, root, depth)


def pointed(root: Any, reference: Any) -> Any:
    """What a JSON pointer in a fragment leads to; None if nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    for step in reference[1:].split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(root, list) and step.isascii() and step.isdigit() and int(step) < len(root):
            root = root[int(step)]
        elif isinstance(root, dict) and step in root:
            root = root[step]
        else:
            return None
    return root


def _spoken_of(schema: dict[str, Any]) -> list[str]:
    kinds = ["array"] * bool({"items", "prefixItems", "contains", "minItems", "uniqueItems"} & schema.keys())
    kinds += ["object"] * bool({"properties", "additionalProperties", "required", "patternProperties"} & schema.keys())
    kinds += ["string"] * bool({"pattern", "minLength", "maxLength", "format"} & schema.keys())
    kinds += ["number"] * bool({"minimum", "maximum", "multipleOf"} & schema.keys())
    return kinds or KINDS


def _array(r: Random, schema: dict[str, Any], root: Any, depth: int) -> list[Any]:
    items = schema.get("prefixItems", schema.get("items"))
    first = [near(r, x, root, depth - 1) for x in items[:6]] if isinstance(items, list) else []
    each = schema.get("items") if isinstance(schema.get("items"), dict) else schema.get("contains", True)
    low = schema.get("minItems")
    least = min(low, 12) if isinstance(low, int) else 0
    more = [near(r, each, root, depth - 1) for _ in range(max(least - len(first), 0) + r.randrange(3))]
    return first[: r.choice([1, 2, 9, 9])] + more


def _object(r: Random, schema: dict[str, Any], root: Any, depth: int) -> dict[str, Any]:
    declared = schema["properties"] if isinstance(schema.get("properties"), dict) else {}
    required = [x for x in schema["required"] if isinstance(x, str)] if isinstance(schema.get("required"), list) else []
    names = [*required, *(x for x in list(declared)[:12] if r.random() < 0.4)]
    names += r.sample([*NAMES, "x-y", "q1", "A"], r.choice([0, 0, 1, 2]))
    others = schema.get("additionalProperties", True)
    return {name: near(r, declared.get(name, others), root, depth - 1) for name in dict.fromkeys(names[:20])}


def _string(r: Random, schema: dict[str, Any], root: Any, depth: int) -> str:
    text = r.choice([*STRINGS, *EXAMPLES, *NAMES])
    low, high = schema.get("minLength"), schema.get("maxLength")
    if isinstance(low, int) and len(text) < low < 400:
        text = (text or "a") * low
    if isinstance(high, int) and 0 <= high < len(text) and r.random() < 0.9:
        text = text[:high]
    return text


def _number(r: Random, schema: dict[str, Any], root: Any, depth: int) -> int | float:
    bounds = [schema[k] for k in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if k in schema]
    bounds = list(filter(is_small, bounds))
    value = r.choice([*bounds, r.choice(NUMBERS), r.choice(NUMBERS)]) + r.choice([0, 0, 1, -1])
    step = schema.get("multipleOf")
    if is_small(step) and step and abs(value / step) < 1e15:
        value = round(value / step) * step
    return int(value) if schema.get("type") == "integer" and abs(value) < 1e18 and r.random() < 0.8 else value


def changed_value(r: Random, value: Any) -> Any:
    """A JSON value with something small changed."""
    holder = [deepcopy(value)]
    inside, key, _ = r.choice(list(places(holder)))
    part = inside[key]
    draw = r.randrange(7)
    if draw == 0 and inside is not holder:
        del inside[key]
    elif draw == 1:
        inside[key] = random_value(r, 1)
    elif draw == 2 and isinstance(part, dict):
        part[r.choice([*NAMES, "z", "q1"])] = random_value(r, 1)
    elif draw == 2 and isinstance(part, list):
        part.insert(r.randrange(len(part) + 1), deepcopy(r.choice(part)) if part else random_value(r, 1))
    elif isinstance(part, bool) or part is None:
        inside[key] = r.choice([0, not part, None])
    elif is_small(part):
        inside[key] = r.choice([part + 1, part - 1, -part, part * 2, part + 0.5 if abs(part) < 2**50 else 0])
    elif isinstance(part, str):
        inside[key] = changed_text(r, part, [*'ab1é"\n \\😀', "-"])
    else:
        inside[key] = r.choice([[], {}, [part], {"a": part}])
    return holder[0]


def changed_text(r: Random, text: str, pieces: list[str]) -> str:
    """A text with a piece put in, taken out, exchanged or doubled."""
    at, end = sorted((r.randrange(len(text) + 1), r.randrange(len(text) + 1)))
    end = min(end, at + r.choice([1, 1, 2, 5]))
    between = r.choice(["", r.choice(pieces), r.choice(pieces), text[at:end] * 2])
    return text[:at] + between + text[end if r.random() < 0.7 else at :]


# ----------------------------------------------------------------------------------------------------------- patterns

PIECES = [*"ab.*+?|()[]^$-{},é\n😀k", r"\w", r"\d", r"\s", r"\W", r"\b", r"\B", r"\A", r"\Z", "(?:", "(?=", "(?!"]
PIECES += ["(?<=", "(?<!", "(?i:", "(?s:", "(?a:", "(?m:", "(?x:", "(?-i:", "(?i)", "(?x)", "(?P<n>", "(?P=n)"]
PIECES += [r"\1", "(?(1)a|b)", "(?>", "++", "*?", "{2}", "{1,3}", "{,2}", "{0}", "{1000}", "{65536}"]
PIECES += ["{99999999999}", "{2,1}", "[^a]", "[a-z]", "[]a]", "[^]]", r"[\w-]", "[a--b]", "[[:alpha:]]", r"\x41"]
PIECES += [r"\u00e9", r"\U0001f600", r"\N{BULLET}", r"\07", "\\", "(?#c)", "#c\n", " ", "(?L)", "(?u)", r"\p{L}"]
PIECES += [r"\ud800", "\ud800", "\x00", "(?", "[a-\\d]", "[z-a]", "\u017f", "İ"]
PATTERN_STRATEGIES = [test_regex.regexes, test_regex.regexes, test_regex.scoped, test_regex.asserting, test_regex.plain]
PATTERN_STRATEGIES += [test_grammar.patterns]


class TextCase(NamedTuple):
    """A pattern or a grammar. expected: of some texts, whether they match, where that is known beforehand."""

    text: str
    syntax: str = ""
    expected: dict[str, bool] = {}  # noqa: RUF012


def pattern_of(r: Random) -> TextCase:
    draw = r.random()
    if draw < 0.45:
        text = drawn(r.choice(PATTERN_STRATEGIES), r)
    elif draw < 0.7:
        text = "".join(r.choice(PIECES) for _ in range(r.choice([1, 2, 3, 5, 8, 12])))
    elif draw < 0.95:
        text = drawn(r.choice(PATTERN_STRATEGIES), r)
        for _ in range(r.choice([1, 1, 2, 4])):
            text = changed_text(r, text, PIECES)
    else:
        text = large_pattern(r)
    return TextCase(text)


def large_pattern(r: Random) -> str:
    """One that is deep or long, or counts far."""
    size = r.choice([20, 100, 400, 2000])
    atom = r.choice(["a", "[ab]", ".", r"\w", "a?", "(?=a)", "ab|c", "é"])
    return r.choice(
        [
            lambda: "(" * size + atom + ")" * size,
            lambda: "(?:" * size + atom + ")*" * size,
            lambda: f"(?:{atom}){{{size}}}",
            lambda: f"(?:(?:{atom}){{{size}}}b){{{size}}}",
            lambda: f"(?:{atom})?" * size + f"(?:{atom})" * size,
            lambda: "|".join(f"{atom}{i}" for i in range(size)),
            lambda: f".*{atom}.{{{r.choice([5, 10, 18])}}}",
            lambda: f"(?:{atom}*)*" * min(size, 100),
            lambda: "".join(f"(?!.*{chr(97 + i % 26)}{i})" for i in range(min(size, 30))) + ".*",
            lambda: f"(?i:{atom * size})",
        ]
    )()


# ----------------------------------------------------------------------------------------------------------- grammars

LARK_PIECES = ["start", "r", "s", "T", ":", "|", "(", ")", "[", "]", "?", "*", "+", "~2", "~0..3", '"a"', '"b"i']
LARK_PIECES += ["/a+?/", '"a".."c"', "\n", "\n_x: ", "\n?r: ", "\n!s: ", "\nT.2: ", "-> x", "%ignore"]
LARK_PIECES += ["%import common.WS\n", "{x}", "t{r}", "\nt{x}: x x\n", "%declare X\n", "%override r: "]
LARK_PIECES += ["%extend r: ", '""', "//", "/(?i)a/", "/a/ims", "_", " ", "// c\n", "~", "..", "\\", '"', "é"]
LARK_PIECES += ["%import .x\n", "~9999", "~1..99", "/(?=a)b/", "\ud800", "start: "]
GBNF_PIECES = ["root", "r-1", "S", "::=", "|", "(", ")", "[", "]", "?", "*", "+", "{2}", "{0,3}", "{,2}", "{2,}"]
GBNF_PIECES += ['"a"', "[a-z]", "[^a]", ".", "\n", "# c\n", '"\\x41"', '"\\u00e9"', "\\", '"', "{99999}"]
GBNF_PIECES += ["<think>", "é", "-", "[]", "{2,1}", "\nroot ::= ", "\nr-1 ::= ", " ", '""', "[\\]]", "\r\n"]
GBNF_PIECES += ["\ud800", "{1000}", "!", "'"]
LARK_EXTRA = [
    'start: list{r}\nlist{x}: x ("," x)*\nr: "a" | "b"',
    'start: a{b, r}\na{x, y}: y | a{x, y} x\nb: "b"\nr: "a"',
    'start: T r\nT.5: /a+/\nr: S?\nS.-1: "a" | "ab"\n%ignore " "',
    '?start: r -> one | s -> two\n!r: "a" start?\n_s: "b"\ns: _s _s',
    "%import common (INT, WS, ESCAPED_STRING)\nstart: (INT | ESCAPED_STRING)*\n%ignore WS",
    'start: start start | "a" |',
    'start: (start? "a")* | r\nr: start "b" | "b"',
    'start: "(" start ")" | "[" start "]" |',
    'start: A B\nA: "a"i..\nB: "b"',
    'start: A+\nA: B | C\nB: "a".."c"\nC: /[^a-c]/ "x"\n%ignore B',
    "start: r\nr:\n",
    "start:",
    "",
    'start: a\na: b\nb: c\nc: start | "x"',
]


def grammar_of(r: Random) -> TextCase:
    draw = r.random()
    if draw < 0.25:
        return TextCase(drawn(test_grammar.small_grammars, r), "lark")
    if draw < 0.45:
        rules = drawn(test_gbnf.grammars, r)
        words = test_gbnf.enumerated(rules)
        return TextCase(test_gbnf.Printer(r).grammar(rules), "gbnf", {text: text in words for text in test_gbnf.TEXTS})
    if draw < 0.55:
        return large_grammar(r)
    syntax = r.choice(["lark", "lark", "gbnf"])
    pieces = LARK_PIECES if syntax == "lark" else GBNF_PIECES
    if r.random() < 0.2:
        text = ("start: " if syntax == "lark" else "root ::= ") + " ".join(
            r.choice(pieces) for _ in range(r.randrange(9))
        )
        return TextCase(text, syntax)
    if syntax == "gbnf":
        whole = [test_gbnf.JSON, test_gbnf.ARITHMETIC, test_gbnf.C, test_gbnf.CHESS, test_gbnf.LIST]
        text = r.choice(whole) if r.random() < 0.3 else test_gbnf.Printer(r).grammar(drawn(test_gbnf.grammars, r))
    else:
        whole = [test_grammar.JSON, test_grammar.ARITHMETIC, test_grammar.SQL, test_grammar.PYTHON, *LARK_EXTRA * 2]
        text = r.choice(whole) if r.random() < 0.6 else drawn(test_grammar.small_grammars, r)
    for _ in range(r.choice([0, 1, 1, 2, 3])):
        text = changed_text(r, text, pieces)
    return TextCase(text, syntax)


def large_grammar(r: Random) -> TextCase:
    """One that is deep or long, or may be read in many ways."""
    size = r.choice([10, 100, 300, 1000])
    syntax = r.choice(["lark", "gbnf"])
    start, colon = ("start", ":") if syntax == "lark" else ("root", "::=")
    atom = r.choice(['"a"', '"a"', '"b"', '("a" | "b")', '""' if syntax == "gbnf" else '"a"?'])
    text = r.choice(
        [
            lambda: f"{start} {colon} {'(' * size}{atom}{')' * size}",
            lambda: (
                f"{start} {colon} r0\n"
                + "".join(f"r{i} {colon} r{i + 1}\n" for i in range(size))
                + f"r{size} {colon} {atom}"
            ),
            lambda: (
                f"{start} {colon} r0\n"
                + "".join(f"r{i} {colon} r{r.randrange(size)} | {atom} r{r.randrange(size)}\n" for i in range(size))
            ),
            lambda: f"{start} {colon} {' '.join([f'{atom}?'] * size)}",
            lambda: f"{start} {colon} {' '.join([start] * r.randrange(1, 5))} | {atom}",
            lambda: f"{start} {colon} ({atom} | r)* \nr {colon} ({start} {atom})* | {atom} {start}",
            lambda: f"{start} {colon} " + " | ".join(f'"{i}"' for i in range(size)),
            lambda: (
                f"{start} {colon} {atom}" + (f"~{size}..{size * 3}" if syntax == "lark" else f"{{{size},{size * 3}}}")
            ),
            lambda: f"{start} {colon} {'(' * min(size, 60)}{atom}{')*' * min(size, 60)}",
        ]
    )()
    return TextCase(text, syntax)
