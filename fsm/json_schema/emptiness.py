"""Whether any value fits some schemas. A value that has to hold a value of its own kind is a least fixed point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..language.nodes import VOID, Node
from .conjunction import ALL, NUMBERS, Conjunction, Subschema, Subschemas, key_of
from .context import SchemaContext
from .strings import Strings

LARGE = 10**15  # integers up to here are written in every way


class Emptiness:
    """What is known of whether values fit.

    Args:
        context: what the parts of a schema's language know of the whole.
        compound: gives the arrays, or the objects, that fit one of some conjunctions.
    """

    def __init__(self, context: SchemaContext, compound: Callable[[str, list[Conjunction]], Node]):
        self.context, self._compound = context, compound
        self._inhabited: dict[Any, bool] = {}
        self._surely: dict[Any, bool] = {}  # by the keys of single subschemas
        self._sought: set[Any] = set()
        self._tried: set[Any] = set()  # the keys of what had no value in this round, with the values known so far
        self._leans = self._unsure = False  # on something that had none so far; on a list that is not whole yet

    @property
    def searched_for(self) -> frozenset[Any]:
        """The keys of all that is being searched for a value that fits."""
        return frozenset(self._sought)

    @property
    def searching(self) -> bool:
        """Whether something is being searched."""
        return bool(self._sought)

    def inhabited(self, subschemas: Subschemas) -> bool:
        """Whether some value fits all of `subschemas`."""
        if not subschemas:
            return True
        if len(subschemas) == 1 and self.context.spelling.complete:
            surely = self._surely.get(subschemas[0].key)
            if surely is None:
                surely = self._surely[subschemas[0].key] = self._surely_inhabited(subschemas[0])
            if surely:
                return True
        key = key_of(subschemas)
        inhabited = self._inhabited.get(key)
        if inhabited is not None:
            return inhabited
        if key in self._sought or key in self._tried:  # a value within itself is no way to an end
            self._leans = True
            return False
        return self._once(key, subschemas) if self._sought else self._rounds(key, subschemas)

    def _rounds(self, key: Any, subschemas: Subschemas) -> bool:
        """The same, found out now: round after round, until no more is found to have a value."""
        while True:
            settled, self._leans = len(self._inhabited), False
            try:
                inhabited = self._once(key, subschemas)
                if inhabited or not self._leans or len(self._inhabited) == settled:
                    if not inhabited and not self.context.listing:
                        self._inhabited |= dict.fromkeys((*self._tried, key), False)
                    return inhabited
            finally:
                self._tried, self._unsure = set(), False

    def _once(self, key: Any, subschemas: Subschemas) -> bool:
        """The same, with what is known in this round."""
        unsure_before, self._unsure = self._unsure, False
        try:
            self._sought.add(key)
            inhabited = self._some_value(subschemas)
        finally:
            self._sought.discard(key)
            unsure, self._unsure = self._unsure or self.context.listing, unsure_before
        if inhabited:
            self._inhabited[key] = True
        elif unsure:
            self._unsure = True
        else:
            self._tried.add(key)
        return inhabited

    def _some_value(self, subschemas: Subschemas) -> bool:
        others, excluded = self.context.listings.without_excluded(subschemas)
        if excluded:
            values = self.context.listed_set(others, excluded.bit_count())
            return values is None or bool(values & ~excluded)
        return any(self._possible(conjunction) for conjunction in self.context.normalizer.conjunctions(subschemas))

    def _possible(self, conjunction: Conjunction) -> bool:
        """Whether some value fits one conjunction."""
        if self.context.scalars.possible(conjunction):
            return True
        kinds = (kind for kind in ("array", "object") if kind in conjunction.kinds)
        return any(self._compound(kind, [conjunction]) is not VOID for kind in kinds)

    def _surely_inhabited(self, subschema: Subschema) -> bool:
        """Whether some value fits one schema, seen at a glance."""
        if isinstance(subschema.schema, bool):
            return subschema.schema is subschema.fits
        if not subschema.fits:
            return False
        schema_object = self.context.normalizer.keywords.read(subschema)
        conjunction = schema_object.conjunction
        if schema_object.combined or schema_object.compounds or conjunction.values is not None or conjunction.excluded:
            return False
        kinds = conjunction.kinds if not conjunction.mentioned or conjunction.kinds != ALL else conjunction.mentioned
        return any(_surely_some(kind, conjunction) for kind in kinds)


def _surely_some(kind: str, conjunction: Conjunction) -> bool:
    """Whether some value of a kind fits, seen at a glance."""
    if kind == "string":
        return conjunction.contents is None and Strings.of(conjunction).surely_some
    if kind in NUMBERS:
        return not conjunction.restricts_numbers or _surely_wide(conjunction)
    if kind == "array":
        return conjunction.counts[0] == 0 and not conjunction.contains
    if kind == "object":
        return not conjunction.required and conjunction.sizes[0] == 0 and not conjunction.exists
    return True  # null, boolean


def _surely_wide(conjunction: Conjunction) -> bool:
    """Whether there are integers and fractions within bounds, seen at a glance."""
    low, high = conjunction.low, conjunction.high
    if conjunction.multiples or conjunction.not_multiples or any(x and abs(x) > LARGE for x in (low, high)):
        return False
    return low is None or high is None or high - low > 1
