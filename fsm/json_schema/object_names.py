"""The undeclared names that the properties of an object may have, as classes of names that fit the same schemas."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

from ..language.intersection import intersection
from ..language.measures import longest
from ..language.nodes import VOID, Node, star
from ..language.substitution import substitute
from ..language.terms import strings
from ..patterns.characters import ANY
from ..patterns.json_characters import key_class
from ..patterns.parser import parse
from .strings import accepts
from .subschema import Subschemas

FEW_PATTERNS = 4  # of so many, every set is taken for one that names may match
MANY_CLASSES = 256  # of the names of one object


class Names:
    """Some undeclared names: those that match these patterns and none of the others, and fit.

    Args:
        patterns, others: those that the names match, and those that they do not.
        fitting: what the names, as values, fit.
        texts: gives the texts that fit some subschemas (see `Scalars.texts`).
        declared: the names that are declared. They are not among these, but `language` and `has` do not leave them out.
    """

    def __init__(
        self,
        patterns: frozenset[str],
        others: frozenset[str],
        fitting: Subschemas,
        texts: Callable[[Subschemas], Node],
        declared: tuple[str, ...],
    ):
        self._patterns, self._others, self._fitting = patterns, others, fitting
        self._texts, self._declared = texts, declared
        #: Whether any name is one of these.
        self.anything = not patterns and not others and not fitting
        self._has: dict[str, bool] = {}

    @cached_property
    def language(self) -> Node:
        """Over code points. The declared names are not left out yet."""
        required = [parse(pattern, search=True) for pattern in sorted(self._patterns)]
        forbidden = [parse(pattern, search=True) for pattern in sorted(self._others)]
        if self._fitting:
            required.append(self._texts(self._fitting))
        if VOID in required:
            return VOID
        return intersection(required or [star(ANY)], [node for node in forbidden if node is not VOID])

    @cached_property
    def spelled(self) -> Node:
        """The language, as JSON spells the names of properties, without quotes."""
        return substitute(self.language, key_class)

    def has(self, name: str) -> bool:
        """Whether a name is one of them, declared or not."""
        if name not in self._has:
            self._has[name] = accepts(self.language, name)
        return self._has[name]

    def count(self, taken: frozenset[str], enough: int) -> int:
        """How many there are, of those that are neither declared nor taken; no more than enough are counted."""
        free = self.free(taken, enough)
        return enough if free is None else len(free)

    def free(self, taken: frozenset[str], most: int) -> list[str] | None:
        """Those that are neither declared nor taken; None if there are more than `most`."""
        if self.anything:
            return None
        if self.language is VOID:
            return []
        gone = taken.union(self._declared)
        listed = None if longest(self.language) is None else strings(self.language, most + len(gone))
        free = None if listed is None else [text for text in listed if text not in gone]
        return None if free is None or len(free) > most else free


@lru_cache(maxsize=64)
def name_classes(patterns: frozenset[str]) -> list[frozenset[str]] | None:
    """The sets of these patterns that a name may match, it matching none of the others; None if they are too many.

    Of few patterns these are all sets, whether there are such names or not. Of many, most sets have no name.
    """
    subsets: list[frozenset[str]] = [frozenset()]
    if len(patterns) <= FEW_PATTERNS:
        for pattern in sorted(patterns):
            subsets += [subset | {pattern} for subset in subsets]
        return subsets
    classes: list[tuple[frozenset[str], Node]] = [(frozenset(), star(ANY))]
    for pattern in sorted(patterns):
        node = parse(pattern, search=True)
        if node is not VOID:
            inside = [(subset | {pattern}, intersection([names, node])) for subset, names in classes]
            outside = [(subset, intersection([names], [node])) for subset, names in classes]
            classes = [(subset, names) for subset, names in inside + outside if names is not VOID]
        if len(classes) > MANY_CLASSES:
            return None
    return [subset for subset, _ in classes]
