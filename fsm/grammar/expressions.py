"""What the rules of a grammar consist of, and values that rules have by what they consist of."""

from __future__ import annotations

from collections.abc import Callable
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


def least_solution(
    rules: dict[str, Expression], values: dict[str, Value], value: Callable[[Expression], Value]
) -> dict[str, Value]:
    """The least solution of values[name] == value(rules[name]); `values` come in as the least values, and change."""
    changed = True
    while changed:
        changed = False
        for name, expression in rules.items():
            new = value(expression)
            if new != values[name]:
                values[name], changed = new, True
    return values
