"""The disjunctive normal form of a schema: references are followed, combinations are multiplied out.

    fits(v, subschemas)  <=>  fits(v, c) for some c of conjunctions(subschemas)

`not` is pushed inwards: a value that does not fit a schema breaks one of its keywords, and each keyword gives a
`Conjunction` of the values that break it. That also gives `oneOf` and `if`. `unevaluatedProperties` and
`unevaluatedItems` are resolved where all the keywords beside them are merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property, reduce
from itertools import combinations
from typing import Any

from . import limits, strings
from .conjunction import (
    NEVER,
    Conjunction,
    Keys,
    Origin,
    SchemaObject,
    Subschema,
    Subschemas,
    is_exact,
    key_of,
    merge,
    refuse,
)
from .factors import Factored, Factors, reduced
from .keywords import KeywordReader
from .negation import (
    break_items,
    break_properties,
    breaking,
    for_generation,
    refuse_negation,
    restrict_items,
    restrict_properties,
    silent,
)
from .object_names import PropertySchemas, Tags, may_meet, names_in_order, names_spoken_of
from .values_and_keywords import ALL, DEPENDENCIES, NUMBERS, OBJECT, UNEVALUATED, equal, kind_of

Combined = list[tuple[str, list[Subschema]]]  # schemas that a keyword combines
TOGETHER = ("allOf", "$ref", "$dynamicRef", "$recursiveRef")  # a value fits all of these schemas


class Normalizer:
    """Schemas as lists of conjunctions, for the keywords that a `KeywordReader` reads. None leads back to itself.

    Args:
        exactly: whether a conjunction says of all branches of an `anyOf` whether they fit, where it counts what they
            have spoken of. Else it says which of them fit.
    """

    def __init__(self, keywords: KeywordReader, exactly: bool = False):
        self.keywords, self.properties, self._exactly = keywords, PropertySchemas(), exactly
        self._factors = Factors(keywords.for_generation)
        self._generated: dict[Any, Conjunction] = {}  # by the conjunction
        self._conjunctions: dict[Any, list[Conjunction]] = {}
        self._options: dict[Any, list[Conjunction]] = {}
        self._under_way: set[Any] = set()  # the keys of the subschemas that are being normalized
        self._ordered: dict[Any, Conjunction] = {}  # by the conjunction, and the order
        self._without_one_of: set[Any] = set()  # the keys of schemas that no `oneOf` holds along with
        self._tags = Tags(self.properties, keywords.read)
        self._depth = self._merges = 0

    def conjunctions(self, subschemas: Subschemas) -> list[Conjunction]:
        """The conjunctions of the values that fit all of `subschemas`: each value fits one of them."""
        key = key_of(subschemas)
        result = self._conjunctions.get(key)
        if result is not None:
            return result
        if not self._under_way:
            self._merges = 0
        self._under_way.add(key)
        try:
            parts = [self._either(subschema) for subschema in subschemas]
            result = parts[0] if len(parts) == 1 else self._all_of(parts, subschemas[0] if subschemas else "#")
        finally:
            self._under_way.discard(key)
        for one in result:
            if one not in self._generated:
                self._generated[one] = for_generation(one)
        result = [self._generated[one] for one in result]
        if len(result) > 1 or len(subschemas) > 1 or (result and "object" in result[0].kinds):
            result = self._in_order(result, subschemas)
        self._conjunctions[key] = result
        return result

    def _in_order(self, conjunctions: list[Conjunction], subschemas: Subschemas) -> list[Conjunction]:
        """The conjunctions with the order of names, if that is not the one in which they speak of names themselves.

        So the order does not depend on which branches are left, nor on whether they are multiplied out.
        """
        objects = [conjunction for conjunction in conjunctions if "object" in conjunction.kinds]
        if not objects or (len(subschemas) == 1 and len(objects) == 1 and self._is_plain(subschemas[0])):
            return conjunctions
        order = names_in_order(subschemas, self.keywords.read)
        if not any(conjunction.factors for conjunction in objects) and order == names_spoken_of(objects):
            return conjunctions
        for conjunction in objects:
            if (conjunction, order) not in self._ordered:
                self._ordered[conjunction, order] = conjunction.but(order=order)
        return [self._ordered.get((one, order), one) for one in conjunctions]

    def is_exact(self, subschemas: Subschemas) -> bool:
        """Whether for generation, too, all values fit that fit by the standard: False if that is not plain.

        For generation a schema is of the kinds that it speaks of, and its objects have the properties that it declares.
        """
        return all(is_exact(option) for subschema in subschemas for option in self._either(subschema))

    def _is_plain(self, subschema: Subschema) -> bool:
        return isinstance(subschema.schema, bool) or (subschema.fits and self.keywords.read(subschema).plain)

    def _all_of(self, parts: list[list[Conjunction]], origin: Origin) -> list[Conjunction]:
        """The conjunctions of one of each part, multiplied out; what plainly cannot be is left out.

        origin: what says so (see `Conjunction`).
        """
        parts = [part for part in parts if len(part) != 1 or len(part[0].__dict__) > 1]  # the others say nothing
        if len(parts) < 2:
            return parts[0] if parts else [Conjunction(origin=origin)]
        result, tried, few = parts[0], 0, max(limits.FEW_BRANCHES, *map(len, parts))
        for part in parts[1:]:
            tried += len(result) * len(part)
            if tried > limits.FEW_MERGES and not self.keywords.tracks:
                return self._product(parts, origin)
            result = self._both(result, part, origin, is_met=result is not parts[0])
            if len(result) > few and not self.keywords.tracks:
                return self._product(parts, origin)
            _check_branches(result, origin)
        return result

    def _both(
        self, ones: list[Conjunction], others: list[Conjunction], origin: Origin, is_met: bool = False
    ) -> list[Conjunction]:
        """The conjunctions of one of each of two parts. is_met: whether something may fit each of the first."""
        self._merges += len(ones) * len(others)
        if self._merges > limits.MERGES:
            refuse(origin, f"the combinations come to more than {limits.MERGES}")
        pairs = (merge(a, b) for a in ones for b in others if may_meet(a, b, is_met))
        return [both for both in pairs if both.values != ()]

    def _product(self, parts: list[list[Conjunction]], origin: Origin) -> list[Conjunction]:
        """The conjunctions of one of each of many parts: what tells objects apart is kept as factors."""
        product = reduced(parts, origin, self._impossible)
        if product is None:
            return []
        result: list[Conjunction] = []
        others: Factored | None = product
        if product.count(limits.FEW_BRANCHES + 1) > limits.FEW_BRANCHES:
            result, others = self._factors.split(product)
        if others is not None:
            multiplied = [others.base]
            for part in sorted(others.parts, key=len):
                multiplied = self._both(multiplied, part, origin)
                _check_branches(multiplied, origin)
            if others is not product:  # what of them are objects is in the result already
                multiplied = [for_generation(one) for one in multiplied]
                multiplied = [one.but(kinds=one.kinds - OBJECT) for one in multiplied]
            result += [one for one in multiplied if not _hopeless(one)]
        return result

    def _impossible(self, conjunction: Conjunction) -> bool:
        return _hopeless(conjunction) or self._plainly_empty(conjunction, 1)

    def _either(self, subschema: Subschema) -> list[Conjunction]:
        """The conjunctions of one schema."""
        if isinstance(subschema.schema, bool):
            return [Conjunction(origin=subschema)] if subschema.schema is subschema.fits else []
        options = self._options.get(subschema.key)
        if options is None:
            self._depth += 1
            try:
                if self._depth > limits.NORMALIZED_WITHIN:
                    refuse(subschema.path, "leads back to itself, or is nested too deeply")
                self._find_out(subschema)
            finally:
                self._depth -= 1
            options = self._options[subschema.key]
        return options

    def _find_out(self, whole: Subschema) -> None:
        """Note the conjunctions of a schema, its parts first: in a loop, for a thousand may lie within one another."""
        todo, under_way = [whole], dict[Any, SchemaObject]()
        while todo:
            subschema = todo[-1]
            key = subschema.key
            if isinstance(subschema.schema, bool) or key in self._options:
                todo.pop()
            elif key in under_way:  # its parts are known
                todo.pop()
                schema_object = under_way.pop(key)
                self._options[key] = self._fitting(schema_object) if subschema.fits else self._breaking(schema_object)
            else:
                schema_object = self.keywords.read(subschema)
                if subschema.fits and schema_object.plain:
                    self._options[key] = [schema_object.conjunction] if schema_object.conjunction.kinds else []
                    continue
                under_way[key] = schema_object
                todo += reversed(self._parts(schema_object, subschema.fits))

    def _parts(self, schema_object: SchemaObject, fits: bool) -> list[Subschema]:
        """The schemas, or their negations, for the same value that a schema is made of. fits: whether it fits it."""
        parts, combined = list(schema_object.compounds) if fits else [], schema_object.combined
        if fits and not parts:
            _, _, combined = self._beside(schema_object)
        for keyword, subschemas in combined:
            if keyword == "if":
                parts += [subschemas[0], subschemas[0].negated()]
            others = subschemas[1:] if keyword == "if" or keyword in DEPENDENCIES else subschemas
            parts += [part.negated() if fits is (keyword == "not") else part for part in others]
        return parts

    # ------------------------------------------------------------------------------------------- what fits a schema

    def _fitting(self, schema_object: SchemaObject) -> list[Conjunction]:
        subschema, result = schema_object.subschema, self._evaluated(schema_object)
        if "unevaluatedProperties" in subschema.schema:
            others = subschema.at("unevaluatedProperties")
            result = [restrict_properties(conjunction, others) for conjunction in result]
        if "unevaluatedItems" in subschema.schema:
            others, either = subschema.at("unevaluatedItems"), self.keywords.either
            result = [restrict_items(conjunction, others, either) for conjunction in result]
        return [conjunction for conjunction in result if conjunction.kinds]

    def _evaluated(self, schema_object: SchemaObject) -> list[Conjunction]:
        """The conjunctions of the values that fit all keywords but those of what is unevaluated."""
        parts, beside, combined = self._beside(schema_object)
        for keyword, subschemas in combined:
            parts += self._combined(keyword, subschemas, beside, schema_object.subschema)
        return self._all_of(parts, schema_object.subschema)

    def _beside(self, schema_object: SchemaObject) -> tuple[list[list[Conjunction]], Conjunction, Combined]:
        """What a schema object says by itself, as parts; what of it holds in any case; and the schemas it combines."""
        conjunction, combined = schema_object.conjunction, schema_object.combined
        if schema_object.compounds:  # the other keywords hold for these, too
            beside = conjunction.but(values=None, kinds=ALL)
            compounds = (option for compound in schema_object.compounds for option in self._either(compound))
            listed = [merge(beside, silent(compound)) for compound in compounds]
            return [listed if conjunction.values == () else [conjunction, *listed]], beside, combined
        if self._holds_one_of(schema_object):  # what holds beside it may tell its branches apart
            conjunctions, together = self._together(schema_object, set())
            return [[one] for one in conjunctions], reduce(merge, conjunctions), together
        return [[conjunction]], conjunction, combined

    def _holds_one_of(self, schema_object: SchemaObject) -> bool:
        """Whether a `oneOf` holds along with a schema object."""
        todo, met = [schema_object], set[Any]()
        while todo:
            part = todo.pop()
            if part.subschema.key in met or part.subschema.key in self._without_one_of:
                continue
            met.add(part.subschema.key)
            for keyword, subschemas in part.combined:
                if keyword == "oneOf":
                    return True
                if keyword in TOGETHER:
                    todo += (inner for inner in map(self._beside_others, subschemas) if inner is not None)
        self._without_one_of |= met
        return False

    def _beside_others(self, subschema: Subschema) -> SchemaObject | None:
        """A schema whose keywords may be read as if they stood beside others; None if it is no such."""
        if isinstance(subschema.schema, bool):
            return None
        inner = self.keywords.read(subschema)
        return None if inner.compounds or not inner.subschema.schema.keys().isdisjoint(UNEVALUATED) else inner

    def _together(self, schema_object: SchemaObject, met: set[Any]) -> tuple[list[Conjunction], Combined]:
        """What holds along with a schema object, by `allOf` and `$ref`: conjunctions, and what else is combined.

        met: the keys of those that are known to hold.
        """
        if schema_object.subschema.key in met:
            return [], []
        met.add(schema_object.subschema.key)
        conjunctions: list[Conjunction] = [schema_object.conjunction]
        combined: Combined = []
        for keyword, subschemas in schema_object.combined:
            if keyword not in TOGETHER:
                combined.append((keyword, subschemas))
                continue
            for part in subschemas:
                inner = self._beside_others(part)
                if inner is None:
                    combined.append((keyword, [part]))
                else:
                    more, others = self._together(inner, met)
                    conjunctions += more
                    combined += others
        return conjunctions, combined

    def _combined(
        self, keyword: str, subschemas: list[Subschema], beside: Conjunction, origin: Subschema
    ) -> list[list[Conjunction]]:
        """What one keyword comes to that combines schemas, as parts that all hold. beside: the keywords next to it."""
        if keyword == "anyOf":
            return [self._any_of(subschemas)]
        if keyword == "oneOf":
            return [self._one_of(subschemas, beside)]
        if keyword == "not":
            return [self._not_fitting(subschemas[0])]
        if keyword == "if":
            return [self._conditional(subschemas)]
        if keyword in DEPENDENCIES:
            name, then = subschemas
            present = self._all_of([[_present(name)], self._either(then)], origin)
            return [[_absent(name), *present]]
        return [self._either(part) for part in subschemas]  # $ref, allOf

    def _any_of(self, subschemas: list[Subschema]) -> list[Conjunction]:
        branches = [self._either(part) for part in subschemas]
        if not self.keywords.tracks:
            return [conjunction for branch in branches for conjunction in branch]
        # What is evaluated is what all the branches evaluate that fit: the more of them, the less is unevaluated.
        if len(branches) > limits.OPTIONS:
            refuse(subschemas[0].path, f"over {limits.OPTIONS} branches beside 'unevaluated…' are not supported")
        every = range(len(branches))
        result = []
        for chosen in (chosen for count in every for chosen in combinations(every, count + 1)):
            parts = [branches[i] for i in chosen]
            if self._exactly:
                parts += [self._not_fitting(subschemas[i]) for i in every if i not in chosen]
            result += self._all_of(parts, subschemas[0])
        return result

    def _not_fitting(self, subschema: Subschema) -> list[Conjunction]:
        return [silent(conjunction) for conjunction in self._either(subschema.negated())]

    def _one_of(self, subschemas: list[Subschema], beside: Conjunction) -> list[Conjunction]:
        branches = [self._either(part) for part in subschemas]
        others: list[list[list[Conjunction]]] = [[] for _ in branches]  # of each branch: what fits none of the others
        breaking_one = cache(lambda i: self._not_fitting(subschemas[i]))
        for i, j in combinations(range(len(branches)), 2):
            if not self._exclude_each_other(branches[i], branches[j], beside):
                others[i].append(breaking_one(j))
                others[j].append(breaking_one(i))
        parts = zip(branches, others, subschemas, strict=True)
        return [one for branch, more, origin in parts for one in self._all_of([branch, *more], origin)]

    def _conditional(self, subschemas: list[Subschema]) -> list[Conjunction]:
        condition, then, other = subschemas
        met = self._all_of([self._either(condition), self._either(then)], condition)
        return met + self._all_of([self._not_fitting(condition), self._either(other)], condition)

    # --------------------------------------------------------------------------------- what does not fit a schema

    def _breaking(self, schema_object: SchemaObject) -> list[Conjunction]:
        """The conjunctions of the values that do not fit a schema: they break one of its keywords."""
        self.keywords.negated.append(schema_object.subschema)
        refuse_negation(schema_object)
        result = breaking(schema_object)
        for keyword, subschemas in schema_object.combined:
            for broken in self._broken(keyword, subschemas, schema_object.subschema):
                result += broken
            _check_branches(result, schema_object.subschema)
        result += self._unevaluated_broken(schema_object)
        return [silent(conjunction) for conjunction in result]

    @cached_property
    def _exact(self) -> Normalizer:
        return self if self._exactly else Normalizer(self.keywords, exactly=True)

    def _unevaluated_broken(self, schema_object: SchemaObject) -> list[Conjunction]:
        """The values that fit all other keywords, and have something unevaluated that does not fit."""
        subschema, result = schema_object.subschema, []
        if not subschema.schema.keys().isdisjoint(UNEVALUATED):
            exact = self._exact
            exact._merges = self._merges
            fitting = exact._evaluated(schema_object)
            self._merges = exact._merges
            for keyword, broken in zip(UNEVALUATED, (break_properties, break_items), strict=True):
                if keyword in subschema.schema:
                    other = subschema.at(keyword).negated()
                    result += [broken(conjunction, other) for conjunction in fitting]
        return [conjunction for conjunction in result if conjunction is not None]

    def _broken(self, keyword: str, subschemas: list[Subschema], origin: Subschema) -> Iterator[list[Conjunction]]:
        """The ways to break one keyword that combines schemas."""
        if keyword in ("anyOf", "oneOf"):
            yield self._all_of([self._either(part.negated()) for part in subschemas], origin)
            for a, b in combinations(subschemas, 2) if keyword == "oneOf" else ():
                yield self._all_of([self._either(a), self._either(b)], origin)
        elif keyword == "not":
            yield [silent(conjunction) for conjunction in self._either(subschemas[0])]
        elif keyword == "if":
            condition, then, other = subschemas
            yield self._all_of([self._either(condition), self._either(then.negated())], origin)
            yield self._all_of([self._either(condition.negated()), self._either(other.negated())], origin)
        elif keyword in DEPENDENCIES:
            name, then = subschemas
            yield self._all_of([[_present(name)], self._either(then.negated())], origin)
        else:  # $ref, allOf
            for part in subschemas:
                yield self._either(part.negated())

    # ----------------------------------------------------------------------------------- whether anything fits at all

    def _exclude_each_other(self, ones: list[Conjunction], others: list[Conjunction], beside: Conjunction) -> bool:
        """Whether no value fits one of each; False if that takes more than a look at constants and patterns."""
        return all(
            (a.kinds & b.kinds & beside.kinds == OBJECT and self._tags.tell_apart(a, b))
            or self._plainly_empty(merge(beside, merge(a, b)))
            for a in ones
            for b in others
        )

    def _plainly_empty(self, conjunction: Conjunction, depth: int = 2) -> bool:
        """Whether plainly nothing fits: different types, constants or patterns, also of a property that is required."""
        kinds = conjunction.kinds
        if conjunction.values is not None:
            kinds = _kinds_of_values(conjunction.values, conjunction)
        if conjunction.low is not None and conjunction.high is not None and conjunction.low > conjunction.high:
            kinds = kinds - NUMBERS
        if "string" in kinds and strings.exclude_each_other(frozenset(conjunction.patterns)):
            kinds = kinds - {"string"}
        if "object" in kinds and self._plainly_no_object(conjunction, depth):
            kinds = kinds - {"object"}
        low, high = conjunction.counts
        if "array" in kinds and high is not None and low > high:
            kinds = kinds - {"array"}
        return not kinds

    def _plainly_no_object(self, conjunction: Conjunction, depth: int) -> bool:
        low, high = conjunction.sizes
        if high is not None and max(low, len(conjunction.required)) > high:
            return True
        return depth > 0 and any(self._plainly_no_value(conjunction, name, depth) for name in conjunction.required)

    def _plainly_no_value(self, conjunction: Conjunction, name: str, depth: int) -> bool:
        """Whether plainly no value of a property fits, as several schemas speak of it."""
        subschemas = self.properties.of(conjunction, name)
        if len(subschemas) < 2 and all(subschema.schema is not False for subschema in subschemas):
            return False
        if key_of(subschemas) in self._under_way:
            return False
        return all(self._plainly_empty(option, depth - 1) for option in self.conjunctions(subschemas))


def _kinds_of_values(values: tuple[Any, ...], conjunction: Conjunction) -> frozenset[str]:
    """The kinds of those constants that may fit a conjunction."""
    kinds: set[str] = set()
    for value in values:
        if kind_of(value) not in kinds and _may_fit(value, conjunction):
            kinds.add(kind_of(value))
    return conjunction.kinds & kinds


def _may_fit(value: Any, conjunction: Conjunction) -> bool:
    """Whether a constant is not excluded, and is the string that it has to be."""
    if any(equal(value, x) for x in conjunction.excluded):
        return False
    return not isinstance(value, str) or strings.fits(value, conjunction)


def _check_branches(result: list[Conjunction], origin: Origin) -> None:
    if len(result) > limits.BRANCHES:
        refuse(origin, f"the combinations come to more than {limits.BRANCHES} branches")


def _present(name: Subschema) -> Conjunction:
    """The objects that have a property."""
    return Conjunction(origin=name.path, kinds=frozenset(["object"]), required=(name.schema,))


def _absent(name: Subschema) -> Conjunction:
    """All values but the objects that have a property."""
    return Conjunction(origin=name.path, members=((Keys(frozenset([name.schema])), NEVER),))


def _hopeless(conjunction: Conjunction) -> bool:
    """Whether plainly nothing fits."""
    return conjunction.values == () or not may_meet(conjunction, conjunction)
