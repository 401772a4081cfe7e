"""The parser of the standard library's `re`: all that is used of its private modules, and a check of these.

`re._parser.parse` turns a pattern into (operation, operand) pairs; `re._constants` names the operations. Neither is
documented, so the tables below say which names and which operands are relied on. They are compared with the running
Python when this module is imported. A name that Python lacks, or an operand of another form, is an `ImportError`; an
operation that only a newer Python knows is refused when a pattern uses it (`is_known`).
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from ..language.graph import GraphState, graph
from ..language.intersection import intersection
from ..language.nodes import VOID, Class, Node, Ranges, alt, cat, chars, complement, opt, overlap, star, union
from .characters import ANY, CHARACTERS, SURROGATES, TOP

# --- assertions: `^`, `$`, `\b`, lookahead, lookbehind. They match no character, and hold at some places of a text only
#
# A surrogate is no character, so that it can stand for an assertion: a pattern is read with a mark, a surrogate,
# wherever
# an assertion stands. What an assertion means is a language, too: the texts, with its mark somewhere, in which it does
# *not* hold there. So all assertions, one within another as well, are resolved by one intersection:
#
#     L(pattern)  =  the marked texts of the pattern in which no mark is refused, without their marks

TEXT, ANYTHING = star(ANY), star(chars(((0, TOP),)))


class Assertion(Class):
    """An assertion that is not resolved yet: its mark, a symbol of its own.

    Args:
        number: of this assertion, in one pattern.
        texts: gives the texts, with this mark somewhere, in which the assertion does not hold there.
        edge: -1 if it holds wherever a text begins and says no more there, 1 if wherever one ends; else 0.
    """

    __slots__ = ("_refused", "_texts", "edge")

    def __init__(self, number: int, texts: Callable[[Assertion], Node], edge: int = 0):
        code = SURROGATES[0][0] + number
        super().__init__(((code, code),))
        self.edge, self._texts = edge, texts
        self._refused: Node | None = None

    @property
    def refused(self) -> Node:
        """The texts in which the assertion does not hold, with any marks of others."""
        if self._refused is None:
            self._refused = _with_marks(intersection([cat(TEXT, self, TEXT), self._texts(self)]))
        return self._refused


def resolved(node: Node, marks: Sequence[Assertion]) -> Node:
    """The texts of a pattern in which these assertions hold wherever it has them.

    Raises:
        ConstraintError: it needs too many states.
    """
    if not marks or node is VOID:
        return node
    refused = [mark.refused for mark in marks]
    return _without_marks(intersection([node, ANYTHING], [texts for texts in refused if texts is not VOID]), marks)


def holds_where(texts: Node, mark: Assertion) -> Node:
    """Where an assertion does not hold that holds in `texts`."""
    return intersection([cat(TEXT, mark, TEXT)], [texts] if texts is not VOID else [])


def begins(mark: Node, line_ends: Ranges) -> Node:
    """Where `^` does not hold. line_ends: it holds behind these as well."""
    return cat(TEXT, but(line_ends), mark, TEXT)


def ends(mark: Node, line_ends: Ranges) -> Node:
    """Where `$` does not hold. line_ends: it holds before these as well."""
    return cat(TEXT, mark, but(line_ends), TEXT)


def ends_before_newline(mark: Node) -> Node:
    """Where Python's `$` does not hold: that is before a newline at the end, too."""
    return cat(TEXT, mark, alt(but(((10, 10),)), cat(ANY, ANY)), TEXT)


def word_boundary(mark: Node, words: Ranges, inverted: bool) -> Node:
    r"""Where `\b` does not hold; or where `\B` does not (`inverted`)."""
    word, other = chars(words), but(words)
    in_word, out_of_it = cat(TEXT, word), opt(cat(TEXT, other))  # what stands before
    into_word, on = cat(word, TEXT), opt(cat(other, TEXT))  # what follows
    if inverted:
        in_word, out_of_it = out_of_it, in_word
    return alt(cat(in_word, mark, into_word), cat(out_of_it, mark, on))


def but(ranges: Ranges) -> Node:
    """Any character but these."""
    return chars(overlap(CHARACTERS, complement(ranges, TOP)))


def _with_marks(node: Node) -> Node:
    """The language with any marks anywhere in its texts."""
    if not isinstance(node, GraphState):
        return node  # VOID
    labels = [_ranges(label) for label in node.graph.labels]
    edges: list[list[tuple[Node, int]]] = []
    for i, _ in enumerate(node.graph.edges):
        onward = list(node.graph.numbered(i))
        stay = union(SURROGATES, *(labels[label] for label, j in onward if j == i))
        edges.append([(chars(stay), i), *((chars(labels[label]), j) for label, j in onward if j != i)])
    return graph(edges, node.graph.ends, node.index)


def _without_marks(node: Node, marks: Sequence[Assertion]) -> Node:
    """The language without these marks in its texts."""
    if not isinstance(node, GraphState):
        return node  # VOID
    gone = union(*(mark.ranges for mark in marks))
    labels = [_ranges(label) for label in node.graph.labels]
    silent = [bool(overlap(ranges, gone)) for ranges in labels]
    heard = [chars(overlap(ranges, complement(gone, TOP))) for ranges in labels]
    edges: list[list[tuple[Node, int]]] = [[] for _ in node.graph.edges]
    accepting = [False] * len(edges)
    met = {node.index: None}
    for i in (states := [node.index]):  # grows
        reached = _silently_reached(node, i, silent)
        edges[i] = [
            (heard[label], k) for j in reached for label, k in node.graph.numbered(j) if heard[label] is not VOID
        ]
        accepting[i] = any(node.graph.ends[j] for j in reached)
        new = {k: None for _, k in edges[i] if k not in met}
        met |= new
        states += new
    return graph(edges, accepting, node.index)


def _silently_reached(node: GraphState, start: int, silent: list[bool]) -> dict[int, None]:
    """The states that silent labels lead to."""
    reached = {start: None}
    for i in (todo := [start]):  # grows
        for label, j in node.graph.numbered(i):
            if silent[label] and j not in reached:
                reached[j] = None
                todo.append(j)
    return reached


def _ranges(label: Node) -> Ranges:
    assert isinstance(label, Class), "what `intersection` makes"
    return label.ranges


# --- standard parser

PYTHON = "Python {}.{}.{}".format(*sys.version_info[:3])

HANDLED = frozenset(["ANY", "ASSERT", "ASSERT_NOT", "AT", "BRANCH", "FAILURE", "IN", "LITERAL", "MAX_REPEAT"])
HANDLED |= {"MIN_REPEAT", "NOT_LITERAL", "SUBPATTERN"}
REFUSED = {  # operations that are known and not supported: what an error calls them
    "GROUPREF": "a backreference",
    "GROUPREF_EXISTS": "a conditional group",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive quantifier",
}
IN_CLASSES = frozenset({"CATEGORY", "LITERAL", "NEGATE", "RANGE"})
CATEGORIES = {  # the escapes for sets of characters
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
ANCHORS = frozenset(
    ["AT_BOUNDARY", "AT_NON_BOUNDARY", "AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING"]
)
FLAGS = 1 | int(  # 1 was `re.TEMPLATE`, which did nothing
    re.ASCII | re.IGNORECASE | re.LOCALE | re.UNICODE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.DEBUG
)
ALPHABETS = int(re.ASCII | re.LOCALE | re.UNICODE)  # which characters `\w` has: one of these holds at a time

# One pattern for each operation that is handled, and how it has to be parsed.
_PROBES = {
    "a": "LITERAL 97",
    "[^a]": "NOT_LITERAL 97",
    ".": "ANY None",
    "^": "AT AT_BEGINNING",
    r"\A": "AT AT_BEGINNING_STRING",
    "$": "AT AT_END",
    r"\Z": "AT AT_END_STRING",
    r"\b": "AT AT_BOUNDARY",
    r"\B": "AT AT_NON_BOUNDARY",
    r"[^a-c\d\D\s\S\w\W]": "IN (NEGATE None, RANGE (97, 99), CATEGORY CATEGORY_DIGIT, CATEGORY CATEGORY_NOT_DIGIT, "
    "CATEGORY CATEGORY_SPACE, CATEGORY CATEGORY_NOT_SPACE, CATEGORY CATEGORY_WORD, CATEGORY CATEGORY_NOT_WORD)",
    "aa|bb": "BRANCH (None, ((LITERAL 97, LITERAL 97), (LITERAL 98, LITERAL 98)))",
    "(?i:a)": "SUBPATTERN (None, 2, 0, (LITERAL 97))",
    "(?-i:a)": "SUBPATTERN (None, 0, 2, (LITERAL 97))",
    "(?a:a)": "SUBPATTERN (None, 256, 0, (LITERAL 97))",
    "(?u:a)": "SUBPATTERN (None, 32, 0, (LITERAL 97))",
    "(a)": "SUBPATTERN (1, 0, 0, (LITERAL 97))",
    "a{2,3}": "MAX_REPEAT (2, 3, (LITERAL 97))",
    "a*?": "MIN_REPEAT (0, MAXREPEAT, (LITERAL 97))",
    "(?=a)": "ASSERT (1, (LITERAL 97))",
    "(?<!a)": "ASSERT_NOT (-1, (LITERAL 97))",
}


class SyntaxTree(NamedTuple):
    """A pattern as `re` parses it: (operation, operand) pairs, and the flags of the whole pattern."""

    items: list[tuple[Any, Any]]
    flags: int


def syntax_tree(pattern: str, flags: int = 0) -> SyntaxTree:
    """Parse a pattern. It is parsed as `re` parses it today, even where `re` warns that this may change.

    Raises:
        re.error: it is no regular expression. (Also OverflowError, ValueError, RecursionError.)
    """
    if any(sign in pattern for sign in _MAY_WARN):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # FutureWarning on `[[`
            tree = _parser.parse(pattern, flags)
    else:
        tree = _parser.parse(pattern, flags)
    return SyntaxTree(list(tree), tree.state.flags)


_MAY_WARN = ("[[", "[^[", "--", "&&", "~~", "||")


def is_known(operation: Any) -> bool:
    """Whether an operation, or the operand of AT, is in the tables of this module."""
    return operation.name in HANDLED or operation.name in REFUSED or operation.name in ANCHORS


def flags_inside(flags: int, added: int, removed: int) -> int:
    """The flags inside a group, by those around it and by those that the group adds and removes: `(?u:…)` ends `a`."""
    if added & ALPHABETS:
        flags &= ~ALPHABETS
    return (flags | added) & ~removed


def _written(parsed: Any) -> str:
    """A parsed pattern as `_PROBES` writes it."""
    if not isinstance(parsed, (list, tuple, _parser.SubPattern)):
        return getattr(parsed, "name", None) or repr(parsed)
    parts = [_written(part) for part in parsed]
    is_operation = isinstance(parsed, tuple) and len(parts) == 2 and hasattr(parsed[0], "name")
    return " ".join(parts) if is_operation else f"({', '.join(parts)})"


def check(constants: Any = None, parser: Any = None) -> None:
    """Compare the tables with the running Python's modules, or with others.

    Raises:
        ImportError: a name is missing, or a pattern is parsed to something else; it names Python's version and both.
    """
    constants, parser = constants or sre, parser or _parser
    for name in (*HANDLED, *REFUSED, *IN_CLASSES, *CATEGORIES, *ANCHORS, "MAXREPEAT"):
        if getattr(getattr(constants, name, None), "name", None) != name:
            raise ImportError(f"patterns cannot be read on {PYTHON}: its `re._constants` has no {name}")
    for pattern, expected in _PROBES.items():
        try:
            tree = parser.parse(pattern, 0)
            parsed, flags = _written(list(tree)), tree.state.flags
        except Exception as error:
            raise ImportError(
                f"patterns cannot be read on {PYTHON}: its `re._parser` fails for {pattern!r} ({error!r})"
            ) from None
        if parsed != f"({expected})" or flags != re.UNICODE:
            raise ImportError(
                f"patterns cannot be read on {PYTHON}: its `re._parser` reads {pattern!r} as {parsed} with flags "
                f"{flags}, not as ({expected}) with flags {int(re.UNICODE)}"
            )


try:
    sre: Any = import_module("re._constants")
    _parser: Any = import_module("re._parser")
except ImportError as missing:
    raise ImportError(f"patterns cannot be read on {PYTHON}: it has no `re._constants` and `re._parser`") from missing
check()
