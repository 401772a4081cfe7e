"""What the rules of a grammar consist of, and values that rules have by what they consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RuleUse:
    """A rule, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class TerminalUse:
    """A terminal, by name, and what is ignored after it."""

    name: str


@dataclass(frozen=True, slots=True)
class Concatenation:
    """One after the other."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of them."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """From `low` to `high` (None: any number) times `body`."""

    body: Expression
    low: int
    high: int | None


Expression = RuleUse | TerminalUse | Concatenation | Choice | Times


def names_in(expression: Expression) -> Iterator[str]:
    """The rules that an expression uses."""
    todo = [expression]
    while todo:
        x = todo.pop()
        if isinstance(x, RuleUse):
            yield x.name
        elif isinstance(x, Times):
            todo.append(x.body)
        elif not isinstance(x, TerminalUse):
            todo += x.items if isinstance(x, Concatenation) else x.options


def least_solution(
    rules: dict[str, Expression], values: dict[str, Value], value: Callable[[Expression], Value]
) -> dict[str, Value]:
    """The least solution of values[name] == value(rules[name]); `values` come in as the least values, and change."""
    users: dict[str, list[str]] = {name: [] for name in rules}
    for name, expression in rules.items():
        for used in dict.fromkeys(names_in(expression)):
            users[used].append(name)
    todo = dict.fromkeys(reversed(rules))  # what a rule uses stands below it, mostly
    while todo:
        name = next(iter(todo))
        del todo[name]
        new = value(rules[name])
        if new != values[name]:
            values[name] = new
            todo |= dict.fromkeys(users[name])
    return values
