"""Reading a JSON Schema: keywords checked, references followed, combinations multiplied out into `Flat`s.

    fits(v, places)  <=>  fits(v, flat) for some flat of flats(places)

`not` is pushed inwards: what does not fit a schema breaks one of its keywords, and for each of them there is a `Flat`
that says so. That also gives `oneOf` and `if`. `unevaluatedProperties` and `unevaluatedItems` are resolved where all
that is known beside them is merged.
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
    Contains,
    Exists,
    Flat,
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

BRANCH_LIMIT = 2_000  # flats of one value
AHEAD = 2_000  # values that are looked at beforehand, where schemas exclude each other
MERGE_LIMIT = 100_000  # of flats, for one value
OPTIONS_LIMIT = 6  # schemas in `anyOf` whose every combination is looked at


class Reader(Keywords):
    """Schemas as `Flat`s. See `Keywords`."""

    def __init__(self, root: Any, assertive: bool = True, plainly: bool = True):
        super().__init__(root, assertive, plainly)
        self._open: set[Any] = set()  # what is being read
        self._indices: dict[int, tuple[Any, dict[str, Places], list[tuple[Keys, Places]]]] = {}
        self._flats: dict[Any, list[Flat]] = {}
        self._options: dict[Any, list[Flat]] = {}
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
            self.flats((place,))
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
                for flat in self.flats(places):
                    index, rest = self._index(flat)
                    todo += [self.property_of(flat, name) for name in index]
                    todo += [*(some for _, some in rest), *flat.prefix, flat.items]

    def flats(self, places: Places) -> list[Flat]:
        """The branches of what `places` come to."""
        key = frozenset(place.key for place in places)
        found = self._flats.get(key)
        if found is None:
            if not self._open:
                self._merges = 0
            self._open.add(key)
            try:
                found = self.all_of([self.options(place) for place in places], places[0].path if places else "#")
            finally:
                self._open.discard(key)
            found = self._flats[key] = [_meant(flat) for flat in found]
        return found

    def all_of(self, parts: list[list[Flat]], path: str) -> list[Flat]:
        """Each of the parts, multiplied out; what cannot be is left out."""
        parts = [part for part in parts if len(part) != 1 or len(part[0].__dict__) > 1]  # the others say nothing
        result = parts[0] if parts else [Flat(path)]
        for part in parts[1:]:
            self._merges += len(result) * len(part)
            if self._merges > MERGE_LIMIT:
                refuse(path, f"the combinations come to more than {MERGE_LIMIT}")
            merged = [merge(a, b) for a in result for b in part]
            result = [flat for flat in merged if not _hopeless(flat)]
            if len(result) > BRANCH_LIMIT:
                refuse(path, f"the combinations come to more than {BRANCH_LIMIT} branches")
        return result

    def options(self, place: Place) -> list[Flat]:
        """The branches of one schema."""
        if isinstance(place.schema, bool):
            return [Flat(place.path)] if place.schema is place.fits else []
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

    def _fitting(self, place: Place) -> list[Flat]:
        read = self.read(place)
        place, schema, own = read.place, read.place.schema, read.own
        parts, context = [[own]], own
        if read.values:  # the other keywords hold for these, too
            context = own.but(values=None, kinds=ALL)
            listed = [merge(context, _silent(flat)) for value in read.values for flat in self.options(value)]
            parts = [listed if own.values == () else [own, *listed]]
        for keyword, places in read.parts:
            if keyword == "anyOf":
                parts.append(self._any(places))
            elif keyword == "oneOf":
                parts.append(self._one(places, context))
            elif keyword == "not":
                parts.append([_silent(flat) for flat in self.options(places[0].no())])
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
            result = [self._rest_of_properties(flat, rest, extras) for flat in result]
        if "unevaluatedItems" in schema:
            result = [self._rest_of_items(flat, place.at("unevaluatedItems")) for flat in result]
        return [flat for flat in result if flat.kinds]

    def _any(self, places: list[Place]) -> list[Flat]:
        branches = [self.options(part) for part in places]
        if not self.tracks:
            return [flat for branch in branches for flat in branch]
        # What is evaluated is what all the branches evaluate that fit: the more of them, the less is unevaluated.
        if len(branches) > OPTIONS_LIMIT:
            refuse(places[0].path, f"over {OPTIONS_LIMIT} branches beside 'unevaluated…' are not supported")
        return [
            flat
            for count in range(1, len(branches) + 1)
            for chosen in combinations(branches, count)
            for flat in self.all_of(list(chosen), places[0].path)
        ]

    def _one(self, places: list[Place], own: Flat) -> list[Flat]:
        branches = [self.options(part) for part in places]
        result = []
        for i, branch in enumerate(branches):
            parts = [branch]
            for j, other in enumerate(branches):
                if j != i and not self._apart(branch, other, own):
                    parts.append([_silent(flat) for flat in self.options(places[j].no())])
            result += self.all_of(parts, places[i].path)
        return result

    def _apart(self, ones: list[Flat], others: list[Flat], own: Flat) -> bool:
        """Whether no value fits both; False if that takes more than a look at constants."""
        return all(self.apart(merge(own, merge(a, b))) for a in ones for b in others)

    def apart(self, flat: Flat, depth: int = 2) -> bool:
        """Whether plainly nothing fits: different types, different constants of a property that must be there."""
        kinds = flat.kinds
        if flat.values is not None:
            kinds = kinds & {kind_of(value) for value in flat.values}
        if flat.low is not None and flat.high is not None and flat.low > flat.high:
            kinds = kinds - NUMBERS
        if "object" in kinds and (self._no_object(flat, depth)):
            kinds = kinds - {"object"}
        if "array" in kinds and flat.counts[1] is not None and flat.counts[0] > flat.counts[1]:
            kinds = kinds - {"array"}
        return not kinds

    def _no_object(self, flat: Flat, depth: int) -> bool:
        if flat.sizes[1] is not None and max(flat.sizes[0], len(flat.required)) > flat.sizes[1]:
            return True
        if not depth:
            return False
        for name in flat.required:
            places = self.property_of(flat, name)
            telling = len(places) > 1 or any(place.schema is False for place in places)
            if (
                telling
                and frozenset(place.key for place in places) not in self._open
                and all(self.apart(f, depth - 1) for f in self.flats(places))
            ):
                return True
        return False

    def property_of(self, flat: Flat, name: str) -> Places:
        """What the value of a property fits."""
        index, rest = self._index(flat)
        found = index.get(name, ())
        for keys, places in rest:
            if covers(keys, name):
                found = both(found, places)
        return found

    def declares(self, flat: Flat, name: str) -> bool:
        """Whether a flat speaks of a name: by itself, by a pattern, or by a schema for all others."""
        index, rest = self._index(flat)
        return name in index or any(covers(keys, name) and keys.others <= flat.extras for keys, _ in rest)

    def _index(self, flat: Flat) -> tuple[dict[str, Places], list[tuple[Keys, Places]]]:
        """The members of a flat: those of one name each; and all others."""
        known = self._indices.get(id(flat))
        if known is None or known[0] is not flat.members:
            index: dict[str, Places] = {}
            rest = []
            for keys, places in flat.members:
                if len(keys.names) == 1 and not keys.patterns and not keys.others:
                    (name,) = keys.names
                    index[name] = both(index.get(name, ()), places)
                else:
                    rest.append((keys, places))
            known = self._indices[id(flat)] = (flat.members, index, rest)
        return known[1:]

    def _conditional(self, places: list[Place]) -> list[Flat]:
        condition, then, other = places
        yes = self.all_of([self.options(condition), self.options(then)], condition.path)
        no = self.all_of([[_silent(f) for f in self.options(condition.no())], self.options(other)], condition.path)
        return yes + no

    def _present(self, name: Place) -> Flat:
        return Flat(name.path, kinds=frozenset(["object"]), required=(name.schema,))

    def _absent(self, name: Place) -> Flat:
        return Flat(name.path, members=((Keys(frozenset([name.schema])), NEVER),))

    def _rest_of_properties(self, flat: Flat, rest: Places, extras: bool) -> Flat:
        """The properties that nothing has spoken of fit `rest`."""
        if EVERY_KEY in flat.evaluated:
            return flat
        keys = _others(flat.evaluated)
        evaluated = (*flat.evaluated, EVERY_KEY)
        if keys is None:
            return flat.but(evaluated=evaluated)
        members = (*flat.members, (keys, rest))
        return flat.but(members=members, evaluated=evaluated, extras=flat.extras or extras)

    def _rest_of_items(self, flat: Flat, rest: Place) -> Flat:
        if flat.evaluated_items is None:
            return flat
        if flat.matched:
            rest = self._either([*flat.matched, rest])
        start = flat.evaluated_items
        plain = Flat(flat.path, prefix=((),) * start, items=(rest,))
        return merge(flat, plain).but(evaluated_items=None)

    def _either(self, places: list[Place]) -> Place:
        """A schema for what fits one of several."""
        schema = self.keep({"anyOf": [place.schema for place in places]})
        whole = Place(schema, places[-1].path, places[-1].home)
        read = self.objects[whole.key[0]] = Read(whole, Flat(whole.path))
        read.parts.append(("anyOf", places))
        return whole

    # ------------------------------------------------------------------------------------------ what does not fit

    def _breaking(self, place: Place) -> list[Flat]:
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
                result += [_silent(flat) for flat in self.options(places[0])]
            elif keyword == "if":
                condition, then, other = places
                result += self.all_of([self.options(condition), self.options(then.no())], path)
                result += self.all_of([self.options(condition.no()), self.options(other.no())], path)
            elif keyword in ("dependentSchemas", "dependentRequired", "dependencies"):
                name, then = places
                result += self.all_of([[self._present(name)], self.options(then.no())], path)
            else:
                result += [flat for part in places for flat in self.options(part.no())]
            if len(result) > BRANCH_LIMIT:
                refuse(path, f"the combinations come to more than {BRANCH_LIMIT} branches")
        return [_silent(flat) for flat in result]

    def _negatable(self, read: Read) -> None:
        for keyword in (*UNEVALUATED, "uniqueItems"):
            if keyword in read.place.schema and (keyword != "uniqueItems" or read.own.unique):
                what = f"{keyword!r} under 'not', 'oneOf', 'if' or 'maxContains' is not supported"
                refuse(f"{read.place.path}/{keyword}", what)

    def _breaking_own(self, read: Read) -> list[Flat]:
        flat, path = read.own, read.place.path
        found: list[Flat] = []

        def add(kinds: frozenset[str] | set[str], **fields: Any) -> None:
            found.append(Flat(path, kinds=frozenset(kinds), **fields))

        kinds = flat.kinds if flat.values is None else self._types(read.place)
        if kinds != ALL:
            add(ALL - kinds)
        if flat.values is not None:
            found.append(Flat(path, excluded=(*flat.values, *read.listed)))
        if flat.low is not None:
            add(NUMBERS, high=flat.low, high_open=not flat.low_open)
        if flat.high is not None:
            add(NUMBERS, low=flat.high, low_open=not flat.high_open)
        for multiple in flat.multiples:
            add(NUMBERS, not_multiples=(multiple,))
        for pattern in flat.patterns:
            add({"string"}, not_patterns=(pattern,))
        for name in flat.formats:
            add({"string"}, not_formats=(name,))
        for kind, field, span in (
            ("string", "lengths", flat.lengths),
            ("array", "counts", flat.counts),
            ("object", "sizes", flat.sizes),
        ):
            if span[0] > 0:
                add({kind}, **{field: (0, span[0] - 1)})
            if span[1] is not None:
                add({kind}, **{field: (span[1] + 1, None)})
        for i, places in enumerate(flat.prefix):
            for part in places:
                add({"array"}, counts=(i + 1, None), prefix=(((),) * i + ((part.no(),),)))
        for part in flat.items:
            add({"array"}, contains=(Contains((part.no(),), (1, None), len(flat.prefix)),))
        for places, (low, high), start in flat.contains:
            if low > 0:
                add({"array"}, contains=(Contains(places, (0, low - 1), start),))
            if high is not None:
                add({"array"}, contains=(Contains(places, (high + 1, None), start),))
        for name in flat.required:
            add({"object"}, members=((Keys(frozenset([name])), NEVER),))
        for part in flat.names:
            add({"object"}, exists=(Exists(EVERY_KEY, (part.no(),), ()),))
        for keys, places in flat.members:
            for part in places:
                if len(keys.names) == 1 and not keys.patterns and not keys.others:
                    add({"object"}, required=tuple(keys.names), members=((keys, (part.no(),)),))
                else:
                    add({"object"}, exists=(Exists(keys, (), (part.no(),)),))
        return found


def _hopeless(flat: Flat) -> bool:
    """Whether plainly nothing fits."""
    if not flat.kinds or flat.values == ():
        return True
    if len(flat.kinds) > 1 or "object" not in flat.kinds or not flat.required:
        return False
    never = [keys for keys, places in flat.members if places is NEVER and not keys.others]
    return any(name in keys.names for keys in never for name in flat.required)


def covers(keys: Keys, name: str) -> bool:
    """Whether a name is one of these."""
    if name in keys.names:
        return not keys.others
    return any(searches(pattern, name) for pattern in keys.patterns) is not keys.others


@lru_cache(maxsize=4096)
def searches(pattern: str, text: str) -> bool:
    """Whether a pattern, of JSON Schema's kind, matches somewhere in a text."""
    return accepts(parse(pattern, search=True), text)


def _meant(flat: Flat) -> Flat:
    """Of the kinds that are spoken of, where none is said."""
    return flat.but(kinds=flat.said) if flat.said and flat.kinds == ALL and flat.values is None else flat


def _silent(flat: Flat) -> Flat:
    """The same, having evaluated nothing."""
    if not flat.evaluated and flat.evaluated_items == 0 and not flat.matched:
        return flat
    return flat.but(evaluated=(), evaluated_items=0, matched=())


def _others(evaluated: tuple[Keys, ...]) -> Keys | None:
    """The keys that are none of these."""
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    for keys in evaluated:
        names, patterns = names | keys.names, patterns | keys.patterns
    return Keys(names, patterns, others=True)
