"""Lark's reading of a grammar, as expressions over terminals."""

from __future__ import annotations

from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.nodes import Node, alt, cat, star
from ..language.words import literal
from ..patterns.utf8 import utf8
from .expressions import COUNTS, Choice, Expression, RuleUse, TerminalUse, Times, concatenation, no_start, times
from .lark_loader import LARK, line_of, load
from .rules import Grammar
from .terminals import preferred

INSTANCES = 1000  # of templates


class GrammarReader:
    """What lark makes of a grammar, as expressions."""

    def __init__(self, text: str):
        self.text = text
        self.definitions, self.patterns, self.ignored = load(text)
        self.terminals: dict[str, Node] = {}
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
        ignored = star(alt(*(self.terminal(name, self.patterns[name]) for name in self.ignored)))
        return cat(ignored, Grammar(self.rules, self.terminals, ignored).whole[start])

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
        """One of lark's trees (see `lark_loader.py`) within a template that is used with some arguments."""
        if not hasattr(tree, "data"):  # a symbol
            if tree.name in arguments:
                return arguments[tree.name]
            return self.take(tree.name, self.patterns.get(tree.name)) if tree.is_term else self.call(tree.name, ())
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

    def template(self, children: list[Any], arguments: dict[str, Expression]) -> RuleUse:
        """A template with its arguments: its name, or a parameter that the name of a template is given for."""
        passed = arguments.get(children[0].name)
        name = passed.name if isinstance(passed, RuleUse) else children[0].name
        return self.call(name, tuple(self.argument(child, arguments) for child in children[1:]))

    def argument(self, tree: Any, arguments: dict[str, Expression]) -> Expression:
        """The same, of what is given to a template, which may be the name of another."""
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
                    self.terminals[name] = literal(pattern.value.encode())
                else:
                    self.terminals[name] = utf8(preferred(pattern.to_regexp()))
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
