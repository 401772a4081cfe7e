"""Context-free grammars as languages. Two syntaxes are read, lark's (by lark) and GBNF; our machine runs them.

What a grammar means, in characters (in lark: `parser="earley", lexer="dynamic_complete"`):

    L(rule)      the concatenations that its expansions say, every way to split the text into terminals counting
    L(terminal)  the texts s with re.match(terminal, s).end() == len(s): lazy quantifiers stop where they first can,
                 alternatives are tried in order; so a `/"(.*?)"/` never runs on past its closing quote
    %ignore      any number of the ignored terminals, before, between and after all others

A part is a language of bytes from elsewhere, for a name that the grammar declares only (`%declare CALL`; in GBNF, for
one that it does not define). It stands wherever a terminal does, and what is ignored may follow it.

In GBNF, whose terminals are texts and classes of characters, nothing is ignored: `gbnf.py` has its syntax. In lark's,
priorities, aliases, `?rule`, `_rule`, `!rule` choose and shape parse trees, and change nothing here.

A rule is a node that unfolds when it is reached, so that the stack of calls is the machine's term: of any depth, and
shared by all states that have it in common. Following empty moves has to end, so a rule must not unfold to what begins
with itself; and two ways to read the same beginning should be one stack and not two, or nesting them would double the
stacks level by level. Both come of unfolding rules by their left corners. Each rule i is

    i = N[i] | k L[k, i] | …        N[i] begins with a terminal; k L[k, i]: what begins with the rule k, without it

and so what a rule A matches is some N[k] and then a path of L's from k to A: a regular language over the L's, whose
states are the rules that A may begin with. (One rule that begins with itself only is N L*.) What the L's call is called
when the text of k has been read, once, whatever it turns out to be the beginning of. A rule that ends with itself, as
in `e: e "+" e`, is not called with what its own strings may end with behind it: two ways to read the same would be two
stacks again (`Grammar._absorbs`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID, Node, inside_out
from ..language.terms import alphabet, restrict
from .gbnf import GbnfReader
from .rules import Rule
from .terminals import NO_PARTS, Choice, Concatenation, Expression, Parts, RuleUse, TerminalUse, Times, least_solution

# --- which rule, or terminal, of a grammar that matches nothing is to blame: the one that all others fail for


def name_to_blame(rules: dict[str, Expression], terminals: dict[str, Node], start: str) -> str:
    """The name of the rule or terminal that matches nothing, and without which `start` might match something.

    A rule that matches nothing because it needs itself is such a one, and so is one with several alternatives that
    fail for different reasons.
    """
    matched = dict.fromkeys(rules, False)
    least_solution(rules, matched, lambda x: _matches(x, matched, terminals))
    name, passed = start, set[str]()
    while name in rules and name not in passed:
        passed.add(name)
        name = _blamed(rules[name], matched, terminals) or name
    return name


def _matches(x: Expression, matched: dict[str, bool], terminals: dict[str, Node]) -> bool:
    """Whether an expression matches something, if some rules do."""
    if isinstance(x, RuleUse):
        return matched[x.name]
    if isinstance(x, TerminalUse):
        return terminals[x.name] is not VOID
    if isinstance(x, Times):
        return x.low == 0 or _matches(x.body, matched, terminals)
    if isinstance(x, Choice):
        return any(_matches(option, matched, terminals) for option in x.options)
    return all(_matches(item, matched, terminals) for item in x.items)


def _blamed(x: Expression, matched: dict[str, bool], terminals: dict[str, Node]) -> str | None:
    """The only name that an expression fails for; of a sequence, the first. None if its alternatives have several."""
    if isinstance(x, RuleUse | TerminalUse):
        return x.name
    if isinstance(x, Times):
        return _blamed(x.body, matched, terminals)
    if isinstance(x, Concatenation):
        failing = next(item for item in x.items if not _matches(item, matched, terminals))
        return _blamed(failing, matched, terminals)
    names = {_blamed(option, matched, terminals) for option in x.options}
    return names.pop() if len(names) == 1 else None


# --- grammar


class SyntaxReader(Protocol):
    """What a grammar says.

    Attributes:
        rules, terminals: those that were read, by name; a terminal that has none is named by what is written.
    """

    rules: dict[str, Expression]
    terminals: dict[str, Node]

    def language(self, start: str) -> Node:
        """The texts of a rule, as bytes; VOID if there are none."""
        ...

    def line(self, name: str) -> str:
        """Where a rule or a terminal stands, for messages."""
        ...


class Syntax(NamedTuple):
    """A way to write grammars.

    Attributes:
        reader: of a text, with its parts; whether its language is one of bytes, or of code points.
        start: the start rule, if none is named.
        marks: what stands in such a text, and in one of another syntax only by chance.
    """

    reader: Callable[[str, Parts, bool], SyntaxReader]
    start: str
    marks: re.Pattern[str]


def _lark_reader(text: str, parts: Parts, in_bytes: bool) -> SyntaxReader:
    from .reader import GrammarReader  # imports lark

    return GrammarReader(text, parts, in_bytes)


_LARK_MARK = r"^[ \t]*(?:[?!]*\w[\w.-]*(?:\{.*?\})?[ \t]*:(?![:=])|%[a-z])"
_GBNF_MARK = r"^[ \t]*[\w-]+[ \t]*::="
SYNTAXES = {
    "lark": Syntax(_lark_reader, "start", re.compile(_LARK_MARK, re.M)),
    "gbnf": Syntax(GbnfReader, "root", re.compile(_GBNF_MARK, re.M)),
}


def language(
    text: str, start: str | None = None, syntax: str = "lark", parts: Parts = NO_PARTS, in_bytes: bool = True
) -> Node:
    """The texts of a grammar, as bytes; VOID if there are none.

    Args:
        start: the rule that a text is; None for the one that is usual in the syntax.
        syntax: one of `SYNTAXES`.
        parts: languages of bytes by names that the grammar uses and does not define.
        in_bytes: False: the texts as code points. Then there are no parts.

    Raises:
        TypeError: `text` or `start` is not a `str`.
        ValueError: an unknown syntax.
        ConstraintError: it is no grammar, or uses what is not supported: named, with its line.
    """
    if syntax not in list(SYNTAXES):
        raise ValueError(f"syntax={syntax!r}: it is {' or '.join(map(repr, SYNTAXES))}")
    read, usual_start, _ = SYNTAXES[syntax]
    start = usual_start if start is None else start
    for argument, name in ((text, "a grammar"), (start, "the name of the start rule")):
        if not isinstance(argument, str):
            raise TypeError(f"{name} is a str, not {type(argument).__name__}")
    try:
        return read(text, parts, in_bytes).language(start)
    except RecursionError:
        raise ConstraintError("the grammar is nested too deeply") from None
    except ConstraintError as error:
        if (other := _looks_like(text)) in (None, syntax):
            raise
        raise ConstraintError(f"this looks like {other}: say syntax={other!r}; {error}") from None


def what_matches_nothing(text: str, start: str | None, syntax: str, parts: Parts = NO_PARTS) -> str:
    """The rule or the terminal to blame for a grammar without texts, as messages have it; "" for the start rule."""
    read, usual_start, _ = SYNTAXES[syntax]
    start = usual_start if start is None else start
    reader = read(text, parts, True)
    reader.language(start)
    name = name_to_blame(reader.rules, reader.terminals, start)
    if name == start:
        return ""
    called = f"rule {name.partition('{')[0]}" if name in reader.rules else f"terminal {name}"
    return f", at the {called} ({reader.line(name)}): it"


def _looks_like(text: str) -> str | None:
    """The only syntax whose marks a text has; None if there are several, or none."""
    marked = [name for name, syntax in SYNTAXES.items() if syntax.marks.search(text)]
    return marked[0] if len(marked) == 1 else None


def check_vocabulary(node: Node, spelled: frozenset[int], singles: frozenset[int], name: str) -> None:
    """Refuse a vocabulary for which nobody could say which states are dead ends.

    Where a byte that the language needs is in some token, but no token by itself, states have to be followed until one
    accepts; of a grammar that nests without bound there may be infinitely many.

    Raises:
        ConstraintError: this is such a grammar, and such a vocabulary.
    """
    if len(singles) == 256:
        return
    spellable = restrict(node, set(spelled))
    lacking = sorted(alphabet(spellable) - singles)
    if lacking and not all(x.grammar.bounded for x in inside_out(spellable) if isinstance(x, Rule)):
        shown = ", ".join(repr(chr(byte)) if 32 <= byte < 127 else f"byte 0x{byte:02X}" for byte in lacking[:8])
        raise ConstraintError(
            f"{name} nests without bound, and this vocabulary has no token of one byte for {shown}: whether its tokens "
            "can finish a text cannot be decided"
        )
