"""What the rules of a grammar consist of, and values that rules have by what they consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from outlines_cont.errors import ConstraintError

MOST_TIMES = 2**31  # that anything is repeated
COUNTS: dict[str, tuple[str, str | None]] = {"?": ("0", "1"), "*": ("0", None), "+": ("1", None)}  # see `times`

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


def times(body: Expression, low: str, high: str | None) -> Times:
    """`body`, repeated as often as these numbers say.

    Raises:
        ConstraintError: they are in the wrong order, negative, or more than `MOST_TIMES`.
    """
    least, most = float(low), float(low if high is None else high)  # of any length, which int() is not
    if max(least, most) > MOST_TIMES:
        raise ConstraintError(f"the grammar repeats something more than {MOST_TIMES} times")
    if not 0 <= least <= most:
        raise ConstraintError(f"the grammar repeats something {low} to {high} times")
    return Times(body, int(least), None if high is None else int(most))


def concatenation(items: Iterable[Expression]) -> Concatenation:
    """One after the other, with repeats of the same beside each other as one: a thousand `"a"?` are one counter."""
    joined: list[Expression] = []
    for item in items:
        before = joined[-1] if joined else None
        if isinstance(before, Times) and isinstance(item, Times) and before.body == item.body:
            high = None if before.high is None or item.high is None else before.high + item.high
            if max(low := before.low + item.low, high or 0) <= MOST_TIMES:
                joined[-1] = Times(before.body, low, high)
                continue
        joined.append(item)
    return Concatenation(tuple(joined))


def no_start(start: str, rules: Iterable[str]) -> ConstraintError:
    """There is no such rule among these."""
    return ConstraintError(f"the grammar has no rule {start!r} to start with; its rules: {', '.join(rules) or 'none'}")


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
