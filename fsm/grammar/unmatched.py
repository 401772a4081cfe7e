"""Which rule, or terminal, of a grammar that matches nothing is to blame: the one that all others fail for."""

from __future__ import annotations

from ..language.nodes import VOID, Node
from .expressions import Choice, Concatenation, Expression, RuleUse, TerminalUse, Times, least_solution


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
