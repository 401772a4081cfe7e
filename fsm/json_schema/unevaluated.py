"""`unevaluatedProperties` and `unevaluatedItems`: what no other keyword has spoken of."""

from __future__ import annotations

from collections.abc import Callable

from .conjunction import EVERY_KEY, Conjunction, Contains, Exists, Keys, merge
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
    plain = Conjunction(conjunction.origin, prefix=((),) * conjunction.evaluated_items, items=(schema,))
    return merge(conjunction, plain).but(evaluated_items=None)


def break_properties(conjunction: Conjunction, other: Subschema) -> Conjunction | None:
    """Some property that no keyword has spoken of fits `other`; None if there can be none."""
    if EVERY_KEY in conjunction.evaluated:
        return None
    exists = Exists(_others(conjunction.evaluated), (), (other,))
    return merge(conjunction, Conjunction(conjunction.origin, kinds=frozenset(["object"]), exists=(exists,)))


def break_items(conjunction: Conjunction, other: Subschema) -> Conjunction | None:
    """Some item that no keyword has spoken of fits `other`; None if there can be none."""
    if conjunction.evaluated_items is None:
        return None
    unmatched = tuple(matched.negated() for matched in conjunction.matched)
    contains = Contains((*unmatched, other), (1, None), conjunction.evaluated_items)
    return merge(conjunction, Conjunction(conjunction.origin, kinds=frozenset(["array"]), contains=(contains,)))


def _others(evaluated: tuple[Keys, ...]) -> Keys:
    """The keys that are none of these."""
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    for keys in evaluated:
        names, patterns = names | keys.names, patterns | keys.patterns
    return Keys(names, patterns, others=True)
