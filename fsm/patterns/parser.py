r"""Regular expressions: what `re.fullmatch` means, as a language of code points, and its UTF-8 spelling.

The standard library's own parser reads the pattern, and the standard library's own matcher says what a class such as
`\w`, or `[k]` under `(?i)`, contains. What is not regular, or is not enforced, is refused by name and position.

Two dialects: `parse(p)` is Python's `re.fullmatch` on `str`; `parse(p, search=True)` is JSON Schema's `pattern`: an
ECMA-262 expression (Unicode mode: `\d`, `\w` are ASCII, `.` stops at any line end) that may match anywhere.

Anchors where a pattern begins or ends say nothing, or that nothing may stand outside; all other assertions are resolved
by an intersection (`standard_parser.py`).

Laws:   s ∈ parse(p)               ⟺  re.fullmatch(p, s)
        s.encode() ∈ utf8(parse(p)) ⟺  s ∈ parse(p)      (surrogates are not characters and never match)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.lengths import conjunction
from ..language.nodes import (
    EMPTY,
    VOID,
    Alt,
    Node,
    Ranges,
    alt,
    cat,
    chars,
    complement,
    inside_out,
    overlap,
    repeat,
    spine,
    symbol,
    union,
)
from .characters import (
    ANY,
    ASCII,
    CHARACTERS,
    DOTALL,
    ECMA_LINE_ENDS,
    ECMA_SPACE,
    IGNORECASE,
    MULTILINE,
    SURROGATES,
    TOP,
    VERBOSE,
    cased,
    cased_matches,
    class_source,
    escape_class,
)
from .standard_parser import (
    CATEGORIES,
    FLAGS,
    IN_CLASSES,
    PYTHON,
    REFUSED,
    TEXT,
    Assertion,
    EcmaPattern,
    begins,
    but,
    ends,
    ends_before_newline,
    flags_inside,
    holds_where,
    is_known,
    resolved,
    sre,
    syntax_tree,
    word_boundary,
)


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
    return PatternReader(pattern, search).read()


def _looks_ahead(item: tuple[Any, Any]) -> bool:
    return item[0] in (sre.ASSERT, sre.ASSERT_NOT) and item[1][0] == 1


# ---------------------------------------------------------------------------------------------------------- reading

MOST_ASSERTIONS = 400  # different ones; there are 2,048 marks, but one more makes all others dearer
MOST_BESIDE = 64  # items beside the first lookaheads of a regex: each lookahead further on is a call within another
_SOURCE = {  # how each construct that may be refused begins in the source, to find its position
    "GROUPREF": r"\(\?P=|\\[1-9]",
    "GROUPREF_EXISTS": r"\(\?\(",
    "ATOMIC_GROUP": r"\(\?>",
    "POSSESSIVE_REPEAT": r"[*+?}]\+",
}
_SKIPPED = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?#[^)]*\)"  # escapes, classes, comments: nothing begins inside them


class PatternReader:
    """Turns what `re` parses of one pattern into a language."""

    def __init__(self, pattern: str, search: bool):
        self.pattern, self.search = pattern, search
        self.ecma: EcmaPattern | None = None  # in a search
        self.marks: dict[Any, Assertion] = {}  # of all assertions; anchors of one kind share one
        self.verbose = False

    def read(self) -> Node:
        try:
            return self.language()
        except re.error as error:
            raise self.refuse(f"is not a regular expression ({error.msg})", self.place(error.pos)) from None
        except (OverflowError, ValueError) as error:
            if isinstance(error, ConstraintError):
                raise
            raise self.refuse(f"is not a regular expression ({error})", None) from None
        except RecursionError:
            raise self.refuse("is nested too deeply", None) from None

    def language(self) -> Node:
        if self.search:
            self.ecma = EcmaPattern(self.pattern, self.refuse)
        tree = syntax_tree(self.ecma.written, ASCII) if self.ecma else syntax_tree(self.pattern)
        self.verbose = bool(tree.flags & VERBOSE)
        node = self.edge(self.ahead(tree.items, self.known_flags(tree.flags)), -1)
        return resolved(node, self.marks_in(node))

    def known_flags(self, flags: int) -> int:
        """The flags, if all are known."""
        if flags & ~FLAGS:
            raise self.refuse(f"uses a flag of {PYTHON} that is not known ({flags & ~FLAGS:#x})")
        return flags

    def ahead(self, items: list[Any], flags: int) -> Node:
        """The language of the items up to the end of the pattern. A plain lookahead looks at all that follows."""
        return conjunction(*self.looked_at(items, flags))

    def looked_at(self, items: list[Any], flags: int) -> tuple[list[Node], list[Node]]:
        """`ahead` as languages that must all have the text, and languages that must not."""
        for i in range(len(items)):
            if run := _looks_ahead(items[i]) and list(takewhile(_looks_ahead, items[i:])):
                if not self.search and len(items) - len(run) > MOST_BESIDE:
                    break
                required, excluded = self.looked_at(items[i + len(run) :], flags)
                for kind, (_, inside) in {repr(item): item for item in run}.values():
                    looked_at = self.sequence(inside, flags)
                    looked_at = self.edge(looked_at, 1) if self.search else cat(looked_at, TEXT)
                    (required if kind is sre.ASSERT else excluded).append(looked_at)
                if any(map(self.marks_in, [*required, *excluded])):
                    break
                return (
                    ([cat(self.sequence(items[:i], flags), conjunction(required, excluded))], [])
                    if i
                    else (required, excluded)
                )
        return [self.edge(self.sequence(items, flags), 1)], []

    def sequence(self, items: Any, flags: int) -> Node:
        return cat(*[self.item(op, value, flags) for op, value in _runs_joined(list(items))])

    def item(self, op: Any, value: Any, flags: int) -> Node:
        """The language of one operation of the parser of `re`."""
        language_of = _OPERATIONS.get(op.name)
        if language_of is None:
            raise self.unsupported(op)
        return language_of(self, value, flags)

    def literal(self, code: int, flags: int) -> Node:
        if not flags & IGNORECASE and code < SURROGATES[0][0]:
            return symbol(code)
        return chars(self.char_class([(sre.LITERAL, code)], flags))

    def any_but(self, code: int, flags: int) -> Node:
        return chars(self.char_class([(sre.NEGATE, None), (sre.LITERAL, code)], flags))

    def one_of(self, items: list[tuple[Any, Any]], flags: int) -> Node:
        return chars(self.char_class(items, flags))

    def dot(self, _: None, flags: int) -> Node:
        return ANY if flags & DOTALL else but(self.line_ends())

    def line_ends(self) -> Ranges:
        return ECMA_LINE_ENDS if self.search else ((10, 10),)

    def branches(self, value: tuple[None, list[Any]], flags: int) -> Node:
        return alt(*[self.sequence(branch, flags) for branch in value[1]])

    def group(self, value: tuple[int | None, int, int, Any], flags: int) -> Node:
        _, added, removed, inside = value
        return self.sequence(inside, flags_inside(flags, self.known_flags(added), removed))

    def repeated(self, value: tuple[int, int, Any], flags: int) -> Node:
        low, high, inside = value
        return repeat(self.sequence(inside, flags), low, None if high is sre.MAXREPEAT else high)

    def failure(self, _: tuple[()], flags: int) -> Node:
        return VOID

    def anchor(self, kind: Any, flags: int) -> Node:
        if not is_known(kind):
            raise self.unsupported(kind)
        name = kind.name
        lines = self.line_ends() if flags & MULTILINE and name in ("AT_BEGINNING", "AT_END") else ()
        at_edge = 0 if lines and self.search else 1  # in the middle of a text it may hold, too, and is looked for there
        if name in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            return self.mark((name, lines), lambda mark: begins(mark, lines), -at_edge)
        if name == "AT_END" and not lines and not self.search:
            return self.mark((name, lines), ends_before_newline, at_edge)
        if name in ("AT_END", "AT_END_STRING"):
            return self.mark((name, lines), lambda mark: ends(mark, lines), at_edge)
        ascii_only, inverted = bool(flags & ASCII), name == "AT_NON_BOUNDARY"
        no_empty = inverted and not self.search and sys.version_info < (3, 14)  # there, an empty text has no \B

        def texts(mark: Assertion) -> Node:
            refused = word_boundary(mark, escape_class(r"\w", ascii_only), inverted)
            return alt(refused, mark) if no_empty else refused

        return self.mark((name, ascii_only), texts)

    def mark(self, key: Any, texts: Callable[[Assertion], Node], edge: int = 0) -> Assertion:
        """The mark of an assertion; the same for equal keys."""
        if key not in self.marks:
            if len(self.marks) == MOST_ASSERTIONS:
                raise self.refuse(f"has over {MOST_ASSERTIONS} different assertions")
            self.marks[key] = Assertion(len(self.marks), texts, edge)
        return self.marks[key]

    def look(self, value: tuple[int, Any], flags: int, inverted: bool = False) -> Node:
        direction, items = value
        if direction < 0 and not self.search:
            re.compile(self.pattern)  # where `re` wants a fixed width

        def texts(mark: Assertion) -> Node:
            inside = self.sequence(items, flags)
            whole = cat(TEXT, mark, inside, TEXT) if direction > 0 else cat(TEXT, inside, mark, TEXT)
            whole = resolved(whole, self.marks_in(inside))
            return whole if inverted else holds_where(whole, mark)

        return self.mark((direction, repr(items), flags, inverted), texts)

    def look_not(self, value: tuple[int, Any], flags: int) -> Node:
        return self.look(value, flags, inverted=True)

    def unsupported(self, op: Any) -> ConstraintError:
        """The error for an operation, or for a kind of anchor that is not known."""
        if not is_known(op):
            return self.refuse(f"uses {op.name}, an operation of {PYTHON}'s `re` that is not known")
        return self.refuse(f"uses {REFUSED[op.name]}, which is not supported", *self.find_all(_SOURCE[op.name])[:1])

    def char_class(self, items: list[tuple[Any, Any]], flags: int) -> Ranges:
        for op, value in items:
            name = value.name if op is sre.CATEGORY else op.name
            if name not in IN_CLASSES and name not in CATEGORIES:
                raise self.refuse(f"uses {name} in a class, an operation of {PYTHON}'s `re` that is not known")
        return _char_class(tuple(items), flags & (ASCII | IGNORECASE), self.search)

    def marks_in(self, node: Node) -> list[Assertion]:
        return [part for part in inside_out(node) if isinstance(part, Assertion)] if self.marks else []

    def edge(self, node: Node, side: int) -> Node:
        """Resolve the anchors at one end (−1, 1) of `node`, if that is plain.

        In a search, anything may stand outside where there is none. Where anchors are left, they say so themselves.
        """
        if self.has_edge(node, side) and isinstance(node, Alt):
            return alt(*(self.edge(option, side) for option in node.options))
        if self.has_edge(node, side):
            items = list(spine(node))
            outer = items.pop(0 if side < 0 else -1)
            inner = cat(*items)
            if isinstance(outer, Assertion) and outer.edge == side:
                return inner
            if inner is not EMPTY and not self.has_edge(inner, side):
                return cat(*(inner, self.edge(outer, side))[::side])
        items = list(spine(node)) if self.search else [node]
        while self.search and items and items[-max(side, 0)].nullable:  # then anything may stand there already
            items.pop(-max(side, 0))
        return cat(*(cat(*items), TEXT if self.search else EMPTY)[::side])

    def has_edge(self, node: Node, side: int) -> bool:
        return any(mark.edge == side for mark in self.marks_in(node))

    def find_all(self, construct: str) -> list[int | None]:
        """Where a construct begins in the pattern, outside escapes, classes and comments."""
        skipped = _SKIPPED + (r"|#[^\n]*" if self.verbose else "")
        source = self.ecma.written if self.ecma else self.pattern
        return [
            self.place(m.start()) for m in re.finditer(f"({construct})|{skipped}", source, re.S) if m[1] is not None
        ]

    def place(self, position: int | None) -> int | None:
        """Where in the pattern a place stands of what `re` reads."""
        return self.ecma.place(position) if self.ecma and position is not None else position

    def refuse(self, reason: str, position: int | None = None) -> ConstraintError:
        place = "" if position is None else f", at position {position}: {self.pattern[position : position + 24]!r}"
        return ConstraintError(f"the pattern {self.pattern!r} {reason}{place}")


def _runs_joined(items: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The items of a sequence, with repeats of the same beside each other as one: `a?a?a` is `a{1,3}`.

    (In a thousand `a?`, a text may be in a thousand places, and go on to a thousand from each of them.)
    """
    joined: list[tuple[Any, Any]] = []
    for item in items:
        before = joined[-1] if joined else None
        if before is not None and _REPEATS.intersection((before[0].name, item[0].name)):
            (low, high, body), (more, most, same) = _as_repeat(before), _as_repeat(item)
            top = sre.MAXREPEAT if sre.MAXREPEAT in (high, most) else high + most
            small = low + more < sre.MAXREPEAT and (top < sre.MAXREPEAT or sre.MAXREPEAT in (high, most))
            if small and len(body) == len(same) and repr(body) == repr(same):
                joined[-1] = (sre.MAX_REPEAT, (low + more, top, body))
                continue
        joined.append(item)
    return joined


def _as_repeat(item: tuple[Any, Any]) -> tuple[int, int, list[tuple[Any, Any]]]:
    """(from, to, the items that are repeated) of any item."""
    if item[0].name not in _REPEATS:
        return 1, 1, [item]
    low, high, body = item[1]
    return low, high, list(body)


_REPEATS = {"MAX_REPEAT", "MIN_REPEAT"}
_OPERATIONS = {
    "ANY": PatternReader.dot,
    "ASSERT": PatternReader.look,
    "ASSERT_NOT": PatternReader.look_not,
    "AT": PatternReader.anchor,
    "BRANCH": PatternReader.branches,
    "FAILURE": PatternReader.failure,
    "IN": PatternReader.one_of,
    "LITERAL": PatternReader.literal,
    "MAX_REPEAT": PatternReader.repeated,  # greedy or lazy: one language
    "MIN_REPEAT": PatternReader.repeated,
    "NOT_LITERAL": PatternReader.any_but,
    "SUBPATTERN": PatternReader.group,
}


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
                source += class_source(part)
            else:
                part = escape_class(CATEGORIES[value.name], bool(flags & ASCII))
                source += CATEGORIES[value.name]
        else:
            part = (value,) if op is sre.RANGE else ((value, value),)
            source += class_source(part)
        parts.append(part)
    ranges = union(*parts)
    if negated:
        ranges = complement(ranges, TOP)
    if flags & IGNORECASE:
        matched = cased_matches(f"[{'^' * negated}{source}]", flags & (ASCII | IGNORECASE))
        ranges = union(overlap(ranges, complement(cased(), TOP)), matched)
    return overlap(CHARACTERS, ranges)


# --- which part of a pattern that matches nothing is to blame: the smallest one, where it stands
#
# A part is some items of a sequence, in a group or not, that no text around them lets match. It is for messages only: a
# pattern with comments, or one whose groups have flags, is not looked into.

_ESCAPE = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[pP]\{[^}]*\}|[0-7]{3}|.)"
_OPENS = r"\((?!\?[#(])(?:\?(?:P<\w+>|[aiLmsux]*(?:-[imsx]+)?[:)]|<?[=!]|>))?"
_TOKEN = re.compile(rf"{_ESCAPE}|\[\^?\]?(?:\\.|[^\]\\])*\]|{_OPENS}|.", re.S)
_REPEATED = re.compile(r"(?:[*+?]|\{\d*,?\d*\})[?+]?")
_LOOKED_INTO = re.compile(r"\((?:\?:|\?P<\w+>|(?!\?))")
_FLAGS = re.compile(r"\(\?[aiLmsu]+\)")
_ANYTHING = r"(?s:.*)"
LONGEST = 1_000  # characters of a pattern that is looked into


def smallest_part(pattern: str) -> tuple[int, str] | None:
    """The smallest part that matches nothing: its position, and it; None for the whole pattern."""
    flags = _FLAGS.match(pattern)
    begin, end = flags.end() if flags else 0, len(pattern)
    if len(pattern) > LONGEST or not _matches_nothing(pattern):
        return None
    place = _within(pattern, begin, end, pattern[:begin], "", "")
    return None if place is None or place == (begin, end) else (place[0], pattern[place[0] : place[1]])


def _within(pattern: str, begin: int, end: int, flags: str, before: str, after: str) -> tuple[int, int] | None:
    """Where the smallest part stands of one that matches nothing between `before` and `after`; None if not found."""
    items = list(_items(pattern, begin, end))
    if not items or any(pattern[at] == "|" for at, _, _ in items):
        return None

    def around(first: int, last: int) -> tuple[str, str]:
        return before if first == 0 else _ANYTHING, after if last == len(items) else _ANYTHING

    def fails(first: int, last: int) -> bool:
        left, right = around(first, last)
        return _matches_nothing(flags + left + pattern[items[first][0] : items[last - 1][2]] + right)

    first, last = 0, len(items)
    while first + 1 < last and fails(first, last - 1):
        last -= 1
    while first + 1 < last and fails(first + 1, last):
        first += 1
    (at, closed, _), (_, _, stop) = items[first], items[last - 1]
    opened = _LOOKED_INTO.match(pattern, at, closed)
    inside = None
    if first + 1 == last and opened and pattern[closed - 1] == ")":
        left, right = around(first, last) if stop == closed else (_ANYTHING, _ANYTHING)
        inside = _within(pattern, opened.end(), closed - 1, flags, left, right)
    return inside or (at, stop)


def _items(pattern: str, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The items of a sequence: where each begins, where it ends, and where its repetition ends."""
    at = begin
    while at < end:
        start, depth = at, 0
        while at == start or depth > 0:
            token = _TOKEN.match(pattern, at, end)
            if token is None:
                return
            at = token.end()
            depth += (token[0][0] == "(" and token[0][-1] != ")") - (token[0] == ")")
        repeated = _REPEATED.match(pattern, at, end)
        yield start, at, repeated.end() if repeated else at
        at = repeated.end() if repeated else at


def _matches_nothing(pattern: str) -> bool:
    try:
        return parse(pattern) is VOID
    except ConstraintError:  # what was cut out is no pattern
        return False
