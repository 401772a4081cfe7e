"""Random JSON Schemas of every keyword, instances near them, and what `jsonschema` says of these, exactly."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import jsonschema

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.guide import FINAL
from outlines_cont.fsm.guide import AutomatonGuide as Guide
from outlines_cont.fsm.vocabulary import Vocabulary, unpack

#: What JSON texts are made of, in pieces that end in the middle of things.
AWKWARD = [
    '":',
    ",",
    '{"',
    "[",
    "]",
    "{",
    "}",
    "12",
    "\\u",
    "true",
    '":"',
    '","',
    "},{",
    "],[",
    "[1,",
    '"a":',
    "1,2",
    '":[',
    '"}',
    '"]}',
    '{"a":1',
    '{"b":{"',
    "[[",
    "]]",
    "}}",
    "1.0",
    "0,",
    'é"',
    '\\"',
]
LIKELY = (b"a", b"b", b"1", b"\xc3", b"\xa9")
AWKWARD = [*(piece.encode() for piece in AWKWARD), b", ", b'": ', b"\n  ", b"\xc3", b'a","b', b'"a","a"', b'"a":1,"a":']
TOKENS = [b"<eos>", *(bytes([i]) for i in range(256)), *dict.fromkeys(t for t in AWKWARD if len(t) > 1)]
BYTES = Vocabulary(TOKENS, eos=[0])

NAMES = ["a", "b", "ab", "c", "é"]
STRINGS = ["", "a", "b", "ab", "aab", "é", "c", '"', "1"]
NUMBERS = [0, 1, -1, 2, 3, 4, 6, 10, 0.5, 1.5, -0.5, 1.0, 2.0]
PATTERNS = ["^a", "b$", "^[ab]$", "a", "^a*b?$", "[^a]", "é", "^(?!ab)"]
KINDS = ["null", "boolean", "integer", "number", "string", "array", "object"]


# ------------------------------------------------------------------------------------------------------ the oracle


def canonical(value: Any) -> Any:
    """Something that is equal for equal JSON values, and hashable."""
    if isinstance(value, list):
        return ("array", *map(canonical, value))
    if isinstance(value, dict):
        return ("object", frozenset((name, canonical(x)) for name, x in value.items()))
    return (type(value) is bool, value)


def _unique(validator: Any, unique: bool, value: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
    if unique and validator.is_type(value, "array") and len(set(map(canonical, value))) < len(value):
        yield jsonschema.ValidationError("two items are equal")


def exact(validator: Any) -> Any:
    """A validator of `jsonschema`, with `uniqueItems` for numbers of any kind."""
    return jsonschema.validators.extend(validator, {"uniqueItems": _unique})


Exact = exact(jsonschema.Draft202012Validator)


def number(text: str) -> int | Fraction:
    """What a numeral is worth."""
    x = Fraction(text)
    return int(x) if x.denominator == 1 else x


def read(text: str | bytes) -> Any:
    """A JSON text, numbers not rounded; a name that comes twice is an error."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), f"a name comes twice: {text!r}"
        return dict(pairs)

    return json.loads(text, parse_float=number, object_pairs_hook=members)


def oracle(schema: Any, formats: bool = False) -> Callable[[str | bytes], bool]:
    """Whether a text is valid, as `jsonschema` says."""
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER if formats else None
    validator = Exact(json.loads(json.dumps(schema), parse_float=number), format_checker=checker)
    return lambda text: validator.is_valid(read(text))


# ----------------------------------------------------------------------------------------------------------- texts


def compact(value: Any, ensure_ascii: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ensure_ascii)


def after(g: Guide, text: str | bytes) -> int | None:
    """The state after a text, in single bytes."""
    data = text.encode() if isinstance(text, str) else text
    return g.advance_all(g.initial, (byte + 1 for byte in data))


def made(schema: Any, **options: str) -> Guide | None:
    """The guide, with numbers in every spelling if nothing is said; None if nothing is valid under the schema."""
    try:
        return guide.json_schema(schema, BYTES, **{"spelling": "any", **options})
    except ConstraintError as error:
        if str(error).endswith("matches no string"):
            return None
        raise


def accepts(g: Guide, text: str | bytes) -> bool:
    state = after(g, text)
    return state is not None and g.accepting(state)


def allowed(g: Guide, state: int) -> list[int]:
    return unpack(g.mask(state), len(g.vocabulary)).nonzero()[0].tolist()


def walk(
    g: Guide, random: Random, steps: int = 40, finish: int = 400, look: Callable[[int, list[int]], None] | None = None
) -> bytes | None:
    """A random text, token by token: after so many steps, as short as it can be; None if it did not come to an end.

    `look` is called with every state and what it allows.
    """
    tokens, state, data = g.vocabulary.tokens, g.initial, bytearray()
    for step in range(steps + finish):
        options = allowed(g, state)
        assert options, f"a dead end after {bytes(data)!r}"
        if look is not None:
            look(state, options)
        token = _closing(g, random, options) if step >= steps or random.random() < 0.3 else random.choice(options)
        following = g.advance(state, token)
        assert following is not None, f"the mask after {bytes(data)!r} allows {tokens[token]!r}, which is not taken"
        if following == FINAL:
            return bytes(data)
        data += tokens[token]
        state = following
    return None


def _closing(g: Guide, random: Random, options: list[int]) -> int:
    tokens, eos = g.vocabulary.tokens, g.vocabulary.eos
    ranks = (
        lambda t: t in eos,
        lambda t: tokens[t] == b'"',
        lambda t: tokens[t] in (b"}", b"]") and random.random() < 0.7,
        lambda t: tokens[t] == b'\\"',  # the end of a string in JSON in a string
    )
    for rank in ranks:
        found = [t for t in options if rank(t)]
        if found:
            return random.choice(found)
    plain = [t for t in options if t < 257 and tokens[t] not in (b"{", b"[", b"\\", b" ", b"\n", b"\t", b"\r")]
    if random.random() < 0.1:
        return random.choice(options)
    plain = plain if len(plain) < 40 or random.random() < 0.5 else [t for t in plain if tokens[t] in LIKELY]
    return random.choice(plain or options)


# ------------------------------------------------------------------------------------------------- schemas at random


def random_value(r: Random, depth: int = 2) -> Any:
    kind = r.randrange(10 if depth else 6)
    if kind < 2:
        return r.choice([None, True, False])
    if kind < 4:
        return r.choice(NUMBERS)
    if kind < 6:
        return r.choice(STRINGS)
    if kind < 8:
        return [random_value(r, depth - 1) for _ in range(r.randrange(4))]
    return {r.choice(NAMES): random_value(r, depth - 1) for _ in range(r.randrange(4))}


def random_schema(r: Random, depth: int = 3) -> Any:
    """A schema, with references to itself and its `$defs`."""
    schema = Schemas(r).draw(depth)
    if isinstance(schema, dict) and "#/$defs/" in json.dumps(schema):
        schema["$defs"] = {name: Schemas(r).draw(depth - 1) for name in ("p", "q")}
    return schema


class Schemas:
    """Random schemas.

    Attributes:
        inside: whether a reference here is to what is inside something; one that stands for itself is rare.
        negated: whether it is under `not`, `oneOf` or `if`, where some keywords are not supported, and rare.
    """

    def __init__(self, r: Random, inside: bool = False, negated: bool = False):
        self.r, self.inside, self.negated = r, inside, negated

    def draw(self, depth: int) -> Any:
        r = self.r
        if r.random() < 0.06:
            return r.random() < 0.7
        schema: dict[str, Any] = {}
        for write in r.sample(WRITERS if depth > 0 else FLAT_WRITERS, r.choice([1, 1, 2, 2, 3])):
            write(self, depth - 1, schema)
        return schema

    def child(self, depth: int) -> Any:
        """A schema of an item or a property."""
        return Schemas(self.r, True, self.negated).draw(depth)

    def negation(self, depth: int) -> Any:
        return Schemas(self.r, self.inside, True).draw(depth)

    def types(self, depth: int, s: dict[str, Any]) -> None:
        s["type"] = self.r.choice(KINDS) if self.r.random() < 0.7 else self.r.sample(KINDS, 2)

    def values(self, depth: int, s: dict[str, Any]) -> None:
        if self.r.random() < 0.3:
            s["const"] = random_value(self.r)
        else:
            s["enum"] = [random_value(self.r) for _ in range(self.r.randrange(1, 4))]

    def bounds(self, depth: int, s: dict[str, Any]) -> None:
        r = self.r
        for keyword in r.sample(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], r.choice([1, 1, 2])):
            s[keyword] = r.choice(NUMBERS)
        if r.random() < 0.3:
            s["multipleOf"] = r.choice([1, 2, 3, 0.5, 1.5])

    def strings(self, depth: int, s: dict[str, Any]) -> None:
        r = self.r
        if r.random() < 0.6:
            s["pattern"] = r.choice(PATTERNS)
        if r.random() < 0.3:
            s["minLength"] = r.randrange(3)
        if r.random() < 0.3:
            s["maxLength"] = r.randrange(4)
        if r.random() < 0.1:
            s["format"] = r.choice(["date", "email", "what"])

    def sizes(self, depth: int, s: dict[str, Any]) -> None:
        s[self.r.choice(["minItems", "maxItems", "minProperties", "maxProperties"])] = self.r.randrange(3)
        if self.r.random() < (0.01 if self.negated else 0.5):
            s["uniqueItems"] = True

    def required(self, depth: int, s: dict[str, Any]) -> None:
        if self.r.random() < 0.7:
            s["required"] = self.r.sample(NAMES, self.r.randrange(1, 3))
        else:
            s["dependentRequired"] = {self.r.choice(NAMES): self.r.sample(NAMES, self.r.randrange(3))}

    def reference(self, depth: int, s: dict[str, Any]) -> None:
        if self.inside or self.r.random() < 0.05:
            s["$ref"] = self.r.choice(["#/$defs/p", "#/$defs/q", "#/$defs/q", "#"])

    def items(self, depth: int, s: dict[str, Any]) -> None:
        if self.r.random() < 0.7:
            s["items"] = self.child(depth)
        if self.r.random() < 0.4:
            s["prefixItems"] = [self.child(depth) for _ in range(self.r.randrange(1, 3))]

    def contains(self, depth: int, s: dict[str, Any]) -> None:
        s["contains"] = self.child(depth)
        for keyword in ("minContains", "maxContains"):
            if self.r.random() < 0.4:
                s[keyword] = self.r.randrange(3)

    def properties(self, depth: int, s: dict[str, Any]) -> None:
        s["properties"] = {self.r.choice(NAMES): self.child(depth) for _ in range(self.r.randrange(1, 4))}

    def other_properties(self, depth: int, s: dict[str, Any]) -> None:
        r = self.r
        if r.random() < 0.5:
            s["patternProperties"] = {r.choice(PATTERNS): self.child(depth) for _ in range(r.randrange(1, 3))}
        if r.random() < 0.6:
            s["additionalProperties"] = self.child(depth)
        if r.random() < 0.3:
            s["propertyNames"] = self.child(0)

    def several(self, depth: int, s: dict[str, Any]) -> None:
        keyword = self.r.choice(["allOf", "anyOf", "oneOf"])
        draw = self.negation if keyword == "oneOf" else self.draw
        s[keyword] = [draw(depth) for _ in range(self.r.randrange(1, 4))]

    def conditions(self, depth: int, s: dict[str, Any]) -> None:
        kind = self.r.randrange(3)
        if kind == 0:
            s["not"] = self.negation(depth)
        elif kind == 1:
            s["if"] = self.negation(depth)
            s.update({k: self.draw(depth) for k in self.r.sample(["then", "else"], self.r.randrange(1, 3))})
        else:
            s["dependentSchemas"] = {self.r.choice(NAMES): self.draw(depth)}

    def unevaluated(self, depth: int, s: dict[str, Any]) -> None:
        keyword = self.r.choice(["unevaluatedProperties", "unevaluatedItems"])
        s[keyword] = self.child(depth) if self.r.random() < 0.5 else False


FLAT_WRITERS = [Schemas.types, Schemas.types, Schemas.values, Schemas.bounds, Schemas.strings, Schemas.sizes]
FLAT_WRITERS += [Schemas.required, Schemas.reference]
WRITERS = [*FLAT_WRITERS, Schemas.items, Schemas.items, Schemas.contains, Schemas.properties, Schemas.properties]
WRITERS += [Schemas.other_properties, Schemas.several, Schemas.several, Schemas.conditions, Schemas.unevaluated]


def instance(r: Random, schema: Any, root: Any, depth: int = 3) -> Any:
    """A value that may well be valid."""
    if not isinstance(schema, dict) or not depth or r.random() < 0.2:
        return random_value(r, min(depth, 2))
    inner = [x for k in ("allOf", "anyOf", "oneOf") for x in schema.get(k, ())]
    inner += [schema[k] for k in ("if", "then", "else") if k in schema]
    if "$ref" in schema:
        inner.append(root["$defs"][schema["$ref"][-1]] if "$defs/" in schema["$ref"] else root)
    if inner and r.random() < 0.6:
        return instance(r, r.choice(inner), root, depth - 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema and r.random() < 0.9:
        return r.choice(schema["enum"])
    kinds = schema.get(
        "type",
        ["array"] * bool({"items", "prefixItems", "contains", "unevaluatedItems"} & schema.keys())
        + ["object"] * bool({"properties", "additionalProperties", "required", "patternProperties"} & schema.keys())
        or KINDS,
    )
    kind = kinds if isinstance(kinds, str) else r.choice(kinds)
    if kind == "array":
        items = [instance(r, x, root, depth - 1) for x in schema.get("prefixItems", ())]
        more = [
            instance(r, schema.get(r.choice(["items", "contains"]), True), root, depth - 1)
            for _ in range(r.randrange(4))
        ]
        return (items + more)[: r.choice([1, 2, 3, 3])]
    if kind == "object":
        names = [*schema.get("properties", ()), *schema.get("required", ()), *r.sample(NAMES, 2)]
        names = [n for n in dict.fromkeys(names) if n in schema.get("required", ()) or r.random() < 0.5]
        declared, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        return {n: instance(r, declared.get(n, others), root, depth - 1) for n in names}
    return {
        "null": None,
        "boolean": r.random() < 0.5,
        "integer": r.choice(NUMBERS[:8]),
        "number": r.choice(NUMBERS),
        "string": r.choice(STRINGS),
    }[kind]
