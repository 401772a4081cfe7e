"""Which part of a pattern that matches nothing is to blame: the smallest one, where it stands.

A part is some items of a sequence, in a group or not, that no text around them lets match. It is for messages only: a
pattern with comments, or one whose groups have flags, is not looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID
from .parser import parse

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
