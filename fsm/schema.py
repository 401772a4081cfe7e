"""JSON Schema → a language of JSON texts.

Everything that is generated is valid. A keyword is enforced, or refused by name and place; what only describes
(`title`, `default`, …) is passed over. Spelling and scope, where the standard leaves room:

- Objects have their properties in the schema's order and none that is not declared; an object that declares none but
  has a schema for `additionalProperties` is a map (whose keys may repeat: readers keep the last). Arrays have no items
  beyond those that `items` and `prefixItems` speak of.
- A schema without `type` is one of the types that its keywords speak of: `minLength` makes it a string.
- Free strings may spell a character plainly or by any of its escapes. Property names, `enum` and `const` spell
  printable ASCII plainly (so that they can be forced); other characters plainly or escaped, as they must.
- Integers are digits: `1`, not `1.0` or `1e0`. Numbers have exponents unless a bound other than 0, or `multipleOf`, is
  set. Values in `enum` and `const` are spelled as `json.dumps` does.
- `pattern` is ECMA-262's dialect and may match anywhere in the string; it, lengths and formats mean the decoded string.
- Whitespace: "compact" has none; "flexible" has, between any two tokens, up to one space, or a line break and up to 64
  spaces or tabs; or a pattern of yours. There is none before or after the whole text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.json_text import encoded_string, quoted
from outlines_cont.fsm.language import EMPTY, VOID, Node, alphabet, alt, cat, literal, opt, repeat, words
from outlines_cont.fsm.pattern import parse, utf8
from outlines_cont.fsm.schema_reader import (
    TYPES,
    Flat,
    Place,
    Places,
    Reader,
    implied,
    numeral,
    property_of,
    refuse,
    within,
)

FLEXIBLE = r" ?|\r?\n[ \t]{0,64}"


def language(schema: Any, whitespace: str = "compact") -> Node:
    """The JSON texts that are valid under `schema`, over bytes; VOID if there are none.

    Args:
        schema: a dict, a bool, or the JSON text of one.
        whitespace: "compact", "flexible", or a pattern.

    Raises:
        TypeError: `schema` is none of these.
        ConstraintError: something in it is not supported, or is no JSON Schema; with its JSON pointer.
    """
    if isinstance(schema, (str, bytes)):
        try:
            schema = json.loads(schema)
        except ValueError as error:
            raise ConstraintError(f"the schema is not JSON: {error}") from None
    if not isinstance(schema, (dict, bool)):
        raise TypeError(f"a schema is a dict, a bool, or their JSON text, not {type(schema).__name__}")
    writer = _Writer(schema, _whitespace(whitespace))
    try:
        return writer.value((Place(schema, "#", frozenset(["#"])),))
    except RecursionError:
        raise ConstraintError("the schema is nested too deeply") from None


def _whitespace(whitespace: str) -> Node:
    if whitespace == "compact":
        return EMPTY
    node = utf8(parse(FLEXIBLE if whitespace == "flexible" else whitespace))
    foreign = alphabet(node) - set(b" \t\n\r")
    if foreign or node is VOID:
        what = f"matches {bytes([min(foreign)])!r}" if foreign else "matches nothing"
        raise ConstraintError(
            f'whitespace is "compact", "flexible", or a pattern of JSON whitespace only; {whitespace!r} {what}'
        )
    return node


class _Writer:
    """The spelling of what a `Reader` reads."""

    def __init__(self, root: Any, space: Node):
        self.reader, self.space = Reader(root), space
        self.comma = cat(space, literal(b","), space)
        self.colon = cat(space, literal(b":"), space)
        self.made: dict[tuple[int, ...], Node] = {}

    def value(self, places: Places) -> Node:
        """The texts that are valid under all of `places`."""
        key = tuple(id(place.schema) for place in places)  # the root keeps the schemas alive
        if key not in self.made:
            self.made[key] = alt(*map(self.flat, self.reader.flats(places)))
        return self.made[key]

    def flat(self, flat: Flat) -> Node:
        if flat.values is not None:
            others = replace(flat, values=None)
            return self.constants(value for value in flat.values if self.reader.fits(value, others))
        types = implied(flat)
        if types is None:
            refuse(flat.path, "any JSON at all is not supported yet: say which type, or list the values")
        return alt(*(self.of_type(kind, flat) for kind in TYPES if kind in types))

    def of_type(self, kind: str, flat: Flat) -> Node:
        if kind == "null":
            return literal(b"null")
        if kind == "boolean":
            return words([b"true", b"false"])
        if kind == "string":
            try:
                return encoded_string(flat.patterns, flat.formats, *flat.lengths)
            except ConstraintError as error:
                refuse(flat.path, str(error))
        if kind == "array":
            return self.array(flat)
        if kind == "object":
            return self.object(flat)
        return numeral(kind, flat)

    def constants(self, values: Iterable[Any]) -> Node:
        plain, others = [], []
        for value in values:
            text = json.dumps(value, ensure_ascii=False)
            if isinstance(value, (list, dict)) or not text.isascii() or "\\" in text:
                others.append(self.constant(value))
            else:
                plain.append(text.encode())
        return alt(words(plain), *others)

    def constant(self, value: Any) -> Node:
        if isinstance(value, str):
            return quoted(value)
        if isinstance(value, list):
            return self.enclosed(b"[", self.joined([self.constant(x) for x in value]), b"]", empty=not value)
        if isinstance(value, dict):
            members = [cat(quoted(name), self.colon, self.constant(x)) for name, x in value.items()]
            return self.enclosed(b"{", self.joined(members), b"}", empty=not value)
        return literal(json.dumps(value).encode())

    def joined(self, parts: list[Node]) -> Node:
        if not parts:
            return VOID
        return cat(parts[0], *(x for part in parts[1:] for x in (self.comma, part)))

    def enclosed(self, left: bytes, inside: Node, right: bytes, empty: bool) -> Node:
        """`inside` (at least one thing) between brackets; or nothing, if `empty`."""
        filled = cat(self.space, inside, self.space)
        return cat(literal(left), alt(filled, self.space if empty else VOID), literal(right))

    def array(self, flat: Flat) -> Node:
        low, high = flat.counts
        if flat.unique and (high is None or high > 1):
            refuse(f"{flat.path}/uniqueItems", "'uniqueItems' is not supported yet, but for one item at most")
        fixed = len(flat.prefix)
        if not flat.items and low > fixed:
            refuse(
                flat.path, f"items beyond the first {fixed} may be any JSON, which is not supported yet; say 'items'"
            )
        if not flat.items and not flat.prefix and high != 0:
            refuse(flat.path, "an array of any JSON is not supported yet; say 'items'")
        item = self.value(flat.items) if flat.items and (high is None or high > fixed) else VOID
        # From the right: what may follow when i items are there.
        more = repeat(cat(self.comma, item), max(low - fixed, 0), None if high is None else max(high - fixed, 0))
        if high is not None and high < fixed:
            more = EMPTY
            fixed = high
        if fixed == 0:
            rest = repeat(cat(self.comma, item), max(low - 1, 0), None if high is None else high - 1)
            inside = VOID if high == 0 else cat(item, rest)
        else:
            for i in reversed(range(1, fixed)):
                more = cat(self.comma, self.value(flat.prefix[i]), more)
                if i >= low:
                    more = opt(more)
            inside = cat(self.value(flat.prefix[0]), more)
        return self.enclosed(b"[", inside, b"]", empty=low == 0)

    def object(self, flat: Flat) -> Node:
        low, high = flat.sizes
        real = any(place.schema is not False for place in flat.additional)
        if not flat.properties and not flat.required and "properties" not in flat.said and high != 0:
            if not flat.additional:
                refuse(
                    flat.path, "an object of any JSON is not supported yet; say 'properties' or 'additionalProperties'"
                )
            if real:
                return self.map(flat)
        members: list[tuple[Node, bool]] = []
        for name in (*flat.properties, *(name for name in flat.required if name not in flat.properties)):
            places, needed = property_of(flat, name), name in flat.required
            if not places:
                refuse(flat.path, f"the required property {name!r} has no schema: any JSON is not supported yet")
            member = cat(quoted(name), self.colon, self.value(places))
            if member is not VOID or needed:
                members.append((member, needed))
        # From the right: what may follow when i members were passed and n of them are there. n is only counted as far
        # as it matters.
        counted = len(members) if low > 1 or (high is not None and high < len(members)) else 1
        may_end = [low <= n if counted == 1 else within(n, flat.sizes) for n in range(counted + 1)]
        empty = may_end[0] and not any(needed for _, needed in members)
        one_or_more = [VOID] * (counted + 1)
        rest = [EMPTY if end else VOID for end in may_end]
        for member, needed in reversed(members):
            one_or_more = [
                alt(cat(member, rest[min(n + 1, counted)]), VOID if needed else one_or_more[n])
                for n in range(counted + 1)
            ]
            if needed:
                may_end = [False] * (counted + 1)
            rest = [
                alt(cat(self.comma, more), EMPTY if end else VOID)
                for more, end in zip(one_or_more, may_end, strict=True)
            ]
        return self.enclosed(b"{", one_or_more[0], b"}", empty)

    def map(self, flat: Flat) -> Node:
        """Any keys, with values of one kind. A key may repeat, so that no number of different keys can be promised."""
        low, high = flat.sizes
        if low > 1:
            refuse(
                f"{flat.path}/minProperties", "'minProperties' above 1 is not supported for undeclared properties yet"
            )
        if high == 0:
            return self.enclosed(b"{", VOID, b"}", empty=True)
        member = cat(encoded_string((), (), 0, None), self.colon, self.value(flat.additional))
        inside = cat(member, repeat(cat(self.comma, member), 0, None if high is None else high - 1))
        return self.enclosed(b"{", inside, b"}", empty=low == 0)
