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
from importlib import import_module
from typing import Any, NamedTuple

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
