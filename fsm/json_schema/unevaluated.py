"""`unevaluatedProperties` and `unevaluatedItems`: what no other keyword has spoken of."""

from __future__ import annotations

from collections.abc import Callable

from .conjunction import EVERY_KEY, Conjunction, Keys, merge
from .subschema import Subschema, Subschemas


def silent(conjunction: Conjunction) -> Conjunction:
    """The same, for a place where it does not count which properties and items its keywords have spoken of."""
    if not conjunction.evaluated and conjunction.evaluated_items == 0 and not conjunction.matched:
        return conjunction
    return conjunction.but(evaluated=(), evaluated_items=0, matched=())


def restrict_properties(conjunction: Conjunction, schema: Subschemas, extras: bool) -> Conjunction:
    """The properties that no keyword has spoken of fit `schema`. extras: whether an object may have any of them."""
    if EVERY_KEY in conjunction.evaluated:
        return conjunction
    keys = _others(conjunction.evaluated)
    members = (*conjunction.members, (keys, schema))
    evaluated = (*conjunction.evaluated, EVERY_KEY)
    return conjunction.but(members=members, evaluated=evaluated, extras=conjunction.extras or extras)


def restrict_items(
    conjunction: Conjunction, schema: Subschema, either: Callable[[list[Subschema]], Subschema]
) -> Conjunction:
    """The items that no keyword has spoken of fit `schema`. either: gives a schema for what fits one of several."""
    if conjunction.evaluated_items is None:
        return conjunction
    if conjunction.matched:
        schema = either([*conjunction.matched, schema])
    plain = Conjunction(conjunction.path, prefix=((),) * conjunction.evaluated_items, items=(schema,))
    return merge(conjunction, plain).but(evaluated_items=None)


def _others(evaluated: tuple[Keys, ...]) -> Keys:
    """The keys that are none of these."""
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    for keys in evaluated:
        names, patterns = names | keys.names, patterns | keys.patterns
    return Keys(names, patterns, others=True)
