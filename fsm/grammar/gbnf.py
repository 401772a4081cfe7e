r"""Grammars in GBNF, the syntax of llama.cpp, as expressions over terminals.

    rule          name ::= alternatives           up to the end of the line; a text is one of the rule `root`
    alternatives  sequence | sequence | …         the line may end before or after a |
    sequence      item item …                     or nothing; inside parentheses it may go over lines
    item          "text"   [a-z_]   [^a-z]   .   name   ( alternatives )
                  and after it any of   ?   *   +   {m}   {m,}   {m,n}   {,n}
    # a comment

Characters are those of Unicode, and `.` is any of them, a line break too. Between quotes and brackets one may also be
written as \n \r \t \\ \" \[ \] \- \xNN \uNNNN \UNNNNNNNN.

A grammar that llama.cpp reads means the same here, or is refused by name: tokens (`<think>`, `<[12]>`), and what must
be a mistake (`[]`, `[z-a]`, a rule that is defined twice). Some things that llama.cpp refuses can mean one thing only,
and are read: left recursion, `_` in a name, a line that begins with |, {,n}, and more than 2000 repetitions. (There, an
upper bound beyond that is none; here it is kept.)
"""

from __future__ import annotations

import re
from operator import itemgetter

from outlines_cont.errors import ConstraintError

from ..language.nodes import Node, Ranges, SpellClass, cat, chars, complement, overlap, symbol, union
from ..language.tries import literal
from ..patterns.characters import CHARACTERS, TOP, utf8_class
from .rules import Grammar, by_end_of_visit
from .terminals import (
    COUNTS,
    NO_PARTS,
    Choice,
    Concatenation,
    Expression,
    Parts,
    RuleUse,
    TerminalUse,
    Times,
    check_parts,
    concatenation,
    no_start,
    part_use,
    times,
)

# --- small rules, written out where they are used
#
# Where terminals are characters, words are rules (`char ::= [^"] | "\\" ["n]`). To call one for each character of a
# text costs several times what it costs to read the character.

SMALL = 64  # terminals


def inlined(rules: dict[str, Expression]) -> dict[str, Expression]:
    """These rules, with those that are small and use no others written out in the others."""
    whole = dict(rules)
    small: dict[str, Expression] = {}
    uses = {name: [x.name for x in _leaves(body) if isinstance(x, RuleUse)] for name, body in rules.items()}
    for name in by_end_of_visit(uses):  # the rules that one uses come before it, unless they lead back to it
        body = whole[name] = _written_out(rules[name], small)
        leaves = _leaves(body)
        if len(leaves) <= SMALL and all(isinstance(x, TerminalUse) for x in leaves):
            small[name] = body
    return whole


def _leaves(x: Expression) -> list[RuleUse | TerminalUse]:
    """The uses in an expression, each as often as it is written there."""
    if isinstance(x, RuleUse | TerminalUse):
        return [x]
    parts = (x.body,) if isinstance(x, Times) else x.items if isinstance(x, Concatenation) else x.options
    return [leaf for part in parts for leaf in _leaves(part)]


def _written_out(x: Expression, small: dict[str, Expression]) -> Expression:
    if isinstance(x, RuleUse):
        return small.get(x.name, x)
    if isinstance(x, Times):
        return Times(_written_out(x.body, small), x.low, x.high)
    if isinstance(x, Concatenation):
        return Concatenation(tuple(_written_out(part, small) for part in x.items))
    if isinstance(x, Choice):
        return Choice(tuple(_written_out(part, small) for part in x.options))
    return x


# --- gbnf

SHOWN = 60  # characters on each side of a mistake

_SPACE = re.compile(r"(?:[ \t]|#[^\r\n]*+)*+")
_LINES = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*+)*+")
_BAR = re.compile(rf"{_LINES.pattern}\|{_LINES.pattern}")
_LINE_END = re.compile(r"[\r\n]|\Z")
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_DEFINED = re.compile(r"[ \t]*::=")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.S)
_CLASS = re.compile(r"\[(?:[^]\\]|\\.)*]", re.S)
_CHARACTER = re.compile(r'[^\\]|\\(?:[nrt\\"[\]-]|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))', re.S)
_CONTROLS = {r"\n": "\n", r"\r": "\r", r"\t": "\t"}
_SIGN = re.compile(r"[?*+]")
_BRACES = re.compile(r"\{\s*([0-9]+)\s*(?:(,)\s*([0-9]+)?\s*)?\}|\{\s*,\s*([0-9]+)\s*\}")

_TOKENS = "tokens are not supported: a constraint says which texts may come, in whatever tokens"
_REPEATED = "?, *, +, {m}, {m,}, {m,n} and {,n} stand after what they repeat"
_MISTAKES = {  # by the sign that stands where an item, or an end, should be
    **dict.fromkeys("<!", _TOKENS),
    **dict.fromkeys("?*+{", _REPEATED),
    ")": "no parenthesis is open",
    "'": 'a text stands between double quotes: "…"',
}


class GbnfReader:
    """A grammar in GBNF. The text is read once, from left to right; `at` is the place that was reached.

    See `grammar.language` for the arguments.
    """

    def __init__(self, text: str, parts: Parts = NO_PARTS, in_bytes: bool = True):
        self.text, self.at, self.parts = text, 0, parts
        self.spell: SpellClass = utf8_class if in_bytes else chars
        self.rules: dict[str, Expression] = {}
        self.terminals: dict[str, Node] = {}
        self.uses: dict[str, int] = {}  # where each name stands first
        self.depth = 0  # of parentheses that are open
        self.deepest = (0, 0)  # the most levels of parentheses and repetitions, and where these stand

    def language(self, start: str) -> Node:
        try:
            return self._language(start)
        except RecursionError:
            raise self.error("it is nested too deeply", self.deepest[1]) from None

    def _language(self, start: str) -> Node:
        self.take(_LINES)
        while self.at < len(self.text):
            self.rule()
        for name, at in self.uses.items():
            if name not in self.rules and name not in self.parts:
                raise self.error(f"the rule {name!r} is not defined", at)
        check_parts(self.parts, self.rules, self.uses, "write its name where it may stand")
        if start not in self.rules:
            raise no_start(start, self.rules)
        return Grammar(inlined(self.rules), self.terminals, self.terminals).whole[start]

    def rule(self) -> None:
        at, name = self.at, self.take(_NAME)
        self.take(_SPACE)
        if not name or not self.text.startswith("::=", self.at):
            raise self.error("a rule begins with `name ::=`, and goes over lines only inside parentheses and around |")
        if name in self.rules:
            raise self.error(f"the rule {name!r} is defined twice", at)
        self.at += len("::=")
        self.take(_LINES)
        self.rules[name] = self.alternatives(_SPACE)
        if not _LINE_END.match(self.text, self.at):
            raise self.mistake()
        self.take(_LINES)

    def alternatives(self, space: re.Pattern[str]) -> Expression:
        options = [self.sequence(space)]
        while self.take(_BAR):
            options.append(self.sequence(space))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def sequence(self, space: re.Pattern[str]) -> Expression:
        items: list[Expression] = []
        while (item := self.item()) is not None:
            self.take(space)
            levels, at = self.depth, self.at
            while (repeated := self.repeated(item)) is not None:
                item, levels = repeated, levels + 1
                self.deepest = max(self.deepest, (levels, at), key=itemgetter(0))
                self.take(space)
                at = self.at
            items.append(item)
        return items[0] if len(items) == 1 else concatenation(items)

    def item(self) -> Expression | None:
        """The item that begins here; None if none does."""
        at, sign = self.at, self.text[self.at : self.at + 1]
        if name := self.take(_NAME):
            if _DEFINED.match(self.text, self.at):
                raise self.error('a rule begins here, within another; the empty text is written ""', at)
            self.uses.setdefault(name, at)
            return part_use(name, self.terminals, self.parts) if name in self.parts else RuleUse(name)
        if sign == "(":
            return self.group()
        if sign == '"':
            return self.quoted()
        if sign == "[":
            return self.character_class()
        if sign == ".":
            self.at += 1
            return self.terminal(at, self.spell(CHARACTERS))
        return None

    def repeated(self, item: Expression) -> Expression | None:
        """An item, as often as what stands here says; None if nothing of that kind does."""
        at = self.at
        if sign := self.take(_SIGN):
            low, high = COUNTS[sign]
        elif match := _BRACES.match(self.text, at):
            self.at = match.end()
            low, comma, high, most = match.groups()
            low, high = low or "0", most or (high if comma else low)
        else:
            return None
        try:
            return times(item, low, high)
        except ConstraintError as error:
            raise self.error(str(error), at) from None

    def group(self) -> Expression:
        opened = self.at
        self.depth += 1
        self.deepest = max(self.deepest, (self.depth, opened), key=itemgetter(0))
        self.at += 1
        self.take(_LINES)
        inside = self.alternatives(_LINES)
        self.depth -= 1
        if not self.text.startswith(")", self.at):
            raise self.mistake() if self.at < len(self.text) else self.error("the parenthesis is not closed", opened)
        self.at += 1
        return inside

    def quoted(self) -> Expression:
        at = self.at
        end = self.closing(_TEXT, "the text has no closing quote")
        codes: list[int] = []
        while self.at < end:
            codes.append(self.character())
        self.at += 1
        if not codes:
            return Concatenation(())
        in_bytes = self.spell is utf8_class
        return self.terminal(at, literal("".join(map(chr, codes)).encode()) if in_bytes else cat(*map(symbol, codes)))

    def character_class(self) -> Expression:
        at = self.at
        end = self.closing(_CLASS, "the class has no closing bracket")
        negated = self.text.startswith("^", self.at)
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while self.at < end:
            first = self.at
            low = high = self.character()
            if self.text.startswith("-", self.at) and self.at + 1 < end:
                self.at += 1
                high = self.character()
            if high < low:
                raise self.error(f"the range {self.text[first : self.at]} ends before it begins", first)
            ranges.append((low, high))
        if not ranges:
            raise self.error('the class has no characters; "" is the empty text, . any character', at)
        self.at += 1
        listed: Ranges = union(ranges)
        return self.terminal(at, self.spell(overlap(CHARACTERS, complement(listed, TOP) if negated else listed)))

    def closing(self, whole: re.Pattern[str], message: str) -> int:
        """Step over an opening sign; where the closing one stands."""
        match = whole.match(self.text, self.at)
        if match is None:
            raise self.error(message)
        self.at += 1
        return match.end() - 1

    def character(self) -> int:
        match = _CHARACTER.match(self.text, self.at)
        if match is None:
            raise self.error(r"the escapes are \n \r \t \\ \" \[ \] \- \xNN \uNNNN \UNNNNNNNN")
        digits = next(filter(None, match.groups()), "")
        code = int(digits, 16) if digits else ord(_CONTROLS.get(match[0], match[0][-1]))
        if not overlap(CHARACTERS, ((code, code),)):
            raise self.error(rf"U+{code:04X} is no character (one beyond U+FFFF is written \UNNNNNNNN)")
        self.at = match.end()
        return code

    def terminal(self, at: int, node: Node) -> TerminalUse:
        """A terminal, by the name of what is written from `at` to here."""
        name = self.text[at : self.at]
        self.terminals[name] = node
        return TerminalUse(name)

    def take(self, pattern: re.Pattern[str]) -> str:
        """Step over what matches here, if anything does."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def line(self, name: str) -> str:
        """Where a rule is defined, or a terminal first stands."""
        defined = re.search(rf"^[ \t]*{re.escape(name)}[ \t]*::=", self.text, re.M)
        at = defined.start() if defined else self.text.find(name)
        return f"line {1 + self.text.count(chr(10), 0, at)}"

    def mistake(self) -> ConstraintError:
        """Neither an item nor an end stands here."""
        return self.error(_MISTAKES.get(self.text[self.at], "nothing begins with this sign"))

    def error(self, message: str, at: int | None = None) -> ConstraintError:
        """A message with its place (here, if none is given), and the line as it was written."""
        at = self.at if at is None else at
        begin = self.text.rfind("\n", 0, at) + 1
        line = self.text[max(begin, at - SHOWN) : at + SHOWN].split("\n")[0]
        where = f"line {1 + self.text.count(chr(10), 0, at)}, column {1 + at - begin}"
        return ConstraintError(f"GBNF, at {where}: {message}: {line!r}")
