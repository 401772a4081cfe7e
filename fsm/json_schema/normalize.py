"""The disjunctive normal form of a schema: references are followed, combinations are multiplied out.

    fits(v, places)  <=>  fits(v, c) for some c of conjunctions(places)

`not` is pushed inwards: a value that does not fit a schema breaks one of its keywords, and each keyword gives a
`Conjunction` of the values that break it. That also gives `oneOf` and `if`. `unevaluatedProperties` and
`unevaluatedItems` are resolved where all the keywords beside them are merged.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

from ..patterns.parser import parse
from .conjunction import (
    ALL,
    EVERY_KEY,
    NEVER,
    NUMBERS,
    Conjunction,
    Contains,
    Exists,
    Keys,
    Place,
    Places,
    both,
    kind_of,
    merge,
)
from .keywords import UNEVALUATED, Keywords, Read
from .references import refuse
from .strings import accepts

BRANCH_LIMIT = 2_000  # conjunctions of one value
AHEAD = 2_000  # values that are looked at beforehand, where schemas exclude each other
MERGE_LIMIT = 100_000  # of conjunctions, for one value
OPTIONS_LIMIT = 6  # schemas in `anyOf` whose every combination is looked at


class Reader(Keywords):
    """Schemas as `Conjunction`s. See `Keywords`."""

    def __init__(self, root: Any, assertive: bool = True, plainly: bool = True):
        super().__init__(root, assertive, plainly)
        self._open: set[Any] = set()  # what is being read
        self._indices: dict[int, tuple[Any, dict[str, Places], list[tuple[Keys, Places]]]] = {}
        self._conjunctions: dict[Any, list[Conjunction]] = {}
        self._options: dict[Any, list[Conjunction]] = {}
        self._depth = self._merges = 0
        self.check()

    def check(self) -> None:
        """Read all schemas that can be reached, so that what is not supported is refused now."""
        todo, seen = [self.root], set()
        combined: list[Place] = []
        excluding = False
        while todo:
            place = todo.pop()
            if place.key[0] not in seen:
                seen.add(place.key[0])
                if not isinstance(place.schema, bool):
                    read = self.read(place)
                    todo += reversed(read.inside)
                    combined += [read.place] * bool(read.parts)
                    excluding = excluding or any(keyword in ("oneOf", "not", "if") for keyword, _ in read.parts)
        for place in combined if excluding else ():  # which may come to too many branches
            self.conjunctions((place,))
        if excluding:
            self._look_ahead()
        if self.unique or self.tracks:
            todo, seen = self.negated, set()
            while todo:
                place = todo.pop()
                if place.key[0] not in seen and not isinstance(place.schema, bool):
                    seen.add(place.key[0])
                    read = self.read(place)
                    self._negatable(read)
                    todo += read.inside

    def _look_ahead(self) -> None:
        """Read what the first values come to, several schemas together, so that too many branches are refused now."""
        todo: list[Places] = [(self.root,)]
        seen: set[Any] = set()
        while todo and len(seen) < AHEAD:
            places = todo.pop(0)
            key = frozenset(place.key for place in places)
            if places and key not in seen:
                seen.add(key)
                for conjunction in self.conjunctions(places):
                    index, rest = self._index(conjunction)
                    todo += [self.property_of(conjunction, name) for name in index]
                    todo += [*(some for _, some in rest), *conjunction.prefix, conjunction.items]

    def conjunctions(self, places: Places) -> list[Conjunction]:
        """The branches of what `places` come to."""
        key = frozenset(place.key for place in places)
        found = self._conjunctions.get(key)
        if found is None:
            if not self._open:
                self._merges = 0
            self._open.add(key)
            try:
                found = self.all_of([self.options(place) for place in places], places[0].path if places else "#")
            finally:
                self._open.discard(key)
            found = self._conjunctions[key] = [_meant(conjunction) for conjunction in found]
        return found

    def all_of(self, parts: list[list[Conjunction]], path: str) -> list[Conjunction]:
        """Each of the parts, multiplied out; what cannot be is left out."""
        parts = [part for part in parts if len(part) != 1 or len(part[0].__dict__) > 1]  # the others say nothing
        result = parts[0] if parts else [Conjunction(path)]
        for part in parts[1:]:
            self._merges += len(result) * len(part)
            if self._merges > MERGE_LIMIT:
                refuse(path, f"the combinations come to more than {MERGE_LIMIT}")
            merged = [merge(a, b) for a in result for b in part]
            result = [conjunction for conjunction in merged if not _hopeless(conjunction)]
            if len(result) > BRANCH_LIMIT:
                refuse(path, f"the combinations come to more than {BRANCH_LIMIT} branches")
        return result

    def options(self, place: Place) -> list[Conjunction]:
        """The branches of one schema."""
        if isinstance(place.schema, bool):
            return [Conjunction(place.path)] if place.schema is place.fits else []
        found = self._options.get(place.key)
        if found is None:
            self._depth += 1
            try:
                if self._depth > 100:
                    refuse(place.path, "leads back to itself, or is nested too deeply")
                found = self._options[place.key] = self._fitting(place) if place.fits else self._breaking(place)
            finally:
                self._depth -= 1
        return found

    def _fitting(self, place: Place) -> list[Conjunction]:
        read = self.read(place)
        place, schema, own = read.place, read.place.schema, read.own
        parts, context = [[own]], own
        if read.values:  # the other keywords hold for these, too
            context = own.but(values=None, kinds=ALL)
            listed = [
                merge(context, _silent(conjunction)) for value in read.values for conjunction in self.options(value)
            ]
            parts = [listed if own.values == () else [own, *listed]]
        for keyword, places in read.parts:
            if keyword == "anyOf":
                parts.append(self._any(places))
            elif keyword == "oneOf":
                parts.append(self._one(places, context))
            elif keyword == "not":
                parts.append([_silent(conjunction) for conjunction in self.options(places[0].no())])
            elif keyword == "if":
                parts.append(self._conditional(places))
            elif keyword in ("dependentSchemas", "dependentRequired", "dependencies"):
                name, *then = places
                present = self.all_of([[self._present(name)], self.options(then[0])], place.path)
                parts.append([self._absent(name), *present])
            else:  # $ref, allOf
                parts += [self.options(part) for part in places]
        result = self.all_of(parts, place.path)
        if "unevaluatedProperties" in schema:
            rest = (place.at("unevaluatedProperties"),)
            extras = schema["unevaluatedProperties"] not in (True, {})
            result = [self._rest_of_properties(conjunction, rest, extras) for conjunction in result]
        if "unevaluatedItems" in schema:
            result = [self._rest_of_items(conjunction, place.at("unevaluatedItems")) for conjunction in result]
        return [conjunction for conjunction in result if conjunction.kinds]

    def _any(self, places: list[Place]) -> list[Conjunction]:
        branches = [self.options(part) for part in places]
        if not self.tracks:
            return [conjunction for branch in branches for conjunction in branch]
        # What is evaluated is what all the branches evaluate that fit: the more of them, the less is unevaluated.
        if len(branches) > OPTIONS_LIMIT:
            refuse(places[0].path, f"over {OPTIONS_LIMIT} branches beside 'unevaluated…' are not supported")
        return [
            conjunction
            for count in range(1, len(branches) + 1)
            for chosen in combinations(branches, count)
            for conjunction in self.all_of(list(chosen), places[0].path)
        ]

    def _one(self, places: list[Place], own: Conjunction) -> list[Conjunction]:
        branches = [self.options(part) for part in places]
        result = []
        for i, branch in enumerate(branches):
            parts = [branch]
            for j, other in enumerate(branches):
                if j != i and not self._apart(branch, other, own):
                    parts.append([_silent(conjunction) for conjunction in self.options(places[j].no())])
            result += self.all_of(parts, places[i].path)
        return result

    def _apart(self, ones: list[Conjunction], others: list[Conjunction], own: Conjunction) -> bool:
        """Whether no value fits both; False if that takes more than a look at constants."""
        return all(self.apart(merge(own, merge(a, b))) for a in ones for b in others)

    def apart(self, conjunction: Conjunction, depth: int = 2) -> bool:
        """Whether plainly nothing fits: different types, different constants of a property that must be there."""
        kinds = conjunction.kinds
        if conjunction.values is not None:
            kinds = kinds & {kind_of(value) for value in conjunction.values}
        if conjunction.low is not None and conjunction.high is not None and conjunction.low > conjunction.high:
            kinds = kinds - NUMBERS
        if "object" in kinds and (self._no_object(conjunction, depth)):
            kinds = kinds - {"object"}
        if "array" in kinds and conjunction.counts[1] is not None and conjunction.counts[0] > conjunction.counts[1]:
            kinds = kinds - {"array"}
        return not kinds

    def _no_object(self, conjunction: Conjunction, depth: int) -> bool:
        if (
            conjunction.sizes[1] is not None
            and max(conjunction.sizes[0], len(conjunction.required)) > conjunction.sizes[1]
        ):
            return True
        if not depth:
            return False
        for name in conjunction.required:
            places = self.property_of(conjunction, name)
            telling = len(places) > 1 or any(place.schema is False for place in places)
            if (
                telling
                and frozenset(place.key for place in places) not in self._open
                and all(self.apart(f, depth - 1) for f in self.conjunctions(places))
            ):
                return True
        return False

    def property_of(self, conjunction: Conjunction, name: str) -> Places:
        """What the value of a property fits."""
        index, rest = self._index(conjunction)
        found = index.get(name, ())
        for keys, places in rest:
            if covers(keys, name):
                found = both(found, places)
        return found

    def declares(self, conjunction: Conjunction, name: str) -> bool:
        """Whether a conjunction speaks of a name: by itself, by a pattern, or by a schema for all others."""
        index, rest = self._index(conjunction)
        return name in index or any(covers(keys, name) and keys.others <= conjunction.extras for keys, _ in rest)

    def _index(self, conjunction: Conjunction) -> tuple[dict[str, Places], list[tuple[Keys, Places]]]:
        """The members of a conjunction: those of one name each; and all others."""
        known = self._indices.get(id(conjunction))
        if known is None or known[0] is not conjunction.members:
            index: dict[str, Places] = {}
            rest = []
            for keys, places in conjunction.members:
                if len(keys.names) == 1 and not keys.patterns and not keys.others:
                    (name,) = keys.names
                    index[name] = both(index.get(name, ()), places)
                else:
                    rest.append((keys, places))
            known = self._indices[id(conjunction)] = (conjunction.members, index, rest)
        return known[1:]

    def _conditional(self, places: list[Place]) -> list[Conjunction]:
        condition, then, other = places
        yes = self.all_of([self.options(condition), self.options(then)], condition.path)
        no = self.all_of([[_silent(f) for f in self.options(condition.no())], self.options(other)], condition.path)
        return yes + no

    def _present(self, name: Place) -> Conjunction:
        return Conjunction(name.path, kinds=frozenset(["object"]), required=(name.schema,))

    def _absent(self, name: Place) -> Conjunction:
        return Conjunction(name.path, members=((Keys(frozenset([name.schema])), NEVER),))

    def _rest_of_properties(self, conjunction: Conjunction, rest: Places, extras: bool) -> Conjunction:
        """The properties that nothing has spoken of fit `rest`."""
        if EVERY_KEY in conjunction.evaluated:
            return conjunction
        keys = _others(conjunction.evaluated)
        evaluated = (*conjunction.evaluated, EVERY_KEY)
        if keys is None:
            return conjunction.but(evaluated=evaluated)
        members = (*conjunction.members, (keys, rest))
        return conjunction.but(members=members, evaluated=evaluated, extras=conjunction.extras or extras)

    def _rest_of_items(self, conjunction: Conjunction, rest: Place) -> Conjunction:
        if conjunction.evaluated_items is None:
            return conjunction
        if conjunction.matched:
            rest = self._either([*conjunction.matched, rest])
        start = conjunction.evaluated_items
        plain = Conjunction(conjunction.path, prefix=((),) * start, items=(rest,))
        return merge(conjunction, plain).but(evaluated_items=None)

    def _either(self, places: list[Place]) -> Place:
        """A schema for what fits one of several."""
        schema = self.keep({"anyOf": [place.schema for place in places]})
        whole = Place(schema, places[-1].path, places[-1].home)
        read = self.objects[whole.key[0]] = Read(whole, Conjunction(whole.path))
        read.parts.append(("anyOf", places))
        return whole

    # ------------------------------------------------------------------------------------------ what does not fit

    def _breaking(self, place: Place) -> list[Conjunction]:
        """The branches of the values that do not fit a schema: they break one of its keywords."""
        read, path = self.read(place), place.path
        self.negated.append(read.place)
        self._negatable(read)
        result = self._breaking_own(read)
        for keyword, places in read.parts:
            if keyword == "anyOf":
                result += self.all_of([self.options(part.no()) for part in places], path)
            elif keyword == "oneOf":
                result += self.all_of([self.options(part.no()) for part in places], path)
                for a, b in combinations(places, 2):
                    result += self.all_of([self.options(a), self.options(b)], path)
            elif keyword == "not":
                result += [_silent(conjunction) for conjunction in self.options(places[0])]
            elif keyword == "if":
                condition, then, other = places
                result += self.all_of([self.options(condition), self.options(then.no())], path)
                result += self.all_of([self.options(condition.no()), self.options(other.no())], path)
            elif keyword in ("dependentSchemas", "dependentRequired", "dependencies"):
                name, then = places
                result += self.all_of([[self._present(name)], self.options(then.no())], path)
            else:
                result += [conjunction for part in places for conjunction in self.options(part.no())]
            if len(result) > BRANCH_LIMIT:
                refuse(path, f"the combinations come to more than {BRANCH_LIMIT} branches")
        return [_silent(conjunction) for conjunction in result]

    def _negatable(self, read: Read) -> None:
        for keyword in (*UNEVALUATED, "uniqueItems"):
            if keyword in read.place.schema and (keyword != "uniqueItems" or read.own.unique):
                what = f"{keyword!r} under 'not', 'oneOf', 'if' or 'maxContains' is not supported"
                refuse(f"{read.place.path}/{keyword}", what)

    def _breaking_own(self, read: Read) -> list[Conjunction]:
        conjunction, path = read.own, read.place.path
        found: list[Conjunction] = []

        def add(kinds: frozenset[str] | set[str], **fields: Any) -> None:
            found.append(Conjunction(path, kinds=frozenset(kinds), **fields))

        kinds = conjunction.kinds if conjunction.values is None else self._types(read.place)
        if kinds != ALL:
            add(ALL - kinds)
        if conjunction.values is not None:
            found.append(Conjunction(path, excluded=(*conjunction.values, *read.listed)))
        if conjunction.low is not None:
            add(NUMBERS, high=conjunction.low, high_open=not conjunction.low_open)
        if conjunction.high is not None:
            add(NUMBERS, low=conjunction.high, low_open=not conjunction.high_open)
        for multiple in conjunction.multiples:
            add(NUMBERS, not_multiples=(multiple,))
        for pattern in conjunction.patterns:
            add({"string"}, not_patterns=(pattern,))
        for name in conjunction.formats:
            add({"string"}, not_formats=(name,))
        for kind, field, span in (
            ("string", "lengths", conjunction.lengths),
            ("array", "counts", conjunction.counts),
            ("object", "sizes", conjunction.sizes),
        ):
            if span[0] > 0:
                add({kind}, **{field: (0, span[0] - 1)})
            if span[1] is not None:
                add({kind}, **{field: (span[1] + 1, None)})
        for i, places in enumerate(conjunction.prefix):
            for part in places:
                add({"array"}, counts=(i + 1, None), prefix=(((),) * i + ((part.no(),),)))
        for part in conjunction.items:
            add({"array"}, contains=(Contains((part.no(),), (1, None), len(conjunction.prefix)),))
        for places, (low, high), start in conjunction.contains:
            if low > 0:
                add({"array"}, contains=(Contains(places, (0, low - 1), start),))
            if high is not None:
                add({"array"}, contains=(Contains(places, (high + 1, None), start),))
        for name in conjunction.required:
            add({"object"}, members=((Keys(frozenset([name])), NEVER),))
        for part in conjunction.names:
            add({"object"}, exists=(Exists(EVERY_KEY, (part.no(),), ()),))
        for keys, places in conjunction.members:
            for part in places:
                if len(keys.names) == 1 and not keys.patterns and not keys.others:
                    add({"object"}, required=tuple(keys.names), members=((keys, (part.no(),)),))
                else:
                    add({"object"}, exists=(Exists(keys, (), (part.no(),)),))
        return found


def _hopeless(conjunction: Conjunction) -> bool:
    """Whether plainly nothing fits."""
    if not conjunction.kinds or conjunction.values == ():
        return True
    if len(conjunction.kinds) > 1 or "object" not in conjunction.kinds or not conjunction.required:
        return False
    never = [keys for keys, places in conjunction.members if places is NEVER and not keys.others]
    return any(name in keys.names for keys in never for name in conjunction.required)


def covers(keys: Keys, name: str) -> bool:
    """Whether a name is one of these."""
    if name in keys.names:
        return not keys.others
    return any(searches(pattern, name) for pattern in keys.patterns) is not keys.others


@lru_cache(maxsize=4096)
def searches(pattern: str, text: str) -> bool:
    """Whether a pattern, of JSON Schema's kind, matches somewhere in a text."""
    return accepts(parse(pattern, search=True), text)


def _meant(conjunction: Conjunction) -> Conjunction:
    """Of the kinds that are spoken of, where none is said."""
    return (
        conjunction.but(kinds=conjunction.said)
        if conjunction.said and conjunction.kinds == ALL and conjunction.values is None
        else conjunction
    )


def _silent(conjunction: Conjunction) -> Conjunction:
    """The same, having evaluated nothing."""
    if not conjunction.evaluated and conjunction.evaluated_items == 0 and not conjunction.matched:
        return conjunction
    return conjunction.but(evaluated=(), evaluated_items=0, matched=())


def _others(evaluated: tuple[Keys, ...]) -> Keys | None:
    """The keys that are none of these."""
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    for keys in evaluated:
        names, patterns = names | keys.names, patterns | keys.patterns
    return Keys(names, patterns, others=True)
