r"""Small rules, written out where they are used.

Where terminals are characters, words are rules (`char ::= [^"] | "\\" ["n]`). To call one for each character of a text
costs several times what it costs to read the character.
"""

from __future__ import annotations

from .expressions import Choice, Concatenation, Expression, RuleUse, TerminalUse, Times
from .name_graphs import by_end_of_visit

SMALL = 64  # terminals


def inlined(rules: dict[str, Expression]) -> dict[str, Expression]:
    """The same rules, with those that are small and use no others written out in the others."""
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
