"""What breaks a schema: for each of its keywords, the values that do not meet it; and what no keyword speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .conjunction import (
    EVERY_KEY,
    NEVER,
    RULES,
    SPELLINGS,
    Conjunction,
    Contains,
    Exists,
    Keys,
    SchemaObject,
    Subschema,
    merge,
    refuse,
)
from .keywords import kinds_of
from .values_and_keywords import ALL


def breaking(schema_object: SchemaObject) -> list[Conjunction]:
    """The values that break one of a schema object's own keywords (not one of those that combine schemas)."""
    conjunction, path = schema_object.conjunction, schema_object.subschema.path
    kinds = conjunction.kinds if conjunction.values is None else kinds_of(schema_object.subschema)
    broken = []
    if kinds != ALL:
        broken.append(Conjunction(origin=path, kinds=ALL - kinds))
    if conjunction.integers != SPELLINGS:
        broken.append(Conjunction(origin=path, kinds=frozenset(["integer"]), integers=SPELLINGS - conjunction.integers))
    if conjunction.values is not None:
        broken.append(Conjunction(origin=path, excluded=(*conjunction.values, *schema_object.compound_values)))
    for name, rule in RULES.items():
        if rule.breaks and name in conjunction.__dict__:
            broken += [Conjunction(origin=path, kinds=rule.kinds, **fields) for fields in rule.breaks(conjunction)]
    return broken


def refuse_negation(schema_object: SchemaObject) -> None:
    """Refuse what is not supported in a schema that values must not fit."""
    if schema_object.conjunction.unique:
        problem = "'uniqueItems' under 'not', 'oneOf', 'if' or 'maxContains' is not supported"
        refuse(f"{schema_object.subschema.path}/uniqueItems", problem)


# --- `unevaluatedProperties` and `unevaluatedItems`: what no other keyword has spoken of


def silent(conjunction: Conjunction) -> Conjunction:
    """A conjunction without the notes of which properties and items its keywords have spoken of."""
    if not conjunction.evaluated and conjunction.evaluated_items == 0 and not conjunction.matched:
        return conjunction
    return conjunction.but(evaluated=(), evaluated_items=0, matched=())


def restrict_properties(conjunction: Conjunction, other: Subschema) -> Conjunction:
    """The properties that no keyword has spoken of fit `other`."""
    if EVERY_KEY in conjunction.evaluated:
        return conjunction
    members = conjunction.members
    if other.schema not in (True, {}):
        members += ((_others(conjunction.evaluated), (other,)),)
    return conjunction.but(members=members, evaluated=(*conjunction.evaluated, EVERY_KEY))


def restrict_items(
    conjunction: Conjunction, schema: Subschema, either: Callable[[list[Subschema]], Subschema]
) -> Conjunction:
    """The items that no keyword has spoken of fit `schema`. either: gives a schema for what fits one of several."""
    if conjunction.evaluated_items is None:
        return conjunction
    if conjunction.matched:
        schema = either([*conjunction.matched, schema])
    plain = Conjunction(origin=conjunction.origin, prefix=((),) * conjunction.evaluated_items, items=(schema,))
    return merge(conjunction, plain).but(evaluated_items=None)


def break_properties(conjunction: Conjunction, other: Subschema) -> Conjunction | None:
    """Some property that no keyword has spoken of fits `other`; None if there can be none."""
    if EVERY_KEY in conjunction.evaluated:
        return None
    exists = Exists(_others(conjunction.evaluated), (), (other,))
    return merge(conjunction, Conjunction(origin=conjunction.origin, kinds=frozenset(["object"]), exists=(exists,)))


def break_items(conjunction: Conjunction, other: Subschema) -> Conjunction | None:
    """Some item that no keyword has spoken of fits `other`; None if there can be none."""
    if conjunction.evaluated_items is None:
        return None
    unmatched = tuple(matched.negated() for matched in conjunction.matched)
    contains = Contains((*unmatched, other), (1, None), conjunction.evaluated_items)
    return merge(conjunction, Conjunction(origin=conjunction.origin, kinds=frozenset(["array"]), contains=(contains,)))


def _others(evaluated: Iterable[Keys]) -> Keys:
    """The keys that are none of these."""
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    for keys in evaluated:
        names, patterns = names | keys.names, patterns | keys.patterns
    return Keys(names, patterns, others=True)


# --- generation: a value is of a kind that a keyword speaks of, and an object has the properties that it declares


def for_generation(conjunction: Conjunction) -> Conjunction:
    """A conjunction, all merged, that says so itself: below, all means what the standard says."""
    if conjunction.mentioned and conjunction.kinds == ALL and conjunction.values is None:
        conjunction = conjunction.but(kinds=conjunction.mentioned)
    return closed(conjunction)


def closed(conjunction: Conjunction) -> Conjunction:
    """The conjunction without properties of which it does not speak: by name, by pattern, or by a schema for others.

    If it has factors, it depends on their alternatives of which it speaks: see `ObjectProduct`.
    """
    members = conjunction.members
    if not conjunction.declares or conjunction.factors or any(keys.others for keys, _ in members):
        return conjunction
    declared = _others([*(keys for keys, _ in members), Keys(frozenset(conjunction.required))])
    return conjunction.but(members=(*members, (declared, NEVER)), declares=False)
