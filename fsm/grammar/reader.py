"""Lark's reading of a grammar, as expressions over terminals."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import lark

from outlines_cont.errors import ConstraintError

from ..language.nodes import EMPTY, Node, alt, cat, star, symbol
from ..language.tries import literal
from ..patterns.characters import ANY, utf8
from ..patterns.standard_parser import TEXT, resolved
from .rules import Grammar
from .terminals import (
    COUNTS,
    LINE_START,
    LINES,
    NO_PARTS,
    Choice,
    Expression,
    Parts,
    RuleUse,
    TerminalUse,
    Times,
    begins_lines,
    check_parts,
    concatenation,
    followers,
    no_start,
    part_use,
    preferred,
    refuse_context,
    times,
)

# --- lark's reading of a grammar: all that is used of its private module `lark.load_grammar`, and a check of it
#
# `load_grammar` parses a text and resolves imports, `%override` and `%extend`; `Grammar.compile` turns terminals into
# patterns; `PrepareLiterals` turns the literals of rules into patterns. Rules come as trees:
#
#     a symbol: an object with `name` and `is_term`, without `data`
#     pattern (a pattern)    value, alias (a tree, …)    maybe (a tree)    expansion, expansions (trees)
#     expr (a tree, "?", "*", "+" or "~", and one or two numbers after "~")    template_usage (a symbol, arguments)
#
# None of this is documented. A name that lark lacks is an `ImportError` at import, and a small grammar that it reads to
# something else is one when the first grammar is loaded. Both name lark's version.

LARK = f"lark {lark.__version__}"
_NAMES = ("Grammar", "PrepareLiterals", "load_grammar", "stdlib_loader")


def _internals() -> Any:
    """The module `lark.load_grammar`, if it has all that is used.

    Raises:
        ImportError: it has not.
    """
    try:
        module = import_module("lark.load_grammar")
    except ImportError:
        raise ImportError(f"grammars cannot be read with {LARK}: it has no `lark.load_grammar`") from None
    for name in _NAMES:
        if not hasattr(module, name):
            raise ImportError(f"grammars cannot be read with {LARK}: its `lark.load_grammar` has no {name}")
    return module


internals = _internals()


class LoadedGrammar(NamedTuple):
    """What lark reads in a text.

    Attributes:
        definitions: each rule's or template's parameters and tree.
        patterns: each terminal's pattern: `type` ("str" or "re"), `value`, `flags` and `to_regexp()`.
        ignored: terminals.
    """

    definitions: dict[str, tuple[tuple[str, ...], Any]]
    patterns: dict[str, Any]
    ignored: list[str]


def load(text: str, given: Collection[str] = ()) -> LoadedGrammar:
    """Read a grammar in lark's syntax. given: names that may be declared only.

    Raises:
        ConstraintError: it is no grammar, or imports one that does not come with lark.
        ImportError: this version of lark reads grammars to something that is not known here.
    """
    check()
    try:
        return _loaded(text, given)
    except ConstraintError:
        raise
    except lark.exceptions.LarkError as error:
        raise ConstraintError(f"the grammar is refused by lark: {str(error).strip()}") from None
    except (AssertionError, KeyError, TypeError, ValueError) as error:  # what lark does not look after
        raise ConstraintError(f"the grammar cannot be read by lark: {type(error).__name__} {error}") from None


def _loaded(text: str, given: Collection[str] = ()) -> LoadedGrammar:
    loaded, _ = internals.load_grammar(text, "<string>", [_packaged], False)
    declared = [("terminal", name) for name, (tree, _) in loaded.term_defs if tree is None]
    declared += [("rule", name) for name, _, tree, _ in loaded.rule_defs if tree is None]
    for kind, name in declared:
        if name not in given:
            raise ConstraintError(
                f"the {kind} {name} is declared only ({line_of(text, name)}): it says no text; parts={{{name!r}: …}} "
                "gives it one"
            )
    ignored = list(dict.fromkeys(loaded.ignore))
    terminals, _, _ = internals.Grammar([], loaded.term_defs, loaded.ignore).compile([], "*")
    literals = internals.PrepareLiterals()
    definitions = {
        name: (parameters, literals.transform(tree)) for name, parameters, tree, _ in loaded.rule_defs if tree
    }
    return LoadedGrammar(definitions, {terminal.name: terminal.pattern for terminal in terminals}, ignored)


def _packaged(base: Any, path: str) -> tuple[Any, str]:
    """The text of a grammar that comes with lark. No others are imported: a constraint is its own text.

    Raises:
        ConstraintError: it is another.
    """
    if isinstance(base, str):
        raise ConstraintError(f"the grammar imports {path!r}: only grammars that come with lark can be imported")
    try:
        return internals.stdlib_loader(base, path)
    except OSError:
        raise ConstraintError(f"the grammar imports {path!r}: no such grammar comes with lark") from None


def line_of(text: str, name: str) -> str:
    """The line of a grammar in which a name is defined or imported, or in which a literal first stands."""
    words = rf"(?<!\w){re.escape(name)}(?!\w)"
    for place in (rf"^[ \t]*(?:%(?:override|extend)[ \t]+)?[?!]*{words}[^:\n]*:", rf"^.*%\w.*{words}", words):
        match = re.search(place, text, re.M)
        if match:
            return _line(text, match.start())
    if name.startswith("__IGNORE_"):  # lark's name for an ignored pattern: with its number
        number = int(name.removeprefix("__IGNORE_"))
        starts = [match.start() for match in re.finditer(r"%ignore\b", text)][number:]
        return _line(text, starts[0]) if starts else "imported"
    return "imported"


def _line(text: str, position: int) -> str:
    return f"line {1 + text.count(chr(10), 0, position)}"


# ------------------------------------------------------------------------------------------------------------- a check

# A grammar in which each kind of tree occurs, and how lark has to read it.
_PROBE = r"""
start: ("a" | B)? [pair{B, start}] -> other
pair{x, y}: x ~ 2 y*
B: /b+/i | "c"
%ignore " "
"""
_EXPECTED = (
    "start() = expansions(alias(expansion(expr(expansions(expansion(value(pattern('a'))) expansion(value(<B>))) ?) "
    "maybe(expansions(expansion(value(template_usage(<pair> value(<B>) value(<start>))))))) <other>))",
    "pair(x y) = expansions(expansion(expr(value(<x>) ~ 2) expr(value(<y>) *)))",
    "B = (?:(?i:b+)|c)",
    "ignored: __IGNORE_0",
)


@cache
def check() -> None:
    """Load a small grammar and compare.

    Raises:
        ImportError: lark reads it to something else.
    """
    try:
        read = _described(_loaded(_PROBE))
    except Exception as error:
        raise ImportError(f"grammars cannot be read with {LARK}: {error!r}") from error
    for line, expected in zip(read, _EXPECTED, strict=True):
        if line != expected:
            raise ImportError(f"grammars cannot be read with {LARK}: it reads {line}, not {expected}")


def _described(loaded: LoadedGrammar) -> tuple[str, ...]:
    rules = [
        f"{name}({' '.join(parameters)}) = {_written(tree)}"
        for name, (parameters, tree) in sorted(loaded.definitions.items(), key=lambda item: item[0] != "start")
    ]
    return (*rules, f"B = {loaded.patterns['B'].to_regexp()}", "ignored: " + " ".join(loaded.ignored))


def _written(tree: Any) -> str:
    if hasattr(tree, "data"):
        return f"{tree.data}({' '.join(map(_written, tree.children))})"
    if hasattr(tree, "is_term"):
        return f"<{tree.name}>"
    return repr(tree.value) if hasattr(tree, "to_regexp") else str(tree)


# --- reader

INSTANCES = 1000  # of templates


class GrammarReader:
    """What lark makes of a grammar, as expressions. See `grammar.language` for the arguments."""

    def __init__(self, text: str, parts: Parts = NO_PARTS, in_bytes: bool = True):
        self.text, self.parts, self.in_bytes = text, parts, in_bytes
        self.spell: Callable[[Node], Node] = utf8 if in_bytes else lambda node: node
        self.definitions, self.patterns, self.ignored = load(text, parts)
        self.terminals: dict[str, Node] = {}
        self.texts: dict[str, Node] = {}  # the same, over code points
        self.sources: dict[str, str] = {}  # of those that are regular expressions
        self.rules: dict[str, Expression] = {}
        self.instances: dict[tuple[str, tuple[Expression, ...]], str] = {}
        self.todo: list[tuple[str, Any, dict[str, Expression]]] = []

    def language(self, start: str) -> Node:
        if start not in self.definitions or self.definitions[start][0]:
            raise no_start(start, (name for name, (parameters, _) in self.definitions.items() if not parameters))
        self.call(start, ())
        while self.todo:
            name, tree, arguments = self.todo.pop()
            try:
                self.rules[name] = self.expression(tree, arguments)
            except RecursionError:
                raise ConstraintError(f"the rule {name} ({self.line(name)}) is nested too deeply") from None
        right = "declare it, %declare NAME, and use it"
        check_parts(self.parts, {*self.definitions, *self.patterns}, self.terminals, right)
        after, used = followers(self.rules), [name for name in self.terminals if name not in self.parts]
        for name in self.ignored:
            self.terminal(name, self.patterns[name])
        for name in used:
            beside = (*after.get(name, ()), *self.ignored)
            self.alone(name, TEXT, alt(*(self.texts.get(other, ANY) for other in beside)))
        ignored, taken = self.with_ignored()
        return cat(ignored, Grammar(self.rules, self.terminals, taken).whole[start])

    def with_ignored(self) -> tuple[Node, dict[str, Node]]:
        """What is ignored before all terminals; and each terminal with what is ignored after it."""
        at_lines = {name for name in self.ignored if begins_lines(self.sources.get(name, ""))}
        for name in self.ignored:
            self.alone(name, LINES if name in at_lines else TEXT, ANY)
        if not at_lines:
            ignored = star(alt(*(self.terminals[name] for name in self.ignored)))
            return ignored, {name: cat(node, ignored) for name, node in self.terminals.items()}
        if self.parts:
            raise ConstraintError(f"{min(at_lines)} is ignored where lines begin, which is not supported beside parts")
        options = (cat(LINE_START if name in at_lines else EMPTY, self.texts[name]) for name in self.ignored)
        marked = star(alt(*options))
        taken = {name: self.spell(resolved(cat(node, marked), [LINE_START])) for name, node in self.texts.items()}
        return self.spell(resolved(marked, [LINE_START])), taken

    def alone(self, name: str, before: Node, after: Node) -> None:
        """Refuse a terminal whose lookarounds see what may stand beside it."""
        if name in self.sources:
            try:
                refuse_context(self.sources[name], self.texts[name], before, after)
            except ConstraintError as error:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}): {error}") from None

    def call(self, name: str, arguments: tuple[Expression, ...]) -> RuleUse:
        """A rule, or a template with its arguments, which is then a rule."""
        parameters, tree = self.definitions[name]
        if len(parameters) != len(arguments):
            raise ConstraintError(f"{name} takes {len(parameters)} arguments, and is given {len(arguments)}")
        instance = self.instances.get((name, arguments))
        if instance is None:
            instance = f"{name}{{{len(self.instances)}}}" if arguments else name
            if arguments and len(self.instances) > INSTANCES:
                raise ConstraintError(f"the template {name} ({self.line(name)}) is used with ever new arguments")
            self.instances[name, arguments] = instance
            self.todo.append((instance, tree, dict(zip(parameters, arguments, strict=True))))
        return RuleUse(instance)

    def expression(self, tree: Any, arguments: dict[str, Expression]) -> Expression:
        """One of lark's trees (see `reader.py`) within a template that is used with some arguments."""
        if not hasattr(tree, "data"):  # a symbol
            return arguments[tree.name] if tree.name in arguments else self.named(str(tree.name), tree.is_term)
        kind, children = str(tree.data), tree.children
        if kind == "pattern":
            return self.take(children[0].raw or children[0].value, children[0])
        if kind == "template_usage":
            return self.template(children, arguments)
        if kind == "expr":
            return times(self.expression(children[0], arguments), *_counts(children))
        if kind == "maybe":
            return Times(self.expression(children[0], arguments), 0, 1)
        if kind in ("expansion", "expansions"):
            parts = tuple(self.expression(child, arguments) for child in children)
            return concatenation(parts) if kind == "expansion" else Choice(parts)
        if kind in ("alias", "value"):
            return self.expression(children[0], arguments)
        raise ConstraintError(f"the grammar uses {kind!r}, which {LARK} knows and is not known here")

    def named(self, name: str, is_terminal: bool) -> Expression:
        """A part, a terminal or a rule, by its name."""
        if name in self.parts and name not in self.patterns and name not in self.definitions:
            return part_use(name, self.terminals, self.parts)
        return self.take(name, self.patterns.get(name)) if is_terminal else self.call(name, ())

    def template(self, children: list[Any], arguments: dict[str, Expression]) -> RuleUse:
        """A template with its arguments: its name, or a parameter that the name of a template is given for."""
        passed = arguments.get(children[0].name)
        name = passed.name if isinstance(passed, RuleUse) else children[0].name
        return self.call(name, tuple(self.argument(child, arguments) for child in children[1:]))

    def argument(self, tree: Any, arguments: dict[str, Expression]) -> Expression:
        """The expression of an argument of a template, which may be the name of another template."""
        name = getattr(tree.children[0], "name", None)
        if name is not None and name not in arguments and self.definitions.get(name, ((), None))[0]:
            return RuleUse(str(name))
        return self.expression(tree, arguments)

    def take(self, name: str, pattern: Any) -> TerminalUse:
        self.terminal(name, pattern)
        return TerminalUse(name)

    def terminal(self, name: str, pattern: Any) -> Node:
        """A terminal's language, as bytes."""
        if name not in self.terminals:
            try:
                if pattern.type == "str" and not pattern.flags:
                    in_bytes = literal(pattern.value.encode())
                    self.texts[name] = cat(*map(symbol, map(ord, pattern.value)))
                    self.terminals[name] = in_bytes if self.in_bytes else self.texts[name]
                else:
                    self.sources[name] = pattern.to_regexp()
                    self.texts[name] = preferred(self.sources[name])
                    self.terminals[name] = self.spell(self.texts[name])
            except UnicodeEncodeError:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}) has a lone surrogate") from None
            except ConstraintError as error:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}): {error}") from None
            if self.terminals[name].nullable:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}) matches the empty string")
        return self.terminals[name]

    def line(self, name: str) -> str:
        """Where a name is defined, or imported, or a literal first stands."""
        return line_of(self.text, name if name in self.terminals else name.partition("{")[0])


def _counts(children: list[Any]) -> tuple[str, str | None]:
    """How often an "expr" repeats its tree: at least, at most."""
    sign = str(children[1])
    return COUNTS[sign] if sign != "~" else (str(children[2]), str(children[-1]))
