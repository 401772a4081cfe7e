"""The strings of a JSON Schema: lengths, patterns and formats as languages of code points, and as JSON writes them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from outlines_cont.errors import ConstraintError

from ..engine.automaton import Automaton
from ..language.difference import difference
from ..language.intersection import intersection
from ..language.lazy import Deferred
from ..language.lengths import at_least, at_most
from ..language.measures import longest
from ..language.nodes import VOID, Bounds, Node, cat, chars, repeat, star, symbol
from ..language.substitution import substitute
from ..language.words import literal
from ..patterns.characters import ANY
from ..patterns.json_characters import string_class
from ..patterns.json_strings import other_strings
from ..patterns.parser import parse
from ..patterns.utf8 import utf8
from . import formats
from .conjunction import Conjunction, within


class Strings(NamedTuple):
    """What a text has to be: it fits every pattern and format, has so many characters, and is none of `excluded`."""

    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    lengths: Bounds = (0, None)
    not_patterns: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @classmethod
    def of(cls, conjunction: Conjunction) -> Strings:
        """What a conjunction says of strings."""
        excluded = tuple(x for x in conjunction.excluded if isinstance(x, str))
        return cls(
            conjunction.patterns,
            conjunction.formats,
            conjunction.lengths,
            conjunction.not_patterns,
            conjunction.not_formats,
            excluded,
        )

    @property
    def surely_some(self) -> bool:
        """Whether texts plainly can be so: of some length, or of one format."""
        low, high = self.lengths
        if len(self.formats) == 1 and self == Strings(formats=self.formats):
            return True
        return self == Strings(lengths=self.lengths) and (high is None or low <= high)

    @property
    def format_beside_others(self) -> str:
        """The format, if there is one, and more is said beside it; else no name."""
        return self.formats[0] if len(self.formats) == 1 and not self.surely_some else ""

    @property
    def endless(self) -> bool:
        """Whether there are texts of any length that are so: whatever is excluded by itself, some are left.

        (`longest` knows of a bound on what `decoded_string` makes, if there is one.)
        """
        node = decoded_string(self._replace(excluded=()))
        return node is not VOID and longest(node) is None


ANY_STRING = Strings()


@lru_cache(maxsize=512)
def decoded_string(conditions: Strings) -> Node:
    """The texts that meet the conditions, over code points.

    Raises:
        ConstraintError: the conditions, taken together, are too large.
    """
    regular = formats.REGEX not in conditions.formats + conditions.not_formats
    return _intersection(conditions) if regular else _expressions(conditions)


def _intersection(conditions: Strings) -> Node:
    """The same, of texts of which regular expressions say all."""
    only = conditions.format_beside_others  # its bound is set last
    required = _patterns(conditions.patterns) + [_format(name, name == only) for name in conditions.formats]
    forbidden = _patterns(conditions.not_patterns) + [_format(name) for name in conditions.not_formats]
    forbidden += [exactly(text) for text in conditions.excluded]
    low, high = conditions.lengths
    if VOID in required:
        return VOID
    if not required and not forbidden:
        return repeat(ANY, low, high)
    node = intersection(required or [star(ANY)], [x for x in forbidden if x is not VOID])
    if low and node is not VOID:
        node = at_least(node, low)
    node = formats.bounded(only, node)
    return node if high is None or node is VOID else at_most(node, high)


def _expressions(conditions: Strings) -> Node:
    """The same, of texts that are regular expressions, whose parentheses close: no intersection holds these."""
    low, high = conditions.lengths
    refuse_beside_expressions(conditions)
    node, excluded = _format(formats.REGEX), [*conditions.excluded, *[""] * low]
    if high is not None:
        node = at_most(node, high)
    return difference(node, excluded, chars) if excluded and node is not VOID else node


def refuse_beside_expressions(conditions: Strings) -> None:
    """ConstraintError for what is said of regular expressions besides, and no intersection can hold."""
    plain = Strings(formats=(formats.REGEX,), lengths=conditions.lengths, excluded=conditions.excluded)
    mentioned = formats.REGEX in conditions.formats + conditions.not_formats
    if mentioned and (conditions != plain or conditions.lengths[0] > 1):
        others = "'pattern', another 'format', 'not' or a 'minLength' above 1"
        raise ConstraintError(f"the format 'regex' together with {others} is not supported")


def _patterns(patterns: tuple[str, ...]) -> list[Node]:
    return [parse(pattern, search=True) for pattern in patterns]


def _format(name: str, unbounded: bool = False) -> Node:
    node = (formats.unbounded if unbounded else formats.language)(name)
    assert node is not None
    return node


@lru_cache(maxsize=4096)
def exactly(text: str) -> Node:
    """One text, over code points."""
    return cat(*(symbol(ord(c)) for c in text))


@lru_cache(maxsize=512)
def encoded_string(conditions: Strings) -> Node:
    """The JSON strings of `decoded_string`, quotes included."""
    low = conditions.lengths[0]
    if low < 2 and conditions == Strings(lengths=(low, None), excluded=conditions.excluded):
        texts = [text for text in conditions.excluded if not any("\ud800" <= c <= "\udfff" for c in text)]
        return cat(literal(b'"'), other_strings([*texts, *[""] * low]))
    if not conditions.surely_some and decoded_string(conditions) is VOID:
        return VOID

    def behind_quote() -> Node:
        return cat(substitute(decoded_string(conditions), string_class), literal(b'"'))

    return cat(literal(b'"'), Deferred(behind_quote))  # many a token ends with the first quote


def fits(text: str, conjunction: Conjunction) -> bool:
    """Whether a text fits all that a conjunction says of strings, besides `excluded`."""
    conditions = Strings.of(conjunction)._replace(excluded=())
    if not within(len(text), conditions.lengths):
        return False
    for field, fitting in (("formats", True), ("not_formats", False)):
        names = getattr(conditions, field)
        if formats.REGEX in names:  # by itself: no intersection has it
            if accepts(_format(formats.REGEX), text) is not fitting:
                return False
            others = tuple(name for name in names if name != formats.REGEX)
            conditions = conditions._replace(**{field: others})
    return conditions._replace(lengths=(0, None)) == ANY_STRING or accepts(decoded_string(conditions), text)


def accepts(node: Node, text: str) -> bool:
    """Whether a language of code points has this text."""
    if node is VOID:
        return False
    automaton = _acceptor(node)
    state = automaton.run(automaton.initial, text.encode())
    return state >= 0 and automaton.accepting(state)


@lru_cache(maxsize=16)
def _acceptor(node: Node) -> Automaton:
    """The automaton that says whether a language of code points has a text; it is often asked about several."""
    return Automaton(utf8(node))
