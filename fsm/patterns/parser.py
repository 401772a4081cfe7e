"""Regular expressions: what `re.fullmatch` means, as a language of code points, and its UTF-8 spelling.

The standard library's own parser reads the pattern, and the standard library's own matcher says what a class such as
`\\w`, or `[k]` under `(?i)`, contains. What is not regular, or is not enforced, is refused by name and position.

Two dialects: `parse(p)` is Python's `re.fullmatch` on `str`; `parse(p, search=True)` is JSON Schema's `pattern`: an
ECMA-262 expression (Unicode mode: `\\d`, `\\w` are ASCII, `.` stops at any line end) that may match anywhere.

Laws:   s ∈ parse(p)               ⟺  re.fullmatch(p, s)
        s.encode() ∈ utf8(parse(p)) ⟺  s ∈ parse(p)      (surrogates are not characters and never match)
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from importlib import import_module
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.intersection import intersection
from ..language.nodes import EMPTY, VOID, Alt, Cat, Node, alt, cat, chars, inside_out, repeat, spine, star, symbol
from ..language.ranges import Ranges, complement, overlap, union
from .characters import (
    ANY,
    ASCII,
    CHARACTERS,
    DOTALL,
    ECMA_SPACE,
    IGNORECASE,
    SURROGATES,
    TOP,
    VERBOSE,
    _cased,
    _category,
    _general_category,
    _matched,
    _spell,
)

sre: Any = import_module("re._constants")  # what the parser of `re` calls things, and the parser
sre_parser: Any = import_module("re._parser")


def parse(pattern: str, search: bool = False) -> Node:
    """The language of a pattern, over code points; VOID if it matches nothing.

    Raises:
        TypeError: `pattern` is not a `str`.
        ConstraintError: it is no regular expression, or uses something that is not supported; with its position.
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is a str, not {type(pattern).__name__}")
    return _parsed(pattern, search)


@lru_cache(maxsize=1024)
def _parsed(pattern: str, search: bool) -> Node:
    return _Reader(pattern, search).read()


# ---------------------------------------------------------------------------------------------------------- reading

_SOURCE = {  # how each construct that may be refused begins in the source, to find its position
    "ASSERT": r"\(\?=|\(\?<=",
    "ASSERT_NOT": r"\(\?!|\(\?<!",
    "FAILURE": r"\(\?!",
    "GROUPREF": r"\(\?P=|\\[1-9]",
    "GROUPREF_EXISTS": r"\(\?\(",
    "ATOMIC_GROUP": r"\(\?>",
    "POSSESSIVE_REPEAT": r"[*+?}]\+",
    "AT_BOUNDARY": r"\\b",
    "AT_NON_BOUNDARY": r"\\B",
    "AT_BEGINNING": r"\^",
    "AT_BEGINNING_STRING": r"\\A",
    "AT_END": r"\$",
    "AT_END_STRING": r"\\Z",
}
_NAMES = {
    "ASSERT": "lookaround",
    "ASSERT_NOT": "lookaround",
    "GROUPREF": "a backreference",
    "GROUPREF_EXISTS": "a conditional group",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive quantifier",
    "AT_BOUNDARY": r"the word boundary \b",
    "AT_NON_BOUNDARY": r"the anchor \B",
    "AT_BEGINNING": "the anchor ^ inside the pattern",
    "AT_BEGINNING_STRING": r"the anchor \A inside the pattern",
    "AT_END": "the anchor $ inside the pattern",
    "AT_END_STRING": r"the anchor \Z inside the pattern",
}
_BEGINS = ("AT_BEGINNING", "AT_BEGINNING_STRING")
_ENDS = ("AT_END", "AT_END_STRING")
_SKIPPED = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?#[^)]*\)"  # escapes, classes, comments: nothing begins inside them
_MAY_WARN = ("[[", "[^[", "--", "&&", "~~", "||")
_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


class _Anchor(Node):
    """`^` (left) or `$` (right): resolved, or refused, before anyone else sees it."""

    __slots__ = ("kind", "left", "position")

    def __init__(self, kind: str, left: bool, position: int | None):
        self.nullable, self.kind, self.left, self.position = True, kind, left, position


class _Reader:
    def __init__(self, pattern: str, search: bool):
        self.pattern, self.search = pattern, search
        self.anchors: list[_Anchor] = []
        self.verbose = False

    def read(self) -> Node:
        try:
            return self.language()
        except re.error as error:
            raise self.refuse(f"is not a regular expression ({error.msg})", error.pos) from None
        except (OverflowError, ValueError) as error:
            if isinstance(error, ConstraintError):
                raise
            raise self.refuse(f"is not a regular expression ({error})", None) from None
        except RecursionError:
            raise self.refuse("is nested too deeply", None) from None

    def language(self) -> Node:
        odd = self.find_all(r"\\[AZ]|\[\^?\]|\{,\d+\}") if self.search else []
        if odd:
            raise self.refuse("is read differently by Python and by ECMA-262", odd[0])
        flags = ASCII if self.search else 0
        source = self.properties() if self.search else self.pattern
        if any(sign in source for sign in _MAY_WARN):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # FutureWarning on `[[`, which is read here as `re` reads it
                tree = sre_parser.parse(source, flags)
        else:
            tree = sre_parser.parse(source, flags)
        self.verbose = bool(tree.state.flags & VERBOSE)
        node = self.edge(self.ahead(list(tree), tree.state.flags), True)
        for anchor in self.anchors_in(node):
            raise self.refuse(f"uses {_NAMES[anchor.kind]}, which is not supported", anchor.position)
        return node

    def ahead(self, items: list[Any], flags: int) -> Node:
        """The end of a pattern, resolved at its right edge. What looks ahead there looks at all that is left."""
        for i, (op, value) in enumerate(items):
            if self.search and op in (sre.ASSERT, sre.ASSERT_NOT) and value[0] == 1:
                left, rest = self.sequence(items[:i], flags), self.ahead(items[i + 1 :], flags)
                seen = self.edge(self.sequence(value[1], flags), False)
                for anchor in (*self.anchors_in(cat(seen, rest)), *(x for x in self.anchors_in(left) if not x.left)):
                    raise self.refuse(f"uses {_NAMES[anchor.kind]}, which is not supported", anchor.position)
                return cat(left, intersection([rest, seen]) if op is sre.ASSERT else intersection([rest], [seen]))
        return self.edge(self.sequence(items, flags), False)

    def properties(self) -> str:
        """The pattern, with Unicode's general categories (ECMA-262's `\\p{Lu}`) written out."""
        if r"\p" not in self.pattern and r"\P" not in self.pattern:
            return self.pattern
        inside = False  # a class

        def written(m: re.Match[str]) -> str:
            nonlocal inside
            if m["name"] is None:
                inside = m[0] == "[" or (inside and m[0] != "]")
                return m[0]
            ranges = _general_category(m["name"].rpartition("=")[2])
            if not ranges:
                raise self.refuse(f"uses the Unicode property {m['name']!r}, which is not supported", m.start())
            if m[0][1] == "P":
                ranges = complement(ranges, TOP)
            return _spell(ranges) if inside else f"[{_spell(ranges)}]"

        return re.sub(r"\\[pP]\{(?P<name>[^}]*)\}|\\.|\[|\]", written, self.pattern, flags=re.S)

    def sequence(self, items: Any, flags: int) -> Node:
        return cat(*[self.item(op, value, flags) for op, value in items])

    def item(self, op: Any, value: Any, flags: int) -> Node:
        if op is sre.LITERAL:
            if not flags & IGNORECASE and value < SURROGATES[0][0]:
                return symbol(value)
            return chars(self.char_class([(op, value)], flags))
        if op is sre.NOT_LITERAL:
            return chars(self.char_class([(sre.NEGATE, None), (sre.LITERAL, value)], flags))
        if op is sre.IN:
            return chars(self.char_class(value, flags))
        if op is sre.ANY:
            line_ends = "" if flags & DOTALL else "\n\r\u2028\u2029" if self.search else "\n"
            return chars(overlap(CHARACTERS, complement(union(*(((ord(c), ord(c)),) for c in line_ends)), TOP)))
        if op is sre.BRANCH:
            return alt(*[self.sequence(branch, flags) for branch in value[1]])
        if op is sre.SUBPATTERN:
            _, added, removed, inside = value
            return self.sequence(inside, (flags | added) & ~removed)
        if op is sre.MAX_REPEAT or op is sre.MIN_REPEAT:  # greedy or lazy: one language
            low, high, inside = value
            node = self.sequence(inside, flags)
            for anchor in self.anchors_in(node):
                raise self.refuse("repeats an anchor, which is not supported", anchor.position)
            return repeat(node, low, None if high is sre.MAXREPEAT else high)
        if op is sre.FAILURE:
            return VOID
        kind = (value if op is sre.AT else op).name  # the numbers of `re._constants` overlap
        places = self.find_all(_SOURCE.get(kind, "(?!)"))
        if kind in _BEGINS or kind in _ENDS:
            earlier = sum(anchor.kind == kind for anchor in self.anchors)
            anchor = _Anchor(kind, kind in _BEGINS, places[earlier] if earlier < len(places) else None)
            self.anchors.append(anchor)
            return anchor
        raise self.refuse(f"uses {_NAMES.get(kind, kind.lower())}, which is not supported", *places[:1])

    def char_class(self, items: list[tuple[Any, Any]], flags: int) -> Ranges:
        return _char_class(tuple(items), flags & (ASCII | IGNORECASE), self.search)

    def anchors_in(self, node: Node) -> list[_Anchor]:
        return [part for part in inside_out(node) if isinstance(part, _Anchor)] if self.anchors else []

    def edge(self, node: Node, left: bool) -> Node:
        """Resolve the anchors at one end of `node`; in a search, where there is none, anything may stand outside."""
        if not any(anchor.left is left for anchor in self.anchors_in(node)):
            free = star(ANY) if self.search else EMPTY
            return cat(free, node) if left else cat(node, free)
        if isinstance(node, _Anchor):
            return EMPTY
        if isinstance(node, Alt):
            return alt(*(self.edge(option, left) for option in node.options))
        if isinstance(node, Cat):
            items = list(spine(node))
            outer = items.pop(0 if left else -1)
            inner = cat(*items)
            if isinstance(outer, _Anchor) and outer.left is left:
                return inner
            if not any(anchor.left is left for anchor in self.anchors_in(inner)):
                outer = self.edge(outer, left)
                return cat(outer, inner) if left else cat(inner, outer)
        return node

    def find_all(self, construct: str) -> list[int]:
        """Where a construct begins in the source, outside escapes, classes and comments."""
        skipped = _SKIPPED + (r"|#[^\n]*" if self.verbose else "")
        return [m.start() for m in re.finditer(f"({construct})|{skipped}", self.pattern, re.S) if m[1] is not None]

    def refuse(self, what: str, position: int | None = None) -> ConstraintError:
        place = "" if position is None else f", at position {position}: {self.pattern[position : position + 24]!r}"
        return ConstraintError(f"the pattern {self.pattern!r} {what}{place}")


@lru_cache(maxsize=4096)
def _char_class(items: tuple[tuple[Any, Any], ...], flags: int, search: bool) -> Ranges:
    """The characters of a class. Exact by construction: where it is not a matter of ranges, `re` is asked."""
    negated = items[0][0] is sre.NEGATE
    parts: list[Ranges] = []
    source = ""
    for op, value in items[negated:]:
        if op is sre.CATEGORY:
            if search and value in (sre.CATEGORY_SPACE, sre.CATEGORY_NOT_SPACE):
                part = ECMA_SPACE if value is sre.CATEGORY_SPACE else complement(ECMA_SPACE, TOP)
                source += _spell(part)
            else:
                part = _category(_CATEGORIES[value], bool(flags & ASCII))
                source += _CATEGORIES[value]
        else:
            part = (value,) if op is sre.RANGE else ((value, value),)
            source += _spell(part)
        parts.append(part)
    ranges = union(*parts)
    if negated:
        ranges = complement(ranges, TOP)
    if flags & IGNORECASE:
        cased = _cased()
        matched = _matched(f"[{'^' * negated}{source}]", flags & (ASCII | IGNORECASE), cased=True)
        ranges = union(overlap(ranges, complement(cased, TOP)), matched)
    return overlap(CHARACTERS, ranges)
